//! From tuples and objects, whose parts have types of their own.

use super::parts::{Again, Words, common_type, convert_all};
use super::rules::Safety;
use super::{Converter, Failure, Step, Target, Types};
use crate::limits::{LimitReached, RUN, all_on, go_on};
use crate::types::{ObjectType, Type};
use crate::value::collection::is_dynamic;
use crate::value::node::Object;
use crate::value::{PathStep, Value};

impl<'t> Converter<'t, '_> {
    /// Converts a tuple to a tuple of the same length, a list or a set.
    pub(super) fn convert_tuple(&mut self, elements: &[Value], to: Target<'t>, types: Types) -> Step {
        match (to.want, to.bare) {
            (Type::Tuple(want), Type::Tuple(bare)) => {
                let (want, bare) = (want.elements(), bare.elements());
                if elements.len() != want.len() {
                    return Err(Failure::Type);
                }
                let targets = want.iter().zip(bare).map(|(want, bare)| Target { want, bare });
                let converted = self.pairwise(elements, targets, types, PathStep::position)?;
                Ok(converted.map(Value::tuple))
            }
            (Type::List(_), _) => {
                let words = Words { parts: "element", to: "list" };
                let (ty, elements) = self.gather(elements, to, types, words, PathStep::position)?;
                Ok(Some(Value::list_on(ty, elements, &mut self.rules.charge.pace())?))
            }
            (Type::Set(_), _) => {
                let words = Words { parts: "element", to: "set" };
                let (ty, elements) = self.gather(elements, to, types, words, PathStep::position)?;
                Ok(Some(Value::set_on(ty, elements, &mut self.rules.charge.pace())?))
            }
            _ => Err(Failure::Type),
        }
    }

    /// Converts an object to an object or a map.
    pub(super) fn convert_object(&mut self, object: &Object, to: Target<'t>, types: Types) -> Step {
        match (to.want, to.bare) {
            (Type::Object(want), Type::Object(bare)) => self.object_to_object(object, want, bare, types),
            (Type::Map(_), _) => {
                let shape = &object.header().shape;
                let place = |i: usize| PathStep::key(shape.names()[i].clone());
                let words = Words { parts: "attribute", to: "map" };
                let (ty, elements) = self.gather(object.elements(), to, types, words, place)?;
                let pace = &mut self.rules.charge.pace();
                Ok(Some(Value::map_with_shape_on(ty, shape.clone(), elements, pace)?))
            }
            _ => Err(Failure::Type),
        }
    }

    /// Converts parts each to its own type; `None` if none of them changed.
    fn pairwise(
        &mut self,
        parts: &[Value],
        targets: impl Iterator<Item = Target<'t>>,
        types: Types,
        place: impl Fn(usize) -> PathStep,
    ) -> Result<Option<Vec<Value>>, Failure> {
        let mut changed: Option<Vec<Value>> = None;
        for (i, (part, to)) in parts.iter().zip(targets).enumerate() {
            match (self.step(part, to, types), &mut changed) {
                (Ok(None), None) => {}
                (Ok(None), Some(changed)) => changed.push(part.clone()),
                (Ok(Some(new)), Some(changed)) => changed.push(new),
                (Ok(Some(new)), None) => {
                    self.hold_list(parts.len())?;
                    let mut values = Vec::with_capacity(parts.len());
                    values.extend_from_slice(&parts[..i]);
                    values.push(new);
                    changed = Some(values);
                }
                (Err(failure), _) => return Err(failure.under(place(i))),
            }
        }
        Ok(changed)
    }

    /// Attributes by name: those that nobody wants are dropped, optional ones that are missing become null.
    fn object_to_object(
        &mut self,
        object: &Object,
        want: &'t ObjectType,
        bare: &'t ObjectType,
        types: Types,
    ) -> Step {
        let (names, values) = (object.header().shape.names(), object.elements());
        let (want_all, bare_all) = (want.attributes(), bare.attributes());
        let target = |i: usize| Target { want: &want_all[i].ty, bare: &bare_all[i].ty };
        let place = |i: usize| PathStep::Attribute(names[i].clone());
        // Where the names agree, values that need no change are shared.
        if names.len() == want_all.len() && names.iter().zip(want_all).all(|(name, a)| *name == a.name) {
            let converted = self.pairwise(values, (0..want_all.len()).map(target), types, place)?;
            let shape = || object.header().shape.clone();
            return Ok(converted.map(|values| Value::object_with_shape(shape(), values)));
        }
        self.hold_list(want_all.len())?;
        let mut converted = Vec::with_capacity(want_all.len());
        let mut next = 0;
        for (i, attribute) in want_all.iter().enumerate() {
            // Both lists of names are sorted.
            while names.get(next).is_some_and(|name| *name < attribute.name) {
                next += 1;
            }
            if names.get(next) == Some(&attribute.name) {
                converted.push(self.part(&values[next], target(i), types, || place(next))?);
            } else if attribute.optional {
                go_on(&mut self.rules.charge.pace(), 1)?;
                converted.push(Value::null(bare_all[i].ty.clone()));
            } else {
                return Err(Failure::Type);
            }
        }
        Ok(Some(Value::object_with_shape(self.shape_of(want), converted)))
    }

    /// The parts of a structural value as elements of a collection, and their type. If the wanted element type is
    /// `any`, it is the type that the parts have in common.
    fn gather(
        &mut self,
        parts: &[Value],
        to: Target<'t>,
        types: Types,
        words: Words,
        place: impl Fn(usize) -> PathStep,
    ) -> Result<(Type, Vec<Value>), Failure> {
        let Some(element) = to.element() else { return Err(Failure::Type) };
        self.hold_list(parts.len())?;
        go_on(&mut self.rules.charge.pace(), parts.len())?;
        if element.bare.is_primitive() && self.are_of_type(parts, element.bare)? {
            return Ok((element.bare.clone(), self.copied(parts)?));
        }
        if parts.is_empty() || !element.want.is_dynamic() {
            let mut converted = Vec::with_capacity(parts.len());
            for (i, part) in parts.iter().enumerate() {
                converted.push(self.part(part, element, types, || place(i))?);
            }
            return self.settle(converted, element.bare, again(to.want, element.bare), words, place);
        }
        let common = common_type(&mut self.rules, parts).ok_or(Failure::Type)?.ty;
        if common.is_primitive() && self.are_of_type(parts, &common)? {
            return Ok((common, self.copied(parts)?));
        }
        if common.is_dynamic() && !matches!(to.want, Type::Map(_)) {
            // Any element of another type would have made the common type another, or there is none.
            let all_dynamic =
                all_on(parts, &mut |parts| parts.iter().all(is_dynamic), &mut self.rules.charge.pace())?;
            return if all_dynamic { Ok((common, self.copied(parts)?)) } else { Err(Failure::Type) };
        }
        let converted = convert_all(self.rules.with(Safety::Unsafe), parts, &common, &place)?;
        self.deviates |= converted.deviate;
        self.settle(converted.values, &common, again(to.want, &common), words, place)
    }

    /// Returns true if all parts are of a type.
    fn are_of_type(&mut self, parts: &[Value], ty: &Type) -> Result<bool, LimitReached> {
        let pace = &mut self.rules.charge.pace();
        all_on(parts, &mut |parts| parts.iter().all(|part| part.is_type(ty)), pace)
    }

    /// A list of parts that stay as they are, copied with looks.
    fn copied(&mut self, parts: &[Value]) -> Result<Vec<Value>, LimitReached> {
        let mut copied = Vec::with_capacity(parts.len());
        for run in parts.chunks(RUN) {
            go_on(&mut self.rules.charge.pace(), run.len())?;
            copied.extend_from_slice(run);
        }
        Ok(copied)
    }
}

/// Returns whether the converted parts are unified once more: always for a list, never for a set, for a map when its
/// elements have parts that are found by unification.
fn again(to: &Type, element: &Type) -> Again {
    match to {
        Type::List(_) => Again::Unify(Safety::Unsafe),
        Type::Map(_) if element.is_collection() || matches!(element, Type::Object(_)) => {
            Again::Unify(Safety::Unsafe)
        }
        _ => Again::No,
    }
}
