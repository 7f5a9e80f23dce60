//! The crates that a package of the workspace is built of, as cargo tells it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The packages, the target and the features of a build.
#[derive(Default, Debug)]
pub(crate) struct Selection {
    /// Packages of the workspace.
    pub(crate) packages: Vec<String>,
    /// The triple of another machine than this one.
    pub(crate) target: Option<String>,
    /// Flags of cargo, such as `--no-default-features`.
    pub(crate) features: Vec<String>,
}

/// Name and version.
pub(crate) type Id = (String, String);

/// A crate.
#[derive(Clone, Debug)]
pub(crate) struct Crate {
    pub(crate) id: Id,
    /// An SPDX expression.
    pub(crate) license: String,
    pub(crate) authors: Vec<String>,
    pub(crate) repository: Option<String>,
    /// Where its sources lie.
    pub(crate) folder: PathBuf,
    /// SHA-256 of what the registry has of it.
    pub(crate) checksum: Option<String>,
    /// A member of this workspace.
    pub(crate) is_ours: bool,
    /// The crates it is linked with, and for our own crates those that make the tables in them.
    pub(crate) needs: BTreeSet<Id>,
}

/// The crates of a build.
#[derive(Debug)]
pub(crate) struct Graph {
    /// The selected packages.
    pub(crate) roots: Vec<Id>,
    /// All crates in order of their names.
    pub(crate) crates: BTreeMap<Id, Crate>,
    /// As `rustc --version` says it.
    pub(crate) rustc: String,
}

impl Graph {
    /// Asks cargo.
    pub(crate) fn of(selection: &Selection) -> Result<Graph, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let linked = tree(&root, selection, "normal,no-proc-macro")?;
        let built = tree(&root, selection, "normal,build,no-proc-macro")?;
        let metadata = output(
            cargo(&root)
                .args(["metadata", "--format-version", "1", "--locked"])
                .args(selection.target.iter().flat_map(|triple| ["--filter-platform", triple.as_str()])),
        )?;
        let metadata: Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
        let lock = std::fs::read_to_string(root.join("Cargo.lock")).map_err(|error| error.to_string())?;
        let checksums = checksums(&lock);

        let mut graph = Graph { roots: linked.roots, crates: BTreeMap::new(), rustc: rustc()? };
        let mut known = BTreeMap::new();
        for package in metadata["packages"].as_array().into_iter().flatten() {
            let one = crate_of(package, &checksums)?;
            known.insert(one.id.clone(), one);
        }
        let mut waiting = graph.roots.clone();
        while let Some(id) = waiting.pop() {
            if graph.crates.contains_key(&id) {
                continue;
            }
            let mut one =
                known.get(&id).cloned().ok_or_else(|| format!("cargo metadata lacks {} {}", id.0, id.1))?;
            one.needs.extend(linked.needs.get(&id).into_iter().flatten().cloned());
            if one.is_ours {
                // Build scripts of our own make tables of these crates, which are then in the library.
                one.needs.extend(built.needs.get(&id).into_iter().flatten().cloned());
            }
            waiting.extend(one.needs.iter().cloned());
            graph.crates.insert(id, one);
        }
        Ok(graph)
    }

    /// The crates that others wrote.
    pub(crate) fn foreign(&self) -> impl Iterator<Item = &Crate> {
        self.crates.values().filter(|one| !one.is_ours)
    }
}

/// The dependencies, crate by crate.
#[derive(Default, Debug)]
struct Tree {
    roots: Vec<Id>,
    needs: BTreeMap<Id, BTreeSet<Id>>,
}

fn tree(root: &Path, selection: &Selection, edges: &str) -> Result<Tree, String> {
    let mut command = cargo(root);
    command.args([
        "tree",
        "--locked",
        "--no-dedupe",
        "--prefix",
        "depth",
        "--format",
        " {p}",
        "--edges",
        edges,
    ]);
    for package in &selection.packages {
        command.args(["--package", package]);
    }
    command.args(selection.target.iter().flat_map(|triple| ["--target", triple.as_str()]));
    command.args(&selection.features);
    parse_tree(&output(&mut command)?)
}

/// Reads lines such as `2 base64 v0.22.1`: depth, name, version.
fn parse_tree(text: &str) -> Result<Tree, String> {
    let mut found = Tree::default();
    let mut above: Vec<Id> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let mut words = line.split(' ');
        let depth = words.next().and_then(|word| word.parse::<usize>().ok());
        let name = words.next();
        let version = words.next().and_then(|word| word.strip_prefix('v'));
        let (Some(depth), Some(name), Some(version)) = (depth, name, version) else {
            return Err(format!("cargo tree writes a line of another form: {line}"));
        };
        let id = (name.to_owned(), version.to_owned());
        above.truncate(depth);
        match above.last() {
            Some(parent) => {
                found.needs.entry(parent.clone()).or_default().insert(id.clone());
            }
            None => found.roots.push(id.clone()),
        }
        above.push(id);
    }
    Ok(found)
}

