//! Positive binary floating point on eight 64-bit limbs.
//!
//! A [`Float512`] is `0.limbs × 2^exp` with the top bit of the top limb set, so
//! two values compare as (exponent, limbs). Every operation forms the exact
//! result, or enough of it plus a *guard* limb and a *sticky* flag that says
//! whether anything non-zero lies below, and rounds it once, to nearest, ties
//! to even, at the precision asked for (1 to 512 bits).
//!
//! Signs, zeros, infinities and the exponent range are the caller's; wider
//! mantissas are in `wide`, division is in `quotient`.

use std::cmp::Ordering;

/// Limbs of a mantissa.
pub(super) const LIMBS: usize = 8;
/// Bits of a mantissa.
pub(super) const BITS: u32 = 512;
/// A mantissa, least significant limb first.
pub(super) type Limbs = [u64; LIMBS];

pub(super) const TOP_BIT: u64 = 1 << 63;
const ONE_HALF: Limbs = [0, 0, 0, 0, 0, 0, 0, TOP_BIT];

/// A positive number, `0.limbs × 2^exp`; the top bit of `limbs[7]` is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Float512 {
    pub(super) limbs: Limbs,
    pub(super) exp: i64,
}

impl Float512 {
    /// `v × 2^scale`; `None` for zero.
    pub(super) fn from_u64(v: u64, scale: i64) -> Option<Float512> {
        if v == 0 {
            return None;
        }
        let zeros = v.leading_zeros();
        let mut limbs = [0; LIMBS];
        limbs[LIMBS - 1] = v << zeros;
        Some(Float512 { limbs, exp: scale + i64::from(64 - zeros) })
    }

    /// `v × 2^scale`; `None` for zero.
    pub(super) fn from_u128(v: u128, scale: i64) -> Option<Float512> {
        if v == 0 {
            return None;
        }
        let zeros = v.leading_zeros();
        let mut limbs = [0; LIMBS];
        let v = v << zeros;
        limbs[LIMBS - 2] = low(v);
        limbs[LIMBS - 1] = high(v);
        Some(Float512 { limbs, exp: scale + i64::from(128 - zeros) })
    }

    /// `limbs × 2^scale`; `None` for zero.
    pub(super) fn from_integer(limbs: Limbs, scale: i64) -> Option<Float512> {
        if limbs == [0; LIMBS] {
            return None;
        }
        let mut wide = [0; LIMBS + 1];
        wide[1..].copy_from_slice(&limbs);
        let zeros = shift_to_top(&mut wide);
        let mut limbs = [0; LIMBS];
        limbs.copy_from_slice(&wide[1..]);
        Some(Float512 { limbs, exp: scale + i64::from(BITS - zeros) })
    }

    /// Numeric order.
    pub(super) fn cmp(&self, other: &Float512) -> Ordering {
        match self.exp.cmp(&other.exp) {
            Ordering::Equal => cmp_limbs(&self.limbs, &other.limbs),
            order => order,
        }
    }

    /// How many bits the mantissa needs: 512 less its trailing zeros.
    pub(super) fn significant_bits(&self) -> u32 {
        let mut bits = BITS;
        for limb in self.limbs {
            if limb != 0 {
                return bits - limb.trailing_zeros();
            }
            bits -= 64;
        }
        bits
    }

    /// Returns whether no bit lies below the binary point.
    pub(super) fn is_integer(&self) -> bool {
        self.exp >= i64::from(BITS) || (self.exp > 0 && i64::from(self.significant_bits()) <= self.exp)
    }

    /// The part above the binary point; `None` for zero.
    pub(super) fn integer_part(&self) -> Option<Float512> {
        let kept = u32::try_from(self.exp).unwrap_or(if self.exp < 0 { 0 } else { BITS });
        match kept {
            0 => None,
            BITS.. => Some(*self),
            1.. => {
                let mut limbs = self.limbs;
                clear_low_bits(&mut limbs, BITS - kept);
                Some(Float512 { limbs, exp: self.exp })
            }
        }
    }

    /// The value rounded to `prec` bits.
    pub(super) fn round(&self, prec: u32) -> Float512 {
        round(self.limbs, 0, false, self.exp, prec)
    }

