//! Equality: the language's three-valued `==`, exact equality, and type checks that make no types.
//!
//! No conversion ever takes place: values of different types are unequal, only nulls are equal whatever
//! their types. An unknown can be told apart from a value that its type or refinement excludes. Lists and
//! tuples are compared in order and the first part that is not surely equal decides; maps and objects are
//! surely unequal if any part is (the reference visits them in random order, so its answer varies).

use super::node::Node;
use super::string::are_equal_on;
use super::unknown::Unknown;
use super::{Repr, Value, set};
use crate::limits::{LimitReached, Meter, Pace, go_on};
use crate::stack;
use crate::types::Type;

/// The answer of a comparison that may depend on something unknown.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tri {
    True,
    False,
    Unknown,
}

impl Tri {
    pub(crate) fn known(answer: bool) -> Tri {
        if answer { Tri::True } else { Tri::False }
    }

    pub(crate) fn into_value(self) -> Value {
        match self {
            Tri::True => Value::TRUE,
            Tri::False => Value::FALSE,
            Tri::Unknown => Value::unknown_not_null(Type::Bool),
        }
    }
}

impl Value {
    /// `a == b`: a bool, unknown if it depends on something unknown. All marks of either side, at any
    /// depth, go to the result.
    #[must_use]
    pub fn equals(&self, other: &Value) -> Value {
        match (&self.0, &other.0) {
            (Repr::String(a), Repr::String(b)) => Value::bool(a.as_str() == b.as_str()),
            (Repr::Number(a), Repr::Number(b)) => Value::bool(a.equal(b)),
            (Repr::Bool(a), Repr::Bool(b)) => Value::bool(a == b),
            _ => equals_slowly(self, other, &mut None).unwrap_or_else(|_| Value::unknown(Type::Bool)),
        }
    }

    /// [`Value::equals`] with looks at the limits of a meter, to which the work has been charged.
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn equals_within(&self, other: &Value, meter: &mut Meter) -> Result<Value, LimitReached> {
        match (&self.0, &other.0) {
            (Repr::String(a), Repr::String(b)) => are_equal_on(a, b, &mut Some(meter)).map(Value::bool),
            _ => equals_slowly(self, other, &mut Some(meter)),
        }
    }

    /// Returns whether both values are equal in every respect: type, marks at every level, refinements of unknowns.
    #[must_use]
    pub fn raw_equals(&self, other: &Value) -> bool {
        raw_equal(self, other, Types::Open)
    }

    /// Returns whether the value is exactly of this type, without making its type.
    #[must_use]
    pub fn is_type(&self, ty: &Type) -> bool {
        match (&self.unmarked().0, ty) {
            (Repr::String(_), Type::String)
            | (Repr::Number(_), Type::Number)
            | (Repr::Bool(_), Type::Bool) => true,
            (Repr::Null(own), _) => own == ty,
            (Repr::Unknown(own), _) => own.ty() == ty,
            (Repr::Capsule(capsule), Type::Capsule(ty)) => capsule.ty() == ty,
            (Repr::List(list), Type::List(element)) => list.header().element == **element,
            (Repr::Set(set), Type::Set(element)) => set.header().element == **element,
            (Repr::Map(map), Type::Map(element)) => map.header().element == **element,
            (Repr::Tuple(tuple), Type::Tuple(ty)) => {
                tuple.elements().len() == ty.elements().len()
                    && stack::grow(tuple.summary().depth, || {
                        tuple.elements().iter().zip(ty.elements()).all(|(value, ty)| value.is_type(ty))
                    })
            }
            (Repr::Object(object), Type::Object(ty)) => {
                object.elements().len() == ty.attributes().len()
                    && stack::grow(object.summary().depth, || {
                        let names = object.header().shape.names();
                        let parts = names.iter().zip(object.elements()).zip(ty.attributes());
                        parts.into_iter().all(|((name, value), attribute)| {
                            *name == attribute.name && !attribute.optional && value.is_type(&attribute.ty)
                        })
                    })
            }
            _ => false,
        }
    }

    /// Returns whether both values have the same type, without making the types.
    #[must_use]
    pub fn same_type(&self, other: &Value) -> bool {
        self.same_type_on(other, &mut None).unwrap_or(false)
    }

