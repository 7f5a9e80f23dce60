//! Paths of the tree as text with `/` between their parts, and the Markdown files in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::Target;
use crate::markdown::{anchors, links};

/// The path that a link `target` in the file `origin` names.
pub fn join(origin: &str, target: &str) -> String {
    let mut parts: Vec<&str> = origin.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The link from the file `from` to the file `to`.
pub fn relative(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').collect();
    let to: Vec<&str> = to.split('/').collect();
    let shared = from.iter().zip(&to).take(from.len() - 1).take_while(|(a, b)| a == b).count();
    let up = vec![".."; from.len() - 1 - shared];
    up.into_iter().chain(to[shared.min(to.len() - 1)..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// The paths of all files below a folder of the tree, sorted; hidden ones, build output and the crates of others left out.
pub fn files(root: &Path, folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            let left_out =
                name.starts_with('.') || ["target", "vendor", "node_modules"].contains(&name.as_str());
            if entry.path().is_dir() && !left_out {
                folders.push(path);
            } else if entry.path().is_file() && !name.starts_with('.') {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Links between files of the tree that lead nowhere: to a file that is not there, to a heading that a page does not have.
pub fn dead_links(root: &Path) -> Vec<String> {
    let texts: BTreeMap<String, String> = files(root, "")
        .into_iter()
        .filter(|path| path.ends_with(".md"))
        .filter_map(|path| Some((path.clone(), fs::read_to_string(root.join(&path)).ok()?)))
        .collect();
    let known: BTreeMap<&str, BTreeSet<String>> =
        texts.iter().map(|(path, text)| (path.as_str(), anchors(text))).collect();
    let mut found = Vec::new();
    for (origin, text) in &texts {
        for link in links(text) {
            // The texts of topics become pages elsewhere.
            let is_topic = origin.starts_with("hcl-eval/src/reference/");
            let place = if is_topic { "docs/functions/README.md" } else { origin.as_str() };
            let Some(target) = Target::of(place, &link.target) else { continue };
            // Pages that are made have no file.
            if target.path.starts_with("docs/generated/") && origin == "docs/SUMMARY.md" {
                continue;
            }
            let there = root.join(&target.path).exists();
            let anchored = match (target.anchor, known.get(target.path.as_str())) {
                (Some(anchor), Some(anchors)) => anchors.contains(anchor),
                _ => true,
            };
            if !there || !anchored {
                found.push(format!("{origin}: {} leads nowhere", link.target));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{join, relative};

    #[test]
    fn paths() {
        assert_eq!(join("docs/a.md", "../include/hcl.h"), "include/hcl.h");
        assert_eq!(join("README.md", "docs/"), "docs");
        assert_eq!(relative("a/b.md", "a/c.md"), "c.md");
        assert_eq!(relative("a/b.md", "c.md"), "../c.md");
        assert_eq!(relative("b.md", "a/c.md"), "a/c.md");
        assert_eq!(relative("a/b/c.md", "a/d/e.md"), "../d/e.md");
        assert_eq!(relative("a.md", "a.md"), "a.md");
    }
}
