//! `evaluate`, and `compile` with the callable that it gives.

use std::path::PathBuf;
use std::sync::Arc;

use hcl_eval::Value;
use hcl_eval::columns::ColumnsOptions;
use hcl_eval::dialect::known;
use hcl_eval::eval::{EvalOptions, Frame, Scope, ScopeBuilder, evaluate as evaluate_once};
use hcl_eval::host::Host;
use hcl_eval::limits::Limits;
use hcl_eval::program;
use hcl_syntax::ast::variables;
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
use hcl_syntax::source::{Grammar, Source};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use crate::arguments::{self, is_second};
use crate::arrow::{Column, Table, wanted_of};
use crate::error::{Range, checked, error, too_large};
use crate::function::{Callable, Given, functions_of, raising, variables_of};
use crate::host::host_of;
use crate::text::bytes_of;
use crate::value::{Numbers, Within, items_of, to_python};
use crate::work::{Bounds, evaluating, once};
use crate::writing::{is_of, write_value};

/// The name of an expression's text in diagnostics.
const NAME: &str = "<expression>";

fn parsed(py: Python<'_>, text: &Bound<'_, PyAny>, limits: &Limits) -> PyResult<ParsedExpression> {
    let mut bytes = bytes_of(text, "expression")?;
    let mut place = py.None().into_bound(py);
    if is_of(text, "Expression")? {
        // One that was read from a text is compiled where it stands.
        place = text.getattr("range")?;
        // A heredoc ends with its line.
        bytes.push(b'\n');
    }
    let source = match place.cast::<Range>() {
        Ok(place) => {
            let (name, origin) = place.get().origin();
            Source::with_grammar(name, bytes, Grammar::Config, origin)
        }
        Err(_) => Source::new(NAME, bytes),
    };
    let source = source.map_err(|error| too_large(py, error))?;
    let limits = ParseLimits { deadline: limits.deadline, ..ParseLimits::default() };
    let (parsed, diagnostics) = py.detach(|| parse_expression(source, &limits));
    checked(py, parsed, diagnostics)
}

/// The source of what is compiled: of a text or an `Expression` that itself, of another value the value written out, as
/// `loads` gives values for expressions that need no names.
fn source_of<'py>(expression: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let is_constant = expression.is_none()
        || expression.is_instance_of::<PyInt>()
        || expression.is_instance_of::<PyFloat>()
        || expression.is_instance_of::<PyList>()
        || expression.is_instance_of::<PyDict>();
    if !is_constant {
        return Ok(expression.clone());
    }
    let mut text = String::new();
    write_value(expression, &mut text)?;
    Ok(PyString::new(expression.py(), &text).into_any())
}

/// A scope with the functions of a dialect and those of Python.
pub(crate) fn builder(dialect: Option<&str>, functions: &[Given]) -> PyResult<ScopeBuilder> {
    let dialect = dialect.unwrap_or("terraform");
    let Some(mut builder) = Scope::builder().variables_allowed().functions_allowed().dialect(dialect) else {
        return Err(PyValueError::new_err(format!(
            "there is no dialect {dialect:?}; there are {}",
            known(None)
        )));
    };
    for (function, _) in functions {
        builder = builder.function(Arc::clone(function));
    }
    Ok(builder)
}

/// The value of an expression. Names are keyword arguments, or those of a mapping; names that the expression does not use are
/// left alone.
///
/// `functions` is a dict of callables, whose annotations say what arguments are converted to. `dialect` has the functions of a
/// product, "terraform", "opentofu", "packer", "nomad" or "hcl", in its newest release or in another, as "terraform-1.11".
/// `files` is a folder, or several, below which functions may read; `allow` has what else they may ask for: "env", "clock",
/// "random". `timeout` (in seconds) and `max_steps` bound the evaluation; a function of Python that runs when the time is over
/// is waited for. `numbers` says what numbers are that are no integers: "float" or, exactly, "decimal".
///
/// >>> from libhcl import evaluate
/// >>> evaluate('upper("${name}: ${count + 1}")', name="x", count=2)
/// 'X: 3'
#[pyfunction]
#[pyo3(signature = (expression, variables=None, /, *, functions=None, dialect=None, files=None, allow=None,
    timeout=None, max_steps=None, numbers=None, **vars),
    text_signature = "(expression, variables=None, /, *, functions=None, dialect='terraform', files=None, \
        allow=None, timeout=None, max_steps=None, numbers='float', **vars)")]
