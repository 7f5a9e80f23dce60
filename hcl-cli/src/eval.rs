//! `hcl eval`: evaluate one expression and print its value.

use std::path::Path;
use std::sync::Arc;

use hcl_eval::convert::convert;
use hcl_eval::eval::{EvalOptions, Evaluation, Scope, evaluate};
use hcl_eval::explain::{ExplainOptions, explain};
use hcl_eval::host::Host;
use hcl_eval::types::{Type, TypeConstraint};
use hcl_eval::value::{Kind, Value, ValueError};
use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::parser::parse_expression;
use hcl_syntax::source::Source;

use crate::args::{EvalArguments, FormArguments};
use crate::batch;
use crate::console::{console_form, misused_type, type_form};
use crate::explain::text_options;
use crate::names::Names;
use crate::output::{Failure, Outcome, print, print_exactly, read_input, report};
use crate::{host, notes, scope};

/// Runs the verb.
///
/// # Errors
/// A file can't be read, an argument makes no sense, or nothing can be written.
pub fn run(arguments: &EvalArguments) -> Result<Outcome, Failure> {
    if arguments.jsonl {
        let host = host::allowing(&arguments.scope.allow)?;
        let around = batch::eval::Surroundings {
            dialect: arguments.scope.dialect.name(),
            host: &host,
            limits: arguments.limits.clone(),
        };
        return batch::run(|line| batch::eval::answer_with(line, &around));
    }
    let Answer { printed, diagnostics, notes } = evaluated(arguments)?;
    report(&diagnostics, &arguments.reporting)?;
    if let Some(printed) = printed {
        printed.print()?;
    }
    notes::tell(&notes, &arguments.reporting)?;
    Ok(Outcome::of(&diagnostics))
}

/// The answer to an expression: its value, the complaints and the notes.
struct Answer {
    /// The text to print; none if something is wrong.
    printed: Option<Printed>,
    diagnostics: Diagnostics,
    /// Sentences beside the diagnostics, such as which command would know more.
    notes: Vec<String>,
}

impl Answer {
    /// Nothing but what is wrong.
    fn refused(diagnostics: Diagnostics) -> Self {
        Self { printed: None, diagnostics, notes: Vec::new() }
    }
}

/// The text for standard output.
pub(crate) enum Printed {
    /// A text that gets a newline.
    Line(String),
    /// A text that is printed as it is.
    Exactly(String),
}

