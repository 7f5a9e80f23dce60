//! Texts of Python as bytes of the engine.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The bytes of a `str` or `bytes` argument. Surrogates of a `str`, which no UTF-8 has, become bytes that the parser
/// reports with their place.
pub(crate) fn bytes_of(argument: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<u8>> {
    if let Ok(text) = argument.cast::<PyString>() {
        if let Ok(text) = text.to_cow() {
            return Ok(text.as_bytes().to_vec());
        }
        let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
        return Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec());
    }
    if let Ok(bytes) = argument.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    Err(PyTypeError::new_err(format!("{name} is to be str or bytes, not {}", type_name(argument))))
}

/// A `str` that is a name or a path; `what` is what messages call it.
pub(crate) fn name_of(name: &Bound<'_, PyAny>, what: &str) -> PyResult<String> {
    let Ok(text) = name.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!("{what} is to be str, not {}", type_name(name))));
    };
    match text.to_cow() {
        Ok(text) => Ok(text.into_owned()),
        Err(_) => Err(PyValueError::new_err(format!("{what} has a surrogate, which is no character"))),
    }
}

/// The name of a value's type, for messages.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string())
}
