//! Text across the boundary: borrowed [`hcl_str`], owned [`hcl_buf`], and text coming in.

use libc::c_char;
use std::borrow::Cow;
use std::str::Utf8Error;

use hcl_eval::limits::{Limits, Meter};
use hcl_eval::value::Value;
use hcl_syntax::memory;

use crate::boundary::{Failure, Outcome, guard_or};
use crate::json::stopped;
use crate::status::hcl_status;
use crate::value::hcl_value;

/// A borrowed piece of UTF-8 text. It lives as long as the object it came from. `ptr` is **not** followed by a
/// NUL (print it with `"%.*s", (int)s.len, s.ptr`) and may itself contain NUL bytes. `ptr` is never null in
/// what the library returns.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_str {
    /// The first byte.
    pub ptr: *const c_char,
    /// The number of bytes.
    pub len: usize,
}

impl From<&str> for hcl_str {
    fn from(text: &str) -> Self {
        Self { ptr: text.as_ptr().cast(), len: text.len() }
    }
}

impl hcl_str {
    /// The empty text.
    pub(crate) const EMPTY: Self = Self { ptr: c"".as_ptr(), len: 0 };
}

/// As a length: the text ends with a NUL byte, measure it.
pub const HCL_NUL: usize = usize::MAX;

/// A text that comes in is copied to where it is kept, and once more on the way.
const COPIES: usize = 2;

/// Bytes coming in that are kept: as [`borrowed_in`], if there is memory for them.
///
/// # Safety
/// As for [`borrowed_in`].
#[inline] // For the reason that is told at `FrameState::set`.
pub(crate) unsafe fn bytes_in<'a>(what: &str, ptr: *const c_char, len: usize) -> Outcome<&'a [u8]> {
    // SAFETY: passed on.
    let bytes = unsafe { borrowed_in(what, ptr, len) }?;
    if memory::has_room_for(bytes.len().saturating_mul(COPIES)) {
        Ok(bytes)
    } else {
        Err(hcl_status::HCL_ERR_MEMORY.into())
    }
}

/// Bytes coming in: `len` of them, or up to a NUL when `len` is [`HCL_NUL`]. Zero length ignores the pointer.
///
/// # Safety
/// `ptr` is null or points to `len` readable bytes (to a NUL-terminated text when `len` is [`HCL_NUL`]) which
/// stay unchanged for `'a`.
#[inline] // By a call to set a text and a number and evaluate takes 2 % more instructions.
pub(crate) unsafe fn borrowed_in<'a>(what: &str, ptr: *const c_char, len: usize) -> Outcome<&'a [u8]> {
    if len == 0 {
        return Ok(&[]);
    }
    if ptr.is_null() {
        return Err(null_pointer(what));
    }
    if len == HCL_NUL {
        // SAFETY: the caller vouches for a NUL-terminated text.
        return Ok(unsafe { std::ffi::CStr::from_ptr(ptr) }.to_bytes());
    }
    if isize::try_from(len).is_err() {
        return Err(too_long(what, len));
    }
    // SAFETY: not null, and the caller vouches for `len` bytes.
    Ok(unsafe { std::slice::from_raw_parts(ptr.cast::<u8>(), len) })
}

/// Text coming in; as [`bytes_in`], and checked to be UTF-8.
///
/// # Safety
/// As for [`bytes_in`].
pub(crate) unsafe fn text_in<'a>(what: &str, ptr: *const c_char, len: usize) -> Outcome<&'a str> {
    // SAFETY: passed on.
    checked(what, unsafe { bytes_in(what, ptr, len) }?)
}

/// Text coming in that is checked within limits, and of which nothing is made before they have been asked for it; as
/// [`text_in`] otherwise.
///
/// # Safety
/// As for [`borrowed_in`].
pub(crate) unsafe fn limited_text_in<'a>(
    what: &str,
    ptr: *const c_char,
    len: usize,
    meter: &mut Meter,
) -> Outcome<&'a str> {
    // SAFETY: passed on.
    let bytes = unsafe { borrowed_in(what, ptr, len) }?;
    match meter.end_of_utf8(bytes).map_err(stopped)? == bytes.len() {
        // SAFETY: all of it has been checked.
        true => Ok(unsafe { str::from_utf8_unchecked(bytes) }),
        false => checked(what, bytes),
    }
}

/// From so many bytes on there are looks at limits while a text is checked.
const LONG: usize = 1 << 15;

/// Text coming in of which nothing is kept; as [`limited_text_in`] if it is long, and as [`text_in`] otherwise.
///
/// # Safety
/// As for [`borrowed_in`].
pub(crate) unsafe fn lent_text_in<'a>(
    what: &str,
    ptr: *const c_char,
    len: usize,
    limits: impl FnOnce() -> Limits,
) -> Outcome<&'a str> {
    // SAFETY: passed on.
    let bytes = unsafe { borrowed_in(what, ptr, len) }?;
    if bytes.len() <= LONG {
        return checked(what, bytes);
    }
    // SAFETY: passed on.
    unsafe { limited_text_in(what, bytes.as_ptr().cast(), bytes.len(), &mut Meter::new(limits())) }
}

