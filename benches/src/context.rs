//! The variables that expressions are evaluated with: 124 KB as JSON, the same for all contenders.

use hcl_eval::{Str, Value};
use hcl_rs::eval::Context;

/// A value in nobody's form yet.
#[derive(Clone, Debug)]
pub(crate) enum Datum {
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Datum>),
    Object(Vec<(String, Datum)>),
}

const WORDS: [&str; 10] = ["alpha", "bravo", "core", "data", "edge", "fleet", "gate", "hub", "infra", "job"];

/// The attributes of the variable `var`.
pub(crate) fn variables() -> Vec<(String, Datum)> {
    let object = |fields: Vec<(&str, Datum)>| {
        Datum::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    };
    let texts = |prefix: &str, value: &str, count: i64| {
        Datum::Object((0..count).map(|i| (format!("{prefix}{i}"), text(&format!("{value}{i}")))).collect())
    };
    vec![
        ("a".into(), object(vec![("b", object(vec![("c", Datum::Int(42))]))])),
        ("env".into(), text("prod")),
        ("count".into(), Datum::Int(5)),
        ("prefix".into(), text("acme")),
        ("region".into(), text("eu-west-1")),
        ("list10".into(), Datum::List((0..10).map(word).collect())),
        ("list1000".into(), Datum::List((0..1000).map(word).collect())),
        ("objs10".into(), Datum::List((0..10).map(machine).collect())),
        ("objs1000".into(), Datum::List((0..1000).map(machine).collect())),
        ("map1000".into(), texts("key", "value", 1000)),
        ("tags".into(), texts("tag", "v", 6)),
    ]
}

fn text(text: &str) -> Datum {
    Datum::Text(text.to_owned())
}

/// A short string; every tenth is empty.
fn word(i: i64) -> Datum {
    let word = WORDS[usize::try_from(i % 10).unwrap_or_default()];
    if i % 10 == 3 { text("") } else { Datum::Text(format!("{word}-{i}")) }
}

fn machine(i: i64) -> Datum {
    Datum::Object(vec![
        ("id".into(), Datum::Text(format!("i-{i:08x}"))),
        ("name".into(), Datum::Text(format!("node-{i}"))),
        ("zone".into(), Datum::Text(format!("zone-{}", i % 7))),
        ("enabled".into(), Datum::Bool(i % 3 != 0)),
        ("size".into(), Datum::Int(i * 37 % 500)),
    ])
}

/// The variable `var` for libhcl: objects and tuples, as decoding JSON without a type makes them.
pub(crate) fn our_value() -> Value {
    to_ours(Datum::Object(variables()))
}

fn to_ours(datum: Datum) -> Value {
    match datum {
        Datum::Bool(bool) => Value::bool(bool),
        Datum::Int(int) => Value::int(int),
        Datum::Text(text) => Value::string(text),
        Datum::List(elements) => Value::tuple(elements.into_iter().map(to_ours).collect()),
        Datum::Object(fields) => {
            Value::object(fields.into_iter().map(|(name, value)| (Str::from(name), to_ours(value))).collect())
        }
    }
}

/// The context for hcl-rs: each attribute of `var` a variable of its own, because hcl-rs copies a whole
/// variable whenever it is used.
pub(crate) fn hcl_rs_context() -> Context<'static> {
    let mut context = Context::new();
    for (name, value) in variables() {
        context.declare_var(name, to_hcl_rs(value));
    }
    context
}

fn to_hcl_rs(datum: Datum) -> hcl_rs::Value {
    match datum {
        Datum::Bool(bool) => bool.into(),
        Datum::Int(int) => int.into(),
        Datum::Text(text) => text.into(),
        Datum::List(elements) => hcl_rs::Value::Array(elements.into_iter().map(to_hcl_rs).collect()),
        Datum::Object(fields) => {
            hcl_rs::Value::Object(fields.into_iter().map(|(name, value)| (name, to_hcl_rs(value))).collect())
        }
    }
}
