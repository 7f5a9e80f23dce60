//! One run over everything, and the goals it is held against.

use clap::ValueEnum;

use crate::clock::Effort;
use crate::findings::Findings;
use crate::ordeal::{self, Bounds};
use crate::peer::Peer;
use crate::{depth, expressions, goals, guard, library, linear, numbers, parse, texts};

/// What can be measured by itself.
#[derive(Copy, Clone, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Part {
    /// Text to tree
    Parse,
    /// Instructions for a byte, by callgrind
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
    let go = Peer::start();
    if go.is_none() {
        findings.report.section("The reference", &["in this run"]);
        findings.report.row(vec!["NOT MEASURED: it needs Go, and the module cache or a network".into()]);
    }
    let go = go.as_ref();
    if wants(Part::Parse) {
        parse::run(is_quick, effort, go, findings);
    }
    if wants(Part::Instructions) && !is_quick {
        findings.figure("parse instructions", guard::per_byte("parse_tf"));
    }
    if wants(Part::Texts) {
        texts::run(is_quick, effort, go, findings);
    }
    if wants(Part::Expressions) {
        expressions::run(effort, go, findings);
    }
    if wants(Part::Numbers) {
        numbers::run(effort, go, findings);
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
