//! Values: what expressions evaluate to.
//!
//! A value is known content, null (of a type) or unknown (of a type, perhaps refined), and any of these may
//! carry marks. It takes 24 bytes, is immutable and shared: a clone copies nothing. Constructors keep the
//! invariants, so the rest of the code need not check them: text is NFC, maps and objects are sorted by the
//! bytes of their keys, sets are distinct and in their own order and hold no marks, marks never nest
//! directly.
//!
//! Accessors such as [`Value::as_str`] look through the value's own marks; a caller that passes a part on is
//! responsible for the marks ([`Value::marks`]).
//!
//! Elsewhere: `collection` reads and makes containers, `assembly` many of them, `merging` one of several, `node` holds their
//! memory, `equality`, [`arithmetic`], [`logic`] and [`index`] are the operators, `display` and [`json`] the text forms, `rust`
//! has the conversions from and into Rust's own types.

pub mod arithmetic;
pub(crate) mod assembly;
pub(crate) mod capsule;
pub(crate) mod collection;
mod composition;
mod display;
mod equality;
pub mod error;
mod fingerprint;
pub mod index;
pub mod json;
pub mod logic;
mod marks;
#[cfg(feature = "basics")]
pub(crate) mod merging;
pub(crate) mod node;
pub mod number;
mod path;
pub(crate) mod quote;
pub mod range;
mod refinement;
mod rust;
pub(crate) mod scattered;
pub(crate) mod set;
pub(crate) mod set_hash;
pub(crate) mod shape;
pub(crate) mod string;
pub(crate) mod unknown;
mod walk;

use hcl_syntax::limits::Stopped;
use triomphe::Arc;

pub use capsule::{Capsule, CapsuleOperations};
pub use collection::Entries;
pub use display::{Layout, Reveal};
pub use error::{JsonProblem, ValueError, ValueErrorKind, ValueProblem};
pub use marks::{Mark, Marks};
pub use number::Number;
pub use path::{Path, PathStep};
pub use refinement::{Bound, Refinement};
pub use shape::Shape;

use crate::Str;
use crate::limits::{BYTES_PER_PART, LimitReached, Limits, Meter, Pace, go_on, hold};
use crate::types::{ObjectAttribute, Type};
use marks::Marked;
use node::{List, Map, Node, Object, Set, Summary, Tuple};
use unknown::Unknown;

/// A value of the language: text, number, bool, collection, object, null or unknown, perhaps with marks.
///
/// ```
/// use hcl_eval::{Kind, Type, Value};
///
/// let server = Value::from_iter([("name", Value::from("web")), ("ports", Value::from([80, 443]))]);
/// assert_eq!(server.get_attribute("name").and_then(|name| name.as_str()), Some("web"));
/// assert_eq!(server.to_json()?, r#"{"name":"web","ports":[80,443]}"#);
///
/// let ports = Value::list(Type::Number, vec![Value::from(80)]);
/// assert_eq!((ports.kind(), ports.len()), (Kind::List, Some(1)));
/// assert!(Value::null(Type::String).is_null());
/// assert!(!Value::unknown(Type::String).is_known());
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
pub struct Value(pub(crate) Repr);

/// Texts of fewer bytes are next to nothing to look at.
pub(crate) const LIGHT_TEXT: usize = 64;

const _: () = assert!(size_of::<Value>() as u64 == crate::limits::ELEMENT_BYTES);
const _: () = assert!(size_of::<Option<Value>>() == 24);

const _: fn() = || {
    fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<Value>();
};

#[derive(Clone)]
pub(crate) enum Repr {
    String(Str),
    Null(Type),
    Bool(bool),
    Number(Number),
    List(List),
    Set(Set),
    Map(Map),
    Tuple(Tuple),
    Object(Object),
    Capsule(Capsule),
    Unknown(Unknown),
    Marked(Arc<Marked>),
}

