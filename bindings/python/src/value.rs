//! Values of Python as values of the language, and back.

use std::sync::{Arc, LazyLock};
use std::time::Instant;

use hcl_eval::limits::{BYTES_PER_PART, Limits, Meter};
use hcl_eval::types::type_expr::parse_type_text;
use hcl_eval::types::{CapsuleType, Defaults, Type};
use hcl_eval::value::number::LITERAL_PRECISION;
use hcl_eval::value::{Kind, Mark, Number, Value};
use hcl_eval::{Str, convert};
use hcl_syntax::diagnostic::{self, Diagnostic};
use hcl_syntax::limits::Stopped;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBool, PyBytes, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple, PyType,
};

use crate::error::error;
use crate::text::type_name;

/// How deep values of Python may nest.
const MAX_DEPTH: usize = 1000;
/// The most digits of a number that becomes an `int`.
const MAX_DIGITS: u64 = 1 << 20;

/// The most decimal exponent of an integer that is exact: a float is at most about 1.8e308.
const MAX_EXPONENT: i64 = 308;
const INEXACT: &str = "an int of so many digits can't be represented exactly";

/// So many parts are turned between two looks at the time and at signals.
const PARTS_PER_LOOK: usize = 1 << 12;

/// How long, and how large, objects may be that are turned into values, and back.
#[derive(Copy, Clone)]
pub(crate) struct Within {
    deadline: Option<Instant>,
    max_elements: u64,
}

impl From<&Limits> for Within {
    fn from(limits: &Limits) -> Self {
        Self { deadline: limits.deadline, max_elements: limits.max_elements }
    }
}

impl Default for Within {
    fn default() -> Self {
        Self::from(&Limits::default())
    }
}

impl Within {
    /// Raises what a handler of a signal raises, and that time is up.
    fn look(self, py: Python<'_>) -> PyResult<()> {
        py.check_signals()?;
        match Stopped::now(None, self.deadline) {
            None => Ok(()),
            Some(stopped) => {
                let sentence = stopped.sentence("The conversion of values");
                Err(error(py, vec![Diagnostic::error(stopped.code(), stopped.summary(), sentence)]))
            }
        }
    }
}

/// How numbers that are no integers are given to Python.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// As `float`, the nearest one.
    Float,
    /// As `Decimal`, exactly.
    Decimal,
}

impl Numbers {
    /// The argument `numbers`.
    pub(crate) fn from_name(name: Option<&str>) -> PyResult<Self> {
        match name {
            None | Some("float") => Ok(Self::Float),
            Some("decimal") => Ok(Self::Decimal),
            Some(other) => {
                Err(PyValueError::new_err(format!("numbers is \"float\" or \"decimal\", not {other:?}")))
            }
        }
    }
}

/// The type of capsules that hold objects of Python.
static OBJECT: LazyLock<CapsuleType> = LazyLock::new(|| CapsuleType::new("python_object"));

/// A class of the Python half.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || Ok::<_, PyErr>(py.import("libhcl._values")?.unbind()))?;
    module.bind(py).getattr(name)
}

fn decimal<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class =
        CLASS.get_or_try_init(py, || Ok::<_, PyErr>(py.import("decimal")?.getattr("Decimal")?.unbind()))?;
    Ok(class.bind(py).clone())
}

/// A number of so many digits, about, has too few for work on it to be noticed.
const FEW_DIGITS: u64 = 1024;

/// The `int` of a whole number. Made of bytes: from digits it takes the square of their number, with the interpreter's lock.
fn int_of<'py>(py: Python<'py>, number: &Number, within: Within) -> PyResult<Bound<'py, PyAny>> {
    let limits = Limits { deadline: within.deadline, ..Limits::default() };
    let bytes = || number.magnitude_bytes(&mut Meter::new(limits));
    let is_long = number.text_len_bound() > FEW_DIGITS;
    let bytes = if is_long { py.detach(bytes) } else { bytes() };
    if is_long {
        within.look(py)?;
    }
    // The deadline alone can be reached, and the look has told of it.
    let bytes = bytes.ok().flatten().unwrap_or_default();
    let int = py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &bytes), "little"))?;
    if number.is_negative() { int.neg() } else { Ok(int) }
}

