//! Bodies to Rust values: a body is a map from the names of its attributes and block types.

use hcl_syntax::ast::{Attribute, Block, Body, Label};
use hcl_syntax::hash::IndexMap;
use hcl_syntax::source::{Source, Span};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::blocks::{Blocks, BlocksDeserializer};
use super::error::{Error, Problem};
use super::passage;
use super::session::Session;
use super::spanned::{self, SpannedParts};
use super::value::{Place, Reading, ValueDeserializer};
use super::variant::Variant;
use crate::Str;
use crate::value::Value;

/// The field that gets the one label of a block.
pub(super) const LABEL: &str = "$label";
/// The field that gets all labels of a block as a sequence.
pub(super) const LABELS: &str = "$labels";

/// Makes Rust values of a body.
#[derive(Copy, Clone)]
pub(super) struct BodyDeserializer<'t, 's> {
    body: Body<'t>,
    session: &'s Session<'s>,
    /// The block whose body it is, and how many of its labels have been used as keys.
    header: Option<(Block<'t>, usize)>,
}

/// The content of a body under one name.
enum Entry<'t> {
    Label(Label<'t>),
    Labels(Vec<Label<'t>>, Span),
    Attribute(Attribute<'t>),
    Blocks(Blocks<'t>),
}

impl<'t, 's> BodyDeserializer<'t, 's> {
    pub(super) fn of_file(body: Body<'t>, session: &'s Session<'s>) -> Self {
        Self { body, session, header: None }
    }

    pub(super) fn of_block(block: Block<'t>, n_used_labels: usize, session: &'s Session<'s>) -> Self {
        Self { body: block.body(), session, header: Some((block, n_used_labels)) }
    }

    fn source(self) -> &'t Source {
        self.body.tree().source()
    }

    /// The place of the whole.
    fn span(self) -> Span {
        self.header.map_or(self.body.missing_item_span(), |(block, _)| block.definition_span())
    }

    fn placed<R>(self, result: Result<R, Error>) -> Result<R, Error> {
        result.map_err(|error| error.in_body(self.source(), self.span(), self.body.missing_item_span()))
    }

    /// Labels for a struct with these fields.
    fn label_entry(self, fields: &[&str]) -> Result<Option<Entry<'t>>, Error> {
        let Some((block, n_used)) = self.header else { return Ok(None) };
        let mut labels = block.labels().skip(n_used);
        if fields.contains(&LABELS) {
            return Ok(Some(Entry::Labels(labels.collect(), block.definition_span())));
        }
        let wanted = fields.contains(&LABEL);
        let first = if wanted { labels.next() } else { None };
        let header = Some(block.type_span().to(block.open_span()));
        let wrong = |problem: Problem, span| Err(Error::from(problem).at(self.source(), span, header));
        if wanted && first.is_none() {
            return wrong(Problem::missing_label(block.block_type()), block.open_span());
        }
        if let Some(surplus) = labels.next() {
            let n_wanted = n_used + usize::from(wanted);
            return wrong(Problem::extra_label(block.block_type(), n_wanted), surplus.span());
        }
        Ok(first.map(Entry::Label))
    }

    /// Attributes, then block types, each in the order of the text.
    fn entries(self) -> Result<Vec<Entry<'t>>, Error> {
        let mut by_type: IndexMap<&'t str, Vec<Block<'t>>> = IndexMap::default();
        for block in self.body.blocks() {
            by_type.entry(block.block_type()).or_default().push(block);
        }
        let mut entries: Vec<Entry<'t>> = Vec::with_capacity(self.body.attributes().len() + by_type.len());
        for attribute in self.body.attributes() {
            if let Some(block) = by_type.get(attribute.name()).and_then(|blocks| blocks.first()) {
                let problem = Error::from(Problem::ambiguous_name(attribute.name()));
                return Err(problem.at(self.source(), block.type_span(), None));
            }
            entries.push(Entry::Attribute(attribute));
        }
        entries.extend(by_type.into_values().map(|blocks| Entry::Blocks(Blocks::new(blocks, 0))));
        Ok(entries)
    }

    fn mapping<'de, V: Visitor<'de>>(self, labels: Option<Entry<'t>>, visitor: V) -> Result<V::Value, Error> {
        let mut entries = self.entries()?;
        entries.extend(labels);
        let map = BodyMap { body: self, entries: entries.into_iter(), current: None };
        self.placed(crate::stack::grow(u32::MAX, || visitor.visit_map(map)))
    }

    pub(super) fn structure<'de, V: Visitor<'de>>(
        self,
        fields: &[&str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let labels = self.label_entry(fields)?;
        self.mapping(labels, visitor)
    }

    /// The name of the one entry is the variant.
    pub(super) fn enumeration<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut entries = self.entries()?;
        let (Some(entry), true) = (entries.pop(), entries.is_empty()) else {
            let detail =
                "Exactly one argument or block is required here; its name says which variant is meant.";
            return self.placed(Err(Error::unsuitable(detail)));
        };
        let name = Value::string_nfc(Str::from(entry.name()));
        let key = ValueDeserializer::new(&name, Some(Place::at(self.source(), entry.span())));
        self.placed(match entry {
            Entry::Attribute(attribute) => {
                let content =
                    ValueDeserializer::pending(attribute.expression(), self.session, Reading::Plain);
                visitor.visit_enum(Variant { key, content })
            }
            Entry::Blocks(blocks) => {
                visitor.visit_enum(Variant { key, content: BlocksDeserializer::new(&blocks, self.session) })
            }
            Entry::Label(_) | Entry::Labels(..) => Err(Error::unsuitable("A label is no variant.")),
        })
    }
}

impl<'t> Entry<'t> {
    fn name(&self) -> &'t str {
        match self {
            Self::Label(_) => LABEL,
            Self::Labels(..) => LABELS,
            Self::Attribute(attribute) => attribute.name(),
            Self::Blocks(blocks) => blocks.block_type(),
        }
    }

