//! A text without errors as an input of the grammar: tokens are found in its bytes when they are asked for.
//!
//! Nearly all texts are without errors, and for these no list of tokens is made. What would be a diagnostic, of the scanner
//! or of the grammar, makes the input give up: it ends there, and what has been read is of no use.

use std::cell::Cell;

use super::input::{Input, Newlines};
use crate::lexer::{ROLES, Role, Scanner, Within, indentation_end, is_problem, quoted_stop};
use crate::limits::BYTES_PER_LOOK;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// A text, and whether its reading has been given up.
pub(super) struct Text<'s> {
    scanner: Scanner<'s>,
    is_given_up: Cell<bool>,
}

impl<'s> Text<'s> {
    pub(super) fn new(scanner: Scanner<'s>) -> Self {
        Self { scanner, is_given_up: Cell::new(false) }
    }

    /// Whether something would be a diagnostic, so that the tree is not that of the text.
    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up.get()
    }
}

/// A place in the bytes of a text.
#[derive(Copy, Clone)]
pub(super) struct Bytes<'s> {
    text: &'s str,
    /// What may be read before the next look at the watch, from the beginning of the text on.
    given: &'s [u8],
    /// What is next begins here; blanks may stand before it.
    pos: usize,
    newlines: Newlines,
    shared: &'s Text<'s>,
}

impl<'s> Bytes<'s> {
    /// At the first token of a text.
    pub(super) fn new(shared: &'s Text<'s>, pos: usize, newlines: Newlines) -> Self {
        let text = shared.scanner.text;
        Self { text, given: given(shared, pos), pos, newlines, shared }
    }

    /// Whether the text goes on at `pos`, where what was given of it ends: looks at the watch.
    #[cold]
    fn goes_on(&mut self) -> bool {
        let is_stopped = self.shared.is_given_up() || self.shared.scanner.watch.look().is_some();
        self.given = if is_stopped { &[] } else { given(self.shared, self.pos) };
        self.pos < self.given.len()
    }

    /// The kind of the next token, where more than blanks may stand before it, or where a byte alone does not tell.
    #[inline(never)]
    fn other_kind(&mut self) -> TokenKind {
        let (scanner, bytes) = (self.shared.scanner, self.text.as_bytes());
        loop {
            let Some(&byte) = self.given.get(self.pos) else {
                if self.goes_on() {
                    continue;
                }
                return TokenKind::EndOfFile;
            };
            let kind = match ROLES[byte as usize] {
                Role::Token(kind) => return kind,
                Role::Blank => {
                    self.pos += 1;
                    continue;
                }
                Role::Newline => TokenKind::Newline,
                Role::Other => scanner.other_kind(self.pos),
            };
            match kind {
                TokenKind::Newline if self.newlines == Newlines::Significant => return kind,
                TokenKind::Newline => {
                    self.pos = indentation_end(bytes, scanner.token_end(kind, self.pos));
                }
                TokenKind::Comment if bytes[self.pos..].starts_with(b"/*") => {
                    match scanner.block_comment_end(self.pos) {
                        Some(end) => self.pos = end,
                        None => self.give_up(),
                    }
                }
                // A line comment counts as the newline that ends it.
                TokenKind::Comment => self.pos = scanner.line_comment_end(self.pos),
                kind if is_problem(kind) => self.give_up(),
                kind => return kind,
            }
        }
    }
}

/// What may be read of a text, of which all before `pos` is read.
fn given<'s>(shared: &Text<'s>, pos: usize) -> &'s [u8] {
    let bytes = shared.scanner.text.as_bytes();
    bytes.get(..shared.scanner.watch.next_look(pos, bytes.len(), BYTES_PER_LOOK)).unwrap_or_default()
}

