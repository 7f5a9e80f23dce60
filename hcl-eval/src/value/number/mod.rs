//! Numbers: binary floating point that carries its own precision.
//!
//! A number is sign × mantissa × 2^exponent together with a precision in bits.
//! Operations take the larger precision of their operands and round once, to
//! nearest, ties to even; text and equality depend on the precision as well, so
//! it is part of the value. Literals and converted text have 512 bits, machine
//! integers 64, `f64` values 53, big integers as many as they need.
//!
//! A whole number that fits `i64` is `Repr::Small` (negative zero does not), a fraction of few bits such as 1.5
//! or 0.375 is `Repr::Short`; nothing else represents these. Everything else is a shared `Big`: up to 512 mantissa bits on limbs
//! (`limb512`), more on `num-bigint` (`wide`). But where a text of few decimals such as 0.1 is read, the decimals are kept, as
//! `Repr::Decimal`: most such numbers are only written again or compared, and bits are made of them where one is calculated with.
//!
//! Elsewhere: `arithmetic`, `compare`, `parse` and `text` say what each name
//! says, `quotient` divides on limbs, `decimal` and `fraction` find decimal digits, `power_of_five` bounds powers of five,
//! `machine` converts to and from machine numbers, `float_functions` has the
//! `f64` power and logarithm.

mod arithmetic;
mod compare;
mod decimal;
mod float_functions;
mod fraction;
mod inverse;
mod limb512;
pub(crate) mod long;
mod machine;
mod parse;
#[cfg(any(feature = "basics", feature = "columns"))]
mod parts;
mod power_of_five;
mod quotient;
mod text;
mod wide;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use arithmetic::NumberError;
pub use float_functions::{ln, pow};

use inverse::decimal_fraction;
use limb512::{BITS, Float512};
use wide::Dyadic;

/// Precision of literals and converted text.
pub const LITERAL_PRECISION: u32 = 512;
/// Precision of numbers made from machine integers.
pub const INTEGER_PRECISION: u32 = 64;
/// Precision of numbers made from `f64`.
pub const FLOAT_PRECISION: u32 = 53;

/// A number with its precision; see the module documentation.
///
/// Cloning copies an integer or bumps a count. There is no NaN. `PartialEq` is
/// not implemented, because there are three candidates: [`Number::equal`] is the
/// language's equality, [`Number::cmp`] the numeric order and
/// [`Number::identical`] tells representations apart.
#[derive(Clone, Debug)]
pub struct Number(Repr);

#[derive(Clone, Debug)]
enum Repr {
    /// A whole number other than negative zero, exact at its precision.
    Small { v: i64, prec: u32 },
    /// `v × 2^−shift`, exact at its precision: `v` is odd, `shift` from 1 to [`MAX_SHIFT`].
    Short { v: i64, prec: u32, shift: u8 },
    /// The quotient `v ÷ 10^places` at [`LITERAL_PRECISION`]: `places` from 1 to [`MAX_PLACES`], `v` below
    /// 10^[`MAX_PLACES`], no multiple of ten and, as the quotient has no end in bits, of no 5^`places`.
    Decimal { v: i64, places: u8 },
    /// Everything else.
    Big(Arc<Big>),
}

/// How many binary places a [`Repr::Short`] has at most.
const MAX_SHIFT: u8 = 62;
/// How many decimal places a [`Repr::Decimal`] has at most, and how many digits.
const MAX_PLACES: u8 = 18;

const _: () = assert!(size_of::<Number>() == 16);

#[derive(Debug)]
struct Big {
    mag: Magnitude,
    prec: u32,
    neg: bool,
}

#[derive(Debug)]
enum Magnitude {
    Zero,
    Infinite,
    Fixed(Float512),
    /// Only mantissas that need more than 512 bits.
    Wide(Dyadic),
}

/// A number taken apart for an operation.
struct Operand<'a> {
    neg: bool,
    prec: u32,
    mag: Mag<'a>,
}

/// The magnitude of an [`Operand`]. A small number other than zero is `Fixed`.
enum Mag<'a> {
    Zero,
    Infinite,
    Fixed(Float512),
    Wide(&'a Dyadic),
}

