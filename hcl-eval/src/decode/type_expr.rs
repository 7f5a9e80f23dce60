//! Type expressions of the specification language.
//!
//! Other than type constraints, which are read without evaluating them, these are expressions like any other:
//! types are values, `list` and the like are functions. So they may contain conditionals, for example.

use std::sync::Arc;
use std::sync::LazyLock;

use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::Diagnostics;

use super::error;
use crate::eval::{Evaluation, Scope};
use crate::function::{Function, Parameter};
use crate::types::{CapsuleType, ObjectAttribute, Type};
use crate::value::Value;

/// The type of types.
static TYPE: LazyLock<CapsuleType> = LazyLock::new(|| CapsuleType::new("type"));

/// The type that an expression stands for; dynamic if there is no expression, or if it is null or no type.
pub(super) fn evaluate_type(
    expression: Option<&ConfigExpression>,
    evaluation: &mut Evaluation<'_>,
    diagnostics: &mut Diagnostics,
) -> Type {
    let Some(expression) = expression else { return Type::Dynamic };
    let (value, problems) = evaluation.evaluate(expression, Some(&scope()));
    diagnostics.extend(problems);
    if value.is_null() {
        return Type::Dynamic;
    }
    type_of(&value).unwrap_or_else(|| {
        diagnostics.push(error::type_expression(&value.ty().friendly_name(), expression));
        Type::Dynamic
    })
}

fn of_type(ty: Type) -> Value {
    Value::capsule(TYPE.clone(), Arc::new(ty))
}

fn type_of(value: &Value) -> Option<Type> {
    value.as_capsule()?.downcast_ref::<Type>().cloned()
}

/// The argument of a type constructor; its parameter takes nothing else.
fn argument(arguments: &[Value]) -> Type {
    arguments.first().and_then(type_of).unwrap_or(Type::Dynamic)
}

fn constructor(name: &str, description: &'static str, parameter: Parameter) -> Function {
    Function::new(name, description).parameter(parameter).returns(Type::Capsule(TYPE.clone()))
}

fn of_elements(name: &str, description: &'static str, make: fn(Type) -> Type) -> Function {
    constructor(name, description, Parameter::new("element_type", Type::Capsule(TYPE.clone())))
        .implementation(move |_, arguments| Ok(of_type(make(argument(arguments)))))
}

fn scope() -> Arc<Scope> {
    let types = Type::Capsule(TYPE.clone());
    let tuple = Parameter::new("element_types", Type::list(types.clone()));
    let object = Parameter::new("attribute_types", Type::map(types));
    Scope::builder()
        .variable("string", of_type(Type::String))
        .variable("bool", of_type(Type::Bool))
        .variable("number", of_type(Type::Number))
        .variable("any", of_type(Type::Dynamic))
        .function(of_elements("list", "The type of lists.", Type::list))
        .function(of_elements("set", "The type of sets.", Type::set))
        .function(of_elements("map", "The type of maps.", Type::map))
        .function(constructor("tuple", "The type of tuples.", tuple).implementation(|_, arguments| {
            let elements = arguments.first().and_then(Value::elements).unwrap_or_default();
            Ok(of_type(Type::tuple(elements.iter().filter_map(type_of).collect())))
        }))
        .function(constructor("object", "The type of objects.", object).implementation(|_, arguments| {
            let entries = arguments.first().and_then(Value::entries).into_iter().flatten();
            let attributes =
                entries.filter_map(|(name, ty)| Some(ObjectAttribute::new(name.clone(), type_of(ty)?)));
            Ok(of_type(Type::object(attributes.collect())))
        }))
        .build()
}
