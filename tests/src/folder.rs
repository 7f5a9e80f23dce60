//! Cases about folders: the files of a module, values from outside, and what its expressions come to.
//!
//! `file PATH` fences are the files, a `given` fence says what comes from outside, an `ask` fence asks an expression a
//! line, and a `problems` fence has everything that is wrong with the module.

use std::fmt::Write as _;

use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::host::MemoryHost;
use hcl_eval::value::Value;
use hcl_module::{Given, LoadOptions, Module, Release, ResourceValue, TextFiles};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::source::Source;

use crate::document::Fence;
use crate::notation::notation;

/// The folder of a case as it is gathered.
#[derive(Default)]
pub(crate) struct Folder {
    files: Vec<(String, String)>,
    given: Vec<Given>,
    environment: Vec<(String, String)>,
    is_planned: bool,
    values: Vec<ResourceValue>,
}

impl Folder {
    /// Takes a fence that describes the folder.
    pub(crate) fn take(&mut self, fence: &Fence) -> Result<bool, String> {
        match fence.word.as_str() {
            "file" => {
                let path = fence.dialects.first().ok_or("a file has a path")?;
                self.files.retain(|(known, _)| known != path);
                self.files.push((path.clone(), fence.text.clone()));
            }
            "given" => {
                fence.text.lines().try_for_each(|line| self.give(line))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A line of a `given` fence.
    fn give(&mut self, line: &str) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let pair = || rest.split_once('=').ok_or(format!("expected NAME=TEXT after {word:?}"));
        match word {
            "var" => self.given.push(Given::Assignment(rest.to_owned())),
            "text" => {
                let (name, text) = pair()?;
                self.given.push(Given::Text { name: name.to_owned(), text: text.to_owned() });
            }
            "values" => self.given.push(Given::File(rest.to_owned())),
            "environment" => {
                let (name, text) = pair()?;
                self.environment.push((name.to_owned(), text.to_owned()));
            }
            "planned" => self.is_planned = true,
            "value" => {
                let (address, expression) = pair()?;
                let value = constant(expression)?;
                self.values.push(ResourceValue { address: address.trim().to_owned(), value });
            }
            _ => return Err(format!("a `given` fence knows no {word:?}")),
        }
        Ok(())
    }

    /// The text that a fence about the folder ought to have. Of several dialects all must agree.
    pub(crate) fn expectation(&self, fence: &Fence) -> Result<String, String> {
        let usual = ["terraform".to_owned()];
        let names = if fence.dialects.is_empty() { &usual[..] } else { &fence.dialects };
        let texts = names.iter().map(|name| self.text(fence, name));
        let one = texts.reduce(|first, next| match (first?, next?) {
            (first, next) if first == next => Ok(first),
            (first, next) => Err(format!("dialects differ:\n{first}---\n{next}")),
        });
        one.unwrap_or(Ok(String::new()))
    }

    fn text(&self, fence: &Fence, dialect: &str) -> Result<String, String> {
        let release = Release::by_name(dialect).ok_or(format!("{dialect:?} has no modules"))?;
        let files: TextFiles = self.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let host = self
            .files
            .iter()
            .fold(MemoryHost::new().with_working_directory("/stack"), |host, (path, text)| {
                host.with_file(path, text.as_str())
            });
        let host = self
            .environment
            .iter()
            .fold(host, |host, (name, text)| host.with_environment_variable(name, text));
        let options = LoadOptions {
            release,
            given: self.given.clone(),
            host: Some(&host),
            planned: self.is_planned,
            resource_values: self.values.clone(),
            ..LoadOptions::default()
        };
        let (module, problems) = Module::load(&files, &options);
        let options = EvalOptions { host: Some(&host), ..EvalOptions::default() };
        if fence.word == "problems" {
            let all = problems.into_iter().chain(module.check(&options));
            return Ok(all.map(|one| told(&one) + "\n").collect());
        }
        let mut out = String::new();
        for line in fence.text.lines() {
            let at = ["# =", "# error", "# warning"].iter().filter_map(|mark| line.find(mark)).min();
            let expression = line[..at.unwrap_or(line.len())].trim_end();
            if expression.is_empty() {
                out.push_str(line);
            } else {
                let (value, mut diagnostics) = module.evaluate(expression, &options);
                if !module.can_be_evaluated() {
                    diagnostics.clone_from(&problems);
                }
                let width = at.unwrap_or_default().max(expression.len() + 1);
                let _ = write!(out, "{expression:width$}{}", comment(value.as_ref(), &diagnostics));
            }
            out.push('\n');
        }
        Ok(out)
    }
}

fn comment(value: Option<&Value>, diagnostics: &Diagnostics) -> String {
    let told: Vec<String> =
        diagnostics.iter().map(|one| format!("{}: {}", one.severity.as_str(), one.summary)).collect();
    match value {
        Some(value) if told.is_empty() => format!("# = {}", notation(value)),
        Some(value) => format!("# = {}; {}", notation(value), told.join("; ")),
        None if told.is_empty() => "# = nothing".to_owned(),
        None => format!("# {}", told.join("; ")),
    }
}

/// `error: Title at main.tf:3`
fn told(diagnostic: &Diagnostic) -> String {
    let place = diagnostic.subject.as_ref().map(|at| format!(" at {}:{}", at.filename, at.start.line));
    format!("{}: {}{}", diagnostic.severity.as_str(), diagnostic.summary, place.unwrap_or_default())
}

/// The value of an expression of Terraform's functions and no names.
fn constant(text: &str) -> Result<Value, String> {
    let source = Source::new("given", text).map_err(|error| error.to_string())?;
    let (parsed, problems) = parse_expression(source, &ParseLimits::default());
    let scope = Scope::builder().functions(Release::TERRAFORM.functions()).build();
    let (value, more) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
    match problems.iter().chain(&more).next() {
        Some(problem) => Err(problem.to_string()),
        None => Ok(value),
    }
}
