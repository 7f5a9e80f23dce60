//! Decisions: cases that are meant to come out otherwise than the reference has them, each with its reason.
//!
//! A decision is found by the case and by what differs, both as patterns with `*`; the second keeps it from
//! covering up anything else that may go wrong with the same case.

use std::fs;
use std::io;
use std::path::Path;

use super::run::in_file;

/// An intended difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Which cases, as a pattern of ids.
    pub cases: String,
    /// The difference, as a pattern of what is found.
    pub difference: String,
    /// The name of the decision.
    pub name: String,
    /// Why it is so.
    pub reason: String,
}

/// The reason of a decision that the case itself brings.
const BY_CORPUS: &str = "The corpus says that another answer than the one in it is wanted.";

impl Decision {
    /// A decision of the corpus itself: another answer than the one in the case is wanted.
    pub(super) fn of_corpus(id: &str, why: &str) -> Self {
        Self {
            cases: id.to_owned(),
            difference: "*".to_owned(),
            name: why.to_owned(),
            reason: BY_CORPUS.to_owned(),
        }
    }

    /// True if nobody but the corpus says so.
    pub fn is_of_corpus(&self) -> bool {
        self.reason == BY_CORPUS
    }
}

/// Reads a file of decisions: a line for each, its four parts apart by tabs; `#` begins a line of comment.
///
/// # Errors
/// The file can't be read, or a line is none of that form.
pub fn decisions(path: &Path) -> io::Result<Vec<Decision>> {
    let text = fs::read_to_string(path).map_err(|error| in_file(path, &error))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|line| decision(line).ok_or_else(|| in_file(path, &malformed(line)))).collect()
}

/// The decision that a difference is owed to.
pub(super) fn decision_for<'d>(
    decisions: &'d [Decision],
    id: &str,
    difference: &str,
) -> Option<&'d Decision> {
    decisions.iter().find(|decision| {
        matches_pattern(&decision.cases, id) && matches_pattern(&decision.difference, difference)
    })
}

fn decision(line: &str) -> Option<Decision> {
    let mut parts = line.split('\t').map(|part| part.trim().to_owned());
    let [cases, difference, name, reason] = [parts.next()?, parts.next()?, parts.next()?, parts.next()?];
    let whole = parts.next().is_none() && [&cases, &difference, &name, &reason].iter().all(|p| !p.is_empty());
    whole.then_some(Decision { cases, difference, name, reason })
}

fn malformed(line: &str) -> io::Error {
    let detail = format!("{line:?} is no \"CASES tab DIFFERENCE tab NAME tab REASON\"");
    io::Error::new(io::ErrorKind::InvalidData, detail)
}

/// Returns whether a text fits a pattern in which `*` stands for anything.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.split_once(part) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        assert!(matches_pattern("a/*/b", "a/x/y/b"));
        assert!(matches_pattern("*", ""));
        assert!(matches_pattern("a*", "a"));
        assert!(!matches_pattern("a", "ab"));
        assert!(!matches_pattern("a*bc*b", "abc"));
        assert!(!matches_pattern("b*", "ab"));
    }

    #[test]
    fn a_decision_is_about_one_difference() {
        let decision = decision("c/*\t*; only ours: [x]*\tname\tbecause").expect("four parts");
        let known = [decision];
        assert!(decision_for(&known, "c/1", "got a; only ours: [x]").is_some());
        assert!(decision_for(&known, "c/1", "got b").is_none());
        assert!(decision_for(&known, "d/1", "got a; only ours: [x]").is_none());
    }
}
