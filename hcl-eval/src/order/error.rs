//! The wording of problems with definitions that refer to each other.

use hcl_syntax::ast::Traversal;
use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::source::{Source, Span};

use super::{Definition, code};

/// How many members of a circle are named.
const SHOWN: usize = 12;

/// From the root to the last step.
pub(super) fn span_of(traversal: Traversal<'_>) -> Span {
    let end = traversal.steps().iter().last().map_or(traversal.root_span(), |step| step.span);
    traversal.root_span().to(end)
}

/// The error about definitions that need each other, at the reference that closes the circle. A long way is cut:
/// `SHOWN` of its members and how many more there are.
pub(super) fn circle(
    members: &[&Definition],
    reference: Option<Span>,
    shown: impl Fn(&str) -> String,
) -> Diagnostic {
    let place = |definition: &Definition| {
        let start = definition.source.range(definition.name_span).start;
        format!("{} ({}:{},{})", shown(&definition.name), definition.source.name(), start.line, start.column)
    };
    let mut way: Vec<String> = members.iter().take(SHOWN).map(|member| place(member)).collect();
    if let Some(more) = members.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        way.push(format!("{more} more"));
    }
    way.extend(members.first().map(|first| shown(&first.name)));
    let detail = match members.len() {
        1 => format!("The definition needs its own value: {}. Take the reference out.", way.join(" -> ")),
        _ => {
            format!(
                "These definitions need each other's values, so none can be first: {}. Take one of the references out.",
                way.join(" -> ")
            )
        }
    };
    let diagnostic = Diagnostic::error(code::CYCLE, "Cycle", detail);
    match members.first() {
        Some(first) => {
            let subject = reference.unwrap_or(first.name_span);
            let whole = first.name_span.to(first.expression.expression().span());
            diagnostic.at(&first.source, subject).within(&first.source, whole)
        }
        None => diagnostic,
    }
}

pub(super) fn duplicate(name: &str, first: &Definition, source: &Source, span: Span) -> Diagnostic {
    let earlier = first.source.range(first.name_span);
    let detail =
        format!("There is a definition of \"{name}\" at {earlier} already. Rename or remove one of them.");
    Diagnostic::error(code::DUPLICATE, "Duplicate definition", detail).at(source, span)
}

pub(super) fn whole(source: &Source, traversal: Traversal<'_>) -> Diagnostic {
    let root = traversal.root();
    let detail = format!(
        "\"{root}\" can't be used as a whole among its own definitions, since nothing tells which of them are needed. Refer to one by name, as in \"{root}.name\"."
    );
    Diagnostic::error(code::WHOLE, "Invalid reference", detail).at(source, span_of(traversal))
}
