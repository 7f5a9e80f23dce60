//! Values to JSON text.

use std::ops::ControlFlow::{Break, Continue};

use super::super::error::ValueErrorKind;
use super::super::path::PathStep;
use super::super::quote::{charged, make_room};
use super::super::string::{STRETCH, stretches};
use super::super::{Repr, Value, ValueError};
use crate::Str;
use crate::convert::{convert, convert_within};
use crate::limits::{BYTES_PER_PART, Meter, go_on};
use crate::stack;
use crate::types::Type;

/// Appends a JSON string with the escapes of the reference, which also escapes `<`, `>`, `&` and the line
/// separators so that the text can stand in HTML and JavaScript.
///
/// ```
/// let mut json = String::new();
/// hcl_eval::value::json::write_json_string("a<b", &mut json);
/// assert_eq!(json, r#""a\u003cb""#);
/// ```
pub fn write_json_string(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    write_plain_or_escaped(text, out);
    out.push('"');
}

/// The text without the quotes. A part of a text is written as it is in the whole.
fn write_plain_or_escaped(text: &str, out: &mut String) {
    if is_plain(text) { out.push_str(text) } else { write_escaped(text, out) }
}

/// Returns whether a text has nothing to escape.
fn is_plain(text: &str) -> bool {
    // 0xe2 starts the line separators, and other characters that `write_escaped` lets pass.
    text.bytes().all(|byte| !matches!(byte, 0..=0x1f | b'"' | b'\\' | b'<' | b'>' | b'&' | 0xe2))
}

/// How many bytes the escape of one has at most.
const LONGEST_ESCAPE: usize = 6;

/// Writes a text with the escapes of Go's `encoding/json`, which makes `<`, `>`, `&` and the separators of lines safe
/// for HTML.
fn write_escaped(text: &str, out: &mut String) {
    let mut start = 0;
    for (i, c) in text.char_indices() {
        let escape = match c {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '<' => "\\u003c",
            '>' => "\\u003e",
            '&' => "\\u0026",
            '\u{2028}' => "\\u2028",
            '\u{2029}' => "\\u2029",
            '\0'..='\u{1f}' => "",
            _ => continue,
        };
        out.push_str(&text[start..i]);
        if escape.is_empty() {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push_str(escape);
        }
        start = i + c.len_utf8();
    }
    out.push_str(&text[start..]);
}

/// Writes a value, under a type or as it is.
pub(super) fn encode(value: &Value, ty: Option<&Type>, limit: usize) -> Result<String, ValueError> {
    encode_with(value, ty, Encoder::new(limit, None))
}

/// Writes with looks at the limits of a meter.
#[cfg(feature = "basics")]
pub(super) fn encode_within(value: &Value, limit: usize, meter: &mut Meter) -> Result<String, ValueError> {
    encode_with(value, None, Encoder::new(limit, Some(meter)))
}

/// Writes the value, charged to a meter.
pub(super) fn encode_metered(
    value: &Value,
    ty: Option<&Type>,
    meter: &mut Meter,
) -> Result<String, ValueError> {
    let limit = usize::try_from(meter.bytes_left()).unwrap_or(usize::MAX);
    let encoder = Encoder { counts: true, ..Encoder::new(limit, Some(&mut *meter)) };
    charged(encode_with(value, ty, encoder), meter)
}

/// Writes a value as it is, without the attributes and elements of maps that are null.
pub(super) fn encode_without_nulls(value: &Value, limit: usize) -> Result<String, ValueError> {
    encode_with(value, None, Encoder { skip_nulls: true, ..Encoder::new(limit, None) })
}

/// Writes a type.
pub(super) fn encode_type(ty: &Type) -> Result<String, ValueError> {
    let mut encoder = Encoder::new(usize::MAX, None);
    encoder.ty(ty)?;
    Ok(encoder.out)
}

fn encode_with(value: &Value, ty: Option<&Type>, mut encoder: Encoder<'_>) -> Result<String, ValueError> {
    let Some(ty) = ty else { return encode_conforming(value, Under::Nothing, encoder) };
    if ty.is_dynamic() || value.ty_on(&mut encoder.meter)?.conforms_to(ty) {
        return encode_conforming(value, Under::Type(ty), encoder);
    }
    let converted = match &mut encoder.meter {
        Some(meter) => convert_within(value, ty, meter),
        None => convert(value, ty),
    };
    encode_conforming(&converted?, Under::Type(ty), encoder)
}

