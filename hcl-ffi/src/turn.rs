//! Turns: callbacks that one thread at a time may be inside.
//!
//! A callback may evaluate, and so lead to other callbacks. Two threads, each inside one and on its way into the
//! other's, would wait for each other for ever: whoever would close such a circle is refused instead. A free turn
//! is taken with one atomic operation; only those who must wait meet in the [`Graph`].

use super::sync::{Arc, AtomicU64, Condvar, Mutex, MutexGuard, Ordering, PoisonError, fence};

/// Lets one thread in at a time.
#[derive(Debug, Default)]
pub(crate) struct Turn(Arc<Holder>);

#[derive(Debug, Default)]
struct Holder {
    /// The number of the thread inside, 0 for none.
    owner: AtomicU64,
    /// How many threads wait to come in.
    waiting: AtomicU64,
    /// Told when the turn is free; goes with [`Graph::waits`].
    freed: Condvar,
}

/// Which threads wait, and for which turn; a thread waits for one at most.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    waits: Mutex<Vec<(u64, Arc<Holder>)>>,
}

impl Graph {
    fn waits(&self) -> MutexGuard<'_, Vec<(u64, Arc<Holder>)>> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Holder {
    fn try_take(&self, me: u64) -> bool {
        self.owner.compare_exchange(0, me, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// Whether the thread inside waits, perhaps by way of others, for a turn that `me` holds.
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

    /// Waits for the turn; whether it was got.
    #[cold]
    fn wait(turn: &Arc<Self>, graph: &Graph, me: u64) -> bool {
        let mut waits = graph.waits();
        // Announced before the turn is tried again: whoever lets go after that looks here, and tells. The fences order
        // what each writes before what it reads of the other's.
        turn.waiting.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let got = loop {
            if turn.try_take(me) {
                break true;
            }
            if turn.waits_for(me, &waits) {
                break false;
            }
            waits.push((me, Arc::clone(turn)));
            waits = turn.freed.wait(waits).unwrap_or_else(PoisonError::into_inner);
            waits.retain(|(thread, _)| *thread != me);
        };
        turn.waiting.fetch_sub(1, Ordering::SeqCst);
        got
    }

    fn give_back(&self, graph: &Graph) {
        self.owner.store(0, Ordering::Release);
        fence(Ordering::SeqCst);
        if self.waiting.load(Ordering::SeqCst) > 0 {
            let waits = graph.waits();
            self.freed.notify_one();
            drop(waits);
        }
    }
}

/// Gives the turn back, whatever happens.
struct Inside<'a> {
    holder: &'a Holder,
    graph: &'a Graph,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.holder.give_back(self.graph);
    }
}

impl Turn {
    /// Runs `body` alone, on the thread numbered `me`, which is not 0. `None` when waiting would never end: the thread
    /// is inside already, or whoever is inside waits for this thread.
    pub(crate) fn take<T>(&self, graph: &Graph, me: u64, body: impl FnOnce() -> T) -> Option<T> {
        if !self.0.try_take(me) && !Holder::wait(&self.0, graph, me) {
            return None;
        }
        let inside = Inside { holder: &self.0, graph };
        let answer = body();
        drop(inside);
        Some(answer)
    }
}
