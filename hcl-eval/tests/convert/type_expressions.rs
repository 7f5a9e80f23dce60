//! Type expressions and defaults against the answers of the reference implementation.

use crate::support::{compare, corpus, run, text, value};
use hcl_eval::convert::convert;
use hcl_eval::types::Defaults;
use hcl_eval::types::type_expr::{TypeMode, parse_type};
use hcl_syntax::diagnostic::{Diagnostic, has_errors};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::{Pos, Range, Source};
use serde_json::Value as Json;

#[test]
fn type_expressions_of_the_reference() {
    run(&corpus("typeexpr.jsonl"), |case| {
        let source = Source::new("case", text(case, "source")).map_err(|e| e.to_string())?;
        let (parsed, mut diagnostics) = parse_expression(source, &ParseLimits::default());
        if has_errors(&diagnostics) {
            return compare_diagnostics(&diagnostics, &case["diagnostics"]);
        }
        let mode = match case["mode"].as_str() {
            Some("type") => TypeMode::Exact,
            Some("constraint") => TypeMode::Constraint,
            _ => TypeMode::ConstraintWithDefaults,
        };
        let (ty, defaults, found) = parse_type(parsed.expression(), mode);
        diagnostics.extend(found);
        compare_diagnostics(&diagnostics, &case["diagnostics"])?;
        if ty.to_type_text() != text(case, "type") {
            return Err(format!("type {}", ty.to_type_text()));
        }
        if mode == TypeMode::ConstraintWithDefaults {
            compare_defaults(defaults.as_ref(), &case["defaults"])?;
        }
        let Some(source) = case["value_in"].as_str() else { return Ok(()) };
        let given = value(source);
        let applied = defaults.as_ref().map_or_else(|| given.clone(), |defaults| defaults.apply(&given));
        compare(&applied, &case["applied"]).map_err(|e| format!("applied: {e}"))?;
        match (convert(&applied, &ty), case["value_out"]["error"].as_bool()) {
            (Err(_), Some(true)) => Ok(()),
            (Err(error), _) => Err(format!("not converted: {error}")),
            (Ok(value), Some(true)) => Err(format!("converted to {value:?}")),
            (Ok(value), _) => compare(&value, &case["value_out"]).map_err(|e| format!("converted: {e}")),
        }
    });
}

fn compare_diagnostics(found: &[Diagnostic], expected: &Json) -> Result<(), String> {
    let expected = expected.as_array().cloned().unwrap_or_default();
    let agree = |found: &Diagnostic, expected: &Json| {
        found.summary == text(expected, "summary")
            && found.severity.as_str() == text(expected, "severity")
            && same_range(found.subject.as_ref(), &expected["subject"])
            && same_range(found.context.as_ref(), &expected["context"])
    };
    if found.len() == expected.len() && found.iter().zip(&expected).all(|(f, e)| agree(f, e)) {
        return Ok(());
    }
    Err(format!("diagnostics {found:?}"))
}

fn same_range(found: Option<&Range>, expected: &Json) -> bool {
    let same = |pos: &Pos, expected: &Json| {
        [(u64::from(pos.line), "line"), (u64::from(pos.column), "column"), (pos.byte, "byte")]
            .iter()
            .all(|(number, key)| expected[*key].as_u64() == Some(*number))
    };
    match found {
        None => expected.is_null(),
        Some(range) => same(&range.start, &expected["start"]) && same(&range.end, &expected["end"]),
    }
}

fn compare_defaults(found: Option<&Defaults>, expected: &Json) -> Result<(), String> {
    let Some(found) = found else {
        return if expected.is_null() { Ok(()) } else { Err("no defaults".into()) };
    };
    if found.ty().to_type_text() != text(expected, "type") {
        return Err(format!("defaults of type {}", found.ty().to_type_text()));
    }
    let n_values = expected["values"].as_object().map_or(0, serde_json::Map::len);
    let n_children = expected["children"].as_object().map_or(0, serde_json::Map::len);
    let children = found.children();
    if found.values().count() != n_values || children.len() != n_children {
        return Err(format!("{} defaults and {} children", found.values().count(), children.len()));
    }
    for (name, default) in found.values() {
        compare(default, &expected["values"][name.as_str()]).map_err(|e| format!("default {name}: {e}"))?;
    }
    for (name, child) in children {
        compare_defaults(Some(child), &expected["children"][name.as_str()])?;
    }
    Ok(())
}