fn encode_conforming(
    value: &Value,
    under: Under<'_>,
    mut encoder: Encoder<'_>,
) -> Result<String, ValueError> {
    if value.contains_marks() {
        return Err(error_at(value, ValueErrorKind::JsonMarked, Value::is_marked, Value::contains_marks));
    }
    if !value.is_wholly_known() {
        let is_it = |part: &Value| !part.is_known();
        return Err(error_at(value, ValueErrorKind::JsonUnknown, is_it, |part| !part.is_wholly_known()));
    }
    encoder.value(value, under)?;
    Ok(encoder.out)
}

/// The error with the path of the first part it is about. Only what `holds` one is looked into: parts that are shared say
/// more than anybody can look at.
fn error_at(
    value: &Value,
    kind: ValueErrorKind,
    is_it: impl Fn(&Value) -> bool,
    holds: impl Fn(&Value) -> bool,
) -> ValueError {
    let mut error = ValueError::new(kind);
    value.walk_while(&mut |path, part| {
        if is_it(part) {
            error.path = path.clone();
            return Break(());
        }
        Continue(holds(part))
    });
    error
}

/// Room that is made at first, which is enough for most texts.
const FIRST_ROOM: usize = 128;

/// The type under which a part is written.
#[derive(Copy, Clone)]
enum Under<'t> {
    /// None: it is written as it is.
    Nothing,
    /// Its own, which is not made.
    Own,
    /// One that is given.
    Type(&'t Type),
}

impl<'t> Under<'t> {
    /// The type of part number `i` of a value.
    fn part(self, value: &'t Value, i: usize) -> Under<'t> {
        let ty = match (self, &value.0) {
            (Under::Nothing, _) => None,
            (Under::Own, Repr::List(node) | Repr::Set(node)) => Some(&node.header().element),
            (Under::Own, Repr::Map(map)) => Some(&map.header().element),
            (Under::Own, _) => return Under::Own,
            (Under::Type(Type::Tuple(tuple)), _) => tuple.elements().get(i),
            (Under::Type(Type::Object(object)), _) => {
                object.attributes().get(i).map(|attribute| &attribute.ty)
            }
            (Under::Type(ty), _) => ty.element_type(),
        };
        ty.map_or(Under::Nothing, Under::Type)
    }
}

pub(super) struct Encoder<'m> {
    pub(super) out: String,
    limit: usize,
    skip_nulls: bool,
    pub(super) meter: Option<&'m mut Meter>,
    /// True if the meter counts each part as a step.
    counts: bool,
}

impl<'m> Encoder<'m> {
    fn new(limit: usize, meter: Option<&'m mut Meter>) -> Self {
        Self { out: String::with_capacity(FIRST_ROOM), limit, skip_nulls: false, meter, counts: false }
    }

    /// Writes a value under a type, which decides where a value is accompanied by its own type: where it is
    /// dynamic. The limit is looked at before a part of known length is made, and after each part.
    fn value(&mut self, value: &Value, under: Under<'_>) -> Result<(), ValueError> {
        match &mut self.meter {
            Some(meter) if self.counts => meter.step()?,
            meter => go_on(meter, 1)?,
        }
        self.check(0)?;
        if let Under::Type(Type::Dynamic) = under {
            return self.with_type(value);
        }
        match &value.0 {
            Repr::Null(_) => self.out.push_str("null"),
            Repr::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Repr::Number(number) => {
                if number.is_infinite() {
                    return Err(ValueErrorKind::JsonInfinity.into());
                }
                if number.is_long() {
                    // The text may be shorter than its bound, and what it takes is enough.
                    self.check(usize::try_from(number.least_text_len()).unwrap_or(usize::MAX))?;
                }
                number.write_text_within(&mut self.out, &mut self.meter)?;
            }
            Repr::String(text) => self.quoted(text)?,
            Repr::Capsule(capsule) => {
                let operations = capsule.ty().operations();
                let text = operations.and_then(|operations| operations.to_json(capsule));
                let found = || capsule.ty().name().into();
                let text = text.ok_or_else(|| ValueErrorKind::JsonCapsule { found: found() })?;
                self.check(text.len())?;
                self.out.push_str(&text);
            }
            _ => stack::grow(value.depth(), || self.container(value, under))?,
        }
        self.check(0)
    }

