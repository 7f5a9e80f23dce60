//! Which conversions exist, by types alone, and the knowledge shared with unification.
//!
//! [`Rules`] answers for one *safety*: safe conversions cannot fail, unsafe ones may when they see the
//! value (`"x"` as a number). A dynamic element type in a target asks for unification of the parts that
//! go into it, and unification asks which conversions exist: the two meet in this type (`types::unify`
//! has the other half).
//!
//! Both walk types, and for types made to hurt the walks could repeat each other at every level. So each
//! question carries a budget of steps that no configuration comes near; when it is used up the answer is
//! "no".

use crate::limits::{Charge, LimitReached, go_on, hold};
use crate::stack;
use crate::types::unify::Common;
use crate::types::{ObjectType, Type};
use crate::value::{Repr, Value};

/// The conversions that are taken into account.
///
/// ```
/// use hcl_eval::convert::Safety;
/// use hcl_eval::types::{Type, unify_with};
///
/// let lists = [Type::list(Type::String), Type::set(Type::String)];
/// assert!(unify_with(&lists, Safety::Unsafe).is_some());
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Safety {
    /// Only those that succeed for every value.
    Safe,
    /// Those too that may fail for some values. The language uses these.
    Unsafe,
}

/// How many steps one question may take: about half a second.
const BUDGET: u64 = 20_000_000;
/// The budget that each of many types to be unified adds.
const BUDGET_PER_TYPE: u64 = 64;

/// The rules of conversion and unification under one safety, with a budget.
pub(crate) struct Rules<'m> {
    pub(crate) safety: Safety,
    steps_left: u64,
    /// True once a common type was found that drops what maps have, or that objects or tuples may reach by a way only: types
    /// that have these as their parts need not convert to the common type of the parts.
    pub(crate) is_lossy: bool,
    /// The listener. Once it has reached a limit every answer is "no".
    pub(crate) charge: Charge<'m>,
}

