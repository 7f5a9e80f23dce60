//! Holds modules of Terraform against their twins in JSON syntax, as `hcl json` writes them, and against what
//! `hcl json --from` makes of these: `terraform validate` says the same of all, and `terraform console` gives the same
//! values.
//!
//! Usage: `twins HCL [CORPUS]`, with the command `hcl` and a corpus like `tests/conformance/modules.jsonl`. Beside its
//! modules those of `tests/twins` and of the examples are compared. Terraform must be on PATH; the modules need the
//! built-in provider only. The exit status is 1 if a module that is valid has a twin that is not, or one that gives
//! other values, and the same for what comes back from a twin.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use hcl_syntax::parser::{ParseLimits, parse_file};
use hcl_syntax::source::Source;
use serde_json::Value as Json;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "twins: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns true if all twins are as they should be.
fn run() -> io::Result<bool> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let hcl = arguments.next().ok_or_else(|| io::Error::other("usage: twins HCL [CORPUS]"))?;
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = arguments.next().unwrap_or_else(|| package.join("conformance/modules.jsonl"));
    let mut modules = own_modules(package)?;
    modules.extend(modules_of_corpus(&corpus)?);
    let scratch = std::env::temp_dir().join(format!("twins-{}", std::process::id()));
    let comparison = Comparison { hcl: fs::canonicalize(hcl)?, scratch: scratch.clone() };
    let mut counts = Counts::default();
    let mut out = io::stdout().lock();
    for module in &modules {
        for line in comparison.compare(module, &mut counts)? {
            writeln!(out, "{}: {line}", module.name)?;
        }
        fs::remove_dir_all(&scratch)?;
    }
    writeln!(out, "{counts}")?;
    Ok(counts.is_good())
}

/// A module, and what is asked in it.
struct Module {
    name: String,
    files: BTreeMap<String, String>,
    environment: Vec<(String, String)>,
    questions: Vec<Question>,
}

struct Question {
    arguments: Vec<String>,
    expression: String,
}

/// The modules of the tree: asked for all their variables, locals and modules.
fn own_modules(package: &Path) -> io::Result<Vec<Module>> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(package.join("twins"))?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    folders.sort();
    folders.push(package.join("../examples/products/terraform"));
    folders.iter().map(|folder| own_module(folder)).collect()
}

fn own_module(folder: &Path) -> io::Result<Module> {
    let mut files = BTreeMap::new();
    read_files(folder, "", &mut files)?;
    let mut expressions = BTreeSet::new();
    for (_, text) in files.iter().filter(|(name, _)| name.ends_with(".tf") && !name.contains('/')) {
        expressions.extend(names(text));
    }
    let arguments: Vec<String> = files
        .keys()
        .filter(|name| name.ends_with(".tfvars"))
        .map(|name| format!("-var-file={name}"))
        .collect();
    let ask = |expression| Question { arguments: arguments.clone(), expression };
    let questions = expressions.into_iter().map(ask).collect();
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Module { name, files, environment: Vec::new(), questions })
}

fn read_files(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            read_files(&path, &format!("{name}/"), files)?;
        } else {
            files.insert(name, fs::read_to_string(&path)?);
        }
    }
    Ok(())
}

/// The names that a file of a module defines, as references.
fn names(text: &str) -> Vec<String> {
    let Ok(source) = Source::new("main.tf", text) else { return Vec::new() };
    let (file, _) = parse_file(source, &ParseLimits::default());
    let mut names = Vec::new();
    for block in file.body().blocks() {
        let label = block.label(0).map(|label| label.text().to_owned()).unwrap_or_default();
        match block.block_type() {
            "locals" => {
                names
                    .extend(block.body().attributes().map(|attribute| format!("local.{}", attribute.name())));
            }
            "variable" => names.push(format!("var.{label}")),
            "module" => names.push(format!("module.{label}")),
            _ => {}
        }
    }
    names
}