fn crate_of(package: &Value, checksums: &BTreeMap<Id, String>) -> Result<Crate, String> {
    let text = |key: &str| package[key].as_str().map(str::to_owned);
    let (Some(name), Some(version)) = (text("name"), text("version")) else {
        return Err("cargo metadata has a package without name or version".to_owned());
    };
    let folder = text("manifest_path").and_then(|path| Some(Path::new(&path).parent()?.to_owned()));
    let authors = package["authors"].as_array().into_iter().flatten();
    let id = (name, version);
    Ok(Crate {
        // Before SPDX expressions a slash stood for "or".
        license: text("license").unwrap_or_else(|| "NOASSERTION".to_owned()).replace('/', " OR "),
        authors: authors.filter_map(|author| author.as_str().map(str::to_owned)).collect(),
        repository: text("repository"),
        folder: folder.ok_or("cargo metadata has a package without a manifest")?,
        checksum: checksums.get(&id).cloned(),
        is_ours: package["source"].is_null(),
        needs: BTreeSet::new(),
        id,
    })
}

/// The checksums of a `Cargo.lock`.
fn checksums(lock: &str) -> BTreeMap<Id, String> {
    let mut found = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "))?;
            Some(line.trim_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(checksum)) =
            (field("name"), field("version"), field("checksum"))
        {
            found.insert((name, version), checksum);
        }
    }
    found
}

fn rustc() -> Result<String, String> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    Ok(output(Command::new(rustc).arg("--version"))?.trim().to_owned())
}

fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    command.current_dir(folder);
    command
}

/// Returns the output of a command, or the first line of its complaint.
fn output(command: &mut Command) -> Result<String, String> {
    let done = command.output().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    if done.status.success() {
        return String::from_utf8(done.stdout).map_err(|error| error.to_string());
    }
    let complaint = String::from_utf8_lossy(&done.stderr).into_owned();
    let first = complaint.lines().find(|line| line.starts_with("error")).unwrap_or("it fails without a word");
    Err(format!("{}: {first}", command.get_program().to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str, version: &str) -> Id {
        (name.to_owned(), version.to_owned())
    }

    fn of(features: &[&str]) -> Graph {
        let selection = Selection {
            packages: vec!["hcl-ffi".to_owned()],
            target: None,
            features: features.iter().map(|&flag| flag.to_owned()).collect(),
        };
        Graph::of(&selection).expect("cargo knows this workspace")
    }

    #[test]
    fn trees_are_read_by_depth() {
        let text = "0 a v1.0.0 (/somewhere)\n1 b v2.0.0\n2 c v3.0.0\n1 c v3.0.0\n\n0 d v4.0.0\n";
        let tree = parse_tree(text).expect("a tree");
        assert_eq!(tree.roots, [id("a", "1.0.0"), id("d", "4.0.0")]);
        assert_eq!(tree.needs[&id("a", "1.0.0")], BTreeSet::from([id("b", "2.0.0"), id("c", "3.0.0")]));
        assert_eq!(tree.needs[&id("b", "2.0.0")], BTreeSet::from([id("c", "3.0.0")]));
        assert!(parse_tree("no tree").is_err());
    }

    #[test]
    fn features_decide_what_is_inside() {
        let has = |graph: &Graph, name: &str| graph.crates.keys().any(|id| id.0 == name);
        let (all, core) = (of(&[]), of(&["--no-default-features"]));
        assert!(has(&all, "blowfish") && has(&all, "nom") && has(&core, "nom"));
        assert!(!has(&core, "blowfish"), "a family of functions that is off is not inside");
        assert!(has(&all, "encoding_rs"), "the tables of a build script are inside");
        assert!(!has(&all, "cc"), "a compiler of a build script is not");
        assert!(!has(&all, "thiserror-impl"), "a macro is not");
    }

    #[test]
    fn all_edges_lead_to_crates_with_checksums() {
        let graph = of(&[]);
        for one in graph.crates.values() {
            assert!(one.needs.iter().all(|id| graph.crates.contains_key(id)), "{:?}", one.id);
        }
        assert!(graph.foreign().all(|one| one.checksum.is_some()));
    }

    #[test]
    fn unknown_features_are_an_error() {
        let selection = Selection {
            packages: vec!["hcl-ffi".to_owned()],
            target: None,
            features: vec!["--features=nonsense".to_owned()],
        };
        assert!(Graph::of(&selection).expect_err("there is no such feature").contains("nonsense"));
    }
}
