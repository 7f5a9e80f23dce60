//! JSON values, as they are written.

use super::tree::{JsonTree, NodeKind, PropertyNode, ValueId};
use crate::source::{Source, Span};

/// A value of a JSON text.
///
/// ```
/// use hcl_syntax::json::{JsonFile, JsonKind};
///
/// let file = JsonFile::parse("input.json", r#"{"ports": [80, 443]}"#)?;
/// let ports = file.root().properties().next().unwrap().value();
/// assert_eq!(ports.elements().len(), 2);
/// assert!(matches!(ports.elements().next().unwrap().kind(), JsonKind::Number("80")));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct JsonValue<'t> {
    tree: &'t JsonTree,
    id: ValueId,
}

/// The kind of a value.
///
/// ```
/// use hcl_syntax::json::{JsonFile, JsonKind};
///
/// let file = JsonFile::parse("input.json", r#"{"a": "x\ty", "b": null}"#)?;
/// let kinds: Vec<_> = file.root().properties().map(|property| property.value().kind()).collect();
/// assert!(matches!(kinds[..], [JsonKind::String("x\ty"), JsonKind::Null]));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
#[non_exhaustive]
pub enum JsonKind<'t> {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, as written.
    Number(&'t str),
    /// A string, escapes decoded.
    String(&'t str),
    /// An array.
    Array,
    /// An object.
    Object,
    /// Something that made no sense and was reported.
    Invalid,
}

/// A property of an object.
///
/// ```
/// use hcl_syntax::json::JsonFile;
///
/// let file = JsonFile::parse("input.json", r#"{"port": 80}"#)?;
/// let port = file.root().properties().next().unwrap();
/// assert_eq!(port.name(), "port");
/// assert_eq!(file.source().slice(port.value().span()), "80");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct JsonProperty<'t> {
    tree: &'t JsonTree,
    node: &'t PropertyNode,
}

impl<'t> JsonValue<'t> {
    pub(super) fn new(tree: &'t JsonTree, id: ValueId) -> Self {
        Self { tree, id }
    }

    /// Returns the kind of the value, with its parts.
    pub fn kind(self) -> JsonKind<'t> {
        let node = self.tree.node(self.id);
        match node.kind {
            NodeKind::Null => JsonKind::Null,
            NodeKind::Bool(value) => JsonKind::Bool(value),
            NodeKind::Number => JsonKind::Number(self.tree.source.slice(node.span)),
            NodeKind::String(text) => JsonKind::String(self.tree.text(node.span, text)),
            NodeKind::Array { .. } => JsonKind::Array,
            NodeKind::Object { .. } => JsonKind::Object,
            NodeKind::Invalid => JsonKind::Invalid,
        }
    }

    /// Where it stands.
    pub fn span(self) -> Span {
        self.tree.node(self.id).span
    }

    /// The text it is in.
    pub fn source(self) -> &'t Source {
        &self.tree.source
    }

    /// The elements of an array; nothing for other values.
    pub fn elements(self) -> impl ExactSizeIterator<Item = Self> + Clone {
        let (first, count) = match self.tree.node(self.id).kind {
            NodeKind::Array { first, count } => (first as usize, count as usize),
            _ => (0, 0),
        };
        self.tree.elements[first..first + count].iter().map(move |&id| Self { tree: self.tree, id })
    }

    /// The properties of an object as written, duplicates kept; nothing for other values.
    pub fn properties(self) -> impl ExactSizeIterator<Item = JsonProperty<'t>> + Clone {
        let (first, count) = match self.tree.node(self.id).kind {
            NodeKind::Object { first, count } => (first as usize, count as usize),
            _ => (0, 0),
        };
        let nodes = &self.tree.properties[first..first + count];
        nodes.iter().map(move |node| JsonProperty { tree: self.tree, node })
    }
}

impl<'t> JsonProperty<'t> {
    /// The name, escapes decoded.
    pub fn name(self) -> &'t str {
        self.tree.text(self.node.name_span, self.node.name)
    }

    /// Where the name stands, quotes included.
    pub fn name_span(self) -> Span {
        self.node.name_span
    }

    /// The value.
    pub fn value(self) -> JsonValue<'t> {
        JsonValue { tree: self.tree, id: self.node.value }
    }

    /// From the name to the end of the value.
    pub fn span(self) -> Span {
        self.node.name_span.to(self.value().span())
    }
}

impl std::fmt::Debug for JsonValue<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.tree.source.slice(self.span()))
    }
}

impl std::fmt::Debug for JsonProperty<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}: {:?}", self.name(), self.value())
    }
}
