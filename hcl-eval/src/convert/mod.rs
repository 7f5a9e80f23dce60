//! Conversion: a value of one type as a value of another.
//!
//! Which conversions exist is decided by types alone (`rules`); the work itself is led by the value. A
//! value that already is what is wanted comes back as it is, shared, and parts that need no change are
//! shared too. No type of a large value is built on the way: while every part converts, nobody needs to
//! know it. Only when something fails are the types looked at as a whole, because "there is no such
//! conversion" takes precedence over what went wrong with one part.
//!
//! Elsewhere: `primitive`, `collection` (from lists, sets, maps), `structural` (from tuples, objects),
//! `parts` (agreement on one element type), `unknown` (nulls, unknowns and what is kept of their
//! refinement), `mismatch` (all wording).

mod collection;
mod mismatch;
mod parts;
mod primitive;
pub(crate) mod rules;
mod structural;
mod unknown;

pub use mismatch::mismatch;
pub(crate) use parts::{Disagreement, unify_values};
pub use rules::Safety;

use crate::limits::{Charge, LimitReached, Meter, Pace, hold};
use crate::stack;
use crate::types::{ObjectType, Type};
use crate::value::shape::Shape;
use crate::value::{PathStep, Repr, Value, ValueError};
use rules::Rules;

/// The kind of conversion from one type to another.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::convert::{Conversion, conversion_kind};
///
/// assert_eq!(conversion_kind(&Type::Number, &Type::String), Conversion::Safe);
/// assert_eq!(conversion_kind(&Type::String, &Type::Number), Conversion::Unsafe);
/// assert_eq!(conversion_kind(&Type::Bool, &Type::Number), Conversion::None);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Conversion {
    /// They are of that type already.
    Same,
    /// They all convert.
    Safe,
    /// Some of them may not convert.
    Unsafe,
    /// None of them converts.
    None,
}

/// Converts a value. Unsafe conversions are allowed; marks stay where they are, or move up to a set that
/// can't hold them inside.
///
/// # Errors
/// There is no conversion between the types, or this value is none that converts. The error's path leads to
/// the part that did not convert.
///
/// ```
/// use hcl_eval::{Type, Value, convert::convert};
///
/// let port = convert(&Value::string("8080"), &Type::Number)?;
/// assert!(port.raw_equals(&convert(&Value::string("8.08e3"), &Type::Number)?));
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
pub fn convert(value: &Value, to: &Type) -> Result<Value, ValueError> {
    if is_converted(value, to) { Ok(value.clone()) } else { convert_other(value, to) }
}

/// Returns true for what every conversion leaves as it is.
pub(crate) fn is_converted(value: &Value, to: &Type) -> bool {
    matches!(
        (&value.0, to),
        (_, Type::Dynamic)
            | (Repr::String(_), Type::String)
            | (Repr::Number(_), Type::Number)
            | (Repr::Bool(_), Type::Bool)
    )
}

/// [`convert`] with looks at the limits of a meter, to which the work has been charged.
///
/// # Errors
/// As [`convert`], and when a bound has been reached.
pub fn convert_within(value: &Value, to: &Type, meter: &mut Meter) -> Result<Value, ValueError> {
    if is_converted(value, to) { Ok(value.clone()) } else { convert_paced(value, to, meter) }
}

fn convert_paced(value: &Value, to: &Type, meter: &mut Meter) -> Result<Value, ValueError> {
    convert_with(value, to, Charge::Parts(Some(meter)))
}

/// [`convert`], charged to a meter: a step for each part that is looked at, and memory for each that is made.
///
/// # Errors
/// As [`convert`], and when a bound has been reached.
pub fn convert_metered(value: &Value, to: &Type, meter: &mut Meter) -> Result<Value, ValueError> {
    convert_with(value, to, Charge::Elements(meter))
}

/// [`convert_within`] with a meter or without one.
pub(crate) fn convert_on(value: &Value, to: &Type, pace: Pace<'_, '_>) -> Result<Value, ValueError> {
    match is_converted(value, to) {
        true => Ok(value.clone()),
        false => convert_with(value, to, Charge::Parts(pace.as_deref_mut())),
    }
}

fn convert_other(value: &Value, to: &Type) -> Result<Value, ValueError> {
    convert_with(value, to, Charge::Parts(None))
}