    /// [`Value::same_type`] with looks at the limits of a meter.
    pub(crate) fn same_type_on(&self, other: &Value, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
        Ok(match (&self.unmarked().0, &other.unmarked().0) {
            (Repr::String(_), Repr::String(_))
            | (Repr::Number(_), Repr::Number(_))
            | (Repr::Bool(_), Repr::Bool(_)) => true,
            (Repr::Null(ty), _) => other.is_type(ty),
            (_, Repr::Null(ty)) => self.is_type(ty),
            (Repr::Unknown(unknown), _) => other.is_type(unknown.ty()),
            (_, Repr::Unknown(unknown)) => self.is_type(unknown.ty()),
            (Repr::Capsule(a), Repr::Capsule(b)) => a.ty() == b.ty(),
            (Repr::List(a), Repr::List(b)) | (Repr::Set(a), Repr::Set(b)) => {
                a.header().element == b.header().element
            }
            (Repr::Map(a), Repr::Map(b)) => a.header().element == b.header().element,
            (Repr::Tuple(a), Repr::Tuple(b)) => return same_part_types(a, b, pace),
            (Repr::Object(a), Repr::Object(b)) if a.header().shape.equals_on(&b.header().shape, pace)? => {
                return same_part_types(a, b, pace);
            }
            _ => false,
        })
    }
}

