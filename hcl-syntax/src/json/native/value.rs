//! JSON values as expressions of native syntax.

use super::{Writer, template};
use crate::ast::{Expression, ExpressionKind};
use crate::hash::HashSet;
use crate::json::reading::{Reading, interpolated_text, is_plain_value, reference_text};
use crate::json::template::{write_interpolation, write_source};
use crate::json::tree::{NodeKind, PropertyId, ValueId};
use crate::lexer::is_identifier;
use crate::parser::{ParseLimits, parse_expression};
use crate::source::{Source, Span};
use crate::stack;

/// How long an array may be to stand on one line, in bytes of its source.
const MAX_ON_ONE_LINE: u32 = 80;

/// Names that mean something at the beginning of an object, or that look like values.
const QUOTED_NAMES: [&str; 4] = ["for", "null", "true", "false"];

impl Writer<'_> {
    /// A value as an expression that is read so.
    pub(super) fn value(&mut self, id: ValueId, reading: Reading) {
        if self.watch.count(1).is_err() {
            return;
        }
        let node = self.json.node(id);
        match node.kind {
            NodeKind::Null | NodeKind::Bool(_) | NodeKind::Number => {
                self.out.push_str(self.json.source.slice(node.span));
            }
            NodeKind::String(text) => {
                let json = self.json;
                let text = json.text(node.span, text);
                match reading {
                    Reading::Expression | Reading::Mapping => {
                        let lowered = self.lowered;
                        self.string(lowered.tree.expression(lowered.value(id)));
                    }
                    Reading::Literal | Reading::Requirement => template::write_quoted(text, &mut self.out),
                    Reading::Reference | Reading::References | Reading::Type => self.bare(text, reading),
                }
            }
            NodeKind::Array { .. } => self.array(id, of_elements(reading)),
            NodeKind::Object { .. } => self.object(id, reading),
            // Reported by the parser.
            NodeKind::Invalid => self.out.push_str("null"),
        }
    }

    /// The expression that a string is for a product that does not evaluate it, if it comes back from that as it is.
    fn bare(&mut self, text: &str, reading: Reading) {
        if is_bare(text, reading) {
            self.out.push_str(text);
        } else {
            template::write_quoted(text, &mut self.out);
        }
    }

    fn array(&mut self, id: ValueId, reading: Reading) {
        let json = self.json;
        let elements = json.elements_of(id);
        let is_flat = !elements.iter().any(|&element| json.is_filled(element));
        if is_flat && json.span(id).len() <= MAX_ON_ONE_LINE {
            self.out.push('[');
            for (position, &element) in elements.iter().enumerate() {
                if position > 0 {
                    self.out.push_str(", ");
                }
                self.value(element, reading);
            }
            self.out.push(']');
            return;
        }
        self.out.push('[');
        self.indent += 1;
        for &element in elements {
            self.line();
            stack::level(|| self.value(element, reading));
            self.out.push(',');
        }
        self.indent -= 1;
        self.line();
        self.out.push(']');
    }

    fn object(&mut self, id: ValueId, reading: Reading) {
        let json = self.json;
        if !json.is_filled(id) {
            self.out.push_str("{}");
            return;
        }
        self.out.push('{');
        self.indent += 1;
        let mut names = HashSet::default();
        for (key, value) in json.properties_of(id).into_iter().flatten() {
            self.line();
            let name = json.name(key).0;
            let inner = match reading {
                Reading::Literal => Reading::Literal,
                Reading::Mapping => Reading::Reference,
                Reading::Requirement if name == "configuration_aliases" => Reading::References,
                Reading::Requirement => Reading::Literal,
                _ => Reading::Expression,
            };
            if inner == Reading::Expression {
                self.key(key, &mut names);
            } else {
                self.plain_key(key, reading, &mut names);
            }
            self.out.push_str(" = ");
            stack::level(|| self.value(value, inner));
        }
        self.indent -= 1;
        self.line();
        self.out.push('}');
    }

    /// A key that means itself.
    fn plain_key(&mut self, id: PropertyId, reading: Reading, names: &mut HashSet<String>) {
        let json = self.json;
        let (name, place) = json.name(id);
        if reading == Reading::Mapping && name.split('.').all(is_bare_name) {
            self.out.push_str(name);
        } else {
            self.name(name);
        }
        self.check_key(name, place, names);
    }

    fn name(&mut self, name: &str) {
        if is_bare_name(name) {
            self.out.push_str(name);
        } else {
            template::write_quoted(name, &mut self.out);
        }
    }

    /// JSON syntax refuses two items of one name, where native syntax would take the last one.
    fn check_key(&mut self, name: &str, place: Span, names: &mut HashSet<String>) {
        if !names.insert(name.to_owned()) {
            let detail =
                format!("The object already has an attribute named \"{name}\". Remove one of the two.");
            self.complain("eval.object.duplicate_attribute", "Duplicate object attribute", detail, place);
        }
    }

    /// A key, which may be a template.
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
                self.name(name);
                self.check_key(name, self.json.name_span(id), names);
            }
            ExpressionKind::Interpolation(inner) if self.needs_quotes(inner) => {
                self.quoted_interpolation(inner);
            }
            ExpressionKind::Interpolation(inner) => self.in_parentheses(inner),
            _ => self.string(key),
        }
    }

    /// A string: a template, or the expression of one that is nothing else.
    fn string(&mut self, string: Expression<'_>) {
        match string.kind() {
            ExpressionKind::Unfinished(problems) => {
                // Of the faulty templates of which none are kept this is said once.
                let is_told = self.diagnostics.last().is_some_and(|last| last.subject.is_none());
                self.diagnostics
                    .extend(problems.iter().filter(|one| !is_told || one.subject.is_some()).cloned());
                self.out.push_str("null");
            }
            ExpressionKind::Interpolation(inner) if self.needs_quotes(inner) => {
                self.quoted_interpolation(inner);
            }
            ExpressionKind::Interpolation(inner) if may_span_lines(inner) => {
                self.out.push_str(inner.source_text());
            }
            // In parentheses an expression may span lines.
            ExpressionKind::Interpolation(inner) => self.in_parentheses(inner),
            _ => template::write_template(string, self.reader, &mut self.out),
        }
    }

    fn in_parentheses(&mut self, expression: Expression<'_>) {
        self.out.push('(');
        write_source(expression.source_text(), &mut self.out);
        self.out.push(')');
    }

    /// Returns true if an interpolation means more to the reader than its expression.
    fn needs_quotes(&self, interpolated: Expression<'_>) -> bool {
        interpolated_text(interpolated, self.reader).len() > interpolated.source_text().len()
    }

    fn quoted_interpolation(&mut self, interpolated: Expression<'_>) {
        self.out.push('"');
        write_interpolation(interpolated, self.reader, &mut self.out);
        self.out.push('"');
    }
}

