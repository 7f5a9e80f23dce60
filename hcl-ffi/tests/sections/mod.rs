//! The order and the section heads of `hcl.h`. cbindgen writes functions in the order of the modules, without anything
//! between them; `sections.md` says which modules make a section, in which order, and what is said at its head.

use std::path::{Path, PathBuf};

/// A section of the header.
pub struct Section {
    pub title: String,
    /// Files of `src`, without their ending.
    pub modules: Vec<String>,
    pub prose: Vec<String>,
}

impl Section {
    /// The name by which Doxygen refers to it.
    fn group(&self) -> String {
        let words = self.title.to_lowercase();
        words.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }

    fn head(&self) -> String {
        let mut head = format!("\n/**\n * \\defgroup {} {}\n *\n", self.group(), self.title);
        for line in &self.prose {
            head.push_str(format!(" * {line}").trim_end());
            head.push('\n');
        }
        head.push_str(" * @{\n */\n");
        head
    }
}

fn crate_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sections that `sections.md` lists: a heading, a line of files, prose.
pub fn listed() -> Vec<Section> {
    let text = std::fs::read_to_string(crate_dir().join("sections.md")).expect("sections.md can be read");
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            sections.push(Section { title: title.into(), modules: Vec::new(), prose: Vec::new() });
        } else if let Some(section) = sections.last_mut() {
            if section.modules.is_empty() && line.starts_with('`') {
                section.modules =
                    line.split('`').filter_map(|file| file.strip_suffix(".rs")).map(String::from).collect();
            } else if !(section.prose.is_empty() && line.is_empty()) {
                section.prose.push(line.into());
            }
        }
    }
    for section in &mut sections {
        while section.prose.last().is_some_and(String::is_empty) {
            section.prose.pop();
        }
    }
    sections
}

/// The files of `src` that export functions, with the names of these.
pub fn exports() -> Vec<(String, Vec<String>)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(crate_dir().join("src"))
        .expect("the sources are there")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    let exported = |path: &PathBuf| {
        let source = std::fs::read_to_string(path).expect("a source file can be read");
        let names: Vec<String> = source
            .split("extern \"C\" fn ")
            .skip(1)
            .filter_map(|rest| rest.split('(').next())
            .filter(|name| name.starts_with("hcl_"))
            .map(String::from)
            .collect();
        (path.file_stem().expect("a name").to_string_lossy().into_owned(), names)
    };
    files.iter().map(exported).filter(|(_, names)| !names.is_empty()).collect()
}

/// The header with its functions in sections. What no section lists comes last, without a head.
pub fn arrange(header: &str) -> String {
    let Some(start) = header.find("#ifdef __cplusplus\nextern \"C\" {\n#endif // __cplusplus\n") else {
        panic!("the header has no functions");
    };
    let (before, rest) = header.split_at(start);
    let opening = rest.find("#endif // __cplusplus\n").expect("just found") + "#endif // __cplusplus\n".len();
    let closing = rest.rfind("#ifdef __cplusplus\n}").expect("the block ends");
    let mut functions = pieces(&rest[opening..closing]);
    let exports = exports();
    let mut body = String::new();
    for section in listed() {
        let names = section.modules.iter().flat_map(|module| {
            exports.iter().filter(move |(file, _)| file == module).flat_map(|(_, names)| names)
        });
        let mut of_section = String::new();
        for name in names {
            let Some(at) = functions.iter().position(|function| declares(function, name)) else { continue };
            of_section.push_str(&format!("\n{}", functions.remove(at)));
        }
        if !of_section.is_empty() {
            body.push_str(&format!("{}{of_section}\n/** @}} */\n", section.head()));
        }
    }
    for function in functions {
        body.push_str(&format!("\n{function}"));
    }
    let deprecated =
        std::fs::read_to_string(crate_dir().join("deprecated.h")).expect("deprecated.h can be read");
    let before = before.replace("@CONTENTS@\n", &contents());
    format!("{before}{deprecated}\n{}{body}\n{}", &rest[..opening], &rest[closing..])
}

/// The table of contents: a line for each section.
fn contents() -> String {
    listed()
        .iter()
        .enumerate()
        .map(|(at, section)| format!(" *  {:>2}  {}\n", at + 1, section.title))
        .collect()
}

/// The functions of the header, each with its comment.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for line in text.lines().filter(|line| !line.is_empty()) {
        let piece = pieces.last_mut().expect("there is always one");
        piece.push_str(line);
        piece.push('\n');
        if line.ends_with(");") && !line.starts_with(" *") {
            pieces.push(String::new());
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Returns whether a piece of the header, a comment and a prototype, declares `name`.
fn declares(function: &str, name: &str) -> bool {
    let prototype = function.rsplit("*/\n").next().unwrap_or_default();
    prototype.match_indices(name).any(|(at, _)| prototype[at + name.len()..].starts_with('('))
}
