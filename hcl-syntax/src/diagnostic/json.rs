//! Diagnostics as JSON, in the form that the command's batch mode and its `--diagnostics json` use.
//!
//! `{"severity", "code", "summary", "detail", "range", "context"}`: the last two only where there are
//! any, each `{"start", "end"}` with positions `{"line", "column", "byte"}`.

use std::fmt::Write as _;

use super::Diagnostic;
use crate::source::{Pos, Range};

/// Whether a range says which file it is in.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum FileNames {
    /// Ranges are `{"start", "end"}`: there is but one file.
    #[default]
    Omitted,
    /// Ranges are `{"filename", "start", "end"}`.
    Included,
}

/// Writes one diagnostic as a JSON object.
///
/// ```
/// use hcl_syntax::diagnostic::{Diagnostic, json::{FileNames, write_diagnostic}};
///
/// let mut json = String::new();
/// write_diagnostic(&Diagnostic::error("host.x", "No", "Never."), FileNames::Omitted, &mut json);
/// assert_eq!(json, r#"{"severity":"error","code":"host.x","summary":"No","detail":"Never."}"#);
/// ```
pub fn write_diagnostic(diagnostic: &Diagnostic, names: FileNames, out: &mut String) {
    let members = [
        ("{\"severity\":", diagnostic.severity.as_str()),
        (",\"code\":", diagnostic.code),
        (",\"summary\":", &diagnostic.summary),
        (",\"detail\":", &diagnostic.detail),
    ];
    for (key, text) in members {
        out.push_str(key);
        write_string(text, out);
    }
    for (key, range) in [(",\"range\":", &diagnostic.subject), (",\"context\":", &diagnostic.context)] {
        if let Some(range) = range {
            out.push_str(key);
            write_range(range, names, out);
        }
    }
    out.push('}');
}

/// Writes diagnostics as a JSON array.
pub fn write_diagnostics(diagnostics: &[Diagnostic], names: FileNames, out: &mut String) {
    out.push('[');
    for (idx, diagnostic) in diagnostics.iter().enumerate() {
        if idx > 0 {
            out.push(',');
        }
        write_diagnostic(diagnostic, names, out);
    }
    out.push(']');
}

/// Writes a range as a JSON object.
pub fn write_range(range: &Range, names: FileNames, out: &mut String) {
    out.push('{');
    if names == FileNames::Included {
        out.push_str("\"filename\":");
        write_string(&range.filename, out);
        out.push(',');
    }
    out.push_str("\"start\":");
    write_position(range.start, out);
    out.push_str(",\"end\":");
    write_position(range.end, out);
    out.push('}');
}

fn write_position(pos: Pos, out: &mut String) {
    let Pos { line, column, byte } = pos;
    // Writing to a string does not fail.
    let _ = write!(out, "{{\"line\":{line},\"column\":{column},\"byte\":{byte}}}");
}

/// Writes `text` as a JSON string, quotes included.
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut written = 0;
    for (offset, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x00..0x20 => "",
            _ => continue,
        };
        out.push_str(&text[written..offset]);
        out.push_str(escape);
        if escape.is_empty() {
            let _ = write!(out, "\\u{byte:04x}");
        }
        written = offset + 1;
    }
    out.push_str(&text[written..]);
    out.push('"');
}

#[cfg(test)]
mod tests {

    use super::{FileNames, write_diagnostic, write_diagnostics, write_string};
    use crate::diagnostic::Diagnostic;
    use crate::source::{Source, Span};

    #[test]
    fn strings_are_read_back_as_they_were() {
        let text: String = (0..0x300).filter_map(char::from_u32).chain("\u{2028}👪".chars()).collect();
        let mut json = String::new();
        write_string(&text, &mut json);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn members_without_a_place_are_left_out() {
        let source = Source::new("x.hcl", "é = \n").unwrap();
        let bare = Diagnostic::error("parse.example", "Something \"odd\"", "Because.");
        let placed = bare.clone().at(&source, Span::new(3, 4));
        let mut json = String::new();
        write_diagnostic(&placed, FileNames::Included, &mut json);
        assert_eq!(
            json,
            r#"{"severity":"error","code":"parse.example","summary":"Something \"odd\"","detail":"Because.","range":{"filename":"x.hcl","start":{"line":1,"column":3,"byte":3},"end":{"line":1,"column":4,"byte":4}}}"#
        );
        json.clear();
        write_diagnostics(&[bare, placed], FileNames::Omitted, &mut json);
        let list: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert!(list[0].get("range").is_none());
        assert_eq!(list[1]["range"]["start"]["byte"], 3);
        assert!(list[1]["range"].get("filename").is_none());
    }
}
