//! `build` blocks: which sources they use, and what is done with each.
//!
//! Arguments and blocks of Packer itself are read here; the rest belongs to plugins and is kept for `uses.rs`.

use std::sync::Arc;

use hcl_eval::dynamic::{Block, Body, Content, Expansion};
use hcl_eval::eval::Scope;
use hcl_eval::value::Kind;
use hcl_syntax::config::ContentBlock;
use hcl_syntax::diagnostic::suggest;
use hcl_syntax::hash::IndexMap;
use hcl_syntax::lexer::is_identifier;
use hcl_syntax::schema::BodySchema;
use hcl_syntax::source::Range;

use super::error;
use super::release::Release;
use super::session::{Session, Unsuitable};
use crate::place::Place;

/// The name of a `source` block.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub struct SourceName {
    /// Its type, which names a plugin.
    pub source_type: String,
    /// Its name.
    pub name: String,
}

impl std::fmt::Display for SourceName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.source_type, self.name)
    }
}

impl SourceName {
    /// The source that a text refers to: `TYPE.NAME`, or the same behind a word. What follows does not count.
    fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('.').collect();
        let (source_type, name) = match parts.as_slice() {
            [source_type, name] | [_, source_type, name, ..] => (*source_type, *name),
            _ => return None,
        };
        let of = |part: &str| is_identifier(part).then(|| part.to_owned());
        Some(Self { source_type: of(source_type)?, name: of(name)? })
    }
}

/// A `source` block of the top level.
#[derive(Debug)]
pub(super) struct SourceBlock {
    /// Its arguments and blocks, which are the plugin's, with dynamic blocks expanded.
    pub(super) body: Body,
    pub(super) place: Place,
}

/// The use of a source by a build.
#[derive(Debug)]
pub(super) struct Use {
    /// `None` for a `source` block whose label is no reference.
    pub(super) source: Option<SourceName>,
    /// The name in this build.
    pub(super) local_name: String,
    /// The arguments that a `source` block in the build adds.
    pub(super) addition: Option<Body>,
}

/// For which uses of sources something is done.
#[derive(Clone, Debug, Default)]
pub(super) struct OnlyExcept {
    /// The uses that it is for, as `TYPE.NAME`; all if there are none.
    only: Vec<String>,
    /// The uses that it is not for.
    except: Vec<String>,
}

impl OnlyExcept {
    /// True if a use, as `TYPE.NAME`, is left out.
    pub(super) fn leaves_out(&self, name: &str) -> bool {
        let is_named = |names: &[String]| names.iter().any(|known| known == name);
        (!self.only.is_empty() && !is_named(&self.only)) || is_named(&self.except)
    }
}

/// A provisioner or a post-processor.
#[derive(Debug)]
pub(super) struct Step {
    /// The label, which names a plugin.
    pub(super) step_type: String,
    pub(super) name: String,
    /// The uses of sources that it is for.
    pub(super) filter: OnlyExcept,
    /// The arguments that are the plugin's.
    pub(super) body: Body,
}

/// A `build` block.
#[derive(Debug)]
pub(super) struct BuildBlock {
    pub(super) name: String,
    /// The description, empty without one.
    pub(super) description: String,
    pub(super) place: Place,
    /// The uses that the list `sources` names, then those of `source` blocks.
    pub(super) uses: Vec<Use>,
    /// The provisioners, in order.
    pub(super) provisioners: Vec<Step>,
    /// The provisioner for when another failed.
    pub(super) cleanup: Option<Step>,
    /// Sequences, of which each step takes what the one before gives.
    pub(super) post_processors: Vec<Vec<Step>>,
}

/// The sources and builds of a template.
#[derive(Debug, Default)]
pub(super) struct Builds {
    /// The `source` blocks; of several of one name the first.
    pub(super) sources: IndexMap<SourceName, SourceBlock>,
    /// The builds whose heads are in order.
    pub(super) builds: Vec<BuildBlock>,
}

