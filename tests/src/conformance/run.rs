//! Running corpora: a folder, a file, a case.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::fixture::use_fixture;
use super::report::CorpusReport;
use super::{Decision, Verdict, judge_of, numbers};

/// The outcome of a folder of corpora.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The corpora that were run, by name.
    pub reports: Vec<CorpusReport>,
    /// Files that look like corpora and were not run.
    pub not_run: Vec<NotRun>,
    /// True if the folder has a `fixture.json`; without one that of this repository is used.
    pub has_fixture: bool,
}

/// A file that was not run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotRun {
    /// The file's name.
    pub file: String,
    /// Why.
    pub why: String,
}

impl Run {
    /// How many cases differ without a decision that says so.
    pub fn n_differing(&self) -> usize {
        self.reports.iter().map(|report| report.total().differing()).sum()
    }
}

/// Runs every corpus of a folder that can be run.
///
/// # Errors
/// The folder or a file in it can't be read.
pub fn run_folder(folder: &Path, decisions: &[Decision]) -> io::Result<Run> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    paths.sort();
    let mut run = Run { has_fixture: use_fixture(folder)?, ..Run::default() };
    for path in paths.iter().filter(|path| has_cases(path)) {
        match run_file(path, decisions)? {
            Some(report) => run.reports.push(report),
            None => run.not_run.push(NotRun {
                file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                why: "no judge is known for a corpus of this name".to_owned(),
            }),
        }
    }
    Ok(run)
}

/// Tables that are no corpora: the differences that are meant, the functions that there are, and the releases that have them.
const OTHER_TABLES: &[&str] = &["decisions", "functions", "releases"];

/// Returns whether a file looks like a corpus: JSON lines, or lines with tabs in them.
fn has_cases(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ending == "jsonl" || (ending == "tsv" && !OTHER_TABLES.contains(&corpus_of(path).as_str()))
}

fn corpus_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Runs one corpus; nothing comes of a file that is none, or of a kind that can't be judged.
///
/// # Errors
/// The file can't be read.
pub fn run_file(path: &Path, decisions: &[Decision]) -> io::Result<Option<CorpusReport>> {
    let mut report = CorpusReport::new(corpus_of(path));
    if !has_cases(path) {
        return Ok(None);
    }
    if path.extension().is_some_and(|ending| ending == "tsv") {
        if !report.corpus.starts_with("numbers") {
            return Ok(None);
        }
        for (position, line) in lines_of(path)?.iter().enumerate() {
            let id = format!("numbers/all/{:04}", position + 1);
            match line {
                Ok(line) => report.count(&id, line, numbers::judge(line), decisions),
                Err(why) => report.count(&id, "", unreadable(why), decisions),
            }
        }
        return Ok(Some(report));
    }
    let Some(judge) = judge_of(&report.corpus) else { return Ok(None) };
    for (position, line) in lines_of(path)?.iter().enumerate() {
        let text = line.as_deref().unwrap_or_default();
        if line.is_ok() && text.trim().is_empty() {
            continue;
        }
        let case = match line {
            Ok(text) => serde_json::from_str::<Json>(text).map_err(|error| error.to_string()),
            Err(why) => Err(why.clone()),
        };
        match case {
            Ok(case) if case.is_object() => run_case(&case, judge, &mut report, decisions),
            other => {
                let id = format!("{}/unreadable/line {}", report.corpus, position + 1);
                let why = other.err().unwrap_or_else(|| "it is no object".to_owned());
                report.count(&id, text, unreadable(&why), decisions);
            }
        }
    }
    Ok(Some(report))
}

fn unreadable(why: &str) -> Verdict {
    Verdict::Differs(format!("the case can't be read: {why}"))
}

/// The lines of a file, or why one is no text.
fn lines_of(path: &Path) -> io::Result<Vec<Result<String, String>>> {
    let bytes = fs::read(path).map_err(|error| in_file(path, &error))?;
    let lines = bytes.strip_suffix(b"\n").unwrap_or(&bytes).split(|&byte| byte == b'\n');
    let line = |line: &[u8]| match std::str::from_utf8(line.strip_suffix(b"\r").unwrap_or(line)) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => Err(error.to_string()),
    };
    Ok(if bytes.is_empty() { Vec::new() } else { lines.map(line).collect() })
}

/// An error that tells which file it is about.
pub(super) fn in_file(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn run_case(case: &Json, judge: super::Judge, report: &mut CorpusReport, decisions: &[Decision]) {
    let id = id_of(case, &report.corpus);
    let differs = case.get("differs").map(|why| why.as_str().map_or_else(|| why.to_string(), str::to_owned));
    let own = differs.map(|why| Decision::of_corpus(&id, &why));
    let decisions = [decisions, own.as_slice()].concat();
    report.count(&id, &input(case), judge(case), &decisions);
}

/// The name of a case, with its corpus and area. Cases of folders have the area as their theme, and some are called
/// by their folder alone.
fn id_of(case: &Json, corpus: &str) -> String {
    let id =
        [text(case, "id"), text(case, "set")].into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    if id.is_empty() || id.contains('/') {
        return id.to_owned();
    }
    let area = [text(case, "theme"), "all"].into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    format!("{corpus}/{area}/{id}")
}

/// A text of a case; empty if there is none of that name.
fn text<'c>(case: &'c Json, key: &str) -> &'c str {
    case.get(key).and_then(Json::as_str).unwrap_or_default()
}

/// Returns the question of a case, for the report.
fn input(case: &Json) -> String {
    let keys = ["expr", "source", "src", "source_base64", "input", "inputs", "value", "unify", "args"];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_may_hold_anything() {
        let folder = std::env::temp_dir().join(format!("hcl-conformance-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the temporary folder is writable");
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("writable");
        write(
            "variables.jsonl",
            "{\"id\":\"variables/a/1\",\"expr\":\"a.b\",\"variables\":[\"a.b\"]}\r\nno case\n\n[]\n{}\n",
        );
        fs::write(folder.join("tokens.jsonl"), b"\xff\n").expect("writable");
        write("numbers_mixed.tsv", "I3:64 L2 /\t1.5\nL1 L2 +\t4\n");
        write("horoscopes.jsonl", "{}\n");
        write("notes.tsv", "a\tb\n");
        let known = [Decision {
            cases: "numbers/*/0002".to_owned(),
            difference: "*wanted*".to_owned(),
            name: "arithmetic".to_owned(),
            reason: "a test".to_owned(),
        }];
        let run = run_folder(&folder, &known).expect("readable");
        fs::remove_dir_all(&folder).expect("removable");
        let totals: Vec<_> = run.reports.iter().map(|report| (&*report.corpus, report.total())).collect();
        let [("numbers_mixed", numbers), ("tokens", tokens), ("variables", variables)] = totals.as_slice()
        else {
            panic!("{totals:?}");
        };
        assert_eq!((numbers.cases, numbers.agreed, numbers.intended, numbers.differing()), (2, 1, 1, 0));
        assert_eq!((variables.cases, variables.agreed, variables.differing()), (4, 1, 3));
        assert_eq!((tokens.cases, tokens.differing()), (1, 1));
        assert_eq!(run.n_differing(), 4);
        assert!(!run.has_fixture);
        let not_run: Vec<_> = run.not_run.iter().map(|file| file.file.as_str()).collect();
        assert_eq!(not_run, ["horoscopes.jsonl", "notes.tsv"]);
        assert!(run_folder(&folder, &known).is_err(), "the folder is gone");
    }
}
