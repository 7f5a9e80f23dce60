//! Lists and tuples as sequences: joining, cutting, flattening, reversing.
//!
//! These functions see marks: those of a sequence go to the whole result, those
//! of an element stay with it.

use super::support::{WHOLE_NUMBER, fail, function, number, refuse, type_of_first, types_of, unify_on};
use crate::convert::{convert_within, unify_values};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::{LimitReached, Meter};
use crate::types::Type;
use crate::value::{Kind, Marks, Value};

/// A parameter for values of any type that may carry marks.
pub(super) fn any_marked(name: &str) -> Parameter {
    Parameter::new(name, Type::Dynamic).allow_marked()
}

/// `concat(seqs...)`
pub(crate) fn concat() -> Function {
    function("concat", "Joins lists and tuples into one.")
        .variadic(any_marked("seqs").described("Lists and tuples, at least one."))
        .returns_on(concat_type)
        .implementation(|invocation, args| {
            let list = common_list(args, invocation.meter())?;
            if let Some(position) = args.iter().position(|sequence| !is_sequence(sequence)) {
                return no_sequence(args, position);
            }
            let mut n_elements = 0;
            for sequence in args {
                invocation.go_on(1)?;
                n_elements += sequence.elements().map_or(0, <[Value]>::len);
            }
            invocation.charge_elements(n_elements)?;
            // They are copied to where they stay.
            invocation.meter().hold_parts(2 * n_elements, size_of::<Value>())?;
            let mut marks = Marks::EMPTY;
            let mut joined = invocation.room(n_elements)?;
            for (position, sequence) in args.iter().enumerate() {
                marks = marks.union(sequence.marks());
                let converted = match &list {
                    Some(list) => convert_within(sequence, list, invocation.meter())
                        .map_err(|error| FunctionError::from_value(position, &error))?,
                    None => sequence.clone(),
                };
                for element in converted.elements().unwrap_or(&[]) {
                    invocation.go_on(1)?;
                    joined.push(element.clone());
                }
            }
            let joined = match list.as_ref().and_then(Type::element_type) {
                // An element type that leaves something open is settled by the elements.
                Some(element) if element.has_dynamic() && !joined.is_empty() => {
                    match unify_values(&mut joined, &mut Some(invocation.meter()))? {
                        Ok(element) => Value::list_within(element, joined, invocation.meter())?,
                        Err(_) => return fail("the elements of the lists have no type in common"),
                    }
                }
                element => sequence_of(element, joined, invocation)?,
            };
            Ok(joined.with_marks(&marks))
        })
}

/// The list type of the result if all arguments are lists whose types unify.
fn common_list(args: &[Value], meter: &mut Meter) -> Result<Option<Type>, FunctionError> {
    if args.is_empty() {
        return fail("at least one argument is required");
    }
    if args.iter().any(|sequence| sequence.type_kind() != Some(Kind::List)) {
        return Ok(None);
    }
    let types = types_of(args, meter)?;
    Ok(unify_on(&types, meter)?.filter(|common| matches!(common, Type::List(_))))
}

fn is_sequence(value: &Value) -> bool {
    matches!(value.type_kind(), Some(Kind::List | Kind::Tuple))
}

/// The complaint of `concat` about an argument that is neither a list nor a tuple.
fn no_sequence<T>(args: &[Value], position: usize) -> Result<T, FunctionError> {
    let found = args[position].type_name();
    refuse(position, format!("all arguments must be lists or tuples; got {found}"))
}

/// A list if all are lists that unify, else a tuple.
fn concat_type(args: &[Value], meter: &mut Meter) -> Result<Type, FunctionError> {
    if let Some(list) = common_list(args, meter)? {
        return Ok(list);
    }
    let mut elements = Vec::new();
    for (position, sequence) in args.iter().enumerate() {
        if !is_sequence(sequence) {
            return no_sequence(args, position);
        }
        let Some(length) = sequence_length(sequence) else { return Ok(Type::Dynamic) };
        let ty = sequence.ty_on(&mut Some(meter))?;
        meter.hold_parts(3 * (elements.len() + length), size_of::<Type>())?;
        match ty.element_type() {
            Some(element) => elements.extend(std::iter::repeat_n(element.clone(), length)),
            None => elements.extend_from_slice(ty.tuple_elements().unwrap_or(&[])),
        }
    }
    Ok(Type::tuple(elements))
}

