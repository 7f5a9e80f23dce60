//! Memory for the calls that take neither a frame nor limits: nothing bounds what they hold, and where the system has no more
//! of it they end with HCL_ERR_MEMORY.

use hcl_eval::limits::{Limits, Meter};
use hcl_syntax::memory;
use hcl_syntax::source::{Source, Span};

use crate::boundary::{Outcome, contain};
use crate::diagnostics::hcl_range;
use crate::status::hcl_status;

fn refused_unless(is_there: bool) -> Outcome {
    if is_there { Ok(()) } else { Err(hcl_status::HCL_ERR_MEMORY.into()) }
}

/// Refuses work that takes about so many bytes for each of `n` parts, if they are not to be had.
pub(crate) fn ask_for(n: usize, bytes: usize) -> Outcome {
    refused_unless(memory::has_room_for(n.saturating_mul(bytes)))
}

/// Asks before an entry is added to lists and tables that have `n`, each of at most so many bytes for an entry. That is so before
/// they grow: lists do when their length is a power of two, tables when seven eighths of one are filled.
pub(crate) fn ask_to_add(n: usize, bytes: usize) -> Outcome {
    let grows = n.is_power_of_two() || n.is_multiple_of(7) && (n / 7).is_power_of_two();
    // The larger list or table has twice as many entries, of which the table has room for an eighth more.
    if grows { refused_unless(memory::is_to_be_had(n.saturating_mul(3 * bytes))) } else { Ok(()) }
}

/// Runs work that asks the system for memory as it goes on. Nothing else ends it.
pub(crate) fn asking<T>(work: impl FnOnce(&mut Meter) -> T) -> Outcome<T> {
    let none = u64::MAX;
    let limits = Limits {
        max_depth: u32::MAX,
        max_steps: none,
        max_elements: none,
        max_output_bytes: none,
        max_memory: none,
        max_diagnostics: u32::MAX,
        deadline: None,
        cancel: None,
    };
    contain(|| {
        let mut meter = Meter::new(limits);
        let made = work(&mut meter);
        refused_unless(meter.stopped().is_none())?;
        Ok(made)
    })
}

/// Finds the lines of a source, as the first position in it would do.
pub(crate) fn ask_for_lines(source: &Source) -> Outcome {
    refused_unless(source.has_room_for_lines())
}

/// Where something stands, if there is memory for the lines of its source.
pub(crate) fn range_in(source: &Source, span: Span) -> Outcome<hcl_range> {
    ask_for_lines(source)?;
    Ok(hcl_range::from(&source.range(span)))
}
