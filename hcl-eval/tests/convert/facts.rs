//! Facts about conversion and unification, each by its smallest example.

use std::time::Duration;

use crate::stopwatch::Stopwatch;
use crate::support::{same, value};
use hcl_eval::convert::{Conversion, Safety, conversion_kind, convert, mismatch};
use hcl_eval::types::type_expr::parse_type_text;
use hcl_eval::types::unify::conditional_mismatch;
use hcl_eval::types::{unify, unify_with};
use hcl_eval::{ObjectAttribute, Type, Value};

fn ty(text: &str) -> Type {
    parse_type_text(text).expect("a type").0
}

fn converted(source: &str, to: &str) -> Value {
    convert(&value(source), &ty(to)).unwrap_or_else(|error| panic!("{source} to {to}: {error}"))
}

#[track_caller]
fn converts(source: &str, to: &str, json: &str, result_type: &str) {
    let found = converted(source, to);
    assert_eq!(found.ty().to_type_text(), result_type);
    assert!(same(&found, &serde_json::from_str(json).expect("JSON")), "{source} to {to} gave {found:?}");
}

/// Path and sentence of the error.
#[track_caller]
fn refused(source: &str, to: &str, path: &str, sentence: &str) {
    let error = convert(&value(source), &ty(to)).expect_err("no conversion");
    assert_eq!((error.path.to_text().as_str(), error.detail().as_str()), (path, sentence));
}

#[track_caller]
fn unknown(source: &str, to: &str, facts: &str) {
    assert_eq!(converted(source, to).refinement_text().as_deref(), Some(facts));
}

#[track_caller]
fn unified(types: &[&str], result: Option<&str>) {
    let types: Vec<Type> = types.iter().map(|text| ty(text)).collect();
    assert_eq!(unify(&types).map(|ty| ty.to_type_text()).as_deref(), result);
}

#[test]
fn kinds_by_type() {
    let kind = |from: &str, to: &str| conversion_kind(&ty(from), &ty(to));
    assert_eq!(kind("string", "string"), Conversion::Same);
    assert_eq!(kind("string", "number"), Conversion::Unsafe);
    assert_eq!(kind("number", "string"), Conversion::Safe);
    assert_eq!(kind("number", "bool"), Conversion::None);
    assert_eq!(kind("list(string)", "set(string)"), Conversion::Unsafe);
    assert_eq!(kind("set(string)", "list(string)"), Conversion::Safe);
    assert_eq!(kind("list(string)", "tuple([string])"), Conversion::None);
    assert_eq!(kind("set(string)", "tuple([string])"), Conversion::None);
    assert_eq!(kind("map(string)", "object({a=string})"), Conversion::Unsafe);
    assert_eq!(kind("object({a=string,b=number})", "object({a=string})"), Conversion::Safe);
    assert_eq!(kind("object({})", "object({a=optional(string)})"), Conversion::Safe);
    assert_eq!(kind("any", "list(string)"), Conversion::Unsafe);
    assert_eq!(kind("list(string)", "any"), Conversion::Safe);
    assert_eq!(kind("tuple([number,bool])", "list(any)"), Conversion::None);
    assert_eq!(kind("tuple([number,string])", "list(any)"), Conversion::Safe);
}

