//! Containers: making them, reading them, their length.

use std::iter::Zip;
use std::mem;
use std::slice::Iter;

use super::marks::Marks;
use super::node::{MapHeader, Node, ObjectHeader, SequenceHeader, Summary};
use super::scattered::{self, Scattering};
use super::shape::{Probe, Shape};
use super::string::normalize_within;
use super::{Number, Refinement, Repr, Value, set};
use crate::Str;
use crate::limits::{BYTES_PER_PART, LimitReached, Meter, Pace, RUN, go_on, hold, hold_copy};
use crate::sorting::sorted_places_on;
use crate::types::Type;

impl Value {
    /// A list. Elements are values of the element type; nulls and unknowns of dynamic type beside them become
    /// of it; marks stay on the elements. With a dynamic element type the first concrete element decides.
    ///
    /// ```
    /// use hcl_eval::{Type, Value};
    ///
    /// let ports = Value::list(Type::Number, vec![Value::from(80), Value::from(443)]);
    /// assert_eq!(ports.ty(), Type::list(Type::Number));
    /// assert_eq!(ports.elements().map(<[_]>::len), Some(2));
    /// ```
    #[must_use]
    pub fn list(element: Type, values: Vec<Value>) -> Value {
        Value::list_on(element, values, &mut None).unwrap_or_else(|_| Value::dynamic())
    }

    /// [`Value::list`] with looks at the limits of a meter, to which the work has been charged.
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn list_within(element: Type, values: Vec<Value>, meter: &mut Meter) -> Result<Value, LimitReached> {
        Value::list_on(element, values, &mut Some(meter))
    }

    pub(crate) fn list_on(
        element: Type,
        mut values: Vec<Value>,
        pace: Pace<'_, '_>,
    ) -> Result<Value, LimitReached> {
        go_on(pace, values.len())?;
        let (element, summary) = agree(element, &mut values, pace)?;
        // They are copied to where they stay.
        hold_copy(pace, size_of_val(&values[..]))?;
        Ok(Value(Repr::List(Node::new(summary, SequenceHeader { element }, values))))
    }

    /// A set: duplicates go, the rest is brought into the set's order, marks anywhere in the elements move
    /// to the set.
    ///
    /// ```
    /// use hcl_eval::{Type, Value};
    ///
    /// let hosts = Value::set(Type::String, vec!["b".into(), "a".into(), "b".into()]);
    /// assert_eq!(hosts.to_json()?, r#"["a","b"]"#);
    /// # Ok::<(), hcl_eval::ValueError>(())
    /// ```
    #[must_use]
    pub fn set(element: Type, values: Vec<Value>) -> Value {
        Value::set_on(element, values, &mut None).unwrap_or_else(|_| Value::dynamic())
    }

    /// [`Value::set`] with looks at the limits of a meter, to which the work has been charged, and which is asked for
    /// the room.
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn set_within(element: Type, values: Vec<Value>, meter: &mut Meter) -> Result<Value, LimitReached> {
        Value::set_on(element, values, &mut Some(meter))
    }

    pub(crate) fn set_on(
        element: Type,
        values: Vec<Value>,
        pace: Pace<'_, '_>,
    ) -> Result<Value, LimitReached> {
        let mut marks = Marks::EMPTY;
        let mut plain = values;
        for run in plain.chunks_mut(RUN) {
            go_on(pace, run.len())?;
            for value in run.iter_mut().filter(|value| value.contains_marks()) {
                let (unmarked, found) = value.unmark_deep_on(pace)?;
                marks.extend(&found);
                *value = unmarked;
            }
        }
        go_on(pace, plain.len())?;
        let (element, _) = agree(element, &mut plain, pace)?;
        go_on(pace, plain.len())?;
        hold(pace, set::room_for(&element, plain.len()))?;
        let values = set::arrange(&element, plain, pace)?;
        go_on(pace, values.len())?;
        let summary = sum_up_collection(&element, &values, pace)?;
        hold_copy(pace, size_of_val(&values[..]))?;
        Ok(Value(Repr::Set(Node::new(summary, SequenceHeader { element }, values))).with_marks(&marks))
    }

