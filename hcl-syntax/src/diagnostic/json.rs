//! Diagnostics as JSON, in the form that the command's batch mode and its `--diagnostics json` use.
//!
//! `{"severity", "code", "summary", "detail", "range", "context", "extra"}`: the last three only where there are
//! any; ranges are `{"start", "end"}` with positions `{"line", "column", "byte"}`, `extra` has texts by key.

use std::fmt::Write as _;

use super::Diagnostic;
use crate::source::{Pos, Range};

/// The choice of ranges with or without the name of their file.
///
/// ```
/// use hcl_syntax::diagnostic::json::{FileNames, write_range};
/// use hcl_syntax::source::Source;
///
/// let source = Source::new("main.hcl", "port = 80\n")?;
/// let (mut without, mut with) = (String::new(), String::new());
/// write_range(&source.range(source.span()), FileNames::Omitted, &mut without);
/// write_range(&source.range(source.span()), FileNames::Included, &mut with);
/// assert!(!without.contains("main.hcl") && with.contains("main.hcl"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
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
        (",\"code\":", &diagnostic.code),
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
    if !diagnostic.extra.is_empty() {
        out.push_str(",\"extra\":");
        write_extra(&diagnostic.extra, out);
    }
    out.push('}');
}

/// Writes what a host added as a JSON object.
pub(super) fn write_extra(extra: &[(String, String)], out: &mut String) {
    for (idx, (key, value)) in extra.iter().enumerate() {
        out.push(if idx == 0 { '{' } else { ',' });
        write_string(key, out);
        out.push(':');
        write_string(value, out);
    }
    out.push('}');
}

/// Writes diagnostics as a JSON array.
///
/// ```
/// use hcl_syntax::diagnostic::json::{FileNames, write_diagnostics};
/// use hcl_syntax::parser::File;
///
/// let error = File::parse("main.hcl", "port = \n").unwrap_err();
/// let mut json = String::new();
/// write_diagnostics(error.diagnostics(), FileNames::Included, &mut json);
/// assert!(json.starts_with(r#"[{"severity":"error","#));
/// assert!(json.contains(r#""filename":"main.hcl""#));
/// ```
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
///
/// ```
/// use hcl_syntax::diagnostic::json::{FileNames, write_range};
/// use hcl_syntax::source::{Source, Span};
///
/// let source = Source::new("main.hcl", "port = 80\n")?;
/// let mut json = String::new();
/// write_range(&source.range(Span::new(7, 9)), FileNames::Omitted, &mut json);
/// assert_eq!(json, r#"{"start":{"line":1,"column":8,"byte":7},"end":{"line":1,"column":10,"byte":9}}"#);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
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
///
/// ```
/// let mut json = String::new();
/// hcl_syntax::diagnostic::json::write_string("a \"b\"\n", &mut json);
/// assert_eq!(json, r#""a \"b\"\n""#);
/// ```
pub fn write_string(text: &str, out: &mut String) {
    out.push('"');
    write_string_part(text, out);
    out.push('"');
}

/// Writes `text` as a part of a JSON string, without quotes.
///
/// ```
/// let mut json = String::new();
/// hcl_syntax::diagnostic::json::write_string_part("a \"b\"\n", &mut json);
/// assert_eq!(json, r#"a \"b\"\n"#);
/// ```
pub fn write_string_part(text: &str, out: &mut String) {
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
}

#[cfg(test)]
mod tests {

    use super::{FileNames, write_diagnostic, write_diagnostics, write_string};
    use crate::diagnostic::{Diagnostic, cap, sort_by_place};
    use crate::source::{Source, Span};

    #[test]
    fn strings_are_read_back_as_they_were() {
        let text: String = (0..0x300).filter_map(char::from_u32).chain("\u{2028}👪".chars()).collect();
        let mut json = String::new();
        write_string(&text, &mut json);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn extra_values_are_an_object_with_each_key_once() {
        let said =
            Diagnostic::error("host.port", "Port", "").noting("a", "1").noting("b", "2").noting("a", "3");
        let mut json = String::new();
        write_diagnostic(&said, FileNames::Omitted, &mut json);
        assert!(json.ends_with(r#","extra":{"a":"3","b":"2"}}"#), "{json}");
    }

    #[test]
    fn sorting_goes_by_place_and_keeps_order_within_one() {
        let a = Source::new("a.hcl", "0123456789").unwrap();
        let b = Source::new("b.hcl", "0123456789").unwrap();
        let said = |code: &'static str| Diagnostic::error(code, "", "");
        let mut list = vec![
            said("none"),
            said("b").at(&b, Span::new(0, 1)),
            said("second").at(&a, Span::new(5, 6)),
            said("first").at(&a, Span::new(1, 2)),
            said("third").at(&a, Span::new(5, 6)),
        ];
        sort_by_place(&mut list);
        let order: Vec<_> = list.iter().map(|said| &*said.code).collect();
        assert_eq!(order, ["first", "second", "third", "b", "none"]);
    }

    #[test]
    fn a_cap_keeps_errors_rather_than_warnings_and_the_first_of_each() {
        let list = [("w1", false), ("e1", true), ("w2", false), ("e2", true)].map(|(code, is_error)| {
            let make = if is_error { Diagnostic::error } else { Diagnostic::warning };
            make(code, "", "")
        });
        let capped = |most| {
            let mut list = list.to_vec();
            cap(&mut list, most);
            list.into_iter().map(|said| said.code.into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(capped(9), ["w1", "e1", "w2", "e2"]);
        assert_eq!(capped(3), ["w1", "e1", "e2"]);
        assert_eq!(capped(1), ["e1"]);
        assert!(capped(0).is_empty());
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
