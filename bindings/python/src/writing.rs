//! `dumps` and `format`: text from values, in canonical form.

use hcl_eval::value::{Kind, Value};
use hcl_syntax::diagnostic::{Diagnostic, has_errors};
use hcl_syntax::escape::write_quoted;
use hcl_syntax::format::{FormatError, FormatStyle, format_with};
use hcl_syntax::lexer::is_identifier;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::{Source, Span};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple};

use crate::arguments;
use crate::error::{checked, error, too_large, utf8};
use crate::text::{bytes_of, name_of, type_name};
use crate::value::{self, Within, digits_of, fields_of, from_python, items_of};
use crate::work::Bounds;

/// A dict as a text of HCL in canonical form. `Block`s are blocks, in a list or under their labels, as `loads` gives them.
///
/// >>> from libhcl import dumps
/// >>> dumps({"port": 80, "tags": ["a", "b"]})
/// 'port = 80\ntags = ["a", "b"]\n'
#[pyfunction]
pub(crate) fn dumps(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<String> {
    if items_of(data)?.is_none() {
        return Err(PyTypeError::new_err(format!("data is to be a dict, not {}", type_name(data))));
    }
    // Objects that are no values, or refer to themselves, are found here.
    from_python(data, "data", Within::default())?;
    let mut out = String::new();
    write_body(data, &mut out)?;
    let text = formatted(py, "<data>", out.as_bytes(), FormatStyle::Hcl, &ParseLimits::default())?;
    Ok(text)
}

/// The text in canonical form, of `style` "hcl", or "terraform", which is that of `terraform fmt`.
///
/// >>> from libhcl import format
/// >>> format("a=1\nlonger =  2\n")
/// 'a      = 1\nlonger = 2\n'
#[pyfunction]
#[pyo3(signature = (text, *, filename=String::from("<text>"), style=String::from("hcl"), timeout=None),
    text_signature = "(text, *, filename='<text>', style='hcl', timeout=None)")]
pub(crate) fn format(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arguments::filename)] filename: String,
    #[pyo3(from_py_with = arguments::style)] style: String,
    #[pyo3(from_py_with = arguments::timeout)] timeout: Option<f64>,
) -> PyResult<String> {
    let style = match style.as_str() {
        "hcl" => FormatStyle::Hcl,
        "terraform" => FormatStyle::Terraform,
        other => {
            return Err(PyValueError::new_err(format!("style is \"hcl\" or \"terraform\", not {other:?}")));
        }
    };
    let bytes = bytes_of(text, "text")?;
    let source = Source::new(&filename, bytes.as_slice()).map_err(|error| too_large(py, error))?;
    let deadline = Bounds::new(timeout, None)?.start().deadline;
    let limits = ParseLimits { deadline, ..ParseLimits::default() };
    let (file, diagnostics) = py.detach(|| parse_file(source, &limits));
    checked(py, (), diagnostics)?;
    utf8(py, file.source(), 0, bytes.clone())?;
    formatted(py, &filename, &bytes, style, &limits)
}

fn formatted(
    py: Python<'_>,
    name: &str,
    text: &[u8],
    style: FormatStyle,
    limits: &ParseLimits,
) -> PyResult<String> {
    let bytes = py.detach(|| format_with(name, text, style, limits)).map_err(|failed| match failed {
        FormatError::TooLarge(failed) => too_large(py, failed),
        FormatError::Invalid(diagnostics) => error(py, diagnostics),
        FormatError::Stopped(stopped) => error(py, vec![stopped.diagnostic("Formatting", name)]),
        other => error(py, vec![Diagnostic::error("limit.output", "Too much text", other.to_string())]),
    })?;
    String::from_utf8(bytes).map_err(|_| PyValueError::new_err("the text has bytes that are no UTF-8"))
}

/// Returns true for an object of a class of the Python half.
pub(crate) fn is_of(object: &Bound<'_, PyAny>, class: &str) -> PyResult<bool> {
    object.is_instance(&value::class(object.py(), class)?)
}

/// The labels and the content of a block: dicts of one entry around a `Block`.
fn block_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<(Vec<String>, Bound<'py, PyAny>)>> {
    let mut labels = Vec::new();
    let mut object = object.clone();
    while !is_of(&object, "Block")? {
        let Ok(dict) = object.cast::<PyDict>() else { return Ok(None) };
        let Some((label, inner)) = dict.iter().next().filter(|_| dict.len() == 1) else { return Ok(None) };
        let Ok(label) = label.extract::<String>() else { return Ok(None) };
        labels.push(label);
        object = inner;
    }
    Ok(Some((labels, object)))
}

