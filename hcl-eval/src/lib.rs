//! HCL types, values, functions and evaluation.
//!
//! An expression that `hcl-syntax` has parsed is evaluated in a scope, which says what names mean, and gives a value, with
//! diagnostics beside it. The crate does no I/O: functions reach files, clock, environment and randomness only through the
//! [`host`] of an evaluation. Folders of Terraform, templates of Packer and jobs of Nomad are the business of `hcl-module`.
//!
//! # A first program
//!
//! ```
//! use hcl_eval::eval::{Scope, evaluate_str};
//! use hcl_eval::{Value, dialect};
//!
//! let request = Value::from_iter([("user", Value::from("ann")), ("tries", Value::from(3))]);
//! let scope = Scope::builder().functions(dialect::terraform()).variable("request", request).build();
//!
//! let value = evaluate_str("request.tries < 5 ? upper(request.user) : null", Some(&scope))?;
//! assert_eq!(value.as_str(), Some("ANN"));
//! # Ok::<(), hcl_syntax::diagnostic::Error>(())
//! ```
//!
//! # Modules
//!
//! | to | use |
//! |---|---|
//! | evaluate an expression once | [`eval`] |
//! | compile it, and evaluate it again and again | [`program`] |
//! | evaluate a program over the rows of a table | `columns`; `hcl-arrow` brings tables of Apache Arrow |
//! | make values, look into them, calculate with them | [`value`] |
//! | name types, read type expressions, convert | [`types`], [`convert`] |
//! | take the functions of a product, or define some | [`dialect`], [`function`] |
//! | let functions read files, the clock, the environment | [`host`] |
//! | bound steps, memory, depth and time | [`limits`] |
//! | read a file into types of Rust | `serde` |
//! | read a body by a specification | [`decode`] |
//! | read bodies with `dynamic` blocks | [`dynamic`] |
//! | evaluate definitions that need each other | [`order`] |
//! | evaluate all of a body; write native syntax as JSON syntax | `evaluated`, `json_syntax` |
//! | write values into documents | [`written`] |
//! | show how a result came about, what a code means | `explain`, `codes` |
//! | list functions with notes and examples | [`mod@reference`] |
//! | read durations such as `1h30m` | [`duration`] |
//!
//! # Features
//!
//! All are on by default. A function whose family is off is in no [`dialect`].
//!
//! | feature | is |
//! |---|---|
//! | `basics`, `regex`, `encoding`, `hash`, `datetime`, `network`, `csv`, `yaml`, `compression`, `crypto`, `uuid`, `text-encoding` | families of functions: numbers, texts and collections first |
//! | `serde` | the module `serde` |
//! | `columns` | the module `columns` |
//! | `dynamic` | bodies whose dynamic blocks are expanded; without it the module [`dynamic`] reads bodies as they are |
//! | `conversion` | the modules `evaluated` and `json_syntax` |
//! | `explain` | the modules `explain` and `codes` |
//! | `system-host` | [`host`]s that open the real files, environment, clock and randomness |

#[cfg(any(feature = "columns", feature = "datetime"))]
mod calendar;
#[cfg(feature = "explain")]
pub mod codes;
#[cfg(feature = "columns")]
pub mod columns;
pub mod convert;
pub mod decode;
pub mod dialect;
pub mod duration;
pub mod dynamic;
pub mod eval;
#[cfg(feature = "conversion")]
pub mod evaluated;
#[cfg(feature = "explain")]
pub mod explain;
pub mod function;
pub mod host;
#[cfg(feature = "conversion")]
pub mod json_syntax;
pub mod limits;
pub mod order;
pub mod program;
pub mod reference;
#[cfg(feature = "serde")]
pub mod serde;
mod stack;
#[cfg(feature = "basics")]
mod stdlib;
mod text;
pub mod types;
pub mod value;
pub mod written;

pub(crate) use hcl_syntax::sorting;
pub use text::Str;
pub use types::{ObjectAttribute, ObjectType, TupleType, Type};
pub use value::{Kind, Mark, Marks, Number, Path, PathStep, Refinement, Value, ValueError, ValueErrorKind};
