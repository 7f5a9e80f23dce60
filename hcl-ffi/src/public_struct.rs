//! Public structs that may grow.
//!
//! Each begins with `size`, set by the caller: how much of the struct the caller's header knows. Reading takes
//! what is there and zero for the rest; a longer struct is accepted as long as the part this library does not
//! know is zero. Writing never goes beyond the caller's size.

use crate::boundary::{Failure, Outcome};
use crate::handle::check_out;
use crate::status::hcl_status;

/// A `repr(C)` struct of plain data whose first field is `size: usize`.
///
/// # Safety
/// Every bit pattern of all zeros, and every prefix of a valid struct continued by zeros, is a valid `Self`.
pub(crate) unsafe trait PublicStruct: Copy {}

// SAFETY: integers and `hcl_str`, whose null pointer is never read when its length is zero.
unsafe impl PublicStruct for crate::diagnostics::hcl_diag {}
// SAFETY: integers and nullable pointers.
unsafe impl PublicStruct for crate::place::hcl_place {}
// SAFETY: integers and a nullable pointer.
unsafe impl PublicStruct for crate::diagnostics::hcl_render_opts {}
// SAFETY: integers only.
unsafe impl PublicStruct for crate::explain::hcl_explain_opts {}
// SAFETY: integers and a nullable pointer.
unsafe impl PublicStruct for crate::source::hcl_parse_opts {}
// SAFETY: integers and a nullable pointer.
unsafe impl PublicStruct for crate::limits::hcl_limits {}
// SAFETY: integers, a text whose null pointer is never read when its length is zero, and a nullable pointer.
unsafe impl PublicStruct for crate::traversal::hcl_step {}
// SAFETY: integers, and pointers that are not read when the number beside them is zero.
unsafe impl PublicStruct for crate::dynamic::hcl_dynamic_opts {}
// SAFETY: integers, nullable function pointers and a pointer that is passed on.
unsafe impl PublicStruct for crate::resolver::hcl_resolver {}
// SAFETY: integers, texts, a nullable pointer to parameters and nullable function pointers.
unsafe impl PublicStruct for crate::function::hcl_function {}
// SAFETY: integers and `hcl_str`, whose null pointer is never read when its length is zero.
unsafe impl PublicStruct for crate::library::hcl_function_info {}
// SAFETY: as above.
unsafe impl PublicStruct for crate::library::hcl_param_info {}
// SAFETY: integers and nullable pointers.
unsafe impl PublicStruct for crate::host::hcl_host_callbacks {}
// SAFETY: integers and `hcl_str`, whose null pointer is never read when its length is zero.
unsafe impl PublicStruct for crate::module::hcl_declared {}
// SAFETY: integers, a nullable pointer to texts, and a text whose null pointer is never read when its length is zero.
unsafe impl PublicStruct for crate::system_host::hcl_host_opts {}

/// The struct at `from`; all zeros when `from` is null.
///
/// # Safety
/// `from` is null or points to as many readable bytes as its first field says.
pub(crate) unsafe fn read<T: PublicStruct>(what: &str, from: *const T) -> Outcome<T> {
    // SAFETY: all zeros is valid for a `PublicStruct`.
    let mut own: T = unsafe { std::mem::zeroed() };
    if from.is_null() {
        return Ok(own);
    }
    // SAFETY: every public struct begins with its size.
    let size = unsafe { from.cast::<usize>().read() };
    if size < size_of::<usize>() || size > 64 * 1024 {
        return Err(Failure::argument(format!("{what}->size is {size}; set it to the size of the struct.")));
    }
    let known = size.min(size_of::<T>());
    // SAFETY: `size` bytes are readable by contract, `known` is no more than either side has.
    unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), (&raw mut own).cast::<u8>(), known) };
    // SAFETY: the bytes from `known` to `size` are readable by contract.
    let rest = unsafe { std::slice::from_raw_parts(from.cast::<u8>().wrapping_add(known), size - known) };
    if rest.iter().any(|&byte| byte != 0) {
        return Err(Failure::argument(format!(
            "{what} sets a field that this version of the library does not know."
        )));
    }
    Ok(own)
}

/// Writes as much of `own` as the caller's struct takes; its `size` stays.
///
/// # Safety
/// `out` is null or points to as many writable bytes as its first field says.
pub(crate) unsafe fn write<T: PublicStruct>(out: *mut T, own: &T) -> Outcome {
    check_out("out", out)?;
    // SAFETY: every public struct begins with its size.
    let size = unsafe { out.cast::<usize>().read() };
    let head = size_of::<usize>();
    if size < head || size > 64 * 1024 {
        return Err(hcl_status::HCL_ERR_ARGUMENT.into());
    }
    let known = size.min(size_of::<T>());
    let from = std::ptr::from_ref(own).cast::<u8>().wrapping_add(head);
    // SAFETY: `size` bytes are writable by contract, `known` is no more than either side has.
    unsafe { std::ptr::copy_nonoverlapping(from, out.cast::<u8>().wrapping_add(head), known - head) };
    Ok(())
}
