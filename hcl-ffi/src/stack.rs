//! Pieces of stack for deep recursion, mapped where they are needed and kept for the next time.
//!
//! A thread's own stack may be small, and how large it is only the system could tell. So the library assumes that little of
//! it is left, and goes on elsewhere when recursion gets deep. Callbacks of the host return to the thread's own stack: their
//! runtime may know its bounds (Go ends a process whose callback it finds outside of them).

use libc::c_void;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use hcl_syntax::memory::{self, Begun};
use hcl_syntax::stack;

/// The size of the pieces that are kept, which is enough for all but a few callers.
const SIZE: usize = 2 << 20;
/// The bytes below a piece that can't be touched. No page is larger.
const GUARD: usize = 64 << 10;

/// The bytes of the thread's own stack that are left untouched, below the frame that leaves it: room for the switch itself, and
/// for the bytes below the stack pointer that a function may use.
const MARGIN: usize = 1 << 10;
/// A stack pointer is a multiple of this on every platform.
const ALIGNMENT: usize = 64;

thread_local! {
    /// Where the thread's own stack goes on, while the library is on a piece of its own; 0 while it is not.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

/// Pieces that nobody uses.
static KEPT: [AtomicPtr<c_void>; 8] = [const { AtomicPtr::new(ptr::null_mut()) }; 8];

/// Lets all crates get their stack here. The first piece is there before memory may run out.
pub(crate) fn provide() {
    stack::provide(run);
    if let Some(mapping) = map(SIZE) {
        drop(Piece { mapping, size: SIZE });
    }
}

/// Runs `body` on a piece of stack of so many bytes.
fn run(size: usize, body: &mut dyn FnMut()) {
    let piece = Piece::take(size.max(SIZE));
    let lowest = piece.lowest();
    let outcome = stack::within((lowest.addr(), piece.size), || {
        let body = || catch_unwind(AssertUnwindSafe(body));
        let _left = Left::now();
        // SAFETY: nobody else uses the piece, its ends are multiples of a page, and `body` does not unwind.
        unsafe { psm::on_stack(lowest.cast(), piece.size, body) }
    });
    drop(piece);
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

/// The thread's own stack has been left, unless it had been before, for as long as this lives.
struct Left {
    before: usize,
}

impl Left {
    #[inline(always)] // The stack pointer is that of the caller, which stays on the stack.
    fn now() -> Self {
        let before = OWN.get();
        if before == 0 {
            OWN.set((psm::stack_pointer().addr() - MARGIN) & !(ALIGNMENT - 1));
        }
        Self { before }
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        OWN.set(self.before);
    }
}

/// Runs a callback of the host on the thread's own stack.
pub(crate) fn on_own<T>(callback: impl FnOnce() -> T) -> T {
    // The callback may begin calls that have deadlines of their own.
    let begun = Begun::last();
    let result = match OWN.get() {
        0 => stack::calling_back(callback),
        top => go_back(top, callback),
    };
    begun.resume();
    result
}

/// Runs a callback on the thread's own stack, which goes on at `top`. The callback does not unwind.
fn go_back<T>(top: usize, callback: impl FnOnce() -> T) -> T {
    OWN.set(0);
    let lowest = ptr::with_exposed_provenance_mut(top - ALIGNMENT);
    let result = stack::calling_back(|| {
        // SAFETY: the stack below `top` is free until the piece that the library is on is left, a stack grows down from the
        // end of what it is given, and a function of C does not unwind.
        unsafe { psm::on_stack(lowest, ALIGNMENT, callback) }
    });
    OWN.set(top);
    result
}

/// A piece of stack that is in use, with a guard below it.
struct Piece {
    mapping: *mut c_void,
    size: usize,
}

impl Piece {
    fn take(size: usize) -> Self {
        let kept = if size == SIZE {
            KEPT.iter().map(|kept| kept.swap(ptr::null_mut(), Ordering::Acquire)).find(|kept| !kept.is_null())
        } else {
            None
        };
        let Some(mapping) = kept.or_else(|| map(size)) else {
            // The boundary tells it from a defect by this.
            memory::run_out();
            panic!("no memory for a piece of stack")
        };
        Self { mapping, size }
    }

    fn lowest(&self) -> *mut c_void {
        self.mapping.wrapping_byte_add(GUARD)
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        let keep = |place: &AtomicPtr<c_void>| {
            place
                .compare_exchange(ptr::null_mut(), self.mapping, Ordering::Release, Ordering::Relaxed)
                .is_ok()
        };
        if self.size != SIZE || !KEPT.iter().any(keep) {
            // SAFETY: it was mapped with this size, and nothing is on it any more.
            unsafe { libc::munmap(self.mapping, GUARD + self.size) };
        }
    }
}

/// A guard and so many bytes above it. Two mappings, as the call that changes what a page allows is not one for memory alone.
fn map(size: usize) -> Option<*mut c_void> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
    // SAFETY: a new mapping, wherever there is room.
    let mapping = unsafe { libc::mmap(ptr::null_mut(), GUARD + size, libc::PROT_NONE, flags, -1, 0) };
    if mapping == libc::MAP_FAILED {
        return None;
    }
    let lowest = mapping.wrapping_byte_add(GUARD);
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: it takes the place of what has just been mapped.
    let stack = unsafe { libc::mmap(lowest, size, access, flags | libc::MAP_FIXED, -1, 0) };
    if stack == libc::MAP_FAILED {
        // SAFETY: mapped above, and not in use.
        unsafe { libc::munmap(mapping, GUARD + size) };
        return None;
    }
    Some(mapping)
}
