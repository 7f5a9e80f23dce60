//! Types to JSON and back: `"string"`, `["list","number"]`, `["object",{"a":"bool"},["a"]]`.

use super::super::error::{JsonProblem, ValueErrorKind};
use super::super::{ValueError, string::normalized};
use super::JsonOptions;
use super::encode::write_json_string;
use super::reader::{Content, Document};
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
    let mut out = String::new();
    write_type(ty, &mut out)?;
    Ok(out)
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
    if matches!(document.content(document.root()), Content::String(_)) {
        document.require_end()?;
    }
    read_type(&document, document.root())
}

pub(super) fn write_type(ty: &Type, out: &mut String) -> Result<(), ValueError> {
    stack::grow(ty.depth(), || {
        match ty {
            Type::Dynamic => out.push_str("\"dynamic\""),
            Type::Bool => out.push_str("\"bool\""),
            Type::Number => out.push_str("\"number\""),
            Type::String => out.push_str("\"string\""),
            Type::List(element) => write_collection("list", element, out)?,
            Type::Set(element) => write_collection("set", element, out)?,
            Type::Map(element) => write_collection("map", element, out)?,
            Type::Tuple(tuple) => {
                out.push_str("[\"tuple\",[");
                for (i, element) in tuple.elements().iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    write_type(element, out)?;
                }
                out.push_str("]]");
            }
            Type::Object(object) => write_object(object.attributes(), out)?,
            Type::Capsule(capsule) => {
                return Err(ValueErrorKind::JsonCapsule { found: capsule.name().into() }.into());
            }
        }
        Ok(())
    })
}

fn write_collection(name: &str, element: &Type, out: &mut String) -> Result<(), ValueError> {
    out.push_str("[\"");
    out.push_str(name);
    out.push_str("\",");
    write_type(element, out)?;
    out.push(']');
    Ok(())
}

fn write_object(attributes: &[ObjectAttribute], out: &mut String) -> Result<(), ValueError> {
    out.push_str("[\"object\",{");
    for (i, attribute) in attributes.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_json_string(&attribute.name, out);
        out.push(':');
        write_type(&attribute.ty, out)?;
    }
    out.push('}');
    let mut separator = ",[";
    for attribute in attributes.iter().filter(|attribute| attribute.optional) {
        out.push_str(separator);
        write_json_string(&attribute.name, out);
        separator = ",";
    }
    out.push_str(if separator == "," { "]]" } else { "]" });
    Ok(())
}

/// Reads the type that stands at a node.
pub(super) fn read_type(document: &Document<'_>, at: usize) -> Result<Type, ValueError> {
    stack::grow(u32::MAX, || match document.content(at) {
        Content::String(name) => match &*name {
            "bool" => Ok(Type::Bool),
            "number" => Ok(Type::Number),
            "string" => Ok(Type::String),
            "dynamic" => Ok(Type::Dynamic),
            _ => Err(invalid(document, at)),
        },
        Content::Array => {
            let parts: Vec<usize> = document.elements(at).collect();
            let (Some(&kind), Some(&parameter)) = (parts.first(), parts.get(1)) else {
                return Err(invalid(document, at));
            };
            let Content::String(kind) = document.content(kind) else { return Err(invalid(document, at)) };
            let ty = match (&*kind, parts.len()) {
                ("list", 2) => Type::list(read_type(document, parameter)?),
                ("set", 2) => Type::set(read_type(document, parameter)?),
                ("map", 2) => Type::map(read_type(document, parameter)?),
                ("tuple", 2) if matches!(document.content(parameter), Content::Array) => {
                    let elements = document.elements(parameter).map(|at| read_type(document, at));
                    Type::tuple(elements.collect::<Result<_, _>>()?)
                }
                ("object", 2 | 3) => read_object(document, parameter, parts.get(2).copied())?,
                _ => return Err(invalid(document, at)),
            };
            Ok(ty)
        }
        _ => Err(invalid(document, at)),
    })
}

fn read_object(document: &Document<'_>, at: usize, optional: Option<usize>) -> Result<Type, ValueError> {
    if !matches!(document.content(at), Content::Object) {
        return Err(invalid(document, at));
    }
    let mut attributes = Vec::new();
    for (key, value) in document.entries(at) {
        attributes.push(ObjectAttribute::new(normalized(&document.text(key)), read_type(document, value)?));
    }
    if let Some(names) = optional {
        if !matches!(document.content(names), Content::Array) {
            return Err(invalid(document, names));
        }
        for name in document.elements(names) {
            let Content::String(text) = document.content(name) else { return Err(invalid(document, name)) };
            let text = normalized(&text);
            let mut found = attributes.iter_mut().filter(|attribute| attribute.name == text).peekable();
            if found.peek().is_none() {
                return Err(invalid(document, name));
            }
            found.for_each(|attribute| attribute.optional = true);
        }
    }
    Ok(Type::object(attributes))
}

fn invalid(document: &Document<'_>, at: usize) -> ValueError {
    let offset = document.offset(at);
    ValueErrorKind::JsonSyntax { problem: JsonProblem::InvalidType, offset }.into()
}
