//! Type expressions of the specification language.
//!
//! Other than type constraints, which are read without evaluating them, these are expressions like any other:
//! types are values, `list` and the like are functions. So they may contain conditionals, for example.

use std::cell::OnceCell;
use std::sync::{Arc, LazyLock};

use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::Diagnostics;

use super::error;
use crate::Str;
use crate::convert::convert;
use crate::eval::{Evaluation, Scope, ScopeBuilder};
use crate::function::{Function, FunctionError, Parameter};
use crate::types::defaults::OfAttribute;
use crate::types::{CapsuleType, Defaults, ObjectAttribute, Type};
use crate::value::Value;

/// The type of types.
static TYPE: LazyLock<CapsuleType> = LazyLock::new(|| CapsuleType::new("type"));

/// A type as a value, with what is said beside it.
#[derive(Clone, Debug)]
struct Said {
    ty: Type,
    /// The defaults within the type.
    defaults: Option<Defaults>,
    optional: Optional,
}

/// Tells if an attribute may be left out.
#[derive(Clone, Debug)]
enum Optional {
    No,
    /// It may; with a default there is a value.
    Yes(Option<Value>),
}

/// The scopes of type expressions, made when the first one is evaluated.
#[derive(Default)]
pub(super) struct TypeScopes {
    types: OnceCell<Arc<Scope>>,
    attributes: OnceCell<Arc<Scope>>,
}

/// The type that an expression stands for, with the defaults of optional attributes; dynamic if there is no expression,
/// or if it is null or no type.
pub(super) fn evaluate_type(
    expression: Option<&ConfigExpression>,
    scopes: &TypeScopes,
    evaluation: &mut Evaluation<'_>,
    diagnostics: &mut Diagnostics,
) -> (Type, Option<Defaults>) {
    let Some(expression) = expression else { return (Type::Dynamic, None) };
    let attributes = scopes.attributes.get_or_init(|| attribute_scope().build());
    let (mut value, mut problems) = evaluation.evaluate(expression, Some(attributes));
    if said(&value).is_some_and(|said| matches!(said.optional, Optional::Yes(_))) {
        // Where no object is around it there is no such function.
        let types = scopes.types.get_or_init(|| type_scope().build());
        (value, problems) = evaluation.evaluate(expression, Some(types));
    }
    diagnostics.extend(problems);
    if value.is_null() {
        return (Type::Dynamic, None);
    }
    match said(&value) {
        Some(Said { ty, defaults, .. }) => (ty, defaults),
        None => {
            diagnostics.push(error::type_expression(&value.type_name(), expression));
            (Type::Dynamic, None)
        }
    }
}

/// A type as a value of the language, without defaults.
fn of_type(ty: Type) -> Value {
    of_said(Said { ty, defaults: None, optional: Optional::No })
}

/// A type and what is said beside it, as a value of the language.
fn of_said(said: Said) -> Value {
    Value::capsule(TYPE.clone(), Arc::new(said))
}

/// The type that a value is; nothing if it is another value.
fn said(value: &Value) -> Option<Said> {
    value.as_capsule()?.downcast_ref::<Said>().cloned()
}

/// A type that is no optional attribute.
fn plain(value: &Value) -> Result<Said, FunctionError> {
    match said(value) {
        Some(said) if matches!(said.optional, Optional::Yes(_)) => {
            Err(FunctionError::new("only the attributes of an object can be optional"))
        }
        Some(said) => Ok(said),
        // The parameter takes nothing else.
        None => Ok(Said { ty: Type::Dynamic, defaults: None, optional: Optional::No }),
    }
}

/// A function that gives a type, such as `list`.
fn constructor(name: &str, description: &'static str, parameter: Parameter) -> Function {
    Function::new(name, description).parameter(parameter).returns(Type::Capsule(TYPE.clone()))
}

