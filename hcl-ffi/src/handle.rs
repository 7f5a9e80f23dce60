//! Handles: Rust objects behind C pointers.
//!
//! There are two kinds of pointers and each conversion says which it is. An *owned* handle is a `Box` that
//! went out through an `**out` parameter ([`hand_out`]) and comes back once to be freed ([`release`]). A
//! *borrowed* one points into an object that something else keeps alive ([`get`], [`get_mut`]).
//!
//! An owned handle of an object that is made and released often and shared is an `Arc` instead, which takes one allocation
//! less ([`hand_out_counted`], [`share`], [`release_counted`]).

use std::sync::Arc;

use crate::boundary::Outcome;
use crate::string::not_null;

/// Gives an object to the caller: writes an owned handle to `*out`.
///
/// # Safety
/// `out` points to writable memory for one pointer. Before any work is done that is checked with [`check_out`], or, of an
/// output that may be left out, when the work is done.
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

/// Gives an object to the caller that has any number of owned handles: writes the first one to `*out`.
///
/// # Safety
/// As for [`hand_out`].
pub(crate) unsafe fn hand_out_counted<T>(out: *mut *mut T, object: T) {
    let handle = Arc::into_raw(Arc::new(object)).cast_mut();
    // SAFETY: the caller vouches for `out`.
    unsafe { out.write(handle) };
}

/// Another owned handle of a counted object.
///
/// # Safety
/// `handle` is null or came from [`hand_out_counted`] or from here, and was not released before.
pub(crate) unsafe fn share<T>(what: &str, handle: *const T) -> Outcome<*mut T> {
    not_null(what, handle)?;
    // SAFETY: not null, and from `Arc::into_raw` by contract.
    unsafe { Arc::increment_strong_count(handle) };
    Ok(handle.cast_mut())
}

/// Takes an owned handle of a counted object back; the last one drops it. Null is ignored.
///
/// # Safety
/// As for [`share`].
pub(crate) unsafe fn release_counted<T>(handle: *const T) {
    if !handle.is_null() {
        // SAFETY: not null, and from `Arc::into_raw` by contract.
        unsafe { Arc::decrement_strong_count(handle) };
    }
}

/// The object behind a handle.
///
/// # Safety
/// `handle` is null or points to a live object that nobody changes during `'a`.
pub(crate) unsafe fn get<'a, T>(what: &str, handle: *const T) -> Outcome<&'a T> {
    not_null(what, handle)?;
    // SAFETY: not null, and live by contract.
    Ok(unsafe { &*handle })
}

/// The object behind a handle, to change it.
///
/// # Safety
/// `handle` is null or points to a live object that nobody else uses during `'a`.
pub(crate) unsafe fn get_mut<'a, T>(what: &str, handle: *mut T) -> Outcome<&'a mut T> {
    not_null(what, handle)?;
    // SAFETY: not null, live and unshared by contract.
    Ok(unsafe { &mut *handle })
}

/// An error if there is nowhere to write a result.
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
