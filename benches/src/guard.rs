//! The guard: instructions of the [`pieces`](crate::pieces), counted by callgrind, beside those that are stored.
//!
//! Counts hardly differ between two runs of one program on one machine, so a piece that needs more than stored has
//! become slower. They do differ between compilers, C libraries and versions of valgrind; what they were stored
//! with stands beside them, and where it is not what is here, nothing is held against anybody.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::findings::Findings;
use crate::pieces;
use crate::report::Report;

/// Growth beyond this share fails.
const MOST_GROWTH: f64 = 0.03;
/// The difference that two runs of one program have at most.
const NOISE: f64 = 0.01;
/// The beginning of names in the table for calls across C's boundary.
const BOUNDARY: &str = "c_";

/// Where a piece begins and ends, in this program and in the C program.
const PIECE: [&str; 2] = ["hcl_bench::pieces::Piece::counted", "hcl_bench::pieces::Piece::finished"];
const CROSSING: [&str; 2] = ["counted", "finished"];

/// Instructions for one run of each piece.
type Counts = BTreeMap<String, f64>;

/// The verdict of the check.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// No piece needs more than stored, or the counts do not compare.
    Passed,
    /// A piece needs more than stored.
    Failed,
    /// Counting was not possible.
    NotMeasured,
}

/// Checks all pieces and adds the table; with `is_update` stores the counts instead.
pub(crate) fn run(is_update: bool, is_forced: bool, report: &mut Report) -> Verdict {
    let Some(mut counts) = count_all() else {
        report.section("Instructions", &["piece", "stored", "counted", "change", "verdict"]);
        report.note("NOT MEASURED: this needs valgrind, a C compiler, and libhcl.a beside this program (`make perf-check` builds it)".into());
        return Verdict::NotMeasured;
    };
    let here = surroundings();
    if is_update {
        let written = std::fs::write(store(), stored_form(&here, &counts));
        report.section("Instructions, stored anew", &["piece", "counted"]);
        for (name, count) in &counts {
            report.row(vec![name.clone(), format!("{count:.0}")]);
        }
        return if written.is_ok() { Verdict::Passed } else { Verdict::NotMeasured };
    }
    let text = std::fs::read_to_string(store()).unwrap_or_default();
    let (there, stored) = read_stored(&text);
    let compares = is_forced || there == here;
    let is_grown =
        |name: &str, count: f64| stored.get(name).is_some_and(|was| count > was * (1.0 + MOST_GROWTH));
    // A second look at what has grown: whatever disturbed the first does not come twice.
    if compares && counts.iter().any(|(name, count)| is_grown(name, *count)) {
        for (name, again) in count_all().unwrap_or_default() {
            counts.entry(name).and_modify(|count| *count = count.min(again));
        }
    }
    let n_failures = tabulate(&counts, &stored, compares, report);
    if !compares {
        report.note(format!("NOTHING IS COMPARED: the counts were stored with\n  {}\n  and here is\n  {}\n  `HCL_UPDATE=1 make perf-check` stores them anew, `HCL_FORCE=1 make perf-check` compares all the same", there.join("; "), here.join("; ")));
        return Verdict::Passed;
    }
    report.note(format!("{n_failures} failures; a piece fails that needs over {:.0} % more than stored, or is not stored, or is stored and gone", MOST_GROWTH * 100.0));
    report.note("`HCL_UPDATE=1 make perf-check` stores the counts, when a change is meant; `hcl-bench profile PIECE` under callgrind shows where they are".into());
    if n_failures > 0 { Verdict::Failed } else { Verdict::Passed }
}

/// Adds the table; how many pieces fail.
fn tabulate(counts: &Counts, stored: &Counts, compares: bool, report: &mut Report) -> usize {
    report.section("Instructions", &["piece", "stored", "counted", "change", "verdict"]);
    let mut n_failures = 0;
    for (name, &count) in counts {
        let Some(&was) = stored.get(name) else {
            n_failures += usize::from(compares);
            report.row(vec![
                name.clone(),
                "-".into(),
                format!("{count:.0}"),
                "-".into(),
                "NOT STORED".into(),
            ]);
            continue;
        };
        let change = count / was - 1.0;
        let verdict = match change {
            _ if change.abs() <= NOISE => "same",
            _ if change < 0.0 => "less",
            _ if change <= MOST_GROWTH => "a little more",
            _ => "MORE",
        };
        n_failures += usize::from(compares && verdict == "MORE");
        report.row(vec![
            name.clone(),
            format!("{was:.0}"),
            format!("{count:.0}"),
            format!("{:+.1}%", change * 100.0),
            verdict.into(),
        ]);
    }
    for (name, was) in stored.iter().filter(|(name, _)| !counts.contains_key(*name)) {
        n_failures += usize::from(compares);
        report.row(vec![name.clone(), format!("{was:.0}"), "-".into(), "-".into(), "GONE".into()]);
    }
    n_failures
}

/// Instructions of all pieces as figures: `instructions NAME`; of those that are parsed for a byte, of those with a
/// thousand elements for an element.
pub(crate) fn take_up(findings: &mut Findings) {
    for (name, count) in count_all().unwrap_or_default() {
        let n_bytes =
            pieces::by_name(&name).filter(|_| name.starts_with("parse_")).map(|piece| piece.n_bytes);
        let n_units = match n_bytes.and_then(|n| u32::try_from(n).ok()) {
            Some(n_bytes) => f64::from(n_bytes),
            None if name.ends_with("_1000") => 1_000.0,
            None => 1.0,
        };
        findings.figure(&format!("instructions {name}"), Some(count / n_units));
    }
}

