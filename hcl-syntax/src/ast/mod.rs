//! The syntax tree.
//!
//! A [`Tree`] holds everything parsed from one source in flat vectors. What one works with are *views*:
//! small `Copy` types ([`Body`], [`Attribute`], [`Block`], [`Expression`] …) that are a place in a tree.
//! Nodes carry spans and no values; a number is the text that was written.

mod expression;
mod structure;
mod tree;

pub use expression::{
    BinaryOperator, Call, Expression, ExpressionKind, ExpressionList, ForExpression, ObjectItem, ObjectItems,
    Splat, SplatKind, Step, StepKind, Steps, Traversal, UnaryOperator,
};
pub use structure::{Attribute, Block, Body, Label};
pub use tree::{BodyId, ExprId, Tree};

pub(crate) use tree::{AttributeNode, BlockNode, NewCall, NewFor, NewStep};
