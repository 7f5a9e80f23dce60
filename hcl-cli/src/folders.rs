//! Files named on the command line, folders among them, and work on many of them at once.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::output::Failure;

/// Adds a file, or the files in a folder and the folders in it whose names `is_meant`; hidden ones are left out.
/// What can't be read goes to `failures`.
pub fn collect(
    path: &Path,
    is_meant: &impl Fn(&Path) -> bool,
    files: &mut Vec<PathBuf>,
    failures: &mut Vec<Failure>,
) {
    if !path.is_dir() {
        files.push(path.to_owned());
        return;
    }
    let entries: io::Result<Vec<PathBuf>> =
        fs::read_dir(path).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            failures.push(Failure::Input(path.to_owned(), error));
            return;
        }
    };
    entries.sort();
    for entry in entries {
        let hidden = entry.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        // A folder reached through a link is not of this tree, and may be one that is being walked.
        let is_folder = entry.is_dir() && !entry.is_symlink();
        if !hidden && (is_folder || (entry.is_file() && is_meant(&entry))) {
            collect(&entry, is_meant, files, failures);
        }
    }
}

/// The results of `work` for every item, in their order, on as many threads as the machine has processors. When it
/// takes long and somebody watches, standard error tells how far it is.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if let [item] = items {
        return vec![work(item)];
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new((Vec::with_capacity(items.len()), Progress::begin(items.len())));
    let n_threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.0.push((index, result));
                    let n_done = done.0.len();
                    done.1.tell(n_done);
                }
            });
        }
    });
    let (mut done, progress) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    progress.end();
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A line that says how far the work is; only on a terminal, and only from the second second on.
struct Progress {
    n_items: usize,
    is_watched: bool,
    told: Instant,
    is_shown: bool,
}

impl Progress {
    const FIRST: Duration = Duration::from_secs(1);
    const NEXT: Duration = Duration::from_millis(100);

    fn begin(n_items: usize) -> Self {
        Self { n_items, is_watched: io::stderr().is_terminal(), told: Instant::now(), is_shown: false }
    }

    fn tell(&mut self, n_done: usize) {
        let pause = if self.is_shown { Self::NEXT } else { Self::FIRST };
        if self.is_watched && self.told.elapsed() >= pause {
            self.is_shown = true;
            self.told = Instant::now();
            // Who can't read the line does not miss it.
            let _ = write!(io::stderr(), "\r{n_done} of {} files", self.n_items);
        }
    }

    fn end(self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
