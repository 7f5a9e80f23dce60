//! Properties of the parser for any input: no panic, spans within the text, operands before their users.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod corpus;

use hcl_syntax::ast::{Body, Expression, ExpressionKind, StepKind};
use hcl_syntax::diagnostic::{Diagnostics, Severity};
use hcl_syntax::parser::{
    ParseLimits, Splats, parse_expression, parse_file, parse_template, parse_traversal,
};
use hcl_syntax::source::{Grammar, Pos, Source, Span};

fn source(text: impl AsRef<[u8]>, grammar: Grammar) -> Source {
    Source::with_grammar("test.hcl", text.as_ref(), grammar, Pos::START).unwrap()
}

/// The operands of an expression, each checked to precede it.
fn operands<'t>(expression: Expression<'t>) -> Vec<Expression<'t>> {
    let operands: Vec<_> = match expression.kind() {
        ExpressionKind::Template(list) | ExpressionKind::Tuple(list) => list.iter().collect(),
        ExpressionKind::Call(call) => call.arguments().iter().collect(),
        ExpressionKind::Object(items) => items.iter().flat_map(|item| [item.key, item.value]).collect(),
        ExpressionKind::Interpolation(inner)
        | ExpressionKind::TemplateFor(inner)
        | ExpressionKind::Parentheses(inner)
        | ExpressionKind::Unary { operand: inner, .. } => vec![inner],
        ExpressionKind::Traversal(traversal) => {
            traversal.steps().iter().filter_map(|s| key(s.kind)).collect()
        }
        ExpressionKind::RelativeTraversal { source, steps } => {
            std::iter::once(source).chain(steps.iter().filter_map(|s| key(s.kind))).collect()
        }
        ExpressionKind::For(f) => {
            [Some(f.collection()), f.key(), Some(f.value()), f.condition()].into_iter().flatten().collect()
        }
        ExpressionKind::Index { collection, key, .. } => vec![collection, key],
        ExpressionKind::Splat(splat) => vec![splat.source, splat.each],
        ExpressionKind::Binary { left, right, .. } => vec![left, right],
        ExpressionKind::Conditional { condition, when_true, when_false } => {
            vec![condition, when_true, when_false]
        }
        _ => Vec::new(),
    };
    assert!(operands.iter().all(|operand| operand.id() < expression.id()), "{expression:?}");
    operands
}

fn key(step: StepKind<'_>) -> Option<Expression<'_>> {
    match step {
        StepKind::Index(key) => Some(key),
        _ => None,
    }
}

fn check_span(source: &Source, span: Span) {
    assert!(span.start <= span.end && span.end <= source.span().end, "{span:?}");
    let text = source.text();
    assert!(
        text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize),
        "{span:?}"
    );
}

fn check_expression(root: Expression<'_>) {
    let source = root.tree().source();
    let mut open = vec![root];
    while let Some(expression) = open.pop() {
        check_span(source, expression.span());
        check_span(source, expression.start_span());
        open.extend(operands(expression));
    }
}

fn check_body(source: &Source, body: Body<'_>) {
    check_span(source, body.span());
    for attribute in body.attributes() {
        check_span(source, attribute.span());
        check_expression(attribute.expression());
    }
    for block in body.blocks() {
        check_span(source, block.span());
        block.labels().for_each(|label| {
            check_span(source, label.span());
            assert!(label.text().len() <= source.text().len() + 8);
        });
        check_body(source, block.body());
    }
}

/// Reads a text in every way there is.
fn check_text(text: &[u8]) {
    let limits = ParseLimits { max_depth: 50, max_diagnostics: 20, ..ParseLimits::default() };
    let (file, diagnostics) = parse_file(source(text, Grammar::Config), &limits);
    check_body(file.source(), file.body());
    check_diagnostics(&diagnostics, &limits);
    let (expression, diagnostics) = parse_expression(source(text, Grammar::Config), &limits);
    check_expression(expression.expression());
    check_diagnostics(&diagnostics, &limits);
    let (template, diagnostics) = parse_template(source(text, Grammar::Template), &limits);
    check_expression(template.expression());
    check_diagnostics(&diagnostics, &limits);
    let (traversal, diagnostics) = parse_traversal(source(text, Grammar::Config), Splats::Allowed, &limits);
    assert!(traversal.root().is_some() || !diagnostics.is_empty());
    check_diagnostics(&diagnostics, &limits);
}

