//! Deep recursion on small threads.
//!
//! Values and types nest as deep as the host allows, and threads may have little stack. Code that walks
//! them recursively passes through [`grow`] once per level. Levels that are known to be shallow do not pay.

/// Below this depth plain recursion fits into the stack of one level, with the frames of a build without optimizations: of some
/// walks they take 2 KiB a level.
pub(crate) const SHALLOW: u32 = 16;

/// Runs `body`, on a further piece of stack if what is left is little and the walk still has a long way
/// down (`depth` levels).
pub(crate) fn grow<R>(depth: u32, body: impl FnOnce() -> R) -> R {
    if depth <= SHALLOW { body() } else { hcl_syntax::stack::level(body) }
}
