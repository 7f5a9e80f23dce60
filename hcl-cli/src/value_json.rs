//! A value as JSON, whatever is in it.
//!
//! Unlike `jsonencode` this has an answer for every value: an unknown is
//! `{"$unknown": "its type and refinements"}`, an infinity `{"$number": "+Inf"}`, and marks are left
//! out. Numbers are written in full, which may be long, so the length is bounded. Only batch answers are written this way; what
//! `hcl eval --json` prints is the strict encoding, which refuses what JSON can't say.

use hcl_eval::value::{Kind, Value};
use hcl_syntax::diagnostic::json::write_string;

/// The JSON of `value`, if that takes about `max_bytes` at most.
pub fn value_json(value: &Value, max_bytes: usize) -> Option<String> {
    let mut out = String::new();
    write_value(value, &mut out, max_bytes)?;
    (out.len() <= max_bytes).then_some(out)
}

/// Writes a value; nothing once the text is longer than the limit.
fn write_value(value: &Value, out: &mut String, limit: usize) -> Option<()> {
    match value.kind() {
        Kind::Null => out.push_str("null"),
        Kind::Bool => out.push_str(if value.as_bool() == Some(true) { "true" } else { "false" }),
        Kind::Number => write_number(value, out, limit)?,
        Kind::String => write_string(value.as_str().unwrap_or_default(), out),
        Kind::List | Kind::Set | Kind::Tuple => write_elements(value, out, limit)?,
        Kind::Map | Kind::Object => write_entries(value, out, limit)?,
        Kind::Unknown => write_special("$unknown", &value.refinement_text().unwrap_or_default(), out),
        Kind::Capsule => write_special("$capsule", &value.ty().friendly_name(), out),
    }
    (out.len() <= limit).then_some(())
}

/// Writes a number with all its digits, whose count is looked at before.
fn write_number(value: &Value, out: &mut String, limit: usize) -> Option<()> {
    match value.as_number() {
        Some(number) if number.is_infinite() => write_special("$number", &number.to_text(), out),
        Some(number) => {
            let bound = usize::try_from(number.text_len_bound()).unwrap_or(usize::MAX);
            (out.len().saturating_add(bound) <= limit).then_some(())?;
            number.write_text(out);
        }
        None => out.push_str("null"),
    }
    Some(())
}

fn write_elements(value: &Value, out: &mut String, limit: usize) -> Option<()> {
    out.push('[');
    for (position, element) in value.elements().unwrap_or_default().iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_value(element, out, limit)?;
    }
    out.push(']');
    Some(())
}

fn write_entries(value: &Value, out: &mut String, limit: usize) -> Option<()> {
    out.push('{');
    for (position, (name, element)) in value.entries().into_iter().flatten().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_string(name, out);
        out.push(':');
        write_value(element, out, limit)?;
    }
    out.push('}');
    Some(())
}

/// Writes an object of one member, for what JSON has no form for.
fn write_special(key: &str, text: &str, out: &mut String) {
    out.push('{');
    write_string(key, out);
    out.push(':');
    write_string(text, out);
    out.push('}');
}
