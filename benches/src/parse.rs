//! Parsing: text to tree, in time and in memory, beside hcl-edit, hcl-rs and the reference.
//!
//! Timed is what a caller does: hand over the text, get the tree and the diagnostics, drop them; for libhcl that caller is a C
//! program. libhcl copies the text into a source of its own; the copy is timed, but not counted as memory.

use std::hint::black_box;
use std::path::PathBuf;

use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;
use tempfile::TempDir;

use crate::allocation::{self, Tally};
use crate::charts::{Chart, Series};
use crate::clock::{Effort, Timing, Work, time_interleaved};
use crate::findings::{Findings, geometric, greatest, least};
use crate::inputs::{Style, real_files, small_files};
use crate::peer::Peers;
use crate::pieces::FILE_SIZE;
use crate::report::{figure, geometric_mean, ratio};
use crate::resident;

/// The other parsers, in the order of columns.
const PEERS: [&str; 3] = ["hcl-edit", "hcl-rs", "Go"];

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

    /// The file that the reference reads.
    fn write(&self, folder: &TempDir) -> PathBuf {
        let path = folder.path().join(&self.name);
        std::fs::write(&path, self.texts.join("\0")).expect("the folder for temporary files is writable");
        path
    }
}

/// The measurements of an input: libhcl, then the [`PEERS`].
struct Row {
    name: String,
    len: f64,
    ours: Timing,
    peers: [Option<Timing>; 3],
}

impl Row {
    fn ratio(&self, peer: usize) -> Option<f64> {
        Some(self.peers[peer]?.min / self.ours.min)
    }

    fn rate(&self, time: Timing) -> f64 {
        self.len * 1e3 / time.min
    }

    /// One file, not many.
    fn is_file(&self) -> bool {
        self.name.contains('_')
    }
}

fn inputs(is_quick: bool) -> Vec<Input> {
    let sizes: &[(&str, usize)] = if is_quick {
        &[("10k", 10_000)]
    } else {
        &[("10k", 10_000), ("100k", 100_000), ("1m", 1_000_000), ("10m", 10_000_000)]
    };
    let n_small = if is_quick { 40 } else { 2_000 };
    // What a peer gives up early would flatter it.
    let mut real = real_files();
    real.retain(|text| hcl_edit::parser::parse_body(text).is_ok());
    let mut inputs = vec![
        Input { name: "real".into(), texts: real },
        Input { name: "small".into(), texts: small_files(n_small) },
    ];
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
    let source = Source::new("input", text).expect("inputs are small enough");
    let (file, diagnostics) = parse_file(source, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "inputs are valid: {}", diagnostics[0].summary);
    black_box(file);
}

fn parse_hcl_edit(text: &str) {
    black_box(hcl_edit::parser::parse_body(text).expect("inputs are valid"));
}

/// Parses with hcl-rs. A text that hcl-edit parses may still be more than hcl-rs has values for; the time counts all
/// the same.
fn parse_hcl_rs(text: &str) {
    let _ = black_box(hcl_rs::parse(text));
}

/// Measures and adds the tables, figures and charts.
pub(crate) fn run(is_quick: bool, effort: Effort, peers: &Peers, findings: &mut Findings) {
    let inputs = inputs(is_quick);
    let folder = TempDir::new().expect("the folder for temporary files is writable");
    let rows: Vec<Row> = inputs.iter().map(|input| measure(input, effort, peers, &folder)).collect();
    report_speed(&rows, inputs[0].texts.len(), findings);
    chart_speed(&rows, findings);
    report_errors(effort, findings);
    report_memory(&inputs, is_quick, findings);
}

fn measure(input: &Input, effort: Effort, peers: &Peers, folder: &TempDir) -> Row {
    let all = |parse: fn(&str)| move || input.texts.iter().for_each(|text| parse(text));
    let path = input.write(folder);
    let ours = peers.ours_on_file("parse-all", &path, all(parse_ours));
    let mut contenders = vec![ours, Work::here(all(parse_hcl_edit)), Work::here(all(parse_hcl_rs))];
    contenders.extend(peers.go.as_ref().map(|go| go.work_on_file("parse-all", &path)));
    let times = time_interleaved(&mut contenders, effort);
    let peers = [1, 2, 3].map(|index| times.get(index).copied());
    Row { name: input.name.clone(), len: input.len(), ours: times[0], peers }
}

