//! cel, with the equivalent expressions of that language. `var` is a reserved word there, so it is `v`.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;

use cel::extractors::This;
use cel::objects::{Key, Map};
use cel::{Context, Program, Value};

use crate::context::{self, Datum};

/// Name of the expression, and what it is here; what has no equivalent is missing.
const EXPRESSIONS: [(&str, &str); 14] = [
    ("const_arith", "1 + 2 * 3"),
    ("traversal", "v.a.b.c"),
    ("bool_cmp", r#"v.env == "prod" && v.count > 3"#),
    ("conditional", r#"v.env == "prod" ? v.count * 2 : 1"#),
    (
        "template5",
        r#"v.prefix + "-" + v.region + "-" + v.env + "-" + string(v.count) + "." + string(v.a.b.c)"#,
    ),
    ("for_upper_10", r#"v.list10.filter(s, s != "").map(s, s.upper())"#),
    ("for_upper_1000", r#"v.list1000.filter(s, s != "").map(s, s.upper())"#),
    ("for_nested_10x10", r#"v.list10.map(a, v.list10.map(b, a + "/" + b))"#),
    ("for_filter_1000", "v.objs1000.filter(o, o.enabled && o.size > 100).map(o, double(o.size) * 1.5)"),
    ("splat_1000", "v.objs1000.map(o, o.name)"),
    ("index_map1000", r#"v.map1000["key500"]"#),
    ("join_1000", r#"v.list1000.join(",")"#),
    (
        "object_8",
        r#"{"name": v.prefix, "env": v.env, "region": v.region, "n": v.count, "a": 1, "b": true, "c": [1, 2, 3], "d": v.env + "-x"}"#,
    ),
    (
        "num_20ops",
        "((double(v.count) * 3.25 + 17.0) / 7.0 - 2.0) * double(v.count % 3 + 1) + ((double(v.count) - 1.5) * (double(v.count) + 2.5) / 3.0 + 9.0) * 4.0 - (double(v.count * v.count) + 0.1) / (double(v.count) + 0.2) + 1.0 - 2.0 * 3.0",
    ),
];

/// The context with the variable and two functions that the language lacks.
pub(crate) struct Cel(Context<'static, 'static>);

impl Cel {
    pub(crate) fn new() -> Self {
        let mut context = Context::default();
        context.add_variable_from_value("v", value(Datum::Object(context::variables())));
        context
            .add_function("upper", |This(text): This<Arc<String>>| text.to_uppercase())
            .expect("the name is free");
        context.add_function("join", join).expect("the name is free");
        Self(context)
    }

    /// The text of an expression here.
    pub(crate) fn text(name: &str) -> Option<&'static str> {
        EXPRESSIONS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    pub(crate) fn compile(text: &str) -> Program {
        Program::compile(text).expect("the texts above are valid")
    }

    pub(crate) fn evaluate(&self, program: &Program) -> Value {
        black_box(program.execute(&self.0).expect("the texts above have values"))
    }

    /// The answer.
    pub(crate) fn value(&self, text: &str) -> Option<serde_json::Value> {
        self.evaluate(&Self::compile(text)).json().ok()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the signature is cel's")]
fn join(This(elements): This<Arc<Vec<Value>>>, separator: Arc<String>) -> String {
    let mut joined = String::new();
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            joined.push_str(&separator);
        }
        if let Value::String(text) = element {
            joined.push_str(text);
        }
    }
    joined
}

fn value(datum: Datum) -> Value {
    match datum {
        Datum::Bool(bool) => Value::Bool(bool),
        Datum::Int(int) => Value::Int(int),
        Datum::Text(text) => Value::String(Arc::new(text)),
        Datum::List(elements) => Value::List(Arc::new(elements.into_iter().map(value).collect())),
        Datum::Object(fields) => {
            let entries = fields.into_iter().map(|(name, datum)| (Key::String(Arc::new(name)), value(datum)));
            Value::Map(Map { map: Arc::new(entries.collect::<HashMap<_, _>>()) })
        }
    }
}
