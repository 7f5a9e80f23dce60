//! Completion of names.
//!
//! Behind a dot these are the attributes of the value before it, which is evaluated for that, without a host and
//! within few steps; elsewhere variables, functions, and at the start of a line commands.

use hcl_eval::eval::{EvalOptions, evaluate};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

use super::session::{COMMANDS, Session};

/// A name that may be meant.
pub(super) struct Candidate {
    /// The text that goes into the line.
    pub(super) text: String,
    /// The text in the list of candidates.
    pub(super) shown: String,
}

/// Work that finding attributes may take: a user waits for the answer to a key.
const MAX_STEPS: u64 = 100_000;

/// The beginning of the name that ends at `pos`, and what may be meant by it, in order.
pub(super) fn candidates(session: &Session, line: &str, pos: usize) -> (usize, Vec<Candidate>) {
    let before = &line[..pos];
    if before.starts_with(':') && !before.contains(char::is_whitespace) {
        return (0, commands(before));
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == ':';
    let start = before
        .rfind(|c| !is_part(c))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let word = &before[start..];
    let mut found = match before[..start].strip_suffix('.') {
        Some(before) => attributes(session, reference(before), word),
        None => names(session, word),
    };
    found.sort_by(|a, b| a.text.cmp(&b.text));
    found.dedup_by(|a, b| a.text == b.text);
    (start, found)
}

/// The signature of the function whose call has just been opened.
pub(super) fn signature(session: &Session, before: &str) -> Option<String> {
    let name = before.strip_suffix('(')?;
    let start = name.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).map_or(0, |at| at + 1);
    let name = name.get(start..)?;
    let signature = session.scope().function(name)?.signature_as(name);
    Some(signature.get(name.len() + 1..)?.to_owned())
}

/// The commands that begin with a word.
fn commands(word: &str) -> Vec<Candidate> {
    let known = COMMANDS.iter().filter(|(name, ..)| name.starts_with(word));
    known
        .map(|(name, takes, does)| Candidate {
            text: if takes.is_empty() { (*name).to_owned() } else { format!("{name} ") },
            shown: format!("{name}{takes}  {does}"),
        })
        .collect()
}

/// The variables and functions that begin with a word. Functions are offered once there is a word, since there are
/// more than a hundred.
fn names(session: &Session, word: &str) -> Vec<Candidate> {
    let scope = session.scope();
    let variables = scope
        .variable_names()
        .filter(|name| name.starts_with(word))
        .map(|name| Candidate { text: name.to_owned(), shown: name.to_owned() });
    // A namespace is offered once the beginning of it is typed.
    let functions = scope.function_names().filter(|name| {
        name.starts_with(word) && !word.is_empty() && (word.contains(':') || !name.contains("::"))
    });
    let functions = functions.filter_map(|name| {
        Some(Candidate { text: format!("{name}("), shown: scope.function(name)?.signature_as(name) })
    });
    variables.chain(functions).collect()
}

/// The longest piece at the end of a text that reads like `a.b[0]`.
fn reference(before: &str) -> &str {
    let mut depth = 0;
    let start = before.char_indices().rev().find(|&(_, c)| {
        match c {
            ']' => depth += 1,
            '[' => depth -= 1,
            _ => {}
        }
        let outside = depth == 0 && c != '[' && !(c.is_alphanumeric() || "_-.".contains(c));
        depth < 0 || (outside && c != ']')
    });
    start.map_or(before, |(at, c)| &before[at + c.len_utf8()..])
}

/// The attributes of the value of a reference; none if it has errors, or takes too long.
fn attributes(session: &Session, reference: &str, word: &str) -> Vec<Candidate> {
    let Ok(source) = Source::new("completion", reference) else { return Vec::new() };
    let (parsed, problems) = parse_expression(source, &ParseLimits::default());
    if !problems.is_empty() {
        return Vec::new();
    }
    let mut options = EvalOptions::default();
    options.limits.max_steps = MAX_STEPS;
    let (value, problems) = evaluate(parsed.expression(), Some(session.scope()), &options);
    let Some(entries) = value.entries().filter(|_| problems.is_empty()) else { return Vec::new() };
    entries
        .map(|(name, _)| name.to_string())
        .filter(|name| name.starts_with(word) && hcl_syntax::lexer::is_identifier(name))
        .map(|name| Candidate { shown: name.clone(), text: name })
        .collect()
}
