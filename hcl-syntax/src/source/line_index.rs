//! Offsets to lines and columns.
//!
//! Columns count grapheme clusters, and clusters start anew at every token, so columns of text beyond
//! ASCII need the tokens: they are scanned again when the first position is asked for. What is kept is
//! small: where lines begin, and where clusters are longer than a byte. Looking a position up is a few
//! binary searches, however long the line is and however many positions are asked for.

use std::sync::Arc;

use super::text::{is_wide, n_clusters};
use super::{Grammar, Pos, Source, Span, to_u32};
use crate::clusters::Clusters;
use crate::json;
use crate::lexer::{Detail, Lexer, ascii_stop, find_newlines};
use crate::limits::{BYTES_PER_LOOK, SHORT_TEXT, Watch};
use crate::token::TokenKind;

/// Where lines begin, and what columns need beyond bytes.
pub(super) struct LineIndex {
    /// The name of the source, as all its ranges share it.
    filename: Arc<str>,
    /// The offset at which each line begins. The first begins after a byte order mark, which takes bytes
    /// but no column.
    line_starts: Vec<u32>,
    /// The runs of clusters longer than a byte, in order. Empty for ASCII text.
    wide: Vec<WideRun>,
    /// The escapes that clusters reach into or out of, in order.
    torn: Vec<TornEscape>,
    /// The pieces that are counted on their own, in order; the first begins the text.
    pieces: Vec<PieceStart>,
}

/// An escape that is one with a character before or behind it in the clusters of its token. For the place of an escape
/// clusters start anew at each escape, as in the reference.
struct TornEscape {
    span: Span,
    /// How many columns further on it begins than by the clusters of its token.
    shift_of_start: u32,
    /// And how many it ends.
    shift_of_end: u32,
}

/// Where a piece begins, in the text and for people.
struct PieceStart {
    offset: u32,
    line: usize,
    origin: Pos,
}

/// A run of grapheme clusters that are all equally long, and longer than one byte.
struct WideRun {
    start: u32,
    end: u32,
    /// Bytes in each cluster; [`NO_COLUMN`] for bytes that count for nothing.
    width: u32,
    /// How many more bytes than clusters lie before the run, from the beginning of the text on.
    surplus: u32,
}

/// The width of bytes that take no column.
const NO_COLUMN: u32 = u32::MAX;

/// The count of a cluster of which only the first characters are meant, as a bad escape may have it.
#[derive(Copy, Clone)]
enum Torn {
    /// It is not counted.
    Left,
    /// It counts as one.
    Counted,
}

/// The longest text whose index is made without a look at limits: the columns of the least favourable text of this length take
/// 5 ms.
const SHORT: usize = 1 << 16;

/// The longest such text in ASCII, of which an index takes 1 MiB at most.
const SHORT_ASCII: usize = 1 << 18;

impl LineIndex {
    /// Returns whether an index of the text is whole also where memory has run out: the diagnostic that says so has a place.
    pub(super) fn takes_little(text: &str) -> bool {
        text.len() <= SHORT_TEXT || text.len() <= SHORT && !is_wide(text.as_bytes())
    }

    /// How much memory the tokens take that columns are counted in, until the first look: 6 bytes for each of the text.
    pub(super) fn room_of_tokens(text: &str) -> usize {
        if is_wide(text.as_bytes()) { 8 * text.len().min(BYTES_PER_LOOK) } else { 0 }
    }

    /// Returns whether an index of the text takes little time and room.
    pub(super) fn is_short(text: &str) -> bool {
        text.len() <= SHORT || text.len() <= SHORT_ASCII && !is_wide(text.as_bytes())
    }

    /// The index of a source, and whether it is whole: it is not if the work is to end, or if there is no room. `has_room` is
    /// asked before a list grows by so many bytes.
    pub(super) fn new(source: &Source, watch: &Watch, has_room: HasRoom<'_>) -> (Self, bool) {
        let has_mark = source.grammar() != Grammar::Json && source.text().starts_with('\u{feff}');
        let line_starts = vec![if has_mark { to_u32('\u{feff}'.len_utf8()) } else { 0 }];
        let filename = source.name().into();
        // The first piece is there even if the index is not whole: every position is counted from one.
        let first =
            source.pieces().next().map(|piece| PieceStart { offset: 0, line: 0, origin: piece.origin });
        let pieces = first.into_iter().collect();
        let mut index = Self { filename, line_starts, wide: Vec::new(), torn: Vec::new(), pieces };
        let is_whole = index.add_lines(source, watch, has_room) && index.add_pieces(source, watch, has_room);
        if !is_whole {
            return (index, false);
        }
        let (runs, torn) = (Vec::new(), Vec::new());
        let mut wide = WideRuns { source, watch, has_room, is_full: false, runs, torn, surplus: 0 };
        wide.add_pieces();
        let is_whole = !wide.is_over();
        (index.wide, index.torn) = (wide.runs, wide.torn);
        (index, is_whole)
    }