fn report_speed(rows: &[Row], n_real: usize, findings: &mut Findings) {
    findings.report.section(
        "Parse, MB/s of processor time",
        &[
            "input",
            "bytes",
            "libhcl",
            "spread",
            "hcl-edit",
            "spread",
            "hcl-edit to libhcl",
            "hcl-rs",
            "spread",
            "hcl-rs to libhcl",
            "Go",
            "spread",
            "Go to libhcl",
        ],
    );
    for row in rows {
        let mut cells = vec![row.name.clone(), row.len.to_string(), figure(row.rate(row.ours))];
        cells.push(format!("{:.0}%", row.ours.spread()));
        for time in row.peers {
            cells.extend(time.map_or(["-".into(), "-".into(), "-".into()], |time| {
                [figure(row.rate(time)), format!("{:.0}%", time.spread()), ratio(time.min, row.ours.min)]
            }));
        }
        findings.report.row(cells);
    }
    for (index, peer) in PEERS.into_iter().enumerate() {
        let ratios: Vec<f64> =
            rows.iter().filter(|row| row.is_file()).filter_map(|row| row.ratio(index)).collect();
        findings.report.note(geometric_mean(&format!("{peer} to libhcl, files"), &ratios));
        findings.figure(&format!("parse {peer} mean"), geometric(&ratios));
        let small = rows.iter().find(|row| row.name == "real").and_then(|row| row.ratio(index));
        findings.figure(&format!("parse {peer} small"), small);
        // The goal for the reference begins at 100 KB.
        let counted =
            rows.iter().filter(|row| row.is_file() && (peer != "Go" || !row.name.ends_with("_10k")));
        findings.figure(&format!("parse {peer} least"), least(counted.filter_map(|row| row.ratio(index))));
    }
    let rate = |name: String| rows.iter().find(|row| row.name == name).map(|row| row.rate(row.ours));
    let linearity = Style::ALL
        .map(|style| Some(rate(format!("{}_10m", style.name()))? / rate(format!("{}_100k", style.name()))?));
    // The first is `tf`, as it is where the goal comes from.
    findings.figure("parse linearity", linearity[0]);
    let shown = Style::ALL
        .into_iter()
        .zip(linearity)
        .filter_map(|(style, ratio)| Some(format!("{} {:.2}x", style.name(), ratio?)));
    let shown: Vec<String> = shown.collect();
    findings.report.note(format!(
        "MB/s at 10 MB to MB/s at 100 KB: {}. Branch predictors memorise 100 KB of `data` that is read repeatedly; 1 MB is too much for them.",
        shown.join(", ")
    ));
    findings
        .report
        .note("Rates are made of the minimum time; spread is the median above the minimum.".into());
    findings.report.note(format!("`real` is every file of the examples, tests and case documents of the tree that libhcl and hcl-edit accept, {n_real} of them, parsed one after the other; `small` are 2,000 generated ones."));
}

fn chart_speed(rows: &[Row], findings: &mut Findings) {
    let names = rows.iter().map(|row| row.name.clone()).collect();
    let mut series = vec![Series::new("libhcl", rows.iter().map(|row| Some(row.rate(row.ours))).collect())];
    for (index, peer) in PEERS.into_iter().enumerate() {
        let rates = rows.iter().map(|row| row.peers[index].map(|time| row.rate(time))).collect();
        series.push(Series::new(peer, rates));
    }
    let title = "Parsing: MB/s of processor time (more is better)";
    findings.charts.push(Chart::dots("parse", title, names, series));

    let files: Vec<&Row> = rows.iter().filter(|row| row.name.starts_with("tf_")).collect();
    let sizes = files.iter().map(|row| row.len).collect();
    let mut series = vec![Series::new("libhcl", files.iter().map(|row| Some(row.ours.min / 1e6)).collect())];
    for (index, peer) in PEERS.into_iter().enumerate() {
        let times = files.iter().map(|row| row.peers[index].map(|time| time.min / 1e6)).collect();
        series.push(Series::new(peer, times));
    }
    let title = "Parsing a Terraform-like file: ms, growing with its size";
    findings.charts.push(Chart::lines("parse-growth", title, sizes, "bytes", series));
}

