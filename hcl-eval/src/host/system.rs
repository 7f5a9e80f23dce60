//! The real outside world, as much of it as is allowed.
//!
//! Every access to the system is in this file and in `resolve`.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use cap_std::fs::{FileType, OpenOptions};

use super::resolve::{Folders, Place, failure};
use super::{Capability, FileKind, Host, HostError, Timestamp};
use crate::value::Value;

/// The real outside world, as much of it as is allowed: nothing at first. Built like a value, then shared.
///
/// Files are those below the folders that are allowed. Links and `..` are followed, but not out of these
/// folders. Only regular files are read.
///
/// ```no_run
/// use hcl_eval::host::SystemHost;
///
/// let host = SystemHost::new()?.allow_files_in("templates".as_ref())?.allow_clock();
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct SystemHost {
    folders: Folders,
    files: bool,
    environment: bool,
    /// When the host was made, if the clock is allowed.
    started: Option<Timestamp>,
    random: bool,
    store: Option<Store>,
}

type Store = Box<dyn Fn(&str, &[Value]) -> Result<Value, HostError> + Send + Sync>;

impl SystemHost {
    /// A host that allows nothing. Relative paths will start from the present working directory.
    ///
    /// # Errors
    /// There is no working directory.
    pub fn new() -> io::Result<Self> {
        let start = std::env::current_dir()?;
        Ok(Self::starting_in(&start))
    }

    /// A host that allows nothing. Relative paths will start from `folder`, an absolute path.
    pub fn starting_in(folder: &Path) -> Self {
        let folders = Folders::new(folder);
        Self { folders, files: false, environment: false, started: None, random: false, store: None }
    }

    /// Opens the files below a folder, which must be there.
    ///
    /// # Errors
    /// The folder can't be opened.
    pub fn allow_files_in(mut self, folder: &Path) -> io::Result<Self> {
        self.folders.allow(folder)?;
        self.files = true;
        Ok(self)
    }

    /// Opens all files of the system.
    ///
    /// # Errors
    /// The root folder can't be opened.
    pub fn allow_all_files(self) -> io::Result<Self> {
        let start = self.folders.start();
        let root = start.ancestors().last().unwrap_or(Path::new("/")).to_owned();
        self.allow_files_in(&root)
    }

    /// Opens environment variables and the home directory.
    #[must_use]
    pub fn allow_environment(mut self) -> Self {
        self.environment = true;
        self
    }

    /// Opens the clock. The start time is now.
    #[must_use]
    pub fn allow_clock(mut self) -> Self {
        self.started = Some(now());
        self
    }

    /// Opens random bytes.
    #[must_use]
    pub fn allow_random(mut self) -> Self {
        self.random = true;
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

    fn place(&self, path: &str) -> Result<Place<'_>, HostError> {
        if self.files { self.folders.resolve(path) } else { Err(HostError::NotAllowed(Capability::Files)) }
    }
}

fn now() -> Timestamp {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => Timestamp {
            seconds: i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
            nanoseconds: since.subsec_nanos(),
        },
        // A clock before 1970 is wrong by much more than a second.
        Err(until) => Timestamp {
            seconds: i64::try_from(until.duration().as_secs()).map_or(i64::MIN, |seconds| -seconds),
            nanoseconds: 0,
        },
    }
}

fn kind_of(file_type: FileType) -> FileKind {
    if file_type.is_file() {
        FileKind::File
    } else if file_type.is_dir() {
        FileKind::Directory
    } else if file_type.is_symlink() {
        FileKind::Link
    } else {
        FileKind::Other
    }
}

fn kind_at(place: &Place<'_>) -> Result<FileKind, HostError> {
    if place.path.as_os_str().is_empty() {
        return Ok(FileKind::Directory);
    }
    let metadata = place.folder.metadata(&place.path).map_err(|error| failure(&error))?;
    Ok(kind_of(metadata.file_type()))
}

/// How much of a file that does not tell its length is read first.
const BYTES_AT_FIRST: u64 = 4096;

/// Opening a pipe without this would wait until another process writes to it.
#[cfg(unix)]
fn without_waiting(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt;
    options.custom_flags(libc::O_NONBLOCK);
}

#[cfg(not(unix))]
fn without_waiting(_: &mut OpenOptions) {}

