//! `lookup` and `index`: finding an element by key, a position by value.

use super::sequence::any_marked;
use super::support::{Outcome, fail, function, number, refuse, try_convert, unknown};
use crate::function::{Function, FunctionError, Parameter};
use crate::limits::{LimitReached, Meter};
use crate::types::Type;
use crate::value::{Kind, Value};

/// `lookup(inputMap, key[, default])` that reads known entries of a map with unknown ones.
pub(crate) fn lookup() -> Function {
    Function::new("lookup", "Gives the element of a map under a key, or a default.")
        .parameter(any_marked("inputMap").described("A map or an object.").allow_unknown())
        .parameter(Parameter::new("key", Type::String).described("The key, or the name of the attribute.").allow_unknown().allow_marked())
        .variadic(any_marked("default").described("What is given when there is no such key; at most one. For a map it is converted to the type of its elements.").allow_null().allow_unknown().allow_dynamic())
        .returns_on(lookup_type)
        .implementation(|invocation, args| {
            if args.len() > 3 {
                return fail(format!("lookup() takes two or three arguments, got {}", args.len()));
            }
            look_up(args, Knowledge::OfTheEntry, invocation.meter())
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
        .returns_on(lookup_type)
        .implementation(|invocation, args| look_up(args, Knowledge::OfTheMap, invocation.meter()))
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
fn look_up(args: &[Value], needed: Knowledge, meter: &mut Meter) -> Outcome {
    let [map, key, ..] = args else { return fail("a map and a key are required") };
    let marks = map.marks().union(key.marks());
    if !map.is_known() || !key.is_known() || (needed == Knowledge::OfTheMap && !map.is_wholly_known()) {
        return Ok(Value::unknown(lookup_type(args, meter)?).with_marks(&marks));
    }
    let name = key.as_text().cloned().unwrap_or_default();
    let found = map.attribute_on(&name, &mut Some(meter))?;
    // A default for an attribute that is there is not looked at.
    if let Some(found) = found.filter(|_| map.kind() == Kind::Object) {
        return Ok(found.clone().with_marks(&marks));
    }
    let result = lookup_type(args, meter)?;
    if let Some(found) = found {
        return Ok(found.clone().with_marks(&marks));
    }
    match args.get(2) {
        Some(default) => match try_convert(default, &result, meter)? {
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
fn lookup_type(args: &[Value], meter: &mut Meter) -> Result<Type, FunctionError> {
    let [map, key, ..] = args else { return fail("a map and a key are required") };
    match map.type_kind() {
        Some(Kind::Object) if !key.is_known() => Ok(Type::Dynamic),
        Some(Kind::Object) => match (attribute_type(map, key, meter)?, args.get(2)) {
            (Some(attribute), _) => Ok(attribute),
            (None, Some(default)) => Ok(default.ty_on(&mut Some(meter))?),
            (None, None) => refuse(0, format!("the given object has no attribute {}", shown(key))),
        },
        Some(Kind::Map) => {
            let element = map.ty().element_type().cloned().unwrap_or(Type::Dynamic);
            let default = args.get(2).map(|default| try_convert(default, &element, meter)).transpose()?;
            match default {
                Some(Err(_)) => refuse(2, "the default value must have the same type as the map elements"),
                _ => Ok(element),
            }
        }
        _ => refuse(0, "lookup() requires a map as the first argument"),
    }
}

/// The type of an attribute of an object, known or not.
fn attribute_type(object: &Value, key: &Value, meter: &mut Meter) -> Result<Option<Type>, LimitReached> {
    let name = key.as_text().cloned().unwrap_or_default();
    match object.kind() {
        Kind::Object => {
            let found = object.attribute_on(&name, &mut Some(meter))?;
            found.map(|value| value.ty_on(&mut Some(meter))).transpose()
        }
        _ => Ok(object.ty().attribute(&name).map(|attribute| attribute.ty.clone())),
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
            let Some(elements) = list.elements().filter(|_| list.kind() != Kind::Set) else {
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
        .returns_on(indexed_type)
        .implementation(|invocation, args| {
            indexed_type(args, invocation.meter())?;
            let [collection, key] = args else { return fail("a collection and a key are required") };
            let found = match collection.elements() {
                Some(elements) => number(args, 1).to_usize().and_then(|position| elements.get(position)),
                None => {
                    let name = key.as_text().cloned().unwrap_or_default();
                    collection.attribute_on(&name, &mut Some(invocation.meter()))?
                }
            };
            found.cloned().ok_or_else(|| FunctionError::new("invalid index"))
        })
}

/// The type of Nomad's `index`, which refuses keys of the wrong kind, and positions of tuples that are out of range.
fn indexed_type(args: &[Value], meter: &mut Meter) -> Result<Type, FunctionError> {
    let [collection, key] = args else { return fail("a collection and a key are required") };
    let key_kind = key.type_kind();
    match collection.type_kind() {
        Some(Kind::Map) if !matches!(key_kind, Some(Kind::String) | None) => {
            fail("key for map must be string")
        }
        Some(kind @ (Kind::List | Kind::Tuple)) if !matches!(key_kind, Some(Kind::Number) | None) => {
            fail(format!("key for {} must be number", if kind == Kind::List { "list" } else { "tuple" }))
        }
        Some(Kind::Map | Kind::List) => Ok(collection.ty().element_type().cloned().unwrap_or(Type::Dynamic)),
        Some(Kind::Tuple) if key.is_known() => match collection.elements() {
            Some(elements) => Ok(at_position(args, elements)?.ty_on(&mut Some(meter))?),
            None => at_position(args, collection.ty().tuple_elements().unwrap_or(&[])).cloned(),
        },
        Some(Kind::Tuple) => Ok(Type::Dynamic),
        _ => fail("collection must be a list, a map or a tuple"),
    }
}

/// The part of a tuple, or of its type, at the position that the second argument says.
fn at_position<'a, T>(args: &[Value], parts: &'a [T]) -> Result<&'a T, FunctionError> {
    let position = number(args, 1).to_i64().map(usize::try_from);
    match position.map(|position| position.ok().and_then(|position| parts.get(position))) {
        Some(Some(part)) => Ok(part),
        // The upper bound in the message is one too high, as in the reference.
        Some(None) => fail(format!("key must be between 0 and {} inclusive", parts.len())),
        None => fail(format!("invalid key for tuple: {}", super::support::WHOLE_NUMBER)),
    }
}
