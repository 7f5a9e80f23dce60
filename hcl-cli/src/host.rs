//! The hosts of the command: what functions may ask of the system by `--allow`, and the files of a batch request.

use std::collections::BTreeMap;
use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hcl_eval::host::{FileKind, Host, HostError, MemoryHost, SystemHost, Timestamp};
use hcl_eval::value::Value;

use crate::args::Capability;
use crate::output::{Failure, NOT_THERE};

/// The host that allows what was allowed on the command line.
///
/// # Errors
/// A folder can't be opened.
pub fn allowing(allowed: &[Capability]) -> Result<SystemHost, Failure> {
    let refused = |what: &str, error: &io::Error| match error.kind() {
        io::ErrorKind::NotFound => Failure::Usage(format!("--allow {what}: {NOT_THERE}")),
        _ => Failure::Usage(format!("--allow {what}: {error}")),
    };
    let needs_folder = |error: io::Error| refused("fs", &error);
    let mut host = SystemHost::new().map_err(needs_folder)?;
    for capability in allowed {
        host = match capability {
            Capability::Files(None) => host.allow_all_files().map_err(needs_folder)?,
            Capability::Files(Some(folder)) => host
                .allow_files_in(folder)
                .map_err(|error| refused(&format!("fs={}", folder.display()), &error))?,
            Capability::Environment => host.allow_environment(),
            Capability::Clock => host.allow_clock(),
            Capability::Random => host.allow_random(),
            Capability::Network => host.with_store(|_, _| Err(HostError::Failed(NO_CLIENT.to_owned()))),
        };
    }
    Ok(host)
}

/// The failure of functions of remote stores when they are allowed: the command itself knows none.
const NO_CLIENT: &str =
    "the command has no client for remote stores; a program that uses the library can provide one";

/// The files of a request in place of real ones; everything else is the other host's.
#[derive(Debug)]
pub struct RequestHost<'h> {
    /// The files of the request.
    files: MemoryHost,
    /// The host for everything else.
    system: &'h dyn Host,
}

impl<'h> RequestHost<'h> {
    /// Files by path, in base64, from the working directory on.
    ///
    /// # Errors
    /// A content is no base64.
    pub fn new(files: &BTreeMap<String, String>, system: &'h dyn Host) -> Result<Self, String> {
        let start = system.working_directory().unwrap_or_else(|_| "/".to_owned());
        let mut memory = MemoryHost::new().with_working_directory(&start);
        for (path, content) in files {
            let content = STANDARD
                .decode(content)
                .map_err(|error| format!("The content of the file {path:?} is not valid base64: {error}."))?;
            memory = memory.with_file(path, content);
        }
        Ok(Self { files: memory, system })
    }
}

impl Host for RequestHost<'_> {
    fn read_file(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        self.files.read_file(path, most)
    }

    fn file_kind(&self, path: &str) -> Result<FileKind, HostError> {
        self.files.file_kind(path)
    }

    fn list_directory(&self, path: &str, most: usize) -> Result<Vec<(String, FileKind)>, HostError> {
        self.files.list_directory(path, most)
    }

    fn working_directory(&self) -> Result<String, HostError> {
        self.files.working_directory()
    }

    fn home_directory(&self) -> Result<String, HostError> {
        self.system.home_directory()
    }

    fn environment_variable(&self, name: &str) -> Result<String, HostError> {
        self.system.environment_variable(name)
    }

    fn now(&self) -> Result<Timestamp, HostError> {
        self.system.now()
    }

    fn start_time(&self) -> Result<Timestamp, HostError> {
        self.system.start_time()
    }

    fn random_bytes(&self, buffer: &mut [u8]) -> Result<(), HostError> {
        self.system.random_bytes(buffer)
    }

    fn call(&self, function: &str, arguments: &[Value]) -> Result<Value, HostError> {
        self.system.call(function, arguments)
    }
}
