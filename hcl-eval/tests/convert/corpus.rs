//! Conversion and unification against the answers of the reference implementation.

use crate::support::{compare, corpus, run, text, value};
use hcl_eval::Type;
use hcl_eval::convert::{Conversion, Safety, conversion_kind, convert};
use hcl_eval::types::type_expr::parse_type_text;
use hcl_eval::types::unify_with;
use serde_json::Value as Json;

fn type_of(text: &str) -> Type {
    parse_type_text(text).expect("a type").0
}

#[test]
fn conversions_of_the_reference() {
    let cases: Vec<Json> =
        corpus("convert.jsonl").into_iter().filter(|case| case["to"].is_string()).collect();
    assert!(cases.len() > 1800);
    run(&cases, |case| {
        let value = value(text(case, "value"));
        let from = type_of(text(case, "from"));
        let to = type_of(text(case, "to"));
        if value.ty() != from {
            return Err(format!("the value is of type {}", value.ty().to_type_text()));
        }
        let kind = match conversion_kind(&from, &to) {
            Conversion::Same => "same",
            Conversion::Safe => "safe",
            Conversion::Unsafe => "unsafe",
            Conversion::None => "none",
        };
        if kind != text(case, "conversion") {
            return Err(format!("the conversion is {kind}"));
        }
        match (convert(&value, &to), &case["result"]) {
            (Err(_), Json::Null) => Ok(()),
            (Err(error), _) => Err(format!("refused: {error}")),
            (Ok(value), Json::Null) => Err(format!("converted to {value:?}")),
            (Ok(value), expected) => compare(&value, expected),
        }
    });
}

#[test]
fn unifications_of_the_reference() {
    let cases: Vec<Json> =
        corpus("convert.jsonl").into_iter().filter(|case| case["unify"].is_array()).collect();
    assert!(cases.len() > 200);
    run(&cases, |case| {
        let types: Vec<Type> = case["unify"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|text| type_of(text.as_str().expect("a type's text")))
            .collect();
        for (safety, expected) in [(Safety::Safe, "result"), (Safety::Unsafe, "result_unsafe")] {
            let mut unified = unify_with(&types, safety).map(|ty| ty.to_type_text());
            // No types at all: the reference's harness writes its "no type" as any.
            if types.is_empty() {
                unified = Some("any".into());
            }
            if unified.as_deref() != case[expected].as_str() {
                return Err(format!("{expected} is {unified:?}"));
            }
        }
        Ok(())
    });
}
