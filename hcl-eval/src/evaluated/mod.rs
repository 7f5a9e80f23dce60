//! Bodies as data: every attribute evaluated, dynamic blocks expanded.
//!
//! A [`Layout`] says what a product takes for blocks and in which of them names are free. Without one, native
//! syntax tells blocks from attributes by itself, and every property of JSON syntax is an attribute. All that
//! can't be evaluated is reported, not only the first of it.
//!
//! `read` walks a body, `json` writes what was found as JSON syntax.

mod json;
mod read;

use hcl_syntax::source::{Source, Span};

use crate::dynamic::Attribute;
use crate::value::Value;

pub use json::to_json;
pub use read::evaluate_body;

/// A type of blocks that a product knows in some body.
#[derive(Copy, Clone, Debug)]
pub struct Layout {
    /// The type.
    pub block_type: &'static str,
    /// How many labels blocks of the type have.
    pub n_labels: usize,
    /// The content of the blocks.
    pub inside: Inside,
}

/// The content of blocks of a type.
#[derive(Copy, Clone, Debug)]
pub enum Inside {
    /// Attributes, and blocks of these types; of other types, too, as far as native syntax tells.
    Blocks(&'static [Layout]),
    /// Names that the writer chooses. `dynamic` means nothing special there, and JSON syntax has attributes only.
    Anything,
}

/// The content of a body, in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct EvaluatedBody {
    /// Attributes and blocks.
    pub items: Vec<EvaluatedItem>,
}

/// An attribute or a block of a body.
#[derive(Clone, Debug)]
pub enum EvaluatedItem {
    /// An attribute and its value, which is unknown where evaluation failed.
    Attribute(Attribute, Value),
    /// A block, written or generated.
    Block(EvaluatedBlock),
}

/// A block with what is in it.
#[derive(Clone, Debug)]
pub struct EvaluatedBlock {
    /// The type.
    pub block_type: String,
    /// The labels.
    pub labels: Vec<String>,
    /// The content.
    pub body: EvaluatedBody,
    /// True if it stands for any number of blocks: those of a `dynamic` block whose collection is not known.
    pub is_unknown: bool,
    /// The source that the span is a place in.
    pub source: Source,
    /// The place for messages about the block.
    pub definition_span: Span,
}

/// Blocks nest as deep as the text: their bodies are dropped one after the other.
impl Drop for EvaluatedBody {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.items);
        while let Some(item) = pending.pop() {
            if let EvaluatedItem::Block(mut block) = item {
                pending.append(&mut block.body.items);
            }
        }
    }
}

impl EvaluatedBody {
    /// The value of the attribute of a name.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        self.items.iter().find_map(|item| match item {
            EvaluatedItem::Attribute(attribute, value) if attribute.written().name() == name => Some(value),
            _ => None,
        })
    }

    /// All attributes in it and in the blocks in it, in the order of the text.
    pub fn all_attributes(&self) -> Vec<(&Attribute, &Value)> {
        let mut found = Vec::new();
        let mut pending: Vec<_> = self.items.iter().rev().collect();
        while let Some(item) = pending.pop() {
            match item {
                EvaluatedItem::Attribute(attribute, value) => found.push((attribute, value)),
                EvaluatedItem::Block(block) => pending.extend(block.body.items.iter().rev()),
            }
        }
        found
    }

    /// How many attributes and blocks there are in it and in the blocks in it.
    pub fn n_items(&self) -> usize {
        let mut n_items = 0;
        let mut pending = vec![self];
        while let Some(body) = pending.pop() {
            n_items += body.items.len();
            pending.extend(body.blocks().map(|block| &block.body));
        }
        n_items
    }

    /// The blocks, in the order of the text.
    pub fn blocks(&self) -> impl Iterator<Item = &EvaluatedBlock> {
        self.items.iter().filter_map(|item| match item {
            EvaluatedItem::Block(block) => Some(block),
            EvaluatedItem::Attribute(..) => None,
        })
    }
}
