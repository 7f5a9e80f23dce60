//! A text without errors as an input of the grammar: tokens are found in its bytes when they are asked for.
//!
//! Nearly all texts are without errors, and for these no list of tokens is made. What would be a diagnostic, of the scanner
//! or of the grammar, makes the input give up: it ends there, and what has been read is of no use.

use std::cell::Cell;

use super::input::{Input, Newlines, attribute_of_tokens};
use crate::lexer::{
    ByteSet, DIGIT, ROLES, Role, Scanner, Within, indentation_end, is_problem, may_join, quoted_stop,
};
use crate::limits::BYTES_PER_LOOK;
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// A text, and how much of it may be read.
pub(super) struct Text<'s> {
    scanner: Scanner<'s>,
    /// True once something would be a diagnostic.
    is_given_up: Cell<bool>,
}

impl<'s> Text<'s> {
    pub(super) fn new(scanner: Scanner<'s>) -> Self {
        Self { scanner, is_given_up: Cell::new(false) }
    }

    /// True if something would be a diagnostic, so that the tree is not that of the text.
    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up.get()
    }

    /// The text up to the next look at the watch, where all before `pos` is read.
    fn give(&self, pos: usize) -> &'s [u8] {
        let bytes = self.scanner.text.as_bytes();
        let n_given = self.scanner.watch.next_look(pos, bytes.len(), BYTES_PER_LOOK);
        bytes.get(..n_given).unwrap_or_default()
    }
}

/// The first bytes of blanks, newlines and comments.
static TRIVIA: ByteSet = ByteSet::of(b" \t\r\n#/");

/// A place in the bytes of a text.
#[derive(Copy, Clone)]
pub(super) struct Bytes<'s> {
    /// The text that all places of a parse share.
    text: &'s Text<'s>,
    /// The bound of reading before the next look at the watch, from the beginning of the text on. Nothing after the end.
    given: &'s [u8],
    /// The beginning of the next token; blanks may stand before it.
    pos: u32,
    newlines: Newlines,
}

impl<'s> Bytes<'s> {
    /// At the first token of a text.
    pub(super) fn new(text: &'s Text<'s>, pos: usize, newlines: Newlines) -> Self {
        Self { text, given: text.give(pos), pos: offset(pos), newlines }
    }

    fn pos(self) -> usize {
        self.pos as usize
    }

    /// The byte so many places further on, as far as the text is given.
    fn byte(self, n: usize) -> Option<u8> {
        self.given.get(self.pos() + n).copied()
    }

    /// Goes to `end`; what lies before it.
    fn take_to(&mut self, end: usize) -> Span {
        let start = std::mem::replace(&mut self.pos, offset(end));
        Span::new(start, self.pos)
    }

    /// True if the text goes on here, where what was given of it ends: looks at the watch.
    fn goes_on(&mut self) -> bool {
        if self.text.is_given_up() || self.text.scanner.watch.look().is_some() {
            self.given = &[];
        } else {
            self.given = self.text.give(self.pos());
        }
        self.byte(0).is_some()
    }

    /// The kind of the next token, where its first byte is not all that counts: mostly blanks stand before it, or a newline
    /// that means nothing, or the next byte tells.
    fn near_kind(&mut self) -> TokenKind {
        let given = self.given;
        let mut pos = self.pos();
        let role = loop {
            let role = given.get(pos).map(|&byte| ROLES[byte as usize]);
            match role {
                Some(Role::Blank) => pos += 1,
                Some(Role::Newline) if self.newlines == Newlines::Ignored => {
                    pos = indentation_end(given, pos + 1);
                }
                _ => break role,
            }
        };
        self.pos = offset(pos);
        match role {
            Some(Role::Token(kind)) => kind,
            Some(Role::Alone(kind)) if given.get(pos + 1).is_some_and(|&next| !may_join(next)) => kind,
            Some(Role::Alone(_) | Role::Other) => match self.text.scanner.other_kind(pos) {
                TokenKind::Newline | TokenKind::Comment => self.other_kind(),
                kind if is_problem(kind) => self.other_kind(),
                kind => kind,
            },
            Some(Role::Newline) => TokenKind::Newline,
            None if pos == self.text.scanner.text.len() => TokenKind::EndOfFile,
            _ => self.other_kind(),
        }
    }

    /// True if the name that begins here is this word.
    fn is_word(self, word: &str) -> bool {
        let end = self.text.scanner.token_end(TokenKind::Identifier, self.pos());
        self.bytes(Span::new(self.pos, offset(end))) == word.as_bytes()
    }

