//! Dynamic blocks: `dynamic "TYPE" { for_each = … content { … } }` stands for any number of blocks.
//!
//! A [`Body`] with an [`Expansion`] reads like one without dynamic blocks: whenever blocks of some type are
//! asked for, those that `dynamic` blocks make of it stand among the written ones, in the order of the text.
//! Expansion happens level by level, because only the schema of a level says which of its blocks are meant.
//! What is below a generated block remembers its iterators ([`Attribute::evaluate`] brings them in), and
//! whether the blocks are there at all is known: when `for_each` is unknown, one block stands for all,
//! and everything in it is unknown.
//!
//! `generator` reads and runs a `dynamic` block, `iteration` holds the values of iterators, `variables` finds
//! the variables that reading and expanding will need.

mod body;
mod code;
mod content;
mod error;
mod expansion;
mod generator;
mod iteration;
mod variables;

pub use body::Body;
#[cfg(feature = "conversion")]
pub(crate) use body::texts_within;
pub(crate) use content::BareContent;
pub use content::{Attribute, Block, Content};
pub use expansion::{Expansion, ForEachCheck};
pub use variables::{Needed, VariableWalk};
