//! Templates that functions render: `templatefile` and `templatestring`.
//!
//! A template sees the variables that it is given and no others, and the functions of the scope that the call
//! stands in. Whether it may render further templates, and what they may do, is a matter of the product.
//! Marks of the variables, at any depth, are taken off before and put on the result as a whole.

use std::sync::Arc;

use hcl_syntax::ast::{Expression, ExpressionKind, variable_expressions};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::lexer::is_identifier;
use hcl_syntax::parser::{ParsedExpression, parse_template};
use hcl_syntax::source::{Grammar, Pos, Source};

use super::collection::anything;
use super::file::{Blame, read_text};
use super::support::{Outcome, embedded, fail, goes_on, parse_limits, places, refuse, shown, text, unknown};
use crate::convert::convert;
use crate::function::hidden::hide_marked;
use crate::function::{Function, FunctionError, FunctionTable, Invocation, LazyArguments, Parameter, Scope};
use crate::host::Capability;
use crate::limits::BYTES_PER_PART;
use crate::types::Type;
use crate::value::{Kind, Marks, Value};

/// The names of the functions that render templates.
const RENDERERS: &[&str] = &["templatefile", "templatestring"];

/// Functions that templates given as texts may not call.
const READERS: &[&str] = &[
    "file",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "fileset",
    "filesha1",
    "filesha256",
    "filesha512",
];

/// How deep templates may render templates, where they may.
const MAX_RECURSION: u32 = 1024;

/// The rules for a template.
#[derive(Clone)]
struct Rules {
    /// Functions that take the place of those in scope.
    replaced: Replaced,
    null_result: NullResult,
}

/// Functions of a template that take the place of those in scope.
#[derive(Clone)]
enum Replaced {
    /// Those that the template may not call, by functions that say so.
    Always(Arc<FunctionTable>),
    /// The template functions, by ones that know how deep they are.
    AtDepth(u32),
}

/// The treatment of a template whose result is null.
#[derive(Copy, Clone, PartialEq, Eq)]
enum NullResult {
    /// It is an error, as in Terraform from 1.11 on.
    Refused,
    /// It is a result like any other.
    Passed,
}

impl Rules {
    /// No template inside of another.
    fn without_templates(null_result: NullResult) -> Self {
        let mut table = FunctionTable::new();
        refuse_calls(&mut table, RENDERERS, "a template cannot render another template with");
        Self { replaced: Replaced::Always(Arc::new(table)), null_result }
    }

    /// Nor a look at files.
    fn without_templates_and_files() -> Self {
        let mut table = FunctionTable::new();
        refuse_calls(&mut table, RENDERERS, "a template cannot render another template with");
        let reason = "a template that is given as text cannot read files; pass the result as a variable instead of calling";
        refuse_calls(&mut table, READERS, reason);
        Self { replaced: Replaced::Always(Arc::new(table)), null_result: NullResult::Refused }
    }

    /// The functions that take the place of those in scope. At a depth they are made anew, so that each knows its
    /// own.
    fn functions(&self) -> Result<Arc<FunctionTable>, FunctionError> {
        match &self.replaced {
            Replaced::Always(table) => Ok(Arc::clone(table)),
            Replaced::AtDepth(depth) if *depth >= MAX_RECURSION => {
                fail(format!("templates render templates more than {MAX_RECURSION} levels deep"))
            }
            Replaced::AtDepth(depth) => {
                let mut table = FunctionTable::new();
                for prefix in ["", "core::"] {
                    for function in [templatefile_at(depth + 1), templatestring_at(depth + 1)] {
                        let name = format!("{prefix}{}", function.name());
                        table.insert(function.renamed(&name));
                    }
                }
                Ok(Arc::new(table))
            }
        }
    }
}