    /// A map. Keys are normalised and sorted, of two equal ones the later counts; marks stay on the elements.
    ///
    /// ```
    /// use hcl_eval::{Type, Value};
    ///
    /// let ports = Value::map(Type::Number, vec![("https".into(), Value::from(443)), ("http".into(), Value::from(80))]);
    /// assert_eq!(ports.ty(), Type::map(Type::Number));
    /// assert_eq!(ports.to_json()?, r#"{"http":80,"https":443}"#);
    /// # Ok::<(), hcl_eval::ValueError>(())
    /// ```
    #[must_use]
    pub fn map(element: Type, entries: Vec<(Str, Value)>) -> Value {
        Value::map_on(element, entries, &mut None).unwrap_or_else(|_| Value::dynamic())
    }

    pub(crate) fn map_on(
        element: Type,
        entries: Vec<(Str, Value)>,
        pace: Pace<'_, '_>,
    ) -> Result<Value, LimitReached> {
        let (shape, values, _sorting) = arrange_entries(entries, pace)?;
        Value::map_with_shape_on(element, shape, values, pace)
    }

    /// [`Value::map_with_shape`] with looks at the limits.
    pub(crate) fn map_with_shape_on(
        element: Type,
        shape: Shape,
        mut values: Vec<Value>,
        pace: Pace<'_, '_>,
    ) -> Result<Value, LimitReached> {
        go_on(pace, values.len())?;
        let (element, summary) = agree(element, &mut values, pace)?;
        go_on(pace, values.len())?;
        Ok(Value(Repr::Map(Node::new(summary, MapHeader { element, shape }, values))))
    }

    /// A map of a known shape; the values are in the order of the shape's names.
    #[must_use]
    pub fn map_with_shape(element: Type, shape: Shape, values: Vec<Value>) -> Value {
        debug_assert_eq!(shape.len(), values.len(), "one value for each name");
        Value::map_with_shape_on(element, shape, values, &mut None).unwrap_or_else(|_| Value::dynamic())
    }

    /// A tuple.
    #[must_use]
    pub fn tuple(values: Vec<Value>) -> Value {
        let summary = Summary::of_container(&values);
        Value(Repr::Tuple(Node::new(summary, (), values)))
    }

    /// [`Value::tuple`] within the limits of a meter.
    pub(crate) fn tuple_within(mut values: Vec<Value>, meter: &mut Meter) -> Result<Value, LimitReached> {
        let room = meter.hold_copy(size_of_val(&values[..]));
        match room.and_then(|()| sum_up(&values, &mut Some(meter))) {
            Ok(summary) => Ok(Value(Repr::Tuple(Node::new(summary, (), values)))),
            Err(limit) => {
                scattered::release_each(&mut values);
                Err(limit)
            }
        }
    }

    /// A tuple of the last values of a list, from `first` on, which it takes.
    pub(crate) fn tuple_of_last(values: &mut Vec<Value>, first: usize) -> Value {
        let summary = Summary::of_container(&values[first..]);
        Value(Repr::Tuple(Node::from_values(summary, (), values.drain(first..))))
    }

    /// An object. Names are normalised and sorted, of two equal ones the later counts.
    #[must_use]
    pub fn object(entries: Vec<(Str, Value)>) -> Value {
        Value::object_on(entries, &mut None).unwrap_or_else(|_| Value::dynamic())
    }

    pub(crate) fn object_on(entries: Vec<(Str, Value)>, pace: Pace<'_, '_>) -> Result<Value, LimitReached> {
        let (shape, values, _sorting) = arrange_entries(entries, pace)?;
        let summary = sum_up(&values, pace)?;
        Ok(Value(Repr::Object(Node::new(summary, ObjectHeader { shape }, values))))
    }

    /// [`Value::object_on`] of normalised names.
    pub(crate) fn object_of_normal(
        mut entries: Vec<(Str, Value)>,
        pace: Pace<'_, '_>,
    ) -> Result<Value, LimitReached> {
        let longest = entries.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let (shape, values, _sorting) = sorted(&mut entries, longest, pace)?;
        let summary = sum_up(&values, pace)?;
        Ok(Value(Repr::Object(Node::new(summary, ObjectHeader { shape }, values))))
    }

    /// An object of a known shape; the values are in the order of the shape's names.
    #[must_use]
    pub fn object_with_shape(shape: Shape, values: Vec<Value>) -> Value {
        debug_assert_eq!(shape.len(), values.len(), "one value for each name");
        let summary = Summary::of_container(&values);
        Value(Repr::Object(Node::new(summary, ObjectHeader { shape }, values)))
    }

