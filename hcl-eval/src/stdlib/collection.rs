//! Collections as wholes: their size, keys and values, what is in them, and choosing among several.
//!
//! Each function has a `returns_by` step beside its implementation. The step runs also when arguments are unknown,
//! and its errors are errors of the call even then, as in the reference. It is therefore called a second time from
//! the implementation where that needs the type.

use hcl_syntax::hash::IndexMap;

use super::sequence::{any_marked, sequence_of};
use super::string::{count_charged, count_of_unknown};
use super::support::{
    Outcome, elements, fail, function, refuse, try_convert, type_of_first, types_of, unify_on, unknown,
};
use crate::Str;
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::Meter;
use crate::sorting::sort_texts_on;
use crate::types::{ObjectAttribute, Type};
use crate::value::{Kind, Marks, Number, Refinement, Shape, Value};

/// A parameter for anything at all.
pub(super) fn anything(name: &str) -> Parameter {
    Parameter::new(name, Type::Dynamic).allow_null().allow_unknown().allow_dynamic()
}

/// `length(value)` of texts, collections, tuples and objects.
pub(crate) fn length() -> Function {
    function(
        "length",
        "Counts the elements of a collection, the attributes of an object or the characters of a text.",
    )
    .parameter(
        any_marked("value")
            .described("A string, list, set, map, tuple or object.")
            .allow_unknown()
            .allow_dynamic(),
    )
    .returns(Type::Number)
    .implementation(|invocation, args| {
        let Some(value) = args.first() else { return fail("a value is required") };
        if let Some(n) = known_length(value) {
            return Ok(n);
        }
        let ty = value.ty();
        let length = match (&ty, value.as_str()) {
            (Type::String, Some(text)) => Value::int(count_charged(invocation, text)?),
            (Type::String, None) => count_of_unknown(value),
            (Type::Dynamic, _) => unknown(Type::Number),
            (Type::Object(object), _) => Value::count(object.attributes().len()),
            _ if ty.is_collection() || ty.is_structural() => return Ok(value.length()),
            _ => return fail("argument must be a string, a collection type, or a structural type"),
        };
        Ok(length.with_marks(value.marks()))
    })
}

/// The length of something that has elements. Their types are not asked for, which would be made of all that is in them.
fn known_length(value: &Value) -> Option<Value> {
    match value.kind() {
        Kind::Object => Some(Value::count(value.len()?).with_marks(value.marks())),
        Kind::List | Kind::Set | Kind::Map | Kind::Tuple => Some(value.length()),
        _ => None,
    }
}

/// `length(collection)` of collections and tuples only.
pub(crate) fn length_of_collection() -> Function {
    function("length", "Counts the elements of a collection.")
        .parameter(
            any_marked("collection").described("A list, set, map or tuple.").allow_unknown().allow_dynamic(),
        )
        .returns(Type::Number)
        .implementation(|_, args| match args.first() {
            Some(value) if value.kind() != Kind::Object && known_length(value).is_some() => {
                Ok(value.length())
            }
            Some(value) => match value.type_kind() {
                Some(Kind::List | Kind::Set | Kind::Map | Kind::Tuple) => Ok(value.length()),
                None => Ok(some_length().with_marks(value.marks())),
                Some(_) => fail("collection must be a list, a map or a tuple"),
            },
            None => fail("a collection is required"),
        })
}

/// The length of what is not known at all.
fn some_length() -> Value {
    let known =
        Refinement::new().not_null().min(Number::from_i64(0), true).max(Number::from_i64(i64::MAX), true);
    Value::unknown_refined(Type::Number, known)
}