/// The number of elements of a list or tuple, if it is known.
fn sequence_length(sequence: &Value) -> Option<usize> {
    sequence.len().or_else(|| sequence.ty().tuple_elements().map(<[Type]>::len))
}

/// `chunklist(list, size)`
pub(crate) fn chunklist() -> Function {
    function("chunklist", "Cuts a list into lists of a given length.")
        .parameter(
            Parameter::new("list", Type::list(Type::Dynamic))
                .described("The list; elements must be of one type.")
                .allow_marked(),
        )
        .parameter(
            Parameter::new("size", Type::Number)
                .described(
                    "How many elements each list gets, the last one perhaps fewer; 0 makes one list of all.",
                )
                .allow_marked(),
        )
        .returns_on(|args, meter| Ok(Type::list(type_of_first(args, meter)?)))
        .implementation(|invocation, args| {
            let [list, size] = args else { return fail("a list and a size are required") };
            let marks = list.marks().union(size.marks());
            let size = match number(args, 1).to_i64().map(usize::try_from) {
                Some(Ok(size)) => size,
                Some(Err(_)) => return fail("the size argument must be positive"),
                None => return fail(format!("invalid size: {WHOLE_NUMBER}")),
            };
            let elements = list.elements().unwrap_or(&[]);
            let element = list.element_type().cloned().unwrap_or(Type::Dynamic);
            // Without a size there is one chunk, though none of an empty list.
            let size = if size == 0 { elements.len().max(1) } else { size };
            let n_chunks = elements.len().div_ceil(size);
            invocation.charge_elements(n_chunks + elements.len())?;
            invocation.meter().hold_parts(n_chunks, size_of::<Value>())?;
            let mut chunks = invocation.room(n_chunks)?;
            for chunk in elements.chunks(size) {
                // A list and its header, while the elements are still in another one.
                invocation.meter().hold_parts(2 * chunk.len() + 4, size_of::<Value>())?;
                chunks.push(Value::list(element.clone(), invocation.gather(chunk.iter().cloned())?));
            }
            invocation.meter().hold_parts(n_chunks, size_of::<Value>())?;
            Ok(Value::list_within(Type::list(element), chunks, invocation.meter())?.with_marks(&marks))
        })
}

/// `flatten(list)`
pub(crate) fn flatten() -> Function {
    function("flatten", "Replaces every sequence inside a sequence by its elements, at any depth.")
        .parameter(any_marked("list").described("A list, set or tuple."))
        .returns(Type::Dynamic)
        .implementation(|invocation, args| {
            let Some(list) = args.first() else { return fail("a list is required") };
            if list.is_wholly_known() && list.elements().is_none() {
                return fail("can only flatten lists, sets and tuples");
            }
            let mut marks = Marks::EMPTY;
            let mut flat = Vec::new();
            Ok(match flatten_into(invocation, list, &mut flat, &mut marks)? {
                true => Value::tuple_within(flat, invocation.meter())?,
                false => Value::dynamic(),
            }
            .with_marks(&marks))
        })
}

/// Appends the elements of a sequence, and tells if all of them are there. Nesting is followed on the heap, because
/// values may be nested deeper than the stack.
fn flatten_into(
    invocation: &mut Invocation<'_>,
    list: &Value,
    flat: &mut Vec<Value>,
    marks: &mut Marks,
) -> Result<bool, FunctionError> {
    *marks = marks.union(list.marks());
    let elements = list.parts().unwrap_or(&[]);
    // A mapping gets here if something in it is unknown, and is treated alike, as in the reference.
    let mut complete = list.entries().is_some() || list.length().is_known();
    let mut open = vec![elements.iter()];
    while let Some(level) = open.last_mut() {
        let Some(value) = level.next() else {
            open.pop();
            continue;
        };
        invocation.charge_steps(1)?;
        // As in the reference, a marked one passes for an element.
        if value.is_dynamic_unknown() && !value.is_marked() {
            complete = false;
        }
        if let Some(elements) = value.elements() {
            *marks = marks.union(value.marks());
            complete &= value.length().is_known();
            open.push(elements.iter());
        } else if !value.is_known() && matches!(value.type_kind(), Some(Kind::List | Kind::Set | Kind::Tuple))
        {
            *marks = marks.union(value.marks());
            complete = false;
        } else {
            invocation.meter().room(1)?;
            invocation.meter().hold_push(flat)?;
            flat.push(value.clone());
        }
    }
    Ok(complete)
}

