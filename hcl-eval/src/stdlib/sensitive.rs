//! Marks that the language can set and take off: `sensitive`, `ephemeral`.
//!
//! All functions but `ephemeralasnull` look at the outermost marks of a value only. Marks of what is inside stay
//! where they are.

use super::collection::anything;
use super::support::{Outcome, fail};
use crate::function::{Function, FunctionError, Invocation};
use crate::types::Type;
use crate::value::{Kind, Mark, Value};

/// A function of one value of any kind, which sees its marks.
fn on_value(name: &'static str, description: &'static str) -> Function {
    Function::new(name, description).parameter(anything("value").described("Any value.").allow_marked())
}

/// The mark of values that are not to be shown.
pub(crate) fn sensitive_mark() -> Mark {
    Mark::new("sensitive")
}

/// The mark of values that are not to be kept.
pub(crate) fn ephemeral_mark() -> Mark {
    Mark::new("ephemeral")
}

/// `sensitive(value)`
pub(crate) fn sensitive() -> Function {
    on_value("sensitive", "Marks the value, so that it is not shown.").implementation(|_, args| match args {
        [value] => Ok(value.clone().mark(sensitive_mark())),
        _ => fail("a value is required"),
    })
}

/// `nonsensitive(value)`
pub(crate) fn nonsensitive() -> Function {
    on_value("nonsensitive", "Takes the sensitive mark off a value, but not off what is inside it.")
        .implementation(|_, args| match args {
            [value] => {
                let (plain, marks) = value.unmark();
                Ok(plain.with_marks(&marks.without(&sensitive_mark())))
            }
            _ => fail("a value is required"),
        })
}

/// `issensitive(value)`, which an unknown value without the mark leaves open.
pub(crate) fn issensitive() -> Function {
    issensitive_with(|value| value.is_known() || value.has_mark(&sensitive_mark()))
}

/// `issensitive(value)`, which every unknown value leaves open.
pub(crate) fn issensitive_if_known() -> Function {
    issensitive_with(Value::is_known)
}

/// Builds `issensitive`. `decided` tells if the answer for a value can no longer change; it is unknown otherwise.
fn issensitive_with(decided: fn(&Value) -> bool) -> Function {
    on_value("issensitive", "Tells whether the value is marked as sensitive.")
        .returns(Type::Bool)
        .implementation(move |_, args| match args {
            [value] if decided(value) => Ok(Value::bool(value.has_mark(&sensitive_mark()))),
            [_] => Ok(Value::unknown(Type::Bool)),
            _ => fail("a value is required"),
        })
}

/// `ephemeralasnull(value)`
pub(crate) fn ephemeralasnull() -> Function {
    on_value("ephemeralasnull", "Puts null in place of everything ephemeral in the value.").implementation(
        |invocation, args| match args {
            [value] => without_ephemeral(invocation, value),
            _ => fail("a value is required"),
        },
    )
}

/// Replaces all that is ephemeral by null of its type; other marks stay. A set has the marks of its elements itself,
/// so one with an ephemeral element becomes null as a whole.
fn without_ephemeral(invocation: &mut Invocation<'_>, value: &Value) -> Outcome {
    invocation.go_on(1)?;
    if !value.contains_marks() {
        return Ok(value.clone());
    }
    let (plain, marks) = value.unmark();
    let ephemeral = ephemeral_mark();
    if marks.contains(&ephemeral) {
        let ty = plain.ty_on(&mut Some(invocation.meter()))?;
        // An unknown value stays one: its type is all that the result has in common with it.
        let replaced = if plain.is_known() { Value::null(ty) } else { Value::unknown(ty) };
        return Ok(replaced.with_marks(&marks.without(&ephemeral)));
    }
    let mut replaced = invocation.room(plain.len().unwrap_or(0))?;
    crate::stack::grow(plain.depth(), || -> Result<(), FunctionError> {
        for part in plain.parts().unwrap_or(&[]) {
            replaced.push(without_ephemeral(invocation, part)?);
        }
        Ok(())
    })?;
    let element = plain.element_type().cloned().unwrap_or(Type::Dynamic);
    let result = match (plain.kind(), plain.shape()) {
        (Kind::List, _) => Value::list(element, replaced),
        (Kind::Tuple, _) => Value::tuple(replaced),
        (Kind::Map, Some(shape)) => Value::map_with_shape(element, shape.clone(), replaced),
        (Kind::Object, Some(shape)) => Value::object_with_shape(shape.clone(), replaced),
        _ => plain.clone(),
    };
    Ok(result.with_marks(&marks))
}
