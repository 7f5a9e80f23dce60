//! Columns of the engine from arrays of Arrow. Cells are not copied.

use std::sync::Arc;

use hcl_eval::columns::{
    Bits, Bounds, Cells, Column, Integers, MomentForm, Moments, Texts, arranged, limit_reached,
};
use hcl_eval::limits::{LimitReached, Meter};

use crate::interface::{Field, Problem};

/// How arrays are read, and within which limits.
pub(crate) struct Reading {
    pub(crate) moments_as_numbers: bool,
    /// Where a reading ends with any problem, and the meter has been stopped, a limit is the reason.
    pub(crate) meter: Meter,
}

impl Reading {
    /// Tells that so many parts of work are about to be done.
    pub(crate) fn go_on(&mut self, n: usize) -> Result<(), Problem> {
        self.meter.go_on(n).map_err(ended)
    }

    /// Asks for so many things of so many bytes.
    fn hold(&mut self, n: usize, bytes: usize) -> Result<(), Problem> {
        self.meter.hold(n.saturating_mul(bytes)).map_err(ended)
    }
}

fn ended(limit: LimitReached) -> Problem {
    limit_reached(limit).detail
}

/// To read a field takes as long as so many parts of work.
const PARTS_OF_FIELD: usize = 8;

/// How deep types of columns may nest.
pub(crate) const DEEPEST: u32 = 64;

/// Rows of an array.
#[derive(Copy, Clone)]
pub(crate) struct Rows {
    pub(crate) first: usize,
    pub(crate) len: usize,
}

/// The bits that are 0 where a cell is null; `None` if none is.
///
/// # Safety
/// The structs are as the interface says.
pub(crate) unsafe fn validity(field: Field<'_>, rows: Rows) -> Result<Option<Bits<'_>>, Problem> {
    let start = field.place(rows.first, rows.len)?;
    // SAFETY: passed on.
    if field.array.null_count == 0 || unsafe { field.buffer(0) }.is_null() {
        return match field.array.null_count {
            1.. => Err("has nulls, but no bitmap that says where".to_owned()),
            _ => Ok(None),
        };
    }
    // SAFETY: a bitmap has a bit for each cell.
    let bits = unsafe { bits(field, 0, start, rows.len) }?;
    Ok(Some(bits))
}

/// # Safety
/// The structs are as the interface says; the buffer is a bitmap.
unsafe fn bits(field: Field<'_>, index: usize, start: usize, len: usize) -> Result<Bits<'_>, Problem> {
    // Bits before those that are asked for need not be there.
    let (first, shift) = (start / 8, start % 8);
    // SAFETY: passed on.
    let bytes =
        unsafe { field.elements::<u8>(index, first, if len == 0 { 0 } else { (shift + len).div_ceil(8) }) }?;
    let bits = Bits::new(bytes, if len == 0 { 0 } else { shift }, len);
    bits.ok_or_else(|| "has too few bits".to_owned())
}

/// The cells of a type with one buffer of numbers.
///
/// # Safety
/// The structs are as the interface says; the buffer has elements of this type.
unsafe fn numbers<T>(field: Field<'_>, rows: Rows) -> Result<&[T], Problem> {
    let start = field.place(rows.first, rows.len)?;
    // SAFETY: passed on.
    unsafe { field.elements(1, start, rows.len) }
}

/// # Safety
/// The structs are as the interface says, and of this format.
unsafe fn integers<'a>(field: Field<'a>, format: &str, rows: Rows) -> Result<Option<Integers<'a>>, Problem> {
    macro_rules! read {
        ($kind:ident) => {
            // SAFETY: as the format says.
            Integers::$kind(unsafe { numbers(field, rows) }?)
        };
    }
    Ok(Some(match format {
        "c" => read!(I8),
        "C" => read!(U8),
        "s" => read!(I16),
        "S" => read!(U16),
        "i" => read!(I32),
        "I" => read!(U32),
        "l" => read!(I64),
        "L" => read!(U64),
        _ => return Ok(None),
    }))
}

