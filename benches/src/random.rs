//! Seeded random numbers: the same on every machine, so that figures of two days compare.

/// A generator (splitmix64).
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// A generator that will always tell the same story.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    /// A number of at least 0 and less than 1, in steps of a millionth.
    pub(crate) fn fraction(&mut self) -> f64 {
        let millionths = u32::try_from(self.between(0, 999_999)).unwrap_or_default();
        f64::from(millionths) / 1e6
    }

    /// One of the choices.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        let last = choices.len().saturating_sub(1) as u64;
        let chosen = usize::try_from(self.between(0, last)).unwrap_or_default();
        choices[chosen]
    }
}
