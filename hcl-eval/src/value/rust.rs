//! Values from and into Rust's own types, for hosts that write them by hand. Types of the host with many fields go
//! through [`serde`](crate::serde).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::string::normalized;
use super::{Number, Value, ValueError};
use crate::Str;
use crate::types::Type;

/// The form of `terraform console` in which values marked "sensitive" or "ephemeral" are not shown; see
/// [`Value::display_console`].
///
/// ```
/// use hcl_eval::Value;
///
/// let value = Value::from_iter([("port", Value::from(80)), ("hosts", Value::from(["a", "b"]))]);
/// assert_eq!(value.to_string(), "{\n  \"hosts\" = [\n    \"a\",\n    \"b\",\n  ]\n  \"port\" = 80\n}");
/// ```
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.display_console())
    }
}

macro_rules! integers {
    ($($small:ty)* ; $($other:ty)*) => {
        $(
            impl From<$small> for Value {
                fn from(value: $small) -> Value {
                    Value::int(value.into())
                }
            }
        )*
        $(
            impl From<$other> for Value {
                fn from(value: $other) -> Value {
                    match (i64::try_from(value), u64::try_from(value)) {
                        (Ok(small), _) => Value::int(small),
                        (_, Ok(large)) => Value::number(Number::from_u64(large)),
                        // The digits of an integer are a number.
                        _ => Number::parse(&value.to_string()).map_or_else(Value::default, Value::number),
                    }
                }
            }
        )*
        $(integers!(@into $small);)*
        $(integers!(@into $other);)*
    };
    (@into $ty:ty) => {
        /// The value of a number that is whole and in range; marks are looked through.
        impl TryFrom<&Value> for $ty {
            type Error = ValueError;

            fn try_from(value: &Value) -> Result<$ty, ValueError> {
                let number = value.as_number();
                let small = number.and_then(|number| number.to_i64().map(i128::from));
                let wide = || number.and_then(|number| number.to_u64().map(i128::from));
                let found = small.or_else(wide).and_then(|integer| <$ty>::try_from(integer).ok());
                found.or_else(|| wide_integer(number?)?.parse().ok()).ok_or_else(|| {
                    unsuitable(&format!("a whole number from {} to {}", <$ty>::MIN, <$ty>::MAX), value)
                })
            }
        }
    };
}

integers!(i8 i16 i32 i64 u8 u16 u32; u64 i128 u128 isize usize);

/// The text of a number, unless it is so long that it fits no integer.
fn wide_integer(number: &Number) -> Option<String> {
    (number.text_len_bound() < 256).then(|| number.to_text())
}

fn unsuitable(wanted: &str, found: &Value) -> ValueError {
    let found = match found.as_number() {
        Some(number) if number.text_len_bound() < 256 => number.to_text(),
        _ if found.is_null() => "null".to_owned(),
        _ => found.type_name(),
    };
    ValueError::conversion(format!("{wanted} is required, but the value is {found}"))
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::bool(value)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Value {
        Value::number(number)
    }
}

/// Refuses NaN; infinities are numbers.
///
/// ```
/// use hcl_eval::Value;
///
/// assert_eq!(Value::try_from(0.5)?.to_string(), "0.5");
/// assert!(Value::try_from(f64::NAN).is_err());
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
impl TryFrom<f64> for Value {
    type Error = ValueError;

    fn try_from(value: f64) -> Result<Value, ValueError> {
        let number = Number::from_f64(value).map(Value::number);
        number.ok_or_else(|| ValueError::conversion("a number is required, but the value is NaN"))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::string(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::string(text)
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Value {
        Value::string(text)
    }
}

impl From<Cow<'_, str>> for Value {
    fn from(text: Cow<'_, str>) -> Value {
        Value::string(text)
    }
}

impl From<Str> for Value {
    fn from(text: Str) -> Value {
        Value::string(text)
    }
}

impl From<char> for Value {
    fn from(character: char) -> Value {
        Value::string(character.encode_utf8(&mut [0; 4]))
    }
}

/// `None` is the null without a type.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or_else(|| Value::null(Type::Dynamic), Into::into)
    }
}

/// A tuple, as brackets make it; [`convert`](crate::convert::convert) makes a list or a set of it.
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Value {
        elements.into_iter().map(Into::into).collect()
    }
}

/// A tuple, as brackets make it.
impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(elements: [T; N]) -> Value {
        elements.into_iter().map(Into::into).collect()
    }
}

/// A tuple, as brackets make it.
impl<T: Into<Value> + Clone> From<&[T]> for Value {
    fn from(elements: &[T]) -> Value {
        elements.iter().cloned().map(Into::into).collect()
    }
}

