//! Values as only a host sees them: capsules, marks with their places, rebuilding values, the typed JSON both ways,
//! and refinements that can't be.

#![expect(clippy::unwrap_used, reason = "a failed test panics, its helpers too")]

use std::sync::Arc;

use hcl_eval::convert::{Conversion, conversion_kind, convert};
use hcl_eval::types::CapsuleType;
use hcl_eval::value::{Capsule, CapsuleOperations};
use hcl_eval::{Mark, Marks, Number, ObjectAttribute, Path, Refinement, Str, Type, Value, ValueError};

fn s(text: &str) -> Value {
    Value::string(text)
}

fn n(value: i64) -> Value {
    Value::number(Number::integer_512(value))
}

fn object(entries: &[(&str, Value)]) -> Value {
    Value::object(entries.iter().map(|(k, v)| (Str::new(k), v.clone())).collect())
}

/// Addresses: equal by their text, converted from and to strings.
struct Addresses;

fn address(capsule: &Capsule) -> &str {
    capsule.downcast_ref::<String>().unwrap()
}

impl CapsuleOperations for Addresses {
    fn equals(&self, a: &Capsule, b: &Capsule) -> Option<bool> {
        Some(address(a) == address(b))
    }

    fn hash_key(&self, capsule: &Capsule) -> Option<String> {
        Some(address(capsule).to_owned())
    }

    fn converts_from(&self, from: &Type) -> bool {
        *from == Type::String
    }

    fn convert_from(&self, value: &Value) -> Option<Result<Value, ValueError>> {
        let text = value.as_str()?;
        if text.contains(':') {
            return Some(Ok(Value::capsule(addresses(), Arc::new(text.to_owned()))));
        }
        Some(Err(ValueError::conversion("an address has a colon")))
    }

    fn converts_to(&self, to: &Type) -> bool {
        *to == Type::String
    }

    fn convert_to(&self, capsule: &Capsule, to: &Type) -> Option<Result<Value, ValueError>> {
        (*to == Type::String).then(|| Ok(s(address(capsule))))
    }

    fn to_json(&self, capsule: &Capsule) -> Option<String> {
        Some(format!("{:?}", address(capsule)))
    }

    fn console_text(&self, capsule: &Capsule) -> Option<String> {
        Some(format!("<{}>", address(capsule)))
    }
}

/// The one type of addresses: a capsule type is equal only to itself.
fn addresses() -> CapsuleType {
    use std::sync::OnceLock;
    static TYPE: OnceLock<CapsuleType> = OnceLock::new();
    TYPE.get_or_init(|| CapsuleType::with_operations("address", Box::new(Addresses))).clone()
}

fn at(text: &str) -> Value {
    Value::capsule(addresses(), Arc::new(text.to_owned()))
}

