//! Expressions, as views of a tree.
//!
//! [`Expression`] is a place in a [`Tree`], two words and `Copy`; [`Expression::kind`] tells what it is
//! and gives its operands as further places. Literal text is decoded, but not yet normalised to NFC:
//! that is the business of values.

use super::call::Call;
use super::collection::{ExpressionList, ObjectItems, ObjectRules};
use super::for_expr::ForExpression;
use super::operator::{BinaryOperator, UnaryOperator};
use super::traversal::{Steps, Traversal};
use super::tree::{ExprId, NONE, Node, StepTag, Tag, Tree};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// An expression of a tree.
///
/// ```
/// use hcl_syntax::ast::{ExpressionKind, variables};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "upper(var.name)".parse()?;
/// let expression = parsed.expression();
/// let ExpressionKind::Call(call) = expression.kind() else { panic!("a call") };
/// assert_eq!(call.name(), "upper");
/// assert_eq!(variables(expression)[0].to_text(), "var.name");
/// assert_eq!(expression.source_text(), "upper(var.name)");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct Expression<'t> {
    tree: &'t Tree,
    id: ExprId,
}

/// An expression that is what it says.
///
/// ```
/// use hcl_syntax::ast::Literal;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "\"eu-west\"".parse()?;
/// assert!(matches!(parsed.expression().literal(), Some(Literal::Text("eu-west"))));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub enum Literal<'t> {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, as written; checked by the parser.
    Number(&'t str),
    /// A constant text.
    Text(&'t str),
}

/// The kind of an expression, with its operands.
///
/// ```
/// use hcl_syntax::ast::{Expression, ExpressionKind};
/// use hcl_syntax::parser::ParsedExpression;
///
/// /// The operands of a sum.
/// fn summands<'t>(expression: Expression<'t>) -> Vec<&'t str> {
///     match expression.kind() {
///         ExpressionKind::Binary { operator, left, right } if operator.symbol() == "+" => {
///             [summands(left), summands(right)].concat()
///         }
///         ExpressionKind::Parentheses(inner) => summands(inner),
///         _ => vec![expression.source_text()],
///     }
/// }
///
/// let parsed: ParsedExpression = "a + (b + 3 * c)".parse()?;
/// assert_eq!(summands(parsed.expression()), ["a", "b", "3 * c"]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
#[non_exhaustive]
pub enum ExpressionKind<'t> {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, as written; checked by the parser.
    Number(&'t str),
    /// A constant text: a template of one literal, or a literal among a template's parts.
    Text(&'t str),
    /// A template of several parts, or of one that is no plain interpolation; always a string.
    Template(ExpressionList<'t>),
    /// A template that is exactly one interpolation: the value of the expression within, untouched.
    Interpolation(Expression<'t>),
    /// `[a, b]`
    Tuple(ExpressionList<'t>),
    /// `{ k = v }`
    Object(ObjectItems<'t>),
    /// A variable with the attribute and literal index steps that follow: `a.b[0]`.
    Traversal(Traversal<'t>),
    /// Such steps after anything else: `f().b[0]`.
    RelativeTraversal {
        /// The expression that the steps start from.
        source: Expression<'t>,
        /// The steps, at least one.
        steps: Steps<'t>,
    },
    /// `f(a, b...)`
    Call(Call<'t>),
    /// `[for …]`, `{for …}`
    For(ForExpression<'t>),
    /// `%{ for … }` in a template: the results of a [`ExpressionKind::For`] joined to one string.
    TemplateFor(Expression<'t>),
    /// `c[k]` with a key that is no literal.
    Index {
        /// The collection that is indexed.
        collection: Expression<'t>,
        /// The key.
        key: Expression<'t>,
        /// From `[` to `]`.
        brackets: Span,
    },
    /// `c.*…`, `c[*]…`
    Splat(Splat<'t>),
    /// Within [`Splat::each`]: the item at hand.
    SplatItem,
    /// `-a`, `!a`
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// The expression that the operator applies to.
        operand: Expression<'t>,
    },
    /// `a + b`
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The left operand; a chain of operators nests here.
        left: Expression<'t>,
        /// The right operand.
        right: Expression<'t>,
    },
    /// `c ? a : b`, or an `if` directive of a template.
    Conditional {
        /// The condition.
        condition: Expression<'t>,
        /// The result when it holds.
        when_true: Expression<'t>,
        /// The result when it does not.
        when_false: Expression<'t>,
    },
    /// `(a)`
    Parentheses(Expression<'t>),
    /// A place where no expression could be read. The parser has reported it; its value is unknown.
    Invalid,
    /// `a.` without a name, or a faulty template of JSON syntax. Evaluating it gives these diagnostics again. Of the templates
    /// of a file as many are kept as [`ParseLimits::max_diagnostics`](crate::parser::ParseLimits) says; the others have one
    /// that tells how many they are.
    Unfinished(&'t [Diagnostic]),
}

/// The splat operators.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum SplatKind {
    /// `.*`
    AttributeOnly,
    /// `[*]`
    Full,
}

/// A splat.
///
/// ```
/// use hcl_syntax::ast::ExpressionKind;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "aws_instance.web[*].id".parse()?;
/// let ExpressionKind::Splat(splat) = parsed.expression().kind() else { panic!("a splat") };
/// assert_eq!(splat.source.source_text(), "aws_instance.web");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub struct Splat<'t> {
    /// Which operator.
    pub kind: SplatKind,
    /// The collection that is iterated over.
    pub source: Expression<'t>,
    /// The expression for each item; the item stands in it as [`ExpressionKind::SplatItem`].
    pub each: Expression<'t>,
    /// `.*` or `[*]`
    pub marker: Span,
}

impl<'t> Expression<'t> {
    pub(super) fn new(tree: &'t Tree, id: ExprId) -> Self {
        Self { tree, id }
    }

    /// The tree the expression is in.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Which expression of the tree it is.
    pub fn id(self) -> ExprId {
        self.id
    }

    /// Where it stands.
    pub fn span(self) -> Span {
        let node = self.node();
        Span::new(node.start, node.end)
    }

    /// The source text of the expression, with U+001A for bad bytes.
    pub fn source_text(self) -> &'t str {
        self.tree.source.slice(self.span())
    }

    /// Returns whether the expression has no operands: a literal, a variable with its steps, or a placeholder.
    pub fn is_leaf(self) -> bool {
        matches!(
            self.node().tag,
            Tag::Null
                | Tag::False
                | Tag::True
                | Tag::Number
                | Tag::Text
                | Tag::QuotedText
                | Tag::PartText
                | Tag::Name
                | Tag::Traversal
                | Tag::SplatItem
                | Tag::Invalid
                | Tag::Unfinished
        )
    }

    pub(super) fn node(self) -> &'t Node {
        &self.tree.lists.nodes[self.id.0 as usize]
    }

    fn other(self, id: u32) -> Self {
        Self { tree: self.tree, id: ExprId(id) }
    }

    fn extra(self, first: u32, len: usize) -> &'t [u32] {
        &self.tree.lists.extra[first as usize..first as usize + len]
    }

    /// The list at `first`: a count, then `per_item` words for each item.
    fn list(self, first: u32, per_item: usize) -> &'t [u32] {
        let n = self.tree.lists.extra[first as usize] as usize;
        self.extra(first + 1, n * per_item)
    }

    /// Returns true if the expression is a literal; cheaper to ask than [`Expression::literal`].
    pub fn is_literal(self) -> bool {
        use Tag::{False, Null, Number, PartText, QuotedText, Text, True};
        matches!(self.node().tag, Null | False | True | Number | Text | QuotedText | PartText)
    }

    /// The literal that the expression is, if it is one; cheaper to ask than [`Expression::kind`].
    pub fn literal(self) -> Option<Literal<'t>> {
        let node = self.node();
        match node.tag {
            Tag::Null => Some(Literal::Null),
            Tag::False => Some(Literal::Bool(false)),
            Tag::True => Some(Literal::Bool(true)),
            Tag::Number => Some(Literal::Number(self.source_text())),
            Tag::Text | Tag::QuotedText | Tag::PartText => Some(Literal::Text(self.text(node))),
            _ => None,
        }
    }

    /// Returns the kind of the expression, with its operands.
    pub fn kind(self) -> ExpressionKind<'t> {
        let node = self.node();
        match node.tag {
            Tag::Null => ExpressionKind::Null,
            Tag::False => ExpressionKind::Bool(false),
            Tag::True => ExpressionKind::Bool(true),
            Tag::Number => ExpressionKind::Number(self.source_text()),
            Tag::Text | Tag::QuotedText | Tag::PartText => ExpressionKind::Text(self.text(node)),
            Tag::Template => ExpressionKind::Template(self.expressions(node.data)),
            Tag::Interpolation => ExpressionKind::Interpolation(self.other(node.data)),
            Tag::Tuple => ExpressionKind::Tuple(self.expressions(node.data)),
            Tag::Object => {
                let rules = if node.detail == 0 { ObjectRules::Native } else { ObjectRules::Json };
                ExpressionKind::Object(ObjectItems { tree: self.tree, words: self.list(node.data, 2), rules })
            }
            Tag::Name | Tag::Traversal => ExpressionKind::Traversal(self.traversal(node)),
            Tag::RelativeTraversal => self.relative_traversal(node),
            Tag::Call => ExpressionKind::Call(Call::new(self.tree, node.data)),
            Tag::For => ExpressionKind::For(ForExpression::new(self.tree, node.data)),
            Tag::TemplateFor => ExpressionKind::TemplateFor(self.other(node.data)),
            Tag::Index => self.index(node),
            Tag::SplatAttributes => ExpressionKind::Splat(self.splat(node, SplatKind::AttributeOnly)),
            Tag::SplatFull => ExpressionKind::Splat(self.splat(node, SplatKind::Full)),
            Tag::SplatItem => ExpressionKind::SplatItem,
            Tag::Negate => {
                ExpressionKind::Unary { operator: UnaryOperator::Negate, operand: self.other(node.data) }
            }
            Tag::Not => {
                ExpressionKind::Unary { operator: UnaryOperator::Not, operand: self.other(node.data) }
            }
            Tag::Binary => self.binary(node),
            Tag::Conditional => self.conditional(node),
            Tag::Parentheses => ExpressionKind::Parentheses(self.other(node.data)),
            Tag::Invalid => ExpressionKind::Invalid,
            Tag::Unfinished => {
                let all = &self.tree.lists.unfinished;
                ExpressionKind::Unfinished(&all[(node.data as usize).min(all.len() - 1)])
            }
        }
    }

    fn text(self, node: &Node) -> &'t str {
        if node.tag == Tag::QuotedText {
            return self.tree.source.slice(Span::new(node.start + 1, node.end - 1));
        }
        if node.tag == Tag::PartText {
            return self.tree.source.slice(self.part_span(node));
        }
        if node.data == NONE {
            return self.source_text();
        }
        let stored = self.tree.lists.texts[node.data as usize];
        &self.tree.lists.buffer[stored.start as usize..stored.end as usize]
    }

    fn expressions(self, first: u32) -> ExpressionList<'t> {
        ExpressionList { tree: self.tree, words: self.list(first, 1) }
    }

    fn traversal(self, node: &Node) -> Traversal<'t> {
        if node.tag == Tag::Name {
            let steps = Steps::none(self.tree);
            return Traversal { root: Span::new(node.start, node.end), steps };
        }
        let words = self.extra(node.data, 3);
        Traversal { root: Span::new(node.start, words[0]), steps: self.steps(words[1], words[2]) }
    }

    fn steps(self, first: u32, count: u32) -> Steps<'t> {
        Steps { tree: self.tree, words: self.extra(first, count as usize * StepTag::N_WORDS) }
    }

    fn relative_traversal(self, node: &Node) -> ExpressionKind<'t> {
        let words = self.extra(node.data, 3);
        ExpressionKind::RelativeTraversal {
            source: self.other(words[0]),
            steps: self.steps(words[1], words[2]),
        }
    }

    fn index(self, node: &Node) -> ExpressionKind<'t> {
        let words = self.extra(node.data, 4);
        ExpressionKind::Index {
            collection: self.other(words[0]),
            key: self.other(words[1]),
            brackets: Span::new(words[2], words[3]),
        }
    }

    fn splat(self, node: &Node, kind: SplatKind) -> Splat<'t> {
        let words = self.extra(node.data, 4);
        let marker = Span::new(words[2], words[3]);
        Splat { kind, source: self.other(words[0]), each: self.other(words[1]), marker }
    }

    fn binary(self, node: &Node) -> ExpressionKind<'t> {
        ExpressionKind::Binary {
            operator: BinaryOperator::ALL[usize::from(node.detail)],
            left: self.other(node.data),
            right: self.other(self.id.0.saturating_sub(1)),
        }
    }

    fn conditional(self, node: &Node) -> ExpressionKind<'t> {
        let words = self.extra(node.data, 3);
        ExpressionKind::Conditional {
            condition: self.other(words[0]),
            when_true: self.other(words[1]),
            when_false: self.other(words[2]),
        }
    }

    /// Returns whether the expression is an operation on two operands. Cheaper than [`Expression::kind`].
    pub fn is_binary(self) -> bool {
        self.node().tag == Tag::Binary
    }

    /// Returns whether the expression is a conditional. Cheaper than [`Expression::kind`].
    pub fn is_conditional(self) -> bool {
        self.node().tag == Tag::Conditional
    }

    /// Returns whether the expression is an index or steps after an expression. Cheaper than [`Expression::kind`].
    pub fn is_access(self) -> bool {
        matches!(self.node().tag, Tag::Index | Tag::RelativeTraversal)
    }

    /// The place that errors about the expression as an argument point at: its beginning in the sense of
    /// the reference (the opening bracket, the name and parenthesis of a call, the first part of a template).
    pub fn start_span(self) -> Span {
        let mut at = self;
        loop {
            let node = at.node();
            let span = at.span();
            at = match at.kind() {
                ExpressionKind::Binary { left, .. } => left,
                ExpressionKind::Conditional { condition, .. } => condition,
                ExpressionKind::Parentheses(inner) => inner,
                ExpressionKind::Template(parts) => match parts.first() {
                    Some(part) => part,
                    None => return span,
                },
                ExpressionKind::Text(_) => return at.text_span(node),
                ExpressionKind::Unary { .. } | ExpressionKind::Tuple(_) | ExpressionKind::Object(_) => {
                    return Span::new(span.start, span.start + 1);
                }
                ExpressionKind::Call(call) => return call.name_span().to(call.open_span()),
                ExpressionKind::For(for_expression) => return for_expression.open_span(),
                ExpressionKind::TemplateFor(inner) => inner,
                ExpressionKind::Index { brackets, .. } => {
                    return Span::new(brackets.start, brackets.start + 1);
                }
                ExpressionKind::Splat(splat) => return splat.marker,
                _ => return span,
            };
        }
    }

    /// The literal of a [`Tag::PartText`].
    fn part_span(self, node: &Node) -> Span {
        let words = self.extra(node.data, 2);
        Span::new(words[0], words[1])
    }

    fn text_span(self, node: &Node) -> Span {
        match node.tag {
            // The part that stands in for the missing one of `""` is after the quotes.
            Tag::QuotedText if node.end - node.start == 2 => Span::empty_at(node.end),
            Tag::QuotedText => Span::new(node.start + 1, node.end - 1),
            Tag::PartText => self.part_span(node),
            _ if node.data == NONE => Span::new(node.start, node.end),
            _ => self.tree.lists.texts[node.data as usize].part,
        }
    }
}

impl std::fmt::Debug for Expression<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Expression#{}({:?})", self.id.0, self.source_text())
    }
}

impl Tree {
    /// The expression of the given number.
    pub fn expression(&self, id: ExprId) -> Expression<'_> {
        Expression::new(self, id)
    }
}
