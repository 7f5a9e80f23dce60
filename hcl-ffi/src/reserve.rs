//! Memory for the time when the system has none: small requests are served from here, so that a call gets to the place where
//! it notices, ends, and releases what it made.

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use linked_list_allocator::Heap;

/// How much there is. Only pages that are used take memory.
pub(crate) const SIZE: usize = 512 << 10;

#[repr(align(4096))]
struct Bytes(UnsafeCell<[u8; SIZE]>);

// SAFETY: blocks do not overlap, and a block belongs to the caller that it was given to.
unsafe impl Sync for Bytes {}

static BYTES: Bytes = Bytes(UnsafeCell::new([0; SIZE]));
static HEAP: Mutex<Heap> = Mutex::new(Heap::empty());
/// How many bytes are in use, to be read without the lock.
static USED: AtomicUsize = AtomicUsize::new(0);

/// The heap, from its first use on. A lock of the standard library allocates nothing on the platforms that have a futex.
fn heap() -> MutexGuard<'static, Heap> {
    let mut heap = HEAP.lock().unwrap_or_else(PoisonError::into_inner);
    if heap.size() == 0 {
        // SAFETY: the bytes are there for as long as the process, and reached through the heap alone.
        unsafe { heap.init(BYTES.0.get().cast(), SIZE) };
    }
    heap
}

/// The least alignment of a block.
const ALIGN: usize = 16;

/// The layout of the block for a request.
fn of_block(layout: Layout) -> Layout {
    layout.align_to(ALIGN).unwrap_or(layout)
}

/// A block; null if there is no room for it.
pub(crate) fn take(layout: Layout) -> *mut u8 {
    let mut heap = heap();
    let block = heap.allocate_first_fit(of_block(layout));
    USED.store(heap.used(), Ordering::Relaxed);
    block.map_or(ptr::null_mut(), NonNull::as_ptr)
}

/// Returns true for a block of the reserve.
pub(crate) fn has(block: *mut u8) -> bool {
    block.addr().wrapping_sub(BYTES.0.get().addr()) < SIZE
}

/// Takes a block back.
///
/// # Safety
/// The block was taken with this size, and an alignment of no more than 16 or this one, and is not used any more.
#[inline(never)] // Inlined, it makes `c_eval_to_json` take 2 % more instructions.
pub(crate) unsafe fn give_back(block: *mut u8, layout: Layout) {
    let mut heap = heap();
    if let Some(block) = NonNull::new(block) {
        // SAFETY: passed on.
        unsafe { heap.deallocate(block, of_block(layout)) };
    }
    USED.store(heap.used(), Ordering::Relaxed);
}

/// Returns true if little is left, because blocks are in use.
pub(crate) fn is_low() -> bool {
    USED.load(Ordering::Relaxed) > SIZE / 2
}