/// Where the parts of rows begin and end, by offsets in the buffer behind the bitmap, and which parts those are.
///
/// # Safety
/// The structs are as the interface says; the format has offsets of 32 bits, or of 64 if `is_large`.
unsafe fn bounds(field: Field<'_>, rows: Rows, is_large: bool) -> Result<(Bounds<'_>, Rows), Problem> {
    let start = field.place(rows.first, rows.len)?;
    if rows.len == 0 {
        return Ok((Bounds::Small(&[0]), Rows { first: 0, len: 0 }));
    }
    let ends = |first: Option<i64>, last: Option<i64>| {
        let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
        match (usize::try_from(first), usize::try_from(last)) {
            (Ok(first), Ok(last)) if first <= last => Ok(Rows { first, len: last - first }),
            (Ok(_), Ok(_)) => Err("has offsets that do not ascend".to_owned()),
            _ => Err("has a negative offset".to_owned()),
        }
    };
    if is_large {
        // SAFETY: there is one more offset than cells.
        let offsets = unsafe { field.elements::<i64>(1, start, rows.len + 1) }?;
        Ok((Bounds::Large(offsets), ends(offsets.first().copied(), offsets.last().copied())?))
    } else {
        // SAFETY: as above.
        let offsets = unsafe { field.elements::<i32>(1, start, rows.len + 1) }?;
        let (first, last) = (offsets.first().copied(), offsets.last().copied());
        Ok((Bounds::Small(offsets), ends(first.map(i64::from), last.map(i64::from))?))
    }
}

/// # Safety
/// The structs are as the interface says, and of this format.
unsafe fn texts<'a>(field: Field<'a>, format: &str, rows: Rows) -> Result<Option<Texts<'a>>, Problem> {
    if matches!(format, "u" | "U") {
        // SAFETY: as the format says.
        let (bounds, parts) = unsafe { bounds(field, rows, format == "U") }?;
        // SAFETY: the last offset is the number of bytes.
        let bytes = unsafe { field.elements::<u8>(2, 0, parts.first + parts.len) }?;
        return Ok(Some(Texts::joined(bounds, bytes)));
    }
    if format != "vu" {
        return Ok(None);
    }
    // SAFETY: as the format says.
    let views: &[[u8; 16]] = unsafe { numbers(field, rows) }?;
    // A bitmap, the views, buffers of texts, and the lengths of those.
    let n_buffers = usize::try_from(field.array.n_buffers - 3).unwrap_or_default();
    // SAFETY: as the format says.
    let lengths = unsafe { field.elements::<i64>(n_buffers + 2, 0, n_buffers) }?;
    let mut buffers = Vec::with_capacity(n_buffers);
    for (index, &length) in lengths.iter().enumerate() {
        let length = usize::try_from(length).map_err(|_| "has a buffer of negative length".to_owned())?;
        // SAFETY: the lengths say how many bytes the buffers have.
        buffers.push(unsafe { field.elements::<u8>(index + 2, 0, length) }?);
    }
    Ok(Some(Texts::Views { views, buffers }))
}

/// The form, the units of a second, and whether counts have 64 bits; of formats of dates and times.
fn moment(format: &str) -> Option<(MomentForm, u32, bool)> {
    let unit = |letter: &str| {
        Some(match letter {
            "s" => 1,
            "m" => 1_000,
            "u" => 1_000_000,
            "n" => 1_000_000_000,
            _ => return None,
        })
    };
    match format {
        "tdD" => return Some((MomentForm::Date, 0, false)),
        "tdm" => return Some((MomentForm::Date, 1_000, true)),
        _ => {}
    }
    if let Some(letter) = format.strip_prefix("tt") {
        return Some((MomentForm::Time, unit(letter)?, matches!(letter, "u" | "n")));
    }
    let (letter, _) = format.strip_prefix("ts")?.split_once(':')?;
    Some((MomentForm::Timestamp, unit(letter)?, true))
}

/// The name of an array that is no column of the engine.
fn foreign(format: &str) -> String {
    let name = match format.get(..2).unwrap_or(format) {
        "z" | "Z" | "vz" => "binary; convert it to text, for example as Base64",
        "w:" => "fixed-size binary; convert it to text, for example as Base64",
        "tD" => "a duration; convert it to a number",
        "ti" => "an interval; convert it to a number",
        "+u" => "a union",
        "+r" => "run-end encoded; decode it",
        "+v" => "a list view; convert it to a list",
        _ => return format!("has the format \"{format}\", which no column of this interface has"),
    };
    format!("is {name}")
}

