//! What functions may ask of the outside world, as a trait: the evaluator itself knows no files, clock,
//! environment, network or randomness.
//!
//! Every method refuses by default, so a host implements what it allows and nothing else.

use std::fmt;

use crate::value::Value;

/// A kind of outside access.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Capability {
    /// Files and folders, and the name of the working directory.
    Files,
    /// Environment variables and the name of the home directory.
    Environment,
    /// The current time.
    Clock,
    /// Random bytes.
    Random,
    /// Anything that needs a network or a remote store.
    Network,
}

impl Capability {
    /// The name by which a user allows it: `fs`, `env`, `clock`, `random`, `network`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Files => "fs",
            Self::Environment => "env",
            Self::Clock => "clock",
            Self::Random => "random",
            Self::Network => "network",
        }
    }
}

/// Why the outside world gave no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The host does not allow this kind of access.
    #[error("access to {} is not allowed here", .0.as_str())]
    NotAllowed(Capability),
    /// No such file, variable or function.
    #[error("not found")]
    NotFound,
    /// The host tried and failed; the text says why.
    #[error("{0}")]
    Failed(String),
}

/// What stands at a path.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A device, a socket and the like.
    Other,
}

/// A point in time.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Timestamp {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    pub seconds: i64,
    /// And nanoseconds, below 10⁹.
    pub nanoseconds: u32,
}

/// The outside world as functions see it. Paths are as the expression gives them, `/` between parts.
pub trait Host: Send + Sync {
    /// The content of a file.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn read_file(&self, _path: &str) -> Result<Vec<u8>, HostError> {
        Err(HostError::NotAllowed(Capability::Files))
    }

    /// What stands at a path; [`HostError::NotFound`] if nothing does.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn file_kind(&self, _path: &str) -> Result<FileKind, HostError> {
        Err(HostError::NotAllowed(Capability::Files))
    }

    /// The names in a folder with their kinds, in any order.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn list_directory(&self, _path: &str) -> Result<Vec<(String, FileKind)>, HostError> {
        Err(HostError::NotAllowed(Capability::Files))
    }

    /// The absolute path of the folder that relative paths start from.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn working_directory(&self) -> Result<String, HostError> {
        Err(HostError::NotAllowed(Capability::Files))
    }

    /// The user's home folder.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn home_directory(&self) -> Result<String, HostError> {
        Err(HostError::NotAllowed(Capability::Environment))
    }

    /// An environment variable; [`HostError::NotFound`] if it is not set.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn environment_variable(&self, _name: &str) -> Result<String, HostError> {
        Err(HostError::NotAllowed(Capability::Environment))
    }

    /// The time.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn now(&self) -> Result<Timestamp, HostError> {
        Err(HostError::NotAllowed(Capability::Clock))
    }

    /// The time that stays the same for the whole run of the program.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn start_time(&self) -> Result<Timestamp, HostError> {
        self.now()
    }

    /// Fills `buffer` with random bytes.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn random_bytes(&self, _buffer: &mut [u8]) -> Result<(), HostError> {
        Err(HostError::NotAllowed(Capability::Random))
    }

    /// Answers a function that needs a network or a remote store, such as `vault`.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn call(&self, _function: &str, _arguments: &[Value]) -> Result<Value, HostError> {
        Err(HostError::NotAllowed(Capability::Network))
    }
}

impl fmt::Debug for dyn Host + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Host")
    }
}
