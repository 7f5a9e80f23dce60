//! Arguments of lazy functions: evaluated when asked for.

use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::Diagnostics;

use super::call::CallSite;
use super::evaluator::Evaluator;
use crate::function::{Invocation, LazyArguments};
use crate::limits::Meter;
use crate::types::type_expr::{Means, Names, TypeMode, parse_type_on};
use crate::types::{Defaults, Type};
use crate::value::Value;

/// The arguments of a call to a lazy function.
pub(super) struct LazyCall<'c, 'm, 'e> {
    evaluator: &'c mut Evaluator<'m>,
    site: &'c CallSite<'e>,
}

impl<'c, 'm, 'e> LazyCall<'c, 'm, 'e> {
    pub(super) fn new(evaluator: &'c mut Evaluator<'m>, site: &'c CallSite<'e>) -> Self {
        Self { evaluator, site }
    }
}

impl LazyArguments for LazyCall<'_, '_, '_> {
    fn len(&self) -> usize {
        self.site.len()
    }

    fn evaluate(&mut self, position: usize) -> (Value, Diagnostics) {
        if position >= self.site.len() {
            return (Value::dynamic(), Diagnostics::new());
        }
        if let Some(expanded) = &self.site.expanded
            && let Some(value) =
                position.checked_sub(self.site.n_written()).and_then(|at| expanded.values.get(at))
        {
            return (value.clone(), Diagnostics::new());
        }
        let before = self.evaluator.diagnostics.len();
        self.evaluator.quiet += 1;
        let value = self.evaluator.eval_seldom(self.site.argument(position), self.site.env).into_owned();
        self.evaluator.quiet -= 1;
        let diagnostics = self.evaluator.diagnostics.split_off(before);
        (value, diagnostics)
    }

    fn expression(&self, position: usize) -> Option<Expression<'_>> {
        (position < self.site.n_written()).then(|| self.site.source_of(position))
    }

    fn type_written(
        &mut self,
        position: usize,
        mode: TypeMode,
    ) -> Option<(Type, Option<Defaults>, Diagnostics)> {
        let site = self.site;
        let written = (position < site.n_written()).then(|| site.source_of(position))?;
        Some(parse_type_on(written, mode, Names::Bare, &mut self.invocation()))
    }

    fn invocation(&mut self) -> Invocation<'_> {
        let given = self.site.env.given();
        Invocation::new(self.evaluator.meter, given.host, given.scope).of_user(given.user)
    }
}

impl Means for Invocation<'_> {
    fn meter(&mut self) -> &mut Meter {
        Invocation::meter(self)
    }

    fn evaluate(&mut self, default: Expression<'_>) -> (Value, Diagnostics) {
        Invocation::evaluate(self, default, None)
    }
}
