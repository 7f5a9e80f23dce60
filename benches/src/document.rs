//! `docs/performance.md`: the measured part, between two marks, is replaced; what people wrote around it stays.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::findings::Findings;

const BEGIN: &str = "<!-- measured: begin -->\n";
const END: &str = "<!-- measured: end -->\n";

/// Writes page and charts below `docs`.
///
/// # Errors
/// The folder is not writable, or the page lacks its marks.
pub(crate) fn write(docs: &Path, findings: &Findings) -> io::Result<()> {
    let images = docs.join("performance");
    fs::create_dir_all(&images)?;
    let mut measured = format!("{}\n", surroundings());
    for chart in &findings.charts {
        fs::write(images.join(format!("{}.svg", chart.file)), chart.svg())?;
    }
    measured.push_str(&findings.report.markdown());
    measured.push_str("## Charts\n\n");
    for chart in &findings.charts {
        let _ = writeln!(measured, "![{}](performance/{}.svg)\n", chart.title, chart.file);
    }
    let path = docs.join("performance.md");
    let page = fs::read_to_string(&path)?;
    let parts = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) =
        parts.ok_or_else(|| io::Error::other("the page lacks the marks of its measured part"))?;
    fs::write(path, format!("{before}{BEGIN}\n{measured}{END}{after}"))
}

/// The machine, and the versions of all that takes part.
fn surroundings() -> String {
    let mut text = String::from("## Machine and versions\n\n");
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map(|(_, model)| model);
    let n_processors = std::thread::available_parallelism().map_or(0, usize::from);
    let _ = writeln!(text, "- {n_processors} processors: {}", model.unwrap_or("unknown"));
    for (program, argument) in
        [("uname", "-sr"), ("rustc", "--version"), ("go", "version"), ("valgrind", "--version")]
    {
        let output =
            Command::new(program).arg(argument).output().map(|output| output.stdout).unwrap_or_default();
        let output = String::from_utf8_lossy(&output);
        let _ = writeln!(text, "- {}", output.lines().next().unwrap_or("not there: ").trim());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lock = fs::read_to_string(root.join("../Cargo.lock")).unwrap_or_default();
    let crates = ["hcl-edit", "hcl-rs", "cel", "mlua", "lua-src", "serde_json"];
    let versions = crates.into_iter().filter_map(|name| {
        let (_, rest) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
        Some(format!("{name} {}", rest.split('"').next()?))
    });
    let modules = fs::read_to_string(root.join("go/go.mod")).unwrap_or_default();
    let modules = modules.lines().filter_map(|line| {
        let module = line.trim();
        ["github.com/hashicorp/hcl/v2 ", "github.com/zclconf/go-cty "]
            .iter()
            .any(|name| module.starts_with(name))
            .then(|| module.to_owned())
    });
    let _ = writeln!(text, "- {}", versions.chain(modules).collect::<Vec<_>>().join(", "));
    text
}
