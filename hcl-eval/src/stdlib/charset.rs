//! Texts in other character sets: `textencodebase64` and `textdecodebase64`.
//!
//! `charsets.txt` has a line for each set: its name in the registry of IANA, its other names, and for sets of single bytes
//! what the upper 128 bytes mean, or all 256. The others' tables lie compressed.

use hcl_syntax::packed::Packed;

use super::charset_wide::{
    Wide, decode_hz, decode_utf16, decode_wide, encode_hz, encode_iso_2022_jp, encode_utf16, encode_wide,
};
use super::encoding::{decode_base64, encode_base64};
use super::support::{function, in_stretches, long_text, refuse, shown, text};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::{BYTES_PER_PART, go_on};
use crate::types::Type;
use crate::value::string::STRETCH;

/// The lines of `charsets.txt`: name, other names between blanks, table, separated by `|`.
static CHARSETS: Packed = Packed::new(include_bytes!(concat!(env!("OUT_DIR"), "/charsets.z")));

/// A character set.
struct Charset {
    /// The name in the registry of IANA, as messages show it.
    name: &'static str,
    kind: Kind,
}

enum Kind {
    Ascii,
    Utf8,
    /// Two bytes a unit. A mark is written before the text, and where there is one when reading it tells the byte
    /// order.
    Utf16 {
        little_endian: bool,
        with_mark: bool,
    },
    /// The characters of the bytes from `first` on; U+FFFD for those that mean nothing.
    SingleByte {
        first: u16,
        code_points: Vec<char>,
    },
    /// A set of East Asia.
    Wide(Wide),
    /// GB 2312 between ASCII in seven bits.
    Hz,
}

/// Finds a set by one of its names; case and blanks around do not count.
fn find(name: &str) -> Option<Charset> {
    let wanted = name.trim();
    if wanted.is_empty() {
        return None;
    }
    let mut fields = CHARSETS.text().lines().find_map(|line| {
        let mut fields = line.split('|');
        let own = fields.next()?;
        let aliases = fields.next()?;
        let mut names = aliases.split(' ').chain([own]);
        names.any(|name| name.eq_ignore_ascii_case(wanted)).then_some([own, fields.next()?])
    })?;
    let [name, table] = &mut fields;
    let kind = match *name {
        "US-ASCII" => Kind::Ascii,
        "UTF-8" => Kind::Utf8,
        "UTF-16" => Kind::Utf16 { little_endian: false, with_mark: true },
        "UTF-16BE" => Kind::Utf16 { little_endian: false, with_mark: false },
        "UTF-16LE" => Kind::Utf16 { little_endian: true, with_mark: false },
        "Big5" => Kind::Wide(Wide::Big5),
        "EUC-KR" => Kind::Wide(Wide::EucKr),
        "Extended_UNIX_Code_Packed_Format_for_Japanese" => Kind::Wide(Wide::EucJp),
        "GB18030" => Kind::Wide(Wide::Gb18030),
        "GBK" => Kind::Wide(Wide::Gbk),
        "ISO-2022-JP" => Kind::Wide(Wide::Iso2022Jp),
        "Shift_JIS" => Kind::Wide(Wide::ShiftJis),
        "HZ-GB-2312" => Kind::Hz,
        _ => {
            let code_point = |hex| u32::from_str_radix(hex, 16).ok().and_then(char::from_u32);
            let code_points: Vec<char> = table.split(' ').filter_map(code_point).collect();
            let first = if code_points.len() > 128 { 0 } else { 128 };
            Kind::SingleByte { first, code_points }
        }
    };
    Some(Charset { name, kind })
}

