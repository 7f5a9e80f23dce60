//! Objects that are merged into one, again and again of the same shapes: where each attribute goes is remembered.

use super::node::{ObjectHeader, Unfinished, put};
use super::shape::Shape;
use super::{Repr, Value};
use crate::Str;

/// How objects of certain shapes become one: of equal names the last counts.
#[derive(Debug)]
pub(crate) struct Merging {
    given: Vec<Shape>,
    merged: Shape,
    /// The place in the result of each attribute of each object.
    places: Vec<u32>,
}

/// So many attributes are merged by what is remembered, all objects together.
const FEW: usize = 16;
/// Names are kept up to this length, so that what is remembered takes little.
const LONGEST: usize = 256;

/// The shape and the values of a known object without marks of its own.
fn parts(value: &Value) -> Option<(&Shape, &[Value])> {
    let Repr::Object(node) = &value.0 else { return None };
    Some((&node.header().shape, node.elements()))
}

impl Merging {
    /// The way that these objects are merged, if they are known, without marks of their own, and have few attributes.
    pub(crate) fn of(objects: &[Value]) -> Option<Self> {
        let (mut given, mut names) = (Vec::new(), Vec::with_capacity(FEW));
        for object in objects {
            let (shape, _) = parts(object)?;
            let is_long = |name: &Str| name.len() > LONGEST;
            if given.len() + names.len() + shape.len() > FEW || shape.names().iter().any(is_long) {
                return None;
            }
            names.extend_from_slice(shape.names());
            given.push(shape.clone());
        }
        let (merged, places) = Shape::with_places(&mut names);
        Some(Self { given, merged, places })
    }

    /// Returns whether this is how these objects are merged.
    pub(crate) fn is_of(&self, objects: &[Value]) -> bool {
        let is_of =
            |(shape, object): (&Shape, &Value)| parts(object).is_some_and(|(own, _)| own.is_clone_of(shape));
        self.given.len() == objects.len() && self.given.iter().zip(objects).all(is_of)
    }

    /// The object that these become.
    pub(crate) fn merge(&self, objects: &[Value]) -> Value {
        let mut merged = Unfinished::new(ObjectHeader { shape: self.merged.clone() }, self.merged.len());
        let mut places = self.places.iter();
        let values = merged.places();
        for (_, given) in objects.iter().filter_map(parts) {
            for (value, place) in given.iter().zip(&mut places) {
                put(&mut values[*place as usize], value.clone());
            }
        }
        Value(Repr::Object(merged.finish()))
    }
}

#[cfg(test)]
mod tests {
    use super::Merging;
    use crate::{Mark, Value};

    fn object(names: &[(&str, &str)]) -> Value {
        Value::object(names.iter().map(|(name, value)| ((*name).into(), Value::from(*value))).collect())
    }

    #[test]
    fn of_equal_names_the_last_counts_each_time() {
        let objects = [
            object(&[("b", "1"), ("long name of an attribute", "2")]),
            object(&[("a", "3"), ("b", "4")]),
            object(&[("b", "5"), ("c", "6")]),
        ];
        let merging = Merging::of(&objects).expect("they are few");
        let expected = object(&[("a", "3"), ("b", "5"), ("c", "6"), ("long name of an attribute", "2")]);
        for _ in 0..2 {
            assert!(merging.is_of(&objects));
            assert!(merging.merge(&objects).raw_equals(&expected));
        }
        let of_nothing = Merging::of(&[]).expect("they are few");
        assert!(of_nothing.merge(&[]).raw_equals(&object(&[])));
    }

    #[test]
    fn it_is_for_few_attributes_of_plain_objects_of_the_same_shapes() {
        let [one, other] = [object(&[("a", "1")]), object(&[("a", "2")])];
        let merging = Merging::of(&[one.clone(), one.clone()]).expect("they are few");
        assert!(merging.is_of(&[one.clone(), one.clone()]));
        // Names that are equal only do not tell that quickly.
        assert!(!merging.is_of(&[one.clone(), other]) && !merging.is_of(std::slice::from_ref(&one)));
        let names: Vec<String> = (0..17).map(|n| format!("a{n}")).collect();
        let many: Vec<_> = names.iter().map(|name| (name.as_str(), "1")).collect();
        assert!(Merging::of(&[object(&many)]).is_none());
        assert!(Merging::of(&[object(&[("a".repeat(257).as_str(), "1")])]).is_none());
        for value in [Value::from("a"), Value::dynamic(), one.mark(Mark::new("secret"))] {
            assert!(Merging::of(&[value]).is_none());
        }
    }
}
