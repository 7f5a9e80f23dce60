//! Index and attribute access: `collection[key]` and `object.name`.
//!
//! The marks of what is indexed and of the key go to the result, beside those of the part itself. (The
//! reference drops a key's marks at objects; we keep them.) Errors about a marked collection don't tell its
//! length.

use hcl_syntax::diagnostic::suggest;

use super::error::ValueErrorKind;
use super::unknown::Unknown;
use super::{Kind, Number, Repr, Value, ValueError};
use crate::Str;
use crate::limits::Pace;
use crate::types::Type;

/// `collection[key]`
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::value::index;
///
/// let ports = Value::from([80, 443]);
/// assert_eq!(index::index(&ports, &Value::from(1))?.to_string(), "443");
/// let server = Value::from_iter([("port", 80)]);
/// assert_eq!(index::index(&server, &Value::from("port"))?.to_string(), "80");
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When the collection or the key is null, the key is of the wrong type, there is no such element, or the
/// value has no elements.
pub fn index(collection: &Value, key: &Value) -> Result<Value, ValueError> {
    index_on(collection, key, &mut None)
}

/// [`index`] with looks at the limits: a key may be a long text, also one that is a number.
pub(crate) fn index_on(collection: &Value, key: &Value, pace: Pace<'_, '_>) -> Result<Value, ValueError> {
    let (plain, plain_key) = (collection.unmarked(), key.unmarked());
    if plain.is_null() {
        return Err(ValueErrorKind::IndexOfNull.into());
    }
    if plain_key.is_null() {
        return Err(ValueErrorKind::NullKey.into());
    }
    let found = if plain.is_dynamic_unknown() || plain_key.is_dynamic_unknown() {
        Value::dynamic()
    } else {
        match &plain.0 {
            Repr::List(_) | Repr::Tuple(_) => {
                at_position(plain, plain_key, collection.is_marked() || key.is_marked(), pace)?
            }
            Repr::Map(_) | Repr::Object(_) => at_key(plain, plain_key, pace)?,
            Repr::Unknown(unknown) => in_unknown(unknown, plain_key, pace)?,
            Repr::Set(_) => return Err(ValueErrorKind::IndexOfSet.into()),
            _ => return Err(not_indexable(&plain.ty())),
        }
    };
    Ok(found.with_marks(collection.marks()).with_marks(key.marks()))
}

/// `object.name`
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::value::index;
///
/// let server = Value::from_iter([("port", 80)]);
/// assert_eq!(index::attribute(&server, "port")?.to_string(), "80");
/// assert!(index::attribute(&server, "prt").unwrap_err().detail().contains("port"));
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When the value is null, has no attributes, or not this one.
pub fn attribute(object: &Value, name: &str) -> Result<Value, ValueError> {
    if let Repr::Object(node) = &object.0
        && let Some(position) = node.header().shape.position(name)
    {
        return Ok(node.elements()[position].clone());
    }
    attribute_slowly(object, name)
}

/// The attribute of anything but a plain object that has it. The result carries the marks of the object.
fn attribute_slowly(object: &Value, name: &str) -> Result<Value, ValueError> {
    let plain = object.unmarked();
    let named = || Str::new(name);
    let found = match &plain.0 {
        Repr::Null(_) => return Err(ValueErrorKind::AttributeOfNull.into()),
        Repr::Object(node) => {
            let names = || node.header().shape.names().iter().map(Str::as_str);
            plain.get_attribute(name).cloned().ok_or_else(|| unsupported(object, name, names()))?
        }
        Repr::Map(_) => {
            let found = plain.get_attribute(name).cloned();
            found.ok_or_else(|| ValueErrorKind::MissingMapElement { name: named() })?
        }
        Repr::Unknown(unknown) => match unknown.ty() {
            Type::Dynamic => Value::dynamic(),
            Type::Map(element) => Value::unknown((**element).clone()),
            Type::Object(ty) => {
                let names = || ty.attributes().iter().map(|attribute| attribute.name.as_str());
                let attribute = ty.get(name).ok_or_else(|| unsupported(object, name, names()))?;
                Value::unknown(attribute.ty.clone())
            }
            ty => return Err(no_attributes(ty, name)),
        },
        // A message does not tell the types of the elements, which take long to find out.
        Repr::Tuple(_) => return Err(no_attributes(&Type::tuple(Vec::new()), name)),
        _ => return Err(no_attributes(&plain.ty(), name)),
    };
    Ok(found.with_marks(object.marks()))
}

/// An object has no such attribute. What a marked one has is not told.
fn unsupported<'n, N: Iterator<Item = &'n str>>(object: &Value, name: &str, names: N) -> ValueErrorKind {
    let similar = if object.is_marked() { None } else { suggest::nearest(name, names) };
    ValueErrorKind::UnsupportedAttribute { name: Str::new(name), similar: similar.map(Str::new) }
}

fn no_attributes(ty: &Type, name: &str) -> ValueError {
    let name = Str::new(name);
    let collection = match ty {
        Type::List(_) => "list",
        Type::Set(_) => "set",
        _ => return ValueErrorKind::AttributeOfOther { name, found: ty.friendly_name() }.into(),
    };
    let element_has_it = ty.element_type().is_some_and(|element| element.attribute(&name).is_some());
    ValueErrorKind::AttributeOfCollection { collection, name, element_has_it }.into()
}

