//! The variables that a body with dynamic blocks needs, found without evaluating anything.
//!
//! Which blocks a body has depends on schemas, so the walk goes level by level: the caller brings the
//! schema of each level.

use std::sync::Arc;

use hcl_syntax::config::{ConfigBody, ConfigExpression, ContentBlock};
use hcl_syntax::schema::{BlockSchema, BodySchema};

use super::body::{Body, DYNAMIC};
use super::content::root_of;
use super::expansion::Shared;
use crate::Str;

/// The variables that a walk looks for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Needed {
    /// Those of `for_each` and `labels`: what there must be before blocks can be expanded.
    ForExpansion,
    /// Those, and the ones of all attributes.
    ForAll,
}

/// A body on the way through a configuration.
///
/// ```
/// use hcl_eval::dynamic::{Body, Needed, VariableWalk};
/// use hcl_syntax::parser::File;
/// use hcl_syntax::schema::BodySchema;
///
/// let body = Body::from(&File::parse("main.hcl", "a = var.x\nservice {\n  b = var.y\n}\n")?);
/// let walk = VariableWalk::new(&body, Needed::ForAll);
/// let (variables, blocks) = walk.visit(&BodySchema::default().attribute("a").block("service", &[]));
/// assert_eq!((variables.len(), blocks[0].0.as_str()), (1, "service"));
/// assert_eq!(blocks[0].1.visit_attributes().len(), 1);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct VariableWalk {
    body: ConfigBody,
    needed: Needed,
    expansion: Option<Shared>,
    iterators: Option<Arc<IteratorName>>,
}

/// The name of an iterator, with those around it.
#[derive(Debug)]
struct IteratorName {
    name: Str,
    outer: Option<Arc<IteratorName>>,
}

fn binds(iterators: Option<&IteratorName>, name: &str) -> bool {
    std::iter::successors(iterators, |iterator| iterator.outer.as_deref())
        .any(|iterator| iterator.name == name)
}

/// Leaves out the variables that are iterators.
fn free(expression: &ConfigExpression, iterators: Option<&IteratorName>) -> Vec<ConfigExpression> {
    let mut variables = expression.variables();
    variables.retain(|variable| !root_of(variable).is_some_and(|root| binds(iterators, &root)));
    variables
}

impl VariableWalk {
    /// Starts at a body. If its dynamic blocks are to be expanded they are looked into.
    pub fn new(body: &Body, needed: Needed) -> Self {
        let inside = |outer, name| Some(Arc::new(IteratorName { name, outer }));
        let iterators = body.iterators().into_iter().fold(None, inside);
        Self { body: body.written().clone(), needed, expansion: body.shared_expansion(), iterators }
    }

    /// The variables of this level, and the bodies of the blocks that the schema asks for, each with its
    /// block type. What is wrong with the body is not said here.
    pub fn visit(&self, schema: &BodySchema) -> (Vec<ConfigExpression>, Vec<(String, Self)>) {
        let mut extended = schema.clone();
        if self.expansion.is_some() {
            let label_names = vec!["type".to_owned()];
            extended.blocks.push(BlockSchema { block_type: DYNAMIC.to_owned(), label_names });
        }
        let (content, _, _) = self.body.partial_content(&extended);
        let iterators = self.iterators.as_deref();
        let mut variables = Vec::new();
        if self.needed == Needed::ForAll {
            let attributes = content.attributes.iter();
            variables.extend(attributes.flat_map(|attribute| free(&attribute.expression(), iterators)));
        }
        let mut children = Vec::new();
        for block in content.blocks {
            let is_dynamic = self.expansion.is_some() && block.block_type() == DYNAMIC;
            match block.label(0).filter(|_| is_dynamic) {
                Some(label) => self.visit_dynamic(&block, label.text, &mut variables, &mut children),
                None => {
                    let child = self.inside(block.block_type(), block.body(), self.iterators.clone());
                    children.push((block.block_type().to_owned(), child));
                }
            }
        }
        (variables, children)
    }

    /// The variables of this level where all attributes are read whatever their names, and no blocks.
    pub fn visit_attributes(&self) -> Vec<ConfigExpression> {
        if self.needed == Needed::ForExpansion {
            return Vec::new();
        }
        let (attributes, _) = self.body.just_attributes();
        let attributes = attributes.iter();
        attributes.flat_map(|attribute| free(&attribute.expression(), self.iterators.as_deref())).collect()
    }

    /// Adds the variables of a `dynamic` block: of `for_each`, where its own iterator is not in scope yet, and of
    /// `labels`, where it is. The bodies of `content` are visited as blocks of the type.
    fn visit_dynamic(
        &self,
        block: &ContentBlock,
        block_type: &str,
        variables: &mut Vec<ConfigExpression>,
        children: &mut Vec<(String, Self)>,
    ) {
        let schema = BodySchema::default()
            .attribute("for_each")
            .attribute("iterator")
            .attribute("labels")
            .block("content", &[]);
        let (content, _, _) = block.body().partial_content(&schema);
        let name = match content.attributes.get("iterator") {
            // What has no name to tell iterators by will be an error when it is expanded.
            Some(iterator) => match root_of(&iterator.expression()) {
                Some(name) => name,
                None => return,
            },
            None => block_type.to_owned(),
        };
        let own = Some(Arc::new(IteratorName { name: name.into(), outer: self.iterators.clone() }));
        if let Some(for_each) = content.attributes.get("for_each") {
            variables.extend(free(&for_each.expression(), self.iterators.as_deref()));
        }
        if let Some(labels) = content.attributes.get("labels") {
            variables.extend(free(&labels.expression(), own.as_deref()));
        }
        for inner in content.blocks {
            children.push((block_type.to_owned(), self.inside(block_type, inner.body(), own.clone())));
        }
    }

    fn inside(&self, block_type: &str, body: ConfigBody, iterators: Option<Arc<IteratorName>>) -> Self {
        let expansion = self.expansion.clone().filter(|expansion| !expansion.is_opaque(block_type));
        Self { body, needed: self.needed, expansion, iterators }
    }
}
