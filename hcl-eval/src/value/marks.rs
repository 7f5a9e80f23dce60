//! Marks: tokens that travel with values, such as "sensitive".
//!
//! A mark hangs on one node of a value, at any depth but not inside sets, whose elements' marks belong to
//! the set. Marks are no part of a value's type or equality; operations put the marks of their operands on
//! the result. Taking marks off deeply and putting them back by path is in `walk`.

use std::fmt;

use triomphe::Arc;

use super::{Repr, Value};
use crate::Str;
use crate::sorting::sort;
use crate::types::Type;

/// A token that can hang on a value.
///
/// ```
/// use hcl_eval::eval::{Scope, evaluate_str};
/// use hcl_eval::{Mark, Value};
///
/// // A mark goes along with everything that is made of the value.
/// let secret = Mark::new("secret");
/// let scope = Scope::builder().variable("key", Value::from("k1").mark(secret.clone())).build();
/// assert!(evaluate_str("\"key=${key}\"", Some(&scope))?.has_mark(&secret));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark(Str);

impl Mark {
    /// The mark of this name; equal names are equal marks.
    pub fn new(name: impl Into<Str>) -> Mark {
        Mark(name.into())
    }

    /// The mark of values that must not be shown.
    #[must_use]
    pub const fn sensitive() -> Mark {
        Mark(Str::new_static("sensitive"))
    }

    /// The mark of values that must not be stored.
    #[must_use]
    pub const fn ephemeral() -> Mark {
        Mark(Str::new_static("ephemeral"))
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mark({})", self.0)
    }
}

/// A set of marks, sorted; cheap to clone, free when empty.
///
/// ```
/// use hcl_eval::{Mark, Value};
///
/// let value = Value::from("hunter2").mark(Mark::sensitive()).mark(Mark::new("vault"));
/// let (bare, marks) = value.unmark();
/// assert!(!bare.is_marked() && marks.len() == 2 && marks.contains_name("vault"));
/// assert!(bare.with_marks(&marks).has_mark(&Mark::sensitive()));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Marks(Option<Arc<Vec<Mark>>>);

impl Marks {
    /// No marks.
    pub const EMPTY: Marks = Marks(None);

    /// One mark.
    #[must_use]
    pub fn one(mark: Mark) -> Marks {
        Marks(Some(Arc::new(vec![mark])))
    }

    /// Returns whether there are no marks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// The marks in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Mark] {
        self.0.as_ref().map_or(&[], |marks| marks)
    }

    /// The marks in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Mark> {
        self.as_slice().iter()
    }

    /// Returns whether this mark is among them.
    #[must_use]
    pub fn contains(&self, mark: &Mark) -> bool {
        self.as_slice().binary_search(mark).is_ok()
    }

    /// Returns whether a mark of this name is among them.
    #[must_use]
    pub fn contains_name(&self, name: &str) -> bool {
        self.as_slice().binary_search_by(|mark| mark.name().cmp(name)).is_ok()
    }

    /// Returns whether a value with these marks must not be shown.
    pub(crate) fn hide(&self) -> bool {
        self.contains_name("sensitive") || self.contains_name("ephemeral")
    }

    /// Returns the text in place of a value with these marks.
    pub(crate) fn remark(&self) -> &'static str {
        if self.contains_name("sensitive") {
            "(sensitive value)"
        } else if self.contains_name("ephemeral") {
            "(ephemeral value)"
        } else {
            "(marked value)"
        }
    }

    /// The marks of either.
    #[must_use]
    pub fn union(&self, other: &Marks) -> Marks {
        match (&self.0, &other.0) {
            (_, None) => self.clone(),
            (None, Some(_)) => other.clone(),
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) || b.iter().all(|mark| self.contains(mark)) => {
                self.clone()
            }
            (Some(a), Some(b)) => a.iter().chain(b.iter()).cloned().collect(),
        }
    }

    /// Adds the marks of another set.
    pub fn extend(&mut self, other: &Marks) {
        if !other.is_empty() {
            *self = self.union(other);
        }
    }

    /// The marks without one.
    #[must_use]
    pub fn without(&self, mark: &Mark) -> Marks {
        self.iter().filter(|m| *m != mark).cloned().collect()
    }
}

