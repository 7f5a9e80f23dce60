//! Programs over tables of Apache Arrow.
//!
//! The two structs of the Arrow C data interface are declared in the header beside these functions, under the guard that every
//! Arrow library has around them (`cbindgen.toml`). `hcl-arrow` reads and makes them.

use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::stack;

use crate::boundary::{Failure, guard_or, guard_with};
use crate::diagnostics::hcl_diags;
use crate::extensible_struct;
use crate::frame::hcl_frame;
use crate::handle::{check_out, get};
use crate::program::hcl_program;
use crate::status::hcl_status;
use crate::string::hcl_str;
use crate::types::hcl_type;

#[cfg(feature = "arrow")]
use hcl_arrow::{ArrowArray, ArrowSchema};

/// The struct of the Arrow C data interface, which a build without tables does not look into.
#[cfg(not(feature = "arrow"))]
#[derive(Debug)]
#[repr(C)]
pub struct ArrowArray([u8; 0]);

/// As [`ArrowArray`].
#[cfg(not(feature = "arrow"))]
#[derive(Debug)]
#[repr(C)]
pub struct ArrowSchema([u8; 0]);

/// `hcl_arrow_opts.flags`: the first row that fails ends the call, which gives HCL_ERR_DIAGNOSTICS.
pub const HCL_ARROW_FIRST_ERROR_ENDS: u32 = 1;
/// `hcl_arrow_opts.flags`: dates and times are numbers, as they are stored, instead of texts.
pub const HCL_ARROW_TIMES_AS_NUMBERS: u32 = 2;

/// The stack for columns of 64 levels. Reading 20 levels takes 64 KiB in the optimised build.
const STACK_OF_COLUMNS: usize = 1024 * 1024;

/// How a table is evaluated. Set `size` to `sizeof(hcl_arrow_opts)` and what is not wanted to zero.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub struct hcl_arrow_opts {
    /// `sizeof(hcl_arrow_opts)`, set by the caller.
    pub size: usize,
    /// `HCL_ARROW_…`, joined by `|`.
    pub flags: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// The type of the results as a format of the Arrow C data interface: `b`, `c`, `C`, `s`, `S`, `i`, `I`, `l`, `L`, `f`, `g`,
    /// `u`, `U`, or a decimal such as `d:10,2`. Empty for the type that the results have.
    pub format: hcl_str,
    /// The type of the results as a type of the language, when `format` is empty: its numbers become doubles, its defaults are
    /// put in. Null for the type that the results have.
    pub ty: *const hcl_type,
}

