//! Operators: arithmetic, comparison, equality; chains of any length without recursion.

use std::cmp::Ordering;

use hcl_syntax::ast::{BinaryOperator, UnaryOperator};
use smallvec::SmallVec;

use super::error;
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::report::Place;
use crate::convert::convert_within;
use crate::program::{Node, OpId};
use crate::types::Type;
use crate::value::string::are_equal_on;
use crate::value::{Number, Repr, Value, ValueError, ValueErrorKind, arithmetic, logic};

/// A binary operation whose operands have been evaluated.
#[derive(Copy, Clone)]
pub(super) struct Operation {
    pub(super) at: OpId,
    pub(super) operator: BinaryOperator,
    pub(super) operands: [OpId; 2],
    /// How many diagnostics there were before the left operand, and before the right one.
    pub(super) before_left: usize,
    pub(super) before_right: usize,
}

impl Evaluator<'_> {
    /// The value of a binary operation, and of any number of these in a row, from the left.
    pub(super) fn binary<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let before = self.diagnostics.len();
        let mut chain: SmallVec<[OpId; 4]> = SmallVec::new();
        let mut leftmost = at;
        while let Node::Binary { left, .. } = env.op(leftmost).node
            && (chain.is_empty() || env.is_link(leftmost))
        {
            if !chain.is_empty() {
                // The next operand that is evaluated says so.
                if self.meter.go_on(1).is_err() || !self.hold_link(&chain) {
                    break;
                }
                self.open(env.source(leftmost));
            }
            chain.push(leftmost);
            leftmost = left;
        }
        let mut value = self.eval_seldom(leftmost, env);
        while let Some(at) = chain.pop() {
            let Node::Binary { operator, left, right, .. } = env.op(at).node else { break };
            let before_right = self.diagnostics.len();
            let right_value = self.eval_seldom(right, env);
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
                    let operation = Operation { at, operator, operands, before_left: before, before_right };
                    self.operate(operation, &value, &right_value, env)
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
    fn operate<'e>(&mut self, operation: Operation, left: &Value, right: &Value, env: Env<'e>) -> Flow<'e> {
        if let Some(result) = self.answer_of_long_texts(operation, left, right, env) {
            return result.into();
        }
        self.charge_walk(left, operation.at, env);
        self.charge_walk(right, operation.at, env);
        if self.stopped() {
            return Flow::dynamic();
        }
        self.operate_generally(operation, left, right, env).into()
    }

    /// The answer about texts that were not compared at once, because they are long. It takes no more steps than about others.
    fn answer_of_long_texts(
        &mut self,
        operation: Operation,
        left: &Value,
        right: &Value,
        env: Env<'_>,
    ) -> Option<Value> {
        let (Repr::String(left), Repr::String(right)) = (&left.0, &right.0) else { return None };
        let is_wanted = match operation.operator {
            BinaryOperator::Equal => true,
            BinaryOperator::NotEqual => false,
            _ => return None,
        };
        if self.diagnostics.len() > operation.before_left {
            return None;
        }
        match are_equal_on(left, right, &mut Some(self.meter)) {
            Ok(equal) => Some(Value::bool(equal == is_wanted)),
            Err(_) => {
                self.stopped_at(operation.at, env);
                Some(Value::unknown(Type::Bool))
            }
        }
    }

    fn operate_generally(
        &mut self,
        operation: Operation,
        left: &Value,
        right: &Value,
        env: Env<'_>,
    ) -> Value {
        let before = self.diagnostics.len();
        let wanted = operand_type(operation.operator);
        let [left, right] = [("left", left, 0), ("right", right, 1)]
            .map(|(side, value, which)| self.operand(operation, side, value, which, &wanted, env));
        let result = if operation.operator.is_arithmetic() { Type::Number } else { Type::Bool };
        let unknown = || Value::unknown(result.clone());
        let (Some(left), Some(right)) = (left, right) else {
            // What the conversions complain about comes before what the operands complained about.
            let end = self.diagnostics.len();
            self.diagnostics[operation.before_left..end].rotate_right(end - before);
            return unknown();
        };
        if operation.operator.is_logical()
            && let Some(result) = self.short_circuit(operation, &left, &right)
        {
            return result;
        }
        if self.diagnostics.len() > operation.before_left {
            return unknown().with_marks(left.marks()).with_marks(right.marks());
        }
        let result = match operation.operator {
            BinaryOperator::Equal => self.compare(&left, &right),
            BinaryOperator::NotEqual => self.compare(&left, &right).and_then(|equal| logic::not(&equal)),
            operator => general_operation(operator, &left, &right),
        };
        match result {
            Ok(value) => value,
            Err(error) if let ValueErrorKind::Limit(_) = error.kind => {
                self.stopped_at(operation.at, env);
                unknown()
            }
            Err(error) => {
                let expression = env.source(operation.at);
                let place = Place::at(expression.span());
                self.report(error::operation_failed(&error), place, expression, env);
                unknown().with_marks(left.marks()).with_marks(right.marks())
            }
        }
    }

    fn compare(&mut self, left: &Value, right: &Value) -> Result<Value, ValueError> {
        Ok(left.equals_within(right, self.meter)?)
    }

    fn operand(
        &mut self,
        operation: Operation,
        side: &str,
        value: &Value,
        which: usize,
        wanted: &Type,
        env: Env<'_>,
    ) -> Option<Value> {
        match convert_within(value, wanted, self.meter) {
            Ok(value) => Some(value),
            Err(error) => {
                let operand = env.written(operation.operands[which]);
                let place = Place::within(operand.span(), env.source(operation.at).span());
                self.report(error::operand(side, &error.detail()), place, operand, env);
                None
            }
        }
    }

    /// The value of `-a` or `!a`, and of any number of these in a row, from the inside.
    pub(super) fn unary<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let before = self.diagnostics.len();
        let mut chain: SmallVec<[OpId; 4]> = SmallVec::new();
        let mut innermost = at;
        while let Node::Unary { operand, .. } = env.op(innermost).node
            && (chain.is_empty() || env.is_link(innermost))
        {
            if !chain.is_empty() {
                // The next operand that is evaluated says so.
                if !self.hold_link(&chain) {
                    break;
                }
                self.open(env.source(innermost));
            }
            chain.push(innermost);
            innermost = operand;
        }
        let mut value = self.eval_seldom(innermost, env);
        while let Some(at) = chain.pop() {
            let Node::Unary { operator, operand } = env.op(at).node else { break };
            if self.meter.step().is_err() {
                return self.stop_at(at, env);
            }
            value = self.prefix(at, (operator, operand), &value, before, env);
            if !chain.is_empty() {
                self.close(&value, before);
            }
        }
        value
    }

    /// The result of one operator on a value, before whose evaluation there were `before` diagnostics.
    fn prefix<'e>(
        &mut self,
        at: OpId,
        (operator, operand): (UnaryOperator, OpId),
        value: &Value,
        before: usize,
        env: Env<'e>,
    ) -> Flow<'e> {
        let wanted = match operator {
            UnaryOperator::Negate => Type::Number,
            UnaryOperator::Not => Type::Bool,
        };
        let converted = match convert_within(value, &wanted, self.meter) {
            Ok(converted) => converted,
            Err(error) => {
                let operand = env.written(operand);
                let place = Place::within(operand.span(), env.source(at).span());
                self.report(error::operand("unary", &error.detail()), place, operand, env);
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
                let expression = env.source(at);
                let place = Place::at(expression.span());
                self.report(error::operation_failed(&error), place, expression, env);
                Flow::unknown(wanted).with_marks(converted.marks())
            }
        }
    }
}

