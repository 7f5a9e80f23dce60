//! Strings, numbers and bools among themselves.

use super::{Failure, Step, mismatch};
use crate::Str;
use crate::limits::{Pace, hold};
use crate::types::Type;
use crate::value::{Number, Repr, Value, ValueError, ValueErrorKind};

/// How long the text of a number may get. A few bytes of source make a number of hundreds of megabytes:
/// `1e600000000`.
const MAX_NUMBER_TEXT: u64 = 1 << 21;

/// Converts a known value of a primitive type to another primitive type.
pub(super) fn convert(value: &Value, to: &Type, pace: Pace<'_, '_>) -> Step {
    match (&value.0, to) {
        (Repr::String(_), Type::String) | (Repr::Number(_), Type::Number) | (Repr::Bool(_), Type::Bool) => {
            Ok(None)
        }
        (Repr::Number(number), Type::String) => {
            if number.text_len_bound() > MAX_NUMBER_TEXT {
                let limit = usize::try_from(MAX_NUMBER_TEXT).unwrap_or(usize::MAX);
                return Err(ValueError::new(ValueErrorKind::OutputTooLong { limit }).into());
            }
            if number.is_long() {
                // The digits, the text that grows, and the copy to where it stays.
                let n_bytes = usize::try_from(number.text_len_bound()).unwrap_or(usize::MAX);
                hold(pace, n_bytes.saturating_mul(3)).map_err(ValueError::from)?;
            }
            let mut text = String::new();
            number.write_text_within(&mut text, pace).map_err(ValueError::from)?;
            Ok(Some(Value::string_nfc(text.into())))
        }
        (Repr::Bool(value), Type::String) => {
            let text = if *value { "true" } else { "false" };
            Ok(Some(Value::string_nfc(Str::new_static(text))))
        }
        (Repr::String(text), Type::Number) => {
            match Number::parse_within(text, pace).map_err(ValueError::from)? {
                Some(number) => Ok(Some(Value::number(number))),
                None => Err(Failure::of_value(mismatch::NUMBER_REQUIRED)),
            }
        }
        (Repr::String(text), Type::Bool) => match text.as_str() {
            "true" | "1" => Ok(Some(Value::bool(true))),
            "false" | "0" => Ok(Some(Value::bool(false))),
            text => Err(Failure::of_value(mismatch::bool_required(text))),
        },
        _ => Err(Failure::Type),
    }
}
