//! Rust types from configuration and back, by serde.
//!
//! What serde makes of a type for a reader and a writer is much code, which is compiled with the tests and not optimised here.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod text;
mod types;