    /// `self + other`, rounded to `prec` bits.
    pub(super) fn add(&self, other: &Float512, prec: u32) -> Float512 {
        let (large, little) = if self.exp >= other.exp { (self, other) } else { (other, self) };
        let (addend, mut guard, mut sticky) = shift_right(&little.limbs, large.exp - little.exp);
        let mut limbs = [0; LIMBS];
        let mut carry = false;
        for i in 0..LIMBS {
            (limbs[i], carry) = large.limbs[i].carrying_add(addend[i], carry);
        }
        let mut exp = large.exp;
        if carry {
            sticky |= guard & 1 != 0;
            guard = (guard >> 1) | (limbs[0] << 63);
            for i in 0..LIMBS - 1 {
                limbs[i] = (limbs[i] >> 1) | (limbs[i + 1] << 63);
            }
            limbs[LIMBS - 1] = (limbs[LIMBS - 1] >> 1) | TOP_BIT;
            exp += 1;
        }
        round(limbs, guard, sticky, exp, prec)
    }

    /// `self − other`, rounded to `prec` bits, for `self > other`.
    ///
    /// With exponents at most 64 apart the guard limb holds every bit. Further
    /// apart, at most one leading bit cancels, so the limb still holds 63 bits
    /// below the last place, and the sticky rest counts as a borrow: the true
    /// difference lies strictly between the computed one and its successor.
    pub(super) fn sub(&self, other: &Float512, prec: u32) -> Float512 {
        let (subtrahend, guard, sticky) = shift_right(&other.limbs, self.exp - other.exp);
        let mut wide = [0; LIMBS + 1];
        let mut borrow;
        (wide[0], borrow) = 0_u64.borrowing_sub(guard, sticky);
        for i in 0..LIMBS {
            (wide[i + 1], borrow) = self.limbs[i].borrowing_sub(subtrahend[i], borrow);
        }
        let zeros = shift_to_top(&mut wide);
        let mut limbs = [0; LIMBS];
        limbs.copy_from_slice(&wide[1..]);
        round(limbs, wide[0], sticky, self.exp - i64::from(zeros), prec)
    }

    /// `self × other`, rounded to `prec` bits.
    pub(super) fn mul(&self, other: &Float512, prec: u32) -> Float512 {
        // One row of the product per non-zero low limb of the shorter operand:
        // small integers and dyadic fractions cost one row.
        let (self_skip, other_skip) = (low_zero_limbs(&self.limbs), low_zero_limbs(&other.limbs));
        let (rows, row, skip) = if self_skip >= other_skip {
            (&self.limbs, &other.limbs, self_skip)
        } else {
            (&other.limbs, &self.limbs, other_skip)
        };
        if skip == 0
            && prec == BITS
            && let Some(product) = mul_upper(self, other)
        {
            return product;
        }
        let mut product = [0; 2 * LIMBS];
        for (i, &factor) in rows.iter().enumerate().skip(skip) {
            add_row(&mut product, i, factor, row);
        }
        let mut exp = self.exp + other.exp;
        let mut limbs = [0; LIMBS];
        let (lower, upper) = product.split_at(LIMBS);
        let mut guard = lower[LIMBS - 1];
        if upper[LIMBS - 1] & TOP_BIT == 0 {
            for i in 0..LIMBS {
                limbs[i] = (upper[i] << 1) | (product[LIMBS + i - 1] >> 63);
            }
            guard = (guard << 1) | (lower[LIMBS - 2] >> 63);
            exp -= 1;
            // The bit moved into the guard limb stays in the sticky limbs too;
            // it is below the half either way.
        } else {
            limbs.copy_from_slice(upper);
        }
        let sticky = lower[..LIMBS - 1].iter().any(|&limb| limb != 0);
        round(limbs, guard, sticky, exp, prec)
    }
}

