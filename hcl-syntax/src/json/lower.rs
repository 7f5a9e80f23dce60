//! JSON values as expressions: one ordinary syntax tree for all values of a file.
//!
//! An array is a tuple, an object an object whose keys are templates, and a string a bare template, whose
//! syntax errors lie in the tree and come out whenever it is evaluated. Where a string must be scanned as a
//! template and differs from what is written, its decoded text becomes an appendix of the source, with
//! places counted from the opening quote on, as the reference implementation counts them.

use memchr::memchr;

use super::tree::{JsonTree, NodeKind, PropertyId, TextId, ValueId};
use crate::ast::{ExprId, Lists, SharedTree};
use crate::diagnostic::Diagnostics;
use crate::limits::Watch;
use crate::parser::parse_template_into;
use crate::source::{Pos, Source, Span};

/// The meaning of strings in JSON syntax.
///
/// ```
/// use hcl_syntax::ast::Literal;
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::json::{JsonFile, Strings};
///
/// let file = JsonFile::parse("main.hcl.json", r#"{"name": "${var.name}"}"#)?;
/// let name = ConfigBody::from(&file).everything().expression("name").unwrap();
/// assert!(name.syntax_with(Strings::Templates).expression().literal().is_none());
/// let text = name.syntax_with(Strings::Literal);
/// assert!(matches!(text.expression().literal(), Some(Literal::Text("${var.name}"))));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Strings {
    /// Templates: where there is something to refer to.
    Templates,
    /// Their text: where neither variables nor functions are allowed.
    Literal,
}

/// The tree of expressions, and which of them each value and each name of a property is.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) tree: SharedTree,
    values: Vec<ExprId>,
    keys: Vec<ExprId>,
}

impl Lowered {
    pub(crate) fn value(&self, id: ValueId) -> ExprId {
        self.values[id.0 as usize]
    }

    pub(crate) fn key(&self, id: PropertyId) -> ExprId {
        self.keys[id.0 as usize]
    }
}

/// The expressions of a file; made once.
pub(crate) fn lowered(json: &JsonTree, strings: Strings) -> &Lowered {
    match strings {
        Strings::Templates => json.as_templates.get_or_init(|| lower(json, strings, &Watch::idle())),
        Strings::Literal => json.as_literals.get_or_init(|| lower(json, strings, &Watch::idle())),
    }
}

/// Makes the expressions now, unless the work is to end before they are made.
pub(super) fn make_expressions(json: &JsonTree, watch: &Watch) {
    let made = lower(json, Strings::Templates, watch);
    if watch.look().is_none() {
        // It is empty: nobody else has the tree yet.
        let _ = json.as_templates.set(made);
    }
}

/// The expressions; some of them only if the work is to end.
fn lower(json: &JsonTree, strings: Strings, watch: &Watch) -> Lowered {
    let (source, pieces) = match strings {
        Strings::Templates => with_decoded_templates(json, watch),
        Strings::Literal => (json.source.clone(), Vec::new()),
    };
    let mut lowering = Lowering {
        json,
        source: &source,
        strings,
        watch,
        n_kept: 0,
        n_left_out: 0,
        tree: Lists::for_json(json.nodes.len()),
        pieces: pieces.into_iter(),
        values: Vec::with_capacity(json.nodes.len()),
        keys: vec![ExprId::default(); json.properties.len()],
        items: Vec::new(),
    };
    for node in watch.each(&json.nodes, 1) {
        let id = lowering.value(node.span, node.kind);
        lowering.values.push(id);
    }
    lowering.tree.shrink();
    let Lowering { mut tree, values, keys, n_left_out, .. } = lowering;
    if n_left_out > 0 {
        tree.tell_left_out(n_left_out);
    }
    Lowered { tree: tree.into_tree(source), values, keys }
}

/// The source with the templates that differ from what is written, and where they are, in the order in
/// which strings are lowered.
fn with_decoded_templates(json: &JsonTree, watch: &Watch) -> (Source, Vec<Span>) {
    let mut decoded = Vec::new();
    let mut add = |span: Span, text: TextId| {
        if let Meaning::Decoded(template) = meaning(json, span, text, watch)
            && json.source.find_lines_on(watch)
        {
            let Pos { line, column, byte } = json.source.position(span.start);
            let n_left_out = json.text(span, text).len() - template.len();
            let n_before = u64::try_from(1 + n_left_out).unwrap_or(u64::MAX);
            let (column, byte) = (column.saturating_add(1), byte.saturating_add(n_before));
            decoded.push((Pos { line, column, byte }, template));
        }
    };
    for node in watch.each(&json.nodes, 1) {
        match node.kind {
            NodeKind::String(text) => add(node.span, text),
            NodeKind::Object { first, count } => {
                for property in &json.properties[first as usize..(first + count) as usize] {
                    add(property.name_span, property.name);
                }
            }
            _ => {}
        }
    }
    if decoded.is_empty() {
        return (json.source.clone(), Vec::new());
    }
    Source::with_appendices(&json.source, &decoded, watch)
}

