//! Which characters play which part: the byte tables of the scanner's inner loops, and the characters
//! of identifiers.
//!
//! A table answers for a single byte. Bytes from 0x80 up are never decided by a table: they belong to
//! characters beyond ASCII, which are looked up in Unicode's property data.

use wide::u8x16;

use crate::source::Source;

/// A set of bytes, as the scanner's loops ask for it.
pub(crate) struct ByteSet([bool; 256]);

impl ByteSet {
    pub(crate) const fn of(members: &[u8]) -> Self {
        let mut set = [false; 256];
        let mut next = 0;
        while next < members.len() {
            set[members[next] as usize] = true;
            next += 1;
        }
        Self(set)
    }

    /// Returns whether `byte` is in the set.
    pub(crate) const fn has(&self, byte: u8) -> bool {
        self.0[byte as usize]
    }

    /// The first place from `pos` on whose byte is not in the set.
    pub(crate) fn skip(&self, bytes: &[u8], pos: usize) -> usize {
        first_place(bytes, pos, |byte| !self.has(byte))
    }
}

/// The first place from `pos` on whose byte is wanted, or the end. Looks for the end of the text at every
/// fourth byte only.
fn first_place(bytes: &[u8], mut pos: usize, is_wanted: impl Fn(u8) -> bool) -> usize {
    while let Some(four) = bytes.get(pos..).and_then(<[u8]>::first_chunk::<4>) {
        if let Some(offset) = four.iter().position(|&byte| is_wanted(byte)) {
            return pos + offset;
        }
        pos += four.len();
    }
    while pos < bytes.len() && !is_wanted(bytes[pos]) {
        pos += 1;
    }
    pos
}

/// Where the blanks end that begin a line at `pos`. Looks at eight at a time; other runs of blanks are
/// too short for that.
pub(crate) fn indentation_end(bytes: &[u8], mut pos: usize) -> usize {
    while let Some(eight) = bytes.get(pos..).and_then(<[u8]>::first_chunk::<8>) {
        let others = u64::from_le_bytes(*eight) ^ u64::from_ne_bytes([b' '; 8]);
        if others != 0 {
            return pos + others.trailing_zeros() as usize / 8;
        }
        pos += eight.len();
    }
    pos
}

/// The first place from `pos` on where a run of ordinary characters in a quoted template ends.
pub(crate) fn quoted_stop(bytes: &[u8], pos: usize) -> usize {
    find_among_sixteen(bytes, pos, |bytes| are(bytes, b'"') | are(bytes, b'\\') | end_line_run(bytes))
}

/// The first place from `pos` on whose byte is part of a character beyond ASCII.
pub(crate) fn ascii_stop(bytes: &[u8], pos: usize) -> usize {
    find_among_sixteen(bytes, pos, |bytes| lie_in(bytes, 0x80, 0xff))
}