    fn add_lines(&mut self, source: &Source, watch: &Watch, has_room: HasRoom<'_>) -> bool {
        let mut n_before = 0;
        for stretch in watch.stretches(source.text().as_bytes()) {
            if !grow(&mut self.line_starts, memchr::memchr_iter(b'\n', stretch).count(), has_room) {
                return false;
            }
            find_newlines(stretch, |newline| self.line_starts.push(to_u32(n_before + newline + 1)));
            n_before += stretch.len();
        }
        watch.stopped().is_none()
    }

    fn add_pieces(&mut self, source: &Source, watch: &Watch, has_room: HasRoom<'_>) -> bool {
        for piece in source.pieces().skip(1) {
            let goes_on = watch.count_bytes(size_of::<PieceStart>()).is_ok();
            if !goes_on || !grow(&mut self.pieces, 1, has_room) {
                return false;
            }
            let (offset, origin) = (piece.span.start, piece.origin);
            self.pieces.push(PieceStart { offset, line: self.line_at(offset), origin });
        }
        true
    }

    /// The name of the source.
    pub(super) fn filename(&self) -> &Arc<str> {
        &self.filename
    }

    /// The position of the byte at `offset`.
    pub(super) fn position(&self, offset: u32) -> Pos {
        self.position_of_cluster(offset, self.cluster(offset, Torn::Left))
    }

    /// The position at which something ends that ends before the byte at `offset`.
    pub(super) fn end_position(&self, offset: u32) -> Pos {
        self.position_of_cluster(offset, self.cluster(offset, Torn::Counted))
    }

    /// How many columns are added to both ends of a span, if it is an escape that clusters reach into or out of.
    pub(super) fn shifts(&self, span: Span) -> (u32, u32) {
        let at = self.torn.binary_search_by_key(&span.start, |torn| torn.span.start);
        match at.ok().map(|at| &self.torn[at]) {
            Some(torn) if torn.span == span => (torn.shift_of_start, torn.shift_of_end),
            _ => (0, 0),
        }
    }

    fn position_of_cluster(&self, offset: u32, cluster: u32) -> Pos {
        let after = self.pieces.partition_point(|piece| piece.offset <= offset);
        let piece = &self.pieces[after.saturating_sub(1)];
        let line = self.line_at(offset);
        let first = self.line_starts[line].max(piece.offset);
        let column = cluster.saturating_sub(self.cluster(first, Torn::Left));
        Pos {
            line: piece.origin.line.saturating_add(to_u32(line - piece.line)),
            column: if line == piece.line { piece.origin.column } else { 1 }.saturating_add(column),
            byte: piece.origin.byte.saturating_add(u64::from(offset - piece.offset)),
        }
    }

    /// The number of clusters before `offset`, line breaks counted by their bytes.
    fn cluster(&self, offset: u32, torn: Torn) -> u32 {
        let after = self.wide.partition_point(|run| run.start <= offset);
        let Some(run) = after.checked_sub(1).map(|last| &self.wide[last]) else {
            return offset;
        };
        let bytes = offset.min(run.end) - run.start;
        let clusters = match torn {
            Torn::Counted if run.width != NO_COLUMN => bytes.div_ceil(run.width),
            Torn::Counted | Torn::Left => bytes / run.width,
        };
        run.start - run.surplus + clusters + offset.saturating_sub(run.end)
    }

