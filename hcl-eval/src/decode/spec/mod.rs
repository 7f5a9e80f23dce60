//! Specifications: what a value is made of, and what follows from that about bodies and types.
//!
//! This file has the kinds of specifications, and those of attributes and of values that are looked at once more. `object`,
//! `block` and `transform` have the others, `body` those of whole bodies.

mod block;
mod body;
mod object;
mod transform;

use std::fmt;
use std::sync::Arc;

use hcl_syntax::config::Bounds;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::hash::IndexMap;
use hcl_syntax::schema::{AttributeSchema, BlockSchema, BodySchema};
use hcl_syntax::source::{Source, Span};

use crate::Str;
use crate::stack;
use crate::types::{Defaults, Type};
use crate::value::{Refinement, Value};

pub use block::{BlockAttributesSpec, BlockLabelSpec, BlockMapSpec, BlockSpec, BlocksSpec, Collection};
pub use body::BodySpec;
pub use object::ObjectSpec;
pub use transform::TransformSpec;

/// A specification: the way in which a value is made of a body.
///
/// ```
/// use hcl_eval::decode::{AttributeSpec, BodySpec, Spec};
/// use hcl_eval::{Type, Value};
///
/// // The port, or 80 where the body has none.
/// let port = Spec::from(AttributeSpec::new("port", Type::Number));
/// let spec = BodySpec::new(Spec::Default(vec![port, Spec::Literal(Value::from(80))]));
/// assert_eq!(spec.implied_type(), Type::Number);
/// assert_eq!(spec.schema().attributes[0].name, "port");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Spec {
    /// An object of the values of others.
    Object(ObjectSpec),
    /// A tuple of the values of others.
    Tuple(Vec<Spec>),
    /// The value of an attribute.
    Attribute(AttributeSpec),
    /// The value of a nested block of which there is at most one.
    Block(BlockSpec),
    /// The values of all nested blocks of a type in a list, a set or a tuple.
    Blocks(BlocksSpec),
    /// The values of all nested blocks of a type in maps, by their labels.
    BlockMap(BlockMapSpec),
    /// The values of all nested blocks of a type in objects, by their labels: each may be of a type of its own.
    BlockObject(BlockMapSpec),
    /// The attributes, whatever their names, of a nested block of which there is at most one.
    BlockAttributes(BlockAttributesSpec),
    /// A label of the block whose body is decoded.
    BlockLabel(BlockLabelSpec),
    /// A value that does not depend on the body.
    Literal(Value),
    /// The first value that is not null; the last one if all are.
    Default(Vec<Spec>),
    /// The result of an expression over a value.
    Transform(TransformSpec),
    /// A value about which more is known than its type.
    Refined(RefineSpec),
    /// A value that a program checks.
    Validated(ValidateSpec),
    /// The meaning of a block of a specification file.
    Written(WrittenSpec),
}

impl Spec {
    /// The type of the value; dynamic where it depends on the body. Where values come from several
    /// alternatives it is the type of the first.
    pub fn implied_type(&self) -> Type {
        stack::grow(u32::MAX, || match self {
            Self::Object(object) => object.implied_type(),
            Self::Tuple(specs) => Type::tuple(specs.iter().map(Self::implied_type).collect()),
            Self::Attribute(attribute) => attribute.ty.without_optional(),
            Self::Block(block) => block.nested.implied_type(),
            Self::Blocks(blocks) => blocks.implied_type(),
            Self::BlockMap(blocks) => blocks.implied_type(),
            // How many blocks there are, and with which labels, is known only when they are read.
            Self::BlockObject(_) => Type::Dynamic,
            Self::BlockAttributes(block) => Type::map(block.element_type.without_optional()),
            Self::BlockLabel(_) => Type::String,
            Self::Literal(value) => value.ty(),
            Self::Default(specs) => specs.first().map_or(Type::Dynamic, Self::implied_type),
            Self::Transform(transform) => transform.implied_type().clone(),
            Self::Refined(refined) => refined.nested.implied_type(),
            Self::Validated(validated) => validated.nested.implied_type(),
            Self::Written(written) => written.spec.implied_type(),
        })
    }