/// Evaluates a program once for each row of a table, in one call: the fastest way to evaluate a rule for every row. The table
/// is a record batch in the structs of the Arrow C data interface: an array of format `+s` whose children are the columns.
///
/// The slots of the program get their values from the columns of their names; for a slot `a.b` without such a column it is the
/// field `b` of a column `a` of structs. A slot without a column keeps what the frame holds for it. Columns that the program
/// does not read are not looked at. Columns may hold booleans, whole numbers of every width, floating-point numbers, decimals,
/// texts (utf8, large utf8 and views), dates, times and timestamps, null, lists (large and of fixed size too), structs, maps
/// with texts as keys, and dictionaries of these. A null is null of the column's type. Dates and times are texts as in RFC
/// 3339, in UTC whatever the time zone of the column: `2006-01-02`, `15:04:05.5`, `2006-01-02T15:04:05.5Z`. Binary columns,
/// durations, intervals, unions, list views and run-end encoding are refused.
///
/// The results come as an array of as many rows. Without `opts->format` and `opts->ty` it has the type that the results have:
/// booleans; whole numbers of 64 bits, or doubles if one of the numbers is not whole or does not fit; texts; lists, maps and
/// structs where the types of all results agree, tuples becoming lists. A result of a type that does not agree with those
/// before it ends the call. Ask for a type where several batches are to be of one.
///
/// A row that fails is null in the results, and the call goes on: HCL_OK means that all rows were gone through. `*n_failed` tells
/// how many failed, and `*diags` holds what was said about rows, as many diagnostics as the limit allows; `hcl_diags_row` tells
/// the row of each. A row fails if its evaluation does, if a cell that the program may read has no value (NaN, text that is no
/// UTF-8, a year beyond 9999), or if its result can be no cell: it has marks, such as that of a sensitive value, is not
/// wholly known, or does not convert to the type that was asked for.
///
/// The deadline, the switch and max_steps are those of the whole call, and max_memory bounds what the call holds of the allocator
/// with the results; the other limits are those of each row. A limit that is reached ends the call. `hcl_frame_used` tells the
/// sum over all rows. What is the same for all rows is computed once.
///
/// `array` and `schema` are only read, during the call, and stay the caller's to release. HCL_OK: `*out_array` and
/// `*out_schema`, which are written without a look at what they held, are the caller's to release by their callbacks, from any
/// thread. Otherwise they are not written. `opts` and `n_failed` may be null.
///
/// HCL_ERR_DIAGNOSTICS: a column is none that can be read, or is not as its schema says; the results have no type in common; or
/// a row failed with `HCL_ARROW_FIRST_ERROR_ENDS`. HCL_ERR_UNBOUND: a slot has neither a column nor a value in the frame, and
/// there is no resolver. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_CALLBACK: the call was stopped.
/// HCL_ERR_BUSY: the frame is in use. HCL_ERR_UNSUPPORTED: the library was built without it. `diags` as for `hcl_file_parse`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_eval_arrow(
    program: *const hcl_program,
    frame: *mut hcl_frame,
    array: *const ArrowArray,
    schema: *const ArrowSchema,
    opts: *const hcl_arrow_opts,
    out_array: *mut ArrowArray,
    out_schema: *mut ArrowSchema,
    n_failed: *mut u64,
    diags: *mut *mut hcl_diags,
) -> hcl_status {
    let body = |said: &mut Diagnostics| {
        check_out("out_array", out_array)?;
        check_out("out_schema", out_schema)?;
        // SAFETY: null or live, by the contract of the interface.
        let program = unsafe { get("program", program) }?.program();
        // SAFETY: as above; the state is reached only through `with`.
        let frame = unsafe { get("frame", frame.cast_const()) }?;
        // SAFETY: null or live, by the contract of the interface.
        let array = unsafe { get("array", array) }?;
        // SAFETY: as above.
        let schema = unsafe { get("schema", schema) }?;
        // SAFETY: null or a struct of the caller whose `size` says how much of it there is.
        let opts: hcl_arrow_opts = unsafe { extensible_struct::read("opts", opts) }?;
        if opts.flags & !(HCL_ARROW_FIRST_ERROR_ENDS | HCL_ARROW_TIMES_AS_NUMBERS) != 0 {
            return Err(Failure::unknown_flag("opts->flags"));
        }
        // Columns nest 64 levels deep, and are read, evaluated, written and dropped by recursion.
        let done = stack::ensure(STACK_OF_COLUMNS, STACK_OF_COLUMNS, || {
            // SAFETY: the structs and options of the caller, as the interface asks.
            frame.with(|state| unsafe { tables::evaluate(program, state, (array, schema), &opts, said) })
        })?;
        // SAFETY: checked not to be null, writable by contract.
        unsafe { tables::hand_out(done, (out_array, out_schema), n_failed) };
        Ok(())
    };
    // SAFETY: null or writable, by the contract of the interface.
    unsafe { guard_with(diags, body) }
}

/// The row that the diagnostic at `index` is about, from 0, in what `hcl_eval_arrow` said; `UINT64_MAX` for one that is about no
/// row, and when there are not that many. Null counts as an empty list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_diags_row(diags: *const hcl_diags, index: usize) -> u64 {
    guard_or(u64::MAX, || {
        // SAFETY: null or live, by the contract of the interface.
        let said = unsafe { diags.as_ref() }.and_then(|diags| diags.list.get(index));
        said.and_then(tables::row_of).unwrap_or(u64::MAX)
    })
}

#[cfg(feature = "arrow")]
mod tables {
    use hcl_arrow::{ArrowArray, ArrowSchema, Evaluated, bind, export_within, wanted};
    pub(super) use hcl_eval::columns::row_of;
    use hcl_eval::columns::{Before, ColumnsOptions, Wanted};
    use hcl_eval::program::Program;
    use hcl_syntax::diagnostic::Diagnostics;
    use hcl_syntax::memory;

