//! Functions of the reference's library that no product has: the operators as functions, and bytes.
//!
//! They have the library's own names in small letters.

use std::sync::{Arc, OnceLock};

use super::collection::anything;
use super::support::{Outcome, fail, function, number, refuse, type_of_first, unknown, whole};
use crate::function::{Function, FunctionError, Parameter};
use crate::limits::Meter;
use crate::types::{CapsuleType, Type};
use crate::value::{Kind, Value, ValueError, arithmetic, logic};

/// An operator of the language on two values.
type Binary = fn(&Value, &Value) -> Result<Value, ValueError>;

/// Builds the function of an operator. Marks reach the operator, which puts them on its result.
fn binary(name: &'static str, description: &'static str, ty: &Type, result: Type, body: Binary) -> Function {
    // The known bounds of an unknown number may decide a comparison.
    let compares_numbers = *ty == Type::Number && result == Type::Bool;
    let operand = |name: &str, description: &'static str| {
        let operand = Parameter::new(name, ty.clone()).described(description).allow_dynamic().allow_marked();
        if compares_numbers { operand.allow_unknown() } else { operand }
    };
    function(name, description)
        .parameter(operand("a", "The first operand."))
        .parameter(operand("b", "The second operand."))
        .returns(result)
        .implementation(move |_, args| match args {
            [a, b] => body(a, b).map_err(|error| FunctionError::new(error.detail())),
            _ => fail("two values are required"),
        })
}

/// Defines a function for each operator: identifier, name, description, type of both operands, type of the result,
/// operator.
macro_rules! binaries {
    ($($function:ident, $name:literal, $description:literal, $ty:ident, $result:ident, $body:path;)*) => {$(
        #[doc = concat!("`", $name, "(a, b)`")]
        pub(crate) fn $function() -> Function {
            binary($name, $description, &Type::$ty, Type::$result, $body)
        }
    )*};
}

binaries! {
    add, "add", "Adds two numbers.", Number, Number, arithmetic::add;
    subtract, "subtract", "Subtracts the second number from the first.", Number, Number, arithmetic::subtract;
    multiply, "multiply", "Multiplies two numbers.", Number, Number, arithmetic::multiply;
    divide, "divide", "Divides the first number by the second.", Number, Number, arithmetic::divide;
    modulo, "modulo", "Gives what is left of the first number when it is divided by the second.", Number, Number, arithmetic::modulo;
    less_than, "lessthan", "Tells whether the first number is less than the second.", Number, Bool, logic::less;
    less_equal, "lessthanorequalto", "Tells whether the first number is at most the second.", Number, Bool, logic::less_equal;
    greater_than, "greaterthan", "Tells whether the first number is greater than the second.", Number, Bool, logic::greater;
    greater_equal, "greaterthanorequalto", "Tells whether the first number is at least the second.", Number, Bool, logic::greater_equal;
    and, "and", "Tells whether both are true.", Bool, Bool, logic::and;
    or, "or", "Tells whether at least one is true.", Bool, Bool, logic::or;
}

/// `not(val)`
pub(crate) fn not() -> Function {
    function("not", "Turns true into false and false into true.")
        .parameter(Parameter::new("val", Type::Bool).described("The bool.").allow_dynamic())
        .returns(Type::Bool)
        .implementation(|_, args| match args.first().and_then(Value::as_bool) {
            Some(value) => Ok(Value::bool(!value)),
            None => fail("a bool is required"),
        })
}

/// `negate(num)`
pub(crate) fn negate() -> Function {
    function("negate", "Gives the number with the other sign.")
        .parameter(Parameter::new("num", Type::Number).described("The number.").allow_dynamic())
        .returns(Type::Number)
        .implementation(|_, args| Ok(Value::number(number(args, 0).neg())))
}

/// `int(num)`
pub(crate) fn int() -> Function {
    function("int", "Drops the fraction of a number.")
        .parameter(Parameter::new("num", Type::Number).described("The number.").allow_dynamic())
        .returns(Type::Number)
        .implementation(|_, args| Ok(Value::number(number(args, 0).trunc())))
}

/// Builds a function that compares two values of any types; `body` makes its answer of their equality.
fn comparison(name: &'static str, description: &'static str, body: fn(bool) -> bool) -> Function {
    function(name, description)
        .parameter(anything("a").described("A value of any type."))
        .parameter(anything("b").described("The value to compare it with."))
        .returns(Type::Bool)
        .implementation(move |invocation, args| match args {
            [a, b] => {
                let equal = a.equals_within(b, invocation.meter())?.as_bool();
                Ok(equal.map_or_else(|| unknown(Type::Bool), |equal| Value::bool(body(equal))))
            }
            _ => fail("two values are required"),
        })
}

/// `equal(a, b)`
pub(crate) fn equal() -> Function {
    comparison("equal", "Tells whether two values are equal.", |equal| equal)
}

/// `notequal(a, b)`
pub(crate) fn notequal() -> Function {
    comparison("notequal", "Tells whether two values differ.", |equal| !equal)
}

