//! Function calls, as seen by whoever reads a tree.

use super::collection::ExpressionList;
use super::tree::Tree;
use crate::source::Span;

/// A function call.
#[derive(Copy, Clone)]
pub struct Call<'t> {
    pub(super) tree: &'t Tree,
    /// Name, opening and closing parenthesis (two words each), flags, count of arguments, arguments; if flagged, where in the
    /// buffer the name's text is.
    pub(super) words: &'t [u32],
}

impl<'t> Call<'t> {
    pub(super) const EXPANDS_FINAL: u32 = 1;
    pub(super) const HAS_NAME_TEXT: u32 = 2;
    /// Where the arguments are in the words.
    const ARGUMENTS: usize = 8;

    #[inline]
    pub(super) fn new(tree: &'t Tree, first: u32) -> Self {
        Self { tree, words: &tree.extra[first as usize..] }
    }

    #[inline]
    fn span(self, at: usize) -> Span {
        Span::new(self.words[at], self.words[at + 1])
    }

    #[inline]
    fn is_flagged(self, flag: u32) -> bool {
        self.words[6] & flag != 0
    }

    #[inline]
    fn end_of_arguments(self) -> usize {
        Self::ARGUMENTS + self.words[7] as usize
    }

    /// The name, its parts joined by `::` without blanks.
    #[inline]
    pub fn name(self) -> &'t str {
        if self.is_flagged(Self::HAS_NAME_TEXT) {
            let at = self.span(self.end_of_arguments());
            &self.tree.buffer[at.start as usize..at.end as usize]
        } else {
            self.tree.source.slice(self.name_span())
        }
    }

    /// From the first to the last part of the name.
    #[inline]
    pub fn name_span(self) -> Span {
        self.span(0)
    }

    /// The opening parenthesis.
    pub fn open_span(self) -> Span {
        self.span(2)
    }

    /// The closing parenthesis; after errors, the end of the text.
    pub fn close_span(self) -> Span {
        self.span(4)
    }

    /// The arguments as written.
    #[inline]
    pub fn arguments(self) -> ExpressionList<'t> {
        ExpressionList { tree: self.tree, words: &self.words[Self::ARGUMENTS..self.end_of_arguments()] }
    }

    /// Whether the last argument is followed by `...`.
    #[inline]
    pub fn expands_final(self) -> bool {
        self.is_flagged(Self::EXPANDS_FINAL)
    }
}

impl std::fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:?}", self.name(), self.arguments())
    }
}
