//! Where the grammar stands in the tokens: a small `Copy` value that nom takes as its input.
//!
//! Whether newlines count is part of the value: a construct sets it on the way in and gives the caller's
//! mode back on the way out, and whoever goes back to an older cursor is back in its mode. Newlines are
//! skipped when a token is looked at, not when the one before it is taken, so that leaving a pair of
//! brackets makes the newlines after it count again.

use std::{iter, slice};

use nom::Needed;

use super::scanned::Scanned;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// Whether newlines are tokens of the grammar.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Newlines {
    Significant,
    Ignored,
}

/// A place in the tokens of a source. Two words, so that nom passes it on in registers.
#[derive(Copy, Clone)]
pub(super) struct Cursor<'s> {
    scanned: &'s Scanned<'s>,
    /// May be beyond the last token, where the end of the file is found again and again.
    at: u32,
    newlines: Newlines,
}

const _: () = assert!(size_of::<Cursor<'_>>() == 16);

impl<'s> Cursor<'s> {
    /// A cursor at the first token.
    pub(super) fn new(scanned: &'s Scanned<'s>, newlines: Newlines) -> Self {
        Self { scanned, at: 0, newlines }
    }

    /// The tokens.
    pub(super) fn scanned(self) -> &'s Scanned<'s> {
        self.scanned
    }

    /// The token at `index`; beyond the last one there are only ends of the file.
    #[inline]
    fn token_at(self, index: u32) -> Token {
        self.scanned.token(index as usize)
    }

    /// The next token that counts, and its index.
    #[inline]
    fn next_significant(self) -> (Token, u32) {
        let token = self.token_at(self.at);
        match token.kind {
            TokenKind::Newline | TokenKind::Comment => self.past_trivia(),
            _ => (token, self.at),
        }
    }

    /// A line comment counts as the newline that it includes.
    fn past_trivia(self) -> (Token, u32) {
        let mut index = self.at;
        loop {
            let token = self.token_at(index);
            match (token.kind, self.newlines) {
                (TokenKind::Newline | TokenKind::Comment, Newlines::Significant) => {
                    return (Token { kind: TokenKind::Newline, span: token.span }, index);
                }
                (TokenKind::Newline | TokenKind::Comment, Newlines::Ignored) => index += 1,
                _ => return (token, index),
            }
        }
    }

    /// The next token.
    #[inline]
    pub(super) fn peek(self) -> Token {
        self.next_significant().0
    }

    /// The kind of the next token.
    #[inline]
    pub(super) fn kind(self) -> TokenKind {
        self.peek().kind
    }

    /// Whether the next token is of the given kind.
    #[inline]
    pub(super) fn at(self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    /// The token after `n` others, as written: newlines and comments are not skipped. For looking ahead
    /// where none can be.
    #[inline]
    pub(super) fn nth_raw(self, n: u32) -> Token {
        self.token_at(self.at.saturating_add(n))
    }

    /// Takes the next token.
    #[inline]
    pub(super) fn bump(&mut self) -> Token {
        let (token, index) = self.next_significant();
        self.at = index.saturating_add(1);
        token
    }

    /// Takes the next token as written, also when it is a newline that does not count.
    #[inline]
    pub(super) fn bump_raw(&mut self) -> Token {
        let token = self.token_at(self.at);
        self.at = self.at.saturating_add(1);
        token
    }

    /// Steps over `n` tokens seen with [`Cursor::nth_raw`].
    #[inline]
    pub(super) fn skip_raw(&mut self, n: u32) {
        self.at = self.at.saturating_add(n);
    }

    /// The next token and the place after it.
    #[inline]
    pub(super) fn split_first(self) -> (Token, Self) {
        let mut rest = self;
        let token = rest.bump();
        (token, rest)
    }

    /// Where the token taken last stands; at the very beginning, the next one.
    #[inline]
    pub(super) fn previous_span(self) -> Span {
        match self.at.checked_sub(1) {
            Some(index) => self.token_at(index).span,
            None => self.peek().span,
        }
    }

    /// The source text of a token.
    #[inline]
    pub(super) fn text(self, span: Span) -> &'s str {
        self.scanned.text().get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The same as bytes, which needs no look at character boundaries.
    #[inline]
    pub(super) fn bytes(self, span: Span) -> &'s [u8] {
        self.scanned.text().as_bytes().get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The first byte of the text at `span`.
    #[inline]
    pub(super) fn first_byte(self, span: Span) -> u8 {
        self.scanned.text().as_bytes().get(span.start as usize).copied().unwrap_or_default()
    }

    /// Whether `token` is the given word.
    #[inline]
    pub(super) fn is_word(self, token: Token, word: &str) -> bool {
        token.kind == TokenKind::Identifier && self.bytes(token.span) == word.as_bytes()
    }

    /// Whether the next token is the given word.
    #[inline]
    pub(super) fn at_word(self, word: &str) -> bool {
        self.is_word(self.peek(), word)
    }

    /// Whether newlines count here.
    #[inline]
    pub(super) fn newlines(self) -> Newlines {
        self.newlines
    }

    /// The same place in another mode.
    #[inline]
    #[must_use]
    pub(super) fn with_newlines(mut self, newlines: Newlines) -> Self {
        self.newlines = newlines;
        self
    }

    /// Changes the mode and returns the one before.
    #[inline]
    pub(super) fn set_newlines(&mut self, newlines: Newlines) -> Newlines {
        std::mem::replace(&mut self.newlines, newlines)
    }
}

/// Counted in tokens as written: what nom needs to see that a repetition moves on.
impl<'s> nom::Input for Cursor<'s> {
    type Item = Token;
    type Iter = iter::Copied<slice::Iter<'s, Token>>;
    type IterIndices = iter::Enumerate<Self::Iter>;

    fn input_len(&self) -> usize {
        (u32::MAX - self.at) as usize
    }

    /// The grammar never asks for a stretch of tokens as an input of its own; all that follows is one.
    fn take(&self, _: usize) -> Self {
        *self
    }

    fn take_from(&self, count: usize) -> Self {
        let mut rest = *self;
        rest.skip_raw(u32::try_from(count).unwrap_or(u32::MAX));
        rest
    }

    fn take_split(&self, count: usize) -> (Self, Self) {
        (self.take_from(count), self.take(count))
    }

    fn position<P: Fn(Self::Item) -> bool>(&self, predicate: P) -> Option<usize> {
        self.iter_elements().position(predicate)
    }

    fn iter_elements(&self) -> Self::Iter {
        self.scanned.tokens_from(self.at as usize).iter().copied()
    }

    fn iter_indices(&self) -> Self::IterIndices {
        self.iter_elements().enumerate()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        let n = self.input_len();
        if n >= count { Ok(count) } else { Err(Needed::new(count - n)) }
    }
}
