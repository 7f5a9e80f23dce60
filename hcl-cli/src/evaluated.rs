//! `hcl json --evaluated`: everything in files as values, or the reason why not.
//!
//! Attributes and blocks are evaluated without a schema, as they are written, after dynamic blocks have been
//! expanded. Nothing is printed if any value can't be written; with `--partial`, placeholders stand for unknown ones.

use std::path::Path;
use std::sync::Arc;

use hcl_eval::dynamic::{Attribute, Body, Expansion};
use hcl_eval::eval::{Evaluation, Scope};
use hcl_eval::evaluated::{EvaluatedBlock, EvaluatedBody, EvaluatedItem, evaluate_body, to_json};
use hcl_eval::host::Host;
use hcl_eval::value::Value;

use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};

use crate::args::{JsonArguments, Product};
use crate::configuration::{Configuration, Syntax};
use crate::output::{Failure, read_input};
use crate::templates::read_template;
use crate::value_json::value_json;
use crate::{eval, host, job, module, scope};

/// The JSON syntax of the files with everything evaluated.
///
/// # Errors
/// A file can't be read, or an argument makes no sense.
pub fn evaluated_text(arguments: &JsonArguments) -> Result<(String, Diagnostics), Failure> {
    let host = host::allowing(&arguments.scope.allow)?;
    if arguments.scope.dialect.product() == Product::Packer && !arguments.scope.modules.is_empty() {
        return template(arguments, &host);
    }
    let (bodies, mut diagnostics) = match arguments.scope.dialect.product() {
        Product::Nomad => jobs(arguments, &host)?,
        _ => files(arguments, &host)?,
    };
    if !has_errors(&diagnostics) {
        for body in &bodies {
            find_unsuitable(
                body,
                arguments.partial,
                scope::output_limit(&arguments.limits),
                &mut diagnostics,
            );
        }
    }
    if has_errors(&diagnostics) {
        return Ok((String::new(), diagnostics));
    }
    let (text, problems) = to_json(&bodies.iter().collect::<Vec<_>>());
    diagnostics.extend(problems);
    Ok((text, diagnostics))
}

/// Sources and builds of a template of Packer, which belongs together: the files are the template itself.
fn template(arguments: &JsonArguments, host: &dyn Host) -> Result<(String, Diagnostics), Failure> {
    if arguments.files != arguments.scope.modules {
        let message = "with --dialect packer the template that --module names is evaluated as a whole; name it again as \
                       the one FILE";
        return Err(Failure::Usage(message.to_owned()));
    }
    let (template, mut diagnostics) = read_template(&arguments.scope, &arguments.limits, host)?;
    if has_errors(&diagnostics) {
        return Ok((String::new(), diagnostics));
    }
    let (whole, problems) = template.structure(&scope::evaluation_options(&arguments.limits, host));
    diagnostics.extend(problems);
    if !arguments.partial {
        diagnostics.extend(whole.as_ref().and_then(unknown_part));
    }
    let text = whole.as_ref().and_then(|whole| value_json(whole, scope::output_limit(&arguments.limits)));
    if whole.is_some() && text.is_none() {
        let detail =
            "The sources and builds take more bytes than the limit of the output. --max-output sets another.";
        diagnostics.push(Diagnostic::error("limit.output", "Limit reached", detail));
    }
    let problems =
        diagnostics.into_iter().map(|problem| template.secrets().blot_diagnostic(problem)).collect();
    Ok((text.map(|text| text + "\n").unwrap_or_default(), problems))
}

/// Complains of the first part of a value that is not known.
fn unknown_part(value: &Value) -> Option<Diagnostic> {
    let mut found = None;
    value.walk(&mut |path, part| {
        if found.is_none() && !part.is_known() {
            found = Some(path.to_text());
        }
        found.is_none()
    });
    let detail = format!(
        "The value at {} depends on something that is known only while the template is built, such as a data source.\
         {PARTIAL}",
        found?.trim_start_matches('.')
    );
    Some(Diagnostic::error("eval.output.unsuitable", "Value is not known", detail))
}

