//! Normal mode: configuration and expressions.

use memchr::{memchr, memmem};

use super::characters::{ByteSet, DIGIT, indentation_end, name_stop, near_name_stop, starts_name};
use super::problems::is_problem;
use super::shape::{heredoc_introducer, name_end, number_end};
use super::{Detail, Lexer, Mode, Scanner, Within, span};
use crate::token::TokenKind;

/// The role of a byte at the beginning of a token, in normal mode.
#[derive(Copy, Clone)]
pub(crate) enum Role {
    /// A token of this kind, whatever follows.
    Token(TokenKind),
    /// A token of this kind, unless punctuation follows that may make another token of it.
    Alone(TokenKind),
    /// Nothing: it stands between tokens.
    Blank,
    Newline,
    /// A token whose kind depends on what follows, a comment, or something that has no role.
    Other,
}

/// The roles of all bytes.
pub(crate) static ROLES: [Role; 256] = {
    let mut roles = [Role::Other; 256];
    let mut byte = u8::MIN;
    while byte < u8::MAX {
        roles[byte as usize] = role(byte);
        byte += 1;
    }
    roles
};

const fn role(byte: u8) -> Role {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => Role::Token(TokenKind::Identifier),
        b'0'..=b'9' => Role::Token(TokenKind::Number),
        b'"' => Role::Token(TokenKind::OpenQuote),
        b'{' => Role::Token(TokenKind::OpenBrace),
        b'}' => Role::Token(TokenKind::CloseBrace),
        b',' => Role::Token(TokenKind::Comma),
        b'[' => Role::Token(TokenKind::OpenBracket),
        b']' => Role::Token(TokenKind::CloseBracket),
        b'(' => Role::Token(TokenKind::OpenParen),
        b')' => Role::Token(TokenKind::CloseParen),
        b'?' => Role::Token(TokenKind::Question),
        b'*' => Role::Token(TokenKind::Star),
        b'+' => Role::Token(TokenKind::Plus),
        b'-' => Role::Token(TokenKind::Minus),
        b'%' => Role::Token(TokenKind::Percent),
        b'=' => Role::Alone(TokenKind::Assign),
        b'.' => Role::Alone(TokenKind::Dot),
        b':' => Role::Alone(TokenKind::Colon),
        b'!' => Role::Alone(TokenKind::Bang),
        b'<' => Role::Alone(TokenKind::Less),
        b'>' => Role::Alone(TokenKind::Greater),
        b' ' | b'\t' => Role::Blank,
        b'\n' => Role::Newline,
        _ => Role::Other,
    }
}

/// True if a byte may make another token of the one before it: punctuation.
pub(crate) const fn may_join(byte: u8) -> bool {
    matches!(byte, b'.' | b':'..=b'>')
}

