//! The parts of a program that are the same for all rows of a table, computed once, and those that depend on one column.
//!
//! A part depends on the row if it reads a slot that a column gives, and on more than the slots if it calls a function that is
//! not pure. A part that does not succeed stays as it is, so that each row tells the problem.

use crate::eval::{Evaluator, Run, Surroundings};
use crate::limits::{Meter, Usage};
use crate::program::{Base, Code, List, NONE, Node, OpId, index};
use hcl_syntax::ast::Tree;

/// Which cells of a row an operation depends on.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
enum Reads {
    /// It is the same for all rows.
    Nothing,
    /// Those of the column that a slot is bound to.
    One(u32),
    /// Those of several columns, or anything.
    #[default]
    More,
}

/// Knowledge about an operation.
#[derive(Copy, Clone, Default)]
struct Known {
    reads: Reads,
    /// How many bindings around it, from the innermost on, it may use.
    n_bindings: u32,
}

impl Known {
    fn and(self, other: Self) -> Self {
        Self {
            reads: match (self.reads, other.reads) {
                (Reads::Nothing, reads) | (reads, Reads::Nothing) => reads,
                (one, other) if one == other => one,
                _ => Reads::More,
            },
            n_bindings: self.n_bindings.max(other.n_bindings),
        }
    }

    /// Of an operation that binds names for this part.
    fn bound(self) -> Self {
        Self { n_bindings: self.n_bindings.saturating_sub(1), ..self }
    }
}

/// The operands of an operation; of containers those that are operations.
fn operands(code: &Code, node: Node) -> Vec<OpId> {
    let is_operation = |at: &&OpId| at.literal().is_none() && at.as_constant().is_none();
    let list = |list: List| code.list(list).iter().filter(is_operation).copied().collect();
    match node {
        Node::Interpolation(inner) | Node::TemplateFor(inner) | Node::Steps(inner) => vec![inner],
        Node::Unary { operand, .. } => vec![operand],
        Node::Binary { left, right, .. } => vec![left, right],
        Node::Conditional { condition, when_true, when_false, .. } => vec![condition, when_true, when_false],
        Node::Index { collection, key, .. } => vec![collection, key],
        Node::Call { arguments, .. } => list(arguments),
        Node::Tuple(parts) | Node::Object(parts) | Node::JsonObject(parts) | Node::Template { parts, .. } => {
            list(parts)
        }
        Node::Record { values, .. } => list(values),
        Node::For(parts) => {
            let Some(parts) = code.for_parts(parts) else { return Vec::new() };
            let inner = [parts.condition, parts.key].into_iter().flatten();
            [parts.collection, parts.value].into_iter().chain(inner).collect()
        }
        Node::Splat { source, each } => vec![source, each],
        _ => Vec::new(),
    }
}

/// Returns the knowledge about each operation. Operands come before what uses them.
fn known(code: &Code, given: &Surroundings<'_>, is_column: impl Fn(u32) -> bool) -> Vec<Known> {
    let constant = Known { reads: Reads::Nothing, n_bindings: 0 };
    let mut all: Vec<Known> = Vec::with_capacity(code.ops.len());
    for op in &code.ops {
        let of = |at: OpId| all.get(at.0 as usize).copied().unwrap_or_default();
        let parts = || operands(code, op.node).into_iter().map(of).fold(constant, Known::and);
        all.push(match op.node {
            Node::Literal
            | Node::Direct { base: Base::Constant | Base::Root, .. }
            | Node::Folded { .. }
            | Node::KeyName => constant,
            Node::Direct { base: Base::Slot, index: slot, .. } => {
                let has_value = given.slots.get(slot as usize).is_some_and(Option::is_some);
                let reads = match (is_column(slot), has_value) {
                    (true, _) => Reads::One(slot),
                    (false, true) => Reads::Nothing,
                    (false, false) => Reads::More,
                };
                Known { reads, n_bindings: 0 }
            }
            // The item of a splat has the index 0.
            Node::Direct { base: Base::Key | Base::Element | Base::Item, index, .. } => {
                Known { reads: Reads::Nothing, n_bindings: index.saturating_add(1) }
            }
            Node::Name | Node::AmbiguousKey | Node::Invalid | Node::Unfinished | Node::Interpolation(_) => {
                Known::default()
            }
            Node::Call { function, .. } => {
                let is_pure = function != NONE
                    && code
                        .functions
                        .get(function as usize)
                        .is_some_and(|known| known.is_pure() && !known.is_lazy());
                if is_pure { parts() } else { Known::default() }
            }
            Node::For(parts) => match code.for_parts(parts) {
                Some(for_parts) => {
                    let inner = [Some(for_parts.value), for_parts.condition, for_parts.key];
                    let bodies = inner.into_iter().flatten().map(of).fold(constant, Known::and);
                    of(for_parts.collection).and(bodies.bound())
                }
                None => Known::default(),
            },
            Node::Splat { source, each } => of(source).and(of(each).bound()),
            _ => parts(),
        });
    }
    all
}

/// The slot of the only column that each operation depends on.
pub(super) fn sole_slots(
    code: &Code,
    given: &Surroundings<'_>,
    is_column: impl Fn(u32) -> bool,
) -> Vec<Option<u32>> {
    let slot = |known: Known| match known {
        Known { reads: Reads::One(slot), n_bindings: 0 } => Some(slot),
        _ => None,
    };
    known(code, given, is_column).into_iter().map(slot).collect()
}

/// The code with the parts computed that are the same for all rows; `None` if there are none.
pub(super) fn specialized(
    code: &Code,
    tree: &Tree,
    given: Surroundings<'_>,
    meter: &Meter,
    is_column: impl Fn(u32) -> bool,
) -> Option<Code> {
    let known = known(code, &given, is_column);
    let mut found = Vec::new();
    let mut open = vec![code.root()];
    while let Some(at) = open.pop() {
        let node = code.op(at).node;
        let is_leaf = node.is_direct() || matches!(node, Node::Literal | Node::Folded { .. } | Node::KeyName);
        let Known { reads, n_bindings } = known.get(at.0 as usize).copied().unwrap_or_default();
        if reads == Reads::Nothing && n_bindings == 0 && !is_leaf {
            let mut meter = meter.beside();
            let run = Run::new(code, tree, given);
            if let Some(value) = Evaluator::new(&mut meter).quietly(&run, at) {
                found.push((at, value, meter.usage()));
                continue;
            }
        }
        open.extend(operands(code, node));
    }
    if found.is_empty() {
        return None;
    }
    let mut special = code.clone();
    for (at, value, usage) in found {
        let Some(op) = special.ops.get_mut(at.0 as usize) else { continue };
        let takes_steps_only = value.is_light() && usage == Usage { steps: usage.steps, ..Usage::default() };
        special.values.push(value);
        let value = index(special.values.len() - 1);
        op.node = if takes_steps_only {
            Node::constant(value)
        } else {
            special.usages.push(usage);
            Node::Folded { value, usage: index(special.usages.len() - 1) }
        };
        op.cost = u32::try_from(usage.steps).unwrap_or(u32::MAX);
        op.path_cost = 0;
    }
    Some(special)
}
