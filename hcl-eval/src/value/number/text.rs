//! Numbers as text.
//!
//! A number is written in full, never with an exponent: `-` if the sign is set,
//! the digits of `decimal`, zeros as needed. Texts grow with the exponent, up to
//! hundreds of megabytes, so [`Number::text_len_bound`] tells beforehand.

use std::fmt;

use super::decimal::Decimal;
use super::{Mag, Number, Operand, Repr};
use crate::limits::{BYTES_PER_PART, LimitReached, Pace, go_on};
use crate::value::string::STRETCH;

/// Digits of a hash text.
const HASH_DIGITS: usize = 10;

impl Number {
    /// Appends the text of the number.
    pub fn write_text(&self, out: &mut String) {
        match self.plain() {
            Some(v) => match u32::try_from(v) {
                Ok(few @ ..1000) => write_few_digits(few, out),
                _ => out.push_str(itoa::Buffer::new().format(v)),
            },
            // Without a meter nothing stops the work.
            None => self.write_text_slow(out, &mut None).unwrap_or_default(),
        }
    }

    /// [`Number::write_text`] with looks at the limits.
    pub(crate) fn write_text_within(&self, out: &mut String, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
        match self.plain() {
            Some(_) => self.write_text(out),
            None => self.write_text_slow(out, pace)?,
        }
        Ok(())
    }

    /// The number, if its digits are those of the shortest text at its precision.
    fn plain(&self) -> Option<i64> {
        match self.0 {
            Repr::Small { v, prec } if u64::BITS - v.unsigned_abs().leading_zeros() <= prec => Some(v),
            _ => None,
        }
    }

    /// The text of the number.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        self.write_text(&mut out);
        out
    }

    /// A length that the text does not exceed, found without making it; within
    /// about twice the precision of the length itself.
    #[must_use]
    pub fn text_len_bound(&self) -> u64 {
        let Operand { prec, mag, .. } = self.operand();
        // 0.302 is a little above log10(2).
        let decimals = |bits: u64| bits.saturating_mul(302) / 1000 + 4;
        match &mag {
            Mag::Zero | Mag::Infinite => 4,
            // The digits, and the zeros between them and the point.
            Mag::Fixed(_) | Mag::Wide(_) => decimals(u64::from(prec)) + decimals(mag.exp().unsigned_abs()),
        }
    }

    /// A length that the text has at least, found without making it: that of the zeros, or of the digits before the point.
    pub(crate) fn least_text_len(&self) -> u64 {
        // 0.301 is a little below log10(2).
        self.operand().mag.exp().unsigned_abs().saturating_mul(301) / 1000
    }

    /// Returns whether the text may be long enough to be counted by its length.
    pub(crate) fn is_long(&self) -> bool {
        self.is_big() && self.text_len_bound() > 1024
    }

    /// The number to ten significant digits, half to even, with an exponent of
    /// at least two digits if that is below −4 or too large to be shown. Sets
    /// order and find their elements by this text.
    #[must_use]
    pub fn hash_text(&self) -> String {
        let mut out = String::new();
        if self.is_infinite() || self.is_zero() {
            self.write_text(&mut out);
            return out;
        }
        if self.is_negative() {
            out.push('-');
        }
        let decimal = self.rounded_decimal(HASH_DIGITS);
        let exponent = decimal.point - 1;
        if (-4..10).contains(&exponent) {
            // Few digits, and few zeros.
            write_decimal(&decimal, &mut out, &mut None).unwrap_or_default();
            return out;
        }
        let (first, rest) = decimal.digits.split_at(1.min(decimal.digits.len()));
        push_few_digits(first, &mut out);
        if !rest.is_empty() {
            out.push('.');
            push_few_digits(rest, &mut out);
        }
        out.push_str(if exponent < 0 { "e-" } else { "e+" });
        if exponent.unsigned_abs() < 10 {
            out.push('0');
        }
        out.push_str(itoa::Buffer::new().format(exponent.unsigned_abs()));
        out
    }

    fn write_text_slow(&self, out: &mut String, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
        if let Repr::Decimal { v, places } = self.0 {
            write_places(v, places, out);
            return Ok(());
        }
        if self.is_infinite() {
            out.push_str(if self.is_negative() { "-Inf" } else { "+Inf" });
            return Ok(());
        }
        if self.is_negative() {
            out.push('-');
        }
        let before = out.len();
        match self.is_zero() {
            true => out.push('0'),
            false => write_decimal(&self.decimal_within(pace)?, out, pace)?,
        }
        // Of a few digits a large exponent makes a long text.
        go_on(pace, (out.len() - before) / BYTES_PER_PART)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}

/// Writes a number below 1000. Most numbers in texts are: each takes some 50 instructions less than by a buffer.
fn write_few_digits(v: u32, out: &mut String) {
    let digit = |v: u32| char::from_digit(v, 10).unwrap_or_default();
    if v >= 100 {
        out.push(digit(v / 100));
    }
    if v >= 10 {
        out.push(digit(v / 10 % 10));
    }
    out.push(digit(v % 10));
}

/// Writes `v ÷ 10^places`: no other decimal of so few digits is as near to what that is in bits.
fn write_places(v: i64, places: u8, out: &mut String) {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(v.unsigned_abs());
    let places = usize::from(places);
    if v < 0 {
        out.push('-');
    }
    match digits.len().checked_sub(places) {
        Some(point @ 1..) => {
            let (whole, fraction) = digits.split_at(point);
            out.extend([whole, ".", fraction]);
        }
        _ => {
            out.push_str("0.");
            push_few_zeros(places - digits.len(), out);
            out.push_str(digits);
        }
    }
}

fn write_decimal(decimal: &Decimal, out: &mut String, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
    let digits = &decimal.digits;
    match usize::try_from(decimal.point) {
        Ok(point) if point >= digits.len() => {
            push_digits(digits, out, pace)?;
            push_zeros(point - digits.len(), out, pace)
        }
        Ok(point @ 1..) => {
            let (whole, fraction) = digits.split_at(point);
            push_digits(whole, out, pace)?;
            out.push('.');
            push_digits(fraction, out, pace)
        }
        _ => {
            out.push_str("0.");
            push_zeros(usize::try_from(decimal.point.unsigned_abs()).unwrap_or(0), out, pace)?;
            push_digits(digits, out, pace)
        }
    }
}

fn push_digits(digits: &[u8], out: &mut String, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
    let mut rest = digits;
    while let Some((stretch, after)) = rest.split_at_checked(STRETCH) {
        go_on(pace, STRETCH / BYTES_PER_PART)?;
        push_few_digits(stretch, out);
        rest = after;
    }
    push_few_digits(rest, out);
    Ok(())
}

fn push_few_digits(digits: &[u8], out: &mut String) {
    out.extend(digits.iter().map(|&digit| char::from(b'0' + digit)));
}

fn push_zeros(mut count: usize, out: &mut String, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
    out.reserve(count);
    while count > ZEROS.len() {
        go_on(pace, ZEROS.len() / BYTES_PER_PART)?;
        out.push_str(ZEROS);
        count -= ZEROS.len();
    }
    push_few_zeros(count, out);
    Ok(())
}

/// So many zeros are written at once.
const ZEROS: &str = match std::str::from_utf8(&[b'0'; 1024]) {
    Ok(zeros) => zeros,
    Err(_) => "0",
};

/// Writes no more zeros than [`ZEROS`] has.
fn push_few_zeros(count: usize, out: &mut String) {
    out.push_str(&ZEROS[..count]);
}
