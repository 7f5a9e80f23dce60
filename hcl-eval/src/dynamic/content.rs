//! The result of reading a body with dynamic blocks.

use std::sync::Arc;

use hcl_syntax::config::{
    Attributes, Bounds, ConfigExpression, ContentAttribute, ContentBlock, ContentLabel, Named, Unbounded,
};
use hcl_syntax::diagnostic::{Diagnostics, NamedValue};
use hcl_syntax::source::{Range, Source, Span};

use super::Body;
use super::iteration::Iteration;
use crate::Str;
use crate::eval::{Evaluation, Scope};
use crate::value::{Marks, Value};

/// The attributes and blocks that a schema asked for, dynamic blocks expanded.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::dynamic::{Body, Expansion};
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::File;
/// use hcl_syntax::schema::BodySchema;
///
/// let text = "listen {}\ndynamic \"listen\" {\n  for_each = [80, 443]\n  content {}\n}\n";
/// let config = ConfigBody::from(&File::parse("main.hcl", text)?);
/// let body = Body::expanding(config, Arc::new(Expansion::new(None)));
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let (content, _) = body.content(&BodySchema::default().block("listen", &[]), &mut evaluation);
/// assert_eq!(content.blocks.len(), 3);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// The attributes by name, in the order of the text.
    pub attributes: Attributes<Attribute>,
    /// The blocks of all types, in the order of the text.
    pub blocks: Vec<Block>,
}

/// [`Content`] with attributes as they are written: what they inherit is the body's to say.
pub(crate) struct BareContent {
    pub(crate) attributes: Attributes<ContentAttribute>,
    pub(crate) blocks: Vec<Block>,
}

/// The heritage of everything in a body from the blocks around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inherited {
    /// The turn of the innermost dynamic block, in which its iterator is in scope and those around it.
    pub(super) iteration: Option<Iteration>,
}

impl Inherited {
    /// The marks of the collections iterated over.
    pub(super) fn marks(&self) -> &Marks {
        static NONE: Marks = Marks::EMPTY;
        self.iteration.as_ref().map_or(&NONE, Iteration::marks)
    }

    /// True if the body stands for blocks of which nothing is known.
    pub(super) fn is_unknown(&self) -> bool {
        self.iteration.as_ref().is_some_and(Iteration::is_unknown)
    }

    /// [`Attribute::evaluate`] of an attribute with this heritage.
    pub(crate) fn evaluate(
        &self,
        written: &ContentAttribute,
        scope: Option<&Arc<Scope>>,
        evaluation: &mut Evaluation<'_>,
    ) -> (Value, Diagnostics) {
        let Some(iteration) = &self.iteration else {
            return evaluation.evaluate_attribute(written, scope.map(|scope| &**scope));
        };
        if iteration.is_unknown() {
            return (Value::dynamic().with_marks(iteration.marks()), Diagnostics::new());
        }
        let scope = iteration.scope(scope, evaluation);
        let (value, diagnostics) = evaluation.evaluate_attribute(written, Some(&scope));
        (value.with_marks(iteration.marks()), diagnostics)
    }

    /// Returns the values of the variables of an attribute's expression, for a message about it. In a dynamic block they
    /// tell which element the message is about.
    pub(crate) fn values(
        &self,
        attribute: &ContentAttribute,
        scope: Option<&Arc<Scope>>,
        evaluation: &mut Evaluation<'_>,
    ) -> Vec<NamedValue> {
        let turn = self.iteration.as_ref().map(|iteration| iteration.scope(scope, evaluation));
        let scope = turn.as_ref().or(scope);
        evaluation.values_in(&attribute.expression(), scope.map(|scope| &**scope))
    }
}

/// An attribute, with what it needs to be evaluated where it stands.
///
/// ```
/// use hcl_eval::dynamic::Body;
/// use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
/// use hcl_syntax::parser::File;
///
/// let body = Body::from(&File::parse("main.hcl", "port = base + 1\n")?);
/// let (attributes, _) = body.just_attributes();
/// let scope = Scope::builder().variable("base", 80).build();
/// let (value, _) = attributes[0].evaluate(Some(&scope), &mut Evaluation::new(&EvalOptions::default()));
/// assert_eq!(value.to_string(), "81");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Attribute {
    written: ContentAttribute,
    inherited: Inherited,
}

impl Named for Attribute {
    fn name(&self) -> &str {
        self.written.name()
    }
}

impl Attribute {
    pub(super) fn new(written: ContentAttribute, inherited: Inherited) -> Self {
        Self { written, inherited }
    }

    /// The attribute as it is written.
    pub fn written(&self) -> &ContentAttribute {
        &self.written
    }

    /// The expression as it is written; it may refer to iterators.
    pub fn expression(&self) -> ConfigExpression {
        self.written.expression()
    }

    /// The value in `scope`, with the iterators of the dynamic blocks around it. Unknown in a block that
    /// stands for an unknown number of them.
    pub fn evaluate(
        &self,
        scope: Option<&Arc<Scope>>,
        evaluation: &mut Evaluation<'_>,
    ) -> (Value, Diagnostics) {
        self.inherited.evaluate(&self.written, scope, evaluation)
    }

    /// The variables that the expression refers to, iterators left out.
    pub fn variables(&self) -> Vec<ConfigExpression> {
        self.variables_within(&mut Unbounded)
    }

