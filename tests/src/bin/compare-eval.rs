//! Asks two builds of `eval-answers` about the same texts and shows where their answers differ.
//!
//! Usage: `compare-eval BEFORE AFTER [COUNT [SEED]]`. BEFORE and AFTER are executables of `eval-answers`. The texts are
//! those of `compare-parse`: all strings of the conformance corpora, all fences of the case documents, the files of the
//! tree, and COUNT changed ones. The exit status is 1 if an answer differs, or if there was nothing to ask.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::process::{Command, ExitCode, Stdio};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hcl_tests::questions::{Random, changed_texts, lines, texts};

/// Longer texts are not asked about: what they add are files, whose expressions are asked about one by one.
const LONGEST: usize = 16 * 1024;
/// How many texts one process is asked.
const BATCH: usize = 10_000;
/// How many differences are shown in full.
const N_SHOWN: usize = 12;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "compare-eval: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Compares; whether all answers are equal.
fn run() -> io::Result<bool> {
    let mut arguments = std::env::args().skip(1);
    let usage = || io::Error::other("usage: compare-eval BEFORE AFTER [COUNT [SEED]]");
    let programs = [arguments.next().ok_or_else(usage)?, arguments.next().ok_or_else(usage)?];
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let count = number(100_000).map_err(io::Error::other)?;
    let mut random = Random::new(number(1).map_err(io::Error::other)?);
    let texts: Vec<Vec<u8>> = texts()?.into_iter().filter(|text| text.len() <= LONGEST).collect();
    let changed = changed_texts(&texts, usize::try_from(count).unwrap_or(usize::MAX), &mut random);
    let n_asked = [texts.len(), changed.len()];
    let asked: Vec<String> = texts.iter().chain(&changed).map(|text| BASE64_STANDARD.encode(text)).collect();
    let (mut n_differing, mut n_evaluated) = (0, 0);
    for batch in asked.chunks(BATCH) {
        let (differing, evaluated) = compare(&programs, batch, n_differing)?;
        n_differing += differing;
        n_evaluated += evaluated;
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} texts and {} changed ones, {n_evaluated} evaluations of each build: {n_differing} texts are answered differently",
        n_asked[0], n_asked[1],
    )?;
    Ok(n_differing == 0 && n_evaluated > 0)
}

/// Asks both programs; how many answers differ, and how many evaluations there were. The first ones are shown.
fn compare(programs: &[String; 2], asked: &[String], n_before: usize) -> io::Result<(usize, usize)> {
    let folder = std::env::temp_dir().join(format!("compare-eval-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let input = folder.join("questions");
    let mut file = BufWriter::new(File::create(&input)?);
    for question in asked {
        writeln!(file, "{question}")?;
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)?;
    let outputs = [folder.join("before"), folder.join("after")];
    let mut children = Vec::new();
    for (program, output) in programs.iter().zip(&outputs) {
        let mut command = Command::new(program);
        command.stdin(File::open(&input)?).stdout(File::create(output)?);
        children.push(command.stderr(Stdio::inherit()).spawn()?);
    }
    for mut child in children {
        child.wait()?;
    }
    let [before, after] = outputs.map(|output| lines(&output));
    let (before, after) = (before?, after?);
    let (mut n_differing, mut n_evaluated) = (0, 0);
    for (index, question) in asked.iter().enumerate() {
        let answers = [before.get(index), after.get(index)].map(|answer| answer.map(String::as_str));
        n_evaluated += answers[1].map_or(0, |answer| answer.split('\t').count() - 1);
        if answers[0].is_some() && answers[0] == answers[1] {
            continue;
        }
        n_differing += 1;
        if n_before + n_differing <= N_SHOWN {
            show(question, answers)?;
        }
    }
    fs::remove_dir_all(&folder)?;
    Ok((n_differing, n_evaluated))
}

/// Shows the first evaluation that is answered differently.
fn show(question: &str, answers: [Option<&str>; 2]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let text = BASE64_STANDARD.decode(question).unwrap_or_default();
    writeln!(out, "text:   {:?}", String::from_utf8_lossy(&text))?;
    let [before, after] = answers.map(|answer| answer.unwrap_or("no answer").split('\t'));
    if let Some((before, after)) = before.zip(after).find(|(before, after)| before != after) {
        writeln!(out, "before: {before}\nafter:  {after}")?;
    }
    Ok(())
}
