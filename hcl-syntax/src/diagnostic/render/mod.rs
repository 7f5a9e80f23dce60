//! Diagnostics as text for people.
//!
//! ```text
//! error: Unsupported operator (lex.unsupported_operator)
//!   at main.hcl:3:7
//!     |
//!   3 | c = a & b
//!     |       ^
//!   where a is 1
//!     and b is 2
//!
//!   Found a single "&". HCL has no bitwise operators. …
//! ```
//!
//! `snippet` draws the source lines, `cells` knows how wide text is and keeps what is harmful from the
//! terminal. Nothing here writes anywhere but into the string it is given.

mod cells;
mod snippet;

use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation;

use super::{Diagnostic, Severity};
use cells::Charset;

/// The form in which diagnostics are shown.
///
/// ```
/// use hcl_syntax::diagnostic::render::{RenderOptions, render_all};
/// use hcl_syntax::parser::File;
///
/// let error = File::parse("main.hcl", "port = \n").unwrap_err();
/// let options = RenderOptions { color: true, ..RenderOptions::default() };
/// let mut text = String::new();
/// render_all(error.diagnostics(), &options, &mut text);
/// assert!(text.contains("\u{1b}["));
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RenderOptions {
    /// Columns of the terminal; narrower ones than 40 are taken for 40.
    pub width: usize,
    /// True for colors, by ANSI escape sequences.
    pub color: bool,
    /// True if characters beyond ASCII can be shown; otherwise they are written as `\u{…}`.
    pub unicode: bool,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self { width: 80, color: false, unicode: true }
    }
}

/// A text on one line, with what a terminal must not get in it replaced as in diagnostics: the name of a file, for example.
///
/// ```
/// assert_eq!(hcl_syntax::diagnostic::render::shown("a\n\u{1b}[2J.hcl"), "a␊␛[2J.hcl");
/// ```
pub fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    Charset::Unicode.push_text(text, &mut out);
    out
}

/// A text on one line of at most so many columns: every run of white space is a blank, what goes beyond is cut, and what a
/// terminal must not get is replaced.
///
/// ```
/// assert_eq!(hcl_syntax::diagnostic::render::one_line("[\n  1,\n  2,\n]", 6), "[ 1, …");
/// ```
pub fn one_line(text: &str, columns: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    let mut end = 0;
    let mut blank = "";
    for word in text.split_whitespace() {
        for cluster in blank.graphemes(true).chain(word.graphemes(true)) {
            if used < columns {
                end = out.len();
            }
            used += Charset::Unicode.push_cluster(cluster, &mut out);
            if used > columns {
                out.truncate(end);
                out.push('…');
                return out;
            }
        }
        blank = " ";
    }
    out
}

/// Appends one diagnostic to `out`.
///
/// ```
/// use hcl_syntax::diagnostic::{Diagnostic, render::{RenderOptions, render}};
///
/// let diagnostic = Diagnostic::error("host.no_input", "No input", "Name at least one file.");
/// let mut text = String::new();
/// render(&diagnostic, &RenderOptions::default(), &mut text);
/// assert_eq!(text, "error: No input (host.no_input)\n\n  Name at least one file.\n");
/// ```
pub fn render(diagnostic: &Diagnostic, options: &RenderOptions, out: &mut String) {
    write_one(diagnostic, Detail::Told, options, out);
}

fn write_one(diagnostic: &Diagnostic, detail: Detail, options: &RenderOptions, out: &mut String) {
    let mut page = Page::new(diagnostic.severity, options, out);
    page.text(Ink::Alarm, diagnostic.severity.as_str());
    page.text(Ink::Strong, &format!(": {}", diagnostic.summary));
    page.text(Ink::Faint, &format!(" ({})", diagnostic.code));
    page.end_line();
    if let Some(subject) = &diagnostic.subject {
        let start = subject.start;
        page.text(Ink::Plain, &format!("  at {}:{}:{}", subject.filename, start.line, start.column));
        page.end_line();
    }
    snippet::write(diagnostic, &mut page);
    for (idx, value) in diagnostic.values.iter().enumerate() {
        page.text(Ink::Faint, if idx == 0 { "  where " } else { "    and " });
        page.text(Ink::Strong, &value.expression);
        page.text(Ink::Plain, &format!(" {}", value.description));
        page.end_line();
    }
    if !diagnostic.detail.is_empty() && detail == Detail::Told {
        page.end_line();
        page.prose(&diagnostic.detail);
    }
}

