//! Native syntax written as JSON syntax.
//!
//! A constant is written as its value, if a reader gets a value of the same type from it. Everything else becomes a
//! template `"${…}"` with the expression as written, which a reader of JSON syntax evaluates to the same. A block is an
//! object in an array, inside an object for each of its labels; the blocks of one label stand together, in their order.
//!
//! A product that reads an argument without evaluating it gets a string with its text: [`Reader`] says who reads.
//! `expression` writes expressions, `constant` knows which are constants, `template` writes text of templates; this file
//! writes bodies. How products read their arguments is in [`hcl_syntax::json::reading`].

mod constant;
mod expression;
mod template;

pub(crate) use template::write_text;

use hcl_syntax::ast::{Attribute, Block, Body, Label};
use hcl_syntax::config::push_within;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::hash::IndexMap;
use hcl_syntax::json::reading::Place;

use crate::eval::{EvalOptions, Evaluation, Scope};
use crate::limits::{LimitReached, Meter};
use crate::sorting::sort_by_on;
use crate::stack;

/// The style in which configurations are written as JSON syntax.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
/// use hcl_eval::json_syntax::{Expressions, JsonStyle, to_json_with};
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "size = 2 * 3\n")?;
/// let style = JsonStyle { expressions: Expressions::Kept, ..JsonStyle::default() };
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let (json, _) = to_json_with(&[file.body()], style, &Scope::builder().build(), &mut evaluation);
/// assert_eq!(json, "{\n  \"size\": \"${2 * 3}\"\n}\n");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct JsonStyle {
    /// The treatment of expressions.
    pub expressions: Expressions,
    /// The reader of the result.
    pub reader: Reader,
}

/// The treatment of expressions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Expressions {
    /// Constants become values.
    #[default]
    Evaluated,
    /// Nothing is evaluated: all but literals, lists and objects stays an expression.
    Kept,
}

pub use hcl_syntax::json::reading::Reader;

