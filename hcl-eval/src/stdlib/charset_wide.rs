//! Character sets with several bytes a character: UTF-16 and those of East Asia.
//!
//! The tables are for reading: each has a character for the position that two bytes name in their grid. The table for
//! writing is made from them by reading every sequence of bytes once, so that both directions agree. Bytes that mean
//! nothing are read as U+FFFD one at a time; a character that a set lacks makes writing fail.

use std::sync::OnceLock;

use hcl_syntax::hash::HashMap;

use super::charset_tables::{BIG5, EUC_KR, GB18030, GBK, JIS0208, JIS0212};
use crate::limits::{BYTES_PER_PART, LimitReached, Pace, go_on};
use crate::value::string::STRETCH;

/// A set of East Asia in which ASCII means itself, or its escape sequences come between ASCII.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Wide {
    Big5,
    EucKr,
    EucJp,
    ShiftJis,
    Gbk,
    Gb18030,
    Iso2022Jp,
}

/// Units of two bytes.
pub(super) fn encode_utf16(text: &str, little_endian: bool) -> Vec<u8> {
    text.encode_utf16()
        .flat_map(|unit| if little_endian { unit.to_le_bytes() } else { unit.to_be_bytes() })
        .collect()
}

/// Reads units of two bytes; U+FFFD stands for half a unit and half a pair. A mark is a character.
pub(super) fn decode_utf16(bytes: &[u8], little_endian: bool) -> String {
    let pairs = bytes.chunks(2).map(|pair| match *pair {
        [a, b] if little_endian => u16::from_le_bytes([a, b]),
        [a, b] => u16::from_be_bytes([a, b]),
        // Half a unit means nothing.
        _ => 0xfffd,
    });
    char::decode_utf16(pairs).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Writes a text in a set other than ISO-2022-JP; `None` if the set lacks a character.
pub(super) fn encode_wide(set: Wide, text: &str) -> Option<Vec<u8>> {
    let table = set.written_as_read();
    let mut bytes = Vec::new();
    for c in text.chars() {
        match (u8::try_from(c).ok().filter(u8::is_ascii), table.get(&c), set) {
            (Some(ascii), ..) => bytes.push(ascii),
            (None, Some(_), Wide::Gbk) if c == '€' => bytes.push(0x80),
            (None, Some(code), _) => bytes.extend(code.to_be_bytes().iter().skip_while(|&&byte| byte == 0)),
            (None, None, Wide::Gb18030) => bytes.extend(four_bytes(c)?),
            (None, None, _) => return None,
        }
    }
    Some(bytes)
}

/// The form that GB18030 gives to characters that GBK lacks; nothing if a number in it does not fit a byte.
/// Characters of the first plane are counted through the gaps that the table leaves, those beyond it from
/// [`OTHER_PLANES`] on.
fn four_bytes(c: char) -> Option<[u8; 4]> {
    let place = match u32::from(c).checked_sub(0x1_0000) {
        Some(beyond) => OTHER_PLANES + usize::try_from(beyond).ok()?,
        None => {
            let before = GB18030.chars().partition_point(|&own| own <= c).checked_sub(1)?;
            let gap = u32::from(c) - u32::from(*GB18030.chars().get(before)?);
            before + usize::try_from(gap).ok()?
        }
    };
    let digit = |n: usize, first: u8| Some(first + u8::try_from(n).ok()?);
    Some([
        digit(place / 12600, 0x81)?,
        digit(place / 1260 % 10, 0x30)?,
        digit(place / 10 % 126, 0x81)?,
        digit(place % 10, 0x30)?,
    ])
}

/// Where the four bytes of GB18030 begin that stand for characters beyond the first plane.
const OTHER_PLANES: usize = 189_000;

/// The bytes of every character that some two or three bytes are read as, as a number.
type Written = HashMap<char, u32>;

impl Wide {
    /// The table for writing, which is made once of the one for reading.
    fn written_as_read(self) -> &'static Written {
        static TABLES: [OnceLock<Written>; 5] = [const { OnceLock::new() }; 5];
        let position = match self {
            Wide::Big5 => 0,
            Wide::EucKr => 1,
            Wide::EucJp | Wide::Iso2022Jp => 2,
            Wide::ShiftJis => 3,
            Wide::Gbk | Wide::Gb18030 => 4,
        };
        TABLES[position].get_or_init(|| {
            let mut table = Written::default();
            let single = (0xa0..=0xff_u8).map(|a| [0, 0, 0, a]);
            let double = (0x80..=0xff).flat_map(|a| (0x40..=0xff).map(move |b| [0, 0, a, b]));
            let triple = (0xa1..=0xff).flat_map(|a| (0xa1..=0xff).map(move |b| [0, 0x8f, a, b]));
            for bytes in single.chain(double).chain(triple) {
                let length = bytes.iter().filter(|&&byte| byte != 0).count();
                let Some((c, read)) = self.character(&bytes[4 - length..]) else { continue };
                let code = u32::from_be_bytes(bytes);
                // Of several spellings Big5 prefers the last, the others the first.
                match self {
                    _ if read != length => {}
                    Wide::Big5 => drop(table.insert(c, code)),
                    _ => drop(table.entry(c).or_insert(code)),
                }
            }
            table
        })
    }

    /// The character that the bytes begin with, and how many of them it takes. ASCII is not asked for.
    fn character(self, bytes: &[u8]) -> Option<(char, usize)> {
        let half = |byte: u8| char::from_u32(0xfec0 + u32::from(byte));
        let row = |a: u8, b: u8, first: u8| usize::from(a - first) * 94 + usize::from(b - first);
        match (self, bytes) {
            (Wide::ShiftJis, [0x80, ..]) => Some(('\u{80}', 1)),
            (Wide::ShiftJis, [byte @ 0xa1..=0xdf, ..]) => Some((half(*byte)?, 1)),
            (Wide::ShiftJis, [a @ (0x81..=0x9f | 0xe0..=0xfc), b @ (0x40..=0x7e | 0x80..=0xfc), ..]) => {
                let lead = usize::from(a - if *a < 0xe0 { 0x81 } else { 0xc1 });
                let trail = usize::from(b - if *b < 0x80 { 0x40 } else { 0x41 });
                Some((JIS0208.at(lead * 188 + trail)?, 2))
            }
            (Wide::EucJp, [0x8e, byte @ 0xa1..=0xdf, ..]) => Some((half(*byte)?, 2)),
            (Wide::EucJp, [0x8f, a @ 0xa1..=0xfe, b @ 0xa1..=0xfe, ..]) => {
                Some((JIS0212.at(row(*a, *b, 0xa1))?, 3))
            }
            (Wide::EucJp, [a @ 0xa1..=0xfe, b @ 0xa1..=0xfe, ..]) => {
                Some((JIS0208.at(row(*a, *b, 0xa1))?, 2))
            }
            // The euro sign is a single byte in code page 936.
            (Wide::Gbk | Wide::Gb18030, [0x80, ..]) => Some(('€', 1)),
            (Wide::Gb18030, [a @ 0x81..=0xfe, b @ 0x30..=0x39, c @ 0x81..=0xfe, d @ 0x30..=0x39, ..]) => {
                // The four bytes are the digits of a number, in the bases 126, 10, 126 and 10.
                let digits = [(a, 0x81, 10), (b, 0x30, 126), (c, 0x81, 10), (d, 0x30, 1)];
                let place =
                    digits.iter().fold(0, |n, (byte, first, base)| (n + usize::from(**byte - first)) * base);
                match place.checked_sub(OTHER_PLANES) {
                    Some(beyond) => Some((char::from_u32(u32::try_from(beyond).ok()? + 0x1_0000)?, 4)),
                    None => Some((GB18030.at(place)?, 4)),
                }
            }
            (
                Wide::Big5 | Wide::EucKr | Wide::Gbk | Wide::Gb18030,
                [a @ 0x81..=0xfe, b @ 0x40..=0xfe, ..],
            ) => {
                let table = match self {
                    Wide::Big5 => &BIG5,
                    Wide::EucKr => &EUC_KR,
                    _ => &GBK,
                };
                Some((table.at(usize::from(a - 0x81) * 191 + usize::from(b - 0x40))?, 2))
            }
            _ => None,
        }
    }
}

