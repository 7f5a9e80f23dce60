//! Everything that leaves the command: results on standard output, diagnostics on standard error, an exit status.
//!
//! Diagnostics are drawn by `hcl_syntax::diagnostic`, or written as JSON or SARIF. A reader that closes
//! the pipe early is told nothing: [`Failure::Output`] with a broken pipe ends the process quietly.

use std::fmt;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use hcl_syntax::diagnostic::render::{RenderOptions, render_all, shown};
use hcl_syntax::diagnostic::sarif::write_sarif;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, Severity};
use hcl_syntax::source::{Source, SourceTooLarge};

use crate::answer::diagnostics_document;
use crate::args::{ColorChoice, DiagnosticForm, ReportingArguments};

/// How a run ended, when the command did its work.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// No error.
    Success,
    /// The input has errors; they were reported.
    Rejected,
    /// The arguments make no sense, or name a file that is not there.
    Misused,
    /// A limit was reached or the work was cancelled.
    LimitReached,
}

impl Outcome {
    /// Returns the outcome of a run with these diagnostics.
    pub fn of(diagnostics: &[Diagnostic]) -> Self {
        diagnostics.iter().map(Self::of_one).max().unwrap_or(Self::Success)
    }

    fn of_one(diagnostic: &Diagnostic) -> Self {
        match diagnostic.severity {
            Severity::Warning => Self::Success,
            Severity::Error if diagnostic.code.starts_with("limit.") => Self::LimitReached,
            Severity::Error => Self::Rejected,
        }
    }

    /// The exit status.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Rejected => 1,
            Self::Misused => 2,
            Self::LimitReached => 3,
        }
    }
}

/// Why the command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// A file can't be read.
    Input(PathBuf, io::Error),
    /// The result can't be written.
    Output(io::Error),
    /// The arguments make no sense together.
    Usage(String),
}

impl Failure {
    /// The outcome of a run that failed so.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Input(_, error) if error.kind() == io::ErrorKind::NotFound => Outcome::Misused,
            Self::Input(..) | Self::Output(_) => Outcome::Rejected,
            Self::Usage(_) => Outcome::Misused,
        }
    }

    /// The diagnostic of an input that can't be read, for a report that has others too.
    fn diagnostic(&self) -> Diagnostic {
        Diagnostic::error("input.unreadable", "Failed to read file", format!("{self}."))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// The words about a path that leads to nothing: one wording for all verbs and all systems.
pub const NOT_THERE: &str = "there is no such file or folder";

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(path, error) if error.kind() == io::ErrorKind::NotFound => {
                write!(f, "{}: {NOT_THERE}", path.display())
            }
            Self::Input(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Output(error) => write!(f, "the result could not be written: {error}"),
            Self::Usage(message) => f.write_str(message),
        }
    }
}

/// Says on standard error why the command gave up. When even that fails there is nobody to tell.
pub fn complain(failure: &Failure) {
    let message = failure.to_string();
    let message = match failure {
        // A name may have several lines, which are none of the message.
        Failure::Input(..) => shown(&message),
        Failure::Output(_) | Failure::Usage(_) => shown_lines(&message),
    };
    let _ = writeln!(io::stderr(), "hcl: {message}");
}

/// The lines of a text as diagnostics show them.
fn shown_lines(text: &str) -> String {
    text.split('\n').map(shown).collect::<Vec<_>>().join("\n")
}

/// The name of standard input in messages.
pub const STANDARD_INPUT: &str = "<stdin>";

/// Reads a file, or standard input for `-`; the name is the one to show in messages.
///
/// # Errors
/// The file can't be read, or is longer than any source may be.
pub fn read_input(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    let standard = path == Path::new("-");
    let bytes = if standard { read_standard_input() } else { read_file(path) };
    let name = if standard { STANDARD_INPUT.to_owned() } else { path.display().to_string() };
    let bytes = bytes.map_err(|error| Failure::Input(path.to_owned(), error))?;
    if bytes.len() > Source::MAX_LEN {
        let error = SourceTooLarge { len: bytes.len() };
        return Err(Failure::Usage(format!("{name}: {error}")));
    }
    Ok((name, bytes))
}

/// Reads a file: of one that is longer than any source may be, such as a device without an end, one byte more than a
/// source has.
///
/// # Errors
/// The file can't be read.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let len = file.metadata().ok().and_then(|metadata| usize::try_from(metadata.len()).ok());
    let bytes = Vec::with_capacity(len.unwrap_or_default().min(LONGEST));
    read_up_to(file, LONGEST, bytes)
}

/// Reads standard input as [`read_file`] reads a file.
///
/// # Errors
/// It can't be read.
pub fn read_standard_input() -> io::Result<Vec<u8>> {
    read_up_to(io::stdin().lock(), LONGEST, Vec::new())
}

const LONGEST: usize = Source::MAX_LEN + 1;

