//! Values of Python as values of the language, and back.

use std::sync::{Arc, LazyLock};

use hcl_eval::types::type_expr::parse_type_text;
use hcl_eval::types::{CapsuleType, Defaults, Type};
use hcl_eval::value::number::LITERAL_PRECISION;
use hcl_eval::value::{Kind, Mark, Number, Value};
use hcl_eval::{Str, convert};
use hcl_syntax::diagnostic;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PyMapping, PySet, PyString, PyTuple};

use crate::text::type_name;

/// How deep values of Python may nest.
const MAX_DEPTH: usize = 1000;
/// The most digits of a number that becomes an `int`.
const MAX_DIGITS: u64 = 1 << 20;

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
fn class<'py>(py: Python<'py>, name: &'static str) -> PyResult<Bound<'py, PyAny>> {
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

/// An `int` of any size from its digits. Through `Decimal`, because `int` refuses long texts.
pub(crate) fn int_of<'py>(py: Python<'py>, digits: &str) -> PyResult<Bound<'py, PyAny>> {
    match digits.parse::<i64>() {
        Ok(small) => Ok(small.into_pyobject(py)?.into_any()),
        Err(_) => py.get_type::<PyInt>().call1((decimal(py)?.call1((digits,))?,)),
    }
}

/// All digits of an `int`.
pub(crate) fn digits_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    decimal(object.py())?.call1((object,))?.call_method1("__format__", ("f",))?.extract()
}

/// The number as an object of Python: `int` if it is an integer.
pub(crate) fn number_to_python<'py>(
    py: Python<'py>,
    number: &Number,
    numbers: Numbers,
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
        return int_of(py, &number.to_text());
    }
    match numbers {
        Numbers::Float => Ok(PyFloat::new(py, number.to_f64()).into_any()),
        Numbers::Decimal => decimal(py)?.call1((number.to_text(),)),
    }
}

/// The value as an object of Python.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    value: &Value,
    numbers: Numbers,
) -> PyResult<Bound<'py, PyAny>> {
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        if value.has_mark(&Mark::sensitive()) {
            return class(py, "Sensitive")?.call1((to_python(py, value.unmarked(), numbers)?,));
        }
        let value = value.unmarked();
        let elements = |value: &Value| -> PyResult<Vec<Bound<'py, PyAny>>> {
            let elements = value.elements().unwrap_or_default();
            elements.iter().map(|element| to_python(py, element, numbers)).collect()
        };
        Ok(match value.kind() {
            Kind::Null => py.None().into_bound(py),
            Kind::Bool => PyBool::new(py, value.as_bool().unwrap_or_default()).to_owned().into_any(),
            Kind::Number => match value.as_number() {
                Some(number) => number_to_python(py, number, numbers)?,
                None => py.None().into_bound(py),
            },
            Kind::String => PyString::new(py, value.as_str().unwrap_or_default()).into_any(),
            Kind::List | Kind::Tuple | Kind::Set => PyList::new(py, elements(value)?)?.into_any(),
            Kind::Map | Kind::Object => {
                let dict = PyDict::new(py);
                for (name, part) in value.entries().into_iter().flatten() {
                    dict.set_item(name.as_str(), to_python(py, part, numbers)?)?;
                }
                dict.into_any()
            }
            Kind::Capsule => match value.as_capsule().and_then(|capsule| capsule.downcast_ref::<Py<PyAny>>())
            {
                Some(object) => class(py, "Capsule")?.call1((object.clone_ref(py),))?,
                None => return Err(PyTypeError::new_err("the value is opaque and not of Python")),
            },
            Kind::Unknown => class(py, "Unknown")?.call1((value.ty().to_type_text(),))?,
        })
    })
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
pub(crate) fn from_python(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Value> {
    Turn { name, path: Vec::new(), open: Vec::new() }.value(object)
}

struct Turn<'n> {
    name: &'n str,
    path: Vec<String>,
    /// The containers that are being turned, by identity.
    open: Vec<usize>,
}

