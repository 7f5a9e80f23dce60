//! The words of the flat productions: single tokens as nom parsers, and what nom says when one is missing.
//!
//! nom combines these for sequences without nesting (names of calls, the beginning of a `for`, references).
//! Whatever can nest is a plain method of [`Parser`](super::state::Parser), which runs such a combination at
//! its input with [`take`](super::state::Parser::take).

use nom::error::{ErrorKind, ParseError};
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::input::Input;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// The result of a flat production.
pub(super) type Parsed<I, T> = IResult<I, T, Mismatch>;

/// A token stood where another was wanted. The caller of the combination words the complaint.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Mismatch {
    /// The token that stood there.
    pub(super) found: Token,
}

impl<'s, I: Input<'s>> ParseError<I> for Mismatch {
    fn from_error_kind(mut input: I, _: ErrorKind) -> Self {
        Self { found: input.peek() }
    }

    fn append(_: I, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// The next token, whatever it is.
pub(super) fn any<'s, I: Input<'s>>(mut i: I) -> Parsed<I, Token> {
    let token = i.bump();
    Ok((i, token))
}

/// A token of the given kind.
pub(super) fn token<'s, I: Input<'s>>(kind: TokenKind) -> impl Parser<I, Output = Span, Error = Mismatch> {
    move |mut i: I| match i.eat(kind) {
        Some(span) => Ok((i, span)),
        None => Err(nom::Err::Error(Mismatch { found: i.peek() })),
    }
}

/// An identifier, keywords included.
pub(super) fn name<'s, I: Input<'s>>(i: I) -> Parsed<I, Span> {
    token(TokenKind::Identifier).parse_complete(i)
}

/// A contextual keyword.
pub(super) fn keyword<'s, I: Input<'s>>(
    word: &'static str,
) -> impl Parser<I, Output = Span, Error = Mismatch> {
    move |mut i: I| match i.at_word(word) {
        true => name(i),
        false => Err(nom::Err::Error(Mismatch { found: i.peek() })),
    }
}

/// `::NAME`
pub(super) fn name_part<'s, I: Input<'s>>(i: I) -> Parsed<I, Span> {
    preceded(token(TokenKind::DoubleColon), name).parse_complete(i)
}
