//! Reading numbers: native literals, JSON, and text that is converted.
//!
//! A text is a decimal with an optional power of ten or, after `p`, of two. Its
//! value, digits × 10^k × 2^e, is rounded to 512 bits once, however long it is:
//!
//! * a short whole number is a small number, one of few decimals often a fraction of few bits,
//!   and else its digits are kept;
//! * up to 19 digits and powers of ten up to 27 are one operation on limbs, as
//!   5^27 fits a limb; up to 154 digits and 10^220 likewise, as 5^220 and the
//!   digits fit 512 bits, so that both operands are exact;
//! * anything else is enclosed between two bounds made of the leading digits and
//!   the leading bits of the power of five ([`Enclosure`]). If both round to
//!   the same number, so does everything between; if not, more digits and bits
//!   are taken, in the end all of them, which is exact. So the work is bounded
//!   by the length of the text, and hardly ever depends on more than its first
//!   few hundred digits.

use num_bigint::BigUint;
use num_integer::Integer;

use super::limb512::Limbs;
use super::long::multiply;
use super::power_of_five::{PowerOfFive, small_power};
use super::wide::{Dyadic, rounded, signed};
use super::{Float512, LITERAL_PRECISION, MAX_PLACES, Number, Repr};
use crate::limits::{LimitReached, Pace};
use crate::value::shape::prefix_at;
use crate::value::string::{find_last_on, find_on};

/// Digits that always fit `i64`.
const SMALL_DIGITS: usize = MAX_PLACES as usize;
/// Digits that always fit a limb, and the largest power of five that does.
const LIMB_DIGITS: usize = 19;
const LIMB_POWER: u64 = 27;
/// Digits that always fit 512 bits, and the largest power of five that does.
const FIXED_DIGITS: usize = 154;
const FIXED_POWER: u64 = 220;
/// The digits of the first bounds: 250 digits are 830 bits, so that all but one in 2^250 texts are decided.
const FIRST_DIGITS: usize = 250;
const FIRST_WIDTH: u64 = 768;

impl Number {
    /// Reads the text of a number: an optional sign, then `Inf`, `inf`, or decimal digits with at
    /// most one point among them and an optional exponent of ten (`e`) or of two (`p`). `None` for
    /// anything else, and for exponents beyond 32 bits.
    ///
    /// ```
    /// use hcl_eval::Number;
    ///
    /// assert_eq!(Number::parse("12.50").unwrap().to_text(), "12.5");
    /// assert_eq!(Number::parse("1p3").unwrap().to_text(), "8");
    /// assert!(Number::parse("1_000").is_none());
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Number> {
        match eight_digits(text.as_bytes()) {
            Some(v) => Some(Number::integer_512(v)),
            // Without a meter nothing stops the work.
            None => parse_longer(text.as_bytes(), &mut None).unwrap_or_default(),
        }
    }

    /// [`Number::parse`] with looks at the limits: all digits of a number halfway between two of 512 bits count, which may be
    /// millions.
    pub(crate) fn parse_within(text: &str, pace: Pace<'_, '_>) -> Result<Option<Number>, LimitReached> {
        match eight_digits(text.as_bytes()) {
            Some(v) => Ok(Some(Number::integer_512(v))),
            None => parse_longer(text.as_bytes(), pace),
        }
    }

    /// Reads a number token of the native syntax, which has neither sign nor infinity nor binary
    /// exponent.
    #[must_use]
    pub fn parse_literal(token: &str) -> Option<Number> {
        let plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
        match token.as_bytes() {
            [b'0'..=b'9', rest @ ..] if rest.iter().all(|&byte| plain(byte)) => Number::parse(token),
            _ => None,
        }
    }
}

