//! Declarations: what the blocks of a module's files say, read once, without evaluating anything that has names.
//!
//! Each kind of block has a file with its schema and what it declares. A [`Reader`] reads the blocks of one
//! file; [`Declarations`] holds those of a file, [`Config`](crate::config::Config) those of a module.

pub(crate) mod block;
mod call;
mod constant;
mod ignored;
mod output;
mod provider;
mod provisioner;
mod resource;
mod rule;
mod settings;
mod unread;
mod variable;
mod written;

use hcl_eval::eval::Evaluation;
use hcl_syntax::config::{ConfigBody, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::lexer::is_identifier_within;
use hcl_syntax::memory::Turns;
use hcl_syntax::schema::BodySchema;

pub(crate) use block::DependsOn;
pub(crate) use call::{Call, no_address, no_registry};
pub(crate) use ignored::ignored_attributes;
pub(crate) use output::Output;
pub(crate) use provider::Provider;
pub(crate) use resource::{Mode, Resource};
pub(crate) use rule::{Rule, RuleOf, not_overriding, says_nothing_of};
pub(crate) use settings::{CheckBlock, Settings, Store};
pub(crate) use unread::Unread;
pub(crate) use variable::{Reading, Variable, fitted_default, unfit};
pub(crate) use written::{Part, Parts, Written, quoted};

use crate::place::Place;
use crate::release::Release;
use crate::version::Constraints;

/// True if the blocks of a file stand on their own, or override those of other files.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// They stand on their own.
    Primary,
    /// They change blocks that primary files have.
    Override,
}

/// A local value.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) attribute: ContentAttribute,
    /// From the name to the end of the expression.
    pub(crate) place: Place,
}

/// The declarations of one file, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    pub(crate) variables: Vec<Variable>,
    pub(crate) locals: Vec<Local>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) calls: Vec<Call>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) checks: Vec<CheckBlock>,
    pub(crate) settings: Vec<Settings>,
    pub(crate) providers: Vec<Provider>,
    /// Blocks without values: what an override file must not have.
    pub(crate) unread: Vec<Unread>,
    /// True if there may be more in the file, which could not be read.
    pub(crate) is_partial: bool,
}

impl Declarations {
    /// Releases them, those of which there may be many in turns.
    pub(crate) fn release(self, turns: &mut Turns) {
        turns.release_each(self.variables);
        turns.release_each(self.locals);
        turns.release_each(self.outputs);
        turns.release_each(self.calls);
        turns.release_each(self.resources);
    }
}

/// Reads blocks of one file.
#[derive(Debug)]
pub(crate) struct Reader<'d, 'e> {
    /// The release whose blocks and arguments are known.
    pub(crate) release: Release,
    pub(crate) role: Role,
    /// The demands of the `terraform` block that is being read.
    pub(crate) required: Vec<(Constraints, Place)>,
    /// The budget that constants are charged to.
    pub(crate) evaluation: &'d mut Evaluation<'e>,
    /// The problems so far, of this file and others.
    pub(crate) diagnostics: &'d mut Diagnostics,
}

/// How much work it is to read a block with its arguments.
const PARTS_OF_BLOCK: usize = 256;

impl Reader<'_, '_> {
    /// The blocks that a file may have.
    fn schema(&self) -> BodySchema {
        let schema = BodySchema::default()
            .block("terraform", &[])
            .block("locals", &[])
            .block("variable", &["name"])
            .block("output", &["name"])
            .block("module", &["name"])
            .block("provider", &["name"])
            .block("resource", &["type", "name"])
            .block("data", &["type", "name"])
            .block("check", &["name"])
            .block("moved", &[])
            .block("removed", &[])
            .block("import", &[]);
        let schema =
            if self.release.has_ephemeral() { schema.block("ephemeral", &["type", "name"]) } else { schema };
        let schema =
            if self.release.has_actions() { schema.block("action", &["type", "name"]) } else { schema };
        let schema = if self.release.has_encryption() { schema.block("encryption", &[]) } else { schema };
        if self.release.has_language() { schema.block("language", &[]) } else { schema }
    }

    /// The declarations of a file.
    pub(crate) fn file(&mut self, body: &ConfigBody) -> Declarations {
        let (content, problems) = self.evaluation.content(body, &self.schema());
        self.diagnostics.extend(problems);
        let mut found = Declarations::default();
        for block in &content.blocks {
            if let Err(limit) =
                self.evaluation.go_on(PARTS_OF_BLOCK, (block.source(), block.definition_span()))
            {
                self.diagnostics.extend(limit);
                break;
            }
            let n_told = self.diagnostics.len();
            match block.block_type() {
                "variable" => found.variables.push(self.variable(block)),
                "locals" => self.locals(block, &mut found.locals),
                "output" => found.outputs.push(self.output(block)),
                "module" => found.calls.push(self.call(block)),
                "resource" => found.resources.push(self.resource(block, Mode::Managed)),
                "data" => found.resources.push(self.resource(block, Mode::Data)),
                "ephemeral" => found.resources.push(self.resource(block, Mode::Ephemeral)),
                "check" if self.role == Role::Override => {
                    let title = "Can't override check blocks".to_owned();
                    self.diagnostics.push(not_overriding(title, &Place::of_block(block)));
                }
                "check" => found.checks.push(self.check_block(block)),
                "terraform" => found.settings.push(self.settings(block)),
                "provider" => found.providers.extend(self.provider(block)),
                "language" => self.language(block),
                "moved" => found.unread.push(self.moved(block)),
                "removed" => found.unread.push(self.removed(block)),
                "import" => found.unread.push(self.import(block)),
                _ => {}
            }
            if self.diagnostics.len() > n_told && !self.evaluation.may_report(self.diagnostics) {
                break;
            }
        }
        found
    }

    /// The names of a `locals` block.
    fn locals(&mut self, block: &ContentBlock, locals: &mut Vec<Local>) {
        let (attributes, problems) = self.evaluation.just_attributes(&block.body());
        self.diagnostics.extend(problems);
        for attribute in attributes {
            if self.evaluation.stopped() {
                break;
            }
            let place = Place::of_attribute(&attribute);
            if is_identifier_within(attribute.name(), self.evaluation.bounds()) {
                locals.push(Local { attribute, place });
            } else {
                if !self.evaluation.may_report(self.diagnostics) {
                    break;
                }
                let detail = no_identifier("local value", attribute.name());
                self.diagnostics.push(place.error("module.name", "Invalid local value name", detail));
            }
        }
    }

    /// Reports an error at a place.
    fn complain(&mut self, place: &Place, code: &'static str, title: &str, detail: &str) {
        self.diagnostics.push(place.error(code, title, detail.to_owned()));
    }

    /// The first label of a block, which is a name; complains in the words of `title` if it is none.
    fn name(&mut self, block: &ContentBlock, at: usize, what: &str, title: &'static str) -> String {
        let Some(label) = block.label(at) else { return String::new() };
        if !is_identifier_within(label.text, self.evaluation.bounds()) {
            let place = Place::of_label(block, label);
            self.diagnostics.push(place.error("module.name", title, no_identifier(what, label.text)));
        }
        label.text.to_owned()
    }
}

/// Says what a name has to be.
fn no_identifier(what: &str, name: &str) -> String {
    format!(
        "The {what} is called \"{name}\", which no expression could write as a name. A name begins with a letter or an \
         underscore; letters, digits, underscores and dashes follow."
    )
}
