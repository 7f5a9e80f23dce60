//! JSON: `jsonencode` and `jsondecode`.

use super::collection::anything;
use super::support::{fail, function, long_text, refuse, text};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::LimitReached;
use crate::types::Type;
use crate::value::json::{DuplicateKeys, JsonOptions};
use crate::value::{JsonProblem, Kind, Refinement, Value, ValueError, ValueErrorKind};

/// `jsonencode(val)`
pub(crate) fn jsonencode() -> Function {
    function("jsonencode", "Writes the value as JSON.")
        .parameter(anything("val").described("Any value; sets become arrays, null stays null."))
        .returns(Type::String)
        .implementation(|invocation, args| {
            let Some(value) = args.first() else { return fail("a value is required") };
            if !value.is_wholly_known() {
                return Ok(unknown_json(value));
            }
            let json = encode(invocation, value)?;
            invocation.charge_bytes(json.len())?;
            long_text(invocation, &json)
        })
}

/// A value as JSON, if there is room for it.
pub(super) fn encode(invocation: &mut Invocation<'_>, value: &Value) -> Result<String, FunctionError> {
    let most = usize::try_from(invocation.meter().bytes_left()).unwrap_or(usize::MAX);
    let json = value.to_json_within(most, invocation.meter());
    if let Err(error) = &json
        && matches!(error.kind, ValueErrorKind::OutputTooLong { .. })
    {
        // One byte more than there is room for is a charge that fails, and says which bound it was.
        invocation.charge_bytes(most.saturating_add(1))?;
    }
    json.map_err(failed)
}

/// The error of a function that reads or writes JSON.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn failed(error: ValueError) -> FunctionError {
    match error.kind {
        ValueErrorKind::Limit(limit) => limit.into(),
        _ => FunctionError::new(error.detail()),
    }
}

/// JSON that is not known starts as the type says, if it is not `null`.
fn unknown_json(value: &Value) -> Value {
    let known = Refinement::new().not_null();
    let start = match value.type_kind() {
        Some(Kind::String) => "\"",
        Some(Kind::Map | Kind::Object) => "{",
        Some(Kind::List | Kind::Set | Kind::Tuple) => "[",
        _ => "",
    };
    match value.is_known() || value.is_surely_not_null() {
        true if !start.is_empty() => Value::unknown_refined(Type::String, known.prefix_full(start)),
        _ => Value::unknown_refined(Type::String, known),
    }
}

/// `jsondecode(str)`
pub(crate) fn jsondecode() -> Function {
    jsondecode_with(DuplicateKeys::SameType)
}

/// `jsondecode(str)`, where a key that is there twice may have values of different types.
pub(crate) fn jsondecode_last_key() -> Function {
    jsondecode_with(DuplicateKeys::Anything)
}

/// Builds `jsondecode`. Its result may be null, since a document may.
fn jsondecode_with(duplicate_keys: DuplicateKeys) -> Function {
    Function::new("jsondecode", "Reads a JSON document.")
        .parameter(
            Parameter::new("str", Type::String)
                .described("One JSON document; white space around it is ignored."),
        )
        .returns_by(|args| match args.first().and_then(Value::refinement) {
            Some(known) => type_from_start(known.string_prefix()),
            None => Ok(Type::Dynamic),
        })
        .implementation(move |invocation, args| {
            invocation.charge_bytes(text(args, 0).len())?;
            let meter = invocation.meter();
            let options = JsonOptions { max_depth: meter.limits().max_depth, duplicate_keys };
            match Value::from_json_implied_metered(text(args, 0), &options, meter) {
                Ok(value) => {
                    meter.nest(value.depth())?;
                    Ok(value)
                }
                Err(error) => Err(match error.kind {
                    ValueErrorKind::JsonSyntax { problem: JsonProblem::TooDeep, .. } => {
                        meter.stop(LimitReached::Depth(options.max_depth)).into()
                    }
                    _ => failed(error),
                }),
            }
        })
}

/// Returns the type of a document of which only the start is known.
fn type_from_start(start: &str) -> Result<Type, FunctionError> {
    match start.trim_start().chars().next() {
        Some('"') => Ok(Type::String),
        Some('t' | 'f') => Ok(Type::Bool),
        // No number begins with a dot. The reference leaves that to the parser of the whole document.
        Some('-' | '.' | '0'..='9') => Ok(Type::Number),
        Some('{' | '[' | 'n') | None => Ok(Type::Dynamic),
        Some(other) => refuse(0, format!("a JSON document cannot begin with the character {other:?}")),
    }
}
