//! `hcl vars`: the variables and functions that files or an expression need.

use std::path::Path;

use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use serde::Serialize;

use crate::answer::to_json;
use crate::args::VarsArguments;
use crate::batch;
use crate::needs::Needs;
use crate::output::{Failure, Outcome, print, read_input, report};
use crate::scope::{is_json, json_source, source};

#[derive(Serialize, Default)]
struct Listing {
    variables: Vec<String>,
    functions: Vec<String>,
}

/// Runs the verb. Each name is listed once, in the order of first use.
///
/// # Errors
/// A file can't be read, or nothing can be written.
pub fn run(arguments: &VarsArguments) -> Result<Outcome, Failure> {
    if arguments.jsonl {
        return batch::run(batch::vars::answer);
    }
    let mut listing = Listing::default();
    let mut diagnostics = Diagnostics::new();
    for input in &arguments.inputs {
        let (needs, more) = needs(input)?;
        listing.add(needs);
        diagnostics.extend(more);
    }
    report(&diagnostics, &arguments.reporting)?;
    let text = if arguments.json { to_json(&listing) } else { listing.text() };
    if !text.is_empty() {
        print(&text)?;
    }
    Ok(Outcome::of(&diagnostics))
}

/// Endings by which an input is taken for the name of a file of the language, even if there is no such file.
pub(crate) const FILE_ENDINGS: [&str; 5] = ["hcl", "tf", "tofu", "tfvars", "nomad"];

/// The needs of an input: of a file's expressions if it names one, else of the expression that it is.
fn needs(input: &str) -> Result<(Needs, Diagnostics), Failure> {
    let path = Path::new(input);
    let limits = ParseLimits::default();
    let named = path.extension().is_some_and(|ending| FILE_ENDINGS.iter().any(|known| ending == *known));
    if input == "-" || named || path.is_file() {
        let (name, bytes) = read_input(path)?;
        if is_json(path) {
            let (file, diagnostics) = parse_json(json_source(&name, bytes)?, &limits);
            return Ok((Needs::of_json(&file), diagnostics));
        }
        let (file, diagnostics) = parse_file(source(&name, bytes)?, &limits);
        Ok((Needs::of_body(file.body()), diagnostics))
    } else {
        let (parsed, diagnostics) =
            parse_expression(source("expression", input.as_bytes().to_vec())?, &limits);
        Ok((Needs::of_expression(parsed.expression()), diagnostics))
    }
}

impl Listing {
    fn add(&mut self, needs: Needs) {
        add_new(&mut self.variables, needs.variables);
        add_new(&mut self.functions, needs.functions);
    }

    /// Variables as they are written, functions with parentheses.
    fn text(&self) -> String {
        let functions = self.functions.iter().map(|name| format!("{name}()"));
        self.variables.iter().cloned().chain(functions).collect::<Vec<_>>().join("\n")
    }
}

fn add_new(known: &mut Vec<String>, more: Vec<String>) {
    for name in more {
        if !known.contains(&name) {
            known.push(name);
        }
    }
}
