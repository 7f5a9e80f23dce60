//! Texts without errors, read straight from their bytes: no list of tokens is made.
//!
//! Nearly all texts are without errors, and of these a tree can be made faster than of tokens: what a byte begins is decided
//! once, by the place in the grammar where it is found. This reader knows all of the grammar and nothing of errors. Where
//! something stands that it does not expect it gives up, and [the other one](super) reads the text from the beginning, by
//! its tokens: that one says what is right, what is wrong, and how to go on behind it. Whatever this one makes of a text is
//! what that one would make of it, node by node; the tests compare the two.
//!
//! Methods answer with nothing where they give up. Templates with `$${` or `%%{`, and heredocs, are read by their tokens
//! here, too: only by theirs.

mod expression;
mod structure;
mod template;
#[cfg(test)]
mod tests;
mod traversal;

use memchr::{memchr, memmem};

use super::ParseLimits;
use super::cursor::Newlines;
use super::state::{LEVELS_PER_CHECK, STACK_ADDED, STACK_NEEDED, Scratch};
use crate::ast::{BodyId, ExprId, Lists};
use crate::diagnostic::Diagnostics;
use crate::lexer::{self, ByteSet, indentation_end, is_name_start, name_end};
use crate::limits::Watch;
use crate::source::{Source, Span};
use crate::token::Token;

/// What blanks, newlines and comments begin with.
static TRIVIA: ByteSet = ByteSet::of(b" \t\r\n#/");

/// How much of a text is read between two looks at the watch, give or take a token.
const BYTES_PER_LOOK: usize = 1 << 16;
/// How much of a long text tells what the rest of it will need.
const SAMPLE: usize = 1 << 13;

/// What stands for the end of the text, and for whatever no grammar rule mentions.
const NOTHING: u8 = 0;

/// A reader at work on one source.
struct Reader<'s> {
    source: &'s Source,
    text: &'s str,
    /// What is next: not read yet, blanks may stand before it.
    pos: usize,
    newlines: Newlines,
    tree: &'s mut Lists,
    /// Lent to the other reader for templates that are read by their tokens.
    scratch: Scratch,
    depth: u32,
    /// May be less than the limits allow, because levels are counted more often here.
    max_depth: u32,
    n_templates: u32,
    /// Whether a template has errors, so that it is in vain to read those around it again.
    has_errors: bool,
    watch: &'s Watch,
    /// Where it is to be looked at.
    look_at: usize,
    /// Whether the tree has room for what all of the text will need.
    has_room: bool,
    limits: &'s ParseLimits,
    /// Room for the tokens of such a template.
    tokens: Vec<Token>,
}

/// A file without errors, or as much of it as was read before the watch stopped the work, which is said then.
pub(super) fn file(
    source: &Source,
    limits: &ParseLimits,
    watch: &Watch,
) -> Option<(BodyId, Lists, Diagnostics)> {
    let n_expected = n_expected(source)?;
    let mut tree = Lists::for_file(n_expected);
    let body = Reader::new(source, &mut tree, Newlines::Significant, limits, watch).file_body()?;
    tree.shrink(n_expected);
    let stopped = watch.stopped().map(|stopped| stopped.diagnostic("Parsing", source.name()));
    Some((body, tree, stopped.into_iter().collect()))
}

/// An expression without errors that makes up the whole text.
pub(super) fn expression(source: &Source, limits: &ParseLimits, watch: &Watch) -> Option<(ExprId, Lists)> {
    let n_expected = n_expected(source)?;
    let mut tree = Lists::new(n_expected);
    let root = Reader::new(source, &mut tree, Newlines::Ignored, limits, watch).whole_expression()?;
    if watch.stopped().is_some() {
        return None;
    }
    tree.shrink(n_expected);
    Some((root, tree))
}

/// How many tokens a text may have, or the beginning of a long one. What can't be read directly has none.
fn n_expected(source: &Source) -> Option<usize> {
    (!source.has_bad_bytes()).then(|| lexer::usual_n_tokens(source.text().len().min(2 * SAMPLE)))
}

impl<'s> Reader<'s> {
    #[inline(always)]
    fn new(
        source: &'s Source,
        tree: &'s mut Lists,
        newlines: Newlines,
        limits: &'s ParseLimits,
        watch: &'s Watch,
    ) -> Self {
        let text = source.text();
        let mut reader = Self {
            source,
            text,
            pos: lexer::start_of(text),
            newlines,
            tree,
            scratch: Scratch::default(),
            depth: 0,
            max_depth: limits.max_depth / 2,
            n_templates: 0,
            has_errors: false,
            watch,
            look_at: 0,
            has_room: text.len() <= 2 * SAMPLE,
            limits,
            tokens: Vec::new(),
        };
        reader.plan_look();
        reader
    }

    fn plan_look(&mut self) {
        let next = self.watch.next_look(self.pos, self.text.len() + 1, BYTES_PER_LOOK);
        self.look_at = if self.has_room { next } else { next.min(SAMPLE) };
    }

