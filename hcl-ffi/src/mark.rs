//! Marks: names that a value carries with it, such as `sensitive`.

use libc::c_char;
use std::ops::ControlFlow::{Break, Continue};

use hcl_eval::limits::Meter;
use hcl_eval::value::{Mark, Value};
use hcl_syntax::config::push_within;

use crate::boundary::{Outcome, guard, guard_or, guard_with};
use crate::diagnostics::hcl_diags;
use crate::handle::{check_out, get, hand_out, put, release};
use crate::json::{count, stopped};
use crate::limits::{hcl_limits, limits_in};
use crate::status::hcl_status;
use crate::string::{hcl_str, text_in};
use crate::value::{hcl_value, make};

/// True if a value itself carries the mark of the given name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_has_mark(
    value: *const hcl_value,
    name: *const c_char,
    name_len: usize,
) -> bool {
    guard_or(false, || {
        // SAFETY: null or live, by the contract of the interface.
        let Ok(value) = (unsafe { get("value", value) }) else { return false };
        // SAFETY: a text of the caller, readable as the interface asks.
        let Ok(name) = (unsafe { text_in("name", name, name_len) }) else { return false };
        value.value().marks().contains_name(name)
    })
}

/// How many marks a value itself carries. Null counts as none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_mark_count(value: *const hcl_value) -> usize {
    guard_or(0, || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { value.as_ref() }.map_or(0, |value| value.value().marks().iter().count())
    })
}

/// The name of the mark at `index` of those that a value itself carries, sorted, borrowed from the value; empty when there
/// are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_mark_at(value: *const hcl_value, index: usize) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        let Some(value) = (unsafe { value.as_ref() }) else { return hcl_str::EMPTY };
        value.value().marks().iter().nth(index).map_or(hcl_str::EMPTY, |mark| mark.name().into())
    })
}

/// The value with a mark of the given name added. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_mark(
    value: *const hcl_value,
    name: *const c_char,
    name_len: usize,
    out: *mut *mut hcl_value,
) -> hcl_status {
    let marked = || {
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { get("value", value) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let name = unsafe { text_in("name", name, name_len) }?;
        Ok(value.value().clone().mark(Mark::new(name)))
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { make(out, marked) }
}

/// Which parts of a value carry marks. Immutable; use it from any thread. Release with `hcl_marks_free`.
#[derive(Debug)]
pub struct hcl_marks {
    /// The place of a part and the name of a mark on it.
    list: Vec<(String, Mark)>,
}

/// How much work it is to write a path down.
const PARTS_OF_PATH: usize = 8;

impl hcl_marks {
    fn of(value: &Value, meter: &mut Meter) -> Outcome<Self> {
        let mut list = Vec::new();
        value.walk_while(&mut |path, part| {
            let goes_on = meter.go_on(1).is_ok();
            let mut add = |mark: &Mark| {
                let goes_on = meter.go_on(PARTS_OF_PATH).is_ok();
                goes_on && push_within(&mut list, (path.to_text(), mark.clone()), meter)
            };
            match goes_on && part.marks().iter().all(&mut add) {
                true => Continue(part.unmarked().contains_marks()),
                false => Break(()),
            }
        });
        meter.stopped().map_or(Ok(Self { list }), |limit| Err(stopped(limit)))
    }
}

/// The value without any marks, its own or inside: what was marked `sensitive` becomes readable. `*out` is owned.
///
/// `*marks`, unless `marks` is null, is an owned list of where the marks were. `limits` may be null. HCL_ERR_LIMIT,
/// HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: the work was stopped. `diags` as for `hcl_file_parse`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_value_unmark_deep(
    value: *const hcl_value,
    limits: *const hcl_limits,
    out: *mut *mut hcl_value,
    marks: *mut *mut hcl_marks,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut Vec<_>| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { get("value", value) }?.value();
        // SAFETY: null or a struct of the caller, readable as the interface asks.
        let mut meter = Meter::new(unsafe { limits_in("limits", limits) }?);
        if value.contains_marks() {
            count(value, &mut meter)?;
        }
        let plain = value.unmark_deep_within(&mut meter).map_err(stopped)?.0;
        if !marks.is_null() {
            let list = hcl_marks::of(value, &mut meter)?;
            // SAFETY: not null, writable by contract.
            unsafe { hand_out(marks, list) };
        }
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_value::new(plain)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// How many marks there are in a list. Null counts as empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_marks_count(marks: *const hcl_marks) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { marks.as_ref() }.map_or(0, |marks| marks.list.len()))
}

/// The mark at `index`: the place of the part that carried it, for example `.users[0].password`, empty for the value
/// itself, and its name. Both are borrowed from `marks`. HCL_ERR_RANGE: there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_marks_at(
    marks: *const hcl_marks,
    index: usize,
    path: *mut hcl_str,
    name: *mut hcl_str,
) -> hcl_status {
    guard(|| {
        check_out("path", path)?;
        check_out("name", name)?;
        // SAFETY: null or live, by the contract of the interface.
        let marks = unsafe { get("marks", marks) }?;
        let (place, mark) = marks.list.get(index).ok_or(hcl_status::HCL_ERR_RANGE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(path, hcl_str::from(place.as_str())) };
        // SAFETY: as above.
        unsafe { put(name, hcl_str::from(mark.name())) };
        Ok(())
    })
}

/// Releases a list of marks. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_marks_free(marks: *mut hcl_marks) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(marks) });
}
