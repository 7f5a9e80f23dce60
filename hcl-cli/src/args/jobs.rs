//! How many files are worked on at once.

use std::num::NonZeroUsize;
use std::thread;

use clap::Args;

/// How many files are worked on at once.
#[derive(Args, Clone, Debug)]
pub struct JobArguments {
    /// Number of files worked on at once [default: the number of processors]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

impl JobArguments {
    /// The number of threads for the work on files.
    pub fn n_threads(&self) -> NonZeroUsize {
        self.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}
