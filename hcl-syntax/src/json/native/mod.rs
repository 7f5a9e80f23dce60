//! JSON syntax written as native syntax.
//!
//! With a schema nothing is lost: the schema tells blocks from attributes, as it does for readers. Without
//! one the shape of a value decides, by a convention that other tools share: an array of objects is a block
//! for each object, objects around such arrays are the blocks' labels, and everything else is an attribute.
//! So `{"service": {"web": [{"port": 80}]}}` is a block with a label, and `{"tags": {"a": "b"}}` an attribute.
//! Objects with names that no argument has, such as `{"a b": 1}`, are no blocks. A product whose blocks are known
//! ([`Reader`]) leaves less to guess. Names `//` are comments. `template` writes templates in quotes, `value` the other
//! values, this file bodies.

mod template;
mod value;

use std::sync::Arc;

use super::lower::{Lowered, Strings, lowered};
use super::reading::{Others, Place, Reader, Reading};
use super::tree::{JsonTree, NodeKind, PropertyId, ValueId};
use super::{JsonBody, JsonFile};
use crate::config::{ConfigBody, Content};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::format::{ALWAYS_ALLOWED, MAX_GROWTH};
use crate::hash::HashSet;
use crate::lexer::is_identifier;
use crate::limits::{Stopped, Watch};
use crate::parser::ParseLimits;
use crate::schema::{BodySchema, NestedSchema};
use crate::sorting::sort_by;
use crate::source::Span;
use crate::stack;

/// As how much work an item counts, which takes some 300 bytes.
const COUNT_OF_ITEM: usize = 32;

/// How many complaints there are at most, as of a text that is parsed.
const MAX_DIAGNOSTICS: usize = 1000;

/// The native syntax of a file of JSON syntax, which is at most [`MAX_GROWTH`] times as long. Where there are diagnostics the
/// text is not what was meant.
///
/// ```
/// use hcl_syntax::json::{parse_json, to_native};
/// use hcl_syntax::source::Source;
///
/// let text = r#"{"region": "${var.home}", "service": {"web": [{"//": "usual", "ports": [80, 443]}]}}"#;
/// let source = Source::json("main.hcl.json", text)?;
/// let (file, _) = parse_json(source, &Default::default());
/// let (native, diagnostics) = to_native(&file, None);
/// assert!(diagnostics.is_empty());
/// assert_eq!(native, "\
/// region = var.home
///
/// service \"web\" {
///   // usual
///   ports = [80, 443]
/// }
/// ");
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn to_native(file: &JsonFile, schema: Option<&NestedSchema>) -> (String, Diagnostics) {
    to_native_for(file, schema, Reader::Anybody)
}

/// The native syntax of a file that a product reads in its own way: what it reads without evaluating it is written
/// without quotes, strings that mean themselves are escaped, and its own blocks are known without a schema.
///
/// ```
/// use hcl_syntax::json::reading::Reader;
/// use hcl_syntax::json::{parse_json, to_native_for};
/// use hcl_syntax::source::Source;
///
/// let text = r#"{"variable": {"ports": {"type": "list(number)", "default": [80]}}}"#;
/// let source = Source::json("main.tf.json", text)?;
/// let (file, _) = parse_json(source, &Default::default());
/// let (native, diagnostics) = to_native_for(&file, None, Reader::Terraform);
/// assert!(diagnostics.is_empty());
/// assert_eq!(native, "variable \"ports\" {\n  type = list(number)\n  default = [80]\n}\n");
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn to_native_for(
    file: &JsonFile,
    schema: Option<&NestedSchema>,
    reader: Reader,
) -> (String, Diagnostics) {
    write(file, schema, reader, &Watch::idle())
}