fn same_part_types<H>(a: &Node<H>, b: &Node<H>, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
    if a.same(b) || a.elements().len() != b.elements().len() {
        return Ok(a.same(b));
    }
    go_on(pace, a.elements().len())?;
    stack::grow(a.summary().depth, || {
        for (a, b) in a.elements().iter().zip(b.elements()) {
            if !a.same_type_on(b, pace)? {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// The knowledge that the types of two values are equal, because those of their containers are.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Types {
    Open,
    Same,
}

impl Types {
    /// Returns the knowledge about the parts of two collections, if they have the same element type. Comparing the
    /// types once saves comparing them again at every level.
    fn of_parts(self, a: &Type, b: &Type) -> Option<Types> {
        match self {
            Types::Same => Some(Types::Same),
            Types::Open => (a == b).then_some(if a.has_dynamic() { Types::Open } else { Types::Same }),
        }
    }
}

fn raw_equal(a: &Value, b: &Value, types: Types) -> bool {
    stack::grow(a.depth(), || match (&a.0, &b.0) {
        (Repr::Marked(a), Repr::Marked(b)) => a.marks == b.marks && raw_equal(&a.value, &b.value, types),
        (Repr::String(a), Repr::String(b)) => a == b,
        (Repr::Number(a), Repr::Number(b)) => a.equal(b),
        (Repr::Bool(a), Repr::Bool(b)) => a == b,
        (Repr::Null(a), Repr::Null(b)) => a == b,
        (Repr::Capsule(a), Repr::Capsule(b)) => a.equals(b),
        (Repr::Unknown(a), Repr::Unknown(b)) => raw_equal_unknowns(a, b),
        (Repr::List(a), Repr::List(b)) | (Repr::Set(a), Repr::Set(b)) => types
            .of_parts(&a.header().element, &b.header().element)
            .is_some_and(|types| raw_equal_parts(a.elements(), b.elements(), types)),
        (Repr::Tuple(a), Repr::Tuple(b)) => raw_equal_parts(a.elements(), b.elements(), types),
        (Repr::Map(a), Repr::Map(b)) => types
            .of_parts(&a.header().element, &b.header().element)
            .filter(|_| a.header().shape == b.header().shape)
            .is_some_and(|types| raw_equal_parts(a.elements(), b.elements(), types)),
        (Repr::Object(a), Repr::Object(b)) => {
            a.header().shape == b.header().shape && raw_equal_parts(a.elements(), b.elements(), types)
        }
        _ => false,
    })
}

fn raw_equal_parts(a: &[Value], b: &[Value], types: Types) -> bool {
    std::ptr::eq(a, b) || (a.len() == b.len() && a.iter().zip(b).all(|(a, b)| raw_equal(a, b, types)))
}

fn raw_equal_unknowns(a: &Unknown, b: &Unknown) -> bool {
    let refinements = match (a.refinement(), b.refinement()) {
        (None, None) => true,
        (Some(a), Some(b)) => a.same(b),
        _ => false,
    };
    refinements && a.ty() == b.ty()
}

fn equals_slowly(a: &Value, b: &Value, pace: Pace<'_, '_>) -> Result<Value, LimitReached> {
    if !a.contains_marks() && !b.contains_marks() {
        return Ok(compare(a, b, pace)?.into_value());
    }
    let (a, mut marks) = a.unmark_deep_on(pace)?;
    let (b, more) = b.unmark_deep_on(pace)?;
    marks.extend(&more);
    Ok(compare(&a, &b, pace)?.into_value().with_marks(&marks))
}

/// Compares unmarked values of any types.
pub(crate) fn compare(a: &Value, b: &Value, pace: Pace<'_, '_>) -> Result<Tri, LimitReached> {
    Ok(match (&a.0, &b.0) {
        (Repr::Unknown(_), Repr::Unknown(_)) => Tri::Unknown,
        (Repr::Null(_), Repr::Null(_)) => Tri::True,
        (Repr::Unknown(unknown), _) => compare_unknown(unknown, a, b),
        (_, Repr::Unknown(unknown)) => compare_unknown(unknown, b, a),
        (Repr::Null(_), _) | (_, Repr::Null(_)) => Tri::False,
        _ if !a.has_wholly_known_type() || !b.has_wholly_known_type() => {
            let (a, b) = (a.ty_on(pace)?, b.ty_on(pace)?);
            if a.conforms_to(&b) || b.conforms_to(&a) { Tri::Unknown } else { Tri::False }
        }
        _ if !a.same_type_on(b, pace)? => Tri::False,
        _ => return compare_content(a, b, pace),
    })
}

/// Compares an unknown with a known value.
fn compare_unknown(unknown: &Unknown, whole: &Value, known: &Value) -> Tri {
    if whole.may_become(known) == Some(false) {
        return Tri::False;
    }
    let open = known.is_null() || unknown.ty().has_dynamic() || !known.has_wholly_known_type();
    if open || known.is_type(unknown.ty()) { Tri::Unknown } else { Tri::False }
}

/// Compares unmarked values of the same type, without unknowns of dynamic type in them.
fn compare_content(a: &Value, b: &Value, pace: Pace<'_, '_>) -> Result<Tri, LimitReached> {
    stack::grow(a.depth(), || {
        Ok(match (&a.0, &b.0) {
            (Repr::String(a), Repr::String(b)) => Tri::known(are_equal_on(a, b, pace)?),
            (Repr::Number(a), Repr::Number(b)) => Tri::known(a.equal(b)),
            (Repr::Bool(a), Repr::Bool(b)) => Tri::known(a == b),
            (Repr::Null(_), Repr::Null(_)) => Tri::True,
            (Repr::Unknown(_), Repr::Unknown(_)) => Tri::Unknown,
            (Repr::Unknown(unknown), _) => compare_unknown(unknown, a, b),
            (_, Repr::Unknown(unknown)) => compare_unknown(unknown, b, a),
            (Repr::Capsule(a), Repr::Capsule(b)) => Tri::known(a.equals(b)),
            (Repr::List(a), Repr::List(b)) => return compare_ordered(a, b, pace),
            (Repr::Tuple(a), Repr::Tuple(b)) => return compare_ordered(a, b, pace),
            (Repr::Set(a), Repr::Set(b)) => return set::compare(a, b, pace),
            (Repr::Map(a), Repr::Map(b)) => {
                if a.header().shape.equals_on(&b.header().shape, pace)? {
                    return compare_keyed(a, b, pace);
                } else {
                    Tri::False
                }
            }
            (Repr::Object(a), Repr::Object(b)) => return compare_keyed(a, b, pace),
            _ => Tri::False,
        })
    })
}

/// Compares parts in order.
pub(super) fn compare_ordered<H>(a: &Node<H>, b: &Node<H>, pace: Pace<'_, '_>) -> Result<Tri, LimitReached> {
    if a.elements().len() != b.elements().len() {
        return Ok(Tri::False);
    }
    if a.same(b) && !a.summary().contains_unknown() {
        return Ok(Tri::True);
    }
    for (a, b) in a.elements().iter().zip(b.elements()) {
        go_on(pace, 1)?;
        match compare_content(a, b, pace)? {
            Tri::True => {}
            decided => return Ok(decided),
        }
    }
    Ok(Tri::True)
}

fn compare_keyed<H>(a: &Node<H>, b: &Node<H>, pace: Pace<'_, '_>) -> Result<Tri, LimitReached> {
    if a.same(b) && !a.summary().contains_unknown() {
        return Ok(Tri::True);
    }
    let mut answer = Tri::True;
    for (a, b) in a.elements().iter().zip(b.elements()) {
        go_on(pace, 1)?;
        match compare_content(a, b, pace)? {
            Tri::True => {}
            Tri::False => return Ok(Tri::False),
            Tri::Unknown => answer = Tri::Unknown,
        }
    }
    Ok(answer)
}
