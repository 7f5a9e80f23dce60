//! Operators: arithmetic, comparison, equality; chains of any length without recursion.

use hcl_syntax::ast::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};
use smallvec::SmallVec;

use super::error;
use super::evaluator::{Evaluator, Place};
use super::flow::Flow;
use super::locals::Locals;
use super::observe::Observer;
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

impl<'a, O: Observer> Evaluator<'a, O> {
    /// The value of a binary operation.
    #[inline(never)]
    pub(super) fn binary<'e>(
        &mut self,
        expression: Expression<'e>,
        operator: BinaryOperator,
        operands: [Expression<'e>; 2],
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        if operands[0].is_binary() {
            return self.operator_chain(expression, locals);
        }
        let before = self.diagnostics.len();
        let left = self.eval(operands[0], locals);
        self.operation(expression, &left, before, locals, operator, operands)
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
            if !chain.is_empty() && matches!(self.note(leftmost), Note::Constant(_)) {
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
            value = self.operation(expression, &value, before, locals, operator, [left, right]);
            if !chain.is_empty() {
                self.close(&value, before);
            }
            if self.stopped() {
                return Flow::dynamic();
            }
        }
        value
    }

    /// The result of an operation whose left operand has been evaluated; `before_left` is how many
    /// diagnostics there were before that.
    #[inline]
    fn operation<'e>(
        &mut self,
        expression: Expression<'e>,
        left: &Flow<'e>,
        before_left: usize,
        locals: Locals<'e>,
        operator: BinaryOperator,
        operands: [Expression<'e>; 2],
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        let before_right = self.diagnostics.len();
        let right = self.eval(operands[1], locals);
        if let Some(result) = self.plain(operator, left, &right, before_left) {
            return result.into();
        }
        self.charge_walk(left, expression);
        self.charge_walk(&right, expression);
        if self.stopped() {
            return Flow::dynamic();
        }
        let operation = Operation { expression, operator, operands, before_left, before_right };
        self.operate(&operation, left, &right, locals).into()
    }

    /// The result where everything is plain: no diagnostics, operands of the right types, no marks.
    #[inline]
    fn plain(&self, operator: BinaryOperator, left: &Value, right: &Value, before: usize) -> Option<Value> {
        if self.diagnostics.len() > before {
            return None;
        }
        match (&left.0, &right.0) {
            (Repr::Number(_), Repr::Number(_)) => number_operation(operator, left, right)?.ok(),
            (Repr::String(a), Repr::String(b)) => match operator {
                BinaryOperator::Equal => Some(Value::bool(a == b)),
                BinaryOperator::NotEqual => Some(Value::bool(a != b)),
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

    /// The result of an operation in general.
    #[cold]
    fn operate<'e>(
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
