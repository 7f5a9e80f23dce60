//! `merge`: one map or object from several.
//!
//! The entries of all arguments are gathered into one list, which is sorted by key; of entries with equal keys the
//! last given stays. Sorting needs no table of names, and the result wants its names in this order anyway.

use hcl_syntax::hash::IndexMap;

use super::support::{Outcome, fail, function};
use crate::Str;
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::Meter;
use crate::sorting::sort_texts_on;
use crate::types::{ObjectAttribute, Type};
use crate::value::merging::Merging;
use crate::value::string::are_equal_on;
use crate::value::{Kind, Marks, Shape, Value};

/// `merge(maps...)`
pub(crate) fn merge() -> Function {
    merge_by(merge_known)
}

/// `merge(maps...)`, as it was before null objects counted as empty ones.
pub(crate) fn merge_refusing_null_objects() -> Function {
    merge_by(|invocation, args| {
        let is_typed = |ty: &Type| ty.attributes().is_some_and(|attributes| !attributes.is_empty());
        match merged_kind(args, invocation.meter())? {
            Merged::Same(ty) if is_typed(&ty) && args.iter().all(Value::is_null) => {
                fail("all arguments are null, so that the result would lack the attributes of their type")
            }
            _ => merge_known(invocation, args),
        }
    })
}

/// Builds `merge`. Products differ only in what null arguments do.
fn merge_by(implementation: fn(&mut Invocation<'_>, &[Value]) -> Outcome) -> Function {
    function("merge", "Merges maps and objects into one; of equal keys the last counts.")
        .variadic(
            Parameter::new("maps", Type::Dynamic)
                .described("Maps and objects; null ones are passed over.")
                .allow_null()
                .allow_dynamic()
                .allow_marked(),
        )
        .returns_on(merged_type)
        .implementation(move |invocation, args| match merge_again(invocation, args)? {
            Some(merged) => Ok(merged),
            None => implementation(invocation, args),
        })
}

/// The bytes of an entry, and of the key and value that are made of it.
const BYTES_OF_ENTRY: usize = size_of::<Entry<'_>>() + size_of::<(Str, Value)>();

/// Merges arguments that are all known or null. Nulls are passed over; the marks of each argument go to the result.
fn merge_known(invocation: &mut Invocation<'_>, args: &[Value]) -> Outcome {
    let result = merged_kind(args, invocation.meter())?;
    let mut marks = Marks::EMPTY;
    let n_entries = args.iter().filter_map(Value::len).sum();
    // The entries, and what is made of them.
    invocation.meter().hold_parts(n_entries, BYTES_OF_ENTRY)?;
    let mut merged: Vec<Entry<'_>> = invocation.room(n_entries)?;
    for map in args.iter().filter(|map| !map.is_null()) {
        marks.extend(map.marks());
        let Some(entries) = map.entries() else {
            let elements = match result {
                Merged::Unclear => elements_as_entries(map),
                Merged::Same(_) | Merged::Object => None,
            };
            let Some(elements) = elements else { return refused(map) };
            invocation.charge_elements(elements.len())?;
            merged.extend(elements);
            continue;
        };
        invocation.charge_elements(entries.len())?;
        for (key, value) in entries {
            invocation.go_on(1)?;
            merged.push(Entry { prefix: key.prefix(), key, value });
        }
    }
    arrange(invocation, &mut merged)?;
    invocation.go_on(merged.len())?;
    let shape = Shape::from_sorted(merged.iter().map(|entry| entry.key.clone()));
    let merged = match result {
        Merged::Same(ty @ Type::Map(_)) => {
            let values = invocation.gather(merged.iter().map(|entry| entry.value.clone()))?;
            Value::map_with_shape(ty.element_type().cloned().unwrap_or(Type::Dynamic), shape, values)
        }
        Merged::Same(_) | Merged::Object | Merged::Unclear => {
            Value::object_of(shape, merged.iter().map(|entry| entry.value))
        }
    };
    Ok(merged.with_marks(&marks))
}

/// The object that objects of few attributes become, as was remembered if those of the last call were of the same shapes.
fn merge_again(invocation: &mut Invocation<'_>, args: &[Value]) -> Result<Option<Value>, FunctionError> {
    let known = invocation.meter().merging.take().filter(|merging| merging.is_of(args));
    let Some(merging) = known.or_else(|| Merging::of(args).map(Box::new)) else { return Ok(None) };
    invocation.meter().hold_parts(args.iter().filter_map(Value::len).sum(), BYTES_OF_ENTRY)?;
    for object in args {
        invocation.charge_elements(object.len().unwrap_or(0))?;
    }
    let merged = merging.merge(args);
    invocation.meter().merging = Some(merging);
    Ok(Some(merged))
}

/// A key with its first bytes, by which most are told apart, and its value.
struct Entry<'a> {
    prefix: u64,
    key: &'a Str,
    value: &'a Value,
}

