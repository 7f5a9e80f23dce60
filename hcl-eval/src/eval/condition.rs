//! Operations on operands that lead straight to values: arithmetic, comparisons, `&&` and `||` between comparisons, and
//! conditionals of all these.
//!
//! Most conditions are no more than that. Their operands are read where they lie and compared without making values, as long
//! as every operand is plain; where one is not, nothing has been charged or reported and the general rules apply.

use hcl_syntax::ast::BinaryOperator;

use super::conditional::is_alike;
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::locals::Locals;
use super::operator::{plain_answer, plain_result};
use crate::limits::Meter;
use crate::program::{Code, Node, Op, OpId};
use crate::value::{Repr, Value};

/// Code and the values of slots, which are read without an evaluator.
#[derive(Copy, Clone)]
pub(crate) struct Readable<'a> {
    pub(crate) code: &'a Code,
    pub(crate) slots: &'a [Option<Value>],
}

/// That, with the names that are bound at the moment.
#[derive(Copy, Clone)]
pub(super) struct View<'e> {
    pub(super) readable: &'e Readable<'e>,
    pub(super) locals: Locals<'e>,
}

impl Readable<'_> {
    /// The value of code that leads straight to one, or operates on operands that do.
    pub(crate) fn at_once(&self, meter: &mut Meter) -> Option<Value> {
        let view = View { readable: self, locals: None };
        let op = self.code.ops.last()?;
        match op.node {
            Node::Binary { .. } | Node::Conditional { .. } => view.direct_result(op, meter),
            _ => view.reach(op, meter).cloned(),
        }
    }
}

impl<'e> View<'e> {
    fn op(self, at: OpId) -> &'e Op {
        self.readable.code.op(at)
    }

    /// The value that an operation leads straight to, if that is there and its steps are.
    #[inline(always)]
    pub(super) fn reach(self, op: &Op, meter: &mut Meter) -> Option<&'e Value> {
        let value = self.direct(&op.node)?;
        meter.afford(op.cost).then_some(value)
    }

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
            Node::Binary { operator, .. } if operator.is_arithmetic() => self.direct_number(op, meter),
            Node::Conditional { .. } => self.direct_choice(op, meter),
            _ => self.direct_answer(op, meter).map(Value::bool),
        }
    }

    #[inline(never)]
    fn direct_number(self, op: &Op, meter: &mut Meter) -> Option<Value> {
        let Node::Binary { direct: steps @ 1.., .. } = op.node else { return None };
        let result = self.number(op)?;
        meter.afford(op.cost.saturating_add(u32::from(steps))).then_some(result)
    }

    /// The result of arithmetic.
    fn number(self, op: &Op) -> Option<Value> {
        let Node::Binary { operator, left, right, .. } = op.node else { return None };
        let [left, right] = [self.op(left), self.op(right)].map(|operand| self.direct(&operand.node));
        plain_result(operator, left?, right?)
    }

    /// The result of a conditional of which either result is small and needs no conversion.
    #[inline(never)]
    fn direct_choice(self, op: &Op, meter: &mut Meter) -> Option<Value> {
        let Node::Conditional { direct: steps @ 1.., condition, when_true, when_false, .. } = op.node else {
            return None;
        };
        let (when_true, when_false) = (self.result(self.op(when_true))?, self.result(self.op(when_false))?);
        let is_plain = is_alike(&when_true, &when_false) && when_true.is_light() && when_false.is_light();
        let answer = self.answer(self.op(condition)).filter(|_| is_plain)?;
        let (chosen, other) = if answer { (when_true, when_false) } else { (when_false, when_true) };
        other.discard();
        meter.afford(op.cost.saturating_add(u32::from(steps))).then(|| chosen.into_owned())
    }

    /// A result of a conditional.
    fn result(self, op: &Op) -> Option<Flow<'e>> {
        match op.node {
            Node::Binary { operator, .. } if operator.is_arithmetic() => self.number(op).map(Flow::Owned),
            Node::Binary { .. } => self.answer(op).map(|answer| Flow::Owned(Value::bool(answer))),
            _ => self.direct(&op.node).map(Flow::Borrowed),
        }
    }
}

impl Evaluator<'_> {
    /// The answer of an operation on operands that lead straight to values, if they are plain, the steps are there and
    /// nobody watches.
    pub(super) fn direct_answer(&mut self, op: &Op, env: Env<'_>) -> Option<bool> {
        if self.observer.is_some() { None } else { env.view().direct_answer(op, self.meter) }
    }

    /// The result of such an operation.
    pub(super) fn direct_result(&mut self, op: &Op, env: Env<'_>) -> Option<Value> {
        if self.observer.is_some() { None } else { env.view().direct_result(op, self.meter) }
    }
}
