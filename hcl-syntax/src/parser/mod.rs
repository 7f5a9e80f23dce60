//! The grammar: tokens to tree. Parsing never fails to return.
//!
//! Tokens become a flat sequence that a `Copy` cursor walks. The spine of the grammar (bodies, expressions,
//! templates) is made of plain methods that look at the next token and commit; flat sequences (names of
//! calls, introductions, references) are nom combinations over the cursor. Errors go to a list in the order
//! of detection, the cursor moves to where the grammar can go on, and placeholders fill the gaps of the tree.

#![expect(clippy::needless_pass_by_value, reason = "callers hand the source over: the tree keeps it")]

mod call;
mod collection;
mod combinator;
mod cursor;
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

use std::sync::Arc;
use std::time::Instant;

use crate::ast::{Body, BodyId, ExprId, Expression, NewStep, Tree};
use crate::diagnostic::Diagnostics;
use crate::format::ends_line;
use crate::lexer::{self, Detail, Scan};
use crate::limits::{CancelToken, Watch};
use crate::source::{Grammar, Source, Span};
use crate::token::{Token, TokenKind};

pub use standalone::Splats;

pub(crate) use literal::is_number;

use cursor::Newlines;
use scanned::Scanned;
use standalone::ReferenceStep;
use state::Parser;

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
    tree: Arc<Tree>,
    body: BodyId,
}

impl File {
    /// The body of the file.
    pub fn body(&self) -> Body<'_> {
        self.tree.body_at(self.body)
    }

    /// The tree, for those who keep it: programs do.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// The text the file was made from.
    pub fn source(&self) -> &Arc<Source> {
        self.tree.source()
    }
}

/// An expression with the tree it is in; of a parse, one that stands alone.
#[derive(Clone, Debug)]
pub struct ParsedExpression {
    tree: Arc<Tree>,
    root: ExprId,
}

impl ParsedExpression {
    pub(crate) fn new(tree: Arc<Tree>, root: ExprId) -> Self {
        Self { tree, root }
    }

    /// The expression.
    pub fn expression(&self) -> Expression<'_> {
        self.tree.expression(self.root)
    }

    /// The tree, for those who keep it: programs do.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }
}

