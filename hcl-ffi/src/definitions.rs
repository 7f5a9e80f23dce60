//! Definitions of configurations: functions, and values that refer to each other.

use libc::c_char;
use std::sync::Arc;

use hcl_eval::dynamic::Body;
use hcl_eval::function::UserFunctionContext;
use hcl_eval::types::Type;
use hcl_eval::value::Value;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};

use crate::body::{hcl_attr, hcl_body};
use crate::boundary::{Failure, guard, guard_or, guard_with};
use crate::diagnostics::{check, hcl_diags};
use crate::frame::{evaluating, hcl_frame};
use crate::handle::{check_out, get, get_mut, hand_out, release};
use crate::room::{ask_for, ask_to_add, asking};
use crate::scope::hcl_scope;
use crate::status::hcl_status;
use crate::string::text_in;
use crate::value::hcl_value;
use defined::{Definitions, new_definitions, user_functions};

/// `hcl_scope_user_functions`: the functions can also use those that their callers see: each other, and themselves.
pub const HCL_USER_FUNCTIONS_CALLER: u32 = 1;

/// Takes the functions that a configuration defines out of a body, and adds them to an open scope. They are blocks of the
/// given type, usually `function`:
///
/// ```text
/// function "greet" {
///   params         = [name]
///   variadic_param = more                          # may be left out
///   result         = "Hello, ${join(" and ", concat([name], more))}!"
/// }
/// ```
///
/// Besides their parameters, results can use what is in `base`, a sealed scope that may be null, and with
/// `HCL_USER_FUNCTIONS_CALLER` all functions that the call sees. Their work counts for the evaluation that calls them, each
/// call as a level of nesting. `*rest`, unless `rest` is null, is an owned body of everything else.
///
/// HCL_ERR_DIAGNOSTICS: a definition is wrong; then nothing was added. HCL_ERR_ARGUMENT: the scope is sealed, or `base`
/// is not. HCL_ERR_TYPE: the body is what `hcl_body_content` gave, or has its `dynamic` blocks expanded. HCL_ERR_UNSUPPORTED:
/// the library was built without it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_scope_user_functions(
    scope: *mut hcl_scope,
    body: *const hcl_body,
    block_type: *const c_char,
    block_type_len: usize,
    flags: u32,
    base: *const hcl_scope,
    rest: *mut *mut hcl_body,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let run = |said: &mut Diagnostics| {
        // SAFETY: null or live and unshared, by the contract of the interface.
        let scope = unsafe { get_mut("scope", scope) }?;
        // SAFETY: null or live, by the contract of the interface.
        let body = unsafe { get("body", body) }?.unread()?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let block_type = unsafe { text_in("block_type", block_type, block_type_len) }?;
        // SAFETY: null or live, by the contract of the interface.
        let base = unsafe { base.as_ref() }.map(|scope| scope.sealed("base")).transpose()?.cloned();
        if body.expansion().is_some() {
            return Err(hcl_status::HCL_ERR_TYPE.into());
        }
        let context = match (flags, base) {
            (0, None) => UserFunctionContext::Parameters,
            (0, Some(base)) => UserFunctionContext::Scope(base),
            (HCL_USER_FUNCTIONS_CALLER, None) => UserFunctionContext::Caller,
            (HCL_USER_FUNCTIONS_CALLER, Some(base)) => UserFunctionContext::ScopeAndCaller(base),
            _ => return Err(Failure::unknown_flag("flags")),
        };
        let (functions, left, problems) =
            asking(|meter| user_functions(body.written(), block_type, &context, meter))??;
        *said = problems;
        check(said)?;
        scope.change(|builder| (builder.functions(Arc::new(functions)), ()))?;
        if !rest.is_null() {
            // SAFETY: not null, writable by contract.
            unsafe { hand_out(rest, hcl_body::new(Body::from(left))) };
        }
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, run) }
}

/// Definitions that refer to each other, such as Terraform's `locals`: each is evaluated once, after those that it needs.
/// Filled by one thread; release with `hcl_definitions_free`.
#[derive(Debug)]
pub struct hcl_definitions(Definitions);

/// How much memory a definition takes in a list, and in the table of names.
const BYTES_OF_DEFINITION: usize = 128;

/// New definitions, none yet. They refer to each other as attributes of the variable `root`, as in `local.name`; where
/// `root_len` is 0, by name alone. `*out` is owned. HCL_ERR_UNSUPPORTED: the library was built without it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_definitions_new(
    root: *const c_char,
    root_len: usize,
    out: *mut *mut hcl_definitions,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let root = unsafe { text_in("root", root, root_len) }?;
        let definitions = hcl_definitions(new_definitions(root)?);
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, definitions) };
        Ok(())
    })
}

