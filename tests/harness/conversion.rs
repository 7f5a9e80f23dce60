//! Conversion between native and JSON syntax loses nothing.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use hcl_cli::batch;
use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate, evaluate_config};
use hcl_eval::json_syntax::to_json;
use hcl_syntax::config::{ConfigBody, Content};
use hcl_syntax::diagnostic::has_errors;
use hcl_syntax::json::{parse_json, to_native};
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use hcl_syntax::schema::{BodySchema, NestedSchema};
use hcl_syntax::source::Source;
use serde_json::{Value as Json, json};

fn cases(corpus: &str) -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance").join(corpus);
    let text = fs::read_to_string(path).expect("the corpus is readable");
    text.lines().map(|line| serde_json::from_str(line).expect("a case is JSON")).collect()
}

/// A text in native syntax as JSON syntax; nothing if it has errors.
fn json_of(native: &str) -> Option<String> {
    let source = Source::new("main.hcl", native).expect("a small text");
    let (file, problems) = parse_file(source, &ParseLimits::default());
    if has_errors(&problems) {
        return None;
    }
    let scope = Scope::builder().functions(dialect::terraform()).variables_allowed().build();
    let (json, problems) = to_json(&[file.body()], &scope, &EvalOptions::default());
    assert!(problems.is_empty(), "{native}: {problems:?}");
    Some(json)
}

fn native_of(json: &str, schema: &NestedSchema) -> Result<String, String> {
    let source = Source::json("main.json", json).expect("a small text");
    let (file, problems) = parse_json(source, &ParseLimits::default());
    assert!(problems.is_empty(), "{json}: {problems:?}");
    let (native, problems) = to_native(&file, Some(schema));
    if problems.is_empty() { Ok(native) } else { Err(format!("{json}: {problems:?}")) }
}

/// The value of an expression, asked with what a case gives.
fn value_of(case: &Json, expression: &str) -> Json {
    let mut request = case.as_object().cloned().unwrap_or_default();
    request.insert("expr".to_owned(), Json::String(expression.to_owned()));
    request.insert("dialect".to_owned(), Json::String("terraform".to_owned()));
    serde_json::from_str(&batch::eval::answer(&Json::Object(request).to_string())).unwrap_or_default()
}

/// The value of the first attribute of a text of JSON syntax, with the variables of a case.
fn json_value_of(case: &Json, json: &str) -> Json {
    let library = Scope::builder().functions(dialect::terraform()).build();
    let makers = Scope::builder().parent(Arc::clone(&library)).functions(dialect::makers()).build();
    let mut builder = Scope::builder().parent(library).variables_allowed();
    for (name, text) in case["vars"].as_object().into_iter().flatten() {
        let source = Source::new(name, text.as_str().unwrap_or_default()).expect("a small text");
        let (parsed, _) = parse_expression(source, &ParseLimits::default());
        let (value, _) = evaluate(parsed.expression(), Some(&makers), &EvalOptions::default());
        builder = builder.variable(name, value);
    }
    let source = Source::json("main.json", json).expect("a small text");
    let (file, _) = parse_json(source, &ParseLimits::default());
    let attribute = &ConfigBody::from(&file).just_attributes().0[0];
    let scope = builder.build();
    let (value, problems) = evaluate_config(&attribute.expression(), Some(&scope), &EvalOptions::default());
    assert!(problems.is_empty(), "{json}: {problems:?}");
    serde_json::from_str(&batch::eval::describe(&value)).unwrap_or_default()
}

#[test]
fn expressions_come_back_from_json_syntax() {
    let schema = NestedSchema { body: BodySchema::default().attribute("a"), ..NestedSchema::default() };
    let mut n_compared = 0;
    for case in cases("language.jsonl") {
        let Some(expression) = case["expr"].as_str() else { continue };
        let wanted = value_of(&case, expression);
        if wanted["ok"] != json!(true) {
            continue;
        }
        let Some(json) = json_of(&format!("a = (\n{expression}\n)\n")) else { continue };
        let got = json_value_of(&case, &json);
        assert_eq!(got["value"], wanted["value"], "{expression} => {json}");
        let native = native_of(&json, &schema).expect("what was written can be read");
        let source = Source::new("main.hcl", native.clone()).expect("a small text");
        let (file, problems) = parse_file(source, &ParseLimits::default());
        assert!(problems.is_empty(), "{expression} => {json} => {native}: {problems:?}");
        let attribute = file.body().attribute("a").expect("the attribute is still there");
        let got = value_of(&case, attribute.expression().source_text());
        for key in ["value", "partial", "unknown"] {
            assert_eq!(got[key], wanted[key], "{expression} => {json} => {native}");
        }
        n_compared += 1;
    }
    assert!(n_compared > 1000, "only {n_compared} expressions were compared");
}

/// Names, labels and values of a body; a value that has errors is its title.
fn outline(content: &Content, scope: &Scope) -> Json {
    let values = |attributes: Vec<hcl_syntax::config::ContentAttribute>| -> Json {
        let value = |attribute: hcl_syntax::config::ContentAttribute| {
            let (value, problems) =
                evaluate_config(&attribute.expression(), Some(scope), &EvalOptions::default());
            let value = match problems.first() {
                Some(problem) => json!(problem.summary),
                None => serde_json::from_str(&batch::eval::describe(&value)).unwrap_or_default(),
            };
            (attribute.name().to_owned(), value)
        };
        Json::Object(attributes.into_iter().map(value).collect())
    };
    let block = |block: &hcl_syntax::config::ContentBlock| {
        let labels: Vec<_> = block.labels().map(|label| label.text).collect();
        json!([block.block_type(), labels, values(block.body().just_attributes().0)])
    };
    let blocks: Vec<_> = content.blocks.iter().map(block).collect();
    json!([values(content.attributes.iter().cloned().collect()), blocks])
}

#[test]
fn bodies_of_json_syntax_mean_the_same_in_native_syntax() {
    let mut n_compared = 0;
    for case in cases("json.jsonl") {
        let mut schema = BodySchema::default();
        for attribute in case["schema"]["attributes"].as_array().into_iter().flatten() {
            schema = schema.attribute(attribute["name"].as_str().unwrap_or_default());
        }
        for block in case["schema"]["blocks"].as_array().into_iter().flatten() {
            let labels = block["labels"].as_array().into_iter().flatten();
            let labels: Vec<_> = labels.filter_map(Json::as_str).collect();
            schema = schema.block(block["type"].as_str().unwrap_or_default(), &labels);
        }
        let text = case["source"].as_str().unwrap_or_default();
        let source = Source::json("main.json", text).expect("a small text");
        let (file, problems) = parse_json(source, &ParseLimits::default());
        if !problems.is_empty() {
            continue;
        }
        let nested = NestedSchema { body: schema.clone(), ..NestedSchema::default() };
        let Ok(native) = native_of(text, &nested) else { continue };
        let source = Source::new("main.hcl", native.clone()).expect("a small text");
        let (converted, problems) = parse_file(source, &ParseLimits::default());
        assert!(problems.is_empty(), "{text} => {native}: {problems:?}");
        let scope = Scope::builder().variable("n", hcl_eval::Value::string("5")).build();
        let (wanted, _) = ConfigBody::from(&file).content(&schema);
        let (got, problems) = ConfigBody::from(&converted).content(&schema);
        assert!(problems.is_empty(), "{text} => {native}: {problems:?}");
        assert_eq!(outline(&got, &scope), outline(&wanted, &scope), "{text} => {native}");
        n_compared += 1;
    }
    assert!(n_compared > 70, "only {n_compared} bodies were compared");
}
