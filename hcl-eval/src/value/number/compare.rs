//! Numeric order, and the language's equality, which is not the same.
//!
//! Whole numbers are equal if they are the same number. Two numbers with
//! fractions are equal if their *texts* are, and a text shows the digits that
//! identify the number at its own precision: `pow(2, 0.5)` equals the literal
//! `1.4142135623730951`. At one precision that is numeric equality.

use std::cmp::Ordering;

use super::{Mag, Number, Operand, Repr};

impl Number {
    /// Numeric order; the zeros are equal.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "`Ord` would promise that its equality is `==`")]
    pub fn cmp(&self, other: &Number) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small { v: a, .. }, Repr::Small { v: b, .. }) => a.cmp(b),
            _ => match (self.ratio(), other.ratio()) {
                (Some((a, over_a)), Some((b, over_b))) => {
                    (i128::from(a) * i128::from(over_b)).cmp(&(i128::from(b) * i128::from(over_a)))
                }
                _ => self.cmp_slow(other),
            },
        }
    }

    /// Returns a number that is no [`Repr::Big`] as a quotient. Two that differ do so by more than a decimal was
    /// rounded.
    fn ratio(&self) -> Option<(i64, i64)> {
        match &self.0 {
            Repr::Small { v, .. } => Some((*v, 1)),
            Repr::Short { v, shift, .. } => Some((*v, 1 << shift)),
            Repr::Decimal { v, places } => Some((*v, 10_i64.pow(u32::from(*places)))),
            Repr::Big(_) => None,
        }
    }

    /// The language's equality.
    #[must_use]
    pub fn equal(&self, other: &Number) -> bool {
        match (&self.0, &other.0) {
            (Repr::Small { v: a, .. }, Repr::Small { v: b, .. }) => a == b,
            (Repr::Short { .. } | Repr::Decimal { .. }, Repr::Small { .. })
            | (Repr::Small { .. }, Repr::Short { .. } | Repr::Decimal { .. }) => false,
            _ => self.equal_slow(other),
        }
    }

    /// Returns whether sign, value and precision are equal.
    #[must_use]
    pub fn identical(&self, other: &Number) -> bool {
        self.precision() == other.precision()
            && self.is_negative() == other.is_negative()
            && self.cmp(other) == Ordering::Equal
    }

    pub(super) fn cmp_slow(&self, other: &Number) -> Ordering {
        let (a, b) = (self.operand(), other.operand());
        match (self.signum(), other.signum()) {
            (1, 1) => cmp_magnitudes(&a, &b),
            (-1, -1) => cmp_magnitudes(&b, &a),
            (x, y) => x.cmp(&y),
        }
    }

    pub(super) fn equal_slow(&self, other: &Number) -> bool {
        if self.signum() != other.signum() || self.is_integer() != other.is_integer() {
            return false;
        }
        if self.is_integer()
            || self.precision() == other.precision()
            || self.is_infinite()
            || other.is_infinite()
        {
            return self.cmp(other) == Ordering::Equal;
        }
        // Texts agree with their numbers to more than a factor of two.
        let (a, b) = (self.operand(), other.operand());
        a.mag.exp().abs_diff(b.mag.exp()) <= 1 && self.decimal() == other.decimal()
    }
}

fn cmp_magnitudes(a: &Operand<'_>, b: &Operand<'_>) -> Ordering {
    match (&a.mag, &b.mag) {
        (Mag::Infinite, Mag::Infinite) => Ordering::Equal,
        (Mag::Infinite, _) => Ordering::Greater,
        (_, Mag::Infinite) => Ordering::Less,
        (x, y) => x.cmp(y),
    }
}