/// The result where everything is plain: operands of the right types, no marks.
pub(crate) fn plain_result(operator: BinaryOperator, left: &Value, right: &Value) -> Option<Value> {
    if operator.is_arithmetic()
        && let (Repr::Number(a), Repr::Number(b)) = (&left.0, &right.0)
    {
        return calculate(operator, a, b).map(Value::number);
    }
    plain_answer(operator, left, right).map(Value::bool)
}

/// The result of arithmetic, if there is one.
pub(super) fn calculate(operator: BinaryOperator, a: &Number, b: &Number) -> Option<Number> {
    match operator {
        BinaryOperator::Add => a.checked_add(b),
        BinaryOperator::Subtract => a.checked_sub(b),
        BinaryOperator::Multiply => a.checked_mul(b),
        BinaryOperator::Divide => a.checked_div(b),
        BinaryOperator::Modulo => a.checked_rem(b),
        _ => None,
    }
}

/// Puts the result of arithmetic, if there is one, in the place of the left operand. A sum takes over its memory, which takes
/// some 120 instructions less than to ask for some and to give it back.
pub(super) fn calculate_on(operator: BinaryOperator, left: &mut Number, right: &Number) -> bool {
    let is_done = match operator {
        BinaryOperator::Add if left.is_big() => left.sum_in_place(right, false),
        BinaryOperator::Subtract if left.is_big() => left.sum_in_place(right, true),
        _ => false,
    };
    is_done || calculate(operator, left, right).map(|result| *left = result).is_some()
}

