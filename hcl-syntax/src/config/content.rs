//! The result of reading a body by schema.
//!
//! Attributes and blocks are handles on the tree that they are in: they own a share of it, copy nothing, and may outlive
//! the body.

use std::sync::Arc;

use super::attributes::{Attributes, Named};
use super::{ConfigBody, ConfigExpression};
use crate::ast::{Attribute, AttributeNode, Block, BlockNode, Expression, SharedTree};
use crate::json::{self, JsonBody, JsonTree, PropertyId, Strings, ValueId};
use crate::source::{Range, Source, Span};

/// The attributes and blocks that a schema asked for, as far as they are there.
///
/// ```
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::File;
/// use hcl_syntax::schema::BodySchema;
///
/// let file = File::parse("main.hcl", "region = \"eu\"\nservice \"web\" {}\nservice \"db\" {}\n")?;
/// let schema = BodySchema::default().attribute("region").attribute("zone").block("service", &["name"]);
/// let content = ConfigBody::from(&file).content(&schema).into_result()?;
/// assert!(content.expression("region").is_some() && content.expression("zone").is_none());
/// assert_eq!(content.blocks_of_type("service").count(), 2);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// The attributes by name, in the order of the text.
    pub attributes: Attributes<ContentAttribute>,
    /// The blocks of all types, in the order of the text.
    pub blocks: Vec<ContentBlock>,
}

impl Content {
    /// The expression of the attribute of a name.
    pub fn expression(&self, name: &str) -> Option<ConfigExpression> {
        self.attributes.get(name).map(ContentAttribute::expression)
    }

    /// The blocks of one type, in the order of the text.
    pub fn blocks_of_type<'c>(&'c self, block_type: &'c str) -> impl Iterator<Item = &'c ContentBlock> {
        self.blocks.iter().filter(move |block| block.block_type() == block_type)
    }
}

/// An attribute of a body.
///
/// ```
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "region = var.home\n")?;
/// let (attributes, _) = ConfigBody::from(&file).just_attributes();
/// assert_eq!(attributes[0].name(), "region");
/// assert_eq!(attributes[0].range().to_string(), "main.hcl:1,1-18");
/// assert_eq!(attributes[0].expression().variables().len(), 1);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContentAttribute(AttributeHandle);

#[derive(Clone, Debug)]
enum AttributeHandle {
    Native { tree: SharedTree, node: AttributeNode },
    Json { tree: Arc<JsonTree>, property: PropertyId },
}

impl Named for ContentAttribute {
    fn name(&self) -> &str {
        Self::name(self)
    }

    fn is_named(&self, name: &str) -> bool {
        match &self.0 {
            AttributeHandle::Native { tree, node } => tree.attribute_of(*node).is_named(name),
            AttributeHandle::Json { tree, property } => tree.name(*property).0 == name,
        }
    }
}

impl ContentAttribute {
    pub(super) fn native(tree: SharedTree, attribute: Attribute<'_>) -> Self {
        Self(AttributeHandle::Native { node: attribute.node(), tree })
    }

    pub(crate) fn json(tree: Arc<JsonTree>, property: PropertyId) -> Self {
        Self(AttributeHandle::Json { tree, property })
    }

    /// The name.
    pub fn name(&self) -> &str {
        match &self.0 {
            AttributeHandle::Native { tree, node } => tree.attribute_of(*node).name(),
            AttributeHandle::Json { tree, property } => tree.name(*property).0,
        }
    }

    /// Where the name stands.
    pub fn name_span(&self) -> Span {
        match &self.0 {
            AttributeHandle::Native { node, .. } => node.name,
            AttributeHandle::Json { tree, property } => tree.name_span(*property),
        }
    }

    /// From the name to the end of the expression.
    pub fn span(&self) -> Span {
        match &self.0 {
            AttributeHandle::Native { tree, node } => tree.attribute_of(*node).span(),
            AttributeHandle::Json { tree, property } => {
                tree.name_span(*property).to(tree.span(tree.value_of(*property)))
            }
        }
    }

    /// The expression.
    pub fn expression(&self) -> ConfigExpression {
        match &self.0 {
            AttributeHandle::Native { tree, node } => ConfigExpression::native(tree.clone(), node.expression),
            AttributeHandle::Json { tree, property } => {
                ConfigExpression::json(Arc::clone(tree), tree.value_of(*property))
            }
        }
    }

    /// The expression as [`ConfigExpression::place_with`] gives it.
    pub fn place_with(&self, strings: Strings) -> Expression<'_> {
        match &self.0 {
            AttributeHandle::Native { tree, node } => tree.expression(node.expression),
            AttributeHandle::Json { tree, property } => {
                let lowered = json::lowered(tree, strings);
                lowered.tree.expression(lowered.value(tree.value_of(*property)))
            }
        }
    }

    /// Returns the source that the spans are places in.
    pub fn source(&self) -> &Source {
        match &self.0 {
            AttributeHandle::Native { tree, .. } => tree.source(),
            AttributeHandle::Json { tree, .. } => tree.source(),
        }
    }

    /// Where the name stands.
    pub fn name_range(&self) -> Range {
        self.source().range(self.name_span())
    }

    /// From the name to the end of the expression.
    pub fn range(&self) -> Range {
        self.source().range(self.span())
    }
}

