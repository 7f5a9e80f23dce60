//! Diagnostics in the two forms of `hcldec`: JSON, or text for people.
//!
//! Both are the reference's to the byte, so that programs that read them need not be changed. The JSON is put
//! together by hand because the order of members and the blanks are part of the form.

use std::fmt::Write as _;

use hcl_eval::value::json::write_json_string;
use hcl_syntax::diagnostic::{Diagnostic, Severity};
use hcl_syntax::hash::IndexMap;
use hcl_syntax::source::{Pos, Range};

use crate::configuration::Configuration;

/// The device that text is written for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Terminal {
    /// True if colors can be shown.
    pub colors: bool,
    /// How long lines may get.
    pub columns: usize,
}

/// A device that is no terminal.
impl Default for Terminal {
    fn default() -> Self {
        Self { colors: false, columns: 80 }
    }
}

/// How diagnostics are written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Text with the lines of the source.
    Text(Terminal),
    /// One document for all.
    Json,
}

/// Diagnostics as they go to standard error; nothing if there are none.
pub(super) fn written(
    diagnostics: &[Diagnostic],
    form: &Form,
    files: &IndexMap<String, Configuration>,
) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    match form {
        Form::Json => json(diagnostics),
        Form::Text(terminal) => {
            diagnostics.iter().map(|diagnostic| text(diagnostic, *terminal, files)).collect()
        }
    }
}

/// The JSON document of diagnostics. A detail that is empty and a subject that is not there are left out.
fn json(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::from("{\n  \"diagnostics\": [");
    for (position, diagnostic) in diagnostics.iter().enumerate() {
        out.push_str(if position == 0 { "\n    {" } else { ",\n    {" });
        member("severity", diagnostic.severity.as_str(), &mut out);
        out.push(',');
        member("summary", &diagnostic.summary, &mut out);
        if !diagnostic.detail.is_empty() {
            out.push(',');
            member("detail", &diagnostic.detail, &mut out);
        }
        if let Some(subject) = &diagnostic.subject {
            out.push_str(",\n      \"subject\": {\n        \"filename\": ");
            write_json_string(&subject.filename, &mut out);
            place("start", subject.start, &mut out);
            place("end", subject.end, &mut out);
            out.push_str("\n      }");
        }
        out.push_str("\n    }");
    }
    out.push_str("\n  ]\n}\n");
    out
}

/// Writes a member of a diagnostic on a line of its own.
fn member(name: &str, value: &str, out: &mut String) {
    let _ = write!(out, "\n      \"{name}\": ");
    write_json_string(value, out);
}

/// Writes a place as a member of a subject.
fn place(name: &str, at: Pos, out: &mut String) {
    let Pos { line, column, byte } = at;
    // Writing to a string does not fail.
    let _ = write!(
        out,
        ",\n        \"{name}\": {{\n          \"line\": {line},\n          \"column\": {column},\n          \"byte\": {byte}\n        }}"
    );
}

/// A diagnostic with the lines of the source that it is about.
fn text(diagnostic: &Diagnostic, terminal: Terminal, files: &IndexMap<String, Configuration>) -> String {
    let (name, color) = match diagnostic.severity {
        Severity::Error => ("Error", "\x1b[31m"),
        Severity::Warning => ("Warning", "\x1b[33m"),
    };
    let (color, reset) = if terminal.colors { (color, "\x1b[0m") } else { ("", "") };
    let mut out = format!("{color}{name}{reset}: {}\n\n", diagnostic.summary);
    if let Some(subject) = &diagnostic.subject {
        match files.get(&*subject.filename) {
            Some(file) => snippet(diagnostic, subject, file, terminal, &mut out),
            None => {
                let (name, line) = (&subject.filename, subject.start.line);
                let _ = write!(out, "  on {name} line {line}:\n  (source code not available)\n\n");
            }
        }
        values(diagnostic, &mut out);
    }
    if !diagnostic.detail.is_empty() {
        out.push_str(&wrapped(&diagnostic.detail, terminal.columns));
        out.push_str("\n\n");
    }
    out
}

