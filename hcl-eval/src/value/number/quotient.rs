//! Division on eight limbs.
//!
//! Two full mantissas are divided by a *short division*, which calculates of each step only what the digits to come need. The
//! rest is bounded; where it could decide how to round, the long division is done, which keeps the whole remainder.

use std::cmp::Ordering;

use super::limb512::{
    BITS, Float512, LIMBS, Limbs, TOP_BIT, cmp_limbs, high, increment, join, low, low_zero_limbs, round,
};

impl Float512 {
    /// `self ÷ other`, rounded to `prec` bits.
    pub(super) fn div(&self, other: &Float512, prec: u32) -> Float512 {
        let zero_limbs = low_zero_limbs(&other.limbs);
        if zero_limbs < LIMBS - 1
            && prec == BITS
            && let Some(quotient) = short_division(self, other)
        {
            return quotient;
        }
        self.div_exactly(other, prec)
    }

    /// The quotient from a remainder that is carried on in full.
    ///
    /// The dividend is scaled to lie between half the divisor and the divisor,
    /// which makes the quotient's nine limbs start with a set bit.
    #[inline(never)] // Inlined, it makes `number_div` take 4 % more instructions.
    fn div_exactly(&self, other: &Float512, prec: u32) -> Float512 {
        let mut remainder = self.limbs;
        let mut exp = self.exp - other.exp;
        let mut next = 0;
        if cmp_limbs(&self.limbs, &other.limbs) != Ordering::Less {
            next = remainder[0] << 63;
            for i in 0..LIMBS - 1 {
                remainder[i] = (remainder[i] >> 1) | (remainder[i + 1] << 63);
            }
            remainder[LIMBS - 1] >>= 1;
            exp += 1;
        }
        let quotient = match low_zero_limbs(&other.limbs) {
            7 => divide_by_limb(&mut remainder, next, other.limbs[LIMBS - 1]),
            _ => divide_by_limbs(&mut remainder, next, &other.limbs),
        };
        let sticky = remainder.iter().any(|&limb| limb != 0);
        let mut limbs = [0; LIMBS];
        limbs.copy_from_slice(&quotient[1..]);
        round(limbs, quotient[0], sticky, exp, prec)
    }
}

/// Columns of a short division: the one below the guard, the guard, the eight of the quotient, and its whole part.
const COLUMNS: usize = LIMBS + 3;
const WHOLE: usize = COLUMNS - 1;

/// The quotient at 512 bits, if it is sure how to round it.
///
/// With B = 2^64, the divisor D as a whole number of eight limbs and the factor F = ⌊B^9 ÷ D⌋ it is N·F ÷ (B^9 − L), where
/// L = B^9 − D·F, what is lacking, has eight limbs. So the top limb of N·F is the first digit q, and N·F without it, plus q·L
/// a limb lower, is where the next one comes from: a row of multiplications for a digit, and no estimates. A carry out of
/// a row makes its digit larger by one; with one more L there is no second carry, as B^9 − B + B·L < 2·B^9.
///
/// Of the row of each digit what lies below the lowest column is left out, less than one in the guard column. With the lowest
/// column itself that is less than nine, by which the guard is too small. So unless it is so close to a tie or to a whole, it
/// rounds as the true one does.
fn short_division(x: &Float512, y: &Float512) -> Option<Float512> {
    let (factor, lack) = factor_and_lack(&y.limbs);
    let (product, top) = times_above_one(factor, &x.limbs);
    let mut columns = [0; COLUMNS];
    columns[1..WHOLE].copy_from_slice(&product);
    if top {
        columns[WHOLE] = 1;
        let carry = add_limbs(&mut columns[1..], &lack);
        columns[WHOLE - 1] = columns[WHOLE - 1].wrapping_add(carry.into());
    }
    use_digit::<0>(&mut columns, &lack);
    use_digit::<1>(&mut columns, &lack);
    use_digit::<2>(&mut columns, &lack);
    use_digit::<3>(&mut columns, &lack);
    use_digit::<4>(&mut columns, &lack);
    use_digit::<5>(&mut columns, &lack);
    use_digit::<6>(&mut columns, &lack);
    use_digit::<7>(&mut columns, &lack);
    let [_, mut guard, mut limbs @ .., whole] = columns;
    if guard.wrapping_add(16) & TOP_BIT.wrapping_sub(1) < 32 {
        return None;
    }
    let mut exp = x.exp - y.exp;
    if whole != 0 {
        guard = (guard >> 1) | (limbs[0] << 63);
        for i in 0..LIMBS - 1 {
            limbs[i] = (limbs[i] >> 1) | (limbs[i + 1] << 63);
        }
        limbs[LIMBS - 1] = (limbs[LIMBS - 1] >> 1) | TOP_BIT;
        exp += 1;
    }
    Some(match guard & TOP_BIT {
        0 => Float512 { limbs, exp },
        _ => increment(&mut limbs, 0, 1, exp),
    })
}

