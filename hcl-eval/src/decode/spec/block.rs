//! Specifications of nested blocks: one, several in a collection or by their labels, their attributes, and labels.

use std::sync::Arc;

use super::BodySpec;
use crate::Str;
use crate::types::{Defaults, Type};

/// At most one block of a type; null if there is none.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::decode::{AttributeSpec, BlockSpec, Spec, decode};
/// use hcl_eval::{Type, dynamic::Body, eval::EvalOptions};
/// use hcl_syntax::parser::File;
///
/// let path = Spec::from(AttributeSpec::new("path", Type::String));
/// let health = BlockSpec { block_type: "health".into(), required: false, nested: Arc::new(path.into()) };
/// let body = Body::from(&File::parse("main.hcl", "health {\n  path = \"/up\"\n}\n")?);
/// let (value, _) = decode(&body, &Spec::Block(health).into(), None, &EvalOptions::default());
/// assert_eq!(value.as_str(), Some("/up"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockSpec {
    /// The block type.
    pub block_type: Str,
    /// True if there must be a block.
    pub required: bool,
    /// How its body is decoded.
    pub nested: Arc<BodySpec>,
}

/// The kind of collection that the values of several blocks are put in.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Collection {
    /// A list; the values are brought to one type.
    List,
    /// A set; the values are brought to one type.
    Set,
    /// A tuple; each value keeps its type.
    Tuple,
}

/// All blocks of a type.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::decode::{AttributeSpec, BlocksSpec, Collection, Spec, decode};
/// use hcl_eval::{Type, dynamic::Body, eval::EvalOptions};
/// use hcl_syntax::parser::File;
///
/// let port = Spec::from(AttributeSpec::new("port", Type::Number));
/// let listeners = BlocksSpec {
///     collection: Collection::List,
///     block_type: "listen".into(),
///     min_items: 1,
///     max_items: 0,
///     nested: Arc::new(port.into()),
/// };
/// let body = Body::from(&File::parse("main.hcl", "listen {\n  port = 80\n}\nlisten {\n  port = 443\n}\n")?);
/// let (value, _) = decode(&body, &Spec::Blocks(listeners).into(), None, &EvalOptions::default());
/// assert_eq!(value.to_json().unwrap(), "[80,443]");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlocksSpec {
    /// The collection of the values.
    pub collection: Collection,
    /// The block type.
    pub block_type: Str,
    /// How many there must be at least.
    pub min_items: i64,
    /// How many there may be at most; zero or less for any number.
    pub max_items: i64,
    /// How the body of each is decoded.
    pub nested: Arc<BodySpec>,
}

/// All blocks of a type by their labels, one level of maps or of objects for each.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::decode::{AttributeSpec, BlockMapSpec, Spec, decode};
/// use hcl_eval::{Type, dynamic::Body, eval::EvalOptions};
/// use hcl_syntax::parser::File;
///
/// let port = Spec::from(AttributeSpec::new("port", Type::Number));
/// let services =
///     BlockMapSpec { block_type: "service".into(), label_names: vec!["name".into()], nested: Arc::new(port.into()) };
/// let body = Body::from(&File::parse("main.hcl", "service \"web\" {\n  port = 80\n}\n")?);
/// let (value, _) = decode(&body, &Spec::BlockMap(services).into(), None, &EvalOptions::default());
/// assert_eq!(value.to_json().unwrap(), r#"{"web":80}"#);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockMapSpec {
    /// The block type.
    pub block_type: Str,
    /// The names of the labels in messages; there should be at least one.
    pub label_names: Vec<Str>,
    /// How the body of each is decoded; for maps its type should have no dynamic part.
    pub nested: Arc<BodySpec>,
}

/// The attributes of at most one block of a type as a map; null if there is none.
///
/// ```
/// use hcl_eval::decode::{BlockAttributesSpec, Spec, decode};
/// use hcl_eval::{Type, dynamic::Body, eval::EvalOptions};
/// use hcl_syntax::parser::File;
///
/// let tags = BlockAttributesSpec {
///     block_type: "tags".into(),
///     element_type: Type::String,
///     defaults: None,
///     required: false,
/// };
/// let body = Body::from(&File::parse("main.hcl", "tags {\n  env = \"dev\"\n  tier = 1\n}\n")?);
/// let (value, _) = decode(&body, &Spec::BlockAttributes(tags).into(), None, &EvalOptions::default());
/// assert_eq!(value.to_json().unwrap(), r#"{"env":"dev","tier":"1"}"#);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockAttributesSpec {
    /// The block type.
    pub block_type: Str,
    /// The type that the values are converted to.
    pub element_type: Type,
    /// Defaults of optional attributes, applied to each value before it is converted.
    pub defaults: Option<Defaults>,
    /// True if there must be a block.
    pub required: bool,
}

/// A label of the block whose body is decoded. Which labels blocks have follows from these, wherever they stand in the
/// specification of the body: their numbers should be all from 0 on. In maps and objects by labels they count from the
/// first label that is no key.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::decode::{BlockLabelSpec, BlockSpec, Spec, decode};
/// use hcl_eval::{dynamic::Body, eval::EvalOptions};
/// use hcl_syntax::parser::File;
///
/// let name = Spec::BlockLabel(BlockLabelSpec { index: 0, name: "name".into() });
/// let service = BlockSpec { block_type: "service".into(), required: true, nested: Arc::new(name.into()) };
/// let body = Body::from(&File::parse("main.hcl", "service \"web\" {}\n")?);
/// let (value, _) = decode(&body, &Spec::Block(service).into(), None, &EvalOptions::default());
/// assert_eq!(value.as_str(), Some("web"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockLabelSpec {
    /// Which label, from 0.
    pub index: usize,
    /// Its name in messages.
    pub name: Str,
}

impl BlocksSpec {
    /// The type of the collection.
    pub(in crate::decode) fn implied_type(&self) -> Type {
        let element = self.nested.implied_type();
        match self.collection {
            Collection::List => Type::list(element),
            Collection::Set => Type::set(element),
            Collection::Tuple => Type::Dynamic,
        }
    }
}

impl BlockMapSpec {
    /// The type of the outermost map.
    pub(in crate::decode) fn implied_type(&self) -> Type {
        self.label_names.iter().fold(self.nested.implied_type(), |element, _| Type::map(element))
    }
}
