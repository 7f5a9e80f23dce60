//! Durations as texts: numbers with units, such as `1h30m`, as functions of Terraform and settings of Nomad take them.
//!
//! A duration is a number of nanoseconds: no date and no time of day, which [`host::Timestamp`](crate::host::Timestamp) is.

/// Nanoseconds of a duration; `None` if it is none, or too long.
///
/// ```
/// use hcl_eval::duration;
///
/// assert_eq!(duration::parse("1m30s"), Some(90_000_000_000));
/// assert_eq!(duration::parse("10 s"), None);
/// ```
pub fn parse(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let negative = text.starts_with('-');
    if unsigned == "0" {
        return Some(0);
    }
    if unsigned.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    let mut rest = unsigned;
    while !rest.is_empty() {
        total = total.checked_add(quantity(&mut rest)?).filter(|&total| total <= 1 << 63)?;
    }
    match negative {
        true => 0_i64.checked_sub_unsigned(total),
        false => i64::try_from(total).ok(),
    }
}

/// A number with its unit, in nanoseconds.
fn quantity(rest: &mut &str) -> Option<u64> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, after) = rest.split_at(digits(rest));
    let (fraction, after) = match after.strip_prefix('.') {
        Some(after) => after.split_at(digits(after)),
        None => ("", after),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
    let (unit, after) = after.split_at(end);
    *rest = after;
    let unit: u64 = match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    };
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    whole.checked_mul(unit)?.checked_add(part_of(fraction, unit))
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
