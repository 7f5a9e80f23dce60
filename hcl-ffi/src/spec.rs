//! Specifications: one value of a whole body, as a text in the language of `hcldec` says.

use libc::c_char;
use std::sync::Arc;

use hcl_eval::dynamic::Body;
use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::limits::{Limits, Meter};
use hcl_eval::value::Value;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::source::{Source, Span};

use crate::body::hcl_body;
use crate::boundary::{Failure, Outcome, guard, guard_or, guard_with};
use crate::content::{needed, reading};
use crate::diagnostics::{check, hcl_diags, hcl_range};
use crate::frame::hcl_frame;
use crate::handle::{check_out, get, hand_out, put, release};
use crate::json::stopped;
use crate::limits::evaluating_within;
use crate::room::{asking, range_in};
use crate::schema::hcl_schema;
use crate::scope::hcl_scope;
use crate::source::{Options, Syntax, hcl_parse_opts, input, parsed};
use crate::status::hcl_status;
use crate::string::{hcl_str, text_in};
use crate::traversal::hcl_traversals;
use crate::types::hcl_type;
use crate::value::hcl_value;
use decoding::{
    SpecFile, decode_with, place_of_decoded, read, variables_of_dynamic_within, variables_within,
};

/// A specification: the value that is made of a body, and the variables and functions that it brings along.
/// Immutable; use it from any thread. Counted: `hcl_spec_ref`. Release with `hcl_spec_free`.
#[derive(Debug)]
pub struct hcl_spec(Arc<SpecFile>);

/// Reads a specification, a text in the language of the tool `hcldec` (its manual: tests/cases/decoding/specifications.md in
/// the sources); with `HCL_PARSE_JSON` in its JSON form, where types are written as templates, `"${number}"`:
///
/// ```text
/// object {
///   attr "port" {
///     type     = number
///     required = true
///   }
///   block_map "service" {
///     labels = ["name"]
///     attr {
///       name = "host"
///       type = string
///     }
///   }
/// }
/// ```
///
/// Expressions in it are evaluated here, within the default limits and the timeout and switch of `opts`. Texts, `opts`,
/// statuses and `diags` are as for `hcl_file_parse`, but `*out` is written only with HCL_OK. `*out` is owned.
/// HCL_ERR_UNSUPPORTED: the library was built without it; then there are no specifications.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_spec_parse(
    name: *const c_char,
    name_len: usize,
    src: *const c_char,
    src_len: usize,
    opts: *const hcl_parse_opts,
    out: *mut *mut hcl_spec,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: texts and options of the caller, readable as the interface asks.
        let (name, bytes, opts) = unsafe { input(name, name_len, src, src_len, opts) }?;
        let options = EvalOptions { limits: evaluating_within(opts.limits()), ..EvalOptions::default() };
        let spec = spec_of((&name, bytes), &opts, &options, said)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_spec(Arc::new(spec))) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// The body of a file, if it has no errors.
fn body_of((name, bytes): (&str, &[u8]), opts: &Options, said: &mut Diagnostics) -> Outcome<ConfigBody> {
    let (syntax, diagnostics) = parsed(name, bytes, opts)?;
    said.extend(diagnostics);
    check(said)?;
    Ok(match &syntax {
        Syntax::Native(file) => ConfigBody::from(file),
        Syntax::Json(file) => ConfigBody::from(file),
    })
}

/// The specification that a text holds.
fn spec_of(
    text: (&str, &[u8]),
    opts: &Options,
    options: &EvalOptions<'_>,
    said: &mut Diagnostics,
) -> Outcome<SpecFile> {
    let body = body_of(text, opts, said)?;
    let (spec, diagnostics) = read(&body, options)?;
    said.extend(diagnostics);
    check(said)?;
    Ok(spec)
}

/// A text with its name, and how it is parsed.
pub(crate) type Input<'a> = (&'a str, &'a [u8], &'a Options);

