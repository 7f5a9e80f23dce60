//! The decimal digits that stand for a number.
//!
//! A number of precision p is shown by the shortest digits that tell it from
//! its neighbours: those of a decimal between `lower` and `upper`, half a unit
//! of the last of p bits below and above it. How exactly they are chosen is
//! fixed by the reference implementation, oddities included: the three numbers
//! are compared digit by digit, each from its own first non-zero digit, and the
//! half unit is the same on both sides of a power of two. [`choose`] is that
//! rule; it draws on [`Digits`], of which there are three kinds:
//!
//! * [`Fraction`] multiplies limbs by 10^19, for ordinary numbers, lazily;
//! * [`Exact`] has every digit, by exact integer arithmetic;
//! * [`Leading`] has the leading digits only, for exponents so large that all
//!   of them would be too many. More are made if they turn out not to suffice.

use num_bigint::BigUint;

use super::fraction::{Fraction, HalfUnit};
use super::limb512::BITS;
use super::long::{decimal_digits, quotient};
use super::power_of_five::PowerOfFive;
use super::wide::{Dyadic, signed};
use super::{Float512, Mag, Number, Operand};
use crate::limits::{LimitReached, Pace};

/// Digits of a positive number: `0.digits × 10^point`, the digits as numbers
/// (not ASCII), first and last not zero. Empty for zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) digits: Vec<u8>,
    pub(super) point: i64,
}

/// The digits of a number one after the other, from the first non-zero one.
pub(super) trait Digits {
    /// The next digit; zero after the last.
    fn next(&mut self) -> u8;
    /// Returns whether any digit but zero is still to come.
    fn more(&self) -> bool;
}

impl Number {
    /// The digits that identify a finite number at its precision, without sign.
    pub(super) fn decimal(&self) -> Decimal {
        self.decimal_within(&mut None).unwrap_or_default()
    }

    /// [`Number::decimal`] with looks at the limits.
    pub(super) fn decimal_within(&self, pace: Pace<'_, '_>) -> Result<Decimal, LimitReached> {
        let Operand { prec, mag, .. } = self.operand();
        if let Mag::Fixed(float) = &mag
            && !float.is_integer()
            && let Some(chosen) = choose_fraction(float, prec)
        {
            return Ok(chosen);
        }
        let Some(value) = mag.to_dyadic() else {
            return Ok(Decimal::default());
        };
        if value.shift >= 0 && value.exp() <= i64::from(prec) {
            return Ok(Exact::new(&value.mant, value.shift, pace)?.into_decimal());
        }
        // As many as tell the number from its neighbours, and some.
        let mut wanted = prec as usize * 31 / 100 + 20;
        let neighbours = Neighbours::new(&value, prec);
        while has_more_digits(&value, wanted) {
            if let Some(chosen) = neighbours.choose_from_leading(wanted, pace)? {
                return Ok(chosen);
            }
            wanted *= 2;
        }
        neighbours.choose_exactly(pace)
    }

    /// The first digits of a finite number, rounded half to even from all of
    /// its digits. At most `count`; fewer if the last ones are zero.
    pub(super) fn rounded_decimal(&self, count: usize) -> Decimal {
        self.rounded_decimal_within(count, &mut None).unwrap_or_default()
    }

    /// [`Number::rounded_decimal`] with looks at the limits.
    pub(super) fn rounded_decimal_within(
        &self,
        count: usize,
        pace: Pace<'_, '_>,
    ) -> Result<Decimal, LimitReached> {
        let Operand { mag, .. } = self.operand();
        if let Mag::Fixed(float) = &mag
            && let Some(mut digits) = Fraction::new(float, BITS, HalfUnit::None)
        {
            let point = digits.point;
            return Ok(round_digits(&mut digits, point, count));
        }
        let Some(value) = mag.to_dyadic() else {
            return Ok(Decimal::default());
        };
        let mut wanted = count + 20;
        while has_more_digits(&value, wanted) {
            if let Some([mut digits]) = leading([&value.mant], value.shift, wanted, pace)? {
                let point = digits.point;
                let rounded = round_digits(&mut digits, point, count);
                if !digits.ran_out {
                    return Ok(rounded);
                }
            }
            wanted *= 2;
        }
        let mut digits = Exact::new(&value.mant, value.shift, pace)?;
        let point = digits.point;
        Ok(round_digits(&mut digits, point, count))
    }
}

