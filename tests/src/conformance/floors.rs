//! Floors: how many cases of each corpus agree at least.

use std::fs;
use std::io;
use std::path::Path;

/// The agreement that one corpus has to reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Floor {
    /// The corpus.
    pub corpus: String,
    /// How many cases agree at least.
    pub agreed: usize,
    /// How many agree at least in everything.
    pub strictly: usize,
}

/// Reads a file of floors: a line for each corpus, its name and two counts; `#` begins a comment.
///
/// # Errors
/// The file can't be read, or a line is none of that form.
pub fn floors(path: &Path) -> io::Result<Vec<Floor>> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines.filter(|line| !line.is_empty()).map(|line| floor(line).ok_or_else(|| malformed(line))).collect()
}

fn floor(line: &str) -> Option<Floor> {
    let mut words = line.split_whitespace();
    let corpus = words.next()?.to_owned();
    let agreed = words.next()?.parse().ok()?;
    let strictly = words.next()?.parse().ok()?;
    words.next().is_none().then_some(Floor { corpus, agreed, strictly })
}

fn malformed(line: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{line:?} is no \"CORPUS AGREED STRICTLY\""))
}
