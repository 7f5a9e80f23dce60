//! Equality, comparison, logic and arithmetic, with nulls, unknowns, refinements and marks.

use hcl_eval::value::{arithmetic, index, logic};
use hcl_eval::{Mark, Marks, Number, ObjectAttribute, Refinement, Str, Type, Value, ValueErrorKind};

fn s(text: &str) -> Value {
    Value::string(text)
}

fn n(value: i64) -> Value {
    Value::number(Number::integer_512(value))
}

fn object(entries: &[(&str, Value)]) -> Value {
    Value::object(entries.iter().map(|(k, v)| (Str::new(k), v.clone())).collect())
}

fn tuple(values: &[Value]) -> Value {
    Value::tuple(values.to_vec())
}

/// `true`, `false`, or what is known of the unknown result.
fn answer(value: &Value) -> String {
    value.refinement_text().unwrap_or_else(|| value.display_console())
}

fn eq(a: &Value, b: &Value) -> String {
    let (one, other) = (answer(&a.equals(b)), answer(&b.equals(a)));
    assert_eq!(one, other, "equality is symmetric: {a:?} and {b:?}");
    one
}

const MAYBE: &str = "bool, not null";

fn range(low: i64, high: i64) -> Value {
    let refinement =
        Refinement::new().not_null().min(Number::integer_512(low), true).max(Number::integer_512(high), true);
    Value::unknown_refined(Type::Number, refinement)
}

#[test]
fn no_conversion_takes_place() {
    let list = |values: Vec<Value>| Value::list(Type::String, values);
    assert_eq!(eq(&n(1), &s("1")), "false");
    assert_eq!(eq(&list(vec![s("a")]), &tuple(&[s("a")])), "false");
    assert_eq!(eq(&object(&[("a", n(1))]), &Value::map(Type::Number, vec![("a".into(), n(1))])), "false");
    assert_eq!(eq(&tuple(&[]), &list(vec![])), "false");
    assert_eq!(eq(&tuple(&[Value::null(Type::Dynamic)]), &tuple(&[Value::null(Type::String)])), "false");
    assert_eq!(eq(&Value::null(Type::String), &Value::null(Type::Number)), "true");
    assert_eq!(eq(&Value::null(Type::Dynamic), &n(1)), "false");
}

#[test]
fn unknowns_are_told_apart_by_what_is_known() {
    let unknown = Value::unknown(Type::String);
    let prefixed = Value::unknown_refined(Type::String, Refinement::new().not_null().prefix_full("a-"));
    assert_eq!(eq(&unknown, &s("a")), MAYBE);
    assert_eq!(eq(&unknown, &n(1)), "false");
    assert_eq!(eq(&unknown, &Value::null(Type::Dynamic)), MAYBE);
    assert_eq!(eq(&Value::dynamic(), &Value::null(Type::Dynamic)), MAYBE);
    assert_eq!(eq(&prefixed, &Value::null(Type::Dynamic)), "false");
    assert_eq!(eq(&prefixed, &s("b")), "false");
    assert_eq!(eq(&prefixed, &s("a-b")), MAYBE);
    assert_eq!(eq(&range(1, 2), &n(3)), "false");
    assert_eq!(eq(&range(1, 2), &n(2)), MAYBE);
    assert_eq!(eq(&Value::dynamic(), &Value::dynamic()), MAYBE);
    assert_eq!(eq(&Value::unknown(Type::list(Type::Dynamic)), &Value::list(Type::String, vec![])), MAYBE);
}

#[test]
fn parts_decide_in_order_but_keys_do_not() {
    let unknown = Value::unknown(Type::String);
    assert_eq!(eq(&tuple(&[unknown.clone(), Value::TRUE]), &tuple(&[s("a"), Value::FALSE])), MAYBE);
    let unknown_bool = Value::unknown(Type::Bool);
    assert_eq!(eq(&tuple(&[Value::FALSE, unknown_bool]), &tuple(&[Value::TRUE, s("a")])), "false");
    let left = object(&[("a", unknown), ("b", n(1))]);
    assert_eq!(eq(&left, &object(&[("a", s("x")), ("b", n(2))])), "false");
    assert_eq!(eq(&left, &object(&[("a", s("x")), ("b", n(1))])), MAYBE);
    assert_eq!(eq(&left, &object(&[("a", s("x")), ("c", n(1))])), "false");
    let dynamic = object(&[("a", Value::dynamic())]);
    assert_eq!(eq(&dynamic, &object(&[("a", n(1))])), MAYBE);
    assert_eq!(eq(&dynamic, &object(&[("b", n(1))])), "false");
}

