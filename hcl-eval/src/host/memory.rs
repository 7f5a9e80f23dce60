//! A host whose world is made up: files in memory, a frozen clock, seeded randomness.
//!
//! What was not given is refused, so a test sees what a function asks for.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Capability, FileKind, Host, HostError, Timestamp};
use crate::Str;
use crate::sorting::sort_by;
use crate::value::Value;

/// A host whose world is made up. Built like a value, then shared.
///
/// ```
/// use hcl_eval::host::{Host, MemoryHost, Timestamp};
///
/// let host = MemoryHost::new()
///     .with_file("greeting.txt", "hello")
///     .with_environment_variable("USER", "ann")
///     .with_clock(Timestamp { seconds: 1_700_000_000, nanoseconds: 0 })
///     .with_random_seed(1);
/// assert_eq!(host.read_file("greeting.txt", 100).as_deref(), Ok(&b"hello"[..]));
/// assert!(host.home_directory().is_err());
/// ```
#[derive(Default)]
pub struct MemoryHost {
    /// By absolute path; folders are there because of what is in them, or as `None`.
    files: Option<BTreeMap<String, Option<Vec<u8>>>>,
    working_directory: Option<String>,
    home_directory: Option<String>,
    environment: Option<BTreeMap<Str, String>>,
    now: Option<Timestamp>,
    random: Option<AtomicU64>,
    store: Option<Store>,
}

type Store = Box<dyn Fn(&str, &[Value]) -> Result<Value, HostError> + Send + Sync>;

impl MemoryHost {
    /// A host that refuses everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; relative paths start from the working directory, which comes first if it is not `/`.
    #[must_use]
    pub fn with_file(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        let path = self.absolute(path);
        self.files.get_or_insert_default().insert(path, Some(content.into()));
        self
    }

    /// Adds a folder, which may stay empty.
    #[must_use]
    pub fn with_directory(mut self, path: &str) -> Self {
        let path = self.absolute(path);
        self.files.get_or_insert_default().entry(path).or_default();
        self
    }

    /// Sets the folder that relative paths start from, an absolute path. Files are allowed then.
    #[must_use]
    pub fn with_working_directory(mut self, path: &str) -> Self {
        self.working_directory = Some(clean_absolute("/", path));
        self.with_directory("")
    }

    /// Sets the home folder.
    #[must_use]
    pub fn with_home_directory(mut self, path: &str) -> Self {
        self.home_directory = Some(path.to_owned());
        self
    }

    /// Sets an environment variable; those that were not given are not set.
    #[must_use]
    pub fn with_environment_variable(mut self, name: &str, value: &str) -> Self {
        self.environment.get_or_insert_default().insert(name.into(), value.to_owned());
        self
    }

    /// Sets a clock that stands still.
    #[must_use]
    pub fn with_clock(mut self, now: Timestamp) -> Self {
        self.now = Some(now);
        self
    }

    /// Sets random bytes that follow from a number.
    #[must_use]
    pub fn with_random_seed(mut self, seed: u64) -> Self {
        self.random = Some(AtomicU64::new(seed));
        self
    }

    /// Sets the remote stores: the answers of [`Host::call`].
    #[must_use]
    pub fn with_store(
        mut self,
        answer: impl Fn(&str, &[Value]) -> Result<Value, HostError> + Send + Sync + 'static,
    ) -> Self {
        self.store = Some(Box::new(answer));
        self
    }

    fn absolute(&self, path: &str) -> String {
        clean_absolute(self.working_directory.as_deref().unwrap_or("/"), path)
    }

    fn files(&self) -> Result<&BTreeMap<String, Option<Vec<u8>>>, HostError> {
        self.files.as_ref().ok_or(HostError::NotAllowed(Capability::Files))
    }

    /// Finds the file or folder at an absolute path.
    fn find(&self, path: &str) -> Result<Found<'_>, HostError> {
        let files = self.files()?;
        match files.get(path) {
            Some(Some(content)) => return Ok(Found::File(content)),
            Some(None) => return Ok(Found::Directory),
            None => {}
        }
        if path == "/" || below(files, path).next().is_some() {
            return Ok(Found::Directory);
        }
        // The first folder that is not there ends the search, however long the path is.
        for (end, _) in path.match_indices('/').skip(1) {
            let above = &path[..end];
            match files.get(above) {
                Some(Some(_)) => return Err(HostError::Failed("not a directory".to_owned())),
                None if below(files, above).next().is_none() => break,
                _ => {}
            }
        }
        Err(HostError::NotFound)
    }
}

