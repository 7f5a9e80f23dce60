//! Building a tree: what the grammar hands over, node by node.
//!
//! Only the parser calls these. Operands are pushed before what uses them.

use super::call::Call;
use super::collection::ObjectRules;
use super::expression::SplatKind;
use super::operator::{BinaryOperator, UnaryOperator};
use super::tree::{
    AttributeNode, BlockNode, BodyId, BodyWords, ExprId, LabelNode, Lists, NONE, Node, SharedTree, StepTag,
    StoredText, Tag,
};
use crate::diagnostic::Diagnostic;
use crate::lexer::usual_n_tokens;
use crate::limits::Watch;
use crate::source::{Source, Span};

/// A step of a traversal as the grammar hands it over.
#[derive(Copy, Clone, Debug)]
pub(crate) enum NewStep {
    Attribute {
        span: Span,
        name: Span,
    },
    /// `key` is a `Number`, `Bool`, `Null` or `Text` expression.
    Index {
        span: Span,
        key: ExprId,
    },
    LegacyIndex {
        span: Span,
        digits: Span,
    },
    InvalidLegacyIndex {
        span: Span,
    },
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

/// Where a text begins among those that differ from the source's.
#[derive(Copy, Clone, Debug)]
pub(crate) struct TextFrom(u32);

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

impl Lists {
    /// Empty lists with room for the expressions of a text of `len` bytes, or for those of the beginning of a long one.
    /// Short ones are denser, and need nothing of most lists: the words beside nodes, too, get room when there are some.
    pub(crate) fn new(len: usize) -> Self {
        Self::with_room(len, n_tokens_at_first(len), 0)
    }

    /// Reserves room for a file of `len` bytes, which has bodies beside expressions.
    pub(crate) fn for_file(len: usize) -> Self {
        let n_tokens = n_tokens_at_first(len);
        Self::with_room(len, n_tokens, n_tokens * 7 / 4 + 16 + 2 * n_tokens.min(SHORT))
    }

    /// Reserves room for `n_values` values of JSON syntax.
    pub(crate) fn for_json(n_values: usize) -> Self {
        Self::with_room(0, n_values, n_values + 2 * n_values.min(SHORT))
    }

    fn with_room(text_len: usize, n_tokens: usize, n_extra: usize) -> Self {
        let n_first = n_tokens.min(SHORT);
        // Of a long text these are used up first, where more is made for the rest.
        let n_nodes = if text_len > 2 * SAMPLE { n_tokens / 5 } else { n_tokens * 3 / 8 };
        Self {
            nodes: Vec::with_capacity(n_nodes + n_first / 2 + 1),
            extra: Vec::with_capacity(n_extra),
            // Most small files have no text that differs from the source's.
            texts: Vec::new(),
            buffer: String::new(),
            unfinished: Vec::new(),
            text_len,
        }
    }

    /// The tree of what was read of `source`.
    pub(crate) fn into_tree(self, source: Source) -> SharedTree {
        SharedTree::new(source, self)
    }

    /// Where the room is used up that was made for the beginning of a text: makes room for the rest, as it goes on as it
    /// begins and is no denser than others. `n_read` bytes have been read.
    #[cold] // Without it `parse_data` takes 7 % more instructions.
    fn make_room_for_rest(&mut self, n_read: u32) {
        let (n_read, len) = (n_read as usize, std::mem::take(&mut self.text_len));
        let grow = |n_now: usize, least_distance: usize| {
            let n_expected = n_now.saturating_mul(len / 16) / n_read.max(1) * 17;
            n_expected.min(len / least_distance).saturating_sub(n_now)
        };
        // Without memory for it they grow when they are full, for which the parser asks.
        let _ = self.nodes.try_reserve_exact(grow(self.nodes.len(), 8));
        let _ = self.extra.try_reserve_exact(grow(self.extra.len(), 2));
    }

    /// Makes room for the first words of the expressions of a text.
    #[cold] // Without it `parse_tf` takes 4 % more instructions.
    fn make_room_for_words(&mut self) {
        let n_tokens = n_tokens_at_first(self.text_len);
        self.extra = Vec::with_capacity(n_tokens + 2 * n_tokens.min(SHORT));
    }

    /// How much the tree has beside its nodes.
    pub(crate) fn n_extra(&self) -> usize {
        self.extra.len()
    }

    /// Drops what was pushed since there were so many words beside the nodes: the nodes from `offset` of the text on.
    pub(crate) fn discard_item(&mut self, offset: u32, n_extra: usize) {
        while self.nodes.last().is_some_and(|node| node.end > offset) {
            self.nodes.pop();
        }
        self.extra.truncate(n_extra);
    }

