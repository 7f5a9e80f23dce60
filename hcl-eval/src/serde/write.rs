//! Rust values to values.
//!
//! Structs and maps become objects, sequences tuples, nothing the null without a type: the types of what
//! constructors of the language give. A conversion makes lists and maps of them.

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::error::{Error, Problem};
use super::passage;
use crate::Str;
use crate::stack;
use crate::types::Type;
use crate::value::string::normalized;
use crate::value::{Number, Value};

/// Makes a value of a Rust value.
///
/// # Errors
/// The value has no form in HCL: a map with keys that are no texts, numbers or bools, a number that is none
/// (NaN), or what its own `Serialize` refuses.
///
/// ```
/// use hcl_eval::serde::to_value;
///
/// #[derive(serde::Serialize)]
/// struct Server {
///     name: String,
///     ports: Vec<u16>,
/// }
/// let value = to_value(&Server { name: "web".into(), ports: vec![80, 443] })?;
/// assert_eq!(value.ty().to_type_text(), "object({name=string,ports=tuple([number,number])})");
/// assert_eq!(value.to_json().unwrap(), r#"{"name":"web","ports":[80,443]}"#);
/// # Ok::<(), hcl_eval::serde::Error>(())
/// ```
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, Error> {
    // How deep a Rust value nests is not known beforehand.
    stack::grow(u32::MAX, || value.serialize(ValueSerializer))
}

/// The serializer behind [`to_value`].
#[derive(Copy, Clone)]
struct ValueSerializer;

fn single(name: &str, value: Value) -> Value {
    Value::object(vec![(normalized(name), value)])
}

fn wide(digits: &str) -> Result<Value, Error> {
    Number::parse(digits).map(Value::number).ok_or_else(|| Error::custom("the number can't be read"))
}

impl Serializer for ValueSerializer {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = Elements;
    type SerializeTuple = Elements;
    type SerializeTupleStruct = Elements;
    type SerializeTupleVariant = Elements;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Entries;

    fn serialize_bool(self, value: bool) -> Result<Value, Error> {
        Ok(Value::bool(value))
    }

    fn serialize_i8(self, value: i8) -> Result<Value, Error> {
        Ok(Value::int(value.into()))
    }

    fn serialize_i16(self, value: i16) -> Result<Value, Error> {
        Ok(Value::int(value.into()))
    }

    fn serialize_i32(self, value: i32) -> Result<Value, Error> {
        Ok(Value::int(value.into()))
    }

    fn serialize_i64(self, value: i64) -> Result<Value, Error> {
        Ok(Value::int(value))
    }

    fn serialize_i128(self, value: i128) -> Result<Value, Error> {
        wide(&value.to_string())
    }

    fn serialize_u8(self, value: u8) -> Result<Value, Error> {
        Ok(Value::int(value.into()))
    }

    fn serialize_u16(self, value: u16) -> Result<Value, Error> {
        Ok(Value::int(value.into()))
    }

    fn serialize_u32(self, value: u32) -> Result<Value, Error> {
        Ok(Value::int(value.into()))
    }

    fn serialize_u64(self, value: u64) -> Result<Value, Error> {
        Ok(Value::number(Number::from_u64(value)))
    }

    fn serialize_u128(self, value: u128) -> Result<Value, Error> {
        wide(&value.to_string())
    }

    fn serialize_f32(self, value: f32) -> Result<Value, Error> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<Value, Error> {
        let number = Number::from_f64(value);
        number.map(Value::number).ok_or_else(|| Problem::unserializable("There is no number NaN.").into())
    }

    fn serialize_char(self, value: char) -> Result<Value, Error> {
        Ok(Value::string(value.encode_utf8(&mut [0; 4])))
    }

    fn serialize_str(self, text: &str) -> Result<Value, Error> {
        Ok(Value::string(text))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Value, Error> {
        Ok(Value::tuple(bytes.iter().map(|byte| Value::int((*byte).into())).collect()))
    }

    fn serialize_none(self) -> Result<Value, Error> {
        Ok(Value::null(Type::Dynamic))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, Error> {
        Ok(Value::null(Type::Dynamic))
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Value, Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Value, Error> {
        Ok(Value::string(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        if name == passage::NAME {
            let taken = passage::take_over(|| drop(value.serialize(self)));
            return taken.ok_or_else(|| Error::custom("the name of the type is reserved"));
        }
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        Ok(single(variant, to_value(value)?))
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Elements, Error> {
        Ok(Elements::default())
    }

    fn serialize_tuple(self, _length: usize) -> Result<Elements, Error> {
        Ok(Elements::default())
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Elements, Error> {
        Ok(Elements::default())
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Elements, Error> {
        Ok(Elements { variant: Some(variant), values: Vec::new() })
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Entries, Error> {
        Ok(Entries::default())
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Entries, Error> {
        Ok(Entries::default())
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Entries, Error> {
        Ok(Entries { variant: Some(variant), ..Entries::default() })
    }
}

/// Elements of a tuple, as they come.
#[derive(Default)]
struct Elements {
    variant: Option<&'static str>,
    values: Vec<Value>,
}

impl Elements {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.values.push(to_value(value)?);
        Ok(())
    }

    fn finish(self) -> Value {
        let tuple = Value::tuple(self.values);
        match self.variant {
            Some(variant) => single(variant, tuple),
            None => tuple,
        }
    }
}

impl SerializeSeq for Elements {
    type Ok = Value;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.push(value)
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.finish())
    }
}

impl SerializeTuple for Elements {
    type Ok = Value;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.push(value)
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.finish())
    }
}

impl SerializeTupleStruct for Elements {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.push(value)
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.finish())
    }
}

impl SerializeTupleVariant for Elements {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.push(value)
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.finish())
    }
}

/// Attributes of an object, as they come.
#[derive(Default)]
struct Entries {
    variant: Option<&'static str>,
    key: Option<Str>,
    values: Vec<(Str, Value)>,
}

impl Entries {
    fn push<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        self.values.push((normalized(name), to_value(value)?));
        Ok(())
    }

    fn finish(self) -> Value {
        let object = Value::object(self.values);
        match self.variant {
            Some(variant) => single(variant, object),
            None => object,
        }
    }
}

impl SerializeMap for Entries {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let key = crate::convert::convert(&to_value(key)?, &Type::String);
        let text = key.ok().and_then(|key| key.as_text().cloned());
        let refused =
            || Error::from(Problem::unserializable("The keys of a map must be texts, numbers or bools."));
        self.key = Some(text.ok_or_else(refused)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = self.key.take().unwrap_or_default();
        self.values.push((key, to_value(value)?));
        Ok(())
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.finish())
    }
}

impl SerializeStruct for Entries {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.push(name, value)
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.finish())
    }
}

impl SerializeStructVariant for Entries {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.push(name, value)
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.finish())
    }
}
