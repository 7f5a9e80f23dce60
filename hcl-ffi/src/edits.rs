//! Edits of documents: each call checks its arguments, and then makes one edit or none.

use libc::c_char;

use hcl_eval::written;
use hcl_syntax::edit::{Address, Destination, Document, Gap, Reach, Side};
use hcl_syntax::parser::ParseLimits;

use crate::boundary::{Failure, Outcome};
use crate::diagnostics::hcl_diags;
use crate::document::{Looks, address_in, container_in, editing, hcl_document, parts, refused, text_in};
use crate::handle::{get, put};
use crate::status::hcl_status;
use crate::string::{array_in, hcl_str};
use crate::value::hcl_value;

/// `flags` of edits: every place that the address names is changed, where otherwise more than one is an error.
pub const HCL_EDIT_ALL: u32 = 1;
/// `hcl_document_set`, `hcl_document_set_value`: makes the block that the attribute stands in, if it is not there.
pub const HCL_EDIT_CREATE: u32 = 2;
/// `hcl_document_append_block`: leaves no empty line before the block.
pub const HCL_EDIT_CLOSE: u32 = 4;

/// Above an item, and above the comments that belong to it.
pub const HCL_SIDE_BEFORE: u32 = 0;
/// Below an item.
pub const HCL_SIDE_AFTER: u32 = 1;
/// In a block: an attribute behind the last one, a block at the end.
pub const HCL_SIDE_INTO: u32 = 2;

/// The comments above an item.
pub const HCL_COMMENT_LEAD: u32 = 0;
/// The comments behind an item in its line.
pub const HCL_COMMENT_LINE: u32 = 1;

/// How far an edit reaches.
fn reach_of(flags: u32, known: u32) -> Outcome<Reach> {
    match flags & !known {
        0 if flags & HCL_EDIT_ALL != 0 => Ok(Reach::All),
        0 => Ok(Reach::One),
        _ => Err(Failure::unknown_flag("flags")),
    }
}

/// A side of an item.
fn side_of(side: u32) -> Outcome<Side> {
    match side {
        HCL_SIDE_BEFORE => Ok(Side::Before),
        HCL_SIDE_AFTER => Ok(Side::After),
        _ => Err(Failure::argument("side", "is none of those that are meant here.")),
    }
}

/// Labels of the caller.
///
/// # Safety
/// `labels` is null or points to `n_labels` readable texts.
unsafe fn labels_in<'a>(
    labels: *const hcl_str,
    n_labels: usize,
    limits: &ParseLimits,
) -> Outcome<Vec<&'a str>> {
    // SAFETY: passed on.
    let labels = unsafe { array_in("labels", labels, n_labels) }?;
    let mut looks = Looks::new(limits, "labels");
    looks.ask(size_of_val(labels))?;
    let mut texts = Vec::with_capacity(labels.len());
    for (index, label) in labels.iter().enumerate() {
        // SAFETY: texts of the caller, readable by contract.
        let text = unsafe { text_in("labels[]", label.ptr, label.len, limits) };
        let text = text.map_err(|failure| failure.of_element(index))?;
        texts.push(text);
        looks.go_on(parts(text))?;
    }
    Ok(texts)
}

/// Writes how many places were changed, if that is asked.
///
/// # Safety
/// `n_changed` is null or writable.
unsafe fn tell(n_changed: *mut usize, n: usize) {
    if !n_changed.is_null() {
        // SAFETY: not null, and the caller vouches for it.
        unsafe { put(n_changed, n) };
    }
}

