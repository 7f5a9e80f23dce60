//! Normal mode: configuration and expressions.

use memchr::{memchr, memmem};

use super::characters::{DIGIT, indentation_end, quoted_stop, starts_name};
use super::shape::{heredoc_introducer, name_end, number};
use super::{Detail, Lexer, Mode, span};
use crate::token::TokenKind;

/// What a byte begins in normal mode.
#[derive(Copy, Clone)]
enum Role {
    /// A token of this byte alone.
    Token(TokenKind),
    Name,
    Digits,
    Newline,
    Quote,
    Assign,
    Dot,
    OpenBrace,
    CloseBrace,
    /// Something that is rarer.
    Other,
}

static ROLES: [Role; 256] = roles();

const fn roles() -> [Role; 256] {
    let mut roles = [Role::Other; 256];
    let mut byte = u8::MIN;
    loop {
        roles[byte as usize] = role(byte);
        if byte == u8::MAX {
            break;
        }
        byte += 1;
    }
    roles
}

const fn role(byte: u8) -> Role {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => Role::Name,
        b'0'..=b'9' => Role::Digits,
        b'\n' => Role::Newline,
        b'"' => Role::Quote,
        b'=' => Role::Assign,
        b'.' => Role::Dot,
        b'{' => Role::OpenBrace,
        b'}' => Role::CloseBrace,
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
        _ => Role::Other,
    }
}

