//! Limits, what was used of them, and cancelling from elsewhere.

use std::time::{Duration, Instant};

use hcl_eval::limits::{CancelToken, Limits};

use crate::boundary::{guard, guard_or};
use crate::handle::{check_out, get, hand_out, release};
use crate::status::hcl_status;

/// How much an evaluation may do. Set `size` to `sizeof(hcl_limits)`; zero in a field means its default, and all
/// defaults but that of `timeout_ns` are finite. Filled by `hcl_frame_used`, the same fields tell what was used.
#[derive(Copy, Clone, Debug, Default)]
#[repr(C)]
pub struct hcl_limits {
    /// `sizeof(hcl_limits)`, set by the caller.
    pub size: usize,
    /// How deep expressions, templates and values may nest; 1000.
    pub max_depth: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// How many steps the evaluation may take, counted the same on every machine; 1,000,000,000.
    pub max_steps: u64,
    /// How many elements of collections may be made, and how many a value may have with all that is inside, values that
    /// occur twice counted twice; 10,000,000.
    pub max_elements: u64,
    /// How many bytes of text may be made; 1 GiB.
    pub max_output_bytes: u64,
    /// How long one evaluation may take, in nanoseconds; no deadline by default.
    pub timeout_ns: u64,
}

impl hcl_limits {
    pub(crate) fn apply(&self, limits: &mut Limits) {
        let defaults = Limits::default();
        limits.max_depth = if self.max_depth == 0 { defaults.max_depth } else { self.max_depth };
        limits.max_steps = if self.max_steps == 0 { defaults.max_steps } else { self.max_steps };
        limits.max_elements = if self.max_elements == 0 { defaults.max_elements } else { self.max_elements };
        limits.max_output_bytes =
            if self.max_output_bytes == 0 { defaults.max_output_bytes } else { self.max_output_bytes };
    }

    /// The deadline of an evaluation that begins now.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        (self.timeout_ns != 0)
            .then(|| Instant::now().checked_add(Duration::from_nanos(self.timeout_ns)))
            .flatten()
    }
}

/// A switch that stops evaluations from elsewhere. Use it from any thread. Counted: `hcl_cancel_ref`.
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

/// Throws the switch: evaluations of frames that it was given to end with HCL_ERR_CANCELLED, now and later.
///
/// Any thread, also inside a signal handler: it is one atomic store. Null is ignored.
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
