//! Texts for `decode`: their parts with places, evaluated one by one and only when they are asked for.
//!
//! The annotations of a class decide what becomes of a part, so that a field may keep the source of an expression whose
//! names have no values.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::limits::Limits;
use hcl_eval::value::Number;
use hcl_syntax::ast::{Body, ExprId, Expression, ExpressionKind, variables};
use hcl_syntax::diagnostic::{Diagnostic, suggest};
use hcl_syntax::json::{JsonKind, JsonValue};
use hcl_syntax::source::{Source, Span};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::arguments;
use crate::document::Document;
use crate::error::{checked, error};
use crate::evaluate::builder;
use crate::function::{functions_of, raising, variables_of};
use crate::reading::{Item, Style, Text, expression_object, is_json, items, key_of, plain, read};
use crate::text::bytes_of;
use crate::value::{Numbers, number_to_python, to_python};
use crate::work::{Bounds, evaluating};

/// Where something begins and ends in the text.
type Place = (u32, u32);

fn place(span: Span) -> Place {
    (span.start, span.end)
}

/// A text that is decoded, and how its expressions are evaluated.
struct Inner {
    text: Text,
    scope: Arc<Scope>,
    /// True if names have values or functions are given, so that nothing is left as an expression.
    is_evaluated: bool,
    style: Style,
    /// The steps that are left for all expressions together.
    steps: AtomicU64,
    calls_python: bool,
}

impl Inner {
    fn source(&self) -> &Source {
        match &self.text {
            Text::Native(file) => file.source(),
            Text::Json(file) => file.source(),
        }
    }
}

/// A text that `decode` reads.
#[pyclass(frozen, module = "libhcl._libhcl")]
pub(crate) struct Reader {
    inner: Arc<Inner>,
}

#[pymethods]
impl Reader {
    #[new]
    #[pyo3(signature = (text, *, filename=String::from("<text>"), syntax=None, variables=None, functions=None, dialect=None,
        timeout=None, max_steps=None, numbers=None),
        text_signature = "(text, *, filename='<text>', syntax=None, variables=None, functions=None, \
            dialect='terraform', timeout=None, max_steps=None, numbers='float')")]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::filename)] filename: String,
        #[pyo3(from_py_with = arguments::syntax)] syntax: Option<String>,
        variables: Option<&Bound<'_, PyAny>>,
        functions: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::dialect)] dialect: Option<String>,
        #[pyo3(from_py_with = arguments::timeout)] timeout: Option<f64>,
        #[pyo3(from_py_with = arguments::max_steps)] max_steps: Option<u64>,
        #[pyo3(from_py_with = arguments::numbers)] numbers: Option<String>,
    ) -> PyResult<Self> {
        let bounds = Bounds::new(timeout, max_steps)?;
        let mut style = Style::from_names(numbers.as_deref(), None, None)?;
        style.limits = bounds.start();
        let functions = functions_of(functions)?;
        let text = match text.cast::<Document>() {
            Ok(document) => document.get().as_read(),
            Err(_) => {
                let json = is_json(syntax.as_deref(), &filename)?;
                read(py, bytes_of(text, "text")?, &filename, json, &bounds)?.0
            }
        };
        let mut scope = builder(dialect.as_deref(), &functions)?;
        for (name, value) in variables_of(variables, None, style.within())? {
            scope = scope.variable(&name, value);
        }
        let inner = Inner {
            text,
            scope: scope.build(),
            is_evaluated: variables.is_some() || !functions.is_empty(),
            steps: AtomicU64::new(style.limits.max_steps),
            style,
            calls_python: !functions.is_empty(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// True if numbers are given exactly, as `Decimal`.
    #[getter]
    fn is_exact(&self) -> bool {
        self.inner.style.numbers == Numbers::Decimal
    }

    /// The content of the text: a list of attributes, `(name, place, node)`, and blocks, `(type, place, labels, content)`, where
    /// a label is `(text, place)`; in JSON syntax one node.
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.inner.text {
            Text::Native(file) => body(py, &self.inner, file.body()),
            Text::Json(file) => Ok(json_node(py, &self.inner, file.root())?.into_bound(py).into_any()),
        }
    }

    /// The error about a place.
    #[pyo3(signature = (kind, place, detail, /))]
    fn complaint(&self, py: Python<'_>, kind: &str, place: Place, detail: String) -> Py<PyAny> {
        let (code, summary) = match kind {
            "missing" => ("serde.missing", "Missing value"),
            "unexpected" => ("serde.unsupported_argument", "Unexpected name"),
            _ => ("serde.unsuitable_value", "Unsuitable value"),
        };
        let (start, end) = place;
        let wrong = Diagnostic::error(code, summary, detail).at(self.inner.source(), Span::new(start, end));
        error(py, vec![wrong]).into_value(py).into_any()
    }

    /// The nearest of some names, if one is near.
    #[staticmethod]
    #[pyo3(signature = (name, names, /))]
    fn nearest(name: &str, names: Vec<String>) -> Option<String> {
        suggest::nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
    }
}

fn body<'py>(py: Python<'py>, inner: &Arc<Inner>, of: Body<'_>) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::empty(py);
    for (_, item) in items(of) {
        match item {
            Item::Attribute(attribute) => {
                let node = Node::native(inner, attribute.expression());
                list.append((attribute.name(), place(attribute.span()), Py::new(py, node)?))?;
            }
            Item::Block(block) => {
                let labels: Vec<_> = block.labels().map(|one| (one.text(), place(one.span()))).collect();
                let content = stacker::maybe_grow(64 << 10, 1 << 20, || body(py, inner, block.body()))?;
                list.append((block.block_type(), place(block.definition_span()), labels, content))?;
            }
        }
    }
    Ok(list.into_any())
}