impl Scanner<'_> {
    /// The kind of the token that begins at `pos`, where its first byte alone does not tell.
    pub(crate) fn other_kind(&self, pos: usize) -> TokenKind {
        let bytes = self.text.as_bytes();
        match (bytes[pos], bytes.get(pos + 1).copied().unwrap_or_default()) {
            (b'=', b'=') => TokenKind::Equal,
            (b'=', b'>') => TokenKind::FatArrow,
            (b'=', _) => TokenKind::Assign,
            (b'.', b'.') if bytes.get(pos + 2) == Some(&b'.') => TokenKind::Ellipsis,
            (b'.', _) => TokenKind::Dot,
            (b':', b':') => TokenKind::DoubleColon,
            (b':', _) => TokenKind::Colon,
            (b'#', _) | (b'/', b'/' | b'*') => TokenKind::Comment,
            (b'/', _) => TokenKind::Slash,
            (b'\r', b'\n') => TokenKind::Newline,
            (b'!', b'=') => TokenKind::NotEqual,
            (b'!', _) => TokenKind::Bang,
            (b'<', b'<') if self.heredoc_start(pos).is_some() => TokenKind::OpenHeredoc,
            (b'<', b'=') => TokenKind::LessEqual,
            (b'<', _) => TokenKind::Less,
            (b'>', b'=') => TokenKind::GreaterEqual,
            (b'>', _) => TokenKind::Greater,
            (b'&', b'&') => TokenKind::And,
            (b'|', b'|') => TokenKind::Or,
            (b'~', b'}') => TokenKind::TemplateSequenceEnd,
            (0x80.., _) if self.text[pos..].starts_with(starts_name) => TokenKind::Identifier,
            (byte, _) => self.without_role(byte, pos),
        }
    }

    /// The kind of a single character that no grammar rule mentions.
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

    /// Where the token of this kind ends that begins at `pos`; comments are looked for by others.
    #[inline(always)] // By a call a parse of a condition takes 3 % more instructions.
    pub(crate) fn token_end(&self, kind: TokenKind, pos: usize) -> usize {
        let len = match kind {
            TokenKind::Identifier => return self.name_end(pos),
            TokenKind::Number => return self.number_end(pos),
            TokenKind::OpenHeredoc => return self.heredoc_start(pos).unwrap_or(pos + 2),
            TokenKind::Invalid => self.text[pos..].chars().next().map_or(1, char::len_utf8),
            TokenKind::Newline if self.text.as_bytes()[pos] == b'\r' => 2,
            TokenKind::Equal
            | TokenKind::NotEqual
            | TokenKind::LessEqual
            | TokenKind::GreaterEqual
            | TokenKind::And
            | TokenKind::Or
            | TokenKind::DoubleColon
            | TokenKind::FatArrow
            | TokenKind::TemplateSequenceEnd => 2,
            TokenKind::Ellipsis => 3,
            _ => 1,
        };
        pos + len
    }

    /// Where the name ends whose first character has been read up to `pos`.
    fn name_end(&self, pos: usize) -> usize {
        match near_name_stop(self.text.as_bytes(), pos) {
            Some(end) => end,
            None => self.far_name_end(pos),
        }
    }

    #[cold] // Without it `parse_tf` takes 4 % more instructions.
    fn far_name_end(&self, pos: usize) -> usize {
        // A run that ends soon ends before a look, so runs are counted, too.
        name_end(self.text, pos, |bytes, pos| match self.watch.count(1) {
            Ok(()) => self.watch.run(bytes, pos, name_stop),
            Err(_) => bytes.len(),
        })
    }

    /// Where the number that begins at `pos` ends. Most are digits only, or have a point among them.
    fn number_end(&self, pos: usize) -> usize {
        let bytes = self.text.as_bytes();
        let skip = |set: &ByteSet, pos| self.watch.run(bytes, pos, |part, pos| set.skip(part, pos));
        let mut end = skip(&DIGIT, pos);
        if let Some([b'.', b'0'..=b'9']) = bytes.get(end..end + 2) {
            end = skip(&DIGIT, end + 2);
        }
        match bytes.get(end) {
            Some(b'.' | b'e' | b'E') => number_end(bytes, end, |set, pos| match self.watch.count(1) {
                Ok(()) => skip(set, pos),
                Err(_) => bytes.len(),
            }),
            _ => end,
        }
    }

    /// Where the text of the heredoc begins that `<<` at `pos` introduces, if it does.
    pub(crate) fn heredoc_start(&self, pos: usize) -> Option<usize> {
        let name_end = |rest: &str, len| {
            let start = self.text.len() - rest.len();
            self.name_end(start + len) - start
        };
        let introducer = heredoc_introducer(&self.text[pos..], name_end);
        introducer.ok().map(|(rest, _)| self.text.len() - rest.len())
    }

    /// Where the line comment that begins at `pos` ends: before its newline, or with the text.
    pub(crate) fn line_comment_end(&self, pos: usize) -> usize {
        self.watch.run(self.text.as_bytes(), pos, |part, pos| {
            memchr(b'\n', &part[pos..]).map_or(part.len(), |len| pos + len)
        })
    }

    /// Where the block comment that begins at `pos` ends, if it does.
    pub(crate) fn block_comment_end(&self, pos: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        // A stretch may end between the star and the slash.
        let star = self.watch.run(bytes, pos + 2, |part, pos| {
            let end = if part.len() == bytes.len() { part.len() } else { part.len() + 1 };
            memmem::find(&bytes[pos..end], b"*/").map_or(part.len(), |len| pos + len)
        });
        (star < bytes.len()).then(|| star + 2)
    }
}