/// The value that the specification in one text makes of another one, in `scope`.
pub(crate) fn decode_once(
    (spec_name, spec, spec_opts): Input<'_>,
    (name, bytes, opts): Input<'_>,
    scope: &Arc<Scope>,
    options: &EvalOptions<'_>,
    said: &mut Diagnostics,
) -> Outcome<Value> {
    let spec = spec_of((spec_name, spec), spec_opts, options, said)?;
    let body = Body::from(body_of((name, bytes), opts, said)?);
    let scope = scope_of(&spec, Some(scope), options.limits.clone())?;
    let (value, problems) = decode_with(&body, &spec.root, Some(&scope), &mut Evaluation::new(options));
    said.extend(problems);
    check(said)?;
    Ok(value)
}

/// The type of the values that a specification gives, `any` where it depends on the body. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_spec_type(spec: *const hcl_spec, out: *mut *mut hcl_type) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let ty = unsafe { get("spec", spec) }?.0.root.implied_type();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_type::new(ty)) };
        Ok(())
    })
}

/// The schema that follows from a specification, with those of all blocks. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_spec_schema(spec: *const hcl_spec, out: *mut *mut hcl_schema) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let spec = unsafe { get("spec", spec) }?;
        let schema = asking(|meter| spec.0.root.nested_schema_within(meter))?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_schema::new(schema)) };
        Ok(())
    })
}

/// The scope of a specification's own variables and functions, inside `parent`, which must be sealed and may be null.
fn scope_of(spec: &SpecFile, parent: Option<&Arc<Scope>>, limits: Limits) -> Outcome<Arc<Scope>> {
    let mut builder = Scope::builder();
    if let Some(parent) = parent {
        builder = builder.parent(Arc::clone(parent));
    }
    builder = builder.variables_allowed().functions(Arc::new(spec.functions.clone()));
    let mut variables = spec.variables.iter().map(|(name, value)| (name.clone(), value.clone()));
    Ok(builder.variables_within(&mut variables, &mut Meter::new(limits)).map_err(stopped)?.build())
}

/// Bounds for variables that were counted when the specification was read.
fn unlimited() -> Limits {
    Limits { max_memory: u64::MAX, ..Limits::default() }
}

/// A sealed scope with the variables and functions that a specification brings along for the bodies it decodes (its
/// blocks `variables` and `function`), inside `parent`, which must be sealed and may be null. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_spec_scope(
    spec: *const hcl_spec,
    parent: *const hcl_scope,
    out: *mut *mut hcl_scope,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let spec = unsafe { get("spec", spec) }?;
        // SAFETY: as above.
        let parent = unsafe { parent.as_ref() }.map(|scope| scope.sealed("parent")).transpose()?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_scope::of(scope_of(&spec.0, parent, unlimited())?)) };
        Ok(())
    })
}

/// The variables of all expressions that decoding reads, found without evaluating anything: in the order of the
/// specification, or where `dynamic` blocks are to be expanded, in that of the text, their iterators left out.
/// `flags` is 0 or `HCL_VARIABLES_FOR_EXPANSION`. What is wrong with the body is not said here. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_spec_variables(
    spec: *const hcl_spec,
    body: *const hcl_body,
    flags: u32,
    out: *mut *mut hcl_traversals,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        let needed = needed(flags)?;
        // SAFETY: null or live, by the contract of the interface.
        let root = &unsafe { get("spec", spec) }?.0.root;
        // SAFETY: as above.
        let body = unsafe { get("body", body) }?.unread()?;
        let is_plain = flags == 0 && body.expansion().is_none();
        let found = hcl_traversals::find(|meter| match is_plain {
            true => variables_within(body.written(), root, meter),
            false => variables_of_dynamic_within(body, root, needed, meter),
        })?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, found) };
        Ok(())
    })
}