/// `reverse(list)`
pub(crate) fn reverse() -> Function {
    function("reverse", "Gives the elements of a sequence from the last to the first.")
        .parameter(any_marked("list").described("A list, tuple or set."))
        .returns_on(|args, meter| reverse_type(&type_of_first(args, meter)?))
        .implementation(|invocation, args| {
            let Some(list) = args.first() else { return fail("a list is required") };
            let Some(elements) = list.elements() else { return not_reversible(&list.type_name()) };
            invocation.charge_elements(elements.len())?;
            let reversed = invocation.gather(elements.iter().rev().cloned())?;
            Ok(sequence_of(list.element_type(), reversed, invocation)?.with_marks(list.marks()))
        })
}

/// The type of the reversed sequence: a set becomes a list in the order of the set.
fn reverse_type(ty: &Type) -> Result<Type, FunctionError> {
    match ty {
        Type::Tuple(tuple) => Ok(Type::tuple(tuple.elements().iter().rev().cloned().collect())),
        Type::List(_) | Type::Set(_) => Ok(Type::list(ty.element_type().cloned().unwrap_or(Type::Dynamic))),
        other => not_reversible(&other.friendly_name()),
    }
}

/// The complaint of `reverse` about an argument of the type of this name.
fn not_reversible<T>(found: &str) -> Result<T, FunctionError> {
    refuse(0, format!("can only reverse list or tuple values, not {found}"))
}

/// A list of values of one type, or a tuple.
pub(super) fn sequence_of(
    element_type: Option<&Type>,
    elements: Vec<Value>,
    invocation: &mut Invocation<'_>,
) -> Result<Value, LimitReached> {
    match element_type {
        Some(element) => Value::list_within(element.clone(), elements, invocation.meter()),
        None => Value::tuple_within(elements, invocation.meter()),
    }
}

/// `slice(list, start_index, end_index)`
pub(crate) fn slice() -> Function {
    function("slice", "Cuts a part out of a list, from one position up to another.")
        .parameter(any_marked("list").described("A list or tuple."))
        .parameter(
            Parameter::new("start_index", Type::Number)
                .described("The position of the first element to take, from 0."),
        )
        .parameter(
            Parameter::new("end_index", Type::Number)
                .described("The position behind the last element to take, at most the length."),
        )
        .returns_on(slice_type)
        .implementation(|invocation, args| {
            let Some(list) = args.first() else { return fail("a list is required") };
            let (start, end) = slice_bounds(args)?;
            let elements = list.elements().unwrap_or(&[]);
            let part = elements.get(start.unwrap_or(0)..end.unwrap_or(0)).unwrap_or(&[]);
            invocation.charge_elements(part.len())?;
            let part = invocation.gather(part.iter().cloned())?;
            Ok(sequence_of(list.element_type(), part, invocation)?.with_marks(list.marks()))
        })
}

/// The type of a slice. A list stays what it is; of a tuple it is dynamic until both bounds are known.
fn slice_type(args: &[Value], meter: &mut Meter) -> Result<Type, FunctionError> {
    let (start, end) = slice_bounds(args)?;
    let ty = type_of_first(args, meter)?;
    Ok(match (ty.tuple_elements(), start, end) {
        (None, ..) => ty,
        (Some(elements), Some(start), Some(end)) => Type::tuple(elements[start..end].to_vec()),
        (Some(_), ..) => Type::Dynamic,
    })
}

/// The bounds, as far as they are known, checked as far as they can be.
fn slice_bounds(args: &[Value]) -> Result<(Option<usize>, Option<usize>), FunctionError> {
    let sequence = args.first();
    match sequence.and_then(Value::type_kind) {
        Some(Kind::List | Kind::Tuple) => {}
        Some(Kind::Set) => {
            let why = "cannot slice a set, because its elements do not have indices; convert it with tolist, \
                       if the order of the result does not matter";
            return refuse(0, why);
        }
        _ => return refuse(0, "must be a list or tuple value"),
    }
    let length = sequence.and_then(sequence_length);
    let start = slice_bound(args, 1, "start", length)?;
    let end = slice_bound(args, 2, "end", length)?;
    match (start, end) {
        (Some(start), Some(end)) if start > end => {
            refuse(1, "start index must not be greater than end index")
        }
        bounds => Ok(bounds),
    }
}