    /// A part of dynamic type: the value, then its own type.
    fn with_type(&mut self, value: &Value) -> Result<(), ValueError> {
        if value.is_type(&Type::Dynamic) {
            self.out.push_str("null");
            return Ok(());
        }
        self.out.push_str("{\"value\":");
        self.value(value, Under::Own)?;
        self.out.push_str(",\"type\":");
        self.type_of(value)?;
        self.out.push('}');
        self.check(0)
    }

    /// Writes the type of a value part by part: made as a whole it would take several times the memory of the text.
    fn type_of(&mut self, value: &Value) -> Result<(), ValueError> {
        match &value.0 {
            Repr::Tuple(tuple) => {
                stack::grow(value.depth(), || self.tuple_type(tuple.elements(), Self::type_of))
            }
            Repr::Object(object) => stack::grow(value.depth(), || {
                let attributes = object.header().shape.names().iter().zip(object.elements());
                self.object_type(attributes, Self::type_of)?;
                self.out.push(']');
                self.check(0)
            }),
            _ => self.ty(&value.ty()),
        }
    }

    /// Writes a collection or a structure. An error inside is told with the path to it.
    fn container(&mut self, value: &Value, under: Under<'_>) -> Result<(), ValueError> {
        if let Under::Type(ty) = under
            && !same_family(value, ty)
        {
            let sentence = format!("{} required", ty.constraint_name());
            return Err(ValueErrorKind::JsonMismatch(sentence).into());
        }
        match value.entries() {
            Some(entries) => {
                self.out.push('{');
                let first = self.out.len();
                for (i, (key, part)) in entries.enumerate() {
                    if self.skip_nulls && part.is_null() {
                        continue;
                    }
                    self.comma(self.out.len() - first);
                    self.quoted(key)?;
                    self.out.push(':');
                    let inside = |error: ValueError| error.under(key_step(value, key));
                    self.value(part, under.part(value, i)).map_err(inside)?;
                }
                self.out.push('}');
            }
            None => {
                self.out.push('[');
                for (i, part) in value.elements().unwrap_or_default().iter().enumerate() {
                    self.comma(i);
                    let inside = |error: ValueError| error.under(PathStep::position(i));
                    self.value(part, under.part(value, i)).map_err(inside)?;
                }
                self.out.push(']');
            }
        }
        Ok(())
    }

    /// Writes a text in quotes. Of a long one, room for escapes is made stretch by stretch.
    pub(super) fn quoted(&mut self, text: &str) -> Result<(), ValueError> {
        self.check(text.len().saturating_add(2))?;
        self.out.push('"');
        for stretch in stretches(text) {
            go_on(&mut self.meter, stretch.len() / BYTES_PER_PART)?;
            if text.len() > STRETCH && !is_plain(stretch) {
                self.check(0)?;
                let limit = self.limit.saturating_add(LONGEST_ESCAPE * STRETCH);
                make_room(&mut self.out, LONGEST_ESCAPE * stretch.len(), limit)?;
            }
            write_plain_or_escaped(stretch, &mut self.out);
        }
        self.out.push('"');
        Ok(())
    }

    /// Goes between parts, and not before the first one.
    pub(super) fn comma(&mut self, n_before: usize) {
        if n_before > 0 {
            self.out.push(',');
        }
    }

    /// Makes room for `more` bytes if they still fit the limit, and for no more than that.
    pub(super) fn check(&mut self, more: usize) -> Result<(), ValueError> {
        make_room(&mut self.out, more, self.limit)
    }
}

/// The step from a map or object to the part of a key.
fn key_step(value: &Value, key: &Str) -> PathStep {
    match &value.0 {
        Repr::Map(_) => PathStep::key(key.clone()),
        _ => PathStep::Attribute(key.clone()),
    }
}

/// Returns whether a container can be written under a type: same kind and same parts.
fn same_family(value: &Value, ty: &Type) -> bool {
    match (&value.0, ty) {
        (Repr::List(_), Type::List(_)) | (Repr::Set(_), Type::Set(_)) | (Repr::Map(_), Type::Map(_)) => true,
        (Repr::Tuple(tuple), Type::Tuple(ty)) => tuple.elements().len() == ty.elements().len(),
        (Repr::Object(object), Type::Object(ty)) => {
            object.header().shape.names().iter().eq(ty.attributes().iter().map(|a| &a.name))
        }
        _ => false,
    }
}
