//! Evaluates an expression with a variable: `cargo run -p hcl-examples --bin evaluate -- '"Hello, ${upper(name)}!"'`

use std::process::ExitCode;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::value::Value;
use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::diagnostic::render::{RenderOptions, render_all};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

fn main() -> ExitCode {
    let text = std::env::args().nth(1).unwrap_or_else(|| r#""Hello, ${upper(name)}!""#.to_owned());
    match run(&text) {
        Ok(value) => {
            println!("{}", value.display_console());
            ExitCode::SUCCESS
        }
        Err(diagnostics) => {
            let mut shown = String::new();
            render_all(&diagnostics, &RenderOptions::default(), &mut shown);
            eprint!("{shown}");
            ExitCode::FAILURE
        }
    }
}

fn run(text: &str) -> Result<Value, Vec<Diagnostic>> {
    let source = Source::new("argument", text)
        .map_err(|error| vec![Diagnostic::error("example.source", "Source too large", error.to_string())])?;
    let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }

    let scope =
        Scope::builder().functions(dialect::terraform()).variable("name", Value::string("world")).build();
    let (value, diagnostics) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
    if diagnostics.is_empty() { Ok(value) } else { Err(diagnostics) }
}
