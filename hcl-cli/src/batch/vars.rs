//! `hcl vars --jsonl`: the names that an expression needs.

use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;
use serde::{Deserialize, Serialize};

use super::{invalid, read, refuse};
use crate::answer::{Json, diagnostics_json, to_json};
use crate::used_names::UsedNames;

/// An expression whose names are looked for.
#[derive(Deserialize)]
#[serde(expecting = "an object with the key \"expr\", and with \"id\" at need")]
struct Request {
    expr: String,
    id: Option<Json>,
}

/// The answer to a request. Names are told as far as the expression could be parsed.
#[derive(Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Json>,
    /// References, each once, as they are written.
    variables: Vec<String>,
    /// Names of called functions, each once.
    functions: Vec<String>,
    diagnostics: Json,
}

/// Answers one request.
pub fn answer(line: &str) -> String {
    let request: Request = match read(line) {
        Ok(request) => request,
        Err(answer) => return answer,
    };
    let source = match Source::new("expression", request.expr) {
        Ok(source) => source,
        Err(error) => return refuse(request.id, &invalid(format!("{error}."))),
    };
    let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
    let UsedNames { variables, functions } = UsedNames::of_expression(parsed.expression());
    let functions = functions.into_iter().collect();
    let diagnostics = diagnostics_json(&diagnostics);
    to_json(&Answer { id: request.id, variables, functions, diagnostics })
}