/// Converts by the rules of the language, charged as told. A type with optional attributes is the shape of what is
/// wanted; the value that is made has the type without them.
fn convert_with(value: &Value, to: &Type, charge: Charge<'_>) -> Result<Value, ValueError> {
    let bare;
    let target = if to.has_optional() {
        bare = to.without_optional();
        Target { want: to, bare: &bare }
    } else {
        Target::exactly(to)
    };
    let mut converter = Converter::new(Rules::charged(Safety::Unsafe, charge));
    let converted = converter.step(value, target, Types::Unchecked);
    // From a limit on the rules have said "no", which needs no explanation.
    if let Some(limit) = converter.rules.stopped() {
        return Err(limit.into());
    }
    match converted {
        Ok(None) => Ok(value.clone()),
        Ok(Some(converted)) => Ok(converted),
        Err(failure) => {
            let error = explain(value, to, failure, &mut converter.rules);
            Err(converter.rules.stopped().map_or(error, ValueError::from))
        }
    }
}

/// Returns the kind of conversion from type `from` to type `to`.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::convert::{Conversion, conversion_kind};
///
/// let pair = Type::tuple(vec![Type::Number, Type::Number]);
/// assert_eq!(conversion_kind(&pair, &Type::list(Type::Number)), Conversion::Safe);
/// assert_eq!(conversion_kind(&pair, &pair), Conversion::Same);
/// ```
#[must_use]
pub fn conversion_kind(from: &Type, to: &Type) -> Conversion {
    if from == to {
        Conversion::Same
    } else if Rules::new(Safety::Safe).exists(from, to) {
        Conversion::Safe
    } else if Rules::new(Safety::Unsafe).exists(from, to) {
        Conversion::Unsafe
    } else {
        Conversion::None
    }
}

/// Returns true if values of type `from` are of type `to` or some of them convert to it, with looks at the limits of a meter.
///
/// # Errors
/// A bound has been reached.
#[cfg(feature = "basics")]
pub(crate) fn conversion_exists(from: &Type, to: &Type, meter: &mut Meter) -> Result<bool, LimitReached> {
    let mut rules = Rules::charged(Safety::Unsafe, Charge::Parts(Some(meter)));
    let exists = from == to || rules.exists(from, to);
    rules.stopped().map_or(Ok(exists), Err)
}

/// The error to report: that the types don't convert, if so, else what happened to the value.
fn explain(value: &Value, to: &Type, failure: Failure, rules: &mut Rules<'_>) -> ValueError {
    match failure {
        Failure::Value(refusal) if rules.exists_for(value, to) => {
            let Refusal { mut error, inside_out } = *refusal;
            let within = error.path.steps().to_vec();
            error.path = inside_out.into_iter().rev().chain(within).collect();
            error
        }
        Failure::Value(_) | Failure::Type if value.hides_names() => {
            ValueError::conversion(mismatch::required_only(to))
        }
        Failure::Value(_) | Failure::Type => ValueError::conversion(mismatch::for_value(rules, value, to)),
    }
}

/// Why a part did not convert.
enum Failure {
    /// Values of its type never do.
    Type,
    /// This one doesn't.
    Value(Box<Refusal>),
}

/// The problem with a part.
struct Refusal {
    error: ValueError,
    /// The way to the part, its last step first.
    inside_out: Vec<PathStep>,
}

impl Failure {
    fn of_value(sentence: impl Into<String>) -> Failure {
        ValueError::conversion(sentence).into()
    }

    fn under(mut self, step: PathStep) -> Failure {
        if let Failure::Value(refusal) = &mut self {
            refusal.inside_out.push(step);
        }
        self
    }
}

impl From<ValueError> for Failure {
    fn from(error: ValueError) -> Failure {
        Failure::Value(Box::new(Refusal { error, inside_out: Vec::new() }))
    }
}

impl From<LimitReached> for Failure {
    fn from(limit: LimitReached) -> Failure {
        ValueError::from(limit).into()
    }
}

/// The outcome of converting a value: `None` when it already was what is wanted.
type Step = Result<Option<Value>, Failure>;

/// The target of a conversion: the type as it was asked for, and without the flags of optional attributes, as values
/// have it. The two are walked side by side, so that results share the parts of one type.
#[derive(Copy, Clone)]
struct Target<'t> {
    want: &'t Type,
    bare: &'t Type,
}

impl<'t> Target<'t> {
    /// A type without optional attributes.
    fn exactly(ty: &'t Type) -> Target<'t> {
        Target { want: ty, bare: ty }
    }

    /// The element type, if this is a collection type.
    fn element(self) -> Option<Target<'t>> {
        Some(Target { want: self.want.element_type()?, bare: self.bare.element_type()? })
    }
}

/// The knowledge that a conversion between the types exists.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Types {
    /// It is: the types that contain these have been compared.
    Checked,
    /// It is not.
    Unchecked,
}

/// How many shapes of result objects are kept at hand.
const KEPT_SHAPES: usize = 16;

