//! Literals: the values that texts and digits stand for.

use hcl_syntax::ast::{Expression, Literal};

use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use crate::program::OpId;
use crate::types::Type;
use crate::value::string::{STRETCH, normalize_within};
use crate::value::{Number, Repr, Value};

/// A literal number of more digits is read anew by each evaluation, with looks at its limits.
const MANY_DIGITS: usize = 4096;

/// Returns true for a literal number that may take long to read.
pub(crate) fn is_long_number(literal: Literal<'_>) -> bool {
    matches!(literal, Literal::Number(digits) if digits.len() > MANY_DIGITS)
}

/// Returns true for a literal that may take long to make.
pub(crate) fn is_long_literal(expression: Expression<'_>) -> bool {
    let len = expression.span().len() as usize;
    len > STRETCH || len > MANY_DIGITS && expression.literal().is_some_and(is_long_number)
}

/// The value of a literal.
pub(crate) fn literal_value(expression: Expression<'_>) -> Option<Value> {
    expression.literal().map(value_of)
}

/// The value of a literal that has been read.
pub(crate) fn value_of(literal: Literal<'_>) -> Value {
    match literal {
        Literal::Text(text) => Value::string(text),
        Literal::Number(digits) => Value::of_digits(digits),
        Literal::Bool(value) => Value::bool(value),
        Literal::Null => Value::null(Type::Dynamic),
    }
}

impl Evaluator<'_> {
    pub(super) fn literal<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let expression = env.source(at);
        match expression.literal() {
            Some(Literal::Text(text)) if text.len() > STRETCH => self.long_text(text, at, env),
            Some(literal @ Literal::Number(digits)) if is_long_number(literal) => {
                self.long_number(digits, at, env)
            }
            Some(literal) => Flow::Owned(value_of(literal)),
            None => Flow::dynamic(),
        }
    }

    fn long_text<'e>(&mut self, text: &str, at: OpId, env: Env<'e>) -> Flow<'e> {
        match normalize_within(text, &mut Some(self.meter)) {
            Ok(text) => Flow::Owned(Value(Repr::String(text))),
            Err(_) => self.stop_at(at, env),
        }
    }

    fn long_number<'e>(&mut self, digits: &str, at: OpId, env: Env<'e>) -> Flow<'e> {
        match Number::parse_within(digits, &mut Some(self.meter)) {
            Ok(Some(number)) => Flow::Owned(Value::number(number)),
            Ok(None) => Flow::dynamic(),
            Err(_) => self.stop_at(at, env),
        }
    }
}
