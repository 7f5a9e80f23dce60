//! Objects as bodies: which properties are attributes and which are blocks is for the schema to say.

use std::sync::Arc;

use super::tree::{JsonTree, NodeKind, PropertyId, PropertyNode, ValueId};
use crate::config::{
    Attributes, Content, ContentAttribute, ContentBlock, JsonBlock, Reading, Suggestions, Wanted, error,
};
use crate::diagnostic::Diagnostic;
use crate::hash::NameMap;
use crate::schema::BlockSchema;
use crate::source::{Source, Span};

/// The name of properties that are comments, in bodies.
const COMMENT: &str = "//";

/// The stack that must be left at each level of labels; it grows where there is less.
const STACK_NEEDED: usize = 32 * 1024;
const STACK_ADDED: usize = 1024 * 1024;

/// A body of JSON syntax, without what earlier readers have taken.
#[derive(Clone, Debug)]
pub(crate) struct JsonBody {
    tree: Arc<JsonTree>,
    value: ValueId,
    /// The names that earlier readers have used.
    hidden: Option<Arc<NameMap>>,
}

impl JsonBody {
    pub(crate) fn new(tree: Arc<JsonTree>, value: ValueId) -> Self {
        Self { tree, value, hidden: None }
    }

    /// The value that is the body.
    #[cfg(feature = "conversion")]
    pub(super) fn value(&self) -> ValueId {
        self.value
    }

    pub(crate) fn source(&self) -> &Source {
        &self.tree.source
    }

    fn property(&self, id: PropertyId) -> &PropertyNode {
        &self.tree.properties[id.0 as usize]
    }

    fn name(&self, id: PropertyId) -> &str {
        let property = self.property(id);
        self.tree.text(property.name_span, property.name)
    }

    fn hides(&self, name: &str) -> bool {
        self.hidden.as_ref().is_some_and(|hidden| hidden.contains(name))
    }

    /// The closing brace of an object, the opening bracket of an array. The empty object that stands in
    /// for a root that is no body has no place.
    pub(crate) fn missing_item(&self) -> Option<(&Source, Span)> {
        let node = self.tree.node(self.value);
        let span = match node.kind {
            NodeKind::Object { .. } if node.span.is_empty() => return None,
            NodeKind::Object { .. } => Span::new(node.span.end - 1, node.span.end),
            _ => self.tree.start_span(self.value),
        };
        Some((self.source(), span))
    }

    pub(crate) fn content(&self, wanted: &Wanted<'_>, reading: &mut Reading<'_>) -> Content {
        let content = self.wanted(wanted, reading);
        let (attributes, blocks) = (wanted.attributes(reading), wanted.blocks(reading));
        let mut suggestions = None;
        self.complain_of_others(self.value, None, reading);
        for id in self.properties(self.value) {
            if !reading.goes_on() {
                break;
            }
            let name = self.name(id);
            let is_wanted = attributes.contains(name) || blocks.contains(name);
            if name != COMMENT && !self.hides(name) && !is_wanted {
                let suggestions = suggestions.get_or_insert_with(|| {
                    let is_missing = |name: &&str| {
                        reading.goes_on() && !self.hides(name) && !content.attributes.contains(name)
                    };
                    Suggestions::new(attributes.iter().filter(is_missing).chain(blocks.iter()))
                });
                let hint = suggestions.hint_for(name, reading).unwrap_or_default();
                let place = (self.source(), self.property(id).name_span);
                reading.complain(|| error::unsupported_property(name, place, &hint));
            }
        }
        content
    }

    pub(crate) fn partial_content(&self, wanted: &Wanted<'_>, reading: &mut Reading<'_>) -> (Content, Self) {
        let content = self.wanted(wanted, reading);
        let (attributes, blocks) = (wanted.attributes(reading), wanted.blocks(reading));
        let mut hidden = NameMap::default();
        reading.add_names(&mut self.hidden.iter().flat_map(|before| before.names()), &mut hidden);
        for id in self.properties(self.value) {
            if !reading.goes_on() {
                break;
            }
            let name = self.name(id);
            if attributes.contains(name) || blocks.contains(name) {
                reading.add_names(&mut std::iter::once(name), &mut hidden);
            }
        }
        (content, Self { hidden: Some(Arc::new(hidden)), ..self.clone() })
    }

