//! Numbers taken apart: the magnitude of an integer, decimal digits.
//!
//! For whoever writes numbers in another form than the usual text.

use num_bigint::BigUint;

use super::{Number, Operand};

/// So many digits are found without making them all.
const FEW_DIGITS: usize = 100;

/// Cuts digits off, half to even. Whether a digit came in front.
fn round_to(digits: &mut Vec<u8>, count: usize) -> bool {
    let rest = digits.split_off(count);
    let tie = rest[0] == 5 && rest[1..].iter().all(|&digit| digit == 0);
    let odd = digits.last().is_some_and(|&last| last % 2 == 1);
    if rest[0] < 5 || (tie && !odd) {
        return false;
    }
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return false;
        }
        *digit = 0;
    }
    digits.insert(0, 1);
    true
}

impl Number {
    /// A whole number of any size, with as much precision as it needs, but no less than 64 bits.
    pub(crate) fn from_integer(magnitude: BigUint, negative: bool) -> Number {
        Number::from_big_integer(magnitude, negative)
    }

    /// The magnitude of a whole number; `None` for fractions and infinities.
    pub(crate) fn integer_magnitude(&self) -> Option<BigUint> {
        if !self.is_integer() {
            return None;
        }
        let Operand { mag, .. } = self.operand();
        Some(match mag.to_dyadic() {
            None => BigUint::ZERO,
            Some(whole) => whole.mant << whole.shift.unsigned_abs(),
        })
    }

    /// The digits (not ASCII) and point, as in `0.digits × 10^point`, that identify a
    /// finite number at its precision. No digits for zero.
    pub(crate) fn shortest_digits(&self) -> (Vec<u8>, i64) {
        let decimal = self.decimal();
        (decimal.digits, decimal.point)
    }

    /// The same, rounded half to even from the exact value to `count` digits; fewer if the last are zero.
    ///
    /// More than a few digits are cut from all of them, which takes time in proportion to the square of
    /// the exponent.
    pub(crate) fn rounded_digits(&self, count: usize) -> (Vec<u8>, i64) {
        if count <= FEW_DIGITS {
            let decimal = self.rounded_decimal(count);
            return (decimal.digits, decimal.point);
        }
        let Operand { mag, .. } = self.operand();
        let Some(value) = mag.to_dyadic() else { return (Vec::new(), 0) };
        let power = u32::try_from(value.shift.unsigned_abs()).unwrap_or(u32::MAX);
        let (all, decimals) = match value.shift >= 0 {
            true => (value.mant << power, 0),
            false => (value.mant * BigUint::from(5_u8).pow(power), i64::from(power)),
        };
        let mut digits = all.to_radix_be(10);
        let point = i64::try_from(digits.len()).unwrap_or(i64::MAX) - decimals;
        let carried = digits.len() > count && round_to(&mut digits, count);
        let used = digits.iter().rposition(|&digit| digit != 0).map_or(0, |last| last + 1);
        digits.truncate(used);
        (digits, point + i64::from(carried))
    }
}
