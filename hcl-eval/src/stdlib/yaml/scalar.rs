//! The meaning of YAML's scalars: words for true, false and null, numbers, times, and texts.

use super::super::encoding::from_base64;
use super::super::support::shown;
use super::timestamp::to_rfc3339;
use crate::limits::{BYTES_PER_PART, LimitReached, Meter, Pace};
use crate::types::Type;
use crate::value::string::{find_on, normalize_within, stretches};
use crate::value::{Number, Value};

/// The tags that scalars may have, without `tag:yaml.org,2002:`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ScalarTag {
    /// None was written.
    Absent,
    Str,
    Binary,
    Null,
    Timestamp,
    /// `bool`, `int` and `float`: any of them takes what the others take.
    Plain(&'static str),
}

impl ScalarTag {
    /// The tag of that name.
    pub(super) fn from_name(name: &str) -> Option<ScalarTag> {
        Some(match name {
            "str" => ScalarTag::Str,
            "binary" => ScalarTag::Binary,
            "null" => ScalarTag::Null,
            "timestamp" => ScalarTag::Timestamp,
            "bool" => ScalarTag::Plain("bool"),
            "int" => ScalarTag::Plain("int"),
            "float" => ScalarTag::Plain("float"),
            _ => return None,
        })
    }
}

/// The value of a scalar; an error is a part of a sentence. The order of the tests is that of the reference: a quoted
/// text that begins like a number or a word with a meaning is a text whatever its tag, and only then does the tag
/// decide. `old_numbers`: underscores and `0b`, but no `0x` and `0o`.
pub(super) fn resolve(
    text: &str,
    quoted: bool,
    tag: ScalarTag,
    old_numbers: bool,
    meter: &mut Meter,
) -> Result<Value, String> {
    match tag {
        ScalarTag::Str => return Ok(plain(text, meter)),
        ScalarTag::Binary => return binary(text, meter),
        ScalarTag::Absent if quoted => return Ok(plain(text, meter)),
        ScalarTag::Absent | ScalarTag::Null | ScalarTag::Timestamp | ScalarTag::Plain(_) => {}
    }
    if may_be_special(text) {
        if quoted {
            // The tag does not count then.
            return Ok(plain(text, meter));
        }
        if let Some(value) = special(text, tag, old_numbers, meter)? {
            return Ok(value);
        }
    }
    let time = matches!(tag, ScalarTag::Absent | ScalarTag::Timestamp).then(|| to_rfc3339(text)).flatten();
    match (tag, time) {
        (ScalarTag::Null, _) => Ok(Value::null(Type::Dynamic)),
        (_, Some(time)) if !quoted => Ok(Value::string(time)),
        (ScalarTag::Timestamp, _) => Err(format!("{:?} is tagged as a time, and is none", shown(text))),
        (ScalarTag::Plain(name), _) => Err(format!("{:?} is tagged as {name}, and is none", shown(text))),
        (ScalarTag::Absent | ScalarTag::Str | ScalarTag::Binary, _) => Ok(plain(text, meter)),
    }
}

/// A text. A limit that is reached meanwhile ends the call at its next look.
fn plain(text: &str, meter: &mut Meter) -> Value {
    normalize_within(text, &mut Some(meter)).map_or_else(|_| Value::default(), Value::string_nfc)
}

/// Returns whether the text starts like a number or a word with a meaning.
fn may_be_special(text: &str) -> bool {
    text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit() || "+-.yYnNtTfFoO~".contains(c))
}

/// The value of a word or number; `None` if it is neither.
fn special(
    text: &str,
    tag: ScalarTag,
    old_numbers: bool,
    meter: &mut Meter,
) -> Result<Option<Value>, String> {
    Ok(Some(match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Value::TRUE,
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Value::FALSE,
        "" | "~" | "null" | "Null" | "NULL" => Value::null(Type::Dynamic),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Value::number(Number::infinity(false)),
        "-.inf" | "-.Inf" | "-.INF" => Value::number(Number::infinity(true)),
        // With a tag it is refused as a scalar that the tag does not fit.
        ".nan" | ".NaN" | ".NAN" if tag == ScalarTag::Absent => {
            return Err("\"not a number\" (.nan) has no value here".to_owned());
        }
        _ if old_numbers => return old_number(text, meter),
        _ => return number(text, meter),
    }))
}

/// Decimal numbers, and integers of 64 bits in base 8 and 16.
fn number(text: &str, meter: &mut Meter) -> Result<Option<Value>, String> {
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix)
            && !digits.is_empty()
            && stretches(digits).all(|stretch| {
                meter.go_on(stretch.len() / BYTES_PER_PART).is_ok()
                    && stretch.chars().all(|digit| digit.is_digit(radix))
            })
        {
            return match u64::from_str_radix(digits, radix) {
                Ok(number) => Ok(Some(Value::number(Number::from_u64(number)))),
                Err(_) => Err(format!("{} does not fit 64 bits", shown(text))),
            };
        }
    }
    // A limit that is reached meanwhile ends the call at its next look.
    if !is_decimal(text, &mut Some(meter)).unwrap_or(false) {
        return Ok(None);
    }
    Ok(read_number(text, meter))
}

/// A number that is written as in the language. A limit that is reached meanwhile ends the call at its next look.
fn read_number(text: &str, meter: &mut Meter) -> Option<Value> {
    Number::parse_within(text, &mut Some(meter)).ok().flatten().map(Value::number)
}

/// An optional sign, digits with or without a point, perhaps an exponent.
fn is_decimal(text: &str, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
    let mut digits = |text: &str| {
        let end = find_on(text.as_bytes(), |part| part.iter().position(|byte| !byte.is_ascii_digit()), pace)?;
        Ok::<_, LimitReached>(end.unwrap_or(text.len()))
    };
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, mut rest) = text.split_at(digits(text)?);
    let mut fraction = 0;
    if let Some(after) = rest.strip_prefix('.') {
        fraction = digits(after)?;
        rest = &after[fraction..];
    }
    if whole.is_empty() && fraction == 0 {
        return Ok(false);
    }
    Ok(match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => {
            let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            !exponent.is_empty() && digits(exponent)? == exponent.len()
        }
        None => rest.is_empty(),
    })
}

/// Reads numbers of the language, underscores aside, and binary integers.
fn old_number(text: &str, meter: &mut Meter) -> Result<Option<Value>, String> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
        return Ok(None);
    }
    let plain = text.replace('_', "");
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", plain.as_str()),
    };
    if let Some(digits) = digits.strip_prefix("0b") {
        return match i64::from_str_radix(&format!("{sign}{digits}"), 2) {
            Ok(number) => Ok(Some(Value::int(number))),
            Err(_) if sign.is_empty() => Err(format!("{} is no binary integer of 64 bits", shown(text))),
            Err(_) => Ok(None),
        };
    }
    Ok(read_number(&plain, meter))
}

/// Base64, which stays as it is. Line ends do not count.
fn binary(text: &str, meter: &mut Meter) -> Result<Value, String> {
    match from_base64(text) {
        Some(_) => Ok(plain(text, meter)),
        None => Err("what is tagged as binary must be base64".to_owned()),
    }
}
