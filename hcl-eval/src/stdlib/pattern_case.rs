//! Sets of characters in patterns, with those that differ from them in case only.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use super::packed_chars::Table;

/// Characters by turns with another that matches them; several times, if there are several.
static CASES: Table = Table::new(include_bytes!(concat!(env!("OUT_DIR"), "/cases.z")));

/// The characters that match one from `low` to `high` in another case.
fn others(low: char, high: char) -> impl Iterator<Item = char> {
    let (pairs, _) = CASES.chars().as_chunks::<2>();
    let start = pairs.partition_point(|[own, _]| *own < low);
    pairs[start..].iter().take_while(move |[own, _]| *own <= high).map(|[_, other]| *other)
}

/// Adds what differs in case only.
pub(super) fn add_cases(set: &mut ClassUnicode) {
    let found = set.iter().flat_map(|range| others(range.start(), range.end()));
    let found: Vec<_> = found.map(|other| ClassUnicodeRange::new(other, other)).collect();
    if !found.is_empty() {
        set.union(&ClassUnicode::new(found));
    }
}

/// Returns whether there is more than one case of a character.
pub(super) fn has_cases(c: char) -> bool {
    others(c, c).next().is_some()
}
