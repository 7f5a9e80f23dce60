//! Texts to other texts: the canonical form, and native syntax to JSON syntax and back.

use libc::c_char;

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::format::{FormatError, FormatStyle, format_with};

use crate::boundary::{Failure, Outcome, guard_with};
use crate::diagnostics::{check, hcl_diags};
use crate::frame::hcl_frame;
use crate::handle::{check_out, get, hand_out, put};
use crate::schema::hcl_schema;
use crate::source::{Syntax, hcl_file, hcl_parse_opts, input};
use crate::status::hcl_status;
use crate::string::hcl_buf;

/// `hcl_format`: what the language's own formatter gives. Takes any text, also one that does not parse.
pub const HCL_STYLE_HCL: u32 = 0;
/// `hcl_format`: what `terraform fmt` gives. Refuses text that does not parse.
pub const HCL_STYLE_TERRAFORM: u32 = 1;

/// The canonical form of a text.
///
/// # Safety
/// The pointers are as the interface asks.
unsafe fn formatted<'a>(
    (name, name_len): (*const c_char, usize),
    (src, src_len): (*const c_char, usize),
    style: u32,
    opts: *const hcl_parse_opts,
) -> Outcome<(&'a [u8], Vec<u8>)> {
    // SAFETY: passed on.
    let (name, text, opts) = unsafe { input(name, name_len, src, src_len, opts) }?;
    if opts.has_flags() {
        return Err(Failure::argument("opts->flags", "are set, but a text is formatted without flags."));
    }
    opts.check_size(&name, text)?;
    let style = match style {
        HCL_STYLE_HCL => FormatStyle::Hcl,
        HCL_STYLE_TERRAFORM => FormatStyle::Terraform,
        _ => return Err(Failure::argument("style", "is no HCL_STYLE_….")),
    };
    let done = format_with(&name, text, style, opts.limits()).map_err(|error| match error {
        FormatError::Invalid(diagnostics) => Failure::of(diagnostics),
        FormatError::Stopped(stopped) => Failure::of(vec![stopped.diagnostic("Formatting", &name)]),
        error => Failure::of(vec![Diagnostic::error("limit.source", "Source too large", error.to_string())]),
    })?;
    Ok((text, done))
}

/// Writes native syntax in its canonical form, `HCL_STYLE_…`: blanks are changed, and by the style of Terraform
/// little more. Time is linear in the text. Bytes that are no UTF-8 stay as they are, so the result is UTF-8 only if the
/// source is; a byte order mark is dropped. `name` is what diagnostics call the text. Of `opts`, which may be null, the
/// limits, the timeout and the switch count; the flags must be 0. `*out` is owned.
///
/// HCL_ERR_DIAGNOSTICS: the text has errors that the style does not take. HCL_ERR_LIMIT: it is too long, would become
/// more than 16 times as long, or nests too deep for the style of Terraform. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE:
/// formatting was stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_format(
    name: *const c_char,
    name_len: usize,
    src: *const c_char,
    src_len: usize,
    style: u32,
    opts: *const hcl_parse_opts,
    out: *mut *mut hcl_buf,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: texts of the caller, readable as the interface asks.
        let (_, done) = unsafe { formatted((name, name_len), (src, src_len), style, opts) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::with_values(done, Vec::new())) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// Checks that a text is in its canonical form: `hcl_format` would give the same bytes. Arguments and statuses are
