//! How a syntax tree is stored: flat vectors, indexes instead of pointers.
//!
//! Nodes are pushed in post-order, so the operands of a node precede it and the nodes of one expression
//! are contiguous. Dropping a tree frees a few vectors whatever its depth. Nothing outside this folder
//! reads the vectors: the typed views of the sibling modules do.

use std::ops::Deref;

use triomphe::Arc;

use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// The number of an expression in its tree: the index of its node.
///
/// ```
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "a + b".parse()?;
/// let id = parsed.expression().id();
/// // What is kept beside a tree is indexed by it.
/// assert_eq!(parsed.tree().expression(id).source_text(), "a + b");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ExprId(pub(crate) u32);

impl ExprId {
    /// The index as a number: operands are numbered before the expression that uses them.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The expression of an index that [`ExprId::index`] gave.
    pub fn from_index(index: u32) -> Self {
        Self(index)
    }
}

/// The number of a body in its tree: the place of its words in `extra`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct BodyId(pub(crate) u32);

/// Stands for "no index".
pub(super) const NONE: u32 = u32::MAX;

/// The kind of a node; the meaning of [`Node::data`] depends on it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Tag {
    Null,
    False,
    True,
    Number,
    /// `data`: [`NONE`] if the text is the span's, else an index into `texts`.
    Text,
    /// A quoted template of one literal as written: the text is the span without its first and last byte.
    QuotedText,
    /// Any other template of one literal as written. `data`: `extra` = start and end of the literal.
    PartText,
    /// `data`: `extra` = count, parts.
    Template,
    /// `data`: the wrapped expression.
    Interpolation,
    /// `data`: `extra` = count, elements.
    Tuple,
    /// `data`: `extra` = count of items, then key and value of each.
    Object,
    /// A name alone; the span is the name's.
    Name,
    /// `data`: `extra` = end of the root name, the first step's place in `extra`, count of steps.
    Traversal,
    /// `data`: `extra` = source, the first step's place in `extra`, count of steps.
    RelativeTraversal,
    /// `data`: `extra`, as [`Call`](super::Call) has it.
    Call,
    /// `data`: `extra`, as [`ForExpression`](super::ForExpression) has it.
    For,
    /// `data`: the `for` node whose results are joined.
    TemplateFor,
    /// `data`: `extra` = collection, key, start and end of the brackets.
    Index,
    /// `data`: `extra` = source, each, start and end of the marker.
    SplatAttributes,
    /// A full splat, `[*]`, with the data of `SplatAttributes`.
    SplatFull,
    /// The item a splat is at.
    SplatItem,
    /// `data`: the operand.
    Negate,
    /// `data`: the operand.
    Not,
    /// `data`: the left operand; the right one is the node before this one, and the operator is in `detail`.
    Binary,
    /// `data`: `extra` = condition, true result, false result.
    Conditional,
    /// `data`: the inner expression.
    Parentheses,
    Invalid,
    /// `data`: an index into `unfinished`, or [`NONE`] for its last.
    Unfinished,
}

#[derive(Copy, Clone, Debug)]
pub(super) struct Node {
    pub(super) tag: Tag,
    pub(super) detail: u8,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) data: u32,
}

const _: () = assert!(size_of::<Node>() == 16);

/// A literal's text where it differs from the source's.
#[derive(Copy, Clone, Debug)]
pub(super) struct StoredText {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Where the literal itself stands, when the node is a whole template of one literal.
    pub(super) part: Span,
}

/// The kind of a step, in the first of its words; the others are its start, its end, and data.
pub(super) struct StepTag;

impl StepTag {
    /// Data: start of the name, which ends where the step ends.
    pub(super) const ATTRIBUTE: u32 = 0;
    /// Data: the key, a literal.
    pub(super) const INDEX: u32 = 1;
    /// Data: start of the digits, which end where the step ends.
    pub(super) const LEGACY_INDEX: u32 = 2;
    /// `.0.1`, already reported; the key is not known.
    pub(super) const INVALID_LEGACY_INDEX: u32 = 3;
    /// How many words a step has.
    pub(super) const N_WORDS: usize = 4;
}

/// The words of a body in `extra`: its start and end, the counts of attributes and blocks, and these.
pub(super) struct BodyWords;