fn modules_of_corpus(corpus: &Path) -> io::Result<Vec<Module>> {
    let mut modules: Vec<Module> = Vec::new();
    for line in fs::read_to_string(corpus)?.lines() {
        let case: Json = serde_json::from_str(line)?;
        let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
        let files: BTreeMap<String, String> = case["files"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, file)| (name.clone(), text(file)))
            .collect();
        let environment: Vec<(String, String)> = case["env"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.clone(), text(value)))
            .collect();
        let question = Question {
            arguments: case["args"].as_array().into_iter().flatten().map(text).collect(),
            expression: text(&case["expr"]),
        };
        match modules.last_mut() {
            Some(last) if last.files == files && last.environment == environment => {
                last.questions.push(question);
            }
            _ => {
                let (name, questions) = (text(&case["set"]), vec![question]);
                modules.push(Module { name, files, environment, questions });
            }
        }
    }
    Ok(modules)
}

/// How many modules and answers were compared.
#[derive(Default)]
struct Counts {
    modules: usize,
    /// Their text is no HCL, or has no form in JSON syntax.
    without_twin: usize,
    valid: usize,
    valid_with_wrong_twin: usize,
    invalid: usize,
    invalid_with_valid_twin: usize,
    answers: usize,
    other_answers: usize,
    /// Valid modules that are not when they come back from their twins.
    valid_with_wrong_return: usize,
    other_answers_of_returns: usize,
}

impl Counts {
    fn is_good(&self) -> bool {
        self.modules > 0
            && self.valid_with_wrong_twin == 0
            && self.other_answers == 0
            && self.valid_with_wrong_return == 0
            && self.other_answers_of_returns == 0
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} modules, {} without a twin; {} valid, {} of their twins not; {} invalid, {} of their twins not; \
             {} answers in valid modules, {} others by the twins; back from their twins {} of the valid ones are not, \
             and {} answers are others",
            self.modules,
            self.without_twin,
            self.valid,
            self.valid_with_wrong_twin,
            self.invalid,
            self.invalid_with_valid_twin,
            self.answers,
            self.other_answers,
            self.valid_with_wrong_return,
            self.other_answers_of_returns
        )
    }
}

/// The programs and the folder that a comparison uses.
struct Comparison {
    hcl: PathBuf,
    scratch: PathBuf,
}

impl Comparison {
    /// Compares a module with its twin; returns the differences.
    fn compare(&self, module: &Module, counts: &mut Counts) -> io::Result<Vec<String>> {
        counts.modules += 1;
        let [original, twin, back] =
            ["original/m", "twin/m", "back/m"].map(|folder| self.scratch.join(folder));
        if let Some(told) = self.write([&original, &twin, &back], module, counts)? {
            return Ok(vec![told]);
        }
        let (is_valid, _) = validity(&original, module)?;
        let (twin_is_valid, told) = validity(&twin, module)?;
        if !is_valid {
            counts.invalid += 1;
            counts.invalid_with_valid_twin += usize::from(twin_is_valid);
            return Ok(if twin_is_valid {
                vec!["only the original is invalid".to_owned()]
            } else {
                Vec::new()
            });
        }
        counts.valid += 1;
        if !twin_is_valid {
            counts.valid_with_wrong_twin += 1;
            return Ok(vec![format!("only the twin is invalid: {told}")]);
        }
        let mut differences = Vec::new();
        let (back_is_valid, told) = validity(&back, module)?;
        if !back_is_valid {
            counts.valid_with_wrong_return += 1;
            differences.push(format!("back from the twin it is invalid: {told}"));
        }
        for question in &module.questions {
            counts.answers += 1;
            let wanted = answer(&original, module, &question.arguments, &question.expression)?;
            let arguments: Vec<String> =
                question.arguments.iter().map(|argument| twin_argument(argument, module)).collect();
            let got = answer(&twin, module, &arguments, &question.expression)?;
            if got != wanted {
                counts.other_answers += 1;
                differences.push(format!("{} gives {wanted}, and in the twin {got}", question.expression));
            }
            let got = answer(&back, module, &question.arguments, &question.expression)?;
            if got != wanted {
                counts.other_answers_of_returns += 1;
                differences.push(format!("{} gives {wanted}, and back {got}", question.expression));
            }
        }
        Ok(differences)
    }

