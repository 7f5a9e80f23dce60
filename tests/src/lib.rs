//! Checks that hold the workspace together.
//!
//! * Case documents: Markdown that is read as a manual of the language and run as tests ([`document`]
//!   reads one, [`check`] says what a case's expectations ought to be, [`notation`] how values are
//!   written in them, `module` what definitions in them mean, `folder` what folders come to).
//!   An input may name the dialects whose functions it is evaluated with; functions ask a [`fake_host`].
//! * The function library: facts about the products ([`columns`]), examples and pages ([`reference`]).
//! * The format of the official specification suite, with tests of our own ([`specsuite`]).
//! * Texts that two builds are compared on ([`questions`]); properties of any bytes, for fuzzing ([`fuzz`]).
//! * Conformance: the reference's answers to thousands of inputs, held against ours ([`conformance`]).

pub mod check;
pub mod columns;
pub mod conformance;
pub mod decoded;
pub mod document;
pub mod fake_host;
mod folder;
pub mod fuzz;
mod module;
pub mod notation;
pub mod questions;
pub mod reference;
mod setting;
pub mod specsuite;
pub mod universal;
