//! The syntax tree.
//!
//! A [`Tree`] holds everything parsed from one source in flat vectors. What one works with are *views*:
//! small `Copy` types ([`Body`], [`Attribute`], [`Block`], [`Expression`] …) that are a place in a tree.
//! Nodes carry spans and no values; a number is the text that was written.

mod build;
mod call;
mod collection;
mod expression;
mod for_expr;
mod operator;
mod static_view;
mod structure;
mod traversal;
mod tree;
mod variables;
mod walk;

pub use call::Call;
pub use collection::{ExpressionList, ObjectItem, ObjectItems, ObjectRules};
pub use expression::{Expression, ExpressionKind, Literal, Splat, SplatKind};
pub use for_expr::ForExpression;
pub use operator::{BinaryOperator, UnaryOperator};
pub use static_view::StaticTraversal;
pub use structure::{Attribute, Block, Body, Label};
pub use traversal::{Step, StepKind, Steps, Traversal};
pub use tree::{BodyId, ExprId, SharedTree, Tree};
pub use variables::{
    functions, functions_while, variable_expressions, variable_expressions_while, variables,
};
pub use walk::{Visit, Walk};

pub(crate) use build::{NewCall, NewFor, NewStep};
pub(crate) use tree::{AttributeNode, BlockNode, Lists};
