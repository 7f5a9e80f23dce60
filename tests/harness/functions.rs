//! The function library: nothing undescribed, examples that hold, pages that are up to date, and the columns of
//! the products.
//!
//! With `HCL_UPDATE=1` in the environment the outputs of examples and the pages are written anew; run it a second
//! time for pages with the new outputs, because the reference is compiled in.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hcl_eval::dialect::{PRODUCTS, by_name, makers, names as names_of_dialects, since as since_of};
use hcl_eval::function::Function;
use hcl_eval::reference::topics;
use hcl_tests::check::calls;
use hcl_tests::columns::{Row, rows};
use hcl_tests::document::Document;
use hcl_tests::reference::{index, page, page_name, root, with_outputs};

fn updating() -> bool {
    std::env::var_os("HCL_UPDATE").is_some_and(|value| value == "1")
}

/// Every name that some product has, without the namespace that repeats the others.
fn names() -> BTreeSet<String> {
    let tables = PRODUCTS.iter().filter_map(|product| by_name(product));
    let names = tables.flat_map(|table| table.names().map(str::to_owned).collect::<Vec<_>>());
    names.filter(|name| !name.starts_with("core::")).collect()
}

fn described(function: &Function) -> Vec<String> {
    let mut missing: Vec<String> = function
        .all_parameters()
        .filter(|parameter| !is_sentence(&parameter.description))
        .map(|parameter| format!("{}: parameter {}", function.name(), parameter.name))
        .collect();
    if !is_sentence(function.description()) {
        missing.push(format!("{}: the function itself", function.name()));
    }
    missing
}

/// One line that begins with a capital letter or a quoted name and ends with a full stop.
fn is_sentence(text: &str) -> bool {
    text.len() > 5 && !text.contains('\n') && text.ends_with('.') && !text.starts_with(char::is_lowercase)
}

#[test]
fn everything_is_described() {
    let tables = PRODUCTS.iter().filter_map(|product| by_name(product)).chain([makers()]);
    let missing: BTreeSet<String> = tables
        .flat_map(|table| table.iter().flat_map(|(_, function)| described(function)).collect::<Vec<_>>())
        .collect();
    assert!(missing.is_empty(), "without a description of one sentence: {missing:#?}");
}

#[test]
fn every_function_has_an_entry_with_examples() {
    let known = names();
    let entries: BTreeSet<String> = topics()
        .flat_map(|topic| topic.entries)
        .filter(|entry| !entry.examples.is_empty())
        .map(|entry| entry.name.to_owned())
        .collect();
    let missing: Vec<_> = known.difference(&entries).collect();
    assert!(
        missing.is_empty(),
        "functions without an entry with examples in hcl-eval/src/reference: {missing:?}"
    );
    let unknown: Vec<_> = entries.difference(&known).collect();
    assert!(unknown.is_empty(), "entries of functions that no product has: {unknown:?}");
}

#[test]
fn entries_are_in_order() {
    for topic in topics() {
        let names: Vec<_> = topic.entries.iter().map(|entry| entry.name).collect();
        assert!(names.is_sorted(), "{}: the functions are not sorted", topic.title);
    }
}

#[test]
fn examples_and_pages_are_up_to_date() {
    let sources = root().join("hcl-eval/src/reference");
    let texts = fs::read_dir(&sources).expect("the folder of the reference is readable");
    let texts = texts.map(|entry| entry.expect("an entry of a readable folder").path());
    for path in texts.filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let text = fs::read_to_string(&path).expect("the reference is text");
        hold(&path, &text, &with_outputs(&text));
    }
    let folder = root().join("docs/functions");
    let mut wanted: Vec<_> = names().into_iter().map(|name| (page_name(&name), page(&name))).collect();
    wanted.push(("README.md".to_owned(), Ok(index())));
    for (name, text) in &wanted {
        let path = folder.join(name);
        let present = fs::read_to_string(&path).unwrap_or_default();
        hold(&path, &present, text.as_ref().expect("every function has a page"));
    }
    for entry in fs::read_dir(&folder).expect("the pages are there") {
        let name = entry.expect("an entry of a readable folder").file_name();
        let is_wanted = wanted.iter().any(|(known, _)| name == known.as_str());
        assert!(is_wanted, "docs/functions/{} is the page of no function", name.display());
    }
}

/// Compares a file with what it ought to be, or makes it so.
fn hold(path: &Path, present: &str, wanted: &str) {
    if present == wanted {
        return;
    }
    if updating() {
        let folder = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(folder).expect("the folder can be made");
        fs::write(path, wanted).expect("the file is writable");
        return;
    }
    let line = present.lines().zip(wanted.lines()).position(|(present, wanted)| present != wanted);
    let number = line.unwrap_or_else(|| present.lines().count().min(wanted.lines().count()));
    let at = |text: &str| text.lines().nth(number).unwrap_or("(nothing)").to_owned();
    panic!(
        "{}, line {}, is out of date: it has {:?} and ought to have {:?}; \
         `HCL_UPDATE=1 cargo test -p hcl-tests --test functions`, run twice, writes it",
        path.display(),
        number + 1,
        at(present),
        at(wanted)
    );
}

