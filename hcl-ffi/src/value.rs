//! Values: making and reading scalars.
//!
//! [`hcl_value`] is the engine's own value in place, so that a child is borrowed as a pointer into its parent
//! and nothing is allocated for reading.

use libc::c_char;
use std::ptr;

use hcl_eval::types::Type;
use hcl_eval::value::{Kind, Number, Value};

use crate::allocator::settle;
use crate::boundary::{Outcome, guard, guard_or};
use crate::handle::{check_out, get, hand_out, put, release};
use crate::json::stopped;
use crate::room::asking;
use crate::status::hcl_status;
use crate::string::{hcl_buf, hcl_str, text_in};
use crate::types::hcl_type;

/// From so many parts on the release of a value leaves many small blocks.
const LARGE: u32 = 1 << 16;

/// A value. Immutable; use it from any thread. What comes through an `hcl_value **` is owned: release it with
/// `hcl_value_free`. What is returned is borrowed; `hcl_value_ref` makes it a handle of its own, cheaply.
#[derive(Debug)]
#[repr(transparent)]
pub struct hcl_value(Value);

impl hcl_value {
    pub(crate) fn new(value: Value) -> Self {
        Self(value)
    }

    pub(crate) fn value(&self) -> &Value {
        &self.0
    }

    /// A borrowed handle to a value that something else keeps alive.
    pub(crate) fn borrow(value: &Value) -> *const Self {
        ptr::from_ref(value).cast()
    }
}

/// `hcl_value_kind`: null, of any type.
pub const HCL_KIND_NULL: u32 = 0;
/// `hcl_value_kind`: true or false.
pub const HCL_KIND_BOOL: u32 = 1;
/// `hcl_value_kind`: a number.
pub const HCL_KIND_NUMBER: u32 = 2;
/// `hcl_value_kind`: a text.
pub const HCL_KIND_STRING: u32 = 3;
/// `hcl_value_kind`: elements of one type, in order.
pub const HCL_KIND_LIST: u32 = 4;
/// `hcl_value_kind`: distinct elements of one type, sorted.
pub const HCL_KIND_SET: u32 = 5;
/// `hcl_value_kind`: elements of one type by key, sorted by key.
pub const HCL_KIND_MAP: u32 = 6;
/// `hcl_value_kind`: elements of any types, in order.
pub const HCL_KIND_TUPLE: u32 = 7;
/// `hcl_value_kind`: attributes of any types by name, sorted by name.
pub const HCL_KIND_OBJECT: u32 = 8;
/// `hcl_value_kind`: not known yet.
pub const HCL_KIND_UNKNOWN: u32 = 9;
/// `hcl_value_kind`: something of the host's that HCL passes around unseen.
pub const HCL_KIND_CAPSULE: u32 = 10;
/// `hcl_value_kind` of a null pointer.
pub const HCL_KIND_INVALID: u32 = 255;

pub(crate) fn kind_number(kind: Kind) -> u32 {
    match kind {
        Kind::Null => HCL_KIND_NULL,
        Kind::Bool => HCL_KIND_BOOL,
        Kind::Number => HCL_KIND_NUMBER,
        Kind::String => HCL_KIND_STRING,
        Kind::List => HCL_KIND_LIST,
        Kind::Set => HCL_KIND_SET,
        Kind::Map => HCL_KIND_MAP,
        Kind::Tuple => HCL_KIND_TUPLE,
        Kind::Object => HCL_KIND_OBJECT,
        Kind::Unknown => HCL_KIND_UNKNOWN,
        Kind::Capsule => HCL_KIND_CAPSULE,
    }
}

/// Runs `make` and hands its value out.
///
/// # Safety
/// `out` is null or writable.
pub(crate) unsafe fn make(out: *mut *mut hcl_value, make: impl FnOnce() -> Outcome<Value>) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        let value = make()?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_value(value)) };
        Ok(())
    })
}

/// A null of the given type; of no particular type when `ty` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_null(ty: *const hcl_type, out: *mut *mut hcl_value) -> hcl_status {
    let null = || {
        // SAFETY: null or live, by the contract of the interface.
        Ok(Value::null(unsafe { ty.as_ref() }.map_or(Type::Dynamic, |ty| ty.0.clone())))
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { make(out, null) }
}

/// A value of the given type that is not known yet; of unknown type when `ty` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_unknown(ty: *const hcl_type, out: *mut *mut hcl_value) -> hcl_status {
    let unknown = || {
        // SAFETY: null or live, by the contract of the interface.
        Ok(Value::unknown(unsafe { ty.as_ref() }.map_or(Type::Dynamic, |ty| ty.0.clone())))
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { make(out, unknown) }
}

