//! Errors of values, and their wording.
//!
//! An error is data: a kind and the path inside the value. It knows no place in a source; the evaluator
//! adds that. Summaries are those of the reference implementation, because tools match on them; details are
//! our own. The sentences about conversions are made in `convert` and travel in
//! [`ValueErrorKind::Conversion`].

use std::fmt;
use std::ops::{Deref, DerefMut};

use hcl_syntax::diagnostic::detail;

use super::number::NumberError;
use super::path::Path;
use crate::Str;
use crate::limits::LimitReached;

/// A failed operation on a value. Boxed, so that results with values stay as small as values: the fields
/// are those of [`ValueProblem`].
///
/// ```
/// use hcl_eval::{Type, Value, convert::convert};
///
/// let error = convert(&Value::from(["80", "http"]), &Type::list(Type::Number)).unwrap_err();
/// assert_eq!(error.path.to_text(), "[1]");
/// assert_eq!(error.to_string(), "[1]: a number is required");
/// ```
#[derive(Clone, Debug)]
pub struct ValueError(Box<ValueProblem>);

const _: () = assert!(size_of::<Result<super::Value, ValueError>>() == 24);

/// The kind and the place of a failed operation.
#[derive(Clone, Debug)]
pub struct ValueProblem {
    /// The kind of the error.
    pub kind: ValueErrorKind,
    /// Where inside the value; empty for the value itself.
    pub path: Path,
}

impl Deref for ValueError {
    type Target = ValueProblem;

    fn deref(&self) -> &ValueProblem {
        &self.0
    }
}

impl DerefMut for ValueError {
    fn deref_mut(&mut self) -> &mut ValueProblem {
        &mut self.0
    }
}

/// The kinds of failure.
///
/// ```
/// use hcl_eval::value::index;
/// use hcl_eval::{Value, ValueErrorKind};
///
/// let error = index::index(&Value::from([80]), &Value::from(1)).unwrap_err();
/// assert!(matches!(error.kind, ValueErrorKind::IndexTooLarge { length: 1, .. }));
/// assert_eq!(error.summary(), "Invalid index");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ValueErrorKind {
    /// `null + 1`
    NullOperand,
    /// `0 / 0`
    Arithmetic(NumberError),
    /// An operand that the caller did not convert first.
    OperandType {
        /// The name of the type that the operation wants.
        expected: &'static str,
        /// The name of the type that it got.
        found: String,
    },
    /// `null[0]`
    IndexOfNull,
    /// `[1][null]`
    NullKey,
    /// `["a"][0.5]`
    FractionalIndex,
    /// `["a"][-1]`
    NegativeIndex,
    /// `[][0]`
    IndexOfEmpty,
    /// `["a"][1]`
    IndexTooLarge {
        /// The index that was asked for.
        index: Str,
        /// How many elements there are.
        length: usize,
    },
    /// An index or key that is not there, where no more may be said.
    ElementNotFound {
        /// `list`, `tuple`, `map` or `object`.
        collection: &'static str,
        /// The object was asked with a number, perhaps because a list was expected.
        numeric_key: bool,
    },
    /// `["a"][true]`
    KeyType {
        /// `list`, `tuple`, `map` or `object`.
        collection: &'static str,
        /// `number` or `string`.
        expected: &'static str,
        /// The name of the type of the key.
        found: String,
    },
    /// `toset(["a"])[0]`
    IndexOfSet,
    /// `true[0]`
    NotIndexable {
        /// The name of the type of the value.
        found: String,
    },
    /// `null.a`
    AttributeOfNull,
    /// `{a = 1}.b`
    UnsupportedAttribute {
        /// The attribute that was asked for.
        name: Str,
        /// An attribute of nearly that name.
        similar: Option<Str>,
    },
    /// `tomap({a = 1}).b`
    MissingMapElement {
        /// The key that was asked for.
        name: Str,
    },
    /// `[{a = 1}].a`
    AttributeOfCollection {
        /// `list` or `set`.
        collection: &'static str,
        /// The attribute that was asked for.
        name: Str,
        /// The elements do have such an attribute.
        element_has_it: bool,
    },
    /// `true.a`
    AttributeOfOther {
        /// The attribute that was asked for.
        name: Str,
        /// The name of the type of the value.
        found: String,
    },
    /// A conversion that failed; the sentence is made where conversions are.
    Conversion(String),
    /// A refinement that says the opposite of what is already known.
    RefinementContradiction,
    /// A refinement of another kind of value.
    RefinementKind {
        /// The name of the type that can't be refined like this.
        found: String,
    },
    /// A path that leads nowhere.
    Path {
        /// The number of the step, from 0.
        step: usize,
        /// The problem there.
        problem: PathProblem,
    },
    /// The value or a part of it is unknown and can't be written.
    JsonUnknown,
    /// The value or a part of it is marked and can't be written.
    JsonMarked,
    /// JSON has no infinity.
    JsonInfinity,
    /// A host value that has no JSON form.
    JsonCapsule {
        /// The name of its type.
        found: String,
    },
    /// A bound on the work was reached.
    Limit(LimitReached),
    /// A text that is longer than the caller's budget.
    OutputTooLong {
        /// The budget in bytes.
        limit: usize,
    },
    /// A text that is not JSON.
    JsonSyntax {
        /// The problem.
        problem: JsonProblem,
        /// Bytes from the start of the text.
        offset: usize,
    },
    /// JSON of another shape than the type wants.
    JsonMismatch(String),
}

