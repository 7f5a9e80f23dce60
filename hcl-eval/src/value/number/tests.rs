//! The number code against a slow one that only knows exact integers, on seeded
//! random operands of mixed precisions.

use std::cmp::Ordering;
use std::time::Instant;

use num_bigint::{BigInt, BigUint, Sign};

use super::long::{decimal_digits, multiply, quotient};
use super::wide::Dyadic;
use super::{LITERAL_PRECISION, Number};
use crate::limits::{LimitReached, Limits, Meter};

const PRECISIONS: [u32; 6] = [24, 53, 64, 106, 512, 700];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// Runs of ones and zeros are frequent, and so are carries, borrows and ties.
    fn mantissa(&mut self, bits: u64) -> BigUint {
        let mut mantissa = BigUint::from(1_u32);
        while mantissa.bits() < bits {
            let run = 1 + self.below(64);
            let ones = match self.below(3) {
                0 => 0,
                1 => (1_u64 << (run - 1)) | ((1 << (run - 1)) - 1),
                _ => self.next() >> (64 - run),
            };
            mantissa = (mantissa << run) | BigUint::from(ones);
        }
        let excess = mantissa.bits() - bits;
        mantissa >> excess
    }

    fn number(&mut self) -> Exact {
        let prec = PRECISIONS[usize::try_from(self.below(6)).unwrap()];
        let bits = match self.below(4) {
            0 => 1 + self.below(20),
            1 => u64::from(prec),
            _ => 1 + self.below(u64::from(prec)),
        };
        let reach = [10, 100, 700, 1500][usize::try_from(self.below(4)).unwrap()];
        let shift = i64::try_from(self.below(reach)).unwrap() - i64::try_from(reach / 2 + bits / 2).unwrap();
        let shift = if self.below(4) == 0 { 0 } else { shift };
        let value = BigInt::from_biguint(
            if self.below(2) == 0 { Sign::Minus } else { Sign::Plus },
            self.mantissa(bits),
        );
        Exact { value, shift, prec }
    }
}

/// `value × 2^shift`.
#[derive(Clone, Debug)]
struct Exact {
    value: BigInt,
    shift: i64,
    prec: u32,
}

impl Exact {
    fn number(&self) -> Number {
        let neg = self.value.sign() == Sign::Minus;
        match self.value.sign() {
            Sign::NoSign => Number::zero(false, self.prec),
            _ => Number::from_dyadic(neg, Dyadic::new(self.value.magnitude().clone(), self.shift), self.prec),
        }
    }

    /// Rounded to nearest even by division.
    fn round(&self, prec: u32) -> Exact {
        let (mut value, mut shift) = (self.value.clone(), self.shift);
        let bits = value.bits();
        if bits > u64::from(prec) {
            let unit = BigUint::from(1_u32) << (bits - u64::from(prec));
            let (quotient, rest) = (value.magnitude() / &unit, value.magnitude() % &unit);
            let up = match (rest * 2_u32).cmp(&unit) {
                Ordering::Less => false,
                Ordering::Equal => quotient.bit(0),
                Ordering::Greater => true,
            };
            value = BigInt::from_biguint(value.sign(), quotient + u32::from(up));
            shift += i64::try_from(bits - u64::from(prec)).unwrap();
        }
        Exact { value, shift, prec }
    }

    /// The integers at a common exponent.
    fn aligned(&self, other: &Exact) -> (BigInt, BigInt, i64) {
        let shift = self.shift.min(other.shift);
        let at = |exact: &Exact| &exact.value << u64::try_from(exact.shift - shift).unwrap();
        (at(self), at(other), shift)
    }

    fn add(&self, other: &Exact, prec: u32) -> Exact {
        let (a, b, shift) = self.aligned(other);
        Exact { value: a + b, shift, prec }.round(prec)
    }

    fn neg(&self) -> Exact {
        Exact { value: -&self.value, ..self.clone() }
    }

    fn mul(&self, other: &Exact, prec: u32) -> Exact {
        Exact { value: &self.value * &other.value, shift: self.shift + other.shift, prec }.round(prec)
    }

    /// A thousand bits more than needed, and a last one for what is left.
    fn div(&self, other: &Exact, prec: u32) -> Exact {
        let scale = 2500;
        let dividend = &self.value << scale;
        let (quotient, rest): (BigInt, BigInt) = (&dividend / &other.value, &dividend % &other.value);
        let more = BigInt::from(u32::from(rest.sign() != Sign::NoSign));
        let more = if quotient.sign() == Sign::Minus { -more } else { more };
        Exact { value: quotient * 2 + more, shift: self.shift - other.shift - scale - 1, prec }.round(prec)
    }

