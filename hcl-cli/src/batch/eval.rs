//! `hcl eval --jsonl`: an expression's value in every form, and its diagnostics.
//!
//! Beside the dialect's functions the expressions of `vars` may call the makers, functions that build
//! what no literal can say: unknown values, typed nulls, marked values. Values are shown as they are,
//! marks notwithstanding: this mode is for tests and tools.

use std::collections::BTreeMap;
use std::sync::Arc;

use hcl_eval::dialect;
use hcl_eval::eval::{EvalOptions, Evaluation, Scope, ScopeBuilder, evaluate};
use hcl_eval::host::{Host, MemoryHost};
use hcl_eval::types::TypeConstraint;
use hcl_eval::value::Value;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::json::{Strings, parse_json_value};
use hcl_syntax::parser::{ParseLimits, ParsedExpression, parse_expression};
use hcl_syntax::source::Source;
use serde::{Deserialize, Serialize};

use super::{invalid, read, refuse};
use crate::answer::{Json, diagnostics_json, raw, to_json};
use crate::args::{Dialect, LimitArguments};
use crate::console::{console_form, misused_type};
use crate::host::RequestHost;
use crate::scope::{evaluation_options, parse_limits};
use crate::value_json::value_json;

#[derive(Deserialize)]
#[serde(
    expecting = "an object with the key \"expr\", and with \"id\", \"vars\", \"outer_vars\", \"dialect\", \"as\", \"context\", \
                     \"files\" or \"syntax\" at need"
)]
/// An expression to be evaluated, and its surroundings.
struct Request {
    expr: String,
    id: Option<Json>,
    /// Variables: names, and expressions that give their values.
    #[serde(default)]
    vars: BTreeMap<String, String>,
    /// Variables of the scope around, for [`Context::Child`].
    #[serde(default)]
    outer_vars: BTreeMap<String, String>,
    /// The dialect whose functions are there; without one that of [`Surroundings::dialect`].
    dialect: Option<String>,
    /// A type expression: the value is converted to that type.
    #[serde(rename = "as")]
    target: Option<String>,
    #[serde(default)]
    context: Context,
    /// Files that functions see, by path; their contents are texts.
    files: Option<BTreeMap<String, String>>,
    #[serde(default)]
    syntax: Syntax,
}

/// How the expression is written.
#[derive(Deserialize, Default, Copy, Clone, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Syntax {
    #[default]
    Native,
    /// As a value of JSON syntax, whose strings are templates.
    Json,
}

/// The parts of a scope that a request has.
#[derive(Deserialize, Default, Copy, Clone, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Context {
    /// Variables and functions.
    #[default]
    Full,
    /// No scope at all.
    None,
    /// Functions alone.
    NoVars,
    /// Variables alone.
    NoFuncs,
    /// `outer_vars` in the scope around.
    Child,
}

/// How many bytes a value may take in each of the forms that an answer has.
const MAX_TEXT: usize = 64 << 20;

/// The answer to a request: a value in all its forms.
#[derive(Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Json>,
    ok: bool,
    /// The value as JSON, if all of it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Json>,
    /// The type as a console shows it.
    #[serde(rename = "type")]
    console_type: String,
    /// The type as a type expression.
    type_expr: String,
    /// The value as a console shows it.
    console: String,
    /// True if the value itself is unknown.
    unknown: bool,
    /// The value as JSON with the types of its unknown parts, if only parts are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<Json>,
    /// The facts that are known of an unknown value.
    #[serde(skip_serializing_if = "Option::is_none")]
    refinements: Option<String>,
    /// The names of the marks of the value itself.
    marks: Vec<String>,
    /// Paths to marked parts with the name of a mark each.
    deep_marks: Vec<(String, String)>,
    diagnostics: Json,
}

/// The part of an evaluation that a command line says for all requests.
#[derive(Debug)]
pub struct Surroundings<'a> {
    /// The dialect of requests that name none.
    pub dialect: &'a str,
    /// The outside world. The files of a request, if it has any, take the place of those of the host.
    pub host: &'a dyn Host,
    /// The bounds of each request. The clock of `--timeout` starts with each.
    pub limits: LimitArguments,
}

