//! The words of the flat productions: single tokens as nom parsers, and what nom says when one is missing.
//!
//! nom combines these for sequences without nesting (names of calls, the beginning of a `for`, references).
//! Whatever can nest is a plain method of [`Parser`](super::state::Parser), which runs such a combination at
//! its cursor with [`take`](super::state::Parser::take).

use nom::error::{ErrorKind, ParseError};
use nom::sequence::{pair, preceded};
use nom::{IResult, Parser};

use super::cursor::Cursor;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// The result of a flat production.
pub(super) type Parsed<'s, T> = IResult<Cursor<'s>, T, Mismatch>;

/// A token stood where another was wanted. What to say of it is up to whoever ran the combination.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Mismatch {
    /// The token that stood there.
    pub(super) found: Token,
}

impl ParseError<Cursor<'_>> for Mismatch {
    fn from_error_kind(input: Cursor<'_>, _: ErrorKind) -> Self {
        Self { found: input.peek() }
    }

    fn append(_: Cursor<'_>, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// The next token, whatever it is.
#[inline]
pub(super) fn any(i: Cursor<'_>) -> Parsed<'_, Token> {
    let (token, rest) = i.split_first();
    Ok((rest, token))
}

/// A token of the given kind.
#[inline]
pub(super) fn token<'s>(kind: TokenKind) -> impl Parser<Cursor<'s>, Output = Span, Error = Mismatch> {
    move |i: Cursor<'s>| {
        let (token, rest) = i.split_first();
        if token.kind == kind {
            Ok((rest, token.span))
        } else {
            Err(nom::Err::Error(Mismatch { found: token }))
        }
    }
}

/// An identifier, keywords included.
#[inline]
pub(super) fn name(i: Cursor<'_>) -> Parsed<'_, Span> {
    let (found, rest) = i.split_first();
    if found.kind == TokenKind::Identifier {
        Ok((rest, found.span))
    } else {
        Err(nom::Err::Error(Mismatch { found }))
    }
}

/// A contextual keyword.
#[inline]
pub(super) fn keyword<'s>(word: &'static str) -> impl Parser<Cursor<'s>, Output = Span, Error = Mismatch> {
    move |i: Cursor<'s>| {
        let (found, rest) = i.split_first();
        if i.is_word(found, word) { Ok((rest, found.span)) } else { Err(nom::Err::Error(Mismatch { found })) }
    }
}

/// `.NAME`: the whole step and the name.
#[inline]
pub(super) fn attribute_step(i: Cursor<'_>) -> Parsed<'_, (Span, Span)> {
    let (rest, (dot, name)) = pair(token(TokenKind::Dot), name).parse_complete(i)?;
    Ok((rest, (dot.to(name), name)))
}

/// `::NAME`
#[inline]
pub(super) fn name_part(i: Cursor<'_>) -> Parsed<'_, Span> {
    preceded(token(TokenKind::DoubleColon), name).parse_complete(i)
}
