//! Bodies of native syntax, read by schema.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::attributes::{Attributes, FEW};
use super::content::{Content, ContentAttribute, ContentBlock};
use super::error::{self, Suggestions};
use crate::ast::{Attribute, Block, Body, BodyId, SharedTree};
use crate::diagnostic::Diagnostics;
use crate::hash::{HashMap, HashSet};
use crate::schema::BodySchema;
use crate::source::{Source, Span};

/// A body of native syntax, without what earlier readers have taken.
#[derive(Clone, Debug)]
pub(super) struct NativeBody {
    tree: SharedTree,
    body: BodyId,
    hidden: Option<Arc<Hidden>>,
}

/// Names that earlier readers have taken: the attributes they found, and all block types they asked for.
#[derive(Clone, Debug, Default)]
struct Hidden {
    attributes: HashSet<String>,
    block_types: HashSet<String>,
}

/// Names that are looked up; hashed only if they are many.
struct Names<'n> {
    list: SmallVec<[&'n str; FEW]>,
    places: Option<HashMap<&'n str, usize>>,
}

impl<'n> FromIterator<&'n str> for Names<'n> {
    fn from_iter<I: IntoIterator<Item = &'n str>>(names: I) -> Self {
        let list: SmallVec<[&str; FEW]> = names.into_iter().collect();
        let places = (list.len() > FEW).then(|| list.iter().copied().zip(0..).collect());
        Self { list, places }
    }
}

impl Names<'_> {
    /// Where a name is in the list, for the last time.
    fn position(&self, name: &str) -> Option<usize> {
        match &self.places {
            Some(places) => places.get(name).copied(),
            None => self.list.iter().rposition(|other| *other == name),
        }
    }
}

impl NativeBody {
    pub(super) fn new(tree: SharedTree, body: BodyId) -> Self {
        Self { tree, body, hidden: None }
    }

    fn body(&self) -> Body<'_> {
        self.tree.body_at(self.body)
    }

    pub(super) fn source(&self) -> &Source {
        self.tree.source()
    }

    fn hides_attribute(&self, name: &str) -> bool {
        self.hidden.as_ref().is_some_and(|hidden| hidden.attributes.contains(name))
    }

    fn hides_block_type(&self, block_type: &str) -> bool {
        self.hidden.as_ref().is_some_and(|hidden| hidden.block_types.contains(block_type))
    }

    pub(super) fn missing_item(&self) -> (&Source, Span) {
        (self.source(), self.body().missing_item_span())
    }

    pub(super) fn content(&self, schema: &BodySchema) -> (Content, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let content = self.wanted(schema, &mut diagnostics);
        self.complain_of_attributes(schema, &content, &mut diagnostics);
        self.complain_of_blocks(schema, &mut diagnostics);
        (content, diagnostics)
    }

    pub(super) fn partial_content(&self, schema: &BodySchema) -> (Content, Self, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let content = self.wanted(schema, &mut diagnostics);
        let mut hidden = self.hidden.as_deref().cloned().unwrap_or_default();
        hidden.attributes.extend(content.attributes.iter().map(|attribute| attribute.name().to_owned()));
        hidden.block_types.extend(schema.blocks.iter().map(|block| block.block_type.clone()));
        let rest = Self { hidden: Some(Arc::new(hidden)), ..self.clone() };
        (content, rest, diagnostics)
    }

    /// Reads what the schema asks for.
    fn wanted(&self, schema: &BodySchema, diagnostics: &mut Diagnostics) -> Content {
        let mut content = Content::default();
        self.take_attributes(schema, &mut content, diagnostics);
        self.take_blocks(schema, &mut content, diagnostics);
        content
    }

    fn take_attributes(&self, schema: &BodySchema, content: &mut Content, diagnostics: &mut Diagnostics) {
        if schema.attributes.is_empty() {
            return;
        }
        let names: Names<'_> = self.body().attributes().map(|attribute| attribute.name()).collect();
        let mut is_taken: SmallVec<[bool; FEW]> = smallvec![false; names.list.len()];
        for wanted in &schema.attributes {
            let position = names
                .position(&wanted.name)
                .filter(|&position| !is_taken[position] && !self.hides_attribute(&wanted.name));
            if let Some(position) = position {
                is_taken[position] = true;
            } else if wanted.required {
                diagnostics.push(error::missing_argument(&wanted.name, Some(self.missing_item())));
            }
        }
        let taken = self.body().attributes().zip(is_taken).filter(|(_, is_taken)| *is_taken);
        let taken = taken.map(|(attribute, _)| self.attribute(attribute));
        content.attributes = Attributes::of_distinct(taken.collect());
    }

    fn take_blocks(&self, schema: &BodySchema, content: &mut Content, diagnostics: &mut Diagnostics) {
        if schema.blocks.is_empty() {
            return;
        }
        let wanted: Names<'_> = schema.blocks.iter().map(|block| block.block_type.as_str()).collect();
        for block in self.body().blocks() {
            let Some(wanted) = wanted.position(block.block_type()) else { continue };
            if self.hides_block_type(block.block_type()) {
                continue;
            }
            match error::label_problem(self.source(), block, &schema.blocks[wanted]) {
                Some(problem) => diagnostics.push(problem),
                None => content.blocks.push(self.block(block)),
            }
        }
    }

    fn complain_of_attributes(&self, schema: &BodySchema, content: &Content, diagnostics: &mut Diagnostics) {
        if content.attributes.len() == self.body().attributes().len() {
            return;
        }
        let mut suggestions = Suggestions::new(
            schema
                .attributes
                .iter()
                .map(|wanted| wanted.name.as_str())
                .filter(|&name| !content.attributes.contains(name)),
        );
        let block_types: HashSet<&str> =
            schema.blocks.iter().map(|block| block.block_type.as_str()).collect();
        for attribute in self.body().attributes() {
            let name = attribute.name();
            if self.hides_attribute(name) || content.attributes.contains(name) {
                continue;
            }
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
        if self.body().blocks().len() == 0 {
            return;
        }
        let wanted: Names<'_> = schema.blocks.iter().map(|block| block.block_type.as_str()).collect();
        let is_wanted = |block_type: &str| wanted.position(block_type).is_some();
        let is_odd =
            |block: &Block<'_>| !is_wanted(block.block_type()) && !self.hides_block_type(block.block_type());
        let mut odd = self.body().blocks().filter(is_odd).peekable();
        if odd.peek().is_none() {
            return;
        }
        let mut suggestions = Suggestions::new(wanted.list.iter().copied());
        let names: HashSet<&str> = schema.attributes.iter().map(|wanted| wanted.name.as_str()).collect();
        for block in odd {
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
        let attributes = self.just_attributes().0.into_iter().collect();
        let blocks = self.body().blocks().filter(|block| !self.hides_block_type(block.block_type()));
        Content { attributes, blocks: blocks.map(|block| self.block(block)).collect() }
    }

    fn attribute(&self, attribute: Attribute<'_>) -> ContentAttribute {
        ContentAttribute::native(self.tree.clone(), attribute)
    }

    fn block(&self, block: Block<'_>) -> ContentBlock {
        ContentBlock::native(self.tree.clone(), block)
    }
}
