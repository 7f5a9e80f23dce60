//! Nulls and unknowns: only their type is converted, and what is known of an unknown is carried over as far
//! as it stays true.

use super::rules::Rules;
use super::{Converter, Step, Target, Types};
use crate::stack;
use crate::types::{ObjectAttribute, Type};
use crate::value::unknown::Unknown;
use crate::value::{Refinement, Value};

impl<'t> Converter<'t, '_> {
    /// Converts a null, of which only the type changes.
    pub(super) fn null(&mut self, from: &Type, to: Target<'t>, types: Types) -> Step {
        if from == to.bare {
            return Ok(None);
        }
        self.check(types, from, to.want)?;
        Ok(Some(Value::null(self.rules.fill(from, to.bare))))
    }

    /// Converts an unknown value, of which the type and the refinement change.
    pub(super) fn unknown(&mut self, unknown: &Unknown, to: Target<'t>, types: Types) -> Step {
        let from = unknown.ty();
        if from == to.bare {
            return Ok(None);
        }
        self.check(types, from, to.want)?;
        let ty = self.rules.fill(from, to.bare);
        let refinement = carried(from, &ty, unknown.refinement());
        Ok(Some(Value::unknown_refined(ty, refinement)))
    }
}

impl Rules<'_> {
    /// `to` with its dynamic parts replaced by what `from` has in their place, where that can be told.
    pub(super) fn fill(&mut self, from: &Type, to: &Type) -> Type {
        if from.is_dynamic() || !(to.has_dynamic() || misfits(from, to)) {
            return to.clone();
        }
        let depth = from.depth().max(to.depth());
        stack::grow(depth, || match (from, to) {
            (_, Type::Dynamic) => from.clone(),
            (Type::List(from) | Type::Set(from), Type::List(to)) => Type::list(self.fill(from, to)),
            (Type::List(from) | Type::Set(from), Type::Set(to)) => Type::set(self.fill(from, to)),
            (Type::Map(from), Type::Map(to)) => Type::map(self.fill(from, to)),
            (Type::Tuple(from), Type::List(to)) => {
                Type::list(self.fill_from(&from.elements().iter().collect::<Vec<_>>(), to))
            }
            (Type::Tuple(from), Type::Set(to)) => {
                Type::set(self.fill_from(&from.elements().iter().collect::<Vec<_>>(), to))
            }
            (Type::Object(from), Type::Map(to)) => {
                Type::map(self.fill_from(&from.attributes().iter().map(|a| &a.ty).collect::<Vec<_>>(), to))
            }
            (Type::Tuple(from), Type::Tuple(to)) => {
                let pairs = from.elements().iter().zip(to.elements());
                Type::tuple(pairs.map(|(from, to)| self.fill(from, to)).collect())
            }
            (Type::Object(from), Type::Object(to)) => {
                self.fill_attributes(to.attributes(), |name| from.get(name).map(|have| &have.ty))
            }
            (Type::Map(from), Type::Object(to)) => self.fill_attributes(to.attributes(), |_| Some(from)),
            (_, Type::Object(_)) => Type::object(Vec::new()),
            _ => to.clone(),
        })
    }

    /// An element type filled in from the parts of a structural type; as it is if the parts have no type in common.
    fn fill_from(&mut self, parts: &[&Type], to: &Type) -> Type {
        match self.ask_common(parts).map(|common| common.ty) {
            Some(common) => self.fill(&common, to),
            None => to.clone(),
        }
    }

    /// An object type with its attributes filled in by name. Those that `from` does not know stay as they are.
    fn fill_attributes<'t>(
        &mut self,
        to: &[ObjectAttribute],
        from: impl Fn(&str) -> Option<&'t Type>,
    ) -> Type {
        let filled = to.iter().map(|want| {
            let ty = from(&want.name).map_or_else(|| want.ty.clone(), |have| self.fill(have, &want.ty));
            ObjectAttribute::new(want.name.clone(), ty)
        });
        Type::object_from_sorted(filled.collect())
    }
}

/// Returns whether an object is wanted where there is none: an optional attribute that the elements of a map can't
/// become. As in the reference, nothing is left of it then.
fn misfits(from: &Type, to: &Type) -> bool {
    let depth = from.depth().max(to.depth());
    stack::grow(depth, || match (from, to) {
        (Type::Dynamic, _) => false,
        (Type::List(from) | Type::Set(from), Type::List(to) | Type::Set(to))
        | (Type::Map(from), Type::Map(to)) => misfits(from, to),
        (Type::Tuple(from), Type::List(to) | Type::Set(to)) => {
            from.elements().iter().any(|from| misfits(from, to))
        }
        (Type::Tuple(from), Type::Tuple(to)) => {
            from.elements().iter().zip(to.elements()).any(|(from, to)| misfits(from, to))
        }
        (Type::Object(from), Type::Map(to)) => from.attributes().iter().any(|a| misfits(&a.ty, to)),
        (Type::Object(from), Type::Object(to)) => {
            to.attributes().iter().any(|to| from.get(&to.name).is_some_and(|from| misfits(&from.ty, &to.ty)))
        }
        (Type::Map(from), Type::Object(to)) => to.attributes().iter().any(|to| misfits(from, &to.ty)),
        (_, Type::Object(_)) => true,
        _ => false,
    })
}

/// Returns the facts that stay true of an unknown of type `from` when it becomes one of type `to`.
fn carried(from: &Type, to: &Type, known: Option<&Refinement>) -> Refinement {
    let mut carried = Refinement::new();
    if known.is_some_and(Refinement::is_not_null) {
        carried = carried.not_null();
    }
    let (min, max) = match (from, to) {
        (Type::Object(from), Type::Map(_)) => exactly(from.attributes().len()),
        (Type::Tuple(from), Type::List(_)) => exactly(from.elements().len()),
        (Type::Tuple(from), Type::Set(_)) => at_least_one(exactly(from.elements().len())),
        (Type::List(_) | Type::Set(_) | Type::Map(_), Type::List(_) | Type::Set(_) | Type::Map(_)) => {
            let bounds = known.map_or((0, Refinement::MAX_LENGTH), Refinement::length_bounds);
            if matches!(to, Type::Set(_)) { at_least_one(bounds) } else { bounds }
        }
        _ => return carried,
    };
    carried.min_length(min).max_length(max)
}

/// Bounds of a length that is known.
fn exactly(length: usize) -> (u64, u64) {
    (length as u64, length as u64)
}

/// Bounds of the length of a set made of so many elements: they may fall together, but not vanish.
fn at_least_one((min, max): (u64, u64)) -> (u64, u64) {
    (min.min(1), max)
}
