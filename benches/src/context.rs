//! The variables that expressions are evaluated with: 124 KB as JSON, the same for all contenders.

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

/// The attributes of a variable of about `bytes` bytes as JSON, with `a.b.c` among them.
pub(crate) fn variables_of_size(bytes: usize) -> Datum {
    let n_machines = i64::try_from(bytes / BYTES_OF_MACHINE).unwrap_or(i64::MAX);
    Datum::Object(vec![
        ("machines".into(), Datum::List((0..n_machines).map(machine).collect())),
        ("a".into(), Datum::Object(vec![("b".into(), Datum::Object(vec![("c".into(), Datum::Int(42))]))])),
    ])
}

/// A machine as JSON, with its comma.
const BYTES_OF_MACHINE: usize = 75;

/// The variables as JSON for the reference: `var`, with a number among its attributes that is no sum of powers of two.
pub(crate) fn variables_of_reference() -> serde_json::Value {
    let mut variables = json(Datum::Object(variables()));
    variables["tenth"] = serde_json::json!(0.1);
    serde_json::json!({ "var": variables })
}

fn json(datum: Datum) -> serde_json::Value {
    match datum {
        Datum::Bool(bool) => bool.into(),
        Datum::Int(int) => int.into(),
        Datum::Text(text) => text.into(),
        Datum::List(elements) => elements.into_iter().map(json).collect(),
        Datum::Object(fields) => fields.into_iter().map(|(name, datum)| (name, json(datum))).collect(),
    }
}
