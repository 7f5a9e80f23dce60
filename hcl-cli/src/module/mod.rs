//! `--module` for the language alone: the names that files define for themselves. `variable` blocks make `var`, `locals`
//! and `local` blocks make `local`, `function` blocks functions. Other content of the files is left alone.
//!
//! Modules, jobs and templates of the products are those of `hcl-module`.

mod error;
mod variables;

use std::path::PathBuf;
use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::function::{UserFunctionContext, user_functions};
use hcl_eval::order::Definitions;
use hcl_eval::value::{Mark, Value};
use hcl_syntax::config::{ConfigBody, ConfigExpression, Content};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::parser::ParseLimits;
use hcl_syntax::schema::BodySchema;

use crate::args::Dialect;
use crate::configuration::{Configuration, Syntax};
use crate::output::{Failure, read_input};

/// The inputs of a module's evaluation.
#[derive(Debug)]
pub struct Surroundings<'a> {
    /// The functions, and what else holds for every scope.
    pub base: Arc<Scope>,
    /// Values for its variables; of several for one name the last counts.
    pub given: Vec<(String, Value)>,
    /// Bounds of the parse.
    pub parse_limits: ParseLimits,
    /// Bounds of all evaluations together, and the outside world.
    pub options: EvalOptions<'a>,
}

/// The scope inside a module that consists of files.
///
/// # Errors
/// A file can't be read.
pub fn scope(
    files: &[PathBuf],
    surroundings: Surroundings<'_>,
) -> Result<(Arc<Scope>, Diagnostics), Failure> {
    let mut diagnostics = Diagnostics::new();
    let mut bodies = Vec::with_capacity(files.len());
    for path in files {
        let (name, bytes) = read_input(path)?;
        let syntax = Syntax::of_input(&name, &bytes);
        let (file, problems) = Configuration::parse_with(&name, bytes, syntax, &surroundings.parse_limits)
            .map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
        diagnostics.extend(problems);
        bodies.push(file.body);
    }
    if has_errors(&diagnostics) {
        return Ok((surroundings.base, diagnostics));
    }
    let evaluation = Evaluation::new(&surroundings.options);
    let mut module = Module { surroundings, evaluation, diagnostics };
    let scope = module.scope(&ConfigBody::merged(bodies));
    Ok((scope, module.diagnostics))
}

/// The blocks that give a module its names, but for functions.
fn definitions() -> BodySchema {
    BodySchema::default().block("variable", &["name"]).block("locals", &[]).block("local", &["name"])
}

/// Returns the body without the definitions of names. Problems with those are reported where they are read.
pub fn without_definitions(body: &ConfigBody, dialect: Dialect) -> ConfigBody {
    hcl_module::without_definitions(body, dialect.name()).unwrap_or_else(|| {
        let (_, rest, _) = body.partial_content(&definitions().block("function", &["name"]));
        rest
    })
}

/// A module being read.
struct Module<'a> {
    surroundings: Surroundings<'a>,
    /// The evaluation that all values are part of, with its limits.
    evaluation: Evaluation<'a>,
    diagnostics: Diagnostics,
}

impl Module<'_> {
    /// Makes the names in the order of what they may use: functions, variables, locals. Conditions of variables come
    /// last, since they may use all of these.
    fn scope(&mut self, body: &ConfigBody) -> Arc<Scope> {
        let (functions, rest, problems) =
            user_functions(body, "function", &UserFunctionContext::ScopeAndCaller(self.base()));
        self.diagnostics.extend(problems);
        let (content, _, problems) = rest.partial_content(&definitions());
        self.diagnostics.extend(problems);
        let builder = Scope::builder().parent(self.base()).functions(Arc::new(functions));
        let declarations = self.declarations(&content);
        let values = self.variables(&declarations);
        let scope = builder.variable("var", values).build();
        let locals = self.locals(&content, &scope);
        let scope = Scope::builder().parent(scope).variable("local", locals).build();
        self.validate(&declarations, &scope);
        scope
    }

    /// The scope around the module.
    fn base(&self) -> Arc<Scope> {
        Arc::clone(&self.surroundings.base)
    }

    /// The value of an expression; what is wrong is told. Without a scope strings of JSON syntax are what they are,
    /// not templates.
    fn evaluate(&mut self, expression: &ConfigExpression, scope: Option<&Scope>) -> Value {
        let (value, problems) = self.evaluation.evaluate(expression, scope);
        self.diagnostics.extend(problems);
        value
    }

    /// The values of `locals` blocks, and of `local` blocks with an `expression` each.
    fn locals(&mut self, content: &Content, scope: &Arc<Scope>) -> Value {
        let mut definitions = Definitions::below("local");
        for block in &content.blocks {
            if block.block_type() == "locals" {
                let (attributes, problems) = block.body().just_attributes();
                self.diagnostics.extend(problems);
                for attribute in attributes {
                    definitions.add(attribute.name(), attribute.name_span(), &attribute.expression());
                }
            } else if let (true, Some(label)) = (block.block_type() == "local", block.label(0)) {
                let schema = BodySchema::default().required_attribute("expression").attribute("sensitive");
                let (inner, problems) = block.body().content(&schema);
                self.diagnostics.extend(problems);
                if let Some(expression) = inner.expression("expression") {
                    definitions.add(label.text, label.span, &expression);
                }
                if self.flag(&inner, "sensitive", false) {
                    definitions.mark(label.text, Mark::new("sensitive"));
                }
            }
        }
        let (values, problems) = definitions.evaluate_with(Some(scope), &mut self.evaluation);
        self.diagnostics.extend(problems);
        Value::object(values.into_iter().collect())
    }
}