impl<'a> Surroundings<'a> {
    /// Terraform's newest dialect, and no bounds but the usual ones.
    pub fn of(host: &'a dyn Host) -> Self {
        Self { dialect: Dialect::TERRAFORM.name(), host, limits: LimitArguments::default() }
    }
}

/// Answers one request, whose files are all there is of the outside world.
pub fn answer(line: &str) -> String {
    answer_with(line, &Surroundings::of(&MemoryHost::new()))
}

/// Answers one request.
pub fn answer_with(line: &str, around: &Surroundings<'_>) -> String {
    let request: Request = match read(line) {
        Ok(request) => request,
        Err(answer) => return answer,
    };
    match evaluated(&request, around) {
        Ok((value, diagnostics)) => to_json(&Answer::new(request.id, &value, &diagnostics)),
        Err(diagnostics) => refuse(request.id, &diagnostics),
    }
}

/// An answer about a value that was come by otherwise.
pub fn describe(value: &Value) -> String {
    to_json(&Answer::new(None, value, &[]))
}

/// The value of a request's expression, or what is wrong with the rest of the request.
fn evaluated(request: &Request, around: &Surroundings<'_>) -> Result<(Value, Diagnostics), Diagnostics> {
    let own = request.files.as_ref().map(|files| RequestHost::new(files, around.host)).transpose();
    let own = own.map_err(invalid)?;
    let host = own.as_ref().map_or(around.host, |own| own as &dyn Host);
    let options = evaluation_options(&around.limits, host);
    let limits = parse_limits(&around.limits);
    let (parsed, mut diagnostics) = match request.syntax {
        Syntax::Native => parse("expression", &request.expr, &limits)?,
        Syntax::Json => parse_json(&request.expr, &limits, request.context != Context::None)?,
    };
    if has_errors(&diagnostics) {
        return Ok((Value::dynamic(), diagnostics));
    }
    let scope = scope(request, request.dialect.as_deref().unwrap_or(around.dialect), &options)?;
    let mut evaluation = Evaluation::new(&options);
    let (mut value, more) = evaluation.evaluate_syntax(parsed.expression(), scope.as_deref());
    diagnostics.extend(more);
    if !has_errors(&diagnostics) {
        diagnostics.extend(misused_type(parsed.expression(), scope.as_deref()));
    }
    if let Some(target) = &request.target {
        match converted(&value, target, &parsed, &mut evaluation)? {
            Ok(converted) => value = converted,
            Err(more) => diagnostics.extend(more),
        }
    }
    Ok((value, diagnostics))
}

/// Parses an expression; the error is about the request.
fn parse(
    name: &str,
    text: &str,
    limits: &ParseLimits,
) -> Result<(ParsedExpression, Diagnostics), Diagnostics> {
    let source = Source::new(name, text).map_err(|error| invalid(format!("{error}.")))?;
    Ok(parse_expression(source, limits))
}

/// A value of JSON syntax. Without a scope its strings are what they are.
fn parse_json(
    text: &str,
    limits: &ParseLimits,
    has_scope: bool,
) -> Result<(ParsedExpression, Diagnostics), Diagnostics> {
    let source = Source::json("expression", text).map_err(|error| invalid(format!("{error}.")))?;
    let (file, diagnostics) = parse_json_value(source, limits);
    let strings = if has_scope { Strings::Templates } else { Strings::Literal };
    Ok((file.expression().syntax_with(strings), diagnostics))
}

/// The value as the type that `as` names, or why it can't be, which may be a limit of the evaluation; the outer error is about
/// the type itself.
fn converted(
    value: &Value,
    target: &str,
    parsed: &ParsedExpression,
    evaluation: &mut Evaluation<'_>,
) -> Result<Result<Value, Diagnostics>, Diagnostics> {
    let constraint = TypeConstraint::from_text_within(target, evaluation)?;
    let expression = parsed.expression();
    let place = (expression.tree().source(), expression.span());
    let fitted = evaluation.fit(value, &constraint, Some(place));
    Ok(fitted.and_then(|fitted| {
        fitted.map_err(|error| {
            let problem = Diagnostic::error("convert.unsuitable", error.summary(), error.detail());
            vec![problem.at(place.0, place.1)]
        })
    }))
}

