//! Functions of Python as functions of the language.
//!
//! Annotations say the types of parameters and of the result; without one anything is taken. A parameter with a default
//! value may be left out, `*args` takes all further arguments. An exception of the function is a diagnostic at the call;
//! Ctrl-C and a recursion that is too deep end the evaluation.

use std::cell::RefCell;
use std::sync::Arc;

use hcl_eval::function::{Function, FunctionError, Parameter};
use hcl_eval::limits::LimitReached;
use hcl_eval::types::Type;
use hcl_eval::{convert, value::Value};
use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::lexer::is_identifier;
use pyo3::exceptions::{PyException, PyRecursionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::text::{name_of, type_name};
use crate::value::{Numbers, Within, from_python, items_of, to_python, type_of_text};

thread_local! {
    /// The exception that ended the evaluation of this thread: `KeyboardInterrupt` or its like. Functions of Python run on the
    /// thread of the caller, so that no other evaluation finds it.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Runs an evaluation that may call functions of Python, and raises what one of them raised to end it.
pub(crate) fn raising<T>(run: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    // A function may evaluate in its turn.
    let around = RAISED.take();
    let result = run();
    match RAISED.replace(around) {
        Some(error) => Err(error),
        None => result,
    }
}

/// A function that is given to the language, and the object of Python behind it.
pub(crate) type Given = (Arc<Function>, Arc<Callable>);

/// The functions of the argument `functions`, a mapping of names to callables.
pub(crate) fn functions_of(functions: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Given>> {
    let Some(functions) = functions else { return Ok(Vec::new()) };
    let Some(items) = items_of(functions)? else {
        let found = type_name(functions);
        return Err(PyTypeError::new_err(format!("functions is to be a dict of callables, not {found}")));
    };
    items
        .into_iter()
        .map(|(name, callable)| {
            let name = name_of(&name, "functions: a name")?;
            if !name.split("::").all(is_identifier) {
                return Err(PyValueError::new_err(format!(
                    "functions: {name:?} is no name that a call can have"
                )));
            }
            if !callable.is_callable() {
                let found = type_name(&callable);
                return Err(PyTypeError::new_err(format!(
                    "functions[{name:?}] is to be callable, not {found}"
                )));
            }
            let (function, callable) = function(&name, &callable)?;
            Ok((Arc::new(function), callable))
        })
        .collect()
}

/// Makes an argument what the annotation says, where the plain object is not that already; if numbers are given to it
/// exactly, as `Decimal`.
type Converter = Option<(Py<PyAny>, bool)>;
/// The parameters as name, type, whether null is taken, whether there is a default value, converter; the variadic parameter;
/// the type of the result; a description.
type Signature =
    (Vec<(String, String, bool, bool, Converter)>, Option<(String, String, bool, Converter)>, String, String);

/// A function of Python, and how its arguments are made.
pub(crate) struct Callable {
    function: Py<PyAny>,
    /// The names of all parameters, the variadic one last.
    names: Vec<String>,
    /// How many parameters there are without a default value.
    n_required: usize,
    /// The types of those with a default value.
    optional: Vec<Type>,
    /// The type of all further arguments, if there may be any.
    variadic: Option<Type>,
    /// Those of the parameters.
    converters: Vec<Converter>,
    /// That of all further arguments.
    further: Converter,
}

fn function(name: &str, callable: &Bound<'_, PyAny>) -> PyResult<(Function, Arc<Callable>)> {
    let py = callable.py();
    let signature = py.import("libhcl._signature")?.call_method1("signature", (callable,))?;
    let (parameters, variadic, result, description): Signature = signature.extract()?;
    let parameter = |name: &str, ty: &str, takes_null: bool| -> PyResult<Parameter> {
        let parameter = Parameter::new(name, type_of_text(py, ty)?);
        Ok(if takes_null { parameter.allow_null().allow_dynamic() } else { parameter })
    };
    let result_type = type_of_text(py, &result)?;
    let mut made = Function::new(name, description).returns(result_type.clone()).pure(false);
    let mut optional: Vec<Type> = Vec::new();
    let mut n_required = 0;
    let mut converters = Vec::new();
    let mut names = Vec::new();
    for (parameter_name, ty, takes_null, has_default, converter) in parameters {
        converters.push(converter);
        names.push(parameter_name.clone());
        if has_default {
            optional.push(type_of_text(py, &ty)?);
        } else {
            n_required += 1;
            made = made.parameter(parameter(&parameter_name, &ty, takes_null)?);
        }
    }
    // A null without a type is a value of unknown type.
    // Of parameters with defaults the language knows nothing: they are taken as further arguments.
    let variadic_type = variadic.as_ref().map(|(_, ty, ..)| type_of_text(py, ty)).transpose()?;
    names.extend(variadic.as_ref().map(|(name, ..)| name.clone()));
    if let Some((parameter_name, ty, takes_null, _)) = variadic.as_ref().filter(|_| optional.is_empty()) {
        made = made.variadic(parameter(parameter_name, ty, *takes_null)?);
    } else if !optional.is_empty() {
        made = made.variadic(Parameter::new(&names[n_required], Type::Dynamic).allow_null().allow_dynamic());
    }
    let further_converter = variadic.and_then(|(.., converter)| converter);
    let callable = Arc::new(Callable {
        function: callable.clone().unbind(),
        names,
        n_required,
        optional,
        variadic: variadic_type,
        converters,
        further: further_converter,
    });
    let shared = Arc::clone(&callable);
    let name = name.to_owned();
    let made = made.implementation(move |invocation, arguments| {
        let arguments = callable.with_optional(&name, arguments)?;
        if let Some(stopped) = invocation.meter().stopped() {
            return Err(stopped.into());
        }
        let within = invocation.meter().limits().into();
        call(&callable, &arguments, &result_type, within).map_err(|error| callable.named(error))
    });
    Ok((made, shared))
}

impl Callable {
    /// The arguments, with those of parameters with default values converted.
    fn with_optional(&self, function: &str, arguments: &[Value]) -> Result<Vec<Value>, FunctionError> {
        let mut arguments = arguments.to_vec();
        let given = arguments.len();
        for (at, argument) in arguments.iter_mut().enumerate().skip(self.n_required) {
            let Some(ty) = self.optional.get(at - self.n_required).or(self.variadic.as_ref()) else {
                let (least, most) = (self.n_required, self.n_required + self.optional.len());
                let detail = format!(
                    "The function \"{function}\" takes {least} to {most} arguments, but the call has {given}. Leave out the rest."
                );
                let said =
                    Diagnostic::error("eval.call.too_many_arguments", "Too many function arguments", detail);
                return Err(FunctionError::diagnosed(Some(at), vec![said]));
            };
            *argument = convert::convert(argument, ty)
                .map_err(|error| self.named(FunctionError::from_value(at, &error)))?;
        }
        Ok(arguments)
    }

    /// The error, with the name of the parameter that it is about. The language knows none of one with a default value.
    fn named(&self, error: FunctionError) -> FunctionError {
        let Some(at) = error.argument.filter(|at| *at >= self.n_required) else { return error };
        let Some(name) = self.names.get(at).or(self.names.last()) else { return error };
        if error.limit.is_some() || !error.diagnostics.is_empty() {
            return error;
        }
        let path = error.path.to_text();
        let place = if path.is_empty() { path } else { format!(" at {path}") };
        let detail =
            format!("Invalid value for \"{name}\" parameter{place}: {}.", error.detail.trim_end_matches('.'));
        let said = Diagnostic::error("eval.call.invalid_argument", "Invalid function argument", detail);
        FunctionError::diagnosed(Some(at), vec![said])
    }

    /// The argument at a position, as its annotation says.
    fn argument<'py>(
        &self,
        py: Python<'py>,
        at: usize,
        argument: &Value,
        within: Within,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some((converter, is_exact)) = self.converters.get(at).unwrap_or(&self.further) else {
            return to_python(py, argument, Numbers::Float, within);
        };
        let numbers = if *is_exact { Numbers::Decimal } else { Numbers::Float };
        converter.bind(py).call1((to_python(py, argument, numbers, within)?,))
    }

    /// Shows the objects to the garbage collector.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)?;
        self.converters.iter().chain([&self.further]).flatten().try_for_each(|(object, _)| visit.call(object))
    }
}

/// The stack that a function needs to be called, which may evaluate in its turn.
const ROOM: usize = 96 << 10;

fn call(
    callable: &Callable,
    arguments: &[Value],
    result_type: &Type,
    within: Within,
) -> Result<Value, FunctionError> {
    Python::attach(|py| {
        if stacker::remaining_stack().is_some_and(|left| left < ROOM) {
            return Err(failed(
                py,
                PyRecursionError::new_err("too little stack is left for a function"),
                None,
            ));
        }
        let mut objects = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            let object = callable.argument(py, at, argument, within);
            objects.push(object.map_err(|error| failed(py, error, Some(at)))?);
        }
        let called = || -> PyResult<Value> {
            let arguments = PyTuple::new(py, objects)?;
            from_python(&callable.function.bind(py).call1(arguments)?, "the result", within)
        };
        let value = called().map_err(|error| failed(py, error, None))?;
        convert::convert(&value, result_type).map_err(|error| {
            FunctionError::new(format!("the result is not what the function promises: {error}"))
        })
    })
}

