//! The library as C programs get it: its size, and what calls across the boundary cost.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::findings::Findings;
use crate::guard::build_boundary;
use crate::report::figure;

/// Repeats of one sample of the C program.
const REPEATS: &str = "20000";

/// Measures and adds tables and figures; what is not built is not measured.
pub(crate) fn run(findings: &mut Findings) {
    let Ok(program) = std::env::current_exe() else { return };
    findings.report.section("The library", &["what", "MB, stripped"]);
    let core = program.with_file_name("core").join("libhcl.so");
    for (what, name, path) in [
        ("libhcl.so, everything", "library size", program.with_file_name("libhcl.so")),
        ("libhcl.so, the language's core", "library core size", core),
    ] {
        let size = stripped_size(&path);
        findings.figure(name, size);
        findings.report.row(vec![what.into(), size.map_or("not built".into(), figure)]);
    }
    let Some(boundary) = build_boundary(&program) else { return };
    let Ok(output) = Command::new(boundary).arg(REPEATS).output() else { return };
    findings.report.section("Calls from C, ns of processor time", &["call", "libhcl"]);
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Some((name, nanos)) = line.split_once('\t') else { continue };
        if name == "eval_bool" {
            findings.figure("boundary", nanos.parse().ok());
        }
        findings.report.row(vec![name.to_owned(), nanos.to_owned()]);
    }
    findings.report.note("`eval_bool` evaluates the prepared condition `env == \"prod\" && count > 3`; `set_and_eval_bool` sets both variables first.".into());
}

/// Takes up figures that other programs measured: a JSON object a line, with `name` and `value`; other keys are for
/// people.
pub(crate) fn take_up(path: &Path, findings: &mut Findings) {
    let Ok(text) = fs::read_to_string(path) else { return };
    findings.report.section("Beside a Go library in C, and from Go", &["figure", "value"]);
    for line in text.lines() {
        let Ok(object) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let (Some(name), Some(value)) = (object["name"].as_str(), object["value"].as_f64()) else { continue };
        findings.figure(name, Some(value));
        findings.report.row(vec![name.to_owned(), figure(value)]);
    }
}

/// Megabytes of a library without symbols.
fn stripped_size(path: &Path) -> Option<f64> {
    let stripped = tempfile::NamedTempFile::new().ok()?;
    let status = Command::new("strip").arg("-o").arg(stripped.path()).arg(path).status();
    let bytes =
        status.ok().filter(|status| status.success()).and_then(|_| fs::metadata(stripped.path()).ok())?;
    Some(f64::from(u32::try_from(bytes.len()).ok()?) / 1e6)
}