fn parse_longer(text: &[u8], pace: Pace<'_, '_>) -> Result<Option<Number>, LimitReached> {
    let (negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    match small_whole(unsigned) {
        Some(0) if negative => parse_any(text, pace),
        Some(v) => Ok(Some(Number::integer_512(if negative { -v } else { v }))),
        None => match small_decimal(negative, unsigned) {
            Some(number) => Ok(Some(number)),
            None => parse_any(text, pace),
        },
    }
}

/// A whole number of one to eight digits without a sign, read as one word: how many there are costs no wrong guess.
fn eight_digits(text: &[u8]) -> Option<i64> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    if text.is_empty() || text.len() > 8 {
        return None;
    }
    // The last digit is the highest byte, and what is missing before the first is zeros.
    let digits = ((prefix_at(text, 0) ^ (0x30 * ONES)) >> (64 - 8 * text.len())).swap_bytes();
    if (digits | digits.wrapping_add(0x76 * ONES)) & (0x80 * ONES) != 0 {
        return None;
    }
    // Neighbours are joined to numbers of two digits, those to four and those to eight.
    let pairs = digits * 10 + (digits >> 8);
    let (low, high) = (pairs & 0xff_0000_00ff, (pairs >> 16) & 0xff_0000_00ff);
    let all = low.wrapping_mul(100 + (1_000_000 << 32)).wrapping_add(high.wrapping_mul(1 + (10_000 << 32)));
    Some(i64::from(u32::try_from(all >> 32).unwrap_or_default()))
}

/// A whole number of a few digits without a sign.
fn small_whole(text: &[u8]) -> Option<i64> {
    if text.is_empty() || text.len() > SMALL_DIGITS {
        return None;
    }
    text.iter().try_fold(0, |v, &byte| match byte {
        b'0'..=b'9' => Some(v * 10 + i64::from(byte - b'0')),
        _ => None,
    })
}

/// A few digits with a point among them.
fn small_decimal(negative: bool, text: &[u8]) -> Option<Number> {
    let point = text.iter().take(SMALL_DIGITS).position(|&byte| byte == b'.')?;
    let (whole, decimals) = (&text[..point], &text[point + 1..]);
    let n = u32::try_from(decimals.len()).ok()?;
    if n == 0 || point + decimals.len() > SMALL_DIGITS {
        return None;
    }
    let digits = small_whole(whole)? * 10_i64.pow(n) + small_whole(decimals)?;
    match digits {
        0 => None,
        _ => of_places(if negative { -digits } else { digits }, n),
    }
}

/// `v ÷ 10^n`, for few digits and places.
fn of_places(mut v: i64, n: u32) -> Option<Number> {
    let mut places = u8::try_from(n).ok().filter(|n| (1..=MAX_PLACES).contains(n))?;
    let five = 5_i64.pow(n);
    // With as many binary places as there are decimal ones, if it has an end.
    let quotient = v / five;
    if quotient * five != v {
        while v % 10 == 0 {
            v /= 10;
            places -= 1;
        }
        return Some(Number(Repr::Decimal { v, places }));
    }
    let zeros = quotient.trailing_zeros();
    if zeros >= n {
        return Some(Number::integer_512(quotient >> n));
    }
    let shift = u8::try_from(n - zeros).ok()?;
    Some(Number(Repr::Short { v: quotient >> zeros, prec: LITERAL_PRECISION, shift }))
}