fn not_indexable(ty: &Type) -> ValueError {
    ValueErrorKind::NotIndexable { found: ty.friendly_name() }.into()
}

/// The element of a known list or tuple. Of what is secret, messages tell neither length nor index.
fn at_position(plain: &Value, key: &Value, secret: bool, pace: Pace<'_, '_>) -> Result<Value, ValueError> {
    let elements = plain.elements().unwrap_or_default();
    let collection = if plain.kind() == Kind::List { "list" } else { "tuple" };
    let Some(number) = position_key(key, collection, pace)? else {
        return Ok(match plain.element_type() {
            Some(element) => Value::unknown(element.clone()),
            None => Value::dynamic(),
        });
    };
    if let Some(found) = number.to_usize().and_then(|position| elements.get(position)) {
        return Ok(found.clone());
    }
    Err(no_element(&number, elements.len(), collection, secret))
}

/// The error about a position where no element is. Of a secret collection neither the index nor the length is told.
fn no_element(number: &Number, length: usize, collection: &'static str, secret: bool) -> ValueError {
    if !number.is_integer() && !number.is_infinite() {
        return ValueErrorKind::FractionalIndex.into();
    }
    if number.is_negative() {
        return ValueErrorKind::NegativeIndex.into();
    }
    match number.to_i64() {
        Some(_) if secret => {}
        Some(_) if length == 0 => return ValueErrorKind::IndexOfEmpty.into(),
        Some(index) => {
            return ValueErrorKind::IndexTooLarge { index: index.to_string().into(), length }.into();
        }
        None => {}
    }
    ValueErrorKind::ElementNotFound { collection, numeric_key: false }.into()
}

/// The part of a known map or object.
fn at_key(plain: &Value, key: &Value, pace: Pace<'_, '_>) -> Result<Value, ValueError> {
    let collection = if plain.kind() == Kind::Map { "map" } else { "object" };
    let Some(name) = string_key(key, collection)? else {
        return Ok(match plain.element_type() {
            Some(element) => Value::unknown(element.clone()),
            None => Value::dynamic(),
        });
    };
    let numeric_key = collection == "object" && key.kind() == Kind::Number;
    let missing = ValueErrorKind::ElementNotFound { collection, numeric_key };
    plain.attribute_on(&name, pace)?.cloned().ok_or_else(|| missing.into())
}

/// The part of an unknown of known type.
fn in_unknown(unknown: &Unknown, key: &Value, pace: Pace<'_, '_>) -> Result<Value, ValueError> {
    match unknown.ty() {
        Type::List(element) => {
            position_key(key, "list", pace)?;
            Ok(Value::unknown((**element).clone()))
        }
        Type::Map(element) => {
            string_key(key, "map")?;
            Ok(Value::unknown((**element).clone()))
        }
        Type::Tuple(tuple) => {
            let Some(number) = position_key(key, "tuple", pace)? else { return Ok(Value::dynamic()) };
            let found = number.to_usize().and_then(|position| tuple.elements().get(position));
            let found = found.cloned().map(Value::unknown);
            found.ok_or_else(|| no_element(&number, tuple.elements().len(), "tuple", false))
        }
        Type::Object(object) => {
            let Some(name) = string_key(key, "object")? else { return Ok(Value::dynamic()) };
            let numeric_key = key.kind() == Kind::Number;
            let missing = ValueErrorKind::ElementNotFound { collection: "object", numeric_key };
            let found = object.get(&name).map(|attribute| Value::unknown(attribute.ty.clone()));
            found.ok_or_else(|| missing.into())
        }
        Type::Set(_) => Err(ValueErrorKind::IndexOfSet.into()),
        ty => Err(not_indexable(ty)),
    }
}

/// A key as a number; `None` if it is unknown.
fn position_key(
    key: &Value,
    collection: &'static str,
    pace: Pace<'_, '_>,
) -> Result<Option<Number>, ValueError> {
    let wrong = || ValueErrorKind::KeyType { collection, expected: "number", found: key.type_name() };
    match &key.0 {
        Repr::Number(number) => Ok(Some(number.clone())),
        Repr::String(text) => Ok(Some(Number::parse_within(text, pace)?.ok_or_else(wrong)?)),
        Repr::Unknown(unknown) if matches!(unknown.ty(), Type::Number | Type::String) => Ok(None),
        _ => Err(wrong().into()),
    }
}

/// Longer number texts are no keys of anything, and are not worth making.
const MAX_KEY_TEXT: u64 = 1 << 16;

/// A key as a string; `None` if it is unknown.
fn string_key(key: &Value, collection: &'static str) -> Result<Option<Str>, ValueError> {
    match &key.0 {
        Repr::String(text) => Ok(Some(text.clone())),
        Repr::Number(number) if number.text_len_bound() <= MAX_KEY_TEXT => Ok(Some(number.to_text().into())),
        Repr::Number(_) => {
            let numeric_key = collection == "object";
            Err(ValueErrorKind::ElementNotFound { collection, numeric_key }.into())
        }
        Repr::Bool(value) => Ok(Some(Str::new_static(if *value { "true" } else { "false" }))),
        Repr::Unknown(unknown) if unknown.ty().is_primitive() => Ok(None),
        _ => {
            let found = key.type_name();
            Err(ValueErrorKind::KeyType { collection, expected: "string", found }.into())
        }
    }
}
