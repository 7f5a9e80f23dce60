//! The values of many blocks: lists, sets and maps of them.
//!
//! A list, a set or a map has one element type. The values of blocks are therefore unified, and the first value that
//! the common type does not suit is an error at its block; tuples and objects keep the types as they are. A block
//! made by a dynamic block of an unknown collection stands for any number of blocks, so that the result is unknown.

use std::mem;

use smallvec::SmallVec;

use super::decoder::{Decoder, Found, Labels};
use super::error;
use super::place::{Place, place_in};
use super::spec::{BlockMapSpec, BlocksSpec, BodySpec, Collection};
use crate::Str;
use crate::convert::{Disagreement, unify_values};
use crate::dynamic::Block;
use crate::limits::{LimitReached, Meter};
use crate::sorting::{sort, sort_texts_on};
use crate::stack;
use crate::types::Type;
use crate::value::string::normalize_charged;
use crate::value::{Marks, Shape, Value};

/// The values of blocks by their labels, one label for each level of maps.
struct Labelled<'f> {
    /// The labels of each value and its position, in the order of the labels.
    places: Vec<(Keys, usize)>,
    values: Vec<Value>,
    /// The block of each value.
    blocks: Vec<&'f Block>,
}

/// The labels of a block that are keys; most have one.
type Keys = SmallVec<[Str; 1]>;

impl Decoder<'_, '_> {
    /// The value of `block_list`, `block_set` and `block_tuple`. The number of blocks is checked after their
    /// contents.
    pub(super) fn blocks(&mut self, spec: &BlocksSpec, found: &Found<'_>) -> Value {
        let blocks = found.blocks(&spec.block_type);
        let Some(mut values) = self.room_for(blocks.len(), found.missing_item()) else {
            return Value::dynamic();
        };
        for block in blocks {
            if self.evaluation.is_over() {
                return Value::unknown(spec.implied_type().without_optional());
            }
            let body = block.body();
            let value = self.body(&body, &spec.nested, Labels::of(block, 0));
            // A block of which nothing is known stands for any number of them.
            if body.is_unknown() {
                return Value::unknown(spec.implied_type().without_optional()).with_marks(body.marks());
            }
            values.push(value.with_marks(body.marks()));
        }
        self.check_count(spec, blocks, found);
        if spec.collection == Collection::Tuple {
            let made = self.within(found.missing_item(), |meter| Value::tuple_within(values, meter));
            return made.unwrap_or_else(Value::dynamic);
        }
        let element = match values.is_empty() {
            true => Some(spec.nested.implied_type()),
            false => self.unify(&mut values, blocks, found, (&spec.block_type, &spec.nested, 0)),
        };
        let make = match spec.collection {
            Collection::List => Value::list_within,
            _ => Value::set_within,
        };
        let made = element
            .and_then(|element| self.within(found.missing_item(), |meter| make(element, values, meter)));
        made.unwrap_or_else(Value::dynamic)
    }

    /// Reports too few blocks, and too many at the first that is too much. A maximum of 0 is none.
    fn check_count(&mut self, spec: &BlocksSpec, blocks: &[&Block], found: &Found<'_>) {
        let n_blocks = i64::try_from(blocks.len()).unwrap_or(i64::MAX);
        if n_blocks < spec.min_items {
            self.report(error::insufficient_blocks(spec, n_blocks, found.missing_item()));
        } else if spec.max_items > 0 && n_blocks > spec.max_items {
            let surplus = usize::try_from(spec.max_items).ok().and_then(|max| blocks.get(max));
            if let Some(surplus) = surplus {
                let place = self.place_of(surplus, &spec.nested, 0);
                self.report(error::too_many_blocks(spec, n_blocks, &place));
            }
        }
    }

    /// The place that the value of a block comes from, or the block's header if there is none.
    fn place_of(&mut self, block: &Block, spec: &BodySpec, n_keys: usize) -> Place {
        let labels = Labels::of(block, n_keys);
        place_in(&block.body(), spec, labels, self.evaluation).unwrap_or_else(|| Place::of_block(block))
    }