/// The constructor of a collection type. Defaults of the element type become those of each element.
fn of_elements(name: &str, description: &'static str, make: fn(Type) -> Type) -> Function {
    constructor(name, description, Parameter::new("element_type", Type::Capsule(TYPE.clone())))
        .implementation(move |_, arguments| {
            let element = plain(arguments.first().unwrap_or(&Value::default()))?;
            let ty = make(element.ty);
            let defaults = element.defaults.map(|within| Defaults::of_collection(ty.clone(), within));
            Ok(of_said(Said { ty, defaults, optional: Optional::No }))
        })
}

/// The type of tuples with these element types, and their defaults by position.
fn tuple(elements: &[Value]) -> Result<Value, FunctionError> {
    let mut types = Vec::with_capacity(elements.len());
    let mut within = Vec::new();
    for (position, element) in elements.iter().enumerate() {
        let element = plain(element)?;
        types.push(element.ty);
        within.extend(element.defaults.map(|defaults| (position, defaults)));
    }
    let ty = Type::tuple(types);
    let defaults = Defaults::of_tuple(ty.clone(), within);
    Ok(of_said(Said { ty, defaults, optional: Optional::No }))
}

/// The type of objects with these attributes. Only here does `optional` have an effect.
fn object<'v>(entries: impl Iterator<Item = (&'v Str, &'v Value)>) -> Value {
    let mut attributes = Vec::new();
    let mut defaults = Vec::new();
    for (name, value) in entries {
        let Some(said) = said(value) else { continue };
        let (optional, default) = match said.optional {
            Optional::No => (false, None),
            Optional::Yes(default) => (true, default),
        };
        attributes.push(ObjectAttribute { name: name.clone(), ty: said.ty, optional });
        defaults.extend(OfAttribute::new(default, said.defaults).map(|defaults| (name.clone(), defaults)));
    }
    let ty = Type::object(attributes);
    let defaults = Defaults::of_object(ty.clone(), defaults);
    of_said(Said { ty, defaults, optional: Optional::No })
}

/// `optional(T)` or `optional(T, default)`
fn optional(arguments: &[Value]) -> Result<Value, FunctionError> {
    let [ty, default @ ..] = arguments else { return Ok(of_type(Type::Dynamic)) };
    let said = plain(ty)?;
    let default = match default {
        [] => None,
        [default] => Some(convert(default, &said.ty).map_err(|error| {
            FunctionError::new(format!("the default is no value of the attribute's type: {}", error.detail()))
        })?),
        _ => return Err(FunctionError::new("there are more arguments than a type and a default")),
    };
    Ok(of_said(Said { optional: Optional::Yes(default), ..said }))
}

/// The names known in type expressions.
fn type_scope() -> ScopeBuilder {
    let types = Type::Capsule(TYPE.clone());
    let elements = Parameter::new("element_types", Type::list(types.clone()));
    let attributes = Parameter::new("attribute_types", Type::map(types));
    Scope::builder()
        .variable("string", of_type(Type::String))
        .variable("bool", of_type(Type::Bool))
        .variable("number", of_type(Type::Number))
        .variable("any", of_type(Type::Dynamic))
        .function(of_elements("list", "The type of lists.", Type::list))
        .function(of_elements("set", "The type of sets.", Type::set))
        .function(of_elements("map", "The type of maps.", Type::map))
        .function(constructor("tuple", "The type of tuples.", elements).implementation(|_, arguments| {
            tuple(arguments.first().and_then(Value::elements).unwrap_or_default())
        }))
        .function(constructor("object", "The type of objects.", attributes).implementation(|_, arguments| {
            Ok(object(arguments.first().and_then(Value::entries).into_iter().flatten()))
        }))
}

/// The names known in type expressions and, for the attributes of objects, `optional`.
fn attribute_scope() -> ScopeBuilder {
    let ty = Parameter::new("type", Type::Capsule(TYPE.clone()));
    let default = Parameter::new("default", Type::Dynamic).allow_null();
    type_scope().function(
        constructor("optional", "An attribute that may be left out.", ty)
            .variadic(default)
            .implementation(|_, arguments| optional(arguments)),
    )
}
