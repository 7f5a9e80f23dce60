//! Folding: constant parts are evaluated ahead of time.

use super::{Lowered, Lowering};
use crate::eval::{Evaluator, Run, plain_result};
use crate::limits::{Meter, Usage};
use crate::program::code::{Base, Node, OpId, Path, index};
use crate::value::{Repr, Value};

impl Lowering<'_, '_> {
    /// Looks at an operation whose operands have been lowered: evaluates it if they are constant. What does not succeed
    /// stays as it is. Its operations begin at `start`.
    pub(super) fn finish(&mut self, at: OpId, start: usize, constant: bool) -> Lowered {
        if constant && self.folds() && self.fold(at, start) {
            return Lowered::alone(OpId(index(start)), true);
        }
        Lowered::alone(at, false)
    }

    /// Returns true if an operation with constant operands is now constant itself. Its operands go.
    pub(super) fn fold(&mut self, at: OpId, start: usize) -> bool {
        let Some((value, own)) = self.value_now(at) else { return false };
        let Some(mut op) = self.code.ops.get(at.0 as usize).copied() else { return false };
        let mut usage = own;
        for operand in self.code.ops.get(start..at.0 as usize).unwrap_or_default() {
            if let Node::Folded { usage: part, .. } = operand.node
                && let Some(&part) = self.code.usages.get(part as usize)
            {
                let steps = u64::from(operand.cost);
                // Operands lie a level deeper at most; what is read meanwhile may nest deeper by itself.
                let depth = own.depth.min(1).saturating_add(part.depth);
                usage = usage.and(Usage { steps, depth, ..part });
            }
        }
        if self.code.usages.len() == self.code.usages.capacity() {
            self.ask_for_room(3 * self.code.usages.capacity() * size_of::<Usage>());
            if self.is_over {
                return false;
            }
        }
        self.code.ops.truncate(start);
        let takes_steps_only = value.is_light() && usage == Usage { steps: usage.steps, ..Usage::default() };
        let value = self.add(value);
        op.cost = u32::try_from(usage.steps).unwrap_or(u32::MAX);
        op.node = if takes_steps_only {
            Node::Direct { base: Base::Constant, index: value, path: Path { first: op.cost, len: 0 } }
        } else {
            self.code.usages.push(usage);
            Node::Folded { value, usage: index(self.code.usages.len() - 1) }
        };
        op.path_cost = 0;
        self.code.ops.push(op);
        true
    }

    /// The value of an operation on constants, and what it and the literals among them used.
    fn value_now(&mut self, at: OpId) -> Option<(Value, Usage)> {
        if let Node::Binary { operator, left: left_at, right: right_at, .. } = self.code.op(at).node
            && let (Some(left), Some(right)) = (self.code.constant(left_at), self.code.constant(right_at))
            && let Some(value) = plain_result(operator, left, right)
        {
            let of_literals = [left_at, right_at]
                .map(|at| self.code.op(at))
                .into_iter()
                .filter_map(|op| op.node.is_direct().then_some(u64::from(op.cost)));
            return Some((value, Usage { steps: of_literals.sum::<u64>() + 1, ..Usage::default() }));
        }
        let options = self.options?;
        let meter = self.meter.get_or_insert_with(|| Meter::new(options.limits.clone()));
        let before = meter.begin_part();
        let run = Run::ahead_of_time(&self.code, self.tree, self.scope);
        let value = Evaluator::new(meter).quietly(&run, at)?;
        Some((value, meter.end_part(before)))
    }

    /// Makes ready an operand that may be a constant number and is calculated with.
    pub(super) fn settle(&mut self, operand: Lowered) {
        if operand.constant
            && let Some(op) = self.code.ops.get(operand.at.0 as usize)
            && let Node::Direct { base: Base::Constant, index, .. } | Node::Folded { value: index, .. } =
                op.node
            && let Some(Value(Repr::Number(number))) = self.code.values.get_mut(index as usize)
        {
            number.settle();
        }
    }

    /// Returns true if a container of so many literals may be made now; one of more would be too large in the end.
    pub(super) fn has_room_for(&mut self, n_elements: usize, is_all_literals: bool) -> bool {
        let Some(options) = self.options.filter(|_| is_all_literals) else { return true };
        let meter = self.meter.get_or_insert_with(|| Meter::new(options.limits.clone()));
        n_elements as u64 <= meter.elements_left()
    }
}