impl Lexer<'_> {
    /// Scans until the mode changes, the text ends, or the watch is to be looked at; `depth` braces are open in this mode.
    pub(super) fn normal(&mut self, mut depth: u32) {
        let (scanner, bytes) = (self.scanner, self.scanner.text.as_bytes());
        let mut pos = self.pos;
        let may_read = &bytes[..self.look_at];
        while let Some(&first) = may_read.get(pos) {
            let kind = match ROLES[first as usize] {
                Role::Token(TokenKind::Identifier) => {
                    let end = scanner.name_end(pos + 1);
                    self.push(TokenKind::Identifier, pos, end);
                    pos = end;
                    continue;
                }
                Role::Token(kind) => kind,
                Role::Blank => {
                    pos += 1;
                    continue;
                }
                Role::Newline => {
                    self.push(TokenKind::Newline, pos, pos + 1);
                    pos = indentation_end(may_read, pos + 1);
                    continue;
                }
                Role::Alone(kind) if bytes.get(pos + 1).is_some_and(|&next| !may_join(next)) => kind,
                Role::Alone(_) | Role::Other => scanner.other_kind(pos),
            };
            match kind {
                TokenKind::OpenQuote => {
                    self.mode = Mode::Normal { depth };
                    let Some(end) = self.open_quote(pos) else { return };
                    pos = end;
                    continue;
                }
                TokenKind::OpenHeredoc => {
                    self.mode = Mode::Normal { depth };
                    return self.open_heredoc(pos);
                }
                TokenKind::Comment => {
                    pos = self.comment(pos);
                    continue;
                }
                TokenKind::OpenBrace => depth = depth.saturating_add(1),
                TokenKind::CloseBrace | TokenKind::TemplateSequenceEnd => {
                    if depth == 0 && !self.outer.is_empty() {
                        self.pos = scanner.token_end(kind, pos);
                        self.push(TokenKind::TemplateSequenceEnd, pos, self.pos);
                        return self.leave();
                    }
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            self.has_problems |= is_problem(kind);
            let end = scanner.token_end(kind, pos);
            self.push(kind, pos, end);
            pos = end;
        }
        self.mode = Mode::Normal { depth };
        self.pos = pos;
    }

    /// The quote at `pos` begins a quoted template. Most are one run of text; then they end here, and the
    /// answer is where. Otherwise the mode has changed.
    pub(super) fn open_quote(&mut self, pos: usize) -> Option<usize> {
        let start = pos + 1;
        let bytes = self.scanner.text.as_bytes();
        let end = self.scanner.quoted_run(start);
        self.push(TokenKind::OpenQuote, pos, start);
        if end > start {
            self.push(TokenKind::QuotedLiteral, start, end);
        }
        if bytes.get(end) == Some(&b'"') {
            self.push(TokenKind::CloseQuote, end, end + 1);
            return Some(end + 1);
        }
        self.pos = end;
        self.enter(Mode::Template(Within::Quotes));
        None
    }

    /// Begins the heredoc that `<<` at `pos` introduces.
    fn open_heredoc(&mut self, pos: usize) {
        let body = self.scanner.token_end(TokenKind::OpenHeredoc, pos);
        self.push(TokenKind::OpenHeredoc, pos, body);
        self.pos = body;
        let marker = self.scanner.marker_of(span(pos, body));
        self.enter(Mode::Template(Within::Heredoc { marker }));
    }

    /// Scans the comment that begins at `pos`; where it ends. One without an end is a slash. For the grammar a comment is a
    /// token if it stands for a newline, which it then includes.
    fn comment(&mut self, pos: usize) -> usize {
        let bytes = self.scanner.text.as_bytes();
        if bytes[pos..].starts_with(b"/*") {
            let end = if self.comment_may_end { self.scanner.block_comment_end(pos) } else { None };
            match end {
                Some(end) if self.detail == Detail::Full => self.push(TokenKind::Comment, pos, end),
                Some(_) => {}
                None => {
                    self.comment_may_end = false;
                    self.push(TokenKind::Slash, pos, pos + 1);
                }
            }
            return end.unwrap_or(pos + 1);
        }
        let line_end = self.scanner.line_comment_end(pos);
        let end = (line_end + 1).min(bytes.len());
        if end > line_end || self.detail == Detail::Full {
            self.push(TokenKind::Comment, pos, end);
        }
        end
    }
}
