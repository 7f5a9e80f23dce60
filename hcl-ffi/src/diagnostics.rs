//! Diagnostics as C sees them: a list, its entries as fields, as text and as JSON.

use std::ffi::c_char;
use std::time::Instant;
use std::{mem, ptr};

use hcl_eval::eval::Evaluation;
use hcl_syntax::diagnostic::json::{FileNames, write_diagnostic};
use hcl_syntax::diagnostic::render::{RenderOptions, render_next};
use hcl_syntax::diagnostic::{self, Diagnostic, Diagnostics, Severity};
use hcl_syntax::limits::{CancelToken, Stopped};
use hcl_syntax::memory;
use hcl_syntax::source::{Pos, Range};

use crate::boundary::{Failure, Outcome, guard, guard_or};
use crate::explain::told;
use crate::extensible_struct;
use crate::handle::{check_out, get, hand_out, put, release};
use crate::limits::{deadline, hcl_cancel, switch};
use crate::room::ask_for;
use crate::status::hcl_status;
use crate::string::{hcl_buf, hcl_str, text_in};

/// A list of diagnostics, in the order of detection. It is complete in itself: it holds the sources it is
/// about. Release with `hcl_diags_free`.
#[derive(Debug)]
pub struct hcl_diags {
    pub(crate) list: Diagnostics,
}

impl hcl_diags {
    pub(crate) fn new(list: Diagnostics) -> Self {
        Self { list }
    }
}

/// A place in a source text.
#[derive(Copy, Clone, Debug, Default)]
#[repr(C)]
pub struct hcl_pos {
    /// Line, from 1; 0 when there is no place.
    pub line: u32,
    /// Column, from 1, in grapheme clusters.
    pub column: u32,
    /// Byte offset, from 0.
    pub byte: u64,
}

/// A piece of a source text; `end` is after its last byte.
#[derive(Copy, Clone, Debug, Default)]
#[repr(C)]
pub struct hcl_range {
    /// The first place within.
    pub start: hcl_pos,
    /// The place after the last one within.
    pub end: hcl_pos,
}

impl From<Pos> for hcl_pos {
    fn from(pos: Pos) -> Self {
        Self { line: pos.line, column: pos.column, byte: pos.byte }
    }
}

impl From<&Range> for hcl_range {
    fn from(range: &Range) -> Self {
        Self { start: range.start.into(), end: range.end.into() }
    }
}

/// `hcl_diag.severity`: the result is not usable, or only in part.
pub const HCL_SEVERITY_ERROR: u32 = 1;
/// `hcl_diag.severity`: worth knowing; the result stands.
pub const HCL_SEVERITY_WARNING: u32 = 2;

/// One diagnostic. Set `size` to `sizeof(hcl_diag)` before passing it; the texts are borrowed from the list.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_diag {
    /// `sizeof(hcl_diag)`, set by the caller.
    pub size: usize,
    /// `HCL_SEVERITY_ERROR` or `HCL_SEVERITY_WARNING`.
    pub severity: u32,
    /// How many values of names are recorded: `hcl_diags_value`.
    pub n_values: u32,
    /// A stable code, for example `eval.unknown_variable`.
    pub code: hcl_str,
    /// The kind of problem in a few words.
    pub summary: hcl_str,
    /// Full sentences: what was found, what was expected, what to do.
    pub detail: hcl_str,
    /// The name of the source the ranges are in; empty when there is no place.
    pub filename: hcl_str,
    /// The tight place; line 0 when there is none.
    pub subject: hcl_range,
    /// A wider place around the subject; line 0 when there is none.
    pub context: hcl_range,
    /// The subject as it is written in the source, for example the expression that is wrong; empty when there is no place.
    pub expression: hcl_str,
    /// How many extra values a host gave it: `hcl_diags_extra`.
    pub n_extra: u32,
    /// Not used; zero.
    pub reserved: u32,
}

