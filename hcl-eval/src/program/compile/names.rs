//! Names: of slots, of bindings around the expression, of constants of the scope; and the steps after them.

use hcl_syntax::ast::{Expression, StepKind, Steps, Traversal};
use hcl_syntax::diagnostic::Diagnostic;

use super::{Binding, Compiler, Needs, index, make_room};
use crate::eval::{FEW, Part, Problem, literal_value, part_of, problem_of_name, runtime_reference, slot_of};
use crate::program::notes::{Known, Note, PathId};
use crate::sorting::sort;
use crate::value::shape::Probe;
use crate::value::{Repr, Value};

/// Among so many slots one is looked for before it is added.
const FEW_NEEDS: usize = 8;

/// Sorts; each once.
pub(super) fn tidy(needs: &mut Needs) {
    if needs.len() > 1 {
        sort(needs);
        needs.dedup();
    }
}

/// The step to the element of a key.
#[inline(never)]
fn key_step(key: Expression<'_>) -> Known {
    match literal_value(key) {
        Some(Value(Repr::String(name))) => Known::Name(Probe::new(name)),
        Some(value) => Known::Value(value),
        None => Known::OtherStep,
    }
}

impl<'t> Compiler<'t, '_> {
    /// Notes the keys of all steps, and makes a path of the steps but the first `skip` of them.
    pub(super) fn path(&mut self, steps: Steps<'t>, skip: usize) -> PathId {
        let len = steps.len().saturating_sub(skip);
        let known = &mut self.notes.known;
        make_room(known, len, self.room);
        let first = known.len();
        let mut has_keys = false;
        known.extend(steps.iter().skip(skip).map(|step| match step.kind {
            StepKind::Attribute(name) => Known::Name(Probe::of(name)),
            StepKind::Index(key) => {
                has_keys = true;
                key_step(key)
            }
            StepKind::LegacyIndex(_) | StepKind::InvalidLegacyIndex => Known::OtherStep,
        }));
        if has_keys || skip > 0 {
            self.keys(steps);
        }
        if len == 0 { PathId::default() } else { PathId { first: index(first), len: index(len) } }
    }

    /// Notes the keys of steps.
    #[inline(never)]
    fn keys(&mut self, steps: Steps<'t>) {
        for step in steps.iter() {
            if let StepKind::Index(key) = step.kind
                && let Some(value) = literal_value(key)
            {
                self.set_constant(key, value);
            }
        }
    }

    /// Whether a variable is a constant now.
    #[inline(never)]
    pub(super) fn variable(&mut self, expression: Expression<'t>, traversal: Traversal<'t>) -> bool {
        self.traversal(expression, traversal);
        match self.notes.of(expression) {
            // A constant of the scope with its steps.
            Note::Root { .. } => self.fold(expression),
            // A runtime reference.
            Note::Constant(_) => true,
            _ => false,
        }
    }

    fn traversal(&mut self, expression: Expression<'t>, traversal: Traversal<'t>) {
        let steps = traversal.steps();
        let root = traversal.root();
        if let Some((hops, part)) = self.bound(root) {
            let path = self.path(steps, 0);
            // Names farther out than can be counted are looked up.
            if let Ok(hops) = u16::try_from(hops) {
                self.set(expression, Note::Local { hops, part, path });
            }
            return;
        }
        let name = self.scope.name(root);
        let slot = name.and_then(|name| slot_of(name, steps));
        match (slot, name.and_then(|name| name.constant.as_ref())) {
            (Some((slot, skip)), constant) => {
                self.need(slot as usize);
                let path = self.path(steps, skip);
                // With a constant to fall back on, the choice is left to the evaluation.
                if constant.is_none() {
                    self.set(expression, Note::Slot { slot, path });
                }
            }
            (None, Some(constant)) => {
                let constant = self.add(Known::Value(constant.clone()));
                let path = self.path(steps, 0);
                self.set(expression, Note::Root { constant, path });
            }
            (None, None) if self.scope.is_runtime_root(root) => {
                self.set_constant(expression, Value::string(runtime_reference(expression)));
            }
            (None, None) => {
                self.path(steps, steps.len());
                if self.is_reported(expression) {
                    self.report_name(expression, traversal);
                }
            }
        }
    }

    /// Adds a slot to those that are needed.
    #[inline]
    fn need(&mut self, slot: usize) {
        if self.needs.len() < FEW_NEEDS {
            if !self.needs.contains(&slot) {
                self.needs.push(slot);
            }
        } else if self.needs.last() != Some(&slot) {
            self.need_one_of_many(slot);
        }
    }

    /// The same where there are many. Before there is room for twice as many, what is there twice goes.
    #[cold]
    fn need_one_of_many(&mut self, slot: usize) {
        if self.needs.len() == self.needs.capacity() {
            tidy(&mut self.needs);
            self.needs.reserve_exact(self.needs.len());
        }
        self.needs.push(slot);
    }

    /// How many bindings out a name is bound, and to what.
    fn bound(&self, name: &str) -> Option<(usize, Part)> {
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

    #[cold]
    fn report_name(&mut self, expression: Expression<'t>, traversal: Traversal<'t>) {
        if self.scope.leaves_unknown_interpolations() && self.scope.name(traversal.root()).is_none() {
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
        let problem = problem_of_name(Some(self.scope), traversal, names().next().is_some(), known);
        let source = expression.tree().source();
        let Problem { code, summary, detail } = problem;
        let diagnostic = Diagnostic::error(code, summary, detail).at(source, traversal.root_span());
        self.diagnostics.push(diagnostic);
    }
}
