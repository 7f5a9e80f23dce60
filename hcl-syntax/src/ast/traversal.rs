//! Variables and the steps that follow them, as views of a tree.

use super::expression::Expression;
use super::tree::{ExprId, StepTag, Tree};
use crate::source::Span;

/// A variable and the steps that follow it.
///
/// ```
/// use hcl_syntax::ast::{ExpressionKind, StepKind};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "var.hosts[0].name".parse()?;
/// let ExpressionKind::Traversal(reference) = parsed.expression().kind() else { panic!("a traversal") };
/// assert_eq!((reference.root(), reference.steps().len()), ("var", 3));
/// assert!(matches!(reference.steps().iter().next().unwrap().kind, StepKind::Attribute("hosts")));
/// assert_eq!(reference.to_text(), "var.hosts[0].name");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub struct Traversal<'t> {
    pub(super) root: Span,
    pub(super) steps: Steps<'t>,
}

impl<'t> Traversal<'t> {
    /// The variable's name.
    pub fn root(self) -> &'t str {
        self.steps.tree.source.slice(self.root)
    }

    /// Where the name stands.
    pub fn root_span(self) -> Span {
        self.root
    }

    /// The steps.
    pub fn steps(self) -> Steps<'t> {
        self.steps
    }
}

/// The steps of a traversal.
///
/// ```
/// use hcl_syntax::ast::variables;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "var.hosts[0]".parse()?;
/// let steps = variables(parsed.expression())[0].steps();
/// let mut text = String::new();
/// steps.write_text(&mut text);
/// assert_eq!((steps.len(), text.as_str()), (2, ".hosts[0]"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone)]
pub struct Steps<'t> {
    pub(super) tree: &'t Tree,
    pub(super) words: &'t [u32],
}

/// A step of a traversal.
///
/// ```
/// use hcl_syntax::ast::{Step, StepKind, variables};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "var.host".parse()?;
/// let Step { kind, span } = variables(parsed.expression())[0].steps().iter().next().unwrap();
/// assert!(matches!(kind, StepKind::Attribute("host")));
/// assert_eq!(parsed.tree().source().slice(span), ".host");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub struct Step<'t> {
    /// From the dot to the end of the name, or from bracket to bracket.
    pub span: Span,
    /// The kind of step.
    pub kind: StepKind<'t>,
}

/// The kind of a step.
///
/// ```
/// use hcl_syntax::ast::{StepKind, variables};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "a.b[0]".parse()?;
/// let steps = variables(parsed.expression())[0].steps();
/// let texts: Vec<_> = steps
///     .iter()
///     .map(|step| match step.kind {
///         StepKind::Attribute(name) => name,
///         StepKind::Index(key) => key.source_text(),
///         StepKind::LegacyIndex(digits) => digits,
///         StepKind::InvalidLegacyIndex => "?",
///     })
///     .collect();
/// assert_eq!(texts, ["b", "0"]);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub enum StepKind<'t> {
    /// `.name`
    Attribute(&'t str),
    /// `[key]` with a literal key: `Null`, `Bool`, `Number` or `Text`; after errors also `Invalid`.
    Index(Expression<'t>),
    /// `.0`: the digits as written.
    LegacyIndex(&'t str),
    /// `.0.1`: reported by the parser; an index by an unknown key.
    InvalidLegacyIndex,
}

impl<'t> Steps<'t> {
    /// No steps.
    pub(super) fn none(tree: &'t Tree) -> Self {
        Self { tree, words: &[] }
    }

    /// How many.
    pub fn len(self) -> usize {
        self.words.len() / StepTag::N_WORDS
    }

    /// Returns whether there are no steps.
    pub fn is_empty(self) -> bool {
        self.words.is_empty()
    }

    /// Those after the first `n`; none if there are no more.
    ///
    /// ```
    /// use hcl_syntax::ast::variables;
    /// use hcl_syntax::parser::ParsedExpression;
    ///
    /// let parsed: ParsedExpression = "var.db.host".parse()?;
    /// let steps = variables(parsed.expression())[0].steps();
    /// assert_eq!(steps.after(1).len(), 1);
    /// assert!(steps.after(5).is_empty());
    /// # Ok::<(), hcl_syntax::diagnostic::Error>(())
    /// ```
    #[must_use]
    pub fn after(self, n: usize) -> Self {
        let words = self.words.get(n.saturating_mul(StepTag::N_WORDS)..).unwrap_or_default();
        Self { words, ..self }
    }

    /// All of them.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Step<'t>> + Clone {
        let text = self.tree.source.text();
        let (steps, _) = self.words.as_chunks::<{ StepTag::N_WORDS }>();
        steps.iter().map(move |&[tag, start, end, data]| {
            let span = Span::new(start, end);
            let written = || text.get(data as usize..end as usize).unwrap_or_default();
            let kind = match tag {
                StepTag::ATTRIBUTE => StepKind::Attribute(written()),
                StepTag::INDEX => StepKind::Index(Expression::new(self.tree, ExprId(data))),
                StepTag::LEGACY_INDEX => StepKind::LegacyIndex(written()),
                _ => StepKind::InvalidLegacyIndex,
            };
            Step { span, kind }
        })
    }
}

impl std::fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
