//! The goals, and how the figures of a run stand to them.

use crate::findings::Findings;
use crate::report::figure;

/// Which side of a mark is good.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Wanted {
    AtLeast,
    AtMost,
}

use Wanted::{AtLeast, AtMost};

/// One mark that is aimed at.
struct Goal {
    id: &'static str,
    what: &'static str,
    /// The figure's name.
    figure: &'static str,
    unit: &'static str,
    wanted: Wanted,
    /// What has to be reached; some goals have a stretch only.
    must: Option<f64>,
    stretch: Option<f64>,
}

const fn goal(
    id: &'static str,
    what: &'static str,
    figure: &'static str,
    unit: &'static str,
    wanted: Wanted,
    marks: (Option<f64>, Option<f64>),
) -> Goal {
    Goal { id, what, figure, unit, wanted, must: marks.0, stretch: marks.1 }
}

const fn both(must: f64, stretch: f64) -> (Option<f64>, Option<f64>) {
    (Some(must), Some(stretch))
}

#[rustfmt::skip]
const GOALS: [Goal; 46] = [
    goal("P1", "parse, Go to libhcl, least of the files from 100 KB on", "parse Go least", "x", AtLeast, both(40.0, 60.0)),
    goal("P1", "the same, geometric mean", "parse Go mean", "x", AtLeast, (None, Some(80.0))),
    goal("P2", "parse, hcl-edit to libhcl, least of the files", "parse hcl-edit least", "x", AtLeast, both(6.0, 12.0)),
    goal("P2", "the same, the many small files of `real`", "parse hcl-edit small", "x", AtLeast, both(5.0, 8.0)),
    goal("P3", "data to value, serde_json to libhcl, least", "data serde_json least", "x", AtLeast, both(0.7, 1.0)),
    goal("P4", "instructions for a byte of tf_100k", "parse instructions", "", AtMost, both(100.0, 60.0)),
    goal("P5", "MB/s at 10 MB to MB/s at 100 KB, of `tf`", "parse linearity", "x", AtLeast, both(0.7, 0.85)),
    goal("P6", "peak resident bytes for a byte of tf_1m", "parse resident", "", AtMost, both(8.0, 4.0)),
    goal("P6", "live bytes for a byte of tf_1m", "parse live", "", AtMost, both(6.0, 3.0)),
    goal("P7", "allocations for a parsed MB, greatest from 100 KB on", "parse allocations", "", AtMost, both(2_000.0, 100.0)),
    goal("P8", "format, Go to libhcl, least", "format Go least", "x", AtLeast, both(20.0, 50.0)),
    goal("P8", "JSON syntax, Go to libhcl, least", "json Go least", "x", AtLeast, both(10.0, 20.0)),
    goal("E1", "prepared evaluation, Go to libhcl, geometric mean", "evaluate Go mean", "x", AtLeast, both(20.0, 30.0)),
    goal("E1", "the same, least", "evaluate Go least", "x", AtLeast, both(8.0, 10.0)),
    goal("E2", "hcl-rs to libhcl, geometric mean", "evaluate hcl-rs mean", "x", AtLeast, both(5.0, 9.0)),
    goal("E2", "the same, least", "evaluate hcl-rs least", "x", AtLeast, (Some(0.7), None)),
    goal("E3", "Lua 5.4 to libhcl, geometric mean", "evaluate Lua mean", "x", AtLeast, both(0.8, 1.2)),
    goal("E4", "cel to libhcl, geometric mean", "evaluate cel mean", "x", AtLeast, both(4.0, 8.0)),
    goal("E5", "parse and prepare, Go to libhcl, geometric mean", "prepare Go mean", "x", AtLeast, both(12.0, 20.0)),
    goal("E5", "parse and prepare, hcl-rs to libhcl, geometric mean", "prepare hcl-rs mean", "x", AtLeast, both(2.0, 4.0)),
    goal("E6", "`var.a.b.c`, 100 MB of context to 1 KB", "context growth", "x", AtMost, both(2.0, 1.1)),
    goal("E7", "context from JSON, Go to libhcl", "context Go", "x", AtLeast, both(10.0, 20.0)),
    goal("N1", "512-bit addition, math/big to libhcl", "number add", "x", AtLeast, both(2.0, 3.0)),
    goal("N1", "512-bit multiplication", "number mul", "x", AtLeast, both(2.0, 3.0)),
    goal("N1", "512-bit division", "number div", "x", AtLeast, both(2.0, 3.0)),
    goal("N2", "an integer in a template, Go to libhcl", "text integer", "x", AtLeast, both(100.0, 500.0)),
    goal("N2", "0.1 in a template, Go to libhcl", "text tenth", "x", AtLeast, both(10.0, 20.0)),
    goal("C1", "libhcl.so stripped, everything", "library size", "MB", AtMost, both(3.0, 2.0)),
    goal("C1", "libhcl.so stripped, the language's core", "library core size", "MB", AtMost, both(1.2, 0.8)),
    goal("C2", "load and first call, libhcl to Go", "first call share", "x", AtMost, (Some(0.2), None)),
    goal("C2", "load and first call", "first call", "ms", AtMost, (None, Some(0.3))),
    goal("C2", "resident memory after the first evaluation", "first resident", "MB", AtMost, both(2.0, 1.2)),
    goal("C2", "threads and signal handlers that the library adds", "first threads", "", AtMost, both(0.0, 0.0)),
    goal("C3", "prepared condition from C, Go to libhcl", "boundary Go", "x", AtLeast, both(20.0, 40.0)),
    goal("C3", "prepared condition from C", "boundary", "ns", AtMost, both(150.0, 70.0)),
    goal("C4", "bool_cmp from Go, native Go to libhcl", "cgo bool", "x", AtLeast, both(10.0, 25.0)),
    goal("C4", "for_filter_1000 from Go, native Go to libhcl", "cgo filter", "x", AtLeast, both(15.0, 30.0)),
    goal("S1", "pathological input of 100k, deaths", "hostile deaths", "", AtMost, both(0.0, 0.0)),
    goal("S1", "the same, slowest", "hostile slowest", "ms", AtMost, both(100.0, 30.0)),
    goal("S1", "the same, largest", "hostile largest", "MB", AtMost, both(50.0, 20.0)),
    goal("S2", "growth for ten times the input, greatest", "hostile growth", "x", AtMost, both(12.0, 11.0)),
    goal("S3", "nesting of 1,000 works on a stack of", "nesting stack", "KiB", AtMost, both(2_048.0, 256.0)),
    goal("S4", "a chain of 1,000,000 works on a stack of", "chain stack", "KiB", AtMost, both(2_048.0, 64.0)),
    goal("S4", "nesting that a raised limit reaches", "nesting raised", "", AtLeast, both(10_000.0, 40_000.0)),
    goal("lin", "time for a byte, largest input to 100 KB: parse, format, data to value", "linear text", "x", AtMost, (Some(1.5), None)),
    goal("lin", "the same for an element, 1,000,000 to 10,000: evaluate, decode", "linear elements", "x", AtMost, (Some(2.0), None)),
];

