//! Base64 and percent-encoding of texts.
//!
//! Base64 is read as Go reads it: line ends anywhere in the text do not count, padding is required, and bits to spare
//! in the last character may be anything. Percent-encoding is that of queries, where a blank is a plus sign.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::support::{Outcome, fail, function, in_stretches, long_text, quoted, text};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::BYTES_PER_PART;
use crate::types::Type;
use crate::value::Value;
use crate::value::string::utf8_within;

/// The standard alphabet with its padding. Bits to spare at the end may be anything.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Bytes as base64.
#[cfg(feature = "hash")]
pub(super) fn to_base64(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// The bytes of a base64 text, in which line ends do not count.
pub(super) fn from_base64(text: &str) -> Option<Vec<u8>> {
    match text.contains(['\r', '\n']) {
        true => BASE64.decode(text.replace(['\r', '\n'], "")).ok(),
        false => BASE64.decode(text).ok(),
    }
}

/// Bytes are encoded in pieces of so many, which take no padding.
const PIECE: usize = 3 << 14;

/// Bytes that have been charged for as base64, with looks at the limits.
pub(super) fn encode_base64(invocation: &mut Invocation<'_>, bytes: &[u8]) -> Result<String, FunctionError> {
    let mut encoded = invocation.text_room(bytes.len().div_ceil(3).saturating_mul(4))?;
    for piece in bytes.chunks(PIECE) {
        invocation.go_on(piece.len() / BYTES_PER_PART)?;
        BASE64.encode_string(piece, &mut encoded);
    }
    Ok(encoded)
}

/// The bytes of a base64 text, in which line ends do not count, with looks at the limits.
pub(super) fn decode_base64(
    invocation: &mut Invocation<'_>,
    text: &str,
) -> Result<Option<Vec<u8>>, FunctionError> {
    // Whole groups of four characters.
    const PIECE: usize = 4 << 14;
    if text.len() <= PIECE {
        return Ok(from_base64(text));
    }
    let joined;
    let mut rest = text.as_bytes();
    let mut has_line_ends = false;
    in_stretches(invocation, text, |stretch| {
        has_line_ends = has_line_ends || stretch.contains(['\r', '\n']);
    })?;
    if has_line_ends {
        joined = invocation.gather(text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')))?;
        rest = &joined;
    }
    let mut decoded = invocation.room(rest.len() / 4 * 3)?;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.len().min(PIECE));
        invocation.go_on(piece.len() / BYTES_PER_PART)?;
        // Padding belongs at the end alone.
        if (!after.is_empty() && piece.ends_with(b"=")) || BASE64.decode_vec(piece, &mut decoded).is_err() {
            return Ok(None);
        }
        rest = after;
    }
    Ok(Some(decoded))
}

/// A function that encodes a text in ASCII. `growth` bounds the length of the result in lengths of the text.
fn encoder(
    name: &'static str,
    description: &'static str,
    growth: usize,
    body: fn(&mut Invocation<'_>, &str) -> Result<String, FunctionError>,
) -> Function {
    function(name, description)
        .parameter(Parameter::new("str", Type::String).described("The text; its UTF-8 bytes are encoded."))
        .returns(Type::String)
        .implementation(move |invocation, args| {
            invocation.charge_bytes(text(args, 0).len().saturating_mul(growth))?;
            let encoded = body(invocation, text(args, 0))?;
            long_text(invocation, &encoded)
        })
}

/// `base64encode(str)`
pub(crate) fn base64encode() -> Function {
    encoder("base64encode", "Encodes the text in base64.", 2, |invocation, str| {
        encode_base64(invocation, str.as_bytes())
    })
}

/// `base64decode(str)`
pub(crate) fn base64decode() -> Function {
    function("base64decode", "Decodes a text that is encoded in base64.")
        .parameter(Parameter::new("str", Type::String).described("Base64 of the standard alphabet with padding; line ends in it are ignored. It must encode UTF-8.").allow_marked())
        .returns(Type::String)
        .implementation(decode)
}

/// Decodes base64 that must be UTF-8. It sees marks, so that the message of an error can leave marked text out.
fn decode(invocation: &mut Invocation<'_>, args: &[Value]) -> Outcome {
    let Some(encoded) = args.first() else { return fail("a text is required") };
    invocation.charge_bytes(text(args, 0).len())?;
    let Some(bytes) = decode_base64(invocation, text(args, 0))? else {
        return fail(format!("failed to decode base64 data {}", quoted(encoded)));
    };
    match utf8_within(bytes, invocation.meter())? {
        Some(decoded) => Ok(long_text(invocation, &decoded)?.with_marks(encoded.marks())),
        None => fail("the result of decoding the provided string is not valid UTF-8"),
    }
}

/// `urlencode(str)`
pub(crate) fn urlencode() -> Function {
    encoder("urlencode", "Encodes the text for use in a URL.", 3, |invocation, str| {
        let mut encoded = invocation.text_room(str.len())?;
        for byte in str.bytes() {
            invocation.go_on(1)?;
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                    encoded.push(char::from(byte));
                }
                b' ' => encoded.push('+'),
                _ => {
                    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                    encoded.push('%');
                    encoded.push(char::from(DIGITS[usize::from(byte >> 4)]));
                    encoded.push(char::from(DIGITS[usize::from(byte & 15)]));
                }
            }
        }
        Ok(encoded)
    })
}

/// `urldecode(str)`
pub(crate) fn urldecode() -> Function {
    function("urldecode", "Decodes a text that is encoded for use in a URL.")
        .parameter(
            Parameter::new("str", Type::String)
                .described("The encoded text: %XX stands for a byte, + for a space."),
        )
        .returns(Type::String)
        .implementation(|invocation, args| {
            invocation.charge_bytes(text(args, 0).len())?;
            let mut decoded = Vec::new();
            let mut rest = text(args, 0).as_bytes();
            while let [byte, after @ ..] = rest {
                invocation.go_on(1)?;
                rest = after;
                decoded.push(match (byte, after) {
                    (b'+', _) => b' ',
                    (b'%', [high, low, after @ ..])
                        if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() =>
                    {
                        rest = after;
                        hex_value(*high) << 4 | hex_value(*low)
                    }
                    (b'%', _) => {
                        let escape = String::from_utf8_lossy(&after[..after.len().min(2)]);
                        return fail(format!("failed to decode URL: invalid escape \"%{escape}\""));
                    }
                    (other, _) => *other,
                });
            }
            // Escapes may stand for any bytes; those that are no UTF-8 become U+FFFD.
            long_text(invocation, &String::from_utf8_lossy(&decoded))
        })
}

/// The value of a hexadecimal digit.
fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        digit => digit.to_ascii_lowercase() - b'a' + 10,
    }
}