    fn rem(&self, other: &Exact, both: u32) -> Exact {
        let quotient = self.div(other, both);
        let whole = match quotient.shift {
            0.. => quotient,
            shift => Exact {
                value: quotient.value / (BigInt::from(1) << shift.unsigned_abs()),
                shift: 0,
                prec: both,
            },
        };
        let multiple = other.mul(&whole.round(self.prec), self.prec);
        self.add(&multiple.neg(), self.prec)
    }

    /// The shortest digits, from the complete decimals of the number and of those beside it.
    fn text(&self) -> String {
        let sign = if self.value.sign() == Sign::Minus { "-" } else { "" };
        let mant = self.value.magnitude();
        let bits = i64::try_from(mant.bits()).unwrap();
        if self.shift >= 0 && bits + self.shift <= i64::from(self.prec) {
            return format!("{sign}{}", mant << self.shift.unsigned_abs());
        }
        let scale = i64::from(self.prec) + 1 - bits;
        let (x, shift) = (mant << scale.unsigned_abs(), self.shift - scale);
        let (digits, mut point) = decimals(&x, shift);
        let (lower, upper) = (decimals(&(&x - 1_u32), shift).0, decimals(&(&x + 1_u32), shift).0);
        let inclusive = !x.bit(1);
        let mut chosen = digits.clone();
        for (i, &d) in digits.iter().enumerate() {
            let at = |other: &[u8]| other.get(i).copied().unwrap_or(0);
            let (l, u) = (at(&lower), at(&upper));
            let down = l != d || (inclusive && i + 1 == lower.len());
            let up = d != u && (inclusive || d + 1 < u || i + 1 < upper.len());
            let rest = &digits[i + 1..];
            let nearest = match rest.first() {
                Some(5) if rest.len() == 1 => d % 2 == 1,
                next => next.is_some_and(|&next| next >= 5),
            };
            let round_up = match (down, up) {
                (false, false) => continue,
                (true, true) => nearest,
                (_, up) => up,
            };
            chosen.truncate(i + 1);
            if round_up {
                let whole = BigUint::from_radix_be(&chosen, 10).unwrap() + 1_u32;
                chosen = whole.to_radix_be(10);
                point += i64::try_from(chosen.len() - (i + 1)).unwrap();
            }
            break;
        }
        format!("{sign}{}", plain(&chosen, point))
    }
}

/// All digits of `mant × 2^shift` from the first to the last other than zero, and the point.
fn decimals(mant: &BigUint, shift: i64) -> (Vec<u8>, i64) {
    let places = u32::try_from(shift.min(0).unsigned_abs()).unwrap();
    let whole = match shift {
        0.. => mant << shift.unsigned_abs(),
        _ => mant * BigUint::from(5_u32).pow(places),
    };
    let mut digits = whole.to_radix_be(10);
    let point = i64::try_from(digits.len()).unwrap() - i64::from(places);
    digits.truncate(digits.iter().rposition(|&digit| digit != 0).map_or(0, |last| last + 1));
    (digits, point)
}

fn plain(digits: &[u8], point: i64) -> String {
    let mut text: String = digits.iter().map(|&digit| char::from(b'0' + digit)).collect();
    if point <= 0 {
        text = format!("0.{}{text}", "0".repeat(usize::try_from(-point).unwrap()));
    } else {
        let point = usize::try_from(point).unwrap();
        text.push_str(&"0".repeat(point.saturating_sub(text.len())));
        if point < text.len() {
            text.insert(point, '.');
        }
    }
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn assert_same(found: &Number, expected: &Exact, what: impl Fn() -> String) {
    let wanted = expected.number();
    assert_eq!(parts(found), parts(&wanted), "{}", what());
}

fn parts(number: &Number) -> (bool, u32, Option<(BigUint, i64)>) {
    let finite = number.operand().mag.to_dyadic();
    (number.is_negative(), number.precision(), finite.map(|dyadic| (dyadic.mant, dyadic.shift)))
}

#[test]
fn operations_are_rounded_once() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..100_000 {
        let (a, mut b) = (random.number(), random.number());
        if random.below(8) == 0 {
            // Close together, so that leading bits cancel.
            let last = BigInt::from(random.below(3)) - 1;
            let value = &a.value + last;
            b = Exact { value: if value == BigInt::ZERO { BigInt::from(1) } else { value }, ..a.clone() }
                .round(a.prec);
        }
        check_operations(&a, &b);
    }
}

