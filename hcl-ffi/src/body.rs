//! Bodies, attributes and blocks: borrowed from the file, by index in source order.
//!
//! C needs addresses where the engine has views. Each body makes the handles of its attributes and blocks when first
//! asked, in two arrays that then stay where they are. What reading by schema gave (`content`) has its arrays from
//! the beginning.

use libc::c_char;
use std::ptr;
use std::sync::{Arc, OnceLock};

use hcl_eval::dynamic::{Attribute, Block, Body, Content};
use hcl_syntax::config::{Attributes, Bounds, ContentAttribute, Named, map_within};
use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::source::{Source, Span};

use crate::boundary::{Outcome, guard, guard_or, guard_with};
use crate::diagnostics::{check_evaluated, hcl_diags, hcl_range};
use crate::expression::hcl_expr;
use crate::frame::{evaluating, hcl_frame};
use crate::handle::{check_out, get, hand_out, put, release};
use crate::room::{asking, range_in};
use crate::status::hcl_status;
use crate::string::{hcl_str, text_in};
use crate::traversal::hcl_traversals;
use crate::value::hcl_value;

/// The content of a file or of a block, of native or JSON syntax, or of several files read as one. Immutable; use it
/// from any thread. One that is borrowed becomes a handle of its own by `hcl_body_ref`. Release owned ones with
/// `hcl_body_free`.
#[derive(Debug)]
pub struct hcl_body(Arc<Handles>);

/// An attribute: a name and an expression. Borrowed from its body; immutable; use it from any thread.
#[derive(Debug)]
pub struct hcl_attr {
    attribute: Attribute,
    expression: hcl_expr,
}

/// A block: a type, labels and a body. Borrowed from the body it is in; immutable; use it from any thread.
#[derive(Debug)]
pub struct hcl_block {
    block: Block,
    /// Made when it is asked for.
    body: OnceLock<hcl_body>,
}

/// A body, and the handles of what it contains.
#[derive(Debug)]
struct Handles {
    body: Body,
    /// True if the entries are the answer to a reader of the body.
    is_content: bool,
    entries: OnceLock<Entries>,
}

#[derive(Debug)]
struct Entries {
    attributes: Attributes<hcl_attr>,
    blocks: Box<[hcl_block]>,
    /// The attributes that are left out because their names came before, with what is said of them.
    duplicates: Vec<(ContentAttribute, Diagnostic)>,
}

impl hcl_body {
    /// A body that nobody has read yet.
    pub(crate) fn new(body: Body) -> Self {
        Self(Arc::new(Handles { body, is_content: false, entries: OnceLock::new() }))
    }

    /// Makes the body of what was read from another, as far as bounds allow.
    pub(crate) fn content(body: Body, content: Content, bounds: &mut dyn Bounds) -> Self {
        let entries = OnceLock::from(Entries::new(content, Vec::new(), bounds));
        Self(Arc::new(Handles { body, is_content: true, entries }))
    }

    /// The body, unless it is what was read from one.
    pub(crate) fn unread(&self) -> Outcome<&Body> {
        if self.0.is_content { Err(hcl_status::HCL_ERR_TYPE.into()) } else { Ok(&self.0.body) }
    }

    /// Where something that the body should have is said to be missing.
    pub(crate) fn missing_item(&self) -> Option<(&Source, Span)> {
        self.0.body.missing_item()
    }

    /// The attributes; none if there is no memory for their handles.
    fn attributes(&self) -> &[hcl_attr] {
        self.entries().map_or(&[], |entries| entries.attributes.as_slice())
    }

