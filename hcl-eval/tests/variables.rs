//! Which variables expressions use, held against a corpus of answers of the reference implementation.
//!
//! The corpus is found through `HCL_CONFORMANCE`, else beside the workspace; without it there is nothing
//! to do.

use std::error::Error;
use std::path::PathBuf;

use hcl_syntax::ast::variables;
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;
use serde_json::Value as Json;

fn corpus(name: &str) -> Option<String> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/conformance");
    let folder = std::env::var_os("HCL_CONFORMANCE").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    std::fs::read_to_string(folder.join(name)).ok()
}

#[test]
fn variables_are_those_of_the_reference() -> Result<(), Box<dyn Error>> {
    let Some(corpus) = corpus("variables.jsonl") else { return Ok(()) };
    let mut failures = Vec::new();
    for line in corpus.lines() {
        let case: Json = serde_json::from_str(line)?;
        if case.get("differs").is_some() {
            continue;
        }
        let text = case["expr"].as_str().ok_or("a case has no expression")?;
        let (parsed, _) = parse_expression(Source::new("case", text)?, &ParseLimits::default());
        let found: Vec<String> = variables(parsed.expression()).into_iter().map(|v| v.to_text()).collect();
        let wanted: Vec<String> = serde_json::from_value(case["variables"].clone())?;
        if found != wanted {
            failures.push(format!("{}: {text}: {found:?}, wanted {wanted:?}", case["id"]));
        }
    }
    assert!(failures.is_empty(), "{} cases differ:\n{}", failures.len(), failures.join("\n"));
    Ok(())
}