/// An exception as the evaluation takes it: a diagnostic, at an argument if it is about that; or the end of it.
fn failed(py: Python<'_>, error: PyErr, argument: Option<usize>) -> FunctionError {
    let ends = !error.is_instance_of::<PyException>(py) || error.is_instance_of::<PyRecursionError>(py);
    if ends {
        RAISED.with_borrow_mut(|raised| {
            raised.get_or_insert(error);
        });
        return LimitReached::Cancelled.into();
    }
    let text = error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string());
    if let Some(at) = argument {
        return FunctionError::argument(at, text);
    }
    let class = error.get_type(py).name().map_or_else(|_| String::new(), |name| name.to_string());
    FunctionError::new(if text.is_empty() { class } else { format!("{class}: {text}") })
}

/// The variables of a mapping and of keyword arguments, the latter first.
pub(crate) fn variables_of(
    variables: Option<&Bound<'_, PyAny>>,
    keywords: Option<&Bound<'_, PyDict>>,
    within: Within,
) -> PyResult<Vec<(String, Value)>> {
    let mut found = Vec::new();
    if let Some(variables) = variables {
        let Some(items) = items_of(variables)? else {
            let message = format!("variables is to be a dict, not {}", type_name(variables));
            return Err(PyTypeError::new_err(message));
        };
        for (name, object) in items {
            let name = name_of(&name, "variables: a name")?;
            let value = from_python(&object, &name, within)?;
            found.push((name, value));
        }
    }
    for (name, object) in keywords.into_iter().flatten() {
        let name = name_of(&name, "variables: a name")?;
        let value = from_python(&object, &name, within)?;
        found.push((name, value));
    }
    Ok(found)
}
