//! `loads`: a text as plain dicts and lists.
//!
//! Attributes are entries of a dict. Blocks of a type are a list under the type; each is a `Block`, a dict, within a dict
//! for each label; or they stand under type and labels. Values that need no names are values; others are `Expression`s, or
//! their values if `variables` or `functions` are given.

use std::borrow::Cow;
use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::limits::Limits;
use hcl_eval::value::Number;
use hcl_syntax::ast::{Attribute, Block, Body, Expression, ExpressionKind, ObjectItem, Visit, Walk};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::json::{JsonFile, JsonKind, JsonValue, parse_json};
use hcl_syntax::parser::{File, ParseLimits, parse_file};
use hcl_syntax::source::{Source, Span};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyList, PyString};

use crate::arguments::{self, is_second};
use crate::error::{Range, checked, error, too_large};
use crate::evaluate::builder;
use crate::function::{functions_of, raising, variables_of};
use crate::text::bytes_of;
use crate::value::{Numbers, Within, number_to_python, to_python};
use crate::work::{Bounds, evaluating};

/// A text that has been read.
#[derive(Clone)]
pub(crate) enum Text {
    Native(File),
    Json(JsonFile),
}

/// Which syntax a text is in: as `syntax` says, or as the name says, `.json` for JSON.
pub(crate) fn is_json(syntax: Option<&str>, filename: &str) -> PyResult<bool> {
    match syntax {
        None => Ok(filename.ends_with(".json")),
        Some("hcl") => Ok(false),
        Some("json") => Ok(true),
        Some(other) => Err(PyValueError::new_err(format!("syntax is \"hcl\" or \"json\", not {other:?}"))),
    }
}

/// Reads a text.
pub(crate) fn read(
    py: Python<'_>,
    bytes: Vec<u8>,
    filename: &str,
    json: bool,
    bounds: &Bounds,
) -> PyResult<(Text, Diagnostics)> {
    let limits = ParseLimits { deadline: bounds.start().deadline, ..ParseLimits::default() };
    let read = py.detach(|| {
        Ok(if json {
            let (file, diagnostics) = parse_json(Source::json(filename, bytes)?, &limits);
            (Text::Json(file), diagnostics)
        } else {
            let (file, diagnostics) = parse_file(Source::new(filename, bytes)?, &limits);
            (Text::Native(file), diagnostics)
        })
    });
    let (text, diagnostics) = read.map_err(|error| too_large(py, error))?;
    Ok((checked(py, text, diagnostics)?, Vec::new()))
}

/// A text of HCL as plain Python. Values that need no names, nor functions, are values, others `Expression`s; with `variables`
/// or `functions` (`{}` will do) all are evaluated.
///
/// `syntax` is "hcl" or "json"; without it the `filename` says, by `.json`. `numbers` says what numbers are that are no
/// integers: "float" or "decimal". `expressions` are an "object", `Expression`, or a "text" as `${name}`. `blocks` stand in
/// "lists" of dicts for each label, or under their "labels". The other options are those of `evaluate`.
///
/// >>> from libhcl import loads
/// >>> loads('port = 80\nserver "a" {\n  size = 2 * 3\n  host = var.host\n}\n')
/// {'port': 80, 'server': [{'a': {'size': 6, 'host': Expression('var.host')}}]}
/// >>> loads('host = "${name}.example"', variables={"name": "a"})
/// {'host': 'a.example'}
/// >>> loads('server "a" {\n  size = 6\n}\nserver "b" {}\n', blocks="labels")
/// {'server': {'a': {'size': 6}, 'b': {}}}
#[pyfunction]
#[pyo3(signature = (text, *, filename=String::from("<text>"), syntax=None, variables=None, functions=None, dialect=None,
    timeout=None, max_steps=None, numbers=None, expressions=None, blocks=None),
    text_signature = "(text, *, filename='<text>', syntax=None, variables=None, functions=None, \
        dialect='terraform', timeout=None, max_steps=None, numbers='float', \
        expressions='object', blocks='lists')")]
