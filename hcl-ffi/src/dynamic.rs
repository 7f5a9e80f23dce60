//! Dynamic blocks: bodies in which they are expanded while they are read.

use std::sync::Arc;

use hcl_eval::dynamic::Body;
use hcl_eval::eval::Scope;
use hcl_syntax::hash::HashSet;

use crate::body::hcl_body;
use crate::boundary::{Outcome, guard};
use crate::extensible_struct;
use crate::handle::{check_out, get, hand_out};
use crate::scope::hcl_scope;
use crate::status::hcl_status;
use crate::string::{array_in, hcl_str, text_in};

/// Which `dynamic` blocks are expanded. Set `size` to `sizeof(hcl_dynamic_opts)` and what is not wanted to zero. The
/// texts are copied.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_dynamic_opts {
    /// `sizeof(hcl_dynamic_opts)`, set by the caller.
    pub size: usize,
    /// The types of blocks that may be generated: `n_only` texts. A `dynamic` block of another type is an error.
    pub only: *const hcl_str,
    /// How many; 0 for all types.
    pub n_only: usize,
    /// Types of blocks whose inside is left alone: `n_opaque` texts. `dynamic` means nothing special in them, but the
    /// iterators around them can be used there.
    pub opaque: *const hcl_str,
    /// How many; 0 for none.
    pub n_opaque: usize,
}

/// A set of texts of the caller.
///
/// # Safety
/// `texts` is null or points to `n` readable texts.
unsafe fn set_of(what: &str, texts: *const hcl_str, n: usize) -> Outcome<HashSet<String>> {
    // SAFETY: passed on.
    let texts = unsafe { array_in(what, texts, n) }?;
    // SAFETY: texts of the caller, readable by contract.
    texts.iter().map(|text| Ok(unsafe { text_in(what, text.ptr, text.len) }?.to_owned())).collect()
}

/// A body in which `dynamic` blocks are expanded, in it and in its blocks, whenever it is read by schema or decoded:
/// blocks that they make stand among the written ones. Looked at as it is (`hcl_body_block_at`) it shows the `dynamic`
/// blocks themselves.
///
/// `for_each` and `labels` are evaluated in `scope`, which must be sealed and may be null for no names at all; the values
/// of its slots come from the frame that is given when the body is read. `opts` may be null: blocks of all types are
/// generated. What is in a generated block is evaluated by `hcl_attr_eval`, which knows the iterators. `*out` is owned,
/// and keeps what it needs.
///
/// HCL_ERR_TYPE: the body is what `hcl_body_content` gave, or is expanded already. HCL_ERR_UNSUPPORTED: the library was built
/// without it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_expand_dynamic(
    body: *const hcl_body,
    scope: *const hcl_scope,
    opts: *const hcl_dynamic_opts,
    out: *mut *mut hcl_body,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let body = unsafe { get("body", body) }?.unread()?;
        // SAFETY: as above.
        let scope = unsafe { scope.as_ref() }.map(|scope| scope.sealed("scope")).transpose()?;
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let opts: hcl_dynamic_opts = unsafe { extensible_struct::read("opts", opts) }?;
        // SAFETY: texts of the caller, readable as the interface asks.
        let only = unsafe { set_of("opts->only", opts.only, opts.n_only) }?;
        // SAFETY: as above.
        let opaque = unsafe { set_of("opts->opaque", opts.opaque, opts.n_opaque) }?;
        if body.expansion().is_some() {
            return Err(hcl_status::HCL_ERR_TYPE.into());
        }
        let expanding = expanded(body, scope, only, opaque)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_body::new(expanding)) };
        Ok(())
    })
}

/// The body with its dynamic blocks expanded: those of the types in `only`, or all, and none in those of `opaque`.
#[cfg(feature = "dynamic")]
fn expanded(
    body: &Body,
    scope: Option<&Arc<Scope>>,
    only: HashSet<String>,
    opaque: HashSet<String>,
) -> Outcome<Body> {
    let mut expansion = hcl_eval::dynamic::Expansion::new(scope.cloned());
    if !only.is_empty() {
        expansion = expansion.only(move |block_type| only.contains(block_type));
    }
    if !opaque.is_empty() {
        expansion = expansion.opaque(move |block_type| opaque.contains(block_type));
    }
    Ok(Body::expanding(body.written().clone(), Arc::new(expansion)))
}

/// A build that expands nothing.
#[cfg(not(feature = "dynamic"))]
fn expanded(_: &Body, _: Option<&Arc<Scope>>, _: HashSet<String>, _: HashSet<String>) -> Outcome<Body> {
    Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
}
