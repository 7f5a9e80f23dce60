//! Literal text on its way from its token to the tree: escapes, strip markers, and the indentation that a flush
//! heredoc loses.
//!
//! A [`Piece`] is one literal token. Pieces that follow each other make up one text. In a flush heredoc
//! nothing is settled before its end is known, so that texts enter the tree as placeholders and are
//! written over later; everywhere else a text is settled as soon as something else follows it.

use super::input::Input;
use super::literal::{self, Escapes};
use super::state::Parser;
use crate::ast::ExprId;
use crate::clusters::Clusters;
use crate::limits::Watch;
use crate::source::{Span, is_wide, n_clusters};

/// A literal token, or in a flush heredoc also what stands between two of them.
#[derive(Copy, Clone)]
pub(super) struct Piece {
    pub(super) span: Span,
    /// An interpolation or a directive, not text.
    pub(super) is_sequence: bool,
    /// No escapes.
    pub(super) is_verbatim: bool,
    /// A strip marker before it takes the white space at its start.
    pub(super) trim_start: bool,
    /// A strip marker behind it takes the white space at its end.
    pub(super) trim_end: bool,
    /// The indentation is removed.
    is_indented: bool,
}

/// A text in the tree that is settled at the end of its template: the node and its pieces.
#[derive(Copy, Clone)]
pub(super) struct PendingText {
    /// The placeholder in the tree.
    pub(super) node: ExprId,
    /// Its first piece, by position in the shared list.
    pub(super) first_piece: usize,
    /// The position behind its last piece.
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

/// Returns whether the pieces are one stretch of the source, as written. Any answer if the work is to end.
fn is_one_stretch(pieces: &[Piece], watch: &Watch) -> bool {
    let mut end = span_of(pieces).start;
    watch.all(pieces, |piece| {
        let start = std::mem::replace(&mut end, piece.span.end);
        piece.span.start == start && piece.is_untouched()
    })
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
        if is_one_stretch(pieces, self.report.watch()) {
            return self.tree.text(span);
        }
        let text = self.tree.next_text();
        self.build_text(first, self.scratch.template.pieces.len(), escapes, 0);
        self.tree.decoded_text(span, text)
    }

    /// Appends the text of some pieces to those of the tree; some of it if the work is to end. Returns how many bytes of
    /// indentation the first of them lost.
    fn build_text(&mut self, first: usize, end: usize, escapes: Escapes, indentation: usize) -> usize {
        let (out, watch) = (self.tree.text_buffer(), self.report.watch());
        let pieces = &self.scratch.template.pieces[first..end];
        out.reserve(span_of(pieces).len() as usize);
        let mut lost_by_first = 0;
        for (index, piece) in pieces.iter().enumerate() {
            if watch.count_bytes(piece.span.len() as usize).is_err() {
                break;
            }
            let start = out.len();
            literal::decode(self.input.text(piece.span), escapes, watch, out);
            if piece.trim_end {
                let trimmed = watch.trim_end(&out[start..]).len();
                out.truncate(start + trimmed);
            }
            if piece.trim_start {
                let n_removed = out.len() - start - watch.trim_start(&out[start..]).len();
                out.drain(start..start + n_removed);
            }
            if piece.is_indented {
                let n_removed = clusters_len(&out[start..], indentation, watch);
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
        for index in self.report.watch().each(first_text..self.scratch.template.pending.len(), 1) {
            let PendingText { node, first_piece, end_piece } = self.scratch.template.pending[index];
            if is_one_stretch(&self.scratch.template.pieces[first_piece..end_piece], self.report.watch()) {
                continue;
            }
            let text = self.tree.next_text();
            let lost = self.build_text(first_piece, end_piece, Escapes::Sequences, indentation);
            let lost = u32::try_from(lost).unwrap_or(u32::MAX);
            self.tree.replace_text(node, lost, text);
        }
    }

    /// How many characters of white space begin each line, at least. Marks the pieces that begin a line;
    /// lines of nothing but white space do not count.
    fn shared_indentation(&mut self, first_piece: usize) -> usize {
        let (input, watch) = (self.input, self.report.watch());
        let mut least = usize::MAX;
        let mut at_line_start = true;
        for piece in watch.each(&mut self.scratch.template.pieces[first_piece..], 1) {
            let begins_line = std::mem::take(&mut at_line_start);
            if piece.is_sequence {
                if begins_line {
                    least = 0;
                }
                continue;
            }
            let mut text = input.text(piece.span);
            if piece.trim_end {
                text = watch.trim_end(text);
            }
            if piece.trim_start {
                text = watch.trim_start(text);
            }
            at_line_start = text.ends_with('\n');
            if !begins_line {
                continue;
            }
            let rest = watch.trim_start(text);
            if rest.is_empty() && at_line_start {
                continue;
            }
            piece.is_indented = true;
            least = least.min(n_clusters(&text[..text.len() - rest.len()], watch));
        }
        // Nothing is removed, and untouched pieces stay as they stand in the source.
        if least == 0 || least == usize::MAX {
            for piece in &mut self.scratch.template.pieces[first_piece..] {
                piece.is_indented = false;
            }
        }
        least
    }
}

/// The length of the first `n` characters, as a reader counts them.
fn clusters_len(text: &str, n: usize, watch: &Watch) -> usize {
    // A character of more bytes may follow, and belong to the last one.
    let begin = &text.as_bytes()[..text.len().min(n.saturating_add(1))];
    match watch.any(begin, is_wide) {
        false => begin.len().min(n),
        true => Clusters::new(text).on(watch).nth(n).map_or(text.len(), |cluster| cluster.start),
    }
}
