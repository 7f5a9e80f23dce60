//! `hcl explain-error`: cause and cure of a diagnostic.

use hcl_eval::codes::{Explanation, find};
use hcl_syntax::diagnostic::explain::read;

use crate::args::ExplainErrorArguments;
use crate::output::{Failure, Outcome, options_for, print_exactly};

/// The codes of every diagnostic that the commands have, area by area.
pub fn explanations() -> Vec<Explanation<'static>> {
    let of_library = hcl_eval::codes::explanations().chain(hcl_module::codes::explanations());
    of_library.chain(read(include_str!("command.md"))).collect()
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
            let found = find(&all, text.trim().trim_matches(['(', ')', '[', ']']))
                .map_err(|near| no_code(text, near))?;
            match found.as_slice() {
                [told] => told.render(&options, &mut out),
                several => list(several, &mut out),
            }
        }
    }
    print_exactly(&out)?;
    Ok(Outcome::Success)
}

/// A line for each code: the code and the summary.
fn list(explanations: &[&Explanation<'static>], out: &mut String) {
    let lines: Vec<_> = explanations.iter().map(|told| (told.code, told.summary)).collect();
    let width = lines.iter().map(|(code, _)| code.len()).max().unwrap_or_default();
    for (code, summary) in lines {
        out.push_str(format!("{code:width$}  {summary}").trim_end());
        out.push('\n');
    }
}

fn no_code(text: &str, near: Option<&str>) -> Failure {
    let hint = near.map_or_else(String::new, |near| format!(" Did you mean {near}?"));
    Failure::Usage(format!(
        "there is no code and no title \"{text}\".{hint} \"hcl explain-error\" lists all codes; they stand in \
         parentheses behind the title of a diagnostic."
    ))
}
