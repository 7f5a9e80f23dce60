//! From lists, sets and maps, whose elements share one type.
//!
//! That type is compared with the wanted one once; the elements need no check of their own then, also those that are
//! null, unknown or empty. The path of an element of a set is its position, as in a list.
//!
//! A conversion gives nothing if the value is already what is wanted. It fails with [`Failure::Type`] if there is
//! none between the types, whatever the value.

use super::parts::{Again, Words};
use super::rules::Safety;
use super::{Converter, Failure, Step, Target, Types, mismatch};
use crate::types::{ObjectType, Type};
use crate::value::node::{List, Map, Set};
use crate::value::{PathStep, Value};

impl<'t> Converter<'t, '_> {
    /// Converts a list to a list or a set.
    pub(super) fn convert_list(&mut self, list: &List, to: Target<'t>, types: Types) -> Step {
        let from = &list.header().element;
        let Some(element) = to.element() else { return Err(Failure::Type) };
        match to.want {
            Type::List(_) if element.want.is_dynamic() || from == element.bare => Ok(None),
            Type::List(_) => self.make_list(list.elements(), from, element, types).map(Some),
            Type::Set(_) => self.make_set(list.elements(), from, element, types).map(Some),
            _ => Err(Failure::Type),
        }
    }

    /// Converts a set to a set or a list. As a list its elements come in the order of the set.
    pub(super) fn convert_set(&mut self, set: &Set, to: Target<'t>, types: Types) -> Step {
        let from = &set.header().element;
        let Some(element) = to.element() else { return Err(Failure::Type) };
        match to.want {
            Type::Set(_) if element.want.is_dynamic() || from == element.bare => Ok(None),
            Type::Set(_) => self.make_set(set.elements(), from, element, types).map(Some),
            Type::List(_) if set.elements().len() > 1 && set.summary().contains_unknown() => {
                // Elements may still turn out to be equal, so the length of the list is open. As in the
                // reference, its elements keep their type.
                self.check(types, from, element.want)?;
                self.deviates |= from != element.bare;
                Ok(Some(Value::unknown(Type::list(from.clone()))))
            }
            Type::List(_) => self.make_list(set.elements(), from, element, types).map(Some),
            _ => Err(Failure::Type),
        }
    }

    /// Converts a map to a map or an object.
    pub(super) fn convert_map(&mut self, map: &Map, to: Target<'t>, types: Types) -> Step {
        match (to.want, to.bare) {
            (Type::Map(_), _) => self.map_to_map(map, to, types),
            (Type::Object(want), Type::Object(bare)) => self.map_to_object(map, want, bare, types).map(Some),
            _ => Err(Failure::Type),
        }
    }

    /// Makes a list of elements of type `from`, each brought to `to`.
    fn make_list(
        &mut self,
        elements: &[Value],
        from: &Type,
        to: Target<'t>,
        types: Types,
    ) -> Result<Value, Failure> {
        let (ty, converted) = self.settled_elements(elements, from, to, types, "list")?;
        Ok(Value::list_on(ty, converted, &mut self.rules.charge.pace())?)
    }

    /// Makes a set of elements of type `from`, each brought to `to`. Elements that are equal afterwards become one.
    fn make_set(
        &mut self,
        elements: &[Value],
        from: &Type,
        to: Target<'t>,
        types: Types,
    ) -> Result<Value, Failure> {
        let (ty, converted) = self.settled_elements(elements, from, to, types, "set")?;
        Ok(Value::set_on(ty, converted, &mut self.rules.charge.pace())?)
    }

    /// The elements of a list or set and their type, which they have been brought to from `from`.
    fn settled_elements(
        &mut self,
        elements: &[Value],
        from: &Type,
        to: Target<'t>,
        types: Types,
        kind: &'static str,
    ) -> Result<(Type, Vec<Value>), Failure> {
        let words = Words { parts: "element", to: kind };
        let converted = self.elements(elements, from, to, types)?;
        let want = if to.want.is_dynamic() { from } else { to.bare };
        self.settle(converted, want, Again::No, words, PathStep::position)
    }

    /// Converts elements of type `from`, after one look at the types.
    fn elements(
        &mut self,
        elements: &[Value],
        from: &Type,
        to: Target<'t>,
        types: Types,
    ) -> Result<Vec<Value>, Failure> {
        let types = self.check(types, from, to.want)?;
        self.hold_list(elements.len())?;
        let mut converted = Vec::with_capacity(elements.len());
        for (i, element) in elements.iter().enumerate() {
            converted.push(self.part(element, to, types, || PathStep::position(i))?);
        }
        Ok(converted)
    }

    /// Converts the values of a map under their keys, which stay.
    fn map_to_map(&mut self, map: &Map, to: Target<'t>, types: Types) -> Step {
        let (from, shape) = (&map.header().element, &map.header().shape);
        let Some(element) = to.element() else { return Err(Failure::Type) };
        if element.want.is_dynamic() || from == element.bare {
            return Ok(None);
        }
        let types = self.check(types, from, element.want)?;
        let place = |i: usize| PathStep::key(shape.names()[i].clone());
        self.hold_list(map.elements().len())?;
        let mut converted = Vec::with_capacity(map.elements().len());
        for (i, value) in map.elements().iter().enumerate() {
            converted.push(self.part(value, element, types, || place(i))?);
        }
        let again = if element.bare.is_collection() || matches!(element.bare, Type::Object(_)) {
            Again::Unify(Safety::Safe)
        } else {
            Again::No
        };
        let words = Words { parts: "element", to: "map" };
        let (ty, converted) = self.settle(converted, element.bare, again, words, place)?;
        let pace = &mut self.rules.charge.pace();
        Ok(Some(Value::map_with_shape_on(ty, shape.clone(), converted, pace)?))
    }

    /// Keys that are no attributes are dropped. An optional attribute of a type that the elements can't have
    /// is no obstacle as long as the map has no such key.
    fn map_to_object(
        &mut self,
        map: &Map,
        want: &'t ObjectType,
        bare: &'t ObjectType,
        types: Types,
    ) -> Result<Value, Failure> {
        let from = &map.header().element;
        let shape = &map.header().shape;
        let mut missing = None;
        let mut converted = Vec::with_capacity(want.attributes().len());
        for (attribute, bare) in want.attributes().iter().zip(bare.attributes()) {
            let to = Target { want: &attribute.ty, bare: &bare.ty };
            let name = &attribute.name;
            if !attribute.optional {
                self.check(types, from, to.want)?;
            }
            let Some(i) = shape.position(name) else {
                if !attribute.optional {
                    missing = missing.or(Some(name));
                }
                converted.push(Value::null(bare.ty.clone()));
                continue;
            };
            let element = &map.elements()[i];
            if attribute.optional && !self.rules.ask(from, to.want) {
                return Err(Failure::of_value(mismatch::unfit_element(name, from, to.want)));
            }
            converted.push(self.part(element, to, Types::Checked, || PathStep::key(name.clone()))?);
        }
        match missing {
            Some(name) => Err(Failure::of_value(mismatch::missing_element(name))),
            None => Ok(Value::object_with_shape(self.shape_of(want), converted)),
        }
    }
}
