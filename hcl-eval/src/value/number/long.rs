//! Arithmetic on long numbers in pieces, with a look at the limits between two.
//!
//! One operation of `num-bigint` on millions of bits takes longer than a deadline may be late. The functions here do
//! the same in parts of about a millisecond.

use num_bigint::BigUint;
use num_integer::Integer;

use crate::limits::{LimitReached, Pace, go_on};

/// Factors of so many words are multiplied at once.
const FACTOR_WORDS: u64 = 1 << 12;

/// So many decimal digits are split off at once.
const PIECE_DIGITS: u32 = 64 * 19;

/// Longer numbers are written, and divided, in pieces.
const LONG_BITS: u64 = 1 << 16;

/// So many bits of a quotient are found at once.
const QUOTIENT_BITS: u64 = 1 << 12;

/// A pass over a word by a factor of 64 words takes as long as this part of an element.
const PASSES_PER_PART: u64 = 4;

fn words(number: &BigUint) -> u64 {
    number.bits() / 64 + 1
}

/// Tells of a division of `number` by, or into, about 64 words.
fn pass(number: &BigUint, pace: Pace<'_, '_>) -> Result<(), LimitReached> {
    go_on(pace, usize::try_from(words(number) / PASSES_PER_PART).unwrap_or(usize::MAX))
}

/// The product, by Karatsuba's rule down to factors that are multiplied at once.
pub(crate) fn multiply(a: &BigUint, b: &BigUint, pace: Pace<'_, '_>) -> Result<BigUint, LimitReached> {
    let half = words(a).max(words(b)).div_ceil(2);
    if half <= FACTOR_WORDS / 2 {
        go_on(pace, usize::try_from(half).unwrap_or(usize::MAX))?;
        return Ok(a * b);
    }
    let halves = |number: &BigUint| {
        let high = number >> (64 * half);
        (number - (&high << (64 * half)), high)
    };
    let ((a_low, a_high), (b_low, b_high)) = (halves(a), halves(b));
    let low = multiply(&a_low, &b_low, pace)?;
    let high = multiply(&a_high, &b_high, pace)?;
    let middle = multiply(&(a_low + a_high), &(b_low + b_high), pace)? - &low - &high;
    Ok((high << (128 * half)) + (middle << (64 * half)) + low)
}

/// The whole part of `number × 2^extra ÷ divisor`.
pub(super) fn quotient(
    number: &BigUint,
    extra: u64,
    divisor: &BigUint,
    pace: Pace<'_, '_>,
) -> Result<BigUint, LimitReached> {
    if divisor.bits() <= LONG_BITS {
        return Ok((number << extra) / divisor);
    }
    let (mut quotient, mut rest) = number.div_rem(divisor);
    let mut left = extra;
    while left > 0 {
        pass(divisor, pace)?;
        let bits = left.min(QUOTIENT_BITS);
        let (next, remainder) = (rest << bits).div_rem(divisor);
        quotient = (quotient << bits) | next;
        rest = remainder;
        left -= bits;
    }
    Ok(quotient)
}

/// The decimal digits, the first one not zero.
pub(crate) fn decimal_digits(number: BigUint, pace: Pace<'_, '_>) -> Result<Vec<u8>, LimitReached> {
    if number.bits() <= LONG_BITS {
        return Ok(number.to_radix_be(10));
    }
    let piece_of = BigUint::from(10_u32).pow(PIECE_DIGITS);
    let mut digits = Vec::new();
    let mut rest = number;
    while rest >= piece_of {
        pass(&rest, pace)?;
        let (above, piece) = rest.div_rem(&piece_of);
        let end = digits.len() + PIECE_DIGITS as usize;
        digits.extend(piece.to_radix_le(10));
        digits.resize(end, 0);
        rest = above;
    }
    digits.extend(rest.to_radix_le(10));
    digits.reverse();
    Ok(digits)
}
