//! Containers under construction: their parts lie on stacks that all levels share, so that making a container takes no
//! memory but its own. Objects of the same names one after the other, as in lists of records, get the same shape.

use std::cmp::Ordering;
use std::iter;
use std::mem;

use hcl_syntax::ast::Literal;

use super::node::{Node, ObjectHeader, Summary};
use super::shape::Shape;
use super::string::normalized_elsewhere;
use super::{Repr, Value, scattered};
use crate::Str;
use crate::sorting::sorted_places;
use crate::text::ShortStr;
use crate::types::Type;

/// The parts of the containers that are being made, the outermost first.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    values: Vec<Value>,
    names: Vec<Str>,
    /// The forms of objects made before, each where [`slot`] says.
    records: [Option<Record>; N_RECORDS],
}

/// The names of an object that was made.
#[derive(Debug)]
struct Record {
    shape: Shape,
    /// How they were written, if they were few and distinct.
    order: Option<Order>,
}

/// The order that attributes were written in: where in the shape each of them is.
#[derive(Copy, Clone, Debug)]
struct Order([u8; FEW]);

/// Where the parts of a container begin.
#[derive(Copy, Clone)]
pub(crate) struct Start {
    names: usize,
    values: usize,
}

/// How many are remembered: records have few levels.
const N_RECORDS: usize = 4;
/// Room for so many elements is kept for the next evaluation.
const KEPT_ROOM: usize = 1 << 10;
/// Up to so many names are sorted by numbers made of them, with no memory taken.
const FEW: usize = 12;

impl Assembly {
    /// Forgets what the last evaluation made, and what it may have left behind when it unwound.
    pub(crate) fn reset(&mut self) {
        self.records = Default::default();
        self.give_up(Start { names: 0, values: 0 });
        self.names.shrink_to(KEPT_ROOM);
        self.values.shrink_to(KEPT_ROOM);
    }

    /// Begins a container of about so many parts.
    pub(crate) fn start(&mut self, n_values: usize) -> Start {
        self.values.reserve(n_values);
        Start { names: self.names.len(), values: self.values.len() }
    }

    /// Adds an element, or the value of the attribute whose name came last.
    pub(crate) fn push(&mut self, value: Value) {
        self.values.push(value);
    }

    /// Adds the value of a literal, likewise.
    pub(crate) fn push_literal(&mut self, literal: Literal<'_>) {
        push_literal(&mut self.values, literal, |value| value);
    }

    /// Adds the name of an attribute.
    pub(crate) fn push_name(&mut self, name: &str) {
        match ShortStr::of_ascii(name) {
            Some(short) => self.names.extend(iter::once_with(|| short.into())),
            None => self.names.push(normalized_elsewhere(name)),
        }
    }

    /// Adds the name of an attribute. It is normalised.
    pub(crate) fn push_normal_name(&mut self, name: Str) {
        self.names.push(name);
    }

    /// Drops the parts of a container that is not made after all.
    pub(crate) fn give_up(&mut self, start: Start) {
        scattered::release_last(&mut self.names, start.names);
        scattered::release_last(&mut self.values, start.values);
    }

    /// Takes the names and values since `start`.
    pub(crate) fn take(&mut self, start: Start) -> Vec<(Str, Value)> {
        self.names.drain(start.names..).zip(self.values.drain(start.values..)).collect()
    }

    /// A tuple of the elements since `start`.
    pub(crate) fn tuple(&mut self, start: Start) -> Value {
        let summary = Summary::of_container(&self.values[start.values..]);
        Value(Repr::Tuple(Node::from_values(summary, (), self.values.drain(start.values..))))
    }

    /// An object of the attributes since `start`; of two with the same name the later counts.
    pub(crate) fn object(&mut self, start: Start) -> Value {
        let (names, values) = (&self.names[start.names..], &mut self.values[start.values..]);
        if names.len() > FEW && !names.is_sorted_by(|a, b| a < b) {
            return self.large_object(start);
        }
        let slot = slot(names.len(), names.first());
        let known = self.records[slot].as_ref();
        let shape = match known.and_then(|record| Some((&record.shape, record.order_of(names)?))) {
            Some((shape, order)) => {
                order.undo(values.len(), |a, b| values.swap(a, b));
                self.names.truncate(start.names);
                shape.clone()
            }
            None => self.new_record(start, slot),
        };
        let summary = Summary::of_container(&self.values[start.values..]);
        let values = self.values.drain(start.values..);
        Value(Repr::Object(Node::from_values(summary, ObjectHeader { shape }, values)))
    }

