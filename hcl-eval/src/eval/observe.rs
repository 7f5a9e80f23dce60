//! Watching an evaluation: what goes on is told to an [`Observer`], if there is one.
//!
//! The evaluator asks once for each operation whether there is an observer; no code is made otherwise for that.

use hcl_syntax::ast::{Expression, ExpressionKind};
use hcl_syntax::diagnostic::Diagnostic;

use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use crate::limits::Meter;
use crate::program::{Node, OpId};
use crate::value::{Marks, Value};

/// Is told what an evaluation does, expressions from the outside in.
pub(crate) trait Observer {
    /// How many things are open.
    fn depth(&self) -> usize;

    /// An expression is looked at. `is_local` tells that it is a name which the expression itself binds. The meter is asked for
    /// what is kept of it.
    fn open(&mut self, expression: Expression<'_>, is_local: bool, meter: &mut Meter);

    /// Closes the innermost open step with its value. The diagnostics are those that have been added meanwhile.
    fn close(&mut self, value: &Value, diagnostics: &[Diagnostic]);

    /// Everything opened beyond `depth` has been given up.
    fn abandon(&mut self, depth: usize);

    /// An element is looked at, which belongs to something with these marks.
    fn open_element(&mut self, key: Option<&Value>, element: &Value, marks: &Marks, meter: &mut Meter);

    /// The element is done; whether without problems.
    fn close_element(&mut self, is_good: bool);

    /// Until the matching [`Observer::show`], what is evaluated is a trial and no part of the result.
    fn hide(&mut self);

    /// See [`Observer::hide`].
    fn show(&mut self);
}

impl Evaluator<'_> {
    /// The value of an operation whose steps have been counted, told to who watches.
    pub(super) fn watched<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let mut inner = at;
        while let Node::Interpolation(part) = env.op(inner).node {
            inner = part;
        }
        let is_local = match env.source(inner).kind() {
            ExpressionKind::Traversal(traversal) => {
                self.deep_names.lookup(env.locals, traversal.root()).is_some()
            }
            _ => false,
        };
        let expression = env.written(at);
        let before = self.diagnostics.len();
        let depth = self.observer.as_ref().map_or(0, |observer| observer.depth());
        if let Some(observer) = &mut self.observer {
            observer.open(expression, is_local, self.meter);
        }
        let value = self.proceed(at, env.op(at), env);
        if let Some(observer) = &mut self.observer {
            observer.abandon(depth + 1);
        }
        self.close(&value, before);
        value
    }

    /// Tells that a part of a chain is looked at, which is evaluated without a call of its own.
    pub(super) fn open(&mut self, expression: Expression<'_>) {
        if let Some(observer) = &mut self.observer {
            observer.open(expression, false, self.meter);
        }
    }

    /// Tells the value of what was opened last, before which there were `before` diagnostics.
    pub(super) fn close(&mut self, value: &Value, before: usize) {
        if let Some(observer) = &mut self.observer {
            observer.close(value, self.diagnostics.get(before..).unwrap_or_default());
        }
    }

    /// Tells of an element; gives how much was open before.
    pub(super) fn open_element(&mut self, key: Option<&Value>, element: &Value, marks: &Marks) -> usize {
        let Some(observer) = &mut self.observer else { return 0 };
        let depth = observer.depth();
        observer.open_element(key, element, marks, self.meter);
        depth
    }

    /// Tells that an element is done, before which so much was open.
    pub(super) fn close_element(&mut self, depth: usize, is_good: bool) {
        if let Some(observer) = &mut self.observer {
            observer.abandon(depth + 1);
            observer.close_element(is_good);
        }
    }

    /// See [`Observer::hide`].
    pub(super) fn hide(&mut self) {
        if let Some(observer) = &mut self.observer {
            observer.hide();
        }
    }

    /// See [`Observer::show`].
    pub(super) fn show(&mut self) {
        if let Some(observer) = &mut self.observer {
            observer.show();
        }
    }
}