    /// The line, counted from 0, that holds the byte at `offset`.
    pub(super) fn line_at(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// Where the line `line` begins and ends in a text of `len` bytes, its newline included.
    pub(super) fn bounds(&self, line: usize, len: u32) -> (u32, u32) {
        let start = |line: usize| self.line_starts.get(line).copied().unwrap_or(len);
        (start(line), start(line + 1))
    }
}

/// A question for room of so many bytes.
pub(super) type HasRoom<'r> = &'r mut dyn FnMut(usize) -> bool;

/// Makes room for `n` more elements of a list; returns whether there is as much.
fn grow<T>(list: &mut Vec<T>, n: usize, has_room: HasRoom<'_>) -> bool {
    let most = list.len() + n;
    if most <= list.capacity() {
        return true;
    }
    let grown = most.max(2 * list.capacity());
    let is_there = has_room(grown * size_of::<T>());
    if is_there {
        list.reserve_exact(grown - list.len());
    }
    is_there
}

/// Wide runs as they are gathered.
struct WideRuns<'s> {
    source: &'s Source,
    watch: &'s Watch,
    has_room: HasRoom<'s>,
    /// There was no room for all.
    is_full: bool,
    runs: Vec<WideRun>,
    torn: Vec<TornEscape>,
    surplus: u32,
}

impl WideRuns<'_> {
    fn add_pieces(&mut self) {
        for piece in self.source.pieces() {
            // Pieces may be so short that nothing in them looks.
            if self.is_over() || self.watch.count_bytes(piece.span.len() as usize).is_err() {
                return;
            }
            match piece.grammar {
                Grammar::Json => self.add_json(piece.span),
                Grammar::Config | Grammar::Template => self.add_tokens(piece.span, piece.grammar),
            }
        }
    }

    /// Returns whether the work is to end, or has no room.
    fn is_over(&self) -> bool {
        self.is_full || self.watch.stopped().is_some()
    }

    fn add_tokens(&mut self, span: Span, grammar: Grammar) {
        let to_end = self.source.slice(Span::new(0, span.end)).as_bytes();
        let next_wide = |from: u32| to_u32(self.watch.run(to_end, from as usize, ascii_stop));
        let mark = if self.source.slice(span).starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        // Tokens that end before it have a column for each byte.
        let mut wide = next_wide(span.start + to_u32(mark));
        if wide == span.end {
            return;
        }
        let mut lexer = Lexer::new(self.source, (span, grammar), Detail::Full, self.watch);
        // Stretch by stretch: all tokens of a long text take several times its size.
        let mut has_more = true;
        while has_more && !self.is_over() {
            has_more = lexer.scan_on(BYTES_PER_LOOK);
            for token in lexer.tokens.drain(..) {
                if token.span.end <= wide {
                    continue;
                }
                wide = next_wide(token.span.end);
                self.add_clusters(token.span);
                if token.kind == TokenKind::QuotedLiteral {
                    self.add_torn_escapes(token.span);
                }
            }
        }
    }

    fn add_torn_escapes(&mut self, literal: Span) {
        let (text, watch) = (self.source.slice(literal), self.watch);
        let is_wide = watch.any(text.as_bytes(), |part| !part.is_ascii());
        if !is_wide || watch.find(text.as_bytes(), |part| memchr::memchr(b'\\', part)).is_none() {
            return;
        }
        let n_clusters = |text: &str| to_u32(n_clusters(text, watch));
        let mut whole = Clusters::new(text).on(watch).peekable();
        let (mut n_whole, mut n_anew, mut at) = (0, 0, 0);
        while let Some(start) = next_sequence(text, at) {
            if watch.count_bytes(start - at).is_err() {
                return;
            }
            let end = start + sequence_len(&text[start..]);
            n_anew += n_clusters(&text[at..start]);
            // By the clusters of the token an escape begins behind those that end before it.
            while whole.next_if(|cluster| cluster.end <= start).is_some() {
                n_whole += 1;
            }
            let shift_of_start = u32::saturating_sub(n_anew, n_whole);
            n_anew += n_clusters(&text[start..end]);
            // It ends behind those that begin in it.
            let inside = whole.clone().take_while(|cluster| cluster.start < end).count();
            let shift_of_end = n_anew.saturating_sub(n_whole + to_u32(inside));
            if text[start..].starts_with('\\') && (shift_of_start, shift_of_end) != (0, 0) {
                self.is_full |= !grow(&mut self.torn, 1, self.has_room);
                if self.is_full {
                    return;
                }
                let span = Span::new(literal.start + to_u32(start), literal.start + to_u32(end));
                self.torn.push(TornEscape { span, shift_of_start, shift_of_end });
            }
            at = end;
        }
    }

    /// Columns of JSON: clusters in strings, in which quotes and backslashes stand alone; bytes elsewhere,
    /// but carriage returns take no room.
    fn add_json(&mut self, span: Span) {
        if !self.watch.any(self.source.slice(span).as_bytes(), is_wide) {
            return;
        }
        let mut end = span.start;
        for token in json::tokens(self.source, span, self.watch) {
            if self.is_over() {
                return;
            }
            self.add_blanks(Span::new(end, token.span.start));
            end = token.span.end;
            if token.kind == json::TokenKind::String {
                self.add_string(token.span);
            }
        }
        self.add_blanks(Span::new(end, span.end));
    }

    fn add_blanks(&mut self, span: Span) {
        let blanks = self.source.text().as_bytes().get(span.start as usize..span.end as usize);
        for (offset, &byte) in (span.start..).zip(blanks.unwrap_or_default()) {
            if self.is_full || self.watch.count_bytes(1).is_err() {
                return;
            }
            if byte == b'\r' {
                self.add(offset, 1, NO_COLUMN);
            }
        }
    }

    fn add_string(&mut self, span: Span) {
        let mut start = span.start;
        while start < span.end && !self.is_over() {
            let rest = self.source.slice(Span::new(start, span.end));
            let alone = self.watch.find(rest.as_bytes(), |part| memchr::memchr2(b'"', b'\\', part));
            let end = alone.map_or(span.end, |alone| start + to_u32(alone));
            if self.watch.count_bytes((end - start) as usize + 1).is_err() {
                return;
            }
            self.add_clusters(Span::new(start, end));
            start = end + 1;
        }
    }

    fn add_clusters(&mut self, span: Span) {
        let text = self.source.slice(span);
        if !self.watch.any(text.as_bytes(), |part| !part.is_ascii()) {
            return;
        }
        for cluster in Clusters::new(text).on(self.watch) {
            let width = to_u32(cluster.len());
            if self.is_full {
                return;
            }
            // A line break is counted by its bytes, for nothing follows on its line.
            if width > 1 && &text[cluster.clone()] != "\r\n" {
                self.add(span.start + to_u32(cluster.start), width, width);
            }
        }
    }

    /// Adds a cluster of `len` bytes.
    fn add(&mut self, start: u32, len: u32, width: u32) {
        match self.runs.last_mut() {
            Some(run) if run.end == start && run.width == width => run.end += len,
            _ => {
                self.is_full |= !grow(&mut self.runs, 1, self.has_room);
                if !self.is_full {
                    self.runs.push(WideRun { start, end: start + len, width, surplus: self.surplus });
                }
            }
        }
        self.surplus += if width == NO_COLUMN { len } else { len - 1 };
    }
}

