//! Types to JSON and back: `"string"`, `["list","number"]`, `["object",{"a":"bool"},["a"]]`.

use hcl_syntax::hash::IndexMap;
use smallvec::SmallVec;

use super::super::ValueError;
use super::super::error::{JsonProblem, ValueErrorKind};
use super::JsonOptions;
use super::decode::TypedReader;
use super::encode::{Encoder, encode_type};
use super::reader::{Content, Document};
use crate::Str;
use crate::limits::{go_on, hold};
use crate::stack;
use crate::types::{ObjectAttribute, Type};

/// The JSON form of a type.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::value::json::type_to_json;
///
/// assert_eq!(type_to_json(&Type::list(Type::String))?, r#"["list","string"]"#);
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When the type has host types in it.
pub fn type_to_json(ty: &Type) -> Result<String, ValueError> {
    encode_type(ty)
}

/// Reads the JSON form of a type. What follows a type that is no primitive one is ignored, as the reference
/// does.
///
/// ```
/// use hcl_eval::Type;
/// use hcl_eval::value::json::type_from_json;
///
/// assert_eq!(type_from_json(r#"["map","number"]"#)?, Type::map(Type::Number));
/// # Ok::<(), hcl_eval::ValueError>(())
/// ```
///
/// # Errors
/// When the text is not JSON or describes no type.
pub fn type_from_json(text: &str) -> Result<Type, ValueError> {
    let document = Document::read(text, &JsonOptions::default())?;
    if document.is_string(document.root()) {
        document.require_end(&mut None)?;
    }
    let mut reader = TypedReader::new(&document, None);
    reader.keeps_optional = true;
    reader.ty(document.root())
}

impl Encoder<'_> {
    /// Writes a type.
    pub(super) fn ty(&mut self, ty: &Type) -> Result<(), ValueError> {
        self.check(0)?;
        stack::grow(ty.depth(), || {
            match ty {
                Type::Dynamic => self.out.push_str("\"dynamic\""),
                Type::Bool => self.out.push_str("\"bool\""),
                Type::Number => self.out.push_str("\"number\""),
                Type::String => self.out.push_str("\"string\""),
                Type::List(element) => self.collection_type("list", element)?,
                Type::Set(element) => self.collection_type("set", element)?,
                Type::Map(element) => self.collection_type("map", element)?,
                Type::Tuple(tuple) => self.tuple_type(tuple.elements(), Self::ty)?,
                Type::Object(object) => {
                    self.object_type(object.attributes().iter().map(|a| (&a.name, &a.ty)), Self::ty)?;
                    self.optional_names(object.attributes())?;
                }
                Type::Capsule(capsule) => {
                    return Err(ValueErrorKind::JsonCapsule { found: capsule.name().into() }.into());
                }
            }
            self.check(0)
        })
    }

    fn collection_type(&mut self, name: &str, element: &Type) -> Result<(), ValueError> {
        self.out.push_str("[\"");
        self.out.push_str(name);
        self.out.push_str("\",");
        self.ty(element)?;
        self.out.push(']');
        Ok(())
    }

    /// Writes a tuple type, of whatever the types of the elements are known.
    pub(super) fn tuple_type<T>(
        &mut self,
        elements: &[T],
        write: impl Fn(&mut Self, &T) -> Result<(), ValueError>,
    ) -> Result<(), ValueError> {
        self.check(0)?;
        self.out.push_str("[\"tuple\",[");
        for (i, element) in elements.iter().enumerate() {
            go_on(&mut self.meter, 1)?;
            self.comma(i);
            write(self, element)?;
        }
        self.out.push_str("]]");
        self.check(0)
    }

    /// Writes an object type but for its last bracket, of whatever the types of the attributes are known.
    pub(super) fn object_type<'n, T: 'n>(
        &mut self,
        attributes: impl Iterator<Item = (&'n Str, &'n T)>,
        write: impl Fn(&mut Self, &T) -> Result<(), ValueError>,
    ) -> Result<(), ValueError> {
        self.check(0)?;
        self.out.push_str("[\"object\",{");
        for (i, (name, ty)) in attributes.enumerate() {
            self.name(i, name)?;
            self.out.push(':');
            write(self, ty)?;
        }
        self.out.push('}');
        Ok(())
    }

    /// Writes which attributes are optional, if there are any, and the last bracket of their object type.
    fn optional_names(&mut self, attributes: &[ObjectAttribute]) -> Result<(), ValueError> {
        let mut n = 0;
        for attribute in attributes.iter().filter(|attribute| attribute.optional) {
            if n == 0 {
                self.out.push_str(",[");
            }
            self.name(n, &attribute.name)?;
            n += 1;
        }
        self.out.push_str(if n == 0 { "]" } else { "]]" });
        Ok(())
    }

    /// Writes one of several names.
    fn name(&mut self, n_before: usize, name: &str) -> Result<(), ValueError> {
        go_on(&mut self.meter, 1)?;
        self.comma(n_before);
        self.quoted(name)
    }
}