/// Reads a number in any form that the reference reads, also those that no literal has: a sign, `Inf`, `.5`,
/// exponents of two behind `p`. None if the text is no number, or the exponent is beyond what a number holds.
fn parse_any(text: &[u8], pace: Pace<'_, '_>) -> Result<Option<Number>, LimitReached> {
    let (negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if matches!(unsigned, b"Inf" | b"inf") {
        return Ok(Some(Number::infinity(negative)));
    }
    let (whole, rest) = split_digits(unsigned, pace)?;
    let (fraction, rest) = match rest {
        [b'.', rest @ ..] => split_digits(rest, pace)?,
        _ => (&[][..], rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return Ok(None);
    }
    let exponents = match rest {
        [] => Some((0, 0)),
        [b'e' | b'E', exponent @ ..] => read_exponent(exponent, pace)?.map(|ten| (ten, 0)),
        [b'p' | b'P', exponent @ ..] => read_exponent(exponent, pace)?.map(|two| (0, two)),
        _ => None,
    };
    let Some((ten, two)) = exponents else { return Ok(None) };
    let Some(digits) = Digits::new(whole, fraction, pace)? else {
        return Ok(Some(Number::zero(negative, LITERAL_PRECISION)));
    };
    let fits = |written| exponent_fits(&digits, whole.len(), fraction.len(), written);
    if !ten.checked_add(two).is_some_and(fits) {
        return Ok(None);
    }
    finite(negative, &digits, digits.scale + ten, two, pace).map(Some)
}

fn split_digits<'t>(text: &'t [u8], pace: Pace<'_, '_>) -> Result<(&'t [u8], &'t [u8]), LimitReached> {
    let end = find_on(text, |part| part.iter().position(|byte| !byte.is_ascii_digit()), pace)?;
    Ok(text.split_at(end.unwrap_or(text.len())))
}

/// An optional sign and at least one digit; `None` beyond 64 bits.
fn read_exponent(text: &[u8], pace: Pace<'_, '_>) -> Result<Option<i64>, LimitReached> {
    let (negative, digits) = match text {
        [sign @ (b'+' | b'-'), digits @ ..] => (*sign == b'-', digits),
        _ => (false, text),
    };
    let (digits, rest) = split_digits(digits, pace)?;
    if digits.is_empty() || !rest.is_empty() {
        return Ok(None);
    }
    let first = find_on(digits, first_not_zero, pace)?.unwrap_or(digits.len());
    let significant = &digits[first..];
    if significant.len() > LIMB_DIGITS {
        return Ok(None);
    }
    let magnitude = significant.iter().fold(0, |v, &byte| v * 10 + i128::from(byte - b'0'));
    Ok(i64::try_from(if negative { -magnitude } else { magnitude }).ok())
}

fn first_not_zero(digits: &[u8]) -> Option<usize> {
    digits.iter().position(|&byte| byte != b'0')
}

fn last_not_zero(digits: &[u8]) -> Option<usize> {
    digits.iter().rposition(|&byte| byte != b'0')
}

/// The significant digits of a number: those from the first to the last that is not zero.
struct Digits<'a> {
    /// Those before the point, and those after it.
    parts: [&'a [u8]; 2],
    /// The power of ten that the last of them stands for.
    scale: i64,
}

impl<'a> Digits<'a> {
    /// `None` for zero.
    fn new(
        whole: &'a [u8],
        fraction: &'a [u8],
        pace: Pace<'_, '_>,
    ) -> Result<Option<Digits<'a>>, LimitReached> {
        let last_of_fraction = find_last_on(fraction, last_not_zero, pace)?;
        let mut fraction = &fraction[..last_of_fraction.map_or(0, |last| last + 1)];
        let mut scale = -length(fraction);
        let mut whole = &whole[find_on(whole, first_not_zero, pace)?.unwrap_or(whole.len())..];
        if fraction.is_empty() {
            let Some(last) = find_last_on(whole, last_not_zero, pace)? else { return Ok(None) };
            scale = length(&whole[last + 1..]);
            whole = &whole[..=last];
        } else if whole.is_empty() {
            fraction = &fraction[find_on(fraction, first_not_zero, pace)?.unwrap_or(0)..];
        }
        Ok(Some(Digits { parts: [whole, fraction], scale }))
    }

    fn len(&self) -> usize {
        self.parts[0].len() + self.parts[1].len()
    }

    /// The number that the first of them are which fit a limb.
    #[inline(never)] // Its copies took 0.6 KB of the library.
    fn value(&self) -> u64 {
        self.first(LIMB_DIGITS).fold(0, |v, byte| v * 10 + u64::from(byte - b'0'))
    }

    /// The first digits, as ASCII.
    fn first(&self, count: usize) -> impl Iterator<Item = u8> {
        self.parts.into_iter().flatten().copied().take(count)
    }
}

/// Returns whether the binary exponent of the digits read as a whole number (zeros at the end included), less the
/// number of decimals, plus the exponent that is written, has 32 bits. That is the condition of the reference
/// implementation; it knows nothing of the power of five.
fn exponent_fits(digits: &Digits<'_>, whole: usize, decimals: usize, written: i64) -> bool {
    let room = |bits: i64| {
        let decimals = signed(decimals as u64);
        written.checked_add(bits - decimals).is_some_and(|exp| i32::try_from(exp).is_ok())
    };
    // 3.321 and 3.322 enclose log2(10).
    let places = signed((whole + decimals) as u64);
    let (fewest, most) = (0, places * 3322 / 1000 + 1);
    match (room(fewest), room(most)) {
        (true, true) => true,
        (false, false) => false,
        _ => room(
            Enclosure::first(digits, digits.scale + signed(decimals as u64))
                .map_or(0, |enclosure| enclosure.low.exp()),
        ),
    }
}

