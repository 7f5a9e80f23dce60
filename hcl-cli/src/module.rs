//! `--module`: the names that a configuration defines for itself, as Terraform, OpenTofu, Packer and Nomad
//! have them: `variable` blocks make `var`, `locals` and `local` blocks make `local`, `function` blocks
//! functions. What else is in the files is left alone.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Scope, ScopeBuilder, evaluate};
use hcl_eval::function::{UserFunctionContext, user_functions};
use hcl_eval::order::Definitions;
use hcl_eval::types::TypeConstraint;
use hcl_eval::value::{Mark, Value, ValueError};
use hcl_syntax::ast::ExpressionKind;
use hcl_syntax::config::{ConfigBody, ConfigExpression, Content, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, Severity, has_errors};
use hcl_syntax::parser::ParseLimits;
use hcl_syntax::schema::BodySchema;

use crate::args::Dialect;
use crate::configuration::{Configuration, Syntax};
use crate::output::{Failure, read_input};

/// What a module is evaluated with.
#[derive(Debug)]
pub struct Surroundings<'a> {
    /// The functions, and what else holds for every scope.
    pub base: Arc<Scope>,
    /// Whose module it is.
    pub dialect: Dialect,
    /// Values for its variables; of several for one name the last counts.
    pub given: Vec<(String, Value)>,
    /// Bounds of the parse.
    pub parse_limits: ParseLimits,
    /// Bounds of each evaluation, and the outside world.
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
        let syntax = Syntax::of(&name);
        let (file, problems) = Configuration::parse_with(&name, bytes, syntax, &surroundings.parse_limits)
            .map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
        diagnostics.extend(problems);
        bodies.push(file.body);
    }
    if has_errors(&diagnostics) {
        return Ok((surroundings.base, diagnostics));
    }
    let mut module = Module { surroundings, diagnostics };
    let scope = module.scope(&ConfigBody::merged(bodies), folder(files));
    Ok((scope, module.diagnostics))
}

/// The blocks that give a module its names.
fn definitions() -> BodySchema {
    BodySchema::default().block("variable", &["name"]).block("locals", &[]).block("local", &["name"])
}

/// What is in a body besides the definitions of names. What is wrong with those is reported where they are read.
pub fn without_definitions(body: &ConfigBody) -> ConfigBody {
    let (_, rest, _) = body.partial_content(&definitions().block("function", &["name"]));
    rest
}

/// The folder of the first file.
fn folder(files: &[PathBuf]) -> String {
    let parent = files.first().and_then(|path| path.parent()).unwrap_or(Path::new(""));
    let text = parent.to_string_lossy().into_owned();
    if text.is_empty() { ".".to_owned() } else { text }
}

/// A module being read.
struct Module<'a> {
    surroundings: Surroundings<'a>,
    diagnostics: Diagnostics,
}

/// The declaration of a variable.
struct Declaration<'b> {
    name: &'b str,
    block: &'b ContentBlock,
    constraint: TypeConstraint,
    default: Option<ConfigExpression>,
    is_sensitive: bool,
    is_nullable: bool,
    validations: Vec<ContentBlock>,
}