    /// Reads what the schema asks for.
    fn wanted(&self, wanted: &Wanted<'_>, reading: &mut Reading<'_>) -> Content {
        let (attributes, blocks) = (wanted.attributes(reading), wanted.blocks(reading));
        let mut content = Content::default();
        self.complain_of_others(self.value, None, reading);
        for id in self.properties(self.value) {
            if !reading.goes_on() {
                break;
            }
            let name = self.name(id);
            if self.hides(name) {
                continue;
            }
            if attributes.contains(name) {
                let attribute = self.attribute(id);
                match content.attributes.get(name) {
                    Some(first) => reading.complain(|| error::duplicate_property(&attribute, first)),
                    None => content.attributes.add_within(attribute, reading),
                }
            } else if let Some(place) = blocks.position(name) {
                let wanted = &wanted.schema.blocks[place];
                let mut blocks = BlockReading { body: self, wanted, id, labels: Vec::new() };
                blocks.read(self.property(id).value, &mut content.blocks, reading);
            }
        }
        if !reading.is_of_several {
            for wanted in wanted.schema.attributes.iter().filter(|wanted| wanted.required) {
                if reading.goes_on() && !content.attributes.contains(&wanted.name) {
                    reading.complain(|| error::missing_argument(&wanted.name, self.missing_item()));
                }
            }
        }
        content
    }

    pub(crate) fn just_attributes(&self, reading: &mut Reading<'_>) -> Vec<ContentAttribute> {
        if !matches!(self.tree.node(self.value).kind, NodeKind::Object { .. }) {
            let place = (self.source(), self.tree.start_span(self.value));
            let detail = "An object is required here, with a property for each argument.";
            reading.complain(|| error::wrong_json_type(detail, place));
            return Vec::new();
        }
        let (attributes, repeated) = self.attributes(reading);
        for second in &repeated {
            if let Some(first) = attributes.get(second.name()).filter(|_| reading.goes_on()) {
                reading.complain(|| error::attribute_defined_twice(second, first));
            }
        }
        attributes.into_list(reading)
    }

    /// The attributes of an object whose names came before, with what reading by schema says of them.
    pub(crate) fn find_duplicates(
        &self,
        found: &mut Vec<(ContentAttribute, Diagnostic)>,
        reading: &mut Reading<'_>,
    ) {
        let (attributes, repeated) = self.attributes(reading);
        for second in repeated {
            if !reading.goes_on() {
                break;
            }
            if let Some(first) = attributes.get(second.name()) {
                let told = error::duplicate_property(&second, first);
                reading.push(found, (second, told));
            }
        }
    }

    /// The properties of an object as attributes, and those whose names came before.
    pub(crate) fn attributes(
        &self,
        reading: &mut Reading<'_>,
    ) -> (Attributes<ContentAttribute>, Vec<ContentAttribute>) {
        let (mut attributes, mut repeated) = (Attributes::default(), Vec::new());
        let properties = self.properties_of_object(self.value);
        attributes.expect(properties.len(), reading);
        for id in properties {
            if !reading.goes_on() {
                break;
            }
            let name = self.name(id);
            if name == COMMENT || self.hides(name) {
                continue;
            }
            match attributes.contains(name) {
                true => reading.push(&mut repeated, self.attribute(id)),
                false => attributes.add_within(self.attribute(id), reading),
            }
        }
        (attributes, repeated)
    }

    fn attribute(&self, id: PropertyId) -> ContentAttribute {
        ContentAttribute::json(Arc::clone(&self.tree), id)
    }

