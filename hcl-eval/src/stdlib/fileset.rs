//! `fileset`: the files whose paths match a pattern.
//!
//! The folder and the pattern are one path, so the folder may have stars too. A part `**` stands for any
//! number of folders, links to folders included. How names are matched is in `glob`.

use super::file::clean_joined;
use super::glob::{self, Failure, Style};
use super::path::{clean, push_part};
use super::support::{fail, function, long_text, shown, text};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::host::{Capability, FileKind, HostError};
use crate::limits::BYTES_PER_PART;
use crate::sorting::sort_texts_on;
use crate::types::Type;
use crate::value::{Marks, Value};

/// The charge for looking into a folder: it is so much slower than a step of evaluation.
const STEPS_PER_FOLDER: u64 = 2_000;

/// The bytes of memory that a name in a folder takes at most, as far as systems have files with such names.
const BYTES_OF_ENTRY: u64 = 256;

/// Stands for what may not be shown.
const HIDDEN: &str = "(sensitive value)";

/// `fileset(path, pattern)`
pub(crate) fn fileset() -> Function {
    fileset_in(Style::Lazy)
}

/// `fileset(path, pattern)`, with alternatives that may contain slashes and `[!…]`.
pub(crate) fn fileset_checked() -> Function {
    fileset_in(Style::Checked)
}

fn fileset_in(style: Style) -> Function {
    function("fileset", "Lists the files in a folder whose paths match a pattern.")
        .parameter(Parameter::new("path", Type::String).described("The directory that the results are relative to.").allow_marked())
        .parameter(Parameter::new("pattern", Type::String).described("The pattern: * and ? match within a part of a path, ** any number of parts, [a-z] and {a,b} one of several.").allow_marked())
        .returns(Type::set(Type::String))
        .needs(Capability::Files)
        .implementation(move |invocation, args| {
            let marks = args.iter().fold(Marks::EMPTY, |marks, value| marks.union(value.marks()));
            let found = matching_files(style, invocation, args)?;
            Ok(Value::set_within(Type::String, found, invocation.meter())?.with_marks(&marks))
        })
}

/// The paths of the matching files, relative to the folder of the first argument. A folder that is not there has no
/// files.
fn matching_files(
    style: Style,
    invocation: &mut Invocation<'_>,
    args: &[Value],
) -> Result<Vec<Value>, FunctionError> {
    let plain: Vec<Value> = args.iter().map(|value| value.unmark().0).collect();
    let folder = text(&plain, 0);
    let folder = if folder.is_empty() { "." } else { folder };
    let pattern = clean_joined(invocation, [folder, "/", text(&plain, 1)])?;
    let is_hidden = args.iter().any(Value::is_marked);
    invocation.meter().look()?;
    let mut walk = Walk { style, invocation, found: Vec::new() };
    match walk.all(&pattern) {
        Ok(()) => {}
        Err(Failure::Syntax) => {
            let pattern = if is_hidden { HIDDEN.to_owned() } else { format!("{:?}", shown(&pattern)) };
            return fail(format!("failed to glob pattern {pattern}: syntax error in pattern"));
        }
        Err(Failure::Other(error)) => return Err(error),
    }
    let matched = std::mem::take(&mut walk.found);
    let folder = clean(invocation, folder)?;
    let mut files = Vec::new();
    for path in matched {
        if is_regular(invocation, &path, is_hidden)? {
            invocation.charge_elements(1)?;
            invocation.meter().hold_push(&files)?;
            let path = relative(invocation, &folder, &path)?;
            files.push(long_text(invocation, &path)?);
        }
    }
    Ok(files)
}

/// Returns whether a regular file stands at a path that matched.
fn is_regular(invocation: &mut Invocation<'_>, path: &str, is_hidden: bool) -> Result<bool, FunctionError> {
    invocation.charge_steps(STEPS_PER_FOLDER / 10)?;
    match invocation.ask(Capability::Files, |host| host.file_kind(path)) {
        Ok(kind) => Ok(kind == FileKind::File),
        Err(error @ (HostError::NotFound | HostError::Failed(_))) => {
            let path = if is_hidden { HIDDEN.to_owned() } else { format!("{:?}", shown(path)) };
            fail(format!("failed to stat {path}: {error}"))
        }
        Err(error) => Err(error.into()),
    }
}

