//! Where the value of a specification comes from.

use hcl_syntax::source::{Range, Source, Span};

use super::decoder::{Found, Labels};
use super::spec::{BodySpec, Spec};
use crate::dynamic::{Block, Body};
use crate::eval::{EvalOptions, Evaluation};
use crate::stack;

/// A span of a source.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) source: Source,
    pub(super) span: Span,
}

impl Place {
    /// A block as a whole.
    pub(super) fn of_block(block: &Block) -> Self {
        Self { source: block.source().clone(), span: block.definition_span() }
    }

    fn missing(found: &Found<'_>) -> Option<Self> {
        found.missing_item().map(|(source, span)| Self { source: source.clone(), span })
    }
}

/// Where the value of a body comes from, or where it would have to be put: the expression of an attribute,
/// the contents of the first block; of what has many parts, where the body begins. Nothing for literals.
///
/// ```
/// use hcl_eval::decode::{AttributeSpec, Spec, source_place};
/// use hcl_eval::{Type, dynamic::Body, eval::EvalOptions};
/// use hcl_syntax::parser::File;
///
/// let spec = Spec::from(AttributeSpec::new("port", Type::Number)).into();
/// let body = Body::from(&File::parse("main.hcl", "port = 80\n")?);
/// let place = source_place(&body, &spec, &EvalOptions::default()).unwrap();
/// assert_eq!(place.to_string(), "main.hcl:1,8-10");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn source_place(body: &Body, spec: &BodySpec, options: &EvalOptions<'_>) -> Option<Range> {
    let place = place_in(body, spec, Labels::none(), &mut Evaluation::new(options))?;
    Some(place.source.range(place.span))
}

pub(super) fn place_in(
    body: &Body,
    spec: &BodySpec,
    labels: Labels<'_>,
    evaluation: &mut Evaluation<'_>,
) -> Option<Place> {
    stack::grow(u32::MAX, || {
        let (content, _, _) = body.find_part(spec.schema(), evaluation);
        place_of(spec.spec(), &Found::new(&content, body, labels), evaluation)
    })
}

/// The place of the value of one specification among those of a body.
pub(super) fn place_of(spec: &Spec, found: &Found<'_>, evaluation: &mut Evaluation<'_>) -> Option<Place> {
    stack::grow(u32::MAX, || {
        let mut first_block = |block_type: &str, nested: &BodySpec, n_keys: usize| {
            let Some(block) = found.blocks(block_type).first() else { return Place::missing(found) };
            let place = place_in(&block.body(), nested, Labels::of(block, n_keys), evaluation);
            place.or_else(|| Some(Place::of_block(block)))
        };
        match spec {
            Spec::Object(_) | Spec::Tuple(_) => Place::missing(found),
            Spec::Attribute(attribute) => match found.attributes.get(&attribute.name) {
                Some(attribute) => {
                    let expression = attribute.expression();
                    Some(Place { source: expression.source().clone(), span: expression.span() })
                }
                None => Place::missing(found),
            },
            Spec::Block(block) => first_block(&block.block_type, &block.nested, 0),
            Spec::Blocks(blocks) => first_block(&blocks.block_type, &blocks.nested, 0),
            Spec::BlockMap(blocks) | Spec::BlockObject(blocks) => {
                first_block(&blocks.block_type, &blocks.nested, blocks.label_names.len())
            }
            Spec::BlockLabel(label) => found.labels.get(label.index).map(|(_, place)| place),
            Spec::BlockAttributes(block) => match found.blocks(&block.block_type).first() {
                Some(block) => Some(Place::of_block(block)),
                None => Place::missing(found),
            },
            Spec::Literal(_) => None,
            Spec::Default(specs) => specs.first().and_then(|spec| place_of(spec, found, evaluation)),
            Spec::Transform(transform) => place_of(transform.nested(), found, evaluation),
            Spec::Written(written) => place_of(&written.spec, found, evaluation),
            Spec::Refined(refined) => place_of(&refined.nested, found, evaluation),
            Spec::Validated(validated) => place_of(&validated.nested, found, evaluation),
        }
    })
}
