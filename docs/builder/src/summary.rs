//! The table of contents: `docs/SUMMARY.md`, in which entries stand for many pages.
//!
//! An entry names a file of the tree. Below a page that is itself a list, `tests/cases/README.md` or `functions/README.md`,
//! follow the pages that it links to in its folder. An entry `generated/…` stands for pages that are made: `c` of the header,
//! `command` of the command's help, `diagnostics` of the explanations of the crates.

use std::fs;
use std::path::Path;

use crate::commands::{self, Help};
use crate::header;
use crate::markdown::{headings, links};
use crate::tree::join;
use crate::{Page, Target};

/// The files that explain the codes of diagnostics with the names of their pages, in the order of the work: text, structure,
/// evaluation, the rest.
const EXPLANATIONS: [(&str, &str); 17] = [
    ("hcl-syntax/src/diagnostic/explain/lex.md", "lex"),
    ("hcl-syntax/src/diagnostic/explain/parse.md", "parse"),
    ("hcl-syntax/src/diagnostic/explain/json.md", "json"),
    ("hcl-syntax/src/diagnostic/explain/content.md", "content"),
    ("hcl-syntax/src/diagnostic/explain/edit.md", "edit"),
    ("hcl-eval/src/codes/eval.md", "eval"),
    ("hcl-eval/src/codes/value.md", "value"),
    ("hcl-eval/src/codes/type.md", "type"),
    ("hcl-eval/src/codes/order.md", "order"),
    ("hcl-eval/src/codes/decode.md", "decode"),
    ("hcl-eval/src/codes/dynamic.md", "dynamic"),
    ("hcl-eval/src/codes/limits.md", "limits"),
    ("hcl-eval/src/codes/api.md", "api"),
    ("hcl-cli/src/explain_error/command.md", "command"),
    ("hcl-module/src/codes.md", "module"),
    ("hcl-module/src/nomad/codes.md", "nomad"),
    ("hcl-cli/src/explain_error/packer.md", "packer"),
];

/// Pages that are lists of other pages.
const LISTS: [&str; 2] = ["tests/cases/README.md", "docs/functions/README.md"];

/// Where a file of the tree stands in the book, folder by folder; the first that fits counts.
const PLACES: [(&str, &str); 7] = [
    ("docs/", ""),
    ("tests/cases/", "language/"),
    ("bindings/go/README.md", "go.md"),
    ("bindings/python/README.md", "python.md"),
    ("examples/README.md", "examples.md"),
    ("packaging/README.md", "packaging.md"),
    ("", ""),
];

/// The table of contents as mdBook reads it, and the pages in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// The text.
    pub text: String,
    /// The pages, in order.
    pub pages: Vec<Page>,
}

impl Summary {
    /// Reads `docs/SUMMARY.md` and the pages that it names.
    ///
    /// # Errors
    /// A page can't be read or made.
    pub fn read(root: &Path, help: Help<'_>) -> Result<Self, String> {
        let mut summary = Self { text: String::new(), pages: Vec::new() };
        let text = read(root, "docs/SUMMARY.md")?;
        for line in text.lines() {
            let entry = links(line).into_iter().next().filter(|link| !link.target.is_empty());
            let Some(target) = entry.and_then(|link| Some(Target::of("docs/SUMMARY.md", &link.target)?.path))
            else {
                summary.text.push_str(&format!("{line}\n"));
                continue;
            };
            let depth = line.len() - line.trim_start().len();
            let title = line.split(['[', ']']).nth(1).unwrap_or_default();
            match target.strip_prefix("docs/generated/") {
                Some(what) => {
                    let pages = made(root, what, help)?;
                    summary.list(pages, depth, title);
                }
                None => {
                    let page = file(root, &target)?;
                    let inner =
                        if LISTS.contains(&target.as_str()) { listed(root, &page)? } else { Vec::new() };
                    let is_item = line.trim_start().starts_with('-');
                    let mut pages = vec![page];
                    pages.extend(inner);
                    if is_item {
                        summary.list(pages, depth, title);
                    } else {
                        // A chapter before the first part.
                        summary.text.push_str(&format!("[{title}]({})\n", pages[0].path));
                        summary.pages.extend(pages);
                    }
                }
            }
        }
        Ok(summary)
    }

