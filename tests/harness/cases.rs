//! Runs every case of every document under `cases/`, and those in the explanations of the book, one test for each.
//!
//! With `HCL_UPDATE=1` in the environment, expectations that are not met are rewritten in place.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use hcl_tests::check::{difference, replacements};
use hcl_tests::document::{Case, Document};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [package.join("cases"), package.join("../docs/explanation")];
    let documents: Vec<_> = folders
        .iter()
        .flat_map(|folder| Document::read_all(folder).expect("the case documents are readable"))
        .collect();
    if std::env::var_os("HCL_UPDATE").is_some_and(|value| value == "1") {
        documents.iter().for_each(update);
        return ExitCode::SUCCESS;
    }
    let cases = documents.into_iter().flat_map(|document| document.cases);
    let trials = cases.map(|case| Trial::test(case.name.clone(), move || check(&case)));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

fn check(case: &Case) -> Result<(), Failed> {
    let found = replacements(case)?;
    if found.is_empty() {
        return Ok(());
    }
    Err(Failed::from(found.iter().map(difference).collect::<String>()))
}

/// Rewrites a document's expectations; a case that can't be run is left for the next check to tell.
fn update(document: &Document) {
    let found: Vec<_> = document.cases.iter().filter_map(|case| replacements(case).ok()).flatten().collect();
    if !found.is_empty() {
        fs::write(&document.path, document.with_replacements(&found)).expect("the document is writable");
    }
}
