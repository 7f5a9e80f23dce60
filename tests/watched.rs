//! How long work goes without a look at its limits. A deadline, or a token that is triggered, is noticed at the next look, so the
//! longest time between two of them is how late the work may end. Tests of the crates include it by its path, beside `stopwatch`.

use std::cell::Cell;
use std::time::Duration;

use hcl_eval::limits::CancelToken;

use crate::stopwatch::Stopwatch;

/// The longest time without a look. The promise is 20 ms for the optimised library.
pub(crate) const LONGEST_GAP: Duration = Duration::from_millis(if cfg!(debug_assertions) { 60 } else { 20 });

thread_local! {
    static LAST: Cell<Option<Stopwatch>> = const { Cell::new(None) };
    static LONGEST: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Notes that the thread looks.
fn look() {
    if let Some(last) = LAST.get() {
        LONGEST.set(LONGEST.get().max(last.elapsed()));
        LAST.set(Some(Stopwatch::start()));
    }
}

/// A token that notes the looks of the thread at it, and is never triggered.
pub(crate) fn token() -> CancelToken {
    CancelToken::asking(|| {
        look();
        false
    })
}

/// Runs work; how long it took, and the longest time in it without a look.
pub(crate) fn watched<T>(work: impl FnOnce() -> T) -> (T, Duration, Duration) {
    LONGEST.set(Duration::ZERO);
    let whole = Stopwatch::start();
    LAST.set(Some(whole));
    let result = work();
    let took = whole.elapsed();
    look();
    LAST.set(None);
    (result, took, LONGEST.get())
}
