//! Bodies, attributes, blocks and labels, as views of a tree.

use super::expression::Expression;
use super::tree::{AttributeNode, BlockNode, BodyId, BodyWords, LabelNode, NONE, Tree};
use crate::source::Span;

/// A body: the attributes and blocks of a file or of a block, each in the order written.
///
/// ```
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "region = \"eu\"\nservice \"web\" {\n  port = 80\n}\nservice \"db\" {}\n")?;
/// let body = file.body();
/// assert_eq!(body.attribute("region").unwrap().expression().source_text(), "\"eu\"");
/// let names: Vec<_> = body.blocks().map(|block| block.label(0).unwrap().text()).collect();
/// assert_eq!(names, ["web", "db"]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct Body<'t> {
    tree: &'t Tree,
    id: BodyId,
}

impl<'t> Body<'t> {
    /// Its words, and those behind it.
    fn words(self) -> &'t [u32] {
        &self.tree.lists.extra[self.id.0 as usize..]
    }

    /// The tree the body is in.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Which body of the tree it is.
    pub fn id(self) -> BodyId {
        self.id
    }

    /// From the opening to the closing brace; of a file, from the first token to the end; of a single-line
    /// block, its attribute.
    pub fn span(self) -> Span {
        let words = self.words();
        Span::new(words[0], words[1])
    }

    /// Where something that is missing in the body is said to be missing.
    pub fn missing_item_span(self) -> Span {
        Span::empty_at(self.words()[0])
    }

    /// The attributes. A name occurs once: of several definitions the first counts.
    pub fn attributes(self) -> impl ExactSizeIterator<Item = Attribute<'t>> + Clone {
        let words = self.words();
        let n_words = AttributeNode::N_WORDS * words[BodyWords::N_ATTRIBUTES] as usize;
        let (attributes, _) = words[BodyWords::ATTRIBUTES..][..n_words].as_chunks();
        attributes
            .iter()
            .map(move |words| Attribute { tree: self.tree, node: AttributeNode::of_words(words) })
    }

    /// The attribute of the given name. Looks at one after the other.
    pub fn attribute(self, name: &str) -> Option<Attribute<'t>> {
        self.attributes().find(|attribute| attribute.is_named(name))
    }

    /// The blocks.
    pub fn blocks(self) -> impl ExactSizeIterator<Item = Block<'t>> + Clone {
        let words = self.words();
        let first = BodyWords::ATTRIBUTES + AttributeNode::N_WORDS * words[BodyWords::N_ATTRIBUTES] as usize;
        let n_words = BlockNode::N_WORDS * words[BodyWords::N_BLOCKS] as usize;
        let (blocks, _) = words[first..][..n_words].as_chunks();
        blocks.iter().map(move |words| Block { tree: self.tree, node: BlockNode::of_words(words) })
    }
}

impl std::fmt::Debug for Body<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.attributes()).entries(self.blocks()).finish()
    }
}

impl Tree {
    /// The body of the given number.
    pub fn body_at(&self, id: BodyId) -> Body<'_> {
        Body { tree: self, id }
    }

    /// The attribute that a node of this tree is.
    pub(crate) fn attribute_of(&self, node: AttributeNode) -> Attribute<'_> {
        Attribute { tree: self, node }
    }

    /// The block that a node of this tree is.
    pub(crate) fn block_of(&self, node: BlockNode) -> Block<'_> {
        Block { tree: self, node }
    }
}

/// An attribute: a name and its expression.
///
/// ```
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "region = \"eu\"\n")?;
/// let region = file.body().attribute("region").unwrap();
/// assert_eq!(region.expression().source_text(), "\"eu\"");
/// assert_eq!(file.source().range(region.name_span()).to_string(), "main.hcl:1,1-7");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct Attribute<'t> {
    tree: &'t Tree,
    node: AttributeNode,
}

impl<'t> Attribute<'t> {
    /// Returns the tree's record of the attribute.
    pub(crate) fn node(self) -> AttributeNode {
        self.node
    }

