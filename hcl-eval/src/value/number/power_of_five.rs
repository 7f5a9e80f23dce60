//! Powers of five in bounded space.
//!
//! Decimal text meets binary numbers through powers of five, and exponents go
//! to 2^31, where the exact power would take gigabytes. [`PowerOfFive`] keeps
//! the leading bits, as many as the caller asks for, and a bound on what it left
//! out. A caller who cannot decide with that bound asks again with more bits;
//! a power that fits is exact, with an error of zero.

use num_bigint::BigUint;

use super::long::multiply;
use super::wide::signed;
use crate::limits::{LimitReached, Pace};

/// The largest power of five in a limb, and its exponent.
const LIMB_POWER: u32 = 27;

/// `5^n`, from below: the power lies in
/// `mant × 2^shift × [1, 1 + error × 2^−width]`.
pub(super) struct PowerOfFive {
    pub(super) mant: BigUint,
    pub(super) shift: i64,
    pub(super) error: u64,
}

impl PowerOfFive {
    /// Square and multiply from the top of `n`, cut to `width` bits each time.
    ///
    /// A square doubles the relative error and a cut adds less than two units,
    /// so the error stays below `8 n`; the extra units here are slack for the
    /// second-order terms.
    pub(super) fn new(n: u64, width: u64, pace: Pace<'_, '_>) -> Result<PowerOfFive, LimitReached> {
        let significant = u64::BITS - n.leading_zeros();
        let mut rest = significant.saturating_sub(4);
        // The top four bits at once: at most 15, so the power fits a limb.
        let mut power = PowerOfFive { mant: BigUint::from(small_power(n >> rest)), shift: 0, error: 0 };
        while rest > 0 {
            rest -= 1;
            power.mant = multiply(&power.mant, &power.mant, pace)?;
            power.shift *= 2;
            power.error = if power.error == 0 { 0 } else { 2 * power.error + 1 };
            if n >> rest & 1 == 1 {
                power.mant *= 5_u32;
            }
            power.cut(width);
        }
        Ok(power)
    }

    fn cut(&mut self, width: u64) {
        let Some(excess) = self.mant.bits().checked_sub(width).filter(|&excess| excess > 0) else {
            return;
        };
        let exact = self.mant.trailing_zeros().is_some_and(|zeros| zeros >= excess);
        self.mant >>= excess;
        self.shift += signed(excess);
        self.error += if exact { 0 } else { 3 };
    }
}

/// `5^n` for `n` up to 27.
pub(super) fn small_power(n: u64) -> u64 {
    let n = u32::try_from(n).unwrap_or(LIMB_POWER).min(LIMB_POWER);
    5_u64.pow(n)
}