/// Returns whether a number certainly has more than `wanted` digits from the first to the last other than zero, and
/// so many that it pays not to make them all. Leading digits then do not look as if they were all there is.
fn has_more_digits(value: &Dyadic, wanted: usize) -> bool {
    let wanted = signed(wanted as u64);
    let bits = signed(value.mant.bits());
    let certain = match value.shift {
        // An odd multiple of 2^−n has n decimals, and is 5^n times something as a whole number; 0.698 is
        // a little below log10(5).
        ..0 => value.shift.saturating_neg().saturating_mul(698) / 1000,
        // Each zero at the end takes a factor of five out of the mantissa.
        _ => (bits + value.shift).saturating_mul(301) / 1000 - bits * 431 / 1000 - 2,
    };
    certain > wanted.saturating_mul(2)
}

/// A number of p + 1 bits and those half a unit of p bits beside it.
struct Neighbours {
    lower: BigUint,
    value: BigUint,
    upper: BigUint,
    shift: i64,
    /// True if the decimals of the neighbours themselves would round to the number, as they do when its mantissa is
    /// even.
    inclusive: bool,
}

impl Neighbours {
    fn new(value: &Dyadic, prec: u32) -> Neighbours {
        let scale = u64::from(prec) + 1 - value.mant.bits().min(u64::from(prec));
        let shifted = &value.mant << scale;
        Neighbours {
            lower: &shifted - 1_u32,
            upper: &shifted + 1_u32,
            inclusive: !shifted.bit(1),
            value: shifted,
            shift: value.shift - signed(scale),
        }
    }

    fn choose_exactly(&self, pace: Pace<'_, '_>) -> Result<Decimal, LimitReached> {
        let mut value = Exact::new(&self.value, self.shift, pace)?;
        let mut lower = Exact::new(&self.lower, self.shift, pace)?;
        let mut upper = Exact::new(&self.upper, self.shift, pace)?;
        let point = value.point;
        Ok(choose(&mut value, &mut lower, &mut upper, point, self.inclusive))
    }

    fn choose_from_leading(
        &self,
        wanted: usize,
        pace: Pace<'_, '_>,
    ) -> Result<Option<Decimal>, LimitReached> {
        let Some([mut value, mut lower, mut upper]) =
            leading([&self.value, &self.lower, &self.upper], self.shift, wanted, pace)?
        else {
            return Ok(None);
        };
        let point = value.point;
        let chosen = choose(&mut value, &mut lower, &mut upper, point, self.inclusive);
        Ok((!(value.ran_out || lower.ran_out || upper.ran_out)).then_some(chosen))
    }
}

/// The digits of an ordinary number with a fraction; `None` for another.
fn choose_fraction(float: &Float512, prec: u32) -> Option<Decimal> {
    let mut value = Fraction::new(float, prec, HalfUnit::None)?;
    let mut lower = Fraction::new(float, prec, HalfUnit::Less)?;
    let mut upper = Fraction::new(float, prec, HalfUnit::More)?;
    let point = value.point;
    Some(choose(&mut value, &mut lower, &mut upper, point, float.significant_bits() < prec))
}

/// Picks the shortest digits; see the module documentation. `point` is that of
/// `value`.
fn choose<D: Digits>(value: &mut D, lower: &mut D, upper: &mut D, point: i64, inclusive: bool) -> Decimal {
    let mut digits = Vec::new();
    while value.more() {
        let digit = value.next();
        let lower_had_more = lower.more();
        let (low, high) = (lower.next(), upper.next());
        let down = low != digit || (inclusive && lower_had_more && !lower.more());
        let up = high != digit && (inclusive || digit + 1 < high || upper.more());
        digits.push(digit);
        let round_up = match (down, up) {
            (false, false) => continue,
            (down, up) if down != up => up,
            _ => rounds_up(value, digit),
        };
        return finish(digits, point, round_up);
    }
    finish(digits, point, false)
}

/// The first `count` digits, rounded half to even.
fn round_digits<D: Digits>(value: &mut D, point: i64, count: usize) -> Decimal {
    let mut digits = Vec::with_capacity(count);
    while digits.len() < count && value.more() {
        digits.push(value.next());
    }
    let last = digits.last().copied().unwrap_or(0);
    let round_up = rounds_up(value, last);
    finish(digits, point, round_up)
}

/// Returns whether the digits behind `digit` round it up, half to even.
fn rounds_up<D: Digits>(rest: &mut D, digit: u8) -> bool {
    match rest.next() {
        5 => rest.more() || digit % 2 == 1,
        next => next > 5,
    }
}

/// Adds one to the last digit if asked, and drops zeros at the end.
fn finish(mut digits: Vec<u8>, mut point: i64, round_up: bool) -> Decimal {
    if round_up {
        while digits.last() == Some(&9) {
            digits.pop();
        }
        match digits.last_mut() {
            Some(last) => *last += 1,
            None => {
                digits.push(1);
                point += 1;
            }
        }
    }
    while digits.last() == Some(&0) {
        digits.pop();
    }
    Decimal { digits, point }
}

