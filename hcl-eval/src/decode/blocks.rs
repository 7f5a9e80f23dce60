//! The values of many blocks: lists, sets and maps of them.
//!
//! A list, a set or a map has one element type. The values of blocks are therefore unified, and the first value that
//! the common type does not suit is an error at its block; tuples and objects keep the types as they are. A block
//! made by a dynamic block of an unknown collection stands for any number of blocks, so that the result is unknown.

use std::mem;

use indexmap::map::Entry;
use smallvec::SmallVec;

use hcl_syntax::hash::{IndexMap, Seeded};

use super::decoder::{Decoder, Found, Labels};
use super::error;
use super::place::{Place, place_in};
use super::spec::{BlockMapSpec, BlocksSpec, BodySpec, Collection};
use crate::Str;
use crate::convert::{Disagreement, unify_values};
use crate::dynamic::Block;
use crate::limits::{LimitReached, Meter};
use crate::sorting::sort_by_on;
use crate::stack;
use crate::types::Type;
use crate::value::string::normalized;
use crate::value::{Marks, Value};

/// The values of blocks by their labels, one label for each level of maps.
type ByLabels = IndexMap<Keys, Value>;

/// The labels of a block that are keys; most have one.
type Keys = SmallVec<[Str; 1]>;

impl Decoder<'_, '_> {
    /// The value of `block_list`, `block_set` and `block_tuple`. The number of blocks is checked after their
    /// contents.
    pub(super) fn blocks(&mut self, spec: &BlocksSpec, found: &Found<'_>) -> Value {
        let blocks = found.blocks(&spec.block_type);
        let mut values = Vec::with_capacity(blocks.len());
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
            return Value::tuple(values);
        }
        let element = match values.is_empty() {
            true => Some(spec.nested.implied_type()),
            false => self.unify(&mut values, blocks, found, (&spec.block_type, &spec.nested, 0)),
        };
        let made = element.and_then(|element| match spec.collection {
            Collection::List => Some(Value::list(element, values)),
            _ => self.within(found.missing_item, |meter| Value::set_within(element, values, meter)),
        });
        made.unwrap_or_else(Value::dynamic)
    }

    /// Reports too few blocks, and too many at the first that is too much. A maximum of 0 is none.
    fn check_count(&mut self, spec: &BlocksSpec, blocks: &[&Block], found: &Found<'_>) {
        let n_blocks = i64::try_from(blocks.len()).unwrap_or(i64::MAX);
        if n_blocks < spec.min_items {
            self.report(error::insufficient_blocks(spec, n_blocks, found.missing_item));
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
        let unified = self.within(found.missing_item, |meter| unify_values(values, &mut Some(meter)))?;
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

    /// The values of labelled blocks, each with its block; nothing if a block is unknown, which stands for any number of
    /// them: then there are its marks. Nor is there anything once a limit was reached.
    fn by_labels<'f>(
        &mut self,
        spec: &BlockMapSpec,
        blocks: &[&'f Block],
    ) -> Result<(ByLabels, Vec<&'f Block>), Marks> {
        let n_keys = spec.label_names.len();
        let mut by_labels = ByLabels::with_capacity_and_hasher(blocks.len(), Seeded);
        let mut kept: Vec<&Block> = Vec::with_capacity(blocks.len());
        for block in blocks {
            if self.evaluation.is_over() {
                return Err(Marks::EMPTY);
            }
            let body = block.body();
            if body.is_unknown() {
                return Err(body.marks().clone());
            }
            let value = self.body(&body, &spec.nested, Labels::of(block, n_keys)).with_marks(body.marks());
            let keys: Keys = block.labels().take(n_keys).map(|label| normalized(label.text)).collect();
            match by_labels.entry(keys) {
                Entry::Vacant(place) => {
                    place.insert(value);
                    kept.push(block);
                }
                Entry::Occupied(first) => {
                    self.report(error::duplicate_labels(&spec.block_type, kept[first.index()], block));
                }
            }
        }
        Ok((by_labels, kept))
    }

    /// The value of `block_map`: a map for each label, sorted by label. The innermost maps have the values.
    pub(super) fn block_map(&mut self, spec: &BlockMapSpec, found: &Found<'_>) -> Value {
        let (by_labels, kept) = match self.by_labels(spec, found.blocks(&spec.block_type)) {
            Ok(found) => found,
            Err(marks) => {
                return Value::unknown(spec.implied_type().without_optional()).with_marks(&marks);
            }
        };
        if by_labels.is_empty() {
            return Value::map(spec.nested.implied_type(), Vec::new());
        }
        let (labels, mut values): (Vec<_>, Vec<_>) = by_labels.into_iter().unzip();
        let of = (spec.block_type.as_str(), &*spec.nested, spec.label_names.len());
        let Some(element) = self.unify(&mut values, &kept, found, of) else { return Value::dynamic() };
        let made = self.within(found.missing_item, |meter| {
            levels(labels.into_iter().zip(values).collect(), meter, &|level, meter| {
                let ty = match &level {
                    Level::Values(_) => element.clone(),
                    Level::Inner(parts) => parts.first().map_or(Type::Dynamic, |(_, part)| part.ty()),
                };
                Value::map_on(ty, level.into_parts(), &mut Some(meter))
            })
        });
        made.unwrap_or_else(Value::dynamic)
    }

    /// The value of `block_object`: objects for labels, so that no type is shared.
    pub(super) fn block_object(&mut self, spec: &BlockMapSpec, found: &Found<'_>) -> Value {
        match self.by_labels(spec, found.blocks(&spec.block_type)) {
            Ok((by_labels, _)) => {
                let made = self.within(found.missing_item, |meter| {
                    levels(by_labels.into_iter().collect(), meter, &|level, meter| {
                        Value::object_on(level.into_parts(), &mut Some(meter))
                    })
                });
                made.unwrap_or_else(Value::dynamic)
            }
            Err(marks) => Value::dynamic().with_marks(&marks),
        }
    }

    /// A map of values that should all be of one type.
    pub(super) fn map_of(&mut self, entries: Vec<(Str, Value)>, element: &Type, block: &Block) -> Value {
        let (names, mut values): (Vec<Str>, Vec<Value>) = entries.into_iter().unzip();
        let place = Some((block.source(), block.definition_span()));
        let made = self.within(place, |meter| {
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

/// The parts of a map or an object.
enum Level {
    /// The values of blocks.
    Values(Vec<(Str, Value)>),
    /// Maps or objects by the next label.
    Inner(Vec<(Str, Value)>),
}

impl Level {
    fn into_parts(self) -> Vec<(Str, Value)> {
        match self {
            Self::Values(parts) | Self::Inner(parts) => parts,
        }
    }
}

/// Makes the value of a level, within the limits of a meter.
type MakeLevel<'m> = &'m dyn Fn(Level, &mut Meter) -> Result<Value, LimitReached>;

/// Sorts entries and builds all their levels.
fn levels(
    mut entries: Vec<(Keys, Value)>,
    meter: &mut Meter,
    make: MakeLevel<'_>,
) -> Result<Value, LimitReached> {
    sort_by_on(&mut entries, |(a, _), (b, _)| a.cmp(b), |n| meter.go_on(n))?;
    build(&mut entries, 0, meter, make)
}

/// Builds a level and those below by `make`, of entries that are sorted and have the same labels above the level;
/// nothing is left in the entries.
fn build(
    entries: &mut [(Keys, Value)],
    level: usize,
    meter: &mut Meter,
    make: MakeLevel<'_>,
) -> Result<Value, LimitReached> {
    let label = |(labels, _): &mut (Keys, Value)| labels.get_mut(level).map(mem::take).unwrap_or_default();
    let is_last = entries.first().is_none_or(|(labels, _)| level + 1 >= labels.len());
    if is_last {
        meter.go_on(entries.len())?;
        let parts = entries.iter_mut().map(|entry| (label(entry), mem::take(&mut entry.1)));
        return make(Level::Values(parts.collect()), meter);
    }
    stack::grow(u32::MAX, || {
        let below = entries.chunk_by_mut(|(a, _), (b, _)| text_at(a, level) == text_at(b, level));
        let mut parts = Vec::new();
        for part in below {
            parts.push((label(&mut part[0]), build(part, level + 1, meter, make)?));
        }
        make(Level::Inner(parts), meter)
    })
}

/// The label at a level; empty if there are not that many.
fn text_at(labels: &Keys, level: usize) -> &str {
    labels.get(level).map_or("", Str::as_str)
}
