//! Complaints of the scanner: which, where, and how often.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod corpus;

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::lexer;
use hcl_syntax::source::Source;

fn found(bytes: impl AsRef<[u8]>) -> Diagnostics {
    let source = Source::new("case", bytes.as_ref()).unwrap();
    lexer::diagnostics(&source, &lexer::tokens(&source), u32::MAX).0
}

/// Where the subjects begin.
fn places(diagnostics: &[Diagnostic]) -> Vec<u64> {
    diagnostics.iter().map(|d| d.subject.as_ref().unwrap().start.byte).collect()
}

#[test]
fn some_complaints_are_made_a_few_times_only() {
    assert_eq!(places(&found("& | ^ ~ & |")), [0, 2, 4, 6]);
    assert_eq!(places(&found("` ` ` ` `")), [0, 4]);
    assert_eq!(places(&found("' ' ' ' '")), [0, 4]);
    assert_eq!(places(&found("; ; ;")), [0]);
    assert_eq!(places(&found("“ ” “ @ @")), [0, 4, 8, 12, 14]);
    assert_eq!(places(&found(b"\xff \xff \xff")), [0]);
    assert_eq!(places(&found("\"\n\n \n\"")), [1, 4]);
}

#[test]
fn no_more_diagnostics_are_made_than_asked_for() {
    let source = Source::new("case", "@ @ @ @ ; ;").unwrap();
    let (kept, left_out) = lexer::diagnostics(&source, &lexer::tokens(&source), 2);
    assert_eq!((places(&kept), left_out), (vec![0, 2], 3));
}

#[test]
fn details_name_what_was_found_and_what_to_do() {
    let detail = |text: &str| found(text)[0].detail.clone();
    for (text, words) in [
        ("a & b", "\"&&\""),
        ("a | b", "\"||\""),
        ("~a", "\"!\""),
        ("a ^ b", "powers"),
        ("`a`", "heredoc"),
        ("'a'", "double quotes"),
        ("a;", "new line"),
        ("“a”", "\"“\" (U+201C)"),
        ("$a", "outside a template"),
        ("\"x$", "right after \"$\""),
        ("\"x\\", "escapes nothing"),
        ("<<E\nx\ry\n", "carriage return"),
        ("a\u{feff}", "byte order mark"),
        ("a\u{a0}= 1", "U+00A0"),
        ("a\u{1a}", "control character U+001A"),
        ("a × b", "\"×\" (U+00D7)"),
        ("\"\n", "closing quote"),
    ] {
        assert!(detail(text).contains(words), "{text:?}: {}", detail(text));
    }
}

const TITLES: [&str; 4] =
    ["Unsupported operator", "Invalid character", "Invalid character encoding", "Invalid multi-line string"];

#[test]
fn lexical_diagnostics_are_those_of_the_corpora() {
    let mut n_diagnostics = 0;
    let mut failed = Vec::new();
    for case in corpus::cases("documents.jsonl").iter().chain(&corpus::cases("documents_bytes.jsonl")) {
        if case.get("differs").is_some() || corpus::BAD_NAMES.contains(&case["id"].as_str().unwrap()) {
            continue;
        }
        let ours: Vec<(String, u64, u64)> = found(corpus::source_of(case))
            .into_iter()
            .map(|d| (d.summary.into_owned(), d.subject.unwrap()))
            .map(|(summary, subject)| (summary, subject.start.byte, subject.end.byte))
            .collect();
        let theirs: Vec<(String, u64, u64)> = case["diagnostics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|d| (d["summary"].as_str().unwrap().to_owned(), &d["subject"]))
            .filter(|(summary, _)| TITLES.contains(&summary.as_str()))
            .map(|(summary, subject)| {
                let byte = |end: &str| subject[end]["byte"].as_u64().unwrap();
                (summary, byte("start"), byte("end"))
            })
            .collect();
        n_diagnostics += theirs.len();
        if ours != theirs {
            failed.push(format!("{}:\n  ours   {ours:?}\n  theirs {theirs:?}", case["id"]));
        }
    }
    assert!(failed.is_empty(), "{} cases:\n{}", failed.len(), failed.join("\n"));
    assert!(n_diagnostics > 400);
}
