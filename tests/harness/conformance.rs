//! Agreement with the reference never falls below the floors in `conformance/floors.txt`, and every
//! difference is a decision.

use std::path::Path;

use hcl_tests::conformance::{Run, Standing, decisions, floors, run_folder, table};

#[test]
fn agreement_is_above_the_floors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let floors = floors(&folder.join("floors.txt")).expect("the floors are readable");
    let decisions = decisions(&folder.join("decisions.tsv")).expect("the decisions are readable");
    let run = run_folder(&folder, &decisions).expect("the corpora are readable");
    assert_eq!(run.n_differing(), 0, "{}", table(&run));
    every_decision_has_a_reason(&run);
    readme_tells_the_numbers(&run);
    for floor in floors {
        let report = run.reports.iter().find(|report| report.corpus == floor.corpus);
        let total = report.map(|report| report.total()).expect("every floor is of a corpus");
        let reached = total.agreed >= floor.agreed && total.strictly >= floor.strictly;
        assert!(reached, "{} fell below its floor:\n{}", floor.corpus, table(&run));
    }
}

/// In the corpora of this repository it is not enough that a case says `differs`.
fn every_decision_has_a_reason(run: &Run) {
    for difference in run.reports.iter().flat_map(|report| &report.differences) {
        if let Standing::Intended(decision) = &difference.standing {
            let (id, why) = (&difference.id, &difference.why);
            assert!(!decision.is_of_corpus(), "no line of decisions.tsv is about {id}: {why}");
        }
    }
}

fn readme_tells_the_numbers(run: &Run) {
    let totals: Vec<_> = run.reports.iter().map(|report| report.total()).collect();
    let cases: usize = totals.iter().map(|total| total.cases).sum();
    let otherwise: usize = totals.iter().map(|total| total.intended).sum();
    let sentence = format!(
        "with {},{:03} answers of the reference implementations; it differs from {otherwise} of them on purpose",
        cases / 1000,
        cases % 1000
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(path).expect("the README is readable");
    let words: Vec<&str> = readme.split_whitespace().collect();
    assert!(words.join(" ").contains(&sentence), "README.md ought to say {sentence:?}");
}