/// `true` or `false`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_bool(value: bool, out: *mut *mut hcl_value) -> hcl_status {
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { make(out, || Ok(Value::bool(value))) }
}

/// A whole number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_i64(value: i64, out: *mut *mut hcl_value) -> hcl_status {
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { make(out, || Ok(Value::int(value))) }
}

/// A whole number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_u64(value: u64, out: *mut *mut hcl_value) -> hcl_status {
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { make(out, || Ok(Value::number(Number::from_u64(value)))) }
}

/// The number that a double is, exactly. HCL_ERR_RANGE: it is not a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_f64(value: f64, out: *mut *mut hcl_value) -> hcl_status {
    let number = || Ok(Value::number(Number::from_f64(value).ok_or(hcl_status::HCL_ERR_RANGE)?));
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { make(out, number) }
}

/// The number that a decimal text is.
///
/// # Safety
/// The text is readable as the interface asks.
pub(crate) unsafe fn number_in(text: *const c_char, text_len: usize) -> Outcome<Value> {
    // SAFETY: passed on.
    let text = unsafe { text_in("text", text, text_len) }?;
    Ok(Value::number(Number::parse(text).ok_or(hcl_status::HCL_ERR_RANGE)?))
}

/// The number that a decimal text is, to 512 bits: `"0.1"`, `"-1e100"`. HCL_ERR_RANGE: the text is no number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_number(
    text: *const c_char,
    text_len: usize,
    out: *mut *mut hcl_value,
) -> hcl_status {
    // SAFETY: a text of the caller, readable as the interface asks.
    let number = || unsafe { number_in(text, text_len) };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { make(out, number) }
}

/// A text. It is copied, and brought to Unicode normalization form C as HCL asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_string(
    text: *const c_char,
    text_len: usize,
    out: *mut *mut hcl_value,
) -> hcl_status {
    // SAFETY: a text of the caller, readable as the interface asks.
    let string = || Ok(Value::string(unsafe { text_in("text", text, text_len) }?));
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { make(out, string) }
}

/// Another owned handle to the same value, also of a borrowed one. Nothing is copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_ref(value: *const hcl_value, out: *mut *mut hcl_value) -> hcl_status {
    // SAFETY: null or live, by the contract of the interface.
    let same = || Ok(unsafe { get("value", value) }?.0.clone());
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { make(out, same) }
}

/// Releases an owned value. Null is ignored. What was returned by a reading function is not owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_free(value: *mut hcl_value) {
    guard_or((), || {
        // SAFETY: null or live.
        let is_large = unsafe { value.as_ref() }.is_some_and(|value| value.0.weight() > LARGE);
        // SAFETY: null or owned and unused, by the contract of the interface.
        unsafe { release(value) };
        if is_large {
            settle();
        }
    });
}

/// Returns the kind of a value: `HCL_KIND_…`. Marks don't matter. `HCL_KIND_INVALID` for a null pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_kind(value: *const hcl_value) -> u32 {
    guard_or(HCL_KIND_INVALID, || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { value.as_ref() }.map_or(HCL_KIND_INVALID, |value| kind_number(value.0.kind()))
    })
}

/// The type of a value. `*out` is owned. Takes time in proportion to the number of elements of tuples and objects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_type(value: *const hcl_value, out: *mut *mut hcl_type) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let value = &unsafe { get("value", value) }?.0;
        let ty = asking(|meter| value.type_within(meter))?.map_err(stopped)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_type::new(ty)) };
        Ok(())
    })
}

/// Asks one question of a value; false for a null pointer.
///
/// # Safety
/// `value` is null or live.
unsafe fn ask(value: *const hcl_value, question: impl FnOnce(&Value) -> bool) -> bool {
    // SAFETY: passed on.
    guard_or(false, || unsafe { value.as_ref() }.is_some_and(|value| question(&value.0)))
}

/// True if a value is null. False for a null pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_is_null(value: *const hcl_value) -> bool {
    // SAFETY: null or live, by the contract of the interface.
    unsafe { ask(value, Value::is_null) }
}

/// True if a value is known; something inside it may still be unknown. False for a null pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_is_known(value: *const hcl_value) -> bool {
    // SAFETY: null or live, by the contract of the interface.
    unsafe { ask(value, Value::is_known) }
}

