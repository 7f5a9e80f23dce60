//! Conversions and unification of types: `convert`.

use hcl_cli::batch;
use hcl_eval::convert::{Conversion, Safety, conversion_kind};
use hcl_eval::types::{Type, unify_with};
use serde_json::{Map, Value as Json, json};

use super::Verdict;
use super::judge::{ask, is_true, list, shown, string, value_agrees};

/// A case of `convert`: the converted value agrees, or both fail; strictly also the kind of conversion.
pub(super) fn judge(case: &Json) -> Verdict {
    if case.get("unify").is_some() {
        return Verdict::of(unified(case));
    }
    Verdict::of(converted(case)).and_strictly(|| kind_agrees(case))
}

fn converted(case: &Json) -> Result<(), String> {
    let mut request = Map::new();
    request.insert("expr".to_owned(), json!("v"));
    request.insert("dialect".to_owned(), json!("hcl-test"));
    request.insert("vars".to_owned(), json!({"v": case["value"]}));
    request.insert("as".to_owned(), case["to"].clone());
    let answer = ask(batch::eval::answer, request);
    if is_true(case, "error") {
        return if is_true(&answer, "ok") { Err("accepted".to_owned()) } else { Ok(()) };
    }
    if !is_true(&answer, "ok") {
        return Err(format!("refused: {}", shown(&answer, "diagnostics")));
    }
    value_agrees(&case["result"], &answer)
}

fn kind_agrees(case: &Json) -> Result<(), String> {
    let kind = match conversion_kind(&parsed(string(case, "from"))?, &parsed(string(case, "to"))?) {
        Conversion::Same => "same",
        Conversion::Safe => "safe",
        Conversion::Unsafe => "unsafe",
        Conversion::None => "none",
    };
    let wanted = string(case, "conversion");
    if kind == wanted { Ok(()) } else { Err(format!("conversion {kind} wanted {wanted}")) }
}

fn unified(case: &Json) -> Result<(), String> {
    let types: Vec<Type> = list(case, "unify")
        .iter()
        .map(|ty| parsed(ty.as_str().unwrap_or_default()))
        .collect::<Result<_, _>>()?;
    for (key, safety) in [("result", Safety::Safe), ("result_unsafe", Safety::Unsafe)] {
        let got = unify_with(&types, safety).map(|ty| ty.to_type_text());
        if got.as_deref() != case[key].as_str() {
            return Err(format!("{key} {got:?} wanted {}", case[key]));
        }
    }
    Ok(())
}

fn parsed(text: &str) -> Result<Type, String> {
    let parsed = hcl_eval::types::type_expr::parse_type_text(text);
    parsed.map(|(ty, _)| ty).map_err(|diagnostics| format!("{text} is no type: {diagnostics:?}"))
}