/// The path of fractions of few bits gives what the limbs give, in the same representation, up to its edges.
#[test]
fn short_fractions_are_what_limbs_make_of_them() {
    let values =
        [1, 3, 5, 7, 255, (1 << 31) - 1, (1 << 53) - 1, (1 << 53) + 1, i64::MAX, i64::MAX - 2, 8, 1 << 62];
    let shifts = [0, 1, 2, 31, 61, 62, 63, 64, 100];
    let mut numbers = Vec::new();
    for (value, shift) in values.into_iter().flat_map(|value| shifts.map(|shift| (value, shift))) {
        for prec in [53, 64, 512] {
            let float = super::Float512::from_u64(value.unsigned_abs(), -shift).unwrap().round(prec);
            numbers.extend([false, true].map(|neg| Number::from_fixed(neg, float, prec)));
        }
    }
    let same = |a: &Number, b: &Number| format!("{:?}", a.0) == format!("{:?}", b.0);
    for (i, a) in numbers.iter().enumerate() {
        for b in numbers.iter().skip(i % 7).step_by(7) {
            assert!(same(&a.add(b).unwrap(), &a.sum_slow(b, false).unwrap()), "{a:?} + {b:?}");
            assert!(same(&a.sub(b).unwrap(), &a.sum_slow(b, true).unwrap()), "{a:?} - {b:?}");
            assert!(same(&a.mul(b).unwrap(), &a.mul_slow(b).unwrap()), "{a:?} * {b:?}");
            assert!(same(&a.div(b).unwrap(), &a.div_slow(b).unwrap()), "{a:?} / {b:?}");
            assert_eq!(a.cmp(b), a.cmp_slow(b), "{a:?} <=> {b:?}");
            assert_eq!(a.equal(b), a.equal_slow(b), "{a:?} == {b:?}");
        }
    }
}

fn check_operations(a: &Exact, b: &Exact) {
    let (x, y) = (a.number(), b.number());
    let prec = a.prec.max(b.prec);
    let what = |operation: &'static str| move || format!("{a:?} {operation} {b:?}");
    assert_same(&x.add(&y).unwrap(), &a.add(b, prec), what("+"));
    assert_same(&x.sub(&y).unwrap(), &a.add(&b.neg(), prec), what("-"));
    assert_same(&x.div(&y).unwrap(), &a.div(b, prec), what("/"));
    assert_same(&x.rem(&y).unwrap(), &a.rem(b, prec), what("%"));
    let product = a.mul(b, LITERAL_PRECISION);
    let needed = product.value.bits() - product.value.trailing_zeros().unwrap_or(0);
    let product = Exact { prec: prec.max(u32::try_from(needed).unwrap()), ..product };
    assert_same(&x.mul(&y).unwrap(), &product, what("*"));
    let (left, right, _) = a.aligned(b);
    assert_eq!(x.cmp(&y), left.cmp(&right), "{a:?} <=> {b:?}");
    check_in_place(a, |place| place.sum_in_place(&y, false), &x.add(&y).unwrap());
    check_in_place(a, |place| place.sum_in_place(&y, true), &x.sub(&y).unwrap());
}

/// The result is put in the place of the left operand, but not where others see it.
fn check_in_place(left: &Exact, operate: impl Fn(&mut Number) -> bool, expected: &Number) {
    let (mut alone, mut shared) = (left.number(), left.number());
    let other = shared.clone();
    let is_expected = |found: &Number| found.identical(expected) && found.is_big() == expected.is_big();
    if operate(&mut alone) {
        assert!(is_expected(&alone), "{left:?}: {alone:?}, {expected:?}");
        assert!(operate(&mut shared) && is_expected(&shared), "{left:?}: {shared:?}, {expected:?}");
    }
    assert!(other.identical(&left.number()), "{left:?}: {other:?}");
}

#[test]
fn texts_are_the_shortest() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for i in 0..20_000 {
        let mut exact = random.number();
        if i % 50 == 0 {
            exact.shift *= 20;
        }
        let number = exact.number();
        let text = number.to_text();
        assert_eq!(text, exact.text(), "{exact:?}");
        assert!(text.len() as u64 <= number.text_len_bound(), "{exact:?}");
        assert!(number.least_text_len() <= text.len() as u64, "{exact:?}");
        // Below a power of two numbers are twice as dense as half a unit says.
        if exact.prec == LITERAL_PRECISION && exact.value.magnitude().count_ones() > 1 {
            assert!(Number::parse(&text).unwrap().identical(&number), "{text}");
        }
    }
}