/// The value of the digits × 10^ten × 2^two, for exponents of about 32 bits.
fn finite(
    negative: bool,
    digits: &Digits<'_>,
    ten: i64,
    two: i64,
    pace: Pace<'_, '_>,
) -> Result<Number, LimitReached> {
    let count = digits.len();
    if two == 0
        && count <= SMALL_DIGITS
        && let (Ok(v), Ok(places)) = (i64::try_from(digits.value()), u32::try_from(-ten))
        && let Some(number) = of_places(if negative { -v } else { v }, places)
    {
        return Ok(number);
    }
    let float = match ten.unsigned_abs() {
        power @ ..=LIMB_POWER if count <= LIMB_DIGITS => limb_value(digits, power, ten, two),
        power @ ..=FIXED_POWER if count <= FIXED_DIGITS => fixed_value(digits, power, ten, two),
        _ => {
            let value = enclosed_value(digits, ten, two, pace)?;
            return Ok(Number::from_dyadic(negative, value, LITERAL_PRECISION));
        }
    };
    Ok(match float {
        Some(float) => Number::from_fixed(negative, float, LITERAL_PRECISION),
        None => Number(Repr::Small { v: 0, prec: LITERAL_PRECISION }),
    })
}

/// Digits and power of five in a limb each.
fn limb_value(digits: &Digits<'_>, power: u64, ten: i64, two: i64) -> Option<Float512> {
    let v = digits.value();
    let five = small_power(power);
    match ten >= 0 {
        true => Float512::from_u128(u128::from(v) * u128::from(five), ten + two),
        false => {
            let divisor = Float512::from_u64(five, 0)?;
            Some(Float512::from_u64(v, ten + two)?.div(&divisor, LITERAL_PRECISION))
        }
    }
}

/// Digits and power of five in 512 bits each.
fn fixed_value(digits: &Digits<'_>, power: u64, ten: i64, two: i64) -> Option<Float512> {
    let mut mantissa: Limbs = [0; 8];
    let (mut chunk, mut factor) = (0_u64, 1_u64);
    for byte in digits.first(FIXED_DIGITS) {
        chunk = chunk * 10 + u64::from(byte - b'0');
        factor *= 10;
        if factor == 10_u64.pow(19) {
            multiply_add(&mut mantissa, factor, chunk);
            (chunk, factor) = (0, 1);
        }
    }
    multiply_add(&mut mantissa, factor, chunk);
    let mut five: Limbs = [1, 0, 0, 0, 0, 0, 0, 0];
    let mut rest = power;
    while rest > 0 {
        multiply_add(&mut five, small_power(rest), 0);
        rest = rest.saturating_sub(LIMB_POWER);
    }
    let five = Float512::from_integer(five, 0)?;
    let mantissa = Float512::from_integer(mantissa, ten + two)?;
    Some(match ten >= 0 {
        true => mantissa.mul(&five, LITERAL_PRECISION),
        false => mantissa.div(&five, LITERAL_PRECISION),
    })
}

/// `limbs × factor + addend`, which has to fit.
fn multiply_add(limbs: &mut Limbs, factor: u64, addend: u64) {
    let mut carry = addend;
    for limb in limbs {
        let sum = u128::from(*limb) * u128::from(factor) + u128::from(carry);
        *limb = super::limb512::low(sum);
        carry = super::limb512::high(sum);
    }
}

fn enclosed_value(
    digits: &Digits<'_>,
    ten: i64,
    two: i64,
    pace: Pace<'_, '_>,
) -> Result<Dyadic, LimitReached> {
    let (mut count, mut width) = (FIRST_DIGITS, FIRST_WIDTH);
    loop {
        let enclosure = Enclosure::new(digits, ten, two, count, width, pace)?;
        if let Some(value) = enclosure.decide() {
            return Ok(value);
        }
        count = count.saturating_mul(4);
        width = width.saturating_mul(4);
    }
}

/// Where a number lies: at `low`, or strictly between `low` and `high`.
struct Enclosure {
    low: Bound,
    high: Bound,
    /// True if the number lies at `low`.
    exact: bool,
    /// True for a quotient or product of which `low` has more bits than the precision.
    is_quotient: bool,
}

/// `mant × 2^shift`.
struct Bound {
    mant: BigUint,
    shift: i64,
}

