//! Operators: arithmetic, comparison, equality; chains of any length without recursion.

use std::cmp::Ordering;

use hcl_syntax::ast::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use smallvec::SmallVec;

use super::error;
use super::evaluator::{Evaluator, Place};
use super::flow::Flow;
use super::locals::Locals;
use crate::convert::convert;
use crate::program::Note;
use crate::types::Type;
use crate::value::{Repr, Value, ValueError, arithmetic, logic};

/// A binary operation whose operands have been evaluated.
pub(super) struct Operation<'e> {
    pub(super) expression: Expression<'e>,
    pub(super) operator: BinaryOperator,
    pub(super) operands: [Expression<'e>; 2],
    /// How many diagnostics there were before the left operand, and before the right one.
    pub(super) before_left: usize,
    pub(super) before_right: usize,
}

impl<'a> Evaluator<'a> {
    /// The value of a binary operation.
    #[inline(never)]
    pub(super) fn binary<'e>(
        &mut self,
        expression: Expression<'e>,
        operator: BinaryOperator,
        [left, right]: [Expression<'e>; 2],
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        if left.is_binary() {
            return self.operator_chain(expression, locals);
        }
        self.operate_on(expression, operator, left, right, locals)
    }

    /// The value of a binary operation whose operands are noted.
    #[inline(never)]
    pub(super) fn operate_noted<'e>(
        &mut self,
        expression: Expression<'e>,
        note: &'a Note,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        if self.is_time_to_look() {
            return self.on_enough_stack(move |this| this.operate_noted(expression, note, locals));
        }
        let Note::Binary { operator, left, right } = *note else { return Flow::dynamic() };
        let tree = expression.tree();
        let (left, right) = (tree.expression(left), tree.expression(right));
        self.level += 1;
        let flow = self.operate_on(expression, operator, left, right, locals);
        self.level -= 1;
        flow
    }

    /// The value of a binary operation whose left operand is evaluated by recursion.
    #[inline(always)]
    fn operate_on<'e>(
        &mut self,
        expression: Expression<'e>,
        operator: BinaryOperator,
        left: Expression<'e>,
        right: Expression<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        let before = self.diagnostics.len();
        let left_value = self.eval(left, locals);
        let before_right = self.diagnostics.len();
        let right_value = self.eval(right, locals);
        if self.diagnostics.len() == before
            && let Some(result) = plain_result(operator, &left_value, &right_value)
        {
            left_value.discard();
            right_value.discard();
            return result.into();
        }
        // As they are written: what has been evaluated may be within parentheses.
        let operands = match expression.kind() {
            ExpressionKind::Binary { left, right, .. } => [left, right],
            _ => [left, right],
        };
        let operation = Operation { expression, operator, operands, before_left: before, before_right };
        self.operate(&operation, &left_value, &right_value, locals)
    }

    /// The value of a chain of binary operators, from the left.
    fn operator_chain<'e>(&mut self, expression: Expression<'e>, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        let before = self.diagnostics.len();
        let mut chain: SmallVec<[Expression<'e>; 4]> = SmallVec::new();
        let mut leftmost = expression;
        while let ExpressionKind::Binary { left, .. } = leftmost.kind() {
            if !chain.is_empty() && matches!(self.note(leftmost), Note::Constant(_) | Note::Binary { .. }) {
                break;
            }
            if !chain.is_empty() {
                self.open(leftmost);
            }
            chain.push(leftmost);
            leftmost = left;
        }
        let mut value = self.eval(leftmost, locals);
        while let Some(expression) = chain.pop() {
            let ExpressionKind::Binary { operator, left, right } = expression.kind() else { break };
            let before_right = self.diagnostics.len();
            let right_value = self.eval(right, locals);
            let result = if self.diagnostics.len() == before {
                plain_result(operator, &value, &right_value)
            } else {
                None
            };
            value = match result {
                Some(result) => {
                    value.discard();
                    right_value.discard();
                    result.into()
                }
                None => {
                    let operands = [left, right];
                    let operation =
                        Operation { expression, operator, operands, before_left: before, before_right };
                    self.operate(&operation, &value, &right_value, locals)
                }
            };
            if !chain.is_empty() {
                self.close(&value, before);
            }
            if self.stopped() {
                return Flow::dynamic();
            }
        }
        value
    }

    /// The result of an operation in general.
    #[cold]
    fn operate<'e>(
        &mut self,
        operation: &Operation<'e>,
        left: &Value,
        right: &Value,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        self.charge_walk(left, operation.expression);
        self.charge_walk(right, operation.expression);
        if self.stopped() {
            return Flow::dynamic();
        }
        self.operate_generally(operation, left, right, locals).into()
    }

    fn operate_generally<'e>(
        &mut self,
        operation: &Operation<'e>,
        left: &Value,
        right: &Value,
        locals: Locals<'e>,
    ) -> Value
    where
        'a: 'e,
    {
        let before = self.diagnostics.len();
        let wanted = operand_type(operation.operator);
        let [left, right] = [("left", left, 0), ("right", right, 1)]
            .map(|(side, value, which)| self.operand(operation, side, value, which, &wanted, locals));
        let unknown = || Value::unknown(result_type(operation.operator));
        let (Some(left), Some(right)) = (left, right) else {
            // What the conversions complain about comes before what the operands complained about.
            let end = self.diagnostics.len();
            self.diagnostics[operation.before_left..end].rotate_right(end - before);
            return unknown();
        };
        if matches!(operation.operator, BinaryOperator::And | BinaryOperator::Or)
            && let Some(result) = self.short_circuit(operation, &left, &right)
        {
            return result;
        }
        if self.diagnostics.len() > operation.before_left {
            return unknown().with_marks(left.marks()).with_marks(right.marks());
        }
        match general_operation(operation.operator, &left, &right) {
            Ok(value) => value,
            Err(error) => {
                let place = Place::at(operation.expression.span());
                self.report(error::operation_failed(&error), place, operation.expression, locals);
                unknown().with_marks(left.marks()).with_marks(right.marks())
            }
        }
    }

    fn operand<'e>(
        &mut self,
        operation: &Operation<'e>,
        side: &str,
        value: &Value,
        which: usize,
        wanted: &Type,
        locals: Locals<'e>,
    ) -> Option<Value>
    where
        'a: 'e,
    {
        match convert(value, wanted) {
            Ok(value) => Some(value),
            Err(error) => {
                let operand = operation.operands[which];
                let place = Place::within(operand.span(), operation.expression.span());
                self.report(error::operand(side, &error.detail()), place, operand, locals);
                None
            }
        }
    }

    /// The value of `-a` or `!a`, and of any number of these in a row, from the inside.
    pub(super) fn unary<'e>(&mut self, expression: Expression<'e>, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        let before = self.diagnostics.len();
        let mut chain: SmallVec<[Expression<'e>; 4]> = SmallVec::new();
        let mut innermost = expression;
        while let ExpressionKind::Unary { operand, .. } = innermost.kind() {
            if !chain.is_empty() && matches!(self.note(innermost), Note::Constant(_)) {
                break;
            }
            if !chain.is_empty() {
                self.open(innermost);
            }
            chain.push(innermost);
            innermost = operand;
        }
        let mut value = self.eval(innermost, locals);
        while let Some(expression) = chain.pop() {
            let ExpressionKind::Unary { operator, operand } = expression.kind() else { break };
            if self.meter.step().is_err() {
                return self.stop_at(expression);
            }
            value = self.prefix(expression, (operator, operand), &value, before, locals);
            if !chain.is_empty() {
                self.close(&value, before);
            }
        }
        value
    }

    /// The result of one operator on a value, before whose evaluation there were `before` diagnostics.
    fn prefix<'e>(
        &mut self,
        expression: Expression<'e>,
        (operator, operand): (UnaryOperator, Expression<'e>),
        value: &Value,
        before: usize,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        let wanted = match operator {
            UnaryOperator::Negate => Type::Number,
            UnaryOperator::Not => Type::Bool,
        };
        let converted = match convert(value, &wanted) {
            Ok(converted) => converted,
            Err(error) => {
                let place = Place::within(operand.span(), expression.span());
                self.report(error::operand("unary", &error.detail()), place, operand, locals);
                return Flow::unknown(wanted);
            }
        };
        if self.diagnostics.len() > before {
            return Flow::unknown(wanted);
        }
        let result = match operator {
            UnaryOperator::Negate => arithmetic::negate(&converted),
            UnaryOperator::Not => logic::not(&converted),
        };
        match result {
            Ok(value) => value.into(),
            Err(error) => {
                let place = Place::at(expression.span());
                self.report(error::operation_failed(&error), place, expression, locals);
                Flow::unknown(wanted).with_marks(converted.marks())
            }
        }
    }
}

