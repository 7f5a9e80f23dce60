//! Values to JSON text.

use super::super::error::ValueErrorKind;
use super::super::path::PathStep;
use super::super::string::stretches;
use super::super::{Repr, Value, ValueError};
use super::types::write_type;
use crate::Str;
use crate::convert::convert;
use crate::limits::{BYTES_PER_PART, LimitReached, Meter, go_on};
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
    // 0xe2 starts the line separators, and other characters that the loop below lets pass.
    let plain = |byte: u8| !matches!(byte, 0..=0x1f | b'"' | b'\\' | b'<' | b'>' | b'&' | 0xe2);
    if text.bytes().all(plain) {
        out.push_str(text);
    } else {
        write_escaped(text, out);
    }
}

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
    encode_with(
        value,
        ty,
        Encoder {
            out: String::with_capacity(FIRST_ROOM),
            limit,
            skip_nulls: false,
            meter: None,
            counts: false,
        },
    )
}

/// Writes with looks at the limits of a meter.
#[cfg(feature = "basics")]
pub(super) fn encode_within(value: &Value, limit: usize, meter: &mut Meter) -> Result<String, ValueError> {
    let encoder = Encoder {
        out: String::with_capacity(FIRST_ROOM),
        limit,
        skip_nulls: false,
        meter: Some(meter),
        counts: false,
    };
    encode_with(value, None, encoder)
}

/// Writes the value, charged to a meter.
pub(super) fn encode_metered(
    value: &Value,
    ty: Option<&Type>,
    meter: &mut Meter,
) -> Result<String, ValueError> {
    let limit = usize::try_from(meter.bytes_left()).unwrap_or(usize::MAX);
    let encoder = Encoder {
        out: String::with_capacity(FIRST_ROOM),
        limit,
        skip_nulls: false,
        meter: Some(&mut *meter),
        counts: true,
    };
    let text = encode_with(value, ty, encoder)?;
    meter.bytes(text.len())?;
    Ok(text)
}

/// Writes a value as it is, without the attributes and elements of maps that are null.
pub(super) fn encode_without_nulls(value: &Value, limit: usize) -> Result<String, ValueError> {
    encode_with(
        value,
        None,
        Encoder {
            out: String::with_capacity(FIRST_ROOM),
            limit,
            skip_nulls: true,
            meter: None,
            counts: false,
        },
    )
}

fn encode_with(value: &Value, ty: Option<&Type>, encoder: Encoder<'_>) -> Result<String, ValueError> {
    if let Some(other) = ty.filter(|ty| !value.ty().conforms_to(ty)) {
        return encode_conforming(&convert(value, other)?, ty, encoder);
    }
    encode_conforming(value, ty, encoder)
}

fn encode_conforming(
    value: &Value,
    ty: Option<&Type>,
    mut encoder: Encoder<'_>,
) -> Result<String, ValueError> {
    if value.contains_marks() {
        return Err(error_at(value, ValueErrorKind::JsonMarked, Value::is_marked, Value::contains_marks));
    }
    if !value.is_wholly_known() {
        let is_it = |part: &Value| !part.is_known();
        return Err(error_at(value, ValueErrorKind::JsonUnknown, is_it, |part| !part.is_wholly_known()));
    }
    encoder.value(value, ty)?;
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
    let mut found = false;
    value.walk(&mut |path, part| {
        if !found && is_it(part) {
            found = true;
            error.path = path.clone();
        }
        !found && holds(part)
    });
    error
}

/// Room that is made at first, which is enough for most texts.
const FIRST_ROOM: usize = 128;

/// Room for a comma, and for the brackets of a container.
const PUNCTUATION: usize = 8;

#[cold]
fn out_of_memory() -> ValueError {
    ValueErrorKind::Limit(LimitReached::OutOfMemory).into()
}

struct Encoder<'m> {
    out: String,
    limit: usize,
    skip_nulls: bool,
    meter: Option<&'m mut Meter>,
    /// True if the meter counts each part as a step.
    counts: bool,
}

