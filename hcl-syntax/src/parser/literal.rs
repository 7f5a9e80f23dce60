//! Inside literals: escapes in template text, and whether a number token is a number.
//!
//! Escapes are looked at twice: when the token is reached, to report bad ones in order, and when its text
//! is needed, which is not before trimming is settled. Most literals have none.

use memchr::{memchr, memchr2};

use super::error::{SyntaxError, SyntaxErrorKind};
use super::input::Input;
use super::state::Parser;
use crate::escape::has_backslash;
use crate::lexer::ByteSet;
use crate::limits::Watch;
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
pub(super) fn is_verbatim(text: &str, escapes: Escapes, watch: &Watch) -> bool {
    match text.as_bytes() {
        [b'$', b'$', ..] | [b'%', b'%', ..] => false,
        // Such a token is the rest of a bare template, in which nothing has been told apart.
        [b'\r', ..] if escapes == Escapes::Sequences => !has_brace(text, watch),
        _ => escapes == Escapes::Sequences || !watch.any(text.as_bytes(), has_backslash),
    }
}

/// True if a text may have an escape of a sequence in it.
fn has_brace(text: &str, watch: &Watch) -> bool {
    watch.any(text.as_bytes(), |part| part.contains(&b'{'))
}

/// Appends the text that a literal token stands for. A bad number escape stands for itself, any other bad
/// escape for the character after the backslash, as in the reference implementation. Appends some of it if the work is to
/// end.
pub(super) fn decode(text: &str, escapes: Escapes, watch: &Watch, out: &mut String) {
    // These are tokens of their own, with the strip marker if there is one.
    if text.starts_with("$${") || text.starts_with("%%{") {
        out.push_str(&text[1..]);
        return;
    }
    if escapes == Escapes::Sequences {
        if text.starts_with('\r') {
            decode_sequences(text, watch, out);
        } else {
            watch.append(text, out);
        }
        return;
    }
    let mut rest = text;
    while let Some(backslash) = next_backslash(rest, watch) {
        watch.append(&rest[..backslash], out);
        let escape = Escape::read(&rest[backslash..]);
        match escape.meaning {
            Meaning::Character(c) => out.push(c),
            Meaning::Bad(SyntaxErrorKind::EscapeUnknown) => {
                out.push_str(&rest[backslash + 1..backslash + escape.len]);
            }
            Meaning::Bad(_) => out.push_str(&rest[backslash..backslash + escape.len]),
        }
        rest = &rest[backslash + escape.len..];
        if watch.count_bytes(backslash).is_err() {
            return;
        }
    }
    watch.append(rest, out);
}

/// Where the next backslash is. Often it is right there: where there are escapes, there are several in a row.
fn next_backslash(text: &str, watch: &Watch) -> Option<usize> {
    match text.as_bytes() {
        [b'\\', ..] => Some(0),
        bytes => watch.find(bytes, |part| memchr(b'\\', part)),
    }
}