/// `keys(inputMap)`
pub(crate) fn keys() -> Function {
    function(
        "keys",
        "Gives the keys of a map or the attribute names of an object, in the order of their bytes.",
    )
    .parameter(any_marked("inputMap").described("A map or an object.").allow_unknown())
    .returns(Type::Dynamic)
    .implementation(|invocation, args| {
        let Some(map) = args.first() else { return fail("a map is required") };
        let names = map.shape().map(|shape| shape.names().iter().cloned().map(Value::string_nfc));
        // Charged first: what they come together in, and are copied from, counts if they are many.
        invocation.charge_elements(names.as_ref().map_or(0, ExactSizeIterator::len))?;
        let names = names.map(|names| invocation.gather(names)).transpose()?;
        let keys = match (map.kind(), names) {
            (Kind::Object, Some(names)) => Value::tuple(names),
            (_, Some(names)) => Value::list(Type::String, names),
            (_, None) => match map.type_kind() {
                Some(Kind::Object) => {
                    let ty = map.ty();
                    let names = ty.attributes().unwrap_or(&[]).iter();
                    invocation.charge_elements(names.len())?;
                    let names = names.map(|attribute| Value::string_nfc(attribute.name.clone()));
                    Value::tuple(invocation.gather(names)?)
                }
                Some(Kind::Map) => unknown(Type::list(Type::String)),
                _ => return refuse(0, "must have map or object type"),
            },
        };
        Ok(keys.with_marks(map.marks()))
    })
}

/// `values(mapping)`
pub(crate) fn values() -> Function {
    function("values", "Gives the values of a map or object in the order of their keys.")
        .parameter(any_marked("mapping").described("A map or an object."))
        .returns_on(|args, meter| values_type(&type_of_first(args, meter)?))
        .implementation(|invocation, args| {
            let Some(map) = args.first() else { return fail("a map is required") };
            let Some(parts) = map.shape().and(map.parts()) else { return no_map() };
            invocation.charge_elements(parts.len())?;
            let values = invocation.gather(parts.iter().cloned())?;
            Ok(sequence_of(map.element_type(), values, invocation)?.with_marks(map.marks()))
        })
}

/// The type of `values` of a map or an object: a list for a map, a tuple for an object, whose attributes stand in the
/// order of their names. Anything else is an error already at this step.
fn values_type(ty: &Type) -> Result<Type, FunctionError> {
    match ty {
        Type::Map(_) => Ok(Type::list(ty.element_type().cloned().unwrap_or(Type::Dynamic))),
        Type::Object(object) => {
            Ok(Type::tuple(object.attributes().iter().map(|attribute| attribute.ty.clone()).collect()))
        }
        _ => no_map(),
    }
}

/// The complaint of `values` about an argument that is neither a map nor an object.
fn no_map<T>() -> Result<T, FunctionError> {
    fail("values() requires a map as the first argument")
}

/// `contains(list, value)`, null not allowed.
pub(crate) fn contains() -> Function {
    contains_with(
        Parameter::new("value", Type::Dynamic)
            .described("The value to look for; it must be of the same type as the element."),
    )
}

/// `contains(list, value)`, null allowed.
pub(crate) fn contains_or_null() -> Function {
    contains_with(
        Parameter::new("value", Type::Dynamic)
            .described("The value to look for; it must be of the same type as the element.")
            .allow_null(),
    )
}

/// Builds `contains`. Products differ only in the tolerance for null of the `value` parameter.
///
/// Equality is exact about types, so that a number is not found among texts. An element that is unknown makes "not
/// found" unknown, and does not hinder an equal element behind it from deciding.
fn contains_with(value: Parameter) -> Function {
    function("contains", "Tells whether a value is in a list, tuple or set.")
        .parameter(Parameter::new("list", Type::Dynamic).described("A list, set or tuple."))
        .parameter(value)
        .returns(Type::Bool)
        .implementation(|invocation, args| {
            let [list, wanted] = args else { return fail("a list and a value are required") };
            let Some(values) = list.elements() else {
                return fail("argument must be list, tuple, or set");
            };
            let mut undecided = false;
            for value in values {
                invocation.charge_steps(1)?;
                match wanted.equals_within(value, invocation.meter())?.as_bool() {
                    Some(true) => return Ok(Value::bool(true)),
                    Some(false) => {}
                    None => undecided = true,
                }
            }
            Ok(if undecided { unknown(Type::Bool) } else { Value::bool(false) })
        })
}

/// The treatment of an empty text by `coalesce`.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Empty {
    /// An empty text is passed over like null, as Terraform, OpenTofu and Packer do.
    Skipped,
    /// An empty text is a value like any other, as Nomad has it.
    Taken,
}

/// `coalesce(vals...)`, which also passes over empty texts.
pub(crate) fn coalesce() -> Function {
    coalesce_with(Empty::Skipped)
}

