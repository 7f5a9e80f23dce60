//! The shapes of tokens that are more than a run of bytes: identifiers, numbers, heredoc introducers.
//!
//! Productions are written in nom; every parser here looks at the beginning of a text and is run in
//! complete mode. What they find is not checked further: a number may still be malformed.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{digit1, line_ending, one_of};
use nom::combinator::{opt, recognize};
use nom::multi::many0_count;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

use super::characters::{continues_name, name_stop, starts_name};

/// A shape either fits or does not; why not is never asked.
type Shape<'s> = IResult<&'s str, &'s str, ()>;

/// `identifier = (ID_Start | "_") { ID_Continue | "-" }`
pub(super) fn identifier(text: &str) -> Shape<'_> {
    match text.chars().next() {
        Some(first) if starts_name(first) => {
            let (name, rest) = text.split_at(name_end(text, first.len_utf8(), name_stop));
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

/// `number = digits { { "." } (digits | exponent) }`: any mixture that does not end in a dot. How long that is which follows
/// the digits.
pub(super) fn rest_of_number(text: &str) -> usize {
    let rest = many0_count((take_while(|c| c == '.'), alt((digit1, exponent))));
    recognize(rest).parse_complete(text).map_or(0, |(_, rest): (&str, &str)| rest.len())
}

/// `exponent = ("e" | "E") [ "+" | "-" ] digits`
fn exponent(text: &str) -> Shape<'_> {
    recognize((one_of("eE"), opt(one_of("+-")), digit1)).parse_complete(text)
}

/// `introducer = "<<" [ "-" ] identifier newline`; what it yields is the identifier, the marker.
pub(super) fn heredoc_introducer(text: &str) -> Shape<'_> {
    preceded((tag("<<"), opt(tag("-"))), terminated(identifier, line_ending)).parse_complete(text)
}

/// `newlines = ( CR | LF ) { CR | LF }`, as one run.
pub(super) fn newlines(text: &str) -> Shape<'_> {
    take_while1(|c| matches!(c, '\r' | '\n')).parse_complete(text)
}
