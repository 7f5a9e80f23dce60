//! The parts of values, one after the other, each with its place as far as that is known.

use std::cell::{Cell, OnceCell};

use hcl_syntax::ast::{Expression, ExpressionKind, ObjectItem};
use hcl_syntax::hash::HashMap;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::error::Error;
use super::value::{Place, Reading, ValueDeserializer};
use crate::Str;
use crate::value::{PathStep, Value};

/// The elements of a list, set or tuple.
pub(super) struct Elements<'v, 't> {
    values: &'v [Value],
    place: Option<Place<'t>>,
    reading: Reading<'v, 't>,
    position: usize,
}

impl<'v, 't> Elements<'v, 't> {
    pub(super) fn new(values: &'v [Value], place: Option<Place<'t>>, reading: Reading<'v, 't>) -> Self {
        Self { values, place, reading, position: 0 }
    }
}

impl<'de> SeqAccess<'de> for Elements<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let position = self.position;
        let Some(value) = self.values.get(position) else { return Ok(None) };
        self.position += 1;
        let element = self.place.and_then(|place| place.element(position, self.values.len()));
        let place = self.place.map(|place| place.part(element));
        let made = seed.deserialize(ValueDeserializer::read(value, place, self.reading));
        made.map(Some).map_err(|error| step(error, element.is_some(), || PathStep::position(position)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len() - self.position)
    }
}

/// A step on the way to an error, unless an expression shows the place.
fn step(error: Error, is_written_out: bool, step: impl FnOnce() -> PathStep) -> Error {
    if is_written_out { error } else { error.under(step()) }
}

/// The entries of a map or object.
pub(super) struct Parts<'v, 't> {
    entries: Vec<(&'v Str, &'v Value)>,
    place: Option<Place<'t>>,
    reading: Reading<'v, 't>,
    position: usize,
    /// The expressions under each name, once they are asked for.
    items: OnceCell<HashMap<&'t str, [Expression<'t>; 2]>>,
}

impl<'v, 't> Parts<'v, 't> {
    pub(super) fn new(
        entries: Vec<(&'v Str, &'v Value)>,
        place: Option<Place<'t>>,
        reading: Reading<'v, 't>,
    ) -> Self {
        Self { entries, place, reading, position: 0, items: OnceCell::new() }
    }
}

impl<'t> Parts<'_, 't> {
    /// The key and the value as they are written.
    fn written(&self, name: &str) -> Option<[Expression<'t>; 2]> {
        let place = self.place?;
        let items = self.items.get_or_init(|| match place.constructor() {
            Some(ExpressionKind::Object(items)) => {
                let named = |item: ObjectItem<'t>| {
                    Some((literal_key(item.key, item.key_name())?, [item.key, item.value]))
                };
                items.iter().filter_map(named).collect()
            }
            _ => HashMap::default(),
        });
        items.get(name).copied()
    }
}

impl<'de> MapAccess<'de> for Parts<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((name, _)) = self.entries.get(self.position) else { return Ok(None) };
        let key = Value::string_nfc((*name).clone());
        let written = self.written(name).map(|[key, _]| key);
        let place = self.place.map(|place| place.part(written));
        seed.deserialize(ValueDeserializer::new(&key, place)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let Some((name, value)) = self.entries.get(self.position).copied() else {
            return Err(Error::unsuitable("There is no value."));
        };
        self.position += 1;
        let written = self.written(name).map(|[_, value]| value);
        let place = self.place.map(|place| place.part(written));
        let made = seed.deserialize(ValueDeserializer::read(value, place, self.reading));
        made.map_err(|error| step(error, written.is_some(), || PathStep::Attribute(name.clone())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len() - self.position)
    }
}

/// One object where a sequence is asked for, in JSON: a single block, or one for each label, in the order
/// written.
pub(super) struct Labelled<'t> {
    /// Which entries there are, and what is written for each.
    order: Vec<(usize, Option<Expression<'t>>)>,
    taken: Cell<Taken>,
}

/// The part of an object that has been taken as blocks.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Taken {
    Nothing,
    /// So many labels, each with its block.
    Labels(usize),
    /// The object as a block without labels.
    Everything,
}

impl<'t> Labelled<'t> {
    pub(super) fn new(value: &Value, place: Option<Place<'t>>) -> Self {
        let names = value.shape().map_or(&[][..], |shape| shape.names());
        let mut order: Vec<_> = (0..names.len()).map(|entry| (entry, None)).collect();
        if let Some(ExpressionKind::Object(items)) = place.and_then(Place::constructor) {
            let written = items
                .iter()
                .enumerate()
                .filter_map(|(at, item)| Some((literal_key(item.key, item.key_name())?, (at, item.value))));
            let written: HashMap<_, _> = written.collect();
            let find = |entry: usize| written.get(names[entry].as_str()).copied();
            for (entry, expression) in &mut order {
                *expression = find(*entry).map(|(_, value)| value);
            }
            order.sort_by_key(|(entry, _)| find(*entry).map_or(usize::MAX, |(at, _)| at));
        }
        Self { order, taken: Cell::new(Taken::Nothing) }
    }

    /// Takes the next label's entry.
    pub(super) fn next(&self) -> Option<(usize, Option<Expression<'t>>)> {
        let n_taken = if let Taken::Labels(n) = self.taken.get() { n } else { 0 };
        self.taken.set(Taken::Labels(n_taken + 1));
        self.order.get(n_taken).copied()
    }
}

/// The blocks of a [`Labelled`] object, one after the other.
pub(super) struct ObjectAsBlocks<'v, 't> {
    value: &'v Value,
    place: Option<Place<'t>>,
    labels: &'v Labelled<'t>,
}

impl<'v, 't> ObjectAsBlocks<'v, 't> {
    pub(super) fn new(value: &'v Value, place: Option<Place<'t>>, labels: &'v Labelled<'t>) -> Self {
        Self { value, place, labels }
    }
}

impl<'de> SeqAccess<'de> for ObjectAsBlocks<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Labelled { order, taken } = self.labels;
        let before = taken.get();
        let is_left = match before {
            Taken::Nothing => true,
            Taken::Labels(n) => n < order.len(),
            Taken::Everything => false,
        };
        if !is_left {
            return Ok(None);
        }
        let reading = Reading::JsonBlocks(self.labels);
        let made = seed.deserialize(ValueDeserializer::read(self.value, self.place, reading))?;
        if taken.get() == before {
            // Whatever was made, it has no label of its own.
            taken.set(Taken::Everything);
        }
        Ok(Some(made))
    }
}

/// A key as it is written, if it is a plain name or text.
pub(super) fn literal_key<'t>(key: Expression<'t>, name: Option<&'t str>) -> Option<&'t str> {
    name.or_else(|| match key.kind() {
        ExpressionKind::Text(text) => Some(text),
        _ => None,
    })
}
