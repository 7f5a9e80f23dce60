//! `hcl explain-error`: cause and cure of a diagnostic.
//!
//! The explanations are Markdown files beside the code that makes the diagnostics: those of each library in its
//! crate, those of the command and of its words for templates here.

use hcl_eval::codes::{Explanation, find};
use hcl_eval::decode::{SpecFile, decode};
use hcl_eval::dynamic::Body;
use hcl_eval::eval::EvalOptions;
use hcl_syntax::config::{ConfigBody, ContentBlock};
use hcl_syntax::diagnostic::explain::{ExamplePlace, read};
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

use crate::args::ExplainErrorArguments;
use crate::output::{Failure, Outcome, options_for, print_exactly};

/// The codes of every diagnostic that the commands have, area by area.
pub fn explanations() -> Vec<Explanation<'static>> {
    let own = [include_str!("command.md"), include_str!("packer.md")];
    let of_library = hcl_eval::codes::explanations().chain(hcl_module::codes::explanations());
    of_library.chain(own.into_iter().flat_map(read)).collect()
}

/// Runs the verb.
///
/// # Errors
/// There is no such code, or nothing can be written.
pub fn run(arguments: &ExplainErrorArguments) -> Result<Outcome, Failure> {
    let all = explanations();
    let mut out = String::new();
    let options = options_for(arguments.color, &std::io::stdout());
    match &arguments.code {
        None => list(&all.iter().collect::<Vec<_>>(), &mut out),
        Some(text) => {
            // A code is copied with the parentheses that a diagnostic puts around it.
            let found = find(&all, text.trim().trim_matches(['(', ')', '[', ']']))
                .map_err(|near| no_code(text, near, &all))?;
            match found.as_slice() {
                [told] => told.render_with(&places(told), &options, &mut out),
                several => list(several, &mut out),
            }
        }
    }
    print_exactly(&out)?;
    Ok(Outcome::Success)
}

/// Of a code of decoding the places that a complaint has: in the body, and in the specification that asks for what is not
/// there.
fn places(told: &Explanation<'_>) -> Vec<ExamplePlace> {
    let part = |language: &str| told.wrong.iter().position(|part| part.language == language);
    let (true, Some(spec), Some(config)) = (told.code.starts_with("decode."), part("spec"), part("config"))
    else {
        return Vec::new();
    };
    let options = EvalOptions::default();
    let body = |part: usize, name: &str| {
        let source = Source::new(name, told.wrong[part].text).ok()?;
        Some(ConfigBody::from(&parse_file(source, &ParseLimits::default()).0))
    };
    let (Some(spec_body), Some(input)) = (body(spec, "specification"), body(config, "configuration")) else {
        return Vec::new();
    };
    let (specification, _) = SpecFile::read(&spec_body, &options);
    let (_, problems) = decode(&Body::from(input.clone()), &specification.root, None, &options);
    let (asked, found) = match problems.into_iter().find(|problem| problem.code == told.code) {
        Some(problem) => (problem.origin.map(|origin| origin.range), problem.subject),
        // The decoded value can't be printed: these examples have one argument.
        None if told.code.starts_with("decode.output.") => (
            spec_body.everything().blocks.first().map(ContentBlock::definition_range),
            input.everything().attributes.iter().next().map(|argument| argument.expression().range()),
        ),
        None => return Vec::new(),
    };
    let asked = asked.map(|range| ExamplePlace { part: spec, range, note: "asks for it".to_owned() });
    let found = found.map(|range| ExamplePlace { part: config, range, note: "is told".to_owned() });
    asked.into_iter().chain(found).collect()
}

/// A line for each code: the code and the summary.
fn list(explanations: &[&Explanation<'static>], out: &mut String) {
    let lines: Vec<_> = explanations.iter().map(|told| (told.code, general(told))).collect();
    let width = lines.iter().map(|(code, _)| code.len()).max().unwrap_or_default();
    for (code, summary) in lines {
        out.push_str(format!("{code:width$}  {summary}").trim_end());
        out.push('\n');
    }
}

/// Names of examples in summaries, by code. They are those of the document that is complained about.
const EXAMPLES: &[(&str, &str)] = &[
    ("content.unexpected_block", "team"),
    ("content.extraneous_label", "service"),
    ("content.missing_label", "service"),
    ("decode.missing_block", "service"),
    ("decode.duplicate_block", "service"),
    ("decode.duplicate_labels", "service"),
    ("decode.insufficient_blocks", "service"),
    ("decode.too_many_blocks", "service"),
    ("decode.inconsistent_blocks", "service"),
    ("serde.duplicate_block", "server"),
    ("serde.labels", "server"),
    ("module.cycle", "local.a (expand), local.b (expand)"),
    ("packer.file", "."),
    ("packer.unset", "zone"),
    ("packer.source", "docker.wbe"),
    ("packer.build", "pause_before"),
];

/// A summary without the names that the example puts into it.
fn general(told: &Explanation<'static>) -> String {
    match EXAMPLES.iter().find(|(code, _)| *code == told.code) {
        Some((_, name)) => told.summary.replace(name, "…"),
        None => told.summary.to_owned(),
    }
}

/// The error about a text that is no code, with the nearest code or the area that it may mean.
fn no_code(text: &str, near: Option<&str>, all: &[Explanation<'_>]) -> Failure {
    let area = text.split('.').next().filter(|area| {
        all.iter().any(|told| told.code.strip_prefix(area).is_some_and(|rest| rest.starts_with('.')))
    });
    let hint = match (near, area) {
        (Some(near), _) => format!(" Did you mean {near}?"),
        (None, Some(area)) => format!(" \"hcl explain-error {area}\" lists those that begin with {area}."),
        (None, None) => String::new(),
    };
    Failure::Usage(format!(
        "there is no code and no summary \"{text}\".{hint} \"hcl explain-error\" lists all codes; they stand in \
         parentheses behind the summary of a diagnostic."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_examples_stand_in_their_summaries() {
        let all = explanations();
        for (code, name) in EXAMPLES {
            let told = all.iter().find(|told| told.code == *code).expect("there is such a code");
            assert!(told.summary.contains(name), "{code}: {}", told.summary);
            assert!(!general(told).contains(name), "{code}: {}", general(told));
        }
    }
}