#[test]
fn digits_are_cut_half_to_even() {
    let mut random = Random(0x8ebc_6af0_9c88_c6e3);
    for i in 0..20_000 {
        let mut exact = random.number();
        if i % 50 == 0 {
            exact.shift *= 20;
        }
        let count = 1 + usize::try_from(random.below([3, 20, 200, 3000][i % 4])).unwrap();
        let (mut digits, mut point) = decimals(exact.value.magnitude(), exact.shift);
        if digits.len() > count {
            let rest = digits.split_off(count);
            let tie = rest == [5];
            if rest[0] >= 5 && !(tie && digits[count - 1] % 2 == 0) {
                digits = (BigUint::from_radix_be(&digits, 10).unwrap() + 1_u32).to_radix_be(10);
                point += i64::try_from(digits.len() - count).unwrap();
            }
            digits.truncate(digits.iter().rposition(|&digit| digit != 0).unwrap() + 1);
        }
        let found = exact.number().rounded_decimal(count);
        assert_eq!((found.digits, found.point), (digits, point), "{exact:?} {count}");
    }
}

#[test]
fn long_numbers_in_pieces_are_those_in_one() {
    let mut random = Random(0x243f_6a88_85a3_08d3);
    for bits in [1, 4000, 65_536, 65_537, 90_000, 300_000] {
        let (a, b) = (random.mantissa(bits), random.mantissa(bits / 2 + 70_000));
        assert_eq!(decimal_digits(a.clone(), &mut None), Ok(a.to_radix_be(10)), "{bits}");
        assert_eq!(multiply(&a, &b, &mut None), Ok(&a * &b), "{bits}");
        assert_eq!(quotient(&a, 100_000, &b, &mut None), Ok((&a << 100_000_u32) / &b), "{bits}");
    }
    // Zeros within and at the end.
    let round = BigUint::from(10_u32).pow(30_000);
    assert_eq!(decimal_digits(round.clone(), &mut None), Ok(round.to_radix_be(10)));
}

/// All digits of a number halfway between two count, and one more behind them.
#[test]
fn the_last_of_many_digits_decides() {
    for n in [3_u32, 500, 1_000, 40_000] {
        for whole in [1_u32, 3] {
            // Of 513 bits: half a unit above an even number, or an odd one.
            let odd = (BigUint::from(1_u32) << 512_u32) + whole;
            let digits = &odd * BigUint::from(5_u32).pow(n);
            let scaled =
                |number: BigUint| Number::from_dyadic(false, Dyadic::new(number, -i64::from(n)), 512);
            let (below, above) = (scaled(&odd - 1_u32), scaled(&odd + 1_u32));
            let even = if whole == 1 { &below } else { &above };
            let parse = |text: String| Number::parse(&text).unwrap();
            assert!(parse(format!("{digits}e-{n}")).identical(even), "{n} {whole}");
            assert!(parse(format!("{digits}.0000000001e-{n}")).identical(&above), "{n} {whole}");
            assert!(parse(format!("{}.9999999999e-{n}", digits - 1_u32)).identical(&below), "{n} {whole}");
        }
    }
}

#[test]
fn equality_is_that_of_texts() {
    let mut random = Random(0xd1b5_4a32_d192_ed03);
    for _ in 0..10_000 {
        let a = random.number();
        let b = a.round(PRECISIONS[usize::try_from(random.below(6)).unwrap()]);
        let (x, y) = (a.number(), b.number());
        let expected = match (x.is_integer(), y.is_integer()) {
            (true, true) => x.cmp(&y).is_eq(),
            (false, false) => a.text() == b.text(),
            _ => false,
        };
        assert_eq!(x.equal(&y), expected, "{a:?} {b:?}");
    }
}

