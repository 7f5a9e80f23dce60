//! Which characters play which part: the byte tables of the scanner's inner loops, and the characters
//! of identifiers.
//!
//! A table answers for a single byte. Bytes from 0x80 up are never decided by a table: they belong to
//! characters beyond ASCII, which are looked up in Unicode's property data.

use std::ops::Range;

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

    /// The set with these bytes, too.
    pub(crate) const fn and(mut self, more: Range<u8>) -> Self {
        let mut next = more.start;
        while next < more.end {
            self.0[next as usize] = true;
            next += 1;
        }
        self
    }

    /// Whether `byte` is in the set.
    #[inline]
    pub(super) const fn has(&self, byte: u8) -> bool {
        self.0[byte as usize]
    }

    /// The first place from `pos` on whose byte is not in the set.
    #[inline]
    pub(crate) fn skip(&self, bytes: &[u8], pos: usize) -> usize {
        first_place(bytes, pos, |byte| !self.has(byte))
    }

    /// The first place from `pos` on whose byte is in the set.
    #[inline]
    pub(crate) fn find(&self, bytes: &[u8], pos: usize) -> usize {
        first_place(bytes, pos, |byte| self.has(byte))
    }

    /// The same for a set of which `may_have` knows, for eight bytes at once, where members may be.
    #[inline]
    fn find_among(&self, bytes: &[u8], mut pos: usize, may_have: impl Fn(Eight) -> Places) -> usize {
        while let Some(eight) = Eight::at(bytes, pos) {
            match may_have(eight).first() {
                None => pos += Eight::LEN,
                Some(offset) if self.has(bytes[pos + offset]) => return pos + offset,
                Some(offset) => pos += offset + 1,
            }
        }
        self.find(bytes, pos)
    }
}

/// Eight bytes that are looked at in one register. A branch for each byte would be guessed wrong where a run ends.
#[derive(Copy, Clone)]
struct Eight {
    /// The bytes without their highest bits, so that sums stay in their bytes.
    low: u64,
    /// Where the bytes are no ASCII.
    beyond_ascii: Places,
}

/// Some of eight places: the highest bits of their bytes.
#[derive(Copy, Clone)]
struct Places(u64);

impl Eight {
    const LEN: usize = 8;
    const HIGHEST_BITS: u64 = repeated(0x80);

    #[inline]
    fn at(bytes: &[u8], pos: usize) -> Option<Self> {
        let word = u64::from_le_bytes(*bytes.get(pos..)?.first_chunk()?);
        let highest = word & Self::HIGHEST_BITS;
        Some(Self { low: word ^ highest, beyond_ascii: Places(highest) })
    }

    /// Where the low bits are those of `first` or more.
    #[inline]
    const fn at_least(self, first: u8) -> u64 {
        self.low + repeated(0x80 - first)
    }

    /// Where they are in this range.
    #[inline]
    const fn within(self, first: u8, last: u8) -> u64 {
        self.at_least(first) & !self.at_least(last + 1)
    }

    /// Where they are not those of `byte`.
    #[inline]
    const fn differ(self, byte: u8) -> u64 {
        (self.low ^ repeated(byte)) + repeated(0x7f)
    }

    /// Where there are control characters, or any from `first` to `last`.
    #[inline]
    fn control_or(self, first: u8, last: u8) -> u64 {
        !self.at_least(b' ') | self.within(first, last)
    }

    /// Where there are none of the characters that continue an identifier.
    #[inline]
    fn outside_names(self) -> Places {
        let any_case = Self { low: self.low | repeated(0x20), ..self };
        let letters_and_digits = any_case.within(b'a', b'z') | self.within(b'0', b'9');
        let others = !(self.differ(b'_') & self.differ(b'-'));
        Places((!(letters_and_digits | others) | self.beyond_ascii.0) & Self::HIGHEST_BITS)
    }

    /// Of those the ones that are ASCII.
    #[inline]
    fn ascii(self, places: u64) -> Places {
        Places(places & !self.beyond_ascii.0 & Self::HIGHEST_BITS)
    }
}

impl Places {
    #[inline]
    fn first(self) -> Option<usize> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as usize / 8)
    }
}

/// Eight times the same byte.
const fn repeated(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The first place from `pos` on whose byte is wanted, or the end. Looks for the end of the text at every
/// fourth byte only.
#[inline]
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
#[inline]
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
#[inline]
pub(crate) fn quoted_stop(bytes: &[u8], pos: usize) -> usize {
    let may_stop = |eight: Eight| eight.ascii(eight.control_or(b'"', b'%') | !eight.differ(b'\\'));
    QUOTED_STOP.find_among(bytes, pos, may_stop)
}

/// The same in a heredoc or a bare template.
#[inline]
pub(super) fn line_stop(bytes: &[u8], pos: usize) -> usize {
    LINE_STOP.find_among(bytes, pos, |eight| eight.ascii(eight.control_or(b'$', b'%')))
}

/// The first place from `pos` on whose character is not one of [`NAME`].
#[inline]
pub(super) fn name_stop(bytes: &[u8], mut pos: usize) -> usize {
    while let Some(eight) = Eight::at(bytes, pos) {
        match eight.outside_names().first() {
            None => pos += Eight::LEN,
            Some(offset) => return pos + offset,
        }
    }
    NAME.skip(bytes, pos)
}

/// The ASCII characters that continue an identifier.
pub(super) static NAME: ByteSet =
    ByteSet::of(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-");

/// The digits of numbers.
pub(crate) static DIGIT: ByteSet = ByteSet::of(b"0123456789");

/// What ends a run of ordinary characters in a quoted template.
static QUOTED_STOP: ByteSet = ByteSet::of(&[b'"', b'\\', b'$', b'%', b'\r', b'\n', Source::BAD_BYTE]);

/// What ends a run of ordinary characters in a heredoc or a bare template.
static LINE_STOP: ByteSet = ByteSet::of(&[b'$', b'%', b'\r', b'\n', Source::BAD_BYTE]);

/// Whether an identifier may begin with `c`: Unicode's `ID_Start`, or an underscore.
pub(crate) fn starts_name(c: char) -> bool {
    c == '_'
        || unicode_ident::is_xid_start(c)
        || is_compatibility_name(c)
        || matches!(c, '\u{e33}' | '\u{eb3}' | '\u{ff9e}' | '\u{ff9f}')
}

/// Whether an identifier may go on with `c`: Unicode's `ID_Continue`, or a dash. The joiners, which
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