/// The elements of something that is no map, by their keys. The reference gets as far where types are unclear: with nothing
/// to merge, and with sets of texts, in which each text is its own key.
fn elements_as_entries(collection: &Value) -> Option<Vec<Entry<'_>>> {
    let elements = collection.elements()?;
    if !elements.is_empty() && collection.kind() != Kind::Set {
        return None;
    }
    let entry = |value| Value::as_text(value).map(|key| Entry { prefix: key.prefix(), key, value });
    elements.iter().map(entry).collect()
}

/// Brings entries in order; of equal keys the last counts.
fn arrange(invocation: &mut Invocation<'_>, entries: &mut Vec<Entry<'_>>) -> Result<(), FunctionError> {
    let order = |a: &Entry<'_>, b: &Entry<'_>| a.prefix.cmp(&b.prefix).then_with(|| a.key.cmp(b.key));
    sort_texts_on(entries, |entry| entry.key.len(), order, |n| invocation.go_on(n))?;
    // `dedup_by` drops the later of two neighbors. The swap puts the value of the later one into what stays.
    let mut reached = Ok(());
    entries.dedup_by(|later, kept| {
        let same = later.prefix == kept.prefix
            && match are_equal_on(later.key, kept.key, &mut Some(invocation.meter())) {
                Ok(same) => same,
                Err(limit) => {
                    reached = Err(limit);
                    false
                }
            };
        if same {
            std::mem::swap(later, kept);
        }
        same
    });
    Ok(reached?)
}

/// The result of a merge.
enum Merged {
    /// All arguments are of this type, and so is the result.
    Same(Type),
    /// An object with the attributes of all.
    Object,
    /// Some argument is not known well enough.
    Unclear,
}

/// Tells the kind of the result from the types of the arguments. No arguments make an empty object. A type that is
/// neither map, object nor unknown is an error.
fn merged_kind(args: &[Value], meter: &mut Meter) -> Result<Merged, FunctionError> {
    // Types of objects are not at hand, they would have to be made.
    if args.iter().all(|arg| arg.kind() == Kind::Object) {
        return Ok(Merged::Object);
    }
    let Some(first) = args.first() else { return Ok(Merged::Object) };
    for map in args {
        match map.type_kind() {
            None => return Ok(Merged::Unclear),
            Some(Kind::Map | Kind::Object) => {}
            Some(_) => return refused(map),
        }
    }
    for map in args {
        if !map.same_type_on(first, &mut Some(meter))? {
            return Ok(Merged::Object);
        }
    }
    Ok(Merged::Same(first.ty_on(&mut Some(meter))?))
}

/// The complaint about an argument that is neither a map nor an object.
fn refused<T>(value: &Value) -> Result<T, FunctionError> {
    fail(format!("arguments must be maps or objects, got {:?}", value.type_name()))
}

/// The type when some argument is unknown.
fn merged_type(args: &[Value], meter: &mut Meter) -> Result<Type, FunctionError> {
    match merged_kind(args, meter)? {
        Merged::Same(ty) => return Ok(ty),
        Merged::Unclear => return Ok(Type::Dynamic),
        Merged::Object => {}
    }
    let mut attributes: IndexMap<Str, Type> = IndexMap::default();
    for map in args.iter().filter(|map| !map.is_null()) {
        let ty = map.ty_on(&mut Some(meter))?;
        let n_entries = map.len().or_else(|| ty.attributes().map(<[ObjectAttribute]>::len)).unwrap_or(0);
        meter.hold_parts(n_entries, 3 * size_of::<ObjectAttribute>())?;
        match (ty.attributes(), ty.element_type(), map.entries()) {
            (Some(own), ..) => attributes.extend(own.iter().map(|own| (own.name.clone(), own.ty.clone()))),
            (None, Some(element), Some(entries)) => {
                attributes.extend(entries.map(|(key, _)| (key.clone(), element.clone())));
            }
            _ => return Ok(Type::Dynamic),
        }
    }
    Ok(Type::object(attributes.into_iter().map(|(name, ty)| ObjectAttribute::new(name, ty)).collect()))
}
