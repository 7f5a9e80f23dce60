//! Templates of JSON syntax.

use std::fmt::Write as _;

use hcl_syntax::ast::{Expression, ExpressionKind, ExpressionList};
use hcl_syntax::lexer::is_identifier;

/// A template with its text decoded; nothing if it has directives, which are left to the reader.
///
/// A template is a string even where nothing but one interpolation is left of it, which alone would be the value of its
/// expression: an interpolation of no text is put behind it.
pub(super) fn decoded_template(parts: ExpressionList<'_>) -> Option<String> {
    let is_directive = |part: Expression<'_>| part.source_text().starts_with("%{");
    let is_text = |part: Expression<'_>| matches!(part.kind(), ExpressionKind::Text(_));
    if parts.iter().any(|part| is_directive(part) && !is_text(part)) {
        return None;
    }
    let mut template = String::new();
    let mut text = String::new();
    let (mut n_sequences, mut has_text) = (0, false);
    for part in parts.iter() {
        match part.kind() {
            ExpressionKind::Text(part) => text.push_str(part),
            _ => {
                has_text |= !text.is_empty();
                n_sequences += 1;
                write_text_before_sequence(&text, &mut template);
                text.clear();
                write_interpolation(part, &mut template);
            }
        }
    }
    write_text(&text, &mut template);
    if n_sequences == 1 && !has_text && text.is_empty() {
        template.push_str("${\"\"}");
    }
    Some(template)
}

/// `${…}`
pub(super) fn write_interpolation(expression: Expression<'_>, template: &mut String) {
    let source = expression.source_text();
    // A heredoc ends with its line.
    let end = if may_end_in_heredoc(source) { "\n" } else { "" };
    let _ = write!(template, "${{{source}{end}}}");
}

/// Whether the last line may be the marker of a heredoc.
fn may_end_in_heredoc(source: &str) -> bool {
    source.contains("<<") && source.rsplit_once('\n').is_some_and(|(_, line)| is_identifier(line.trim()))
}

/// Text, with what begins sequences doubled. At the beginning a byte order mark would be overlooked.
pub(super) fn write_text(text: &str, template: &mut String) {
    if template.is_empty() && text.starts_with('\u{feff}') {
        template.push_str("${\"\"}");
    }
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if matches!(c, '$' | '%') && rest.peek() == Some(&'{') {
            template.push(c);
        }
        template.push(c);
    }
}

/// Text before an interpolation, of which dollars right before it would make an escape.
pub(super) fn write_text_before_sequence(text: &str, template: &mut String) {
    let plain = text.trim_end_matches('$');
    write_text(plain, template);
    if plain.len() < text.len() {
        let _ = write!(template, "${{\"{}\"}}", &text[plain.len()..]);
    }
}
