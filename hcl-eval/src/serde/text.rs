//! Rust values to native syntax: which parts become blocks, and which attributes.

use hcl_syntax::diagnostic;
use hcl_syntax::edit::{NewBody, NewExpression};
use serde::ser::{Serialize, Serializer};

use super::body::{LABEL, LABELS};
use super::error::{Error, Problem};
use super::write::{ARGUMENT, Made, make};
use crate::Str;
use crate::convert::convert;
use crate::stack;
use crate::types::Type;
use crate::value::{Kind, PathStep, Value};
use crate::written;

/// Writes a Rust value as a file of native syntax, which [`from_str`](super::from_str) reads back.
///
/// The Rust type decides, as it does when a file is read. Blocks are: a struct; a struct variant of an enum, with the
/// variant for its label; a sequence of these; a map whose values are these, with the keys for labels. A field `$label`
/// or `$labels` gives the other labels. Everything else is an attribute, and `None` is left out. A field is an attribute
/// in spite of its type with [`as_argument`]. Maps in attributes are sorted by their keys; everything else keeps its
/// order. An empty sequence or map is an attribute, because its elements have no type;
/// `#[serde(skip_serializing_if = "Vec::is_empty")]` leaves it out.
///
/// # Errors
/// The value is no struct, map or enum with content; a name is no identifier; labels stand elsewhere than in blocks; a
/// part has no text (NaN, an infinity, unknown and marked values), or as of [`to_value`](super::to_value).
///
/// ```
/// use hcl_eval::serde::{from_str, to_string};
///
/// #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
/// struct Config {
///     region: String,
///     listen: Vec<Listen>,
/// }
///
/// #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
/// struct Listen {
///     #[serde(rename = "$label")]
///     name: String,
///     ports: Vec<u16>,
/// }
///
/// let config = Config {
///     region: "eu".into(),
///     listen: vec![Listen { name: "public".into(), ports: vec![80, 443] }],
/// };
/// let text = to_string(&config)?;
/// assert_eq!(text, "region = \"eu\"\n\nlisten \"public\" {\n  ports = [80, 443]\n}\n");
/// assert_eq!(from_str::<Config>(&text)?, config);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    to_body(value)?.text().map_err(|error| Error::of_diagnostics(error.into_diagnostics()))
}

/// Writes a Rust value as the body of a block; as [`to_string`] does, but for a document that is built of parts.
///
/// # Errors
/// As for [`to_string`], but for names that are no identifiers, which [`NewBody::text`] tells.
///
/// ```
/// use hcl_eval::serde::to_body;
/// use hcl_syntax::edit::NewBody;
///
/// #[derive(serde::Serialize)]
/// struct Service {
///     port: u16,
/// }
///
/// let file = NewBody::new().block("service", &["web"], to_body(&Service { port: 80 })?);
/// assert_eq!(file.text()?, "service \"web\" {\n  port = 80\n}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_body<T: Serialize + ?Sized>(value: &T) -> Result<NewBody, Error> {
    let (labels, body) = body(make(value)?)?;
    match labels.first() {
        None => Ok(body),
        Some(_) => Err(misplaced_labels()),
    }
}

/// A field that is written as an attribute, `limits = { … }`, where its type would make it a block. Reading accepts
/// both. For `#[serde(with = "…")]`:
///
/// ```
/// use hcl_eval::serde::{from_str, to_string};
///
/// #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
/// struct Limits {
///     files: u32,
/// }
///
/// #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
/// struct Service {
///     #[serde(with = "hcl_eval::serde::as_argument")]
///     limits: Limits,
/// }
///
/// let service = Service { limits: Limits { files: 1024 } };
/// let text = to_string(&service)?;
/// assert_eq!(text, "limits = {\n  files = 1024\n}\n");
/// assert_eq!(from_str::<Service>(&text)?, service);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod as_argument {
    use serde::de::{Deserialize, Deserializer};

    use super::{ARGUMENT, Serialize, Serializer};

    /// Writes the field. Other formats see its value alone.
    ///
    /// # Errors
    /// Those of the field's own `Serialize`.
    pub fn serialize<T: Serialize + ?Sized, S: Serializer>(
        field: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(ARGUMENT, field)
    }

    /// Reads the field.
    ///
    /// # Errors
    /// Those of the field's own `Deserialize`.
    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

/// A Rust value, as far as it decides between blocks and attributes.
enum Part {
    Value(Value),
    Absent,
    Sequence(Vec<Part>),
    Map(Vec<(Str, Part)>),
    Struct(Vec<(Str, Part)>),
    Variant(Str, Box<Part>),
    Argument(Box<Part>),
}

impl Made for Part {
    fn value(value: Value) -> Self {
        Self::Value(value)
    }

    fn absent() -> Self {
        Self::Absent
    }

    fn sequence(elements: Vec<Self>) -> Self {
        Self::Sequence(elements)
    }

    fn map(entries: Vec<(Str, Self)>) -> Self {
        Self::Map(entries)
    }

    fn structure(fields: Vec<(Str, Self)>) -> Self {
        Self::Struct(fields)
    }

    fn variant(name: Str, content: Self) -> Self {
        Self::Variant(name, Box::new(content))
    }

    fn argument(self) -> Self {
        Self::Argument(Box::new(self))
    }
}

impl Part {
    fn is_block(&self) -> bool {
        match self {
            Self::Struct(_) => true,
            Self::Variant(_, content) => matches!(**content, Self::Struct(_)),
            _ => false,
        }
    }