    /// Writes a module, its twin and what comes back from that. Returns what is wrong where there is none.
    fn write(
        &self,
        [original, twin, back]: [&Path; 3],
        module: &Module,
        counts: &mut Counts,
    ) -> io::Result<Option<String>> {
        for (name, text) in &module.files {
            write_file(&original.join(name), text)?;
        }
        for (name, text) in &module.files {
            let twin_name = twin_name(name, module);
            if twin_name == *name {
                write_file(&twin.join(name), text)?;
                write_file(&back.join(name), text)?;
                continue;
            }
            let converted = Command::new(&self.hcl).arg("json").arg(original.join(name)).output()?;
            if !converted.status.success() {
                counts.without_twin += 1;
                return Ok(Some(format!("no twin: {}", first_line(&converted.stderr))));
            }
            let twin_name = twin.join(twin_name);
            write_file(&twin_name, &String::from_utf8_lossy(&converted.stdout))?;
            let returned = Command::new(&self.hcl).args(["json", "--from"]).arg(twin_name).output()?;
            if !returned.status.success() {
                counts.valid_with_wrong_return += 1;
                return Ok(Some(format!("no way back: {}", first_line(&returned.stderr))));
            }
            write_file(&back.join(name), &String::from_utf8_lossy(&returned.stdout))?;
        }
        Ok(None)
    }
}

fn first_line(told: &[u8]) -> String {
    String::from_utf8_lossy(told).lines().next().unwrap_or_default().to_owned()
}

fn write_file(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}

/// The name of a file of the twin; the same for files that are not converted, as where the module has both files.
fn twin_name(name: &str, module: &Module) -> String {
    let twin = format!("{name}.json");
    let is_converted = name.ends_with(".tf") || name.ends_with(".tfvars");
    if is_converted && !module.files.contains_key(&twin) { twin } else { name.to_owned() }
}

/// An argument of the console: a file of variables is that of the twin.
fn twin_argument(argument: &str, module: &Module) -> String {
    let (option, name) = match argument.split_once('=') {
        Some(("-var-file", name)) => ("-var-file=", name),
        _ if argument.starts_with('-') || argument.contains('=') => return argument.to_owned(),
        _ => ("", argument),
    };
    format!("{option}{}", twin_name(name, module))
}

/// A command of Terraform in a folder, in a module's environment and no other.
fn terraform(folder: &Path, module: &Module) -> Command {
    let mut command = Command::new("terraform");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TF_")) {
        command.env_remove(name);
    }
    command.current_dir(folder).env("TF_CLI_CONFIG_FILE", "/dev/null").env("CHECKPOINT_DISABLE", "1");
    command.envs(module.environment.iter().map(|(name, value)| (name, value)));
    command
}

/// Returns the validity of a module, with the diagnostics.
fn validity(folder: &Path, module: &Module) -> io::Result<(bool, String)> {
    terraform(folder, module).args(["init", "-input=false"]).output()?;
    let output = terraform(folder, module).args(["validate", "-json"]).output()?;
    let verdict: Json = serde_json::from_slice(&output.stdout)?;
    let mut told = String::new();
    for diagnostic in verdict["diagnostics"].as_array().into_iter().flatten() {
        // Writing to a string does not fail.
        let _ = write!(told, "{}: {} ", diagnostic["summary"], diagnostic["detail"]);
    }
    Ok((verdict["valid"] == Json::Bool(true), told))
}

/// Returns the answer of the console to an expression, and its status, without warnings, which name files.
fn answer(folder: &Path, module: &Module, arguments: &[String], expression: &str) -> io::Result<String> {
    let mut command = terraform(folder, module);
    command.arg("console").args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // A console that has refused its module reads nothing.
        let _ = writeln!(input, "{expression}");
    }
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let is_told = |line: &&str| !line.contains('\u{1b}') && !line.trim().is_empty();
    let lines: Vec<&str> = text.lines().filter(is_told).collect();
    Ok(format!("{} (status {:?})", lines.join("\n"), output.status.code()))
}
