//! A source text and what the scanner makes of it.

use std::cell::Cell;

use crate::limits::Watch;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// How many tokens are read between two looks at the watch.
const TOKENS_PER_LOOK: usize = 4096;

/// A source text and its tokens.
///
/// The grammar asks for one token after the other, and what it may have of them ends where the watch is to be looked at;
/// there it gets more, or finds the end of the file. So a parse that can be stopped costs as much as one that can't.
pub(super) struct Scanned<'s> {
    text: &'s str,
    /// As many tokens as may be read before the next look.
    given: Cell<&'s [Token]>,
    tokens: &'s [Token],
    /// What is found beyond the last token.
    end: Token,
    pub(super) watch: &'s Watch,
}

impl<'s> Scanned<'s> {
    /// The tokens of a text, or of a piece of it.
    #[inline]
    pub(super) fn new(text: &'s str, tokens: &'s [Token], watch: &'s Watch) -> Self {
        const NO_TOKEN: Token = Token { kind: TokenKind::EndOfFile, span: Span::empty_at(0) };
        let n_given = watch.next_look(0, tokens.len(), TOKENS_PER_LOOK);
        let end = tokens.last().copied().unwrap_or(NO_TOKEN);
        Self { text, given: Cell::new(&tokens[..n_given]), tokens, end, watch }
    }

    /// The text.
    #[inline]
    pub(super) fn text(&self) -> &'s str {
        self.text
    }

    /// The token at `index`; beyond the last one there are only ends of the file.
    #[inline]
    pub(super) fn token(&self, index: usize) -> Token {
        match self.given.get().get(index) {
            Some(token) => *token,
            None => self.give_more(index),
        }
    }

    /// The tokens from `index` on.
    pub(super) fn tokens_from(&self, index: usize) -> &'s [Token] {
        self.tokens.get(index..).unwrap_or_default()
    }

    /// The token at `index`, where those that were given end: the end of the file if there are no more.
    #[cold]
    fn give_more(&self, index: usize) -> Token {
        match self.tokens.get(index) {
            Some(token) if self.watch.look().is_none() => {
                let n_given = self.watch.next_look(index + 1, self.tokens.len(), TOKENS_PER_LOOK);
                self.given.set(&self.tokens[..n_given]);
                *token
            }
            _ => self.end,
        }
    }
}
