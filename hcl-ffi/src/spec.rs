//! Specifications: one value of a whole body, as a text in the language of `hcldec` says.

use libc::c_char;
use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Scope};
use hcl_eval::limits::Limits;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::parser::ParseLimits;

use crate::body::hcl_body;
use crate::boundary::{guard, guard_or, guard_with};
use crate::content::{needed, reading};
use crate::diagnostics::{check, hcl_diags};
use crate::frame::hcl_frame;
use crate::handle::{check_out, get, hand_out, release};
use crate::schema::hcl_schema;
use crate::scope::hcl_scope;
use crate::source::{Syntax, hcl_parse_opts, input, parsed};
use crate::status::hcl_status;
use crate::traversal::hcl_traversals;
use crate::types::hcl_type;
use crate::value::hcl_value;
use decoding::{SpecFile, decode_with, read, variables, variables_of_dynamic};

/// What a value of a body is made of, and the variables and functions that a specification brings along. Immutable; use
/// it from any thread. Counted: `hcl_spec_ref`. Release with `hcl_spec_free`.
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
        let (syntax, diagnostics) = parsed(name, bytes, &opts)?;
        *said = diagnostics;
        check(said)?;
        let body = match &syntax {
            Syntax::Native(file) => ConfigBody::from(file),
            Syntax::Json(file) => ConfigBody::from(file),
        };
        let ParseLimits { deadline, cancel, .. } = opts.limits().clone();
        let limits = Limits { deadline, cancel, ..Limits::default() };
        let options = EvalOptions { limits, ..EvalOptions::default() };
        let (spec, diagnostics) = read(&body, &options)?;
        said.extend(diagnostics);
        check(said)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_spec(Arc::new(spec))) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
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
        let schema = unsafe { get("spec", spec) }?.0.root.nested_schema();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_schema::new(schema)) };
        Ok(())
    })
}

/// The scope of a specification's own variables and functions, inside `parent`, which must be sealed and may be null.
fn scope_of(spec: &SpecFile, parent: Option<&Arc<Scope>>) -> Arc<Scope> {
    let mut builder = Scope::builder();
    if let Some(parent) = parent {
        builder = builder.parent(Arc::clone(parent));
    }
    builder = builder.variables_allowed().functions(Arc::new(spec.functions.clone()));
    for (name, value) in &spec.variables {
        builder = builder.variable(name, value.clone());
    }
    builder.build()
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
        let parent = unsafe { parent.as_ref() }.map(hcl_scope::sealed).transpose()?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_scope::of(scope_of(&spec.0, parent))) };
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
        let found = if flags == 0 && body.expansion().is_none() {
            variables(body.written(), root)
        } else {
            variables_of_dynamic(body, root, needed)
        };
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_traversals::of(&found)) };
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
                let scope = scope.cloned().unwrap_or_else(|| scope_of(&spec.0, None));
                decode_with(body, &spec.0.root, Some(&scope), evaluation)
            })
        }?;
        *said = problems;
        check(said)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(value, hcl_value::new(decoded)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, run) }
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
    pub(super) use hcl_eval::decode::{SpecFile, decode_with, variables, variables_of_dynamic};
    use hcl_eval::eval::EvalOptions;
    use hcl_syntax::config::ConfigBody;
    use hcl_syntax::diagnostic::Diagnostics;

    use crate::boundary::Outcome;

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
    use hcl_syntax::config::{ConfigBody, ConfigExpression};
    use hcl_syntax::diagnostic::Diagnostics;
    use hcl_syntax::schema::NestedSchema;

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

        pub(super) fn nested_schema(&self) -> NestedSchema {
            match *self {}
        }
    }

    pub(super) fn read(_: &ConfigBody, _: &EvalOptions<'_>) -> Outcome<(SpecFile, Diagnostics)> {
        Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
    }

    pub(super) fn decode_with(
        _: &Body,
        spec: &BodySpec,
        _: Option<&Arc<Scope>>,
        _: &mut Evaluation<'_>,
    ) -> (Value, Diagnostics) {
        match *spec {}
    }

    pub(super) fn variables(_: &ConfigBody, spec: &BodySpec) -> Vec<ConfigExpression> {
        match *spec {}
    }

    pub(super) fn variables_of_dynamic(_: &Body, spec: &BodySpec, _: Needed) -> Vec<ConfigExpression> {
        match *spec {}
    }
}