#[allow(clippy::too_many_arguments, reason = "they are keyword arguments of Python")]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    expression: &Bound<'py, PyAny>,
    variables: Option<&Bound<'py, PyAny>>,
    functions: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arguments::dialect)] dialect: Option<String>,
    files: Option<&Bound<'py, PyAny>>,
    allow: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arguments::timeout)] timeout: Option<f64>,
    #[pyo3(from_py_with = arguments::max_steps)] max_steps: Option<u64>,
    #[pyo3(from_py_with = arguments::numbers)] numbers: Option<String>,
    vars: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let limits = Bounds::new(timeout, max_steps)?.start();
    let within = Within::from(&limits);
    let numbers = Numbers::from_name(numbers.as_deref())?;
    let host = host_of(files, allow)?;
    let functions = functions_of(functions)?;
    let mut scope = builder(dialect.as_deref(), &functions)?;
    for (name, value) in variables_of(variables, vars, within)? {
        scope = scope.variable(&name, value);
    }
    let scope = scope.build();
    let parsed = parsed(py, expression, &limits)?;
    let run = |limits: &Limits| {
        let options = EvalOptions { limits: limits.clone(), host: host.as_deref(), ..EvalOptions::default() };
        evaluate_once(parsed.expression(), Some(&scope), &options)
    };
    let (value, diagnostics) = raising(|| evaluating(py, &limits, !functions.is_empty(), run))?;
    to_python(py, &checked(py, value, diagnostics)?, numbers, within)
}

/// The argument `files` or `allow` as it stays: an iterator can be read once only, and a list may change.
fn settled<'py>(given: Option<&Bound<'py, PyAny>>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(given) = given else { return Ok(None) };
    match given.try_iter() {
        Ok(several) if given.extract::<PathBuf>().is_err() => {
            let several = several.collect::<PyResult<Vec<_>>>()?;
            Ok(Some(PyTuple::new(given.py(), several)?.into_any()))
        }
        _ => Ok(Some(given.clone())),
    }
}

/// An expression that is evaluated again and again; called with its names as keyword arguments, or with a mapping of them.
/// Threads may share it. A string is the source of the expression; another value, as `loads` gives it for an expression that
/// needs no names, is a constant. The options are those of `evaluate`.
///
/// >>> from libhcl import compile
/// >>> rule = compile('size > 10 && kind == "disk"')
/// >>> rule(size=20, kind="disk"), rule(size=5, kind="disk")
/// (True, False)
/// >>> rule.names
/// ('size', 'kind')
#[pyclass(frozen, module = "libhcl")]
pub(crate) struct Program {
    program: program::Program,
    scope: Arc<Scope>,
    names: Vec<(String, usize)>,
    host: Option<Arc<dyn Host>>,
    bounds: Bounds,
    numbers: Numbers,
    /// The functions of Python among those of the scope.
    callables: Vec<Arc<Callable>>,
    /// The expression and the options as they were given, for `pickle`.
    expression: Py<PyAny>,
    options: Py<PyDict>,
}

