//! Offsets to lines and columns.
//!
//! Columns count grapheme clusters, and clusters start anew at every token, so columns of text beyond
//! ASCII need the tokens: they are scanned again when the first position is asked for. What is kept is
//! small: where lines begin, and where clusters are longer than a byte. Looking a position up is two
//! binary searches, however long the line is and however many positions are asked for.

use unicode_segmentation::UnicodeSegmentation;

use super::{Pos, Source, to_u32};
use crate::lexer;

/// Where lines begin, and what columns need beyond bytes.
pub(super) struct LineIndex {
    /// The offset at which each line begins. The first begins after a byte order mark, which takes bytes
    /// but no column.
    line_starts: Vec<u32>,
    /// The runs of clusters longer than a byte, in order. Empty for ASCII text.
    wide: Vec<WideRun>,
}

/// A run of grapheme clusters that are all equally long, and longer than one byte.
struct WideRun {
    start: u32,
    end: u32,
    /// Bytes in each cluster.
    width: u32,
    /// How many more bytes than clusters lie before the run, from the beginning of the text on.
    surplus: u32,
}

impl LineIndex {
    pub(super) fn new(source: &Source) -> Self {
        let text = source.text();
        let first = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut line_starts = vec![to_u32(first)];
        line_starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| to_u32(newline + 1)));
        let wide = if text[first..].is_ascii() { Vec::new() } else { wide_runs(source) };
        Self { line_starts, wide }
    }

    pub(super) fn position(&self, offset: u32, origin: Pos) -> Pos {
        let line = self.line_at(offset);
        let line_start = self.line_starts[line];
        let column = self.cluster(offset).saturating_sub(self.cluster(line_start));
        Pos {
            line: origin.line.saturating_add(to_u32(line)),
            column: if line == 0 { origin.column } else { 1 }.saturating_add(column),
            byte: origin.byte.saturating_add(u64::from(offset)),
        }
    }

    /// The number of clusters that begin before the one at `offset`, line breaks counted by their bytes.
    fn cluster(&self, offset: u32) -> u32 {
        let after = self.wide.partition_point(|run| run.start <= offset);
        let Some(run) = after.checked_sub(1).map(|last| &self.wide[last]) else {
            return offset;
        };
        let clusters = (offset.min(run.end) - run.start) / run.width;
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

fn wide_runs(source: &Source) -> Vec<WideRun> {
    let mut runs: Vec<WideRun> = Vec::new();
    let mut surplus = 0;
    for token in lexer::all_tokens(source) {
        let text = source.slice(token.span);
        if text.is_ascii() {
            continue;
        }
        for (start, cluster) in text.grapheme_indices(true) {
            let width = to_u32(cluster.len());
            // A line break is counted by its bytes, for nothing follows on its line.
            if width == 1 || cluster == "\r\n" {
                continue;
            }
            let start = token.span.start + to_u32(start);
            match runs.last_mut() {
                Some(run) if run.end == start && run.width == width => run.end += width,
                _ => runs.push(WideRun { start, end: start + width, width, surplus }),
            }
            surplus += width - 1;
        }
    }
    runs
}