impl TypedReader<'_, '_> {
    /// Reads the type that stands at a node.
    pub(super) fn ty(&mut self, at: usize) -> Result<Type, ValueError> {
        stack::grow(u32::MAX, || {
            go_on(&mut self.pace, 1)?;
            match self.document.content_on(at, &mut self.pace)? {
                Content::String(name) => match &*name {
                    "bool" => Ok(Type::Bool),
                    "number" => Ok(Type::Number),
                    "string" => Ok(Type::String),
                    "dynamic" => Ok(Type::Dynamic),
                    _ => Err(self.no_type(at)),
                },
                Content::Array => self.type_with_parameters(at),
                _ => Err(self.no_type(at)),
            }
        })
    }

    fn type_with_parameters(&mut self, at: usize) -> Result<Type, ValueError> {
        let document = self.document;
        let parts: SmallVec<[usize; 4]> = document.elements(at).take(4).collect();
        let (Some(&kind), Some(&parameter)) = (parts.first(), parts.get(1)) else {
            return Err(self.no_type(at));
        };
        let Some(kind) = document.text_on(kind, &mut self.pace)? else { return Err(self.no_type(at)) };
        Ok(match (&*kind, parts.len()) {
            ("list", 2) => Type::list(self.ty(parameter)?),
            ("set", 2) => Type::set(self.ty(parameter)?),
            ("map", 2) => Type::map(self.ty(parameter)?),
            ("tuple", 2) if document.is_array(parameter) => {
                let elements = document.elements(parameter).map(|at| self.ty(at));
                Type::tuple(elements.collect::<Result<_, _>>()?)
            }
            ("object", 2 | 3) => self.object_type(parameter, parts.get(2).copied())?,
            _ => return Err(self.no_type(at)),
        })
    }

    /// Reads attributes, and the names of those that are optional.
    fn object_type(&mut self, at: usize, optional: Option<usize>) -> Result<Type, ValueError> {
        let document = self.document;
        if !matches!(document.content(at), Content::Object) {
            return Err(self.no_type(at));
        }
        let n = self.n_entries(at)?;
        hold(&mut self.pace, n.saturating_mul(3 * size_of::<ObjectAttribute>()))?;
        let mut attributes = IndexMap::with_capacity_and_hasher(n, Default::default());
        for (key, value) in document.entries(at) {
            attributes.insert(self.name(key)?, (self.ty(value)?, false));
        }
        if let Some(names) = optional {
            if !document.is_array(names) {
                return Err(self.no_type(names));
            }
            for name in document.elements(names) {
                go_on(&mut self.pace, 1)?;
                if !document.is_string(name) {
                    return Err(self.no_type(name));
                }
                let text = self.name(name)?;
                let Some((_, optional)) = attributes.get_mut(&text) else { return Err(self.no_type(name)) };
                *optional = self.keeps_optional;
            }
        }
        let attributes =
            attributes.into_iter().map(|(name, (ty, optional))| ObjectAttribute { name, ty, optional });
        let attributes = attributes.collect();
        Ok(Type::object_on(attributes, &mut self.pace)?)
    }

    fn no_type(&self, at: usize) -> ValueError {
        let offset = self.document.offset(at);
        ValueErrorKind::JsonSyntax { problem: JsonProblem::InvalidType, offset }.into()
    }
}
