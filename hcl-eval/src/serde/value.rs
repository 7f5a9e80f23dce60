//! Values to Rust values.
//!
//! What the Rust type asks for is first converted to, by HCL's own rules: a text that says a number is a
//! number for a field that is one. A value that comes from an attribute is evaluated when it is asked for,
//! so attributes that the type ignores are never evaluated. While a tuple or object is written out, its
//! parts know their own places.

use std::borrow::Cow;

use hcl_syntax::ast::{Expression, ExpressionKind};
use hcl_syntax::source::{Range, Source, Span};
use serde::de::{Deserializer, Visitor};

use super::body::LABEL;
use super::error::{Error, Problem};
use super::parts::{Elements, Labelled, ObjectAsBlocks, Parts, literal_key};
use super::passage;
use super::session::Session;
use super::spanned::{self, SpannedParts};
use super::variant::Variant;
use crate::Str;
use crate::convert::convert;
use crate::stack;
use crate::types::Type;
use crate::value::{Kind, Number, Value};

/// Where a value comes from.
#[derive(Copy, Clone)]
pub(super) struct Place<'t> {
    source: &'t Source,
    span: Span,
    /// The expression that the value is the result of.
    expression: Option<Expression<'t>>,
    /// Further in than places are known it is the place of a container.
    is_exact: bool,
}

impl<'t> Place<'t> {
    /// The place of a text that is no expression.
    pub(super) fn at(source: &'t Source, span: Span) -> Self {
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
    pub(super) fn constructor(self) -> Option<ExpressionKind<'t>> {
        let mut kind = self.expression?.kind();
        while let ExpressionKind::Parentheses(inner) | ExpressionKind::Interpolation(inner) = kind {
            kind = inner.kind();
        }
        Some(kind)
    }

    /// An element of a tuple of `n` elements, if the tuple is written out.
    pub(super) fn element(self, position: usize, n: usize) -> Option<Expression<'t>> {
        match self.constructor()? {
            ExpressionKind::Tuple(elements) if elements.len() == n => elements.get(position),
            _ => None,
        }
    }

    /// The place of a part: its own, if the container is written out, else the container's.
    pub(super) fn part(self, expression: Option<Expression<'t>>) -> Self {
        expression.map_or(Self { expression: None, is_exact: false, ..self }, Self::of)
    }
}

/// Makes Rust values of a value.
#[derive(Copy, Clone)]
pub(super) struct ValueDeserializer<'v, 't> {
    content: Content<'v, 't>,
    place: Option<Place<'t>>,
    reading: Reading<'v, 't>,
}

/// The reading of a value.
#[derive(Copy, Clone)]
pub(super) enum Reading<'v, 't> {
    /// Itself.
    Plain,
    /// As in JSON, where nothing tells blocks from attributes: blocks too.
    Json,
    /// An object that is read as a sequence of blocks.
    JsonBlocks(&'v Labelled<'t>),
}

#[derive(Copy, Clone)]
enum Content<'v, 't> {
    Ready(&'v Value),
    /// To be evaluated when asked for.
    Pending(Expression<'t>, &'v Session<'v>),
}

impl<'v, 't> ValueDeserializer<'v, 't> {
    pub(super) fn new(value: &'v Value, place: Option<Place<'t>>) -> Self {
        Self::read(value, place, Reading::Plain)
    }

    pub(super) fn read(value: &'v Value, place: Option<Place<'t>>, reading: Reading<'v, 't>) -> Self {
        Self { content: Content::Ready(value), place, reading }
    }

    pub(super) fn pending(
        expression: Expression<'t>,
        session: &'v Session<'v>,
        reading: Reading<'v, 't>,
    ) -> Self {
        let place = Some(Place::of(expression));
        Self { content: Content::Pending(expression, session), place, reading }
    }

    /// Reads the value once it is there.
    fn ready<'r>(self, value: &'r Value) -> ValueDeserializer<'r, 't>
    where
        'v: 'r,
    {
        ValueDeserializer::read(value, self.place, self.reading)
    }

    /// How parts of the value are read.
    fn part_reading(self) -> Reading<'v, 't> {
        match self.reading {
            Reading::Plain => Reading::Plain,
            Reading::Json | Reading::JsonBlocks(_) => Reading::Json,
        }
    }

    fn value(self) -> Result<Cow<'v, Value>, Error> {
        match self.content {
            Content::Ready(value) => Ok(Cow::Borrowed(value)),
            Content::Pending(expression, session) => {
                session.evaluate(expression).map(Cow::Owned).map_err(Error::of_diagnostics)
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
        let float = number.to_f64();
        if float.is_infinite() && !number.is_infinite() {
            let detail = "The number is too large for a floating point number of the Rust type.";
            return self.placed(Err(Error::unsuitable(detail)));
        }
        self.placed(visitor.visit_f64(float))
    }

    fn text<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.scalar(&Type::String)?;
        self.placed(visitor.visit_str(value.as_str().unwrap_or_default()))
    }

    /// A sequence of a length that the Rust type knows, which would not look at what is beyond it.
    fn tuple<'de, V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        let value = self.known()?;
        match value.elements() {
            Some(elements) if elements.len() > length => {
                self.placed(Err(Problem::surplus_elements(elements.len(), length).into()))
            }
            _ => self.ready(&value).sequence(visitor),
        }
    }

