//! Specifications: what a value is made of, and what follows from that about bodies and types.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use hcl_syntax::config::{Bounds, ConfigExpression, Unbounded};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::hash::{HashMap, IndexMap};
use hcl_syntax::schema::{AttributeSchema, BlockSchema, BodySchema, NestedSchema};
use hcl_syntax::source::{Source, Span};

use crate::Str;
use crate::eval::{EvalOptions, Evaluation, Scope};
use crate::limits::{LimitReached, Meter};
use crate::stack;
use crate::types::{Defaults, ObjectAttribute, Type};
use crate::value::node::{ObjectHeader, Unfinished, put};
use crate::value::string::normalize;
use crate::value::{Refinement, Repr, Shape, Value};

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

/// An object; all values that it makes share their names.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::decode::{AttributeSpec, ObjectSpec, Spec};
///
/// // The names of the object need not be those of the attributes.
/// let zone = Spec::from(AttributeSpec::new("availability_zone", Type::String));
/// let spec = Spec::from(ObjectSpec::from_iter([("zone", zone)]));
/// assert_eq!(spec.implied_type().to_type_text(), "object({zone=string})");
/// ```
#[derive(Clone, Debug)]
pub struct ObjectSpec {
    specs: IndexMap<Str, Spec>,
    shape: Shape,
    /// Where the value of each specification goes.
    places: Vec<u32>,
}

/// The attributes in order; of two of one name the later counts.
impl<N: Into<Str>> FromIterator<(N, Spec)> for ObjectSpec {
    fn from_iter<I: IntoIterator<Item = (N, Spec)>>(specs: I) -> Self {
        Self::new(specs.into_iter().map(|(name, spec)| (name.into(), spec)).collect())
    }
}

impl From<ObjectSpec> for Spec {
    fn from(object: ObjectSpec) -> Self {
        Self::Object(object)
    }
}

impl ObjectSpec {
    /// The attributes and what their values are made of, in the order in which they are.
    pub fn new(specs: IndexMap<Str, Spec>) -> Self {
        let mut names: Vec<Str> = specs.keys().cloned().map(normalize).collect();
        let (shape, places) = Shape::with_places(&mut names);
        Self { specs, shape, places }
    }

    /// Returns the specification of each attribute.
    pub fn specs(&self) -> &IndexMap<Str, Spec> {
        &self.specs
    }

    /// Asks for the room that making a value takes.
    pub(super) fn hold(&self, meter: &mut Meter) -> Result<(), LimitReached> {
        meter.hold_parts(self.specs.len(), size_of::<Value>())
    }

    /// The object of the values that `make` makes, one after the other.
    pub(super) fn value(&self, mut make: impl FnMut(&Spec) -> Value) -> Value {
        let mut object = Unfinished::new(ObjectHeader { shape: self.shape.clone() }, self.shape.len());
        let places = object.places();
        for (spec, at) in self.specs.values().zip(&self.places) {
            put(&mut places[*at as usize], make(spec));
        }
        Value(Repr::Object(object.finish()))
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

/// A value that an expression makes of another, which is a variable in it.
///
/// ```
/// use hcl_eval::decode::{AttributeSpec, Spec, TransformSpec, decode};
/// use hcl_eval::{Type, dynamic::Body, eval::EvalOptions};
/// use hcl_syntax::config::ConfigExpression;
/// use hcl_syntax::parser::{File, ParsedExpression};
///
/// let doubled: ParsedExpression = "size * 2".parse()?;
/// let doubled = ConfigExpression::native(doubled.tree().clone(), doubled.expression().id());
/// let size = AttributeSpec::new("size", Type::Number).into();
/// let spec = Spec::Transform(TransformSpec::new(size, Some(doubled), "size", None));
/// let body = Body::from(&File::parse("main.hcl", "size = 21\n")?);
/// let (value, _) = decode(&body, &spec.into(), None, &EvalOptions::default());
/// assert_eq!(value.to_string(), "42");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TransformSpec {
    nested: Arc<Spec>,
    expression: Option<ConfigExpression>,
    variable: Str,
    scope: Option<Arc<Scope>>,
    ty: Type,
}

impl TransformSpec {
    /// The value of `expression` in `scope`, where `variable` is the value of `nested`. Without an expression
    /// the result is null.
    pub fn new(
        nested: Spec,
        expression: Option<ConfigExpression>,
        variable: &str,
        scope: Option<Arc<Scope>>,
    ) -> Self {
        Self::within(nested, expression, variable, scope, &mut Evaluation::new(&EvalOptions::default())).0
    }

    /// [`TransformSpec::new`] within an evaluation, with the diagnostic of a limit that has been reached there: what else is
    /// wrong with the expression is told when a value is transformed.
    pub(super) fn within(
        nested: Spec,
        expression: Option<ConfigExpression>,
        variable: &str,
        scope: Option<Arc<Scope>>,
        evaluation: &mut Evaluation<'_>,
    ) -> (Self, Diagnostics) {
        let mut problems = Diagnostics::new();
        let mut spec = Self {
            nested: Arc::new(nested),
            expression,
            variable: variable.into(),
            scope,
            ty: Type::Dynamic,
        };
        let unknown = Value::unknown(spec.nested.implied_type());
        if let Some(expression) = &spec.expression {
            let (value, found) = evaluation.evaluate(expression, Some(&spec.inner_scope(unknown)));
            spec.ty = value.ty();
            problems = found;
            problems.retain(|problem| problem.code.starts_with("limit."));
        }
        (spec, problems)
    }