    /// Makes an object of many attributes in no order: each goes from where it is to where it belongs.
    fn large_object(&mut self, start: Start) -> Value {
        let (names, values) = (&mut self.names[start.names..], &mut self.values[start.values..]);
        let mut places = sorted_places(names.len(), &|a, b| names[a].cmp(&names[b]));
        places.dedup_by(|later, kept| {
            let is_same = names[*later] == names[*kept];
            if is_same {
                *kept = *later;
            }
            is_same
        });
        let known = &mut self.records[slot(places.len(), places.first().map(|&at| &names[at]))];
        let is_same = |shape: &Shape| shape.names().iter().eq(places.iter().map(|&at| &names[at]));
        let shape = match known {
            Some(record) if is_same(&record.shape) => record.shape.clone(),
            _ => {
                let shape = Shape::from_sorted(places.iter().map(|&at| mem::take(&mut names[at])));
                *known = Some(Record { shape: shape.clone(), order: None });
                shape
            }
        };
        let summary = Summary::of_container(places.iter().map(|&at| &values[at]));
        let sorted = places.iter().map(|&at| mem::replace(&mut values[at], Value::FALSE));
        let object = Value(Repr::Object(Node::from_values(summary, ObjectHeader { shape }, sorted)));
        self.give_up(start);
        object
    }

    /// Sorts the attributes since `start`, if they are not many and sorted already, takes their names away and
    /// remembers them.
    fn new_record(&mut self, start: Start, slot: usize) -> Shape {
        let (names, values) = (&mut self.names[start.names..], &mut self.values[start.values..]);
        let order = if names.len() > FEW { None } else { Some(sort_few(names, values)) };
        if let Some(None) = order {
            let n_kept = keep_last(names, values);
            self.names.truncate(start.names + n_kept);
            self.values.truncate(start.values + n_kept);
        }
        let names = &self.names[start.names..];
        let shape = match &self.records[slot] {
            Some(record) if record.shape.names() == names => {
                self.names.truncate(start.names);
                record.shape.clone()
            }
            _ => Shape::from_sorted(self.names.drain(start.names..)),
        };
        self.records[slot] = Some(Record { shape: shape.clone(), order: order.flatten() });
        shape
    }
}

impl Record {
    /// The order of these names, if they are written as those remembered.
    fn order_of(&self, names: &[Str]) -> Option<&Order> {
        let order = self.order.as_ref().filter(|_| names.len() == self.shape.len())?;
        let known = self.shape.names();
        let is_same = |(name, position): (&Str, &u8)| known[usize::from(*position)] == *name;
        names.iter().zip(&order.0).all(is_same).then_some(order)
    }
}

impl Order {
    /// Brings what was written in this order into the order of the shape.
    fn undo(self, len: usize, mut swap: impl FnMut(usize, usize)) {
        let Self(mut positions) = self;
        for at in 0..len.min(FEW) {
            while usize::from(positions[at]) != at {
                let other = usize::from(positions[at]);
                swap(at, other);
                positions.swap(at, other);
            }
        }
    }
}

/// Adds the value of a literal to a list with room for it, made where it will be: what is made elsewhere and moved at
/// once has to be waited for.
pub(crate) fn push_literal<T>(list: &mut Vec<T>, literal: Literal<'_>, item: impl FnOnce(Value) -> T) {
    // A push could still have to drop what it was given, after the list failed to grow; so it would be elsewhere.
    match literal {
        Literal::Text(text) => match ShortStr::of_ascii(text) {
            Some(short) => list.extend(iter::once_with(|| item(Value(Repr::String(short.into()))))),
            None => list.push(item(Value(Repr::String(normalized_elsewhere(text))))),
        },
        Literal::Number(digits) => list.extend(iter::once_with(|| item(Value::of_digits(digits)))),
        Literal::Bool(value) => list.extend(iter::once_with(|| item(Value::bool(value)))),
        Literal::Null => list.extend(iter::once_with(|| item(Value::null(Type::Dynamic)))),
    }
}

/// Where so many names are remembered, of which this is the first.
fn slot(n_names: usize, first: Option<&Str>) -> usize {
    n_names.wrapping_add(first.map_or(0, Str::len)) % N_RECORDS
}

/// Sorts up to [`FEW`] attributes by name, those of the same name in the order they came. In what order they were, unless some
/// are of the same name.
fn sort_few(names: &mut [Str], values: &mut [Value]) -> Option<Order> {
    let (order, has_same) = match order_by_prefix(names) {
        Some(order) => (order, false),
        None => order_in_full(names),
    };
    order.undo(names.len(), |a, b| {
        names.swap(a, b);
        values.swap(a, b);
    });
    (!has_same).then_some(order)
}

