//! Where a text occurs in another, found with looks at the limits however long both are.

use crate::function::{FunctionError, Invocation};
use crate::limits::BYTES_PER_PART;
use crate::value::string::STRETCH;

/// From so many bytes on a text is long to look for: the search of the standard library prepares itself without a look at
/// the limits, in time in proportion to it.
const LONG: usize = 1 << 16;

/// A byte is as much work as so many bytes of plain text.
const BYTES_OF_WORK: usize = 8;

/// Where `needle`, which is not empty, occurs in a text, from left to right and none inside another.
pub(super) fn places<'t>(
    invocation: &mut Invocation<'_>,
    text: &'t str,
    needle: &'t str,
) -> Result<impl Iterator<Item = usize> + Clone + use<'t>, FunctionError> {
    let (long, short) = match needle.len() {
        ..LONG => (None, Some(text.match_indices(needle).map(|(at, _)| at))),
        LONG.. => (Some(places_of_long(invocation, text.as_bytes(), needle.as_bytes())?), None),
    };
    Ok(long.into_iter().flatten().chain(short.into_iter().flatten()))
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
    use super::{places, places_of_long};
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
            let short = places(&mut invocation, &text, &needle).expect("no limit");
            assert_eq!(long.expect("no limit"), short.collect::<Vec<_>>(), "{needle:?} in {text:?}");
        }
    }
}
