//! Programs over tables of Apache Arrow.
//!
//! A table comes as the two structs of the Arrow C data interface ([`ArrowSchema`], [`ArrowArray`]), which every Arrow library
//! gives without copying, and so does the result go. No Arrow library is needed. What a row means is not decided here, but in
//! [`hcl_eval::columns`].
//!
//! # A first program
//!
//! ```
//! use hcl_arrow::{Options, evaluate, export};
//! use hcl_eval::columns::{BitBuffer, ResultCells, ResultColumn};
//! use hcl_eval::eval::{Frame, Scope};
//! use hcl_eval::program::Program;
//! use hcl_syntax::parser::ParsedExpression;
//!
//! let mut scope = Scope::builder();
//! scope.slot("age");
//! let scope = scope.build();
//! let parsed: ParsedExpression = "age >= 18".parse()?;
//! let id = parsed.expression().id();
//! let (program, _) = Program::compile(parsed.into_tree(), id, scope.clone(), &Default::default());
//!
//! let ages = ResultColumn { len: 2, validity: None, n_nulls: 0, cells: ResultCells::U8(vec![17, 18]) };
//! let fields = ResultCells::Struct { names: vec!["age".into()], fields: vec![ages] };
//! let table = export(ResultColumn { len: 2, validity: None, n_nulls: 0, cells: fields });
//!
//! let mut frame = Frame::new(&scope);
//! // SAFETY: the structs are those of an export.
//! let done = unsafe {
//!     evaluate(&program, &mut frame, table.schema(), table.array(), &Options::default())
//! };
//! assert_eq!(done.unwrap().exported.array().length, 2);
//! # Ok::<(), hcl_syntax::diagnostic::Error>(())
//! ```
//!
//! # Parts
//!
//! | to | use |
//! |---|---|
//! | evaluate a program for each row of a table | [`evaluate`], which does the next two |
//! | find the columns that a program reads | [`bind`]: all that can be found out about the structs is found out there, before the first row |
//! | hand a column of results over | [`export`], [`export_within`] limits |
//! | say which type results shall have, by its format | [`wanted`] |
//!
//! The modules are private: `interface` has the structs, `import` the columns of the engine, `format` the types in short.
//! The crate has no features.

#![expect(unsafe_code, reason = "the boundary to Arrow libraries: structs of pointers come in and go out")]

mod bind;
mod export;
mod format;
mod import;
mod interface;

use hcl_eval::columns::ColumnsOptions;
use hcl_eval::eval::Frame;
use hcl_eval::program::Program;
use hcl_syntax::diagnostic::Diagnostics;
use hcl_syntax::memory;

pub use bind::{Table, bind};
pub use export::{Exported, export, export_within, without_rows};
pub use format::wanted;
pub use interface::{ArrowArray, ArrowSchema};

/// The options of an evaluation over a table.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The type of the results, and whether the first error ends the work.
    pub columns: ColumnsOptions,
    /// Dates and times are the numbers that they are stored as, not texts.
    pub moments_as_numbers: bool,
}

/// The results for the rows of a table.
#[derive(Debug)]
pub struct Evaluated {
    /// A result for each row; null for one that failed.
    pub exported: Exported,
    /// Diagnostics of rows, as [`hcl_eval::columns::Evaluated`] has it.
    pub diagnostics: Diagnostics,
    /// How many rows failed.
    pub n_failed: u64,
}

/// Evaluates a program once for each row of a table, as [`Program::evaluate_columns`] says. The table is a struct, as record
/// batches are, and stays the caller's.
///
/// # Errors
/// The table does not suit the program, or as for [`Program::evaluate_columns`].
///
/// # Safety
/// As for [`bind`].
pub unsafe fn evaluate(
    program: &Program,
    frame: &mut Frame,
    schema: &ArrowSchema,
    array: &ArrowArray,
    options: &Options,
) -> Result<Evaluated, Diagnostics> {
    let before = memory::held();
    // SAFETY: passed on.
    let table = unsafe { bind(program, schema, array, options.moments_as_numbers, frame.limits()) }?;
    frame.keep_since(before);
    let done = program.evaluate_columns(frame, table.columns, table.n_rows, &options.columns);
    // Later evaluations hold nothing of the columns.
    frame.limits_mut();
    let done = done?;
    let exported = export_within(done.column, frame.meter())?;
    Ok(Evaluated { exported, diagnostics: done.diagnostics, n_failed: done.n_failed })
}
