//! The grammar: text to tree. Parsing never fails to return.
//!
//! The grammar reads an `Input`: the bytes of a text, or a list of its tokens. The spine of the
//! grammar (bodies, expressions, templates) is made of plain methods that look at the next token and commit;
//! flat sequences (names of calls, introductions, references) are nom combinations over the input. The bytes are given
//! up at the first error. From the tokens errors go to a list in the order of detection, the input moves to where the
//! grammar can go on, and placeholders fill the gaps of the tree.

mod bytes;
mod call;
mod collection;
mod combinator;
mod directive;
mod error;
mod expression;
mod for_expr;
mod input;
mod literal;
mod operator;
mod recovery;
mod standalone;
mod state;
mod strip;
mod structure;
mod template;
#[cfg(test)]
mod tests;
mod tokens;
mod traversal;

use std::str::FromStr;
use std::time::Instant;

use crate::ast::{Body, BodyId, ExprId, Expression, Lists, NewStep, SharedTree, Tree};
use crate::diagnostic::{Diagnostics, Error, IntoResult};
use crate::lexer::{self, Scanner};
use crate::limits::{CancelToken, Watch};
use crate::source::{Grammar, Source, Span, Text as SourceText};
use crate::token::Token;

pub use standalone::Splats;

pub(crate) use literal::is_number;

use bytes::{Bytes, Text};
use input::{Input as _, Newlines};
use standalone::ReferenceStep;
use state::{ItemStart, Parser, Scratch};
use tokens::{Scanned, Tokens};

/// Bounds on one parse.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use hcl_syntax::parser::{ParseLimits, parse_expression};
/// use hcl_syntax::source::Source;
///
/// let deadline = Instant::now().checked_add(Duration::from_secs(5));
/// let limits = ParseLimits { max_depth: 10, deadline, ..ParseLimits::default() };
/// let (_, problems) = parse_expression(Source::new("input", "[".repeat(100))?, &limits);
/// assert_eq!(problems[0].code, "limit.depth");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ParseLimits {
    /// How deep brackets, blocks, templates and operators may nest. Chains such as `a + b + c` do not.
    pub max_depth: u32,
    /// How many diagnostics are kept; one more then says how many were left out. Likewise of the templates in a file of JSON
    /// syntax, whose diagnostics evaluation gives.
    pub max_diagnostics: u32,
    /// When to give up. What was read by then is the result, and a diagnostic says that it is not all.
    pub deadline: Option<Instant>,
    /// Gives up when triggered, likewise.
    pub cancel: Option<CancelToken>,
    /// Asks the system now and then for the memory that is needed next, and gives up where there is none, if an allocator tells
    /// of refusals ([`crate::memory`]). Not by default: work inside a bound on memory asks for no more than that.
    pub asks_for_memory: bool,
}

impl Default for ParseLimits {
    fn default() -> Self {
        Self { max_depth: 1000, max_diagnostics: 1000, deadline: None, cancel: None, asks_for_memory: false }
    }
}

impl ParseLimits {
    /// Returns the limits for later work on the result, which have neither deadline nor token.
    pub(crate) fn without_end(&self) -> Self {
        Self { deadline: None, cancel: None, ..*self }
    }
}

/// A parsed configuration file.
///
/// ```
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "service \"web\" {\n  port = 80\n}\n")?;
/// let service = file.body().blocks().next().unwrap();
/// assert_eq!(service.body().attribute("port").unwrap().expression().source_text(), "80");
///
/// let error = File::parse("main.hcl", "port = \n").unwrap_err();
/// assert!(error.to_string().contains("main.hcl:1:8"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct File {
    tree: SharedTree,
    body: BodyId,
}

