//! Operations on operands that lead straight to values: trees of arithmetic, comparisons, `&&` and `||`; conditionals of these;
//! templates.
//!
//! Most conditions are no more than that. Their operands are read where they lie and compared without making values, as long
//! as every operand is plain; where one is not, nothing has been charged or reported and the general rules apply.

use hcl_syntax::ast::BinaryOperator;

use super::conditional::is_alike;
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::locals::Locals;
use super::operator::{calculate, number_answer, plain_answer};
use crate::limits::Meter;
use crate::program::{Code, List, Node, Op, OpId};
use crate::value::string::{STRETCH, normalized};
use crate::value::{Number, Repr, Value};

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
        if op.node.is_direct() { view.reach(op, meter).cloned() } else { view.direct_result(op, meter) }
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

    /// The result of an operation on operands that lead straight to values, if they are plain and the steps are there.
    pub(super) fn direct_result(self, op: &Op, meter: &mut Meter) -> Option<Value> {
        let (result, steps) = match op.node {
            Node::Binary { operator, .. } if !operator.is_arithmetic() => {
                return self.direct_answer(op, meter).map(Value::bool);
            }
            Node::Binary { direct: steps @ 1.., .. } => (Value::number(self.calculated(op)?), steps),
            Node::Conditional { direct: steps @ 1.., condition, when_true, when_false } => {
                (self.choice(condition, [when_true, when_false])?, steps)
            }
            Node::Template { direct: steps @ 1.., parts } => {
                return self.direct_text(parts, op.cost.saturating_add(u32::from(steps)), meter);
            }
            _ => return None,
        };
        meter.afford(op.cost.saturating_add(u32::from(steps))).then_some(result)
    }

    /// The answer of such an operation.
    fn direct_answer(self, op: &Op, meter: &mut Meter) -> Option<bool> {
        let Node::Binary { direct: steps @ 1.., .. } = op.node else { return None };
        let answer = self.answer(op)?;
        meter.afford(op.cost.saturating_add(u32::from(steps))).then_some(answer)
    }

    /// The answer of an operation, or a bool that one leads straight to.
    #[inline(always)]
    fn test(self, op: &Op) -> Option<bool> {
        match self.direct(&op.node) {
            Some(Value(Repr::Bool(answer))) => Some(*answer),
            Some(_) => None,
            None => self.answer(op),
        }
    }

    /// The answer of a comparison, or of `&&` or `||` of such and bools.
    #[inline(never)]
    fn answer(self, op: &Op) -> Option<bool> {
        let Node::Binary { operator, left, right, .. } = op.node else { return None };
        let (left, right) = (self.op(left), self.op(right));
        match operator {
            BinaryOperator::And => Some(self.test(left)? & self.test(right)?),
            BinaryOperator::Or => Some(self.test(left)? | self.test(right)?),
            _ => match (self.direct(&left.node), self.direct(&right.node)) {
                (Some(left), Some(right)) => plain_answer(operator, left, right),
                _ => self.answer_about_numbers(operator, [left, right]),
            },
        }
    }

    /// The answer of a comparison of numbers, one of which at least is calculated.
    #[inline(never)]
    fn answer_about_numbers(self, operator: BinaryOperator, operands: [&Op; 2]) -> Option<bool> {
        let mut rooms = [const { Number::from_i64(0) }; 2];
        let [left, right] = &mut rooms;
        number_answer(operator, self.number(operands[0], left)?, self.number(operands[1], right)?)
    }

    /// The result of arithmetic.
    fn calculated(self, op: &Op) -> Option<Number> {
        let Node::Binary { operator, left, right, .. } = op.node else { return None };
        let mut rooms = [const { Number::from_i64(0) }; 2];
        let [left_room, right_room] = &mut rooms;
        let left = self.number(self.op(left), left_room)?;
        calculate(operator, left, self.number(self.op(right), right_room)?)
    }

    /// A number that an operation leads straight to, or one that is calculated and put into `room`.
    #[inline(always)]
    fn number(self, op: &Op, room: &'e mut Number) -> Option<&'e Number> {
        match self.direct(&op.node) {
            Some(Value(Repr::Number(number))) => Some(number),
            Some(_) => None,
            None => {
                *room = self.calculated(op)?;
                Some(room)
            }
        }
    }

    /// The result of a conditional of which either result is small and needs no conversion.
    #[inline(never)]
    fn choice(self, condition: OpId, results: [OpId; 2]) -> Option<Value> {
        let [when_true, when_false] = results.map(|at| self.op(at));
        let (when_true, when_false) = (self.result(when_true)?, self.result(when_false)?);
        let is_plain = is_alike(&when_true, &when_false) && when_true.is_light() && when_false.is_light();
        let answer = self.test(self.op(condition)).filter(|_| is_plain)?;
        let (chosen, other) = if answer { (when_true, when_false) } else { (when_false, when_true) };
        other.discard();
        Some(chosen.into_owned())
    }

    /// A result of a conditional.
    fn result(self, op: &Op) -> Option<Flow<'e>> {
        match op.node {
            Node::Binary { operator, .. } if operator.is_arithmetic() => {
                self.calculated(op).map(|number| Flow::Owned(Value::number(number)))
            }
            Node::Binary { .. } => self.answer(op).map(|answer| Flow::Owned(Value::bool(answer))),
            _ => self.direct(&op.node).map(Flow::Borrowed),
        }
    }

    /// The text of a template whose parts are texts and small numbers, if there is as much left as it takes.
    #[inline(never)]
    fn direct_text(self, parts: List, steps: u32, meter: &mut Meter) -> Option<Value> {
        let start = meter.text.len();
        let mut parts = self.readable.code.list(parts).iter();
        let is_short = |text: &str| text.len() - start <= STRETCH;
        let is_plain = parts.all(|&part| self.write(self.op(part), &mut meter.text) && is_short(&meter.text));
        let n_bytes = meter.text.len() - start;
        let text = is_plain.then(|| normalized(&meter.text[start..]));
        meter.text.truncate(start);
        text.filter(|_| meter.afford_text(steps, n_bytes)).map(Value::string_nfc)
    }

    /// Appends a part of a template, if it is a text or a small number.
    fn write(self, part: &Op, to: &mut String) -> bool {
        match self.direct(&part.node) {
            Some(Value(Repr::String(part))) if part.len() <= STRETCH => to.push_str(part),
            Some(Value(Repr::Number(number))) if !number.is_big() => number.write_text(to),
            _ => return false,
        }
        true
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
