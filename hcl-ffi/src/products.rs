//! Templates of Packer and jobs of Nomad, as `module` loads and asks them.

use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Evaluation, Scope, evaluate};
use hcl_eval::host::Host;
use hcl_eval::value::Value;
use hcl_module::nomad::{self, Job, JobOptions};
use hcl_module::packer::{Release, Template, TemplateOptions};
use hcl_module::{Entry, Files, Given, ResourceValue, body_value};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::parser::{ParseLimits, ParsedExpression};

use crate::limits::evaluating_within;

/// A product whose files are no folders of modules.
pub(crate) enum Product {
    /// Packer in a release.
    Packer(Release),
    /// Nomad, by the name of its dialect.
    Nomad(String),
}

/// All that loading files needs.
pub(crate) struct Request<'a> {
    /// A folder or a file.
    pub(crate) path: &'a str,
    pub(crate) files: &'a dyn Files,
    pub(crate) given: &'a [Given],
    pub(crate) resource_values: &'a [ResourceValue],
    pub(crate) host: Option<&'a Arc<dyn Host>>,
    pub(crate) limits: &'a ParseLimits,
}

/// A template or a job that was loaded.
#[derive(Debug)]
pub(crate) enum Whole {
    Template(Box<Template>),
    Job(Box<Job>),
    /// A job that could not be read.
    Nothing,
}

impl Product {
    /// The product of a dialect.
    pub(crate) fn by_name(name: &str) -> Option<Self> {
        match dialect::product(name)? {
            "packer" => Release::by_name(name).map(Self::Packer),
            "nomad" => Some(Self::Nomad(name.to_owned())),
            _ => None,
        }
    }

    /// Reads files, declarations and values.
    pub(crate) fn load(&self, request: &Request<'_>) -> (Whole, Diagnostics) {
        let limits = evaluating_within(request.limits);
        let host = request.host.map(|host| &**host as &dyn Host);
        let evaluation = EvalOptions { limits, host, ..EvalOptions::default() };
        match self {
            Self::Packer(release) => {
                let options = TemplateOptions {
                    release: *release,
                    given: request.given.to_vec(),
                    resource_values: request.resource_values.to_vec(),
                    parse_limits: request.limits.clone(),
                    evaluation,
                    ..TemplateOptions::default()
                };
                let (template, problems) = Template::read(request.path, request.files, &options);
                let problems = blotted(&template, problems, &options.evaluation);
                (Whole::Template(Box::new(template)), problems)
            }
            Self::Nomad(dialect) => job(dialect, request, &evaluation),
        }
    }
}

fn job(dialect: &str, request: &Request<'_>, evaluation: &EvalOptions<'_>) -> (Whole, Diagnostics) {
    let bytes = match request.files.read(request.path) {
        Ok(bytes) => bytes,
        Err(problem) => {
            let detail = match request.path {
                "." => {
                    "The file of the job is not named. Give its path to hcl_module_loader_folder.".to_owned()
                }
                path => format!("The file of the job, {path}, can't be read: {problem}."),
            };
            return (Whole::Nothing, vec![Diagnostic::error("job.file", "Failed to read file", detail)]);
        }
    };
    let (body, mut diagnostics) = match nomad::parse(request.path, bytes, request.limits) {
        Ok(parsed) => parsed,
        Err(problem) => {
            return (
                Whole::Nothing,
                vec![Diagnostic::error("limit.source", "Source too large", problem.to_string())],
            );
        }
    };
    if has_errors(&diagnostics) {
        return (Whole::Nothing, diagnostics);
    }
    let functions = dialect::by_name(dialect).unwrap_or_default();
    let options = JobOptions {
        given: request.given.to_vec(),
        environment: evaluation.host,
        functions: Some(Scope::builder().functions(functions).build()),
        parse_limits: request.limits.clone(),
        ..JobOptions::default()
    };
    let (job, problems) = Job::open(&body, request.files, &options, &mut Evaluation::new(evaluation));
    diagnostics.extend(problems);
    diagnostics.extend(request.resource_values.iter().map(|one| no_resource(&one.address)));
    if !has_errors(&diagnostics) {
        diagnostics.extend(job.problems_of_number(&mut Evaluation::new(evaluation)));
    }
    (Whole::Job(Box::new(job)), diagnostics)
}

fn no_resource(address: &str) -> Diagnostic {
    let detail = format!("A value is given for {address:?}, but a job of Nomad has no resources.");
    Diagnostic::error("module.value.resource", "Invalid address", detail)
}

/// Diagnostics without the texts that a template declares sensitive.
fn blotted(template: &Template, problems: Diagnostics, options: &EvalOptions<'_>) -> Diagnostics {
    template.secrets().blot_diagnostics(problems, &mut Evaluation::new(options))
}

impl Whole {
    /// The value of an expression.
    pub(crate) fn evaluate(&self, text: &str, options: &EvalOptions<'_>) -> (Option<Value>, Diagnostics) {
        match Evaluation::new(options).parse("expression", text) {
            Ok((parsed, problems)) if !has_errors(&problems) => self.evaluate_parsed(&parsed, options),
            Ok((_, problems)) | Err(problems) => (None, problems),
        }
    }

    /// The value of an expression that has been parsed.
    pub(crate) fn evaluate_parsed(
        &self,
        parsed: &ParsedExpression,
        options: &EvalOptions<'_>,
    ) -> (Option<Value>, Diagnostics) {
        let (value, problems) = match self {
            Self::Nothing => return (None, Diagnostics::new()),
            Self::Job(job) => evaluate(parsed.expression(), Some(job.scope()), options),
            Self::Template(template) => {
                let based = options.host.map(|host| template.host(host));
                let host = based.as_ref().map(|host| host as &dyn Host);
                let options = EvalOptions { host, ..options.clone() };
                let (value, problems) = evaluate(parsed.expression(), Some(template.scope()), &options);
                (value, blotted(template, problems, &options))
            }
        };
        ((!has_errors(&problems)).then_some(value), problems)
    }

    /// Evaluates all that is left to be evaluated.
    pub(crate) fn check(&self, options: &EvalOptions<'_>) -> Diagnostics {
        match self {
            Self::Nothing => Diagnostics::new(),
            Self::Job(job) => job.check(&mut Evaluation::new(options)),
            Self::Template(template) => blotted(template, template.builds(options).1, options),
        }
    }

    /// Everything in it as one value.
    pub(crate) fn evaluated(&self, options: &EvalOptions<'_>) -> (Option<Value>, Diagnostics) {
        match self {
            Self::Nothing => (None, Diagnostics::new()),
            Self::Job(job) => {
                let mut evaluation = Evaluation::new(options);
                let (body, mut problems) = job.evaluate(&mut evaluation);
                let value = body_value(&body, &mut evaluation).map_err(|limit| problems.extend(limit));
                (value.ok(), problems)
            }
            Self::Template(template) => {
                let (whole, problems) = template.structure(options);
                (whole, blotted(template, problems, options))
            }
        }
    }

    /// All declarations.
    pub(crate) fn declared(&self) -> &[Entry] {
        match self {
            Self::Nothing => &[],
            Self::Job(job) => job.declared(),
            Self::Template(template) => template.declared(),
        }
    }
}