#[test]
fn sets_are_equal_by_mutual_membership() {
    let set = |values: Vec<Value>| Value::set(Type::Number, values);
    assert_eq!(eq(&set(vec![n(1), n(2)]), &set(vec![n(2), n(1), n(1)])), "true");
    assert_eq!(eq(&set(vec![n(1), n(2)]), &set(vec![n(2)])), "false");
    assert_eq!(eq(&set(vec![n(1), Value::unknown(Type::Number)]), &set(vec![n(2)])), MAYBE);
    let nested = |i: i64| tuple(&[n(i)]);
    let ty = Type::tuple(vec![Type::Number]);
    assert_eq!(
        eq(&Value::set(ty.clone(), vec![nested(1), nested(2)]), &Value::set(ty, vec![nested(2), nested(1)])),
        "true"
    );
}

#[test]
fn marks_of_any_depth_reach_the_answer() {
    let secret = object(&[("a", s("x").mark(Mark::sensitive()))]);
    let result = secret.equals(&object(&[("a", s("x"))]));
    assert_eq!(result.as_bool(), Some(true));
    assert_eq!(result.marks(), &Marks::one(Mark::sensitive()));
    assert!(!secret.raw_equals(&object(&[("a", s("x"))])));
    assert!(secret.raw_equals(&secret.clone()));
}

#[test]
fn raw_equality_wants_everything_the_same() {
    assert!(!Value::null(Type::String).raw_equals(&Value::null(Type::Number)));
    assert!(Value::unknown(Type::String).raw_equals(&Value::unknown(Type::String)));
    assert!(!Value::unknown(Type::String).raw_equals(&Value::unknown_not_null(Type::String)));
    assert!(range(1, 2).raw_equals(&range(1, 2)));
    assert!(!Value::list(Type::String, vec![]).raw_equals(&Value::list(Type::Number, vec![])));
}

#[test]
fn arithmetic_on_unknowns_keeps_no_range() {
    let sum = arithmetic::add(&range(1, 2), &n(10)).unwrap();
    assert_eq!(answer(&sum), "number, not null");
    let product = arithmetic::multiply(&Value::dynamic(), &n(0)).unwrap();
    assert_eq!(answer(&product), "number, not null");
    let marked = arithmetic::add(&n(1).mark(Mark::new("m")), &Value::unknown(Type::Number)).unwrap();
    assert!(marked.is_marked() && !marked.is_known());
    let error = arithmetic::add(&Value::null(Type::Number), &n(1)).unwrap_err();
    assert_eq!(error.summary(), "Operation failed");
    assert_eq!(arithmetic::divide(&n(0), &n(0)).unwrap_err().summary(), "Operation failed");
    assert_eq!(arithmetic::modulo(&n(5), &n(0)).unwrap().display_console(), "5");
    assert_eq!(arithmetic::negate(&n(0)).unwrap().display_console(), "-0");
    assert_eq!(arithmetic::divide(&n(1), &n(0)).unwrap().display_console(), "+Inf");
    assert_eq!(arithmetic::add(&s("a"), &n(1)).unwrap_err().summary(), "Invalid operand");
}

#[test]
fn comparisons_use_bounds() {
    let unknown = range(1, 2);
    assert_eq!(answer(&logic::greater(&unknown, &n(0)).unwrap()), "true");
    assert_eq!(answer(&logic::less_equal(&unknown, &n(2)).unwrap()), MAYBE);
    assert_eq!(answer(&logic::less_equal(&unknown, &n(3)).unwrap()), "true");
    assert_eq!(answer(&logic::less_equal(&unknown, &n(0)).unwrap()), "false");
    assert_eq!(answer(&logic::greater(&range(5, 10), &n(20)).unwrap()), "false");
    assert_eq!(answer(&logic::less(&Value::dynamic(), &n(20)).unwrap()), MAYBE);
    assert_eq!(answer(&logic::less(&n(1), &n(2)).unwrap()), "true");
    assert_eq!(answer(&logic::greater_equal(&n(2), &Value::int(2)).unwrap()), "true");
    assert!(logic::less(&Value::null(Type::Number), &n(2)).is_err());
}

