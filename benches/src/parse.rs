//! Parsing: text to tree, in time and in memory, beside hcl-edit and hcl-rs.
//!
//! Timed is what a caller does: hand over the text, get the tree and the diagnostics, drop them. libhcl
//! copies the text into a source of its own; the copy is timed, but not counted as memory.

use std::hint::black_box;
use std::sync::Arc;

use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

use crate::allocation::{self, Tally};
use crate::clock::{Effort, Timing, Work, time_interleaved};
use crate::inputs::{Style, small_files};
use crate::report::{Report, figure, geometric_mean, ratio};

/// A text, or many that are parsed one after the other.
struct Input {
    name: String,
    texts: Vec<String>,
}

impl Input {
    fn len(&self) -> f64 {
        let n_bytes: usize = self.texts.iter().map(String::len).sum();
        f64::from(u32::try_from(n_bytes).unwrap_or(u32::MAX))
    }
}

fn inputs(is_quick: bool) -> Vec<Input> {
    let sizes: &[(&str, usize)] = if is_quick {
        &[("10k", 10_000)]
    } else {
        &[("10k", 10_000), ("100k", 100_000), ("1m", 1_000_000), ("10m", 10_000_000)]
    };
    let n_small = if is_quick { 40 } else { 2_000 };
    let mut inputs = vec![Input { name: "small".into(), texts: small_files(n_small) }];
    for style in Style::ALL {
        for &(size_name, size) in sizes {
            let name = format!("{}_{size_name}", style.name());
            inputs.push(Input { name, texts: vec![style.file(size, 1)] });
        }
    }
    inputs
}

/// Parses with libhcl; broken input would make its figures worthless.
pub(crate) fn parse_ours(text: &str) {
    let source = Arc::new(Source::new("input", text).expect("inputs are small enough"));
    let (file, diagnostics) = parse_file(source, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "generated files are valid: {}", diagnostics[0].summary);
    black_box(file);
}

fn parse_hcl_edit(text: &str) {
    black_box(hcl_edit::parser::parse_body(text).expect("generated files are valid"));
}

fn parse_hcl_rs(text: &str) {
    black_box(hcl_rs::parse(text).expect("generated files are valid"));
}

/// Measures and adds the tables to `report`.
pub(crate) fn run(is_quick: bool, report: &mut Report) {
    let inputs = inputs(is_quick);
    report_speed(&inputs, if is_quick { Effort::QUICK } else { Effort::FULL }, report);
    report_memory(&inputs, report);
}

fn report_speed(inputs: &[Input], effort: Effort, report: &mut Report) {
    report.section(
        "Parse, MB/s of processor time",
        &[
            "input",
            "bytes",
            "libhcl",
            "spread",
            "hcl-edit",
            "spread",
            "hcl-rs",
            "spread",
            "to hcl-edit",
            "to hcl-rs",
        ],
    );
    let mut ratios = Vec::new();
    for input in inputs {
        let parsers: [fn(&str); 3] = [parse_ours, parse_hcl_edit, parse_hcl_rs];
        let mut contenders: Vec<Work<'_>> = parsers
            .into_iter()
            .map(|parse| Box::new(move || input.texts.iter().for_each(|text| parse(text))) as Work<'_>)
            .collect();
        let times = time_interleaved(&mut contenders, effort);
        let mut cells = vec![input.name.clone(), input.len().to_string()];
        for time in &times {
            cells.push(figure(megabytes_per_second(input, *time)));
            cells.push(format!("{:.0}%", time.spread()));
        }
        cells.extend(times[1..].iter().map(|time| ratio(time.min, times[0].min)));
        ratios.push(times[1].min / times[0].min);
        report.row(cells);
    }
    report.note(geometric_mean("libhcl to hcl-edit", &ratios));
    report.note("Rates are made of the minimum time; spread is the median above the minimum.".into());
}

fn megabytes_per_second(input: &Input, time: Timing) -> f64 {
    input.len() * 1e3 / time.min
}

fn report_memory(inputs: &[Input], report: &mut Report) {
    report.section(
        "Parse, memory and allocations (source text not counted)",
        &[
            "input",
            "libhcl live/byte",
            "peak/byte",
            "allocs/MB",
            "hcl-edit live/byte",
            "peak/byte",
            "allocs/MB",
        ],
    );
    for input in inputs.iter().filter(|input| input.texts.len() == 1) {
        let text = input.texts[0].as_str();
        let source = Arc::new(Source::new("input", text).expect("inputs are small enough"));
        let (_file, ours) = allocation::count(|| parse_file(source, &ParseLimits::default()));
        let (_body, theirs) = allocation::count(|| hcl_edit::parser::parse_body(text));
        let mut cells = vec![input.name.clone()];
        for tally in [ours, theirs] {
            cells.extend(memory_cells(tally, input.len()));
        }
        report.row(cells);
    }
}

#[expect(clippy::cast_precision_loss, reason = "figures are rounded to three places")]
fn memory_cells(tally: Tally, len: f64) -> [String; 3] {
    let per_byte = |bytes: i64| figure(bytes as f64 / len);
    [per_byte(tally.live), per_byte(tally.peak), format!("{:.0}", tally.calls as f64 * 1e6 / len)]
}
