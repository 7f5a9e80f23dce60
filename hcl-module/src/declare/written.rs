//! References that are read as they are written, and have no value: addresses of things, attributes, configurations of
//! providers.

use std::iter;

use hcl_syntax::ast::{ExpressionKind, Step, StepKind, Steps};
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::has_errors;
use hcl_syntax::json::Strings;
use hcl_syntax::parser::{ParsedTraversal, Splats, TraversalStepKind, parse_expression, parse_traversal};
use hcl_syntax::source::{Grammar, Pos, Source, Span};

use super::Reader;
use crate::place::Place;
use crate::resource_values::{Key, key_of};

/// A reference: its root word, then its steps, with their places.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) parts: Vec<Part>,
    spans: Vec<Span>,
    source: Source,
}

/// A part of a reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The root word, or `.name`.
    Name(String),
    /// `[key]`; none if it is the key of no instance.
    Key(Option<Key>),
}

impl Written {
    fn new(source: &Source, parts: impl Iterator<Item = (Part, Span)>) -> Self {
        let (parts, spans) = parts.unzip();
        Self { parts, spans, source: source.clone() }
    }

    /// The reference that an expression is, without quotes around it.
    pub(super) fn of(expression: &ConfigExpression) -> Option<Self> {
        let syntax = expression.static_traversal()?;
        let traversal = syntax.expression().as_static_traversal()?;
        let root = (Part::Name(traversal.root.to_owned()), traversal.root_span);
        let steps = traversal.steps.iter().map(part_of);
        Some(Self::new(syntax.tree().source(), iter::once(root).chain(steps)))
    }

    /// As [`Written::of`]; indexes whose keys are evaluated later are left out.
    pub(super) fn without_later_keys(expression: &ConfigExpression) -> Option<Self> {
        if let Some(written) = Self::of(expression) {
            return Some(written);
        }
        let syntax = expression.syntax();
        let mut parts = Vec::new();
        let mut at = syntax.expression();
        // From the end on, until the root is reached.
        loop {
            match at.kind() {
                ExpressionKind::Index { collection, .. } => at = collection,
                ExpressionKind::RelativeTraversal { source, steps } => {
                    push_reversed(&mut parts, steps);
                    at = source;
                }
                ExpressionKind::Traversal(traversal) => {
                    push_reversed(&mut parts, traversal.steps());
                    parts.push((Part::Name(traversal.root().to_owned()), traversal.root_span()));
                    return Some(Self::new(syntax.tree().source(), parts.into_iter().rev()));
                }
                _ => return None,
            }
        }
    }

    /// The reference that was in quotes, as far as it could be read.
    pub(crate) fn in_quotes(source: &Source, parsed: &ParsedTraversal) -> Option<Self> {
        let root = (Part::Name(parsed.root()?.to_owned()), parsed.root_span()?);
        let steps = parsed.steps().map(|step| {
            let part = match step.kind {
                TraversalStepKind::Attribute(name) => Part::Name(name.to_owned()),
                TraversalStepKind::Index(key) => Part::Key(key_of(key)),
                TraversalStepKind::Splat => Part::Key(None),
            };
            (part, step.span)
        });
        Some(Self::new(source, iter::once(root).chain(steps)))
    }

    /// The place of one part.
    pub(super) fn place(&self, at: usize) -> Option<Place> {
        Some(Place::new(&self.source, *self.spans.get(at)?))
    }

    /// From one part to the end.
    pub(super) fn place_from(&self, at: usize) -> Option<Place> {
        Some(Place::new(&self.source, self.spans.get(at)?.to(*self.spans.last()?)))
    }
}

/// The parts of a reference that are left.
pub(crate) struct Parts<'p> {
    pub(super) written: &'p Written,
    /// How many have been taken.
    pub(super) at: usize,
}

impl<'p> Parts<'p> {
    pub(crate) fn of(written: &'p Written) -> Self {
        Self { written, at: 0 }
    }