impl Module<'_> {
    fn scope(&mut self, body: &ConfigBody, folder: String) -> Arc<Scope> {
        let (functions, rest, problems) =
            user_functions(body, "function", &UserFunctionContext::ScopeAndCaller(self.base()));
        self.diagnostics.extend(problems);
        let (content, _, problems) = rest.partial_content(&definitions());
        self.diagnostics.extend(problems);
        let mut builder = Scope::builder().parent(self.base()).functions(Arc::new(functions));
        if matches!(self.surroundings.dialect, Dialect::Terraform | Dialect::Opentofu) {
            builder = with_module_names(builder, folder);
        }
        let declarations: Vec<_> =
            content.blocks_of_type("variable").map(|block| self.declaration(block)).collect();
        self.warn_of_undeclared(&declarations);
        let values = declarations.iter().map(|one| (one.name.into(), self.variable(one))).collect();
        let scope = builder.variable("var", Value::object(values)).build();
        for declaration in &declarations {
            self.validate(declaration, &scope);
        }
        let locals = self.locals(&content, &scope);
        Scope::builder().parent(scope).variable("local", locals).build()
    }

    fn base(&self) -> Arc<Scope> {
        Arc::clone(&self.surroundings.base)
    }

    fn evaluate(&mut self, expression: &ConfigExpression, scope: Option<&Scope>) -> Value {
        let syntax = expression.syntax();
        let (value, problems) = evaluate(syntax.expression(), scope, &self.surroundings.options);
        self.diagnostics.extend(problems);
        value
    }

    fn declaration<'b>(&mut self, block: &'b ContentBlock) -> Declaration<'b> {
        let schema = ["type", "default", "sensitive", "nullable"]
            .iter()
            .fold(BodySchema::default(), |schema, name| schema.attribute(*name))
            .block("validation", &[]);
        let (content, _, problems) = block.body.partial_content(&schema);
        self.diagnostics.extend(problems);
        let attribute =
            |name: &str| content.attributes.get(name).map(|attribute| attribute.expression.clone());
        let mut flag = |name: &str, default: bool| {
            attribute(name)
                .map_or(default, |expression| self.evaluate(&expression, None).as_bool().unwrap_or(default))
        };
        let (is_sensitive, is_nullable) = (flag("sensitive", false), flag("nullable", true));
        let constraint = attribute("type").map(|expression| self.constraint(&expression));
        Declaration {
            name: block.labels.first().map_or("", |label| label.text.as_str()),
            block,
            constraint: constraint.unwrap_or_default(),
            default: attribute("default"),
            is_sensitive,
            is_nullable,
            validations: content.blocks,
        }
    }

    /// A type; in JSON syntax, and as old native files have it, in quotes.
    fn constraint(&mut self, expression: &ConfigExpression) -> TypeConstraint {
        let syntax = expression.syntax();
        let (constraint, problems) = match syntax.expression().kind() {
            ExpressionKind::Text(text) => match TypeConstraint::from_text(text) {
                Ok(constraint) => (constraint, Diagnostics::new()),
                Err(problems) => (TypeConstraint::default(), problems),
            },
            _ => TypeConstraint::parse(syntax.expression()),
        };
        self.diagnostics.extend(problems);
        constraint
    }

    fn warn_of_undeclared(&mut self, declarations: &[Declaration<'_>]) {
        let declared: std::collections::HashSet<&str> = declarations.iter().map(|one| one.name).collect();
        for (name, _) in &self.surroundings.given {
            if !declared.contains(name.as_str()) {
                let detail = format!(
                    "A value is given for \"{name}\", but the module declares no variable of that name."
                );
                let summary = "Value for undeclared variable";
                let diagnostic = Diagnostic::error("variables.undeclared", summary, detail);
                self.diagnostics.push(Diagnostic { severity: Severity::Warning, ..diagnostic });
            }
        }
    }

    /// The value that is given, or the default, brought to the type.
    fn variable(&mut self, declaration: &Declaration<'_>) -> Value {
        let is_own = |(name, _): &&(String, Value)| name == declaration.name;
        let given = self.surroundings.given.iter().rfind(is_own).map(|(_, value)| value.clone());
        let given = given.filter(|value| declaration.is_nullable || !value.is_null());
        let value = match (given, &declaration.default) {
            (Some(given), _) => {
                let fitted = declaration.constraint.apply(&given);
                self.fitted(fitted, declaration, "Invalid value for variable", None)
            }
            (None, Some(default)) => {
                let value = self.evaluate(default, None);
                let fitted = declaration.constraint.apply(&value);
                self.fitted(fitted, declaration, "Invalid default value for variable", Some(default))
            }
            (None, None) => {
                let detail = format!(
                    "The variable \"{}\" has no default, so it needs a value: --var '{0}=…', or a line in a file for --var-file.",
                    declaration.name
                );
                let diagnostic =
                    Diagnostic::error("variables.required", "No value for required variable", detail);
                self.diagnostics
                    .push(diagnostic.at(&declaration.block.source, declaration.block.definition_span));
                Value::unknown(declaration.constraint.ty.clone())
            }
        };
        if declaration.is_sensitive { value.mark(Mark::new("sensitive")) } else { value }
    }

    fn fitted(
        &mut self,
        fitted: Result<Value, ValueError>,
        declaration: &Declaration<'_>,
        summary: &'static str,
        place: Option<&ConfigExpression>,
    ) -> Value {
        fitted.unwrap_or_else(|error| {
            let path = error.path.to_text();
            let detail =
                format!("The value of var.{}{path} does not fit: {}.", declaration.name, error.detail());
            let diagnostic = Diagnostic::error("variables.unsuitable", summary, detail);
            self.diagnostics.push(match place {
                Some(expression) => diagnostic.at(expression.source(), expression.span()),
                None => diagnostic.at(&declaration.block.source, declaration.block.definition_span),
            });
            Value::unknown(declaration.constraint.ty.clone())
        })
    }

    /// The module's own conditions on the value of a variable.
    fn validate(&mut self, declaration: &Declaration<'_>, scope: &Scope) {
        let schema =
            BodySchema::default().required_attribute("condition").required_attribute("error_message");
        for block in &declaration.validations {
            let (content, problems) = block.body.content(&schema);
            self.diagnostics.extend(problems);
            let attribute = |name: &str| content.attributes.get(name).map(|one| &one.expression);
            let (Some(condition), Some(message)) = (attribute("condition"), attribute("error_message"))
            else {
                continue;
            };
            if self.evaluate(condition, Some(scope)).as_bool() == Some(false) {
                let message = self.evaluate(message, Some(scope));
                let detail = message.as_str().filter(|_| !message.contains_marks());
                let detail = detail.unwrap_or("The condition does not hold.").to_owned();
                let diagnostic =
                    Diagnostic::error("variables.validation", "Invalid value for variable", detail);
                self.diagnostics.push(diagnostic.at(condition.source(), condition.span()));
            }
        }
    }

    /// The values of `locals` blocks, and of `local` blocks with an `expression` each.
    fn locals(&mut self, content: &Content, scope: &Arc<Scope>) -> Value {
        let mut definitions = Definitions::below("local");
        let mut hidden = Vec::new();
        for block in &content.blocks {
            if block.block_type == "locals" {
                let (attributes, problems) = block.body.just_attributes();
                self.diagnostics.extend(problems);
                definitions.extend(&attributes);
            } else if let (true, Some(label)) = (block.block_type == "local", block.labels.first()) {
                let schema = BodySchema::default().required_attribute("expression").attribute("sensitive");
                let (inner, problems) = block.body.content(&schema);
                self.diagnostics.extend(problems);
                if let Some(expression) = inner.attributes.get("expression") {
                    definitions.add(&label.text, label.span, &expression.expression);
                }
                if let Some(flag) = inner.attributes.get("sensitive")
                    && self.evaluate(&flag.expression, None).as_bool() == Some(true)
                {
                    hidden.push(label.text.clone());
                }
            }
        }
        let (mut values, problems) = definitions.evaluate(Some(scope), &self.surroundings.options);
        self.diagnostics.extend(problems);
        for name in hidden {
            if let Some(value) = values.get_mut(name.as_str()) {
                *value = value.clone().mark(Mark::new("sensitive"));
            }
        }
        Value::object(values.into_iter().collect())
    }
}

/// What Terraform and OpenTofu tell a module of itself.
fn with_module_names(builder: ScopeBuilder, folder: String) -> ScopeBuilder {
    let folder = Value::string(folder);
    let path = vec![("module".into(), folder.clone()), ("root".into(), folder)];
    let workspace = vec![("workspace".into(), Value::string("default"))];
    builder.variable("path", Value::object(path)).variable("terraform", Value::object(workspace))
}
