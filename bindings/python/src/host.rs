//! The outside world that Python allows: nothing, unless it is named.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hcl_eval::host::{Host, SystemHost};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::text::{name_of, type_name};

/// A host that allows what another one does, and what `files` and `allow` name.
pub(crate) fn allowing(
    mut host: SystemHost,
    files: Option<&Bound<'_, PyAny>>,
    allow: Option<&Bound<'_, PyAny>>,
) -> PyResult<SystemHost> {
    for folder in paths(files)? {
        // A relative path starts where the process works, wherever those of the host start.
        let allowed = std::path::absolute(&folder).and_then(|whole| host.allow_files_in(&whole));
        host = allowed.map_err(|error| os_error(&error, &folder))?;
    }
    for name in strings(allow)? {
        host = match name.as_str() {
            "env" => host.allow_environment(),
            "time" | "clock" => host.allow_clock(),
            "random" => host.allow_random(),
            _ => {
                let message =
                    format!("allow has \"env\", \"clock\" (or \"time\") and \"random\", not {name:?}");
                return Err(PyValueError::new_err(message));
            }
        };
    }
    Ok(host)
}

/// The host of `files` and `allow`; none if neither is given. `files` is a folder or several below which files may be
/// read; `allow` has names among `env`, `clock` (or `time`) and `random`.
pub(crate) fn host_of(
    files: Option<&Bound<'_, PyAny>>,
    allow: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Arc<dyn Host>>> {
    if files.is_none() && allow.is_none() {
        return Ok(None);
    }
    let host = SystemHost::new().map_err(|error| PyOSError::new_err(error.to_string()))?;
    Ok(Some(Arc::new(allowing(host, files, allow)?)))
}

/// The error about a path as Python has it: of the class of its `errno`, with a file name.
pub(crate) fn os_error(error: &std::io::Error, path: &Path) -> PyErr {
    let Some(code) = error.raw_os_error() else {
        return PyOSError::new_err(format!("{}: {error}", path.display()));
    };
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default().to_owned();
    PyOSError::new_err((code, text, path.as_os_str().to_owned()))
}

/// A path, or several.
fn paths(files: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<PathBuf>> {
    let Some(files) = files else { return Ok(Vec::new()) };
    if let Ok(one) = files.extract::<PathBuf>() {
        return Ok(vec![one]);
    }
    let wrong =
        || PyTypeError::new_err(format!("files is to be a path or several, not {}", type_name(files)));
    let path = |one: PyResult<Bound<'_, PyAny>>| {
        let one = one?;
        one.extract::<PathBuf>().map_err(|_| {
            PyTypeError::new_err(format!("files: a path is to be str or a path, not {}", type_name(&one)))
        })
    };
    files.try_iter().map_err(|_| wrong())?.map(path).collect()
}

fn strings(allow: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let Some(allow) = allow else { return Ok(Vec::new()) };
    if let Ok(one) = allow.cast::<PyString>() {
        return Ok(vec![one.to_string()]);
    }
    let wrong = || PyTypeError::new_err(format!("allow is to be a str or several, not {}", type_name(allow)));
    allow.try_iter().map_err(|_| wrong())?.map(|one| name_of(&one?, "allow: a name")).collect()
}