/// The value of a body. Its expressions are evaluated in the scope and with the values of a frame, whose limits count for
/// all of them together; where `frame` is null, with what the specification brings along and nothing else, within the
/// default limits. For both there is `hcl_spec_scope`. Blocks that `dynamic` blocks stand for are among the others if
/// the body is one of `hcl_body_expand_dynamic`; the frame must then be of the scope given there.
///
/// HCL_OK: `*value` is owned, and of the type that `hcl_spec_type` gives. HCL_ERR_DIAGNOSTICS: the body does not fit the
/// specification, or an expression failed. HCL_ERR_TYPE: the body is what `hcl_body_content` gave. HCL_ERR_LIMIT,
/// HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_BUSY and `diags`: as for `hcl_eval`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_spec_decode(
    spec: *const hcl_spec,
    body: *const hcl_body,
    frame: *mut hcl_frame,
    value: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let run = |said: &mut Diagnostics| {
        check_out("value", value)?;
        // SAFETY: null or live, by the contract of the interface.
        let spec = unsafe { get("spec", spec) }?;
        // SAFETY: as above.
        let body = unsafe { get("body", body) }?.unread()?;
        // SAFETY: passed on.
        let (decoded, problems) = unsafe {
            reading(body, frame, |scope, evaluation| {
                let own = || scope_of(&spec.0, None, unlimited());
                let scope = scope.cloned().map_or_else(own, Ok)?;
                Ok::<_, Failure>(decode_with(body, &spec.0.root, Some(&scope), evaluation))
            })
        }??;
        *said = problems;
        check(said)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(value, hcl_value::new(decoded)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, run) }
}

/// Where a part of a decoded value comes from. `path` leads to it in the value that `spec` makes of `body`, such as
/// `listen.public.port` or `servers[0]`; the empty path is the whole value. `part` is HCL_PLACE_VALUE for the expression, or the
/// element of one that is written out; HCL_PLACE_WHOLE, HCL_PLACE_NAME or HCL_PLACE_HEADER for the attribute or block that it is
/// in. What the body does not have is where it would have to be put. `frame` is needed only for `dynamic` blocks, and may be
/// null. `*filename`, which may be left out by a null pointer, is borrowed from `body`. `hcl_place` says the same for a
/// diagnostic.
///
/// HCL_ERR_NOT_FOUND: the specification makes no such part, or makes it of nothing in the body: of a literal, or as an element of
/// a set. HCL_ERR_ARGUMENT: `path` is no path. HCL_ERR_TYPE: the body is what `hcl_body_content` gave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_decoded_range(
    spec: *const hcl_spec,
    body: *const hcl_body,
    frame: *mut hcl_frame,
    path: *const c_char,
    path_len: usize,
    part: u32,
    filename: *mut hcl_str,
    out: *mut hcl_range,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let path = unsafe { text_in("path", path, path_len) }?;
        // SAFETY: null or live, by the contract of the interface.
        let (source, span) = unsafe { decoded(spec, body, frame, path, part) }?;
        if !filename.is_null() {
            // SAFETY: not null, writable by contract; the body keeps the source alive.
            unsafe { put(filename, hcl_str::from(source.shown().name())) };
        }
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range_in(&source, span)?) };
        Ok(())
    })
}

/// The place of a part of a decoded value.
///
/// # Safety
/// The handles are null or live.
pub(crate) unsafe fn decoded(
    spec: *const hcl_spec,
    body: *const hcl_body,
    frame: *mut hcl_frame,
    path: &str,
    part: u32,
) -> Outcome<(Source, Span)> {
    // SAFETY: passed on.
    let spec = unsafe { get("spec", spec) }?;
    // SAFETY: passed on.
    let body = unsafe { get("body", body) }?.unread()?;
    let found =
        |evaluation: &mut Evaluation<'_>| place_of_decoded(body, &spec.0.root, path, part, evaluation);
    // SAFETY: passed on.
    unsafe { reading(body, frame, |_, evaluation| found(evaluation)) }?
}

/// Another owned handle to the same specification.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_spec_ref(spec: *const hcl_spec, out: *mut *mut hcl_spec) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let same = Arc::clone(&unsafe { get("spec", spec) }?.0);
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_spec(same)) };
        Ok(())
    })
}

/// Releases a handle. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_spec_free(spec: *mut hcl_spec) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(spec) });
}

