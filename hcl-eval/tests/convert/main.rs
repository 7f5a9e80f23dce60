//! Conversion, unification, type expressions and defaults.

mod corpus;
mod facts;
#[path = "../../../tests/stopwatch.rs"]
mod stopwatch;
mod support;
mod type_expressions;
