//! Tables that other libraries lend, and columns that they take, by the PyCapsule protocol of Apache Arrow: structs of C
//! behind capsules, whose cells are not copied.
//!
//! All that is `unsafe` in the package is here. What the structs mean is the affair of `hcl_arrow`.
#![expect(unsafe_code, reason = "structs of pointers come in and go out")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Arc;

use hcl_arrow::{ArrowArray, ArrowSchema, Exported, bind, wanted, without_rows};
use hcl_eval::columns::{Column as Cells, ColumnsOptions, ResultColumn, Wanted, row_of};
use hcl_eval::eval::Frame;
use hcl_eval::limits::Limits;
use hcl_eval::program::Program;
use hcl_eval::types::Defaults;
use hcl_syntax::diagnostic::{self, Diagnostics};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyIterator, PyList, PySlice, PyTuple};

use crate::text::type_name;
use crate::value::{Numbers, Within, to_python, type_and_defaults};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A source of batches, as `struct ArrowArrayStream` of the Arrow C stream interface says.
#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut Self, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Self, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Self) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Self)>,
    private_data: *mut c_void,
}

/// A stream that is ours: it is released in the end.
struct Stream(ArrowArrayStream);

impl Stream {
    /// The stream's text about its last failure.
    fn failure(&mut self) -> PyErr {
        let said = match self.0.get_last_error {
            // SAFETY: the stream is live, and the text stays until its next call.
            Some(last_error) => unsafe { last_error(&raw mut self.0) },
            None => std::ptr::null(),
        };
        let said = match said.is_null() {
            true => "no reason is given".into(),
            // SAFETY: not null, and a text of C by the interface.
            false => unsafe { CStr::from_ptr(said) }.to_string_lossy(),
        };
        PyValueError::new_err(format!("table: the stream of batches failed: {said}"))
    }

    fn schema(&mut self) -> PyResult<Schema> {
        let mut schema = Schema(ArrowSchema::empty());
        let get = self.0.get_schema.ok_or_else(released)?;
        // SAFETY: both structs are live; the stream fills in the other one.
        match unsafe { get(&raw mut self.0, &raw mut schema.0) } {
            0 => Ok(schema),
            _ => Err(self.failure()),
        }
    }

