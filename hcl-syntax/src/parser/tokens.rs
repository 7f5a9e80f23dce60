//! The tokens of a text as an input of the grammar, which goes on behind errors.

use std::cell::Cell;

use super::input::{Input, Newlines};
use crate::lexer::{Within, quoted_stop};
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
    /// All of them; the last is the end of the file, unless the work was stopped when they were found.
    tokens: &'s [Token],
    /// The token beyond the last one.
    end: Token,
    /// The end of the work, if it is to end.
    watch: &'s Watch,
}

impl<'s> Scanned<'s> {
    /// The tokens of a text, or of a piece of it.
    pub(super) fn new(text: &'s str, tokens: &'s [Token], watch: &'s Watch) -> Self {
        let n_given = watch.next_look(0, tokens.len(), TOKENS_PER_LOOK);
        // Of tokens that end where the work was stopped, the last one is another kind of token.
        let span = tokens.last().map_or(Span::empty_at(0), |last| last.span);
        let end = Token { kind: TokenKind::EndOfFile, span };
        Self { text, given: Cell::new(&tokens[..n_given]), tokens, end, watch }
    }

    /// The token at `index`; beyond the last one there are only ends of the file.
    fn token(&self, index: u32) -> Token {
        match self.given.get().get(index as usize) {
            Some(token) => *token,
            None => self.give_more(index as usize),
        }
    }

    /// Where the ordinary characters of a quoted template end that begin at `start`.
    fn plain_end(&self, start: u32) -> u32 {
        let end = self.watch.run(self.text.as_bytes(), start as usize, quoted_stop);
        u32::try_from(end).unwrap_or(u32::MAX)
    }

    /// The token at `index`, where those that were given end: the end of the file if there are no more.
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

/// A place in the tokens of a text.
#[derive(Copy, Clone)]
pub(super) struct Tokens<'s> {
    /// The tokens that all places of a parse share.
    scanned: &'s Scanned<'s>,
    /// May be beyond the last token, where the end of the file is found again and again.
    at: u32,
    newlines: Newlines,
}

impl<'s> Tokens<'s> {
    /// At the first token.
    pub(super) fn new(scanned: &'s Scanned<'s>, newlines: Newlines) -> Self {
        Self { scanned, at: 0, newlines }
    }

    /// The next token that counts, and its index. A line comment counts as the newline that it includes.
    fn next(self) -> (Token, u32) {
        let mut index = self.at;
        loop {
            let token = self.scanned.token(index);
            match (token.kind, self.newlines) {
                (TokenKind::Newline | TokenKind::Comment, Newlines::Significant) => {
                    return (Token { kind: TokenKind::Newline, span: token.span }, index);
                }
                (TokenKind::Newline | TokenKind::Comment, Newlines::Ignored) => index += 1,
                _ => return (token, index),
            }
        }
    }

    /// The place of the token taken last; before the first one, that of the first.
    fn taken(self) -> Span {
        match self.at.checked_sub(1) {
            Some(index) => self.scanned.token(index).span,
            None => self.next().0.span,
        }
    }
}

impl<'s> Input<'s> for Tokens<'s> {
    const RECOVERS: bool = true;

    type Place = u32;

    fn kind(&mut self) -> TokenKind {
        self.next().0.kind
    }

    fn start(&self) -> u32 {
        self.next().0.span.start
    }

    fn take(&mut self, _: TokenKind) -> Span {
        let (token, index) = self.next();
        self.at = index.saturating_add(1);
        token.span
    }

    fn at_word(&mut self, word: &str) -> bool {
        let token = self.next().0;
        token.kind == TokenKind::Identifier && self.text(token.span) == word
    }

    fn take_number(&mut self) -> (Span, bool) {
        (self.take(TokenKind::Number), false)
    }

    fn take_raw(&mut self) -> Token {
        let token = self.scanned.token(self.at);
        self.at = self.at.saturating_add(1);
        token
    }

    fn take_part(&mut self, _: Within) -> Token {
        self.bump()
    }

    fn first_part(&mut self, _: Within) -> Span {
        self.next().0.span
    }

    /// Looks at the bytes, as the other input does: so the trees are the same.
    fn take_plain_quoted(&mut self) -> Option<Span> {
        let (open, index) = self.next();
        let stop = self.scanned.plain_end(open.span.end);
        let n_tokens = if stop == open.span.end { 2 } else { 3 };
        let close = self.scanned.token(index.saturating_add(n_tokens - 1));
        if (close.kind, close.span.start) != (TokenKind::CloseQuote, stop) {
            return None;
        }
        self.at = index + n_tokens;
        Some(open.span.to(close.span))
    }

    fn take_sequence_end(&mut self) -> Option<Span> {
        self.eat(TokenKind::TemplateSequenceEnd)
    }

    fn taken_brace(&self) -> Span {
        self.taken()
    }

    fn taken_end(&self, _: Span) -> u32 {
        self.taken().end
    }

    fn first_token(&mut self) -> Span {
        self.taken()
    }

    /// Tells nothing: the tokens have been found already.
    fn within(&self, _: TokenKind, _: Span) -> Within {
        Within::Nothing
    }

    fn place(&self) -> u32 {
        self.at
    }

    fn go_back(&mut self, place: u32) {
        self.at = place;
    }

    fn give_up(&mut self) {}

    fn is_given_up(&self) -> bool {
        false
    }

    fn source_text(&self) -> &'s str {
        self.scanned.text
    }

    fn set_newlines(&mut self, newlines: Newlines) -> Newlines {
        std::mem::replace(&mut self.newlines, newlines)
    }
}
