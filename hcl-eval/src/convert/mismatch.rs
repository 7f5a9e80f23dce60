//! The sentences that explain why a conversion is not possible or failed.
//!
//! They stand behind a colon in many diagnostics, so they start small and have no full stop. Missing
//! attributes come before wrong ones, and of several wrong parts only the first is named: the reader mends
//! one at a time.

use std::fmt::{self, Write as _};

use hcl_syntax::diagnostic::MAX_DETAIL;

use super::rules::{Rules, Safety};
use crate::stack;
use crate::types::{ObjectAttribute, ObjectType, Type};
use crate::value::{Repr, Value};

/// The beginning of a name: of a long one no more is shown.
fn shown(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_DETAIL)]
}

/// Returns the reason that no value of type `from` becomes one of type `to`. Only meaningful when there is no conversion.
///
/// ```
/// use hcl_eval::{Type, convert::mismatch};
///
/// assert_eq!(mismatch(&Type::list(Type::Bool), &Type::Number), "number required, but have list of bool");
/// ```
#[must_use]
pub fn mismatch(from: &Type, to: &Type) -> String {
    let mut out = String::new();
    explain(&mut Rules::new(Safety::Unsafe), from, to, &mut out);
    out
}

/// [`mismatch`] for the type of a value, which is made as far as it must be.
pub(super) fn for_value(rules: &mut Rules<'_>, value: &Value, to: &Type) -> String {
    let mut out = String::new();
    explain_value(rules, value, to, &mut out);
    out
}

/// Says what is required of a value whose type tells names that must not be shown.
pub(super) fn required_only(to: &Type) -> String {
    format!("{} required", to.constraint_name())
}

/// The problem with a string that should be a number.
pub(super) const NUMBER_REQUIRED: &str = "a number is required";

/// Words the problem with a string that should be a bool.
pub(super) fn bool_required(text: &str) -> String {
    let required = "a bool is required";
    for word in ["true", "false"] {
        if text.eq_ignore_ascii_case(word) {
            return format!("{required}; to convert from string, use lowercase \"{word}\"");
        }
    }
    required.into()
}

/// A map lacks what an object needs.
pub(super) fn missing_element(name: &str) -> String {
    format!("map has no element for required attribute \"{}\"", shown(name))
}

/// A map has what an object may have, but its type does not fit.
pub(super) fn unfit_element(name: &str, from: &Type, to: &Type) -> String {
    format!("map element type is incompatible with attribute \"{}\": {}", shown(name), mismatch(from, to))
}

/// Converted parts turned out to be of different types.
pub(super) fn parts_differ(parts: &str, to: &str) -> String {
    format!("{parts} types must all match for conversion to {to}")
}

/// Converted parts have no type in common.
pub(super) fn no_common_type(parts: &str) -> String {
    format!("the {parts} types have nothing in common that all of them convert to")
}

/// [`explain`] for the type of a value: of what has parts only the type of the wrong one is made.
fn explain_value(rules: &mut Rules<'_>, value: &Value, to: &Type, out: &mut String) {
    let value = value.unmarked();
    let wrong = match (&value.0, to) {
        (Repr::Tuple(tuple), Type::List(to) | Type::Set(to)) if !to.is_dynamic() => {
            let mut parts = tuple.elements().iter().enumerate();
            let wrong = parts.find(|(_, part)| !rules.exists_for(part, to));
            wrong.map(|(i, part)| (format!("element {i}"), part, &**to))
        }
        (Repr::Object(object), Type::Map(to)) if !to.is_dynamic() => {
            let mut parts = object.header().shape.names().iter().zip(object.elements());
            let wrong = parts.find(|(_, part)| !rules.exists_for(part, to));
            wrong.map(|(name, part)| (format!("element \"{}\"", shown(name)), part, &**to))
        }
        (Repr::Object(_), Type::Object(to))
            if !lacks_some(to, |name| value.get_attribute(name).is_some()) =>
        {
            let parts =
                to.attributes().iter().filter_map(|want| Some((want, value.get_attribute(&want.name)?)));
            let wrong = parts.into_iter().find(|(want, have)| !rules.exists_for(have, &want.ty));
            wrong.map(|(want, have)| (format!("attribute \"{}\"", shown(&want.name)), have, &want.ty))
        }
        _ => None,
    };
    match wrong {
        Some((place, part, to)) => {
            out.push_str(&place);
            out.push_str(": ");
            stack::grow(value.depth(), || explain_value(rules, part, to, out));
        }
        None => {
            // Where a limit has been reached nobody reads this.
            let from = value.ty_on(&mut rules.charge.pace()).unwrap_or(Type::Dynamic);
            explain(rules, &from, to, out);
        }
    }
}

