//! Determinism: one input gives the same bytes again and again in one process, on several threads, and in other
//! processes, where hash tables are seeded differently. Compared are values, their marks and refinements, diagnostics
//! with ranges and details.
//!
//! `HCL_RUNS=1000` sets how often every input is answered; a tenth of them on each thread.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::thread;

use hcl_cli::batch;
use hcl_tests::check::transcript;
use hcl_tests::document::{Case, Document};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value as Json, json};

/// Set in the environment of a process that is only to print its answers.
const CHILD: &str = "HCL_PRINT_ANSWERS";
/// How often an input is answered where the environment does not say.
const RUNS: usize = 5;
const THREADS: usize = 4;
const PROCESSES: usize = 3;

fn main() -> ExitCode {
    let inputs = Arc::new(inputs());
    if env::var_os(CHILD).is_some() {
        let mut out = io::stdout().lock();
        let printed = inputs.iter().try_for_each(|input| out.write_all(input.answer().as_bytes()));
        return if printed.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let runs = env::var("HCL_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    let (here, there, elsewhere) = (Arc::clone(&inputs), Arc::clone(&inputs), inputs);
    let trials = vec![
        Trial::test("in_one_process", move || again(&here, runs)),
        Trial::test("across_threads", move || on_threads(&there, runs.div_ceil(10))),
        Trial::test("across_processes", move || in_processes(&elsewhere)),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Something that has an answer.
enum Input {
    /// A case of the documents.
    Case(Box<Case>),
    /// A request to a batch entry point.
    Request { text: String, answer: fn(&str) -> String },
}

impl Input {
    fn answer(&self) -> String {
        match self {
            Self::Case(case) => transcript(case).unwrap_or_else(|problem| problem),
            Self::Request { text, answer } => answer(text),
        }
    }
}

/// All cases of the documents, and a part of the corpora.
fn inputs() -> Vec<Input> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let documents = Document::read_all(&package.join("cases")).expect("the case documents are readable");
    let cases = documents.into_iter().flat_map(|document| document.cases);
    let mut inputs: Vec<Input> = cases.map(|case| Input::Case(Box::new(case))).collect();
    let corpora = package.join("conformance");
    inputs.extend(requests(corpora.join("head_eval.jsonl"), "hcl-test", batch::eval::answer));
    inputs.extend(requests(corpora.join("language.jsonl"), "terraform", batch::eval::answer));
    inputs.extend(requests(corpora.join("documents.jsonl"), "", batch::check::answer));
    inputs.extend(requests(corpora.join("variables.jsonl"), "", batch::vars::answer));
    inputs
}

/// Every seventh case of a corpus as a request.
fn requests(path: PathBuf, dialect: &str, answer: fn(&str) -> String) -> Vec<Input> {
    let text = fs::read_to_string(path).expect("the corpora are readable");
    let request = |line: &str| {
        let mut case: Json = serde_json::from_str(line).expect("a case is JSON");
        if !dialect.is_empty() {
            case["dialect"] = json!(dialect);
        }
        Input::Request { text: case.to_string(), answer }
    };
    text.lines().step_by(7).map(request).collect()
}

fn again(inputs: &[Input], runs: usize) -> Result<(), Failed> {
    for input in inputs {
        let first = input.answer();
        for _ in 1..runs {
            same(&first, &input.answer())?;
        }
    }
    Ok(())
}

fn on_threads(inputs: &[Input], runs: usize) -> Result<(), Failed> {
    let answers: Vec<String> = inputs.iter().map(Input::answer).collect();
    let work = || {
        for _ in 0..runs {
            for (input, first) in inputs.iter().zip(&answers) {
                same(first, &input.answer())?;
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })
}

fn in_processes(inputs: &[Input]) -> Result<(), Failed> {
    let here: String = inputs.iter().map(Input::answer).collect();
    for _ in 0..PROCESSES {
        let there = Command::new(env::current_exe()?).env(CHILD, "1").output()?;
        if !there.status.success() {
            return Err(Failed::from("the process could not print its answers"));
        }
        same(&here, &String::from_utf8_lossy(&there.stdout))?;
    }
    Ok(())
}

/// Fails with the lines that differ.
fn same(first: &str, later: &str) -> Result<(), Failed> {
    if first == later {
        return Ok(());
    }
    let differing = first.lines().zip(later.lines()).find(|(first, later)| first != later);
    let (first, later) = differing.unwrap_or((first, later));
    Err(Failed::from(format!("once: {first}\nthen: {later}")))
}