/// All digits of an `int` of few digits.
pub(crate) fn digits_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    decimal(object.py())?.call1((object,))?.call_method1("__format__", ("f",))?.extract()
}

/// The number as an object of Python: `int` if it is an integer.
pub(crate) fn number_to_python<'py>(
    py: Python<'py>,
    number: &Number,
    numbers: Numbers,
    within: Within,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(small) = number.to_i64() {
        return Ok(small.into_pyobject(py)?.into_any());
    }
    if number.is_infinite() {
        return Ok(PyFloat::new(py, number.to_f64()).into_any());
    }
    if number.text_len_bound() > MAX_DIGITS {
        return Err(PyOverflowError::new_err("a number of the result has more than a million digits"));
    }
    if number.is_integer() {
        // The text of a number with the precision of a float is the shortest that gives the float again.
        let (float, is_exact) = number.f64_exact();
        if is_exact {
            return py.get_type::<PyInt>().call1((float,));
        }
        return int_of(py, number, within);
    }
    match numbers {
        Numbers::Float => Ok(PyFloat::new(py, number.to_f64()).into_any()),
        Numbers::Decimal => {
            if number.text_len_bound() > FEW_DIGITS {
                within.look(py)?;
            }
            decimal(py)?.call1((number.to_text(),))
        }
    }
}

/// The value as an object of Python.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    value: &Value,
    numbers: Numbers,
    within: Within,
) -> PyResult<Bound<'py, PyAny>> {
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        if value.has_mark(&Mark::sensitive()) {
            return class(py, "Sensitive")?.call1((to_python(py, value.unmarked(), numbers, within)?,));
        }
        let value = value.unmarked();
        let part = |at: usize, part: &Value| -> PyResult<Bound<'py, PyAny>> {
            if at.is_multiple_of(PARTS_PER_LOOK) {
                within.look(py)?;
            }
            to_python(py, part, numbers, within)
        };
        Ok(match value.kind() {
            Kind::Null => py.None().into_bound(py),
            Kind::Bool => PyBool::new(py, value.as_bool().unwrap_or_default()).to_owned().into_any(),
            Kind::Number => match value.as_number() {
                Some(number) => number_to_python(py, number, numbers, within)?,
                None => py.None().into_bound(py),
            },
            Kind::String => PyString::new(py, value.as_str().unwrap_or_default()).into_any(),
            Kind::List | Kind::Tuple | Kind::Set => {
                let elements = value.elements().unwrap_or_default();
                let parts = elements.iter().enumerate().map(|(at, element)| part(at, element));
                PyList::new(py, parts.collect::<PyResult<Vec<_>>>()?)?.into_any()
            }
            Kind::Map | Kind::Object => {
                let dict = PyDict::new(py);
                for (at, (name, value)) in value.entries().into_iter().flatten().enumerate() {
                    dict.set_item(name.as_str(), part(at, value)?)?;
                }
                dict.into_any()
            }
            Kind::Capsule => opaque(py, value)?,
            Kind::Unknown => class(py, "Unknown")?.call1((value.ty().to_type_text(),))?,
        })
    })
}

/// A capsule: an object of Python, or a text that the engine shows for it.
fn opaque<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    let capsule = value.as_capsule();
    if let Some(object) = capsule.and_then(|capsule| capsule.downcast_ref::<Py<PyAny>>()) {
        return class(py, "Capsule")?.call1((object.clone_ref(py),));
    }
    // The function `type` gives one.
    match capsule.and_then(|capsule| capsule.downcast_ref::<String>()) {
        Some(text) => Ok(PyString::new(py, text).into_any()),
        None => Err(PyTypeError::new_err("the value is opaque and not of Python")),
    }
}

