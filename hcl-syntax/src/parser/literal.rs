//! Inside literals: escapes in template text, and whether a number token is a number.
//!
//! Escapes are looked at twice: when the token is reached, to report bad ones in order, and when its text
//! is needed, which is not before trimming is settled. Most literals have none.

use memchr::{memchr, memchr2};

use super::error::{SyntaxError, SyntaxErrorKind};
use super::input::Input;
use super::state::Parser;
use crate::escape::has_backslash;
use crate::source::Span;

/// The escapes that a literal's text may contain.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Escapes {
    /// `$${` and `%%{` only: heredocs and bare templates.
    Sequences,
    /// Those and backslashes: quoted templates and labels.
    All,
}

/// Returns whether the text of a literal token is what is written.
#[inline]
pub(super) fn is_verbatim(text: &str, escapes: Escapes) -> bool {
    match text.as_bytes() {
        [b'$', b'$', ..] | [b'%', b'%', ..] => false,
        // Such a token is the rest of a bare template, in which nothing has been told apart.
        [b'\r', rest @ ..] if escapes == Escapes::Sequences => !rest.contains(&b'{'),
        _ => escapes == Escapes::Sequences || !has_backslash(text),
    }
}

/// Appends the text that a literal token stands for. A bad number escape stands for itself, any other bad
/// escape for the character after the backslash, as in the reference implementation.
pub(super) fn decode(text: &str, escapes: Escapes, out: &mut String) {
    // These are tokens of their own, with the strip marker if there is one.
    if text.starts_with("$${") || text.starts_with("%%{") {
        out.push_str(&text[1..]);
        return;
    }
    if escapes == Escapes::Sequences {
        if text.starts_with('\r') {
            decode_sequences(text, out);
        } else {
            out.push_str(text);
        }
        return;
    }
    let mut rest = text;
    while let Some(backslash) = memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..backslash]);
        let escape = Escape::read(&rest[backslash..]);
        match escape.meaning {
            Meaning::Character(c) => out.push(c),
            Meaning::Bad(SyntaxErrorKind::EscapeUnknown) => {
                out.push_str(&rest[backslash + 1..backslash + escape.len]);
            }
            Meaning::Bad(_) => out.push_str(&rest[backslash..backslash + escape.len]),
        }
        rest = &rest[backslash + escape.len..];
    }
    out.push_str(rest);
}

