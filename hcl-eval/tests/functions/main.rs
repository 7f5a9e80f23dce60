//! The functions of the dialects, held against facts and against the corpora of conformance answers.

mod corpus;
mod facts;
mod hostile;
mod keys;
mod products;
mod support;
mod texts;
