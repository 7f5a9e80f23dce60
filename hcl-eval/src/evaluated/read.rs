//! Evaluating all of a body.

use std::iter::repeat_n;
use std::sync::Arc;

use hcl_syntax::config::{Bounds, ContentBlock};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::hash::IndexMap;
use hcl_syntax::schema::{BlockSchema, BodySchema};

use super::{EvaluatedBlock, EvaluatedBody, EvaluatedItem, Inside, Layout};
use crate::dynamic::{Block, Body, Content, texts_within};
use crate::eval::{Evaluation, Scope};
use crate::sorting::sort_by;
use crate::stack;

/// The block type of dynamic blocks.
const DYNAMIC: &str = "dynamic";

/// Evaluates everything in a body. What is wrong with it is in the diagnostics, in the order of the text as far as
/// dynamic blocks allow.
///
/// ```
/// use std::sync::Arc;
/// use hcl_eval::dynamic::{Body, Expansion};
/// use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
/// use hcl_eval::evaluated::{evaluate_body, to_json};
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::{ParseLimits, parse_file};
/// use hcl_syntax::source::Source;
///
/// let text = "size = 2 * 3\ndynamic \"port\" {\n  for_each = [80, 443]\n  content {\n    n = port.value\n  }\n}\n";
/// let (file, _) = parse_file(Source::new("main.hcl", text)?, &ParseLimits::default());
/// let scope = Scope::builder().build();
/// let expansion = Arc::new(Expansion::new(Some(Arc::clone(&scope))));
/// let body = Body::expanding(ConfigBody::from(&file), expansion);
///
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let (evaluated, problems) = evaluate_body(&body, &[], &scope, &mut evaluation);
/// assert!(problems.is_empty());
/// let (json, _) = to_json(&[&evaluated]);
/// assert_eq!(json.split_whitespace().collect::<String>(), r#"{"size":6,"port":[{"n":80},{"n":443}]}"#);
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn evaluate_body(
    body: &Body,
    layout: &'static [Layout],
    scope: &Arc<Scope>,
    evaluation: &mut Evaluation<'_>,
) -> (EvaluatedBody, Diagnostics) {
    let mut reader = Reader { scope, evaluation, diagnostics: Diagnostics::new() };
    let evaluated = reader.body(body, Inside::Blocks(layout));
    (evaluated, reader.diagnostics)
}

struct Reader<'a, 'e> {
    scope: &'a Arc<Scope>,
    evaluation: &'a mut Evaluation<'e>,
    diagnostics: Diagnostics,
}

impl Reader<'_, '_> {
    fn body(&mut self, body: &Body, inside: Inside) -> EvaluatedBody {
        let (content, layout) = match inside {
            Inside::Anything => (body.everything_within(self.evaluation.bounds()), None),
            Inside::Blocks(layout) => (self.content(body, layout), Some(layout)),
        };
        let n = content.attributes.len() + content.blocks.len();
        if let Err(limit) =
            self.evaluation.hold_parts(n, size_of::<(u32, Found)>() + size_of::<EvaluatedItem>())
        {
            self.diagnostics.extend(limit);
            return EvaluatedBody::default();
        }
        let mut items = Vec::with_capacity(n);
        for attribute in content.attributes.iter() {
            items.push((attribute.written().name_span().start, Found::Attribute(attribute.clone())));
        }
        items.extend(
            content.blocks.into_iter().map(|block| (block.definition_span().start, Found::Block(block))),
        );
        sort_by(&mut items, |(a, _), (b, _)| a.cmp(b));
        let mut evaluated = EvaluatedBody { items: Vec::with_capacity(n) };
        for (_, found) in items {
            let item = self.item(found, layout);
            evaluated.items.push(item);
            if self.evaluation.stopped() {
                break;
            }
        }
        evaluated
    }

    /// Reads a body of blocks that may be generated.
    fn content(&mut self, body: &Body, layout: &'static [Layout]) -> Content {
        let (content, problems) =
            body.content(&schema_of(body, layout, self.evaluation.bounds()), self.evaluation);
        self.diagnostics.extend(problems);
        content
    }

    fn item(&mut self, found: Found, layout: Option<&'static [Layout]>) -> EvaluatedItem {
        match found {
            Found::Attribute(attribute) => {
                let (value, problems) = attribute.evaluate(Some(self.scope), self.evaluation);
                self.diagnostics.extend(problems);
                EvaluatedItem::Attribute(attribute, value)
            }
            Found::Block(block) => EvaluatedItem::Block(self.block(&block, layout)),
        }
    }

    fn block(&mut self, block: &Block, layout: Option<&'static [Layout]>) -> EvaluatedBlock {
        let body = block.body();
        let known = layout.into_iter().flatten().find(|known| known.block_type == block.block_type());
        let inside = match (known, layout) {
            (Some(known), _) => known.inside,
            (None, Some(_)) if body.expansion().is_some() => Inside::Blocks(&[]),
            (None, _) => Inside::Anything,
        };
        EvaluatedBlock {
            block_type: block.block_type().to_owned(),
            labels: texts_within(
                block.n_labels(),
                block.labels().map(|label| label.text),
                self.evaluation.bounds(),
            ),
            is_unknown: body.is_unknown(),
            source: block.source().clone(),
            definition_span: block.definition_span(),
            body: stack::grow(u32::MAX, || self.body(&body, inside)),
        }
    }
}

/// Something in a body that is yet to be evaluated.
enum Found {
    Attribute(crate::dynamic::Attribute),
    Block(Block),
}

/// The schema of everything in a body.
fn schema_of(body: &Body, layout: &[Layout], bounds: &mut dyn Bounds) -> BodySchema {
    let written = body.everything_within(bounds);
    let mut block_types: IndexMap<&str, usize> =
        layout.iter().map(|known| (known.block_type, known.n_labels)).collect();
    let is_expanding = body.expansion().is_some();
    for block in written.blocks.iter().take_while(|_| bounds.next_item()) {
        if !is_expanding || block.block_type() != DYNAMIC {
            block_types.entry(block.block_type()).or_insert(block.n_labels());
        }
    }
    // What is wrong with dynamic blocks is said when they are expanded.
    let generators = BodySchema::default().block(DYNAMIC, &["type"]);
    let generators = if is_expanding {
        body.written().partial_content_within(&generators, bounds).0.blocks
    } else {
        Vec::new()
    };
    for block in &generators {
        if let Some(label) = block.label(0) {
            block_types.entry(label.text).or_insert_with(|| n_labels_given(block));
        }
    }
    let is_block = |name: &str| block_types.contains_key(name) || (is_expanding && name == DYNAMIC);
    let attributes = written.attributes.iter().map(|attribute| attribute.written());
    let attributes = attributes.take_while(|_| bounds.next_item());
    let attributes = attributes.filter(|one| !(one.expression().is_json() && is_block(one.name())));
    let schema = attributes.fold(BodySchema::default(), |schema, one| schema.attribute(one.name()));
    let blocks = block_types.iter().map(|(block_type, n_labels)| BlockSchema {
        block_type: (*block_type).to_owned(),
        label_names: texts_within(*n_labels, repeat_n("name", *n_labels), bounds),
    });
    BodySchema { blocks: blocks.collect(), ..schema }
}

/// How many labels a dynamic block gives to what it generates.
fn n_labels_given(block: &ContentBlock) -> usize {
    let labels = block.body().everything().expression("labels");
    labels.and_then(|labels| labels.static_list()).map_or(0, |labels| labels.len())
}
