//! Conversion, unification, type expressions and defaults.

mod corpus;
mod facts;
mod support;
mod type_expressions;