/// A type as the language writes it, without the defaults in it.
pub(crate) fn type_of_text(py: Python<'_>, text: &str) -> PyResult<Type> {
    type_and_defaults(text).map(|(ty, _)| ty).map_err(|diagnostics| crate::error::error(py, diagnostics))
}

/// A type as the language writes it, and the defaults in it.
pub(crate) fn type_and_defaults(text: &str) -> Result<(Type, Option<Defaults>), diagnostic::Error> {
    parse_type_text(text)
}

/// An object of Python as a value. `name` is what messages call it.
pub(crate) fn from_python(object: &Bound<'_, PyAny>, name: &str, within: Within) -> PyResult<Value> {
    Turn { name, within, n_parts: 0, n_since_look: 0, path: Vec::new(), open: Vec::new() }.value(object)
}

/// Items of a mapping.
type Items<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>;

/// The items of a mapping; `None` for another object. Exceptions of asking are raised, of which Ctrl-C may be one.
pub(crate) fn items_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Items<'py>>> {
    static MAPPING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    if !object.is_instance_of::<PyDict>() {
        let made = || Ok::<_, PyErr>(py.import("collections.abc")?.getattr("Mapping")?.unbind());
        if !object.is_instance(MAPPING.get_or_try_init(py, made)?.bind(py))? {
            return Ok(None);
        }
    }
    object.call_method0("items")?.try_iter()?.map(|item| item?.extract()).collect::<PyResult<_>>().map(Some)
}

/// Fields of a dataclass.
type Fields<'py> = Vec<(Bound<'py, PyString>, Bound<'py, PyAny>)>;

/// The names and values of the fields of a dataclass; `None` for another object, as a class is.
pub(crate) fn fields_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Fields<'py>>> {
    if object.is_instance_of::<PyType>() || !object.hasattr("__dataclass_fields__")? {
        return Ok(None);
    }
    let fields = object.py().import("dataclasses")?.call_method1("fields", (object,))?;
    let field = |field: PyResult<Bound<'py, PyAny>>| {
        let name = field?.getattr("name")?.cast_into::<PyString>()?;
        let value = object.getattr(&name)?;
        Ok((name, value))
    };
    fields.try_iter()?.map(field).collect::<PyResult<_>>().map(Some)
}

/// A step from an object to a part of it, for messages.
enum Step {
    Index(usize),
    Key(Str),
    Field(Str),
}

struct Turn<'n> {
    name: &'n str,
    within: Within,
    /// The parts so far: objects, and pieces of texts that take as long. An object may be a part many times.
    n_parts: usize,
    n_since_look: usize,
    path: Vec<Step>,
    /// The containers that are being turned, by identity.
    open: Vec<usize>,
}

