//! One piece of work, a number of times: what profilers are pointed at.
//!
//! Two counts and the difference between their instruction counts give what one repetition takes, free of
//! noise and of what starting costs.

use clap::Args;

use crate::expressions;
use crate::inputs::{Style, small_files};
use crate::parse;

/// What to do, and how often.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// `tf`, `nomad` or `data` to parse a file of that kind, `small` to parse a hundred small files, or the name of an expression to evaluate
    work: String,
    /// How often
    repeats: u32,
    /// The size of the file in bytes
    #[arg(long, default_value_t = 100_000)]
    size: usize,
}

/// Does the work.
pub(crate) fn run(arguments: &Arguments) {
    if arguments.work == "small" {
        let texts = small_files(u64::from(arguments.repeats) * 100);
        texts.iter().for_each(|text| parse::parse_ours(text));
    } else if let Some(style) = Style::ALL.into_iter().find(|style| style.name() == arguments.work) {
        let text = style.file(arguments.size, 1);
        for _ in 0..arguments.repeats {
            parse::parse_ours(&text);
        }
    } else {
        expressions::repeat(&arguments.work, arguments.repeats);
    }
}
