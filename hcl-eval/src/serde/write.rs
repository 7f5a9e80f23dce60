//! Rust values to values and texts.
//!
//! Structs and maps become objects, sequences tuples, nothing the null without a type: the types of what
//! constructors of the language give. A conversion makes lists and maps of them. [`Made`] is what is made of them: a
//! value at once, or the parts that a text needs.

use std::marker::PhantomData;

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
    make(value)
}

/// The name by which [`as_argument`](super::as_argument) tells the serializer of a body what is no block.
pub(super) const ARGUMENT: &str = "$hcl::Argument";

/// A thing that Rust values are made into.
pub(super) trait Made: Sized {
    /// Null, text, number, truth value, or a value as it is.
    fn value(value: Value) -> Self;
    /// `None`.
    fn absent() -> Self;
    fn sequence(elements: Vec<Self>) -> Self;
    /// Entries of a map, or of a struct that is flattened.
    fn map(entries: Vec<(Str, Self)>) -> Self;
    fn structure(fields: Vec<(Str, Self)>) -> Self;
    /// A variant of an enum with its content.
    fn variant(name: Str, content: Self) -> Self;
    /// A thing that is the value of an attribute, and never a block.
    fn argument(self) -> Self;
}

impl Made for Value {
    fn value(value: Value) -> Self {
        value
    }

    fn absent() -> Self {
        Value::null(Type::Dynamic)
    }

    fn sequence(elements: Vec<Self>) -> Self {
        Value::tuple(elements)
    }

    fn map(entries: Vec<(Str, Self)>) -> Self {
        Value::object(entries)
    }

    fn structure(fields: Vec<(Str, Self)>) -> Self {
        Value::object(fields)
    }

    fn variant(name: Str, content: Self) -> Self {
        Value::object(vec![(name, content)])
    }

    fn argument(self) -> Self {
        self
    }
}

/// Serializes what [`Made`] is made of.
pub(super) struct Maker<M>(PhantomData<M>);

impl<M> Maker<M> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

/// Makes one or the other of a Rust value.
pub(super) fn make<M: Made, T: Serialize + ?Sized>(value: &T) -> Result<M, Error> {
    // How deep a Rust value nests is not known beforehand.
    stack::grow(u32::MAX, || value.serialize(Maker::new()))
}

fn wide<M: Made>(digits: &str) -> Result<M, Error> {
    let number = Number::parse(digits);
    number.map(Value::number).map(M::value).ok_or_else(|| Error::custom("the number can't be read"))
}

impl<M: Made> Serializer for Maker<M> {
    type Ok = M;
    type Error = Error;
    type SerializeSeq = Elements<M>;
    type SerializeTuple = Elements<M>;
    type SerializeTupleStruct = Elements<M>;
    type SerializeTupleVariant = Elements<M>;
    type SerializeMap = Entries<M>;
    type SerializeStruct = Entries<M>;
    type SerializeStructVariant = Entries<M>;

    fn serialize_bool(self, value: bool) -> Result<M, Error> {
        Ok(M::value(Value::bool(value)))
    }

    fn serialize_i8(self, value: i8) -> Result<M, Error> {
        Ok(M::value(Value::int(value.into())))
    }

    fn serialize_i16(self, value: i16) -> Result<M, Error> {
        Ok(M::value(Value::int(value.into())))
    }

    fn serialize_i32(self, value: i32) -> Result<M, Error> {
        Ok(M::value(Value::int(value.into())))
    }

    fn serialize_i64(self, value: i64) -> Result<M, Error> {
        Ok(M::value(Value::int(value)))
    }

    fn serialize_i128(self, value: i128) -> Result<M, Error> {
        wide(&value.to_string())
    }

    fn serialize_u8(self, value: u8) -> Result<M, Error> {
        Ok(M::value(Value::int(value.into())))
    }

    fn serialize_u16(self, value: u16) -> Result<M, Error> {
        Ok(M::value(Value::int(value.into())))
    }

    fn serialize_u32(self, value: u32) -> Result<M, Error> {
        Ok(M::value(Value::int(value.into())))
    }

    fn serialize_u64(self, value: u64) -> Result<M, Error> {
        Ok(M::value(Value::number(Number::from_u64(value))))
    }

    fn serialize_u128(self, value: u128) -> Result<M, Error> {
        wide(&value.to_string())
    }

    fn serialize_f32(self, value: f32) -> Result<M, Error> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<M, Error> {
        let number = Number::from_f64(value);
        number
            .map(Value::number)
            .map(M::value)
            .ok_or_else(|| Problem::unserializable("There is no number NaN.").into())
    }