/// The reason that a path can't be followed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PathProblem {
    /// An index step at null.
    IndexOfNull,
    /// An attribute step at null.
    AttributeOfNull,
    /// A number key at something without positions.
    NotAList,
    /// A string key at something without keys.
    NotAMap,
    /// A key that is neither number nor string.
    KeyKind,
    /// A key that is not there.
    NoSuchElement,
    /// An attribute step at something without attributes.
    NotAnObject,
    /// An attribute that is not there.
    NoSuchAttribute,
}

/// The reason that a text is not JSON.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum JsonProblem {
    /// The text ends inside a value.
    UnexpectedEnd,
    /// A byte that can't stand here.
    UnexpectedByte(u8),
    /// A byte order mark before the value.
    ByteOrderMark,
    /// A number that does not follow JSON's grammar or is out of range.
    InvalidNumber,
    /// A backslash followed by something that is no escape.
    InvalidEscape,
    /// A control character inside a string.
    ControlCharacter,
    /// Bytes after the value.
    TrailingData,
    /// Arrays and objects nest too deep.
    TooDeep,
    /// One key twice, with values of different types.
    DuplicateKey,
    /// A type description that describes no type.
    InvalidType,
}

impl ValueError {
    /// An error about the value itself.
    #[must_use]
    pub fn new(kind: ValueErrorKind) -> ValueError {
        ValueError::at(kind, Path::new())
    }

    /// An error about a part.
    #[cold] // Its copies took 4 KB of the library.
    #[must_use]
    pub fn at(kind: ValueErrorKind, path: Path) -> ValueError {
        ValueError(Box::new(ValueProblem { kind, path }))
    }

    /// Takes the error apart.
    #[must_use]
    pub fn into_parts(self) -> (ValueErrorKind, Path) {
        (self.0.kind, self.0.path)
    }

    /// An error of a conversion, with its sentence.
    pub fn conversion(sentence: impl Into<String>) -> ValueError {
        ValueError::new(ValueErrorKind::Conversion(sentence.into()))
    }

    /// Turns the error into one about a part: one step is put before the path.
    #[must_use]
    pub fn under(mut self, step: super::path::PathStep) -> ValueError {
        self.path.push_front(step);
        self
    }

    /// The general problem in a few words.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.kind.summary()
    }

    /// Full sentences about this problem.
    #[must_use]
    pub fn detail(&self) -> String {
        self.kind.detail()
    }

    /// [`ValueError::detail`] as a part of a sentence, which ends with no full stop of its own.
    ///
    /// ```
    /// use hcl_eval::ValueError;
    ///
    /// assert_eq!(ValueError::conversion("a number is required").reason(), "a number is required");
    /// assert_eq!(ValueError::conversion("A number is required.").reason(), "A number is required");
    /// ```
    #[must_use]
    pub fn reason(&self) -> String {
        let mut text = self.detail();
        text.truncate(text.trim_end_matches('.').len());
        text
    }

    /// The stable code of the kind.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }
}

/// `text` as the end of a sentence: with a full stop, once.
pub(crate) fn sentence(text: &str) -> String {
    if text.ends_with(['.', '?', '!']) { text.to_owned() } else { format!("{text}.") }
}

impl From<ValueErrorKind> for ValueError {
    fn from(kind: ValueErrorKind) -> ValueError {
        ValueError::new(kind)
    }
}

impl From<LimitReached> for ValueError {
    fn from(limit: LimitReached) -> ValueError {
        ValueErrorKind::Limit(limit).into()
    }
}

impl From<NumberError> for ValueError {
    fn from(error: NumberError) -> ValueError {
        ValueError::new(ValueErrorKind::Arithmetic(error))
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path.to_short_text())?;
        }
        f.write_str(&self.kind.detail())
    }
}

impl std::error::Error for ValueError {}

