//! A job file of Nomad: variables, locals and one job.
//!
//! Opening a file goes in the product's order, and what is wrong in one step keeps the next from being looked at:
//! the head, which declares (`declare`); the values of variables, from the environment, files and arguments
//! (`values`); the conditions on these (`validate`); the locals (`locals`). Then there is a scope in which
//! everything in the job can be evaluated, where references to the node are texts. `layout` says what is a block
//! in a job, `facts` what can be wrong with what is in it.

mod declare;
mod error;
mod facts;
mod layout;
mod locals;
mod validate;
mod values;

use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::dynamic::{Body, Expansion};
use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::evaluated::{EvaluatedBody, evaluate_body};
use hcl_eval::host::Host;
use hcl_eval::limits::PARTS_OF_DIAGNOSTIC;
use hcl_eval::value::Value;
use hcl_syntax::config::{Bounds, ConfigBody, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::parser::ParseLimits;
use hcl_syntax::source::SourceTooLarge;

use self::declare::Head;
use crate::entry::{Entry, EntryKind};
use crate::files::{Files, read_body};
use crate::inputs::Given;
use crate::place::Place;

/// The beginning of the names of environment variables that give values.
const PREFIX: &str = "NOMAD_VAR_";

/// The options of opening a job.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Evaluation, evaluate_str};
/// use hcl_module::nomad::{Job, JobOptions, parse};
/// use hcl_module::{Given, TextFiles};
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::ParseLimits;
///
/// let text = b"variable \"zone\" {}\njob \"web\" {}\n".to_vec();
/// let body = parse("web.nomad.hcl", text, &ParseLimits::default())?.into_result()?;
/// let given = vec![Given::File("prod.vars".to_owned())];
/// let files = TextFiles::default().with("prod.vars", "zone = \"eu\"\n");
/// let options = JobOptions { given, ..JobOptions::default() };
/// let job = Job::open(&body, &files, &options, &mut Evaluation::new(&EvalOptions::default())).into_result()?;
/// assert_eq!(evaluate_str("var.zone", Some(job.scope()))?.as_str(), Some("eu"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct JobOptions<'h> {
    /// Values of variables. Files come before everything else, whatever the order.
    pub given: Vec<Given>,
    /// The host that knows the environment, where `NOMAD_VAR_name` gives `name` a value; `None` if the environment
    /// does not count.
    pub environment: Option<&'h dyn Host>,
    /// True if values for variables that are not declared are warnings only.
    pub is_lax: bool,
    /// True if variables may have no value: it is unknown then, and what is made of it.
    pub may_lack_values: bool,
    /// Functions beside those of the product, and what else is to be in scope.
    pub functions: Option<Arc<Scope>>,
    /// Bounds of parsing files of values.
    pub parse_limits: ParseLimits,
}

/// A job file whose names are known.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_module::TextFiles;
/// use hcl_module::nomad::{Job, JobOptions, parse};
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::ParseLimits;
///
/// let text = b"locals {\n  n = 2\n}\njob \"web\" {\n  group \"front\" {\n    count = local.n * 2\n  }\n}\n".to_vec();
/// let body = parse("web.nomad.hcl", text, &ParseLimits::default())?.into_result()?;
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let job = Job::open(&body, &TextFiles::default(), &JobOptions::default(), &mut evaluation).into_result()?;
/// let evaluated = job.evaluate(&mut evaluation).into_result()?;
/// let group = evaluated.blocks().next().unwrap().body.blocks().next().unwrap();
/// assert_eq!(group.body.attribute("count").unwrap().to_string(), "4");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Job {
    /// Functions, `var` and `local`.
    scope: Arc<Scope>,
    /// The file without its declarations.
    rest: ConfigBody,
    jobs: Vec<ContentBlock>,
    declared: Vec<Entry>,
}

