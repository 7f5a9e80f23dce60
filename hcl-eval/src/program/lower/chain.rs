//! Chains: expressions of which one operand is of their kind again, and so on without end. A loop goes down to the end of the
//! chain and back, so that it needs no stack.

use std::ops::ControlFlow;

use hcl_syntax::ast::{BinaryOperator, ExprId, Expression, ExpressionKind};

use super::{Binding, Lowered, Lowering};
use crate::program::code::{Base, NONE, Node, Op, OpId};

/// A tree of operations on operands that lead straight to values has so many operations at most. It is evaluated by recursion,
/// and again by the general rules if an operand is not plain.
const LARGEST_TREE: u8 = 32;

/// An expression of which one operand is being lowered: the one where chains without end nest.
#[derive(Copy, Clone)]
pub(super) struct Open {
    whole: ExprId,
    /// Where its operations begin.
    start: usize,
    form: Form,
}

/// The steps that follow when the operand of a chain has been lowered.
#[derive(Copy, Clone)]
enum Form {
    /// It means what its operand means.
    Same,
    Interpolation,
    Unary,
    Binary {
        operator: BinaryOperator,
        /// The left operand is such an operation, too.
        is_chain: bool,
        right: ExprId,
    },
    Conditional {
        condition: OpId,
        when_true: OpId,
        constant: bool,
    },
    Index,
    Steps,
    TemplateFor,
    /// The source has been lowered next.
    SplatSource,
    /// The result for each item has been lowered next.
    SplatEach {
        source: OpId,
    },
}

