//! `Document`: a text that is read and edited in place, comments kept.
//!
//! Threads may share a document. Readers take the text as it is at the moment and hold no lock while they make objects of
//! Python; an edit makes the next text.

use std::sync::{Arc, PoisonError, RwLock};

use hcl_syntax::diagnostic;
use hcl_syntax::edit::{
    self, Address, Destination, Found, FoundInJson, NewExpression, Reach, Side, find_in_json,
};
use hcl_syntax::json::JsonFile;
use hcl_syntax::parser::ParseLimits;
use hcl_syntax::source::{Source, Span};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments;
use crate::error::{Range, error, html_block, utf8};
use crate::reading::{Given, Style, Text, body, is_json, json_value, plain, read};
use crate::text::bytes_of;
use crate::value::{Within, from_python};
use crate::work::Bounds;
use crate::writing::{is_of, write_value};

#[derive(Clone)]
enum Inner {
    Native(edit::Document),
    Json(JsonFile),
}

/// Something that a path names.
#[derive(Copy, Clone)]
enum Thing<'t> {
    Native(Found<'t>),
    Json(FoundInJson<'t>),
}

impl Thing<'_> {
    fn span(self) -> Span {
        match self {
            Self::Native(found) => found.span(),
            Self::Json(found) => found.span(),
        }
    }
}

impl Inner {
    fn source(&self) -> &Source {
        match self {
            Self::Native(document) => document.file().source(),
            Self::Json(file) => file.source(),
        }
    }

    fn native(&self) -> PyResult<&edit::Document> {
        match self {
            Self::Native(document) => Ok(document),
            Self::Json(_) => Err(not_native()),
        }
    }

