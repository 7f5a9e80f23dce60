//! The book of libhcl: which pages it has, where they come from, and whether their links lead somewhere.
//!
//! The pages are Markdown files of the tree, which forges show as they are: `docs`, the case documents of `tests/cases`, the
//! explanations of diagnostics, some pages of the root and of the bindings. `docs/SUMMARY.md` lists them. [`Book::gather`] gives
//! each its place in the book, makes the pages that follow from the header and from the command's help, and rewrites links:
//! to another page where the target is one, else to a copy of the file. mdBook turns the result into HTML, whose links [`html`]
//! checks.

pub mod commands;
pub mod header;
pub mod html;
pub mod markdown;
pub mod pipeline;
pub mod sources;
pub mod summary;
pub mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use markdown::{anchors, links};
use sources::Sources;
use summary::Summary;
use tree::{join, relative};

/// A page of the book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The path in the tree; of a page that is made, the path that a link to it would have.
    pub origin: String,
    /// The path in the book.
    pub path: String,
    /// The text; links are as the origin has them.
    pub text: String,
}

/// All pages, with their links rewritten, and the files that they lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// Paths in the book and texts; `SUMMARY.md` is among them.
    pub pages: BTreeMap<String, String>,
    /// Copies of files of the tree.
    pub sources: Sources,
}

impl Book {
    /// Gathers the pages below `root`; `help` gives what `hcl` prints for arguments.
    ///
    /// # Errors
    /// A file can't be read, the header can't be understood, or links lead nowhere: all of them are told.
    pub fn gather(root: &Path, help: &dyn Fn(&[&str]) -> Result<String, String>) -> Result<Self, String> {
        let summary = Summary::read(root, help)?;
        let mut places: BTreeMap<&str, &str> =
            summary.pages.iter().map(|page| (page.origin.as_str(), page.path.as_str())).collect();
        // The README of the tree opens the forge's page, that of `docs` the book.
        places.insert("README.md", "README.md");
        let known: BTreeMap<&str, BTreeSet<String>> =
            summary.pages.iter().map(|page| (page.path.as_str(), anchors(&page.text))).collect();
        let mut sources = Sources::default();
        let mut problems = Vec::new();
        let mut pages = BTreeMap::from([("SUMMARY.md".to_owned(), summary.text.clone())]);
        for page in &summary.pages {
            let mut text = page.text.clone();
            for link in links(&page.text).iter().rev() {
                let Some(target) = Target::of(&page.origin, &link.target) else { continue };
                let written = match places.get(target.path.as_str()) {
                    Some(place) if target.anchor.is_none_or(|anchor| known[place].contains(anchor)) => {
                        let anchor = target.anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
                        format!("{}{anchor}", relative(&page.path, &linked(place)))
                    }
                    None if root.join(&target.path).exists() => {
                        relative(&page.path, &sources.take(root, &target.path))
                    }
                    _ => {
                        problems.push(format!("{}: {} leads nowhere", page.origin, link.target));
                        continue;
                    }
                };
                if !link.place.is_empty() {
                    text.replace_range(link.place.clone(), &written);
                }
            }
            pages.insert(page.path.clone(), without_last_blank_lines(&text));
        }
        if problems.is_empty() { Ok(Self { pages, sources }) } else { Err(problems.join("\n")) }
    }

    /// Writes the source of the book into a folder, which is emptied first.
    ///
    /// # Errors
    /// Something can't be written.
    pub fn write(&self, root: &Path, folder: &Path) -> Result<(), String> {
        let told = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|error| told(folder, error))?;
        }
        let write = |path: &str, text: &[u8]| {
            let path = folder.join(path);
            let parent = path.parent().expect("a path below a folder has a parent");
            fs::create_dir_all(parent)
                .and_then(|()| fs::write(&path, text))
                .map_err(|error| told(&path, error))
        };
        for (path, text) in self.pages.iter().chain(&self.sources.listings) {
            write(path, text.as_bytes())?;
        }
        for (path, origin) in &self.sources.copies {
            let from = root.join(origin);
            write(path, &fs::read(&from).map_err(|error| told(&from, error))?)?;
        }
        Ok(())
    }
}

/// The path that a link to a page names: mdBook makes `index.html` of a README, and `README.html` of a link to it.
fn linked(place: &str) -> String {
    match place.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.md"),
        None => place.to_owned(),
    }
}

/// The text without the empty line that ends a session of Python, which only its test needs.
fn without_last_blank_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_session = false;
    for line in text.split_inclusive('\n') {
        if is_session && line.trim_end() == "```" && out.ends_with("\n\n") {
            out.pop();
        }
        is_session = line.starts_with("```python") || is_session && line.trim_end() != "```";
        out.push_str(line);
    }
    out
}

/// Where a link of a page leads, as a path of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target<'a> {
    /// The path, from the root of the tree.
    pub path: String,
    /// The part behind `#`.
    pub anchor: Option<&'a str>,
}

impl<'a> Target<'a> {
    /// Reads the destination of a link in the page `origin`; `None` where it leads out of the tree.
    pub fn of(origin: &str, destination: &'a str) -> Option<Self> {
        if destination.contains("://") || destination.starts_with("mailto:") {
            return None;
        }
        let (path, anchor) = match destination.split_once('#') {
            Some((path, anchor)) => (path, Some(anchor)),
            None => (destination, None),
        };
        let path = if path.is_empty() { origin.to_owned() } else { join(origin, path) };
        Some(Self { path, anchor })
    }
}
