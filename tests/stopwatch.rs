//! A stopwatch that runs only while this thread does, so that other work on the machine is not measured. Tests of
//! the crates include it by its path.

use std::time::Duration;

/// Processor time of the calling thread since a moment.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Stopwatch(Duration);

impl Stopwatch {
    /// From now on.
    pub(crate) fn start() -> Self {
        Self(thread_time())
    }

    /// Up to now.
    pub(crate) fn elapsed(&self) -> Duration {
        thread_time().saturating_sub(self.0)
    }
}

#[cfg(unix)]
fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(now.tv_nsec).unwrap_or_default())
}

#[cfg(not(unix))]
fn thread_time() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed()
}
