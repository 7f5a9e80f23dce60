//! `for` expressions, as views of a tree.

use super::expression::Expression;
use super::tree::{ExprId, NONE, Tree};
use crate::source::Span;

/// A `for` expression. With [`ForExpression::key`] its result is an object, else a tuple.
///
/// ```
/// use hcl_syntax::ast::ExpressionKind;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "{ for i, host in var.hosts : host => i if i > 0 }".parse()?;
/// let ExpressionKind::For(each) = parsed.expression().kind() else { panic!("a for expression") };
/// assert_eq!((each.key_name(), each.value_name()), (Some("i"), "host"));
/// assert_eq!(each.collection().source_text(), "var.hosts");
/// assert_eq!(each.condition().unwrap().source_text(), "i > 0");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct ForExpression<'t> {
    tree: &'t Tree,
    /// Key name (its start is [`NONE`] if there is none), value name, opening and closing bracket (two words each), collection,
    /// key or [`NONE`], value, condition or [`NONE`], whether it is grouping.
    words: &'t [u32; 13],
}

impl<'t> ForExpression<'t> {
    pub(super) fn new(tree: &'t Tree, first: u32) -> Self {
        let words = tree.lists.extra.get(first as usize..).and_then(<[u32]>::first_chunk);
        Self { tree, words: words.unwrap_or(&[0; 13]) }
    }

    fn span(self, at: usize) -> Span {
        Span::new(self.words[at], self.words[at + 1])
    }

    fn expression(self, at: usize) -> Expression<'t> {
        Expression::new(self.tree, ExprId(self.words[at]))
    }

    fn optional(self, at: usize) -> Option<Expression<'t>> {
        (self.words[at] != NONE).then(|| self.expression(at))
    }

    /// The name the key or index is bound to.
    pub fn key_name(self) -> Option<&'t str> {
        (self.words[0] != NONE).then(|| self.tree.source.slice(self.span(0)))
    }

    /// The name the element is bound to; hides the key's if it is the same.
    pub fn value_name(self) -> &'t str {
        self.tree.source.slice(self.span(2))
    }

    /// Returns the collection that is iterated over. It is evaluated outside the scope of the names.
    pub fn collection(self) -> Expression<'t> {
        self.expression(8)
    }

    /// The key of a result attribute.
    pub fn key(self) -> Option<Expression<'t>> {
        self.optional(9)
    }

    /// The result for one element.
    pub fn value(self) -> Expression<'t> {
        self.expression(10)
    }

    /// The filter.
    pub fn condition(self) -> Option<Expression<'t>> {
        self.optional(11)
    }

    /// Returns whether results of one key are gathered in a tuple (`...`).
    pub fn is_grouping(self) -> bool {
        self.words[12] != 0
    }

    /// The opening bracket, or the directive in a template.
    pub fn open_span(self) -> Span {
        self.span(4)
    }

    /// The closing bracket, or the end directive in a template.
    pub fn close_span(self) -> Span {
        self.span(6)
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
