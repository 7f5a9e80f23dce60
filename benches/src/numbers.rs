//! Numbers of 512 bits beside Go's, and numbers that become text.

use std::hint::black_box;

use hcl_eval::{Number, Value};

use crate::clock::{Effort, Timing, Work, time_interleaved};
use crate::engines::Ours;
use crate::findings::Findings;
use crate::peer::Peers;
use crate::report::{figure, nanos, ratio};

/// Two numbers that fill 512 bits, as in `benches/go/peer`; calculated, for those just read may still be decimals.
pub(crate) fn operands() -> (Number, Number) {
    let one = Number::integer_512(1);
    let calculated = |text| Number::parse_literal(text)?.mul(&one).ok();
    (calculated("1234567.1").expect("a number"), calculated("0.3").expect("a number"))
}

/// Templates that turn a number into text.
const TEXTS: [(&str, &str, &str); 2] =
    [("integer", "text integer", r#""n${var.count}""#), ("0.1", "text tenth", r#""n${var.tenth}""#)];

/// Measures and adds the table and figures.
pub(crate) fn run(effort: Effort, peers: &Peers, findings: &mut Findings) {
    findings.report.section(
        "Numbers of 512 bits, and numbers in templates, ns of processor time",
        &["operation", "libhcl", "spread", "Go", "spread", "Go to libhcl"],
    );
    let (a, b) = operands();
    let add = || drop(black_box(black_box(&a).add(black_box(&b))));
    let mul = || drop(black_box(black_box(&a).mul(black_box(&b))));
    let div = || drop(black_box(black_box(&a).div(black_box(&b))));
    for (name, ours) in [("add", Work::here(add)), ("mul", Work::here(mul)), ("div", Work::here(div))] {
        let go = peers.go.as_ref().map(|go| go.work("number", name));
        let ratio = beside(name, ours, go, effort, findings);
        findings.figure(&format!("number {name}"), ratio);
    }
    let variables = Value::from_json_implied(r#"{"count":5,"tenth":0.1}"#).expect("it is JSON");
    let engine = Ours::new(variables);
    for (name, figure, text) in TEXTS {
        let (program, mut frame) = (engine.compile(text), engine.frame());
        let ours = peers.ours("evaluate", text, || drop(black_box(program.evaluate(&mut frame))));
        let go = peers.go.as_ref().map(|go| go.work("evaluate", text));
        let ratio = beside(name, ours, go, effort, findings);
        findings.figure(figure, ratio);
    }
}

fn beside(
    name: &str,
    ours: Work<'_>,
    go: Option<Work<'_>>,
    effort: Effort,
    findings: &mut Findings,
) -> Option<f64> {
    let mut contenders = vec![ours];
    contenders.extend(go);
    let times = time_interleaved(&mut contenders, effort);
    let shown = |time: Timing| if time.min < 100.0 { figure(time.min) } else { nanos(time.min) };
    let mut cells = vec![name.to_owned()];
    for time in &times {
        cells.extend([shown(*time), format!("{:.0}%", time.spread())]);
    }
    cells.extend(times.get(1).map(|go| ratio(go.min, times[0].min)));
    findings.report.row(cells);
    Some(times.get(1)?.min / times[0].min)
}
