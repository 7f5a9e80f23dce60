//! Text forms: console, types, refinements, JSON; and the order of sets that they show.

#![expect(clippy::unwrap_used, reason = "a failed test panics, its helpers too")]

use hcl_eval::value::json::{JsonOptions, type_from_json, type_to_json};
use hcl_eval::value::{Reveal, arithmetic};
use hcl_eval::{Mark, Number, ObjectAttribute, Path, Refinement, Str, Type, Value};

fn s(text: &str) -> Value {
    Value::string(text)
}

fn n(value: i64) -> Value {
    Value::number(Number::integer_512(value))
}

fn object(entries: &[(&str, Value)]) -> Value {
    Value::object(entries.iter().map(|(k, v)| (Str::new(k), v.clone())).collect())
}

fn console(value: &Value) -> String {
    value.display_console()
}

fn set_of(values: Vec<Value>) -> String {
    let set = Value::set(Type::Dynamic, values);
    let texts: Vec<String> = set.elements().unwrap().iter().map(|e| e.to_json().unwrap()).collect();
    texts.join(" ")
}

#[test]
fn sets_have_an_order_of_their_own() {
    let a = |v: Value| object(&[("a", v)]);
    assert_eq!(set_of(vec![a(n(10)), a(n(9)), a(n(1))]), r#"{"a":10} {"a":1} {"a":9}"#);
    let t = |values: &[i64]| Value::tuple(values.iter().map(|v| n(*v)).collect());
    let lists = [&[1, 2][..], &[1], &[1, 3]]
        .map(|values| Value::list(Type::Number, values.iter().map(|v| n(*v)).collect()));
    assert_eq!(set_of(lists.to_vec()), "[1,2] [1,3] [1]");
    let small = Value::number(Number::parse("0.00001").unwrap());
    let mixed: Vec<Value> =
        [n(9), small, n(-1), n(10_000_000_000)].into_iter().map(|v| Value::tuple(vec![v])).collect();
    assert_eq!(set_of(mixed), "[-1] [10000000000] [0.00001] [9]");
    let strings = ["é", "a", "Z", "b", "a"].map(s);
    assert_eq!(set_of(strings.to_vec()), r#""Z" "a" "b" "é""#);
    let zero = arithmetic::negate(&n(0)).unwrap();
    assert_eq!(set_of(vec![n(0), zero]), "-0 0");
    assert_eq!(set_of(vec![Value::TRUE, Value::FALSE, Value::TRUE]), "false true");
    assert_eq!(set_of(vec![t(&[2]), t(&[1]), t(&[2])]), "[1] [2]");
    assert_eq!(set_of(vec![Value::null(Type::String), s("z"), s("~")]), r#""z" "~" null"#);
}

/// Operations on sets give such values, where one of the sets has a type with `any` within and no elements.
#[test]
fn collections_keep_a_type_with_dynamic_parts_that_their_elements_have_not() {
    let ty = Type::object(vec![ObjectAttribute::new("a", Type::Dynamic)]);
    let values = || vec![object(&[("a", n(1))]), object(&[("a", n(2))])];
    let (set, list) = (Value::set(ty.clone(), values()), Value::list(ty.clone(), values()));
    assert_eq!((set.ty(), list.ty()), (Type::set(ty.clone()), Type::list(ty.clone())));
    assert_eq!(Value::tuple(vec![set, list]).ty(), Type::tuple(vec![Type::set(ty.clone()), Type::list(ty)]));
}

#[test]
fn unknown_elements_never_coalesce() {
    let unknown = || Value::unknown(Type::String);
    let set = Value::set(Type::String, vec![unknown(), s("a"), unknown()]);
    assert_eq!(set.len(), Some(3));
    assert_eq!(set.length().refinement_text().unwrap(), "number, not null, >= 1, <= 3");
    assert_eq!(Value::set(Type::String, vec![unknown()]).length().display_console(), "1");
    assert_eq!(set.has_element(&s("a")).as_bool(), Some(true));
    assert!(!set.has_element(&s("b")).is_known());
    assert_eq!(set.has_element(&n(1)).as_bool(), Some(false));
}

#[test]
fn marks_move_from_elements_to_the_set() {
    let set = Value::set(Type::String, vec![s("a").mark(Mark::sensitive()), s("b")]);
    assert!(set.is_marked());
    assert_eq!(console(&set), "(sensitive value)");
    assert_eq!(set.display_console_with(Reveal::Everything), "toset([\n  \"a\",\n  \"b\",\n])");
}

#[test]
fn console_form() {
    assert_eq!(console(&Value::null(Type::Dynamic)), "null");
    assert_eq!(console(&Value::null(Type::String)), "tostring(null)");
    assert_eq!(console(&Value::null(Type::list(Type::String))), "tolist(null) /* of string */");
    assert_eq!(console(&Value::null(Type::tuple(vec![]))), "null /* tuple */");
    assert_eq!(console(&Value::tuple(vec![])), "[]");
    assert_eq!(console(&Value::list(Type::String, vec![])), "tolist([])");
    assert_eq!(console(&Value::map(Type::String, vec![])), "tomap({})");
    assert_eq!(console(&object(&[])), "{}");
    assert_eq!(
        console(&object(&[("b", n(1)), ("a", Value::tuple(vec![s("x"), Value::TRUE]))])),
        "{\n  \"a\" = [\n    \"x\",\n    true,\n  ]\n  \"b\" = 1\n}"
    );
    assert_eq!(console(&Value::unknown(Type::String).mark(Mark::sensitive())), "(known after apply)");
    assert_eq!(console(&s("x").mark(Mark::ephemeral())), "(ephemeral value)");
    assert_eq!(console(&s("x").mark(Mark::new("other"))), "\"x\"");
    assert!(n(123_456).display_console_bounded(Reveal::Redacted, 3).is_err());
}

#[test]
fn console_strings() {
    assert_eq!(console(&s("a\"b\\${x}\t\0\u{7f}")), r#""a\"b\\${x}\t\x00\x7f""#);
    assert_eq!(console(&s("\u{a0}\u{ad}\u{200b}\u{2028}\u{feff}")), r#""\u00a0\u00ad\u200b\u2028\ufeff""#);
    assert_eq!(console(&s("x\u{301}😀")), "\"x\u{301}😀\"");
    assert_eq!(console(&s("\u{e000}\u{10ffff}")), r#""\ue000\U0010ffff""#);
    assert_eq!(console(&s("a\nb\n")), "<<EOT\na\nb\n\nEOT");
    assert_eq!(console(&s("a\n EOT ")), "<<EOT_\na\n EOT \nEOT_");
    assert_eq!(console(&Value::tuple(vec![s("a\nb")])), "[\n  <<-EOT\n  a\n  b\n  EOT,\n]");
}

#[test]
fn strings_are_normalised() {
    assert_eq!(s("an\u{303}os").as_str(), Some("a\u{f1}os"));
    assert_eq!(s("\u{1100}\u{1161}").as_str(), Some("가"));
    assert_eq!(s("\u{212b}").as_str(), Some("Å"));
    assert!(object(&[("n\u{303}", n(1))]).get_attribute("ñ").is_some());
}

#[test]
fn keys_are_sorted_by_bytes_and_the_last_counts() {
    let keys = ["10", "9", "B", "Z", "_", "a", "b", "z", "é"];
    let entries = keys.iter().rev().map(|k| (Str::new(k), n(1))).collect();
    let map = Value::map(Type::Number, entries);
    assert!(map.entries().unwrap().map(|(k, _)| k.as_str()).eq(keys));
    assert_eq!(object(&[("a", n(1)), ("b", n(0)), ("a", n(2))]).to_json().unwrap(), r#"{"a":2,"b":0}"#);
}

#[test]
fn type_forms() {
    let ty = Type::object(vec![
        ObjectAttribute::new("b", Type::list(Type::Dynamic)),
        ObjectAttribute::optional("a", Type::String),
    ]);
    assert_eq!(ty.to_type_text(), "object({a=optional(string),b=list(any)})");
    assert_eq!(ty.without_optional().to_type_text(), "object({a=string,b=list(any)})");
    assert_eq!(Type::list(Type::Dynamic).constraint_name(), "list of any single type");
    assert_eq!(Type::Dynamic.constraint_name(), "any type");
    assert_eq!(Type::map(Type::set(Type::Bool)).friendly_name(), "map of set of bool");
    let a = Type::object(vec![ObjectAttribute::new("a", Type::Number)]);
    assert_eq!(a.to_console_text(), "object({\n    a: number,\n})");
    assert_eq!(Type::tuple(vec![Type::String]).to_console_text(), "tuple([\n    string,\n])");
    assert_eq!(Type::tuple(vec![]).to_console_text(), "tuple([])");
    assert_eq!(Type::list(a).to_console_text(), "list(\n    object({\n        a: number,\n    }),\n)");
    let json = r#"["object",{"a":"string","b":["list","dynamic"]},["a"]]"#;
    assert_eq!(type_to_json(&ty).unwrap(), json);
    assert_eq!(type_from_json(json).unwrap(), ty);
    assert!(type_from_json(r#"["object",{"a":"string"},["b"]]"#).is_err());
    assert!(type_from_json(r#"["list"]"#).is_err());
}

#[test]
fn refinements_collapse() {
    let refined = |ty: Type, refinement: Refinement| Value::unknown_refined(ty, refinement);
    let two = || Number::integer_512(2);
    let exactly = Refinement::new().min(two(), true).max(two(), true);
    assert_eq!(refined(Type::Number, exactly.clone().not_null()).display_console(), "2");
    assert_eq!(refined(Type::Number, exactly).refinement_text().unwrap(), "number, >= 2, <= 2");
    let length = |n| Refinement::new().not_null().min_length(n).max_length(n);
    let list = Type::list(Type::String);
    assert_eq!(refined(list.clone(), length(2)).elements().unwrap().len(), 2);
    assert_eq!(refined(Type::map(Type::String), length(0)).display_console(), "tomap({})");
    let kept = refined(Type::map(Type::String), length(2));
    assert_eq!(kept.refinement_text().unwrap(), "map(string), not null, length 2..2");
    assert_eq!(refined(Type::set(Type::String), length(1)).len(), Some(1));
    assert!(refined(Type::String, Refinement::new().null()).is_null());
    assert!(refined(Type::Dynamic, Refinement::new().not_null()).is_dynamic_unknown());
    let bounds = Refinement::new().min(Number::integer_512(1), false).max(two(), false).not_null();
    assert_eq!(refined(Type::Number, bounds).refinement_text().unwrap(), "number, not null, > 1, < 2");
    let unknown = Value::unknown(list);
    let merged = unknown.refine(&Refinement::new().min_length(2)).unwrap();
    let merged = merged.refine(&Refinement::new().min_length(1)).unwrap();
    assert_eq!(merged.refinement_text().unwrap(), "list(string), length 2..");
    assert!(merged.clone().refine(&Refinement::new().max_length(1)).is_err());
    assert!(merged.refine(&Refinement::new().prefix_full("x")).is_err());
    assert!(s("abc").refine(&Refinement::new().prefix_full("b")).is_err());
}

#[test]
fn prefixes_are_cut_where_text_may_still_change() {
    let prefix = |text: &str| {
        Value::unknown_refined(Type::String, Refinement::new().not_null().prefix(text))
            .refinement_text()
            .unwrap()
    };
    assert_eq!(prefix("pre-"), "string, not null, prefix \"pre-\"");
    assert_eq!(prefix("x"), "string, not null");
    assert_eq!(prefix("abc"), "string, not null, prefix \"ab\"");
    assert_eq!(prefix("[\""), "string, not null, prefix \"[\\\"\"");
}

#[test]
fn json_text() {
    let value = object(&[
        ("<k>", s("a<b>&\u{2028}\u{8}\u{c}\u{1}\u{7f}\n\"\\é😀")),
        ("n", arithmetic::negate(&n(0)).unwrap()),
        ("x", Value::null(Type::Dynamic)),
    ]);
    let text = value.to_json().unwrap();
    assert_eq!(
        text,
        "{\"\\u003ck\\u003e\":\"a\\u003cb\\u003e\\u0026\\u2028\\b\\f\\u0001\u{7f}\\n\\\"\\\\é😀\",\"n\":-0,\"x\":null}"
    );
    assert!(Value::from_json_implied(&text).unwrap().raw_equals(&value));
    assert!(value.to_json_bounded(20).is_err());
    assert!(Value::number(Number::infinity(false)).to_json().is_err());
    let unknown = object(&[("a", Value::tuple(vec![Value::unknown(Type::String)]))]);
    assert_eq!(unknown.to_json().unwrap_err().path.to_text(), ".a[0]");
    assert!(s("a").mark(Mark::new("m")).to_json().is_err());
}

#[test]
fn json_under_a_type() {
    let value = object(&[("a", n(1)), ("b", Value::null(Type::Dynamic)), ("c", Value::null(Type::String))]);
    let whole =
        r#"{"value":{"a":1,"b":null,"c":null},"type":["object",{"a":"number","b":"dynamic","c":"string"}]}"#;
    assert_eq!(value.to_typed_json(&Type::Dynamic).unwrap(), whole);
    assert!(Value::from_json(whole, &Type::Dynamic).unwrap().raw_equals(&value));
    let ty = Type::object(["a", "b", "c"].map(|name| ObjectAttribute::new(name, Type::Dynamic)).to_vec());
    let parts = r#"{"a":{"value":1,"type":"number"},"b":null,"c":{"value":null,"type":"string"}}"#;
    assert_eq!(value.to_typed_json(&ty).unwrap(), parts);
    assert!(Value::from_json(parts, &ty).unwrap().raw_equals(&value));
    let read = |text: &str, ty: Type| Value::from_json(text, &ty).map(|v| v.display_console());
    assert_eq!(read("1.50", Type::String).unwrap(), "\"1.50\"");
    assert_eq!(read("\"12\"", Type::Number).unwrap(), "12");
    assert_eq!(read("\"0\"", Type::Bool).unwrap(), "false");
    assert_eq!(read("1 2", Type::Number).unwrap(), "1");
    assert!(read("1", Type::Bool).is_err());
    assert!(read("[1]", Type::tuple(vec![])).unwrap_err().detail().contains("too many"));
    assert!(read("[]", Type::tuple(vec![Type::Bool])).unwrap_err().detail().contains("not enough"));
    let a = Type::object(vec![ObjectAttribute::new("a", Type::Bool)]);
    assert!(read("{\"c\":1}", a.clone()).unwrap_err().detail().contains("\"c\""));
    assert_eq!(read("{}", a.clone()).unwrap(), "{\n  \"a\" = tobool(null)\n}");
    let error = Value::from_json("{\"a\":[]}", &a).unwrap_err();
    assert_eq!(error.path.to_text(), ".a");
}

#[test]
fn json_without_a_type() {
    let read = |text: &str| Value::from_json_implied(text).map(|v| v.to_json().unwrap());
    assert_eq!(
        read(" { \"b\" : [ 1 , {} , [] , null ] , \"a\":true } ").unwrap(),
        "{\"a\":true,\"b\":[1,{},[],null]}"
    );
    assert_eq!(read("{\"a\":1,\"a\":2}").unwrap(), "{\"a\":2}");
    assert!(read("{\"a\":1,\"a\":\"x\"}").is_err());
    assert_eq!(read(r#""\ud83d\ude00\ud83d\u0041""#).unwrap(), "\"😀\u{fffd}A\"");
    assert_eq!(read("\"n\\u0303\"").unwrap(), "\"ñ\"");
    for bad in [
        "",
        "01",
        "1 2",
        "[1,]",
        "{,}",
        "[,1]",
        "{\"a\"}",
        "{\"a\":1,}",
        "\"\n\"",
        "\"\\x\"",
        "tru",
        "[1 2]",
        "-",
        "1.",
        "1e",
        "]",
        "{1:2}",
        "[}",
        "\"\\u12",
    ] {
        assert!(read(bad).is_err(), "{bad:?} is no JSON");
    }
    let options = JsonOptions { max_depth: 3, ..JsonOptions::default() };
    assert!(Value::from_json_implied_with("[[[]]]", &options).is_ok());
    assert!(Value::from_json_implied_with("[[[[]]]]", &options).is_err());
    let records = read(r#"[{"b":1,"a":2},{"b":3,"a":4},{"a":5,"b":6}]"#).unwrap();
    assert_eq!(records, r#"[{"a":2,"b":1},{"a":4,"b":3},{"a":5,"b":6}]"#);
}

#[test]
fn paths_and_marks() {
    let inner = object(&[("b", s("x").mark(Mark::new("m"))), ("c d", n(1))]);
    let value = object(&[("a", Value::tuple(vec![inner]))]).mark(Mark::new("top"));
    let (plain, found) = value.unmark_deep_with_paths();
    assert!(!plain.contains_marks());
    let texts: Vec<String> = found.iter().map(|(path, _)| path.to_text()).collect();
    assert_eq!(texts, ["", ".a[0].b"]);
    assert!(plain.mark_with_paths(&found).raw_equals(&value));
    assert_eq!(value.unmark_deep().1.len(), 2);
    let path = Path::new().attribute("a").index(n(0)).attribute("b");
    assert_eq!(path.apply(&value).unwrap().marks().len(), 2);
    let mut order = Vec::new();
    let map = Value::map(Type::Number, vec![("y".into(), n(1)), ("x".into(), n(2))]);
    let list = Value::list(Type::map(Type::Number), vec![map.clone()]);
    object(&[("a", map), ("b", list), ("n", Value::null(Type::Dynamic))]).walk(&mut |path, _| {
        order.push(path.to_text());
        true
    });
    assert_eq!(
        order,
        ["", ".a", ".a[\"x\"]", ".a[\"y\"]", ".b", ".b[0]", ".b[0][\"x\"]", ".b[0][\"y\"]", ".n"]
    );
}