/// Writes the reason behind what already stands in `out`: the way to the part that is wrong.
fn explain(rules: &mut Rules<'_>, from: &Type, to: &Type, out: &mut String) {
    let depth = from.depth().min(to.depth());
    stack::grow(depth, || match (from, to) {
        (Type::Object(from), Type::Object(to)) => explain_objects(rules, from, to, out),
        (Type::Tuple(_), Type::List(element)) if element.is_dynamic() => same_type_needed("list", out),
        (Type::Tuple(_), Type::Set(element)) if element.is_dynamic() => same_type_needed("set", out),
        (Type::Object(_), Type::Map(element)) if element.is_dynamic() => same_type_needed("map", out),
        (Type::Tuple(from), Type::List(element) | Type::Set(element)) => {
            let mut parts = from.elements().iter().enumerate();
            match parts.find(|(_, part)| !rules.exists(part, element)) {
                Some((i, part)) => nested(format_args!("element {i}"), rules, part, element, out),
                None => all_required(element, out),
            }
        }
        (Type::Object(from), Type::Map(element)) => {
            match from.attributes().iter().find(|part| !rules.exists(&part.ty, element)) {
                Some(part) => {
                    nested(format_args!("element \"{}\"", shown(&part.name)), rules, &part.ty, element, out);
                }
                None => all_required(element, out),
            }
        }
        (Type::List(from) | Type::Set(from), Type::List(element)) => {
            nested(format_args!("incorrect list element type"), rules, from, element, out);
        }
        (Type::List(from) | Type::Set(from), Type::Set(element)) => {
            nested(format_args!("incorrect set element type"), rules, from, element, out);
        }
        (Type::Map(from), Type::Map(element)) => {
            nested(format_args!("incorrect map element type"), rules, from, element, out);
        }
        _ => required(from, to, out),
    });
}

/// A part, and what is wrong with it.
fn nested(part: fmt::Arguments<'_>, rules: &mut Rules<'_>, from: &Type, to: &Type, out: &mut String) {
    // Writing to a string can't fail.
    let _ = write!(out, "{part}: ");
    explain(rules, from, to, out);
}

fn required(from: &Type, to: &Type, out: &mut String) {
    if naming_both_helps(from, to) {
        let _ = write!(out, "{} required, but have {}", to.friendly_name(), from.friendly_name());
    } else {
        let _ = write!(out, "{} required", to.constraint_name());
    }
}

fn same_type_needed(kind: &str, out: &mut String) {
    let _ = write!(out, "all {kind} elements must have the same type");
}

fn all_required(element: &Type, out: &mut String) {
    let _ = write!(out, "all elements must be {}", element.constraint_name());
}

/// Returns true if an attribute that is required is not there.
fn lacks_some(to: &ObjectType, is_there: impl Fn(&str) -> bool) -> bool {
    to.attributes().iter().any(|want| !want.optional && !is_there(&want.name))
}

/// So many attributes that are missing are named.
const MOST_NAMED: usize = 20;

/// Says why one object type does not convert to another: the attributes that are missing, else the first whose type
/// does not fit.
fn explain_objects(rules: &mut Rules<'_>, from: &ObjectType, to: &ObjectType, out: &mut String) {
    let is_missing = |want: &&ObjectAttribute| !want.optional && from.get(&want.name).is_none();
    let missing = to.attributes().iter().filter(is_missing).map(|want| shown(&want.name));
    match missing.collect::<Vec<_>>().as_slice() {
        [] => {}
        [one] => {
            let _ = write!(out, "attribute \"{one}\" is required");
            return;
        }
        [one, two] => {
            let _ = write!(out, "attributes \"{one}\" and \"{two}\" are required");
            return;
        }
        names if names.len() > MOST_NAMED => {
            let named: String = names[..MOST_NAMED].iter().map(|name| format!("\"{name}\", ")).collect();
            let _ = write!(out, "attributes {named}and {} more are required", names.len() - MOST_NAMED);
            return;
        }
        [rest @ .., last] => {
            let rest: String = rest.iter().map(|name| format!("\"{name}\", ")).collect();
            let _ = write!(out, "attributes {rest}and \"{last}\" are required");
            return;
        }
    }
    for want in to.attributes() {
        if let Some(have) = from.get(&want.name)
            && !rules.exists(&have.ty, &want.ty)
        {
            nested(format_args!("attribute \"{}\"", shown(&want.name)), rules, &have.ty, &want.ty, out);
            return;
        }
    }
    out.push_str("the attributes do not fit");
}

/// Returns whether the message should name what was found beside what is wanted. It should not where both have names
/// so alike that the reader would look for the error in the wrong place.
fn naming_both_helps(from: &Type, to: &Type) -> bool {
    from.is_primitive() != to.is_primitive()
        || matches!(
            (from, to),
            (_, Type::String)
                | (Type::Number, Type::Bool)
                | (Type::Bool, Type::Number)
                | (Type::Tuple(_), Type::Object(_))
        )
}
