//! Diagnostics as SARIF 2.1.0, the format that code scanning services read.
//!
//! SARIF counts columns in code points, not in grapheme clusters, so columns are counted anew from the
//! source text where it is at hand.

use hcl_syntax::diagnostic::{Diagnostic, Severity};
use hcl_syntax::source::{Pos, Range};
use serde::Serialize;

use crate::answer::to_json;

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    column_kind: &'static str,
    results: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    short_description: Message<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    rule_id: &'a str,
    level: &'static str,
    message: OwnedMessage,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct OwnedMessage {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: PhysicalLocation<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation<'a> {
    artifact_location: ArtifactLocation<'a>,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation<'a> {
    uri: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
    byte_offset: u64,
    byte_length: u64,
}

/// The SARIF log of a list of diagnostics.
pub fn document(diagnostics: &[Diagnostic]) -> String {
    to_json(&Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver { name: "hcl", version: env!("CARGO_PKG_VERSION"), rules: rules(diagnostics) },
            },
            column_kind: "unicodeCodePoints",
            results: diagnostics.iter().map(finding).collect(),
        }],
    })
}

/// One rule for each code that occurs, in the order of first occurrence.
fn rules(diagnostics: &[Diagnostic]) -> Vec<Rule<'_>> {
    let mut rules: Vec<Rule<'_>> = Vec::new();
    for diagnostic in diagnostics {
        if rules.iter().all(|rule| rule.id != diagnostic.code) {
            let short_description = Message { text: &diagnostic.summary };
            rules.push(Rule { id: diagnostic.code, short_description });
        }
    }
    rules
}

fn finding(diagnostic: &Diagnostic) -> Finding<'_> {
    let level = match diagnostic.severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let text = format!("{}: {}", diagnostic.summary, diagnostic.detail);
    let location = diagnostic.subject.as_ref().map(|subject| Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation { uri: &subject.filename },
            region: region(diagnostic, subject),
        },
    });
    Finding {
        rule_id: diagnostic.code,
        level,
        message: OwnedMessage { text },
        locations: location.into_iter().collect(),
    }
}

fn region(diagnostic: &Diagnostic, range: &Range) -> Region {
    Region {
        start_line: range.start.line,
        start_column: column(diagnostic, range.start),
        end_line: range.end.line,
        end_column: column(diagnostic, range.end),
        byte_offset: range.start.byte,
        byte_length: range.end.byte.saturating_sub(range.start.byte),
    }
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
    use hcl_syntax::source::{Source, Span};

    #[test]
    fn columns_are_code_points() {
        let source = Source::new("main.hcl", "a\ne\u{301}x = ?").expect("short");
        let at = Diagnostic::error("syntax.test", "Test", "A test.").at(&source, Span::new(5, 6));
        let text = document(&[at]);
        assert!(text.contains("\"startColumn\":3,"), "{text}");
        assert!(text.contains("\"id\":\"syntax.test\""), "{text}");
    }
}
