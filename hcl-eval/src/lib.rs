//! HCL types, values, functions and evaluation.
//!
//! [`types`] says what a value may be, [`value`] what it is and what the operators make of it, [`convert`]
//! how values of one type become values of another. [`eval`] makes values of expressions, [`program`] does
//! so again and again, [`explain`] says how one came about. [`dynamic`] reads bodies in which blocks are generated, [`decode`]
//! makes one value of a whole body as a specification says. [`function`] is what calls run, `stdlib` holds the functions,
//! [`dialect`] says which of them each product has.
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
