//! The power and the natural logarithm of `f64`, to the last bit as the
//! reference implementation has them.
//!
//! The platform's own functions differ from those in the last bit now and then,
//! and a text shows every bit. So each step here is one rounded operation in a
//! fixed order: the logarithm is the well-known series of FreeBSD's `e_log.c`
//! (the constants `L`), the exponential function the argument reduction of
//! N. Shibata, “Efficient evaluation methods of elementary functions suitable
//! for SIMD computation” (2010), with fused multiplications, and a power is the
//! product of squares for the whole part of its exponent, mantissa and exponent
//! of two apart, times an exponential for the fraction.

use std::f64::consts::{FRAC_1_SQRT_2, LOG2_E};

/// ln 2 as a sum: the first part short, so that its multiples are exact.
#[expect(clippy::excessive_precision, reason = "as published")]
const LN2_PARTS: (f64, f64) = (6.931_471_803_691_238_164_90e-1, 1.908_214_929_270_587_700_02e-10);

/// Coefficients of the even powers of s in (ln(1 + f) − f + f²/2) ÷ s − f²/2, for s = f ÷ (2 + f).
#[expect(clippy::excessive_precision, reason = "as published")]
const L: [f64; 7] = [
    6.666_666_666_666_735_130e-1,
    3.999_999_999_940_941_908e-1,
    2.857_142_874_366_239_149e-1,
    2.222_219_843_214_978_396e-1,
    1.818_357_216_161_805_012e-1,
    1.531_383_769_920_937_332e-1,
    1.479_819_860_511_658_591e-1,
];

/// ln 2 as a sum, for the exponential function.
#[expect(clippy::excessive_precision, reason = "as published")]
const REDUCTION_PARTS: (f64, f64) = (
    0.693_147_180_559_662_956_511_601_805_686_950_683_593_75,
    0.282_352_905_630_315_771_225_884_481_750_134_360_255_254_120_68e-12,
);

/// 1/8! down to 1/1!.
const RECIPROCAL_FACTORIALS: [f64; 8] =
    [1.0 / 40320.0, 1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];

/// Bits of an `f64` fraction as stored.
const FRACTION_BITS: u32 = 52;
/// The bits of one half, which are those of its exponent.
const ONE_HALF_BITS: u64 = 1022 << FRACTION_BITS;
/// Beyond this a power of two has long left the range of `f64`, in any product.
const EXPONENT_LIMIT: i64 = 1 << 12;

/// The natural logarithm; NaN for negative numbers.
#[must_use]
pub fn ln(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x < 0.0 || x.is_nan() {
        return f64::NAN;
    }
    if x.is_infinite() {
        return x;
    }
    // Subnormal numbers are taken as if they had the hidden bit: so does the reference.
    let (mantissa, exponent) = split_stored(x);
    let (mantissa, exponent) = match mantissa < FRAC_1_SQRT_2 {
        true => (mantissa * 2.0, exponent - 1),
        false => (mantissa, exponent),
    };
    let k = f64::from(exponent);
    let f = mantissa - 1.0;
    let s = f / (2.0 + f);
    let s2 = s * s;
    let s4 = s2 * s2;
    let odd = s2 * (L[0] + s4 * (L[2] + s4 * (L[4] + s4 * L[6])));
    let even = s4 * (L[1] + s4 * (L[3] + s4 * L[5]));
    let half_square = 0.5 * f * f;
    let correction = s * (half_square + (odd + even)) + k * LN2_PARTS.1;
    k * LN2_PARTS.0 - ((half_square - correction) - f)
}