/// The product at 512 bits from the columns of the long multiplication that can matter: the eight
/// below the top, the guard and one more. What the others carry into the guard limb is below 8, so
/// unless the guard is that close to a tie or to a whole, it rounds as the true one does.
fn mul_upper(x: &Float512, y: &Float512) -> Option<Float512> {
    let (x, y, exp) = (&x.limbs, &y.limbs, x.exp + y.exp);
    let mut columns = [0; COLUMNS];
    add_upper_row::<0>(&mut columns, x, y);
    add_upper_row::<1>(&mut columns, x, y);
    add_upper_row::<2>(&mut columns, x, y);
    add_upper_row::<3>(&mut columns, x, y);
    add_upper_row::<4>(&mut columns, x, y);
    add_upper_row::<5>(&mut columns, x, y);
    add_upper_row::<6>(&mut columns, x, y);
    add_upper_row::<7>(&mut columns, x, y);
    let [_, mut guard, mut limbs @ ..] = columns;
    let short = limbs[LIMBS - 1] & TOP_BIT == 0;
    // Twice what may be missing, as the guard may be doubled.
    if guard.wrapping_add(16) & (TOP_BIT >> 2).wrapping_sub(1) < 32 {
        return None;
    }
    if short {
        for i in (1..LIMBS).rev() {
            limbs[i] = (limbs[i] << 1) | (limbs[i - 1] >> 63);
        }
        limbs[0] = (limbs[0] << 1) | (guard >> 63);
        guard <<= 1;
    }
    let up = guard & TOP_BIT != 0;
    Some(match up {
        true => increment(&mut limbs, 0, 1, exp - i64::from(short)),
        false => Float512 { limbs, exp: exp - i64::from(short) },
    })
}

/// How many columns of a long multiplication [`mul_upper`] adds up, and the first of them.
const COLUMNS: usize = LIMBS + 2;
const FIRST_COLUMN: usize = 2 * LIMBS - COLUMNS;

/// Adds `x[ROW] × y` as far as it lies in the upper columns. The number is a constant, and so are the bounds of the loop,
/// which becomes a straight line.
fn add_upper_row<const ROW: usize>(columns: &mut [u64; COLUMNS], x: &Limbs, y: &Limbs) {
    let mut carry = 0;
    for j in FIRST_COLUMN.saturating_sub(ROW)..LIMBS {
        let column = &mut columns[ROW + j - FIRST_COLUMN];
        let sum = u128::from(x[ROW]) * u128::from(y[j]) + u128::from(*column) + u128::from(carry);
        *column = low(sum);
        carry = high(sum);
    }
    columns[ROW + LIMBS - FIRST_COLUMN] = carry;
}

/// Adds `factor × row` to `product` at limb `at`; the limb above the row is
/// still untouched and takes the carry.
fn add_row(product: &mut [u64; 2 * LIMBS], at: usize, factor: u64, row: &Limbs) {
    let mut carry = 0;
    for j in 0..LIMBS {
        let sum = u128::from(factor) * u128::from(row[j]) + u128::from(product[at + j]) + u128::from(carry);
        product[at + j] = low(sum);
        carry = high(sum);
    }
    product[at + LIMBS] = carry;
}

/// Rounds `limbs`, followed by the `guard` limb and `sticky`, to `prec` bits.
#[inline(always)] // By a call `number_add` takes 7 % more instructions.
pub(super) fn round(mut limbs: Limbs, guard: u64, sticky: bool, exp: i64, prec: u32) -> Float512 {
    if prec < BITS {
        return round_short(limbs, guard != 0 || sticky, exp, prec);
    }
    let up = guard & TOP_BIT != 0 && (guard << 1 != 0 || sticky || limbs[0] & 1 != 0);
    if up {
        return increment(&mut limbs, 0, 1, exp);
    }
    Float512 { limbs, exp }
}

/// [`round`] below 512 bits, where the cut lies inside the limbs.
fn round_short(mut limbs: Limbs, sticky: bool, exp: i64, prec: u32) -> Float512 {
    let cut = BITS - prec.max(1);
    let half = bit(&limbs, cut - 1);
    if !half {
        clear_low_bits(&mut limbs, cut);
        return Float512 { limbs, exp };
    }
    let odd = bit(&limbs, cut);
    let before = limbs;
    clear_low_bits(&mut limbs, cut - 1);
    let rest = sticky || limbs != before;
    clear_low_bits(&mut limbs, cut);
    if rest || odd {
        return increment(&mut limbs, cut as usize / 64, 1 << (cut % 64), exp);
    }
    Float512 { limbs, exp }
}

