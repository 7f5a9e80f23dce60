//! Values from the corpora's source texts, and comparison with the corpora's results.
//!
//! The texts are HCL expressions of literals, tuples, objects and a few maker functions. A small reader of
//! their trees stands in for the evaluator here, so that conversion is tested on its own.

use std::fs;
use std::path::Path;

use hcl_eval::convert::convert;
use hcl_eval::types::type_expr::{TypeMode, parse_type};
use hcl_eval::{Kind, Mark, Number, Refinement, Str, Type, Value};
use hcl_syntax::ast::{BinaryOperator, Call, Expression, ExpressionKind, ObjectItem, UnaryOperator};
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
use hcl_syntax::source::Source;
use serde_json::Value as Json;

/// The cases of a corpus.
pub(crate) fn corpus(name: &str) -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// Runs cases and fails with a list of those that went wrong.
pub(crate) fn run(cases: &[Json], check: impl Fn(&Json) -> Result<(), String>) {
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            check(case).err().map(|problem| format!("{}: {problem}\n    {case}", text(case, "id")))
        })
        .collect();
    let shown = failed.iter().take(60).cloned().collect::<Vec<_>>().join("\n");
    assert!(failed.is_empty(), "{} of {} cases failed:\n{shown}", failed.len(), cases.len());
}

pub(crate) fn text<'a>(case: &'a Json, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_default()
}

pub(crate) fn parse(source: &str) -> ParsedExpression {
    let source = Source::new("case", source).expect("a short source");
    let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    parsed
}

/// The value that a text of a corpus describes.
pub(crate) fn value(source: &str) -> Value {
    make(parse(source).expression())
}

fn type_of(expression: Expression<'_>) -> Type {
    let (ty, _, diagnostics) = parse_type(expression, TypeMode::Constraint);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    ty
}

pub(crate) fn make(expression: Expression<'_>) -> Value {
    match expression.kind() {
        ExpressionKind::Null => Value::null(Type::Dynamic),
        ExpressionKind::Bool(value) => Value::bool(value),
        ExpressionKind::Number(text) => Value::number(Number::parse(text).expect("a number")),
        ExpressionKind::Text(text) => Value::string(text),
        ExpressionKind::Tuple(elements) => Value::tuple(elements.iter().map(make).collect()),
        ExpressionKind::Object(items) => Value::object(items.iter().map(entry).collect()),
        ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
            let operand = make(operand);
            Value::number(operand.as_number().expect("a number").neg())
        }
        ExpressionKind::Binary { operator: BinaryOperator::Divide, left, right } => {
            let (left, right) = (make(left), make(right));
            let quotient = left.as_number().zip(right.as_number()).map(|(a, b)| a.div(b));
            Value::number(quotient.expect("two numbers").expect("a quotient"))
        }
        ExpressionKind::Parentheses(inner) => make(inner),
        ExpressionKind::Call(call) => make_call(call),
        other => panic!("not a value text: {other:?}"),
    }
}

fn entry(item: ObjectItem<'_>) -> (Str, Value) {
    let name = match (item.key_name(), item.key.kind()) {
        (Some(name), _) | (None, ExpressionKind::Text(name)) => name,
        (None, other) => panic!("not a key: {other:?}"),
    };
    (name.into(), make(item.value))
}

fn make_call(call: Call<'_>) -> Value {
    let arguments: Vec<Expression<'_>> = call.arguments().iter().collect();
    let converted = |value: Expression<'_>, to: &Type| convert(&make(value), to).expect("a conversion");
    // These three are calls of functions, which see no marks: they all move to the result.
    let called = |value: Expression<'_>, to: Type| {
        let (plain, marks) = make(value).unmark_deep();
        convert(&plain, &to).expect("a conversion").with_marks(&marks)
    };
    match (call.name(), arguments.as_slice()) {
        ("unknown", [ty]) => Value::unknown(type_of(*ty)),
        ("null_of", [ty]) => Value::null(type_of(*ty)),
        ("typed", [ty, value]) => converted(*value, &type_of(*ty)),
        ("tolist", [value]) => called(*value, Type::list(Type::Dynamic)),
        ("toset", [value]) => called(*value, Type::set(Type::Dynamic)),
        ("tomap", [value]) => called(*value, Type::map(Type::Dynamic)),
        ("marked", [value, mark]) => make(*value).mark(Mark::new(make(*mark).as_str().expect("a name"))),
        ("refine", [value, facts]) => {
            make(*value).refine(&refinement(&make(*facts))).expect("facts that fit the type")
        }
        (name, arguments) => panic!("{name} with {} arguments", arguments.len()),
    }
}

