//! The parts of values, one after the other, each with its place as far as that is known.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use hcl_syntax::ast::{Expression, ExpressionKind, ObjectItem};
use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::error::Error;
use super::value::{Place, Reading, Taken, ValueDeserializer};
use crate::Str;
use crate::value::{PathStep, Value};

/// The elements of a list, set or tuple.
pub(super) struct Elements<'v, 't> {
    values: &'v [Value],
    place: Option<Place<'t>>,
    reading: Reading<'v>,
    position: usize,
}

impl<'v, 't> Elements<'v, 't> {
    pub(super) fn new(values: &'v [Value], place: Option<Place<'t>>, reading: Reading<'v>) -> Self {
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
    reading: Reading<'v>,
    position: usize,
    /// What is written for each name, once somebody asks.
    items: OnceCell<HashMap<&'t str, [Expression<'t>; 2]>>,
}

impl<'v, 't> Parts<'v, 't> {
    pub(super) fn new(
        entries: Vec<(&'v Str, &'v Value)>,
        place: Option<Place<'t>>,
        reading: Reading<'v>,
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
            _ => HashMap::new(),
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

/// One object where a sequence is asked for, in JSON: a single block, or one for each label.
pub(super) struct ObjectAsBlocks<'v, 't> {
    value: &'v Value,
    place: Option<Place<'t>>,
    taken: &'v Cell<Taken>,
}

impl<'v, 't> ObjectAsBlocks<'v, 't> {
    pub(super) fn new(value: &'v Value, place: Option<Place<'t>>, taken: &'v Cell<Taken>) -> Self {
        Self { value, place, taken }
    }
}

impl<'de> SeqAccess<'de> for ObjectAsBlocks<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let before = self.taken.get();
        let is_left = match before {
            Taken::Nothing => true,
            Taken::Labels(n) => self.value.len().is_some_and(|length| n < length),
            Taken::Everything => false,
        };
        if !is_left {
            return Ok(None);
        }
        let reading = Reading::JsonBlocks(self.taken);
        let made = seed.deserialize(ValueDeserializer::read(self.value, self.place, reading))?;
        if self.taken.get() == before {
            // Whatever was made, it has no label of its own.
            self.taken.set(Taken::Everything);
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
