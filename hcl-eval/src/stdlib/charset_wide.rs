//! Character sets with several bytes a character: UTF-16, HZ, and those of a crate.

use encoding_rs::{EncoderResult, Encoding, GBK};

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

/// `None` if the set lacks a character.
pub(super) fn encode_with(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    let mut encoder = encoding.new_encoder();
    let room = encoder.max_buffer_length_from_utf8_without_replacement(text.len())?;
    let mut bytes = Vec::with_capacity(room);
    match encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true) {
        (EncoderResult::InputEmpty, _) => Some(bytes),
        _ => None,
    }
}

pub(super) fn decode_with(encoding: &'static Encoding, bytes: &[u8]) -> String {
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// Two bytes of GBK whose upper bits are set: a character of GB 2312.
fn gb2312(c: char) -> Option<[u8; 2]> {
    let bytes = encode_with(GBK, c.encode_utf8(&mut [0; 4]))?;
    match bytes.as_slice() {
        &[a @ 0xa1..=0xf7, b @ 0xa1..=0xfe] => Some([a & 0x7f, b & 0x7f]),
        _ => None,
    }
}

/// ASCII, with stretches of GB 2312 between `~{` and `~}`.
pub(super) fn encode_hz(text: &str) -> Option<Vec<u8>> {
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
            None => bytes.extend(gb2312(c)?),
        }
    }
    if in_gb {
        bytes.extend_from_slice(b"~}");
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
            (b'\n', _) => {
                in_gb = false;
                text.push('\n');
            }
            (byte, _) if byte.is_ascii() && !in_gb => text.push(char::from(*byte)),
            _ => text.push(char::REPLACEMENT_CHARACTER),
        }
    }
    text
}