    fn span(&self) -> Span {
        match self {
            Self::Label(label) => label.span(),
            Self::Labels(_, span) => *span,
            Self::Attribute(attribute) => attribute.name_span(),
            Self::Blocks(blocks) => blocks.type_span(),
        }
    }
}

impl<'de> Deserializer<'de> for BodyDeserializer<'_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.mapping(None, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == passage::NAME { self.deserialize_any(visitor) } else { visitor.visit_newtype_struct(self) }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            let range = self.source().range(self.body.span());
            return visitor.visit_map(SpannedParts::new(Some(range), self));
        }
        self.structure(fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.enumeration(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map identifier
    }
}

/// The entries of a body, one after the other.
struct BodyMap<'t, 's> {
    body: BodyDeserializer<'t, 's>,
    entries: std::vec::IntoIter<Entry<'t>>,
    current: Option<Entry<'t>>,
}

impl<'de> MapAccess<'de> for BodyMap<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        let name = Value::string_nfc(Str::from(entry.name()));
        let source = self.body.source();
        let is_block = matches!(entry, Entry::Blocks(_));
        // The place is given below: a name that is not expected has a title of its own.
        let key = KeyDeserializer { name: &name, source, span: entry.span() };
        let made = seed.deserialize(key).map_err(|error| error.at_name(source, entry.span(), is_block));
        self.current = Some(entry);
        made.map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let source = self.body.source();
        match self.current.take() {
            None => Err(Error::unsuitable("There is no value.")),
            Some(Entry::Attribute(attribute)) => {
                let expression = attribute.expression();
                seed.deserialize(ValueDeserializer::pending(expression, self.body.session, Reading::Plain))
            }
            Some(Entry::Blocks(blocks)) => {
                seed.deserialize(BlocksDeserializer::new(&blocks, self.body.session))
            }
            Some(Entry::Label(label)) => {
                let text = Value::string(label.text());
                seed.deserialize(ValueDeserializer::new(&text, Some(Place::at(source, label.span()))))
            }
            Some(Entry::Labels(labels, span)) => {
                let texts =
                    Value::tuple(labels.into_iter().map(|label| Value::string(label.text())).collect());
                seed.deserialize(ValueDeserializer::new(&texts, Some(Place::at(source, span))))
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// Makes field names and keys of names in a body. Errors get no place.
#[derive(Copy, Clone)]
pub(super) struct KeyDeserializer<'k, 't> {
    pub(super) name: &'k Value,
    pub(super) source: &'t Source,
    pub(super) span: Span,
}

impl<'de> Deserializer<'de> for KeyDeserializer<'_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.name.as_str().unwrap_or_default())
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.placed().deserialize_struct(name, fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.placed().deserialize_enum(name, variants, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.placed().deserialize_u64(visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.placed().deserialize_i64(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.placed().deserialize_u32(visitor)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.placed().deserialize_i32(visitor)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.placed().deserialize_u16(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i128 u8 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map identifier ignored_any
    }
}

impl<'k, 't> KeyDeserializer<'k, 't> {
    fn placed(self) -> ValueDeserializer<'k, 't> {
        ValueDeserializer::new(self.name, Some(Place::at(self.source, self.span)))
    }
}
