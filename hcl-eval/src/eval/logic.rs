//! `&&` and `||`: when one side decides, the other side's problems don't count.

use hcl_syntax::ast::BinaryOperator;

use super::evaluator::Evaluator;
use super::operator::Operation;
use crate::types::Type;
use crate::value::Value;

/// Whose diagnostics stay.
enum Side {
    Left,
    Right,
}

impl Evaluator<'_> {
    /// The result where one side decides it alone. Both sides have been evaluated and are bools, perhaps
    /// null or unknown. A side that failed is unknown, so that it decides nothing.
    ///
    /// A null counts as false here, as in the reference implementation.
    pub(super) fn short_circuit(
        &mut self,
        operation: Operation,
        left: &Value,
        right: &Value,
    ) -> Option<Value> {
        let left_failed = operation.before_right > operation.before_left;
        let deciding = operation.operator == BinaryOperator::Or;
        let decision = |value: &Value| value.is_known().then(|| value.as_bool() == Some(true));
        let unknown = || Value::unknown_not_null(Type::Bool);
        let (result, side) = match (decision(left), decision(right)) {
            (None, None) if left_failed => return None,
            (None, None) => (unknown(), Side::Left),
            (Some(value), _) if value == deciding => (Value::bool(deciding), Side::Left),
            (_, Some(value)) if value == deciding => (Value::bool(deciding), Side::Right),
            (None, Some(_)) => (unknown(), Side::Left),
            (Some(_), None) => (unknown(), Side::Right),
            (Some(_), Some(_)) => return None,
        };
        match side {
            Side::Left => self.diagnostics.truncate(operation.before_right),
            Side::Right => {
                self.diagnostics.drain(operation.before_left..operation.before_right);
            }
        }
        Some(result.with_marks(left.marks()).with_marks(right.marks()))
    }
}
