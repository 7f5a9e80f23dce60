//! JSON values as expressions of native syntax.

use std::collections::HashSet;

use super::{STACK_ADDED, STACK_NEEDED, Writer, template};
use crate::ast::{Expression, ExpressionKind};
use crate::json::tree::{NodeKind, PropertyId, ValueId};
use crate::lexer::is_identifier;

/// How long an array may be to stand on one line, in bytes of its source.
const MAX_ON_ONE_LINE: u32 = 80;

/// Names that mean something at the beginning of an object, or that look like values.
const QUOTED_NAMES: [&str; 4] = ["for", "null", "true", "false"];

impl Writer<'_> {
    /// A value as an expression.
    pub(super) fn value(&mut self, id: ValueId) {
        let node = self.json.node(id);
        match node.kind {
            NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number => {
                self.out.push_str(self.json.source.slice(node.span));
            }
            NodeKind::String(_) => {
                let lowered = self.lowered;
                self.string(lowered.tree.expression(lowered.value(id)));
            }
            NodeKind::Array { .. } => self.array(id),
            NodeKind::Object { .. } => self.object(id),
            // Reported by the parser.
            NodeKind::Invalid => self.out.push_str("null"),
        }
    }

    fn array(&mut self, id: ValueId) {
        let json = self.json;
        let elements = json.elements_of(id);
        let is_flat = !elements.iter().any(|&element| json.is_filled(element));
        if is_flat && json.span(id).len() <= MAX_ON_ONE_LINE {
            self.out.push('[');
            for (position, &element) in elements.iter().enumerate() {
                if position > 0 {
                    self.out.push_str(", ");
                }
                self.value(element);
            }
            self.out.push(']');
            return;
        }
        self.out.push('[');
        self.indent += 1;
        for &element in elements {
            self.line();
            stacker::maybe_grow(STACK_NEEDED, STACK_ADDED, || self.value(element));
            self.out.push(',');
        }
        self.indent -= 1;
        self.line();
        self.out.push(']');
    }

    fn object(&mut self, id: ValueId) {
        let json = self.json;
        if !json.is_filled(id) {
            self.out.push_str("{}");
            return;
        }
        self.out.push('{');
        self.indent += 1;
        let mut names = HashSet::new();
        for (key, value) in json.properties_of(id).into_iter().flatten() {
            self.line();
            self.key(key, &mut names);
            self.out.push_str(" = ");
            stacker::maybe_grow(STACK_NEEDED, STACK_ADDED, || self.value(value));
        }
        self.indent -= 1;
        self.line();
        self.out.push('}');
    }

    /// A key. JSON syntax refuses two items of one name, where native syntax would take the last one.
    fn key(&mut self, id: PropertyId, names: &mut HashSet<String>) {
        let lowered = self.lowered;
        let mut key = lowered.tree.expression(lowered.key(id));
        if let ExpressionKind::Parentheses(inner) = key.kind()
            && key.span() == self.json.name_span(id)
        {
            key = inner;
        }
        match key.kind() {
            ExpressionKind::Text(name) => {
                if is_identifier(name) && !QUOTED_NAMES.contains(&name) {
                    self.out.push_str(name);
                } else {
                    template::write_quoted(name, &mut self.out);
                }
                if !names.insert(name.to_owned()) {
                    let detail = format!(
                        "The object already has an attribute named \"{name}\". Remove one of the two."
                    );
                    let place = self.json.name_span(id);
                    self.complain(
                        "eval.object.duplicate_attribute",
                        "Duplicate object attribute",
                        detail,
                        place,
                    );
                }
            }
            ExpressionKind::Interpolation(inner) => {
                self.out.push('(');
                template::write_source(inner, &mut self.out);
                self.out.push(')');
            }
            _ => self.string(key),
        }
    }

    /// A string: a template, or the expression of one that is nothing else.
    fn string(&mut self, string: Expression<'_>) {
        match string.kind() {
            ExpressionKind::Unfinished(problems) => {
                self.diagnostics.extend_from_slice(problems);
                self.out.push_str("null");
            }
            ExpressionKind::Interpolation(inner) if may_span_lines(inner) => {
                self.out.push_str(inner.source_text());
            }
            ExpressionKind::Interpolation(inner) => {
                // In parentheses an expression may span lines.
                self.out.push('(');
                template::write_source(inner, &mut self.out);
                self.out.push(')');
            }
            _ => template::write_template(string, &mut self.out),
        }
    }
}

/// Whether an expression has its line breaks, if any, where they mean nothing or were told apart already.
fn may_span_lines(expression: Expression<'_>) -> bool {
    let source = expression.source_text();
    let start = expression.span().start;
    let first = match expression.kind() {
        ExpressionKind::Tuple(_)
        | ExpressionKind::Object(_)
        | ExpressionKind::For(_)
        | ExpressionKind::Parentheses(_) => 0,
        ExpressionKind::Call(call) => (call.open_span().start - start) as usize,
        _ => source.len(),
    };
    !source.get(..first).is_none_or(|before_brackets| before_brackets.contains('\n'))
}
