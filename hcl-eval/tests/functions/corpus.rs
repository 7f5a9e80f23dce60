//! The corpora: every case whose functions are there must be answered as the reference answers it.

use std::collections::BTreeMap;
use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::function::FunctionTable;
use hcl_eval::limits::Limits;
use hcl_syntax::diagnostic::has_errors;

use super::support::{corpus, evaluate_in, variables};

/// Why a case fails, if it does.
fn judge(
    case: &serde_json::Value,
    functions: &Arc<FunctionTable>,
    fixture: &serde_json::Value,
) -> Option<String> {
    let text = case["expr"].as_str()?;
    let vars = if case["vars"].is_object() { &case["vars"] } else { fixture };
    let (value, diagnostics) = evaluate_in(functions, &variables(functions, vars), text, Limits::default());
    let error = diagnostics.iter().find(|_| has_errors(&diagnostics));
    if let Some(wanted) = case["error"]["summary"].as_str() {
        return match error {
            None => Some(format!("accepted: {}, wanted {wanted}", value.display_console())),
            Some(error) if error.summary != wanted => Some(format!("{error}, wanted {wanted}")),
            Some(_) => None,
        };
    }
    if let Some(error) = error {
        return Some(format!("refused: {error}, wanted {}", case["console"]));
    }
    let console = value.display_console();
    if Some(console.as_str()) != case["console"].as_str() {
        return Some(format!("{console:?}, wanted {}", case["console"]));
    }
    let ty = value.ty().to_console_text();
    match case["type"].as_str() {
        Some(wanted) if wanted != ty => Some(format!("type {ty}, wanted {wanted}")),
        _ => None,
    }
}

/// The functions that a text calls, by the looks of it.
fn calls(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('(').filter_map(|(at, _)| {
        let before = &text[..at];
        let start =
            before.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':')).map_or(0, |i| i + 1);
        (start < at).then(|| &before[start..])
    })
}

/// Runs a corpus, in the release that answered where a case does not name its own.
fn run(name: &str, release: &str) {
    let Some(path) = corpus(name) else { return };
    let fixture = path.with_file_name("fixture.json");
    let fixture: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(fixture).expect("readable")).expect("JSON");
    let missing = [
        "file",
        "templatefile",
        "templatestring",
        "uuid",
        "timestamp",
        "bcrypt",
        "yaml",
        "rsadecrypt",
        "abspath",
        "pathexpand",
        "base64gzip",
        "textencode",
        "textdecode",
        "plantimestamp",
    ];
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut failures = Vec::new();
    for line in std::fs::read_to_string(path).expect("readable").lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = case["expr"].as_str().unwrap_or("");
        let absent = calls(text)
            .any(|call| missing.iter().any(|name| call.trim_start_matches("core::").starts_with(name)));
        if absent || !case["differs"].is_null() {
            continue;
        }
        let area = case["id"].as_str().and_then(|id| id.split('/').nth(1)).unwrap_or("").to_owned();
        let count = counts.entry(area).or_default();
        count.1 += 1;
        let functions = dialect::by_name(case["dialect"].as_str().unwrap_or(release)).expect("a dialect");
        match judge(&case, &functions, &fixture["vars"]) {
            None => count.0 += 1,
            Some(why) => failures.push(format!("{} {text}: {why}", case["id"])),
        }
    }
    let (passed, all) = counts.values().fold((0, 0), |(p, n), count| (p + count.0, n + count.1));
    assert_eq!(passed, all, "{passed} of {all} cases:\n{}", failures.join("\n"));
}

#[test]
fn functions() {
    run("functions.jsonl", "terraform");
}

#[test]
fn functions_with_variables() {
    run("functions_ctx.jsonl", "terraform-1.11");
}

#[test]
fn language() {
    run("language.jsonl", "terraform");
}

/// Why a case of the newest reference fails, if it does.
fn judge_head(case: &serde_json::Value, functions: &Arc<FunctionTable>) -> Option<String> {
    let text = case["expr"].as_str()?;
    let variables = variables(functions, &case["vars"]);
    let (value, diagnostics) = evaluate_in(functions, &variables, text, Limits::default());
    let wanted = case["diagnostics"][0]["summary"].as_str();
    let got = diagnostics.first().map(|diagnostic| diagnostic.summary.as_ref());
    if wanted != got {
        return Some(format!("{:?}, wanted {wanted:?}", diagnostics.first().map(ToString::to_string)));
    }
    if wanted.is_some() {
        return None;
    }
    let (plain, _) = value.unmark_deep();
    let ty = plain.ty().to_type_text();
    let refinements = plain.refinement_text();
    if Some(ty.as_str()) != case["type"].as_str() || refinements.as_deref() != case["refinements"].as_str() {
        return Some(format!("{ty}, {refinements:?}, wanted {}, {}", case["type"], case["refinements"]));
    }
    let json: Option<serde_json::Value> =
        plain.to_json().ok().and_then(|json| serde_json::from_str(&json).ok());
    if plain.is_wholly_known()
        && json.is_some()
        && !case["value"].is_null()
        && json.as_ref() != Some(&case["value"])
    {
        return Some(format!("{json:?}, wanted {}", case["value"]));
    }
    let marks: Vec<String> = value.marks().iter().map(|mark| mark.name().to_owned()).collect();
    let wanted = case["marks"].as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
    let lost: Vec<&str> = wanted.filter(|mark| !marks.iter().any(|own| own == mark)).collect();
    (!lost.is_empty()).then(|| format!("lost the marks {lost:?}"))
}

#[test]
fn library_of_the_reference() {
    let Some(path) = corpus("head_eval.jsonl") else { return };
    let functions = dialect::hcl_test();
    let mut all = 0;
    let mut failures = Vec::new();
    for line in std::fs::read_to_string(path).expect("readable").lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = case["expr"].as_str().unwrap_or("");
        if calls(text).next().is_none() || case["context"].is_string() || !case["parse_error"].is_null() {
            continue;
        }
        all += 1;
        failures.extend(judge_head(&case, &functions).map(|why| format!("{} {text}: {why}", case["id"])));
    }
    assert!(failures.is_empty(), "{} of {all} cases:\n{}", failures.len(), failures.join("\n"));
}
