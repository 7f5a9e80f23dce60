//! Local values.

use hcl_syntax::diagnostic::{Diagnostics, has_errors};

use super::expression::Place;
use super::{Engine, Outcome, State};
use crate::tree::NodeId;

impl Engine<'_> {
    /// The value of a local in every instance.
    pub(super) fn local(&mut self, module: usize, node: NodeId) -> Outcome {
        let prepared = self.prepared(node);
        let (mut values, mut diagnostics) = (Vec::new(), Diagnostics::new());
        for instance in 0..self.instances(module).len() {
            let Some(part) = prepared.parts.first() else { break };
            let (value, problems) = self.value(part, Place::plain(module, instance));
            values.push(value);
            diagnostics.extend(problems);
            if self.evaluation.stopped() {
                break;
            }
        }
        let state = if has_errors(&diagnostics) { State::Failed } else { State::Good };
        Outcome { state, values, diagnostics, ..Outcome::default() }
    }
}