/// One conversion at work.
struct Converter<'t, 'm> {
    /// Which conversions there are, and who listens.
    rules: Rules<'m>,
    /// The shapes of objects made so far, so that those of one type share theirs.
    shapes: Vec<(&'t ObjectType, Shape)>,
    /// Something has kept a type that it should not have: an unknown list that was a set.
    deviates: bool,
}

impl<'t, 'm> Converter<'t, 'm> {
    fn new(rules: Rules<'m>) -> Self {
        Self { rules, shapes: Vec::new(), deviates: false }
    }

    /// Charges for one part.
    fn charge(&mut self) -> Result<(), Failure> {
        Ok(self.rules.charge.part()?)
    }

    /// Asks for room for a list of so many parts, and for a copy of it where it stays.
    fn hold_list(&mut self, n: usize) -> Result<(), Failure> {
        let bytes = n.saturating_mul(2 * size_of::<Value>());
        Ok(hold(&mut self.rules.charge.pace(), bytes)?)
    }

    /// Converts one value; what has parts goes on in the file of its kind.
    fn step(&mut self, value: &Value, to: Target<'t>, types: Types) -> Step {
        self.charge()?;
        match (&value.0, to.want) {
            (_, Type::Dynamic) => Ok(None),
            (Repr::Marked(marked), _) => {
                let inner = self.step(&marked.value, to, types)?;
                Ok(inner.map(|converted| converted.with_marks(&marked.marks)))
            }
            (Repr::Unknown(unknown), _) => self.unknown(unknown, to, types),
            (Repr::Null(from), _) => self.null(from, to, types),
            (Repr::String(_) | Repr::Number(_) | Repr::Bool(_), Type::Bool | Type::Number | Type::String) => {
                primitive::convert(value, to.want, &mut self.rules.charge.pace())
            }
            (Repr::Capsule(_), _) | (_, Type::Capsule(_)) => capsule(value, to.want),
            _ => {
                let depth = value.summary().depth;
                stack::grow(depth, || self.compound(value, to, types))
            }
        }
    }

    /// Converts a value by its parts; what has none fits no type that has some.
    fn compound(&mut self, value: &Value, to: Target<'t>, types: Types) -> Step {
        match &value.0 {
            Repr::List(list) => self.convert_list(list, to, types),
            Repr::Set(set) => self.convert_set(set, to, types),
            Repr::Map(map) => self.convert_map(map, to, types),
            Repr::Tuple(tuple) => self.convert_tuple(tuple.elements(), to, types),
            Repr::Object(object) => self.convert_object(object, to, types),
            Repr::String(_)
            | Repr::Null(_)
            | Repr::Bool(_)
            | Repr::Number(_)
            | Repr::Capsule(_)
            | Repr::Unknown(_)
            | Repr::Marked(_) => Err(Failure::Type),
        }
    }

    /// Converts a part, which the result needs in any case.
    fn part(
        &mut self,
        part: &Value,
        to: Target<'t>,
        types: Types,
        place: impl FnOnce() -> PathStep,
    ) -> Result<Value, Failure> {
        match self.step(part, to, types) {
            Ok(None) => Ok(part.clone()),
            Ok(Some(converted)) => Ok(converted),
            Err(failure) => Err(failure.under(place())),
        }
    }

    /// Fails unless there is a conversion; the result says that this need not be asked again.
    fn check(&mut self, types: Types, from: &Type, to: &Type) -> Result<Types, Failure> {
        if types == Types::Checked || self.rules.ask(from, to) {
            Ok(Types::Checked)
        } else {
            Err(Failure::Type)
        }
    }

    /// The shape of objects of a type.
    fn shape_of(&mut self, object: &'t ObjectType) -> Shape {
        if let Some((_, shape)) = self.shapes.iter().find(|(known, _)| std::ptr::eq(*known, object)) {
            return shape.clone();
        }
        let shape = Shape::from_sorted(object.attributes().iter().map(|a| a.name.clone()));
        if self.shapes.len() < KEPT_SHAPES {
            self.shapes.push((object, shape.clone()));
        }
        shape
    }
}

/// Capsules convert as their host says.
fn capsule(value: &Value, to: &Type) -> Step {
    let from = value.ty();
    if from == *to {
        return Ok(None);
    }
    if let Type::Capsule(capsule) = to
        && let Some(operations) = capsule.operations()
        && let Some(converted) = operations.convert_from(value)
    {
        return converted.map(Some).map_err(Failure::from);
    }
    if let Repr::Capsule(capsule) = &value.0
        && let Some(operations) = capsule.ty().operations()
        && let Some(converted) = operations.convert_to(capsule, to)
    {
        return converted.map(Some).map_err(Failure::from);
    }
    Err(Failure::Type)
}