/// Reads `source`, `build` and `hcp_packer_registry` blocks.
pub(super) fn read(blocks: &[ContentBlock], scope: &Arc<Scope>, session: &mut Session<'_>) -> Builds {
    let expansion = Arc::new(Expansion::new(Some(Arc::clone(scope))));
    let expanding = |block: &ContentBlock| Body::expanding(block.body(), Arc::clone(&expansion));
    let mut builds = Builds::default();
    let mut reader = BuildReader { scope, schemas: &Schemas::new(session.release), session };
    let mut registry = None;
    for block in blocks {
        if !reader.session.evaluation.may_report(&reader.session.diagnostics) {
            break;
        }
        let place = Place::of_block(block);
        match block.block_type() {
            "source" => reader.source(block, expanding(block), &mut builds),
            "build" => builds.builds.extend(reader.build(&expanding(block), place)),
            _ => reader.registry(&expanding(block), place, &mut registry),
        }
    }
    reader.check_uses(&builds);
    builds
}

/// Reads blocks with the names that hold everywhere in the template.
struct BuildReader<'r, 'a> {
    scope: &'r Arc<Scope>,
    schemas: &'r Schemas,
    session: &'r mut Session<'a>,
}

/// The schemas of all that is read, each made once.
struct Schemas {
    build: BodySchema,
    /// A use of a source in a build.
    addition: BodySchema,
    provisioner: BodySchema,
    post_processor: BodySchema,
    /// A sequence of post-processors.
    sequence: BodySchema,
    registry: BodySchema,
}

impl Schemas {
    fn new(release: Release) -> Self {
        let build = schema(&["name", "description", "sources"])
            .block("source", &["reference"])
            .block("provisioner", &["type"])
            .block("error-cleanup-provisioner", &["type"])
            .block("post-processor", &["type"])
            .block("post-processors", &[])
            .block("hcp_packer_registry", &[])
            .block("from", &["type"]);
        let provisioner =
            schema(&["name", "only", "except", "pause_before", "timeout", "max_retries", "override"]);
        let continues = release.continues_on_error();
        Self {
            build,
            addition: schema(&["name"]),
            provisioner: if continues { provisioner.attribute("continue_on_error") } else { provisioner },
            post_processor: schema(&["name", "only", "except", "keep_input_artifact"]),
            sequence: BodySchema::default().block("post-processor", &["type"]),
            registry: schema(&[
                "bucket_name",
                "description",
                "bucket_labels",
                "labels",
                "build_labels",
                "channels",
            ]),
        }
    }
}

/// A schema of optional arguments.
fn schema(names: &[&str]) -> BodySchema {
    names.iter().fold(BodySchema::default(), |schema, name| schema.attribute(*name))
}

impl BuildReader<'_, '_> {
    /// Reads the labels of a `source` block. Its body is evaluated for each use.
    fn source(&mut self, block: &ContentBlock, body: Body, builds: &mut Builds) {
        let (Some(source_type), Some(name)) = (block.label(0), block.label(1)) else { return };
        let name = SourceName { source_type: source_type.text.to_owned(), name: name.text.to_owned() };
        let place = Place::of_block(block);
        match builds.sources.get(&name) {
            Some(first) => {
                let what = format!("a source \"{}\" \"{}\"", name.source_type, name.name);
                let title = "Duplicate source block";
                let problem = error::duplicate(title, &what, &first.place.range(), &place);
                self.session.diagnostics.push(problem);
            }
            None => {
                builds.sources.insert(name, SourceBlock { body, place });
            }
        }
    }

    /// Reads a block; `None` if something is wrong with its head. What is inside is not looked at then.
    fn build(&mut self, body: &Body, place: Place) -> Option<BuildBlock> {
        let (content, problems) = body.content(&self.schemas.build, &mut self.session.evaluation);
        let mut failed = !problems.is_empty();
        self.session.diagnostics.extend(problems);
        let scope = Some(self.scope);
        let name = self.session.text(&content, "name", scope);
        let description = self.session.text(&content, "description", scope);
        let sources = self.session.texts(&content, "sources", scope);
        failed |= name.is_err() || description.is_err() || sources.is_err();
        if failed {
            return None;
        }
        let mut uses = self.named_uses(&sources.unwrap_or_default(), &place)?;
        for block in content.blocks.iter().filter(|block| block.block_type() == "source") {
            uses.push(self.use_with_addition(block)?);
        }
        if uses.is_empty() {
            self.session.diagnostics.push(error::no_source(&place));
            return None;
        }
        let mut build = BuildBlock {
            name: name.ok().flatten().unwrap_or_default(),
            description: description.ok().flatten().unwrap_or_default(),
            place,
            uses,
            provisioners: Vec::new(),
            cleanup: None,
            post_processors: Vec::new(),
        };
        self.steps(&content, &mut build);
        Some(build)
    }

