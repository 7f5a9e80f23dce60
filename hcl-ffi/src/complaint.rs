//! Diagnostics of the host: what a program has to say about an input, in one list with what the library says.

use libc::c_char;
use std::borrow::Cow;

use hcl_syntax::diagnostic::sarif::write_sarif_while;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, cap, detail, sort_by_place};

use crate::boundary::{Failure, Outcome, guard, guard_or};
use crate::diagnostics::{
    HCL_SEVERITY_ERROR, HCL_SEVERITY_WARNING, Writing, check_room_to_write, entry, extend, hcl_diag,
    hcl_diags, hcl_render_opts, written_len,
};
use crate::extensible_struct;
use crate::handle::{check_out, get_mut, hand_out, put};
use crate::place::{self, hcl_place, written_range};
use crate::room::ask_for;
use crate::status::hcl_status;
use crate::string::{hcl_buf, hcl_str, null_pointer, shown_in};

/// A text in a struct, shown to people.
///
/// # Safety
/// The text is readable as the interface asks.
unsafe fn shown(what: &str, text: hcl_str) -> Outcome<String> {
    // SAFETY: passed on.
    Ok(unsafe { shown_in(what, text.ptr, text.len) }?.into_owned())
}

/// The diagnostic that the arguments of `hcl_diags_add` say.
///
/// # Safety
/// All are as the interface asks.
unsafe fn read(
    diag: *const hcl_diag,
    subject: *const hcl_place,
    context: *const hcl_place,
) -> Outcome<Diagnostic> {
    if diag.is_null() {
        return Err(null_pointer("diag"));
    }
    // SAFETY: passed on.
    let fields: hcl_diag = unsafe { extensible_struct::read("diag", diag) }?;
    // SAFETY: passed on.
    let code = unsafe { shown("diag->code", fields.code) }?;
    let code = if code.is_empty() { Cow::Borrowed("host") } else { Cow::Owned(code) };
    // SAFETY: passed on.
    let summary = unsafe { shown("diag->summary", fields.summary) }?;
    let summary = detail(format_args!("{summary}"));
    // SAFETY: passed on.
    let details = unsafe { shown("diag->detail", fields.detail) }?;
    let said = match fields.severity {
        HCL_SEVERITY_ERROR => Diagnostic::error(code, summary, details),
        HCL_SEVERITY_WARNING => Diagnostic::warning(code, summary, details),
        other => {
            return Err(Failure::argument(
                "diag->severity",
                format_args!("is {other}, which means nothing."),
            ));
        }
    };
    // SAFETY: passed on.
    let wide = unsafe { place::read("context", context) }?;
    // SAFETY: passed on.
    let Some(tight) = unsafe { place::read("subject", subject) }? else {
        if wide.is_some() {
            return Err(Failure::argument("context", "is given without a subject."));
        }
        // SAFETY: passed on.
        return in_words(said, &unsafe { shown("diag->filename", fields.filename) }?, &fields);
    };
    let said = tight.subject_of(said);
    match wide {
        None => Ok(said),
        Some(wide) if wide.source == tight.source => Ok(said.within(&wide.source, wide.span)),
        Some(_) => Err(Failure::argument("context", "is in another source than the subject.")),
    }
}

/// The diagnostic at the place that its own fields say, of which the source is not at hand.
fn in_words(mut said: Diagnostic, filename: &str, fields: &hcl_diag) -> Outcome<Diagnostic> {
    if fields.subject.start.line > 0 {
        // Both ranges have a copy of the name.
        ask_for(2, filename.len())?;
        said.subject = Some(written_range(filename, &fields.subject));
        said.context = (fields.context.start.line > 0).then(|| written_range(filename, &fields.context));
    }
    Ok(said)
}

/// An empty list of diagnostics. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_new(out: *mut *mut hcl_diags) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_diags::new(Diagnostics::new())) };
        Ok(())
    })
}

/// Adds a diagnostic of the host to the list `*diags`, which may be one of the library's; a null `*diags` is an empty list
/// and becomes an owned one. Of `diag` the severity, the code, the summary and the detail count: texts are copied, the last two
/// up to 4,096 bytes each, and bytes in them that are no UTF-8 are shown as U+FFFD. The code is the host's own, for example
/// `gatewayd.port`; an empty one is taken for `host`. `subject` is the tight place and `context` a wider one in the same
/// source; both may be null. Without a `subject` the file name and ranges in `diag` count, of which no source lines are shown;
/// so one that `hcl_diags_get` filled can be added to another list.
///
/// HCL_ERR_ARGUMENT: a severity that means nothing, or a place that is none. HCL_ERR_NOT_FOUND: the place is a body that was
/// made of no files.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_add(
    diags: *mut *mut hcl_diags,
    diag: *const hcl_diag,
    subject: *const hcl_place,
    context: *const hcl_place,
) -> hcl_status {
    guard(|| {
        check_out("diags", diags)?;
        // SAFETY: structs of the caller, readable as the interface asks.
        let said = unsafe { read(diag, subject, context) }?;
        // SAFETY: checked not to be null, and the list is null or live and unshared, by the contract of the interface.
        unsafe { extend(diags, vec![said]) }
    })
}

