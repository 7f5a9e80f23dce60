//! The columns of a table that a program reads, found by the names of slots.

use hcl_eval::columns::{Column, limit_reached};
use hcl_eval::limits::{Limits, Meter};
use hcl_eval::program::Program;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};

use crate::import::{Reading, Rows, column, validity};
use crate::interface::{ArrowArray, ArrowSchema, Field, Problem};

/// The columns of a table that a program reads.
#[derive(Debug)]
pub struct Table<'a> {
    /// The columns, each with the slot that it gives values to.
    pub columns: Vec<(usize, Column<'a>)>,
    /// The number of rows.
    pub n_rows: usize,
}

/// Finds the columns of a table that a program reads, by the names of its slots: a column of the name of the slot, else for
/// `a.b` the field `b` of a column `a` of structs. Other columns are not looked at, and a slot without a column is left alone.
///
/// # Errors
/// The table is no struct, a column is none that the engine can read, or has parts that can't be as they are; or a limit has been
/// reached.
///
/// # Safety
/// The structs and all that they point to are as the Arrow C data interface says, and nobody changes or releases them for `'a`.
pub unsafe fn bind<'a>(
    program: &Program,
    schema: &'a ArrowSchema,
    array: &'a ArrowArray,
    moments_as_numbers: bool,
    limits: &Limits,
) -> Result<Table<'a>, Diagnostics> {
    let mut reading = Reading { moments_as_numbers, meter: Meter::new(limits.clone()) };
    // SAFETY: passed on.
    let (table, rows) =
        unsafe { whole(schema, array) }.map_err(|problem| unsuitable("The table", &problem))?;
    let mut columns = Vec::with_capacity(program.needs().len());
    for &slot in program.needs() {
        let name = program.scope().slot_name(slot).unwrap_or_default();
        // SAFETY: passed on.
        let found = unsafe { by_path(table, rows, &name, &mut reading) };
        match found {
            Ok(Some(column)) => columns.push((slot, column)),
            Ok(None) => {}
            Err(problem) => {
                return Err(match reading.meter.stopped() {
                    Some(limit) => vec![limit_reached(limit)],
                    None => unsuitable(&format!("The column \"{name}\""), &problem),
                });
            }
        }
    }
    Ok(Table { columns, n_rows: rows.len })
}

fn unsuitable(subject: &str, problem: &str) -> Diagnostics {
    vec![Diagnostic::error("api.column", "Unsuitable column", format!("{subject} {problem}."))]
}

/// The table as a struct, and its rows.
///
/// # Safety
/// As for [`bind`].
unsafe fn whole<'a>(schema: &'a ArrowSchema, array: &'a ArrowArray) -> Result<(Field<'a>, Rows), Problem> {
    let table = Field::new(schema, array)?;
    // SAFETY: passed on.
    let format = unsafe { table.format() }?;
    if format != "+s" {
        return Err(format!("has the format \"{format}\"; hand in a struct, as a record batch is"));
    }
    Ok((table, Rows { first: 0, len: usize::try_from(array.length).unwrap_or_default() }))
}

/// The column of a path.
///
/// # Safety
/// As for [`bind`].
unsafe fn by_path<'a>(
    table: Field<'a>,
    rows: Rows,
    name: &str,
    reading: &mut Reading,
) -> Result<Option<Column<'a>>, Problem> {
    let first = table.place(rows.first, rows.len)?;
    let inner = Rows { first, len: rows.len };
    // SAFETY: passed on.
    let mut found = unsafe { by_name(table, name, reading) }?;
    let mut parents = vec![(table, rows)];
    let mut rows = inner;
    if found.is_none() && name.contains('.') {
        let mut steps = name.split('.').peekable();
        let mut around = table;
        while let Some(step) = steps.next() {
            // SAFETY: passed on.
            let Some(child) = unsafe { by_name(around, step, reading) }? else { return Ok(None) };
            if steps.peek().is_none() {
                found = Some(child);
                break;
            }
            // SAFETY: passed on.
            if unsafe { child.format() }? != "+s" {
                return Ok(None);
            }
            parents.push((child, rows));
            rows = Rows { first: child.place(rows.first, rows.len)?, len: rows.len };
            around = child;
        }
    }
    let Some(found) = found else { return Ok(None) };
    // SAFETY: passed on.
    let mut column = unsafe { column(found, rows, reading, 0) }?;
    // A cell is null where a struct around it is.
    for (parent, rows) in parents {
        // SAFETY: passed on.
        if let Some(valid) = unsafe { validity(parent, rows) }? {
            column = column.with_validity(valid);
        }
    }
    Ok(Some(column))
}

/// The child of a name; an error if there are two of it.
///
/// # Safety
/// As for [`bind`].
unsafe fn by_name<'a>(
    parent: Field<'a>,
    name: &str,
    reading: &mut Reading,
) -> Result<Option<Field<'a>>, Problem> {
    let mut found = None;
    for index in 0..parent.n_children() {
        reading.go_on(1)?;
        // SAFETY: passed on.
        if unsafe { parent.child_name(index) }? != Some(name) {
            continue;
        }
        if found.replace(index).is_some() {
            return Err("is there twice".to_owned());
        }
    }
    // SAFETY: passed on.
    found.map(|index| unsafe { parent.child(index) }).transpose()
}