/// The answer of a comparison of numbers.
pub(super) fn number_answer(operator: BinaryOperator, a: &Number, b: &Number) -> Option<bool> {
    match (a.as_small(), b.as_small()) {
        (Some(a), Some(b)) => compare(operator, || a.cmp(&b), || a == b),
        _ => answer_of_fractions(operator, a, b),
    }
}

#[inline(never)] // Inlined, it makes `bool_cmp` take 1.4 % more instructions.
fn answer_of_fractions(operator: BinaryOperator, a: &Number, b: &Number) -> Option<bool> {
    compare(operator, || a.cmp(b), || a.equal(b))
}

/// The answer of a comparison by the order of the operands, and by their equality in the language.
fn compare(
    operator: BinaryOperator,
    order: impl FnOnce() -> Ordering,
    equal: impl FnOnce() -> bool,
) -> Option<bool> {
    Some(match operator {
        BinaryOperator::Less => order().is_lt(),
        BinaryOperator::LessEqual => order().is_lt() || equal(),
        BinaryOperator::Greater => order().is_gt(),
        BinaryOperator::GreaterEqual => order().is_gt() || equal(),
        BinaryOperator::Equal => equal(),
        BinaryOperator::NotEqual => !equal(),
        _ => return None,
    })
}

/// The answer of a comparison or of `&&` and `||` where everything is plain.
pub(super) fn plain_answer(operator: BinaryOperator, left: &Value, right: &Value) -> Option<bool> {
    match (&left.0, &right.0) {
        (Repr::Number(a), Repr::Number(b)) => number_answer(operator, a, b),
        _ => answer_of_others(operator, left, right),
    }
}

/// That where the operands are no numbers; none for long texts, which are compared with looks at the limits. To tell three kinds
/// from each other at once takes four instructions more.
#[inline(never)] // Inlined, it makes `bool_cmp` take 5 % more instructions.
fn answer_of_others(operator: BinaryOperator, left: &Value, right: &Value) -> Option<bool> {
    let (Repr::String(a), Repr::String(b)) = (&left.0, &right.0) else {
        return answer_of_bools(operator, left, right);
    };
    match operator {
        BinaryOperator::Equal => a.equals_at_once(b),
        BinaryOperator::NotEqual => a.equals_at_once(b).map(|equal| !equal),
        _ => None,
    }
}

fn answer_of_bools(operator: BinaryOperator, left: &Value, right: &Value) -> Option<bool> {
    let (Repr::Bool(a), Repr::Bool(b)) = (&left.0, &right.0) else { return None };
    match operator {
        BinaryOperator::And => Some(*a && *b),
        BinaryOperator::Or => Some(*a || *b),
        BinaryOperator::Equal => Some(a == b),
        BinaryOperator::NotEqual => Some(a != b),
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

/// An operation on operands of the right types.
fn general_operation(operator: BinaryOperator, left: &Value, right: &Value) -> Result<Value, ValueError> {
    match operator {
        BinaryOperator::Or => logic::or(left, right),
        BinaryOperator::And => logic::and(left, right),
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
    }
}