/// A path as it is seen from a folder, by their texts alone; both are cleaned.
fn relative(invocation: &mut Invocation<'_>, folder: &str, path: &str) -> Result<String, FunctionError> {
    fn parts(path: &str) -> impl Iterator<Item = &str> {
        path.split('/').filter(|part| !part.is_empty() && *part != ".")
    }
    let (mut of_folder, mut of_path) = (parts(folder).peekable(), parts(path).peekable());
    while of_folder.peek().is_some() && of_folder.peek() == of_path.peek() {
        invocation.go_on(1)?;
        of_folder.next();
        of_path.next();
    }
    let mut seen = String::new();
    for part in of_folder.map(|_| "..").chain(of_path) {
        invocation.charge_bytes(1 + part.len())?;
        invocation.meter().hold(3 * seen.len())?;
        push_part(&mut seen, part);
    }
    Ok(if seen.is_empty() { ".".to_owned() } else { seen })
}

/// A walk through folders.
struct Walk<'a, 'i> {
    style: Style,
    /// The host that is asked, and the limits.
    invocation: &'a mut Invocation<'i>,
    /// The paths that matched so far, of files and of anything else.
    found: Vec<String>,
}

impl Walk<'_, '_> {
    /// Finds all that matches a pattern.
    fn all(&mut self, pattern: &str) -> Result<(), Failure> {
        if self.style == Style::Lazy {
            return self.one(pattern);
        }
        if !glob::is_valid(pattern, self.invocation.meter())? {
            return Err(Failure::Syntax);
        }
        for pattern in glob::expand(pattern, self.invocation)? {
            // An alternative may begin or end with a slash.
            let pattern = clean(self.invocation, &pattern)?;
            self.one(&pattern)?;
        }
        Ok(())
    }

    /// Finds what matches a pattern whose alternatives, if it is one of the checked style, have been expanded.
    fn one(&mut self, pattern: &str) -> Result<(), Failure> {
        let (folder, rest) = pattern.strip_prefix('/').map_or(("", pattern), |rest| ("/", rest));
        let parts = glob::split(rest, self.style, self.invocation.meter())?;
        self.within(folder, &parts)
    }

    /// Finds what matches the parts of a pattern below a folder, whose name may be empty for the working
    /// directory.
    fn within(&mut self, folder: &str, parts: &[&str]) -> Result<(), Failure> {
        crate::stack::grow(u32::MAX, || self.descend(folder, parts))
    }

    /// Goes past the plain parts at the front without a look at folders, and lists the folder only where a part with
    /// stars begins.
    fn descend(&mut self, folder: &str, parts: &[&str]) -> Result<(), Failure> {
        let (mut n_plain, mut len) = (0, folder.len());
        while let Some(part) = parts.get(n_plain)
            && !glob::is_pattern(part, self.invocation)?
        {
            self.invocation.go_on(1)?;
            len += 1 + part.len();
            n_plain += 1;
        }
        let (plain, rest) = parts.split_at(n_plain);
        self.invocation.charge_steps(len as u64)?;
        let folder = self.joined(folder, plain, len)?;
        let Some((part, after)) = rest.split_first() else {
            return if self.is_there(&folder)? { self.add(folder) } else { Ok(()) };
        };
        let entries = self.entries(&folder)?;
        if *part == "**" {
            return self.any_folders(&folder, &entries, rest, after);
        }
        self.matching(&folder, &entries, part, after)
    }

    /// Goes on in the folders and files whose names match a part.
    fn matching(
        &mut self,
        folder: &str,
        entries: &[(String, FileKind)],
        part: &str,
        after: &[&str],
    ) -> Result<(), Failure> {
        let mut last = Ok(());
        for (name, _) in entries {
            last = Ok(());
            if !glob::matches(part, name, self.style, self.invocation)? {
                continue;
            }
            let path = self.path(folder, name)?;
            if after.is_empty() {
                self.add(path)?;
            } else {
                last = unless_syntax(self.within(&path, after))?;
            }
        }
        // An error in a later part of the pattern shows only if it is met last.
        last
    }

    /// Goes on here, and in all folders below.
    fn any_folders(
        &mut self,
        folder: &str,
        entries: &[(String, FileKind)],
        parts: &[&str],
        after: &[&str],
    ) -> Result<(), Failure> {
        let mut last = Ok(());
        for (name, kind) in entries {
            let path = self.path(folder, name)?;
            let kind = match kind {
                FileKind::Link => self.target_kind(&path)?,
                kind => Some(*kind),
            };
            if kind == Some(FileKind::Directory) {
                last = unless_syntax(self.within(&path, parts))?;
            } else if kind.is_some() && after.is_empty() {
                self.add(path)?;
            }
        }
        match after.split_first() {
            None => last,
            Some((part, after)) => self.matching(folder, entries, part, after),
        }
    }

