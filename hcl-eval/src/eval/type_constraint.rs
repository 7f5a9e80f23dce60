//! Type constraints with defaults: what a variable's declaration says of its values.

use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::{Diagnostics, Error};
use hcl_syntax::parser::ParseLimits;

use super::{EvalOptions, Evaluation};
use crate::convert::{convert, convert_within};
use crate::function::Invocation;
use crate::limits::{Limits, Meter};
use crate::types::type_expr::{Names, TypeMode, parse_text, parse_type_on};
use crate::types::{Defaults, Type};
use crate::value::{Value, ValueError};

/// How many steps the defaults of a type may take that is read without limits, and how many more for each of its bytes.
const STEPS_OF_DEFAULTS: u64 = 1_000_000;
const STEPS_FOR_BYTE: u64 = 100;

/// A type that values are brought to, with the defaults of its optional attributes.
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::types::TypeConstraint;
///
/// let constraint = TypeConstraint::from_text("list(object({ name = string, port = optional(number, 80) }))")?;
/// let given = Value::tuple(vec![Value::object(vec![("name".into(), Value::string("web"))])]);
/// let value = constraint.apply(&given)?;
/// assert_eq!(value.to_json().unwrap(), r#"[{"name":"web","port":80}]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TypeConstraint {
    /// The type.
    pub ty: Type,
    /// The defaults, if there are any.
    pub defaults: Option<Defaults>,
}

impl Default for TypeConstraint {
    /// Any value.
    fn default() -> Self {
        Self { ty: Type::Dynamic, defaults: None }
    }
}

impl TypeConstraint {
    /// Reads a constraint such as the `type` of a variable's declaration. What is not understood counts as
    /// `any`.
    pub fn parse(expression: Expression<'_>) -> (Self, Diagnostics) {
        let (ty, defaults, diagnostics) = parse_type(expression, TypeMode::ConstraintWithDefaults);
        (Self { ty, defaults }, diagnostics)
    }

    /// Reads as [`TypeConstraint::parse`] does, within the limits of an evaluation, to which defaults are charged. When one is
    /// reached a diagnostic says so, and the parts of the type that have been read are not all.
    pub fn parse_within(expression: Expression<'_>, evaluation: &mut Evaluation<'_>) -> (Self, Diagnostics) {
        let mode = TypeMode::ConstraintWithDefaults;
        let (ty, defaults, diagnostics) = parse_type_within(expression, mode, evaluation);
        (Self { ty, defaults }, diagnostics)
    }

    /// Reads a constraint that stands alone in a text.
    ///
    /// # Errors
    /// The text is no type expression.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        parse_type_text(text).map(|(ty, defaults)| Self { ty, defaults })
    }

    /// Reads as [`TypeConstraint::from_text`] does, within the limits of an evaluation, to which defaults are charged. Once one
    /// is reached the type is `any`, and the next part of the evaluation tells.
    ///
    /// # Errors
    /// The text is no type expression.
    pub fn from_text_within(text: &str, evaluation: &mut Evaluation<'_>) -> Result<Self, Error> {
        let parsed = parse_text(text, &evaluation.limits().of_reading());
        let mut means = Invocation::new(&mut evaluation.meter, None, None);
        let (mode, names) = (TypeMode::ConstraintWithDefaults, Names::BareOrQuoted);
        let read = parsed.map(|parsed| parse_type_on(parsed.expression(), mode, names, &mut means));
        match (evaluation.meter.look(), read) {
            (Err(_), _) => Ok(Self::default()),
            (Ok(()), Ok((ty, defaults, problems))) if problems.is_empty() => Ok(Self { ty, defaults }),
            (Ok(()), Ok((_, _, problems))) => Err(problems.into()),
            (Ok(()), Err(error)) => Err(error),
        }
    }

    /// The value, completed with the defaults, then converted to the type. Null and unknown values stay so.
    ///
    /// # Errors
    /// The value can't be converted.
    pub fn apply(&self, value: &Value) -> Result<Value, ValueError> {
        match &self.defaults {
            Some(defaults) => convert(&defaults.apply(value), &self.ty),
            None => convert(value, &self.ty),
        }
    }

    /// [`TypeConstraint::apply`] with looks at the limits of a meter, which is asked for the room.
    ///
    /// # Errors
    /// The value can't be converted, or a limit has been reached.
    pub fn apply_within(&self, value: &Value, meter: &mut Meter) -> Result<Value, ValueError> {
        match &self.defaults {
            Some(defaults) => convert_within(&defaults.apply_within(value, meter)?, &self.ty, meter),
            None => convert_within(value, &self.ty, meter),
        }
    }
}

