//! Texts that two builds are asked about: those of the tree as they are, and changed ones.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hcl_syntax::lexer;
use hcl_syntax::source::Source;
use serde_json::Value;

use crate::document::Document;

/// How many texts are cut at every byte.
const N_CUT: usize = 200;
/// Larger texts are not changed, only asked as they are.
const LARGEST_CHANGED: usize = 8 * 1024;
/// Larger files of the tree are left out.
const LARGEST: u64 = 256 * 1024;

/// The lines of a file.
///
/// # Errors
/// It can't be read.
pub fn lines(path: &Path) -> io::Result<Vec<String>> {
    BufReader::new(File::open(path)?).lines().collect()
}

/// All texts as they are, in order, each once.
///
/// # Errors
/// A file of the tree can't be read.
pub fn texts() -> io::Result<Vec<Vec<u8>>> {
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
pub fn changed_texts(texts: &[Vec<u8>], count: usize, random: &mut Random) -> Vec<Vec<u8>> {
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
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(limit.max(1)).unwrap_or(1)).unwrap_or(0)
    }
}
