//! Texts beyond parsing native syntax: data to a value beside `serde_json`, the formatter and JSON syntax beside the
//! reference, a context from JSON.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use hcl_eval::Value;
use hcl_eval::eval::{EvalOptions, evaluate};
use hcl_syntax::format::{FormatStyle, format};
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;
use tempfile::TempDir;

use crate::clock::{Effort, Timing, Work, time_interleaved};
use crate::context::{self, Datum};
use crate::engines;
use crate::findings::{Findings, least};
use crate::inputs::Style;
use crate::linear::{decode_ours, decoding, services};
use crate::peer::Peers;
use crate::report::{figure, nanos, ratio};

/// The columns of [`beside`].
const BESIDE_GO: [&str; 6] = ["input", "libhcl MB/s", "spread", "Go MB/s", "spread", "Go to libhcl"];

/// The inputs of all measurements here.
struct Run<'r> {
    sizes: &'r [(&'r str, usize)],
    effort: Effort,
    peers: &'r Peers,
    folder: TempDir,
}

impl Run<'_> {
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("the folder for temporary files is writable");
        path
    }

    /// A row of libhcl beside the reference, if that `is_asked`: work of one kind on a text and the file that has it. Gives
    /// their ratio.
    fn beside(
        &self,
        kind: &str,
        name: &str,
        (text, path): (&str, &Path),
        here: impl FnMut(),
        is_asked: bool,
        findings: &mut Findings,
    ) -> Option<f64> {
        let mut contenders = vec![self.peers.ours_on_file(kind, path, here)];
        contenders.extend(self.peers.go.iter().filter(|_| is_asked).map(|go| go.work_on_file(kind, path)));
        let times = time_interleaved(&mut contenders, self.effort);
        let rate = |time: Timing| float(text.len()) * 1e3 / time.min;
        let mut cells = vec![name.to_owned(), figure(rate(times[0])), spread(times[0])];
        let go = times.get(1);
        cells.extend(go.map_or(["-".into(), "-".into(), "-".into()], |&go| {
            [figure(rate(go)), spread(go), ratio(go.min, times[0].min)]
        }));
        findings.report.row(cells);
        Some(go?.min / times[0].min)
    }
}

/// Measures and adds the tables and figures.
pub(crate) fn run(is_quick: bool, effort: Effort, peers: &Peers, findings: &mut Findings) {
    let sizes: &[_] = if is_quick {
        &[("10k", 10_000)]
    } else {
        &[("10k", 10_000), ("100k", 100_000), ("1m", 1_000_000), ("10m", 10_000_000)]
    };
    let folder = TempDir::new().expect("the folder for temporary files is writable");
    let run = Run { sizes, effort, peers, folder };
    measure_data(&run, findings);
    measure_formatter(&run, findings);
    measure_json(&run, findings);
    measure_decoder(&run, findings);
    measure_context(&run, findings);
}

/// The value of the only attribute of a file, as one would load it.
pub(crate) fn value_of_data(text: &str) -> Value {
    let source = Source::new("data", text).expect("inputs are small enough");
    let (file, diagnostics) = parse_file(source, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "{}", diagnostics[0].summary);
    let attribute = file.body().attributes().next().expect("data files have an attribute");
    let (value, diagnostics) = evaluate(attribute.expression(), None, &EvalOptions::default());
    assert!(diagnostics.is_empty(), "{}", diagnostics[0].summary);
    value
}

/// Writes the data as JSON.
fn json_twin(text: &str) -> String {
    value_of_data(text).to_json().expect("literals have JSON")
}

/// Parses JSON syntax.
pub(crate) fn parse_json_ours(text: &str) {
    let source = Source::new("data", text).expect("inputs are small enough");
    let (file, diagnostics) = parse_json(source, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "{}", diagnostics[0].summary);
    black_box(file);
}

/// An object of JSON syntax with the data of a style.
pub(crate) fn json_file(size: usize) -> String {
    std::format!("{{\"data\":{}}}", json_twin(&Style::Data.file(size, 1)))
}

/// Formats text.
pub(crate) fn format_ours(text: &str) {
    black_box(format("input", text.as_bytes(), FormatStyle::Hcl).expect("inputs can be formatted"));
}

fn measure_data(run: &Run<'_>, findings: &mut Findings) {
    findings.report.section(
        "Data to a value, MB/s of processor time",
        &[
            "input",
            "libhcl, HCL",
            "spread",
            "serde_json, JSON twin",
            "spread",
            "serde_json to libhcl",
            "hcl-rs, HCL",
            "spread",
            "hcl-rs to libhcl",
            "libhcl, JSON twin",
            "spread",
            "serde_json to libhcl",
        ],
    );
    let mut ratios = Vec::new();
    for &(name, size) in run.sizes {
        let text = Style::Data.file(size, 1);
        let json = json_twin(&text);
        let native_path = run.write(&std::format!("data_{name}.hcl"), &text);
        let json_path = run.write(&std::format!("data_{name}.twin.json"), &json);
        let times = time_interleaved(
            &mut [
                run.peers
                    .ours_on_file("value-of-data", &native_path, || drop(black_box(value_of_data(&text)))),
                Work::here(|| drop(black_box(serde_json::from_str::<serde_json::Value>(&json)))),
                Work::here(|| drop(black_box(hcl_rs::from_str::<hcl_rs::Value>(&text)))),
                run.peers.ours_on_file("value-of-json", &json_path, || {
                    drop(black_box(Value::from_json_implied(&json)));
                }),
            ],
            run.effort,
        );
        let (native, twin) = (float(text.len()), float(json.len()));
        let rate = |len: f64, time: Timing| len * 1e3 / time.min;
        let [ours, serde, hcl_rs, ours_json] = [times[0], times[1], times[2], times[3]];
        // Throughput against throughput: the same data is longer in HCL.
        let ratio_of_rates = rate(native, ours) / rate(twin, serde);
        ratios.push(ratio_of_rates);
        if size == 1_000_000 {
            findings.figure("json serde_json", Some(serde.min / ours_json.min));
        }
        findings.report.row(vec![
            std::format!("data_{name}"),
            figure(rate(native, ours)),
            spread(ours),
            figure(rate(twin, serde)),
            spread(serde),
            std::format!("{ratio_of_rates:.2}x"),
            figure(rate(native, hcl_rs)),
            spread(hcl_rs),
            ratio(hcl_rs.min, ours.min),
            figure(rate(twin, ours_json)),
            spread(ours_json),
            std::format!("{:.2}x", serde.min / ours_json.min),
        ]);
    }
    findings.figure("data serde_json least", least(ratios));
    findings.report.note("The ratio to serde_json is one of rates, each of its own text: HCL with indentation is longer than its JSON twin.".into());
}