/// Tells the place of each newline. They are found in sixteen bytes at once: most lines are so short that a search for the end of
/// each takes twice the instructions.
pub(crate) fn find_newlines(bytes: &[u8], mut found: impl FnMut(usize)) {
    let (sixteens, rest) = bytes.as_chunks();
    let last = next_sixteen(rest);
    for (n_before, sixteen) in sixteens.iter().map(|&sixteen| u8x16::new(sixteen)).chain([last]).enumerate() {
        let mut left = are(sixteen, b'\n').to_bitmask();
        while left != 0 {
            found(16 * n_before + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// Finds the next byte that ends a run of ordinary characters in a heredoc or a bare template.
pub(super) fn line_stop(bytes: &[u8], pos: usize) -> usize {
    find_among_sixteen(bytes, pos, end_line_run)
}

/// The first place from `pos` on whose byte is no ASCII character that continues an identifier.
pub(super) fn name_stop(bytes: &[u8], pos: usize) -> usize {
    find_among_sixteen(bytes, pos, |bytes| !continue_ascii_name(bytes))
}

/// The end of a name among the next sixteen bytes, all ASCII: nearly always there.
pub(super) fn near_name_stop(bytes: &[u8], pos: usize) -> Option<usize> {
    let rest = bytes.get(pos..)?;
    let offset = first(!continue_ascii_name(next_sixteen(rest))).min(rest.len());
    let is_end = offset < 16 && rest.get(offset).is_none_or(u8::is_ascii);
    is_end.then_some(pos + offset)
}

/// The ASCII characters that continue an identifier.
fn continue_ascii_name(bytes: u8x16) -> u8x16 {
    let letters = lie_in(bytes | u8x16::splat(0x20), b'a', b'z');
    letters | lie_in(bytes, b'0', b'9') | are(bytes, b'_') | are(bytes, b'-')
}

/// The first place from `pos` on whose byte may end a string of JSON syntax, or begins an escape in it.
pub(crate) fn json_string_stop(bytes: &[u8], pos: usize) -> usize {
    find_among_sixteen(bytes, pos, |bytes| are(bytes, b'"') | are(bytes, b'\\') | lie_in(bytes, 0, 0x1f))
}

/// The bytes that end a run of ordinary characters in a heredoc or a bare template.
fn end_line_run(bytes: u8x16) -> u8x16 {
    // `$` and `%` differ in their last bit.
    are(bytes | u8x16::splat(1), b'%') | are(bytes, b'\n') | are(bytes, b'\r') | are(bytes, Source::BAD_BYTE)
}

/// The bytes that are `byte`: all bits of theirs are set in the answer, those of the others are not.
fn are(bytes: u8x16, byte: u8) -> u8x16 {
    bytes.simd_eq(u8x16::splat(byte))
}

/// The bytes from `first` to `last`.
fn lie_in(bytes: u8x16, first: u8, last: u8) -> u8x16 {
    let distances = bytes - u8x16::splat(first);
    distances.min(u8x16::splat(last - first)).simd_eq(distances)
}

/// The first place from `pos` on whose byte is wanted, or the end. Decides about sixteen bytes at a time without a branch for
/// each, which would be guessed wrong where a run ends.
// The instructions are asked for by name. As a loop over bytes they depend on the optimisation of the crate that a library is
// linked from: with "s" a text takes twice the instructions.
fn find_among_sixteen(bytes: &[u8], mut pos: usize, wanted: impl Fn(u8x16) -> u8x16) -> usize {
    while let Some(&sixteen) = bytes.get(pos..).and_then(<[u8]>::first_chunk::<16>) {
        let offset = first(wanted(u8x16::new(sixteen)));
        if offset < sixteen.len() {
            return pos + offset;
        }
        pos += sixteen.len();
    }
    let rest = bytes.get(pos..).unwrap_or_default();
    pos + first(wanted(next_sixteen(rest))).min(rest.len())
}

/// The first sixteen bytes; zeros follow where there are fewer.
fn next_sixteen(rest: &[u8]) -> u8x16 {
    let sixteen = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut sixteen = [0; 16];
        sixteen[..rest.len()].copy_from_slice(rest);
        sixteen
    });
    u8x16::new(sixteen)
}

/// The place of the first of sixteen bytes that is wanted; sixteen if none is.
fn first(wanted: u8x16) -> usize {
    (wanted.to_bitmask() | 1 << 16).trailing_zeros() as usize
}

/// The digits of numbers.
pub(crate) static DIGIT: ByteSet = ByteSet::of(b"0123456789");

/// Returns whether an identifier may begin with `c`: Unicode's `ID_Start`, or an underscore.
pub(crate) fn starts_name(c: char) -> bool {
    c == '_'
        || unicode_ident::is_xid_start(c)
        || is_compatibility_name(c)
        || matches!(c, '\u{e33}' | '\u{eb3}' | '\u{ff9e}' | '\u{ff9f}')
}

/// Returns whether an identifier may go on with `c`: Unicode's `ID_Continue`, or a dash. The joiners, which
/// Unicode admits since version 15.1, stay out: nobody sees them, and the reference refuses them.
pub(super) fn continues_name(c: char) -> bool {
    match c {
        '-' => true,
        '\u{200c}' | '\u{200d}' => false,
        _ => unicode_ident::is_xid_continue(c) || is_compatibility_name(c),
    }
}

/// Characters that are in `ID_Start` and `ID_Continue` but, because of what NFKC makes of them, not in
/// the `XID_` properties. Unicode guarantees that this set stays as it is.
fn is_compatibility_name(c: char) -> bool {
    matches!(
        c,
        '\u{37a}' | '\u{309b}' | '\u{309c}' | '\u{fc5e}'
            ..='\u{fc63}'
                | '\u{fdfa}'
                | '\u{fdfb}'
                | '\u{fe70}'
                | '\u{fe72}'
                | '\u{fe74}'
                | '\u{fe76}'
                | '\u{fe78}'
                | '\u{fe7a}'
                | '\u{fe7c}'
                | '\u{fe7e}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each byte at each place of texts that are looked at sixteen bytes at a time, and of their rests.
    fn check(stop: impl Fn(&[u8], usize) -> usize, ordinary: u8, ends: impl Fn(u8) -> bool) {
        for len in [0, 1, 15, 16, 17, 31, 32, 40] {
            for start in 0..=len {
                assert_eq!(stop(&vec![ordinary; len], start), len);
            }
            for byte in 0..=u8::MAX {
                for place in 0..len {
                    let mut bytes = vec![ordinary; len];
                    bytes[place] = byte;
                    let expected = if ends(byte) { place } else { len };
                    assert_eq!(stop(&bytes, 0), expected, "{byte} at {place} of {len}");
                }
            }
        }
    }

    #[test]
    fn newlines_are_where_they_are() {
        for len in 0..70 {
            for distance in 1..20 {
                let places = (0..len).filter(|place| place % distance == 0).collect::<Vec<_>>();
                let mut bytes = vec![b'a'; len];
                places.iter().for_each(|&place| bytes[place] = b'\n');
                let mut found = Vec::new();
                find_newlines(&bytes, |place| found.push(place));
                assert_eq!(found, places, "{len} bytes, one in {distance}");
            }
        }
    }

    #[test]
    fn runs_end_at_the_bytes_that_end_them() {
        let ends_line = |byte| matches!(byte, b'$' | b'%' | b'\r' | b'\n' | Source::BAD_BYTE);
        check(line_stop, b'a', ends_line);
        check(quoted_stop, b'a', |byte| matches!(byte, b'"' | b'\\') || ends_line(byte));
        check(json_string_stop, b'a', |byte| matches!(byte, b'"' | b'\\' | 0..0x20));
        check(ascii_stop, b'a', |byte| !byte.is_ascii());
        check(name_stop, b'a', |byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')));
    }
}
