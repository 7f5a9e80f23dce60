//! Evaluation: expressions to values.
//!
//! Every expression is lowered to code ([`program`](crate::program)), which one evaluator runs: one match over the kinds of
//! operations (`evaluator`), the work of each construct in the file of its name. [`evaluate`] lowers and runs; a
//! [`Program`](crate::program::Program) keeps the code. Values are borrowed until they must be owned (`flow`), names
//! bound inside expressions live on the stack (`locals`), problems go where `report` says, in the words
//! of `error`.
//!
//! Recursion follows the nesting of brackets only: chains of operators, of indexes and of conditionals are
//! loops, and the stack grows on demand.

mod access;
mod call;
mod code;
mod condition;
mod conditional;
mod container;
mod error;
mod evaluation;
mod evaluator;
mod flow;
mod for_expr;
mod frame;
mod json_object;
mod lazy;
mod literal;
mod locals;
mod logic;
mod named_values;
mod observe;
mod operator;
mod reading;
mod report;
mod resolver;
mod results;
mod splat;
mod template;
mod type_constraint;
mod unresolved;
mod variable;

use hcl_syntax::ast::Expression;
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::{Diagnostics, Error, IntoResult};
use hcl_syntax::parser::ParsedExpression;

use crate::function::Invocation;
use crate::host::Host;
use crate::limits::{Limits, Meter};
use crate::program::Code;
use crate::value::Value;

pub use crate::function::{Scope, ScopeBuilder};
pub use crate::host::User;
pub(crate) use condition::Readable;
pub(crate) use error::Problem;
pub use evaluation::Evaluation;
pub(crate) use evaluator::{Evaluator, RED_ZONE, Run, SEGMENT, Surroundings};
pub use frame::Frame;
pub(crate) use literal::{is_long_literal, is_long_number, literal_value, value_of};
pub(crate) use locals::{DeepNames, FEW, part_of};
#[cfg(feature = "explain")]
pub(crate) use observe::Observer;
pub(crate) use operator::plain_result;
pub(crate) use resolver::Lookups;
pub use resolver::{Keep, Lookup, LookupError, Resolver};
pub use type_constraint::{TypeConstraint, parse_type, parse_type_text, parse_type_within};
pub(crate) use unresolved::{runtime_reference, steps_of_text};
pub use variable::later_function_problem;
pub(crate) use variable::{problem_of_function, problem_of_name, slot_of};

use evaluation::strings_in;

/// The options of an evaluation.
///
/// ```
/// use hcl_eval::dialect;
/// use hcl_eval::eval::{EvalOptions, Scope, evaluate};
/// use hcl_eval::host::MemoryHost;
/// use hcl_eval::limits::Limits;
/// use hcl_syntax::diagnostic::IntoResult;
/// use hcl_syntax::parser::ParsedExpression;
///
/// let host = MemoryHost::new().with_file("motd", "Welcome");
/// let limits = Limits { max_steps: 1000, ..Limits::default() };
/// let options = EvalOptions { limits, host: Some(&host), ..EvalOptions::default() };
/// let scope = Scope::builder().functions(dialect::terraform()).build();
/// let parsed: ParsedExpression = "file(\"motd\")".parse()?;
/// let value = evaluate(parsed.expression(), Some(&scope), &options).into_result()?;
/// assert_eq!(value.as_str(), Some("Welcome"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct EvalOptions<'a> {
    /// Bounds.
    pub limits: Limits,
    /// The host that functions ask for the outside world.
    pub host: Option<&'a dyn Host>,
    /// The values of the scope's slots.
    pub frame: Option<&'a Frame>,
    /// The user data that functions and resolvers of the host see.
    pub user: Option<&'a User>,
}

impl EvalOptions<'_> {
    /// Returns the resolver for what the frame does not hold, before any answer.
    pub(crate) fn lookups(&self) -> Option<Lookups> {
        self.frame.and_then(|frame| frame.lookups.as_ref()).map(Lookups::anew)
    }
}

