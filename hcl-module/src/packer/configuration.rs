//! The declarations of a template: its blocks, read file by file.
//!
//! This is the first half of Packer's first phase. Blocks are held against the schema of the top level, where dynamic
//! blocks mean nothing; variables, locals and data sources are read, since everything else may refer to them. What is
//! in sources and builds is left for later.

use std::sync::Arc;

use hcl_eval::dynamic::Body;
use hcl_eval::eval::Scope;
use hcl_syntax::config::{ConfigBody, ConfigExpression, ContentBlock};
use hcl_syntax::hash::{HashMap, IndexMap};
use hcl_syntax::lexer::is_identifier_within;
use hcl_syntax::schema::BodySchema;

use super::error;
use super::release::Release;
use super::session::Session;
use super::variable::Variable;
use crate::place::Place;

/// A local value.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) name: String,
    /// The expression of its value.
    pub(super) expression: ConfigExpression,
    /// True if texts in its value are not to be shown.
    pub(super) is_sensitive: bool,
}

/// A data source.
#[derive(Debug)]
pub(super) struct Data {
    /// Its type, which names a plugin.
    pub(super) data_type: String,
    pub(super) name: String,
    /// Its arguments and blocks, which are the plugin's.
    pub(super) body: ConfigBody,
    pub(super) place: Place,
}

impl Data {
    /// `data.TYPE.NAME`
    pub(super) fn address(&self) -> String {
        format!("data.{}.{}", self.data_type, self.name)
    }
}

/// The blocks of a template.
#[derive(Debug, Default)]
pub(super) struct Configuration {
    /// The variables by name; of several of one name the first. The same goes for locals and data sources.
    pub(super) variables: IndexMap<String, Variable>,
    /// The locals, in the order of the files.
    pub(super) locals: Vec<Local>,
    local_positions: HashMap<String, usize>,
    /// The data sources, in the order of the files.
    pub(super) data: Vec<Data>,
    data_positions: HashMap<(String, String), usize>,
    /// `source`, `build` and `hcp_packer_registry` blocks, in order.
    pub(super) later: Vec<ContentBlock>,
}

impl Configuration {
    /// The position of a local.
    pub(super) fn local(&self, name: &str) -> Option<usize> {
        self.local_positions.get(name).copied()
    }

    /// The position of a data source.
    pub(super) fn data(&self, data_type: &str, name: &str) -> Option<usize> {
        self.data_positions.get(&(data_type.to_owned(), name.to_owned())).copied()
    }
}

/// The blocks of the top level.
fn top_level(release: Release) -> BodySchema {
    let schema = BodySchema::default()
        .block("packer", &[])
        .block("variable", &["name"])
        .block("variables", &[])
        .block("locals", &[])
        .block("local", &["name"])
        .block("data", &["type", "name"])
        .block("source", &["type", "name"])
        .block("build", &[])
        .block("communicator", &["type", "name"]);
    if release.has_registry_at_top() { schema.block("hcp_packer_registry", &[]) } else { schema }
}

/// Reads the blocks of files, of which complaints go to the session.
pub(super) fn read(files: &[ConfigBody], defaults: &Arc<Scope>, session: &mut Session<'_>) -> Configuration {
    let mut reader = Reader { session, defaults, configuration: Configuration::default() };
    for file in files {
        let (content, problems) = reader.session.evaluation.content(file, &top_level(reader.session.release));
        reader.session.diagnostics.extend(problems);
        for block in content.blocks {
            if !reader.session.evaluation.may_report(&reader.session.diagnostics) {
                break;
            }
            reader.block(block);
        }
    }
    reader.configuration
}

/// Reads blocks one after the other.
struct Reader<'r, 'a> {
    session: &'r mut Session<'a>,
    /// The functions that defaults of variables may call.
    defaults: &'r Arc<Scope>,
    configuration: Configuration,
}

