//! Arrays of Arrow from columns of results. Their buffers are those of the columns.

use std::any::Any;
use std::borrow::Cow;
use std::ffi::{CString, c_char, c_void};
use std::ptr;

use hcl_eval::columns::{Column, ResultCells, ResultColumn, limit_reached};
use hcl_eval::limits::{LimitReached, Limits, Meter};
use hcl_syntax::diagnostic::Diagnostics;

use crate::import::{DEEPEST, Reading, Rows, column};
use crate::interface::{ArrowArray, ArrowSchema, Field, element};

/// An array with its schema. Both are released with it, unless they are taken.
#[derive(Debug)]
pub struct Exported {
    schema: ArrowSchema,
    array: ArrowArray,
}

// SAFETY: the structs own what they point to, which is bound to no thread.
unsafe impl Send for Exported {}

impl Exported {
    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &ArrowSchema {
        &self.schema
    }

    /// The array.
    #[must_use]
    pub fn array(&self) -> &ArrowArray {
        &self.array
    }

    /// The cells, to be read.
    ///
    /// ```
    /// use hcl_arrow::export;
    /// use hcl_eval::columns::{ResultCells, ResultColumn};
    /// use hcl_eval::limits::Limits;
    ///
    /// let column = ResultColumn { len: 1, validity: None, n_nulls: 0, cells: ResultCells::F64(vec![0.5]) };
    /// let exported = export(column);
    /// let value = exported.column()?.cell(0, &Limits::default())?;
    /// assert_eq!(value.as_number().unwrap().to_f64(), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The column is of a format that the engine writes and does not read.
    pub fn column(&self) -> Result<Column<'_>, String> {
        let field = Field::new(&self.schema, &self.array)?;
        let rows = Rows { first: 0, len: usize::try_from(self.array.length).unwrap_or_default() };
        let meter = Meter::new(Limits { max_memory: u64::MAX, ..Limits::default() });
        let mut reading = Reading { moments_as_numbers: false, meter };
        // SAFETY: `export` made the structs as the interface says; both live as long as they are borrowed.
        unsafe { column(field, rows, &mut reading, 0) }
    }

    /// Moves both out: who takes them calls their `release`.
    #[must_use]
    pub fn into_parts(mut self) -> (ArrowSchema, ArrowArray) {
        let schema = std::mem::replace(&mut self.schema, ArrowSchema::empty());
        let array = std::mem::replace(&mut self.array, ArrowArray::empty());
        (schema, array)
    }
}

impl Drop for Exported {
    fn drop(&mut self) {
        // SAFETY: made by `export`, and not released before.
        unsafe { release_schema(&raw mut self.schema) };
        // SAFETY: as above.
        unsafe { release_array(&raw mut self.array) };
    }
}

/// The memory that a schema points to.
struct SchemaParts {
    format: CString,
    name: CString,
    /// Each from `Box::into_raw`.
    children: Vec<*mut ArrowSchema>,
}

/// The memory that an array points to.
struct ArrayParts {
    buffers: Vec<*const c_void>,
    /// The memory of the buffers.
    owned: Vec<Box<dyn Any>>,
    /// Each from `Box::into_raw`.
    children: Vec<*mut ArrowArray>,
    /// As a child.
    dictionary: Option<*mut ArrowArray>,
}

/// Hands a column over, without copying its cells. The field has no name.
///
/// ```
/// use hcl_arrow::export;
/// use hcl_eval::columns::{ResultCells, ResultColumn};
///
/// let column = ResultColumn { len: 1, validity: None, n_nulls: 0, cells: ResultCells::F64(vec![0.5]) };
/// assert_eq!(export(column).array().n_buffers, 2);
/// ```
#[must_use]
pub fn export(column: ResultColumn) -> Exported {
    let Ok(exported) = pair(column, ("", true), &mut None) else { unreachable!("there are no limits") };
    exported
}

/// [`export`] within limits: a type of many fields takes time and memory.
///
/// ```
/// use hcl_arrow::export_within;
/// use hcl_eval::columns::{ResultCells, ResultColumn};
/// use hcl_eval::limits::Meter;
///
/// let column = ResultColumn { len: 1, validity: None, n_nulls: 0, cells: ResultCells::F64(vec![0.5]) };
/// assert!(export_within(column, &mut Meter::default()).is_ok());
/// ```
///
/// # Errors
/// A limit has been reached.
pub fn export_within(column: ResultColumn, meter: &mut Meter) -> Result<Exported, Diagnostics> {
    pair(column, ("", true), &mut Some(meter)).map_err(|limit| vec![limit_reached(limit)])
}

/// An array for [`bind`](crate::bind) without cells, of the type that a schema is: a table that has columns and no batch. It has
/// no buffers. It is released by its callback.
///
/// ```
/// use hcl_arrow::{export, without_rows};
/// use hcl_eval::columns::{ResultCells, ResultColumn};
///
/// let column = ResultColumn { len: 1, validity: None, n_nulls: 0, cells: ResultCells::F64(vec![0.5]) };
/// let exported = export(column);
/// // SAFETY: the schema is that of an export.
/// let mut empty = unsafe { without_rows(exported.schema()) };
/// assert_eq!(empty.length, 0);
/// // SAFETY: live until now.
/// unsafe { empty.release.expect("it is live")(&raw mut empty) };
/// ```
///
/// # Safety
/// The schema and all that it points to are as the Arrow C data interface says.
#[must_use]
pub unsafe fn without_rows(schema: &ArrowSchema) -> ArrowArray {
    // SAFETY: passed on.
    unsafe { without_cells(schema, 0) }
}

