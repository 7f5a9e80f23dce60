//! The wording of complaints about configurations that do not fit a specification, and about specifications.
//!
//! Summaries are those of the reference implementation, because tools match on them; details are ours.

use hcl_syntax::config::{ConfigExpression, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, Severity, detail};
use hcl_syntax::source::{Source, Span};

use super::code;
use super::place::Place;
use super::spec::BlocksSpec;
use crate::dynamic::Block;
use crate::value::ValueError;
use crate::value::error::sentence;

/// A place that may not exist: merged bodies of no files have none.
type MaybePlace<'p> = Option<(&'p Source, Span)>;

fn error(
    code: &'static str,
    summary: impl Into<std::borrow::Cow<'static, str>>,
    detail: impl Into<String>,
) -> Diagnostic {
    Diagnostic::error(code, summary, detail)
}

/// Puts a diagnostic at a place, if there is one.
fn maybe_at(diagnostic: Diagnostic, place: MaybePlace<'_>) -> Diagnostic {
    match place {
        Some((source, span)) => diagnostic.at(source, span),
        None => diagnostic,
    }
}

/// Words the problem with a value, with the part of it that is at fault.
fn reason(error: &ValueError) -> String {
    let path = error.path.to_text();
    let detail = sentence(&error.detail());
    if path.is_empty() { detail } else { format!("at {path}, {detail}") }
}

/// A number of blocks in words.
fn count(n: i64, block_type: &str) -> String {
    if n == 1 {
        format!("1 block of type \"{block_type}\"")
    } else {
        format!("{n} blocks of type \"{block_type}\"")
    }
}

/// Puts a diagnostic at the value of an attribute, with all of the attribute around it.
fn in_attribute(diagnostic: Diagnostic, attribute: &ContentAttribute) -> Diagnostic {
    let (source, span) = (attribute.source(), attribute.expression().span());
    diagnostic.at(source, span).within(source, attribute.name_span().to(span))
}

pub(super) fn attribute_type(attribute: &ContentAttribute, problem: &ValueError) -> Diagnostic {
    let detail = detail(format_args!(
        "This value does not suit the argument \"{}\": {}",
        attribute.name(),
        reason(problem)
    ));
    in_attribute(error(code::ATTRIBUTE_TYPE, "Incorrect attribute value type", detail), attribute)
}

pub(super) fn block_attribute_type(
    block_type: &str,
    attribute: &ContentAttribute,
    problem: &ValueError,
) -> Diagnostic {
    let detail = detail(format_args!(
        "All arguments of a \"{block_type}\" block are of one type, which the value of \"{}\" does not suit: {}",
        attribute.name(),
        reason(problem)
    ));
    in_attribute(error(code::BLOCK_ATTRIBUTE_TYPE, "Invalid attribute value", detail), attribute)
}

pub(super) fn inconsistent_attributes(block: &Block) -> Diagnostic {
    let detail = "The arguments of this block become a map, whose values are all of one type, but these have none in common. Give all of them values of one type.";
    error(code::INCONSISTENT_ATTRIBUTES, "Invalid attribute value", detail)
        .at(block.source(), block.definition_span())
}

pub(super) fn missing_block(block_type: &str, place: MaybePlace<'_>) -> Diagnostic {
    let detail = format!("There must be a block of type \"{block_type}\" here.");
    maybe_at(error(code::MISSING_BLOCK, format!("Missing {block_type} block"), detail), place)
}

pub(super) fn duplicate_block(block_type: &str, first: &Block, second: &Block) -> Diagnostic {
    let detail = format!(
        "There can be only one block of type \"{block_type}\" here, and there is one at {} already.",
        first.definition_range()
    );
    error(code::DUPLICATE_BLOCK, format!("Duplicate {block_type} block"), detail)
        .at(second.source(), second.definition_span())
}

pub(super) fn duplicate_labels(block_type: &str, first: &Block, second: &Block) -> Diagnostic {
    let labels: Vec<String> =
        second.labels().map(|label| detail(format_args!("\"{}\"", label.text))).collect();
    let detail = format!(
        "Blocks of type \"{block_type}\" are told apart by their labels, and there is one with the label {} at {} already.",
        labels.join(" "),
        first.definition_range()
    );
    error(code::DUPLICATE_LABELS, format!("Duplicate {block_type} block"), detail)
        .at(second.source(), second.definition_span())
}

pub(super) fn insufficient_blocks(spec: &BlocksSpec, found: i64, place: MaybePlace<'_>) -> Diagnostic {
    let block_type = &spec.block_type;
    let detail = format!("There must be at least {} here; {found} found.", count(spec.min_items, block_type));
    maybe_at(error(code::INSUFFICIENT_BLOCKS, format!("Insufficient {block_type} blocks"), detail), place)
}

pub(super) fn too_many_blocks(spec: &BlocksSpec, found: i64, place: &Place) -> Diagnostic {
    let block_type = &spec.block_type;
    let detail = format!("There may be at most {} here; {found} found.", count(spec.max_items, block_type));
    error(code::TOO_MANY_BLOCKS, format!("Too many {block_type} blocks"), detail)
        .at(&place.source, place.span)
}

pub(super) fn inconsistent_blocks(
    block_type: &str,
    position: usize,
    problem: Option<&ValueError>,
    place: &Place,
) -> Diagnostic {
    let detail = match problem {
        Some(problem) => format!(
            "The blocks of type \"{block_type}\" are brought to one type, but number {} does not suit it: {}",
            position.saturating_add(1),
            reason(problem)
        ),
        None => format!(
            "The blocks of type \"{block_type}\" have values of types that nothing is common to. Give each argument the same type in all of them."
        ),
    };
    // The misspelt summary is the reference's.
    error(code::INCONSISTENT_BLOCKS, format!("Unconsistent argument types in {block_type} blocks"), detail)
        .at(&place.source, place.span)
}