    /// An object of a known shape and the last values of a list, from `first` on, which it takes. `order` says which of them
    /// belongs to each name of the shape.
    pub(crate) fn object_of_last(
        shape: Shape,
        values: &mut Vec<Value>,
        first: usize,
        order: &[usize],
    ) -> Value {
        let summary = Summary::of_container(&values[first..]);
        let last = &mut values[first..];
        let taken = order.iter().map(|&at| mem::replace(&mut last[at], Value::FALSE));
        let object = Node::from_values(summary, ObjectHeader { shape }, taken);
        values.truncate(first);
        Value(Repr::Object(object))
    }

    /// An object of a known shape and copies of these values.
    #[cfg(feature = "basics")]
    #[expect(single_use_lifetimes, reason = "without a name it is unstable in `impl Trait`")]
    pub(crate) fn object_of<'v>(
        shape: Shape,
        values: impl ExactSizeIterator<Item = &'v Value> + Clone,
    ) -> Value {
        let summary = Summary::of_container(values.clone());
        Value(Repr::Object(Node::from_values(summary, ObjectHeader { shape }, values.cloned())))
    }

    /// The elements of a list, set or tuple, in order.
    #[must_use]
    pub fn elements(&self) -> Option<&[Value]> {
        match &self.unmarked().0 {
            Repr::List(node) | Repr::Set(node) => Some(node.elements()),
            Repr::Tuple(node) => Some(node.elements()),
            _ => None,
        }
    }

    /// The values of any container, in order: elements, or what belongs to the keys.
    #[must_use]
    pub fn parts(&self) -> Option<&[Value]> {
        match &self.unmarked().0 {
            Repr::List(node) | Repr::Set(node) => Some(node.elements()),
            Repr::Tuple(node) => Some(node.elements()),
            Repr::Map(node) => Some(node.elements()),
            Repr::Object(node) => Some(node.elements()),
            _ => None,
        }
    }

    /// Keys and values of a map or object, in the order of the keys.
    #[must_use]
    pub fn entries(&self) -> Option<Entries<'_>> {
        let shape = self.shape()?;
        Some(Entries(shape.names().iter().zip(self.parts()?)))
    }

    /// The shape of a map or object.
    #[must_use]
    pub fn shape(&self) -> Option<&Shape> {
        match &self.unmarked().0 {
            Repr::Map(node) => Some(&node.header().shape),
            Repr::Object(node) => Some(&node.header().shape),
            _ => None,
        }
    }

    /// The element type of a known list, set or map.
    #[must_use]
    pub fn element_type(&self) -> Option<&Type> {
        match &self.unmarked().0 {
            Repr::List(node) | Repr::Set(node) => Some(&node.header().element),
            Repr::Map(node) => Some(&node.header().element),
            _ => None,
        }
    }

    /// The value of a key of a map or object.
    #[must_use]
    pub fn get_attribute(&self, name: &str) -> Option<&Value> {
        match &self.unmarked().0 {
            Repr::Object(node) => node.elements().get(node.header().shape.position(name)?),
            Repr::Map(node) => node.elements().get(node.header().shape.position(name)?),
            _ => None,
        }
    }

    /// [`Value::get_attribute`] of a name that may be long, with looks at the limits.
    pub(crate) fn attribute_on(
        &self,
        name: &Str,
        pace: Pace<'_, '_>,
    ) -> Result<Option<&Value>, LimitReached> {
        let (Some(shape), Some(values)) = (self.shape(), self.parts()) else { return Ok(None) };
        Ok(shape.position_on(name, pace)?.and_then(|at| values.get(at)))
    }

    /// The value of a key of a known map or object without marks of its own.
    pub(crate) fn find_attribute(&self, name: &Str, probe: &Probe) -> Option<&Value> {
        match &self.0 {
            Repr::Object(node) => node.elements().get(node.header().shape.find(name, probe)?),
            Repr::Map(node) => node.elements().get(node.header().shape.find(name, probe)?),
            _ => None,
        }
    }

    /// Finds the attribute of an object if the name is short and where it was found last.
    pub(crate) fn find_attribute_again(&self, probe: &Probe) -> Option<&Value> {
        let Repr::Object(node) = &self.0 else { return None };
        node.elements().get(node.header().shape.find_again(probe)?)
    }

    /// Finds an attribute or an element if the name is in place and where it was found last.
    #[inline(always)] // A part of what takes a step, for the reason that is told there.
    pub(crate) fn find_short_again(&self, name: &Str, probe: &Probe) -> Option<&Value> {
        if let Repr::Object(node) = &self.0 {
            return node.elements().get(node.header().shape.find_short_again(name, probe)?);
        }
        let Repr::Map(node) = &self.0 else { return None };
        node.elements().get(node.header().shape.find_short_again(name, probe)?)
    }

    /// The number of stored elements of a known container.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        self.parts().map(<[Value]>::len)
    }

    /// Returns whether this is a known container without elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The number of elements as a value: unknown for unknown collections, and for sets whose unknown
    /// elements may turn out equal. Marks of the collection itself go to the result. Of null and of values
    /// without elements the length is unknown.
    #[must_use]
    pub fn length(&self) -> Value {
        let plain = self.unmarked();
        let length = match &plain.0 {
            Repr::Set(set) if set.elements().len() > 1 && set.summary().contains_unknown() => {
                unknown_length(1, set.elements().len())
            }
            Repr::Unknown(unknown) => match unknown.ty() {
                Type::Tuple(tuple) => Value::count(tuple.elements().len()),
                Type::Object(object) => Value::count(object.attributes().len()),
                ty if ty.is_collection() => {
                    let known = unknown.refinement();
                    let (low, high) = known.map_or((0, Refinement::MAX_LENGTH), Refinement::length_bounds);
                    bounded_length(low, high)
                }
                _ => Value::unknown_not_null(Type::Number),
            },
            _ => plain.len().map_or_else(|| Value::unknown_not_null(Type::Number), Value::count),
        };
        length.with_marks(self.marks())
    }
}

