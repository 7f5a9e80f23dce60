//! Jobs of Nomad, with everything in them evaluated: `nomad`.

use std::collections::HashMap;

use hcl_eval::eval::{EvalOptions, Evaluation};
use hcl_eval::evaluated::{EvaluatedBody, EvaluatedItem};
use hcl_eval::host::MemoryHost;
use hcl_eval::value::{Kind, Value};
use hcl_module::nomad::{Job, JobOptions, is_json, parse};
use hcl_module::{Given, TextFiles};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, Severity, has_errors};
use hcl_syntax::parser::ParseLimits;
use serde_json::{Map, Value as Json};

use super::Verdict;
use super::judge::{is_true, list, same, string};

/// The name of the job's file.
const JOB: &str = "job.nomad";

/// The values of the job agree, or its errors by title and place; strictly, there are no other errors.
pub(super) fn judge(case: &Json) -> Verdict {
    let (values, diagnostics) = match evaluated(case) {
        Ok(evaluated) => evaluated,
        Err(problem) => return Verdict::Differs(problem),
    };
    let ours: Vec<String> =
        diagnostics.iter().filter(|one| one.severity == Severity::Error).map(place).collect();
    let theirs: Vec<String> = list(case, "errors").iter().map(wanted_place).collect();
    if is_true(case, "ok") {
        let agreed = match ours.first() {
            Some(problem) => Err(format!("refused: {problem}")),
            None => values_agree(case, &values),
        };
        return Verdict::of(agreed);
    }
    let missing: Vec<&String> = theirs.iter().filter(|one| !ours.contains(one)).collect();
    // The product names one of these by chance.
    let is_missing =
        if is_true(case, "unstable") { missing.len() == theirs.len() } else { !missing.is_empty() };
    if ours.is_empty() || is_missing {
        return Verdict::Differs(format!("errors {ours:?} wanted {theirs:?}"));
    }
    let agreed = Verdict::Strictly;
    agreed.and_strictly(|| {
        let surplus: Vec<&String> = ours.iter().filter(|one| !theirs.contains(one)).collect();
        if surplus.is_empty() { Ok(()) } else { Err(format!("errors {ours:?} wanted {theirs:?}")) }
    })
}

/// Title and place of a complaint; line 0 is none.
fn place(diagnostic: &Diagnostic) -> String {
    let (file, line) = match &diagnostic.subject {
        Some(subject) => (subject.filename.to_string(), subject.start.line),
        None => (JOB.to_owned(), 0),
    };
    format!("{} at {file}:{line}", diagnostic.summary)
}

fn wanted_place(error: &Json) -> String {
    let file = error["file"].as_str().unwrap_or(JOB);
    format!("{} at {file}:{}", string(error, "title"), error["line"])
}