/// Reads a type expression: the type, the defaults of its optional attributes, and what is wrong with it.
/// Defaults are evaluated without any variables and functions. All that are in one type may take 1,000,000 steps, and 100 more
/// for each byte of the type as it is written; the other limits are those of [`Limits::default`].
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::convert::convert;
/// use hcl_eval::types::type_expr::{TypeMode, parse_type};
/// use hcl_syntax::parser::{ParseLimits, parse_expression};
/// use hcl_syntax::source::Source;
///
/// let source = Source::new("type", "object({ name = string, port = optional(number, 80) })")?;
/// let (parsed, _) = parse_expression(source, &ParseLimits::default());
/// let (ty, defaults, problems) = parse_type(parsed.expression(), TypeMode::ConstraintWithDefaults);
/// assert!(problems.is_empty());
///
/// // Defaults come first: conversion alone makes missing attributes null.
/// let given = Value::object(vec![("name".into(), Value::string("web"))]);
/// let value = convert(&defaults.unwrap().apply(&given), &ty).unwrap();
/// assert_eq!(value.to_json().unwrap(), r#"{"name":"web","port":80}"#);
/// # Ok::<(), hcl_syntax::source::SourceTooLarge>(())
/// ```
pub fn parse_type(expression: Expression<'_>, mode: TypeMode) -> (Type, Option<Defaults>, Diagnostics) {
    parse_type_within(expression, mode, &mut unlimited(expression.span().len() as usize))
}

/// Reads as [`parse_type`] does, within the limits of an evaluation, to which defaults are charged. When one is reached a
/// diagnostic says so, and the parts of the type that have been read are not all.
///
/// ```
/// use hcl_eval::eval::{EvalOptions, Evaluation};
/// use hcl_eval::types::type_expr::{TypeMode, parse_type_within};
/// use hcl_syntax::parser::ParsedExpression;
///
/// let parsed: ParsedExpression = "list(string)".parse()?;
/// let mut evaluation = Evaluation::new(&EvalOptions::default());
/// let (ty, _, problems) = parse_type_within(parsed.expression(), TypeMode::Exact, &mut evaluation);
/// assert_eq!((ty.to_type_text().as_str(), problems.len()), ("list(string)", 0));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn parse_type_within(
    expression: Expression<'_>,
    mode: TypeMode,
    evaluation: &mut Evaluation<'_>,
) -> (Type, Option<Defaults>, Diagnostics) {
    read(expression, mode, Names::Bare, evaluation)
}

/// Reads a type that stands alone in a text. Beside what expressions allow, attribute names may be quoted,
/// as `Type::to_type_text` writes those that are no identifiers.
///
/// # Errors
/// The text is no type expression, or a limit has been reached: they are those of [`parse_type`].
///
/// ```
/// use hcl_eval::types::type_expr::parse_type_text;
///
/// let (ty, _) = parse_type_text("map(object({ port = number }))")?;
/// assert_eq!(ty.to_type_text(), "map(object({port=number}))");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn parse_type_text(text: &str) -> Result<(Type, Option<Defaults>), Error> {
    let parsed = parse_text(text, &ParseLimits { asks_for_memory: true, ..ParseLimits::default() })?;
    let (mode, names) = (TypeMode::ConstraintWithDefaults, Names::BareOrQuoted);
    let (ty, defaults, problems) = read(parsed.expression(), mode, names, &mut unlimited(text.len()));
    if problems.is_empty() { Ok((ty, defaults)) } else { Err(problems.into()) }
}

/// An evaluation for a text of so many bytes that was given no limits. Work in proportion to the text may be done.
fn unlimited(n_bytes: usize) -> Evaluation<'static> {
    let max_steps = STEPS_OF_DEFAULTS + STEPS_FOR_BYTE * n_bytes as u64;
    let limits = Limits { max_steps, ..Limits::default() };
    Evaluation::new(&EvalOptions { limits, ..EvalOptions::default() })
}

/// Reads a type and tells that a limit was reached.
fn read(
    expression: Expression<'_>,
    mode: TypeMode,
    names: Names,
    evaluation: &mut Evaluation<'_>,
) -> (Type, Option<Defaults>, Diagnostics) {
    let mut means = Invocation::new(&mut evaluation.meter, None, None);
    let (ty, defaults, mut problems) = parse_type_on(expression, mode, names, &mut means);
    if let Some(limit) = evaluation.limit() {
        let place = (expression.tree().source(), expression.span());
        problems.extend(evaluation.report(limit, Some(place)));
    }
    (ty, defaults, problems)
}