pub(super) fn no_such_label(name: &str, place: MaybePlace<'_>) -> Diagnostic {
    let detail = format!(
        "The specification asks for the label \"{name}\" of a block, but what is decoded is no block that has it."
    );
    maybe_at(error(code::NO_SUCH_LABEL, "Missing block label", detail), place)
}

pub(super) fn refinement(problem: &ValueError, place: Option<&Place>) -> Diagnostic {
    let detail = format!("This value is not as the specification says it always is: {}", reason(problem));
    let place = place.map(|place| (&place.source, place.span));
    maybe_at(error(code::REFINEMENT, "Unexpected value", detail), place)
}

/// The construct that lacks a nested block, or has too many.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Parent {
    File,
    Block,
    Default,
}

impl Parent {
    /// The sentence about how many nested blocks are wanted.
    fn rule(self) -> &'static str {
        match self {
            Self::File => {
                "A specification has exactly one block at its top that says what to decode, beside \"variables\" and \"function\" blocks."
            }
            Self::Block => "Exactly one nested block says how the contents of these blocks are decoded.",
            Self::Default => {
                "A default block needs at least one nested block; the first one that gives a value counts."
            }
        }
    }
}

pub(super) fn missing_spec(parent: Parent, place: MaybePlace<'_>) -> Diagnostic {
    maybe_at(
        error(code::MISSING_SPEC, "Missing spec block", format!("{} There is none.", parent.rule())),
        place,
    )
}

pub(super) fn extraneous_spec(parent: Parent, second: &ContentBlock) -> Diagnostic {
    let detail =
        format!("{} To decode several things, put them in an \"object\" or \"array\" block.", parent.rule());
    error(code::EXTRANEOUS_SPEC, "Extraneous spec block", detail)
        .at(second.source(), second.definition_span())
}

pub(super) fn useless_default(only: &ContentBlock) -> Diagnostic {
    let detail = "A default block with one nested block gives the value of that block, null or not. Add what counts if it is null.";
    let diagnostic = error(code::USELESS_DEFAULT, "Useless default block", detail);
    Diagnostic { severity: Severity::Warning, ..diagnostic }.at(only.source(), only.definition_span())
}

pub(super) fn invalid_transform(found: usize, place: MaybePlace<'_>) -> Diagnostic {
    let detail = format!(
        "A transform block has exactly one nested block, whose value it transforms; this one has {found}."
    );
    maybe_at(error(code::INVALID_TRANSFORM, "Invalid transform spec", detail), place)
}

pub(super) fn missing_name(place: MaybePlace<'_>) -> Diagnostic {
    let detail = "The spec does not name an argument of the input. Set \"name\", or inside an object block give this block a label.";
    maybe_at(error(code::MISSING_NAME, "Missing name in attribute spec", detail), place)
}

/// A problem of the labels that a specification asks for.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum LabelProblem {
    /// It has no name.
    Unnamed,
    /// Its number is below 0.
    Negative,
    /// Those before it are not asked for.
    Gap,
    /// There is no block around it.
    Outside,
}

pub(super) fn block_label(problem: LabelProblem, place: MaybePlace<'_>) -> Diagnostic {
    let detail = match problem {
        LabelProblem::Unnamed => {
            "The spec does not name the label. Set \"name\", or inside an object block give this block a label."
        }
        LabelProblem::Negative => "Labels are counted from 0, so \"index\" must not be negative.",
        LabelProblem::Gap => {
            "Labels are counted from 0. Ask with a block_label for every label before the last one too."
        }
        LabelProblem::Outside => {
            "A label belongs to a block: block_label can stand only in what is nested in a block spec."
        }
    };
    maybe_at(error(code::BLOCK_LABEL, "Invalid block_label spec", detail), place)
}

pub(super) fn missing_block_type(kind: &str, place: MaybePlace<'_>) -> Diagnostic {
    let detail = "The spec does not name a type of blocks in the input. Set \"block_type\", or inside an object block give this block a label.";
    maybe_at(error(code::MISSING_BLOCK_TYPE, format!("Missing block_type in {kind} spec"), detail), place)
}

pub(super) fn no_labels(place: MaybePlace<'_>) -> Diagnostic {
    let detail = "The labels of blocks become keys of maps, so \"labels\" must name at least one.";
    maybe_at(error(code::NO_LABELS, "Invalid block label name list", detail), place)
}

pub(super) fn dynamic_block_map(place: MaybePlace<'_>) -> Diagnostic {
    let detail = "The values of a map are all of one type, so what is nested in a block_map must not be of type \"any\".";
    maybe_at(error(code::DYNAMIC_BLOCK_MAP, "Invalid block_map spec", detail), place)
}

pub(super) fn argument_value(why: &str, at: &ConfigExpression) -> Diagnostic {
    error(code::ARGUMENT_VALUE, "Unsuitable value type", format!("Unsuitable value: {}", sentence(why)))
        .at(at.source(), at.start_span())
        .within(at.source(), at.span())
}

/// Words the problem with the value of an argument.
pub(super) fn unsuitable(problem: &ValueError) -> String {
    reason(problem)
}

pub(super) fn type_expression(found: &str, at: &ConfigExpression) -> Diagnostic {
    let detail = format!(
        "A type is expected here, such as string, list(number) or object({{name = string}}), not {found}."
    );
    error(code::TYPE_EXPRESSION, "Invalid type expression", detail).at(at.source(), at.span())
}
