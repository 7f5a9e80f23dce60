//! How a syntax tree is stored: flat vectors, indexes instead of pointers.
//!
//! Nodes are pushed in post-order, so the operands of a node precede it and the nodes of one expression
//! are contiguous. Dropping a tree frees a few vectors whatever its depth. Nothing outside this folder
//! reads the vectors: the typed views of the sibling modules do.

use std::sync::Arc;

use super::expression::{BinaryOperator, SplatKind, UnaryOperator};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};

/// Which expression of a tree: the index of its node.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(pub(crate) u32);

impl ExprId {
    /// The index as a number: operands are numbered before the expression that uses them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which body of a tree.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct BodyId(pub(crate) u32);

/// Stands for "no index".
pub(super) const NONE: u32 = u32::MAX;

/// What a node is; the meaning of [`Node::data`] depends on it.
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
    /// `data`: `extra` = end of the root name, first step, count of steps.
    Traversal,
    /// `data`: `extra` = source, first step, count of steps.
    RelativeTraversal,
    /// `data`: an index into `calls`.
    Call,
    /// `data`: an index into `fors`.
    For,
    /// `data`: the `for` node whose results are joined.
    TemplateFor,
    /// `data`: `extra` = collection, key, start and end of the brackets.
    Index,
    /// `data`: `extra` = source, each, start and end of the marker.
    SplatAttributes,
    /// The same as `SplatAttributes`, written `[*]`.
    SplatFull,
    /// The item a splat is at.
    SplatItem,
    /// `data`: the operand.
    Negate,
    /// `data`: the operand.
    Not,
    /// `data`: `extra` = left, right; the operator is in `detail`.
    Binary,
    /// `data`: `extra` = condition, true result, false result.
    Conditional,
    /// `data`: the inner expression.
    Parentheses,
    Invalid,
    /// `data`: an index into `unfinished`.
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

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum StepTag {
    /// `data`: start of the name, which ends where the step ends.
    Attribute,
    /// `data`: the key, a literal.
    Index,
    /// `data`: start of the digits, which end where the step ends.
    LegacyIndex,
    /// `.0.1`, already reported; the key is not known.
    InvalidLegacyIndex,
}

#[derive(Copy, Clone, Debug)]
pub(super) struct StepNode {
    pub(super) tag: StepTag,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) data: u32,
}

#[derive(Copy, Clone, Debug)]
pub(super) struct CallNode {
    pub(super) name: Span,
    /// [`NONE`] in `start` if the name's text is the span's, else a piece of the text buffer.
    pub(super) name_text: Span,
    pub(super) open: Span,
    pub(super) close: Span,
    pub(super) first_argument: u32,
    pub(super) n_arguments: u32,
    pub(super) expand_final: bool,
}

#[derive(Copy, Clone, Debug)]
pub(super) struct ForNode {
    pub(super) key_name: Span,
    pub(super) value_name: Span,
    pub(super) open: Span,
    pub(super) close: Span,
    pub(super) collection: u32,
    pub(super) key: u32,
    pub(super) value: u32,
    pub(super) condition: u32,
    pub(super) has_key_name: bool,
    pub(super) grouping: bool,
}

