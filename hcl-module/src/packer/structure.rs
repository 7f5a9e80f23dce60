//! Sources and builds as one value, as data.

use hcl_eval::Value;
use hcl_eval::eval::Evaluation;
use hcl_syntax::diagnostic::Diagnostics;

use super::build::SourceName;
use super::uses::{Build, EvaluatedStep, SourceUse};
use crate::entry::{body_value, object, tuple};

/// The result of making a value: an error is the limit that was reached.
type Made = Result<Value, Diagnostics>;

/// Sources and builds as the object of [`Template::structure`](super::Template::structure).
pub(super) fn structure(sources: &[&SourceName], builds: &[Build], evaluation: &mut Evaluation<'_>) -> Made {
    let name = |source: &&SourceName, evaluation: &mut Evaluation<'_>| {
        evaluation.tuple(vec![Value::string(&source.source_type), Value::string(&source.name)])
    };
    let sources = tuple(sources.iter(), sources.len(), evaluation, name)?;
    let builds = tuple(builds.iter(), builds.len(), evaluation, build)?;
    object(vec![("sources", sources), ("builds", builds)], evaluation)
}

fn build(build: &Build, evaluation: &mut Evaluation<'_>) -> Made {
    let sources = tuple(build.sources.iter(), build.sources.len(), evaluation, source_use)?;
    let attributes = vec![
        ("name", Value::string(&build.name)),
        ("description", Value::string(&build.description)),
        ("sources", sources),
    ];
    object(attributes, evaluation)
}

fn source_use(used: &SourceUse, evaluation: &mut Evaluation<'_>) -> Made {
    let body = body_value(&used.body, evaluation)?;
    let provisioners = sequence(&used.provisioners, evaluation)?;
    let sequences = used.post_processors.iter();
    let post_processors = tuple(sequences, used.post_processors.len(), evaluation, |steps, evaluation| {
        sequence(steps, evaluation)
    })?;
    let mut attributes = vec![
        ("type", Value::string(&used.source.source_type)),
        ("name", Value::string(&used.name)),
        ("source", Value::string(&used.source.name)),
        ("body", body),
        ("provisioners", provisioners),
        ("post_processors", post_processors),
    ];
    if let Some(cleanup) = &used.error_cleanup {
        attributes.push(("error_cleanup", step(cleanup, evaluation)?));
    }
    object(attributes, evaluation)
}

fn sequence(steps: &[EvaluatedStep], evaluation: &mut Evaluation<'_>) -> Made {
    tuple(steps.iter(), steps.len(), evaluation, step)
}

/// A provisioner or a post-processor.
fn step(step: &EvaluatedStep, evaluation: &mut Evaluation<'_>) -> Made {
    let body = body_value(&step.body, evaluation)?;
    let attributes =
        vec![("type", Value::string(&step.step_type)), ("name", Value::string(&step.name)), ("body", body)];
    object(attributes, evaluation)
}
