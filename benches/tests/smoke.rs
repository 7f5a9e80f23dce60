//! The benchmarks still run, and hostile input is still harmless.

use std::process::Command;

/// Runs the program and returns what it prints, if it succeeds.
fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hcl-bench")).args(arguments).output().expect("it starts");
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}\n{report}\n{problems}");
    report
}

/// The reference is built and asked where there is Go; all engines are seen to agree.
#[test]
fn a_quick_run_measures_everything() {
    let docs = tempfile::tempdir().expect("a folder for temporary files");
    let page = docs.path().join("performance.md");
    std::fs::write(&page, "before\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nafter\n")
        .expect("writable");
    let report = run(&["--quick", "--docs", docs.path().to_str().expect("a plain name")]);
    for word in [
        "tf_10k",
        "nomad_10k",
        "data_10k",
        "small",
        "real",
        "bool_cmp",
        "num_20ops",
        "directives_10",
        "div",
        "decode",
        "format",
        "parse, Go to libhcl, geometric mean of the files",
        "num_20ops, instructions",
    ] {
        assert!(report.contains(&format!("| {word} ")), "nothing about {word}:\n{report}");
    }
    let page = std::fs::read_to_string(page).expect("it is still there");
    assert!(page.starts_with("before\n") && page.ends_with("after\n") && !page.contains("old"), "{page}");
    let chart = std::fs::read_to_string(docs.path().join("performance/evaluation.svg")).expect("a chart");
    assert!(chart.contains("num_20ops") && chart.ends_with("</svg>\n"), "{chart}");
    assert!(!chart.contains("NaN") && !chart.contains("inf"), "{chart}");
}

#[test]
fn functions_are_measured_at_growing_sizes() {
    let report = run(&["growth", "--quick", "distinct", "setproduct", "yamldecode"]);
    for word in ["distinct", "setproduct", "yamldecode"] {
        assert!(report.contains(&format!("| {word} ")), "nothing about {word}:\n{report}");
    }
}

/// Time is not looked at: here builds are slow and machines busy. What counts is that nothing dies, on a
/// stack of 2 MiB and in a debug build, and that it ends.
#[test]
fn hostile_input_kills_nothing() {
    let report = run(&["pathological", "--n", "2000,20000", "--survive"]);
    assert!(report.contains("| paren ") && report.contains("- Violations: 0"), "{report}");
}
