//! Evaluation while a template is read: values of arguments, and the complaints about them.

use std::sync::Arc;

use hcl_eval::convert::convert;
use hcl_eval::dynamic::{Attribute, Content};
use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::{Type, Value};
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};

use super::error;
use super::release::Release;
use crate::place::Place;

/// An argument is in error; the complaint has been made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Unsuitable;

/// An argument that may be missing.
pub(super) type Argument<T> = Result<Option<T>, Unsuitable>;

/// Evaluations with common bounds, and all complaints in order.
pub(super) struct Session<'a> {
    pub(super) release: Release,
    /// The evaluation that all values are part of, with its limits.
    pub(super) evaluation: Evaluation<'a>,
    pub(super) diagnostics: Diagnostics,
}

impl<'a> Session<'a> {
    pub(super) fn new(release: Release, options: &EvalOptions<'a>) -> Self {
        Self { release, evaluation: Evaluation::new(options), diagnostics: Diagnostics::new() }
    }

    /// The complaints, with that of the limit that has ended the work, if one has.
    pub(super) fn told(&mut self) -> Diagnostics {
        let mut diagnostics = std::mem::take(&mut self.diagnostics);
        if self.evaluation.stopped() {
            self.evaluation.tell_limit(None, &mut diagnostics);
        }
        diagnostics
    }

    /// The value of an expression. Without a scope nothing can be referred to or called, and strings of JSON syntax
    /// are no templates.
    pub(super) fn value(
        &mut self,
        expression: &ConfigExpression,
        scope: Option<&Scope>,
    ) -> Result<Value, Unsuitable> {
        let (value, problems) = self.evaluation.evaluate(expression, scope);
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if failed { Err(Unsuitable) } else { Ok(value) }
    }

    /// The value of an argument, whatever it is.
    pub(super) fn attribute(
        &mut self,
        attribute: &Attribute,
        scope: Option<&Arc<Scope>>,
    ) -> Result<Value, Unsuitable> {
        let (value, problems) = attribute.evaluate(scope, &mut self.evaluation);
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if failed { Err(Unsuitable) } else { Ok(value) }
    }

    /// An argument as a value of a type, which is known. Null is `None`. An expression in error is told a second time
    /// as a value that does not fit, as Packer has it.
    fn typed(&mut self, attribute: &Attribute, ty: &Type, scope: Option<&Arc<Scope>>) -> Argument<Value> {
        let value = self.attribute(attribute, scope);
        let problem = match value.map(|value| convert(&value, ty)) {
            Ok(Ok(value)) if value.is_null() => return Ok(None),
            Ok(Ok(value)) if value.is_wholly_known() => return Ok(Some(value)),
            Ok(Ok(_)) => "it is not known yet".to_owned(),
            Ok(Err(problem)) => problem.reason(),
            Err(Unsuitable) => "it has no value".to_owned(),
        };
        self.unsuitable(attribute, ty, &problem);
        Err(Unsuitable)
    }

    /// Evaluates an argument that may not be null.
    fn present(
        &mut self,
        attribute: &Attribute,
        ty: &Type,
        scope: Option<&Arc<Scope>>,
    ) -> Result<Value, Unsuitable> {
        match self.typed(attribute, ty, scope)? {
            Some(value) => Ok(value),
            None => {
                self.unsuitable(attribute, ty, "it is null");
                Err(Unsuitable)
            }
        }
    }

    /// Complains of an argument that does not fit its type.
    fn unsuitable(&mut self, attribute: &Attribute, ty: &Type, problem: &str) {
        let name = attribute.written().name();
        let place = Place::of(&attribute.expression());
        self.diagnostics.push(error::unsuitable(name, ty, problem, &place));
    }

    /// A text.
    pub(super) fn text(
        &mut self,
        content: &Content,
        name: &str,
        scope: Option<&Arc<Scope>>,
    ) -> Argument<String> {
        let Some(attribute) = content.attributes.get(name) else { return Ok(None) };
        let value = self.present(attribute, &Type::String, scope)?;
        Ok(value.as_str().map(str::to_owned))
    }

    /// True or false.
    pub(super) fn flag(
        &mut self,
        content: &Content,
        name: &str,
        scope: Option<&Arc<Scope>>,
    ) -> Argument<bool> {
        let Some(attribute) = content.attributes.get(name) else { return Ok(None) };
        Ok(self.present(attribute, &Type::Bool, scope)?.as_bool())
    }

    /// A whole number.
    pub(super) fn whole_number(
        &mut self,
        content: &Content,
        name: &str,
        scope: Option<&Arc<Scope>>,
    ) -> Argument<i64> {
        let Some(attribute) = content.attributes.get(name) else { return Ok(None) };
        let value = self.present(attribute, &Type::Number, scope)?;
        match value.as_number().and_then(hcl_eval::Number::to_i64) {
            Some(number) => Ok(Some(number)),
            None => {
                self.unsuitable(attribute, &Type::Number, "it is no whole number of 64 bits");
                Err(Unsuitable)
            }
        }
    }

    /// A list of texts; null is an empty one.
    pub(super) fn texts(
        &mut self,
        content: &Content,
        name: &str,
        scope: Option<&Arc<Scope>>,
    ) -> Result<Vec<String>, Unsuitable> {
        let Some(attribute) = content.attributes.get(name) else { return Ok(Vec::new()) };
        let Some(value) = self.typed(attribute, &Type::list(Type::String), scope)? else {
            return Ok(Vec::new());
        };
        let elements = value.elements().unwrap_or_default();
        if elements.iter().any(Value::is_null) {
            self.unsuitable(attribute, &Type::list(Type::String), "an element is null");
            return Err(Unsuitable);
        }
        Ok(elements.iter().filter_map(|element| element.as_str().map(str::to_owned)).collect())
    }

    /// Checks a map of texts, whose values nothing depends on; null is an empty one.
    pub(super) fn labels(
        &mut self,
        content: &Content,
        name: &str,
        scope: Option<&Arc<Scope>>,
    ) -> Result<(), Unsuitable> {
        let Some(attribute) = content.attributes.get(name) else { return Ok(()) };
        self.typed(attribute, &Type::map(Type::String), scope).map(|_| ())
    }
}
