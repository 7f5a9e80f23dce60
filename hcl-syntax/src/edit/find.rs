//! The places that an address names.

use super::address::{Address, AddressStep};
use crate::ast::{Attribute, Block, Body, Expression, ExpressionKind, ObjectItem};
use crate::limits::Watch;
use crate::sorting::sort_by_on;
use crate::source::Span;
use crate::stack;

/// A part of a document that an address names.
///
/// ```
/// use hcl_syntax::edit::{Document, Found};
///
/// let document = Document::parse("main.hcl", "tags = { env = \"dev\" }\nservice \"web\" {}\n")?;
/// for found in document.find(&"tags.env".parse()?) {
///     let Found::Item { item, .. } = found else { panic!("a key of an object") };
///     assert_eq!(item.value.source_text(), "\"dev\"");
/// }
/// assert!(matches!(document.find(&"service.web".parse()?)[..], [Found::Block(_)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub enum Found<'t> {
    /// An attribute of a body.
    Attribute(Attribute<'t>),
    /// A block.
    Block(Block<'t>),
    /// A key of an object that is written out, with its value.
    Item {
        /// The object.
        whole: Expression<'t>,
        /// The key and its value.
        item: ObjectItem<'t>,
    },
    /// An element of a tuple that is written out.
    Element {
        /// The tuple.
        whole: Expression<'t>,
        /// The element.
        element: Expression<'t>,
    },
}

impl<'t> Found<'t> {
    /// All of it: from the name to the end of the value, or to the closing brace.
    pub fn span(self) -> Span {
        match self {
            Self::Attribute(attribute) => attribute.span(),
            Self::Block(block) => block.span(),
            Self::Item { item, .. } => item.key.span().to(item.value.span()),
            Self::Element { element, .. } => element.span(),
        }
    }

    /// Its name; of a block the type and the labels.
    pub fn definition_span(self) -> Span {
        match self {
            Self::Attribute(attribute) => attribute.name_span(),
            Self::Block(block) => block.definition_span(),
            Self::Item { item, .. } => item.key.span(),
            Self::Element { element, .. } => element.span(),
        }
    }

    /// Its name: of a block the type; elements and keys that are expressions have none.
    pub fn name(self) -> Option<&'t str> {
        match self {
            Self::Attribute(attribute) => Some(attribute.name()),
            Self::Block(block) => Some(block.block_type()),
            Self::Item { item, .. } => key_text(item),
            Self::Element { .. } => None,
        }
    }

    /// Its value; blocks have none.
    pub fn value(self) -> Option<Expression<'t>> {
        match self {
            Self::Attribute(attribute) => Some(attribute.expression()),
            Self::Block(_) => None,
            Self::Item { item, .. } => Some(item.value),
            Self::Element { element, .. } => Some(element),
        }
    }
}

/// Everything in a body that an address names, in the order written; some of it if the work is to end.
pub(super) fn find<'t>(body: Body<'t>, address: &Address, watch: &Watch) -> Vec<Found<'t>> {
    let mut search = Search { found: Vec::new(), names: None, watch };
    search.body(body, &address.steps);
    let order = |a: &Found<'_>, b: &Found<'_>| a.span().start.cmp(&b.span().start);
    // Work that is to end has no use for the order.
    let _ = sort_by_on(&mut search.found, order, |n| watch.count(n));
    search.found
}

/// Returns whether an address names anything.
fn names_something(body: Body<'_>, address: &Address, n_steps: usize, watch: &Watch) -> bool {
    let mut search = Search { found: Vec::new(), names: None, watch };
    search.body(body, &address.steps[..n_steps]);
    !search.found.is_empty()
}

/// How many of an address's first steps name something, and which names could stand after them; some of these if the work is
/// to end.
pub(super) fn explored<'t>(body: Body<'t>, address: &Address, watch: &Watch) -> (usize, Vec<&'t str>) {
    // If some steps name something, fewer of them do so too.
    let lengths: Vec<usize> = (1..=address.steps.len()).collect();
    let n_found = lengths.partition_point(|&n_steps| names_something(body, address, n_steps, watch));
    let mut steps = address.steps[..n_found].to_vec();
    steps.push(AddressStep::Any);
    let mut search = Search { found: Vec::new(), names: Some(Vec::new()), watch };
    search.body(body, &steps);
    (n_found, search.names.unwrap_or_default())
}

