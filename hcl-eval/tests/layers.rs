//! Layers are imports: values know no functions, functions no evaluator, evaluation no decoding.
//!
//! The `crate::` paths of each source file are held against the order below.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders and files of `src` from the lowest layer to the highest. One imports those before it, and those it shares a
/// layer with.
const LAYERS: &[&[&str]] = &[
    &["text"],
    &["stack"],
    &["calendar"],
    &["limits"],
    // A type has capsules and texts of values, and a conversion is a matter of both.
    &["types", "value", "convert"],
    &["duration"],
    &["written"],
    &["host"],
    &["function"],
    &["stdlib"],
    &["dialect"],
    // Expressions are lowered with what the evaluator knows of names, and run by it.
    &["program", "eval"],
    &["columns"],
    &["reference"],
    &["explain"],
    &["codes"],
    &["dynamic"],
    &["decode"],
    &["order"],
    &["json_syntax"],
    &["evaluated"],
    &["serde"],
];

/// Imports against the order, with the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "limits/meter.rs",
        "value",
        "a meter keeps the room in which containers are made, and how objects were merged, from one evaluation to the next",
    ),
    (
        "types/mod.rs",
        "eval",
        "constraints have defaults, which are evaluated; their public path is that of types",
    ),
    ("types/type_expr.rs", "eval", "as above"),
];

fn layer_of(part: &str) -> usize {
    let part = match part {
        "Str" => "text",
        "Type" | "TupleType" | "ObjectType" | "ObjectAttribute" => "types",
        "Value" | "Kind" | "Mark" | "Marks" | "Number" | "Path" | "PathStep" | "Refinement"
        | "ValueError" | "ValueErrorKind" => "value",
        part => part,
    };
    LAYERS.iter().position(|layer| layer.contains(&part)).unwrap_or_else(|| panic!("{part} is in no layer"))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

/// The parts of the crate that a source names, outside comments and tests.
fn imports(text: &str) -> BTreeSet<&str> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut parts = BTreeSet::new();
    for line in code {
        for after in line.split("crate::").skip(1) {
            parts.insert(after.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default());
        }
    }
    // Groups name each part of their own, and macros and sorting are those of hcl-syntax.
    parts.retain(|part| !part.is_empty() && *part != "sorting");
    parts
}

#[test]
fn each_layer_imports_those_below() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut wrong, mut needed) = (Vec::new(), BTreeSet::new());
    for path in sources(&root) {
        let within = path.strip_prefix(&root).expect("below the root");
        let own = within.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        let own = own.trim_end_matches(".rs");
        if own == "lib" {
            continue;
        }
        let name = within.to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&path).expect("UTF-8");
        for part in imports(&text) {
            if layer_of(part) <= layer_of(own) {
                continue;
            }
            match EXCEPTIONS.iter().position(|(file, above, _)| *file == name && *above == part) {
                Some(position) => drop(needed.insert(position)),
                None => wrong.push(format!("{name} imports {part}")),
            }
        }
    }
    assert!(wrong.is_empty(), "against the order of layers:\n{}", wrong.join("\n"));
    assert_eq!(needed.len(), EXCEPTIONS.len(), "an exception is not needed any more");
}
