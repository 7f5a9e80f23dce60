//! Deep recursion where the system is asked for the stack's bounds: the library stays on stacks that the system knows.

/// Leaves the stack to `stacker`.
pub(crate) fn provide() {}

/// Runs a callback of the host.
pub(crate) fn on_own<T>(callback: impl FnOnce() -> T) -> T {
    callback()
}
