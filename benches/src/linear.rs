//! Growth: parse, format, evaluate and decode from 10 KB to 100 MB, from 10,000 elements to 1,000,000.
//!
//! What counts is the time for one byte or element; work that is linear needs the same at every size, but for
//! memory that no longer fits a cache. All sizes of one work take turns, so that a disturbance meets all of them.
//! They work in memory that the process has already: what a fresh page costs is up to the machine, and small sizes
//! use theirs again. The largest size is measured with fresh pages, too.

use std::hint::black_box;
use std::time::Duration;

use hcl_eval::Value;
use hcl_eval::decode::{SpecFile, decode};
use hcl_eval::dynamic::Body;
use hcl_eval::eval::EvalOptions;
use hcl_syntax::config::ConfigBody;
use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

use crate::allocation::{self, KeptMemory};
use crate::charts::{Chart, Series};
use crate::clock::{Effort, Timing, Work, time_interleaved};
use crate::engines::Ours;
use crate::findings::{Findings, greatest};
use crate::inputs::Style;
use crate::report::{figure, ratio};
use crate::texts::{format_ours, value_of_data};

/// How long the sizes of one work take turns at most: a round of them takes a second or two.
const PATIENCE: Duration = Duration::from_secs(25);

/// The cost of one byte or element.
#[derive(Copy, Clone, Debug)]
struct Cost {
    nanos: f64,
    /// Bytes of memory at the peak.
    bytes: f64,
}

/// The costs of one kind of work.
struct Costs {
    /// For each size.
    by_size: Vec<Cost>,
    /// Nanoseconds for one byte or element of the largest size where the system hands out the memory page by page.
    fresh_nanos: f64,
}

