//! `hcl check`: parse files and report every problem.

use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::{ParseLimits, parse_file};

use crate::args::CheckArguments;
use crate::batch;
use crate::output::{Failure, Outcome, read_input, report};
use crate::scope::source;

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
        diagnostics.extend(parse_file(source(&name, bytes)?, &ParseLimits::default()).1);
    }
    report(&diagnostics, &arguments.reporting)?;
    Ok(Outcome::of(&diagnostics))
}
