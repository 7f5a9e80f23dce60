//! Names that every template has: `path`, `packer`, `source`, `build`.

use std::sync::Arc;

use hcl_eval::eval::{Scope, ScopeBuilder};
use hcl_eval::host::Host;
use hcl_eval::{Type, Value, dialect};

use super::release::Release;
use crate::names::path_value;

/// The functions of templates.
pub(super) fn functions(release: Release) -> Arc<Scope> {
    Scope::builder().functions(release.functions()).build()
}

/// The functions that defaults of variables may call.
pub(super) fn functions_of_defaults() -> Arc<Scope> {
    Scope::builder().functions(dialect::packer_defaults()).build()
}

/// Adds the names that every template in a folder has, outside of builds, too: `path`, `packer`, and `source` and
/// `build`, of which nothing is known there. `path.cwd` is there only if the host tells the working directory.
///
/// ```
/// use hcl_eval::eval::{Scope, evaluate_str};
/// use hcl_module::packer::{Release, with_names};
///
/// let scope = with_names(Scope::builder(), Release::NEWEST, "images", None).build();
/// assert_eq!(evaluate_str("path.root", Some(&scope))?.as_str(), Some("images"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn with_names(
    builder: ScopeBuilder,
    release: Release,
    folder: &str,
    host: Option<&dyn Host>,
) -> ScopeBuilder {
    let [major, minor, patch] = release.version();
    let unknown = || Value::unknown(Type::String);
    let packer = Value::object(vec![
        ("version".into(), Value::string(format!("{major}.{minor}.{patch}"))),
        ("iterationID".into(), unknown()),
        ("versionFingerprint".into(), unknown()),
    ]);
    let source = Value::object(vec![("name".into(), unknown()), ("type".into(), unknown())]);
    builder
        .variable("path", path_value(&["root"], folder, host))
        .variable("packer", packer)
        .variable("source", source)
        .variable("build", Value::unknown(Type::object(Vec::new())))
}