/// ⌊B^9 ÷ D⌋ − B and B^9 − D·⌊B^9 ÷ D⌋. The reciprocal of the two top limbs is that, or one more.
fn factor_and_lack(divisor: &Limbs) -> (u64, Limbs) {
    let factor = reciprocal_of_two((divisor[LIMBS - 1], divisor[LIMBS - 2]));
    let (product, is_too_large) = times_above_one(factor, divisor);
    let mut lack = [0; LIMBS];
    let mut borrow = false;
    for i in 0..LIMBS {
        (lack[i], borrow) = 0_u64.borrowing_sub(product[i], borrow);
    }
    if !is_too_large {
        return (factor, lack);
    }
    add_limbs(&mut lack, divisor);
    (factor.wrapping_sub(1), lack)
}

/// The nine limbs of `(B + factor) × limbs`, and whether there is a carry out of them.
fn times_above_one(factor: u64, limbs: &Limbs) -> ([u64; LIMBS + 1], bool) {
    let mut product = [0; LIMBS + 1];
    let mut carry = 0;
    for i in 0..LIMBS {
        let above = if i == 0 { 0 } else { limbs[i - 1] };
        let sum = u128::from(factor) * u128::from(limbs[i]) + u128::from(above) + u128::from(carry);
        product[i] = low(sum);
        carry = high(sum);
    }
    let top;
    (product[LIMBS], top) = limbs[LIMBS - 1].overflowing_add(carry);
    (product, top)
}

/// Adds to the columns what the digit `K` from the top, times what is lacking, brings to the columns below it. The number is a
/// constant, and so are the bounds of the loop, which becomes a straight line.
fn use_digit<const K: usize>(columns: &mut [u64; COLUMNS], lack: &Limbs) {
    let digit = columns[LIMBS + 1 - K];
    let mut carry = 0;
    for j in K..LIMBS {
        let column = &mut columns[j - K];
        let sum = u128::from(digit) * u128::from(lack[j]) + u128::from(*column) + u128::from(carry);
        *column = low(sum);
        carry = high(sum);
    }
    let is_larger;
    (columns[LIMBS - K], is_larger) = columns[LIMBS - K].overflowing_add(carry);
    if is_larger {
        enlarge_digit(columns, lack, K);
    }
}

/// Makes the digit `k` from the top larger by one, after the columns below it got its row.
#[inline(never)] // Its copies took 2 KB of the library.
fn enlarge_digit(columns: &mut [u64; COLUMNS], lack: &Limbs, k: usize) {
    let (rest, digits) = columns.split_at_mut(LIMBS + 1 - k);
    for digit in digits {
        let carry;
        (*digit, carry) = digit.overflowing_add(1);
        if !carry {
            break;
        }
    }
    let carry = add_limbs(rest, &lack[k..]);
    rest[LIMBS - k] = rest[LIMBS - k].wrapping_add(carry.into());
}

/// Adds limbs to the lowest of others, and gives the carry.
fn add_limbs(to: &mut [u64], limbs: &[u64]) -> bool {
    let mut carry = false;
    for (limb, other) in to.iter_mut().zip(limbs) {
        (*limb, carry) = limb.carrying_add(*other, carry);
    }
    carry
}