impl Job {
    /// Reads declarations and values. Without errors in the diagnostics everything in the job can be evaluated.
    /// The host of the evaluation is asked by functions in locals; conditions on variables see nothing of the world.
    ///
    /// ```
    /// use hcl_eval::eval::{EvalOptions, Evaluation, evaluate};
    /// use hcl_module::nomad::{Job, JobOptions, parse};
    /// use hcl_module::{Given, TextFiles};
    /// use hcl_syntax::parser::{ParseLimits, parse_expression};
    /// use hcl_syntax::source::Source;
    ///
    /// let text = "variable \"zone\" {}\njob \"web\" {\n  region = var.zone\n}\n";
    /// let (body, _) = parse("web.nomad.hcl", text.into(), &ParseLimits::default())?;
    /// let given = vec![Given::Assignment("zone=eu".to_owned())];
    /// let options = JobOptions { given, ..JobOptions::default() };
    /// let mut evaluation = Evaluation::new(&EvalOptions::default());
    /// let (job, problems) = Job::open(&body, &TextFiles::default(), &options, &mut evaluation);
    /// assert!(problems.is_empty());
    ///
    /// let source = Source::new("x", "\"${var.zone}-${node.unique.name}\"")?;
    /// let (parsed, _) = parse_expression(source, &ParseLimits::default());
    /// let (value, _) = evaluate(parsed.expression(), Some(job.scope()), &EvalOptions::default());
    /// assert_eq!(value.as_str(), Some("eu-${node.unique.name}"));
    /// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
    /// ```
    pub fn open(
        body: &ConfigBody,
        files: &dyn Files,
        options: &JobOptions<'_>,
        evaluation: &mut Evaluation<'_>,
    ) -> (Self, Diagnostics) {
        // Declarations, values and conditions are constant for Nomad: functions there are asked without a host, so
        // that those of files fail.
        let closed = &mut Evaluation::new(&EvalOptions {
            limits: evaluation.limits().clone(),
            ..EvalOptions::default()
        });
        let functions = options.functions.clone();
        let functions = functions.unwrap_or_else(|| Scope::builder().functions(dialect::nomad()).build());
        let (head, mut diagnostics) = Head::read(body, closed);
        let names = Scope::builder().parent(Arc::clone(&functions)).runtime_references();
        let mut job = Self {
            scope: names.variable("var", empty()).variable("local", empty()).build(),
            rest: head.rest.clone(),
            jobs: head.jobs.clone(),
            declared: declared(&head, closed.bounds()),
        };
        let values = values::gather(&head.variables, files, options, closed);
        diagnostics.extend(values.diagnostics);
        // Variables come first among what is declared.
        for (entry, winner) in job.declared.iter_mut().zip(&values.winners) {
            entry.is_missing = winner.is_missing();
        }
        for (variable, value) in head.variables.iter().zip(&values.winners) {
            if !closed.bounds().next_item() {
                break;
            }
            diagnostics.extend(validate::problems(variable, value, &functions, closed));
        }
        if closed.stopped() {
            closed.tell_limit(None, &mut diagnostics);
        }
        if has_errors(&diagnostics) {
            return (job, diagnostics);
        }
        let variables = head.variables.iter().zip(values.winners);
        let variables = variables.map(|(variable, winner)| (variable.name.as_str().into(), winner.value));
        let scope = Scope::builder().parent(functions).runtime_references();
        let scope = scope.variable("var", Value::object(variables.collect())).build();
        let (locals, problems) = locals::evaluate(&head.locals, &scope, evaluation);
        diagnostics.extend(problems);
        if evaluation.stopped() {
            evaluation.tell_limit(None, &mut diagnostics);
        }
        job.scope = Scope::builder().parent(scope).variable("local", locals).build();
        (job, diagnostics)
    }

    /// The names and functions that the job is evaluated with. References to what only a client knows are texts in
    /// it.
    pub fn scope(&self) -> &Arc<Scope> {
        &self.scope
    }

    /// The declarations of the file: variables, locals, jobs.
    pub fn declared(&self) -> &[Entry] {
        &self.declared
    }

    /// Returns what is in the file beside declarations, with dynamic blocks expanded in the job.
    pub fn body(&self) -> Body {
        let expansion = Expansion::new(Some(Arc::clone(&self.scope))).opaque(layout::is_free);
        Body::expanding(self.rest.clone(), Arc::new(expansion))
    }

