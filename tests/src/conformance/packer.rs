//! Packer's templates: `packer` and `packer_structure`.
//!
//! A case is a folder of files, arguments and an environment. Nothing of it touches the system.

use hcl_eval::Value;
use hcl_eval::eval::{EvalOptions, evaluate};
use hcl_eval::host::{MemoryHost, Timestamp};
use hcl_module::packer::{Template, TemplateOptions};
use hcl_module::{Given, TextFiles};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, Severity, has_errors};
use hcl_syntax::parser::parse_expression;
use hcl_syntax::source::Source;
use serde_json::Value as Json;

use super::Verdict;
use super::judge::{is_true, list, same, shown, string};

/// Where a case's folder is said to be.
const FOLDER: &str = "/project/template";

/// The world of a case.
struct World {
    host: MemoryHost,
    files: TextFiles,
}

impl World {
    fn of(case: &Json) -> Self {
        // What depends on the clock or on chance is asked for nothing that depends on what they say.
        let clock = Timestamp { seconds: 1_700_000_000, nanoseconds: 0 };
        let mut host = MemoryHost::new().with_working_directory(FOLDER).with_clock(clock).with_random_seed(1);
        // One variable at least, so that asking for others is allowed.
        host = host.with_environment_variable("LANG", "C.UTF-8");
        let mut files = TextFiles::default();
        for (name, text) in entries(case, "files") {
            host = host.with_file(&format!("{FOLDER}/{name}"), text);
            files = files.with(&name, text);
        }
        for (name, value) in entries(case, "env") {
            host = host.with_environment_variable(&name, value);
        }
        Self { host, files }
    }

    fn read(&self, case: &Json) -> (Template, Diagnostics) {
        let options = TemplateOptions {
            given: given(case),
            evaluation: EvalOptions { host: Some(&self.host), ..EvalOptions::default() },
            ..TemplateOptions::default()
        };
        let path = case.get("module").and_then(Json::as_str).unwrap_or(".");
        Template::read(path, &self.files, &options)
    }

    /// The value of an expression beside the template.
    fn value(&self, template: &Template, expression: &str) -> (Value, Diagnostics) {
        let Ok(source) = Source::new("<console-input>", expression) else { return Default::default() };
        let (parsed, mut diagnostics) = parse_expression(source, &Default::default());
        if has_errors(&diagnostics) {
            return (Value::default(), diagnostics);
        }
        let host = template.host(&self.host);
        let options = EvalOptions { host: Some(&host), ..EvalOptions::default() };
        let (value, problems) = evaluate(parsed.expression(), Some(template.scope()), &options);
        diagnostics.extend(problems);
        (value, diagnostics)
    }
}

fn entries<'c>(case: &'c Json, key: &str) -> impl Iterator<Item = (String, &'c str)> {
    let entries = case.get(key).and_then(Json::as_object).into_iter().flatten();
    entries.filter_map(|(name, text)| Some((name.clone(), text.as_str()?)))
}

/// `-var` and `-var-file` with what follows them.
fn given(case: &Json) -> Vec<Given> {
    let arguments: Vec<&str> = list(case, "args").iter().filter_map(Json::as_str).collect();
    let pair = |pair: &[&str]| match pair {
        ["-var", assignment] => Some(Given::Assignment((*assignment).to_owned())),
        ["-var-file", path] => Some(Given::File((*path).to_owned())),
        _ => None,
    };
    arguments.chunks(2).filter_map(pair).collect()
}

/// Values and types agree, and titles of errors; strictly, their places, and what the product's console answers after
/// an error of the second phase.
pub(super) fn judge(case: &Json) -> Verdict {
    let world = World::of(case);
    let (template, mut problems) = world.read(case);
    if !has_errors(&problems) {
        let (value, own) = world.value(&template, string(case, "expr"));
        problems.extend(own);
        if !has_errors(&problems) && is_true(case, "ok") {
            return Verdict::of(value_agrees(case, &value)).and_strictly(|| warnings_agree(case, &problems));
        }
    }
    if is_true(case, "ok") {
        return Verdict::Differs(format!("refused: {}", told(&problems)));
    }
    if !has_errors(&problems) {
        return Verdict::Differs(format!("accepted, wanted {}", shown(case, "errors")));
    }
    let missing = list(case, "errors").iter().map(|error| string(error, "title"));
    let missing: Vec<&str> =
        missing.filter(|title| !problems.iter().any(|told| told.summary == *title)).collect();
    // A missing folder has no title.
    if missing.iter().any(|title| !title.is_empty()) {
        return Verdict::Differs(format!("{} wanted {missing:?}", told(&problems)));
    }
    Verdict::Strictly
        .and_strictly(|| places_agree(case, &problems))
        .and_strictly(|| console_agrees(case, &template, &world))
}

fn value_agrees(case: &Json, value: &Value) -> Result<(), String> {
    let ty = value.ty().to_type_text();
    if ty != string(case, "type") {
        return Err(format!("type {ty} wanted {}", string(case, "type")));
    }
    let wanted = case.get("value").or_else(|| case.get("partial")).map(placed).unwrap_or_default();
    let got = json_of(value);
    if same(&got, &wanted) { Ok(()) } else { Err(format!("value {got} wanted {wanted}")) }
}

/// A value with the folder in its place.
fn placed(wanted: &Json) -> Json {
    match wanted {
        Json::String(text) => Json::String(text.replace("$CWD", FOLDER)),
        Json::Array(parts) => parts.iter().map(placed).collect(),
        Json::Object(parts) => parts.iter().map(|(name, part)| (name.clone(), placed(part))).collect(),
        other => other.clone(),
    }
}

