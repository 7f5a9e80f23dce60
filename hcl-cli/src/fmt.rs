//! `hcl fmt`: files in canonical form.
//!
//! Files are formatted side by side and reported in the order named, folders in the order of their paths. A file
//! is left alone if nothing changes.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::format::{FormatError, FormatStyle, format};
use similar::TextDiff;

use crate::args::{FmtArguments, FmtStyle};
use crate::batch;
use crate::folders::{FoundFiles, Weigh, in_parallel, is_native};
use crate::output::{Failure, Outcome, Reporter, print_lines, print_name, read_input, report};
use crate::replace::{check_replaceable, hold_back_signals, keep_first_names, replace};
use crate::scope;
use crate::watch::watch;

/// Runs the verb.
///
/// # Errors
/// Standard input can't be read, or nothing can be written to standard output or standard error.
pub fn run(arguments: &FmtArguments) -> Result<Outcome, Failure> {
    if arguments.jsonl {
        return batch::run(batch::fmt::answer);
    }
    if arguments.watch {
        return watch(&arguments.paths, is_native, || format_files(arguments).map(|_| ()));
    }
    if arguments.paths == [Path::new("-")] {
        return standard_input(arguments);
    }
    format_files(arguments)
}

/// Formats the files that are named and those in folders.
fn format_files(arguments: &FmtArguments) -> Result<Outcome, Failure> {
    let n_threads = arguments.jobs.n_threads();
    let FoundFiles { mut files, failures } = FoundFiles::of(&arguments.paths, &is_native, n_threads);
    let is_written = !arguments.check && !arguments.diff;
    if is_written {
        keep_first_names(&mut files);
    }
    let _held_back = is_written.then(hold_back_signals);
    let mut outcome = Outcome::Success;
    let mut reporter = Reporter::new(&arguments.reporting);
    failures.into_iter().try_for_each(|failure| reporter.add_failure(failure))?;
    let work = |path: &PathBuf| file(path, arguments);
    in_parallel(&files, n_threads, work, |path, result| {
        match result {
            Ok(Formatted::Unchanged) => {}
            Ok(Formatted::Changed(diff)) => {
                if arguments.diff {
                    print_lines(&diff)?;
                } else {
                    print_name(path)?;
                }
                if arguments.check {
                    outcome = outcome.max(Outcome::Rejected);
                }
            }
            Ok(Formatted::Refused(more)) => reporter.add(more)?,
            Err(failure) => reporter.add_failure(failure)?,
        }
        Ok::<(), Failure>(())
    })?;
    Ok(outcome.max(reporter.finish()?))
}

/// The treatment of a last line that lacks its newline.
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

/// The style that is asked for.
fn style_of(arguments: &FmtArguments) -> FormatStyle {
    match arguments.style {
        FmtStyle::Hcl => FormatStyle::Hcl,
        FmtStyle::Terraform => FormatStyle::Terraform,
    }
}

/// Formats standard input as a stream.
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
        print_lines(&diff(&name, &text, &out))?;
    } else if !arguments.check {
        let mut stdout = io::stdout().lock();
        stdout.write_all(&out)?;
        stdout.flush()?;
    }
    Ok(if arguments.check && changed { Outcome::Rejected } else { Outcome::Success })
}

/// The outcome of formatting a file.
enum Formatted {
    /// It was in canonical form already.
    Unchanged,
    /// It was rewritten, or would be; the difference if it was asked for.
    Changed(String),
    /// It can't be formatted.
    Refused(Diagnostics),
}

impl Weigh for Formatted {
    fn weight(&self) -> usize {
        match self {
            Self::Unchanged => 0,
            Self::Changed(difference) => difference.len(),
            Self::Refused(diagnostics) => diagnostics.weight(),
        }
    }
}

/// Formats one file, which is replaced only if something changes.
fn file(path: &Path, arguments: &FmtArguments) -> Result<Formatted, Failure> {
    if scope::is_json(path) {
        let reason = "only native syntax has a canonical form here; this is a file of JSON syntax";
        return Err(Failure::Input(path.to_owned(), io::Error::other(reason)));
    }
    if !arguments.check && !arguments.diff {
        check_replaceable(path)?;
    }
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
        replace(path, &out)?;
    }
    Ok(Formatted::Changed(String::new()))
}

/// How long the shortest difference is looked for, which takes the square of its length; then any will do.
const DIFF_TIME: Duration = Duration::from_secs(1);

/// The difference between two texts, in the unified form.
pub(crate) fn diff(name: &str, old: &[u8], new: &[u8]) -> String {
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let difference = TextDiff::configure().timeout(DIFF_TIME).diff_lines(&*old, &*new);
    difference.unified_diff().header(name, name).to_string()
}
