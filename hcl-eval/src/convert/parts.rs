//! Agreement on one element type: what the parts of a tuple or object become in a collection.
//!
//! A dynamic element type in a target is a question to the value: which type do its parts have in common?
//! Where the parts are of one type already, as they mostly are, the types of all but the first are never
//! built.

use hcl_syntax::hash::IndexSet;

use super::rules::{Rules, Safety};
use super::{Converter, Failure, Target, Types, convert, mismatch};
use crate::limits::{go_on, hold};
use crate::types::Type;
use crate::types::unify::{Common, Primitives, common};
use crate::value::{PathStep, Repr, Value, ValueError};

/// The words for the parts of what is converted and for what it becomes, as messages use them.
#[derive(Copy, Clone)]
pub(super) struct Words {
    /// `element` or `attribute`
    pub(super) parts: &'static str,
    /// `list`, `set` or `map`
    pub(super) to: &'static str,
}

/// The values converted to the type that they have in common, if they have one.
pub(crate) fn unify_values(values: Vec<Value>) -> Option<(Type, Vec<Value>)> {
    let values = match of_one_type(values) {
        Ok(agreed) => return Some(agreed),
        Err(values) => values,
    };
    let types: Vec<Type> = values.iter().map(Value::ty).collect();
    let common = common(&types)?;
    let converted: Result<Vec<Value>, ValueError> =
        values.iter().map(|value| common.convert(value)).collect();
    of_one_type(converted.ok()?).ok()
}

impl Common {
    /// The result of a conditional with branches of these types, converted.
    ///
    /// An object beside a map of anything, or a tuple beside a list of anything, keeps the types of its parts, which therefore
    /// have to be one: the reference looks for the type that they have in common, but does not convert them to it (observed
    /// with Terraform 1.11).
    ///
    /// # Errors
    /// As [`convert`], and where parts differ.
    pub(crate) fn convert_result(&self, value: &Value) -> Result<Value, ValueError> {
        let converted = self.convert(value)?;
        let to = match &self.ty {
            Type::Map(element) if element.is_dynamic() => "map",
            Type::List(element) if element.is_dynamic() => "list",
            _ => return Ok(converted),
        };
        let parts =
            value.unmarked().parts().filter(|_| self.on_the_way.is_some() && value.ty().is_structural());
        match parts.map(|parts| of_one_type(parts.to_vec())) {
            Some(Err(_)) => Err(ValueError::conversion(mismatch::parts_differ("element", to))),
            _ => Ok(converted),
        }
    }

    /// A value of one of the types, converted.
    ///
    /// # Errors
    /// As [`convert`].
    pub(crate) fn convert(&self, value: &Value) -> Result<Value, ValueError> {
        match &self.on_the_way {
            Some(collection) if value.ty().is_structural() => convert(&convert(value, collection)?, &self.ty),
            _ => convert(value, &self.ty),
        }
    }
}

/// The type that the types of all these values unify to.
pub(super) fn common_type(rules: &mut Rules<'_>, values: &[Value]) -> Option<Type> {
    let mut primitives = Primitives::default();
    if values.iter().all(|value| flat_type(value).is_some_and(|ty| primitives.add(&ty))) {
        return primitives.unify(rules.safety);
    }
    let pace = &mut rules.charge.pace();
    let first = values.first()?.ty_on(pace).ok()?;
    let mut is_first = |value: &Value| go_on(pace, value.weight() as usize).is_ok() && value.is_type(&first);
    if values.iter().all(&mut is_first) {
        return Some(first);
    }
    // Types that are there are not kept twice: to release many takes time.
    let mut types = IndexSet::default();
    for value in values {
        if types.len() == types.capacity() {
            hold(pace, types.len().saturating_mul(4 * size_of::<(usize, Type, usize)>())).ok()?;
        }
        go_on(pace, 1).ok()?;
        types.insert(value.ty_on(pace).ok()?);
    }
    rules.ask_unify(&types.iter().collect::<Vec<_>>())
}