    /// [`Attribute::variables`] within bounds: those that have been found when they end it are not all.
    ///
    /// ```
    /// use hcl_eval::dynamic::Body;
    /// use hcl_syntax::config::Unbounded;
    /// use hcl_syntax::parser::File;
    ///
    /// let body = Body::from(&File::parse("main.hcl", "a = b + c\n")?);
    /// assert_eq!(body.everything().attributes["a"].variables_within(&mut Unbounded).len(), 2);
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    pub fn variables_within(&self, bounds: &mut dyn Bounds) -> Vec<ConfigExpression> {
        let mut variables = Vec::new();
        self.expression().find_variables(&mut variables, bounds);
        if let Some(iteration) = &self.inherited.iteration {
            variables.retain(|variable| !root_of(variable).is_some_and(|root| iteration.binds(&root)));
        }
        variables
    }
}

/// The name that a variable with its steps begins with.
pub(super) fn root_of(variable: &ConfigExpression) -> Option<String> {
    let syntax = variable.static_traversal()?;
    Some(syntax.expression().as_static_traversal()?.root.to_owned())
}

/// A block, written or generated.
///
/// ```
/// use hcl_eval::dynamic::Body;
/// use hcl_syntax::parser::File;
///
/// let body = Body::from(&File::parse("main.hcl", "service \"web\" {\n  port = 80\n}\n")?);
/// let service = &body.everything().blocks[0];
/// assert_eq!((service.block_type(), service.label(0).map(|label| label.text)), ("service", Some("web")));
/// assert_eq!(service.body().just_attributes().0.len(), 1);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Block(Form);

#[derive(Clone, Debug)]
enum Form {
    /// A block as it is written, in a body that has something for it to inherit. Most have nothing.
    Written(ContentBlock, Option<Arc<Body>>),
    Generated {
        by: Arc<Generated>,
        turn: Iteration,
        labels: Box<[GeneratedLabel]>,
    },
}

/// The parts that all blocks of a dynamic block share.
#[derive(Debug)]
pub(super) struct Generated {
    /// The dynamic block.
    pub(super) written: ContentBlock,
    /// The body of the block of the first turn.
    pub(super) body: Body,
}

/// The value of a label's expression.
#[derive(Clone, Debug)]
pub(super) struct GeneratedLabel {
    pub(super) text: Str,
    pub(super) span: Span,
}

impl Block {
    /// A block as it is written. `around` is the body that it is in, unless `dynamic` means nothing there and around it.
    pub(super) fn written(written: ContentBlock, around: Option<Arc<Body>>) -> Self {
        Self(Form::Written(written, around))
    }

    /// A block that a dynamic one makes.
    pub(super) fn generated(by: Arc<Generated>, turn: Iteration, labels: Box<[GeneratedLabel]>) -> Self {
        Self(Form::Generated { by, turn, labels })
    }

    /// The block itself, or the dynamic block that it is generated by.
    fn in_text(&self) -> &ContentBlock {
        match &self.0 {
            Form::Written(written, _) => written,
            Form::Generated { by, .. } => &by.written,
        }
    }

    fn generated_labels(&self) -> Option<&[GeneratedLabel]> {
        if let Form::Generated { labels, .. } = &self.0 { Some(labels) } else { None }
    }

    /// The label of a dynamic block that this one is generated by: the block type.
    fn generated_type(&self) -> Option<ContentLabel<'_>> {
        self.generated_labels().and_then(|_| self.in_text().label(0))
    }

    /// The block type.
    pub fn block_type(&self) -> &str {
        self.generated_type().map_or_else(|| self.in_text().block_type(), |label| label.text)
    }

    /// Where the type stands; of a generated block, the label of the dynamic block.
    pub fn type_span(&self) -> Span {
        self.generated_type().map_or_else(|| self.in_text().type_span(), |label| label.span)
    }

    /// How many labels there are: as many as the schema names.
    pub fn n_labels(&self) -> usize {
        self.generated_labels().map_or_else(|| self.in_text().n_labels(), <[_]>::len)
    }

    /// The label at a place.
    pub fn label(&self, at: usize) -> Option<ContentLabel<'_>> {
        match self.generated_labels() {
            None => self.in_text().label(at),
            Some(labels) => labels.get(at).map(|label| ContentLabel { text: &label.text, span: label.span }),
        }
    }

    /// The labels; those of a generated block are where their expressions are.
    pub fn labels(&self) -> impl Iterator<Item = ContentLabel<'_>> {
        (0..).map_while(|at| self.label(at))
    }

    /// Returns the place for messages about the block as a whole; of a generated block, the dynamic block's header.
    pub fn definition_span(&self) -> Span {
        self.in_text().definition_span()
    }

    /// The whole block; of a generated block, the whole dynamic block.
    pub fn span(&self) -> Span {
        self.in_text().span()
    }

    /// Returns the content of the block.
    pub fn body(&self) -> Body {
        match &self.0 {
            Form::Written(written, None) => written.body().into(),
            Form::Written(written, Some(around)) => {
                around.inside(written.block_type(), written.body(), around.inherited().clone())
            }
            Form::Generated { by, turn, .. } => by.body.in_turn(turn.clone()),
        }
    }

    /// Returns the source that the spans are places in.
    pub fn source(&self) -> &Source {
        self.in_text().source()
    }

    /// Returns the place for messages about the block as a whole.
    pub fn definition_range(&self) -> Range {
        self.in_text().definition_range()
    }
}
