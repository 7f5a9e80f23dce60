//! What evaluating takes: nanoseconds for each expression of a list, prepared and one-shot.
//!
//! usage: expressions EXPRESSIONS.json CONTEXT.json [NAME]
//!
//! EXPRESSIONS.json is an array of `[name, expression]`, CONTEXT.json the value of the variable `var`. The
//! figures are the least of many rounds, because noise only ever adds.

#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hcl_eval::Value;
use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Frame, Scope, evaluate};
use hcl_eval::program::{CompileOptions, Program};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

const ROUNDS: u32 = 30;
const ROUND: Duration = Duration::from_millis(10);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [expressions, context, rest @ ..] = &arguments[..] else {
        return Err("usage: expressions EXPRESSIONS.json CONTEXT.json [NAME]".into());
    };
    let expressions: Vec<(String, String)> = serde_json::from_str(&std::fs::read_to_string(expressions)?)?;
    let context = Value::from_json_implied(&std::fs::read_to_string(context)?)?;
    println!(
        "{:18} {:>12} {:>12} {:>12} {:>10}",
        "expression", "prepared", "one-shot", "parse+prep", "steps"
    );
    for (name, text) in expressions {
        if rest.first().is_none_or(|wanted| *wanted == name) {
            measure(&name, &text, &context)?;
        }
    }
    Ok(())
}

fn measure(name: &str, text: &str, context: &Value) -> Result<(), Box<dyn Error>> {
    let mut scope = Scope::builder().functions(dialect::terraform());
    let slot = scope.slot("var");
    let scope = scope.build();
    let (parsed, problems) = parse(text)?;
    assert!(problems.is_empty(), "{name}: {problems:?}");
    let expression = parsed.expression();
    let compile = |parsed: &hcl_syntax::parser::ParsedExpression| {
        let tree = parsed.tree().clone();
        Program::compile(tree, parsed.expression().id(), Arc::clone(&scope), &CompileOptions::default())
    };
    let (program, problems) = compile(&parsed);
    assert!(problems.is_empty(), "{name}: {problems:?}");
    let mut frame = Frame::new(&scope);
    frame.set(slot, Some(context.clone()));
    let (_, problems) = program.evaluate(&mut frame);
    assert!(problems.is_empty(), "{name}: {problems:?}");
    let steps = frame.used().steps;

    let prepared = least(|| drop(black_box(program.evaluate(&mut frame))));
    let mut frame = Frame::new(&scope);
    frame.set(slot, Some(context.clone()));
    let options = EvalOptions { frame: Some(&frame), ..EvalOptions::default() };
    let one_shot = least(|| drop(black_box(evaluate(expression, Some(&scope), &options))));
    let preparing = least(|| {
        if let Ok((parsed, _)) = parse(text) {
            drop(black_box(compile(&parsed)));
        }
    });
    println!("{name:18} {prepared:12.1} {one_shot:12.1} {preparing:12.1} {steps:10}");
    Ok(())
}

type Parsed = (hcl_syntax::parser::ParsedExpression, hcl_syntax::diagnostic::Diagnostics);

fn parse(text: &str) -> Result<Parsed, Box<dyn Error>> {
    let source = Source::new("bench", text)?;
    Ok(parse_expression(source, &ParseLimits::default()))
}

/// Nanoseconds for one call.
fn least(mut body: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut calls = 0_u32;
    while start.elapsed() < ROUND {
        body();
        calls += 1;
    }
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..calls {
            body();
        }
        least = least.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(calls));
    }
    least
}
