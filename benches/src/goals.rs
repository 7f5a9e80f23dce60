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

/// Milliseconds that pathological input of 100k may take at most.
pub(crate) const SLOWEST: f64 = 50.0;
/// Megabytes that it may take at most.
pub(crate) const LARGEST: f64 = 33.0;
/// The time for ten times of it, at most.
pub(crate) const GROWTH: f64 = 12.0;

/// One mark that is aimed at.
struct Goal {
    what: &'static str,
    /// The figure's name.
    figure: &'static str,
    unit: &'static str,
    wanted: Wanted,
    /// The figure that has to be reached; some goals have a stretch only.
    must: Option<f64>,
    stretch: Option<f64>,
    /// The figure of the first version of the engine, where it was measured alike.
    first: Option<f64>,
}

const fn goal(
    what: &'static str,
    figure: &'static str,
    unit: &'static str,
    wanted: Wanted,
    marks: (Option<f64>, Option<f64>),
    first: Option<f64>,
) -> Goal {
    Goal { what, figure, unit, wanted, must: marks.0, stretch: marks.1, first }
}

const fn both(must: f64, stretch: f64) -> (Option<f64>, Option<f64>) {
    (Some(must), Some(stretch))
}

/// A bound for the instructions of a piece, and what the first version took.
const fn instructions(
    what: &'static str,
    figure: &'static str,
    must: f64,
    stretch: f64,
    first: Option<f64>,
) -> Goal {
    goal(what, figure, "", AtMost, both(must, stretch), first)
}

