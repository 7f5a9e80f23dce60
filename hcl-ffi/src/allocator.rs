//! The system's allocator, which tells each thread what it holds, so that bounds on memory are what was asked for; and which
//! has a reserve for small requests that the system refuses.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

use hcl_syntax::memory;

use crate::reserve;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Counting;

/// A size as a difference; no request is larger than that.
fn difference(size: usize) -> isize {
    size.cast_signed()
}

/// The system has nothing: a block of the reserve, or null.
fn refused(layout: Layout) -> *mut u8 {
    memory::run_out();
    let block = reserve::take(layout);
    if !block.is_null() {
        memory::count_block(layout.size());
    }
    block
}

/// [`refused`] for a block with the alignment of any.
fn refused_plain(size: usize) -> *mut u8 {
    // The reserve aligns all blocks as much.
    Layout::from_size_align(size, 1).map_or(ptr::null_mut(), refused)
}

/// Moves a block that the system could not make larger, or that is not the system's.
///
/// # Safety
/// `block` was allocated here with `layout`, and `size` is not 0.
unsafe fn moved(block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    // SAFETY: the alignment is that of a layout; a size that is too large for one is never asked for.
    let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
    // SAFETY: the size is not 0.
    let to = unsafe { ALLOCATOR.alloc(wanted) };
    if !to.is_null() {
        // SAFETY: both have as many bytes, and are different blocks.
        unsafe { ptr::copy_nonoverlapping(block, to, layout.size().min(size)) };
        // SAFETY: allocated here, and not used any more.
        unsafe { ALLOCATOR.dealloc(block, layout) };
    }
    to
}

/// Lets the system's allocator put the small blocks together that were released. glibc does so when a block of this size is
/// released, and else at the next large request, which then takes as long as the release of all of them: in another call.
pub(crate) fn settle() {
    drop(std::hint::black_box(Vec::<u8>::new()).try_reserve_exact(96 << 10));
}

/// The alignment of every block of the system.
const MIN_ALIGN: usize = if cfg!(target_pointer_width = "64") { 16 } else { 8 };

/// Returns true if the system takes a call of its own for the alignment.
fn is_special(layout: Layout) -> bool {
    layout.align() > MIN_ALIGN || layout.align() > layout.size()
}

/// A block whose alignment the system is asked for.
///
/// # Safety
/// As for `GlobalAlloc::alloc`.
#[cold] // Without it `c_eval_to_json` takes 0.7 % more instructions.
unsafe fn aligned(layout: Layout) -> *mut u8 {
    // SAFETY: passed on.
    let block = unsafe { System.alloc(layout) };
    if block.is_null() {
        return refused(layout);
    }
    memory::count_block(layout.size());
    block
}

// The rare ways are functions of their own, so that the usual ones save no registers: 14 instructions for a block and 8 for its
// release, which were 24 and 17.
//
// Out of line: a copy at every place that allocates or releases takes 268 KB of the library.
//
// SAFETY: a block is the system's or the reserve's, which its address tells; neither of them unwinds, and counting does not
// allocate.
unsafe impl GlobalAlloc for Counting {
    #[inline(never)] // With those of `dealloc` and `realloc`: 268 KB of the library.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_special(layout) {
            // SAFETY: passed on.
            return unsafe { aligned(layout) };
        }
        // SAFETY: passed on.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() {
            return refused_plain(layout.size());
        }
        memory::count_block(layout.size());
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: passed on.
        let block = unsafe { System.alloc_zeroed(layout) };
        if !block.is_null() {
            memory::count_block(layout.size());
            return block;
        }
        let block = refused(layout);
        if !block.is_null() {
            // SAFETY: a block of this size, which nothing else uses.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    #[inline(never)] // As `alloc`.
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        memory::uncount_block(layout.size());
        if reserve::has(block) {
            // SAFETY: passed on.
            return unsafe { reserve::give_back(block, layout) };
        }
        // SAFETY: passed on.
        unsafe { System.dealloc(block, layout) };
    }

    #[inline(never)] // As `alloc`.
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !reserve::has(block) {
            // SAFETY: passed on.
            let larger = unsafe { System.realloc(block, layout, size) };
            if !larger.is_null() {
                memory::count(difference(size).wrapping_sub(difference(layout.size())));
                return larger;
            }
        }
        // SAFETY: passed on.
        unsafe { moved(block, layout, size) }
    }
}