impl Encoder<'_> {
    /// Writes a value under a type, which decides where a value is accompanied by its own type: where `ty` is
    /// dynamic. The limit is looked at before a part of known length is made, and after each part.
    fn value(&mut self, value: &Value, ty: Option<&Type>) -> Result<(), ValueError> {
        if let Some(meter) = &mut self.meter {
            if self.counts {
                meter.step()?;
            } else {
                meter.go_on(1)?;
            }
        }
        self.check(0)?;
        if let Some(Type::Dynamic) = ty {
            return self.with_type(value);
        }
        match &value.0 {
            Repr::Null(_) => self.out.push_str("null"),
            Repr::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Repr::Number(number) => {
                if number.is_infinite() {
                    return Err(ValueErrorKind::JsonInfinity.into());
                }
                self.check(usize::try_from(number.text_len_bound()).unwrap_or(usize::MAX))?;
                number.write_text_within(&mut self.out, &mut self.meter)?;
            }
            Repr::String(text) => {
                self.check(text.len().saturating_add(2))?;
                self.out.push('"');
                for stretch in stretches(text) {
                    go_on(&mut self.meter, stretch.len() / BYTES_PER_PART)?;
                    write_plain_or_escaped(stretch, &mut self.out);
                }
                self.out.push('"');
            }
            Repr::Capsule(capsule) => {
                let operations = capsule.ty().operations();
                let text = operations.and_then(|operations| operations.to_json(capsule));
                let found = || capsule.ty().name().into();
                let text = text.ok_or_else(|| ValueErrorKind::JsonCapsule { found: found() })?;
                self.check(text.len())?;
                self.out.push_str(&text);
            }
            _ => stack::grow(value.depth(), || self.container(value, ty))?,
        }
        self.check(0)
    }

    /// A part of dynamic type: the value, then its own type.
    fn with_type(&mut self, value: &Value) -> Result<(), ValueError> {
        let own = value.ty();
        if own.is_dynamic() {
            self.out.push_str("null");
            return Ok(());
        }
        self.out.push_str("{\"value\":");
        self.value(value, Some(&own))?;
        self.out.push_str(",\"type\":");
        write_type(&own, &mut self.out)?;
        self.out.push('}');
        self.check(0)
    }

    /// Writes a collection or a structure. An error inside is told with the path to it.
    fn container(&mut self, value: &Value, ty: Option<&Type>) -> Result<(), ValueError> {
        if let Some(ty) = ty
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
                    self.check(key.len())?;
                    self.comma(self.out.len() - first);
                    write_json_string(key, &mut self.out);
                    self.out.push(':');
                    let under = |error: ValueError| error.under(key_step(value, key));
                    self.value(part, part_type(ty, i)).map_err(under)?;
                }
                self.out.push('}');
            }
            None => {
                self.out.push('[');
                for (i, part) in value.elements().unwrap_or_default().iter().enumerate() {
                    self.comma(i);
                    let under = |error: ValueError| error.under(PathStep::position(i));
                    self.value(part, part_type(ty, i)).map_err(under)?;
                }
                self.out.push(']');
            }
        }
        Ok(())
    }

    /// Goes between parts, and not before the first one.
    fn comma(&mut self, n_before: usize) {
        if n_before > 0 {
            self.out.push(',');
        }
    }

    /// Makes room for `more` bytes if they still fit the limit, and for no more than that.
    fn check(&mut self, more: usize) -> Result<(), ValueError> {
        let length = self.out.len().saturating_add(more);
        if length > self.limit {
            return Err(ValueErrorKind::OutputTooLong { limit: self.limit }.into());
        }
        // Punctuation around a value has no check of its own.
        let length = length.saturating_add(PUNCTUATION);
        if length > self.out.capacity() {
            let wanted = self.out.capacity().saturating_mul(2).min(self.limit).max(length);
            self.out.try_reserve_exact(wanted - self.out.len()).map_err(|_| out_of_memory())?;
        }
        Ok(())
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

/// The type of part number `i` of a value of a type.
fn part_type(ty: Option<&Type>, i: usize) -> Option<&Type> {
    match ty? {
        Type::Tuple(tuple) => tuple.elements().get(i),
        Type::Object(object) => object.attributes().get(i).map(|attribute| &attribute.ty),
        ty => ty.element_type(),
    }
}
