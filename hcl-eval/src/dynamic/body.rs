//! Bodies whose dynamic blocks are expanded while they are read.

use std::sync::Arc;

use hcl_syntax::config::{
    Attributes, Bounds, ConfigBody, ContentAttribute, ContentBlock, Unbounded, map_within,
};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::hash::{HashMap, IndexMap, NameMap};
use hcl_syntax::parser::File;
use hcl_syntax::schema::{AttributeSchema, BlockSchema, BodySchema};
use hcl_syntax::source::{Range, Source, Span};

use super::content::{Attribute, BareContent, Block, Content, Generated, Inherited};
use super::error;
use super::expansion::{Expansion, Shared};
use super::generator::Surroundings;
use super::iteration::{Iteration, LastScope};
use crate::Str;
use crate::eval::Evaluation;
use crate::sorting::{sort_by, sort_by_on};
use crate::value::Marks;

/// The block type of dynamic blocks.
pub(super) const DYNAMIC: &str = "dynamic";

/// A body, with or without expansion of its dynamic blocks.
///
/// ```
/// use std::sync::Arc;
/// use hcl_eval::dynamic::{Body, Expansion};
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::{ParseLimits, parse_file};
/// use hcl_syntax::schema::BodySchema;
/// use hcl_syntax::source::Source;
///
/// let text = "dynamic \"port\" {\n  for_each = [80, 443]\n  content {\n    number = port.value\n  }\n}\n";
/// let (file, _) = parse_file(Source::new("main.hcl", text)?, &ParseLimits::default());
/// let body = Body::expanding(ConfigBody::from(&file), Arc::new(Expansion::new(None)));
///
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let (content, problems) = body.content(&BodySchema::default().block("port", &[]), &mut evaluation);
/// assert!(problems.is_empty());
/// let inside = BodySchema::default().attribute("number");
/// let numbers = content.blocks.iter().map(|block| {
///     let (port, _) = block.body().content(&inside, &mut evaluation);
///     port.attributes["number"].evaluate(None, &mut evaluation).0.as_number().and_then(|n| n.to_i64())
/// });
/// assert_eq!(numbers.collect::<Vec<_>>(), [Some(80), Some(443)]);
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    config: ConfigBody,
    expansion: Option<Shared>,
    inherited: Inherited,
    hidden: Option<Arc<Hidden>>,
}

/// The names that earlier readers have taken: all that they asked for.
#[derive(Clone, Debug, Default)]
struct Hidden {
    attributes: NameMap,
    blocks: HashMap<String, BlockSchema>,
}

/// The treatment of what the schema does not have.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Extent {
    Full,
    Partial,
}

/// Up to so many labels the schema of a block is copied as a whole.
const FEW_LABELS: usize = 64;

/// A copy of the schema of a block, which may be made of one with many labels; with fewer once `bounds` end the work.
fn copy_within(block: &BlockSchema, bounds: &mut dyn Bounds) -> BlockSchema {
    let names = &block.label_names;
    match names.len() {
        0..=FEW_LABELS => block.clone(),
        n => BlockSchema {
            block_type: block.block_type.clone(),
            label_names: texts_within(n, names.iter(), bounds),
        },
    }
}

/// A list of `n` texts, such as labels; of fewer once `bounds` end the work.
pub(crate) fn texts_within(
    n: usize,
    texts: impl Iterator<Item: AsRef<str>>,
    bounds: &mut dyn Bounds,
) -> Vec<String> {
    let mut list = Vec::new();
    if bounds.has_room(n.saturating_mul(size_of::<String>())) {
        list.reserve_exact(n);
        for text in texts {
            let text = text.as_ref();
            if !bounds.next_item() || !bounds.has_room(text.len()) {
                break;
            }
            list.push(text.to_owned());
        }
    }
    list
}

/// A body without expansion: `dynamic` means nothing special.
impl From<ConfigBody> for Body {
    fn from(config: ConfigBody) -> Self {
        Self { config, expansion: None, inherited: Inherited::default(), hidden: None }
    }
}

/// The body of a file, without expansion.
impl From<&File> for Body {
    fn from(file: &File) -> Self {
        Self::from(ConfigBody::from(file))
    }
}

impl Body {
    /// A body whose dynamic blocks are expanded, and those of the blocks in it.
    #[cfg(feature = "dynamic")]
    pub fn expanding(config: ConfigBody, expansion: Arc<Expansion>) -> Self {
        Self { expansion: Some(expansion), ..Self::from(config) }
    }

