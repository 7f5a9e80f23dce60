//! Specifications made in Rust: those that only a program can make, and the reference's own examples of the others.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::sync::Arc;

use hcl_eval::decode::{
    AttributeSpec, BlockAttributesSpec, BlockLabelSpec, BlockMapSpec, BlockSpec, BlocksSpec, BodySpec,
    Collection, ObjectSpec, RefineSpec, Spec, SpecFile, TransformSpec, ValidateSpec, decode, decode_with,
    source_place, variables,
};
use hcl_eval::dynamic::{Body, Expansion};
use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::limits::Limits;
use hcl_eval::types::type_expr::parse_type_text;
use hcl_eval::value::Refinement;
use hcl_eval::{Mark, Type, Value};
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, Severity};
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

fn config(text: &str) -> ConfigBody {
    let (file, problems) = parse_file(Source::new("main.hcl", text).unwrap(), &ParseLimits::default());
    assert_eq!(problems, []);
    ConfigBody::from(&file)
}

fn decoded(text: &str, spec: Spec) -> (Value, Diagnostics) {
    decode(&Body::from(config(text)), &BodySpec::new(spec), None, &EvalOptions::default())
}

/// The value, its type and the titles of what is wrong.
fn told(text: &str, spec: Spec) -> (String, String, Vec<String>) {
    let (value, problems) = decoded(text, spec);
    let shown = value.to_json().unwrap_or_else(|_| value.refinement_text().unwrap_or_default());
    (
        shown,
        value.ty().to_type_text(),
        problems.into_iter().map(|problem| problem.summary.into_owned()).collect(),
    )
}

fn attribute(name: &str, ty: Type) -> Spec {
    Spec::Attribute(AttributeSpec { name: name.into(), ty, defaults: None, required: false })
}

fn empty() -> Spec {
    Spec::Object(ObjectSpec::new(Default::default()))
}

fn label(index: usize, name: &str) -> Spec {
    Spec::BlockLabel(BlockLabelSpec { index, name: name.into() })
}

fn blocks(collection: Collection, nested: Spec, (min_items, max_items): (i64, i64)) -> Spec {
    let nested = Arc::new(BodySpec::new(nested));
    Spec::Blocks(BlocksSpec { collection, block_type: "b".into(), min_items, max_items, nested })
}

fn by_labels(labels: &[&str], nested: Spec) -> BlockMapSpec {
    let label_names = labels.iter().map(|name| (*name).into()).collect();
    BlockMapSpec { block_type: "b".into(), label_names, nested: Arc::new(BodySpec::new(nested)) }
}

fn only_block(nested: Spec) -> Spec {
    Spec::Block(BlockSpec {
        block_type: "b".into(),
        required: false,
        nested: Arc::new(BodySpec::new(nested)),
    })
}

#[track_caller]
fn check(text: &str, spec: Spec, value: &str, ty: &str, titles: &[&str]) {
    let (got, got_type, problems) = told(text, spec);
    assert_eq!((got.as_str(), got_type.as_str()), (value, ty), "{text}");
    assert_eq!(problems, titles, "{text}");
}

#[test]
fn tuples_of_blocks() {
    let tuple = |nested, counts| blocks(Collection::Tuple, nested, counts);
    let any = || attribute("a", Type::Dynamic);
    check("b {}\nb {}\n", tuple(empty(), (0, 0)), "[{},{}]", "tuple([object({}),object({})])", &[]);
    check("", tuple(empty(), (0, 0)), "[]", "tuple([])", &[]);
    check(
        "b \"foo\" {}\nb \"bar\" {}\n",
        tuple(label(0, "name"), (0, 0)),
        "[\"foo\",\"bar\"]",
        "tuple([string,string])",
        &[],
    );
    let three = "tuple([object({}),object({}),object({})])";
    check("b {}\nb {}\nb {}\n", tuple(empty(), (0, 2)), "[{},{},{}]", three, &["Too many b blocks"]);
    check("b {}\n", tuple(empty(), (10, 0)), "[{}]", "tuple([object({})])", &["Insufficient b blocks"]);
    check(
        "b {\n  a = true\n}\nb {\n  a = 1\n}\n",
        tuple(any(), (0, 0)),
        "[true,1]",
        "tuple([bool,number])",
        &[],
    );
    assert_eq!(tuple(any(), (0, 0)).implied_type(), Type::Dynamic);
}