/// `x` to the power of `y`; NaN for a fractional power of a negative number.
#[must_use]
pub fn pow(x: f64, y: f64) -> f64 {
    if let Some(result) = special_power(x, y) {
        return result;
    }
    let size = y.abs();
    let (mut whole, mut fraction) = (size.trunc(), size.fract());
    if fraction != 0.0 && x < 0.0 {
        return f64::NAN;
    }
    // Whole powers from 2^63 on are even and leave the range, but for ±1.
    if whole >= 9_223_372_036_854_775_808.0 {
        return if x == -1.0 { 1.0 } else { limit_of_power(x, y) };
    }
    let mut mantissa = 1.0;
    if fraction != 0.0 {
        if fraction > 0.5 {
            fraction -= 1.0;
            whole += 1.0;
        }
        mantissa = exp(fraction * ln(x));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, below 2^63 + 1")]
    let (factor, exponent) = whole_power(x, whole as u64, mantissa);
    match y < 0.0 {
        true => scale(1.0 / factor, -exponent),
        false => scale(factor, exponent),
    }
}

/// `start × x^n` as a mantissa and an exponent of two.
fn whole_power(x: f64, mut n: u64, start: f64) -> (f64, i64) {
    let (mut square, mut square_exponent) = split(x);
    let (mut product, mut exponent) = (start, 0);
    while n != 0 {
        if square_exponent.abs() > EXPONENT_LIMIT {
            exponent += square_exponent;
            break;
        }
        if n & 1 == 1 {
            product *= square;
            exponent += square_exponent;
        }
        let (part, shift) = split(square * square);
        (square, square_exponent) = (part, 2 * square_exponent + shift);
        n >>= 1;
    }
    (product, exponent)
}

/// Powers that are not computed.
fn special_power(x: f64, y: f64) -> Option<f64> {
    // A negative base keeps its sign under odd whole powers.
    let signed = |size: f64| if x.is_sign_negative() && is_odd(y) { -size } else { size };
    if y == 0.0 || x == 1.0 {
        return Some(1.0);
    }
    if y == 1.0 {
        return Some(x);
    }
    if x.is_nan() || y.is_nan() {
        return Some(f64::NAN);
    }
    if x == 0.0 || x.is_infinite() && y.is_finite() {
        let vanishes = (x == 0.0) == (y > 0.0);
        return Some(signed(if vanishes { 0.0 } else { f64::INFINITY }));
    }
    if y.is_infinite() {
        return Some(if x == -1.0 { 1.0 } else { limit_of_power(x, y) });
    }
    if y.abs() == 0.5 {
        return Some(if y > 0.0 { x.sqrt() } else { 1.0 / x.sqrt() });
    }
    None
}

/// Where an even power of ever greater size goes.
fn limit_of_power(x: f64, y: f64) -> f64 {
    if (x.abs() < 1.0) == (y > 0.0) { 0.0 } else { f64::INFINITY }
}

fn is_odd(y: f64) -> bool {
    // From 2^53 on every `f64` is even.
    y.abs() < 9_007_199_254_740_992.0 && (y % 2.0).abs() == 1.0
}

/// e^x for |x| below 700.
fn exp(x: f64) -> f64 {
    let n = (x * LOG2_E).round_ties_even();
    let r = n.mul_add(-REDUCTION_PARTS.1, n.mul_add(-REDUCTION_PARTS.0, x)) / 16.0;
    let [highest, lower @ ..] = RECIPROCAL_FACTORIALS;
    // e^r − 1, then four times (1 + t)² − 1 = t (2 + t), the last with the one added.
    let mut t = r * lower.iter().fold(highest, |sum, &coefficient| sum.mul_add(r, coefficient));
    for _ in 0..3 {
        t *= t + 2.0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a small whole number")]
    scale(t.mul_add(t + 2.0, 1.0), n as i64)
}

/// Mantissa from one half to one, and exponent, of a finite number other than zero.
fn split(x: f64) -> (f64, i64) {
    match x.is_subnormal() {
        true => {
            let (mantissa, exponent) = split_stored(x * 18_014_398_509_481_984.0);
            (mantissa, i64::from(exponent) - 54)
        }
        false => {
            let (mantissa, exponent) = split_stored(x);
            (mantissa, i64::from(exponent))
        }
    }
}

/// [`split`] by the bits as they are, which is wrong for subnormal numbers.
fn split_stored(x: f64) -> (f64, i32) {
    let bits = x.to_bits();
    let biased = i32::try_from(bits >> FRACTION_BITS & 0x7ff).unwrap_or(0);
    (f64::from_bits(bits & !(0x7ff << FRACTION_BITS) | ONE_HALF_BITS), biased - 1022)
}

/// `x × 2^exponent`, rounded once.
fn scale(x: f64, exponent: i64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let (mantissa, own) = split(x);
    match own.saturating_add(exponent) {
        1025.. => f64::INFINITY.copysign(x),
        total @ -1021..=1024 => mantissa * 2.0 * power_of_two(total - 1),
        // Exact down to the smallest exponent, and only then rounded.
        total @ -1080..=-1022 => mantissa * power_of_two(total + 1021) * power_of_two(-1021),
        ..-1080 => 0.0_f64.copysign(x),
    }
}

/// `2^n` for normal results.
fn power_of_two(n: i64) -> f64 {
    f64::from_bits(u64::try_from(n + 1023).unwrap_or(0) << FRACTION_BITS)
}

#[cfg(test)]
mod tests {
    use super::{exp, ln, pow, scale, split, split_stored};

    #[test]
    fn powers_that_are_not_computed_are_those_of_ieee_754() {
        let both = |sizes: &[f64]| sizes.iter().flat_map(|size| [*size, -size]).collect::<Vec<_>>();
        let bases = both(&[0.0, 0.25, 1.0, 4.0, f64::INFINITY, f64::NAN]);
        // The largest odd number is among them, and even ones beyond it.
        let exponents = [0.0, 0.5, 1.0, 2.0, 3.0, 9_007_199_254_740_991.0, 9_007_199_254_740_992.0];
        let exponents = [both(&exponents), both(&[9e18, 1e19, 1e300, f64::INFINITY, f64::NAN])].concat();
        for &x in &bases {
            for &y in &exponents {
                let (found, expected) = (pow(x, y), x.powf(y));
                let is_same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                assert!(is_same, "{x} to the power of {y} is {expected}, not {found}");
            }
        }
        for y in both(&[1.5, 0.1, 1e10 + 0.5]) {
            assert!(pow(-4.0, y).is_nan(), "{y}");
        }
    }

    #[test]
    fn a_number_is_split_and_scaled_without_loss() {
        let smallest = f64::from_bits(1);
        let numbers = [1.0, 0.5, 0.75, -3.5, 1e300, f64::MAX, f64::MIN_POSITIVE, smallest, -smallest, 1e-310];
        for x in numbers {
            let (mantissa, exponent) = split(x);
            assert!((0.5..1.0).contains(&mantissa.abs()), "{x}");
            assert_eq!(scale(mantissa, exponent), x);
            assert!(
                x.is_subnormal() || (mantissa, exponent) == (split_stored(x).0, i64::from(split_stored(x).1))
            );
            for shift in -2200_i64..=2200 {
                // Powers of two of any size, in steps whose results are rounded once at most.
                let steps = [shift / 3, (shift - shift / 3) / 2, shift - shift / 3 - (shift - shift / 3) / 2];
                let expected =
                    steps.iter().fold(x, |x, step| x * 2_f64.powi(i32::try_from(*step).expect("small")));
                let is_rounded_twice = expected.is_subnormal() || expected == 0.0;
                assert!(scale(x, shift) == expected || is_rounded_twice, "{x} by {shift}");
            }
        }
        assert_eq!(
            (scale(3.0, -1075), scale(1.0, -1075), scale(-1.5, -1075)),
            (smallest * 2.0, 0.0, -smallest)
        );
        assert_eq!((scale(1.0, -1074), scale(1.0, -1081), scale(1.0, 1024)), (smallest, 0.0, f64::INFINITY));
        assert!(scale(-1.0, -1100).is_sign_negative() && scale(-1.0, 1100) == f64::NEG_INFINITY);
        assert_eq!((scale(0.0, 5), scale(f64::INFINITY, -5)), (0.0, f64::INFINITY));
    }

    #[test]
    fn exponentials_and_logarithms_are_near() {
        for at in -6990..=6990_i32 {
            let x = f64::from(at) / 10.0;
            let (found, expected) = (exp(x), x.exp());
            assert!(
                (found - expected).abs() <= 4.0 * f64::EPSILON * expected,
                "e^{x} is {expected}, not {found}"
            );
            let (found, expected) = (ln(expected), expected.ln());
            assert!(
                (found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs().max(1e-3),
                "{found} for {expected}"
            );
        }
    }
}