    /// The body as it is written.
    pub fn written(&self) -> &ConfigBody {
        &self.config
    }

    /// Returns the expansion of its dynamic blocks; nothing if `dynamic` means nothing special in it.
    pub fn expansion(&self) -> Option<&Expansion> {
        self.expansion.as_deref()
    }

    /// Returns the expansion for others to share.
    pub(super) fn shared_expansion(&self) -> Option<Shared> {
        self.expansion.clone()
    }

    /// Returns whether it stands for blocks of which nothing is known, not even how many they are.
    pub fn is_unknown(&self) -> bool {
        self.inherited.is_unknown()
    }

    /// The marks of the collections that the dynamic blocks around it go through. All values in it have them.
    pub fn marks(&self) -> &Marks {
        self.inherited.marks()
    }

    /// Where something that is missing is said to be missing.
    pub fn missing_item(&self) -> Option<(&Source, Span)> {
        self.config.missing_item()
    }

    /// The range of [`Body::missing_item`].
    pub fn missing_item_range(&self) -> Option<Range> {
        self.config.missing_item_range()
    }

    /// Reads what the schema asks for; everything else is an error.
    pub fn content(&self, schema: &BodySchema, evaluation: &mut Evaluation<'_>) -> (Content, Diagnostics) {
        let (found, mut diagnostics) = self.find(schema, evaluation);
        let content = self.with_heritage(found, evaluation.bounds());
        evaluation.tell_limit_of(&self.config, &mut diagnostics);
        (content, diagnostics)
    }

    /// Reads as [`Body::content`] does.
    pub(crate) fn find(
        &self,
        schema: &BodySchema,
        evaluation: &mut Evaluation<'_>,
    ) -> (BareContent, Diagnostics) {
        let Some(expansion) = &self.expansion else {
            let (content, mut diagnostics) = evaluation.content(&self.config, schema);
            let found = self.plain(content, evaluation.bounds());
            evaluation.tell_limit_of(&self.config, &mut diagnostics);
            return (found, diagnostics);
        };
        self.expanded(schema, Extent::Full, expansion, evaluation)
    }

    /// Everything that its parts have from the blocks around it.
    pub(crate) fn inherited(&self) -> &Inherited {
        &self.inherited
    }

    /// Reads what the schema asks for, and returns a body with the rest.
    pub fn partial_content(
        &self,
        schema: &BodySchema,
        evaluation: &mut Evaluation<'_>,
    ) -> (Content, Self, Diagnostics) {
        let (found, rest, mut diagnostics) = self.find_part(schema, evaluation);
        let content = self.with_heritage(found, evaluation.bounds());
        evaluation.tell_limit_of(&self.config, &mut diagnostics);
        (content, rest, diagnostics)
    }

    /// Reads as [`Body::partial_content`] does.
    pub(crate) fn find_part(
        &self,
        schema: &BodySchema,
        evaluation: &mut Evaluation<'_>,
    ) -> (BareContent, Self, Diagnostics) {
        let Some(expansion) = &self.expansion else {
            let (content, config, mut diagnostics) = evaluation.partial_content(&self.config, schema);
            let found = self.plain(content, evaluation.bounds());
            evaluation.tell_limit_of(&self.config, &mut diagnostics);
            return (found, Self { config, ..self.clone() }, diagnostics);
        };
        let (found, diagnostics) = self.expanded(schema, Extent::Partial, expansion, evaluation);
        // The rest is the same body: what a dynamic block makes can't be told from its header alone.
        let mut hidden = Hidden::default();
        let before = self.hidden.as_deref();
        let names_before = before.into_iter().flat_map(|hidden| hidden.attributes.names());
        let names = schema.attributes.iter().map(|attribute| attribute.name.as_str());
        for name in names_before.chain(names) {
            let needed = hidden.attributes.bytes_to_add(name);
            if !evaluation.bounds().next_item() || !evaluation.bounds().has_room(needed) {
                break;
            }
            hidden.attributes.add(name);
        }
        // Of several block types of one name the last counts, here and where they are read again.
        let blocks_before = before.into_iter().flat_map(|hidden| hidden.blocks.values());
        for block in blocks_before.chain(&schema.blocks).take_while(|_| evaluation.bounds().next_item()) {
            hidden.blocks.insert(block.block_type.clone(), block.clone());
        }
        (found, Self { hidden: Some(Arc::new(hidden)), ..self.clone() }, diagnostics)
    }

