//! Extensible structs of the interface: those that begin with their size, so that later versions may add fields.
//!
//! Each begins with `size`, set by the caller: how much of the struct the caller's header knows. Reading takes
//! what is there and zero for the rest; a longer struct is accepted as long as the part this library does not
//! know is zero. Writing never goes beyond the caller's size.

use crate::boundary::{Failure, Outcome};
use crate::handle::check_out;

/// A `repr(C)` struct of plain data whose first field is `size: usize`.
///
/// # Safety
/// Every bit pattern of all zeros, and every prefix of a valid struct continued by zeros, is a valid `Self`.
pub(crate) unsafe trait ExtensibleStruct: Copy {
    /// The field that is kept for later, which the caller leaves zero; 0 where there is none.
    fn reserved(&self) -> u32;
}

// SAFETY: integers and `hcl_str`, whose null pointer is never read when its length is zero.
unsafe impl ExtensibleStruct for crate::diagnostics::hcl_diag {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers and nullable pointers.
unsafe impl ExtensibleStruct for crate::place::hcl_place {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers and a nullable pointer.
unsafe impl ExtensibleStruct for crate::diagnostics::hcl_render_opts {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers only.
unsafe impl ExtensibleStruct for crate::explain::hcl_explain_opts {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers and a nullable pointer.
unsafe impl ExtensibleStruct for crate::source::hcl_parse_opts {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers, texts whose null pointers are never read when their length is zero, and a nullable pointer.
unsafe impl ExtensibleStruct for crate::once::hcl_once_opts {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers, a text whose null pointer is never read when its length is zero, and a nullable pointer.
unsafe impl ExtensibleStruct for crate::arrow::hcl_arrow_opts {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers and a nullable pointer.
unsafe impl ExtensibleStruct for crate::limits::hcl_limits {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers, a text whose null pointer is never read when its length is zero, and a nullable pointer.
unsafe impl ExtensibleStruct for crate::traversal::hcl_step {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers, and pointers that are not read when the number beside them is zero.
unsafe impl ExtensibleStruct for crate::dynamic::hcl_dynamic_opts {
    fn reserved(&self) -> u32 {
        0
    }
}
// SAFETY: integers, nullable function pointers and a pointer that is passed on.
unsafe impl ExtensibleStruct for crate::resolver::hcl_resolver {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers, texts, a nullable pointer to parameters and nullable function pointers.
unsafe impl ExtensibleStruct for crate::function::hcl_function {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers and `hcl_str`, whose null pointer is never read when its length is zero.
unsafe impl ExtensibleStruct for crate::library::hcl_function_info {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: as above.
unsafe impl ExtensibleStruct for crate::library::hcl_param_info {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers and nullable pointers.
unsafe impl ExtensibleStruct for crate::host::hcl_host_callbacks {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}
// SAFETY: integers and `hcl_str`, whose null pointer is never read when its length is zero.
unsafe impl ExtensibleStruct for crate::module::hcl_declared {
    fn reserved(&self) -> u32 {
        0
    }
}
// SAFETY: integers, a nullable pointer to texts, and a text whose null pointer is never read when its length is zero.
unsafe impl ExtensibleStruct for crate::system_host::hcl_host_opts {
    fn reserved(&self) -> u32 {
        self.reserved
    }
}

/// The struct at `from`; all zeros when `from` is null.
///
/// # Safety
/// `from` is null or points to as many readable bytes as its first field says.
pub(crate) unsafe fn read<T: ExtensibleStruct>(what: &str, from: *const T) -> Outcome<T> {
    // SAFETY: passed on.
    let own = unsafe { take(what, from) }?;
    check_reserved(what, &own)?;
    Ok(own)
}

/// An error if the reserved field is set.
pub(crate) fn check_reserved<T: ExtensibleStruct>(what: &str, own: &T) -> Outcome {
    if own.reserved() == 0 { Ok(()) } else { Err(not_zero(&format!("{what}->reserved"))) }
}

/// As [`read`], for a struct with user data that is owned from the call on: [`check_reserved`] comes when that is in safe hands.
///
/// # Safety
/// As for [`read`].
pub(crate) unsafe fn take<T: ExtensibleStruct>(what: &str, from: *const T) -> Outcome<T> {
    // SAFETY: all zeros is valid for a `ExtensibleStruct`.
    let mut own: T = unsafe { std::mem::zeroed() };
    if from.is_null() {
        return Ok(own);
    }
    // SAFETY: every such struct begins with its size.
    let size = unsafe { from.cast::<usize>().read() };
    if !is_size::<T>(size) {
        return Err(bad_size(what, size));
    }
    let known = size.min(size_of::<T>());
    // SAFETY: `size` bytes are readable by contract, `known` is no more than either side has.
    unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), (&raw mut own).cast::<u8>(), known) };
    // SAFETY: the bytes from `known` to `size` are readable by contract.
    let rest = unsafe { std::slice::from_raw_parts(from.cast::<u8>().wrapping_add(known), size - known) };
    if rest.iter().any(|&byte| byte != 0) {
        return Err(Failure::argument(what, "sets a field that this version of the library does not know."));
    }
    Ok(own)
}

/// Returns true if a version of the struct can have this size: one that ends within a pointer would cut it in two.
fn is_size<T>(size: usize) -> bool {
    (size_of::<usize>()..=64 * 1024).contains(&size) && size.is_multiple_of(align_of::<T>())
}

fn bad_size(what: &str, size: usize) -> Failure {
    Failure::argument(&format!("{what}->size"), format_args!("is {size}; set it to the size of the struct."))
}

/// The error for a reserved field that is set.
pub(crate) fn not_zero(field: &str) -> Failure {
    Failure::argument(field, "is not zero; it is reserved.")
}

/// Writes as much of `own` as the caller's struct takes; its `size` stays.
///
/// # Safety
/// `out` is null or points to as many writable bytes as its first field says.
pub(crate) unsafe fn write<T: ExtensibleStruct>(out: *mut T, own: &T) -> Outcome {
    check_out("out", out)?;
    // SAFETY: every such struct begins with its size.
    let size = unsafe { out.cast::<usize>().read() };
    let head = size_of::<usize>();
    if !is_size::<T>(size) {
        return Err(bad_size("out", size));
    }
    let known = size.min(size_of::<T>());
    let from = std::ptr::from_ref(own).cast::<u8>().wrapping_add(head);
    // SAFETY: `size` bytes are writable by contract, `known` is no more than either side has.
    unsafe { std::ptr::copy_nonoverlapping(from, out.cast::<u8>().wrapping_add(head), known - head) };
    Ok(())
}
