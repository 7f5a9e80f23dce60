//! Attributes that are written for a variable, and that its type does not have.
//!
//! Conversion drops them without a word. OpenTofu warns of those that are written out, which is seen in the
//! expression and not in its value.

use hcl_syntax::ast::{Expression, ExpressionKind, ObjectItem};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};

use super::Variable;
use crate::place::Place;

/// A warning for each attribute of an object constructor that the type of its variable lacks, so that the value will be
/// without it.
pub(crate) fn ignored_attributes(written: Expression<'_>, variable: &Variable) -> Diagnostics {
    let mut warnings = Diagnostics::new();
    let Some(constraint) = &variable.constraint else { return warnings };
    let mut pending = vec![(written, &constraint.ty)];
    while let Some((expression, ty)) = pending.pop() {
        match (expression.kind(), ty.element_type()) {
            (ExpressionKind::Parentheses(inner), _) => pending.push((inner, ty)),
            (ExpressionKind::Tuple(elements), Some(element)) => {
                pending.extend(elements.iter().rev().map(|value| (value, element)));
            }
            (ExpressionKind::Object(items), Some(element)) => {
                pending.extend(items.iter().rev().map(|item| (item.value, element)));
            }
            (ExpressionKind::Object(items), None) if ty.attributes().is_some() => {
                for item in items.iter() {
                    let Some(name) = name_of(item) else { continue };
                    match ty.attribute(name) {
                        Some(attribute) => pending.push((item.value, &attribute.ty)),
                        None => warnings.push(ignored(name, item, variable)),
                    }
                }
            }
            _ => {}
        }
    }
    warnings
}

/// The name that a key is, without evaluating it.
fn name_of(item: ObjectItem<'_>) -> Option<&str> {
    match item.key.kind() {
        ExpressionKind::Text(text) => Some(text),
        _ => item.key_name(),
    }
}

/// The warning about one attribute.
fn ignored(attribute: &str, item: ObjectItem<'_>, variable: &Variable) -> Diagnostic {
    let detail = format!(
        "The type of the variable \"{}\" has no attribute \"{attribute}\" here, so the value is without it. Remove it, or \
         add it to the type.",
        variable.name
    );
    let place = Place::new(item.key.tree().source(), item.key.span());
    place.warning("module.variable.ignored", "Object attribute is ignored", detail)
}
