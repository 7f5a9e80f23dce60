//! The README and the pages of the book with programs in Rust, so that they are compiled and run as tests.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "the pages link to files, which mean something on the forge and in the book"
)]
#![doc = include_str!("../../README.md")]

#[doc = include_str!("../../docs/tutorial/rust.md")]
pub mod tutorial {}

#[doc = include_str!("../../docs/guides/untrusted.md")]
pub mod untrusted {}

#[doc = include_str!("../../docs/guides/editing.md")]
pub mod editing {}

#[doc = include_str!("../../docs/guides/outside-world.md")]
pub mod outside_world {}

#[doc = include_str!("../../docs/guides/reloading.md")]
pub mod reloading {}
