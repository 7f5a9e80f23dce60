//! Runs conformance corpora, prints what agrees and writes a report.
//!
//! Usage: `conformance [FOLDER [REPORT]]`. Without a folder, the corpora of this repository are run. The
//! report, in Markdown, goes to REPORT, by default `conformance.md` in the target folder. The exit status is
//! 1 if a case differs that no decision names, or if there was nothing to run.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hcl_tests::conformance::{decisions, markdown, run_folder, table};

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "conformance: {error}");
            ExitCode::FAILURE
        }
    }
}

/// How many cases differ without a decision.
fn run() -> io::Result<usize> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = package.join("conformance");
    let folder = arguments.next().unwrap_or_else(|| own.clone());
    let report = arguments.next().unwrap_or_else(|| {
        let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        target.unwrap_or_else(|| package.join("../target")).join("conformance.md")
    });
    let mut known = decisions(&own.join("decisions.tsv"))?;
    let more = folder.join("decisions.tsv");
    if folder != own && more.exists() {
        known.extend(decisions(&more)?);
    }
    let run = run_folder(&folder, &known).map_err(|error| in_folder(&folder, &error))?;
    if run.reports.is_empty() {
        return Err(in_folder(&folder, "there is no corpus that can be run"));
    }
    if let Some(parent) = report.parent() {
        std::fs::create_dir_all(parent).map_err(|error| in_folder(parent, &error))?;
    }
    std::fs::write(&report, markdown(&run, &folder.display().to_string()))
        .map_err(|error| in_folder(&report, &error))?;
    let mut out = io::stdout().lock();
    out.write_all(table(&run).as_bytes())?;
    writeln!(out, "report: {}", report.display())?;
    let n_differing = run.n_differing();
    if n_differing > 0 {
        writeln!(
            out,
            "{n_differing} cases differ. Mend them; a difference that is meant has a line with its reason in \
             tests/conformance/decisions.tsv."
        )?;
    }
    Ok(n_differing)
}

fn in_folder(folder: &Path, problem: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: {problem}", folder.display()))
}
