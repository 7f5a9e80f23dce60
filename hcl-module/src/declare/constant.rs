//! Arguments that are constants: read without names and functions while the block is read.

use hcl_eval::Value;
use hcl_eval::convert::convert;
use hcl_eval::types::Type;
use hcl_syntax::config::{ConfigExpression, Content};
use hcl_syntax::diagnostic::has_errors;

use super::Reader;
use crate::place::Place;

impl Reader<'_, '_> {
    /// The value of an expression that can refer to nothing, and if it has one. What is wrong is told.
    pub(super) fn constant(&mut self, expression: &ConfigExpression) -> (Value, bool) {
        let (value, problems) = self.evaluation.evaluate(expression, None);
        let is_good = !has_errors(&problems);
        self.diagnostics.extend(problems);
        (value, is_good)
    }

    /// A constant of a primitive type, not null. A text that holds a truth value counts as one. An expression in
    /// error is told once by OpenTofu; Terraform adds that there is no value of the type. Behind a limit
    /// that was told nothing has a value.
    fn primitive(&mut self, content: &Content, name: &str, ty: &Type) -> Option<(Value, Place)> {
        let expression = content.expression(name)?;
        let (value, is_good) = self.constant(&expression);
        if !is_good && (self.release.is_tofu() || self.evaluation.stopped()) {
            return None;
        }
        let problem = match convert(&value, ty) {
            Ok(value) if value.is_known() && !value.is_null() => {
                return Some((value, Place::of(&expression)));
            }
            Ok(value) if value.is_null() => "it is null".to_owned(),
            Ok(_) => "its value is not known when the block is read".to_owned(),
            Err(error) => error.reason(),
        };
        let detail =
            format!("The argument \"{name}\" takes a constant of type {}: {problem}.", ty.to_type_text());
        let place = Place::of_start(&expression);
        self.diagnostics.push(place.error("module.constant", "Unsuitable value type", detail));
        None
    }

    /// An argument that is true or false.
    pub(super) fn flag(&mut self, content: &Content, name: &str) -> Option<bool> {
        self.primitive(content, name, &Type::Bool).and_then(|(value, _)| value.as_bool())
    }

    /// An argument that is a text.
    pub(super) fn text(&mut self, content: &Content, name: &str) -> Option<(String, Place)> {
        let (value, place) = self.primitive(content, name, &Type::String)?;
        Some((value.as_str()?.to_owned(), place))
    }
}
