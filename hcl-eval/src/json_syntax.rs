//! Native syntax written as JSON syntax.
//!
//! What can be evaluated is written as its value. What can't, because it needs names that are not there, or
//! gives something that JSON has no form for, or is marked, becomes a template `"${…}"` with the expression
//! as written, which a reader of JSON syntax evaluates to the same. Lists, sets and tuples become arrays, maps
//! and objects objects. A block is an object in an array, inside an object for each of its labels.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use hcl_syntax::ast::{
    Attribute, Block, Body, Expression, ExpressionKind, ExpressionList, ObjectItems, functions, variables,
};
use hcl_syntax::diagnostic::json::write_string;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::lexer::is_identifier;
use hcl_syntax::source::Span;

use crate::eval::{EvalOptions, Evaluation, Scope};
use crate::sorting::sort_by;
use crate::stack;
use crate::value::{Kind, Value};

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
    to_json_with(bodies, scope, &mut Evaluation::new(options))
}

/// The JSON syntax of bodies, as a part of something larger with limits of its own. A limit that is reached is an
/// error.
pub fn to_json_with(
    bodies: &[Body<'_>],
    scope: &Scope,
    evaluation: &mut Evaluation<'_>,
) -> (String, Diagnostics) {
    let mut writer =
        Writer { scope, evaluation, out: String::new(), indent: 0, diagnostics: Diagnostics::new() };
    match bodies {
        [body] => writer.body(*body),
        _ => writer.list('[', bodies, ']', |writer, body| writer.body(*body)),
    }
    writer.out.push('\n');
    (writer.out, writer.diagnostics)
}

struct Writer<'a, 'e> {
    scope: &'a Scope,
    evaluation: &'a mut Evaluation<'e>,
    out: String,
    indent: usize,
    diagnostics: Diagnostics,
}

/// What a name of a body stands for.
enum Property<'t> {
    Attribute(Attribute<'t>),
    Blocks(Vec<Block<'t>>),
}

impl Writer<'_, '_> {
    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }

    /// Items between brackets, a line each.
    fn list<T>(&mut self, open: char, items: &[T], close: char, mut write: impl FnMut(&mut Self, &T)) {
        self.out.push(open);
        self.indent += 1;
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.out.push(',');
            }
            self.line();
            write(self, item);
        }
        self.indent -= 1;
        if !items.is_empty() {
            self.line();
        }
        self.out.push(close);
    }

    fn name(&mut self, name: &str) {
        write_string(name, &mut self.out);
        self.out.push_str(": ");
    }

    fn complain(
        &mut self,
        code: &'static str,
        summary: &'static str,
        detail: String,
        body: Body<'_>,
        place: Span,
    ) {
        self.diagnostics.push(Diagnostic::error(code, summary, detail).at(body.tree().source(), place));
    }

    fn body(&mut self, body: Body<'_>) {
        let properties = self.properties(body);
        self.list('{', &properties, '}', |writer, (name, property)| {
            writer.name(name);
            match property {
                Property::Attribute(attribute) => writer.expression(attribute.expression()),
                Property::Blocks(blocks) => {
                    let labels: Vec<Vec<&str>> = blocks.iter().map(|block| labels(*block)).collect();
                    stack::grow(u32::MAX, || writer.blocks(blocks, &labels));
                }
            }
        });
    }

    /// The names in a body, in the order in which they first appear.
    fn properties<'t>(&mut self, body: Body<'t>) -> Vec<(&'t str, Property<'t>)> {
        let mut properties: Vec<(u32, &str, Property<'_>)> = body
            .attributes()
            .map(|item| (item.name_span().start, item.name(), Property::Attribute(item)))
            .collect();
        let mut positions: HashMap<&str, usize> =
            properties.iter().enumerate().map(|(at, item)| (item.1, at)).collect();
        for block in body.blocks() {
            let block_type = block.block_type();
            let at = *positions.entry(block_type).or_insert_with(|| {
                properties.push((block.type_span().start, block_type, Property::Blocks(Vec::new())));
                properties.len() - 1
            });
            match &mut properties[at].2 {
                Property::Attribute(_) => {
                    let detail = format!(
                        "In JSON syntax an argument and a block can't both be named \"{block_type}\", for both are properties. Rename one of them."
                    );
                    self.complain("json.name_shared", "Name used twice", detail, body, block.type_span());
                }
                Property::Blocks(blocks) => {
                    if blocks.first().is_some_and(|first| first.labels().len() != block.labels().len()) {
                        let detail = format!(
                            "In JSON syntax all blocks of type \"{block_type}\" in a body have the same number of labels. Give each as many labels as the first one."
                        );
                        let place = block.definition_span();
                        self.complain(
                            "json.labels_differ",
                            "Different numbers of labels",
                            detail,
                            body,
                            place,
                        );
                    }
                    blocks.push(block);
                }
            }
        }
        sort_by(&mut properties, |(a, ..), (b, ..)| a.cmp(b));
        properties.into_iter().map(|(_, name, property)| (name, property)).collect()
    }

    /// The blocks of one type, whose labels left to write are given. The order of blocks is kept: where
    /// blocks of one label don't stand together, each run of them is an object of its own in an array.
    fn blocks(&mut self, blocks: &[Block<'_>], labels: &[Vec<&str>]) {
        if labels.iter().any(Vec::is_empty) {
            return self.list('[', blocks, ']', |writer, block| writer.body(block.body()));
        }
        let runs = runs_of(blocks, labels);
        let mut seen = HashSet::new();
        let write_run = |writer: &mut Self, (label, blocks, rest): &Run<'_, '_>| {
            writer.name(label);
            stack::grow(u32::MAX, || writer.blocks(blocks, rest));
        };
        if runs.iter().all(|(label, ..)| seen.insert(*label)) {
            return self.list('{', &runs, '}', write_run);
        }
        self.list('[', &runs, ']', |writer, run| {
            writer.list('{', std::slice::from_ref(run), '}', write_run);
        });
    }

    fn expression(&mut self, expression: Expression<'_>) {
        stack::grow(u32::MAX, || match expression.kind() {
            ExpressionKind::Tuple(elements) => self.tuple(elements),
            ExpressionKind::Object(items) => self.object(expression, items),
            ExpressionKind::Parentheses(inner) | ExpressionKind::Interpolation(inner) => {
                self.expression(inner);
            }
            kind => match self.known_value(expression) {
                Some(value) => self.value(&value),
                None => match kind {
                    ExpressionKind::Template(parts) => self.template(expression, parts),
                    _ => self.source(expression),
                },
            },
        });
    }

    /// The value, if it can be known and shown. Names that are not there are no errors where they are not
    /// looked at, as in `true ? 1 : a` and `try(a, 1)`, but they may be there for the reader.
    fn known_value(&mut self, expression: Expression<'_>) -> Option<Value> {
        let is_known = |name: &str| self.scope.name(name).is_some_and(|name| name.constant.is_some());
        let is_pure = |name: &str| self.scope.function(name).is_some_and(|function| function.is_pure());
        if !variables(expression).iter().all(|variable| is_known(variable.root()))
            || !functions(expression).iter().all(|call| is_pure(call.name()))
        {
            return None;
        }
        let was_stopped = self.evaluation.stopped();
        let (value, problems) = self.evaluation.evaluate_syntax(expression, Some(self.scope));
        if self.evaluation.stopped() {
            if !was_stopped {
                self.diagnostics.extend(problems.into_iter().filter(|said| said.code.starts_with("limit.")));
            }
            return None;
        }
        (!has_errors(&problems) && is_plain(&value)).then_some(value)
    }

    fn tuple(&mut self, elements: ExpressionList<'_>) {
        let elements: Vec<_> = elements.iter().collect();
        self.list('[', &elements, ']', |writer, element| writer.expression(*element));
    }

    /// Of several items of one key the last counts, where the first stands.
    fn object(&mut self, expression: Expression<'_>, items: ObjectItems<'_>) {
        let mut positions: HashMap<String, usize> = HashMap::new();
        let mut kept: Vec<(String, Expression<'_>)> = Vec::new();
        for item in items.iter() {
            let name = match item.key_name() {
                Some(name) => Some(name.to_owned()),
                // A bare reference as a key is an error, which the template is to give too.
                None if item.key.as_static_traversal().is_some() => None,
                None => self.known_value(item.key).and_then(|key| key.as_str().map(str::to_owned)),
            };
            let Some(name) = name else { return self.source(expression) };
            match positions.get(&name) {
                Some(&position) => kept[position].1 = item.value,
                None => {
                    positions.insert(name.clone(), kept.len());
                    kept.push((name, item.value));
                }
            }
        }
        self.list('{', &kept, '}', |writer, (name, value)| {
            writer.text(name);
            writer.out.push_str(": ");
            writer.expression(*value);
        });
    }

    /// An expression as a template that is nothing else.
    fn source(&mut self, expression: Expression<'_>) {
        let mut template = String::new();
        write_interpolation(expression, &mut template);
        write_string(&template, &mut self.out);
    }

    /// A template with its text decoded. Directives are left to the reader.
    fn template(&mut self, whole: Expression<'_>, parts: ExpressionList<'_>) {
        let is_directive = |part: Expression<'_>| part.source_text().starts_with("%{");
        let is_text = |part: Expression<'_>| matches!(part.kind(), ExpressionKind::Text(_));
        if parts.iter().any(|part| is_directive(part) && !is_text(part)) {
            return self.source(whole);
        }
        let mut template = String::new();
        let mut text = String::new();
        for part in parts.iter() {
            match part.kind() {
                ExpressionKind::Text(part) => text.push_str(part),
                _ => {
                    write_text_before_sequence(&text, &mut template);
                    text.clear();
                    write_interpolation(part, &mut template);
                }
            }
        }
        write_text(&text, &mut template);
        write_string(&template, &mut self.out);
    }

    /// A text as a template that means it.
    fn text(&mut self, text: &str) {
        let mut template = String::new();
        write_text(text, &mut template);
        write_string(&template, &mut self.out);
    }

    fn value(&mut self, value: &Value) {
        stack::grow(value.depth(), || match value.kind() {
            Kind::Bool => self.out.push_str(if value.as_bool() == Some(true) { "true" } else { "false" }),
            Kind::Number => {
                if let Some(number) = value.as_number() {
                    number.write_text(&mut self.out);
                }
            }
            Kind::String => self.text(value.as_str().unwrap_or_default()),
            Kind::List | Kind::Set | Kind::Tuple => {
                let elements: Vec<&Value> = value.elements().unwrap_or_default().iter().collect();
                self.list('[', &elements, ']', |writer, element| writer.value(element));
            }
            Kind::Map | Kind::Object => {
                let entries: Vec<_> = value.entries().into_iter().flatten().collect();
                self.list('{', &entries, '}', |writer, (name, value)| {
                    writer.text(name);
                    writer.out.push_str(": ");
                    writer.value(value);
                });
            }
            Kind::Null | Kind::Unknown | Kind::Capsule => self.out.push_str("null"),
        });
    }
}

/// A label, the blocks that have it, and their further labels.
type Run<'r, 't> = (&'t str, &'r [Block<'t>], Vec<Vec<&'t str>>);

fn labels(block: Block<'_>) -> Vec<&str> {
    block.labels().map(hcl_syntax::ast::Label::text).collect()
}

/// Consecutive blocks of one label.
fn runs_of<'r, 't>(blocks: &'r [Block<'t>], labels: &[Vec<&'t str>]) -> Vec<Run<'r, 't>> {
    let mut runs = Vec::new();
    let mut start = 0;
    while let Some(label) = labels.get(start).and_then(|labels| labels.first().copied()) {
        let n_same = labels[start..].iter().take_while(|labels| labels.first() == Some(&label)).count();
        let end = start + n_same;
        let rest = labels[start..end].iter().map(|labels| labels[1..].to_vec()).collect();
        runs.push((label, &blocks[start..end], rest));
        start = end;
    }
    runs
}

/// Whether a value has a form in JSON: known, unmarked and finite all through.
fn is_plain(value: &Value) -> bool {
    if value.contains_marks() {
        return false;
    }
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value.kind() {
            Kind::Unknown | Kind::Capsule => return false,
            Kind::Number if value.as_number().is_some_and(|number| number.is_infinite()) => return false,
            Kind::List | Kind::Set | Kind::Tuple => pending.extend(value.elements().unwrap_or_default()),
            Kind::Map | Kind::Object => {
                pending.extend(value.entries().into_iter().flatten().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    true
}

/// `${…}`
fn write_interpolation(expression: Expression<'_>, template: &mut String) {
    let source = expression.source_text();
    // A heredoc ends with its line.
    let end = if may_end_in_heredoc(source) { "\n" } else { "" };
    let _ = write!(template, "${{{source}{end}}}");
}

/// Whether the last line may be the marker of a heredoc.
fn may_end_in_heredoc(source: &str) -> bool {
    source.contains("<<") && source.rsplit_once('\n').is_some_and(|(_, line)| is_identifier(line.trim()))
}

/// Text, with what begins sequences doubled. At the beginning a byte order mark would be overlooked.
pub(crate) fn write_text(text: &str, template: &mut String) {
    if template.is_empty() && text.starts_with('\u{feff}') {
        template.push_str("${\"\"}");
    }
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if matches!(c, '$' | '%') && rest.peek() == Some(&'{') {
            template.push(c);
        }
        template.push(c);
    }
}

/// Text before an interpolation, of which dollars right before it would make an escape.
fn write_text_before_sequence(text: &str, template: &mut String) {
    let plain = text.trim_end_matches('$');
    write_text(plain, template);
    if plain.len() < text.len() {
        let _ = write!(template, "${{\"{}\"}}", &text[plain.len()..]);
    }
}