/// The type of a value that has no parts; `None` for others.
fn flat_type(value: &Value) -> Option<Type> {
    match &value.unmarked().0 {
        Repr::String(_) => Some(Type::String),
        Repr::Bool(_) => Some(Type::Bool),
        Repr::Number(_) => Some(Type::Number),
        Repr::Null(ty) => Some(ty.clone()),
        Repr::Unknown(unknown) => Some(unknown.ty().clone()),
        _ => None,
    }
}

/// The values with their one type, if they have one. Those of dynamic type, which are null or unknown, count
/// as being of any, and become what the others are.
fn of_one_type(mut values: Vec<Value>) -> Result<(Type, Vec<Value>), Vec<Value>> {
    let is_dynamic = |value: &Value| flat_type(value).is_some_and(|ty| ty.is_dynamic());
    let mut concrete = values.iter().filter(|value| !is_dynamic(value));
    let Some(first) = concrete.next() else { return Ok((Type::Dynamic, values)) };
    let ty = first.ty();
    if !concrete.all(|value| value.is_type(&ty)) {
        return Err(values);
    }
    for value in values.iter_mut().filter(|value| is_dynamic(value)) {
        let marks = value.marks().clone();
        let retyped = if value.is_null() { Value::null(ty.clone()) } else { Value::unknown(ty.clone()) };
        *value = retyped.with_marks(&marks);
    }
    Ok((ty, values))
}

/// Converted parts.
pub(super) struct Parts {
    pub(super) values: Vec<Value>,
    /// Some of them, or some part of them, is not of the type that was wanted.
    pub(super) deviate: bool,
}

/// Converts every value to `to`.
pub(super) fn convert_all(
    rules: Rules<'_>,
    values: &[Value],
    to: &Type,
    place: impl Fn(usize) -> PathStep,
) -> Result<Parts, Failure> {
    let mut converter = Converter::new(rules);
    converter.hold_list(values.len())?;
    let mut converted = Vec::with_capacity(values.len());
    for (i, value) in values.iter().enumerate() {
        converted.push(converter.part(value, Target::exactly(to), Types::Unchecked, || place(i))?);
    }
    Ok(Parts { values: converted, deviate: converter.deviates })
}

/// The choice to bring converted parts to one type once more before they are compared.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Again {
    /// They are, by conversions of this safety.
    Unify(Safety),
    /// They are not.
    No,
}

impl Converter<'_, '_> {
    /// The element type of converted parts, and the parts. `want` is what they have been converted to: it is
    /// their type, unless it has dynamic parts, which each of them may have filled in its own way, or some
    /// value in them has kept its own type.
    pub(super) fn settle(
        &mut self,
        values: Vec<Value>,
        want: &Type,
        again: Again,
        words: Words,
        place: impl Fn(usize) -> PathStep,
    ) -> Result<(Type, Vec<Value>), Failure> {
        if values.is_empty() || !(self.deviates || want.has_dynamic()) {
            return Ok((want.clone(), values));
        }
        let values = match of_one_type(values) {
            Ok(agreed) => return Ok(agreed),
            Err(values) => values,
        };
        let Again::Unify(safety) = again else { return Err(differ(words)) };
        let no_common_type = || Failure::of_value(mismatch::no_common_type(words.parts));
        let common = common_type(&mut self.rules.with(safety), &values).ok_or_else(no_common_type)?;
        let values = match convert_all(self.rules.with(Safety::Unsafe), &values, &common, place) {
            Ok(converted) => converted.values,
            Err(Failure::Type) => return Err(no_common_type()),
            Err(failure) => return Err(failure),
        };
        of_one_type(values).map_err(|_| differ(words))
    }
}

fn differ(words: Words) -> Failure {
    Failure::of_value(mismatch::parts_differ(words.parts, words.to))
}
