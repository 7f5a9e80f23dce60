//! Bounds on evaluation: how deep, how long, how much.
//!
//! Every loop of the evaluator and of a function charges a [`Meter`]; when a bound is reached the charge
//! fails with [`LimitReached`], evaluation winds down and the result carries one diagnostic whose code
//! starts with `limit.`. This file has the bounds and what is counted, `meter` counts, `reached` words the
//! ends, `pace` hands a meter to walks that may have none.

mod meter;
mod pace;
mod reached;
#[cfg(test)]
mod tests;

use std::time::Instant;

pub use hcl_syntax::limits::{CancelToken, Stopped};
use hcl_syntax::parser::ParseLimits;

pub use meter::Meter;
pub use reached::LimitReached;

pub(crate) use meter::RUN;
pub(crate) use pace::{Charge, Pace, all_on, go_on, hold, hold_copy};

/// Bounds on one evaluation. All are finite by default.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use hcl_eval::eval::{EvalOptions, evaluate};
/// use hcl_eval::limits::Limits;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let deadline = Instant::now().checked_add(Duration::from_millis(100));
/// let limits = Limits { max_elements: 10, deadline, ..Limits::default() };
/// let parsed: ParsedExpression = "[for a in [1, 2, 3] : [for b in [1, 2, 3] : b]]".parse()?;
/// let (value, problems) = evaluate(parsed.expression(), None, &EvalOptions { limits, ..EvalOptions::default() });
/// assert!(!value.is_wholly_known());
/// assert_eq!(problems[0].code, "limit.elements");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// How deep expressions, templates inside templates and user functions may nest.
    pub max_depth: u32,
    /// How many steps may be taken: one for each node evaluated, element visited or unit of a function's work.
    pub max_steps: u64,
    /// How many elements may be put into collections, and how many parts a value may have: what it weighs ([`Value::weight`])
    /// beside itself.
    ///
    /// [`Value::weight`]: crate::Value::weight
    pub max_elements: u64,
    /// How many bytes of text may be produced.
    pub max_output_bytes: u64,
    /// How many bytes of memory values may take, all that are made added up: [`ELEMENT_BYTES`] for each element of a
    /// collection, and the bytes of texts, counted the same on every machine; and what an evaluation may hold of an
    /// allocator that tells what it gave ([`hcl_syntax::memory`]).
    pub max_memory: u64,
    /// How many diagnostics may be collected before evaluation gives up.
    pub max_diagnostics: u32,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Gives up when triggered.
    pub cancel: Option<CancelToken>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_depth: 1000,
            max_steps: 1_000_000_000,
            max_elements: 10_000_000,
            max_output_bytes: 64 << 20,
            max_memory: 256 << 20,
            max_diagnostics: 1000,
            deadline: None,
            cancel: None,
        }
    }
}

impl Limits {
    /// Returns the reason to end work now, if there is one: cancelled, or out of time.
    pub fn stopped(&self) -> Option<Stopped> {
        Stopped::now(self.cancel.as_ref(), self.deadline)
    }

    /// The limits of reading a text that belongs to the work.
    ///
    /// ```
    /// use hcl_eval::limits::Limits;
    ///
    /// let limits = Limits { max_depth: 7, ..Limits::default() };
    /// assert_eq!(limits.of_reading().max_depth, 7);
    /// ```
    pub fn of_reading(&self) -> ParseLimits {
        let Self { max_depth, deadline, cancel, .. } = self.clone();
        ParseLimits { max_depth, deadline, cancel, ..ParseLimits::default() }
    }
}

/// How many parts of work a diagnostic is ([`Meter::go_on`]): it is made, names are compared for a suggestion, and it is
/// compared with others.
pub const PARTS_OF_DIAGNOSTIC: usize = 1 << 11;

/// So many bytes of a text take about as long as an element of a collection.
pub const BYTES_PER_PART: usize = 64;

/// The bytes of memory that an element of a collection counts.
pub const ELEMENT_BYTES: u64 = 24;

/// The steps, elements and bytes that an evaluation has used.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "[1, 2, 3]".parse()?;
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// evaluation.evaluate_syntax(parsed.expression(), None);
/// let first = evaluation.usage();
/// assert_eq!(first.elements, 3);
/// assert_eq!(first.and(first).elements, 6);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Steps taken, give or take the last few that were not counted yet.
    pub steps: u64,
    /// Elements put into collections.
    pub elements: u64,
    /// Bytes of text produced.
    pub output_bytes: u64,
    /// Bytes of memory that values took, all that were made.
    pub memory: u64,
    /// The deepest nesting met.
    pub depth: u32,
    /// The most parts that a value had: what it weighs beside itself, [`Value::weight`](crate::Value::weight).
    pub parts: u32,
}

impl Usage {
    /// Adds up what two evaluations used.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            steps: self.steps.saturating_add(other.steps),
            elements: self.elements.saturating_add(other.elements),
            output_bytes: self.output_bytes.saturating_add(other.output_bytes),
            memory: self.memory.saturating_add(other.memory),
            depth: self.depth.max(other.depth),
            parts: self.parts.max(other.parts),
        }
    }
}