    pub(crate) fn peek(&self) -> Option<&'p Part> {
        self.written.parts.get(self.at)
    }

    /// Takes a name if one is next.
    pub(crate) fn name(&mut self) -> Option<&'p str> {
        let Part::Name(name) = self.peek()? else { return None };
        self.at += 1;
        Some(name)
    }

    /// Takes a word if it is next.
    pub(crate) fn next_is(&mut self, word: &str) -> bool {
        let is_word = matches!(self.peek(), Some(Part::Name(name)) if name == word);
        self.at += usize::from(is_word);
        is_word
    }

    /// Takes a key if one is next.
    pub(crate) fn key(&mut self) -> Option<Key> {
        let Part::Key(key) = self.peek()? else { return None };
        self.at += 1;
        key.clone()
    }

    pub(crate) fn is_key(&self) -> bool {
        matches!(self.peek(), Some(Part::Key(_)))
    }

    pub(crate) fn is_done(&self) -> bool {
        self.peek().is_none()
    }
}

impl Reader<'_, '_> {
    /// The reference that an expression is. In quotes it is one as well, with a warning, and its text may be wrong,
    /// which is told.
    pub(super) fn written(&mut self, expression: &ConfigExpression) -> Option<Written> {
        let syntax = expression.syntax();
        let text = match syntax.expression().kind() {
            ExpressionKind::Text(text) if !expression.is_json() => text,
            _ => return Written::of(expression),
        };
        let detail = "A reference is written without quotes.".to_owned();
        let title = "Quoted references are deprecated";
        self.diagnostics.push(Place::of(expression).warning("module.quoted_reference", title, detail));
        self.in_quotes(expression, text)
    }

    /// The reference that a text in quotes holds, as far as it could be read. What is wrong with it is told.
    fn in_quotes(&mut self, expression: &ConfigExpression, text: &str) -> Option<Written> {
        let source = quoted(expression, text)?;
        let limits = self.evaluation.limits().of_reading();
        let (parsed, problems) = parse_traversal(source.clone(), Splats::Refused, &limits);
        self.diagnostics.extend(problems);
        Written::in_quotes(&source, &parsed)
    }

    /// The word that a text in quotes holds.
    pub(super) fn quoted_word(&mut self, expression: &ConfigExpression, text: &str) -> Option<String> {
        match self.in_quotes(expression, text)?.parts.as_slice() {
            [Part::Name(word)] => Some(word.clone()),
            _ => None,
        }
    }

    /// The expression that stands in a string of JSON syntax without the marks of a template, as some arguments have it;
    /// in native syntax the expression itself. Nothing if it is none, which is told.
    pub(super) fn bare(&mut self, expression: &ConfigExpression) -> Option<ConfigExpression> {
        if !expression.is_json() {
            return Some(expression.clone());
        }
        let syntax = expression.syntax_with(Strings::Literal);
        let ExpressionKind::Text(text) = syntax.expression().kind() else {
            let detail = "A string that holds an expression is wanted here.".to_owned();
            let title = "Invalid reference expression";
            self.diagnostics.push(Place::of(expression).error("module.reference.form", title, detail));
            return None;
        };
        let origin = expression.range().start;
        let source = Source::with_grammar(expression.source().name(), text, Grammar::Config, origin).ok()?;
        let (parsed, problems) = parse_expression(source, &self.evaluation.limits().of_reading());
        let is_wrong = has_errors(&problems);
        self.diagnostics.extend(problems);
        (!is_wrong).then(|| ConfigExpression::native(parsed.tree().clone(), parsed.expression().id()))
    }
}

/// The text of a quoted reference as a source that begins behind the quote, so that places in it are those of the file.
pub(crate) fn quoted(expression: &ConfigExpression, text: &str) -> Option<Source> {
    let quote = expression.source().range(expression.span()).start;
    let origin = Pos { column: quote.column + 1, byte: quote.byte + 1, ..quote };
    Source::with_grammar(expression.source().name(), text, Grammar::Config, origin).ok()
}

fn push_reversed(parts: &mut Vec<(Part, Span)>, steps: Steps<'_>) {
    let from = parts.len();
    parts.extend(steps.iter().map(part_of));
    parts[from..].reverse();
}

fn part_of(step: Step<'_>) -> (Part, Span) {
    let part = match step.kind {
        StepKind::Attribute(name) => Part::Name(name.to_owned()),
        StepKind::Index(key) => Part::Key(key_of(key)),
        StepKind::LegacyIndex(digits) => Part::Key(digits.parse().ok().map(Key::Position)),
        StepKind::InvalidLegacyIndex => Part::Key(None),
    };
    (part, step.span)
}
