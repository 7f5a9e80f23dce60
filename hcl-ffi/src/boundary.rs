//! The boundary: no panic crosses it, and no function forgets.
//!
//! Every exported function runs its body through [`guard`] (or [`guard_or`] where it returns no status).
//! A panic is a defect of the library; it becomes `HCL_ERR_INTERNAL` and a diagnostic that says where.
//! Nothing is printed: a panic hook, set on first use, keeps quiet while a call of this library is on the
//! thread's stack and passes everything else on to the hook that was there before.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::memory;

use crate::allocator::settle;
use crate::detail;
use crate::diagnostics::{self, hcl_diags};
use crate::reserve;
use crate::start::start;
use crate::status::hcl_status;

/// Why a call did not succeed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: hcl_status,
    pub(crate) diagnostics: Diagnostics,
}

impl From<hcl_status> for Failure {
    fn from(status: hcl_status) -> Self {
        Self { status, diagnostics: Diagnostics::new() }
    }
}

impl Failure {
    /// The input is wrong; the most telling status for these diagnostics.
    pub(crate) fn of(diagnostics: Diagnostics) -> Self {
        Self { status: diagnostics::status_of(&diagnostics), diagnostics }
    }

    /// The caller made a mistake with a parameter, which `problem` explains: a sentence of which the name is the subject. The
    /// name is that of hcl.h, perhaps with what is inside: `opts->flags`.
    pub(crate) fn argument(parameter: &str, problem: impl fmt::Display) -> Self {
        let detail = format!("{parameter} {problem}");
        Self {
            status: hcl_status::HCL_ERR_ARGUMENT,
            diagnostics: vec![Diagnostic::error("api.argument", "Invalid argument", detail)],
        }
    }

    /// Says which of several texts the failure is about.
    pub(crate) fn within(mut self, parameter: &str) -> Self {
        for said in &mut self.diagnostics {
            said.detail.insert_str(0, &format!("In {parameter}: "));
        }
        self
    }

    /// Says which element of the array is meant that the parameter is: `[]` in its name becomes `[index]`.
    pub(crate) fn of_element(mut self, index: usize) -> Self {
        for said in &mut self.diagnostics {
            said.detail = said.detail.replacen("[]", &format!("[{index}]"), 1);
        }
        self
    }

    /// The caller set a flag that the parameter does not have.
    pub(crate) fn unknown_flag(parameter: &str) -> Self {
        Self::argument(parameter, "holds an unknown flag.")
    }
}

/// The result of a call before it is turned into a status.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

thread_local! {
    /// How many calls of this library are on the thread's stack.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// The message of the last panic on this thread, with its place.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes panics inside the library silent; they are reported through the status instead.
pub(crate) fn install_hook() {
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if DEPTH.with(Cell::get) == 0 {
            previous(info);
        } else {
            PANIC.with(|text| *text.borrow_mut() = Some(info.to_string()));
        }
    }));
}

/// Counts a call for as long as it lives.
struct Inside;

impl Inside {
    fn enter() -> Self {
        start();
        DEPTH.set(DEPTH.get() + 1);
        Self
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        let depth = DEPTH.get() - 1;
        DEPTH.set(depth);
        // A call inside a callback leaves this to the call around it, which ends too.
        if depth == 0 {
            memory::recover();
        }
    }
}

/// Runs the body of a function that returns no status; a panic yields `fallback`.
pub(crate) fn guard_or<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    let inside = Inside::enter();
    let outcome = catch_unwind(AssertUnwindSafe(body));
    drop(inside);
    outcome.unwrap_or(fallback)
}

/// Runs the body of a function that returns a status.
pub(crate) fn guard(body: impl FnOnce() -> Outcome) -> hcl_status {
    match contain(body) {
        Ok(()) => hcl_status::HCL_OK,
        Err(failure) => {
            detail::keep(&failure);
            failure.status
        }
    }
}

/// Guards a function that reports diagnostics: `*diags` is always written, null when there are none. A call that
/// fails says why in any case.
///
/// # Safety
/// `diags` is null or points to writable memory for one pointer.
pub(crate) unsafe fn guard_with(
    diags: *mut *mut hcl_diags,
    body: impl FnOnce(&mut Diagnostics) -> Outcome,
) -> hcl_status {
    // Writing diagnostics is part of the call.
    let _inside = Inside::enter();
    let mut said = Diagnostics::new();
    let status = match contain_inside(|| body(&mut said)) {
        Ok(()) => hcl_status::HCL_OK,
        Err(mut failure) => {
            // Most failures say all, in a list that may be too long to be copied where there is little memory.
            if said.is_empty() {
                said = failure.diagnostics;
            } else {
                said.append(&mut failure.diagnostics);
            }
            if !has_errors(&said) {
                said.push(refusal(failure.status));
            }
            failure.diagnostics = said;
            detail::keep(&failure);
            said = failure.diagnostics;
            failure.status
        }
    };
    // SAFETY: the caller vouches for `diags`.
    unsafe { diagnostics::write(diags, said) };
    status
}

/// The diagnostic of a call of which only the status is known.
fn refusal(status: hcl_status) -> Diagnostic {
    Diagnostic::error("api.refused", "Call refused", status.sentence())
}

/// Runs `body` and turns a panic into a failure.
pub(crate) fn contain<T>(body: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    let _inside = Inside::enter();
    contain_inside(body)
}

/// [`contain`] in a call that has been counted.
fn contain_inside<T>(body: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    if reserve::is_low() && !is_any_to_be_had() {
        return Err(hcl_status::HCL_ERR_MEMORY.into());
    }
    let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| Err(internal_failure()));
    outcome.map_err(ended_by)
}