/// The kind of a value, whatever its marks.
///
/// ```
/// use hcl_eval::{Kind, Type, Value};
///
/// assert_eq!(Value::from("80").kind(), Kind::String);
/// assert_eq!(Value::from([80]).kind(), Kind::Tuple);
/// assert_eq!(Value::null(Type::String).kind(), Kind::Null);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Null of any type.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A text.
    String,
    /// A known list; its elements may be unknown.
    List,
    /// A known set.
    Set,
    /// A known map.
    Map,
    /// A known tuple.
    Tuple,
    /// A known object.
    Object,
    /// A host value.
    Capsule,
    /// Unknown, of any type.
    Unknown,
}

impl Value {
    /// `true`.
    pub const TRUE: Value = Value::bool(true);
    /// `false`.
    pub const FALSE: Value = Value::bool(false);

    /// Null of a type; optional attributes of the type don't count.
    ///
    /// ```
    /// use hcl_eval::{Type, Value};
    ///
    /// let none = Value::null(Type::Number);
    /// assert!(none.is_null());
    /// assert_eq!(none.ty(), Type::Number);
    /// ```
    #[must_use]
    pub fn null(ty: Type) -> Value {
        Value(Repr::Null(if ty.is_structural() || ty.is_collection() { ty.without_optional() } else { ty }))
    }

    /// A truth value.
    #[must_use]
    pub const fn bool(value: bool) -> Value {
        Value(Repr::Bool(value))
    }

    /// A number.
    #[must_use]
    pub const fn number(number: Number) -> Value {
        Value(Repr::Number(number))
    }

    /// A number as written; the parser has checked the digits.
    pub(crate) fn of_digits(digits: &str) -> Value {
        Number::parse(digits).map_or_else(Value::dynamic, Value::number)
    }

    /// A machine integer, with 64 bits of precision.
    #[must_use]
    pub const fn int(value: i64) -> Value {
        Value(Repr::Number(Number::from_i64(value)))
    }

    /// A count, with 64 bits of precision.
    #[must_use]
    pub fn count(value: usize) -> Value {
        Value::int(i64::try_from(value).unwrap_or(i64::MAX))
    }

    /// A text, normalised.
    #[must_use]
    pub fn string(text: impl AsRef<str>) -> Value {
        Value(Repr::String(string::normalized(text.as_ref())))
    }

    /// [`Value::string`] with looks at the deadline and the switch of limits.
    ///
    /// # Errors
    /// One of them ends the work, or the system has no memory for it.
    ///
    /// ```
    /// use hcl_eval::Value;
    /// use hcl_eval::limits::Limits;
    /// use hcl_syntax::limits::{CancelToken, Stopped};
    ///
    /// let text = "e\u{301}".repeat(1 << 20);
    /// assert!(Value::string_within(&text, &Limits::default()).is_ok());
    /// let limits = Limits { cancel: Some(CancelToken::asking(|| true)), ..Limits::default() };
    /// assert_eq!(Value::string_within(&text, &limits).unwrap_err(), Stopped::Cancelled);
    /// ```
    pub fn string_within(text: &str, limits: &Limits) -> Result<Value, Stopped> {
        let limits = Limits { max_memory: u64::MAX, ..limits.clone() };
        match string::normalize_within(text, &mut Some(&mut Meter::new(limits))) {
            Ok(text) => Ok(Value::string_nfc(text)),
            Err(LimitReached::Deadline) => Err(Stopped::Deadline),
            Err(LimitReached::Cancelled) => Err(Stopped::Cancelled),
            Err(_) => Err(Stopped::OutOfMemory),
        }
    }

    /// A text that is known to be normalised.
    #[must_use]
    pub const fn string_nfc(text: Str) -> Value {
        Value(Repr::String(text))
    }

