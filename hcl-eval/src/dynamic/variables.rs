//! The variables that a body with dynamic blocks needs, found without evaluating anything.
//!
//! Which blocks a body has depends on schemas, so the walk goes level by level: the caller brings the
//! schema of each level.

use std::borrow::Cow;
use std::sync::Arc;

use hcl_syntax::config::{Bounds, ConfigBody, ConfigExpression, ContentBlock, push_within};
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
/// use hcl_syntax::config::Unbounded;
/// use hcl_syntax::parser::File;
/// use hcl_syntax::schema::BodySchema;
///
/// let body = Body::from(&File::parse("main.hcl", "a = var.x\nservice {\n  b = var.y\n}\n")?);
/// let walk = VariableWalk::new(&body, Needed::ForAll);
/// let mut found = Vec::new();
/// let schema = BodySchema::default().attribute("a").block("service", &[]);
/// let blocks = walk.visit(&schema, &mut found, &mut Unbounded);
/// assert_eq!((found.len(), blocks[0].0.as_str()), (1, "service"));
/// blocks[0].1.visit_attributes(&mut found, &mut Unbounded);
/// assert_eq!(found.len(), 2);
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

/// How much memory a name of a schema takes in a copy.
const BYTES_OF_NAME: usize = 128;

/// The variables that a walk has found, and how far it goes.
struct Found<'f, 'b> {
    list: &'f mut Vec<ConfigExpression>,
    bounds: &'b mut dyn Bounds,
}

impl Found<'_, '_> {
    /// Adds the variables of an expression, iterators left out.
    fn add(&mut self, expression: &ConfigExpression, iterators: Option<&IteratorName>) {
        if iterators.is_none() {
            return expression.find_variables(self.list, self.bounds);
        }
        let mut own = Vec::new();
        expression.find_variables(&mut own, self.bounds);
        for variable in own {
            let is_iterator = root_of(&variable).is_some_and(|root| binds(iterators, &root));
            if !is_iterator && !push_within(self.list, variable, self.bounds) {
                break;
            }
        }
    }
}

/// The bodies of blocks, each with its block type.
type Children = Vec<(String, VariableWalk)>;

impl VariableWalk {
    /// Starts at a body. If its dynamic blocks are to be expanded they are looked into.
    pub fn new(body: &Body, needed: Needed) -> Self {
        let inside = |outer, name| Some(Arc::new(IteratorName { name, outer }));
        let iterators = body.iterators().into_iter().fold(None, inside);
        Self { body: body.written().clone(), needed, expansion: body.shared_expansion(), iterators }
    }

    /// Finds the variables of this level, and gives the bodies of the blocks that the schema asks for, each with its
    /// block type. What is wrong with the body is not said here. What has been found when the bounds end it is not all.
    pub fn visit(
        &self,
        schema: &BodySchema,
        found: &mut Vec<ConfigExpression>,
        bounds: &mut dyn Bounds,
    ) -> Vec<(String, Self)> {
        let mut children = Vec::new();
        let mut schema = Cow::Borrowed(schema);
        if self.expansion.is_some() {
            let n = schema.attributes.len() + schema.blocks.len();
            if !bounds.has_room(n.saturating_mul(BYTES_OF_NAME)) {
                return children;
            }
            let label_names = vec!["type".to_owned()];
            schema.to_mut().blocks.push(BlockSchema { block_type: DYNAMIC.to_owned(), label_names });
        }
        let (content, _, _) = self.body.partial_content_within(&schema, bounds);
        let found = &mut Found { list: found, bounds };
        if self.needed == Needed::ForAll {
            for attribute in &content.attributes {
                found.add(&attribute.expression(), self.iterators.as_deref());
            }
        }
        for block in content.blocks {
            if !found.bounds.next_item() {
                break;
            }
            let is_dynamic = self.expansion.is_some() && block.block_type() == DYNAMIC;
            match block.label(0).filter(|_| is_dynamic) {
                Some(label) => self.visit_dynamic(&block, label.text, found, &mut children),
                None => {
                    let child = self.inside(block.block_type(), block.body(), self.iterators.clone());
                    push_within(&mut children, (block.block_type().to_owned(), child), found.bounds);
                }
            }
        }
        children
    }

    /// Finds the variables of this level where all attributes are read whatever their names, and no blocks.
    pub fn visit_attributes(&self, found: &mut Vec<ConfigExpression>, bounds: &mut dyn Bounds) {
        if self.needed == Needed::ForExpansion {
            return;
        }
        let (attributes, _) = self.body.just_attributes_within(bounds);
        let found = &mut Found { list: found, bounds };
        for attribute in &attributes {
            found.add(&attribute.expression(), self.iterators.as_deref());
        }
    }

    /// Adds the variables of a `dynamic` block: of `for_each`, where its own iterator is not in scope yet, and of
    /// `labels`, where it is. The bodies of `content` are visited as blocks of the type.
    fn visit_dynamic(
        &self,
        block: &ContentBlock,
        block_type: &str,
        found: &mut Found<'_, '_>,
        children: &mut Children,
    ) {
        let schema = BodySchema::default()
            .attribute("for_each")
            .attribute("iterator")
            .attribute("labels")
            .block("content", &[]);
        let (content, _, _) = block.body().partial_content_within(&schema, found.bounds);
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
            found.add(&for_each.expression(), self.iterators.as_deref());
        }
        if let Some(labels) = content.attributes.get("labels") {
            found.add(&labels.expression(), own.as_deref());
        }
        for inner in content.blocks {
            let child = self.inside(block_type, inner.body(), own.clone());
            push_within(children, (block_type.to_owned(), child), found.bounds);
        }
    }

    fn inside(&self, block_type: &str, body: ConfigBody, iterators: Option<Arc<IteratorName>>) -> Self {
        let expansion = self.expansion.clone().filter(|expansion| !expansion.is_opaque(block_type));
        Self { body, needed: self.needed, expansion, iterators }
    }
}