impl<'m> Rules<'m> {
    pub(crate) fn new(safety: Safety) -> Rules<'m> {
        Rules::charged(safety, Charge::Parts(None))
    }

    pub(crate) fn charged(safety: Safety, charge: Charge<'m>) -> Rules<'m> {
        Rules { safety, steps_left: BUDGET, is_lossy: false, charge }
    }

    /// Rules under a safety for which the same meter listens, charged for the whole.
    pub(crate) fn with(&mut self, safety: Safety) -> Rules<'_> {
        Rules::charged(safety, Charge::Parts(self.charge.pace()))
    }

    /// The limit that has been reached, if there is one.
    pub(crate) fn stopped(&mut self) -> Option<LimitReached> {
        self.charge.pace().and_then(|meter| meter.stopped())
    }

    /// [`Rules::exists`] as a question of its own, with a full budget.
    pub(crate) fn ask(&mut self, from: &Type, to: &Type) -> bool {
        self.steps_left = BUDGET;
        self.exists(from, to)
    }

    /// [`Rules::common`] as a question of its own, with a full budget and more for many types.
    pub(crate) fn ask_common(&mut self, types: &[&Type]) -> Option<Common> {
        self.steps_left = (types.len() as u64).saturating_mul(BUDGET_PER_TYPE).saturating_add(BUDGET);
        self.common(types)
    }

    /// Takes steps from the budget; false when there are not as many left, or a limit has been reached.
    pub(crate) fn charge(&mut self, steps: usize) -> bool {
        let left = self.steps_left.checked_sub(steps as u64);
        self.steps_left = left.unwrap_or(0);
        left.is_some() && go_on(&mut self.charge.pace(), steps).is_ok()
    }

    /// Tells that a walk over so many types is next, which has been charged; false when a limit has been reached.
    pub(crate) fn goes_on(&mut self, n: usize) -> bool {
        go_on(&mut self.charge.pace(), n).is_ok()
    }

    /// Asks for room for so many parts of so many bytes each; false when there is none.
    pub(crate) fn has_room(&mut self, n: usize, bytes: usize) -> bool {
        hold(&mut self.charge.pace(), n.saturating_mul(bytes)).is_ok()
    }

    /// Returns whether values of type `from` are of type `to` or can be converted to it.
    pub(crate) fn exists(&mut self, from: &Type, to: &Type) -> bool {
        if !self.charge(1) {
            return false;
        }
        match (from, to) {
            (_, Type::Dynamic) => true,
            (Type::Dynamic, _) => self.safety == Safety::Unsafe,
            (Type::Bool, Type::Bool | Type::String)
            | (Type::Number, Type::Number | Type::String)
            | (Type::String, Type::String) => true,
            (Type::String, Type::Bool | Type::Number) => self.safety == Safety::Unsafe,
            (Type::Capsule(_), _) | (_, Type::Capsule(_)) => self.capsule_exists(from, to),
            _ => {
                let depth = from.depth().min(to.depth());
                stack::grow(depth, || self.compound_exists(from, to))
            }
        }
    }

    /// [`Rules::exists`] for the type of a value, which is made as far as it must be.
    pub(crate) fn exists_for(&mut self, value: &Value, to: &Type) -> bool {
        let value = value.unmarked();
        match (&value.0, to) {
            _ if !self.charge(1) => false,
            (Repr::Tuple(tuple), Type::List(to) | Type::Set(to)) if !to.is_dynamic() => {
                stack::grow(value.depth(), || tuple.elements().iter().all(|part| self.exists_for(part, to)))
            }
            (Repr::Object(object), Type::Map(to)) if !to.is_dynamic() => {
                stack::grow(value.depth(), || object.elements().iter().all(|part| self.exists_for(part, to)))
            }
            (Repr::Object(_), Type::Object(to)) => stack::grow(value.depth(), || {
                to.attributes().iter().all(|want| match value.get_attribute(&want.name) {
                    Some(have) => self.exists_for(have, &want.ty),
                    None => want.optional,
                })
            }),
            _ => match value.ty_on(&mut self.charge.pace()) {
                Ok(from) => self.exists(&from, to),
                Err(_) => false,
            },
        }
    }

    fn compound_exists(&mut self, from: &Type, to: &Type) -> bool {
        match (from, to) {
            (Type::List(from) | Type::Set(from), Type::List(to))
            | (Type::Set(from), Type::Set(to))
            | (Type::Map(from), Type::Map(to)) => self.exists(from, to),
            // The order is lost, and elements may fall together.
            (Type::List(from), Type::Set(to)) => self.safety == Safety::Unsafe && self.exists(from, to),
            (Type::Map(element), Type::Object(to)) => {
                self.safety == Safety::Unsafe
                    && to.attributes().iter().all(|a| a.optional || self.exists(element, &a.ty))
            }
            (Type::Tuple(from), Type::List(to) | Type::Set(to)) => self.all_exist(from.elements(), to),
            (Type::Tuple(from), Type::Tuple(to)) => {
                let (from, to) = (from.elements(), to.elements());
                from.len() == to.len() && from.iter().zip(to).all(|(from, to)| self.exists(from, to))
            }
            (Type::Object(from), Type::Map(to)) => self.map_exists(from, to),
            (Type::Object(from), Type::Object(to)) => self.subset_exists(from, to),
            _ => false,
        }
    }

    /// A tuple as a list or set. A dynamic element type stands for the type that the elements unify to,
    /// which may be dynamic only if they all are, and to which each must convert by itself.
    fn all_exist(&mut self, elements: &[Type], to: &Type) -> bool {
        if !to.is_dynamic() || elements.is_empty() {
            return elements.iter().all(|element| self.exists(element, to));
        }
        match self.unify(&elements.iter().collect::<Vec<_>>()) {
            Some(Type::Dynamic) => elements.iter().all(Type::is_dynamic),
            Some(common) => elements.iter().all(|element| self.exists(element, &common)),
            None => false,
        }
    }

    /// An object as a map.
    fn map_exists(&mut self, from: &ObjectType, to: &Type) -> bool {
        let attributes = from.attributes();
        if !to.is_dynamic() || attributes.is_empty() {
            return attributes.iter().all(|attribute| self.exists(&attribute.ty, to));
        }
        self.unify(&attributes.iter().map(|a| &a.ty).collect::<Vec<_>>())
            .is_some_and(|common| attributes.iter().all(|attribute| self.exists(&attribute.ty, &common)))
    }

    /// An object as another: what is not wanted is dropped, what is wanted must be there or be optional.
    fn subset_exists(&mut self, from: &ObjectType, to: &ObjectType) -> bool {
        to.attributes().iter().all(|want| match from.get(&want.name) {
            Some(have) => self.exists(&have.ty, &want.ty),
            None => want.optional,
        })
    }

    /// Capsules convert as their host says, which is never safe.
    fn capsule_exists(&mut self, from: &Type, to: &Type) -> bool {
        if from == to {
            return true;
        }
        let operations =
            |ty: &Type| if let Type::Capsule(capsule) = ty { Some(capsule.clone()) } else { None };
        self.safety == Safety::Unsafe
            && (operations(to).is_some_and(|c| c.operations().is_some_and(|o| o.converts_from(from)))
                || operations(from).is_some_and(|c| c.operations().is_some_and(|o| o.converts_to(to))))
    }
}