enum What {
    Native(ExprId),
    Json {
        /// The value, as `loads` gives it.
        value: Py<PyAny>,
        /// The exact number, if it is one.
        exact: Option<Py<PyAny>>,
        elements: Option<Vec<Py<Node>>>,
        entries: Option<Vec<Entry>>,
    },
}

/// A name with its place and its value.
type Entry = (String, Place, Py<Node>);

/// An expression, or a value of JSON.
#[pyclass(frozen, module = "libhcl._libhcl")]
pub(crate) struct Node {
    inner: Arc<Inner>,
    #[pyo3(get)]
    place: Place,
    what: What,
}

impl Node {
    fn native(inner: &Arc<Inner>, expression: Expression<'_>) -> Self {
        let what = What::Native(expression.id());
        Self { inner: Arc::clone(inner), place: place(expression.span()), what }
    }

    /// The expression; none in JSON syntax.
    fn expression(&self) -> Option<Expression<'_>> {
        match (&self.what, &self.inner.text) {
            (What::Native(id), Text::Native(file)) => Some(file.tree().expression(*id)),
            _ => None,
        }
    }
}

#[pymethods]
impl Node {
    /// True for a value of JSON.
    #[getter]
    fn is_json(&self) -> bool {
        matches!(self.what, What::Json { .. })
    }

    /// The elements, if they are written out.
    fn elements(&self, py: Python<'_>) -> PyResult<Option<Vec<Py<Self>>>> {
        if let What::Json { elements, .. } = &self.what {
            let elements = elements.as_ref();
            return Ok(elements.map(|all| all.iter().map(|one| one.clone_ref(py)).collect()));
        }
        let Some(ExpressionKind::Tuple(elements)) = self.expression().map(Expression::kind) else {
            return Ok(None);
        };
        elements
            .iter()
            .map(|one| Py::new(py, Self::native(&self.inner, one)))
            .collect::<PyResult<_>>()
            .map(Some)
    }

    /// The names of an object with their places and values, if they are written out.
    fn entries(&self, py: Python<'_>) -> PyResult<Option<Vec<Entry>>> {
        if let What::Json { entries, .. } = &self.what {
            let all = entries.iter().flatten();
            let all = all.map(|(name, at, node)| (name.clone(), *at, node.clone_ref(py)));
            return Ok(entries.is_some().then(|| all.collect()));
        }
        let Some(ExpressionKind::Object(items)) = self.expression().map(Expression::kind) else {
            return Ok(None);
        };
        let mut entries = Vec::new();
        for item in items.iter() {
            let Some(key) = key_of(item) else { return Ok(None) };
            let at = (item.key.span().start, item.value.span().end);
            entries.push((key, at, Py::new(py, Self::native(&self.inner, item.value))?));
        }
        Ok(Some(entries))
    }