impl Charset {
    /// The bytes of a text that has been charged for, with looks at the limits.
    fn encode_on(
        &self,
        invocation: &mut Invocation<'_>,
        text: &str,
    ) -> Result<Option<Vec<u8>>, FunctionError> {
        // Texts with switches between alphabets are not put together of pieces.
        let pace = &mut Some(invocation.meter());
        match self.kind {
            Kind::Hz => return Ok(encode_hz(text, pace)?),
            Kind::Wide(Wide::Iso2022Jp) => return Ok(encode_iso_2022_jp(text, pace)?),
            _ => {}
        }
        // The mark that tells the byte order has the big end first.
        let mark: &[u8] = if let Kind::Utf16 { with_mark: true, .. } = self.kind { b"\xfe\xff" } else { b"" };
        let mut encoded = Some(mark.to_vec());
        in_stretches(invocation, text, |stretch| {
            encoded = encoded.take().zip(self.encode(stretch)).map(|(mut all, piece)| {
                all.extend(piece);
                all
            });
        })?;
        Ok(encoded)
    }

    /// The bytes of a text; `None` if it has a character that the set has not.
    fn encode(&self, text: &str) -> Option<Vec<u8>> {
        match &self.kind {
            Kind::Ascii => text.is_ascii().then(|| text.as_bytes().to_vec()),
            Kind::Utf8 => Some(text.as_bytes().to_vec()),
            Kind::Utf16 { little_endian, .. } => Some(encode_utf16(text, *little_endian)),
            Kind::SingleByte { first, code_points } => {
                text.chars().map(|c| encode_single(c, *first, code_points)).collect()
            }
            Kind::Wide(set) => encode_wide(*set, text),
            // It is not put together of pieces.
            Kind::Hz => None,
        }
    }

    /// The text of bytes that have been charged for, with looks at the limits; U+FFFD where they mean nothing.
    fn decode_on(&self, invocation: &mut Invocation<'_>, bytes: &[u8]) -> Result<String, FunctionError> {
        let pace = &mut Some(invocation.meter());
        // A mark at the beginning tells the byte order.
        let (kind, mut rest) = match (&self.kind, bytes) {
            (Kind::Wide(set), _) => return Ok(decode_wide(*set, bytes, pace)?),
            (Kind::Hz, _) => return Ok(decode_hz(bytes, pace)?),
            (Kind::Utf16 { with_mark: true, .. }, [0xfe, 0xff, rest @ ..]) => (&Kind::BIG_ENDIAN, rest),
            (Kind::Utf16 { with_mark: true, .. }, [0xff, 0xfe, rest @ ..]) => (&Kind::LITTLE_ENDIAN, rest),
            (kind, bytes) => (kind, bytes),
        };
        let mut text = String::new();
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(kind.end_of_piece(rest));
            go_on(pace, piece.len() / BYTES_PER_PART)?;
            text.push_str(&kind.decode(piece));
            rest = after;
        }
        Ok(text)
    }
}

impl Kind {
    const BIG_ENDIAN: Self = Self::Utf16 { little_endian: false, with_mark: false };
    const LITTLE_ENDIAN: Self = Self::Utf16 { little_endian: true, with_mark: false };

    /// Where a piece of bytes ends that can be decoded alone.
    fn end_of_piece(&self, bytes: &[u8]) -> usize {
        let Some(most) = bytes.get(..STRETCH) else { return bytes.len() };
        let end = match self {
            Self::Hz | Self::Wide(_) => Some(bytes.len()),
            Self::Ascii | Self::SingleByte { .. } => None,
            // Before a unit that is no second half of a pair.
            Self::Utf16 { little_endian, .. } => {
                let high = usize::from(*little_endian);
                let begins = |unit: &[u8]| !matches!(unit.get(high), Some(0xdc..=0xdf) | None);
                most.chunks(2).rposition(begins).map(|at| 2 * at)
            }
            // Before a byte that begins a character.
            Self::Utf8 => most.iter().rposition(|byte| !matches!(byte, 0x80..=0xbf)),
        };
        end.filter(|&end| end > 0).unwrap_or(STRETCH)
    }