impl Number {
    /// A machine integer, with the 64 bits of precision it has in the language.
    #[must_use]
    pub const fn from_i64(v: i64) -> Number {
        Number(Repr::Small { v, prec: INTEGER_PRECISION })
    }

    /// A whole number as a literal would give it, with 512 bits of precision.
    #[must_use]
    pub const fn integer_512(v: i64) -> Number {
        Number(Repr::Small { v, prec: LITERAL_PRECISION })
    }

    /// The whole number that it is, if it is kept as a machine integer.
    pub(crate) fn as_small(&self) -> Option<i64> {
        if let Repr::Small { v, .. } = self.0 { Some(v) } else { None }
    }

    /// Returns whether the number is more than a machine integer and a few bits beside it, and shared.
    pub(crate) fn is_big(&self) -> bool {
        matches!(self.0, Repr::Big(_))
    }

    /// `-0`, as the negation of a literal gives it.
    #[must_use]
    pub fn negative_zero() -> Number {
        Number::zero(true, LITERAL_PRECISION)
    }

    /// Positive or negative infinity.
    #[must_use]
    pub fn infinity(negative: bool) -> Number {
        Number::infinite(negative, LITERAL_PRECISION)
    }

    /// The precision in bits.
    #[must_use]
    pub fn precision(&self) -> u32 {
        match &self.0 {
            Repr::Small { prec, .. } | Repr::Short { prec, .. } => *prec,
            Repr::Decimal { .. } => LITERAL_PRECISION,
            Repr::Big(big) => big.prec,
        }
    }

    /// Returns whether the number is whole; zero is, the infinities are not.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small { .. } => true,
            Repr::Short { .. } | Repr::Decimal { .. } => false,
            Repr::Big(big) => match &big.mag {
                Magnitude::Zero => true,
                Magnitude::Infinite => false,
                Magnitude::Fixed(float) => float.is_integer(),
                Magnitude::Wide(dyadic) => dyadic.shift >= 0,
            },
        }
    }

    /// Returns whether the number is zero of either sign.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match &self.0 {
            Repr::Small { v, .. } => *v == 0,
            Repr::Short { .. } | Repr::Decimal { .. } => false,
            Repr::Big(big) => matches!(big.mag, Magnitude::Zero),
        }
    }

    /// The sign bit, which negative zero has too.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small { v, .. } | Repr::Short { v, .. } | Repr::Decimal { v, .. } => *v < 0,
            Repr::Big(big) => big.neg,
        }
    }

    /// Returns whether the number is an infinity of either sign.
    #[must_use]
    pub fn is_infinite(&self) -> bool {
        matches!(&self.0, Repr::Big(big) if matches!(big.mag, Magnitude::Infinite))
    }

    /// −1, 0 or 1; 0 for zero of either sign.
    #[must_use]
    pub fn signum(&self) -> i32 {
        match (self.is_zero(), self.is_negative()) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    /// Makes bits of the number's decimals, if they were kept, so that no calculation has to.
    pub(crate) fn settle(&mut self) {
        if let Repr::Decimal { v, places } = self.0
            && let Some(float) = decimal_fraction(v.unsigned_abs(), places)
        {
            *self = Number::from_fixed(v < 0, float, LITERAL_PRECISION);
        }
    }

    /// Zero in its one representation for each sign.
    fn zero(neg: bool, prec: u32) -> Number {
        match neg {
            true => Number::big(neg, Magnitude::Zero, prec),
            false => Number(Repr::Small { v: 0, prec }),
        }
    }

    fn infinite(neg: bool, prec: u32) -> Number {
        Number::big(neg, Magnitude::Infinite, prec)
    }

    fn big(neg: bool, mag: Magnitude, prec: u32) -> Number {
        Number(Repr::Big(Arc::new(Big { mag, prec, neg })))
    }

    /// A finite number, small or short if it can be. Exponents beyond 32 bits are
    /// infinity and zero.
    fn from_fixed(neg: bool, float: Float512, prec: u32) -> Number {
        if float.limbs[0] == 0
            && let Some(number) = of_few_bits(neg, &float, prec)
        {
            return number;
        }
        match i32::try_from(float.exp) {
            Ok(_) => Number::big(neg, Magnitude::Fixed(float), prec),
            Err(_) if float.exp > 0 => Number::infinite(neg, prec),
            Err(_) => Number::zero(neg, prec),
        }
    }

    /// As [`Number::from_fixed`].
    fn from_dyadic(neg: bool, dyadic: Dyadic, prec: u32) -> Number {
        if let Some(float) = dyadic.to_fixed() {
            return Number::from_fixed(neg, float, prec);
        }
        match i32::try_from(dyadic.exp()) {
            Ok(_) => Number::big(neg, Magnitude::Wide(dyadic), prec),
            Err(_) if dyadic.exp() > 0 => Number::infinite(neg, prec),
            Err(_) => Number::zero(neg, prec),
        }
    }

    /// The number in the form that arithmetic of all widths takes. A decimal is rounded to binary here, with the
    /// precision of a literal.
    fn operand(&self) -> Operand<'_> {
        match &self.0 {
            Repr::Small { v, prec } => Operand {
                neg: *v < 0,
                prec: *prec,
                mag: Float512::from_u64(v.unsigned_abs(), 0).map_or(Mag::Zero, Mag::Fixed),
            },
            Repr::Short { v, prec, shift } => Operand {
                neg: *v < 0,
                prec: *prec,
                mag: Float512::from_u64(v.unsigned_abs(), -i64::from(*shift)).map_or(Mag::Zero, Mag::Fixed),
            },
            Repr::Decimal { v, places } => Operand {
                neg: *v < 0,
                prec: LITERAL_PRECISION,
                mag: decimal_fraction(v.unsigned_abs(), *places).map_or(Mag::Zero, Mag::Fixed),
            },
            Repr::Big(big) => Operand {
                neg: big.neg,
                prec: big.prec,
                mag: match &big.mag {
                    Magnitude::Zero => Mag::Zero,
                    Magnitude::Infinite => Mag::Infinite,
                    Magnitude::Fixed(float) => Mag::Fixed(*float),
                    Magnitude::Wide(dyadic) => Mag::Wide(dyadic),
                },
            },
        }
    }
}