/// Writes where a diagnostic is, and the lines that its subject and its context touch.
fn snippet(
    diagnostic: &Diagnostic,
    subject: &Range,
    file: &Configuration,
    terminal: Terminal,
    out: &mut String,
) {
    let within = file.surroundings_at(subject.start.byte);
    let within = within.map(|within| format!(", in {within}")).unwrap_or_default();
    let _ = writeln!(out, "  on {} line {}{within}:", subject.filename, subject.start.line);
    // An empty range counts as one byte, so that its line is shown.
    let bytes = |range: &Range| (range.start.byte, range.end.byte.max(range.start.byte + 1));
    let (start, end) = bytes(subject);
    let (mut first, mut last, mut number) = (start, end, subject.start.line);
    if let Some(context) = &diagnostic.context {
        let (context_start, context_end) = bytes(context);
        (first, last) = (first.min(context_start), last.max(context_end));
        number = number.min(context.start.line);
    }
    let text = file.source.text();
    let before = usize::try_from(first).ok().and_then(|first| text.get(..first)).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let mut offset = line_start as u64;
    for line in text[line_start..].split_inclusive('\n') {
        if offset > last {
            break;
        }
        let shown = line.trim_end_matches(['\n', '\r']);
        // As the reference has it: empty lines are not shown, a line that something ends before is.
        let range = (offset, offset + shown.len() as u64);
        if range.0 < range.1 && touches(range, (first, last)) {
            let shown =
                if terminal.colors { highlighted(shown, offset, start, end) } else { shown.to_owned() };
            let _ = writeln!(out, "{number:4}: {shown}");
        }
        offset += line.len() as u64;
        number += 1;
    }
    out.push('\n');
}

/// Returns whether an end of one of two ranges lies in the other, whose own end does not count.
fn touches(a: (u64, u64), b: (u64, u64)) -> bool {
    let holds = |range: (u64, u64), at: u64| (range.0..range.1).contains(&at);
    holds(a, b.0) || holds(a, b.1) || holds(b, a.0) || holds(b, a.1)
}

/// A line in which what lies between two offsets stands out.
fn highlighted(line: &str, offset: u64, start: u64, end: u64) -> String {
    let within = |at: u64| usize::try_from(at.saturating_sub(offset)).unwrap_or(line.len()).min(line.len());
    match (line.get(..within(start)), line.get(within(start)..within(end)), line.get(within(end)..)) {
        (Some(before), Some(subject), Some(after)) if !subject.is_empty() => {
            format!("{before}\x1b[1;4m{subject}\x1b[0m{after}")
        }
        _ => line.to_owned(),
    }
}

/// Writes the values of the variables involved, sorted, in the words of the reference: those of a description without
/// `is` and its article.
fn values(diagnostic: &Diagnostic, out: &mut String) {
    let mut statements: Vec<String> = diagnostic
        .values
        .iter()
        .map(|value| match value.description.strip_prefix("is ") {
            Some("null") => format!("{} set to null", value.expression),
            Some(description) => {
                let bare = ["a value of type ", "a ", "an "]
                    .iter()
                    .find_map(|article| description.strip_prefix(article));
                format!("{} as {}", value.expression, bare.unwrap_or(description))
            }
            None => format!("{} {}", value.expression, value.description),
        })
        .collect();
    statements.sort();
    let last = statements.len().saturating_sub(1);
    for (position, statement) in statements.iter().enumerate() {
        out.push_str(if position == 0 { "with " } else { "     " });
        out.push_str(statement);
        out.push_str(if position == last { ".\n\n" } else { ",\n" });
    }
}

/// A text broken at blanks where lines would get longer than `columns`. A word that is longer stands alone.
fn wrapped(text: &str, columns: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let mut column = 0;
        for word in line.split(' ') {
            let width = word.chars().count();
            if column > 0 && column + 1 + width > columns {
                out.push('\n');
                column = 0;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += width;
        }
    }
    out
}