fn unknown_length(low: u64, high: usize) -> Value {
    bounded_length(low, u64::try_from(high).unwrap_or(Refinement::MAX_LENGTH))
}

fn bounded_length(low: u64, high: u64) -> Value {
    let bound = |n: u64| Number::from_i64(i64::try_from(n).unwrap_or(i64::MAX));
    let refinement = Refinement::new().not_null().min(bound(low), true).max(bound(high), true);
    Value::unknown_refined(Type::Number, refinement)
}

/// Keys and values of a map or object.
///
/// ```
/// use hcl_eval::Value;
///
/// let value = Value::from_iter([("port", "80"), ("host", "a")]);
/// let entries: Vec<_> = value.entries().unwrap().map(|(key, value)| (key.as_str(), value.as_str())).collect();
/// assert_eq!(entries, [("host", Some("a")), ("port", Some("80"))]);
/// ```
#[derive(Clone, Debug)]
pub struct Entries<'a>(Zip<Iter<'a, Str>, Iter<'a, Value>>);

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a Str, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Entries<'_> {}

impl DoubleEndedIterator for Entries<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

/// The element type, and what is known of a collection of these values. An element type that the caller left
/// dynamic becomes that of the first element that has one. Elements that are null or unknown and of dynamic
/// type become what the others are.
fn agree(element: Type, values: &mut [Value], pace: Pace<'_, '_>) -> Result<(Type, Summary), LimitReached> {
    let element = match element {
        Type::Dynamic => type_of_first(values, pace)?,
        concrete => concrete,
    };
    let summary = sum_up_collection(&element, values, pace)?;
    if element.is_dynamic() || !summary.has_dynamic_type() {
        return Ok((element, summary));
    }
    retype(values, &element, pace)?;
    let summary = sum_up_collection(&element, values, pace)?;
    Ok((element, summary))
}

/// The type of the first value that has one.
fn type_of_first(values: &[Value], pace: Pace<'_, '_>) -> Result<Type, LimitReached> {
    let mut first = None;
    for value in values {
        go_on(pace, 1)?;
        if !is_dynamic(value) {
            first = Some(value);
            break;
        }
    }
    first.map_or(Ok(Type::Dynamic), |first| first.ty_on(pace))
}

/// Makes values of a type of those of dynamic type, which are null or unknown.
pub(crate) fn retype(values: &mut [Value], ty: &Type, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
    for value in values {
        go_on(pace, 1)?;
        if is_dynamic(value) {
            let retyped = if value.is_null() { Value::null(ty.clone()) } else { Value::unknown(ty.clone()) };
            *value = retyped.with_marks(value.marks());
        }
    }
    Ok(())
}

