//! Evaluation by rows: one call for many sets of slot values.
//!
//! A cell carries a scalar in place, so that rows of scalars cost no allocation. What is longer lies in one
//! buffer: texts one after the other, and the values that are no scalars.

use libc::c_char;

use hcl_eval::limits::{LimitReached, Limits, Usage};
use hcl_eval::program::Program;
use hcl_eval::types::Type;
use hcl_eval::value::{Kind, Number, Value};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::memory;

use crate::boundary::{Failure, Outcome, guard_with};
use crate::diagnostics::hcl_diags;
use crate::extensible_struct;
use crate::frame::{FrameState, hcl_frame};
use crate::handle::{check_out, get, hand_out};
use crate::program::hcl_program;
use crate::status::hcl_status;
use crate::string::{array_in, hcl_buf, hcl_str, text_in};
use crate::value::hcl_value;

/// `hcl_cell.kind`: nothing; as an argument it leaves the slot empty.
pub const HCL_CELL_EMPTY: u32 = 0;
/// `hcl_cell.kind`: null, of no particular type.
pub const HCL_CELL_NULL: u32 = 1;
/// `hcl_cell.kind`: `payload.boolean`, 0 or 1.
pub const HCL_CELL_BOOL: u32 = 2;
/// `hcl_cell.kind`: `payload.integer`.
pub const HCL_CELL_I64: u32 = 3;
/// `hcl_cell.kind`: `payload.natural`; in results only above the greatest `int64_t`.
pub const HCL_CELL_U64: u32 = 4;
/// `hcl_cell.kind`: `payload.number`; in results only what a double is exactly.
pub const HCL_CELL_F64: u32 = 5;
/// `hcl_cell.kind`: `payload.text`.
pub const HCL_CELL_STR: u32 = 6;
/// `hcl_cell.kind`: `payload.value`. As a result: whatever has no kind of its own, so collections, other numbers, and
/// all that is unknown or marked.
pub const HCL_CELL_VALUE: u32 = 7;
/// `hcl_cell.kind`: only as a result; the row failed. `payload.index` is the index of its first diagnostic, `SIZE_MAX`
/// when so many rows failed that no more diagnostics were kept.
pub const HCL_CELL_ERROR: u32 = 8;

/// The content of a cell, as its kind says.
#[derive(Copy, Clone)]
#[repr(C)]
pub union hcl_payload {
    /// `HCL_CELL_BOOL`
    pub boolean: u8,
    /// `HCL_CELL_I64`
    pub integer: i64,
    /// `HCL_CELL_U64`
    pub natural: u64,
    /// `HCL_CELL_F64`
    pub number: f64,
    /// `HCL_CELL_STR`
    pub text: hcl_str,
    /// `HCL_CELL_VALUE`
    pub value: *const hcl_value,
    /// `HCL_CELL_ERROR`
    pub index: usize,
}

/// A value of a row. The struct is frozen: 24 bytes where pointers have 8.
#[derive(Copy, Clone)]
#[repr(C)]
pub struct hcl_cell {
    /// `HCL_CELL_…`
    pub kind: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// The content.
    pub payload: hcl_payload,
}

const _: () = assert!(size_of::<hcl_cell>() == 8 + 2 * size_of::<usize>());

impl std::fmt::Debug for hcl_payload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("hcl_payload")
    }
}

impl std::fmt::Debug for hcl_cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("hcl_cell").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl hcl_cell {
    /// A cell of a row or an attribute that failed; `index` is that of its first diagnostic.
    pub(crate) fn error(index: usize) -> Self {
        Self::new(HCL_CELL_ERROR, hcl_payload { index })
    }

    fn new(kind: u32, payload: hcl_payload) -> Self {
        Self { kind, reserved: 0, payload }
    }

    fn integer(kind: u32, integer: i64) -> Self {
        Self::new(kind, hcl_payload { integer })
    }

