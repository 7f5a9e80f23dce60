//! Ctrl-C while an expression is evaluated: ends the evaluation, not the console.
//!
//! While a line is edited the line editor sees Ctrl-C as a key.

use std::sync::{Mutex, PoisonError};

use hcl_eval::limits::CancelToken;

/// The evaluation under way.
static CURRENT: Mutex<Option<CancelToken>> = Mutex::new(None);

/// From now on Ctrl-C cancels what [`begin`] began. If the signal can't be caught it ends the process, as ever.
pub(super) fn catch() {
    let _ = ctrlc::set_handler(|| {
        if let Some(token) = current().as_ref() {
            token.trigger();
        }
    });
}

/// The token of an evaluation that begins now.
pub(super) fn begin() -> CancelToken {
    let token = CancelToken::new();
    *current() = Some(token.clone());
    token
}

/// The evaluation under way; the lock is held for a moment only.
fn current() -> std::sync::MutexGuard<'static, Option<CancelToken>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}