impl<'s> Input<'s> for Bytes<'s> {
    const RECOVERS: bool = false;

    type Place = usize;

    #[inline]
    fn kind(&mut self) -> TokenKind {
        while let Some(&byte) = self.given.get(self.pos) {
            match ROLES[byte as usize] {
                Role::Token(kind) => return kind,
                Role::Blank => self.pos += 1,
                Role::Newline if self.newlines == Newlines::Significant => return TokenKind::Newline,
                Role::Newline | Role::Other => break,
            }
        }
        self.other_kind()
    }

    #[inline]
    fn start(&self) -> u32 {
        offset(self.pos)
    }

    #[inline]
    fn at(&mut self, kind: TokenKind) -> bool {
        match (kind, self.given.get(self.pos..)) {
            // What a byte alone does not tell, and is there often.
            (TokenKind::Assign, Some([b' ', b'=', second, ..])) if !matches!(second, b'=' | b'>') => {
                self.pos += 1;
                true
            }
            (TokenKind::Dot, Some([b'.', second, ..])) if *second != b'.' => true,
            _ => self.kind() == kind,
        }
    }

    #[inline]
    fn take(&mut self, kind: TokenKind) -> Span {
        let start = self.pos;
        match kind {
            TokenKind::EndOfFile => {}
            TokenKind::Newline => {
                let end = self.shared.scanner.token_end(kind, start);
                self.pos = indentation_end(self.text.as_bytes(), end);
            }
            _ => self.pos = self.shared.scanner.token_end(kind, start),
        }
        span(start, self.pos)
    }

    fn take_raw(&mut self) -> Token {
        self.give_up();
        Token { kind: TokenKind::EndOfFile, span: Span::empty_at(offset(self.pos)) }
    }

    fn take_part(&mut self, within: Within) -> Token {
        let start = self.pos;
        if start < self.given.len() || self.goes_on() {
            let (kind, end) = self.shared.scanner.template_token(start, within);
            if !is_problem(kind) {
                self.pos = end;
                return Token { kind, span: span(start, end) };
            }
            self.give_up();
        }
        Token { kind: TokenKind::EndOfFile, span: span(start, start) }
    }

    fn first_part(&mut self, _: Within) -> Span {
        span(self.pos, self.pos)
    }

    #[inline]
    fn take_plain_quoted(&mut self) -> Option<Span> {
        let start = self.pos;
        let stop = quoted_stop(self.given, start + 1);
        if self.given.get(stop) != Some(&b'"') {
            return None;
        }
        self.pos = stop + 1;
        Some(span(start, self.pos))
    }

    #[inline]
    fn take_sequence_end(&mut self) -> Option<Span> {
        match self.kind() {
            kind @ (TokenKind::CloseBrace | TokenKind::TemplateSequenceEnd) => Some(self.take(kind)),
            _ => None,
        }
    }

    #[inline]
    fn taken_brace(&self) -> Span {
        span(self.pos.saturating_sub(1), self.pos)
    }

    #[inline]
    fn taken_end(&self, node: Span) -> u32 {
        node.end
    }

    fn first_token(&mut self) -> Span {
        let (scanner, mut pos) = (self.shared.scanner, self.pos);
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(pos..).unwrap_or_default() {
                [b' ' | b'\t', ..] => pos += 1,
                [b'/', b'*', ..] => pos = scanner.block_comment_end(pos).unwrap_or(bytes.len()),
                // A last comment without a newline is no token.
                [b'#', ..] | [b'/', b'/', ..] if scanner.line_comment_end(pos) == bytes.len() => {
                    pos = bytes.len();
                }
                _ => return span(pos, pos),
            }
        }
    }

    #[inline]
    fn within(&self, kind: TokenKind, opener: Span) -> Within {
        match kind {
            TokenKind::OpenHeredoc => Within::Heredoc { marker: self.shared.scanner.marker_of(opener) },
            _ => Within::Quotes,
        }
    }

    #[inline]
    fn place(&self) -> usize {
        self.pos
    }

    #[inline]
    fn go_back(&mut self, place: usize) {
        self.pos = place;
    }

    /// Unless the text has ended because the work is to end, which makes any text look unfinished.
    #[cold]
    #[inline(never)]
    fn give_up(&mut self) {
        if self.shared.scanner.watch.stopped().is_none() {
            self.shared.is_given_up.set(true);
        }
        self.given = &[];
    }

    fn is_given_up(&self) -> bool {
        self.shared.is_given_up()
    }

    #[inline]
    fn source_text(&self) -> &'s str {
        self.text
    }

    #[inline]
    fn set_newlines(&mut self, newlines: Newlines) -> Newlines {
        std::mem::replace(&mut self.newlines, newlines)
    }
}

#[inline]
fn span(start: usize, end: usize) -> Span {
    Span::new(offset(start), offset(end))
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a source is at most Source::MAX_LEN long")]
fn offset(pos: usize) -> u32 {
    pos as u32
}