    /// The uses that the list `sources` names.
    fn named_uses(&mut self, references: &[String], place: &Place) -> Option<Vec<Use>> {
        let mut uses = Vec::with_capacity(references.len());
        for reference in references {
            if !self.session.evaluation.may_report(&self.session.diagnostics) {
                return None;
            }
            match SourceName::parse(reference) {
                Some(source) => {
                    uses.push(Use { local_name: source.name.clone(), source: Some(source), addition: None });
                }
                None => self.session.diagnostics.push(error::no_source_reference(reference, place)),
            }
        }
        (uses.len() == references.len()).then_some(uses)
    }

    /// `source "TYPE.NAME" { name = "…" }` in a build. The name takes no references but to iterators.
    fn use_with_addition(&mut self, block: &Block) -> Option<Use> {
        let source = block.label(0).and_then(|label| SourceName::parse(label.text));
        let (content, rest, problems) =
            block.body().partial_content(&self.schemas.addition, &mut self.session.evaluation);
        self.session.diagnostics.extend(problems);
        let name = self.session.text(&content, "name", None).ok()?;
        let own = source.as_ref().map(|source| source.name.clone()).unwrap_or_default();
        Some(Use { local_name: name.unwrap_or(own), source, addition: Some(rest) })
    }

    /// Reads provisioners and post-processors. A step in error is left out, the others are looked at nevertheless.
    fn steps(&mut self, content: &Content, build: &mut BuildBlock) {
        let mut first_cleanup: Option<Range> = None;
        let mut registry = None;
        for block in &content.blocks {
            if !self.session.evaluation.may_report(&self.session.diagnostics) {
                break;
            }
            let place = || Place::new(block.source(), block.definition_span());
            match block.block_type() {
                "provisioner" => build.provisioners.extend(self.provisioner(block).ok()),
                "error-cleanup-provisioner" => {
                    if let Some(first) = &first_cleanup {
                        let problem = error::only_one("error-cleanup-provisioner", first, &place());
                        self.session.diagnostics.push(problem);
                        continue;
                    }
                    first_cleanup = Some(place().range());
                    build.cleanup = self.provisioner(block).ok();
                }
                "post-processor" => {
                    build.post_processors.extend(self.post_processor(block).ok().map(|step| vec![step]));
                }
                "post-processors" => build.post_processors.push(self.sequence(&block.body())),
                "hcp_packer_registry" => self.registry(&block.body(), place(), &mut registry),
                _ => {}
            }
        }
    }

    /// Reads a `post-processors` block.
    fn sequence(&mut self, body: &Body) -> Vec<Step> {
        let (content, problems) = body.content(&self.schemas.sequence, &mut self.session.evaluation);
        self.session.diagnostics.extend(problems);
        let mut steps = Vec::new();
        for block in &content.blocks {
            if !self.session.evaluation.may_report(&self.session.diagnostics) {
                break;
            }
            steps.extend(self.post_processor(block).ok());
        }
        steps
    }

    /// Reads what Packer itself reads of a provisioner. All of it is looked at, so that several errors are told at
    /// once.
    fn provisioner(&mut self, block: &Block) -> Result<Step, Unsuitable> {
        let (content, rest, problems) =
            block.body().partial_content(&self.schemas.provisioner, &mut self.session.evaluation);
        self.session.diagnostics.extend(problems);
        let place = Place::new(block.source(), block.definition_span());
        let scope = Some(self.scope);
        let step = self.step(block, &content, rest);
        let mut is_good = self.duration(&content, "pause_before", &place).is_ok();
        is_good &= self.duration(&content, "timeout", &place).is_ok();
        is_good &= self.session.whole_number(&content, "max_retries", scope).is_ok();
        is_good &= self.session.flag(&content, "continue_on_error", scope).is_ok();
        is_good &= self.check_override(&content, &place).is_ok();
        if is_good { step } else { Err(Unsuitable) }
    }

    /// Reads what Packer itself reads of a post-processor.
    fn post_processor(&mut self, block: &Block) -> Result<Step, Unsuitable> {
        let (content, rest, problems) =
            block.body().partial_content(&self.schemas.post_processor, &mut self.session.evaluation);
        self.session.diagnostics.extend(problems);
        let step = self.step(block, &content, rest);
        self.session.flag(&content, "keep_input_artifact", Some(self.scope))?;
        step
    }

