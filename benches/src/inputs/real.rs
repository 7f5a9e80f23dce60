//! Files that people have written: the examples and tests of the tree, and what the case documents show.

use std::path::{Path, PathBuf};

use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;

/// Files of these endings are HCL.
const ENDINGS: [&str; 6] = ["hcl", "tf", "tofu", "nomad", "tfvars", "hcldec"];
/// Fences of case documents that hold whole files.
const FENCES: [&str; 4] = ["hcl", "module", "config", "spec"];

/// All that are valid, in a fixed order.
pub(crate) fn real_files() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut paths = Vec::new();
    for folder in ["examples", "tests", "hcl-cli", "docs"] {
        collect(&root.join(folder), &mut paths);
    }
    paths.sort();
    let mut texts = Vec::new();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if path.extension().is_some_and(|ending| ending == "md") {
            texts.extend(fences(&text));
        } else {
            texts.push(text);
        }
    }
    texts.retain(|text| is_valid(text));
    texts
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if ending == "md" || ENDINGS.contains(&ending) {
                paths.push(path);
            }
        }
    }
}

/// The fences of a document that are files.
fn fences(document: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        let Some(word) = line.strip_prefix("```") else { continue };
        let text: String = lines
            .by_ref()
            .take_while(|line| !line.starts_with("```"))
            .flat_map(|line| [line, "\n"])
            .collect();
        if FENCES.contains(&word.split(' ').next().unwrap_or_default()) {
            texts.push(text);
        }
    }
    texts
}

fn is_valid(text: &str) -> bool {
    let source = Source::new("file", text);
    source.is_ok_and(|source| parse_file(source, &ParseLimits::default()).1.is_empty())
}