    /// The next batch, if there is one.
    fn next(&mut self) -> PyResult<Option<Array>> {
        let mut array = Array(ArrowArray::empty());
        let get = self.0.get_next.ok_or_else(released)?;
        // SAFETY: as for the schema.
        match unsafe { get(&raw mut self.0, &raw mut array.0) } {
            0 => Ok(Some(array).filter(|array| array.0.release.is_some())),
            _ => Err(self.failure()),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.0.release {
            // SAFETY: live until now.
            unsafe { release(&raw mut self.0) }
        }
    }
}

/// A schema that is ours.
#[repr(transparent)]
struct Schema(ArrowSchema);

/// An array that is ours.
#[repr(transparent)]
struct Array(ArrowArray);

impl Drop for Schema {
    fn drop(&mut self) {
        if let Some(release) = self.0.release {
            // SAFETY: live until now; who has taken it has removed the callback.
            unsafe { release(&raw mut self.0) }
        }
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if let Some(release) = self.0.release {
            // SAFETY: as for a schema.
            unsafe { release(&raw mut self.0) }
        }
    }
}

// SAFETY: the interface binds its structs to no thread, and what is read of them does not change.
unsafe impl Send for Schema {}
// SAFETY: as above.
unsafe impl Sync for Schema {}
// SAFETY: as above.
unsafe impl Send for Array {}
// SAFETY: as above.
unsafe impl Sync for Array {}

fn released() -> PyErr {
    PyValueError::new_err("table: it has been released, or taken by someone else")
}

/// A table that is lent, in batches, of which there is one at least.
pub(crate) struct Table {
    schema: Schema,
    batches: Vec<Array>,
}

/// The struct in a capsule, moved out, so that the capsule holds nothing afterwards.
///
/// # Safety
/// A capsule of this name points to a `T` by the protocol; `empty` is one that holds nothing.
unsafe fn taken<T>(capsule: &Bound<'_, PyAny>, name: &CStr, empty: T) -> PyResult<T> {
    let Ok(capsule) = capsule.cast::<PyCapsule>() else {
        let (found, name) = (type_name(capsule), name.to_string_lossy());
        return Err(PyTypeError::new_err(format!("table: {found} was lent, not a capsule \"{name}\"")));
    };
    let pointer = capsule.pointer_checked(Some(name))?.cast::<T>();
    // SAFETY: live as long as the capsule, and of no one else while the thread is attached.
    Ok(unsafe { std::ptr::replace(pointer.as_ptr(), empty) })
}

impl Table {
    /// The table that an object lends.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.hasattr("__arrow_c_array__")? {
            let pair = object.call_method0("__arrow_c_array__")?;
            let Ok((schema, array)) = pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() else {
                let message = format!("table: __arrow_c_array__ gave {}, not two capsules", type_name(&pair));
                return Err(PyTypeError::new_err(message));
            };
            // SAFETY: the protocol says what the capsules hold.
            let schema = Schema(unsafe { taken(&schema, SCHEMA, ArrowSchema::empty()) }?);
            // SAFETY: as above.
            let array = Array(unsafe { taken(&array, ARRAY, ArrowArray::empty()) }?);
            if schema.0.release.is_none() || array.0.release.is_none() {
                return Err(released());
            }
            return Ok(Self { schema, batches: vec![array] });
        }
        if !object.hasattr("__arrow_c_stream__")? {
            return Err(PyTypeError::new_err(format!(
                "table is to lend columns of Arrow by __arrow_c_array__ or __arrow_c_stream__, and {} does not",
                type_name(object)
            )));
        }
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let empty = ArrowArrayStream {
            get_schema: None,
            get_next: None,
            get_last_error: None,
            release: None,
            private_data: std::ptr::null_mut(),
        };
        // SAFETY: as above.
        let mut stream = Stream(unsafe { taken(&capsule, STREAM, empty) }?);
        let schema = stream.schema()?;
        let mut batches = Vec::new();
        while let Some(batch) = stream.next()? {
            batches.push(batch);
        }
        if batches.is_empty() {
            // SAFETY: the stream has made the schema as the interface says.
            batches.push(Array(unsafe { without_rows(&schema.0) }));
        }
        Ok(Self { schema, batches })
    }

    /// Evaluates a program for all rows, batch by batch in one frame, whose limits hold for all of them together.
    pub(crate) fn evaluate(
        &self,
        program: &Program,
        frame: &mut Frame,
        options: &ColumnsOptions,
        moments_as_numbers: bool,
    ) -> Result<Answers, Diagnostics> {
        let mut answers = Answers { column: ResultColumn::default(), said: Vec::new(), n_failed: 0 };
        let mut options = options.clone();
        for Array(batch) in &self.batches {
            // SAFETY: the structs came by the protocol, and are ours until they are dropped.
            let table = unsafe { bind(program, &self.schema.0, batch, moments_as_numbers, frame.limits()) }?;
            missing(program, frame, &table.columns)?;
            let done = program.evaluate_columns(frame, table.columns, table.n_rows, &options)?;
            options.before.rows += table.n_rows as u64;
            options.before.steps = frame.used().steps;
            options.before.memory = done.memory;
            let room = (frame.limits().max_diagnostics as usize).saturating_sub(answers.said.len());
            answers.said.extend(done.diagnostics.into_iter().take(room));
            answers.n_failed += done.n_failed;
            answers.column.append(done.column).map_err(|problem| {
                vec![diagnostic::Diagnostic::error("api.result", "Unsuitable result", problem)]
            })?;
        }
        Ok(answers)
    }
}

