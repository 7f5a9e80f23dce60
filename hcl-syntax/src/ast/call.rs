//! Function calls, as seen by whoever reads a tree.

use super::collection::ExpressionList;
use super::tree::{CallNode, NONE, Tree};
use crate::source::Span;

/// A function call.
#[derive(Copy, Clone)]
pub struct Call<'t> {
    pub(super) tree: &'t Tree,
    pub(super) index: u32,
}

impl<'t> Call<'t> {
    #[inline]
    fn node(self) -> &'t CallNode {
        &self.tree.calls[self.index as usize]
    }

    /// The name, its parts joined by `::` without blanks.
    #[inline]
    pub fn name(self) -> &'t str {
        let node = self.node();
        if node.name_text.start == NONE {
            self.tree.source.slice(node.name)
        } else {
            &self.tree.buffer[node.name_text.start as usize..node.name_text.end as usize]
        }
    }

    /// From the first to the last part of the name.
    pub fn name_span(self) -> Span {
        self.node().name
    }

    /// The opening parenthesis.
    pub fn open_span(self) -> Span {
        self.node().open
    }

    /// The closing parenthesis; after errors, the end of the text.
    pub fn close_span(self) -> Span {
        self.node().close
    }

    /// The arguments as written.
    #[inline]
    pub fn arguments(self) -> ExpressionList<'t> {
        let node = self.node();
        let first = node.first_argument as usize;
        ExpressionList { tree: self.tree, words: &self.tree.extra[first..first + node.n_arguments as usize] }
    }

    /// Whether the last argument is followed by `...`.
    #[inline]
    pub fn expands_final(self) -> bool {
        self.node().expand_final
    }
}

impl std::fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:?}", self.name(), self.arguments())
    }
}
