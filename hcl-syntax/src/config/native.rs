//! Bodies of native syntax, read by schema.

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::attributes::{Attributes, FEW};
use super::content::{Content, ContentAttribute, ContentBlock};
use super::error::{self, Suggestions};
use super::reading::{Names, Reading, Wanted};
use crate::ast::{Attribute, Block, Body, BodyId, SharedTree};
use crate::hash::NameMap;
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
    attributes: NameMap,
    block_types: Arc<NameMap>,
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

    pub(super) fn content(&self, wanted: &Wanted<'_>, reading: &mut Reading<'_>) -> Content {
        let content = self.wanted(wanted, reading);
        self.complain_of_attributes(wanted, &content, reading);
        self.complain_of_blocks(wanted, &content, reading);
        content
    }

    pub(super) fn partial_content(&self, wanted: &Wanted<'_>, reading: &mut Reading<'_>) -> (Content, Self) {
        let content = self.wanted(wanted, reading);
        let mut hidden = Hidden::default();
        if let Some(before) = &self.hidden {
            reading.add_names(&mut before.attributes.names(), &mut hidden.attributes);
            hidden.block_types = Arc::clone(&before.block_types);
        }
        reading.add_names(&mut content.attributes.iter().map(ContentAttribute::name), &mut hidden.attributes);
        if !wanted.schema.blocks.is_empty() {
            hidden.block_types = wanted.block_types_with(&hidden.block_types, reading);
        }
        (content, Self { hidden: Some(Arc::new(hidden)), ..self.clone() })
    }

    /// Reads what the schema asks for.
    fn wanted(&self, wanted: &Wanted<'_>, reading: &mut Reading<'_>) -> Content {
        let attributes = match reading.is_of_several {
            false => self.take_attributes(wanted.schema, reading),
            true => self.take_attributes_of_several(wanted, reading),
        };
        Content { attributes, blocks: self.take_blocks(wanted, reading) }
    }

    /// The attributes that the schema asks for where nothing is missing in this body: a look at each attribute of the body, of
    /// which there may be fewer than the schema has.
    fn take_attributes_of_several(
        &self,
        wanted: &Wanted<'_>,
        reading: &mut Reading<'_>,
    ) -> Attributes<ContentAttribute> {
        let names = wanted.attributes(reading);
        let attributes = self.body().attributes();
        let n_attributes = attributes.len();
        let mut taken = Attributes::default();
        for (n, attribute) in attributes.enumerate() {
            if !reading.goes_on_at(n, n_attributes) {
                break;
            }
            let name = attribute.name();
            if names.contains(name) && !self.hides_attribute(name) {
                taken.add_within(self.attribute(attribute), reading);
            }
        }
        taken
    }

    fn take_attributes(
        &self,
        schema: &BodySchema,
        reading: &mut Reading<'_>,
    ) -> Attributes<ContentAttribute> {
        if schema.attributes.is_empty() {
            return Attributes::default();
        }
        let attributes = self.body().attributes();
        let table = (attributes.len() > FEW)
            .then(|| Names::new(&mut attributes.clone().map(|attribute| attribute.name()), reading));
        let position = |name: &str| match &table {
            Some(names) => names.position(name),
            None => attributes.clone().position(|attribute| attribute.is_named(name)),
        };
        let mut is_taken: SmallVec<[bool; FEW]> = smallvec![false; attributes.len()];
        let mut n_taken = 0;
        for (n, wanted) in schema.attributes.iter().enumerate() {
            if !reading.goes_on_at(n, schema.attributes.len()) {
                break;
            }
            let found = position(&wanted.name)
                .filter(|&found| !is_taken[found] && !self.hides_attribute(&wanted.name));
            if let Some(found) = found {
                is_taken[found] = true;
                n_taken += 1;
            } else if wanted.required && !reading.is_of_several {
                reading.complain(|| error::missing_argument(&wanted.name, Some(self.missing_item())));
            }
        }
        let mut taken = reading.list_of(n_taken);
        let wanted = attributes.clone().zip(is_taken).filter(|(_, is_taken)| *is_taken);
        for (n, (attribute, _)) in wanted.enumerate() {
            // The first few are part of the look before.
            if n > 0 && !reading.goes_on_at(n, n_taken) {
                break;
            }
            taken.push(self.attribute(attribute));
        }
        Attributes::of_distinct(taken, reading)
    }

    fn take_blocks(&self, wanted: &Wanted<'_>, reading: &mut Reading<'_>) -> Vec<ContentBlock> {
        let mut taken = Vec::new();
        if wanted.schema.blocks.is_empty() {
            return taken;
        }
        let types = wanted.blocks(reading);
        for block in self.body().blocks() {
            if !reading.goes_on() {
                break;
            }
            let block_type = block.block_type();
            let Some(place) = types.position(block_type) else { continue };
            if self.hides_block_type(block_type) {
                continue;
            }
            match error::label_problem(self.source(), block, &wanted.schema.blocks[place]) {
                Some(problem) => reading.complain(|| problem),
                None => reading.push(&mut taken, self.block(block)),
            }
        }
        taken
    }

    fn complain_of_attributes(&self, wanted: &Wanted<'_>, content: &Content, reading: &mut Reading<'_>) {
        if content.attributes.len() == self.body().attributes().len() {
            return;
        }
        let mut suggestions = None;
        let block_types = wanted.blocks(reading);
        for attribute in self.body().attributes() {
            if !reading.goes_on() {
                break;
            }
            let name = attribute.name();
            if self.hides_attribute(name) || content.attributes.contains(name) {
                continue;
            }
            let suggestions = suggestions.get_or_insert_with(|| {
                let names = wanted.schema.attributes.iter().map(|wanted| wanted.name.as_str());
                let is_missing = |name: &&str| reading.goes_on() && !content.attributes.contains(name);
                Suggestions::new(names.filter(is_missing))
            });
            let hint = suggestions.hint_for(name, reading).unwrap_or_else(|| {
                if block_types.contains(name) {
                    format!(" To define a block of type \"{name}\", leave out the equals sign.")
                } else {
                    String::new()
                }
            });
            reading.complain(|| error::unsupported_argument(self.source(), attribute, &hint));
        }
    }

    fn complain_of_blocks(&self, wanted: &Wanted<'_>, content: &Content, reading: &mut Reading<'_>) {
        if content.blocks.len() == self.body().blocks().len() {
            return;
        }
        let types = wanted.blocks(reading);
        let is_odd = |block: &Block<'_>| {
            !types.contains(block.block_type()) && !self.hides_block_type(block.block_type())
        };
        let mut blocks = self.body().blocks();
        let Some(first) = blocks.find(|block| !reading.goes_on() || is_odd(block)) else { return };
        let mut suggestions = Suggestions::new(types.iter());
        let names = wanted.attributes(reading);
        for block in std::iter::once(first).chain(blocks) {
            if !reading.goes_on() {
                break;
            }
            if !is_odd(&block) {
                continue;
            }
            let block_type = block.block_type();
            let hint = suggestions.hint_for(block_type, reading).unwrap_or_else(|| {
                if names.contains(block_type) {
                    format!(" \"{block_type}\" is an argument: set it with an equals sign.")
                } else {
                    String::new()
                }
            });
            reading.complain(|| error::unsupported_block(self.source(), block, &hint));
        }
    }

    pub(super) fn just_attributes(&self, reading: &mut Reading<'_>) -> Vec<ContentAttribute> {
        if let Some(block) = self.body().blocks().next() {
            reading.complain(|| error::unexpected_block(self.source(), block));
        }
        self.all_attributes(reading)
    }

    fn all_attributes(&self, reading: &mut Reading<'_>) -> Vec<ContentAttribute> {
        let mut all = Vec::new();
        for attribute in self.body().attributes() {
            if !reading.goes_on() {
                break;
            }
            if !self.hides_attribute(attribute.name()) {
                reading.push(&mut all, self.attribute(attribute));
            }
        }
        all
    }

    pub(super) fn everything(&self, reading: &mut Reading<'_>) -> Content {
        let attributes = self.all_attributes(reading);
        let mut content =
            Content { attributes: Attributes::of_list(attributes, reading), blocks: Vec::new() };
        for block in self.body().blocks() {
            if !reading.goes_on() {
                break;
            }
            if !self.hides_block_type(block.block_type()) {
                reading.push(&mut content.blocks, self.block(block));
            }
        }
        content
    }

    fn attribute(&self, attribute: Attribute<'_>) -> ContentAttribute {
        ContentAttribute::native(self.tree.clone(), attribute)
    }

    fn block(&self, block: Block<'_>) -> ContentBlock {
        ContentBlock::native(self.tree.clone(), block)
    }
}
