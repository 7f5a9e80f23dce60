//! `hcl check`: parse files of either syntax and report every problem.

use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_file};

use crate::args::CheckArguments;
use crate::batch;
use crate::output::{Failure, Outcome, read_input, report};
use crate::scope::{is_json, json_source, source};

/// Runs the verb.
///
/// # Errors
/// A file can't be read, or nothing can be written.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    if arguments.jsonl {
        return batch::run(batch::check::answer);
    }
    let mut diagnostics = Diagnostics::new();
    for path in &arguments.files {
        let (name, bytes) = read_input(path)?;
        let limits = ParseLimits::default();
        diagnostics.extend(if is_json(path) {
            parse_json(json_source(&name, bytes)?, &limits).1
        } else {
            parse_file(source(&name, bytes)?, &limits).1
        });
    }
    report(&diagnostics, &arguments.reporting)?;
    Ok(Outcome::of(&diagnostics))
}