#[derive(Copy, Clone, Debug)]
pub(super) struct BodyNode {
    pub(super) span: Span,
    pub(super) first_attribute: u32,
    pub(super) n_attributes: u32,
    pub(super) first_block: u32,
    pub(super) n_blocks: u32,
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct AttributeNode {
    pub(crate) name: Span,
    pub(crate) equals: u32,
    pub(crate) end: u32,
    pub(crate) expression: ExprId,
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct BlockNode {
    pub(crate) block_type: Span,
    pub(crate) first_label: u32,
    pub(crate) n_labels: u32,
    pub(crate) open: Span,
    pub(crate) close: Span,
    pub(crate) body: BodyId,
}

/// `text` is [`NONE`] or an index into `texts`; a quoted label's span includes the quotes.
#[derive(Copy, Clone, Debug)]
pub(super) struct LabelNode {
    pub(super) span: Span,
    pub(super) text: u32,
    pub(super) quoted: bool,
}

/// The syntax tree of one source text. Immutable once parsed; read through the views of this module.
#[derive(Debug)]
pub struct Tree {
    pub(super) source: Arc<Source>,
    pub(super) nodes: Vec<Node>,
    pub(super) extra: Vec<u32>,
    pub(super) steps: Vec<StepNode>,
    pub(super) calls: Vec<CallNode>,
    pub(super) fors: Vec<ForNode>,
    pub(super) bodies: Vec<BodyNode>,
    pub(super) attributes: Vec<AttributeNode>,
    pub(super) blocks: Vec<BlockNode>,
    pub(super) labels: Vec<LabelNode>,
    pub(super) texts: Vec<StoredText>,
    pub(super) buffer: String,
    pub(super) unfinished: Vec<Vec<Diagnostic>>,
}

impl Tree {
    /// The text the tree was made from.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }
}

/// A step of a traversal as the grammar hands it over.
#[derive(Copy, Clone, Debug)]
pub(crate) enum NewStep {
    Attribute { span: Span, name: Span },
    /// `key` is a `Number`, `Bool`, `Null` or `Text` expression.
    Index { span: Span, key: ExprId },
    LegacyIndex { span: Span, digits: Span },
    InvalidLegacyIndex { span: Span },
}

/// A `for` expression as the grammar hands it over.
#[derive(Copy, Clone, Debug)]
pub(crate) struct NewFor {
    pub(crate) key_name: Option<Span>,
    pub(crate) value_name: Span,
    pub(crate) collection: ExprId,
    pub(crate) key: Option<ExprId>,
    pub(crate) value: ExprId,
    pub(crate) condition: Option<ExprId>,
    pub(crate) grouping: bool,
    pub(crate) open: Span,
    pub(crate) close: Span,
}

/// A call as the grammar hands it over.
#[derive(Clone, Debug)]
pub(crate) struct NewCall<'a> {
    pub(crate) name: Span,
    /// The name without blanks, when that differs from the text at `name`.
    pub(crate) name_text: Option<&'a str>,
    pub(crate) open: Span,
    pub(crate) close: Span,
    pub(crate) arguments: &'a [ExprId],
    pub(crate) expand_final: bool,
}

/// Building: only the grammar calls these. Operands are pushed before what uses them.
impl Tree {
    pub(crate) fn new(source: Arc<Source>) -> Self {
        let expected = source.text().len() / 16;
        Self {
            source,
            nodes: Vec::with_capacity(expected),
            extra: Vec::with_capacity(expected / 2),
            steps: Vec::new(),
            calls: Vec::new(),
            fors: Vec::new(),
            bodies: Vec::new(),
            attributes: Vec::new(),
            blocks: Vec::new(),
            labels: Vec::new(),
            texts: Vec::new(),
            buffer: String::new(),
            unfinished: Vec::new(),
        }
    }

    pub(crate) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.extra.shrink_to_fit();
        self.steps.shrink_to_fit();
        self.attributes.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.labels.shrink_to_fit();
        self.bodies.shrink_to_fit();
        self.texts.shrink_to_fit();
        self.buffer.shrink_to_fit();
    }

    fn push(&mut self, tag: Tag, span: Span, data: u32) -> ExprId {
        self.push_detailed(tag, 0, span, data)
    }

    fn push_detailed(&mut self, tag: Tag, detail: u8, span: Span, data: u32) -> ExprId {
        let id = ExprId(index(self.nodes.len()));
        self.nodes.push(Node { tag, detail, start: span.start, end: span.end, data });
        id
    }

    fn push_extra(&mut self, words: &[u32]) -> u32 {
        let first = index(self.extra.len());
        self.extra.extend_from_slice(words);
        first
    }

    fn push_list(&mut self, ids: &[ExprId]) -> u32 {
        let first = self.push_extra(&[index(ids.len())]);
        self.extra.extend(ids.iter().map(|id| id.0));
        first
    }

    pub(crate) fn null(&mut self, span: Span) -> ExprId {
        self.push(Tag::Null, span, 0)
    }

    pub(crate) fn bool(&mut self, span: Span, value: bool) -> ExprId {
        self.push(if value { Tag::True } else { Tag::False }, span, 0)
    }

    /// A number whose text has been checked.
    pub(crate) fn number(&mut self, span: Span) -> ExprId {
        self.push(Tag::Number, span, 0)
    }

    /// A piece of literal text inside a template, exactly as written.
    pub(crate) fn text(&mut self, span: Span) -> ExprId {
        self.push(Tag::Text, span, NONE)
    }

    /// A piece of literal text inside a template whose text differs from the source's.
    pub(crate) fn decoded_text(&mut self, span: Span, text: &str) -> ExprId {
        let text = self.store_text(text, span);
        self.push(Tag::Text, span, text)
    }

