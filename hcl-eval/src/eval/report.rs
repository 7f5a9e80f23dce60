//! Reports: where problems go, and what is shown of them.

use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, NamedValue};
use hcl_syntax::source::Span;

use super::error::Problem;
use super::evaluator::{Env, Evaluator};
use crate::limits::{LimitReached, PARTS_OF_DIAGNOSTIC};
use crate::value::Marks;

/// The detail of a problem with an element of a collection that must not be shown.
const HIDDEN_DETAIL: &str = "This happens with an element of a collection that is sensitive or ephemeral, so what was \
                             found is not shown. Use nonsensitive() around the collection where it may be seen.";

/// The words for a name's value then: it may be, or come from, the element.
const NOT_SHOWN: &str = "is not shown";

/// Where a problem is.
#[derive(Copy, Clone)]
pub(super) struct Place {
    subject: Span,
    context: Option<Span>,
}

/// Where the diagnostics of a host are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Told {
    /// One at least is in the source that is evaluated.
    Here,
    /// All are in other sources.
    Elsewhere,
}

impl Place {
    pub(super) fn at(subject: Span) -> Self {
        Self { subject, context: None }
    }

    pub(super) fn within(subject: Span, context: Span) -> Self {
        Self { subject, context: Some(context) }
    }
}

impl Evaluator<'_> {
    /// Reports a problem at `subject`. The values of the variables in `about` are mentioned with it.
    pub(super) fn report(&mut self, problem: Problem, place: Place, about: Expression<'_>, env: Env<'_>) {
        if self.stopped() {
            return;
        }
        if self.meter.find_lines(about.tree().source()).is_err() {
            self.stopped_by(about);
            return;
        }
        let values = if self.quiet > 0 { Vec::new() } else { self.values_in(about, env) };
        self.push(about, problem, place.subject, place.context, values);
        self.count_diagnostics(place);
    }

    /// Ends the evaluation if there are as many diagnostics as there may be, the last of them at a place.
    pub(super) fn count_diagnostics(&mut self, place: Place) {
        let limit = self.meter.limits().max_diagnostics;
        if self.diagnostics.len() >= limit as usize {
            self.meter.stop(LimitReached::Diagnostics(limit));
            self.stopped_at.get_or_insert(place.subject);
        }
        if self.meter.go_on(PARTS_OF_DIAGNOSTIC).is_err() {
            self.stopped_at.get_or_insert(place.subject);
        }
    }

    /// Reports diagnostics of the host. Those without a place get `place`, in the source of `about`.
    pub(super) fn report_diagnosed(
        &mut self,
        said: Diagnostics,
        place: Place,
        about: Expression<'_>,
    ) -> Told {
        let source = about.tree().source();
        let mut told = Told::Elsewhere;
        for mut one in said {
            if self.stopped() || self.meter.find_lines(source).is_err() {
                return Told::Here;
            }
            one.is_of_host = true;
            if one.subject.is_none() {
                one = one.at(source, place.subject);
                one.context = place.context.map(|context| source.range(context));
            }
            if one.source.as_ref() == Some(source.shown()) {
                told = Told::Here;
            }
            self.diagnostics.push(one);
            self.count_diagnostics(place);
        }
        told
    }

    /// Takes values out of the diagnostics from a number on, if these marks say that they must not be shown.
    pub(super) fn redact_since(&mut self, first: usize, marks: &Marks) {
        if marks.is_empty() || self.diagnostics.len() == first || !marks.hide() {
            return;
        }
        for diagnostic in self.diagnostics.iter_mut().skip(first) {
            if diagnostic.is_of_host || !diagnostic.code.starts_with("limit.") {
                HIDDEN_DETAIL.clone_into(&mut diagnostic.detail);
                diagnostic.extra.clear();
                for value in &mut diagnostic.values {
                    NOT_SHOWN.clone_into(&mut value.description);
                }
            }
        }
    }

    pub(super) fn push(
        &mut self,
        within: Expression<'_>,
        problem: Problem,
        subject: Span,
        context: Option<Span>,
        values: Vec<NamedValue>,
    ) {
        let source = within.tree().source();
        let Problem { code, summary, detail } = problem;
        let mut diagnostic = self.meter.placed(Diagnostic::error(code, summary, detail), source, subject);
        if diagnostic.subject.is_some() {
            diagnostic.context = context.map(|context| source.range(context));
        }
        diagnostic.values = values;
        self.diagnostics.push(diagnostic);
    }
}
