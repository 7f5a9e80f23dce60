//! Folders: `modules` and `modules_opentofu` (asked of the products' consoles), `modules_validate` (what
//! `terraform validate` finds).

use std::collections::BTreeMap;

use hcl_cli::console::{console_form, misused_type};
use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::host::{MemoryHost, Timestamp};
use hcl_module::{EXPRESSION, Given, LoadOptions, Module, Release, TextFiles};
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, Severity, has_errors};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;
use serde_json::Value as Json;

use super::Verdict;
use super::judge::{is_true, list, string};

/// The most text that an answer may have.
const MAX_TEXT: usize = 1 << 24;

/// The words of a console: its answer if there is one, and what is wrong.
struct Said {
    answer: Option<String>,
    diagnostics: Diagnostics,
}

/// The answer agrees, or all titles of the errors; strictly also their places.
pub(super) fn judge(case: &Json) -> Verdict {
    let said = match asked(case) {
        Ok(said) => said,
        Err(problem) => return Verdict::Differs(problem),
    };
    let errors: Vec<&Diagnostic> =
        said.diagnostics.iter().filter(|one| one.severity == Severity::Error).collect();
    if is_true(case, "ok") {
        if let Some(error) = errors.first() {
            return Verdict::Differs(format!("refused: {error}"));
        }
        let answer = said.answer.unwrap_or_default();
        if answer.trim() == string(case, "text").trim() {
            return Verdict::Strictly;
        }
        return Verdict::Differs(format!("answer {answer:?} wanted {:?}", string(case, "text")));
    }
    let wanted = wanted_errors(case);
    let titles: Vec<&str> = errors.iter().map(|error| &*error.summary).collect();
    let missing =
        wanted.iter().find(|wanted| !titles.iter().any(|title| title.starts_with(string(wanted, "title"))));
    if let Some(missing) = missing {
        return Verdict::Differs(format!("titles {titles:?} wanted {:?}", string(missing, "title")));
    }
    Verdict::Strictly.and_strictly(|| places_agree(case, &wanted, &errors))
}

/// The errors whose titles have to be told. That the expression has no value is told beside the errors of the module
/// by consoles which go on after them; who fails on these need not.
fn wanted_errors(case: &Json) -> Vec<&Json> {
    let all: Vec<&Json> = list(case, "errors").iter().collect();
    let is_spare = |error: &&Json| {
        let title = string(error, "title");
        let of_value =
            title.starts_with("Reference to uninitialized ") || title.starts_with("Reference to unresolved ");
        of_value && string(error, "file") == EXPRESSION
    };
    let asked: Vec<&Json> = all.iter().copied().filter(|error| !is_spare(error)).collect();
    if asked.is_empty() { all } else { asked }
}

fn places_agree(case: &Json, wanted: &[&Json], errors: &[&Diagnostic]) -> Result<(), String> {
    for wanted in wanted {
        let file = string(wanted, "file");
        if case["files"].get(file).is_none() {
            continue;
        }
        let line = wanted["line"].as_u64();
        let is_there = |error: &&Diagnostic| {
            let subject = error.subject.as_ref();
            subject.is_some_and(|at| &*at.filename == file && Some(u64::from(at.start.line)) == line)
        };
        if !errors.iter().any(is_there) {
            return Err(format!("nothing at {file}:{line:?}, wanted {:?}", string(wanted, "title")));
        }
    }
    Ok(())
}

