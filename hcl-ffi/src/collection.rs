//! Reading what is inside a value: elements by index, attributes by name. Children are borrowed.

use libc::c_char;
use std::ptr;

use hcl_eval::Str;
use hcl_eval::value::Value;

use crate::boundary::{Outcome, guard, guard_or};
use crate::handle::{check_out, put};
use crate::status::hcl_status;
use crate::string::{hcl_str, text_in};
use crate::value::{hcl_value, readable};

/// The number of elements of a list, set, tuple, map or object. Otherwise as `hcl_value_as_bool`.
///
/// The order of elements is defined: lists and tuples as written, sets sorted, maps and objects by key. So an
/// index from 0 to the length is how one iterates.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_len(value: *const hcl_value, out: *mut usize) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let len = unsafe { readable(value) }?.len().ok_or(hcl_status::HCL_ERR_TYPE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, len) };
        Ok(())
    })
}

/// # Safety
/// `value` is null or live for `'a`.
unsafe fn element<'a>(value: *const hcl_value, index: usize) -> Outcome<(Option<&'a str>, &'a Value)> {
    // SAFETY: passed on.
    let value = unsafe { readable(value) }?;
    let parts = value.parts().ok_or(hcl_status::HCL_ERR_TYPE)?;
    let element = parts.get(index).ok_or(hcl_status::HCL_ERR_RANGE)?;
    let key = value.shape().and_then(|shape| shape.names().get(index));
    Ok((key.map(Str::as_str), element))
}

/// The element at `index`, borrowed from `value`; null when there are not that many, or `value` has no elements
/// or is marked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_at(value: *const hcl_value, index: usize) -> *const hcl_value {
    guard_or(ptr::null(), || {
        // SAFETY: null or live, by the contract of the interface.
        let found = unsafe { element(value, index) };
        found.map_or(ptr::null(), |(_, element)| hcl_value::borrow(element))
    })
}

/// The key of the element at `index` of a map or object, borrowed from `value`.
///
/// HCL_ERR_TYPE: no map or object. HCL_ERR_RANGE: there are not that many. Otherwise as `hcl_value_as_bool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_key_at(
    value: *const hcl_value,
    index: usize,
    out: *mut hcl_str,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let (key, _) = unsafe { element(value, index) }?;
        let key = key.ok_or(hcl_status::HCL_ERR_TYPE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, hcl_str::from(key)) };
        Ok(())
    })
}

/// The element of a map, or the attribute of an object, with the given name, borrowed from `value`; null when
/// there is none, or `value` is of another kind or marked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_get(
    value: *const hcl_value,
    key: *const c_char,
    key_len: usize,
) -> *const hcl_value {
    guard_or(ptr::null(), || {
        // SAFETY: null or live, by the contract of the interface.
        let Ok(value) = (unsafe { readable(value) }) else { return ptr::null() };
        // SAFETY: a text of the caller, readable as the interface asks.
        let Ok(key) = (unsafe { text_in("key", key, key_len) }) else { return ptr::null() };
        value.get_attribute(key).map_or(ptr::null(), hcl_value::borrow)
    })
}
