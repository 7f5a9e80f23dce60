//! The scanner of JSON syntax: text to tokens, one after the other.
//!
//! It is lax where the parser is strict: a number is a run of what numbers are made of, a keyword a run of
//! letters, a string ends at a quote or at a control character. So the parser can say what is wrong with
//! them as a whole. After a byte that begins nothing the tokens end.

use crate::lexer::{ByteSet, json_string_stop};
use crate::limits::{BYTES_PER_LOOK, Watch};
use crate::source::{Source, Span};

/// The kind of a token.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// `{`
    BraceOpen,
    /// `}`
    BraceClose,
    /// `[`
    BracketOpen,
    /// `]`
    BracketClose,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `=`, which means nothing, but is often meant to.
    Equals,
    /// `true`, `false`, `null`, and whatever else is made of letters.
    Keyword,
    /// `"…"`, or as much of it as there is.
    String,
    /// `-1.5e3`, and whatever else is made of such characters.
    Number,
    /// A byte that begins nothing.
    Invalid,
    /// The end.
    EndOfFile,
}

/// A token and where it stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// The tokens of `piece` in order, without the end of the file.
pub(crate) fn tokens<'s>(
    source: &'s Source,
    piece: Span,
    watch: &'s Watch,
) -> impl Iterator<Item = Token> + use<'s> {
    let mut scanner = Scanner::new(source, piece, watch);
    std::iter::from_fn(move || Some(scanner.next()).filter(|token| token.kind != TokenKind::EndOfFile))
}

/// The bytes between tokens.
static BLANK: ByteSet = ByteSet::of(b" \t\r\n");

/// The bytes of numbers.
static NUMBER: ByteSet = ByteSet::of(b"0123456789-+.eE");

/// The bytes of keywords.
static KEYWORD: ByteSet = ByteSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");

/// The scanner at work.
pub(super) struct Scanner<'s> {
    source: &'s Source,
    /// The text up to the end of the piece.
    bytes: &'s [u8],
    pos: usize,
    watch: &'s Watch,
    /// The text up to where it is to be looked at.
    may_read: &'s [u8],
    /// True once no more tokens are given, whatever follows.
    ended: bool,
}

impl<'s> Scanner<'s> {
    /// A scanner at the beginning of a piece of a source.
    pub(super) fn new(source: &'s Source, piece: Span, watch: &'s Watch) -> Self {
        let bytes = &source.text().as_bytes()[..piece.end as usize];
        let pos = piece.start as usize;
        let look_at = watch.next_look(pos, bytes.len(), BYTES_PER_LOOK);
        Self { source, bytes, pos, watch, may_read: &bytes[..look_at], ended: false }
    }

    /// The token at `start`, where what may be read ends: looks whether there is more.
    fn read_on(&mut self, start: usize) -> Token {
        if self.goes_on(start) {
            return self.next();
        }
        self.ended = true;
        self.token(TokenKind::EndOfFile, start)
    }

    /// Looks whether the text goes on at `pos`, where what may be read ends; then more of it may be read.
    #[cold] // Without it `parse_json` takes 4 % more instructions.
    fn goes_on(&mut self, pos: usize) -> bool {
        let n_bytes = self.bytes.len();
        let goes_on = self.watch.look().is_none() && pos < n_bytes;
        if goes_on {
            self.may_read = &self.bytes[..self.watch.next_look(pos + 1, n_bytes, BYTES_PER_LOOK)];
        }
        goes_on
    }

    /// The next token; again and again the end of the file after the last one.
    pub(super) fn next(&mut self) -> Token {
        if self.ended {
            return self.token(TokenKind::EndOfFile, self.pos);
        }
        self.pos = BLANK.skip(self.may_read, self.pos);
        let start = self.pos;
        let Some(&first) = self.may_read.get(start) else { return self.read_on(start) };
        let kind = match first {
            b'{' => TokenKind::BraceOpen,
            b'}' => TokenKind::BraceClose,
            b'[' => TokenKind::BracketOpen,
            b']' => TokenKind::BracketClose,
            b',' => TokenKind::Comma,
            b':' => TokenKind::Colon,
            b'=' => TokenKind::Equals,
            b'"' => {
                self.pos = self.end_of_string(start + 1);
                return self.token(TokenKind::String, start);
            }
            b'-' | b'+' | b'.' | b'0'..=b'9' => {
                self.pos = self.run(start, &NUMBER);
                return self.token(TokenKind::Number, start);
            }
            _ if first.is_ascii_alphabetic() => {
                self.pos = self.run(start, &KEYWORD);
                return self.token(TokenKind::Keyword, start);
            }
            _ => {
                self.ended = true;
                TokenKind::Invalid
            }
        };
        self.pos += 1;
        self.token(kind, start)
    }

    /// The end of the run of such bytes that begins at `start`, or where the work is to end.
    fn run(&mut self, start: usize, set: &ByteSet) -> usize {
        let mut end = start;
        loop {
            end = set.skip(self.may_read, end);
            if end < self.may_read.len() || !self.goes_on(end) {
                return end;
            }
        }
    }

    /// The end of the string whose text begins at `start`: after its closing quote, or before a control
    /// character, or the end of the text, or where the work is to end.
    fn end_of_string(&mut self, start: usize) -> usize {
        let mut pos = start;
        loop {
            pos = json_string_stop(self.may_read, pos);
            match self.may_read.get(pos..).unwrap_or_default() {
                [] if self.goes_on(pos) => {}
                [] => return pos,
                [b'"', ..] => return pos + 1,
                // The byte that is escaped may lie behind all that may be read.
                [b'\\', ..] if matches!(self.bytes.get(pos + 1), Some(b'"' | b'\\')) => pos += 2,
                [b'\\', ..] => pos += 1,
                _ if !self.is_bad_byte(pos) => return pos,
                _ => pos += 1,
            }
        }
    }

    fn is_bad_byte(&self, pos: usize) -> bool {
        self.bytes[pos] == Source::BAD_BYTE && self.source.is_bad_byte(offset(pos))
    }

    fn token(&self, kind: TokenKind, start: usize) -> Token {
        Token { kind, span: Span::new(offset(start), offset(self.pos)) }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a source is at most Source::MAX_LEN long")]
fn offset(pos: usize) -> u32 {
    pos as u32
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, tokens};
    use crate::limits::Watch;
    use crate::source::Source;

    #[test]
    fn strings_end_at_the_first_quote_that_is_not_escaped() {
        let texts = [
            (r#""a"b"#, 3),
            (r#""a\"b"c"#, 6),
            (r#""a\\"b"#, 5),
            (r#""a\\\"b"c"#, 8),
            (r#""a\nb"c"#, 6),
            ("\"a\\\nb\"", 3),
            ("\"a\nb\"", 2),
            ("\"a\\", 3),
            ("\"", 1),
        ];
        for (text, len) in texts {
            let source = Source::json("s", text).unwrap();
            let first = tokens(&source, source.span(), &Watch::idle()).next().unwrap();
            assert_eq!((first.kind, first.span.len()), (TokenKind::String, len), "{text}");
        }
        // Stand-ins of bytes that are no UTF-8 are no control characters; the character of the same number is one.
        for (text, len) in [(&b"\"a\xff\\\xff\"b"[..], 6), (b"\"a\x1a\"", 2)] {
            let source = Source::json("s", text).unwrap();
            let first = tokens(&source, source.span(), &Watch::idle()).next().unwrap();
            assert_eq!(first.span.len(), len, "{text:?}");
        }
    }
}
