//! Visiting every expression of a tree in the order of evaluation, without recursion.

use smallvec::{SmallVec, smallvec};

use super::{Expression, ExpressionKind, ForExpression, ObjectItem};

/// A stop on the way through an expression.
#[derive(Copy, Clone, Debug)]
pub enum Visit<'t> {
    /// An expression; its operands follow. Plain names as object keys are left out: they are no variables.
    Expression(Expression<'t>),
    /// The names of a `for` are visible from here on, until the matching [`Visit::LeaveFor`].
    EnterFor(ForExpression<'t>),
    /// The names of the innermost `for` end.
    LeaveFor,
    /// [`ExpressionKind::SplatItem`] means this splat's item from here on, until the matching [`Visit::LeaveSplat`].
    EnterSplat,
    /// The innermost splat's item ends.
    LeaveSplat,
}

/// Visits an expression and everything in it, each before its operands, operands in the order written.
///
/// ```
/// # use std::sync::Arc;
/// use hcl_syntax::ast::{Visit, Walk};
/// # let source = Arc::new(hcl_syntax::source::Source::new("x", "[a, f(b)]").unwrap());
/// # let (parsed, _) = hcl_syntax::parser::parse_expression(source, &Default::default());
/// let n = Walk::new(parsed.expression()).filter(|v| matches!(v, Visit::Expression(_))).count();
/// # let _ = n;
/// ```
#[derive(Clone, Debug)]
pub struct Walk<'t> {
    pending: SmallVec<[Visit<'t>; 8]>,
}

impl<'t> Walk<'t> {
    /// Starts at an expression.
    pub fn new(expression: Expression<'t>) -> Self {
        Self { pending: smallvec![Visit::Expression(expression)] }
    }

    fn push(&mut self, expression: Expression<'t>) {
        self.pending.push(Visit::Expression(expression));
    }

    fn push_all(&mut self, expressions: impl DoubleEndedIterator<Item = Expression<'t>>) {
        self.pending.extend(expressions.rev().map(Visit::Expression));
    }

    fn push_for(&mut self, for_expression: ForExpression<'t>) {
        self.pending.push(Visit::LeaveFor);
        let parts = [for_expression.key(), Some(for_expression.value()), for_expression.condition()];
        self.push_all(parts.into_iter().flatten());
        self.pending.push(Visit::EnterFor(for_expression));
        self.push(for_expression.collection());
    }

    fn push_items(&mut self, items: impl Iterator<Item = ObjectItem<'t>>) {
        let first = self.pending.len();
        for item in items {
            if item.key_name().is_none() {
                self.push(item.key);
            }
            self.push(item.value);
        }
        self.pending[first..].reverse();
    }

    /// Pushes what `expression` consists of, last part first.
    fn push_operands(&mut self, expression: Expression<'t>) {
        match expression.kind() {
            ExpressionKind::Null
            | ExpressionKind::Bool(_)
            | ExpressionKind::Number(_)
            | ExpressionKind::Text(_)
            | ExpressionKind::Traversal(_)
            | ExpressionKind::SplatItem
            | ExpressionKind::Invalid
            | ExpressionKind::Unfinished(_) => {}
            ExpressionKind::Template(list) | ExpressionKind::Tuple(list) => self.push_all(list.iter()),
            ExpressionKind::Interpolation(inner)
            | ExpressionKind::Parentheses(inner)
            | ExpressionKind::TemplateFor(inner)
            | ExpressionKind::Unary { operand: inner, .. }
            | ExpressionKind::RelativeTraversal { source: inner, .. } => self.push(inner),
            ExpressionKind::Object(items) => self.push_items(items.iter()),
            ExpressionKind::Call(call) => self.push_all(call.arguments().iter()),
            ExpressionKind::For(for_expression) => self.push_for(for_expression),
            ExpressionKind::Index { collection, key, .. } => self.push_all([collection, key].into_iter()),
            ExpressionKind::Splat(splat) => {
                self.pending.push(Visit::LeaveSplat);
                self.push(splat.each);
                self.pending.push(Visit::EnterSplat);
                self.push(splat.source);
            }
            ExpressionKind::Binary { left, right, .. } => self.push_all([left, right].into_iter()),
            ExpressionKind::Conditional { condition, when_true, when_false } => {
                self.push_all([condition, when_true, when_false].into_iter());
            }
        }
    }
}

impl<'t> Iterator for Walk<'t> {
    type Item = Visit<'t>;

    fn next(&mut self) -> Option<Visit<'t>> {
        let visit = self.pending.pop()?;
        if let Visit::Expression(expression) = visit
            && !expression.is_leaf()
        {
            self.push_operands(expression);
        }
        Some(visit)
    }
}
