//! Properties that hold for any value, on seeded random values; deep and large values.

#![expect(clippy::unwrap_used, reason = "a failed test panics, its helpers too")]

use hcl_eval::value::json::JsonOptions;
use hcl_eval::value::{arithmetic, index, logic};
use hcl_eval::{Kind, Mark, Number, Refinement, Str, Type, Value};

/// A small generator of pseudo-random numbers; the same seed gives the same values.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n).unwrap()).unwrap()
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    fn text(&mut self) -> String {
        let parts =
            ["", "a", "b", "-", "\n", "\"", "\\", "<", "é", "n\u{303}", "\u{303}", "😀", "\u{200b}", "1"];
        (0..self.below(4)).map(|_| self.pick(&parts)).collect()
    }

    fn number(&mut self) -> Number {
        match self.below(6) {
            0 => Number::parse("0.5").unwrap(),
            1 => Number::from_i64(i64::MAX),
            2 => Number::negative_zero(),
            3 => Number::infinity(self.below(2) == 0),
            _ => Number::integer_512(i64::try_from(self.below(5)).unwrap() - 2),
        }
    }

    fn ty(&mut self) -> Type {
        self.pick(&[Type::Dynamic, Type::Bool, Type::Number, Type::String, Type::list(Type::String)])
    }

    fn plain(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0 => Value::string(self.text()),
            1 => Value::number(self.number()),
            2 => Value::bool(self.below(2) == 0),
            3 => Value::null(self.ty()),
            4 => Value::tuple((0..self.below(4)).map(|_| self.value(depth - 1)).collect()),
            5 => {
                let entries = (0..self.below(4)).map(|_| (Str::from(self.text()), self.value(depth - 1)));
                Value::object(entries.collect())
            }
            6 => Value::list(Type::String, (0..self.below(4)).map(|_| Value::string(self.text())).collect()),
            7 => Value::set(Type::Number, (0..self.below(5)).map(|_| Value::number(self.number())).collect()),
            _ => Value::map(
                Type::Bool,
                (0..self.below(4)).map(|_| (Str::from(self.text()), Value::TRUE)).collect(),
            ),
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        let value = match self.below(8) {
            0 => Value::unknown(self.ty()),
            1 => {
                let text = self.text();
                let known = Refinement::new().not_null().prefix(&text).min(self.number(), true);
                Value::unknown_refined(self.ty(), known)
            }
            _ => self.plain(depth),
        };
        if self.below(8) == 0 {
            value.mark(Mark::new(self.pick(&["sensitive", "ephemeral", "m"])))
        } else {
            value
        }
    }
}

#[test]
fn no_operation_panics_and_equality_is_symmetric() {
    let mut random = Random(0x5eed);
    for _ in 0..20_000 {
        let (a, b) = (random.value(3), random.value(3));
        let (one, other) = (a.equals(&b), b.equals(&a));
        assert!(one.raw_equals(&other), "{a:?} and {b:?}");
        assert!(a.raw_equals(&a.clone()) && a.is_type(&a.ty()) && a.same_type(&a), "{a:?}");
        if a.raw_equals(&b) {
            assert_ne!(one.as_bool(), Some(false), "{a:?}");
        }
        for operation in [arithmetic::add, arithmetic::divide, arithmetic::modulo, arithmetic::multiply] {
            let _ = operation(&a, &b);
        }
        for operation in [logic::and, logic::or, logic::less, logic::less_equal, logic::greater_equal] {
            let _ = operation(&a, &b);
        }
        let _ = (index::index(&a, &b), index::attribute(&a, "a"), a.length(), a.has_element(&b));
        let _ = (a.display_console(), format!("{a:?}"), a.ty().to_console_text());
        assert!(a.unknown_as_null().is_wholly_known());
    }
}

#[test]
fn marks_come_off_and_go_back() {
    let mut random = Random(0xabcd);
    for _ in 0..5_000 {
        let value = random.value(4);
        let (plain, found) = value.unmark_deep_with_paths();
        assert!(!plain.contains_marks());
        assert!(plain.mark_with_paths(&found).raw_equals(&value), "{value:?}");
        let rebuilt = value.transform(&mut |_, part| Ok(part)).unwrap();
        assert!(rebuilt.raw_equals(&value), "{value:?} became {rebuilt:?}");
    }
}

