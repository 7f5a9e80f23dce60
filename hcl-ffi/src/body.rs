//! Bodies, attributes and blocks: borrowed from the file, by index in source order.
//!
//! C needs addresses where the tree has indexes. Each body makes the handles of its attributes and blocks
//! when first asked, in two arrays that then stay where they are.

use libc::c_char;
use std::ptr;
use std::sync::{Arc, OnceLock};

use hcl_syntax::ast::{Body, BodyId, Tree};
use hcl_syntax::source::Span;

use crate::boundary::{Outcome, guard, guard_or};
use crate::diagnostics::hcl_range;
use crate::expression::hcl_expr;
use crate::handle::{check_out, get, put};
use crate::status::hcl_status;
use crate::string::{hcl_str, text_in};

/// The content of a file or of a block. Borrowed from its file; immutable; use it from any thread.
#[derive(Debug)]
pub struct hcl_body {
    tree: Arc<Tree>,
    id: BodyId,
    content: OnceLock<Content>,
}

/// An attribute: a name and an expression. Borrowed from its file; immutable; use it from any thread.
#[derive(Debug)]
pub struct hcl_attr {
    tree: Arc<Tree>,
    name: Span,
    span: Span,
    expression: hcl_expr,
}

/// A block: a type, labels and a body. Borrowed from its file; immutable; use it from any thread.
#[derive(Debug)]
pub struct hcl_block {
    tree: Arc<Tree>,
    block_type: Span,
    span: Span,
    labels: Box<[(Box<str>, Span)]>,
    body: hcl_body,
}

/// The handles of what a body contains.
#[derive(Debug)]
struct Content {
    attributes: Box<[hcl_attr]>,
    /// Indexes into `attributes`, sorted by name.
    by_name: Box<[u32]>,
    blocks: Box<[hcl_block]>,
}

impl hcl_body {
    fn new(tree: Arc<Tree>, id: BodyId) -> Self {
        Self { tree, id, content: OnceLock::new() }
    }

    fn content(&self) -> &Content {
        self.content.get_or_init(|| Content::new(&self.tree, self.tree.body_at(self.id)))
    }
}

impl Content {
    fn new(tree: &Arc<Tree>, body: Body<'_>) -> Self {
        let attributes: Box<[hcl_attr]> = body
            .attributes()
            .map(|attribute| hcl_attr {
                tree: Arc::clone(tree),
                name: attribute.name_span(),
                span: attribute.span(),
                expression: hcl_expr::new(Arc::clone(tree), attribute.expression().id()),
            })
            .collect();
        let mut by_name: Box<[u32]> = (0..u32::try_from(attributes.len()).unwrap_or(u32::MAX)).collect();
        by_name.sort_by_key(|&index| attributes[index as usize].name());
        let blocks = body
            .blocks()
            .map(|block| hcl_block {
                tree: Arc::clone(tree),
                block_type: block.type_span(),
                span: block.span(),
                labels: block.labels().map(|label| (label.text().into(), label.span())).collect(),
                body: hcl_body::new(Arc::clone(tree), block.body().id()),
            })
            .collect();
        Self { attributes, by_name, blocks }
    }
}

impl hcl_attr {
    fn name(&self) -> &str {
        self.tree.source().slice(self.name)
    }
}

/// The body of a file, which owns the handles of everything below.
#[derive(Debug)]
pub(crate) struct RootBody(hcl_body);

impl RootBody {
    pub(crate) fn new(tree: Arc<Tree>, id: BodyId) -> Self {
        Self(hcl_body::new(tree, id))
    }

    pub(crate) fn body(&self) -> &hcl_body {
        &self.0
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.0.tree
    }
}

/// Blocks nest as deep as the limit of the parse allows: the handles are dropped level by level.
impl Drop for RootBody {
    fn drop(&mut self) {
        let mut rest: Vec<Content> = self.0.content.take().into_iter().collect();
        while let Some(content) = rest.pop() {
            rest.extend(content.blocks.into_iter().filter_map(|mut block| block.body.content.take()));
        }
    }
}

fn range(tree: &Tree, span: Span) -> hcl_range {
    hcl_range::from(&tree.source().range(span))
}

/// The number of attributes. Null counts as an empty body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_attr_count(body: *const hcl_body) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { body.as_ref() }.map_or(0, |body| body.content().attributes.len()))
}

