//! Asks two builds of the command `hcl` the same questions about syntax and shows where their answers differ.
//!
//! Usage: `compare-parse BEFORE AFTER [COUNT [SEED]]`. BEFORE and AFTER are executables of `hcl`. The texts are all
//! strings of the conformance corpora, all fences of the case documents, the files of the tree, and COUNT changed
//! ones: the shortest texts cut at every byte, the others with bytes flipped, removed or doubled, or with tokens
//! exchanged. The exit status is 1 if an answer differs, or if there was nothing to ask.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::process::{Command, ExitCode, Stdio};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hcl_tests::questions::{Random, changed_texts, lines, texts};
use serde_json::{Value, json};

/// How many texts one process is asked.
const BATCH: usize = 20_000;
/// How many differences are shown in full.
const N_SHOWN: usize = 10;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "compare-parse: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Compares; whether all answers are equal.
fn run() -> io::Result<bool> {
    let mut arguments = std::env::args().skip(1);
    let usage = || io::Error::other("usage: compare-parse BEFORE AFTER [COUNT [SEED]]");
    let programs = [arguments.next().ok_or_else(usage)?, arguments.next().ok_or_else(usage)?];
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let count = number(100_000).map_err(io::Error::other)?;
    let mut random = Random::new(number(1).map_err(io::Error::other)?);
    let texts = texts()?;
    let changed: Vec<Vec<u8>> =
        changed_texts(&texts, usize::try_from(count).unwrap_or(usize::MAX), &mut random);
    let n_asked = [texts.len(), changed.len()];
    let questions: Vec<Question> = texts
        .into_iter()
        .flat_map(Question::all)
        .chain(changed.into_iter().flat_map(Question::all))
        .collect();
    let mut n_differing = 0;
    for batch in questions.chunks(BATCH) {
        n_differing += compare(&programs, batch, n_differing)?;
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} texts and {} changed ones, {} questions: {n_differing} answers differ",
        n_asked[0],
        n_asked[1],
        questions.len()
    )?;
    Ok(n_differing == 0 && !questions.is_empty())
}

/// A question about a text: the verb that is asked, and the line it is given.
struct Question {
    verb: &'static str,
    line: String,
}

impl Question {
    /// A file, and where the text is UTF-8 also an expression and a template.
    fn all(text: Vec<u8>) -> Vec<Self> {
        let encoded = BASE64_STANDARD.encode(&text);
        let mut all = vec![Self::new("check", &json!({"source_base64": encoded}))];
        if let Ok(text) = String::from_utf8(text) {
            let template = json!({"expr": "templatefile(\"t\", {})", "files": {"t": encoded}});
            all.push(Self::new("vars", &json!({"expr": text})));
            all.push(Self::new("eval", &template));
        }
        all
    }

    fn new(verb: &'static str, request: &Value) -> Self {
        Self { verb, line: request.to_string() }
    }
}

/// Asks both programs; how many answers differ. The first ones are shown.
fn compare(programs: &[String; 2], questions: &[Question], n_before: usize) -> io::Result<usize> {
    let folder = std::env::temp_dir().join(format!("compare-parse-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut n_differing = 0;
    for verb in ["check", "vars", "eval"] {
        let asked: Vec<&Question> = questions.iter().filter(|question| question.verb == verb).collect();
        let input = folder.join("questions");
        let mut file = BufWriter::new(File::create(&input)?);
        for question in &asked {
            writeln!(file, "{}", question.line)?;
        }
        file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let outputs = [folder.join("before"), folder.join("after")];
        let mut children = Vec::new();
        for (program, output) in programs.iter().zip(&outputs) {
            let mut command = Command::new(program);
            command.args([verb, "--jsonl"]).stdin(File::open(&input)?).stdout(File::create(output)?);
            children.push(command.stderr(Stdio::inherit()).spawn()?);
        }
        for mut child in children {
            child.wait()?;
        }
        let [before, after] = outputs.map(|output| lines(&output));
        let (before, after) = (before?, after?);
        for (index, question) in asked.iter().enumerate() {
            let answers = [before.get(index), after.get(index)];
            if answers[0].is_some() && answers[0] == answers[1] {
                continue;
            }
            n_differing += 1;
            if n_before + n_differing <= N_SHOWN {
                show(question, answers)?;
            }
        }
    }
    fs::remove_dir_all(&folder)?;
    Ok(n_differing)
}

fn show(question: &Question, answers: [Option<&String>; 2]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "hcl {} --jsonl <<< '{}'", question.verb, question.line)?;
    if let Ok(request) = serde_json::from_str::<Value>(&question.line)
        && let Some(encoded) = request["source_base64"].as_str()
        && let Ok(text) = BASE64_STANDARD.decode(encoded)
    {
        writeln!(out, "  text:   {:?}", String::from_utf8_lossy(&text))?;
    }
    writeln!(out, "  before: {}", answers[0].map_or("no answer", String::as_str))?;
    writeln!(out, "  after:  {}", answers[1].map_or("no answer", String::as_str))
}
