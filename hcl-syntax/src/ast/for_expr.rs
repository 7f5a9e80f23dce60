//! `for` expressions, as seen by whoever reads a tree.

use super::expression::Expression;
use super::tree::{ExprId, ForNode, NONE, Tree};
use crate::source::Span;

/// A `for` expression. With [`ForExpression::key`] its result is an object, else a tuple.
#[derive(Copy, Clone)]
pub struct ForExpression<'t> {
    pub(super) tree: &'t Tree,
    pub(super) index: u32,
}

impl<'t> ForExpression<'t> {
    #[inline]
    fn node(self) -> &'t ForNode {
        &self.tree.fors[self.index as usize]
    }

    #[inline]
    fn optional(self, id: u32) -> Option<Expression<'t>> {
        (id != NONE).then(|| Expression::new(self.tree, ExprId(id)))
    }

    /// The name the key or index is bound to.
    #[inline]
    pub fn key_name(self) -> Option<&'t str> {
        self.node().has_key_name.then(|| self.tree.source.slice(self.node().key_name))
    }

    /// The name the element is bound to; hides the key's if it is the same.
    pub fn value_name(self) -> &'t str {
        self.tree.source.slice(self.node().value_name)
    }

    /// What is iterated over; evaluated outside the scope of the names.
    #[inline]
    pub fn collection(self) -> Expression<'t> {
        Expression::new(self.tree, ExprId(self.node().collection))
    }

    /// The key of a result attribute.
    #[inline]
    pub fn key(self) -> Option<Expression<'t>> {
        self.optional(self.node().key)
    }

    /// The result for one element.
    #[inline]
    pub fn value(self) -> Expression<'t> {
        Expression::new(self.tree, ExprId(self.node().value))
    }

    /// The filter.
    #[inline]
    pub fn condition(self) -> Option<Expression<'t>> {
        self.optional(self.node().condition)
    }

    /// Whether results of one key are gathered in a tuple (`...`).
    #[inline]
    pub fn is_grouping(self) -> bool {
        self.node().grouping
    }

    /// The opening bracket, or the directive in a template.
    pub fn open_span(self) -> Span {
        self.node().open
    }

    /// The closing bracket, or the end directive in a template.
    pub fn close_span(self) -> Span {
        self.node().close
    }
}

impl std::fmt::Debug for ForExpression<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("For")
            .field("key_name", &self.key_name())
            .field("value_name", &self.value_name())
            .field("collection", &self.collection())
            .field("key", &self.key())
            .field("value", &self.value())
            .field("condition", &self.condition())
            .field("grouping", &self.is_grouping())
            .finish()
    }
}