    /// A quoted template that is one literal, exactly as written. `span` includes the quotes.
    pub(crate) fn quoted_text(&mut self, span: Span) -> ExprId {
        self.push(Tag::QuotedText, span, NONE)
    }

    /// A whole template that is one literal (or nothing): `span` is the template's, `part` the literal's.
    pub(crate) fn template_text(&mut self, span: Span, part: Span, text: &str) -> ExprId {
        let text = self.store_text(text, part);
        self.push(Tag::Text, span, text)
    }

    /// Keeps a text that differs from the source's.
    fn store_text(&mut self, text: &str, part: Span) -> u32 {
        let start = index(self.buffer.len());
        self.buffer.push_str(text);
        self.texts.push(StoredText { start, end: index(self.buffer.len()), part });
        index(self.texts.len() - 1)
    }

    pub(crate) fn template(&mut self, span: Span, parts: &[ExprId]) -> ExprId {
        let list = self.push_list(parts);
        self.push(Tag::Template, span, list)
    }

    /// A template that is exactly one interpolation: its value is the expression's, of any type.
    pub(crate) fn interpolation(&mut self, span: Span, inner: ExprId) -> ExprId {
        self.push(Tag::Interpolation, span, inner.0)
    }

    pub(crate) fn tuple(&mut self, span: Span, elements: &[ExprId]) -> ExprId {
        let list = self.push_list(elements);
        self.push(Tag::Tuple, span, list)
    }

    /// `items` holds key, value, key, value …
    pub(crate) fn object(&mut self, span: Span, items: &[ExprId]) -> ExprId {
        let list = self.push_extra(&[index(items.len() / 2)]);
        self.extra.extend(items.iter().map(|id| id.0));
        self.push(Tag::Object, span, list)
    }

    /// A variable, with the steps that follow it.
    pub(crate) fn traversal(&mut self, root: Span, steps: &[NewStep]) -> ExprId {
        let Some(last) = steps.last() else { return self.push(Tag::Name, root, 0) };
        let span = root.to(last.span());
        let (first, count) = self.push_steps(steps);
        let data = self.push_extra(&[root.end, first, count]);
        self.push(Tag::Traversal, span, data)
    }

    /// Steps after an expression that is no variable.
    pub(crate) fn relative_traversal(&mut self, span: Span, source: ExprId, steps: &[NewStep]) -> ExprId {
        let (first, count) = self.push_steps(steps);
        let data = self.push_extra(&[source.0, first, count]);
        self.push(Tag::RelativeTraversal, span, data)
    }

    fn push_steps(&mut self, steps: &[NewStep]) -> (u32, u32) {
        let first = index(self.steps.len());
        self.steps.extend(steps.iter().map(|step| match *step {
            NewStep::Attribute { span, name } => StepNode::new(StepTag::Attribute, span, name.start),
            NewStep::Index { span, key } => StepNode::new(StepTag::Index, span, key.0),
            NewStep::LegacyIndex { span, digits } => StepNode::new(StepTag::LegacyIndex, span, digits.start),
            NewStep::InvalidLegacyIndex { span } => StepNode::new(StepTag::InvalidLegacyIndex, span, 0),
        }));
        (first, index(steps.len()))
    }

    pub(crate) fn call(&mut self, span: Span, call: &NewCall<'_>) -> ExprId {
        let first_argument = index(self.extra.len());
        self.extra.extend(call.arguments.iter().map(|id| id.0));
        let name_text = match call.name_text {
            None => Span::new(NONE, NONE),
            Some(text) => {
                let start = index(self.buffer.len());
                self.buffer.push_str(text);
                Span::new(start, index(self.buffer.len()))
            }
        };
        self.calls.push(CallNode {
            name: call.name,
            name_text,
            open: call.open,
            close: call.close,
            first_argument,
            n_arguments: index(call.arguments.len()),
            expand_final: call.expand_final,
        });
        let data = index(self.calls.len() - 1);
        self.push(Tag::Call, span, data)
    }

    pub(crate) fn for_expression(&mut self, span: Span, new: &NewFor) -> ExprId {
        self.fors.push(ForNode {
            key_name: new.key_name.unwrap_or_default(),
            value_name: new.value_name,
            open: new.open,
            close: new.close,
            collection: new.collection.0,
            key: new.key.map_or(NONE, |id| id.0),
            value: new.value.0,
            condition: new.condition.map_or(NONE, |id| id.0),
            has_key_name: new.key_name.is_some(),
            grouping: new.grouping,
        });
        let data = index(self.fors.len() - 1);
        self.push(Tag::For, span, data)
    }

