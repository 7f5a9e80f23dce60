//! Allocations: the system's allocator with a tally that is kept only on demand, and memory that stays.
//!
//! The tally is one for the process; a caller that counts makes sure that nothing else runs meanwhile. When
//! nobody counts, an allocation costs one load more than without, so that timings stay fair.

#![expect(
    unsafe_code,
    reason = "neither an allocator nor its switches can do without; calls are only handed on"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static IS_COUNTING: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

/// The allocations of a piece of work.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Calls that allocated, enlarged or shrank.
    pub(crate) calls: u64,
    /// Bytes allocated and not freed by the end.
    pub(crate) live: i64,
    /// The most bytes that were allocated at one time.
    pub(crate) peak: i64,
}

/// Runs `work` and counts what it allocates. What it returns still lives when the count is taken.
pub(crate) fn count<T>(work: impl FnOnce() -> T) -> (T, Tally) {
    CALLS.store(0, Relaxed);
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    IS_COUNTING.store(true, Relaxed);
    let result = work();
    IS_COUNTING.store(false, Relaxed);
    (result, Tally { calls: CALLS.load(Relaxed), live: LIVE.load(Relaxed), peak: PEAK.load(Relaxed) })
}

/// While it lives, memory that is freed stays with the process, and there is some to begin with, in large pages.
///
/// By itself glibc gives large pieces of memory back, so that large inputs pay for each page anew, at the price of the
/// machine, which may be as much as the work, and small ones never do.
pub(crate) struct KeptMemory(());

impl KeptMemory {
    /// So much is ready at once.
    const BYTES: usize = 1 << 30;
    const PAGE: usize = 4096;

    pub(crate) fn new() -> Self {
        switch(libc::M_MMAP_MAX, 0);
        switch(libc::M_TRIM_THRESHOLD, libc::c_int::MAX);
        let mut room: Vec<u8> = Vec::with_capacity(Self::BYTES);
        let spare = room.spare_capacity_mut();
        let ahead = spare.as_ptr().align_offset(Self::PAGE);
        let pages = &mut spare[ahead..];
        // SAFETY: the pages are in one live allocation; the advice changes nothing that is in them.
        unsafe { libc::madvise(pages.as_mut_ptr().cast(), pages.len(), libc::MADV_HUGEPAGE) };
        for page in pages.chunks_mut(Self::PAGE) {
            page[0].write(1);
        }
        black_box(&mut room);
        Self(())
    }
}

impl Drop for KeptMemory {
    fn drop(&mut self) {
        // What glibc begins with.
        switch(libc::M_MMAP_MAX, 65_536);
        switch(libc::M_TRIM_THRESHOLD, 128 * 1024);
        // SAFETY: gives back only memory that is free.
        unsafe { libc::malloc_trim(0) };
    }
}

/// Sets a switch of the allocator.
fn switch(which: libc::c_int, to: libc::c_int) {
    // SAFETY: changes no allocation that there is.
    unsafe { libc::mallopt(which, to) };
}

struct Counting;

impl Counting {
    #[cold]
    fn tally(calls: u64, change: i64) {
        CALLS.fetch_add(calls, Relaxed);
        let live = LIVE.fetch_add(change, Relaxed) + change;
        PEAK.fetch_max(live, Relaxed);
    }
}

fn signed(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if IS_COUNTING.load(Relaxed) {
            Self::tally(1, signed(layout.size()));
        }
        // SAFETY: the caller's promise about `layout` is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if IS_COUNTING.load(Relaxed) {
            Self::tally(1, signed(layout.size()));
        }
        // SAFETY: the caller's promise about `layout` is handed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if IS_COUNTING.load(Relaxed) {
            Self::tally(1, signed(new_size) - signed(layout.size()));
        }
        // SAFETY: the caller's promises about `place`, `layout` and `new_size` are handed on.
        unsafe { System.realloc(place, layout, new_size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        if IS_COUNTING.load(Relaxed) {
            Self::tally(0, -signed(layout.size()));
        }
        // SAFETY: the caller's promises about `place` and `layout` are handed on.
        unsafe { System.dealloc(place, layout) }
    }
}