#[test]
fn objects_of_blocks() {
    let object = |labels: &[&str], nested| Spec::BlockObject(by_labels(labels, nested));
    let one = || object(&["key"], empty());
    let two = || object(&["key1", "key2"], empty());
    let of = |names: &str| format!("object({{{names}}})");
    check(
        "b \"foo\" {}\nb \"bar\" {}\n",
        one(),
        r#"{"bar":{},"foo":{}}"#,
        &of("bar=object({}),foo=object({})"),
        &[],
    );
    let nested = of("bar=object({baz=object({})}),foo=object({bar=object({})})");
    check(
        "b \"foo\" \"bar\" {}\nb \"bar\" \"baz\" {}\n",
        two(),
        r#"{"bar":{"baz":{}},"foo":{"bar":{}}}"#,
        &nested,
        &[],
    );
    let nested = of("foo=object({bar=object({}),baz=object({})})");
    check(
        "b \"foo\" \"bar\" {}\nb \"foo\" \"baz\" {}\n",
        two(),
        r#"{"foo":{"bar":{},"baz":{}}}"#,
        &nested,
        &[],
    );
    check("b \"foo\" \"bar\" {}\n", one(), "{}", "object({})", &["Extraneous label for b"]);
    check("b \"bar\" {}\n", two(), "{}", "object({})", &["Missing key2 for b"]);
    check(
        "b \"foo\" {}\nb \"foo\" {}\n",
        one(),
        r#"{"foo":{}}"#,
        &of("foo=object({})"),
        &["Duplicate b block"],
    );
    let labelled = || object(&["type"], label(0, "name"));
    check(
        "b \"foo\" \"bar\" {}\nb \"bar\" \"baz\" {}\n",
        labelled(),
        r#"{"bar":"baz","foo":"bar"}"#,
        &of("bar=string,foo=string"),
        &[],
    );
    check("b \"foo\" {}\n", labelled(), "{}", "object({})", &["Missing name for b"]);
    let any = object(&["type"], attribute("arg", Type::Dynamic));
    check(
        "b \"foo\" {\n  arg = true\n}\nb \"bar\" {\n  arg = 1\n}\n",
        any,
        r#"{"bar":1,"foo":true}"#,
        &of("bar=number,foo=bool"),
        &[],
    );
    check("", one(), "{}", "object({})", &[]);
}

