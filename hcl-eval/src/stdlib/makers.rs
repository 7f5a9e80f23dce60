//! Makers of values that no expression gives: unknown, null of a type, marked. For tests.
//!
//! Those that take a type get it as it is written, so they are lazy.

use std::sync::Arc;

use hcl_syntax::diagnostic::has_errors;

use super::Constructor;
use super::collection::anything;
use super::library::bytes_type;
use super::sensitive::ephemeral_mark;
use super::support::{Outcome, fail, number, refuse, text, whole};
use crate::convert::convert;
use crate::function::{Function, FunctionError, LazyArguments, Parameter};
use crate::types::Type;
use crate::types::type_expr::TypeMode;
use crate::value::{Mark, Refinement, Value};

/// All of them.
pub(crate) const MAKERS: &[(&str, Constructor)] = &[
    ("bytes", bytes),
    ("ephemeral", ephemeral),
    ("marked", marked),
    ("null_of", null_of),
    ("refine", refine),
    ("sensitive", super::sensitive::sensitive),
    ("typed", typed),
    ("unknown", unknown),
];

/// The type that an argument is written as.
fn type_argument(arguments: &mut dyn LazyArguments) -> Result<Type, FunctionError> {
    let written = arguments.type_written(0, TypeMode::ConstraintWithDefaults);
    let Some((ty, _, diagnostics)) = written else { return refuse(0, "a type is required") };
    match diagnostics.first() {
        Some(problem) if has_errors(&diagnostics) => refuse(0, problem.detail.clone()),
        _ => Ok(ty),
    }
}

/// Builds a maker whose only argument is a type.
fn of_type(name: &'static str, description: &'static str, make: fn(Type) -> Value) -> Function {
    Function::lazy(name, description)
        .parameter(Parameter::new("type", Type::Dynamic).described("A type expression."))
        .lazy_implementation(move |arguments| Ok(make(type_argument(arguments)?)))
}

/// `unknown(type)`
fn unknown() -> Function {
    of_type("unknown", "Makes an unknown value of a type.", Value::unknown)
}

/// `null_of(type)`
fn null_of() -> Function {
    of_type("null_of", "Makes a null of a type.", Value::null)
}

/// `typed(type, value)`. Defaults that the type gives are not applied.
fn typed() -> Function {
    Function::lazy("typed", "Converts a value to a type.")
        .parameter(Parameter::new("type", Type::Dynamic).described("A type expression."))
        .parameter(anything("value").described("The value to convert."))
        .lazy_implementation(|arguments| {
            let ty = type_argument(arguments)?;
            let (value, diagnostics) = arguments.evaluate(1);
            if let Some(problem) = diagnostics.iter().find(|_| has_errors(&diagnostics)) {
                return refuse(1, problem.detail.clone());
            }
            convert(&value, &ty).map_err(|error| FunctionError::from_value(1, &error))
        })
}

/// `bytes(text)`: the capsule of bytes that `byteslen` and `bytesslice` take.
fn bytes() -> Function {
    Function::new("bytes", "Makes bytes of a text.")
        .parameter(Parameter::new("text", Type::String).described("The text."))
        .returns(Type::Capsule(bytes_type()))
        .implementation(|_, args| {
            Ok(Value::capsule(bytes_type(), Arc::new(text(args, 0).as_bytes().to_vec())))
        })
}

/// `marked(value, mark)`, with a mark of any name.
fn marked() -> Function {
    Function::new("marked", "Marks a value.")
        .parameter(anything("value").described("The value to mark.").allow_marked())
        .parameter(Parameter::new("mark", Type::String).described("The name of the mark."))
        .implementation(|_, args| match args {
            [value, _] => Ok(value.clone().mark(Mark::new(text(args, 1)))),
            _ => fail("a value and a mark are required"),
        })
}

/// `ephemeral(value)`
fn ephemeral() -> Function {
    Function::new("ephemeral", "Marks a value as ephemeral.")
        .parameter(anything("value").described("The value to mark.").allow_marked())
        .implementation(|_, args| match args {
            [value] => Ok(value.clone().mark(ephemeral_mark())),
            _ => fail("a value is required"),
        })
}

/// `refine(value, refinements)`
fn refine() -> Function {
    Function::new("refine", "Says more about an unknown value.")
        .parameter(anything("value").described("The unknown value.").allow_marked())
        .parameter(Parameter::new("refinements", Type::Dynamic).described(
            "An object of what is known: not_null, prefix, min, above, max, below, len_min, len_max.",
        ))
        .implementation(|_, args| match args {
            [value, what] => refined(value, what),
            _ => fail("a value and refinements are required"),
        })
}

/// Refines a value by an object of refinements. A known value is checked against them and stays as it is.
fn refined(value: &Value, what: &Value) -> Outcome {
    let mut known = Refinement::new();
    for (name, said) in what.entries().into_iter().flatten() {
        let said = std::slice::from_ref(said);
        let length = || whole(said, 0, "length").map(|length| u64::try_from(length).unwrap_or(0));
        known = match name.as_str() {
            "not_null" if said[0].as_bool() == Some(true) => known.not_null(),
            "not_null" => known,
            "prefix" => known.prefix_full(text(said, 0)),
            "min" => known.min(number(said, 0), true),
            "above" => known.min(number(said, 0), false),
            "max" => known.max(number(said, 0), true),
            "below" => known.max(number(said, 0), false),
            "len_min" => known.min_length(length()?),
            "len_max" => known.max_length(length()?),
            other => return refuse(1, format!("there is no refinement called {other:?}")),
        };
    }
    value.clone().refine(&known).map_err(|error| FunctionError::from_value(0, &error))
}

#[cfg(test)]
mod tests {
    use super::MAKERS;

    #[test]
    fn makers_have_the_names_that_they_are_listed_under() {
        for (name, make) in MAKERS {
            assert_eq!(make().name(), *name);
        }
    }
}
