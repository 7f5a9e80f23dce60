//! Paths confined to the folders that are allowed, through `..` and symbolic links.
//!
//! A path is followed part by part. Outside of the folders that are allowed nothing is looked at: parts are
//! joined by their text alone, so that no answer tells what exists there. Inside, every link is read and
//! its target followed by the same rule, also from one allowed folder into another. What is opened in the
//! end is opened through the handle of its folder (`cap_std`), which refuses to leave the folder even if
//! links are put in place in between.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, MAIN_SEPARATOR_STR, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::HostError;

/// How many links a path may lead through, as on most systems.
const MAX_LINKS: usize = 40;

/// The folders that are allowed, and the one that relative paths start from.
#[derive(Debug)]
pub(super) struct Folders {
    roots: Vec<Root>,
    start: Vec<OsString>,
}

#[derive(Debug)]
struct Root {
    /// As it was given, made absolute.
    given: Vec<OsString>,
    /// Where it is when all links are followed.
    real: Vec<OsString>,
    handle: Dir,
}

/// A place below an allowed folder.
pub(super) struct Place<'a> {
    pub(super) folder: &'a Dir,
    /// From the folder on; empty for the folder itself.
    pub(super) path: PathBuf,
}

impl Folders {
    /// No folders; relative paths start from `start`, an absolute path.
    pub(super) fn new(start: &Path) -> Self {
        Self { roots: Vec::new(), start: names(start) }
    }

    /// Allows a folder.
    pub(super) fn allow(&mut self, folder: &Path) -> io::Result<()> {
        let handle = Dir::open_ambient_dir(folder, ambient_authority())?;
        let real = names(&folder.canonicalize()?);
        let mut given = if folder.is_absolute() { Vec::new() } else { self.start.clone() };
        for name in names(folder) {
            step(&mut given, name);
        }
        self.roots.push(Root { given, real, handle });
        Ok(())
    }

    /// Where relative paths start.
    pub(super) fn start(&self) -> PathBuf {
        path_of(&self.start)
    }

    /// The place that a path means, links followed. Something stands there, or stood there a moment ago.
    pub(super) fn resolve(&self, path: &str) -> Result<Place<'_>, HostError> {
        let path = Path::new(path);
        let mut pending = if path.is_absolute() { Vec::new() } else { self.start.clone() };
        pending.extend(names(path));
        pending.reverse();
        let mut at: Vec<OsString> = Vec::new();
        let mut links = 0;
        while let Some(name) = pending.pop() {
            step(&mut at, name);
            if let Some(root) = self.roots.iter().find(|root| root.given == at && root.real != at) {
                at.clone_from(&root.real);
            }
            let Some(target) = self.link_at(&at)? else { continue };
            links += 1;
            if links > MAX_LINKS {
                return Err(HostError::Failed("too many levels of symbolic links".to_owned()));
            }
            at.pop();
            if target.is_absolute() {
                at.clear();
            }
            pending.extend(names(&target).into_iter().rev());
        }
        self.place(&at).ok_or(HostError::Outside)
    }

    /// The target of the link at a path, if there is one and it lies in an allowed folder.
    fn link_at(&self, at: &[OsString]) -> Result<Option<PathBuf>, HostError> {
        let Some(Place { folder, path }) = self.place(at) else { return Ok(None) };
        if path.as_os_str().is_empty() {
            return Ok(None);
        }
        let metadata = folder.symlink_metadata(&path).map_err(|error| failure(&error))?;
        if !metadata.is_symlink() {
            return Ok(None);
        }
        folder.read_link_contents(&path).map(Some).map_err(|error| failure(&error))
    }

    /// The place of a path whose parts are no links, if it is allowed.
    fn place(&self, at: &[OsString]) -> Option<Place<'_>> {
        self.roots.iter().find_map(|root| {
            let rest = at.strip_prefix(root.real.as_slice())?;
            Some(Place { folder: &root.handle, path: rest.iter().collect() })
        })
    }
}

/// Turns the system's error into one of a host, as far as it tells anything.
pub(super) fn failure(error: &io::Error) -> HostError {
    match error.kind() {
        io::ErrorKind::NotFound => HostError::NotFound,
        // What the handle of a folder says of a path that leads out of it.
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => HostError::Outside,
        kind if error.raw_os_error().is_some() => HostError::Failed(kind.to_string()),
        _ => HostError::Failed(error.to_string()),
    }
}

/// Goes a part further by the text alone.
fn step(at: &mut Vec<OsString>, name: OsString) {
    if name == OsStr::new("..") {
        at.pop();
    } else {
        at.push(name);
    }
}

/// The parts of a path but the root and `.`.
fn names(path: &Path) -> Vec<OsString> {
    path.components()
        .filter(|part| !matches!(part, Component::RootDir | Component::CurDir))
        .map(|part| part.as_os_str().to_owned())
        .collect()
}

/// The absolute path of parts.
fn path_of(names: &[OsString]) -> PathBuf {
    // Where there are drives, the first part is one.
    let drives = usize::from(cfg!(windows));
    let mut path = OsString::new();
    for (position, name) in names.iter().enumerate() {
        if position >= drives {
            path.push(MAIN_SEPARATOR_STR);
        }
        path.push(name);
    }
    if names.len() <= drives {
        path.push(MAIN_SEPARATOR_STR);
    }
    path.into()
}
