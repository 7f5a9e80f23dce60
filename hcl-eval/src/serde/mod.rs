//! Rust types from configuration, and values from Rust types, through [serde](https://serde.rs).
//!
//! [`from_file`] and [`from_str`] read a configuration into a type that derives `Deserialize`, [`to_string`] writes one;
//! [`from_value`] and [`to_value`] do so with values. The Rust type is the schema:
//!
//! ```
//! use std::collections::HashMap;
//!
//! use hcl_eval::serde::{Spanned, from_str};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Config {
//!     log_level: Option<String>,             // an argument that may be left out
//!     cache: Option<Cache>,                  // one block, or none
//!     #[serde(default)]
//!     listen: Vec<Listen>,                   // any number of blocks
//!     service: HashMap<String, Service>,     // blocks by their label
//! }
//!
//! #[derive(Deserialize)]
//! struct Cache {
//!     size: u64,
//! }
//!
//! #[derive(Deserialize)]
//! struct Listen {
//!     #[serde(rename = "$label")]
//!     name: String,                          // the block's label
//!     port: Spanned<u16>,                    // with its place in the file
//! }
//!
//! #[derive(Deserialize)]
//! struct Service {
//!     command: Vec<String>,
//! }
//!
//! let config: Config = from_str(r#"
//!     cache {
//!       size = 64 * 1024
//!     }
//!     listen "public" {
//!       port = "80${80}"
//!     }
//!     service "web" {
//!       command = ["web", "--fast"]
//!     }
//!     service "worker" {
//!       command = ["worker"]
//!     }
//! "#)?;
//!
//! assert_eq!(config.log_level, None);
//! assert_eq!(config.cache.map(|cache| cache.size), Some(65536));
//! assert_eq!(config.listen[0].name, "public");
//! assert_eq!(*config.listen[0].port, 8080);
//! assert_eq!(config.listen[0].port.range().unwrap().start.line, 6);
//! assert_eq!(config.service["web"].command, ["web", "--fast"]);
//! # Ok::<(), hcl_syntax::diagnostic::Error>(())
//! ```
//!
//! # Arguments
//!
//! An attribute is evaluated when the type asks for it; what the type ignores is never evaluated. The value
//! is converted by HCL's rules to what the field is: `"8080"` fits a `u16`, `5` a `String`. Lists, sets and
//! tuples are sequences, maps and objects are maps or structs, null is `None`. A string is a unit variant of
//! an enum, an object with one attribute any other variant. Marks don't count. A field of type [`Value`]
//! gets the value as it is, marks and unknown parts included; for other types an unknown value is an error.
//!
//! # Blocks
//!
//! All blocks of one type in a body are one field. What the field is decides how they are read:
//!
//! | the field is | the blocks |
//! |---|---|
//! | a struct | there is exactly one |
//! | an `Option` of a struct | there is at most one |
//! | a sequence (with `#[serde(default)]`, as it may be empty) | any number, in the order written |
//! | a map | by their first label, in the order written; the map's values are what this table says of the blocks with that label, which have a label less |
//! | an enum | there is one; its next label is the variant, or without labels the name of the one thing in its body |
//!
//! So `HashMap<String, HashMap<String, Resource>>` is for blocks with two labels, of which each pair occurs
//! once, `HashMap<String, Vec<Rule>>` for several blocks with the same label.
//!
//! Labels that are no keys go to a field named `$label` (there must be one) or `$labels` (a sequence or tuple
//! of them all); a struct without such a field does not accept labels. Blocks with an attribute's syntax,
//! `cache = { size = 64 }`, are accepted, as they are in JSON. A struct with `#[serde(flatten)]` is a map for
//! serde, so the labels of its blocks have to be keys. serde reads what is flattened, and the content of enums
//! with `#[serde(tag = "…")]` or `#[serde(untagged)]`, before it knows the types: values are not converted there
//! (`"80"` is no `u16`), [`Spanned`] does not work, and errors name the block as a whole.
//!
//! # JSON
//!
//! [`from_json_file`] reads the JSON syntax. Where the type wants blocks, an object is a block, or has their
//! labels for keys if the type asks for `$label` or is a map; a list holds several blocks. `$labels` is for the
//! native syntax.
//!
//! # Errors
//!
//! The result is the value or a [`diagnostic::Error`] with diagnostics: those of the parser, those of an evaluation that
//! failed, or one that says what does not fit the type, at the argument, the part of its expression, the block or the
//! label concerned. Unknown names are ignored, as serde does, unless the type says
//! `#[serde(deny_unknown_fields)]`; then they are errors with a suggestion.
//!
//! ```
//! # use hcl_eval::serde::from_str;
//! #[derive(serde::Deserialize, Debug)]
//! struct Config {
//!     ports: Vec<u16>,
//! }
//!
//! let error = from_str::<Config>("ports = [80, 90000]\n").unwrap_err();
//! assert_eq!(error.diagnostics()[0].to_string(), "input:1,14-19: Unsuitable value type; Found integer `90000`, but expected is u16.");
//! ```

mod blocks;
mod body;
mod code;
mod error;
mod json;
mod parts;
mod passage;
mod session;
mod spanned;
mod text;
mod value;
mod variant;
mod write;

use hcl_syntax::ast::Body;
use hcl_syntax::diagnostic::{self, IntoResult};
use hcl_syntax::json::JsonFile;
use hcl_syntax::parser::{File, ParseLimits, parse_file};
use hcl_syntax::source::Source;
use serde::de::DeserializeOwned;