/// The JSON syntax of bodies of native syntax: an object, or for several an array of objects. Where there
/// are diagnostics the text is not what was meant.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Scope};
/// use hcl_eval::json_syntax::to_json;
/// use hcl_syntax::{parser, source::Source};
///
/// let text = "size = 2 * 3\nservice \"web\" {\n  host = \"${var.name}.example.com\"\n}\n";
/// let (file, _) = parser::parse_file(Source::new("main.hcl", text)?, &Default::default());
/// let (json, diagnostics) = to_json(&[file.body()], &Scope::builder().build(), &EvalOptions::default());
/// assert!(diagnostics.is_empty());
/// assert_eq!(json, r#"{
///   "size": 6,
///   "service": {
///     "web": [
///       {
///         "host": "${var.name}.example.com"
///       }
///     ]
///   }
/// }
/// "#);
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn to_json(bodies: &[Body<'_>], scope: &Scope, options: &EvalOptions<'_>) -> (String, Diagnostics) {
    to_json_with(bodies, JsonStyle::default(), scope, &mut Evaluation::new(options))
}

/// The JSON syntax of bodies in a style, as a part of something larger with limits of its own. A limit that is reached
/// is an error.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
/// use hcl_eval::json_syntax::{JsonStyle, Reader, to_json_with};
/// use hcl_syntax::{parser, source::Source};
///
/// let text = "resource \"null_resource\" \"a\" {\n  depends_on = [null_resource.b]\n}\n";
/// let (file, _) = parser::parse_file(Source::new("main.tf", text)?, &Default::default());
/// let style = JsonStyle { reader: Reader::Terraform, ..JsonStyle::default() };
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let (json, _) = to_json_with(&[file.body()], style, &Scope::builder().build(), &mut evaluation);
/// assert!(json.contains(r#""null_resource.b""#));
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn to_json_with(
    bodies: &[Body<'_>],
    style: JsonStyle,
    scope: &Scope,
    evaluation: &mut Evaluation<'_>,
) -> (String, Diagnostics) {
    if let Err(limit) = evaluation.find_lines(bodies.iter().map(|body| body.tree().source())) {
        return (String::new(), limit);
    }
    let mut writer = Writer {
        style,
        scope,
        evaluation,
        out: String::new(),
        room: 0,
        indent: 0,
        diagnostics: Diagnostics::new(),
    };
    let place = Place::file(style.reader);
    match bodies {
        [body] => writer.body(*body, place),
        _ => writer.list('[', bodies, ']', |writer, body| writer.body(*body, place)),
    }
    writer.out.push('\n');
    let place = bodies.first().map(|body| (body.tree().source(), body.missing_item_span()));
    writer.evaluation.tell_limit(place, &mut writer.diagnostics);
    (writer.out, writer.diagnostics)
}

struct Writer<'a, 'e> {
    style: JsonStyle,
    scope: &'a Scope,
    evaluation: &'a mut Evaluation<'e>,
    out: String,
    /// The length of the text from which on room for more is asked for.
    room: usize,
    indent: usize,
    diagnostics: Diagnostics,
}

/// The meaning of a name of a body.
enum Property<'t> {
    Attribute(Attribute<'t>),
    Blocks(Vec<Block<'t>>),
}

impl Writer<'_, '_> {
    fn line(&mut self) {
        begin_line(self.indent, &mut self.out);
    }

    /// Returns false, and ends the work, if the text can't grow within the limits.
    fn has_room_for_text(&mut self) -> bool {
        let has_room = self.out.len() < self.room || self.evaluation.bounds().has_room(2 * self.out.len());
        if self.out.len() >= self.room {
            self.room = self.out.capacity().max(1 << 12);
        }
        has_room
    }

    /// Returns false, and ends the work, if there is no room for a list of so many things within the limits.
    fn has_room_for<T>(&mut self, n: usize) -> bool {
        self.evaluation.bounds().has_room(n.saturating_mul(size_of::<T>()))
    }

    /// Returns false, and ends the work, if there is no room for a table of so many things within the limits. A table is at most
    /// seven eighths full, its size is a power of two, and each entry has a byte beside it.
    fn has_room_for_table<T>(&mut self, n: usize) -> bool {
        self.evaluation.bounds().has_room(n.saturating_mul(3 * (size_of::<T>() + 1)))
    }

    /// Items between brackets, a line each; no more of them once a limit has been reached.
    fn list<T>(
        &mut self,
        open: char,
        items: impl IntoIterator<Item = T>,
        close: char,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.out.push(open);
        self.indent += 1;
        let mut is_empty = true;
        for item in items {
            if !self.evaluation.bounds().next_item() || !self.has_room_for_text() {
                break;
            }
            if !is_empty {
                self.out.push(',');
            }
            is_empty = false;
            self.line();
            write(self, item);
        }
        self.indent -= 1;
        // An unfinished text is not laid out any further: the ends of many levels take time.
        if !is_empty && !self.evaluation.stopped() {
            self.line();
        }
        self.out.push(close);
    }

    fn name(&mut self, name: &str) {
        self.string(name);
        self.out.push_str(": ");
    }

    fn body(&mut self, body: Body<'_>, place: Place) {
        let properties = self.properties(body);
        self.list('{', &properties, '}', |writer, (name, property)| {
            writer.name(name);
            match property {
                Property::Attribute(attribute) => {
                    writer.argument(attribute.expression(), place.argument(name));
                }
                Property::Blocks(blocks) => {
                    // Two lists are made of them.
                    if !writer.has_room_for::<[(Block<'_>, Vec<&str>); 3]>(blocks.len())
                        || !writer.may_nest(body, blocks)
                    {
                        return;
                    }
                    let bounds = writer.evaluation.bounds();
                    let has_room = |block: &&Block<'_>| {
                        bounds.next_item() && bounds.has_room(block.labels().len() * size_of::<&str>())
                    };
                    let blocks = blocks.iter().take_while(has_room);
                    let labels: Vec<_> = blocks.map(|block| (*block, labels(*block))).collect();
                    let blocks: Vec<_> = labels.iter().map(|(block, labels)| (*block, &labels[..])).collect();
                    let order = if place.is_ordered(name) { Order::Kept } else { Order::OfEachLabel };
                    stack::grow(u32::MAX, || writer.blocks(&blocks, order, place));
                }
            }
        });
    }

    /// The names in a body, in the order in which they first appear.
    fn properties<'t>(&mut self, body: Body<'t>) -> Vec<(&'t str, Property<'t>)> {
        let mut properties: Vec<(u32, &str, Property<'_>)> = Vec::new();
        let mut positions: IndexMap<&str, usize> = IndexMap::default();
        let n = body.attributes().len();
        // Where there are no blocks, nobody asks where an attribute is.
        let n_asked_for = if body.blocks().next().is_some() { n } else { 0 };
        if !self.has_room_for::<(u32, &str, Property<'_>)>(2 * n)
            || !self.has_room_for_table::<(&str, usize)>(n_asked_for)
        {
            return Vec::new();
        }
        properties.reserve_exact(n);
        positions.reserve(n_asked_for);
        for item in body.attributes() {
            if !self.evaluation.bounds().next_item() {
                break;
            }
            if n_asked_for > 0 {
                positions.insert(item.name(), properties.len());
            }
            properties.push((item.name_span().start, item.name(), Property::Attribute(item)));
        }
        for block in body.blocks() {
            if !self.evaluation.bounds().next_item() {
                break;
            }
            let block_type = block.block_type();
            let at = *positions.entry(block_type).or_insert_with(|| {
                properties.push((block.type_span().start, block_type, Property::Blocks(Vec::new())));
                properties.len() - 1
            });
            match &mut properties[at].2 {
                Property::Attribute(_) => {
                    let problem = name_shared(block_type);
                    self.diagnostics.push(problem.at(body.tree().source(), block.type_span()));
                }
                Property::Blocks(blocks) => {
                    if blocks.first().is_some_and(|first| first.labels().len() != block.labels().len()) {
                        let problem = labels_differ(block_type);
                        self.diagnostics.push(problem.at(body.tree().source(), block.definition_span()));
                    }
                    if !push_within(blocks, block, self.evaluation.bounds()) {
                        break;
                    }
                }
            }
        }
        let bounds = self.evaluation.bounds();
        let go_on = |n| if bounds.goes_on(n) { Ok(()) } else { Err(()) };
        if sort_by_on(&mut properties, |(a, ..), (b, ..)| a.cmp(b), go_on).is_err() {
            return Vec::new();
        }
        properties.into_iter().map(|(_, name, property)| (name, property)).collect()
    }

    /// Returns false if a block has more labels than the limit of nesting allows: each is a level of the text, which no reader
    /// takes that deep.
    fn may_nest(&mut self, body: Body<'_>, blocks: &[Block<'_>]) -> bool {
        let most = self.evaluation.limits().max_depth;
        let Some(deep) = blocks.iter().find(|block| block.labels().len() > most as usize) else {
            return true;
        };
        let place = Some((body.tree().source(), deep.definition_span()));
        let stop = |meter: &mut Meter| Err::<(), _>(meter.stop(LimitReached::Depth(most)));
        if let Err(limit) = self.evaluation.within(place, stop) {
            self.diagnostics.extend(limit);
        }
        false
    }

    /// The blocks of one type, with the labels of each that are left to write.
    fn blocks<'t>(&mut self, blocks: &[Labelled<'t>], order: Order, place: Place) {
        if blocks.iter().any(|(_, labels)| labels.is_empty()) {
            return self.list('[', blocks, ']', |writer, (block, _)| {
                let labels: Vec<_> = block.labels().map(Label::text).collect();
                let inner = place.block(block.block_type(), &labels);
                writer.body(block.body(), inner);
            });
        }
        let write_group = |writer: &mut Self, (label, blocks): &(&str, Vec<Labelled<'t>>)| {
            writer.name(label);
            stack::grow(u32::MAX, || writer.blocks(blocks, order, place));
        };
        let groups = self.by_label(blocks);
        if order == Order::OfEachLabel || groups.len() == 1 {
            return self.list('{', &groups, '}', write_group);
        }
        let runs = blocks.chunk_by(|(_, a), (_, b)| a[0] == b[0]);
        let runs: Vec<_> = runs.flat_map(|run| self.by_label(run)).collect();
        self.list('[', &runs, ']', |writer, run| {
            writer.list('{', std::slice::from_ref(run), '}', write_group);
        });
    }

    /// The blocks of each first label, with the labels behind it, in the order in which the labels first occur.
    fn by_label<'t>(&mut self, blocks: &[Labelled<'t>]) -> Vec<(&'t str, Vec<Labelled<'t>>)> {
        let mut groups: IndexMap<&str, Vec<Labelled<'t>>> = IndexMap::default();
        for (block, labels) in blocks {
            if !self.evaluation.bounds().next_item() {
                break;
            }
            if let [first, rest @ ..] = labels {
                let group = groups.entry(first).or_default();
                if !push_within(group, (*block, rest), self.evaluation.bounds()) {
                    break;
                }
            }
        }
        groups.into_iter().collect()
    }
}

/// Begins a line of JSON.
pub(crate) fn begin_line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", indent));
}

/// A block of a name that an argument has.
pub(crate) fn name_shared(name: &str) -> Diagnostic {
    let detail = format!(
        "In JSON syntax an argument and a block can't both be named \"{name}\", for both are properties. Rename one of them."
    );
    Diagnostic::error("json.name_shared", "Name used twice", detail)
}

/// A block with more or fewer labels than the first one of its type.
pub(crate) fn labels_differ(block_type: &str) -> Diagnostic {
    let detail = format!(
        "In JSON syntax all blocks of type \"{block_type}\" in a body have the same number of labels. Give each as many labels as the first one."
    );
    Diagnostic::error("json.labels_differ", "Different numbers of labels", detail)
}

/// A block and the labels of it that are not written yet.
type Labelled<'t> = (Block<'t>, &'t [&'t str]);

/// Which order of blocks is kept.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Order {
    /// The order of blocks of the same labels: blocks of one label stand together.
    OfEachLabel,
    /// The order of all: blocks of different labels stand in an array.
    Kept,
}

fn labels(block: Block<'_>) -> Vec<&str> {
    block.labels().map(Label::text).collect()
}
