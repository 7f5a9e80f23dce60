//! Functions that a configuration defines itself, in blocks that the host allows.
//!
//! ```text
//! function "greet" {
//!   params         = [name]
//!   variadic_param = more                                  # may be left out
//!   result         = "Hello, ${join(" and ", concat([name], more))}!"
//! }
//! ```
//!
//! An argument may be of any type but not null; an unknown argument makes the result unknown, of the type
//! that it would have, and marks of arguments go to the result. All of a call's work is charged to the
//! evaluation that makes it, and each call is a level of nesting, so that recursion ends at
//! [`Limits::max_depth`](crate::limits::Limits::max_depth) with an error of its own kind. In JSON syntax the
//! names in `params` are strings.

use std::mem;
use std::sync::Arc;

use hcl_syntax::config::{Bounds, ConfigBody, ConfigExpression, Content, ContentBlock, Unbounded};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::parser::ParsedExpression;
use hcl_syntax::schema::BodySchema;

use super::{Function, FunctionError, FunctionTable, Invocation, Parameter, Scope};
use crate::Str;
use crate::stack;
use crate::types::Type;
use crate::value::Value;

/// The names that the results of user functions can refer to, besides the parameters.
///
/// ```
/// use hcl_eval::function::{UserFunctionContext, user_functions};
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::File;
///
/// let file = File::parse("main.hcl", "function \"greet\" {\n  params = [name]\n  result = \"Hello, ${name}\"\n}\n")?;
/// let (functions, _, problems) =
///     user_functions(&ConfigBody::from(&file), "function", &UserFunctionContext::Parameters);
/// assert!(functions.get("greet").is_some() && problems.is_empty());
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub enum UserFunctionContext {
    /// Nothing; not even functions.
    #[default]
    Parameters,
    /// The names of the scope.
    Scope(Arc<Scope>),
    /// The functions that the call can see. User functions can then call each other, and themselves.
    Caller,
    /// The names of the scope, and the functions that the call can see.
    ScopeAndCaller(Arc<Scope>),
}

/// Takes the functions out of a body: the functions, what else is in the body, and what is wrong with the
/// definitions. A wrong definition is left out; of several with one name the last counts.
///
/// ```
/// use std::sync::Arc;
///
/// use hcl_eval::eval::{EvalOptions, Scope, evaluate};
/// use hcl_eval::function::{UserFunctionContext, user_functions};
/// use hcl_syntax::config::ConfigBody;
/// use hcl_syntax::parser::{parse_expression, parse_file};
/// use hcl_syntax::source::Source;
///
/// let text = "function \"double\" {\n  params = [x]\n  result = x * 2\n}\nport = 80\n";
/// let (file, _) = parse_file(Source::new("main.hcl", text)?, &Default::default());
/// let body = ConfigBody::from(&file);
/// let (functions, rest, problems) = user_functions(&body, "function", &UserFunctionContext::Caller);
/// assert!(problems.is_empty());
/// assert_eq!(rest.just_attributes().0[0].name(), "port");
///
/// let scope = Scope::builder().functions(Arc::new(functions)).build();
/// let (parsed, _) = parse_expression(Source::new("x", "double(21)")?, &Default::default());
/// let (value, _) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
/// assert_eq!(value.display_console(), "42");
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn user_functions(
    body: &ConfigBody,
    block_type: &str,
    context: &UserFunctionContext,
) -> (FunctionTable, ConfigBody, Diagnostics) {
    user_functions_within(body, block_type, context, &mut Unbounded)
}

/// Reads as [`user_functions`] does, within bounds; the functions that have been read when they end it are not all.
///
/// ```
/// use hcl_eval::function::{UserFunctionContext, user_functions_within};
/// use hcl_syntax::config::{ConfigBody, Unbounded};
/// use hcl_syntax::parser::File;
///
/// let body = ConfigBody::from(&File::parse("main.hcl", "function \"one\" {\n  params = []\n  result = 1\n}\n")?);
/// let (functions, ..) = user_functions_within(&body, "function", &UserFunctionContext::Caller, &mut Unbounded);
/// assert_eq!(functions.len(), 1);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn user_functions_within(
    body: &ConfigBody,
    block_type: &str,
    context: &UserFunctionContext,
    bounds: &mut dyn Bounds,
) -> (FunctionTable, ConfigBody, Diagnostics) {
    let schema = BodySchema::default().block(block_type, &["name"]);
    let (content, rest, mut diagnostics) = body.partial_content_within(&schema, bounds);
    let mut functions = FunctionTable::new();
    if has_errors(&diagnostics) {
        return (functions, rest, diagnostics);
    }
    for block in content.blocks {
        if !bounds.goes_on(PARTS_OF_FUNCTION) {
            break;
        }
        if let Some(definition) = Definition::read(&block, &mut diagnostics) {
            functions.insert(definition.into_function(context.clone()));
        }
    }
    (functions, rest, diagnostics)
}

/// How much work it is to read a function.
const PARTS_OF_FUNCTION: usize = 256;

/// A function as it is written.
struct Definition {
    name: String,
    parameters: Vec<String>,
    variadic: Option<String>,
    result: ConfigExpression,
}

