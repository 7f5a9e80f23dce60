//! The two structs of the Arrow C data interface, and what can be said of their fields without knowing a format.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

/// The type of an array, as `struct ArrowSchema` of the Arrow C data interface says.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowSchema {
    /// The type in short, NUL-terminated.
    pub format: *const c_char,
    /// The name of the field, NUL-terminated; null for none.
    pub name: *const c_char,
    /// Not looked at.
    pub metadata: *const c_char,
    /// Flags: 2 for a field that may be null.
    pub flags: i64,
    /// The number of children.
    pub n_children: i64,
    /// The types of the children.
    pub children: *mut *mut ArrowSchema,
    /// The type of the entries, if this is a dictionary.
    pub dictionary: *mut ArrowSchema,
    /// Releases all that the struct points to; null for a struct that has been released or moved.
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    /// The producer's own.
    pub private_data: *mut c_void,
}

/// The cells of an array, as `struct ArrowArray` of the Arrow C data interface says.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowArray {
    /// The number of cells.
    pub length: i64,
    /// How many are null; -1 if that is not known.
    pub null_count: i64,
    /// The cells begin so many behind the beginning of the buffers.
    pub offset: i64,
    /// The number of buffers.
    pub n_buffers: i64,
    /// The number of children.
    pub n_children: i64,
    /// The buffers.
    pub buffers: *mut *const c_void,
    /// The children.
    pub children: *mut *mut ArrowArray,
    /// The entries, if this is a dictionary.
    pub dictionary: *mut ArrowArray,
    /// Releases all that the struct points to; null for a struct that has been released or moved.
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    /// The producer's own.
    pub private_data: *mut c_void,
}

impl ArrowSchema {
    /// A struct that holds nothing, as after its release.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            format: ptr::null(),
            name: ptr::null(),
            metadata: ptr::null(),
            flags: 0,
            n_children: 0,
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }
}

impl ArrowArray {
    /// A struct that holds nothing, as after its release.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }
}

/// The reason why an array is not taken: the end of a sentence about the column.
pub(crate) type Problem = String;

/// A schema with the array that it is of, both of them live.
#[derive(Copy, Clone)]
pub(crate) struct Field<'a> {
    pub(crate) schema: &'a ArrowSchema,
    pub(crate) array: &'a ArrowArray,
}

/// The text at `from`; `None` if it is no UTF-8.
///
/// # Safety
/// `from` is null or points to a text that ends with NUL and stays for `'a`.
unsafe fn text<'a>(from: *const c_char) -> Option<&'a str> {
    if from.is_null() {
        return Some("");
    }
    // SAFETY: not null, and a text by contract.
    unsafe { CStr::from_ptr(from) }.to_str().ok()
}

/// The object at place `index` of an array of pointers.
///
/// # Safety
/// `list` is null or points to more than `index` pointers, each null or to an object that stays for `'a`.
pub(crate) unsafe fn element<'a, T>(list: *const *mut T, index: usize) -> Option<&'a T> {
    if list.is_null() {
        return None;
    }
    // SAFETY: within the list, by contract.
    let pointer = unsafe { list.wrapping_add(index).read() };
    // SAFETY: null or live, by contract.
    unsafe { pointer.as_ref() }
}

impl<'a> Field<'a> {
    /// An array with its schema, if neither has been released and their children agree in number.
    pub(crate) fn new(schema: &'a ArrowSchema, array: &'a ArrowArray) -> Result<Self, Problem> {
        for (is_released, of) in [(schema.release.is_none(), "schema"), (array.release.is_none(), "array")] {
            if is_released {
                return Err(format!("has no `release` in its {of}, which was released or moved"));
            }
        }
        if schema.n_children != array.n_children {
            let (expected, found) = (schema.n_children, array.n_children);
            return Err(format!("has {found} children, but a schema with {expected}"));
        }
        for (what, number) in [
            ("length", array.length),
            ("offset", array.offset),
            ("number of children", array.n_children),
            ("number of buffers", array.n_buffers),
        ] {
            if number < 0 || isize::try_from(number).is_err() {
                return Err(format!("has {number} as its {what}"));
            }
        }
        Ok(Self { schema, array })
    }

