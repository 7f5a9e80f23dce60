//! The licence texts that crates carry.

use std::fs;
use std::path::Path;

use crate::graph::Crate;

/// A file of a crate that speaks of rights.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// Its name, without folders.
    pub(crate) file: String,
    pub(crate) content: String,
}

/// How the names of such files begin, in capital letters.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// The texts of a crate by name; a crate without any can't be given away.
pub(crate) fn texts(one: &Crate) -> Result<Vec<Text>, String> {
    let found = texts_in(&one.folder)
        .map_err(|error| format!("{} {} cannot be read: {error}", one.id.0, one.id.1))?;
    if found.is_empty() {
        return Err(format!("{} {} carries no licence text", one.id.0, one.id.1));
    }
    Ok(found)
}

fn texts_in(folder: &Path) -> std::io::Result<Vec<Text>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let upper = file.to_uppercase();
        if !NAMES.iter().any(|name| upper.starts_with(name)) {
            continue;
        }
        if path.is_dir() {
            for inner in fs::read_dir(&path)? {
                let path = inner?.path();
                let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                found.push(Text { file, content: fs::read_to_string(&path)? });
            }
        } else if !path.extension().is_some_and(|ending| ending == "rs" || ending == "html") {
            found.push(Text { file, content: fs::read_to_string(&path)? });
        }
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(found)
}

/// A text with its white space evened out, to find equal ones.
pub(crate) fn evened(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lines that name who holds the rights, each once; without any, the authors that the manifest names.
pub(crate) fn holders(one: &Crate, texts: &[Text]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for text in texts {
        for line in text.content.lines().map(str::trim) {
            let rest = ["Copyright (c) ", "Copyright (C) ", "Copyright © ", "Copyright "]
                .iter()
                .find_map(|start| line.strip_prefix(start));
            // The Apache licence has a pattern of such a line, and sentences that begin with the word.
            let is_claim =
                rest.is_some_and(|rest| !rest.contains(['[', '{']) && !rest.starts_with("License"));
            if let (true, Some(rest)) = (is_claim, rest) {
                let rest = rest.trim_end_matches(". All rights reserved.").to_owned();
                if !found.contains(&rest) && has_name(&rest) {
                    found.push(rest);
                }
            }
        }
    }
    if found.is_empty() {
        found.extend(one.authors.iter().map(|author| author.split(" <").next().unwrap_or(author).to_owned()));
    }
    if found.is_empty() {
        found.push(format!("the authors of {}", one.id.0));
    }
    found
}

/// Sentences of licences that begin with the word "copyright" are in lower case; names of people and projects are not.
fn has_name(rest: &str) -> bool {
    rest.split(' ').any(|word| word.starts_with(char::is_uppercase))
        && !rest.starts_with(|c: char| c.is_lowercase())
}

/// The licences that an expression names, each once.
pub(crate) fn leaves(expression: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for leaf in expression.replace(['(', ')'], "").split(" OR ").flat_map(|part| part.split(" AND ")) {
        let leaf = leaf.trim().to_owned();
        if !found.contains(&leaf) {
            found.push(leaf);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(content: &str) -> Text {
        Text { file: "LICENSE".to_owned(), content: content.to_owned() }
    }

    fn sample() -> Crate {
        Crate {
            id: ("sample".to_owned(), "1.0.0".to_owned()),
            license: "MIT".to_owned(),
            authors: vec!["A. Writer <a@example.org>".to_owned()],
            repository: None,
            folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("cmake"),
            checksum: None,
            is_ours: false,
            needs: std::collections::BTreeSet::new(),
        }
    }

    #[test]
    fn a_crate_without_a_text_is_an_error() {
        assert_eq!(texts(&sample()).expect_err("sources only"), "sample 1.0.0 carries no licence text");
    }

    #[test]
    fn holders_are_found_or_taken_from_the_manifest() {
        let claims =
            text("Copyright (c) 2014 The Rust Project\n\ncopyright notice\n  Copyright [yyyy] [name]\n");
        assert_eq!(holders(&sample(), &[claims]), ["2014 The Rust Project"]);
        assert_eq!(holders(&sample(), &[text("no claim")]), ["A. Writer"]);
    }

    #[test]
    fn expressions_come_apart() {
        assert_eq!(leaves("(MIT OR Apache-2.0) AND Unicode-3.0"), ["MIT", "Apache-2.0", "Unicode-3.0"]);
        assert_eq!(
            leaves("Apache-2.0 WITH LLVM-exception OR MIT"),
            ["Apache-2.0 WITH LLVM-exception", "MIT"]
        );
    }
}
