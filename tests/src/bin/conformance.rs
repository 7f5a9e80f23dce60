//! Runs conformance corpora and prints what agrees.
//!
//! Usage: `conformance [FOLDER [REPORT]]`. Without a folder, the corpora of this repository are run. The
//! list of differences is written to REPORT, by default `conformance.txt` in the target folder.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hcl_tests::conformance::{full_report, run_folder, table};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "conformance: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> io::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = arguments.next().unwrap_or_else(|| package.join("conformance"));
    let report = arguments.next().unwrap_or_else(|| {
        let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        target.unwrap_or_else(|| package.join("../target")).join("conformance.txt")
    });
    let reports = run_folder(&folder)?;
    std::fs::write(&report, full_report(&reports))?;
    let mut out = io::stdout().lock();
    out.write_all(table(&reports).as_bytes())?;
    writeln!(out, "differences: {}", report.display())
}