    /// The name.
    ///
    /// # Safety
    /// The structs are as the interface says.
    pub(crate) unsafe fn name(self) -> Option<&'a str> {
        // SAFETY: passed on.
        unsafe { text(self.schema.name) }
    }

    /// The type in short.
    ///
    /// # Safety
    /// The structs are as the interface says.
    pub(crate) unsafe fn format(self) -> Result<&'a str, Problem> {
        if self.schema.format.is_null() {
            return Err("has no format".to_owned());
        }
        // SAFETY: passed on.
        unsafe { text(self.schema.format) }.ok_or_else(|| "has a format that is no UTF-8".to_owned())
    }

    /// The number of children.
    pub(crate) fn n_children(self) -> usize {
        usize::try_from(self.array.n_children).unwrap_or_default()
    }

    /// A child, by its number.
    ///
    /// # Safety
    /// The structs are as the interface says.
    pub(crate) unsafe fn child(self, index: usize) -> Result<Self, Problem> {
        if index >= self.n_children() {
            return Err(format!("has {} children, too few for its format", self.n_children()));
        }
        // SAFETY: there are so many, by contract.
        let schema = unsafe { element(self.schema.children, index) };
        // SAFETY: as above.
        let array = unsafe { element(self.array.children, index) };
        match (schema, array) {
            (Some(schema), Some(array)) => Self::new(schema, array),
            _ => Err(format!("has a null pointer as its child {index}")),
        }
    }

    /// The name of a child, by its number, which is below [`ArrowSchema::n_children`]; its array is not looked at.
    ///
    /// # Safety
    /// The structs are as the interface says.
    pub(crate) unsafe fn child_name(self, index: usize) -> Result<Option<&'a str>, Problem> {
        // SAFETY: there are so many, by contract.
        match unsafe { element(self.schema.children, index) } {
            // SAFETY: live, by contract.
            Some(schema) if schema.release.is_some() => Ok(unsafe { text(schema.name) }),
            // The name of a schema that has been released is not there.
            Some(_) => Ok(None),
            None => Err(format!("has a null pointer as the schema of its child {index}")),
        }
    }

    /// The entries, if this is a dictionary.
    ///
    /// # Safety
    /// The structs are as the interface says.
    pub(crate) unsafe fn dictionary(self) -> Result<Option<Self>, Problem> {
        // SAFETY: null or live, by contract.
        let schema = unsafe { self.schema.dictionary.as_ref() };
        // SAFETY: as above.
        let array = unsafe { self.array.dictionary.as_ref() };
        match (schema, array) {
            (None, None) => Ok(None),
            (Some(schema), Some(array)) => Self::new(schema, array).map(Some),
            _ => Err("has a dictionary in one of its structs only".to_owned()),
        }
    }

    /// A buffer, by its number; null if the array has none there.
    ///
    /// # Safety
    /// The structs are as the interface says.
    pub(crate) unsafe fn buffer(self, index: usize) -> *const c_void {
        let is_there = usize::try_from(self.array.n_buffers).is_ok_and(|n| index < n);
        if !is_there || self.array.buffers.is_null() {
            return ptr::null();
        }
        // SAFETY: there are so many, by contract.
        unsafe { self.array.buffers.wrapping_add(index).read() }
    }

    /// `len` elements of a buffer from `first` on.
    ///
    /// # Safety
    /// The structs are as the interface says, and the buffer has these elements if it is not null. `T` is plain data.
    pub(crate) unsafe fn elements<T>(
        self,
        index: usize,
        first: usize,
        len: usize,
    ) -> Result<&'a [T], Problem> {
        if len == 0 {
            return Ok(&[]);
        }
        // SAFETY: passed on.
        let buffer = unsafe { self.buffer(index) }.cast::<T>();
        if buffer.is_null() {
            return Err(format!("has no buffer {index}, or a null pointer there"));
        }
        if !buffer.is_aligned() {
            return Err(format!("has a buffer {index} that is not aligned"));
        }
        let end = first.checked_add(len).and_then(|end| end.checked_mul(size_of::<T>()));
        if end.is_none_or(|end| isize::try_from(end).is_err()) {
            return Err("has more cells than memory can hold".to_owned());
        }
        // SAFETY: within the buffer, by contract, and checked to be in the bounds of an address space.
        let start = unsafe { buffer.add(first) };
        // SAFETY: not null, aligned, and so many elements by contract, which nobody changes during the call.
        Ok(unsafe { std::slice::from_raw_parts(start, len) })
    }

    /// The place in the buffers of the cells from `first` on, `len` of them.
    pub(crate) fn place(self, first: usize, len: usize) -> Result<usize, Problem> {
        let length = usize::try_from(self.array.length).unwrap_or_default();
        let offset = usize::try_from(self.array.offset).unwrap_or_default();
        if first.checked_add(len).is_none_or(|end| end > length) {
            return Err(format!("has {length} cells, fewer than its rows need"));
        }
        let start = offset.checked_add(first);
        let is_possible =
            start.and_then(|start| start.checked_add(len)).is_some_and(|end| isize::try_from(end).is_ok());
        match start {
            Some(start) if is_possible => Ok(start),
            _ => Err("has more cells than memory can hold".to_owned()),
        }
    }
}