    /// A `%{ for }` directive: the results of `inner`, a `for` expression, are joined.
    pub(crate) fn template_for(&mut self, span: Span, inner: ExprId) -> ExprId {
        self.push(Tag::TemplateFor, span, inner.0)
    }

    pub(crate) fn index(&mut self, span: Span, collection: ExprId, key: ExprId, brackets: Span) -> ExprId {
        let data = self.push_extra(&[collection.0, key.0, brackets.start, brackets.end]);
        self.push(Tag::Index, span, data)
    }

    pub(crate) fn splat(
        &mut self,
        kind: SplatKind,
        span: Span,
        source: ExprId,
        each: ExprId,
        marker: Span,
    ) -> ExprId {
        let data = self.push_extra(&[source.0, each.0, marker.start, marker.end]);
        let tag = match kind {
            SplatKind::AttributeOnly => Tag::SplatAttributes,
            SplatKind::Full => Tag::SplatFull,
        };
        self.push(tag, span, data)
    }

    /// The item of the splat whose marker stands at `span`.
    pub(crate) fn splat_item(&mut self, span: Span) -> ExprId {
        self.push(Tag::SplatItem, span, 0)
    }

    pub(crate) fn unary(&mut self, span: Span, operator: UnaryOperator, operand: ExprId) -> ExprId {
        let tag = match operator {
            UnaryOperator::Negate => Tag::Negate,
            UnaryOperator::Not => Tag::Not,
        };
        self.push(tag, span, operand.0)
    }

    pub(crate) fn binary(&mut self, span: Span, operator: BinaryOperator, left: ExprId, right: ExprId) -> ExprId {
        let data = self.push_extra(&[left.0, right.0]);
        self.push_detailed(Tag::Binary, operator as u8, span, data)
    }

    pub(crate) fn conditional(&mut self, span: Span, parts: [ExprId; 3]) -> ExprId {
        let data = self.push_extra(&parts.map(|id| id.0));
        self.push(Tag::Conditional, span, data)
    }

    pub(crate) fn parentheses(&mut self, span: Span, inner: ExprId) -> ExprId {
        self.push(Tag::Parentheses, span, inner.0)
    }

    /// A place where no expression could be read, already reported.
    pub(crate) fn invalid(&mut self, span: Span) -> ExprId {
        self.push(Tag::Invalid, span, 0)
    }

    /// `a.` without a name: evaluation returns the diagnostics of the parse again.
    pub(crate) fn unfinished(&mut self, span: Span, diagnostics: Vec<Diagnostic>) -> ExprId {
        self.unfinished.push(diagnostics);
        let data = index(self.unfinished.len() - 1);
        self.push(Tag::Unfinished, span, data)
    }

    /// The span of an expression pushed before.
    pub(crate) fn span_of(&self, id: ExprId) -> Span {
        let node = self.nodes[id.index()];
        Span::new(node.start, node.end)
    }

    /// A label; `text` where it differs from what is written between the quotes. Returns its index.
    pub(crate) fn label(&mut self, span: Span, quoted: bool, text: Option<&str>) -> u32 {
        let text = text.map_or(NONE, |text| self.store_text(text, span));
        self.labels.push(LabelNode { span, text, quoted });
        index(self.labels.len() - 1)
    }

    pub(crate) fn body(&mut self, span: Span, attributes: &[AttributeNode], blocks: &[BlockNode]) -> BodyId {
        self.bodies.push(BodyNode {
            span,
            first_attribute: index(self.attributes.len()),
            n_attributes: index(attributes.len()),
            first_block: index(self.blocks.len()),
            n_blocks: index(blocks.len()),
        });
        self.attributes.extend_from_slice(attributes);
        self.blocks.extend_from_slice(blocks);
        BodyId(index(self.bodies.len() - 1))
    }
}

impl NewStep {
    /// Where the step stands.
    pub(crate) fn span(&self) -> Span {
        match *self {
            Self::Attribute { span, .. }
            | Self::Index { span, .. }
            | Self::LegacyIndex { span, .. }
            | Self::InvalidLegacyIndex { span } => span,
        }
    }
}

impl StepNode {
    fn new(tag: StepTag, span: Span, data: u32) -> Self {
        Self { tag, start: span.start, end: span.end, data }
    }
}

/// A length as an index; a source has fewer than 2³² bytes and no vector here grows faster than it.
fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(NONE)
}