    /// Returns the kind of file that a link leads to; `None` if there is none.
    fn target_kind(&mut self, path: &str) -> Result<Option<FileKind>, FunctionError> {
        self.invocation.charge_steps(STEPS_PER_FOLDER / 10)?;
        let path = clean(self.invocation, path)?;
        found(self.invocation.ask(Capability::Files, |host| host.file_kind(&path)))
    }

    /// Returns whether something stands at a path.
    fn is_there(&mut self, path: &str) -> Result<bool, FunctionError> {
        self.invocation.charge_steps(STEPS_PER_FOLDER / 10)?;
        let clean_path = clean(self.invocation, path)?;
        if found(self.invocation.ask(Capability::Files, |host| host.file_kind(&clean_path)))?.is_some() {
            return Ok(true);
        }
        // A link that leads nowhere is there all the same.
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let folder = if folder.is_empty() && path.starts_with('/') { "/" } else { folder };
        Ok(self.entries(folder)?.iter().any(|(entry, kind)| entry == name && *kind == FileKind::Link))
    }

    /// Lists a folder, in the order of names; nothing if there is no such folder.
    fn entries(&mut self, folder: &str) -> Result<Vec<(String, FileKind)>, FunctionError> {
        self.invocation.charge_steps(STEPS_PER_FOLDER)?;
        let meter = self.invocation.meter();
        let most = meter.elements_left().min(meter.memory_left() / BYTES_OF_ENTRY);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let folder = clean(self.invocation, folder)?;
        let listed = self.invocation.ask(Capability::Files, |host| host.list_directory(&folder, most));
        if listed == Err(HostError::TooLong) {
            // One more than there is room for is a charge that fails, and says which bound it was.
            self.invocation.charge_elements(most.saturating_add(1))?;
            self.invocation.meter().memory(u64::MAX)?;
        }
        let mut entries = found(listed)?.unwrap_or_default();
        self.invocation.charge_elements(entries.len())?;
        // Two lists of places, which are merged.
        self.invocation.meter().hold_parts(entries.len(), 2 * size_of::<usize>())?;
        sort_texts_on(
            &mut entries,
            |(a, _)| a.len(),
            |(a, _), (b, _)| a.cmp(b),
            |n| self.invocation.go_on(n),
        )?;
        Ok(entries)
    }

    /// The path of a name in a folder.
    fn path(&mut self, folder: &str, name: &str) -> Result<String, FunctionError> {
        self.joined(folder, &[name], folder.len() + 1 + name.len())
    }

    /// A path of at most so many bytes.
    fn joined(&mut self, folder: &str, parts: &[&str], len: usize) -> Result<String, FunctionError> {
        let mut path = self.invocation.text_room(len)?;
        path.push_str(folder);
        for part in parts {
            self.invocation.go_on(1 + part.len() / BYTES_PER_PART)?;
            push_part(&mut path, part);
        }
        Ok(path)
    }

    /// Notes a path that matches.
    fn add(&mut self, path: String) -> Result<(), Failure> {
        self.invocation.meter().hold_push(&self.found)?;
        self.found.push(path);
        Ok(())
    }
}

/// Passes on what the host found. A file that can't be looked at does not count; one that may not be looked at is an
/// error.
fn found<T>(answer: Result<T, HostError>) -> Result<Option<T>, FunctionError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(HostError::NotFound | HostError::Failed(_) | HostError::NotAFile(_) | HostError::TooLong) => {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Keeps an error in the pattern for later.
fn unless_syntax(result: Result<(), Failure>) -> Result<Result<(), Failure>, Failure> {
    match result {
        Err(Failure::Other(error)) => Err(Failure::Other(error)),
        result => Ok(result),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Meter;

    #[test]
    fn a_path_is_seen_from_a_folder() {
        let told = [
            ("", "", "."),
            ("a", "a", "."),
            (".", "a/b", "a/b"),
            ("a", "a/b/c", "b/c"),
            ("a/b", "a/c", "../c"),
            ("a/b/c", "a", "../.."),
            ("/a//b/.", "/a/./c//d", "../c/d"),
            ("b/a", "c/a", "../../c/a"),
            ("a/b", "b/a", "../../b/a"),
        ];
        let mut meter = Meter::default();
        let mut invocation = Invocation::new(&mut meter, None, None);
        for (folder, path, seen) in told {
            assert_eq!(relative(&mut invocation, folder, path).unwrap(), seen, "{path} from {folder}");
        }
    }
}
