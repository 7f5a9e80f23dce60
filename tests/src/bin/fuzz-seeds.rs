//! Writes the inputs that fuzzing begins with: `fuzz-seeds FOLDER` makes a folder for each target in it.
//!
//! They are the texts of the corpora, of the case documents and of the tree, as each target takes them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hcl_tests::questions::{lines, texts};
use serde_json::Value;

/// Longer texts are left out: short inputs are changed quickly.
const LONGEST: usize = 1024;

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        let _ = writeln!(io::stderr(), "usage: fuzz-seeds FOLDER");
        return ExitCode::FAILURE;
    };
    match write_all(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "fuzz-seeds: {folder}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write_all(folder: &Path) -> io::Result<()> {
    let (mut parse, mut json, mut evaluate, mut template) = (
        Seeds::new(folder, "parse")?,
        Seeds::new(folder, "json")?,
        Seeds::new(folder, "evaluate")?,
        Seeds::new(folder, "template")?,
    );
    for text in texts()?.into_iter().filter(|text| text.len() <= LONGEST) {
        parse.add(&text)?;
        if text.starts_with(b"{") || text.starts_with(b"[") || text.starts_with(b"\"") {
            json.add(&text)?;
        }
        let marked = [b"#", text.as_slice()].concat();
        evaluate.add(&marked)?;
        if text.windows(2).any(|pair| pair == b"${" || pair == b"%{") {
            template.add(&marked)?;
        }
    }
    let mut decode = Seeds::new(folder, "decode")?;
    for corpus in ["decode.jsonl", "dynamic.jsonl"] {
        for line in lines(&Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance").join(corpus))? {
            let case: Value = serde_json::from_str(&line)?;
            if let (Some(spec), Some(input)) = (case["spec"].as_str(), case["input"].as_str()) {
                decode.add(format!("#{spec}\0{input}").as_bytes())?;
            }
        }
    }
    Seeds::new(folder, "c_api")?.add(&[2, 0, 0, 6, 0, 0, 1, 0, 0, 1, 8, 0, 0, 0, 9, 0, 0, 13, 0, 0])
}

/// The inputs of a target.
struct Seeds {
    folder: PathBuf,
    n_written: usize,
}

impl Seeds {
    fn new(folder: &Path, target: &str) -> io::Result<Self> {
        let folder = folder.join(target);
        fs::create_dir_all(&folder)?;
        Ok(Self { folder, n_written: 0 })
    }

    fn add(&mut self, input: &[u8]) -> io::Result<()> {
        self.n_written += 1;
        fs::write(self.folder.join(self.n_written.to_string()), input)
    }
}