#[pymethods]
impl Program {
    #[new]
    #[pyo3(signature = (expression, /, *, functions=None, dialect=None, files=None, allow=None, timeout=None,
        max_steps=None, numbers=None),
        text_signature = "(expression, /, *, functions=None, dialect='terraform', files=None, allow=None, \
            timeout=None, max_steps=None, numbers='float')")]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        expression: &Bound<'_, PyAny>,
        functions: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::dialect)] dialect: Option<String>,
        files: Option<&Bound<'_, PyAny>>,
        allow: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::timeout)] timeout: Option<f64>,
        #[pyo3(from_py_with = arguments::max_steps)] max_steps: Option<u64>,
        #[pyo3(from_py_with = arguments::numbers)] numbers: Option<String>,
    ) -> PyResult<Self> {
        let (files, allow) = (settled(files)?, settled(allow)?);
        let (files, allow) = (files.as_ref(), allow.as_ref());
        let options = PyDict::new(py);
        let kept = functions.map(items_of).transpose()?.flatten();
        options.set_item("functions", kept.map(|items| items.into_py_dict(py)).transpose()?)?;
        options.set_item("dialect", dialect.as_deref())?;
        options.set_item("files", files)?;
        options.set_item("allow", allow)?;
        options.set_item("timeout", timeout)?;
        options.set_item("max_steps", max_steps)?;
        options.set_item("numbers", numbers.as_deref())?;
        let options = options.unbind();
        let bounds = Bounds::new(timeout, max_steps)?;
        let numbers = Numbers::from_name(numbers.as_deref())?;
        let host = host_of(files, allow)?;
        let functions = functions_of(functions)?;
        let expression = source_of(expression)?;
        let parsed = parsed(py, &expression, &bounds.start())?;
        let mut scope = builder(dialect.as_deref(), &functions)?;
        let mut names: Vec<(String, usize)> = Vec::new();
        for variable in variables(parsed.expression()) {
            if !names.iter().any(|(name, _)| name == variable.root()) {
                names.push((variable.root().to_owned(), scope.slot(variable.root())));
            }
        }
        let scope = scope.build();
        let id = parsed.expression().id();
        let tree = parsed.tree().clone();
        let for_program = Arc::clone(&scope);
        let (program, diagnostics) = py
            .detach(|| program::Program::compile(tree, id, for_program, &program::CompileOptions::default()));
        let program = checked(py, program, diagnostics)?;
        let callables = functions.into_iter().map(|(_, callable)| callable).collect();
        let expression = expression.unbind();
        Ok(Self { program, scope, names, host, bounds, numbers, callables, expression, options })
    }

    /// The value for names given as keyword arguments, in a mapping, or both.
    #[pyo3(signature = (variables=None, /, **vars))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        variables: Option<&Bound<'py, PyAny>>,
        vars: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = self.bounds.start();
        let within = Within::from(&limits);
        let values = self.values(variables, vars, within)?;
        let run = |limits: &Limits| self.program.evaluate(&mut self.frame(limits.clone(), &values));
        let (value, diagnostics) = raising(|| evaluating(py, &limits, self.calls_python(), run))?;
        to_python(py, &checked(py, value, diagnostics)?, self.numbers, within)
    }

    /// The value for each row of a table, as a column: of a table or record batch of pyarrow, a data frame of pandas or polars,
    /// or another object that lends columns by the Arrow PyCapsule protocol. Names are columns, or `a.b` fields of columns of
    /// structs; further ones are given as in a call. Cells are not copied.
    ///
    /// `type` is that of the answers: "bool", "int64" and the like, "float64", "string", "decimal(10,2)", or one of the language;
    /// without it, the type that the answers have. Dates and times are text, or with `dates="number"` the numbers that are
    /// stored. A row that fails is null, and among the `errors` of the answer; with `errors="raise"` the first one is raised.
    /// Diagnostics have the number of the row as `row`. A name that is neither a column nor given is an error before the first
    /// row; of one that is both, the column counts.
    #[pyo3(signature = (table, variables=None, /, *, r#type=None, dates=None, errors=None, **vars),
        text_signature = "($self, table, variables=None, /, *, type=None, dates='text', errors='null', **vars)")]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments of Python")]
    fn over(
        &self,
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        variables: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::result_type)] r#type: Option<String>,
        #[pyo3(from_py_with = arguments::dates)] dates: Option<String>,
        #[pyo3(from_py_with = arguments::errors)] errors: Option<String>,
        vars: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Column> {
        let (wanted, defaults) = r#type.map(|name| wanted_of(py, &name)).transpose()?.unwrap_or_default();
        let first_error_ends = is_second(errors.as_deref(), "errors", ["null", "raise"])?;
        let options = ColumnsOptions { wanted, defaults, first_error_ends, ..ColumnsOptions::default() };
        let moments_as_numbers = is_second(dates.as_deref(), "dates", ["text", "number"])?;
        let limits = self.bounds.start();
        let values = self.values(variables, vars, Within::from(&limits))?;
        let table = Table::of(table)?;
        let run = |limits: &Limits| {
            let mut frame = self.frame(limits.clone(), &values);
            table.evaluate(&self.program, &mut frame, &options, moments_as_numbers)
        };
        let done = raising(|| once(py, &limits, self.calls_python(), run))?;
        match done {
            Ok(answers) => Column::new(py, answers, self.numbers),
            Err(diagnostics) => Err(error(py, diagnostics)),
        }
    }

    /// The names that the expression uses, in the order of their first use.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.names.iter().map(|(name, _)| name))
    }

    /// The text of the expression.
    #[getter]
    fn source(&self) -> &str {
        self.program.expression().source_text()
    }

    fn __repr__(&self) -> String {
        format!("<Program {}>", self.source())
    }

    /// Shows what functions refer to, which may be the program. There is nothing to clear: a program is made after its functions,
    /// so that a cycle has something in it that was changed later, and that can be cleared.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.options)?;
        self.callables.iter().try_for_each(|callable| callable.traverse(&visit))
    }

    /// A program crosses to another process as its text and options, and is compiled there.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, of) = (slf.py(), slf.get());
        let new = py.import("copyreg")?.getattr("__newobj_ex__")?;
        let expression = of.expression.bind(py).clone();
        (new, (slf.get_type(), (expression,), of.options.bind(py).copy()?)).into_pyobject(py)
    }
}

impl Program {
    fn calls_python(&self) -> bool {
        !self.callables.is_empty()
    }

    /// The values of names, by the slots that they have.
    fn values(
        &self,
        variables: Option<&Bound<'_, PyAny>>,
        vars: Option<&Bound<'_, PyDict>>,
        within: Within,
    ) -> PyResult<Vec<(usize, Value)>> {
        let slot = |(name, value): (String, Value)| match self.names.iter().find(|(known, _)| *known == name)
        {
            Some((_, slot)) => Ok((*slot, value)),
            None => {
                let message = format!("the expression has no variable {name:?}; it has {}", self.list());
                Err(PyTypeError::new_err(message))
            }
        };
        variables_of(variables, vars, within)?.into_iter().map(slot).collect()
    }

    fn frame(&self, limits: Limits, values: &[(usize, Value)]) -> Frame {
        let mut frame = Frame::with_limits(&self.scope, limits);
        frame.set_host(self.host.clone());
        for (slot, value) in values {
            frame.set(*slot, Some(value.clone()));
        }
        frame
    }

    fn list(&self) -> String {
        let names: Vec<&str> = self.names.iter().map(|(name, _)| name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}