/// Measures and adds the tables, figures and charts.
pub(crate) fn run(is_quick: bool, effort: Effort, findings: &mut Findings) {
    let effort = Effort { samples: 1, patience: if is_quick { Duration::ZERO } else { PATIENCE }, ..effort };
    let sizes: &[usize] =
        if is_quick { &[10_000, 100_000] } else { &[10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] };
    let texts = [
        ("parse", measure_texts(Style::Terraform, sizes, effort, crate::parse::parse_ours as fn(&str))),
        ("format", measure_texts(Style::Terraform, sizes, effort, format_ours)),
        ("data to value", measure_texts(Style::Data, sizes, effort, |text| drop(value_of_data(text)))),
    ];
    publish("bytes", "linear text", sizes, 100_000, &texts, findings);

    let counts: &[usize] = if is_quick { &[1_000, 10_000] } else { &[10_000, 100_000, 1_000_000] };
    let elements = [
        ("tuple for", measure_programs(counts, effort, "[for v in var : v * 2 if v != 7]")),
        ("object for", measure_programs(counts, effort, r#"{ for i, v in var : "k${i}" => v }"#)),
        ("group for", measure_programs(counts, effort, r#"{ for i, v in var : "k${v % 100}" => i... }"#)),
        ("join", measure_programs(counts, effort, r#"join(",", var)"#)),
        ("decode", measure_decoding(counts, effort)),
    ];
    publish("elements", "linear elements", counts, 10_000, &elements, findings);
}

fn float(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// Does `work` with every input, of so many bytes or elements: looks at its memory and times it.
fn costs<T>(mut inputs: Vec<(f64, T)>, effort: Effort, work: impl Fn(&mut T)) -> Costs {
    let peaks: Vec<i64> =
        inputs.iter_mut().map(|(_, input)| allocation::count(|| work(input)).1.peak).collect();
    let lengths: Vec<f64> = inputs.iter().map(|(n, _)| *n).collect();
    let fresh_nanos = inputs.last_mut().map_or(f64::NAN, |(n, input)| {
        let alone = Effort { rounds: 3, patience: Duration::ZERO, ..effort };
        time_interleaved(&mut [Work::here(|| work(input))], alone)[0].min / *n
    });
    let _kept = KeptMemory::new();
    let mut contenders: Vec<Work<'_>> =
        inputs.iter_mut().map(|(_, input)| Work::here(|| work(input))).collect();
    let times = time_interleaved(&mut contenders, effort);
    #[expect(clippy::cast_precision_loss, reason = "figures are rounded to three places")]
    let cost = |((n, peak), time): ((f64, i64), Timing)| Cost { nanos: time.min / n, bytes: peak as f64 / n };
    Costs { by_size: lengths.into_iter().zip(peaks).zip(times).map(cost).collect(), fresh_nanos }
}

fn measure_texts(style: Style, sizes: &[usize], effort: Effort, work: impl Fn(&str)) -> Costs {
    let input = |&size: &usize| {
        let text = style.file(size, 1);
        (float(text.len()), text)
    };
    costs(sizes.iter().map(input).collect(), effort, |text| work(text))
}

/// A program over a tuple of numbers, or of texts for `join`.
fn measure_programs(counts: &[usize], effort: Effort, text: &str) -> Costs {
    let is_of_texts = text.starts_with("join");
    let input = |&n: &usize| {
        let element =
            |i: usize| if is_of_texts { Value::string(format!("item-{i}")) } else { Value::count(i) };
        let ours = Ours::new(Value::tuple((0..n).map(element).collect()));
        let (program, mut frame) = (ours.compile(text), ours.frame());
        let (value, diagnostics) = program.evaluate(&mut frame);
        assert!(diagnostics.is_empty() && value.is_wholly_known(), "{text}: {diagnostics:?}");
        drop(value);
        (float(n), (program, frame))
    };
    costs(counts.iter().map(input).collect(), effort, |(program, frame)| {
        drop(black_box(program.evaluate(frame)));
    })
}

/// Blocks to a map of objects.
pub(crate) const SPEC: &str = r#"
block_map {
  block_type = "service"
  labels     = ["name"]

  object {
    attr "port" {
      type     = number
      required = true
    }
    attr "host" {
      type = string
    }
  }
}
"#;

fn config_body(name: &str, text: String) -> ConfigBody {
    let source = Source::new(name, text).expect("inputs are small enough");
    let (file, diagnostics) = parse_file(source, &ParseLimits::default());
    assert!(diagnostics.is_empty(), "{}", diagnostics[0].summary);
    ConfigBody::from(&file)
}

/// Blocks to decode.
pub(crate) fn services(n: usize) -> String {
    let block = |i| format!("service \"name-{i}\" {{\n  port = {i}\n  host = \"host-{i}\"\n}}\n");
    (0..n).map(block).collect()
}

/// Such blocks as a body, and the specification that says how to decode it.
pub(crate) fn decoding(text: String) -> (Body, SpecFile) {
    let (spec, problems) =
        SpecFile::read(&config_body("services.hcldec", SPEC.to_owned()), &EvalOptions::default());
    assert!(problems.is_empty(), "{}", problems[0].summary);
    (Body::from(config_body("services.hcl", text)), spec)
}

/// Decodes.
pub(crate) fn decode_ours((body, spec): &(Body, SpecFile)) {
    let (value, problems) = decode(body, &spec.root, None, &EvalOptions::default());
    assert!(problems.is_empty(), "{}", problems[0].summary);
    drop(black_box(value));
}

fn measure_decoding(counts: &[usize], effort: Effort) -> Costs {
    let input = |&n: &usize| (float(n), decoding(services(n)));
    costs(counts.iter().map(input).collect(), effort, |input| decode_ours(input))
}

/// A table and a chart; how much more the largest costs than the one of `base`.
fn publish(
    unit: &str,
    name: &str,
    sizes: &[usize],
    base: usize,
    works: &[(&str, Costs)],
    findings: &mut Findings,
) {
    let mut header = vec!["work".to_owned()];
    header.extend(sizes.iter().map(|&size| format!("{} ns", shown(size))));
    header.push("largest to base".into());
    header.push("largest, fresh pages".into());
    header.extend(sizes.iter().map(|&size| format!("{} B", shown(size))));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let one = unit.trim_end_matches('s');
    findings.report.section(&format!("Growth: ns and bytes of memory at the peak for one {one}"), &header);
    let base_idx = sizes.iter().position(|&size| size == base).unwrap_or_default();
    let mut growths = Vec::new();
    for (work, Costs { by_size: costs, fresh_nanos }) in works {
        let mut cells = vec![(*work).to_owned()];
        cells.extend(costs.iter().map(|cost| figure(cost.nanos)));
        if let (Some(base), Some(last)) = (costs.get(base_idx), costs.last()) {
            growths.push(last.nanos / base.nanos);
            cells.push(ratio(last.nanos, base.nanos));
            cells.push(figure(*fresh_nanos));
        }
        cells.extend(costs.iter().map(|cost| figure(cost.bytes)));
        findings.report.row(cells);
    }
    findings.figure(name, greatest(growths));
    let series = works
        .iter()
        .map(|(work, costs)| Series::new(work, costs.by_size.iter().map(|cost| Some(cost.nanos)).collect()));
    let across = sizes.iter().map(|&size| float(size)).collect();
    let title = format!("Growth with size: ns for one {one}");
    let chart = Chart::lines(&name.replace(' ', "-"), &title, across, unit, series.collect());
    findings.charts.push(chart);
}

fn shown(size: usize) -> String {
    match size {
        1_000_000.. => format!("{}m", size / 1_000_000),
        _ => format!("{}k", size / 1_000),
    }
}