/// A reference that stands alone, as far as it could be read.
#[derive(Debug)]
pub struct ParsedTraversal {
    tree: Arc<Tree>,
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
/// use std::sync::Arc;
/// use hcl_syntax::parser::{ParseLimits, parse_file};
/// use hcl_syntax::source::Source;
///
/// let text = "region = \"north\"\nservice \"web\" {\n  port = 80 81\n}\n";
/// let source = Arc::new(Source::new("main.hcl", text)?);
/// let (file, diagnostics) = parse_file(source, &ParseLimits::default());
/// let service = file.body().blocks().next().unwrap();
/// assert_eq!(service.labels().next().unwrap().text(), "web");
/// assert_eq!(service.body().attribute("port").unwrap().expression().source_text(), "80");
/// assert_eq!(diagnostics[0].summary, "Missing newline after argument");
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn parse_file(source: Arc<Source>, limits: &ParseLimits) -> (File, Diagnostics) {
    let (body, tree, diagnostics) =
        run(&source, Detail::PlainQuoted, limits, Newlines::Significant, |parser| parser.file_body());
    (File { tree, body }, diagnostics)
}

/// The same with all tokens of the source, comments included, for whoever has them.
pub(crate) fn parse_tokens(
    source: &Arc<Source>,
    tokens: &[Token],
    limits: &ParseLimits,
    watch: &Watch,
) -> (File, Diagnostics) {
    // Of comments the grammar wants those only that stand for a newline.
    let is_unseen = |token: &Token| token.kind == TokenKind::Comment && !ends_line(source, *token);
    let mut tokens: Vec<Token> = tokens.iter().copied().filter(|token| !is_unseen(token)).collect();
    let problems = lexer::diagnostics(source, &tokens, limits.max_diagnostics);
    let mut tree = Tree::new(Arc::clone(source), tokens.len());
    let scanned = Scanned::new(source.text(), &mut tokens, watch);
    let mut parser = Parser::new(&mut tree, source, &scanned, Newlines::Significant, limits);
    parser.report.begin_with(problems);
    let body = parser.file_body();
    let diagnostics = parser.finish();
    (File { tree: Arc::new(tree), body }, diagnostics)
}

/// Reads one expression that makes up the whole text. Newlines mean nothing outside of objects.
///
/// ```
/// use std::sync::Arc;
/// use hcl_syntax::ast::ExpressionKind;
/// use hcl_syntax::parser::{ParseLimits, parse_expression};
/// use hcl_syntax::source::Source;
///
/// let source = Arc::new(Source::new("input", "var.port + 1")?);
/// let (parsed, diagnostics) = parse_expression(source, &ParseLimits::default());
/// assert!(diagnostics.is_empty());
/// let ExpressionKind::Binary { operator, left, .. } = parsed.expression().kind() else { panic!() };
/// assert_eq!((operator.symbol(), left.source_text()), ("+", "var.port"));
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn parse_expression(source: Arc<Source>, limits: &ParseLimits) -> (ParsedExpression, Diagnostics) {
    let (root, tree, diagnostics) =
        run(&source, Detail::PlainQuoted, limits, Newlines::Ignored, |parser| parser.whole_expression());
    (ParsedExpression { tree, root }, diagnostics)
}

/// Reads a bare template that makes up the whole text; make the source with [`Grammar::Template`].
///
/// ```
/// use std::sync::Arc;
/// use hcl_syntax::ast::ExpressionKind;
/// use hcl_syntax::parser::{ParseLimits, parse_template};
/// use hcl_syntax::source::{Grammar, Pos, Source};
///
/// let text = "Hello, ${name}!\n";
/// let source = Arc::new(Source::with_grammar("hello.tpl", text, Grammar::Template, Pos::START)?);
/// let (parsed, diagnostics) = parse_template(source, &ParseLimits::default());
/// assert!(diagnostics.is_empty());
/// let ExpressionKind::Template(parts) = parsed.expression().kind() else { panic!() };
/// assert_eq!(parts.len(), 3);
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn parse_template(source: Arc<Source>, limits: &ParseLimits) -> (ParsedExpression, Diagnostics) {
    let (root, tree, diagnostics) =
        run(&source, Detail::PlainQuoted, limits, Newlines::Significant, |parser| parser.bare_template());
    (ParsedExpression { tree, root }, diagnostics)
}

/// Reads a reference that makes up the whole text: a variable, and attributes and indexes by literals.
/// Stops at the first error.
///
/// ```
/// use std::sync::Arc;
/// use hcl_syntax::parser::{ParseLimits, Splats, parse_traversal};
/// use hcl_syntax::source::Source;
///
/// let source = Arc::new(Source::new("input", "module.web[\"a\"].port")?);
/// let (traversal, diagnostics) = parse_traversal(source, Splats::Refused, &ParseLimits::default());
/// assert!(diagnostics.is_empty());
/// assert_eq!((traversal.root(), traversal.steps().len()), (Some("module"), 3));
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn parse_traversal(
    source: Arc<Source>,
    splats: Splats,
    limits: &ParseLimits,
) -> (ParsedTraversal, Diagnostics) {
    let mut steps = Vec::new();
    let read = |parser: &mut Parser<'_>| parser.reference(splats, &mut steps);
    let (root, tree, diagnostics) = run(&source, Detail::Grammar, limits, Newlines::Ignored, read);
    (ParsedTraversal { tree, root, steps }, diagnostics)
}

/// Reads the bare template at `piece` of the tree's source, and adds it to the tree unless it has errors.
pub(crate) fn parse_template_into(
    mut tree: Tree,
    piece: Span,
    limits: &ParseLimits,
    watch: &Watch,
) -> (Tree, Result<ExprId, Diagnostics>) {
    let source = Arc::clone(tree.source());
    let mut scan = lexer::scan_piece(&source, piece, Grammar::Template, watch);
    let problems = problems_of(&source, &scan, limits);
    let scanned = Scanned::new(source.text(), &mut scan.tokens, watch);
    let n_nodes = tree.mark();
    let mut parser = Parser::new(&mut tree, &source, &scanned, Newlines::Significant, limits);
    parser.report.begin_with(problems);
    let root = parser.bare_template();
    let diagnostics = parser.finish();
    if diagnostics.is_empty() {
        return (tree, Ok(root));
    }
    tree.discard_from(n_nodes);
    (tree, Err(diagnostics))
}

/// Scans `source` in this detail, and reads its tokens with `read`.
///
/// Texts without errors may be read by fewer tokens, and by those that are in a window. What is said of errors is about all
/// of them, so then it is done again.
fn run<T>(
    source: &Arc<Source>,
    mut detail: Detail,
    limits: &ParseLimits,
    newlines: Newlines,
    mut read: impl FnMut(&mut Parser<'_>) -> T,
) -> (T, Arc<Tree>, Diagnostics) {
    let watch = Watch::new(limits);
    if detail == Detail::PlainQuoted && scanned::is_long(source) {
        match run_through_window(source, &mut scanned::window(), (limits, &watch), newlines, &mut read) {
            Some(result) => return result,
            None => detail = Detail::Grammar,
        }
    }
    let mut tokens = Vec::new();
    loop {
        let mut scan = lexer::scan(source, detail, &watch, tokens);
        let n_tokens = scan.tokens.len();
        let mut tree = Tree::new(Arc::clone(source), n_tokens);
        let problems = problems_of(source, &scan, limits);
        let scanned = Scanned::new(source.text(), &mut scan.tokens, &watch);
        let mut parser = Parser::new(&mut tree, source, &scanned, newlines, limits);
        parser.report.begin_with(problems);
        let result = read(&mut parser);
        if detail == Detail::PlainQuoted && parser.has_errors() && watch.stopped().is_none() {
            detail = Detail::Grammar;
            tokens = scan.tokens;
            continue;
        }
        let diagnostics = parser.finish();
        tree.shrink(n_tokens);
        return (result, Arc::new(tree), diagnostics);
    }
}

/// The same for a long text, whose tokens are scanned while they are read; nothing if they are wanted all at once.
#[inline(never)]
fn run_through_window<T>(
    source: &Arc<Source>,
    window: &mut [Token],
    (limits, watch): (&ParseLimits, &Watch),
    newlines: Newlines,
    read: &mut dyn FnMut(&mut Parser<'_>) -> T,
) -> Option<(T, Arc<Tree>, Diagnostics)> {
    let lexer = Scanned::lexer(source, watch);
    let scanned = Scanned::through(window, &lexer, source, watch);
    let n_tokens = scanned.n_expected();
    let mut tree = Tree::new(Arc::clone(source), n_tokens);
    let mut parser = Parser::new(&mut tree, source, &scanned, newlines, limits);
    let result = read(&mut parser);
    if (parser.has_errors() || scanned.is_lost()) && watch.stopped().is_none() {
        return None;
    }
    let diagnostics = parser.finish();
    tree.shrink(n_tokens);
    Some((result, Arc::new(tree), diagnostics))
}

/// What the scanner has to say about its tokens, and how much it leaves out.
fn problems_of(source: &Arc<Source>, scan: &Scan, limits: &ParseLimits) -> (Diagnostics, u32) {
    match scan.has_problems {
        true => lexer::diagnostics(source, &scan.tokens, limits.max_diagnostics),
        false => Default::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a text is read as by tokens of this detail; nothing if it has errors.
    fn tree_of(text: &str, detail: Detail) -> Option<String> {
        let source = Arc::new(Source::new("input", text).expect("a short text"));
        let watch = Watch::idle();
        let mut scan = lexer::scan(&source, detail, &watch, Vec::new());
        let mut tree = Tree::new(Arc::clone(&source), scan.tokens.len());
        let scanned = Scanned::new(source.text(), &mut scan.tokens, &watch);
        let limits = ParseLimits::default();
        let mut parser = Parser::new(&mut tree, &source, &scanned, Newlines::Significant, &limits);
        parser.file_body();
        let has_errors = parser.has_errors();
        (!has_errors).then(|| format!("{tree:?}"))
    }

    #[test]
    fn plain_quoted_templates_may_be_one_token() {
        let texts = [
            "a = \"\"\nb = \"plain\"\nc = \"tab\\t\"\nd = \"$${x}\"\n",
            "type \"one\" two \"\" \"th\\ree\" {\n  a = \"b\"\n}\n",
            "a = { \"k\" = 1, \"k${1}\" = \"v\", \"w\" : \"x\" }\nb = x[\"k\"].y[\"k\" ][\"a${b}\"]\n",
            "a = \"${\"b\" == \"c\" ? \"${\"d\"}\" : \"\"} e\"\nb = f(\"g\", \"h\"...)\n",
            "a = <<END\n%{ if \"x\" != \"\" }${\"y\"}%{ endif }\nEND\nb = \"z\"[0]\nc = -\"1\"\nd = [\"a\", \"b\"][*]\n",
        ];
        for text in texts {
            let whole = tree_of(text, Detail::PlainQuoted);
            assert!(whole.is_some(), "{text} has no errors");
            assert_eq!(whole, tree_of(text, Detail::Grammar), "{text}");
        }
        let broken = [
            "\"a\" = 1\n",
            "a = \"b\" \"c\"\n",
            "t \"l\" \"m\" = 1\n",
            "a = {\"b\" \"c\"}\n",
            "a.\"b\" = 1\n",
        ];
        for text in broken {
            assert_eq!(tree_of(text, Detail::PlainQuoted), None, "{text}");
            assert_eq!(tree_of(text, Detail::Grammar), None, "{text}");
        }
    }

    /// A file that is read through a window of so many tokens.
    fn through_window(source: &Arc<Source>, len: usize) -> Option<String> {
        let mut window = scanned::window();
        let (limits, watch) = (ParseLimits::default(), Watch::idle());
        let mut read = |parser: &mut Parser<'_>| parser.file_body();
        let result = run_through_window(
            source,
            &mut window[..len],
            (&limits, &watch),
            Newlines::Significant,
            &mut read,
        );
        result.map(|(_, tree, diagnostics)| {
            assert_eq!(diagnostics, [], "{}", source.text());
            format!("{tree:?}")
        })
    }

    #[test]
    fn a_window_shows_the_same() {
        let texts = [
            "\u{feff}a = 1\nb = 2 # two\n# three\nc = 3",
            "\n\n# one\nb \"l\" {\n  a = [\n    1,\nx\n  ]\n}\nc = {\nd = 1\n}\n# last",
            "a = <<END\nx ${ f(\n1,\n2) } y\nEND\nb = \"${ [\n1\n] }\"\nc = f(\n1\n)\nd = {}\n",
            "/* one\ntwo */ a = 1\nb {\n}\n/* three\n*/\n// four\r\nc = 1\r\n",
            "a = b.c.d[0][\"e\"].f[*].g.*.h\nc = a + b * -c - d ? [for x in y : x if z] : {for x, y in z : x => y...}\n",
            "a = \"%{ for x in y ~}\n${x}%{ if x }a%{ else }b%{ endif }%{ endfor }\"\nb = (c::d(1, 2...))\n",
            "a = 1\nb = 2\na = 3\n",
            "a = [\n\nb = 1\nc = 2\n",
            "a = 1\n}\nb = {\n",
            "a = 1 ] [\nb = 1\n",
            "a = \"\nb = 1\n",
            "a = ;\n",
        ];
        for text in texts {
            let source = Arc::new(Source::new("input", text).expect("a short text"));
            let whole = tree_of(text, Detail::Grammar);
            for len in 1..40 {
                let shown = through_window(&source, len);
                assert!(shown.is_none() || shown == whole, "{len} tokens of {text:?}: {shown:?}");
                assert!(shown.is_some() || len < 32 || whole.is_none(), "{len} tokens of {text:?}");
            }
        }
    }

    #[test]
    fn what_no_window_holds_is_read_as_a_whole() {
        let newlines = "\n".repeat(200_000);
        let names = ".a".repeat(100_000);
        let numbers: String = (0..40_000).map(|i| format!("k{i} = {i}\n")).collect();
        for text in [format!("a = [1,{newlines}2]\n"), format!("a = b{names}\n"), numbers.clone()] {
            let source = Arc::new(Source::new("input", &*text).expect("a text of this size"));
            assert!(scanned::is_long(&source));
            let (file, diagnostics) = parse_file(source, &ParseLimits::default());
            assert_eq!(diagnostics, []);
            assert!(!file.source().has_lines(), "nothing is said of where the window ended");
            assert_eq!(Some(format!("{:?}", file.tree())), tree_of(&text, Detail::Grammar));
        }
        for again in ["k7 = 1\n", "k39999 = 2\n", "k20000 = 3\n"] {
            let source = Source::new("input", format!("{numbers}{again}")).expect("a text of this size");
            let (_, diagnostics) = parse_file(Arc::new(source), &ParseLimits::default());
            assert_eq!(diagnostics.len(), 1, "{again}");
        }
    }

    /// A file of which all that a window held at first is read when the work is stopped.
    fn stopped_early(text: String) -> (File, Vec<String>) {
        let source = Arc::new(Source::new("input", text).expect("a text of this size"));
        assert!(scanned::is_long(&source));
        let cancel = CancelToken::new();
        let limits = ParseLimits { cancel: Some(cancel.clone()), ..ParseLimits::default() };
        let watch = Watch::new(&limits);
        let mut read = |parser: &mut Parser<'_>| {
            cancel.trigger();
            parser.file_body()
        };
        let (body, tree, diagnostics) = run_through_window(
            &source,
            &mut scanned::window(),
            (&limits, &watch),
            Newlines::Significant,
            &mut read,
        )
        .expect("a stopped parse is not repeated");
        (File { tree, body }, diagnostics.iter().map(|diagnostic| diagnostic.code.to_owned()).collect())
    }

    #[test]
    fn what_is_scanned_already_is_not_read_to_its_end_when_stopped() {
        for text in [
            format!("a = \"{}\"\n", "$".repeat(100_000)),
            format!("a = <<END\n{}END\n", "line\n".repeat(50_000)),
            format!("a = <<-END\n{}  END\n", "  line\n".repeat(50_000)),
        ] {
            let (file, codes) = stopped_early(text);
            assert_eq!(codes, ["limit.cancelled"]);
            assert!(file.body().attribute("a").is_some(), "its beginning was read");
        }
    }

    #[test]
    fn a_stopped_file_has_each_name_once() {
        let text = (0..9_000).map(|i| format!("k{} = {i}\n", i % 100)).collect();
        let (file, codes) = stopped_early(text);
        assert_eq!(codes, ["limit.cancelled"]);
        assert_eq!(file.body().attributes().count(), 100);
    }
}
