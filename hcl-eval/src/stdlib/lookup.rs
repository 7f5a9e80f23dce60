//! `lookup` and `index`: finding an element by key, a position by value.

use super::sequence::any_marked;
use super::support::{Outcome, fail, function, number, refuse, text, unknown};
use crate::convert::convert;
use crate::function::{Function, FunctionError, Parameter};
use crate::types::Type;
use crate::value::Value;

/// `lookup(inputMap, key[, default])` that reads known entries of a map with unknown ones.
pub(crate) fn lookup() -> Function {
    Function::new("lookup", "Gives the element of a map under a key, or a default.")
        .parameter(any_marked("inputMap").described("A map or an object.").allow_unknown())
        .parameter(Parameter::new("key", Type::String).described("The key, or the name of the attribute.").allow_unknown().allow_marked())
        .variadic(any_marked("default").described("What is given when there is no such key; at most one. For a map it is converted to the type of its elements.").allow_null().allow_unknown().allow_dynamic())
        .returns_by(lookup_type)
        .implementation(|_, args| {
            if args.len() > 3 {
                return fail(format!("lookup() takes two or three arguments, got {}", args.len()));
            }
            look_up(args, Knowledge::OfTheEntry)
        })
}

/// `lookup(inputMap, key, default)`, where anything unknown in the map makes the result unknown.
pub(crate) fn lookup_with_default() -> Function {
    Function::new("lookup", "Gives the element of a map under a key, or a default.")
        .parameter(any_marked("inputMap").described("A map or an object."))
        .parameter(
            Parameter::new("key", Type::String)
                .described("The key, or the name of the attribute.")
                .allow_marked(),
        )
        .parameter(any_marked("default").described(
            "What is given when there is no such key; for a map converted to the type of its elements.",
        ))
        .returns_by(lookup_type)
        .implementation(|_, args| look_up(args, Knowledge::OfTheMap))
}

/// How much of the map must be known.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Knowledge {
    /// The map itself and the key; other entries may be unknown.
    OfTheEntry,
    /// Everything in the map, as Packer and Nomad have it.
    OfTheMap,
}

/// Finds the element under a key or takes the default. The result has the marks of the map and of the key beside its
/// own. A default for a map is converted to the type of its elements.
fn look_up(args: &[Value], needed: Knowledge) -> Outcome {
    let [map, key, ..] = args else { return fail("a map and a key are required") };
    let result = lookup_type(args)?;
    let marks = map.marks().union(key.marks());
    if !map.is_known() || !key.is_known() || (needed == Knowledge::OfTheMap && !map.is_wholly_known()) {
        return Ok(Value::unknown(result).with_marks(&marks));
    }
    if let Some(found) = map.get_attribute(text(args, 1)) {
        return Ok(found.clone().with_marks(&marks));
    }
    match args.get(2) {
        Some(default) => match convert(default, &result) {
            Ok(default) => Ok(default.with_marks(&marks)),
            Err(error) => Err(FunctionError::from_value(2, &error)),
        },
        None => fail(format!("lookup failed to find key {}", shown(key))),
    }
}

/// A key in a message; nothing of it if it is marked, because messages are shown to everybody.
fn shown(key: &Value) -> String {
    super::support::quoted(key)
}

/// The type of `lookup`, with the checks that do not need a known map: an object without the attribute and without a
/// default is refused here, and a default for a map must convert to its element type even where it is not used, as in
/// the reference.
fn lookup_type(args: &[Value]) -> Result<Type, FunctionError> {
    let ty = args.first().map_or(Type::Dynamic, Value::ty);
    match (&ty, ty.element_type()) {
        (Type::Object(_), _) => {
            let Some(key) = args.get(1).filter(|key| key.is_known()) else { return Ok(Type::Dynamic) };
            match (ty.attribute(key.as_str().unwrap_or("")), args.get(2)) {
                (Some(attribute), _) => Ok(attribute.ty.clone()),
                (None, Some(default)) => Ok(default.ty()),
                (None, None) => refuse(0, format!("the given object has no attribute {}", shown(key))),
            }
        }
        (Type::Map(_), Some(element)) => match args.get(2).map(|default| convert(default, element)) {
            Some(Err(_)) => refuse(2, "the default value must have the same type as the map elements"),
            _ => Ok(element.clone()),
        },
        _ => refuse(0, "lookup() requires a map as the first argument"),
    }
}