/// The summary of a container of these values. Marked values and containers lie elsewhere in memory, so looking at many takes
/// long.
fn sum_up(values: &[Value], pace: Pace<'_, '_>) -> Result<Summary, LimitReached> {
    let mut reached = Ok(());
    let goes_on: &mut dyn FnMut() -> bool = &mut || {
        reached = go_on(pace, RUN);
        reached.is_ok()
    };
    let looked_at = values.iter().enumerate().take_while(|(at, _)| at % RUN != RUN - 1 || goes_on());
    let summary = Summary::of_container(looked_at.map(|(_, value)| value));
    reached.map(|()| summary)
}

/// [`sum_up`] for a collection whose type has this element type.
fn sum_up_collection(element: &Type, values: &[Value], pace: Pace<'_, '_>) -> Result<Summary, LimitReached> {
    Ok(sum_up(values, pace)?.with_element_type(element))
}

/// Returns whether this is a null or unknown of dynamic type.
pub(crate) fn is_dynamic(value: &Value) -> bool {
    match &value.unmarked().0 {
        Repr::Null(ty) => ty.is_dynamic(),
        Repr::Unknown(unknown) => unknown.ty().is_dynamic(),
        _ => false,
    }
}

/// Sorts entries by key; of equal keys the last counts. The account is to be kept until their value has been made.
fn arrange_entries(
    mut entries: Vec<(Str, Value)>,
    pace: Pace<'_, '_>,
) -> Result<(Shape, Vec<Value>, Scattering), LimitReached> {
    let arranged = arranged(&mut entries, pace);
    if arranged.is_err() {
        scattered::release_each(entries.iter_mut().map(|(_, value)| value));
    }
    arranged
}

fn arranged(
    entries: &mut [(Str, Value)],
    pace: Pace<'_, '_>,
) -> Result<(Shape, Vec<Value>, Scattering), LimitReached> {
    // The length of the longest name, if there are long ones.
    let mut longest = 0;
    for run in entries.chunks_mut(RUN) {
        go_on(pace, run.len())?;
        for (key, _) in run {
            if key.is_short_ascii() {
                continue;
            }
            if !key.is_ascii() {
                *key = normalize_within(key, pace)?;
            }
            if key.is_long() {
                longest = longest.max(key.len());
            }
        }
    }
    sorted(entries, longest, pace)
}

/// Returns whether entries are in the order of their names, of which no two are the same and some long.
fn are_in_order(entries: &[(Str, Value)], weight: usize, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
    for [(name, _), (next, _)] in entries.array_windows() {
        go_on(pace, weight)?;
        if name >= next {
            return Ok(false);
        }
    }
    Ok(true)
}

/// [`arranged`] of entries whose names are normalised; the longest of them has so many bytes, if any is long.
fn sorted(
    entries: &mut [(Str, Value)],
    longest: usize,
    pace: Pace<'_, '_>,
) -> Result<(Shape, Vec<Value>, Scattering), LimitReached> {
    // Each name is compared with the one before it.
    let weight = 1 + longest / BYTES_PER_PART;
    let is_sorted = match longest {
        0 => entries.is_sorted_by(|a, b| a.0 < b.0),
        _ => are_in_order(entries, weight, pace)?,
    };
    let order = if is_sorted {
        None
    } else {
        let n_bytes = entries.iter().map(|entry| entry.0.len()).sum();
        let by_key = |a: usize, b: usize| entries[a].0.cmp(&entries[b].0);
        Some(sorted_places_on(entries.len(), n_bytes, &by_key, &mut |n| go_on(pace, n))?)
    };
    let moving = match order {
        None => Scattering::default(),
        Some(_) => Scattering::of(entries, |(key, value)| key.address().max(value.address())),
    };
    if entries.len() >= scattered::MANY {
        hold(pace, size_of_val(entries))?;
    }
    let (mut names, mut values) = (Vec::with_capacity(entries.len()), Vec::with_capacity(entries.len()));
    for i in 0..entries.len() {
        let (name, value) = mem::take(&mut entries[order.as_ref().map_or(i, |order| order[i])]);
        match values.last_mut() {
            Some(last) if order.is_some() && names.last() == Some(&name) => *last = value,
            _ => {
                names.push(name);
                values.push(value);
            }
        }
        if let Err(limit) = go_on(pace, weight) {
            scattered::release_moved(&mut names, Str::address);
            scattered::release_moved(&mut values, Value::address);
            return Err(limit);
        }
    }
    drop(order);
    Ok((Shape::from_sorted(names), values, moving))
}
