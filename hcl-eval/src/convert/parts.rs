//! Agreement on one element type: what the parts of a tuple or object become in a collection.
//!
//! A dynamic element type in a target is a question to the value: which type do its parts have in common?
//! Where the parts are of one type already, as they mostly are, the types of all but the first are never
//! built.

use std::borrow::Borrow;

use hcl_syntax::hash::IndexSet;

use super::rules::{Rules, Safety};
use super::{Converter, Failure, Target, Types, convert_on, mismatch};
use crate::limits::{Charge, LimitReached, Pace, all_on, go_on, hold};
use crate::types::Type;
use crate::types::unify::{Common, Primitives};
use crate::value::collection::{is_dynamic, retype};
use crate::value::{PathStep, Repr, Value, ValueError};

/// The words for the parts of what is converted and for what it becomes, as messages use them.
#[derive(Copy, Clone)]
pub(super) struct Words {
    /// `element` or `attribute`
    pub(super) parts: &'static str,
    /// `list`, `set` or `map`
    pub(super) to: &'static str,
}

/// Why values do not come to one type.
pub(crate) enum Disagreement {
    /// Nothing is known of one of them, which is null or unknown: it may be of any type.
    Open,
    /// Their types have none in common.
    Types,
    /// One of them does not convert to the common type: its number, and the reason.
    Value(usize, ValueError),
}

/// Brings values to the type that they have in common, or leaves them as they are. The work is charged to a meter that is there.
///
/// # Errors
/// A limit has been reached.
pub(crate) fn unify_values(
    values: &mut [Value],
    pace: Pace<'_, '_>,
) -> Result<Result<Type, Disagreement>, LimitReached> {
    if let Some(ty) = of_one_type(values, pace)? {
        return Ok(Ok(ty));
    }
    let mut rules = Rules::charged(Safety::Unsafe, Charge::Parts(pace.as_deref_mut()));
    let common = common_type(&mut rules, values);
    if let Some(limit) = rules.stopped() {
        return Err(limit);
    }
    let Some(common) = common else { return Ok(Err(Disagreement::Types)) };
    if common.ty.is_dynamic() {
        return Ok(Err(Disagreement::Open));
    }
    hold(pace, size_of_val(values))?;
    let mut converted = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        match common.convert(value, pace) {
            Ok(value) => converted.push(value),
            Err(error) => {
                let stopped = pace.as_ref().and_then(|meter| meter.stopped());
                return stopped.map_or(Ok(Err(Disagreement::Value(at, error))), Err);
            }
        }
    }
    let Some(ty) = of_one_type(&mut converted, pace)? else { return Ok(Err(Disagreement::Types)) };
    for (value, converted) in values.iter_mut().zip(converted) {
        go_on(pace, value.weight() as usize)?;
        *value = converted;
    }
    Ok(Ok(ty))
}

impl Common {
    /// The result of a conditional with branches of these types, converted.
    ///
    /// An object beside a map of anything, or a tuple beside a list of anything, keeps the types of its parts, which therefore
    /// have to be one: the reference looks for the type that they have in common, but does not convert them to it (observed
    /// with Terraform 1.11).
    ///
    /// # Errors
    /// As [`convert`], and where parts differ; a limit has been reached.
    pub(crate) fn convert_result(&self, value: &Value, pace: Pace<'_, '_>) -> Result<Value, ValueError> {
        let converted = self.convert(value, pace)?;
        let to = match &self.ty {
            Type::Map(element) if element.is_dynamic() => "map",
            Type::List(element) if element.is_dynamic() => "list",
            _ => return Ok(converted),
        };
        let parts = value.unmarked().parts().filter(|_| self.on_the_way.is_some() && is_structural(value));
        if let Some(parts) = parts
            && of_one_type(&mut parts.to_vec(), pace)?.is_none()
        {
            return Err(ValueError::conversion(mismatch::parts_differ("element", to)));
        }
        Ok(converted)
    }

    /// A value of one of the types, converted.
    ///
    /// # Errors
    /// As [`convert`].
    fn convert(&self, value: &Value, pace: Pace<'_, '_>) -> Result<Value, ValueError> {
        match &self.on_the_way {
            Some(collection) if is_structural(value) => {
                convert_on(&convert_on(value, collection, pace)?, &self.ty, pace)
            }
            _ => convert_on(value, &self.ty, pace),
        }
    }
}

