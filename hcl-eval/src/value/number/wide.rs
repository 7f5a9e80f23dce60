//! Positive binary floating point of any width, on `num-bigint`.
//!
//! A [`Dyadic`] is `mant × 2^shift`, mantissa odd. It serves precisions above
//! 512 bits, which only big integers (`parseint`) bring in, and everything
//! derived from them. The operations are the plain ones: exact result, or
//! quotient with a sticky remainder, then one rounding to nearest, ties to even.
//! Work is bounded by the precision, never by a difference of exponents.
//!
//! The fast 512-bit case is in `limb512`.

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::limb512::{BITS, Float512, LIMBS};

/// A positive number `mant × 2^shift` with an odd mantissa.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dyadic {
    pub(super) mant: BigUint,
    pub(super) shift: i64,
}

impl Dyadic {
    /// `mant × 2^shift` for a non-zero `mant`.
    pub(super) fn new(mant: BigUint, shift: i64) -> Dyadic {
        match mant.trailing_zeros() {
            None | Some(0) => Dyadic { mant, shift },
            Some(zeros) => Dyadic { mant: mant >> zeros, shift: shift + signed(zeros) },
        }
    }

    pub(super) fn from_fixed(float: &Float512) -> Dyadic {
        let digits: Vec<u32> = float.limbs.iter().flat_map(|&limb| halves(limb)).collect();
        Dyadic::new(BigUint::new(digits), float.exp - i64::from(BITS))
    }

    /// Returns the number on limbs, if its mantissa fits.
    pub(super) fn to_fixed(&self) -> Option<Float512> {
        (self.mant.bits() <= u64::from(BITS)).then(|| self.leading_limbs())
    }

    /// The top 512 bits, as limbs; exact if the mantissa is no longer.
    pub(super) fn leading_limbs(&self) -> Float512 {
        let bits = self.mant.bits();
        let mut limbs = [0; LIMBS];
        let aligned = match bits.checked_sub(u64::from(BITS)) {
            Some(excess) => &self.mant >> excess,
            None => &self.mant << (u64::from(BITS) - bits),
        };
        for (limb, digit) in limbs.iter_mut().zip(aligned.iter_u64_digits()) {
            *limb = digit;
        }
        Float512 { limbs, exp: self.exp() }
    }

    /// The exponent of the form `0.mant × 2^exp`.
    pub(super) fn exp(&self) -> i64 {
        signed(self.mant.bits()) + self.shift
    }

    /// Numeric order.
    pub(super) fn cmp(&self, other: &Dyadic) -> Ordering {
        self.exp().cmp(&other.exp()).then_with(|| {
            let common = self.shift.min(other.shift);
            align(self, common).cmp(&align(other, common))
        })
    }

    /// The part above the binary point; `None` for zero.
    pub(super) fn integer_part(&self) -> Option<Dyadic> {
        if self.shift >= 0 {
            return Some(self.clone());
        }
        if self.exp() <= 0 {
            return None;
        }
        Some(Dyadic::new(&self.mant >> self.shift.unsigned_abs(), 0))
    }

    /// The value rounded to `prec` bits.
    pub(super) fn round(&self, prec: u32) -> Dyadic {
        rounded(self.mant.clone(), self.shift, false, prec)
    }

    /// `self + other`, rounded to `prec` bits.
    pub(super) fn add(&self, other: &Dyadic, prec: u32) -> Dyadic {
        let (large, little) = if self.exp() >= other.exp() { (self, other) } else { (other, self) };
        let little = bounded(large, little, prec);
        let common = large.shift.min(little.shift);
        rounded(align(large, common) + align(&little, common), common, false, prec)
    }

    /// `self − other`, rounded to `prec` bits, for `self > other`.
    pub(super) fn sub(&self, other: &Dyadic, prec: u32) -> Dyadic {
        let little = bounded(self, other, prec);
        let common = self.shift.min(little.shift);
        rounded(align(self, common) - align(&little, common), common, false, prec)
    }

    /// `self × other`, rounded to `prec` bits.
    pub(super) fn mul(&self, other: &Dyadic, prec: u32) -> Dyadic {
        rounded(&self.mant * &other.mant, self.shift + other.shift, false, prec)
    }

    /// `self ÷ other`, rounded to `prec` bits.
    pub(super) fn div(&self, other: &Dyadic, prec: u32) -> Dyadic {
        // Two bits more than asked for, then the remainder is only sticky.
        let wanted = u64::from(prec) + other.mant.bits() + 2;
        let scale = wanted.saturating_sub(self.mant.bits());
        let dividend = &self.mant << scale;
        let quotient = &dividend / &other.mant;
        let sticky = &quotient * &other.mant != dividend;
        rounded(quotient, self.shift - other.shift - signed(scale), sticky, prec)
    }
}

/// `mant × 2^shift`, with something positive and less than `2^shift` on top of
/// it if `sticky`, rounded to `prec` bits. A sticky mantissa has to be longer
/// than `prec` bits.
pub(super) fn rounded(mant: BigUint, shift: i64, sticky: bool, prec: u32) -> Dyadic {
    let bits = mant.bits();
    let Some(cut) = bits.checked_sub(u64::from(prec.max(1))).filter(|&cut| cut > 0) else {
        return Dyadic::new(mant, shift);
    };
    let half = mant.bit(cut - 1);
    let rest = sticky || mant.trailing_zeros().is_some_and(|zeros| zeros < cut - 1);
    let mut kept = mant >> cut;
    if half && (rest || kept.bit(0)) {
        kept += 1_u32;
    }
    Dyadic::new(kept, shift + signed(cut))
}

/// `little`, or if it lies far below everything that the rounding of
/// `large ± little` can see, something of a few bits that rounds alike.
fn bounded(large: &Dyadic, little: &Dyadic, prec: u32) -> Dyadic {
    let seen = signed(large.mant.bits().max(u64::from(prec))) + 4;
    let floor = large.exp() - seen;
    match little.exp() < floor {
        true => Dyadic { mant: BigUint::from(1_u32), shift: floor },
        false => little.clone(),
    }
}

fn align(value: &Dyadic, shift: i64) -> BigUint {
    &value.mant << value.shift.saturating_sub(shift).unsigned_abs()
}

/// A bit count as a signed number; no allocation reaches 2^63 bits.
pub(super) fn signed(bits: u64) -> i64 {
    i64::try_from(bits).unwrap_or(i64::MAX)
}

#[expect(clippy::cast_possible_truncation, reason = "each half is taken on purpose")]
fn halves(limb: u64) -> [u32; 2] {
    [limb as u32, (limb >> 32) as u32]
}