/// The nine quotient limbs of `(remainder, next, 0, 0, …) ÷ divisor`, schoolbook
/// style with a precomputed reciprocal of the divisor's two top limbs
/// (Möller and Granlund, “Improved division by invariant integers”).
fn divide_by_limbs(remainder: &mut Limbs, mut next: u64, divisor: &Limbs) -> [u64; LIMBS + 1] {
    let top = (divisor[LIMBS - 1], divisor[LIMBS - 2]);
    let reciprocal = reciprocal_of_two(top);
    let mut quotient = [0; LIMBS + 1];
    for digit in quotient.iter_mut().rev() {
        let head = (remainder[LIMBS - 1], remainder[LIMBS - 2], remainder[LIMBS - 3]);
        let mut estimate = estimate_digit(head, top, reciprocal);
        // remainder = (remainder, next) − estimate × divisor; the limb that
        // falls off the top is zero, or all ones if the estimate was one too big.
        let mut carry = 0;
        let mut borrow = false;
        let (mut incoming, mut shifted) = (next, [0; LIMBS]);
        for j in 0..LIMBS {
            let term = u128::from(estimate) * u128::from(divisor[j]) + u128::from(carry);
            carry = high(term);
            (shifted[j], borrow) = incoming.borrowing_sub(low(term), borrow);
            incoming = remainder[j];
        }
        let (_, negative) = incoming.borrowing_sub(carry, borrow);
        *remainder = shifted;
        if negative {
            estimate -= 1;
            let mut carry = false;
            for j in 0..LIMBS {
                (remainder[j], carry) = remainder[j].carrying_add(divisor[j], carry);
            }
        }
        *digit = estimate;
        next = 0;
    }
    quotient
}

/// As [`divide_by_limbs`] for a divisor whose other limbs are zero.
fn divide_by_limb(remainder: &mut Limbs, next: u64, divisor: u64) -> [u64; LIMBS + 1] {
    let reciprocal = reciprocal_of_one(divisor);
    let mut quotient = [0; LIMBS + 1];
    let mut rest = remainder[LIMBS - 1];
    for i in (0..LIMBS + 1).rev() {
        let incoming = match i {
            0 => 0,
            1 => next,
            _ => remainder[i - 2],
        };
        (quotient[i], rest) = divide_two_by_one(rest, incoming, divisor, reciprocal);
    }
    *remainder = [0; LIMBS];
    remainder[0] = rest;
    quotient
}

/// `(high:low) ÷ divisor` for `high < divisor`, divisor normalised.
fn divide_two_by_one(high_limb: u64, low_limb: u64, divisor: u64, reciprocal: u64) -> (u64, u64) {
    let guess = (u128::from(reciprocal) * u128::from(high_limb)).wrapping_add(join(high_limb, low_limb));
    let mut quotient = high(guess).wrapping_add(1);
    let mut rest = low_limb.wrapping_sub(quotient.wrapping_mul(divisor));
    if rest > low(guess) {
        quotient = quotient.wrapping_sub(1);
        rest = rest.wrapping_add(divisor);
    }
    if rest >= divisor {
        quotient = quotient.wrapping_add(1);
        rest = rest.wrapping_sub(divisor);
    }
    (quotient, rest)
}

/// The quotient of three limbs by the divisor's top two, at most one above the
/// true digit of the long division.
fn estimate_digit(head: (u64, u64, u64), divisor: (u64, u64), reciprocal: u64) -> u64 {
    if (head.0, head.1) >= divisor {
        return u64::MAX;
    }
    let whole = join(divisor.0, divisor.1);
    let guess = (u128::from(reciprocal) * u128::from(head.0)).wrapping_add(join(head.0, head.1));
    let mut quotient = high(guess);
    let rest_high = head.1.wrapping_sub(quotient.wrapping_mul(divisor.0));
    let mut rest = join(rest_high, head.2)
        .wrapping_sub(u128::from(divisor.1) * u128::from(quotient))
        .wrapping_sub(whole);
    quotient = quotient.wrapping_add(1);
    if high(rest) >= low(guess) {
        quotient = quotient.wrapping_sub(1);
        rest = rest.wrapping_add(whole);
    }
    if rest >= whole {
        quotient = quotient.wrapping_add(1);
    }
    quotient
}

