//! The book and the links of the tree: nothing leads nowhere, and no page is forgotten.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hcl_book::Book;
use hcl_book::markdown::links;
use hcl_book::summary::Summary;
use hcl_book::tree::{dead_links, files, join};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A help text of the form of the command's, which is not built here.
#[allow(clippy::unnecessary_wraps, reason = "asking a command may fail")]
fn help(arguments: &[&str]) -> Result<String, String> {
    Ok(format!("About {}\n\nCommands:\n  eval   Evaluate\n  check  Check\n", arguments.join(" ")))
}

#[test]
fn links_between_files_lead_somewhere() {
    let dead = dead_links(&root());
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn pages_of_the_book_lead_somewhere() {
    let book = Book::gather(&root(), &help).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(book.pages.contains_key("command/eval.md"));
    assert!(book.pages.contains_key("c/evaluation.md"), "{:?}", book.pages.keys());
}

/// mdBook makes `.html` of `.md` wherever that stands in the last part of a link, and `index.html` of a README only where it is
/// the page itself. `make book` checks the HTML.
#[test]
fn links_lead_where_mdbook_puts_pages() {
    let book = Book::gather(&root(), &help).unwrap_or_else(|problems| panic!("{problems}"));
    let sources = &book.sources;
    let html = |path: &String| match path.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.html"),
        None => path.replace(".md", ".html"),
    };
    let pages = book.pages.keys().map(html);
    let made: BTreeSet<String> =
        pages.chain(sources.copies.keys().cloned()).chain(sources.listings.keys().cloned()).collect();
    for (page, text) in book.pages.iter().filter(|(path, _)| *path != "SUMMARY.md") {
        for link in links(text).iter().filter(|link| !link.target.contains("://")) {
            let path = link.target.split('#').next().unwrap_or_default();
            let target = match path.split_once(".md") {
                Some((stem, _)) => format!("{stem}.html"),
                None => path.to_owned(),
            };
            let is_there = path.is_empty() || made.contains(&join(page, &target));
            assert!(is_there, "{page}: {} becomes {target}, which is not made", link.target);
        }
    }
}

#[test]
fn every_page_of_docs_is_in_the_contents() {
    let summary = Summary::read(&root(), &help).unwrap_or_else(|problem| panic!("{problem}"));
    let listed: BTreeSet<_> = summary.pages.iter().map(|page| page.origin.as_str()).collect();
    let written = files(&root(), "docs").into_iter().chain(files(&root(), "tests/cases"));
    let forgotten: Vec<_> = written
        .filter(|path| {
            path.ends_with(".md") && path != "docs/SUMMARY.md" && !path.starts_with("docs/builder/")
        })
        .filter(|path| !listed.contains(path.as_str()))
        .collect();
    assert!(forgotten.is_empty(), "docs/SUMMARY.md does not list {forgotten:?}");
}

#[test]
fn the_picture_of_the_pipeline_is_stored() {
    let path = root().join("docs/images/pipeline.svg");
    let wanted = hcl_book::pipeline::picture();
    if std::env::var_os("HCL_UPDATE").is_some() {
        std::fs::write(&path, &wanted).expect("the picture can be written");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == wanted, "docs/images/pipeline.svg is out of date; run it with HCL_UPDATE=1");
}

#[test]
fn every_page_has_one_place() {
    let summary = Summary::read(&root(), &help).unwrap_or_else(|problem| panic!("{problem}"));
    let places: BTreeSet<_> = summary.pages.iter().map(|page| page.path.to_lowercase()).collect();
    assert_eq!(places.len(), summary.pages.len(), "two pages have the same place in the book");
}
