//! Inputs that once broke a property under fuzzing keep it now. `make fuzz` looks for more.

use hcl_tests::fuzz::{TARGETS, regressions};

#[test]
fn what_was_found_stays_mended() {
    for target in TARGETS {
        let inputs = regressions(target.name).expect("the folder is readable");
        assert!(!inputs.is_empty(), "{} has no inputs", target.name);
        for (path, bytes) in inputs {
            println!("{}", path.display());
            (target.run)(&bytes);
        }
    }
}
