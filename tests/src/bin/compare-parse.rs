//! Asks two builds of the command `hcl` the same questions about syntax and shows where their answers differ.
//!
//! Usage: `compare-parse BEFORE AFTER [COUNT [SEED]]`. BEFORE and AFTER are executables of `hcl`. The texts are all
//! strings of the conformance corpora, all fences of the case documents, the files of the tree, and COUNT changed
//! ones: the shortest texts cut at every byte, the others with bytes flipped, removed or doubled, or with tokens
//! exchanged. The exit status is 1 if an answer differs, or if there was nothing to ask.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hcl_syntax::lexer;
use hcl_syntax::source::Source;
use hcl_tests::document::Document;
use serde_json::{Value, json};

/// How many texts are cut at every byte.
const N_CUT: usize = 200;
/// Larger texts are not changed, only asked as they are.
const LARGEST_CHANGED: usize = 8 * 1024;
/// Larger files of the tree are left out.
const LARGEST: u64 = 256 * 1024;
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
    let mut random = Random(number(1).map_err(io::Error::other)?);
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

/// What a text is taken for: the verb that is asked, and the line it is given.
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

fn lines(path: &Path) -> io::Result<Vec<String>> {
    BufReader::new(File::open(path)?).lines().collect()
}

/// All texts as they are, in order, each once.
fn texts() -> io::Result<Vec<Vec<u8>>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    for corpus in files_below(&package.join("conformance"))? {
        if corpus.extension().is_some_and(|extension| extension == "jsonl") {
            for line in lines(&corpus)? {
                let case: Value = serde_json::from_str(&line).map_err(io::Error::other)?;
                strings_of(&case, "", &mut texts);
            }
        }
    }
    for document in Document::read_all(&package.join("cases"))? {
        let fences = document.cases.into_iter().flat_map(|case| case.fences);
        texts.extend(fences.map(|fence| fence.text.into_bytes()));
    }
    for folder in
        ["bindings", "benches", "docs", "examples", "hcl-cli", "hcl-eval", "hcl-ffi", "hcl-syntax", "tests"]
    {
        for file in files_below(&package.join("..").join(folder))? {
            if fs::metadata(&file)?.len() <= LARGEST {
                texts.push(fs::read(&file)?);
            }
        }
    }
    texts.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    texts.dedup();
    Ok(texts)
}

/// The strings in a case of a corpus; what is named `…_base64` is decoded.
fn strings_of(value: &Value, name: &str, texts: &mut Vec<Vec<u8>>) {
    match value {
        Value::String(text) if name.ends_with("_base64") => texts.extend(BASE64_STANDARD.decode(text)),
        Value::String(text) => texts.push(text.clone().into_bytes()),
        Value::Array(elements) => elements.iter().for_each(|element| strings_of(element, name, texts)),
        Value::Object(properties) => {
            properties.iter().for_each(|(name, property)| strings_of(property, name, texts));
        }
        _ => {}
    }
}

/// The files in a folder and those below it, in order.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            files.extend(files_below(&entry.path())?);
        } else if entry.file_type()?.is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// So many changed texts; more if the shortest texts have more bytes.
fn changed_texts(texts: &[Vec<u8>], count: usize, random: &mut Random) -> Vec<Vec<u8>> {
    let usual: Vec<&Vec<u8>> =
        texts.iter().filter(|text| (8..=LARGEST_CHANGED).contains(&text.len())).collect();
    if count == 0 || usual.is_empty() {
        return Vec::new();
    }
    let cut = usual.iter().take(N_CUT).flat_map(|text| (0..text.len()).map(|end| text[..end].to_vec()));
    let mut changed: Vec<Vec<u8>> = cut.collect();
    while changed.len() < count {
        let mut text = usual[random.below(usual.len())].clone();
        for _ in 0..=random.below(3) {
            change(&mut text, random);
        }
        changed.push(text);
    }
    changed
}

/// Makes one change to a text.
fn change(text: &mut Vec<u8>, random: &mut Random) {
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len());
    match random.below(6) {
        0 => text[at] ^= 1 << random.below(8),
        1 => {
            text.remove(at);
        }
        2 => text.insert(at, text[at]),
        3 => text.truncate(at),
        _ => exchange_tokens(text, random),
    }
}

/// Exchanges two tokens, or puts a copy of one in the place of another.
fn exchange_tokens(text: &mut Vec<u8>, random: &mut Random) {
    let Ok(source) = Source::new("text", text.as_slice()) else { return };
    let tokens = lexer::tokens(&source);
    let place = |token: usize| -> Range<usize> {
        let span = tokens[token].span;
        span.start as usize..span.end as usize
    };
    let (one, other) = (random.below(tokens.len()), random.below(tokens.len()));
    let (first, second) = (place(one.min(other)), place(one.max(other)));
    if first.end > second.start || second.end > text.len() {
        return;
    }
    let mut exchanged = text[..first.start].to_vec();
    exchanged.extend_from_slice(&text[second.clone()]);
    exchanged.extend_from_slice(&text[first.end..second.start]);
    let last = if random.below(2) == 0 { first } else { second.clone() };
    exchanged.extend_from_slice(&text[last]);
    exchanged.extend_from_slice(&text[second.end..]);
    *text = exchanged;
}

/// A generator of numbers that are the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(limit.max(1)).unwrap_or(1)).unwrap_or(0)
    }
}
