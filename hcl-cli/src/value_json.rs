//! A value as JSON, whatever is in it.
//!
//! Unlike `jsonencode` this has an answer for every value: an unknown is
//! `{"$unknown": "its type and refinements"}`, an infinity `{"$number": "+Inf"}`, and marks are left
//! out. Numbers are written in full. Only batch answers are written this way; what `hcl eval --json`
//! prints is the strict encoding, which refuses what JSON can't say.

use hcl_eval::value::{Kind, Value};
use hcl_syntax::diagnostic::json::write_string;

/// The JSON of `value`.
pub fn value_json(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    match value.kind() {
        Kind::Null => out.push_str("null"),
        Kind::Bool => out.push_str(if value.as_bool() == Some(true) { "true" } else { "false" }),
        Kind::Number => write_number(value, out),
        Kind::String => write_string(value.as_str().unwrap_or_default(), out),
        Kind::List | Kind::Set | Kind::Tuple => write_elements(value, out),
        Kind::Map | Kind::Object => write_entries(value, out),
        Kind::Unknown => write_special("$unknown", &value.refinement_text().unwrap_or_default(), out),
        Kind::Capsule => write_special("$capsule", &value.ty().friendly_name(), out),
    }
}

fn write_number(value: &Value, out: &mut String) {
    match value.as_number() {
        Some(number) if number.is_infinite() => write_special("$number", &number.to_text(), out),
        Some(number) => number.write_text(out),
        None => out.push_str("null"),
    }
}

fn write_elements(value: &Value, out: &mut String) {
    out.push('[');
    for (position, element) in value.elements().unwrap_or_default().iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_value(element, out);
    }
    out.push(']');
}

fn write_entries(value: &Value, out: &mut String) {
    out.push('{');
    for (position, (name, element)) in value.entries().into_iter().flatten().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_string(name, out);
        out.push(':');
        write_value(element, out);
    }
    out.push('}');
}

fn write_special(key: &str, text: &str, out: &mut String) {
    out.push('{');
    write_string(key, out);
    out.push(':');
    write_string(text, out);
    out.push('}');
}