    /// True if the next token begins with this byte.
    #[inline(always)] // By a call `parse_tf` takes 5 % more instructions.
    fn at_byte(&mut self, wanted: u8) -> bool {
        while self.byte(0) == Some(b' ') {
            self.pos += 1;
        }
        match self.byte(0) {
            Some(byte) if byte == wanted || !TRIVIA.has(byte) => byte == wanted,
            Some(b'\n') if self.newlines == Newlines::Significant => false,
            _ => self.is_byte_behind_trivia(wanted),
        }
    }

    /// [`at_byte`](Self::at_byte) where something stands before the token that its first byte does not tell.
    fn is_byte_behind_trivia(&mut self, wanted: u8) -> bool {
        if self.byte(0) == Some(b'\n') {
            self.pos = offset(indentation_end(self.given, self.pos() + 1));
        }
        if self.byte(0).is_none_or(|byte| TRIVIA.has(byte)) {
            self.near_kind();
        }
        self.byte(0) == Some(wanted)
    }

    /// The kind of the next token, whatever it is and stands before it.
    fn other_kind(&mut self) -> TokenKind {
        let scanner = &self.text.scanner;
        let bytes = scanner.text.as_bytes();
        loop {
            let Some(byte) = self.byte(0) else {
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
                Role::Alone(kind) if self.byte(1).is_some_and(|next| !may_join(next)) => return kind,
                Role::Alone(_) | Role::Other => scanner.other_kind(self.pos()),
            };
            match kind {
                TokenKind::Newline if self.newlines == Newlines::Significant => return kind,
                TokenKind::Newline => {
                    self.pos = offset(indentation_end(self.given, scanner.token_end(kind, self.pos())));
                }
                TokenKind::Comment if bytes[self.pos()..].starts_with(b"/*") => {
                    match scanner.block_comment_end(self.pos()) {
                        Some(end) => self.pos = offset(end),
                        None => self.give_up(),
                    }
                }
                // A line comment counts as the newline that ends it.
                TokenKind::Comment => self.pos = offset(scanner.line_comment_end(self.pos())),
                kind if is_problem(kind) => self.give_up(),
                kind => return kind,
            }
        }
    }
}

