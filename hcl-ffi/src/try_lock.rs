//! A lock that is only tried: content for one thread at a time, and a second one is refused instead of waiting.

use super::sync::{AtomicBool, Ordering, UnsafeCell, has_run_out};

/// Content behind a lock that is only tried.
pub(crate) struct TryLock<T> {
    busy: AtomicBool,
    content: UnsafeCell<T>,
}

// SAFETY: the content is reached only through `try_with`, by one thread at a time.
unsafe impl<T: Send> Sync for TryLock<T> {}

impl<T> TryLock<T> {
    pub(crate) fn new(content: T) -> Self {
        Self { busy: AtomicBool::new(false), content: UnsafeCell::new(content) }
    }

    /// Runs `body` with the content to itself; `None` when a thread is inside, the caller itself included. After a panic of
    /// `body` nobody gets in any more, unless it was for want of memory.
    pub(crate) fn try_with<R>(&self, body: impl FnOnce(&mut T) -> R) -> Option<R> {
        self.busy.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).ok()?;
        let mut inside = Inside { busy: &self.busy, has_ended: false };
        // SAFETY: `busy` was clear and is set, so nobody else has the content until it is cleared below.
        let outcome = self.content.with_mut(|content| body(unsafe { &mut *content }));
        inside.has_ended = true;
        Some(outcome)
    }
}

/// Lets others in when the body has ended.
struct Inside<'b> {
    busy: &'b AtomicBool,
    has_ended: bool,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        if self.has_ended || has_run_out() {
            self.busy.store(false, Ordering::Release);
        }
    }
}