/// A block with its labels.
type Labelled<'py> = (Vec<String>, Bound<'py, PyAny>);

/// The blocks that a value is, as `loads` gives them: in a list, or under their labels; none if it is a value.
fn blocks_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Labelled<'py>>>> {
    if let Ok(list) = value.cast::<PyList>() {
        let blocks = list.iter().map(|one| block_of(&one)).collect::<PyResult<Option<Vec<_>>>>()?;
        return Ok(blocks.filter(|blocks| !blocks.is_empty()));
    }
    let mut found = Vec::new();
    let are_blocks = under_labels(value, &mut Vec::new(), &mut found)?;
    Ok(Some(found).filter(|found| are_blocks && !found.is_empty()))
}

/// Collects the blocks under labels; false if something else is among them.
fn under_labels<'py>(
    value: &Bound<'py, PyAny>,
    labels: &mut Vec<String>,
    found: &mut Vec<Labelled<'py>>,
) -> PyResult<bool> {
    if is_of(value, "Block")? {
        found.push((labels.clone(), value.clone()));
        return Ok(true);
    }
    if let Ok(list) = value.cast::<PyList>() {
        for one in list.iter() {
            if !is_of(&one, "Block")? {
                return Ok(false);
            }
            found.push((labels.clone(), one));
        }
        return Ok(!labels.is_empty() && !list.is_empty());
    }
    let Ok(dict) = value.cast_exact::<PyDict>() else { return Ok(false) };
    for (label, inner) in dict.iter() {
        let Ok(label) = label.extract::<String>() else { return Ok(false) };
        labels.push(label);
        let are_blocks = stacker::maybe_grow(64 << 10, 1 << 20, || under_labels(&inner, labels, found))?;
        labels.pop();
        if !are_blocks {
            return Ok(false);
        }
    }
    Ok(!dict.is_empty())
}

fn write_body(body: &Bound<'_, PyAny>, out: &mut String) -> PyResult<()> {
    for (name, value) in items_of(body)?.unwrap_or_default() {
        let name = name_of(&name, "data: a name")?;
        if !is_identifier(&name) {
            return Err(PyValueError::new_err(format!(
                "{name:?} can't be the name of an attribute or a block"
            )));
        }
        if let Some(blocks) = blocks_of(&value)? {
            for (labels, content) in blocks {
                if !out.is_empty() && !out.ends_with("{\n") {
                    out.push('\n');
                }
                out.push_str(&name);
                for label in labels {
                    out.push(' ');
                    write_quoted(&label, out);
                }
                out.push_str(" {\n");
                stacker::maybe_grow(64 << 10, 1 << 20, || write_body(&content, out))?;
                out.push_str("}\n");
            }
        } else {
            if out.ends_with("}\n") && is_block_end(out) {
                out.push('\n');
            }
            out.push_str(&name);
            out.push_str(" = ");
            write_value(&value, out)?;
            out.push('\n');
        }
    }
    Ok(())
}

/// Returns true if the last line closes a block, not an object.
fn is_block_end(out: &str) -> bool {
    out.trim_end_matches('\n').rsplit('\n').next() == Some("}")
}