impl ValueErrorKind {
    /// The stable code, for example `value.index.not_found`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NullOperand => "value.null_operand",
            Self::Arithmetic(_) => "value.arithmetic",
            Self::OperandType { .. } => "value.operand_type",
            Self::IndexOfNull => "value.index.null",
            Self::NullKey => "value.index.null_key",
            Self::FractionalIndex => "value.index.fractional",
            Self::NegativeIndex => "value.index.negative",
            Self::IndexOfEmpty => "value.index.empty",
            Self::IndexTooLarge { .. } => "value.index.too_large",
            Self::ElementNotFound { .. } => "value.index.not_found",
            Self::KeyType { .. } => "value.index.key_type",
            Self::IndexOfSet => "value.index.set",
            Self::NotIndexable { .. } => "value.index.not_indexable",
            Self::AttributeOfNull => "value.attribute.null",
            Self::UnsupportedAttribute { .. } => "value.attribute.unsupported",
            Self::MissingMapElement { .. } => "value.attribute.missing_map_element",
            Self::AttributeOfCollection { .. } => "value.attribute.collection",
            Self::AttributeOfOther { .. } => "value.attribute.no_attributes",
            Self::Conversion(_) => "value.conversion",
            Self::RefinementContradiction => "value.refinement.contradiction",
            Self::RefinementKind { .. } => "value.refinement.kind",
            Self::Path { .. } => "value.path",
            Self::JsonUnknown => "value.json.unknown",
            Self::JsonMarked => "value.json.marked",
            Self::JsonInfinity => "value.json.infinity",
            Self::JsonCapsule { .. } => "value.json.capsule",
            Self::Limit(limit) => limit.code(),
            Self::OutputTooLong { .. } => "limit.output",
            Self::JsonSyntax { problem: JsonProblem::TooDeep, .. } => "limit.depth",
            Self::JsonSyntax { .. } => "value.json.syntax",
            Self::JsonMismatch(_) => "value.json.mismatch",
        }
    }

    /// The general problem in a few words, as the reference implementation has it.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        match self {
            Self::NullOperand | Self::Arithmetic(_) => "Operation failed",
            Self::OperandType { .. } => "Invalid operand",
            Self::IndexOfNull => "Attempt to index null value",
            Self::NullKey
            | Self::FractionalIndex
            | Self::NegativeIndex
            | Self::IndexOfEmpty
            | Self::IndexTooLarge { .. }
            | Self::ElementNotFound { .. }
            | Self::KeyType { .. }
            | Self::IndexOfSet
            | Self::NotIndexable { .. } => "Invalid index",
            Self::AttributeOfNull => "Attempt to get attribute from null value",
            Self::UnsupportedAttribute { .. }
            | Self::AttributeOfCollection { .. }
            | Self::AttributeOfOther { .. } => "Unsupported attribute",
            Self::MissingMapElement { .. } => "Missing map element",
            Self::Conversion(_) => "Incorrect value type",
            Self::RefinementContradiction | Self::RefinementKind { .. } => "Invalid refinement",
            Self::Path { .. } => "Invalid path",
            Self::JsonUnknown | Self::JsonMarked | Self::JsonInfinity | Self::JsonCapsule { .. } => {
                "Value cannot be written as JSON"
            }
            Self::Limit(limit) => limit.summary(),
            Self::OutputTooLong { .. } => "Output too long",
            Self::JsonSyntax { .. } => "Invalid JSON",
            Self::JsonMismatch(_) => "Unexpected JSON",
        }
    }

    /// Full sentences: what was found, what was expected, what to do.
    #[must_use]
    pub fn detail(&self) -> String {
        match self {
            Self::NullOperand => "The argument must not be null.".into(),
            Self::Arithmetic(error) => format!("Error during operation: {}.", error.message()),
            Self::OperandType { expected, found } => {
                format!("The operation needs a value of type {expected}, but it was given {found}.")
            }
            Self::Conversion(sentence) | Self::JsonMismatch(sentence) => sentence.clone(),
            Self::RefinementContradiction => {
                "The refinement contradicts what is already known about the value.".into()
            }
            Self::RefinementKind { found } => {
                format!("A value of type {found} has no property of the kind that the refinement is about.")
            }
            Self::Path { step, problem } => format!("At step {step}: {}.", problem.text()),
            Self::JsonUnknown => "The value is not known yet, so it cannot be written as JSON.".into(),
            Self::JsonMarked => "The value has marks, so it cannot be written as JSON.".into(),
            Self::JsonInfinity => {
                "JSON has no way to write infinity. Leave it out, or put a text in its place.".into()
            }
            Self::JsonCapsule { found } => format!("Values of type {found} have no JSON form."),
            Self::Limit(limit) => limit.sentence("The work"),
            Self::OutputTooLong { limit } => {
                format!("The result would be longer than the limit of {limit} bytes.")
            }
            Self::JsonSyntax { problem, offset } => format!("At byte {offset}: {}.", problem.text()),
            _ => self.access_detail(),
        }
    }

    /// The details of index and attribute access.
    fn access_detail(&self) -> String {
        match self {
            Self::IndexOfNull => "This value is null, so it has no elements.".into(),
            Self::NullKey => "The key is null. An element is chosen by a number or a string.".into(),
            Self::FractionalIndex => {
                "The index is not a whole number. Elements are counted 0, 1, 2 and so on.".into()
            }
            Self::NegativeIndex => {
                "The index is negative. Elements are counted from 0; to count from the end, subtract from \
                 the length."
                    .into()
            }
            Self::IndexOfEmpty => "The collection is empty, so no index is valid.".into(),
            Self::IndexTooLarge { index, length } => format!(
                "The index {index} is too large: the collection has {length} {}, and the last index is {}.",
                if *length == 1 { "element" } else { "elements" },
                length.saturating_sub(1),
            ),
            Self::ElementNotFound { collection, numeric_key } => not_found(collection, *numeric_key),
            Self::KeyType { collection, expected, found } => {
                format!("An element of a {collection} is chosen by a {expected}, but the key is {found}.")
            }
            Self::IndexOfSet => "The elements of a set have no index and no key. Iterate over the set with \
                                 a \"for\" expression, or convert it to a list first."
                .into(),
            Self::NotIndexable { found } => format!("A value of type {found} does not have any indices."),
            Self::AttributeOfNull => "This value is null, so it has no attributes.".into(),
            Self::UnsupportedAttribute { name, similar } => {
                let hint = similar
                    .as_ref()
                    .map(|name| detail(format_args!(" Did you mean \"{name}\"?")))
                    .unwrap_or_default();
                detail(format_args!("This object does not have an attribute named \"{name}\".{hint}"))
            }
            Self::MissingMapElement { name } => {
                detail(format_args!("This map does not have an element with the key \"{name}\"."))
            }
            Self::AttributeOfCollection { collection, name, element_has_it } => {
                attribute_of_collection(collection, name, *element_has_it)
            }
            Self::AttributeOfOther { name, found } => detail(format_args!(
                "A value of type {found} has no attributes, so \"{name}\" is not one of them."
            )),
            _ => String::new(),
        }
    }
}