    /// The text of bytes, with U+FFFD where they mean nothing.
    fn decode(&self, bytes: &[u8]) -> String {
        match self {
            Kind::Ascii => bytes
                .iter()
                .map(|&byte| if byte.is_ascii() { char::from(byte) } else { char::REPLACEMENT_CHARACTER })
                .collect(),
            Kind::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Kind::Utf16 { little_endian, .. } => decode_utf16(bytes, *little_endian),
            Kind::SingleByte { first, code_points } => {
                bytes.iter().map(|&byte| decode_single(byte, *first, code_points)).collect()
            }
            // They are not put together of pieces.
            Kind::Wide(_) | Kind::Hz => String::new(),
        }
    }
}

/// The byte of a character in a set of single bytes.
fn encode_single(c: char, first: u16, code_points: &[char]) -> Option<u8> {
    if c == char::REPLACEMENT_CHARACTER {
        return None;
    }
    match u32::from(c) {
        code if code < u32::from(first) => u8::try_from(code).ok(),
        _ => code_points
            .iter()
            .position(|&own| own == c)
            .and_then(|at| u8::try_from(at + usize::from(first)).ok()),
    }
}

/// The character of a byte in a set of single bytes; bytes below `first` are ASCII.
fn decode_single(byte: u8, first: u16, code_points: &[char]) -> char {
    match usize::from(byte).checked_sub(usize::from(first)) {
        None => char::from(byte),
        Some(at) => code_points.get(at).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

fn unknown_charset(name: &str) -> String {
    format!(
        "{:?} is not a supported IANA encoding name or alias: UTF-8, UTF-16LE, ISO-8859-1 and windows-1252 are some",
        shown(name)
    )
}

/// `textencodebase64(string, encoding)`
pub(crate) fn textencodebase64() -> Function {
    function("textencodebase64", "Writes the text in another character set, and the bytes in base64.")
        .parameter(
            Parameter::new("string", Type::String)
                .described("The text; every character of it must exist in the character set."),
        )
        .parameter(Parameter::new("encoding", Type::String).described(
            "The IANA name or alias of a character set, for example UTF-16LE; case does not matter.",
        ))
        .returns(Type::String)
        .implementation(|invocation, args| {
            let Some(charset) = find(text(args, 1)) else { return refuse(1, unknown_charset(text(args, 1))) };
            let length = text(args, 0).len();
            invocation.charge_bytes(length.saturating_mul(4))?;
            // The bytes while they are added, their base64, and the value.
            invocation.meter().hold_parts(length, 10)?;
            match charset.encode_on(invocation, text(args, 0))? {
                Some(bytes) => {
                    let encoded = encode_base64(invocation, &bytes)?;
                    long_text(invocation, &encoded)
                }
                None => refuse(0, format!("the text has characters that {} does not have", charset.name)),
            }
        })
}

/// `textdecodebase64(source, encoding)`
pub(crate) fn textdecodebase64() -> Function {
    function("textdecodebase64", "Reads a text in another character set, given as base64.")
        .parameter(
            Parameter::new("source", Type::String).described("Base64 of the standard alphabet with padding."),
        )
        .parameter(
            Parameter::new("encoding", Type::String)
                .described("The IANA name or alias of a character set; case does not matter."),
        )
        .returns(Type::String)
        .implementation(|invocation, args| {
            let Some(charset) = find(text(args, 1)) else { return refuse(1, unknown_charset(text(args, 1))) };
            let Some(bytes) = decode_base64(invocation, text(args, 0))? else {
                return refuse(0, "the text is not base64 with padding");
            };
            invocation.charge_bytes(bytes.len().saturating_mul(3))?;
            let decoded = charset.decode_on(invocation, &bytes)?;
            // A genuine U+FFFD in the source is refused too, as in the reference.
            let mut has_replacement = false;
            in_stretches(invocation, &decoded, |stretch| {
                has_replacement = has_replacement || stretch.contains(char::REPLACEMENT_CHARACTER);
            })?;
            match has_replacement {
                true => refuse(0, format!("the bytes are not all defined in {}", charset.name)),
                false => long_text(invocation, &decoded),
            }
        })
}
