//! Evaluated bodies written as JSON syntax.
//!
//! Attributes are properties, a block is an object in an array, inside an object for each of its labels. Texts are
//! written as templates that mean them, `${` as `$${`, so that a reader of JSON syntax comes to the same values.

use hcl_syntax::diagnostic::json::write_string;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::hash::{IndexMap, IndexSet};

use super::{EvaluatedBlock, EvaluatedBody, EvaluatedItem};
use crate::json_syntax::{begin_line, labels_differ, name_shared, write_text};
use crate::stack;
use crate::value::{Kind, Value};

/// The JSON syntax of bodies: an object, or for several an array of objects. Marks are left out; what JSON has no form
/// for is an object of one property: `{"$unknown": "type and refinements"}`, `{"$number": "+Inf"}`,
/// `{"$capsule": "type"}`. Where there are diagnostics the text is not what was meant.
///
/// ```
/// use hcl_eval::dynamic::Body;
/// use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
/// use hcl_eval::evaluated::{evaluate_body, to_json};
/// use hcl_syntax::parser::File;
///
/// let body = Body::from(&File::parse("main.hcl", "size = base * 2\n")?);
/// let scope = Scope::builder().variable("base", 21).build();
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let (evaluated, _) = evaluate_body(&body, &[], &scope, &mut evaluation);
/// let (json, problems) = to_json(&[&evaluated]);
/// assert_eq!((json.as_str(), problems.len()), ("{\n  \"size\": 42\n}\n", 0));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn to_json(bodies: &[&EvaluatedBody]) -> (String, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let mut trees: Vec<Node<'_>> = bodies.iter().map(|body| object(body, &mut diagnostics)).collect();
    let tree = if trees.len() == 1 { trees.remove(0) } else { Node::Array(trees) };
    let mut writer = Writer { out: String::new(), indent: 0 };
    writer.node(&tree);
    writer.out.push('\n');
    (writer.out, diagnostics)
}

/// A JSON value.
enum Node<'b> {
    Value(&'b Value),
    Object(Vec<(&'b str, Node<'b>)>),
    Array(Vec<Node<'b>>),
}

/// The meaning of a name of a body.
enum Property<'b> {
    Attribute(&'b Value),
    Blocks(Vec<&'b EvaluatedBlock>),
}

/// A body, its names in the order in which they first appear.
fn object<'b>(body: &'b EvaluatedBody, diagnostics: &mut Diagnostics) -> Node<'b> {
    let mut properties: Vec<(&str, Property<'_>)> = Vec::new();
    let mut positions: IndexMap<&str, usize> = IndexMap::default();
    for item in &body.items {
        match item {
            EvaluatedItem::Attribute(attribute, value) => {
                let name = attribute.written().name();
                if let Some(&at) = positions.get(name) {
                    if let (_, Property::Blocks(blocks)) = &properties[at] {
                        diagnostics.extend(blocks.first().map(|block| problem_of(block, name_shared)));
                    }
                    continue;
                }
                positions.insert(name, properties.len());
                properties.push((name, Property::Attribute(value)));
            }
            EvaluatedItem::Block(block) => {
                let name = block.block_type.as_str();
                let at = *positions.entry(name).or_insert_with(|| {
                    properties.push((name, Property::Blocks(Vec::new())));
                    properties.len() - 1
                });
                match &mut properties[at].1 {
                    Property::Attribute(_) => diagnostics.push(problem_of(block, name_shared)),
                    Property::Blocks(blocks) => {
                        if blocks.first().is_some_and(|first| first.labels.len() != block.labels.len()) {
                            diagnostics.push(problem_of(block, labels_differ));
                        }
                        blocks.push(block);
                    }
                }
            }
        }
    }
    let node = |property, diagnostics: &mut Diagnostics| match property {
        Property::Attribute(value) => Node::Value(value),
        Property::Blocks(blocks) => stack::grow(u32::MAX, || array(&blocks, 0, diagnostics)),
    };
    Node::Object(properties.into_iter().map(|(name, property)| (name, node(property, diagnostics))).collect())
}

/// Blocks of one type of which so many labels are written already. The order of blocks is kept: where blocks of one
/// label don't stand together, each run of them is an object of its own in an array.
fn array<'b>(blocks: &[&'b EvaluatedBlock], n_written: usize, diagnostics: &mut Diagnostics) -> Node<'b> {
    if blocks.iter().any(|block| block.labels.len() <= n_written) {
        return Node::Array(blocks.iter().map(|block| object(&block.body, diagnostics)).collect());
    }
    let runs = blocks.chunk_by(|a, b| a.labels[n_written] == b.labels[n_written]);
    let runs: Vec<_> = runs
        .map(|run| {
            let inner = stack::grow(u32::MAX, || array(run, n_written + 1, diagnostics));
            (run[0].labels[n_written].as_str(), inner)
        })
        .collect();
    let mut seen = IndexSet::default();
    if runs.iter().all(|(label, _)| seen.insert(*label)) {
        return Node::Object(runs);
    }
    Node::Array(runs.into_iter().map(|run| Node::Object(vec![run])).collect())
}