fn not_found(collection: &str, numeric_key: bool) -> String {
    let mut text = match collection {
        "map" | "object" => {
            format!("The key does not name an element of this {collection}.")
        }
        _ => format!("The index does not name an element of this {collection}."),
    };
    if numeric_key {
        text.push_str(" An object is indexed by attribute names, not by positions.");
    }
    text
}

fn attribute_of_collection(collection: &str, name: &str, element_has_it: bool) -> String {
    match (collection, element_has_it) {
        ("list", true) => detail(format_args!(
            "This is a list of objects, not an object. To get \"{name}\" of one element put its index \
             first, as in [0].{name}; to get it of all elements use a splat, as in [*].{name}."
        )),
        ("set", true) => detail(format_args!(
            "This is a set of objects, not an object. Its elements have no index: to get \"{name}\" of each \
             of them use a \"for\" expression."
        )),
        _ => detail(format_args!("A {collection} has no attributes, so \"{name}\" is not one of them.")),
    }
}

impl PathProblem {
    fn text(self) -> &'static str {
        match self {
            Self::IndexOfNull => "a null value has no elements",
            Self::AttributeOfNull => "a null value has no attributes",
            Self::NotAList => "a number key needs a list or tuple",
            Self::NotAMap => "a string key needs a map",
            Self::KeyKind => "a key must be a number or a string",
            Self::NoSuchElement => "there is no element with this key",
            Self::NotAnObject => "only objects have attributes",
            Self::NoSuchAttribute => "the object has no such attribute",
        }
    }
}

impl JsonProblem {
    fn text(self) -> String {
        match self {
            Self::UnexpectedEnd => "the text ends inside a value".into(),
            Self::UnexpectedByte(byte) if byte.is_ascii_graphic() => {
                format!("the character \"{}\" can't stand here", char::from(byte))
            }
            Self::UnexpectedByte(byte) => format!("the byte 0x{byte:02x} can't stand here"),
            Self::ByteOrderMark => "the text begins with a byte order mark, which JSON has not".into(),
            Self::InvalidNumber => "this is no number in JSON's form".into(),
            Self::InvalidEscape => "a backslash must start one of JSON's escapes".into(),
            Self::ControlCharacter => "control characters in strings must be escaped".into(),
            Self::TrailingData => "there is extraneous data after the value".into(),
            Self::TooDeep => "arrays and objects nest deeper than the limit".into(),
            Self::DuplicateKey => "one key is there twice, with values of different types".into(),
            Self::InvalidType => "this does not describe a type".into(),
        }
    }
}