fn count_all() -> Option<Counts> {
    let program = std::env::current_exe().ok()?;
    let mut counts = count(&program, &["pieces"], PIECE)?;
    let boundary = build_boundary(&program, &program.with_file_name("libhcl.a"))?;
    let crossings = count(&boundary, &[], CROSSING)?;
    counts.extend(crossings.into_iter().map(|(name, count)| (format!("{BOUNDARY}{name}"), count)));
    Some(counts)
}

/// The C program, linked with an archive and put beside this program.
pub(crate) fn build_boundary(program: &Path, archive: &Path) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = program.with_file_name("hcl-bench-boundary");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let status = Command::new(compiler)
        .args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(root.join("../include"))
        .arg(root.join("c/boundary.c"))
        .arg(archive)
        .args(["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc", "-o"])
        .arg(&built)
        .status();
    status.ok().filter(|status| status.success()).map(|_| built)
}

/// Runs a program that enters `functions` at the beginning and at the end of each piece and prints names and repeats
/// in that order. Callgrind writes what it has counted whenever one of them is entered; every second time that is a
/// piece.
fn count(program: &Path, arguments: &[&str], functions: [&str; 2]) -> Option<Counts> {
    let folder = tempfile::tempdir().ok()?;
    let file = folder.path().join("counts");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet", "--error-exitcode=9"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .args(functions.map(|function| format!("--dump-before={function}")))
        .arg(program)
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut counts = Counts::new();
    for (index, line) in names.lines().enumerate() {
        let (name, repeats) = line.split_once('\t')?;
        let dump = std::fs::read_to_string(format!("{}.{}", file.display(), 2 * index + 2)).ok()?;
        let total = dump.lines().find_map(|line| line.strip_prefix("totals: "))?;
        counts.insert(name.to_owned(), total.trim().parse::<f64>().ok()? / repeats.parse::<f64>().ok()?);
    }
    Some(counts)
}

/// The program under callgrind: piece after piece.
#[expect(clippy::print_stdout, reason = "the parent reads it")]
pub(crate) fn run_pieces(chosen: &[String]) {
    for name in pieces::names().iter().filter(|name| chosen.is_empty() || chosen.contains(name)) {
        if let Some(mut piece) = pieces::by_name(name) {
            piece.warm_up();
            piece.counted(piece.repeats);
            piece.finished();
            println!("{name}\t{}", piece.repeats);
        }
    }
}

fn store() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.txt")
}

/// The facts beside the sources that counts depend on.
fn surroundings() -> Vec<String> {
    let first_line = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().map(|output| output.stdout);
        let text = String::from_utf8_lossy(&output.unwrap_or_default()).into_owned();
        text.lines().next().unwrap_or("unknown").to_owned()
    };
    vec![
        first_line("rustc", &["--version"]),
        first_line("valgrind", &["--version"]),
        first_line("ldd", &["--version"]),
        std::env::consts::ARCH.to_owned(),
    ]
}

fn stored_form(surroundings: &[String], counts: &Counts) -> String {
    let mut text = String::from(
        "# Instructions for one run of each piece of benches/src/pieces.rs and benches/c/boundary.c, by callgrind.\n# `make perf-check` compares, `HCL_UPDATE=1 make perf-check` writes this file. Counted with:\n",
    );
    for line in surroundings {
        let _ = writeln!(text, "= {line}");
    }
    for (name, count) in counts {
        let _ = writeln!(text, "{name} {count:.0}");
    }
    text
}

fn read_stored(text: &str) -> (Vec<String>, Counts) {
    let surroundings = text.lines().filter_map(|line| Some(line.strip_prefix("= ")?.to_owned())).collect();
    let counts = text.lines().filter_map(|line| {
        let (name, count) = line.split_once(' ')?;
        Some((name.to_owned(), count.parse().ok()?))
    });
    (surroundings, counts.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(stored: &[(&str, f64)], counted: &[(&str, f64)]) -> usize {
        let counts =
            |all: &[(&str, f64)]| all.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
        tabulate(&counts(counted), &counts(stored), true, &mut Report::default())
    }

    #[test]
    fn what_needs_more_than_stored_fails() {
        let stored = [("parse", 1000.0), ("format", 1000.0)];
        assert_eq!(verdicts(&stored, &[("parse", 1050.0), ("format", 1000.0)]), 1);
        assert_eq!(verdicts(&stored, &[("parse", 1029.0), ("format", 400.0)]), 0);
        assert_eq!(verdicts(&stored, &[("parse", 1000.0)]), 1, "gone");
        assert_eq!(verdicts(&stored[..1], &[("parse", 1000.0), ("format", 1000.0)]), 1, "not stored");
    }

    #[test]
    fn what_is_stored_is_read() {
        let counts = Counts::from([("parse_tf".to_owned(), 12.0)]);
        let here = vec!["rustc 1".to_owned(), "libc 2".to_owned()];
        assert_eq!(read_stored(&stored_form(&here, &counts)), (here, counts));
    }
}
