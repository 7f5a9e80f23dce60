//! Preparations that happen once, before the first call does anything.
//!
//! The system is asked for nothing here: a process whose sandbox allows memory alone may use the library.

use std::ptr;
use std::sync::Once;

use hcl_syntax::{hash, memory};

use crate::{boundary, stack};

static STARTED: Once = Once::new();

/// Makes ready, if that has not been done.
pub(crate) fn start() {
    if !STARTED.is_completed() {
        first_start();
    }
}

fn first_start() {
    STARTED.call_once(|| {
        boundary::install_hook();
        memory::tell();
        stack::provide();
        if let Some(mut secret) = secret() {
            // Knowledge of one program's tables is of no use against the next one.
            secret.extend(ptr::from_ref(&STARTED).addr().to_ne_bytes());
            secret.extend(ptr::from_ref(&secret).addr().to_ne_bytes());
            hash::seed(&secret);
        }
    });
}

/// The random bytes that the system has given the process when it began.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn secret() -> Option<Vec<u8>> {
    // SAFETY: it has no preconditions.
    let place = unsafe { libc::getauxval(libc::AT_RANDOM) };
    let place = ptr::with_exposed_provenance::<[u8; 16]>(usize::try_from(place).ok()?);
    // SAFETY: null, or where the system has put 16 bytes, which nobody changes.
    unsafe { place.as_ref() }.map(|bytes| bytes.to_vec())
}

/// Elsewhere the standard library asks for some.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn secret() -> Option<Vec<u8>> {
    None
}