    use super::{HCL_ARROW_FIRST_ERROR_ENDS, HCL_ARROW_TIMES_AS_NUMBERS, hcl_arrow_opts};
    use crate::boundary::{Failure, Outcome};
    use crate::frame::FrameState;
    use crate::handle::put;
    use crate::string::text_in;

    /// # Safety
    /// The struct is of the caller, readable as the interface asks.
    unsafe fn type_in(opts: &hcl_arrow_opts) -> Outcome<Wanted> {
        // SAFETY: passed on.
        let format = unsafe { text_in("opts->format", opts.format.ptr, opts.format.len) }?;
        // SAFETY: null or live, by the contract of the interface.
        match (format, unsafe { opts.ty.as_ref() }) {
            ("", Some(ty)) => Ok(Wanted::Type(ty.0.clone())),
            (_, Some(_)) => Err(Failure::argument("opts->ty", "is set beside opts->format.")),
            _ => wanted(format).ok_or_else(|| {
                Failure::argument("opts->format", format_args!("is \"{format}\", which results can't have."))
            }),
        }
    }

    /// # Safety
    /// The structs of the table are as the Arrow C data interface says, and nobody changes them; the options are as the interface
    /// of this library asks.
    pub(super) unsafe fn evaluate(
        program: &Program,
        state: &mut FrameState,
        (array, schema): (&ArrowArray, &ArrowSchema),
        opts: &hcl_arrow_opts,
        said: &mut Diagnostics,
    ) -> Outcome<Evaluated> {
        let options = ColumnsOptions {
            // SAFETY: passed on.
            wanted: unsafe { type_in(opts) }?,
            // SAFETY: null or live, by the contract of the interface.
            defaults: unsafe { opts.ty.as_ref() }.and_then(|ty| ty.defaults().cloned()),
            first_error_ends: opts.flags & HCL_ARROW_FIRST_ERROR_ENDS != 0,
            before: Before::default(),
        };
        let as_numbers = opts.flags & HCL_ARROW_TIMES_AS_NUMBERS != 0;
        state.begin(program)?;
        let before = memory::held();
        // SAFETY: passed on.
        let table = unsafe { bind(program, schema, array, as_numbers, state.limits()) };
        let table = table.map_err(Failure::of)?;
        state.check_bound(program, |slot| table.columns.iter().any(|(bound, _)| *bound == slot))?;
        state.keep_since(before);
        let done = state.columns(program, table.columns, table.n_rows, &options).map_err(Failure::of)?;
        *said = done.diagnostics;
        Ok(Evaluated {
            exported: export_within(done.column, state.meter()).map_err(Failure::of)?,
            diagnostics: Diagnostics::new(),
            n_failed: done.n_failed,
        })
    }

    /// # Safety
    /// The pointers are writable, the last one or null.
    pub(super) unsafe fn hand_out(
        done: Evaluated,
        (array, schema): (*mut ArrowArray, *mut ArrowSchema),
        n_failed: *mut u64,
    ) {
        let (own_schema, own_array) = done.exported.into_parts();
        // SAFETY: passed on.
        unsafe { put(array, own_array) };
        // SAFETY: passed on.
        unsafe { put(schema, own_schema) };
        if !n_failed.is_null() {
            // SAFETY: not null, and passed on.
            unsafe { put(n_failed, done.n_failed) };
        }
    }
}

/// A build that evaluates no tables.
#[cfg(not(feature = "arrow"))]
mod tables {
    use std::convert::Infallible;

    use hcl_eval::program::Program;
    use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};

    use super::{ArrowArray, ArrowSchema, hcl_arrow_opts};
    use crate::boundary::Outcome;
    use crate::frame::FrameState;
    use crate::status::hcl_status;

    pub(super) fn row_of(_: &Diagnostic) -> Option<u64> {
        None
    }

    /// # Safety
    /// None: nothing is looked at.
    pub(super) unsafe fn evaluate(
        _: &Program,
        _: &mut FrameState,
        _: (&ArrowArray, &ArrowSchema),
        _: &hcl_arrow_opts,
        _: &mut Diagnostics,
    ) -> Outcome<Infallible> {
        Err(hcl_status::HCL_ERR_UNSUPPORTED.into())
    }

    /// # Safety
    /// None: there is nothing to write.
    pub(super) unsafe fn hand_out(done: Infallible, _: (*mut ArrowArray, *mut ArrowSchema), _: *mut u64) {
        match done {}
    }
}