/// The result where everything is plain: operands of the right types, no marks.
#[inline]
pub(crate) fn plain_result(operator: BinaryOperator, left: &Value, right: &Value) -> Option<Value> {
    match (&left.0, &right.0) {
        (Repr::Number(a), Repr::Number(b)) => {
            let answer = match operator {
                BinaryOperator::Add => return a.add(b).ok().map(Value::number),
                BinaryOperator::Subtract => return a.sub(b).ok().map(Value::number),
                BinaryOperator::Multiply => return a.mul(b).ok().map(Value::number),
                BinaryOperator::Divide => return a.div(b).ok().map(Value::number),
                BinaryOperator::Modulo => return a.rem(b).ok().map(Value::number),
                BinaryOperator::Less => a.cmp(b) == Ordering::Less,
                BinaryOperator::LessEqual => logic::is_ordered_or_equal(a, b, Ordering::Less),
                BinaryOperator::Greater => a.cmp(b) == Ordering::Greater,
                BinaryOperator::GreaterEqual => logic::is_ordered_or_equal(a, b, Ordering::Greater),
                BinaryOperator::Equal => a.equal(b),
                BinaryOperator::NotEqual => !a.equal(b),
                BinaryOperator::Or | BinaryOperator::And => return None,
            };
            Some(Value::bool(answer))
        }
        (Repr::String(a), Repr::String(b)) => match operator {
            BinaryOperator::Equal => Some(Value::bool(a.as_bytes() == b.as_bytes())),
            BinaryOperator::NotEqual => Some(Value::bool(a.as_bytes() != b.as_bytes())),
            _ => None,
        },
        (Repr::Bool(a), Repr::Bool(b)) => match operator {
            BinaryOperator::And => Some(Value::bool(*a && *b)),
            BinaryOperator::Or => Some(Value::bool(*a || *b)),
            BinaryOperator::Equal => Some(Value::bool(a == b)),
            BinaryOperator::NotEqual => Some(Value::bool(a != b)),
            _ => None,
        },
        _ => None,
    }
}

