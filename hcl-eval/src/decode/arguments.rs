//! Arguments of the blocks of a specification: constants of a certain type.

use hcl_syntax::config::Content;
use hcl_syntax::diagnostic::Diagnostics;

use super::error;
use crate::Str;
use crate::convert::convert;
use crate::eval::Evaluation;
use crate::types::Type;
use crate::value::Value;

/// The arguments of a block, read one after the other.
pub(super) struct Arguments<'r, 'a> {
    pub(super) content: &'r Content,
    pub(super) evaluation: &'r mut Evaluation<'a>,
    pub(super) diagnostics: Diagnostics,
}

impl Arguments<'_, '_> {
    /// A text; nothing if it is not set, or null.
    pub(super) fn text(&mut self, name: &str) -> Option<Str> {
        self.value(name, &Type::String, |value| value.as_text().cloned().ok_or("a string is required"))
    }

    /// A truth value; nothing if it is not set, or null.
    pub(super) fn flag(&mut self, name: &str) -> Option<bool> {
        self.value(name, &Type::Bool, |value| value.as_bool().ok_or("true or false is required"))
    }

    /// A whole number; nothing if it is not set, or null.
    pub(super) fn whole(&mut self, name: &str) -> Option<i64> {
        let whole = |value: &Value| value.as_number().and_then(|number| number.to_i64());
        self.value(name, &Type::Number, |value| whole(value).ok_or("a whole number is required"))
    }

    /// A list of texts; nothing if it is not set, or null.
    pub(super) fn texts(&mut self, name: &str) -> Option<Vec<Str>> {
        self.value(name, &Type::list(Type::String), |value| {
            let elements = value.elements().unwrap_or_default().iter();
            let texts: Option<Vec<Str>> = elements.map(|element| element.as_text().cloned()).collect();
            texts.ok_or("every label must be a string that is not null")
        })
    }

    /// The value of an argument, converted and taken out.
    fn value<T>(
        &mut self,
        name: &str,
        ty: &Type,
        take: impl FnOnce(&Value) -> Result<T, &'static str>,
    ) -> Option<T> {
        let expression = self.content.expression(name)?;
        let (value, problems) = self.evaluation.evaluate(&expression, None);
        self.diagnostics.extend(problems);
        let taken = match convert(&value, ty) {
            Ok(value) if value.is_null() => return None,
            Ok(value) if !value.is_known() => Err("the value is not known".to_owned()),
            Ok(value) => take(&value).map_err(str::to_owned),
            Err(problem) => Err(error::unsuitable(&problem)),
        };
        match taken {
            Ok(taken) => Some(taken),
            Err(why) => {
                self.diagnostics.push(error::argument_value(&why, &expression));
                None
            }
        }
    }
}
