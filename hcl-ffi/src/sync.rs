//! The primitives that `cycle_detecting_lock` and `try_lock` synchronise with: in the library the standard library's own. A test
//! puts a model checker's in its place.

pub(crate) use hcl_syntax::memory::has_run_out;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};
pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The standard library's, reached the way that the model checker can watch.
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    pub(crate) fn new(content: T) -> Self {
        Self(std::cell::UnsafeCell::new(content))
    }

    pub(crate) fn with_mut<R>(&self, body: impl FnOnce(*mut T) -> R) -> R {
        body(self.0.get())
    }
}
