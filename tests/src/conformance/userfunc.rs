//! Functions that a configuration defines: `userfunc`.

use std::sync::Arc;

use hcl_cli::batch::eval::describe;
use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::function::{UserFunctionContext, user_functions};
use hcl_eval::value::Value;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::json::{FileNames, write_diagnostics};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use hcl_syntax::source::Source;
use serde_json::{Map, Value as Json, json};

use super::Verdict;
use super::judge::{Closeness, diagnostics_agree, fails, is_true, list, string, value_agrees};

/// The functions and what is left beside them agree, the diagnostics of the definitions, and the call.
pub(super) fn judge(case: &Json) -> Verdict {
    if !case["functions"].is_string() {
        return Verdict::Differs("the case has no functions".to_owned());
    }
    match answer(case) {
        Ok((definitions, call)) => {
            let wanted = json!({ "diagnostics": case["definition_diagnostics"] });
            let places = |closeness| {
                diagnostics_agree(&wanted, &definitions, closeness)
                    .and_then(|()| diagnostics_agree(case, &call, closeness))
            };
            let agreed = places(Closeness::Starts).and_then(|()| {
                let has_value = !string(case, "expr").is_empty() && !fails(case);
                if has_value { value_agrees(case, &call) } else { Ok(()) }
            });
            let names = ["names", "remaining_attributes"].iter().try_for_each(|key| {
                let (got, wanted) = (list(&definitions, key), list(case, key));
                if got == wanted { Ok(()) } else { Err(format!("{key} {got:?} wanted {wanted:?}")) }
            });
            Verdict::of(agreed.and(names)).and_strictly(|| places(Closeness::Ranges))
        }
        Err(problem) => Verdict::Differs(problem),
    }
}

/// Returns our answers to the definitions, and to the call.
fn answer(case: &Json) -> Result<(Json, Json), String> {
    let body = body(case)?;
    let library = Scope::builder().functions(dialect::hcl_test()).build();
    let mut with_variables = Scope::builder().parent(Arc::clone(&library));
    for (name, text) in case["vars"].as_object().into_iter().flatten() {
        let makers = Scope::builder().parent(Arc::clone(&library)).functions(dialect::makers()).build();
        let (value, diagnostics) = value(text.as_str().unwrap_or_default(), &makers)?;
        if has_errors(&diagnostics) {
            return Err(format!("{name}: {}", diagnostics[0]));
        }
        with_variables = with_variables.variable(name, value);
    }
    let variables = with_variables.build();
    let context = match string(case, "context") {
        "none" | "nilctx" => UserFunctionContext::Parameters,
        "vars" => UserFunctionContext::Scope(Arc::clone(&variables)),
        "self" => UserFunctionContext::Caller,
        _ => UserFunctionContext::Scope(library),
    };
    let (functions, rest, diagnostics) = user_functions(&body, "function", &context);
    let mut names: Vec<&str> = functions.names().collect();
    names.sort_unstable();
    let mut left: Vec<_> =
        rest.just_attributes().0.into_iter().map(|attribute| attribute.name().to_owned()).collect();
    left.sort_unstable();
    let definitions =
        json!({ "names": names, "remaining_attributes": left, "diagnostics": shown(&diagnostics) });
    let scope = Scope::builder().parent(variables).functions(Arc::new(functions)).build();
    let expression = string(case, "expr");
    if expression.is_empty() {
        return Ok((definitions, json!({ "diagnostics": [] })));
    }
    let (value, diagnostics) = value(expression, &scope)?;
    let mut call: Map<String, Json> = serde_json::from_str(&describe(&value)).unwrap_or_default();
    call.insert("diagnostics".to_owned(), shown(&diagnostics));
    Ok((definitions, Json::Object(call)))
}

fn body(case: &Json) -> Result<ConfigBody, String> {
    let text = string(case, "functions");
    let (body, diagnostics) = if is_true(case, "input_json") {
        let source = Source::json("functions", text).map_err(|error| error.to_string())?;
        let (file, diagnostics) = parse_json(source, &ParseLimits::default());
        (ConfigBody::from(&file), diagnostics)
    } else {
        let source = Source::new("functions", text).map_err(|error| error.to_string())?;
        let (file, diagnostics) = parse_file(source, &ParseLimits::default());
        (ConfigBody::from(&file), diagnostics)
    };
    match diagnostics.first() {
        Some(first) => Err(first.to_string()),
        None => Ok(body),
    }
}

fn value(text: &str, scope: &Scope) -> Result<(Value, Diagnostics), String> {
    let source = Source::new("expression", text).map_err(|error| error.to_string())?;
    let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
    match diagnostics.first() {
        Some(first) => Err(first.to_string()),
        None => Ok(evaluate(parsed.expression(), Some(scope), &EvalOptions::default())),
    }
}

fn shown(diagnostics: &Diagnostics) -> Json {
    let mut text = String::new();
    write_diagnostics(diagnostics, FileNames::Omitted, &mut text);
    serde_json::from_str(&text).unwrap_or_default()
}
