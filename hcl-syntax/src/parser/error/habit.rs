//! Advice for people who are used to other languages.
//!
//! The kind of a complaint says what the grammar wanted. Where the text around shows what was meant, the detail speaks
//! of that. Only a few bytes are looked at, so that complaints stay cheap.

use super::{SyntaxErrorKind, found};
use crate::source::{Source, Span};

/// How far around a place is looked.
const NEAR: usize = 64;

/// How far into a heredoc a line that was meant to end it is looked for.
const FAR: usize = 1 << 16;

/// The detail of a complaint whose cause the text around `place` gives away; nothing if it does not, and the kind's
/// own detail serves.
pub(super) fn detail(kind: SyntaxErrorKind, source: &Source, place: Span) -> Option<String> {
    let text = source.text();
    let (begin, end) = (place.start as usize, place.end as usize);
    let before = &text[text.ceil_char_boundary(begin.saturating_sub(NEAR))..begin];
    let after = &text[end..text.floor_char_boundary((end + NEAR).min(text.len()))];
    match kind {
        SyntaxErrorKind::ItemIncomplete => item_incomplete(&found(source, place), after),
        SyntaxErrorKind::ItemRequired | SyntaxErrorKind::ExpressionInvalid
            if text[begin..].starts_with("/*") || before.ends_with('/') && text[begin..].starts_with('*') =>
        {
            Some("A comment begins here that has no end. Add the missing \"*/\".".to_owned())
        }
        SyntaxErrorKind::AttributeNewlineMissing => after_value(&found(source, place), before),
        SyntaxErrorKind::TemplateUnterminated { start } => heredoc_unterminated(source, start),
        _ => None,
    }
}

/// `port: 80`, and a brace on a line of its own
fn item_incomplete(name: &str, after: &str) -> Option<String> {
    if after.trim_start_matches([' ', '\t']).starts_with(':') {
        return Some(format!(
            "{name} is followed by a colon, as in JSON or YAML. Write \"=\" between the name of an argument and its value."
        ));
    }
    after
        .trim_start()
        .starts_with('{')
        .then(|| format!("The brace of a block stands on the line of its type. Move it up, behind {name}."))
}

/// `"echo "hello""`, `"https://" host`, `if ready { … }`
fn after_value(what: &str, before: &str) -> Option<String> {
    let value = before.trim_end_matches([' ', '\t']);
    if before.ends_with('"') {
        return Some(format!(
            "The quote before {what} ends the string. For a quote inside of a string write \\\"."
        ));
    }
    if value.ends_with('"') {
        return Some(format!(
            "Found {what} after a string, where the line should end. Put values into the text with \"${{…}}\", or begin a new line."
        ));
    }
    let condition = value.strip_suffix("if")?.trim_end_matches([' ', '\t']);
    condition
        .ends_with('=')
        .then(|| "\"if\" is no part of an expression. Write CONDITION ? RESULT : OTHER_RESULT.".to_owned())
}

/// The heredoc that is not ended, with the line that was perhaps meant to end it. `start` is where the text of the
/// template begins, behind the line of the marker; of a quoted template there is none.
fn heredoc_unterminated(source: &Source, start: Span) -> Option<String> {
    let (before, rest) = source.text().split_at(start.start as usize);
    let line = before.strip_suffix('\n')?;
    let line = &line[line.ceil_char_boundary(line.len().saturating_sub(NEAR))..];
    let (_, marker) = line.rsplit_once("<<")?;
    let marker = marker.strip_prefix('-').unwrap_or(marker).trim_end();
    let at = source.range(start).start.line;
    let rest = &rest[..rest.floor_char_boundary(FAR.min(rest.len()))];
    let meant = rest.lines().zip(at..).find(|(line, _)| line.trim_start().starts_with(marker));
    let meant = meant.map_or_else(String::new, |(_, line)| {
        format!(" Line {line} begins with it, but does not end there.")
    });
    Some(format!(
        "The heredoc that begins on line {} has no end. It ends with a line on which its marker {marker} stands alone.{meant}",
        at.saturating_sub(1)
    ))
}
