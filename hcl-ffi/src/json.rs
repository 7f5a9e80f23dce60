//! JSON and other texts, in and out.

use libc::c_char;

use hcl_eval::types::Type;
use hcl_eval::value::{Reveal, Value};

use crate::boundary::{Failure, Outcome, guard};
use crate::handle::{check_out, get, hand_out};
use crate::status::hcl_status;
use crate::string::{hcl_buf, text_in};
use crate::types::hcl_type;
use crate::value::{hcl_value, make};

/// JSON. Reading without a type gives objects and tuples; with one, what the type says. Writing refuses what JSON
/// has no word for: unknown, marked and infinite values.
pub const HCL_FORMAT_JSON: u32 = 0;
/// JSON that carries the type: `{"value": …, "type": …}`. Reading and writing give the same value again.
pub const HCL_FORMAT_TYPED_JSON: u32 = 1;
/// HCL as a console shows it; only for writing. Sensitive values are shown as such, not by their content.
pub const HCL_FORMAT_CONSOLE: u32 = 2;

/// The longest text written.
const MAX_TEXT: usize = 1 << 30;

/// Reads a value from text: `HCL_FORMAT_JSON` or `HCL_FORMAT_TYPED_JSON`. `ty` may be null.
///
/// HCL_ERR_DIAGNOSTICS: the text is no JSON, or not of that type; `*why`, unless `why` is null, is then an owned text
/// that says why, else null. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_decode(
    format: u32,
    text: *const c_char,
    text_len: usize,
    ty: *const hcl_type,
    out: *mut *mut hcl_value,
    why: *mut *mut hcl_buf,
) -> hcl_status {
    let mut reason = None;
    let read = || {
        // SAFETY: a text of the caller, readable as the interface asks.
        let text = unsafe { text_in("text", text, text_len) }?;
        // SAFETY: null or live, by the contract of the interface.
        let ty = unsafe { ty.as_ref() };
        let value = match (format, ty) {
            (HCL_FORMAT_JSON, None) => Value::from_json_implied(text),
            (HCL_FORMAT_JSON, Some(ty)) => Value::from_json(text, &ty.0),
            (HCL_FORMAT_TYPED_JSON, _) => Value::from_json(text, &Type::Dynamic),
            _ => return Err(hcl_status::HCL_ERR_UNSUPPORTED.into()),
        };
        value.map_err(|error| {
            reason = Some(error.detail());
            Failure::from(hcl_status::HCL_ERR_DIAGNOSTICS)
        })
    };
    // SAFETY: null or writable, by the contract of the interface.
    let status = unsafe { make(out, read) };
    if !why.is_null() {
        let text = reason.map_or(std::ptr::null_mut(), |text| Box::into_raw(Box::new(hcl_buf::new(text))));
        // SAFETY: not null, writable by contract.
        unsafe { why.write(text) };
    }
    status
}

/// Writes a value as text: `HCL_FORMAT_…`. `flags` must be 0. `*out` is owned.
///
/// HCL_ERR_UNKNOWN, HCL_ERR_MARKED: something in the value is unknown or marked and the format can't say so.
/// HCL_ERR_TYPE: it is of a kind the format has no word for, such as an infinity. HCL_ERR_LIMIT: the text would be longer
/// than 1 GiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_encode(
    value: *const hcl_value,
    format: u32,
    flags: u32,
    out: *mut *mut hcl_buf,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { get("value", value) }?.value();
        if flags != 0 {
            return Err(hcl_status::HCL_ERR_ARGUMENT.into());
        }
        let text = encode(value, format)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::new(text)) };
        Ok(())
    })
}

fn encode(value: &Value, format: u32) -> Outcome<String> {
    let text = match format {
        HCL_FORMAT_CONSOLE => value.display_console_bounded(Reveal::Redacted, MAX_TEXT),
        HCL_FORMAT_JSON | HCL_FORMAT_TYPED_JSON if value.contains_marks() => {
            return Err(hcl_status::HCL_ERR_MARKED.into());
        }
        HCL_FORMAT_JSON | HCL_FORMAT_TYPED_JSON if !value.is_wholly_known() => {
            return Err(hcl_status::HCL_ERR_UNKNOWN.into());
        }
        HCL_FORMAT_JSON => value.to_json_bounded(MAX_TEXT),
        HCL_FORMAT_TYPED_JSON => value.to_typed_json_bounded(&Type::Dynamic, MAX_TEXT),
        _ => return Err(hcl_status::HCL_ERR_UNSUPPORTED.into()),
    };
    text.map_err(|error| {
        let limit = error.code().starts_with("limit.");
        if limit { hcl_status::HCL_ERR_LIMIT.into() } else { hcl_status::HCL_ERR_TYPE.into() }
    })
}