    fn blocks(&self) -> &[hcl_block] {
        self.entries().map_or(&[], |entries| &entries.blocks)
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&hcl_attr> {
        self.entries()?.attributes.get(name)
    }

    /// The complaints about several attributes of this name; none if a reader of the body has told them.
    pub(crate) fn duplicates(&self, name: &str) -> impl Iterator<Item = &Diagnostic> {
        let duplicates = self.entries().into_iter().flat_map(|entries| &entries.duplicates);
        duplicates.filter(move |(attribute, _)| attribute.name() == name).map(|(_, told)| told)
    }

    /// The content of the body, if there is memory for the handles, or has been.
    fn entries(&self) -> Option<&Entries> {
        if !self.has_handles() {
            self.make_all_handles();
        }
        self.0.entries.get()
    }

    fn make_all_handles(&self) {
        // A function without a status has nobody to tell.
        drop(asking(|meter| self.make_handles(meter)));
    }

    /// Returns true if the handles are there.
    pub(crate) fn has_handles(&self) -> bool {
        self.0.entries.get().is_some()
    }

    /// Makes the handles, unless bounds end that.
    pub(crate) fn make_handles(&self, bounds: &mut dyn Bounds) {
        let body = &self.0.body;
        let duplicates = body.written().duplicates_within(bounds);
        let made = Entries::new(body.everything_within(bounds), duplicates, bounds);
        if bounds.goes_on(1) {
            // Another thread may have made them meanwhile.
            let _ = self.0.entries.set(made);
        }
    }

    fn share(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl Entries {
    fn new(
        content: Content,
        duplicates: Vec<(ContentAttribute, Diagnostic)>,
        bounds: &mut dyn Bounds,
    ) -> Self {
        Self {
            attributes: content.attributes.map_within(bounds, hcl_attr::new),
            blocks: map_within(content.blocks, bounds, hcl_block::new).into(),
            duplicates,
        }
    }
}

/// Blocks nest as deep as the limit of the parse allows: the handles are dropped level by level.
impl Drop for Handles {
    fn drop(&mut self) {
        let mut rest: Vec<Entries> = self.entries.take().into_iter().collect();
        while let Some(entries) = rest.pop() {
            let bodies =
                entries.blocks.into_iter().filter_map(|block| Arc::into_inner(block.body.into_inner()?.0));
            rest.extend(bodies.filter_map(|mut handles| handles.entries.take()));
        }
    }
}

impl Named for hcl_attr {
    fn name(&self) -> &str {
        self.attribute.name()
    }
}

impl hcl_attr {
    fn new(attribute: Attribute) -> Self {
        let expression = hcl_expr::new(attribute.expression());
        Self { attribute, expression }
    }

    pub(crate) fn attribute(&self) -> &Attribute {
        &self.attribute
    }
}

impl hcl_block {
    fn new(block: Block) -> Self {
        Self { block, body: OnceLock::new() }
    }

    pub(crate) fn block(&self) -> &Block {
        &self.block
    }

    fn body(&self) -> &hcl_body {
        self.body.get_or_init(|| hcl_body::new(self.block.body()))
    }
}

/// The number of attributes. Null counts as an empty body. 0 if there is no memory for their handles, of which the first question
/// makes those of the whole body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_attr_count(body: *const hcl_body) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { body.as_ref() }.map_or(0, |body| body.attributes().len()))
}

/// The attribute at `index`, in the order of the source; null when there are not that many, or no memory for their handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_attr_at(body: *const hcl_body, index: usize) -> *const hcl_attr {
    guard_or(ptr::null(), || {
        // SAFETY: null or live, by the contract of the interface.
        let found = unsafe { body.as_ref() }.and_then(|body| body.attributes().get(index));
        found.map_or(ptr::null(), ptr::from_ref)
    })
}

/// The attribute of the given name; null when there is none, or no memory for the handles. Takes time logarithmic in their
/// number.
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
    let body = unsafe { get("body", body) }?;
    // SAFETY: passed on.
    let name = unsafe { text_in("name", name, name_len) }?;
    Ok(body.attribute(name).map_or(ptr::null(), ptr::from_ref))
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
        let written = unsafe { get("attr", attr) }?.attribute.written();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range_in(written.source(), written.span())?) };
        Ok(())
    })
}

/// Where something that a body should have is said to be missing: the empty place where the body begins. Of several
/// files read as one it is that of the first. HCL_ERR_NOT_FOUND: there is no such place, because the body was made of no
/// files.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_missing_range(body: *const hcl_body, out: *mut hcl_range) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let body = unsafe { get("body", body) }?;
        let (source, span) = body.missing_item().ok_or(hcl_status::HCL_ERR_NOT_FOUND)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range_in(source, span)?) };
        Ok(())
    })
}

/// The number of blocks. Null counts as an empty body. 0 as for `hcl_body_attr_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_block_count(body: *const hcl_body) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { body.as_ref() }.map_or(0, |body| body.blocks().len()))
}

/// The block at `index`, in the order of the source; null when there are not that many, or no memory for their handles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_block_at(body: *const hcl_body, index: usize) -> *const hcl_block {
    guard_or(ptr::null(), || {
        // SAFETY: null or live, by the contract of the interface.
        let found = unsafe { body.as_ref() }.and_then(|body| body.blocks().get(index));
        found.map_or(ptr::null(), ptr::from_ref)
    })
}

/// The type of a block, for example `resource`; borrowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_type(block: *const hcl_block) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { block.as_ref() }.map_or(hcl_str::EMPTY, |block| hcl_str::from(block.block.block_type()))
    })
}

/// The number of labels of a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_label_count(block: *const hcl_block) -> usize {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(0, || unsafe { block.as_ref() }.map_or(0, |block| block.block.n_labels()))
}