    /// The slot's value that a cell gives.
    ///
    /// # Safety
    /// The cell holds what its kind says; texts and values are readable.
    unsafe fn argument(&self, limits: &Limits) -> Outcome<Option<Value>> {
        if self.reserved != 0 {
            return Err(extensible_struct::not_zero("cells[].reserved"));
        }
        let value = match self.kind {
            HCL_CELL_EMPTY => return Ok(None),
            HCL_CELL_NULL => Value::null(Type::Dynamic),
            // SAFETY: the kind says so, and any byte is a valid one.
            HCL_CELL_BOOL => Value::bool(unsafe { self.payload.boolean } != 0),
            // SAFETY: as above.
            HCL_CELL_I64 => Value::int(unsafe { self.payload.integer }),
            // SAFETY: as above.
            HCL_CELL_U64 => Value::number(Number::from_u64(unsafe { self.payload.natural })),
            HCL_CELL_F64 => {
                // SAFETY: as above.
                let number = Number::from_f64(unsafe { self.payload.number });
                Value::number(number.ok_or(hcl_status::HCL_ERR_RANGE)?)
            }
            HCL_CELL_STR => {
                // SAFETY: as above.
                let text = unsafe { self.payload.text };
                // SAFETY: a text of the caller, readable as the interface asks.
                let text = unsafe { text_in("cells[]", text.ptr, text.len) }?;
                if text.len() > LONG { long_text(text, limits)? } else { Value::string(text) }
            }
            HCL_CELL_VALUE => {
                // SAFETY: the kind says that the pointer was set.
                let value = unsafe { self.payload.value };
                // SAFETY: null or live, by the contract of the interface.
                unsafe { get("cells[]", value) }?.value().clone()
            }
            _ => return Err(Failure::argument("cells[]", "has a kind that no argument has.")),
        };
        Ok(Some(value))
    }
}

/// From so many bytes on there are looks at the limits while a text is normalised.
const LONG: usize = 1 << 15;

/// The value of a long text.
fn long_text(text: &str, limits: &Limits) -> Outcome<Value> {
    Value::string_within(text, limits)
        .map_err(|stopped| Failure::of(vec![stopped.diagnostic("Reading", "cells[]")]))
}

/// Arguments of the caller, row by row.
#[derive(Copy, Clone)]
struct Arguments<'a> {
    slots: &'a [usize],
    cells: &'a [hcl_cell],
}

/// The texts and values that cells point to.
#[derive(Debug, Default)]
pub(crate) struct Store {
    texts: Vec<u8>,
    values: Vec<Value>,
}

/// The bytes of the list that takes the place of one that `n_more` elements are added to; 0 if they have room.
pub(crate) fn growth<T>(list: &Vec<T>, n_more: usize) -> usize {
    match list.len() + n_more > list.capacity() {
        true => (2 * list.capacity()).max(list.len() + n_more).saturating_mul(size_of::<T>()),
        false => 0,
    }
}

/// The text of a cell.
fn text_of(result: &Value) -> Option<&str> {
    if result.is_marked() { None } else { result.as_str() }
}

/// The cell of a result that needs no store.
fn scalar(result: &Value) -> Option<hcl_cell> {
    if result.is_marked() {
        return None;
    }
    match result.kind() {
        Kind::Null => Some(hcl_cell::integer(HCL_CELL_NULL, 0)),
        Kind::Bool => {
            let boolean = u8::from(result.as_bool() == Some(true));
            Some(hcl_cell::new(HCL_CELL_BOOL, hcl_payload { boolean }))
        }
        Kind::Number => result.as_number().and_then(number_cell),
        _ => None,
    }
}

impl Store {
    /// The bytes that one more text or value takes, if the list that it goes to has to grow.
    pub(crate) fn growth(&self, result: &Value) -> usize {
        match text_of(result) {
            Some(text) => growth(&self.texts, text.len()),
            None if scalar(result).is_some() => 0,
            None => growth(&self.values, 1),
        }
    }

    /// Returns true if there is neither a text nor a value.
    fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.values.is_empty()
    }

    /// The cell of a result. Texts and values are given by their place until [`Store::finish`].
    pub(crate) fn cell(&mut self, result: Value) -> hcl_cell {
        if let Some(cell) = scalar(&result) {
            return cell;
        }
        let Some(text) = text_of(&result) else {
            self.values.push(result);
            return hcl_cell::new(HCL_CELL_VALUE, hcl_payload { index: self.values.len() - 1 });
        };
        let at = std::ptr::without_provenance(self.texts.len());
        self.texts.extend_from_slice(text.as_bytes());
        hcl_cell::new(HCL_CELL_STR, hcl_payload { text: hcl_str { ptr: at, len: text.len() } })
    }

    /// The buffer, with the cells pointing into it.
    pub(crate) fn finish(self, cells: &mut [hcl_cell]) -> hcl_buf {
        let buffer = hcl_buf::with_values(self.texts, self.values);
        for cell in cells {
            match cell.kind {
                HCL_CELL_STR => {
                    // SAFETY: the kind says so.
                    let text = unsafe { cell.payload.text };
                    let ptr: *const c_char = buffer.text_at(text.ptr.addr());
                    cell.payload = hcl_payload { text: hcl_str { ptr, ..text } };
                }
                HCL_CELL_VALUE => {
                    // SAFETY: values are given by index until here.
                    let index = unsafe { cell.payload.index };
                    cell.payload = hcl_payload { value: buffer.value_at(index) };
                }
                _ => {}
            }
        }
        buffer
    }
}