    /// Gives back the room that was not needed.
    pub(crate) fn shrink(&mut self) {
        shrink(&mut self.nodes);
        shrink(&mut self.extra);
        shrink(&mut self.texts);
        if is_worth_shrinking(self.buffer.capacity() - self.buffer.len(), self.buffer.len()) {
            self.buffer.shrink_to_fit();
        }
    }

    fn push(&mut self, tag: Tag, span: Span, data: u32) -> ExprId {
        self.push_detailed(tag, 0, span, data)
    }

    fn push_detailed(&mut self, tag: Tag, detail: u8, span: Span, data: u32) -> ExprId {
        let id = ExprId(index(self.nodes.len()));
        if self.nodes.len() == self.nodes.capacity() {
            self.make_room_for_rest(span.end);
        }
        self.nodes.push(Node { tag, detail, start: span.start, end: span.end, data });
        id
    }

    /// Adds words of an expression.
    fn push_extra<const N: usize>(&mut self, words: [u32; N]) -> u32 {
        if self.extra.capacity() == 0 {
            self.make_room_for_words();
        }
        self.push_words(words)
    }

    /// Adds words to a tree that has room for some from the start, as those of files have.
    fn push_words<const N: usize>(&mut self, words: [u32; N]) -> u32 {
        let first = index(self.extra.len());
        self.extra.extend_from_slice(&words);
        first
    }

