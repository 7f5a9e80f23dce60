//! Agreement with the reference never falls below the floors in `conformance/floors.txt`, and every
//! difference is a decision.

use std::path::Path;

use hcl_tests::conformance::{decisions, floors, run_folder, table};

#[test]
fn agreement_is_above_the_floors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let floors = floors(&folder.join("floors.txt")).expect("the floors are readable");
    let decisions = decisions(&folder.join("decisions.tsv")).expect("the decisions are readable");
    let run = run_folder(&folder, &decisions).expect("the corpora are readable");
    assert_eq!(run.n_differing(), 0, "{}", table(&run));
    for floor in floors {
        let report = run.reports.iter().find(|report| report.corpus == floor.corpus);
        let total = report.map(|report| report.total()).expect("every floor is of a corpus");
        let reached = total.agreed >= floor.agreed && total.strictly >= floor.strictly;
        assert!(reached, "{} fell below its floor:\n{}", floor.corpus, table(&run));
    }
}
