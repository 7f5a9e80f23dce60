//! Where a text occurs in another, found with looks at the limits however long both are.

use std::str::MatchIndices;
use std::vec::IntoIter;

use crate::function::{FunctionError, Invocation};
use crate::limits::BYTES_PER_PART;
use crate::value::string::STRETCH;

/// From so many bytes on a text is long to look for: the search of the standard library prepares itself without a look at
/// the limits, in time in proportion to it.
const LONG: usize = 1 << 16;

/// A byte is as much work as so many bytes of plain text.
const BYTES_OF_WORK: usize = 8;

/// Where a text, which is not empty, occurs in another, from left to right and none inside another.
#[derive(Clone)]
pub(super) struct Places<'t> {
    text: &'t str,
    needle: &'t str,
    /// Those in a part of the text, and where that begins.
    near: MatchIndices<'t, &'t str>,
    start: usize,
    /// Where the next part begins.
    next: usize,
    /// All places of a long text.
    of_long: IntoIter<usize>,
}

impl<'t> Places<'t> {
    pub(super) fn of(
        invocation: &mut Invocation<'_>,
        text: &'t str,
        needle: &'t str,
    ) -> Result<Self, FunctionError> {
        let (next, of_long) = match needle.len() {
            ..LONG => (0, Vec::new()),
            LONG.. => (text.len(), places_of_long(invocation, text.as_bytes(), needle.as_bytes())?),
        };
        // There is none so far; the search for a long needle would prepare itself in one go.
        let near = "".match_indices("-");
        Ok(Self { text, needle, near, start: 0, next, of_long: of_long.into_iter() })
    }

    /// The next place.
    pub(super) fn next(&mut self, invocation: &mut Invocation<'_>) -> Result<Option<usize>, FunctionError> {
        invocation.go_on(1)?;
        loop {
            if let Some((at, _)) = self.near.next() {
                let at = self.start + at;
                self.next = self.next.max(at + self.needle.len());
                return Ok(Some(at));
            }
            let Some(part) = self.part(invocation)? else { return Ok(self.of_long.next()) };
            self.near = part.match_indices(self.needle);
        }
    }

    /// Returns whether there are any.
    pub(super) fn any(mut self, invocation: &mut Invocation<'_>) -> Result<bool, FunctionError> {
        while let Some(part) = self.part(invocation)? {
            if part.contains(self.needle) {
                return Ok(true);
            }
        }
        Ok(self.of_long.next().is_some())
    }

    /// The next part of the text.
    fn part(&mut self, invocation: &mut Invocation<'_>) -> Result<Option<&'t str>, FunctionError> {
        let Self { text, needle, next: start, .. } = *self;
        if start == text.len() {
            return Ok(None);
        }
        invocation.go_on(STRETCH / BYTES_PER_PART)?;
        self.start = start;
        self.next = text.ceil_char_boundary(start + STRETCH + needle.len());
        // An occurrence that begins before the next part may end in it.
        let end = text.ceil_char_boundary(self.next + needle.len());
        Ok(Some(&text[start..end]))
    }
}

/// The search of Knuth, Morris and Pratt: for each beginning of the needle, `table` has the length of the longest shorter
/// beginning that it ends with.
fn places_of_long(
    invocation: &mut Invocation<'_>,
    text: &[u8],
    needle: &[u8],
) -> Result<Vec<usize>, FunctionError> {
    let mut found = Vec::new();
    if text.len() < needle.len() {
        return Ok(found);
    }
    invocation.meter().hold_parts(needle.len(), size_of::<usize>())?;
    let mut look = |at: usize| match at % STRETCH {
        0 => invocation.go_on(STRETCH * BYTES_OF_WORK / BYTES_PER_PART),
        _ => Ok(()),
    };
    let mut table = vec![0; needle.len()];
    let mut length = 0;
    for at in 1..needle.len() {
        look(at)?;
        length = longer(&table, needle, length, needle[at]);
        table[at] = length;
    }
    length = 0;
    for (at, &byte) in text.iter().enumerate() {
        look(at)?;
        length = longer(&table, needle, length, byte);
        if length == needle.len() {
            found.push(at + 1 - length);
            length = 0;
        }
    }
    Ok(found)
}

/// The length of the beginning of the needle that a text ends with, when `byte` follows one that ended with `length` bytes
/// of it.
fn longer(table: &[usize], needle: &[u8], mut length: usize, byte: u8) -> usize {
    while needle[length] != byte {
        match length.checked_sub(1) {
            Some(last) => length = table[last],
            None => return 0,
        }
    }
    length + 1
}

#[cfg(test)]
mod tests {
    use super::{Places, places_of_long};
    use crate::function::Invocation;
    use crate::limits::Meter;

    #[test]
    fn long_texts_are_found_where_short_ones_are() {
        let mut meter = Meter::default();
        let mut invocation = Invocation::new(&mut meter, None, None);
        let mut state = 1_u64;
        for n in 0..2_000 {
            let mut letters = |n: u64| -> String {
                let mut letter = || {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    if (state >> 40).is_multiple_of(3) { 'b' } else { 'a' }
                };
                (0..n).map(|_| letter()).collect()
            };
            let (text, needle) = (letters(n % 80), letters(1 + n % 7));
            let long = places_of_long(&mut invocation, text.as_bytes(), needle.as_bytes());
            let mut short = Places::of(&mut invocation, &text, &needle).expect("no limit");
            let short = std::iter::from_fn(|| short.next(&mut invocation).expect("no limit"));
            assert_eq!(long.expect("no limit"), short.collect::<Vec<_>>(), "{needle:?} in {text:?}");
        }
    }
}
