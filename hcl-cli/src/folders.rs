//! Files named on the command line, folders among them, and work on many of them at once.

use std::collections::BTreeMap;
use std::fs::{self, FileType};
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::output::Failure;
use crate::scope::is_json;
use crate::vars::FILE_ENDINGS;

/// Adds a file, or the files in a folder and the folders in it whose names `is_meant`; hidden ones are left out.
/// Paths that can't be read go to `failures`.
pub fn collect(
    path: &Path,
    is_meant: &impl Fn(&Path) -> bool,
    files: &mut Vec<PathBuf>,
    failures: &mut Vec<Failure>,
) {
    if path.is_dir() {
        collect_in(path, is_meant, files, failures);
    } else {
        files.push(path.to_owned());
    }
}

/// [`collect`] of a folder.
fn collect_in(
    path: &Path,
    is_meant: &impl Fn(&Path) -> bool,
    files: &mut Vec<PathBuf>,
    failures: &mut Vec<Failure>,
) {
    let entries: io::Result<Vec<(PathBuf, FileType)>> = fs::read_dir(path).and_then(|entries| {
        entries.map(|entry| entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))).collect()
    });
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            failures.push(Failure::Input(path.to_owned(), error));
            return;
        }
    };
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    // An entry that can't be looked at, such as a link that leads nowhere, is told when it is read.
    let may_be_file = |entry: &Path, kind: FileType| {
        kind.is_file() || fs::metadata(entry).map_or(true, |found| found.is_file())
    };
    for (entry, kind) in entries {
        let hidden = entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        // A folder reached through a link is not of this tree, and may be one that is being walked.
        match kind.is_dir() {
            _ if hidden => {}
            true => collect_in(&entry, is_meant, files, failures),
            false if is_meant(&entry) && may_be_file(&entry, kind) => files.push(entry),
            false => {}
        }
    }
}

/// Returns true if a file in a folder is of native syntax, by its ending.
pub fn is_native(path: &Path) -> bool {
    path.extension().is_some_and(|ending| FILE_ENDINGS.iter().any(|known| ending == *known))
}

/// Returns true if a file in a folder is of either syntax: by its ending, and in JSON syntax by the ending before it.
pub fn is_of_language(path: &Path) -> bool {
    let is_known = |stem: &Path| {
        is_native(stem) || stem.extension().is_some_and(|ending| ending == "pkr" || ending == "pkrvars")
    };
    is_native(path) || is_json(path) && path.file_stem().is_some_and(|stem| is_known(Path::new(stem)))
}

/// Hands the result of `work` for every item to `take`, in the order of the items, while other items are in work on
/// up to `n_threads` threads. When it takes long, a line on standard error tells how far it is, if that is a terminal.
///
/// At most 64 results a thread wait for their turn, so that memory does not grow with the number of items.
///
/// # Errors
/// The first error of `take`. Items that were not begun by then are left alone.
pub fn in_parallel<T: Sync, R: Send, E>(
    items: &[T],
    n_threads: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let n_threads = n_threads.get().min(items.len());
    let stderr = io::stderr();
    let mut progress = Progress::begin(stderr.is_terminal().then_some(stderr), items.len(), Instant::now());
    if n_threads <= 1 {
        let result = items.iter().enumerate().try_for_each(|(idx, item)| {
            progress.tell(idx, Instant::now());
            take(item, work(item))
        });
        progress.end();
        return result;
    }
    let batches: Vec<&[T]> = items.chunks((items.len() / (n_threads * BATCHES)).clamp(1, BATCH)).collect();
    let queue = Queue::new(batches.len(), n_threads * AHEAD);
    thread::scope(|scope| {
        let _end = StopOnPanic(&queue);
        let run = || {
            let _end = StopOnPanic(&queue);
            while let Some(idx) = queue.begin() {
                queue.finish(idx, batches[idx].iter().map(&work).collect::<Vec<R>>());
            }
        };
        // The system may give fewer threads than asked for, or none: limits of containers are such.
        let n_started =
            (0..n_threads).take_while(|_| thread::Builder::new().spawn_scoped(scope, run).is_ok()).count();
        let mut n_taken = 0;
        let result = batches.iter().enumerate().try_for_each(|(idx, batch)| {
            let results = match n_started {
                0 => batch.iter().map(&work).collect(),
                // Results are missing only when a thread panicked, which the end of the scope hands on.
                _ => queue.wait_for(idx).unwrap_or_default(),
            };
            batch.iter().zip(results).try_for_each(|(item, result)| {
                progress.tell(n_taken, Instant::now());
                n_taken += 1;
                take(item, result)
            })
        });
        queue.stop();
        progress.end();
        result
    })
}

