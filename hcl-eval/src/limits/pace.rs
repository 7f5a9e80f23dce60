//! Meters that walks over values and texts listen to, if there is one.

use super::{LimitReached, Meter, RUN};

/// A listener to work: a meter, or none.
pub(crate) type Pace<'p, 'm> = &'p mut Option<&'m mut Meter>;

/// Tells that `n` parts of work are about to be done ([`Meter::go_on`]).
pub(crate) fn go_on(pace: Pace<'_, '_>, n: usize) -> Result<(), LimitReached> {
    match pace {
        Some(meter) => meter.go_on(n),
        None => Ok(()),
    }
}

/// Asks for `n` bytes that are not kept, or have been counted ([`Meter::hold`]).
pub(crate) fn hold(pace: Pace<'_, '_>, n: usize) -> Result<(), LimitReached> {
    match pace {
        Some(meter) => meter.hold(n),
        None => Ok(()),
    }
}

/// [`hold`] for what is copied there in one go ([`Meter::hold_copy`]).
pub(crate) fn hold_copy(pace: Pace<'_, '_>, n: usize) -> Result<(), LimitReached> {
    match pace {
        Some(meter) => meter.hold_copy(n),
        None => Ok(()),
    }
}

/// Returns true if all of a list is as it should be, which is asked of runs of it with looks between.
#[inline(never)] // Its copies took 1.1 KB of the library.
pub(crate) fn all_on<T>(
    parts: &[T],
    are_so: &mut dyn FnMut(&[T]) -> bool,
    pace: Pace<'_, '_>,
) -> Result<bool, LimitReached> {
    for run in parts.chunks(RUN) {
        go_on(pace, run.len())?;
        if !are_so(run) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A listener to each part of a value or a text that is looked at.
pub(crate) enum Charge<'m> {
    /// Nobody, or a meter that has been charged for the whole.
    Parts(Option<&'m mut Meter>),
    /// A meter that counts each part as an element.
    Elements(&'m mut Meter),
}

impl Charge<'_> {
    /// Tells of a part.
    pub(crate) fn part(&mut self) -> Result<(), LimitReached> {
        match self {
            Self::Parts(None) => Ok(()),
            Self::Parts(Some(meter)) => meter.go_on(1),
            Self::Elements(meter) => meter.elements(1),
        }
    }

    /// The meter, for work on parts that have been counted.
    pub(crate) fn pace(&mut self) -> Option<&mut Meter> {
        match self {
            Self::Parts(meter) => meter.as_deref_mut(),
            Self::Elements(meter) => Some(meter),
        }
    }
}
