//! Runs every case of every document under `cases/`, and those in the explanations of the book, one test for each.
//!
//! With `HCL_UPDATE=1` in the environment, expectations that are not met are rewritten in place.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use hcl_tests::check::{difference, replacements, untold};
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
    if !found.is_empty() {
        let differences: String = found.iter().map(difference).collect();
        return Err(Failed::from(format!("{differences}{IF_MEANT}")));
    }
    let silent = untold(case)?;
    match silent.is_empty() {
        true => Ok(()),
        false => Err(Failed::from(format!("{}\n{HOW_TO_TELL}", silent.join("\n")))),
    }
}

/// Advice on a difference.
const IF_MEANT: &str = "If this is meant, `HCL_UPDATE=1 cargo test -p hcl-tests --test cases` writes it. Titles and places are \
                        the reference's (docs/policies.md).";

/// Advice on an attribute or a complaint that the case does not mention.
const HOW_TO_TELL: &str = "End the attribute with `# =`, or add an empty `value` or `diagnostics` fence; \
                           `HCL_UPDATE=1 cargo test -p hcl-tests --test cases` fills them in.";

/// Rewrites a document's expectations; a case that can't be run is left for the next check to tell.
fn update(document: &Document) {
    let found: Vec<_> = document.cases.iter().filter_map(|case| replacements(case).ok()).flatten().collect();
    if !found.is_empty() {
        fs::write(&document.path, document.with_replacements(&found)).expect("the document is writable");
    }
}