/// A search under way.
struct Search<'t, 'w> {
    found: Vec<Found<'t>>,
    /// The names that could stand in the place of the last step, if these are looked for.
    names: Option<Vec<&'t str>>,
    watch: &'w Watch,
}

impl<'t> Search<'t, '_> {
    /// Returns whether `text`, in the place of the first of `steps`, is meant by it.
    fn meets(&mut self, steps: &[AddressStep], text: &'t str) -> bool {
        match (steps, &mut self.names) {
            ([_], Some(names)) => {
                names.push(text);
                false
            }
            ([first, ..], _) => first.matches(text),
            ([], _) => false,
        }
    }

    /// Counts one small piece of work; false if the work is to end.
    fn goes_on(&self) -> bool {
        self.watch.count(1).is_ok()
    }

    fn body(&mut self, body: Body<'t>, steps: &[AddressStep]) {
        let [first, rest @ ..] = steps else { return };
        match first {
            AddressStep::Name(name) => {
                let watch = self.watch;
                let mut attributes = watch.each(body.attributes(), 1);
                if let Some(attribute) = attributes.find(|attribute| attribute.is_named(name)) {
                    self.value(Found::Attribute(attribute), rest);
                }
            }
            AddressStep::Any => {
                for attribute in body.attributes() {
                    if !self.goes_on() {
                        return;
                    }
                    self.meets(steps, attribute.name());
                }
            }
            AddressStep::Index(_) => return,
        }
        let mut candidates = Vec::new();
        for block in body.blocks() {
            if !self.goes_on() {
                return;
            }
            if self.meets(steps, block.block_type()) {
                candidates.push((block, 0));
            }
        }
        self.blocks(candidates, rest);
    }

    /// Blocks of which so many labels have been named.
    fn blocks(&mut self, mut candidates: Vec<(Block<'t>, usize)>, steps: &[AddressStep]) {
        for (position, step) in steps.iter().enumerate() {
            if candidates.is_empty() {
                return;
            }
            if let AddressStep::Index(index) = step {
                candidates = candidates.get(*index).copied().into_iter().collect();
                continue;
            }
            let mut kept = Vec::new();
            for (block, n_labels) in candidates {
                if !self.goes_on() {
                    return;
                }
                match block.label(n_labels) {
                    Some(label) if self.meets(&steps[position..], label.text()) => {
                        kept.push((block, n_labels + 1));
                    }
                    Some(_) => {}
                    None => stack::level(|| self.body(block.body(), &steps[position..])),
                }
            }
            candidates = kept;
        }
        for (block, _) in candidates {
            if !self.goes_on() {
                return;
            }
            self.found.push(Found::Block(block));
        }
    }

    /// Goes on into a value that is written out.
    fn value(&mut self, mut found: Found<'t>, mut steps: &[AddressStep]) {
        let watch = self.watch;
        while let [first, rest @ ..] = steps {
            let Some(whole) = found.value().map(without_parentheses) else { return };
            let next = match (whole.kind(), first) {
                (ExpressionKind::Object(items), AddressStep::Index(_) | AddressStep::Name(_)) => {
                    let mut items = items.iter().take_while(|_| self.goes_on());
                    items
                        .find(|item| key_text(*item).is_some_and(|key| first.matches(key)))
                        .map(|item| Found::Item { whole, item })
                }
                (ExpressionKind::Object(items), AddressStep::Any) => {
                    for item in watch.each(items.iter(), 1) {
                        if let Some(key) = key_text(item) {
                            self.meets(steps, key);
                        }
                    }
                    None
                }
                (ExpressionKind::Tuple(elements), AddressStep::Index(index)) => {
                    elements.get(*index).map(|element| Found::Element { whole, element })
                }
                _ => None,
            };
            match next {
                Some(next) => found = next,
                None => return,
            }
            steps = rest;
        }
        self.found.push(found);
    }
}

/// The expression in parentheses, if it is.
pub(super) fn without_parentheses(mut expression: Expression<'_>) -> Expression<'_> {
    while let ExpressionKind::Parentheses(inner) = expression.kind() {
        expression = inner;
    }
    expression
}

/// The key of an item, if it is a plain name or text.
fn key_text(item: ObjectItem<'_>) -> Option<&str> {
    item.key_name().or_else(|| match item.key.kind() {
        ExpressionKind::Text(text) => Some(text),
        _ => None,
    })
}