/// The status that says most about a list of diagnostics with errors. Codes of the host decide nothing.
pub(crate) fn status_of(diagnostics: &[Diagnostic]) -> hcl_status {
    for said in diagnostics.iter().filter(|said| !said.is_of_host) {
        match &*said.code {
            "limit.cancelled" => return hcl_status::HCL_ERR_CANCELLED,
            "limit.deadline" => return hcl_status::HCL_ERR_DEADLINE,
            "limit.out_of_memory" => return hcl_status::HCL_ERR_MEMORY,
            "limit.host" => return hcl_status::HCL_ERR_CALLBACK,
            "api.unbound" => return hcl_status::HCL_ERR_UNBOUND,
            code if code.starts_with("limit.") => return hcl_status::HCL_ERR_LIMIT,
            _ => {}
        }
    }
    hcl_status::HCL_ERR_DIAGNOSTICS
}

/// An error if any of `diagnostics` is one; they stay where they are.
pub(crate) fn check(diagnostics: &[Diagnostic]) -> Outcome {
    if diagnostic::has_errors(diagnostics) { Err(Failure::from(status_of(diagnostics))) } else { Ok(()) }
}

/// An error if any diagnostic of an evaluation is one. That diagnostics of templates were left out ends none.
pub(crate) fn check_evaluated(diagnostics: &[Diagnostic], evaluation: &Evaluation<'_>) -> Outcome {
    check(diagnostics).map_err(|failure| match failure.status {
        hcl_status::HCL_ERR_LIMIT if !evaluation.stopped() => hcl_status::HCL_ERR_DIAGNOSTICS.into(),
        _ => failure,
    })
}

/// The first ones of a list, and one more that says how many are left out.
pub(crate) fn at_most(most: u32, mut said: Diagnostics) -> Diagnostics {
    let most = most as usize;
    if said.len() > most {
        let n_left_out = said.len() - most;
        said.truncate(most);
        said.push(Diagnostic::left_out(n_left_out));
    }
    said
}

/// Hands a list to the caller, null when it is empty. Does nothing when `out` is null.
///
/// # Safety
/// `out` is null or points to writable memory for one pointer.
pub(crate) unsafe fn write(out: *mut *mut hcl_diags, list: Diagnostics) {
    if list.is_empty() {
        if !out.is_null() {
            // SAFETY: not null, writable by contract.
            unsafe { out.write(ptr::null_mut()) };
        }
        discard(list);
    } else {
        // SAFETY: passed on.
        unsafe { write_some(out, list) };
    }
}

/// [`write`] of a list that is not empty.
///
/// # Safety
/// As there.
unsafe fn write_some(out: *mut *mut hcl_diags, list: Diagnostics) {
    if !out.is_null() {
        // SAFETY: not null, writable by contract.
        unsafe { hand_out(out, hcl_diags { list }) };
    }
}

/// Drops a list; quick for what is mostly there, one that was never filled.
fn discard(list: Diagnostics) {
    if list.capacity() == 0 {
        // It has no memory to give back.
        mem::forget(list);
    }
}

/// The number of diagnostics. Null counts as an empty list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_count(diags: *const hcl_diags) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { diags.as_ref() }.map_or(0, |diags| diags.list.len()))
}

/// True if any of them is an error. Null counts as an empty list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_has_errors(diags: *const hcl_diags) -> bool {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(false, || unsafe { diags.as_ref() }.is_some_and(|diags| diagnostic::has_errors(&diags.list)))
}