impl Mag<'_> {
    /// A finite magnitude at any width; `None` for zero and infinity.
    fn to_dyadic(&self) -> Option<Dyadic> {
        match self {
            Mag::Zero | Mag::Infinite => None,
            Mag::Fixed(float) => Some(Dyadic::from_fixed(float)),
            Mag::Wide(dyadic) => Some((*dyadic).clone()),
        }
    }
}

/// A number that is no [`Big`].
fn of_few_bits(neg: bool, float: &Float512, prec: u32) -> Option<Number> {
    if float.exp <= 64
        && float.exp > 0
        && let Some(v) = small_integer(neg, float)
    {
        return Some(Number(Repr::Small { v, prec }));
    }
    short_fraction(neg, float, prec)
}

/// The value of a float with an exponent of 1 to 64, if it is whole and fits.
fn small_integer(neg: bool, float: &Float512) -> Option<i64> {
    let (&top, lower) = float.limbs.split_last()?;
    let exp = u32::try_from(float.exp).ok()?;
    let v = top.checked_shr(64_u32.checked_sub(exp)?)?;
    if v.checked_shl(64 - exp) != Some(top) || lower.iter().any(|&limb| limb != 0) {
        return None;
    }
    match neg {
        true => 0_i64.checked_sub_unsigned(v),
        false => i64::try_from(v).ok(),
    }
}

/// A fraction of few bits.
fn short_fraction(neg: bool, float: &Float512, prec: u32) -> Option<Number> {
    let [lower @ .., top] = &float.limbs;
    if lower.iter().any(|&limb| limb != 0) {
        return None;
    }
    let zeros = top.trailing_zeros();
    let shift = u8::try_from(i64::from(64 - zeros) - float.exp).ok()?;
    let v = i64::try_from(top >> zeros).ok()?;
    let is_short = (1..=MAX_SHIFT).contains(&shift) && 64 - zeros <= prec;
    is_short.then_some(Number(Repr::Short { v: if neg { -v } else { v }, prec, shift }))
}

/// Bits a magnitude needs, or the given precision if that is larger.
fn at_least(prec: u32, bits: u64) -> u32 {
    u32::try_from(bits).unwrap_or(u32::MAX).max(prec)
}

const _: () = assert!(LITERAL_PRECISION == BITS);