    /// Returns the kind of the value, whatever its marks.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match &self.unmarked().0 {
            Repr::String(_) => Kind::String,
            Repr::Null(_) => Kind::Null,
            Repr::Bool(_) => Kind::Bool,
            Repr::Number(_) => Kind::Number,
            Repr::List(_) => Kind::List,
            Repr::Set(_) => Kind::Set,
            Repr::Map(_) => Kind::Map,
            Repr::Tuple(_) => Kind::Tuple,
            Repr::Object(_) => Kind::Object,
            Repr::Capsule(_) => Kind::Capsule,
            Repr::Unknown(_) => Kind::Unknown,
            Repr::Marked(_) => unreachable!("marks do not nest directly"),
        }
    }

    /// Returns whether the value is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.unmarked().0, Repr::Null(_))
    }

    /// Returns whether the value itself is known; its parts may be unknown.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(self.unmarked().0, Repr::Unknown(_))
    }

    /// Returns whether the value and all its parts are known.
    #[must_use]
    pub fn is_wholly_known(&self) -> bool {
        !self.summary().contains_unknown()
    }

    /// Returns whether nothing at all is known, not even the type.
    #[must_use]
    pub fn is_dynamic_unknown(&self) -> bool {
        matches!(&self.unmarked().0, Repr::Unknown(Unknown::Plain(Type::Dynamic)))
    }

    /// Returns whether the type of the value and of all its parts is known.
    #[must_use]
    pub fn has_wholly_known_type(&self) -> bool {
        !self.summary().contains_dynamic_unknown()
    }

    /// Returns whether the type has dynamic parts, without making the type.
    #[must_use]
    pub fn has_dynamic_type(&self) -> bool {
        self.summary().has_dynamic_type()
    }

    /// How deep the value nests: 0 for values without parts.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.summary().depth
    }

    /// How much there is to look at: the value and all its parts, those that are shared as often as they
    /// occur, long texts and numbers by their length; [`u32::MAX`] for that many or more.
    ///
    /// Values share their parts, so a few of them can say more than any memory holds:
    /// `[a, a]`, of that again two, and so on. A maker of containers for others bounds this.
    #[must_use]
    pub fn weight(&self) -> u32 {
        self.summary().weight
    }

    /// Returns whether there is obviously next to nothing to look at.
    pub(crate) fn is_light(&self) -> bool {
        if let Repr::String(text) = &self.0 { text.len() < LIGHT_TEXT } else { self.is_light_other() }
    }

    /// That of a value that is no text. A part of its caller, it would tell all kinds at once: five instructions more for a text.
    #[inline(never)]
    fn is_light_other(&self) -> bool {
        match &self.0 {
            Repr::Number(number) => !number.is_big(),
            Repr::Bool(_) => true,
            _ => false,
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.as_text().map(Str::as_str)
    }

    /// The text of a string, to be shared.
    #[must_use]
    pub fn as_text(&self) -> Option<&Str> {
        if let Repr::String(text) = &self.unmarked().0 { Some(text) } else { None }
    }

    /// The truth value of a bool.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Repr::Bool(value) = self.unmarked().0 { Some(value) } else { None }
    }

    /// The number.
    #[must_use]
    pub fn as_number(&self) -> Option<&Number> {
        if let Repr::Number(number) = &self.unmarked().0 { Some(number) } else { None }
    }

    /// The type, without marks. Made anew for structural values, of all that is in them: see [`Value::is_type`],
    /// [`Value::same_type`], [`Value::type_kind`] and [`Value::type_name`] for questions that need no type.
    #[must_use]
    pub fn ty(&self) -> Type {
        self.ty_on(&mut None).unwrap_or(Type::Dynamic)
    }

    /// [`Value::ty`] within the limits of a meter, which is asked for the room.
    ///
    /// ```
    /// use hcl_eval::limits::Meter;
    /// use hcl_eval::{Type, Value};
    ///
    /// assert_eq!(Value::from("a").type_within(&mut Meter::default()), Ok(Type::String));
    /// ```
    ///
    /// # Errors
    /// A bound has been reached.
    pub fn type_within(&self, meter: &mut Meter) -> Result<Type, LimitReached> {
        self.ty_on(&mut Some(meter))
    }

    /// [`Value::ty`] with looks at the limits of a meter, which is asked for the room.
    pub(crate) fn ty_on(&self, pace: Pace<'_, '_>) -> Result<Type, LimitReached> {
        self.ty_beside(&mut TypesOfParts::new(), pace)
    }

    /// The type, beside those of parts that have been made.
    fn ty_beside(&self, made: &mut TypesOfParts, pace: Pace<'_, '_>) -> Result<Type, LimitReached> {
        Ok(match &self.unmarked().0 {
            Repr::String(_) => Type::String,
            Repr::Bool(_) => Type::Bool,
            Repr::Number(_) => Type::Number,
            Repr::Null(ty) => ty.clone(),
            Repr::Unknown(unknown) => unknown.ty().clone(),
            Repr::Capsule(capsule) => Type::Capsule(capsule.ty().clone()),
            Repr::List(list) => Type::list(list.header().element.clone()),
            Repr::Set(set) => Type::set(set.header().element.clone()),
            Repr::Map(map) => Type::map(map.header().element.clone()),
            Repr::Tuple(tuple) => type_of_part(tuple, made, |made| tuple_type(tuple, made, pace))?,
            Repr::Object(object) => type_of_part(object, made, |made| object_type(object, made, pace))?,
            Repr::Marked(_) => unreachable!("marks do not nest directly"),
        })
    }

    /// Returns the kind of values of the type; `None` where values of any type may come. The type of a tuple or an object is not
    /// made for it.
    ///
    /// ```
    /// use hcl_eval::{Kind, Type, Value};
    ///
    /// assert_eq!(Value::from([80]).type_kind(), Some(Kind::Tuple));
    /// assert_eq!(Value::null(Type::String).type_kind(), Some(Kind::String));
    /// assert_eq!(Value::unknown(Type::Dynamic).type_kind(), None);
    /// ```
    #[must_use]
    pub fn type_kind(&self) -> Option<Kind> {
        match &self.unmarked().0 {
            Repr::Null(ty) => ty.kind(),
            Repr::Unknown(unknown) => unknown.ty().kind(),
            _ => Some(self.kind()),
        }
    }

    /// Returns the name of the type in messages, [`Type::friendly_name`]. The type of a tuple or an object is not made for it.
    ///
    /// ```
    /// use hcl_eval::Value;
    ///
    /// assert_eq!(Value::from([80]).type_name(), "tuple");
    /// ```
    #[must_use]
    pub fn type_name(&self) -> String {
        match &self.unmarked().0 {
            Repr::Tuple(_) => Type::tuple(Vec::new()),
            Repr::Object(_) => Type::object(Vec::new()),
            _ => self.ty(),
        }
        .friendly_name()
    }

    /// Where the block of memory is that the value shares, 0 if it has none of its own.
    pub(crate) fn address(&self) -> usize {
        match &self.0 {
            Repr::String(text) => text.address(),
            Repr::List(node) | Repr::Set(node) => node.address(),
            Repr::Map(node) => node.address(),
            Repr::Tuple(node) => node.address(),
            Repr::Object(node) => node.address(),
            Repr::Marked(marked) => marked.as_ptr().addr(),
            _ => 0,
        }
    }

    /// Others hold the block of memory, too.
    pub(crate) fn is_shared(&self) -> bool {
        match &self.0 {
            Repr::String(text) => text.is_shared(),
            Repr::List(node) | Repr::Set(node) => node.is_shared(),
            Repr::Map(node) => node.is_shared(),
            Repr::Tuple(node) => node.is_shared(),
            Repr::Object(node) => node.is_shared(),
            Repr::Marked(marked) => Arc::strong_count(marked) > 1,
            _ => false,
        }
    }

    /// Works on the parts, if nobody else holds them.
    pub(crate) fn with_own_parts(&mut self, work: &mut dyn FnMut(&mut [Value])) {
        match &mut self.0 {
            Repr::List(node) | Repr::Set(node) => node.with_own_elements(work),
            Repr::Map(node) => node.with_own_elements(work),
            Repr::Tuple(node) => node.with_own_elements(work),
            Repr::Object(node) => node.with_own_elements(work),
            _ => {}
        }
    }

    pub(crate) fn summary(&self) -> Summary {
        match &self.0 {
            Repr::String(text) => Summary::text(text.len()),
            Repr::Number(number) if number.is_long() => {
                Summary::text(usize::try_from(number.text_len_bound()).unwrap_or(usize::MAX))
            }
            Repr::Bool(_) | Repr::Number(_) | Repr::Capsule(_) => Summary::LEAF,
            Repr::Null(ty) => Summary::null(ty),
            Repr::Unknown(unknown) => Summary::unknown(unknown.ty()),
            Repr::List(node) | Repr::Set(node) => node.summary(),
            Repr::Map(node) => node.summary(),
            Repr::Tuple(node) => node.summary(),
            Repr::Object(node) => node.summary(),
            Repr::Marked(marked) => marked.value.summary().with_marks(),
        }
    }
}

