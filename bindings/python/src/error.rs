//! Diagnostics as objects of Python, and `HclError`, which carries them.

use std::borrow::Cow;

use hcl_eval::columns::row_of;
use hcl_syntax::diagnostic::render::{RenderOptions, render, render_all};
use hcl_syntax::diagnostic::{self, Diagnostics, Severity, has_errors};
use hcl_syntax::source::{self, Pos, Source, Span};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

/// A place in a text. Lines and columns count from 1, columns in characters as a reader counts them, bytes from 0. Places are
/// ordered by file name, then by where they begin, then by where they end.
#[pyclass(frozen, eq, ord, module = "libhcl")]
#[derive(Clone, PartialEq, PartialOrd)]
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

/// The line, the column and the byte of one end of a place.
type Corner = (u32, u32, u64);

impl Range {
    /// The name of the text and the place in it where something begins.
    pub(crate) fn origin(&self) -> (&str, Pos) {
        let pos = Pos { line: self.start_line, column: self.start_column, byte: self.start_byte };
        (&self.filename, pos)
    }
}

#[pymethods]
impl Range {
    /// Ranges are made by the library; this is for `pickle`.
    #[new]
    fn new(filename: String, start: Corner, end: Corner) -> Self {
        let (start_line, start_column, start_byte) = start;
        let (end_line, end_column, end_byte) = end;
        Self { filename, start_line, start_column, start_byte, end_line, end_column, end_byte }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let of = slf.get();
        let start = (of.start_line, of.start_column, of.start_byte);
        let end = (of.end_line, of.end_column, of.end_byte);
        (slf.get_type(), (&of.filename, start, end)).into_pyobject(slf.py())
    }

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
    severity: Severity,
    code: String,
    summary: String,
    detail: String,
    range: Option<Range>,
    values: Vec<(String, String)>,
    /// The number of the row of a table.
    row: Option<u64>,
    /// All of it with a snippet of the text.
    rendered: String,
}

impl From<&diagnostic::Diagnostic> for Diagnostic {
    fn from(one: &diagnostic::Diagnostic) -> Self {
        let one = &*of_python(one);
        let mut rendered = String::new();
        render(&shown(one), &RenderOptions::default(), &mut rendered);
        let values = one.values.iter();
        Self {
            severity: one.severity,
            code: one.code.to_string(),
            summary: one.summary.to_string(),
            detail: one.detail.clone(),
            range: one.subject.as_ref().map(Range::from),
            values: values.map(|value| (value.expression.clone(), value.description.clone())).collect(),
            row: row_of(one),
            rendered,
        }
    }
}

/// The parts of a diagnostic that `pickle` keeps.
type Kept<'d> =
    (&'static str, &'d str, &'d str, &'d str, Option<Range>, Vec<(String, String)>, &'d str, Option<u64>);

#[pymethods]
impl Diagnostic {
    /// Diagnostics are made by the library; this is for `pickle`.
    #[new]
    #[pyo3(signature = (severity, code, summary, detail, range, values, rendered, row=None))]
    #[allow(clippy::too_many_arguments, reason = "they are the parts that are kept")]
    fn new(
        severity: &str,
        code: String,
        summary: String,
        detail: String,
        range: Option<&Range>,
        values: Vec<(String, String)>,
        rendered: String,
        row: Option<u64>,
    ) -> Self {
        let severity = if severity == "warning" { Severity::Warning } else { Severity::Error };
        Self { severity, code, summary, detail, range: range.cloned(), values, row, rendered }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let of = slf.get();
        let (range, values) = (of.range.clone(), of.values.clone());
        let kept: Kept<'_> =
            (of.severity(), &of.code, &of.summary, &of.detail, range, values, &of.rendered, of.row);
        (slf.get_type(), kept).into_pyobject(slf.py())
    }

    /// `"error"` or `"warning"`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.severity.as_str()
    }

    /// A stable code, for example `eval.unknown_variable`.
    #[getter]
    fn code(&self) -> &str {
        &self.code
    }

    /// The kind of problem in a few words.
    #[getter]
    fn summary(&self) -> &str {
        &self.summary
    }

    /// Full sentences: found, expected, what to do.
    #[getter]
    fn detail(&self) -> &str {
        &self.detail
    }

    /// The place, or None.
    #[getter]
    fn range(&self) -> Option<Range> {
        self.range.clone()
    }

    /// Values of the names involved, as pairs of expression and description.
    #[getter]
    fn values(&self) -> Vec<(String, String)> {
        self.values.clone()
    }

    /// The number of the row, from 0, of a table that was evaluated; None for what is about no row.
    #[getter]
    fn row(&self) -> Option<u64> {
        self.row
    }

    fn __str__(&self) -> &str {
        &self.rendered
    }

    fn __repr__(&self) -> String {
        let place = self.range.as_ref().map_or_else(String::new, |range| format!("{}: ", range.__str__()));
        format!("<Diagnostic {}: {place}{}; {}>", self.severity(), self.summary, self.detail)
    }

    /// The diagnostic as HTML, for notebooks.
    fn _repr_html_(&self) -> String {
        html_block(&self.rendered)
    }
}

