//! `--watch`: the work of a verb, again whenever one of its files changes, until Ctrl-C.
//!
//! Files are looked at a few times a second. That works for every file system, also for those that tell of no
//! changes, and an editor that replaces a file by a new one is nothing special.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use crate::folders::{FoundFiles, IsMeant};
use crate::output::{Failure, Outcome, complain};

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(250);

/// Does the work at once and after each change below `paths`. Complaints about the input do not end it.
///
/// # Errors
/// The result can't be written.
pub fn watch(
    paths: &[PathBuf],
    is_meant: impl Fn(&Path) -> bool + Sync,
    mut work: impl FnMut() -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    if paths.iter().any(|path| path == Path::new("-")) {
        return Err(Failure::Usage("--watch needs files; standard input can't be read again".to_owned()));
    }
    loop {
        let seen = state(paths, &is_meant);
        match work() {
            Err(Failure::Output(error)) => return Err(Failure::Output(error)),
            Err(failure) => complain(&failure),
            Ok(()) => {}
        }
        // Changes made while the work was done count too.
        while state(paths, &is_meant) == seen {
            sleep(PAUSE);
        }
    }
}

/// The files there are, with what changes when they do.
fn state(paths: &[PathBuf], is_meant: IsMeant<'_>) -> Vec<(PathBuf, Option<(SystemTime, u64)>)> {
    let found = FoundFiles::of(paths, is_meant, NonZeroUsize::MIN);
    let looks = |path: &PathBuf| {
        let metadata = std::fs::metadata(path).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    };
    found.files.into_iter().map(|path| (path.clone(), looks(&path))).collect()
}