/// A value as an expression.
pub(crate) fn write_value(object: &Bound<'_, PyAny>, out: &mut String) -> PyResult<()> {
    // Ctrl-C is not to wait for a long list.
    object.py().check_signals()?;
    if is_of(object, "Expression")? {
        let text: String = object.extract()?;
        check_expression(object.py(), &text)?;
        // A heredoc ends with its line.
        out.push_str(text.trim_end_matches([' ', '\t', '\r', '\n']));
        return Ok(());
    }
    let is_list = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
    if is_list || object.is_instance_of::<PySet>() || object.is_instance_of::<PyFrozenSet>() {
        if !is_list {
            return write_constant(&from_python(object, "data", Within::default())?, out);
        }
        let elements = object.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        let is_deep = |one: &Bound<'_, PyAny>| !one.is_instance_of::<PyString>() && one.len().is_ok();
        let is_long = elements.iter().any(is_deep)
            || elements.iter().any(|one| is_of(one, "Expression").unwrap_or_default());
        out.push('[');
        for (at, element) in elements.iter().enumerate() {
            out.push_str(if is_long {
                "\n"
            } else if at > 0 {
                ", "
            } else {
                ""
            });
            stacker::maybe_grow(64 << 10, 1 << 20, || write_value(element, out))?;
            if is_long {
                end_of_element(out);
            }
        }
        out.push_str(if is_long { "\n]" } else { "]" });
        return Ok(());
    }
    let items = match fields_of(object)? {
        Some(fields) => Some(fields.into_iter().map(|(name, value)| (name.into_any(), value)).collect()),
        None => items_of(object)?,
    };
    if let Some(items) = items {
        if items.is_empty() {
            out.push_str("{}");
            return Ok(());
        }
        out.push_str("{\n");
        for (key, value) in items {
            let key = name_of(&key, "data: a key")?;
            // A key `for` would begin a `for` expression.
            if is_identifier(&key) && key != "for" {
                out.push_str(&key);
            } else {
                write_quoted(&key, out);
            }
            out.push_str(" = ");
            stacker::maybe_grow(64 << 10, 1 << 20, || write_value(&value, out))?;
            out.push('\n');
        }
        out.push('}');
        return Ok(());
    }
    // All digits, of which the text of a number has only those that give it again.
    if let Ok(float) = object.cast::<PyFloat>() {
        from_python(object, "data", Within::default())?;
        let float = float.value() + 0.0;
        out.push_str(&if float.fract() == 0.0 { format!("{float:.0}") } else { format!("{float:?}") });
        return Ok(());
    }
    if object.is_instance_of::<PyInt>() && !object.is_instance_of::<PyBool>() {
        from_python(object, "data", Within::default())?;
        out.push_str(&digits_of(object)?);
        return Ok(());
    }
    write_constant(&from_python(object, "data", Within::default())?, out)
}

/// The comma after an element, on a line of its own where the element ends with a heredoc's marker.
fn end_of_element(out: &mut String) {
    let ends_heredoc =
        out.rsplit('\n').next().is_some_and(|line| is_identifier(line.trim())) && out.contains("<<");
    out.push_str(if ends_heredoc { "\n," } else { "," });
}

fn write_constant(value: &Value, out: &mut String) -> PyResult<()> {
    if value.is_marked() {
        return Err(PyValueError::new_err("a sensitive value is not written; pass its .value"));
    }
    match value.kind() {
        Kind::Null => out.push_str("null"),
        Kind::Bool => out.push_str(if value.as_bool() == Some(true) { "true" } else { "false" }),
        Kind::Number => out.push_str(&value.as_number().map(|number| number.to_text()).unwrap_or_default()),
        Kind::String => write_quoted(value.as_str().unwrap_or_default(), out),
        Kind::Set => {
            out.push('[');
            for (at, element) in value.elements().unwrap_or_default().iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write_constant(element, out)?;
            }
            out.push(']');
        }
        Kind::List | Kind::Tuple | Kind::Map | Kind::Object => {
            return Err(PyValueError::new_err("a set with collections in it is not written; pass a list"));
        }
        Kind::Unknown => return Err(PyValueError::new_err("an unknown value is not written")),
        Kind::Capsule => return Err(PyValueError::new_err("a capsule is not written")),
    }
    Ok(())
}

/// Refuses a text that is not one expression: it could bring attributes of its own.
fn check_expression(py: Python<'_>, text: &str) -> PyResult<()> {
    let source =
        Source::new("<expression>", format!("x = {text}\n")).map_err(|error| too_large(py, error))?;
    let (file, diagnostics) = parse_file(source, &ParseLimits::default());
    if has_errors(&diagnostics) {
        return Err(error(py, diagnostics));
    }
    let body = file.body();
    let mut attributes = body.attributes();
    let only = match (attributes.next(), attributes.next(), body.blocks().len()) {
        (Some(only), None, 0) => Some(only.expression().span()),
        _ => None,
    };
    // A comment beside it would take what is written behind it.
    let is_alone = only.is_some_and(|span| {
        let beside = |from: u32, to: u32| file.source().slice(Span::new(from, to)).trim().is_empty();
        beside(4, span.start) && beside(span.end, file.source().span().end)
    });
    if !is_alone {
        return Err(PyValueError::new_err(format!("Expression({text:?}) is more than an expression")));
    }
    Ok(())
}