/// [`to_native`] within the limits of a parse.
///
/// ```
/// use hcl_syntax::json::{JsonFile, to_native_within};
/// use hcl_syntax::parser::ParseLimits;
///
/// let file = JsonFile::parse("main.hcl.json", "{\"port\": 80}")?;
/// assert_eq!(to_native_within(&file, None, &ParseLimits::default()).unwrap().0, "port = 80\n");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
///
/// # Errors
/// The work was to end before.
pub fn to_native_within(
    file: &JsonFile,
    schema: Option<&NestedSchema>,
    limits: &ParseLimits,
) -> Result<(String, Diagnostics), Stopped> {
    let watch = Watch::new(limits);
    let written = write(file, schema, Reader::Anybody, &watch);
    watch.look().map_or(Ok(written), Err)
}

/// The native syntax of a file; the beginning of it if the work is to end.
fn write(
    file: &JsonFile,
    schema: Option<&NestedSchema>,
    reader: Reader,
    watch: &Watch,
) -> (String, Diagnostics) {
    let mut writer = Writer {
        json: file.tree(),
        lowered: lowered(file.tree(), Strings::Templates),
        reader,
        watch,
        out: String::new(),
        indent: 0,
        is_too_long: false,
        n_left_out: 0,
        diagnostics: Diagnostics::new(),
    };
    let shape = schema.map_or(Shape::Guessed, Shape::Known);
    writer.body(&ConfigBody::from(file), shape, Place::file(reader));
    writer.finish()
}

/// The knowledge of what a body may contain.
#[derive(Copy, Clone)]
enum Shape<'s> {
    /// Nothing.
    Guessed,
    /// The body has this schema.
    Known(&'s NestedSchema),
    /// That it has no blocks.
    Attributes,
    /// That it is the body of a `dynamic` block for blocks that contain what the schema says, or attributes.
    Dynamic(Option<&'s NestedSchema>),
}

/// Something in a body, in the order written.
enum Item<'s> {
    Comment(ValueId),
    Attribute { name: String, name_span: Span, value: ValueId },
    Block { block_type: String, type_span: Span, labels: Vec<String>, body: ConfigBody, shape: Shape<'s> },
}

struct Writer<'j> {
    json: &'j Arc<JsonTree>,
    lowered: &'j Lowered,
    reader: Reader,
    watch: &'j Watch,
    out: String,
    indent: usize,
    /// Lines are not indented any more.
    is_too_long: bool,
    /// How many complaints are left out.
    n_left_out: usize,
    diagnostics: Diagnostics,
}

impl<'j> Writer<'j> {
    fn line(&mut self) {
        self.out.push('\n');
        self.indentation();
    }

    /// Indents a line, unless that would make the text too long.
    fn indentation(&mut self) {
        let most = MAX_GROWTH.saturating_mul(self.json.source.text().len()).max(ALWAYS_ALLOWED);
        match self.out.len() + 2 * self.indent <= most {
            true => self.out.extend(std::iter::repeat_n("  ", self.indent)),
            false => self.is_too_long = true,
        }
    }

