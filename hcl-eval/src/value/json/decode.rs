//! JSON text to values, with or without a type.

use std::borrow::Cow;
use std::rc::Rc;

use hcl_syntax::hash::IndexMap;
use triomphe::Arc;

use super::super::error::{JsonProblem, ValueErrorKind};
use super::super::path::PathStep;
use super::super::string::normalize_within;
use super::super::{Number, Shape, Value, ValueError};
use super::reader::{Content, Document};
use super::{DuplicateKeys, JsonOptions};
use crate::Str;
use crate::limits::{Charge, LimitReached, Meter, Pace, go_on, hold};
use crate::sorting::sort_texts_on;
use crate::stack;
use crate::types::{ObjectType, Type};

/// Reads JSON, under a type or any, charged to a meter.
pub(super) fn metered(text: &str, ty: Option<&Type>, meter: &mut Meter) -> Result<Value, ValueError> {
    let options = JsonOptions { max_depth: meter.limits().max_depth, ..JsonOptions::default() };
    meter.bytes(text.len())?;
    let document = nodes(text, &options, meter)?;
    match ty {
        Some(ty) => TypedReader::new(&document, Some(meter)).value(document.root(), &ty.without_optional()),
        None => imply(&document, &options, Some(meter)),
    }
}

/// Reads any JSON, the text of which has been charged, charged to a meter.
#[cfg(feature = "basics")]
pub(super) fn implied_metered(
    text: &str,
    options: &JsonOptions,
    meter: &mut Meter,
) -> Result<Value, ValueError> {
    imply(&nodes(text, options, meter)?, options, Some(meter))
}

/// The nodes of a text, charged with what is made of them.
fn nodes<'a>(text: &'a str, options: &JsonOptions, meter: &mut Meter) -> Result<Document<'a>, ValueError> {
    meter.hold(Document::room_for(text.len()))?;
    let document = Document::read_charged(text, options, Charge::Elements(meter))?;
    let n_nodes = document.n_nodes();
    // The second pass makes a value of each node.
    meter.steps(n_nodes)?;
    // It lies in a list before it lies in its container, which has a header.
    meter.hold_parts(usize::try_from(n_nodes).unwrap_or(usize::MAX), 4 * size_of::<Value>())?;
    Ok(document)
}

/// Reads any JSON.
pub(super) fn implied(text: &str, options: &JsonOptions) -> Result<Value, ValueError> {
    imply(&Document::read(text, options)?, options, None)
}

fn imply(
    document: &Document<'_>,
    options: &JsonOptions,
    mut pace: Option<&mut Meter>,
) -> Result<Value, ValueError> {
    document.require_end(&mut pace)?;
    let mut decoder =
        Implied { document, duplicate_keys: options.duplicate_keys, shapes: vec![], values: vec![], pace };
    decoder.value(document.root(), 0)
}

/// Reads JSON that was written under a type. What follows the value is ignored, as the reference does.
pub(super) fn typed(text: &str, ty: &Type, options: &JsonOptions) -> Result<Value, ValueError> {
    let document = Document::read(text, options)?;
    TypedReader::new(&document, None).value(document.root(), &ty.without_optional())
}

struct Implied<'a, 'm> {
    document: &'a Document<'a>,
    pace: Option<&'m mut Meter>,
    duplicate_keys: DuplicateKeys,
    /// Shapes of objects that came lately, the last one first.
    shapes: Vec<Rc<SeenShape<'a>>>,
    /// The values of the arrays and objects that are being read, in the order of the text: one list for all of them.
    values: Vec<Value>,
}

/// The keys of an object in the order of the text, and what became of them.
struct SeenShape<'a> {
    keys: Vec<&'a str>,
    shape: Shape,
    /// Which of the keys has each place of the shape.
    order: Vec<usize>,
}

/// How many shapes of types are kept at hand.
const KEPT_SHAPES: usize = 16;
/// How many shapes of texts are remembered.
const SEEN_SHAPES: usize = 4;
/// Objects with more keys than this are no records of a table.
const SEEN_KEYS: usize = 64;

