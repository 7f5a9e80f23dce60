//! The memory that parsing adds to a process, its allocator's waste included: in a process of its own, where nothing
//! was freed before that could be used again.

use std::hint::black_box;
use std::process::Command;

use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

use crate::inputs::Style;

/// The bytes for the input of that name, like `tf_1m`; nothing where the system does not tell.
pub(crate) fn ask(input: &str) -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new(program).args(["resident", input]).output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok().filter(|bytes| *bytes > 0.0)
}

/// The child: parses and prints the growth.
#[expect(clippy::print_stdout, reason = "the parent reads it")]
pub(crate) fn run(input: &str) {
    let Some((style, size)) = Style::of_name(input) else { return };
    let source = Source::new("input", style.file(size, 1)).expect("inputs are small enough");
    let before = now();
    let parsed = parse_file(source, &ParseLimits::default());
    black_box(&parsed);
    println!("{}", peak() - before);
}

/// The most bytes that this process has had in use so far, stacks included.
pub(crate) fn peak() -> i64 {
    status("VmHWM:")
}

/// The bytes in use; what was the peak so far is forgotten.
fn now() -> i64 {
    // Refused in some containers; the peak is then that of making the input, which is little more than the input.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    status("VmRSS:")
}

fn status(name: &str) -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.split_whitespace().next().and_then(|kilobytes| kilobytes.parse().ok()).unwrap_or(0) * 1024
}