    /// All attributes, in the order of the text; any block is an error, a dynamic one too.
    pub fn just_attributes(&self) -> (Vec<Attribute>, Diagnostics) {
        self.just_attributes_within(&mut Unbounded)
    }

    /// Reads as [`Body::just_attributes`] does, within bounds; what has been read when they end it is not all.
    pub fn just_attributes_within(&self, bounds: &mut dyn Bounds) -> (Vec<Attribute>, Diagnostics) {
        let (mut attributes, diagnostics) = self.config.just_attributes_within(bounds);
        attributes.retain(|attribute| !self.hides_attribute(attribute.name()));
        (map_within(attributes, bounds, |attribute| self.attribute(attribute)), diagnostics)
    }

    /// Reads everything that is written in the body, as far as the syntax tells without a schema
    /// ([`ConfigBody::everything`]); dynamic blocks stand there as such.
    pub fn everything(&self) -> Content {
        self.everything_within(&mut Unbounded)
    }

    /// Reads as [`Body::everything`] does, within bounds; what has been read when they end it is not all.
    pub fn everything_within(&self, bounds: &mut dyn Bounds) -> Content {
        let mut written = self.config.everything_within(bounds);
        written.attributes = self.visible(written.attributes, bounds);
        written.blocks.retain(|block| !self.hides_block_type(block.block_type()));
        self.with_heritage(self.plain(written, bounds), bounds)
    }

    /// The turns of dynamic blocks that the body is in, the innermost last.
    pub(super) fn iterators(&self) -> Vec<Str> {
        self.inherited.iteration.as_ref().map(|iteration| iteration.names()).unwrap_or_default()
    }

    /// The attributes that no earlier reader has taken.
    fn visible(
        &self,
        attributes: Attributes<ContentAttribute>,
        bounds: &mut dyn Bounds,
    ) -> Attributes<ContentAttribute> {
        if self.hidden.is_none() {
            return attributes;
        }
        let attributes = attributes.into_iter().take_while(|_| bounds.next_item());
        attributes.filter(|attribute| !self.hides_attribute(attribute.name())).collect()
    }

    fn hides_attribute(&self, name: &str) -> bool {
        self.hidden.as_ref().is_some_and(|hidden| hidden.attributes.contains(name))
    }

    fn hides_block_type(&self, block_type: &str) -> bool {
        self.hidden.as_ref().is_some_and(|hidden| hidden.blocks.contains_key(block_type))
    }

    fn attribute(&self, written: ContentAttribute) -> Attribute {
        Attribute::new(written, self.inherited.clone())
    }

    /// The body for its written blocks to share, if it has something for them to inherit.
    fn around(&self) -> Option<Arc<Self>> {
        (self.expansion.is_some() || self.inherited.iteration.is_some()).then(|| Arc::new(self.clone()))
    }

    /// The body of the block that is made in another turn.
    pub(super) fn in_turn(&self, turn: Iteration) -> Self {
        Self { inherited: Inherited { iteration: Some(turn) }, ..self.clone() }
    }

    /// The body of a block. What is below a block that the host leaves alone is not expanded either.
    pub(super) fn inside(&self, block_type: &str, config: ConfigBody, inherited: Inherited) -> Self {
        let expansion = self.expansion.clone().filter(|expansion| !expansion.is_opaque(block_type));
        Self { config, expansion, inherited, hidden: None }
    }

    fn plain(&self, content: hcl_syntax::config::Content, bounds: &mut dyn Bounds) -> BareContent {
        let around = self.around();
        let blocks = map_within(content.blocks, bounds, |block| Block::written(block, around.clone()));
        BareContent { attributes: content.attributes, blocks }
    }

    /// Content whose attributes have all that they inherit.
    fn with_heritage(
        &self,
        BareContent { attributes, blocks }: BareContent,
        bounds: &mut dyn Bounds,
    ) -> Content {
        Content { attributes: attributes.map_within(bounds, |attribute| self.attribute(attribute)), blocks }
    }

