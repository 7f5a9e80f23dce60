//! Defaults of optional attributes, and putting them into values.
//!
//! `optional(string, "x")` leaves two things: the flag in the type, and a default here, in a tree that
//! follows the type down to where defaults are. They are put in *before* the value is converted, for
//! conversion alone would fill in nulls. A value that does not have the shape of the type passes through;
//! the conversion that follows says what is wrong.

use std::collections::BTreeMap;

use super::Type;
use crate::Str;
use crate::convert::unify_values;
use crate::stack;
use crate::value::{Repr, Value};

/// The defaults within a type.
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::types::type_expr::parse_type_text;
///
/// let (_, defaults) = parse_type_text("object({ port = optional(number, 80) })")?;
/// let completed = defaults.unwrap().apply(&Value::from_iter([("name", "web")]));
/// assert_eq!(completed.to_json().unwrap(), r#"{"name":"web","port":80}"#);
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Defaults {
    ty: Type,
    values: BTreeMap<Str, Value>,
    children: Children,
}

/// The defaults further in.
#[derive(Clone, Debug)]
enum Children {
    /// Of the attributes of an object.
    Attributes(BTreeMap<Str, Defaults>),
    /// Of the elements of a tuple.
    Positions(BTreeMap<usize, Defaults>),
    /// Of every element of a collection.
    Element(Box<Defaults>),
}

impl Defaults {
    /// The defaults of an object type: of its attributes, and within them.
    #[must_use]
    pub fn of_object(
        ty: Type,
        values: BTreeMap<Str, Value>,
        children: BTreeMap<Str, Defaults>,
    ) -> Option<Self> {
        let any = !values.is_empty() || !children.is_empty();
        any.then_some(Self { ty, values, children: Children::Attributes(children) })
    }

    /// The defaults within the elements of a tuple type.
    #[must_use]
    pub fn of_tuple(ty: Type, children: BTreeMap<usize, Defaults>) -> Option<Self> {
        let children = (!children.is_empty()).then_some(Children::Positions(children))?;
        Some(Self { ty, values: BTreeMap::new(), children })
    }

    /// The defaults within the elements of a collection type.
    #[must_use]
    pub fn of_collection(ty: Type, element: Defaults) -> Self {
        Self { ty, values: BTreeMap::new(), children: Children::Element(Box::new(element)) }
    }

    /// The type that these defaults are of.
    #[must_use]
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The defaults of the attributes, by name.
    #[must_use]
    pub fn values(&self) -> &BTreeMap<Str, Value> {
        &self.values
    }

    /// The defaults further in: by attribute name, by position as digits, or under the empty name for the
    /// elements of a collection.
    #[must_use]
    pub fn children(&self) -> Vec<(Str, &Defaults)> {
        match &self.children {
            Children::Attributes(children) => children.iter().map(|(k, v)| (k.clone(), v)).collect(),
            Children::Positions(children) => {
                children.iter().map(|(k, v)| (Str::from(k.to_string()), v)).collect()
            }
            Children::Element(element) => vec![(Str::default(), element.as_ref())],
        }
    }

    /// The value with defaults for the attributes that it lacks or that are null, at any depth. Null and
    /// unknown objects stay as they are.
    #[must_use]
    pub fn apply(&self, value: &Value) -> Value {
        self.changed(value).unwrap_or_else(|| value.clone())
    }

    /// The value with defaults, if that differs from the value.
    fn changed(&self, value: &Value) -> Option<Value> {
        let depth = value.summary().depth;
        stack::grow(depth, || match &value.0 {
            Repr::Marked(marked) => Some(self.changed(&marked.value)?.with_marks(&marked.marks)),
            Repr::List(_) | Repr::Set(_) | Repr::Tuple(_) => self.changed_sequence(value),
            Repr::Object(_) | Repr::Map(_) => self.changed_keyed(value),
            Repr::String(_)
            | Repr::Null(_)
            | Repr::Bool(_)
            | Repr::Number(_)
            | Repr::Capsule(_)
            | Repr::Unknown(_) => None,
        })
    }

    fn at_position(&self, position: usize) -> Option<&Defaults> {
        match &self.children {
            Children::Positions(children) => children.get(&position),
            Children::Element(element) => Some(element),
            Children::Attributes(_) => None,
        }
    }

    fn at_name(&self, name: &str) -> Option<&Defaults> {
        match &self.children {
            Children::Attributes(children) => children.get(name),
            Children::Element(element) => Some(element),
            Children::Positions(_) => None,
        }
    }

    /// A list or set whose elements no longer are of one type, and can't be brought back to one, becomes a
    /// tuple.
    fn changed_sequence(&self, value: &Value) -> Option<Value> {
        let elements = value.elements()?;
        let mut any = false;
        let changed = elements.iter().enumerate().map(|(i, element)| {
            let changed = self.at_position(i).and_then(|defaults| defaults.changed(element));
            any |= changed.is_some();
            changed.unwrap_or_else(|| element.clone())
        });
        let mut changed: Vec<Value> = changed.collect();
        if !any {
            return None;
        }
        Some(match &value.0 {
            Repr::Tuple(_) => Value::tuple(changed),
            sequence => match unify_values(&mut changed, &mut None) {
                Ok(Ok(ty)) if matches!(sequence, Repr::List(_)) => Value::list(ty, changed),
                Ok(Ok(ty)) => Value::set(ty, changed),
                _ => Value::tuple(changed),
            },
        })
    }

    /// A map likewise becomes an object.
    fn changed_keyed(&self, value: &Value) -> Option<Value> {
        let mut any = false;
        let mut entries: BTreeMap<Str, Value> = BTreeMap::new();
        for (name, part) in value.entries()? {
            let changed = self.at_name(name).and_then(|defaults| defaults.changed(part));
            any |= changed.is_some();
            entries.insert(name.clone(), changed.unwrap_or_else(|| part.clone()));
        }
        for (name, default) in &self.values {
            any |= self.put_in(name, default, &mut entries);
        }
        if !any {
            return None;
        }
        if let Repr::Map(_) = &value.0 {
            let (names, mut values): (Vec<Str>, Vec<Value>) = entries.into_iter().unzip();
            let ty = unify_values(&mut values, &mut None);
            let entries = names.into_iter().zip(values).collect();
            return Some(match ty {
                Ok(Ok(ty)) => Value::map(ty, entries),
                _ => Value::object(entries),
            });
        }
        Some(Value::object(entries.into_iter().collect()))
    }

    /// Puts one default in its place, if that is free; whether anything changed. Beside a default that is
    /// not null an unknown attribute can't turn out null.
    fn put_in(&self, name: &Str, default: &Value, entries: &mut BTreeMap<Str, Value>) -> bool {
        match entries.get_mut(name) {
            Some(present) if !present.is_null() => {
                let refinable = !present.is_known() && default.is_surely_not_null();
                if refinable && !present.is_surely_not_null() && !present.is_dynamic_unknown() {
                    *present = present.clone().refine_not_null();
                    return true;
                }
                false
            }
            null_or_missing => {
                let complete =
                    self.at_name(name).map_or_else(|| default.clone(), |inner| inner.apply(default));
                // The marks of the null that is replaced say where the decision came from.
                let complete = match null_or_missing {
                    Some(null) => complete.with_marks(null.marks()),
                    None => complete,
                };
                entries.insert(name.clone(), complete);
                true
            }
        }
    }
}
