//! Values to Rust values.
//!
//! What the Rust type asks for is first converted to, by HCL's own rules: a text that says a number is a
//! number for a field that is one. A value that comes from an attribute is evaluated when it is asked for,
//! so attributes that the type ignores are never evaluated. While a tuple or object is written out, its
//! parts know their own places.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use hcl_syntax::ast::{Attribute, Expression, ExpressionKind, ObjectItem};
use hcl_syntax::source::{Range, Source, Span};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::error::Error;
use super::passage;
use super::session::Session;
use super::spanned::{self, SpannedParts};
use crate::Str;
use crate::convert::convert;
use crate::stack;
use crate::types::Type;
use crate::value::{Kind, Number, PathStep, Value};

/// Where a value comes from.
#[derive(Copy, Clone)]
pub(super) struct Place<'t> {
    source: &'t Arc<Source>,
    span: Span,
    /// The expression that the value is the result of.
    expression: Option<Expression<'t>>,
    /// Further in than places are known it is the place of a container.
    is_exact: bool,
}

impl<'t> Place<'t> {
    /// The place of a text that is no expression.
    pub(super) fn at(source: &'t Arc<Source>, span: Span) -> Self {
        Self { source, span, expression: None, is_exact: true }
    }

    fn of(expression: Expression<'t>) -> Self {
        let source = expression.tree().source();
        Self { source, span: expression.span(), expression: Some(expression), is_exact: true }
    }

    fn range(self) -> Range {
        self.source.range(self.span)
    }

    /// The constructor that is written here, if one is.
    fn constructor(self) -> Option<ExpressionKind<'t>> {
        let mut kind = self.expression?.kind();
        while let ExpressionKind::Parentheses(inner) | ExpressionKind::Interpolation(inner) = kind {
            kind = inner.kind();
        }
        Some(kind)
    }

    /// The place of a part: its own, if the container is written out, else the container's.
    fn part(self, expression: Option<Expression<'t>>) -> Self {
        expression.map_or(Self { expression: None, is_exact: false, ..self }, Self::of)
    }
}

/// Makes Rust values of a value.
#[derive(Copy, Clone)]
pub(super) struct ValueDeserializer<'v, 't> {
    content: Content<'v, 't>,
    place: Option<Place<'t>>,
}

#[derive(Copy, Clone)]
enum Content<'v, 't> {
    Ready(&'v Value),
    /// To be evaluated when asked for.
    Pending(Attribute<'t>, &'v Session<'v>),
}

impl<'v, 't> ValueDeserializer<'v, 't> {
    pub(super) fn new(value: &'v Value, place: Option<Place<'t>>) -> Self {
        Self { content: Content::Ready(value), place }
    }

    pub(super) fn pending(attribute: Attribute<'t>, session: &'v Session<'v>) -> Self {
        let place = Some(Place::of(attribute.expression()));
        Self { content: Content::Pending(attribute, session), place }
    }

    fn value(self) -> Result<Cow<'v, Value>, Error> {
        match self.content {
            Content::Ready(value) => Ok(Cow::Borrowed(value)),
            Content::Pending(attribute, session) => {
                session.evaluate(attribute.expression()).map(Cow::Owned).map_err(Error::evaluation)
            }
        }
    }

    /// Gives errors of a visitor the place, if it is their own; else the container gives it, with the steps
    /// from there.
    fn placed<R>(self, result: Result<R, Error>) -> Result<R, Error> {
        result.map_err(|error| match self.place {
            Some(place) if place.is_exact => error.at(place.source, place.span, None),
            _ => error,
        })
    }

    /// The value, known and not null.
    fn known(self) -> Result<Cow<'v, Value>, Error> {
        let value = self.value()?;
        match value.kind() {
            Kind::Unknown => self.placed(Err(Error::unsuitable("The value is not known yet."))),
            Kind::Null => {
                self.placed(Err(Error::unsuitable("The value is null, but something is required.")))
            }
            _ => Ok(value),
        }
    }

    /// The value as a string, number or bool.
    fn scalar(self, ty: &Type) -> Result<Value, Error> {
        let value = self.known()?;
        self.placed(convert(&value, ty).map_err(|error| Error::conversion(&error)))
    }

    fn number(self) -> Result<Number, Error> {
        let value = self.scalar(&Type::Number)?;
        let number = value.as_number().cloned();
        self.placed(number.ok_or_else(|| Error::unsuitable("A number is required.")))
    }

    fn integer<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number = self.number()?;
        if number.is_integer() {
            return self.placed(visit_number(&number, visitor));
        }
        let detail = format!("Found {}, but a whole number is required.", number.to_text());
        self.placed(Err(Error::unsuitable(detail)))
    }

    fn float<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let number = self.number()?;
        self.placed(visitor.visit_f64(number.to_f64()))
    }

    fn text<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.scalar(&Type::String)?;
        self.placed(visitor.visit_str(value.as_str().unwrap_or_default()))
    }

    fn sequence<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.known()?;
        let Some(values) = value.elements() else {
            let found = value.ty().friendly_name();
            return self.placed(Err(Error::unsuitable(format!("Found {found}, but a list is required."))));
        };
        let elements = Elements { values, place: self.place, position: 0 };
        self.placed(stack::grow(value.depth(), || visitor.visit_seq(elements)))
    }

    fn mapping<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.known()?;
        let Some(entries) = value.entries() else {
            let found = value.ty().friendly_name();
            return self
                .placed(Err(Error::unsuitable(format!("Found {found}, but an object or map is required."))));
        };
        let parts =
            Parts { entries: entries.collect(), place: self.place, position: 0, items: OnceCell::new() };
        self.placed(stack::grow(value.depth(), || visitor.visit_map(parts)))
    }

    fn enumeration<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.known()?;
        if value.kind() == Kind::String {
            let nothing = Value::default();
            let key = ValueDeserializer::new(&value, self.place);
            let content = ValueDeserializer::new(&nothing, self.place);
            return self.placed(visitor.visit_enum(Variant { key, content }));
        }
        let entry =
            value.entries().filter(|entries| entries.len() == 1).and_then(|mut entries| entries.next());
        let Some((name, content)) = entry else {
            let detail =
                "A string, or an object with a single attribute, is required: the name of a variant.";
            return self.placed(Err(Error::unsuitable(detail)));
        };
        let name_value = Value::string_nfc(name.clone());
        let inner = self.place.map(|place| place.part(item(place, name)));
        let key = ValueDeserializer::new(&name_value, self.place);
        let content = ValueDeserializer::new(content, inner);
        self.placed(visitor.visit_enum(Variant { key, content }))
    }
}

