//! Diagnostics as objects of Python, and `HclError`, which carries them.

use hcl_syntax::diagnostic::render::{RenderOptions, render, render_all};
use hcl_syntax::diagnostic::{self, Diagnostics, has_errors};
use hcl_syntax::source;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// A place in a text. Lines and columns count from 1, columns in characters as a reader counts them, bytes from 0.
#[pyclass(frozen, eq, module = "libhcl")]
#[derive(Clone, PartialEq)]
pub(crate) struct Range {
    /// The name of the text.
    #[pyo3(get)]
    filename: String,
    #[pyo3(get)]
    start_line: u32,
    #[pyo3(get)]
    start_column: u32,
    #[pyo3(get)]
    start_byte: u64,
    #[pyo3(get)]
    end_line: u32,
    #[pyo3(get)]
    end_column: u32,
    #[pyo3(get)]
    end_byte: u64,
}

impl From<&source::Range> for Range {
    fn from(range: &source::Range) -> Self {
        Self {
            filename: range.filename.to_string(),
            start_line: range.start.line,
            start_column: range.start.column,
            start_byte: range.start.byte,
            end_line: range.end.line,
            end_column: range.end.column,
            end_byte: range.end.byte,
        }
    }
}

impl Range {
    /// Where it begins and ends in the text.
    pub(crate) fn bytes(&self) -> (u32, u32) {
        let offset = |byte: u64| u32::try_from(byte).unwrap_or(u32::MAX);
        (offset(self.start_byte), offset(self.end_byte))
    }
}

#[pymethods]
impl Range {
    fn __str__(&self) -> String {
        format!("{}:{},{}", self.filename, self.start_line, self.start_column)
    }

    fn __repr__(&self) -> String {
        format!(
            "Range({:?}, {}:{} to {}:{})",
            self.filename, self.start_line, self.start_column, self.end_line, self.end_column
        )
    }

    fn __hash__(&self) -> u64 {
        self.start_byte.wrapping_mul(31).wrapping_add(self.end_byte)
    }
}

/// One complaint about a text.
#[pyclass(frozen, module = "libhcl")]
pub(crate) struct Diagnostic {
    inner: diagnostic::Diagnostic,
}

#[pymethods]
impl Diagnostic {
    /// `"error"` or `"warning"`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.inner.severity.as_str()
    }

    /// A stable code, for example `eval.unknown_variable`.
    #[getter]
    fn code(&self) -> &str {
        &self.inner.code
    }

    /// The kind of problem in a few words.
    #[getter]
    fn summary(&self) -> &str {
        &self.inner.summary
    }

    /// Full sentences: found, expected, what to do.
    #[getter]
    fn detail(&self) -> &str {
        &self.inner.detail
    }

    /// The place, or None.
    #[getter]
    fn range(&self) -> Option<Range> {
        self.inner.subject.as_ref().map(Range::from)
    }

    /// Values of the names involved, as pairs of expression and description.
    #[getter]
    fn values(&self) -> Vec<(String, String)> {
        let values = self.inner.values.iter();
        values.map(|value| (value.expression.clone(), value.description.clone())).collect()
    }

    fn __str__(&self) -> String {
        let mut text = String::new();
        render(&self.inner, &RenderOptions::default(), &mut text);
        text
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}: {}>", self.inner.severity.as_str(), self.inner)
    }

    /// The diagnostic as HTML, for notebooks.
    fn _repr_html_(&self) -> String {
        let text = self.__str__().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("<pre>{text}</pre>")
    }
}

/// The diagnostics as objects of Python.
pub(crate) fn objects(py: Python<'_>, diagnostics: Diagnostics) -> PyResult<Vec<Py<Diagnostic>>> {
    diagnostics.into_iter().map(|inner| Py::new(py, Diagnostic { inner })).collect()
}

/// The `HclError` of these diagnostics.
pub(crate) fn error(py: Python<'_>, diagnostics: impl Into<Diagnostics>) -> PyErr {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let diagnostics = diagnostics.into();
    let made = || -> PyResult<PyErr> {
        let class = CLASS.get_or_try_init(py, || {
            Ok::<_, PyErr>(py.import("libhcl._values")?.getattr("HclError")?.unbind())
        })?;
        let mut text = String::new();
        render_all(&diagnostics, &RenderOptions::default(), &mut text);
        let text = text.trim_end().to_owned();
        Ok(PyErr::from_value(class.bind(py).call1((text, objects(py, diagnostics)?))?))
    };
    made().unwrap_or_else(|error| error)
}

/// The result, unless there are errors among the diagnostics.
pub(crate) fn checked<T>(py: Python<'_>, result: T, diagnostics: Diagnostics) -> PyResult<T> {
    if has_errors(&diagnostics) { Err(error(py, diagnostics)) } else { Ok(result) }
}

/// The error of a text that is too long.
pub(crate) fn too_large(py: Python<'_>, found: source::SourceTooLarge) -> PyErr {
    error(py, diagnostic::Error::from(found))
}
