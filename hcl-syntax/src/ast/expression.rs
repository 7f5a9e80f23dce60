//! Expressions, as seen by whoever reads a tree.
//!
//! [`Expression`] is a place in a [`Tree`], two words and `Copy`; [`Expression::kind`] tells what it is
//! and gives its operands as further places. Literal text is decoded, but not yet normalised to NFC:
//! that is the business of values.

use super::tree::{CallNode, ExprId, ForNode, NONE, Node, StepNode, StepTag, Tag, Tree};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// An expression of a tree.
#[derive(Copy, Clone)]
pub struct Expression<'t> {
    tree: &'t Tree,
    id: ExprId,
}

/// What an expression is, with its operands.
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
        /// What the steps start from.
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
        /// What is indexed.
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
        /// What it applies to.
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
    /// `a.` without a name. Evaluating it gives these diagnostics again.
    Unfinished(&'t [Diagnostic]),
}

/// `-` or `!`
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `!`
    Not,
}

/// The operators between two operands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum BinaryOperator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
}

impl BinaryOperator {
    const ALL: [Self; 13] = [
        Self::Or,
        Self::And,
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::LessEqual,
        Self::Greater,
        Self::GreaterEqual,
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Modulo,
    ];

    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Or => "||",
            Self::And => "&&",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
        }
    }
}

/// Which of the two splat operators.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum SplatKind {
    /// `.*`
    AttributeOnly,
    /// `[*]`
    Full,
}

/// A splat.
#[derive(Copy, Clone, Debug)]
pub struct Splat<'t> {
    /// Which operator.
    pub kind: SplatKind,
    /// What is iterated over.
    pub source: Expression<'t>,
    /// What is done with each item, which stands in it as [`ExpressionKind::SplatItem`].
    pub each: Expression<'t>,
    /// `.*` or `[*]`
    pub marker: Span,
}

impl<'t> Expression<'t> {
    #[inline]
    pub(super) fn new(tree: &'t Tree, id: ExprId) -> Self {
        Self { tree, id }
    }

    /// The tree the expression is in.
    #[inline]
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Which expression of the tree it is.
    #[inline]
    pub fn id(self) -> ExprId {
        self.id
    }

    /// Where it stands.
    #[inline]
    pub fn span(self) -> Span {
        let node = self.node();
        Span::new(node.start, node.end)
    }

