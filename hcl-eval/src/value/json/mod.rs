//! JSON: values to text and back.
//!
//! Three forms: plain JSON as `jsonencode` writes and `jsondecode` reads it, where the text alone decides
//! the types; JSON under a type, where dynamic parts are written with their type beside them; and the JSON
//! form of types themselves. Numbers keep all their digits both ways. Reading is linear and nests at most
//! as deep as [`JsonOptions`] says; writing can be given a budget of bytes.

mod decode;
mod encode;
mod reader;
mod types;

pub use encode::write_json_string;
pub use types::{type_from_json, type_to_json};

use super::{Value, ValueError};
use crate::limits::Meter;
use crate::types::Type;

/// The options of reading JSON.
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::value::json::JsonOptions;
///
/// let options = JsonOptions { max_depth: 2, ..JsonOptions::default() };
/// assert!(Value::from_json_implied_with("[[80]]", &options).is_ok());
/// assert!(Value::from_json_implied_with("[[[80]]]", &options).is_err());
/// ```
#[derive(Copy, Clone, Debug)]
pub struct JsonOptions {
    /// How deep arrays and objects may nest.
    pub max_depth: u32,
    /// The treatment of a key that an object has twice.
    pub duplicate_keys: DuplicateKeys,
}

/// The treatment of a key that an object has twice; the last one counts in any case.
///
/// ```
/// use hcl_eval::Value;
/// use hcl_eval::value::json::{DuplicateKeys, JsonOptions};
///
/// let text = r#"{"port": 80, "port": "http"}"#;
/// assert!(Value::from_json_implied(text).is_err());
/// let options = JsonOptions { duplicate_keys: DuplicateKeys::Anything, ..JsonOptions::default() };
/// let value = Value::from_json_implied_with(text, &options)?;
/// assert_eq!(value.to_json()?, r#"{"port":"http"}"#);
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DuplicateKeys {
    /// Values of different types are an error, as in the newest reference.
    SameType,
    /// Anything goes, as in older ones.
    Anything,
}

impl Default for JsonOptions {
    fn default() -> Self {
        JsonOptions { max_depth: 1000, duplicate_keys: DuplicateKeys::SameType }
    }
}

impl Value {
    /// The value as JSON, as `jsonencode` writes it: compact, keys sorted.
    ///
    /// # Errors
    /// When the value has marks, unknown parts, infinities, or host values without a JSON form.
    pub fn to_json(&self) -> Result<String, ValueError> {
        encode::encode(self, None, usize::MAX)
    }

    /// The value as JSON, without the attributes of objects and elements of maps that are null, at any depth, if that
    /// takes at most `max_bytes`.
    ///
    /// # Errors
    /// As [`Value::to_json_bounded`].
    pub fn to_json_without_nulls(&self, max_bytes: usize) -> Result<String, ValueError> {
        encode::encode_without_nulls(self, max_bytes)
    }

    /// The value as JSON, if that takes at most `max_bytes`.
    ///
    /// # Errors
    /// As [`Value::to_json`], and when the text is longer.
    pub fn to_json_bounded(&self, max_bytes: usize) -> Result<String, ValueError> {
        encode::encode(self, None, max_bytes)
    }

    /// The value as JSON under a type, to which it is converted if it does not conform to it. Where the
    /// type is dynamic, the type of the part is written beside it.
    ///
    /// # Errors
    /// As [`Value::to_json`], and when the value does not convert to the type.
    ///
    /// ```
    /// use hcl_eval::{Type, Value};
    ///
    /// let ports = Value::tuple(vec![Value::int(80), Value::int(443)]);
    /// assert_eq!(ports.to_typed_json(&Type::list(Type::String))?, r#"["80","443"]"#);
    ///
    /// let text = Value::int(80).to_typed_json(&Type::Dynamic)?;
    /// assert_eq!(text, r#"{"value":80,"type":"number"}"#);
    /// assert!(Value::from_json(&text, &Type::Dynamic)?.raw_equals(&Value::int(80)));
    /// # Ok::<(), hcl_eval::ValueError>(())
    /// ```
    pub fn to_typed_json(&self, ty: &Type) -> Result<String, ValueError> {
        self.to_typed_json_bounded(ty, usize::MAX)
    }

    /// The value as JSON under a type, if that takes at most `max_bytes`.
    ///
    /// # Errors
    /// As [`Value::to_typed_json`], and when the text is longer.
    pub fn to_typed_json_bounded(&self, ty: &Type, max_bytes: usize) -> Result<String, ValueError> {
        encode::encode(self, Some(ty), max_bytes)
    }

    /// The value as JSON, under a type or as it is, charged to a meter.
    ///
    /// # Errors
    /// As [`Value::to_typed_json`], and when a bound has been reached.
    pub fn to_json_metered(&self, ty: Option<&Type>, meter: &mut Meter) -> Result<String, ValueError> {
        encode::encode_metered(self, ty, meter)
    }

    /// Reads JSON, under a type or any, charged to a meter.
    ///
    /// # Errors
    /// As [`Value::from_json`], and when a bound has been reached.
    pub fn from_json_metered(text: &str, ty: Option<&Type>, meter: &mut Meter) -> Result<Value, ValueError> {
        decode::metered(text, ty, meter)
    }

    /// [`Value::from_json_implied_with`], charged to a meter, to which the text has been charged.
    ///
    /// # Errors
    /// When the text is not JSON, and when a bound has been reached.
    #[cfg(feature = "basics")]
    pub(crate) fn from_json_implied_metered(
        text: &str,
        options: &JsonOptions,
        meter: &mut Meter,
    ) -> Result<Value, ValueError> {
        decode::implied_metered(text, options, meter)
    }

    /// Reads JSON that was written under a type.
    ///
    /// # Errors
    /// When the text is not JSON, or not of the shape that the type wants.
    pub fn from_json(text: &str, ty: &Type) -> Result<Value, ValueError> {
        Value::from_json_with(text, ty, &JsonOptions::default())
    }

    /// Reads JSON that was written under a type.
    ///
    /// # Errors
    /// When the text is not JSON, or not of the shape that the type wants.
    pub fn from_json_with(text: &str, ty: &Type, options: &JsonOptions) -> Result<Value, ValueError> {
        decode::typed(text, ty, options)
    }

    /// Reads any JSON: objects become objects, arrays tuples, null has the dynamic type.
    ///
    /// # Errors
    /// When the text is not JSON.
    pub fn from_json_implied(text: &str) -> Result<Value, ValueError> {
        Value::from_json_implied_with(text, &JsonOptions::default())
    }

    /// Reads any JSON: objects become objects, arrays tuples, null has the dynamic type.
    ///
    /// # Errors
    /// When the text is not JSON.
    pub fn from_json_implied_with(text: &str, options: &JsonOptions) -> Result<Value, ValueError> {
        decode::implied(text, options)
    }

    /// [`Value::to_json_bounded`] with looks at the limits of a meter, to which the work will be charged.
    ///
    /// # Errors
    /// As [`Value::to_json`], when the text is longer, and when a bound has been reached.
    #[cfg(feature = "basics")]
    pub(crate) fn to_json_within(&self, max_bytes: usize, meter: &mut Meter) -> Result<String, ValueError> {
        encode::encode_within(self, max_bytes, meter)
    }
}