/// Fills `*out` with the diagnostic at `index`. The texts in it are borrowed from `diags`.
///
/// HCL_ERR_RANGE: there are not that many. HCL_ERR_ARGUMENT: a null pointer, or `out->size` is not set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_get(
    diags: *const hcl_diags,
    index: usize,
    out: *mut hcl_diag,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or live, by the contract of the interface.
        let said = unsafe { entry(diags, index) }?;
        let place = said.subject.as_ref();
        let fields = hcl_diag {
            size: size_of::<hcl_diag>(),
            severity: severity(said.severity),
            n_values: u32::try_from(said.values.len()).unwrap_or(u32::MAX),
            code: hcl_str::from(&*said.code),
            summary: hcl_str::from(&*said.summary),
            detail: hcl_str::from(said.detail.as_str()),
            filename: place.map_or(hcl_str::EMPTY, |range| hcl_str::from(&*range.filename)),
            subject: place.map(hcl_range::from).unwrap_or_default(),
            context: said.context.as_ref().map(hcl_range::from).unwrap_or_default(),
            expression: hcl_str::from(said.subject_text()),
            n_extra: u32::try_from(said.extra.len()).unwrap_or(u32::MAX),
            reserved: 0,
        };
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        unsafe { extensible_struct::write(out, &fields) }
    })
}

fn severity(severity: Severity) -> u32 {
    match severity {
        Severity::Error => HCL_SEVERITY_ERROR,
        Severity::Warning => HCL_SEVERITY_WARNING,
    }
}

/// A value of a name that takes part in the expression diagnostic `index` is about: the expression as written,
/// for example `var.port`, and a description, for example `is "http"`. Of a value with marks it tells only that there is
/// one, for example `is (sensitive value)`. Both are borrowed from `diags`.
///
/// HCL_ERR_RANGE: there is no such diagnostic, or it has not that many values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_value(
    diags: *const hcl_diags,
    index: usize,
    value_index: usize,
    expression: *mut hcl_str,
    description: *mut hcl_str,
) -> hcl_status {
    guard(|| {
        check_out("expression", expression)?;
        check_out("description", description)?;
        // SAFETY: null or live, by the contract of the interface.
        let said = unsafe { entry(diags, index) }?;
        let value = said.values.get(value_index).ok_or(hcl_status::HCL_ERR_RANGE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(expression, hcl_str::from(value.expression.as_str())) };
        // SAFETY: as above.
        unsafe { put(description, hcl_str::from(value.description.as_str())) };
        Ok(())
    })
}

/// # Safety
/// `diags` is null or live for `'a`.
pub(crate) unsafe fn entry<'a>(diags: *const hcl_diags, index: usize) -> Outcome<&'a Diagnostic> {
    // SAFETY: passed on.
    let diags = unsafe { get("diags", diags) }?;
    Ok(diags.list.get(index).ok_or(hcl_status::HCL_ERR_RANGE)?)
}

/// Adds the diagnostics of `more` to the list `*diags`, for example to show those of several files together. A null
/// `*diags` is an empty list and becomes an owned one as soon as there is something in it. Null `more` is an empty list;
/// it stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_append(diags: *mut *mut hcl_diags, more: *const hcl_diags) -> hcl_status {
    guard(|| {
        check_out("diags", diags)?;
        // Copied first: both may be the same list.
        // SAFETY: null or live, by the contract of the interface.
        let added = copied(unsafe { more.as_ref() }.map_or(&[], |more| &more.list))?;
        // SAFETY: checked not to be null, and the list is null or live and unshared, by the contract of the interface.
        unsafe { extend(diags, added) }
    })
}

/// A copy of diagnostics, if there is memory for it.
fn copied(list: &[Diagnostic]) -> Outcome<Diagnostics> {
    let mut copy = Diagnostics::new();
    copy.try_reserve_exact(list.len()).map_err(|_| hcl_status::HCL_ERR_MEMORY)?;
    for said in list {
        let lists = size_of_val(&*said.values) + size_of_val(&*said.extra);
        ask_for(1, lists + texts(said).map(str::len).sum::<usize>())?;
        copy.push(said.clone());
        // Small texts come from the reserve, which many of them would use up.
        if memory::has_run_out() {
            return Err(hcl_status::HCL_ERR_MEMORY.into());
        }
    }
    Ok(copy)
}

