//! The scanner: source text to tokens.
//!
//! Scanning never fails. Tokens come in order and tile the text: between them lie only spaces and tabs,
//! and the byte order mark that may open a text; the last token is an empty
//! [`EndOfFile`](TokenKind::EndOfFile). What makes no sense becomes a token that says so, and
//! [`diagnostics`] words the complaint. Time is linear in the text for any input: nothing is looked
//! for twice.
//!
//! What a byte means depends on the mode: normal, inside a quoted template, inside a heredoc, inside a
//! bare template. Modes nest through interpolations; the stack of outer modes is a vector, so nesting
//! costs no call stack. `normal` and `template` scan one mode each, `shape` knows the tokens that have
//! an inner grammar, `characters` the tables.

mod characters;
mod normal;
mod problems;
mod shape;
mod template;

use std::cell::Cell;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::limits::Watch;
use crate::source::{Grammar, Source, Span};
use crate::token::{Token, TokenKind};

pub(crate) use characters::ByteSet;
pub use problems::diagnostics;

/// What the scanner makes of a text.
pub(crate) struct Scan {
    pub(crate) tokens: Vec<Token>,
    /// Whether [`diagnostics`] may have something to say about them.
    pub(crate) has_problems: bool,
}

/// All tokens of `source`, comments included, in order.
///
/// ```
/// use std::sync::Arc;
/// use hcl_syntax::{lexer, source::Source, token::TokenKind};
///
/// let source = Arc::new(Source::new("main.hcl", "port = 80 # usual").unwrap());
/// let kinds: Vec<TokenKind> = lexer::tokens(&source).iter().map(|token| token.kind).collect();
/// assert_eq!(kinds[..2], [TokenKind::Identifier, TokenKind::Assign]);
/// assert_eq!(kinds[2..], [TokenKind::Number, TokenKind::Comment, TokenKind::EndOfFile]);
/// ```
pub fn tokens(source: &Arc<Source>) -> Vec<Token> {
    piece_tokens(source, source.span(), source.grammar())
}

/// The tokens that the grammar looks at, in this detail. Those of the text's beginning if the work is to end. They lie where
/// `old` ones did, if there is room.
pub(crate) fn scan(source: &Source, detail: Detail, watch: &Watch, mut old: Vec<Token>) -> Scan {
    old.clear();
    Lexer { tokens: old, ..Lexer::of_source(source, detail, watch) }.run()
}

/// The same for a piece of `source` that is scanned on its own.
pub(crate) fn scan_piece(source: &Source, piece: Span, grammar: Grammar, watch: &Watch) -> Scan {
    Lexer::new(source, (piece, grammar), Detail::Grammar, watch).run()
}

/// All tokens of a piece of `source`, shared or not.
pub(crate) fn piece_tokens(source: &Source, piece: Span, grammar: Grammar) -> Vec<Token> {
    Lexer::new(source, (piece, grammar), Detail::Full, &Watch::idle()).run().tokens
}

/// Whether `text` is exactly one identifier.
///
/// ```
/// assert!(hcl_syntax::lexer::is_identifier("instance-type"));
/// assert!(!hcl_syntax::lexer::is_identifier("1st"));
/// ```
pub fn is_identifier(text: &str) -> bool {
    shape::identifier(text).is_ok_and(|(rest, _)| rest.is_empty())
}

/// Of what tokens are made.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Debug)]
pub(crate) enum Detail {
    /// As [`Grammar`](Self::Grammar), but quoted templates that are plain text are one token. That is enough for texts
    /// without errors.
    PlainQuoted,
    /// Of all that the grammar looks at: not of block comments, which mean nothing anywhere. Line comments are tokens,
    /// because each stands for the newline it includes; one that ends with the text has none, and is no token.
    Grammar,
    /// Of everything.
    Full,
}

/// Where a scanner puts its tokens.
pub(crate) trait TokenList: Default {
    /// Makes room for so many more.
    fn reserve(&mut self, n_more: usize);
    /// Adds one.
    fn push(&mut self, token: Token);
}

impl TokenList for Vec<Token> {
    #[inline]
    fn reserve(&mut self, n_more: usize) {
        self.reserve(n_more);
    }

    #[inline]
    fn push(&mut self, token: Token) {
        self.push(token);
    }
}

/// Places for tokens that somebody else sees, too.
#[derive(Default)]
pub(crate) struct Window<'s> {
    places: &'s [Cell<Token>],
    n_filled: usize,
    /// Tokens for which there was no place, from `n_taken` on.
    rest: Vec<Token>,
    n_taken: usize,
}

