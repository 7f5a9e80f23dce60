//! Folders of Terraform and OpenTofu as objects that evaluate.
//!
//! [`Module::load`] reads the files of a folder and of the modules that it calls; [`Module::evaluate`] gives the
//! value of an expression as the product's own console does, without network, providers or state, and
//! evaluates only what the expression needs. [`Module::check`] evaluates everything.
//!
//! Files come from a [`Files`], so that nothing here touches the system.

#![allow(clippy::result_large_err, reason = "a complaint is the rare case, and is moved once")]

mod address;
#[cfg(feature = "explain")]
pub mod codes;
mod config;
mod declare;
mod definitions;
mod engine;
mod entry;
mod files;
mod graph;
mod inputs;
mod load;
mod module;
mod names;
pub mod nomad;
pub mod packer;
mod place;
mod reference;
mod release;
mod resource_values;
mod tree;
mod unknown;
mod version;

pub use definitions::without_definitions;
pub use entry::{Entry, EntryKind, body_value};
pub use files::{FileError, Files, HostFiles, TextFiles};
pub use graph::GraphNode;
pub use inputs::Given;
pub use load::LoadOptions;
pub use module::{Declared, DeclaredKind, EXPRESSION, Module};
pub use names::with_names;
pub use release::{Product, Release};
pub use resource_values::ResourceValue;
pub use unknown::UnknownOrigin;
