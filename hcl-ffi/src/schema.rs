//! Schemas: what bodies may contain, as text.

use libc::c_char;
use std::ptr;

use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::limits::Stopped;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::schema::NestedSchema;
use hcl_syntax::source::Grammar;
use hcl_syntax::stack;

use crate::boundary::{Failure, guard, guard_or, guard_with};
use crate::diagnostics::{check, hcl_diags};
use crate::handle::{check_out, get, hand_out, release};
use crate::source::{hcl_parse_opts, input, origin};
use crate::status::hcl_status;
use crate::string::text_in;

/// The schema of a body and of the bodies of its blocks: the engine's own schema in place, so that the schema of a
/// block is borrowed as a pointer into the one around it. The words for C are in `cbindgen.toml`.
#[derive(Debug)]
#[repr(transparent)]
pub struct hcl_schema(NestedSchema);

impl hcl_schema {
    pub(crate) fn new(schema: NestedSchema) -> Self {
        Self(schema)
    }

    pub(crate) fn schema(&self) -> &NestedSchema {
        &self.0
    }
}

/// How deep schemas may nest, whatever `hcl_parse_opts.max_depth` says.
const MAX_DEPTH: u32 = 1000;
/// The stack that the release of so many levels takes, in the dev profile too.
const STACK_OF_RELEASE: usize = MAX_DEPTH as usize * 1024;

impl Drop for hcl_schema {
    fn drop(&mut self) {
        if !self.0.blocks.is_empty() {
            stack::ensure(STACK_OF_RELEASE, STACK_OF_RELEASE, || self.0.blocks.clear());
        }
    }
}

/// Reads a schema. It is written as a body that looks like those it describes:
///
/// ```text
/// region = required            # an argument that must be there
/// zone   = optional
/// service "name" "kind" {      # blocks with two labels; what they are called is for messages
///   port = required
/// }
/// tags {}                      # blocks with arguments of any names
/// ```
///
/// Texts, `opts`, statuses and `diags` are as for `hcl_file_parse`; the flags must be 0, and schemas nest no deeper than
/// 1000. `*out` is owned, and written only with HCL_OK.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_schema_parse(
    name: *const c_char,
    name_len: usize,
    src: *const c_char,
    src_len: usize,
    opts: *const hcl_parse_opts,
    out: *mut *mut hcl_schema,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        check_out("out", out)?;
        // SAFETY: texts and options of the caller, readable as the interface asks.
        let (name, bytes, opts) = unsafe { input(name, name_len, src, src_len, opts) }?;
        if opts.has_flags() {
            return Err(Failure::argument("opts->flags", "are set, but a schema is read without flags."));
        }
        let limits = opts.limits();
        let limits = ParseLimits { max_depth: limits.max_depth.min(MAX_DEPTH), ..limits.clone() };
        let source = opts.source(&name, bytes, Grammar::Config, origin(None, &opts))?;
        let (file, diagnostics) = parse_file(source, &limits);
        *said = diagnostics;
        check(said)?;
        let stopped = |stopped: Stopped| Failure::of(vec![stopped.diagnostic("Reading", &name)]);
        file.source().find_lines(&limits, |_| true).map_err(stopped)?;
        let (schema, diagnostics) = NestedSchema::read_within(file.body(), &limits).map_err(stopped)?;
        let schema = hcl_schema(schema);
        *said = diagnostics;
        check(said)?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, schema) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// The schema of what is inside the blocks of a type, borrowed; null when nothing is said of them, and their bodies are
/// arguments of any names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_schema_block(
    schema: *const hcl_schema,
    block_type: *const c_char,
    block_type_len: usize,
) -> *const hcl_schema {
    guard_or(ptr::null(), || {
        // SAFETY: null or live, by the contract of the interface.
        let Some(schema) = (unsafe { schema.as_ref() }) else { return ptr::null() };
        // SAFETY: a text of the caller, readable as the interface asks.
        let Ok(block_type) = (unsafe { text_in("block_type", block_type, block_type_len) }) else {
            return ptr::null();
        };
        schema.0.blocks.get(block_type).map_or(ptr::null(), |inner| ptr::from_ref(inner).cast())
    })
}

/// An owned handle to the same schema; a copy, so it takes time in proportion to its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_schema_ref(schema: *const hcl_schema, out: *mut *mut hcl_schema) -> hcl_status {
    guard(|| {
        check_out("out", out)?;
        // SAFETY: null or live, by the contract of the interface.
        let same = unsafe { get("schema", schema) }?.0.clone();
        // SAFETY: checked not to be null, writable by contract.
        unsafe { hand_out(out, hcl_schema(same)) };
        Ok(())
    })
}

/// Releases an owned schema. Null is ignored. What `hcl_schema_block` gave is not owned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_schema_free(schema: *mut hcl_schema) {
    // SAFETY: null or owned and unused, by the contract of the interface.
    guard_or((), || unsafe { release(schema) });
}
