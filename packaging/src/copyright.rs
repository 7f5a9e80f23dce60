//! `debian/copyright`: whose the sources are, those of crates included, which a source package has in `vendor/`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::graph::{Crate, Graph};
use crate::license::{Text, holders, leaves, texts};

/// The authors of what is not in `vendor/`.
const OURS: &str = "2026 The libhcl developers";

/// Licences whose texts crates carry under names of their own: what the name has in it.
const CARRIED: [(&str, &str); 6] = [
    ("0BSD", "0BSD"),
    ("Apache-2.0 WITH LLVM-exception", "LLVM-EXCEPTION"),
    ("BSD-3-Clause", "WHATWG"),
    ("Unicode-3.0", "UNICODE"),
    ("Unlicense", "UNLICENSE"),
    ("Zlib", "ZLIB"),
];

/// The file.
pub(crate) fn text(graph: &Graph) -> Result<String, String> {
    let mut page = format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: libhcl\n\
         Comment: made by `make copyright` of the crates inside the packages; a test compares it.\n\n\
         Files: *\nCopyright: {OURS}\nLicense: MIT or Apache-2.0\n"
    );
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for leaf in ["MIT", "Apache-2.0"] {
        named.insert(leaf.to_owned(), standard(leaf).unwrap_or_default());
    }
    for one in graph.foreign() {
        let carried = texts(one)?;
        stanza(&mut page, one, &carried);
        for leaf in leaves(&one.license) {
            if !named.contains_key(&leaf) {
                named.insert(leaf.clone(), of_leaf(&leaf, one, &carried)?);
            }
        }
    }
    for (leaf, content) in named {
        let _ = writeln!(page, "\nLicense: {}", short(&leaf));
        for line in content.trim_end().lines().map(str::trim_end) {
            let _ = writeln!(page, " {}", if line.is_empty() { "." } else { line });
        }
    }
    Ok(page)
}

fn stanza(page: &mut String, one: &Crate, carried: &[Text]) {
    let (name, version) = &one.id;
    let _ = writeln!(page, "\nFiles: vendor/{name}-{version}/*");
    let _ = writeln!(page, "Copyright: {}", holders(one, carried).join("\n           "));
    let words = one.license.replace(['(', ')'], "");
    let alternatives: Vec<String> = words
        .split(" OR ")
        .map(|part| part.split(" AND ").map(short).collect::<Vec<_>>().join(" and "))
        .collect();
    // In "(a OR b) AND c" the comma says what binds weakest.
    let joined = match one.license.split_once(") AND ") {
        Some((left, right)) => {
            let left = left.trim_start_matches('(').split(" OR ").map(short).collect::<Vec<_>>().join(" or ");
            format!("{left}, and {}", short(right))
        }
        None => alternatives.join(" or "),
    };
    let _ = writeln!(page, "License: {joined}");
}

/// A licence by the name that the format has for it.
fn short(leaf: &str) -> String {
    match leaf.split_once(" WITH ") {
        Some((license, exception)) => {
            format!("{license} with {} exception", exception.trim_end_matches("-exception"))
        }
        None => leaf.to_owned(),
    }
}

fn of_leaf(leaf: &str, one: &Crate, carried: &[Text]) -> Result<String, String> {
    if let Some(text) = standard(leaf) {
        return Ok(text);
    }
    let part = CARRIED.iter().find(|(known, _)| *known == leaf).map(|(_, part)| *part);
    let found = part.and_then(|part| carried.iter().find(|text| text.file.to_uppercase().contains(part)));
    let found = found.map(|text| match text.content.split_once("--- LLVM Exceptions") {
        // The licence before the exception is one that Debian's systems have.
        Some((_, exception)) => {
            let exception = exception.split_once("----").map_or(exception, |(_, rest)| rest);
            format!("{}\n\n{}", standard("Apache-2.0").unwrap_or_default(), exception.trim())
        }
        None => text.content.clone(),
    });
    found.ok_or_else(|| format!("{} {}: the text of {leaf} is not found", one.id.0, one.id.1))
}

/// Texts that are ours or Debian's.
fn standard(leaf: &str) -> Option<String> {
    match leaf {
        "MIT" => {
            let ours = include_str!("../../LICENSE-MIT");
            Some(ours.split_once("Permission").map(|(_, rest)| format!("Permission{rest}"))?)
        }
        "Apache-2.0" => Some(
            "On Debian systems the whole text of the Apache License, version 2.0, is in\n\
             /usr/share/common-licenses/Apache-2.0."
                .to_owned(),
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::graph::Selection;

    #[test]
    fn the_file_in_the_tree_names_what_is_inside() {
        let selection = Selection {
            packages: vec!["hcl-ffi".to_owned(), "hcl-cli".to_owned()],
            target: Some("x86_64-unknown-linux-gnu".to_owned()),
            features: Vec::new(),
        };
        let graph = Graph::of(&selection).expect("cargo knows this workspace");
        let made = text(&graph).expect("every crate has its texts");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../debian/copyright");
        if std::env::var_os("HCL_UPDATE").is_some() {
            std::fs::write(&path, &made).expect("the tree is writable");
        }
        let there = std::fs::read_to_string(&path).expect("a file of the tree");
        assert!(made == there, "debian/copyright is another now: `make copyright` writes it");
        assert!(
            !made.contains("TERMS AND CONDITIONS FOR USE"),
            "Debian wants long licences to be named only"
        );
        for one in graph.foreign() {
            assert!(made.contains(&format!("\nFiles: vendor/{}-{}/*\n", one.id.0, one.id.1)));
        }
    }
}