/// `index(list, value)`: the position of a value.
pub(crate) fn index() -> Function {
    function("index", "Gives the position of a value in a list.")
        .parameter(Parameter::new("list", Type::Dynamic).described("The list or tuple to search."))
        .parameter(
            Parameter::new("value", Type::Dynamic)
                .described("The value to look for; it must be of the same type as the element."),
        )
        .returns(Type::Number)
        .implementation(|invocation, args| {
            let [list, wanted] = args else { return fail("a list and a value are required") };
            let Some(elements) = list.elements().filter(|_| !matches!(list.ty(), Type::Set(_))) else {
                return fail("argument must be a list or tuple");
            };
            if elements.is_empty() {
                return fail("cannot search an empty list");
            }
            for (position, element) in elements.iter().enumerate() {
                invocation.charge_steps(1)?;
                match element.equals_within(wanted, invocation.meter())?.as_bool() {
                    Some(true) => return Ok(Value::count(position)),
                    Some(false) => {}
                    None => return Ok(unknown(Type::Number)),
                }
            }
            fail("item not found")
        })
}

/// `index(collection, key)`: the element under a key.
pub(crate) fn index_by_key() -> Function {
    Function::new("index", "Gives the element of a collection under a key.")
        .parameter(Parameter::new("collection", Type::Dynamic).described("A list, tuple or map."))
        .parameter(
            Parameter::new("key", Type::Dynamic)
                .described("A position from 0 for a list or tuple, a string for a map.")
                .allow_dynamic(),
        )
        .returns_by(indexed_type)
        .implementation(|_, args| {
            indexed_type(args)?;
            let [collection, key] = args else { return fail("a collection and a key are required") };
            let found = match collection.elements() {
                Some(elements) => number(args, 1).to_usize().and_then(|position| elements.get(position)),
                None => collection.get_attribute(key.as_str().unwrap_or("")),
            };
            found.cloned().ok_or_else(|| FunctionError::new("invalid index"))
        })
}

/// The type of Nomad's `index`, which refuses keys of the wrong kind, and positions of tuples that are out of range.
fn indexed_type(args: &[Value]) -> Result<Type, FunctionError> {
    let [collection, key] = args else { return fail("a collection and a key are required") };
    let (ty, key_type) = (collection.ty(), key.ty());
    match &ty {
        Type::Map(_) if !matches!(key_type, Type::String | Type::Dynamic) => {
            fail("key for map must be string")
        }
        Type::List(_) | Type::Tuple(_) if !matches!(key_type, Type::Number | Type::Dynamic) => {
            fail(format!("key for {} must be number", if ty.is_collection() { "list" } else { "tuple" }))
        }
        Type::Map(_) | Type::List(_) => Ok(ty.element_type().cloned().unwrap_or(Type::Dynamic)),
        Type::Tuple(tuple) if key.is_known() => {
            let position = number(args, 1).to_i64().map(usize::try_from);
            match position.map(|position| position.ok().and_then(|position| tuple.elements().get(position))) {
                Some(Some(element)) => Ok(element.clone()),
                // The upper bound in the message is one too high, as in the reference.
                Some(None) => fail(format!("key must be between 0 and {} inclusive", tuple.elements().len())),
                None => fail(format!("invalid key for tuple: {}", super::support::WHOLE_NUMBER)),
            }
        }
        Type::Tuple(_) => Ok(Type::Dynamic),
        _ => fail("collection must be a list, a map or a tuple"),
    }
}