/// Reads one bound, called `which` in messages, or none if it is unknown. `length` is that of the sequence if it is
/// known.
fn slice_bound(
    args: &[Value],
    position: usize,
    which: &str,
    length: Option<usize>,
) -> Result<Option<usize>, FunctionError> {
    if args.get(position).is_none_or(|bound| !bound.is_known()) {
        return Ok(None);
    }
    let Some(bound) = number(args, position).to_i64() else {
        return refuse(position, format!("invalid {which} index: {WHOLE_NUMBER}"));
    };
    let Ok(bound) = usize::try_from(bound) else {
        return refuse(position, format!("{which} index must not be less than zero"));
    };
    match length {
        Some(length) if bound > length => {
            refuse(position, format!("{which} index must not be greater than the length of the list"))
        }
        _ => Ok(Some(bound)),
    }
}

/// The meaning of a negative position for `element`.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Negative {
    /// It counts from the end.
    Wraps,
    /// It counts from the end of a list; the reference crashes over tuples.
    WrapsInLists,
    /// It is an error.
    Refused,
}

/// `element(list, index)`
pub(crate) fn element() -> Function {
    element_with(Negative::Wraps)
}

/// `element(list, index)` without negative positions in tuples.
pub(crate) fn element_wrapping_lists() -> Function {
    element_with(Negative::WrapsInLists)
}

/// `element(list, index)` without negative positions.
pub(crate) fn element_refusing_negative() -> Function {
    element_with(Negative::Refused)
}

/// Builds `element`. The element keeps its own marks and takes those of the sequence.
fn element_with(negative: Negative) -> Function {
    Function::new("element", "Gives an element of a list; positions past the end start over.")
        .parameter(any_marked("list").described("A list or tuple, not empty."))
        .parameter(
            Parameter::new("index", Type::Number)
                .described("The position from 0; a position past the end starts over at the first element."),
        )
        .returns_on(move |args, meter| element_type(args, negative, meter))
        .implementation(move |_, args| {
            let Some(list) = args.first() else { return fail("a list is required") };
            if !is_sequence(list) {
                return no_elements(list);
            }
            let elements = list.elements().unwrap_or(&[]);
            let position = position_around(args, elements.len(), negative)?;
            Ok(elements[position].clone().with_marks(list.marks()))
        })
}

/// The type of `element`, which checks the position where the type tells the length: in a tuple.
fn element_type(args: &[Value], negative: Negative, meter: &mut Meter) -> Result<Type, FunctionError> {
    let Some(list) = args.first() else { return Ok(Type::Dynamic) };
    let ty = list.ty_on(&mut Some(meter))?;
    match &ty {
        Type::List(_) => Ok(ty.element_type().cloned().unwrap_or(Type::Dynamic)),
        Type::Tuple(tuple) if args.get(1).is_some_and(Value::is_known) => {
            let position = position_around(args, tuple.elements().len(), negative)?;
            Ok(tuple.elements()[position].clone())
        }
        Type::Tuple(_) => Ok(Type::Dynamic),
        _ => no_elements(list),
    }
}

/// The complaint of `element` about an argument that is neither a list nor a tuple.
fn no_elements<T>(value: &Value) -> Result<T, FunctionError> {
    fail(format!("cannot read elements from {}", value.type_name()))
}

/// The second argument modulo the length, which makes negative positions count from the end.
fn position_around(args: &[Value], length: usize, negative: Negative) -> Result<usize, FunctionError> {
    let Some(index) = number(args, 1).to_i64() else {
        return fail(format!("invalid index: {WHOLE_NUMBER}"));
    };
    let Some(length) = i64::try_from(length).ok().filter(|&length| length > 0) else {
        return fail("cannot use element function with an empty list");
    };
    let is_tuple = args.first().and_then(Value::type_kind) == Some(Kind::Tuple);
    let wraps = match negative {
        Negative::Wraps => true,
        // The reference takes Go's remainder, which is negative unless it is zero.
        Negative::WrapsInLists => !is_tuple || index % length == 0,
        Negative::Refused => false,
    };
    if index < 0 && !wraps {
        return fail("cannot use element function with a negative index here");
    }
    Ok(usize::try_from(index.rem_euclid(length)).unwrap_or(0))
}
