//! The reason of a failed call, beyond its status, for functions that have no diagnostics.
//!
//! Each thread keeps one text, in memory of its own: keeping it allocates nothing, and a thread that ends has nothing to release.
//! A call that succeeds does not touch it.

use std::cell::{Cell, UnsafeCell};
use std::slice;

use hcl_syntax::diagnostic::{Diagnostic, Severity};

use crate::boundary::{Failure, guard_or};
use crate::string::hcl_str;

/// How long a text may be; more is left out.
const ROOM: usize = 240;

thread_local! {
    static TEXT: Text = const { Text { bytes: UnsafeCell::new([0; ROOM + 1]), len: Cell::new(0) } };
}

struct Text {
    /// The text, and a zero behind it.
    bytes: UnsafeCell<[u8; ROOM + 1]>,
    len: Cell<usize>,
}

/// Keeps why a call of this thread failed.
pub(crate) fn keep(failure: &Failure) {
    let is_error = |said: &&Diagnostic| said.severity == Severity::Error;
    let error = failure.diagnostics.iter().find(is_error);
    let said = error.map_or(failure.status.sentence(), |said| &*said.detail);
    let said = &said[..said.floor_char_boundary(ROOM)];
    TEXT.with(|text| {
        let mut bytes = [0; ROOM + 1];
        bytes[..said.len()].copy_from_slice(said.as_bytes());
        // SAFETY: the bytes belong to this thread, and nothing in the library borrows them beyond a call.
        unsafe { text.bytes.get().write(bytes) };
        text.len.set(said.len());
    });
}

/// Says why the last call of this thread that did not succeed failed: the detail of its first error, or what its status means.
/// With HCL_ERR_ARGUMENT the text begins with the name of the parameter at fault, and may go on with the field of a struct or
/// the index in an array: `opts->flags holds an unknown flag.` Long texts are cut. Empty before the first failure.
///
/// The text belongs to the calling thread and lives until its next call that fails; other threads have their own. A NUL byte
/// follows it.
#[unsafe(no_mangle)]
pub extern "C" fn hcl_status_detail() -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        TEXT.with(|text| {
            // SAFETY: so many bytes were written, whole characters, by this thread.
            let said = unsafe { slice::from_raw_parts(text.bytes.get().cast::<u8>(), text.len.get()) };
            hcl_str { ptr: said.as_ptr().cast(), len: said.len() }
        })
    })
}
