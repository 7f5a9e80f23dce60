//! Formatting: `fmt`.

use hcl_cli::batch;
use serde_json::{Value as Json, json};

use super::Verdict;
use super::judge::string;

/// Both styles give the same bytes as the reference, and the style that formats anything is idempotent where
/// the reference is.
pub(super) fn judge(case: &Json) -> Verdict {
    Verdict::of(disagreement(case).map_or(Ok(()), Err))
}

fn disagreement(case: &Json) -> Option<String> {
    let source = string(case, "source");
    let wanted = string(case, "hclwrite");
    different("hcl", source, Some(wanted))
        .or_else(|| {
            let settled = case.get("idempotent").and_then(Json::as_bool).unwrap_or(true);
            settled.then(|| different("hcl", wanted, Some(wanted))).flatten()
        })
        .or_else(|| different("terraform", source, case.get("terraform_fmt").and_then(Json::as_str)))
}

/// The difference between the formatted text that is wanted, or a refusal, and ours.
fn different(style: &str, source: &str, wanted: Option<&str>) -> Option<String> {
    let answer = batch::fmt::answer(&json!({ "source": source, "style": style }).to_string());
    let answer: Json = serde_json::from_str(&answer).unwrap_or_default();
    let got = answer.get("formatted").and_then(Json::as_str);
    (got != wanted).then(|| format!("{style}: {got:?} wanted {wanted:?}"))
}
