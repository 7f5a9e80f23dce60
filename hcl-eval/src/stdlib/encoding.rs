//! Text in other clothes: base64 and percent-encoding.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::support::{Outcome, fail, function, quoted, text};
use crate::function::{Function, Invocation, Parameter};
use crate::types::Type;
use crate::value::Value;

/// The standard alphabet with its padding. Bits to spare at the end may be anything.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical),
);

/// Bytes as base64.
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

fn encoder(
    name: &'static str,
    description: &'static str,
    growth: usize,
    body: fn(&str) -> String,
) -> Function {
    function(name, description)
        .parameter(Parameter::new("str", Type::String).described("The text; its UTF-8 bytes are encoded."))
        .returns(Type::String)
        .implementation(move |invocation, args| {
            invocation.charge_bytes(text(args, 0).len().saturating_mul(growth))?;
            Ok(Value::string(body(text(args, 0))))
        })
}

/// `base64encode(str)`
pub(crate) fn base64encode() -> Function {
    encoder("base64encode", "Encodes the text in base64.", 2, |str| to_base64(str.as_bytes()))
}

/// `base64decode(str)`
pub(crate) fn base64decode() -> Function {
    function("base64decode", "Decodes a text that is encoded in base64.")
        .parameter(Parameter::new("str", Type::String).described("Base64 of the standard alphabet with padding; line ends in it are ignored. It must encode UTF-8.").allow_marked())
        .returns(Type::String)
        .implementation(decode_base64)
}

fn decode_base64(invocation: &mut Invocation<'_>, args: &[Value]) -> Outcome {
    let Some(encoded) = args.first() else { return fail("a text is required") };
    invocation.charge_bytes(text(args, 0).len())?;
    let Some(bytes) = from_base64(text(args, 0)) else {
        return fail(format!("failed to decode base64 data {}", quoted(encoded)));
    };
    match String::from_utf8(bytes) {
        Ok(decoded) => Ok(Value::string(decoded).with_marks(encoded.marks())),
        Err(_) => fail("the result of decoding the provided string is not valid UTF-8"),
    }
}

/// `urlencode(str)`
pub(crate) fn urlencode() -> Function {
    encoder("urlencode", "Encodes the text for use in a URL.", 3, |str| {
        let mut encoded = String::new();
        for byte in str.bytes() {
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
        encoded
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
            Ok(Value::string(String::from_utf8_lossy(&decoded)))
        })
}

fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        digit => digit.to_ascii_lowercase() - b'a' + 10,
    }
}