/// Complains about names of a program that are neither columns nor given: no row could have an answer.
fn missing(program: &Program, frame: &Frame, columns: &[(usize, Cells<'_>)]) -> Result<(), Diagnostics> {
    let is_there = |slot: usize| frame.get(slot).is_some() || columns.iter().any(|(bound, _)| *bound == slot);
    let missing = program.needs().iter().filter(|slot| !is_there(**slot));
    let expression = program.expression();
    let said = missing.map(|slot| {
        let name = program.scope().slot_name(*slot).unwrap_or_default();
        let detail = format!(
            "The expression reads \"{name}\", which is no column of the table, and no value is given."
        );
        let reference = hcl_syntax::ast::variables(expression).into_iter().find(|one| one.root() == name);
        let span = reference.map_or(expression.span(), |one| one.root_span());
        diagnostic::Diagnostic::error("api.column", "Missing column", detail)
            .at(expression.tree().source(), span)
    });
    let said: Diagnostics = said.collect();
    if said.is_empty() { Ok(()) } else { Err(said) }
}

/// The end of a message about a type of answers that is none.
const COLUMN_TYPES: &str = " Columns are also of the types int8 to int64, uint8 to uint64, float32, float64, large_string \
                            and decimal(PRECISION,SCALE).";

/// The type of answers of a name: one of Arrow's, or a type of the language with the defaults in it.
pub(crate) fn wanted_of(py: Python<'_>, name: &str) -> PyResult<(Wanted, Option<Defaults>)> {
    let format = match name {
        "bool" => "b",
        "int8" => "c",
        "uint8" => "C",
        "int16" => "s",
        "uint16" => "S",
        "int32" => "i",
        "uint32" => "I",
        "int64" => "l",
        "uint64" => "L",
        "float32" => "f",
        "float64" => "g",
        "string" => "u",
        "large_string" => "U",
        _ => match name.strip_prefix("decimal(").and_then(|rest| rest.strip_suffix(')')) {
            Some(digits) => &format!("d:{}", digits.replace(' ', "")),
            None => {
                let (ty, defaults) = type_and_defaults(name).map_err(|diagnostics| {
                    let mut diagnostics: Diagnostics = diagnostics.into();
                    for said in diagnostics.iter_mut().filter(|said| said.detail.contains("no type named")) {
                        said.detail.push_str(COLUMN_TYPES);
                    }
                    crate::error::error(py, diagnostics)
                })?;
                return Ok((Wanted::Type(ty), defaults));
            }
        },
    };
    match wanted(format) {
        Some(wanted) => Ok((wanted, None)),
        None => Err(PyValueError::new_err(format!("type: there are no columns of {name:?}"))),
    }
}

/// The answers for the rows of a table.
pub(crate) struct Answers {
    column: ResultColumn,
    /// Diagnostics of rows.
    said: Diagnostics,
    n_failed: u64,
}

/// A column that several may hold, none of whom changes it.
struct Shared(Exported);

// SAFETY: nothing changes the structs, or what they point to, before all holders are gone.
unsafe impl Sync for Shared {}

/// The answers of a program for the rows of a table: a column of Arrow, which `pyarrow.array`, `polars.Series` and others take
/// without a copy. A row that failed is null. The column is a sequence of the values too, as calls of the program give them.
#[pyclass(frozen, module = "libhcl")]
pub(crate) struct Column {
    column: Arc<Shared>,
    errors: Vec<(u64, Py<crate::error::Diagnostic>)>,
    /// How many rows failed; of more than 1,000, `errors` has the first ones.
    #[pyo3(get)]
    n_failed: u64,
    numbers: Numbers,
}

impl Column {
    pub(crate) fn new(py: Python<'_>, answers: Answers, numbers: Numbers) -> PyResult<Self> {
        let rows = answers.said.iter().map(|one| row_of(one).unwrap_or_default());
        let errors = rows.zip(crate::error::objects(py, &answers.said)?).collect();
        let column = Arc::new(Shared(hcl_arrow::export(answers.column)));
        Ok(Self { column, errors, n_failed: answers.n_failed, numbers })
    }

    /// The values of some rows as objects of Python.
    fn values<'py>(
        &self,
        py: Python<'py>,
        rows: impl Iterator<Item = usize>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let cells = self.column.0.column().map_err(PyTypeError::new_err)?;
        let value = |row: usize| {
            let value = cells.cell(row, &Limits::default());
            let value = value
                .map_err(|problem| PyValueError::new_err(format!("the answer of row {row} {problem}")))?;
            to_python(py, &value, self.numbers, Within::default())
        };
        rows.map(value).collect()
    }
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        usize::try_from(self.column.0.array().length).unwrap_or_default()
    }

    /// The value of a row, or a list of those of a slice, as a call of the program gives it; None for a row that failed.
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, len) = (index.py(), isize::try_from(self.__len__()).unwrap_or(isize::MAX));
        if let Ok(slice) = index.cast::<PySlice>() {
            let slice = slice.indices(len)?;
            let row = |at: usize| slice.start + slice.step * at as isize;
            let rows = (0..slice.slicelength).map(|at| usize::try_from(row(at)).unwrap_or_default());
            return Ok(PyList::new(py, self.values(py, rows)?)?.into_any());
        }
        let at: isize = index.extract()?;
        let row = usize::try_from(if at < 0 { at + len } else { at }).unwrap_or(usize::MAX);
        if row >= self.__len__() {
            return Err(PyIndexError::new_err(format!("the column has no row {at}; it has {len}")));
        }
        let mut values = self.values(py, std::iter::once(row))?;
        values.pop().ok_or_else(|| PyIndexError::new_err(at))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.values(py, 0..self.__len__())?)?.try_iter()
    }

    fn __repr__(&self) -> String {
        format!("<Column of {} answers, {} failed>", self.__len__(), self.n_failed)
    }

    /// Diagnostics of rows, in their order: the number of the row, from 0, and the diagnostic; the first 1,000 of them.
    #[getter]
    fn errors(&self, py: Python<'_>) -> Vec<(u64, Py<crate::error::Diagnostic>)> {
        self.errors.iter().map(|(row, one)| (*row, one.clone_ref(py))).collect()
    }

    /// The type of the column, by the Arrow PyCapsule protocol.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = Schema(shared_schema(self.column.0.schema(), &self.column));
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }

    /// The column, by the Arrow PyCapsule protocol.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // A producer that can't give another type gives its own.
        let _ = requested_schema;
        let array = Array(shared_array(self.column.0.array(), &self.column));
        let array = PyCapsule::new_with_value(py, array, ARRAY)?;
        PyTuple::new(py, [self.__arrow_c_schema__(py)?, array])
    }
}