/// The attribute at `index`, in the order of the source; null when there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_attr_at(body: *const hcl_body, index: usize) -> *const hcl_attr {
    guard_or(ptr::null(), || {
        // SAFETY: null or live, by the contract of the interface.
        let found = unsafe { body.as_ref() }.and_then(|body| body.content().attributes.get(index));
        found.map_or(ptr::null(), ptr::from_ref)
    })
}

/// The attribute of the given name; null when there is none. Takes time logarithmic in their number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_attr_find(
    body: *const hcl_body,
    name: *const c_char,
    name_len: usize,
) -> *const hcl_attr {
    // SAFETY: as the interface asks.
    guard_or(ptr::null(), || unsafe { find(body, name, name_len) }.unwrap_or(ptr::null()))
}

/// # Safety
/// As for `hcl_body_attr_find`.
unsafe fn find(body: *const hcl_body, name: *const c_char, name_len: usize) -> Outcome<*const hcl_attr> {
    // SAFETY: passed on.
    let content = unsafe { get("body", body) }?.content();
    // SAFETY: passed on.
    let name = unsafe { text_in("name", name, name_len) }?;
    let at = |&index: &u32| &content.attributes[index as usize];
    let found = content.by_name.binary_search_by(|index| at(index).name().cmp(name));
    Ok(found.map_or(ptr::null(), |position| at(&content.by_name[position])))
}

/// The name of an attribute, borrowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_attr_name(attr: *const hcl_attr) -> hcl_str {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(hcl_str::EMPTY, || unsafe { attr.as_ref() }.map_or(hcl_str::EMPTY, |attr| attr.name().into()))
}

/// The expression of an attribute, borrowed. Null gives null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_attr_expr(attr: *const hcl_attr) -> *const hcl_expr {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(ptr::null(), || unsafe { attr.as_ref() }.map_or(ptr::null(), |attr| &raw const attr.expression))
}

/// Where an attribute stands: from its name to the end of its expression.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_attr_range(attr: *const hcl_attr, out: *mut hcl_range) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let attr = unsafe { get("attr", attr) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range(&attr.tree, attr.span)) };
        Ok(())
    })
}

/// Where something that a body should have is said to be missing: the empty place where the body begins.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_missing_range(body: *const hcl_body, out: *mut hcl_range) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let body = unsafe { get("body", body) }?;
        let span = body.tree.body_at(body.id).missing_item_span();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range(&body.tree, span)) };
        Ok(())
    })
}

/// The number of blocks. Null counts as an empty body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_block_count(body: *const hcl_body) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { body.as_ref() }.map_or(0, |body| body.content().blocks.len()))
}

/// The block at `index`, in the order of the source; null when there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_block_at(body: *const hcl_body, index: usize) -> *const hcl_block {
    guard_or(ptr::null(), || {
        // SAFETY: null or live, by the contract of the interface.
        let found = unsafe { body.as_ref() }.and_then(|body| body.content().blocks.get(index));
        found.map_or(ptr::null(), ptr::from_ref)
    })
}

/// The type of a block, for example `resource`; borrowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_type(block: *const hcl_block) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        let block = unsafe { block.as_ref() };
        block.map_or(hcl_str::EMPTY, |block| block.tree.source().slice(block.block_type).into())
    })
}

/// The number of labels of a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_label_count(block: *const hcl_block) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { block.as_ref() }.map_or(0, |block| block.labels.len()))
}

/// The label at `index`, quotes and escapes resolved; borrowed. Empty when there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_label(block: *const hcl_block, index: usize) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        let label = unsafe { block.as_ref() }.and_then(|block| block.labels.get(index));
        label.map_or(hcl_str::EMPTY, |(text, _)| hcl_str::from(&**text))
    })
}

/// Where the label at `index` stands, quotes included. HCL_ERR_RANGE: there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_label_range(
    block: *const hcl_block,
    index: usize,
    out: *mut hcl_range,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let block = unsafe { get("block", block) }?;
        let (_, span) = block.labels.get(index).ok_or(hcl_status::HCL_ERR_RANGE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range(&block.tree, *span)) };
        Ok(())
    })
}

/// The body of a block, borrowed. Null gives null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_body(block: *const hcl_block) -> *const hcl_body {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(ptr::null(), || unsafe { block.as_ref() }.map_or(ptr::null(), |block| &raw const block.body))
}

/// Where a block stands: from its type to its closing brace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_range(block: *const hcl_block, out: *mut hcl_range) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let block = unsafe { get("block", block) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range(&block.tree, block.span)) };
        Ok(())
    })
}