#[test]
fn tables_have_the_names_of_their_columns() {
    for product in PRODUCTS {
        let column: BTreeSet<String> =
            rows().into_iter().filter(|row| row.is_in(product)).map(|row| row.name).collect();
        let table = by_name(product).expect("a product has a table");
        let names: BTreeSet<String> =
            table.names().filter(|name| !name.starts_with("core::")).map(str::to_owned).collect();
        let missing: Vec<_> = column.difference(&names).collect();
        let surplus: Vec<_> = names.difference(&column).collect();
        assert!(
            missing.is_empty() && surplus.is_empty(),
            "{product}: the table of functions lacks {missing:?}, tests/conformance/functions.tsv lacks {surplus:?}"
        );
    }
}

/// A release such as 1.11, to be compared.
fn release(text: &str) -> (u16, u16) {
    let (major, minor) = text.split_once('.').expect("two numbers");
    (major.parse().expect("a number"), minor.parse().expect("a number"))
}

#[test]
fn releases_have_exactly_their_functions() {
    let text = fs::read_to_string(root().join("tests/conformance/releases.tsv")).expect("the table is there");
    let added: Vec<(&str, &str, Vec<&str>)> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut columns = line.split('\t');
            let mut next = || columns.next().expect("three columns");
            (next(), next(), next().split(' ').collect())
        })
        .collect();
    let mut n_releases = 0;
    for name in names_of_dialects() {
        let Some((product, own)) = name.split_once('-') else { continue };
        n_releases += 1;
        let is_later = |function: &str| {
            added.iter().any(|(of, since, functions)| {
                *of == product && release(since) > release(own) && functions.contains(&function)
            })
        };
        let wanted: BTreeSet<String> =
            rows().into_iter().filter(|row| row.is_in(product)).map(|row| row.name).collect();
        let wanted: BTreeSet<String> = wanted.into_iter().filter(|function| !is_later(function)).collect();
        let table = by_name(name).expect("a release has a table");
        let found: BTreeSet<String> =
            table.names().filter(|name| !name.starts_with("core::")).map(str::to_owned).collect();
        let (missing, surplus): (Vec<_>, Vec<_>) =
            (wanted.difference(&found).collect(), found.difference(&wanted).collect());
        assert!(
            missing.is_empty() && surplus.is_empty(),
            "{name}: the table of functions lacks {missing:?} or has {surplus:?} too early; \
             tests/conformance/functions.tsv and releases.tsv say when a function came"
        );
        for (of, since, functions) in &added {
            for function in functions.iter().filter(|_| *of == product) {
                let reason = table.later(function);
                assert_eq!(reason.is_some(), release(since) > release(own), "{name}: {function}");
                assert!(reason.is_none_or(|reason| reason.contains(since)), "{name}: {function}: {reason:?}");
                assert_eq!(since_of(product, function).as_deref(), Some(*since), "{product}: {function}");
            }
        }
    }
    assert_eq!(n_releases, 28, "the table above speaks of all of them");
}

#[test]
fn signatures_are_those_of_the_columns() {
    let mut wrong = Vec::new();
    for row in rows() {
        for product in &row.products {
            let Some(function) = by_name(product).and_then(|table| table.get(&row.name).cloned()) else {
                continue;
            };
            let found = Row::of(&function, &row);
            if found.signature() != row.signature() {
                wrong.push(format!("{product}: {}\n   want: {}", found.signature(), row.signature()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_namespace_repeats_its_table() {
    for product in ["terraform", "opentofu"] {
        let table = by_name(product).expect("a product has a table");
        let plain = table.names().filter(|name| !name.contains("::"));
        let repeated: Vec<String> = plain.map(|name| format!("core::{name}")).collect();
        let inside: Vec<&str> = table.names().filter(|name| name.starts_with("core::")).collect();
        assert_eq!(inside, repeated, "{product}");
    }
}

#[test]
fn every_function_of_every_product_has_a_case() {
    let folder = root().join("tests/cases/functions");
    let documents = Document::read_all(&folder).expect("the case documents are readable");
    let mut called: BTreeSet<(String, String)> = BTreeSet::new();
    for fence in documents.iter().flat_map(|document| &document.cases).flat_map(|case| &case.fences) {
        for name in calls(fence) {
            called.extend(fence.dialects.iter().map(|dialect| (dialect.clone(), name.clone())));
        }
    }
    let mut missing = Vec::new();
    for row in rows() {
        let is_called = |product: &&String| called.contains(&((*product).clone(), row.name.clone()));
        missing.extend(
            row.products
                .iter()
                .filter(|product| !is_called(product))
                .map(|product| format!("{product}: {}", row.name)),
        );
    }
    assert!(missing.is_empty(), "no case calls these: {missing:#?}");
}