impl Printed {
    /// Changes the text.
    fn map(self, change: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Line(text) => Self::Line(change(text)),
            Self::Exactly(text) => Self::Exactly(change(text)),
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// Standard output is closed or full.
    pub(crate) fn print(&self) -> Result<(), Failure> {
        match self {
            Self::Line(text) => print(text),
            Self::Exactly(text) => print_exactly(text),
        }
    }
}

/// Evaluates the expression in the scope that the arguments ask for.
fn evaluated(arguments: &EvalArguments) -> Result<Answer, Failure> {
    let host = host::allowing(&arguments.scope.allow)?;
    let (names, mut diagnostics) = scope::names_for_console(&arguments.scope, &arguments.limits, &host)?;
    let input = input(arguments, names.name_of_input())?;
    let (parsed, more) = parse_expression(input, &scope::parse_limits(&arguments.limits));
    diagnostics.extend(more);
    if has_errors(&diagnostics) {
        return Ok(Answer::refused(diagnostics));
    }
    let based = names.host(&host);
    let host: &dyn Host = based.as_ref().map_or(&host, |based| based);
    let options = scope::evaluation_options(&arguments.limits, host);
    if !arguments.scope.on_demand {
        diagnostics.extend(names.problems(&options));
        // Where nothing can be evaluated in order, and where a limit is reached, there is no answer. Of modules that have
        // too many instances nothing is evaluated; all else is.
        let is_end =
            |code: &str| code == "module.cycle" || code.starts_with("limit.") && code != "limit.instances";
        if diagnostics.iter().any(|one| is_end(&one.code)) {
            return Ok(Answer::refused(diagnostics));
        }
    }
    let expression = parsed.expression();
    let mut notes: Vec<String> = match &names {
        Names::Module(names) => notes::on_empty_module(&arguments.scope.modules, names.module.release()),
        Names::Plain(_) | Names::Template(_) => None,
    }
    .into_iter()
    .collect();
    let value = if let (true, Names::Module(names)) = (arguments.address, &names) {
        let (value, more) = names.module.evaluate_address(expression.tree().source().text(), &options);
        add_new(more, &mut diagnostics);
        if value.is_none() {
            notes.extend(notes::on_private(&names.module, expression));
        }
        value
    } else {
        let (scope, more) = names.scope_for(&parsed, &options);
        add_new(more, &mut diagnostics);
        let Some(scope) = scope else {
            notes.extend(notes::on_names(&names, expression));
            return Ok(Answer { notes, ..Answer::refused(diagnostics) });
        };
        if arguments.explain {
            let printed = explained(arguments, expression, &scope, &options, &mut diagnostics);
            return Ok(answer(arguments, &names, Some(printed), diagnostics, notes));
        }
        let value = value_of(expression, &scope, &options, &mut diagnostics);
        if value.is_none() {
            notes.extend(notes::on_names(&names, expression));
        }
        value
    };
    // On demand all errors are about what the value is made of; the product's console shows it beside those of the module.
    let value = value.filter(|_| !(arguments.scope.on_demand && has_errors(&diagnostics)));
    if let Some(value) = value.as_ref().filter(|_| !arguments.form.type_only) {
        let text = expression.tree().source().text();
        let failed = has_errors(&diagnostics);
        notes.extend(notes::on_unknown(&names, (text, value), &arguments.scope, failed));
    }
    let printed = value.and_then(|value| formed(arguments, value, expression, &options, &mut diagnostics));
    Ok(answer(arguments, &names, printed, diagnostics, notes))
}

/// An answer without what must not be seen. Forms for programs are left as they are: `disclosed` has refused what
/// they must not have.
fn answer(
    arguments: &EvalArguments,
    names: &Names,
    printed: Option<Printed>,
    diagnostics: Diagnostics,
    notes: Vec<String>,
) -> Answer {
    let is_shown = !arguments.form.json && !arguments.form.raw && !arguments.form.type_only;
    let printed =
        printed.map(|printed| if is_shown { printed.map(|text| names.shown(text)) } else { printed });
    Answer { printed, diagnostics: names.shown_problems(diagnostics), notes }
}

/// Adds complaints that were not made yet: what an expression needs of a module is a part of the module.
fn add_new(more: Diagnostics, diagnostics: &mut Diagnostics) {
    for one in more {
        if !diagnostics.contains(&one) {
            diagnostics.push(one);
        }
    }
}

/// The text that shows how the value of an expression comes about.
fn explained(
    arguments: &EvalArguments,
    expression: Expression<'_>,
    scope: &Arc<Scope>,
    options: &EvalOptions<'_>,
    diagnostics: &mut Diagnostics,
) -> Printed {
    let (_, more, explanation) = explain(expression, Some(scope), options, &ExplainOptions::default());
    diagnostics.extend(more);
    match arguments.form.json {
        true => Printed::Line(explanation.to_json()),
        false => Printed::Exactly(explanation.to_text(&text_options(arguments.reporting.color))),
    }
}

/// The value of an expression unless something is wrong.
fn value_of(
    expression: Expression<'_>,
    scope: &Arc<Scope>,
    options: &EvalOptions<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    let (value, mut own) = evaluate(expression, Some(scope), options);
    if !has_errors(&own) {
        own.extend(misused_type(expression, Some(scope)));
    }
    let failed = has_errors(&own);
    diagnostics.extend(own);
    (!failed).then_some(value)
}

/// A value as the arguments ask for it, unless it can't be had so.
fn formed(
    arguments: &EvalArguments,
    value: Value,
    expression: Expression<'_>,
    options: &EvalOptions<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Printed> {
    let value = match &arguments.target {
        Some(target) => converted(&value, target, expression, options),
        None => Ok(value),
    };
    let max_bytes = scope::output_limit(&arguments.limits);
    value
        .and_then(|value| in_form(&value, &arguments.form, max_bytes, expression))
        .map_err(|more| diagnostics.extend(more))
        .ok()
}

/// The expression's source: an argument, standard input or a file.
fn input(arguments: &EvalArguments, name: &str) -> Result<Source, Failure> {
    match (&arguments.file, arguments.expression.as_deref()) {
        (Some(path), _) => read(path),
        (None, None | Some("-")) => read(Path::new("-")),
        (None, Some(text)) => scope::source(name, text.as_bytes().to_vec()),
    }
}

/// The text of a file as an expression.
fn read(path: &Path) -> Result<Source, Failure> {
    let (name, bytes) = read_input(path)?;
    scope::source(&name, bytes)
}

/// The value as the type that `--as` names, defaults of optional attributes filled in, within the bounds of evaluations.
fn converted(
    value: &Value,
    target: &str,
    expression: Expression<'_>,
    options: &EvalOptions<'_>,
) -> Result<Value, Diagnostics> {
    let mut evaluation = Evaluation::new(options);
    let constraint = TypeConstraint::from_text_within(target, &mut evaluation)?;
    let place = (expression.tree().source(), expression.span());
    evaluation.fit(value, &constraint, Some(place))?.map_err(|error| {
        let detail = format!("The value can't be made {}: {}.", constraint.ty.to_type_text(), error.reason());
        vec![at(Diagnostic::error("eval.output.unsuitable", error.summary(), detail), expression)]
    })
}

/// The value as it is printed: its type, as JSON, as bare text, or as a console shows it, where what is marked is
/// replaced.
pub(crate) fn in_form(
    value: &Value,
    form: &FormArguments,
    max_bytes: usize,
    expression: Expression<'_>,
) -> Result<Printed, Diagnostics> {
    let or_refused =
        |text: Result<String, ValueError>| text.map_err(|error| vec![refused(&error, expression)]);
    if form.type_only {
        return Ok(Printed::Line(type_form(value)));
    }
    if !form.json && !form.raw {
        return or_refused(console_form(value, max_bytes)).map(Printed::Line);
    }
    disclosed(value, expression)?;
    if form.json {
        return or_refused(value.to_json_bounded(max_bytes)).map(Printed::Line);
    }
    let text = convert(value, &Type::String).map_err(|error| {
        let mut problem = refused(&error, expression);
        problem.detail = format!("The value is no text: {}. Print it with --json instead.", error.reason());
        vec![problem]
    })?;
    match text.as_str() {
        Some(text) => Ok(Printed::Exactly(text.to_owned())),
        None => Err(vec![no_text(&text, expression)]),
    }
}

/// Refuses values that were marked to be kept from view. Of a value that holds one nothing is printed.
pub(crate) fn disclosed(value: &Value, expression: Expression<'_>) -> Result<(), Diagnostics> {
    let (_, marks) = value.unmark_deep();
    let hidden = marks.iter().find(|mark| matches!(mark.name(), "sensitive" | "ephemeral"));
    let Some(mark) = hidden else { return Ok(()) };
    let detail = format!(
        "The value is {mark} or holds something that is, so it is shown only in the console's form, where it is \
         redacted. Use nonsensitive() where it may be seen.",
        mark = mark.name()
    );
    Err(vec![at(Diagnostic::error("eval.output.hidden", "Hidden value", detail), expression)])
}

/// The error about `--raw` of null or of an unknown value.
pub(crate) fn no_text(value: &Value, expression: Expression<'_>) -> Diagnostic {
    let what = if value.kind() == Kind::Null { "null" } else { "not known" };
    let detail = format!("The value is {what}, so there is no text to print.");
    at(Diagnostic::error("eval.output.no_text", "No text", detail), expression)
}

/// An error of a conversion, or of a form, at the expression.
pub(crate) fn refused(error: &ValueError, expression: Expression<'_>) -> Diagnostic {
    let code = match error.code() {
        limit if limit.starts_with("limit.") => limit,
        _ => "eval.output.unsuitable",
    };
    at(Diagnostic::error(code, error.summary(), error.detail()), expression)
}

/// A diagnostic at the expression as a whole.
fn at(diagnostic: Diagnostic, expression: Expression<'_>) -> Diagnostic {
    diagnostic.at(expression.tree().source(), expression.span())
}