/// A value as the corpus writes it: what is not known by its type, infinities by name.
fn json_of(value: &Value) -> Json {
    let special =
        |key: &str, text: String| Json::Object([(key.to_owned(), Json::String(text))].into_iter().collect());
    if !value.is_known() {
        return special("$unknown", value.ty().to_type_text());
    }
    if let Some(number) = value.as_number().filter(|number| number.is_infinite()) {
        let sign = if number.to_text().starts_with('-') { "-Inf" } else { "+Inf" };
        return special("$number", sign.to_owned());
    }
    if let Some(parts) = value.entries() {
        return Json::Object(parts.map(|(name, part)| (name.to_string(), json_of(part))).collect());
    }
    if let Some(parts) = value.elements() {
        return parts.iter().map(json_of).collect();
    }
    value.to_json().ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

fn told(problems: &[Diagnostic]) -> String {
    let told: Vec<String> = problems.iter().map(Diagnostic::to_string).collect();
    format!("{told:?}")
}

fn warnings_agree(case: &Json, problems: &[Diagnostic]) -> Result<(), String> {
    let wanted: Vec<&str> = list(case, "warnings").iter().filter_map(Json::as_str).collect();
    let warnings = problems.iter().filter(|told| told.severity == Severity::Warning);
    let got: Vec<&str> = warnings.map(|told| &*told.summary).collect();
    if got == wanted { Ok(()) } else { Err(format!("warnings {got:?} wanted {wanted:?}")) }
}

/// Each error is told where the product tells it, and no other is.
fn places_agree(case: &Json, problems: &[Diagnostic]) -> Result<(), String> {
    let place = |title: &str, file: &str, line: Option<u64>| match line {
        Some(line) if !title.is_empty() => format!("{title} at {file}:{line}"),
        _ => title.to_owned(),
    };
    let mut wanted: Vec<String> = list(case, "errors")
        .iter()
        .map(|error| {
            place(string(error, "title"), string(error, "file"), error.get("line").and_then(Json::as_u64))
        })
        .filter(|error| !error.is_empty())
        .collect();
    let errors = problems.iter().filter(|told| told.severity == Severity::Error);
    let mut got: Vec<String> = errors
        .map(|told| match &told.subject {
            Some(range) => place(&told.summary, &range.filename, Some(u64::from(range.start.line))),
            None => told.summary.to_string(),
        })
        .collect();
    for all in [&mut wanted, &mut got] {
        all.sort();
        // What is wrong with a `packer` block is told twice by the product.
        all.dedup();
    }
    if wanted.is_empty() || got == wanted { Ok(()) } else { Err(format!("{got:?} wanted {wanted:?}")) }
}

/// Compares the answers that the console gives all the same.
fn console_agrees(case: &Json, template: &Template, world: &World) -> Result<(), String> {
    let Some(wanted) = case.get("console") else { return Ok(()) };
    let (value, problems) = world.value(template, string(case, "expr"));
    let got: Vec<&str> = problems.iter().map(|told| &*told.summary).collect();
    let titles: Vec<&str> = list(wanted, "errors").iter().filter_map(Json::as_str).collect();
    if got != titles {
        return Err(format!("console {got:?} wanted {titles:?}"));
    }
    let ty = value.ty().to_type_text();
    let is_same = !titles.is_empty() || ty == string(wanted, "type");
    if is_same { Ok(()) } else { Err(format!("console's type {ty} wanted {}", string(wanted, "type"))) }
}

/// Sources and builds agree; bodies of which the corpus says nothing are not looked at.
pub(super) fn judge_structure(case: &Json) -> Verdict {
    let world = World::of(case);
    let (template, mut problems) = world.read(case);
    let host = &world.host;
    let (whole, more) = template.structure(&EvalOptions { host: Some(host), ..EvalOptions::default() });
    problems.extend(more);
    let got = whole.as_ref().map_or(Json::Null, json_of);
    let agreed = ["sources", "builds"].into_iter().try_for_each(|key| {
        let wanted = case.get(key).cloned().unwrap_or(Json::Array(Vec::new()));
        let got = told_of(&got[key], &wanted, &problems);
        if same(&got, &wanted) { Ok(()) } else { Err(format!("{key} {got} wanted {wanted}")) }
    });
    let agreed = agreed.and_then(|()| {
        let is_right = has_errors(&problems) != list(case, "errors").is_empty();
        if is_right { Ok(()) } else { Err(format!("{} wanted {}", told(&problems), shown(case, "errors"))) }
    });
    Verdict::of(agreed).and_strictly(|| places_agree(case, &problems))
}

/// An answer without the bodies of which the case says nothing, and after errors without arguments that failed, which
/// the corpus leaves out and we have as unknown.
fn told_of(got: &Json, wanted: &Json, problems: &[Diagnostic]) -> Json {
    match (got, wanted) {
        (Json::Array(got), Json::Array(wanted)) if got.len() == wanted.len() => {
            got.iter().zip(wanted).map(|(got, wanted)| told_of(got, wanted, problems)).collect()
        }
        (Json::Object(got), Json::Object(wanted)) => {
            let part = |(name, part): (&String, &Json)| match wanted.get(name) {
                Some(Json::Null) if name == "body" => Some((name.clone(), Json::Null)),
                Some(wanted) => Some((name.clone(), told_of(part, wanted, problems))),
                None if has_errors(problems) && has_unknown(part) => None,
                None => Some((name.clone(), part.clone())),
            };
            Json::Object(got.iter().filter_map(part).collect())
        }
        (got, _) => got.clone(),
    }
}

/// True if a value is not known, or something in it.
fn has_unknown(value: &Json) -> bool {
    match value {
        Json::Array(parts) => parts.iter().any(has_unknown),
        Json::Object(parts) => parts.contains_key("$unknown") || parts.values().any(has_unknown),
        _ => false,
    }
}