/// Texts with an error at the end beside those without.
fn report_errors(effort: Effort, findings: &mut Findings) {
    findings.report.section(
        "Parse 100 KB with an error at the end, time to that of the text without",
        &["input", "an item behind all", "in the last item"],
    );
    let mut all = Vec::new();
    for style in Style::ALL {
        let text = style.file(FILE_SIZE, 1);
        let (before, last_line) = text.trim_end().rsplit_once('\n').unwrap_or_default();
        let behind = format!("{text}a = 1 2\n");
        let within = format!("{before}\n = 1 2\n{last_line}\n");
        let mut works =
            [text.clone(), behind, within].map(|text| Work::here(move || parse_with_errors(&text)));
        let times = time_interleaved(&mut works, effort);
        let ratios = [1, 2].map(|broken| times[broken].min / times[0].min);
        findings
            .report
            .row([vec![style.name().into()], ratios.map(|ratio| format!("{ratio:.1}x")).into()].concat());
        all.extend(ratios);
    }
    findings.figure("parse errors", greatest(all));
    findings.report.note(
        "An item of a file that has an error is read again; the nested literal of `data` is one item.".into(),
    );
}

/// Parses and finds the places of diagnostics.
fn parse_with_errors(text: &str) {
    let source = Source::new("input", text).expect("inputs are small enough");
    black_box(parse_file(source, &ParseLimits::default()));
}

fn report_memory(inputs: &[Input], is_quick: bool, findings: &mut Findings) {
    findings.report.section(
        "Parse, memory and allocations (source text not counted)",
        &[
            "input",
            "libhcl live/byte",
            "peak/byte",
            "resident/byte",
            "allocs/MB",
            "hcl-edit live/byte",
            "peak/byte",
            "allocs/MB",
        ],
    );
    let mut calls = Vec::new();
    for input in inputs.iter().filter(|input| input.texts.len() == 1) {
        let text = input.texts[0].as_str();
        let source = Source::new("input", text).expect("inputs are small enough");
        let (_file, ours) = allocation::count(|| parse_file(source, &ParseLimits::default()));
        let (_body, theirs) = allocation::count(|| hcl_edit::parser::parse_body(text));
        let resident = (is_quick || input.len() >= 1e6).then(|| resident::ask(&input.name)).flatten();
        let resident = resident.map(|bytes| bytes / input.len());
        let [live, peak, calls_per_megabyte] = memory(ours, input.len());
        // A short text says little about what grows with it.
        calls.extend((is_quick || input.len() >= 1e5).then_some(calls_per_megabyte));
        if input.name == "tf_1m" {
            findings.figure("parse live", Some(live));
            findings.figure("parse resident", resident);
        }
        let mut cells = vec![input.name.clone(), figure(live), figure(peak)];
        cells.push(resident.map_or("-".into(), figure));
        cells.push(figure(calls_per_megabyte));
        cells.extend(memory(theirs, input.len()).map(figure));
        findings.report.row(cells);
    }
    findings.figure("parse allocations", greatest(calls));
    findings.report.note("Resident is the growth of the process while it parses, at its peak.".into());
}

/// Live bytes and peak per byte of text, allocations per megabyte.
#[expect(clippy::cast_precision_loss, reason = "figures are rounded to three places")]
fn memory(tally: Tally, len: f64) -> [f64; 3] {
    [tally.live as f64 / len, tally.peak as f64 / len, tally.calls as f64 * 1e6 / len]
}