impl<'s> Window<'s> {
    /// Goes on at these places, behind the first `n_kept`, with what is left over.
    fn begin(&mut self, places: &'s [Cell<Token>], n_kept: usize) {
        let pending = &self.rest[self.n_taken..];
        for (place, token) in places[n_kept..].iter().zip(pending) {
            place.set(*token);
        }
        let n_moved = pending.len().min(places.len() - n_kept);
        self.n_taken += n_moved;
        if self.n_taken == self.rest.len() {
            self.rest.clear();
            self.n_taken = 0;
        }
        self.places = places;
        self.n_filled = n_kept + n_moved;
    }

    #[cold]
    fn leave_over(&mut self, token: Token) {
        self.rest.push(token);
    }
}

impl TokenList for Window<'_> {
    fn reserve(&mut self, _: usize) {}

    #[inline]
    fn push(&mut self, token: Token) {
        match self.places.get(self.n_filled) {
            Some(place) => {
                place.set(token);
                self.n_filled += 1;
            }
            None => self.leave_over(token),
        }
    }
}

/// How the text at hand is to be read.
#[derive(Copy, Clone)]
enum Mode {
    /// Configuration or expression; `depth` braces are open since it began.
    Normal { depth: u32 },
    /// Between quotes.
    Quoted,
    /// Below a heredoc's introducer, up to a line that is `marker`.
    Heredoc { marker: Span },
    /// A template without delimiters.
    Bare,
}

const _: () = assert!(size_of::<Mode>() == 12);

/// The scanner at work: on all of a text at once, or on one stretch of it after the other.
pub(crate) struct Lexer<'s, L = Vec<Token>> {
    source: &'s Source,
    text: &'s str,
    /// How much of the text is scanned.
    pos: usize,
    /// Whether there is more to scan.
    has_more: bool,
    /// How much of it is to be scanned for now.
    stretch_end: usize,
    watch: &'s Watch,
    /// Where it is to be looked at.
    look_at: usize,
    mode: Mode,
    /// The modes to return to, innermost last.
    outer: SmallVec<[Mode; 4]>,
    /// What has been scanned, and not been taken away.
    pub(crate) tokens: L,
    detail: Detail,
    /// Whether a `*/` may still lie ahead. Once a search has failed, no other is made.
    comment_may_end: bool,
    /// Whether there are tokens that make no sense.
    pub(crate) has_problems: bool,
}

impl<'s, L: TokenList> Lexer<'s, L> {
    /// A scanner of a whole source that has not begun yet.
    pub(crate) fn of_source(source: &'s Source, detail: Detail, watch: &'s Watch) -> Self {
        Self::new(source, (source.span(), source.grammar()), detail, watch)
    }

    fn new(source: &'s Source, (piece, grammar): (Span, Grammar), detail: Detail, watch: &'s Watch) -> Self {
        let text = source.slice(Span::new(0, piece.end));
        let has_mark = piece.start == 0 && text.starts_with(BYTE_ORDER_MARK);
        let pos = if has_mark { BYTE_ORDER_MARK.len_utf8() } else { piece.start as usize };
        Self {
            source,
            text,
            pos,
            has_more: true,
            stretch_end: pos,
            watch,
            look_at: pos,
            mode: match grammar {
                Grammar::Config | Grammar::Json => Mode::Normal { depth: 0 },
                Grammar::Template => Mode::Bare,
            },
            outer: SmallVec::new(),
            tokens: L::default(),
            detail,
            comment_may_end: true,
            has_problems: false,
        }
    }

    /// Scans another `len` bytes, give or take what a token or a mode needs to its end; whether there is more to scan.
    /// The end of the file is the last token, also where the work ends early.
    #[inline(never)]
    pub(crate) fn scan_on(&mut self, len: usize) -> bool {
        let (pos, text_len) = (self.pos, self.text.len());
        self.stretch_end = pos.saturating_add(len).min(text_len);
        self.look_at = self.watch.next_look(pos, self.stretch_end, BYTES_PER_LOOK);
        self.tokens.reserve(usual_n_tokens(self.stretch_end - pos));
        while self.pos < self.stretch_end && self.may_go_on(self.pos) {
            match self.mode {
                Mode::Normal { depth } => self.normal(depth),
                Mode::Quoted => self.quoted(),
                Mode::Heredoc { marker } => self.lines(Some(marker)),
                Mode::Bare => self.lines(None),
            }
        }
        self.has_more = self.pos < text_len && self.watch.look().is_none();
        if !self.has_more {
            self.push(TokenKind::EndOfFile, text_len, text_len);
        }
        self.has_more
    }