impl Turn<'_> {
    fn place(&self) -> String {
        format!("{}{}", self.name, self.path.concat())
    }

    fn refused(&self, what: &str) -> PyErr {
        PyValueError::new_err(format!("{}: {what}", self.place()))
    }

    fn value(&mut self, object: &Bound<'_, PyAny>) -> PyResult<Value> {
        let py = object.py();
        if object.is_none() {
            return Ok(Value::null(Type::Dynamic));
        }
        if let Ok(truth) = object.cast::<PyBool>() {
            return Ok(Value::bool(truth.is_true()));
        }
        if let Ok(text) = object.cast::<PyString>() {
            return self.text(text).map(Value::string);
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
            return self.container(object);
        }
        if object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() {
            let tuple = self.container(object)?;
            return convert::convert(&tuple, &Type::set(Type::Dynamic))
                .map_err(|error| self.refused(&error.detail()));
        }
        if object.is_instance(&class(py, "Sensitive")?)? {
            return Ok(self.value(&object.getattr("value")?)?.mark(Mark::sensitive()));
        }
        if object.is_instance(&class(py, "Unknown")?)? {
            let text: String = object.getattr("type")?.extract()?;
            return Ok(Value::unknown(type_of_text(py, &text)?));
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
            return Ok(Value::string(object.call_method0("isoformat")?.extract::<String>()?));
        }
        // Integers of other libraries, as those of numpy.
        if object.hasattr("__index__")?
            && let Ok(index) = py.import("operator")?.call_method1("index", (object,))
        {
            return self.int(&index);
        }
        if object.hasattr("__dataclass_fields__")? || object.cast::<PyMapping>().is_ok() {
            return self.container(object);
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
        number
            .map(Value::number)
            .ok_or_else(|| self.refused("an int of so many digits can't be represented exactly"))
    }

    fn decimal(&self, object: &Bound<'_, PyAny>) -> PyResult<Value> {
        if !object.call_method0("is_finite")?.is_truthy()? {
            return Err(self.refused("NaN and infinity are no numbers of HCL"));
        }
        let exponent: i64 = object.call_method0("adjusted")?.extract()?;
        if exponent.unsigned_abs() > MAX_DIGITS {
            return Err(self.refused("a number of more than a million digits"));
        }
        let digits: String = object.str()?.extract()?;
        match Number::parse(&digits) {
            Some(number) => Ok(Value::number(number)),
            None => Err(self.refused("the number can't be represented")),
        }
    }

    fn container(&mut self, object: &Bound<'_, PyAny>) -> PyResult<Value> {
        let identity = object.as_ptr() as usize;
        if self.open.contains(&identity) {
            return Err(self.refused("the object refers to itself"));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(self.refused("the object nests too deep"));
        }
        self.open.push(identity);
        let value = stacker::maybe_grow(64 << 10, 1 << 20, || self.content(object));
        self.open.pop();
        value
    }

    fn content(&mut self, object: &Bound<'_, PyAny>) -> PyResult<Value> {
        if object.hasattr("__dataclass_fields__")? {
            let mut entries = Vec::new();
            for name in object.getattr("__dataclass_fields__")?.try_iter()? {
                let name = name?.cast_into::<PyString>()?;
                let part = object.getattr(&name)?;
                entries.push((Str::new(self.text(&name)?), self.part(format!(".{name}"), &part)?));
            }
            return Ok(Value::object(entries));
        }
        if let Ok(mapping) = object.cast::<PyMapping>() {
            let mut entries = Vec::new();
            for item in mapping.items()?.iter() {
                let (key, part): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
                let Ok(key) = key.cast::<PyString>() else {
                    let (place, found) = (self.place(), type_name(&key));
                    return Err(PyTypeError::new_err(format!("{place}: a key is to be str, not {found}")));
                };
                let key = self.text(key)?;
                let part = self.part(format!("[{key:?}]"), &part)?;
                entries.push((Str::new(key), part));
            }
            return Ok(Value::object(entries));
        }
        let mut parts = Vec::new();
        for (at, part) in object.try_iter()?.enumerate() {
            parts.push(self.part(format!("[{at}]"), &part?)?);
        }
        Ok(Value::tuple(parts))
    }

    fn part(&mut self, step: String, part: &Bound<'_, PyAny>) -> PyResult<Value> {
        self.path.push(step);
        let value = self.value(part);
        self.path.pop();
        value
    }
}