/// Asks as the command does: what is wrong with the whole module, then what is asked.
fn asked(case: &Json) -> Result<Said, String> {
    let release = match case.get("dialect").and_then(Json::as_str) {
        None => Release::TERRAFORM,
        Some(name) => Release::by_name(name).ok_or("a dialect that is not known")?,
    };
    let files = files(case);
    let host = host(case);
    let options = LoadOptions { release, given: given(case)?, host: Some(&host), ..LoadOptions::default() };
    let (module, mut diagnostics) = Module::load(&files, &options);
    if !module.can_be_evaluated() {
        return Ok(Said { answer: None, diagnostics });
    }
    let options = EvalOptions { host: Some(&host), ..EvalOptions::default() };
    diagnostics.extend(module.check(&options));
    let source = Source::new(EXPRESSION, string(case, "expr")).map_err(|error| error.to_string())?;
    let (parsed, more) = parse_expression(source, &ParseLimits::default());
    let failed = has_errors(&more);
    diagnostics.extend(more);
    if failed {
        return Ok(Said { answer: None, diagnostics });
    }
    let functions = Scope::builder().functions(release.functions()).build();
    let expression = ConfigExpression::native(parsed.tree().clone(), parsed.expression().id());
    let (scope, more) = module.scope_of(&[expression], Some(&functions), &options);
    diagnostics.extend(more);
    let Some(scope) = scope else { return Ok(Said { answer: None, diagnostics }) };
    let (value, mut own) = evaluate(parsed.expression(), Some(&scope), &options);
    own.extend(misused_type(parsed.expression(), Some(&scope)));
    let answer = if has_errors(&own) { None } else { console_form(&value, MAX_TEXT).ok() };
    diagnostics.extend(own);
    Ok(Said { answer, diagnostics })
}

fn texts(case: &Json) -> BTreeMap<&str, &str> {
    let files = case["files"].as_object().into_iter().flatten();
    files.map(|(path, text)| (path.as_str(), text.as_str().unwrap_or_default())).collect()
}

fn files(case: &Json) -> TextFiles {
    texts(case).into_iter().collect()
}

fn host(case: &Json) -> MemoryHost {
    let host = MemoryHost::new().with_working_directory("/module");
    let host = host.with_clock(Timestamp { seconds: 1_700_000_000, nanoseconds: 0 });
    let host = texts(case).into_iter().fold(host, |host, (path, text)| host.with_file(path, text));
    let environment = case["env"].as_object().into_iter().flatten();
    environment.fold(host, |host, (name, value)| {
        host.with_environment_variable(name, value.as_str().unwrap_or_default())
    })
}

fn given(case: &Json) -> Result<Vec<Given>, String> {
    let mut all = Vec::new();
    let mut arguments = list(case, "args").iter().filter_map(Json::as_str);
    while let Some(argument) = arguments.next() {
        let (option, value) = match argument.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (argument, arguments.next()),
        };
        all.push(match (option, value) {
            ("-var", Some(text)) => Given::Assignment(text.to_owned()),
            ("-var-file", Some(path)) => Given::File(path.to_owned()),
            _ => return Err(format!("an argument that is not known: {argument}")),
        });
    }
    Ok(all)
}

/// Compares the errors by title, file and line. The product that was asked is of release 1.11.
pub(super) fn judge_validate(case: &Json) -> Verdict {
    let Some(release) = Release::by_name("terraform-1.11") else {
        return Verdict::Differs("the release is not known".to_owned());
    };
    let files = files(case);
    let options = LoadOptions { release, reads_value_files: false, ..LoadOptions::default() };
    let (module, mut diagnostics) = Module::load(&files, &options);
    let host = host(case);
    diagnostics.extend(module.validate(&EvalOptions { host: Some(&host), ..EvalOptions::default() }));
    let is_error = |one: &&Diagnostic| one.severity == Severity::Error;
    let mut found: Vec<String> = diagnostics.iter().filter(is_error).map(found_line).collect();
    let errors = list(case, "diagnostics").iter().filter(|one| string(one, "severity") != "warning");
    let mut wanted: Vec<String> = errors
        .map(|one| match one["line"].as_u64() {
            Some(line) => format!("{} at {}:{line}", title_alone(string(one, "title")), string(one, "file")),
            None => title_alone(string(one, "title")).to_owned(),
        })
        .collect();
    found.sort();
    wanted.sort();
    if found == wanted {
        Verdict::Strictly
    } else {
        Verdict::Differs(format!("errors {found:?} wanted {wanted:?}"))
    }
}

fn found_line(error: &Diagnostic) -> String {
    match &error.subject {
        Some(at) => format!("{} at {}:{}", title_alone(&error.summary), at.filename, at.start.line),
        None => title_alone(&error.summary).to_owned(),
    }
}

/// The members of a ring come in any order.
fn title_alone(title: &str) -> &str {
    if title.starts_with("Cycle") { "Cycle" } else { title }
}