/// Adds to the list `*diags`, which is made if it is null and there is something to add.
///
/// # Safety
/// `diags` points to a pointer that is null or to a list that nobody else uses.
pub(crate) unsafe fn extend(diags: *mut *mut hcl_diags, mut added: Diagnostics) -> Outcome {
    // SAFETY: readable by contract.
    let list = unsafe { diags.read() };
    // SAFETY: null or live and unshared by contract.
    match unsafe { list.as_mut() } {
        Some(diags) => {
            diags.list.try_reserve(added.len()).map_err(|_| hcl_status::HCL_ERR_MEMORY)?;
            diags.list.append(&mut added);
        }
        // SAFETY: writable by contract.
        None => unsafe { write(diags, added) },
    }
    Ok(())
}

/// `hcl_render_opts.flags`: colour by ANSI escape sequences.
pub const HCL_RENDER_COLOR: u32 = 1;
/// `hcl_render_opts.flags`: ASCII only; other characters of source and messages are written as `\u{e9}`.
pub const HCL_RENDER_ASCII: u32 = 2;

/// How diagnostics are drawn. Set `size` to `sizeof(hcl_render_opts)` and what is not wanted to zero.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_render_opts {
    /// `sizeof(hcl_render_opts)`, set by the caller.
    pub size: usize,
    /// `HCL_RENDER_…`, joined by `|`.
    pub flags: u32,
    /// How wide text may become, in columns; 0 for 80.
    pub width: u32,
    /// How many diagnostics are drawn; 0 for all. A line says how many were left out, and a limit that ended the work, which
    /// is the last of them, is drawn all the same.
    pub max_count: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// How many bytes of drawn diagnostics there may be, then a line says how many were left out; 0 for 64 MiB.
    pub max_bytes: u64,
    /// How long the call may take, in nanoseconds; no deadline by default.
    pub timeout_ns: u64,
    /// A switch that ends the call when it is thrown; null for none. Only read during the call that takes the struct.
    pub cancel: *const hcl_cancel,
}

/// The options of a call that has begun, which writes one diagnostic after the other.
pub(crate) struct Writing {
    opts: hcl_render_opts,
    deadline: Option<Instant>,
    cancel: Option<CancelToken>,
}

impl Writing {
    /// # Safety
    /// `opts` is null or a struct of the caller, readable as the interface asks.
    pub(crate) unsafe fn read(opts: *const hcl_render_opts) -> Outcome<Self> {
        // SAFETY: passed on.
        let opts: hcl_render_opts = unsafe { extensible_struct::read("opts", opts) }?;
        if opts.flags & !(HCL_RENDER_COLOR | HCL_RENDER_ASCII) != 0 {
            return Err(Failure::unknown_flag("opts->flags"));
        }
        // SAFETY: passed on.
        let cancel = unsafe { switch(opts.cancel) };
        Ok(Self { opts, deadline: deadline(opts.timeout_ns), cancel })
    }

    /// One text of all diagnostics that `max_count` leaves. `write` writes to a piece, and asks before each diagnostic whether it
    /// goes on, where the piece is taken; it gives up if not.
    pub(crate) fn whole(
        &self,
        list: &[Diagnostic],
        write: impl FnOnce(&[Diagnostic], &mut String, &mut dyn FnMut(&Diagnostic, &mut String) -> bool) -> bool,
    ) -> Outcome<String> {
        let mut text = String::new();
        let mut take = |piece: &mut String| {
            if self.is_too_long(&text, piece) {
                return Err(hcl_status::HCL_ERR_LIMIT.into());
            }
            append(piece, &mut text)?;
            self.go_on()
        };
        let mut piece = String::new();
        let mut outcome = self.go_on();
        let is_whole = write(&list[..list.len().min(self.max_count())], &mut piece, &mut |next, piece| {
            outcome = take(piece).and_then(|()| self.check_room(next));
            outcome.is_ok()
        });
        outcome?;
        // Without being told to, the writing ends where it has no memory.
        if !is_whole {
            return Err(hcl_status::HCL_ERR_MEMORY.into());
        }
        take(&mut piece)?;
        Ok(text)
    }