/// A block of a body.
///
/// ```
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::File;
/// use hcl_syntax::schema::BodySchema;
///
/// let file = File::parse("main.hcl", "service \"web\" {\n  port = 80\n}\n")?;
/// let content = ConfigBody::from(&file).content(&BodySchema::default().block("service", &["name"])).into_result()?;
/// let service = &content.blocks[0];
/// assert_eq!(service.label(0).map(|label| label.text), Some("web"));
/// let inside = service.body().content(&BodySchema::default().attribute("port")).into_result()?;
/// assert_eq!(inside.attributes["port"].name(), "port");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContentBlock(BlockHandle);

#[derive(Clone, Debug)]
enum BlockHandle {
    Native { tree: SharedTree, node: BlockNode },
    Json(JsonBlock),
}

/// The properties that make a block: the one that is its type, those that are its labels, what holds its body with
/// those beside it, and its body.
#[derive(Clone, Debug)]
pub(crate) struct JsonBlock {
    pub(crate) tree: Arc<JsonTree>,
    pub(crate) block_type: PropertyId,
    pub(crate) labels: Box<[PropertyId]>,
    pub(crate) definition: ValueId,
    pub(crate) body: ValueId,
}

/// A label of a block.
///
/// ```
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "service \"web\" {}\n")?;
/// let block = &ConfigBody::from(&file).everything().blocks[0];
/// let label = block.label(0).unwrap();
/// assert_eq!((label.text, block.source().slice(label.span)), ("web", "\"web\""));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ContentLabel<'c> {
    /// The text, escapes decoded.
    pub text: &'c str,
    /// Where it stands, quotes included.
    pub span: Span,
}

impl ContentBlock {
    pub(super) fn native(tree: SharedTree, block: Block<'_>) -> Self {
        Self(BlockHandle::Native { node: block.node(), tree })
    }

    pub(crate) fn json(block: JsonBlock) -> Self {
        Self(BlockHandle::Json(block))
    }

    /// The block type.
    pub fn block_type(&self) -> &str {
        match &self.0 {
            BlockHandle::Native { tree, node } => tree.block_of(*node).block_type(),
            BlockHandle::Json(block) => block.tree.name(block.block_type).0,
        }
    }

    /// Where the type stands.
    pub fn type_span(&self) -> Span {
        match &self.0 {
            BlockHandle::Native { node, .. } => node.block_type,
            BlockHandle::Json(block) => block.tree.name_span(block.block_type),
        }
    }

    /// How many labels there are: as many as the schema names.
    pub fn n_labels(&self) -> usize {
        match &self.0 {
            BlockHandle::Native { node, .. } => node.n_labels as usize,
            BlockHandle::Json(block) => block.labels.len(),
        }
    }

    /// The label at a place.
    pub fn label(&self, at: usize) -> Option<ContentLabel<'_>> {
        match &self.0 {
            BlockHandle::Native { tree, node } => {
                let label = tree.block_of(*node).label(at)?;
                Some(ContentLabel { text: label.text(), span: label.span() })
            }
            BlockHandle::Json(block) => {
                let (text, span) = block.tree.name(*block.labels.get(at)?);
                Some(ContentLabel { text, span })
            }
        }
    }

    /// The labels.
    pub fn labels(&self) -> impl Iterator<Item = ContentLabel<'_>> {
        (0..).map_while(|at| self.label(at))
    }

    /// Returns the place for messages about the block as a whole: its header in native syntax, its opening brace in
    /// JSON syntax.
    pub fn definition_span(&self) -> Span {
        match &self.0 {
            BlockHandle::Native { tree, node } => tree.block_of(*node).definition_span(),
            BlockHandle::Json(block) => block.tree.start_span(block.definition),
        }
    }

    /// From the type to the closing brace; in JSON syntax, the object that is its body.
    pub fn span(&self) -> Span {
        match &self.0 {
            BlockHandle::Native { tree, node } => tree.block_of(*node).span(),
            BlockHandle::Json(block) => block.tree.span(block.body),
        }
    }

    /// Returns the content of the block.
    pub fn body(&self) -> ConfigBody {
        match &self.0 {
            BlockHandle::Native { tree, node } => ConfigBody::native(tree.clone(), node.body),
            BlockHandle::Json(block) => ConfigBody::json(JsonBody::new(Arc::clone(&block.tree), block.body)),
        }
    }

    /// Returns the source that the spans are places in.
    pub fn source(&self) -> &Source {
        match &self.0 {
            BlockHandle::Native { tree, .. } => tree.source(),
            BlockHandle::Json(block) => block.tree.source(),
        }
    }

    /// Where the type stands.
    pub fn type_range(&self) -> Range {
        self.source().range(self.type_span())
    }

    /// Returns the place for messages about the block as a whole.
    pub fn definition_range(&self) -> Range {
        self.source().range(self.definition_span())
    }
}
