//! `Document`: a text that is read and edited in place, comments kept.

use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::edit::{self, Address, Found, Reach};
use hcl_syntax::json::JsonFile;
use hcl_syntax::parser::ParseLimits;
use hcl_syntax::source::Span;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::{Range, error};
use crate::reading::{Given, Style, Text, as_text, body, is_json, json_value, plain, read};
use crate::text::bytes_of;
use crate::value::Numbers;
use crate::work::Bounds;
use crate::writing::write_value;

enum Inner {
    Native(edit::Document),
    Json(JsonFile),
}

/// Document(text, *, filename='<text>', syntax=None, timeout=None)
/// --
///
/// A text of HCL that is read and edited. Paths are those of the command `hcl get`: `service.web.port`,
/// `ingress[1].tags["x.y"]`, `*` for any label.
///
/// >>> from libhcl import parse
/// >>> doc = parse('service "web" {\n  port = 80 # usual\n}\n')
/// >>> doc.get("service.web.port")
/// 80
/// >>> doc.set("service.web.port", 8080)
/// >>> print(doc.text, end="")
/// service "web" {
///   port = 8080 # usual
/// }
#[pyclass(module = "libhcl")]
pub(crate) struct Document {
    inner: Inner,
    filename: String,
}

impl Document {
    fn native(&self) -> PyResult<&edit::Document> {
        match &self.inner {
            Inner::Native(document) => Ok(document),
            Inner::Json(_) => Err(not_native()),
        }
    }

    fn native_mut(&mut self) -> PyResult<&mut edit::Document> {
        match &mut self.inner {
            Inner::Native(document) => Ok(document),
            Inner::Json(_) => Err(not_native()),
        }
    }
}

fn not_native() -> PyErr {
    PyTypeError::new_err("paths and edits are of native syntax, and this document is JSON")
}

fn address(py: Python<'_>, path: &str) -> PyResult<Address> {
    path.parse().map_err(|wrong| error(py, wrong))
}

fn reach(all: bool) -> Reach {
    if all { Reach::All } else { Reach::One }
}

fn utf8(bytes: &[u8]) -> PyResult<String> {
    String::from_utf8(bytes.to_vec())
        .map_err(|_| PyValueError::new_err("the text has bytes that are no UTF-8"))
}

#[pymethods]
impl Document {
    #[new]
    #[pyo3(signature = (text, *, filename="<text>", syntax=None, timeout=None))]
    fn new(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        filename: &str,
        syntax: Option<&str>,
        timeout: Option<f64>,
    ) -> PyResult<Self> {
        let bytes = bytes_of(text, "text")?;
        let bounds = Bounds::new(timeout, None)?;
        let filename = filename.to_owned();
        if is_json(syntax, &filename)? {
            let (Text::Json(file), _) = read(py, bytes, &filename, true, &bounds)? else {
                return Err(PyValueError::new_err("the text is no JSON"));
            };
            return Ok(Self { inner: Inner::Json(file), filename });
        }
        let limits = ParseLimits { deadline: bounds.start().deadline, ..ParseLimits::default() };
        let document = py.detach(|| edit::Document::parse_with(&filename, bytes, &limits));
        match document {
            Ok(document) => Ok(Self { inner: Inner::Native(document), filename }),
            Err(diagnostics) => Err(error(py, diagnostics)),
        }
    }

    /// The name of the text.
    #[getter]
    fn filename(&self) -> &str {
        &self.filename
    }

    /// The text as it is now.
    #[getter]
    fn text(&self) -> PyResult<String> {
        match &self.inner {
            Inner::Native(document) => utf8(document.bytes()),
            Inner::Json(file) => Ok(file.source().text().to_owned()),
        }
    }

    fn __str__(&self) -> PyResult<String> {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<Document {:?}>", self.filename)
    }

