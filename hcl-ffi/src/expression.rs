//! Expressions, and which names they need.

use std::sync::Arc;

use hcl_syntax::ast::{self, ExprId, Expression, StepKind, Traversal, Tree};
use hcl_syntax::source::Span;

use crate::boundary::{guard, guard_or};
use crate::diagnostics::hcl_range;
use crate::handle::{check_out, get, hand_out, put, release};
use crate::status::hcl_status;
use crate::string::hcl_str;

/// A parsed expression. Immutable; use it from any thread. One that is borrowed from an attribute becomes a
/// handle of its own by `hcl_expr_ref`. Release owned ones with `hcl_expr_free`.
#[derive(Debug)]
pub struct hcl_expr {
    tree: Arc<Tree>,
    id: ExprId,
}

impl hcl_expr {
    pub(crate) fn new(tree: Arc<Tree>, id: ExprId) -> Self {
        Self { tree, id }
    }

    pub(crate) fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    pub(crate) fn id(&self) -> ExprId {
        self.id
    }

    pub(crate) fn expression(&self) -> Expression<'_> {
        self.tree.expression(self.id)
    }
}

/// The source text of an expression, borrowed from it. Bytes that were no UTF-8 appear as U+001A.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_source(expr: *const hcl_expr) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { expr.as_ref() }.map_or(hcl_str::EMPTY, |expr| expr.expression().source_text().into())
    })
}

/// Where an expression stands.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_range(expr: *const hcl_expr, out: *mut hcl_range) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let expr = unsafe { get("expr", expr) }?;
        let range = hcl_range::from(&expr.tree.source().range(expr.expression().span()));
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
        unsafe { hand_out(out, hcl_expr::new(Arc::clone(&expr.tree), expr.id)) };
        Ok(())
    })
}

/// Releases an owned expression. Null is ignored. What an attribute gave is not owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_free(expr: *mut hcl_expr) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(expr) });
}

/// The variables an expression refers to, in the order of the source, duplicates kept. Immutable; use it from
/// any thread. Release with `hcl_traversals_free`.
#[derive(Debug)]
pub struct hcl_traversals {
    tree: Arc<Tree>,
    list: Box<[Entry]>,
}

#[derive(Debug)]
struct Entry {
    root: Span,
    span: Span,
    text: Box<str>,
}

/// The variables that `expr` refers to: root names with the attributes and literal indexes that follow. Names
/// that a `for` of the expression itself introduces are left out. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_variables(
    expr: *const hcl_expr,
    out: *mut *mut hcl_traversals,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let expr = unsafe { get("expr", expr) }?;
        let list = ast::variables(expr.expression()).into_iter().map(entry).collect();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_traversals { tree: Arc::clone(&expr.tree), list }) };
        Ok(())
    })
}

fn entry(traversal: Traversal<'_>) -> Entry {
    let mut text = traversal.root().to_owned();
    let mut span = traversal.root_span();
    for step in traversal.steps().iter() {
        span = span.to(step.span);
        match step.kind {
            StepKind::Attribute(name) => {
                text.push('.');
                text.push_str(name);
            }
            StepKind::Index(key) => {
                text.push('[');
                text.push_str(key.source_text());
                text.push(']');
            }
            StepKind::LegacyIndex(digits) => {
                text.push('[');
                text.push_str(digits);
                text.push(']');
            }
            StepKind::InvalidLegacyIndex => text.push_str("[?]"),
        }
    }
    Entry { root: traversal.root_span(), span, text: text.into() }
}

/// The number of variables in the list. Null counts as an empty list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_count(list: *const hcl_traversals) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { list.as_ref() }.map_or(0, |list| list.list.len()))
}

/// The root name of the variable at `index`, for example `local`; borrowed. Empty when there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_root(list: *const hcl_traversals, index: usize) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        let Some(list) = (unsafe { list.as_ref() }) else { return hcl_str::EMPTY };
        let found = list.list.get(index);
        found.map_or(hcl_str::EMPTY, |entry| list.tree.source().slice(entry.root).into())
    })
}

/// The variable at `index` as text, for example `local.ports["http"]`; borrowed. Empty when there are not that
/// many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_text(list: *const hcl_traversals, index: usize) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        let found = unsafe { list.as_ref() }.and_then(|list| list.list.get(index));
        found.map_or(hcl_str::EMPTY, |entry| hcl_str::from(&*entry.text))
    })
}

/// Where the variable at `index` stands. HCL_ERR_RANGE: there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_range(
    list: *const hcl_traversals,
    index: usize,
    out: *mut hcl_range,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let list = unsafe { get("list", list) }?;
        let entry = list.list.get(index).ok_or(hcl_status::HCL_ERR_RANGE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, hcl_range::from(&list.tree.source().range(entry.span))) };
        Ok(())
    })
}

/// Releases the list. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_traversals_free(list: *mut hcl_traversals) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(list) });
}
