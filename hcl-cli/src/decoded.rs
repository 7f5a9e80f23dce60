//! Decoded values as JSON.

use hcl_eval::types::Type;
use hcl_eval::value::json::type_to_json;
use hcl_eval::value::{Value, ValueError, ValueErrorKind};

/// The choice whether a type is written beside its value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Types {
    /// The value alone.
    Omitted,
    /// An object of the value and its type.
    Included,
}

/// The treatment of attributes and elements of maps that are null.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Nulls {
    /// They are written.
    Kept,
    /// They are left out. In lists, sets and tuples nulls stay.
    Removed,
}

/// Why there is no JSON of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwritable {
    /// The problem, in a sentence.
    pub message: String,
    /// True if the value is only too long.
    pub is_too_long: bool,
}

/// A value as JSON on one line, if that takes at most `max_bytes`.
///
/// # Errors
/// The value has something that JSON can't say, or is too long.
pub fn decoded_json(
    value: &Value,
    types: Types,
    nulls: Nulls,
    max_bytes: usize,
) -> Result<String, Unwritable> {
    let message = |error: ValueError| {
        let is_too_long = matches!(error.kind, ValueErrorKind::OutputTooLong { .. });
        let message = match error.kind {
            ValueErrorKind::JsonInfinity => "cannot serialize infinity as JSON".to_owned(),
            _ => error.detail(),
        };
        let message = match types {
            Types::Omitted => message,
            Types::Included => format!("failed to serialize value: {message}"),
        };
        Unwritable { message, is_too_long }
    };
    if (types, nulls) == (Types::Included, Nulls::Kept) {
        return value.to_typed_json_bounded(&Type::Dynamic, max_bytes).map_err(message);
    }
    let plain = match nulls {
        Nulls::Kept => value.to_json_bounded(max_bytes),
        Nulls::Removed => value.to_json_without_nulls(max_bytes),
    };
    let plain = plain.map_err(message)?;
    let ty = value.ty();
    if types == Types::Omitted || ty.is_dynamic() {
        return Ok(plain);
    }
    let ty = type_to_json(&ty).map_err(message)?;
    // The value is an attribute here, so it goes too if it is null.
    Ok(if value.is_null() {
        format!("{{\"type\":{ty}}}")
    } else {
        format!("{{\"type\":{ty},\"value\":{plain}}}")
    })
}
