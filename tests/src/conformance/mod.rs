//! The reference's answers held against ours.
//!
//! A corpus is a file of cases; its name says how its cases are asked and judged. What a script can ask
//! is asked through the batch entry points of `hcl_cli`, in this process; the rest through the public
//! API. `agreed` counts by the rules of the corpora's own scorers; `strictly` also wants the ends of
//! ranges, contexts and byte offsets. Cases marked `differs` are left out.

mod convert;
mod documents;
mod floors;
mod judge;
mod language;
mod numbers;
mod report;
mod tokens;
mod typeexpr;
mod variables;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value as Json;

pub use floors::{Floor, floors};
pub use report::{full_report, table};

/// What is known of one case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Everything agrees.
    Strictly,
    /// Everything that the rules look at agrees; this does not.
    Loosely(String),
    /// This does not agree.
    Differs(String),
}

impl Verdict {
    /// `Strictly`, or `Differs` for the reason given.
    fn of(outcome: Result<(), String>) -> Self {
        outcome.map_or_else(Self::Differs, |()| Self::Strictly)
    }

    /// Puts what is looked at only strictly behind what the rules look at.
    fn and_strictly(self, strictly: impl FnOnce() -> Result<(), String>) -> Self {
        match self {
            Self::Strictly => strictly().map_or_else(Self::Loosely, |()| Self::Strictly),
            verdict => verdict,
        }
    }
}

/// How the cases of one kind went.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How many there are.
    pub cases: usize,
    /// How many agree.
    pub agreed: usize,
    /// How many agree in everything.
    pub strictly: usize,
}

/// A case that does not agree in everything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The case.
    pub id: String,
    /// What was asked.
    pub input: String,
    /// What differs.
    pub why: String,
    /// Whether it agrees by the rules.
    pub agreed: bool,
}

/// How a corpus went.
#[derive(Clone, Debug)]
pub struct CorpusReport {
    /// The file's name without its ending.
    pub corpus: String,
    /// Tallies by area.
    pub areas: BTreeMap<String, Tally>,
    /// What differs.
    pub differences: Vec<Difference>,
}

impl CorpusReport {
    /// All areas together.
    pub fn total(&self) -> Tally {
        self.areas.values().fold(Tally::default(), |sum, area| Tally {
            cases: sum.cases + area.cases,
            agreed: sum.agreed + area.agreed,
            strictly: sum.strictly + area.strictly,
        })
    }

    fn count(&mut self, id: &str, input: &str, verdict: Verdict) {
        let area = id.split('/').nth(1).unwrap_or("all");
        let tally = self.areas.entry(area.to_owned()).or_default();
        tally.cases += 1;
        tally.agreed += usize::from(!matches!(verdict, Verdict::Differs(_)));
        tally.strictly += usize::from(verdict == Verdict::Strictly);
        let (why, agreed) = match verdict {
            Verdict::Strictly => return,
            Verdict::Loosely(why) => (why, true),
            Verdict::Differs(why) => (why, false),
        };
        self.differences.push(Difference { id: id.to_owned(), input: input.to_owned(), why, agreed });
    }
}

type Judge = fn(&Json) -> Verdict;

/// How the cases of a corpus are judged; nothing if the corpus is about something that is not there yet.
fn judge_of(corpus: &str) -> Option<Judge> {
    Some(match corpus {
        "language" | "functions" => language::judge_terraform,
        "head_eval" => language::judge_head,
        "convert" => convert::judge,
        "documents" | "documents_bytes" => documents::judge,
        "tokens" => tokens::judge,
        "variables" => variables::judge,
        "typeexpr" => typeexpr::judge,
        _ => return None,
    })
}

/// Runs every corpus of a folder that can be run, by name.
///
/// # Errors
/// A corpus can't be read.
pub fn run_folder(folder: &Path) -> io::Result<Vec<CorpusReport>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut reports = Vec::new();
    for path in paths {
        reports.extend(run_file(&path)?);
    }
    Ok(reports)
}

/// Runs one corpus, if the file is one.
///
/// # Errors
/// The file can't be read.
pub fn run_file(path: &Path) -> io::Result<Option<CorpusReport>> {
    let corpus = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut report = CorpusReport { corpus, areas: BTreeMap::new(), differences: Vec::new() };
    if path.extension().is_some_and(|extension| extension == "tsv") {
        for (position, line) in fs::read_to_string(path)?.lines().enumerate() {
            report.count(&format!("numbers/all/{:04}", position + 1), line, numbers::judge(line));
        }
        return Ok(Some(report));
    }
    let Some(judge) = judge_of(&report.corpus) else { return Ok(None) };
    for line in fs::read_to_string(path)?.lines().filter(|line| !line.trim().is_empty()) {
        let case: Json = serde_json::from_str(line)?;
        if case.get("differs").is_none() {
            report.count(text(&case, "id"), &input(&case), judge(&case));
        }
    }
    Ok(Some(report))
}

/// A text of a case; empty if there is none of that name.
fn text<'c>(case: &'c Json, key: &str) -> &'c str {
    case.get(key).and_then(Json::as_str).unwrap_or_default()
}

/// What a case asks, for the report.
fn input(case: &Json) -> String {
    let keys = ["expr", "source", "source_base64", "value", "unify"];
    let asked = keys.iter().find_map(|key| case.get(key)).map(Json::to_string).unwrap_or_default();
    match (
        case.get("to").and_then(Json::as_str),
        case.get("vars").filter(|vars| vars.as_object().is_some_and(|vars| !vars.is_empty())),
    ) {
        (Some(to), _) => format!("{asked} to {to}"),
        (None, Some(vars)) => format!("{asked} with {vars}"),
        (None, None) => asked,
    }
}