    /// An error if the call is to end.
    fn go_on(&self) -> Outcome {
        match Stopped::now(self.cancel.as_ref(), self.deadline) {
            Some(Stopped::Cancelled) => Err(hcl_status::HCL_ERR_CANCELLED.into()),
            Some(Stopped::Deadline) => Err(hcl_status::HCL_ERR_DEADLINE.into()),
            Some(Stopped::OutOfMemory) => Err(hcl_status::HCL_ERR_MEMORY.into()),
            None => Ok(()),
        }
    }

    fn max_bytes(&self) -> u64 {
        if self.opts.max_bytes == 0 { MAX_BYTES } else { self.opts.max_bytes }
    }

    fn max_count(&self) -> usize {
        if self.opts.max_count == 0 { usize::MAX } else { self.opts.max_count as usize }
    }

    /// How wide text may become. Less than 40 is taken for 40.
    fn columns(&self) -> usize {
        if self.opts.width == 0 { 80 } else { self.opts.width.max(40) as usize }
    }

    /// Writes diagnostics with `write`, which is given the one before too, until one makes the text longer than it may
    /// be, which is left out; how many were written.
    fn each(
        &self,
        list: &[Diagnostic],
        out: &mut String,
        mut write: impl FnMut(Option<&Diagnostic>, &Diagnostic, &mut String),
    ) -> Outcome<usize> {
        let mut piece = String::new();
        let mut before = None;
        for (index, said) in list.iter().enumerate() {
            self.go_on()?;
            self.check_room(said)?;
            write(before.replace(said), said, &mut piece);
            if self.is_too_long(out, &piece) {
                return Ok(index);
            }
            append(&mut piece, out)?;
        }
        Ok(list.len())
    }

    /// Returns true if a text may not become as long as it is with this piece.
    fn is_too_long(&self, text: &str, piece: &str) -> bool {
        (text.len() + piece.len()) as u64 > self.max_bytes()
    }

    /// An error if there is no memory for a diagnostic as it is written.
    fn check_room(&self, said: &Diagnostic) -> Outcome {
        let filename = said.subject.iter().chain(&said.context).map(|range| &*range.filename);
        let source = said.source.as_ref().map_or(0, |source| source.text().len());
        let drawn = source.min(self.columns().saturating_mul(BYTES_OF_COLUMN));
        let written = filename.chain(texts(said)).map(written_len).sum::<usize>();
        check_room_to_write(written.saturating_add(drawn.saturating_mul(LONGEST_ESCAPE)))
    }
}

/// The texts that a diagnostic has for itself.
fn texts(said: &Diagnostic) -> impl Iterator<Item = &str> {
    let values = said.values.iter().flat_map(|value| [&*value.expression, &*value.description]);
    let extra = said.extra.iter().flat_map(|(key, value)| [&**key, &**value]);
    [&*said.code, &*said.summary, &*said.detail].into_iter().chain(values).chain(extra)
}

/// How long a byte is at most where it is written: `\u001f`.
const LONGEST_ESCAPE: usize = 6;

/// How many bytes of a source are drawn for each column, in all lines of one diagnostic.
const BYTES_OF_COLUMN: usize = 7 * 16;

/// How long a text is at most where it is written.
pub(crate) fn written_len(text: &str) -> usize {
    let len_of = |byte| if matches!(byte, b'"' | b'\\' | ..b' ' | b'\x7f'..) { LONGEST_ESCAPE } else { 1 };
    text.bytes().map(len_of).sum()
}

/// An error if there is no memory for so many bytes that are written.
pub(crate) fn check_room_to_write(n_bytes: usize) -> Outcome {
    // They are put together, and then copied to a text that is copied when it grows.
    ask_for(n_bytes, 4)
}