#[test]
fn either_side_of_a_logical_operator_may_decide() {
    let (unknown, null) = (Value::unknown(Type::Bool), Value::null(Type::Bool));
    let and = |a: &Value, b: &Value| answer(&logic::and(a, b).unwrap());
    let or = |a: &Value, b: &Value| answer(&logic::or(a, b).unwrap());
    assert_eq!(and(&Value::FALSE, &unknown), "false");
    assert_eq!(and(&unknown, &Value::FALSE), "false");
    assert_eq!(and(&unknown, &Value::TRUE), MAYBE);
    assert_eq!(and(&null, &Value::TRUE), "false");
    assert_eq!(and(&Value::TRUE, &null), "false");
    assert_eq!(or(&null, &Value::TRUE), "true");
    assert_eq!(or(&unknown, &Value::TRUE), "true");
    assert_eq!(or(&unknown, &Value::FALSE), MAYBE);
    assert!(logic::or(&null, &Value::FALSE).is_err());
    assert!(logic::not(&null).is_err());
    assert_eq!(answer(&logic::not(&unknown).unwrap()), MAYBE);
}

#[test]
fn elements_by_index() {
    let list = tuple(&[s("a"), s("b")]);
    assert_eq!(index::index(&list, &s("1")).unwrap().as_str(), Some("b"));
    assert_eq!(index::index(&list, &arithmetic::negate(&n(0)).unwrap()).unwrap().as_str(), Some("a"));
    let kind = |key: &Value| index::index(&list, key).unwrap_err().into_parts().0;
    assert!(matches!(kind(&n(2)), ValueErrorKind::IndexTooLarge { length: 2, .. }));
    assert!(matches!(kind(&n(-1)), ValueErrorKind::NegativeIndex));
    assert!(matches!(kind(&Value::null(Type::Number)), ValueErrorKind::NullKey));
    assert!(matches!(kind(&Value::TRUE), ValueErrorKind::KeyType { .. }));
    let secret = index::index(&list.clone().mark(Mark::sensitive()), &n(7)).unwrap_err();
    assert!(matches!(secret.kind, ValueErrorKind::ElementNotFound { .. }));
    assert_eq!(secret.summary(), "Invalid index");
    let with_number = object(&[("1", n(5)), ("true", n(6))]);
    assert_eq!(index::index(&with_number, &n(1)).unwrap().display_console(), "5");
    assert_eq!(index::index(&with_number, &Value::TRUE).unwrap().display_console(), "6");
    assert!(index::index(&list, &Value::unknown(Type::Number)).unwrap().is_dynamic_unknown());
    let strings = Value::list(Type::String, vec![s("x")]);
    let found = index::index(&strings, &Value::unknown(Type::Number)).unwrap();
    assert_eq!(answer(&found), "string");
}

#[test]
fn attributes_by_name() {
    let ty = Type::object(vec![ObjectAttribute::new("a", Type::String)]);
    assert_eq!(answer(&index::attribute(&Value::unknown(ty.clone()), "a").unwrap()), "string");
    let summary = |value: &Value, name: &str| index::attribute(value, name).unwrap_err().summary();
    assert_eq!(summary(&Value::unknown(ty.clone()), "b"), "Unsupported attribute");
    assert_eq!(summary(&Value::null(Type::Dynamic), "b"), "Attempt to get attribute from null value");
    assert_eq!(summary(&Value::map(Type::String, vec![]), "b"), "Missing map element");
    assert_eq!(summary(&n(1), "b"), "Unsupported attribute");
    let list = Value::list(ty, vec![object(&[("a", s("x"))])]);
    assert!(index::attribute(&list, "a").unwrap_err().detail().contains("[*].a"));
    let marked = object(&[("a", s("x").mark(Mark::new("in")))]).mark(Mark::new("out"));
    assert_eq!(index::attribute(&marked, "a").unwrap().marks().len(), 2);
}
