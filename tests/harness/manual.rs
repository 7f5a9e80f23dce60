//! The case documents are a whole manual: every diagnostic of the language occurs in one of them, and every
//! document is in the table of contents.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hcl_eval::codes::explanations;
use hcl_tests::check::complaints;
use hcl_tests::document::Document;

/// The areas whose diagnostics cases show.
const AREAS: [&str; 9] =
    ["lex.", "parse.", "eval.", "value.index.", "value.attribute.", "type.", "order.", "function.", "limit."];

/// Diagnostics that no text leads to by itself, and why.
const NOT_IN_CASES: [(&str, &str); 7] = [
    ("limit.deadline", "depends on the time"),
    ("limit.cancelled", "comes from another thread"),
    ("limit.out_of_memory", "comes from an allocator that tells"),
    ("limit.source", "takes a text of 1 GiB"),
    ("limit.host", "needs a host whose callback fails"),
    ("eval.lookup_failed", "needs a host that looks variables up"),
    ("lex.invalid_encoding", "case documents are UTF-8; the corpus documents_bytes has it"),
];

/// Summaries that one code has for several problems.
const TITLES: [&str; 8] = [
    "Extra characters in if marker",
    "Extra characters in else marker",
    "Extra characters in endif marker",
    "Extra characters in for marker",
    "Extra characters in endfor marker",
    "Unexpected else directive",
    "Unexpected endif directive",
    "Unexpected endfor directive",
];

fn documents() -> Vec<Document> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    Document::read_all(&folder).expect("the case documents are readable")
}

#[test]
fn every_diagnostic_occurs() {
    let mut codes = BTreeSet::new();
    let mut titles = BTreeSet::new();
    for case in documents().iter().flat_map(|document| &document.cases) {
        for complaint in complaints(case).expect("the case can be run") {
            codes.insert(complaint.code);
            titles.insert(complaint.summary);
        }
    }
    let all =
        explanations().map(|told| told.code).filter(|code| AREAS.iter().any(|area| code.starts_with(area)));
    let missing: BTreeSet<_> = all.filter(|code| !codes.contains(*code)).collect();
    let excused: BTreeSet<_> = NOT_IN_CASES.iter().map(|(code, _)| *code).collect();
    let unexcused: Vec<_> = missing.difference(&excused).collect();
    assert!(unexcused.is_empty(), "no case shows {unexcused:#?}");
    let needless: Vec<_> = excused.difference(&missing).collect();
    assert!(needless.is_empty(), "cases do show {needless:#?}");
    let missing: Vec<_> = TITLES.iter().filter(|title| !titles.contains(**title)).collect();
    assert!(missing.is_empty(), "no case shows {missing:#?}");
}

#[test]
fn every_document_is_in_the_contents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let contents = fs::read_to_string(folder.join("README.md")).expect("the contents are readable");
    for document in documents() {
        let path = document.path.strip_prefix(&folder).expect("documents lie in the folder");
        if path != Path::new("README.md") {
            let link = format!("({})", path.display());
            assert!(contents.contains(&link), "{} is not in the contents", path.display());
        }
    }
}
