//! How long work goes without a look at its limits. A deadline, or a token that is triggered, is noticed at the next look, so the
//! longest time between two of them is how late the work may end. Tests of the crates include it by its path, beside `stopwatch`.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
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

/// How much longer work takes than until its token is triggered, at the worst of some moments of it.
#[allow(dead_code, reason = "not all tests that count looks end the work")]
pub(crate) fn lateness<T>(work: impl Fn(CancelToken) -> T) -> Duration {
    let counting = |last: usize| {
        let n_looks = Arc::new(AtomicUsize::new(0));
        let triggered = Arc::new(Mutex::new(None));
        let token = CancelToken::asking({
            let (n_looks, triggered) = (Arc::clone(&n_looks), Arc::clone(&triggered));
            move || {
                let is_late = n_looks.fetch_add(1, Ordering::Relaxed) >= last;
                if is_late {
                    triggered.lock().unwrap().get_or_insert_with(Stopwatch::start);
                }
                is_late
            }
        });
        let made = work(token);
        let late = triggered.lock().unwrap().map(|since| since.elapsed());
        drop(made);
        (n_looks.load(Ordering::Relaxed), late.unwrap_or_default())
    };
    let (n_looks, _) = counting(usize::MAX);
    (1..8).map(|eighth| counting(n_looks * eighth / 8).1).max().unwrap_or_default()
}