/// Evaluates a case's job, by paths.
fn evaluated(case: &Json) -> Result<(HashMap<String, Value>, Diagnostics), String> {
    let entries = |name: &str| -> Vec<(String, String)> {
        let entries = case[name].as_object().into_iter().flatten();
        entries.map(|(name, text)| (name.clone(), text.as_str().unwrap_or_default().to_owned())).collect()
    };
    let var_files = entries("varfiles");
    let files =
        var_files.iter().fold(TextFiles::default(), |files, (name, text)| files.with(name, text.as_str()));
    let mut names: Vec<String> = var_files.into_iter().map(|(name, _)| name).collect();
    names.sort();
    if let Some(order) = case["varfile_order"].as_array() {
        names = order.iter().filter_map(Json::as_str).map(str::to_owned).collect();
    }
    let mut given: Vec<Given> = names.into_iter().map(Given::File).collect();
    given.extend(entries("vars").into_iter().map(|(name, text)| Given::Assignment(format!("{name}={text}"))));
    let words = list(case, "varlist").iter().filter_map(Json::as_str);
    given.extend(words.map(|word| Given::Assignment(word.to_owned())));
    let environment = entries("env")
        .iter()
        .fold(MemoryHost::new().with_environment_variable("", ""), |host, (name, text)| {
            host.with_environment_variable(name, text)
        });
    let beside = entries("files");
    let host = match is_true(case, "nofs") {
        true => MemoryHost::new(),
        false => {
            beside.iter().fold(MemoryHost::new().with_working_directory("/work"), |host, (name, text)| {
                host.with_file(name, text.as_str())
            })
        }
    };
    let (body, mut diagnostics) = parse(JOB, string(case, "src").into(), &ParseLimits::default())
        .map_err(|problem| problem.to_string())?;
    if has_errors(&diagnostics) {
        return Ok((HashMap::new(), diagnostics));
    }
    let options = JobOptions {
        given,
        environment: Some(&environment),
        is_lax: is_true(case, "lax"),
        ..JobOptions::default()
    };
    let mut evaluation = Evaluation::new(&EvalOptions { host: Some(&host), ..EvalOptions::default() });
    let (job, problems) = Job::open(&body, &files, &options, &mut evaluation);
    diagnostics.extend(problems);
    if !has_errors(&diagnostics) {
        diagnostics.extend(job.problems_of_number(&mut evaluation));
    }
    if has_errors(&diagnostics) {
        return Ok((HashMap::new(), diagnostics));
    }
    let (body, problems) = job.evaluate(&mut evaluation);
    diagnostics.extend(problems);
    let mut values = HashMap::new();
    flatten_body(&body, "", &mut values);
    Ok((values, diagnostics))
}

/// Every value of a body by its path.
fn flatten_body(body: &EvaluatedBody, path: &str, values: &mut HashMap<String, Value>) {
    let beside =
        |name: &str| if path.is_empty() { escaped(name) } else { format!("{path}/{}", escaped(name)) };
    if body.items.is_empty() {
        values.insert(path.to_owned(), Value::object(Vec::new()));
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    for item in &body.items {
        match item {
            EvaluatedItem::Attribute(attribute, value) => {
                flatten(value, &beside(attribute.written().name()), values);
            }
            EvaluatedItem::Block(block) => {
                let labels = block.labels.iter().map(|label| format!("/{}", escaped(label)));
                let header = beside(&block.block_type) + &labels.collect::<String>();
                let count = counts.entry(header.clone()).or_default();
                flatten_body(&block.body, &format!("{header}[{count}]"), values);
                *count += 1;
            }
        }
    }
}

fn flatten(value: &Value, path: &str, values: &mut HashMap<String, Value>) {
    if value.len() == Some(0) || value.kind() == Kind::Null {
        values.insert(path.to_owned(), value.clone());
    } else if let Some(entries) = value.entries() {
        entries.for_each(|(key, value)| flatten(value, &format!("{path}/{}", escaped(key)), values));
    } else if let Some(elements) = value.elements() {
        let places = elements.iter().enumerate();
        places.for_each(|(at, value)| flatten(value, &format!("{path}[{at}]"), values));
    } else {
        values.insert(path.to_owned(), value.clone());
    }
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1").replace('[', "~2")
}

fn values_agree(case: &Json, ours: &HashMap<String, Value>) -> Result<(), String> {
    let none = Map::new();
    let wanted = case["values"].as_object().unwrap_or(&none);
    // In JSON syntax a property is told once for each way to read it, as an argument and as a block; ours is one of these.
    let is_json = is_json(string(case, "src").as_bytes());
    let key = |path: &str| if is_json { path.replace("[0]", "") } else { path.to_owned() };
    let by_key: HashMap<String, &Value> = ours.iter().map(|(path, value)| (key(path), value)).collect();
    for (path, wanted) in wanted {
        let Some(value) = by_key.get(&key(path)) else { return Err(format!("lacks {path} = {wanted}")) };
        let json = value.to_json().map_err(|problem| format!("{path}: {}", problem.detail()))?;
        let got: Json = serde_json::from_str(&json).map_err(|problem| problem.to_string())?;
        if !same(&got, wanted) {
            return Err(format!("{path} is {got}, not {wanted}"));
        }
    }
    match ours.keys().find(|path| !wanted.contains_key(path.as_str())) {
        Some(surplus) => Err(format!("has {surplus}")),
        None => Ok(()),
    }
}
