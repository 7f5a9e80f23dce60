//! `try`, `can` and `type`, which look at how an expression fares.
//!
//! The arguments of `try` and `can` are evaluated by the functions themselves,
//! each once. A limit that is reached ends them too: it is not a failure of the
//! expression that could be tried around.

use std::fmt::Write;
use std::sync::Arc;

use hcl_syntax::diagnostic::{Diagnostics, has_errors};

use super::collection::anything;
use super::support::{Outcome, fail, type_of_first};
use crate::function::{Function, LazyArguments, Parameter};
use crate::types::{CapsuleType, Type};
use crate::value::{Capsule, CapsuleOperations, Value};

/// `try(expressions...)`
pub(crate) fn try_() -> Function {
    Function::lazy("try", "Gives the first of the expressions that evaluates without error.")
        .variadic(
            Parameter::new("expressions", Type::Dynamic)
                .described("The expressions, evaluated one after the other until one succeeds."),
        )
        .lazy_implementation(first_without_error)
}

/// Evaluates the arguments in turn up to the first without an error, whose value may be null. The problems of those
/// before it are dropped, unless all fail.
fn first_without_error(arguments: &mut dyn LazyArguments) -> Outcome {
    if arguments.is_empty() {
        return fail("at least one argument is required");
    }
    let mut problems = String::from("no expression succeeded:\n");
    for position in 0..arguments.len() {
        let (value, diagnostics) = arguments.evaluate(position);
        // The diagnostics alone would look like a failure of the expression.
        arguments.invocation().meter().check()?;
        if !has_errors(&diagnostics) {
            // An unknown part may still turn out to be an error, so that another argument is chosen: one of any type and marks.
            return Ok(if value.is_wholly_known() { value } else { Value::dynamic() });
        }
        describe(&diagnostics, &mut problems);
    }
    problems.push_str("\nAt least one expression must produce a successful result");
    fail(problems)
}

/// Appends problems to the message of a `try` that failed, laid out as the reference does.
fn describe(diagnostics: &Diagnostics, out: &mut String) {
    for diagnostic in diagnostics {
        let place =
            diagnostic.subject.as_ref().map_or_else(String::new, |subject| format!(" (at {subject})"));
        // Writing to a String cannot fail.
        let _ = write!(out, "- {}{place}\n  {}\n", diagnostic.summary, diagnostic.detail);
    }
}

/// `can(expression)`
pub(crate) fn can() -> Function {
    Function::lazy("can", "Tells whether the expression can be evaluated without error.")
        .parameter(
            Parameter::new("expression", Type::Dynamic)
                .described("The expression; its value does not matter."),
        )
        .returns(Type::Bool)
        .lazy_implementation(|arguments| {
            let (value, diagnostics) = arguments.evaluate(0);
            arguments.invocation().meter().check()?;
            Ok(match has_errors(&diagnostics) {
                true => Value::bool(false),
                false if value.is_wholly_known() => Value::bool(true),
                // An unknown part may still turn out to be an error.
                false => Value::unknown(Type::Bool),
            })
        })
}

/// `type(value)`, which is for consoles: its result is shown as it is. Marks do not count.
pub(crate) fn type_() -> Function {
    let ty = CapsuleType::with_operations("type", Box::new(TypeText));
    let shared = ty.clone();
    Function::new("type", "Shows the type of the value; for consoles only.")
        .parameter(anything("value").described("Any value.").allow_marked())
        .returns(Type::Capsule(ty))
        .implementation(move |invocation, args| {
            let ty = type_of_first(args, invocation.meter())?;
            let text = ty.console_text_on(&mut Some(invocation.meter()))?;
            Ok(Value::capsule(shared.clone(), Arc::new(text)))
        })
}

/// How the result of `type` looks.
struct TypeText;

impl CapsuleOperations for TypeText {
    fn console_text(&self, capsule: &Capsule) -> Option<String> {
        capsule.downcast_ref::<String>().cloned()
    }
}

/// `list(vals...)`, which is no more.
pub(crate) fn list_stub() -> Function {
    stub("list", "tolist([...])")
}

/// `map(vals...)`, which is no more.
pub(crate) fn map_stub() -> Function {
    stub("map", "tomap({...})")
}

/// A function that only tells what to write instead.
fn stub(name: &'static str, instead: &'static str) -> Function {
    Function::new(name, "No longer available: always an error that says what to write instead.")
        .variadic(anything("vals").described("Anything; it makes no difference."))
        .implementation(move |_, _| {
            fail(format!("the \"{name}\" function is no longer available: write {instead}"))
        })
}