/// Appends text with the escapes of sequences anywhere in it. Dollars and percents are read in pairs from the left, so
/// that `$$${` has no escape.
fn decode_sequences(text: &str, watch: &Watch, out: &mut String) {
    let mut rest = text;
    while let Some(at) = watch.find(rest.as_bytes(), |part| memchr2(b'$', b'%', part)) {
        if watch.count_bytes(at).is_err() {
            return;
        }
        watch.append(&rest[..at], out);
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
    watch.append(rest, out);
}

/// A backslash and what belongs to it.
struct Escape {
    /// Its length in bytes, the backslash included.
    len: usize,
    /// The character that it stands for, or what is wrong.
    meaning: Meaning,
}

/// The meaning of an escape.
enum Meaning {
    /// It stands for this.
    Character(char),
    /// It stands for nothing, for this reason.
    Bad(SyntaxErrorKind),
}

impl Escape {
    /// `escape = "\", ( "n" | "r" | "t" | '"' | "\" | "u", 4 * hex | "U", 8 * hex )`
    ///
    /// `text` begins with the backslash.
    fn read(text: &str) -> Self {
        let character = match text.as_bytes().get(1) {
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'u') => return Self::read_number(text, 4),
            Some(b'U') => return Self::read_number(text, 8),
            _ => {
                let len = 1 + text[1..].chars().next().map_or(0, char::len_utf8);
                return Self { len, meaning: Meaning::Bad(SyntaxErrorKind::EscapeUnknown) };
            }
        };
        Self { len: 2, meaning: Meaning::Character(character) }
    }

    /// `digits * hex` behind `\u` or `\U`. Too few digits belong to the escape nevertheless.
    fn read_number(text: &str, digits: u8) -> Self {
        let wanted = usize::from(digits);
        let digits_of =
            text.as_bytes()[2..].iter().take(wanted).map_while(|&byte| char::from(byte).to_digit(16));
        let (hex, number) = digits_of.fold((0, 0), |(n, number), digit| (n + 1, number << 4 | digit));
        let len = 2 + hex;
        let character = char::from_u32(number);
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
        let watch = self.report.watch();
        let mut at = 0;
        while let Some(backslash) = next_backslash(&text[at..], watch) {
            if watch.count_bytes(backslash).is_err() {
                return;
            }
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
/// and one exponent, and a binary exponent of 32 bits. Any answer if the work is to end.
pub(crate) fn is_number(text: &str, watch: &Watch) -> bool {
    is_short_decimal(text) || is_fraction_or_power(text, watch)
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

/// [`is_number`] of any text: the number without its point and exponent must not be out of the range of a binary
/// exponent of 32 bits.
fn is_fraction_or_power(text: &str, watch: &Watch) -> bool {
    let mantissa = Mantissa::read(text.as_bytes(), watch);
    let exponent = match text.get(mantissa.len + 1..) {
        Some(exponent) => match parse_exponent(exponent, watch) {
            Some(exponent) => exponent,
            None => return false,
        },
        None => 0,
    };
    if mantissa.n_points > 1 {
        return false;
    }
    if mantissa.n_digits == 0 {
        return true;
    }
    let scale = i64::try_from(mantissa.n_fraction).unwrap_or(i64::MAX);
    let power = mantissa.bit_length().saturating_add(exponent).saturating_sub(scale);
    (i64::from(i32::MIN)..=i64::from(i32::MAX)).contains(&power)
}

/// The digits and points of a number.
#[derive(Default)]
struct Mantissa {
    /// How many bytes of the text are read.
    len: usize,
    /// How many points there are; more than one make no number.
    n_points: usize,
    /// How many digits there are behind a point.
    n_fraction: usize,
    /// How many digits there are from the first one on that is not zero.
    n_digits: usize,
    /// The number that the first of these are.
    leading: u128,
}

impl Mantissa {
    /// How many digits are read as a number.
    const EXACT: usize = 20;

    /// Reads up to the exponent.
    fn read(text: &[u8], watch: &Watch) -> Self {
        let mut mantissa = Self::default();
        for stretch in watch.stretches(text) {
            let end = memchr2(b'e', b'E', stretch);
            mantissa.read_on(&stretch[..end.unwrap_or(stretch.len())]);
            if end.is_some() {
                break;
            }
        }
        mantissa
    }

    /// Reads a stretch of digits and points, which goes on where the last one ended.
    fn read_on(&mut self, stretch: &[u8]) {
        self.len += stretch.len();
        for (n_before, digits) in stretch.split(|&byte| byte == b'.').enumerate() {
            self.n_points += usize::from(n_before > 0);
            self.n_fraction += if self.n_points > 0 { digits.len() } else { 0 };
            let n_zeros = match self.n_digits {
                0 => digits.iter().take_while(|&&digit| digit == b'0').count(),
                _ => 0,
            };
            let digits = &digits[n_zeros..];
            for digit in digits.iter().take(Self::EXACT.saturating_sub(self.n_digits)) {
                self.leading = self.leading * 10 + u128::from(digit.wrapping_sub(b'0'));
            }
            self.n_digits += digits.len();
        }
    }

    /// How many bits the whole number of the digits has; from the first twenty and how many follow, which is exact but for
    /// numbers that begin like a power of two over all of these.
    fn bit_length(&self) -> i64 {
        /// The binary places of the logarithms.
        const PLACES: u32 = 40;
        /// The logarithm of ten to the base of two, 3.3219280948….
        const LOG_OF_TEN: u128 = 3652498566964;
        let zeros = self.leading.leading_zeros();
        let leading_bits = i64::from(u128::BITS - zeros);
        let n_rest = self.n_digits.saturating_sub(Self::EXACT) as u128;
        if n_rest == 0 {
            return leading_bits;
        }
        // The fraction of the logarithm of the leading digits, a place each time that their number is squared.
        let mut log = 0;
        let mut square = self.leading << zeros;
        for _ in 0..PLACES {
            let top = square >> 64;
            square = top * top;
            let place = square >> 127;
            square <<= 1 - place;
            log = log << 1 | place;
        }
        let rest_bits = (log + n_rest * LOG_OF_TEN) >> PLACES;
        leading_bits.saturating_add(i64::try_from(rest_bits).unwrap_or(i64::MAX))
    }
}

/// `exponent = [ "+" | "-" ], digits`, if it has 64 bits
fn parse_exponent(text: &str, watch: &Watch) -> Option<i64> {
    /// No number of 64 bits has more digits.
    const MOST: usize = 20;
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let zeros_end = watch.run(digits.as_bytes(), 0, |part, pos| ZERO.skip(part, pos));
    let digits = &digits[zeros_end.min(digits.len().saturating_sub(1))..];
    let number = if digits.len() > MOST { None } else { digits.parse::<u64>().ok() }?;
    if text.starts_with('-') { 0_i64.checked_sub_unsigned(number) } else { i64::try_from(number).ok() }
}

/// The digit that adds nothing in front of an exponent.
static ZERO: ByteSet = ByteSet::of(b"0");

#[cfg(test)]
mod tests {
    use super::{Escapes, decode, is_number, is_verbatim};
    use crate::limits::Watch;

    #[test]
    fn numbers_are_those_that_can_be_stored() {
        for good in [
            "0",
            "012",
            "1.5",
            "1.e5",
            "1e2147483646",
            "9e2147483643",
            "0e3000000000",
            "1e-2147483649",
            "1e+00000000000000000000005",
            "0.00e-9223372036854775808",
            "1.05e2147483642",
            "0.05e2147483646",
            "105.5e2147483637",
            "1.05e-2147483653",
            "1234567890123456789012345e2147483566",
            "1234567890123456789012345e-2147483729",
        ] {
            assert!(is_number(good, &Watch::idle()), "{good}");
        }
        for bad in [
            "1.2.3",
            "1..5",
            "1e5.5",
            "1e5e5",
            "1e2147483647",
            "9e2147483644",
            "1e-2147483652",
            "0e99999999999999999999",
            "1.05e2147483643",
            "0.05e2147483647",
            "105.5e2147483638",
            "1.05e-2147483654",
            "1234567890123456789012345e2147483567",
            "1234567890123456789012345e-2147483730",
        ] {
            assert!(!is_number(bad, &Watch::idle()), "{bad}");
        }
    }

    #[test]
    fn escapes_are_decoded_and_bad_ones_kept() {
        let mut text = String::new();
        decode(r#"a\n\"\\A\U0001F600\q\u12"#, Escapes::All, &Watch::idle(), &mut text);
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
            assert!(!is_verbatim(written, Escapes::Sequences, &Watch::idle()), "{written:?}");
            decode(written, Escapes::Sequences, &Watch::idle(), &mut text);
            assert_eq!(text, meant, "{written:?}");
        }
    }
}
