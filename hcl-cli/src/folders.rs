//! Files named on the command line, folders among them, and work on many of them at once.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::OsString;
use std::fs::{self, FileType};
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{iter, mem, thread};

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::source::Source;

use crate::output::Failure;
use crate::scope::is_json;
use crate::vars::FILE_ENDINGS;

/// Selects files of a folder.
pub type IsMeant<'a> = &'a (dyn Fn(&Path) -> bool + Sync);

/// The files that paths lead to.
#[derive(Default, Debug)]
pub struct FoundFiles {
    /// In the order of the paths, and of the names in folders.
    pub files: Vec<PathBuf>,
    /// The folders that can't be read.
    pub failures: Vec<Failure>,
}

impl FoundFiles {
    /// Files that are named, and of folders the files in them and in the folders in them whose names `is_meant`; hidden
    /// ones are left out. Up to `n_threads` threads walk through the folders of a folder.
    pub fn of(paths: &[PathBuf], is_meant: IsMeant<'_>, n_threads: NonZeroUsize) -> Self {
        let mut found = Self::default();
        paths.iter().for_each(|path| found.add(path, is_meant, n_threads));
        found
    }

    /// [`Self::of`] one path.
    fn add(&mut self, path: &Path, is_meant: IsMeant<'_>, n_threads: NonZeroUsize) {
        if !path.is_dir() {
            return self.files.push(path.to_owned());
        }
        let entries = self.entries(path);
        let walk = |entry: &Entry| {
            let mut found = Self::default();
            found.add_entry(path, entry, is_meant);
            found
        };
        let result: Result<(), Infallible> = in_order(&entries, n_threads, walk, |_, mut found| {
            self.files.append(&mut found.files);
            self.failures.append(&mut found.failures);
            Ok(())
        });
        let Ok(()) = result;
    }

    /// Adds an entry of a folder.
    fn add_entry(&mut self, folder: &Path, (name, kind): &Entry, is_meant: IsMeant<'_>) {
        if name.as_encoded_bytes().starts_with(b".") {
            return;
        }
        let path = folder.join(name);
        // A folder reached through a link is not of this tree, and may be one that is being walked.
        if kind.is_dir() {
            let entries = self.entries(&path);
            return entries.iter().for_each(|entry| self.add_entry(&path, entry, is_meant));
        }
        // An entry that can't be looked at, such as a link that leads nowhere, is told when it is read.
        let may_be_file = || kind.is_file() || fs::metadata(&path).map_or(true, |found| found.is_file());
        if is_meant(&path) && may_be_file() {
            self.files.push(path);
        }
    }

    /// The entries of a folder in the order of their names; none of a folder that can't be read.
    fn entries(&mut self, folder: &Path) -> Vec<Entry> {
        let entries = fs::read_dir(folder).and_then(|entries| {
            entries.map(|entry| entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?)))).collect()
        });
        let mut entries: Vec<Entry> = entries.unwrap_or_else(|error| {
            self.failures.push(Failure::Input(folder.to_owned(), error));
            Vec::new()
        });
        // By the names alone: the comparison of paths takes them apart each time, a seventh of the whole walk.
        entries.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        entries
    }
}

/// The name of an entry of a folder, and its kind.
type Entry = (OsString, FileType);

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

/// The memory that something holds, about.
pub trait Weigh {
    /// In bytes.
    fn weight(&self) -> usize;
}

impl Weigh for Diagnostics {
    /// The sources count in full: nothing else may hold them.
    fn weight(&self) -> usize {
        let mut before = None;
        let text_of = |diagnostic: &Diagnostic| {
            let text = diagnostic.source.as_ref().map_or("", Source::text);
            // Those of one text come one after the other.
            if before.replace(text.as_ptr()) == Some(text.as_ptr()) { 0 } else { text.len() }
        };
        size_of_val(&**self) + self.iter().map(text_of).sum::<usize>()
    }
}

impl Weigh for Failure {
    /// A line.
    fn weight(&self) -> usize {
        0
    }
}

impl Weigh for FoundFiles {
    /// All of them are kept in the end, so that none needs to wait.
    fn weight(&self) -> usize {
        0
    }
}

impl Weigh for String {
    fn weight(&self) -> usize {
        self.len()
    }
}

impl<A: Weigh, B: Weigh> Weigh for (A, B) {
    fn weight(&self) -> usize {
        self.0.weight() + self.1.weight()
    }
}

impl<T: Weigh, E: Weigh> Weigh for Result<T, E> {
    fn weight(&self) -> usize {
        self.as_ref().map_or_else(Weigh::weight, Weigh::weight)
    }
}

