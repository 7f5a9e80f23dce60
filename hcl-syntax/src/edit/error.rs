//! The wording of problems with edits.

use super::address::Address;
use super::code;
use super::find::Found;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest_long;
use crate::limits::{BYTES_PER_LOOK, Watch};
use crate::source::{Source, Span};

/// How many of the places that an address names are listed.
const MAX_LISTED: usize = 5;
/// How many names are listed where one is missing.
const MAX_NAMES: usize = 8;

pub(super) fn address(source: &Source, at: Span, expected: &str) -> Diagnostic {
    let detail = format!(
        "Expected {expected} here. An address is names with dots between them, such as \
         resource.aws_instance.web.tags; names that are no identifiers stand in quotes, and [1] picks the second \
         of several."
    );
    Diagnostic::error(code::ADDRESS, "Invalid address", detail).at(source, at)
}

/// `names` are those that could have stood after the first `n_found` steps of the address.
pub(super) fn not_found(source: &Source, address: &Address, n_found: usize, names: &[&str]) -> Diagnostic {
    let missing = address.step_text(n_found);
    let place = match n_found {
        0 => source.name().to_owned(),
        _ => address.prefix(n_found).to_string(),
    };
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if distinct.len() <= MAX_NAMES && !distinct.contains(name) {
            distinct.push(name);
        }
    }
    let meant = address.name_at(n_found).and_then(|name| nearest_long(name, names.iter().copied()));
    let hint = match meant {
        Some(meant) => format!(" Did you mean \"{meant}\"?"),
        None if distinct.is_empty() => String::new(),
        None if distinct.len() > MAX_NAMES => {
            format!(" Among what is there: {}.", distinct[..MAX_NAMES].join(", "))
        }
        None => format!(" There is: {}.", distinct.join(", ")),
    };
    let wildcard = match address.is_any_at(n_found) {
        true => " A * stands for block types and labels only: name the attribute or key that is meant.",
        false => "",
    };
    let detail = format!("There is no {missing} in {place}.{wildcard}{hint}");
    Diagnostic::error(code::NOT_FOUND, "Address not found", detail)
}

pub(super) fn ambiguous(source: &Source, address: &Address, found: &[Found<'_>]) -> Diagnostic {
    let lines: Vec<_> = found.iter().take(MAX_LISTED).map(|found| line_of(source, found.span())).collect();
    let more = if found.len() > MAX_LISTED { " and further ones" } else { "" };
    let detail = format!(
        "{address} names {} places, at the lines {}{more}. Add labels or an index such as [0] to name one of them, or \
         ask for all.",
        found.len(),
        lines.join(", ")
    );
    let diagnostic = Diagnostic::error(code::AMBIGUOUS, "Ambiguous address", detail);
    match found.get(1) {
        Some(second) => diagnostic.at(source, second.definition_span()),
        None => diagnostic,
    }
}

fn line_of(source: &Source, span: Span) -> String {
    source.range(Span::empty_at(span.start)).start.line.to_string()
}

pub(super) fn no_value(source: &Source, address: &Address, found: Found<'_>) -> Diagnostic {
    let detail = format!(
        "{address} is a block, which has no value of its own. Name an attribute in it, such as {address}.name, or \
         remove the block."
    );
    Diagnostic::error(code::NO_VALUE, "Not an attribute", detail).at(source, found.definition_span())
}

pub(super) fn no_parent(source: &Source, address: &Address, found: Found<'_>) -> Diagnostic {
    let detail = format!(
        "{address} is neither a block nor an object written out, so nothing can be added to it. Replace its value \
         instead."
    );
    Diagnostic::error(code::NO_VALUE, "Nothing can be added here", detail).at(source, found.definition_span())
}

pub(super) fn exists(source: &Source, address: &Address, found: Found<'_>) -> Diagnostic {
    let detail = format!("{address} is there already, so it can't be added. Set it, or name another one.");
    Diagnostic::error(code::EXISTS, "Already there", detail).at(source, found.definition_span())
}

/// `found` is something that no item can stand beside, or that can't be moved.
pub(super) fn no_lines(source: &Source, address: &Address, found: Found<'_>) -> Diagnostic {
    let detail = format!(
        "{address} shares its line with something else, or is part of a value. Only attributes and blocks in lines of \
         their own can be moved, have neighbours put in, or get a comment."
    );
    Diagnostic::error(code::REFUSED, "Edit refused", detail).at(source, found.definition_span())
}

/// `found` would become a part of itself.
pub(super) fn inside_itself(source: &Source, address: &Address, found: Found<'_>) -> Diagnostic {
    let detail = format!("{address} can't be moved into itself. Name a place outside of it.");
    Diagnostic::error(code::REFUSED, "Edit refused", detail).at(source, found.definition_span())
}

pub(super) fn no_comment(text: &str) -> Diagnostic {
    let detail = format!("{text:?} is no comment of one line. Leave line ends out.");
    Diagnostic::error(code::REFUSED, "Edit refused", detail)
}

pub(super) fn no_reference(text: &str) -> Diagnostic {
    let detail = format!("{text:?} is no reference such as var.name: names with dots between them.");
    Diagnostic::error(code::REFUSED, "Not a reference", detail)
}

pub(super) fn no_name(name: &str) -> Diagnostic {
    no_name_on(name, &Watch::idle())
}

/// [`no_name`], or some of it if the work is to end.
pub(super) fn no_name_on(name: &str, watch: &Watch) -> Diagnostic {
    let mut detail = String::from('"');
    let mut rest = name;
    while !rest.is_empty() && watch.count_bytes(rest.len().min(BYTES_PER_LOOK)).is_ok() {
        let (stretch, after) = rest.split_at(rest.ceil_char_boundary(BYTES_PER_LOOK));
        let quoted = format!("{stretch:?}");
        detail.push_str(&quoted[1..quoted.len() - 1]);
        rest = after;
    }
    detail
        .push_str("\" is no identifier, so no attribute or block type can be called that. Only labels may.");
    Diagnostic::error(code::REFUSED, "Not a name", detail)
}

/// `behind` is what would become part of the comment that a value ends with.
pub(super) fn swallowing(source: &Source, behind: Span) -> Diagnostic {
    let detail = "The value ends with a comment, and what stands behind it in its line would become part of that, so \
                  nothing was changed. Leave the comment out, or write it between /* and */.";
    Diagnostic::error(code::REFUSED, "Edit refused", detail.to_owned()).at(source, behind)
}

/// The text that an edit would leave has `len` bytes, of which `most` are allowed.
pub(super) fn too_long(len: usize, most: usize) -> Diagnostic {
    let detail = format!(
        "The text would be at least {len} bytes long after the edit; the limit is {most}. Nothing was changed."
    );
    Diagnostic::error("limit.source", "Source too large", detail)
}

/// `problem` is what the parser says of the text that the edit would have left.
pub(super) fn refused(problem: Option<Diagnostic>) -> Diagnostic {
    let said = match &problem {
        Some(problem) => format!("{}; {}", problem.summary, problem.detail),
        None => "it would be too long".to_owned(),
    };
    let detail = format!(
        "The text does not fit where it would stand, so nothing was changed. A value of several lines must be in \
         brackets or parentheses, and a comment needs the rest of its line. The parser says: {said}"
    );
    let mut diagnostic = Diagnostic::error(code::REFUSED, "Edit refused", detail);
    if let Some(problem) = problem {
        diagnostic.subject = problem.subject;
        diagnostic.source = problem.source;
    }
    diagnostic
}
