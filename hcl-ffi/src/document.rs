//! Documents: texts of native syntax that are read, edited in place and written from scratch.
//!
//! Calls that read or change a document go through [`reading`] or [`editing`]; a build without editing does neither. The
//! edits are in `edits`.

use libc::c_char;

use hcl_eval::limits::{BYTES_PER_PART, Limits};
use hcl_eval::types::Type;
use hcl_eval::value::Value;
use hcl_syntax::diagnostic::{Diagnostics, Error};
use hcl_syntax::edit::{Address, Document, Found};
use hcl_syntax::limits::Stopped;
use hcl_syntax::parser::ParseLimits;

use crate::boundary::{Failure, Outcome, guard_or, guard_with};
use crate::diagnostics::hcl_diags;
use crate::handle::{check_out, get, get_mut, hand_out, release};
use crate::limits::deadline;
use crate::room::ask_for;
use crate::source::{hcl_parse_opts, input};
use crate::status::hcl_status;
use crate::string::{bytes_in, hcl_str, lent_text_in, shown_in};
use crate::value::hcl_value;

/// A text of native syntax that can be edited. Functions that take it as `const` may run side by side; others need it
/// alone. Release with `hcl_document_free`.
///
/// The limits that a document was read with hold for each later call on it: with the timeout, which starts anew, and the
/// switch, which the document keeps until it is released, a call ends with HCL_ERR_DEADLINE or HCL_ERR_CANCELLED. A call that
/// fails leaves the document as it was.
#[derive(Debug)]
pub struct hcl_document {
    document: Document,
    /// The limits of each call, without its deadline.
    limits: ParseLimits,
    timeout_ns: u64,
}

impl hcl_document {
    /// The limits of a call that begins now.
    fn limits(&self) -> ParseLimits {
        ParseLimits { deadline: deadline(self.timeout_ns), ..self.limits.clone() }
    }
}

/// An empty document, with the limits that `hcl_parse_opts` has by default: no timeout and no switch. `name` is what
/// diagnostics call it. `*out` is owned; `diags` as for `hcl_file_parse`.
///
/// HCL_ERR_UNSUPPORTED: the library was built without editing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_new(
    name: *const c_char,
    name_len: usize,
    out: *mut *mut hcl_document,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: a text of the caller, readable as the interface asks.
        let name = unsafe { shown_in("name", name, name_len) }?;
        supported()?;
        let limits = ParseLimits { asks_for_memory: true, ..ParseLimits::default() };
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_document { document: Document::new(&name), limits, timeout_ns: 0 }) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// A document with a text, which is copied. `opts` may be null; the limits in it hold for each later call on the document,
/// too: `max_source_bytes` for the text that an edit leaves, `timeout_ns` for each call anew, and the switch, which the
/// document keeps. Its flags and `start` do not count. `*out` is owned; texts and `diags` as for `hcl_file_parse`.
///
/// HCL_ERR_DIAGNOSTICS: the text has errors. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: reading was stopped.
/// HCL_ERR_UNSUPPORTED: the library was built without editing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_parse(
    name: *const c_char,
    name_len: usize,
    src: *const c_char,
    src_len: usize,
    opts: *const hcl_parse_opts,
    out: *mut *mut hcl_document,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |_: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: texts and options of the caller, readable as the interface asks.
        let (name, bytes, opts) = unsafe { input(name, name_len, src, src_len, opts) }?;
        supported()?;
        opts.check_size(&name, bytes)?;
        let mut document = Document::parse_with(&name, bytes.to_vec(), opts.limits()).map_err(refused)?;
        document.set_max_len(usize::try_from(opts.max_source_bytes()).unwrap_or(usize::MAX));
        let limits = ParseLimits { deadline: None, ..opts.limits().clone() };
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_document { document, limits, timeout_ns: opts.timeout_ns() }) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// The text of a document as it is now. The result is borrowed, until the document is changed or released. Null gives the
/// empty text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_text(document: *const hcl_document) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by contract.
        let Some(document) = (unsafe { document.as_ref() }) else { return hcl_str::EMPTY };
        let bytes = document.document.bytes();
        if bytes.is_empty() {
            hcl_str::EMPTY
        } else {
            hcl_str { ptr: bytes.as_ptr().cast(), len: bytes.len() }
        }
    })
}