/// Evaluates a text, an expression, once and within the limits of [`EvalOptions::default`]: all that a program needs that
/// evaluates a few texts of its own. Without a scope, variables and functions are not allowed.
///
/// # Errors
/// The text is no expression, or has no value in the scope. Warnings are dropped; [`evaluate`] gives them.
///
/// ```
/// use hcl_eval::dialect;
/// use hcl_eval::eval::{Scope, evaluate_str};
///
/// let scope = Scope::builder().functions(dialect::terraform()).variable("name", "world").build();
/// let value = evaluate_str(r#""Hello, ${upper(name)}!""#, Some(&scope))?;
/// assert_eq!(value.as_str(), Some("Hello, WORLD!"));
///
/// let error = evaluate_str("upper(nme)", Some(&scope)).unwrap_err();
/// assert!(error.to_string().contains("Did you mean \"name\"?"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn evaluate_str(text: &str, scope: Option<&Scope>) -> Result<Value, Error> {
    let parsed: ParsedExpression = text.parse()?;
    evaluate(parsed.expression(), scope, &EvalOptions::default()).into_result()
}

/// Evaluates an expression once. Without a scope, variables and functions are not allowed.
///
/// The value is unknown where nothing can be known; it is of use also when there are diagnostics.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Scope, evaluate};
/// use hcl_syntax::{diagnostic::IntoResult, parser, source::Source};
///
/// let source = Source::new("example", "\"${name} is ${1 + 2}\"")?;
/// let parsed = parser::parse_expression(source, &Default::default()).into_result()?;
/// let scope = Scope::builder().variable("name", "it").build();
/// let (value, problems) = evaluate(parsed.expression(), Some(&scope), &EvalOptions::default());
/// assert!(problems.is_empty());
/// assert_eq!(value.as_str(), Some("it is 3"));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn evaluate(
    expression: Expression<'_>,
    scope: Option<&Scope>,
    options: &EvalOptions<'_>,
) -> (Value, Diagnostics) {
    let mut meter = Meter::new(options.limits.clone());
    let slots = options.frame.map_or(&[][..], |frame| &frame.slots);
    let lookups = options.lookups();
    let surroundings =
        Surroundings { scope, slots, host: options.host, lookups: lookups.as_ref(), user: options.user };
    Evaluator::once(&mut meter, expression, surroundings, &mut Code::default())
}

/// Evaluates the expression of an attribute, of either syntax. Without a scope, in which nothing can be
/// referred to, strings of JSON syntax are no templates.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Scope, evaluate_config};
/// use hcl_syntax::{config::ConfigBody, json, source::Source};
///
/// let source = Source::json("example.json", r#"{"sum": "${1 + 2}"}"#)?;
/// let (file, _) = json::parse_json(source, &Default::default());
/// let sum = &ConfigBody::from(&file).just_attributes().0[0].expression();
/// let scope = Scope::builder().build();
/// let (value, _) = evaluate_config(sum, Some(&scope), &EvalOptions::default());
/// assert_eq!(value.as_number().map(ToString::to_string).as_deref(), Some("3"));
/// let (value, _) = evaluate_config(sum, None, &EvalOptions::default());
/// assert_eq!(value.as_str(), Some("${1 + 2}"));
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn evaluate_config(
    expression: &ConfigExpression,
    scope: Option<&Scope>,
    options: &EvalOptions<'_>,
) -> (Value, Diagnostics) {
    evaluate(expression.place_with(strings_in(scope)), scope, options)
}

impl<'a> Invocation<'a> {
    /// An invocation that charges `meter`. `scope` is where the call stands.
    pub fn new(meter: &'a mut Meter, host: Option<&'a dyn Host>, scope: Option<&'a Scope>) -> Self {
        Self::evaluated_by(evaluate_within, meter, host, scope)
    }
}

/// Evaluates an expression as a part of something that is being charged already, a level deeper. That a
/// limit was reached is left for the outermost evaluation to report.
pub(crate) fn evaluate_within(
    expression: Expression<'_>,
    scope: Option<&Scope>,
    meter: &mut Meter,
    host: Option<&dyn Host>,
    user: Option<&User>,
) -> (Value, Diagnostics) {
    if meter.enter().is_err() {
        return (Value::dynamic(), Diagnostics::new());
    }
    let result = crate::stack::grow(u32::MAX, || {
        let surroundings = Surroundings { scope, slots: &[], host, lookups: None, user };
        Evaluator::new(meter).part(expression, surroundings)
    });
    meter.leave();
    result
}