/// Where the next escape of a quoted literal begins: a backslash, or a template marker that is doubled.
fn next_sequence(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_sequence = |at: &usize| {
        bytes[*at] == b'\\' || bytes[*at..].starts_with(b"$${") || bytes[*at..].starts_with(b"%%{")
    };
    (from..bytes.len()).find(is_sequence)
}

/// The length of the escape that a text begins with.
fn sequence_len(text: &str) -> usize {
    let mut letters = text.chars();
    let (first, second) = (letters.next(), letters.next());
    let n_digits = match (first, second) {
        (Some('\\'), Some('u')) => 4,
        (Some('\\'), Some('U')) => 8,
        (Some('\\'), second) => return 1 + second.map_or(0, char::len_utf8),
        _ => return "$${".len(),
    };
    2 + text[2..].bytes().take(n_digits).take_while(u8::is_ascii_hexdigit).count()
}

#[cfg(test)]
mod tests {
    use super::grow;

    #[test]
    fn room_is_asked_for_where_a_list_has_none() {
        for n_held in [0, 1, 5, 100] {
            for n_more in [0, 1, 2, 1000] {
                let mut list: Vec<u32> = Vec::new();
                list.reserve_exact(n_held);
                let n_room = list.capacity();
                list.resize(n_held, 0);
                let mut asked = Vec::new();
                assert!(grow(&mut list, n_more, &mut |bytes| {
                    asked.push(bytes);
                    true
                }));
                let wanted = (n_held + n_more).max(2 * n_room);
                let is_full = n_held + n_more > n_room;
                assert_eq!(
                    asked,
                    if is_full { vec![4 * wanted] } else { vec![] },
                    "{n_more} behind {n_held}"
                );
                assert!(list.capacity() >= n_held + n_more && list.len() == n_held);
                let n_room = list.capacity();
                assert!(!grow(&mut list, n_room + 1, &mut |_| false));
                assert_eq!(list.capacity(), n_room);
            }
        }
    }
}