use crate::eval::{EvalOptions, Scope};
use crate::value::Value;

pub use error::Error;
pub use spanned::Spanned;
pub use text::{as_argument, to_body, to_string};
pub use write::to_value;

use body::BodyDeserializer;
use json::{JsonBody, JsonDeserializer};
use session::Session;
use value::ValueDeserializer;

/// Reads a configuration in native syntax that uses no variables and no functions.
///
/// ```
/// use hcl_eval::serde::from_str;
///
/// #[derive(serde::Deserialize)]
/// struct Config {
///     port: u16,
///     hosts: Vec<String>,
/// }
///
/// let config: Config = from_str("port = 8000 + 80\nhosts = [\"a\", \"b\"]\n")?;
/// assert_eq!((config.port, config.hosts.len()), (8080, 2));
/// let error = from_str::<Config>("port = \"http\"\nhosts = []\n").err().unwrap();
/// assert!(error.to_string().contains("1:8"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
///
/// # Errors
/// The text is no configuration, an expression has no value, or something does not fit the type.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, diagnostic::Error> {
    let file = parse_file(Source::new("input", text)?, &ParseLimits::default()).into_result()?;
    from_file(&file, None, &EvalOptions::default())
}

/// Reads a parsed file, whose expressions are evaluated in `scope`. The options hold for all of them
/// together.
///
/// # Errors
/// An expression has no value, or something does not fit the type.
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::eval::{EvalOptions, Scope};
/// use hcl_eval::serde::from_file;
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::{parser::parse_file, source::Source};
///
/// #[derive(serde::Deserialize)]
/// struct Config {
///     motd: String,
/// }
///
/// let source = Source::new("main.hcl", "motd = \"Hello, ${name}\"\n")?;
/// let file = parse_file(source, &Default::default()).into_result()?;
/// let scope = Scope::builder().variable("name", Value::string("you")).build();
/// let config: Config = from_file(&file, Some(&scope), &EvalOptions::default())?;
/// assert_eq!(config.motd, "Hello, you");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_file<T: DeserializeOwned>(
    file: &File,
    scope: Option<&Scope>,
    options: &EvalOptions<'_>,
) -> Result<T, diagnostic::Error> {
    from_body(file.body(), scope, options)
}

/// Reads a body, such as that of one block. Labels are the caller's business.
///
/// ```
/// use hcl_eval::eval::EvalOptions;
/// use hcl_eval::serde::from_body;
/// use hcl_syntax::parser::File;
///
/// #[derive(serde::Deserialize)]
/// struct Service {
///     port: u16,
/// }
///
/// let file = File::parse("main.hcl", "service \"web\" {\n  port = 80\n}\n")?;
/// let block = file.body().blocks().next().unwrap();
/// let service: Service = from_body(block.body(), None, &EvalOptions::default())?;
/// assert_eq!((block.label(0).unwrap().text(), service.port), ("web", 80));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
///
/// # Errors
/// As for [`from_file`].
pub fn from_body<T: DeserializeOwned>(
    body: Body<'_>,
    scope: Option<&Scope>,
    options: &EvalOptions<'_>,
) -> Result<T, diagnostic::Error> {
    let session = Session::new(scope, options);
    T::deserialize(BodyDeserializer::of_file(body, &session)).map_err(diagnostic::Error::from)
}

/// Reads a parsed file in JSON syntax. Its strings are templates, evaluated in `scope`.
///
/// # Errors
/// As for [`from_file`].
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Scope};
/// use hcl_eval::serde::from_json_file;
/// use hcl_syntax::{diagnostic::IntoResult, json::parse_json, source::Source};
///
/// #[derive(serde::Deserialize)]
/// struct Config {
///     listen: Vec<Listen>,
/// }
///
/// #[derive(serde::Deserialize)]
/// struct Listen {
///     #[serde(rename = "$label")]
///     name: String,
///     port: u16,
/// }
///
/// let text = r#"{"listen": {"public": {"port": "${80 * 100}"}, "admin": {"port": 9000}}}"#;
/// let file = parse_json(Source::json("main.hcl.json", text)?, &Default::default()).into_result()?;
/// let scope = Scope::builder().build();
/// let config: Config = from_json_file(&file, Some(&scope), &EvalOptions::default())?;
/// let listens: Vec<_> = config.listen.iter().map(|listen| (listen.name.as_str(), listen.port)).collect();
/// assert_eq!(listens, [("public", 8000), ("admin", 9000)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_json_file<T: DeserializeOwned>(
    file: &JsonFile,
    scope: Option<&Scope>,
    options: &EvalOptions<'_>,
) -> Result<T, diagnostic::Error> {
    let body = JsonBody::read(file)?;
    let session = Session::new(scope, options);
    T::deserialize(JsonDeserializer::new(&body, &session)).map_err(diagnostic::Error::from)
}

/// Makes a Rust value of a value.
///
/// # Errors
/// The value does not fit the type; [`Error::path`] says where in it.
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::serde::from_value;
///
/// let value = Value::tuple(vec![Value::int(80), Value::string("443")]);
/// assert_eq!(from_value::<Vec<u16>>(&value).unwrap(), [80, 443]);
/// let error = from_value::<Vec<bool>>(&value).unwrap_err();
/// assert_eq!(error.path().to_text(), "[0]");
/// ```
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    T::deserialize(ValueDeserializer::new(value, None))
}