/// In what order up to [`FEW`] names are, unless the first bytes of two of them are the same. Each is compared with each: that
/// takes fewer wrong guesses than a search for the places, and so less time.
fn order_by_prefix(names: &[Str]) -> Option<Order> {
    let mut prefixes = [0; FEW];
    for (prefix, name) in prefixes.iter_mut().zip(names) {
        *prefix = name.prefix();
    }
    let mut positions = [0; FEW];
    let mut has_same = false;
    for at in 1..names.len().min(FEW) {
        let prefix = prefixes[at];
        let mut n_less = 0;
        for (other, position) in prefixes[..at].iter().zip(&mut positions) {
            has_same |= *other == prefix;
            n_less += u8::from(*other < prefix);
            *position += u8::from(prefix < *other);
        }
        positions[at] = n_less;
    }
    (!has_same).then_some(Order(positions))
}

/// In what order up to [`FEW`] names are, those that are the same as they come, and whether there are such.
fn order_in_full(names: &[Str]) -> (Order, bool) {
    let mut sorted = [0_u8; FEW];
    let mut has_same = false;
    for (end, name) in (0_u8..).zip(names) {
        let mut at = usize::from(end);
        while let Some(before) = at.checked_sub(1) {
            let place = sorted[before];
            match name.cmp(&names[usize::from(place)]) {
                Ordering::Less => sorted[at] = place,
                Ordering::Equal => {
                    has_same = true;
                    break;
                }
                Ordering::Greater => break,
            }
            at = before;
        }
        sorted[at] = end;
    }
    let mut order = Order([0; FEW]);
    for (position, place) in (0_u8..).zip(&sorted[..names.len()]) {
        order.0[usize::from(*place)] = position;
    }
    (order, has_same)
}

/// Moves the last of each run of attributes with the same name to the front; how many there are.
fn keep_last(names: &mut [Str], values: &mut [Value]) -> usize {
    let mut last = 0;
    for at in 1..names.len() {
        if names[at] != names[last] {
            last += 1;
            names.swap(last, at);
        }
        values.swap(last, at);
    }
    names.len().min(last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object of names and numbers, beside what [`Value::object`] makes of them.
    fn both(assembly: &mut Assembly, names: &[String]) -> [Value; 2] {
        let start = assembly.start(names.len());
        for (at, name) in names.iter().enumerate() {
            assembly.push_name(name);
            assembly.push(Value::count(at));
        }
        let entries = names.iter().enumerate().map(|(at, name)| (name.into(), Value::count(at)));
        [assembly.object(start), Value::object(entries.collect())]
    }

    #[test]
    fn objects_are_those_that_are_made_of_lists() {
        let mut assembly = Assembly::default();
        let mut state = 1_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        for n in (0..30).chain(0..30) {
            for prefix in ["", "a_long_prefix_", "a\0"] {
                for n_names in [12, 1_000_000] {
                    let names: Vec<_> = (0..n).map(|_| format!("{prefix}{}", random() % n_names)).collect();
                    let [assembled, made] = both(&mut assembly, &names);
                    assert_eq!(assembled.to_json().ok(), made.to_json().ok());
                    assert_eq!(assembled.summary(), made.summary());
                }
            }
        }
        assert!(assembly.names.is_empty() && assembly.values.is_empty());
    }

    #[test]
    fn records_share_their_shape() {
        let mut assembly = Assembly::default();
        for n_names in [2, FEW, FEW + 1] {
            let names: Vec<_> = (0..n_names).rev().map(|i| format!("name{i}")).collect();
            let [first, _] = both(&mut assembly, &names);
            let [_, _] = both(&mut assembly, &["any".to_owned()]);
            let [second, _] = both(&mut assembly, &names);
            let shapes = [&first, &second].map(|value| value.shape());
            assert!(matches!(shapes, [Some(a), Some(b)] if a.is_clone_of(b)), "{n_names}");
        }
    }

    #[test]
    fn what_is_given_up_leaves_the_levels_around_alone() {
        let mut assembly = Assembly::default();
        let outer = assembly.start(2);
        assembly.push(Value::count(1));
        let inner = assembly.start(1);
        assembly.push_name("a");
        assembly.push(Value::TRUE);
        assembly.give_up(inner);
        assembly.push(Value::count(2));
        let tuple = assembly.tuple(outer);
        assert_eq!(tuple.to_json().ok().as_deref(), Some("[1,2]"));
        assert!(assembly.names.is_empty());
    }
}