/// The text that bytes are, if they are UTF-8. Most are ASCII, which takes less to tell: a parse of a condition from C takes 137
/// instructions fewer.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Utf8Error> {
    if bytes.is_ascii() {
        // SAFETY: ASCII is UTF-8.
        return Ok(unsafe { str::from_utf8_unchecked(bytes) });
    }
    str::from_utf8(bytes)
}

fn checked<'a>(what: &str, bytes: &'a [u8]) -> Outcome<&'a str> {
    utf8(bytes).map_err(|error| {
        Failure::argument(what, format_args!("is not UTF-8: byte {} is out of place.", error.valid_up_to()))
    })
}

/// Text coming in that people read, such as a name: bytes that are no UTF-8 become U+FFFD.
///
/// # Safety
/// As for [`bytes_in`].
pub(crate) unsafe fn shown_in<'a>(what: &str, ptr: *const c_char, len: usize) -> Outcome<Cow<'a, str>> {
    // SAFETY: passed on.
    shown(unsafe { bytes_in(what, ptr, len) }?)
}

/// Text coming in of which no more is kept than a diagnostic shows; as [`shown_in`] otherwise.
///
/// # Safety
/// As for [`borrowed_in`].
pub(crate) unsafe fn message_in<'a>(what: &str, ptr: *const c_char, len: usize) -> Outcome<Cow<'a, str>> {
    // SAFETY: passed on.
    shown(unsafe { borrowed_in(what, ptr, len) }?)
}

/// Each byte may become three, in a text that is copied when it grows.
const BYTES_FOR_BAD_BYTE: usize = 6;

fn shown(bytes: &[u8]) -> Outcome<Cow<'_, str>> {
    // Names are short and mostly valid: without the first look a parse from C takes 30 instructions more.
    match utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        Err(_) if memory::is_to_be_had(bytes.len().saturating_mul(BYTES_FOR_BAD_BYTE)) => {
            Ok(String::from_utf8_lossy(bytes))
        }
        Err(_) => Err(hcl_status::HCL_ERR_MEMORY.into()),
    }
}

/// An array coming in: `len` elements. With length 0 the pointer is not looked at.
///
/// # Safety
/// `ptr` is null or points to `len` readable elements, which stay unchanged for `'a`.
pub(crate) unsafe fn array_in<'a, T>(what: &str, ptr: *const T, len: usize) -> Outcome<&'a [T]> {
    if len == 0 {
        return Ok(&[]);
    }
    not_null(what, ptr)?;
    if len > isize::MAX.unsigned_abs() / size_of::<T>() {
        return Err(too_long(what, len));
    }
    // SAFETY: not null, and the caller vouches for the elements.
    Ok(unsafe { std::slice::from_raw_parts(ptr, len) })
}

fn too_long(what: &str, len: usize) -> Failure {
    Failure::argument(what, format_args!("has a length of {len}, more than memory can hold."))
}

/// Owned bytes, from a function with an `hcl_buf **` parameter. Release with `hcl_buf_free`.
#[derive(Debug)]
pub struct hcl_buf {
    /// The bytes, then one NUL that does not count.
    bytes: Vec<u8>,
    /// Values that cells of `hcl_eval_rows` borrow.
    values: Vec<Value>,
}

impl hcl_buf {
    pub(crate) fn new(text: String) -> Self {
        Self::with_values(text.into_bytes(), Vec::new())
    }

    /// Bytes and values, of which nothing moves any more.
    pub(crate) fn with_values(mut bytes: Vec<u8>, values: Vec<Value>) -> Self {
        bytes.push(0);
        Self { bytes, values }
    }

    /// The address of a byte, which may be the one after the last.
    pub(crate) fn text_at(&self, offset: usize) -> *const c_char {
        self.bytes[offset..].as_ptr().cast()
    }

    /// The handle of one of the values.
    pub(crate) fn value_at(&self, index: usize) -> *const hcl_value {
        hcl_value::borrow(&self.values[index])
    }
}

/// The text in `buf`. Unlike other texts it is followed by a NUL byte. Null gives the empty text.
///
/// The result is borrowed from `buf`. Any thread may call this while others do the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_buf_str(buf: *const hcl_buf) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by contract.
        let Some(buf) = (unsafe { buf.as_ref() }) else { return hcl_str::EMPTY };
        hcl_str { ptr: buf.bytes.as_ptr().cast(), len: buf.bytes.len() - 1 }
    })
}

/// Releases `buf` and the text borrowed from it. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_buf_free(buf: *mut hcl_buf) {
    // SAFETY: passed on.
    guard_or((), || unsafe { crate::handle::release(buf) });
}

/// Checks that `ptr` is not null; the error names the parameter.
pub(crate) fn not_null<T>(what: &str, ptr: *const T) -> Outcome {
    if ptr.is_null() { Err(null_pointer(what)) } else { Ok(()) }
}

/// The error for a parameter that must not be null.
#[inline(never)] // Its copies took 6 KB of the library.
pub(crate) fn null_pointer(what: &str) -> Failure {
    Failure::argument(what, "is a null pointer.")
}