    fn sequence<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.known()?;
        let reading = self.part_reading();
        if let (Reading::Json, None, Some(_)) = (reading, value.elements(), value.entries()) {
            let labels = Labelled::new(&value, self.place);
            let blocks = ObjectAsBlocks::new(&value, self.place, &labels);
            return self.placed(stack::grow(value.depth(), || visitor.visit_seq(blocks)));
        }
        let Some(values) = value.elements() else {
            let found = value.type_name();
            return self.placed(Err(Error::unsuitable(format!("Found {found}, but a list is required."))));
        };
        let elements = Elements::new(values, self.place, reading);
        self.placed(stack::grow(value.depth(), || visitor.visit_seq(elements)))
    }

    fn mapping<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.known()?;
        let (value, place) = self.only_block(&value, self.place);
        let Some(entries) = value.entries() else { return self.no_mapping(value) };
        let parts = Parts::new(entries.collect(), place, self.part_reading());
        self.placed(stack::grow(value.depth(), || visitor.visit_map(parts)))
    }

    fn no_mapping<R>(self, value: &Value) -> Result<R, Error> {
        let found = value.type_name();
        self.placed(Err(Error::unsuitable(format!("Found {found}, but an object or map is required."))))
    }

    /// In JSON a list of one block is a block.
    fn only_block<'r>(self, value: &'r Value, place: Option<Place<'t>>) -> (&'r Value, Option<Place<'t>>) {
        match (self.reading, value.elements()) {
            (Reading::Json | Reading::JsonBlocks(_), Some([only])) => {
                let element = place.and_then(|place| place.element(0, 1));
                (only, place.map(|place| place.part(element)))
            }
            _ => (value, place),
        }
    }

    /// A struct with a label, of an object with labels as keys.
    fn labelled<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.known()?;
        let (value, place) = self.only_block(&value, self.place);
        let (Some(shape), Some(parts)) = (value.shape(), value.parts()) else {
            return self.no_mapping(value);
        };
        let next = match self.reading {
            Reading::JsonBlocks(labels) => labels.next(),
            Reading::Plain | Reading::Json if parts.len() == 1 => {
                let label = shape.names().first();
                Some((0, label.and_then(|label| item(place?, label))))
            }
            Reading::Plain | Reading::Json => {
                let detail = "Exactly one block is wanted here, an object with its label as the only key.";
                return self.placed(Err(Error::unsuitable(detail)));
            }
        };
        let found =
            next.and_then(|(entry, written)| Some((shape.names().get(entry)?, parts.get(entry)?, written)));
        let Some((label, body, written)) = found else {
            return self.placed(Err(Error::unsuitable("An object with labels as keys is required.")));
        };
        let body_place = place.map(|place| place.part(written));
        let (body, body_place) = self.only_block(body, body_place);
        let Some(attributes) = body.entries() else { return self.no_mapping(body) };
        let (name, text) = (Str::new_static(LABEL), Value::string_nfc(label.clone()));
        let attributes = attributes.chain([(&name, &text)]).collect();
        let parts = Parts::new(attributes, body_place, self.part_reading());
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
    items.iter().rfind(|item| literal_key(item.key, item.key_name()) == Some(name)).map(|item| item.value)
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
        let ready = self.ready(&value);
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
            None => self.ready(&value).sequence(visitor),
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
        visitor.visit_some(self.ready(&value))
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
        self.mapping(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == spanned::NAME {
            let range = self.place.map(Place::range);
            return visitor.visit_map(SpannedParts::new(range, self));
        }
        let is_json = !matches!(self.reading, Reading::Plain);
        if is_json && fields.contains(&LABEL) { self.labelled(visitor) } else { self.mapping(visitor) }
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
