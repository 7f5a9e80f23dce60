//! Conversions that are asked for: `tostring`, `tolist` and the like.
//!
//! They differ from the silent conversion of arguments in two points: null keeps
//! its nullness and takes the wanted type, and an unknown argument gives an
//! unknown of the wanted type only, as the reference has it: `tolist` of an
//! unknown list of strings is an unknown list of anything.

use hcl_syntax::diagnostic::has_errors;

use super::support::{Outcome, refuse, shown};
use crate::convert::{conversion_exists, convert_within};
use crate::function::{Function, FunctionError, Invocation, LazyArguments, Parameter};
use crate::types::Type;
use crate::types::type_expr::TypeMode;
use crate::value::Value;

/// Where the marks inside a value go.
#[derive(Copy, Clone, PartialEq, Eq)]
enum InnerMarks {
    /// They stay where they are, if the new type can have them there.
    Stay,
    /// They go to the whole result.
    Spread,
}

/// A function `name` that converts to `ty`.
fn conversion(name: &'static str, description: &'static str, ty: Type, marks: InnerMarks) -> Function {
    let value = Parameter::new("v", Type::Dynamic)
        .described("The value; null stays null, of the new type.")
        .allow_null()
        .allow_unknown()
        .allow_dynamic();
    Function::new(name, description)
        .parameter(if marks == InnerMarks::Stay { value.allow_marked() } else { value })
        .returns(ty.clone())
        .implementation(move |invocation, args| match args.first() {
            Some(value) => explicit(invocation, value, &ty),
            None => Err(FunctionError::new("a value is required")),
        })
}

/// Converts one value. A conversion that no value could pass is an error even for an unknown one; only where there is no
/// value the types are looked at, for there is one for each part of a tuple or an object.
fn explicit(invocation: &mut Invocation<'_>, value: &Value, wanted: &Type) -> Outcome {
    let meter = invocation.meter();
    let converted = value.is_known().then(|| convert_within(value, wanted, meter));
    if let Some(Ok(converted)) = converted {
        return Ok(converted);
    }
    let from = value.ty_on(&mut Some(&mut *meter))?;
    let exists = conversion_exists(&from, wanted, meter)?;
    let (from, name) = (from.friendly_name(), wanted.constraint_name());
    match converted {
        _ if !exists => refuse(0, format!("cannot convert {from} to {name}")),
        // The text of a marked value must not get into a message.
        Some(Err(_)) if value.contains_marks() => {
            refuse(0, format!("cannot convert this sensitive {from} to {name}"))
        }
        Some(Err(error)) => refuse(0, explain(value, &from, &error.detail(), wanted)),
        _ => Ok(Value::unknown(wanted.clone()).with_marks(value.marks())),
    }
}

/// Says of a text what would have been accepted, of anything else what is wrong.
fn explain(value: &Value, from: &str, problem: &str, wanted: &Type) -> String {
    let Some(text) = value.as_str() else {
        return format!("cannot convert {from} to {}: {problem}", wanted.constraint_name());
    };
    match wanted {
        Type::Bool => {
            format!(
                "cannot convert {:?} to bool; only \"true\", \"false\", \"1\" and \"0\" are allowed",
                shown(text)
            )
        }
        Type::Number => {
            format!(
                "cannot convert {:?} to number; write it in decimal, for example -12.5 or 1e3",
                shown(text)
            )
        }
        _ => format!("cannot convert {:?} to {}", shown(text), wanted.constraint_name()),
    }
}

macro_rules! conversions {
    ($($name:ident, $spreading:ident, $description:literal, $ty:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "(v)`")]
        pub(crate) fn $name() -> Function {
            conversion(stringify!($name), $description, $ty, InnerMarks::Stay)
        }

        #[doc = concat!("`", stringify!($name), "(v)`, with all marks on the whole result.")]
        pub(crate) fn $spreading() -> Function {
            conversion(stringify!($name), $description, $ty, InnerMarks::Spread)
        }
    )*};
}

conversions! {
    tostring, tostring_whole, "Converts the value to a string.", Type::String;
    tonumber, tonumber_whole, "Converts the value to a number.", Type::Number;
    tobool, tobool_whole, "Converts the value to a bool.", Type::Bool;
    tolist, tolist_whole, "Converts the value to a list.", Type::list(Type::Dynamic);
    toset, toset_whole, "Converts the value to a set.", Type::set(Type::Dynamic);
    tomap, tomap_whole, "Converts the value to a map.", Type::map(Type::Dynamic);
}

/// `convert(value, type)`
pub(crate) fn convert_to() -> Function {
    convert_function(TypeMode::Constraint)
}

/// `convert(value, type)`, whose type may give attributes that are missing a value.
pub(crate) fn convert_with_defaults() -> Function {
    convert_function(TypeMode::ConstraintWithDefaults)
}

/// Builds `convert`. It is lazy because its second argument is a type expression and not a value.
fn convert_function(mode: TypeMode) -> Function {
    Function::lazy("convert", "Converts the value to a type that is written out, such as list(string).")
        .parameter(
            Parameter::new("value", Type::Dynamic)
                .described("The value.")
                .allow_null()
                .allow_unknown()
                .allow_dynamic(),
        )
        .parameter(
            Parameter::new("type", Type::Dynamic)
                .described("A type expression, such as string, list(number) or object({ a = string })."),
        )
        .lazy_implementation(move |arguments| convert_as_written(arguments, mode))
}

/// Converts the first argument to the type that the second one is written as.
fn convert_as_written(arguments: &mut dyn LazyArguments, mode: TypeMode) -> Outcome {
    let (value, mut diagnostics) = arguments.evaluate(0);
    let Some((ty, defaults, problems)) = arguments.type_written(1, mode) else {
        return refuse(1, "a type must be written out here, such as list(string)");
    };
    diagnostics.extend(problems);
    if has_errors(&diagnostics) {
        return Err(FunctionError::reported(diagnostics));
    }
    arguments.invocation().meter().check()?;
    arguments.invocation().charge_elements(usize::try_from(value.weight()).unwrap_or(usize::MAX))?;
    // Without defaults nothing may be left out: there would be no value to put in its place.
    let allowed = if mode == TypeMode::ConstraintWithDefaults { ty } else { ty.without_optional() };
    let mut invocation = arguments.invocation();
    let converted = convert_within(&value, &allowed, invocation.meter())
        .map_err(|error| FunctionError::from_value(0, &error))?;
    let Some(defaults) = defaults else { return Ok(converted) };
    // A default may have a type that is decided only together with the other elements.
    let completed = defaults.apply_within(&converted, invocation.meter())?;
    convert_within(&completed, &allowed, invocation.meter())
        .map_err(|error| FunctionError::from_value(0, &error))
}
