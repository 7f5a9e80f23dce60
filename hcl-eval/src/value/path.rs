//! Paths: a place inside a value.

use hcl_syntax::diagnostic::MAX_DETAIL;
use hcl_syntax::lexer::is_identifier;

use super::error::{PathProblem, ValueErrorKind};
use super::quote::write_quoted;
use super::{Kind, Number, Value, ValueError};
use crate::Str;
use crate::types::Type;

/// One step from a value to a part of it.
///
/// ```
/// use hcl_eval::{Path, PathStep};
///
/// let path = Path::from_iter([PathStep::Attribute("ports".into()), PathStep::position(1)]);
/// assert_eq!(path.to_text(), ".ports[1]");
/// ```
#[derive(Clone, Debug)]
pub enum PathStep {
    /// To an attribute of an object.
    Attribute(Str),
    /// To an element: by number in lists and tuples, by string in maps; in a set the element is its own key.
    Index(Value),
}

impl PathStep {
    /// The step to a position.
    #[must_use]
    pub fn position(position: usize) -> PathStep {
        PathStep::Index(Value::number(Number::from_i64(i64::try_from(position).unwrap_or(i64::MAX))))
    }

    /// The step to a key.
    #[must_use]
    pub fn key(key: Str) -> PathStep {
        PathStep::Index(Value::string_nfc(key))
    }
}

impl PartialEq for PathStep {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (PathStep::Attribute(a), PathStep::Attribute(b)) => a == b,
            (PathStep::Index(a), PathStep::Index(b)) => a.raw_equals(b),
            (PathStep::Attribute(_), PathStep::Index(_)) | (PathStep::Index(_), PathStep::Attribute(_)) => {
                false
            }
        }
    }
}

/// A place inside a value: steps from the outside in.
///
/// ```
/// use hcl_eval::{Path, Value};
///
/// let path = Path::new().attribute("ports").index(Value::from(1));
/// let server = Value::from_iter([("ports", [80, 443])]);
/// assert_eq!(path.apply(&server)?.to_string(), "443");
/// assert_eq!(path.to_text(), ".ports[1]");
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Path(Vec<PathStep>);

impl Path {
    /// The place of the value itself.
    #[must_use]
    pub const fn new() -> Path {
        Path(Vec::new())
    }

    /// The steps, outermost first.
    #[must_use]
    pub fn steps(&self) -> &[PathStep] {
        &self.0
    }

    /// Returns whether this is the place of the value itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Goes one step further in.
    pub fn push(&mut self, step: PathStep) {
        self.0.push(step);
    }

    /// Goes back one step.
    pub fn pop(&mut self) -> Option<PathStep> {
        self.0.pop()
    }

    /// Puts a step before all others.
    pub fn push_front(&mut self, step: PathStep) {
        self.0.insert(0, step);
    }

    /// This path followed by a step to an attribute.
    #[must_use]
    pub fn attribute(mut self, name: impl Into<Str>) -> Path {
        self.0.push(PathStep::Attribute(name.into()));
        self
    }

    /// This path followed by a step to an element.
    #[must_use]
    pub fn index(mut self, key: Value) -> Path {
        self.0.push(PathStep::Index(key));
        self
    }

    /// The path as it would be written behind the value: `.attr[0]["k"]`.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.text_of(usize::MAX)
    }

    /// [`Path::to_text`] for messages: of a name there is no more than a message shows of it.
    ///
    /// ```
    /// use hcl_eval::Path;
    ///
    /// assert_eq!(Path::new().attribute("ports").to_short_text(), ".ports");
    /// assert_eq!(Path::new().attribute("x".repeat(1 << 20)).to_short_text().len(), 4097);
    /// ```
    #[must_use]
    pub fn to_short_text(&self) -> String {
        self.text_of(MAX_DETAIL)
    }

    /// The path as text, with so many bytes of each name.
    fn text_of(&self, n_bytes: usize) -> String {
        let mut out = String::new();
        for step in &self.0 {
            let text = match step {
                PathStep::Attribute(name) => Some(name),
                PathStep::Index(key) => key.as_text(),
            };
            let text = text.map(|text| &text[..text.floor_char_boundary(n_bytes)]);
            if let (PathStep::Attribute(_), Some(name)) = (step, text)
                && is_identifier(name)
            {
                out.push('.');
                out.push_str(name);
                continue;
            }
            out.push('[');
            match (text, step) {
                (Some(text), _) => write_quoted(text, &mut out),
                (None, PathStep::Index(key)) if let Some(number) = key.as_number() => {
                    number.write_text(&mut out);
                }
                _ => out.push_str("..."),
            }
            out.push(']');
        }
        out
    }

    /// The part of `value` at this place. The marks of what is passed join on the result.
    ///
    /// # Errors
    /// When a step has nowhere to go.
    pub fn apply(&self, value: &Value) -> Result<Value, ValueError> {
        let mut at = value.clone();
        for (step, towards) in self.0.iter().enumerate() {
            let next = take_step(&at, towards)
                .map_err(|problem| ValueError::new(ValueErrorKind::Path { step, problem }))?;
            at = next.with_marks(at.marks());
        }
        Ok(at)
    }
}

impl FromIterator<PathStep> for Path {
    fn from_iter<I: IntoIterator<Item = PathStep>>(steps: I) -> Path {
        Path(steps.into_iter().collect())
    }
}

fn take_step(value: &Value, step: &PathStep) -> Result<Value, PathProblem> {
    match step {
        PathStep::Attribute(name) => take_attribute(value, name),
        PathStep::Index(key) => take_index(value, key),
    }
}

