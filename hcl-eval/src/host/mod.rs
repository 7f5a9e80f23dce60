//! The outside world of functions, as a trait: the evaluator itself knows no files, clock, environment, network or
//! randomness.
//!
//! Every method refuses by default, so a host implements what it allows and nothing else. There are two
//! ready-made hosts: [`MemoryHost`], whose world is made up, for tests and for files that come from
//! elsewhere; and, with the Cargo feature `system-host`, [`SystemHost`], which opens as much of the real
//! world as it is told to.

mod memory;
#[cfg(feature = "system-host")]
mod resolve;
#[cfg(feature = "system-host")]
mod system;
mod user;

use std::fmt;

pub use memory::MemoryHost;
#[cfg(feature = "system-host")]
pub use system::SystemHost;
pub use user::User;

use hcl_syntax::diagnostic::Diagnostics;

use crate::limits::Stopped;
use crate::value::Value;

/// A kind of outside access.
///
/// ```
/// use hcl_eval::dialect;
/// use hcl_eval::host::Capability;
///
/// let functions = dialect::terraform();
/// assert_eq!(functions.get("timestamp").unwrap().needed_capability(), Some(Capability::Clock));
/// assert_eq!(Capability::Clock.as_str(), "clock");
/// ```
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

    /// Names the goal of such access, as the object of a sentence.
    pub fn description(self) -> &'static str {
        match self {
            Self::Files => "files and folders",
            Self::Environment => "environment variables and the home directory",
            Self::Clock => "the clock",
            Self::Random => "random numbers",
            Self::Network => "the network",
        }
    }
}

/// The reason that the outside world gave no answer.
///
/// ```
/// use hcl_eval::host::{Host, HostError, MemoryHost};
///
/// let host = MemoryHost::new().with_file("motd", "Welcome");
/// assert_eq!(host.read_file("motd", 100).ok().as_deref(), Some(&b"Welcome"[..]));
/// assert!(matches!(host.read_file("other", 100), Err(HostError::NotFound)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The host does not allow this kind of access.
    #[error("access to {} is not allowed here", .0.as_str())]
    NotAllowed(Capability),
    /// A file or folder lies outside of those that the host allows.
    #[error("outside of the folders that are allowed here")]
    Outside,
    /// No such file, variable or function.
    #[error("not found")]
    NotFound,
    /// A file is wanted, and there is something else: a folder, a device.
    #[error("{}", .0.description())]
    NotAFile(FileKind),
    /// A file is longer than the caller can take.
    #[error("too long")]
    TooLong,
    /// The answer will be known only later, so that the result of the function is unknown.
    #[error("not known yet")]
    NotKnownYet,
    /// The evaluation was cancelled, or its deadline passed, while the host was asked; it ends.
    #[error("{}", .0.sentence("the question to the host"))]
    Stopped(Stopped),
    /// The host tried and failed; the text says why.
    #[error("{0}")]
    Failed(String),
    /// The host tried and failed, and says why in its own words.
    #[error("{}", .0.first().map_or("the host failed", |said| &*said.summary))]
    Diagnosed(Diagnostics),
}

/// The kind of thing at a path.
///
/// ```
/// use hcl_eval::host::{FileKind, Host, MemoryHost};
///
/// let host = MemoryHost::new().with_file("etc/motd", "Welcome");
/// assert_eq!(host.file_kind("etc")?, FileKind::Directory);
/// # Ok::<(), hcl_eval::host::HostError>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A symbolic link; only in listings, everywhere else links are followed.
    Link,
    /// A device, a socket and the like.
    Other,
}

impl FileKind {
    /// Names the kind of file, as a sentence would.
    pub fn description(self) -> &'static str {
        match self {
            Self::File => "a regular file",
            Self::Directory => "a directory",
            Self::Link => "a symbolic link",
            Self::Other => "a device, a pipe or a socket",
        }
    }
}

/// A point in time.
///
/// ```
/// use hcl_eval::host::{Host, MemoryHost, Timestamp};
///
/// let host = MemoryHost::new().with_clock(Timestamp { seconds: 1_700_000_000, nanoseconds: 0 });
/// assert_eq!(host.now()?.seconds, 1_700_000_000);
/// # Ok::<(), hcl_eval::host::HostError>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Timestamp {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    pub seconds: i64,
    /// And nanoseconds, below 10⁹.
    pub nanoseconds: u32,
}

/// The outside world as functions see it. Paths have `/` between their parts and are cleaned: `.`, and `..`
/// after a name, do not occur in them. Relative ones start from the working directory.
///
/// ```
/// use hcl_eval::dialect;
/// use hcl_eval::eval::{EvalOptions, Scope, evaluate};
/// use hcl_eval::host::{Host, HostError};
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::ParsedExpression;
///
/// /// Files that are made when they are read; everything else is not allowed.
/// struct Generated;
///
/// impl Host for Generated {
///     fn read_file(&self, path: &str, _most: u64) -> Result<Vec<u8>, HostError> {
///         Ok(format!("content of {path}").into_bytes())
///     }
/// }
///
/// let options = EvalOptions { host: Some(&Generated), ..EvalOptions::default() };
/// let scope = Scope::builder().functions(dialect::terraform()).build();
/// let parsed: ParsedExpression = "file(\"a.txt\")".parse()?;
/// let value = evaluate(parsed.expression(), Some(&scope), &options).into_result()?;
/// assert_eq!(value.as_str(), Some("content of a.txt"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub trait Host: Send + Sync {
    /// The content of a regular file. A file of more than `most` bytes is [`HostError::TooLong`] and is not
    /// read.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn read_file(&self, _path: &str, _most: u64) -> Result<Vec<u8>, HostError> {
        Err(HostError::NotAllowed(Capability::Files))
    }

    /// Returns the kind of file at a path, links followed; [`HostError::NotFound`] if there is none.
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn file_kind(&self, _path: &str) -> Result<FileKind, HostError> {
        Err(HostError::NotAllowed(Capability::Files))
    }

    /// The names in a folder with their kinds, links not followed, in any order. More than `most` are
    /// [`HostError::TooLong`].
    ///
    /// # Errors
    /// Access is refused, or failed.
    fn list_directory(&self, _path: &str, _most: usize) -> Result<Vec<(String, FileKind)>, HostError> {
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

    /// Asks a remote store, for a function that needs one; [`HostError::NotFound`] if the store has nothing
    /// there. `vault` passes the path and gets the data of the secret, an object; `consul_key` passes the key and
    /// gets a text; `aws_secretsmanager` and `aws_secretsmanager_raw` pass the name and get the text of the secret.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_host_is_shown_alike() {
        let host: &dyn Host = &MemoryHost::new();
        assert_eq!(format!("{host:?}"), "Host");
    }
}
