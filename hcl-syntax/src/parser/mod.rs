//! The grammar: tokens to tree. Parsing never fails to return.
//!
//! Tokens become a flat sequence that a `Copy` cursor walks. The spine of the grammar (bodies, expressions,
//! templates) is made of plain methods that look at the next token and commit; flat sequences (names of
//! calls, introductions, references) are nom combinations over the cursor. Errors go to a list in the order
//! of detection, the cursor moves to where the grammar can go on, and placeholders fill the gaps of the tree.

mod call;
mod collection;
mod combinator;
mod cursor;
mod direct;
mod directive;
mod error;
mod expression;
mod for_expr;
mod literal;
mod names;
mod operator;
mod recovery;
mod scanned;
mod standalone;
mod state;
mod strip;
mod structure;
mod template;
mod traversal;

use std::time::Instant;

use crate::ast::{Body, BodyId, ExprId, Expression, Lists, NewStep, SharedTree, Tree};
use crate::diagnostic::Diagnostics;
use crate::format::ends_line;
use crate::lexer::{self, Scan};
use crate::limits::{CancelToken, Watch};
use crate::source::{Grammar, Source, Span};
use crate::token::{Token, TokenKind};

pub use standalone::Splats;

pub(crate) use literal::is_number;

use cursor::Newlines;
use scanned::Scanned;
use standalone::ReferenceStep;
use state::{Parser, Scratch};

/// Bounds on one parse.
#[derive(Clone, Debug)]
pub struct ParseLimits {
    /// How deep brackets, blocks, templates and operators may nest. Chains such as `a + b + c` do not.
    pub max_depth: u32,
    /// How many diagnostics are kept; one more then says how many were left out.
    pub max_diagnostics: u32,
    /// When to give up. What was read by then is the result, and a diagnostic says that it is not all.
    pub deadline: Option<Instant>,
    /// Gives up when triggered, likewise.
    pub cancel: Option<CancelToken>,
}

impl Default for ParseLimits {
    fn default() -> Self {
        Self { max_depth: 1000, max_diagnostics: 1000, deadline: None, cancel: None }
    }
}

impl ParseLimits {
    /// The same for later work on the result, which neither deadline nor token is about.
    pub(crate) fn without_end(&self) -> Self {
        Self { deadline: None, cancel: None, ..*self }
    }
}

/// A parsed configuration file.
#[derive(Debug)]
pub struct File {
    tree: SharedTree,
    body: BodyId,
}

impl File {
    /// The body of the file.
    pub fn body(&self) -> Body<'_> {
        self.tree.body_at(self.body)
    }

    /// The tree, for those who keep it: programs do.
    pub fn tree(&self) -> &SharedTree {
        &self.tree
    }

    /// The text the file was made from.
    pub fn source(&self) -> &Source {
        self.tree.source()
    }
}

/// An expression with the tree it is in; of a parse, one that stands alone.
#[derive(Clone, Debug)]
pub struct ParsedExpression {
    tree: SharedTree,
    root: ExprId,
}

impl ParsedExpression {
    pub(crate) fn new(tree: SharedTree, root: ExprId) -> Self {
        Self { tree, root }
    }

    /// The expression.
    pub fn expression(&self) -> Expression<'_> {
        self.tree.expression(self.root)
    }

    /// The tree, for those who keep it: programs do.
    pub fn tree(&self) -> &SharedTree {
        &self.tree
    }

    /// The same where nobody else needs the expression.
    pub fn into_tree(self) -> SharedTree {
        self.tree
    }
}

/// A reference that stands alone, as far as it could be read.
#[derive(Debug)]
pub struct ParsedTraversal {
    tree: SharedTree,
    root: Option<Span>,
    steps: Vec<ReferenceStep>,
}

/// A step of a [`ParsedTraversal`].
#[derive(Copy, Clone, Debug)]
pub struct TraversalStep<'t> {
    /// From the dot to the end of the name, or from bracket to bracket.
    pub span: Span,
    /// What the step does.
    pub kind: TraversalStepKind<'t>,
}

