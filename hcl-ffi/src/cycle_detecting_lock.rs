//! A lock that detects cycles: callbacks that one thread at a time may be inside, and no deadlock.
//!
//! A callback may evaluate, and so lead to other callbacks. Two threads, each inside one and on its way into the
//! other's, would wait for each other for ever: the thread that would close such a cycle is refused instead, and so is one that
//! holds the lock already, which is not reentrant. A free lock is taken with one atomic operation; only those who must wait
//! meet in the [`WaitGraph`].
//!
//! A thread that waits for an evaluation that may be cancelled, or has a deadline, looks at them now and then. Nobody wakes it
//! for that: a switch may be thrown inside a signal handler, where no more than a store is allowed.

use std::time::Duration;

use super::sync::{Arc, AtomicU64, Condvar, Mutex, MutexGuard, Ordering, PoisonError, fence};

/// How long a thread waits until it looks whether it still should.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Why a thread did not get in.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    /// It would wait for ever: it is inside already, or the thread inside waits for it.
    Deadlock,
    /// It was told to wait no longer.
    Stopped,
}

/// The question whether a thread that waits should go on; `None` for one that waits as long as it takes.
pub(crate) type Patience<'a> = Option<&'a dyn Fn() -> bool>;

/// Lets one thread in at a time.
#[derive(Debug, Default)]
pub(crate) struct CycleDetectingLock(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// The number of the thread inside, 0 for none.
    owner: AtomicU64,
    /// How many threads wait to come in.
    waiting: AtomicU64,
    /// Told when the lock is free; goes with [`WaitGraph::waits`].
    freed: Condvar,
}

/// Which threads wait, and for which lock; a thread waits for one at most.
#[derive(Debug, Default)]
pub(crate) struct WaitGraph {
    waits: Mutex<Vec<(u64, Arc<State>)>>,
}

impl WaitGraph {
    fn waits(&self) -> MutexGuard<'_, Vec<(u64, Arc<State>)>> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn try_take(&self, me: u64) -> bool {
        self.owner.compare_exchange(0, me, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// Returns whether the thread inside waits, perhaps by way of others, for a lock that `me` holds.
    fn waits_for(&self, me: u64, waits: &[(u64, Arc<Self>)]) -> bool {
        let mut owner = self.owner.load(Ordering::SeqCst);
        for _ in 0..=waits.len() {
            if owner == me {
                return true;
            }
            let Some((_, next)) = waits.iter().find(|(thread, _)| *thread == owner) else { return false };
            owner = next.owner.load(Ordering::SeqCst);
        }
        false
    }

    /// Waits for the lock.
    fn wait(lock: &Arc<Self>, graph: &WaitGraph, me: u64, patience: Patience<'_>) -> Result<(), Refused> {
        let mut waits = graph.waits();
        // Announced before the lock is tried again: a thread that lets go after that looks here, and tells. The fences order
        // what each writes before what it reads of the other's.
        lock.waiting.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let got = loop {
            if lock.try_take(me) {
                break Ok(());
            }
            if lock.waits_for(me, &waits) {
                break Err(Refused::Deadlock);
            }
            if patience.is_some_and(|goes_on| !goes_on()) {
                // It may have been told that the lock is free, and nobody else was.
                lock.freed.notify_one();
                break Err(Refused::Stopped);
            }
            waits.push((me, Arc::clone(lock)));
            waits = match patience {
                None => lock.freed.wait(waits).unwrap_or_else(PoisonError::into_inner),
                Some(_) => {
                    lock.freed.wait_timeout(waits, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0
                }
            };
            waits.retain(|(thread, _)| *thread != me);
        };
        lock.waiting.fetch_sub(1, Ordering::SeqCst);
        got
    }

    fn give_back(&self, graph: &WaitGraph) {
        self.owner.store(0, Ordering::Release);
        fence(Ordering::SeqCst);
        if self.waiting.load(Ordering::SeqCst) > 0 {
            let waits = graph.waits();
            self.freed.notify_one();
            drop(waits);
        }
    }
}

/// Gives the lock back, whatever happens.
struct Inside<'a> {
    state: &'a State,
    graph: &'a WaitGraph,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.state.give_back(self.graph);
    }
}

impl CycleDetectingLock {
    /// Runs `body` alone, on the thread numbered `me`, which is not 0.
    ///
    /// # Errors
    /// The thread did not get in.
    pub(crate) fn with<T>(
        &self,
        graph: &WaitGraph,
        me: u64,
        patience: Patience<'_>,
        body: impl FnOnce() -> T,
    ) -> Result<T, Refused> {
        if !self.0.try_take(me) {
            State::wait(&self.0, graph, me, patience)?;
        }
        let inside = Inside { state: &self.0, graph };
        let answer = body();
        drop(inside);
        Ok(answer)
    }
}