/// How many items are handed to a thread at once, at most: to hand one over takes a good part of the time of a small file.
const BATCH: usize = 32;
/// How many batches there are at least for a thread, so that the last ones do not keep one thread busy and the others idle.
const BATCHES: usize = 64;
/// How many batches a thread may be ahead of the one that is taken next.
const AHEAD: usize = 2;

/// The batches in work, which are its items, and the results that wait for their turn.
struct Queue<R> {
    /// The number of batches.
    n_items: usize,
    /// How many batches may be begun or waiting beyond the one that is taken next.
    most_ahead: usize,
    state: Mutex<QueueState<R>>,
    /// The result that is taken next is there, or the work was stopped.
    has_next: Condvar,
    /// A thread that was far enough ahead may go on, or the work was stopped.
    has_room: Condvar,
}

/// The progress of the work.
struct QueueState<R> {
    /// How many batches threads have begun.
    n_begun: usize,
    /// How many results have been taken, in order.
    n_taken: usize,
    /// Threads that are far enough ahead.
    n_held_up: usize,
    /// True if no more is to be begun.
    is_stopped: bool,
    /// The results that have not been taken, by batch.
    waiting: BTreeMap<usize, R>,
}

impl<R> Queue<R> {
    fn new(n_items: usize, most_ahead: usize) -> Self {
        let state =
            QueueState { n_begun: 0, n_taken: 0, n_held_up: 0, is_stopped: false, waiting: BTreeMap::new() };
        let (has_next, has_room) = (Condvar::new(), Condvar::new());
        Self { n_items, most_ahead, state: Mutex::new(state), has_next, has_room }
    }

    /// The next item to work on, as soon as it is near enough to the one that is taken next.
    fn begin(&self) -> Option<usize> {
        let is_far =
            |state: &mut QueueState<R>| !state.is_stopped && state.n_begun >= state.n_taken + self.most_ahead;
        let mut state = self.lock();
        state.n_held_up += 1;
        let mut state = wait_while(&self.has_room, state, is_far);
        state.n_held_up -= 1;
        if state.is_stopped || state.n_begun == self.n_items {
            return None;
        }
        state.n_begun += 1;
        Some(state.n_begun - 1)
    }

    /// Hands in the result of an item.
    fn finish(&self, idx: usize, result: R) {
        let mut state = self.lock();
        state.waiting.insert(idx, result);
        // Nobody waits for a result whose turn has not come.
        let is_next = idx == state.n_taken;
        drop(state);
        if is_next {
            self.has_next.notify_one();
        }
    }

    /// The result of an item, once it is there; none if the work was stopped before.
    fn wait_for(&self, idx: usize) -> Option<R> {
        let is_missing = |state: &mut QueueState<R>| !state.is_stopped && !state.waiting.contains_key(&idx);
        let mut state = wait_while(&self.has_next, self.lock(), is_missing);
        let result = state.waiting.remove(&idx);
        state.n_taken = idx + 1;
        let is_one_held_up = state.n_held_up > 0;
        drop(state);
        if is_one_held_up {
            self.has_room.notify_one();
        }
        result
    }

    /// Ends the work; threads finish what they have begun.
    fn stop(&self) {
        self.lock().is_stopped = true;
        self.has_next.notify_all();
        self.has_room.notify_all();
    }

    /// The state. A panic of another thread has no part of it half done.
    fn lock(&self) -> MutexGuard<'_, QueueState<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a change of the state, as long as a condition holds.
fn wait_while<'q, R>(
    change: &Condvar,
    state: MutexGuard<'q, QueueState<R>>,
    condition: impl FnMut(&mut QueueState<R>) -> bool,
) -> MutexGuard<'q, QueueState<R>> {
    change.wait_while(state, condition).unwrap_or_else(PoisonError::into_inner)
}

/// Stops the work when its thread panics: nobody is to wait for a result that never comes.
struct StopOnPanic<'q, R>(&'q Queue<R>);

impl<R> Drop for StopOnPanic<'_, R> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// A line that says how far the work is; only from the second second on.
struct Progress<W: Write> {
    /// Where it is shown; `None` if that is no terminal.
    terminal: Option<W>,
    n_items: usize,
    /// When the line was written last, or the work began.
    told: Instant,
    /// True if there is a line to take away.
    is_shown: bool,
}

