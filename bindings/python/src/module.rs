//! `Module`: a folder of Terraform or OpenTofu.

use std::sync::Arc;

use hcl_eval::eval::EvalOptions;
use hcl_eval::host::{Host, SystemHost};
use hcl_module::{DeclaredKind, Files, Given, HostFiles, LoadOptions, Module as Loaded, Release, TextFiles};
use hcl_syntax::diagnostic::Diagnostics;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

use crate::arguments;
use crate::error::{Diagnostic, checked, objects};
use crate::function::variables_of;
use crate::host::{allowing, host_of, os_error};
use crate::text::{bytes_of, name_of, type_name};
use crate::value::{Numbers, items_of, to_python};
use crate::work::{Bounds, interruptible};

/// A folder of Terraform or OpenTofu, evaluated without providers, state and network. `folder` is a path, or a dict of
/// texts by path. Reading the folder, and what functions read below it, is allowed; `files` and `allow` add to that. `var`
/// has the values of variables, `product` is "terraform" or "opentofu"; the other options are those of `evaluate`.
///
/// >>> from libhcl import Module
/// >>> module = Module({"main.tf": 'variable "n" {}\nlocals {\n  double = var.n * 2\n}\n'}, var={"n": 21})
/// >>> module.evaluate("local.double")
/// 42
#[pyclass(frozen, module = "libhcl", name = "_Module", subclass)]
pub(crate) struct Module {
    module: Loaded,
    host: Option<Arc<dyn Host>>,
    bounds: Bounds,
    numbers: Numbers,
    warnings: Vec<Py<Diagnostic>>,
}

#[pymethods]
impl Module {
    #[new]
    #[pyo3(signature = (folder, *, var=None, product=String::from("terraform"), workspace=None, files=None,
        allow=None, timeout=None, max_steps=None, numbers=None),
        text_signature = "(folder, *, var=None, product='terraform', workspace=None, files=None, allow=None, \
            timeout=None, max_steps=None, numbers='float')")]
    #[allow(clippy::too_many_arguments, reason = "they are keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        folder: &Bound<'_, PyAny>,
        var: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::product)] product: String,
        #[pyo3(from_py_with = arguments::workspace)] workspace: Option<String>,
        files: Option<&Bound<'_, PyAny>>,
        allow: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::timeout)] timeout: Option<f64>,
        #[pyo3(from_py_with = arguments::max_steps)] max_steps: Option<u64>,
        #[pyo3(from_py_with = arguments::numbers)] numbers: Option<String>,
    ) -> PyResult<Self> {
        let bounds = Bounds::new(timeout, max_steps)?;
        let numbers = Numbers::from_name(numbers.as_deref())?;
        let Some(release) = Release::by_name(&product) else {
            return Err(PyValueError::new_err(format!("product is terraform or opentofu, not {product:?}")));
        };
        let (source, host): (Box<dyn Files>, Option<Arc<dyn Host>>) = if let Some(texts) = items_of(folder)? {
            let mut all = TextFiles::default();
            for (path, text) in texts {
                let path = name_of(&path, "folder: a path")?;
                all = all.with(&path, bytes_of(&text, &path)?);
            }
            (Box::new(all), host_of(files, allow)?)
        } else {
            let path: PathBuf = folder.extract().map_err(|_| {
                PyTypeError::new_err(format!(
                    "folder is to be a path or a dict of texts, not {}",
                    type_name(folder)
                ))
            })?;
            let failed = |error: std::io::Error| os_error(&error, &path);
            let whole = std::path::absolute(&path).map_err(failed)?;
            let own = || SystemHost::starting_in(&whole).allow_files_in(&whole).map_err(failed);
            let host = Arc::new(allowing(own()?, files, allow)?);
            (Box::new(HostFiles::new(Arc::new(own()?))), Some(host))
        };
        let limits = bounds.start();
        let given = variables_of(var, None, (&limits).into())?;
        let given = given.into_iter().map(|(name, value)| Given::Value { name, value }).collect();
        let (module, diagnostics) = interruptible(py, &limits, |limits| {
            let options = LoadOptions {
                release,
                folder: ".".to_owned(),
                given: Vec::clone(&given),
                host: host.as_deref(),
                workspace: workspace.clone(),
                limits: limits.clone(),
                ..LoadOptions::default()
            };
            Loaded::load(source.as_ref(), &options)
        })?;
        let missing = module.demand_variables();
        let all: Diagnostics = diagnostics.into_iter().chain(missing).collect();
        checked(py, (), all.clone())?;
        Ok(Self { module, host, bounds, numbers, warnings: objects(py, &all)? })
    }

    /// Warnings of loading.
    #[getter]
    fn diagnostics(&self, py: Python<'_>) -> Vec<Py<Diagnostic>> {
        self.warnings.iter().map(|one| one.clone_ref(py)).collect()
    }

    /// The value of an expression, as the product's console gives it; `output.NAME` is an output of the module.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arguments::expression)] expression: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = self.bounds.start();
        let (value, diagnostics) = interruptible(py, &limits, |limits| {
            let options =
                EvalOptions { limits: limits.clone(), host: self.host.as_deref(), ..EvalOptions::default() };
            self.module.evaluate_address(&expression, &options)
        })?;
        match checked(py, value, diagnostics)? {
            Some(value) => to_python(py, &value, self.numbers, (&limits).into()),
            None => Ok(py.None().into_bound(py)),
        }
    }

    /// Evaluates everything, and gives all complaints.
    fn check(&self, py: Python<'_>) -> PyResult<Vec<Py<Diagnostic>>> {
        let diagnostics = interruptible(py, &self.bounds.start(), |limits| {
            let options =
                EvalOptions { limits: limits.clone(), host: self.host.as_deref(), ..EvalOptions::default() };
            self.module.check(&options)
        })?;
        objects(py, &diagnostics)
    }

    /// The addresses of what the module declares, with their kinds: variable, local, output, module, resource, data.
    fn declared<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for one in self.module.declared() {
            let kind = match one.kind {
                DeclaredKind::Variable => "variable",
                DeclaredKind::Local => "local",
                DeclaredKind::Output => "output",
                DeclaredKind::Module => "module",
                DeclaredKind::Resource => "resource",
                DeclaredKind::Data => "data",
                DeclaredKind::Ephemeral => "ephemeral",
            };
            dict.set_item(one.address, kind)?;
        }
        Ok(dict)
    }
}