#[test]
fn parsing_rounds_once() {
    let mut random = Random(0xa076_1d64_78bd_642f);
    for i in 0..30_000_u32 {
        let longest = if i % 100 == 0 { 1500 } else { 180 };
        let (places, decimals) = (1 + random.below(longest), random.below(longest));
        let digit = |random: &mut Random| char::from(b'0' + u8::try_from(random.below(10)).unwrap());
        let digits: String = (0..places).map(|_| digit(&mut random)).collect();
        let fraction: String = (0..decimals).map(|_| digit(&mut random)).collect();
        let exponent = i64::try_from(random.below(800)).unwrap() - 400;
        let text = format!("{digits}.{fraction}e{exponent}");
        check_parsed(&text, &format!("{digits}{fraction}"), exponent - i64::try_from(decimals).unwrap());
        // A tie in 513 bits, and the numbers a little beside it.
        if i % 10 == 0 {
            let tie = (random.mantissa(512) << 1_u32) | BigUint::from(1_u32);
            let (digits, point) = decimals_of_tie(&tie, i64::try_from(random.below(900)).unwrap() - 450);
            for rest in ["", "0000", "1", "0000000000000000000000000000001"] {
                let scale = point - i64::try_from(digits.len() + rest.len()).unwrap();
                let digits = format!("{digits}{rest}");
                check_parsed(&format!("{digits}e{scale}"), &digits, scale);
            }
        }
    }
}

fn decimals_of_tie(tie: &BigUint, shift: i64) -> (String, i64) {
    let (digits, point) = decimals(tie, shift);
    (digits.iter().map(|&digit| char::from(b'0' + digit)).collect(), point)
}

/// That `text`, which is `digits × 10^scale`, is read as the nearest number.
fn check_parsed(text: &str, digits: &str, scale: i64) {
    let value = BigInt::parse_bytes(digits.as_bytes(), 10).unwrap();
    let power = BigInt::from(5).pow(u32::try_from(scale.unsigned_abs()).unwrap());
    let expected = match scale {
        0.. => Exact { value: value * power, shift: scale, prec: LITERAL_PRECISION }.round(LITERAL_PRECISION),
        _ => {
            let bits = 6 * digits.len() as u64 + power.bits() + 2000;
            let dividend: BigInt = value << bits;
            let more = u32::from(&dividend % &power != BigInt::ZERO);
            let value = (dividend / power) * 2 + more;
            let shift = scale - i64::try_from(bits).unwrap() - 1;
            Exact { value, shift, prec: LITERAL_PRECISION }.round(LITERAL_PRECISION)
        }
    };
    assert_same(&Number::parse(text).unwrap(), &expected, || text.to_owned());
}

#[test]
fn short_decimals_are_what_long_ones_are() {
    let mut random = Random(11);
    for round in 0..20_000_u64 {
        let length = 1 + usize::try_from(random.below(20)).unwrap();
        let mut digits: String =
            (0..length).map(|_| char::from(b'0' + u8::try_from(random.below(10)).unwrap())).collect();
        // Fractions with an end: multiples of a power of five.
        if round % 2 == 0 {
            let v = digits.parse::<u128>().unwrap() * 5_u128.pow(u32::try_from(random.below(15)).unwrap());
            digits = v.to_string();
        }
        let point = usize::try_from(random.below(digits.len() as u64 + 1)).unwrap();
        digits.insert(point, '.');
        let (short, long) = (Number::parse(&digits), Number::parse(&format!("{digits}e0")));
        let (short, long) = (short.unwrap(), long.unwrap());
        let is_same = std::mem::discriminant(&short.0) == std::mem::discriminant(&long.0);
        assert!(is_same && short.identical(&long), "{digits}: {short:?}, {long:?}");
    }
}