/// Adds the table of goals; how many musts are not met.
pub(crate) fn judge(findings: &mut Findings) -> usize {
    findings
        .report
        .section("Goals", &["goal", "what", "must", "stretch", "measured", "must is", "stretch is"]);
    let (mut n_missed, mut n_unknown) = (0, 0);
    for goal in &GOALS {
        let measured = findings.get(goal.figure);
        let holds = |mark: Option<f64>| -> Option<bool> {
            let (mark, measured) = (mark?, measured?);
            Some(match goal.wanted {
                AtLeast => measured >= mark,
                AtMost => measured <= mark,
            })
        };
        n_missed += usize::from(holds(goal.must) == Some(false));
        n_unknown += usize::from(measured.is_none());
        let sign = if goal.wanted == AtLeast { ">=" } else { "<=" };
        let shown = |mark: Option<f64>| mark.map_or("-".into(), |mark| format!("{sign} {mark}{}", goal.unit));
        let verdict = |mark: Option<f64>| match (mark, holds(mark)) {
            (None, _) => "-",
            (Some(_), None) => "?",
            (Some(_), Some(true)) => "met",
            (Some(_), Some(false)) => "NOT MET",
        };
        findings.report.row(vec![
            goal.id.into(),
            goal.what.into(),
            shown(goal.must),
            shown(goal.stretch),
            measured.map_or("not measured".into(), |measured| format!("{}{}", figure(measured), goal.unit)),
            verdict(goal.must).into(),
            verdict(goal.stretch).into(),
        ]);
    }
    findings.report.note(format!("{n_missed} musts not met, {n_unknown} figures not measured"));
    n_missed
}