    /// Visits this and all that is decoded from the same body, each before its parts, for as long as the visitor says true; gives
    /// what it said last.
    pub(super) fn visit<'s>(&'s self, visitor: &mut dyn FnMut(&'s Self) -> bool) -> bool {
        if !visitor(self) {
            return false;
        }
        match self {
            // A place deep in the stack is asked about only for what has parts.
            Self::Attribute(_)
            | Self::Block(_)
            | Self::Blocks(_)
            | Self::BlockMap(_)
            | Self::BlockObject(_)
            | Self::BlockAttributes(_)
            | Self::BlockLabel(_)
            | Self::Literal(_) => true,
            Self::Object(_)
            | Self::Tuple(_)
            | Self::Default(_)
            | Self::Transform(_)
            | Self::Refined(_)
            | Self::Validated(_)
            | Self::Written(_) => stack::grow(u32::MAX, || self.visit_parts(visitor)),
        }
    }

    /// The type of the blocks that this reads itself, and how their bodies are read, unless their attributes are just a map.
    pub(super) fn blocks_read(&self) -> Option<(&Str, Option<&Arc<BodySpec>>)> {
        match self {
            Self::Block(block) => Some((&block.block_type, Some(&block.nested))),
            Self::Blocks(blocks) => Some((&blocks.block_type, Some(&blocks.nested))),
            Self::BlockMap(blocks) | Self::BlockObject(blocks) => {
                Some((&blocks.block_type, Some(&blocks.nested)))
            }
            Self::BlockAttributes(block) => Some((&block.block_type, None)),
            Self::Attribute(_)
            | Self::Object(_)
            | Self::Tuple(_)
            | Self::BlockLabel(_)
            | Self::Literal(_)
            | Self::Default(_)
            | Self::Transform(_)
            | Self::Refined(_)
            | Self::Validated(_)
            | Self::Written(_) => None,
        }
    }

    fn visit_parts<'s>(&'s self, visitor: &mut dyn FnMut(&'s Self) -> bool) -> bool {
        match self {
            Self::Object(object) => object.specs().values().all(|spec| spec.visit(visitor)),
            Self::Tuple(specs) | Self::Default(specs) => specs.iter().all(|spec| spec.visit(visitor)),
            Self::Transform(transform) => transform.nested().visit(visitor),
            Self::Refined(refined) => refined.nested.visit(visitor),
            Self::Validated(validated) => validated.nested.visit(visitor),
            Self::Written(written) => written.spec.visit(visitor),
            _ => true,
        }
    }

    /// Returns the schema that the specification implies. What is mentioned twice is required if it is once.
    fn implied_schema(&self, bounds: &mut dyn Bounds) -> BodySchema {
        let mut attributes: IndexMap<&str, bool> = IndexMap::default();
        let mut blocks: IndexMap<&str, Vec<Str>> = IndexMap::default();
        self.visit(&mut |spec| {
            if let Self::Attribute(attribute) = spec {
                *attributes.entry(&attribute.name).or_default() |= attribute.required;
            }
            if let Some((block_type, nested)) = spec.blocks_read() {
                let mut labels = match spec {
                    Self::BlockMap(blocks) | Self::BlockObject(blocks) => blocks.label_names.clone(),
                    _ => Vec::new(),
                };
                labels.extend(nested.into_iter().flat_map(|nested| nested.label_names()));
                blocks.insert(block_type, labels);
            }
            bounds.next_item()
        });
        let attribute = |(name, required): (&str, bool)| AttributeSchema { name: name.to_owned(), required };
        let block = |(block_type, labels): (&str, Vec<Str>)| BlockSchema {
            block_type: block_type.to_owned(),
            label_names: labels.iter().map(Str::to_string).collect(),
        };
        let attributes = attributes.into_iter().take_while(|_| bounds.next_item()).map(attribute).collect();
        let blocks = blocks.into_iter().take_while(|_| bounds.next_item()).map(block).collect();
        BodySchema { attributes, blocks }
    }
}

