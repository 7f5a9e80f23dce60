//! Normal mode: configuration and expressions.

use memchr::{memchr, memmem};

use super::characters::{DIGIT, indentation_end, starts_name};
use super::shape::{heredoc_introducer, name_end, number};
use super::{BlockComments, Lexer, Mode, span};
use crate::token::TokenKind;

impl Lexer<'_> {
    /// Scans until the mode changes, the text ends, or the watch is to be looked at; `depth` braces are open in this mode.
    pub(super) fn normal(&mut self, mut depth: u32) {
        let (text, bytes) = (self.text, self.text.as_bytes());
        let mut pos = self.pos;
        let may_read = &bytes[..self.look_at];
        loop {
            while let Some(b' ' | b'\t') = may_read.get(pos) {
                pos += 1;
            }
            let Some(&first) = may_read.get(pos) else { break };
            let (kind, end) = match first {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => (TokenKind::Identifier, name_end(text, pos + 1)),
                b'\n' => {
                    self.push(TokenKind::Newline, pos, pos + 1);
                    pos = indentation_end(bytes, pos + 1);
                    continue;
                }
                b',' => (TokenKind::Comma, pos + 1),
                b'[' => (TokenKind::OpenBracket, pos + 1),
                b']' => (TokenKind::CloseBracket, pos + 1),
                b'(' => (TokenKind::OpenParen, pos + 1),
                b')' => (TokenKind::CloseParen, pos + 1),
                b'"' => {
                    self.mode = Mode::Normal { depth };
                    let Some(end) = self.open_quote(pos) else { return };
                    pos = end;
                    continue;
                }
                b'}' if depth == 0 && !self.outer.is_empty() => return self.close_sequence(pos, 1),
                b'~' if bytes.get(pos + 1) == Some(&b'}') => {
                    if depth == 0 && !self.outer.is_empty() {
                        return self.close_sequence(pos, 2);
                    }
                    depth = depth.saturating_sub(1);
                    (TokenKind::TemplateSequenceEnd, pos + 2)
                }
                b'{' => {
                    depth = depth.saturating_add(1);
                    (TokenKind::OpenBrace, pos + 1)
                }
                b'}' => {
                    depth = depth.saturating_sub(1);
                    (TokenKind::CloseBrace, pos + 1)
                }
                b'<' if bytes.get(pos + 1) == Some(&b'<') && self.open_heredoc(pos, depth) => return,
                b'0'..=b'9' => (TokenKind::Number, number_end(text, pos)),
                b'#' => (TokenKind::Comment, line_end(bytes, pos)),
                b'/' => match self.slash(pos) {
                    (None, end) => {
                        pos = end;
                        continue;
                    }
                    (Some(kind), end) => (kind, end),
                },
                0x80.. => beyond_ascii(text, pos),
                _ => self.punctuation(first, pos),
            };
            self.push(kind, pos, end);
            pos = end;
        }
        self.mode = Mode::Normal { depth };
        self.pos = pos;
    }

    /// The quote at `pos` begins a quoted template. Most are one run of text; then they end here, and the
    /// answer is where. Otherwise the mode has changed.
    fn open_quote(&mut self, pos: usize) -> Option<usize> {
        let start = pos + 1;
        let end = self.quoted_run(start);
        self.push(TokenKind::OpenQuote, pos, start);
        if end > start {
            self.push(TokenKind::QuotedLiteral, start, end);
        }
        if self.text.as_bytes().get(end) == Some(&b'"') {
            self.push(TokenKind::CloseQuote, end, end + 1);
            return Some(end + 1);
        }
        self.pos = end;
        self.enter(Mode::Quoted);
        None
    }

    /// Ends the interpolation or directive at hand with the `len` bytes at `pos`.
    fn close_sequence(&mut self, pos: usize, len: usize) {
        self.push(TokenKind::TemplateSequenceEnd, pos, pos + len);
        self.pos = pos + len;
        self.leave();
    }

    /// Begins a heredoc if `<<` at `pos` introduces one.
    fn open_heredoc(&mut self, pos: usize, depth: u32) -> bool {
        let Ok((rest, marker)) = heredoc_introducer(&self.text[pos..]) else {
            return false;
        };
        let body = self.text.len() - rest.len();
        let marker_end = if self.text[..body].ends_with("\r\n") { body - 2 } else { body - 1 };
        self.push(TokenKind::OpenHeredoc, pos, body);
        self.mode = Mode::Normal { depth };
        self.pos = body;
        self.enter(Mode::Heredoc { marker: span(marker_end - marker.len(), marker_end) });
        true
    }

    /// What the slash at `pos` begins, if it is a token at all, and where that ends.
    fn slash(&mut self, pos: usize) -> (Option<TokenKind>, usize) {
        let bytes = self.text.as_bytes();
        match bytes.get(pos + 1) {
            Some(b'/') => (Some(TokenKind::Comment), line_end(bytes, pos)),
            Some(b'*') if self.comment_may_end => match memmem::find(&bytes[pos + 2..], b"*/") {
                Some(len) if self.block_comments == BlockComments::Kept => {
                    (Some(TokenKind::Comment), pos + len + 4)
                }
                Some(len) => (None, pos + len + 4),
                None => {
                    self.comment_may_end = false;
                    (Some(TokenKind::Slash), pos + 1)
                }
            },
            _ => (Some(TokenKind::Slash), pos + 1),
        }
    }

    /// Operators and other punctuation, and the ASCII characters with no role.
    #[inline]
    fn punctuation(&self, first: u8, pos: usize) -> (TokenKind, usize) {
        let byte_at = |pos| self.text.as_bytes().get(pos).copied().unwrap_or_default();
        let second = byte_at(pos + 1);
        let (kind, len) = match (first, second) {
            (b'=', b'=') => (TokenKind::Equal, 2),
            (b'=', b'>') => (TokenKind::FatArrow, 2),
            (b'=', _) => (TokenKind::Assign, 1),
            (b'.', b'.') if byte_at(pos + 2) == b'.' => (TokenKind::Ellipsis, 3),
            (b'.', _) => (TokenKind::Dot, 1),
            (b':', b':') => (TokenKind::DoubleColon, 2),
            (b':', _) => (TokenKind::Colon, 1),
            (b'?', _) => (TokenKind::Question, 1),
            (b'*', _) => (TokenKind::Star, 1),
            (b'+', _) => (TokenKind::Plus, 1),
            (b'-', _) => (TokenKind::Minus, 1),
            (b'%', _) => (TokenKind::Percent, 1),
            (b'!', b'=') => (TokenKind::NotEqual, 2),
            (b'!', _) => (TokenKind::Bang, 1),
            (b'<', b'=') => (TokenKind::LessEqual, 2),
            (b'<', _) => (TokenKind::Less, 1),
            (b'>', b'=') => (TokenKind::GreaterEqual, 2),
            (b'>', _) => (TokenKind::Greater, 1),
            (b'&', b'&') => (TokenKind::And, 2),
            (b'|', b'|') => (TokenKind::Or, 2),
            (b'\r', b'\n') => (TokenKind::Newline, 2),
            _ => (self.without_role(first, pos), 1),
        };
        (kind, pos + len)
    }

    /// The kind of a single ASCII character that no grammar rule mentions.
    #[cold]
    fn without_role(&self, byte: u8, pos: usize) -> TokenKind {
        match byte {
            b'&' => TokenKind::BitAnd,
            b'|' => TokenKind::BitOr,
            b'^' => TokenKind::BitXor,
            b'~' => TokenKind::BitNot,
            b';' => TokenKind::Semicolon,
            b'`' => TokenKind::Backtick,
            b'\'' => TokenKind::Apostrophe,
            _ if self.is_bad_byte(pos) => TokenKind::BadUtf8,
            _ => TokenKind::Invalid,
        }
    }
}

/// Where the number that begins at `pos` ends. Most are digits only.
#[inline]
fn number_end(text: &str, pos: usize) -> usize {
    let end = DIGIT.skip(text.as_bytes(), pos);
    match text.as_bytes().get(end) {
        Some(b'.' | b'e' | b'E') => number(&text[pos..]).map_or(end, |(_, digits)| pos + digits.len()),
        _ => end,
    }
}

/// Where the line comment that begins at `pos` ends: after its newline, or with the text.
fn line_end(bytes: &[u8], pos: usize) -> usize {
    memchr(b'\n', &bytes[pos..]).map_or(bytes.len(), |len| pos + len + 1)
}

/// The identifier that begins with the character beyond ASCII at `pos`, or that character alone.
fn beyond_ascii(text: &str, pos: usize) -> (TokenKind, usize) {
    let first = text[pos..].chars().next().unwrap_or_default();
    let end = pos + first.len_utf8();
    if starts_name(first) { (TokenKind::Identifier, name_end(text, end)) } else { (TokenKind::Invalid, end) }
}
