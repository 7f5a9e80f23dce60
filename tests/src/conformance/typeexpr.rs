//! Types written as expressions, with defaults of optional attributes: `typeexpr`.

use hcl_cli::batch::eval::describe;
use hcl_eval::convert::convert;
use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::types::type_expr::{TypeMode, parse_type};
use hcl_eval::types::{Defaults, Type};
use hcl_eval::value::Value;
use hcl_syntax::diagnostic::json::{FileNames, write_diagnostics};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
use hcl_syntax::source::Source;
use serde_json::{Value as Json, json};

use super::Verdict;
use super::judge::{Closeness, diagnostics_agree, fails, string, value_agrees};

/// The type, its defaults and the diagnostics agree, and so does the value that the defaults complete.
pub(super) fn judge(case: &Json) -> Verdict {
    let (parsed, diagnostics) = match parsed(string(case, "source")) {
        Ok(parsed) => parsed,
        Err(problem) => return Verdict::Differs(problem),
    };
    if has_errors(&diagnostics) {
        return diagnostics_verdict(case, &diagnostics);
    }
    let mode = match string(case, "mode") {
        "type" => TypeMode::Exact,
        "constraint" => TypeMode::Constraint,
        _ => TypeMode::ConstraintWithDefaults,
    };
    let (ty, defaults, diagnostics) = parse_type(parsed.expression(), mode);
    match diagnostics_verdict(case, &diagnostics) {
        Verdict::Strictly if !fails(case) => Verdict::of(type_agrees(case, &ty, defaults.as_ref())),
        verdict => verdict,
    }
}

fn parsed(text: &str) -> Result<(ParsedExpression, Diagnostics), String> {
    let source = Source::new("type", text).map_err(|error| error.to_string())?;
    Ok(parse_expression(source, &ParseLimits::default()))
}

fn diagnostics_verdict(case: &Json, diagnostics: &Diagnostics) -> Verdict {
    let mut text = String::from("{\"diagnostics\":");
    write_diagnostics(diagnostics, FileNames::Omitted, &mut text);
    text.push('}');
    let answer: Json = serde_json::from_str(&text).unwrap_or_default();
    Verdict::of(diagnostics_agree(case, &answer, Closeness::Starts))
        .and_strictly(|| diagnostics_agree(case, &answer, Closeness::Ranges))
}

fn type_agrees(case: &Json, ty: &Type, defaults: Option<&Defaults>) -> Result<(), String> {
    if ty.to_type_text() != string(case, "type") {
        return Err(format!("type {} wanted {}", ty.to_type_text(), case["type"]));
    }
    defaults_agree(&case["defaults"], defaults)?;
    let Some(given) = case.get("value_in").and_then(Json::as_str) else { return Ok(()) };
    let given = value(given)?;
    let applied = defaults.map_or_else(|| given.clone(), |defaults| defaults.apply(&given));
    result_agrees(&case["applied"], Ok(applied.clone()))?;
    result_agrees(&case["value_out"], convert(&applied, ty).map_err(|error| error.detail()))
}

/// The tree of defaults: the type, the values by attribute, the trees further in by name.
fn defaults_agree(wanted: &Json, got: Option<&Defaults>) -> Result<(), String> {
    let Some(got) = got else {
        return if wanted.is_null() { Ok(()) } else { Err(format!("no defaults, wanted {wanted}")) };
    };
    let names = |key: &str| {
        let entries = wanted.get(key).and_then(Json::as_object);
        entries.map(|entries| entries.keys().cloned().collect::<Vec<_>>()).unwrap_or_default()
    };
    let mut children = got.children();
    children.sort_by(|(a, _), (b, _)| a.cmp(b));
    let got_values: Vec<_> = got.values().map(|(name, _)| name.to_string()).collect();
    let got_children: Vec<_> = children.iter().map(|(name, _)| name.to_string()).collect();
    if (string(wanted, "type"), names("values"), names("children"))
        != (&*got.ty().to_type_text(), got_values, got_children)
    {
        return Err(format!("defaults {got:?} wanted {wanted}"));
    }
    for (name, value) in got.values() {
        result_agrees(&wanted["values"][name.as_str()], Ok(value.clone()))?;
    }
    children
        .iter()
        .try_for_each(|(name, child)| defaults_agree(&wanted["children"][name.as_str()], Some(child)))
}

fn result_agrees(wanted: &Json, got: Result<Value, String>) -> Result<(), String> {
    match got {
        _ if wanted.get("error") == Some(&json!(true)) => {
            got.err().map(drop).ok_or_else(|| "accepted".to_owned())
        }
        Ok(value) => {
            let answer: Json = serde_json::from_str(&describe(&value)).unwrap_or_default();
            value_agrees(wanted, &answer)
        }
        Err(detail) => Err(format!("refused: {detail}")),
    }
}

/// The value of an expression that may use the makers.
pub(super) fn value(text: &str) -> Result<Value, String> {
    let (parsed, diagnostics) = parsed(text)?;
    let library = Scope::builder().functions(dialect::hcl_test()).build();
    let scope = Scope::builder().parent(library).functions(dialect::makers()).build();
    let (value, more) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
    match diagnostics.iter().chain(&more).next() {
        None => Ok(value),
        Some(problem) => Err(format!("{text}: {problem}")),
    }
}
