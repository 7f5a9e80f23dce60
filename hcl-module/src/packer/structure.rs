//! Sources and builds as one value, as data.

use hcl_eval::Value;

use super::build::SourceName;
use super::uses::{Build, EvaluatedStep, SourceUse};
use crate::entry::{body_value, object};

/// Sources and builds as an object: `sources`, a tuple of types with names, and `builds`.
///
/// A build has `name`, `description` and `sources`. Each use of a source has `type`, `name` (what the build calls it),
/// `source` (what its block calls it), `body`, `provisioners`, `post_processors` and, if there is one,
/// `error_cleanup`. A provisioner or post-processor has `type`, `name` and `body`. A body has `attributes` and, if
/// there are any, `blocks`, each with `type`, `labels` (null without any) and `body`.
///
/// ```
/// use hcl_module::TextFiles;
/// use hcl_module::packer::{Template, TemplateOptions, structure};
///
/// let text = "source \"null\" \"x\" {}\nbuild {\n  sources = [\"null.x\"]\n}\n";
/// let files = TextFiles::from_iter([("a.pkr.hcl", text)]);
/// let (template, _) = Template::read(".", &files, &TemplateOptions::default());
/// let (builds, _) = template.builds(&Default::default());
/// let whole = structure(&template.sources(), &builds);
/// assert_eq!(whole.get_attribute("sources").and_then(|names| names.len()), Some(1));
/// ```
pub fn structure(sources: &[SourceName], builds: &[Build]) -> Value {
    let name = |source: &SourceName| {
        Value::tuple(vec![Value::string(&source.source_type), Value::string(&source.name)])
    };
    object(vec![
        ("sources", Value::tuple(sources.iter().map(name).collect())),
        ("builds", Value::tuple(builds.iter().map(build).collect())),
    ])
}

fn build(build: &Build) -> Value {
    object(vec![
        ("name", Value::string(&build.name)),
        ("description", Value::string(&build.description)),
        ("sources", Value::tuple(build.sources.iter().map(source_use).collect())),
    ])
}

fn source_use(used: &SourceUse) -> Value {
    let sequence = |steps: &Vec<EvaluatedStep>| Value::tuple(steps.iter().map(step).collect());
    let mut attributes = vec![
        ("type", Value::string(&used.source.source_type)),
        ("name", Value::string(&used.name)),
        ("source", Value::string(&used.source.name)),
        ("body", body_value(&used.body)),
        ("provisioners", sequence(&used.provisioners)),
        ("post_processors", Value::tuple(used.post_processors.iter().map(sequence).collect())),
    ];
    attributes.extend(used.error_cleanup.as_ref().map(|cleanup| ("error_cleanup", step(cleanup))));
    object(attributes)
}

/// A provisioner or a post-processor.
fn step(step: &EvaluatedStep) -> Value {
    object(vec![
        ("type", Value::string(&step.step_type)),
        ("name", Value::string(&step.name)),
        ("body", body_value(&step.body)),
    ])
}
