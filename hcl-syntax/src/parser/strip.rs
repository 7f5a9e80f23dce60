//! Literal text on its way from its token to the tree: escapes, strip markers, and the indentation that a flush
//! heredoc loses.
//!
//! A [`Piece`] is one literal token. Pieces that follow each other make up one text. In a flush heredoc
//! nothing is settled before its end is known, so that texts enter the tree as placeholders and are
//! written over later; everywhere else a text is settled as soon as something else follows it.

use unicode_segmentation::UnicodeSegmentation;

use super::input::Input;
use super::literal::{self, Escapes};
use super::state::Parser;
use crate::ast::ExprId;
use crate::source::Span;

/// A literal token, or in a flush heredoc also what stands between two of them.
#[derive(Copy, Clone)]
pub(super) struct Piece {
    pub(super) span: Span,
    /// An interpolation or a directive, not text.
    pub(super) is_sequence: bool,
    /// No escapes.
    pub(super) is_verbatim: bool,
    pub(super) trim_start: bool,
    pub(super) trim_end: bool,
    /// The indentation is removed.
    is_indented: bool,
}

/// A text in the tree that is settled at the end of its template: the node and its pieces.
#[derive(Copy, Clone)]
pub(super) struct PendingText {
    pub(super) node: ExprId,
    pub(super) first_piece: usize,
    pub(super) end_piece: usize,
}

impl Piece {
    /// A literal token.
    pub(super) fn literal(span: Span, is_verbatim: bool, trim_start: bool) -> Self {
        Self { span, is_sequence: false, is_verbatim, trim_start, trim_end: false, is_indented: false }
    }

    /// An interpolation or a directive.
    pub(super) fn sequence(span: Span) -> Self {
        Self { is_sequence: true, ..Self::literal(span, false, false) }
    }

    /// Returns whether its text is what is written.
    fn is_untouched(self) -> bool {
        self.is_verbatim && !self.trim_start && !self.trim_end && !self.is_indented
    }
}

/// Returns whether the pieces are one stretch of the source, as written.
fn is_one_stretch(pieces: &[Piece]) -> bool {
    pieces.iter().all(|piece| piece.is_untouched())
        && pieces.windows(2).all(|pair| pair[0].span.end == pair[1].span.start)
}

/// Where the text of consecutive pieces stands.
pub(super) fn span_of(pieces: &[Piece]) -> Span {
    match pieces {
        [] => Span::default(),
        [first, .., last] => first.span.to(last.span),
        [only] => only.span,
    }
}

impl<'s, I: Input<'s>> Parser<'s, I> {
    /// The node for the pieces from `first` on.
    pub(super) fn text_node(&mut self, first: usize, escapes: Escapes) -> ExprId {
        let pieces = &self.scratch.template.pieces[first..];
        let span = span_of(pieces);
        if is_one_stretch(pieces) {
            return self.tree.text(span);
        }
        self.build_text(first, self.scratch.template.pieces.len(), escapes, 0);
        self.tree.decoded_text(span, &self.scratch.text)
    }

    /// Makes the text of some pieces in `scratch.text`. Returns how many bytes of indentation the first
    /// of them lost.
    fn build_text(&mut self, first: usize, end: usize, escapes: Escapes, indentation: usize) -> usize {
        let out = &mut self.scratch.text;
        out.clear();
        let pieces = &self.scratch.template.pieces[first..end];
        // The first time; then it is as large as such texts are.
        out.reserve(pieces.iter().map(|piece| 2 * piece.span.len() as usize).sum());
        let mut lost_by_first = 0;
        for (index, piece) in pieces.iter().enumerate() {
            let start = out.len();
            literal::decode(self.input.text(piece.span), escapes, out);
            if piece.trim_end {
                let trimmed = out[start..].trim_end().len();
                out.truncate(start + trimmed);
            }
            if piece.trim_start {
                let n_removed = out.len() - start - out[start..].trim_start().len();
                out.drain(start..start + n_removed);
            }
            if piece.is_indented {
                let n_removed = clusters_len(&out[start..], indentation);
                out.drain(start..start + n_removed);
                if index == 0 {
                    lost_by_first = n_removed;
                }
            }
        }
        lost_by_first
    }

    /// Settles the texts of a flush heredoc: the indentation that all its lines share is removed.
    pub(super) fn remove_indentation(&mut self, first_piece: usize, first_text: usize) {
        let indentation = self.shared_indentation(first_piece);
        for index in first_text..self.scratch.template.pending.len() {
            let PendingText { node, first_piece, end_piece } = self.scratch.template.pending[index];
            if is_one_stretch(&self.scratch.template.pieces[first_piece..end_piece]) {
                continue;
            }
            let lost = self.build_text(first_piece, end_piece, Escapes::Sequences, indentation);
            let lost = u32::try_from(lost).unwrap_or(u32::MAX);
            self.tree.replace_text(node, lost, &self.scratch.text);
        }
    }

    /// How many characters of white space begin each line, at least. Marks the pieces that begin a line;
    /// lines of nothing but white space do not count.
    fn shared_indentation(&mut self, first_piece: usize) -> usize {
        let input = self.input;
        let mut least = usize::MAX;
        let mut at_line_start = true;
        for piece in &mut self.scratch.template.pieces[first_piece..] {
            let begins_line = std::mem::take(&mut at_line_start);
            if piece.is_sequence {
                if begins_line {
                    least = 0;
                }
                continue;
            }
            let mut text = input.text(piece.span);
            if piece.trim_end {
                text = text.trim_end();
            }
            if piece.trim_start {
                text = text.trim_start();
            }
            at_line_start = text.ends_with('\n');
            if !begins_line {
                continue;
            }
            let rest = text.trim_start();
            if rest.is_empty() && at_line_start {
                continue;
            }
            piece.is_indented = true;
            least = least.min(n_clusters(&text[..text.len() - rest.len()]));
        }
        if least == 0 || least == usize::MAX {
            for piece in &mut self.scratch.template.pieces[first_piece..] {
                piece.is_indented = false;
            }
        }
        least
    }
}

/// How many characters a run of white space has, as a reader counts them.
fn n_clusters(blank: &str) -> usize {
    if blank.is_ascii() && !blank.contains('\r') { blank.len() } else { blank.graphemes(true).count() }
}

/// The length of the first `n` characters, as a reader counts them.
fn clusters_len(text: &str, n: usize) -> usize {
    match text.as_bytes().get(..=n) {
        Some(begin) if begin.is_ascii() && !begin.contains(&b'\r') => n,
        _ => text.grapheme_indices(true).nth(n).map_or(text.len(), |(index, _)| index),
    }
}
