//! Containers under construction: their parts lie on stacks that all levels share, so that making a container takes no
//! memory but its own. Objects of the same names one after the other, as in lists of records, get the same shape.

use std::cmp::Ordering;
use std::mem;

use triomphe::Arc;

use super::node::{Node, ObjectHeader, Summary, TupleHeader};
use super::shape::{Shape, prefix};
use super::{Repr, Value};
use crate::Str;
use crate::sorting::{arrange, sorted_places};

/// The parts of the containers that are being made, the outermost first.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    values: Vec<Value>,
    names: Vec<Str>,
    shapes: Shapes,
}

/// Shapes of objects made before, each where [`slot`] says.
type Shapes = [Option<Arc<Shape>>; N_SHAPES];

/// Where the parts of a container begin.
#[derive(Copy, Clone)]
pub(crate) struct Start {
    names: usize,
    values: usize,
}

/// How many shapes are remembered: records have few levels.
const N_SHAPES: usize = 4;
/// Room for so many elements is kept for the next evaluation.
const KEPT_ROOM: usize = 1 << 10;
/// Up to so many names are sorted by numbers made of them, with no memory taken.
const FEW: usize = 12;

impl Assembly {
    /// Forgets what the last evaluation made, and what it may have left behind when it unwound.
    pub(crate) fn reset(&mut self) {
        self.shapes = Shapes::default();
        self.names.clear();
        self.values.clear();
        self.names.shrink_to(KEPT_ROOM);
        self.values.shrink_to(KEPT_ROOM);
    }

    /// Begins a container of about so many parts.
    #[inline]
    pub(crate) fn start(&mut self, n_values: usize) -> Start {
        self.values.reserve(n_values);
        Start { names: self.names.len(), values: self.values.len() }
    }

    /// Adds an element.
    #[inline]
    pub(crate) fn push(&mut self, value: Value) {
        self.values.push(value);
    }

    /// Adds an attribute. The name is normalised.
    #[inline]
    pub(crate) fn push_attribute(&mut self, name: Str, value: Value) {
        self.names.push(name);
        self.values.push(value);
    }

    /// Drops the parts of a container that is not made after all.
    pub(crate) fn give_up(&mut self, start: Start) {
        self.names.truncate(start.names);
        self.values.truncate(start.values);
    }

    /// A tuple of the elements since `start`.
    pub(crate) fn tuple(&mut self, start: Start) -> Value {
        let summary = Summary::of_container(&self.values[start.values..]);
        Value(Repr::Tuple(Node::from_values(TupleHeader { summary }, self.values.drain(start.values..))))
    }

    /// An object of the attributes since `start`; of two with the same name the later counts.
    pub(crate) fn object(&mut self, start: Start) -> Value {
        let (names, values) = (&mut self.names[start.names..], &mut self.values[start.values..]);
        let has_same = match names.len() > FEW {
            true if names.is_sorted_by(|a, b| a < b) => false,
            true => return self.large_object(start),
            false => sort_few(names, values),
        };
        if has_same {
            let n_kept = keep_last(names, values);
            self.names.truncate(start.names + n_kept);
            self.values.truncate(start.values + n_kept);
        }
        let shape = self.shape(start);
        let summary = Summary::of_container(&self.values[start.values..]);
        let header = ObjectHeader { summary, shape };
        Value(Repr::Object(Node::from_values(header, self.values.drain(start.values..))))
    }

    /// The same for many attributes that are in no order: each goes from where it is to where it belongs.
    #[inline(never)]
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
        let known = &mut self.shapes[slot(places.len(), places.first().map(|&at| &names[at]))];
        let shape = match known {
            Some(shape) if shape.names().iter().eq(places.iter().map(|&at| &names[at])) => shape.clone(),
            _ => {
                let sorted = places.iter().map(|&at| mem::take(&mut names[at])).collect();
                known.insert(Shape::from_sorted(sorted)).clone()
            }
        };
        let summary = Summary::of_container(places.iter().map(|&at| &values[at]));
        let sorted = places.iter().map(|&at| mem::replace(&mut values[at], Value::FALSE));
        let object = Value(Repr::Object(Node::from_values(ObjectHeader { summary, shape }, sorted)));
        self.give_up(start);
        object
    }

    /// The shape of the names since `start`, which are sorted.
    fn shape(&mut self, start: Start) -> Arc<Shape> {
        let names = &self.names[start.names..];
        let known = &mut self.shapes[slot(names.len(), names.first())];
        if let Some(shape) = known
            && shape.names() == names
        {
            let shape = shape.clone();
            self.names.truncate(start.names);
            return shape;
        }
        let shape = Shape::from_sorted(self.names.drain(start.names..).collect());
        *known = Some(shape.clone());
        shape
    }
}

/// Where a shape of so many names is remembered, of which this is the first.
#[inline]
fn slot(n_names: usize, first: Option<&Str>) -> usize {
    n_names.wrapping_add(first.map_or(0, Str::len)) % N_SHAPES
}

/// Sorts up to [`FEW`] attributes by name, those of the same name in the order they came; whether there are any.
fn sort_few(names: &mut [Str], values: &mut [Value]) -> bool {
    let mut keys = [(0_u64, 0_usize); FEW];
    let (mut is_sorted, mut has_same) = (true, false);
    for (end, name) in names.iter().enumerate() {
        let key = prefix(name);
        let mut at = end;
        while let Some(before) = at.checked_sub(1) {
            let (other, place) = keys[before];
            match key.cmp(&other).then_with(|| name.cmp(&names[place])) {
                Ordering::Less => keys[at] = keys[before],
                Ordering::Equal => {
                    has_same = true;
                    break;
                }
                Ordering::Greater => break,
            }
            at = before;
        }
        is_sorted &= at == end;
        keys[at] = (key, end);
    }
    if !is_sorted {
        let mut places = keys.map(|(_, place)| place);
        arrange(&mut places[..names.len()], |a, b| {
            names.swap(a, b);
            values.swap(a, b);
        });
    }
    has_same
}

/// Moves the last of each run of attributes with the same name to the front; how many there are.
#[cold]
fn keep_last(names: &mut [Str], values: &mut [Value]) -> usize {
    let mut last = 0;
    for at in 1..names.len() {
        if names[at] != names[last] {
            last += 1;
            names.swap(last, at);
        }
        values.swap(last, at);
    }
    last + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object of names and numbers, beside what [`Value::object`] makes of them.
    fn both(assembly: &mut Assembly, names: &[String]) -> [Value; 2] {
        let start = assembly.start(names.len());
        for (at, name) in names.iter().enumerate() {
            assembly.push_attribute(name.into(), Value::count(at));
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
            let shapes = [&first, &second].map(|value| value.shape().cloned());
            assert!(matches!(shapes, [Some(a), Some(b)] if Arc::ptr_eq(&a, &b)), "{n_names}");
        }
    }

    #[test]
    fn what_is_given_up_leaves_the_levels_around_alone() {
        let mut assembly = Assembly::default();
        let outer = assembly.start(2);
        assembly.push(Value::count(1));
        let inner = assembly.start(1);
        assembly.push_attribute("a".into(), Value::TRUE);
        assembly.give_up(inner);
        assembly.push(Value::count(2));
        let tuple = assembly.tuple(outer);
        assert_eq!(tuple.to_json().ok().as_deref(), Some("[1,2]"));
        assert!(assembly.names.is_empty());
    }
}
