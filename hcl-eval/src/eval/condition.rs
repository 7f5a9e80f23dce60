//! Operations on operands that lead straight to values: arithmetic, comparisons, and `&&` and `||` between comparisons.
//!
//! Most conditions are no more than that. Their operands are read where they lie and compared without making values, as long
//! as every operand is plain; where one is not, nothing has been charged or reported and the general rules apply.

use hcl_syntax::ast::BinaryOperator;

use super::evaluator::{Env, Evaluator};
use super::operator::{plain_answer, plain_result};
use crate::limits::Meter;
use crate::program::{Node, Op};
use crate::value::{Repr, Value};

impl Env<'_> {
    /// The answer of a comparison, of `&&` or `||` of a few comparisons, or of a bool that an operation leads straight to; if
    /// every operand is plain. Lowering keeps them small, so the recursion is shallow and an attempt that fails costs little.
    fn answer(self, op: &Op) -> Option<bool> {
        let Node::Binary { direct: 1.., operator, left, right, .. } = op.node else {
            let Value(Repr::Bool(answer)) = self.direct(&op.node)? else { return None };
            return Some(*answer);
        };
        let (left, right) = (self.op(left), self.op(right));
        match operator {
            BinaryOperator::And => Some(self.answer(left)? & self.answer(right)?),
            BinaryOperator::Or => Some(self.answer(left)? | self.answer(right)?),
            _ => plain_answer(operator, self.direct(&left.node)?, self.direct(&right.node)?),
        }
    }

    /// The answer of an operation on operands that lead straight to values, if they are plain and the steps are there.
    fn direct_answer(self, op: &Op, meter: &mut Meter) -> Option<bool> {
        let Node::Binary { direct: steps @ 1.., .. } = op.node else { return None };
        let answer = self.answer(op)?;
        meter.afford(op.cost.saturating_add(u32::from(steps))).then_some(answer)
    }

    /// The result of an operation on operands that lead straight to values, if they are plain and the steps are there.
    pub(super) fn direct_result(self, op: &Op, meter: &mut Meter) -> Option<Value> {
        match op.node {
            Node::Binary { direct: steps @ 1.., operator, left, right, .. } if operator.is_arithmetic() => {
                let [left, right] = [self.op(left), self.op(right)].map(|operand| self.direct(&operand.node));
                let result = plain_result(operator, left?, right?)?;
                meter.afford(op.cost.saturating_add(u32::from(steps))).then_some(result)
            }
            _ => self.direct_answer(op, meter).map(Value::bool),
        }
    }
}

impl Evaluator<'_> {
    /// The answer of an operation on operands that lead straight to values, if they are plain, the steps are there and
    /// nobody watches.
    pub(super) fn direct_answer(&mut self, op: &Op, env: Env<'_>) -> Option<bool> {
        if self.observer.is_some() { None } else { env.direct_answer(op, self.meter) }
    }

    /// The result of such an operation.
    pub(super) fn direct_result(&mut self, op: &Op, env: Env<'_>) -> Option<Value> {
        if self.observer.is_some() { None } else { env.direct_result(op, self.meter) }
    }
}