/// How the elements of an array are read.
fn of_elements(reading: Reading) -> Reading {
    match reading {
        Reading::Literal | Reading::Requirement => Reading::Literal,
        Reading::References => Reading::Reference,
        Reading::Expression | Reading::Reference | Reading::Type | Reading::Mapping => Reading::Expression,
    }
}

fn is_bare_name(name: &str) -> bool {
    is_identifier(name) && !QUOTED_NAMES.contains(&name)
}

/// Returns true if a text is a reference or a type as the writer of JSON syntax would write it.
fn is_bare(text: &str, reading: Reading) -> bool {
    let Ok(source) = Source::new("", text) else { return false };
    let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
    let expression = parsed.expression();
    // In brackets the word begins something else.
    let goes_on = |rest: &str| rest.chars().next().is_some_and(|c| is_identifier(&format!("for{c}")));
    let is_word = text.strip_prefix("for").is_some_and(|rest| !goes_on(rest));
    let is_text = matches!(
        expression.kind(),
        ExpressionKind::Text(_) | ExpressionKind::Template(_) | ExpressionKind::Interpolation(_)
    );
    diagnostics.is_empty()
        && !is_text
        && !is_word
        && !is_plain_value(expression)
        && may_span_lines(expression)
        && expression.source_text() == text
        && (reading == Reading::Type || reference_text(expression) == text)
}

/// Returns whether an expression has its line breaks, if any, where they mean nothing or were told apart already.
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
