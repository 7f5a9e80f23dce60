//! Names: of slots, of bindings around the expression, of constants of the scope; and the steps after them.

use hcl_syntax::ast::{Expression, StepKind, Steps, Traversal};
use hcl_syntax::diagnostic::Diagnostic;

use super::{Binding, Lowering, Needs};
use crate::eval::{
    FEW, Problem, literal_value, part_of, problem_of_name, runtime_reference, slot_of, steps_of_text,
};
use crate::limits::Usage;
use crate::program::code::{Base, CodeStep, Node, OpId, Path, index};
use crate::sorting::sort;

/// Among so many slots one is looked for before it is added.
const FEW_NEEDS: usize = 8;

/// Sorts; each once.
pub(super) fn tidy(needs: &mut Needs) {
    // Mostly they are.
    if !needs.is_sorted_by(|a, b| a < b) {
        sort(needs);
        needs.dedup();
    }
}

/// The step to the element of a key.
fn key_step(key: Expression<'_>) -> CodeStep {
    CodeStep::new(literal_value(key))
}

impl<'t> Lowering<'t, '_> {
    /// A path of these steps.
    pub(super) fn path(&mut self, steps: Steps<'t>) -> Path {
        if steps.is_empty() {
            return Path::default();
        }
        let len = steps.len();
        self.ask_for_room(len.saturating_mul(size_of::<CodeStep>()));
        if self.is_over {
            return Path::default();
        }
        let n_expected = self.n_parts_expected();
        let known = &mut self.code.steps;
        match known.is_empty() {
            true => known.reserve_exact(len.max(n_expected)),
            false => known.reserve(len),
        }
        let first = known.len();
        for (at, step) in steps.iter().enumerate() {
            if self.is_over_after(at) {
                return Path::default();
            }
            self.code.steps.push(match step.kind {
                StepKind::Attribute(name) => CodeStep::to_attribute(name),
                StepKind::Index(key) => key_step(key),
                StepKind::LegacyIndex(_) | StepKind::InvalidLegacyIndex => CodeStep::new(None),
            });
        }
        Path { first: index(first), len: index(len) }
    }

    /// Lowers a variable; whether it is a constant.
    pub(super) fn variable(&mut self, expression: Expression<'t>, traversal: Traversal<'t>) -> (OpId, bool) {
        let root = traversal.root();
        let steps = traversal.steps();
        if !self.is_kept() {
            return (self.push(expression, Node::Name), false);
        }
        if let Some((hops, base)) = self.bound(root) {
            let path = self.path(steps);
            let node = Node::Direct { base, index: index(hops), path };
            return (self.push_path(expression, node, path, 1), false);
        }
        let name = self.scope.and_then(|scope| scope.name(root));
        let slot = name.and_then(|name| slot_of(name, steps));
        match (slot, name.and_then(|name| name.constant.as_ref())) {
            (Some((slot, skip)), constant) => {
                self.need(slot as usize);
                // With a constant to fall back on, the choice is left to the evaluation.
                if constant.is_some() {
                    return (self.push(expression, Node::Name), false);
                }
                let path = self.path(steps.after(skip));
                (
                    self.push_path(expression, Node::Direct { base: Base::Slot, index: slot, path }, path, 1),
                    false,
                )
            }
            (None, Some(constant)) => {
                let start = self.code.ops.len();
                let constant = self.add(constant.clone());
                let path = self.path(steps);
                let node = Node::Direct { base: Base::Root, index: constant, path };
                let at = self.push_path(expression, node, path, 1);
                (at, self.folds() && self.fold(at, start))
            }
            (None, None) if self.folds() && self.scope.is_some_and(|scope| scope.is_runtime_root(root)) => {
                let Ok(value) = runtime_reference(expression, &mut self.watch) else {
                    self.is_over = true;
                    return (self.push(expression, Node::Invalid), false);
                };
                let value = self.add(value);
                let steps = 1 + steps_of_text(expression.source_text());
                self.code.usages.push(Usage { steps, ..Usage::default() });
                let usage = index(self.code.usages.len() - 1);
                let at = self.push(expression, Node::Folded { value, usage });
                self.set_cost(at, steps);
                (at, true)
            }
            (None, None) => {
                if self.is_reported(expression) {
                    self.report_name(expression, traversal);
                }
                (self.push(expression, Node::Name), false)
            }
        }
    }

    /// Adds a slot to those that are needed.
    fn need(&mut self, slot: usize) {
        if self.needs.len() < FEW_NEEDS {
            if !self.needs.contains(&slot) {
                self.needs.push(slot);
            }
        } else if self.needs.last() != Some(&slot) {
            self.need_one_of_many(slot);
        }
    }

    /// Notes a slot where there are many. Before there is room for twice as many, repetitions are removed.
    fn need_one_of_many(&mut self, slot: usize) {
        if self.needs.len() == self.needs.capacity() {
            tidy(&mut self.needs);
            self.needs.reserve_exact(self.needs.len());
        }
        self.needs.push(slot);
    }

    /// How many bindings out a name is bound, and to what.
    fn bound(&self, name: &str) -> Option<(usize, Base)> {
        let n = self.bindings.len();
        let innermost = index(n).checked_sub(1)?;
        // Beyond some depth it is known where names are bound; what is not there is bound farther out.
        let skipped = match self.deep_names.innermost(name, innermost) {
            Some(depth) => innermost - depth,
            None => index(n).saturating_sub(FEW),
        };
        let skipped = skipped as usize;
        self.bindings.iter().rev().enumerate().skip(skipped).find_map(|(hops, binding)| match binding {
            Binding::For(names) => part_of(*names, name).map(|part| (hops, part)),
            Binding::Item => None,
        })
    }

    fn report_name(&mut self, expression: Expression<'t>, traversal: Traversal<'t>) {
        let Some(scope) = self.scope else { return };
        if scope.leaves_unknown_interpolations() && scope.name(traversal.root()).is_none() {
            // It will be left as text.
            return;
        }
        let names = || {
            self.bindings.iter().rev().filter_map(|binding| match binding {
                Binding::For(names) => Some(*names),
                Binding::Item => None,
            })
        };
        let known = names().flat_map(|names| names.key_name().into_iter().chain([names.value_name()]));
        let problem = problem_of_name(Some(scope), traversal, names().next().is_some(), known);
        let source = expression.tree().source();
        let Problem { code, summary, detail } = problem;
        let diagnostic = Diagnostic::error(code, summary, detail).at(source, traversal.root_span());
        self.diagnostics.push(diagnostic);
    }
}
