//! Handles: Rust objects behind C pointers.
//!
//! There are two kinds of pointers and each conversion says which it is. An *owned* handle is a `Box` that
//! went out through an `**out` parameter ([`hand_out`]) and comes back once to be freed ([`release`]). A
//! *borrowed* one points into an object that something else keeps alive ([`get`], [`get_mut`]).

use crate::boundary::Outcome;
use crate::string::not_null;

/// Gives an object to the caller: writes an owned handle to `*out`.
///
/// # Safety
/// `out` points to writable memory for one pointer (checked with [`check_out`] before any work is done).
pub(crate) unsafe fn hand_out<T>(out: *mut *mut T, object: T) {
    let handle = Box::into_raw(Box::new(object));
    // SAFETY: the caller vouches for `out`.
    unsafe { out.write(handle) };
}

/// Takes an owned handle back and drops the object. Null is ignored.
///
/// # Safety
/// `handle` is null or came from [`hand_out`] and was not released before.
pub(crate) unsafe fn release<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: not null, and from `Box::into_raw` by contract.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// The object behind a handle.
///
/// # Safety
/// `handle` is null or points to a live object that nobody changes during `'a`.
#[inline]
pub(crate) unsafe fn get<'a, T>(what: &str, handle: *const T) -> Outcome<&'a T> {
    not_null(what, handle)?;
    // SAFETY: not null, and live by contract.
    Ok(unsafe { &*handle })
}

/// The object behind a handle, to change it.
///
/// # Safety
/// `handle` is null or points to a live object that nobody else uses during `'a`.
#[inline]
pub(crate) unsafe fn get_mut<'a, T>(what: &str, handle: *mut T) -> Outcome<&'a mut T> {
    not_null(what, handle)?;
    // SAFETY: not null, live and unshared by contract.
    Ok(unsafe { &mut *handle })
}

/// An error if there is nowhere to write a result.
#[inline]
pub(crate) fn check_out<T>(what: &str, out: *mut T) -> Outcome {
    not_null(what, out.cast_const())
}

/// Writes a plain result.
///
/// # Safety
/// `out` points to writable memory for a `T`.
pub(crate) unsafe fn put<T>(out: *mut T, value: T) {
    // SAFETY: the caller vouches for `out`.
    unsafe { out.write(value) };
}
