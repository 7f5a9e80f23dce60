//! Decoding by specification: one value of a whole body.
//!
//! A [`Spec`] says which attributes, blocks and constants a value is made of. From it follow the schema of the
//! body, the type of the value, the variables that are needed and the value itself. Specifications are built
//! in Rust, or read from a file in the specification language ([`SpecFile`]):
//!
//! ```
//! use hcl_eval::decode::{SpecFile, decode};
//! use hcl_eval::dynamic::Body;
//! use hcl_eval::eval::EvalOptions;
//! use hcl_syntax::config::ConfigBody;
//! use hcl_syntax::parser::{ParseLimits, parse_file};
//! use hcl_syntax::source::Source;
//!
//! let body = |name: &str, text: &str| {
//!     let source = Source::new(name, text).expect("a short text");
//!     ConfigBody::from(&parse_file(source, &ParseLimits::default()).0)
//! };
//! let spec = body("service.hcldec", "object {\n  attr \"port\" {\n    type = number\n  }\n}\n");
//! let (spec, problems) = SpecFile::read(&spec, &EvalOptions::default());
//! assert!(problems.is_empty());
//! let input = Body::from(body("service.hcl", "port = \"80\"\n"));
//! let (value, problems) = decode(&input, &spec.root, None, &EvalOptions::default());
//! assert!(problems.is_empty());
//! assert_eq!(value.to_json()?, r#"{"port":80}"#);
//! # Ok::<(), hcl_eval::ValueError>(())
//! ```
//!
//! `spec` has the parts of specifications, `decoder` and `blocks` make values, `place` finds where a value
//! comes from and `decoded` where a part of one does, `variables` what is needed; `file`, `arguments` and `type_expr` read the
//! specification language.

mod arguments;
mod blocks;
mod code;
mod decoded;
mod decoder;
mod error;
mod file;
mod place;
mod spec;
mod type_expr;
mod variables;

pub use decoded::{Part, decoded_place, path_of_text};
pub use decoder::{decode, decode_with};
pub use file::SpecFile;
pub use place::source_place;
pub use spec::{
    AttributeSpec, BlockAttributesSpec, BlockLabelSpec, BlockMapSpec, BlockSpec, BlocksSpec, BodySpec,
    Collection, ObjectSpec, RefineSpec, Spec, TransformSpec, ValidateSpec, WrittenSpec,
};
pub use variables::{variables, variables_of_dynamic, variables_of_dynamic_within, variables_within};