/// How much of a template is as much work as a value.
const BYTES_PER_STEP: usize = 16;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The meaning of a string as a template.
enum Meaning<'j> {
    /// Text without sequences.
    Text(&'j str),
    /// A template that can be scanned where it stands.
    InPlace(Span),
    /// A template that can't.
    Decoded(&'j str),
}

fn meaning<'j>(json: &'j JsonTree, span: Span, text: TextId, watch: &Watch) -> Meaning<'j> {
    // A template may begin with a byte order mark, which is none of it.
    let content = json.text(span, text);
    let content = content.strip_prefix(BYTE_ORDER_MARK).unwrap_or(content);
    if !has_sequence(content, watch) {
        Meaning::Text(content)
    } else if text.is_verbatim()
        && content.len() + 2 == span.len() as usize
        && !watch.any(content.as_bytes(), |part| !part.is_ascii())
    {
        Meaning::InPlace(Span::new(span.start + 1, span.end - 1))
    } else {
        Meaning::Decoded(content)
    }
}

/// Returns whether `${` or `%{` occurs in a text; no if the work is to end.
fn has_sequence(text: &str, watch: &Watch) -> bool {
    let bytes = text.as_bytes();
    // Most texts have no braces.
    let first = watch.find(bytes, |part| memchr(b'{', part));
    first.is_some_and(|brace| has_sequence_from(bytes, brace, watch))
}

/// Returns whether `${` or `%{` occurs in a text whose first brace is at `brace`.
fn has_sequence_from(bytes: &[u8], mut brace: usize, watch: &Watch) -> bool {
    loop {
        if let Some(b'$' | b'%') = bytes.get(brace.wrapping_sub(1)) {
            return true;
        }
        let rest = &bytes[brace + 1..];
        match watch.find(rest, |part| memchr(b'{', part)) {
            Some(len) if watch.count_bytes(len).is_ok() => brace += 1 + len,
            _ => return false,
        }
    }
}

struct Lowering<'j> {
    json: &'j JsonTree,
    /// With the decoded templates.
    source: &'j Source,
    strings: Strings,
    watch: &'j Watch,
    /// Diagnostics of faulty templates: each takes a hundred times the text `"${"` that it may be about.
    n_kept: usize,
    /// Faulty templates whose diagnostics are not kept.
    n_left_out: usize,
    tree: Lists,
    /// Where the decoded templates that are yet to come stand.
    pieces: std::vec::IntoIter<Span>,
    values: Vec<ExprId>,
    keys: Vec<ExprId>,
    items: Vec<ExprId>,
}

impl Lowering<'_> {
    fn value(&mut self, span: Span, kind: NodeKind) -> ExprId {
        match kind {
            NodeKind::Null => self.tree.null(span),
            NodeKind::Bool(value) => self.tree.bool(span, value),
            NodeKind::Number => self.tree.number(span),
            NodeKind::String(text) => self.string(span, text),
            NodeKind::Array { first, count } => {
                let elements = &self.json.elements[first as usize..(first + count) as usize];
                self.items.clear();
                self.items.extend(elements.iter().map(|element| self.values[element.0 as usize]));
                self.tree.tuple(span, &self.items)
            }
            NodeKind::Object { first, count } => {
                for id in self.watch.each(first..first + count, 1) {
                    let property = self.json.properties[id as usize];
                    self.keys[id as usize] = self.key(property.name_span, property.name);
                }
                self.items.clear();
                for id in first..first + count {
                    let value = self.json.properties[id as usize].value;
                    self.items.extend([self.keys[id as usize], self.values[value.0 as usize]]);
                }
                self.tree.json_object(span, &self.items)
            }
            NodeKind::Invalid => self.tree.invalid(span),
        }
    }

    fn string(&mut self, span: Span, text: TextId) -> ExprId {
        let meaning = match self.strings {
            Strings::Templates => meaning(self.json, span, text, self.watch),
            Strings::Literal => Meaning::Text(self.json.text(span, text)),
        };
        match meaning {
            Meaning::Text(content) if text.is_verbatim() && content.len() + 2 == span.len() as usize => {
                self.tree.quoted_text(span)
            }
            Meaning::Text(content) => self.text(span, content),
            Meaning::InPlace(piece) => self.template(piece),
            Meaning::Decoded(content) => match self.pieces.next() {
                Some(piece) => self.template(piece),
                // The decoded templates of the file are longer than a source can be.
                None => self.text(span, content),
            },
        }
    }

    /// A string whose text is not between the quotes.
    fn text(&mut self, span: Span, content: &str) -> ExprId {
        let text = self.tree.next_text();
        self.watch.append(content, self.tree.text_buffer());
        self.tree.template_text(span, Span::new(span.start + 1, span.end - 1), text)
    }

    /// A name of a property; complaints about it point at all of it.
    fn key(&mut self, span: Span, text: TextId) -> ExprId {
        let key = self.string(span, text);
        if self.tree.span_of(key) == span { key } else { self.tree.parentheses(span, key) }
    }

    fn template(&mut self, piece: Span) -> ExprId {
        if self.watch.count(piece.len() as usize / BYTES_PER_STEP).is_err() {
            return self.tree.invalid(piece);
        }
        let limits = &self.json.limits;
        let template = parse_template_into(&mut self.tree, self.source, piece, limits, self.watch);
        template.unwrap_or_else(|diagnostics| self.faulty(piece, diagnostics))
    }

    fn faulty(&mut self, piece: Span, diagnostics: Diagnostics) -> ExprId {
        if self.n_kept >= self.json.limits.max_diagnostics as usize {
            self.n_left_out += 1;
            return self.tree.left_out(piece);
        }
        self.n_kept += diagnostics.len();
        self.tree.unfinished(piece, diagnostics)
    }
}