/// The types of large parts of a value, with where their elements are: a value may have one part many times.
type TypesOfParts = Vec<(*const Value, Type)>;

/// Among so many of the last ones a part is looked for.
const N_SHARED: usize = 16;

/// From so many parts on a part is looked for.
const WORTH_SHARING: u32 = 1 << 10;

/// The type of a part that `make` makes, unless it has been made.
fn type_of_part<H>(
    part: &Node<H>,
    made: &mut TypesOfParts,
    make: impl FnOnce(&mut TypesOfParts) -> Result<Type, LimitReached>,
) -> Result<Type, LimitReached> {
    let Summary { depth, weight, .. } = part.summary();
    if weight < WORTH_SHARING {
        return crate::stack::grow(depth, || make(made));
    }
    let place = part.elements().as_ptr();
    // A part that comes again comes soon.
    if let Some((_, ty)) = made.iter().rev().take(N_SHARED).find(|(made_of, _)| *made_of == place) {
        return Ok(ty.clone());
    }
    let ty = crate::stack::grow(depth, || make(made))?;
    made.push((place, ty.clone()));
    Ok(ty)
}

fn tuple_type(tuple: &Tuple, made: &mut TypesOfParts, pace: Pace<'_, '_>) -> Result<Type, LimitReached> {
    let elements = tuple.elements();
    hold(pace, elements.len().saturating_mul(size_of::<Type>()))?;
    let mut types = Vec::with_capacity(elements.len());
    for element in elements {
        go_on(pace, 1)?;
        types.push(element.ty_beside(made, pace)?);
    }
    Ok(Type::tuple(types))
}