impl FromIterator<Mark> for Marks {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Marks {
        let mut list: Vec<Mark> = marks.into_iter().collect();
        if list.is_empty() {
            return Marks::EMPTY;
        }
        sort(&mut list);
        list.dedup();
        Marks(Some(Arc::new(list)))
    }
}

impl From<Mark> for Marks {
    fn from(mark: Mark) -> Marks {
        Marks::one(mark)
    }
}

impl<'a> IntoIterator for &'a Marks {
    type Item = &'a Mark;
    type IntoIter = std::slice::Iter<'a, Mark>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Mark::name)).finish()
    }
}

/// So many parts of a value are looked through for a message.
const MOST_PARTS: u32 = 1 << 16;

/// A value with marks. The value inside is never itself `Marked`, and the marks are never empty.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    pub(crate) value: Value,
    pub(crate) marks: Marks,
}

impl Value {
    /// Returns whether the type tells names of attributes of something that must not be shown: they may have been
    /// made of what is hidden. A value with more than 65,536 parts and a mark on any of them is not looked through.
    #[must_use]
    pub fn hides_names(&self) -> bool {
        if self.contains_marks() && self.weight() > MOST_PARTS {
            return true;
        }
        let mut is_telling = false;
        self.walk(&mut |_, part| {
            is_telling = is_telling || part.marks().hide() && names_attributes(&part.ty());
            part.contains_marks()
        });
        is_telling
    }

    /// Adds one mark.
    #[must_use]
    pub fn mark(self, mark: Mark) -> Value {
        self.with_marks(&Marks::one(mark))
    }

    /// Adds marks.
    #[must_use]
    pub fn with_marks(self, marks: &Marks) -> Value {
        if marks.is_empty() { self } else { self.with_some_marks(marks) }
    }

    fn with_some_marks(self, marks: &Marks) -> Value {
        let marked = match self.0 {
            Repr::Marked(old) => Marked { value: old.value.clone(), marks: old.marks.union(marks) },
            repr => Marked { value: Value(repr), marks: marks.clone() },
        };
        Value(Repr::Marked(Arc::new(marked)))
    }

    /// The marks of the value itself, not of its parts.
    #[must_use]
    pub fn marks(&self) -> &Marks {
        const NONE: &Marks = &Marks::EMPTY;
        if let Repr::Marked(marked) = &self.0 { &marked.marks } else { NONE }
    }

    /// Returns whether the value itself is marked.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        matches!(self.0, Repr::Marked(_))
    }

    /// Returns whether the value itself has this mark.
    #[must_use]
    pub fn has_mark(&self, mark: &Mark) -> bool {
        self.marks().contains(mark)
    }

    /// Returns whether the value or any part of it is marked.
    #[must_use]
    pub fn contains_marks(&self) -> bool {
        self.summary().contains_marks()
    }

    /// The value without the marks of its top, which are free to look through.
    #[must_use]
    pub fn unmarked(&self) -> &Value {
        if let Repr::Marked(marked) = &self.0 { &marked.value } else { self }
    }

    /// Takes the marks off the top.
    #[must_use]
    pub fn unmark(&self) -> (Value, Marks) {
        (self.unmarked().clone(), self.marks().clone())
    }
}

fn names_attributes(ty: &Type) -> bool {
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        if ty.attributes().is_some_and(|attributes| !attributes.is_empty()) {
            return true;
        }
        open.extend(ty.element_type().into_iter().chain(ty.tuple_elements().into_iter().flatten()));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_shown_by_their_names() {
        assert_eq!(format!("{:?}", Marks::EMPTY), "{}");
        assert_eq!(format!("{:?}", Marks::one(Mark::sensitive())), "{\"sensitive\"}");
    }
}