fn check_diagnostics(diagnostics: &Diagnostics, limits: &ParseLimits) {
    assert!(diagnostics.len() <= limits.max_diagnostics as usize + 1);
    for diagnostic in diagnostics {
        let detail = &diagnostic.detail;
        assert!(diagnostic.severity == Severity::Error && diagnostic.subject.is_some());
        assert!(detail.ends_with(['.', '?']) && !detail.contains("  "), "{detail}");
    }
}

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound.max(1)).unwrap()).unwrap()
    }
}

const FRAGMENTS: &[&str] = &[
    "a",
    "1",
    "\"",
    "${",
    "%{",
    "}",
    "{",
    "(",
    ")",
    "[",
    "]",
    ".",
    "*",
    "[*]",
    ".*",
    ".0.1",
    ",",
    "=",
    ":",
    "=>",
    "...",
    "?",
    "for ",
    " in ",
    "if ",
    "\n",
    "#\n",
    "/*",
    "<<E\n",
    "<<-E\n",
    "E\n",
    "~",
    "${~",
    "~}",
    "%{ if a }",
    "%{ else }",
    "%{ endif }",
    "%{ for x in y }",
    "%{ endfor }",
    "::",
    "-",
    "!",
    "&&",
    "true",
    "\\q",
    "\\u12",
    "$${",
    "\r\n",
    "é",
    "\u{1F600}",
    "[for x in y: ",
    "{for k, v in m: ",
    "f(",
    "a = 1\n",
    "b {\n",
    "b \"l\" {",
    "1.2.3",
    "a.b[c].d",
    "a[\"k\"]",
    "\u{FEFF}",
    "@",
    "'",
];

#[test]
fn mutated_documents_are_read() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for case in corpus::cases("documents.jsonl") {
        let mut text = corpus::source_of(&case);
        text.truncate(1500);
        for _ in 0..4 {
            let at = random.below(text.len() + 1);
            let end = (at + random.below(5)).min(text.len());
            let fragment = FRAGMENTS[random.below(FRAGMENTS.len())];
            text.splice(at..end, fragment.bytes());
            check_text(&text);
        }
    }
}

#[test]
fn random_fragments_are_read() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for _ in 0..4000 {
        let n = 1 + random.below(16);
        let text: String = (0..n).map(|_| FRAGMENTS[random.below(FRAGMENTS.len())]).collect();
        check_text(text.as_bytes());
    }
}

#[test]
fn expressions_fail_to_parse_only_where_those_of_the_reference_do() {
    for case in corpus::cases("variables.jsonl") {
        let text = case["expr"].as_str().unwrap();
        let (_, diagnostics) = parse_expression(source(text, Grammar::Config), &ParseLimits::default());
        assert_eq!(!diagnostics.is_empty(), case["errors"] == true, "{text}: {diagnostics:?}");
    }
}

#[test]
fn references_that_stand_alone_have_their_own_errors() {
    let summaries = |text: &str, splats| {
        let (_, diagnostics) =
            parse_traversal(source(text, Grammar::Config), splats, &ParseLimits::default());
        diagnostics.into_iter().map(|diagnostic| diagnostic.summary.into_owned()).collect::<Vec<_>>()
    };
    for good in ["a", "a.b", "a[0].b[\"c d\"]", "a.\nb\n[1.5]"] {
        assert!(summaries(good, Splats::Refused).is_empty(), "{good}");
    }
    assert!(summaries("a[*].b", Splats::Allowed).is_empty());
    for (bad, summary) in [
        ("", "Variable name required"),
        ("a.1", "Attribute name required"),
        ("a.*", "Attribute name required"),
        ("a[*]", "Attribute name required"),
        ("a[b]", "Index value required"),
        ("a[-1]", "Index value required"),
        ("a[0", "Unclosed index brackets"),
        ("a b", "Invalid character"),
        ("a[1.2.3].0", "Invalid number literal"),
    ] {
        assert_eq!(summaries(bad, Splats::Refused), [summary], "{bad}");
    }
    let (traversal, _) =
        parse_traversal(source("a.b[\"c\"]", Grammar::Config), Splats::Refused, &ParseLimits::default());
    assert_eq!((traversal.root(), traversal.steps().len()), (Some("a"), 2));
}