enum Found<'a> {
    File(&'a [u8]),
    Directory,
}

/// Lists a folder, at any depth: the rest of each path, and whether it is a file.
fn below<'a>(
    files: &'a BTreeMap<String, Option<Vec<u8>>>,
    folder: &str,
) -> impl Iterator<Item = (&'a str, bool)> {
    let start = if folder == "/" { "/".to_owned() } else { format!("{folder}/") };
    let range = files.range::<str, _>((Bound::Excluded(start.as_str()), Bound::Unbounded));
    range.map_while(move |(path, content)| Some((path.strip_prefix(&start)?, content.is_some())))
}

/// An absolute path without `.` and `..`.
fn clean_absolute(folder: &str, path: &str) -> String {
    let start = if path.starts_with('/') { "" } else { folder };
    let mut clean = String::new();
    for part in start.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => clean.truncate(clean.rfind('/').unwrap_or(0)),
            _ => {
                clean.push('/');
                clean.push_str(part);
            }
        }
    }
    if clean.is_empty() { "/".to_owned() } else { clean }
}

impl Host for MemoryHost {
    fn read_file(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        match self.find(&self.absolute(path))? {
            Found::File(content) if content.len() as u64 > most => Err(HostError::TooLong),
            Found::File(content) => Ok(content.to_vec()),
            Found::Directory => Err(HostError::NotAFile(FileKind::Directory)),
        }
    }

    fn file_kind(&self, path: &str) -> Result<FileKind, HostError> {
        Ok(match self.find(&self.absolute(path))? {
            Found::File(_) => FileKind::File,
            Found::Directory => FileKind::Directory,
        })
    }

    fn list_directory(&self, path: &str, most: usize) -> Result<Vec<(String, FileKind)>, HostError> {
        let path = self.absolute(path);
        if let Found::File(_) = self.find(&path)? {
            return Err(HostError::Failed("not a directory".to_owned()));
        }
        let mut names: Vec<(String, FileKind)> = Vec::new();
        for (rest, is_file) in below(self.files()?, &path) {
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, FileKind::Directory),
                None => (rest, if is_file { FileKind::File } else { FileKind::Directory }),
            };
            if names.last().is_none_or(|(last, _)| last != name) {
                names.push((name.to_owned(), kind));
            }
        }
        sort_by(&mut names, |(a, _), (b, _)| a.cmp(b));
        names.dedup();
        if names.len() > most { Err(HostError::TooLong) } else { Ok(names) }
    }

    fn working_directory(&self) -> Result<String, HostError> {
        self.files()?;
        Ok(self.working_directory.clone().unwrap_or_else(|| "/".to_owned()))
    }

    fn home_directory(&self) -> Result<String, HostError> {
        self.home_directory.clone().ok_or(HostError::NotAllowed(Capability::Environment))
    }

    fn environment_variable(&self, name: &str) -> Result<String, HostError> {
        let environment = self.environment.as_ref().ok_or(HostError::NotAllowed(Capability::Environment))?;
        environment.get(name).cloned().ok_or(HostError::NotFound)
    }

    fn now(&self) -> Result<Timestamp, HostError> {
        self.now.ok_or(HostError::NotAllowed(Capability::Clock))
    }

    /// The generator is `SplitMix64`.
    fn random_bytes(&self, buffer: &mut [u8]) -> Result<(), HostError> {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let state = self.random.as_ref().ok_or(HostError::NotAllowed(Capability::Random))?;
        for chunk in buffer.chunks_mut(8) {
            let mut word = state.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            word ^= word >> 31;
            chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }

    fn call(&self, function: &str, arguments: &[Value]) -> Result<Value, HostError> {
        let store = self.store.as_ref().ok_or(HostError::NotAllowed(Capability::Network))?;
        store(function, arguments)
    }
}

impl fmt::Debug for MemoryHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_files = self.files.as_ref().map(BTreeMap::len);
        f.debug_struct("MemoryHost").field("n_files", &n_files).finish_non_exhaustive()
    }
}
