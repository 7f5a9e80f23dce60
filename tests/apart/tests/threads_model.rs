//! The locks of the interface under a model checker: all orders in which threads may go on are tried.
//!
//! `cycle_detecting_lock.rs` and `try_lock.rs` of hcl-ffi are taken in once more, with loom's parts in place of the standard
//! library's.
#![allow(unsafe_code, reason = "the locks have it")]

mod sync {
    pub(crate) use loom::cell::UnsafeCell;
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU64, Ordering, fence};
    pub(crate) use loom::sync::{Arc, Condvar, Mutex, MutexGuard};
    pub(crate) use std::sync::PoisonError;

    /// Memory does not run out in a model.
    pub(crate) fn has_run_out() -> bool {
        false
    }
}

#[path = "../../../hcl-ffi/src/cycle_detecting_lock.rs"]
mod cycle_detecting_lock;
#[path = "../../../hcl-ffi/src/try_lock.rs"]
mod try_lock;

use cycle_detecting_lock::{CycleDetectingLock, Refused, WaitGraph};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::thread;
use try_lock::TryLock;

/// Runs `body` on two threads, numbered 1 and 2, in all orders.
fn on_two_threads<S: Send + Sync + 'static>(
    shared: impl Fn() -> S + Sync + Send + 'static,
    body: fn(&S, u64),
    after: fn(&S),
) {
    loom::model(move || {
        let shared = Arc::new(shared());
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || body(&shared, 2))
        };
        body(&shared, 1);
        other.join().expect("the thread ends well");
        after(&shared);
    });
}

#[test]
fn one_thread_at_a_time_is_inside_and_none_is_forgotten() {
    type Shared = (WaitGraph, CycleDetectingLock, AtomicBool, AtomicUsize);
    on_two_threads(
        || (WaitGraph::default(), CycleDetectingLock::default(), AtomicBool::new(false), AtomicUsize::new(0)),
        |(graph, lock, inside, entered): &Shared, me| {
            let got = lock.with(graph, me, None, || {
                assert!(!inside.swap(true, Ordering::Relaxed), "two threads are inside");
                entered.fetch_add(1, Ordering::Relaxed);
                inside.store(false, Ordering::Relaxed);
            });
            assert!(got.is_ok(), "nothing stood in the way");
        },
        |(.., entered)| assert_eq!(entered.load(Ordering::Relaxed), 2),
    );
}

#[test]
fn a_thread_does_not_wait_for_itself() {
    loom::model(|| {
        let (graph, lock) = (WaitGraph::default(), CycleDetectingLock::default());
        let inner = || lock.with(&graph, 1, None, || ());
        assert_eq!(lock.with(&graph, 1, None, inner), Ok(Err(Refused::Deadlock)));
        assert_eq!(lock.with(&graph, 1, None, || ()), Ok(()));
    });
}

#[test]
fn crossing_threads_do_not_wait_for_each_other() {
    type Shared = (WaitGraph, [CycleDetectingLock; 2], AtomicUsize);
    on_two_threads(
        || {
            (
                WaitGraph::default(),
                [CycleDetectingLock::default(), CycleDetectingLock::default()],
                AtomicUsize::new(0),
            )
        },
        |(graph, locks, refused): &Shared, me| {
            let (first, second) = if me == 1 { (&locks[0], &locks[1]) } else { (&locks[1], &locks[0]) };
            let outcome = first.with(graph, me, None, || second.with(graph, me, None, || ()));
            match outcome {
                Ok(Ok(())) => {}
                Ok(Err(_)) => {
                    refused.fetch_add(1, Ordering::Relaxed);
                }
                Err(_) => panic!("the first lock can always be waited for"),
            }
        },
        // Both may get through, one after the other; never are both refused.
        |(.., refused)| assert!(refused.load(Ordering::Relaxed) <= 1),
    );
}

#[test]
fn a_thread_that_is_told_to_stop_does_not_wait() {
    loom::model(|| {
        let shared = Arc::new((WaitGraph::default(), CycleDetectingLock::default()));
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.1.with(&shared.0, 2, Some(&|| false), || ()))
        };
        let inside = shared.1.with(&shared.0, 1, None, thread::yield_now);
        assert_eq!(inside, Ok(()));
        // It came first or last, or found the lock taken; it never says that it would have waited for ever.
        assert_ne!(other.join().expect("the thread ends well"), Err(Refused::Deadlock));
    });
}

/// The lock is free, one of two who wait is told, and that one is told to stop as well: the other must learn of it. The
/// checker knows no time, so nobody wakes by looking now and then.
#[test]
fn who_stops_waiting_passes_on_that_the_lock_is_free() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let shared = Arc::new((WaitGraph::default(), CycleDetectingLock::default(), AtomicBool::new(false)));
        let patient = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let goes_on = || !shared.2.load(Ordering::SeqCst);
                shared.1.with(&shared.0, 2, Some(&goes_on), || ())
            })
        };
        let steady = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.1.with(&shared.0, 3, None, || ()))
        };
        let first = shared.1.with(&shared.0, 1, None, || shared.2.store(true, Ordering::SeqCst));
        assert_eq!(first, Ok(()));
        assert_eq!(steady.join().expect("the thread ends well"), Ok(()));
        assert_ne!(patient.join().expect("the thread ends well"), Err(Refused::Deadlock));
    });
}

#[test]
fn a_locked_content_is_never_shared_and_free_afterwards() {
    type Shared = (TryLock<usize>, AtomicUsize);
    on_two_threads(
        || (TryLock::new(0), AtomicUsize::new(0)),
        |(content, refused): &Shared, _| {
            let inside = content.try_with(|count| {
                *count += 1;
                assert_eq!(content.try_with(|_| ()), None, "not even by the thread itself");
            });
            if inside.is_none() {
                refused.fetch_add(1, Ordering::Relaxed);
            }
        },
        |(content, refused)| {
            let entered = content.try_with(|count| *count);
            assert_eq!(entered, Some(2 - refused.load(Ordering::Relaxed)));
        },
    );
}
