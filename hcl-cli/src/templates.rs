//! Templates of Packer: `--module` in its dialect.

use hcl_eval::host::Host;
use hcl_module::packer::{Template, TemplateOptions};
use hcl_syntax::diagnostic::Diagnostics;

use crate::args::{LimitArguments, ScopeArguments};
use crate::names::{DiskFiles, given};
use crate::output::Failure;
use crate::scope;

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
    let options = TemplateOptions {
        given: arguments.given.0.iter().map(given).collect(),
        parse_limits: scope::parse_limits(limits),
        evaluation: scope::evaluation_options(limits, host),
        ..TemplateOptions::default()
    };
    let (template, diagnostics) = Template::read(&path.to_string_lossy(), &DiskFiles, &options);
    let shown = diagnostics.into_iter().map(|problem| template.secrets().blot_diagnostic(problem)).collect();
    Ok((template, shown))
}
