//! Rust types from configuration and back, by serde.
//!
//! Readers and writers that serde derives are much code, which is compiled with the tests and not optimised here.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod text;
mod types;