#[allow(clippy::too_many_arguments, reason = "they are keyword arguments of Python")]
pub(crate) fn loads<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = arguments::filename)] filename: String,
    #[pyo3(from_py_with = arguments::syntax)] syntax: Option<String>,
    variables: Option<&Bound<'py, PyAny>>,
    functions: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arguments::dialect)] dialect: Option<String>,
    #[pyo3(from_py_with = arguments::timeout)] timeout: Option<f64>,
    #[pyo3(from_py_with = arguments::max_steps)] max_steps: Option<u64>,
    #[pyo3(from_py_with = arguments::numbers)] numbers: Option<String>,
    #[pyo3(from_py_with = arguments::expressions)] expressions: Option<String>,
    #[pyo3(from_py_with = arguments::blocks)] blocks: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let bounds = Bounds::new(timeout, max_steps)?;
    let json = is_json(syntax.as_deref(), &filename)?;
    let functions = functions_of(functions)?;
    let is_evaluated = variables.is_some() || !functions.is_empty();
    let style = Style {
        limits: bounds.start(),
        ..Style::from_names(numbers.as_deref(), expressions.as_deref(), blocks.as_deref())?
    };
    let (text, _) = read(py, bytes_of(text, "text")?, &filename, json, &bounds)?;
    match text {
        Text::Json(file) => json_value(py, file.root(), &style),
        Text::Native(file) if is_evaluated => {
            let mut scope = builder(dialect.as_deref(), &functions)?;
            for (name, value) in variables_of(variables, None, style.within())? {
                scope = scope.variable(&name, value);
            }
            let scope = scope.build();
            let calls_python = !functions.is_empty();
            let values = raising(|| attribute_values(py, file.body(), &scope, &style.limits, calls_python))?;
            body(py, file.body(), &style, &mut Given::Values(values.into_iter()))
        }
        Text::Native(file) => body(py, file.body(), &style, &mut Given::Nothing),
    }
    .map(Bound::into_any)
}

/// How values are given to Python.
pub(crate) struct Style {
    pub(crate) numbers: Numbers,
    /// True if expressions are texts like `"${name}"`.
    as_text: bool,
    /// True if blocks stand under their labels, not in a list.
    by_label: bool,
    pub(crate) limits: Limits,
}

impl Style {
    /// The arguments `numbers`, `expressions` and `blocks`.
    pub(crate) fn from_names(
        numbers: Option<&str>,
        expressions: Option<&str>,
        blocks: Option<&str>,
    ) -> PyResult<Self> {
        let numbers = Numbers::from_name(numbers)?;
        let as_text = is_second(expressions, "expressions", ["object", "text"])?;
        let by_label = is_second(blocks, "blocks", ["lists", "labels"])?;
        Ok(Self { numbers, as_text, by_label, limits: Limits::default() })
    }

    pub(crate) fn within(&self) -> Within {
        Within::from(&self.limits)
    }
}

/// The values of attributes.
pub(crate) enum Given {
    /// Those of constants, found when they are met.
    Nothing,
    /// Those of all, in the order of [`expressions`].
    Values(std::vec::IntoIter<hcl_eval::Value>),
}

/// Something in a body.
pub(crate) enum Item<'t> {
    Attribute(Attribute<'t>),
    Block(Block<'t>),
}

/// The items of a body with their starts, in the order of the text.
pub(crate) fn items<'t>(body: Body<'t>) -> Vec<(u32, Item<'t>)> {
    let attributes = body.attributes().map(|one| (one.name_span().start, Item::Attribute(one)));
    let mut items: Vec<_> = attributes.collect();
    items.extend(body.blocks().map(|one| (one.type_span().start, Item::Block(one))));
    items.sort_by_key(|(start, _)| *start);
    items
}

/// The expressions of all attributes in a body and in the blocks in it, in the order of the text.
fn expressions<'t>(body: Body<'t>, found: &mut Vec<Expression<'t>>) {
    for (_, item) in items(body) {
        match item {
            Item::Attribute(attribute) => found.push(attribute.expression()),
            Item::Block(block) => stacker::maybe_grow(64 << 10, 1 << 20, || expressions(block.body(), found)),
        }
    }
}

fn attribute_values(
    py: Python<'_>,
    body: Body<'_>,
    scope: &Arc<Scope>,
    limits: &Limits,
    calls_python: bool,
) -> PyResult<Vec<hcl_eval::Value>> {
    let mut found = Vec::new();
    expressions(body, &mut found);
    let run = |limits: &Limits| {
        let options = EvalOptions { limits: limits.clone(), ..EvalOptions::default() };
        let mut evaluation = Evaluation::new(&options);
        let mut diagnostics = Diagnostics::new();
        let values = found.iter().map(|expression| {
            let (value, more) = evaluation.evaluate_syntax(*expression, Some(scope));
            diagnostics.extend(more);
            value
        });
        (values.collect::<Vec<_>>(), diagnostics)
    };
    let (values, diagnostics) = evaluating(py, limits, calls_python, run)?;
    checked(py, values, diagnostics)
}

/// A class of the Python half, made once.
fn class<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyAny>>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let made = || Ok::<_, PyErr>(py.import("libhcl._values")?.getattr(name)?.unbind());
    Ok(cell.get_or_try_init(py, made)?.bind(py).clone())
}

