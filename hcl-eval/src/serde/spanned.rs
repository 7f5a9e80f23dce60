//! [`Spanned`]: something read from a file, with the place it was read from.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use hcl_syntax::source::{Pos, Range};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor, value};
use serde::ser::{Serialize, Serializer};

use super::error::Error;

/// A field's value with the place it was read from: the expression of an argument (or, within a tuple or
/// object that is written out, the part's own), the header of a block, a label, a key.
///
/// It compares, orders and hashes as the value alone does, and is serialized as the value.
///
/// serde must see the field directly: within `#[serde(flatten)]` and untagged enums, where serde keeps a copy
/// of the data first, places are lost and deserialization fails.
///
/// ```
/// use hcl_eval::serde::{Spanned, from_str};
///
/// #[derive(serde::Deserialize)]
/// struct Config {
///     port: Spanned<u16>,
/// }
///
/// let config: Config = from_str("port = 80\n")?;
/// assert_eq!(*config.port, 80);
/// // What is wrong with the value is said at its place.
/// let range = config.port.range().unwrap();
/// assert_eq!((range.start.line, range.start.column), (1, 8));
/// # Ok::<(), hcl_syntax::diagnostic::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Spanned<T> {
    value: T,
    range: Option<Range>,
}

impl<T> Spanned<T> {
    /// A value that was read from `range`.
    pub const fn new(value: T, range: Option<Range>) -> Self {
        Self { value, range }
    }

    /// The place; `None` if the value does not come from a text.
    pub const fn range(&self) -> Option<&Range> {
        self.range.as_ref()
    }

    /// The value.
    pub const fn value(&self) -> &T {
        &self.value
    }

    /// The value, without the place.
    pub fn into_value(self) -> T {
        self.value
    }
}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Spanned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: PartialOrd> PartialOrd for Spanned<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl<T: Ord> Ord for Spanned<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

impl<T: Hash> Hash for Spanned<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

/// The name by which the deserializers of this crate know the wrapper.
pub(super) const NAME: &str = "$hcl::Spanned";
const RANGE: &str = "$hcl::range";
const VALUE: &str = "$hcl::value";
const FIELDS: &[&str] = &[RANGE, VALUE];

impl<T: Serialize> Serialize for Spanned<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(NAME, FIELDS, SpannedVisitor(PhantomData))
    }
}

struct SpannedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for SpannedVisitor<T> {
    type Value = Spanned<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("something read directly from HCL")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<Spanned<T>, A::Error> {
        let mut range = None;
        while let Some(key) = parts.next_key::<String>()? {
            match key.as_str() {
                RANGE => range = Some(parts.next_value::<WrittenRange>()?.0),
                VALUE => return Ok(Spanned { value: parts.next_value()?, range }),
                _ => break,
            }
        }
        Err(A::Error::custom("places are not known here"))
    }
}

/// The parts for [`SpannedVisitor`]: the range, if there is one, then the value.
pub(super) struct SpannedParts<D> {
    range: Option<Range>,
    value: Option<D>,
}

impl<D> SpannedParts<D> {
    pub(super) fn new(range: Option<Range>, value: D) -> Self {
        Self { range, value: Some(value) }
    }
}

impl<'de, D: Deserializer<'de, Error = Error>> MapAccess<'de> for SpannedParts<D> {
    type Error = Error;

    fn next_key_seed<K: serde::de::DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let key = match (&self.range, &self.value) {
            (Some(_), _) => RANGE,
            (None, Some(_)) => VALUE,
            (None, None) => return Ok(None),
        };
        seed.deserialize(value::StrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: serde::de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        if let Some(range) = self.range.take() {
            let name = range.filename.to_string();
            let numbers = [range.start, range.end].map(|pos| [pos.line.into(), pos.column.into(), pos.byte]);
            let parts = Parts { name: Some(name), numbers: numbers.concat().into_iter() };
            return seed.deserialize(value::SeqAccessDeserializer::new(parts));
        }
        match self.value.take() {
            Some(value) => seed.deserialize(value),
            None => Err(Error::unsuitable("There is no value.")),
        }
    }
}

/// A range as serde can carry it: the file's name, then line, column and byte of start and end.
struct Parts {
    name: Option<String>,
    numbers: std::vec::IntoIter<u64>,
}

impl<'de> SeqAccess<'de> for Parts {
    type Error = Error;

    fn next_element_seed<T: serde::de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if let Some(name) = self.name.take() {
            return seed.deserialize(value::StringDeserializer::new(name)).map(Some);
        }
        self.numbers.next().map(|number| seed.deserialize(value::U64Deserializer::new(number))).transpose()
    }
}

/// The other end of [`Parts`].
struct WrittenRange(Range);

impl<'de> Deserialize<'de> for WrittenRange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (name, line, column, byte, end_line, end_column, end_byte) =
            <(String, u32, u32, u64, u32, u32, u64)>::deserialize(deserializer)?;
        let start = Pos { line, column, byte };
        let end = Pos { line: end_line, column: end_column, byte: end_byte };
        Ok(Self(Range { filename: Arc::from(name), start, end }))
    }
}