/// The last item of that name of an object that is written out.
fn item<'t>(place: Place<'t>, name: &str) -> Option<Expression<'t>> {
    let ExpressionKind::Object(items) = place.constructor()? else { return None };
    items
        .iter()
        .filter(|item| literal_key(item.key, item.key_name()) == Some(name))
        .last()
        .map(|item| item.value)
}

fn literal_key<'t>(key: Expression<'t>, name: Option<&'t str>) -> Option<&'t str> {
    name.or_else(|| match key.kind() {
        ExpressionKind::Text(text) => Some(text),
        _ => None,
    })
}

/// The smallest type of number that holds all of it.
fn visit_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Error> {
    if let Some(small) = number.to_i64() {
        // Visitors take either, but unsigned is what they are asked most.
        return match u64::try_from(small) {
            Ok(unsigned) => visitor.visit_u64(unsigned),
            Err(_) => visitor.visit_i64(small),
        };
    }
    if let Some(unsigned) = number.to_u64() {
        return visitor.visit_u64(unsigned);
    }
    let wide = number.is_integer() && number.text_len_bound() < 256;
    let text = if wide { number.to_text() } else { String::new() };
    match (text.parse::<i128>(), text.parse::<u128>()) {
        (Ok(signed), _) => visitor.visit_i128(signed),
        (Err(_), Ok(unsigned)) => visitor.visit_u128(unsigned),
        (Err(_), Err(_)) => visitor.visit_f64(number.to_f64()),
    }
}

impl<'de> Deserializer<'de> for ValueDeserializer<'_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.value()?;
        let ready = ValueDeserializer::new(&value, self.place);
        match value.kind() {
            Kind::Null => self.placed(visitor.visit_unit()),
            Kind::Bool => self.placed(visitor.visit_bool(value.as_bool().unwrap_or_default())),
            Kind::Number => {
                let number = ready.number()?;
                self.placed(visit_number(&number, visitor))
            }
            Kind::String => ready.text(visitor),
            Kind::List | Kind::Set | Kind::Tuple => ready.sequence(visitor),
            Kind::Map | Kind::Object => ready.mapping(visitor),
            Kind::Unknown => self.placed(Err(Error::unsuitable("The value is not known yet."))),
            Kind::Capsule => {
                self.placed(Err(Error::unsuitable("The value is one that only its host knows.")))
            }
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.scalar(&Type::Bool)?;
        self.placed(visitor.visit_bool(value.as_bool().unwrap_or_default()))
    }

    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.float(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.float(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.known()?;
        match value.as_str() {
            Some(text) => self.placed(visitor.visit_bytes(text.as_bytes())),
            None => ValueDeserializer::new(&value, self.place).sequence(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.value()?;
        if value.is_null() {
            return self.placed(visitor.visit_none());
        }
        visitor.visit_some(ValueDeserializer::new(&value, self.place))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.value()?;
        if value.is_null() {
            return self.placed(visitor.visit_unit());
        }
        self.placed(Err(Error::unsuitable("The value must be null.")))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == passage::NAME {
            return passage::hand_over(self.value()?.into_owned(), visitor);
        }
        self.placed(visitor.visit_newtype_struct(self))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.sequence(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, Error> {
        self.sequence(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.sequence(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.mapping(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            let range = self.place.map(Place::range);
            return visitor.visit_map(SpannedParts::new(range, self));
        }
        self.mapping(visitor)
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
}

/// The elements of a list, set or tuple.
struct Elements<'v, 't> {
    values: &'v [Value],
    place: Option<Place<'t>>,
    position: usize,
}

impl<'de> SeqAccess<'de> for Elements<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let position = self.position;
        let Some(value) = self.values.get(position) else { return Ok(None) };
        self.position += 1;
        let element = self.place.and_then(|place| match place.constructor()? {
            ExpressionKind::Tuple(elements) if elements.len() == self.values.len() => elements.get(position),
            _ => None,
        });
        let place = self.place.map(|place| place.part(element));
        let made = seed.deserialize(ValueDeserializer::new(value, place));
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
struct Parts<'v, 't> {
    entries: Vec<(&'v Str, &'v Value)>,
    place: Option<Place<'t>>,
    position: usize,
    /// What is written for each name, once somebody asks.
    items: OnceCell<HashMap<&'t str, [Expression<'t>; 2]>>,
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
        let made = seed.deserialize(ValueDeserializer::new(value, place));
        made.map_err(|error| step(error, written.is_some(), || PathStep::Attribute(name.clone())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len() - self.position)
    }
}

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

/// What a variant of an enum holds.
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
