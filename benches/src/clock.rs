//! Timing on a machine that others use too: processor time, interleaved rounds, the minimum counts.
//!
//! The work of all contenders on one input is sampled in turn, round after round, so that a disturbance
//! meets all of them. Noise only ever adds time; therefore ratios are made of minima, and the median is
//! shown to tell how quiet the machine was.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time used by this process so far, in nanoseconds.
pub(crate) fn cpu_nanos() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    let time = Duration::new(
        u64::try_from(now.tv_sec).unwrap_or_default(),
        u32::try_from(now.tv_nsec).unwrap_or_default(),
    );
    time.as_secs_f64() * 1e9
}

/// How much to measure.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Effort {
    /// Rounds over all contenders.
    pub(crate) rounds: usize,
    /// Samples of one contender in a round.
    pub(crate) samples: usize,
    /// Nanoseconds that one sample should take at least; short work is repeated.
    pub(crate) sample_nanos: f64,
}

impl Effort {
    /// For figures that are to be believed.
    pub(crate) const FULL: Self = Self { rounds: 5, samples: 4, sample_nanos: 3e6 };
    /// To see that it works.
    pub(crate) const QUICK: Self = Self { rounds: 1, samples: 2, sample_nanos: 5e4 };
}

/// Work that takes more nanoseconds than this evens out what disturbs it by itself,
const LONG: f64 = 1e9;
/// and is content with so many rounds.
const ROUNDS_OF_LONG: usize = 3;

/// Nanoseconds per operation.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Timing {
    /// The least of all samples.
    pub(crate) min: f64,
    /// The median of all samples.
    pub(crate) median: f64,
}

impl Timing {
    /// The median above the minimum, in per cent.
    pub(crate) fn spread(self) -> f64 {
        (self.median / self.min - 1.0) * 100.0
    }
}

/// Something to be timed: does the work a number of times and tells the nanoseconds of processor time.
pub(crate) struct Work<'a> {
    run: Box<dyn FnMut(u32) -> f64 + 'a>,
    /// How much longer than usual a sample has to be: collectors of garbage come by now and then.
    stretch: f64,
}

impl<'a> Work<'a> {
    /// Work of this process.
    pub(crate) fn here(mut work: impl FnMut() + 'a) -> Self {
        let run = move |repeats| {
            let start = cpu_nanos();
            for _ in 0..repeats {
                work();
            }
            cpu_nanos() - start
        };
        Self { run: Box::new(run), stretch: 1.0 }
    }

    /// Work that is timed by whoever does it.
    pub(crate) fn elsewhere(run: impl FnMut(u32) -> f64 + 'a, stretch: f64) -> Self {
        Self { run: Box::new(run), stretch }
    }

    /// How often to do it for one sample; does it to warm up.
    fn repeats(&mut self, sample_nanos: f64) -> u32 {
        let enough = sample_nanos * self.stretch;
        let mut repeats = 1;
        loop {
            let nanos = (self.run)(repeats);
            if nanos >= enough || repeats > 1 << 20 {
                return repeats;
            }
            repeats *= if nanos * 8.0 < enough { 8 } else { 2 };
        }
    }
}

/// Times contenders side by side; the answers come in their order.
pub(crate) fn time_interleaved(contenders: &mut [Work<'_>], effort: Effort) -> Vec<Timing> {
    let repeats: Vec<u32> = contenders.iter_mut().map(|work| work.repeats(effort.sample_nanos)).collect();
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); contenders.len()];
    for round in 0..effort.rounds {
        for ((work, &repeats), samples) in contenders.iter_mut().zip(&repeats).zip(&mut samples) {
            let is_long = samples.last().is_some_and(|nanos| *nanos > LONG);
            if is_long && round >= ROUNDS_OF_LONG {
                continue;
            }
            for _ in 0..effort.samples {
                let nanos = (work.run)(repeats);
                samples.push(nanos / f64::from(repeats));
                // What takes long needs no second sample in this round.
                if nanos > effort.sample_nanos * 30.0 {
                    break;
                }
            }
        }
    }
    samples.into_iter().map(summary).collect()
}

fn summary(mut samples: Vec<f64>) -> Timing {
    samples.sort_by(f64::total_cmp);
    Timing { min: samples[0], median: samples[samples.len() / 2] }
}
