//! Values that pass through serde as they are.
//!
//! serde's data model has no place for marks, unknown values or wide numbers. Where both ends are of this
//! crate, a [`Value`] is handed over beside serde's back: it lies in a slot of the thread between the moment
//! when one end puts it there and the very next call, in which the other takes it. With other formats a
//! value takes the form of its data.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::error::Error;
use crate::Str;
use crate::stack;
use crate::value::{Kind, Number, Value};

/// The name by which the two ends know each other.
pub(super) const NAME: &str = "$hcl::Value";

thread_local! {
    static SLOT: RefCell<Option<Value>> = const { RefCell::new(None) };
    /// True while the serializer is about to take the next value from the slot.
    static TAKER: Cell<bool> = const { Cell::new(false) };
}

/// Gives a value to a visitor that expects one from [`Value::deserialize`].
pub(super) fn hand_over<'de, V: Visitor<'de>>(value: Value, visitor: V) -> Result<V::Value, Error> {
    SLOT.set(Some(value));
    let result = visitor.visit_unit();
    SLOT.set(None);
    result
}

/// Takes the value that `serialize` hands over; `None` if it is of another type than it says.
pub(super) fn take_over(serialize: impl FnOnce()) -> Option<Value> {
    TAKER.set(true);
    serialize();
    TAKER.set(false);
    SLOT.take()
}

impl<'de> Deserialize<'de> for Value {
    /// From HCL: the value itself, marks and unknown parts included. From other formats: objects, tuples,
    /// strings, bools, numbers and null.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(NAME, ValueVisitor)
    }
}

struct ValueVisitor;

/// The key under which `serde_json` with its feature `arbitrary_precision` gives the digits of a number.
const EXACT_NUMBER: &str = "$serde_json::private::Number";

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(SLOT.take().unwrap_or_default())
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::default())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::number(Number::from_u64(value)))
    }

    fn visit_i128<E: serde::de::Error>(self, value: i128) -> Result<Value, E> {
        number(&value.to_string())
    }

    fn visit_u128<E: serde::de::Error>(self, value: u128) -> Result<Value, E> {
        number(&value.to_string())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::number).ok_or_else(|| E::custom("a number is required, not NaN"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::string(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = elements.next_element()? {
            values.push(value);
        }
        Ok(Value::tuple(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut values: Vec<(Str, Value)> = Vec::new();
        while let Some(name) = entries.next_key::<String>()? {
            if name == EXACT_NUMBER && values.is_empty() {
                return number(&entries.next_value::<String>()?);
            }
            let value = entries.next_value()?;
            values.push((crate::value::string::normalized(&name), value));
        }
        Ok(Value::object(values))
    }
}

fn number<E: serde::de::Error>(digits: &str) -> Result<Value, E> {
    Number::parse(digits).map(Value::number).ok_or_else(|| E::custom("a number is required"))
}

impl Serialize for Value {
    /// To [`to_value`](super::to_value): the value itself. To other formats: its data; numbers that no integer
    /// of 128 bits holds become the nearest `f64`.
    ///
    /// # Errors
    /// Unknown, marked and capsule values have no data to show.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(NAME, &Bare(self))
    }
}

/// A value in the form of its data.
struct Bare<'v>(&'v Value);

impl Serialize for Bare<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0;
        if TAKER.take() {
            SLOT.set(Some(value.clone()));
            return serializer.serialize_unit();
        }
        if value.is_marked() {
            let marks: Vec<_> = value.marks().iter().map(|mark| mark.name()).collect();
            return Err(S::Error::custom(format!("a value marked {} is not shown", marks.join(", "))));
        }
        match value.kind() {
            Kind::Null => serializer.serialize_none(),
            Kind::Bool => serializer.serialize_bool(value.as_bool().unwrap_or_default()),
            Kind::Number => serialize_number(value, serializer),
            Kind::String => serializer.serialize_str(value.as_str().unwrap_or_default()),
            Kind::List | Kind::Set | Kind::Tuple => stack::grow(value.depth(), || {
                let elements = value.elements().unwrap_or_default();
                let mut seq = serializer.serialize_seq(Some(elements.len()))?;
                elements.iter().try_for_each(|element| seq.serialize_element(element))?;
                seq.end()
            }),
            Kind::Map | Kind::Object => stack::grow(value.depth(), || {
                let mut map = serializer.serialize_map(value.len())?;
                for (name, part) in value.entries().into_iter().flatten() {
                    map.serialize_entry(name.as_str(), part)?;
                }
                map.end()
            }),
            Kind::Unknown => Err(S::Error::custom("a value that is not known yet has no data")),
            Kind::Capsule => Err(S::Error::custom("a value that only its host knows has no data")),
        }
    }
}

fn serialize_number<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(number) = value.as_number() else { return serializer.serialize_none() };
    if let Some(small) = number.to_i64() {
        return serializer.serialize_i64(small);
    }
    if let Some(unsigned) = number.to_u64() {
        return serializer.serialize_u64(unsigned);
    }
    let text = match number.is_integer() && number.text_len_bound() < 256 {
        true => number.to_text(),
        false => String::new(),
    };
    match (text.parse::<i128>(), text.parse::<u128>()) {
        (Ok(signed), _) => serializer.serialize_i128(signed),
        (Err(_), Ok(unsigned)) => serializer.serialize_u128(unsigned),
        (Err(_), Err(_)) => serializer.serialize_f64(number.to_f64()),
    }
}

#[cfg(test)]
mod tests {
    use serde::de::IntoDeserializer;

    use super::*;

    #[test]
    fn data_of_every_kind_is_a_value() {
        fn read(data: impl for<'de> IntoDeserializer<'de, serde::de::value::Error>) -> String {
            let value = Value::deserialize(data.into_deserializer()).expect("a value");
            value.to_json().expect("it is known")
        }
        assert_eq!([read(true), read(()), read("a"), read('b')], ["true", "null", "\"a\"", "\"b\""]);
        assert_eq!([read(-128_i8), read(255_u8), read(i64::MIN)], ["-128", "255", "-9223372036854775808"]);
        assert_eq!(read(u64::MAX), u64::MAX.to_string());
        assert_eq!([read(i128::MIN), read(u128::MAX)], [i128::MIN.to_string(), u128::MAX.to_string()]);
        assert_eq!([read(1.5_f64), read(vec![1, 2])], ["1.5", "[1,2]"]);
        assert_eq!(read(std::collections::BTreeMap::from([("b", 1), ("a", 2)])), r#"{"a":2,"b":1}"#);
        let not =
            Value::deserialize(IntoDeserializer::<serde::de::value::Error>::into_deserializer(f64::NAN));
        assert!(not.is_err());
    }
}