impl File {
    /// Reads a text within the limits of [`ParseLimits::default`]. [`parse_file`] gives a file also when there are errors.
    ///
    /// # Errors
    /// The text has syntax errors, or is too long.
    #[expect(single_use_lifetimes, reason = "without a name they are unstable in `impl Trait`")]
    pub fn parse<'t>(name: &str, text: impl Into<SourceText<'t>>) -> Result<Self, Error> {
        parse_file(Source::new(name, text)?, &ParseLimits::default()).into_result()
    }

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
///
/// ```
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "var.port + 1".parse()?;
/// assert!(parsed.expression().is_binary());
/// assert!("var.port +".parse::<ParsedExpression>().is_err());
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
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

    /// Gives the tree away, where nobody else needs the expression.
    pub fn into_tree(self) -> SharedTree {
        self.tree
    }
}

/// Reads one expression that makes up the whole text, within the limits of [`ParseLimits::default`]. Diagnostics call the
/// text `expression`; [`parse_expression`] takes another name, and other limits.
impl FromStr for ParsedExpression {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse_expression(Source::new("expression", text)?, &ParseLimits::default()).into_result()
    }
}

/// A reference that stands alone, as far as it could be read.
///
/// ```
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::{ParseLimits, Splats, parse_traversal};
/// use hcl_syntax::source::Source;
///
/// let source = Source::new("input", "var.hosts[0]")?;
/// let reference = parse_traversal(source, Splats::Refused, &ParseLimits::default()).into_result()?;
/// assert_eq!(reference.root(), Some("var"));
/// assert_eq!(reference.to_text(), "var.hosts[0]");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Debug)]
pub struct ParsedTraversal {
    /// The tree that has the keys of indexes.
    tree: SharedTree,
    root: Option<Span>,
    /// The steps, as far as they could be read.
    steps: Vec<ReferenceStep>,
}

/// A step of a [`ParsedTraversal`].
#[derive(Copy, Clone, Debug)]
pub struct TraversalStep<'t> {
    /// From the dot to the end of the name, or from bracket to bracket.
    pub span: Span,
    /// The kind of step.
    pub kind: TraversalStepKind<'t>,
}

/// The kind of a step of a [`ParsedTraversal`].
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
    let watch = Watch::of(&source, limits);
    let task = Task {
        source: &source,
        piece: source.span(),
        newlines: Newlines::Significant,
        limits,
        watch: &watch,
    };
    let mut tree = Lists::for_file(source.text().len());
    let mut scratch = Scratch::default();
    let mut start = Span::default();
    let read = task.by_bytes(&mut tree, &mut scratch, |parser| {
        start = parser.input.first_token();
        parser.rest_of_file(start)
    });
    let (body, diagnostics) = read.unwrap_or_else(|item| {
        // Items before the one with the error stay.
        tree.discard_item(item.offset, item.n_extra);
        scratch.discard_item(item.offset);
        task.by_tokens(&mut tree, &mut scratch, item.offset, |parser| match item.offset {
            0 => parser.file_body(),
            _ => parser.rest_of_file(start),
        })
    });
    tree.shrink();
    (File { tree: tree.into_tree(source), body }, diagnostics)
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
    let (root, tree, diagnostics) = both(
        &source,
        Newlines::Ignored,
        limits,
        |parser| parser.whole_expression(),
        |parser| parser.whole_expression(),
    );
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
    let (root, tree, diagnostics) = both(
        &source,
        Newlines::Significant,
        limits,
        |parser| parser.bare_template(),
        |parser| parser.bare_template(),
    );
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
    let watch = Watch::of(&source, limits);
    let task =
        Task { source: &source, piece: source.span(), newlines: Newlines::Ignored, limits, watch: &watch };
    let mut tree = Lists::new(source.text().len());
    let mut steps = Vec::new();
    let (root, diagnostics) =
        task.by_tokens(&mut tree, &mut Scratch::default(), 0, |parser| parser.reference(splats, &mut steps));
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
    let task = Task { source, piece, newlines: Newlines::Significant, limits, watch };
    let n_nodes = tree.mark();
    let mut scratch = Scratch::default();
    let read = task.by_bytes(tree, &mut scratch, |parser| parser.bare_template());
    let (root, diagnostics) = read.unwrap_or_else(|_| {
        tree.discard_from(n_nodes);
        task.by_tokens(tree, &mut Scratch::default(), piece.start, |parser| parser.bare_template())
    });
    if diagnostics.is_empty() {
        return Ok(root);
    }
    tree.discard_from(n_nodes);
    Err(diagnostics)
}