/// The bytes of a text; none if the set lacks a character. Looks at the limits are made meanwhile.
pub(super) type Encoded = Result<Option<Vec<u8>>, LimitReached>;

/// Each alphabet is announced by an escape sequence; the text ends in ASCII.
pub(super) fn encode_iso_2022_jp(text: &str, pace: Pace<'_, '_>) -> Encoded {
    const ASCII: &[u8] = b"\x1b(B";
    let table = Wide::EucJp.written_as_read();
    let mut bytes = Vec::new();
    let mut alphabet = ASCII;
    let mut left = 0;
    for c in text.chars() {
        if left == 0 {
            go_on(pace, STRETCH / BYTES_PER_PART)?;
            left = STRETCH;
        }
        left -= 1;
        let (wanted, encoded): (&[u8], &[u8]) = match (c, u8::try_from(c)) {
            ('\0'..='\x7f', Ok(ascii)) => (ASCII, &[ascii]),
            ('\u{ff61}'..='\u{ff9f}', _) => {
                (b"\x1b(I", &[u8::try_from(u32::from(c) - 0xff40).unwrap_or_default()])
            }
            // The table of EUC-JP has these, and the reference's encoder for this set does not.
            ('\u{a5}' | '\u{203e}' | '\u{2212}', _) => return Ok(None),
            _ => match table.get(&c).map(|code| code.to_be_bytes()) {
                Some([0, 0, a @ 0xa1..=0xff, b]) => (b"\x1b$B", &[a & 0x7f, b & 0x7f]),
                _ => return Ok(None),
            },
        };
        if wanted != alphabet {
            bytes.extend_from_slice(wanted);
            alphabet = wanted;
        }
        bytes.extend_from_slice(encoded);
    }
    if alphabet != ASCII {
        bytes.extend_from_slice(ASCII);
    }
    Ok(Some(bytes))
}

