//! A job file of Nomad: variables, locals and one job.
//!
//! Opening a file goes in the product's order, and what is wrong in one step keeps the next from being looked at:
//! the head, which declares (`declare`); the values of variables, from the environment, files and arguments
//! (`values`); the conditions on these (`validate`); the locals (`locals`). Then there is a scope in which
//! everything in the job can be evaluated, where references to the node are texts. `layout` says what is a block
//! in a job.

mod declare;
mod error;
mod layout;
mod locals;
mod validate;
mod values;

use std::sync::Arc;

use hcl_eval::dynamic::{Body, Expansion};
use hcl_eval::eval::{Evaluation, Scope};
use hcl_eval::evaluated::Layout;
use hcl_eval::value::Value;
use hcl_syntax::config::{ConfigBody, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::{Source, SourceTooLarge};

use self::declare::Head;
use self::error::Place;

/// What the variables of a job are given.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The environment; names that begin with `NOMAD_VAR_` count.
    pub environment: Vec<(String, String)>,
    /// Files of values, by name and content. Later ones win.
    pub files: Vec<(String, Vec<u8>)>,
    /// What follows `-var`: `NAME=TEXT`. Later ones win; those without an equals sign are ignored.
    pub arguments: Vec<String>,
    /// Whether values for variables that are not declared are warnings only.
    pub is_lax: bool,
}

/// What a job is evaluated with.
#[derive(Debug)]
pub struct Surroundings<'a, 'e> {
    /// The functions.
    pub functions: Arc<Scope>,
    /// Bounds of parsing files of values.
    pub parse_limits: ParseLimits,
    /// Evaluations of the job and of its locals.
    pub evaluation: &'a mut Evaluation<'e>,
    /// Evaluations without the outside world, for conditions on variables.
    pub closed: &'a mut Evaluation<'e>,
}

/// A job file whose names are known.
#[derive(Clone, Debug)]
pub struct Job {
    scope: Arc<Scope>,
    rest: ConfigBody,
    jobs: Vec<ContentBlock>,
}

/// What is a block at the top of a job file, beside declarations, and in a job.
pub const LAYOUT: &[Layout] = layout::FILE;

impl Job {
    /// Reads declarations and values. Without errors in the diagnostics everything in the job can be evaluated.
    pub fn open(body: &ConfigBody, inputs: &Inputs, surroundings: Surroundings<'_, '_>) -> (Self, Diagnostics) {
        let (head, mut diagnostics) = Head::read(body, surroundings.closed);
        let names = Scope::builder().parent(Arc::clone(&surroundings.functions)).runtime_references();
        let mut job = Self {
            scope: names.variable("var", empty()).variable("local", empty()).build(),
            rest: head.rest.clone(),
            jobs: head.jobs.clone(),
        };
        let values = values::gather(&head.variables, inputs, &surroundings.parse_limits, surroundings.closed);
        diagnostics.extend(values.diagnostics);
        for (variable, value) in head.variables.iter().zip(&values.winners) {
            diagnostics.extend(validate::problems(variable, value, &surroundings.functions, surroundings.closed));
        }
        if has_errors(&diagnostics) {
            return (job, diagnostics);
        }
        let variables = head.variables.iter().zip(values.winners);
        let variables = variables.map(|(variable, winner)| (variable.name.as_str().into(), winner.value));
        let scope = Scope::builder().parent(Arc::clone(&surroundings.functions)).runtime_references();
        let scope = scope.variable("var", Value::object(variables.collect())).build();
        let (locals, problems) = locals::evaluate(&head.locals, &scope, surroundings.evaluation);
        diagnostics.extend(problems);
        job.scope = Scope::builder().parent(scope).variable("local", locals).build();
        (job, diagnostics)
    }

    /// The names and functions that the job is evaluated with. References to what only a client knows are texts in
    /// it.
    pub fn scope(&self) -> &Arc<Scope> {
        &self.scope
    }

    /// What is in the file beside declarations, with dynamic blocks expanded in the job.
    pub fn body(&self) -> Body {
        let expansion = Expansion::new(Some(Arc::clone(&self.scope))).opaque(layout::is_free);
        Body::expanding(self.rest.clone(), Arc::new(expansion))
    }

    /// What is wrong with the number of jobs: there is to be one.
    pub fn problems_of_number(&self) -> Diagnostics {
        let Some((first, others)) = self.jobs.split_first() else { return vec![error::no_job()] };
        let place = |job: &ContentBlock| Place { source: job.source().clone(), span: job.definition_span() };
        let first = place(first).range();
        others.iter().map(|job| error::second_job(&first, &place(job))).collect()
    }
}

fn empty() -> Value {
    Value::object(Vec::new())
}

/// Reads a file as Nomad does: as JSON syntax if its first byte that is no space is `{`.
///
/// # Errors
/// The text is longer than any text may be.
pub fn parse(name: &str, bytes: Vec<u8>, limits: &ParseLimits) -> Result<(ConfigBody, Diagnostics), SourceTooLarge> {
    Ok(if is_json(&bytes) {
        let (file, diagnostics) = parse_json(Source::json(name, bytes)?, limits);
        (ConfigBody::from(&file), diagnostics)
    } else {
        let (file, diagnostics) = parse_file(Source::new(name, bytes)?, limits);
        (ConfigBody::from(&file), diagnostics)
    })
}

/// Whether Nomad takes a text for one of JSON syntax.
pub fn is_json(text: &[u8]) -> bool {
    text.iter().find(|byte| **byte != b' ') == Some(&b'{')
}