const NULLABLE: i64 = 2;

fn schema(format: &str, name: &str, is_nullable: bool, children: Vec<*mut ArrowSchema>) -> ArrowSchema {
    // Names are without NUL, or end there, as for C they do.
    let text = |text: &str| CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default();
    let mut parts = Box::new(SchemaParts { format: text(format), name: text(name), children });
    let format: *const c_char = parts.format.as_ptr();
    let name: *const c_char = parts.name.as_ptr();
    let (n_children, children) = (parts.children.len() as i64, parts.children.as_mut_ptr());
    ArrowSchema {
        format,
        name,
        metadata: ptr::null(),
        flags: if is_nullable { NULLABLE } else { 0 },
        n_children,
        children,
        dictionary: ptr::null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(parts).cast(),
    }
}

/// Buffers as they are gathered.
#[derive(Default)]
struct Buffers {
    pointers: Vec<*const c_void>,
    owned: Vec<Box<dyn Any>>,
}

impl Buffers {
    fn push<T: 'static>(mut self, buffer: Vec<T>) -> Self {
        self.pointers.push(buffer.as_ptr().cast());
        self.owned.push(Box::new(buffer));
        self
    }
}

/// A field's name, and whether it may be null.
type Named<'n> = (&'n str, bool);

/// The meter of those who hand a column over within limits.
type Looks<'l, 'm> = &'l mut Option<&'m mut Meter>;

/// To make the structs of a field takes as long as so many parts of work.
const PARTS_OF_FIELD: usize = 16;

/// Tells of the work on a field, and asks for the bytes of its name or of the lists of its children.
fn next_field(looks: Looks<'_, '_>, n_bytes: usize) -> Result<(), LimitReached> {
    let Some(meter) = looks else { return Ok(()) };
    meter.go_on(PARTS_OF_FIELD)?;
    meter.hold(n_bytes)
}

/// The schema and the array of a column.
fn pair(column: ResultColumn, named: Named<'_>, looks: Looks<'_, '_>) -> Result<Exported, LimitReached> {
    let ResultColumn { len, validity, n_nulls, cells } = column;
    if matches!(cells, ResultCells::Null) {
        return joined("n", named, [len, len], (Buffers::default(), Vec::new()), looks);
    }
    let buffers = match validity {
        Some(bits) => Buffers::default().push(bits.into_words()),
        None => Buffers { pointers: vec![ptr::null()], owned: Vec::new() },
    };
    let (format, buffers, children) = parts(cells, buffers, looks)?;
    joined(&format, named, [len, n_nulls], (buffers, children), looks)
}

/// The format of cells, their buffers behind those that there are, and their children.
fn parts(
    cells: ResultCells,
    buffers: Buffers,
    looks: Looks<'_, '_>,
) -> Result<(Cow<'static, str>, Buffers, Vec<Exported>), LimitReached> {
    let plain = |format: &'static str, buffers| (Cow::Borrowed(format), buffers, Vec::new());
    Ok(match cells {
        ResultCells::Null => plain("n", buffers),
        ResultCells::Bool(bits) => plain("b", buffers.push(bits.into_words())),
        ResultCells::I8(cells) => plain("c", buffers.push(cells)),
        ResultCells::I16(cells) => plain("s", buffers.push(cells)),
        ResultCells::I32(cells) => plain("i", buffers.push(cells)),
        ResultCells::I64(cells) => plain("l", buffers.push(cells)),
        ResultCells::U8(cells) => plain("C", buffers.push(cells)),
        ResultCells::U16(cells) => plain("S", buffers.push(cells)),
        ResultCells::U32(cells) => plain("I", buffers.push(cells)),
        ResultCells::U64(cells) => plain("L", buffers.push(cells)),
        ResultCells::F32(cells) => plain("f", buffers.push(cells)),
        ResultCells::F64(cells) => plain("g", buffers.push(cells)),
        ResultCells::Text { bounds, bytes } => plain("u", buffers.push(bounds).push(bytes)),
        ResultCells::LargeText { bounds, bytes } => plain("U", buffers.push(bounds).push(bytes)),
        ResultCells::Decimal { words, bits, precision, scale } => {
            let width = if bits == 128 { String::new() } else { format!(",{bits}") };
            (format!("d:{precision},{scale}{width}").into(), buffers.push(words), Vec::new())
        }
        ResultCells::List { bounds, items } => {
            ("+l".into(), buffers.push(bounds), vec![pair(*items, ("item", true), looks)?])
        }
        ResultCells::Struct { names, fields } => {
            next_field(looks, fields.len().saturating_mul(size_of::<Exported>()))?;
            let mut children = Vec::with_capacity(fields.len());
            for (name, field) in names.iter().zip(fields) {
                children.push(pair(field, (name, true), looks)?);
            }
            ("+s".into(), buffers, children)
        }
        ResultCells::Map { bounds, keys, values } => {
            let len = keys.len;
            let children = vec![pair(*keys, ("key", false), looks)?, pair(*values, ("value", true), looks)?];
            let own = Buffers { pointers: vec![ptr::null()], owned: Vec::new() };
            let entries = joined("+s", ("entries", false), [len, 0], (own, children), looks)?;
            ("+m".into(), buffers.push(bounds), vec![entries])
        }
    })
}

