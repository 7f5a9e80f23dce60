//! The tests of `specsuite/`, in the format of the official specification suite. Each is a test of its own.

use std::path::Path;

use hcl_tests::specsuite::{run_test, tests_in};
use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specsuite");
    let tests = tests_in(&folder).expect("the tests are readable");
    assert!(!tests.is_empty(), "there are tests");
    let trials = tests
        .into_iter()
        .map(|path| {
            let name = path.with_extension("");
            let name = name.strip_prefix(&folder).unwrap_or(&name).display().to_string();
            Trial::test(name, move || run_test(&path).map_err(Into::into))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}
