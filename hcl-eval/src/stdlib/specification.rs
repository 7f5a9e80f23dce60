//! The function `hasindex` of specifications for decoding.
//!
//! It stands apart from that of the same name in `library`: here unknown arguments reach it, and a key is looked up as the
//! language indexes.

use super::support::{fail, function, unknown};
use crate::function::Parameter;
use crate::function::{Function, FunctionError};
use crate::types::Type;
use crate::value::{Kind, Value, ValueErrorKind, index};

/// `hasindex(collection, key)`: whether indexing would find something.
pub(crate) fn hasindex() -> Function {
    function("hasindex", "Tells whether a list, tuple or map has an element under a key.")
        .parameter(Parameter::new("collection", Type::Dynamic).allow_unknown().allow_dynamic())
        .parameter(Parameter::new("key", Type::Dynamic).allow_unknown().allow_dynamic())
        .returns_by(|args| indexable(args).map(|()| Type::Bool))
        .implementation(|invocation, args| {
            indexable(args)?;
            let [collection, key] = args else { return fail("a collection and a key are required") };
            if collection.type_kind().is_none() || !collection.is_known() || !key.is_known() {
                return Ok(unknown(Type::Bool));
            }
            let suitable = match collection.type_kind() {
                Some(Kind::Map) => key.as_str().is_some(),
                _ => key.as_number().is_some(),
            };
            if !suitable {
                return Ok(Value::FALSE);
            }
            match index::index_on(collection, key, &mut Some(invocation.meter())) {
                Err(error) if let ValueErrorKind::Limit(limit) = error.kind => Err(limit.into()),
                found => Ok(Value::bool(found.is_ok())),
            }
        })
}

/// Checks that the first argument can be indexed, or may be when it is known.
fn indexable(args: &[Value]) -> Result<(), FunctionError> {
    match args.first().map(Value::type_kind) {
        Some(Some(Kind::List | Kind::Tuple | Kind::Map) | None) => Ok(()),
        _ => Err(FunctionError::new("collection must be a list, a map or a tuple")),
    }
}
