//! An explanation as JSON.

use std::fmt::Write as _;

use hcl_syntax::diagnostic::json::{FileNames, write_range, write_string};
use hcl_syntax::diagnostic::render::one_line;

use super::text::{shown, written};
use super::tree::{Explanation, Role, Step};
use crate::types::{ObjectAttribute, Type};
use crate::value::{Kind, Shape, Value};
use crate::{Str, stack};

/// How much of an expression or of the form of a value is written; the range tells where the rest stands.
const MAX_CELLS: usize = 1000;
/// Values that take more bytes of JSON than this are told by their form alone.
const MAX_VALUE: usize = 1 << 14;

impl Explanation<'_> {
    /// The explanation as one JSON object:
    ///
    /// `{"root": STEP, "variables": [{"name", "shown", "value"}], "functions": [NAME], "omitted": N}`, and a step is
    /// `{"role", "expression", "range", "type", "shown", "value", "marks", "problem", "reason", "used", "function",
    /// "key", "elements", "skipped", "steps": [STEP]}`. `shown` is the form of the console, cut where it gets long and
    /// redacted where it must be; `value` is there if nothing in it is marked or unknown. What does not apply is
    /// left out.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{\"root\":");
        match self.root() {
            Some(root) => write_step(root, &mut out),
            None => out.push_str("null"),
        }
        out.push_str(",\"variables\":[");
        for (position, (name, value)) in self.variables().into_iter().enumerate() {
            out.push_str(if position == 0 { "{" } else { ",{" });
            text("name", &one_line(name, MAX_CELLS), &mut out);
            write_value(value, &mut out);
            out.push('}');
        }
        out.push_str("],\"functions\":[");
        for (position, name) in self.functions().into_iter().enumerate() {
            if position > 0 {
                out.push(',');
            }
            write_string(name, &mut out);
        }
        // Writing to a String can't fail.
        let _ = write!(out, "],\"omitted\":{}}}", self.n_omitted());
        out
    }
}

/// Writes a step with its parts as an object. Members without a value are left out; `used` and `steps` are always
/// there.
fn write_step(step: Step<'_>, out: &mut String) {
    out.push('{');
    let role = match step.role() {
        Role::Whole => "whole",
        Role::Part => "part",
        Role::Condition => "condition",
        Role::WhenTrue => "when_true",
        Role::WhenFalse => "when_false",
        Role::Argument(_) => "argument",
        Role::Collection => "collection",
        Role::Key => "key",
        Role::Element => "element",
    };
    text("role", role, out);
    if let Role::Argument(position) = step.role() {
        let _ = write!(out, ",\"argument\":{position}");
    }
    if let (Some(expression), Some(range)) = (step.expression(), step.range()) {
        out.push(',');
        text("expression", &one_line(written(expression), MAX_CELLS), out);
        out.push_str(",\"range\":");
        write_range(&range, FileNames::Omitted, out);
    }
    if let Some(function) = step.function() {
        out.push(',');
        text("function", function, out);
    }
    if let Some(key) = step.key() {
        out.push_str(",\"key\":{\"shown\":");
        write_string(&shown(key, MAX_CELLS), out);
        out.push('}');
    }
    if let Some(value) = step.value() {
        write_value(value, out);
    }
    if let Some(problem) = step.problem() {
        out.push_str(",\"problem\":{");
        text("summary", &problem.summary, out);
        out.push(',');
        text("detail", &problem.detail, out);
        out.push('}');
    }
    if let Some(reason) = step.reason() {
        out.push(',');
        text("reason", &reason, out);
    }
    let _ = write!(out, ",\"used\":{}", step.is_used());
    if step.n_elements() > 0 {
        let _ = write!(out, ",\"elements\":{}", step.n_elements());
    }
    if step.is_skipped() {
        out.push_str(",\"skipped\":true");
    }
    out.push_str(",\"steps\":[");
    for (position, part) in step.parts().into_iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        write_step(part, out);
    }
    out.push_str("]}");
}

/// `"key": "text"`
fn text(key: &str, text: &str, out: &mut String) {
    write_string(key, out);
    out.push(':');
    write_string(text, out);
}

/// Writes the members about a value. `value` is there only for a value that JSON can say whole: known, unmarked, and
/// short.
fn write_value(value: &Value, out: &mut String) {
    out.push(',');
    // The names of attributes may have been made of what must not be shown.
    let marks = value.marks_deep();
    let mut n_parts = MAX_CELLS;
    let ty = beginning(value, &mut n_parts);
    let ty = if marks.hide() { ty.friendly_name() } else { ty.to_type_text() };
    text("type", &one_line(&ty, MAX_CELLS), out);
    out.push(',');
    text("shown", &shown(value, MAX_CELLS), out);
    if !marks.is_empty() {
        out.push_str(",\"marks\":[");
        for (position, mark) in marks.iter().enumerate() {
            if position > 0 {
                out.push(',');
            }
            write_string(mark.name(), out);
        }
        out.push(']');
    } else if value.is_wholly_known()
        && let Ok(json) = value.to_json_bounded(MAX_VALUE)
    {
        out.push_str(",\"value\":");
        out.push_str(&json);
    }
}

/// The type of a value as far as its text is shown: of tuples and objects it has so many parts, all levels together. The text
/// of each part has several cells.
fn beginning(value: &Value, n_parts: &mut usize) -> Type {
    if !matches!(value.kind(), Kind::Tuple | Kind::Object) {
        return value.ty();
    }
    stack::grow(value.depth(), || {
        let names = value.shape().map(Shape::names);
        let mut parts = Vec::new();
        for (at, part) in value.parts().unwrap_or_default().iter().enumerate() {
            let Some(left) = n_parts.checked_sub(1) else { break };
            *n_parts = left;
            let name = names.map_or_else(Str::default, |names| names[at].clone());
            parts.push(ObjectAttribute::new(name, beginning(part, n_parts)));
        }
        match names {
            Some(_) => Type::object(parts),
            None => Type::tuple(parts.into_iter().map(|part| part.ty).collect()),
        }
    })
}
