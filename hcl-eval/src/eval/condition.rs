//! Operations on operands that lead straight to values: trees of arithmetic, comparisons, `&&` and `||`; conditionals of these;
//! templates.
//!
//! Most conditions are no more than that. Their operands are read where they lie and compared without making values, as long
//! as every operand is plain; where one is not, nothing has been charged or reported and the general rules apply.

use hcl_syntax::ast::BinaryOperator;

use super::locals::Locals;
use super::operator::{calculate, calculate_on, number_answer, plain_answer};
use crate::Str;
use crate::limits::Meter;
use crate::program::{Code, List, Node, Op, OpId};
use crate::value::string::{STRETCH, is_ascii, normalized};
use crate::value::{LIGHT_TEXT, Number, Repr, Value};

/// So many operations in a row are followed by a loop. Most have fewer.
const LINKS: usize = 12;

/// Code and the values of slots, which are read without an evaluator.
#[derive(Copy, Clone)]
pub(crate) struct Readable<'a> {
    pub(crate) code: &'a Code,
    pub(crate) slots: &'a [Option<Value>],
}

/// That, with the names that are bound at the moment.
#[derive(Copy, Clone)]
pub(crate) struct View<'e> {
    pub(super) readable: &'e Readable<'e>,
    pub(super) locals: Locals<'e>,
}

/// An operation on operands that lead straight to values, whose result is a bool.
#[derive(Copy, Clone)]
pub(super) struct Test<'e> {
    op: &'e Op,
    cost: u64,
    /// It is one of `&&` or `||`.
    is_chain: bool,
}

impl<'e> Test<'e> {
    pub(super) fn of(op: &'e Op) -> Option<Self> {
        let Node::Binary { operator, direct: 1.., .. } = op.node else { return None };
        Some(Self { op, cost: op.direct_cost(), is_chain: operator.is_logical() })
    }
}

/// The kind of a small value of a primitive type.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Small {
    Text,
    Number,
    Bool,
}

impl Small {
    /// `None` for other values, unknown and marked ones among them.
    fn of(value: &Value) -> Option<Self> {
        match &value.0 {
            Repr::String(text) if text.len() < LIGHT_TEXT => Some(Self::Text),
            Repr::Number(number) if !number.is_big() => Some(Self::Number),
            Repr::Bool(_) => Some(Self::Bool),
            _ => None,
        }
    }
}

impl Readable<'_> {
    /// A view where no name is bound.
    pub(crate) fn view(&self) -> View<'_> {
        View { readable: self, locals: None }
    }
}

