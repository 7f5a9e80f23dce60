//! Templates written in quotes.
//!
//! The templates have no strip markers but those that Nomad counts to the text of a reference: the tree has the text as
//! it is after trimming.

use crate::ast::{Expression, ExpressionKind, ForExpression};
use crate::json::reading::{Reader, interpolated_text};
use crate::lexer::is_identifier;

/// Writes a text in quotes so that it means itself.
pub(super) fn write_quoted(text: &str, out: &mut String) {
    out.push('"');
    write_text(text, Next::End, out);
    out.push('"');
}

/// Writes a template in quotes.
pub(super) fn write_template(template: Expression<'_>, reader: Reader, out: &mut String) {
    out.push('"');
    let mut written = Template { out, text: String::new(), reader };
    written.parts(template);
    if is_interpolation_alone(template) {
        // Alone it would be the value of its expression, where the template is a string.
        written.out.push_str("${\"\"}");
    }
    written.end_text(Next::End);
    out.push('"');
}

/// Returns true if nothing but one interpolation is left of a template, beside texts that are empty.
fn is_interpolation_alone(template: Expression<'_>) -> bool {
    let ExpressionKind::Template(parts) = template.kind() else { return false };
    let mut sequences = parts.iter().filter(|part| !matches!(part.kind(), ExpressionKind::Text("")));
    let first = sequences.next();
    sequences.next().is_none() && first.is_some_and(|only| !is_text(only) && !is_directive(only))
}

fn is_text(part: Expression<'_>) -> bool {
    matches!(part.kind(), ExpressionKind::Text(_))
}

/// Writes an expression as it stands in `source`, in brackets within which lines may end anywhere.
pub(super) fn write_source(source: &str, out: &mut String) {
    out.push_str(source);
    // A heredoc ends with its line.
    let last_line = source.rsplit_once('\n').map(|(_, line)| line.trim());
    if last_line.is_some_and(|line| is_identifier(line) && source.contains("<<")) {
        out.push('\n');
    }
}

/// The continuation after a text.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Next {
    Sequence,
    End,
}

fn write_text(text: &str, next: Next, out: &mut String) {
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('"' | '\\', _) => out.extend(['\\', c]),
            ('\n', _) => out.push_str("\\n"),
            ('\r', _) => out.push_str("\\r"),
            ('\t', _) => out.push_str("\\t"),
            ('$' | '%', Some('{')) => out.extend([c, c]),
            // Before a sequence it would make an escape of it.
            ('$', None) if next == Next::Sequence => out.push_str("\\u0024"),
            ('%', None) if next == Next::Sequence => out.push_str("\\u0025"),
            ('\0'..='\u{1f}' | '\u{7f}', _) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        }
    }
}

/// A template under way.
struct Template<'o> {
    out: &'o mut String,
    /// The text that is not written yet: parts of text may follow each other.
    text: String,
    reader: Reader,
}

impl Template<'_> {
    fn parts(&mut self, template: Expression<'_>) {
        match template.kind() {
            ExpressionKind::Template(parts) => parts.iter().for_each(|part| self.part(part)),
            _ => self.part(template),
        }
    }

    fn part(&mut self, part: Expression<'_>) {
        match part.kind() {
            ExpressionKind::Text(part) => self.text.push_str(part),
            ExpressionKind::Conditional { condition, when_true, when_false } if is_directive(part) => {
                self.sequence("%{ if ", condition.source_text(), " }");
                self.branch(when_true);
                if !matches!(when_false.kind(), ExpressionKind::Text("")) {
                    self.out.push_str("%{ else }");
                    self.branch(when_false);
                }
                self.out.push_str("%{ endif }");
            }
            ExpressionKind::TemplateFor(inner) => {
                if let ExpressionKind::For(each) = inner.kind() {
                    self.repeated(each);
                }
            }
            _ => self.sequence("${", interpolated_text(part, self.reader), "}"),
        }
    }

    fn repeated(&mut self, each: ForExpression<'_>) {
        let key = each.key_name().map_or_else(String::new, |key| format!("{key}, "));
        let opening = format!("%{{ for {key}{} in ", each.value_name());
        self.sequence(&opening, each.collection().source_text(), " }");
        self.branch(each.value());
        self.out.push_str("%{ endfor }");
    }

    fn sequence(&mut self, opening: &str, source: &str, closing: &str) {
        self.end_text(Next::Sequence);
        self.out.push_str(opening);
        write_source(source, self.out);
        self.out.push_str(closing);
    }

    fn branch(&mut self, branch: Expression<'_>) {
        crate::stack::ensure(super::STACK_NEEDED, super::STACK_ADDED, || self.parts(branch));
        self.end_text(Next::Sequence);
    }

    /// Writes the text that has been collected. A strip marker that was kept is not to take blanks from it.
    fn end_text(&mut self, next: Next) {
        if self.text.starts_with(char::is_whitespace) && self.out.ends_with("~}") {
            self.out.push_str("${\"\"}");
        }
        write_text(&self.text, next, self.out);
        self.text.clear();
    }
}

/// Returns true if a part was written as a directive.
fn is_directive(part: Expression<'_>) -> bool {
    part.source_text().starts_with("%{")
}
