//! Timing on a machine that others use too: processor time, interleaved rounds, the minimum counts.
//!
//! The work of all contenders on one input is sampled in turn, round after round, so that a disturbance
//! meets all of them. Noise only ever adds time; therefore ratios are made of minima, and the median is
//! shown to tell how quiet the machine was.
//!
//! Where two processors share the units of one core, work takes up to twice its time while the other one is busy, for
//! seconds on end. A piece of known work beside each sample tells ([`Pace`]), and rounds go on for a while until every
//! contender had its quiet moments.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

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
    /// How long rounds go on at most for the sake of quiet moments.
    pub(crate) patience: Duration,
}

impl Effort {
    /// For figures that are to be believed.
    pub(crate) const FULL: Self =
        Self { rounds: 5, samples: 4, sample_nanos: 3e6, patience: Duration::from_secs(8) };
    /// To see that it works.
    pub(crate) const QUICK: Self =
        Self { rounds: 1, samples: 2, sample_nanos: 5e4, patience: Duration::ZERO };
}

/// Work that takes more nanoseconds than this evens out what disturbs it by itself,
const LONG: f64 = 3e9;
/// and is content with so many rounds.
const ROUNDS_OF_LONG: usize = 3;

/// How many undisturbed samples of a contender are enough.
const QUIET_SAMPLES: usize = 4;

/// How fast the processor is at the moment: what a piece of known work takes.
pub(crate) struct Pace;

impl Pace {
    /// How often the known work is done: some twenty microseconds of as many instructions at once as there are units for.
    const REPEATS: u64 = 4_000;
    /// How much slower than ever seen counts as disturbed.
    const DISTURBED: f64 = 1.15;

    /// The nanoseconds of the known work.
    pub(crate) fn nanos() -> f64 {
        let start = cpu_nanos();
        let mut lanes = [1_u64, 2, 3, 4, 5, 6, 7, 8];
        for turn in 0..Self::REPEATS {
            for lane in &mut lanes {
                *lane = (*lane ^ turn).rotate_left(7).wrapping_add(turn);
            }
            black_box(&mut lanes);
        }
        cpu_nanos() - start
    }

    /// Returns whether nothing disturbs just now.
    fn is_quiet() -> bool {
        Self::was_quiet(Self::nanos())
    }

    /// Returns whether nothing disturbed the known work, here or in a child, when it took `nanos`; compared with all
    /// moments so far.
    pub(crate) fn was_quiet(nanos: f64) -> bool {
        static LEAST: AtomicU64 = AtomicU64::new(u64::MAX);
        // Positive floats are in the order of their bits.
        let least = f64::from_bits(LEAST.fetch_min(nanos.to_bits(), Ordering::Relaxed).min(nanos.to_bits()));
        nanos <= least * Self::DISTURBED
    }
}

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

    /// Work that times itself.
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
    let mut n_quiet = vec![0; contenders.len()];
    let start = Instant::now();
    for round in 0.. {
        let is_done = |(n_quiet, samples): (&usize, &Vec<f64>)| *n_quiet >= QUIET_SAMPLES || is_long(samples);
        let are_done = n_quiet.iter().zip(&samples).all(is_done);
        if round >= effort.rounds && (are_done || start.elapsed() > effort.patience) {
            break;
        }
        for (i, work) in contenders.iter_mut().enumerate() {
            if is_long(&samples[i]) && round >= ROUNDS_OF_LONG {
                continue;
            }
            for _ in 0..effort.samples {
                let was_quiet = Pace::is_quiet();
                let nanos = (work.run)(repeats[i]);
                samples[i].push(nanos / f64::from(repeats[i]));
                n_quiet[i] += usize::from(was_quiet && Pace::is_quiet());
                // What takes long needs no second sample in this round.
                if nanos > effort.sample_nanos * 30.0 {
                    break;
                }
            }
        }
    }
    samples.into_iter().map(summary).collect()
}

fn is_long(samples: &[f64]) -> bool {
    samples.last().is_some_and(|nanos| *nanos > LONG)
}

fn summary(mut samples: Vec<f64>) -> Timing {
    samples.sort_by(f64::total_cmp);
    Timing { min: samples[0], median: samples[samples.len() / 2] }
}
