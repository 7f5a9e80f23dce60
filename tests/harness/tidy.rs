//! Rules of the house that no compiler checks.

use std::fs;
use std::path::{Path, PathBuf};

/// Which crates of the workspace a crate may depend on.
const ARROWS: [(&str, &[&str]); 7] = [
    ("hcl-syntax", &[]),
    ("hcl-eval", &["hcl-syntax"]),
    ("hcl-module", &["hcl-syntax", "hcl-eval"]),
    ("hcl-arrow", &["hcl-syntax", "hcl-eval"]),
    ("hcl-ffi", &["hcl-syntax", "hcl-eval", "hcl-module", "hcl-arrow"]),
    ("hcl-cli", &["hcl-syntax", "hcl-eval", "hcl-module"]),
    ("bindings/python", &["hcl-syntax", "hcl-eval", "hcl-module", "hcl-arrow", "hcl-cli"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace").to_owned()
}

/// The files of the workspace with one of the endings, build output and the crates of others left out.
fn files(endings: &[&str]) -> Vec<PathBuf> {
    let mut folders = vec![root()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("folders of the workspace are readable") {
            let path = entry.expect("an entry of a readable folder").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                // A release tarball has the crates of others in `vendor`.
                if !name.starts_with('.') && name != "target" && name != "vendor" {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the files of the workspace are text")
}

/// The dependency lines of one table of a manifest, each with the line before it.
fn dependencies(manifest: &str, table: &str) -> Vec<(String, String)> {
    let mut inside = false;
    let mut before = String::new();
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.trim() == format!("[{table}]");
        } else if inside && line.contains('=') && !line.starts_with('#') {
            found.push((before.clone(), line.to_owned()));
        }
        line.clone_into(&mut before);
    }
    found
}

fn dependency_name(line: &str) -> &str {
    line.split(['=', '.', ' ']).next().unwrap_or_default()
}

#[test]
fn arrows_between_crates_point_one_way() {
    for (package, allowed) in ARROWS {
        let path = root().join(package).join("Cargo.toml");
        if !path.exists() {
            continue;
        }
        for (_, line) in dependencies(&read(&path), "dependencies") {
            let name = dependency_name(&line);
            let ours = name.starts_with("hcl-");
            assert!(!ours || allowed.contains(&name), "{package} must not depend on {name}");
        }
    }
}

#[test]
fn every_dependency_has_a_reason() {
    let manifest = read(&root().join("Cargo.toml"));
    let mut explained = false;
    for (before, line) in dependencies(&manifest, "workspace.dependencies") {
        let ours = line.contains("path = ");
        // One comment may explain several dependencies that follow it without a gap.
        explained = before.starts_with('#') || (explained && !before.is_empty());
        let name = dependency_name(&line);
        assert!(ours || explained, "{name} in Cargo.toml needs a comment that says what it is for");
    }
}

#[test]
fn versions_of_dependencies_are_the_workspaces() {
    for (package, _) in ARROWS {
        let path = root().join(package).join("Cargo.toml");
        if !path.exists() {
            continue;
        }
        for table in ["dependencies", "dev-dependencies"] {
            for (_, line) in dependencies(&read(&path), table) {
                assert!(
                    line.contains("workspace = true"),
                    "{package}: {line} belongs in the workspace's table"
                );
            }
        }
    }
}

/// Where packages repeat the version of the workspace, which no tool writes there: a file, and the text around the first place.
/// Later entries of a changelog are about earlier versions. INTERFACE is the part of the version that a library's name has.
const VERSIONS: [(&str, &str); 14] = [
    ("debian/changelog", "libhcl (VERSION-"),
    ("debian/control", "\nPackage: libhclINTERFACE\n"),
    ("debian/control", "\nDepends: libhclINTERFACE ("),
    ("debian/rules", "dh_makeshlibs -plibhclINTERFACE -V 'libhclINTERFACE (>= VERSION)'\n"),
    ("debian/libhclINTERFACE.install", "/libhcl.so.*\n"),
    ("debian/libhclINTERFACE.install", " usr/share/doc/libhclINTERFACE/"),
    ("packaging/rpm/libhcl.spec", "\nVersion:        VERSION\n"),
    ("packaging/rpm/libhcl.spec", "\n%global soversion INTERFACE\n"),
    ("packaging/rpm/libhcl.spec", "> - VERSION-"),
    ("packaging/alpine/APKBUILD", "\npkgver=VERSION\n"),
    ("packaging/homebrew/libhcl.rb", "/libhcl-VERSION.tar.xz\""),
    ("packaging/nix/default.nix", "\n  version = \"VERSION\";\n"),
    ("bindings/python/pyproject.toml", "\ndynamic = [\"version\"]\n"),
    ("fuzz/c_api/Cargo.toml", "\nversion = \"VERSION\"\n"),
];

/// The part of a version that is in the name of the shared library: all 0.y are interfaces of their own.
fn interface(version: &str) -> &str {
    let (major, rest) = version.split_once('.').expect("a version has three parts");
    let minor = rest.split('.').next().unwrap_or_default();
    if major == "0" { &version[..major.len() + 1 + minor.len()] } else { major }
}

#[test]
fn packages_have_the_version_of_the_workspace() {
    let version = env!("CARGO_PKG_VERSION");
    let current = |text: &str| text.replace("VERSION", version).replace("INTERFACE", interface(version));
    for (file, template) in VERSIONS {
        let path = root().join(current(file));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let before = template.split("VERSION").next().unwrap_or(template);
        let before = before.split("INTERFACE").next().unwrap_or(before);
        let first = text.find(before).map_or("", |start| &text[start..]);
        let line = first.trim_start().lines().next().unwrap_or_default();
        let wanted = current(template);
        assert!(
            first.starts_with(&wanted),
            "{}: {line:?} is not {wanted:?}, and {version} is the version of Cargo.toml",
            path.display()
        );
    }
}

#[test]
fn crates_have_the_version_of_the_workspace() {
    let version = env!("CARGO_PKG_VERSION");
    for (_, line) in dependencies(&read(&root().join("Cargo.toml")), "workspace.dependencies") {
        let is_current = line.contains(&format!("version = \"{version}\""));
        assert!(!line.contains("path = ") || is_current, "{line}: the version is {version}");
    }
    for path in files(&["toml"]) {
        let folder = path.parent().expect("a file is in a folder");
        // The folder of the workspace has no package, and fuzzing is none of it.
        let is_member = folder != root() && !folder.starts_with(root().join("fuzz"));
        if is_member && path.ends_with("Cargo.toml") {
            let has_it = read(&path).contains("\nversion.workspace = true\n");
            assert!(has_it, "{} has a version of its own", path.display());
        }
    }
}

#[test]
fn the_forge_runs_make_targets_that_exist() {
    let makefile = read(&root().join("Makefile"));
    let mut found = 0;
    for file in [".github/workflows/ci.yml", ".ci/run"] {
        for line in read(&root().join(file)).lines() {
            let command = line.trim_start().trim_start_matches("- run: ");
            // Variables and sudo with its flags stand in front.
            let mut words = command.split(' ').skip_while(|word| word.contains('=') || *word == "sudo");
            if words.next() == Some("make") {
                let target = words.next().unwrap_or_default();
                assert!(
                    makefile.contains(&format!("\n{target}: ")),
                    "{file}: {line}: there is no such target"
                );
                found += 1;
            }
        }
    }
    assert!(found > 10, "only {found} commands of the forge are make targets");
}

/// Words with which a doc comment says nothing about its subject.
const VAGUE: [&str; 6] = ["The same", "What", "Whether", "Who", "Whoever", "Somebody"];

/// Doc comments that may open with [`VAGUE`] words, in the whole tree.
const MAY_BE_VAGUE: usize = 30;

/// The text of a line of a doc comment, with the sign that begins it.
fn doc_line(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let sign = ["///", "//!"].into_iter().find(|sign| line.starts_with(sign))?;
    Some((sign, line[sign.len()..].trim_start()))
}

#[test]
fn doc_comments_name_their_subject() {
    let mut found = Vec::new();
    for path in files(&["rs"]) {
        let text = read(&path);
        let mut before = None;
        for (number, line) in text.lines().enumerate() {
            let now = doc_line(line);
            let opens = now.filter(|(sign, _)| before.is_none_or(|(other, _)| other != *sign));
            let is_vague = |text: &str| {
                VAGUE
                    .iter()
                    .any(|word| text.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', ',', '.'])))
            };
            if opens.is_some_and(|(_, text)| is_vague(text)) {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
            before = now;
        }
    }
    assert!(found.len() <= MAY_BE_VAGUE, "{} doc comments say nothing: {found:#?}", found.len());
}

#[test]
fn comments_fit_the_width() {
    let mut found = Vec::new();
    for path in files(&["rs", "c", "cpp", "h", "hpp", "go"]) {
        for (number, line) in read(&path).lines().enumerate() {
            let is_comment = ["//", "*", "/*"].iter().any(|sign| line.trim_start().starts_with(sign));
            // Tables and programs in comments are not broken.
            let is_text =
                !line.contains("assert") && doc_line(line).is_none_or(|(_, text)| !text.starts_with('|'));
            let width = line.chars().count();
            if is_comment && is_text && width > 130 {
                found.push(format!("{}:{} has {width} columns", path.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "comments have at most 130 columns: {found:#?}");
}

/// Returns true for an attribute that asks the compiler for more or fewer calls, or for a place among code that is run seldom.
fn steers_the_compiler(line: &str) -> bool {
    ["#[inline]", "#[inline(", "#[cold]"].iter().any(|start| line.starts_with(start))
}

#[test]
fn attributes_that_steer_the_compiler_say_what_they_buy() {
    let mut found = Vec::new();
    for (name, _) in ARROWS {
        for path in sources_of(&root().join(name).join("src")) {
            let text = read(&path);
            let lines = text.lines().map(str::trim).collect::<Vec<_>>();
            for (at, line) in lines.iter().enumerate().filter(|(_, line)| steers_the_compiler(line)) {
                let above = lines[..at].iter().rev().take_while(|above| above.starts_with(['/', '#']));
                let says = |line: &&str| match doc_line(line) {
                    Some((_, text)) => text.contains("instructions"),
                    None => line.contains("// "),
                };
                if !above.chain([line]).any(says) {
                    found.push(format!("{}:{}: {line}", path.display(), at + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "a comment beside each says what it buys, mostly in instructions: {found:#?}");
}

#[test]
fn every_file_opens_with_a_sentence() {
    // A header of the last release, and a program that documents show as it is.
    let as_they_are = ["tests/abi/release.h", "examples/c/first.c"];
    for path in files(&["rs", "c", "cpp", "h", "hpp"]) {
        if as_they_are.iter().any(|known| path.ends_with(known)) {
            continue;
        }
        let text = read(&path);
        let sign = if path.extension().is_some_and(|ending| ending == "rs") {
            vec!["//!"]
        } else {
            vec!["//", "/*"]
        };
        let first = text.lines().next().unwrap_or_default();
        let opens = sign.iter().any(|sign| first.starts_with(sign));
        assert!(opens, "{} does not open with what it is", path.display());
        // The first paragraph, up to an empty line of the comment or its end.
        let lines = text.lines().map(|line| line.trim_start_matches(['/', '!', '*', ' ']).trim_end());
        let paragraph: Vec<_> =
            lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
        let is_sentence = paragraph.join(" ").contains(['.', ':']);
        assert!(is_sentence, "{} does not open with a sentence", path.display());
    }
}

#[test]
fn every_file_is_in_the_index_of_its_crate() {
    for package in ["hcl-module", "hcl-arrow"] {
        let sources = root().join(package).join("src");
        let index = read(&root().join(package).join("README.md"));
        for path in sources_of(&sources) {
            let name = path.strip_prefix(&sources).unwrap_or(&path).display();
            assert!(index.contains(&format!("`{name}`")), "{package}/README.md does not name {name}");
        }
    }
}

/// The other crates list each file with the sentence that it opens with, so that it is said once.
#[test]
fn an_index_has_the_opening_sentence_of_each_file() {
    for package in ["hcl-syntax", "hcl-eval", "hcl-ffi"] {
        let sources = root().join(package).join("src");
        let mut lines: Vec<String> = sources_of(&sources)
            .iter()
            .map(|path| {
                let name = path.strip_prefix(&sources).unwrap_or(path).display();
                format!("- `{name}`: {}\n", opening_sentence(&read(path)))
            })
            .collect();
        lines.sort();
        let readme = root().join(package).join("README.md");
        let present = read(&readme);
        let (before, rest) = present.split_at(present.find("\n- `").expect("an index") + 1);
        let (index, after) = rest.split_at(rest.find("\n\n").map_or(rest.len(), |end| end + 1));
        let wanted = format!("{before}{}{after}", lines.concat());
        if std::env::var_os("HCL_UPDATE").is_some() {
            fs::write(&readme, &wanted).expect("the index can be written");
            continue;
        }
        let mut pairs = index.lines().zip(&lines);
        let stale = pairs.find(|(present, wanted)| *present != wanted.trim_end());
        assert!(
            present == wanted,
            "{package}/README.md is out of date: {stale:?}; `HCL_UPDATE=1 cargo test -p hcl-tests --test tidy` writes it"
        );
    }
}

/// The Rust files in a folder.
fn sources_of(folder: &Path) -> Vec<PathBuf> {
    files(&["rs"]).into_iter().filter(|path| path.starts_with(folder)).collect()
}

/// The first sentence of the comment that a file opens with; links to names of Rust lead nowhere outside of it.
fn opening_sentence(text: &str) -> String {
    let comment = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    let paragraph: Vec<_> = comment.take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ").replace("[`", "`").replace("`]", "`");
    match paragraph.find(". ") {
        Some(end) => paragraph[..=end].to_owned(),
        None => paragraph,
    }
}

#[test]
fn the_outside_world_is_behind_hosts() {
    let words = [
        "std::fs",
        "std::env",
        "TcpStream",
        "UdpSocket",
        "ToSocketAddrs",
        "std::process",
        "SystemTime",
        "cap_std",
        "getrandom",
    ];
    let engine = ["hcl-syntax/src", "hcl-eval/src", "hcl-module/src", "hcl-arrow/src"]
        .map(|folder| root().join(folder));
    let hosts = root().join("hcl-eval/src/host");
    for path in files(&["rs"]) {
        if path.starts_with(&hosts) || !engine.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        let text = read(&path);
        for word in words {
            assert!(!text.contains(word), "{}: {word} belongs in hcl-eval/src/host", path.display());
        }
    }
}

/// Of the lines of a manifest's table the names.
fn names_in(manifest: &str, table: &str) -> Vec<String> {
    dependencies(manifest, table).iter().map(|(_, line)| dependency_name(line).to_owned()).collect()
}

/// Fuzzing compiles hcl-ffi's sources as a package of its own.
#[test]
fn the_fuzzed_interface_has_the_crates_and_features_of_hcl_ffi() {
    let [ours, fuzzed, workspace] =
        ["hcl-ffi/Cargo.toml", "fuzz/c_api/Cargo.toml", "Cargo.toml"].map(|path| read(&root().join(path)));
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let crates = [names_in(&ours, "dependencies"), names_in(&ours, "target.'cfg(unix)'.dependencies")];
    assert_eq!(sorted(names_in(&fuzzed, "dependencies")), sorted(crates.concat()));
    for (_, line) in dependencies(&fuzzed, "dependencies") {
        let known = dependencies(&workspace, "workspace.dependencies");
        let is_ours = line.contains("path = ");
        assert!(is_ours || known.iter().any(|(_, known)| *known == line), "{line}");
    }
    // `functions` is a set of those of hcl-eval, which are on by default; `capi` is for cargo-c.
    let switches = |manifest: &str| {
        let names = names_in(manifest, "features").into_iter();
        sorted(names.filter(|name| !["functions", "capi"].contains(&name.as_str())).collect())
    };
    assert_eq!(switches(&fuzzed), switches(&ours));
    let by_default = |manifest: &str| {
        let lines = dependencies(manifest, "features");
        let (_, line) = lines.iter().find(|(_, line)| dependency_name(line) == "default").expect("defaults");
        let names = line.split('"').skip(1).step_by(2).map(str::to_owned);
        sorted(names.filter(|name| name != "functions").collect())
    };
    assert_eq!(by_default(&fuzzed), by_default(&ours));
}

#[test]
fn hash_tables_do_not_ask_the_system_for_a_key() {
    let crates = ["hcl-syntax", "hcl-eval", "hcl-module", "hcl-arrow", "hcl-ffi"]
        .map(|name| root().join(name).join("src"));
    let ours = root().join("hcl-syntax/src/hash.rs");
    for path in files(&["rs"]) {
        if path == ours || !crates.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        let text = read(&path);
        for line in text.lines().map(str::trim_start).filter(|line| !line.starts_with("//")) {
            let asks = (line.contains("std::collections::") && line.contains("Hash"))
                || (line.contains("indexmap::") && line.contains("Index"))
                || line.contains("RandomState");
            assert!(!asks, "{}: {line}: hcl_syntax::hash has tables that need no key", path.display());
        }
    }
}

/// Abbreviations that a reader of the documents meets unexplained, and what they stand for. Another one is written out, or
/// explained where it stands and in backticks or brackets.
const ABBREVIATIONS: &[(&str, &str)] = &[
    ("ASCII", "the characters of seven bits"),
    ("CI", "the builds of the forge after each change"),
    ("CIDR", "addresses of a network with the length of their prefix"),
    ("ELF", "the format of programs and libraries of most Unix systems"),
    ("EMR", "a product that runs Spark"),
    ("GB", "10^9 bytes, as GiB is 2^30"),
    ("GCC", "the GNU compiler"),
    ("GNU", "the project whose tools Linux systems have"),
    ("HCL", "HashiCorp's configuration language"),
    ("HTML", "the language of web pages"),
    ("HTTP", "the protocol of the web"),
    ("JSON", "the data format of RFC 8259"),
    ("KB", "1,000 bytes, as KiB is 1,024"),
    ("MB", "10^6 bytes, as MiB is 2^20"),
    ("MIT", "a licence"),
    ("NUL", "the byte 0"),
    ("README", "a folder's first document"),
    ("RFC", "a standard of the internet"),
    ("RPM", "the packages of Fedora and others"),
    ("SAFETY", "the word that begins the reason of an unsafe block"),
    ("SARIF", "the format of findings that code scanners share"),
    ("SIGHUP", "the signal on which daemons read their configuration again"),
    ("SONAME", "the name by which programs ask for a shared library"),
    ("SPDX", "the format of bills of materials"),
    ("SQL", "the language of databases"),
    ("UTC", "the time of the zeroth meridian"),
    ("YARN", "a manager of clusters"),
];

/// The words in capitals of a document's prose: without fences, code, addresses of links and names of files.
fn capitals(text: &str) -> Vec<String> {
    let fences = text.split("\n```").step_by(2);
    let prose: String = fences.flat_map(|part| part.split('`').step_by(2)).collect::<Vec<_>>().join(" ");
    let mut parts = prose.split("](");
    let first = parts.next();
    let behind_links = parts.map(|part| part.split_once(')').map_or(part, |(_, rest)| rest));
    let is_between = |c: char| !c.is_alphanumeric() && !".+-_".contains(c);
    let words = first.into_iter().chain(behind_links).flat_map(|part| part.split(is_between));
    let words = words.filter(|word| !word.contains(".md") && !word.starts_with("U+"));
    let words = words.flat_map(|word| word.split(['.', '+']));
    let is_capital = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    words.filter(is_capital).map(str::to_owned).collect()
}

#[test]
fn abbreviations_are_known() {
    let mut used = Vec::new();
    for path in files(&["md"]) {
        let name = path.strip_prefix(root()).expect("a file of the workspace").display().to_string();
        let is_page = name.starts_with("docs/") && !name.starts_with("docs/functions/");
        let is_door =
            ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].contains(&name.as_str());
        // Most of that page is measured.
        if (is_page || is_door) && name != "docs/performance.md" {
            used.extend(capitals(&read(&path)).into_iter().map(|word| (name.clone(), word)));
        }
    }
    let is_known = |word: &str| ABBREVIATIONS.iter().any(|(known, _)| *known == word);
    let unknown: Vec<_> = used.iter().filter(|(_, word)| !is_known(word)).collect();
    assert!(unknown.is_empty(), "abbreviations without a meaning in tidy.rs: {unknown:?}");
    for (known, _) in ABBREVIATIONS {
        assert!(used.iter().any(|(_, word)| word == known), "{known} is in no document any more");
    }
}

#[test]
fn nothing_is_left_for_later() {
    let words =
        [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("to", "do!("), concat!("unimple", "mented!(")];
    for path in files(&["rs", "md", "toml", "c", "h"]) {
        let text = read(&path);
        for word in words {
            assert!(!text.contains(word), "{} contains {word}", path.display());
        }
    }
}

#[test]
fn no_paths_of_a_developers_machine() {
    let places =
        [concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")];
    for path in files(&["rs", "md", "toml", "c", "h"]) {
        let text = read(&path);
        for place in places {
            assert!(!text.contains(place), "{} contains {place}", path.display());
        }
    }
}

/// Public items without an example, by file: `*` stands for all items of a file.
const WITHOUT_EXAMPLE: &[(&str, &[&str])] = &[
    // The inside of the library, which is public for its other crates.
    ("hcl-eval/src/convert/mod.rs", &["convert_within", "convert_metered"]),
    ("hcl-eval/src/limits/meter.rs", &["Meter"]),
    ("hcl-eval/src/stdlib/library.rs", &["bytes_type"]),
    ("hcl-eval/src/value/number/float_functions.rs", &["*"]),
    ("hcl-syntax/src/hash.rs", &["*"]),
    (
        "hcl-syntax/src/json/reading.rs",
        &["Reading", "Others", "Place", "reference_text", "interpolated_text", "is_plain_value"],
    ),
    ("hcl-syntax/src/json/template.rs", &["*"]),
    ("hcl-syntax/src/limits.rs", &["Stopped"]),
    ("hcl-syntax/src/memory.rs", &["*"]),
    ("hcl-syntax/src/packed.rs", &["*"]),
    ("hcl-syntax/src/sorting.rs", &["*"]),
    ("hcl-syntax/src/stack.rs", &["*"]),
    // Texts for the tools that write the manual.
    ("hcl-eval/src/codes/mod.rs", &["Examples"]),
    ("hcl-eval/src/reference/mod.rs", &["Topic", "Entry", "Example", "parse"]),
    ("hcl-syntax/src/diagnostic/explain/mod.rs", &["Example", "read", "ExamplePlace"]),
    // Parts, choices and aliases, which examples of other items show.
    ("hcl-arrow/src/bind.rs", &["Table"]),
    ("hcl-arrow/src/export.rs", &["Exported"]),
    ("hcl-arrow/src/interface.rs", &["ArrowSchema", "ArrowArray"]),
    ("hcl-arrow/src/lib.rs", &["Options", "Evaluated"]),
    ("hcl-eval/src/columns/bits.rs", &["BitBuffer"]),
    ("hcl-eval/src/columns/cells.rs", &["ResultCells", "ResultColumn"]),
    ("hcl-eval/src/columns/column.rs", &["Bits", "Integers", "Cells"]),
    ("hcl-eval/src/columns/mod.rs", &["Evaluated"]),
    ("hcl-eval/src/columns/moment.rs", &["MomentForm", "Moments"]),
    ("hcl-eval/src/columns/text.rs", &["Bounds", "Texts"]),
    ("hcl-eval/src/decode/spec/block.rs", &["Collection"]),
    ("hcl-eval/src/decode/spec/mod.rs", &["WrittenSpec"]),
    ("hcl-eval/src/dialect/profile.rs", &["Profile"]),
    ("hcl-eval/src/dynamic/variables.rs", &["Needed"]),
    ("hcl-eval/src/eval/resolver.rs", &["Lookup", "Keep"]),
    ("hcl-eval/src/evaluated/mod.rs", &["*"]),
    ("hcl-eval/src/explain/tree.rs", &["Problem", "Role"]),
    ("hcl-eval/src/function/error.rs", &["Failure"]),
    ("hcl-eval/src/json_syntax/mod.rs", &["Expressions"]),
    ("hcl-eval/src/value/display.rs", &["Layout"]),
    ("hcl-eval/src/value/error.rs", &["ValueProblem", "PathProblem", "JsonProblem"]),
    ("hcl-eval/src/value/logic.rs", &["less_equal", "greater", "greater_equal"]),
    ("hcl-module/src/entry.rs", &["EntryKind"]),
    ("hcl-module/src/packer/build.rs", &["SourceName"]),
    ("hcl-module/src/packer/release.rs", &["Release"]),
    ("hcl-module/src/packer/uses.rs", &["SourceUse", "EvaluatedStep"]),
    ("hcl-module/src/release.rs", &["Product"]),
    ("hcl-syntax/src/ast/collection.rs", &["ObjectRules"]),
    ("hcl-syntax/src/ast/expression.rs", &["SplatKind"]),
    ("hcl-syntax/src/ast/tree.rs", &["BodyId", "Tree"]),
    ("hcl-syntax/src/config/attributes.rs", &["Named"]),
    ("hcl-syntax/src/diagnostic/mod.rs", &["Diagnostics"]),
    ("hcl-syntax/src/source/mod.rs", &["SourceTooLarge"]),
];

/// The public items at the top level of a file that have no example.
fn without_example(text: &str) -> Vec<&str> {
    let mut has_example = false;
    let mut found = Vec::new();
    for line in text.lines().take_while(|line| !line.starts_with("mod tests")) {
        let item = line.strip_prefix("pub ").unwrap_or_default();
        let item = item.strip_prefix("const ").unwrap_or(item);
        let kinds = ["fn ", "struct ", "enum ", "trait ", "type "];
        let name = kinds.iter().find_map(|kind| item.strip_prefix(kind));
        if let Some(name) = name.filter(|_| !has_example) {
            found.push(name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default());
        }
        // Attributes stand between the comment and the item; one may take several lines.
        has_example |= line.starts_with("/// ```");
        has_example &= line.starts_with("///") || line.starts_with("#[") || line.starts_with([' ', ')']);
    }
    found
}

#[test]
fn public_items_have_examples() {
    let root = root();
    let crates =
        ["hcl-syntax", "hcl-eval", "hcl-module", "hcl-arrow"].map(|name| root.join(name).join("src"));
    for path in files(&["rs"]).iter().filter(|path| crates.iter().any(|sources| path.starts_with(sources))) {
        let name = path.strip_prefix(&root).unwrap_or(path).display().to_string();
        let excepted = WITHOUT_EXAMPLE.iter().find(|(file, _)| *file == name);
        let excepted = excepted.map_or(&[][..], |(_, items)| *items);
        let text = read(path);
        let found = without_example(&text);
        for item in &found {
            let known = excepted.contains(item) || excepted == ["*"];
            assert!(known, "{name}: {item} needs an example, or a line in WITHOUT_EXAMPLE");
        }
        for item in excepted.iter().filter(|item| **item != "*") {
            assert!(found.contains(item), "{name}: {item} of WITHOUT_EXAMPLE has an example, or is gone");
        }
    }
}
