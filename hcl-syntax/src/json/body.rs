//! Objects as bodies: which properties are attributes and which are blocks is for the schema to say.

use std::sync::Arc;

use super::tree::{JsonTree, NodeKind, PropertyId, PropertyNode, ValueId};
use crate::config::{Attributes, Content, ContentAttribute, ContentBlock, JsonBlock, Suggestions, error};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hash::{HashMap, HashSet};
use crate::schema::{BlockSchema, BodySchema};
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
    hidden: Option<Arc<HashSet<String>>>,
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

    pub(crate) fn content(&self, schema: &BodySchema) -> (Content, Diagnostics) {
        let (content, rest, mut diagnostics) = self.partial_content(schema);
        let attributes = schema.attributes.iter().map(|attribute| attribute.name.as_str());
        let block_types = schema.blocks.iter().map(|block| block.block_type.as_str());
        let mut suggestions =
            Suggestions::new(attributes.filter(|name| !rest.hides(name)).chain(block_types));
        for id in self.properties(self.value, None, &mut diagnostics) {
            let name = self.name(id);
            if name != COMMENT && !rest.hides(name) {
                let hint = suggestions.hint_for(name).unwrap_or_default();
                let place = (self.source(), self.property(id).name_span);
                diagnostics.push(error::unsupported_property(name, place, &hint));
            }
        }
        (content, diagnostics)
    }

    pub(crate) fn partial_content(&self, schema: &BodySchema) -> (Content, Self, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let mut content = Content::default();
        let mut used = self.hidden.as_deref().cloned().unwrap_or_default();
        let attributes: HashSet<&str> = schema.attributes.iter().map(|item| item.name.as_str()).collect();
        let blocks: HashMap<&str, &BlockSchema> =
            schema.blocks.iter().map(|block| (block.block_type.as_str(), block)).collect();
        for id in self.properties(self.value, None, &mut diagnostics) {
            let name = self.name(id);
            if self.hides(name) {
                continue;
            }
            if attributes.contains(name) {
                let attribute = self.attribute(id);
                if let Some(first) = content.attributes.get(name) {
                    diagnostics.push(error::duplicate_property(&attribute, first));
                    continue;
                }
                content.attributes.add(attribute);
            } else if let Some(&wanted) = blocks.get(name) {
                let mut reading = BlockReading { body: self, wanted, id, labels: Vec::new() };
                reading.read(self.property(id).value, &mut content.blocks, &mut diagnostics);
            } else {
                continue;
            }
            if !used.contains(name) {
                used.insert(name.to_owned());
            }
        }
        for wanted in schema.attributes.iter().filter(|wanted| wanted.required) {
            if !content.attributes.contains(&wanted.name) {
                diagnostics.push(error::missing_argument(&wanted.name, self.missing_item()));
            }
        }
        let rest = Self { hidden: Some(Arc::new(used)), ..self.clone() };
        (content, rest, diagnostics)
    }

    pub(crate) fn just_attributes(&self) -> (Vec<ContentAttribute>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        if !matches!(self.tree.node(self.value).kind, NodeKind::Object { .. }) {
            let place = (self.source(), self.tree.start_span(self.value));
            let detail = "An object is required here, with a property for each argument.";
            diagnostics.push(error::wrong_json_type(detail, place));
            return (Vec::new(), diagnostics);
        }
        let (attributes, repeated) = self.attributes();
        let complaint = |second: &ContentAttribute| {
            attributes.get(second.name()).map(|first| error::attribute_defined_twice(second, first))
        };
        diagnostics.extend(repeated.iter().filter_map(complaint));
        (attributes.into_iter().collect(), diagnostics)
    }

    /// The attributes of an object whose names came before, with what reading by schema says of them.
    pub(crate) fn duplicates(&self) -> Vec<(ContentAttribute, Diagnostic)> {
        let (attributes, repeated) = self.attributes();
        let complaint = |second: ContentAttribute| {
            let told = error::duplicate_property(&second, attributes.get(second.name())?);
            Some((second, told))
        };
        repeated.into_iter().filter_map(complaint).collect()
    }

    /// The properties of an object as attributes, and those whose names came before.
    fn attributes(&self) -> (Attributes<ContentAttribute>, Vec<ContentAttribute>) {
        let (mut attributes, mut repeated) = (Attributes::default(), Vec::new());
        let NodeKind::Object { first, count } = self.tree.node(self.value).kind else {
            return (attributes, repeated);
        };
        for id in (first..first + count).map(PropertyId) {
            let name = self.name(id);
            if name == COMMENT || self.hides(name) {
                continue;
            }
            match attributes.contains(name) {
                true => repeated.push(self.attribute(id)),
                false => attributes.add(self.attribute(id)),
            }
        }
        (attributes, repeated)
    }

    fn attribute(&self, id: PropertyId) -> ContentAttribute {
        ContentAttribute::json(Arc::clone(&self.tree), id)
    }

    /// The properties of an object, or of all objects of an array; of null none. `label` is what the names
    /// of the properties stand for, if it is a label.
    fn properties(
        &self,
        value: ValueId,
        label: Option<&str>,
        diagnostics: &mut Diagnostics,
    ) -> Vec<PropertyId> {
        let mut complain = |value: ValueId, expected: &str| {
            let detail = match label {
                Some(label) => {
                    format!("{expected} is required here, with a property for each {label} of a block.")
                }
                None => format!(
                    "{expected} is required here, with a property for each argument and type of blocks."
                ),
            };
            diagnostics.push(error::wrong_json_type(detail, (self.source(), self.tree.start_span(value))));
        };
        match self.tree.node(value).kind {
            NodeKind::Null => Vec::new(),
            NodeKind::Object { first, count } => (first..first + count).map(PropertyId).collect(),
            NodeKind::Array { .. } => {
                let mut all = Vec::new();
                for &element in self.tree.elements_of(value) {
                    match self.tree.node(element).kind {
                        NodeKind::Object { first, count } => {
                            all.extend((first..first + count).map(PropertyId));
                        }
                        _ => complain(element, "An object"),
                    }
                }
                all
            }
            _ => {
                complain(value, "An object, or an array of objects,");
                Vec::new()
            }
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
    fn read(&mut self, value: ValueId, blocks: &mut Vec<ContentBlock>, diagnostics: &mut Diagnostics) {
        let Some(label) = self.wanted.label_names.get(self.labels.len()) else {
            return self.bodies(value, blocks, diagnostics);
        };
        let properties = self.body.properties(value, Some(label), diagnostics);
        if properties.is_empty() {
            let place = (self.body.source(), self.body.tree.start_span(value));
            diagnostics.push(error::missing_json_label(&self.wanted.block_type, label, place));
        }
        for id in properties {
            self.labels.push(id);
            crate::stack::ensure(STACK_NEEDED, STACK_ADDED, || {
                self.read(self.body.property(id).value, blocks, diagnostics);
            });
            self.labels.pop();
        }
    }

    fn bodies(&self, value: ValueId, blocks: &mut Vec<ContentBlock>, diagnostics: &mut Diagnostics) {
        let tree = &self.body.tree;
        match tree.node(value).kind {
            NodeKind::Null => {}
            NodeKind::Object { .. } => blocks.push(self.block(value, value)),
            NodeKind::Array { .. } => {
                blocks.extend(tree.elements_of(value).iter().map(|&element| self.block(value, element)));
            }
            _ => {
                let detail = format!(
                    "An object is required here as the body of a block of type \"{}\", or an array of objects as the bodies of several.",
                    self.wanted.block_type
                );
                diagnostics.push(error::wrong_json_type(detail, (&tree.source, tree.start_span(value))));
            }
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