/// Files in the scope that the arguments ask for.
fn files(arguments: &JsonArguments, host: &dyn Host) -> Result<(Vec<EvaluatedBody>, Diagnostics), Failure> {
    let limits = scope::parse_limits(&arguments.limits);
    let (scope, mut diagnostics) = scope::build(&arguments.scope, &arguments.limits, host)?;
    let mut bodies = Vec::with_capacity(arguments.files.len());
    for path in &arguments.files {
        let (name, bytes) = read_input(path)?;
        let syntax = Syntax::of_input(&name, &bytes);
        let (file, problems) = Configuration::parse_with(&name, bytes, syntax, &limits)
            .map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
        diagnostics.extend(
            problems.into_iter().filter(|problem| !diagnostics.contains(problem)).collect::<Vec<_>>(),
        );
        bodies.push(match arguments.scope.modules.is_empty() {
            true => file.body,
            false => module::without_definitions(&file.body, arguments.scope.dialect),
        });
    }
    if has_errors(&diagnostics) {
        return Ok((Vec::new(), diagnostics));
    }
    let mut evaluation = Evaluation::new(&scope::evaluation_options(&arguments.limits, host));
    let expansion = Arc::new(Expansion::new(Some(Arc::clone(&scope))));
    let bodies = bodies.into_iter().map(|body| {
        let body = Body::expanding(body, Arc::clone(&expansion));
        let (body, problems) = evaluate_body(&body, &[], &scope, &mut evaluation);
        diagnostics.extend(problems);
        body
    });
    Ok((bodies.collect(), diagnostics))
}

/// Jobs of Nomad: each file has names of its own, whether or not the arguments say so. A file in error is left out,
/// and the others are looked at all the same, so that the errors of all are told.
fn jobs(arguments: &JsonArguments, host: &dyn Host) -> Result<(Vec<EvaluatedBody>, Diagnostics), Failure> {
    let is_other = |named: &Path| arguments.files.iter().any(|path| path != named);
    if job::file(&arguments.scope)?.is_some_and(is_other) {
        let message = "with --dialect nomad a file is evaluated with its own names, so --module can only name the file itself";
        return Err(Failure::Usage(message.to_owned()));
    }
    let functions = Scope::builder().functions(scope::functions(arguments.scope.dialect)).build();
    let (mut bodies, mut diagnostics) = (Vec::with_capacity(arguments.files.len()), Diagnostics::new());
    let mut evaluation = Evaluation::new(&scope::evaluation_options(&arguments.limits, host));
    for path in &arguments.files {
        let (body, problems) = job::read(path, &arguments.limits)?;
        let failed = has_errors(&problems);
        diagnostics.extend(problems);
        if failed {
            continue;
        }
        let functions = Arc::clone(&functions);
        let (job, problems) = job::open(&body, &arguments.scope, &arguments.limits, host, functions)?;
        let failed = has_errors(&problems);
        diagnostics.extend(problems);
        if failed {
            continue;
        }
        let problems = job.problems_of_number(&mut evaluation);
        let failed = has_errors(&problems);
        diagnostics.extend(problems);
        if failed {
            continue;
        }
        let (body, problems) = job.evaluate(&mut evaluation);
        diagnostics.extend(problems);
        bodies.push(body);
    }
    Ok((bodies, diagnostics))
}

/// Complains of values that can't be written.
fn find_unsuitable(body: &EvaluatedBody, is_partial: bool, max_bytes: usize, diagnostics: &mut Diagnostics) {
    for (attribute, value) in body.all_attributes() {
        diagnostics.extend(problem_of(attribute, value, is_partial, max_bytes));
    }
    let mut pending: Vec<&EvaluatedBlock> = body.blocks().collect();
    while let Some(block) = pending.pop() {
        // A block with items has an unknown value in one of them, which has been told.
        if block.is_unknown && !is_partial && block.body.items.is_empty() {
            diagnostics.push(unknown_blocks(block));
        }
        pending.extend(block.body.items.iter().filter_map(|item| match item {
            EvaluatedItem::Block(block) => Some(block),
            EvaluatedItem::Attribute(..) => None,
        }));
    }
}

/// The reason that the value of an attribute can't be written: a mark that hides it, then an unknown part unless
/// placeholders are wanted, then the lack of a JSON form or the limit of the output.
fn problem_of(
    attribute: &Attribute,
    value: &Value,
    is_partial: bool,
    max_bytes: usize,
) -> Option<Diagnostic> {
    let expression = attribute.expression();
    let syntax = expression.syntax();
    if let Err(problems) = eval::disclosed(value, syntax.expression()) {
        return problems.into_iter().next();
    }
    let plain = value.unmark_deep().0;
    if is_partial && !plain.is_wholly_known() {
        return None;
    }
    let problem = plain.to_json_bounded(max_bytes).err()?;
    let mut refused = eval::refused(&problem, syntax.expression());
    if !plain.is_wholly_known() {
        refused.detail.push_str(PARTIAL);
    }
    Some(refused)
}

/// Ways out for a value that is not known.
const PARTIAL: &str = " With --partial, a placeholder is written for it.";

/// The complaint about a dynamic block that has an unknown number of instances.
fn unknown_blocks(block: &EvaluatedBlock) -> Diagnostic {
    let detail = format!(
        "How many blocks of type \"{}\" there are depends on a value that is not known. With --partial, one stands for \
         all of them.",
        block.block_type
    );
    let diagnostic = Diagnostic::error("eval.output.unsuitable", "Value is not known", detail);
    diagnostic.at(&block.source, block.definition_span)
}
