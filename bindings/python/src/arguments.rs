//! Arguments of Python whose errors name them.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::text::{name_of, type_name};

/// The argument as a Rust value; `wanted` is what messages call its type.
fn taken<'a, 'py, T>(given: &'a Bound<'py, PyAny>, name: &str, wanted: &str) -> PyResult<T>
where
    T: FromPyObject<'a, 'py>,
{
    given.extract().map_err(|error: T::Error| {
        let error: PyErr = error.into();
        if error.is_instance_of::<PyTypeError>(given.py()) {
            return PyTypeError::new_err(format!("{name} is to be {wanted}, not {}", type_name(given)));
        }
        PyValueError::new_err(format!("{name} is to be {wanted}: {}", error.value(given.py())))
    })
}

/// A function for each argument, to be named in `from_py_with`.
macro_rules! arguments {
    ($($name:ident: $ty:ty, $wanted:literal;)*) => {
        $(pub(crate) fn $name(given: &Bound<'_, PyAny>) -> PyResult<$ty> {
            taken(given, stringify!($name), $wanted)
        })*
    };
}

arguments! {
    all: bool, "bool";
    before: bool, "bool";
    blocks: Option<String>, "str";
    create: bool, "bool";
    dates: Option<String>, "str";
    dialect: Option<String>, "str";
    errors: Option<String>, "str";
    expression: String, "str";
    expressions: Option<String>, "str";
    filename: String, "str";
    into: Option<String>, "str";
    line: bool, "bool";
    max_steps: Option<u64>, "a positive int";
    name: String, "str";
    numbers: Option<String>, "str";
    optional_path: Option<String>, "str";
    path: String, "str";
    product: String, "str";
    style: String, "str";
    syntax: Option<String>, "str";
    text: String, "str";
    timeout: Option<f64>, "a number of seconds";
    workspace: Option<String>, "str";
}

/// The argument `type` of a list of blocks.
pub(crate) fn block_type(given: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    taken(given, "type", "str")
}

/// The argument `labels` of a block.
pub(crate) fn labels(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if given.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("labels is to be a list of str, not str"));
    }
    let Ok(all) = given.try_iter() else {
        return Err(PyTypeError::new_err(format!("labels is to be a list of str, not {}", type_name(given))));
    };
    all.map(|one| name_of(&one?, "labels: a label")).collect()
}

/// The argument `type` of a column of answers.
pub(crate) fn result_type(given: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    taken(given, "type", "str")
}

/// True if an argument is the second of two words, false if it is the first or absent.
pub(crate) fn is_second(given: Option<&str>, name: &str, words: [&str; 2]) -> PyResult<bool> {
    match given {
        None => Ok(false),
        Some(word) if word == words[0] => Ok(false),
        Some(word) if word == words[1] => Ok(true),
        Some(other) => {
            let [first, second] = words;
            Err(PyValueError::new_err(format!("{name} is \"{first}\" or \"{second}\", not {other:?}")))
        }
    }
}
