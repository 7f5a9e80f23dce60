//! The logical operators `&& || !` and the comparisons `< <= > >=`.
//!
//! `&&` and `||` follow the newest reference: a side that decides does so even if the other is unknown, and
//! a null counts as "not true" where that decides. Comparisons of unknown numbers are decided by their
//! bounds when these lie apart. (Which diagnostics survive a short circuit is the evaluator's business.)

use std::cmp::Ordering;

use super::arithmetic::operand;
use super::equality::{Tri, compare};
use super::error::ValueErrorKind;
use super::refinement::Bound;
use super::{Repr, Value, ValueError};
use crate::types::Type;

/// An operand of a logical operator.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Truth {
    True,
    False,
    Null,
    Unknown,
}

/// `a && b`
///
/// ```
/// use hcl_eval::value::logic;
/// use hcl_eval::{Type, Value};
///
/// let later = Value::unknown(Type::Bool);
/// assert_eq!(logic::and(&Value::TRUE, &Value::FALSE)?.as_bool(), Some(false));
/// assert_eq!(logic::and(&later, &Value::FALSE)?.as_bool(), Some(false));
/// assert!(!logic::and(&later, &Value::TRUE)?.is_known());
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When an operand is no bool.
pub fn and(a: &Value, b: &Value) -> Result<Value, ValueError> {
    let result = match (truth(a)?, truth(b)?) {
        (Truth::False | Truth::Null, _) | (_, Truth::False | Truth::Null) => Tri::False,
        (Truth::Unknown, _) | (_, Truth::Unknown) => Tri::Unknown,
        (Truth::True, Truth::True) => Tri::True,
    };
    Ok(result.into_value().with_marks(a.marks()).with_marks(b.marks()))
}

/// `a || b`
///
/// ```
/// use hcl_eval::{Type, Value, value::logic};
///
/// assert_eq!(logic::or(&Value::unknown(Type::Bool), &Value::TRUE)?.as_bool(), Some(true));
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When an operand is no bool, or one is null and the other false.
pub fn or(a: &Value, b: &Value) -> Result<Value, ValueError> {
    let result = match (truth(a)?, truth(b)?) {
        (Truth::True, _) | (_, Truth::True) => Tri::True,
        (Truth::Unknown, _) | (_, Truth::Unknown) => Tri::Unknown,
        (Truth::Null, _) | (_, Truth::Null) => return Err(ValueErrorKind::NullOperand.into()),
        (Truth::False, Truth::False) => Tri::False,
    };
    Ok(result.into_value().with_marks(a.marks()).with_marks(b.marks()))
}

/// `!a`
///
/// ```
/// use hcl_eval::{Value, value::logic};
///
/// assert_eq!(logic::not(&Value::TRUE)?.as_bool(), Some(false));
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When the operand is null or no bool.
pub fn not(a: &Value) -> Result<Value, ValueError> {
    let result = match truth(a)? {
        Truth::True => Tri::False,
        Truth::False => Tri::True,
        Truth::Unknown => Tri::Unknown,
        Truth::Null => return Err(ValueErrorKind::NullOperand.into()),
    };
    Ok(result.into_value().with_marks(a.marks()))
}

/// `a < b`
///
/// ```
/// use hcl_eval::{Value, value::logic};
///
/// assert_eq!(logic::less(&Value::from(2), &Value::from(10))?.as_bool(), Some(true));
/// // Texts are converted by the caller.
/// assert!(logic::less(&Value::from("2"), &Value::from("10")).is_err());
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When an operand is null or no number.
pub fn less(a: &Value, b: &Value) -> Result<Value, ValueError> {
    ordered(a, b, Ordering::Less, Touching::Excluded)
}

/// `a <= b`
///
/// # Errors
/// When an operand is null or no number.
pub fn less_equal(a: &Value, b: &Value) -> Result<Value, ValueError> {
    ordered(a, b, Ordering::Less, Touching::Equal)
}

/// `a > b`
///
/// # Errors
/// When an operand is null or no number.
pub fn greater(a: &Value, b: &Value) -> Result<Value, ValueError> {
    ordered(a, b, Ordering::Greater, Touching::Excluded)
}

/// `a >= b`
///
/// # Errors
/// When an operand is null or no number.
pub fn greater_equal(a: &Value, b: &Value) -> Result<Value, ValueError> {
    ordered(a, b, Ordering::Greater, Touching::Equal)
}

/// The choice between `<=` and `<`. "Or equal" is the language's equality, by which numbers that differ a little may be equal.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Touching {
    Excluded,
    Equal,
}

fn truth(value: &Value) -> Result<Truth, ValueError> {
    match &value.unmarked().0 {
        Repr::Bool(true) => Ok(Truth::True),
        Repr::Bool(false) => Ok(Truth::False),
        Repr::Null(_) => Ok(Truth::Null),
        Repr::Unknown(unknown) if matches!(unknown.ty(), Type::Bool | Type::Dynamic) => Ok(Truth::Unknown),
        _ => Err(ValueErrorKind::OperandType { expected: "bool", found: value.type_name() }.into()),
    }
}

fn ordered(a: &Value, b: &Value, order: Ordering, touching: Touching) -> Result<Value, ValueError> {
    for number in [a, b] {
        operand(number)?;
    }
    let (left, right) = (a.unmarked(), b.unmarked());
    let mut result = match order {
        Ordering::Less => strictly_less(left, right),
        _ => strictly_less(right, left),
    };
    if touching == Touching::Equal && result != Tri::True {
        result = match (result, compare(left, right, &mut None).unwrap_or(Tri::Unknown)) {
            (_, Tri::True) => Tri::True,
            (Tri::False, Tri::False) => Tri::False,
            _ => Tri::Unknown,
        };
    }
    Ok(result.into_value().with_marks(a.marks()).with_marks(b.marks()))
}

/// Bounds count as exclusive on either side: only ranges that lie apart decide.
fn strictly_less(a: &Value, b: &Value) -> Tri {
    if let (Some(a), Some(b)) = (a.as_number(), b.as_number()) {
        return Tri::known(a.cmp(b) == Ordering::Less);
    }
    let ((a_low, a_high), (b_low, b_high)) = (a.number_bounds(), b.number_bounds());
    let apart = |high: &Option<Bound>, low: &Option<Bound>| match (high, low) {
        (Some(high), Some(low)) => high.value.cmp(&low.value) == Ordering::Less,
        _ => false,
    };
    if apart(&a_high, &b_low) {
        Tri::True
    } else if apart(&b_high, &a_low) {
        Tri::False
    } else {
        Tri::Unknown
    }
}