impl<'s> Input<'s> for Bytes<'s> {
    const RECOVERS: bool = false;

    /// With how much of the text was given there: a long token behind it is read in stretches again.
    type Place = (u32, &'s [u8]);

    fn kind(&mut self) -> TokenKind {
        if let Some(byte) = self.byte(0) {
            match ROLES[byte as usize] {
                Role::Token(kind) => return kind,
                Role::Newline if self.newlines == Newlines::Significant => return TokenKind::Newline,
                _ => {}
            }
        }
        self.near_kind()
    }

    /// Asks the byte first, which alone decides for most kinds.
    #[inline(always)] // By a call `parse_small` takes 6 % more instructions.
    fn at(&mut self, kind: TokenKind) -> bool {
        let wanted = match kind {
            TokenKind::Assign => b'=',
            TokenKind::Dot => b'.',
            TokenKind::Comma => b',',
            TokenKind::OpenBrace => b'{',
            TokenKind::CloseBrace => b'}',
            TokenKind::OpenBracket => b'[',
            TokenKind::CloseBracket => b']',
            TokenKind::CloseParen => b')',
            TokenKind::Star => b'*',
            _ => return self.kind() == kind,
        };
        let is_alone = !matches!(kind, TokenKind::Assign | TokenKind::Dot);
        self.at_byte(wanted)
            && (is_alone || self.byte(1).is_some_and(|next| !may_join(next)) || self.other_kind() == kind)
    }

    fn start(&self) -> u32 {
        self.pos
    }

    #[inline(always)] // By a call a parse of a condition takes 4 % more instructions.
    fn take(&mut self, kind: TokenKind) -> Span {
        let scanner = &self.text.scanner;
        let end = match kind {
            TokenKind::EndOfFile => self.pos(),
            TokenKind::Newline => indentation_end(self.given, scanner.token_end(kind, self.pos())),
            _ => scanner.token_end(kind, self.pos()),
        };
        self.take_to(end)
    }

    #[inline(always)] // By a call `parse_small` takes 1.4 % more instructions.
    fn at_word(&mut self, word: &str) -> bool {
        let Some(&first) = word.as_bytes().first() else { return false };
        self.at_byte(first) && self.is_word(word)
    }

    fn take_number(&mut self) -> (Span, bool) {
        /// A number of so many digits can be stored.
        const FEW: usize = 64;
        let given = self.given;
        let mut end = DIGIT.skip(given, self.pos());
        if let Some([b'.', b'0'..=b'9']) = given.get(end..end + 2) {
            end = DIGIT.skip(given, end + 2);
        }
        let goes_on = match given.get(end) {
            Some(next) => matches!(next, b'.' | b'e' | b'E'),
            None => end < self.text.scanner.text.len(),
        };
        if goes_on || end - self.pos() > FEW {
            return (self.take(TokenKind::Number), false);
        }
        (self.take_to(end), true)
    }

    #[inline(always)] // By a call `parse_tf` takes 3 % more instructions.
    fn take_attribute(&mut self) -> Option<(Span, Span)> {
        if !self.at_byte(b'.') {
            return None;
        }
        // Mostly the name begins right behind the dot.
        let Some(Role::Token(TokenKind::Identifier)) = self.byte(1).map(|byte| ROLES[byte as usize]) else {
            return attribute_of_tokens(self);
        };
        let dot = self.take_to(self.pos() + 1);
        let name = self.take(TokenKind::Identifier);
        Some((dot.to(name), name))
    }

    /// Gives up: only recovery from an error asks for it, and this input has none.
    fn take_raw(&mut self) -> Token {
        self.give_up();
        Token { kind: TokenKind::EndOfFile, span: Span::empty_at(self.pos) }
    }

    fn take_part(&mut self, within: Within) -> Token {
        if self.byte(0).is_some() || self.goes_on() {
            let scanner = &self.text.scanner;
            let at_line_start = scanner.is_line_start(self.pos());
            let (kind, end) = scanner.template_token(self.pos(), within, at_line_start);
            if !is_problem(kind) {
                return Token { kind, span: self.take_to(end) };
            }
            self.give_up();
        }
        Token { kind: TokenKind::EndOfFile, span: Span::empty_at(self.pos) }
    }

    fn first_part(&mut self, _: Within) -> Span {
        Span::empty_at(self.pos)
    }

    /// Looks at the bytes that are given: a text that goes on behind them is read like one with escapes.
    fn take_plain_quoted(&mut self) -> Option<Span> {
        let given = self.given;
        let stop = quoted_stop(given, self.pos() + 1);
        if given.get(stop) == Some(&b'"') { Some(self.take_to(stop + 1)) } else { None }
    }

    fn take_sequence_end(&mut self) -> Option<Span> {
        match self.kind() {
            kind @ (TokenKind::CloseBrace | TokenKind::TemplateSequenceEnd) => Some(self.take(kind)),
            _ => None,
        }
    }

    /// The last byte: a brace is one byte long.
    fn taken_brace(&self) -> Span {
        Span::new(self.pos.saturating_sub(1), self.pos)
    }

    fn taken_end(&self, node: Span) -> u32 {
        node.end
    }

    fn first_token(&mut self) -> Span {
        let (scanner, mut pos) = (&self.text.scanner, self.pos());
        let bytes = scanner.text.as_bytes();
        loop {
            match bytes.get(pos..).unwrap_or_default() {
                [b' ' | b'\t', ..] => pos += 1,
                [b'/', b'*', ..] => pos = scanner.block_comment_end(pos).unwrap_or(bytes.len()),
                // A last comment without a newline is no token.
                [b'#', ..] | [b'/', b'/', ..] if scanner.line_comment_end(pos) == bytes.len() => {
                    pos = bytes.len();
                }
                _ => return Span::empty_at(offset(pos)),
            }
        }
    }

    fn within(&self, kind: TokenKind, opener: Span) -> Within {
        match kind {
            TokenKind::OpenHeredoc => Within::Heredoc { marker: self.text.scanner.marker_of(opener) },
            _ => Within::Quotes,
        }
    }

    fn place(&self) -> (u32, &'s [u8]) {
        (self.pos, self.given)
    }

    /// Where the text has ended meanwhile, it has ended here, too.
    fn go_back(&mut self, (pos, given): (u32, &'s [u8])) {
        self.pos = pos;
        if !self.given.is_empty() {
            self.given = given;
        }
    }

    /// Unless the text has ended because the work is to end, which makes any text look unfinished.
    fn give_up(&mut self) {
        if self.text.scanner.watch.stopped().is_none() {
            self.text.is_given_up.set(true);
        }
        self.given = &[];
    }

    fn is_given_up(&self) -> bool {
        self.text.is_given_up()
    }

    fn source_text(&self) -> &'s str {
        self.text.scanner.text
    }

    fn set_newlines(&mut self, newlines: Newlines) -> Newlines {
        std::mem::replace(&mut self.newlines, newlines)
    }
}

/// A place in the text as spans count it.
#[expect(clippy::cast_possible_truncation, reason = "a source is at most Source::MAX_LEN long")]
fn offset(pos: usize) -> u32 {
    pos as u32
}
