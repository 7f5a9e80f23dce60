//! Two values side by side, a value as another type, a number for what a value is.

use std::borrow::Cow;
use std::cmp::Ordering;

use hcl_eval::convert::convert_metered;
use hcl_eval::limits::Meter;
use hcl_eval::value::{Kind, Value};

use crate::boundary::{Outcome, guard_or, guard_with};
use crate::diagnostics::hcl_diags;
use crate::handle::{check_out, get, hand_out, put};
use crate::json::{count, refused, stopped};
use crate::limits::{hcl_limits, limits_in};
use crate::status::hcl_status;
use crate::string::not_null;
use crate::types::hcl_type;
use crate::value::{hcl_value, readable};

/// True if two values are equal in type, content, unknowns and marks. False for null pointers. Takes time in
/// proportion to the smaller one, which is at most some tenths of a second for the largest there can be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_identical(a: *const hcl_value, b: *const hcl_value) -> bool {
    guard_or(false, || {
        // SAFETY: null or live, by the contract of the interface.
        let a = unsafe { a.as_ref() };
        // SAFETY: as above.
        let b = unsafe { b.as_ref() };
        matches!((a, b), (Some(a), Some(b)) if a.value().raw_equals(b.value()))
    })
}

/// The answer of HCL's `==`: a bool that may be unknown and carries the marks of both. `limits` may be null. `*out` is
/// owned. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: comparing was stopped. `diags` as for `hcl_file_parse`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_equal(
    a: *const hcl_value,
    b: *const hcl_value,
    limits: *const hcl_limits,
    out: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut Vec<_>| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let a = unsafe { get("a", a) }?.value();
        // SAFETY: as above.
        let b = unsafe { get("b", b) }?.value();
        // SAFETY: null or a struct of the caller, readable as the interface asks.
        let mut meter = Meter::new(unsafe { limits_in("limits", limits) }?);
        // Marks of both are looked for everywhere, so both are looked at.
        count(a, &mut meter)?;
        count(b, &mut meter)?;
        let equal = a.equals_within(b, &mut meter).map_err(stopped)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_value::new(equal)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// The order of two numbers by size, of two texts by their bytes, or of two bools, `false` first: `*out` is -1, 0 or 1.
/// HCL_ERR_TYPE: they are of different kinds, or of another one. Otherwise as `hcl_value_as_bool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_compare(
    a: *const hcl_value,
    b: *const hcl_value,
    out: *mut i32,
) -> hcl_status {
    crate::boundary::guard(|| {
        check_out("out", out)?;
        not_null("a", a)?;
        not_null("b", b)?;
        // SAFETY: null or live, by the contract of the interface.
        let a = unsafe { readable(a) }?;
        // SAFETY: as above.
        let b = unsafe { readable(b) }?;
        let order = order(a, b)? as i32;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, order) };
        Ok(())
    })
}

fn order(a: &Value, b: &Value) -> Outcome<Ordering> {
    let order = match (a.kind(), b.kind()) {
        (Kind::Number, Kind::Number) => a.as_number().zip(b.as_number()).map(|(a, b)| a.cmp(b)),
        (Kind::String, Kind::String) => a.as_str().zip(b.as_str()).map(|(a, b)| a.cmp(b)),
        (Kind::Bool, Kind::Bool) => a.as_bool().zip(b.as_bool()).map(|(a, b)| a.cmp(&b)),
        _ => None,
    };
    Ok(order.ok_or(hcl_status::HCL_ERR_TYPE)?)
}

/// A number for what a value is: identical values have the same, on every machine and in every version of the library with
/// the same first two numbers. Not fit against those who choose values to collide. `limits` may be null. `diags` as for
/// `hcl_file_parse`.
///
/// HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: the work was stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_hash(
    value: *const hcl_value,
    limits: *const hcl_limits,
    out: *mut u64,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut Vec<_>| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { get("value", value) }?.value();
        // SAFETY: null or a struct of the caller, readable as the interface asks.
        let mut meter = Meter::new(unsafe { limits_in("limits", limits) }?);
        count(value, &mut meter)?;
        let fingerprint = value.fingerprint_within(&mut meter).map_err(stopped)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, fingerprint) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// A value as another type, by HCL's conversion rules, completed with the defaults of the type if it has any. `limits` may
/// be null. `*out` is owned; `diags` as for
/// `hcl_file_parse`. HCL_ERR_TYPE: there is no conversion, or it fails for this value; the diagnostic says why.
/// HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: it was stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_convert(
    value: *const hcl_value,
    ty: *const hcl_type,
    limits: *const hcl_limits,
    out: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut Vec<_>| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { get("value", value) }?.value();
        // SAFETY: as above.
        let ty = unsafe { get("ty", ty) }?;
        // SAFETY: null or a struct of the caller, readable as the interface asks.
        let mut meter = Meter::new(unsafe { limits_in("limits", limits) }?);
        let completed = match ty.defaults() {
            Some(defaults) => {
                count(value, &mut meter)?;
                Cow::Owned(defaults.apply_within(value, &mut meter).map_err(stopped)?)
            }
            None => Cow::Borrowed(value),
        };
        let converted = convert_metered(&completed, &ty.0, &mut meter)
            .map_err(|error| refused(&error, hcl_status::HCL_ERR_TYPE))?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_value::new(converted)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}
