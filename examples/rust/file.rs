//! Walks a configuration file and evaluates what it says, mistakes included.

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_syntax::ast::Body;
use hcl_syntax::diagnostic::render::{RenderOptions, render_all};
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

const TEXT: &str = r#"
title = "Weather ${1 + 1}.0"

station "roof" {
  height  = 12.5 * 3
  sensors = [for name in ["wind", "rain"] : upper(name)]
  broken  = title("sunny") + 1
}
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (file, mut diagnostics) = parse_file(Source::new("weather.hcl", TEXT)?, &ParseLimits::default());
    let scope = Scope::builder().functions(dialect::terraform()).build();
    print_body(file.body(), &scope, 0, &mut diagnostics);

    let mut shown = String::new();
    render_all(&diagnostics, &RenderOptions::default(), &mut shown);
    print!("{shown}");
    Ok(())
}

/// Prints attributes with their values, then blocks, and collects what is wrong.
fn print_body(
    body: Body<'_>,
    scope: &Scope,
    indent: usize,
    diagnostics: &mut Vec<hcl_syntax::diagnostic::Diagnostic>,
) {
    for attribute in body.attributes() {
        let (value, said) = evaluate(attribute.expression(), Some(scope), &EvalOptions::default());
        println!("{:indent$}{} is {}", "", attribute.name(), value.display_console().replace('\n', " "));
        diagnostics.extend(said);
    }
    for block in body.blocks() {
        let labels: Vec<&str> = block.labels().map(|label| label.text()).collect();
        println!("{:indent$}{} {}", "", block.block_type(), labels.join(" "));
        print_body(block.body(), scope, indent + 2, diagnostics);
    }
}