/// `coalesce(vals...)`, which passes over null only.
pub(crate) fn coalesce_null() -> Function {
    coalesce_with(Empty::Taken)
}

/// Builds `coalesce`. All arguments are unified before any is looked at, so that the result of `coalesce(1, "a")` is
/// a text.
fn coalesce_with(empty: Empty) -> Function {
    function(
        "coalesce",
        match empty {
            Empty::Skipped => "Gives the first of the values that is neither null nor an empty string.",
            Empty::Taken => "Gives the first of the values that is not null.",
        },
    )
    .variadic(anything("vals").described("Values that can be converted to one type."))
    .returns_on(common_type)
    .implementation(move |invocation, args| {
        let ty = common_type(args, invocation.meter())?;
        for value in args {
            if !value.is_known() {
                // Refinements of the value do not count here, as in the reference.
                return Ok(unknown(ty));
            }
            let converted = match try_convert(value, &ty, invocation.meter())? {
                Ok(converted) => converted,
                // Passed over like null, as the products have it.
                Err(_) if empty == Empty::Skipped => continue,
                Err(error) => return fail(error.kind.detail()),
            };
            let is_empty = empty == Empty::Skipped && ty == Type::String && converted.as_str() == Some("");
            if !converted.is_null() && !is_empty {
                return Ok(converted);
            }
        }
        fail(match empty {
            Empty::Skipped => "no non-null, non-empty-string arguments",
            Empty::Taken => "no non-null arguments",
        })
    })
}

/// The type that all arguments can be converted to. No arguments at all are the same error as arguments without a
/// common type, as in the reference.
fn common_type(args: &[Value], meter: &mut Meter) -> Result<Type, FunctionError> {
    let types = types_of(args, meter)?;
    match unify_on(&types, meter)? {
        Some(ty) if !types.is_empty() => Ok(ty),
        _ => fail("all arguments must have the same type"),
    }
}

/// `coalescelist(vals...)`
pub(crate) fn coalescelist() -> Function {
    function("coalescelist", "Gives the first of the lists that is not empty.")
        .variadic(anything("vals").described("Lists and tuples."))
        .returns(Type::Dynamic)
        .implementation(|_, args| {
            if args.is_empty() {
                return fail("at least one argument is required");
            }
            // Types are checked up to the first unknown argument.
            let known = args.iter().take_while(|value| value.is_known());
            if !known.clone().all(|value| matches!(value.type_kind(), Some(Kind::List | Kind::Tuple))) {
                return fail("coalescelist arguments must be lists or tuples");
            }
            for value in args {
                if !value.is_known() {
                    return Ok(Value::dynamic());
                }
                if value.elements().is_some_and(|elements| !elements.is_empty()) {
                    return Ok(value.clone());
                }
            }
            fail("no non-null arguments")
        })
}

/// `compact(list)`
pub(crate) fn compact() -> Function {
    function("compact", "Removes null and empty strings from a list.")
        .parameter(Parameter::new("list", Type::list(Type::String)).described("The list."))
        .returns(Type::list(Type::String))
        .implementation(|invocation, args| {
            let texts = elements(args, 0);
            if !args.iter().all(Value::is_wholly_known) {
                return Ok(unknown(Type::list(Type::String)));
            }
            invocation.charge_elements(texts.len())?;
            let mut kept = Vec::new();
            for text in texts {
                invocation.go_on(1)?;
                if text.as_str().is_some_and(|text| !text.is_empty()) {
                    kept.push(text.clone());
                }
            }
            Ok(Value::list(Type::String, kept))
        })
}

/// `one(list)`
pub(crate) fn one() -> Function {
    Function::new("one", "Gives the only element of a list, or null if the list is empty.")
        .parameter(
            Parameter::new("list", Type::Dynamic)
                .described("A list, set or tuple of no more than one element."),
        )
        .returns_on(only_type)
        .implementation(|invocation, args| {
            let Some(list) = args.first() else { return fail("a list is required") };
            match list.elements() {
                _ if !list.length().is_known() => Ok(Value::unknown(only_type(args, invocation.meter())?)),
                Some([]) => Ok(Value::null(only_type(args, invocation.meter())?)),
                Some([only]) => Ok(only.clone()),
                _ => refuse(0, ONE_ELEMENT),
            }
        })
}