impl BodyWords {
    pub(super) const N_ATTRIBUTES: usize = 2;
    pub(super) const N_BLOCKS: usize = 3;
    /// Where the attributes begin, which the blocks follow.
    pub(super) const ATTRIBUTES: usize = 4;
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct AttributeNode {
    pub(crate) name: Span,
    pub(crate) equals: u32,
    pub(crate) end: u32,
    pub(crate) expression: ExprId,
}

impl AttributeNode {
    pub(super) const N_WORDS: usize = 5;

    pub(super) fn words(&self) -> [u32; Self::N_WORDS] {
        [self.name.start, self.name.end, self.equals, self.end, self.expression.0]
    }

    pub(super) fn of_words(&[start, name_end, equals, end, expression]: &[u32; Self::N_WORDS]) -> Self {
        Self { name: Span::new(start, name_end), equals, end, expression: ExprId(expression) }
    }
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct BlockNode {
    pub(crate) block_type: Span,
    /// Where in `extra` the labels begin.
    pub(crate) first_label: u32,
    pub(crate) n_labels: u32,
    pub(crate) open: Span,
    pub(crate) close: Span,
    pub(crate) body: BodyId,
}

impl BlockNode {
    pub(super) const N_WORDS: usize = 9;

    pub(super) fn words(&self) -> [u32; Self::N_WORDS] {
        let Self { block_type, first_label, n_labels, open, close, body } = *self;
        let [start, end] = [block_type.start, block_type.end];
        [start, end, first_label, n_labels, open.start, open.end, close.start, close.end, body.0]
    }

    pub(super) fn of_words(words: &[u32; Self::N_WORDS]) -> Self {
        let &[start, end, first_label, n_labels, open, open_end, close, close_end, body] = words;
        Self {
            block_type: Span::new(start, end),
            first_label,
            n_labels,
            open: Span::new(open, open_end),
            close: Span::new(close, close_end),
            body: BodyId(body),
        }
    }
}

/// `text` is [`NONE`] or an index into `texts`; a quoted label's span includes the quotes.
#[derive(Copy, Clone, Debug)]
pub(super) struct LabelNode {
    pub(super) span: Span,
    pub(super) text: u32,
    pub(super) quoted: bool,
}

impl LabelNode {
    pub(super) const N_WORDS: usize = 4;

    pub(super) fn words(&self) -> [u32; Self::N_WORDS] {
        [self.span.start, self.span.end, self.text, u32::from(self.quoted)]
    }

    pub(super) fn of_words(&[start, end, text, quoted]: &[u32; Self::N_WORDS]) -> Self {
        Self { span: Span::new(start, end), text, quoted: quoted != 0 }
    }
}

/// The syntax tree of one source text. Immutable once parsed; read through the views of this module.
#[derive(Debug)]
pub struct Tree {
    pub(super) source: Source,
    pub(super) lists: Lists,
}

/// The vectors of a tree, without its text; the parser fills them.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(super) nodes: Vec<Node>,
    /// Words that belong to nodes and bodies: one list for all, as most trees are small. The smallest have none.
    pub(super) extra: Vec<u32>,
    pub(super) texts: Vec<StoredText>,
    pub(super) buffer: String,
    pub(super) unfinished: Vec<Vec<Diagnostic>>,
    /// The length of the text that all nodes are of; 0 if that is not known, or if there is room for all of it.
    pub(super) text_len: usize,
}

/// A handle on a tree: its clones share the tree, threads too.
///
/// ```
/// use hcl_syntax::ast::SharedTree;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "a + b".parse()?;
/// let id = parsed.expression().id();
/// let tree: SharedTree = parsed.tree().clone();
/// let text = std::thread::spawn(move || tree.expression(id).source_text().to_owned()).join().unwrap();
/// assert_eq!(text, "a + b");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SharedTree(Arc<Tree>);

impl SharedTree {
    pub(super) fn new(source: Source, lists: Lists) -> Self {
        Self(Arc::new(Tree { source, lists }))
    }
}

impl Deref for SharedTree {
    type Target = Tree;

    fn deref(&self) -> &Tree {
        &self.0
    }
}

impl Tree {
    /// The text the tree was made from.
    pub fn source(&self) -> &Source {
        &self.source
    }
}
