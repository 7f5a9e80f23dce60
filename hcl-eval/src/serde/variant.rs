//! Variants of enums, whether they come from values, bodies or blocks.

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};

use super::error::Error;
use super::value::ValueDeserializer;

/// A variant of an enum: its name, and what it holds.
pub(super) struct Variant<'k, 't, D> {
    pub(super) key: ValueDeserializer<'k, 't>,
    pub(super) content: D,
}

impl<'de, D: Deserializer<'de, Error = Error>> EnumAccess<'de> for Variant<'_, '_, D> {
    type Error = Error;
    type Variant = VariantContent<D>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant), Error> {
        let variant = seed.deserialize(self.key)?;
        Ok((variant, VariantContent(self.content)))
    }
}

/// The content of a variant of an enum.
pub(super) struct VariantContent<D>(D);

impl<'de, D: Deserializer<'de, Error = Error>> VariantAccess<'de> for VariantContent<D> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        serde::de::Deserialize::deserialize(self.0).map(|serde::de::IgnoredAny| ())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0.deserialize_struct("", fields, visitor)
    }
}