/// The scope that a request asks for; none without one. The error is in what it defines.
fn scope(
    request: &Request,
    dialect: &str,
    options: &EvalOptions<'_>,
) -> Result<Option<Arc<Scope>>, Diagnostics> {
    let library = library(dialect)?;
    let variables = definitions(&request.vars, &library, options)?;
    let plain = || Scope::builder().parent(Arc::clone(&library));
    Ok(match request.context {
        Context::None => None,
        Context::NoVars => Some(plain().build()),
        Context::NoFuncs => Some(with_variables(Scope::builder(), variables)),
        Context::Full => Some(with_variables(plain(), variables)),
        Context::Child => {
            let outer = with_variables(plain(), definitions(&request.outer_vars, &library, options)?);
            Some(with_variables(Scope::builder().parent(outer), variables))
        }
    })
}

/// A scope with variables. It counts as one that has variables even if there are none, which decides about messages.
fn with_variables(builder: ScopeBuilder, variables: Vec<(&str, Value)>) -> Arc<Scope> {
    let mut builder = builder.variables_allowed();
    for (name, value) in variables {
        builder = builder.variable(name, value);
    }
    builder.build()
}

/// The functions of a dialect, and its rule for names that mean nothing.
fn library(dialect: &str) -> Result<Arc<Scope>, Diagnostics> {
    Scope::builder().dialect(dialect).map(ScopeBuilder::build).ok_or_else(|| {
        invalid(format!("There is no dialect {dialect:?}. Known are {}.", dialect::known(None)))
    })
}

/// The values of variables given as texts.
fn definitions<'r>(
    texts: &'r BTreeMap<String, String>,
    library: &Arc<Scope>,
    options: &EvalOptions<'_>,
) -> Result<Vec<(&'r str, Value)>, Diagnostics> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let scope = Scope::builder().parent(Arc::clone(library)).functions(dialect::makers()).build();
    let limits = options.limits.of_reading();
    let define = |(name, text): (&'r String, &String)| {
        let (parsed, mut diagnostics) = parse(name, text, &limits)?;
        let (value, more) = evaluate(parsed.expression(), Some(&scope), options);
        diagnostics.extend(more);
        if has_errors(&diagnostics) { Err(diagnostics) } else { Ok((name.as_str(), value)) }
    };
    texts.iter().map(define).collect()
}

/// The error about a value that is too long in one of the forms.
fn too_long() -> Diagnostic {
    let detail = format!("Writing the value takes more than the limit of {MAX_TEXT} bytes.");
    Diagnostic::error("limit.output", "Output too long", detail)
}

impl Answer {
    /// The answer about a value. Forms that would be too long are left out and reported.
    fn new(id: Option<Json>, value: &Value, diagnostics: &[Diagnostic]) -> Self {
        let (plain, marks) = value.unmark();
        let (_, deep_marks) = value.unmark_deep_with_paths();
        let unknown = !value.is_known();
        let whole = value.is_wholly_known();
        let ty = value.ty();
        let json = value_json(&plain, MAX_TEXT);
        let console = console_form(value, MAX_TEXT);
        let mut diagnostics = diagnostics.to_vec();
        if json.is_none() || console.is_err() {
            diagnostics.push(too_long());
        }
        let json = json.map(raw);
        Self {
            id,
            ok: !has_errors(&diagnostics),
            value: if whole { json.clone() } else { None },
            console_type: ty.to_console_text(),
            type_expr: ty.to_type_text(),
            console: console.unwrap_or_else(|_| "(too long to show)".to_owned()),
            unknown,
            partial: if whole || unknown { None } else { json },
            refinements: value.refinement_text(),
            marks: marks.iter().map(|mark| mark.name().to_owned()).collect(),
            deep_marks: deep_marks
                .iter()
                .flat_map(|(path, marks)| {
                    let path = path.to_text();
                    marks.iter().map(move |mark| (path.clone(), mark.name().to_owned()))
                })
                .collect(),
            diagnostics: diagnostics_json(&diagnostics),
        }
    }
}
