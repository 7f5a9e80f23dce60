//! An explanation as JSON.

use std::fmt::Write as _;

use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::diagnostic::json::{FileNames, write_range, write_string};

use super::pen::Pen;
use super::text::{MAX_FORM, line, shown, written};
use super::tree::{Explanation, Role, Step};
use crate::eval::Frame;
use crate::limits::BYTES_PER_PART;
use crate::types::{ObjectAttribute, Type};
use crate::value::{Kind, Marks, Shape, Value};
use crate::{Str, stack};

/// How much of an expression or of the form of a value is written; the range tells where the rest stands.
const MAX_CELLS: usize = 1000;
/// Values that take more bytes of JSON than this are told by their form alone.
const MAX_VALUE: usize = 1 << 14;
/// So many parts of a value are looked at for marks. The names of attributes are not shown where there are more.
const MAX_PARTS: usize = 1 << 16;

impl Explanation<'_> {
    /// The explanation as one JSON object:
    ///
    /// `{"root": STEP, "variables": [{"name", "shown", "value"}], "functions": [NAME], "omitted": N}`, and a step is
    /// `{"role", "expression", "range", "type", "shown", "value", "marks", "problem", "reason", "used", "function",
    /// "key", "elements", "skipped", "steps": [STEP]}`. `shown` is the form of the console, cut where it gets long and
    /// redacted where it must be; `value` is there if nothing in it is marked or unknown. What does not apply is
    /// left out.
    pub fn to_json(&self) -> String {
        let mut pen = Pen::default();
        self.write_json(&mut pen);
        pen.out
    }

    /// [`Explanation::to_json`] within the limits of the frame that the explanation was made with: as
    /// [`Explanation::to_text_within`], of which the number of steps is `omitted`. Variables and functions are left out without
    /// being counted.
    pub fn to_json_within(&self, frame: &mut Frame, diagnostics: &mut Diagnostics) -> String {
        self.write_within(frame, diagnostics, |pen| self.write_json(pen))
    }

    fn write_json(&self, pen: &mut Pen<'_>) {
        pen.out.push_str("{\"root\":");
        match self.root().filter(|root| pen.begins(*root)) {
            Some(root) => write_step(root, pen),
            None => pen.out.push_str("null"),
        }
        pen.out.push_str(",\"variables\":[");
        for (position, (name, value)) in self.variables_while(|| pen.goes_through()).into_iter().enumerate() {
            if !pen.goes_on() {
                break;
            }
            pen.out.push_str(if position == 0 { "{" } else { ",{" });
            text("name", &line(name, MAX_CELLS), &mut pen.out);
            write_value(value, pen);
            pen.out.push('}');
        }
        pen.out.push_str("],\"functions\":[");
        for (position, name) in self.functions_while(|| pen.goes_through()).into_iter().enumerate() {
            if position > 0 {
                pen.out.push(',');
            }
            write_string(&line(name, MAX_CELLS), &mut pen.out);
        }
        // Writing to a String can't fail.
        let n_omitted = pen.n_omitted(self);
        let _ = write!(pen.out, "],\"omitted\":{n_omitted}}}");
    }
}

/// Writes a step with its parts as an object. Members without a value are left out; `used` and `steps` are always
/// there.
fn write_step(step: Step<'_>, pen: &mut Pen<'_>) {
    pen.out.push('{');
    text("role", name_of(step.role()), &mut pen.out);
    if let Role::Argument(position) = step.role() {
        let _ = write!(pen.out, ",\"argument\":{position}");
    }
    if let (Some(expression), Some(range)) = (step.expression(), step.range()) {
        pen.out.push(',');
        text("expression", &line(written(expression), MAX_CELLS), &mut pen.out);
        pen.out.push_str(",\"range\":");
        write_range(&range, FileNames::Omitted, &mut pen.out);
    }
    if let Some(function) = step.function() {
        pen.out.push(',');
        text("function", &line(function, MAX_CELLS), &mut pen.out);
    }
    if let Some(key) = step.key() {
        pen.out.push_str(",\"key\":{\"shown\":");
        let form = shown(key, MAX_CELLS, pen);
        write_string(&form, &mut pen.out);
        pen.out.push('}');
    }
    if let Some(value) = step.value() {
        write_value(value, pen);
    }
    if let Some(problem) = step.problem() {
        pen.out.push_str(",\"problem\":{");
        text("summary", &problem.summary, &mut pen.out);
        pen.out.push(',');
        text("detail", &problem.detail, &mut pen.out);
        pen.out.push('}');
    }
    if let Some(reason) = step.reason() {
        pen.out.push(',');
        text("reason", &reason, &mut pen.out);
    }
    let _ = write!(pen.out, ",\"used\":{}", step.is_used());
    if step.n_elements() > 0 {
        let _ = write!(pen.out, ",\"elements\":{}", step.n_elements());
    }
    if step.is_skipped() {
        pen.out.push_str(",\"skipped\":true");
    }
    pen.out.push_str(",\"steps\":[");
    let mut is_first = true;
    for part in pen.parts(step) {
        if !pen.begins(part) {
            continue;
        }
        if !std::mem::replace(&mut is_first, false) {
            pen.out.push(',');
        }
        stack::grow(u32::MAX, || write_step(part, pen));
    }
    pen.out.push_str("]}");
}

