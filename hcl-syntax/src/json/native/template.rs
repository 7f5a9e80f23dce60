//! Templates written in quotes.
//!
//! What is written has no strip markers: the tree has the text as it is after trimming.

use crate::ast::{Expression, ExpressionKind, ForExpression};
use crate::lexer::is_identifier;

/// Writes a text in quotes so that it means itself.
pub(super) fn write_quoted(text: &str, out: &mut String) {
    out.push('"');
    write_text(text, Next::End, out);
    out.push('"');
}

/// Writes a template in quotes.
pub(super) fn write_template(template: Expression<'_>, out: &mut String) {
    out.push('"');
    let mut text = String::new();
    write_parts(template, &mut text, out);
    if is_interpolation_alone(template) {
        // Alone it would be the value of its expression, where the template is a string.
        out.push_str("${\"\"}");
    }
    write_text(&text, Next::End, out);
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

/// Writes an expression as it is written, in brackets within which lines may end anywhere.
pub(super) fn write_source(expression: Expression<'_>, out: &mut String) {
    let source = expression.source_text();
    out.push_str(source);
    // A heredoc ends with its line.
    let last_line = source.rsplit_once('\n').map(|(_, line)| line.trim());
    if last_line.is_some_and(|line| is_identifier(line) && source.contains("<<")) {
        out.push('\n');
    }
}

/// What comes after a text.
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

/// Writes the parts of a template, but for the text at the end, which is left in `text`.
fn write_parts(template: Expression<'_>, text: &mut String, out: &mut String) {
    match template.kind() {
        ExpressionKind::Text(part) => text.push_str(part),
        ExpressionKind::Template(parts) => {
            for part in parts.iter() {
                write_part(part, text, out);
            }
        }
        _ => write_part(template, text, out),
    }
}

fn write_part(part: Expression<'_>, text: &mut String, out: &mut String) {
    match part.kind() {
        ExpressionKind::Text(part) => text.push_str(part),
        ExpressionKind::Conditional { condition, when_true, when_false } if is_directive(part) => {
            flush(text, out);
            out.push_str("%{ if ");
            write_source(condition, out);
            out.push_str(" }");
            write_branch(when_true, text, out);
            if !matches!(when_false.kind(), ExpressionKind::Text("")) {
                out.push_str("%{ else }");
                write_branch(when_false, text, out);
            }
            out.push_str("%{ endif }");
        }
        ExpressionKind::TemplateFor(inner) => {
            flush(text, out);
            if let ExpressionKind::For(each) = inner.kind() {
                write_for(each, text, out);
            }
        }
        _ => {
            flush(text, out);
            out.push_str("${");
            write_source(part, out);
            out.push('}');
        }
    }
}

fn flush(text: &mut String, out: &mut String) {
    write_text(text, Next::Sequence, out);
    text.clear();
}

fn write_branch(branch: Expression<'_>, text: &mut String, out: &mut String) {
    stacker::maybe_grow(super::STACK_NEEDED, super::STACK_ADDED, || write_parts(branch, text, out));
    flush(text, out);
}

fn write_for(each: ForExpression<'_>, text: &mut String, out: &mut String) {
    out.push_str("%{ for ");
    if let Some(key) = each.key_name() {
        out.push_str(key);
        out.push_str(", ");
    }
    out.push_str(each.value_name());
    out.push_str(" in ");
    write_source(each.collection(), out);
    out.push_str(" }");
    write_branch(each.value(), text, out);
    out.push_str("%{ endfor }");
}

/// Returns true if a part was written as a directive.
fn is_directive(part: Expression<'_>) -> bool {
    part.source_text().starts_with("%{")
}
