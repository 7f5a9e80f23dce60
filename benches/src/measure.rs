//! One run over everything, and the goals it is held against.

use clap::ValueEnum;

use crate::clock::Effort;
use crate::findings::Findings;
use crate::ordeal::{self, Bounds};
use crate::peer::Peers;
use crate::{depth, expressions, goals, guard, library, linear, numbers, parse, texts};

/// A part that can be measured by itself.
#[derive(Copy, Clone, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Part {
    /// Text to tree
    Parse,
    /// Instructions of the pieces that the guard counts, by callgrind
    Instructions,
    /// Data to values, formatter, JSON
    Texts,
    /// The expressions
    Expressions,
    /// Numbers of 512 bits
    Numbers,
    /// The library in C programs
    Library,
    /// Growth up to 100 MB and 1,000,000 elements
    Growth,
    /// Small stacks and raised limits
    Depth,
    /// Pathological input
    Hostile,
}

/// Measures all parts, or those chosen, and judges.
pub(crate) fn run(is_quick: bool, only: &[Part], findings: &mut Findings) {
    let effort = if is_quick { Effort::QUICK } else { Effort::FULL };
    let wants = |part: Part| only.is_empty() || only.contains(&part);
    let peers = Peers::start();
    if peers.installed.is_none() {
        findings.report.section("The installed library", &["in this run"]);
        findings.report.row(vec![
            "NOT MEASURED: `benches/libraries` installs it; its rows are those of this build".into(),
        ]);
    }
    if peers.go.is_none() {
        findings.report.section("The reference", &["in this run"]);
        findings.report.row(vec!["NOT MEASURED: it needs Go, and the module cache or a network".into()]);
    }
    if wants(Part::Parse) {
        parse::run(is_quick, effort, &peers, findings);
    }
    if wants(Part::Instructions) && !is_quick {
        guard::take_up(findings);
    }
    if wants(Part::Texts) {
        texts::run(is_quick, effort, &peers, findings);
    }
    if wants(Part::Expressions) {
        expressions::run(effort, &peers, findings);
    }
    if wants(Part::Numbers) {
        numbers::run(effort, &peers, findings);
    }
    if wants(Part::Library) && !is_quick {
        library::run(findings);
        library::take_up_embedding(findings);
    }
    if wants(Part::Growth) {
        linear::run(is_quick, effort, findings);
    }
    if wants(Part::Depth) {
        depth::run(is_quick, findings);
    }
    if wants(Part::Hostile) && !is_quick {
        ordeal::run(&[10_000, 100_000, 1_000_000], &[], Bounds::Cost, findings);
    }
    goals::judge(findings);
}
