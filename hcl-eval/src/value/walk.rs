//! Walks over a value and all its parts: visiting, transforming, taking marks off and putting them back.
//!
//! Parts come in the order of iteration. Null and unknown values have no parts. Deep values grow the stack.

use std::ops::ControlFlow::{self, Continue};

use super::node::MapHeader;
use super::{Marks, Path, PathStep, Repr, Value, ValueError};
use crate::limits::{LimitReached, Meter, Pace, go_on, hold};
use crate::stack;
use crate::types::Type;

/// Marks and where they belong.
type PathMarks = (Path, Marks);

impl Value {
    /// Calls `visit` for the value and its parts, containers first. Parts of what `visit` answers with
    /// `false` are passed over.
    pub fn walk(&self, visit: &mut dyn FnMut(&Path, &Value) -> bool) {
        self.walk_while(&mut |path, part| Continue(visit(path, part)));
    }

    /// Walks as [`Value::walk`] does, until `visit` breaks.
    ///
    /// ```
    /// use std::ops::ControlFlow::{Break, Continue};
    ///
    /// use hcl_eval::Value;
    ///
    /// let mut n = 0;
    /// Value::tuple(vec![Value::TRUE; 1000]).walk_while(&mut |_, _| {
    ///     n += 1;
    ///     if n < 10 { Continue(true) } else { Break(()) }
    /// });
    /// assert_eq!(n, 10);
    /// ```
    pub fn walk_while(&self, visit: &mut dyn FnMut(&Path, &Value) -> ControlFlow<(), bool>) {
        let _ = walk_at(self, &mut Path::new(), visit);
    }

    /// Rebuilds the value from what `change` makes of each part, parts before their containers, which keep
    /// their marks.
    ///
    /// # Errors
    /// The first error that `change` returns.
    pub fn transform(
        &self,
        change: &mut dyn FnMut(&Path, Value) -> Result<Value, ValueError>,
    ) -> Result<Value, ValueError> {
        transform_at(self, &mut Path::new(), change)
    }

    /// Takes the marks off the value and all its parts; free if there are none.
    #[must_use]
    pub fn unmark_deep(&self) -> (Value, Marks) {
        self.unmark_deep_on(&mut None).unwrap_or_else(|_| (Value::dynamic(), Marks::EMPTY))
    }

    /// [`Value::unmark_deep`] with looks at the limits of a meter, to which the work has been charged, and which is asked for
    /// the room.
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn unmark_deep_within(&self, meter: &mut Meter) -> Result<(Value, Marks), LimitReached> {
        self.unmark_deep_on(&mut Some(meter))
    }

    pub(crate) fn unmark_deep_on(&self, pace: Pace<'_, '_>) -> Result<(Value, Marks), LimitReached> {
        let mut marks = Marks::EMPTY;
        let plain = strip(self, &mut |found| marks.extend(found), pace)?;
        Ok((plain, marks))
    }

    /// The marks of the value and all its parts.
    #[must_use]
    pub fn marks_deep(&self) -> Marks {
        let mut marks = Marks::EMPTY;
        self.walk(&mut |_, part| {
            marks.extend(part.marks());
            part.contains_marks()
        });
        marks
    }

    /// Takes the marks off the value and all its parts, and lists where they were, containers first.
    #[must_use]
    pub fn unmark_deep_with_paths(&self) -> (Value, Vec<PathMarks>) {
        if !self.contains_marks() {
            return (self.clone(), Vec::new());
        }
        let mut found = Vec::new();
        self.walk(&mut |path, value| {
            if value.is_marked() {
                found.push((path.clone(), value.marks().clone()));
            }
            value.contains_marks()
        });
        (self.unmark_deep().0, found)
    }

