//! Schemas: which attributes and blocks a reader of a body expects.
//!
//! Native syntax says by itself what is an attribute and what is a block; JSON syntax does not, so bodies
//! are read by schema ([`ConfigBody::content`](crate::config::ConfigBody::content)). A schema speaks of one
//! body only; a reader of blocks brings the schema for their bodies. A [`NestedSchema`] has the
//! schemas of all bodies.

use crate::hash::HashMap;
use crate::stack;

/// The attributes and blocks that a body may contain.
///
/// ```
/// use hcl_syntax::schema::BodySchema;
///
/// let schema = BodySchema::default()
///     .required_attribute("region")
///     .attribute("zone")
///     .block("service", &["name"]);
/// assert_eq!((schema.attributes.len(), schema.blocks.len()), (2, 1));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct BodySchema {
    /// The attributes. Complaints about missing ones come in this order.
    pub attributes: Vec<AttributeSchema>,
    /// The blocks, each type once.
    pub blocks: Vec<BlockSchema>,
}

/// An attribute that a body may contain.
///
/// ```
/// use hcl_syntax::schema::{AttributeSchema, BodySchema};
///
/// // A schema that is made of data rather than written out.
/// let names = [("region", true), ("zone", false)];
/// let attributes = names.map(|(name, required)| AttributeSchema { name: name.to_owned(), required });
/// let schema = BodySchema { attributes: attributes.into(), ..BodySchema::default() };
/// assert!(schema.attributes[0].required);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AttributeSchema {
    /// The name.
    pub name: String,
    /// True if the attribute must be there.
    pub required: bool,
}

/// A type of blocks that a body may contain, any number of each.
///
/// ```
/// use hcl_syntax::schema::{BlockSchema, BodySchema};
///
/// let service = BlockSchema { block_type: "service".to_owned(), label_names: vec!["name".to_owned()] };
/// let schema = BodySchema { blocks: vec![service], ..BodySchema::default() };
/// assert_eq!(schema.blocks, BodySchema::default().block("service", &["name"]).blocks);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BlockSchema {
    /// The block type.
    pub block_type: String,
    /// The names of the labels in messages; a block has exactly as many labels.
    pub label_names: Vec<String>,
}

impl BodySchema {
    /// Adds an attribute that may be left out.
    #[must_use]
    pub fn attribute(mut self, name: impl Into<String>) -> Self {
        self.attributes.push(AttributeSchema { name: name.into(), required: false });
        self
    }

    /// Adds an attribute that must be there.
    #[must_use]
    pub fn required_attribute(mut self, name: impl Into<String>) -> Self {
        self.attributes.push(AttributeSchema { name: name.into(), required: true });
        self
    }

    /// Adds a type of blocks.
    #[must_use]
    pub fn block(mut self, block_type: impl Into<String>, label_names: &[&str]) -> Self {
        let label_names = label_names.iter().map(|&name| name.to_owned()).collect();
        self.blocks.push(BlockSchema { block_type: block_type.into(), label_names });
        self
    }
}

/// A schema for a body and the bodies in it, all the way down. It tells which properties of JSON syntax are blocks
/// where nobody reads the bodies one by one.
///
/// ```
/// use hcl_syntax::schema::{BodySchema, NestedSchema};
///
/// let service = NestedSchema { body: BodySchema::default().attribute("port"), ..NestedSchema::default() };
/// let mut schema = NestedSchema { body: BodySchema::default().block("service", &[]), ..NestedSchema::default() };
/// schema.blocks.insert("service".to_owned(), service);
/// assert_eq!(schema.blocks["service"].body.attributes[0].name, "port");
/// ```
#[derive(PartialEq, Eq, Debug, Default)]
pub struct NestedSchema {
    /// The schema of the body itself.
    pub body: BodySchema,
    /// The schemas of the blocks of each type. Types that are missing here contain attributes of any names, and no
    /// blocks.
    pub blocks: HashMap<String, NestedSchema>,
}

/// Stack that must be left before a level is copied: in the dev profile a level takes 400 bytes.
const STACK_NEEDED: usize = 32 * 1024;
/// The piece of stack that is added when less than that is left.
const STACK_ADDED: usize = 1024 * 1024;

impl Clone for NestedSchema {
    fn clone(&self) -> Self {
        let blocks = match self.blocks.is_empty() {
            true => HashMap::default(),
            false => stack::ensure(STACK_NEEDED, STACK_ADDED, || self.blocks.clone()),
        };
        Self { body: self.body.clone(), blocks }
    }
}