/// A body as a dict.
pub(crate) fn body<'py>(
    py: Python<'py>,
    body_: Body<'_>,
    style: &Style,
    given: &mut Given,
) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    fill(py, &dict, body_, style, given)?;
    Ok(dict.into_any())
}

fn fill(
    py: Python<'_>,
    dict: &Bound<'_, PyAny>,
    body: Body<'_>,
    style: &Style,
    given: &mut Given,
) -> PyResult<()> {
    static BLOCK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    for (_, item) in items(body) {
        let block = match item {
            Item::Block(block) => block,
            Item::Attribute(attribute) => {
                let value = match given {
                    Given::Nothing => plain(py, attribute.expression(), style)?,
                    Given::Values(values) => match values.next() {
                        Some(value) => to_python(py, &value, style.numbers, style.within())?,
                        None => py.None().into_bound(py),
                    },
                };
                dict.set_item(attribute.name(), value)?;
                continue;
            }
        };
        let made = class(py, &BLOCK, "Block")?.call0()?;
        stacker::maybe_grow(64 << 10, 1 << 20, || fill(py, &made, block.body(), style, given))?;
        if let Some(clash) = body.attribute(block.block_type()) {
            let detail = format!(
                "An attribute is called \"{}\" too, so that the blocks have no place in a dict.",
                clash.name()
            );
            return Err(no_place(py, body, clash.name_span(), "Attribute and block of one name", detail));
        }
        if !style.by_label {
            listed(py, dict, block, made)?;
        } else if !placed(py, dict, block, made)? {
            let detail = format!(
                "Other blocks of type \"{}\" have another number of labels, so that they have no place in one dict.",
                block.block_type()
            );
            return Err(no_place(
                py,
                body,
                block.type_span(),
                "Blocks with different numbers of labels",
                detail,
            ));
        }
    }
    Ok(())
}

fn no_place(py: Python<'_>, body: Body<'_>, span: Span, summary: &'static str, detail: String) -> PyErr {
    error(
        py,
        vec![Diagnostic::error("serde.unsupported_block", summary, detail).at(body.tree().source(), span)],
    )
}

/// Adds a block to the list of its type, in a dict for each label.
fn listed(py: Python<'_>, dict: &Bound<'_, PyAny>, block: Block<'_>, made: Bound<'_, PyAny>) -> PyResult<()> {
    let mut nested = made;
    for label in block.labels().collect::<Vec<_>>().into_iter().rev() {
        let outer = PyDict::new(py);
        outer.set_item(label.text(), nested)?;
        nested = outer.into_any();
    }
    let name = block.block_type();
    if dict.contains(name)? {
        dict.get_item(name)?.cast::<PyList>()?.append(nested)
    } else {
        dict.set_item(name, PyList::new(py, [nested])?)
    }
}

/// Puts a block under its type and labels, where a list is of those with one name; false if other blocks are in the way.
fn placed(
    py: Python<'_>,
    dict: &Bound<'_, PyAny>,
    block: Block<'_>,
    made: Bound<'_, PyAny>,
) -> PyResult<bool> {
    let mut outer = dict.clone();
    let mut name = block.block_type().to_owned();
    for label in block.labels() {
        if !outer.contains(&name)? {
            outer.set_item(&name, PyDict::new(py))?;
        }
        outer = outer.get_item(&name)?;
        if !outer.is_exact_instance_of::<PyDict>() {
            return Ok(false);
        }
        name = label.text().to_owned();
    }
    if !outer.contains(&name)? {
        let is_labelled = block.labels().next().is_some();
        let value = if is_labelled { made } else { PyList::new(py, [made])?.into_any() };
        outer.set_item(name, value)?;
        return Ok(true);
    }
    let there = outer.get_item(&name)?;
    if let Ok(list) = there.cast::<PyList>() {
        list.append(made)?;
        return Ok(true);
    }
    if there.is_exact_instance_of::<PyDict>() {
        return Ok(false);
    }
    outer.set_item(name, PyList::new(py, [there, made])?)?;
    Ok(true)
}

/// Returns true for an expression that depends on nothing.
fn is_constant(expression: Expression<'_>) -> bool {
    Walk::new(expression).all(|visit| match visit {
        Visit::Expression(one) => !matches!(
            one.kind(),
            ExpressionKind::Traversal(_) | ExpressionKind::Call(_) | ExpressionKind::Invalid
        ),
        Visit::EnterFor(_) => false,
        _ => true,
    })
}

