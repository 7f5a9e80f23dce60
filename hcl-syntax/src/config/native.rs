//! Bodies of native syntax, read by schema.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::content::{Content, ContentAttribute, ContentBlock, ContentLabel};
use super::error::{self, Suggestions};
use super::{ConfigBody, ConfigExpression};
use crate::ast::{Attribute, Block, Body, BodyId, Tree};
use crate::diagnostic::Diagnostics;
use crate::schema::{BlockSchema, BodySchema};
use crate::source::{Source, Span};

/// A body of native syntax, without what earlier readers have taken.
#[derive(Clone, Debug)]
pub(super) struct NativeBody {
    tree: Arc<Tree>,
    body: BodyId,
    hidden: Option<Arc<Hidden>>,
}

/// Names that earlier readers have taken: the attributes they found, and all block types they asked for.
#[derive(Clone, Debug, Default)]
struct Hidden {
    attributes: HashSet<String>,
    block_types: HashSet<String>,
}

impl NativeBody {
    pub(super) fn new(tree: Arc<Tree>, body: BodyId) -> Self {
        Self { tree, body, hidden: None }
    }

    fn body(&self) -> Body<'_> {
        self.tree.body_at(self.body)
    }

    pub(super) fn source(&self) -> &Arc<Source> {
        self.tree.source()
    }

    fn hides_attribute(&self, name: &str) -> bool {
        self.hidden.as_ref().is_some_and(|hidden| hidden.attributes.contains(name))
    }

    fn hides_block_type(&self, block_type: &str) -> bool {
        self.hidden.as_ref().is_some_and(|hidden| hidden.block_types.contains(block_type))
    }

    pub(super) fn missing_item(&self) -> (&Arc<Source>, Span) {
        (self.source(), self.body().missing_item_span())
    }

    pub(super) fn content(&self, schema: &BodySchema) -> (Content, Diagnostics) {
        let (content, rest, mut diagnostics) = self.partial_content(schema);
        rest.complain_of_attributes(schema, &content, &mut diagnostics);
        rest.complain_of_blocks(schema, &mut diagnostics);
        (content, diagnostics)
    }

    pub(super) fn partial_content(&self, schema: &BodySchema) -> (Content, Self, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let mut hidden = self.hidden.as_deref().cloned().unwrap_or_default();
        let mut content = Content::default();
        self.take_attributes(schema, &mut hidden, &mut content, &mut diagnostics);
        self.take_blocks(schema, &mut content, &mut diagnostics);
        hidden.block_types.extend(schema.blocks.iter().map(|block| block.block_type.clone()));
        let rest = Self { hidden: Some(Arc::new(hidden)), ..self.clone() };
        (content, rest, diagnostics)
    }

    fn take_attributes(
        &self,
        schema: &BodySchema,
        hidden: &mut Hidden,
        content: &mut Content,
        diagnostics: &mut Diagnostics,
    ) {
        if schema.attributes.is_empty() {
            return;
        }
        let by_name: HashMap<&str, usize> =
            self.body().attributes().enumerate().map(|(position, item)| (item.name(), position)).collect();
        let attributes: Vec<Attribute<'_>> = self.body().attributes().collect();
        let mut found = Vec::new();
        for wanted in &schema.attributes {
            let position =
                by_name.get(wanted.name.as_str()).filter(|_| !hidden.attributes.contains(&wanted.name));
            if let Some(&position) = position {
                hidden.attributes.insert(wanted.name.clone());
                found.push(position);
            } else if wanted.required {
                diagnostics.push(error::missing_argument(&wanted.name, Some(self.missing_item())));
            }
        }
        found.sort_unstable();
        let found = found.into_iter().map(|position| self.attribute(attributes[position]));
        content.attributes.extend(found.map(|attribute| (attribute.name.clone(), attribute)));
    }

    fn take_blocks(&self, schema: &BodySchema, content: &mut Content, diagnostics: &mut Diagnostics) {
        if schema.blocks.is_empty() {
            return;
        }
        let wanted: HashMap<&str, &BlockSchema> =
            schema.blocks.iter().map(|block| (block.block_type.as_str(), block)).collect();
        for block in self.body().blocks() {
            let Some(wanted) = wanted.get(block.block_type()) else { continue };
            if self.hides_block_type(block.block_type()) {
                continue;
            }
            match error::label_problem(self.source(), block, wanted) {
                Some(problem) => diagnostics.push(problem),
                None => content.blocks.push(self.block(block)),
            }
        }
    }

    fn complain_of_attributes(&self, schema: &BodySchema, content: &Content, diagnostics: &mut Diagnostics) {
        let mut suggestions = Suggestions::new(
            schema
                .attributes
                .iter()
                .map(|wanted| wanted.name.as_str())
                .filter(|&name| !content.attributes.contains_key(name)),
        );
        let block_types: HashSet<&str> =
            schema.blocks.iter().map(|block| block.block_type.as_str()).collect();
        for attribute in self.body().attributes().filter(|attribute| !self.hides_attribute(attribute.name()))
        {
            let name = attribute.name();
            let hint = suggestions.hint_for(name).unwrap_or_else(|| {
                let is_block = block_types.contains(name);
                if is_block {
                    format!(" To define a block of type \"{name}\", leave out the equals sign.")
                } else {
                    String::new()
                }
            });
            diagnostics.push(error::unsupported_argument(self.source(), attribute, &hint));
        }
    }

    fn complain_of_blocks(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) {
        let mut suggestions = Suggestions::new(schema.blocks.iter().map(|wanted| wanted.block_type.as_str()));
        let names: HashSet<&str> = schema.attributes.iter().map(|wanted| wanted.name.as_str()).collect();
        for block in self.body().blocks().filter(|block| !self.hides_block_type(block.block_type())) {
            let block_type = block.block_type();
            let hint = suggestions.hint_for(block_type).unwrap_or_else(|| {
                let is_attribute = names.contains(block_type);
                if is_attribute {
                    format!(" \"{block_type}\" is an argument: set it with an equals sign.")
                } else {
                    String::new()
                }
            });
            diagnostics.push(error::unsupported_block(self.source(), block, &hint));
        }
    }

    pub(super) fn just_attributes(&self) -> (Vec<ContentAttribute>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        if let Some(block) = self.body().blocks().next() {
            diagnostics.push(error::unexpected_block(self.source(), block));
        }
        let attributes = self.body().attributes().filter(|attribute| !self.hides_attribute(attribute.name()));
        (attributes.map(|attribute| self.attribute(attribute)).collect(), diagnostics)
    }

    pub(super) fn everything(&self) -> Content {
        let mut content = Content::default();
        for attribute in self.just_attributes().0 {
            content.attributes.entry(attribute.name.clone()).or_insert(attribute);
        }
        let blocks = self.body().blocks().filter(|block| !self.hides_block_type(block.block_type()));
        content.blocks = blocks.map(|block| self.block(block)).collect();
        content
    }

    fn attribute(&self, attribute: Attribute<'_>) -> ContentAttribute {
        ContentAttribute {
            name: attribute.name().to_owned(),
            name_span: attribute.name_span(),
            span: attribute.span(),
            expression: ConfigExpression::native(Arc::clone(&self.tree), attribute.expression().id()),
            source: Arc::clone(self.source()),
        }
    }

    fn block(&self, block: Block<'_>) -> ContentBlock {
        let label =
            |label: crate::ast::Label<'_>| ContentLabel { text: label.text().to_owned(), span: label.span() };
        ContentBlock {
            block_type: block.block_type().to_owned(),
            type_span: block.type_span(),
            labels: block.labels().map(label).collect(),
            definition_span: block.definition_span(),
            span: block.span(),
            body: ConfigBody::native(Arc::clone(&self.tree), block.body().id()),
            source: Arc::clone(self.source()),
        }
    }
}