/// Reads a text in a set, with U+FFFD where bytes mean nothing.
pub(super) fn decode_wide(set: Wide, bytes: &[u8], pace: Pace<'_, '_>) -> Result<String, LimitReached> {
    if set == Wide::Iso2022Jp {
        return decode_iso_2022_jp(bytes, pace);
    }
    let mut text = String::new();
    let mut rest = bytes;
    let mut stretch = Stretch::default();
    while let [first, ..] = rest {
        stretch.at(rest, pace)?;
        if let (Wide::Big5, Some((two, after))) = (set, two_characters(rest)) {
            text.push_str(two);
            rest = after;
            continue;
        }
        let (c, length) = match first.is_ascii() {
            true => (char::from(*first), 1),
            false => set.character(rest).unwrap_or((char::REPLACEMENT_CHARACTER, 1)),
        };
        text.push(c);
        rest = &rest[length..];
    }
    Ok(text)
}

/// The part of a text that is read between two looks at the limits.
#[derive(Default)]
struct Stretch {
    /// How many bytes of the text follow it; as many as there can be before the first.
    end: Option<usize>,
}

impl Stretch {
    /// Looks at the limits if the rest of the text begins another stretch.
    fn at(&mut self, rest: &[u8], pace: Pace<'_, '_>) -> Result<(), LimitReached> {
        if self.end.is_some_and(|end| rest.len() > end) {
            return Ok(());
        }
        self.end = Some(rest.len().saturating_sub(STRETCH));
        go_on(pace, rest.len().min(STRETCH) / BYTES_PER_PART)
    }
}

/// The pairs of bytes that Big5 reads as a letter and its mark.
fn two_characters(bytes: &[u8]) -> Option<(&'static str, &[u8])> {
    match bytes {
        [0x88, 0x62, after @ ..] => Some(("\u{ca}\u{304}", after)),
        [0x88, 0x64, after @ ..] => Some(("\u{ca}\u{30c}", after)),
        [0x88, 0xa3, after @ ..] => Some(("\u{ea}\u{304}", after)),
        [0x88, 0xa5, after @ ..] => Some(("\u{ea}\u{30c}", after)),
        _ => None,
    }
}