/// Results of rows as they come in.
struct Results<'a> {
    out: &'a mut [hcl_cell],
    store: Store,
    /// The weight of all values together.
    weight: u64,
    said: &'a mut Diagnostics,
    used: Usage,
}

impl Results<'_> {
    /// The cell of a result, if there is room for what it points to.
    fn cell(&mut self, result: Value, state: &mut FrameState) -> Outcome<hcl_cell> {
        if let Some(cell) = scalar(&result) {
            return Ok(cell);
        }
        match text_of(&result) {
            Some(text) => state.check_room(self.store.texts.len(), text.len())?,
            None => state.check_weight(&mut self.weight, &result)?,
        }
        state.check_memory(self.store.growth(&result))?;
        Ok(self.store.cell(result))
    }

    /// The cell of a row that failed.
    fn failed(&mut self, diagnostics: Diagnostics, state: &mut FrameState) -> Outcome<hcl_cell> {
        let n_said = self.said.len();
        self.keep(diagnostics, state)?;
        Ok(hcl_cell::error(if self.said.len() == n_said { usize::MAX } else { n_said }))
    }

    /// Keeps what was said of a row, as far as there is room.
    fn keep(&mut self, mut diagnostics: Diagnostics, state: &mut FrameState) -> Outcome {
        diagnostics.truncate(state.max_diagnostics().saturating_sub(self.said.len()));
        match state.check_memory(growth(self.said, diagnostics.len())) {
            Ok(()) => self.said.append(&mut diagnostics),
            Err(failure) if ends_all(failure.status) => return Err(failure),
            Err(_) => {}
        }
        Ok(())
    }

    /// Evaluates all rows.
    ///
    /// # Safety
    /// The cells hold what their kinds say.
    unsafe fn fill(
        &mut self,
        program: &Program,
        state: &mut FrameState,
        arguments: Arguments<'_>,
    ) -> Outcome {
        let width = arguments.slots.len();
        let before = memory::held();
        for row in 0..self.out.len() {
            for (&slot, cell) in arguments.slots.iter().zip(&arguments.cells[row * width..]) {
                // SAFETY: passed on.
                state.set(slot, unsafe { cell.argument(state.limits()) }?)?;
            }
            // Results kept for rows are memory of the call.
            if !self.store.is_empty() || !self.said.is_empty() {
                state.keep_since(before);
            }
            let mut said = Diagnostics::new();
            // A row that is not evaluated uses nothing.
            let is_evaluated = state.check_bound(program, |_| false).is_ok();
            let result = state.evaluate_row(program, &mut said);
            if is_evaluated {
                self.used = self.used.and(state.used());
            }
            if memory::has_run_out() {
                // Results of further rows, and diagnostics of them, would use up the reserve.
                return Err(hcl_status::HCL_ERR_MEMORY.into());
            }
            let cell = result.and_then(|value| self.cell(value, state));
            self.out[row] = match cell {
                Ok(cell) => {
                    // Warnings stay with the row that they are about, as long as there is room.
                    self.keep(said, state)?;
                    cell
                }
                Err(failure) => {
                    said.extend(failure.diagnostics);
                    if ends_all(failure.status) {
                        *self.said = said;
                        return Err(failure.status.into());
                    }
                    self.failed(said, state)?
                }
            };
        }
        Ok(())
    }
}

/// Returns whether a failure ends the whole call: the switch and the clock are the same for all rows, and a callback
/// that gives up does so for all.
fn ends_all(status: hcl_status) -> bool {
    matches!(
        status,
        hcl_status::HCL_ERR_CANCELLED
            | hcl_status::HCL_ERR_DEADLINE
            | hcl_status::HCL_ERR_CALLBACK
            | hcl_status::HCL_ERR_MEMORY
    )
}

