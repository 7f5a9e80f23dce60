//! Calls: the function is found beforehand.

use std::sync::Arc;

use hcl_syntax::ast::{Call, Expression};
use hcl_syntax::diagnostic::Diagnostic;

use super::{Lowered, Lowering};
use crate::eval::{Problem, Scope, problem_of_function};
use crate::program::code::{List, NONE, Node, index};

impl<'t> Lowering<'t, '_> {
    /// Lowers a call. It is constant if its arguments are and the function depends on nothing else; a function that
    /// evaluates its arguments itself, such as `try`, never is, and problems below it are left to it.
    pub(super) fn call(&mut self, expression: Expression<'t>, call: Call<'t>) -> Lowered {
        let start = self.code.ops.len();
        let mut is_foldable = false;
        let mut is_plain = false;
        let mut function = NONE;
        if let Some(found) = self.scope.and_then(|scope| scope.function(call.name())) {
            if found.is_lazy() {
                self.lazy_below = self.lazy_below.max(expression.id().index());
            }
            is_foldable = found.is_pure() && !found.is_lazy();
            is_plain = !found.is_lazy()
                && !found.may_be_late()
                && !call.expands_final()
                && found.takes(call.arguments().len());
            self.code.functions.push(Arc::clone(found));
            function = index(self.code.functions.len() - 1);
        } else if self.is_reported(expression) {
            self.report_function(expression, call);
        }
        let (arguments, constant) = self.all(call.arguments(), Self::expression);
        let expands = call.expands_final();
        // Where there is nothing to expand the other arguments are not evaluated, and take no steps.
        is_foldable &= !expands || self.has_elements(arguments);
        let direct = if is_plain { self.steps_of_direct(arguments) } else { 0 };
        let at = self.push(expression, Node::Call { expands, direct, function, arguments });
        self.finish(at, start, constant & is_foldable)
    }

    /// Returns true if the last of the operands is a constant with elements.
    fn has_elements(&self, operands: List) -> bool {
        let last = self.code.list(operands).last();
        last.and_then(|&at| self.code.constant(at)).is_some_and(|value| value.elements().is_some())
    }

    fn report_function(&mut self, expression: Expression<'t>, call: Call<'t>) {
        let source = expression.tree().source();
        let Problem { code, summary, detail } = problem_of_function(self.scope, call.name());
        let diagnostic = Diagnostic::error(code, summary, detail);
        let diagnostic = if self.scope.is_some_and(Scope::has_functions) {
            diagnostic.at(source, call.name_span()).within(source, expression.span())
        } else {
            diagnostic.at(source, expression.span())
        };
        self.diagnostics.push(diagnostic);
    }
}