/// `assertnotnull(v)`
pub(crate) fn assertnotnull() -> Function {
    function("assertnotnull", "Gives the value, which must not be null.")
        .parameter(Parameter::new("v", Type::Dynamic).described("The value."))
        .returns_on(|args, meter| Ok(type_of_first(args, meter)?))
        .implementation(|_, args| {
            args.first().cloned().ok_or_else(|| FunctionError::new("a value is required"))
        })
}

/// `hasindex(collection, key)`
pub(crate) fn hasindex() -> Function {
    function("hasindex", "Tells whether a list, map or tuple has an element under a key.")
        .parameter(
            Parameter::new("collection", Type::Dynamic).described("A list, tuple or map.").allow_dynamic(),
        )
        .parameter(
            Parameter::new("key", Type::Dynamic)
                .described("A position from 0 for a list or tuple, a string for a map.")
                .allow_dynamic(),
        )
        .returns_by(|args| match args.first().map(Value::type_kind) {
            None | Some(Some(Kind::List | Kind::Map | Kind::Tuple) | None) => Ok(Type::Bool),
            Some(_) => fail(NO_COLLECTION),
        })
        .implementation(|invocation, args| match args {
            [collection, key] => has_index(collection, key, invocation.meter()),
            _ => fail("a collection and a key are required"),
        })
}

/// The complaint about a collection that cannot be indexed; sets and objects are among these.
const NO_COLLECTION: &str = "collection must be a list, a map or a tuple";

/// Tells if a known collection has an element under a key. A key of the wrong kind is one that it does not have.
fn has_index(collection: &Value, key: &Value, meter: &mut Meter) -> Outcome {
    Ok(Value::bool(match (collection.type_kind(), collection.elements()) {
        (Some(Kind::List | Kind::Tuple), Some(elements)) => {
            let position = key.as_number().and_then(crate::value::Number::to_usize);
            position.is_some_and(|position| position < elements.len())
        }
        (Some(Kind::Map), _) => match key.as_text() {
            Some(key) => collection.attribute_on(key, &mut Some(meter))?.is_some(),
            None => false,
        },
        _ => return fail(NO_COLLECTION),
    }))
}

/// `sethaselement(set, elem)`
pub(crate) fn sethaselement() -> Function {
    function("sethaselement", "Tells whether a set has an element.")
        .parameter(
            Parameter::new("set", Type::set(Type::Dynamic))
                .described("The set to look into.")
                .allow_dynamic(),
        )
        .parameter(
            Parameter::new("elem", Type::Dynamic)
                .described("What to look for; it must be of the type of the elements.")
                .allow_dynamic(),
        )
        .returns(Type::Bool)
        .implementation(|invocation, args| match args {
            [set, element] => Ok(set.has_element_within(element, invocation.meter())?),
            _ => fail("a set and an element are required"),
        })
}

/// The type of byte strings, for hosts whose values hold them: the payload is a `Vec<u8>`.
pub fn bytes_type() -> CapsuleType {
    static BYTES: OnceLock<CapsuleType> = OnceLock::new();
    BYTES.get_or_init(|| CapsuleType::new("bytes")).clone()
}

/// The bytes of the first argument.
fn bytes(args: &[Value]) -> Result<&Vec<u8>, FunctionError> {
    let bytes = args.first().and_then(Value::as_capsule).and_then(|capsule| capsule.downcast_ref());
    bytes.ok_or_else(|| FunctionError::argument(0, "bytes are required"))
}

/// `byteslen(buf)`
pub(crate) fn byteslen() -> Function {
    function("byteslen", "Counts bytes.")
        .parameter(
            Parameter::new("buf", Type::Capsule(bytes_type()))
                .described("The bytes; only a host can give some.")
                .allow_dynamic(),
        )
        .returns(Type::Number)
        .implementation(|_, args| Ok(Value::count(bytes(args)?.len())))
}

/// `bytesslice(buf, offset, length)`
pub(crate) fn bytesslice() -> Function {
    function("bytesslice", "Cuts a part out of bytes.")
        .parameter(
            Parameter::new("buf", Type::Capsule(bytes_type()))
                .described("The bytes; only a host can give some.")
                .allow_dynamic(),
        )
        .parameter(
            Parameter::new("offset", Type::Number)
                .described("How many bytes to leave out at the start.")
                .allow_dynamic(),
        )
        .parameter(
            Parameter::new("length", Type::Number)
                .described("How many bytes to take; there must be that many.")
                .allow_dynamic(),
        )
        .returns(Type::Capsule(bytes_type()))
        .implementation(|invocation, args| {
            let buffer = bytes(args)?;
            let (offset, length) = (whole(args, 1, "offset")?, whole(args, 2, "length")?);
            let Ok(offset) = usize::try_from(offset) else { return refuse(1, "it must not be negative") };
            let Ok(length) = usize::try_from(length) else { return refuse(2, "it must not be negative") };
            let Some(part) = offset.checked_add(length).and_then(|end| buffer.get(offset..end)) else {
                return fail(format!("there are only {} bytes", buffer.len()));
            };
            invocation.charge_bytes(part.len())?;
            Ok(Value::capsule(bytes_type(), Arc::new(part.to_vec())))
        })
}
