//! Dynamic blocks, decoded by a specification: `dynamic`.

use std::sync::Arc;

use hcl_cli::batch::eval::describe;
use hcl_eval::Value;
use hcl_eval::decode::{SpecFile, decode, variables_of_dynamic};
use hcl_eval::dialect;
use hcl_eval::dynamic::{Body, Expansion, Needed};
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_syntax::ast::{ExpressionKind, Traversal};
use hcl_syntax::config::{ConfigBody, ConfigExpression};
use hcl_syntax::diagnostic::json::{FileNames, write_diagnostics};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use hcl_syntax::source::Source;
use serde_json::Value as Json;

use super::Verdict;
use super::judge::{Closeness, diagnostics_agree, fails, is_true, string, value_agrees};

/// The variables needed, the diagnostics and, unless there are errors, the value agree.
pub(super) fn judge(case: &Json) -> Verdict {
    let answer = match answer(case) {
        Ok(answer) => answer,
        Err(problem) => return Verdict::Differs(problem),
    };
    let agreed = (|| {
        names_agree(case, "variables", &answer.variables)?;
        names_agree(case, "expand_variables", &answer.expansion_variables)?;
        diagnostics_agree(case, &answer.diagnostics, Closeness::Starts)?;
        if fails(case) { Ok(()) } else { value_agrees(case, &answer.value) }
    })();
    Verdict::of(agreed).and_strictly(|| diagnostics_agree(case, &answer.diagnostics, Closeness::Ranges))
}

struct Answer {
    variables: Vec<String>,
    expansion_variables: Vec<String>,
    diagnostics: Json,
    value: Json,
}

fn answer(case: &Json) -> Result<Answer, String> {
    let spec = body("spec.hcldec", string(case, "spec"), false)?;
    let (spec, problems) = SpecFile::read(&spec, &EvalOptions::default());
    good(&problems)?;
    let input = body("input", string(case, "input"), is_true(case, "input_json"))?;
    let scope = scope(case)?;
    let expansion = Arc::new(Expansion::new(Some(Arc::clone(&scope))));
    let body = Body::expanding(input, expansion);
    let needed = |needed| texts(&variables_of_dynamic(&body, &spec.root, needed));
    let (variables, expansion_variables) = (needed(Needed::ForAll), needed(Needed::ForExpansion));
    let (value, diagnostics) = decode(&body, &spec.root, Some(&scope), &EvalOptions::default());
    let mut text = String::from("{\"diagnostics\":");
    write_diagnostics(&diagnostics, FileNames::Omitted, &mut text);
    text.push('}');
    Ok(Answer {
        variables,
        expansion_variables,
        diagnostics: serde_json::from_str(&text).unwrap_or_default(),
        value: serde_json::from_str(&describe(&value)).unwrap_or_default(),
    })
}

fn body(name: &str, text: &str, is_json: bool) -> Result<ConfigBody, String> {
    let (source, limits) =
        (if is_json { Source::json(name, text) } else { Source::new(name, text) }, ParseLimits::default());
    let source = source.map_err(|error| error.to_string())?;
    if is_json {
        let (file, problems) = parse_json(source, &limits);
        return good(&problems).map(|()| ConfigBody::from(&file));
    }
    let (file, problems) = parse_file(source, &limits);
    good(&problems).map(|()| ConfigBody::from(&file))
}

fn good(problems: &Diagnostics) -> Result<(), String> {
    match problems.iter().find(|_| has_errors(problems)) {
        Some(problem) => Err(problem.to_string()),
        None => Ok(()),
    }
}

/// The variables of a case, whose texts may use the makers, and the functions.
fn scope(case: &Json) -> Result<Arc<Scope>, String> {
    let functions = Scope::builder().functions(dialect::hcl_test()).build();
    let makers = Scope::builder().parent(Arc::clone(&functions)).functions(dialect::makers()).build();
    let mut builder = Scope::builder().parent(functions).variables_allowed();
    for (name, text) in case["vars"].as_object().into_iter().flatten() {
        builder = builder.variable(name, defined(name, text.as_str().unwrap_or_default(), &makers)?);
    }
    Ok(builder.build())
}

fn defined(name: &str, text: &str, scope: &Scope) -> Result<Value, String> {
    let source = Source::new(name, text).map_err(|error| error.to_string())?;
    let (parsed, problems) = parse_expression(source, &ParseLimits::default());
    good(&problems)?;
    let (value, problems) = evaluate(parsed.expression(), Some(scope), &EvalOptions::default());
    good(&problems).map(|()| value)
}

fn texts(variables: &[ConfigExpression]) -> Vec<String> {
    let text = |variable: &ConfigExpression| match variable.syntax().expression().kind() {
        ExpressionKind::Traversal(traversal) => Traversal::to_text(traversal),
        _ => String::new(),
    };
    variables.iter().map(text).collect()
}

fn names_agree(case: &Json, key: &str, got: &[String]) -> Result<(), String> {
    let wanted: Vec<&str> = case[key].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    if wanted == got { Ok(()) } else { Err(format!("{key} {got:?} wanted {wanted:?}")) }
}
