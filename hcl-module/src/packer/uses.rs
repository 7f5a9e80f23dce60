//! Builds as they run: each use of a source, with its arguments and what is done with it, evaluated.

use std::sync::Arc;

use hcl_eval::Value;
use hcl_eval::dynamic::Body;
use hcl_eval::eval::Scope;
use hcl_eval::evaluated::{EvaluatedBody, EvaluatedItem, evaluate_body};
use hcl_syntax::config::push_within;
use hcl_syntax::schema::BodySchema;

use super::build::{BuildBlock, Builds, SourceName, Step, Use};
use super::session::Session;
use crate::place::Place;

/// A `build` block.
///
/// ```
/// use hcl_eval::eval::EvalOptions;
/// use hcl_module::TextFiles;
/// use hcl_module::packer::{Template, TemplateOptions};
/// use hcl_syntax::diagnostic::IntoResult;
///
/// let text = "source \"null\" \"vm\" {}\nbuild {\n  name    = \"base\"\n  sources = [\"source.null.vm\"]\n}\n";
/// let files = TextFiles::from_iter([("image.pkr.hcl", text)]);
/// let template = Template::read(".", &files, &TemplateOptions::default()).into_result()?;
/// let builds = template.builds(&EvalOptions::default()).into_result()?;
/// assert_eq!(builds[0].name, "base");
/// assert_eq!(builds[0].sources[0].source.to_string(), template.sources()[0].to_string());
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Build {
    /// Its name; empty without one.
    pub name: String,
    /// The description of the build; empty if there is none.
    pub description: String,
    /// The sources that it uses, in order.
    pub sources: Vec<SourceUse>,
}

/// The use of a source by a build.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SourceUse {
    /// The source.
    pub source: SourceName,
    /// The name in this build.
    pub name: String,
    /// Its arguments and blocks, with those that the build adds in place of its own. What can't be evaluated is unknown.
    pub body: EvaluatedBody,
    /// The steps done with the machine, in order.
    pub provisioners: Vec<EvaluatedStep>,
    /// The steps done with the machine when something failed.
    pub error_cleanup: Option<EvaluatedStep>,
    /// The post-processors: sequences, of which each step takes what the one before gives.
    pub post_processors: Vec<Vec<EvaluatedStep>>,
}

/// A provisioner or a post-processor.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EvaluatedStep {
    /// Its type, which names a plugin.
    pub step_type: String,
    /// Its name; empty without one.
    pub name: String,
    /// The arguments that are the plugin's.
    pub body: EvaluatedBody,
}

/// Facts that a builder tells only while it runs. Until then a text stands for each.
const TOLD_LATER: [&str; 13] = [
    "ConnType",
    "Host",
    "ID",
    "PackerHTTPAddr",
    "PackerHTTPIP",
    "PackerHTTPPort",
    "PackerRunUUID",
    "Password",
    "Port",
    "SSHPrivateKey",
    "SSHPublicKey",
    "User",
    "WinRMPassword",
];

/// All builds. `scope` has the names that hold everywhere.
pub(super) fn all(builds: &Builds, scope: &Arc<Scope>, session: &mut Session<'_>) -> Vec<Build> {
    let mut all = Vec::new();
    for build in &builds.builds {
        let mut sources = Vec::new();
        for used in &build.uses {
            if let Some(used) = source_use(used, build, builds, scope, session) {
                push_within(&mut sources, used, session.evaluation.bounds());
            }
            if session.evaluation.stopped() {
                break;
            }
        }
        let (name, description) = (build.name.clone(), build.description.clone());
        push_within(&mut all, Build { name, description, sources }, session.evaluation.bounds());
        if session.evaluation.stopped() {
            break;
        }
    }
    // A mistake in a step is one for each source.
    crate::engine::once(&mut session.diagnostics, &mut session.evaluation);
    all
}

/// One use of a source, evaluated; nothing if the source is unknown, or a limit has ended the work. Inside, `source`
/// is the use, and in steps `build` has its facts, of which only the name is known.
fn source_use(
    used: &Use,
    build: &BuildBlock,
    builds: &Builds,
    scope: &Arc<Scope>,
    session: &mut Session<'_>,
) -> Option<SourceUse> {
    let name = used.source.as_ref().filter(|_| !session.evaluation.stopped())?;
    let source = builds.sources.get(name)?;
    let own = object(&[("name", &used.local_name), ("type", &name.source_type)]);
    let in_source = Scope::builder().parent(Arc::clone(scope)).variable("source", own).build();
    let mut facts: Vec<(&str, &str)> = TOLD_LATER.iter().map(|name| (*name, "<unknown>")).collect();
    facts.push(("name", &build.name));
    let in_build = Scope::builder().parent(Arc::clone(&in_source)).variable("build", object(&facts)).build();

    let body = match &used.addition {
        None => evaluated(&source.body, &in_source, &build.place, session),
        Some(addition) => {
            let mut addition = evaluated(addition, &in_source, &build.place, session);
            let body = without(&source.body, &addition, session);
            let mut body = evaluated(&body, &in_source, &build.place, session);
            body.items.append(&mut addition.items);
            body
        }
    };
    let full_name = format!("{}.{}", name.source_type, used.local_name);
    let mut step = |step: &Step| {
        (!step.filter.leaves_out(&full_name) && !session.evaluation.stopped()).then(|| EvaluatedStep {
            step_type: step.step_type.clone(),
            name: step.name.clone(),
            body: evaluated(&step.body, &in_build, &build.place, session),
        })
    };
    let provisioners = build.provisioners.iter().filter_map(&mut step).collect();
    let error_cleanup = build.cleanup.as_ref().and_then(&mut step);
    let sequences =
        build.post_processors.iter().map(|sequence| sequence.iter().filter_map(&mut step).collect());
    let post_processors = sequences.filter(|sequence: &Vec<_>| !sequence.is_empty()).collect();
    Some(SourceUse {
        source: name.clone(),
        name: used.local_name.clone(),
        body,
        provisioners,
        error_cleanup,
        post_processors,
    })
}

/// The body of a source or a step in one use. What is written once is there for each use, so it is charged for.
fn evaluated(body: &Body, scope: &Arc<Scope>, place: &Place, session: &mut Session<'_>) -> EvaluatedBody {
    let (evaluated, problems) = evaluate_body(body, &[], scope, &mut session.evaluation);
    session.diagnostics.extend(problems);
    let n_items = 1 + evaluated.n_items();
    let bytes = n_items * size_of::<EvaluatedItem>();
    let charged = session.evaluation.charge(n_items, bytes as u64, place.in_source());
    session.diagnostics.extend(charged.err().into_iter().flatten());
    evaluated
}

/// A body without the attributes and the types of blocks that another has.
fn without(body: &Body, other: &EvaluatedBody, session: &mut Session<'_>) -> Body {
    let schema = other.items.iter().fold(BodySchema::default(), |schema, item| match item {
        EvaluatedItem::Attribute(attribute, _) => schema.attribute(attribute.written().name()),
        EvaluatedItem::Block(block) => schema.block(&block.block_type, &vec!["name"; block.labels.len()]),
    });
    // Blocks that are taken out are not looked at, and so not complained of.
    let (_, rest, _) = body.partial_content(&schema, &mut session.evaluation);
    rest
}

fn object(attributes: &[(&str, &str)]) -> Value {
    Value::object(attributes.iter().map(|(name, text)| ((*name).into(), Value::string(text))).collect())
}
