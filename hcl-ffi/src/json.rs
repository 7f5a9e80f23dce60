//! JSON and other texts, in and out.

use libc::c_char;

use hcl_eval::limits::{LimitReached, Limits, Meter};
use hcl_eval::types::Type;
use hcl_eval::value::{Layout, Reveal, Value, ValueError, ValueErrorKind};
use hcl_syntax::diagnostic::Diagnostic;

use crate::boundary::{Failure, Outcome, guard_with};
use crate::diagnostics::{hcl_diags, status_of};
use crate::handle::{check_out, get, hand_out};
use crate::limits::{hcl_limits, limits_in};
use crate::status::hcl_status;
use crate::string::{hcl_buf, limited_text_in};
use crate::types::hcl_type;
use crate::value::hcl_value;

/// JSON. Reading without a type gives objects and tuples; with one, what the type says. Writing refuses what JSON
/// has no word for: unknown, marked and infinite values. It escapes `<`, `>` and `&` in texts, as `jsonencode` does.
pub const HCL_FORMAT_JSON: u32 = 0;
/// JSON that carries the type: `{"value": …, "type": …}`. Reading and writing give the same value again.
pub const HCL_FORMAT_TYPED_JSON: u32 = 1;
/// HCL as a console shows it; only for writing. In place of what is marked stands a remark.
pub const HCL_FORMAT_CONSOLE: u32 = 2;
/// HCL in one line, unknown values with their type; only for writing. Identical values give the same text. In place of
/// what is marked stands a remark.
pub const HCL_FORMAT_CANONICAL: u32 = 3;

/// `hcl_value_encode`: writes what is marked as if it were not.
pub const HCL_ENCODE_REVEAL: u32 = 1;
/// `hcl_value_encode`: writes null for what is unknown, in the JSON formats.
pub const HCL_ENCODE_UNKNOWN_AS_NULL: u32 = 2;

/// Turns the problem of a value into a failure: the limit that was reached, or `otherwise`.
pub(crate) fn refused(error: &ValueError, otherwise: hcl_status) -> Failure {
    let place = error.path.to_short_text();
    let detail = if place.is_empty() { error.detail() } else { format!("At {place}: {}", error.detail()) };
    let diagnostics = vec![Diagnostic::error(error.code(), error.summary(), detail)];
    let status = match status_of(&diagnostics) {
        hcl_status::HCL_ERR_DIAGNOSTICS => otherwise,
        stopped => stopped,
    };
    Failure { status, diagnostics }
}

/// Reads a value from text: `HCL_FORMAT_JSON` or `HCL_FORMAT_TYPED_JSON`. `ty` and `limits` may be null.
///
/// With a type, attributes that the text lacks are null, required ones too, and defaults are not filled in: `hcl_value_convert`
/// does that and refuses.
///
/// HCL_ERR_DIAGNOSTICS: the text is no JSON, or not of that type. HCL_ERR_UNSUPPORTED: the format can't be read.
/// HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: reading was stopped. `*out` is owned; `diags` as for
/// `hcl_file_parse`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_decode(
    format: u32,
    text: *const c_char,
    text_len: usize,
    ty: *const hcl_type,
    limits: *const hcl_limits,
    out: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut Vec<_>| {
        check_out("out", out)?;
        // SAFETY: null or a struct of the caller, readable as the interface asks.
        let mut meter = Meter::new(unsafe { limits_in("limits", limits) }?);
        // SAFETY: a text of the caller, readable as the interface asks.
        let text = unsafe { limited_text_in("text", text, text_len, &mut meter) }?;
        // SAFETY: null or live, by the contract of the interface.
        let ty = unsafe { ty.as_ref() };
        let ty = match (format, ty) {
            (HCL_FORMAT_JSON, ty) => ty.map(|ty| &ty.0),
            (HCL_FORMAT_TYPED_JSON, _) => Some(&Type::Dynamic),
            _ => return Err(hcl_status::HCL_ERR_UNSUPPORTED.into()),
        };
        let value = Value::from_json_metered(text, ty, &mut meter)
            .map_err(|error| refused(&error, hcl_status::HCL_ERR_DIAGNOSTICS))?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_value::new(value)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// Writes a value as text: `HCL_FORMAT_…`. `flags` are `HCL_ENCODE_…`, joined by `|`; `limits` may be null.
///
/// HCL_ERR_UNKNOWN, HCL_ERR_MARKED: something in the value is unknown or marked, the format can't say so, and no flag says
/// what to write. HCL_ERR_TYPE: it is of a kind the format has no word for, such as an infinity. HCL_ERR_UNSUPPORTED: there
/// is no such format. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: writing was stopped. `*out` is owned; `diags` as
/// for `hcl_file_parse`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_encode(
    value: *const hcl_value,
    format: u32,
    flags: u32,
    limits: *const hcl_limits,
    out: *mut *mut hcl_buf,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut Vec<_>| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { get("value", value) }?.value();
        if flags & !(HCL_ENCODE_REVEAL | HCL_ENCODE_UNKNOWN_AS_NULL) != 0 {
            return Err(Failure::unknown_flag("flags"));
        }
        // SAFETY: null or a struct of the caller, readable as the interface asks.
        let text = encode(value, format, flags, unsafe { limits_in("limits", limits) }?)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::new(text)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// A value as a text of a format.
pub(crate) fn encode(value: &Value, format: u32, flags: u32, limits: Limits) -> Outcome<String> {
    let mut meter = Meter::new(limits);
    let is_json = match format {
        HCL_FORMAT_JSON | HCL_FORMAT_TYPED_JSON => true,
        HCL_FORMAT_CONSOLE | HCL_FORMAT_CANONICAL => false,
        _ => return Err(hcl_status::HCL_ERR_UNSUPPORTED.into()),
    };
    let reveal = flags & HCL_ENCODE_REVEAL != 0;
    let failed = |error: ValueError| {
        let status = match error.kind {
            ValueErrorKind::JsonMarked => hcl_status::HCL_ERR_MARKED,
            ValueErrorKind::JsonUnknown => hcl_status::HCL_ERR_UNKNOWN,
            _ => hcl_status::HCL_ERR_TYPE,
        };
        refused(&error, status)
    };
    if !is_json {
        let reveal = if reveal { Reveal::Everything } else { Reveal::Unmarked };
        let layout = if format == HCL_FORMAT_CONSOLE { Layout::Lines } else { Layout::Line };
        return value.display_metered(reveal, layout, &mut meter).map_err(failed);
    }
    let (unmarked, known);
    let mut value = value;
    if reveal && value.contains_marks() {
        count(value, &mut meter)?;
        unmarked = value.unmark_deep_within(&mut meter).map_err(stopped)?.0;
        value = &unmarked;
    }
    if flags & HCL_ENCODE_UNKNOWN_AS_NULL != 0 && !value.is_wholly_known() {
        count(value, &mut meter)?;
        known = value.unknown_as_null_within(&mut meter).map_err(stopped)?;
        value = &known;
    }
    let ty = (format == HCL_FORMAT_TYPED_JSON).then_some(&Type::Dynamic);
    value.to_json_metered(ty, &mut meter).map_err(failed)
}

/// Charges for work that looks at all of a value once, and at the limits now and then.
pub(crate) fn count(value: &Value, meter: &mut Meter) -> Outcome {
    meter.elements(usize::try_from(value.weight()).unwrap_or(usize::MAX)).map_err(stopped)
}

/// The failure of a call that a limit ended.
pub(crate) fn stopped(limit: LimitReached) -> Failure {
    refused(&limit.into(), hcl_status::HCL_ERR_LIMIT)
}