/// What a step of a [`ParsedTraversal`] does.
#[derive(Copy, Clone, Debug)]
pub enum TraversalStepKind<'t> {
    /// `.name`
    Attribute(&'t str),
    /// `[key]` with a literal key: `Number` or `Text`.
    Index(Expression<'t>),
    /// `[*]`, which can't be evaluated.
    Splat,
}

impl ParsedTraversal {
    /// The variable; none if the text does not begin with a name.
    pub fn root(&self) -> Option<&str> {
        self.root.map(|root| self.tree.source().slice(root))
    }

    /// Where the variable stands.
    pub fn root_span(&self) -> Option<Span> {
        self.root
    }

    /// The steps.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = TraversalStep<'_>> {
        self.steps.iter().map(|step| match *step {
            ReferenceStep::Splat(span) => TraversalStep { span, kind: TraversalStepKind::Splat },
            ReferenceStep::Step(step) => {
                let kind = match step {
                    NewStep::Attribute { name, .. } => {
                        TraversalStepKind::Attribute(self.tree.source().slice(name))
                    }
                    NewStep::Index { key, .. } => TraversalStepKind::Index(self.tree.expression(key)),
                    // The grammar of references has neither.
                    NewStep::LegacyIndex { .. } | NewStep::InvalidLegacyIndex { .. } => {
                        TraversalStepKind::Splat
                    }
                };
                TraversalStep { span: step.span(), kind }
            }
        })
    }

    /// The tree with the keys of indexes.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }
}

/// Reads a configuration file. What could be understood is in the file, also when there are errors.
///
/// ```
/// use hcl_syntax::parser::{ParseLimits, parse_file};
/// use hcl_syntax::source::Source;
///
/// let text = "region = \"north\"\nservice \"web\" {\n  port = 80 81\n}\n";
/// let source = Source::new("main.hcl", text)?;
/// let (file, diagnostics) = parse_file(source, &ParseLimits::default());
/// let service = file.body().blocks().next().unwrap();
/// assert_eq!(service.labels().next().unwrap().text(), "web");
/// assert_eq!(service.body().attribute("port").unwrap().expression().source_text(), "80");
/// assert_eq!(diagnostics[0].summary, "Missing newline after argument");
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn parse_file(source: Source, limits: &ParseLimits) -> (File, Diagnostics) {
    let watch = Watch::new(limits);
    if let Some((body, tree, diagnostics)) = direct::file(&source, limits, &watch) {
        return (File { tree: tree.into_tree(source), body }, diagnostics);
    }
    let (body, tree, diagnostics) =
        run(&source, limits, &watch, Newlines::Significant, |parser| parser.file_body());
    (File { tree: tree.into_tree(source), body }, diagnostics)
}

/// The same with all tokens of the source, comments included, for whoever has them.
pub(crate) fn parse_tokens(
    source: &Source,
    tokens: &[Token],
    limits: &ParseLimits,
    watch: &Watch,
) -> (File, Diagnostics) {
    // Of comments the grammar wants those only that stand for a newline.
    let is_unseen = |token: &Token| token.kind == TokenKind::Comment && !ends_line(source, *token);
    let tokens: Vec<Token> = tokens.iter().copied().filter(|token| !is_unseen(token)).collect();
    let problems = lexer::diagnostics(source, &tokens, limits.max_diagnostics);
    let mut tree = Lists::new(tokens.len());
    let scanned = Scanned::new(source.text(), &tokens, watch);
    let mut scratch = Scratch::default();
    let mut parser = Parser::new(&mut tree, &mut scratch, source, &scanned, Newlines::Significant, limits);
    parser.report.begin_with(problems);
    let body = parser.file_body();
    let diagnostics = parser.finish();
    (File { tree: tree.into_tree(source.clone()), body }, diagnostics)
}

/// Reads one expression that makes up the whole text. Newlines mean nothing outside of objects.
///
/// ```
/// use hcl_syntax::ast::ExpressionKind;
/// use hcl_syntax::parser::{ParseLimits, parse_expression};
/// use hcl_syntax::source::Source;
///
/// let source = Source::new("input", "var.port + 1")?;
/// let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
/// assert!(diagnostics.is_empty());
/// let ExpressionKind::Binary { operator, left, .. } = parsed.expression().kind() else { panic!() };
/// assert_eq!((operator.symbol(), left.source_text()), ("+", "var.port"));
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn parse_expression(source: Source, limits: &ParseLimits) -> (ParsedExpression, Diagnostics) {
    let watch = Watch::new(limits);
    if let Some((root, tree)) = direct::expression(&source, limits, &watch) {
        return (ParsedExpression { tree: tree.into_tree(source), root }, Diagnostics::new());
    }
    let (root, tree, diagnostics) =
        run(&source, limits, &watch, Newlines::Ignored, |parser| parser.whole_expression());
    (ParsedExpression { tree: tree.into_tree(source), root }, diagnostics)
}