/// Numbers whose decimals were kept are those that their bits make, in all that can be asked of them.
#[test]
fn kept_decimals_are_their_bits() {
    let mut random = Random(0x5851_f42d_4c95_7f2d);
    let mut numbers = Vec::new();
    for text in
        ["0.1", "-0.1", "0.3", "1.1", "0.000000000000000001", "-999999999999999.999", "9.99999999999999999"]
    {
        numbers.push(Number::parse(text).unwrap());
    }
    for _ in 0..600 {
        let digits = random.next() % 10_u64.pow(u32::try_from(1 + random.below(18)).unwrap());
        let places = u32::try_from(1 + random.below(18)).unwrap();
        let sign = if random.below(2) == 0 { "-" } else { "" };
        numbers.push(Number::parse(&format!("{sign}{digits}e-{places}")).unwrap());
        // What is close: a little beside it, and with fewer decimals.
        numbers.push(Number::parse(&format!("{sign}{}e-{places}", digits + 1)).unwrap());
        numbers.push(Number::parse(&format!("{sign}{}e-{}", digits / 10, places - 1)).unwrap());
        numbers.push(Number::from_f64(numbers[numbers.len() - 3].to_f64()).unwrap());
    }
    let in_bits = |number: &Number| {
        let mut number = number.clone();
        number.settle();
        number
    };
    let n_kept = numbers.iter().filter(|number| matches!(number.0, super::Repr::Decimal { .. })).count();
    assert!(n_kept > numbers.len() / 3, "{n_kept} of {}", numbers.len());
    for (i, a) in numbers.iter().enumerate() {
        let bits = in_bits(a);
        assert_eq!(a.to_text(), bits.to_text());
        assert_eq!(a.hash_text(), bits.hash_text(), "{a}");
        assert_eq!(a.to_f64().to_bits(), bits.to_f64().to_bits(), "{a}");
        assert_eq!((a.to_i64(), a.to_u64(), a.precision()), (bits.to_i64(), bits.to_u64(), bits.precision()));
        assert_eq!(parts(&a.neg()), parts(&bits.neg()), "{a}");
        assert_eq!(parts(&a.floor()), parts(&bits.floor()), "{a}");
        assert_eq!(parts(&a.trunc()), parts(&bits.trunc()), "{a}");
        assert!(a.identical(&bits) && bits.identical(a) && a.equal(&bits) && bits.equal(a), "{a}");
        for b in numbers.iter().skip(i % 5).step_by(5).chain(&numbers[i.saturating_sub(4)..i]) {
            let other = in_bits(b);
            assert_eq!(a.cmp(b), bits.cmp_slow(&other), "{a} <=> {b}");
            assert_eq!(a.cmp(&other), bits.cmp_slow(&other), "{a} <=> {b} in bits");
            assert_eq!(a.equal(b), bits.equal_slow(&other), "{a} == {b}");
            assert_eq!(a.equal(&other), bits.equal_slow(&other), "{a} == {b} in bits");
            assert_eq!(parts(&a.add(b).unwrap()), parts(&bits.add(&other).unwrap()), "{a} + {b}");
            assert_eq!(parts(&a.mul(b).unwrap()), parts(&bits.mul(&other).unwrap()), "{a} * {b}");
        }
    }
}

#[test]
fn conversion_to_floats_rounds_once() {
    let mut random = Random(0xe703_7ed1_a0b4_28db);
    for _ in 0..50_000 {
        let exact = random.number();
        // The standard library reads all digits of a decimal.
        let (digits, point) = decimals(exact.value.magnitude(), exact.shift);
        let digits: String = digits.iter().map(|&digit| char::from(b'0' + digit)).collect();
        let sign = if exact.value.sign() == Sign::Minus { "-" } else { "" };
        let expected: f64 = format!("{sign}0.{digits}e{point}").parse().unwrap();
        assert_eq!(exact.number().to_f64().to_bits(), expected.to_bits(), "{exact:?}");
    }
}

#[test]
fn bytes_of_whole_numbers_are_those_of_their_text() {
    let mut random = Random(0x1d87_2f4c_9a3b_56e1);
    let mut meter = Meter::new(Limits::default());
    let mut check = |number: &Number| {
        let bytes = number.magnitude_bytes(&mut meter).unwrap();
        assert_eq!(bytes.is_some(), number.is_integer());
        let Some(bytes) = bytes else { return false };
        let text = number.to_text();
        let expected = BigUint::parse_bytes(text.trim_start_matches('-').as_bytes(), 10).unwrap();
        assert_eq!(BigUint::from_bytes_le(&bytes), expected, "{text}");
        true
    };
    let n_whole = (0..5_000).filter(|_| check(&random.number().number())).count();
    assert!(n_whole > 1_000, "{n_whole}");
    for text in ["0", "-0", "1e400", "-1e2000", "123456789e5000", "1e20000"] {
        assert!(check(&Number::parse(text).unwrap()), "{text}");
    }
}

#[test]
fn bytes_of_a_long_number_look_at_the_limits() {
    let limits = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    let bytes = Number::parse("1e1000000").unwrap().magnitude_bytes(&mut Meter::new(limits));
    assert_eq!(bytes, Err(LimitReached::Deadline));
}

#[test]
fn small_integers_have_the_texts_of_rust() {
    for v in (-1100..1100).chain([i64::MIN, i64::MAX]) {
        assert_eq!(Number::from_i64(v).to_text(), v.to_string());
    }
}
