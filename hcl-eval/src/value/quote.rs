//! Quoted text: the form with double quotes in which the console shows strings and sets hash them.

use std::fmt::Write as _;

use hcl_syntax::escape::is_printable;

use super::ValueError;
use super::error::ValueErrorKind;
use super::string::{STRETCH, stretches};
use crate::limits::{BYTES_PER_PART, LimitReached, Meter, Pace, go_on, hold_copy};

/// Room for what has no check of its own: a comma, the brackets of a container, the words of a type, the blanks of a line.
const PUNCTUATION: usize = 64;

/// How many bytes a byte of a text takes at most between quotes.
pub(crate) const MOST_ESCAPED: usize = 4;

/// Makes room for `more` bytes of a text that grows, if they still fit its limit, and for no more than that.
///
/// # Errors
/// They do not fit, or the system has no memory.
pub(crate) fn make_room(out: &mut String, more: usize, limit: usize) -> Result<(), ValueError> {
    let length = out.len().saturating_add(more);
    if length > limit {
        return Err(ValueErrorKind::OutputTooLong { limit }.into());
    }
    let length = length.saturating_add(PUNCTUATION);
    if length > out.capacity() { grow(out, length, limit) } else { Ok(()) }
}

/// [`make_room`] for a text whose characters may be escaped.
///
/// # Errors
/// As it is, it does not fit, or the system has no memory.
pub(crate) fn make_room_for_quoted(out: &mut String, text: &str, limit: usize) -> Result<(), ValueError> {
    make_room(out, text.len(), limit)?;
    let length = out.len().saturating_add(text.len().saturating_mul(MOST_ESCAPED) + PUNCTUATION);
    if length > out.capacity() { grow(out, length, limit) } else { Ok(()) }
}

fn grow(out: &mut String, length: usize, limit: usize) -> Result<(), ValueError> {
    let wanted = out.capacity().saturating_mul(2).min(limit).max(length);
    out.try_reserve_exact(wanted - out.len())
        .map_err(|_| ValueErrorKind::Limit(LimitReached::OutOfMemory).into())
}

/// A text that was written up to what a meter had left, charged to the meter, which tells of what there was not enough.
pub(crate) fn charged(text: Result<String, ValueError>, meter: &mut Meter) -> Result<String, ValueError> {
    meter.bytes(match &text {
        Ok(text) => text.len(),
        Err(error) => match error.kind {
            // One byte more than there is room for is a charge that fails.
            ValueErrorKind::OutputTooLong { limit } => limit.saturating_add(1),
            _ => 0,
        },
    })?;
    text
}

/// Appends `text` in double quotes. Control characters and everything without a visible form are escaped,
/// all else stays as it is; `${` is not special here.
pub(crate) fn write_quoted(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    write_unquoted(text, out);
    out.push('"');
}

/// Writes what stands between the quotes.
fn write_unquoted(text: &str, out: &mut String) {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        out.push_str(text);
    } else {
        text.chars().for_each(|c| write_char(c, out));
    }
}

/// [`write_quoted`] with looks at the limits, which are asked for the room of a long text.
pub(crate) fn write_quoted_on(text: &str, out: &mut String, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
    if text.len() <= STRETCH {
        write_quoted(text, out);
        return Ok(());
    }
    write_long_on(text, out, pace)
}

#[cold] // Not measured alone: without this and others `for_filter_1000` takes 5 % more instructions.
fn write_long_on(text: &str, out: &mut String, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
    // Without escapes that is all, with room for what stands around it.
    make_room_on(out, text.len() + 2 * PUNCTUATION, pace)?;
    out.push('"');
    let mut escaped = String::new();
    for stretch in stretches(text) {
        go_on(pace, stretch.len() / BYTES_PER_PART)?;
        escaped.clear();
        write_unquoted(stretch, &mut escaped);
        make_room_on(out, escaped.len() + PUNCTUATION, pace)?;
        out.push_str(&escaped);
    }
    out.push('"');
    Ok(())
}

/// Makes room for `more` bytes of a text, which the limits are asked for.
fn make_room_on(out: &mut String, more: usize, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
    if more > out.capacity() - out.len() {
        hold_copy(pace, more.max(out.capacity()))?;
        out.reserve(more);
    }
    Ok(())
}

/// Writes a character within the quotes.
pub(crate) fn write_char(c: char, out: &mut String) {
    // Writing to a String can't fail.
    let _ = match c {
        '"' => out.write_str("\\\""),
        '\\' => out.write_str("\\\\"),
        '\x07' => out.write_str("\\a"),
        '\x08' => out.write_str("\\b"),
        '\x0c' => out.write_str("\\f"),
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        '\x0b' => out.write_str("\\v"),
        '\0'..='\x1f' | '\x7f' => write!(out, "\\x{:02x}", u32::from(c)),
        c if is_printable(c) => out.write_char(c),
        c if u32::from(c) <= 0xffff => write!(out, "\\u{:04x}", u32::from(c)),
        c => write!(out, "\\U{:08x}", u32::from(c)),
    };
}