impl Bound {
    fn exp(&self) -> i64 {
        signed(self.mant.bits()) + self.shift
    }
}

impl Enclosure {
    /// Encloses digits × 10^ten × 2^two by the first `count` digits and `width` bits of the power
    /// of five. Digits that are left out add less than one unit to the last that is taken.
    fn new(
        digits: &Digits<'_>,
        ten: i64,
        two: i64,
        count: usize,
        width: u64,
        pace: Pace<'_, '_>,
    ) -> Result<Enclosure, LimitReached> {
        let taken = count.min(digits.len());
        let left_out = digits.len() - taken;
        let low = whole_number(&digits.first(taken).collect::<Vec<u8>>(), pace)?;
        let ten = ten + signed(left_out as u64);
        let power = PowerOfFive::new(ten.unsigned_abs(), width, pace)?;
        let high = if left_out > 0 { &low + 1_u32 } else { low.clone() };
        let is_quotient = left_out == 0 && power.error == 0;
        // The error is in units of 2^−width of the power, which has no more bits than that.
        let power_high = &power.mant + if power.error == 0 { 0 } else { power.error + 1 };
        if ten >= 0 {
            // Room for an odd unit below the high bound, however short it is.
            let (shift, room) = (ten + two + power.shift, u64::from(LITERAL_PRECISION) + 2);
            let bound = |mant| Bound { mant, shift: shift - signed(room) };
            return Ok(Enclosure {
                low: bound(multiply(&low, &power.mant, pace)? << room),
                high: bound(multiply(&high, &power_high, pace)? << room),
                exact: is_quotient,
                is_quotient,
            });
        }
        // The quotient gets a word more than the precision, however long its terms are.
        let room = signed(power_high.bits() + u64::from(LITERAL_PRECISION)) + 64 - signed(low.bits());
        let shift = ten + two - power.shift - room;
        let moved = |number: BigUint| match room {
            0.. => number << room.unsigned_abs(),
            _ => number >> room.unsigned_abs(),
        };
        let is_whole = low.trailing_zeros().is_none_or(|zeros| signed(zeros) >= -room);
        let (below, rest) = moved(low).div_rem(&power_high);
        // Bits that were moved out add less than one.
        let above = (moved(high) + 1_u32) / &power.mant + 1_u32;
        Ok(Enclosure {
            low: Bound { mant: below, shift },
            high: Bound { mant: above, shift },
            exact: is_quotient && is_whole && rest == BigUint::ZERO,
            is_quotient,
        })
    }

    /// Encloses digits × 10^ten well enough for all but a few numbers.
    fn first(digits: &Digits<'_>, ten: i64) -> Option<Enclosure> {
        // Without a meter nothing stops the work.
        Enclosure::new(digits, ten, 0, FIRST_DIGITS, FIRST_WIDTH, &mut None).ok()
    }

    /// The number rounded, if the bounds agree on it. Both are open: what lies between is more
    /// than `low`, and more than the unit before `high`.
    fn decide(self) -> Option<Dyadic> {
        let Bound { mant, shift } = self.low;
        let low = rounded(mant, shift, !self.exact, LITERAL_PRECISION);
        if self.is_quotient {
            return Some(low);
        }
        let Bound { mant, shift } = self.high;
        let high = rounded(mant - 1_u32, shift, true, LITERAL_PRECISION);
        (low == high).then_some(low)
    }
}

/// The whole number that ASCII digits are, by halves: multiplication beats the square of the
/// length.
pub(super) fn whole_number(digits: &[u8], pace: Pace<'_, '_>) -> Result<BigUint, LimitReached> {
    const AT_ONCE: usize = 2000;
    if digits.len() <= AT_ONCE {
        return Ok(BigUint::parse_bytes(digits, 10).unwrap_or_default());
    }
    let lower = digits.len() / 2;
    let (upper, rest) = digits.split_at(digits.len() - lower);
    let power = PowerOfFive::new(lower as u64, u64::MAX, pace)?;
    let (upper, rest) = (whole_number(upper, pace)?, whole_number(rest, pace)?);
    Ok((multiply(&upper, &power.mant, pace)? << lower) + rest)
}

fn length(digits: &[u8]) -> i64 {
    signed(digits.len() as u64)
}