/// Reads ISO-2022-JP. An escape sequence tells the alphabet of what follows; ASCII and its Japanese variant are read
/// alike. The alphabet is kept as the last byte of its sequence, with `@` for all of JIS X 0208.
fn decode_iso_2022_jp(bytes: &[u8], pace: Pace<'_, '_>) -> Result<String, LimitReached> {
    const LOST: char = char::REPLACEMENT_CHARACTER;
    let mut text = String::new();
    let mut alphabet = b'B';
    let mut rest = bytes;
    let mut stretch = Stretch::default();
    loop {
        stretch.at(rest, pace)?;
        let (c, after) = match (alphabet, rest) {
            (_, []) => return Ok(text),
            (_, [0x1b, b'(', to @ (b'B' | b'J' | b'I'), after @ ..])
            | (_, [0x1b, b'$', to @ (b'@' | b'B'), after @ ..])
            | (_, [0x1b, b'$', b'(', to @ b'D', after @ ..]) => {
                // `$B` and `(B` end alike.
                alphabet = if rest[1] == b'$' && *to == b'B' { b'@' } else { *to };
                rest = after;
                continue;
            }
            // The beginning of another sequence is no character of any alphabet.
            (b'B' | b'J', [byte, after @ ..]) if byte.is_ascii() && *byte != 0x1b => {
                (char::from(*byte), after)
            }
            // A line ends in ASCII, and those of two bytes a character end with it.
            (b'@' | b'D', [b'\n', after @ ..]) => {
                alphabet = b'B';
                ('\n', after)
            }
            (b'I', [byte @ 0x21..=0x5f, after @ ..]) => {
                (char::from_u32(0xff40 + u32::from(*byte)).unwrap_or(LOST), after)
            }
            (b'@' | b'D', [a @ 0x21..=0x7e, b @ 0x21..=0x7e, after @ ..]) => {
                let table = if alphabet == b'@' { &JIS0208 } else { &JIS0212 };
                (table.at(usize::from(a - 0x21) * 94 + usize::from(b - 0x21)).unwrap_or(LOST), after)
            }
            (_, [_, after @ ..]) => (LOST, after),
        };
        text.push(c);
        rest = after;
    }
}

/// ASCII, with stretches of GB 2312 between `~{` and `~}`; one at the end stays open.
pub(super) fn encode_hz(text: &str, pace: Pace<'_, '_>) -> Encoded {
    let table = Wide::Gbk.written_as_read();
    let mut bytes = Vec::new();
    let mut in_gb = false;
    let mut left = 0;
    for c in text.chars() {
        if left == 0 {
            go_on(pace, STRETCH / BYTES_PER_PART)?;
            left = STRETCH;
        }
        left -= 1;
        let ascii = u8::try_from(c).ok().filter(u8::is_ascii);
        if in_gb != ascii.is_none() {
            in_gb = !in_gb;
            bytes.extend_from_slice(if in_gb { b"~{" } else { b"~}" });
        }
        match ascii {
            Some(b'~') => bytes.extend_from_slice(b"~~"),
            Some(byte) => bytes.push(byte),
            // Two bytes of GBK whose upper bits are set are a character of GB 2312.
            None => match table.get(&c).map(|code| code.to_be_bytes()) {
                Some([0, 0, a @ 0xa1..=0xf7, b @ 0xa1..=0xfe]) => bytes.extend([a & 0x7f, b & 0x7f]),
                _ => return Ok(None),
            },
        }
    }
    Ok(Some(bytes))
}