#[test]
fn capsules_do_what_their_host_says() {
    let ty = Type::Capsule(addresses());
    assert_eq!(at("a:1").equals(&at("a:1")).as_bool(), Some(true));
    assert_eq!(at("a:1").equals(&at("a:2")).as_bool(), Some(false));
    assert_eq!(at("a:1").equals(&s("a:1")).as_bool(), Some(false));
    let set = Value::set(ty.clone(), vec![at("a:1"), at("b:1"), at("a:1")]);
    assert_eq!(set.len(), Some(2));
    assert_eq!(set.has_element(&at("b:1")).as_bool(), Some(true));
    assert_eq!(at("a:1").display_console(), "<a:1>");
    assert_eq!(object(&[("at", at("a:1"))]).to_json().unwrap(), r#"{"at":"a:1"}"#);
    assert_eq!((ty.friendly_name(), ty.constraint_name()), ("address".to_owned(), "address".to_owned()));
}

#[test]
fn capsules_convert_unsafely() {
    let ty = Type::Capsule(addresses());
    assert_eq!(conversion_kind(&Type::String, &ty), Conversion::Unsafe);
    assert_eq!(conversion_kind(&ty, &Type::String), Conversion::Unsafe);
    assert_eq!(conversion_kind(&ty, &Type::Number), Conversion::None);
    assert_eq!(conversion_kind(&ty, &ty), Conversion::Same);
    assert!(convert(&s("a:1"), &ty).unwrap().raw_equals(&at("a:1")));
    assert_eq!(convert(&at("a:1"), &Type::String).unwrap().as_str(), Some("a:1"));
    assert!(convert(&s("a"), &ty).unwrap_err().detail().contains("colon"));
    let many = convert(&Value::tuple(vec![s("a:1"), s("b:1")]), &Type::list(ty.clone())).unwrap();
    assert!(many.raw_equals(&Value::list(ty.clone(), vec![at("a:1"), at("b:1")])));
    let error = convert(&Value::tuple(vec![s("a:1"), s("b")]), &Type::list(ty)).unwrap_err();
    assert_eq!(error.path.to_text(), "[1]");
}

#[test]
fn capsules_without_operations_are_themselves_only() {
    let ty = CapsuleType::new("handle");
    let make = |payload: &Arc<u8>| Value::capsule(ty.clone(), Arc::<u8>::clone(payload));
    let (one, other) = (Arc::new(1), Arc::new(1));
    assert_eq!(make(&one).equals(&make(&one)).as_bool(), Some(true));
    assert_eq!(make(&one).equals(&make(&other)).as_bool(), Some(false));
    let stranger = Value::capsule(CapsuleType::new("handle"), one.clone());
    assert_eq!(make(&one).equals(&stranger).as_bool(), Some(false));
    assert_eq!(make(&one).as_capsule().unwrap().downcast_ref::<u8>(), Some(&1));
    assert!(make(&one).as_capsule().unwrap().downcast_ref::<u16>().is_none());
    assert!(make(&one).to_json().is_err());
    assert!(convert(&make(&one), &Type::String).is_err());
    let set = Value::set(Type::Capsule(ty.clone()), vec![make(&one), make(&other), make(&one)]);
    assert_eq!(set.len(), Some(2));
}

#[test]
fn marks_come_off_and_go_back() {
    let inner = object(&[("b", s("x").mark(Mark::new("m"))), ("c", n(1))]);
    let value = object(&[("a", Value::tuple(vec![inner]).mark(Mark::sensitive()))]).mark(Mark::new("top"));
    let (shallow, marks) = value.unmark();
    assert!(marks.contains_name("top") && shallow.contains_marks() && !shallow.is_marked());
    let (plain, all) = value.unmark_deep();
    assert_eq!(all.len(), 3);
    assert!(!plain.contains_marks());
    let (_, places) = value.unmark_deep_with_paths();
    let texts: Vec<_> =
        places.iter().map(|(path, marks)| format!("{}!{}", path.to_text(), marks.len())).collect();
    assert_eq!(texts, ["!1", ".a!1", ".a[0].b!1"]);
    assert!(plain.mark_with_paths(&places).raw_equals(&value));
    let nowhere = (Path::new().attribute("z").index(n(3)), Marks::one(Mark::new("m")));
    assert!(plain.mark_with_paths(&[nowhere]).raw_equals(&plain));
    assert!(value.has_mark(&Mark::new("top")) && !value.has_mark(&Mark::sensitive()));
}

#[test]
fn values_are_rebuilt_from_the_inside_out() {
    let value = object(&[("a", Value::tuple(vec![s("x"), s("y")])), ("n", Value::null(Type::String))]);
    let mut order = Vec::new();
    let changed = value.transform(&mut |path, part| {
        order.push(path.to_text());
        Ok(part.as_str().map(|text| s(&text.to_uppercase())).unwrap_or(part))
    });
    assert_eq!(order, [".a[0]", ".a[1]", ".a", ".n", ""]);
    assert_eq!(changed.unwrap().to_json().unwrap(), r#"{"a":["X","Y"],"n":null}"#);
    let list = Value::list(Type::String, vec![s("1"), s("2")]);
    let numbers = list.transform(&mut |_, part| match part.as_str() {
        Some(text) => Ok(Value::number(Number::parse(text).unwrap())),
        None => Ok(part),
    });
    assert_eq!(numbers.unwrap().ty(), Type::list(Type::Number));
    let failed = value.transform(&mut |path, part| match path.steps().len() {
        2 => Err(ValueError::conversion("no")),
        _ => Ok(part),
    });
    assert!(failed.is_err());
}

#[test]
fn paths_lead_somewhere_or_say_why_not() {
    let value =
        object(&[("a", Value::list(Type::Number, vec![n(1), n(2)])), ("z", Value::null(Type::String))]);
    let apply = |path: Path| path.apply(&value);
    let a = || Path::new().attribute("a");
    assert!(apply(a().index(n(1))).unwrap().raw_equals(&n(2)));
    assert!(
        apply(a().index(Value::unknown(Type::Number))).unwrap().raw_equals(&Value::unknown(Type::Number))
    );
    for path in [
        a().index(n(2)),
        a().index(n(-1)),
        a().index(s("0")),
        a().attribute("b"),
        Path::new().attribute("b"),
        Path::new().attribute("z").attribute("b"),
        Path::new().index(n(0)),
    ] {
        assert!(apply(path.clone()).is_err(), "{}", path.to_text());
    }
    let set = Value::set(Type::String, vec![s("x")]);
    assert!(Path::new().index(s("x")).apply(&set).unwrap().raw_equals(&s("x")));
    assert!(Path::new().index(s("y")).apply(&set).is_err());
    let later = Value::unknown(Type::set(Type::String));
    assert!(Path::new().index(s("y")).apply(&later).unwrap().raw_equals(&Value::unknown(Type::String)));
    assert_eq!(a().index(s("k k")).index(n(0)).to_text(), ".a[\"k k\"][0]");
}

#[test]
fn keys_and_collections_that_are_unknown_leave_open_what_their_types_do_not_tell() {
    let unknown = Value::unknown;
    let (list, map) = (Type::list(Type::Bool), Type::map(Type::Bool));
    let tuple = Type::tuple(vec![Type::Bool, Type::String]);
    let found = |value: &Value, key: Value| match Path::new().index(key).apply(value) {
        Ok(part) if !part.is_known() => part.ty().friendly_name(),
        Ok(part) => part.to_string(),
        Err(error) => error.to_string(),
    };
    let [no_list, no_map, no_element] = [(n(0), n(0)), (n(0), s("x")), (Value::tuple(vec![]), n(0))]
        .map(|(value, key)| Path::new().index(key).apply(&value).expect_err("no way").to_string());
    let no_key = Path::new().index(Value::bool(true)).apply(&n(0)).expect_err("no way").to_string();
    for key in [unknown(Type::Number), unknown(Type::String), Value::dynamic(), n(0), s("x")] {
        assert_eq!(found(&Value::dynamic(), key), "dynamic");
    }
    for key in [unknown(Type::Number), Value::dynamic()] {
        for value in [unknown(list.clone()), Value::list(Type::Bool, vec![])] {
            assert_eq!(found(&value, key.clone()), "bool");
        }
        for value in [unknown(tuple.clone()), Value::tuple(vec![n(1)])] {
            assert_eq!(found(&value, key.clone()), "dynamic");
        }
        assert_eq!(found(&unknown(list.clone()), n(7)), "bool");
        assert_eq!(found(&unknown(tuple.clone()), n(1)), "string");
        assert_eq!(found(&unknown(tuple.clone()), n(2)), no_element);
    }
    for key in [unknown(Type::String), Value::dynamic(), s("x")] {
        assert_eq!(found(&unknown(map.clone()), key), "bool");
    }
    for value in [unknown(list.clone()), unknown(tuple), s("x")] {
        assert_eq!(found(&value, unknown(Type::String)), no_map);
        assert_eq!(found(&value, s("x")), no_map);
    }
    for value in [unknown(map), s("x")] {
        assert_eq!(found(&value, unknown(Type::Number)), no_list);
        assert_eq!(found(&value, n(0)), no_list);
    }
    assert_eq!(found(&unknown(list), unknown(Type::Bool)), no_key);
}

#[test]
fn json_under_a_type_converts_first() {
    let typed = |value: &Value, ty: &Type| value.to_typed_json(ty);
    let tuple = Value::tuple(vec![n(1), s("x")]);
    assert_eq!(typed(&tuple, &Type::list(Type::String)).unwrap(), r#"["1","x"]"#);
    assert!(typed(&n(1), &Type::Bool).is_err());
    assert!(typed(&Value::null(Type::String), &Type::list(Type::Bool)).is_err());
    let optional = Type::object(vec![ObjectAttribute::optional("a", Type::Number)]);
    assert_eq!(typed(&object(&[]), &optional).unwrap(), r#"{"a":null}"#);
    // What is unknown may be known once it is converted: an empty map of an object without attributes.
    let empty = Value::unknown(Type::object(vec![])).refine_not_null();
    assert_eq!(typed(&empty, &Type::map(Type::String)).unwrap(), "{}");
    for (value, path) in [
        (Value::tuple(vec![Value::unknown(Type::String)]), "[0]"),
        (object(&[("a", s("x").mark(Mark::new("m")))]), ".a"),
    ] {
        assert_eq!(typed(&value, &Type::Dynamic).unwrap_err().path.to_text(), path);
    }
}

#[test]
fn json_collections_agree_on_one_type() {
    let text = r#"[{"value":1,"type":"number"},null]"#;
    let list = Value::from_json(text, &Type::list(Type::Dynamic)).unwrap();
    assert!(list.raw_equals(&Value::list(Type::Number, vec![n(1), Value::null(Type::Number)])));
    let mixed = r#"[{"value":1,"type":"number"},{"value":"a","type":"string"}]"#;
    for ty in [Type::list(Type::Dynamic), Type::set(Type::Dynamic)] {
        assert!(Value::from_json(mixed, &ty).is_err());
    }
    let keyed = r#"{"a":{"value":1,"type":"number"},"b":{"value":"a","type":"string"}}"#;
    assert!(Value::from_json(keyed, &Type::map(Type::Dynamic)).is_err());
    let twice = r#"{"a":{"value":1,"type":"number"},"a":{"value":"x","type":"string"}}"#;
    let last = Value::from_json(twice, &Type::map(Type::Dynamic)).unwrap();
    assert!(last.raw_equals(&Value::map(Type::String, vec![("a".into(), s("x"))])));
    let each = Type::object(["a", "b"].map(|name| ObjectAttribute::new(name, Type::Dynamic)).to_vec());
    assert!(Value::from_json(keyed, &each).is_ok());
}

#[test]
fn nulls_and_unknowns_of_no_type_take_that_of_their_neighbours() {
    let list = Value::list(Type::Dynamic, vec![Value::null(Type::Dynamic), n(1), Value::dynamic()]);
    let elements = list.elements().unwrap();
    assert!(elements[0].raw_equals(&Value::null(Type::Number)));
    assert!(elements[2].raw_equals(&Value::unknown(Type::Number)));
    let none = Value::list(Type::Dynamic, vec![Value::null(Type::Dynamic)]);
    assert_eq!(none.ty(), Type::list(Type::Dynamic));
}

#[test]
fn refinements_that_can_not_be_are_refused() {
    let number = || Number::integer_512(1);
    let refused = |value: Value, refinement: &Refinement| value.refine(refinement).is_err();
    let null = Refinement::new().null();
    assert!(refused(n(1), &null));
    assert!(refused(Value::null(Type::Number), &Refinement::new().not_null()));
    assert!(refused(Value::null(Type::Number), &Refinement::new().min(number(), true)));
    assert!(refused(n(0), &Refinement::new().min(number(), true)));
    assert!(refused(n(1), &Refinement::new().max(number(), false)));
    let above = Value::unknown(Type::Number).refine(&Refinement::new().min(number(), false)).unwrap();
    assert!(refused(above.clone(), &Refinement::new().max(number(), true)));
    assert!(above.refine(&null).unwrap().is_null());
    assert!(!refused(Value::dynamic(), &Refinement::new().prefix_full("x")));
    let text = Value::unknown(Type::String).mark(Mark::new("m"));
    let text = text.refine(&Refinement::new().prefix_full("ab")).unwrap();
    assert!(text.is_marked(), "refining keeps marks");
    assert!(refused(text.clone(), &Refinement::new().prefix_full("b")));
    assert_eq!(
        text.refine(&Refinement::new().prefix_full("abc")).unwrap().refinement_text().unwrap(),
        "string, prefix \"abc\""
    );
}

/// One number at two precisions prints differently where it is no whole one, and is not equal then: so it is neither
/// less nor greater, and not "less or equal" either.
#[test]
fn less_or_equal_means_equal_as_printed() {
    use hcl_eval::value::logic;
    let float = Number::from_f64(1.1).unwrap();
    let wide = float.add(&Number::integer_512(1)).unwrap().sub(&Number::integer_512(1)).unwrap();
    assert!(float.cmp(&wide).is_eq());
    let (float, wide) = (Value::number(float), Value::number(wide));
    for compare in [logic::less, logic::less_equal, logic::greater, logic::greater_equal] {
        assert_eq!(compare(&float, &wide).unwrap().as_bool(), Some(false));
    }
    assert_eq!(logic::less_equal(&n(1), &Value::int(1)).unwrap().as_bool(), Some(true));
}
