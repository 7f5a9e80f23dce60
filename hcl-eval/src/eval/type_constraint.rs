//! Type constraints with defaults: what a variable's declaration says of its values.

use hcl_syntax::ast::Expression;
use hcl_syntax::config::{Bounds, Unbounded};
use hcl_syntax::diagnostic::{Diagnostics, Error};

use super::{EvalOptions, Evaluation};
use crate::convert::{convert, convert_within};
use crate::limits::{Limits, Meter};
use crate::types::type_expr::{EvaluateDefault, TypeMode, parse_type_text_with, parse_type_within};
use crate::types::{Defaults, Type};
use crate::value::{Value, ValueError};

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
        Self::parse_within(expression, &mut Unbounded)
    }

    /// Reads as [`TypeConstraint::parse`] does, within bounds; the parts of a type that have been read when they end it are not
    /// all.
    pub fn parse_within(expression: Expression<'_>, bounds: &mut dyn Bounds) -> (Self, Diagnostics) {
        let (ty, defaults, diagnostics) = read(expression, TypeMode::ConstraintWithDefaults, bounds);
        (Self { ty, defaults }, diagnostics)
    }

    /// Reads a constraint that stands alone in a text.
    ///
    /// # Errors
    /// The text is no type expression.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        parse_type_text(text).map(|(ty, defaults)| Self { ty, defaults })
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
/// Defaults are evaluated without any variables and functions. All that are in one type may take 1,000,000 steps, 100,000
/// elements and 4 MiB together; [`parse_type_with`](crate::types::type_expr::parse_type_with) leaves them to the caller.
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
    read(expression, mode, &mut Unbounded)
}

fn read(
    expression: Expression<'_>,
    mode: TypeMode,
    bounds: &mut dyn Bounds,
) -> (Type, Option<Defaults>, Diagnostics) {
    with_defaults(|evaluate| parse_type_within(expression, mode, evaluate, bounds))
}

/// Reads a type that stands alone in a text. Beside what expressions allow, attribute names may be quoted,
/// as `Type::to_type_text` writes those that are no identifiers.
///
/// # Errors
/// The text is no type expression.
///
/// ```
/// use hcl_eval::types::type_expr::parse_type_text;
///
/// let (ty, _) = parse_type_text("map(object({ port = number }))")?;
/// assert_eq!(ty.to_type_text(), "map(object({port=number}))");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
pub fn parse_type_text(text: &str) -> Result<(Type, Option<Defaults>), Error> {
    with_defaults(|evaluate| parse_type_text_with(text, evaluate))
}

/// Reads a type whose defaults share the limits of one evaluation.
fn with_defaults<T>(read: impl FnOnce(EvaluateDefault<'_>) -> T) -> T {
    let limits =
        Limits { max_steps: 1_000_000, max_elements: 100_000, max_memory: 4 << 20, ..Limits::default() };
    let mut evaluation = Evaluation::new(&EvalOptions { limits, ..EvalOptions::default() });
    read(&mut |default| evaluation.evaluate_syntax(default, None))
}