/// Appends text with the escapes of sequences anywhere in it. Dollars and percents are read in pairs from the left, so
/// that `$$${` has no escape.
fn decode_sequences(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['$', '%']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let marker = &rest[..1];
        let length = rest.bytes().take(2).filter(|byte| *byte == marker.as_bytes()[0]).count();
        if length == 2 && rest[2..].starts_with('{') {
            out.push_str(marker);
            out.push('{');
            rest = &rest[3..];
        } else {
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    out.push_str(rest);
}

/// A backslash and what belongs to it.
struct Escape {
    len: usize,
    meaning: Meaning,
}

enum Meaning {
    Character(char),
    Bad(SyntaxErrorKind),
}

impl Escape {
    /// `escape = "\", ( "n" | "r" | "t" | '"' | "\" | "u", 4 * hex | "U", 8 * hex )`
    ///
    /// `text` begins with the backslash.
    fn read(text: &str) -> Self {
        let Some(letter) = text[1..].chars().next() else {
            return Self { len: 1, meaning: Meaning::Bad(SyntaxErrorKind::EscapeUnknown) };
        };
        let meaning = match letter {
            'n' => Meaning::Character('\n'),
            'r' => Meaning::Character('\r'),
            't' => Meaning::Character('\t'),
            '"' | '\\' => Meaning::Character(letter),
            'u' => return Self::read_number(text, 4),
            'U' => return Self::read_number(text, 8),
            _ => Meaning::Bad(SyntaxErrorKind::EscapeUnknown),
        };
        Self { len: 1 + letter.len_utf8(), meaning }
    }

    fn read_number(text: &str, digits: u8) -> Self {
        let wanted = usize::from(digits);
        let hex = text[2..].bytes().take(wanted).take_while(u8::is_ascii_hexdigit).count();
        let len = 2 + hex;
        let character = u32::from_str_radix(&text[2..len], 16).ok().and_then(char::from_u32);
        let meaning = match character {
            _ if hex < wanted => Meaning::Bad(SyntaxErrorKind::EscapeTooShort { digits }),
            Some(c) => Meaning::Character(c),
            None => Meaning::Bad(SyntaxErrorKind::EscapeNoCharacter),
        };
        Self { len, meaning }
    }
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// Reports the bad escapes of a quoted literal.
    pub(super) fn check_escapes(&mut self, span: Span) {
        let text = self.input.text(span);
        let mut at = 0;
        while let Some(backslash) = memchr(b'\\', &text.as_bytes()[at..]) {
            let start = at + backslash;
            let escape = Escape::read(&text[start..]);
            at = start + escape.len;
            if let Meaning::Bad(kind) = escape.meaning {
                let place = Span::new(span.start + offset(start), span.start + offset(at));
                self.error(SyntaxError::new(kind, place));
            }
        }
    }
}

/// An offset into a token as spans count it; a source is at most 1 GiB long.
fn offset(within: usize) -> u32 {
    u32::try_from(within).unwrap_or(u32::MAX)
}

/// Returns whether the text of a number token is a number that can be stored: decimal digits with at most one point
/// and one exponent, and a binary exponent of 32 bits.
pub(crate) fn is_number(text: &str) -> bool {
    is_short_decimal(text) || is_fraction_or_power(text)
}

/// Returns whether there are digits with at most one point among them, and not so many that their size matters. Most
/// numbers are so.
fn is_short_decimal(text: &str) -> bool {
    const SHORT: usize = 1 << 16;
    let mut n_points = 0;
    text.len() <= SHORT
        && text.bytes().all(|byte| {
            n_points += u32::from(byte == b'.');
            byte.is_ascii_digit() || (byte == b'.' && n_points == 1)
        })
}

fn is_fraction_or_power(text: &str) -> bool {
    let (mantissa, exponent) = match memchr2(b'e', b'E', text.as_bytes()) {
        Some(at) => match text[at + 1..].parse::<i64>() {
            Ok(exponent) => (&text[..at], exponent),
            Err(_) => return false,
        },
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if fraction.contains('.') {
        return false;
    }
    let digits = || whole.bytes().chain(fraction.bytes()).skip_while(|&digit| digit == b'0');
    let n_digits = match whole.trim_start_matches('0') {
        "" => fraction.trim_start_matches('0').len(),
        rest => rest.len() + fraction.len(),
    };
    if n_digits == 0 {
        return true;
    }
    let scale = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let power = bit_length(digits(), n_digits).saturating_add(exponent).saturating_sub(scale);
    (i64::from(i32::MIN)..=i64::from(i32::MAX)).contains(&power)
}

/// How many bits the whole number of the given digits has; from the first twenty, which is exact but for
/// numbers that begin like a power of two over all of these.
fn bit_length(digits: impl Iterator<Item = u8>, n_digits: usize) -> i64 {
    const EXACT: usize = 20;
    let leading = digits.take(EXACT).fold(0_u128, |sum, digit| sum * 10 + u128::from(digit - b'0'));
    let leading_bits = i64::from(u128::BITS - leading.leading_zeros());
    let n_rest = i64::try_from(n_digits.saturating_sub(EXACT)).unwrap_or(i64::MAX / 4);
    if n_rest == 0 {
        return leading_bits;
    }
    // log2(10) = 3.3219280948…, in units of 10⁻⁷; the leading part adds less than a bit of its own.
    leading_bits.saturating_add(n_rest.saturating_mul(33_219_280) / 10_000_000)
}

#[cfg(test)]
mod tests {
    use super::{Escapes, decode, is_number, is_verbatim};

    #[test]
    fn numbers_are_those_that_can_be_stored() {
        for good in
            ["0", "012", "1.5", "1.e5", "1e2147483646", "9e2147483643", "0e3000000000", "1e-2147483649"]
        {
            assert!(is_number(good), "{good}");
        }
        for bad in ["1.2.3", "1..5", "1e5.5", "1e2147483647", "9e2147483644", "1e-2147483652"] {
            assert!(!is_number(bad), "{bad}");
        }
        assert!(!is_number("0e99999999999999999999"));
    }

    #[test]
    fn escapes_are_decoded_and_bad_ones_kept() {
        let mut text = String::new();
        decode(r#"a\n\"\\A\U0001F600\q\u12"#, Escapes::All, &mut text);
        assert_eq!(text, "a\n\"\\A\u{1F600}q\\u12");
    }

    #[test]
    fn the_rest_of_a_bare_template_has_escapes_anywhere() {
        for (written, meant) in [
            ("\ra$${b", "\ra${b"),
            ("\r%%{~$${", "\r%{~${"),
            ("\r$$${$%{", "\r$$${$%{"),
            ("\r$$$${", "\r$$${"),
        ] {
            let mut text = String::new();
            assert!(!is_verbatim(written, Escapes::Sequences), "{written:?}");
            decode(written, Escapes::Sequences, &mut text);
            assert_eq!(text, meant, "{written:?}");
        }
    }
}