    /// The name.
    pub fn name(self) -> &'t str {
        self.tree.source.slice(self.node.name)
    }

    /// Returns whether this is the name.
    pub(crate) fn is_named(self, name: &str) -> bool {
        self.tree.source.says(self.node.name, name)
    }

    /// Where the name stands.
    pub fn name_span(self) -> Span {
        self.node.name
    }

    /// The `=`.
    pub fn equals_span(self) -> Span {
        Span::new(self.node.equals, self.node.equals + 1)
    }

    /// From the name to the end of the expression.
    pub fn span(self) -> Span {
        Span::new(self.node.name.start, self.node.end)
    }

    /// The expression.
    pub fn expression(self) -> Expression<'t> {
        Expression::new(self.tree, self.node.expression)
    }
}

impl std::fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {:?}", self.name(), self.expression())
    }
}

/// A block: a type, labels and a body.
///
/// ```
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "resource \"disk\" \"data\" {\n  size = 10\n}\n")?;
/// let block = file.body().blocks().next().unwrap();
/// let labels: Vec<_> = block.labels().map(|label| label.text()).collect();
/// assert_eq!((block.block_type(), labels), ("resource", vec!["disk", "data"]));
/// assert_eq!(block.body().attribute("size").unwrap().expression().source_text(), "10");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct Block<'t> {
    tree: &'t Tree,
    node: BlockNode,
}

impl<'t> Block<'t> {
    /// Returns the tree's record of the block.
    pub(crate) fn node(self) -> BlockNode {
        self.node
    }

    /// The block type.
    pub fn block_type(self) -> &'t str {
        self.tree.source.slice(self.node.block_type)
    }

    /// Where the block type stands.
    pub fn type_span(self) -> Span {
        self.node.block_type
    }

    /// The labels.
    pub fn labels(self) -> impl ExactSizeIterator<Item = Label<'t>> + Clone {
        self.label_words()
            .iter()
            .map(move |words| Label { tree: self.tree, node: LabelNode::of_words(words) })
    }

    /// The label at a place.
    pub fn label(self, at: usize) -> Option<Label<'t>> {
        let words = self.label_words().get(at)?;
        Some(Label { tree: self.tree, node: LabelNode::of_words(words) })
    }

    fn label_words(self) -> &'t [[u32; LabelNode::N_WORDS]] {
        let n_words = LabelNode::N_WORDS * self.node.n_labels as usize;
        self.tree.lists.extra[self.node.first_label as usize..][..n_words].as_chunks().0
    }

    /// The opening brace.
    pub fn open_span(self) -> Span {
        self.node.open
    }

    /// The closing brace.
    pub fn close_span(self) -> Span {
        self.node.close
    }

    /// From the type to the last label.
    pub fn definition_span(self) -> Span {
        let last = self.label_words().last();
        let end = last.map_or(self.node.block_type, |words| LabelNode::of_words(words).span);
        self.node.block_type.to(end)
    }

    /// From the type to the closing brace; to the last label if the header is broken.
    pub fn span(self) -> Span {
        self.definition_span().to(self.node.close)
    }

    /// Returns the content of the block.
    pub fn body(self) -> Body<'t> {
        Body { tree: self.tree, id: self.node.body }
    }
}

impl std::fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let labels: Vec<_> = self.labels().map(Label::text).collect();
        write!(f, "{} {labels:?} {:?}", self.block_type(), self.body())
    }
}

/// A label of a block.
///
/// ```
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "service \"a\\tb\" {}\n")?;
/// let label = file.body().blocks().next().unwrap().label(0).unwrap();
/// assert_eq!(label.text(), "a\tb");
/// assert_eq!(file.source().slice(label.span()), r#""a\tb""#);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct Label<'t> {
    tree: &'t Tree,
    node: LabelNode,
}

impl<'t> Label<'t> {
    /// The text, escapes decoded.
    pub fn text(self) -> &'t str {
        let span = self.node.span;
        match (self.node.text, self.node.quoted) {
            (NONE, false) => self.tree.source.slice(span),
            (NONE, true) => self.tree.source.slice(Span::new(span.start + 1, span.end - 1)),
            (text, _) => {
                let stored = self.tree.lists.texts[text as usize];
                &self.tree.lists.buffer[stored.start as usize..stored.end as usize]
            }
        }
    }

    /// Where it stands, quotes included.
    pub fn span(self) -> Span {
        self.node.span
    }
}

impl std::fmt::Debug for Label<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.text().fmt(f)
    }
}
