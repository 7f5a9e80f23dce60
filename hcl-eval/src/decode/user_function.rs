//! Functions that a configuration defines: `function "add" { params = [a, b]` … `result = a + b }`.

use std::sync::{Arc, LazyLock};

use hcl_syntax::config::{ConfigBody, ConfigExpression, Content, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::schema::BodySchema;

use super::error;
use crate::Str;
use crate::eval::Scope;
use crate::function::{Function, FunctionError, FunctionTable, Invocation, Parameter};
use crate::types::Type;
use crate::value::Value;

static DEFINITION: LazyLock<BodySchema> = LazyLock::new(|| {
    BodySchema::default()
        .required_attribute("params")
        .attribute("variadic_param")
        .required_attribute("result")
});

/// The functions that a body defines, and the rest of the body.
#[derive(Clone, Debug)]
pub struct UserFunctions {
    /// The functions. Of two with one name the later counts.
    pub functions: FunctionTable,
    /// The body without their definitions.
    pub rest: ConfigBody,
}

/// Takes the blocks of a type out of a body, each of which defines a function that has the block's label as its
/// name. Their results are evaluated in `scope`, to which the parameters are added. Definitions that are
/// wrong are reported and left out.
pub fn user_functions(
    body: &ConfigBody,
    block_type: &str,
    scope: Option<&Arc<Scope>>,
) -> (UserFunctions, Diagnostics) {
    let schema = BodySchema::default().block(block_type, &["name"]);
    let (content, rest, mut diagnostics) = body.partial_content(&schema);
    let mut functions = FunctionTable::new();
    if !has_errors(&diagnostics) {
        for block in &content.blocks {
            if let Some(definition) = Definition::read(block, &mut diagnostics) {
                functions.insert(definition.function(scope.cloned()));
            }
        }
    }
    (UserFunctions { functions, rest }, diagnostics)
}

struct Definition {
    name: Str,
    parameters: Vec<Str>,
    variadic: Option<Str>,
    result: ConfigExpression,
}

impl Definition {
    fn read(block: &ContentBlock, diagnostics: &mut Diagnostics) -> Option<Self> {
        let (content, problems) = block.body.content(&DEFINITION);
        let broken = has_errors(&problems);
        diagnostics.extend(problems);
        if broken {
            return None;
        }
        let name = block.labels.first()?.text.as_str().into();
        let parameters = parameters(&content, diagnostics)?;
        let variadic = match content.attributes.get("variadic_param") {
            Some(variadic) => match variadic.expression.keyword() {
                Some(name) => Some(name.into()),
                None => {
                    diagnostics.push(error::invalid_variadic(&variadic.expression));
                    return None;
                }
            },
            None => None,
        };
        let result = content.attributes.get("result")?.expression.clone();
        Some(Self { name, parameters, variadic, result })
    }

    fn function(self, scope: Option<Arc<Scope>>) -> Function {
        // Unknown arguments reach the expression, whose type is that of the result.
        let parameter = |name: &Str| Parameter::new(name, Type::Dynamic).allow_unknown();
        let mut function = Function::new(&self.name, "A function defined in the configuration.");
        for name in &self.parameters {
            function = function.parameter(parameter(name));
        }
        if let Some(name) = &self.variadic {
            function = function.variadic(parameter(name));
        }
        function
            .pure(false)
            .implementation(move |invocation, arguments| self.call(scope.as_ref(), invocation, arguments))
    }

    fn call(
        &self,
        scope: Option<&Arc<Scope>>,
        invocation: &mut Invocation<'_>,
        arguments: &[Value],
    ) -> Result<Value, FunctionError> {
        let mut inner = Scope::builder().variables_allowed();
        if let Some(scope) = scope {
            inner = inner.parent(Arc::clone(scope));
        }
        for (name, value) in self.parameters.iter().zip(arguments) {
            inner = inner.variable(name, value.clone());
        }
        if let Some(name) = &self.variadic {
            let surplus = arguments.get(self.parameters.len()..).unwrap_or_default();
            inner = inner.variable(name, Value::tuple(surplus.to_vec()));
        }
        let result = self.result.syntax();
        let (value, problems) = invocation.evaluate(result.expression(), Some(&inner.build()));
        if has_errors(&problems) {
            return Err(FunctionError::new(in_one_line(&problems)));
        }
        if arguments.iter().all(Value::is_known) { Ok(value) } else { Ok(Value::unknown(value.ty())) }
    }
}

/// The names of the parameters.
fn parameters(content: &Content, diagnostics: &mut Diagnostics) -> Option<Vec<Str>> {
    let given = &content.attributes.get("params")?.expression;
    let Some(elements) = given.static_list() else {
        diagnostics.push(error::parameters_expression(given));
        return None;
    };
    let mut names = Vec::with_capacity(elements.len());
    for element in elements {
        let Some(name) = element.keyword() else {
            diagnostics.push(error::invalid_parameter(&element));
            return None;
        };
        names.push(name.into());
    }
    Some(names)
}

/// What went wrong inside a call, as a part of one message about the call.
fn in_one_line(problems: &Diagnostics) -> String {
    let first = problems.first().map(ToString::to_string).unwrap_or_default();
    match problems.len() {
        0 | 1 => first,
        2 => format!("{first} There is another problem in it."),
        n => format!("{first} There are {} more problems in it.", n - 1),
    }
}
