//! Types, as text in and out.

use libc::c_char;

use hcl_eval::types::type_expr::parse_type_text;
use hcl_eval::types::{Defaults, Type, TypeConstraint};

use crate::boundary::{guard, guard_or, guard_with};
use crate::diagnostics::{check, hcl_diags, status_of};
use crate::expression::hcl_expr;
use crate::handle::{check_out, get, hand_out, release};
use crate::json::stopped;
use crate::room::asking;
use crate::status::hcl_status;
use crate::string::{hcl_buf, text_in};

/// A type. Immutable; use it from any thread. Release with `hcl_type_free`.
#[derive(Debug)]
pub struct hcl_type(pub(crate) Type, Option<Defaults>);

impl hcl_type {
    pub(crate) fn new(ty: Type) -> Self {
        Self(ty, None)
    }

    /// The defaults that complete a value before it is converted, if the type has any.
    pub(crate) fn defaults(&self) -> Option<&Defaults> {
        self.1.as_ref()
    }
}

/// Reads a type as type expressions are written: `string`, `list(number)`, `map(any)`,
/// `object({port = optional(number, 80), name = optional(string)})`. Defaults are put in by `hcl_value_convert`.
///
/// Takes time in proportion to the text: its defaults may take 1,000,000 steps, and 100 more for each byte of the text; the type
/// with its defaults has the other limits of an evaluation that is given none. HCL_ERR_DIAGNOSTICS: the text is no type.
/// HCL_ERR_LIMIT: a limit was reached. `*out` is owned; `diags` as for `hcl_file_parse`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_type_parse(
    text: *const c_char,
    text_len: usize,
    out: *mut *mut hcl_type,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Vec<_>| {
        check_out("out", out)?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let text = unsafe { text_in("text", text, text_len) }?;
        match parse_type_text(text) {
            Ok((parsed, defaults)) => {
                // SAFETY: checked not to be null, writable by contract.
                unsafe { hand_out(out, hcl_type(parsed, defaults)) };
                Ok(())
            }
            Err(error) => {
                *said = error.into();
                Err(status_of(said).into())
            }
        }
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// Reads a type from an expression, such as the `type` of a variable's declaration, without evaluating it. As
/// `hcl_type_parse`; diagnostics stand where the expression does. HCL_ERR_TYPE: the expression is of JSON syntax, where
/// a type is a string: read that, and parse it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_type(
    expr: *const hcl_expr,
    out: *mut *mut hcl_type,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Vec<_>| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let expr = unsafe { get("expr", expr) }?;
        if expr.config().is_json() {
            return Err(hcl_status::HCL_ERR_TYPE.into());
        }
        let (constraint, diagnostics) = TypeConstraint::parse(expr.expression());
        *said = diagnostics;
        check(said)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_type(constraint.ty, constraint.defaults)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// A type as a type expression, without its defaults. `*out` is owned. Takes time in proportion to the text; that of a
/// value's type has at most a few bytes for each of its elements and the names of its attributes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_type_text(ty: *const hcl_type, out: *mut *mut hcl_buf) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let ty = &unsafe { get("ty", ty) }?.0;
        let text = asking(|meter| ty.type_text_within(meter))?.map_err(stopped)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_buf::new(text)) };
        Ok(())
    })
}

/// True if two types are equal, whatever their defaults. Null is equal to nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_type_equal(a: *const hcl_type, b: *const hcl_type) -> bool {
    guard_or(false, || {
        // SAFETY: null or live, by the contract of the interface.
        let a = unsafe { a.as_ref() };
        // SAFETY: as above.
        let b = unsafe { b.as_ref() };
        matches!((a, b), (Some(a), Some(b)) if a.0 == b.0)
    })
}

/// Another owned handle to the same type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_type_ref(ty: *const hcl_type, out: *mut *mut hcl_type) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let same = unsafe { get("ty", ty) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_type(same.0.clone(), same.1.clone())) };
        Ok(())
    })
}

/// Releases a type. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_type_free(ty: *mut hcl_type) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(ty) });
}
