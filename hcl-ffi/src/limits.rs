//! Limits, what was used of them, and cancelling from elsewhere.

use std::ptr;
use std::time::{Duration, Instant};

use hcl_eval::limits::{CancelToken, Limits, Usage};
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::memory::Begun;
use hcl_syntax::parser::ParseLimits;

use crate::boundary::{Outcome, guard, guard_or};
use crate::extensible_struct;
use crate::handle::{check_out, get, hand_out, release};
use crate::status::hcl_status;

/// How much an evaluation may do, or work on a single value. Set `size` to `sizeof(hcl_limits)`; zero in a field means
/// its default, and all defaults but that of `timeout_ns` are finite. Filled by `hcl_frame_used`, the same fields tell
/// what was used.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_limits {
    /// `sizeof(hcl_limits)`, set by the caller.
    pub size: usize,
    /// How deep expressions, templates and values may nest; 1000. Parentheses and operators before an operand are no level.
    pub max_depth: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// How many steps may be taken, counted the same on every machine; 1,000,000,000.
    pub max_steps: u64,
    /// How many elements may be made, counted the same on every machine; 10,000,000. It bounds two counts. One is of all that is
    /// put into collections, thrown away or not, of which docs/explanation/limits.md has the rule; what is decoded, and a value
    /// that is looked at as a whole, count one more for themselves. The other is of the parts of each value that an operation
    /// makes: its elements and all that is inside of them, shared ones as often as they occur, and one for each 64 bytes of a
    /// text. `[1, 2]` has two. `hcl_frame_used` tells the larger of both.
    pub max_elements: u64,
    /// How many bytes of text may be made; 64 MiB. A function counts the most that it may make, before it does.
    pub max_output_bytes: u64,
    /// How long the call may take, in nanoseconds; no deadline by default.
    pub timeout_ns: u64,
    /// How many bytes of memory the evaluation may take; 256 MiB. It bounds two things. One is what the evaluation holds of the
    /// allocator: never more than 1.25 times the limit plus 1 MiB. The other is the sum of all values that are made, counted the
    /// same on every machine: 24 for an element of a collection, and the bytes of texts. `hcl_frame_used` tells the sum.
    pub max_memory: u64,
    /// A switch that ends the call when it is thrown; null for none. Only read during the call that takes the struct,
    /// but `hcl_frame_set_limits` keeps the switch as `hcl_frame_set_cancel` does.
    pub cancel: *const hcl_cancel,
}

impl hcl_limits {
    /// Writes the usage into the fields that limit it.
    pub(crate) fn used(usage: Usage) -> Self {
        Self {
            size: size_of::<Self>(),
            max_depth: usage.depth,
            reserved: 0,
            max_steps: usage.steps,
            max_elements: usage.elements.max(usage.parts.into()),
            max_output_bytes: usage.output_bytes,
            timeout_ns: 0,
            max_memory: usage.memory,
            cancel: ptr::null(),
        }
    }

    /// The limits without deadline and switch.
    pub(crate) fn bounds(&self) -> Limits {
        let or = |wanted: u64, default: u64| if wanted == 0 { default } else { wanted };
        let defaults = Limits::default();
        Limits {
            max_depth: if self.max_depth == 0 { defaults.max_depth } else { self.max_depth },
            max_steps: or(self.max_steps, defaults.max_steps),
            max_elements: or(self.max_elements, defaults.max_elements),
            max_output_bytes: or(self.max_output_bytes, defaults.max_output_bytes),
            max_memory: or(self.max_memory, defaults.max_memory),
            ..defaults
        }
    }
}

/// Returns the token that the caller's switch triggers.
///
/// # Safety
/// `cancel` is null or live.
pub(crate) unsafe fn switch(cancel: *const hcl_cancel) -> Option<CancelToken> {
    // SAFETY: passed on.
    unsafe { cancel.as_ref() }.map(|cancel| cancel.0.clone())
}

/// The deadline of a call that begins now and may take so long; 0 for none.
pub(crate) fn deadline(timeout_ns: u64) -> Option<Instant> {
    (timeout_ns != 0).then(|| Begun::now().checked_add(Duration::from_nanos(timeout_ns))).flatten()
}

/// The default limits, with the deadline and the switch of a call that reads texts: for what it evaluates.
pub(crate) fn evaluating_within(reading: &ParseLimits) -> Limits {
    let ParseLimits { deadline, cancel, max_diagnostics, .. } = reading.clone();
    Limits { deadline, cancel, max_diagnostics, ..Limits::default() }
}

/// Takes the advice to raise a limit out of diagnostics of work [`evaluating_within`] its own limits: the call has none to raise.
pub(crate) fn without_raising(diagnostics: &mut Diagnostics) {
    let is_fixed =
        |code: &str| matches!(code, "limit.steps" | "limit.elements" | "limit.output" | "limit.memory");
    for one in diagnostics.iter_mut().filter(|one| is_fixed(&one.code)) {
        if let Some(rest) = one.detail.strip_suffix(", or raise the limit.") {
            one.detail = format!("{rest}.");
        }
    }
}

/// The limits of a call that begins now.
///
/// # Safety
/// `limits` is null or a struct of the caller, readable as the interface asks.
pub(crate) unsafe fn limits_in(what: &str, limits: *const hcl_limits) -> Outcome<Limits> {
    if limits.is_null() {
        return Ok(Limits::default());
    }
    // SAFETY: passed on.
    let fields: hcl_limits = unsafe { extensible_struct::read(what, limits) }?;
    // SAFETY: passed on.
    let cancel = unsafe { switch(fields.cancel) };
    Ok(Limits { deadline: deadline(fields.timeout_ns), cancel, ..fields.bounds() })
}

/// A switch that stops work from elsewhere. Use it from any thread. Counted: `hcl_cancel_ref`.
#[derive(Debug)]
pub struct hcl_cancel(pub(crate) CancelToken);

/// A new switch, not thrown. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_cancel_new(out: *mut *mut hcl_cancel) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_cancel(CancelToken::new())) };
        Ok(())
    })
}

/// Throws the switch: evaluations of frames, parses and other calls that it was given to end with HCL_ERR_CANCELLED, now and
/// later. It can't be thrown back.
///
/// Any thread, also inside a signal handler: it is one atomic store and nothing else, so it is async-signal-safe. The
/// handle must be live. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_cancel_trigger(cancel: *const hcl_cancel) {
    // SAFETY: null or live, by the contract of the interface.
    if let Some(cancel) = unsafe { cancel.as_ref() } {
        cancel.0.trigger();
    }
}

/// Another owned handle to the same switch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_cancel_ref(cancel: *const hcl_cancel, out: *mut *mut hcl_cancel) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let cancel = unsafe { get("cancel", cancel) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_cancel(cancel.0.clone())) };
        Ok(())
    })
}

/// Releases a handle. Frames that were given the switch keep it. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_cancel_free(cancel: *mut hcl_cancel) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(cancel) });
}