/// `⌊(2^128 − 1) ÷ divisor⌋ − 2^64` for a normalised divisor.
fn reciprocal_of_one(divisor: u64) -> u64 {
    low(join(!divisor, u64::MAX) / u128::from(divisor))
}

/// `⌊(2^192 − 1) ÷ (d1:d0)⌋ − 2^64` for a normalised divisor.
fn reciprocal_of_two((d1, d0): (u64, u64)) -> u64 {
    let mut reciprocal = reciprocal_of_one(d1);
    let mut rest = d1.wrapping_mul(reciprocal).wrapping_add(d0);
    if rest < d0 {
        reciprocal = reciprocal.wrapping_sub(1);
        if rest >= d1 {
            reciprocal = reciprocal.wrapping_sub(1);
            rest = rest.wrapping_sub(d1);
        }
        rest = rest.wrapping_sub(d1);
    }
    let term = u128::from(reciprocal) * u128::from(d0);
    rest = rest.wrapping_add(high(term));
    if rest < high(term) {
        reciprocal = reciprocal.wrapping_sub(1);
        if join(rest, low(term)) >= join(d1, d0) {
            reciprocal = reciprocal.wrapping_sub(1);
        }
    }
    reciprocal
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            self.0 ^ self.0 >> 29
        }

        /// Limbs of many kinds: any, none, all bits, a few bits at an end, the one before.
        fn float(&mut self) -> Float512 {
            let mut limbs = [0_u64; LIMBS];
            let kinds = self.next();
            for i in 0..LIMBS {
                limbs[i] = match (kinds >> (4 * i)) % 8 {
                    0 => 0,
                    1 => u64::MAX,
                    2 => self.next() >> 60,
                    3 => (self.next() >> 60).wrapping_neg(),
                    4 if i > 0 => limbs[i - 1],
                    _ => self.next(),
                };
            }
            limbs[LIMBS - 1] |= TOP_BIT;
            Float512 { limbs, exp: 0 }
        }
    }

    /// Checks a quotient, if the short division gives one.
    fn check(x: &Float512, y: &Float512) -> bool {
        let found = (low_zero_limbs(&y.limbs) < LIMBS - 1).then(|| short_division(x, y)).flatten();
        let expected = x.div_exactly(y, BITS);
        assert!(found.is_none_or(|found| found == expected), "{x:x?} / {y:x?}: {found:x?}, {expected:x?}");
        found.is_some()
    }

    #[test]
    fn short_divisions_are_long_ones() {
        let mut random = Random(1);
        let n_short = (0..300_000).filter(|_| check(&random.float(), &random.float())).count();
        assert!(n_short > 250_000, "{n_short}");
    }

    /// With few bits far from each other quotients lie near ties and wholes: (3/4 + n·2^−512) ÷ (1/2 + c·2^−512) and the like.
    #[test]
    fn divisions_near_ties_and_wholes_are_long_ones() {
        let mut random = Random(2);
        let mut n_short = 0;
        for _ in 0..200_000 {
            let [x, y] = [0; 2].map(|_| {
                let mut limbs = [0; LIMBS];
                let kind = random.next();
                limbs[LIMBS - 1] = TOP_BIT | (kind & 7) << 60;
                let at = if kind & 8 == 0 { 0 } else { (kind >> 4) as usize % LIMBS };
                limbs[at] |= random.next() >> (kind >> 8 & 63);
                if kind & 1 << 16 != 0 {
                    // A little less, too.
                    limbs[..LIMBS - 1].iter_mut().for_each(|limb| *limb = !*limb);
                }
                Float512 { limbs, exp: 0 }
            });
            n_short += u32::from(check(&x, &y));
        }
        assert!((20_000..190_000).contains(&n_short), "{n_short}");
    }
}
