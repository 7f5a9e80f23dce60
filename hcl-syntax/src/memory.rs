//! The memory that each thread holds of an allocator that tells, and whether memory has run out.
//!
//! The C interface brings such an allocator. Without one nothing is held, bounds on memory are those on values alone, and a
//! failed request ends the process as in any Rust program.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// An allocator tells.
static TELLS: AtomicBool = AtomicBool::new(false);
/// A request of some thread has been refused: until then no thread's own mark is looked at.
static HAS_EVER_RUN_OUT: AtomicBool = AtomicBool::new(false);

/// The largest bound on what a thread holds.
pub const MOST: isize = isize::MAX / 4;

/// The bytes that a thread seems to hold beside the rest while memory has run out: more than any bound, so that the next charge
/// ends the work without a look of its own.
const NOTHING_LEFT: isize = 2 * MOST;

/// From so many bytes on a request is too large for the allocator's reserve.
const LARGE: usize = 1 << 16;

/// So many bytes of the reserve are left for work that begins: half of what the C interface has.
const LEFT_FOR_WORK: usize = 1 << 18;

thread_local! {
    /// Bytes and blocks given and not taken back, of which other threads may have taken some back.
    static HELD: Held = const {
        Held { bytes: Cell::new(0), blocks: Cell::new(0), parts: Cell::new(0), scattered: Cell::new(0), taken: Cell::new(0) }
    };
    /// A request has failed since [`recover`].
    static HAS_RUN_OUT: Cell<bool> = const { Cell::new(false) };
    /// The call with a deadline that the thread is in, or was in last.
    static BEGUN: Cell<Begun> = const { Cell::new(Begun { at: None, bytes: 0, blocks: 0, parts: 0, scattered: 0 }) };
}

struct Held {
    bytes: Cell<isize>,
    blocks: Cell<isize>,
    /// The parts of values that have several. Those that are more than there are blocks share blocks.
    parts: Cell<isize>,
    /// Of what is held, the parts that lie in another order than their memory.
    scattered: Cell<isize>,
    /// The place of the part of a large value that was taken last.
    taken: Cell<usize>,
}

/// The beginning of a call with a deadline, and what the thread held then.
#[derive(Copy, Clone, Debug)]
pub struct Begun {
    at: Option<Instant>,
    bytes: isize,
    blocks: isize,
    parts: isize,
    scattered: isize,
}

impl Begun {
    /// The call that began last. A callback may begin others, after which the call is to be [resumed](Self::resume).
    pub fn last() -> Self {
        BEGUN.get()
    }

    /// A call with a deadline begins now.
    pub fn now() -> Instant {
        let at = Instant::now();
        HELD.with(|held| {
            BEGUN.set(Self {
                at: Some(at),
                bytes: held.bytes.get(),
                blocks: held.blocks.get(),
                parts: held.parts.get(),
                scattered: held.scattered.get(),
            });
        });
        at
    }

    /// Goes on with the call after others.
    pub fn resume(self) {
        BEGUN.set(self);
    }
}

/// How long the release of a block takes, in nanoseconds.
const TIME_FOR_BLOCK: u64 = 20;
/// How much longer it takes if the block is not near the one before it.
const TIME_FOR_SCATTERED: u64 = 110;
/// How long it takes to give a share of a block back.
const TIME_FOR_PART: u64 = 25;
/// How much longer it takes to give a share of a block back that is not near the one before it.
const TIME_FOR_SHARE: u64 = 30;
/// Parts with so many bytes between them do not share memory that the processor reads in one go or ahead.
const FAR: usize = 1 << 12;
/// How many bytes of lists and texts are released in a nanosecond, also to the system.
const BYTES_IN_A_NANOSECOND: u64 = 5;

/// Where other processes keep the memory busy, the release of what lies near takes up to twice as long. This part of the time
/// that making took is kept free for it.
const SHARE_FOR_OTHER_WORK: u32 = 4;

/// About how long it takes to release what the call with a deadline has made until `now`. What lies near takes no longer than
/// making it took.
pub(crate) fn time_to_release(now: Instant) -> Duration {
    let begun = BEGUN.get();
    let Some(at) = begun.at else { return Duration::ZERO };
    let since = |now: &Cell<isize>, then: isize| u64::try_from(now.get().wrapping_sub(then)).unwrap_or(0);
    HELD.with(|held| {
        let blocks = since(&held.blocks, begun.blocks);
        let scattered = since(&held.scattered, begun.scattered);
        let far = scattered.min(blocks);
        let bytes = since(&held.bytes, begun.bytes);
        let shares = since(&held.parts, begun.parts).saturating_sub(blocks);
        let time_near = blocks
            .saturating_mul(TIME_FOR_BLOCK)
            .saturating_add(shares.saturating_mul(TIME_FOR_PART))
            .saturating_add(bytes / BYTES_IN_A_NANOSECOND);
        let time_far = far
            .saturating_mul(TIME_FOR_SCATTERED)
            .saturating_add((scattered - far).saturating_mul(TIME_FOR_SHARE));
        let making = now.saturating_duration_since(at);
        let near = Duration::from_nanos(time_near);
        let near = near.saturating_add(near.min(making / SHARE_FOR_OTHER_WORK)).min(making);
        near.saturating_add(Duration::from_nanos(time_far))
    })
}

/// After so many blocks have been released, the allocator puts them together.
const TURN: isize = 1 << 12;