fn object_type(object: &Object, made: &mut TypesOfParts, pace: Pace<'_, '_>) -> Result<Type, LimitReached> {
    let (names, values) = (object.header().shape.names(), object.elements());
    hold(pace, values.len().saturating_mul(size_of::<ObjectAttribute>()))?;
    let mut attributes = Vec::with_capacity(values.len());
    for (name, value) in names.iter().zip(values) {
        // Types are compared, and told apart in tables, by their names.
        go_on(pace, 1 + name.len() / BYTES_PER_PART)?;
        attributes.push(ObjectAttribute::new(name.clone(), value.ty_beside(made, pace)?));
    }
    Ok(Type::object_from_sorted(attributes))
}

impl Clone for Value {
    fn clone(&self) -> Value {
        // These are what is cloned most; with paths of their own they are copied as they are. To tell texts from the others first
        // takes five instructions less than to tell all kinds at once.
        if let Repr::String(text) = &self.0 {
            return Value(Repr::String(text.clone()));
        }
        match &self.0 {
            Repr::Number(number) => Value(Repr::Number(number.clone())),
            Repr::Bool(value) => Value(Repr::Bool(*value)),
            _ => self.clone_other(),
        }
    }
}

impl Value {
    /// Drops the value; quick if it is one of those that own nothing and are dropped most.
    pub(crate) fn discard(self) {
        match &self.0 {
            Repr::Bool(_) => std::mem::forget(self),
            Repr::Number(number) if !number.is_big() => std::mem::forget(self),
            _ => drop(self),
        }
    }

    #[inline(never)] // Inlined, it makes `splat_1000` take 20 % more instructions.
    fn clone_other(&self) -> Value {
        Value(self.0.clone())
    }
}

impl Default for Value {
    /// Null of dynamic type.
    fn default() -> Value {
        Value(Repr::Null(Type::Dynamic))
    }
}
