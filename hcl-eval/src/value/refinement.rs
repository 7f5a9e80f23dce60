//! Refinements: what is known of a value that is not known yet.
//!
//! A refinement says whether the value can be null, how a string starts, between which bounds a number
//! lies, how long a collection is. Facts accumulate; one that leaves a single possibility turns the unknown
//! into that value (only when null is excluded, for null is a possibility too). Unknowns of dynamic type
//! take no refinement.

use std::cmp::Ordering;

use super::error::ValueErrorKind;
use super::quote::write_quoted;
use super::string::{normalized, safe_prefix, safe_prefix_of_first};
use super::unknown::{Refined, Unknown};
use super::{Number, Repr, Value, ValueError};
use crate::Str;
use crate::types::Type;
use triomphe::Arc;

/// The facts known about an unknown value.
///
/// ```
/// use hcl_eval::eval::{Scope, evaluate_str};
/// use hcl_eval::{Refinement, Type, Value};
///
/// // The name of the machine is not known yet, but how it begins is.
/// let name = Value::unknown_refined(Type::String, Refinement::new().not_null().prefix_full("vm-"));
/// let scope = Scope::builder().variable("name", name).build();
/// assert_eq!(evaluate_str("name == null", Some(&scope))?.as_bool(), Some(false));
/// let label = evaluate_str("\"host ${name}\"", Some(&scope))?;
/// assert_eq!(label.refinement().unwrap().string_prefix(), "host ");
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Refinement {
    nullness: Nullness,
    prefix: Str,
    lower: Option<Bound>,
    upper: Option<Bound>,
    min_length: u64,
    /// The greatest possible length; `None` is no bound.
    max_length: Option<u64>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
enum Nullness {
    #[default]
    Open,
    NotNull,
    Null,
}

/// One end of a range of numbers.
///
/// ```
/// use hcl_eval::{Number, Refinement};
///
/// let port = Refinement::new().min(Number::from_u64(1), true);
/// let lower = port.lower().unwrap();
/// assert_eq!((lower.value.to_u64(), lower.inclusive), (Some(1), true));
/// ```
#[derive(Clone, Debug)]
pub struct Bound {
    /// The number at the end.
    pub value: Number,
    /// True if the number itself is in the range.
    pub inclusive: bool,
}

/// Lists of unknowns longer than this stay one unknown, so that a bound can't be used to fill the memory.
const MAX_UNFOLDED: u64 = 1 << 20;

impl Refinement {
    /// The length that stands for "any": no collection is longer.
    pub const MAX_LENGTH: u64 = i64::MAX.unsigned_abs();

    /// Nothing is known.
    #[must_use]
    pub fn new() -> Refinement {
        Refinement::default()
    }

    /// The value is not null.
    #[must_use]
    pub fn not_null(mut self) -> Refinement {
        self.nullness = Nullness::NotNull;
        self
    }

    /// The value is null.
    #[must_use]
    pub fn null(mut self) -> Refinement {
        self.nullness = Nullness::Null;
        self
    }

    /// The string starts with what is sure to stay of this text when something is appended: what could
    /// combine with the next character is cut.
    #[must_use]
    pub fn prefix(mut self, text: &str) -> Refinement {
        self.prefix = safe_prefix(text);
        self
    }

    /// [`Refinement::prefix`] of the first `max` bytes, which may end within a character.
    pub(crate) fn prefix_of_first(mut self, text: &str, max: usize) -> Refinement {
        self.prefix = safe_prefix_of_first(text, max);
        self
    }

    /// The string starts with all of this text.
    #[must_use]
    pub fn prefix_full(mut self, text: &str) -> Refinement {
        self.prefix = normalized(text);
        self
    }

    /// The number is greater than `value`, or equal if `inclusive`.
    #[must_use]
    pub fn min(mut self, value: Number, inclusive: bool) -> Refinement {
        self.lower = Some(Bound { value, inclusive });
        self
    }

    /// The number is less than `value`, or equal if `inclusive`.
    #[must_use]
    pub fn max(mut self, value: Number, inclusive: bool) -> Refinement {
        self.upper = Some(Bound { value, inclusive });
        self
    }

    /// The collection has at least so many elements.
    #[must_use]
    pub fn min_length(mut self, length: u64) -> Refinement {
        self.min_length = length;
        self
    }

    /// The collection has at most so many elements.
    #[must_use]
    pub fn max_length(mut self, length: u64) -> Refinement {
        self.max_length = (length < Self::MAX_LENGTH).then_some(length);
        self
    }

    /// Returns whether null is excluded.
    #[must_use]
    pub fn is_not_null(&self) -> bool {
        self.nullness == Nullness::NotNull
    }

    /// Returns whether the value can be nothing but null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.nullness == Nullness::Null
    }

    /// How a string is known to start; empty if nothing is known.
    #[must_use]
    pub fn string_prefix(&self) -> &str {
        &self.prefix
    }

    /// The lower bound of a number.
    #[must_use]
    pub fn lower(&self) -> Option<&Bound> {
        self.lower.as_ref()
    }

    /// The upper bound of a number.
    #[must_use]
    pub fn upper(&self) -> Option<&Bound> {
        self.upper.as_ref()
    }

    /// The least and the greatest length of a collection.
    #[must_use]
    pub fn length_bounds(&self) -> (u64, u64) {
        (self.min_length, self.max_length.unwrap_or(Self::MAX_LENGTH))
    }

    /// Returns whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nullness == Nullness::Open && !self.has_content()
    }

    /// Returns whether anything but the nullness is known.
    fn has_content(&self) -> bool {
        !self.prefix.is_empty()
            || self.lower.is_some()
            || self.upper.is_some()
            || self.min_length > 0
            || self.max_length.is_some()
    }

    /// Returns whether the facts are about values of this type.
    fn fits(&self, ty: &Type) -> bool {
        let string = self.prefix.is_empty() || *ty == Type::String;
        let number = (self.lower.is_none() && self.upper.is_none()) || *ty == Type::Number;
        let collection = (self.min_length == 0 && self.max_length.is_none()) || ty.is_collection();
        string && number && collection
    }

    /// Joins two refinements; `None` if they contradict each other.
    #[must_use]
    pub fn and(&self, other: &Refinement) -> Option<Refinement> {
        let nullness = match (self.nullness, other.nullness) {
            (Nullness::Open, known) | (known, Nullness::Open) => known,
            (a, b) if a == b => a,
            _ => return None,
        };
        if nullness == Nullness::Null {
            // Of null there is nothing more to say: what was known of the content no longer matters.
            let facts = if other.nullness == Nullness::Null { other } else { self };
            return facts.is_possible().then(|| Refinement::new().null());
        }
        let (short, long) =
            if self.prefix.len() <= other.prefix.len() { (self, other) } else { (other, self) };
        if !long.prefix.starts_with(short.prefix.as_str()) {
            return None;
        }
        let merged = Refinement {
            nullness,
            prefix: long.prefix.clone(),
            lower: tighter(self.lower.as_ref(), other.lower.as_ref(), Ordering::Greater),
            upper: tighter(self.upper.as_ref(), other.upper.as_ref(), Ordering::Less),
            min_length: self.min_length.max(other.min_length),
            max_length: self.max_length.into_iter().chain(other.max_length).min(),
        };
        merged.is_possible().then_some(merged)
    }

    /// Returns whether the facts go together. Two bounds that both exclude the same number do, as in the reference.
    fn is_possible(&self) -> bool {
        let numbers = match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) => match lower.value.cmp(&upper.value) {
                Ordering::Less => true,
                Ordering::Equal => lower.inclusive == upper.inclusive,
                Ordering::Greater => false,
            },
            _ => true,
        };
        let content_of_null = self.nullness == Nullness::Null && self.has_content();
        numbers && !content_of_null && self.max_length.is_none_or(|max| self.min_length <= max)
    }

    /// Returns whether both refinements are equal.
    #[must_use]
    pub fn same(&self, other: &Refinement) -> bool {
        self.nullness == other.nullness
            && self.prefix == other.prefix
            && same_bound(self.lower.as_ref(), other.lower.as_ref())
            && same_bound(self.upper.as_ref(), other.upper.as_ref())
            && self.length_bounds() == other.length_bounds()
    }

    /// The facts as text, behind the type: `number, not null, >= 1, < 5`.
    #[must_use]
    pub fn to_text(&self, ty: &Type) -> String {
        let mut out = ty.to_type_text();
        self.write_facts(&mut out);
        out
    }

    /// Writes the facts that stand behind the type.
    pub(super) fn write_facts(&self, out: &mut String) {
        if self.is_not_null() {
            out.push_str(", not null");
        }
        let mut bound = |bound: Option<&Bound>, closed: &str, open: &str| {
            if let Some(bound) = bound {
                out.push_str(if bound.inclusive { closed } else { open });
                bound.value.write_text(out);
            }
        };
        bound(self.lower(), ", >= ", ", > ");
        bound(self.upper(), ", <= ", ", < ");
        if !self.prefix.is_empty() {
            out.push_str(", prefix ");
            write_quoted(&self.prefix, out);
        }
        if self.min_length > 0 || self.max_length.is_some() {
            out.push_str(&format!(", length {}..", self.min_length));
            if let Some(max) = self.max_length {
                out.push_str(&max.to_string());
            }
        }
    }

    /// The one value that is left, if only one is.
    fn only_value(&self, ty: &Type) -> Option<Value> {
        match self.nullness {
            Nullness::Null => return Some(Value::null(ty.clone())),
            Nullness::Open => return None,
            Nullness::NotNull => {}
        }
        if let (Some(lower), Some(upper)) = (&self.lower, &self.upper)
            && lower.inclusive
            && upper.inclusive
            && lower.value.cmp(&upper.value) == Ordering::Equal
        {
            return Some(Value::number(lower.value.clone()));
        }
        let element = ty.element_type().filter(|_| self.max_length == Some(self.min_length))?;
        let unknowns = |n: usize| vec![Value::unknown(element.clone()); n];
        match (ty, self.min_length) {
            (Type::Map(_), 0) => Some(Value::map(element.clone(), Vec::new())),
            (Type::Set(_), 0) => Some(Value::set(element.clone(), Vec::new())),
            (Type::Set(_), 1) => Some(Value::set(element.clone(), unknowns(1))),
            (Type::List(_), n) if n <= MAX_UNFOLDED => {
                Some(Value::list(element.clone(), unknowns(usize::try_from(n).ok()?)))
            }
            _ => None,
        }
    }
}