/// The private data of a struct that shares the memory of another.
struct Held<T> {
    /// Each from `Box::into_raw`.
    children: Vec<*mut T>,
    _owner: Arc<Shared>,
}

/// The children of a struct, each shared by `share`.
///
/// # Safety
/// `list` points to `count` pointers to live structs.
unsafe fn shared_children<T>(list: *mut *mut T, count: i64, share: impl Fn(&T) -> T) -> Vec<*mut T> {
    let count = usize::try_from(count).unwrap_or_default();
    let child = |index: usize| {
        // SAFETY: within the list, by contract.
        let child = unsafe { *list.add(index) };
        // SAFETY: live, by contract.
        Box::into_raw(Box::new(share(unsafe { &*child })))
    };
    (0..count).map(child).collect()
}

/// An array with the buffers of one that is shared, which whoever takes it releases on its own.
fn shared_array(array: &ArrowArray, owner: &Arc<Shared>) -> ArrowArray {
    // SAFETY: an array that was exported has its children.
    let children =
        unsafe { shared_children(array.children, array.n_children, |child| shared_array(child, owner)) };
    let mut held = Box::new(Held { children, _owner: Arc::clone(owner) });
    ArrowArray {
        length: array.length,
        null_count: array.null_count,
        offset: array.offset,
        n_buffers: array.n_buffers,
        n_children: array.n_children,
        buffers: array.buffers,
        children: held.children.as_mut_ptr(),
        dictionary: std::ptr::null_mut(),
        release: Some(release_array),
        private_data: Box::into_raw(held).cast(),
    }
}

/// A schema with the texts of one that is shared.
fn shared_schema(schema: &ArrowSchema, owner: &Arc<Shared>) -> ArrowSchema {
    // SAFETY: a schema that was exported has its children.
    let children =
        unsafe { shared_children(schema.children, schema.n_children, |child| shared_schema(child, owner)) };
    let mut held = Box::new(Held { children, _owner: Arc::clone(owner) });
    ArrowSchema {
        format: schema.format,
        name: schema.name,
        metadata: std::ptr::null(),
        flags: schema.flags,
        n_children: schema.n_children,
        children: held.children.as_mut_ptr(),
        dictionary: std::ptr::null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(held).cast(),
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: who releases a struct hands in a live one.
    let Some(array) = (unsafe { array.as_mut() }) else { return };
    if array.release.take().is_some() {
        // SAFETY: made by `shared_array`, and released once.
        let held = unsafe { Box::from_raw(array.private_data.cast::<Held<ArrowArray>>()) };
        for &child in &held.children {
            // SAFETY: from `Box::into_raw`; one that was taken has no callback, and is dropped as memory.
            drop(Array(*unsafe { Box::from_raw(child) }));
        }
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: as for an array.
    let Some(schema) = (unsafe { schema.as_mut() }) else { return };
    if schema.release.take().is_some() {
        // SAFETY: made by `shared_schema`, and released once.
        let held = unsafe { Box::from_raw(schema.private_data.cast::<Held<ArrowSchema>>()) };
        for &child in &held.children {
            // SAFETY: as for an array.
            drop(Schema(*unsafe { Box::from_raw(child) }));
        }
    }
}