    /// Adds pages: the first under the title, the others below it under their own.
    fn list(&mut self, pages: Vec<Page>, depth: usize, title: &str) {
        for (n, page) in pages.into_iter().enumerate() {
            let own = headings(&page.text).into_iter().next().map(|(_, text)| text).unwrap_or_default();
            let (depth, title) = if n == 0 { (depth, title) } else { (depth + 2, own.as_str()) };
            self.text.push_str(&format!("{:depth$}- [{title}]({})\n", "", page.path));
            self.pages.push(page);
        }
    }
}

fn read(root: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))
}

/// The place in the book of a file of the tree.
fn place(origin: &str) -> String {
    let found = PLACES.iter().find_map(|(folder, place)| {
        let rest = origin.strip_prefix(folder)?;
        let whole = folder.ends_with(".md");
        Some(if whole { (*place).to_owned() } else { format!("{place}{rest}") })
    });
    let place = found.unwrap_or_else(|| origin.to_owned());
    // `index.md` would be the page of its folder.
    let place = match place.strip_suffix("/index.md") {
        Some(folder) => format!("{folder}/index-function.md"),
        None => place,
    };
    // Pages of the root are written in capitals there.
    match origin.contains('/') {
        false => place.to_lowercase(),
        true => place,
    }
}

fn file(root: &Path, origin: &str) -> Result<Page, String> {
    Ok(Page { origin: origin.to_owned(), path: place(origin), text: read(root, origin)? })
}

/// The pages below the folder of a list that it links to, each once.
fn listed(root: &Path, list: &Page) -> Result<Vec<Page>, String> {
    let folder = join(&list.origin, "");
    let mut found: Vec<Page> = Vec::new();
    for link in links(&list.text) {
        let path = join(&list.origin, link.target.split('#').next().unwrap_or_default());
        let inside = path.strip_prefix(&folder).is_some_and(|rest| rest.starts_with('/'));
        if inside
            && path.ends_with(".md")
            && path != list.origin
            && found.iter().all(|page| page.origin != path)
        {
            found.push(file(root, &path)?);
        }
    }
    Ok(found)
}

/// The pages that an entry `generated/…` stands for; the first is their contents.
fn made(root: &Path, what: &str, help: Help<'_>) -> Result<Vec<Page>, String> {
    match what {
        "c" => interface(&read(root, "include/hcl.h")?),
        "command" => commands::pages(help),
        "diagnostics" => explanations(root),
        _ => Err(format!("docs/SUMMARY.md: nothing makes generated/{what}")),
    }
}

fn interface(header: &str) -> Result<Vec<Page>, String> {
    let page = |name: &str, text: String| Page {
        origin: format!("docs/generated/c/{name}.md"),
        path: format!("c/{name}.md"),
        text,
    };
    let groups = header::groups(header)?;
    let mut index = String::from(
        "# The C interface\n\n[hcl.h](../../../include/hcl.h), section by section. \
         [Rules](rules.md) hold for all of its functions.\n\n",
    );
    for group in &groups {
        index.push_str(&format!("- [{}]({}.md)\n", group.title, group.name));
    }
    let mut pages = vec![page("README", index), page("rules", header::rules(header))];
    pages.extend(groups.into_iter().map(|group| page(&group.name, group.text)));
    Ok(pages)
}

/// The text of explanations with the kinds of their examples, which are only the names of languages in it.
fn captioned(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let caption = match line.trim_end() {
            "```spec" => "Specification:\n\n",
            "```scope" => "Circumstances:\n\n",
            "```vars" => "Variables:\n\n",
            _ => "",
        };
        out.push_str(caption);
        out.push_str(line);
    }
    out.replace("```config\n```\n", "(An empty file.)\n")
}

fn explanations(root: &Path) -> Result<Vec<Page>, String> {
    let mut index = String::from(
        "# Diagnostics by code\n\nEach diagnostic has a code, which stays when its wording changes. \
         `hcl explain-error CODE` shows these pages in a terminal.\n",
    );
    let mut pages = Vec::new();
    for (path, name) in EXPLANATIONS {
        let page = file(root, path)?;
        for (level, text) in headings(&page.text) {
            if level == 1 {
                index.push_str(&format!("\n## {text}\n\n"));
            } else if level == 2 {
                let anchor = crate::markdown::anchor(&text);
                index.push_str(&format!("- [{text}](../../../{path}#{anchor})\n"));
            }
        }
        pages.push(Page { path: format!("diagnostics/{name}.md"), text: captioned(&page.text), ..page });
    }
    let origin = "docs/generated/diagnostics/README.md".to_owned();
    pages.insert(0, Page { origin, path: "diagnostics/README.md".to_owned(), text: index });
    Ok(pages)
}