/// Every digit of a number.
struct Exact {
    digits: Vec<u8>,
    point: i64,
    at: usize,
}

impl Exact {
    /// The digits of `mant × 2^shift`.
    fn new(mant: &BigUint, shift: i64, pace: Pace<'_, '_>) -> Result<Exact, LimitReached> {
        let (whole, decimals) = match u32::try_from(shift.unsigned_abs()) {
            Ok(n) if shift < 0 => (mant * BigUint::from(5_u32).pow(n), n),
            _ => (mant << shift.unsigned_abs(), 0),
        };
        let mut digits = decimal_digits(whole, pace)?;
        let point = signed(digits.len() as u64) - i64::from(decimals);
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Ok(Exact { digits, point, at: 0 })
    }

    fn into_decimal(self) -> Decimal {
        Decimal { digits: self.digits, point: self.point }
    }
}

impl Digits for Exact {
    fn next(&mut self) -> u8 {
        let digit = self.digits.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        digit
    }

    fn more(&self) -> bool {
        self.at < self.digits.len()
    }
}

/// The leading digits of a number that has many more.
struct Leading {
    digits: Vec<u8>,
    point: i64,
    at: usize,
    /// True once a digit was asked for that is not there.
    ran_out: bool,
}

impl Digits for Leading {
    fn next(&mut self) -> u8 {
        let digit = self.digits.get(self.at).copied();
        self.at += 1;
        self.ran_out |= digit.is_none();
        digit.unwrap_or(0)
    }

    fn more(&self) -> bool {
        !self.ran_out
    }
}

/// The bits of a power of five that tells so many decimal digits, with 128 to spare: 10 bits are a little more than 3 digits.
fn width_for(n_digits: usize) -> u64 {
    n_digits as u64 * 10 / 3 + 128
}

/// At least `wanted` leading digits of each `mant × 2^shift`, if a bounded
/// power of five can tell them.
fn leading<const N: usize>(
    mants: [&BigUint; N],
    shift: i64,
    wanted: usize,
    pace: Pace<'_, '_>,
) -> Result<Option<[Leading; N]>, LimitReached> {
    // x × 10^scale has as many digits before the point as are wanted, or one more.
    let bits = mants.iter().map(|mant| mant.bits()).max().unwrap_or(0);
    let width = width_for(wanted);
    let magnitude = (signed(bits) + shift) * 30103 / 100_000;
    let scale = signed(wanted as u64) - magnitude;
    let power = PowerOfFive::new(scale.unsigned_abs(), width, pace)?;
    let mut out = mants.map(|_| Leading { digits: Vec::new(), point: 0, at: 0, ran_out: true });
    for (mant, out) in mants.into_iter().zip(&mut out) {
        match scaled_digits(mant, shift, scale, &power, width, pace)? {
            Some(digits) => *out = digits,
            None => return Ok(None),
        }
    }
    Ok(Some(out))
}

/// The digits of `⌊mant × 2^shift × 10^scale⌋`, if the power's error leaves no
/// doubt about them.
fn scaled_digits(
    mant: &BigUint,
    shift: i64,
    scale: i64,
    power: &PowerOfFive,
    width: u64,
    pace: Pace<'_, '_>,
) -> Result<Option<Leading>, LimitReached> {
    let (approximate, position) = if scale >= 0 {
        (mant * &power.mant, shift + scale + power.shift)
    } else {
        let extra = width + power.mant.bits();
        (quotient(mant, extra, &power.mant, pace)?, shift + scale - power.shift - signed(extra))
    };
    // The relative error, and the cut of a division, in units of the last bit.
    let units = (BigUint::from(power.error) << approximate.bits() >> width) + 2_u32;
    let (low, high) = match scale >= 0 {
        true => (approximate.clone(), approximate + units),
        false => (&approximate - &units, approximate + 2_u32),
    };
    let cut = position.unsigned_abs();
    let (low, high) = if position < 0 { (low >> cut, high >> cut) } else { (low << cut, high << cut) };
    if low != high {
        return Ok(None);
    }
    let digits = decimal_digits(low, pace)?;
    let point = signed(digits.len() as u64) - scale;
    Ok(Some(Leading { digits, point, at: 0, ran_out: false }))
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::width_for;

    #[test]
    fn widths_are_a_little_more_than_digits_need() {
        for n_digits in [0_u32, 1, 3, 10, 155, 1_000, 30_000] {
            let needed = BigUint::from(10_u32).pow(n_digits).bits();
            let spare = width_for(n_digits as usize) - needed;
            assert!(
                (126..=128 + u64::from(n_digits) / 80).contains(&spare),
                "{spare} bits for {n_digits} digits"
            );
        }
    }
}
