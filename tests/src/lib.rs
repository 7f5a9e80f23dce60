//! What holds the workspace together.
//!
//! * Case documents: Markdown that is read as a manual of the language and run as tests ([`document`]
//!   reads one, [`check`] says what a case's expectations ought to be, [`notation`] how values are
//!   written in them).
//! * Conformance: the reference's answers to thousands of inputs, held against ours ([`conformance`]).

pub mod check;
pub mod conformance;
pub mod document;
pub mod notation;
pub mod universal;