impl Host for SystemHost {
    fn read_file(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        let place = self.place(path)?;
        // Opening a device may do something, so it is looked at before, and again after: it may have changed.
        let kind = kind_at(&place)?;
        if kind != FileKind::File {
            return Err(HostError::NotAFile(kind));
        }
        let mut options = OpenOptions::new();
        options.read(true);
        without_waiting(&mut options);
        let file = place.folder.open_with(&place.path, &options).map_err(|error| failure(&error))?;
        let metadata = file.metadata().map_err(|error| failure(&error))?;
        let kind = kind_of(metadata.file_type());
        if kind != FileKind::File {
            return Err(HostError::NotAFile(kind));
        }
        if metadata.len() > most {
            return Err(HostError::TooLong);
        }
        let mut content = Vec::new();
        let mut room = metadata.len().max(BYTES_AT_FIRST).min(most).saturating_add(1);
        loop {
            content.reserve_exact(usize::try_from(room).unwrap_or(usize::MAX));
            let read = (&file).take(room).read_to_end(&mut content).map_err(|error| failure(&error))?;
            let len = content.len() as u64;
            if len > most {
                return Err(HostError::TooLong);
            }
            if (read as u64) < room {
                return Ok(content);
            }
            // It has grown, or does not tell its length.
            room = len.min(most - len + 1);
        }
    }

    fn file_kind(&self, path: &str) -> Result<FileKind, HostError> {
        kind_at(&self.place(path)?)
    }

    fn list_directory(&self, path: &str, most: usize) -> Result<Vec<(String, FileKind)>, HostError> {
        let place = self.place(path)?;
        let entries = match place.path.as_os_str().is_empty() {
            true => place.folder.entries(),
            false => place.folder.read_dir(&place.path),
        };
        let mut found = Vec::new();
        for entry in entries.map_err(|error| failure(&error))? {
            let entry = entry.map_err(|error| failure(&error))?;
            // A name that is no text can't be written in an expression either.
            let Ok(name) = entry.file_name().into_string() else { continue };
            if found.len() >= most {
                return Err(HostError::TooLong);
            }
            found.push((name, entry.file_type().map_or(FileKind::Other, kind_of)));
        }
        Ok(found)
    }

    fn working_directory(&self) -> Result<String, HostError> {
        if !self.files {
            return Err(HostError::NotAllowed(Capability::Files));
        }
        let start = self.folders.start().into_os_string().into_string();
        start.map_err(|_| HostError::Failed("the name of the working directory is no text".to_owned()))
    }

    fn home_directory(&self) -> Result<String, HostError> {
        if !self.environment {
            return Err(HostError::NotAllowed(Capability::Environment));
        }
        let home = std::env::home_dir().and_then(|home| home.into_os_string().into_string().ok());
        home.ok_or_else(|| HostError::Failed("the user has no home directory".to_owned()))
    }

    fn environment_variable(&self, name: &str) -> Result<String, HostError> {
        if !self.environment {
            return Err(HostError::NotAllowed(Capability::Environment));
        }
        // No variable has such a name, and the system must not be asked for one.
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(HostError::NotFound);
        }
        let value = std::env::var_os(name).ok_or(HostError::NotFound)?;
        value.into_string().map_err(|_| HostError::Failed(format!("the variable {name:?} is no text")))
    }

    fn now(&self) -> Result<Timestamp, HostError> {
        self.started.map(|_| now()).ok_or(HostError::NotAllowed(Capability::Clock))
    }

    fn start_time(&self) -> Result<Timestamp, HostError> {
        self.started.ok_or(HostError::NotAllowed(Capability::Clock))
    }

    fn random_bytes(&self, buffer: &mut [u8]) -> Result<(), HostError> {
        if !self.random {
            return Err(HostError::NotAllowed(Capability::Random));
        }
        getrandom::fill(buffer).map_err(|error| HostError::Failed(error.to_string()))
    }

    fn call(&self, function: &str, arguments: &[Value]) -> Result<Value, HostError> {
        let store = self.store.as_ref().ok_or(HostError::NotAllowed(Capability::Network))?;
        store(function, arguments)
    }
}

impl fmt::Debug for SystemHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SystemHost").field("folders", &self.folders).finish_non_exhaustive()
    }
}
