//! Expressions of attributes, with what they are part of.
//!
//! A [`ConfigExpression`] can be kept, sent and evaluated later. It is an expression of native syntax;
//! [`ConfigExpression::syntax`] gives the tree it is in, for evaluation.

use std::sync::Arc;

use crate::ast::{ExprId, Expression, Tree, variable_expressions};
use crate::parser::ParsedExpression;
use crate::source::{Range, Source, Span};

/// An expression that owns what it needs, cheap to clone.
#[derive(Clone, Debug)]
pub struct ConfigExpression(Repr);

#[derive(Clone, Debug)]
enum Repr {
    Native { tree: Arc<Tree>, id: ExprId },
}

/// A function call taken literally.
#[derive(Clone, Debug)]
pub struct StaticCall {
    /// The name, its parts joined by `::`.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// The arguments as written.
    pub arguments: Vec<ConfigExpression>,
    /// From the opening to the closing parenthesis.
    pub arguments_span: Span,
    /// What the spans are places in.
    pub source: Arc<Source>,
}

impl ConfigExpression {
    /// An expression of native syntax.
    pub fn native(tree: Arc<Tree>, id: ExprId) -> Self {
        Self(Repr::Native { tree, id })
    }

    /// The same place of the tree, as `other` is.
    fn beside(tree: &Arc<Tree>, other: Expression<'_>) -> Self {
        Self::native(Arc::clone(tree), other.id())
    }

    /// The expression and the tree it is in, for evaluation and for a close look.
    pub fn syntax(&self) -> ParsedExpression {
        match &self.0 {
            Repr::Native { tree, id } => ParsedExpression::new(Arc::clone(tree), *id),
        }
    }

    /// What the spans are places in.
    pub fn source(&self) -> &Arc<Source> {
        match &self.0 {
            Repr::Native { tree, .. } => tree.source(),
        }
    }

    /// Where the expression stands.
    pub fn span(&self) -> Span {
        match &self.0 {
            Repr::Native { tree, id } => tree.expression(*id).span(),
        }
    }

    /// The place that errors about the expression as a whole point at when it is long: its beginning.
    pub fn start_span(&self) -> Span {
        match &self.0 {
            Repr::Native { tree, id } => tree.expression(*id).start_span(),
        }
    }

    /// Where the expression stands.
    pub fn range(&self) -> Range {
        self.source().range(self.span())
    }

    /// The range of [`ConfigExpression::start_span`].
    pub fn start_range(&self) -> Range {
        self.source().range(self.start_span())
    }

    /// The variables that the expression refers to, in the order of the text, repetitions included. Each is
    /// an expression whose [`syntax`](ConfigExpression::syntax) is a traversal.
    pub fn variables(&self) -> Vec<Self> {
        let syntax = self.syntax();
        let variables = variable_expressions(syntax.expression());
        variables.into_iter().map(|variable| Self::beside(syntax.tree(), variable)).collect()
    }

    /// The elements, if the expression is a tuple constructor.
    pub fn static_list(&self) -> Option<Vec<Self>> {
        let Repr::Native { tree, id } = &self.0;
        let elements = tree.expression(*id).as_static_list()?;
        Some(elements.iter().map(|element| Self::beside(tree, element)).collect())
    }

    /// The keys and values, duplicates kept, if the expression is an object constructor.
    pub fn static_map(&self) -> Option<Vec<(Self, Self)>> {
        let Repr::Native { tree, id } = &self.0;
        let items = tree.expression(*id).as_static_map()?;
        Some(
            items.iter().map(|item| (Self::beside(tree, item.key), Self::beside(tree, item.value))).collect(),
        )
    }

    /// The call, if the expression is one.
    pub fn static_call(&self) -> Option<StaticCall> {
        let Repr::Native { tree, id } = &self.0;
        let call = tree.expression(*id).as_static_call()?;
        Some(StaticCall {
            name: call.name().to_owned(),
            name_span: call.name_span(),
            arguments: call.arguments().iter().map(|argument| Self::beside(tree, argument)).collect(),
            arguments_span: call.open_span().to(call.close_span()),
            source: Arc::clone(tree.source()),
        })
    }

    /// The expression as a traversal, if it is one:
    /// [`as_static_traversal`](Expression::as_static_traversal) of the result gives its steps.
    pub fn static_traversal(&self) -> Option<ParsedExpression> {
        let syntax = self.syntax();
        syntax.expression().as_static_traversal().is_some().then_some(syntax)
    }

    /// The name, if the expression is nothing but a name, or `true`, `false`, `null`.
    pub fn keyword(&self) -> Option<String> {
        let syntax = self.static_traversal()?;
        syntax.expression().as_keyword().map(str::to_owned)
    }
}