impl<'t> Lowering<'t, '_> {
    /// Lowers an expression: the operand that a chain goes on with, and so on to the end of the chain; then, from there
    /// back, the other operands.
    pub(super) fn chain(&mut self, expression: Expression<'t>, kind: ExpressionKind<'t>) -> Lowered {
        let n_outside = self.open.len();
        let mut lowered = self.descend(expression, kind);
        while !self.is_over
            && self.open.len() > n_outside
            && let Some(open) = self.open.pop()
        {
            lowered = self.leave(open, lowered);
        }
        if self.is_over {
            self.open.truncate(n_outside);
            return Lowered::alone(self.push(expression, Node::Invalid), false);
        }
        lowered
    }

    /// Goes to the end of a chain.
    fn descend(&mut self, mut expression: Expression<'t>, mut kind: ExpressionKind<'t>) -> Lowered {
        loop {
            match self.enter(expression, kind) {
                ControlFlow::Continue(operand) => expression = operand,
                ControlFlow::Break(lowered) => return lowered,
            }
            kind = expression.kind();
            if let Some(lowered) = self.leaf(expression, kind) {
                return lowered;
            }
        }
    }

    /// Gives the operand that a chain goes on with, or lowers what is no link of one.
    fn enter(
        &mut self,
        expression: Expression<'t>,
        kind: ExpressionKind<'t>,
    ) -> ControlFlow<Lowered, Expression<'t>> {
        let start = self.code.ops.len();
        let (form, operand) = match kind {
            ExpressionKind::Binary { operator, left, right } => {
                (Form::Binary { operator, is_chain: left.is_binary(), right: right.id() }, left)
            }
            ExpressionKind::Conditional { condition, when_true, when_false } => {
                let condition = self.expression(condition);
                let when_true = self.expression(when_true);
                let constant = condition.constant & when_true.constant;
                (Form::Conditional { condition: condition.at, when_true: when_true.at, constant }, when_false)
            }
            ExpressionKind::Parentheses(inner) => (Form::Same, inner),
            ExpressionKind::Interpolation(inner) => match self.scope {
                Some(scope) if scope.leaves_unknown_interpolations() => (Form::Interpolation, inner),
                _ => (Form::Same, inner),
            },
            ExpressionKind::Unary { operand, .. } => (Form::Unary, operand),
            ExpressionKind::TemplateFor(inner) => (Form::TemplateFor, inner),
            ExpressionKind::RelativeTraversal { source, steps } => {
                if source.is_leaf() && matches!(source.kind(), ExpressionKind::SplatItem) {
                    let path = self.path(steps);
                    let at = self.push_path(
                        expression,
                        Node::Direct { base: Base::Item, index: 0, path },
                        path,
                        2,
                    );
                    return ControlFlow::Break(Lowered::alone(at, false));
                }
                (Form::Steps, source)
            }
            ExpressionKind::Index { collection, .. } => (Form::Index, collection),
            ExpressionKind::Splat(splat) => (Form::SplatSource, splat.source),
            _ => return ControlFlow::Break(self.nested(expression, kind)),
        };
        if self.open.len() >= self.open_until {
            self.look_before_opening();
        }
        if self.is_over {
            return ControlFlow::Break(Lowered::alone(OpId(0), false));
        }
        self.open.push(Open { whole: expression.id(), start, form });
        ControlFlow::Continue(operand)
    }

    /// Lowers what follows the operand that has been lowered.
    fn leave(&mut self, open: Open, operand: Lowered) -> Lowered {
        let Open { whole, start, form } = open;
        let whole = self.tree.expression(whole);
        match form {
            Form::Same => {
                if let Some(op) = self.code.ops.get_mut(operand.at.0 as usize) {
                    op.cost = op.cost.saturating_add(1);
                    op.written = whole.id();
                }
                operand
            }
            Form::Interpolation => {
                let at = self.push(whole, Node::Interpolation(operand.at));
                self.finish(at, start, operand.constant)
            }
            Form::Unary => {
                let ExpressionKind::Unary { operator, operand: inner } = whole.kind() else { return operand };
                if matches!(inner.kind(), ExpressionKind::Unary { .. }) {
                    self.discount(operand.at);
                }
                let at = self.push(whole, Node::Unary { operator, operand: operand.at });
                self.finish(at, start, operand.constant)
            }
            Form::Binary { operator, is_chain, right } => {
                if is_chain {
                    self.discount(operand.at);
                }
                let right = self.expression(self.tree.expression(right));
                self.leave_binary(whole, start, operator, [operand, right])
            }
            Form::Conditional { condition, when_true, constant } => {
                self.leave_conditional(whole, start, [condition, when_true], constant, operand)
            }
            Form::Index => {
                let ExpressionKind::Index { collection, key, .. } = whole.kind() else { return operand };
                if collection.is_access() {
                    self.discount(operand.at);
                }
                let key = self.expression(key);
                let at = self.push(whole, Node::Index { collection: operand.at, key: key.at });
                let constant = operand.constant & key.constant;
                self.finish(at, start, constant)
            }
            Form::Steps => {
                let ExpressionKind::RelativeTraversal { source, .. } = whole.kind() else { return operand };
                if source.is_access() {
                    self.discount(operand.at);
                }
                let at = self.push(whole, Node::Steps(operand.at));
                self.finish(at, start, operand.constant)
            }
            Form::TemplateFor => Lowered::alone(self.push(whole, Node::TemplateFor(operand.at)), false),
            Form::SplatSource => self.leave_splat(whole, start, operand),
            Form::SplatEach { source } => {
                self.bindings.pop();
                Lowered::alone(self.push(whole, Node::Splat { source, each: operand.at }), false)
            }
        }
    }

    /// Lowers a conditional whose false result has been lowered. `constant` tells that its other operands are constant.
    fn leave_conditional(
        &mut self,
        whole: Expression<'t>,
        start: usize,
        [condition, when_true]: [OpId; 2],
        constant: bool,
        operand: Lowered,
    ) -> Lowered {
        let ExpressionKind::Conditional { when_false, .. } = whole.kind() else { return operand };
        if when_false.is_conditional() {
            self.discount(operand.at);
        }
        let when_false = operand.at;
        let direct = self.steps_of_operands([condition, when_true, when_false], |_| true);
        let at = self.push(whole, Node::Conditional { direct, condition, when_true, when_false });
        self.finish(at, start, constant & operand.constant)
    }

    /// Lowers an operation whose operands are lowered. Left-leaning chains are walked by a loop, which calls this on the way
    /// up, and takes back the step of the inner operation, which the outer one counts.
    fn leave_binary(
        &mut self,
        whole: Expression<'t>,
        start: usize,
        operator: BinaryOperator,
        [left, right]: [Lowered; 2],
    ) -> Lowered {
        let constant = left.constant & right.constant;
        if operator.is_arithmetic() && !constant {
            self.settle(left);
            self.settle(right);
        }
        let n_plain = left.n_plain + right.n_plain + 1;
        let direct = if n_plain <= LARGEST_TREE {
            // `&&` and `||` have answers as operands, the others have numbers.
            let is_joint = operator.is_logical();
            self.steps_of_operands([left.at, right.at], |inner| inner.is_arithmetic() != is_joint)
        } else {
            0
        };
        if direct > 0 {
            self.join_tree(left.at);
            self.join_tree(right.at);
        }
        let constant_right = match self.code.op(right.at).node {
            Node::Direct { base: Base::Constant, index, .. } => index,
            _ => NONE,
        };
        let (left, right) = (left.at, right.at);
        let at = self.push(whole, Node::Binary { operator, direct, constant: constant_right, left, right });
        let lowered = self.finish(at, start, constant);
        if lowered.constant || direct == 0 { lowered } else { Lowered { n_plain, ..lowered } }
    }

    /// Makes an operation a part of the tree of another, which counts its steps.
    fn join_tree(&mut self, at: OpId) {
        if let Some(Op { node: Node::Binary { direct, .. }, .. }) = self.code.ops.get_mut(at.0 as usize) {
            *direct = 0;
        }
    }

    /// The steps that operands take if all of them lead straight to values or are operations on such, with operators that fit; 0
    /// if not, or if there are too many to be noted.
    pub(super) fn steps_of_operands(
        &self,
        operands: impl IntoIterator<Item = OpId>,
        fits: impl Fn(BinaryOperator) -> bool,
    ) -> u16 {
        let mut steps = 0_u32;
        for at in operands {
            let op = self.code.op(at);
            let below = match op.node {
                Node::Direct { .. } => 0,
                Node::Binary { direct: below @ 1.., operator, .. } if fits(operator) => u32::from(below),
                _ => return 0,
            };
            steps = steps.saturating_add(op.cost).saturating_add(below);
        }
        u16::try_from(steps).unwrap_or(0)
    }

    /// Goes on with what a splat makes of each item, after its source. That may be a splat again, and so on without end,
    /// so it is a link of the chain, too.
    fn leave_splat(&mut self, whole: Expression<'t>, start: usize, source: Lowered) -> Lowered {
        let ExpressionKind::Splat(splat) = whole.kind() else { return source };
        self.bindings.push(Binding::Item);
        self.open.push(Open { whole: whole.id(), start, form: Form::SplatEach { source: source.at } });
        let kind = splat.each.kind();
        self.leaf(splat.each, kind).unwrap_or_else(|| self.descend(splat.each, kind))
    }
}
