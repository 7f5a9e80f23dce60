//! References in expressions, renamed.

use super::work::Work;
use super::{Document, Replacement, error};
use crate::ast::{Expression, ExpressionKind, StepKind, Steps, Traversal, variable_expressions_while};
use crate::diagnostic::{Error, has_errors};
use crate::limits::{Stopped, Watch};
use crate::parser::{ParseLimits, Splats, TraversalStepKind, parse_traversal};
use crate::source::{Source, Span};

impl Document {
    /// Renames references: those that begin with the names `from` begin with `to` from now on, in every expression,
    /// templates included. Returns how many there were. Names that a `for` binds are others, and stay. `["name"]` counts
    /// as `.name`.
    ///
    /// ```
    /// use hcl_syntax::edit::Document;
    ///
    /// let mut document = Document::parse("main.hcl", "a = var.old.id # var.old\nb = \"${var.old}-${var.older}\"\n").unwrap();
    /// assert_eq!(document.rename_references("var.old", "var.new").unwrap(), 2);
    /// assert_eq!(document.text(), "a = var.new.id # var.old\nb = \"${var.new}-${var.older}\"\n");
    /// ```
    ///
    /// # Errors
    /// One of the two is no reference by names. The document is as before.
    pub fn rename_references(&mut self, from: &str, to: &str) -> Result<usize, Error> {
        let watch = Watch::new(&self.limits);
        let (edited, n_renamed) = {
            let work = self.work(&self.limits, &watch)?;
            let (from, to) = (names(from, &self.limits)?, names(to, &self.limits)?);
            let to = to.join(".");
            let spans = work.uses(&from)?;
            if spans.is_empty() {
                return Ok(0);
            }
            let mut edits = work.edits();
            for &span in &spans {
                edits.push(&Replacement { span, text: to.clone().into_bytes() })?;
            }
            (work.applied(edits)?, spans.len())
        };
        self.take(edited);
        Ok(n_renamed)
    }
}

impl Work<'_, '_> {
    /// Where references begin with these names.
    fn uses(&self, names: &[String]) -> Result<Vec<Span>, Error> {
        let mut spans = Vec::new();
        let mut bodies = vec![self.file().body()];
        while let Some(body) = bodies.pop() {
            self.go_on()?;
            for block in body.blocks() {
                self.go_on()?;
                bodies.push(block.body());
            }
            for attribute in body.attributes() {
                self.go_on()?;
                let uses =
                    variable_expressions_while(attribute.expression(), |_| self.watch.count(1).is_ok());
                spans.extend(uses.filter_map(|used| match used.kind() {
                    ExpressionKind::Traversal(traversal) => named(traversal, names),
                    _ => None,
                }));
            }
        }
        self.go_on()?;
        Ok(spans)
    }
}

/// More names than this are no reference that is renamed.
const MAX_STEPS: usize = 1000;

/// The names of a reference that has nothing else.
fn names(text: &str, limits: &ParseLimits) -> Result<Vec<String>, Error> {
    let refused = || error::no_reference(text).into();
    let source = Source::new("reference", text).map_err(|_| refused())?;
    let (parsed, diagnostics) = parse_traversal(source, Splats::Refused, limits);
    if let Some(stopped) = diagnostics.iter().find(|problem| Stopped::is_code(&problem.code)) {
        return Err(stopped.clone().into());
    }
    let root = parsed.root().filter(|_| !has_errors(&diagnostics)).ok_or_else(refused)?;
    if parsed.steps().nth(MAX_STEPS).is_some() {
        return Err(refused());
    }
    let steps = parsed.steps().map(|step| match step.kind {
        TraversalStepKind::Attribute(name) => Ok(name.to_owned()),
        _ => Err(refused()),
    });
    [Ok(root.to_owned())].into_iter().chain(steps).collect()
}

/// Where a reference has these names, if it begins with them.
fn named(traversal: Traversal<'_>, names: &[String]) -> Option<Span> {
    let [root, rest @ ..] = names else { return None };
    if traversal.root() != root {
        return None;
    }
    let mut span = traversal.root_span();
    let mut steps = step_names(traversal.steps());
    for name in rest {
        let (step, place) = steps.next()?;
        if step? != name {
            return None;
        }
        span = span.to(place);
    }
    Some(span)
}

/// The names of steps, where they are names, and their places.
fn step_names(steps: Steps<'_>) -> impl Iterator<Item = (Option<&str>, Span)> {
    steps.iter().map(|step| {
        let name = match step.kind {
            StepKind::Attribute(name) => Some(name),
            StepKind::Index(key) => text_of(key),
            StepKind::LegacyIndex(_) | StepKind::InvalidLegacyIndex => None,
        };
        (name, step.span)
    })
}

fn text_of(key: Expression<'_>) -> Option<&str> {
    match key.kind() {
        ExpressionKind::Text(text) => Some(text),
        _ => None,
    }
}