    /// The source text of the expression, with U+001A for bad bytes.
    pub fn source_text(self) -> &'t str {
        self.tree.source.slice(self.span())
    }

    /// Whether it has no operands: literals, variables with their steps, and what stands in for what is not there.
    #[inline]
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

    #[inline]
    fn node(self) -> Node {
        self.tree.nodes[self.id.0 as usize]
    }

    #[inline]
    fn other(self, id: u32) -> Self {
        Self { tree: self.tree, id: ExprId(id) }
    }

    #[inline]
    fn extra(self, first: u32, len: usize) -> &'t [u32] {
        &self.tree.extra[first as usize..first as usize + len]
    }

    /// The list at `first`: a count, then `per_item` words for each item.
    #[inline]
    fn list(self, first: u32, per_item: usize) -> &'t [u32] {
        let n = self.tree.extra[first as usize] as usize;
        self.extra(first + 1, n * per_item)
    }

    /// What the expression is.
    #[inline]
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
            Tag::Call => ExpressionKind::Call(Call { tree: self.tree, index: node.data }),
            Tag::For => ExpressionKind::For(ForExpression { tree: self.tree, index: node.data }),
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
            Tag::Unfinished => ExpressionKind::Unfinished(&self.tree.unfinished[node.data as usize]),
        }
    }

    #[inline]
    fn text(self, node: Node) -> &'t str {
        if node.tag == Tag::QuotedText {
            return self.tree.source.slice(Span::new(node.start + 1, node.end - 1));
        }
        if node.tag == Tag::PartText {
            return self.tree.source.slice(self.part_span(node));
        }
        if node.data == NONE {
            return self.source_text();
        }
        let stored = self.tree.texts[node.data as usize];
        &self.tree.buffer[stored.start as usize..stored.end as usize]
    }

    #[inline]
    fn expressions(self, first: u32) -> ExpressionList<'t> {
        ExpressionList { tree: self.tree, words: self.list(first, 1) }
    }

    #[inline]
    fn traversal(self, node: Node) -> Traversal<'t> {
        if node.tag == Tag::Name {
            let steps = Steps { tree: self.tree, nodes: &[] };
            return Traversal { root: Span::new(node.start, node.end), steps };
        }
        let words = self.extra(node.data, 3);
        Traversal { root: Span::new(node.start, words[0]), steps: self.steps(words[1], words[2]) }
    }

    #[inline]
    fn steps(self, first: u32, count: u32) -> Steps<'t> {
        Steps { tree: self.tree, nodes: &self.tree.steps[first as usize..(first + count) as usize] }
    }

    fn relative_traversal(self, node: Node) -> ExpressionKind<'t> {
        let words = self.extra(node.data, 3);
        ExpressionKind::RelativeTraversal {
            source: self.other(words[0]),
            steps: self.steps(words[1], words[2]),
        }
    }

    fn index(self, node: Node) -> ExpressionKind<'t> {
        let words = self.extra(node.data, 4);
        ExpressionKind::Index {
            collection: self.other(words[0]),
            key: self.other(words[1]),
            brackets: Span::new(words[2], words[3]),
        }
    }

    fn splat(self, node: Node, kind: SplatKind) -> Splat<'t> {
        let words = self.extra(node.data, 4);
        let marker = Span::new(words[2], words[3]);
        Splat { kind, source: self.other(words[0]), each: self.other(words[1]), marker }
    }

    fn binary(self, node: Node) -> ExpressionKind<'t> {
        let words = self.extra(node.data, 2);
        ExpressionKind::Binary {
            operator: BinaryOperator::ALL[usize::from(node.detail)],
            left: self.other(words[0]),
            right: self.other(words[1]),
        }
    }

    fn conditional(self, node: Node) -> ExpressionKind<'t> {
        let words = self.extra(node.data, 3);
        ExpressionKind::Conditional {
            condition: self.other(words[0]),
            when_true: self.other(words[1]),
            when_false: self.other(words[2]),
        }
    }

    /// Whether it is an operation on two operands; cheaper to ask than [`Expression::kind`].
    #[inline]
    pub fn is_binary(self) -> bool {
        self.node().tag == Tag::Binary
    }

    /// Whether it is a conditional; cheaper to ask than [`Expression::kind`].
    #[inline]
    pub fn is_conditional(self) -> bool {
        self.node().tag == Tag::Conditional
    }

    /// Whether it is an index or steps after an expression; cheaper to ask than [`Expression::kind`].
    #[inline]
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
    #[inline]
    fn part_span(self, node: Node) -> Span {
        let words = self.extra(node.data, 2);
        Span::new(words[0], words[1])
    }

    fn text_span(self, node: Node) -> Span {
        match node.tag {
            // The part that stands in for the missing one of `""` is after the quotes.
            Tag::QuotedText if node.end - node.start == 2 => Span::empty_at(node.end),
            Tag::QuotedText => Span::new(node.start + 1, node.end - 1),
            Tag::PartText => self.part_span(node),
            _ if node.data == NONE => Span::new(node.start, node.end),
            _ => self.tree.texts[node.data as usize].part,
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
    #[inline]
    pub fn expression(&self, id: ExprId) -> Expression<'_> {
        Expression::new(self, id)
    }
}

/// Several expressions in order.
#[derive(Copy, Clone)]
pub struct ExpressionList<'t> {
    tree: &'t Tree,
    words: &'t [u32],
}

