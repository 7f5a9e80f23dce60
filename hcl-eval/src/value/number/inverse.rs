//! Division by small powers of five: multiplication by their inverses.
//!
//! An inverse is cut off after nine limbs. What its product with one limb lacks is less than the tenth limb. The true quotient
//! has no end, so it never lies halfway between two numbers, and as its divisor has at most 42 bits, not so near to that either.
//! So the top bit of the ninth limb decides how to round.

use super::limb512::{Float512, LIMBS, TOP_BIT, high, increment, low};

/// No [`super::Repr::Decimal`] has more places.
const MAX_POWER: usize = super::MAX_PLACES as usize;

/// Limbs of an inverse, least significant first.
type Inverse = [u64; LIMBS + 1];

/// Of 5^1, 5^2 and so on.
static INVERSES: [Inverse; MAX_POWER] = inverses();

const fn inverses() -> [Inverse; MAX_POWER] {
    let mut inverses = [[0; LIMBS + 1]; MAX_POWER];
    let (mut power, mut n) = (1, 0);
    while n < MAX_POWER {
        power *= 5;
        inverses[n] = inverse(power);
        n += 1;
    }
    inverses
}

/// The inverse of a power of five, scaled so that its top bit is set.
const fn inverse(power: u64) -> Inverse {
    let divisor = (power << power.leading_zeros()) as u128;
    let mut inverse = [0; LIMBS + 1];
    let (mut rest, mut at) = (TOP_BIT as u128, LIMBS + 1);
    while at > 0 {
        at -= 1;
        inverse[at] = low((rest << 64) / divisor);
        rest = (rest << 64) % divisor;
    }
    inverse
}

/// `v ÷ 10^places` at 512 bits, for a `v` other than zero and of no 5^`places` a multiple; `None` if there are too many places.
pub(super) fn decimal_fraction(v: u64, places: u8) -> Option<Float512> {
    let n = u32::from(places);
    let inverse = INVERSES.get((n as usize).checked_sub(1)?)?;
    let zeros_of_power = 5_u64.pow(n).leading_zeros();
    let zeros = v.leading_zeros();
    let factor = v << zeros;
    let mut product = [0; LIMBS + 2];
    let mut carry = 0;
    for (limb, part) in inverse.iter().zip(&mut product) {
        let sum = u128::from(*limb) * u128::from(factor) + u128::from(carry);
        *part = low(sum);
        carry = high(sum);
    }
    product[LIMBS + 1] = carry;
    let is_short = carry & TOP_BIT == 0;
    if is_short {
        for at in (1..LIMBS + 2).rev() {
            product[at] = product[at] << 1 | product[at - 1] >> 63;
        }
    }
    let [_, guard, mut limbs @ ..] = product;
    let exp = 1 + i64::from(zeros_of_power) - i64::from(zeros) - i64::from(n) - i64::from(is_short);
    Some(match guard & TOP_BIT {
        0 => Float512 { limbs, exp },
        _ => increment(&mut limbs, 0, 1, exp),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_those_of_divisions() {
        let mut state = 1_u64;
        for round in 0..200_000_u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let places = u8::try_from(1 + round % 18).unwrap();
            let n = u32::from(places);
            let v = (state >> (round % 61)).max(1);
            let power = Float512::from_u64(5_u64.pow(n), 0).unwrap();
            let expected = Float512::from_u64(v, -i64::from(n)).unwrap().div(&power, 512);
            if !v.is_multiple_of(5_u64.pow(n)) {
                assert_eq!(decimal_fraction(v, places), Some(expected), "{v} of {n} decimals");
            }
        }
    }
}
