//! The byte form of set elements, and its checksum.
//!
//! A set keeps its elements in buckets by the CRC-32 of a byte form, and orders elements of most types by
//! that form. Both show in the order of iteration, so they are the reference's exactly.

use super::quote::{write_quoted, write_quoted_on};
use super::string::STRETCH;
use super::{Repr, Value};
use crate::limits::{BYTES_PER_PART, LimitReached, Pace, go_on};
use crate::stack;

/// How numbers appear in the form.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Digits {
    /// Ten significant digits, as the reference hashes them.
    Ten,
    /// All digits: tells apart whatever the language's equality tells apart.
    All,
}

/// The byte form of an unmarked value.
pub(crate) fn hash_text(value: &Value, digits: Digits, pace: Pace<'_, '_>) -> Result<String, LimitReached> {
    let mut out = String::new();
    write_hash_text(value, digits, &mut out, pace)?;
    Ok(out)
}

/// Writes the byte form of an unmarked value behind a text.
pub(crate) fn write_hash_text(
    value: &Value,
    digits: Digits,
    out: &mut String,
    pace: Pace<'_, '_>,
) -> Result<(), LimitReached> {
    let start = out.len();
    stack::grow(value.depth(), || write_parts_of(value, digits, out, pace))?;
    go_on(pace, 1 + (out.len() - start) / BYTES_PER_PART)
}

/// Writes the form without looking at the meter; `write_hash_text` does that for each part, and grows the stack.
fn write_parts_of(
    value: &Value,
    digits: Digits,
    out: &mut String,
    pace: Pace<'_, '_>,
) -> Result<(), LimitReached> {
    match &value.unmarked().0 {
        Repr::Unknown(_) => out.push('?'),
        Repr::Null(_) => out.push('~'),
        Repr::Number(number) => match digits {
            Digits::Ten => out.push_str(&number.hash_text()),
            Digits::All => number.write_text_within(out, pace)?,
        },
        Repr::Bool(value) => out.push(if *value { 'T' } else { 'F' }),
        Repr::String(text) => write_quoted_on(text, out, pace)?,
        Repr::Map(map) => {
            out.push('{');
            for (key, value) in map.header().shape.names().iter().zip(map.elements()) {
                write_quoted_on(key, out, pace)?;
                out.push(':');
                write_hash_text(value, digits, out, pace)?;
                out.push(';');
            }
            out.push('}');
        }
        Repr::List(node) | Repr::Set(node) => write_parts('[', node.elements(), ']', digits, out, pace)?,
        Repr::Tuple(node) => write_parts('<', node.elements(), '>', digits, out, pace)?,
        Repr::Object(node) => write_parts('<', node.elements(), '>', digits, out, pace)?,
        Repr::Capsule(capsule) => {
            let operations = capsule.ty().operations();
            out.push('«');
            match operations.and_then(|operations| operations.hash_key(capsule)) {
                Some(key) => write_quoted(&key, out),
                None => out.push('?'),
            }
            out.push('»');
        }
        Repr::Marked(_) => {}
    }
    Ok(())
}

fn write_parts(
    open: char,
    parts: &[Value],
    close: char,
    digits: Digits,
    out: &mut String,
    pace: Pace<'_, '_>,
) -> Result<(), LimitReached> {
    out.push(open);
    for part in parts {
        write_hash_text(part, digits, out, pace)?;
        out.push(';');
    }
    out.push(close);
    Ok(())
}

/// [`crc32`] of a text, with looks at the limits.
pub(crate) fn checksum(text: &str, pace: Pace<'_, '_>) -> Result<u32, LimitReached> {
    if text.len() <= STRETCH {
        return Ok(crc32(text.as_bytes()));
    }
    let mut checksum = 0;
    for stretch in text.as_bytes().chunks(STRETCH) {
        go_on(pace, stretch.len() / BYTES_PER_PART)?;
        checksum = crc32_with(checksum, stretch);
    }
    Ok(checksum)
}

/// CRC-32 as in IEEE 802.3.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    crc32_with(0, bytes)
}

/// The checksum of bytes that follow those of which `before` is the checksum, with them.
pub(crate) fn crc32_with(before: u32, bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!before, |crc, byte| {
        let [low, ..] = crc.to_le_bytes();
        TABLE[usize::from(low ^ byte)] ^ (crc >> 8)
    })
}

/// The remainders of all bytes by the reflected polynomial.
const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0u32;
    while byte < 256 {
        let mut crc = byte;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        table[byte as usize] = crc;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn crc_of_signed_zeros() {
        assert_eq!(crc32(b"-0"), 1_193_965_756);
        assert_eq!(crc32(b"0"), 4_108_050_209);
    }
}
