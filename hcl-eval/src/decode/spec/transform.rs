//! Specifications of values that expressions make of others.

use std::sync::Arc;

use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::Diagnostics;

use super::Spec;
use crate::Str;
use crate::eval::{EvalOptions, Evaluation, Scope};
use crate::types::Type;
use crate::value::Value;

/// A value that an expression makes of another, which is a variable in it.
///
/// ```
/// use hcl_eval::decode::{AttributeSpec, Spec, TransformSpec, decode};
/// use hcl_eval::{Type, dynamic::Body, eval::EvalOptions};
/// use hcl_syntax::config::ConfigExpression;
/// use hcl_syntax::parser::{File, ParsedExpression};
///
/// let doubled: ParsedExpression = "size * 2".parse()?;
/// let doubled = ConfigExpression::native(doubled.tree().clone(), doubled.expression().id());
/// let size = AttributeSpec::new("size", Type::Number).into();
/// let spec = Spec::Transform(TransformSpec::new(size, Some(doubled), "size", None));
/// let body = Body::from(&File::parse("main.hcl", "size = 21\n")?);
/// let (value, _) = decode(&body, &spec.into(), None, &EvalOptions::default());
/// assert_eq!(value.to_string(), "42");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TransformSpec {
    nested: Arc<Spec>,
    expression: Option<ConfigExpression>,
    variable: Str,
    scope: Option<Arc<Scope>>,
    ty: Type,
}

impl TransformSpec {
    /// The value of `expression` in `scope`, where `variable` is the value of `nested`. Without an expression
    /// the result is null.
    pub fn new(
        nested: Spec,
        expression: Option<ConfigExpression>,
        variable: &str,
        scope: Option<Arc<Scope>>,
    ) -> Self {
        Self::within(nested, expression, variable, scope, &mut Evaluation::new(&EvalOptions::default())).0
    }

    /// [`TransformSpec::new`] within an evaluation, with the diagnostic of a limit that has been reached there: what else is
    /// wrong with the expression is told when a value is transformed.
    pub(in crate::decode) fn within(
        nested: Spec,
        expression: Option<ConfigExpression>,
        variable: &str,
        scope: Option<Arc<Scope>>,
        evaluation: &mut Evaluation<'_>,
    ) -> (Self, Diagnostics) {
        let mut problems = Diagnostics::new();
        let mut spec = Self {
            nested: Arc::new(nested),
            expression,
            variable: variable.into(),
            scope,
            ty: Type::Dynamic,
        };
        let unknown = Value::unknown(spec.nested.implied_type());
        if let Some(expression) = &spec.expression {
            let (value, found) = evaluation.evaluate(expression, Some(&spec.inner_scope(unknown)));
            spec.ty = value.ty();
            problems = found;
            problems.retain(|problem| problem.code.starts_with("limit."));
        }
        (spec, problems)
    }

    /// Returns the specification of the value that is transformed.
    pub fn nested(&self) -> &Spec {
        &self.nested
    }

    /// The expression.
    pub fn expression(&self) -> Option<&ConfigExpression> {
        self.expression.as_ref()
    }

    /// The type of the result, as far as it is known from the type of what is transformed.
    pub fn implied_type(&self) -> &Type {
        &self.ty
    }

    /// The scope of the expression, for a value.
    pub(in crate::decode) fn inner_scope(&self, value: Value) -> Arc<Scope> {
        let builder = Scope::builder();
        let builder = match &self.scope {
            Some(scope) => builder.parent(Arc::clone(scope)),
            None => builder,
        };
        builder.variable(&self.variable, value).build()
    }
}