/// Sets an extra value of the last diagnostic of the list, in place of what `key` had before: JSON has it in `extra`, SARIF in
/// `properties`. Both texts are copied. HCL_ERR_RANGE: the list is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_note(
    diags: *mut hcl_diags,
    key: *const c_char,
    key_len: usize,
    value: *const c_char,
    value_len: usize,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or live and unshared, by the contract of the interface.
        let diags = unsafe { get_mut("diags", diags) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let key = unsafe { shown_in("key", key, key_len) }?;
        // SAFETY: as above.
        let value = unsafe { shown_in("value", value, value_len) }?;
        let last = diags.list.last_mut().ok_or(hcl_status::HCL_ERR_RANGE)?;
        last.extra.try_reserve(1).map_err(|_| hcl_status::HCL_ERR_MEMORY)?;
        last.note(key.into_owned(), value.into_owned());
        Ok(())
    })
}

/// An extra value of the diagnostic `index`, of which it has `hcl_diag.n_extra`. Both texts are borrowed from `diags`.
///
/// HCL_ERR_RANGE: there is no such diagnostic, or it has not that many extra values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_extra(
    diags: *const hcl_diags,
    index: usize,
    extra_index: usize,
    key: *mut hcl_str,
    value: *mut hcl_str,
) -> hcl_status {
    guard(|| {
        check_out("key", key)?;
        check_out("value", value)?;
        // SAFETY: null or live, by the contract of the interface.
        let said = unsafe { entry(diags, index) }?;
        let (found, text) = said.extra.get(extra_index).ok_or(hcl_status::HCL_ERR_RANGE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(key, hcl_str::from(found.as_str())) };
        // SAFETY: as above.
        unsafe { put(value, hcl_str::from(text.as_str())) };
        Ok(())
    })
}

/// Sorts a list by place: by file name, then by where the subjects begin and end; those without a place come last, and those of
/// one place stay in their order. Indexes and texts borrowed from the list before mean nothing any more. Null is an empty list.
/// Without memory to sort, the list stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_sort(diags: *mut hcl_diags) {
    guard_or((), || {
        // SAFETY: null or live and unshared, by the contract of the interface.
        if let Some(diags) = unsafe { diags.as_mut() }
            && ask_for(diags.list.len(), size_of::<Diagnostic>()).is_ok()
        {
            sort_by_place(&mut diags.list);
        }
    });
}

/// Shortens a list to at most `most` diagnostics: warnings go first, then errors, the last ones before those in front of them.
/// Texts borrowed from the list before mean nothing any more. Null is an empty list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_cap(diags: *mut hcl_diags, most: usize) {
    guard_or((), || {
        // SAFETY: null or live and unshared, by the contract of the interface.
        if let Some(diags) = unsafe { diags.as_mut() } {
            cap(&mut diags.list, most);
        }
    });
}

/// The diagnostics as a log in SARIF 2.1.0, which code scanning services read, in the name of the program `tool` of a
/// `version`. Null `diags` is an empty list. Of `opts`, which may be null, the limits count. The result is owned.
///
/// HCL_ERR_LIMIT: the text would be longer than `max_bytes`. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: it was stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_sarif(
    diags: *const hcl_diags,
    tool: *const c_char,
    tool_len: usize,
    version: *const c_char,
    version_len: usize,
    opts: *const hcl_render_opts,
    out: *mut *mut hcl_buf,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: texts of the caller, readable as the interface asks.
        let tool = unsafe { shown_in("tool", tool, tool_len) }?;
        // SAFETY: as above.
        let version = unsafe { shown_in("version", version, version_len) }?;
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let writing = unsafe { Writing::read(opts) }?;
        // SAFETY: null or live, by the contract of the interface.
        let list = unsafe { diags.as_ref() }.map_or(&[][..], |diags| &diags.list);
        check_room_to_write(written_len(&tool) + written_len(&version))?;
        let text = writing
            .whole(list, |some, piece, goes_on| write_sarif_while(some, (&tool, &version), piece, goes_on))?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::new(text)) };
        Ok(())
    })
}