/// Sets an attribute, a key of an object or an element of a tuple to an expression, written out. What is not there is
/// added behind the last attribute or key, written like it. Everything else stays byte for byte. Labels of the block that an
/// attribute stands in, or is to stand in, may be left out if that leaves one block.
///
/// `flags` are HCL_EDIT_ALL, HCL_EDIT_CREATE. HCL_ERR_DIAGNOSTICS: the text is no expression, the address names a block or
/// several places, or the result would not parse; the document is as before, as after any edit that fails.
/// HCL_ERR_NOT_FOUND: what the attribute would stand in is not there. `diags` as for `hcl_file_parse`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_set(
    document: *mut hcl_document,
    address: *const c_char,
    address_len: usize,
    expression: *const c_char,
    expression_len: usize,
    flags: u32,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { address_in("address", address, address_len, limits) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let expression = unsafe { text_in("expression", expression, expression_len, limits) }?;
        set(document, &address, expression, flags)
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Sets what an address names as flags say.
fn set(document: &mut Document, address: &Address, expression: &str, flags: u32) -> Outcome {
    let reach = reach_of(flags, HCL_EDIT_ALL | HCL_EDIT_CREATE)?;
    match flags & HCL_EDIT_CREATE {
        0 => document.set(address, expression, reach),
        _ => document.set_creating(address, expression, reach),
    }
    .map_err(refused)
}

/// As `hcl_document_set`, with a value, which is written in canonical form: lists and sets as tuples, maps as objects.
///
/// HCL_ERR_DIAGNOSTICS, too: the value is unknown or marked somewhere, is infinite, or is an object of the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_set_value(
    document: *mut hcl_document,
    address: *const c_char,
    address_len: usize,
    value: *const hcl_value,
    flags: u32,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { address_in("address", address, address_len, limits) }?;
        // SAFETY: null or live, by the contract of the interface.
        let value = unsafe { get("value", value) }?.value();
        let expression = written::expression_within(value, limits).map_err(refused)?;
        set(document, &address, &expression.text_within(limits).map_err(refused)?, flags)
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Adds attributes and blocks, written out, at the end of a block or, with an empty address, of the document, behind an
/// empty line. Adding blocks to the document takes time in proportion to them, however long it is.
///
/// HCL_ERR_DIAGNOSTICS: the text has errors, or does not fit there. HCL_ERR_NOT_FOUND: there is no such block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_append(
    document: *mut hcl_document,
    container: *const c_char,
    container_len: usize,
    text: *const c_char,
    text_len: usize,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let container = unsafe { container_in("container", container, container_len, limits) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let text = unsafe { text_in("text", text, text_len, limits) }?;
        document.append(container.as_ref(), text).map_err(refused)
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Adds a block at the end of a block or, with an empty address, of the document, in canonical form. `body` is an object or
/// a map that becomes its attributes; null for none.
///
/// `flags` are HCL_EDIT_ALL, HCL_EDIT_CLOSE. HCL_ERR_DIAGNOSTICS: the type or a name in `body` is no identifier, or a value
/// has no text. HCL_ERR_NOT_FOUND: there is no such block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_append_block(
    document: *mut hcl_document,
    container: *const c_char,
    container_len: usize,
    block_type: *const c_char,
    block_type_len: usize,
    labels: *const hcl_str,
    n_labels: usize,
    body: *const hcl_value,
    flags: u32,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        let reach = reach_of(flags, HCL_EDIT_ALL | HCL_EDIT_CLOSE)?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let container = unsafe { container_in("container", container, container_len, limits) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let block_type = unsafe { text_in("block_type", block_type, block_type_len, limits) }?;
        // SAFETY: texts of the caller, readable as the interface asks.
        let labels = unsafe { labels_in(labels, n_labels, limits) }?;
        // SAFETY: null or live, by the contract of the interface.
        let body = unsafe { body.as_ref() }.map(|body| written::body_within(body.value(), limits));
        let body = body.transpose().map_err(refused)?.unwrap_or_default();
        let gap = if flags & HCL_EDIT_CLOSE == 0 { Gap::EmptyLine } else { Gap::None };
        document.append_block(container.as_ref(), block_type, &labels, &body, gap, reach).map_err(refused)
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Puts attributes and blocks, written out, beside an attribute or a block. `side` is HCL_SIDE_BEFORE or HCL_SIDE_AFTER.
///
/// HCL_ERR_DIAGNOSTICS: the text has errors, or the address names several places or something that shares its lines.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_insert(
    document: *mut hcl_document,
    address: *const c_char,
    address_len: usize,
    side: u32,
    text: *const c_char,
    text_len: usize,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { address_in("address", address, address_len, limits) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let text = unsafe { text_in("text", text, text_len, limits) }?;
        let side = side_of(side)?;
        document.insert(&address, side, text).map_err(refused)
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Moves one attribute or block, with the comments that belong to it: beside another (HCL_SIDE_BEFORE, HCL_SIDE_AFTER), or
/// into a block or, with an empty address, the document (HCL_SIDE_INTO).
///
/// HCL_ERR_DIAGNOSTICS: an address names several places or something that shares its lines, or `to` is in what is moved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_move(
    document: *mut hcl_document,
    address: *const c_char,
    address_len: usize,
    to: *const c_char,
    to_len: usize,
    side: u32,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { address_in("address", address, address_len, limits) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let to = unsafe { container_in("to", to, to_len, limits) }?;
        let destination = match (&to, side) {
            (None, HCL_SIDE_INTO) => Destination::Root,
            (Some(to), HCL_SIDE_INTO) => Destination::Into(to),
            (Some(to), _) => Destination::Beside(to, side_of(side)?),
            (None, _) => {
                return Err(Failure::argument("to", "is empty, which only goes with HCL_SIDE_INTO."));
            }
        };
        document.move_item(&address, destination).map_err(refused)
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Gives what one address names another one: in its body a new name, or type and labels, where `*` keeps what is there;
/// else it is moved with its comments to the block that `to` leads into. `flags` are HCL_EDIT_ALL.
///
/// HCL_ERR_DIAGNOSTICS: something has that name, or several places would be moved to one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_move_to(
    document: *mut hcl_document,
    address: *const c_char,
    address_len: usize,
    to: *const c_char,
    to_len: usize,
    flags: u32,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { address_in("address", address, address_len, limits) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let to = unsafe { address_in("to", to, to_len, limits) }?;
        let reach = reach_of(flags, HCL_EDIT_ALL)?;
        document.move_to(&address, &to, reach).map_err(refused)
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Removes attributes, blocks, keys or elements with the comments that belong to them. Of two empty lines that meet then
/// one goes, too. `flags` are HCL_EDIT_ALL. `n_removed` may be null; it is written only with HCL_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_remove(
    document: *mut hcl_document,
    address: *const c_char,
    address_len: usize,
    flags: u32,
    n_removed: *mut usize,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { address_in("address", address, address_len, limits) }?;
        let reach = reach_of(flags, HCL_EDIT_ALL)?;
        let n = document.remove(&address, reach).map_err(refused)?;
        // SAFETY: null or writable, by the contract of the interface.
        unsafe { tell(n_removed, n) };
        Ok(())
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Gives attributes or keys another name, or blocks another type. `flags` are HCL_EDIT_ALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_rename(
    document: *mut hcl_document,
    address: *const c_char,
    address_len: usize,
    name: *const c_char,
    name_len: usize,
    flags: u32,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { address_in("address", address, address_len, limits) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let name = unsafe { text_in("name", name, name_len, limits) }?;
        let reach = reach_of(flags, HCL_EDIT_ALL)?;
        document.rename(&address, name, reach).map_err(refused)
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Gives blocks other labels: `n_labels` texts, which are written in quotes. `flags` are HCL_EDIT_ALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_relabel(
    document: *mut hcl_document,
    address: *const c_char,
    address_len: usize,
    labels: *const hcl_str,
    n_labels: usize,
    flags: u32,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { address_in("address", address, address_len, limits) }?;
        // SAFETY: texts of the caller, readable as the interface asks.
        let labels = unsafe { labels_in(labels, n_labels, limits) }?;
        let reach = reach_of(flags, HCL_EDIT_ALL)?;
        document.relabel(&address, &labels, reach).map_err(refused)
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Gives items other comments: those above (HCL_COMMENT_LEAD, perhaps several lines) or behind in the line
/// (HCL_COMMENT_LINE). A text that is no comment becomes one; an empty one takes the comments away. `flags` are
/// HCL_EDIT_ALL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_set_comment(
    document: *mut hcl_document,
    address: *const c_char,
    address_len: usize,
    which: u32,
    comment: *const c_char,
    comment_len: usize,
    flags: u32,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { address_in("address", address, address_len, limits) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let comment = unsafe { text_in("comment", comment, comment_len, limits) }?;
        let reach = reach_of(flags, HCL_EDIT_ALL)?;
        match which {
            HCL_COMMENT_LEAD => document.set_lead_comment(&address, comment, reach).map_err(refused),
            HCL_COMMENT_LINE => document.set_line_comment(&address, comment, reach).map_err(refused),
            _ => Err(Failure::argument("which", "is none of HCL_COMMENT_LEAD and HCL_COMMENT_LINE.")),
        }
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Renames references in all expressions, templates included: those that begin with the names `from`, such as `var.old`,
/// begin with `to` from now on. `n_renamed` may be null; it is written only with HCL_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_rename_references(
    document: *mut hcl_document,
    from: *const c_char,
    from_len: usize,
    to: *const c_char,
    to_len: usize,
    n_renamed: *mut usize,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let from = unsafe { text_in("from", from, from_len, limits) }?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let to = unsafe { text_in("to", to, to_len, limits) }?;
        let n = document.rename_references(from, to).map_err(refused)?;
        // SAFETY: null or writable, by the contract of the interface.
        unsafe { tell(n_renamed, n) };
        Ok(())
    };
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}

/// Writes all of a document in its canonical form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_format(
    document: *mut hcl_document,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let work = |document: &mut Document, _: &ParseLimits| document.format().map_err(refused);
    // SAFETY: null, or live, unshared and writable, by the contract of the interface.
    unsafe { editing(document, diags, work) }
}
