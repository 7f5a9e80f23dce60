//! Conversion from and to machine numbers.
//!
//! Conversions to integers are exact or fail; the conversion to `f64` rounds
//! once, from all bits of the mantissa, to nearest, ties to even, subnormal
//! results included.

use num_bigint::BigUint;

use super::decimal::Decimal;
use super::limb512::LIMBS;
use super::long::multiply;
use super::parse::whole_number;
use super::power_of_five::PowerOfFive;
use super::wide::Dyadic;
use super::{FLOAT_PRECISION, Float512, INTEGER_PRECISION, Mag, Magnitude, Number, Operand, Repr};
use crate::limits::{LimitReached, Meter, Pace};

/// Bits of an `f64` fraction as stored.
const FRACTION_BITS: u32 = 52;
/// The exponent, for a mantissa from one half to one, of the smallest normal `f64`.
const MIN_NORMAL_EXP: i64 = -1021;
/// The exponent of the largest `f64`.
const MAX_EXP: i64 = 1024;

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::from_i64(value)
    }
}

impl Number {
    /// A machine integer, with the 64 bits of precision it has in the language.
    #[must_use]
    pub fn from_u64(v: u64) -> Number {
        match (i64::try_from(v), Float512::from_u64(v, 0)) {
            (Err(_), Some(float)) => Number::from_fixed(false, float, INTEGER_PRECISION),
            (v, _) => Number::from_i64(v.unwrap_or(0)),
        }
    }

    /// Exactly this value, with 53 bits of precision; `None` for NaN.
    #[must_use]
    pub fn from_f64(v: f64) -> Option<Number> {
        let neg = v.is_sign_negative();
        let bits = v.to_bits();
        let fraction = bits & ((1 << FRACTION_BITS) - 1);
        let biased = i64::try_from(bits >> FRACTION_BITS & 0x7ff).unwrap_or(0);
        let (mant, scale) = match biased {
            0x7ff if fraction != 0 => return None,
            0x7ff => return Some(Number::infinite(neg, FLOAT_PRECISION)),
            0 => (fraction, 1),
            _ => (fraction | 1 << FRACTION_BITS, biased),
        };
        let float = Float512::from_u64(mant, scale - 1023 - i64::from(FRACTION_BITS));
        Some(match float {
            Some(float) => Number::from_fixed(neg, float, FLOAT_PRECISION),
            None => Number::zero(neg, FLOAT_PRECISION),
        })
    }