/// The cell of a number that has one.
fn number_cell(number: &Number) -> Option<hcl_cell> {
    if let Some(integer) = number.to_i64() {
        return Some(hcl_cell::integer(HCL_CELL_I64, integer));
    }
    if let Some(natural) = number.to_u64() {
        return Some(hcl_cell::new(HCL_CELL_U64, hcl_payload { natural }));
    }
    let (number, exact) = number.f64_exact();
    exact.then(|| hcl_cell::new(HCL_CELL_F64, hcl_payload { number }))
}

/// That a result does not fit among the others.
pub(crate) fn no_room(limit: LimitReached, summary: &'static str, detail: String) -> Failure {
    Failure::of(vec![Diagnostic::error(limit.code(), summary, detail)])
}

/// Evaluates a program once for each of `n_rows` rows, in one call.
///
/// A row gives the slots named in `slots` their values: the cell of slot `slots[j]` in row `i` is
/// `cells[i * n_slots + j]`. Other slots keep what the frame holds. `out_cells` takes one result for each row. Texts and
/// values in results are borrowed from `*buf`, which is owned; those in arguments are only read during the call. The
/// two arrays of cells must not overlap. Afterwards the slots named are empty.
///
/// A row that fails gets `HCL_CELL_ERROR` and the call goes on: HCL_OK means that all rows were gone through, and
/// `*diags` holds what was said about them. Each row may use what the frame's limits allow, but the deadline is that of
/// the whole call, and so are max_memory for what the call holds of the allocator, and the limits for the texts and the values
/// in `*buf`. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE,
/// HCL_ERR_CALLBACK: the call was stopped. HCL_ERR_ARGUMENT, HCL_ERR_RANGE: a cell or a slot is wrong. HCL_ERR_BUSY: the
/// frame is in use. Without HCL_OK there is no `*buf`, and `out_cells` holds nothing of use. `hcl_frame_used` tells the
/// sum over all rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_eval_rows(
    program: *const hcl_program,
    frame: *mut hcl_frame,
    slots: *const usize,
    n_slots: usize,
    cells: *const hcl_cell,
    n_rows: usize,
    out_cells: *mut hcl_cell,
    buf: *mut *mut hcl_buf,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        check_out("buf", buf)?;
        // SAFETY: null or live, by the contract of the interface.
        let program = unsafe { get("program", program) }?.program();
        // SAFETY: as above; the state is reached only through `with`.
        let frame = unsafe { get("frame", frame.cast_const()) }?;
        // SAFETY: an array of the caller, readable as the interface asks.
        let slots = unsafe { array_in("slots", slots, n_slots) }?;
        let n_cells = n_slots
            .checked_mul(n_rows)
            .ok_or_else(|| Failure::argument("n_rows", "gives more cells than memory can hold."))?;
        // SAFETY: as above.
        let cells = unsafe { array_in("cells", cells, n_cells) }?;
        // SAFETY: as above.
        let out = unsafe { cells_out(out_cells, n_rows) }?;
        let done = frame.with(|state| {
            state.begin(program)?;
            let used = Usage::default();
            let mut results = Results { out, store: Store::default(), weight: 0, said, used };
            // SAFETY: the cells hold what their kinds say, as the interface asks.
            let outcome = unsafe { results.fill(program, state, Arguments { slots, cells }) };
            state.set_used(results.used);
            for &slot in slots {
                // One that the frame does not have has been complained about.
                let _ = state.set(slot, None);
            }
            outcome.map(|()| results.store.finish(results.out))
        })?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(buf, done) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// The array for results, made to hold nothing.
///
/// # Safety
/// `out` is null or points to memory for `len` cells that nobody else uses.
pub(crate) unsafe fn cells_out<'a>(out: *mut hcl_cell, len: usize) -> Outcome<&'a mut [hcl_cell]> {
    // SAFETY: passed on; the check of pointer and length is the same as for reading, and nothing is read.
    unsafe { array_in("out_cells", out.cast_const().cast::<std::mem::MaybeUninit<hcl_cell>>(), len) }?;
    if len == 0 {
        return Ok(&mut []);
    }
    let empty = hcl_cell::integer(HCL_CELL_EMPTY, 0);
    for index in 0..len {
        // SAFETY: within the memory that the caller vouches for.
        unsafe { out.wrapping_add(index).write(empty) };
    }
    // SAFETY: not null, initialised, unshared by contract.
    Ok(unsafe { std::slice::from_raw_parts_mut(out, len) })
}
