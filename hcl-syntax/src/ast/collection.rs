//! Several expressions: lists of them, and the items of object constructors.

use super::expression::Expression;
use super::tree::{ExprId, Tag, Tree};

/// The elements of a tuple, the arguments of a call, or the parts of a template, in order.
///
/// ```
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "[80, var.port]".parse()?;
/// let ports = parsed.expression().as_static_list().unwrap();
/// let texts: Vec<_> = ports.iter().map(|port| port.source_text()).collect();
/// assert_eq!(texts, ["80", "var.port"]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct ExpressionList<'t> {
    pub(super) tree: &'t Tree,
    pub(super) words: &'t [u32],
}

impl<'t> ExpressionList<'t> {
    /// How many.
    pub fn len(self) -> usize {
        self.words.len()
    }

    /// Returns whether the tuple has no elements.
    pub fn is_empty(self) -> bool {
        self.words.is_empty()
    }

    /// The first one.
    pub fn first(self) -> Option<Expression<'t>> {
        self.get(0)
    }

    /// The last one.
    pub fn last(self) -> Option<Expression<'t>> {
        self.len().checked_sub(1).and_then(|last| self.get(last))
    }

    /// The one at `position`.
    pub fn get(self, position: usize) -> Option<Expression<'t>> {
        self.words.get(position).map(|&id| Expression::new(self.tree, ExprId(id)))
    }

    /// The first one, and those behind it.
    pub(super) fn split_first(self) -> Option<(Expression<'t>, Self)> {
        let (&first, words) = self.words.split_first()?;
        Some((Expression::new(self.tree, ExprId(first)), Self { words, ..self }))
    }

    /// All of them.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Expression<'t>> + DoubleEndedIterator + Clone {
        self.words.iter().map(move |&id| Expression::new(self.tree, ExprId(id)))
    }
}

impl std::fmt::Debug for ExpressionList<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The items of an object constructor, in the order written, duplicates kept.
///
/// ```
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "{ host = \"a\", (var.key) = 80 }".parse()?;
/// let items = parsed.expression().as_static_map().unwrap();
/// let names: Vec<_> = items.iter().map(|item| item.key_name()).collect();
/// assert_eq!(names, [Some("host"), None]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct ObjectItems<'t> {
    pub(super) tree: &'t Tree,
    pub(super) words: &'t [u32],
    pub(super) rules: ObjectRules,
}

/// The reading of the keys of an object constructor.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ObjectRules {
    /// Native syntax: a plain name stands for itself; of items with one key the last counts.
    Native,
    /// JSON syntax: keys are templates; two items with one key are an error.
    Json,
}

/// An item of an object constructor.
///
/// ```
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "{ (var.key) = 80 }".parse()?;
/// let item = parsed.expression().as_static_map().unwrap().iter().next().unwrap();
/// assert_eq!((item.key.source_text(), item.value.source_text()), ("(var.key)", "80"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub struct ObjectItem<'t> {
    /// The key as an expression; [`ObjectItem::key_name`] tells when it is a plain name.
    pub key: Expression<'t>,
    /// The value.
    pub value: Expression<'t>,
}

impl<'t> ObjectItems<'t> {
    /// Returns the rules by which keys become names.
    pub fn rules(self) -> ObjectRules {
        self.rules
    }

    /// How many.
    pub fn len(self) -> usize {
        self.words.len() / 2
    }

    /// Returns whether the object has no items.
    pub fn is_empty(self) -> bool {
        self.words.is_empty()
    }

    /// The first one, and those behind it.
    pub(super) fn split_first(self) -> Option<(ObjectItem<'t>, Self)> {
        Some((self.iter().next()?, Self { words: self.words.get(2..)?, ..self }))
    }

    /// All of them.
    pub fn iter(self) -> impl ExactSizeIterator<Item = ObjectItem<'t>> + DoubleEndedIterator + Clone {
        self.words.chunks_exact(2).map(move |pair| ObjectItem {
            key: Expression::new(self.tree, ExprId(pair[0])),
            value: Expression::new(self.tree, ExprId(pair[1])),
        })
    }
}

impl<'t> ObjectItem<'t> {
    /// The key if it is a single bare name (or `true`, `false`, `null`), which then stands for itself.
    pub fn key_name(self) -> Option<&'t str> {
        match self.key.node().tag {
            Tag::Name | Tag::Null | Tag::True | Tag::False => Some(self.key.source_text()),
            _ => None,
        }
    }
}

impl std::fmt::Debug for ObjectItems<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter().map(|item| (item.key, item.value))).finish()
    }
}