    /// The content that a schema asks for, with `dynamic` blocks replaced by those that they generate, in the order
    /// of the source. The body is read by the schema and `dynamic` besides, so `dynamic "x"` is asked for exactly
    /// where `x` is.
    fn expanded(
        &self,
        schema: &BodySchema,
        extent: Extent,
        expansion: &Shared,
        evaluation: &mut Evaluation<'_>,
    ) -> (BareContent, Diagnostics) {
        let extended = self.extended(schema, evaluation.bounds());
        let (raw, mut diagnostics) = match extent {
            Extent::Full => evaluation.content(&self.config, &extended),
            Extent::Partial => {
                let (content, _, diagnostics) = evaluation.partial_content(&self.config, &extended);
                (content, diagnostics)
            }
        };
        let places: IndexMap<&str, usize> =
            schema.blocks.iter().zip(0..).map(|(block, at)| (block.block_type.as_str(), at)).collect();
        let attributes = self.visible(raw.attributes, evaluation.bounds());
        let mut found = BareContent { attributes, blocks: Vec::new() };
        // Of most bodies this is all.
        if raw.blocks.is_empty() {
            evaluation.tell_limit_of(&self.config, &mut diagnostics);
            return (found, diagnostics);
        }
        let (around, last) = (self.around(), LastScope::default());
        for block in raw.blocks {
            if !evaluation.bounds().next_item() {
                break;
            }
            let label = block.label(0).filter(|_| block.block_type() == DYNAMIC);
            let block_type = label.map_or(block.block_type(), |label| label.text);
            if self.hides_block_type(block_type) {
                continue;
            }
            let Some(label) = label else {
                found.blocks.push(Block::written(block, around.clone()));
                continue;
            };
            match places.get(label.text).map(|at| &schema.blocks[*at]) {
                Some(_) if !expansion.generates(label.text) => {
                    diagnostics.push(error::refused_type(label.text, block.source(), label.span));
                }
                Some(schema) => {
                    let (inherited, last, diagnostics) = (&self.inherited, &last, &mut diagnostics);
                    let mut surroundings =
                        Surroundings { expansion, inherited, last, evaluation, diagnostics };
                    self.generate(block, schema, &mut surroundings, &mut found.blocks);
                }
                None if extent == Extent::Full => {
                    diagnostics.push(error::unsupported_type(label.text, block.source(), label.span));
                }
                None => {}
            }
        }
        evaluation.tell_limit_of(&self.config, &mut diagnostics);
        (found, diagnostics)
    }

    /// Adds the blocks that a dynamic block makes.
    fn generate(
        &self,
        block: ContentBlock,
        schema: &BlockSchema,
        surroundings: &mut Surroundings<'_, '_>,
        blocks: &mut Vec<Block>,
    ) {
        let Some(generator) = surroundings.read(&block, schema) else { return };
        let inherited = generator.inherited(surroundings);
        let body = self.inside(&schema.block_type, generator.content().clone(), inherited);
        surroundings.turns(&generator, &Arc::new(Generated { written: block, body }), blocks);
    }

    /// The schema with dynamic blocks, and with all that earlier readers have taken: it is there, and no error.
    /// Less of that once `bounds` end the work.
    fn extended(&self, schema: &BodySchema, bounds: &mut dyn Bounds) -> BodySchema {
        let blocks = schema.blocks.iter().map(|block| copy_within(block, bounds)).collect();
        let mut extended = BodySchema { attributes: schema.attributes.clone(), blocks };
        extended
            .blocks
            .push(BlockSchema { block_type: DYNAMIC.to_owned(), label_names: vec!["type".to_owned()] });
        if let Some(hidden) = &self.hidden {
            let mut blocks: Vec<&BlockSchema> = hidden.blocks.values().collect();
            sort_by(&mut blocks, |a, b| a.block_type.cmp(&b.block_type));
            extended.blocks.extend(blocks.into_iter().take_while(|_| bounds.next_item()).cloned());
            let mut names: Vec<&str> = hidden.attributes.names().collect();
            // Names that are out of order are looked at no more.
            let go_on = |n| bounds.goes_on(n).then_some(()).ok_or(());
            let _ = sort_by_on(&mut names, |a, b| a.cmp(b), go_on);
            let optional = |name: &str| AttributeSchema { name: name.to_owned(), required: false };
            let names = names.into_iter().take_while(|_| bounds.next_item());
            extended.attributes.extend(names.map(optional));
        }
        extended
    }
}
