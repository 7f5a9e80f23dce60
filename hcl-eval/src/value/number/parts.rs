//! Numbers taken apart: the magnitude of an integer, decimal digits.
//!
//! For writers of numbers in another form than the usual text.

use num_bigint::BigUint;

#[cfg(feature = "basics")]
use super::wide::Dyadic;
#[cfg(feature = "basics")]
use super::{INTEGER_PRECISION, at_least};
use super::{Number, Operand};
#[cfg(feature = "basics")]
use crate::limits::{LimitReached, Pace};

impl Number {
    /// A whole number of any size, with as much precision as it needs, but no less than 64 bits.
    #[cfg(feature = "basics")]
    pub(crate) fn from_integer(magnitude: BigUint, negative: bool) -> Number {
        let bits = magnitude.bits();
        let prec = at_least(INTEGER_PRECISION, bits);
        match bits {
            0 => Number::zero(false, prec),
            _ => Number::from_dyadic(negative, Dyadic::new(magnitude, 0), prec),
        }
    }

    /// The magnitude of a whole number; `None` for fractions and infinities.
    pub(crate) fn integer_magnitude(&self) -> Option<BigUint> {
        if let Some(v) = self.to_i64() {
            return Some(BigUint::from(v.unsigned_abs()));
        }
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
    #[cfg(feature = "basics")]
    pub(crate) fn shortest_digits(&self, pace: Pace<'_, '_>) -> Result<(Vec<u8>, i64), LimitReached> {
        let decimal = self.decimal_within(pace)?;
        Ok((decimal.digits, decimal.point))
    }

    /// The digits and point of the exact value, rounded half to even to `count` digits; fewer if the last are zero.
    #[cfg(feature = "basics")]
    pub(crate) fn rounded_digits(
        &self,
        count: usize,
        pace: Pace<'_, '_>,
    ) -> Result<(Vec<u8>, i64), LimitReached> {
        let decimal = self.rounded_decimal_within(count, pace)?;
        Ok((decimal.digits, decimal.point))
    }
}