#[test]
fn json_comes_back() {
    let mut random = Random(0x1234);
    for _ in 0..5_000 {
        let value = random.plain(4).unmark_deep().0.unknown_as_null();
        let Ok(text) = value.to_typed_json(&Type::Dynamic) else { continue };
        let back = Value::from_json(&text, &Type::Dynamic).unwrap();
        assert!(back.raw_equals(&value), "{value:?} as {text} became {back:?}");
        let plain = value.to_json().unwrap();
        assert_eq!(Value::from_json_implied(&plain).unwrap().to_json().unwrap(), plain);
    }
}

#[test]
fn sets_do_not_depend_on_the_order_of_equals() {
    let mut random = Random(0x77);
    for _ in 0..2_000 {
        let values: Vec<Value> = (0..6)
            .map(|_| Value::tuple(vec![random.plain(0).unknown_as_null()]))
            .filter(|v| v.ty() == Type::tuple(vec![Type::String]))
            .collect();
        let ty = Type::tuple(vec![Type::String]);
        let forward = Value::set(ty.clone(), values.clone());
        let backward = Value::set(ty, values.into_iter().rev().collect());
        assert!(forward.raw_equals(&backward));
        let again = Value::set(Type::Dynamic, forward.elements().unwrap().to_vec());
        assert!(again.raw_equals(&forward) || forward.is_empty());
    }
}

fn nested(depth: usize, wrap: impl Fn(Value) -> Value) -> Value {
    (0..depth).fold(Value::string("x"), |inner, _| wrap(inner))
}

#[test]
fn values_nested_100_000_deep_use_no_stack() {
    let depth = 100_000;
    let wraps: [fn(Value) -> Value; 4] = [
        |v| Value::tuple(vec![v]),
        |v| Value::object(vec![("a".into(), v)]),
        |v| Value::list(v.ty(), vec![v]),
        |v| Value::tuple(vec![v]).mark(Mark::new("m")),
    ];
    for wrap in wraps {
        let value = nested(depth, wrap);
        let twin = nested(depth, wrap);
        assert_eq!(value.depth(), 100_000);
        assert!(value.raw_equals(&twin));
        assert_eq!(value.equals(&twin).as_bool(), Some(true));
        let ty = value.ty();
        assert!(value.is_type(&ty) && ty == twin.ty() && ty.conforms_to(&ty.clone()));
        assert!(ty.to_type_text().len() > depth);
        let (plain, _) = value.unmark_deep();
        let text = plain.to_json().unwrap();
        let options = JsonOptions { max_depth: 200_000, ..JsonOptions::default() };
        assert_eq!(Value::from_json_implied_with(&text, &options).unwrap().to_json().unwrap(), text);
        assert_eq!(plain.unknown_as_null().kind(), value.kind());
        assert!(value.display_console_bounded(hcl_eval::value::Reveal::Redacted, 100_000).is_err());
    }
}

#[test]
fn crafted_sets_stay_fast() {
    // All of these share ten significant digits, so the reference puts them into one bucket.
    let number = |i: i64| Value::number(Number::integer_512(1_000_000_000_000_000 + i));
    let flat: Vec<Value> = (0..50_000).map(number).collect();
    assert_eq!(Value::set(Type::Number, flat.clone()).len(), Some(50_000));
    let wrapped: Vec<Value> = flat.into_iter().map(|v| Value::tuple(vec![v])).collect();
    let set = Value::set(Type::tuple(vec![Type::Number]), wrapped);
    assert_eq!(set.len(), Some(50_000));
    assert_eq!(set.equals(&set.transform(&mut |_, part| Ok(part)).unwrap()).as_bool(), Some(true));
}

#[test]
fn keys_are_found_in_shapes_of_any_size() {
    for size in [0_usize, 1, 2, 7, 8, 9, 33, 1000] {
        for stem in ["", "attribute_", "a\0", "é"] {
            let names: Vec<Str> = (0..size).map(|i| Str::from(format!("{stem}{}", i * 7))).collect();
            let object =
                Value::object(names.iter().map(|name| (name.clone(), Value::string(name))).collect());
            for name in &names {
                assert_eq!(object.get_attribute(name).and_then(Value::as_str), Some(name.as_str()));
            }
            for missing in ["", "attribute", "attribute_x", "zz", "a", "0x"] {
                assert!(object.get_attribute(missing).is_none());
            }
            assert_eq!(object.kind(), Kind::Object);
        }
    }
}