/// The items of a block, of an object or, with an empty address, of the document: a tuple, in the order written, of
/// objects with `address`, which names it alone (but for names that are not in normalisation form C, as values are, and for an
/// attribute with the name of a block beside it), `kind` ("attribute", "block" or "key"), `name` (of a block its type) and
/// `labels`. `*out` is owned; `diags` as for `hcl_file_parse`.
///
/// HCL_ERR_NOT_FOUND: the address names nothing. HCL_ERR_DIAGNOSTICS: it names several places, or one that has nothing in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_list(
    document: *const hcl_document,
    container: *const c_char,
    container_len: usize,
    out: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |document: &Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let container = unsafe { container_in("container", container, container_len, limits) }?;
        let mut items = Vec::new();
        let mut looks = Looks::new(limits, document.name());
        let mut outcome = Ok(());
        let mut visit = |address: Address, found: Found<'_>| {
            if outcome.is_ok() {
                outcome = item(&address, found, &mut looks).map(|item| items.push(item));
            }
        };
        document.visit_within(container.as_ref(), limits, &mut visit).map_err(refused)?;
        outcome?;
        Ok(Value::tuple(items))
    };
    // SAFETY: passed on.
    unsafe { reading(document, out, diags, body) }
}

fn item(address: &Address, found: Found<'_>, looks: &mut Looks<'_>) -> Outcome<Value> {
    let mut labels = Vec::new();
    let kind = match found {
        Found::Attribute(_) => "attribute",
        Found::Block(block) => {
            // With the texts of the labels.
            let n_bytes = block.definition_span().len() as usize;
            looks.ask(block.labels().len() * size_of::<Value>() + 2 * n_bytes)?;
            labels.reserve_exact(block.labels().len());
            for label in block.labels() {
                labels.push(Value::string(label.text()));
                looks.go_on(parts(label.text()))?;
            }
            "block"
        }
        Found::Item { .. } | Found::Element { .. } => "key",
    };
    let address = address.to_text_within(looks.limits).map_err(|stopped| looks.stopped(stopped))?;
    Ok(Value::object(vec![
        ("address".into(), Value::string(address)),
        ("kind".into(), Value::string(kind)),
        ("name".into(), Value::string(found.name().unwrap_or_default())),
        ("labels".into(), Value::list(Type::String, labels)),
    ]))
}

/// The source texts of everything that an address names, as a list of strings: of an attribute its value, of a block all
/// of it. Lines lose the indentation of the first. `*out` is owned; `diags` as for `hcl_file_parse`.
///
/// HCL_ERR_NOT_FOUND: the address names nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_get(
    document: *const hcl_document,
    address: *const c_char,
    address_len: usize,
    out: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |document: &Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { address_in("address", address, address_len, limits) }?;
        let found = document.get_within(&address, limits).map_err(refused)?;
        let texts = found.into_iter().map(|text| String::from_utf8_lossy(&text).into_owned());
        strings(texts, document, limits)
    };
    // SAFETY: passed on.
    unsafe { reading(document, out, diags, body) }
}

/// The comments of one item, as they are written: an object with `lead`, a list of those above it, and `line`, a list of
/// those behind it in its line. `*out` is owned; `diags` as for `hcl_file_parse`.
///
/// HCL_ERR_NOT_FOUND: the address names nothing. HCL_ERR_DIAGNOSTICS: it names several places.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_comments(
    document: *const hcl_document,
    address: *const c_char,
    address_len: usize,
    out: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |document: &Document, limits: &ParseLimits| {
        // SAFETY: a text of the caller, readable as the interface asks.
        let address = unsafe { address_in("address", address, address_len, limits) }?;
        let comments = document.comments_within(&address, limits).map_err(refused)?;
        let lead = strings(comments.lead.into_iter(), document, limits)?;
        let line = strings(comments.line.into_iter(), document, limits)?;
        Ok(Value::object(vec![("lead".into(), lead), ("line".into(), line)]))
    };
    // SAFETY: passed on.
    unsafe { reading(document, out, diags, body) }
}

/// A list of texts, made within limits. The texts are released one by one.
fn strings(texts: impl Iterator<Item = String>, document: &Document, limits: &ParseLimits) -> Outcome<Value> {
    let mut looks = Looks::new(limits, document.name());
    looks.ask(texts.size_hint().0 * size_of::<Value>())?;
    let mut values = Vec::with_capacity(texts.size_hint().0);
    for text in texts {
        values.push(Value::string(text));
        looks.go_on(1)?;
    }
    Ok(Value::list(Type::String, values))
}

/// Looks at limits while what comes in is read, or the result of a call is made.
pub(crate) struct Looks<'l> {
    limits: &'l ParseLimits,
    name: &'l str,
    n_done: usize,
}

impl<'l> Looks<'l> {
    /// So many small values are made between two looks.
    const STRIDE: usize = 1024;

    pub(crate) fn new(limits: &'l ParseLimits, name: &'l str) -> Self {
        Self { limits, name, n_done: 0 }
    }

    /// Counts `n` values that have been made.
    pub(crate) fn go_on(&mut self, n: usize) -> Outcome {
        self.n_done += n;
        if self.n_done < Self::STRIDE {
            return Ok(());
        }
        self.n_done = 0;
        let stopped = Stopped::now(self.limits.cancel.as_ref(), self.limits.deadline);
        stopped.map_or(Ok(()), |stopped| Err(self.stopped(stopped)))
    }