#[rustfmt::skip]
const GOALS: [Goal; 71] = [
    goal("parse, Go to libhcl, least of the files from 100 KB on", "parse Go least", "x", AtLeast, both(65.0, 100.0), Some(75.1)),
    goal("parse, Go to libhcl, geometric mean of the files", "parse Go mean", "x", AtLeast, both(95.0, 150.0), Some(102.0)),
    goal("parse, hcl-edit to libhcl, least of the files", "parse hcl-edit least", "x", AtLeast, both(10.0, 15.0), Some(11.0)),
    goal("parse, hcl-edit to libhcl, the many small files of `real`", "parse hcl-edit small", "x", AtLeast, both(7.0, 10.0), Some(6.1)),
    goal("parse, a text of 100 KB with an error at the end to that without, greatest", "parse errors", "x", AtMost, both(2.5, 1.5), None),
    instructions("parse_tf, instructions for a byte", "instructions parse_tf", 38.0, 28.0, Some(35.3)),
    instructions("parse_nomad, instructions for a byte", "instructions parse_nomad", 26.0, 20.0, Some(23.8)),
    instructions("parse_data, instructions for a byte", "instructions parse_data", 18.0, 14.0, Some(16.6)),
    instructions("a condition parsed and compiled from C, instructions", "instructions c_parse_and_compile", 5_000.0, 3_500.0, Some(7_620.0)),
    goal("parse, MB/s at 10 MB to MB/s at 100 KB, of `tf`", "parse linearity", "x", AtLeast, both(0.7, 0.85), Some(0.95)),
    goal("parse, peak resident bytes for a byte of tf_1m", "parse resident", "", AtMost, both(8.0, 4.0), Some(2.95)),
    goal("parse, live bytes for a byte of tf_1m", "parse live", "", AtMost, both(6.0, 3.0), Some(2.39)),
    goal("parse, allocations for a MB, greatest from 100 KB on", "parse allocations", "", AtMost, both(2_000.0, 100.0), Some(268.0)),
    goal("format, Go to libhcl, least", "format Go least", "x", AtLeast, both(20.0, 50.0), Some(27.8)),
    goal("JSON syntax, Go to libhcl, least", "json Go least", "x", AtLeast, both(10.0, 20.0), Some(21.4)),
    goal("data to a value, serde_json to libhcl, least", "data serde_json least", "x", AtLeast, both(1.0, 1.3), Some(0.98)),
    goal("JSON text to a value, serde_json to libhcl, 1 MB", "json serde_json", "x", AtLeast, both(0.7, 1.0), Some(0.48)),
    goal("context from JSON, Go to libhcl", "context Go", "x", AtLeast, both(10.0, 20.0), None),
    goal("decode, Go to libhcl, least", "decode Go least", "x", AtLeast, both(8.0, 12.0), Some(4.4)),
    instructions("decode 1,000 blocks, instructions", "instructions decode", 5e6, 3.5e6, Some(6_244_205.0)),
    goal("prepared evaluation, Go to libhcl, geometric mean", "evaluate Go mean", "x", AtLeast, both(45.0, 70.0), Some(34.0)),
    goal("prepared evaluation, Go to libhcl, least", "evaluate Go least", "x", AtLeast, both(15.0, 20.0), Some(12.6)),
    goal("prepared evaluation, Lua 5.4 to libhcl, geometric mean", "evaluate Lua mean", "x", AtLeast, both(1.8, 2.5), Some(1.4)),
    goal("prepared evaluation, Lua 5.4 to libhcl, least but for num_20ops", "evaluate Lua least", "x", AtLeast, both(1.0, 1.4), Some(0.7)),
    goal("prepared evaluation, hcl-rs to libhcl, geometric mean", "evaluate hcl-rs mean", "x", AtLeast, both(5.0, 9.0), None),
    goal("prepared evaluation, hcl-rs to libhcl, least", "evaluate hcl-rs least", "x", AtLeast, (Some(0.7), None), None),
    goal("prepared evaluation, cel to libhcl, geometric mean", "evaluate cel mean", "x", AtLeast, both(4.0, 8.0), None),
    goal("parse and prepare, Go to libhcl, geometric mean", "prepare Go mean", "x", AtLeast, both(18.0, 25.0), Some(13.0)),
    goal("parse and prepare, hcl-rs to libhcl, geometric mean", "prepare hcl-rs mean", "x", AtLeast, both(3.5, 5.0), Some(2.6)),
    instructions("`hcl_eval_bool` of a condition, instructions", "instructions c_eval_bool", 500.0, 300.0, Some(1_185.0)),
    instructions("bool_cmp, instructions", "instructions evaluate_bool_cmp", 400.0, 250.0, Some(1_024.0)),
    instructions("conditional, instructions", "instructions evaluate_conditional", 500.0, 300.0, Some(1_205.0)),
    instructions("traversal, instructions", "instructions evaluate_traversal", 160.0, 90.0, Some(333.0)),
    instructions("template5, instructions", "instructions evaluate_template5", 1_400.0, 900.0, Some(2_264.0)),
    instructions("object_8, instructions", "instructions evaluate_object_8", 2_200.0, 1_400.0, Some(3_399.0)),
    instructions("merge, instructions", "instructions evaluate_merge", 3_500.0, 2_500.0, Some(5_459.0)),
    instructions("format, instructions", "instructions evaluate_format", 1_500.0, 1_000.0, Some(2_263.0)),
    instructions("for_upper_1000, instructions an element", "instructions evaluate_for_upper_1000", 500.0, 350.0, Some(1_009.0)),
    instructions("for_filter_1000, instructions an element", "instructions evaluate_for_filter_1000", 450.0, 300.0, Some(912.0)),
    instructions("for_group_1000, instructions an element", "instructions evaluate_for_group_1000", 350.0, 250.0, Some(566.0)),
    instructions("splat_1000, instructions an element", "instructions evaluate_splat_1000", 120.0, 80.0, Some(227.0)),
    instructions("index_map1000, instructions", "instructions evaluate_index_map1000", 220.0, 150.0, Some(396.0)),
    instructions("directives_10, instructions", "instructions evaluate_directives_10", 8_000.0, 5_500.0, Some(15_060.0)),
    instructions("num_20ops, instructions", "instructions evaluate_num_20ops", 7_000.0, 4_500.0, Some(11_135.0)),
    instructions("all expressions once from their texts, instructions", "instructions one_shot", 6.5e6, 5.5e6, Some(7_798_076.0)),
    goal("`var.a.b.c`, 100 MB of context to 1 KB", "context growth", "x", AtMost, both(2.0, 1.1), Some(1.0)),
    goal("512-bit addition, math/big to libhcl", "number add", "x", AtLeast, both(2.0, 3.0), None),
    goal("512-bit multiplication, math/big to libhcl", "number mul", "x", AtLeast, both(2.0, 3.0), None),
    goal("512-bit division, math/big to libhcl", "number div", "x", AtLeast, both(2.0, 3.0), None),
    goal("an integer in a template, Go to libhcl", "text integer", "x", AtLeast, both(100.0, 500.0), None),
    goal("0.1 in a template, Go to libhcl", "text tenth", "x", AtLeast, both(10.0, 20.0), None),
    goal("libhcl.so stripped, everything", "library size", "MB", AtMost, both(4.8, 3.8), None),
    goal("libhcl.so stripped, the language's core", "library core size", "MB", AtMost, both(2.2, 1.6), None),
    goal("load and first call, libhcl to Go", "first call share", "x", AtMost, (Some(0.2), None), None),
    goal("load and first call", "first call", "ms", AtMost, (None, Some(0.3)), None),
    goal("resident memory after the first evaluation", "first resident", "MB", AtMost, both(2.0, 1.2), None),
    goal("threads and signal handlers that the library adds", "first threads", "", AtMost, both(0.0, 0.0), None),
    goal("prepared condition from C, Go to libhcl", "boundary Go", "x", AtLeast, both(20.0, 40.0), None),
    goal("prepared condition from C", "boundary", "ns", AtMost, both(150.0, 70.0), None),
    goal("bool_cmp from Go, native Go to libhcl", "cgo bool", "x", AtLeast, both(10.0, 25.0), None),
    goal("for_filter_1000 from Go, native Go to libhcl", "cgo filter", "x", AtLeast, both(15.0, 30.0), None),
    goal("500 blocks of a text into structs, native Go to libhcl", "cgo structs", "x", AtLeast, both(6.0, 15.0), None),
    goal("pathological input of 100k, deaths", "hostile deaths", "", AtMost, both(0.0, 0.0), Some(0.0)),
    goal("pathological input of 100k, slowest", "hostile slowest", "ms", AtMost, both(SLOWEST, 30.0), Some(61.0)),
    goal("pathological input of 100k, largest", "hostile largest", "MB", AtMost, both(LARGEST, 20.0), Some(33.0)),
    goal("pathological input, growth for ten times of it, greatest", "hostile growth", "x", AtMost, both(GROWTH, 11.0), None),
    goal("nesting of 1,000 works on a stack of", "nesting stack", "KiB", AtMost, both(2_048.0, 256.0), Some(64.0)),
    goal("a chain of 1,000,000 works on a stack of", "chain stack", "KiB", AtMost, both(2_048.0, 64.0), Some(64.0)),
    goal("nesting that a raised limit reaches", "nesting raised", "", AtLeast, both(10_000.0, 40_000.0), Some(40_000.0)),
    goal("time for a byte, largest input to 100 KB: parse, format, data to value", "linear text", "x", AtMost, (Some(1.5), None), None),
    goal("time for an element, 1,000,000 to 10,000: evaluate, decode", "linear elements", "x", AtMost, (Some(2.0), None), None),
];