impl<W: Write> Progress<W> {
    /// The time before the first line.
    const FIRST: Duration = Duration::from_secs(1);
    /// The time between two.
    const NEXT: Duration = Duration::from_millis(100);

    fn begin(terminal: Option<W>, n_items: usize, now: Instant) -> Self {
        Self { terminal, n_items, told: now, is_shown: false }
    }

    /// Writes how far the work is, if it is time to.
    fn tell(&mut self, n_done: usize, now: Instant) {
        let pause = if self.is_shown { Self::NEXT } else { Self::FIRST };
        if let Some(terminal) = &mut self.terminal
            && now.duration_since(self.told) >= pause
        {
            self.is_shown = true;
            self.told = now;
            // A failure to write the line is no failure of the work.
            let _ = write!(terminal, "\r{n_done} of {}", self.n_items);
        }
    }

    /// Takes the line away.
    fn end(self) {
        if let Some(mut terminal) = self.terminal.filter(|_| self.is_shown) {
            let _ = write!(terminal, "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn progress_is_told_from_the_second_second_on() {
        let begin = Instant::now();
        let after = |millis| begin + Duration::from_millis(millis);
        let mut shown = Vec::new();
        let mut progress = Progress::begin(Some(&mut shown), 9, begin);
        for (n_done, millis) in [(1, 0), (2, 999), (3, 1000), (4, 1050), (5, 1100)] {
            progress.tell(n_done, after(millis));
        }
        progress.end();
        assert_eq!(String::from_utf8(shown), Ok("\r3 of 9\r5 of 9\r\x1b[K".to_owned()));
        let mut shown = Vec::new();
        let mut progress = Progress::begin(Some(&mut shown), 9, begin);
        progress.tell(8, after(999));
        progress.end();
        assert!(shown.is_empty());
        let mut nowhere = Progress::begin(None::<Vec<u8>>, 9, begin);
        nowhere.tell(8, after(5000));
        assert!(!nowhere.is_shown);
    }

    fn threads(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).expect("not zero")
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        for n in [1, 2, 3, 8, 64] {
            let mut taken = Vec::new();
            let work = |&item: &usize| {
                // Early items take longest, so that later ones wait.
                thread::sleep(Duration::from_micros(if item % 97 == 0 { 300 } else { 0 }));
                item * 2
            };
            let result: Result<(), ()> = in_parallel(&items, threads(n), work, |&item, result| {
                taken.push((item, result));
                Ok(())
            });
            assert_eq!(result, Ok(()));
            assert!(taken.iter().copied().eq(items.iter().map(|&item| (item, item * 2))), "{n} threads");
        }
    }

    #[test]
    fn work_stays_near_the_result_that_is_taken_next() {
        let items: Vec<usize> = (0..500).collect();
        let (n_begun, mut most) = (AtomicUsize::new(0), 0);
        let work = |_: &usize| n_begun.fetch_add(1, Ordering::SeqCst);
        let result: Result<(), ()> = in_parallel(&items, threads(2), work, |&item, _| {
            thread::sleep(Duration::from_micros(50));
            most = most.max(n_begun.load(Ordering::SeqCst) - item);
            Ok(())
        });
        assert_eq!(result, Ok(()));
        assert!(most <= (2 * AHEAD + 2) * BATCH, "{most} ahead");
    }

    #[test]
    fn an_error_ends_the_work() {
        let items: Vec<usize> = (0..10_000).collect();
        let n_begun = AtomicUsize::new(0);
        let work = |_: &usize| n_begun.fetch_add(1, Ordering::SeqCst);
        let result =
            in_parallel(&items, threads(4), work, |&item, _| if item == 5 { Err("five") } else { Ok(()) });
        assert_eq!(result, Err("five"));
        assert!(n_begun.into_inner() <= 6 + 5 * AHEAD * BATCH);
    }

    #[test]
    #[should_panic(expected = "third")]
    fn a_panic_over_a_result_ends_the_work() {
        let items: Vec<usize> = (0..10_000).collect();
        let _ = in_parallel(&items, threads(2), usize::clone, |_, item| {
            assert!(item != 2, "third");
            Ok::<(), ()>(())
        });
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_handed_on() {
        let items = [1, 2, 3, 4];
        let work = |&item: &i32| assert!(item != 2, "two");
        let _ = in_parallel(&items, threads(2), work, |_, ()| Ok::<(), ()>(()));
    }
}