    /// Brings the values to one type, if there is one.
    fn unify(
        &mut self,
        values: &mut [Value],
        blocks: &[&Block],
        found: &Found<'_>,
        (block_type, nested, n_keys): (&str, &BodySpec, usize),
    ) -> Option<Type> {
        let unified = self.within(found.missing_item(), |meter| unify_values(values, &mut Some(meter)))?;
        let (at, reason) = match unified {
            Ok(ty) => return Some(ty),
            // Where one of them is not known at all, or null, nothing is known of the others.
            Err(Disagreement::Open) => {
                values.fill(Value::dynamic());
                return Some(Type::Dynamic);
            }
            Err(Disagreement::Types) => (0, None),
            Err(Disagreement::Value(at, error)) => (at, Some(error)),
        };
        if let Some(block) = blocks.get(at) {
            let place = self.place_of(block, nested, n_keys);
            self.report(error::inconsistent_blocks(block_type, at, reason.as_ref(), &place));
        }
        None
    }

    /// The values of labelled blocks; nothing if a block is unknown, which stands for any number of them: then there are its
    /// marks. Nor is there anything once a limit was reached.
    fn labelled<'f>(&mut self, spec: &BlockMapSpec, found: &Found<'f>) -> Result<Labelled<'f>, Marks> {
        let (blocks, n_keys) = (found.blocks(&spec.block_type), spec.label_names.len());
        let sorted = self.within(found.missing_item(), |meter| sorted_keys(blocks, n_keys, meter));
        let mut places = sorted.ok_or(Marks::EMPTY)?;
        let mut duplicates = Vec::new();
        places.dedup_by(|(keys, at), (first_keys, first)| {
            let is_duplicate = keys == first_keys;
            if is_duplicate {
                duplicates.push((*at, *first));
            }
            is_duplicate
        });
        sort(&mut duplicates);
        for (_, at) in &mut places {
            *at -= duplicates.partition_point(|(duplicate, _)| duplicate < at);
        }
        let mut duplicates = duplicates.into_iter().peekable();
        let mut values = self.room_for(blocks.len(), found.missing_item()).ok_or(Marks::EMPTY)?;
        let mut kept = self.room_for(blocks.len(), found.missing_item()).ok_or(Marks::EMPTY)?;
        for (at, block) in blocks.iter().enumerate() {
            if self.evaluation.is_over() {
                return Err(Marks::EMPTY);
            }
            let body = block.body();
            if body.is_unknown() {
                return Err(body.marks().clone());
            }
            let value = self.body(&body, &spec.nested, Labels::of(block, n_keys)).with_marks(body.marks());
            if let Some((_, first)) = duplicates.next_if(|(duplicate, _)| *duplicate == at) {
                self.report(error::duplicate_labels(&spec.block_type, blocks[first], block));
            } else {
                values.push(value);
                kept.push(*block);
            }
        }
        Ok(Labelled { places, values, blocks: kept })
    }

    /// The value of `block_map`: a map for each label, sorted by label. The innermost maps have the values.
    pub(super) fn block_map(&mut self, spec: &BlockMapSpec, found: &Found<'_>) -> Value {
        let mut labelled = match self.labelled(spec, found) {
            Ok(labelled) => labelled,
            Err(marks) => {
                return Value::unknown(spec.implied_type().without_optional()).with_marks(&marks);
            }
        };
        if labelled.values.is_empty() {
            return Value::map(spec.nested.implied_type(), Vec::new());
        }
        let of = (spec.block_type.as_str(), &*spec.nested, spec.label_names.len());
        if self.unify(&mut labelled.values, &labelled.blocks, found, of).is_none() {
            return Value::dynamic();
        }
        self.levels(labelled, found, &|shape, values| {
            let element = values.first().map_or(Type::Dynamic, Value::ty);
            Value::map_with_shape(element, shape, values)
        })
    }

    /// The value of `block_object`: objects for labels, so that no type is shared.
    pub(super) fn block_object(&mut self, spec: &BlockMapSpec, found: &Found<'_>) -> Value {
        match self.labelled(spec, found) {
            Ok(labelled) => self.levels(labelled, found, &Value::object_with_shape),
            Err(marks) => Value::dynamic().with_marks(&marks),
        }
    }

    /// Builds the levels of labelled values by `make`.
    fn levels(&mut self, mut labelled: Labelled<'_>, found: &Found<'_>, make: MakeLevel<'_>) -> Value {
        let Labelled { places, values, .. } = &mut labelled;
        let made = self.within(found.missing_item(), |meter| build(places, values, 0, meter, make));
        made.unwrap_or_else(Value::dynamic)
    }

    /// A map of values that should all be of one type.
    pub(super) fn map_of(&mut self, entries: Vec<(Str, Value)>, element: &Type, block: &Block) -> Value {
        let place = Some((block.source(), block.definition_span()));
        let made = self.within(place, |meter| {
            // Names and values apart from each other, as pairs again, and sorted.
            meter.hold_parts(entries.len(), 3 * size_of::<(Str, Value)>())?;
            let (names, mut values): (Vec<Str>, Vec<Value>) = entries.into_iter().unzip();
            let element = match values.is_empty() || !element.has_dynamic() {
                true => Ok(element.clone()),
                false => unify_values(&mut values, &mut Some(&mut *meter))?,
            };
            let map =
                |element| Value::map_on(element, names.into_iter().zip(values).collect(), &mut Some(meter));
            element.ok().map(map).transpose()
        });
        match made {
            Some(Some(map)) => map,
            Some(None) => {
                self.report(error::inconsistent_attributes(block));
                Value::dynamic()
            }
            None => Value::dynamic(),
        }
    }
}

