//! What reading a body by schema gives.

use indexmap::IndexMap;

use super::{ConfigBody, ConfigExpression};
use crate::source::{Range, Source, Span};

/// The attributes and blocks that a schema asked for, as far as they are there.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// The attributes by name, in the order of the text.
    pub attributes: IndexMap<String, ContentAttribute>,
    /// The blocks of all types, in the order of the text.
    pub blocks: Vec<ContentBlock>,
}

impl Content {
    /// The blocks of one type, in the order of the text.
    pub fn blocks_of_type<'c>(&'c self, block_type: &'c str) -> impl Iterator<Item = &'c ContentBlock> {
        self.blocks.iter().filter(move |block| block.block_type == block_type)
    }
}

/// An attribute of a body.
#[derive(Clone, Debug)]
pub struct ContentAttribute {
    /// The name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// From the name to the end of the expression.
    pub span: Span,
    /// The expression.
    pub expression: ConfigExpression,
    /// What the spans are places in.
    pub source: Source,
}

impl ContentAttribute {
    /// Where the name stands.
    pub fn name_range(&self) -> Range {
        self.source.range(self.name_span)
    }

    /// From the name to the end of the expression.
    pub fn range(&self) -> Range {
        self.source.range(self.span)
    }
}

/// A block of a body.
#[derive(Clone, Debug)]
pub struct ContentBlock {
    /// The block type.
    pub block_type: String,
    /// Where the type stands.
    pub type_span: Span,
    /// The labels, as many as the schema names.
    pub labels: Vec<ContentLabel>,
    /// What messages about the block as a whole point at: its header in native syntax, its opening brace in
    /// JSON syntax.
    pub definition_span: Span,
    /// From the type to the closing brace; in JSON syntax, the object that is its body.
    pub span: Span,
    /// What the block contains.
    pub body: ConfigBody,
    /// What the spans are places in.
    pub source: Source,
}

impl ContentBlock {
    /// Where the type stands.
    pub fn type_range(&self) -> Range {
        self.source.range(self.type_span)
    }

    /// What messages about the block as a whole point at.
    pub fn definition_range(&self) -> Range {
        self.source.range(self.definition_span)
    }

    /// Where each label stands.
    pub fn label_ranges(&self) -> impl ExactSizeIterator<Item = Range> {
        self.labels.iter().map(|label| self.source.range(label.span))
    }
}

/// A label of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContentLabel {
    /// The text, escapes decoded.
    pub text: String,
    /// Where it stands, quotes included.
    pub span: Span,
}