#[test]
fn primitives() {
    converts("1.50", "string", r#""1.5""#, "string");
    converts("true", "string", r#""true""#, "string");
    converts(r#""1p3""#, "number", "8", "number");
    converts(r#""0""#, "bool", "false", "bool");
    refused("1e3000000", "string", "", "The result would be longer than the limit of 2097152 bytes.");
    refused(r#""abc""#, "number", "", "a number is required");
    refused(r#""yes""#, "bool", "", "a bool is required");
    refused(r#""TRUE""#, "bool", "", "a bool is required; to convert from string, use lowercase \"true\"");
    refused("1", "bool", "", "bool required, but have number");
}

#[test]
fn structural_to_collection() {
    converts("[]", "list(any)", "[]", "list(any)");
    converts("[]", "list(object({a=optional(string)}))", "[]", "list(object({a=string}))");
    converts(r#"[1, "a", true, null]"#, "list(any)", r#"["1", "a", "true", null]"#, "list(string)");
    converts("[[1], []]", "list(list(any))", "[[1], []]", "list(list(number))");
    converts("[[1], [\"a\"]]", "list(list(any))", r#"[["1"], ["a"]]"#, "list(list(string))");
    converts("{a = [], b = [1]}", "map(any)", r#"{"a": [], "b": [1]}"#, "map(list(number))");
    converts(
        "[{a = 1}, {a = 2, b = true}]",
        "list(object({a=string}))",
        r#"[{"a": "1"}, {"a": "2"}]"#,
        "list(object({a=string}))",
    );
    converts("[null, null]", "list(any)", "[null, null]", "list(any)");
    refused("[null, [1]]", "list(any)", "", "all list elements must have the same type");
    refused("[1, true]", "set(any)", "", "all set elements must have the same type");
    refused("{a = 1, b = []}", "map(any)", "", "all map elements must have the same type");
    refused("[[1], [\"a\"]]", "set(list(any))", "", "element types must all match for conversion to set");
    let tuple = "unknown(tuple([number, list(string)]))";
    refused(tuple, "list(number)", "", "element 1: number required, but have list of string");
    refused(tuple, "set(number)", "", "element 1: number required, but have list of string");
    refused(tuple, "set(any)", "", "all set elements must have the same type");
    let object = "unknown(object({a = number, b = list(string)}))";
    refused(object, "map(number)", "", "element \"b\": number required, but have list of string");
    refused(object, "map(any)", "", "all map elements must have the same type");
}

#[test]
fn objects() {
    converts("{a = 1, b = 2}", "object({a=string})", r#"{"a": "1"}"#, "object({a=string})");
    converts("{}", "object({a=optional(list(string))})", r#"{"a": null}"#, "object({a=list(string)})");
    converts("tomap({a = \"1\", b = \"x\"})", "object({a=number})", r#"{"a": 1}"#, "object({a=number})");
    converts(
        "tomap({a = \"1\"})",
        "object({z=optional(list(bool))})",
        r#"{"z": null}"#,
        "object({z=list(bool)})",
    );
    refused("{}", "object({a=string})", "", "attribute \"a\" is required");
    refused("{}", "object({a=string,b=string})", "", "attributes \"a\" and \"b\" are required");
    refused("{}", "object({a=any,b=any,c=any})", "", "attributes \"a\", \"b\", and \"c\" are required");
    refused("{a = []}", "object({a=string})", "", "attribute \"a\": string required, but have tuple");
    refused("{a = \"x\"}", "object({a=number})", ".a", "a number is required");
    refused("tomap({b = 1})", "object({a=string})", "", "map has no element for required attribute \"a\"");
    refused(
        "tomap({z = \"1\"})",
        "object({z=optional(list(bool))})",
        "",
        "map element type is incompatible with attribute \"z\": list of bool required, but have string",
    );
}

#[test]
fn where_errors_are() {
    refused("[\"1\", \"x\"]", "list(number)", "[1]", "a number is required");
    refused("{k = [\"x\"]}", "map(list(number))", "[\"k\"][0]", "a number is required");
    refused(
        "{a = {b = [\"x\"]}}",
        "object({a=object({b=tuple([number])})})",
        ".a.b[0]",
        "a number is required",
    );
    // A type that can't be converted is reported before a value that can't.
    refused("[\"x\", []]", "list(number)", "", "element 1: number required, but have tuple");
    refused("{a = \"x\", b = {}}", "map(number)", "", "element \"b\": number required, but have object");
    refused(
        "tolist([[1]])",
        "list(string)",
        "",
        "incorrect list element type: string required, but have tuple",
    );
    refused("[1]", "map(number)", "", "map of number required");
    refused("[1]", "object({})", "", "object required, but have tuple");
    refused("[1, 2]", "tuple([number])", "", "tuple required");
    refused("5", "list(any)", "", "list of dynamic required, but have number");
}

#[test]
fn mismatch_names_what_is_wanted() {
    assert_eq!(mismatch(&ty("tuple([])"), &ty("map(any)")), "map of any single type required");
    assert_eq!(mismatch(&ty("list(string)"), &ty("object({})")), "object required");
    assert_eq!(mismatch(&ty("bool"), &ty("number")), "number required, but have bool");
}

#[test]
fn unknowns() {
    unknown("unknown(object({a=string,b=number}))", "map(string)", "map(string), length 2..2");
    unknown("unknown(tuple([string,number]))", "list(any)", "list(string), length 2..2");
    unknown("unknown(tuple([string,number]))", "set(string)", "set(string), length 1..2");
    unknown("refine(unknown(list(string)), {len_min = 2})", "set(number)", "set(number), length 1..");
    unknown(
        "refine(unknown(set(number)), {not_null = true, len_min = 3})",
        "list(string)",
        "list(string), not null, length 3..",
    );
    unknown("refine(unknown(number), {not_null = true, min = 5})", "string", "string, not null");
    unknown(
        "unknown(object({a=list(bool)}))",
        "object({a=list(any),b=optional(any)})",
        "object({a=list(bool),b=any})",
    );
    let list = converted("refine(unknown(tuple([string,number])), {not_null = true})", "list(string)");
    assert_eq!(list.elements().map(<[Value]>::len), Some(2));
    let (list, typed) = (value("null_of(tuple([string]))"), ty("list(list(number))"));
    assert!(convert(&list, &typed).is_err(), "also a null must be of a type that converts");
}

#[test]
fn marks_stay_on_the_parts() {
    let list = converted("[marked(\"1\", \"m\"), \"2\"]", "list(number)");
    assert!(!list.is_marked());
    assert!(list.elements().expect("a list")[0].is_marked());
    assert!(converted("[marked(\"1\", \"m\")]", "set(number)").is_marked());
    assert!(
        converted("{a = marked(null, \"m\")}", "object({a=string})")
            .get_attribute("a")
            .expect("a")
            .is_marked()
    );
}

#[test]
fn what_is_right_already_is_shared() {
    let list = converted("[\"a\", \"b\"]", "list(string)");
    let same = |a: &Value, b: &Value| a.parts().map(<[Value]>::as_ptr) == b.parts().map(<[Value]>::as_ptr);
    for to in ["list(string)", "list(any)", "any"] {
        assert!(same(&list, &convert(&list, &ty(to)).expect("the same")));
    }
    let object = value("{a = 1, b = [\"x\"]}");
    for to in ["object({a=number,b=tuple([any])})", "object({a=any,b=optional(any)})"] {
        assert!(same(&object, &convert(&object, &ty(to)).expect("the same")));
    }
    assert!(!same(&object, &convert(&object, &ty("object({a=string,b=any})")).expect("another")));
}

#[test]
fn unification() {
    unified(&[], None);
    unified(&["number", "bool"], None);
    unified(&["number", "bool", "string"], Some("string"));
    unified(&["any", "number"], Some("number"));
    unified(&["number", "bool", "any"], Some("any"));
    unified(&["list(string)", "set(string)"], Some("list(string)"));
    unified(&["list(number)", "set(string)"], Some("list(number)"));
    unified(&["set(number)", "tuple([string])"], Some("set(number)"));
    unified(&["list(number)", "tuple([string,bool])"], Some("list(string)"));
    unified(&["tuple([])", "set(string)"], Some("set(string)"));
    unified(&["tuple([])", "list(string)"], Some("list(string)"));
    unified(&["map(number)", "object({a=string,b=bool})"], Some("map(string)"));
    unified(&["list(any)", "list(string)"], Some("list(string)"));
    unified(&["list(string)", "any"], Some("any"));
    unified(&["tuple([string])", "tuple([any])"], Some("tuple([string])"));
    unified(&["tuple([number])", "tuple([bool,string])"], Some("list(string)"));
    unified(&["tuple([number,string])", "tuple([bool,string])"], None);
    unified(&["list(string)", "string"], None);
    unified(&["list(string)", "string", "any"], Some("any"));
    unified(&["object({})", "tuple([])", "any"], None);
    unified(&["object({a=number})", "object({b=string})"], Some("map(string)"));
    unified(&["object({})", "object({a=number})"], Some("map(number)"));
    unified(&["object({a=optional(string)})", "object({a=optional(string)})"], Some("object({a=string})"));
    let types = [ty("list(number)"), ty("set(string)")];
    assert_eq!(unify_with(&types, Safety::Safe), None);
}

#[test]
fn conversion_through_two_unified_types_goes_straight() {
    // The reference fails here, because it applies the second of two conversions to the original.
    let arms = [value("[[1], [\"z\"]]"), value("typed(list(list(string)), [[\"q\"]])")];
    let common = unify(&[arms[0].ty(), arms[1].ty()]).expect("a common type");
    assert_eq!(common, ty("list(list(string))"));
    converts("[[1], [\"z\"]]", "list(list(string))", r#"[["1"], ["z"]]"#, "list(list(string))");
}

#[test]
fn conditional_wording_names_the_difference() {
    let text = |a: &str, b: &str| conditional_mismatch(&ty(a), &ty(b));
    assert!(text("object({a=string})", "object({b=list(any)})").contains("attribute \"a\""));
    assert!(text("object({a=string})", "object({a=list(any)})").contains("attribute \"a\""));
    assert!(text("tuple([])", "tuple([string,list(any)])").contains("length 2"));
    assert!(text("tuple([string])", "tuple([list(any)])").contains("element 0"));
    assert!(text("list(object({}))", "list(object({a=list(any)}))").contains("element types"));
    assert!(text("list(number)", "string").contains("list of number"));
}

#[test]
fn type_text_is_read_back() {
    for text in [
        "any",
        "map(list(set(string)))",
        "tuple([])",
        "object({\"a b\"=optional(string),c=tuple([any,bool])})",
    ] {
        assert_eq!(ty(text).to_type_text(), text);
    }
    assert!(parse_type_text("list(").is_err());
    assert!(parse_type_text("str").is_err());
}

/// Nesting of any depth needs no more stack than a small thread has.
#[test]
fn deep_values_and_types() {
    let mut deep = Value::string("1");
    let mut target = Type::Number;
    for _ in 0..20_000 {
        deep = Value::tuple(vec![deep]);
        target = Type::list(target);
    }
    let found = convert(&deep, &target).expect("a conversion");
    assert_eq!(found.depth(), 20_000);
    assert_eq!(conversion_kind(&deep.ty(), &target), Conversion::Unsafe);
    assert!(unify(&[deep.ty(), target.clone()]).is_some());
    assert!(convert(&deep, &Type::list(target.clone())).is_err());
    assert!(!conditional_mismatch(&deep.ty(), &Type::tuple(vec![Type::Bool, Type::String])).is_empty());
    assert!(convert(&Value::unknown(deep.ty()), &target).is_ok());
}

/// Work is in proportion to the size of the input.
#[test]
fn wide_values_and_types() {
    let n = 50_000;
    let started = Stopwatch::start();
    let object = |i: usize| {
        let attribute = |name: &str, ty| ObjectAttribute::new(name, ty);
        Type::object(vec![
            attribute("a", if i.is_multiple_of(2) { Type::Number } else { Type::String }),
            attribute("b", Type::list(Type::Bool)),
        ])
    };
    let objects: Vec<Type> = (0..n).map(object).collect();
    assert_eq!(
        unify(&objects).map(|ty| ty.to_type_text()).as_deref(),
        Some("object({a=string,b=list(bool)})")
    );
    let different: Vec<Type> =
        (0..n).map(|i| Type::object(vec![ObjectAttribute::new(format!("k{i}"), Type::Number)])).collect();
    assert_eq!(unify(&different), Some(Type::map(Type::Number)));
    let tuples: Vec<Type> = (0..n).map(|i| Type::tuple(vec![Type::Number; i % 7])).collect();
    assert_eq!(unify(&tuples), Some(Type::list(Type::Number)));
    let rows: Vec<Value> = (0..n)
        .map(|i| Value::object(vec![("a".into(), Value::count(i)), ("b".into(), Value::string("x"))]))
        .collect();
    let rows = Value::tuple(rows);
    assert!(convert(&rows, &Type::list(Type::Dynamic)).is_ok());
    assert!(convert(&rows, &ty("list(object({b=string,c=optional(number)}))")).is_ok());
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

/// Types that make the rules ask the same questions again and again get an answer in bounded time.
#[test]
fn types_made_to_hurt() {
    let started = Stopwatch::start();
    let mut nested = Type::tuple(vec![Type::Number, Type::Bool]);
    for _ in 0..60 {
        nested = Type::tuple(vec![Type::list(Type::Dynamic), nested]);
    }
    assert_eq!(unify(&[Type::list(Type::Dynamic), nested.clone()]), None);
    assert_eq!(conversion_kind(&nested, &Type::list(Type::Dynamic)), Conversion::None);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}
