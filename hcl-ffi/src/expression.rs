//! Expressions.

use hcl_syntax::ast::{ExprId, Expression, SharedTree};
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::json::Strings;

use crate::boundary::{guard, guard_or};
use crate::diagnostics::hcl_range;
use crate::handle::{check_out, get, hand_out, put, release};
use crate::room::range_in;
use crate::status::hcl_status;
use crate::string::hcl_str;

/// A parsed expression. Immutable; use it from any thread. One that is borrowed from an attribute becomes a
/// handle of its own by `hcl_expr_ref`. Release owned ones with `hcl_expr_free`.
#[derive(Debug)]
pub struct hcl_expr {
    config: ConfigExpression,
}

impl hcl_expr {
    pub(crate) fn new(config: ConfigExpression) -> Self {
        Self { config }
    }

    pub(crate) fn config(&self) -> &ConfigExpression {
        &self.config
    }

    pub(crate) fn tree(&self) -> &SharedTree {
        self.config.tree_with(Strings::Templates)
    }

    pub(crate) fn id(&self) -> ExprId {
        self.expression().id()
    }

    /// The expression as a place in its tree. Values of JSON syntax get one when any of their file is first looked into.
    pub(crate) fn expression(&self) -> Expression<'_> {
        self.config.place_with(Strings::Templates)
    }
}

/// The source text of an expression, borrowed from it. Bytes that were no UTF-8 appear as U+001A.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_source(expr: *const hcl_expr) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        let Some(expr) = (unsafe { expr.as_ref() }) else { return hcl_str::EMPTY };
        if expr.config.is_json() {
            return expr.config.source().slice(expr.config.span()).into();
        }
        expr.expression().source_text().into()
    })
}

/// Where an expression stands.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_range(expr: *const hcl_expr, out: *mut hcl_range) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let expr = unsafe { get("expr", expr) }?;
        let range = range_in(expr.config.source(), expr.config.span())?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range) };
        Ok(())
    })
}

/// An owned handle to the same expression.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_ref(expr: *const hcl_expr, out: *mut *mut hcl_expr) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let expr = unsafe { get("expr", expr) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_expr::new(expr.config.clone())) };
        Ok(())
    })
}

/// Releases an owned expression. Null is ignored. What an attribute gave is not owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_free(expr: *mut hcl_expr) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(expr) });
}

/// The name of the file that an expression is in, borrowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_filename(expr: *const hcl_expr) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { expr.as_ref() }.map_or(hcl_str::EMPTY, |expr| hcl_str::from(expr.config.source().name()))
    })
}