fn take_attribute(value: &Value, name: &str) -> Result<Value, PathProblem> {
    if value.is_null() {
        return Err(PathProblem::AttributeOfNull);
    }
    if value.kind() == Kind::Object {
        return value.get_attribute(name).cloned().ok_or(PathProblem::NoSuchAttribute);
    }
    if value.is_dynamic_unknown() {
        return Ok(Value::dynamic());
    }
    if value.type_kind() != Some(Kind::Object) {
        return Err(PathProblem::NotAnObject);
    }
    let ty = value.ty();
    let found = ty.attribute(name).ok_or(PathProblem::NoSuchAttribute)?;
    Ok(Value::unknown(found.ty.clone()))
}

/// The element under a key, by the rules of a path, which are stricter than those of an index expression: a key is of
/// the kind of the collection and is not converted.
fn take_index(value: &Value, key: &Value) -> Result<Value, PathProblem> {
    if value.is_null() {
        return Err(PathProblem::IndexOfNull);
    }
    if value.type_kind() == Some(Kind::Set) {
        return take_member(value, key);
    }
    if key.is_null() {
        return Err(PathProblem::KeyKind);
    }
    if !key.is_known() {
        return take_unknown(value, key.type_kind());
    }
    if let Some(number) = key.as_number() {
        return take_position(value, number);
    }
    let Some(name) = key.as_str() else { return Err(PathProblem::KeyKind) };
    match value.kind() {
        Kind::Map => value.get_attribute(name).cloned().ok_or(PathProblem::NoSuchElement),
        Kind::Unknown if value.is_dynamic_unknown() => Ok(Value::dynamic()),
        Kind::Unknown => match value.ty() {
            Type::Map(element) => Ok(Value::unknown((*element).clone())),
            _ => Err(PathProblem::NotAMap),
        },
        _ => Err(PathProblem::NotAMap),
    }
}

/// An element of a set, which is its own key.
fn take_member(set: &Value, key: &Value) -> Result<Value, PathProblem> {
    let member = set.has_element(key);
    match member.as_bool() {
        Some(true) => Ok(key.clone()),
        Some(false) => Err(PathProblem::NoSuchElement),
        None => Ok(unknown_element(set).with_marks(member.marks())),
    }
}

/// An element, of which no more than the type is known, of a list, a set or a map.
fn unknown_element(collection: &Value) -> Value {
    Value::unknown(collection.ty().element_type().cloned().unwrap_or(Type::Dynamic))
}

/// The element under a key of this kind that is not known yet.
fn take_unknown(value: &Value, key: Option<Kind>) -> Result<Value, PathProblem> {
    match (value.type_kind(), key) {
        (None, _) => Ok(Value::dynamic()),
        (Some(Kind::List), Some(Kind::Number) | None) | (Some(Kind::Map), Some(Kind::String) | None) => {
            Ok(unknown_element(value))
        }
        (Some(Kind::Tuple), Some(Kind::Number) | None) => Ok(Value::dynamic()),
        (_, Some(Kind::Number)) => Err(PathProblem::NotAList),
        (_, Some(Kind::String)) => Err(PathProblem::NotAMap),
        _ => Err(PathProblem::KeyKind),
    }
}

/// The element at a position. Of an unknown tuple the type says which positions there are, of an unknown list nothing
/// does.
fn take_position(value: &Value, number: &Number) -> Result<Value, PathProblem> {
    let position = number.to_usize();
    match value.kind() {
        Kind::List | Kind::Tuple => {
            let elements = value.elements().unwrap_or_default();
            position.and_then(|i| elements.get(i)).cloned().ok_or(PathProblem::NoSuchElement)
        }
        Kind::Unknown if value.is_dynamic_unknown() => Ok(Value::dynamic()),
        Kind::Unknown => match value.ty() {
            Type::List(element) => Ok(Value::unknown((*element).clone())),
            Type::Tuple(tuple) => {
                let element = position.and_then(|i| tuple.elements().get(i));
                element.cloned().map(Value::unknown).ok_or(PathProblem::NoSuchElement)
            }
            _ => Err(PathProblem::NotAList),
        },
        _ => Err(PathProblem::NotAList),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_key_finds_that_is_not_known_depends_on_both_types() {
        use PathProblem::{KeyKind, NotAList, NotAMap};
        let (number, text, any) = (Type::Number, Type::String, Type::Dynamic);
        let (list, map) = (Type::list(Type::Bool), Type::map(Type::Bool));
        let tuple = Type::tuple(vec![Type::Bool]);
        let element = || Ok(Type::Bool);
        let expected = [
            (&list, &number, element()),
            (&list, &any, element()),
            (&list, &text, Err(NotAMap)),
            (&map, &text, element()),
            (&map, &any, element()),
            (&map, &number, Err(NotAList)),
            (&tuple, &number, Ok(Type::Dynamic)),
            (&tuple, &any, Ok(Type::Dynamic)),
            (&tuple, &text, Err(NotAMap)),
            (&text, &number, Err(NotAList)),
            (&text, &any, Err(KeyKind)),
            (&list, &Type::Bool, Err(KeyKind)),
            (&any, &Type::Bool, Ok(Type::Dynamic)),
        ];
        for (ty, key, found) in expected {
            let part = take_unknown(&Value::unknown(ty.clone()), key.kind()).map(|part| part.ty());
            assert_eq!(part, found, "{ty:?} by {key:?}");
        }
    }
}
