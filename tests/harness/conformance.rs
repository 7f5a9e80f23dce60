//! Agreement with the reference never falls below the floors in `conformance/floors.txt`.

use std::path::Path;

use hcl_tests::conformance::{floors, run_folder, table};

#[test]
fn agreement_is_above_the_floors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let floors = floors(&folder.join("floors.txt")).expect("the floors are readable");
    let reports = run_folder(&folder).expect("the corpora are readable");
    for floor in floors {
        let report = reports.iter().find(|report| report.corpus == floor.corpus);
        let total = report.map(|report| report.total()).expect("every floor is of a corpus");
        let reached = total.agreed >= floor.agreed && total.strictly >= floor.strictly;
        assert!(reached, "{} fell below its floor:\n{}", floor.corpus, table(&reports));
    }
}
