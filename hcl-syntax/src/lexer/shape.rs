//! The shapes of tokens that are more than a run of bytes: identifiers, numbers, heredoc introducers.
//!
//! Productions are written in nom; every parser here looks at the beginning of a text and is run in
//! complete mode. What they find is not checked further: a number may still be malformed.

use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::line_ending;
use nom::combinator::opt;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use super::characters::{ByteSet, DIGIT, continues_name, starts_name};

/// A shape either fits or does not; why not is never asked.
type Shape<'s> = IResult<&'s str, &'s str, ()>;

/// `identifier = (ID_Start | "_") { ID_Continue | "-" }`
///
/// `end` says where in a text it ends, from behind its first character on.
pub(super) fn identifier(text: &str, end: impl Fn(&str, usize) -> usize) -> Shape<'_> {
    match text.chars().next() {
        Some(first) if starts_name(first) => {
            let (name, rest) = text.split_at(end(text, first.len_utf8()));
            Ok((rest, name))
        }
        _ => Err(nom::Err::Error(())),
    }
}

/// Where the identifier ends whose first character has been read up to `pos`; `stop` finds the ends of runs of ASCII in it.
pub(super) fn name_end(text: &str, pos: usize, stop: impl Fn(&[u8], usize) -> usize) -> usize {
    let mut end = stop(text.as_bytes(), pos);
    while let Some(c) = text[end..].chars().next().filter(|&c| continues_name(c)) {
        end = stop(text.as_bytes(), end + c.len_utf8());
    }
    end
}

/// `number = digits { { "." } (digits | exponent) }`, `exponent = ("e" | "E") [ "+" | "-" ] digits`: any mixture that does
/// not end in a dot. Where that ends which follows the digits up to `pos`; `skip` finds the ends of runs of the same bytes.
pub(super) fn number_end(bytes: &[u8], pos: usize, skip: impl Fn(&ByteSet, usize) -> usize) -> usize {
    let mut end = pos;
    loop {
        let next = skip(&DOT, end);
        end = match bytes.get(next..).unwrap_or_default() {
            [b'0'..=b'9', ..] => skip(&DIGIT, next),
            [b'e' | b'E', b'0'..=b'9', ..] => skip(&DIGIT, next + 1),
            [b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..] => skip(&DIGIT, next + 2),
            _ => return end,
        };
    }
}

static DOT: ByteSet = ByteSet::of(b".");

/// `introducer = "<<" [ "-" ] identifier newline`; what it yields is the identifier, the marker. `name_end` is for
/// [`identifier`].
pub(super) fn heredoc_introducer(text: &str, name_end: impl Fn(&str, usize) -> usize) -> Shape<'_> {
    let marker = |text| identifier(text, &name_end);
    preceded((tag("<<"), opt(tag("-"))), terminated(marker, line_ending)).parse_complete(text)
}

/// `newlines = ( CR | LF ) { CR | LF }`, as one run.
pub(super) fn newlines(text: &str) -> Shape<'_> {
    take_while1(|c| matches!(c, '\r' | '\n')).parse_complete(text)
}
