//! The native half of the Python package `libhcl`.
//!
//! Python calls come in here; texts and values are turned (`text`, `value`), the crates of the engine do the work with
//! the interpreter's lock released (`work`), diagnostics become `HclError` (`error`). The Python half in
//! `python/libhcl` has what is easier said in Python: classes of values, decoding by annotations, options.
//! Nothing is `unsafe` but in `arrow`, where structs of pointers cross.

mod arguments;
mod arrow;
mod decoding;
mod document;
mod error;
mod evaluate;
mod function;
mod hcl2;
mod host;
mod module;
mod reading;
mod text;
mod value;
mod work;
mod writing;

use std::ffi::OsString;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Runs the command `hcl` with these arguments, the first of which is the program's name; gives its exit code. Names of files
/// that are not UTF-8 come as Python gives them.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| hcl_cli::run_with(arguments))
}

/// Refuses a second interpreter of the process. Classes are kept for all of it, and those of an interpreter are gone with it.
fn only_interpreter(py: Python<'_>) -> PyResult<()> {
    static BUILTINS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    // Each interpreter has a module of its own by this name.
    let builtins = py.import("builtins")?;
    let first = BUILTINS.get_or_init(py, || builtins.clone().unbind());
    if !builtins.is(first) {
        return Err(PyImportError::new_err(
            "libhcl works in one interpreter of a process, and another one has loaded it",
        ));
    }
    Ok(())
}

#[pymodule]
fn _libhcl(module: &Bound<'_, PyModule>) -> PyResult<()> {
    only_interpreter(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<error::Diagnostic>()?;
    module.add_class::<error::Range>()?;
    module.add_class::<arrow::Column>()?;
    module.add_class::<decoding::Node>()?;
    module.add_class::<decoding::Reader>()?;
    module.add_class::<document::Document>()?;
    module.add_class::<evaluate::Program>()?;
    module.add_class::<module::Module>()?;
    module.add_function(wrap_pyfunction!(reading::loads, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(writing::dumps, module)?)?;
    module.add_function(wrap_pyfunction!(writing::format, module)?)?;
    module.add_function(wrap_pyfunction!(hcl2::hcl2_loads, module)?)?;
    module.add_function(wrap_pyfunction!(hcl2::hcl2_expression, module)?)?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    Ok(())
}