impl<'t> ExpressionList<'t> {
    /// How many.
    #[inline]
    pub fn len(self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
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

    /// All of them.
    #[inline]
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
#[derive(Copy, Clone)]
pub struct ObjectItems<'t> {
    tree: &'t Tree,
    words: &'t [u32],
    rules: ObjectRules,
}

/// What is made of the keys of an object constructor.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ObjectRules {
    /// Native syntax: a plain name stands for itself; of items with one key the last counts.
    Native,
    /// JSON syntax: keys are templates; two items with one key are an error.
    Json,
}

/// An item of an object constructor.
#[derive(Copy, Clone, Debug)]
pub struct ObjectItem<'t> {
    /// The key as an expression; [`ObjectItem::key_name`] tells when it is a plain name.
    pub key: Expression<'t>,
    /// The value.
    pub value: Expression<'t>,
}

impl<'t> ObjectItems<'t> {
    /// What is made of the keys.
    #[inline]
    pub fn rules(self) -> ObjectRules {
        self.rules
    }

    /// How many.
    #[inline]
    pub fn len(self) -> usize {
        self.words.len() / 2
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.words.is_empty()
    }

    /// All of them.
    #[inline]
    pub fn iter(self) -> impl ExactSizeIterator<Item = ObjectItem<'t>> + Clone {
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

/// A variable and the steps that follow it.
#[derive(Copy, Clone, Debug)]
pub struct Traversal<'t> {
    root: Span,
    steps: Steps<'t>,
}

impl<'t> Traversal<'t> {
    /// The variable's name.
    #[inline]
    pub fn root(self) -> &'t str {
        self.steps.tree.source.slice(self.root)
    }

    /// Where the name stands.
    pub fn root_span(self) -> Span {
        self.root
    }

    /// The steps.
    #[inline]
    pub fn steps(self) -> Steps<'t> {
        self.steps
    }
}

/// The steps of a traversal.
#[derive(Copy, Clone)]
pub struct Steps<'t> {
    tree: &'t Tree,
    nodes: &'t [StepNode],
}

/// A step of a traversal.
#[derive(Copy, Clone, Debug)]
pub struct Step<'t> {
    /// From the dot to the end of the name, or from bracket to bracket.
    pub span: Span,
    /// What the step does.
    pub kind: StepKind<'t>,
}

/// What a step does.
#[derive(Copy, Clone, Debug)]
pub enum StepKind<'t> {
    /// `.name`
    Attribute(&'t str),
    /// `[key]` with a literal key: `Null`, `Bool`, `Number` or `Text`; after errors also `Invalid`.
    Index(Expression<'t>),
    /// `.0`: the digits as written.
    LegacyIndex(&'t str),
    /// `.0.1`: reported by the parser; an index by an unknown key.
    InvalidLegacyIndex,
}

impl<'t> Steps<'t> {
    /// No steps.
    pub(super) fn none(tree: &'t Tree) -> Self {
        Self { tree, nodes: &[] }
    }

    /// How many.
    #[inline]
    pub fn len(self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.nodes.is_empty()
    }

    /// All of them.
    #[inline]
    pub fn iter(self) -> impl ExactSizeIterator<Item = Step<'t>> + Clone {
        self.nodes.iter().map(move |node| {
            let span = Span::new(node.start, node.end);
            let kind = match node.tag {
                StepTag::Attribute => {
                    StepKind::Attribute(self.tree.source.slice(Span::new(node.data, node.end)))
                }
                StepTag::Index => StepKind::Index(Expression::new(self.tree, ExprId(node.data))),
                StepTag::LegacyIndex => {
                    StepKind::LegacyIndex(self.tree.source.slice(Span::new(node.data, node.end)))
                }
                StepTag::InvalidLegacyIndex => StepKind::InvalidLegacyIndex,
            };
            Step { span, kind }
        })
    }
}

impl std::fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A function call.
#[derive(Copy, Clone)]
pub struct Call<'t> {
    tree: &'t Tree,
    index: u32,
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

/// A `for` expression. With [`ForExpression::key`] its result is an object, else a tuple.
#[derive(Copy, Clone)]
pub struct ForExpression<'t> {
    tree: &'t Tree,
    index: u32,
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
