//! "Did you mean": names that are nearly the one that was written.
//!
//! Names are near when fewer than three characters must be put in, left out or replaced to make one of
//! the other. Of several near names the reference implementation takes the first in list order, not the
//! nearest; [`first_similar`] does so. Where candidates have no order of their own, [`nearest`] gives an
//! answer that does not depend on how they are listed.

use smallvec::{SmallVec, smallvec};

/// The most edits between names that are still near.
const MAX_DISTANCE: usize = 2;

/// The first of `candidates` that is near `name`.
///
/// ```
/// use hcl_syntax::diagnostic::suggest::{first_similar, nearest};
///
/// assert_eq!(first_similar("foo", ["pow", "fooo"]), Some("pow"));
/// assert_eq!(nearest("foo", ["pow", "fooo"]), Some("fooo"));
/// ```
pub fn first_similar<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let mut candidates = candidates.into_iter().take(MOST_CANDIDATES);
    candidates.find(|candidate| distance(name, candidate).is_some())
}

/// So many candidates are compared, which takes a tenth of a millisecond where names are short. There may be a complaint about
/// each of thousands of names.
pub const MOST_CANDIDATES: usize = 1_000;

/// How much work a suggestion is at most, in parts of a few nanoseconds.
pub const MOST_PARTS: usize = 1 << 14;

/// The nearest of `candidates`, if it is near `name`; of equally near ones the first by name. Of very many the first ones are
/// looked at.
///
/// ```
/// use hcl_syntax::diagnostic::suggest::nearest;
///
/// assert_eq!(nearest("prot", ["host", "port"]), Some("port"));
/// assert_eq!(nearest("prot", ["name"]), None);
/// ```
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let candidates = candidates.into_iter().take(MOST_CANDIDATES);
    let ranked = candidates.filter_map(|candidate| Some((distance(name, candidate)?, candidate)));
    ranked.min().map(|(_, candidate)| candidate)
}

/// As [`nearest`], among names of more than two letters: shorter ones are all near each other.
///
/// ```
/// use hcl_syntax::diagnostic::suggest::nearest_long;
///
/// assert_eq!(nearest_long("prot", ["host", "port"]), Some("port"));
/// assert_eq!(nearest_long("q", ["a"]), None);
/// ```
pub fn nearest_long<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let is_long = |name: &&str| name.chars().nth(2).is_some();
    let candidates = candidates.into_iter().filter(is_long);
    Some(name).filter(is_long).and_then(|name| nearest(name, candidates))
}

/// The Levenshtein distance between two names in code points, if they are near.
fn distance(left: &str, right: &str) -> Option<usize> {
    // Every character of a name is at least one byte and at most four; far lengths are told apart at once.
    if left.len() > 4 * (right.len() + MAX_DISTANCE) || right.len() > 4 * (left.len() + MAX_DISTANCE) {
        return None;
    }
    // An edit takes a character away and puts another one in its place at most.
    if (characters(left) ^ characters(right)).count_ones() as usize > 2 * MAX_DISTANCE {
        return None;
    }
    let left: SmallVec<[char; SHORT]> = left.chars().collect();
    let right: SmallVec<[char; SHORT]> = right.chars().collect();
    if left.len().abs_diff(right.len()) > MAX_DISTANCE {
        return None;
    }
    // One row of the usual table at a time, and of that only the band in which distances can be small.
    let far = MAX_DISTANCE + 1;
    let mut above: SmallVec<[usize; SHORT]> = (0..=right.len()).map(|edits| edits.min(far)).collect();
    let mut row: SmallVec<[usize; SHORT]> = smallvec![far; right.len() + 1];
    for (i, &c) in left.iter().enumerate() {
        let first = i.saturating_sub(MAX_DISTANCE);
        let last = (i + MAX_DISTANCE + 1).min(right.len());
        row[first] = if first == 0 { (i + 1).min(far) } else { far };
        for j in first..last {
            let replaced = above[j] + usize::from(c != right[j]);
            row[j + 1] = replaced.min(row[j] + 1).min(above[j + 1] + 1).min(far);
        }
        if last < right.len() {
            row[last + 1] = far;
        }
        std::mem::swap(&mut above, &mut row);
    }
    Some(above[right.len()]).filter(|&edits| edits <= MAX_DISTANCE)
}

/// Names of so many characters are compared without memory of their own.
const SHORT: usize = 24;

/// The characters of a name, as a set in which several may share a bit.
fn characters(name: &str) -> u64 {
    name.chars().fold(0, |all, c| all | 1 << (u32::from(c) % u64::BITS))
}

#[cfg(test)]
mod tests {
    use super::{distance, first_similar, nearest};

    /// The whole table, as the textbooks have it.
    fn plain_distance(left: &str, right: &str) -> usize {
        let right: Vec<char> = right.chars().collect();
        let mut above: Vec<usize> = (0..=right.len()).collect();
        for (i, c) in left.chars().enumerate() {
            let mut row = vec![i + 1];
            for j in 0..right.len() {
                let replaced = above[j] + usize::from(c != right[j]);
                row.push(replaced.min(row[j] + 1).min(above[j + 1] + 1));
            }
            above = row;
        }
        above[right.len()]
    }

    #[test]
    fn the_band_finds_every_small_distance() {
        let words: Vec<String> = (0..4u32.pow(5))
            .map(|n| (0..n % 6).map(|place| ['a', 'b', 'é', 'c'][(n >> (2 * place) & 3) as usize]).collect())
            .collect();
        for left in words.iter().step_by(7) {
            for right in words.iter().step_by(3) {
                let expected = plain_distance(left, right);
                assert_eq!(distance(left, right), Some(expected).filter(|&d| d < 3), "{left} {right}");
            }
        }
    }

    #[test]
    fn the_first_similar_name_wins_over_the_nearest() {
        let names = ["pow", "fob", "foo_bar"];
        assert_eq!(first_similar("foo", names), Some("pow"));
        assert_eq!(nearest("foo", names), Some("fob"));
        assert_eq!(nearest("foo", ["fop", "fob"]), Some("fob"));
        assert_eq!(first_similar("length", names), None);
    }
}
