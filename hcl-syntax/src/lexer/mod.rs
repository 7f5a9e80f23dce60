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

use characters::{continues_name, starts_name};
use smallvec::SmallVec;

use crate::config::{Bounds, Unbounded};
use crate::limits::{BYTES_PER_LOOK, Stopped, Watch};
use crate::parser::ParseLimits;
use crate::source::{Grammar, Source, Span};
use crate::token::{Token, TokenKind};

pub(crate) use characters::{
    ByteSet, DIGIT, ascii_stop, find_newlines, indentation_end, json_string_stop, quoted_stop,
};
pub(crate) use normal::{ROLES, Role, may_join};
pub use problems::diagnostics;
pub(crate) use problems::diagnostics_on;
pub(crate) use problems::is_problem;
pub(crate) use template::Within;

/// The result of scanning a text.
pub(crate) struct Scan {
    pub(crate) tokens: Vec<Token>,
    /// True if [`diagnostics`] may find something wrong with the tokens.
    pub(crate) has_problems: bool,
}

/// All tokens of `source`, comments included, in order.
///
/// ```
/// use hcl_syntax::{lexer, source::Source, token::TokenKind};
///
/// let source = Source::new("main.hcl", "port = 80 # usual").unwrap();
/// let kinds: Vec<TokenKind> = lexer::tokens(&source).iter().map(|token| token.kind).collect();
/// assert_eq!(kinds[..2], [TokenKind::Identifier, TokenKind::Assign]);
/// assert_eq!(kinds[2..], [TokenKind::Number, TokenKind::Comment, TokenKind::EndOfFile]);
/// ```
pub fn tokens(source: &Source) -> Vec<Token> {
    piece_tokens(source, source.span(), source.grammar(), &Watch::idle())
}

/// [`tokens`] with looks at the deadline and the token of the limits.
///
/// # Errors
/// The work is to end.
pub(crate) fn tokens_within(source: &Source, limits: &ParseLimits) -> Result<Vec<Token>, Stopped> {
    let watch = Watch::of(source, limits);
    let tokens = piece_tokens(source, source.span(), source.grammar(), &watch);
    watch.stopped().map_or(Ok(tokens), Err)
}

/// The tokens of a piece of `source` that the grammar looks at. Those of its beginning if the work is to end.
pub(crate) fn scan(source: &Source, piece: Span, grammar: Grammar, watch: &Watch) -> Scan {
    Lexer::new(source, (piece, grammar), Detail::Grammar, watch).run()
}

/// All tokens of a piece of `source`, shared or not. Those of its beginning if the work is to end.
fn piece_tokens(source: &Source, piece: Span, grammar: Grammar, watch: &Watch) -> Vec<Token> {
    Lexer::new(source, (piece, grammar), Detail::Full, watch).run().tokens
}

/// Returns true if `text` is exactly one identifier.
///
/// ```
/// assert!(hcl_syntax::lexer::is_identifier("instance-type"));
/// assert!(!hcl_syntax::lexer::is_identifier("1st"));
/// ```
pub fn is_identifier(text: &str) -> bool {
    is_identifier_within(text, &mut Unbounded)
}

/// [`is_identifier`] within bounds; true if they end it, for then nobody is to complain.
///
/// ```
/// use hcl_syntax::config::Unbounded;
///
/// assert!(!hcl_syntax::lexer::is_identifier_within("1st", &mut Unbounded));
/// ```
pub fn is_identifier_within(text: &str, bounds: &mut dyn Bounds) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(starts_name)
        && characters.take_while(|_| bounds.goes_on(1)).all(continues_name)
}

/// [`is_identifier`]; true if the work is to end.
pub(crate) fn is_identifier_on(text: &str, mut watch: &Watch) -> bool {
    if text.len() <= BYTES_PER_LOOK { is_identifier(text) } else { is_identifier_within(text, &mut watch) }
}

/// Of what tokens are made.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Debug)]
pub(crate) enum Detail {
    /// Of all that the grammar looks at: not of block comments, which mean nothing anywhere. Line comments are tokens,
    /// because each stands for the newline it includes; one that ends with the text has none, and is no token.
    Grammar,
    /// Of everything.
    Full,
}

