//! Specifications of objects: names, and what the value of each is made of.

use hcl_syntax::hash::IndexMap;

use super::Spec;
use crate::Str;
use crate::limits::{LimitReached, Meter};
use crate::types::{ObjectAttribute, Type};
use crate::value::node::{ObjectHeader, Unfinished, put};
use crate::value::string::normalize;
use crate::value::{Repr, Shape, Value};

/// An object; all values that it makes share their names.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::decode::{AttributeSpec, ObjectSpec, Spec};
///
/// // The names of the object need not be those of the attributes.
/// let zone = Spec::from(AttributeSpec::new("availability_zone", Type::String));
/// let spec = Spec::from(ObjectSpec::from_iter([("zone", zone)]));
/// assert_eq!(spec.implied_type().to_type_text(), "object({zone=string})");
/// ```
#[derive(Clone, Debug)]
pub struct ObjectSpec {
    specs: IndexMap<Str, Spec>,
    shape: Shape,
    /// Where the value of each specification goes.
    places: Vec<u32>,
}

/// The attributes in order; of two of one name the later counts.
impl<N: Into<Str>> FromIterator<(N, Spec)> for ObjectSpec {
    fn from_iter<I: IntoIterator<Item = (N, Spec)>>(specs: I) -> Self {
        Self::new(specs.into_iter().map(|(name, spec)| (name.into(), spec)).collect())
    }
}

impl From<ObjectSpec> for Spec {
    fn from(object: ObjectSpec) -> Self {
        Self::Object(object)
    }
}

impl ObjectSpec {
    /// The attributes and what their values are made of, in the order in which they are.
    pub fn new(specs: IndexMap<Str, Spec>) -> Self {
        let names = specs.keys().cloned().map(normalize).collect();
        Self::with_names(names, specs)
    }

    /// [`ObjectSpec::new`] of names that are in normalisation form C.
    pub(in crate::decode) fn of_normal(specs: IndexMap<Str, Spec>) -> Self {
        let names = specs.keys().cloned().collect();
        Self::with_names(names, specs)
    }

    fn with_names(mut names: Vec<Str>, specs: IndexMap<Str, Spec>) -> Self {
        let (shape, places) = Shape::with_places(&mut names);
        Self { specs, shape, places }
    }

    /// Returns the specification of each attribute.
    pub fn specs(&self) -> &IndexMap<Str, Spec> {
        &self.specs
    }

    /// The type of the values. The names need no looking through: they are those of the shape.
    pub(super) fn implied_type(&self) -> Type {
        let mut types = vec![Type::Dynamic; self.shape.len()];
        for (spec, at) in self.specs.values().zip(&self.places) {
            types[*at as usize] = spec.implied_type();
        }
        let attributes = self.shape.names().iter().cloned().zip(types);
        let attributes = attributes.map(|(name, ty)| ObjectAttribute { name, ty, optional: false }).collect();
        Type::object_from_sorted(attributes)
    }

    /// Asks for the room that making a value takes.
    pub(in crate::decode) fn hold(&self, meter: &mut Meter) -> Result<(), LimitReached> {
        meter.hold_parts(self.specs.len(), size_of::<Value>())
    }

    /// The object of the values that `make` makes, one after the other.
    pub(in crate::decode) fn value(&self, mut make: impl FnMut(&Spec) -> Value) -> Value {
        let mut object = Unfinished::new(ObjectHeader { shape: self.shape.clone() }, self.shape.len());
        let places = object.places();
        for (spec, at) in self.specs.values().zip(&self.places) {
            put(&mut places[*at as usize], make(spec));
        }
        Value(Repr::Object(object.finish()))
    }
}