/// Takes a piece of a text to its end, if there is memory for it, and for the byte behind the text.
fn append(piece: &mut String, text: &mut String) -> Outcome {
    text.try_reserve(piece.len() + 1).map_err(|_| hcl_status::HCL_ERR_MEMORY)?;
    text.push_str(piece);
    piece.clear();
    Ok(())
}

/// The beginning of a piece of a drawing that follows this.
fn between(text: &str) -> &'static str {
    if text.is_empty() { "" } else { "\n" }
}

/// The size of a drawing when the options do not say it.
const MAX_BYTES: u64 = 64 << 20;

/// The diagnostics as text for people, with source lines and underlines, and an empty line between two. A detail that
/// was told just before is not told again. `opts` may be null for the defaults; null `diags` is an empty list. The
/// result is owned. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: it was stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_render(
    diags: *const hcl_diags,
    opts: *const hcl_render_opts,
    out: *mut *mut hcl_buf,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let writing = unsafe { Writing::read(opts) }?;
        let opts = writing.opts;
        // SAFETY: null or live, by the contract of the interface.
        let list = unsafe { diags.as_ref() }.map_or(&[][..], |diags| &diags.list);
        let options = RenderOptions {
            width: writing.columns(),
            color: opts.flags & HCL_RENDER_COLOR != 0,
            unicode: opts.flags & HCL_RENDER_ASCII == 0,
        };
        let mut text = String::new();
        let some = &list[..list.len().min(writing.max_count())];
        let shown = writing
            .each(some, &mut text, |before, said, piece| render_next(before, said, &options, piece))?;
        let left = &list[shown..];
        let ending = left.last().filter(|last| last.code.starts_with("limit."));
        let n_left = left.len() - usize::from(ending.is_some());
        if n_left > 0 {
            let mut piece = between(&text).to_owned();
            piece.push_str(&match n_left {
                1 => "(1 more diagnostic is not shown)\n".to_owned(),
                n => format!("({n} more diagnostics are not shown)\n"),
            });
            append(&mut piece, &mut text)?;
        }
        let between = between(&text);
        writing.each(ending.map_or(&[][..], std::slice::from_ref), &mut text, |_, said, piece| {
            piece.push_str(between);
            render_next(None, said, &options, piece);
        })?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::new(text)) };
        Ok(())
    })
}

/// The diagnostics as a JSON array of objects with `severity`, `code`, `summary`, `detail`, and where there is one, `range`
/// and a wider `context`. Null `diags` is an empty list. Of `opts`, which may be null, the limits count; those left out by
/// `max_count` are not told of. The result is owned.
///
/// HCL_ERR_LIMIT: the text would be longer than `max_bytes`. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: it was stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_json(
    diags: *const hcl_diags,
    opts: *const hcl_render_opts,
    out: *mut *mut hcl_buf,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let writing = unsafe { Writing::read(opts) }?;
        // SAFETY: null or live, by the contract of the interface.
        let list = unsafe { diags.as_ref() }.map_or(&[][..], |diags| &diags.list);
        let list = &list[..list.len().min(writing.max_count())];
        let mut text = String::from("[");
        let written = writing.each(list, &mut text, |before, said, piece| {
            if before.is_some() {
                piece.push(',');
            }
            write_diagnostic(said, FileNames::Included, piece);
        })?;
        if written < list.len() {
            return Err(hcl_status::HCL_ERR_LIMIT.into());
        }
        append(&mut String::from("]"), &mut text)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::new(text)) };
        Ok(())
    })
}

/// Cause and cure of a diagnostic's code, with an example, as text for people. The result is owned.
///
/// HCL_ERR_NOT_FOUND: no diagnostic of the library has that code. HCL_ERR_UNSUPPORTED: the library was built without it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_code_explain(
    code: *const c_char,
    code_len: usize,
    out: *mut *mut hcl_buf,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let code = unsafe { text_in("code", code, code_len) }?;
        let text = told::code(code)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::new(text)) };
        Ok(())
    })
}

/// Releases `diags` and the texts borrowed from it. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_free(diags: *mut hcl_diags) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(diags) });
}