impl Turn<'_> {
    fn place(&self) -> String {
        let steps = self.path.iter().map(|step| match step {
            Step::Index(at) => format!("[{at}]"),
            Step::Key(key) => format!("[{key:?}]"),
            Step::Field(name) => format!(".{name}"),
        });
        steps.fold(self.name.to_owned(), |place, step| place + &step)
    }

    fn refused(&self, what: &str) -> PyErr {
        PyValueError::new_err(format!("{}: {what}", self.place()))
    }

    /// Counts parts, and looks now and then if the work is to end.
    fn count(&mut self, py: Python<'_>, n: usize) -> PyResult<()> {
        self.n_parts += n;
        self.n_since_look += n;
        if self.n_since_look < PARTS_PER_LOOK {
            return Ok(());
        }
        self.n_since_look = 0;
        self.within.look(py)?;
        let most = self.within.max_elements;
        if self.n_parts as u64 <= most {
            return Ok(());
        }
        let detail =
            format!("\"{}\" has more than the limit of {most} parts. Pass a smaller object.", self.name);
        Err(error(py, vec![Diagnostic::error("limit.elements", "Too many elements", detail)]))
    }

    fn value(&mut self, object: &Bound<'_, PyAny>) -> PyResult<Value> {
        let py = object.py();
        self.count(py, 1)?;
        if object.is_none() {
            return Ok(Value::null(Type::Dynamic));
        }
        if let Ok(truth) = object.cast::<PyBool>() {
            return Ok(Value::bool(truth.is_true()));
        }
        if let Ok(text) = object.cast::<PyString>() {
            let text = self.text(text)?;
            self.count(py, text.len() / BYTES_PER_PART)?;
            return Ok(Value::string(text));
        }
        if object.is_instance_of::<PyInt>() {
            return self.int(object);
        }
        if let Ok(float) = object.cast::<PyFloat>() {
            let number = Some(float.value()).filter(|float| float.is_finite()).and_then(Number::from_f64);
            return number
                .map(Value::number)
                .ok_or_else(|| self.refused("NaN and infinity are no numbers of HCL"));
        }
        if object.is_instance_of::<PyDict>()
            || object.is_instance_of::<PyList>()
            || object.is_instance_of::<PyTuple>()
        {
            return self.nested(object, |turn| turn.container(object));
        }
        if object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() {
            let tuple = self.nested(object, |turn| turn.container(object))?;
            return convert::convert(&tuple, &Type::set(Type::Dynamic))
                .map_err(|error| self.refused(&error.detail()));
        }
        if object.is_instance(&class(py, "Sensitive")?)? {
            let value = self.nested(object, |turn| turn.value(&object.getattr("value")?))?;
            return Ok(value.mark(Mark::sensitive()));
        }
        if object.is_instance(&class(py, "Unknown")?)? {
            let ty = object.getattr("type")?;
            let Ok(text) = ty.cast::<PyString>() else {
                let (place, found) = (self.place(), type_name(&ty));
                return Err(PyTypeError::new_err(format!(
                    "{place}: the type of Unknown is to be str, not {found}"
                )));
            };
            return Ok(Value::unknown(type_of_text(py, &self.text(text)?)?));
        }
        if object.is_instance(&class(py, "Capsule")?)? {
            return Ok(Value::capsule(OBJECT.clone(), Arc::new(object.getattr("value")?.unbind())));
        }
        if object.is_instance(&decimal(py)?)? {
            return self.decimal(object);
        }
        let datetime = py.import("datetime")?;
        if object.is_instance(&datetime.getattr("date")?)?
            || object.is_instance(&datetime.getattr("time")?)?
        {
            // `NaT` of pandas.
            if object.ne(object)? {
                return Err(self.refused("NaT is no time"));
            }
            return Ok(Value::string(object.call_method0("isoformat")?.extract::<String>()?));
        }
        // Integers of other libraries, as those of numpy.
        if object.hasattr("__index__")? {
            match py.import("operator")?.call_method1("index", (object,)) {
                Ok(index) => return self.int(&index),
                // An array has the method, too, and is no integer.
                Err(error) if error.is_instance_of::<PyTypeError>(py) => {}
                Err(error) => return Err(error),
            }
        }
        if let Some(fields) = fields_of(object)? {
            return self.nested(object, |turn| turn.fields(fields));
        }
        if let Some(items) = items_of(object)? {
            return self.nested(object, |turn| turn.items(items));
        }
        Err(PyTypeError::new_err(format!(
            "{}: a value of type {} is no value of HCL",
            self.place(),
            type_name(object)
        )))
    }

    fn text(&self, text: &Bound<'_, PyString>) -> PyResult<String> {
        match text.to_cow() {
            Ok(text) => Ok(text.into_owned()),
            Err(_) => Err(self.refused("the text has a surrogate, which is no character")),
        }
    }

    fn int(&self, object: &Bound<'_, PyAny>) -> PyResult<Value> {
        if let Ok(small) = object.extract::<i64>() {
            return Ok(Value::int(small));
        }
        // A number that fits the mantissa, and a float, has all its digits afterwards.
        let n_bits = |object: &Bound<'_, PyAny>| object.call_method0("bit_length")?.extract::<u64>();
        let all = n_bits(object)?;
        let lowest = n_bits(&object.bitand(object.neg()?)?)?;
        let is_exact = all <= u64::from(LITERAL_PRECISION) || all <= 1024 && all - lowest < 53;
        let number = if is_exact { Number::parse(&digits_of(object)?) } else { None };
        number.map(Value::number).ok_or_else(|| self.refused(INEXACT))
    }

    fn decimal(&self, object: &Bound<'_, PyAny>) -> PyResult<Value> {
        if !object.call_method0("is_finite")?.is_truthy()? {
            return Err(self.refused("NaN and infinity are no numbers of HCL"));
        }
        let exponent: i64 = object.call_method0("adjusted")?.extract()?;
        if exponent.unsigned_abs() > MAX_DIGITS {
            return Err(self.refused("a number of more than a million digits"));
        }
        if object.eq(object.call_method0("to_integral_value")?)? {
            // No number of more digits is exact.
            if exponent > MAX_EXPONENT {
                return Err(self.refused(INEXACT));
            }
            return self.int(&object.py().get_type::<PyInt>().call1((object,))?);
        }
        let digits: String = object.str()?.extract()?;
        match Number::parse(&digits) {
            Some(number) => Ok(Value::number(number)),
            None => Err(self.refused("the number can't be represented")),
        }
    }

    /// Turns what is within an object.
    fn nested(
        &mut self,
        object: &Bound<'_, PyAny>,
        turn: impl FnOnce(&mut Self) -> PyResult<Value>,
    ) -> PyResult<Value> {
        let identity = object.as_ptr() as usize;
        if self.open.contains(&identity) {
            return Err(self.refused("the object refers to itself"));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(self.refused("the object nests too deep"));
        }
        self.open.push(identity);
        let value = stacker::maybe_grow(64 << 10, 1 << 20, || turn(self));
        self.open.pop();
        value
    }

    /// A container of Python's own; dataclasses may be dicts and lists as well.
    fn container(&mut self, object: &Bound<'_, PyAny>) -> PyResult<Value> {
        let is_plain = object.is_exact_instance_of::<PyList>() || object.is_exact_instance_of::<PyDict>();
        if !is_plain && let Some(fields) = fields_of(object)? {
            return self.fields(fields);
        }
        if object.is_instance_of::<PyDict>()
            && let Some(items) = items_of(object)?
        {
            return self.items(items);
        }
        let mut parts = Vec::new();
        for (at, part) in object.try_iter()?.enumerate() {
            parts.push(self.part(Step::Index(at), &part?)?);
        }
        Ok(Value::tuple(parts))
    }

    fn fields(&mut self, fields: Fields<'_>) -> PyResult<Value> {
        let mut entries = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            let name = Str::new(self.text(&name)?);
            let value = self.part(Step::Field(name.clone()), &value)?;
            entries.push((name, value));
        }
        Ok(Value::object(entries))
    }

    fn items(&mut self, items: Items<'_>) -> PyResult<Value> {
        let mut entries = Vec::with_capacity(items.len());
        for (key, value) in items {
            let Ok(key) = key.cast::<PyString>() else {
                let (place, found) = (self.place(), type_name(&key));
                return Err(PyTypeError::new_err(format!("{place}: a key is to be str, not {found}")));
            };
            let key = Str::new(self.text(key)?);
            let value = self.part(Step::Key(key.clone()), &value)?;
            entries.push((key, value));
        }
        Ok(Value::object(entries))
    }

    fn part(&mut self, step: Step, part: &Bound<'_, PyAny>) -> PyResult<Value> {
        self.path.push(step);
        let value = self.value(part);
        self.path.pop();
        value
    }
}
