//! Facts that a package of libhcl tells of the crates inside it.
//!
//! `hcl-packaging notices|sbom|copyright [--package NAME]... [--target TRIPLE] [FEATURE FLAGS]` writes to standard
//! output. The crates are those of the dependency graph of the features that are built.

mod copyright;
mod graph;
mod license;
mod notices;
mod spdx;

use std::io::Write as _;
use std::process::ExitCode;

use graph::{Graph, Selection};

const USAGE: &str =
    "usage: hcl-packaging notices|sbom|copyright [--package NAME]... [--target TRIPLE] [FEATURE FLAGS]";

fn main() -> ExitCode {
    let written = text_asked_for(std::env::args().skip(1)).and_then(|text| {
        std::io::stdout().write_all(text.as_bytes()).map_err(|error| format!("cannot write: {error}"))
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "hcl-packaging: {why}");
            ExitCode::FAILURE
        }
    }
}

fn text_asked_for(mut arguments: impl Iterator<Item = String>) -> Result<String, String> {
    let verb = arguments.next().ok_or(USAGE)?;
    let mut selection = Selection::default();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--package" => selection.packages.push(arguments.next().ok_or(USAGE)?),
            "--target" => selection.target = Some(arguments.next().ok_or(USAGE)?),
            _ => selection.features.push(argument),
        }
    }
    if selection.packages.is_empty() {
        selection.packages.push("hcl-ffi".to_owned());
    }
    let graph = Graph::of(&selection)?;
    match verb.as_str() {
        "notices" => notices::text(&graph),
        "sbom" => spdx::document(&graph, created()?),
        "copyright" => copyright::text(&graph),
        _ => Err(USAGE.to_owned()),
    }
}

/// Seconds since 1970 that the bill of materials calls its birth: `SOURCE_DATE_EPOCH`, else now.
fn created() -> Result<u64, String> {
    match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text.parse().map_err(|_| format!("SOURCE_DATE_EPOCH is no number of seconds: {text:?}")),
        Err(_) => Ok(std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs())),
    }
}
