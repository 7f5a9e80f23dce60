//! Durations as texts: numbers with units, such as `1h30m`, as functions of Terraform and settings of Nomad take them.
//!
//! A duration is a number of nanoseconds: no date and no time of day, which [`host::Timestamp`](crate::host::Timestamp) is.

use crate::limits::{LimitReached, Pace, go_on};
use crate::value::string::find_on;

/// Nanoseconds of a duration; `None` if it is none, or too long.
///
/// ```
/// use hcl_eval::duration;
///
/// assert_eq!(duration::parse("1m30s"), Some(90_000_000_000));
/// assert_eq!(duration::parse("10 s"), None);
/// ```
pub fn parse(text: &str) -> Option<i64> {
    parse_on(text, &mut None).ok()?
}

/// [`parse`], with looks at the limits.
pub(crate) fn parse_on(text: &str, pace: Pace<'_, '_>) -> Result<Option<i64>, LimitReached> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let negative = text.starts_with('-');
    if unsigned == "0" {
        return Ok(Some(0));
    }
    if unsigned.is_empty() {
        return Ok(None);
    }
    let mut total: u64 = 0;
    let mut rest = unsigned;
    while !rest.is_empty() {
        let quantity = quantity(&mut rest, pace)?;
        let sum = quantity.and_then(|quantity| total.checked_add(quantity));
        match sum.filter(|&total| total <= 1 << 63) {
            Some(sum) => total = sum,
            None => return Ok(None),
        }
    }
    Ok(match negative {
        true => 0_i64.checked_sub_unsigned(total),
        false => i64::try_from(total).ok(),
    })
}

/// The most characters of a unit.
const MOST_OF_UNIT: usize = 2;

/// A number with its unit, in nanoseconds.
fn quantity(rest: &mut &str, pace: Pace<'_, '_>) -> Result<Option<u64>, LimitReached> {
    go_on(pace, 1)?;
    let (whole, after) = rest.split_at(run_of(u8::is_ascii_digit, rest, pace)?);
    let (fraction, after) = match after.strip_prefix('.') {
        Some(after) => after.split_at(run_of(u8::is_ascii_digit, after, pace)?),
        None => ("", after),
    };
    if whole.is_empty() && fraction.is_empty() {
        return Ok(None);
    }
    // Zeros before a number may be many, too.
    let whole = &whole[run_of(|byte| *byte == b'0', whole, pace)?..];
    let mut unit = after.char_indices().take(MOST_OF_UNIT + 1);
    let end = unit.find(|(_, c)| *c == '.' || c.is_ascii_digit()).map_or(after.len(), |(at, _)| at);
    let (unit, after) = after.split_at(end);
    *rest = after;
    let unit: u64 = match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return Ok(None),
    };
    let whole = if whole.is_empty() { Some(0) } else { whole.parse::<u64>().ok() };
    let whole = whole.and_then(|whole| whole.checked_mul(unit));
    Ok(whole.and_then(|whole| whole.checked_add(part_of(fraction, unit))))
}

/// How many bytes at the start of a text are as they should be.
fn run_of(is_so: impl Fn(&u8) -> bool, text: &str, pace: Pace<'_, '_>) -> Result<usize, LimitReached> {
    let end = find_on(text.as_bytes(), |part| part.iter().position(|byte| !is_so(byte)), pace)?;
    Ok(end.unwrap_or(text.len()))
}

/// So many decimals of a unit. Worked out in floating point, whose rounding is part of the result; digits beyond
/// what 63 bits hold are dropped.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "meant"
)]
fn part_of(fraction: &str, unit: u64) -> u64 {
    let (mut part, mut scale) = (0_u64, 1.0_f64);
    for digit in fraction.bytes() {
        let next = part.checked_mul(10).and_then(|part| part.checked_add(u64::from(digit - b'0')));
        match next.filter(|&next| next <= 1 << 63) {
            Some(next) => part = next,
            None => break,
        }
        scale *= 10.0;
    }
    (part as f64 * (unit as f64 / scale)) as u64
}
