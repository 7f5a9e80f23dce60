//! Whole documents: what the reference says of them, errors and what survives of the body.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod corpus;

use std::fmt::Write as _;

use hcl_syntax::ast::{Block, Body};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::parser::{File, ParseLimits, parse_file};
use hcl_syntax::source::{Pos, Source, Span};
use serde_json::Value;

/// Cases that are meant to differ, each with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    ("doc/unicode/066", "identifiers are those of the newest Unicode"),
    ("bytes/encoding/018", "an overlong form is no UTF-8"),
    ("bytes/encoding/019", "a surrogate is no UTF-8"),
    ("bytes/encoding/032", "a cut-off sequence ends where it is cut off, and is no UTF-8"),
    ("bytes/encoding/037", "a cut-off sequence ends where it is cut off, and is no UTF-8"),
];

fn place(pos: Pos) -> String {
    format!("{}:{}@{}", pos.line, pos.column, pos.byte)
}

/// A position of the corpus. Line 0 stands for one that the reference does not know.
fn expected_place(pos: &Value) -> String {
    format!("{}:{}@{}", pos["line"], pos["column"], pos["byte"])
}

fn expected_range(range: &Value) -> String {
    if range.is_null() {
        return "none".to_owned();
    }
    format!("{}-{}", expected_place(&range["start"]), expected_place(&range["end"]))
}

fn span_range(source: &Source, span: Span) -> String {
    let range = source.range(span);
    format!("{}-{}", place(range.start), place(range.end))
}

fn diagnostic_line(diagnostic: &Diagnostic) -> String {
    let range = |range: &Option<hcl_syntax::source::Range>| match range {
        Some(range) => format!("{}-{}", place(range.start), place(range.end)),
        None => "none".to_owned(),
    };
    format!(
        "{} {} {} {}",
        diagnostic.severity.as_str(),
        diagnostic.summary,
        range(&diagnostic.subject),
        range(&diagnostic.context)
    )
}

fn expected_diagnostic_line(diagnostic: &Value) -> String {
    format!(
        "{} {} {} {}",
        diagnostic["severity"].as_str().unwrap(),
        diagnostic["summary"].as_str().unwrap(),
        expected_range(&diagnostic["subject"]),
        expected_range(&diagnostic["context"])
    )
}

fn body_lines(source: &Source, body: Body<'_>, indent: usize, out: &mut String) {
    for attribute in body.attributes() {
        let expression = attribute.expression();
        writeln!(
            out,
            "{:indent$}{} {} {} {} {:?}",
            "",
            attribute.name(),
            span_range(source, attribute.span()),
            span_range(source, attribute.name_span()),
            span_range(source, expression.span()),
            source.display(expression.span()),
        )
        .unwrap();
    }
    for block in body.blocks() {
        block_lines(source, block, indent, out);
    }
}

fn block_lines(source: &Source, block: Block<'_>, indent: usize, out: &mut String) {
    let labels: Vec<_> = block.labels().map(|label| label.text()).collect();
    let label_ranges: Vec<_> = block.labels().map(|label| span_range(source, label.span())).collect();
    writeln!(
        out,
        "{:indent$}{} {labels:?} {} {} {label_ranges:?} {} {}",
        "",
        block.block_type(),
        span_range(source, block.definition_span()),
        span_range(source, block.type_span()),
        span_range(source, block.open_span()),
        span_range(source, block.close_span()),
    )
    .unwrap();
    body_lines(source, block.body(), indent + 2, out);
}

fn expected_body_lines(body: &Value, indent: usize, out: &mut String) {
    for attribute in body["attributes"].as_array().unwrap() {
        writeln!(
            out,
            "{:indent$}{} {} {} {} {:?}",
            "",
            attribute["name"].as_str().unwrap(),
            expected_range(&attribute["range"]),
            expected_range(&attribute["name_range"]),
            expected_range(&attribute["expr_range"]),
            attribute["expr"].as_str().unwrap(),
        )
        .unwrap();
    }
    for block in body["blocks"].as_array().unwrap() {
        let labels: Vec<_> =
            block["labels"].as_array().unwrap().iter().map(|label| label.as_str().unwrap()).collect();
        let label_ranges: Vec<_> = match block["label_ranges"].as_array() {
            Some(ranges) => ranges.iter().map(expected_range).collect(),
            None => Vec::new(),
        };
        writeln!(
            out,
            "{:indent$}{} {labels:?} {} {} {label_ranges:?} {} {}",
            "",
            block["type"].as_str().unwrap(),
            expected_range(&block["range"]),
            expected_range(&block["type_range"]),
            expected_range(&block["open_brace_range"]),
            expected_range(&block["close_brace_range"]),
        )
        .unwrap();
        expected_body_lines(&block["body"], indent + 2, out);
    }
}

/// The end of an expression that the reference does not know is taken from ours.
fn with_known_ends(expected: &str, actual: &str) -> String {
    let lines = expected.lines().zip(actual.lines().chain(std::iter::repeat("")));
    lines
        .map(|(expected, actual)| {
            let unknown = expected.contains("0:0@0");
            let start = |line: &str| line.split("0:0@0").next().unwrap_or_default().to_owned();
            let line = if unknown && actual.starts_with(&start(expected)) { actual } else { expected };
            format!("{line}\n")
        })
        .collect()
}

/// The difference between an answer and the recorded one, or nothing.
fn difference(case: &Value, file: &File, diagnostics: &Diagnostics) -> Option<String> {
    let source = file.source();
    let actual: Vec<_> = diagnostics.iter().map(diagnostic_line).collect();
    let expected: Vec<_> =
        case["diagnostics"].as_array().unwrap().iter().map(expected_diagnostic_line).collect();
    let (mut body, mut expected_body) = (String::new(), String::new());
    body_lines(source, file.body(), 0, &mut body);
    expected_body_lines(&case["body"], 0, &mut expected_body);
    let expected_body = with_known_ends(&expected_body, &body);
    if actual == expected && body == expected_body {
        return None;
    }
    Some(format!(
        "{}\n{}\n--- expected\n{}\n{expected_body}--- actual\n{}\n{body}",
        case["id"],
        source.text(),
        expected.join("\n"),
        actual.join("\n")
    ))
}

fn check(name: &str) {
    let cases = corpus::cases(name);
    let mut differences = Vec::new();
    for case in &cases {
        let source = Source::new("test.hcl", corpus::source_of(case)).unwrap();
        let (file, diagnostics) = parse_file(source, &ParseLimits::default());
        let is_expected = DIFFERENT.iter().any(|(id, _)| case["id"] == *id);
        match difference(case, &file, &diagnostics) {
            Some(difference) if !is_expected => differences.push(difference),
            None if is_expected => differences.push(format!("{} no longer differs", case["id"])),
            _ => {}
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {} differ:\n\n{}",
        differences.len(),
        cases.len(),
        differences.join("\n\n")
    );
}

#[test]
fn documents_agree_with_the_reference() {
    check("documents.jsonl");
}

#[test]
fn documents_with_bad_bytes_agree_with_the_reference() {
    check("documents_bytes.jsonl");
}
