//! Decimal numbers of columns: whole numbers in two's complement with a scale.

use num_bigint::{BigInt, Sign};

use crate::value::Number;

/// The number that these bytes are, divided by 10 to the power of `scale`.
pub(super) fn number(bytes: &[u8], scale: i32) -> Number {
    let whole = BigInt::from_signed_bytes_le(bytes).to_string();
    let text = match usize::try_from(scale) {
        Ok(0) => whole,
        Ok(places) => {
            let (sign, digits) = whole.strip_prefix('-').map_or(("", &*whole), |digits| ("-", digits));
            let digits = format!("{digits:0>width$}", width = places + 1);
            let (before, after) = digits.split_at(digits.len() - places);
            format!("{sign}{before}.{after}")
        }
        Err(_) => format!("{whole}e{}", scale.unsigned_abs()),
    };
    Number::parse(&text).unwrap_or_else(|| Number::from_i64(0))
}

/// The whole number nearest to `number` times 10 to the power of `scale`, halves away from zero; `None` if it has more than
/// `precision` digits or there is none.
pub(super) fn scaled(number: &Number, precision: u32, scale: i32) -> Option<BigInt> {
    let power = Number::parse(&format!("1e{scale}"))?;
    let half = Number::parse(if number.is_negative() { "-0.5" } else { "0.5" })?;
    let nearest = number.mul(&power).ok()?.add(&half).ok()?.trunc();
    let magnitude = nearest.integer_magnitude()?;
    let sign = if nearest.is_negative() { Sign::Minus } else { Sign::Plus };
    (magnitude < num_bigint::BigUint::from(10_u32).pow(precision))
        .then(|| BigInt::from_biguint(sign, magnitude))
}

/// A whole number in two's complement, `width` bytes; it fits.
pub(super) fn write(number: &BigInt, width: usize, out: &mut Vec<u8>) {
    let bytes = number.to_signed_bytes_le();
    let filler = if number.sign() == Sign::Minus { 0xff } else { 0 };
    out.extend((0..width).map(|at| bytes.get(at).copied().unwrap_or(filler)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_go_in_and_out() {
        for (text, scale, width) in [
            ("0", 0, 4),
            ("123.45", 2, 16),
            ("-0.05", 2, 16),
            ("-12300", -2, 8),
            ("99999999999999999999999999999999999999", 0, 16),
            ("-1234567890123456789012345678901234567890.123456789", 9, 32),
        ] {
            let wanted = Number::parse(text).expect("a number");
            let whole = scaled(&wanted, 76, scale).expect("it fits");
            let mut bytes = Vec::new();
            write(&whole, width, &mut bytes);
            assert_eq!(bytes.len(), width);
            assert_eq!(number(&bytes, scale).to_text(), wanted.to_text(), "{text}");
        }
        let number = |text| Number::parse(text).expect("a number");
        assert_eq!(scaled(&number("0.125"), 5, 2), Some(BigInt::from(13)));
        assert_eq!(scaled(&number("-0.125"), 5, 2), Some(BigInt::from(-13)));
        assert_eq!(scaled(&number("999.995"), 5, 2), None);
        assert_eq!(scaled(&number("999.994"), 5, 2), Some(BigInt::from(99_999)));
        assert_eq!(scaled(&Number::infinity(false), 5, 2), None);
    }
}