/// The bound that excludes more: the `better` one by value, or the exclusive one; of the same bounds the newer.
fn tighter(a: Option<&Bound>, b: Option<&Bound>, better: Ordering) -> Option<Bound> {
    let (Some(a), Some(b)) = (a, b) else { return a.or(b).cloned() };
    let order = a.value.cmp(&b.value);
    let take_a = order == better || (order == Ordering::Equal && !a.inclusive && b.inclusive);
    Some(if take_a { a } else { b }.clone())
}

fn same_bound(a: Option<&Bound>, b: Option<&Bound>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => a.inclusive == b.inclusive && a.value.equal(&b.value),
        _ => false,
    }
}

impl Value {
    /// An unknown of which something is known, or the only value that is left. Facts that don't fit the
    /// type, or contradict each other, are ignored.
    #[must_use]
    pub fn unknown_refined(ty: Type, refinement: Refinement) -> Value {
        if ty.is_dynamic() || refinement.is_empty() {
            return Value::unknown(ty);
        }
        if !refinement.fits(&ty) || !refinement.is_possible() {
            return Value::unknown(ty);
        }
        if let Some(value) = refinement.only_value(&ty) {
            return value;
        }
        let ty = ty.without_optional();
        Value(Repr::Unknown(Unknown::Refined(Arc::new(Refined { ty, refinement }))))
    }