/// Hands the result of `work` for every item to `take`, in the order of the items, while other items are in work on
/// up to `n_threads` threads. When it takes long, a line on standard error tells how far it is, if that is a terminal.
///
/// At most 64 results a thread wait for their turn, and none is begun out of turn while they hold 4 MiB a thread, so that
/// memory does not grow with the number of items.
///
/// # Errors
/// The first error of `take`. Items that were not begun by then are left alone.
pub fn in_parallel<T: Sync, R: Send + Weigh, E>(
    items: &[T],
    n_threads: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let stderr = io::stderr();
    let mut progress = Progress::begin(stderr.is_terminal().then_some(stderr), items.len(), Instant::now());
    let mut n_taken = 0;
    let result = in_order(items, n_threads, work, |item, result| {
        progress.tell(n_taken, Instant::now());
        n_taken += 1;
        take(item, result)
    });
    progress.end();
    result
}

/// [`in_parallel`] without a line on standard error.
fn in_order<T: Sync, R: Send + Weigh, E>(
    items: &[T],
    n_threads: NonZeroUsize,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    let n_threads = n_threads.get().min(items.len());
    let mut n_taken = 0;
    let mut hand_on = |result: R| {
        n_taken += 1;
        take(&items[n_taken - 1], result)
    };
    if n_threads <= 1 {
        return items.iter().try_for_each(|item| hand_on(work(item)));
    }
    let queue = Queue::new(items.len(), n_threads);
    thread::scope(|scope| {
        let _end = StopOnPanic(&queue);
        let run = || {
            let _end = StopOnPanic(&queue);
            while let Some(range) = queue.begin() {
                work_on(range, items, &work, &queue);
            }
        };
        // The system may give fewer threads than asked for, or none: limits of containers are such.
        let n_started =
            (0..n_threads).take_while(|_| thread::Builder::new().spawn_scoped(scope, run).is_ok()).count();
        let result = match n_started {
            0 => items.iter().try_for_each(|item| hand_on(work(item))),
            // Results are missing only when a thread panicked, which the end of the scope hands on.
            _ => iter::from_fn(|| queue.next()).flatten().try_for_each(&mut hand_on),
        };
        queue.stop();
        result
    })
}

/// Works on some items, one after the other, and hands in the results.
fn work_on<T, R: Weigh>(range: Range<usize>, items: &[T], work: impl Fn(&T) -> R, queue: &Queue<R>) {
    let mut piece = Piece::new();
    for idx in range.clone() {
        if piece.n_bytes >= PIECE {
            queue.hand_in(idx, mem::replace(&mut piece, Piece::new()));
            if !queue.may_go_on_with(idx) {
                return;
            }
        }
        let result = work(&items[idx]);
        piece.n_bytes += result.weight();
        piece.results.push(result);
    }
    queue.hand_in(range.end, piece);
}

/// How many items are handed to a thread at once, at most: to hand one over takes a good part of the time of a small file.
const BATCH: usize = 32;
/// How many batches there are at least for a thread, so that the last ones do not keep one thread busy and the others idle.
const BATCHES: usize = 64;
/// How many batches a thread may be ahead of the one that is taken next.
const AHEAD: usize = 2;
/// How many bytes of results are handed in at once, or a single larger one.
const PIECE: usize = 1 << 16;
/// How many bytes of results may wait for each thread, beyond which it works on what is taken next alone.
const MOST_WAITING: usize = 4 << 20;

/// The items in work, and the results that wait for their turn.
struct Queue<R> {
    /// The number of items.
    n_items: usize,
    /// How many items are handed to a thread at once, at most.
    most_at_once: usize,
    /// How many items may be begun or waiting beyond the one that is taken next.
    most_ahead: usize,
    /// How many bytes of results may wait when an item is begun out of turn.
    most_bytes: usize,
    state: Mutex<QueueState<R>>,
    /// The result that is taken next is there, or the work was stopped.
    has_next: Condvar,
    /// A thread that was far enough ahead may go on, or the work was stopped.
    has_room: Condvar,
}

/// Results of items that follow each other.
struct Piece<R> {
    results: Vec<R>,
    /// How much they hold.
    n_bytes: usize,
}

impl<R> Piece<R> {
    const fn new() -> Self {
        Self { results: Vec::new(), n_bytes: 0 }
    }
}

/// The progress of the work.
struct QueueState<R> {
    /// How many items threads have been given.
    n_begun: usize,
    /// How many results have been taken, in order.
    n_taken: usize,
    /// How many items are handed to the next thread: as many as have results of one piece, by those of before.
    n_at_once: usize,
    /// Threads that are far enough ahead.
    n_held_up: usize,
    /// True if no more is to be begun.
    is_stopped: bool,
    /// The results that have not been taken, by the first of their items.
    waiting: BTreeMap<usize, Piece<R>>,
    /// How much these hold.
    n_bytes: usize,
}

impl<R> Queue<R> {
    fn new(n_items: usize, n_threads: usize) -> Self {
        let state = QueueState {
            n_begun: 0,
            n_taken: 0,
            n_at_once: 1,
            n_held_up: 0,
            is_stopped: false,
            waiting: BTreeMap::new(),
            n_bytes: 0,
        };
        Self {
            n_items,
            most_at_once: (n_items / (n_threads * BATCHES)).clamp(1, BATCH),
            most_ahead: n_threads * AHEAD * BATCH,
            most_bytes: n_threads * MOST_WAITING,
            state: Mutex::new(state),
            has_next: Condvar::new(),
            has_room: Condvar::new(),
        }
    }

