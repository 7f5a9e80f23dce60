//! The wording of problems with the content of a body.
//!
//! Summaries are those of the reference implementation, because tools match on them; details are ours.

use super::content::ContentAttribute;
use super::reading::Reading;
use crate::ast::{Attribute, Block};
use crate::diagnostic::suggest::{MOST_CANDIDATES, first_similar};
use crate::diagnostic::{Diagnostic, detail};
use crate::schema::BlockSchema;
use crate::source::{Source, Span};

/// How many names are compared for the suggestions of one reading; beyond that there are none. Keeps
/// thousands of complaints against thousands of expected names from taking quadratic time.
const MAX_COMPARED: usize = 1_000_000;

/// Names that may have been meant.
pub(crate) struct Suggestions<'s> {
    names: Vec<&'s str>,
    n_compared: usize,
}

impl<'s> Suggestions<'s> {
    pub(crate) fn new(names: impl Iterator<Item = &'s str>) -> Self {
        // No more are compared.
        Self { names: names.take(MOST_CANDIDATES).collect(), n_compared: 0 }
    }

    /// A sentence with the name that was probably meant, if there is one.
    pub(crate) fn hint_for(&mut self, name: &str, reading: &mut Reading<'_>) -> Option<String> {
        self.n_compared = self.n_compared.saturating_add(self.names.len());
        if self.n_compared > MAX_COMPARED {
            return None;
        }
        let meant = first_similar(name, self.names.iter().copied().take_while(|_| reading.goes_on()))?;
        Some(format!(" Did you mean \"{meant}\"?"))
    }
}

pub(crate) fn missing_argument(name: &str, place: Option<(&Source, Span)>) -> Diagnostic {
    let detail =
        detail(format_args!("The argument \"{name}\" must be set here, but no value is given for it."));
    let diagnostic = Diagnostic::error("content.missing_argument", "Missing required argument", detail);
    match place {
        Some((source, span)) => diagnostic.at(source, span),
        None => diagnostic,
    }
}

pub(crate) fn unsupported_argument(source: &Source, attribute: Attribute<'_>, hint: &str) -> Diagnostic {
    let detail = detail(format_args!("No argument named \"{}\" is expected here.{hint}", attribute.name()));
    Diagnostic::error("content.unsupported_argument", "Unsupported argument", detail)
        .at(source, attribute.name_span())
}

pub(crate) fn unsupported_block(source: &Source, block: Block<'_>, hint: &str) -> Diagnostic {
    let detail =
        detail(format_args!("No blocks of type \"{}\" are expected here.{hint}", block.block_type()));
    Diagnostic::error("content.unsupported_block", "Unsupported block type", detail)
        .at(source, block.type_span())
}

pub(crate) fn unexpected_block(source: &Source, block: Block<'_>) -> Diagnostic {
    let summary = detail(format_args!("Unexpected \"{}\" block", block.block_type()));
    let detail = "Only arguments can be set here, each as a name, an equals sign and a value; blocks can't be defined.";
    Diagnostic::error("content.unexpected_block", summary, detail).at(source, block.type_span())
}

/// Returns the problem with the number of a block's labels, if there is one.
pub(crate) fn label_problem(source: &Source, block: Block<'_>, wanted: &BlockSchema) -> Option<Diagnostic> {
    let (n_wanted, n_found) = (wanted.label_names.len(), block.labels().len());
    let block_type = block.block_type();
    let header = block.type_span().to(block.open_span());
    if let Some(surplus) = block.label(n_wanted) {
        let summary = detail(format_args!("Extraneous label for {block_type}"));
        let detail = match n_wanted {
            0 => detail(format_args!(
                "Blocks of type \"{block_type}\" have no labels; leave out what stands between the type and the brace."
            )),
            _ => detail(format_args!(
                "Blocks of type \"{block_type}\" have {n_wanted} label{}: {}. Remove what follows.",
                if n_wanted == 1 { "" } else { "s" },
                wanted.label_names.join(", ")
            )),
        };
        let diagnostic = Diagnostic::error("content.extraneous_label", summary, detail);
        return Some(diagnostic.at(source, surplus.span()).within(source, header));
    }
    let missing = wanted.label_names.get(n_found)?;
    let detail = detail(format_args!(
        "Blocks of type \"{block_type}\" need {} between the type and the brace: {}.",
        if n_wanted == 1 { "a label" } else { "labels" },
        wanted.label_names.join(", ")
    ));
    let diagnostic =
        Diagnostic::error("content.missing_label", format!("Missing {missing} for {block_type}"), detail);
    Some(diagnostic.at(source, block.open_span()).within(source, header))
}

pub(crate) fn argument_in_two_bodies(second: &ContentAttribute, first: &ContentAttribute) -> Diagnostic {
    let detail = detail(format_args!(
        "The argument \"{}\" was already set at {}. It can be set once in all files that are read together.",
        second.name(),
        first.name_range()
    ));
    Diagnostic::error("content.duplicate_argument", "Duplicate argument", detail)
        .at(second.source(), second.name_span())
}

pub(crate) fn unsupported_property(name: &str, place: (&Source, Span), hint: &str) -> Diagnostic {
    let detail =
        detail(format_args!("No argument and no type of blocks named \"{name}\" is expected here.{hint}"));
    Diagnostic::error("content.unsupported_property", "Extraneous JSON object property", detail)
        .at(place.0, place.1)
        .within(place.0, place.1)
}

pub(crate) fn duplicate_property(second: &ContentAttribute, first: &ContentAttribute) -> Diagnostic {
    let detail = detail(format_args!(
        "The argument \"{}\" was already set at {}. Remove one of the two properties.",
        second.name(),
        first.range()
    ));
    Diagnostic::error("content.duplicate_argument", "Duplicate argument", detail)
        .at(second.source(), second.name_span())
        .within(second.source(), second.name_span())
}

pub(crate) fn attribute_defined_twice(second: &ContentAttribute, first: &ContentAttribute) -> Diagnostic {
    let detail = detail(format_args!(
        "The argument \"{}\" was already set at {}. Remove one of the two properties.",
        second.name(),
        first.range()
    ));
    Diagnostic::error("content.duplicate_argument", "Duplicate attribute definition", detail)
        .at(second.source(), second.name_span())
}

pub(crate) fn wrong_json_type(detail: impl Into<String>, place: (&Source, Span)) -> Diagnostic {
    Diagnostic::error("content.json_type", "Incorrect JSON value type", detail).at(place.0, place.1)
}

pub(crate) fn missing_json_label(block_type: &str, label: &str, place: (&Source, Span)) -> Diagnostic {
    let detail = detail(format_args!(
        "The {label} of each block of type \"{block_type}\" is the name of a property here, but there is no property."
    ));
    Diagnostic::error("content.missing_label", "Missing block label", detail).at(place.0, place.1)
}
