//! Defaults of optional attributes, and putting them into values.
//!
//! `optional(string, "x")` leaves two things: the flag in the type, and a default here, in a tree that
//! follows the type down to where defaults are. They are put in *before* the value is converted, for
//! conversion alone would fill in nulls. A value that does not have the shape of the type passes through;
//! the conversion that follows says what is wrong.

use std::sync::OnceLock;

use super::Type;
use crate::Str;
use crate::convert::unify_values;
use crate::limits::{LimitReached, Meter, Pace, go_on, hold};
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
    parts: Parts,
}

/// The defaults further in, of parts that have any.
#[derive(Clone, Debug)]
enum Parts {
    /// Of the attributes of an object, in the order of their names.
    Attributes(Vec<(Str, OfAttribute)>),
    /// Of the elements of a tuple, in the order of their positions.
    Positions(Vec<(usize, Defaults)>),
    /// Of every element of a collection.
    Element(Box<Defaults>),
}

/// The defaults of an attribute.
#[derive(Clone, Debug)]
pub(crate) struct OfAttribute {
    /// The value that stands for it where it is missing.
    value: Option<Value>,
    /// The defaults within its type: few attributes have some.
    within: Option<Box<Within>>,
}

/// The defaults within the type of an attribute.
#[derive(Clone, Debug)]
struct Within {
    defaults: Defaults,
    /// The default of the attribute with these defaults, once it has been asked for: all objects share it.
    whole: OnceLock<Value>,
}

impl OfAttribute {
    /// The defaults of an attribute, if it has any.
    pub(crate) fn new(value: Option<Value>, within: Option<Defaults>) -> Option<Self> {
        let within = within.map(|defaults| Box::new(Within { defaults, whole: OnceLock::new() }));
        (value.is_some() || within.is_some()).then_some(Self { value, within })
    }

    /// The default, with the defaults within it.
    fn whole(&self, default: &Value, pace: Pace<'_, '_>) -> Result<Value, LimitReached> {
        go_on(pace, 1)?;
        let Some(within) = &self.within else { return Ok(default.clone()) };
        if let Some(whole) = within.whole.get() {
            return Ok(whole.clone());
        }
        let whole = within.defaults.applied(default, pace)?;
        Ok(within.whole.get_or_init(|| whole).clone())
    }

    /// Puts a default in the place of a part that is null; whether anything changed. Beside a default that is
    /// not null an unknown attribute can't turn out null.
    fn put_in(&self, default: &Value, part: &mut Value, pace: Pace<'_, '_>) -> Result<bool, LimitReached> {
        if part.is_null() {
            // The marks of the null that is replaced say where the decision came from.
            *part = self.whole(default, pace)?.with_marks(part.marks());
            return Ok(true);
        }
        let refinable = !part.is_known() && default.is_surely_not_null();
        if refinable && !part.is_surely_not_null() && !part.is_dynamic_unknown() {
            *part = part.clone().refine_not_null();
            return Ok(true);
        }
        Ok(false)
    }
}

impl Defaults {
    /// The defaults of an object type: of its attributes, in the order of their names.
    pub(crate) fn of_object(ty: Type, attributes: Vec<(Str, OfAttribute)>) -> Option<Self> {
        (!attributes.is_empty()).then_some(Self { ty, parts: Parts::Attributes(attributes) })
    }

    /// The defaults within the elements of a tuple type, in the order of their positions.
    pub(crate) fn of_tuple(ty: Type, elements: Vec<(usize, Defaults)>) -> Option<Self> {
        (!elements.is_empty()).then_some(Self { ty, parts: Parts::Positions(elements) })
    }

    /// The defaults within the elements of a collection type.
    pub(crate) fn of_collection(ty: Type, element: Defaults) -> Self {
        Self { ty, parts: Parts::Element(Box::new(element)) }
    }

    /// The type that these defaults are of.
    #[must_use]
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// The defaults of the attributes, in the order of their names.
    pub fn values(&self) -> impl Iterator<Item = (&Str, &Value)> {
        self.defaults().map(|(name, value, _)| (name, value))
    }

    /// The defaults of the attributes that have one, each also with what else is known of the attribute.
    fn defaults(&self) -> impl Iterator<Item = (&Str, &Value, &OfAttribute)> {
        self.attributes().iter().filter_map(|(name, of)| Some((name, of.value.as_ref()?, of)))
    }

    /// The defaults further in: by attribute name, by position as digits, or under the empty name for the
    /// elements of a collection.
    #[must_use]
    pub fn children(&self) -> Vec<(Str, &Defaults)> {
        match &self.parts {
            Parts::Attributes(attributes) => attributes
                .iter()
                .filter_map(|(name, defaults)| Some((name.clone(), &defaults.within.as_ref()?.defaults)))
                .collect(),
            Parts::Positions(elements) => {
                elements.iter().map(|(position, within)| (Str::from(position.to_string()), within)).collect()
            }
            Parts::Element(element) => vec![(Str::default(), element.as_ref())],
        }
    }

    /// The value with defaults for the attributes that it lacks or that are null, at any depth. Null and
    /// unknown objects stay as they are.
    #[must_use]
    pub fn apply(&self, value: &Value) -> Value {
        self.applied(value, &mut None).unwrap_or_else(|_| value.clone())
    }

    /// [`Defaults::apply`] with looks at the limits of a meter, which is asked for the room.
    ///
    /// # Errors
    /// A limit has been reached.
    pub fn apply_within(&self, value: &Value, meter: &mut Meter) -> Result<Value, LimitReached> {
        self.applied(value, &mut Some(meter))
    }