/// An object, as braces make it; [`convert`](crate::convert::convert) makes a map of it.
impl<K: AsRef<str>, V: Into<Value>> From<BTreeMap<K, V>> for Value {
    fn from(entries: BTreeMap<K, V>) -> Value {
        entries.into_iter().collect()
    }
}

/// A tuple, as brackets make it.
impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Value {
        Value::tuple(elements.into_iter().collect())
    }
}

/// An object, as braces make it. Of two equal names the later counts.
impl<K: AsRef<str>, V: Into<Value>> FromIterator<(K, V)> for Value {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Value {
        let entries = entries.into_iter().map(|(name, value)| (normalized(name.as_ref()), value.into()));
        Value::object(entries.collect())
    }
}

/// The truth value of a bool; marks are looked through.
impl TryFrom<&Value> for bool {
    type Error = ValueError;

    fn try_from(value: &Value) -> Result<bool, ValueError> {
        value.as_bool().ok_or_else(|| unsuitable("a bool", value))
    }
}

/// The nearest `f64` of a number; marks are looked through.
impl TryFrom<&Value> for f64 {
    type Error = ValueError;

    fn try_from(value: &Value) -> Result<f64, ValueError> {
        value.as_number().map(Number::to_f64).ok_or_else(|| unsuitable("a number", value))
    }
}

/// The text of a string; marks are looked through.
impl<'v> TryFrom<&'v Value> for &'v str {
    type Error = ValueError;

    fn try_from(value: &'v Value) -> Result<&'v str, ValueError> {
        value.as_str().ok_or_else(|| unsuitable("a string", value))
    }
}

/// The text of a string; marks are looked through.
impl TryFrom<&Value> for String {
    type Error = ValueError;

    fn try_from(value: &Value) -> Result<String, ValueError> {
        <&str>::try_from(value).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{Mark, Value};
    use crate::types::Type;

    #[test]
    fn rust_values_become_values() {
        let text = |value: Value| value.to_json().unwrap();
        assert_eq!(text(Value::from([1_u8, 255])), "[1,255]");
        assert_eq!(text(Value::from(vec![Some(-1), None])), "[-1,null]");
        assert_eq!(text(Value::from(u64::MAX)), u64::MAX.to_string());
        assert_eq!(text(Value::from(i128::MIN)), i128::MIN.to_string());
        assert_eq!(text(Value::from('ä')), "\"ä\"");
        assert_eq!(text(Value::from(&["a".to_owned()][..])), "[\"a\"]");
        assert_eq!(text(Value::from(BTreeMap::from([("b", 1), ("a", 2)]))), "{\"a\":2,\"b\":1}");
        let pairs = [("x", Value::from(true)), ("x", Value::from("last"))];
        assert_eq!(text(pairs.into_iter().collect()), "{\"x\":\"last\"}");
        assert_eq!(Value::from([1]).ty(), Type::tuple(vec![Type::Number]));
        assert_eq!(format!("{:>4}|{}", Value::from(7), Value::from("s")), "   7|\"s\"");
        let secret = Value::from("s").mark(Mark::new("sensitive"));
        assert_eq!(secret.to_string(), "(sensitive value)");
    }

    #[test]
    fn values_become_rust_values_without_loss() {
        for number in [0_i128, -1, i64::MAX.into(), u64::MAX.into(), i128::MAX, i128::MIN] {
            assert_eq!(i128::try_from(&Value::from(number)).unwrap(), number);
            assert_eq!(u64::try_from(&Value::from(number)).ok(), u64::try_from(number).ok());
            assert_eq!(i8::try_from(&Value::from(number)).ok(), i8::try_from(number).ok());
        }
        assert_eq!(f64::try_from(&Value::try_from(0.1).unwrap()).unwrap().to_bits(), 0.1_f64.to_bits());
        assert_eq!(<&str>::try_from(&Value::from("a")).unwrap(), "a");
        assert!(bool::try_from(&Value::TRUE).unwrap());
    }

    #[test]
    fn other_values_are_told() {
        let told = |value: Value| u16::try_from(&value).unwrap_err().detail();
        let range = "a whole number from 0 to 65535 is required, but the value is";
        assert_eq!(told(Value::from(70_000)), format!("{range} 70000"));
        assert_eq!(told(Value::try_from(0.5).unwrap()), format!("{range} 0.5"));
        assert_eq!(told(Value::from("1")), format!("{range} string"));
        assert_eq!(told(Value::default()), format!("{range} null"));
        assert_eq!(told(Value::unknown(Type::Number)), format!("{range} number"));
        let found = String::try_from(&Value::from([1])).unwrap_err();
        assert_eq!(found.detail(), "a string is required, but the value is tuple");
    }
}