/// Reads a bare template that makes up the whole text; make the source with [`Grammar::Template`].
///
/// ```
/// use hcl_syntax::ast::ExpressionKind;
/// use hcl_syntax::parser::{ParseLimits, parse_template};
/// use hcl_syntax::source::{Grammar, Pos, Source};
///
/// let text = "Hello, ${name}!\n";
/// let source = Source::with_grammar("hello.tpl", text, Grammar::Template, Pos::START)?;
/// let (parsed, diagnostics) = parse_template(source, &ParseLimits::default());
/// assert!(diagnostics.is_empty());
/// let ExpressionKind::Template(parts) = parsed.expression().kind() else { panic!() };
/// assert_eq!(parts.len(), 3);
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn parse_template(source: Source, limits: &ParseLimits) -> (ParsedExpression, Diagnostics) {
    let watch = Watch::new(limits);
    let (root, tree, diagnostics) =
        run(&source, limits, &watch, Newlines::Significant, |parser| parser.bare_template());
    (ParsedExpression { tree: tree.into_tree(source), root }, diagnostics)
}

/// Reads a reference that makes up the whole text: a variable, and attributes and indexes by literals.
/// Stops at the first error.
///
/// ```
/// use hcl_syntax::parser::{ParseLimits, Splats, parse_traversal};
/// use hcl_syntax::source::Source;
///
/// let source = Source::new("input", "module.web[\"a\"].port")?;
/// let (traversal, diagnostics) = parse_traversal(source, Splats::Refused, &ParseLimits::default());
/// assert!(diagnostics.is_empty());
/// assert_eq!((traversal.root(), traversal.steps().len()), (Some("module"), 3));
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn parse_traversal(
    source: Source,
    splats: Splats,
    limits: &ParseLimits,
) -> (ParsedTraversal, Diagnostics) {
    let mut steps = Vec::new();
    let read = |parser: &mut Parser<'_>| parser.reference(splats, &mut steps);
    let (root, tree, diagnostics) = run(&source, limits, &Watch::new(limits), Newlines::Ignored, read);
    (ParsedTraversal { tree: tree.into_tree(source), root, steps }, diagnostics)
}

/// Reads the bare template at `piece` of a tree's source, and adds it to the tree unless it has errors.
pub(crate) fn parse_template_into(
    tree: &mut Lists,
    source: &Source,
    piece: Span,
    limits: &ParseLimits,
    watch: &Watch,
) -> Result<ExprId, Diagnostics> {
    let scan = lexer::scan_piece(source, piece, Grammar::Template, watch);
    let problems = problems_of(source, &scan, limits);
    let scanned = Scanned::new(source.text(), &scan.tokens, watch);
    let n_nodes = tree.mark();
    let mut scratch = Scratch::default();
    let mut parser = Parser::new(tree, &mut scratch, source, &scanned, Newlines::Significant, limits);
    parser.report.begin_with(problems);
    let root = parser.bare_template();
    let diagnostics = parser.finish();
    if diagnostics.is_empty() {
        return Ok(root);
    }
    tree.discard_from(n_nodes);
    Err(diagnostics)
}

/// Scans `source`, and reads its tokens with `read`.
fn run<T>(
    source: &Source,
    limits: &ParseLimits,
    watch: &Watch,
    newlines: Newlines,
    read: impl FnOnce(&mut Parser<'_>) -> T,
) -> (T, Lists, Diagnostics) {
    let scan = lexer::scan(source, watch);
    let n_tokens = scan.tokens.len();
    let mut tree = Lists::new(n_tokens);
    let problems = problems_of(source, &scan, limits);
    let scanned = Scanned::new(source.text(), &scan.tokens, watch);
    let mut scratch = Scratch::default();
    let mut parser = Parser::new(&mut tree, &mut scratch, source, &scanned, newlines, limits);
    parser.report.begin_with(problems);
    let result = read(&mut parser);
    let diagnostics = parser.finish();
    tree.shrink(n_tokens);
    (result, tree, diagnostics)
}

/// What the scanner has to say about its tokens, and how much it leaves out.
fn problems_of(source: &Source, scan: &Scan, limits: &ParseLimits) -> (Diagnostics, u32) {
    match scan.has_problems {
        true => lexer::diagnostics(source, &scan.tokens, limits.max_diagnostics),
        false => Default::default(),
    }
}