    /// Adds what is known. A known value is only checked; unknowns of dynamic type take no refinement.
    ///
    /// # Errors
    /// When the refinement is about another type of value, or contradicts what is known.
    pub fn refine(self, refinement: &Refinement) -> Result<Value, ValueError> {
        let (plain, marks) = self.unmark();
        if plain.is_dynamic_unknown() {
            return Ok(self);
        }
        if !refinement.fits(&plain.ty()) {
            let found = plain.type_name();
            return Err(ValueErrorKind::RefinementKind { found }.into());
        }
        let Repr::Unknown(unknown) = &plain.0 else {
            // Null has neither size nor length, though an unknown of which these are known may be null.
            let measured = plain.is_null() && refinement.has_content() && refinement.prefix.is_empty();
            let excluded = measured || refinement.includes(&plain) == Some(false);
            return if excluded { Err(ValueErrorKind::RefinementContradiction.into()) } else { Ok(self) };
        };
        let merged = match unknown.refinement() {
            Some(known) => known.and(refinement),
            None => refinement.is_possible().then(|| refinement.clone()),
        };
        let merged = merged.ok_or(ValueErrorKind::RefinementContradiction)?;
        Ok(Value::unknown_refined(unknown.ty().clone(), merged).with_marks(&marks))
    }

    /// An unknown becomes one that is not null; other values stay as they are.
    #[must_use]
    pub fn refine_not_null(self) -> Value {
        if self.is_known() || self.is_surely_not_null() {
            return self;
        }
        let kept = self.clone();
        self.refine(&Refinement::new().not_null()).unwrap_or(kept)
    }

    /// Returns the facts about an unknown value as text: the type, then the refinements.
    #[must_use]
    pub fn refinement_text(&self) -> Option<String> {
        let Repr::Unknown(unknown) = &self.unmarked().0 else { return None };
        Some(match unknown.refinement() {
            Some(refinement) => refinement.to_text(unknown.ty()),
            None => unknown.ty().to_type_text(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_the_same_when_both_say_the_same() {
        let bound = |value, inclusive| Some(Bound { value: Number::from_i64(value), inclusive });
        let all = [None, bound(1, true), bound(1, false), bound(2, true), bound(2, false)];
        for (at, a) in all.iter().enumerate() {
            for (other, b) in all.iter().enumerate() {
                assert_eq!(same_bound(a.as_ref(), b.as_ref()), at == other, "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn the_tighter_bound_excludes_more() {
        let bound = |value, inclusive| Some(Bound { value: Number::from_i64(value), inclusive });
        let least = |a: &Option<Bound>, b: &Option<Bound>| tighter(a.as_ref(), b.as_ref(), Ordering::Greater);
        // Each excludes more than those before it, as a lower bound.
        let all = [None, bound(1, true), bound(1, false), bound(2, true), bound(2, false)];
        for (at, a) in all.iter().enumerate() {
            for (other, b) in all.iter().enumerate() {
                let (found, expected) = (least(a, b), &all[at.max(other)]);
                assert!(same_bound(found.as_ref(), expected.as_ref()), "{a:?} and {b:?}");
            }
        }
        let most = tighter(bound(1, true).as_ref(), bound(2, false).as_ref(), Ordering::Less);
        assert!(same_bound(most.as_ref(), bound(1, true).as_ref()));
    }
}
