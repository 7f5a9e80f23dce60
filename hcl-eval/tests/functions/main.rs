//! The functions of the dialects, held against facts and against the corpora of conformance answers.

mod corpus;
mod facts;
mod hostile;
mod keys;
mod products;
#[path = "../../../tests/stopwatch.rs"]
mod stopwatch;
mod support;
mod texts;