    /// Returns the specification of the value that is transformed.
    pub fn nested(&self) -> &Spec {
        &self.nested
    }

    /// The expression.
    pub fn expression(&self) -> Option<&ConfigExpression> {
        self.expression.as_ref()
    }

    /// The type of the result, as far as it is known from the type of what is transformed.
    pub fn implied_type(&self) -> &Type {
        &self.ty
    }

    /// The scope of the expression, for a value.
    pub(super) fn inner_scope(&self, value: Value) -> Arc<Scope> {
        let builder = Scope::builder();
        let builder = match &self.scope {
            Some(scope) => builder.parent(Arc::clone(scope)),
            None => builder,
        };
        builder.variable(&self.variable, value).build()
    }
}

/// A specification of a whole body, with the schema that follows from it.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::decode::{AttributeSpec, BodySpec, Spec};
///
/// let spec = BodySpec::new(Spec::Tuple(vec![
///     AttributeSpec::new("host", Type::String).into(),
///     AttributeSpec::new("port", Type::Number).into(),
/// ]));
/// assert_eq!(spec.schema().attributes.len(), 2);
/// assert_eq!(spec.implied_type().to_type_text(), "tuple([string,number])");
/// ```
#[derive(Clone, Debug)]
pub struct BodySpec {
    spec: Spec,
    schema: BodySchema,
    /// The type of the value: each null and each empty collection shares it.
    ty: Type,
    /// The names of the labels that it asks for, by their numbers.
    labels: BTreeMap<usize, Str>,
}

impl BodySpec {
    /// Makes the specification of a whole body.
    pub fn new(spec: Spec) -> Self {
        Self::within(spec, &mut Unbounded)
    }

    /// [`BodySpec::new`] within bounds; when they end it, the schema lacks parts.
    pub(super) fn within(spec: Spec, bounds: &mut dyn Bounds) -> Self {
        let schema = spec.implied_schema(bounds);
        let mut labels = BTreeMap::new();
        spec.visit(&mut |spec| {
            if let Spec::BlockLabel(label) = spec {
                labels.insert(label.index, label.name.clone());
            }
            bounds.next_item()
        });
        Self { ty: spec.implied_type(), spec, schema, labels }
    }

    /// Names of the labels that a block with such a body must have. A label that is skipped has no name, so that a large number
    /// makes no names up.
    pub fn label_names(&self) -> Vec<Str> {
        self.labels.values().cloned().collect()
    }

    /// Returns true if a label is asked for without all those before it.
    pub(super) fn skips_labels(&self) -> bool {
        self.labels.keys().enumerate().any(|(position, index)| position != *index)
    }

    /// The specification.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Returns the schema of the body: everything the specification mentions.
    pub fn schema(&self) -> &BodySchema {
        &self.schema
    }

    /// Returns the schema of the body and of all bodies in it.
    pub fn nested_schema(&self) -> NestedSchema {
        let inner = |(block_type, spec): (&str, Option<&Arc<Self>>)| {
            Some((block_type.to_owned(), stack::grow(u32::MAX, || Some(spec?.nested_schema()))?))
        };
        let blocks = self.block_specs().into_iter().filter_map(inner).collect();
        NestedSchema { body: self.schema.clone(), blocks }
    }

    /// The type of the value; dynamic where it depends on the body.
    pub fn implied_type(&self) -> Type {
        self.ty.clone()
    }

    /// How the bodies of the blocks of each type are decoded; nothing for those whose attributes are taken
    /// whatever their names. Of several specifications for one type the last counts.
    pub fn block_specs(&self) -> HashMap<&str, Option<&Arc<BodySpec>>> {
        let mut found = HashMap::default();
        self.spec.visit(&mut |spec| {
            found.extend(spec.blocks_read().map(|(block_type, nested)| (block_type.as_str(), nested)));
            true
        });
        found
    }
}

impl From<Spec> for BodySpec {
    fn from(spec: Spec) -> Self {
        Self::new(spec)
    }
}

impl Spec {
    /// The type of the value; dynamic where it depends on the body. Where values come from several
    /// alternatives it is the type of the first.
    pub fn implied_type(&self) -> Type {
        stack::grow(u32::MAX, || match self {
            Self::Object(object) => {
                let attribute =
                    |(name, spec): (&Str, &Self)| ObjectAttribute::new(name.clone(), spec.implied_type());
                Type::object(object.specs.iter().map(attribute).collect())
            }
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
            Self::Transform(transform) => transform.ty.clone(),
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
            Self::Object(object) => object.specs.values().all(|spec| spec.visit(visitor)),
            Self::Tuple(specs) | Self::Default(specs) => specs.iter().all(|spec| spec.visit(visitor)),
            Self::Transform(transform) => transform.nested.visit(visitor),
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

impl BlocksSpec {
    /// The type of the collection.
    pub(super) fn implied_type(&self) -> Type {
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
    pub(super) fn implied_type(&self) -> Type {
        self.label_names.iter().fold(self.nested.implied_type(), |element, _| Type::map(element))
    }
}
