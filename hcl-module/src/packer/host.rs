//! The outside world as a template sees it: relative paths begin in the template's folder.

use std::path::Path;

use hcl_eval::Value;
use hcl_eval::host::{FileKind, Host, HostError, Timestamp};

use crate::files::join;

/// A host whose relative paths begin in a folder. All else is the host's that it stands before.
///
/// ```
/// use hcl_eval::host::{Host, MemoryHost};
/// use hcl_module::TextFiles;
/// use hcl_module::packer::{Template, TemplateOptions};
///
/// let host = MemoryHost::new().with_file("images/motd", "Welcome");
/// let files = TextFiles::from_iter([("images/image.pkr.hcl", "")]);
/// let (template, _) = Template::read("images", &files, &TemplateOptions::default());
/// assert_eq!(template.host(&host).read_file("motd", 100)?, b"Welcome");
/// # Ok::<(), hcl_eval::host::HostError>(())
/// ```
#[derive(Debug)]
pub struct FolderHost<'h> {
    /// The folder, as the template was named.
    folder: &'h str,
    /// The host that is asked in the end.
    outside: &'h dyn Host,
}

impl<'h> FolderHost<'h> {
    pub(super) fn new(folder: &'h str, outside: &'h dyn Host) -> Self {
        Self { folder, outside }
    }

    /// A path as the host outside sees it.
    fn based(&self, path: &str) -> String {
        if Path::new(path).is_absolute() { path.to_owned() } else { join(self.folder, path) }
    }
}

impl Host for FolderHost<'_> {
    fn read_file(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        self.outside.read_file(&self.based(path), most)
    }

    fn file_kind(&self, path: &str) -> Result<FileKind, HostError> {
        self.outside.file_kind(&self.based(path))
    }

    fn list_directory(&self, path: &str, most: usize) -> Result<Vec<(String, FileKind)>, HostError> {
        self.outside.list_directory(&self.based(path), most)
    }

    fn working_directory(&self) -> Result<String, HostError> {
        self.outside.working_directory()
    }

    fn home_directory(&self) -> Result<String, HostError> {
        self.outside.home_directory()
    }

    fn environment_variable(&self, name: &str) -> Result<String, HostError> {
        self.outside.environment_variable(name)
    }

    fn now(&self) -> Result<Timestamp, HostError> {
        self.outside.now()
    }

    fn start_time(&self) -> Result<Timestamp, HostError> {
        self.outside.start_time()
    }

    fn random_bytes(&self, buffer: &mut [u8]) -> Result<(), HostError> {
        self.outside.random_bytes(buffer)
    }

    fn call(&self, function: &str, arguments: &[Value]) -> Result<Value, HostError> {
        self.outside.call(function, arguments)
    }
}