    /// Looks whether the work is to end, where it is time to.
    #[inline(always)]
    fn may_go_on(&mut self) -> bool {
        self.pos < self.look_at || self.look()
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> bool {
        if !self.has_room && self.pos >= SAMPLE {
            self.has_room = true;
            self.tree.make_room_for_rest(self.pos, self.text.len());
        }
        self.plan_look();
        self.watch.look().is_none()
    }

    /// The byte at `pos`.
    #[inline(always)]
    fn byte_at(&self, pos: usize) -> u8 {
        self.text.as_bytes().get(pos).copied().unwrap_or(NOTHING)
    }

    /// Whether the text is read to its end.
    fn is_at_end(&mut self) -> bool {
        self.peek() == NOTHING && self.pos == self.text.len()
    }

    /// Whether these bytes are next.
    #[inline(always)]
    fn at(&self, bytes: &[u8]) -> bool {
        self.text.as_bytes()[self.pos..].starts_with(bytes)
    }

    #[inline(always)]
    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t') = self.text.as_bytes().get(self.pos) {
            self.pos += 1;
        }
    }

    /// The first byte of what is next: behind blanks and comments, and where newlines mean nothing also behind these. Where
    /// they count, a line comment is the newline that it includes.
    #[inline(always)]
    fn peek(&mut self) -> u8 {
        let byte = self.byte_at(self.pos);
        if !TRIVIA.has(byte) {
            return byte;
        }
        self.skip_blanks();
        match self.byte_at(self.pos) {
            b'\n' if self.newlines == Newlines::Significant => b'\n',
            b'\n' | b'#' | b'/' | b'\r' => self.behind_trivia(),
            byte => byte,
        }
    }

    /// The same where there may be some. Nothing if the work is to end.
    #[inline(never)]
    fn behind_trivia(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        if self.byte_at(self.pos) == b'\n' {
            // Mostly that is all, and an item of a list follows.
            self.take_newline();
            if let byte @ (b'"' | b'0'..=b'9' | b'a'..=b'z' | b'{' | b'}' | b'[' | b']') =
                self.byte_at(self.pos)
            {
                return byte;
            }
        }
        while self.may_go_on() {
            self.skip_blanks();
            match (self.byte_at(self.pos), self.byte_at(self.pos + 1)) {
                (b'#', _) | (b'/', b'/') => {
                    self.pos = memchr(b'\n', &bytes[self.pos..]).map_or(bytes.len(), |len| self.pos + len);
                }
                (b'/', b'*') => {
                    if self.take_block_comment().is_none() {
                        return NOTHING;
                    }
                }
                (b'\n', _) | (b'\r', b'\n') if self.newlines == Newlines::Significant => return b'\n',
                (b'\n', _) | (b'\r', b'\n') => self.take_newline(),
                (b'\r', _) => return NOTHING,
                (byte, _) => return byte,
            }
        }
        NOTHING
    }

    /// Takes the block comment that is next, if it ends.
    fn take_block_comment(&mut self) -> Option<()> {
        self.pos += memmem::find(&self.text.as_bytes()[self.pos + 2..], b"*/")? + 4;
        Some(())
    }

    /// Takes the newline that is next, and the indentation behind it.
    #[inline(always)]
    fn take_newline(&mut self) {
        let len = if self.byte_at(self.pos) == b'\r' { 2 } else { 1 };
        self.pos = indentation_end(self.text.as_bytes(), self.pos + len);
    }

    /// Takes the byte that is next: where it stands.
    #[inline(always)]
    fn take(&mut self) -> Span {
        self.pos += 1;
        span(self.pos - 1, self.pos)
    }

    /// Takes the byte that is next, if it is this one.
    #[inline(always)]
    fn eat(&mut self, byte: u8) -> Option<Span> {
        (self.peek() == byte).then(|| self.take())
    }

    /// Takes a name, if one is next.
    #[inline(never)]
    fn eat_name(&mut self) -> Option<Span> {
        let byte = self.peek();
        self.name_that_begins_with(byte)
    }

    /// Takes a name, if one begins with the byte that is next.
    #[inline(always)]
    fn name_that_begins_with(&mut self, byte: u8) -> Option<Span> {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let start = self.pos;
                self.pos = name_end(self.text, start + 1);
                Some(span(start, self.pos))
            }
            0x80.. => self.name_beyond_ascii(),
            _ => None,
        }
    }

    #[cold]
    fn name_beyond_ascii(&mut self) -> Option<Span> {
        let first = self.text[self.pos..].chars().next().filter(|&first| is_name_start(first))?;
        let start = self.pos;
        self.pos = name_end(self.text, start + first.len_utf8());
        Some(span(start, self.pos))
    }

    /// Whether the name that is next is this word.
    #[inline(always)]
    fn at_word(&self, word: &str) -> bool {
        self.at(word.as_bytes()) && name_end(self.text, self.pos + word.len()) == self.pos + word.len()
    }

    /// Changes whether newlines count; what was before.
    #[inline(always)]
    fn set_newlines(&mut self, newlines: Newlines) -> Newlines {
        std::mem::replace(&mut self.newlines, newlines)
    }

    /// The bytes at `span`.
    #[inline(always)]
    fn bytes(&self, span: Span) -> &'s [u8] {
        self.text.as_bytes().get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Reads something one level deeper, if there may be one. What reads it should not be inlined: it is called here twice.
    #[inline(always)]
    fn nested<A, T>(&mut self, read: fn(&mut Self, A) -> Option<T>, about: A) -> Option<T> {
        if self.depth >= self.max_depth {
            return None;
        }
        self.depth += 1;
        let result = if self.depth.is_multiple_of(LEVELS_PER_CHECK) {
            self.with_room(read, about)
        } else {
            read(self, about)
        };
        self.depth -= 1;
        result
    }

    /// The same with enough of a stack.
    #[cold]
    #[inline(never)]
    fn with_room<A, T>(&mut self, read: fn(&mut Self, A) -> Option<T>, about: A) -> Option<T> {
        stacker::maybe_grow(STACK_NEEDED, STACK_ADDED, || read(self, about))
    }
}

#[inline(always)]
fn span(start: usize, end: usize) -> Span {
    Span::new(offset(start), offset(end))
}

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a source is at most Source::MAX_LEN long")]
fn offset(pos: usize) -> u32 {
    pos as u32
}
