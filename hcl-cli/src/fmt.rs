//! `hcl fmt`: files in canonical form.
//!
//! Files are formatted side by side and reported in the order named, folders in the order of their paths. A file
//! is replaced in one step by a new one with the same permissions, so that nobody ever finds half of it, and is
//! left alone if nothing changes.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::format::{FormatError, FormatStyle, format};
use similar::TextDiff;

use crate::args::{FmtArguments, FmtStyle};
use crate::batch;
use crate::output::{Failure, Outcome, complain, print_exactly, read_input, report};
use crate::vars::FILE_ENDINGS;

/// Runs the verb.
///
/// # Errors
/// Standard input can't be read, or nothing can be written to standard output or standard error.
pub fn run(arguments: &FmtArguments) -> Result<Outcome, Failure> {
    if arguments.jsonl {
        return batch::run(batch::fmt::answer);
    }
    if arguments.paths == [Path::new("-")] {
        return standard_input(arguments);
    }
    let mut outcome = Outcome::Success;
    let mut files = Vec::new();
    for path in &arguments.paths {
        if let Err(failure) = collect(path, &mut files) {
            complain(&failure);
            outcome = Outcome::Rejected;
        }
    }
    let mut diagnostics = Diagnostics::new();
    for (path, result) in files.iter().zip(in_parallel(&files, |path| file(path, arguments))) {
        match result {
            Ok(Formatted::Unchanged) => {}
            Ok(Formatted::Changed(diff)) => {
                let name = format!("{}\n", path.display());
                print_exactly(if arguments.diff { &diff } else { &name })?;
                if arguments.check {
                    outcome = outcome.max(Outcome::Rejected);
                }
            }
            Ok(Formatted::Refused(more)) => diagnostics.extend(more),
            Err(failure) => {
                complain(&failure);
                outcome = outcome.max(Outcome::Rejected);
            }
        }
    }
    report(&diagnostics, &arguments.reporting)?;
    Ok(outcome.max(Outcome::of(&diagnostics)))
}

/// Whether the last line of a text gets the newline that it lacks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum LastLine {
    /// It does, in the style that asks for it: what is formatted is a stream.
    Ended,
    /// It does not: what is formatted is a file.
    Kept,
}

/// A text in canonical form.
///
/// # Errors
/// Says why there is none.
pub fn formatted(
    name: &str,
    text: &[u8],
    style: FormatStyle,
    last_line: LastLine,
) -> Result<Vec<u8>, Diagnostics> {
    let mut out = format(name, text, style).map_err(|error| match error {
        FormatError::Invalid(diagnostics) => diagnostics,
        FormatError::GrowsTooMuch => vec![Diagnostic::error(
            "limit.output",
            "Formatting limit reached",
            format!(
                "{name}: {error}. Break up the lines that nest or are much longer than their neighbours."
            ),
        )],
        error => vec![Diagnostic::error("format.refused", "Not formatted", format!("{name}: {error}."))],
    })?;
    if last_line == LastLine::Ended && style == FormatStyle::Terraform && !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    Ok(out)
}

fn style_of(arguments: &FmtArguments) -> FormatStyle {
    match arguments.style {
        FmtStyle::Hcl => FormatStyle::Hcl,
        FmtStyle::Terraform => FormatStyle::Terraform,
    }
}

fn standard_input(arguments: &FmtArguments) -> Result<Outcome, Failure> {
    let (name, text) = read_input(Path::new("-"))?;
    let out = match formatted(&name, &text, style_of(arguments), LastLine::Ended) {
        Ok(out) => out,
        Err(diagnostics) => {
            report(&diagnostics, &arguments.reporting)?;
            return Ok(Outcome::of(&diagnostics));
        }
    };
    let changed = out != text;
    if arguments.diff {
        print_exactly(&diff(&name, &text, &out))?;
    } else if !arguments.check {
        let mut stdout = io::stdout().lock();
        stdout.write_all(&out)?;
        stdout.flush()?;
    }
    Ok(if arguments.check && changed { Outcome::Rejected } else { Outcome::Success })
}

/// What became of a file.
enum Formatted {
    Unchanged,
    /// It was rewritten, or would be; the difference if it was asked for.
    Changed(String),
    Refused(Diagnostics),
}

fn file(path: &Path, arguments: &FmtArguments) -> Result<Formatted, Failure> {
    let (name, text) = read_input(path)?;
    let out = match formatted(&name, &text, style_of(arguments), LastLine::Kept) {
        Ok(out) if out == text => return Ok(Formatted::Unchanged),
        Ok(out) => out,
        Err(diagnostics) => return Ok(Formatted::Refused(diagnostics)),
    };
    if arguments.diff {
        return Ok(Formatted::Changed(diff(&name, &text, &out)));
    }
    if !arguments.check {
        replace(path, &out).map_err(|error| Failure::Input(path.to_owned(), error))?;
    }
    Ok(Formatted::Changed(String::new()))
}

/// Puts `content` in place of the file at `path`, at once or not at all. A link stays a link.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let path = path.canonicalize()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.as_file().set_permissions(fs::metadata(&path)?.permissions())?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}

/// The difference between two texts, in the unified form.
pub(crate) fn diff(name: &str, old: &[u8], new: &[u8]) -> String {
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    TextDiff::from_lines(&*old, &*new).unified_diff().header(name, name).to_string()
}

/// Adds a file, or the files of the language in a folder and the folders in it, hidden ones left out.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let refused = |error| Failure::Input(path.to_owned(), error);
    let mut entries: Vec<PathBuf> = fs::read_dir(path)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(refused)?;
    entries.sort();
    for entry in entries {
        let hidden = entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let known = entry.extension().is_some_and(|ending| FILE_ENDINGS.iter().any(|known| ending == *known));
        // A folder reached through a link is not of this tree, and may be one that is being walked.
        let is_folder = entry.is_dir() && !entry.is_symlink();
        if !hidden && (is_folder || (known && entry.is_file())) {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

/// The results of `work` for every item, in their order, on as many threads as the machine has processors.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let n_threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}