/// The column that rows of an array are.
///
/// # Safety
/// The structs are as the interface says.
pub(crate) unsafe fn column<'a>(
    field: Field<'a>,
    rows: Rows,
    reading: &mut Reading,
    depth: u32,
) -> Result<Column<'a>, Problem> {
    if depth > DEEPEST {
        return Err(format!("nests deeper than {DEEPEST} levels"));
    }
    reading.go_on(PARTS_OF_FIELD)?;
    // SAFETY: passed on.
    let format = unsafe { field.format() }?;
    // SAFETY: passed on.
    let cells = unsafe { cells(field, format, rows, reading, depth) }?;
    let column = Column::new_within(cells, rows.len, &mut reading.meter).map_err(str::to_owned)?;
    if format == "n" {
        return Ok(column);
    }
    // SAFETY: passed on.
    let validity = unsafe { validity(field, rows) }?;
    Ok(match validity {
        Some(valid) => column.with_validity(valid),
        None => column,
    })
}

/// The number of buffers that an array of a format has; of those with texts elsewhere at least so many. Of arrays that are not
/// as their schema says it betrays some: how long buffers are is written nowhere.
fn n_buffers(format: &str) -> Option<i64> {
    Some(match format {
        "u" | "U" | "vu" => 3,
        "+s" => 1,
        "+l" | "+L" | "+m" => 2,
        "b" | "c" | "C" | "s" | "S" | "i" | "I" | "l" | "L" | "e" | "f" | "g" => 2,
        _ if format.starts_with("d:") || moment(format).is_some() => 2,
        _ if format.starts_with("+w:") => 1,
        _ => return None,
    })
}

/// # Safety
/// The structs are as the interface says, and of this format.
unsafe fn cells<'a>(
    field: Field<'a>,
    format: &str,
    rows: Rows,
    reading: &mut Reading,
    depth: u32,
) -> Result<Cells<'a>, Problem> {
    let start = field.place(rows.first, rows.len)?;
    let found = field.array.n_buffers;
    if let Some(expected) = n_buffers(format).filter(|_| rows.len > 0)
        && (found < expected || found > expected && format != "vu")
    {
        return Err(format!("has {found} buffers, and its format \"{format}\" {expected}"));
    }
    // SAFETY: passed on.
    if let Some(integers) = unsafe { integers(field, format, rows) }? {
        // SAFETY: passed on.
        let Some(entries) = unsafe { field.dictionary() }? else { return Ok(Cells::Integer(integers)) };
        let all = Rows { first: 0, len: usize::try_from(entries.array.length).unwrap_or_default() };
        // SAFETY: passed on.
        let entries = unsafe { column(entries, all, reading, depth + 1) }?;
        return Ok(Cells::Dictionary { keys: integers, entries: Box::new(entries), values: Arc::default() });
    }
    // SAFETY: passed on.
    if let Some(texts) = unsafe { texts(field, format, rows) }? {
        return Ok(Cells::Text(texts));
    }
    if let Some((form, per_second, is_long)) = moment(format) {
        // SAFETY: as the format says.
        let counts = unsafe { integers(field, if is_long { "l" } else { "i" }, rows) }?;
        let as_number = reading.moments_as_numbers;
        let counts = counts.unwrap_or(Integers::I64(&[]));
        return Ok(Cells::Moment(Moments { counts, form, per_second, as_number }));
    }
    if let Some(decimal) = format.strip_prefix("d:") {
        let Some((_, scale, bits)) = crate::format::decimal(decimal) else { return Err(foreign(format)) };
        let width = usize::from(bits / 8);
        let bytes = (start.checked_mul(width), rows.len.checked_mul(width));
        let (Some(first), Some(len)) = bytes else {
            return Err("has more cells than memory can hold".to_owned());
        };
        // SAFETY: as the format says.
        let bytes = unsafe { field.elements::<u8>(1, first, len) }?;
        return Ok(Cells::Decimal { bytes, width, scale });
    }
    match format {
        "n" => Ok(Cells::Null),
        // SAFETY: as the format says; so in those that follow.
        "b" => Ok(Cells::Bool(unsafe { bits(field, 1, start, rows.len) }?)),
        // SAFETY: as above.
        "e" => Ok(Cells::F16(unsafe { numbers(field, rows) }?)),
        // SAFETY: as above.
        "f" => Ok(Cells::F32(unsafe { numbers(field, rows) }?)),
        // SAFETY: as above.
        "g" => Ok(Cells::F64(unsafe { numbers(field, rows) }?)),
        // SAFETY: as above.
        "+s" => unsafe { structs(field, rows, reading, depth) },
        // SAFETY: as above.
        "+m" => unsafe { maps(field, rows, reading, depth) },
        // SAFETY: as above.
        _ => unsafe { lists(field, format, rows, reading, depth) },
    }
}