    /// to_dict($self, *, numbers='float', expressions='object')
    /// --
    ///
    /// The content as `loads` gives it.
    #[pyo3(signature = (*, numbers=None, expressions=None))]
    fn to_dict<'py>(
        &self,
        py: Python<'py>,
        numbers: Option<&str>,
        expressions: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let numbers = Numbers::from_name(numbers)?;
        let style =
            Style { numbers, as_text: as_text(expressions)?, limits: Bounds::new(None, None)?.start() };
        match &self.inner {
            Inner::Native(document) => body(py, document.file().body(), &style, &mut Given::Nothing),
            Inner::Json(file) => json_value(py, file.root(), numbers),
        }
    }

    /// get($self, path, *, numbers='float')
    /// --
    ///
    /// The value that a path names; a dict if it names a block.
    #[pyo3(signature = (path, *, numbers=None))]
    fn get<'py>(&self, py: Python<'py>, path: &str, numbers: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.one(py, path)?;
        let limits = Bounds::new(None, None)?.start();
        let style = Style { numbers: Numbers::from_name(numbers)?, as_text: false, limits };
        match (found, found.value()) {
            (_, Some(value)) => plain(py, value, &style),
            (Found::Block(block), None) => body(py, block.body(), &style, &mut Given::Nothing),
            _ => Ok(py.None().into_bound(py)),
        }
    }

    /// source_of($self, path)
    /// --
    ///
    /// The source of the value, or of the block, that a path names.
    fn source_of(&self, py: Python<'_>, path: &str) -> PyResult<String> {
        utf8(&self.native()?.source_of(self.one(py, path)?))
    }

    /// range_of($self, path)
    /// --
    ///
    /// The place of what a path names, name and value.
    ///
    /// >>> from libhcl import parse
    /// >>> parse("a = 1\nb = 2\n").range_of("b")
    /// Range("<text>", 2:1 to 2:6)
    fn range_of(&self, py: Python<'_>, path: &str) -> PyResult<Range> {
        let span = self.one(py, path)?.span();
        Ok(Range::from(&self.native()?.file().source().range(span)))
    }

    /// ranges_of($self, path)
    /// --
    ///
    /// The places of everything that a path names.
    fn ranges_of(&self, py: Python<'_>, path: &str) -> PyResult<Vec<Range>> {
        let document = self.native()?;
        let found = document.find(&address(py, path)?);
        Ok(found.into_iter().map(|one| Range::from(&document.file().source().range(one.span()))).collect())
    }

    /// set($self, path, value, *, create=False, all=False)
    /// --
    ///
    /// Sets an attribute to a value, or to an `Expression`. `create` makes blocks that are missing, `all` sets
    /// everything that the path names.
    #[pyo3(signature = (path, value, *, create=false, all=false))]
    fn set(
        &mut self,
        py: Python<'_>,
        path: &str,
        value: &Bound<'_, PyAny>,
        create: bool,
        all: bool,
    ) -> PyResult<()> {
        crate::value::from_python(value, "value")?;
        let mut text = String::new();
        write_value(value, &mut text)?;
        let address = address(py, path)?;
        let document = self.native_mut()?;
        let done = if create {
            document.set_creating(&address, &text, reach(all))
        } else {
            document.set(&address, &text, reach(all))
        };
        done.map_err(|diagnostics| error(py, diagnostics))
    }

    /// remove($self, path, *, all=False)
    /// --
    ///
    /// Removes what a path names, with the comments that belong to it; gives how many places that were.
    #[pyo3(signature = (path, *, all=false))]
    fn remove(&mut self, py: Python<'_>, path: &str, all: bool) -> PyResult<usize> {
        let address = address(py, path)?;
        self.native_mut()?.remove(&address, reach(all)).map_err(|diagnostics| error(py, diagnostics))
    }

    /// append($self, text, path=None)
    /// --
    ///
    /// Adds attributes and blocks, written out, at the end of the document or of the block that a path names.
    #[pyo3(signature = (text, path=None))]
    fn append(&mut self, py: Python<'_>, text: &Bound<'_, PyString>, path: Option<&str>) -> PyResult<()> {
        let container = path.map(|path| address(py, path)).transpose()?;
        let text = text.to_cow()?;
        let done = self.native_mut()?.append(container.as_ref(), &text);
        done.map_err(|diagnostics| error(py, diagnostics))
    }

    /// rename($self, path, name, *, all=False)
    /// --
    ///
    /// Gives attributes another name, or blocks another type.
    #[pyo3(signature = (path, name, *, all=false))]
    fn rename(&mut self, py: Python<'_>, path: &str, name: &str, all: bool) -> PyResult<()> {
        let address = address(py, path)?;
        self.native_mut()?.rename(&address, name, reach(all)).map_err(|diagnostics| error(py, diagnostics))
    }

    /// relabel($self, path, labels, *, all=False)
    /// --
    ///
    /// Gives blocks other labels.
    #[pyo3(signature = (path, labels, *, all=false))]
    fn relabel(&mut self, py: Python<'_>, path: &str, labels: Vec<String>, all: bool) -> PyResult<()> {
        let address = address(py, path)?;
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        self.native_mut()?
            .relabel(&address, &labels, reach(all))
            .map_err(|diagnostics| error(py, diagnostics))
    }
}

impl Document {
    /// The one thing that a path names.
    fn one(&self, py: Python<'_>, path: &str) -> PyResult<Found<'_>> {
        let found =
            self.native()?.find_some(&address(py, path)?).map_err(|diagnostics| error(py, diagnostics))?;
        match found[..] {
            [one] => Ok(one),
            _ => Err(PyValueError::new_err(format!(
                "{path:?} names {} places; add [0] or another index",
                found.len()
            ))),
        }
    }
}

/// complaint(document, kind, range, detail, /)
/// --
///
/// The error of a decoder about a place of a document.
#[pyfunction]
#[pyo3(signature = (document, kind, range, detail, /))]
pub(crate) fn complaint(
    py: Python<'_>,
    document: &Document,
    kind: &str,
    range: Option<&Range>,
    detail: String,
) -> Py<PyAny> {
    let (code, summary) = match kind {
        "missing" => ("serde.missing", "Missing value"),
        "unexpected" => ("serde.unsupported_argument", "Unexpected name"),
        _ => ("serde.unsuitable_value", "Unsuitable value"),
    };
    let mut wrong = Diagnostic::error(code, summary, detail);
    if let Some((start, end)) = range.map(Range::bytes) {
        let source = match &document.inner {
            Inner::Native(document) => document.file().source(),
            Inner::Json(file) => file.source(),
        };
        wrong = wrong.at(source, Span::new(start, end));
    }
    error(py, vec![wrong]).into_value(py).into_any()
}