impl Definition {
    fn read(block: &ContentBlock, diagnostics: &mut Diagnostics) -> Option<Self> {
        let schema = BodySchema::default()
            .required_attribute("params")
            .attribute("variadic_param")
            .required_attribute("result");
        let (content, problems) = block.body().content(&schema);
        let failed = has_errors(&problems);
        diagnostics.extend(problems);
        if failed {
            return None;
        }
        let name = block.label(0).map(|label| label.text.to_owned()).unwrap_or_default();
        match Self::of_content(name, &content) {
            Ok(definition) => definition,
            Err(problem) => {
                diagnostics.push(*problem);
                None
            }
        }
    }

    fn of_content(name: String, content: &Content) -> Result<Option<Self>, Box<Diagnostic>> {
        let (Some(parameters), Some(result)) = (content.expression("params"), content.expression("result"))
        else {
            return Ok(None);
        };
        let parameters = parameters
            .static_list()
            .ok_or_else(|| no_list(&parameters))?
            .iter()
            .map(|element| element.keyword().ok_or_else(|| no_name(element, "Invalid param element")))
            .collect::<Result<_, _>>()?;
        let variadic = content.expression("variadic_param");
        let variadic = variadic
            .map(|expression| {
                expression.keyword().ok_or_else(|| no_name(&expression, "Invalid variadic_param"))
            })
            .transpose()?;
        Ok(Some(Self { name, parameters, variadic, result }))
    }

    fn into_function(self, context: UserFunctionContext) -> Function {
        // Unknown arguments are asked for: the result's type comes from an evaluation, which is to be charged.
        let parameter = |name: &str| Parameter::new(name, Type::Dynamic).allow_unknown();
        let mut function = Function::new(&self.name, "Defined in the configuration.");
        for name in &self.parameters {
            function = function.parameter(parameter(name));
        }
        if let Some(name) = &self.variadic {
            function = function.variadic(parameter(name));
        }
        let call = Callable {
            parameters: self.parameters.iter().map(Str::from).collect(),
            variadic: self.variadic.map(Str::from),
            result: self.result.syntax(),
            context,
        };
        // What the scope of a call holds may change from call to call.
        function.pure(false).implementation(move |invocation, arguments| call.call(invocation, arguments))
    }
}

fn no_list(expression: &ConfigExpression) -> Box<Diagnostic> {
    let detail =
        "The parameters must be a list that is written out, with a name for each: \"params = [a, b]\".";
    let diagnostic = Diagnostic::error("function.params", "Invalid expression", detail);
    Box::new(diagnostic.at(expression.source(), expression.start_span()))
}

fn no_name(expression: &ConfigExpression, summary: &'static str) -> Box<Diagnostic> {
    let detail = "The name of a parameter is required here: an identifier, without quotes in native syntax.";
    let diagnostic = Diagnostic::error("function.parameter_name", summary, detail);
    Box::new(diagnostic.at(expression.source(), expression.span()))
}

/// The parts that a call needs.
struct Callable {
    parameters: Vec<Str>,
    variadic: Option<Str>,
    result: ParsedExpression,
    context: UserFunctionContext,
}

/// Functions may lie in the scopes of others, as deep as a program puts them there.
impl Drop for Callable {
    fn drop(&mut self) {
        let context = mem::replace(&mut self.context, UserFunctionContext::Parameters);
        if let UserFunctionContext::Scope(scope) | UserFunctionContext::ScopeAndCaller(scope) = context
            && let Some(scope) = Arc::into_inner(scope)
        {
            stack::grow(u32::MAX, || drop(scope));
        }
    }
}

impl Callable {
    fn call(&self, invocation: &mut Invocation<'_>, arguments: &[Value]) -> Result<Value, FunctionError> {
        let scope = self.scope(invocation.scope(), arguments);
        let (value, diagnostics) = invocation.evaluate(self.result.expression(), Some(&scope));
        invocation.meter().check()?;
        if has_errors(&diagnostics) {
            return Err(FunctionError::new(as_text(&diagnostics)));
        }
        // Of what an unknown argument leads to only the type counts, as in the reference implementation.
        let is_known = arguments.iter().all(Value::is_known);
        if is_known {
            return Ok(value);
        }
        let ty = value.ty_on(&mut Some(invocation.meter()))?;
        Ok(Value::unknown(ty).with_marks(&value.unmark_deep_within(invocation.meter())?.1))
    }

    /// The parameters, and around them what the host allows.
    fn scope(&self, caller: Option<&Scope>, arguments: &[Value]) -> Arc<Scope> {
        let (base, is_open) = match &self.context {
            UserFunctionContext::Parameters => (None, false),
            UserFunctionContext::Scope(scope) => (Some(scope), false),
            UserFunctionContext::Caller => (None, true),
            UserFunctionContext::ScopeAndCaller(scope) => (Some(scope), true),
        };
        let mut builder = Scope::builder();
        if let Some(base) = base {
            builder = builder.parent(Arc::clone(base));
        }
        builder = builder.variables_allowed();
        if let Some(caller) = caller.filter(|_| is_open) {
            builder =
                caller.function_tables().into_iter().fold(builder.functions_allowed(), |b, t| b.functions(t));
        }
        for (name, argument) in self.parameters.iter().zip(arguments) {
            builder = builder.variable(name, argument.clone());
        }
        if let Some(name) = &self.variadic {
            let surplus = arguments.get(self.parameters.len()..).unwrap_or_default();
            builder = builder.variable(name, Value::tuple(surplus.to_vec()));
        }
        builder.build()
    }
}

/// Diagnostics in a sentence: the call's own has one place only, where the call stands.
fn as_text(diagnostics: &Diagnostics) -> String {
    let texts: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    texts.join("; ")
}