    /// The common part of provisioners and post-processors.
    fn step(&mut self, block: &Block, content: &Content, body: Body) -> Result<Step, Unsuitable> {
        let scope = Some(self.scope);
        let name = self.session.text(content, "name", scope);
        let only = self.session.texts(content, "only", scope);
        let except = self.session.texts(content, "except", scope);
        let (name, filter) = (name?, OnlyExcept { only: only?, except: except? });
        if !filter.only.is_empty() && !filter.except.is_empty() {
            let place = Place::new(block.source(), block.definition_span());
            self.session.diagnostics.push(error::only_and_except(&place));
            return Err(Unsuitable);
        }
        let step_type = block.label(0).map_or_else(String::new, |label| label.text.to_owned());
        Ok(Step { step_type, name: name.unwrap_or_default(), filter, body })
    }

    /// Checks an argument that is a duration as Go writes them.
    fn duration(&mut self, content: &Content, name: &str, place: &Place) -> Result<(), Unsuitable> {
        let text = self.session.text(content, name, Some(self.scope))?.unwrap_or_default();
        if text.is_empty() || self.session.evaluation.duration(&text).is_some() {
            return Ok(());
        }
        if self.session.evaluation.stopped() {
            return Err(Unsuitable);
        }
        self.session.diagnostics.push(error::no_duration(name, &text, place));
        Err(Unsuitable)
    }

    /// Checks `override`, which is an object of objects, one for each source that it is for.
    fn check_override(&mut self, content: &Content, place: &Place) -> Result<(), Unsuitable> {
        let Some(attribute) = content.attributes.get("override") else { return Ok(()) };
        let value = self.session.attribute(attribute, Some(self.scope))?;
        let is_object = |kind: Kind| matches!(kind, Kind::Object | Kind::Map | Kind::Unknown);
        let problem = match value.kind() {
            Kind::Null | Kind::Unknown => return Ok(()),
            kind if !is_object(kind) => error::override_is_no_object(None, place),
            _ => {
                let wrong = value.entries().into_iter().flatten().find(|(_, part)| !is_object(part.kind()));
                match wrong {
                    Some((name, _)) => error::override_is_no_object(Some(name), place),
                    None => return Ok(()),
                }
            }
        };
        self.session.diagnostics.push(problem);
        Err(Unsuitable)
    }

    /// Reads a registry's block; `first` is where there is one already.
    fn registry(&mut self, body: &Body, place: Place, first: &mut Option<Place>) {
        if let Some(first) = first {
            self.session.diagnostics.push(error::only_one("hcp_packer_registry", &first.range(), &place));
            return;
        }
        // Anything else in the block is no error.
        let (content, _, problems) =
            body.partial_content(&self.schemas.registry, &mut self.session.evaluation);
        self.session.diagnostics.extend(problems);
        let scope = Some(self.scope);
        let name = self.session.text(&content, "bucket_name", scope).ok().flatten().unwrap_or_default();
        let is_good =
            (3..=36).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !name.is_empty() && !is_good {
            self.session.diagnostics.push(error::bucket_name(&name, &place));
        }
        // Complaints about these are made; nothing depends on what they say.
        let _ = self.session.text(&content, "description", scope);
        for labels in ["bucket_labels", "labels", "build_labels"] {
            let _ = self.session.labels(&content, labels, scope);
        }
        *first = Some(place);
    }

    /// Checks that every source that a build uses is there. A label that is no reference is reported as the source
    /// `.`, as Packer does.
    fn check_uses(&mut self, builds: &Builds) {
        let known: Vec<String> =
            builds.sources.keys().take(suggest::MOST_CANDIDATES).map(SourceName::to_string).collect();
        for build in &builds.builds {
            for used in &build.uses {
                if !self.session.evaluation.bounds().next_item() {
                    return;
                }
                let is_known = used.source.as_ref().is_some_and(|name| builds.sources.contains_key(name));
                if is_known {
                    continue;
                }
                let reference = used.source.as_ref().map_or_else(|| ".".to_owned(), SourceName::to_string);
                self.session.evaluation.bounds().goes_on(suggest::MOST_PARTS);
                let near = suggest::first_similar(&reference, known.iter().map(String::as_str));
                self.session.diagnostics.push(error::unknown_source(&reference, near, &build.place));
            }
        }
    }
}
