//! Ranges: what may be said of a value before it is known.
//!
//! Every value has a range: that of a known number is the number itself, that of an unknown is what its
//! type and refinement say.

use std::cmp::Ordering;

use super::refinement::Bound;
use super::{Refinement, Repr, Value};

impl Refinement {
    /// Returns whether an unknown refined like this may turn out to be a known value: `Some(false)` if not, `None` if
    /// it may.
    #[must_use]
    pub fn includes(&self, known: &Value) -> Option<bool> {
        let known = known.unmarked();
        let excluded = match &known.0 {
            Repr::Unknown(_) => false,
            Repr::Null(_) => self.is_not_null(),
            _ if self.is_null() => true,
            Repr::String(text) => !text.starts_with(self.string_prefix()),
            Repr::Number(number) => {
                // Where there is no bound the reference takes the infinity for one, an exclusive one.
                let below = self.lower().map_or(number.is_infinite() && number.is_negative(), |bound| {
                    match number.cmp(&bound.value) {
                        Ordering::Less => true,
                        Ordering::Equal => !bound.inclusive,
                        Ordering::Greater => false,
                    }
                });
                let above =
                    self.upper().map_or(number.is_infinite() && !number.is_negative(), |bound| match number
                        .cmp(&bound.value)
                    {
                        Ordering::Less => false,
                        Ordering::Equal => !bound.inclusive,
                        Ordering::Greater => true,
                    });
                below || above
            }
            Repr::List(_) | Repr::Set(_) | Repr::Map(_) => {
                let ((low, high), (min, max)) = (known.length_bounds(), self.length_bounds());
                high < min || low > max
            }
            Repr::Bool(_) | Repr::Tuple(_) | Repr::Object(_) | Repr::Capsule(_) | Repr::Marked(_) => false,
        };
        excluded.then_some(false)
    }
}

impl Value {
    /// Returns whether an unknown value may turn out to be `known`: `Some(false)` if its type or refinement excludes
    /// it, `None` if it may.
    #[must_use]
    pub fn may_become(&self, known: &Value) -> Option<bool> {
        let Repr::Unknown(unknown) = &self.unmarked().0 else { return None };
        if let Some(refinement) = unknown.refinement()
            && refinement.includes(known) == Some(false)
        {
            return Some(false);
        }
        let ty = unknown.ty();
        if ty.is_dynamic() || known.is_null() {
            return None;
        }
        let conforms = if ty.has_dynamic() { known.ty().conforms_to(ty) } else { known.is_type(ty) };
        if conforms { None } else { Some(false) }
    }

    /// The least and the greatest number the value can be: of a known number itself, of an unknown one
    /// what is known.
    #[must_use]
    pub fn number_bounds(&self) -> (Option<Bound>, Option<Bound>) {
        if let Some(number) = self.as_number() {
            let bound = Bound { value: number.clone(), inclusive: true };
            return (Some(bound.clone()), Some(bound));
        }
        match self.refinement() {
            Some(known) => (known.lower().cloned(), known.upper().cloned()),
            None => (None, None),
        }
    }

    /// The least and the greatest length a collection can have.
    #[must_use]
    pub fn length_bounds(&self) -> (u64, u64) {
        let plain = self.unmarked();
        let Some(stored) = plain.len() else {
            return plain.refinement().map_or((0, Refinement::MAX_LENGTH), Refinement::length_bounds);
        };
        let stored = u64::try_from(stored).unwrap_or(Refinement::MAX_LENGTH);
        match &plain.0 {
            Repr::Set(set) if stored > 1 && set.summary().contains_unknown() => (1, stored),
            _ => (stored, stored),
        }
    }

    /// How a string is known to start: a known one is its own prefix.
    #[must_use]
    pub fn string_prefix(&self) -> &str {
        self.as_str().or_else(|| self.refinement().map(Refinement::string_prefix)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Type;
    use crate::value::{Mark, Marks};

    #[test]
    fn lengths_are_bounded_by_what_is_known() {
        let unknowns = |n| (0..n).map(|_| Value::unknown(Type::Bool)).collect::<Vec<_>>();
        let most = Refinement::MAX_LENGTH;
        let list = |elements| Value::list(Type::Bool, elements);
        let set = |elements| Value::set(Type::Bool, elements);
        let bounds = [
            (list(vec![]), (0, 0)),
            (list(unknowns(3)), (3, 3)),
            (set(unknowns(1)), (1, 1)),
            (Value::unknown(Type::list(Type::Bool)), (0, most)),
            (Value::string("ab"), (0, most)),
        ];
        for (value, expected) in bounds {
            assert_eq!(value.length_bounds(), expected, "{value:?}");
            assert_eq!(value.with_marks(&Marks::one(Mark::sensitive())).length_bounds(), expected);
        }
    }
}
