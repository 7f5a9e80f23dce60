//! One piece of work, a number of times: what profilers are pointed at.
//!
//! Its input is made, and it is done once, before `Piece::counted` is entered; a profiler that starts there sees
//! nothing else:
//!
//! ```text
//! valgrind --tool=callgrind --toggle-collect='*Piece*counted*' hcl-bench profile evaluate_bool_cmp 100
//! ```

use clap::Args;

use crate::pieces;

/// The work to do, and how often.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The piece: as `hcl-bench guard` calls it, or `parse_` or `compile_` before the name of an expression
    piece: String,
    /// How often
    repeats: u32,
}

/// Does the work; whether there is such a piece.
pub(crate) fn run(arguments: &Arguments) -> bool {
    let Some(mut piece) = pieces::by_name(&arguments.piece) else { return false };
    piece.warm_up();
    piece.counted(arguments.repeats);
    true
}