    fn applied(&self, value: &Value, pace: Pace<'_, '_>) -> Result<Value, LimitReached> {
        Ok(self.changed(value, pace)?.unwrap_or_else(|| value.clone()))
    }

    /// The value with defaults, if that differs from the value.
    fn changed(&self, value: &Value, pace: Pace<'_, '_>) -> Result<Option<Value>, LimitReached> {
        let depth = value.summary().depth;
        stack::grow(depth, || match &value.0 {
            Repr::Marked(marked) => {
                let changed = self.changed(&marked.value, pace)?;
                Ok(changed.map(|changed| changed.with_marks(&marked.marks)))
            }
            Repr::List(_) | Repr::Set(_) | Repr::Tuple(_) => self.changed_sequence(value, pace),
            Repr::Object(_) | Repr::Map(_) => self.changed_keyed(value, pace),
            Repr::String(_)
            | Repr::Null(_)
            | Repr::Bool(_)
            | Repr::Number(_)
            | Repr::Capsule(_)
            | Repr::Unknown(_) => Ok(None),
        })
    }

    fn attributes(&self) -> &[(Str, OfAttribute)] {
        match &self.parts {
            Parts::Attributes(attributes) => attributes,
            Parts::Positions(_) | Parts::Element(_) => &[],
        }
    }

    fn at_position(&self, position: usize) -> Option<&Defaults> {
        match &self.parts {
            Parts::Positions(elements) => {
                let at = elements.binary_search_by_key(&position, |(position, _)| *position).ok()?;
                Some(&elements[at].1)
            }
            Parts::Element(element) => Some(element),
            Parts::Attributes(_) => None,
        }
    }

    fn at_name(&self, name: &str) -> Option<&Defaults> {
        match &self.parts {
            Parts::Attributes(attributes) => {
                let at = attributes.binary_search_by(|(at, _)| at.as_str().cmp(name)).ok()?;
                Some(&attributes[at].1.within.as_ref()?.defaults)
            }
            Parts::Element(element) => Some(element),
            Parts::Positions(_) => None,
        }
    }

    /// A list or set whose elements no longer are of one type, and can't be brought back to one, becomes a
    /// tuple.
    fn changed_sequence(&self, value: &Value, pace: Pace<'_, '_>) -> Result<Option<Value>, LimitReached> {
        let Some(elements) = value.elements() else { return Ok(None) };
        hold(pace, size_of_val(elements))?;
        let mut any = false;
        let mut changed = Vec::with_capacity(elements.len());
        for (i, element) in elements.iter().enumerate() {
            go_on(pace, 1)?;
            changed.push(match self.at_position(i) {
                Some(defaults) => defaults.part(element, &mut any, pace)?,
                None => element.clone(),
            });
        }
        if !any {
            return Ok(None);
        }
        hold(pace, size_of_val(elements))?;
        Ok(Some(match &value.0 {
            Repr::Tuple(_) => Value::tuple(changed),
            sequence => match unify_values(&mut changed, pace)? {
                Ok(ty) if matches!(sequence, Repr::List(_)) => Value::list(ty, changed),
                Ok(ty) => Value::set_on(ty, changed, pace)?,
                Err(_) => Value::tuple(changed),
            },
        }))
    }

    /// A map likewise becomes an object.
    fn changed_keyed(&self, value: &Value, pace: Pace<'_, '_>) -> Result<Option<Value>, LimitReached> {
        let Some(present) = value.entries() else { return Ok(None) };
        let most = present.len() + self.attributes().len();
        // The list, and the names and values that it is split into.
        hold(pace, 2 * most * size_of::<(Str, Value)>())?;
        let mut any = false;
        let mut entries = Vec::with_capacity(most);
        let mut defaults = self.defaults().peekable();
        for (name, part) in present {
            while let Some((missing, default, of)) = defaults.next_if(|(missing, ..)| *missing < name) {
                any = true;
                entries.push((missing.clone(), of.whole(default, pace)?));
            }
            go_on(pace, 1)?;
            let mut part = match self.at_name(name) {
                Some(defaults) => defaults.part(part, &mut any, pace)?,
                None => part.clone(),
            };
            if let Some((_, default, of)) = defaults.next_if(|(same, ..)| *same == name) {
                any |= of.put_in(default, &mut part, pace)?;
            }
            entries.push((name.clone(), part));
        }
        for (missing, default, of) in defaults {
            any = true;
            entries.push((missing.clone(), of.whole(default, pace)?));
        }
        if !any {
            return Ok(None);
        }
        if let Repr::Map(_) = &value.0 {
            let (names, mut values): (Vec<Str>, Vec<Value>) = entries.into_iter().unzip();
            let ty = unify_values(&mut values, pace)?;
            let entries = names.into_iter().zip(values).collect();
            return Ok(Some(match ty {
                Ok(ty) => Value::map_on(ty, entries, pace)?,
                Err(_) => Value::object_on(entries, pace)?,
            }));
        }
        Value::object_on(entries, pace).map(Some)
    }

    /// A part with these defaults; whether it differs is added to `any`.
    fn part(&self, part: &Value, any: &mut bool, pace: Pace<'_, '_>) -> Result<Value, LimitReached> {
        let changed = self.changed(part, pace)?;
        *any |= changed.is_some();
        Ok(changed.unwrap_or_else(|| part.clone()))
    }
}