    /// The source, as an `Expression`.
    fn source<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (start, end) = self.place;
        expression_object(py, self.inner.source(), Span::new(start, end))
    }

    /// The value as `loads` gives it.
    fn loaded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match (&self.what, self.expression()) {
            (What::Json { value, .. }, _) => Ok(value.bind(py).clone()),
            (_, Some(expression)) if self.inner.is_evaluated => {
                self.evaluated(py, expression, self.inner.style.numbers)
            }
            (_, Some(expression)) => plain(py, expression, &self.inner.style),
            _ => Ok(py.None().into_bound(py)),
        }
    }

    /// The value with exact numbers; an `Expression` if it needs names, and none are given.
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match (&self.what, self.expression()) {
            (What::Json { value, exact, .. }, _) => Ok(exact.as_ref().unwrap_or(value).bind(py).clone()),
            (_, Some(expression)) => match expression.kind() {
                ExpressionKind::Null | ExpressionKind::Bool(_) | ExpressionKind::Text(_) => self.loaded(py),
                ExpressionKind::Number(digits) if let Some(number) = Number::parse_literal(digits) => {
                    number_to_python(py, &number, Numbers::Decimal, self.inner.style.within())
                }
                _ if !self.inner.is_evaluated && !variables(expression).is_empty() => self.source(py),
                _ => self.evaluated(py, expression, Numbers::Decimal),
            },
            _ => Ok(py.None().into_bound(py)),
        }
    }
}

impl Node {
    fn evaluated<'py>(
        &self,
        py: Python<'py>,
        expression: Expression<'_>,
        numbers: Numbers,
    ) -> PyResult<Bound<'py, PyAny>> {
        let inner = &self.inner;
        let limits = Limits { max_steps: inner.steps.load(Ordering::Relaxed), ..inner.style.limits.clone() };
        let run = |limits: &Limits| {
            let options = EvalOptions { limits: limits.clone(), ..EvalOptions::default() };
            let mut evaluation = Evaluation::new(&options);
            let (value, diagnostics) = evaluation.evaluate_syntax(expression, Some(&inner.scope));
            ((value, evaluation.usage().steps), diagnostics)
        };
        let ((value, used), diagnostics) = raising(|| evaluating(py, &limits, inner.calls_python, run))?;
        inner.steps.store(limits.max_steps.saturating_sub(used), Ordering::Relaxed);
        to_python(py, &checked(py, value, diagnostics)?, numbers, inner.style.within())
    }
}

/// A value of JSON with all its parts. Strings are as they are written, templates too.
fn json_node(py: Python<'_>, inner: &Arc<Inner>, of: JsonValue<'_>) -> PyResult<Py<Node>> {
    let (mut elements, mut entries, mut exact) = (None, None, None);
    let value = match of.kind() {
        JsonKind::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        JsonKind::String(text) => PyString::new(py, text).into_any(),
        JsonKind::Number(digits) => match Number::parse(digits) {
            Some(number) => {
                exact = Some(number_to_python(py, &number, Numbers::Decimal, inner.style.within())?.unbind());
                number_to_python(py, &number, inner.style.numbers, inner.style.within())?
            }
            None => PyString::new(py, digits).into_any(),
        },
        JsonKind::Array => {
            let list = PyList::empty(py);
            let all = elements.insert(Vec::new());
            for element in of.elements() {
                let node = stacker::maybe_grow(64 << 10, 1 << 20, || json_node(py, inner, element))?;
                list.append(node.get().loaded(py)?)?;
                all.push(node);
            }
            list.into_any()
        }
        JsonKind::Object => {
            let dict = PyDict::new(py);
            let all = entries.insert(Vec::new());
            for property in of.properties() {
                let node = stacker::maybe_grow(64 << 10, 1 << 20, || json_node(py, inner, property.value()))?;
                dict.set_item(property.name(), node.get().loaded(py)?)?;
                let at = (property.name_span().start, property.value().span().end);
                all.push((property.name().to_owned(), at, node));
            }
            dict.into_any()
        }
        // The parser has refused what is no value.
        _ => py.None().into_bound(py),
    };
    let what = What::Json { value: value.unbind(), exact, elements, entries };
    Py::new(py, Node { inner: Arc::clone(inner), place: place(of.span()), what })
}
