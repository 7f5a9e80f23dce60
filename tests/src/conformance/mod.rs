//! The reference's answers held against ours.
//!
//! A corpus is a file of cases; its name says how its cases are asked and judged. What a script can ask
//! is asked through the batch entry points of `hcl_cli`, in this process; the rest through the public
//! API. `agreed` counts by the rules of the corpora's own scorers; `strictly` also wants the ends of
//! ranges, contexts and byte offsets. A difference that a decision names is intended; a case marked `differs` brings
//! its own.

mod convert;
mod decisions;
mod decode;
mod documents;
mod dynamic;
mod fixture;
mod floors;
mod fmt;
mod json;
mod judge;
mod language;
mod markdown;
mod modules;
mod nomad;
mod numbers;
mod packer;
mod report;
mod run;
mod tokens;
mod typeexpr;
mod userfunc;
mod values;
mod variables;

use std::collections::BTreeMap;

use serde_json::Value as Json;

pub use decisions::{Decision, decisions};
pub use floors::{Floor, floors};
pub use markdown::markdown;
pub use report::{CorpusReport, Difference, Standing, Tally, table};
pub use run::{NotRun, Run, run_file, run_folder};

/// The verdict on one case.
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

type Judge = fn(&Json) -> Verdict;

/// How the cases of a corpus are judged; nothing if the corpus is about something that is not there yet.
fn judge_of(corpus: &str) -> Option<Judge> {
    Some(match corpus {
        "language" | "functions" | "functions_ctx" => language::judge_terraform,
        "head_eval" => language::judge_head,
        "convert" => convert::judge,
        "decode" => decode::judge,
        "dynamic" => dynamic::judge,
        "documents" | "documents_bytes" => documents::judge,
        "json" => json::judge,
        "nomad" => nomad::judge,
        "tokens" => tokens::judge,
        "variables" => variables::judge,
        "typeexpr" => typeexpr::judge,
        "fmt" => fmt::judge,
        "userfunc" => userfunc::judge,
        "values" => values::judge,
        "modules" | "modules_opentofu" => modules::judge,
        "modules_validate" => modules::judge_validate,
        "packer" => packer::judge,
        "packer_structure" => packer::judge_structure,
        _ => return None,
    })
}

/// Tallies by area, in the order of their names.
type Areas = BTreeMap<String, Tally>;
