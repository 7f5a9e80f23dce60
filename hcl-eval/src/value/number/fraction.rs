//! The decimal digits of an ordinary number with a fraction, one after the other.
//!
//! A [`Fraction`] is a fixed-point number. Multiplied by 10^19, what crosses the
//! point is the next 19 digits, so a number that is told from its neighbours by
//! a few digits costs a few dozen limb multiplications, whatever its precision.

use super::Float512;
use super::decimal::Digits;
use super::limb512::{BITS, high, low};

/// Exponents from which and up to which a number is an ordinary one.
const MIN_EXP: i64 = -1100;
const MAX_EXP: i64 = 63;
/// Limbs below the point that such a number of 512 bits, and one bit below them, can need.
const MAX_LIMBS: usize = 26;
const _: () = assert!(MAX_LIMBS as i64 * 64 > BITS as i64 - MIN_EXP);

/// The step over the point: 10^19, the largest power of ten in a limb.
const CHUNK: u64 = 10_u64.pow(19);
const CHUNK_DIGITS: usize = 19;

/// A positive number below 2^63 of which some digits have been taken.
pub(super) struct Fraction {
    /// The limbs below the point; those outside `from..to` are zero.
    limbs: [u64; MAX_LIMBS],
    from: usize,
    to: usize,
    /// How many limbs there are below the point.
    len: usize,
    /// Digits above the point that have not been taken yet.
    digits: [u8; CHUNK_DIGITS],
    at: usize,
    /// Where the last digit that is not zero ends.
    end: usize,
    pub(super) point: i64,
}

/// A summand, in units of half a number's last place.
#[derive(Clone, Copy)]
pub(super) enum HalfUnit {
    Less,
    None,
    More,
}

impl Fraction {
    /// The number, or one of the two beside it at half a unit of its last of `prec` bits. `None`
    /// if it is no ordinary one.
    pub(super) fn new(float: &Float512, prec: u32, half: HalfUnit) -> Option<Fraction> {
        if !(MIN_EXP..=MAX_EXP).contains(&float.exp) || prec > BITS {
            return None;
        }
        // How many bits there are below the point, down to half a unit.
        let bits = usize::try_from(i64::from(prec) + 1 - float.exp).ok()?;
        let len = bits.div_ceil(64).max(1);
        let mut limbs = [0; MAX_LIMBS + 1];
        place(&mut limbs, float, i64::try_from(len * 64).ok()? + float.exp - i64::from(BITS));
        let unit_at = len * 64 - bits;
        nudge(limbs.get_mut(unit_at / 64..=len)?, 1 << (unit_at % 64), half);
        let whole = limbs[len];
        limbs[len] = 0;
        let mut fraction = Fraction {
            limbs: [0; MAX_LIMBS],
            from: 0,
            to: len,
            len,
            digits: [0; CHUNK_DIGITS],
            at: CHUNK_DIGITS,
            end: 0,
            point: 0,
        };
        fraction.limbs.copy_from_slice(&limbs[..MAX_LIMBS]);
        fraction.trim();
        fraction.start(whole);
        Some(fraction)
    }

    /// Moves to the first digit that is not zero.
    fn start(&mut self, whole: u64) {
        if whole > 0 {
            self.set_digits(whole);
            self.point = i64::try_from(CHUNK_DIGITS).unwrap_or(0);
        }
        while self.end == 0 && self.from < self.to {
            self.point -= if self.at == 0 { 19 } else { 0 };
            self.advance();
        }
        while self.at < self.end && self.digits[self.at] == 0 {
            self.at += 1;
            self.point -= 1;
        }
    }

    /// Takes the next chunk over the point.
    fn advance(&mut self) {
        let mut carry = 0;
        for limb in &mut self.limbs[self.from..self.to] {
            let product = u128::from(*limb) * u128::from(CHUNK) + u128::from(carry);
            *limb = low(product);
            carry = high(product);
        }
        if self.to < self.len {
            self.limbs[self.to] = carry;
            self.to += 1;
            carry = 0;
        }
        self.trim();
        self.set_digits(carry);
    }

    fn trim(&mut self) {
        while self.from < self.to && self.limbs[self.from] == 0 {
            self.from += 1;
        }
        while self.from < self.to && self.limbs[self.to - 1] == 0 {
            self.to -= 1;
        }
    }

    fn set_digits(&mut self, mut chunk: u64) {
        (self.at, self.end) = (0, 0);
        if chunk == 0 {
            self.digits = [0; CHUNK_DIGITS];
            return;
        }
        for (i, digit) in self.digits.iter_mut().enumerate().rev() {
            *digit = u8::try_from(chunk % 10).unwrap_or(0);
            chunk /= 10;
            if *digit != 0 && self.end == 0 {
                self.end = i + 1;
            }
        }
    }
}

impl Digits for Fraction {
    fn next(&mut self) -> u8 {
        if self.at == CHUNK_DIGITS {
            self.advance();
        }
        let digit = self.digits[self.at];
        self.at += 1;
        digit
    }

    fn more(&self) -> bool {
        self.at < self.end || self.from < self.to
    }
}

/// Writes the mantissa so that its lowest bit comes to `at`; bits below zero are not there.
fn place(limbs: &mut [u64; MAX_LIMBS + 1], float: &Float512, at: i64) {
    let (whole, part) = (at.div_euclid(64), at.rem_euclid(64));
    for (i, &limb) in (whole..).zip(&float.limbs) {
        if let Some(target) = usize::try_from(i).ok().and_then(|i| limbs.get_mut(i)) {
            *target |= limb << part;
        }
        if let Some(target) = usize::try_from(i + 1).ok().and_then(|i| limbs.get_mut(i)) {
            *target |= limb >> 1 >> (63 - part);
        }
    }
}

/// Adds to or subtracts from the limbs.
fn nudge(limbs: &mut [u64], amount: u64, half: HalfUnit) {
    let mut rest = amount;
    for limb in limbs {
        let (changed, over) = match half {
            HalfUnit::None => return,
            HalfUnit::Less => limb.overflowing_sub(rest),
            HalfUnit::More => limb.overflowing_add(rest),
        };
        *limb = changed;
        if !over {
            return;
        }
        rest = 1;
    }
}