/// How the text at hand is to be read.
#[derive(Copy, Clone)]
enum Mode {
    /// Configuration or expression; `depth` braces are open since it began.
    Normal { depth: u32 },
    /// The text of a template.
    Template(Within),
}

const _: () = assert!(size_of::<Mode>() == 12);

/// A text in which tokens are looked for: each method finds one, where the grammar or a mode says what may stand there.
#[derive(Copy, Clone)]
pub(crate) struct Scanner<'s> {
    pub(crate) source: &'s Source,
    /// As much of the source's text as is scanned.
    pub(crate) text: &'s str,
    /// Is looked at within long tokens.
    pub(crate) watch: &'s Watch,
}

/// The scanner at work: on all of a text at once, or on one stretch of it after the other.
pub(crate) struct Lexer<'s> {
    scanner: Scanner<'s>,
    /// How much of the text is scanned.
    pos: usize,
    /// How much of it is to be scanned for now.
    stretch_end: usize,
    /// Where the watch is to be looked at.
    look_at: usize,
    mode: Mode,
    /// The modes to return to, innermost last.
    outer: SmallVec<[Mode; 4]>,
    /// The tokens that have been scanned and not been taken away.
    pub(crate) tokens: Vec<Token>,
    detail: Detail,
    /// True as long as a `*/` may lie ahead. Once a search has failed, no other is made.
    comment_may_end: bool,
    /// True if there are tokens that make no sense.
    pub(crate) has_problems: bool,
}

impl<'s> Lexer<'s> {
    /// A scanner of a whole source that has not begun yet.
    pub(crate) fn of_source(source: &'s Source, detail: Detail, watch: &'s Watch) -> Self {
        Self::new(source, (source.span(), source.grammar()), detail, watch)
    }

    /// A scanner of a piece of a source that has not begun yet.
    pub(crate) fn new(
        source: &'s Source,
        (piece, grammar): (Span, Grammar),
        detail: Detail,
        watch: &'s Watch,
    ) -> Self {
        let scanner = Scanner::new(source, piece, watch);
        let pos = scanner.start_of(piece);
        Self {
            scanner,
            pos,
            stretch_end: pos,
            look_at: pos,
            mode: match grammar {
                Grammar::Config | Grammar::Json => Mode::Normal { depth: 0 },
                Grammar::Template => Mode::Template(Within::Nothing),
            },
            outer: SmallVec::new(),
            tokens: Vec::new(),
            detail,
            comment_may_end: true,
            has_problems: false,
        }
    }

    /// Scans another `len` bytes, give or take what a token needs to its end; whether there is more to scan.
    /// The end of the file is the last token, also where the work ends early.
    pub(crate) fn scan_on(&mut self, len: usize) -> bool {
        let (pos, text_len) = (self.pos, self.scanner.text.len());
        self.stretch_end = pos.saturating_add(len).min(text_len);
        self.look_at = self.scanner.watch.next_look(pos, self.stretch_end, BYTES_PER_LOOK);
        self.scanner.watch.make_room(&mut self.tokens, usual_n_tokens(self.look_at - pos));
        while self.pos < self.stretch_end && self.may_go_on(self.pos) {
            self.scan_mode();
        }
        let has_more = self.pos < text_len && self.scanner.watch.look().is_none();
        if !has_more {
            self.push(TokenKind::EndOfFile, text_len, text_len);
        }
        has_more
    }

    /// Returns whether scanning may go on at `pos`; asks the watch where it is time to.
    fn may_go_on(&mut self, pos: usize) -> bool {
        pos < self.look_at || self.look(pos)
    }

    /// Scans until the mode changes, the text ends, or the watch is to be looked at.
    fn scan_mode(&mut self) {
        match self.mode {
            Mode::Normal { depth } => self.normal(depth),
            Mode::Template(within) => self.template(within),
        }
    }

    fn look(&mut self, pos: usize) -> bool {
        let goes_on = self.scanner.watch.look().is_none();
        // Bytes that are no UTF-8 may go on beyond the stretch.
        let end = if pos < self.stretch_end { self.stretch_end } else { self.scanner.text.len() };
        self.look_at = self.scanner.watch.next_look(pos, end, BYTES_PER_LOOK);
        self.make_room(pos);
        goes_on
    }

