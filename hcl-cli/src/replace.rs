//! Files rewritten so that nothing is lost: neither the text when something fails halfway, nor permissions, owner,
//! access lists, other extended attributes and links of the file.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::output::Failure;
#[cfg(unix)]
use crate::signals;

/// Checks that the file at `path` can be rewritten, before a pipe is read that nobody writes to.
///
/// # Errors
/// It is no regular file: a pipe or a device has no content to replace.
pub(crate) fn check_replaceable(path: &Path) -> Result<(), Failure> {
    let is_regular = fs::metadata(path).map(|metadata| metadata.is_file());
    match is_regular {
        Ok(false) => {
            let reason = "not a regular file, and only those can be rewritten; `-` stands for standard input";
            Err(Failure::Input(path.to_owned(), io::Error::other(reason)))
        }
        Ok(true) => Ok(()),
        Err(error) => Err(Failure::Input(path.to_owned(), error)),
    }
}

/// Leaves each file in the list once, under its first name: a file that is written where it is must not be read
/// meanwhile under another.
pub(crate) fn keep_first_names(files: &mut Vec<PathBuf>) {
    let mut seen = BTreeSet::new();
    files.retain(|path| {
        fs::metadata(path).ok().and_then(|file| identity(&file)).is_none_or(|id| seen.insert(id))
    });
}

/// Makes signals that end the process wait until no file is half replaced, for as long as the result lives. To be called
/// before threads are started that replace files.
#[cfg(unix)]
pub(crate) fn hold_back_signals() -> Option<signals::HeldBack> {
    signals::HeldBack::new()
}

/// Does nothing: a signal leaves the file that is written beside the old one.
#[cfg(not(unix))]
pub(crate) fn hold_back_signals() -> Option<()> {
    None
}

/// Puts `content` in place of that of the file at `path`.
///
/// That happens in one step by a new file with the same owner, permissions and extended attributes. A symbolic link stays
/// a link. A file of several names (hard links), or whose owner or attributes a new file can't have, is written where it
/// is, with a copy of the new content beside it until that is done.
///
/// # Errors
/// The file can't be written; if it may be damaged, the message says where its new content is.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let failure = |error| Failure::Input(path.to_owned(), error);
    check_replaceable(path)?;
    try_replace(path, content).map_err(failure)
}

fn try_replace(path: &Path, content: &[u8]) -> io::Result<()> {
    #[cfg(unix)]
    let _under_way = signals::replacement();
    let path = path.canonicalize()?;
    // A new name needs no permission to write to the old file, but a user who took that away means it.
    let mut old = OpenOptions::new().write(true).open(&path)?;
    let metadata = old.metadata()?;
    // Nothing removes it if the process is killed, so that its name says whose it is.
    let mut new = Builder::new().prefix(".hcl-new-").tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
    new.write_all(content)?;
    let can_stand_in = n_names(&metadata) == 1
        && has_taken_owner(new.as_file(), &metadata)
        && new.as_file().set_permissions(metadata.permissions()).is_ok()
        && take_attributes(new.as_file(), &old).is_ok();
    new.as_file().sync_all()?;
    if !can_stand_in {
        make_longer(&mut old, metadata.len(), content)?;
        return write_in_place(old, content).map_err(|error| damaged(new, &error));
    }
    new.persist(&path)?;
    Ok(())
}

/// Writes what the content has beyond the old length, for which there may be no room: the file is then as it was.
fn make_longer(file: &mut File, old_len: u64, content: &[u8]) -> io::Result<()> {
    let old_end = usize::try_from(old_len).unwrap_or(usize::MAX).min(content.len());
    if old_end == content.len() {
        return Ok(());
    }
    file.seek(SeekFrom::Start(old_len))?;
    file.write_all(&content[old_end..]).and_then(|()| file.sync_all()).or_else(|error| {
        file.set_len(old_len)?;
        Err(error)
    })
}

fn write_in_place(mut file: File, content: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(content)?;
    file.set_len(content.len() as u64)?;
    file.sync_all()
}

/// The error about a file that could be written only in part, once the copy of its new content is kept.
fn damaged(copy: NamedTempFile, error: &io::Error) -> io::Error {
    let place = copy.into_temp_path().keep().unwrap_or_else(|_| PathBuf::from("nowhere"));
    io::Error::new(
        error.kind(),
        format!("{error}; the file may be damaged, its new content is in {}", place.display()),
    )
}

/// Returns the numbers that all names of a file share, and no other file has.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(unix)]
fn n_names(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn n_names(_: &Metadata) -> u64 {
    1
}

/// Returns whether the new file has, or now was given, the owner of the old one.
#[cfg(unix)]
fn has_taken_owner(new: &File, old: &Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt, fchown};
    let has_owner = |new: Metadata| (new.uid(), new.gid()) == (old.uid(), old.gid());
    new.metadata().is_ok_and(has_owner) || fchown(new, Some(old.uid()), Some(old.gid())).is_ok()
}

#[cfg(not(unix))]
fn has_taken_owner(_: &File, _: &Metadata) -> bool {
    true
}

/// Gives the new file the extended attributes of the old one, of which access lists are some, and no others. Without the list
/// the mode, whose group permissions are the list's mask, would grant more than it did.
#[cfg(unix)]
fn take_attributes(new: &File, old: &File) -> io::Result<()> {
    use xattr::FileExt;
    let names = |file: &File| match file.list_xattr() {
        Ok(names) => Ok(names.collect::<BTreeSet<_>>()),
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(BTreeSet::new()),
        Err(error) => Err(error),
    };
    let wanted = names(old)?;
    // A folder may give its new files an access list.
    for name in names(new)?.difference(&wanted) {
        new.remove_xattr(name)?;
    }
    for name in &wanted {
        // Some may be set by the system alone, which has done so then.
        let value = old.get_xattr(name)?;
        if let Some(value) = value.filter(|value| new.get_xattr(name).ok().flatten().as_ref() != Some(value))
        {
            new.set_xattr(name, &value)?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn take_attributes(_: &File, _: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use xattr::FileExt;

    /// `user::rw-, user:1234:rw-, group::---, mask::rw-, other::---`, as the kernel has it.
    const LIST: [u8; 44] = [
        2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 6, 0, 210, 4, 0, 0, 4, 0, 0, 0, 255, 255, 255, 255,
        16, 0, 6, 0, 255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255,
    ];

    #[test]
    fn access_lists_and_attributes_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.hcl");
        fs::write(&path, "a=1").unwrap();
        let file = File::open(&path).unwrap();
        let attributes: [(&str, &[u8]); 2] = [("system.posix_acl_access", &LIST), ("user.note", b"kept")];
        for (name, value) in attributes {
            match file.set_xattr(name, value) {
                Err(error) if error.kind() == io::ErrorKind::Unsupported => return,
                set => set.unwrap(),
            }
        }
        replace(&path, b"a = 1\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"a = 1\n");
        for (name, value) in attributes {
            assert_eq!(xattr::get(&path, name).unwrap().as_deref(), Some(value), "{name}");
        }
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o660);
    }
}
