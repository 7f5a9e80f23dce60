//! `hcl check`: parse files of either syntax and report every problem.

use std::path::Path;

use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_file};

use crate::args::CheckArguments;
use crate::batch;
use crate::folders::{collect, in_parallel};
use crate::output::{Failure, Outcome, complain, read_input, report};
use crate::scope::{is_json, json_source, source};
use crate::vars::FILE_ENDINGS;
use crate::watch::watch;

/// Runs the verb.
///
/// # Errors
/// Nothing can be written.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    if arguments.jsonl {
        return batch::run(batch::check::answer);
    }
    if arguments.watch {
        return watch(&arguments.files, is_meant, || check(arguments).map(|_| ()));
    }
    check(arguments)
}

fn check(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    let (mut files, mut failures) = (Vec::new(), Vec::new());
    for path in &arguments.files {
        collect(path, &is_meant, &mut files, &mut failures);
    }
    let mut diagnostics = Diagnostics::new();
    for result in in_parallel(&files, |path| problems(path)) {
        match result {
            Ok(more) => diagnostics.extend(more),
            Err(failure) => failures.push(failure),
        }
    }
    report(&diagnostics, &arguments.reporting)?;
    failures.iter().for_each(complain);
    let outcome = Outcome::of(&diagnostics);
    Ok(if failures.is_empty() { outcome } else { outcome.max(Outcome::Rejected) })
}

fn problems(path: &Path) -> Result<Diagnostics, Failure> {
    let (name, bytes) = read_input(path)?;
    let limits = ParseLimits::default();
    Ok(if is_json(path) {
        parse_json(json_source(&name, bytes)?, &limits).1
    } else {
        parse_file(source(&name, bytes)?, &limits).1
    })
}

/// Whether a file in a folder is one of the language: by its ending, and in JSON syntax by the ending before it.
fn is_meant(path: &Path) -> bool {
    let is_known = |path: &Path| {
        path.extension().is_some_and(|ending| FILE_ENDINGS.iter().any(|known| ending == *known))
    };
    is_known(path)
        || is_json(path)
            && path.file_stem().is_some_and(|stem| {
                let stem = Path::new(stem);
                is_known(stem)
                    || stem.extension().is_some_and(|ending| ending == "pkr" || ending == "pkrvars")
            })
}
