//! Parsing: bytes to files and expressions.

use libc::c_char;
use std::borrow::Cow;
use std::fmt::Arguments;

use hcl_eval::dynamic::Body;
use hcl_eval::limits::Limits;
use hcl_syntax::config::{ConfigBody, ConfigExpression};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::json::{JsonFile, parse_json, parse_json_value};
use hcl_syntax::memory;
use hcl_syntax::parser::{self, ParseLimits, ParsedExpression};
use hcl_syntax::source::{Grammar, Pos, Source, Text};

use crate::body::hcl_body;
use crate::boundary::{Failure, Outcome, guard, guard_or, guard_with};
use crate::diagnostics::{check, hcl_diags, hcl_pos};
use crate::expression::hcl_expr;
use crate::extensible_struct;
use crate::handle::{check_out, hand_out, hand_out_counted, put, release_counted, share};
use crate::limits::{deadline, hcl_cancel, switch};
use crate::status::hcl_status;
use crate::string::{bytes_in, hcl_str, shown_in, utf8};

/// A parsed configuration file with its source text. Immutable; use it from any thread. Counted: `hcl_file_ref`
/// gives another handle to the same file. Release every handle with `hcl_file_free`.
#[derive(Debug)]
pub struct hcl_file {
    syntax: Syntax,
    body: hcl_body,
}

/// The result of parsing a file.
#[derive(Debug)]
pub(crate) enum Syntax {
    /// Native syntax.
    Native(parser::File),
    /// JSON syntax.
    Json(JsonFile),
}

impl hcl_file {
    fn new(syntax: Syntax) -> Self {
        let body = match &syntax {
            Syntax::Native(file) => ConfigBody::from(file),
            Syntax::Json(file) => ConfigBody::from(file),
        };
        Self { syntax, body: hcl_body::new(Body::from(body)) }
    }

    pub(crate) fn syntax(&self) -> &Syntax {
        &self.syntax
    }

    pub(crate) fn source(&self) -> &Source {
        match &self.syntax {
            Syntax::Native(file) => file.source(),
            Syntax::Json(file) => file.source(),
        }
    }
}

/// `hcl_parse_opts.flags`: give the result also when there are errors, with what could be understood.
pub const HCL_PARSE_PARTIAL: u32 = 1;
/// `hcl_parse_opts.flags`: the source is JSON syntax.
pub const HCL_PARSE_JSON: u32 = 2;

/// How a source is parsed. Set `size` to `sizeof(hcl_parse_opts)` and what is not wanted to zero.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_parse_opts {
    /// `sizeof(hcl_parse_opts)`, set by the caller.
    pub size: usize,
    /// `HCL_PARSE_…`, joined by `|`.
    pub flags: u32,
    /// How deep blocks, brackets and templates may nest; 0 for 1000.
    pub max_depth: u32,
    /// How many diagnostics are kept, and how many of the templates in a file of JSON syntax, which are told when they are
    /// evaluated; 0 for 1000.
    pub max_diagnostics: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// The longest source accepted, in bytes; 0 for 1 GiB, the most there can be.
    pub max_source_bytes: u64,
    /// Where the text begins in a larger one; zeros for line 1, column 1, byte 0.
    pub start: hcl_pos,
    /// How long the call may take, in nanoseconds; no deadline by default.
    pub timeout_ns: u64,
    /// A switch that ends the call when it is thrown; null for none. Only read during the call that takes the struct, but
    /// `hcl_document_parse` keeps the switch.
    pub cancel: *const hcl_cancel,
}

/// The options of a call that has begun.
pub(crate) struct Options {
    fields: hcl_parse_opts,
    limits: ParseLimits,
}

