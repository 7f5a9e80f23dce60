//! Watching an evaluation: what goes on is told to an [`Observer`], which is compiled away where nobody watches.

use hcl_syntax::ast::{Expression, ExpressionKind};
use hcl_syntax::diagnostic::Diagnostic;

use super::evaluator::Evaluator;
use super::flow::Flow;
use super::locals::Locals;
use crate::value::{Marks, Value};

/// Is told what an evaluation does, expressions from the outside in.
pub(crate) trait Observer {
    /// Whether anything is told at all.
    const WATCHES: bool;

    /// How many things are open.
    fn depth(&self) -> usize {
        0
    }

    /// An expression is looked at. `is_local` tells that it is a name which the expression itself binds.
    fn open(&mut self, _expression: Expression<'_>, _is_local: bool) {}

    /// What was opened last has this value. The diagnostics are those that have been added meanwhile.
    fn close(&mut self, _value: &Value, _diagnostics: &[Diagnostic]) {}

    /// Everything opened beyond `depth` has been given up.
    fn abandon(&mut self, _depth: usize) {}

    /// An element is looked at, which belongs to something with these marks.
    fn open_element(&mut self, _key: Option<&Value>, _element: &Value, _marks: &Marks) {}

    /// The element is done; whether without problems.
    fn close_element(&mut self, _is_good: bool) {}

    /// Until the matching [`Observer::show`], what is evaluated is a trial and no part of the result.
    fn hide(&mut self) {}

    /// See [`Observer::hide`].
    fn show(&mut self) {}
}

/// Nobody watches.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Silent;

impl Observer for Silent {
    const WATCHES: bool = false;
}

impl<'a, O: Observer> Evaluator<'a, O> {
    /// The value of an expression. Problems go to the list of diagnostics; what cannot be known then is
    /// unknown, so that nothing else complains about the same thing.
    #[inline(always)]
    pub(super) fn eval<'e>(&mut self, expression: Expression<'e>, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        if O::WATCHES { self.watched(expression, locals) } else { self.value_of(expression, locals) }
    }

    #[cold]
    fn watched<'e>(&mut self, expression: Expression<'e>, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        let mut inner = expression;
        while let ExpressionKind::Parentheses(part) | ExpressionKind::Interpolation(part) = inner.kind() {
            inner = part;
        }
        let is_local = match inner.kind() {
            ExpressionKind::Traversal(traversal) => {
                self.deep_names.lookup(locals, traversal.root()).is_some()
            }
            _ => false,
        };
        let before = self.diagnostics.len();
        let depth = self.observer.depth();
        self.observer.open(expression, is_local);
        let value = self.value_of(expression, locals);
        self.observer.abandon(depth + 1);
        self.close(&value, before);
        value
    }

    /// Tells that a part of a chain is looked at, which is evaluated without a call of its own.
    #[inline]
    pub(super) fn open(&mut self, expression: Expression<'_>) {
        if O::WATCHES {
            self.observer.open(expression, false);
        }
    }

    /// Tells the value of what was opened last, before which there were `before` diagnostics.
    #[inline]
    pub(super) fn close(&mut self, value: &Value, before: usize) {
        if O::WATCHES {
            self.observer.close(value, self.diagnostics.get(before..).unwrap_or_default());
        }
    }
}
