//! The rules by which an answer agrees with a case.

use serde_json::{Map, Value as Json, json};

/// Returns whether two JSON values are equal; numbers compare as numbers, in full.
pub(super) fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => decimal(&a.to_string()) == decimal(&b.to_string()),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// A decimal as sign, significant digits and exponent: equal numbers give equal triples.
fn decimal(text: &str) -> (bool, String, i64) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return (false, String::new(), 0);
    }
    let scale = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let trimmed = i64::try_from(digits.len() - significant.len()).unwrap_or(i64::MAX);
    (negative, significant.to_owned(), exponent.parse::<i64>().unwrap_or(0) - scale + trimmed)
}

/// How closely diagnostics are compared.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Closeness {
    /// Severities, titles, and the lines and columns where subjects begin.
    Starts,
    /// Whole subjects and contexts too.
    Ranges,
}

/// Compares the diagnostics of a case with those of an answer.
pub(super) fn diagnostics_agree(case: &Json, answer: &Json, closeness: Closeness) -> Result<(), String> {
    let mut wanted = places(case, closeness);
    let mut got = places(answer, closeness);
    if is_true(case, "any_order") || is_true(case, "suggestions_vary") {
        wanted.sort_unstable();
        got.sort_unstable();
    }
    if wanted == got {
        return Ok(());
    }
    let (ours, theirs) = (without(&got, &wanted), without(&wanted, &got));
    Err(format!("diagnostics {got:?} wanted {wanted:?}; only ours: {ours:?}; only theirs: {theirs:?}"))
}

/// Returns the texts that one list has, and the other has not or not as often.
fn without(list: &[String], other: &[String]) -> Vec<String> {
    let mut other: Vec<&String> = other.iter().collect();
    let mut rest = list.to_vec();
    rest.retain(|entry| match other.iter().position(|known| *known == entry) {
        Some(position) => {
            other.swap_remove(position);
            false
        }
        None => true,
    });
    rest
}

fn places(holder: &Json, closeness: Closeness) -> Vec<String> {
    let diagnostics = holder.get("diagnostics").and_then(Json::as_array);
    let place = |diagnostic: &Json| {
        let subject = diagnostic.get("subject").or_else(|| diagnostic.get("range"));
        let title = format!("{}: {}", string(diagnostic, "severity"), string(diagnostic, "summary"));
        match closeness {
            Closeness::Starts => format!("{title} at {}", spot(subject, "start", closeness)),
            Closeness::Ranges => {
                let context = diagnostic.get("context");
                let ends = [(subject, "start"), (subject, "end"), (context, "start"), (context, "end")];
                let spots: Vec<_> = ends.iter().map(|(range, end)| spot(*range, end, closeness)).collect();
                format!("{title} at {}", spots.join(" "))
            }
        }
    };
    diagnostics.into_iter().flatten().map(place).collect()
}

fn spot(range: Option<&Json>, end: &str, closeness: Closeness) -> String {
    let position = range.and_then(|range| range.get(end));
    let number = |key: &str| position.and_then(|at| at.get(key)).and_then(Json::as_u64).unwrap_or(0);
    match closeness {
        Closeness::Starts => format!("{}:{}", number("line"), number("column")),
        Closeness::Ranges => format!("{}:{}({})", number("line"), number("column"), number("byte")),
    }
}

/// Compares what a case says of a value with an answer.
pub(super) fn value_agrees(case: &Json, answer: &Json) -> Result<(), String> {
    for key in ["value", "partial"] {
        let Some(wanted) = case.get(key) else { continue };
        if !answer.get(key).is_some_and(|got| same(got, wanted)) {
            return Err(format!("{key} {} wanted {wanted}", shown(answer, key)));
        }
    }
    if string(answer, "type_expr") != string(case, "type") {
        return Err(format!("type {} wanted {}", string(answer, "type_expr"), string(case, "type")));
    }
    if is_true(case, "unknown") && case.get("refinements").is_some() {
        let (got, wanted) = (string(answer, "refinements"), string(case, "refinements"));
        if got != wanted {
            return Err(format!("refinements {got:?} wanted {wanted:?}"));
        }
    }
    marks_agree(case, answer)
}

/// Marks agree when ours are a superset.
fn marks_agree(case: &Json, answer: &Json) -> Result<(), String> {
    let marks = list(answer, "marks");
    if !list(case, "marks").iter().all(|mark| marks.contains(mark)) {
        return Err(format!("marks {} wanted {}", shown(answer, "marks"), shown(case, "marks")));
    }
    let deep_marks = list(answer, "deep_marks");
    let is_there =
        |wanted: &Json| deep_marks.contains(wanted) || marks.iter().any(|mark| *wanted == json!(["", mark]));
    if list(case, "deep_marks").iter().all(is_there) {
        return Ok(());
    }
    Err(format!("deep marks {} wanted {}", shown(answer, "deep_marks"), shown(case, "deep_marks")))
}

/// Returns whether a case has an error diagnostic.
pub(super) fn fails(case: &Json) -> bool {
    list(case, "diagnostics").iter().any(|diagnostic| string(diagnostic, "severity") == "error")
}

pub(super) fn string<'j>(holder: &'j Json, key: &str) -> &'j str {
    holder.get(key).and_then(Json::as_str).unwrap_or_default()
}

pub(super) fn list<'j>(holder: &'j Json, key: &str) -> &'j [Json] {
    holder.get(key).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn is_true(holder: &Json, key: &str) -> bool {
    holder.get(key) == Some(&Json::Bool(true))
}

/// A part of an answer for the report, cut where it gets long.
pub(super) fn shown(holder: &Json, key: &str) -> String {
    let text = holder.get(key).map_or_else(|| "nothing".to_owned(), Json::to_string);
    text.chars().take(160).collect()
}

/// Asks a batch entry point.
pub(super) fn ask(answer: fn(&str) -> String, request: Map<String, Json>) -> Json {
    serde_json::from_str(&answer(&Json::Object(request).to_string())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_in_full() {
        let read = |text| serde_json::from_str::<Json>(text).expect("JSON");
        assert!(same(&read("[1.50, 1e3, -0]"), &read("[1.5, 1000, 0]")));
        assert!(same(&read("0.0012e-1"), &read("1.2e-4")));
        assert!(!same(
            &read("100000000000000000000000000000001"),
            &read("100000000000000000000000000000002")
        ));
        assert!(!same(&read("true"), &read("1")));
        assert!(same(&read("{\"a\": 1, \"b\": 2.0}"), &read("{\"b\": 2, \"a\": 1}")));
    }
}