/// What was found where something begins that is rarer.
enum Found {
    Token(TokenKind, usize),
    /// A comment that is no token, up to here.
    Nothing(usize),
    /// What ends the mode or begins another; it is scanned.
    OtherMode,
}

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
            let (kind, end) = match ROLES[first as usize] {
                Role::Name => (TokenKind::Identifier, name_end(text, pos + 1)),
                Role::Token(kind) => (kind, pos + 1),
                Role::Newline => {
                    self.push(TokenKind::Newline, pos, pos + 1);
                    pos = indentation_end(bytes, pos + 1);
                    continue;
                }
                Role::Quote => {
                    self.mode = Mode::Normal { depth };
                    let Some(end) = self.open_quote(pos) else { return };
                    pos = end;
                    continue;
                }
                Role::Assign => match bytes.get(pos + 1) {
                    Some(b'=') => (TokenKind::Equal, pos + 2),
                    Some(b'>') => (TokenKind::FatArrow, pos + 2),
                    _ => (TokenKind::Assign, pos + 1),
                },
                Role::Dot => match bytes.get(pos + 1..pos + 3) {
                    Some(b"..") => (TokenKind::Ellipsis, pos + 3),
                    _ => (TokenKind::Dot, pos + 1),
                },
                Role::Digits => (TokenKind::Number, number_end(text, pos)),
                Role::CloseBrace if depth == 0 && !self.outer.is_empty() => {
                    return self.close_sequence(pos, 1);
                }
                Role::CloseBrace => {
                    depth = depth.saturating_sub(1);
                    (TokenKind::CloseBrace, pos + 1)
                }
                Role::OpenBrace => {
                    depth = depth.saturating_add(1);
                    (TokenKind::OpenBrace, pos + 1)
                }
                Role::Other => match self.other(pos, &mut depth) {
                    Found::Token(kind, end) => (kind, end),
                    Found::Nothing(end) => {
                        pos = end;
                        continue;
                    }
                    Found::OtherMode => return,
                },
            };
            self.push(kind, pos, end);
            pos = end;
        }
        self.mode = Mode::Normal { depth };
        self.pos = pos;
    }

    /// What begins at `pos` with a byte of the role `Other`.
    #[inline(never)]
    fn other(&mut self, pos: usize, depth: &mut u32) -> Found {
        let bytes = self.text.as_bytes();
        let (kind, end) = match (bytes[pos], bytes.get(pos + 1)) {
            (b'~', Some(b'}')) => {
                if *depth == 0 && !self.outer.is_empty() {
                    self.close_sequence(pos, 2);
                    return Found::OtherMode;
                }
                *depth = depth.saturating_sub(1);
                (TokenKind::TemplateSequenceEnd, pos + 2)
            }
            (b'<', Some(b'<')) if self.open_heredoc(pos, *depth) => return Found::OtherMode,
            (b'#', _) => return self.line_comment(pos),
            (b'/', _) => return self.slash(pos),
            (0x80.., _) => self.beyond_ascii(pos),
            (first, second) => self.punctuation(first, second.copied().unwrap_or_default(), pos),
        };
        Found::Token(kind, end)
    }

    /// The quote at `pos` begins a quoted template. Most are one run of text; then they end here, and the
    /// answer is where. Otherwise the mode has changed.
    pub(super) fn open_quote(&mut self, pos: usize) -> Option<usize> {
        let start = pos + 1;
        let bytes = self.text.as_bytes();
        let stop = quoted_stop(bytes, start);
        let end = self.quoted_run(stop);
        self.push(TokenKind::OpenQuote, pos, start);
        if end > start {
            self.push(TokenKind::QuotedLiteral, start, end);
        }
        if bytes.get(end) == Some(&b'"') {
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
    pub(super) fn open_heredoc(&mut self, pos: usize, depth: u32) -> bool {
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

    /// The comment that begins at `pos`: with the newline that it stands for, if it is to be a token for the grammar.
    fn line_comment(&self, pos: usize) -> Found {
        let bytes = self.text.as_bytes();
        let end = line_end(bytes, pos);
        match bytes[end - 1] {
            b'\n' => Found::Token(TokenKind::Comment, end),
            _ if self.detail == Detail::Full => Found::Token(TokenKind::Comment, end),
            _ => Found::Nothing(end),
        }
    }

    /// What the slash at `pos` begins.
    fn slash(&mut self, pos: usize) -> Found {
        let bytes = self.text.as_bytes();
        match bytes.get(pos + 1) {
            Some(b'/') => return self.line_comment(pos),
            Some(b'*') if self.comment_may_end => match memmem::find(&bytes[pos + 2..], b"*/") {
                Some(len) if self.detail == Detail::Full => {
                    return Found::Token(TokenKind::Comment, pos + len + 4);
                }
                Some(len) => return Found::Nothing(pos + len + 4),
                None => self.comment_may_end = false,
            },
            _ => {}
        }
        Found::Token(TokenKind::Slash, pos + 1)
    }

    /// The identifier that begins with the character beyond ASCII at `pos`, or that character alone.
    fn beyond_ascii(&mut self, pos: usize) -> (TokenKind, usize) {
        let first = self.text[pos..].chars().next().unwrap_or_default();
        let end = pos + first.len_utf8();
        if starts_name(first) {
            return (TokenKind::Identifier, name_end(self.text, end));
        }
        self.has_problems = true;
        (TokenKind::Invalid, end)
    }

    /// Rarer operators and other punctuation, and the ASCII characters with no role.
    fn punctuation(&mut self, first: u8, second: u8, pos: usize) -> (TokenKind, usize) {
        let (kind, len) = match (first, second) {
            (b':', b':') => (TokenKind::DoubleColon, 2),
            (b':', _) => (TokenKind::Colon, 1),
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
    fn without_role(&mut self, byte: u8, pos: usize) -> TokenKind {
        self.has_problems = true;
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

/// Where the number that begins at `pos` ends. Most are digits only, or have a point among them.
#[inline]
pub(crate) fn number_end(text: &str, pos: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = DIGIT.skip(bytes, pos);
    if let Some([b'.', b'0'..=b'9']) = bytes.get(end..end + 2) {
        end = DIGIT.skip(bytes, end + 2);
    }
    match bytes.get(end) {
        Some(b'.' | b'e' | b'E') => number(&text[pos..]).map_or(end, |(_, digits)| pos + digits.len()),
        _ => end,
    }
}

/// Where the line comment that begins at `pos` ends: after its newline, or with the text.
fn line_end(bytes: &[u8], pos: usize) -> usize {
    memchr(b'\n', &bytes[pos..]).map_or(bytes.len(), |len| pos + len + 1)
}