/// A release of many small blocks in turns. glibc collects such blocks and puts them together later, which takes twice as long as
/// their release if it does so for all at once: of few it finds them in the processor's own memory.
///
/// ```
/// use hcl_syntax::memory::Turns;
///
/// let mut texts = vec![String::from("text"); 10_000];
/// let mut turns = Turns::begin();
/// for text in &mut texts {
///     *text = String::new();
///     turns.go_on();
/// }
/// turns.release_each(texts);
/// ```
#[derive(Debug)]
pub struct Turns {
    /// The blocks that were held when the turn began.
    held: isize,
}

impl Turns {
    /// The first turn begins.
    pub fn begin() -> Self {
        Self { held: HELD.with(|held| held.blocks.get()) }
    }

    /// Releases parts one after the other.
    pub fn release_each<T>(&mut self, parts: impl IntoIterator<Item = T>) {
        for part in parts {
            drop(part);
            self.go_on();
        }
    }

    /// Something has been released. If that is enough, the next turn begins.
    pub fn go_on(&mut self) {
        let held = HELD.with(|held| held.blocks.get());
        if self.held.wrapping_sub(held) >= TURN {
            put_together();
            self.held = held;
        }
    }
}

/// Has the allocator put small blocks together: glibc does so before it serves a request that is too large for them.
fn put_together() {
    drop(std::hint::black_box(Vec::<u8>::new()).try_reserve_exact(1 << 11));
}

/// So many more parts of values are held that have blocks of memory, or fewer if there are less than none.
pub fn count_parts(parts: isize) {
    HELD.with(|held| held.parts.set(held.parts.get().wrapping_add(parts)));
}

/// So many more parts are held, or fewer if there are less than none, that lie in another order than their memory.
pub fn count_scattered(parts: isize) {
    HELD.with(|held| held.scattered.set(held.scattered.get().wrapping_add(parts)));
}

/// A part of a large value, which lies at `place`, is taken. If it is far from the one that was taken before it, it counts as one
/// that lies in another order than its memory, for as long as the call lasts.
pub fn count_taken(place: usize) {
    HELD.with(|held| {
        if held.taken.replace(place).abs_diff(place) > FAR {
            held.scattered.set(held.scattered.get().wrapping_add(1));
        }
    });
}

/// From now on an allocator tells, and has a reserve for small requests that the system refuses.
pub fn tell() {
    TELLS.store(true, Ordering::Relaxed);
}

/// Returns true if work may run out of memory, and go on until it notices.
pub(crate) fn may_run_out() -> bool {
    TELLS.load(Ordering::Relaxed)
}

/// The allocator has given the thread so many bytes; taken back, if there are less than none.
pub fn count(bytes: isize) {
    HELD.with(|held| held.bytes.set(held.bytes.get().wrapping_add(bytes)));
}

/// The allocator has given the thread a block of so many bytes.
pub fn count_block(bytes: usize) {
    HELD.with(|held| {
        held.bytes.set(held.bytes.get().wrapping_add_unsigned(bytes));
        held.blocks.set(held.blocks.get().wrapping_add(1));
    });
}

/// The allocator has taken a block of so many bytes back.
pub fn uncount_block(bytes: usize) {
    HELD.with(|held| {
        held.bytes.set(held.bytes.get().wrapping_sub_unsigned(bytes));
        held.blocks.set(held.blocks.get().wrapping_sub(1));
    });
}

/// The bytes that the thread holds. Only differences mean something: a block that another thread frees counts for that one.
pub fn held() -> isize {
    HELD.with(|held| held.bytes.get())
}

/// The system has refused a request. Work of this thread ends where it looks at its limits next.
pub fn run_out() {
    HAS_EVER_RUN_OUT.store(true, Ordering::Relaxed);
    if !HAS_RUN_OUT.replace(true) {
        count(NOTHING_LEFT);
    }
}

/// Returns true if a request of this thread has been refused since [`recover`].
pub fn has_run_out() -> bool {
    HAS_EVER_RUN_OUT.load(Ordering::Relaxed) && HAS_RUN_OUT.get()
}

/// The work that met a refusal, if any did, is over.
pub fn recover() {
    if HAS_EVER_RUN_OUT.load(Ordering::Relaxed) {
        recover_thread();
    }
}

fn recover_thread() {
    if HAS_RUN_OUT.replace(false) {
        count(-NOTHING_LEFT);
    }
}

/// Returns true if `bytes` are to be had of the system, which has run out if not. Asked before a request whose size the input
/// decides, because most requests can't be refused once they have been made. Small ones are always granted: there is the
/// reserve.
pub fn is_to_be_had(bytes: usize) -> bool {
    bytes < LARGE || !may_run_out() || try_out(bytes)
}

/// Returns true if work that takes about so many bytes, and asks for none of them, can begin. A part of the reserve is always
/// left for it.
///
/// ```
/// // Without an allocator that tells, a request that the system refuses ends the process.
/// assert!(hcl_syntax::memory::has_room_for(usize::MAX));
/// ```
pub fn has_room_for(bytes: usize) -> bool {
    bytes < LEFT_FOR_WORK || is_to_be_had(bytes)
}

#[cold] // Without it `parse_json` takes 2.4 % more instructions.
fn try_out(bytes: usize) -> bool {
    // With the headers of what is asked for.
    let bytes = bytes.saturating_add(bytes / 8);
    std::hint::black_box(Vec::<u8>::new()).try_reserve_exact(bytes).is_ok()
}