/// Adds an attribute as it is written: a name and what it stands for. That a name is defined twice is told by
/// `hcl_definitions_eval` and `hcl_definitions_order`; the first counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_definitions_add(
    definitions: *mut hcl_definitions,
    attr: *const hcl_attr,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or live and unshared, by the contract of the interface.
        let definitions = unsafe { get_mut("definitions", definitions) }?;
        // SAFETY: null or live, by the contract of the interface.
        let attr = unsafe { get("attr", attr) }?;
        ask_to_add(definitions.0.len(), BYTES_OF_DEFINITION)?;
        ask_to_add(definitions.0.n_problems(), size_of::<Diagnostic>())?;
        definitions.0.extend([attr.attribute().written()]);
        Ok(())
    })
}

/// The names as a list of strings, in an order in which each comes after those that it needs. Those that need each other
/// in a circle, and those that use the root variable as a whole, are left out; both are errors. `*names` is owned.
///
/// HCL_ERR_DIAGNOSTICS: something is wrong with the definitions; `*names` is not written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_definitions_order(
    definitions: *const hcl_definitions,
    names: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let run = |said: &mut Diagnostics| {
        check_out("names", names)?;
        // SAFETY: null or live, by the contract of the interface.
        let definitions = &unsafe { get("definitions", definitions) }?.0;
        let (order, problems) = asking(|meter| definitions.order_within(meter))?;
        *said = problems;
        check(said)?;
        ask_for(order.len(), BYTES_OF_DEFINITION)?;
        let list = order.into_iter().map(Value::string).collect();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(names, hcl_value::new(Value::list(Type::String, list))) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, run) }
}

/// The values of all definitions as an object, by name. They are evaluated in the scope and with the values of a frame,
/// whose limits count for all of them together; `frame` may be null, as for `hcl_attr_eval`. `*value` is owned.
///
/// HCL_ERR_DIAGNOSTICS: something is wrong with the definitions, or an expression failed. HCL_ERR_LIMIT,
/// HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_BUSY: as for `hcl_eval`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_definitions_eval(
    definitions: *const hcl_definitions,
    frame: *mut hcl_frame,
    value: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let run = |said: &mut Diagnostics| {
        check_out("value", value)?;
        // SAFETY: null or live, by the contract of the interface.
        let definitions = unsafe { get("definitions", definitions) }?;
        // SAFETY: passed on.
        let (object, problems) = unsafe {
            evaluating(frame, |scope, evaluation| Ok(definitions.0.evaluate_object(scope, evaluation)))
        }?;
        *said = problems;
        check(said)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(value, hcl_value::new(object)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, run) }
}

/// Releases definitions. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_definitions_free(definitions: *mut hcl_definitions) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(definitions) });
}

#[cfg(feature = "definitions")]
mod defined {
    use hcl_eval::function::{FunctionTable, UserFunctionContext};
    pub(super) use hcl_eval::order::Definitions;
    use hcl_syntax::config::{Bounds, ConfigBody};
    use hcl_syntax::diagnostic::Diagnostics;

    use crate::boundary::Outcome;

    pub(super) fn new_definitions(root: &str) -> Outcome<Definitions> {
        Ok(if root.is_empty() { Definitions::plain() } else { Definitions::below(root) })
    }

    pub(super) fn user_functions(
        body: &ConfigBody,
        block_type: &str,
        context: &UserFunctionContext,
        bounds: &mut dyn Bounds,
    ) -> Outcome<(FunctionTable, ConfigBody, Diagnostics)> {
        Ok(hcl_eval::function::user_functions_within(body, block_type, context, bounds))
    }
}

/// A build in which nothing is defined by configurations.
#[cfg(not(feature = "definitions"))]
mod defined {
    use std::sync::Arc;

    use hcl_eval::Value;
    use hcl_eval::eval::{Evaluation, Scope};
    use hcl_eval::function::{FunctionTable, UserFunctionContext};
    use hcl_syntax::config::{Bounds, ConfigBody};
    use hcl_syntax::diagnostic::Diagnostics;

    use crate::boundary::Outcome;
    use crate::status::hcl_status;

    #[derive(Debug)]
    pub(super) enum Definitions {}

    impl Definitions {
        pub(super) fn extend<T>(&mut self, _: T) {
            match *self {}
        }

        pub(super) fn len(&self) -> usize {
            match *self {}
        }

        pub(super) fn n_problems(&self) -> usize {
            match *self {}
        }

        pub(super) fn order_within(&self, _: &mut dyn Bounds) -> (Vec<&str>, Diagnostics) {
            match *self {}
        }

        pub(super) fn evaluate_object(
            &self,
            _: Option<&Arc<Scope>>,
            _: &mut Evaluation<'_>,
        ) -> (Value, Diagnostics) {
            match *self {}
        }
    }

    pub(super) fn new_definitions(_: &str) -> Outcome<Definitions> {
        Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
    }

    pub(super) fn user_functions(
        _: &ConfigBody,
        _: &str,
        _: &UserFunctionContext,
        _: &mut dyn Bounds,
    ) -> Outcome<(FunctionTable, ConfigBody, Diagnostics)> {
        Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
    }
}
