//! Blocks of one type to Rust values. What the Rust type asks for decides: a sequence has an element for
//! each block, a map a key for each label, a struct is one block.

use hcl_syntax::ast::{Block, Label};
use hcl_syntax::hash::IndexMap;
use hcl_syntax::source::Span;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::body::{BodyDeserializer, KeyDeserializer};
use super::error::{Error, Problem};
use super::passage;
use super::session::Session;
use super::spanned::{self, SpannedParts};
use super::value::{Place, ValueDeserializer};
use super::variant::Variant;
use crate::value::Value;

/// Blocks of one type in one body, at least one, all with the same first labels.
pub(super) struct Blocks<'t> {
    blocks: Vec<Block<'t>>,
    /// How many labels have been used as keys.
    n_used_labels: usize,
}

impl<'t> Blocks<'t> {
    /// Blocks of which as many labels are known already.
    pub(super) fn new(blocks: Vec<Block<'t>>, n_used_labels: usize) -> Self {
        Self { blocks, n_used_labels }
    }

    pub(super) fn block_type(&self) -> &'t str {
        self.blocks.first().map_or("", |block| block.block_type())
    }

    pub(super) fn type_span(&self) -> Span {
        self.blocks.first().map_or(Span::default(), |block| block.type_span())
    }
}

/// Makes Rust values of blocks.
#[derive(Copy, Clone)]
pub(super) struct BlocksDeserializer<'b, 't, 's> {
    blocks: &'b [Block<'t>],
    n_used_labels: usize,
    session: &'s Session<'s>,
}

impl<'b, 't, 's> BlocksDeserializer<'b, 't, 's> {
    pub(super) fn new(blocks: &'b Blocks<'t>, session: &'s Session<'s>) -> Self {
        Self { blocks: &blocks.blocks, n_used_labels: blocks.n_used_labels, session }
    }

    fn placed<R>(self, result: Result<R, Error>) -> Result<R, Error> {
        result.map_err(|error| match self.blocks.first() {
            Some(block) => error.at(block.body().tree().source(), block.definition_span(), None),
            None => error,
        })
    }

    /// The block, if there is one only.
    fn only(self) -> Result<BodyDeserializer<'t, 's>, Error> {
        match self.blocks {
            [block] => Ok(BodyDeserializer::of_block(*block, self.n_used_labels, self.session)),
            [] => Err(Error::unsuitable("There is no block.")),
            [_, second, ..] => {
                let problem = Error::from(Problem::duplicate_block(second.block_type()));
                Err(problem.at(second.body().tree().source(), second.definition_span(), None))
            }
        }
    }

    /// Returns whether a block has labels that are no keys yet.
    fn has_labels(self) -> bool {
        self.blocks.iter().any(|block| block.labels().len() > self.n_used_labels)
    }

    /// The blocks by their next label.
    fn by_label(self) -> Result<LabelMap<'t, 's>, Error> {
        let mut groups: IndexMap<&'t str, (Label<'t>, Blocks<'t>)> = IndexMap::default();
        for block in self.blocks {
            let Some(label) = block.label(self.n_used_labels) else {
                let problem = Error::from(Problem::missing_label(block.block_type()));
                let header = Some(block.type_span().to(block.open_span()));
                return Err(problem.at(block.body().tree().source(), block.open_span(), header));
            };
            let fresh = || (label, Blocks::new(Vec::new(), self.n_used_labels + 1));
            groups.entry(label.text()).or_insert_with(fresh).1.blocks.push(*block);
        }
        let groups: Vec<_> = groups.into_values().collect();
        Ok(LabelMap { groups: groups.into_iter(), current: None, session: self.session })
    }

    fn sequence<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.placed(visitor.visit_seq(Each { left: self }))
    }

    /// Blocks in a number that the Rust type knows.
    fn tuple<'de, V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        let Some(surplus) = self.blocks.get(length) else { return self.sequence(visitor) };
        let problem = Error::from(Problem::surplus_elements(self.blocks.len(), length));
        Err(problem.at(surplus.body().tree().source(), surplus.definition_span(), None))
    }

    /// A block where the Rust type wants a single value.
    fn refused<R>(self) -> Result<R, Error> {
        let Some(block) = self.blocks.first() else { return Err(Error::unsuitable("There is no block.")) };
        let problem = Error::from(Problem::block_for_argument(block.block_type()));
        Err(problem.at(block.body().tree().source(), block.type_span(), None))
    }
}

impl<'de> Deserializer<'de> for BlocksDeserializer<'_, '_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.has_labels() || self.blocks.len() == 1 {
            self.deserialize_map(visitor)
        } else {
            self.sequence(visitor)
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == passage::NAME {
            return self.deserialize_any(visitor);
        }
        self.placed(visitor.visit_newtype_struct(self))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.sequence(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        self.tuple(length, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.has_labels() {
            let map = self.by_label()?;
            return self.placed(visitor.visit_map(map));
        }
        self.only()?.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            let header = |block: &Block<'_>| block.body().tree().source().range(block.definition_span());
            return visitor.visit_map(SpannedParts::new(self.blocks.first().map(header), self));
        }
        self.only()?.structure(fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let body = self.only()?;
        let Some(label) = self.blocks.first().and_then(|block| block.label(self.n_used_labels)) else {
            return body.enumeration(visitor);
        };
        let text = Value::string(label.text());
        let source = self.blocks.first().map(|block| block.body().tree().source());
        let place = source.map(|source| Place::at(source, label.span()));
        let content = Self { n_used_labels: self.n_used_labels + 1, ..self };
        let key = ValueDeserializer::new(&text, place);
        self.placed(visitor.visit_enum(Variant { key, content }))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.only()?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_i8<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_i16<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_i32<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_i64<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_i128<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_u8<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_u16<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_u32<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_u64<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_u128<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_f32<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_f64<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_char<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_str<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_string<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.refused()
    }
}

/// The blocks one by one.
struct Each<'b, 't, 's> {
    left: BlocksDeserializer<'b, 't, 's>,
}

impl<'de> SeqAccess<'de> for Each<'_, '_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some((first, rest)) = self.left.blocks.split_first() else { return Ok(None) };
        let one = BlocksDeserializer { blocks: std::slice::from_ref(first), ..self.left };
        self.left.blocks = rest;
        one.placed(seed.deserialize(one)).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.blocks.len())
    }
}

/// Blocks by label.
struct LabelMap<'t, 's> {
    groups: std::vec::IntoIter<(Label<'t>, Blocks<'t>)>,
    current: Option<Blocks<'t>>,
    session: &'s Session<'s>,
}

impl<'de> MapAccess<'de> for LabelMap<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((label, blocks)) = self.groups.next() else { return Ok(None) };
        let text = Value::string(label.text());
        let source = blocks.blocks.first().map(|block| block.body().tree().source());
        let made = match source {
            Some(source) => {
                let key = KeyDeserializer { name: &text, source, span: label.span() };
                seed.deserialize(key).map_err(|error| error.at(source, label.span(), None))
            }
            None => seed.deserialize(ValueDeserializer::new(&text, None)),
        };
        self.current = Some(blocks);
        made.map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        match self.current.take() {
            Some(blocks) => seed.deserialize(BlocksDeserializer::new(&blocks, self.session)),
            None => Err(Error::unsuitable("There is no value.")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.groups.len())
    }
}
