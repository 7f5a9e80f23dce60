//! Which expressions are constants that JSON syntax has a form for.
//!
//! A constant is written as its value only if a reader gets the same value from it, of the same type, whatever dialect
//! the reader has. JSON has texts, numbers, truth values, null, tuples and objects; a list, a set, a map or the null of a
//! type would come back as something else. And a function counts only if every product has it, in the same form.

use hcl_syntax::ast::{
    Expression, ExpressionKind, UnaryOperator, functions_while, variable_expressions_while,
};
use hcl_syntax::config::Bounds;
use hcl_syntax::diagnostic::has_errors;

use super::{Expressions, Writer};
use crate::dialect;
use crate::eval::Scope;
use crate::limits::{BYTES_PER_PART, LimitReached, Meter, Pace};
use crate::types::Type;
use crate::value::{Kind, Number, Value};

/// A number of so few digits needs no room to speak of.
const FEW_DIGITS: usize = 1 << 10;

impl Writer<'_, '_> {
    /// The value of a constant. Names that are not there are no errors where they are not looked at, as in
    /// `true ? 1 : a` and `try(a, 1)`, but they may be there for the reader.
    pub(super) fn constant(&mut self, expression: Expression<'_>) -> Option<Value> {
        let may_be_evaluated = self.style.expressions == Expressions::Evaluated || is_literal(expression);
        if !may_be_evaluated || !self.has_only_known_names(expression) {
            return None;
        }
        let scope = self.scope;
        let value = self.value_in(expression, Some(scope))?;
        let meter = self.evaluation.meter();
        let is_the_same_everywhere =
            functions_while(expression, |bytes| meter.goes_on(1) && meter.has_room(bytes))
                .all(|call| dialect::is_shared(call.name()));
        (is_the_same_everywhere && is_plain(&value, meter)).then_some(value)
    }

    /// The value of an expression that its reader evaluates without any names.
    pub(super) fn literal(&mut self, expression: Expression<'_>) -> Option<Value> {
        self.value_in(expression, None).filter(|value| is_plain(value, self.evaluation.meter()))
    }

    fn has_only_known_names(&mut self, expression: Expression<'_>) -> bool {
        let (scope, bounds) = (self.scope, self.evaluation.bounds());
        let mut goes_on = |bytes| bounds.goes_on(1) && bounds.has_room(bytes);
        let is_known = |name: &str| scope.name(name).is_some_and(|name| name.constant.is_some());
        let is_pure = |name: &str| scope.function(name).is_some_and(|function| function.is_pure());
        let is_known_variable = |variable: Expression<'_>| match variable.kind() {
            ExpressionKind::Traversal(name) => is_known(name.root()),
            _ => true,
        };
        variable_expressions_while(expression, &mut goes_on).all(is_known_variable)
            && functions_while(expression, &mut goes_on).all(|call| is_pure(call.name()))
            && !self.evaluation.stopped()
    }

    fn value_in(&mut self, expression: Expression<'_>, scope: Option<&Scope>) -> Option<Value> {
        let was_stopped = self.evaluation.stopped();
        let (value, problems) = self.evaluation.evaluate_syntax(expression, scope);
        if self.evaluation.stopped() {
            if !was_stopped {
                self.diagnostics.extend(problems.into_iter().filter(|said| said.code.starts_with("limit.")));
            }
            return None;
        }
        (!has_errors(&problems)).then_some(value)
    }
}

/// Returns true for an expression that is a value as it stands; a negative number is one.
fn is_literal(expression: Expression<'_>) -> bool {
    match expression.kind() {
        ExpressionKind::Null
        | ExpressionKind::Bool(_)
        | ExpressionKind::Number(_)
        | ExpressionKind::Text(_) => true,
        ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
            matches!(operand.kind(), ExpressionKind::Number(_))
        }
        _ => false,
    }
}

/// Returns true if a value comes back from JSON as it is: known, unmarked, finite, and of types that JSON has. No value does
/// without room for the digits of its numbers.
fn is_plain(value: &Value, meter: &mut Meter) -> bool {
    if value.contains_marks() {
        return false;
    }
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        // Parts that are shared are looked at as often as they occur.
        if meter.go_on(1).is_err() {
            return false;
        }
        match value.kind() {
            Kind::Unknown | Kind::Capsule | Kind::List | Kind::Set | Kind::Map => return false,
            Kind::Null if value.ty() != Type::Dynamic => return false,
            Kind::Number
                if !value.as_number().is_some_and(|number| {
                    has_room_for_digits(number, meter)
                        && comes_back(number, &mut Some(&mut *meter)).unwrap_or(false)
                }) =>
            {
                return false;
            }
            Kind::Tuple => pending.extend(value.elements().unwrap_or_default()),
            Kind::Object => {
                pending.extend(value.entries().into_iter().flatten().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    true
}

/// Returns false, and ends the work, if there is no room for the digits of a number, twice and in what is written.
fn has_room_for_digits(number: &Number, meter: &mut Meter) -> bool {
    let n_digits = usize::try_from(number.text_len_bound()).unwrap_or(usize::MAX);
    n_digits <= FEW_DIGITS
        || meter.goes_on(n_digits / BYTES_PER_PART) && meter.has_room(n_digits.saturating_mul(3))
}

/// Returns true if the digits of a number are those of no other number, and the number that is read has them: it may have less
/// precision, and with it fewer digits.
fn comes_back(number: &Number, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
    if number.is_infinite() {
        return Ok(false);
    }
    let (mut digits, mut read_digits) = (String::new(), String::new());
    number.write_text_within(&mut digits, pace)?;
    let Some(read) = Number::parse_within(&digits, pace)?.filter(|read| read.equal(number)) else {
        return Ok(false);
    };
    read.write_text_within(&mut read_digits, pace)?;
    Ok(read_digits == digits)
}
