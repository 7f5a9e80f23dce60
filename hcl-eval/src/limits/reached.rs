//! The bounds that end an evaluation, and their wording.

use super::Stopped;

/// The bound that was reached.
///
/// ```
/// use hcl_eval::limits::{LimitReached, Limits, Meter};
///
/// let mut meter = Meter::new(Limits { max_steps: 2, ..Limits::default() });
/// assert_eq!(meter.steps(3), Err(LimitReached::Steps(2)));
/// assert_eq!(LimitReached::Steps(2).code(), "limit.steps");
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LimitReached {
    /// [`Limits::max_depth`](super::Limits::max_depth)
    Depth(u32),
    /// [`Limits::max_steps`](super::Limits::max_steps)
    Steps(u64),
    /// [`Limits::max_elements`](super::Limits::max_elements)
    Elements(u64),
    /// [`Limits::max_output_bytes`](super::Limits::max_output_bytes)
    OutputBytes(u64),
    /// [`Limits::max_memory`](super::Limits::max_memory)
    Memory(u64),
    /// [`Limits::max_diagnostics`](super::Limits::max_diagnostics)
    Diagnostics(u32),
    /// [`Limits::deadline`](super::Limits::deadline)
    Deadline,
    /// [`Limits::cancel`](super::Limits::cancel)
    Cancelled,
    /// The system has no memory ([`Stopped::OutOfMemory`]).
    OutOfMemory,
    /// A callback of the host failed in a way that is to end the evaluation, with a status of its own.
    Host(i32),
}

impl From<Stopped> for LimitReached {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Deadline => Self::Deadline,
            Stopped::Cancelled => Self::Cancelled,
            Stopped::OutOfMemory => Self::OutOfMemory,
        }
    }
}

impl LimitReached {
    /// The code of the diagnostic that reports it.
    pub fn code(self) -> &'static str {
        match self {
            Self::Depth(_) => "limit.depth",
            Self::Steps(_) => "limit.steps",
            Self::Elements(_) => "limit.elements",
            Self::OutputBytes(_) => "limit.output",
            Self::Memory(_) => "limit.memory",
            Self::Host(_) => "limit.host",
            Self::Diagnostics(_) => "limit.diagnostics",
            Self::Deadline => Stopped::Deadline.code(),
            Self::Cancelled => Stopped::Cancelled.code(),
            Self::OutOfMemory => Stopped::OutOfMemory.code(),
        }
    }
}

impl LimitReached {
    /// The kind of bound in a few words.
    pub(crate) fn summary(self) -> &'static str {
        match self {
            Self::Depth(_) => "Nesting too deep",
            Self::Steps(_) => "Too many steps",
            Self::Elements(_) => "Too many elements",
            Self::OutputBytes(_) => "Too much text",
            Self::Memory(_) => "Too much memory",
            Self::Diagnostics(_) => "Too many problems",
            Self::Deadline => Stopped::Deadline.summary(),
            Self::Cancelled => Stopped::Cancelled.summary(),
            Self::OutOfMemory => Stopped::OutOfMemory.summary(),
            Self::Host(_) => "Ended by the host",
        }
    }

    /// Says why `work` ended, and what to do.
    pub(crate) fn sentence(self, work: &str) -> String {
        match self {
            Self::Depth(levels) => {
                format!(
                    "{work} nests deeper than the limit of {levels} levels. Nest less deeply, or raise the limit."
                )
            }
            Self::Steps(steps) => {
                format!("{work} takes more than the limit of {steps} steps. Do less, or raise the limit.")
            }
            Self::Elements(n) => {
                format!("{work} makes more than the limit of {n} elements. Make fewer, or raise the limit.")
            }
            Self::OutputBytes(n) => {
                format!("{work} makes more text than the limit of {n} bytes. Make less, or raise the limit.")
            }
            Self::Memory(n) => {
                format!("{work} needs more memory than the limit of {n} bytes. Use less, or raise the limit.")
            }
            Self::Diagnostics(n) => {
                format!("{work} was given up after {n} problems. Mend these first.")
            }
            Self::Deadline => Stopped::Deadline.sentence(work),
            Self::Cancelled => Stopped::Cancelled.sentence(work),
            Self::OutOfMemory => Stopped::OutOfMemory.sentence(work),
            Self::Host(status) => {
                format!("A callback of the host failed with status {status}, which ends what it was part of.")
            }
        }
    }
}