/// Reads HZ. A tilde before the end of a line joins it with the next one.
pub(super) fn decode_hz(bytes: &[u8], pace: Pace<'_, '_>) -> Result<String, LimitReached> {
    let mut text = String::new();
    let mut in_gb = false;
    let mut rest = bytes;
    let mut stretch = Stretch::default();
    while let [byte, after @ ..] = rest {
        stretch.at(rest, pace)?;
        rest = after;
        match (byte, after) {
            (b'~', [b'{', after @ ..]) => {
                in_gb = true;
                rest = after;
            }
            (b'~', [b'}', after @ ..]) => {
                in_gb = false;
                rest = after;
            }
            (b'~', [b'~', after @ ..]) => {
                text.push('~');
                rest = after;
            }
            (b'~', [b'\n', after @ ..]) => rest = after,
            (b'~', _) => text.push(char::REPLACEMENT_CHARACTER),
            (a @ 0x21..=0x77, [b @ 0x21..=0x7e, after @ ..]) if in_gb => {
                let read = Wide::Gbk.character(&[a | 0x80, b | 0x80]);
                text.push(read.map_or(char::REPLACEMENT_CHARACTER, |(c, _)| c));
                rest = after;
            }
            (byte, _) if byte.is_ascii() && !in_gb => text.push(char::from(*byte)),
            _ => text.push(char::REPLACEMENT_CHARACTER),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS};

    use super::*;

    /// Bytes are read as browsers read them, but for private use and what GBK got later.
    #[test]
    fn bytes_are_read_as_browsers_do() {
        let sets = [
            (Wide::Big5, BIG5),
            (Wide::EucKr, EUC_KR),
            (Wide::EucJp, EUC_JP),
            (Wide::ShiftJis, SHIFT_JIS),
            (Wide::Gbk, GBK),
        ];
        for (set, theirs) in sets {
            for lead in [None, Some(0x8f)] {
                for (a, b) in (0..=0xff).flat_map(|a| (0..=0xff).map(move |b| (a, b))) {
                    let bytes: Vec<u8> = lead.into_iter().chain([a, b]).collect();
                    assert_eq!(
                        read(&decode_wide(set, &bytes, &mut None).expect("no limit")),
                        expected(theirs, &bytes).as_deref(),
                        "{} {bytes:x?}",
                        theirs.name()
                    );
                }
            }
        }
    }

    fn read(text: &str) -> Option<&str> {
        (!text.contains(char::REPLACEMENT_CHARACTER)).then_some(text)
    }

    fn expected(theirs: &'static Encoding, bytes: &[u8]) -> Option<String> {
        let text = theirs.decode_without_bom_handling_and_without_replacement(bytes)?;
        let lost = |c| match theirs {
            _ if theirs == GBK => {
                matches!(c, '\u{1e3f}' | '\u{9fb4}'..='\u{9fbb}' | '\u{e000}'..='\u{f8ff}' | '\u{fe10}'..='\u{fe19}')
            }
            _ => matches!(c, '\u{e000}'..='\u{f8ff}'),
        };
        (!text.contains(lost)).then(|| text.into_owned())
    }

    #[test]
    fn what_is_written_is_read_again() {
        let sets =
            [Wide::Big5, Wide::EucKr, Wide::EucJp, Wide::ShiftJis, Wide::Gbk, Wide::Gb18030, Wide::Iso2022Jp];
        for set in sets {
            let mut n = 0;
            for c in ('\0'..='\u{d7ff}').chain('\u{f900}'..='\u{fffc}').chain('\u{1f000}'..='\u{2fa1f}') {
                let mut room = [0; 4];
                let text = &*c.encode_utf8(&mut room);
                let written = match set {
                    Wide::Iso2022Jp => encode_iso_2022_jp(text, &mut None).expect("no limit"),
                    _ => encode_wide(set, text),
                };
                if let Some(bytes) = written {
                    n += 1;
                    // As in the reference, an escape is written as it is and read as the beginning of a sequence.
                    let read = if c == '\u{1b}' && matches!(set, Wide::Iso2022Jp) {
                        char::REPLACEMENT_CHARACTER
                    } else {
                        c
                    };
                    let again = decode_wide(set, &bytes, &mut None).expect("no limit");
                    assert_eq!(again, read.to_string(), "{bytes:x?}");
                }
            }
            assert!(n > 7000);
        }
    }
}