impl<'a> Implied<'a, '_> {
    fn value(&mut self, at: usize, depth: u32) -> Result<Value, ValueError> {
        go_on(&mut self.pace, 1)?;
        Ok(match self.document.content_on(at, &mut self.pace)? {
            Content::Null => Value::null(Type::Dynamic),
            Content::Bool(value) => Value::bool(value),
            Content::Number(text) => Value::number(number(text, self.document.offset(at), &mut self.pace)?),
            Content::String(text) => Value::string_nfc(self.normal(&text)?),
            Content::Array => stack::grow(depth, || self.array(at, depth))?,
            Content::Object => stack::grow(depth, || self.object(at, depth))?,
        })
    }

    /// A text of the document in normal form.
    fn normal(&mut self, text: &str) -> Result<Str, LimitReached> {
        normalize_within(text, &mut self.pace)
    }

    fn array(&mut self, at: usize, depth: u32) -> Result<Value, ValueError> {
        let document = self.document;
        let first = self.values.len();
        for element in document.elements(at) {
            let value = self.value(element, depth + 1)?;
            self.values.push(value);
        }
        Ok(Value::tuple_of_last(&mut self.values, first))
    }

    /// Reads an object. Of objects with the same keys in the same order, as records of a list have them, the names
    /// are sorted and checked for the first one only.
    fn object(&mut self, at: usize, depth: u32) -> Result<Value, ValueError> {
        let document = self.document;
        if let Some(seen) = self.seen_shape(at) {
            let first = self.values.len();
            for (_, value) in document.entries(at) {
                let value = self.value(value, depth + 1)?;
                self.values.push(value);
            }
            let object = Value::object_of_last(seen.shape.clone(), &mut self.values, first, &seen.order);
            return Ok(object);
        }
        let mut keyed: Vec<(Str, Value)> = Vec::new();
        for (key, value) in document.entries(at) {
            let key = document.text_on(key, &mut self.pace)?.unwrap_or_default();
            keyed.push((self.normal(&key)?, self.value(value, depth + 1)?));
        }
        if self.duplicate_keys == DuplicateKeys::SameType {
            check_duplicates(&keyed, document.offset(at), &mut self.pace)?;
        }
        let object = Value::object_on(keyed, &mut self.pace)?;
        self.remember_shape(at, &object);
        Ok(object)
    }

    /// The remembered shape of an object with exactly these keys in this order.
    fn seen_shape(&mut self, at: usize) -> Option<Rc<SeenShape<'a>>> {
        let document = self.document;
        let has_keys = |seen: &Rc<SeenShape<'_>>| {
            let mut entries = document.entries(at);
            let alike = |key: &&str| entries.next().is_some_and(|(node, _)| document.is_written(node, key));
            seen.keys.iter().all(alike) && entries.next().is_none()
        };
        let found = self.shapes.iter().position(has_keys)?;
        self.shapes.swap(0, found);
        self.shapes.first().cloned()
    }

    fn remember_shape(&mut self, at: usize, object: &Value) {
        let Some(shape) = object.shape().filter(|shape| shape.len() <= SEEN_KEYS) else { return };
        let mut seen = SeenShape { keys: vec![], shape: shape.clone(), order: vec![0; shape.len()] };
        for (number, (key, _)) in self.document.entries(at).enumerate() {
            // Keys with escapes, not normalised or there twice are not worth remembering.
            let Some(text) = self.document.plain_text(key) else { return };
            let Some(position) = shape.position(text) else { return };
            seen.keys.push(text);
            seen.order[position] = number;
        }
        if seen.keys.len() == shape.len() {
            self.shapes.insert(0, Rc::new(seen));
            self.shapes.truncate(SEEN_SHAPES);
        }
    }
}

/// Of keys that are there twice, the values must have one type.
fn check_duplicates(entries: &[(Str, Value)], offset: usize, pace: Pace<'_, '_>) -> Result<(), ValueError> {
    if entries.is_sorted_by(|a, b| a.0 < b.0) {
        return Ok(());
    }
    let mut sorted: Vec<&(Str, Value)> = entries.iter().collect();
    sort_texts_on(&mut sorted, |entry| entry.0.len(), |a, b| a.0.cmp(&b.0), |n| go_on(pace, n))?;
    for pair in sorted.windows(2) {
        if let [a, b] = pair
            && a.0 == b.0
            && !a.1.same_type(&b.1)
        {
            return Err(ValueErrorKind::JsonSyntax { problem: JsonProblem::DuplicateKey, offset }.into());
        }
    }
    Ok(())
}

fn number(text: &str, offset: usize, pace: Pace<'_, '_>) -> Result<Number, ValueError> {
    let invalid = ValueErrorKind::JsonSyntax { problem: JsonProblem::InvalidNumber, offset };
    Number::parse_within(text, pace)?.ok_or_else(|| invalid.into())
}

fn mismatch<T>(sentence: impl Into<String>) -> Result<T, ValueError> {
    Err(ValueErrorKind::JsonMismatch(sentence.into()).into())
}