impl<'e> View<'e> {
    fn op(self, at: OpId) -> &'e Op {
        self.readable.code.op(at)
    }

    /// The value that an operation leads straight to, if that is there and its steps are.
    #[inline(always)] // By a call `const_arith` takes 13 % more instructions.
    pub(crate) fn reach(self, op: &Op, meter: &mut Meter) -> Option<&'e Value> {
        let value = self.direct(&op.node)?;
        meter.afford(op.cost.into()).then_some(value)
    }

    /// The result of an operation on operands that lead straight to values, if they are plain and the steps are there.
    #[inline(always)] // 523 instructions for a conditional, and 538 where it is a call.
    pub(crate) fn direct_result(self, op: &Op, meter: &mut Meter) -> Option<Value> {
        match op.node {
            Node::Binary { operator, .. } if !operator.is_arithmetic() => {
                self.direct_answer(op, meter).map(Value::bool)
            }
            Node::Binary { direct: 1.., .. } => {
                self.calculated(op).filter(|_| meter.afford(op.direct_cost())).map(Value::number)
            }
            Node::Conditional { direct: 1.., .. } => self.choice(op, meter),
            Node::Template { direct: 1.., parts } => self.direct_text(parts, op.direct_cost(), meter),
            _ => None,
        }
    }

    /// The answer of such an operation.
    pub(crate) fn direct_answer(self, op: &Op, meter: &mut Meter) -> Option<bool> {
        let Node::Binary { direct: 1.., .. } = op.node else { return None };
        let answer = self.answer(op)?;
        meter.afford(op.direct_cost()).then_some(answer)
    }

    /// The answer of a test, if its operands are plain and the steps are there.
    pub(super) fn direct_test(self, test: Test<'_>, meter: &mut Meter) -> Option<bool> {
        let answer = if test.is_chain { self.answer(test.op)? } else { self.comparison(test.op)? };
        meter.afford(test.cost).then_some(answer)
    }

    /// The answer of a comparison, or of `&&` or `||` of such and bools. Mostly these are chains, `a && b && c`, whose left
    /// operands are followed in a loop: the answer is that of the operand that is left, if `needed` holds, or it is `enough`.
    fn answer(self, op: &Op) -> Option<bool> {
        let (mut op, mut needed, mut enough) = (op, 1, 0);
        while let Node::Binary { operator, left, right, .. } = op.node
            && operator.is_logical()
        {
            let both = needed & u32::from(self.test(self.op(right))?);
            let is_or = u32::from(operator == BinaryOperator::Or);
            needed = both | needed & is_or;
            enough |= both & is_or;
            op = self.op(left);
        }
        Some(u32::from(self.test(op)?) & needed | enough != 0)
    }

    /// The answer of a comparison alone.
    #[inline(never)] // Inlined, with `afford_beyond_fuel`, it makes `for_group_1000` take 4 % more instructions.
    fn comparison(self, op: &Op) -> Option<bool> {
        self.test(op)
    }

    /// The answer of an operation, or a bool that one leads straight to.
    #[inline(always)] // By a call `bool_cmp` takes 10 % more instructions.
    fn test(self, op: &Op) -> Option<bool> {
        let Node::Binary { operator, constant, left, right, .. } = op.node else {
            let Repr::Bool(answer) = self.direct(&op.node)?.0 else { return None };
            return Some(answer);
        };
        if operator.is_logical() {
            return self.answer(op);
        }
        let left_value = self.direct(&self.op(left).node);
        let right_value = match self.readable.code.values.get(constant as usize) {
            Some(constant) => Some(constant),
            None => self.direct_operand(right),
        };
        match (left_value, right_value) {
            (Some(left), Some(right)) => plain_answer(operator, left, right),
            _ => self.answer_about_numbers(operator, [left, right]),
        }
    }

    /// [`View::direct`] for an operand that seldom is one.
    fn direct_operand(self, at: OpId) -> Option<&'e Value> {
        self.direct(&self.op(at).node)
    }

    /// The answer of a comparison of numbers, one of which at least is calculated.
    fn answer_about_numbers(self, operator: BinaryOperator, operands: [OpId; 2]) -> Option<bool> {
        let [left, right] = operands.map(|at| self.op(at));
        let (left_room, right_room);
        let left = if left.node.is_direct() {
            self.number(left)?
        } else {
            left_room = self.calculated(left)?;
            &left_room
        };
        let right = if right.node.is_direct() {
            self.number(right)?
        } else {
            right_room = self.calculated(right)?;
            &right_room
        };
        number_answer(operator, left, right)
    }

    /// The result of arithmetic, which mostly is done with a constant.
    fn calculated(self, op: &Op) -> Option<Number> {
        let Node::Binary { operator, constant, left, .. } = op.node else { return None };
        let left = self.op(left);
        match self.readable.code.values.get(constant as usize) {
            Some(Value(Repr::Number(right))) if left.node.is_direct() => {
                calculate(operator, self.number(left)?, right)
            }
            _ => self.calculated_of_parts(op),
        }
    }

    /// The result of arithmetic whose operands may be results of arithmetic. Left operands are followed in a loop, and the
    /// result so far is calculated with where it is: 100 instructions less for 20 operations than calls, and sums keep memory.
    fn calculated_of_parts(self, op: &Op) -> Option<Number> {
        let (mut chain, mut n_links, mut leftmost) = ([op; LINKS], 0, op);
        while let Node::Binary { left, .. } = leftmost.node
            && let Some(link) = chain.get_mut(n_links)
        {
            *link = leftmost;
            n_links += 1;
            leftmost = self.op(left);
        }
        let mut result = match leftmost.node.is_direct() {
            true => self.number(leftmost)?.clone(),
            false => self.calculated_of_parts(leftmost)?,
        };
        for op in chain.get(..n_links)?.iter().rev() {
            let Node::Binary { operator, constant, right, .. } = op.node else { return None };
            let right_room;
            let right = match self.readable.code.values.get(constant as usize) {
                Some(Value(Repr::Number(number))) => number,
                Some(_) => return None,
                None if self.op(right).node.is_direct() => self.number(self.op(right))?,
                None => {
                    // Often it is one operation, which needs no chain: 80 instructions less for five of them.
                    right_room = self.calculated(self.op(right))?;
                    &right_room
                }
            };
            if !calculate_on(operator, &mut result, right) {
                return None;
            }
        }
        Some(result)
    }

    /// A number that an operation leads straight to.
    #[inline(always)] // By a call `conditional` takes 3 % more instructions.
    fn number(self, op: &Op) -> Option<&'e Number> {
        let Repr::Number(number) = &self.direct(&op.node)?.0 else { return None };
        Some(number)
    }

    /// The result of a conditional of which either result is small and needs no conversion.
    #[inline(never)] // Not measured alone: without this and others `for_filter_1000` takes 5 % more instructions.
    fn choice(self, op: &Op, meter: &mut Meter) -> Option<Value> {
        let Node::Conditional { condition, .. } = op.node else { return None };
        let answer = self.test(self.op(condition))?;
        // Read with the condition, they take registers from it: some 11 instructions more for a conditional.
        let Node::Conditional { when_true, when_false, .. } = op.node else { return None };
        let (chosen, other) = if answer { (when_true, when_false) } else { (when_false, when_true) };
        let kind = self.small_result(self.op(other))?;
        self.result(self.op(chosen), kind, || meter.afford(op.direct_cost()))
    }

    /// The kind of a result of a conditional, if that is small.
    fn small_result(self, op: &Op) -> Option<Small> {
        match op.node {
            Node::Binary { operator, .. } if operator.is_arithmetic() => {
                self.calculated(op).filter(|number| !number.is_big()).map(|_| Small::Number)
            }
            Node::Binary { .. } => self.answer(op).map(|_| Small::Bool),
            _ => Small::of(self.direct(&op.node)?),
        }
    }

    /// A result of a conditional, if it is small and of a kind, and the steps are there.
    fn result(self, op: &Op, kind: Small, affords: impl FnOnce() -> bool) -> Option<Value> {
        match op.node {
            Node::Binary { operator, .. } if operator.is_arithmetic() => {
                let number = self.calculated(op)?;
                (kind == Small::Number && !number.is_big() && affords()).then(|| Value::number(number))
            }
            Node::Binary { .. } => {
                self.answer(op).filter(|_| kind == Small::Bool && affords()).map(Value::bool)
            }
            _ => self.direct(&op.node).filter(|value| Small::of(value) == Some(kind) && affords()).cloned(),
        }
    }

    /// The text of a template whose parts are texts and small numbers, if there is as much left as it takes.
    fn direct_text(self, parts: List, steps: u64, meter: &mut Meter) -> Option<Value> {
        let (text, n_bytes) = self.text(parts, meter)?;
        meter.afford_text(steps, n_bytes).then(|| Value::string_nfc(text))
    }

    /// Such a text, and how many bytes were put together.
    #[inline(always)] // By a call `object_8` takes 2 % more instructions, and `for_nested_10x10` too.
    pub(super) fn text(self, parts: List, meter: &mut Meter) -> Option<(Str, usize)> {
        let start = meter.text.len();
        let text = self.write_all(parts, &mut meter.text).then(|| normalized(&meter.text[start..]));
        let n_bytes = meter.text.len() - start;
        meter.text.truncate(start);
        text.map(|text| (text, n_bytes))
    }

    /// Appends such a text to the one that is being put together, if that is no other then; returns whether it did.
    pub(super) fn append_direct_text(self, op: &Op, meter: &mut Meter) -> bool {
        let Node::Template { direct: 1.., parts } = op.node else { return false };
        let start = meter.text.len();
        let is_normal = self.write_all(parts, &mut meter.text) && is_ascii(&meter.text[start..]);
        let done = is_normal && meter.afford_text(op.direct_cost(), meter.text.len() - start);
        if !done {
            meter.text.truncate(start);
        }
        done
    }

    /// Appends the parts of a template, as long as they are texts and small numbers and there are not many bytes.
    fn write_all(self, parts: List, to: &mut String) -> bool {
        let most = to.len() + STRETCH;
        let mut parts = self.readable.code.list(parts).iter();
        parts.all(|&part| self.write(part, to) && to.len() <= most)
    }

    /// Appends a part of a template, if it is a text or a small number.
    fn write(self, part: OpId, to: &mut String) -> bool {
        let value = match part.as_constant() {
            Some(constant) => self.readable.code.values.get(constant as usize),
            None => self.direct(&self.op(part).node),
        };
        let Some(Value(Repr::String(part))) = value else { return write_number(value, to) };
        let is_short = part.len() <= STRETCH;
        match part.as_bytes() {
            [byte] if byte.is_ascii() => to.push(char::from(*byte)), // 20 instructions less than for a text.
            _ if is_short => to.push_str(part),
            _ => {}
        }
        is_short
    }
}

/// Appends a small number; returns whether it did.
fn write_number(value: Option<&Value>, to: &mut String) -> bool {
    let Some(Value(Repr::Number(number))) = value else { return false };
    let is_small = !number.is_big();
    if is_small {
        number.write_text(to);
    }
    is_small
}