#[test]
fn labels_of_blocks() {
    check("b \"baz\" {\n}\n", only_block(label(0, "name")), "\"baz\"", "string", &[]);
    check(
        "b \"baz\" {}\nb \"foo\" {}\n",
        only_block(label(0, "name")),
        "\"baz\"",
        "string",
        &["Duplicate b block"],
    );
    check("b {\n}\n", only_block(label(0, "name")), "null", "string", &["Missing name for b"]);
    check("", only_block(label(0, "name")), "null", "string", &[]);
    let list = blocks(Collection::List, label(0, "name"), (0, 0));
    check("b \"foo\" {}\nb \"bar\" {}\n", list, "[\"foo\",\"bar\"]", "list(string)", &[]);
    let set = blocks(Collection::Set, Spec::Tuple(vec![label(1, "name"), label(0, "type")]), (0, 0));
    let text = "b \"foo\" \"bar\" {}\nb \"bar\" \"baz\" {}\n";
    check(text, set, r#"[["bar","foo"],["baz","bar"]]"#, "set(tuple([string,string]))", &[]);
    let map = || Spec::BlockMap(by_labels(&["type"], label(0, "name")));
    check(text, map(), r#"{"bar":"baz","foo":"bar"}"#, "map(string)", &[]);
    check("b \"foo\" {}\n", map(), "{}", "map(string)", &["Missing name for b"]);
    // As deep as one likes, and a block in a block has labels of its own.
    let deep = Spec::Default(vec![Spec::Tuple(vec![
        Spec::Literal(Value::from(1)),
        Spec::Tuple(vec![label(0, "name")]),
    ])]);
    check("b \"x\" {}\n", only_block(deep), r#"[1,["x"]]"#, "tuple([number,tuple([string])])", &[]);
    let both = only_block(Spec::Tuple(vec![label(0, "outer"), only_block(label(0, "inner"))]));
    check("b \"x\" {\n  b \"y\" {}\n}\n", both, r#"["x","y"]"#, "tuple([string,string])", &[]);
    // A file is no block.
    check("", label(0, "name"), "null", "string", &["Missing block label"]);
    let body = BodySpec::new(only_block(label(0, "name")));
    let place = source_place(&Body::from(config("b \"x\" {}\n")), &body, &EvalOptions::default());
    assert_eq!(place.unwrap().to_string(), "main.hcl:1,3-6");
}

#[test]
fn labels_of_generated_blocks() {
    let text = "dynamic \"b\" {\n  for_each = [1, 2]\n  labels   = [\"n${b.value}\"]\n  content {}\n}\n";
    let body = Body::expanding(config(text), Arc::new(Expansion::new(None)));
    let spec = BodySpec::new(blocks(Collection::Tuple, label(0, "name"), (0, 0)));
    let (value, problems) = decode(&body, &spec, None, &EvalOptions::default());
    assert_eq!((value.to_json().unwrap().as_str(), problems), (r#"["n1","n2"]"#, Vec::new()));
}

#[test]
fn attributes_of_blocks() {
    let spec = |element_type: Type, required| {
        Spec::BlockAttributes(BlockAttributesSpec {
            block_type: "b".into(),
            element_type,
            defaults: None,
            required,
        })
    };
    check("b {\n}\n", spec(Type::String, false), "{}", "map(string)", &[]);
    check(
        "b {\n  hello = true\n  goodbye = 5\n}\n",
        spec(Type::String, false),
        r#"{"goodbye":"5","hello":"true"}"#,
        "map(string)",
        &[],
    );
    check("", spec(Type::String, false), "null", "map(string)", &[]);
    check("", spec(Type::String, true), "null", "map(string)", &["Missing b block"]);
    check("b {\n}\nb {\n}\n", spec(Type::String, true), "{}", "map(string)", &["Duplicate b block"]);
    let (optional, _) = parse_type_text("object({attr=optional(string)})").unwrap();
    check("", spec(optional.clone(), false), "null", "map(object({attr=string}))", &[]);
    check("", attribute("a", optional), "null", "object({attr=string})", &[]);
}

#[test]
fn defaults() {
    let spec = || Spec::Default(vec![attribute("foo", Type::String), attribute("bar", Type::String)]);
    let body = config("foo = fooval\nbar = barval\n");
    let found = variables(&body, &BodySpec::new(spec()));
    let found: Vec<_> = found.iter().map(|variable| variable.range().to_string()).collect();
    assert_eq!(found, ["main.hcl:1,7-13", "main.hcl:2,7-13"]);
    for (value, wanted) in
        [(Value::string("foo value"), "foo value"), (Value::null(Type::String), "bar value")]
    {
        let scope =
            Scope::builder().variable("fooval", value).variable("barval", Value::string("bar value")).build();
        let body = Body::from(body.clone());
        let (value, problems) = decode(&body, &BodySpec::new(spec()), Some(&scope), &EvalOptions::default());
        assert_eq!((value.as_str(), problems), (Some(wanted), Vec::new()));
    }
    let ten = || Spec::Default(vec![attribute("a", Type::Number), Spec::Literal(Value::from(10))]);
    check("a = 1\n", ten(), "1", "number", &[]);
    check("", ten(), "10", "number", &[]);
}

#[test]
fn defaults_of_optional_attributes() {
    let (ty, defaults) = parse_type_text("object({a=optional(string,\"x\"),b=optional(number)})").unwrap();
    let spec = Spec::Attribute(AttributeSpec { name: "o".into(), ty, defaults, required: true });
    check("o = {}\n", spec, r#"{"a":"x","b":null}"#, "object({a=string,b=number})", &[]);
}

#[test]
fn transformed_values() {
    let functions = Scope::builder().functions(hcl_eval::dialect::hcl()).build();
    let expression = || config("x = upper(it)\n").just_attributes().0.first().map(|first| first.expression());
    let spec = |ty| {
        Spec::Transform(TransformSpec::new(
            attribute("a", ty),
            expression(),
            "it",
            Some(Arc::clone(&functions)),
        ))
    };
    check("a = \"x\"\n", spec(Type::String), "\"X\"", "string", &[]);
    assert_eq!(spec(Type::String).implied_type(), Type::String);
    // A wrong value is not transformed.
    check("a = []\n", spec(Type::String), "string", "string", &["Incorrect attribute value type"]);
}

#[test]
fn checked_values() {
    let place = Source::new("elsewhere", "12345").unwrap();
    for with_place in [false, true] {
        let place = place.clone();
        let check = move |value: &Value| {
            assert_eq!(value.as_str(), Some("invalid"));
            let warning = Diagnostic {
                severity: Severity::Warning,
                ..Diagnostic::error("host.ok", "OK", "It was asked.")
            };
            vec![if with_place { warning.at(&place, place.span()) } else { warning }]
        };
        let spec = Spec::Validated(ValidateSpec {
            nested: Arc::new(attribute("foo", Type::String)),
            check: Arc::new(check),
        });
        let (value, problems) = decoded("foo = \"invalid\"\n", spec);
        assert_eq!((value.as_str(), problems.len()), (Some("invalid"), 1));
        let wanted = if with_place { "elsewhere:1,1-6" } else { "main.hcl:1,7-16" };
        assert_eq!(problems[0].subject.as_ref().unwrap().to_string(), wanted);
    }
    // A wrong value is not checked.
    let never = |_: &Value| -> Diagnostics { panic!("it is not asked") };
    let spec = Spec::Validated(ValidateSpec {
        nested: Arc::new(attribute("a", Type::Number)),
        check: Arc::new(never),
    });
    check("a = []\n", spec, "number", "number", &["Incorrect attribute value type"]);
}

#[test]
fn refined_values() {
    let refined = |name: &str| {
        let not_null = |value: &Value| -> Diagnostics {
            let problem = || Diagnostic::error("host.null", "Cannot be null", "A value is needed.");
            value.is_null().then(problem).into_iter().collect()
        };
        let nested = Spec::Validated(ValidateSpec {
            nested: Arc::new(attribute(name, Type::String)),
            check: Arc::new(not_null),
        });
        Spec::Refined(RefineSpec { nested: Arc::new(nested), refinement: Refinement::new().not_null() })
    };
    let names = ["foo", "bar", "dyn", "marked"];
    let spec = Spec::Tuple(names.iter().map(|name| refined(name)).collect());
    let unknown = Value::unknown(Type::String);
    let scope = Scope::builder()
        .variable("unk", unknown.clone())
        .variable("dyn", Value::dynamic())
        .variable("secret", unknown.mark(Mark::new("boop")))
        .build();
    let body = Body::from(config("foo = \"hello\"\nbar = unk\ndyn = dyn\nmarked = secret\n"));
    let (value, problems) = decode(&body, &BodySpec::new(spec), Some(&scope), &EvalOptions::default());
    assert_eq!(problems, []);
    let elements = value.elements().unwrap();
    assert_eq!(elements[0].as_str(), Some("hello"));
    for element in &elements[1..] {
        assert_eq!(element.refinement_text().unwrap(), "string, not null");
    }
    assert!(elements[3].marks().contains_name("boop"));
    // A value that is not as promised is an error of the program that promised it.
    let refinement = Refinement::new().prefix_full("https://");
    let spec = Spec::Refined(RefineSpec { nested: Arc::new(attribute("a", Type::String)), refinement });
    check("a = \"http://x\"\n", spec, "string", "string", &["Unexpected value"]);
    check("foo = null\n", refined("foo"), "string", "string", &["Cannot be null"]);
}

#[test]
fn specifications_tell_what_they_are_made_of() {
    let tags = BlockAttributesSpec {
        block_type: "tags".into(),
        element_type: Type::String,
        defaults: None,
        required: false,
    };
    let entries = [
        ("z", blocks(Collection::List, attribute("port", Type::Number), (0, 0))),
        ("a", Spec::BlockAttributes(tags)),
        ("m", attribute("name", Type::String)),
    ];
    let object = ObjectSpec::new(entries.into_iter().map(|(name, spec)| (name.into(), spec)).collect());
    assert_eq!(object.specs().keys().collect::<Vec<_>>(), ["z", "a", "m"]);
    let spec = BodySpec::new(Spec::Object(object));
    let found = spec.block_specs();
    assert_eq!(found.len(), 2);
    assert!(found.get("b").is_some_and(Option::is_some) && found.get("tags").is_some_and(Option::is_none));
}

#[test]
fn a_specification_with_many_mistakes_is_given_up() {
    let mistakes: String = (0..20).map(|i| format!("attr \"a{i}\" {{\n  type = \"none\"\n}}\n")).collect();
    let text = config(&format!("object {{\n{mistakes}}}\n"));
    let codes = |max_diagnostics| {
        let limits = Limits { max_diagnostics, ..Limits::default() };
        let (_, problems) = SpecFile::read(&text, &EvalOptions { limits, ..EvalOptions::default() });
        problems.into_iter().map(|problem| problem.code.into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes(100), ["spec.type_expression"; 20]);
    let until = |n: usize| [vec!["spec.type_expression"; n], vec!["limit.diagnostics"]].concat();
    assert_eq!([codes(1), codes(5)], [until(1), until(5)]);
}

/// A complaint shows the values of names, which takes steps.
#[test]
fn a_limit_that_a_complaint_reaches_is_told_beside_it() {
    let body = Body::from(config("a = x.y\n"));
    let x = Value::object(vec![("y".into(), Value::from("text"))]);
    let scope = Scope::builder().variable("x", x).build();
    let spec = BodySpec::new(attribute("a", Type::Number));
    let codes = |max_steps| {
        let limits = Limits { max_steps, ..Limits::default() };
        let mut evaluation = Evaluation::new(&EvalOptions { limits, ..EvalOptions::default() });
        let (_, problems) = decode_with(&body, &spec, Some(&scope), &mut evaluation);
        let codes: Vec<_> = problems.into_iter().map(|problem| problem.code.into_owned()).collect();
        (codes, evaluation.usage().steps)
    };
    let (told, used) = codes(1000);
    assert_eq!(told, ["decode.attribute_type"]);
    assert_eq!(codes(used).0, told);
    assert_eq!(codes(used - 1).0, ["decode.attribute_type", "limit.steps"]);
    for max_steps in 0..used {
        assert_eq!(codes(max_steps).0.last().map(String::as_str), Some("limit.steps"), "{max_steps}");
    }
}