fn joined(
    format: &str,
    (name, is_nullable): Named<'_>,
    lengths: [usize; 2],
    (buffers, fields): (Buffers, Vec<Exported>),
    looks: Looks<'_, '_>,
) -> Result<Exported, LimitReached> {
    next_field(looks, name.len().saturating_add(fields.len().saturating_mul(2 * size_of::<*mut ()>())))?;
    let mut schemas = Vec::with_capacity(fields.len());
    let mut children = Vec::with_capacity(fields.len());
    let ended = fields.into_iter().try_for_each(|field| {
        if let Some(meter) = looks {
            meter.go_on(1)?;
        }
        let (schema, array) = field.into_parts();
        schemas.push(Box::into_raw(Box::new(schema)));
        children.push(Box::into_raw(Box::new(array)));
        Ok(())
    });
    let Buffers { pointers, owned } = buffers;
    let parts = ArrayParts { buffers: pointers, owned, children, dictionary: None };
    // Those that came before the end are released with what they are in.
    let exported =
        Exported { schema: schema(format, name, is_nullable, schemas), array: array(lengths, parts) };
    ended.map(|()| exported)
}

fn array([length, null_count]: [usize; 2], parts: ArrayParts) -> ArrowArray {
    let mut parts = Box::new(parts);
    ArrowArray {
        length: length as i64,
        null_count: null_count as i64,
        offset: 0,
        n_buffers: parts.buffers.len() as i64,
        n_children: parts.children.len() as i64,
        buffers: parts.buffers.as_mut_ptr(),
        children: parts.children.as_mut_ptr(),
        dictionary: parts.dictionary.unwrap_or(ptr::null_mut()),
        release: Some(release_array),
        private_data: Box::into_raw(parts).cast(),
    }
}

/// An array as [`without_rows`] gives it. One that is too deep for a column holds nothing.
///
/// # Safety
/// As for [`without_rows`].
unsafe fn without_cells(schema: &ArrowSchema, depth: u32) -> ArrowArray {
    if depth > DEEPEST {
        return ArrowArray::empty();
    }
    let part = |of: Option<&ArrowSchema>| {
        // SAFETY: live, by contract.
        let part = of.map_or_else(ArrowArray::empty, |of| unsafe { without_cells(of, depth + 1) });
        Box::into_raw(Box::new(part))
    };
    let n_children = usize::try_from(schema.n_children).unwrap_or_default();
    // SAFETY: there are so many, by contract.
    let children = (0..n_children).map(|index| part(unsafe { element(schema.children, index) }));
    let children = children.collect();
    // SAFETY: null or live, by contract.
    let dictionary = unsafe { schema.dictionary.as_ref() }.map(|entries| part(Some(entries)));
    array([0, 0], ArrayParts { buffers: Vec::new(), owned: Vec::new(), children, dictionary })
}

/// # Safety
/// `schema` is null, or holds nothing, or was made here and not released before.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: null or live, by contract.
    let Some(schema) = (unsafe { schema.as_mut() }) else { return };
    if schema.release.take().is_none() {
        return;
    }
    // SAFETY: from `Box::into_raw`, as the struct was made here.
    let parts = unsafe { Box::from_raw(schema.private_data.cast::<SchemaParts>()) };
    for &child in &parts.children {
        // SAFETY: from `Box::into_raw`.
        let mut child = unsafe { Box::from_raw(child) };
        // A child that was moved out has no `release`.
        if let Some(release) = child.release {
            // SAFETY: as the interface says.
            unsafe { release(&raw mut *child) };
        }
    }
    *schema = ArrowSchema::empty();
}

/// # Safety
/// `array` is null, or holds nothing, or was made here and not released before.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: null or live, by contract.
    let Some(array) = (unsafe { array.as_mut() }) else { return };
    if array.release.take().is_none() {
        return;
    }
    // SAFETY: from `Box::into_raw`, as the struct was made here.
    let parts = unsafe { Box::from_raw(array.private_data.cast::<ArrayParts>()) };
    let ArrayParts { buffers, owned, children, dictionary } = *parts;
    drop((buffers, owned));
    for child in children.into_iter().chain(dictionary) {
        // SAFETY: from `Box::into_raw`.
        let mut child = unsafe { Box::from_raw(child) };
        // A child that was moved out has no `release`.
        if let Some(release) = child.release {
            // SAFETY: as the interface says.
            unsafe { release(&raw mut *child) };
        }
    }
    *array = ArrowArray::empty();
}
