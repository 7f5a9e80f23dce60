//! Deep recursion where the system is asked for the stack's bounds: the library stays on stacks that the system knows.

use hcl_syntax::memory::Begun;
use hcl_syntax::stack;

/// Leaves the stack to `stacker`.
pub(crate) fn provide() {}

/// Runs a callback of the host.
pub(crate) fn on_own<T>(callback: impl FnOnce() -> T) -> T {
    // The callback may begin calls that have deadlines of their own.
    let begun = Begun::last();
    let result = stack::calling_back(callback);
    begun.resume();
    result
}
