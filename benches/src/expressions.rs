//! Expressions: compiled programs and one-shot evaluation beside other engines, in time and in allocations.

use std::hint::black_box;

use hcl_eval::eval::Frame;
use hcl_eval::program::Program;

use crate::allocation;
use crate::charts::{Chart, Series};
use crate::clock::{Effort, Timing, Work, time_interleaved};
use crate::context::{self, Datum};
use crate::engines::{self, Cel, HclRs, Lua, Ours};
use crate::findings::{Findings, geometric, least};
use crate::peer::Peers;
use crate::report::{figure, geometric_mean, nanos, ratio};

/// Name and text; what they use of `var` is in [`context`].
pub(crate) const EXPRESSIONS: [(&str, &str); 18] = [
    ("const_arith", "1 + 2 * 3"),
    ("traversal", "var.a.b.c"),
    ("bool_cmp", r#"var.env == "prod" && var.count > 3"#),
    ("conditional", r#"var.env == "prod" ? var.count * 2 : 1"#),
    ("template5", r#""${var.prefix}-${var.region}-${var.env}-${var.count}.${var.a.b.c}""#),
    ("for_upper_10", r#"[for s in var.list10 : upper(s) if s != ""]"#),
    ("for_upper_1000", r#"[for s in var.list1000 : upper(s) if s != ""]"#),
    ("for_nested_10x10", r#"[for a in var.list10 : [for b in var.list10 : "${a}/${b}"]]"#),
    ("for_group_1000", "{ for o in var.objs1000 : o.zone => o.name... }"),
    ("for_filter_1000", "[for o in var.objs1000 : o.size * 1.5 if o.enabled && o.size > 100]"),
    ("splat_1000", "var.objs1000[*].name"),
    ("index_map1000", r#"var.map1000["key500"]"#),
    ("join_1000", r#"join(",", var.list1000)"#),
    ("format", r#"format("%s-%04d", var.prefix, var.count)"#),
    ("merge", r#"merge(var.tags, { Name = "x", env = var.env })"#),
    (
        "object_8",
        r#"{ name = var.prefix, env = var.env, region = var.region, n = var.count, a = 1, b = true, c = [1, 2, 3], d = "${var.env}-x" }"#,
    ),
    (
        "directives_10",
        r#""%{ for o in var.objs10 ~}${o.name}=${o.size};%{ endfor ~}%{ if var.count > 3 }yes%{ else }no%{ endif }""#,
    ),
    (
        "num_20ops",
        "((var.count * 3.25 + 17) / 7 - 2) * (var.count % 3 + 1) + ((var.count - 1.5) * (var.count + 2.5) / 3 + 9) * 4 - (var.count * var.count + 0.1) / (var.count + 0.2) + 1 - 2 * 3",
    ),
];

/// The other engines, in the order of columns.
const PEERS: [&str; 4] = ["Go", "hcl-rs", "Lua", "cel"];

/// The engine with the variables of the expressions.
pub(crate) fn our_engine() -> Ours {
    Ours::new(engines::value(Datum::Object(context::variables())))
}

/// All engines, ready.
struct Engines {
    ours: Ours,
    hcl_rs: HclRs,
    lua: Lua,
    cel: Cel,
    peers: Peers,
}

/// Times of libhcl, and of the [`PEERS`] as far as they can.
struct Row {
    name: &'static str,
    evaluation: [Timing; 2],
    peers: [Option<Timing>; 4],
    preparation: [Timing; 2],
    peers_preparation: [Option<Timing>; 4],
    n_allocations: f64,
}

/// Measures and adds the tables, figures and charts.
pub(crate) fn run(effort: Effort, peers: &Peers, findings: &mut Findings) {
    let engines = Engines {
        ours: our_engine(),
        hcl_rs: HclRs::new(),
        lua: Lua::new(),
        cel: Cel::new(),
        peers: peers.clone(),
    };
    let rows: Vec<Row> =
        EXPRESSIONS.into_iter().map(|(name, text)| measure(name, text, &engines, effort)).collect();
    report_evaluation(&rows, findings);
    report_preparation(&rows, findings);
}

/// All engines that can must give our answer, or their times would say nothing.
fn check(name: &str, text: &str, engines: &Engines) {
    let ours = engines.ours.value(text);
    let answers = [
        ("the installed library", engines.peers.installed.as_ref().and_then(|ours| ours.value(text))),
        ("Go", engines.peers.go.as_ref().and_then(|go| go.value(text))),
        ("hcl-rs", engines.hcl_rs.prepare(text).and_then(|(_, it)| engines.hcl_rs.value(&it))),
        ("Lua", Lua::text(name).and_then(|text| engines.lua.value(text))),
        ("cel", Cel::text(name).and_then(|text| engines.cel.value(text))),
    ];
    for (engine, theirs) in answers {
        let agrees = theirs.as_ref().is_none_or(|theirs| engines::agree(&ours, theirs));
        assert!(agrees, "{name}: {engine} answers {theirs:?}, libhcl {ours}");
    }
}

fn measure(name: &'static str, text: &str, engines: &Engines, effort: Effort) -> Row {
    check(name, text, engines);
    let ours = &engines.ours;
    let program = ours.compile(text);
    let parsed = Ours::parse(text);
    let (mut frame, one_shot_frame) = (ours.frame(), ours.frame());
    let n_allocations = allocations(&program, &mut frame);
    let theirs = engines.hcl_rs.prepare(text);
    let lua = Lua::text(name).map(|text| (text, engines.lua.compile(text)));
    let cel = Cel::text(name).map(|text| (text, Cel::compile(text)));

    let (evaluation, peers) = time(
        [
            engines.peers.ours("evaluate", text, || drop(black_box(program.evaluate(&mut frame)))),
            engines.peers.ours("one-shot", text, || drop(ours.evaluate_once(&parsed, &one_shot_frame))),
        ],
        [
            engines.peers.go.as_ref().map(|go| go.work("evaluate", text)),
            theirs.as_ref().map(|(_, it)| Work::here(|| drop(engines.hcl_rs.evaluate(it)))),
            lua.as_ref().map(|(_, it)| Work::elsewhere(|times| engines.lua.time_calls(it, times), 1.0)),
            cel.as_ref().map(|(_, it)| Work::here(|| drop(engines.cel.evaluate(it)))),
        ],
        effort,
    );
    let (preparation, peers_preparation) = time(
        [
            engines.peers.ours("parse-expression", text, || drop(black_box(Ours::parse(text)))),
            engines.peers.ours("prepare", text, || drop(black_box(ours.compile(text)))),
        ],
        [
            engines.peers.go.as_ref().map(|go| go.work("prepare", text)),
            theirs
                .as_ref()
                .map(|(text, _)| Work::here(|| drop(black_box(text.parse::<hcl_rs::Expression>())))),
            lua.as_ref().map(|(text, _)| Work::here(|| drop(black_box(engines.lua.compile(text))))),
            cel.as_ref().map(|(text, _)| Work::here(|| drop(black_box(Cel::compile(text))))),
        ],
        effort,
    );
    Row { name, evaluation, peers, preparation, peers_preparation, n_allocations }
}

/// Times two works of ours beside those of peers.
fn time(
    ours: [Work<'_>; 2],
    peers: [Option<Work<'_>>; 4],
    effort: Effort,
) -> ([Timing; 2], [Option<Timing>; 4]) {
    let are_there = peers.each_ref().map(Option::is_some);
    let mut contenders: Vec<Work<'_>> = ours.into_iter().chain(peers.into_iter().flatten()).collect();
    let times = time_interleaved(&mut contenders, effort);
    let mut rest = times[2..].iter().copied();
    ([times[0], times[1]], are_there.map(|is_there| if is_there { rest.next() } else { None }))
}

/// Allocations of one evaluation, when all that is made once has been made.
fn allocations(program: &Program, frame: &mut Frame) -> f64 {
    const EVALUATIONS: u32 = 10;
    drop(program.evaluate(frame));
    let ((), tally) = allocation::count(|| {
        for _ in 0..EVALUATIONS {
            drop(black_box(program.evaluate(frame)));
        }
    });
    f64::from(u32::try_from(tally.calls).unwrap_or(u32::MAX)) / f64::from(EVALUATIONS)
}

/// Name, time and spread of two works of ours, then of each peer time, spread and the ratio to `ours`.
fn cells(name: &str, works: [Timing; 2], peers: [Option<Timing>; 4], ours: Timing) -> Vec<String> {
    let mut cells = vec![name.to_owned()];
    for time in works {
        cells.extend([nanos(time.min), format!("{:.0}%", time.spread())]);
    }
    for peer in peers {
        cells.extend(peer.map_or(["-".into(), "-".into(), "-".into()], |peer| {
            [nanos(peer.min), format!("{:.0}%", peer.spread()), ratio(peer.min, ours.min)]
        }));
    }
    cells
}

/// The ratios of one peer to libhcl.
fn ratios(rows: &[Row], pair: impl Fn(&Row) -> (Option<Timing>, Timing)) -> Vec<f64> {
    rows.iter()
        .filter_map(|row| {
            let (peer, ours) = pair(row);
            Some(peer?.min / ours.min)
        })
        .collect()
}

fn report_evaluation(rows: &[Row], findings: &mut Findings) {
    let report = &mut findings.report;
    report.section(
        "Evaluation, ns of processor time",
        &[
            "expression",
            "compiled",
            "spread",
            "one-shot",
            "spread",
            "Go",
            "spread",
            "Go/compiled",
            "hcl-rs",
            "spread",
            "hcl-rs/compiled",
            "Lua",
            "spread",
            "Lua/compiled",
            "cel",
            "spread",
            "cel/compiled",
            "allocations",
        ],
    );
    for row in rows {
        let mut cells = cells(row.name, row.evaluation, row.peers, row.evaluation[0]);
        cells.push(figure(row.n_allocations));
        report.row(cells);
    }
    for (index, peer) in PEERS.into_iter().enumerate() {
        let all = ratios(rows, |row| (row.peers[index], row.evaluation[0]));
        findings.report.note(geometric_mean(&format!("{peer} to compiled"), &all));
        let one_shot = ratios(rows, |row| (row.peers[index], row.evaluation[1]));
        findings.report.note(geometric_mean(&format!("{peer} to one-shot"), &one_shot));
        findings.figure(&format!("evaluate {peer} mean"), geometric(&all));
        // Lua's numbers are doubles, which are no match for exact ones.
        let is_counted = |row: &&Row| peer != "Lua" || row.name != "num_20ops";
        let counted: Vec<f64> = rows
            .iter()
            .filter(is_counted)
            .filter_map(|row| Some(row.peers[index]?.min / row.evaluation[0].min))
            .collect();
        findings.figure(&format!("evaluate {peer} least"), least(counted));
    }
    findings.report.note("hcl-rs has each attribute of `var` as a variable of its own; with one variable it takes up to a millisecond more per use.".into());
    findings.report.note("Lua and cel run the equivalent program of their language, with numbers that are doubles or 64-bit integers. All engines were seen to give the same answer.".into());
    findings.charts.push(chart(
        "evaluation",
        "Evaluation of a prepared expression (ns, less is better)",
        rows,
        |row| row.evaluation[0],
        |row| row.peers,
    ));
}

fn report_preparation(rows: &[Row], findings: &mut Findings) {
    let report = &mut findings.report;
    report.section(
        "Preparing an expression, ns of processor time",
        &[
            "expression",
            "parse",
            "spread",
            "parse+compile",
            "spread",
            "Go parse",
            "spread",
            "Go/ours",
            "hcl-rs parse",
            "spread",
            "hcl-rs/ours",
            "Lua load",
            "spread",
            "Lua/ours",
            "cel compile",
            "spread",
            "cel/ours",
        ],
    );
    for row in rows {
        report.row(cells(row.name, row.preparation, row.peers_preparation, row.preparation[1]));
    }
    for (index, peer) in PEERS.into_iter().enumerate() {
        let all = ratios(rows, |row| (row.peers_preparation[index], row.preparation[1]));
        findings.report.note(geometric_mean(&format!("{peer} to parse+compile"), &all));
        findings.figure(&format!("prepare {peer} mean"), geometric(&all));
    }
    findings.charts.push(chart(
        "preparation",
        "Preparing an expression: text to something that can be evaluated (ns, less is better)",
        rows,
        |row| row.preparation[1],
        |row| row.peers_preparation,
    ));
}

fn chart(
    file: &str,
    title: &str,
    rows: &[Row],
    ours: impl Fn(&Row) -> Timing,
    peers: impl Fn(&Row) -> [Option<Timing>; 4],
) -> Chart {
    let mut series =
        vec![Series::new("libhcl", rows.iter().map(|row| Some(ours(row).min)).collect::<Vec<_>>())];
    for (index, peer) in PEERS.into_iter().enumerate() {
        let times: Vec<_> = rows.iter().map(|row| peers(row)[index].map(|time| time.min)).collect();
        series.push(Series::new(peer, times));
    }
    let names = rows.iter().map(|row| row.name.to_owned()).collect();
    Chart::dots(file, title, names, series)
}