/// Places a problem at a block.
fn problem_of(block: &EvaluatedBlock, word: fn(&str) -> Diagnostic) -> Diagnostic {
    word(&block.block_type).at(&block.source, block.definition_span)
}

struct Writer {
    out: String,
    indent: usize,
}

impl Writer {
    fn line(&mut self) {
        begin_line(self.indent, &mut self.out);
    }

    /// Items between brackets, a line each.
    fn list<T>(
        &mut self,
        open: char,
        items: impl ExactSizeIterator<Item = T>,
        close: char,
        write: fn(&mut Self, T),
    ) {
        let is_empty = items.len() == 0;
        self.out.push(open);
        self.indent += 1;
        for (position, item) in items.enumerate() {
            if position > 0 {
                self.out.push(',');
            }
            self.line();
            write(self, item);
        }
        self.indent -= 1;
        if !is_empty {
            self.line();
        }
        self.out.push(close);
    }

    fn node(&mut self, node: &Node<'_>) {
        stack::grow(u32::MAX, || match node {
            Node::Value(value) => self.value(value),
            Node::Array(nodes) => self.list('[', nodes.iter(), ']', Self::node),
            Node::Object(properties) => self.list('{', properties.iter(), '}', |writer, (name, node)| {
                write_string(name, &mut writer.out);
                writer.out.push_str(": ");
                writer.node(node);
            }),
        });
    }

    fn value(&mut self, value: &Value) {
        stack::grow(value.depth(), || match value.kind() {
            Kind::Null => self.out.push_str("null"),
            Kind::Bool => self.out.push_str(if value.as_bool() == Some(true) { "true" } else { "false" }),
            Kind::Number => match value.as_number() {
                Some(number) if number.is_infinite() => self.special("$number", &number.to_text()),
                Some(number) => number.write_text(&mut self.out),
                None => self.out.push_str("null"),
            },
            Kind::String => self.text(value.as_str().unwrap_or_default()),
            Kind::List | Kind::Set | Kind::Tuple => {
                self.list('[', value.elements().unwrap_or_default().iter(), ']', Self::value);
            }
            Kind::Map | Kind::Object => {
                let entries: Vec<_> = value.entries().into_iter().flatten().collect();
                self.list('{', entries.into_iter(), '}', |writer, (name, value)| {
                    writer.text(name);
                    writer.out.push_str(": ");
                    writer.value(value);
                });
            }
            Kind::Unknown => self.special("$unknown", &value.refinement_text().unwrap_or_default()),
            Kind::Capsule => self.special("$capsule", &value.type_name()),
        });
    }

    /// A text as a template that means it.
    fn text(&mut self, text: &str) {
        let mut template = String::new();
        write_text(text, &mut template);
        write_string(&template, &mut self.out);
    }

    fn special(&mut self, name: &str, text: &str) {
        self.out.push('{');
        write_string(name, &mut self.out);
        self.out.push_str(": ");
        write_string(text, &mut self.out);
        self.out.push('}');
    }
}