fn read_up_to(input: impl Read, most: usize, mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    input.take(u64::try_from(most).unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a result and ends its line.
///
/// # Errors
/// Standard output is closed or full.
pub fn print(text: &str) -> Result<(), Failure> {
    print_exactly(&format!("{text}\n"))
}

/// Writes a result with nothing added.
///
/// # Errors
/// Standard output is closed or full.
pub fn print_exactly(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes the name of a file on a line of its own.
///
/// # Errors
/// Standard output is closed or full.
pub fn print_name(path: &Path) -> Result<(), Failure> {
    let name = path.display().to_string();
    print(&if io::stdout().is_terminal() { shown(&name) } else { name })
}

/// Writes a text of files, for whoever looks at it: a terminal gets nothing in its lines but what can be seen.
///
/// # Errors
/// Standard output is closed or full.
pub fn print_lines(text: &str) -> Result<(), Failure> {
    if io::stdout().is_terminal() { print_exactly(&shown_lines(text)) } else { print_exactly(text) }
}

/// Writes diagnostics to standard error in the form asked for. Without any, the text form writes nothing.
///
/// # Errors
/// Standard error is closed.
pub fn report(diagnostics: &[Diagnostic], how: &ReportingArguments) -> Result<(), Failure> {
    let text = match how.diagnostics {
        DiagnosticForm::Text => drawn(diagnostics, how.color),
        DiagnosticForm::Json => format!("{}\n", diagnostics_document(diagnostics)),
        DiagnosticForm::Sarif => {
            let mut log = String::new();
            write_sarif(diagnostics, ("hcl", env!("CARGO_PKG_VERSION")), &mut log);
            log.push('\n');
            log
        }
    };
    Ok(io::stderr().lock().write_all(text.as_bytes())?)
}

/// Diagnostics of one file after the other. The text form is written at once, so that it comes while there is still
/// work and none of it is held; the other forms are one document, written at the end.
#[derive(Debug)]
pub struct Reporter<'a> {
    how: &'a ReportingArguments,
    held: Diagnostics,
    outcome: Outcome,
    has_written: bool,
}

impl<'a> Reporter<'a> {
    /// A reporter that has nothing to report yet.
    pub fn new(how: &'a ReportingArguments) -> Self {
        Self { how, held: Diagnostics::new(), outcome: Outcome::Success, has_written: false }
    }

    /// Reports the diagnostics of one file.
    ///
    /// # Errors
    /// Standard error is closed.
    pub fn add(&mut self, diagnostics: Diagnostics) -> Result<(), Failure> {
        self.outcome = self.outcome.max(Outcome::of(&diagnostics));
        if self.how.diagnostics != DiagnosticForm::Text {
            self.held.extend(diagnostics);
        } else if !diagnostics.is_empty() {
            let blank = if self.has_written { "\n" } else { "" };
            self.has_written = true;
            let text = drawn(&diagnostics, self.how.color);
            io::stderr().lock().write_all(format!("{blank}{text}").as_bytes())?;
        }
        Ok(())
    }

    /// Reports an input that can't be read; the text form is the line that [`complain`] writes.
    ///
    /// # Errors
    /// Standard error is closed, or the failure is one of the output, which ends the run.
    pub fn add_failure(&mut self, failure: Failure) -> Result<(), Failure> {
        if matches!(failure, Failure::Output(_)) {
            return Err(failure);
        }
        self.outcome = self.outcome.max(failure.outcome());
        if self.how.diagnostics == DiagnosticForm::Text {
            complain(&failure);
        } else {
            self.held.push(failure.diagnostic());
        }
        Ok(())
    }

    /// True if an error has been reported.
    pub fn has_errors(&self) -> bool {
        self.outcome != Outcome::Success
    }

    /// Writes the document, in the forms that are one, and tells how the run ended.
    ///
    /// # Errors
    /// Standard error is closed.
    pub fn finish(self) -> Result<Outcome, Failure> {
        if self.how.diagnostics != DiagnosticForm::Text {
            report(&self.held, self.how)?;
        }
        Ok(self.outcome)
    }
}

/// The text form; nothing when there is nothing to tell.
fn drawn(diagnostics: &[Diagnostic], color: ColorChoice) -> String {
    let mut out = String::new();
    render_all(diagnostics, &options_for(color, &io::stderr()), &mut out);
    out
}

/// How to draw on a stream: as wide as the terminal says it is, with colors where they are wanted.
pub fn options_for(color: ColorChoice, stream: &impl IsTerminal) -> RenderOptions {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let default = RenderOptions::default();
    let color = use_color_on(color, stream.is_terminal());
    RenderOptions { color, width: columns.unwrap_or(default.width), ..default }
}

/// Returns whether colors are wanted on standard error.
pub fn use_color(choice: ColorChoice) -> bool {
    use_color_on(choice, io::stderr().is_terminal())
}

/// Returns whether colors are wanted on something that may be a terminal: unless told otherwise, if it is one.
/// `NO_COLOR` means none, and `CLICOLOR_FORCE` colors also for a pipe; as usual with these, an empty value means
/// nothing, and neither does `0` force anything.
pub fn use_color_on(choice: ColorChoice, is_terminal: bool) -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if is_set("NO_COLOR") => false,
        ColorChoice::Auto => {
            let forced =
                is_set("CLICOLOR_FORCE") && std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0");
            forced || is_terminal
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_input_is_read_up_to_a_bound() {
        let bytes = read_up_to(io::repeat(b'a'), 1000, Vec::new()).expect("it can be read");
        assert_eq!(bytes.len(), 1000);
        let bytes = read_up_to(&b"short"[..], 1000, Vec::new()).expect("it can be read");
        assert_eq!(bytes, b"short");
    }
}