/// The source of an expression, as an `Expression` that knows its place.
pub(crate) fn expression_object<'py>(
    py: Python<'py>,
    source: &Source,
    span: Span,
) -> PyResult<Bound<'py, PyAny>> {
    static EXPRESSION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = class(py, &EXPRESSION, "Expression")?.call1((source.slice(span),))?;
    made.setattr("range", Range::from(&source.range(span)))?;
    Ok(made)
}

/// The name of an item of an object, if it is written out.
pub(crate) fn key_of(item: ObjectItem<'_>) -> Option<String> {
    match (item.key_name(), item.key.kind()) {
        (Some(name), _) => Some(normalised(name).into_owned()),
        (None, ExpressionKind::Text(text)) => Some(normalised(text).into_owned()),
        (None, ExpressionKind::Number(digits)) => {
            Some(Number::parse_literal(digits).map_or_else(|| digits.to_owned(), |number| number.to_text()))
        }
        _ => None,
    }
}

/// The value of an expression, as far as it needs no names.
pub(crate) fn plain<'py>(
    py: Python<'py>,
    expression: Expression<'_>,
    style: &Style,
) -> PyResult<Bound<'py, PyAny>> {
    let as_written = || {
        if style.as_text {
            return Ok(PyString::new(py, &dollar_text(expression)).into_any());
        }
        expression_object(py, expression.tree().source(), expression.span())
    };
    stacker::maybe_grow(64 << 10, 1 << 20, || match expression.kind() {
        ExpressionKind::Null => Ok(py.None().into_bound(py)),
        ExpressionKind::Bool(truth) => Ok(PyBool::new(py, truth).to_owned().into_any()),
        ExpressionKind::Text(text) => Ok(PyString::new(py, &normalised(text)).into_any()),
        ExpressionKind::Number(digits) => match Number::parse_literal(digits) {
            Some(number) => number_to_python(py, &number, style.numbers, style.within()),
            None => as_written(),
        },
        ExpressionKind::Tuple(elements) => {
            let list = PyList::empty(py);
            for element in elements.iter() {
                list.append(plain(py, element, style)?)?;
            }
            Ok(list.into_any())
        }
        ExpressionKind::Object(items) => {
            let dict = PyDict::new(py);
            for item in items.iter() {
                let Some(key) = key_of(item) else { return as_written() };
                dict.set_item(key, plain(py, item.value, style)?)?;
            }
            Ok(dict.into_any())
        }
        _ if is_constant(expression) => {
            let options = EvalOptions { limits: style.limits.clone(), ..EvalOptions::default() };
            let (value, diagnostics) = hcl_eval::eval::evaluate(expression, None, &options);
            if has_errors(&diagnostics) {
                return Err(error(py, diagnostics));
            }
            to_python(py, &value, style.numbers, style.within())
        }
        _ => as_written(),
    })
}

/// A text or a key as the language has it, in Unicode's form NFC.
fn normalised(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(hcl_eval::Value::string(text).as_str().unwrap_or(text).to_owned())
}

/// An expression as a text with `${…}`; a template in quotes is what stands in them.
fn dollar_text(expression: Expression<'_>) -> String {
    let source = expression.source_text();
    let quoted = matches!(expression.kind(), ExpressionKind::Template(_) | ExpressionKind::Interpolation(_));
    match source.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')) {
        Some(inner) if quoted => inner.to_owned(),
        _ => format!("${{{source}}}"),
    }
}

/// A value of JSON; strings are as they are written, templates too.
pub(crate) fn json_value<'py>(
    py: Python<'py>,
    value: JsonValue<'_>,
    style: &Style,
) -> PyResult<Bound<'py, PyAny>> {
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        Ok(match value.kind() {
            JsonKind::Null => py.None().into_bound(py),
            JsonKind::Bool(truth) => PyBool::new(py, truth).to_owned().into_any(),
            JsonKind::Number(digits) => match Number::parse(digits) {
                Some(number) => number_to_python(py, &number, style.numbers, style.within())?,
                None => PyString::new(py, digits).into_any(),
            },
            JsonKind::String(text) => PyString::new(py, text).into_any(),
            JsonKind::Array => {
                let list = PyList::empty(py);
                for element in value.elements() {
                    list.append(json_value(py, element, style)?)?;
                }
                list.into_any()
            }
            JsonKind::Object => {
                let dict = PyDict::new(py);
                for property in value.properties() {
                    dict.set_item(property.name(), json_value(py, property.value(), style)?)?;
                }
                dict.into_any()
            }
            // The parser has refused what is no value.
            _ => py.None().into_bound(py),
        })
    })
}