fn refinement(facts: &Value) -> Refinement {
    let mut known = Refinement::new();
    for (name, fact) in facts.entries().expect("an object") {
        let number = || fact.as_number().expect("a number").clone();
        let length = || number().to_u64().expect("a length");
        known = match name.as_str() {
            "not_null" => known.not_null(),
            "prefix" => known.prefix_full(fact.as_str().expect("a string")),
            "min" => known.min(number(), true),
            "above" => known.min(number(), false),
            "max" => known.max(number(), true),
            "below" => known.max(number(), false),
            "len_min" => known.min_length(length()),
            "len_max" => known.max_length(length()),
            other => panic!("unknown fact {other}"),
        };
    }
    known
}

/// Compares a value with a result of a corpus.
pub(crate) fn compare(found: &Value, expected: &Json) -> Result<(), String> {
    let found_type = found.ty().to_type_text();
    if found_type != text(expected, "type") {
        return Err(format!("type {found_type}, expected {}", expected["type"]));
    }
    if expected["unknown"] == Json::Bool(true) {
        let facts = found.refinement_text().unwrap_or_default();
        if facts != text(expected, "refinements") {
            return Err(format!("unknown {facts:?}, expected {}", expected["refinements"]));
        }
    } else {
        let content = if expected["partial"].is_null() { &expected["value"] } else { &expected["partial"] };
        if !same(found, content) {
            return Err(format!("value {found:?}, expected {content}"));
        }
    }
    let marks: Vec<String> = found.marks().iter().map(|mark| mark.name().to_owned()).collect();
    let expected_marks = expected["marks"].as_array().cloned().unwrap_or_default();
    if !expected_marks.iter().all(|mark| marks.iter().any(|m| mark == m)) {
        return Err(format!("marks {marks:?}, expected {expected_marks:?}"));
    }
    compare_deep_marks(found, expected)
}

/// Marks where the reference has none are fine, lost ones are not.
fn compare_deep_marks(found: &Value, expected: &Json) -> Result<(), String> {
    let (_, marks) = found.unmark_deep_with_paths();
    let have = |path: &Json, name: &Json| {
        marks.iter().any(|(p, marks)| {
            path.as_str() == Some(p.to_text().as_str()) && marks.iter().any(|mark| name == mark.name())
        })
    };
    for pair in expected["deep_marks"].as_array().into_iter().flatten() {
        if !have(&pair[0], &pair[1]) {
            return Err(format!("marks {marks:?}, expected {}", expected["deep_marks"]));
        }
    }
    Ok(())
}

/// Returns whether the content of a value is that of a JSON document.
pub(crate) fn same(value: &Value, json: &Json) -> bool {
    match (value.kind(), json) {
        (Kind::Null, Json::Null) => true,
        (Kind::Bool, Json::Bool(expected)) => value.as_bool() == Some(*expected),
        (Kind::String, Json::String(expected)) => value.as_str() == Some(expected),
        (Kind::Number, Json::Number(expected)) => {
            let expected = Number::parse(&expected.to_string());
            value.as_number().zip(expected).is_some_and(|(found, expected)| found.equal(&expected))
        }
        (Kind::Number, Json::Object(_)) => {
            value.as_number().map(Number::to_text).as_deref() == json["$number"].as_str()
        }
        (Kind::Unknown, Json::Object(_)) => value.refinement_text().as_deref() == json["$unknown"].as_str(),
        (Kind::List | Kind::Set | Kind::Tuple, Json::Array(expected)) => {
            let elements = value.elements().unwrap_or_default();
            elements.len() == expected.len() && elements.iter().zip(expected).all(|(a, b)| same(a, b))
        }
        (Kind::Map | Kind::Object, Json::Object(expected)) => {
            value.len() == Some(expected.len())
                && value.entries().into_iter().flatten().all(|(name, part)| {
                    expected.get(name.as_str()).is_some_and(|expected| same(part, expected))
                })
        }
        _ => false,
    }
}