    fn push_list(&mut self, ids: &[ExprId]) -> u32 {
        let first = self.push_extra([index(ids.len())]);
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

    /// Where the next text will be that differs from the source's: what is appended from now on to
    /// [`text_buffer`](Self::text_buffer).
    pub(crate) fn next_text(&self) -> TextFrom {
        TextFrom(index(self.buffer.len()))
    }

    /// The texts that differ from the source's, one behind the other.
    pub(crate) fn text_buffer(&mut self) -> &mut String {
        &mut self.buffer
    }

    /// A piece of literal text inside a template whose text differs from the source's.
    pub(crate) fn decoded_text(&mut self, span: Span, text: TextFrom) -> ExprId {
        let text = self.store_text(text, span);
        self.push(Tag::Text, span, text)
    }

    /// A quoted template that is one literal, exactly as written. `span` includes the quotes.
    pub(crate) fn quoted_text(&mut self, span: Span) -> ExprId {
        self.push(Tag::QuotedText, span, NONE)
    }

    /// A whole template that is one literal (or nothing): `span` is the template's, `part` the literal's.
    pub(crate) fn template_text(&mut self, span: Span, part: Span, text: TextFrom) -> ExprId {
        let text = self.store_text(text, part);
        self.push(Tag::Text, span, text)
    }

    /// Keeps a text that differs from the source's: what is in the buffer from `text` on.
    fn store_text(&mut self, text: TextFrom, part: Span) -> u32 {
        self.texts.push(StoredText { start: text.0, end: index(self.buffer.len()), part });
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
        self.push_object(span, items, ObjectRules::Native)
    }

    /// An object of JSON syntax; `items` as for [`Lists::object`].
    pub(crate) fn json_object(&mut self, span: Span, items: &[ExprId]) -> ExprId {
        self.push_object(span, items, ObjectRules::Json)
    }

    fn push_object(&mut self, span: Span, items: &[ExprId], rules: ObjectRules) -> ExprId {
        let list = self.push_extra([index(items.len() / 2)]);
        self.extra.extend(items.iter().map(|id| id.0));
        self.push_detailed(Tag::Object, rules as u8, span, list)
    }

    /// A variable alone.
    pub(crate) fn name(&mut self, root: Span) -> ExprId {
        self.push(Tag::Name, root, 0)
    }

    /// A variable, with the steps that follow it.
    pub(crate) fn traversal(&mut self, root: Span, steps: &[NewStep]) -> ExprId {
        let first = self.next_step();
        self.push_steps(steps);
        self.traversal_since(root, first)
    }

    /// A variable, with the steps pushed from `first` on.
    pub(crate) fn traversal_since(&mut self, root: Span, first: StepsFrom) -> ExprId {
        let words = &self.extra[first.0 as usize..];
        let Some(&[_, _, end, _]) = words.last_chunk::<{ StepTag::N_WORDS }>() else {
            return self.name(root);
        };
        let count = n_steps(words);
        let data = self.push_extra([root.end, first.0, count]);
        self.push(Tag::Traversal, Span::new(root.start, end), data)
    }

    /// Where the next step will be.
    pub(crate) fn next_step(&self) -> StepsFrom {
        StepsFrom(index(self.extra.len()))
    }

    /// A step by an attribute, of a traversal that is pushed after its steps.
    pub(crate) fn attribute_step(&mut self, span: Span, name: Span) {
        self.push_extra([StepTag::ATTRIBUTE, span.start, span.end, name.start]);
    }

    /// Moves the attribute steps pushed from `first` on to a list.
    pub(crate) fn take_attribute_steps(&mut self, first: StepsFrom, steps: &mut impl Extend<NewStep>) {
        let words = self.extra.drain(first.0 as usize..);
        let words = words.as_slice().as_chunks::<{ StepTag::N_WORDS }>().0;
        steps.extend(words.iter().map(|&[_, start, end, name]| NewStep::Attribute {
            span: Span::new(start, end),
            name: Span::new(name, end),
        }));
    }

    /// Steps after an expression. After a traversal, which only errors in between leave on its own, they
    /// continue it.
    pub(crate) fn relative_traversal(&mut self, span: Span, source: ExprId, steps: &[NewStep]) -> ExprId {
        let Node { tag, start, end, data, .. } = self.nodes[source.index()];
        match tag {
            Tag::Name => return self.traversal(Span::new(start, end), steps),
            Tag::Traversal | Tag::RelativeTraversal => {
                return self.continued_traversal(tag, span, data, steps);
            }
            _ => {}
        }
        let first = self.next_step();
        self.push_steps(steps);
        let data = self.push_extra([source.0, first.0, index(steps.len())]);
        self.push(Tag::RelativeTraversal, span, data)
    }

    fn continued_traversal(&mut self, tag: Tag, span: Span, earlier: u32, steps: &[NewStep]) -> ExprId {
        let words = &self.extra[earlier as usize..earlier as usize + 3];
        let (head, first, count) = (words[0], words[1] as usize, words[2]);
        let new_first = self.next_step();
        self.extra.extend_from_within(first..first + count as usize * StepTag::N_WORDS);
        self.push_steps(steps);
        let count = n_steps(&self.extra[new_first.0 as usize..]);
        let data = self.push_extra([head, new_first.0, count]);
        self.push(tag, span, data)
    }

    fn push_steps(&mut self, steps: &[NewStep]) {
        for step in steps {
            let (tag, span, data) = match *step {
                NewStep::Attribute { span, name } => (StepTag::ATTRIBUTE, span, name.start),
                NewStep::Index { span, key } => (StepTag::INDEX, span, key.0),
                NewStep::LegacyIndex { span, digits } => (StepTag::LEGACY_INDEX, span, digits.start),
                NewStep::InvalidLegacyIndex { span } => (StepTag::INVALID_LEGACY_INDEX, span, 0),
            };
            self.push_extra([tag, span.start, span.end, data]);
        }
    }

    pub(crate) fn call(&mut self, span: Span, call: &NewCall<'_>) -> ExprId {
        let NewCall { name, open, close, arguments, expand_final, .. } = *call;
        let name_text = call.name_text.map(|text| {
            let start = index(self.buffer.len());
            self.buffer.push_str(text);
            [start, index(self.buffer.len())]
        });
        let flags = if expand_final { Call::EXPANDS_FINAL } else { 0 }
            | if name_text.is_some() { Call::HAS_NAME_TEXT } else { 0 };
        let first = self.push_extra([
            name.start,
            name.end,
            open.start,
            open.end,
            close.start,
            close.end,
            flags,
            index(arguments.len()),
        ]);
        self.extra.extend(arguments.iter().map(|id| id.0));
        self.extra.extend(name_text.into_iter().flatten());
        self.push(Tag::Call, span, first)
    }

    pub(crate) fn for_expression(&mut self, span: Span, new: &NewFor) -> ExprId {
        let key_name = new.key_name.unwrap_or(Span::new(NONE, NONE));
        let first = self.push_extra([
            key_name.start,
            key_name.end,
            new.value_name.start,
            new.value_name.end,
            new.open.start,
            new.open.end,
            new.close.start,
            new.close.end,
            new.collection.0,
            new.key.map_or(NONE, |id| id.0),
            new.value.0,
            new.condition.map_or(NONE, |id| id.0),
            u32::from(new.grouping),
        ]);
        self.push(Tag::For, span, first)
    }

    /// A `%{ for }` directive: the results of `inner`, a `for` expression, are joined.
    pub(crate) fn template_for(&mut self, span: Span, inner: ExprId) -> ExprId {
        self.push(Tag::TemplateFor, span, inner.0)
    }

    pub(crate) fn index(&mut self, span: Span, collection: ExprId, key: ExprId, brackets: Span) -> ExprId {
        let data = self.push_extra([collection.0, key.0, brackets.start, brackets.end]);
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
        let data = self.push_extra([source.0, each.0, marker.start, marker.end]);
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

    /// An operation whose right operand is the last expression that was pushed; what an error left behind it goes.
    pub(crate) fn binary(
        &mut self,
        span: Span,
        operator: BinaryOperator,
        left: ExprId,
        right: ExprId,
    ) -> ExprId {
        self.discard_after(right);
        self.push_detailed(Tag::Binary, operator as u8, span, left.0)
    }

    pub(crate) fn conditional(&mut self, span: Span, parts: [ExprId; 3]) -> ExprId {
        let data = self.push_extra(parts.map(|id| id.0));
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
    pub(crate) fn unfinished(&mut self, span: Span, mut diagnostics: Vec<Diagnostic>) -> ExprId {
        // A list that grew has room for four, which a JSON text of short faulty strings would keep for each.
        diagnostics.shrink_to_fit();
        self.unfinished.push(diagnostics);
        let data = index(self.unfinished.len() - 1);
        self.push(Tag::Unfinished, span, data)
    }

    /// A faulty template whose diagnostics are not kept: [`tell_left_out`](Self::tell_left_out) is to follow.
    pub(crate) fn left_out(&mut self, span: Span) -> ExprId {
        self.push(Tag::Unfinished, span, NONE)
    }

    /// The diagnostic of all [`left_out`](Self::left_out), of which there are so many.
    pub(crate) fn tell_left_out(&mut self, n: usize) {
        self.unfinished.push(vec![Diagnostic::left_out(n)]);
    }

    /// Makes a literal that was pushed as a part the whole of a template at `span`.
    pub(crate) fn text_to_template(&mut self, id: ExprId, span: Span) -> ExprId {
        let part = self.span_of(id);
        if self.nodes[id.index()].data == NONE {
            let data = self.push_extra([part.start, part.end]);
            self.nodes[id.index()] =
                Node { tag: Tag::PartText, detail: 0, start: span.start, end: span.end, data };
        } else {
            let node = &mut self.nodes[id.index()];
            (node.start, node.end) = (span.start, span.end);
        }
        id
    }

    /// Gives a literal that was pushed as a part another text; it begins `n_bytes` further on.
    pub(crate) fn replace_text(&mut self, id: ExprId, n_bytes: u32, text: TextFrom) {
        let node = &mut self.nodes[id.index()];
        node.start = (node.start + n_bytes).min(node.end);
        let part = Span::new(node.start, node.end);
        let data = self.store_text(text, part);
        self.nodes[id.index()].data = data;
    }

    /// Returns whether an expression is a literal. A placeholder counts as one.
    pub(crate) fn is_literal(&self, id: ExprId) -> bool {
        let tag = self.nodes[id.index()].tag;
        matches!(tag, Tag::Null | Tag::False | Tag::True | Tag::Number | Tag::Invalid) || self.is_text(id)
    }

    /// Returns whether an expression is constant text.
    pub(crate) fn is_text(&self, id: ExprId) -> bool {
        matches!(self.nodes[id.index()].tag, Tag::Text | Tag::QuotedText | Tag::PartText)
    }

    /// How many nodes there are.
    pub(crate) fn mark(&self) -> usize {
        self.nodes.len()
    }

    /// Drops the nodes pushed since `mark`, which nothing uses.
    pub(crate) fn discard_from(&mut self, mark: usize) {
        self.nodes.truncate(mark);
    }

    /// Drops the nodes pushed after `id`, which nothing uses.
    pub(crate) fn discard_after(&mut self, id: ExprId) {
        self.nodes.truncate(id.index() + 1);
    }

    /// Where labels will be that are pushed from now on.
    pub(crate) fn next_label(&self) -> u32 {
        index(self.extra.len())
    }

    /// How many labels were pushed from `first` on, with nothing else among them.
    pub(crate) fn n_labels_since(&self, first: u32) -> u32 {
        index((self.extra.len() - first as usize) / LabelNode::N_WORDS)
    }

    /// The span of an expression pushed before.
    pub(crate) fn span_of(&self, id: ExprId) -> Span {
        let node = self.nodes[id.index()];
        Span::new(node.start, node.end)
    }

    /// A label; `text` where it differs from what is written between the quotes.
    pub(crate) fn label(&mut self, span: Span, quoted: bool, text: Option<TextFrom>) {
        let text = text.map_or(NONE, |text| self.store_text(text, span));
        self.push_words(LabelNode { span, text, quoted }.words());
    }

    /// A body with these items. If the work is to end, a large one has the first of them.
    pub(crate) fn body(
        &mut self,
        span: Span,
        attributes: &[AttributeNode],
        blocks: &[BlockNode],
        watch: &Watch,
    ) -> BodyId {
        let mut head = [span.start, span.end, 0, 0];
        head[BodyWords::N_ATTRIBUTES] = index(attributes.len());
        head[BodyWords::N_BLOCKS] = index(blocks.len());
        let body = self.push_words(head);
        let n_words = AttributeNode::N_WORDS * attributes.len() + BlockNode::N_WORDS * blocks.len();
        if attributes.len() + blocks.len() < MANY_ITEMS {
            self.extra.reserve(n_words);
            self.push_items(attributes, blocks);
        } else {
            watch.make_room(&mut self.extra, n_words);
            self.push_many_items(body, attributes, blocks, watch);
        }
        BodyId(body)
    }

    /// A body without items.
    pub(crate) fn empty_body(&mut self, span: Span) -> BodyId {
        BodyId(self.push_words([span.start, span.end, 0, 0]))
    }

    fn push_items(&mut self, attributes: &[AttributeNode], blocks: &[BlockNode]) {
        for attribute in attributes {
            self.push_words(attribute.words());
        }
        for block in blocks {
            self.push_words(block.words());
        }
    }

    fn push_many_items(
        &mut self,
        body: u32,
        attributes: &[AttributeNode],
        blocks: &[BlockNode],
        watch: &Watch,
    ) {
        let n_attributes = push_with_looks(attributes, watch, |stretch| self.push_items(stretch, &[]));
        let n_blocks = push_with_looks(blocks, watch, |stretch| self.push_items(&[], stretch));
        let head = &mut self.extra[body as usize..];
        head[BodyWords::N_ATTRIBUTES] = n_attributes;
        head[BodyWords::N_BLOCKS] = n_blocks;
    }
}

/// Pushes items in stretches; returns how many were pushed, which are all unless the work is to end.
fn push_with_looks<T>(items: &[T], watch: &Watch, mut push: impl FnMut(&[T])) -> u32 {
    let mut n_pushed = 0;
    for stretch in items.chunks(MANY_ITEMS) {
        if watch.look().is_some() {
            break;
        }
        push(stretch);
        n_pushed += stretch.len();
    }
    index(n_pushed)
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

/// A place in a tree from which on steps are pushed.
#[derive(Copy, Clone)]
pub(crate) struct StepsFrom(u32);

/// How many steps these words are.
fn n_steps(words: &[u32]) -> u32 {
    index(words.len() / StepTag::N_WORDS)
}

/// From so many items on a body is stored with looks at the limits, which a small one has no use for.
const MANY_ITEMS: usize = 1 << 12;

/// Texts of up to so many tokens are short.
const SHORT: usize = 32;

/// How much of a long text tells what the rest of it will need.
const SAMPLE: usize = 1 << 13;

/// For how many tokens of a text of this length there is room at first.
fn n_tokens_at_first(len: usize) -> usize {
    usual_n_tokens(if len > 2 * SAMPLE { SAMPLE } else { len })
}

/// Returns whether the unused bytes are worth a reallocation: they are no trifle, and a third of all bytes or many.
fn is_worth_shrinking(n_unused: usize, n_used: usize) -> bool {
    const TRIFLE: usize = 1024;
    const MANY: usize = 16 * 1024;
    n_unused > TRIFLE && n_unused > MANY.min(n_used / 2)
}

fn shrink<T>(list: &mut Vec<T>) {
    let n_unused = list.capacity() - list.len();
    if is_worth_shrinking(n_unused * size_of::<T>(), list.len() * size_of::<T>()) {
        list.shrink_to_fit();
    }
}

/// A length as an index. Nothing here grows faster than `extra` does by empty blocks, which are four bytes (`a{}` and a newline)
/// and as many words as a block and its body.
fn index(len: usize) -> u32 {
    const WORDS: usize = BlockNode::N_WORDS + BodyWords::ATTRIBUTES;
    const { assert!(Source::MAX_LEN.div_ceil(4) * WORDS + WORDS < NONE as usize) };
    u32::try_from(len).unwrap_or(NONE)
}