/// Reads values under types, which have no optional attributes.
pub(super) struct TypedReader<'a, 'm> {
    pub(super) document: &'a Document<'a>,
    pub(super) pace: Option<&'m mut Meter>,
    /// The shapes of the first object types that came, so that objects of one type share theirs.
    shapes: Vec<(Arc<ObjectType>, Shape)>,
    /// True if the types that are read keep their optional attributes.
    pub(super) keeps_optional: bool,
}

impl<'a, 'm> TypedReader<'a, 'm> {
    pub(super) fn new(document: &'a Document<'a>, pace: Option<&'m mut Meter>) -> Self {
        Self { document, pace, shapes: vec![], keeps_optional: false }
    }

    /// Reads a value of a type. Texts and primitive values stand for each other as the conversion of the language lets
    /// them, which is the reference's reading of JSON under a type.
    fn value(&mut self, at: usize, ty: &Type) -> Result<Value, ValueError> {
        if let Type::String = ty
            && self.document.is_long(at)
            && self.document.is_string(at)
        {
            return Ok(Value::string_nfc(self.name(at)?));
        }
        let content = self.document.content_on(at, &mut self.pace)?;
        if let Content::Null = content {
            return Ok(Value::null(ty.clone()));
        }
        match ty {
            Type::Dynamic => stack::grow(u32::MAX, || self.with_type(at)),
            Type::String => match content {
                Content::String(text) => Ok(Value::string(text)),
                Content::Number(text) => Ok(Value::string_nfc(normalize_within(text, &mut self.pace)?)),
                Content::Bool(value) => Ok(Value::string(if value { "true" } else { "false" })),
                _ => mismatch("a string is required"),
            },
            Type::Number => {
                let text: Cow<'_, str> = match content {
                    Content::Number(text) => text.into(),
                    Content::String(text) => text,
                    _ => return mismatch("a number is required"),
                };
                let number = Number::parse_within(&text, &mut self.pace)?;
                number.map_or_else(|| mismatch("a number is required"), |n| Ok(Value::number(n)))
            }
            Type::Bool => match content {
                Content::Bool(value) => Ok(Value::bool(value)),
                Content::String(text) => match &*text {
                    "true" | "1" => Ok(Value::TRUE),
                    "false" | "0" => Ok(Value::FALSE),
                    _ => mismatch("a bool is required"),
                },
                _ => mismatch("a bool is required"),
            },
            Type::Capsule(capsule) => {
                Err(ValueErrorKind::JsonCapsule { found: capsule.name().into() }.into())
            }
            _ => stack::grow(u32::MAX, || self.container(at, ty)),
        }
    }

    /// The text of a string node in normal form; of another node, none.
    pub(super) fn name(&mut self, at: usize) -> Result<Str, LimitReached> {
        let text = self.document.text_on(at, &mut self.pace)?.unwrap_or_default();
        normalize_within(&text, &mut self.pace)
    }

    /// The number of an object's keys.
    pub(super) fn n_entries(&mut self, object: usize) -> Result<usize, LimitReached> {
        let mut n = 0;
        for _ in self.document.entries(object) {
            self.go_on(n)?;
            n += 1;
        }
        Ok(n)
    }

    /// Tells that the part at a position is about to be read, one in so many for all of them.
    fn go_on(&mut self, position: usize) -> Result<(), LimitReached> {
        const AT_ONCE: usize = 64;
        if position.is_multiple_of(AT_ONCE) { go_on(&mut self.pace, AT_ONCE) } else { Ok(()) }
    }

    /// Reads a collection or a structure. Where the type has dynamic parts, elements decide on the element type together.
    fn container(&mut self, at: usize, ty: &Type) -> Result<Value, ValueError> {
        let document = self.document;
        match ty {
            Type::List(element) | Type::Set(element) if document.is_array(at) => {
                let mut values = Vec::new();
                for (i, part) in document.elements(at).enumerate() {
                    self.go_on(i)?;
                    let value = self.value(part, element);
                    values.push(value.map_err(|error| error.under(PathStep::position(i)))?);
                }
                let list = matches!(ty, Type::List(_));
                let element = self.element_type(element, values.iter(), if list { "list" } else { "set" })?;
                if list {
                    return Ok(Value::list_on(element, values, &mut self.pace)?);
                }
                Ok(Value::set_on(element, values, &mut self.pace)?)
            }
            Type::Map(element) if document.is_object(at) => {
                // A table that grows would be filled anew for long.
                let mut entries = IndexMap::with_capacity_and_hasher(self.n_entries(at)?, Default::default());
                for (i, (key, part)) in document.entries(at).enumerate() {
                    self.go_on(i)?;
                    let key = self.name(key)?;
                    let value = self.value(part, element);
                    let value = value.map_err(|error| error.under(PathStep::key(key.clone())))?;
                    entries.insert(key, value);
                }
                let element = self.element_type(element, entries.values(), "map")?;
                Ok(Value::map_on(element, entries.into_iter().collect(), &mut self.pace)?)
            }
            Type::Tuple(tuple) if document.is_array(at) => self.tuple(at, tuple.elements()),
            Type::Object(object) if document.is_object(at) => self.object(at, object),
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => mismatch("an array is required"),
            _ => mismatch("an object is required"),
        }
    }

    /// The type that the elements of a collection have: where the wanted one has dynamic parts, they have to fill
    /// these in all in the same way.
    fn element_type<'v, I>(&mut self, wanted: &Type, values: I, collection: &str) -> Result<Type, ValueError>
    where
        I: Iterator<Item = &'v Value>,
    {
        if !wanted.has_dynamic() {
            return Ok(wanted.clone());
        }
        let mut concrete = values.filter(|value| !value.is_type(&Type::Dynamic));
        match concrete.next() {
            None => Ok(wanted.clone()),
            Some(first) if concrete.all(|value| value.same_type(first)) => Ok(first.ty_on(&mut self.pace)?),
            Some(_) => mismatch(format!("all {collection} elements must have the same type")),
        }
    }

    fn tuple(&mut self, at: usize, types: &[Type]) -> Result<Value, ValueError> {
        let mut parts = Vec::new();
        for (i, part) in self.document.elements(at).enumerate() {
            self.go_on(i)?;
            parts.push(part);
        }
        if parts.len() != types.len() {
            let few = if parts.len() < types.len() { "not enough" } else { "too many" };
            return mismatch(format!("{few} tuple elements (need {})", types.len()));
        }
        let mut values = Vec::with_capacity(parts.len());
        for (i, (part, ty)) in parts.into_iter().zip(types).enumerate() {
            self.go_on(i)?;
            let value = self.value(part, ty);
            values.push(value.map_err(|error| error.under(PathStep::position(i)))?);
        }
        Ok(Value::tuple(values))
    }

    /// Reads an object. Attributes that it lacks are null; the text has not been charged for them.
    fn object(&mut self, at: usize, ty: &Arc<ObjectType>) -> Result<Value, ValueError> {
        let (document, attributes) = (self.document, ty.attributes());
        let n_entries = self.n_entries(at)?;
        if let Some(meter) = &mut self.pace {
            meter.elements(attributes.len().saturating_sub(n_entries))?;
        }
        let mut values = Vec::with_capacity(attributes.len());
        for (i, attribute) in attributes.iter().enumerate() {
            self.go_on(i)?;
            values.push(Value::null(attribute.ty.clone()));
        }
        for (i, (key, part)) in document.entries(at).enumerate() {
            self.go_on(i)?;
            let key = self.name(key)?;
            let found = attributes.binary_search_by(|attribute| attribute.name.cmp(&key));
            let Ok(at) = found else { return mismatch(format!("unsupported attribute \"{key}\"")) };
            let value = self.value(part, &attributes[at].ty);
            values[at] = value.map_err(|error| error.under(PathStep::Attribute(key)))?;
        }
        Ok(Value::object_with_shape(self.shape_of(ty)?, values))
    }

    /// The shape of objects of a type.
    fn shape_of(&mut self, ty: &Arc<ObjectType>) -> Result<Shape, LimitReached> {
        if let Some((_, shape)) = self.shapes.iter().find(|(known, _)| Arc::ptr_eq(known, ty)) {
            return Ok(shape.clone());
        }
        hold(&mut self.pace, ty.attributes().len().saturating_mul(size_of::<Str>() + size_of::<u64>()))?;
        let shape = Shape::from_sorted(ty.attributes().iter().map(|attribute| attribute.name.clone()));
        if self.shapes.len() < KEPT_SHAPES {
            self.shapes.push((Arc::clone(ty), shape.clone()));
        }
        Ok(shape)
    }

    /// Reads a value with its type beside it.
    fn with_type(&mut self, at: usize) -> Result<Value, ValueError> {
        const SHAPE: &str = "an object with the keys \"value\" and \"type\" is required";
        let document = self.document;
        if !document.is_object(at) {
            return mismatch(SHAPE);
        }
        let (mut value, mut ty) = (None, None);
        for (key, part) in document.entries(at) {
            match &*document.text_on(key, &mut self.pace)?.unwrap_or_default() {
                "value" => value = Some(part),
                "type" => ty = Some(part),
                _ => return mismatch(SHAPE),
            }
        }
        let (Some(value), Some(ty)) = (value, ty) else { return mismatch(SHAPE) };
        let ty = self.ty(ty)?;
        self.value(value, &ty)
    }
}