/// Adds `amount` at limb `at`; a carry out of the top leaves one half.
pub(super) fn increment(limbs: &mut Limbs, at: usize, amount: u64, exp: i64) -> Float512 {
    let mut carry;
    (limbs[at], carry) = limbs[at].overflowing_add(amount);
    for limb in &mut limbs[at + 1..] {
        (*limb, carry) = limb.carrying_add(0, carry);
    }
    match carry {
        true => Float512 { limbs: ONE_HALF, exp: exp + 1 },
        false => Float512 { limbs: *limbs, exp },
    }
}

fn bit(limbs: &Limbs, at: u32) -> bool {
    limbs[at as usize / 64] >> (at % 64) & 1 != 0
}

fn clear_low_bits(limbs: &mut Limbs, count: u32) {
    let whole = count as usize / 64;
    limbs[..whole].fill(0);
    if let Some(limb) = limbs.get_mut(whole) {
        *limb &= u64::MAX << (count % 64);
    }
}

/// The top limb nearly always decides.
pub(super) fn cmp_limbs(a: &Limbs, b: &Limbs) -> Ordering {
    for i in (0..LIMBS).rev() {
        if a[i] != b[i] {
            return a[i].cmp(&b[i]);
        }
    }
    Ordering::Equal
}

pub(super) fn low_zero_limbs(limbs: &Limbs) -> usize {
    limbs.iter().take_while(|&&limb| limb == 0).count()
}

/// `limbs` moved right by `distance` bits: the limbs, the guard limb below
/// them, and whether anything non-zero fell out below that.
fn shift_right(limbs: &Limbs, distance: i64) -> (Limbs, u64, bool) {
    let distance = usize::try_from(distance).unwrap_or(0);
    if distance == 0 {
        return (*limbs, 0, false);
    }
    if distance < 64 {
        let mut out = [0; LIMBS];
        for i in 0..LIMBS - 1 {
            out[i] = (limbs[i] >> distance) | (limbs[i + 1] << (64 - distance));
        }
        out[LIMBS - 1] = limbs[LIMBS - 1] >> distance;
        return (out, limbs[0] << (64 - distance), false);
    }
    shift_right_far(limbs, distance)
}

#[inline(never)] // Inlined, it makes `number_add` take 5 % more instructions.
fn shift_right_far(limbs: &Limbs, distance: usize) -> (Limbs, u64, bool) {
    let (whole, part) = (distance / 64, distance % 64);
    if whole > LIMBS {
        return ([0; LIMBS], 0, true);
    }
    // One zero limb below for the guard, zeros above to shift in.
    let mut padded = [0; 2 * LIMBS + 3];
    padded[1..=LIMBS].copy_from_slice(limbs);
    let mut out = [0; LIMBS];
    let window = &padded[whole..whole + LIMBS + 2];
    let at = |i: usize| (window[i] >> part) | (window[i + 1] << 1 << (63 - part));
    let guard = at(0);
    for (i, limb) in out.iter_mut().enumerate() {
        *limb = at(i + 1);
    }
    let sticky =
        window[0] << 1 << (63 - part) != 0 && part != 0 || padded[..whole].iter().any(|&limb| limb != 0);
    (out, guard, sticky)
}

/// Shifts left until the top bit is set and tells by how far; not for zero.
fn shift_to_top(wide: &mut [u64; LIMBS + 1]) -> u32 {
    if wide[LIMBS] & TOP_BIT != 0 {
        return 0;
    }
    let empty = wide.iter().rev().take_while(|&&limb| limb == 0).count().min(LIMBS);
    if empty > 0 {
        wide.copy_within(..LIMBS + 1 - empty, empty);
        wide[..empty].fill(0);
    }
    let part = wide[LIMBS].leading_zeros() & 63;
    if part > 0 {
        for i in (1..=LIMBS).rev() {
            wide[i] = (wide[i] << part) | (wide[i - 1] >> (64 - part));
        }
        wide[0] <<= part;
    }
    u32::try_from(empty).unwrap_or(0) * 64 + part
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is what is asked for")]
pub(super) const fn low(v: u128) -> u64 {
    v as u64
}

pub(super) fn high(v: u128) -> u64 {
    (v >> 64) as u64
}

pub(super) fn join(high_limb: u64, low_limb: u64) -> u128 {
    u128::from(high_limb) << 64 | u128::from(low_limb)
}