    /// Reads a whole number, decimal digits with an optional sign, and rounds it to
    /// a precision of the caller's choice; `None` for anything else. The time it
    /// takes grows with the square of the text.
    ///
    /// ```
    /// use hcl_eval::Number;
    ///
    /// let third = |precision| {
    ///     let one = Number::parse_integer("1", precision)?;
    ///     one.div(&Number::parse_integer("3", precision)?).ok()
    /// };
    /// assert_eq!(third(24).unwrap().to_text(), "0.33333334");
    /// assert_eq!(third(64).unwrap().to_text(), "0.33333333333333333334");
    /// ```
    #[must_use]
    pub fn parse_integer(text: &str, precision: u32) -> Option<Number> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        if digits.is_empty() || precision == 0 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (magnitude, negative) = (BigUint::parse_bytes(digits.as_bytes(), 10)?, text.starts_with('-'));
        Some(match magnitude.bits() {
            0 => Number::zero(negative, precision),
            _ => Number::from_dyadic(negative, Dyadic::new(magnitude, 0).round(precision), precision),
        })
    }

    /// The magnitude of a whole number in bytes, the lowest first: of the number that the text is, which for a large one is
    /// the shortest decimal of its precision. `None` for a number that is not whole. Takes the time of a multiplication of
    /// numbers of that length, and looks at the limits meanwhile.
    ///
    /// ```
    /// use hcl_eval::Number;
    /// use hcl_eval::limits::{Limits, Meter};
    ///
    /// let mut meter = Meter::new(Limits::default());
    /// let number = Number::parse("-258").unwrap();
    /// assert_eq!(number.magnitude_bytes(&mut meter), Ok(Some(vec![2, 1])));
    /// assert_eq!(Number::parse("0.5").unwrap().magnitude_bytes(&mut meter), Ok(None));
    /// ```
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn magnitude_bytes(&self, meter: &mut Meter) -> Result<Option<Vec<u8>>, LimitReached> {
        if !self.is_integer() {
            return Ok(None);
        }
        let Operand { prec, mag, .. } = self.operand();
        let Some(value) = mag.to_dyadic() else { return Ok(Some(Vec::new())) };
        let pace: Pace<'_, '_> = &mut Some(meter);
        let whole = if value.exp() <= i64::from(prec) {
            // No other number of so few digits is as near.
            value.mant << value.shift.unsigned_abs()
        } else {
            let Decimal { digits, point } = self.decimal_within(pace)?;
            let zeros = point.unsigned_abs() - digits.len() as u64;
            let digits: Vec<u8> = digits.iter().map(|digit| b'0' + digit).collect();
            let power = PowerOfFive::new(zeros, u64::MAX, pace)?;
            multiply(&whole_number(&digits, pace)?, &power.mant, pace)? << zeros
        };
        Ok(Some(whole.to_bytes_le()))
    }

    /// The number as `i64`, if it is one; negative zero is 0.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small { v, .. } => Some(*v),
            Repr::Short { .. } | Repr::Decimal { .. } => None,
            Repr::Big(big) => matches!(big.mag, Magnitude::Zero).then_some(0),
        }
    }

    /// The number as `u64`, if it is one.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Repr::Small { v, .. } => u64::try_from(*v).ok(),
            Repr::Short { .. } | Repr::Decimal { .. } => None,
            Repr::Big(big) => match &big.mag {
                Magnitude::Zero => Some(0),
                Magnitude::Fixed(Float512 { limbs: [0, 0, 0, 0, 0, 0, 0, top], exp: 64 }) if !big.neg => {
                    Some(*top)
                }
                Magnitude::Fixed(_) | Magnitude::Infinite | Magnitude::Wide(_) => None,
            },
        }
    }

    /// The number as `usize`, if it is one.
    #[must_use]
    pub fn to_usize(&self) -> Option<usize> {
        self.to_u64().and_then(|v| usize::try_from(v).ok())
    }

    /// The nearest `f64`, ties to even; infinite beyond its range.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "rounds to nearest even, as wanted, or is exact")]
        match self.0 {
            Repr::Small { v, .. } => return v as f64,
            // Powers of ten up to 10^22 are exact, and so the quotient is rounded once.
            Repr::Decimal { v, places } if v.unsigned_abs() <= 1 << FLOAT_PRECISION => {
                return v as f64 / 10_u64.pow(u32::from(places)) as f64;
            }
            _ => {}
        }
        let Operand { neg, mag, .. } = self.operand();
        let magnitude = match mag {
            Mag::Zero => 0.0,
            Mag::Infinite => f64::INFINITY,
            Mag::Fixed(float) => nearest_f64(&float),
            Mag::Wide(dyadic) => {
                // What the limbs leave out only tells a tie from more than one.
                let mut float = dyadic.leading_limbs();
                float.limbs[0] |= 1;
                nearest_f64(&float)
            }
        };
        if neg { -magnitude } else { magnitude }
    }

    /// The nearest `f64` and whether it is the number exactly.
    #[must_use]
    pub fn f64_exact(&self) -> (f64, bool) {
        let nearest = self.to_f64();
        let exact = Number::from_f64(nearest).is_some_and(|back| back.cmp(self).is_eq());
        (nearest, exact)
    }
}

fn nearest_f64(float: &Float512) -> f64 {
    let missing = (MIN_NORMAL_EXP - float.exp).max(0);
    let rounded = match u32::try_from(i64::from(FLOAT_PRECISION) - missing) {
        Ok(0) => return half_of_smallest(float),
        Ok(prec) => float.round(prec),
        Err(_) => return 0.0,
    };
    if rounded.exp > MAX_EXP {
        return f64::INFINITY;
    }
    let mant = rounded.limbs[LIMBS - 1] >> (64 - FLOAT_PRECISION);
    match u64::try_from(rounded.exp - MIN_NORMAL_EXP) {
        Ok(above) => f64::from_bits((above + 1) << FRACTION_BITS | (mant & ((1 << FRACTION_BITS) - 1))),
        Err(_) => f64::from_bits(mant >> (MIN_NORMAL_EXP - rounded.exp)),
    }
}

/// The value lies from one half of the smallest subnormal to all of it; exactly
/// one half is a tie with zero, which is even.
fn half_of_smallest(float: &Float512) -> f64 {
    match float.significant_bits() {
        1 => 0.0,
        _ => f64::from_bits(1),
    }
}