    /// Everything in the job, evaluated; with what is wrong.
    pub fn evaluate(&self, evaluation: &mut Evaluation<'_>) -> (EvaluatedBody, Diagnostics) {
        evaluate_body(&self.body(), layout::FILE, &self.scope, evaluation)
    }

    /// Evaluates everything in the file, and tells what is wrong with it, and with numbers, durations and the entries of
    /// `env` and `meta`.
    pub fn check(&self, evaluation: &mut Evaluation<'_>) -> Diagnostics {
        let mut diagnostics = self.problems_of_number(evaluation);
        let (body, problems) = self.evaluate(evaluation);
        diagnostics.extend(problems);
        if !has_errors(&diagnostics) {
            diagnostics.extend(facts::problems(&body, evaluation));
        }
        if evaluation.stopped() {
            evaluation.tell_limit(None, &mut diagnostics);
        }
        diagnostics
    }

    /// Reports a number of jobs other than one, as far as the limits allow.
    pub fn problems_of_number(&self, evaluation: &mut Evaluation<'_>) -> Diagnostics {
        let Some((first, others)) = self.jobs.split_first() else { return vec![error::no_job()] };
        let first = Place::of_block(first).range();
        let most = evaluation.limits().max_diagnostics as usize;
        let others =
            others.iter().take(most).take_while(|_| evaluation.bounds().goes_on(PARTS_OF_DIAGNOSTIC));
        others.map(|job| error::second_job(&first, &Place::of_block(job))).collect()
    }
}

/// The entries of what a file declares: variables, then locals, then jobs, each in the order of the text. Fewer once `bounds`
/// end the work.
fn declared(head: &Head, bounds: &mut dyn Bounds) -> Vec<Entry> {
    let variable = |variable: &declare::Variable| {
        let ty = if let declare::Declared::Type(ty) = &variable.ty { Some(ty.clone()) } else { None };
        let address = format!("var.{}", variable.name);
        Entry { ty, ..Entry::new(EntryKind::Variable, address, variable.place.range()) }
    };
    let local = |local: &ContentAttribute| {
        Entry::new(EntryKind::Local, format!("local.{}", local.name()), Place::of_attribute(local).range())
    };
    let job = |job: &ContentBlock| {
        let name = job.label(0).map_or("", |label| label.text);
        Entry::new(EntryKind::Job, format!("job.{name}"), Place::of_block(job).range())
    };
    let variables = head.variables.iter().map(variable);
    let all = variables.chain(head.locals.iter().map(local)).chain(head.jobs.iter().map(job));
    all.take_while(|_| bounds.next_item()).collect()
}

/// An object without attributes, in place of names that have no values yet.
fn empty() -> Value {
    Value::object(Vec::new())
}

/// Reads a file as Nomad does: as JSON syntax if its first byte that is no space is `{`.
///
/// ```
/// use hcl_module::nomad::parse;
/// use hcl_syntax::parser::ParseLimits;
///
/// let (body, problems) = parse("web.nomad", br#"{"job": {"web": {}}}"#.to_vec(), &ParseLimits::default())?;
/// assert_eq!(body.everything().attributes.len(), 1);
/// assert!(problems.is_empty());
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
///
/// # Errors
/// The text is longer than any text may be.
pub fn parse(
    name: &str,
    bytes: Vec<u8>,
    limits: &ParseLimits,
) -> Result<(ConfigBody, Diagnostics), SourceTooLarge> {
    let is_json = is_json(&bytes);
    read_body(name, bytes, is_json, limits)
}

/// True if Nomad takes a text for one of JSON syntax.
///
/// ```
/// assert!(hcl_module::nomad::is_json(b" { \"job\": {} }"));
/// assert!(!hcl_module::nomad::is_json(b"job \"web\" {}"));
/// ```
pub fn is_json(text: &[u8]) -> bool {
    text.iter().find(|byte| **byte != b' ') == Some(&b'{')
}