/// The failure that a call reports: one of a call that was refused memory may be a consequence of that.
fn ended_by(failure: Failure) -> Failure {
    if memory::has_run_out() {
        return hcl_status::HCL_ERR_MEMORY.into();
    }
    let is_limit = matches!(
        failure.status,
        hcl_status::HCL_ERR_LIMIT | hcl_status::HCL_ERR_DEADLINE | hcl_status::HCL_ERR_CANCELLED
    );
    if is_limit {
        // The call may have released much.
        settle();
    }
    failure
}

/// Returns true if the system has memory again, after it had none.
fn is_any_to_be_had() -> bool {
    std::hint::black_box(Vec::<u8>::new()).try_reserve_exact(reserve::SIZE).is_ok()
}

fn internal_failure() -> Failure {
    let said = PANIC.with(|text| text.borrow_mut().take()).unwrap_or_default();
    let detail = format!(
        "The library met a state that it should never be in. Please report this, with the input if you can: {said}"
    );
    Failure {
        status: hcl_status::HCL_ERR_INTERNAL,
        diagnostics: vec![Diagnostic::error("api.internal", "Internal error", detail)],
    }
}

#[cfg(test)]
mod tests {
    use libc::c_void;
    use std::ptr;

    use super::*;
    use crate::expression::hcl_expr_free;
    use crate::frame::{hcl_eval, hcl_frame_free, hcl_frame_new};
    use crate::function::{hcl_call, hcl_call_return_bool, hcl_function};
    use crate::program::{hcl_program_compile, hcl_program_free};
    use crate::scope::{hcl_scope_free, hcl_scope_function, hcl_scope_new, hcl_scope_seal};
    use crate::source::hcl_expr_parse;
    use crate::value::hcl_value_free;

    fn panics() -> Outcome {
        panic!("planted");
    }

    #[test]
    fn a_panic_becomes_a_status_and_says_where() {
        let failure = contain(panics).expect_err("it panics");
        assert_eq!(failure.status, hcl_status::HCL_ERR_INTERNAL);
        let detail = &failure.diagnostics[0].detail;
        assert!(detail.contains("planted") && detail.contains("boundary.rs"), "{detail}");
        assert_eq!(failure.diagnostics[0].code, "api.internal");
        assert_eq!(guard(panics), hcl_status::HCL_ERR_INTERNAL);
        assert_eq!(guard_or(7, || panic!("planted")), 7);
    }

    /// A callback of the host that calls a function of the library, which panics.
    unsafe extern "C" fn calls_what_panics(_: *mut c_void, call: *mut hcl_call) -> i32 {
        assert_eq!(guard(panics), hcl_status::HCL_ERR_INTERNAL);
        // SAFETY: the call that is in progress.
        unsafe { hcl_call_return_bool(call, true) as i32 }
    }

    /// `source` evaluated in a frame, by functions as C calls them.
    fn evaluate_with_callback(source: &str) -> hcl_status {
        // SAFETY: null pointers and zeros are what an empty description has.
        let mut function: hcl_function = unsafe { std::mem::zeroed() };
        function.size = size_of::<hcl_function>();
        function.name = "callback".into();
        function.call = Some(calls_what_panics);
        let (mut scope, mut expr, mut program) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        let (mut frame, mut value, none) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        let text = (source.as_ptr().cast(), source.len());
        let mut status = Vec::new();
        // SAFETY: this and what follows: live handles, places on the stack, each released once.
        status.push(unsafe { hcl_scope_new(ptr::null(), &raw mut scope) });
        // SAFETY: as above.
        status.push(unsafe { hcl_scope_function(scope, &raw const function) });
        // SAFETY: as above.
        status.push(unsafe { hcl_scope_seal(scope) });
        // SAFETY: as above.
        let parsed = unsafe {
            hcl_expr_parse(text.0, 0, text.0, text.1, ptr::null(), 0, ptr::null(), &raw mut expr, none)
        };
        status.push(parsed);
        // SAFETY: as above.
        status.push(unsafe { hcl_program_compile(expr, scope, 0, &raw mut program, none) });
        // SAFETY: as above.
        status.push(unsafe { hcl_frame_new(scope, &raw mut frame) });
        assert_eq!(status, [hcl_status::HCL_OK; 6]);
        // SAFETY: as above.
        let evaluated = unsafe { hcl_eval(program, frame, &raw mut value, none) };
        // SAFETY: as above.
        unsafe { hcl_value_free(value) };
        // SAFETY: as above. A frame that something panicked in is refused from then on.
        assert_eq!(guard(|| unsafe { &*frame }.with(|_| panics())), hcl_status::HCL_ERR_INTERNAL);
        // SAFETY: as above.
        assert_eq!(unsafe { hcl_eval(program, frame, &raw mut value, none) }, hcl_status::HCL_ERR_BUSY);
        // SAFETY: as above.
        unsafe { hcl_frame_free(frame) };
        // SAFETY: as above.
        unsafe { hcl_program_free(program) };
        // SAFETY: as above.
        unsafe { hcl_expr_free(expr) };
        // SAFETY: as above.
        unsafe { hcl_scope_free(scope) };
        evaluated
    }

    #[test]
    fn a_panic_inside_a_callback_ends_the_inner_call_only() {
        assert_eq!(evaluate_with_callback("[callback(), callback()]"), hcl_status::HCL_OK);
        assert_eq!(DEPTH.with(Cell::get), 0);
    }
}