/// The label at `index`, quotes and escapes resolved; borrowed. Empty when there are not that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_label(block: *const hcl_block, index: usize) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        let label = unsafe { block.as_ref() }.and_then(|block| block.block.label(index));
        label.map_or(hcl_str::EMPTY, |label| hcl_str::from(label.text))
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
        let block = &unsafe { get("block", block) }?.block;
        let label = block.label(index).ok_or(hcl_status::HCL_ERR_RANGE)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range_in(block.source(), label.span)?) };
        Ok(())
    })
}

/// The body of a block, borrowed. Null gives null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_body(block: *const hcl_block) -> *const hcl_body {
    guard_or(ptr::null(), || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { block.as_ref() }.map_or(ptr::null(), |block| ptr::from_ref(block.body()))
    })
}

/// Where a block stands: from its type to its closing brace. In JSON syntax it is the object that is its body, and of a
/// block that a `dynamic` block made, the whole `dynamic` block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_range(block: *const hcl_block, out: *mut hcl_range) -> hcl_status {
    // SAFETY: as the interface asks.
    unsafe { block_range(block, out, Block::span) }
}

/// Where the type of a block stands: of a block that a `dynamic` block made, the label of that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_type_range(block: *const hcl_block, out: *mut hcl_range) -> hcl_status {
    // SAFETY: as the interface asks.
    unsafe { block_range(block, out, Block::type_span) }
}

/// Returns the place for messages about a block as a whole: its header, from the type to the last label. In JSON
/// syntax it is the opening brace, and of a block that a `dynamic` block made, the header of that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_definition_range(
    block: *const hcl_block,
    out: *mut hcl_range,
) -> hcl_status {
    // SAFETY: as the interface asks.
    unsafe { block_range(block, out, Block::definition_span) }
}

/// # Safety
/// The pointers are as the interface asks.
unsafe fn block_range(
    block: *const hcl_block,
    out: *mut hcl_range,
    span: impl FnOnce(&Block) -> Span,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: passed on.
        let block = &unsafe { get("block", block) }?.block;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range_in(block.source(), span(block))?) };
        Ok(())
    })
}

/// The name of the file that a block is in, borrowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_block_filename(block: *const hcl_block) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { block.as_ref() }.map_or(hcl_str::EMPTY, |block| hcl_str::from(block.block.source().name()))
    })
}

/// Where the name of an attribute stands.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_attr_name_range(attr: *const hcl_attr, out: *mut hcl_range) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let written = unsafe { get("attr", attr) }?.attribute.written();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, range_in(written.source(), written.name_span())?) };
        Ok(())
    })
}

/// The value of an attribute, evaluated once, in the scope and with the values of a frame.
///
/// Unlike `hcl_expr_eval` it knows where the attribute stands: in a block that a `dynamic` block made the iterators have
/// their values, the value carries the marks of the collection gone through, and it is unknown where the collection is.
/// `frame` may be null: then nothing can be referred to, and strings of JSON syntax are no templates. Otherwise as
/// `hcl_expr_eval`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_attr_eval(
    attr: *const hcl_attr,
    frame: *mut hcl_frame,
    value: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Vec<_>| {
        check_out("value", value)?;
        // SAFETY: null or live, by the contract of the interface.
        let attr = unsafe { get("attr", attr) }?;
        // SAFETY: as above.
        let result = unsafe {
            evaluating(frame, |scope, evaluation| {
                let (result, diagnostics) = attr.attribute.evaluate(scope, evaluation);
                *said = diagnostics;
                check_evaluated(said, evaluation)?;
                Ok(result)
            })
        }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(value, hcl_value::new(result)) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// The variables that an attribute refers to, as by `hcl_expr_variables`; the iterators of `dynamic` blocks around it are
/// left out. `*out` is owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_attr_variables(
    attr: *const hcl_attr,
    out: *mut *mut hcl_traversals,
) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let attribute = &unsafe { get("attr", attr) }?.attribute;
        let variables = hcl_traversals::find(|meter| attribute.variables_within(meter))?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, variables) };
        Ok(())
    })
}

/// True if a body stands for blocks of which nothing is known, not even how many they are: those that a `dynamic`
/// block makes of a collection that is not known. False for a null pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_is_unknown(body: *const hcl_body) -> bool {
    // SAFETY: null or live, by the contract of the interface.
    guard_or(false, || unsafe { body.as_ref() }.is_some_and(|body| body.0.body.is_unknown()))
}

/// An owned handle to the same body, which keeps what it needs of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_ref(body: *const hcl_body, out: *mut *mut hcl_body) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let same = unsafe { get("body", body) }?.share();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, same) };
        Ok(())
    })
}

/// Releases an owned body. What was borrowed from it lives as long as any handle to the same body. Null is ignored. What
/// a file or a block gave is not owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_body_free(body: *mut hcl_body) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(body) });
}
