//! `--module` with the dialect of Nomad: the file of a job.

use std::path::Path;
use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::host::{Host, SystemHost};
use hcl_module::nomad::{Job, JobOptions, parse};
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::parser::ParseLimits;

use crate::args::{Dialect, LimitArguments, ScopeArguments};
use crate::disk::DiskFiles;
use crate::names::given;
use crate::output::{Failure, NOT_THERE, read_input};
use crate::scope::{evaluation_options, functions, parse_limits};

/// The file that the arguments name.
///
/// # Errors
/// There are several, or it is a folder.
pub fn file(arguments: &ScopeArguments) -> Result<Option<&Path>, Failure> {
    match &arguments.modules[..] {
        [] => Ok(None),
        [file] if !file.is_dir() => Ok(Some(file)),
        _ => Err(Failure::Usage("--module with --dialect nomad names the file of one job".to_owned())),
    }
}

/// Reads the file of a job; what is in it is given too, as far as it could be read.
///
/// # Errors
/// There is no such file.
pub fn read(path: &Path, limits: &LimitArguments) -> Result<(ConfigBody, Diagnostics), Failure> {
    if path != Path::new("-") && !path.exists() {
        return Err(Failure::Usage(format!("{}: {NOT_THERE}", path.display())));
    }
    let (name, bytes) = read_input(path)?;
    parse(&name, bytes, &parse_limits(limits)).map_err(|error| Failure::Usage(format!("{name}: {error}")))
}

/// Opens a job that has been read, with the values that the arguments and the environment give to its variables.
///
/// # Errors
/// The system does not let itself be asked, or an argument is meant for modules.
pub fn open(
    body: &ConfigBody,
    arguments: &ScopeArguments,
    limits: &LimitArguments,
    host: &dyn Host,
    functions: Arc<Scope>,
) -> Result<(Job, Diagnostics), Failure> {
    if !arguments.values.is_empty() {
        return Err(Failure::Usage("--value gives resources values, and a job has none".to_owned()));
    }
    // Its variables in the environment are there for the job alone, so they need no permission.
    let environment = SystemHost::new().map_err(Failure::Output)?.allow_environment();
    let options = JobOptions {
        given: arguments.given.0.iter().map(given).collect(),
        environment: Some(&environment),
        is_lax: arguments.lax,
        may_lack_values: false,
        functions: Some(functions),
        parse_limits: parse_limits(limits),
    };
    let mut evaluation = Evaluation::new(&evaluation_options(limits, host));
    Ok(Job::open(body, &DiskFiles, &options, &mut evaluation))
}

/// The scope of the job that the arguments name.
///
/// # Errors
/// There is no such file.
pub fn scope(
    path: &Path,
    arguments: &ScopeArguments,
    limits: &LimitArguments,
    host: &dyn Host,
    functions: Arc<Scope>,
) -> Result<(Arc<Scope>, Diagnostics), Failure> {
    let (body, mut diagnostics) = read(path, limits)?;
    if has_errors(&diagnostics) {
        return Ok((functions, diagnostics));
    }
    let (job, problems) = open(&body, arguments, limits, host, functions)?;
    diagnostics.extend(problems);
    Ok((Arc::clone(job.scope()), diagnostics))
}

/// Reports problems with the file of a job, whatever its variables are given.
///
/// # Errors
/// There is no such file.
pub fn problems(path: &Path, dialect: Option<Dialect>, host: &dyn Host) -> Result<Diagnostics, Failure> {
    let (name, bytes) = read_input(path)?;
    let (body, mut diagnostics) = parse(&name, bytes, &ParseLimits::default())
        .map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
    if has_errors(&diagnostics) {
        return Ok(diagnostics);
    }
    let functions = dialect.map(|dialect| Scope::builder().functions(functions(dialect)).build());
    let options = JobOptions { may_lack_values: true, functions, ..JobOptions::default() };
    let mut evaluation = Evaluation::new(&EvalOptions { host: Some(host), ..EvalOptions::default() });
    let (job, problems) = Job::open(&body, &DiskFiles, &options, &mut evaluation);
    diagnostics.extend(problems);
    if !has_errors(&diagnostics) {
        diagnostics.extend(job.check(&mut evaluation));
    }
    Ok(diagnostics)
}
