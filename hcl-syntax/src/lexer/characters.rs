//! Which characters play which part: the byte tables of the scanner's inner loops, and the characters
//! of identifiers.
//!
//! A table answers for a single byte. Bytes from 0x80 up are never decided by a table: they belong to
//! characters beyond ASCII, which are looked up in Unicode's property data.

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

/// Eight times the same byte.
const fn repeated(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
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
        let others = u64::from_le_bytes(*eight) ^ repeated(b' ');
        if others != 0 {
            return pos + others.trailing_zeros() as usize / 8;
        }
        pos += eight.len();
    }
    pos
}

/// The first place from `pos` on where a run of ordinary characters in a quoted template ends.
pub(crate) fn quoted_stop(bytes: &[u8], pos: usize) -> usize {
    find_among_sixteen(bytes, pos, |byte| (byte == b'"') | (byte == b'\\') | ends_line_run(byte))
}

/// Finds the next byte that ends a run of ordinary characters in a heredoc or a bare template.
pub(super) fn line_stop(bytes: &[u8], pos: usize) -> usize {
    find_among_sixteen(bytes, pos, ends_line_run)
}

/// The first place from `pos` on whose byte is no ASCII character that continues an identifier.
pub(super) fn name_stop(bytes: &[u8], pos: usize) -> usize {
    find_among_sixteen(bytes, pos, |byte| !continues_ascii_name(byte))
}

/// The end of a name among the next sixteen bytes, all ASCII: nearly always there. Of a short text much is so near its end
/// that there are less.
pub(super) fn near_name_stop(bytes: &[u8], pos: usize) -> Option<usize> {
    let rest = bytes.get(pos..)?;
    let Some(sixteen) = rest.first_chunk() else {
        let offset = rest.iter().position(|&byte| !continues_ascii_name(byte)).unwrap_or(rest.len());
        return rest.get(offset).is_none_or(u8::is_ascii).then_some(pos + offset);
    };
    let offset = first_of_sixteen(sixteen, |byte| !continues_ascii_name(byte));
    sixteen.get(offset).is_some_and(u8::is_ascii).then_some(pos + offset)
}

/// True for the ASCII characters that continue an identifier.
fn continues_ascii_name(byte: u8) -> bool {
    ((byte | 0x20).wrapping_sub(b'a') < 26) | (byte.wrapping_sub(b'0') < 10) | (byte == b'_') | (byte == b'-')
}

/// The first place from `pos` on whose byte may end a string of JSON syntax, or begins an escape in it.
// Both this and the loop are parts of their callers: by a call JSON syntax takes 3 % more instructions.
#[inline(always)]
pub(crate) fn json_string_stop(bytes: &[u8], pos: usize) -> usize {
    find_among_sixteen(bytes, pos, |byte| (byte == b'"') | (byte == b'\\') | (byte < b' '))
}

/// Returns whether a byte ends a run of ordinary characters in a heredoc or a bare template.
fn ends_line_run(byte: u8) -> bool {
    // `$` and `%` differ in their last bit.
    (byte | 1 == b'%') | (byte == b'\n') | (byte == b'\r') | (byte == Source::BAD_BYTE)
}

/// The first place from `pos` on whose byte is wanted, or the end. Decides about sixteen bytes at a time without a branch for
/// each, which would be guessed wrong where a run ends; `is_wanted` must not branch either.
#[inline(always)]
fn find_among_sixteen(bytes: &[u8], mut pos: usize, is_wanted: impl Fn(u8) -> bool) -> usize {
    while let Some(sixteen) = bytes.get(pos..).and_then(<[u8]>::first_chunk::<16>) {
        let offset = first_of_sixteen(sixteen, &is_wanted);
        if offset < sixteen.len() {
            return pos + offset;
        }
        pos += sixteen.len();
    }
    first_place(bytes, pos, is_wanted)
}

fn first_of_sixteen(sixteen: &[u8; 16], is_wanted: impl Fn(u8) -> bool) -> usize {
    let wanted = sixteen.map(|byte| if is_wanted(byte) { u8::MAX } else { 0 });
    u128::from_le_bytes(wanted).trailing_zeros() as usize / 8
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
    fn runs_end_at_the_bytes_that_end_them() {
        let ends_line = |byte| matches!(byte, b'$' | b'%' | b'\r' | b'\n' | Source::BAD_BYTE);
        check(line_stop, b'a', ends_line);
        check(quoted_stop, b'a', |byte| matches!(byte, b'"' | b'\\') || ends_line(byte));
        check(json_string_stop, b'a', |byte| matches!(byte, b'"' | b'\\' | 0..0x20));
        check(name_stop, b'a', |byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')));
    }
}