    /// The next items to work on, as soon as they are near enough to the one that is taken next.
    fn begin(&self) -> Option<Range<usize>> {
        let mut state = self.wait_for_room(self.lock(), |state| state.n_begun);
        if state.is_stopped || state.n_begun == self.n_items {
            return None;
        }
        let first = state.n_begun;
        state.n_begun = self.n_items.min(first + state.n_at_once);
        Some(first..state.n_begun)
    }

    /// Returns true as soon as the thread that was given an item may begin it, and false if the work was stopped.
    fn may_go_on_with(&self, idx: usize) -> bool {
        !self.wait_for_room(self.lock(), |_| idx).is_stopped
    }

    /// Waits until an item is the one that is taken next, or few enough results wait; or until the work is stopped. As the
    /// items before one that was begun are begun or done, there is always one that does not wait.
    fn wait_for_room<'q>(
        &'q self,
        mut state: MutexGuard<'q, QueueState<R>>,
        item: impl Fn(&QueueState<R>) -> usize,
    ) -> MutexGuard<'q, QueueState<R>> {
        let is_far = |state: &mut QueueState<R>| {
            let ahead = item(state) - state.n_taken;
            let is_out_of_turn = ahead > 0 && (ahead >= self.most_ahead || state.n_bytes >= self.most_bytes);
            !state.is_stopped && is_out_of_turn
        };
        state.n_held_up += 1;
        let mut state = wait_while(&self.has_room, state, is_far);
        state.n_held_up -= 1;
        state
    }

    /// Hands in the results of the items before `end`.
    fn hand_in(&self, end: usize, piece: Piece<R>) {
        let first = end - piece.results.len();
        let mut state = self.lock();
        state.n_at_once = (PIECE * (end - first) / piece.n_bytes.max(1)).clamp(1, self.most_at_once);
        state.n_bytes += piece.n_bytes;
        state.waiting.insert(first, piece);
        // Nobody waits for a result whose turn has not come.
        let is_next = first == state.n_taken;
        drop(state);
        if is_next {
            self.has_next.notify_one();
        }
    }

    /// The results that are taken next, once they are there; none at the end, or if the work was stopped before.
    fn next(&self) -> Option<Vec<R>> {
        let is_missing = |state: &mut QueueState<R>| {
            let is_open = !state.is_stopped && state.n_taken < self.n_items;
            is_open && !state.waiting.contains_key(&state.n_taken)
        };
        let mut state = wait_while(&self.has_next, self.lock(), is_missing);
        let next = state.n_taken;
        let piece = state.waiting.remove(&next)?;
        state.n_taken += piece.results.len();
        state.n_bytes -= piece.n_bytes;
        let is_one_held_up = state.n_held_up > 0;
        drop(state);
        if is_one_held_up {
            self.has_room.notify_all();
        }
        Some(piece.results)
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

    /// Items of tests have no weight but where they say so.
    macro_rules! weigh_nothing {
        ($($kind:ty),*) => { $(impl Weigh for $kind { fn weight(&self) -> usize { 0 } })* };
    }
    weigh_nothing!(usize, ());

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

    /// A result that holds so many bytes, as it says.
    struct Heavy(usize);

    impl Weigh for Heavy {
        fn weight(&self) -> usize {
            self.0
        }
    }

    /// How many items were begun at most, beyond the one that is taken next, when the first takes long.
    fn most_ahead(items: &[usize], n_threads: usize) -> usize {
        let (n_begun, mut most) = (AtomicUsize::new(0), 0);
        let work = |&weight: &usize| {
            if n_begun.fetch_add(1, Ordering::SeqCst) == 0 {
                thread::sleep(Duration::from_millis(20));
            }
            Heavy(weight)
        };
        let mut n_taken = 0;
        let result: Result<(), ()> = in_parallel(items, threads(n_threads), work, |_, Heavy(_)| {
            most = most.max(n_begun.load(Ordering::SeqCst) - n_taken);
            n_taken += 1;
            Ok(())
        });
        assert_eq!((result, n_taken), (Ok(()), items.len()));
        most
    }

    #[test]
    fn results_that_wait_are_few_when_they_are_large() {
        let mib = 1 << 20;
        let small_first: Vec<usize> = (0..4000).map(|idx| if idx < 2000 { 10 } else { mib }).collect();
        for n_threads in [2, 4, 16] {
            let most_waiting = n_threads * MOST_WAITING / mib;
            // Each thread begins one when the others are about to reach the bound.
            let most = most_ahead(&[mib; 500], n_threads);
            assert!(most <= most_waiting + 2 * n_threads, "{most} ahead on {n_threads} threads");
            // A result that is larger than all that may wait is in work for one thread each.
            let most = most_ahead(&[n_threads * MOST_WAITING; 50], n_threads);
            assert!(most <= 2 * n_threads, "{most} huge ones ahead on {n_threads} threads");
            most_ahead(&small_first, n_threads);
        }
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