/// True if a value and everything inside it is known. False for a null pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_is_wholly_known(value: *const hcl_value) -> bool {
    // SAFETY: null or live, by the contract of the interface.
    unsafe { ask(value, Value::is_wholly_known) }
}

/// True if a value itself carries a mark. False for a null pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_is_marked(value: *const hcl_value) -> bool {
    // SAFETY: null or live, by the contract of the interface.
    unsafe { ask(value, Value::is_marked) }
}

/// True if a value or anything inside it carries a mark. False for a null pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_contains_marks(value: *const hcl_value) -> bool {
    // SAFETY: null or live, by the contract of the interface.
    unsafe { ask(value, Value::contains_marks) }
}

/// A value that may be read: known, not null, not marked.
///
/// # Safety
/// `value` is null or live for `'a`.
pub(crate) unsafe fn readable<'a>(value: *const hcl_value) -> Outcome<&'a Value> {
    // SAFETY: passed on.
    let value = &unsafe { get("value", value) }?.0;
    check_readable(value)?;
    Ok(value)
}

/// An error if a value is marked or not known.
pub(crate) fn check_readable(value: &Value) -> Outcome {
    if value.is_marked() {
        return Err(hcl_status::HCL_ERR_MARKED.into());
    }
    if !value.is_known() {
        return Err(hcl_status::HCL_ERR_UNKNOWN.into());
    }
    Ok(())
}

/// The bool of a value.
///
/// Reading functions answer: HCL_ERR_TYPE for a value of another kind, null included; HCL_ERR_UNKNOWN for one
/// that is not known; HCL_ERR_MARKED for one that carries a mark (`hcl_value_unmark_deep` first).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_as_bool(value: *const hcl_value, out: *mut bool) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let read = unsafe { readable(value) }?.as_bool().ok_or(hcl_status::HCL_ERR_TYPE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, read) };
        Ok(())
    })
}

/// # Safety
/// `value` is null or live for `'a`.
unsafe fn number<'a>(value: *const hcl_value) -> Outcome<&'a Number> {
    // SAFETY: passed on.
    Ok(unsafe { readable(value) }?.as_number().ok_or(hcl_status::HCL_ERR_TYPE)?)
}

/// The number of a value as an `int64_t`. HCL_ERR_RANGE: it is not whole, or does not fit. Otherwise as
/// `hcl_value_as_bool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_as_i64(value: *const hcl_value, out: *mut i64) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let read = unsafe { number(value) }?.to_i64().ok_or(hcl_status::HCL_ERR_RANGE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, read) };
        Ok(())
    })
}

/// The number of a value as a `uint64_t`. HCL_ERR_RANGE: it is not whole, or does not fit. Otherwise as
/// `hcl_value_as_bool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_as_u64(value: *const hcl_value, out: *mut u64) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let read = unsafe { number(value) }?.to_u64().ok_or(hcl_status::HCL_ERR_RANGE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, read) };
        Ok(())
    })
}

/// The double nearest to the number of a value; `*exact`, unless `exact` is null, tells whether it is that
/// number. Otherwise as `hcl_value_as_bool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_as_f64(
    value: *const hcl_value,
    out: *mut f64,
    exact: *mut bool,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let (read, is_exact) = unsafe { number(value) }?.f64_exact();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, read) };
        if !exact.is_null() {
            // SAFETY: not null, writable by contract.
            unsafe { put(exact, is_exact) };
        }
        Ok(())
    })
}

/// Number texts longer than this are refused: `1e999999999` has a billion digits.
const MAX_NUMBER_TEXT: u64 = 16 << 20;

/// The number of a value as decimal text, without exponent and in full. `*out` is owned. Takes time in
/// proportion to the text. HCL_ERR_LIMIT: it would be longer than 16 MiB. Otherwise as `hcl_value_as_bool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_number_text(
    value: *const hcl_value,
    out: *mut *mut hcl_buf,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let number = unsafe { number(value) }?;
        if number.text_len_bound() > MAX_NUMBER_TEXT {
            return Err(hcl_status::HCL_ERR_LIMIT.into());
        }
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::new(number.to_text())) };
        Ok(())
    })
}

/// The text of a value, borrowed from it. Otherwise as `hcl_value_as_bool`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_as_str(value: *const hcl_value, out: *mut hcl_str) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let read = unsafe { readable(value) }?.as_str().ok_or(hcl_status::HCL_ERR_TYPE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, hcl_str::from(read)) };
        Ok(())
    })
}
