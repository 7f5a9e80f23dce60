//! Templates written in quotes.

use crate::ast::Expression;
use crate::config::Unbounded;
use crate::json::reading::Reader;
use crate::json::template::{self, Next};

/// Writes a text in quotes so that it means itself.
pub(super) fn write_quoted(text: &str, out: &mut String) {
    out.push('"');
    write_text(text, Next::End, out);
    out.push('"');
}

/// Writes a template in quotes.
pub(super) fn write_template(template: Expression<'_>, reader: Reader, out: &mut String) {
    out.push('"');
    template::write_template(template, reader, write_text, &mut Unbounded, out);
    out.push('"');
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
