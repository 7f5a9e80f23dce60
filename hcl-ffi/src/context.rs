//! User data of the frame for the host's callbacks, and the diagnostics that they fail with, in
//! diagnostics of their own.

use libc::c_void;
use std::ptr;

use hcl_eval::eval::User;

use crate::boundary::{Outcome, guard, guard_or};
use crate::diagnostics::hcl_diags;
use crate::frame::hcl_frame;
use crate::function::hcl_call;
use crate::handle::{get, get_mut};
use crate::host::hcl_answer;
use crate::status::hcl_status;

/// A pointer of the host's, which is only passed on.
#[derive(Copy, Clone, Debug)]
struct UserPointer(*mut c_void);

// SAFETY: nothing here looks behind the pointer; it goes to callbacks on the thread that evaluates, and the host moves
// frames between threads only if its data may.
unsafe impl Send for UserPointer {}
// SAFETY: as above.
unsafe impl Sync for UserPointer {}

/// The pointer that a frame was given; null for none.
pub(crate) fn pointer(user: Option<&User>) -> *mut c_void {
    user.and_then(User::get::<UserPointer>).map_or(ptr::null_mut(), |user| user.0)
}

/// Sets what callbacks of later evaluations with this frame are told by `hcl_call_user` and `hcl_answer_user`: for whom they
/// are called, for example. The library only passes the pointer on; null, as at first, takes it away. It must be good as long as
/// evaluations may run. HCL_ERR_BUSY: the frame is in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_frame_set_user(frame: *mut hcl_frame, user: *mut c_void) -> hcl_status {
    let user = (!user.is_null()).then(|| User::new(UserPointer(user)));
    guard(|| {
        // SAFETY: null or live, by the contract of the interface; the state is reached only through `with`.
        unsafe { get("frame", frame.cast_const()) }?.with(|state| {
            state.set_user(user);
            Ok(())
        })
    })
}

/// The pointer that `hcl_frame_set_user` gave the frame of the evaluation; null if it gave nothing, while a program is
/// compiled, in `hcl_function.result_type_of`, and where something is evaluated without a frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_user(call: *const hcl_call) -> *mut c_void {
    // SAFETY: null or the call of a running callback, by the contract of the interface.
    guard_or(ptr::null_mut(), || unsafe { call.as_ref() }.map_or(ptr::null_mut(), hcl_call::user))
}

/// The pointer that `hcl_frame_set_user` gave the frame of the evaluation; null if it gave nothing, and while a module
/// is loaded or evaluated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_answer_user(answer: *const hcl_answer) -> *mut c_void {
    // SAFETY: null or the answer of a running callback, by the contract of the interface.
    guard_or(ptr::null_mut(), || unsafe { answer.as_ref() }.map_or(ptr::null_mut(), |answer| answer.user))
}

/// The diagnostics that say why something failed: one of them is an error.
///
/// # Safety
/// `diags` is null or live.
unsafe fn reasons(diags: *const hcl_diags) -> Outcome<Vec<hcl_syntax::diagnostic::Diagnostic>> {
    // SAFETY: passed on.
    let list = &unsafe { get("diags", diags) }?.list;
    if hcl_syntax::diagnostic::has_errors(list) {
        return Ok(list.clone());
    }
    Err(crate::boundary::Failure::argument("diags", "has no error."))
}

/// Says why a call failed, in diagnostics of the host (`hcl_diags_add`) or of the library, for example those of another file.
/// Diagnostics without a place get that of the argument `argument`, or of the call with `HCL_NO_ARGUMENT`; of a look-up that of
/// the variable. If all have places in other sources, one more says that this call failed. The list is copied. Then return
/// anything but 0. HCL_ERR_ARGUMENT: there is no error in the list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_call_fail_with(
    call: *mut hcl_call,
    argument: usize,
    diags: *const hcl_diags,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or the call of a running callback, by the contract of the interface.
        let call = unsafe { get_mut("call", call) }?;
        // SAFETY: null or live, by the contract of the interface.
        call.fail_with(argument, unsafe { reasons(diags) }?);
        Ok(())
    })
}

/// Says why there is no answer, as `hcl_call_fail_with` does: diagnostics without a place get that of the call of the function
/// that asks. Then return anything but 0. HCL_ERR_ARGUMENT: there is no error in the list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hcl_answer_fail_with(
    answer: *mut hcl_answer,
    diags: *const hcl_diags,
) -> hcl_status {
    guard(|| {
        // SAFETY: null or the answer of a running callback, by the contract of the interface.
        let answer = unsafe { get_mut("answer", answer) }?;
        // SAFETY: null or live, by the contract of the interface.
        answer.diagnostics = unsafe { reasons(diags) }?;
        Ok(())
    })
}
