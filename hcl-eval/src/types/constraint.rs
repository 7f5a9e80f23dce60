//! Type constraints with defaults: what a variable's declaration says of its values.

use hcl_syntax::ast::Expression;
use hcl_syntax::diagnostic::{Diagnostics, Error};

use super::type_expr::{TypeMode, parse_type, parse_type_text};
use super::{Defaults, Type};
use crate::convert::convert;
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
        let (ty, defaults, diagnostics) = parse_type(expression, TypeMode::ConstraintWithDefaults);
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
}
