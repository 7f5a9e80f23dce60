//! Bodies that nobody but a plugin knows the schema of, evaluated by the schema that their text implies.

use std::collections::HashSet;
use std::sync::Arc;

use hcl_eval::Value;
use hcl_eval::dynamic::{self, Body};
use hcl_eval::eval::Scope;
use hcl_syntax::config::{ConfigBody, ConfigExpression};
use hcl_syntax::schema::BodySchema;

use super::session::Session;

/// The arguments and blocks of a body, with values, dynamic blocks expanded. Arguments without a value are left out.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EvaluatedBody {
    /// Arguments in the order of the text.
    pub attributes: Vec<(String, Value)>,
    /// Blocks in the order of the text.
    pub blocks: Vec<EvaluatedBlock>,
}

/// A block with values.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EvaluatedBlock {
    /// The block type.
    pub block_type: String,
    /// The labels.
    pub labels: Vec<String>,
    /// What is in it.
    pub body: EvaluatedBody,
}

impl EvaluatedBody {
    /// The value of an argument.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// The names and block types of a body that are not evaluated, because another body says what they are.
#[derive(Debug, Default)]
pub(super) struct Overridden {
    attributes: HashSet<String>,
    blocks: HashSet<String>,
}

impl Overridden {
    /// What is written in a body.
    pub(super) fn by(body: &Body) -> Self {
        let (schema, names) = implied(body);
        Self {
            attributes: names.into_iter().collect(),
            blocks: schema.blocks.into_iter().map(|block| block.block_type).collect(),
        }
    }
}

/// Evaluates everything in a body but what is overridden.
pub(super) fn evaluate(
    body: &Body,
    overridden: &Overridden,
    scope: &Arc<Scope>,
    session: &mut Session<'_>,
) -> EvaluatedBody {
    let (schema, _) = implied(body);
    let (content, problems) = body.content(&schema, &mut session.evaluation);
    session.diagnostics.extend(problems);
    let mut evaluated = EvaluatedBody::default();
    for attribute in content.attributes.iter() {
        let name = attribute.written().name();
        if overridden.attributes.contains(name) {
            continue;
        }
        if let Ok(value) = session.attribute(attribute, Some(scope)) {
            evaluated.attributes.push((name.to_owned(), value));
        }
    }
    let wanted = |block: &&dynamic::Block| !overridden.blocks.contains(block.block_type());
    for block in content.blocks.iter().filter(wanted) {
        let inner = evaluate(&block.body(), &Overridden::default(), scope, session);
        evaluated.blocks.push(EvaluatedBlock {
            block_type: block.block_type().to_owned(),
            labels: block.labels().map(|label| label.text.to_owned()).collect(),
            body: inner,
        });
    }
    evaluated
}

/// The schema that a body fits, and the names of its attributes. In JSON syntax everything is an attribute but for
/// dynamic blocks and blocks of the types that they make.
fn implied(body: &Body) -> (BodySchema, Vec<String>) {
    let written = body.everything();
    let mut types = BlockTypes::default();
    for block in &written.blocks {
        match block.label(0) {
            Some(label) if block.block_type() == DYNAMIC => {
                let inner = block.body().everything();
                let labels = inner.attributes.get("labels").map(dynamic::Attribute::expression);
                types.add(label.text, n_elements(labels.as_ref()));
            }
            _ => types.add(block.block_type(), block.n_labels()),
        }
    }
    let generator = written.attributes.get(DYNAMIC).filter(|attribute| attribute.expression().is_json());
    if generator.is_some() {
        types.add_generated(body.written());
    }
    let is_attribute = |name: &str| !(generator.is_some() && (name == DYNAMIC || types.contains(name)));
    let names = written.attributes.iter().map(|attribute| attribute.written().name());
    let names: Vec<String> = names.filter(|name| is_attribute(name)).map(str::to_owned).collect();
    let schema = names.iter().fold(types.schema, |schema, name| schema.attribute(name));
    (schema, names)
}

const DYNAMIC: &str = "dynamic";

/// Block types, each once, with as many labels as the first of the type has.
#[derive(Default)]
struct BlockTypes {
    schema: BodySchema,
    known: HashSet<String>,
}

impl BlockTypes {
    fn add(&mut self, block_type: &str, n_labels: usize) {
        if self.known.insert(block_type.to_owned()) {
            let schema = std::mem::take(&mut self.schema);
            self.schema = schema.block(block_type, &vec!["name"; n_labels]);
        }
    }

    fn contains(&self, block_type: &str) -> bool {
        self.known.contains(block_type)
    }

    /// Adds the types that the dynamic blocks of a body of JSON syntax make.
    fn add_generated(&mut self, body: &ConfigBody) {
        let (content, _, _) = body.partial_content(&BodySchema::default().block(DYNAMIC, &["type"]));
        for block in &content.blocks {
            let labels = block.body().everything().expression("labels");
            if let Some(label) = block.label(0) {
                self.add(label.text, n_elements(labels.as_ref()));
            }
        }
    }
}

fn n_elements(list: Option<&ConfigExpression>) -> usize {
    list.and_then(ConfigExpression::static_list).map_or(0, |elements| elements.len())
}