fn measure_formatter(run: &Run<'_>, findings: &mut Findings) {
    findings.report.section("Format", &BESIDE_GO);
    let mut ratios = Vec::new();
    for &(size_name, size) in run.sizes {
        for style in Style::ALL {
            let (name, text) = (std::format!("{}_{size_name}", style.name()), style.file(size, 1));
            let path = run.write(&name, &text);
            let ours = || format_ours(&text);
            let is_asked = size <= 1_000_000;
            ratios.extend(run.beside("format", &name, (&text, &path), ours, is_asked, findings));
        }
    }
    findings.figure("format Go least", least(ratios));
}

fn measure_json(run: &Run<'_>, findings: &mut Findings) {
    findings.report.section("Parse JSON syntax", &BESIDE_GO);
    let mut ratios = Vec::new();
    for &(size_name, size) in run.sizes {
        let (name, text) = (std::format!("data_{size_name}.json"), json_file(size));
        let path = run.write(&name, &text);
        let ours = || parse_json_ours(&text);
        ratios.extend(run.beside("parse-json", &name, (&text, &path), ours, true, findings));
    }
    findings.figure("json Go least", least(ratios));
}

/// Parsed blocks to a map of objects.
fn measure_decoder(run: &Run<'_>, findings: &mut Findings) {
    findings.report.section("Decode", &BESIDE_GO);
    let mut ratios = Vec::new();
    for &(size_name, size) in run.sizes {
        // Some fifty bytes for a block.
        let (name, text) = (std::format!("blocks_{size_name}"), services(size / 50));
        let path = run.write(&name, &text);
        let input = decoding(text.clone());
        let ours = || decode_ours(&input);
        ratios.extend(run.beside("decode", &name, (&text, &path), ours, true, findings));
    }
    findings.figure("decode Go least", least(ratios));
}

/// The variables of the expressions, loaded from JSON; and whether their size matters to who uses one.
fn measure_context(run: &Run<'_>, findings: &mut Findings) {
    let json = engines::value(Datum::Object(context::variables())).to_json().expect("data has JSON");
    let path = run.write("context.json", &json);
    let mut contenders = vec![
        run.peers.ours_on_file("value-of-json", &path, || drop(black_box(Value::from_json_implied(&json)))),
        Work::here(|| drop(black_box(serde_json::from_str::<serde_json::Value>(&json)))),
    ];
    contenders.extend(run.peers.go.as_ref().map(|go| go.work_on_file("value-of-json", &path)));
    let times = time_interleaved(&mut contenders, run.effort);
    findings.report.section(
        "The context of the expressions from JSON, ns of processor time",
        &["bytes", "libhcl", "spread", "serde_json", "spread", "Go", "spread", "Go to libhcl"],
    );
    let mut cells = vec![json.len().to_string()];
    for time in &times {
        cells.extend([nanos(time.min), spread(*time)]);
    }
    cells.extend(times.get(2).map(|go| ratio(go.min, times[0].min)));
    findings.report.row(cells);
    findings.figure("context Go", times.get(2).map(|go| go.min / times[0].min));
    measure_context_sizes(run, findings);
}

fn measure_context_sizes(run: &Run<'_>, findings: &mut Findings) {
    let sizes: &[usize] = if run.sizes.len() == 1 {
        &[1_000, 100_000]
    } else {
        &[1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]
    };
    let engines: Vec<_> = sizes
        .iter()
        .map(|&size| engines::Ours::new(engines::value(context::variables_of_size(size))))
        .collect();
    let programs: Vec<_> = engines.iter().map(|ours| (ours.compile("var.a.b.c"), ours.frame())).collect();
    let mut contenders: Vec<_> = programs
        .into_iter()
        .map(|(program, mut frame)| Work::here(move || drop(black_box(program.evaluate(&mut frame)))))
        .collect();
    let times = time_interleaved(&mut contenders, run.effort);
    findings.report.section(
        "`var.a.b.c` in contexts of growing size, ns of processor time",
        &["bytes as JSON", "libhcl", "spread"],
    );
    for (size, time) in sizes.iter().zip(&times) {
        findings.report.row(vec![size.to_string(), figure(time.min), spread(*time)]);
    }
    let growth = times.first().zip(times.last()).map(|(first, last)| last.min / first.min);
    findings.figure("context growth", growth);
}

fn spread(time: Timing) -> String {
    std::format!("{:.0}%", time.spread())
}

fn float(len: usize) -> f64 {
    f64::from(u32::try_from(len).unwrap_or(u32::MAX))
}
