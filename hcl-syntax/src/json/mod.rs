//! The JSON syntax of HCL: the same configuration, written by programs.
//!
//! A text becomes a tree of values with places. What a value means depends on the schema it is read by
//! (`body`): a property is an attribute or a block. Attributes are expressions, and their strings are
//! templates: `lower` makes an ordinary syntax tree of all values of a file, so that expressions of both
//! syntaxes are evaluated by the same code. `native` writes native syntax, `template` templates of either
//! syntax, `reading` says what products read without evaluating it. The names of a scanner (`scanner`) and
//! a parser (`parser`) here are JSON's; all wording is in `error`.

mod body;
mod error;
mod lower;
#[cfg(feature = "conversion")]
mod native;
mod parser;
#[cfg(feature = "conversion")]
pub mod reading;
mod scanner;
mod string;
#[cfg(feature = "conversion")]
pub mod template;
mod tree;
mod view;

use std::sync::Arc;

use crate::config::ConfigExpression;
use crate::diagnostic::{Diagnostics, Error, IntoResult};
use crate::parser::ParseLimits;
use crate::source::{Source, Text};

pub use lower::Strings;
#[cfg(feature = "conversion")]
pub use native::{to_native, to_native_for, to_native_within};
pub use string::string_stop;
pub use view::{JsonKind, JsonProperty, JsonValue};

pub(crate) use body::JsonBody;
pub(crate) use lower::lowered;
pub(crate) use scanner::{TokenKind, tokens};
pub(crate) use tree::{JsonTree, PropertyId, ValueId};

use parser::Root;
use tree::NodeKind;

/// A parsed JSON text.
///
/// ```
/// use hcl_syntax::json::JsonFile;
///
/// let file = JsonFile::parse("main.hcl.json", r#"{"service": {"web": {"port": 80}}}"#)?;
/// let names: Vec<_> = file.root().properties().map(|property| property.name()).collect();
/// assert_eq!(names, ["service"]);
/// assert!(JsonFile::parse("main.hcl.json", "{").is_err());
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct JsonFile {
    tree: Arc<JsonTree>,
    root: ValueId,
}

impl JsonFile {
    /// Reads a configuration file within the limits of [`ParseLimits::default`]. [`parse_json`] gives a file also when
    /// there are errors.
    ///
    /// # Errors
    /// The text has syntax errors, or is too long.
    #[expect(single_use_lifetimes, reason = "without a name they are unstable in `impl Trait`")]
    pub fn parse<'t>(name: &str, text: impl Into<Text<'t>>) -> Result<Self, Error> {
        parse_json(Source::json(name, text)?, &ParseLimits::default()).into_result()
    }

    /// The value of the whole text.
    pub fn root(&self) -> JsonValue<'_> {
        JsonValue::new(&self.tree, self.root)
    }

    /// The text the file was made from.
    pub fn source(&self) -> &Source {
        &self.tree.source
    }

    /// The whole text as one expression, for readers who know nothing of what is a block and what an argument.
    pub fn expression(&self) -> ConfigExpression {
        ConfigExpression::json(Arc::clone(&self.tree), self.root)
    }

    pub(crate) fn tree(&self) -> &Arc<JsonTree> {
        &self.tree
    }

    pub(crate) fn root_id(&self) -> ValueId {
        self.root
    }
}

/// Reads a configuration file of JSON syntax; make the source with [`Source::json`]. Its root is an object
/// or an array. Where it is neither, which is reported, it is an empty object.
///
/// ```
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::json::parse_json;
/// use hcl_syntax::parser::ParseLimits;
/// use hcl_syntax::schema::BodySchema;
/// use hcl_syntax::source::Source;
///
/// let text = r#"{"region": "${var.home}", "service": {"web": {"port": 80}}}"#;
/// let source = Source::json("main.hcl.json", text)?;
/// let (file, diagnostics) = parse_json(source, &ParseLimits::default());
/// assert!(diagnostics.is_empty());
/// let schema = BodySchema::default().attribute("region").block("service", &["name"]);
/// let (content, diagnostics) = ConfigBody::from(&file).content(&schema);
/// assert!(diagnostics.is_empty());
/// assert_eq!(content.blocks[0].label(0).map(|label| label.text), Some("web"));
/// assert_eq!(content.attributes["region"].expression().variables().len(), 1);
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
#[expect(clippy::needless_pass_by_value, reason = "callers hand the source over: the tree keeps it")]
pub fn parse_json(source: Source, limits: &ParseLimits) -> (JsonFile, Diagnostics) {
    let (mut tree, root, diagnostics) = parser::parse(&source, limits, Root::Body);
    let root = root.unwrap_or_else(|| tree.push_placeholder());
    (JsonFile { tree: Arc::new(tree), root }, diagnostics)
}

/// Reads one JSON value that makes up the whole text; it may be of any kind.
///
/// ```
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::json::{JsonKind, parse_json_value};
/// use hcl_syntax::parser::ParseLimits;
/// use hcl_syntax::source::Source;
///
/// let file = parse_json_value(Source::json("input", "80")?, &ParseLimits::default()).into_result()?;
/// assert!(matches!(file.root().kind(), JsonKind::Number("80")));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[expect(clippy::needless_pass_by_value, reason = "callers hand the source over: the tree keeps it")]
pub fn parse_json_value(source: Source, limits: &ParseLimits) -> (JsonFile, Diagnostics) {
    let (mut tree, root, diagnostics) = parser::parse(&source, limits, Root::Any);
    let root = root.unwrap_or_else(|| tree.push(source.span().at_end(), NodeKind::Invalid));
    (JsonFile { tree: Arc::new(tree), root }, diagnostics)
}