/// Reads all of a source with a production, which is given for both inputs.
fn both(
    source: &Source,
    newlines: Newlines,
    limits: &ParseLimits,
    from_bytes: impl for<'p> FnOnce(&mut Parser<'p, Bytes<'p>>) -> ExprId,
    from_tokens: impl for<'p> FnOnce(&mut Parser<'p, Tokens<'p>>) -> ExprId,
) -> (ExprId, Lists, Diagnostics) {
    let watch = Watch::of(source, limits);
    let task = Task { source, piece: source.span(), newlines, limits, watch: &watch };
    let mut tree = Lists::new(source.text().len());
    let read = task.by_bytes(&mut tree, &mut Scratch::default(), from_bytes);
    let (root, diagnostics) = read.unwrap_or_else(|_| {
        tree.discard_from(0);
        task.by_tokens(&mut tree, &mut Scratch::default(), 0, from_tokens)
    });
    tree.shrink();
    (root, tree, diagnostics)
}

/// A text that is to be read: a piece of a source.
struct Task<'s> {
    source: &'s Source,
    /// The part of the source that is read.
    piece: Span,
    /// The mode at the beginning of the text.
    newlines: Newlines,
    limits: &'s ParseLimits,
    /// The end of the work, if it is to end.
    watch: &'s Watch,
}

impl Task<'_> {
    /// Reads the text from its bytes.
    ///
    /// # Errors
    /// Something would be a diagnostic. The item of the file's body that it is in is given, so that what was read
    /// before it need not be read again; of other texts nothing is kept.
    fn by_bytes<T>(
        &self,
        tree: &mut Lists,
        scratch: &mut Scratch,
        read: impl for<'p> FnOnce(&mut Parser<'p, Bytes<'p>>) -> T,
    ) -> Result<(T, Diagnostics), ItemStart> {
        let scanner = Scanner::new(self.source, self.piece, self.watch);
        if self.source.has_bad_bytes() {
            return Err(ItemStart::default());
        }
        let start = scanner.start_of(self.piece);
        let text = Text::new(scanner);
        let input = Bytes::new(&text, start, self.newlines);
        let mut parser = Parser::new(input, tree, scratch, self.source, self.watch, self.limits);
        let result = read(&mut parser);
        if text.is_given_up() { Err(parser.item) } else { Ok((result, parser.finish())) }
    }

    /// Reads the text from its tokens, which are found first, from an offset on.
    fn by_tokens<T>(
        &self,
        tree: &mut Lists,
        scratch: &mut Scratch,
        from: u32,
        read: impl for<'p> FnOnce(&mut Parser<'p, Tokens<'p>>) -> T,
    ) -> (T, Diagnostics) {
        let Self { source, limits, watch, .. } = *self;
        let scan = lexer::scan(source, Span::new(from, self.piece.end), self.grammar(), watch);
        let scanned = Scanned::new(source.text(), &scan.tokens, watch);
        let input = Tokens::new(&scanned, self.newlines);
        let mut parser = Parser::new(input, tree, scratch, source, watch, limits);
        if scan.has_problems {
            let problems = lexer::diagnostics_on(source, &scan.tokens, limits.max_diagnostics, watch);
            parser.report.begin_with(problems);
        }
        let (result, mut diagnostics) = (read(&mut parser), parser.finish());
        self.release(scan.tokens, &mut diagnostics);
        (result, diagnostics)
    }

    /// Gives the memory of tokens back, with looks; complains if one of them ends the work.
    fn release(&self, tokens: Vec<Token>, diagnostics: &mut Diagnostics) {
        if self.watch.stopped().is_none() {
            self.watch.release(tokens);
            let stopped = self.watch.stopped();
            diagnostics.extend(stopped.map(|stopped| stopped.diagnostic("Parsing", self.source.name())));
        }
    }

    /// The grammar of the piece: what is only a part of a source is a template.
    fn grammar(&self) -> Grammar {
        if self.piece == self.source.span() { self.source.grammar() } else { Grammar::Template }
    }
}
