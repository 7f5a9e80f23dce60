//! Room: what a long expression takes is asked of the limits first.

use super::Lowering;
use super::chain::Open;
use crate::program::code::{Node, Op, OpId};

/// How many operations are made between two looks at the limits: what they take beside the lists fits into the reserve of the
/// allocator.
const OPS_PER_LOOK: usize = 1 << 11;

/// From so many operands on a list takes memory that is asked for beforehand.
const MANY_OPERANDS: usize = 1 << 12;

/// From so many bytes on a list that grows is asked for beforehand.
const MANY_BYTES: usize = 1 << 16;

impl Lowering<'_, '_> {
    /// Looks at the limits, and makes room for more operations; returns whether there is some. Where a limit leaves none, the
    /// last operation stands for what is not lowered.
    pub(super) fn look(&mut self) -> bool {
        let ops = &mut self.code.ops;
        let grows = ops.len() == ops.capacity();
        if let Some(meter) = &mut self.watch {
            let room = if grows { 2 * ops.capacity() * size_of::<Op>() } else { 0 };
            self.is_over |= meter.look().and_then(|()| meter.hold(room)).is_err();
        }
        if grows && !self.is_over {
            ops.reserve_exact(ops.len().max(1));
        }
        self.look_at = ops.capacity().min(ops.len() + OPS_PER_LOOK);
        let has_room = ops.len() < ops.capacity();
        if !has_room && let Some(last) = ops.last_mut() {
            last.node = Node::Invalid;
            last.cost = 1;
        }
        has_room
    }

    /// Looks at the limits, and makes room for further links of chains.
    pub(super) fn look_before_opening(&mut self) {
        let n = self.open.len();
        if n == self.open.capacity() {
            self.ask_for_room(2 * n * size_of::<Open>());
        }
        self.is_over |= self.watch.as_mut().is_some_and(|meter| meter.look().is_err());
        if !self.is_over {
            self.open.reserve(1);
        }
        self.open_until = self.open.capacity().min(n + OPS_PER_LOOK);
    }

    /// Asks for the memory of a list that grows, if it is long.
    pub(super) fn ask_for_room(&mut self, n_bytes: usize) {
        if n_bytes >= MANY_BYTES
            && let Some(meter) = &mut self.watch
        {
            self.is_over |= meter.hold(n_bytes).is_err();
        }
    }

    /// Asks for the memory of a list of operands, and of the one that is kept beside it, if it is long.
    pub(super) fn ask_for_operands(&mut self, n: usize) {
        if n >= MANY_OPERANDS
            && let Some(meter) = &mut self.watch
        {
            self.is_over |= meter.hold_parts(2 * n, size_of::<OpId>()).is_err();
        }
    }

    /// Returns true if a limit has been reached; looks now and then. Operands that are literals take no operation, which would
    /// look.
    pub(super) fn is_over_after(&mut self, n_operands: usize) -> bool {
        if (n_operands + 1).is_multiple_of(OPS_PER_LOOK) {
            self.look();
        }
        self.is_over
    }
}