    fn complain(&mut self, code: &'static str, summary: &'static str, detail: String, place: Span) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(Diagnostic::error(code, summary, detail).at(&self.json.source, place));
        } else {
            self.n_left_out += 1;
        }
    }

    /// The text, and what is wrong with it.
    fn finish(mut self) -> (String, Diagnostics) {
        if self.is_too_long {
            let detail = format!(
                "The native syntax is more than {MAX_GROWTH} times as long as the JSON, because it nests very deeply. Nest less deeply."
            );
            self.diagnostics.push(Diagnostic::error("limit.output", "Too much text", detail));
        }
        if self.n_left_out > 0 {
            self.diagnostics.push(Diagnostic::left_out(self.n_left_out));
        }
        (self.out, self.diagnostics)
    }

    /// The items of a body, a line each; blocks stand apart.
    fn body(&mut self, body: &ConfigBody, shape: Shape<'_>, place: Place) {
        let items = match shape {
            Shape::Guessed => self.guessed_items(body, place),
            Shape::Known(schema) => self.known_items(body, schema),
            Shape::Attributes => self.attributes(body),
            Shape::Dynamic(inner) => self.dynamic_items(body, inner),
        };
        let (mut arguments, mut block_types) = (HashSet::default(), HashSet::default());
        let mut after_block = None;
        for item in self.watch.each(items, COUNT_OF_ITEM) {
            let is_block = matches!(item, Item::Block { .. });
            if after_block.is_some_and(|after_block| after_block || is_block) {
                self.out.push('\n');
            }
            after_block = Some(is_block);
            self.indentation();
            match item {
                Item::Comment(value) => {
                    // A comment belongs to what follows it.
                    after_block = None;
                    self.comment(value);
                }
                Item::Attribute { name, name_span, value } => {
                    self.check_name(&name, name_span);
                    self.out.push_str(&name);
                    self.out.push_str(" = ");
                    self.value(value, place.argument(&name));
                    if block_types.contains(&name) {
                        self.complain_of_both(name_span);
                    }
                    if !arguments.insert(name) {
                        let detail = "This argument was set before. Remove one of the two properties.";
                        self.complain(
                            "content.duplicate_argument",
                            "Duplicate argument",
                            detail.to_owned(),
                            name_span,
                        );
                    }
                }
                Item::Block { block_type, type_span, labels, body, shape } => {
                    self.check_name(&block_type, type_span);
                    self.block(&block_type, &labels, &body, (shape, place));
                    let is_argument = arguments.contains(&block_type);
                    if block_types.insert(block_type) && is_argument {
                        self.complain_of_both(type_span);
                    }
                }
            }
            self.out.push('\n');
        }
    }

    fn complain_of_both(&mut self, place: Span) {
        let detail = "Of the properties with this name one is an argument, another one is blocks. Give them one shape: all arrays of objects for blocks, or a single property for an argument.";
        self.complain("content.duplicate_argument", "Duplicate argument", detail.to_owned(), place);
    }

    fn check_name(&mut self, name: &str, place: Span) {
        if !is_identifier(name) {
            let detail = format!(
                "Native syntax has no argument and no type of blocks named \"{name}\": such names are letters, digits, \"_\" and \"-\" and begin with a letter. Choose such a name, or make it a key of an object, which may be in quotes."
            );
            self.complain("json.name_not_native", "Invalid argument name", detail, place);
        }
    }

    /// A block, in a body of some kind.
    fn block(
        &mut self,
        block_type: &str,
        labels: &[String],
        body: &ConfigBody,
        (shape, place): (Shape<'_>, Place),
    ) {
        self.out.push_str(block_type);
        for label in labels {
            self.out.push(' ');
            template::write_quoted(label, &mut self.out);
        }
        let texts: Vec<&str> = labels.iter().map(String::as_str).collect();
        let inner = place.block(block_type, &texts);
        self.out.push_str(" {");
        let start = self.out.len();
        self.out.push('\n');
        self.indent += 1;
        stack::level(|| self.body(body, shape, inner));
        self.indent -= 1;
        if self.out.len() == start + 1 {
            self.out.truncate(start);
        } else {
            self.indentation();
        }
        self.out.push('}');
    }

    /// A comment, a line for each of its text.
    fn comment(&mut self, value: ValueId) {
        let text = match self.json.string(value) {
            Some((text, _)) => text,
            None => self.json.source.slice(self.json.span(value)),
        };
        for (position, line) in text.lines().enumerate() {
            if position > 0 {
                self.line();
            }
            self.out.push_str("// ");
            // What would end the line for a reader of native syntax is left out.
            self.out.extend(line.chars().filter(|&c| c != '\r'));
        }
        if text.is_empty() {
            self.out.push_str("//");
        }
    }

    /// The items that a schema finds, in the order of the text.
    fn known_items<'s>(&mut self, body: &ConfigBody, schema: &'s NestedSchema) -> Vec<Item<'s>> {
        let mut wanted = schema.body.clone();
        let has_dynamic =
            !wanted.blocks.is_empty() && wanted.blocks.iter().all(|block| block.block_type != DYNAMIC);
        if has_dynamic {
            wanted = wanted.block(DYNAMIC, &["type"]);
        }
        let (content, diagnostics) = body.content_within(&wanted, &mut self.watch);
        self.diagnostics.extend(diagnostics);
        let shape_of = |block_type: &str, labels: &[String]| match labels {
            [label] if has_dynamic && block_type == DYNAMIC => Shape::Dynamic(schema.blocks.get(label)),
            _ => schema.blocks.get(block_type).map_or(Shape::Attributes, Shape::Known),
        };
        self.items(body, content, &shape_of)
    }

    fn dynamic_items<'s>(&mut self, body: &ConfigBody, inner: Option<&'s NestedSchema>) -> Vec<Item<'s>> {
        let schema = BodySchema::default()
            .required_attribute("for_each")
            .attribute("iterator")
            .attribute("labels")
            .block("content", &[]);
        let (content, diagnostics) = body.content_within(&schema, &mut self.watch);
        self.diagnostics.extend(diagnostics);
        self.items(body, content, &|_, _| inner.map_or(Shape::Attributes, Shape::Known))
    }

    fn items<'s>(
        &self,
        body: &ConfigBody,
        content: Content,
        shape_of: &dyn Fn(&str, &[String]) -> Shape<'s>,
    ) -> Vec<Item<'s>> {
        let mut items: Vec<(u32, Item<'s>)> = Vec::new();
        for attribute in self.watch.each(content.attributes, COUNT_OF_ITEM) {
            let Some(value) = attribute.expression().as_json() else { continue };
            let (name, name_span) = (attribute.name().to_owned(), attribute.name_span());
            items.push((name_span.start, Item::Attribute { name, name_span, value }));
        }
        for block in self.watch.each(content.blocks, COUNT_OF_ITEM) {
            let labels: Vec<String> = block.labels().map(|label| label.text.to_owned()).collect();
            let (block_type, type_span) = (block.block_type().to_owned(), block.type_span());
            let shape = shape_of(&block_type, &labels);
            items.push((
                type_span.start,
                Item::Block { block_type, type_span, labels, body: block.body(), shape },
            ));
        }
        let comments = self.properties(body).filter(|&(id, _)| self.json.name(id).0 == COMMENT);
        items.extend(comments.map(|(id, value)| (self.json.name_span(id).start, Item::Comment(value))));
        // The blocks of one property stay in their order.
        sort_by(&mut items, |(a, _), (b, _)| a.cmp(b));
        items.into_iter().map(|(_, item)| item).collect()
    }

    fn attributes<'s>(&mut self, body: &ConfigBody) -> Vec<Item<'s>> {
        let (attributes, diagnostics) = body.just_attributes_within(&mut self.watch);
        self.diagnostics.extend(diagnostics);
        let content = Content { attributes: attributes.into_iter().collect(), blocks: Vec::new() };
        self.items(body, content, &|_, _| Shape::Attributes)
    }

    /// The items that the kind of the body knows, and those that the shapes of values suggest.
    fn guessed_items(&mut self, body: &ConfigBody, place: Place) -> Vec<Item<'static>> {
        let (known, others) = place.blocks();
        let mut schema = BodySchema::default();
        for (block_type, n_labels) in known {
            schema = schema.block(*block_type, &["label"; 2][..*n_labels]);
        }
        let (content, _, diagnostics) = body.partial_content_within(&schema, &mut self.watch);
        self.diagnostics.extend(diagnostics);
        let mut items: Vec<(u32, Item<'static>)> = Vec::new();
        for block in self.watch.each(content.blocks, COUNT_OF_ITEM) {
            let labels: Vec<String> = block.labels().map(|label| label.text.to_owned()).collect();
            let (block_type, type_span) = (block.block_type().to_owned(), block.type_span());
            let item =
                Item::Block { block_type, type_span, labels, body: block.body(), shape: Shape::Guessed };
            items.push((type_span.start, item));
        }
        for (id, value) in self.watch.each(self.properties(body), COUNT_OF_ITEM) {
            let (name, name_span) = self.json.name(id);
            if name == COMMENT {
                items.push((name_span.start, Item::Comment(value)));
                continue;
            }
            if known.iter().any(|(block_type, _)| *block_type == name) {
                continue;
            }
            let may_be_blocks = others == Others::ByShape && place.argument(name) == Reading::Expression;
            if let Some(n_labels) = self.labels_of(value).filter(|_| may_be_blocks) {
                self.guessed_blocks(id, value, n_labels, &mut items);
            } else {
                items.push((name_span.start, Item::Attribute { name: name.to_owned(), name_span, value }));
            }
        }
        // The blocks of one property stay in their order.
        sort_by(&mut items, |(a, _), (b, _)| a.cmp(b));
        items.into_iter().map(|(_, item)| item).collect()
    }

    /// The blocks of a property with so many levels of labels.
    fn guessed_blocks(
        &self,
        id: PropertyId,
        value: ValueId,
        n_labels: usize,
        items: &mut Vec<(u32, Item<'_>)>,
    ) {
        let (name, type_span) = self.json.name(id);
        let mut pending = vec![(value, Vec::new())];
        while let Some((value, labels)) = pending.pop() {
            if labels.len() == n_labels {
                let elements = self.json.elements_of(value).iter();
                items.extend(self.watch.each(elements, COUNT_OF_ITEM).map(|&body| {
                    let item = Item::Block {
                        block_type: name.to_owned(),
                        type_span,
                        labels: labels.clone(),
                        body: ConfigBody::json(JsonBody::new(Arc::clone(self.json), body)),
                        shape: Shape::Guessed,
                    };
                    (type_span.start, item)
                }));
                continue;
            }
            let first = pending.len();
            for (id, value) in
                self.watch.each(self.json.properties_of(value).into_iter().flatten(), COUNT_OF_ITEM)
            {
                let mut labels = labels.clone();
                labels.push(self.json.name(id).0.to_owned());
                pending.push((value, labels));
            }
            pending[first..].reverse();
        }
    }

    /// How many levels of labels lie above an array of objects: nothing if the value is no block.
    fn labels_of(&self, value: ValueId) -> Option<usize> {
        let mut pending = vec![(value, 0)];
        let mut found = None;
        while let Some((value, level)) = pending.pop() {
            if let Some(properties) = self.json.properties_of(value) {
                let n_pending = pending.len();
                pending.extend(properties.map(|(_, value)| (value, level + 1)));
                if pending.len() == n_pending {
                    return None;
                }
                continue;
            }
            let elements = self.json.elements_of(value);
            let are_bodies = elements.iter().all(|&element| self.may_be_body(element));
            if elements.is_empty() || !are_bodies || found.is_some_and(|found| found != level) {
                return None;
            }
            found = Some(level);
        }
        found
    }

    /// Returns true for an object whose names are those of arguments and blocks. Any other name stands as a key in quotes.
    fn may_be_body(&self, value: ValueId) -> bool {
        self.json.properties_of(value).is_some_and(|mut properties| {
            properties.all(|(id, _)| {
                let (name, _) = self.json.name(id);
                name == COMMENT || is_identifier(name)
            })
        })
    }

    /// The properties of a body: of its object, or of all objects of its array.
    fn properties(&self, body: &ConfigBody) -> impl Iterator<Item = (PropertyId, ValueId)> + use<'j> {
        let json = self.json;
        let value = body.as_json().map(JsonBody::value);
        let objects = value
            .into_iter()
            .flat_map(|value| [value].into_iter().chain(json.elements_of(value).iter().copied()));
        objects.filter_map(|object| json.properties_of(object)).flatten()
    }
}

const COMMENT: &str = "//";
const DYNAMIC: &str = "dynamic";

impl JsonTree {
    /// Returns whether a value is an object or an array with something in it.
    fn is_filled(&self, id: ValueId) -> bool {
        match self.node(id).kind {
            NodeKind::Array { count, .. } | NodeKind::Object { count, .. } => count > 0,
            _ => false,
        }
    }
}
