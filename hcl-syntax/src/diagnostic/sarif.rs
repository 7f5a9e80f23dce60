//! Diagnostics as SARIF 2.1.0, the format that code scanning services read.
//!
//! SARIF counts columns in code points, not in grapheme clusters, so columns are counted anew from the
//! source text where it is at hand.

use std::fmt::Write as _;

use super::Diagnostic;
use super::json::write_string;
use crate::hash::IndexSet;
use crate::memory;
use crate::source::{Pos, Range};

/// Writes the SARIF log of a list of diagnostics, in the name of the program `tool`.
///
/// ```
/// use hcl_syntax::diagnostic::{Diagnostic, sarif::write_sarif};
///
/// let mut log = String::new();
/// write_sarif(&[Diagnostic::error("host.x", "No", "Never.")], ("gatewayd", "1.2"), &mut log);
/// assert!(log.contains(r#""ruleId":"host.x","level":"error""#));
/// ```
pub fn write_sarif(diagnostics: &[Diagnostic], tool: (&str, &str), out: &mut String) {
    write_sarif_while(diagnostics, tool, out, |_, _| true);
}

/// As [`write_sarif`]; asked before each diagnostic, `goes_on` says false to end in the middle. It is given what has been
/// written, which it may take away. Returns whether the log is whole: it is not if memory has run out, either.
///
/// ```
/// use hcl_syntax::diagnostic::{Diagnostic, sarif::write_sarif_while};
///
/// let mut log = String::new();
/// let many = vec![Diagnostic::error("host.x", "No", "Never."); 1000];
/// assert!(!write_sarif_while(&many, ("gatewayd", "1.2"), &mut log, |_, log| log.len() < 10_000));
/// assert!(log.len() < 11_000);
/// ```
pub fn write_sarif_while(
    diagnostics: &[Diagnostic],
    tool: (&str, &str),
    out: &mut String,
    mut goes_on: impl FnMut(&Diagnostic, &mut String) -> bool,
) -> bool {
    let (name, version) = tool;
    out.push_str(
        "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":",
    );
    write_string(name, out);
    out.push_str(",\"version\":");
    write_string(version, out);
    out.push_str(",\"rules\":[");
    if !write_rules(diagnostics, out, &mut goes_on) {
        return false;
    }
    out.push_str("]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[");
    for (idx, diagnostic) in diagnostics.iter().enumerate() {
        if !goes_on(diagnostic, out) {
            return false;
        }
        if idx > 0 {
            out.push(',');
        }
        write_result(diagnostic, out);
    }
    out.push_str("]}]}");
    true
}

/// One rule for each code that occurs, in the order of first occurrence. Returns whether all have been written.
fn write_rules(
    diagnostics: &[Diagnostic],
    out: &mut String,
    goes_on: &mut impl FnMut(&Diagnostic, &mut String) -> bool,
) -> bool {
    let mut written = IndexSet::default();
    for diagnostic in diagnostics {
        let n_bytes = 4 * written.len() * size_of::<(u64, &str)>();
        if written.len() == written.capacity() && !memory::is_to_be_had(n_bytes) {
            return false;
        }
        if !written.insert(&*diagnostic.code) {
            continue;
        }
        if !goes_on(diagnostic, out) {
            return false;
        }
        out.push_str(if written.len() > 1 { ",{\"id\":" } else { "{\"id\":" });
        write_string(&diagnostic.code, out);
        out.push_str(",\"shortDescription\":{\"text\":");
        write_string(&diagnostic.summary, out);
        out.push_str("}}");
    }
    true
}

fn write_result(diagnostic: &Diagnostic, out: &mut String) {
    out.push_str("{\"ruleId\":");
    write_string(&diagnostic.code, out);
    out.push_str(",\"level\":");
    write_string(diagnostic.severity.as_str(), out);
    out.push_str(",\"message\":{\"text\":");
    write_string(&format!("{}: {}", diagnostic.summary, diagnostic.detail), out);
    out.push('}');
    if let Some(subject) = &diagnostic.subject {
        out.push_str(",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
        write_string(&subject.filename, out);
        out.push_str("},\"region\":");
        write_region(diagnostic, subject, out);
        out.push_str("}}]");
    }
    if !diagnostic.extra.is_empty() {
        out.push_str(",\"properties\":");
        super::json::write_extra(&diagnostic.extra, out);
    }
    out.push('}');
}

fn write_region(diagnostic: &Diagnostic, range: &Range, out: &mut String) {
    // Writing to a string does not fail.
    let _ = write!(
        out,
        "{{\"startLine\":{},\"startColumn\":{},\"endLine\":{},\"endColumn\":{},\"byteOffset\":{},\"byteLength\":{}}}",
        range.start.line,
        column(diagnostic, range.start),
        range.end.line,
        column(diagnostic, range.end),
        range.start.byte,
        range.end.byte.saturating_sub(range.start.byte),
    );
}

/// The column in code points; the column in clusters when the text before it is not at hand.
fn column(diagnostic: &Diagnostic, position: Pos) -> u32 {
    let counted = diagnostic.source.as_ref().and_then(|source| {
        let offset = usize::try_from(position.byte.checked_sub(source.origin().byte)?).ok()?;
        let before = source.text().get(..offset)?;
        let line = before.rsplit('\n').next()?;
        u32::try_from(line.chars().count() + 1).ok()
    });
    counted.unwrap_or(position.column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Span};

    fn log(diagnostics: &[Diagnostic]) -> serde_json::Value {
        let mut log = String::new();
        write_sarif(diagnostics, ("tool", "1"), &mut log);
        serde_json::from_str(&log).expect("JSON")
    }

    #[test]
    fn columns_are_code_points() {
        let source = Source::new("main.hcl", "a\ne\u{301}x = ?").expect("short");
        let at = Diagnostic::error("syntax.test", "Test", "A test.").at(&source, Span::new(5, 6));
        let result = &log(&[at])["runs"][0]["results"][0];
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startColumn"], 3);
        assert_eq!(region["byteLength"], 1);
    }

    #[test]
    fn each_code_is_one_rule_and_extra_values_are_properties() {
        let said = Diagnostic::warning("host.port", "Port", "Too high.").noting("port", "70000");
        let run = &log(&[said.clone(), Diagnostic::error("host.b", "B", ""), said])["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(2));
        assert_eq!(run["results"][2]["level"], "warning");
        assert_eq!(run["results"][2]["properties"]["port"], "70000");
        assert!(run["results"][1].get("properties").is_none());
    }
}