fn name_of(role: Role) -> &'static str {
    match role {
        Role::Whole => "whole",
        Role::Part => "part",
        Role::Condition => "condition",
        Role::WhenTrue => "when_true",
        Role::WhenFalse => "when_false",
        Role::Argument(_) => "argument",
        Role::Collection => "collection",
        Role::Key => "key",
        Role::Element => "element",
    }
}

/// `"key": "text"`
fn text(key: &str, text: &str, out: &mut String) {
    write_string(key, out);
    out.push(':');
    write_string(text, out);
}

/// Writes the members about a value. `value` is there only for a value that JSON can say whole: known, unmarked, and
/// short.
fn write_value(value: &Value, pen: &mut Pen<'_>) {
    pen.out.push(',');
    // The names of attributes may have been made of what must not be shown.
    let (mut marks, mut n_left) = (Marks::EMPTY, MAX_PARTS);
    gather(value, &mut marks, &mut n_left);
    pen.made((MAX_PARTS - n_left) * BYTES_PER_PART);
    let mut n_parts = MAX_CELLS;
    let ty = beginning(value, &mut n_parts);
    let ty = if n_left == 0 || marks.hide() { ty.friendly_name() } else { ty.beginning_of_text(MAX_FORM) };
    pen.made(ty.len());
    text("type", &line(&ty, MAX_CELLS), &mut pen.out);
    pen.out.push(',');
    let form = shown(value, MAX_CELLS, pen);
    text("shown", &form, &mut pen.out);
    if !marks.is_empty() {
        pen.out.push_str(",\"marks\":[");
        for (position, mark) in marks.iter().enumerate() {
            if position > 0 {
                pen.out.push(',');
            }
            write_string(mark.name(), &mut pen.out);
        }
        pen.out.push(']');
    } else if value.is_wholly_known()
        && let Ok(json) = value.to_json_bounded(MAX_VALUE.min(pen.max_form()))
    {
        pen.made(json.len());
        pen.out.push_str(",\"value\":");
        pen.out.push_str(&json);
    }
}

/// Gathers the marks of a value and of its parts until none are left to look at. A part takes longer where there are many marks.
fn gather(value: &Value, marks: &mut Marks, n_left: &mut usize) {
    *n_left = n_left.saturating_sub(1 + marks.len());
    if *n_left == 0 || !value.contains_marks() {
        return;
    }
    stack::grow(value.depth(), || {
        marks.extend(value.marks());
        for part in value.unmarked().parts().unwrap_or_default() {
            gather(part, marks, n_left);
        }
    });
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
            let name = names.map_or_else(Str::default, |names| beginning_of_name(&names[at], n_parts));
            parts.push(ObjectAttribute::new(name, beginning(part, n_parts)));
        }
        match names {
            // The names of a shape are in order.
            Some(_) => Type::object_from_sorted(parts),
            None => Type::tuple(parts.into_iter().map(|part| part.ty).collect()),
        }
    })
}

/// A name as far as it is shown. A long one stands for as many parts as its text has.
fn beginning_of_name(name: &Str, n_parts: &mut usize) -> Str {
    *n_parts = n_parts.saturating_sub(name.len() / BYTES_PER_PART);
    match name.len() {
        ..=MAX_FORM => name.clone(),
        _ => Str::new(&name[..name.floor_char_boundary(MAX_FORM)]),
    }
}