/// # Safety
/// The structs are as the interface says.
unsafe fn structs<'a>(
    field: Field<'a>,
    rows: Rows,
    reading: &mut Reading,
    depth: u32,
) -> Result<Cells<'a>, Problem> {
    let start = field.place(rows.first, rows.len)?;
    reading.hold(field.n_children(), size_of::<&str>() + size_of::<Option<Column<'_>>>())?;
    let mut names = Vec::with_capacity(field.n_children());
    let mut children = Vec::with_capacity(field.n_children());
    for index in 0..field.n_children() {
        // SAFETY: passed on.
        let child = unsafe { field.child(index) }?;
        // SAFETY: passed on.
        names.push(unsafe { child.name() }.ok_or("has a field with a name that is no UTF-8")?);
        let rows = Rows { first: start, len: rows.len };
        // SAFETY: passed on.
        children.push(Some(unsafe { column(child, rows, reading, depth + 1) }?));
    }
    let (shape, order) = arranged(&names, &mut reading.meter).map_err(ended)?;
    if shape.len() != children.len() {
        return Err("has two fields of one name".to_owned());
    }
    reading.hold(children.len(), size_of::<Column<'_>>())?;
    let mut fields = Vec::with_capacity(children.len());
    for index in order {
        reading.go_on(1)?;
        fields.extend(children[index].take());
    }
    Ok(Cells::Struct { shape, fields })
}

/// # Safety
/// The structs are as the interface says, of a format with offsets.
unsafe fn maps<'a>(
    field: Field<'a>,
    rows: Rows,
    reading: &mut Reading,
    depth: u32,
) -> Result<Cells<'a>, Problem> {
    // SAFETY: passed on.
    let (bounds, parts) = unsafe { bounds(field, rows, false) }?;
    // SAFETY: passed on.
    let entries = unsafe { field.child(0) }?;
    // SAFETY: passed on.
    let format = unsafe { entries.format() }?;
    if format != "+s" {
        return Err(format!("has entries of format \"{format}\", which are no structs"));
    }
    let rows = Rows { first: entries.place(parts.first, parts.len)?, len: parts.len };
    // SAFETY: passed on.
    let key = unsafe { entries.child(0) }?;
    // SAFETY: passed on.
    let value = unsafe { entries.child(1) }?;
    // SAFETY: passed on.
    let format = unsafe { key.format() }?;
    if !matches!(format, "u" | "U" | "vu") {
        return Err(format!("has keys of format \"{format}\", which are no texts"));
    }
    // SAFETY: passed on.
    let keys = Box::new(unsafe { column(key, rows, reading, depth + 1) }?);
    // SAFETY: passed on.
    let values = Box::new(unsafe { column(value, rows, reading, depth + 1) }?);
    Ok(Cells::Map { bounds, keys, values, skipped: parts.first })
}

/// Lists; an error for another format.
///
/// # Safety
/// The structs are as the interface says, and of this format.
unsafe fn lists<'a>(
    field: Field<'a>,
    format: &str,
    rows: Rows,
    reading: &mut Reading,
    depth: u32,
) -> Result<Cells<'a>, Problem> {
    let (bounds, of_items, skipped) = match format {
        "+l" | "+L" => {
            // SAFETY: passed on.
            let (bounds, parts) = unsafe { bounds(field, rows, format == "+L") }?;
            (bounds, parts, parts.first)
        }
        _ => {
            let n = format.strip_prefix("+w:").and_then(|n| n.parse::<usize>().ok());
            let n = n.ok_or_else(|| foreign(format))?;
            let start = field.place(rows.first, rows.len)?;
            let parts = (start.checked_mul(n), rows.len.checked_mul(n));
            let (Some(first), Some(len)) = parts else {
                return Err("has more cells than memory can hold".to_owned());
            };
            (Bounds::Fixed(n), Rows { first, len }, 0)
        }
    };
    // SAFETY: passed on.
    let child = unsafe { field.child(0) }?;
    // SAFETY: passed on.
    let items = unsafe { column(child, of_items, reading, depth + 1) }?;
    Ok(Cells::List { bounds, items: Box::new(items), skipped })
}