    fn serialize_char(self, value: char) -> Result<M, Error> {
        Ok(M::value(Value::string(value.encode_utf8(&mut [0; 4]))))
    }

    fn serialize_str(self, text: &str) -> Result<M, Error> {
        Ok(M::value(Value::string(text)))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<M, Error> {
        Ok(M::sequence(bytes.iter().map(|byte| M::value(Value::int((*byte).into()))).collect()))
    }

    fn serialize_none(self) -> Result<M, Error> {
        Ok(M::absent())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<M, Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<M, Error> {
        Ok(M::value(Value::null(Type::Dynamic)))
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<M, Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<M, Error> {
        Ok(M::value(Value::string(variant)))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<M, Error> {
        if name == passage::NAME {
            let taken = passage::take_over(|| drop(value.serialize(Maker::<Value>::new())));
            return taken.map(M::value).ok_or_else(|| Error::custom("the name of the type is reserved"));
        }
        let made: M = value.serialize(self)?;
        Ok(if name == ARGUMENT { made.argument() } else { made })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<M, Error> {
        Ok(M::variant(normalized(variant), make(value)?))
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Elements<M>, Error> {
        Ok(Elements::new(None))
    }

    fn serialize_tuple(self, _length: usize) -> Result<Elements<M>, Error> {
        Ok(Elements::new(None))
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Elements<M>, Error> {
        Ok(Elements::new(None))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Elements<M>, Error> {
        Ok(Elements::new(Some(variant)))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Entries<M>, Error> {
        Ok(Entries::new(M::map))
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Entries<M>, Error> {
        Ok(Entries::new(M::structure))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Entries<M>, Error> {
        Ok(Entries { variant: Some(variant), ..Entries::new(M::structure) })
    }
}

/// Elements of a tuple, as they come.
pub(super) struct Elements<M> {
    variant: Option<&'static str>,
    elements: Vec<M>,
}

impl<M: Made> Elements<M> {
    fn new(variant: Option<&'static str>) -> Self {
        Self { variant, elements: Vec::new() }
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.elements.push(make(value)?);
        Ok(())
    }

    fn finish(self) -> M {
        let made = M::sequence(self.elements);
        match self.variant {
            Some(variant) => M::variant(normalized(variant), made),
            None => made,
        }
    }
}

impl<M: Made> SerializeSeq for Elements<M> {
    type Ok = M;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.push(value)
    }

    fn end(self) -> Result<M, Error> {
        Ok(self.finish())
    }
}

impl<M: Made> SerializeTuple for Elements<M> {
    type Ok = M;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.push(value)
    }

    fn end(self) -> Result<M, Error> {
        Ok(self.finish())
    }
}

impl<M: Made> SerializeTupleStruct for Elements<M> {
    type Ok = M;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.push(value)
    }

    fn end(self) -> Result<M, Error> {
        Ok(self.finish())
    }
}

impl<M: Made> SerializeTupleVariant for Elements<M> {
    type Ok = M;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.push(value)
    }

    fn end(self) -> Result<M, Error> {
        Ok(self.finish())
    }
}

/// Attributes of an object, as they come.
pub(super) struct Entries<M> {
    variant: Option<&'static str>,
    key: Option<Str>,
    entries: Vec<(Str, M)>,
    made: fn(Vec<(Str, M)>) -> M,
}

impl<M: Made> Entries<M> {
    fn new(made: fn(Vec<(Str, M)>) -> M) -> Self {
        Self { variant: None, key: None, entries: Vec::new(), made }
    }

    fn push<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        self.entries.push((normalized(name), make(value)?));
        Ok(())
    }

    fn finish(self) -> M {
        let made = (self.made)(self.entries);
        match self.variant {
            Some(variant) => M::variant(normalized(variant), made),
            None => made,
        }
    }
}

impl<M: Made> SerializeMap for Entries<M> {
    type Ok = M;
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
        self.entries.push((key, make(value)?));
        Ok(())
    }

    fn end(self) -> Result<M, Error> {
        Ok(self.finish())
    }
}

impl<M: Made> SerializeStruct for Entries<M> {
    type Ok = M;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.push(name, value)
    }

    fn end(self) -> Result<M, Error> {
        Ok(self.finish())
    }
}

impl<M: Made> SerializeStructVariant for Entries<M> {
    type Ok = M;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.push(name, value)
    }

    fn end(self) -> Result<M, Error> {
        Ok(self.finish())
    }
}
