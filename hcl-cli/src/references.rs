//! The variables that a configuration refers to, described as JSON.

use std::fmt::Write as _;
use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::value::json::write_json_string;
use hcl_eval::value::{Number, Value};
use hcl_syntax::ast::{Expression, ExpressionKind, StepKind, Traversal};
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::source::{Pos, Range, Span};

/// The description of variables, one after the other: their steps with names, keys and places, and the value that
/// each has in the scope. A value that is in error or has no JSON form is left out.
pub fn references_json(variables: &[ConfigExpression], scope: Option<&Arc<Scope>>) -> String {
    let mut evaluation = Evaluation::new(&EvalOptions::default());
    let mut out = String::from("[");
    for variable in variables {
        let syntax = variable.syntax();
        let ExpressionKind::Traversal(traversal) = syntax.expression().kind() else { continue };
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str("{\"root_name\":");
        write_json_string(traversal.root(), &mut out);
        let (value, problems) = evaluation.evaluate(variable, scope.map(Arc::as_ref));
        if let (true, Ok(value)) = (problems.is_empty(), value.to_json()) {
            let _ = write!(out, ",\"value\":{value}");
        }
        write_steps(variable, traversal, &mut out);
        write_range(&variable.range(), &mut out);
        out.push('}');
    }
    out.push(']');
    indented(&out)
}

/// Writes the steps, the root included. The place of an attribute has its dot, that of an index its brackets, as the
/// reference has them.
fn write_steps(variable: &ConfigExpression, traversal: Traversal<'_>, out: &mut String) {
    out.push_str(",\"steps\":[{\"kind\":\"root\",\"name\":");
    write_json_string(traversal.root(), out);
    let place = |span: Span, out: &mut String| {
        write_range(&variable.source().range(span), out);
        out.push('}');
    };
    place(traversal.root_span(), out);
    for step in traversal.steps().iter() {
        match step.kind {
            StepKind::Attribute(name) => {
                out.push_str(",{\"kind\":\"attr\",\"name\":");
                write_json_string(name, out);
            }
            StepKind::Index(key) => write_index(&key_json(key), out),
            StepKind::LegacyIndex(digits) => write_index(&number_json(digits), out),
            StepKind::InvalidLegacyIndex => write_index("", out),
        }
        place(step.span, out);
    }
    out.push(']');
}

/// Begins an index step; a key that could not be read is left out.
fn write_index(key: &str, out: &mut String) {
    out.push_str(",{\"kind\":\"index\"");
    if !key.is_empty() {
        out.push_str(",\"key\":");
        out.push_str(key);
    }
}

fn key_json(key: Expression<'_>) -> String {
    match key.kind() {
        ExpressionKind::Text(text) => {
            let mut out = String::new();
            write_json_string(Value::string(text).as_str().unwrap_or(text), &mut out);
            out
        }
        ExpressionKind::Number(digits) => number_json(digits),
        _ => key.source_text().to_owned(),
    }
}

/// A number as values print it.
fn number_json(digits: &str) -> String {
    Number::parse(digits).map(|number| number.to_text()).unwrap_or_default()
}

/// Writes a place as a further member of an object.
fn write_range(range: &Range, out: &mut String) {
    out.push_str(",\"range\":{\"filename\":");
    write_json_string(&range.filename, out);
    for (name, Pos { line, column, byte }) in [("start", range.start), ("end", range.end)] {
        // Writing to a string does not fail.
        let _ = write!(out, ",\"{name}\":{{\"line\":{line},\"column\":{column},\"byte\":{byte}}}");
    }
    out.push('}');
}

/// Compact JSON spread over lines, two blanks for each level. Empty objects and arrays stay as they are.
fn indented(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth: usize = 0;
    let mut characters = json.chars().peekable();
    let mut in_string = false;
    let new_line = |depth: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    while let Some(c) = characters.next() {
        if in_string {
            out.push(c);
            match c {
                '\\' => out.extend(characters.next()),
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match c {
            '{' | '[' => {
                out.push(c);
                if characters.peek().is_some_and(|next| matches!(next, '}' | ']')) {
                    out.extend(characters.next());
                } else {
                    depth += 1;
                    new_line(depth, &mut out);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(depth, &mut out);
                out.push(c);
            }
            ',' => {
                out.push(c);
                new_line(depth, &mut out);
            }
            ':' => out.push_str(": "),
            _ => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}
