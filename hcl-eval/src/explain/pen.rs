//! The pen that explanations are written with: a text, and looks at the limits of the evaluation that is told of.

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};

use super::text::{MAX_FORM, MAX_FORM_LATE};
use super::tree::{Explanation, Step};
use crate::eval::Frame;
use crate::limits::{BYTES_PER_PART, Meter};

/// How many parts of work a step is ([`Meter::go_on`]) beside the bytes of the forms that are made.
const PARTS_OF_STEP: usize = 256;

/// So many parts are written after a limit was reached, to tell where the evaluation had got. They take a few milliseconds.
const PARTS_LATE: usize = 1 << 13;

/// So many steps are written of these parts.
const STEPS_LATE: usize = PARTS_LATE / PARTS_OF_STEP;

/// A text to which steps are written as far as the limits allow. Those that are left out are counted.
#[derive(Default)]
pub(super) struct Pen<'m> {
    pub(super) out: String,
    /// The meter of the evaluation; without one everything is written.
    meter: Option<&'m mut Meter>,
    late_parts_left: usize,
    /// The parts of the forms that were made since the last step.
    parts_made: usize,
    n_left_out: usize,
}

impl<'m> Pen<'m> {
    /// The pen for what an evaluation did.
    fn of(meter: &'m mut Meter) -> Self {
        Self { meter: Some(meter), late_parts_left: PARTS_LATE, ..Self::default() }
    }

    /// Returns whether there are time and room for one more step.
    pub(super) fn goes_on(&mut self) -> bool {
        let n_parts = PARTS_OF_STEP + std::mem::take(&mut self.parts_made);
        // A text that grows is copied to one of twice the size.
        let is_narrow = self.out.capacity() - self.out.len() < MAX_FORM;
        let needed = if is_narrow { 2 * self.out.capacity() } else { 0 };
        self.affords(n_parts, needed)
    }

    /// Returns whether there is time to look at one more step for what is told of all of them.
    pub(super) fn goes_through(&mut self) -> bool {
        self.affords(1, 0)
    }

    /// Returns whether there are time for so many parts of work and room for so many bytes.
    fn affords(&mut self, n_parts: usize, bytes: usize) -> bool {
        let Some(meter) = &mut self.meter else { return true };
        if meter.go_on(n_parts).and_then(|()| meter.hold(bytes)).is_ok() {
            return true;
        }
        self.late_parts_left = self.late_parts_left.saturating_sub(n_parts);
        self.late_parts_left > 0
    }

    /// The parts of a step as far as there is time to tell of them; the others are counted.
    pub(super) fn parts<'x>(&mut self, step: Step<'x>) -> Vec<Step<'x>> {
        let n_steps = step.n_steps();
        // The list of them grows.
        let bytes = 2 * n_steps * size_of::<Step<'_>>();
        let affords = |meter: &mut &mut Meter| meter.go_on(n_steps).and_then(|()| meter.hold(bytes)).is_ok();
        let n_most = if self.meter.as_mut().is_none_or(affords) { usize::MAX } else { STEPS_LATE };
        let (parts, n_behind) = step.first_parts(n_most);
        self.n_left_out += n_behind;
        parts
    }

    /// Returns whether a step is to be written. Else it is counted with its parts.
    pub(super) fn begins(&mut self, step: Step<'_>) -> bool {
        let begins = self.goes_on();
        if !begins {
            self.n_left_out += step.n_steps();
        }
        begins
    }

    /// Notes that a text of so many bytes was made, of which perhaps only the beginning is written.
    pub(super) fn made(&mut self, n_bytes: usize) {
        self.parts_made += n_bytes / BYTES_PER_PART;
    }

    /// The meter, until it has seen a limit reached.
    pub(super) fn meter(&mut self) -> Option<&mut Meter> {
        self.meter.as_deref_mut().filter(|meter| meter.stopped().is_none())
    }

    /// How many bytes the form of a value may take to be shown.
    pub(super) fn max_form(&mut self) -> usize {
        if self.meter.is_some() && self.meter().is_none() { MAX_FORM_LATE } else { MAX_FORM }
    }

    /// How many steps are not told.
    pub(super) fn n_omitted(&self, explanation: &Explanation<'_>) -> usize {
        explanation.n_omitted() + self.n_left_out
    }
}

impl Explanation<'_> {
    /// Writes within the limits of the frame. A limit that the evaluation did not reach is told.
    pub(super) fn write_within(
        &self,
        frame: &mut Frame,
        diagnostics: &mut Diagnostics,
        write: impl FnOnce(&mut Pen<'_>),
    ) -> String {
        let before = frame.meter.stopped();
        let mut pen = Pen::of(frame.meter());
        write(&mut pen);
        let out = pen.out;
        if let (None, Some(limit)) = (before, frame.meter.stopped()) {
            let told = Diagnostic::error(limit.code(), limit.summary(), limit.sentence("The explanation"));
            let place = self.root().and_then(Step::expression);
            diagnostics.push(match place {
                Some(expression) => frame.placed(told, expression.tree().source(), expression.span()),
                None => told,
            });
        }
        out
    }
}