/// The labels of blocks that are keys, with the position of each block, in the order of the labels.
fn sorted_keys(
    blocks: &[&Block],
    n_keys: usize,
    meter: &mut Meter,
) -> Result<Vec<(Keys, usize)>, LimitReached> {
    meter.hold_parts(blocks.len(), 2 * size_of::<(Keys, usize)>())?;
    let mut places = Vec::with_capacity(blocks.len());
    let mut longest = 0;
    for (at, block) in blocks.iter().enumerate() {
        let mut keys = Keys::new();
        for label in block.labels().take(n_keys) {
            longest = longest.max(label.text.len());
            keys.push(normalize_charged(label.text, meter)?);
        }
        places.push((keys, at));
    }
    sort_texts_on(&mut places, |_| longest.saturating_mul(n_keys), Ord::cmp, |n| meter.go_on(n))?;
    Ok(places)
}

/// Makes the value of a level, of values of blocks, or of maps or objects by the next label.
type MakeLevel<'m> = &'m dyn Fn(Shape, Vec<Value>) -> Value;

/// Builds a level and those below by `make`, of values at places that have the same labels above the level; nothing is left of
/// them.
fn build(
    places: &mut [(Keys, usize)],
    values: &mut [Value],
    level: usize,
    meter: &mut Meter,
    make: MakeLevel<'_>,
) -> Result<Value, LimitReached> {
    let label = |(labels, _): &mut (Keys, usize)| labels.get_mut(level).map(mem::take).unwrap_or_default();
    if places.first().is_none_or(|(labels, _)| level + 1 >= labels.len()) {
        meter.go_on(places.len())?;
        // The values in order, beside those that are taken, and a copy in the result; the names and their index.
        let bytes = 2 * size_of::<Value>() + size_of::<Str>() + size_of::<u64>();
        meter.hold_parts(places.len(), bytes)?;
        let values = places.iter().map(|(_, at)| mem::take(&mut values[*at])).collect();
        return Ok(make(Shape::from_sorted(places.iter_mut().map(label)), values));
    }
    stack::grow(u32::MAX, || {
        let (mut names, mut inner) = (Vec::new(), Vec::new());
        for part in places.chunk_by_mut(|(a, _), (b, _)| text_at(a, level) == text_at(b, level)) {
            meter.hold_push(&names)?;
            names.push(label(&mut part[0]));
            meter.hold_push(&inner)?;
            inner.push(build(part, values, level + 1, meter, make)?);
        }
        Ok(make(Shape::from_sorted(names), inner))
    })
}

/// The label at a level; empty if there are not that many.
fn text_at(labels: &Keys, level: usize) -> &str {
    labels.get(level).map_or("", Str::as_str)
}