    /// The properties of an object, or of all objects of an array.
    fn properties(&self, value: ValueId) -> impl Iterator<Item = PropertyId> {
        let elements = match self.tree.node(value).kind {
            NodeKind::Array { .. } => self.tree.elements_of(value),
            _ => &[],
        };
        let all = self.properties_of_object(value);
        all.chain(elements.iter().flat_map(|&element| self.properties_of_object(element)))
    }

    /// The properties of an object.
    fn properties_of_object(&self, value: ValueId) -> impl ExactSizeIterator<Item = PropertyId> {
        let ids = match self.tree.node(value).kind {
            NodeKind::Object { first, count } => first..first + count,
            _ => 0..0,
        };
        ids.map(PropertyId)
    }

    /// Complains of what has no properties and is not null: the value, or elements of an array. `label` is what the names of the
    /// properties stand for, if it is a label.
    fn complain_of_others(&self, value: ValueId, label: Option<&str>, reading: &mut Reading<'_>) {
        let complaint = |value: ValueId, expected: &str| {
            let detail = match label {
                Some(label) => {
                    format!("{expected} is required here, with a property for each {label} of a block.")
                }
                None => format!(
                    "{expected} is required here, with a property for each argument and type of blocks."
                ),
            };
            error::wrong_json_type(detail, (self.source(), self.tree.start_span(value)))
        };
        match self.tree.node(value).kind {
            NodeKind::Null | NodeKind::Object { .. } => {}
            NodeKind::Array { .. } => {
                for &element in self.tree.elements_of(value) {
                    if !reading.goes_on() {
                        break;
                    }
                    if !matches!(self.tree.node(element).kind, NodeKind::Object { .. }) {
                        reading.complain(|| complaint(element, "An object"));
                    }
                }
            }
            _ => reading.complain(|| complaint(value, "An object, or an array of objects,")),
        }
    }
}

/// The blocks of one property, as they are read.
struct BlockReading<'b> {
    body: &'b JsonBody,
    wanted: &'b BlockSchema,
    id: PropertyId,
    /// The labels down to the value at hand.
    labels: Vec<PropertyId>,
}

impl BlockReading<'_> {
    fn read(&mut self, value: ValueId, blocks: &mut Vec<ContentBlock>, reading: &mut Reading<'_>) {
        let Some(label) = self.wanted.label_names.get(self.labels.len()) else {
            return self.bodies(value, blocks, reading);
        };
        let body = self.body;
        body.complain_of_others(value, Some(label), reading);
        let mut properties = body.properties(value).peekable();
        if properties.peek().is_none() {
            let place = (body.source(), body.tree.start_span(value));
            reading.complain(|| error::missing_json_label(&self.wanted.block_type, label, place));
        }
        for id in properties {
            if !reading.goes_on() {
                break;
            }
            self.labels.push(id);
            crate::stack::ensure(STACK_NEEDED, STACK_ADDED, || {
                self.read(body.property(id).value, blocks, reading);
            });
            self.labels.pop();
        }
    }

    fn bodies(&self, value: ValueId, blocks: &mut Vec<ContentBlock>, reading: &mut Reading<'_>) {
        let tree = &self.body.tree;
        match tree.node(value).kind {
            NodeKind::Null => {}
            NodeKind::Object { .. } => reading.push(blocks, self.block(value, value)),
            NodeKind::Array { .. } => {
                for &element in tree.elements_of(value) {
                    if !reading.goes_on() {
                        break;
                    }
                    reading.push(blocks, self.block(value, element));
                }
            }
            _ => reading.complain(|| {
                let detail = format!(
                    "An object is required here as the body of a block of type \"{}\", or an array of objects as the bodies of several.",
                    self.wanted.block_type
                );
                error::wrong_json_type(detail, (&tree.source, tree.start_span(value)))
            }),
        }
    }

    fn block(&self, definition: ValueId, body: ValueId) -> ContentBlock {
        ContentBlock::json(JsonBlock {
            tree: Arc::clone(&self.body.tree),
            block_type: self.id,
            labels: self.labels.as_slice().into(),
            definition,
            body,
        })
    }
}