    /// Whether to go on at `pos`: looks at the watch where it is time to.
    #[inline]
    fn may_go_on(&mut self, pos: usize) -> bool {
        pos < self.look_at || self.look(pos)
    }

    #[cold]
    fn look(&mut self, pos: usize) -> bool {
        let goes_on = self.watch.look().is_none();
        // A mode that ends beyond the stretch goes on to its end.
        let end = if pos < self.stretch_end { self.stretch_end } else { self.text.len() };
        self.look_at = self.watch.next_look(pos, end, BYTES_PER_LOOK);
        goes_on
    }

    #[inline]
    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.tokens.push(Token { kind, span: span(start, end) });
    }

    /// Reads on in `mode` until it ends, then as before.
    fn enter(&mut self, mode: Mode) {
        self.outer.push(self.mode);
        self.mode = mode;
    }

    /// Returns to the mode that `enter` left.
    fn leave(&mut self) {
        if let Some(mode) = self.outer.pop() {
            self.mode = mode;
        }
    }

    /// Whether the byte at `pos` stands for one that is not UTF-8.
    fn is_bad_byte(&self, pos: usize) -> bool {
        self.text.as_bytes().get(pos) == Some(&Source::BAD_BYTE) && self.source.is_bad_byte(offset(pos))
    }
}

impl Lexer<'_> {
    fn run(mut self) -> Scan {
        self.scan_on(usize::MAX);
        Scan { tokens: self.tokens, has_problems: self.has_problems }
    }
}

impl<'s> Lexer<'s, Window<'s>> {
    /// Puts more tokens into a window, behind its first `n_kept`. How many it holds then, and whether there are more.
    pub(crate) fn fill(&mut self, places: &'s [Cell<Token>], n_kept: usize) -> (usize, bool) {
        self.tokens.begin(places, n_kept);
        // Half of the places are enough.
        while self.has_more && self.tokens.n_filled < (places.len() / 2).max(n_kept + 1).min(places.len()) {
            self.scan_on((places.len() - self.tokens.n_filled) * BYTES_PER_TOKEN);
        }
        (self.tokens.n_filled, self.has_more || !self.tokens.rest.is_empty())
    }
}

/// How many tokens a text of `len` bytes usually has at most. Real files have one every four to six bytes, short
/// expressions one every two to four.
pub(crate) fn usual_n_tokens(len: usize) -> usize {
    const SHORT: usize = 40;
    len / 4 + len.min(SHORT) / 2 + 2
}

/// For how many bytes there is a token in dense texts.
const BYTES_PER_TOKEN: usize = 3;

/// How much of a text is scanned between two looks at the watch, give or take a token.
const BYTES_PER_LOOK: usize = 1 << 16;

const BYTE_ORDER_MARK: char = '\u{feff}';

#[inline]
fn span(start: usize, end: usize) -> Span {
    Span::new(offset(start), offset(end))
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a source is at most Source::MAX_LEN long")]
fn offset(pos: usize) -> u32 {
    pos as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_have_the_tokens_of_the_whole() {
        let texts: [&[u8]; 9] = [
            b"",
            b"\xef\xbb\xbfa = 1",
            b"a = \"x${ { b = \"c\" }.b }y\\n$${z}%{ if t }1%{ endif ~}\"\r\nb = [1, # two\n 2]",
            b"a = <<-END\n  x ${ y } $\n\n  %{ for a in b }\n $z\n\n END \n  END\nb = 1 /* c\n */\n",
            b"a = <<END\n\xff\nEND\n\xff${ \"END\" }\nEND\n",
            b"a = <<END\nx\ry\nEND\n",
            b"a = \"unclosed\nb = \\ \"\xff${\n",
            b"}}} ~} /* // ; ' ` & | ^ 1.5e+3 a-b\xc3\xa9 \xe2\x80\x9c",
            b"b \"l\" {\n  # c\n  a = {\n}\n}\n",
        ];
        let watch = Watch::idle();
        for (text, detail) in texts.iter().flat_map(|text| {
            [Detail::PlainQuoted, Detail::Grammar, Detail::Full].map(|detail| (text, detail))
        }) {
            for grammar in [Grammar::Config, Grammar::Template] {
                let source = Source::with_grammar("input", *text, grammar, crate::source::Pos::START);
                let source = source.expect("a short text");
                let whole = Lexer::of_source(&source, detail, &watch).run();
                for len in 1..9 {
                    let mut lexer = <Lexer<'_>>::of_source(&source, detail, &watch);
                    while lexer.scan_on(len) {}
                    assert_eq!(lexer.tokens, whole.tokens, "{len} bytes of {text:?} at once");
                    assert_eq!(lexer.has_problems, whole.has_problems);
                }
            }
        }
    }
}
