//! HCL source text to syntax tree, with diagnostics.
//!
//! A [`source::Source`] owns a text. [`parser::parse_file`], [`parser::parse_expression`] and
//! [`parser::parse_template`] make a flat tree of it, which is read through the views of [`ast`], and a list
//! of [`diagnostic::Diagnostic`]s. Both are always there: parsing never fails to return, whatever the bytes.
//! [`parser::File::parse`] gives a file or an error, for programs that have no use for a file with errors.
//!
//! The crate knows no types, values or functions, so it does not say what an expression means: `hcl-eval` does. It reads no
//! files.
//!
//! # A first program
//!
//! ```
//! use hcl_syntax::parser::{ParseLimits, parse_file};
//! use hcl_syntax::source::Source;
//!
//! let source = Source::new("main.hcl", "port = 80\nname = \nserver \"a\" {}\n")?;
//! let (file, diagnostics) = parse_file(source, &ParseLimits::default());
//! assert_eq!(diagnostics[0].to_string().split(':').next(), Some("main.hcl"));
//! assert_eq!(file.body().attributes().map(|attribute| attribute.name()).collect::<Vec<_>>(), ["port", "name"]);
//! assert_eq!(file.body().blocks().next().map(|block| block.block_type()), Some("server"));
//! # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
//! ```
//!
//! # Modules
//!
//! | to | use |
//! |---|---|
//! | hold a text, and find lines and columns in it | [`source`] |
//! | parse a file, an expression or a template | [`parser`]; [`lexer`] and [`token`] are the step below |
//! | walk the tree, find the variables of an expression | [`ast`] |
//! | read bodies of either syntax by what they may contain | [`config`], with [`schema`] |
//! | read JSON syntax, and write it as native syntax | [`json`] |
//! | show what is wrong: as text, JSON, SARIF, or an error of Rust | [`diagnostic`] |
//! | format | [`format`](mod@format) |
//! | change a file and keep its comments | [`edit`]; [`escape`] writes quoted literals |
//! | bound time, and cancel | [`limits`] |
//!
//! [`hash`], [`memory`] and [`stack`] are for hosts in a sandbox, such as the C interface: they replace what would ask the
//! system.
//!
//! # Features
//!
//! | feature | is | default |
//! |---|---|---|
//! | `explain` | what the codes of diagnostics mean: `diagnostic::explain` | on |
//! | `conversion` | JSON syntax written as native syntax: `json::to_native_for` | on |
//! | `packed` | texts that lie compressed in the program; `explain` needs it | |
//! | `miette` | diagnostics as reports of [miette](https://docs.rs/miette) | |

#![warn(clippy::disallowed_methods)]

pub mod ast;
#[doc(hidden)]
pub mod clusters;
pub mod config;
pub mod diagnostic;
pub mod edit;
pub mod escape;
pub mod format;
pub mod hash;
pub mod json;
pub mod lexer;
pub mod limits;
pub mod memory;
#[cfg(feature = "packed")]
pub mod packed;
pub mod parser;
pub mod schema;
mod schema_text;
#[doc(hidden)]
pub mod sorting;
pub mod source;
pub mod stack;
pub mod token;
