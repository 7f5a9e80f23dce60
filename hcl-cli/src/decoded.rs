//! Decoded values as JSON.

use hcl_eval::types::Type;
use hcl_eval::value::json::type_to_json;
use hcl_eval::value::{Value, ValueError, ValueErrorKind};

/// Whether the type is written beside the value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Types {
    /// The value alone.
    Omitted,
    /// An object of the value and its type.
    Included,
}

/// What becomes of attributes and elements of maps that are null.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Nulls {
    /// They are written.
    Kept,
    /// They are left out. In lists, sets and tuples nulls stay.
    Removed,
}

/// A value as JSON on one line.
///
/// # Errors
/// The value has something that JSON can't say; the message tells what.
pub fn decoded_json(value: &Value, types: Types, nulls: Nulls) -> Result<String, String> {
    let message = |error: ValueError| {
        let message = match error.kind {
            ValueErrorKind::JsonInfinity => "cannot serialize infinity as JSON".to_owned(),
            _ => error.detail(),
        };
        match types {
            Types::Omitted => message,
            Types::Included => format!("failed to serialize value: {message}"),
        }
    };
    if (types, nulls) == (Types::Included, Nulls::Kept) {
        return value.to_typed_json(&Type::Dynamic).map_err(message);
    }
    let plain = match nulls {
        Nulls::Kept => value.to_json(),
        Nulls::Removed => value.to_json_without_nulls(),
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
