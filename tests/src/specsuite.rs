//! Tests in the format of the official specification suite, run against our `hcldec` in this process.
//!
//! A test is a file `NAME.t` beside `NAME.hcldec`, the specification, and `NAME.hcl` or `NAME.hcl.json` or both,
//! which are decoded by it. The file says what comes out: `result` and `result_type`, or `diagnostics` with the
//! places of errors and warnings, or `traversals` with the variables that are referred to.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hcl_cli::hcldec::{Answer, SystemFiles, Terminal, run};
use hcl_eval::convert::convert;
use hcl_eval::eval::{EvalOptions, evaluate_config};
use hcl_eval::types::type_expr::{TypeMode, parse_type};
use hcl_eval::{Type, Value};
use hcl_syntax::ast::{ExpressionKind, StepKind, Steps};
use hcl_syntax::config::{ConfigBody, ConfigExpression, Content, ContentBlock};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::schema::BodySchema;
use hcl_syntax::source::Source;
use serde_json::Value as Json;

/// The tests of a folder and the folders in it, by name.
///
/// # Errors
/// A folder can't be read.
pub fn tests_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(tests_in(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "t") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Runs a test on each of its inputs.
///
/// # Errors
/// What comes out is not what the test says, or the test itself is wrong.
pub fn run_test(test: &Path) -> Result<(), String> {
    let expected = Expected::read(test)?;
    let spec = test.with_extension("hcldec");
    let inputs = [test.with_extension("hcl"), test.with_extension("hcl.json")];
    let mut n_inputs = 0;
    for input in inputs.iter().filter(|input| input.exists()) {
        n_inputs += 1;
        expected.check(&spec, input).map_err(|why| format!("{}: {why}", input.display()))?;
    }
    if n_inputs == 0 { Err("there is no input beside the test".to_owned()) } else { Ok(()) }
}

/// Line, column and byte.
type Position = [u64; 3];
/// Severity, begin and end.
type Complaint = (String, Position, Position);
/// A traversal as text, begin and end.
type Reference = (String, Position, Position);

/// The expectations of a test.
#[derive(Default)]
struct Expected {
    result: Option<Value>,
    result_type: Option<Type>,
    complaints: Option<BTreeSet<Complaint>>,
    references: Option<BTreeSet<Reference>>,
}

impl Expected {
    fn read(test: &Path) -> Result<Self, String> {
        let text = fs::read(test).map_err(|error| error.to_string())?;
        let source = Source::new(&test.to_string_lossy(), text).map_err(|error| error.to_string())?;
        let (file, problems) = parse_file(source, &ParseLimits::default());
        good(&problems)?;
        let schema = BodySchema::default()
            .attribute("result")
            .attribute("result_type")
            .block("traversals", &[])
            .block("diagnostics", &[]);
        let content = content(&ConfigBody::from(&file), &schema)?;
        let mut expected = Self::default();
        for block in &content.blocks {
            match block.block_type() {
                "traversals" => expected.references = Some(references(block)?),
                _ => expected.complaints = Some(complaints(block)?),
            }
        }
        if let Some(attribute) = content.attributes.get("result_type") {
            let syntax = attribute.expression().syntax();
            let (ty, _, problems) = parse_type(syntax.expression(), TypeMode::Constraint);
            good(&problems)?;
            expected.result_type = Some(ty);
        }
        if let Some(attribute) = content.attributes.get("result") {
            let value = value(&attribute.expression())?;
            let ty = expected.result_type.clone().unwrap_or(Type::Dynamic);
            let value = convert(&value, &ty).map_err(|error| error.detail())?;
            expected.result = Some(value);
        }
        match (&expected.result, &expected.complaints) {
            (Some(_), Some(_)) => Err("a test has a result or diagnostics, not both".to_owned()),
            _ => Ok(expected),
        }
    }

    fn check(&self, spec: &Path, input: &Path) -> Result<(), String> {
        let input = input.to_string_lossy().into_owned();
        let ask = |flags: &[&str]| {
            let mut arguments = vec![format!("--spec={}", spec.display()), "--diags=json".to_owned()];
            arguments.extend(flags.iter().map(|&flag| flag.to_owned()));
            arguments.push(input.clone());
            run(&arguments, &SystemFiles, Terminal::default())
        };
        if let Some(wanted) = &self.references {
            check_references(wanted, &ask(&["--var-refs"]))?;
        }
        let answer = ask(&["--with-type", "--keep-nulls"]);
        match &self.complaints {
            Some(wanted) => check_complaints(wanted, &answer, &input),
            None => self.check_result(&answer),
        }
    }

    fn check_result(&self, answer: &Answer) -> Result<(), String> {
        succeeded(answer)?;
        let got =
            Value::from_json(answer.stdout.trim_end(), &Type::Dynamic).map_err(|error| error.detail())?;
        let any = Type::Dynamic;
        let ty = self.result_type.as_ref().unwrap_or(&any);
        if !got.ty().conforms_to(ty) {
            return Err(format!("the type is {}, wanted {}", got.ty().to_type_text(), ty.to_type_text()));
        }
        match &self.result {
            Some(wanted) if !got.raw_equals(wanted) => {
                Err(format!("the result is\n{}\nwanted\n{}", got.display_console(), wanted.display_console()))
            }
            _ => Ok(()),
        }
    }
}

fn succeeded(answer: &Answer) -> Result<(), String> {
    if answer.status == 0 { Ok(()) } else { Err(format!("status {}: {}", answer.status, answer.stderr)) }
}

fn check_complaints(wanted: &BTreeSet<Complaint>, answer: &Answer, input: &str) -> Result<(), String> {
    let document: Json = serde_json::from_str(&answer.stderr).unwrap_or_default();
    let mut got = BTreeSet::new();
    for diagnostic in document["diagnostics"].as_array().into_iter().flatten() {
        let subject = &diagnostic["subject"];
        if subject["filename"] != *input {
            return Err(format!("a diagnostic is not about the input: {diagnostic}"));
        }
        let severity = diagnostic["severity"].as_str().unwrap_or_default().to_owned();
        got.insert((severity, json_position(&subject["start"]), json_position(&subject["end"])));
    }
    if got == *wanted { Ok(()) } else { Err(format!("diagnostics {got:?}, wanted {wanted:?}")) }
}

fn check_references(wanted: &BTreeSet<Reference>, answer: &Answer) -> Result<(), String> {
    succeeded(answer)?;
    let document: Json = serde_json::from_str(&answer.stdout).map_err(|error| error.to_string())?;
    let mut got = BTreeSet::new();
    for reference in document.as_array().into_iter().flatten() {
        let steps = reference["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
        let text: Vec<String> = steps
            .iter()
            .map(|step| match step["kind"].as_str() {
                Some("index") => format!("[{}]", step["key"]),
                _ => format!(".{}", step["name"].as_str().unwrap_or_default()),
            })
            .collect();
        let [start, end] = [&reference["range"]["start"], &reference["range"]["end"]].map(json_position);
        got.insert((text.concat(), start, end));
    }
    if got == *wanted { Ok(()) } else { Err(format!("traversals {got:?}, wanted {wanted:?}")) }
}

fn json_position(position: &Json) -> Position {
    ["line", "column", "byte"].map(|key| position[key].as_u64().unwrap_or_default())
}

fn complaints(block: &ContentBlock) -> Result<BTreeSet<Complaint>, String> {
    let schema = BodySchema::default().block("error", &[]).block("warning", &[]);
    let content = content(&block.body(), &schema)?;
    let complaint = |block: &ContentBlock| {
        let (start, end) = places(&block.body(), BodySchema::default())?;
        Ok((block.block_type().to_owned(), start, end))
    };
    content.blocks.iter().map(complaint).collect()
}

fn references(block: &ContentBlock) -> Result<BTreeSet<Reference>, String> {
    let content = content(&block.body(), &BodySchema::default().block("expect", &[]))?;
    let reference = |block: &ContentBlock| {
        let schema = BodySchema::default().required_attribute("ref");
        let (start, end) = places(&block.body(), schema.clone())?;
        let (content, _, _) = block.body().partial_content(&schema);
        let expression = &content.attributes["ref"].expression();
        Ok((traversal_text(expression)?, start, end))
    };
    content.blocks.iter().map(reference).collect()
}

/// A traversal in the form in which those of an answer are compared.
fn traversal_text(expression: &ConfigExpression) -> Result<String, String> {
    let syntax = expression.syntax();
    let traversal = syntax.expression().as_static_traversal().ok_or("\"ref\" is no traversal")?;
    Ok(format!(".{}{}", traversal.root, steps_text(traversal.steps)))
}

fn steps_text(steps: Steps<'_>) -> String {
    let text = |kind: StepKind<'_>| match kind {
        StepKind::Attribute(name) => format!(".{name}"),
        StepKind::Index(key) => match key.kind() {
            ExpressionKind::Text(text) => format!("[{}]", Json::from(text)),
            _ => format!("[{}]", key.source_text()),
        },
        StepKind::LegacyIndex(digits) => format!("[{digits}]"),
        StepKind::InvalidLegacyIndex => "[?]".to_owned(),
    };
    steps.iter().map(|step| text(step.kind)).collect()
}

/// The places in the `from` and `to` of a body, which may besides have what `schema` says.
fn places(body: &ConfigBody, schema: BodySchema) -> Result<(Position, Position), String> {
    let content = content(body, &schema.block("from", &[]).block("to", &[]))?;
    let place = |name: &str| {
        let block = content.blocks_of_type(name).next().ok_or_else(|| format!("\"{name}\" is missing"))?;
        position(&block.body())
    };
    Ok((place("from")?, place("to")?))
}

fn position(body: &ConfigBody) -> Result<Position, String> {
    let names = ["line", "column", "byte"];
    let schema = names.iter().fold(BodySchema::default(), |schema, name| schema.required_attribute(*name));
    let content = content(body, &schema)?;
    let mut position = Position::default();
    for (place, name) in position.iter_mut().zip(names) {
        let number = value(&content.attributes[name].expression())?;
        let number = number.as_number().and_then(|number| number.to_i64());
        *place =
            number.and_then(|n| u64::try_from(n).ok()).ok_or_else(|| format!("\"{name}\" is no count"))?;
    }
    Ok(position)
}

fn content(body: &ConfigBody, schema: &BodySchema) -> Result<Content, String> {
    let (content, problems) = body.content(schema);
    good(&problems).map(|()| content)
}

fn value(expression: &ConfigExpression) -> Result<Value, String> {
    let (value, problems) = evaluate_config(expression, None, &EvalOptions::default());
    good(&problems).map(|()| value)
}

fn good(problems: &Diagnostics) -> Result<(), String> {
    problems.first().map_or(Ok(()), |problem| Err(problem.to_string()))
}