    /// Everything that a path names; an error if that is nothing.
    fn find(&self, py: Python<'_>, path: &str) -> PyResult<Vec<Thing<'_>>> {
        let address = address(py, path)?;
        let found = match self {
            Self::Native(document) => {
                document.find_some(&address).map(|all| all.into_iter().map(Thing::Native).collect())
            }
            Self::Json(file) => {
                find_in_json(file, &address).map(|all| all.into_iter().map(Thing::Json).collect())
            }
        };
        found.map_err(|diagnostics| error(py, diagnostics))
    }

    /// The one thing that a path names.
    fn one(&self, py: Python<'_>, path: &str) -> PyResult<Thing<'_>> {
        let found = self.find(py, path)?;
        match found[..] {
            [one] => Ok(one),
            _ => Err(PyValueError::new_err(format!(
                "{path:?} names {} places; add [0] or another index",
                found.len()
            ))),
        }
    }

    fn range(&self, thing: Thing<'_>) -> Range {
        Range::from(&self.source().range(thing.span()))
    }
}

/// A text of HCL that is read and edited. Paths are those of the command `hcl get`: `service.web.port`,
/// `ingress[1].tags["x.y"]`, `*` for any label. In JSON syntax a name stands for a property of an object, and of each
/// object in an array; such a text is read only. Threads may share a document.
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
#[pyclass(frozen, module = "libhcl")]
pub(crate) struct Document {
    inner: RwLock<Arc<Inner>>,
    filename: String,
}

impl Document {
    fn of(inner: Inner, filename: String) -> Self {
        Self { inner: RwLock::new(Arc::new(inner)), filename }
    }

    /// The text as it is now.
    fn now(&self) -> Arc<Inner> {
        Arc::clone(&self.inner.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The text as it is now, as `loads` reads it.
    pub(crate) fn as_read(&self) -> Text {
        match &*self.now() {
            Inner::Native(document) => Text::Native(document.file().clone()),
            Inner::Json(file) => Text::Json(file.clone()),
        }
    }

    /// Makes an edit; if it fails, the text stays as it was.
    fn edit<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut edit::Document) -> Result<T, diagnostic::Error> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| {
            let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
            match Arc::make_mut(&mut inner) {
                Inner::Native(document) => Some(change(document)),
                Inner::Json(_) => None,
            }
        });
        done.ok_or_else(not_native)?.map_err(|diagnostics| error(py, diagnostics))
    }
}

fn not_native() -> PyErr {
    PyTypeError::new_err("edits and lists of blocks are of native syntax, and this document is JSON")
}

fn address(py: Python<'_>, path: &str) -> PyResult<Address> {
    path.parse().map_err(|wrong| error(py, wrong))
}

fn reach(all: bool) -> Reach {
    if all { Reach::All } else { Reach::One }
}

#[pymethods]
impl Document {
    #[new]
    #[pyo3(signature = (text, *, filename=String::from("<text>"), syntax=None, timeout=None),
        text_signature = "(text, *, filename='<text>', syntax=None, timeout=None)")]
    fn new(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::filename)] filename: String,
        #[pyo3(from_py_with = arguments::syntax)] syntax: Option<String>,
        #[pyo3(from_py_with = arguments::timeout)] timeout: Option<f64>,
    ) -> PyResult<Self> {
        let bytes = bytes_of(text, "text")?;
        let bounds = Bounds::new(timeout, None)?;
        if is_json(syntax.as_deref(), &filename)? {
            let (Text::Json(file), _) = read(py, bytes, &filename, true, &bounds)? else {
                return Err(PyValueError::new_err("the text is no JSON"));
            };
            return Ok(Self::of(Inner::Json(file), filename));
        }
        let limits = ParseLimits { deadline: bounds.start().deadline, ..ParseLimits::default() };
        let document = py.detach(|| edit::Document::parse_with(&filename, bytes, &limits));
        match document {
            Ok(document) => Ok(Self::of(Inner::Native(document), filename)),
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
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        match &*self.now() {
            Inner::Native(document) => utf8(py, document.file().source(), 0, document.bytes().to_vec()),
            Inner::Json(file) => Ok(file.source().text().to_owned()),
        }
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }

    fn __repr__(&self) -> String {
        format!("<Document {:?}>", self.filename)
    }

    /// The text as HTML, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(html_block(&self.text(py)?))
    }

    /// The content as `loads` gives it, with the same options.
    #[pyo3(signature = (*, numbers=None, expressions=None, blocks=None),
        text_signature = "($self, *, numbers='float', expressions='object', blocks='lists')")]
    fn to_dict<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::numbers)] numbers: Option<String>,
        #[pyo3(from_py_with = arguments::expressions)] expressions: Option<String>,
        #[pyo3(from_py_with = arguments::blocks)] blocks: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let style = Style::from_names(numbers.as_deref(), expressions.as_deref(), blocks.as_deref())?;
        match &*self.now() {
            Inner::Native(document) => body(py, document.file().body(), &style, &mut Given::Nothing),
            Inner::Json(file) => json_value(py, file.root(), &style),
        }
    }

    /// The value that a path names; a dict if it names a block.
    #[pyo3(signature = (path, *, numbers=None),
        text_signature = "($self, path, *, numbers='float')")]
    fn get<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::path)] path: String,
        #[pyo3(from_py_with = arguments::numbers)] numbers: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let inner = self.now();
        let style = Style::from_names(numbers.as_deref(), None, None)?;
        let found = match inner.one(py, &path)? {
            Thing::Native(found) => found,
            Thing::Json(found) => return json_value(py, found.value(), &style),
        };
        match (found, found.value()) {
            (_, Some(value)) => plain(py, value, &style),
            (Found::Block(block), None) => body(py, block.body(), &style, &mut Given::Nothing),
            _ => Ok(py.None().into_bound(py)),
        }
    }

    /// The source of the value, or of the block, that a path names.
    fn source_of(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::path)] path: String,
    ) -> PyResult<String> {
        let inner = self.now();
        match inner.one(py, &path)? {
            Thing::Native(found) => {
                let document = inner.native()?;
                String::from_utf8(document.source_of(found)).or_else(|_| {
                    let start = found.value().map_or(found.span(), |value| value.span()).start;
                    utf8(py, inner.source(), start, document.bytes()[start as usize..].to_vec())
                })
            }
            Thing::Json(found) => Ok(inner.source().slice(found.value().span()).to_owned()),
        }
    }

    /// The place of what a path names, name and value.
    ///
    /// >>> from libhcl import parse
    /// >>> parse("a = 1\nb = 2\n").range_of("b")
    /// Range("<text>", 2:1 to 2:6)
    /// >>> parse('{"a": [1, 2]}', syntax="json").range_of("a[1]")
    /// Range("<text>", 1:11 to 1:12)
    fn range_of(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::path)] path: String,
    ) -> PyResult<Range> {
        let inner = self.now();
        Ok(inner.range(inner.one(py, &path)?))
    }

    /// The places of everything that a path names; none if it names nothing.
    fn ranges_of(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::path)] path: String,
    ) -> PyResult<Vec<Range>> {
        let inner = self.now();
        let address = address(py, &path)?;
        Ok(match &*inner {
            Inner::Native(document) => {
                document.find(&address).into_iter().map(|one| inner.range(Thing::Native(one))).collect()
            }
            Inner::Json(file) => {
                let found = find_in_json(file, &address).unwrap_or_default();
                found.into_iter().map(|one| inner.range(Thing::Json(one))).collect()
            }
        })
    }

    /// The blocks of the document, or of the block that `path` names, in the order of the text; with `type` those of a type.
    /// Each has `type`, `labels`, `range` (that of the header) and the `path` that names it alone.
    ///
    /// >>> from libhcl import parse
    /// >>> doc = parse('server "web" {\n  port = 80\n}\nserver "db" {}\n')
    /// >>> for block in doc.blocks("server"):
    /// ...     print(block.labels, block.range.start_line, doc.get(block.path))
    /// ('web',) 1 {'port': 80}
    /// ('db',) 4 {}
    #[pyo3(signature = (r#type=None, path=None), text_signature = "($self, type=None, path=None)")]
    fn blocks<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::block_type)] r#type: Option<String>,
        #[pyo3(from_py_with = arguments::optional_path)] path: Option<String>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let inner = self.now();
        let container = path.map(|path| address(py, &path)).transpose()?;
        let listed =
            inner.native()?.list(container.as_ref()).map_err(|diagnostics| error(py, diagnostics))?;
        let class = py.import("libhcl._values")?.getattr("FoundBlock")?;
        let mut found = Vec::new();
        for (address, one) in &listed {
            let Found::Block(block) = one else { continue };
            if r#type.as_deref().is_none_or(|wanted| wanted == block.block_type()) {
                let labels = PyTuple::new(py, block.labels().map(|label| label.text()))?;
                let range = Range::from(&inner.source().range(block.definition_span()));
                found.push(class.call1((block.block_type(), labels, range, address.to_string()))?);
            }
        }
        Ok(found)
    }

    /// Sets an attribute to a value, or to an `Expression`. `create` makes blocks that are missing, `all` sets
    /// everything that the path names.
    #[pyo3(signature = (path, value, *, create=false, all=false),
        text_signature = "($self, path, value, *, create=False, all=False)")]
    fn set(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::path)] path: String,
        value: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::create)] create: bool,
        #[pyo3(from_py_with = arguments::all)] all: bool,
    ) -> PyResult<()> {
        from_python(value, "value", Within::default())?;
        let mut text = String::new();
        write_value(value, &mut text)?;
        // An expression stays as it is written.
        if !is_of(value, "Expression")? {
            text = NewExpression::parse(&text).map_err(|diagnostics| error(py, diagnostics))?.text();
        }
        let address = address(py, &path)?;
        self.edit(py, |document| match create {
            true => document.set_creating(&address, &text, reach(all)),
            false => document.set(&address, &text, reach(all)),
        })
    }

    /// Removes what a path names, with the comments that belong to it; gives how many places that were.
    #[pyo3(signature = (path, *, all=false),
        text_signature = "($self, path, *, all=False)")]
    fn remove(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::path)] path: String,
        #[pyo3(from_py_with = arguments::all)] all: bool,
    ) -> PyResult<usize> {
        let address = address(py, &path)?;
        self.edit(py, |document| document.remove(&address, reach(all)))
    }

    /// Adds attributes and blocks, written out, at the end of the document or of the block that a path names.
    #[pyo3(signature = (text, path=None),
        text_signature = "($self, text, path=None)")]
    fn append(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::text)] text: String,
        #[pyo3(from_py_with = arguments::optional_path)] path: Option<String>,
    ) -> PyResult<()> {
        let container = path.map(|path| address(py, &path)).transpose()?;
        self.edit(py, |document| document.append(container.as_ref(), &text))
    }

    /// Puts attributes and blocks, written out, behind or before the one that a path names.
    ///
    /// >>> from libhcl import parse
    /// >>> doc = parse("a = 1\nc = 3\n")
    /// >>> doc.insert("b = 2\n", "a")
    /// >>> doc.text
    /// 'a = 1\nb = 2\nc = 3\n'
    #[pyo3(signature = (text, path, *, before=false),
        text_signature = "($self, text, path, *, before=False)")]
    fn insert(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::text)] text: String,
        #[pyo3(from_py_with = arguments::path)] path: String,
        #[pyo3(from_py_with = arguments::before)] before: bool,
    ) -> PyResult<()> {
        let address = address(py, &path)?;
        let side = if before { Side::Before } else { Side::After };
        self.edit(py, |document| document.insert(&address, side, &text))
    }

    /// Moves one attribute or block, with the comments that belong to it, to the end of the block that `into` names, or of
    /// the document.
    #[pyo3(name = "move", signature = (path, into=None),
        text_signature = "($self, path, into=None)")]
    fn move_(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::path)] path: String,
        #[pyo3(from_py_with = arguments::into)] into: Option<String>,
    ) -> PyResult<()> {
        let from = address(py, &path)?;
        let into = into.map(|into| address(py, &into)).transpose()?;
        self.edit(py, |document| {
            document.move_item(&from, into.as_ref().map_or(Destination::Root, Destination::Into))
        })
    }

    /// Gives attributes another name, or blocks another type.
    #[pyo3(signature = (path, name, *, all=false),
        text_signature = "($self, path, name, *, all=False)")]
    fn rename(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::path)] path: String,
        #[pyo3(from_py_with = arguments::name)] name: String,
        #[pyo3(from_py_with = arguments::all)] all: bool,
    ) -> PyResult<()> {
        let address = address(py, &path)?;
        self.edit(py, |document| document.rename(&address, &name, reach(all)))
    }

    /// Gives blocks other labels.
    #[pyo3(signature = (path, labels, *, all=false),
        text_signature = "($self, path, labels, *, all=False)")]
    fn relabel(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::path)] path: String,
        #[pyo3(from_py_with = arguments::labels)] labels: Vec<String>,
        #[pyo3(from_py_with = arguments::all)] all: bool,
    ) -> PyResult<()> {
        let address = address(py, &path)?;
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        self.edit(py, |document| document.relabel(&address, &labels, reach(all)))
    }

    /// The comments of what a path names: those above it, and those behind it in its line.
    ///
    /// >>> from libhcl import parse
    /// >>> parse("# why\na = 1 // usual\n").comments("a")
    /// (['# why'], ['// usual'])
    fn comments(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::path)] path: String,
    ) -> PyResult<(Vec<String>, Vec<String>)> {
        let comments = self.now().native()?.comments(&address(py, &path)?);
        let comments = comments.map_err(|diagnostics| error(py, diagnostics))?;
        Ok((comments.lead, comments.line))
    }

    /// Replaces the comments above what a path names, or those behind it in its line; an empty text removes them.
    ///
    /// >>> from libhcl import parse
    /// >>> doc = parse("a = 1\n")
    /// >>> doc.set_comment("a", "why")
    /// >>> doc.text
    /// '# why\na = 1\n'
    #[pyo3(signature = (path, text, *, line=false, all=false),
        text_signature = "($self, path, text, *, line=False, all=False)")]
    fn set_comment(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::path)] path: String,
        #[pyo3(from_py_with = arguments::text)] text: String,
        #[pyo3(from_py_with = arguments::line)] line: bool,
        #[pyo3(from_py_with = arguments::all)] all: bool,
    ) -> PyResult<()> {
        let address = address(py, &path)?;
        self.edit(py, |document| match line {
            true => document.set_line_comment(&address, &text, reach(all)),
            false => document.set_lead_comment(&address, &text, reach(all)),
        })
    }

    /// Writes the whole document in canonical form.
    fn format(&self, py: Python<'_>) -> PyResult<()> {
        self.edit(py, edit::Document::format)
    }
}