    fn stopped(&self, stopped: Stopped) -> Failure {
        Failure::of(vec![stopped.diagnostic("Reading", self.name)])
    }

    /// Asks for so many bytes.
    pub(crate) fn ask(&self, bytes: usize) -> Outcome {
        ask_for(1, bytes)
    }
}

/// As how many small values a text counts.
pub(crate) fn parts(text: &str) -> usize {
    1 + text.len() / BYTES_PER_PART
}

/// Releases a document and the texts borrowed from it. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_document_free(document: *mut hcl_document) {
    // SAFETY: passed on.
    guard_or((), || unsafe { release(document) });
}

/// Runs a call that makes a value of what a document says.
///
/// # Safety
/// `document` is null or live, `out` and `diags` null or writable.
unsafe fn reading(
    document: *const hcl_document,
    out: *mut *mut hcl_value,
    diags: *mut *mut hcl_diags,
    work: impl Fn(&Document, &ParseLimits) -> Outcome<Value>,
) -> hcl_status {
    let work: &dyn Fn(&Document, &ParseLimits) -> Outcome<Value> =
        if cfg!(feature = "editing") { &work } else { &|_, _| Err(unsupported()) };
    let body = |_: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: null or live, by contract.
        let document = unsafe { get("document", document) }?;
        let value = work(&document.document, &document.limits())?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_value::new(value)) };
        Ok(())
    };
    // SAFETY: passed on.
    unsafe { guarded(diags, &body) }
}

/// Runs a call that changes a document.
///
/// # Safety
/// `document` is null or live and unshared, `diags` null or writable.
pub(crate) unsafe fn editing(
    document: *mut hcl_document,
    diags: *mut *mut hcl_diags,
    work: impl Fn(&mut Document, &ParseLimits) -> Outcome,
) -> hcl_status {
    let work: &dyn Fn(&mut Document, &ParseLimits) -> Outcome =
        if cfg!(feature = "editing") { &work } else { &|_, _| Err(unsupported()) };
    let body = |_: &mut Diagnostics| {
        // SAFETY: null or live and unshared, by contract.
        let document = unsafe { get_mut("document", document) }?;
        let limits = document.limits();
        document.document.set_limits(&limits);
        work(&mut document.document, &limits)
    };
    // SAFETY: passed on.
    unsafe { guarded(diags, &body) }
}

/// The boundary, with one copy for all calls of documents.
///
/// # Safety
/// `diags` is null or writable.
unsafe fn guarded(diags: *mut *mut hcl_diags, body: &dyn Fn(&mut Diagnostics) -> Outcome) -> hcl_status {
    // SAFETY: passed on.
    unsafe { guard_with(diags, body) }
}

/// The failure of a library that was built without editing.
fn unsupported() -> Failure {
    hcl_status::HCL_ERR_UNSUPPORTED.into()
}

/// An error if the library was built without editing.
fn supported() -> Outcome {
    if cfg!(feature = "editing") { Ok(()) } else { Err(unsupported()) }
}

/// The failure that an edit's diagnostics mean.
pub(crate) fn refused(error: Error) -> Failure {
    let is_missing = error.diagnostics().iter().any(|diagnostic| diagnostic.code == "edit.not_found");
    let failure = Failure::of(error.into_diagnostics());
    if is_missing { Failure { status: hcl_status::HCL_ERR_NOT_FOUND, ..failure } } else { failure }
}

/// A text of the caller, of which there is memory for copies; a long one is checked within limits.
///
/// # Safety
/// As for [`bytes_in`].
pub(crate) unsafe fn text_in<'a>(
    what: &str,
    text: *const c_char,
    len: usize,
    limits: &ParseLimits,
) -> Outcome<&'a str> {
    // SAFETY: passed on.
    let bytes = unsafe { bytes_in(what, text, len) }?;
    let limits = || Limits { deadline: limits.deadline, cancel: limits.cancel.clone(), ..Limits::default() };
    // SAFETY: passed on.
    unsafe { lent_text_in(what, bytes.as_ptr().cast(), bytes.len(), limits) }
}

/// An address of the caller.
///
/// # Safety
/// As for [`text_in`].
pub(crate) unsafe fn address_in(
    what: &str,
    text: *const c_char,
    len: usize,
    limits: &ParseLimits,
) -> Outcome<Address> {
    // SAFETY: passed on.
    Address::parse_within(unsafe { text_in(what, text, len, limits) }?, limits).map_err(refused)
}

/// An address of the caller, which may be empty.
///
/// # Safety
/// As for [`text_in`].
pub(crate) unsafe fn container_in(
    what: &str,
    text: *const c_char,
    len: usize,
    limits: &ParseLimits,
) -> Outcome<Option<Address>> {
    // SAFETY: passed on.
    match unsafe { text_in(what, text, len, limits) }? {
        "" => Ok(None),
        text => Address::parse_within(text, limits).map(Some).map_err(refused),
    }
}
