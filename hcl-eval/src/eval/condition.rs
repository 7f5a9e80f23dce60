//! Tests: comparisons of variables and constants, and what `&&` and `||` make of them.
//!
//! Conditions are mostly that. Their answers are bools that no value has to be made for, as long as everything is plain;
//! where it is not, nothing has happened yet and the general rules begin anew.

use hcl_syntax::ast::BinaryOperator;

use super::evaluator::{Env, Evaluator};
use super::operator::plain_answer;
use crate::program::{Node, OpId};
use crate::value::{Repr, Value};

impl<'e> Env<'e> {
    /// The answer of a test, if everything in it is plain; the steps that it takes are added to `cost`. Lowering sees to
    /// it that tests are small, so that it goes not deep, and what is in vain here is little.
    fn answer(self, at: OpId, cost: &mut u32) -> Option<bool> {
        match self.op(at).node {
            Node::Binary { is_test: true, operator, left, right, .. } => {
                *cost = cost.saturating_add(self.op(at).cost);
                match operator {
                    BinaryOperator::And => Some(self.answer(left, cost)? & self.answer(right, cost)?),
                    BinaryOperator::Or => Some(self.answer(left, cost)? | self.answer(right, cost)?),
                    _ => plain_answer(operator, self.operand(left, cost)?, self.operand(right, cost)?),
                }
            }
            _ => match self.operand(at, cost)? {
                Value(Repr::Bool(answer)) => Some(*answer),
                _ => None,
            },
        }
    }

    #[inline]
    fn operand(self, at: OpId, cost: &mut u32) -> Option<&'e Value> {
        let op = self.op(at);
        *cost = cost.saturating_add(op.cost);
        self.direct(&op.node)
    }
}

impl Evaluator<'_> {
    /// The answer of an operation that is a test, if it is one, everything in it is plain and its steps are there.
    #[inline]
    pub(super) fn test(&mut self, at: OpId, env: Env<'_>) -> Option<bool> {
        if !matches!(env.op(at).node, Node::Binary { is_test: true, .. }) || self.observer.is_some() {
            return None;
        }
        let mut cost = 0;
        let answer = env.answer(at, &mut cost)?;
        self.meter.afford(cost).then_some(answer)
    }
}