/// An attribute; null if it is not there.
///
/// ```
/// use hcl_eval::decode::{AttributeSpec, Spec, decode};
/// use hcl_eval::{Type, dynamic::Body, eval::EvalOptions};
/// use hcl_syntax::parser::File;
///
/// let body = Body::from(&File::parse("main.hcl", "")?);
/// let port = Spec::from(AttributeSpec::new("port", Type::Number).required());
/// let (_, problems) = decode(&body, &port.into(), None, &EvalOptions::default());
/// assert_eq!(problems[0].summary, "Missing required argument");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct AttributeSpec {
    /// The name.
    pub name: Str,
    /// The type that the value is converted to.
    pub ty: Type,
    /// Defaults of optional attributes, applied to the value before it is converted.
    pub defaults: Option<Defaults>,
    /// True if the attribute must be there.
    pub required: bool,
}

impl AttributeSpec {
    /// An attribute that may be left out.
    pub fn new(name: impl Into<Str>, ty: Type) -> Self {
        Self { name: name.into(), ty, defaults: None, required: false }
    }

    /// Returns the specification of an attribute that must be there.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }
}

impl From<AttributeSpec> for Spec {
    fn from(attribute: AttributeSpec) -> Self {
        Self::Attribute(attribute)
    }
}

/// A value about which more is known: an unknown one is refined, and a known one must fit.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::decode::{AttributeSpec, RefineSpec, Spec, decode};
/// use hcl_eval::{Refinement, Type, Value, dynamic::Body};
/// use hcl_eval::eval::{EvalOptions, Scope};
/// use hcl_syntax::parser::File;
///
/// let id = Spec::from(AttributeSpec::new("id", Type::String));
/// let spec = Spec::Refined(RefineSpec { nested: Arc::new(id), refinement: Refinement::new().prefix_full("vm-") });
/// let body = Body::from(&File::parse("main.hcl", "id = later\n")?);
/// let scope = Scope::builder().variable("later", Value::unknown(Type::String)).build();
/// let (value, _) = decode(&body, &spec.into(), Some(&scope), &EvalOptions::default());
/// assert_eq!(value.refinement().unwrap().string_prefix(), "vm-");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RefineSpec {
    /// The specification of the value.
    pub nested: Arc<Spec>,
    /// The facts known about the value.
    pub refinement: Refinement,
}

/// A value that is checked once it has been made without errors.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::decode::{AttributeSpec, Spec, ValidateSpec, decode};
/// use hcl_eval::{Type, dynamic::Body, eval::EvalOptions};
/// use hcl_syntax::diagnostic::Diagnostic;
/// use hcl_syntax::parser::File;
///
/// let spec = Spec::Validated(ValidateSpec {
///     nested: Arc::new(AttributeSpec::new("port", Type::Number).into()),
///     check: Arc::new(|port| match f64::try_from(port) {
///         Ok(port) if port > 65535.0 => vec![Diagnostic::error("app.port", "Invalid port", "At most 65535.")],
///         _ => vec![],
///     }),
/// });
/// let body = Body::from(&File::parse("main.hcl", "port = 99999\n")?);
/// let (_, problems) = decode(&body, &spec.into(), None, &EvalOptions::default());
/// assert_eq!(problems[0].subject_text(), "99999");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone)]
pub struct ValidateSpec {
    /// The specification of the value.
    pub nested: Arc<Spec>,
    /// Says what is wrong with a value. What it says without a place is about the place of the value.
    pub check: Arc<dyn Fn(&Value) -> Diagnostics + Send + Sync>,
}

impl fmt::Debug for ValidateSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValidateSpec").field("nested", &self.nested).finish_non_exhaustive()
    }
}

/// The meaning of a block of a specification file, with its place, which complaints tell.
#[derive(Clone, Debug)]
pub struct WrittenSpec {
    /// The meaning.
    pub spec: Arc<Spec>,
    /// The file.
    pub source: Source,
    /// The type and the label of the block.
    pub span: Span,
}

/// Specifications nest as deep as their text.
impl Drop for WrittenSpec {
    fn drop(&mut self) {
        if let Some(spec) = Arc::get_mut(&mut self.spec) {
            stack::grow(u32::MAX, || *spec = Spec::Tuple(Vec::new()));
        }
    }
}
