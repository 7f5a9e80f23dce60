//! The boundary: no panic crosses it, and no function forgets.
//!
//! Every exported function runs its body through [`guard`] (or [`guard_or`] where it returns no status).
//! A panic is a defect of the library; it becomes `HCL_ERR_INTERNAL` and a diagnostic that says where.
//! Nothing is printed: a panic hook, set on first use, keeps quiet while a call of this library is on the
//! thread's stack and passes everything else on to the hook that was there before.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};

use crate::diagnostics::{self, hcl_diags};
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

    /// The caller made a mistake, which `detail` explains.
    pub(crate) fn argument(detail: impl Into<String>) -> Self {
        Self {
            status: hcl_status::HCL_ERR_ARGUMENT,
            diagnostics: vec![Diagnostic::error("api.argument", "Invalid argument", detail)],
        }
    }
}

/// The result of a call before it is turned into a status.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

thread_local! {
    /// How many calls of this library are on the thread's stack.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// What the last panic on this thread said, and where.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

static HOOK: Once = Once::new();

/// Makes panics inside the library silent; they are reported through the status instead.
fn install_hook() {
    HOOK.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if DEPTH.with(Cell::get) == 0 {
                previous(info);
            } else {
                PANIC.with(|text| *text.borrow_mut() = Some(info.to_string()));
            }
        }));
    });
}

/// Counts a call for as long as it lives.
struct Inside;

impl Inside {
    fn enter() -> Self {
        DEPTH.with(|depth| depth.set(depth.get() + 1));
        Self
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        DEPTH.with(|depth| depth.set(depth.get() - 1));
    }
}

/// Runs the body of a function that returns no status; a panic yields `fallback`.
pub(crate) fn guard_or<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    install_hook();
    let inside = Inside::enter();
    let outcome = catch_unwind(AssertUnwindSafe(body));
    drop(inside);
    outcome.unwrap_or(fallback)
}

/// Runs the body of a function that returns a status.
pub(crate) fn guard(body: impl FnOnce() -> Outcome) -> hcl_status {
    match contain(body) {
        Ok(()) => hcl_status::HCL_OK,
        Err(failure) => failure.status,
    }
}

/// The same for a function that reports diagnostics: `*diags` is always written, null when there are none.
///
/// # Safety
/// `diags` is null or points to writable memory for one pointer.
pub(crate) unsafe fn guard_with(
    diags: *mut *mut hcl_diags,
    body: impl FnOnce(&mut Diagnostics) -> Outcome,
) -> hcl_status {
    let mut said = Diagnostics::new();
    let status = match contain(|| body(&mut said)) {
        Ok(()) => hcl_status::HCL_OK,
        Err(failure) => {
            said.extend(failure.diagnostics);
            failure.status
        }
    };
    // SAFETY: the caller vouches for `diags`.
    unsafe { diagnostics::write(diags, said) };
    status
}

/// Runs `body` and turns a panic into a failure.
pub(crate) fn contain<T>(body: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    install_hook();
    let inside = Inside::enter();
    let outcome = catch_unwind(AssertUnwindSafe(body));
    drop(inside);
    outcome.unwrap_or_else(|_| Err(internal_failure()))
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
