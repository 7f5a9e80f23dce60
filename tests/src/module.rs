//! Inputs that define names for themselves: `function` and `locals` blocks mean what they do in the products, and in the
//! dialects packer and nomad the input is a template or a job.

use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Evaluation, Scope, evaluate};
use hcl_eval::function::{UserFunctionContext, user_functions};
use hcl_eval::order::Definitions;
use hcl_eval::value::Value;
use hcl_module::TextFiles;
use hcl_module::nomad::{Job, JobOptions};
use hcl_module::packer::{Template, TemplateOptions};
use hcl_syntax::config::ConfigBody;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::parser::{File, ParseLimits, parse_expression};
use hcl_syntax::schema::BodySchema;
use hcl_syntax::source::Source;

use crate::check::Outcome;
use crate::fake_host::fake_host;
use crate::setting::Setting;

/// Evaluates the locals and the other attributes at the top, and returns the problems with definitions and locals.
pub(crate) fn outcomes(file: &File, setting: &Setting) -> (Vec<Outcome>, Diagnostics) {
    let scope = setting.scope().unwrap_or_else(|| Scope::builder().build());
    let body = ConfigBody::from(file);
    let (functions, rest, mut diagnostics) = user_functions(&body, "function", &UserFunctionContext::Caller);
    let (content, _, problems) = rest.partial_content(&BodySchema::default().block("locals", &[]));
    diagnostics.extend(problems);
    let mut attributes = Vec::new();
    for block in &content.blocks {
        let (more, problems) = block.body().just_attributes();
        attributes.extend(more);
        diagnostics.extend(problems);
    }
    let mut definitions = Definitions::below("local");
    definitions.extend(&attributes);
    let scope = Scope::builder().parent(scope).functions(Arc::new(functions)).build();
    let (values, problems) = definitions.evaluate(Some(&scope), &EvalOptions::default());
    diagnostics.extend(problems);
    let mut found: Vec<Outcome> = attributes
        .iter()
        .map(|attribute| {
            let value = values.get(attribute.name()).cloned().unwrap_or_default();
            Outcome::known(attribute.name(), attribute.expression().syntax().expression(), value)
        })
        .collect();
    let locals = Value::object(values.into_iter().collect());
    let scope = Scope::builder().parent(scope).variable("local", locals).build();
    let others = file.body().attributes();
    found.extend(others.map(|one| {
        let (value, diagnostics) = setting.evaluate_in(Some(&scope), one.expression());
        Outcome::known(one.name(), one.expression(), value).with_diagnostics(diagnostics)
    }));
    (found, diagnostics)
}

/// Evaluates the variables and locals of a template, and returns its problems. A variable's value stands at its
/// default. The template is read with the fake host.
pub(crate) fn outcomes_of_template(file: &File, setting: &Setting) -> (Vec<Outcome>, Diagnostics) {
    let files = TextFiles::default().with("main.pkr.hcl", file.source().text());
    let host = fake_host();
    let evaluation = EvalOptions { host: Some(&host), ..EvalOptions::default() };
    let parse_limits = setting.parse_limits.clone();
    let options =
        TemplateOptions { evaluation: evaluation.clone(), parse_limits, ..TemplateOptions::default() };
    let (template, mut diagnostics) = Template::read(".", &files, &options);
    let mut found = Vec::new();
    for block in file.body().blocks() {
        let names = match block.block_type() {
            "variable" | "variables" => template.variables(),
            "locals" | "local" => template.locals(),
            _ => continue,
        };
        for attribute in block.body().attributes() {
            let name = match (block.label(0), attribute.name()) {
                (None, name) => name,
                (Some(label), "default" | "expression") => label.text(),
                _ => continue,
            };
            // After errors there may be none.
            if let Some(value) = names.get(name) {
                found.push(Outcome::known(name, attribute.expression(), value.clone()));
            }
        }
    }
    if !has_errors(&diagnostics) {
        diagnostics.extend(template.builds(&evaluation).1);
    }
    (found, diagnostics)
}

/// The variables of a job as one object.
fn all_variables(job: &Job, options: &EvalOptions<'_>) -> Value {
    let source = Source::new("variables", "var").expect("three letters are not too long");
    let (parsed, _) = parse_expression(source, &ParseLimits::default());
    evaluate(parsed.expression(), Some(job.scope()), options).0
}

/// The values of variables, locals and the arguments of a job, and its problems. A variable's value stands at its
/// default; what is in dynamic blocks is not told, as it has a value for each element.
pub(crate) fn outcomes_of_job(file: &File, setting: &Setting) -> (Vec<Outcome>, Diagnostics) {
    let host = fake_host();
    let options = EvalOptions { host: Some(&host), ..EvalOptions::default() };
    let job_options = JobOptions { parse_limits: setting.parse_limits.clone(), ..JobOptions::default() };
    let mut evaluation = Evaluation::new(&options);
    let body = ConfigBody::from(file);
    let (job, mut diagnostics) = Job::open(&body, &TextFiles::default(), &job_options, &mut evaluation);
    if has_errors(&diagnostics) {
        return (Vec::new(), diagnostics);
    }
    diagnostics.extend(job.check(&mut evaluation));
    let mut found = Vec::new();
    let variables = all_variables(&job, &options);
    let in_variables = |name: &str| variables.get_attribute(name).cloned();
    let mut pending: Vec<_> = file.body().blocks().collect();
    pending.reverse();
    while let Some(block) = pending.pop() {
        let is_declaration = matches!(block.block_type(), "variable" | "variables");
        for attribute in block.body().attributes() {
            let name = match (block.label(0), attribute.name()) {
                (Some(label), "default") if is_declaration => label.text(),
                (None, name) if is_declaration => name,
                _ if is_declaration => continue,
                (_, name) => {
                    let (value, problems) = evaluate(attribute.expression(), Some(job.scope()), &options);
                    if !has_errors(&problems) {
                        found.push(Outcome::known(name, attribute.expression(), value));
                    }
                    continue;
                }
            };
            found.extend(in_variables(name).map(|value| Outcome::known(name, attribute.expression(), value)));
        }
        if !is_declaration {
            let is_free = matches!(block.block_type(), "config" | "env" | "meta");
            let inner: Vec<_> =
                block.body().blocks().filter(|inner| is_free || inner.block_type() != "dynamic").collect();
            pending.extend(inner.into_iter().rev());
        }
    }
    (found, diagnostics)
}