    /// Adds marks at the given places; places that don't exist are passed over.
    #[must_use]
    pub fn mark_with_paths(&self, marks: &[PathMarks]) -> Value {
        if marks.is_empty() {
            return self.clone();
        }
        put_marks(self, 0, &marks.iter().collect::<Vec<_>>()).unwrap_or_else(|_| Value::dynamic())
    }

    /// The value with null, of the same type, in place of every unknown.
    #[must_use]
    pub fn unknown_as_null(&self) -> Value {
        self.known_on(&mut None).unwrap_or_else(|_| Value::dynamic())
    }

    /// [`Value::unknown_as_null`] with looks at the limits of a meter, to which the work has been charged, and which is asked
    /// for the room.
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn unknown_as_null_within(&self, meter: &mut Meter) -> Result<Value, LimitReached> {
        self.known_on(&mut Some(meter))
    }

    fn known_on(&self, pace: Pace<'_, '_>) -> Result<Value, LimitReached> {
        if self.is_wholly_known() {
            return Ok(self.clone());
        }
        stack::grow(self.depth(), || {
            let plain = self.unmarked();
            let known = match &plain.0 {
                Repr::Unknown(unknown) => Value::null(unknown.ty().clone()),
                _ => map_parts(plain, pace, &mut |_, part, pace| part.known_on(pace))?,
            };
            Ok(known.with_marks(self.marks()))
        })
    }
}

/// A container of the same kind with other parts; other values come back as they are.
fn map_parts(
    value: &Value,
    pace: Pace<'_, '_>,
    change: &mut dyn FnMut(usize, &Value, Pace<'_, '_>) -> Result<Value, LimitReached>,
) -> Result<Value, LimitReached> {
    let Some(parts) = value.parts() else { return Ok(value.clone()) };
    // The list, and the container that it is copied to.
    hold(pace, 2 * size_of_val(parts))?;
    let mut changed = Vec::with_capacity(parts.len());
    for (i, part) in parts.iter().enumerate() {
        go_on(pace, 1)?;
        changed.push(change(i, part, pace)?);
    }
    go_on(pace, changed.len())?;
    Ok(rebuild(value, changed))
}

/// A container like `value` with these parts in place of its own. The element type of collections follows
/// the parts.
fn rebuild(value: &Value, parts: Vec<Value>) -> Value {
    let type_of_parts = |element: &Type| match parts.iter().all(|part| part.is_type(element)) {
        true => element.clone(),
        false => Type::Dynamic,
    };
    match &value.0 {
        Repr::List(list) => Value::list(type_of_parts(&list.header().element), parts),
        Repr::Set(set) => Value::set(type_of_parts(&set.header().element), parts),
        Repr::Map(map) => {
            let MapHeader { element, shape } = map.header();
            Value::map_with_shape(type_of_parts(element), shape.clone(), parts)
        }
        Repr::Tuple(_) => Value::tuple(parts),
        Repr::Object(object) => Value::object_with_shape(object.header().shape.clone(), parts),
        _ => value.clone(),
    }
}

/// The step from a container to its part number `i`.
fn step_to(container: &Value, i: usize, part: &Value) -> PathStep {
    match &container.0 {
        Repr::Object(object) => PathStep::Attribute(object.header().shape.names()[i].clone()),
        Repr::Map(map) => PathStep::key(map.header().shape.names()[i].clone()),
        Repr::Set(_) => PathStep::Index(part.clone()),
        _ => PathStep::position(i),
    }
}

fn walk_at(
    value: &Value,
    path: &mut Path,
    visit: &mut dyn FnMut(&Path, &Value) -> ControlFlow<(), bool>,
) -> ControlFlow<()> {
    stack::grow(value.depth(), || {
        if !visit(path, value)? {
            return Continue(());
        }
        let plain = value.unmarked();
        for (i, part) in plain.parts().unwrap_or_default().iter().enumerate() {
            path.push(step_to(plain, i, part));
            walk_at(part, path, visit)?;
            path.pop();
        }
        Continue(())
    })
}