impl Options {
    /// # Safety
    /// `opts` is null or a struct of the caller, readable as the interface asks.
    pub(crate) unsafe fn read(opts: *const hcl_parse_opts) -> Outcome<Self> {
        // SAFETY: passed on.
        let fields: hcl_parse_opts = unsafe { extensible_struct::read("opts", opts) }?;
        if fields.flags & !(HCL_PARSE_PARTIAL | HCL_PARSE_JSON) != 0 {
            return Err(Failure::unknown_flag("opts->flags"));
        }
        let or = |wanted: u32, default: u32| if wanted == 0 { default } else { wanted };
        let defaults = ParseLimits::default();
        let limits = ParseLimits {
            max_depth: or(fields.max_depth, defaults.max_depth),
            max_diagnostics: or(fields.max_diagnostics, defaults.max_diagnostics),
            deadline: deadline(fields.timeout_ns),
            // SAFETY: passed on.
            cancel: unsafe { switch(fields.cancel) },
            asks_for_memory: true,
        };
        Ok(Self { fields, limits })
    }

    /// Options with `HCL_PARSE_…` flags that parse within the limits of an evaluation.
    pub(crate) fn within(limits: &Limits, flags: u32) -> Self {
        // SAFETY: a public struct of zeros has the defaults.
        let zeros: hcl_parse_opts = unsafe { std::mem::zeroed() };
        Self {
            fields: hcl_parse_opts { flags, ..zeros },
            limits: ParseLimits { asks_for_memory: true, ..limits.of_reading() },
        }
    }

    pub(crate) fn has_flags(&self) -> bool {
        self.fields.flags != 0
    }

    pub(crate) fn is_partial(&self) -> bool {
        self.fields.flags & HCL_PARSE_PARTIAL != 0
    }

    pub(crate) fn is_json(&self) -> bool {
        self.fields.flags & HCL_PARSE_JSON != 0
    }

    pub(crate) fn limits(&self) -> &ParseLimits {
        &self.limits
    }

    /// The length of the longest source.
    pub(crate) fn max_source_bytes(&self) -> u64 {
        if self.fields.max_source_bytes == 0 { u64::MAX } else { self.fields.max_source_bytes }
    }

    /// The timeout of each call that the options hold for.
    pub(crate) fn timeout_ns(&self) -> u64 {
        self.fields.timeout_ns
    }

    /// Checks that a source is within the size limit, and that there is memory to read it.
    pub(crate) fn check_size(&self, name: &str, bytes: &[u8]) -> Outcome {
        check_size(name, bytes, self.max_source_bytes())
    }

    /// A source within the size limit, copied.
    pub(crate) fn source(&self, name: &str, bytes: &[u8], grammar: Grammar, origin: Pos) -> Outcome<Source> {
        self.check_size(name, bytes)?;
        if bytes.len() > Source::MAX_LEN {
            return Err(too_large(name, bytes, format_args!("at most {} can be read.", Source::MAX_LEN)));
        }
        let text = if bytes.len() <= SHORT
            && let Ok(text) = utf8(bytes)
        {
            Text::from(text)
        } else {
            Text::within(bytes, &self.limits)
        };
        let source = Source::with_grammar(name, text, grammar, origin);
        source.map_err(|error| Failure::of(vec![error.into()]))
    }
}

/// A shorter source is checked to be UTF-8 in too short a time for a look at limits.
const SHORT: usize = 1 << 12;

/// The memory that a byte of a configuration takes while it is read, with the copy of the text: real files take less than 4, and
/// lists of short numbers more.
const BYTES_FOR_BYTE: usize = 8;

/// Checks that a source is no longer than `most`, and that there is memory to read it.
pub(crate) fn check_size(name: &str, bytes: &[u8], most: u64) -> Outcome {
    if bytes.len() as u64 > most {
        let limit = format_args!("the limit is {most}. Split it, or raise the limit.");
        return Err(too_large(name, bytes, limit));
    }
    if bytes.len() <= Source::MAX_LEN && !memory::is_to_be_had(bytes.len().saturating_mul(BYTES_FOR_BYTE)) {
        return Err(hcl_status::HCL_ERR_MEMORY.into());
    }
    Ok(())
}

