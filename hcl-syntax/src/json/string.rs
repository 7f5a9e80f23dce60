//! JSON strings: which are well-formed, and what they mean.

use memchr::{memchr, memchr2};

use crate::escape::has_backslash;
use crate::lexer::json_string_stop;
use crate::limits::Watch;
use crate::source::{Source, Span};

/// The first place from `pos` on at which the text of a string is not plain: at a quote, a backslash or a control character; the
/// length of `bytes` if there is none.
///
/// ```
/// use hcl_syntax::json::string_stop;
///
/// let text = br#""a\tb" "#;
/// assert_eq!(string_stop(text, 1), 2);
/// assert_eq!(string_stop(text, 4), 5);
/// assert_eq!(string_stop(text, 6), text.len());
/// ```
pub fn string_stop(bytes: &[u8], pos: usize) -> usize {
    json_string_stop(bytes, pos)
}

/// Returns whether a string token ends as it should and has no escapes, as most have none.
pub(super) fn is_plain(token: &str, watch: &Watch) -> bool {
    token.len() > 1 && token.ends_with('"') && !watch.any(token.as_bytes(), has_backslash)
}

/// The place in a string token, quotes included, at which it stops being a JSON string: its length if it
/// only ends too early. Nothing if it is well-formed, or if the work is to end.
pub(super) fn first_flaw(token: &str, watch: &Watch) -> Option<usize> {
    let bytes = token.as_bytes();
    let mut pos = 1;
    loop {
        let rest = bytes.get(pos..).unwrap_or_default();
        let len = watch.find(rest, |part| memchr2(b'"', b'\\', part)).unwrap_or(rest.len());
        if watch.count_bytes(len).is_err() {
            return None;
        }
        pos += len;
        match bytes.get(pos) {
            None => return Some(bytes.len()),
            Some(b'"') => return None,
            Some(_) => {}
        }
        match bytes.get(pos + 1) {
            None => return Some(bytes.len()),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => pos += 2,
            Some(b'u') => {
                let digits =
                    bytes[pos + 2..].iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
                pos += 2 + digits;
                if digits < 4 {
                    return Some(pos);
                }
            }
            Some(_) => return Some(pos + 1),
        }
    }
}

/// Appends what the well-formed string token at `span` means; some of it if the work is to end. Lone surrogates and bytes
/// that are no UTF-8 become U+FFFD.
pub(super) fn decode(source: &Source, span: Span, watch: &Watch, out: &mut String) {
    let inner = Span::new(span.start + 1, span.end.saturating_sub(1).max(span.start + 1));
    let text = source.display_on(inner, watch);
    out.reserve(text.len());
    let mut rest = &*text;
    while let Some(backslash) = watch.find(rest.as_bytes(), |part| memchr(b'\\', part)) {
        if watch.count_bytes(backslash).is_err() {
            return;
        }
        watch.append(&rest[..backslash], out);
        let (meaning, len) = escape(&rest[backslash..]);
        out.push(meaning);
        rest = &rest[backslash + len..];
    }
    watch.append(rest, out);
}

/// The character that the escape at the beginning of `text` stands for, and the length of the escape.
fn escape(text: &str) -> (char, usize) {
    let meaning = match text.as_bytes().get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode_escape(text),
        Some(&other) => char::from(other),
        None => return (char::REPLACEMENT_CHARACTER, 1),
    };
    (meaning, 2)
}

/// `\uNNNN`, or two of them that make up one character.
fn unicode_escape(text: &str) -> (char, usize) {
    let Some(first) = code_unit(text) else { return (char::REPLACEMENT_CHARACTER, text.len().min(6)) };
    if let Some(character) = char::from_u32(u32::from(first)) {
        return (character, 6);
    }
    let second = text.get(6..).and_then(code_unit);
    let pair = second.and_then(|second| char::decode_utf16([first, second]).next()?.ok());
    pair.map_or((char::REPLACEMENT_CHARACTER, 6), |character| (character, 12))
}

fn code_unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{decode, first_flaw};
    use crate::limits::Watch;
    use crate::source::Source;

    fn decoded(token: &[u8]) -> String {
        let source = Source::json("s", token).unwrap();
        let mut decoded = String::new();
        decode(&source, source.span(), &Watch::idle(), &mut decoded);
        decoded
    }

    #[test]
    fn flaws_are_found_where_they_are() {
        let first_flaw = |token| first_flaw(token, &Watch::idle());
        assert_eq!(first_flaw(r#""a\n\u00e9""#), None);
        assert_eq!(first_flaw(r#""a\q""#), Some(3));
        assert_eq!(first_flaw(r#""\u12x4""#), Some(5));
        assert_eq!(first_flaw(r#""\u12""#), Some(5));
        assert_eq!(first_flaw("\"abc"), Some(4));
        assert_eq!(first_flaw("\"a\\"), Some(3));
        assert_eq!(first_flaw("\""), Some(1));
    }

    #[test]
    fn escapes_mean_characters() {
        assert_eq!(decoded(br#""a\"\\\/\b\f\n\r\t\u00e9z""#), "a\"\\/\u{8}\u{c}\n\r\t\u{e9}z");
        assert_eq!(decoded(br#""\ud83d\ude00""#), "\u{1f600}");
        assert_eq!(decoded(br#""\ud83dA\udc00\ud800\u0041""#), "\u{fffd}A\u{fffd}\u{fffd}A");
        assert_eq!(decoded(b"\"a\xff\xe2\x82b\""), "a\u{fffd}\u{fffd}\u{fffd}b");
    }
}