/// The complaint of `one`, about types and about lengths.
const ONE_ELEMENT: &str = "must be a list, set, or tuple value with either zero or one elements";

/// The type of the element of a list, set or tuple of at most one; [`Type::Dynamic`] for an empty tuple. The length
/// of a list or set is not known from its type and is checked by the caller.
fn only_type(args: &[Value], meter: &mut Meter) -> Result<Type, FunctionError> {
    let ty = type_of_first(args, meter)?;
    match (&ty, ty.tuple_elements()) {
        (Type::List(_) | Type::Set(_), _) => Ok(ty.element_type().cloned().unwrap_or(Type::Dynamic)),
        (_, Some([])) => Ok(Type::Dynamic),
        (_, Some([only])) => Ok(only.clone()),
        _ => refuse(0, ONE_ELEMENT),
    }
}

/// `alltrue(list)`
pub(crate) fn alltrue() -> Function {
    of_bools("alltrue", "Tells whether all elements are true; of none they are.", |bools| {
        // The first that is not true decides: behind one that is not known nothing else does.
        let first = bools.iter().find(|value| value.as_bool() != Some(true));
        first.map_or(Some(true), |value| value.is_known().then_some(false))
    })
}

/// `anytrue(list)`
pub(crate) fn anytrue() -> Function {
    of_bools("anytrue", "Tells whether any element is true; of none it is not.", |bools| {
        // One true element decides, wherever unknown ones stand.
        if bools.iter().any(|value| value.as_bool() == Some(true)) {
            return Some(true);
        }
        bools.iter().all(Value::is_known).then_some(false)
    })
}

/// Builds a function of one list of bools. `body` gives the answer, or none if unknown elements leave it open.
fn of_bools(name: &'static str, description: &'static str, body: fn(&[Value]) -> Option<bool>) -> Function {
    function(name, description)
        .parameter(
            Parameter::new("list", Type::list(Type::Bool))
                .described("The list; its elements are converted to bool."),
        )
        .returns(Type::Bool)
        .implementation(move |invocation, args| {
            let bools = elements(args, 0);
            invocation.charge_steps(bools.len() as u64)?;
            Ok(body(bools).map_or_else(|| unknown(Type::Bool), Value::bool))
        })
}

/// `transpose(values)`
pub(crate) fn transpose() -> Function {
    let lists = Type::map(Type::list(Type::String));
    function("transpose", "Turns a map of lists around: what was in the lists becomes the keys.")
        .parameter(
            Parameter::new("values", lists.clone())
                .described("The map; each of its elements is a list of strings."),
        )
        .returns(lists)
        .implementation(|invocation, args| match args.first() {
            Some(map) if map.is_wholly_known() => transpose_known(invocation, map),
            _ => Ok(unknown(Type::map(Type::list(Type::String)))),
        })
}

/// Turns a wholly known map of lists of texts around.
fn transpose_known(invocation: &mut Invocation<'_>, map: &Value) -> Outcome {
    let mut pairs = Vec::new();
    let names = map.shape().map_or(&[][..], Shape::names);
    for (name, list) in names.iter().zip(map.parts().unwrap_or_default()) {
        let Some(texts) = list.elements() else { return fail("input must not contain null list") };
        invocation.charge_elements(texts.len())?;
        for text in texts {
            invocation.go_on(1)?;
            let Some(text) = text.as_text() else {
                return fail("input list must not contain null string");
            };
            invocation.meter().hold_push(&pairs)?;
            pairs.push((text.clone(), Value::string_nfc(name.clone())));
        }
    }
    // The keys come in order and stay so, so the lists are sorted.
    sort_texts_on(&mut pairs, |a| a.0.len(), |a, b| a.0.cmp(&b.0), |n| invocation.go_on(n))?;
    let mut turned = Vec::new();
    for alike in pairs.chunk_by(|a, b| a.0 == b.0) {
        invocation.charge_elements(1)?;
        let list = invocation.gather(alike.iter().map(|(_, key)| key.clone()))?;
        invocation.meter().hold_push(&turned)?;
        turned.push((alike[0].0.clone(), Value::list(Type::String, list)));
    }
    Ok(Value::map_on(Type::list(Type::String), turned, &mut Some(invocation.meter()))?)
}