/// How a goal stands, worst first: the order of the table.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    Missed,
    NotMeasured,
    Met,
    Stretched,
}

impl Verdict {
    fn of(goal: &Goal, measured: Option<f64>) -> Self {
        let Some(measured) = measured else { return Self::NotMeasured };
        let holds = |mark: f64| match goal.wanted {
            AtLeast => measured >= mark,
            AtMost => measured <= mark,
        };
        match (goal.must.is_none_or(holds), goal.stretch.is_some_and(holds)) {
            (false, _) => Self::Missed,
            (true, false) => Self::Met,
            (true, true) => Self::Stretched,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Missed => "MISSED",
            Self::NotMeasured => "?",
            Self::Met => "met",
            Self::Stretched => "stretch",
        }
    }
}

/// Puts the table of goals before all others, with what is missed first and ratios before other figures; how many musts are not
/// met.
pub(crate) fn judge(findings: &mut Findings) -> usize {
    findings.report.section("Goals", &["what", "must", "stretch", "now", "first version", "verdict"]);
    let mut judged: Vec<(Verdict, &Goal, Option<f64>)> = GOALS
        .iter()
        .map(|goal| (goal, findings.get(goal.figure)))
        .map(|(goal, measured)| (Verdict::of(goal, measured), goal, measured))
        .collect();
    // Ratios hold on any machine, so that they come before what is counted or timed on this one.
    judged.sort_by_key(|&(verdict, goal, _)| (verdict, goal.unit != "x"));
    for (verdict, goal, measured) in &judged {
        let sign = if goal.wanted == AtLeast { ">=" } else { "<=" };
        let mark = |mark: Option<f64>| mark.map_or("-".into(), |mark| format!("{sign} {mark}{}", goal.unit));
        let shown = |figure_: Option<f64>, none: &str| {
            figure_.map_or(none.into(), |it| format!("{}{}", figure(it), goal.unit))
        };
        findings.report.row(vec![
            goal.what.into(),
            mark(goal.must),
            mark(goal.stretch),
            shown(*measured, "not measured"),
            shown(goal.first, "-"),
            verdict.text().into(),
        ]);
    }
    let count = |wanted: Verdict| judged.iter().filter(|(verdict, ..)| *verdict == wanted).count();
    let (n_missed, n_unknown) = (count(Verdict::Missed), count(Verdict::NotMeasured));
    findings.report.note(format!("{n_missed} musts not met, {n_unknown} figures not measured"));
    findings.report.note("Rows that the C interface can express are measured through the installed library, but for instructions, which are counted in a program that has the same code linked in; `first version` is 0.1 as `make bench` measured it in its build tree, on a machine of its own (AMD EPYC).".into());
    findings.report.move_to_front();
    n_missed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_held_against_must_and_stretch() {
        let goal = |wanted| {
            let marks = if wanted == AtLeast { both(10.0, 20.0) } else { both(10.0, 5.0) };
            goal("a goal", "figure", "x", wanted, marks, None)
        };
        for (wanted, measured, verdict) in [
            (AtLeast, Some(9.9), Verdict::Missed),
            (AtLeast, Some(10.0), Verdict::Met),
            (AtLeast, Some(20.0), Verdict::Stretched),
            (AtLeast, None, Verdict::NotMeasured),
            (AtMost, Some(10.1), Verdict::Missed),
            (AtMost, Some(10.0), Verdict::Met),
            (AtMost, Some(5.0), Verdict::Stretched),
        ] {
            assert_eq!(Verdict::of(&goal(wanted), measured), verdict, "{wanted:?} {measured:?}");
        }
    }

    #[test]
    fn what_is_missed_comes_first() {
        let mut findings = Findings::default();
        findings.figure("parse Go least", Some(1.0));
        findings.figure("parse Go mean", Some(1_000.0));
        findings.figure("instructions parse_tf", Some(1.0));
        findings.figure("evaluate Lua least", Some(9.0));
        findings.report.section("Another", &["table"]);
        assert_eq!(judge(&mut findings), 1);
        let text = findings.report.markdown();
        let place = |words: &str| text.find(words).expect("it is there");
        assert!(place("## Goals") < place("least of the files from 100 KB on"));
        assert!(place("least of the files from 100 KB on") < place("geometric mean of the files"));
        assert!(place("geometric mean of the files") < place("Lua 5.4 to libhcl, least"));
        assert!(place("Lua 5.4 to libhcl, least") < place("parse_tf, instructions"));
        assert!(place("parse_tf, instructions") < place("## Another"));
    }
}