/// those of `hcl_format`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_format_check(
    name: *const c_char,
    name_len: usize,
    src: *const c_char,
    src_len: usize,
    style: u32,
    opts: *const hcl_parse_opts,
    is_canonical: *mut bool,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut Diagnostics| {
        check_out("is_canonical", is_canonical)?;
        // SAFETY: texts of the caller, readable as the interface asks.
        let (text, done) = unsafe { formatted((name, name_len), (src, src_len), style, opts) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(is_canonical, text == done) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// Writes a file of native syntax as JSON syntax. What can be evaluated is written as its value, with the constants and
/// functions of the frame's scope (its slots stay names) and within its limits; everything else becomes a template
/// `"${…}"`, which a reader of JSON syntax evaluates to the same. `frame` may be null for no names at all. `*out` is owned.
///
/// HCL_ERR_TYPE: the file is of JSON syntax. HCL_ERR_DIAGNOSTICS: something in it has no form in JSON syntax.
/// HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_BUSY: as for `hcl_eval`. HCL_ERR_UNSUPPORTED: the library
/// was built without it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_file_to_json(
    file: *const hcl_file,
    frame: *mut hcl_frame,
    out: *mut *mut hcl_buf,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let Syntax::Native(file) = unsafe { get("file", file) }?.syntax() else {
            return Err(hcl_status::HCL_ERR_TYPE.into());
        };
        // SAFETY: passed on.
        let (text, problems) = unsafe { converted::to_json(file, frame) }?;
        *said = problems;
        check(said)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::new(text)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// Writes a file of JSON syntax as native syntax. With a schema nothing is lost: it tells blocks from attributes. Without
/// one, `schema` null, an array of objects is taken for blocks, objects around such arrays for their labels, and
/// everything else for attributes. The text is not aligned: `hcl_format` does that. `*out` is owned.
///
/// HCL_ERR_TYPE: the file is of native syntax. HCL_ERR_DIAGNOSTICS: something in it has no form in native syntax.
/// HCL_ERR_LIMIT: it nests so deeply that the text would be more than 16 times as long, or more than 1,000 things have no
/// form.
/// HCL_ERR_UNSUPPORTED: the library was built without it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_file_to_native(
    file: *const hcl_file,
    schema: *const hcl_schema,
    out: *mut *mut hcl_buf,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let Syntax::Json(file) = unsafe { get("file", file) }?.syntax() else {
            return Err(hcl_status::HCL_ERR_TYPE.into());
        };
        // SAFETY: as above.
        let schema = unsafe { schema.as_ref() }.map(hcl_schema::schema);
        let (text, problems) = converted::to_native(file, schema)?;
        *said = problems;
        check(said)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::new(text)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

#[cfg(feature = "conversion")]
mod converted {
    use hcl_eval::eval::Scope;
    use hcl_eval::json_syntax::{JsonStyle, to_json_with};
    use hcl_syntax::diagnostic::Diagnostics;
    use hcl_syntax::json::{JsonFile, to_native_within};
    use hcl_syntax::parser::{File, ParseLimits};
    use hcl_syntax::schema::NestedSchema;

    use crate::boundary::Outcome;
    use crate::frame::{evaluating, hcl_frame};
    use crate::status::hcl_status;

    /// # Safety
    /// `frame` is null or live.
    pub(super) unsafe fn to_json(file: &File, frame: *mut hcl_frame) -> Outcome<(String, Diagnostics)> {
        // SAFETY: passed on.
        unsafe {
            evaluating(frame, |scope, evaluation| {
                let scope = scope.cloned().unwrap_or_else(|| Scope::builder().build());
                Ok(to_json_with(&[file.body()], JsonStyle::default(), &scope, evaluation))
            })
        }
    }

    pub(super) fn to_native(
        file: &JsonFile,
        schema: Option<&NestedSchema>,
    ) -> Outcome<(String, Diagnostics)> {
        // Only a lack of memory ends it.
        let limits = ParseLimits { asks_for_memory: true, ..ParseLimits::default() };
        Ok(to_native_within(file, schema, &limits).map_err(|_| hcl_status::HCL_ERR_MEMORY)?)
    }
}

/// A build that converts nothing.
#[cfg(not(feature = "conversion"))]
mod converted {
    use hcl_syntax::diagnostic::Diagnostics;
    use hcl_syntax::json::JsonFile;
    use hcl_syntax::parser::File;
    use hcl_syntax::schema::NestedSchema;

    use crate::boundary::Outcome;
    use crate::frame::hcl_frame;
    use crate::status::hcl_status;

    /// # Safety
    /// None is needed.
    pub(super) unsafe fn to_json(_: &File, _: *mut hcl_frame) -> Outcome<(String, Diagnostics)> {
        Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
    }

    pub(super) fn to_native(_: &JsonFile, _: Option<&NestedSchema>) -> Outcome<(String, Diagnostics)> {
        Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
    }
}