impl Reader<'_, '_> {
    /// Reads a block of the top level. `communicator` blocks have no meaning in templates.
    fn block(&mut self, block: ContentBlock) {
        match block.block_type() {
            "packer" => super::settings::read_plugins(&block, self.session),
            "variable" => {
                if let Some(variable) = super::variable::of_block(&block, self.defaults, self.session) {
                    self.add_variable(variable);
                }
            }
            "variables" => {
                let (attributes, problems) =
                    Body::from(block.body()).just_attributes_within(self.session.evaluation.bounds());
                self.session.diagnostics.extend(problems);
                for attribute in &attributes {
                    if !self.session.evaluation.bounds().next_item() {
                        break;
                    }
                    let variable = super::variable::of_attribute(attribute, self.defaults, self.session);
                    self.add_variable(variable);
                }
            }
            "locals" => {
                let (attributes, problems) = self.session.evaluation.just_attributes(&block.body());
                self.session.diagnostics.extend(problems);
                for attribute in &attributes {
                    if !self.session.evaluation.bounds().next_item() {
                        break;
                    }
                    let expression = attribute.expression();
                    self.add_local(Local {
                        name: attribute.name().to_owned(),
                        expression,
                        is_sensitive: false,
                    });
                }
            }
            "local" => self.local(&block),
            "data" => self.data(&block),
            "communicator" => {}
            _ => self.configuration.later.push(block),
        }
    }

    /// Adds a variable unless one of its name is there.
    fn add_variable(&mut self, variable: Variable) {
        match self.configuration.variables.get(&variable.name) {
            Some(first) => {
                let what = format!("a variable \"{}\"", variable.name);
                let first = first.place.range();
                let title = "Duplicate variable";
                let problem = error::duplicate(title, &what, &first, &variable.place);
                self.session.diagnostics.push(problem);
            }
            None => {
                self.configuration.variables.insert(variable.name.clone(), variable);
            }
        }
    }

    /// Reads a `local` block, whose value is its argument `expression`.
    fn local(&mut self, block: &ContentBlock) {
        let schema = BodySchema::default().attribute("expression").attribute("sensitive");
        let (content, problems) = Body::from(block.body()).content(&schema, &mut self.session.evaluation);
        self.session.diagnostics.extend(problems);
        let Some(label) = block.label(0) else { return };
        if !is_identifier_within(label.text, self.session.evaluation.bounds()) {
            let place = Place::of_label(block, label);
            let problem = error::no_identifier("Invalid local name", label.text, &place);
            self.session.diagnostics.push(problem);
        }
        let is_sensitive = self.session.flag(&content, "sensitive", None) == Ok(Some(true));
        match content.attributes.get("expression") {
            Some(expression) => {
                let expression = expression.expression();
                self.add_local(Local { name: label.text.to_owned(), expression, is_sensitive });
            }
            None => {
                let problem = error::no_expression(label.text, &Place::of_block(block));
                self.session.diagnostics.push(problem);
            }
        }
    }

    /// Adds a local unless one of its name is there. The place of a duplicate is its expression, as Packer has it.
    fn add_local(&mut self, local: Local) {
        let configuration = &mut self.configuration;
        match configuration.local(&local.name) {
            Some(first) => {
                let what = format!("a local \"{}\"", local.name);
                let first = configuration.locals[first].expression.range();
                let place = Place::of(&local.expression);
                let title = "Duplicate local definition";
                let problem = error::duplicate(title, &what, &first, &place);
                self.session.diagnostics.push(problem);
            }
            None => {
                configuration.local_positions.insert(local.name.clone(), configuration.locals.len());
                configuration.locals.push(local);
            }
        }
    }

    /// Reads the labels of a `data` block. One with a wrong name is not declared.
    fn data(&mut self, block: &ContentBlock) {
        let (Some(data_type), Some(name)) = (block.label(0), block.label(1)) else { return };
        let titles = [(data_type, "Invalid data source name"), (name, "Invalid data resource name")];
        let mut is_named = true;
        for (label, title) in titles {
            if is_identifier_within(label.text, self.session.evaluation.bounds()) {
                continue;
            }
            let place = Place::of_label(block, label);
            self.session.diagnostics.push(error::no_identifier(title, label.text, &place));
            is_named = false;
        }
        if !is_named {
            return;
        }
        let configuration = &mut self.configuration;
        let place = Place::of_block(block);
        let key = (data_type.text.to_owned(), name.text.to_owned());
        if let Some(&first) = configuration.data_positions.get(&key) {
            let what = format!("a data source \"{}\" \"{}\"", key.0, key.1);
            let first = configuration.data[first].place.range();
            let problem = error::duplicate("Duplicate data block", &what, &first, &place);
            self.session.diagnostics.push(problem);
            return;
        }
        configuration.data_positions.insert(key.clone(), configuration.data.len());
        configuration.data.push(Data { data_type: key.0, name: key.1, body: block.body(), place });
    }
}