/// Returns true for values of tuple and object types.
fn is_structural(value: &Value) -> bool {
    match &value.unmarked().0 {
        Repr::Tuple(_) | Repr::Object(_) => true,
        _ => flat_type(value).is_some_and(|ty| ty.is_structural()),
    }
}

/// From so many types on a table of them gets room for all that may come.
const MANY: usize = 1 << 12;

/// The type that the types of all these values unify to, and the way there.
pub(super) fn common_type(rules: &mut Rules<'_>, values: &[Value]) -> Option<Common> {
    let mut primitives = Primitives::default();
    let pace = &mut rules.charge.pace();
    let mut is_primitive = |value: &Value| flat_type(value).is_some_and(|ty| primitives.add(&ty));
    if all_on(values, &mut |values| values.iter().all(&mut is_primitive), pace).ok()? {
        return primitives.unify(rules.safety).map(Common::direct);
    }
    let first = values.first()?.ty_on(pace).ok()?;
    if all_of_type(values, &first, pace).ok()? {
        return Some(Common::direct(first));
    }
    // Types that are there are not kept twice: to release many takes time.
    let mut types = IndexSet::default();
    for value in values {
        if types.len() == types.capacity() {
            // Where many have come more will. A table that grows would be filled anew for long.
            let more = if types.len() < MANY { types.len() } else { values.len() - types.len() };
            let room = (types.len() + more).saturating_mul(2 * size_of::<(usize, Type, usize)>());
            hold(pace, room).ok()?;
            go_on(pace, types.len()).ok()?;
            types.reserve(more);
        }
        go_on(pace, 1).ok()?;
        types.insert(value.ty_on(pace).ok()?);
    }
    let common = rules.ask_common(&types.iter().collect::<Vec<_>>());
    let pace = &mut rules.charge.pace();
    for ty in types {
        drop(ty);
        go_on(pace, 1).ok()?;
    }
    common
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

/// Returns true if all values are of a type.
fn all_of_type(
    values: impl IntoIterator<Item = impl Borrow<Value>>,
    ty: &Type,
    pace: Pace<'_, '_>,
) -> Result<bool, LimitReached> {
    for value in values {
        let value: &Value = value.borrow();
        go_on(pace, value.weight() as usize)?;
        if !value.is_type(ty) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The one type of all values, if they have one. Those of dynamic type, which are null or unknown, count as being of any,
/// and become what the others are.
fn of_one_type(values: &mut [Value], pace: Pace<'_, '_>) -> Result<Option<Type>, LimitReached> {
    let mut ty = None;
    let mut has_open = false;
    for value in &*values {
        go_on(pace, value.weight() as usize)?;
        if is_dynamic(value) {
            has_open = true;
            continue;
        }
        match &ty {
            None => ty = Some(value.ty_on(pace)?),
            Some(ty) if !value.is_type(ty) => return Ok(None),
            Some(_) => {}
        }
    }
    let Some(ty) = ty else { return Ok(Some(Type::Dynamic)) };
    if has_open {
        retype(values, &ty, pace)?;
    }
    Ok(Some(ty))
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
        mut values: Vec<Value>,
        want: &Type,
        again: Again,
        words: Words,
        place: impl Fn(usize) -> PathStep,
    ) -> Result<(Type, Vec<Value>), Failure> {
        if values.is_empty() || !(self.deviates || want.has_dynamic()) {
            return Ok((want.clone(), values));
        }
        if let Some(ty) = of_one_type(&mut values, &mut self.rules.charge.pace())? {
            return Ok((ty, values));
        }
        let Again::Unify(safety) = again else { return Err(differ(words)) };
        let no_common_type = || Failure::of_value(mismatch::no_common_type(words.parts));
        let common = common_type(&mut self.rules.with(safety), &values).ok_or_else(no_common_type)?;
        let mut values = match convert_all(self.rules.with(Safety::Unsafe), &values, &common.ty, place) {
            Ok(converted) => converted.values,
            Err(Failure::Type) => return Err(no_common_type()),
            Err(failure) => return Err(failure),
        };
        let ty = of_one_type(&mut values, &mut self.rules.charge.pace())?.ok_or_else(|| differ(words))?;
        Ok((ty, values))
    }
}

fn differ(words: Words) -> Failure {
    Failure::of_value(mismatch::parts_differ(words.parts, words.to))
}
