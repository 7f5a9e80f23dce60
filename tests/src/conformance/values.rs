//! Operations on values, as a host calls them: `values`.
//!
//! Arguments are HCL sources that may use the makers, types, JSON texts, or numbers in postfix notation;
//! results are written as in the case documents.

use hcl_eval::convert::{Conversion, Safety, conversion_kind, convert};
use hcl_eval::types::{Type, unify_with};
use hcl_eval::value::json::type_to_json;
use hcl_eval::value::{arithmetic, index, logic};
use hcl_eval::{Marks, Path, Value, ValueError};
use serde_json::Value as Json;

use super::judge::{list, string};
use super::typeexpr::value as evaluated;
use super::{Verdict, numbers};
use crate::notation::notation;

/// The result is the same.
pub(super) fn judge(case: &Json) -> Verdict {
    let arguments: Vec<&str> = list(case, "args").iter().filter_map(Json::as_str).collect();
    let wanted = string(case, "result");
    Verdict::of(match result(string(case, "op"), &arguments) {
        Ok(got) if got == wanted => Ok(()),
        Ok(got) => Err(format!("{got} wanted {wanted}")),
        Err(problem) => Err(format!("the case can't be run: {problem}")),
    })
}

type Binary = fn(&Value, &Value) -> Result<Value, ValueError>;

/// The operations that take two values.
const BINARY: [(&str, Binary); 13] = [
    ("add", arithmetic::add),
    ("subtract", arithmetic::subtract),
    ("multiply", arithmetic::multiply),
    ("divide", arithmetic::divide),
    ("modulo", arithmetic::modulo),
    ("less", logic::less),
    ("less_equal", logic::less_equal),
    ("greater", logic::greater),
    ("greater_equal", logic::greater_equal),
    ("equal", |a, b| Ok(a.equals(b))),
    ("same", |a, b| Ok(Value::bool(a.raw_equals(b)))),
    ("member", |set, element| Ok(set.has_element(element))),
    ("index", index::index),
];

/// The result of an operation, in the notation of the corpus.
fn result(operation: &str, arguments: &[&str]) -> Result<String, String> {
    if let Some((_, run)) = BINARY.iter().find(|(name, _)| *name == operation) {
        let [a, b] = of(arguments)?;
        let found = run(&evaluated(a)?, &evaluated(b)?);
        return Ok(if operation == "index" { titled(found) } else { written(found) });
    }
    match arguments {
        [value] => of_value(operation, value),
        [value, parameter] => with_parameter(operation, value, parameter),
        types => unified(operation, types),
    }
}

fn of<'a, const N: usize>(arguments: &[&'a str]) -> Result<[&'a str; N], String> {
    arguments.try_into().map_err(|_| format!("{N} arguments are needed"))
}

fn of_value(operation: &str, text: &str) -> Result<String, String> {
    match operation {
        "from_json_implied" => return Ok(written(Value::from_json_implied(text))),
        "type_to_json" => return type_to_json(&ty(text)?).map_err(|error| error.detail()),
        "type_names" => {
            return ty(text).map(|ty| format!("{}; {}", ty.friendly_name(), ty.constraint_name()));
        }
        _ => {}
    }
    let value = evaluated(text)?;
    Ok(match operation {
        "set" => notation(&value),
        "length" => notation(&value.length()),
        "unknown_as_null" => notation(&value.unknown_as_null()),
        "walk" => {
            let mut places = Vec::new();
            value.walk(&mut |path, _| {
                places.push(place(path));
                true
            });
            places.join(" ")
        }
        "unmark" => {
            let (plain, found) = value.unmark_deep_with_paths();
            if !plain.mark_with_paths(&found).raw_equals(&value) {
                return Err("the marks can't be put back".to_owned());
            }
            let marked = |(path, marks): &(Path, Marks)| {
                let names: Vec<&str> = marks.iter().map(|mark| mark.name()).collect();
                format!("; {} marked {}", place(path), names.join(", "))
            };
            notation(&plain) + &found.iter().map(marked).collect::<String>()
        }
        _ => return Err(format!("no operation {operation}")),
    })
}

fn with_parameter(operation: &str, text: &str, parameter: &str) -> Result<String, String> {
    Ok(match operation {
        "attribute" => titled(index::attribute(&evaluated(text)?, parameter)),
        "convert" => written(convert(&evaluated(text)?, &ty(parameter)?)),
        "to_json" => evaluated(text)?.to_typed_json(&ty(parameter)?).unwrap_or_else(|_| "error".to_owned()),
        "from_json" => written(Value::from_json(text, &ty(parameter)?)),
        "conforms" => ty(text)?.conforms_to(&ty(parameter)?).to_string(),
        "conversion" => match conversion_kind(&ty(text)?, &ty(parameter)?) {
            Conversion::Same => "same",
            Conversion::Safe => "safe",
            Conversion::Unsafe => "unsafe",
            Conversion::None => "none",
        }
        .to_owned(),
        "compare" => compared(text, parameter).ok_or("no numbers")?,
        _ => return unified(operation, &[text, parameter]),
    })
}

fn unified(operation: &str, types: &[&str]) -> Result<String, String> {
    if operation != "unify" {
        return Err(format!("no operation {operation}"));
    }
    let types: Vec<Type> = types.iter().map(|text| ty(text)).collect::<Result<_, _>>()?;
    let found = [Safety::Safe, Safety::Unsafe]
        .map(|safety| unify_with(&types, safety).map_or_else(|| "none".to_owned(), |ty| ty.to_type_text()));
    Ok(found.join("; "))
}

/// Which comparisons of two numbers hold.
fn compared(a: &str, b: &str) -> Option<String> {
    let (a, b) = (Value::number(numbers::calculated(a)?), Value::number(numbers::calculated(b)?));
    let comparisons = ["less", "less_equal", "equal", "greater_equal", "greater"];
    let holds = |name: &&str| {
        let (_, run) = BINARY.iter().find(|(known, _)| known == name)?;
        run(&a, &b).ok()?.as_bool()
    };
    Some(comparisons.iter().filter(|name| holds(name) == Some(true)).copied().collect::<Vec<_>>().join(" "))
}

fn ty(text: &str) -> Result<Type, String> {
    let parsed = hcl_eval::types::type_expr::parse_type_text(text);
    parsed.map(|(ty, _)| ty).map_err(|diagnostics| format!("{text} is no type: {diagnostics:?}"))
}

fn place(path: &Path) -> String {
    format!("value{}", path.to_text())
}

fn written(outcome: Result<Value, ValueError>) -> String {
    outcome.map_or_else(|_| "error".to_owned(), |value| notation(&value))
}

fn titled(outcome: Result<Value, ValueError>) -> String {
    outcome.map_or_else(|error| format!("error: {}", error.summary()), |value| notation(&value))
}
