//! The library as C programs get it, installed by `benches/libraries`: its size, and what calls across the boundary cost.

use std::fs;
use std::path::{Path, PathBuf};
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
    for (what, name, prefix) in [
        ("libhcl.so, everything", "library size", "installed"),
        ("libhcl.so, the language's core", "library core size", "installed-core"),
    ] {
        let size = installed(prefix).and_then(|folder| stripped_size(&folder.join("lib/libhcl.so")));
        findings.figure(name, size);
        findings.report.row(vec![what.into(), size.map_or("not built".into(), figure)]);
    }
    let Some(boundary) =
        installed("installed").and_then(|folder| build_boundary(&program, &folder.join("lib/libhcl.a")))
    else {
        return;
    };
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

/// Where `benches/libraries` installs: a folder beside that of this program's build.
fn installed(prefix: &str) -> Option<PathBuf> {
    std::env::current_exe().ok()?.ancestors().nth(2).map(|target| target.join(prefix))
}

/// The C program that stands for the installed library, linked with it; none where no library is installed.
pub(crate) fn build_contender() -> Option<PathBuf> {
    let prefix = installed("installed").filter(|prefix| prefix.join("lib/libhcl.so").exists())?;
    let built = std::env::current_exe().ok()?.with_file_name("hcl-bench-installed");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let status = Command::new(compiler)
        .args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(prefix.join("include"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("c/contender.c"))
        .arg("-L")
        .arg(prefix.join("lib"))
        .arg(format!("-Wl,-rpath,{}", prefix.join("lib").display()))
        .args(["-lhcl", "-o"])
        .arg(&built)
        .status();
    status.ok().filter(|status| status.success()).map(|_| built)
}

/// Takes up the figures of another program: libhcl beside the reference as a Go library, in C programs and in Go
/// programs. It prints a JSON object a line, with `row`, `name`, `unit`, `ours`, `theirs` and their `ratio`.
pub(crate) fn take_up_embedding(findings: &mut Findings) {
    let run = Path::new(env!("CARGO_MANIFEST_DIR")).join("embedding/run");
    let target =
        std::env::current_exe().ok().and_then(|program| Some(program.ancestors().nth(2)?.to_owned()));
    let (true, Some(target)) = (run.exists(), target) else { return };
    let output = Command::new(run).arg("--built").env("CARGO_TARGET_DIR", target).output();
    findings.report.section(
        "Embedding: libhcl beside the reference as a Go library",
        &["goal", "what", "unit", "libhcl", "Go", "Go to libhcl"],
    );
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        findings.report.note("NOT MEASURED: it needs Go, Python, pkg-config and a C compiler".into());
        return;
    };
    let mut n_added = 0.0;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(line) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let number = |key: &str| line[key].as_f64();
        let (row, name) =
            (line["row"].as_str().unwrap_or_default(), line["name"].as_str().unwrap_or_default());
        let (ours, ratio) = (number("ours"), number("ratio"));
        match (row, name) {
            ("C2", "dlopen and first call") => {
                findings.figure("first call", ours.map(|micros| micros / 1e3));
                findings.figure("first call share", ratio.map(|ratio| 1.0 / ratio));
            }
            ("C2", "memory after the first evaluation") => {
                findings.figure("first resident", ours.map(|kibibytes| kibibytes * 1_024.0 / 1e6));
            }
            ("C2", _) if name.ends_with("that come with it") => {
                n_added += ours.unwrap_or_default();
                findings.figure("first threads", Some(n_added));
            }
            ("C3", "prepared condition from C") => {
                findings.figure("boundary", ours);
                findings.figure("boundary Go", ratio);
            }
            ("C4", "BoolCmp from Go") => findings.figure("cgo bool", ratio),
            ("C4", "ForFilter1000 from Go") => findings.figure("cgo filter", ratio),
            ("C4", "Structs500 from Go") => findings.figure("cgo structs", ratio),
            _ => {}
        }
        let cell = |number: Option<f64>| number.map_or("-".into(), figure);
        let unit = line["unit"].as_str().unwrap_or_default();
        findings.report.row(vec![
            row.into(),
            name.into(),
            unit.into(),
            cell(ours),
            cell(number("theirs")),
            ratio.map_or("-".into(), |ratio| format!("{ratio:.1}x")),
        ]);
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
