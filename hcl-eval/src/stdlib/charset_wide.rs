//! Character sets with several bytes a character: UTF-16, HZ, and those of a crate.

use std::collections::HashMap;
use std::sync::OnceLock;

use encoding_rs::{BIG5, EUC_JP, EncoderResult, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS};

/// With a mark the byte order is told by it, the big end first.
pub(super) fn encode_utf16(text: &str, little_endian: bool, with_mark: bool) -> Vec<u8> {
    let mark = with_mark.then_some(0xfeff);
    let units = mark.into_iter().chain(text.encode_utf16());
    units.flat_map(|unit| if little_endian { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
}

pub(super) fn decode_utf16(bytes: &[u8], little_endian: bool, with_mark: bool) -> String {
    let (bytes, little_endian) = match bytes {
        [0xfe, 0xff, rest @ ..] if with_mark => (rest, false),
        [0xff, 0xfe, rest @ ..] if with_mark => (rest, true),
        _ => (bytes, little_endian),
    };
    let pairs = bytes.chunks(2).map(|pair| match *pair {
        [a, b] if little_endian => u16::from_le_bytes([a, b]),
        [a, b] => u16::from_be_bytes([a, b]),
        // Half a unit means nothing.
        _ => 0xfffd,
    });
    char::decode_utf16(pairs).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// `None` if the set lacks a character. Where the crate follows browsers, which write fewer characters than they
/// read, or others for them, what can be read is turned around.
pub(super) fn encode_with(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    if encoding == ISO_2022_JP {
        return encode_iso_2022_jp(text);
    }
    let table = match encoding {
        _ if encoding == GBK && text.contains(is_new_in_gbk) => return None,
        _ if encoding == GBK => None,
        encoding => written_as_read(encoding),
    };
    let Some(table) = table else { return encode_as_browsers(encoding, text) };
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u8::try_from(c).ok().filter(u8::is_ascii) {
            Some(ascii) => bytes.push(ascii),
            None => bytes.extend_from_slice(table.get(&c)?),
        }
    }
    Some(bytes)
}

fn encode_as_browsers(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    let mut encoder = encoding.new_encoder();
    let room = encoder.max_buffer_length_from_utf8_without_replacement(text.len())?;
    let mut bytes = Vec::with_capacity(room);
    match encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true) {
        (EncoderResult::InputEmpty, _) => Some(bytes),
        _ => None,
    }
}

/// Characters that GBK got after the tables of the reference were made.
fn is_new_in_gbk(c: char) -> bool {
    matches!(c, '\u{1e3f}' | '\u{9fb4}'..='\u{9fbb}' | '\u{fe10}'..='\u{fe19}' | '\u{e000}'..='\u{f8ff}')
}

/// The bytes of every character that some two or three bytes are read as.
type Table = HashMap<char, Vec<u8>>;

fn written_as_read(encoding: &'static Encoding) -> Option<&'static Table> {
    static TABLES: [OnceLock<Table>; 4] = [const { OnceLock::new() }; 4];
    let position = [BIG5, EUC_JP, SHIFT_JIS, GBK].iter().position(|&known| known == encoding)?;
    Some(TABLES[position].get_or_init(|| {
        let mut table = Table::new();
        let single = (0xa0..=0xff).map(|a| vec![a]);
        let double = (0x80..=0xff).flat_map(|a| (0x40..=0xff).map(move |b| vec![a, b]));
        let triple = (0xa1..=0xff).flat_map(|a| (0xa1..=0xff).map(move |b| vec![0x8f, a, b]));
        let triple = triple.filter(|_| encoding == EUC_JP);
        for bytes in single.chain(double).chain(triple) {
            let text = decode_with(encoding, &bytes);
            let mut chars = text.chars();
            if let (Some(c), None) = (chars.next(), chars.next())
                && c != char::REPLACEMENT_CHARACTER
            {
                // Of several spellings Big5 prefers the last, the others the first.
                match encoding == BIG5 {
                    true => drop(table.insert(c, bytes)),
                    false => drop(table.entry(c).or_insert(bytes)),
                }
            }
        }
        table
    }))
}

/// Each alphabet is announced by an escape sequence; the text ends in ASCII.
fn encode_iso_2022_jp(text: &str) -> Option<Vec<u8>> {
    const ASCII: &[u8] = b"\x1b(B";
    let table = written_as_read(EUC_JP)?;
    let mut bytes = Vec::with_capacity(text.len());
    let mut alphabet = ASCII;
    for c in text.chars() {
        let (wanted, encoded): (&[u8], Vec<u8>) = match c {
            '\0'..='\x7f' => (ASCII, vec![u8::try_from(c).ok()?]),
            '\u{ff61}'..='\u{ff9f}' => (b"\x1b(I", vec![u8::try_from(u32::from(c) - 0xff40).ok()?]),
            '\u{a5}' | '\u{203e}' | '\u{2212}' => return None,
            c => match table.get(&c)?.as_slice() {
                &[a @ 0xa1..=0xff, b] => (b"\x1b$B", vec![a & 0x7f, b & 0x7f]),
                _ => return None,
            },
        };
        if wanted != alphabet {
            bytes.extend_from_slice(wanted);
            alphabet = wanted;
        }
        bytes.extend(encoded);
    }
    if alphabet != ASCII {
        bytes.extend_from_slice(ASCII);
    }
    Some(bytes)
}

/// Bytes for private use mean nothing.
pub(super) fn decode_with(encoding: &'static Encoding, bytes: &[u8]) -> String {
    let text = encoding.decode_without_bom_handling(bytes).0;
    if encoding == GBK {
        return text.replace(is_new_in_gbk, "\u{fffd}");
    }
    if [GB18030, SHIFT_JIS].contains(&encoding) {
        return text.replace(|c| matches!(c, '\u{e000}'..='\u{f8ff}'), "\u{fffd}");
    }
    text.into_owned()
}

/// ASCII, with stretches of GB 2312 between `~{` and `~}`; one at the end stays open.
pub(super) fn encode_hz(text: &str) -> Option<Vec<u8>> {
    let table = written_as_read(GBK)?;
    let mut bytes = Vec::with_capacity(text.len());
    let mut in_gb = false;
    for c in text.chars() {
        let ascii = u8::try_from(c).ok().filter(u8::is_ascii);
        if in_gb != ascii.is_none() {
            in_gb = !in_gb;
            bytes.extend_from_slice(if in_gb { b"~{" } else { b"~}" });
        }
        match ascii {
            Some(b'~') => bytes.extend_from_slice(b"~~"),
            Some(byte) => bytes.push(byte),
            // Two bytes of GBK whose upper bits are set are a character of GB 2312.
            None => match *table.get(&c)?.as_slice() {
                [a @ 0xa1..=0xf7, b @ 0xa1..=0xfe] => bytes.extend([a & 0x7f, b & 0x7f]),
                _ => return None,
            },
        }
    }
    Some(bytes)
}

pub(super) fn decode_hz(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut in_gb = false;
    let mut rest = bytes;
    while let [byte, after @ ..] = rest {
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
                text.push_str(&decode_with(GBK, &[a | 0x80, b | 0x80]));
                rest = after;
            }
            (byte, _) if byte.is_ascii() && !in_gb => text.push(char::from(*byte)),
            _ => text.push(char::REPLACEMENT_CHARACTER),
        }
    }
    text
}
