//! Templates of Packer: `--module` in its dialect.

use hcl_eval::eval::{EvalOptions, Scope};
use hcl_eval::host::Host;
use hcl_module::packer::{Release, Template, TemplateOptions};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};

use crate::args::{Dialect, LimitArguments, ScopeArguments};
use crate::disk::DiskFiles;
use crate::names::{given, resource_values};
use crate::output::Failure;
use crate::scope;

/// The release of Packer that a dialect is; the newest for all others.
pub fn release(dialect: Dialect) -> Release {
    Release::by_name(dialect.name()).unwrap_or_default()
}

/// Everything that is wrong with a template, whatever its variables are given.
pub fn problems(path: &str, dialect: Option<Dialect>, host: &dyn Host) -> Diagnostics {
    let evaluation = EvalOptions { host: Some(host), ..EvalOptions::default() };
    let options = TemplateOptions {
        release: dialect.map(release).unwrap_or_default(),
        may_lack_values: true,
        evaluation: evaluation.clone(),
        ..TemplateOptions::default()
    };
    let (template, mut diagnostics) = Template::read(path, &DiskFiles, &options);
    if !has_errors(&diagnostics) {
        diagnostics.extend(template.builds(&evaluation).1);
    }
    diagnostics.into_iter().map(|problem| template.secrets().blot_diagnostic(problem)).collect()
}

/// Reads the template that the arguments name. A template that is not there is an error of its own, as in Packer.
///
/// # Errors
/// Several are named.
pub fn read_template(
    arguments: &ScopeArguments,
    limits: &LimitArguments,
    host: &dyn Host,
) -> Result<(Template, Diagnostics), Failure> {
    let [path] = arguments.modules.as_slice() else {
        let message = "--module names one folder, or one file, in the dialect packer".to_owned();
        return Err(Failure::Usage(message));
    };
    let functions = Scope::builder().functions(scope::functions(arguments.dialect)).build();
    let (resource_values, mut shown) = resource_values(arguments, limits, host, &functions)?;
    let options = TemplateOptions {
        release: release(arguments.dialect),
        resource_values,
        given: arguments.given.0.iter().map(given).collect(),
        parse_limits: scope::parse_limits(limits),
        evaluation: scope::evaluation_options(limits, host),
        ..TemplateOptions::default()
    };
    let (template, diagnostics) = Template::read(&path.to_string_lossy(), &DiskFiles, &options);
    shown.extend(diagnostics.into_iter().map(|problem| template.secrets().blot_diagnostic(problem)));
    Ok((template, shown))
}
