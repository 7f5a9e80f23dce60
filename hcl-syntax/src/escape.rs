//! Backslashes: which literals have any, and text written as a quoted literal of the native syntax.
//!
//! This is the way from a text to a literal. The way back, from a literal to its text, is the parser's.

use std::fmt::Write as _;

use crate::limits::{BYTES_PER_LOOK, Watch};

/// Appends `text` in quotes, so that reading it gives the same text: what would end the literal or begin a
/// template sequence is escaped, and so is what a person would not see.
///
/// ```
/// let mut out = String::new();
/// hcl_syntax::escape::write_quoted("a \"b\" ${c}\n", &mut out);
/// assert_eq!(out, r#""a \"b\" $${c}\n""#);
/// ```
pub fn write_quoted(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    write_quoted_on(text, &Watch::idle(), out);
}

/// [`write_quoted`], or some of it if the work is to end.
pub(crate) fn write_quoted_on(text: &str, watch: &Watch, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while !rest.is_empty() {
        let (stretch, after) = rest.split_at(rest.ceil_char_boundary(BYTES_PER_LOOK));
        write_escaped(stretch, after.chars().next(), out);
        rest = after;
        if watch.count_bytes(stretch.len()).is_err() {
            return;
        }
    }
    out.push('"');
}

/// A part of a text without the quotes; `next` is what follows it.
///
/// ```
/// let mut out = String::new();
/// hcl_syntax::escape::write_escaped("a\n$", Some('{'), &mut out);
/// assert_eq!(out, "a\\n$$");
/// ```
pub fn write_escaped(text: &str, next: Option<char>, out: &mut String) {
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        // Writing to a String can't fail.
        let _ = match c {
            '"' => out.write_str("\\\""),
            '\\' => out.write_str("\\\\"),
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            '$' | '%' if rest.peek().copied().or(next) == Some('{') => write!(out, "{c}{c}"),
            c if is_printable(c) => out.write_char(c),
            c if u32::from(c) <= 0xffff => write!(out, "\\u{:04x}", u32::from(c)),
            c => write!(out, "\\U{:08x}", u32::from(c)),
        };
    }
}

/// Returns whether a text has a backslash. Texts are usually short: eight bytes are looked at together.
pub(crate) fn has_backslash(text: &[u8]) -> bool {
    const SHORT: usize = 32;
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let mut rest = text;
    if rest.len() >= SHORT {
        return memchr::memchr(b'\\', rest).is_some();
    }
    while let Some((eight, others)) = rest.split_first_chunk::<8>() {
        // A byte of these is 0 where a backslash stands; then a borrow reaches its highest bit.
        let differences = u64::from_ne_bytes(*eight) ^ (ONES * u64::from(b'\\'));
        if differences.wrapping_sub(ONES) & !differences & (ONES << 7) != 0 {
            return true;
        }
        rest = others;
    }
    rest.contains(&b'\\')
}

/// Returns true if a character is shown as itself: letters, marks, numbers, punctuation, symbols and the ASCII space.
///
/// ```
/// assert!(hcl_syntax::escape::is_printable('é'));
/// assert!(!hcl_syntax::escape::is_printable('\u{7}'));
/// ```
pub fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return matches!(c, ' '..='~');
    }
    // The standard library tells what is seen, so that no table is needed here. It escapes what is not, and marks where nothing
    // stands before them.
    let mut bytes = [b'a'; 5];
    let len = 1 + c.encode_utf8(&mut bytes[1..]).len();
    str::from_utf8(&bytes[..len]).is_ok_and(|text| text.escape_debug().nth(1) == Some(c))
}

#[cfg(test)]
mod tests {
    use super::{has_backslash, is_printable};

    #[test]
    fn what_is_seen_goes_by_the_general_category() {
        // Letters, marks, numbers, punctuation, symbols.
        let seen = "A~ éßſʰ中\u{10400}\u{1d7d8}\u{301}\u{20dd}\u{903}Ⅷ¼٣‿—«»’¡+¢^©\u{fe0f}\u{1f600}\u{e0100}\u{fffd}'\"\\";
        assert_eq!(seen.chars().filter(|&c| !is_printable(c)).collect::<Vec<_>>(), []);
        // Controls, formats, private use, what is no character, and blanks but for the ASCII space.
        let unseen = "\0\t\n\u{7f}\u{80}\u{ad}\u{a0}\u{200b}\u{200d}\u{202e}\u{2028}\u{2029}\u{3000}\u{feff}\u{378}\u{e000}\u{fffe}\u{1d173}\
                      \u{e0041}\u{f0000}\u{10ffff}";
        assert_eq!(unseen.chars().filter(|&c| is_printable(c)).collect::<Vec<_>>(), []);
    }

    #[test]
    fn backslashes_are_found_wherever_they_stand() {
        for len in 0..70 {
            let text = "]é[\u{7f}".repeat(len).chars().take(len).collect::<String>();
            assert!(!has_backslash(text.as_bytes()), "{text}");
            for (at, _) in text.char_indices() {
                let (before, after) = text.split_at(at);
                assert!(has_backslash(format!("{before}\\{after}").as_bytes()), "{at} of {text}");
            }
        }
    }
}
