//! The files of the system, as modules and the second command ask for them: by paths that are texts.
//!
//! Names need not be UTF-8 for the system. In texts U+FFFD stands where they are not, and leads back to the file if there is
//! one that is shown so.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hcl_module::{FileError, Files};

use crate::output::read_file;

/// The files of the system: who names a module on the command line lets it be read.
#[derive(Copy, Clone, Debug)]
pub struct DiskFiles;

impl Files for DiskFiles {
    fn names_in(&self, folder: &str) -> Result<Vec<String>, FileError> {
        let entries = fs::read_dir(path_shown_as(folder)).map_err(|error| file_error(&error))?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| file_error(&error))?;
            // A link that leads nowhere is a file that can't be read; a folder or a pipe is none of the module.
            if fs::metadata(entry.path()).map_or(true, |found| found.is_file()) {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        Ok(names)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        read_file(&path_shown_as(path)).map_err(|error| match file_error(&error) {
            FileError::NotFound if path.contains(char::REPLACEMENT_CHARACTER) => FileError::Failed(
                "its name is not UTF-8, and no file or several are shown with it".to_owned(),
            ),
            other => other,
        })
    }
}

/// An error of the system as modules know it.
fn file_error(error: &io::Error) -> FileError {
    match error.kind() {
        io::ErrorKind::NotFound => FileError::NotFound,
        _ => FileError::Failed(error.to_string()),
    }
}

/// The path of a folder as modules say it.
pub fn folder_name(folder: &Path) -> String {
    let text = folder.to_string_lossy().into_owned();
    if text.is_empty() { ".".to_owned() } else { text }
}

/// Returns the path of the system that is shown as a text, which is the path itself unless a name in it is not UTF-8.
pub fn path_shown_as(text: &str) -> PathBuf {
    if !text.contains(char::REPLACEMENT_CHARACTER) {
        return PathBuf::from(text);
    }
    let parts = Path::new(text).components();
    parts.fold(PathBuf::new(), |folder, part| entry_shown_as(&folder, part.as_os_str()))
}

/// Returns the path of an entry of a folder whose name is shown as a text.
pub fn entry_shown_as(folder: &Path, name: &OsStr) -> PathBuf {
    let path = folder.join(name);
    let may_be_shown = name.to_string_lossy().contains(char::REPLACEMENT_CHARACTER);
    if !may_be_shown || path.symlink_metadata().is_ok() {
        return path;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names =
        fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.file_name());
    let mut shown_so = names.filter(|found| found.to_string_lossy() == name.to_string_lossy());
    match (shown_so.next(), shown_so.next()) {
        (Some(found), None) => path.with_file_name(found),
        _ => path,
    }
}
