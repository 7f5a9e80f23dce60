//! HCL source text to syntax tree, with diagnostics.

pub mod ast;
pub mod diagnostic;
pub mod lexer;
pub mod parser;
pub mod source;
pub mod token;