#[cfg(feature = "decoding")]
mod decoding {
    pub(super) use hcl_eval::decode::{SpecFile, decode_with, variables_of_dynamic_within, variables_within};
    use hcl_eval::eval::EvalOptions;
    use hcl_syntax::config::ConfigBody;
    use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};

    use hcl_eval::decode::{BodySpec, Part, decoded_place, path_of_text};
    use hcl_eval::dynamic::Body;
    use hcl_eval::eval::Evaluation;
    use hcl_syntax::source::{Source, Span};

    use crate::boundary::{Failure, Outcome};
    use crate::place::{HCL_PLACE_HEADER, HCL_PLACE_NAME, HCL_PLACE_VALUE, HCL_PLACE_WHOLE};
    use crate::status::hcl_status;

    pub(super) fn place_of_decoded(
        body: &Body,
        spec: &BodySpec,
        path: &str,
        part: u32,
        evaluation: &mut Evaluation<'_>,
    ) -> Outcome<(Source, Span)> {
        let path = path_of_text(path).ok_or_else(|| Failure::argument("path", "is no path."))?;
        let part = match part {
            HCL_PLACE_WHOLE => Part::Whole,
            HCL_PLACE_VALUE => Part::Value,
            HCL_PLACE_NAME => Part::Name,
            HCL_PLACE_HEADER => Part::Header,
            _ => return Err(Failure::argument("part", format_args!("is {part}, which means nothing."))),
        };
        evaluation.find_lines(body.written().sources()).map_err(Failure::of)?;
        let found = decoded_place(body, spec, &path, part, evaluation);
        if let Some(limit) = evaluation.limit() {
            let detail = "A limit was reached before the place was found.";
            return Err(Failure::of(vec![Diagnostic::error(limit.code(), "Limit reached", detail)]));
        }
        Ok(found.ok_or(hcl_status::HCL_ERR_NOT_FOUND)?)
    }

    pub(super) fn read(body: &ConfigBody, options: &EvalOptions<'_>) -> Outcome<(SpecFile, Diagnostics)> {
        Ok(SpecFile::read(body, options))
    }
}

/// A build that decodes nothing: there is no specification, so that what would be done with one is left out.
#[cfg(not(feature = "decoding"))]
mod decoding {
    use std::sync::Arc;

    use hcl_eval::dynamic::{Body, Needed};
    use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
    use hcl_eval::function::FunctionTable;
    use hcl_eval::{Str, Type, Value};
    use hcl_syntax::config::{Bounds, ConfigBody, ConfigExpression};
    use hcl_syntax::diagnostic::Diagnostics;
    use hcl_syntax::schema::NestedSchema;
    use hcl_syntax::source::{Source, Span};

    use crate::boundary::Outcome;
    use crate::status::hcl_status;

    #[derive(Debug)]
    pub(super) enum BodySpec {}

    #[derive(Debug)]
    pub(super) struct SpecFile {
        pub(super) root: BodySpec,
        pub(super) variables: Vec<(Str, Value)>,
        pub(super) functions: FunctionTable,
    }

    impl BodySpec {
        pub(super) fn implied_type(&self) -> Type {
            match *self {}
        }

        pub(super) fn nested_schema_within(&self, _: &mut dyn Bounds) -> NestedSchema {
            match *self {}
        }
    }

    pub(super) fn read(_: &ConfigBody, _: &EvalOptions<'_>) -> Outcome<(SpecFile, Diagnostics)> {
        Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
    }

    pub(super) fn place_of_decoded(
        _: &Body,
        spec: &BodySpec,
        _: &str,
        _: u32,
        _: &mut Evaluation<'_>,
    ) -> Outcome<(Source, Span)> {
        match *spec {}
    }

    pub(super) fn decode_with(
        _: &Body,
        spec: &BodySpec,
        _: Option<&Arc<Scope>>,
        _: &mut Evaluation<'_>,
    ) -> (Value, Diagnostics) {
        match *spec {}
    }

    pub(super) fn variables_within(
        _: &ConfigBody,
        spec: &BodySpec,
        _: &mut dyn Bounds,
    ) -> Vec<ConfigExpression> {
        match *spec {}
    }

    pub(super) fn variables_of_dynamic_within(
        _: &Body,
        spec: &BodySpec,
        _: Needed,
        _: &mut dyn Bounds,
    ) -> Vec<ConfigExpression> {
        match *spec {}
    }
}