/// The diagnostic with the cure that Python has: the engine's names an option of the command.
fn of_python(one: &diagnostic::Diagnostic) -> Cow<'_, diagnostic::Diagnostic> {
    const CURE: &str = "if the host grants it; the command does with --allow ";
    let Some((before, word)) = one.detail.split_once(CURE).filter(|_| one.code == "eval.call.not_allowed")
    else {
        return Cow::Borrowed(one);
    };
    let word = word.trim_end_matches('.');
    let cure = if word.starts_with("fs") { "files=\"DIR\"".to_owned() } else { format!("allow=\"{word}\"") };
    Cow::Owned(diagnostic::Diagnostic { detail: format!("{before}with {cure}."), ..one.clone() })
}

/// The diagnostic as it is shown: one about a row of a table names it.
fn shown(one: &diagnostic::Diagnostic) -> Cow<'_, diagnostic::Diagnostic> {
    match row_of(one) {
        None => Cow::Borrowed(one),
        Some(row) => {
            let detail = format!("In row {row}: {}", one.detail);
            Cow::Owned(diagnostic::Diagnostic { detail, ..one.clone() })
        }
    }
}

/// A text as HTML that keeps its lines.
pub(crate) fn html_block(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<pre>{text}</pre>")
}

/// The diagnostics as objects of Python.
pub(crate) fn objects(py: Python<'_>, diagnostics: &Diagnostics) -> PyResult<Vec<Py<Diagnostic>>> {
    diagnostics.iter().map(|one| Py::new(py, Diagnostic::from(one))).collect()
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
        let all: Diagnostics = diagnostics.iter().map(|one| shown(&of_python(one)).into_owned()).collect();
        render_all(&all, &RenderOptions::default(), &mut text);
        let text = text.trim_end().to_owned();
        Ok(PyErr::from_value(class.bind(py).call1((text, objects(py, &diagnostics)?))?))
    };
    made().unwrap_or_else(|error| error)
}

/// The result, unless there are errors among the diagnostics.
pub(crate) fn checked<T>(py: Python<'_>, result: T, diagnostics: Diagnostics) -> PyResult<T> {
    if has_errors(&diagnostics) { Err(error(py, diagnostics)) } else { Ok(result) }
}

/// Bytes of a text as a `str`; an error at the first one that is no UTF-8. They begin at `start` in the source.
pub(crate) fn utf8(py: Python<'_>, source: &Source, start: u32, bytes: Vec<u8>) -> PyResult<String> {
    String::from_utf8(bytes).map_err(|wrong| {
        let at = start + u32::try_from(wrong.utf8_error().valid_up_to()).unwrap_or_default();
        let detail = "This byte is no part of valid UTF-8 text, which a str is.".to_owned();
        let found =
            diagnostic::Diagnostic::error("lex.invalid_encoding", "Invalid character encoding", detail);
        error(py, vec![found.at(source, Span::new(at, at + 1))])
    })
}

/// The error of a text that is too long.
pub(crate) fn too_large(py: Python<'_>, found: source::SourceTooLarge) -> PyErr {
    error(py, diagnostic::Error::from(found))
}
