//! The variables that an expression needs: `variables`.

use hcl_cli::batch;
use serde_json::{Map, Value as Json};

use super::Verdict;
use super::judge::{ask, shown};

/// The lists are the same, repetitions included.
pub(super) fn judge(case: &Json) -> Verdict {
    if !case["variables"].is_array() {
        return Verdict::Differs("the case does not tell the variables".to_owned());
    }
    let mut request = Map::new();
    request.insert("expr".to_owned(), case["expr"].clone());
    let answer = ask(batch::vars::answer, request);
    if answer.get("variables") == case.get("variables") {
        return Verdict::Strictly;
    }
    Verdict::Differs(format!("{} wanted {}", shown(&answer, "variables"), shown(case, "variables")))
}