fn too_large(name: &str, bytes: &[u8], limit: Arguments<'_>) -> Failure {
    let source = if name.is_empty() { "The source".to_owned() } else { format!("The source \"{name}\"") };
    let detail = format!("{source} is {} bytes long; {limit}", bytes.len());
    Failure::of(vec![Diagnostic::error("limit.source", "Source too large", detail)])
}

/// Where a text begins: at `start`, or where the options say.
pub(crate) fn origin(start: Option<&hcl_pos>, opts: &Options) -> Pos {
    let at = start.unwrap_or(&opts.fields.start);
    Pos { line: at.line.max(1), column: at.column.max(1), byte: at.byte }
}

/// Parses a configuration file: of native syntax, or with `HCL_PARSE_JSON` of JSON syntax.
///
/// `name` is what diagnostics call the file; nothing is opened. `src` should be UTF-8, what is not becomes a
/// diagnostic. Both are copied. A length of `HCL_NUL` means that the text ends with a NUL byte. `opts` may be
/// null.
///
/// HCL_OK: `*file` is owned by the caller. HCL_ERR_DIAGNOSTICS: the source has errors; `*file` is written only
/// with `HCL_PARSE_PARTIAL`. HCL_ERR_LIMIT: the source nests too deep or has more than `max_diagnostics` errors,
/// then as with errors, and one more diagnostic says that others were left out; or it is too large, then there is no file in
/// any case. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: parsing was stopped; as with errors, and the file
/// has what was understood by then, which may be nothing.
/// `diags` may be null; otherwise `*diags` is always written, null when there is nothing to say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_file_parse(
    name: *const c_char,
    name_len: usize,
    src: *const c_char,
    src_len: usize,
    opts: *const hcl_parse_opts,
    file: *mut *mut hcl_file,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Vec<Diagnostic>| {
        check_out("file", file)?;
        // SAFETY: texts and options of the caller, readable as the interface asks.
        let (name, bytes, opts) = unsafe { input(name, name_len, src, src_len, opts) }?;
        let (parsed, diagnostics) = parsed(&name, bytes, &opts)?;
        *said = diagnostics;
        let outcome = check(said);
        if outcome.is_ok() || opts.is_partial() {
            // SAFETY: checked not to be null, writable by contract.
            unsafe { hand_out_counted(file, hcl_file::new(parsed)) };
        }
        outcome
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// A source parsed as a file of the syntax that the options name.
pub(crate) fn parsed(name: &str, bytes: &[u8], opts: &Options) -> Outcome<(Syntax, Diagnostics)> {
    let origin = origin(None, opts);
    if opts.is_json() {
        let source = opts.source(name, bytes, Grammar::Json, origin)?;
        let (file, diagnostics) = parse_json(source, opts.limits());
        return Ok((Syntax::Json(file), diagnostics));
    }
    let source = opts.source(name, bytes, Grammar::Config, origin)?;
    let (file, diagnostics) = parser::parse_file(source, opts.limits());
    Ok((Syntax::Native(file), diagnostics))
}

/// # Safety
/// The pointers are as the interface asks, for `'a`.
pub(crate) unsafe fn input<'a>(
    name: *const c_char,
    name_len: usize,
    src: *const c_char,
    src_len: usize,
    opts: *const hcl_parse_opts,
) -> Outcome<(Cow<'a, str>, &'a [u8], Options)> {
    // SAFETY: passed on.
    let name = unsafe { shown_in("name", name, name_len) }?;
    // SAFETY: passed on.
    let bytes = unsafe { bytes_in("src", src, src_len) }?;
    // SAFETY: passed on.
    let opts = unsafe { Options::read(opts) }?;
    Ok((name, bytes, opts))
}

