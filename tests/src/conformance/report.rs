//! The findings of a run, and a table of them for a terminal.

use std::collections::BTreeMap;

use super::decisions::decision_for;
use super::{Areas, Decision, Run, Verdict};

/// How the cases of one kind went.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How many there are.
    pub cases: usize,
    /// How many agree.
    pub agreed: usize,
    /// How many agree in everything.
    pub strictly: usize,
    /// How many differ because a decision says so.
    pub intended: usize,
}

impl Tally {
    /// How many differ, and no decision says so.
    pub fn differing(&self) -> usize {
        self.cases - self.agreed - self.intended
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            cases: self.cases + other.cases,
            agreed: self.agreed + other.agreed,
            strictly: self.strictly + other.strictly,
            intended: self.intended + other.intended,
        }
    }
}

/// The meaning of a difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// By the rules the case agrees; not in everything.
    Agrees,
    /// The case differs because of this decision.
    Intended(Decision),
    /// The case differs.
    Differs,
}

/// A case that does not agree in everything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The case.
    pub id: String,
    /// The question.
    pub input: String,
    /// The difference.
    pub why: String,
    /// The meaning of the difference.
    pub standing: Standing,
}

/// How a corpus went.
#[derive(Clone, Debug)]
pub struct CorpusReport {
    /// The file's name without its ending.
    pub corpus: String,
    /// Tallies by area.
    pub areas: Areas,
    /// The differences.
    pub differences: Vec<Difference>,
}

impl CorpusReport {
    pub(super) fn new(corpus: String) -> Self {
        Self { corpus, areas: Areas::new(), differences: Vec::new() }
    }

    /// All areas together.
    pub fn total(&self) -> Tally {
        self.areas.values().fold(Tally::default(), |sum, area| sum.plus(area))
    }

    pub(super) fn count(&mut self, id: &str, input: &str, verdict: Verdict, decisions: &[Decision]) {
        let area = id.split('/').nth(1).unwrap_or("all");
        let tally = self.areas.entry(area.to_owned()).or_default();
        tally.cases += 1;
        let (why, standing) = match verdict {
            Verdict::Strictly => {
                tally.agreed += 1;
                tally.strictly += 1;
                return;
            }
            Verdict::Loosely(why) => {
                tally.agreed += 1;
                (why, Standing::Agrees)
            }
            Verdict::Differs(why) => match decision_for(decisions, id, &why) {
                Some(decision) => {
                    tally.intended += 1;
                    (why, Standing::Intended(decision.clone()))
                }
                None => (why, Standing::Differs),
            },
        };
        self.differences.push(Difference { id: id.to_owned(), input: input.to_owned(), why, standing });
    }
}

/// The remark about a folder without a fixture.
pub(super) const NO_FIXTURE: &str = "the folder has no fixture.json, so that of the repository was used";

/// All corpora together.
pub(super) fn grand_total(run: &Run) -> Tally {
    run.reports.iter().fold(Tally::default(), |sum, report| sum.plus(&report.total()))
}

/// The decisions that some case is answered by, each with its cases, by name.
pub(super) fn by_decision(run: &Run) -> BTreeMap<&str, (&Decision, Vec<&Difference>)> {
    let mut by_name: BTreeMap<&str, (&Decision, Vec<&Difference>)> = BTreeMap::new();
    for difference in run.reports.iter().flat_map(|report| &report.differences) {
        if let Standing::Intended(decision) = &difference.standing {
            by_name.entry(&decision.name).or_insert((decision, Vec::new())).1.push(difference);
        }
    }
    by_name
}

/// A table of corpora and of the areas of each in which something differs; how many cases are answered
/// otherwise by which decision; then what differs unnamed.
pub fn table(run: &Run) -> String {
    let mut out =
        line("corpus / area", ["cases", "agreed", "strictly", "intended", "differing"].map(str::to_owned));
    for report in &run.reports {
        out.push_str(&row(&report.corpus, &report.total()));
        for (area, tally) in report.areas.iter().filter(|(_, tally)| tally.strictly < tally.cases) {
            out.push_str(&row(&format!("  {area}"), tally));
        }
    }
    out.push_str(&row("all", &grand_total(run)));
    out.push_str(&format!("answered otherwise on purpose: {}\n", grand_total(run).intended));
    for (name, (_, cases)) in by_decision(run) {
        out.push_str(&format!("{:>6}  {name}\n", cases.len()));
    }
    if !run.has_fixture {
        out.push_str(&format!("note: {NO_FIXTURE}\n"));
    }
    for file in &run.not_run {
        out.push_str(&format!("not run: {}: {}\n", file.file, file.why));
    }
    let differences = run.reports.iter().flat_map(|report| &report.differences);
    for difference in differences.filter(|difference| difference.standing == Standing::Differs).take(20) {
        out.push_str(&format!("{}: {}\n  {}\n", difference.id, difference.input, difference.why));
    }
    out
}

fn row(name: &str, tally: &Tally) -> String {
    let counts = [tally.cases, tally.agreed, tally.strictly, tally.intended, tally.differing()];
    line(name, counts.map(|count| count.to_string()))
}

fn line(name: &str, [cases, agreed, strictly, intended, differing]: [String; 5]) -> String {
    format!("{name:<28}{cases:>8}{agreed:>8}{strictly:>10}{intended:>10}{differing:>11}\n")
}