/// Adds functions that only say why they can't be called.
fn refuse_calls(table: &mut FunctionTable, names: &[&'static str], reason: &'static str) {
    for &name in names {
        for full_name in [name.to_owned(), format!("core::{name}")] {
            let refused = Function::new(&full_name, "Not available in this template.")
                .variadic(anything("arguments").described("Anything; it makes no difference.").allow_marked())
                .implementation(move |_, _| fail(format!("{reason} {name}")));
            table.insert(refused);
        }
    }
}

/// `templatefile(path, vars)`, whose template renders no others and gives a value.
pub(crate) fn templatefile() -> Function {
    templatefile_with(Rules::without_templates(NullResult::Refused), Blame::Parameter)
}

/// `templatefile(path, vars)`, whose template renders no others and may give null; a file that can't be read is the
/// fault of the call as a whole.
pub(crate) fn templatefile_or_null() -> Function {
    templatefile_with(Rules::without_templates(NullResult::Passed), Blame::Call)
}

/// `templatefile(path, vars)`, whose template may render others.
pub(crate) fn templatefile_recursive() -> Function {
    templatefile_at(0)
}

/// `templatefile` inside so many other templates.
fn templatefile_at(depth: u32) -> Function {
    let rules = Rules { replaced: Replaced::AtDepth(depth), null_result: NullResult::Passed };
    templatefile_with(rules, Blame::Parameter)
}

/// Builds `templatefile`. The result has the marks of the path, because the text of the template is a secret where
/// its path is.
fn templatefile_with(rules: Rules, blame: Blame) -> Function {
    Function::new("templatefile", "Renders a template that is read from a file.")
        .parameter(
            Parameter::new("path", Type::String)
                .described("The path of the template.")
                .allow_unknown()
                .allow_marked(),
        )
        .parameter(vars_parameter())
        .needs(Capability::Files)
        .implementation(move |invocation, args| {
            if args.first().is_some_and(|path| !path.is_known()) {
                // Any of the variables may be in the text.
                let mut marks = Marks::EMPTY;
                for arg in args {
                    marks.extend(&arg.unmark_deep_within(invocation.meter())?.1);
                }
                return Ok(Value::dynamic().with_marks(&marks));
            }
            let (template, shown) = read_text(invocation, args).map_err(|unread| unread.blaming(blame))?;
            // A path that is shown is quoted; a diagnostic names its file without quotes.
            let name = match shown.strip_prefix('"') {
                Some(_) => text(args, 0).to_owned(),
                None => shown,
            };
            let template = Template { name: &name, text: &template, told: embedded };
            let parsed = parse(invocation, &template)?;
            let result = render(invocation, &rules, &parsed, template.told, vars_argument(args))?;
            Ok(args.first().map_or(result.clone(), |path| result.with_marks(path.marks())))
        })
}

fn vars_parameter() -> Parameter {
    Parameter::new("vars", Type::Dynamic)
        .described("The variables that the template sees: an object or a map whose keys are names.")
        .allow_marked()
}

/// The variables of a template; something that is refused as such if there are none.
fn vars_argument(args: &[Value]) -> &Value {
    static NONE: Value = Value::bool(false);
    args.get(1).unwrap_or(&NONE)
}

/// How messages name a template that is given as a text.
const TEXT_NAME: &str = "<templatestring argument>";

/// `templatestring(template, vars)` of any text; its template may render others.
pub(crate) fn templatestring_recursive() -> Function {
    templatestring_at(0)
}

/// `templatestring` inside so many other templates.
fn templatestring_at(depth: u32) -> Function {
    let rules = Rules { replaced: Replaced::AtDepth(depth), null_result: NullResult::Passed };
    Function::new("templatestring", "Renders a template that is given as a text.")
        .parameter(
            Parameter::new("template", Type::String).described("The text of the template.").allow_marked(),
        )
        .parameter(vars_parameter())
        .pure(false)
        .implementation(move |invocation, args| {
            let (template, marks) = args.first().map(Value::unmark).unwrap_or_default();
            let text = template.as_str().unwrap_or_default();
            let template = Template { name: TEXT_NAME, text, told: told_of(&marks) };
            let parsed = parse(invocation, &template)?;
            Ok(render(invocation, &rules, &parsed, template.told, vars_argument(args))?.with_marks(&marks))
        })
}

/// `templatestring(template, vars)` of a text that is referred to. The result is a text.
pub(crate) fn templatestring() -> Function {
    let rules = Rules::without_templates_and_files();
    Function::lazy("templatestring", "Renders a template that is given as a text.")
        .parameter(
            Parameter::new("template", Type::Dynamic)
                .described("A reference to the text of the template; anything else is refused."),
        )
        .parameter(vars_parameter())
        .returns(Type::String)
        .pure(false)
        .lazy_implementation(move |arguments| render_referred(arguments, &rules))
}

/// Renders a template that the first argument refers to. The order is that of the reference: the variables are
/// evaluated first, and unknown ones end the call before the form of the reference is checked.
fn render_referred(arguments: &mut dyn LazyArguments, rules: &Rules) -> Outcome {
    let (vars, diagnostics) = arguments.evaluate(1);
    if has_errors(&diagnostics) {
        return Err(FunctionError::reported(diagnostics));
    }
    arguments.invocation().meter().check()?;
    if vars.is_null() {
        return refuse(1, "argument must not be null");
    }
    if !vars.is_known() {
        let ty = if vars.type_kind().is_none() { Type::Dynamic } else { Type::String };
        return Ok(unknown(ty).with_marks(vars.marks()));
    }
    if let Some(problem) = arguments.expression(0).map_or(Some(NOT_DIRECT), reference_problem) {
        return refuse(0, problem);
    }
    let (template, diagnostics) = arguments.evaluate(0);
    arguments.invocation().meter().check()?;
    if has_errors(&diagnostics) {
        return refuse(0, embedded(&diagnostics));
    }
    let is_name = |text: &str| matches!(text, "template" | "vars" | "templatestring");
    render_value(arguments, rules, &template, &vars)
        .map_err(|error| hide_marked(&[template, vars], error, is_name))
}

/// Renders a template that has been evaluated, and converts its result to a text.
fn render_value(arguments: &mut dyn LazyArguments, rules: &Rules, template: &Value, vars: &Value) -> Outcome {
    let (template, marks) = template.unmark();
    if !template.is_known() && matches!(template.type_kind(), Some(Kind::String) | None) {
        let (_, of_vars) = vars.unmark_deep_within(arguments.invocation().meter())?;
        return Ok(unknown(Type::String).with_marks(&marks).with_marks(&of_vars));
    }
    let Some(text) = template.as_str() else {
        return refuse(0, "the template must be a string that is not null");
    };
    let template = Template { name: TEXT_NAME, text, told: told_of(&marks) };
    let mut invocation = arguments.invocation();
    // A syntax error is one of the argument, an error of evaluation one of the call.
    let parsed = parse(&mut invocation, &template).map_err(|mut error| {
        error.argument = Some(0);
        error
    })?;
    let result = render(&mut invocation, rules, &parsed, template.told, vars)?;
    match convert(&result, &Type::String) {
        Ok(result) => Ok(result.with_marks(&marks)),
        Err(error) => fail(format!("the template does not give a text: {}", error.detail())),
    }
}

/// The complaint about a first argument that is no reference.
const NOT_DIRECT: &str =
    "the template must be a direct reference, such as local.greeting, to a string from elsewhere";

/// Why an expression is no reference to a template; `None` if it is one.
fn reference_problem(mut expression: Expression<'_>) -> Option<&'static str> {
    let whole = expression;
    loop {
        expression = match expression.kind() {
            ExpressionKind::Traversal(_) => return None,
            ExpressionKind::Index { collection, .. } => collection,
            ExpressionKind::RelativeTraversal { source, .. } => source,
            ExpressionKind::Splat(splat) => splat.source,
            _ => break,
        };
    }
    Some(match whole.kind() {
        ExpressionKind::Template(_) | ExpressionKind::Text(_) | ExpressionKind::Interpolation(_) => {
            "templatestring renders templates that come from elsewhere; one that is written here needs no function: \
             write it as a quoted template, without doubling its $ and % signs"
        }
        _ => NOT_DIRECT,
    })
}

/// A template and how messages name it.
struct Template<'a> {
    /// The name of its source in messages.
    name: &'a str,
    text: &'a str,
    /// How errors in it are worded: with details, unless the text is not to be told.
    told: Told,
}

/// Words errors as a part of a sentence.
type Told = fn(&Diagnostics) -> String;

/// How errors are worded that tell of something with these marks.
fn told_of(marks: &Marks) -> Told {
    if marks.is_empty() { embedded } else { places }
}

/// Renders a template with variables.
fn render(
    invocation: &mut Invocation<'_>,
    rules: &Rules,
    parsed: &ParsedExpression,
    told: Told,
    vars: &Value,
) -> Outcome {
    let (vars, marks) = vars.unmark_deep_within(invocation.meter())?;
    let scope = scope(invocation, rules, &vars)?;
    check_references(parsed.expression(), &scope)?;
    let (value, diagnostics) = invocation.evaluate(parsed.expression(), Some(&scope));
    goes_on(invocation, &diagnostics)?;
    if has_errors(&diagnostics) {
        // Messages may quote the values of variables.
        return fail(if marks.is_empty() { told(&diagnostics) } else { places(&diagnostics) });
    }
    if value.is_null() && rules.null_result == NullResult::Refused {
        return fail("the result of the template is null");
    }
    Ok(value.with_marks(&marks))
}

/// Parses a template; every byte of it is charged before.
fn parse(
    invocation: &mut Invocation<'_>,
    template: &Template<'_>,
) -> Result<ParsedExpression, FunctionError> {
    invocation.charge_steps(template.text.len() as u64)?;
    invocation.meter().hold_reading(template.text)?;
    let source = Source::with_grammar(template.name, template.text, Grammar::Template, Pos::START)
        .map_err(|error| FunctionError::new(error.to_string()))?;
    // Parsing finds them without a look at memory.
    invocation.meter().find_lines(&source)?;
    let (parsed, diagnostics) = parse_template(source, &parse_limits(invocation));
    goes_on(invocation, &diagnostics)?;
    if has_errors(&diagnostics) { fail((template.told)(&diagnostics)) } else { Ok(parsed) }
}

/// Makes the scope of a template: its variables, and the functions in scope of the call.
fn scope(invocation: &mut Invocation<'_>, rules: &Rules, vars: &Value) -> Result<Arc<Scope>, FunctionError> {
    let Some(entries) = vars.entries() else {
        return refuse(1, "the variables of a template must be a map or an object");
    };
    invocation.charge_elements(vars.len().unwrap_or(0))?;
    for (name, _) in entries.clone() {
        invocation.go_on(1 + name.len() / BYTES_PER_PART)?;
        if !is_identifier(name) {
            return refuse(
                1,
                format!(
                    "{:?} is no name for a variable of a template: it must start with a letter, and letters, \
                     digits, underscores and dashes may follow",
                    shown(name)
                ),
            );
        }
    }
    let mut builder = Scope::builder().variables_allowed();
    for table in invocation.scope().map(Scope::function_tables).unwrap_or_default() {
        builder = builder.functions(table);
    }
    builder = builder.functions(rules.functions()?);
    Ok(builder.entries_within(entries, invocation.meter())?.build())
}

/// Checks that the template has all the variables that it mentions, used or not.
fn check_references(template: Expression<'_>, scope: &Scope) -> Result<(), FunctionError> {
    for variable in variable_expressions(template) {
        let ExpressionKind::Traversal(traversal) = variable.kind() else { continue };
        let root = traversal.root();
        if scope.name(root).is_none() {
            let place = template.tree().source().range(variable.span());
            return refuse(
                1,
                format!(
                    "there is no {:?} among the variables, which the template uses at {place}",
                    shown(root)
                ),
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_leads_from_a_name_to_a_template() {
        let problem = |text: &str| {
            let parsed: ParsedExpression = text.parse().expect("an expression");
            reference_problem(parsed.expression())
        };
        for reference in ["a", "a.b", "a[0]", "a.b[c].d", "a[*].b", "a.*.b", "a[b][*]"] {
            assert_eq!(problem(reference), None, "{reference}");
        }
        for other in ["1", "f()", "f().a", "[a][0]", "a + b", "(a)", "{}[*].b"] {
            assert_eq!(problem(other), Some(NOT_DIRECT), "{other}");
        }
        for written in ["\"a\"", "\"a${b}\"", "\"${a}\""] {
            assert!(problem(written).is_some_and(|problem| problem != NOT_DIRECT), "{written}");
        }
    }
}