/// `hcl_expr_parse`: the text is a template, as in a template file, not an expression.
pub const HCL_EXPR_TEMPLATE: u32 = 1;
/// `hcl_expr_parse`: the text is a value of JSON syntax, whose strings are templates.
pub const HCL_EXPR_JSON: u32 = 2;

/// Parses one expression that makes up the whole of `src`; or, as `flags` say, one template or one JSON value.
///
/// `start` is where the text begins in a larger file; null for where `opts` say. `opts` may be null; of the flags in it
/// only `HCL_PARSE_PARTIAL` counts.
/// Texts, statuses and `diags` are as for `hcl_file_parse`; the expression is given only with HCL_OK or with
/// `HCL_PARSE_PARTIAL`. `*expr` is owned by the caller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_expr_parse(
    name: *const c_char,
    name_len: usize,
    src: *const c_char,
    src_len: usize,
    start: *const hcl_pos,
    flags: u32,
    opts: *const hcl_parse_opts,
    expr: *mut *mut hcl_expr,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Vec<Diagnostic>| {
        check_out("expr", expr)?;
        // SAFETY: texts and options of the caller, readable as the interface asks.
        let (name, bytes, opts) = unsafe { input(name, name_len, src, src_len, opts) }?;
        // SAFETY: null or readable, by the contract of the interface.
        let origin = origin(unsafe { start.as_ref() }, &opts);
        let source = |grammar| opts.source(&name, bytes, grammar, origin);
        let native = |parsed: ParsedExpression| {
            let id = parsed.expression().id();
            ConfigExpression::native(parsed.into_tree(), id)
        };
        let (parsed, diagnostics) = match flags {
            0 => {
                let (parsed, problems) = parser::parse_expression(source(Grammar::Config)?, opts.limits());
                (native(parsed), problems)
            }
            HCL_EXPR_TEMPLATE => {
                let (parsed, problems) = parser::parse_template(source(Grammar::Template)?, opts.limits());
                (native(parsed), problems)
            }
            HCL_EXPR_JSON => {
                let (file, problems) = parse_json_value(source(Grammar::Json)?, opts.limits());
                (file.expression(), problems)
            }
            _ => return Err(Failure::argument("flags", "is neither 0 nor one of HCL_EXPR_….")),
        };
        *said = diagnostics;
        let outcome = check(said);
        if outcome.is_ok() || opts.is_partial() {
            // SAFETY: checked not to be null, writable by contract.
            unsafe { hand_out(expr, hcl_expr::new(parsed)) };
        }
        outcome
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// The body of a file, borrowed from it. Null gives null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_file_body(file: *const hcl_file) -> *const hcl_body {
    guard_or(std::ptr::null(), || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { file.as_ref() }.map_or(std::ptr::null(), |file| &raw const file.body)
    })
}

/// The name that the file was parsed under, borrowed from it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_file_name(file: *const hcl_file) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { file.as_ref() }.map_or(hcl_str::EMPTY, |file| hcl_str::from(file.source().name()))
    })
}

/// The source text of the file, borrowed from it. Bytes that were no UTF-8 appear as U+001A.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_file_source(file: *const hcl_file) -> hcl_str {
    guard_or(hcl_str::EMPTY, || {
        // SAFETY: null or live, by the contract of the interface.
        unsafe { file.as_ref() }.map_or(hcl_str::EMPTY, |file| hcl_str::from(file.source().text()))
    })
}

/// Another owned handle to the same file. What is borrowed from one handle lives as long as any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_file_ref(file: *const hcl_file, out: *mut *mut hcl_file) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface, and counted.
        let another = unsafe { share("file", file) }?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { put(out, another) };
        Ok(())
    })
}

/// Releases a handle. The last one takes the file and all that was borrowed from it. Null is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_file_free(file: *mut hcl_file) {
    // SAFETY: null or owned and unused, by the contract of the interface, and counted.
    guard_or((), || unsafe { release_counted(file) });
}
