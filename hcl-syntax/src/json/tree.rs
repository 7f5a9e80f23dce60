//! A JSON text as a tree, in flat vectors: nodes in post-order, indexes instead of pointers.

use std::sync::OnceLock;

use super::lower::Lowered;
use crate::parser::ParseLimits;
use crate::source::{Source, Span};

/// Which value of a tree: the index of its node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct ValueId(pub(super) u32);

/// Which property of a tree.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct PropertyId(pub(super) u32);

/// Which string of a tree: its text is the source's between the quotes, or lies among the decoded texts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct TextId(u32);

impl TextId {
    pub(super) const VERBATIM: Self = Self(u32::MAX);

    pub(super) fn is_verbatim(self) -> bool {
        self == Self::VERBATIM
    }
}

#[derive(Copy, Clone, Debug)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) kind: NodeKind,
}

#[derive(Copy, Clone, Debug)]
pub(super) enum NodeKind {
    Null,
    Bool(bool),
    Number,
    String(TextId),
    /// A run of `elements`.
    Array {
        first: u32,
        count: u32,
    },
    /// A run of `properties`.
    Object {
        first: u32,
        count: u32,
    },
    /// Something that made no sense, already reported.
    Invalid,
}

const _: () = assert!(size_of::<Node>() == 20);

#[derive(Copy, Clone, Debug)]
pub(super) struct PropertyNode {
    pub(super) name_span: Span,
    pub(super) name: TextId,
    pub(super) value: ValueId,
}

/// The values of one JSON text.
#[derive(Debug)]
pub(crate) struct JsonTree {
    pub(super) source: Source,
    pub(super) nodes: Vec<Node>,
    pub(super) elements: Vec<ValueId>,
    pub(super) properties: Vec<PropertyNode>,
    texts: Vec<(u32, u32)>,
    buffer: String,
    pub(super) limits: ParseLimits,
    /// The tree of expressions with strings as templates, made when first asked for.
    pub(super) as_templates: OnceLock<Lowered>,
    /// The expressions with strings as they are.
    pub(super) as_literals: OnceLock<Lowered>,
}

impl JsonTree {
    pub(super) fn new(source: Source, limits: ParseLimits) -> Self {
        Self {
            source,
            nodes: Vec::new(),
            elements: Vec::new(),
            properties: Vec::new(),
            texts: Vec::new(),
            buffer: String::new(),
            limits,
            as_templates: OnceLock::new(),
            as_literals: OnceLock::new(),
        }
    }

    pub(super) fn push(&mut self, span: Span, kind: NodeKind) -> ValueId {
        self.nodes.push(Node { span, kind });
        ValueId(index(self.nodes.len() - 1))
    }

    /// Keeps a text that differs from what stands between the quotes; `append` appends it.
    pub(super) fn push_text(&mut self, append: impl FnOnce(&mut String)) -> TextId {
        let start = index(self.buffer.len());
        append(&mut self.buffer);
        self.texts.push((start, index(self.buffer.len())));
        TextId(index(self.texts.len() - 1))
    }

    pub(super) fn node(&self, id: ValueId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// An empty object for a text that has no body.
    pub(super) fn push_placeholder(&mut self) -> ValueId {
        self.push(Span::empty_at(0), NodeKind::Object { first: 0, count: 0 })
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn span(&self, id: ValueId) -> Span {
        self.node(id).span
    }

    pub(crate) fn value_of(&self, id: PropertyId) -> ValueId {
        self.properties[id.0 as usize].value
    }

    pub(crate) fn name_span(&self, id: PropertyId) -> Span {
        self.properties[id.0 as usize].name_span
    }

    /// Returns the place for complaints about a value as a whole: its beginning, if it is a container.
    pub(crate) fn start_span(&self, id: ValueId) -> Span {
        let Node { span, kind } = self.node(id);
        match kind {
            NodeKind::Array { .. } | NodeKind::Object { .. } => Span::new(span.start, span.start + 1),
            _ => span,
        }
    }

    pub(crate) fn limits(&self) -> &ParseLimits {
        &self.limits
    }

    pub(crate) fn is_array(&self, id: ValueId) -> bool {
        matches!(self.node(id).kind, NodeKind::Array { .. })
    }

    /// The elements of an array; nothing for other values.
    pub(crate) fn elements_of(&self, id: ValueId) -> &[ValueId] {
        match self.node(id).kind {
            NodeKind::Array { first, count } => &self.elements[first as usize..(first + count) as usize],
            _ => &[],
        }
    }

    /// The names and values of an object, if it is one.
    pub(crate) fn properties_of(&self, id: ValueId) -> Option<impl Iterator<Item = (PropertyId, ValueId)>> {
        let NodeKind::Object { first, count } = self.node(id).kind else { return None };
        Some((first..first + count).map(|id| (PropertyId(id), self.properties[id as usize].value)))
    }

    /// The text and the place of a string.
    pub(crate) fn string(&self, id: ValueId) -> Option<(&str, Span)> {
        match self.node(id) {
            Node { span, kind: NodeKind::String(text) } => Some((self.text(span, text), span)),
            _ => None,
        }
    }

    /// The text and the place of the name of a property.
    pub(crate) fn name(&self, id: PropertyId) -> (&str, Span) {
        let property = &self.properties[id.0 as usize];
        (self.text(property.name_span, property.name), property.name_span)
    }

    /// Returns the decoded text of the string whose token stands at `span`.
    pub(super) fn text(&self, span: Span, text: TextId) -> &str {
        if text.is_verbatim() {
            return self.source.slice(Span::new(span.start + 1, span.end - 1));
        }
        let (start, end) = self.texts[text.0 as usize];
        &self.buffer[start as usize..end as usize]
    }
}

/// A length as an index; no vector of a tree grows faster than its source, which is at most 1 GiB long.
pub(super) fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
