//! The arithmetic operators: `+ - * / %` and negation, on numbers.
//!
//! Null is refused, an unknown or dynamic
//! operand makes the result an unknown number that is not null, without any arithmetic on ranges (as the
//! reference does, which calls its operators like functions), and the operands' marks go to the result.

use super::error::ValueErrorKind;
use super::number::NumberError;
use super::{Number, Repr, Value, ValueError};
use crate::types::Type;

/// `a + b`
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::value::arithmetic;
///
/// assert_eq!(arithmetic::add(&Value::from(1), &Value::from(2))?.to_string(), "3");
/// assert!(arithmetic::add(&Value::from(1), &Value::from("a")).is_err());
/// // What is unknown stays so.
/// assert!(!arithmetic::add(&Value::from(1), &Value::unknown(hcl_eval::Type::Number))?.is_known());
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When an operand is null or no number, or the infinities oppose.
pub fn add(a: &Value, b: &Value) -> Result<Value, ValueError> {
    binary(a, b, Number::add)
}

/// `a - b`
///
/// ```
/// use hcl_eval::{Value, value::arithmetic};
///
/// assert_eq!(arithmetic::subtract(&Value::from(1), &Value::from(3))?.to_string(), "-2");
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When an operand is null or no number, or infinity is subtracted from itself.
pub fn subtract(a: &Value, b: &Value) -> Result<Value, ValueError> {
    binary(a, b, Number::sub)
}

/// `a * b`
///
/// ```
/// use hcl_eval::{Value, value::arithmetic};
///
/// assert_eq!(arithmetic::multiply(&Value::from(6), &Value::from(7))?.to_string(), "42");
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When an operand is null or no number, or zero meets infinity.
pub fn multiply(a: &Value, b: &Value) -> Result<Value, ValueError> {
    binary(a, b, Number::mul)
}

/// `a / b`
///
/// ```
/// use hcl_eval::{Value, value::arithmetic};
///
/// assert_eq!(arithmetic::divide(&Value::from(1), &Value::from(4))?.to_string(), "0.25");
/// assert!(arithmetic::divide(&Value::from(0), &Value::from(0)).is_err());
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When an operand is null or no number, or both are zero or both infinite.
pub fn divide(a: &Value, b: &Value) -> Result<Value, ValueError> {
    binary(a, b, Number::div)
}

/// `a % b`
///
/// ```
/// use hcl_eval::{Value, value::arithmetic};
///
/// assert_eq!(arithmetic::modulo(&Value::from(7), &Value::from(4))?.to_string(), "3");
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When an operand is null or no number, or one is infinite.
pub fn modulo(a: &Value, b: &Value) -> Result<Value, ValueError> {
    binary(a, b, Number::rem)
}

/// `-a`
///
/// ```
/// use hcl_eval::{Value, value::arithmetic};
///
/// assert_eq!(arithmetic::negate(&Value::from(7))?.to_string(), "-7");
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When the operand is null or no number.
pub fn negate(a: &Value) -> Result<Value, ValueError> {
    if let Repr::Number(number) = &a.0 {
        return Ok(Value::number(number.neg()));
    }
    let negated = match operand(a)? {
        Some(number) => Value::number(number.neg()),
        None => Value::unknown_not_null(Type::Number),
    };
    Ok(negated.with_marks(a.marks()))
}

fn binary(
    a: &Value,
    b: &Value,
    operation: impl Fn(&Number, &Number) -> Result<Number, NumberError>,
) -> Result<Value, ValueError> {
    let (left, right) = (operand(a)?, operand(b)?);
    let result = match (left, right) {
        (Some(left), Some(right)) => Value::number(operation(left, right)?),
        _ => Value::unknown_not_null(Type::Number),
    };
    Ok(result.with_marks(a.marks()).with_marks(b.marks()))
}

/// The number of an operand; `None` if it is unknown.
pub(super) fn operand(value: &Value) -> Result<Option<&Number>, ValueError> {
    match &value.unmarked().0 {
        Repr::Number(number) => Ok(Some(number)),
        Repr::Null(_) => Err(ValueErrorKind::NullOperand.into()),
        Repr::Unknown(unknown) if matches!(unknown.ty(), Type::Number | Type::Dynamic) => Ok(None),
        _ => Err(ValueErrorKind::OperandType { expected: "number", found: value.type_name() }.into()),
    }
}