/// `zipmap(keys, values)`
pub(crate) fn zipmap() -> Function {
    function("zipmap", "Makes a map or object from a list of keys and a list of values.")
        .parameter(
            Parameter::new("keys", Type::list(Type::String))
                .described("The keys; of a repeated one the last value counts.")
                .allow_marked(),
        )
        .parameter(
            any_marked("values").described("As many values: of a list it makes a map, of a tuple an object."),
        )
        .returns_on(zipped_type)
        .implementation(|invocation, args| {
            let [keys, values] = args else { return fail("keys and values are required") };
            if !matches!(values.type_kind(), Some(Kind::List | Kind::Tuple)) {
                return fail("values argument must be a list or tuple value");
            }
            let element = values.element_type();
            let mut marks = keys.marks().union(values.marks());
            if !keys.is_wholly_known() {
                return Ok(unknown(zipped_type(args, invocation.meter())?).with_marks(&marks));
            }
            let values = values.elements().unwrap_or(&[]);
            invocation.charge_elements(values.len())?;
            // Names and values as pairs, and apart from each other; and what sorting takes.
            invocation.meter().hold_parts(values.len(), 3 * size_of::<(Str, Value)>())?;
            let zipped = zip(invocation, keys.elements().unwrap_or(&[]), values, &mut marks)?;
            let zipped = match element {
                Some(element) => Value::map_on(element.clone(), zipped, &mut Some(invocation.meter()))?,
                None => Value::object_on(zipped, &mut Some(invocation.meter()))?,
            };
            Ok(zipped.with_marks(&marks))
        })
}

/// Pairs keys with values. The marks of each key are added to `marks`, because the names of a map or an object cannot
/// have any.
fn zip(
    invocation: &mut Invocation<'_>,
    keys: &[Value],
    values: &[Value],
    marks: &mut Marks,
) -> Result<Vec<(Str, Value)>, FunctionError> {
    check_lengths(keys.len(), values.len())?;
    let mut zipped = invocation.room(keys.len())?;
    for (index, (key, value)) in keys.iter().zip(values).enumerate() {
        invocation.go_on(1)?;
        let Some(name) = key.as_text() else {
            return null_key(index);
        };
        *marks = marks.union(key.marks());
        zipped.push((name.clone(), value.clone()));
    }
    Ok(zipped)
}

/// Refuses a null among the keys of `zipmap`; `index` counts from 0.
fn null_key<T>(index: usize) -> Result<T, FunctionError> {
    fail(format!("keys list has null value at index {index}"))
}

/// Checks that `zipmap` has as many values as keys.
fn check_lengths(keys: usize, values: usize) -> Result<(), FunctionError> {
    match keys == values {
        true => Ok(()),
        false => fail(format!("number of keys ({keys}) does not match number of values ({values})")),
    }
}

/// The type of `zipmap`. A list makes a map, whose type needs no keys; a tuple makes an object, whose type is dynamic
/// until all keys are known. A key that occurs twice has the type of its last value.
fn zipped_type(args: &[Value], meter: &mut Meter) -> Result<Type, FunctionError> {
    let [keys, values] = args else { return Ok(Type::Dynamic) };
    let ty = values.ty_on(&mut Some(meter))?;
    match (&ty, ty.tuple_elements()) {
        (Type::List(_), _) => Ok(Type::map(ty.element_type().cloned().unwrap_or(Type::Dynamic))),
        (_, Some(_)) if !keys.is_wholly_known() => Ok(Type::Dynamic),
        (_, Some(types)) => {
            let keys = keys.elements().unwrap_or(&[]);
            check_lengths(keys.len(), types.len())?;
            meter.hold_parts(types.len(), 3 * size_of::<ObjectAttribute>())?;
            let mut attributes: IndexMap<Str, Type> = IndexMap::default();
            for (index, (key, ty)) in keys.iter().zip(types).enumerate() {
                meter.go_on(1)?;
                let Some(name) = key.as_text() else { return null_key(index) };
                attributes.insert(name.clone(), ty.clone());
            }
            let attributes = attributes.into_iter().map(|(name, ty)| ObjectAttribute::new(name, ty));
            Ok(Type::object(attributes.collect()))
        }
        _ => fail("values argument must be a list or tuple value"),
    }
}
