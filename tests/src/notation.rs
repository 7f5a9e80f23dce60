//! How values are written in expectations: on one line, telling apart everything that HCL tells apart.
//!
//! Strings, numbers, tuples and objects are written as in HCL; a list, set or map as the call that would
//! make it; an unknown value as its type with what is known of it; marks behind the value.

use hcl_eval::value::{Kind, Value};
use hcl_syntax::lexer::is_identifier;

/// The one-line form of a value.
pub fn notation(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    let (plain, marks) = value.unmark();
    write_plain(&plain, out);
    let names: Vec<_> = marks.iter().map(|mark| mark.name().to_owned()).collect();
    if !names.is_empty() {
        out.push_str(" marked ");
        out.push_str(&names.join(", "));
    }
}

fn write_plain(value: &Value, out: &mut String) {
    match value.kind() {
        Kind::Null if value.ty().is_dynamic() => out.push_str("null"),
        Kind::Null => out.push_str(&format!("null {}", value.ty().to_type_text())),
        Kind::Unknown => out.push_str(&format!("unknown {}", value.refinement_text().unwrap_or_default())),
        Kind::Bool => out.push_str(if value.as_bool() == Some(true) { "true" } else { "false" }),
        Kind::Number => out.push_str(&value.as_number().map(|number| number.to_text()).unwrap_or_default()),
        Kind::String => write_string(value.as_str().unwrap_or_default(), out),
        Kind::Tuple => write_elements("[", value, "]", out),
        Kind::Object => write_entries("{", value, "}", out),
        Kind::List | Kind::Set | Kind::Map if value.len() == Some(0) => {
            out.push_str(&format!("empty {}", value.ty().to_type_text()));
        }
        Kind::List => write_elements("tolist([", value, "])", out),
        Kind::Set => write_elements("toset([", value, "])", out),
        Kind::Map => write_entries("tomap({", value, "})", out),
        Kind::Capsule => out.push_str(&value.ty().friendly_name()),
    }
}

fn write_elements(open: &str, value: &Value, close: &str, out: &mut String) {
    out.push_str(open);
    for (position, element) in value.elements().unwrap_or_default().iter().enumerate() {
        if position > 0 {
            out.push_str(", ");
        }
        write_value(element, out);
    }
    out.push_str(close);
}

fn write_entries(open: &str, value: &Value, close: &str, out: &mut String) {
    out.push_str(open);
    for (position, (name, element)) in value.entries().into_iter().flatten().enumerate() {
        if position > 0 {
            out.push_str(", ");
        }
        if is_identifier(name) {
            out.push_str(name);
        } else {
            write_string(name, out);
        }
        out.push_str(" = ");
        write_value(element, out);
    }
    out.push_str(close);
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() || ('\u{a0}'..='\u{a0}').contains(&c) => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}
