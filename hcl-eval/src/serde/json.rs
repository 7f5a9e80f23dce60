//! Files in JSON syntax to Rust values.
//!
//! Nothing in JSON tells a block from an attribute but what is asked for. So all properties are attributes here,
//! and the values of those for which the Rust type wants blocks are taken for blocks: an object is one, or has
//! labels for keys, a list holds several.

use hcl_syntax::config::{ConfigBody, ContentAttribute};
use hcl_syntax::json::JsonFile;
use hcl_syntax::parser::ParsedExpression;
use hcl_syntax::source::{Source, Span};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::body::KeyDeserializer;
use super::error::Error;
use super::passage;
use super::session::Session;
use super::spanned::{self, SpannedParts};
use super::value::{Reading, ValueDeserializer};
use crate::Str;
use crate::value::Value;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};

/// A file that has been read as far as that is possible without a schema.
pub(super) struct JsonBody {
    source: Source,
    attributes: Vec<(ContentAttribute, ParsedExpression)>,
    missing: Span,
    whole: Span,
}

impl JsonBody {
    pub(super) fn read(file: &JsonFile) -> Result<Self, Diagnostics> {
        let body = ConfigBody::from(file);
        let (attributes, problems) = body.just_attributes();
        if has_errors(&problems) {
            return Err(problems);
        }
        let whole = file.root().span();
        let missing = body.missing_item().map_or(whole, |(_, span)| span);
        let attributes = attributes.into_iter().map(|attribute| {
            let syntax = attribute.expression().syntax();
            (attribute, syntax)
        });
        Ok(Self { source: file.source().clone(), attributes: attributes.collect(), missing, whole })
    }
}

/// Makes Rust values of a file.
#[derive(Copy, Clone)]
pub(super) struct JsonDeserializer<'b, 's> {
    body: &'b JsonBody,
    session: &'s Session<'s>,
}

impl<'b, 's> JsonDeserializer<'b, 's> {
    pub(super) fn new(body: &'b JsonBody, session: &'s Session<'s>) -> Self {
        Self { body, session }
    }
}

impl<'de> Deserializer<'de> for JsonDeserializer<'_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let JsonBody { source, missing, .. } = self.body;
        visitor
            .visit_map(Properties { of: self, position: 0 })
            .map_err(|error| error.in_body(source, *missing, *missing))
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
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            let range = self.body.source.range(self.body.whole);
            return visitor.visit_map(SpannedParts::new(Some(range), self));
        }
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The properties, one after the other.
struct Properties<'b, 's> {
    of: JsonDeserializer<'b, 's>,
    position: usize,
}

impl<'de> MapAccess<'de> for Properties<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((attribute, _)) = self.of.body.attributes.get(self.position) else { return Ok(None) };
        let name = Value::string_nfc(Str::from(attribute.name()));
        let (source, span) = (&self.of.body.source, attribute.name_span());
        let made = seed.deserialize(KeyDeserializer { name: &name, source, span });
        made.map(Some).map_err(|error| error.at_name(source, span, false))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let Some((_, syntax)) = self.of.body.attributes.get(self.position) else {
            return Err(Error::unsuitable("There is no value."));
        };
        self.position += 1;
        let expression = syntax.expression();
        seed.deserialize(ValueDeserializer::pending(expression, self.of.session, Reading::Json))
    }
}