fn transform_at(
    value: &Value,
    path: &mut Path,
    change: &mut dyn FnMut(&Path, Value) -> Result<Value, ValueError>,
) -> Result<Value, ValueError> {
    stack::grow(value.depth(), || {
        let plain = value.unmarked();
        let Some(parts) = plain.parts().filter(|parts| !parts.is_empty()) else {
            return change(path, value.clone());
        };
        let mut changed = Vec::with_capacity(parts.len());
        for (i, part) in parts.iter().enumerate() {
            path.push(step_to(plain, i, part));
            changed.push(transform_at(part, path, change)?);
            path.pop();
        }
        change(path, rebuild(plain, changed).with_marks(value.marks()))
    })
}

/// The value without any marks; `found` gets each set of marks.
fn strip(value: &Value, found: &mut dyn FnMut(&Marks), pace: Pace<'_, '_>) -> Result<Value, LimitReached> {
    if !value.contains_marks() {
        return Ok(value.clone());
    }
    stack::grow(value.depth(), || {
        if value.is_marked() {
            found(value.marks());
        }
        let plain = value.unmarked();
        if !plain.contains_marks() {
            return Ok(plain.clone());
        }
        map_parts(plain, pace, &mut |_, part, pace| strip(part, found, pace))
    })
}

/// Adds the marks whose paths lead through this place, which is `depth` steps in. Nothing ends it.
fn put_marks(value: &Value, depth: usize, marks: &[&PathMarks]) -> Result<Value, LimitReached> {
    stack::grow(value.depth(), || {
        let plain = value.unmarked();
        let n_parts = plain.len().unwrap_or(0);
        let mut here = value.marks().clone();
        let mut below: Vec<Vec<&PathMarks>> = vec![Vec::new(); n_parts];
        for entry in marks {
            match entry.0.steps().get(depth) {
                None => here.extend(&entry.1),
                Some(step) => {
                    if let Some(part) = position_of(plain, step).and_then(|i| below.get_mut(i)) {
                        part.push(entry);
                    }
                }
            }
        }
        let marked = if below.iter().all(Vec::is_empty) {
            plain.clone()
        } else {
            map_parts(plain, &mut None, &mut |i, part, _| match below[i].is_empty() {
                true => Ok(part.clone()),
                false => put_marks(part, depth + 1, &below[i]),
            })?
        };
        Ok(marked.with_marks(&here))
    })
}

/// Which part of a container a step leads to.
fn position_of(container: &Value, step: &PathStep) -> Option<usize> {
    match (&container.0, step) {
        (Repr::Object(object), PathStep::Attribute(name)) => object.header().shape.position(name),
        (Repr::Map(map), PathStep::Index(key)) => map.header().shape.position(key.as_str()?),
        (Repr::List(_) | Repr::Tuple(_), PathStep::Index(key)) => key.as_number()?.to_usize(),
        (Repr::Set(set), PathStep::Index(key)) => set.elements().iter().position(|e| e.raw_equals(key)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Mark;

    #[test]
    fn marks_return_to_the_places_where_they_were() {
        let marked = |value: Value, name: &str| value.with_marks(&Marks::one(Mark::new(name)));
        let inner = Value::tuple(vec![Value::TRUE, marked(Value::int(1), "deep"), Value::string("x")]);
        let map = Value::map(Type::Dynamic, vec![("k".into(), marked(inner, "inner"))]);
        let object = Value::object(vec![("a".into(), map), ("b".into(), marked(Value::TRUE, "flat"))]);
        let whole = marked(Value::tuple(vec![Value::FALSE, object]), "whole");
        let (bare, marks) = whole.unmark_deep_with_paths();
        assert!(!bare.contains_marks() && marks.len() == 4);
        assert!(bare.mark_with_paths(&marks).raw_equals(&whole));
        assert!(bare.mark_with_paths(&[]).raw_equals(&bare));
    }
}
