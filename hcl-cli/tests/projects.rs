//! The projects of `tests/projects`: folders as users of Terraform and OpenTofu have them, and what the console of
//! the product answers to expressions about them.
//!
//! Those of Terraform are asked in the releases 1.11 and the newest one, which answer alike unless a question names
//! its dialects. `HCL_UPDATE=1 cargo test -p hcl-cli --test projects` asks `terraform console` anew.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A line of `expected.jsonl`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    /// The dialects that answer so, if not all of the product.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dialects: Vec<String>,
    /// Arguments as the product has them: `-var=a=b`, `-var-file`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    args: Vec<String>,
    /// Variables of the environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    env: BTreeMap<String, String>,
    /// The expression.
    expr: String,
    #[serde(flatten)]
    answer: Answer,
}

/// The answer of a console.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Answer {
    /// The titles of all errors, sorted, each once: the console tells an error again for every instance of a module.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    errors: Vec<String>,
    /// The value, which may be there besides errors in what the expression does not need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// The folders with projects of a product.
fn projects(product: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/projects").join(product);
    let mut found: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn questions(project: &Path) -> Vec<Question> {
    let text = fs::read_to_string(project.join("expected.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// A command in a folder, with no variables of the environment that modules read but those of the question.
fn command(program: &str, folder: &Path, question: &Question) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TF_")) {
        command.env_remove(name);
    }
    command.current_dir(folder).envs(&question.env);
    command
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The answer of `hcl eval`.
fn ours(project: &Path, dialect: &str, question: &Question) -> Answer {
    let arguments = question.args.iter().map(|argument| match argument.strip_prefix("-var") {
        Some(rest) => format!("--var{rest}"),
        None => argument.clone(),
    });
    let output = command(env!("CARGO_BIN_EXE_hcl"), project, question)
        .args(["eval", "--allow", "fs,env", "--diagnostics", "json", "--dialect", dialect, "--module", "."])
        .args(arguments)
        .args(["--", &question.expr])
        .output()
        .unwrap();
    let report = text_of(&output.stderr);
    let errors = titles(&report);
    let status = output.status.code();
    assert!(
        status == Some(i32::from(!errors.is_empty())),
        "{}: {}: status {status:?}\n{report}",
        project.display(),
        question.expr
    );
    let text = text_of(&output.stdout).trim_end().to_owned();
    Answer { errors, text: (!text.is_empty()).then_some(text) }
}

/// The titles of the errors in a report, sorted, each once.
fn titles(report: &str) -> Vec<String> {
    if report.is_empty() {
        return Vec::new();
    }
    let report: Value = serde_json::from_str(report).expect(report);
    let diagnostics = report["diagnostics"].as_array().unwrap().iter();
    let errors = diagnostics.filter(|found| found["severity"] == "error");
    let mut titles: Vec<_> = errors.map(|found| found["summary"].as_str().unwrap().to_owned()).collect();
    titles.sort();
    titles.dedup();
    titles
}

/// Compares the answers to all questions about the projects of a product.
fn compare(product: &str, dialects: &[&str]) {
    let (mut asked, mut differences) = (0, String::new());
    for project in projects(product) {
        for question in questions(&project) {
            for dialect in dialects {
                if !question.dialects.is_empty() && !question.dialects.iter().any(|known| known == dialect) {
                    continue;
                }
                asked += 1;
                let got = ours(&project, dialect, &question);
                if got != question.answer {
                    let name = project.file_name().unwrap().to_string_lossy();
                    let Question { args, env, expr, answer, .. } = &question;
                    writeln!(
                        differences,
                        "{name} {dialect} {args:?} {env:?} {expr}\n  {answer:?}\n  {got:?}"
                    )
                    .unwrap();
                }
            }
        }
    }
    assert!(asked > 0, "there are no projects of {product}");
    let count = differences.lines().count() / 3;
    assert!(count == 0, "{count} of {asked} answers differ (wanted, got):\n{differences}");
}

#[test]
fn projects_of_terraform_answer_as_its_console_does() {
    if std::env::var_os("HCL_UPDATE").is_some() {
        projects("terraform").iter().for_each(|project| ask_terraform(project));
    }
    compare("terraform", &["terraform-1.11", "terraform"]);
}

#[test]
fn projects_of_opentofu_answer_as_its_console_does() {
    compare("opentofu", &["opentofu"]);
}

/// Stores the answers of `terraform console`, asked in a copy of the project, where its modules are installed.
fn ask_terraform(project: &Path) {
    let copy = tempfile::tempdir().unwrap();
    copy_folder(project, copy.path());
    let installed =
        Command::new("terraform").args(["init", "-input=false"]).current_dir(copy.path()).output();
    let installed = installed.expect("HCL_UPDATE needs terraform on the PATH");
    assert!(installed.status.success(), "{}: terraform init failed", project.display());
    let mut lines = String::new();
    for mut question in questions(project) {
        if question.dialects.is_empty() || question.dialects.iter().any(|name| name == "terraform-1.11") {
            question.answer = theirs(copy.path(), &question);
        }
        writeln!(lines, "{}", serde_json::to_string(&question).unwrap()).unwrap();
    }
    fs::write(project.join("expected.jsonl"), lines).unwrap();
}

/// The answer of `terraform console`.
fn theirs(folder: &Path, question: &Question) -> Answer {
    let output = console(folder, question, &question.expr);
    let report = text_of(&output.stderr);
    let mut errors: Vec<_> =
        report.lines().filter_map(|line| line.strip_prefix("Error: ")).map(str::to_owned).collect();
    errors.sort();
    errors.dedup();
    if !output.status.success() {
        assert!(!errors.is_empty(), "{}: {report}", question.expr);
        return Answer { errors, text: None };
    }
    // Warnings come first, on standard output, whatever the expression is.
    let shown = text_of(&output.stdout);
    let other = text_of(&console(folder, question, "0").stdout);
    let text = shown.strip_prefix(other.strip_suffix("0\n").unwrap()).unwrap().trim_end();
    Answer { errors, text: Some(text.to_owned()) }
}

fn console(folder: &Path, question: &Question, expression: &str) -> Output {
    let mut child = command("terraform", folder, question)
        .args(["console", "-no-color"])
        .args(&question.args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(format!("{expression}\n").as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir(&target).unwrap();
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