    /// Makes room for the tokens up to the next look where the list is about to grow: a long list is moved with looks between.
    fn make_room(&mut self, pos: usize) {
        let (n, start) =
            (self.tokens.len(), self.tokens.first().map_or(pos, |first| first.span.start as usize));
        // Twice as many as there would be if they stay as dense as up to here.
        let n_soon = 2 * n.saturating_mul(BYTES_PER_LOOK) / pos.saturating_sub(start).max(1);
        self.scanner.watch.make_room(&mut self.tokens, n_soon);
    }

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

    fn run(mut self) -> Scan {
        self.scan_on(usize::MAX);
        Scan { tokens: self.tokens, has_problems: self.has_problems }
    }
}

impl<'s> Scanner<'s> {
    /// Of a piece of `source`.
    pub(crate) fn new(source: &'s Source, piece: Span, watch: &'s Watch) -> Self {
        Self { source, text: source.slice(Span::new(0, piece.end)), watch }
    }

    /// Where the first token of the piece may begin.
    pub(crate) fn start_of(&self, piece: Span) -> usize {
        let has_mark = piece.start == 0 && self.text.starts_with(BYTE_ORDER_MARK);
        if has_mark { BYTE_ORDER_MARK.len_utf8() } else { piece.start as usize }
    }

    /// True if the byte at `pos` stands for one that is not UTF-8.
    fn is_bad_byte(&self, pos: usize) -> bool {
        self.text.as_bytes().get(pos) == Some(&Source::BAD_BYTE) && self.source.is_bad_byte(offset(pos))
    }
}

/// How many tokens a text of `len` bytes usually has at most. Real files have one every four to six bytes, short
/// expressions one every two to four.
pub(crate) fn usual_n_tokens(len: usize) -> usize {
    const SHORT: usize = 40;
    len / 4 + len.min(SHORT) / 2 + 2
}

const BYTE_ORDER_MARK: char = '\u{feff}';

fn span(start: usize, end: usize) -> Span {
    Span::new(offset(start), offset(end))
}

#[expect(clippy::cast_possible_truncation, reason = "a source is at most Source::MAX_LEN long")]
fn offset(pos: usize) -> u32 {
    pos as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_have_the_tokens_of_the_whole() {
        let texts: [&[u8]; 10] = [
            b"",
            b"\xef\xbb\xbfa = 1",
            b"a = \"x${ { b = \"c\" }.b }y\\n$${z}%{ if t }1%{ endif ~}\"\r\nb = [1, # two\n 2]",
            b"a = <<-END\n  x ${ y } $\n\n  %{ for a in b }\n $z\n\n END \n  END\nb = 1 /* c\n */\n",
            b"a = <<END\n\xff\nEND\n\xff${ \"END\" }\nEND\n",
            b"a = <<END\nx\n\xffEND\nb = 1\n",
            b"a = <<END\nx\ry\nEND\n",
            b"a = \"unclosed\nb = \\ \"\xff${\n",
            b"}}} ~} /* // ; ' ` & | ^ 1.5e+3 a-b\xc3\xa9 \xe2\x80\x9c",
            b"b \"l\" {\n  # c\n  a = {\n}\n}\n",
        ];
        let watch = Watch::idle();
        for (text, detail) in
            texts.iter().flat_map(|text| [Detail::Grammar, Detail::Full].map(|detail| (text, detail)))
        {
            for grammar in [Grammar::Config, Grammar::Template] {
                let source = Source::with_grammar("input", *text, grammar, crate::source::Pos::START);
                let source = source.expect("a short text");
                let whole = Lexer::of_source(&source, detail, &watch).run();
                for len in 1..9 {
                    let mut lexer = Lexer::of_source(&source, detail, &watch);
                    while lexer.scan_on(len) {}
                    assert_eq!(lexer.tokens, whole.tokens, "{len} bytes of {text:?} at once");
                    assert_eq!(lexer.has_problems, whole.has_problems);
                }
            }
        }
    }
}