    fn is_blocks(&self) -> bool {
        match self {
            Self::Sequence(parts) => !parts.is_empty() && parts.iter().all(Self::is_block),
            Self::Map(entries) => !entries.is_empty() && entries.iter().all(|(_, part)| part.is_blocks()),
            part => part.is_block(),
        }
    }
}

/// The labels and the body of what becomes a block.
fn body(part: Part) -> Result<(Vec<String>, NewBody), Error> {
    let entries = match part {
        Part::Struct(entries) | Part::Map(entries) => entries,
        Part::Variant(name, content) => vec![(name, *content)],
        Part::Value(value) if matches!(value.kind(), Kind::Map | Kind::Object) && !value.is_marked() => {
            let entries = value.entries().into_iter().flatten();
            entries.map(|(name, value)| (name.clone(), Part::Value(value.clone()))).collect()
        }
        _ => {
            let detail =
                "A file or a block is written of a struct, a map, or a variant of an enum with content.";
            return Err(Problem::unserializable(detail).into());
        }
    };
    let (mut labels, mut body) = (Vec::new(), NewBody::new());
    for (name, part) in entries {
        let under = |error: Error| error.under(PathStep::Attribute(name.clone()));
        match name.as_str() {
            LABEL => labels.push(label(&part).map_err(under)?),
            LABELS => match &part {
                Part::Sequence(parts) => {
                    let more: Result<Vec<_>, _> = parts.iter().map(label).collect();
                    labels.extend(more.map_err(under)?);
                }
                part => labels.push(label(part).map_err(under)?),
            },
            _ if matches!(part, Part::Absent) => {}
            _ if part.is_blocks() => body = blocks(body, &name, &mut Vec::new(), part).map_err(under)?,
            _ => body = body.attribute(&name, expression(part).map_err(under)?),
        }
    }
    Ok((labels, body))
}

/// Adds the blocks of one type whose first labels are known.
fn blocks(mut to: NewBody, block_type: &str, labels: &mut Vec<Str>, part: Part) -> Result<NewBody, Error> {
    match part {
        Part::Sequence(parts) => {
            for (index, part) in parts.into_iter().enumerate() {
                let under = |error: Error| error.under(PathStep::position(index));
                to = blocks(to, block_type, labels, part).map_err(under)?;
            }
            Ok(to)
        }
        Part::Map(entries) => {
            for (key, part) in entries {
                labels.push(key.clone());
                to = blocks(to, block_type, labels, part)
                    .map_err(|error| error.under(PathStep::Attribute(key)))?;
                labels.pop();
            }
            Ok(to)
        }
        Part::Variant(name, content) => {
            labels.push(name);
            let to = blocks(to, block_type, labels, *content);
            labels.pop();
            to
        }
        part => {
            let (more, body) = stack::grow(u32::MAX, || body(part))?;
            let all: Vec<&str> =
                labels.iter().map(Str::as_str).chain(more.iter().map(String::as_str)).collect();
            Ok(to.block(block_type, &all, body))
        }
    }
}

/// A label of a block: a text, a number or a truth value.
fn label(part: &Part) -> Result<String, Error> {
    let text = match part {
        Part::Value(value) if !value.is_marked() && !value.is_null() => convert(value, &Type::String).ok(),
        _ => None,
    };
    let text = text.as_ref().and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| Problem::unserializable("The labels of blocks are texts.").into())
}

/// The value of an attribute.
fn expression(part: Part) -> Result<NewExpression, Error> {
    stack::grow(u32::MAX, || match part {
        Part::Absent => Ok(NewExpression::null()),
        Part::Argument(part) => expression(*part),
        Part::Value(value) => constant(&value),
        Part::Sequence(parts) => {
            let elements = parts.into_iter().enumerate().map(|(index, part)| {
                expression(part).map_err(|error| error.under(PathStep::position(index)))
            });
            Ok(NewExpression::tuple(elements.collect::<Result<Vec<_>, _>>()?))
        }
        Part::Map(mut entries) => {
            hcl_syntax::sorting::sort_by(&mut entries, |a, b| a.0.cmp(&b.0));
            object(entries)
        }
        Part::Struct(fields) => object(fields),
        Part::Variant(name, content) => object(vec![(name, *content)]),
    })
}

fn object(entries: Vec<(Str, Part)>) -> Result<NewExpression, Error> {
    let items = entries.into_iter().map(|(name, part)| {
        if matches!(name.as_str(), LABEL | LABELS) {
            return Err(misplaced_labels());
        }
        let value = expression(part).map_err(|error| error.under(PathStep::Attribute(name.clone())))?;
        Ok((name, value))
    });
    Ok(NewExpression::object(items.collect::<Result<Vec<_>, _>>()?))
}

fn constant(value: &Value) -> Result<NewExpression, Error> {
    let short = match value.kind() {
        _ if value.is_marked() => None,
        Kind::Null => Some(NewExpression::null()),
        Kind::Bool => value.as_bool().map(NewExpression::bool),
        Kind::String => value.as_str().map(NewExpression::string),
        Kind::Number => value.as_number().and_then(|number| number.to_i64()).map(NewExpression::integer),
        _ => None,
    };
    let refused = |error: diagnostic::Error| {
        let detail = error.into_iter().next().map(|diagnostic| diagnostic.detail);
        Problem::unserializable(detail.unwrap_or_default()).into()
    };
    short.map_or_else(|| written::expression(value).map_err(refused), Ok)
}

fn misplaced_labels() -> Error {
    Problem::unserializable("Only blocks have labels: neither a file nor the value of an attribute has any.")
        .into()
}
