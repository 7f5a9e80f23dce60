//! The world that functions see in cases and examples: always the same.

use hcl_eval::host::Host;

struct Nothing;
impl Host for Nothing {}

/// The world.
pub fn world() -> impl Host {
    Nothing
}
