//! Deep recursion on threads that may have little stack.
//!
//! Code that recurses as deep as its input nests passes through [`ensure`] every few levels. A Rust program asks the system
//! how much stack a thread has, through `stacker`. The answer costs system calls, which a sandbox may refuse, so the C
//! interface brings its own pieces of stack instead ([`provide`]): of them alone it knows where they end, and of a thread's
//! own stack it assumes that little is left.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a piece of work on a stack with room for so many bytes at least, which it announces by [`within`].
pub type Provider = fn(usize, &mut dyn FnMut());

static PROVIDER: OnceLock<Provider> = OnceLock::new();

/// A piece of stack: its lowest address and its size.
type Piece = (usize, usize);

thread_local! {
    /// The piece of stack that was provided last, of those in use, or [`CALLBACK`].
    static PIECE: Cell<Piece> = const { Cell::new((0, 0)) };
}

/// The piece of a thread that is in a callback: its own stack, of which nothing is known.
const CALLBACK: Piece = (usize::MAX, 0);

/// A callback has run, on any thread: until then none is looked for.
static HAS_EVER_CALLED_BACK: AtomicBool = AtomicBool::new(false);

/// Runs a callback of the host on the thread's own stack.
pub fn calling_back<R>(callback: impl FnOnce() -> R) -> R {
    if !HAS_EVER_CALLED_BACK.load(Ordering::Relaxed) {
        HAS_EVER_CALLED_BACK.store(true, Ordering::Relaxed);
    }
    within(CALLBACK, callback)
}

/// Returns true on the stack of a callback. Work that may wait for another callback leaves it at once: several that wait, each
/// within the one before, would fill it.
pub fn is_of_callback() -> bool {
    HAS_EVER_CALLED_BACK.load(Ordering::Relaxed) && PIECE.get() == CALLBACK
}

/// From now on stack comes from `provider`, in all of the process.
pub fn provide(provider: Provider) {
    PROVIDER.get_or_init(|| provider);
}

/// Runs `body`, which a provider has put on a piece of stack.
pub fn within<R>(piece: Piece, body: impl FnOnce() -> R) -> R {
    let before = PIECE.replace(piece);
    let result = body();
    PIECE.set(before);
    result
}

/// Runs `body`, on a further piece of stack of `added` bytes if there may be less than `needed` left.
///
/// Wherever it runs, the body is one copy that is called through a pointer: a second one at each place took 30 KB of the library.
pub fn ensure<R>(needed: usize, added: usize, body: impl FnOnce() -> R) -> R {
    let (mut body, mut result) = (Some(body), None);
    run(needed, added, &mut || result = body.take().map(|body| body()));
    let Some(result) = result else { unreachable!("a provider runs what it is given") };
    result
}

/// Runs a level of work that nests as deep as a text, on a further piece of stack if there may be little left.
pub fn level<R>(body: impl FnOnce() -> R) -> R {
    ensure(96 * 1024, 1024 * 1024, body)
}

fn run(needed: usize, added: usize, body: &mut dyn FnMut()) {
    match PROVIDER.get() {
        _ if is_enough(needed) => body(),
        Some(provider) => provider(added, body),
        None => stacker::grow(added, body),
    }
}

/// Returns true if so much stack is left: of the piece that was provided, or as far as the system tells.
fn is_enough(needed: usize) -> bool {
    if PROVIDER.get().is_none() {
        return stacker::remaining_stack().is_some_and(|left| left >= needed);
    }
    let (lowest, size) = PIECE.get();
    let here = 0_u8;
    let left = std::ptr::from_ref(std::hint::black_box(&here)).addr().wrapping_sub(lowest);
    (needed..=size).contains(&left)
}
