//! What one thread at a time may use, without waiting: whoever comes second is turned away.

use super::sync::{AtomicBool, Ordering, UnsafeCell};

/// A content that nobody reaches twice at a time.
pub(crate) struct Exclusive<T> {
    busy: AtomicBool,
    content: UnsafeCell<T>,
}

// SAFETY: the content is reached only through `try_with`, by one thread at a time.
unsafe impl<T: Send> Sync for Exclusive<T> {}

impl<T> Exclusive<T> {
    pub(crate) fn new(content: T) -> Self {
        Self { busy: AtomicBool::new(false), content: UnsafeCell::new(content) }
    }

    /// Runs `body` with the content to itself; `None` when somebody is inside, the thread itself included. After a panic of
    /// `body` nobody gets in any more.
    pub(crate) fn try_with<R>(&self, body: impl FnOnce(&mut T) -> R) -> Option<R> {
        self.busy.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).ok()?;
        // SAFETY: `busy` was clear and is set, so nobody else has the content until it is cleared below.
        let outcome = self.content.with_mut(|content| body(unsafe { &mut *content }));
        self.busy.store(false, Ordering::Release);
        Some(outcome)
    }
}