/// Appends all diagnostics to `out`, with a blank line between two. A detail that was told just before is not told
/// again.
///
/// ```
/// use hcl_syntax::diagnostic::Diagnostic;
/// use hcl_syntax::diagnostic::render::{RenderOptions, render_all};
/// use hcl_syntax::source::{Source, Span};
///
/// let source = Source::new("main.hcl", "a = 1\nb = 2\n")?;
/// let unused = Diagnostic::warning("app.unused", "Unused argument", "Nothing reads the argument.");
/// let found = [Span::new(0, 1), Span::new(6, 7)].map(|span| unused.clone().at(&source, span));
/// let mut text = String::new();
/// render_all(&found, &RenderOptions::default(), &mut text);
/// assert!(text.contains("main.hcl:1:1") && text.contains("main.hcl:2:1"));
/// assert_eq!(text.matches("Nothing reads the argument.").count(), 1);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn render_all(diagnostics: &[Diagnostic], options: &RenderOptions, out: &mut String) {
    let mut before = None;
    for diagnostic in diagnostics {
        render_next(before.replace(diagnostic), diagnostic, options, out);
    }
}

/// Appends the diagnostic that follows `before` in a list as [`render_all`] does, for lists that are written in parts.
///
/// ```
/// use hcl_syntax::diagnostic::{Diagnostic, render::{RenderOptions, render_next}};
///
/// let full = Diagnostic::error("host.full", "Disk full", "Remove files.");
/// let mut text = String::new();
/// render_next(None, &full, &RenderOptions::default(), &mut text);
/// render_next(Some(&full), &full, &RenderOptions::default(), &mut text);
/// assert_eq!(text, "error: Disk full (host.full)\n\n  Remove files.\n\nerror: Disk full (host.full)\n");
/// ```
pub fn render_next(
    before: Option<&Diagnostic>,
    diagnostic: &Diagnostic,
    options: &RenderOptions,
    out: &mut String,
) {
    if before.is_some() {
        out.push('\n');
    }
    let is_told = before.is_some_and(|before| before.detail == diagnostic.detail);
    write_one(diagnostic, if is_told { Detail::Omitted } else { Detail::Told }, options, out);
}

/// The choice between a diagnostic with its detail and one without.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Detail {
    Told,
    Omitted,
}

/// The role of a piece of text, which decides its color.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Strong,
    Faint,
    /// The color of the severity.
    Alarm,
}

/// The text being written, with all that decides how.
pub(super) struct Page<'o> {
    out: &'o mut String,
    width: usize,
    charset: Charset,
    color: bool,
    severity: Severity,
}

impl<'o> Page<'o> {
    pub(super) fn new(severity: Severity, options: &RenderOptions, out: &'o mut String) -> Self {
        Self {
            out,
            width: options.width.max(40),
            charset: if options.unicode { Charset::Unicode } else { Charset::Ascii },
            color: options.color,
            severity,
        }
    }

    /// Writes a piece of one line.
    pub(super) fn text(&mut self, ink: Ink, text: &str) {
        let escape = match (ink, self.severity) {
            (Ink::Plain, _) => "",
            (Ink::Strong, _) => "\x1b[1m",
            (Ink::Faint, _) => "\x1b[2m",
            (Ink::Alarm, Severity::Error) => "\x1b[1;31m",
            (Ink::Alarm, Severity::Warning) => "\x1b[1;33m",
        };
        let colored = self.color && !escape.is_empty();
        if colored {
            self.out.push_str(escape);
        }
        self.charset.push_text(text, self.out);
        if colored {
            self.out.push_str("\x1b[0m");
        }
    }

    pub(super) fn end_line(&mut self) {
        self.out.push('\n');
    }

    /// Writes the margin of a source line.
    fn gutter(&mut self, width: usize, line: Option<u32>) {
        let number = line.map(|line| line.to_string()).unwrap_or_default();
        let bar = if self.charset == Charset::Unicode { '│' } else { '|' };
        self.text(Ink::Faint, &format!(" {number:>width$} {bar}"));
    }

    /// Writes paragraphs, indented by two and broken into lines between words. Lines that are indented
    /// themselves stay as they are.
    pub(super) fn prose(&mut self, text: &str) {
        for line in text.trim_end().split('\n') {
            let mut paragraph = String::with_capacity(line.len());
            self.charset.push_text(line, &mut paragraph);
            if paragraph.starts_with(' ') {
                // Writing to a string does not fail.
                let _ = writeln!(self.out, "  {paragraph}");
                continue;
            }
            let mut used = 0;
            for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
                let width = word.graphemes(true).count();
                if used > 0 && 2 + used + 1 + width > self.width {
                    self.out.push('\n');
                    used = 0;
                }
                self.out.push_str(if used == 0 { "  " } else { " " });
                self.out.push_str(word);
                used += width + usize::from(used > 0);
            }
            self.out.push('\n');
        }
    }
}