fn operand_type(operator: BinaryOperator) -> Type {
    match operator {
        BinaryOperator::Or | BinaryOperator::And => Type::Bool,
        BinaryOperator::Equal | BinaryOperator::NotEqual => Type::Dynamic,
        _ => Type::Number,
    }
}

fn result_type(operator: BinaryOperator) -> Type {
    match operator {
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Modulo => Type::Number,
        _ => Type::Bool,
    }
}

/// An operation on numbers; `None` for an operator that is not about numbers.
#[inline]
fn number_operation(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
) -> Option<Result<Value, ValueError>> {
    Some(match operator {
        BinaryOperator::Add => arithmetic::add(left, right),
        BinaryOperator::Subtract => arithmetic::subtract(left, right),
        BinaryOperator::Multiply => arithmetic::multiply(left, right),
        BinaryOperator::Divide => arithmetic::divide(left, right),
        BinaryOperator::Modulo => arithmetic::modulo(left, right),
        BinaryOperator::Less => logic::less(left, right),
        BinaryOperator::LessEqual => logic::less_equal(left, right),
        BinaryOperator::Greater => logic::greater(left, right),
        BinaryOperator::GreaterEqual => logic::greater_equal(left, right),
        BinaryOperator::Equal => Ok(left.equals(right)),
        BinaryOperator::NotEqual => logic::not(&left.equals(right)),
        BinaryOperator::Or | BinaryOperator::And => return None,
    })
}

fn general_operation(operator: BinaryOperator, left: &Value, right: &Value) -> Result<Value, ValueError> {
    match operator {
        BinaryOperator::Or => logic::or(left, right),
        BinaryOperator::And => logic::and(left, right),
        _ => number_operation(operator, left, right).unwrap_or_else(|| Ok(Value::dynamic())),
    }
}
