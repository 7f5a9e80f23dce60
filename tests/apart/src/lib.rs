//! Tests whose helpers ask more of crates than the library does: with them in one build, Cargo gives the library more too, for
//! example random numbers in the engine of regular expressions.
//!
//! They need the command as `make debug` builds it.

use std::path::PathBuf;

/// The command `hcl` of the debug build.
///
/// # Panics
/// It has not been built.
pub fn hcl() -> PathBuf {
    let test = std::env::current_exe().expect("a test is a file");
    let found = test.ancestors().skip(1).map(|folder| folder.join("hcl")).find(|file| file.is_file());
    found.expect("`cargo build -p hcl-cli` builds the command that these tests run")
}
