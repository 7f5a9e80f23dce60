//! The names that every module has: `path`, `terraform`, `tofu`.

use hcl_eval::Value;
use hcl_eval::eval::ScopeBuilder;
use hcl_eval::host::Host;
use hcl_eval::value::Mark;

use crate::files::{Files, join};
use crate::release::Release;

/// An attribute of `path`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PathName {
    Module,
    Root,
    Cwd,
}

impl PathName {
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        match name {
            "module" => Some(Self::Module),
            "root" => Some(Self::Root),
            "cwd" => Some(Self::Cwd),
            _ => None,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Root => "root",
            Self::Cwd => "cwd",
        }
    }
}

/// The workspace: what the environment or the folder says, or the one that is always there.
pub(crate) fn workspace(
    given: Option<&str>,
    folder: &str,
    files: &dyn Files,
    host: Option<&dyn Host>,
) -> String {
    if let Some(name) = given {
        return name.to_owned();
    }
    let from_environment = host.and_then(|host| host.environment_variable("TF_WORKSPACE").ok());
    if let Some(name) = from_environment.filter(|name| !name.is_empty()) {
        return name;
    }
    let chosen = files.read(&join(folder, ".terraform/environment")).ok();
    let chosen = chosen.and_then(|bytes| String::from_utf8(bytes).ok()).map(|text| text.trim().to_owned());
    chosen.filter(|name| !name.is_empty()).unwrap_or_else(|| DEFAULT_WORKSPACE.to_owned())
}

/// Adds the names that a product gives to every module to a scope for expressions that stand alone, as in a folder
/// without files. `path.cwd` is there only if the host tells the working directory.
///
/// ```
/// use hcl_eval::eval::{Scope, evaluate_str};
/// use hcl_module::{Release, with_names};
///
/// let scope = with_names(Scope::builder(), Release::TERRAFORM, ".", None).build();
/// assert_eq!(evaluate_str("path.module", Some(&scope))?.as_str(), Some("."));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn with_names(
    builder: ScopeBuilder,
    release: Release,
    folder: &str,
    host: Option<&dyn Host>,
) -> ScopeBuilder {
    let workspace = ("workspace".into(), Value::string(DEFAULT_WORKSPACE));
    let run = Value::object(vec![workspace, ("applying".into(), applying())]);
    let builder = builder.variable("path", path_value(&["module", "root"], folder, host));
    run_roots(release.is_tofu()).iter().fold(builder, |builder, root| builder.variable(root, run.clone()))
}

/// The value of `path` in a folder: names for the folder, and `cwd` if the host tells the working directory.
pub(crate) fn path_value(names: &[&str], folder: &str, host: Option<&dyn Host>) -> Value {
    let folders = names.iter().map(|&name| (name.into(), Value::string(folder)));
    let directory = host.and_then(|host| host.working_directory().ok());
    let directory = directory.map(|directory| ("cwd".into(), Value::string(&directory)));
    Value::object(folders.chain(directory).collect())
}

/// The words for the run of a product. Modules that are written for both products say `terraform`.
pub(crate) fn run_roots(is_tofu: bool) -> &'static [&'static str] {
    if is_tofu { &["terraform", "tofu"] } else { &["terraform"] }
}

/// The workspace that is always there.
const DEFAULT_WORKSPACE: &str = "default";

/// True if changes are being made: never, and not for anybody to rely on.
pub(crate) fn applying() -> Value {
    Value::FALSE.mark(Mark::ephemeral())
}
