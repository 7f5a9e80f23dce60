//! Local values.

use hcl_syntax::config::push_within;
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
            diagnostics.extend(problems);
            if !push_within(&mut values, value, self.evaluation.bounds()) || !self.may_go_on(&mut diagnostics)
            {
                break;
            }
        }
        let state = if has_errors(&diagnostics) { State::Failed } else { State::Good };
        Outcome { state, values, diagnostics, ..Outcome::default() }
    }
}
