//! Variables of a module: what their blocks declare, their values, and the module's conditions on these.

use std::collections::{HashMap, HashSet};
use std::mem;

use hcl_eval::convert::convert;
use hcl_eval::eval::Scope;
use hcl_eval::types::{Type, TypeConstraint};
use hcl_eval::value::{Mark, Value};
use hcl_syntax::ast::ExpressionKind;
use hcl_syntax::config::{ConfigExpression, Content, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::schema::BodySchema;
use hcl_syntax::source::Range;

use super::Module;
use super::error::{self, Place};

/// The declaration of a variable.
pub(super) struct Declaration {
    name: String,
    /// The header of the block, or the name in a `variables` block.
    place: Place,
    /// `None` if the type is in error: then nothing is known of the value.
    constraint: Option<TypeConstraint>,
    /// The default, which is evaluated only if it is used.
    default: Option<ConfigExpression>,
    is_sensitive: bool,
    /// True if null is a value like others; otherwise it stands for the default.
    is_nullable: bool,
    /// The conditions, which are read when all values are there.
    validations: Vec<ContentBlock>,
}

impl Module<'_> {
    /// The variables that the blocks of a module declare; of several with one name the first counts.
    pub(super) fn declarations(&mut self, content: &Content) -> Vec<Declaration> {
        let mut found = Vec::new();
        for block in &content.blocks {
            match block.block_type() {
                "variable" => found.push(self.declaration(block)),
                "variables" => {
                    let (attributes, problems) = block.body().just_attributes();
                    self.diagnostics.extend(problems);
                    found.extend(attributes.iter().map(declaration_by_default));
                }
                _ => {}
            }
        }
        let mut places: HashMap<String, Range> = HashMap::new();
        found.retain(|one| {
            if let Some(first) = places.get(&one.name) {
                self.diagnostics.push(error::declared_twice(&one.name, first, &one.place));
                return false;
            }
            places.insert(one.name.clone(), one.place.range());
            true
        });
        found
    }

    /// Reads a `variable` block. Other arguments than the language knows are left alone: they belong to a product.
    fn declaration(&mut self, block: &ContentBlock) -> Declaration {
        let schema = ["description", "type", "default", "sensitive", "ephemeral", "nullable"]
            .iter()
            .fold(BodySchema::default(), |schema, name| schema.attribute(*name))
            .block("validation", &[]);
        let (content, _, problems) = block.body().partial_content(&schema);
        self.diagnostics.extend(problems);
        let constraint = match content.expression("type") {
            Some(expression) => self.constraint(&expression),
            None => Some(TypeConstraint::default()),
        };
        Declaration {
            name: block.label(0).map_or_else(String::new, |label| label.text.to_owned()),
            place: Place { source: block.source().clone(), span: block.definition_span() },
            constraint,
            default: content.expression("default"),
            is_sensitive: self.flag(&content, "sensitive", false),
            is_nullable: self.flag(&content, "nullable", true),
            validations: content.blocks,
        }
    }

    /// The truth value of an argument, or another if it is not there or makes no sense.
    pub(super) fn flag(&mut self, content: &Content, name: &str, otherwise: bool) -> bool {
        let Some(expression) = content.expression(name) else { return otherwise };
        let n_problems = self.diagnostics.len();
        let value = self.evaluate(&expression, None);
        let problem = match convert(&value, &Type::Bool) {
            Ok(value) => match value.as_bool() {
                Some(flag) => return flag,
                None => "it is null".to_owned(),
            },
            Err(error) => error.reason(),
        };
        if self.diagnostics.len() == n_problems {
            let place = Place::of(&expression);
            self.diagnostics.push(error::no_flag(name, &problem, &place));
        }
        otherwise
    }

    /// A type, unless it is in error. In JSON syntax types are in quotes.
    fn constraint(&mut self, expression: &ConfigExpression) -> Option<TypeConstraint> {
        let syntax = expression.syntax();
        let (constraint, problems) = match syntax.expression().kind() {
            ExpressionKind::Text(text) => match TypeConstraint::from_text(text) {
                Ok(constraint) => (constraint, Diagnostics::new()),
                // Their places are in the text alone, which nobody has seen.
                Err(problems) => {
                    let at = |problem: Diagnostic| {
                        Diagnostic { context: None, ..problem }.at(expression.source(), expression.span())
                    };
                    (TypeConstraint::default(), problems.into_iter().map(at).collect())
                }
            },
            _ => TypeConstraint::parse(syntax.expression()),
        };
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        (!failed).then_some(constraint)
    }

    /// The values of all variables.
    pub(super) fn variables(&mut self, declarations: &[Declaration]) -> Value {
        let declared: HashSet<&str> = declarations.iter().map(|one| one.name.as_str()).collect();
        let given = self.surroundings.given.iter().map(|(name, _)| name);
        let undeclared = given.filter(|name| !declared.contains(name.as_str()));
        self.diagnostics.extend(undeclared.map(|name| error::undeclared(name)));
        let mut given: HashMap<_, _> = mem::take(&mut self.surroundings.given).into_iter().collect();
        let value = |one: &Declaration| {
            let given = given.remove(&one.name);
            (one.name.as_str().into(), self.variable(one, given))
        };
        Value::object(declarations.iter().map(value).collect())
    }

    /// The value that is given, or the default, brought to the type.
    fn variable(&mut self, declaration: &Declaration, given: Option<Value>) -> Value {
        let given = given.filter(|value| declaration.is_nullable || !value.is_null());
        // Packer's defaults may need a permission.
        let default = declaration.default.as_ref().filter(|_| given.is_none());
        let default = default.map(|expression| self.default(declaration, expression));
        let value = match (given, default) {
            (Some(given), _) => {
                self.fitted(&given, declaration, "Invalid value for variable", &declaration.place)
            }
            (None, Some(default)) => default,
            (None, None) => {
                self.diagnostics.push(error::without_value(&declaration.name, &declaration.place));
                declaration.unknown()
            }
        };
        if declaration.is_sensitive { value.mark(Mark::new("sensitive")) } else { value }
    }

    /// The value of a default, evaluated without names and functions.
    fn default(&mut self, declaration: &Declaration, expression: &ConfigExpression) -> Value {
        let value = self.evaluate(expression, None);
        let place = Place::of(expression);
        if value.is_null() && !declaration.is_nullable {
            self.diagnostics.push(error::null_default(&declaration.name, &place));
            return declaration.unknown();
        }
        self.fitted(&value, declaration, "Invalid default value for variable", &place)
    }

    /// A value brought to the type of its variable, unknown if it does not fit. The complaint has this
    /// `summary`; the path to a part of a sensitive value is not told.
    fn fitted(
        &mut self,
        value: &Value,
        declaration: &Declaration,
        summary: &'static str,
        place: &Place,
    ) -> Value {
        let Some(constraint) = &declaration.constraint else { return declaration.unknown() };
        constraint.apply(value).unwrap_or_else(|problem| {
            let path = if declaration.is_sensitive { String::new() } else { problem.path.to_short_text() };
            let name = format!("{}{path}", declaration.name);
            self.diagnostics.push(error::unsuitable(&name, &problem.reason(), summary, place));
            declaration.unknown()
        })
    }

    /// Holds the values against the module's own conditions.
    pub(super) fn validate(&mut self, declarations: &[Declaration], scope: &Scope) {
        for declaration in declarations {
            for block in &declaration.validations {
                self.validate_one(block, scope);
            }
        }
    }

    /// Holds the values against one condition. A message that is sensitive or no text is replaced.
    fn validate_one(&mut self, block: &ContentBlock, scope: &Scope) {
        let schema =
            BodySchema::default().required_attribute("condition").required_attribute("error_message");
        let (content, problems) = block.body().content(&schema);
        self.diagnostics.extend(problems);
        let (Some(condition), Some(message)) =
            (content.expression("condition"), content.expression("error_message"))
        else {
            return;
        };
        let place = Place::of(&condition);
        let n_problems = self.diagnostics.len();
        let verdict = self.evaluate(&condition, Some(scope));
        if self.diagnostics.len() > n_problems {
            return;
        }
        match convert(&verdict, &Type::Bool) {
            Err(problem) => self.diagnostics.push(error::condition_is_no_bool(&problem.reason(), &place)),
            Ok(verdict) if verdict.is_null() => {
                self.diagnostics.push(error::condition_is_no_bool("it is null", &place));
            }
            Ok(verdict) if verdict.as_bool() == Some(false) => {
                let message = self.evaluate(&message, Some(scope));
                let message = convert(&message, &Type::String).unwrap_or_default();
                let detail = message.as_str().filter(|text| !text.is_empty() && !message.contains_marks());
                let detail = detail.unwrap_or("The condition does not hold.").to_owned();
                self.diagnostics.push(error::condition_fails(detail, &place));
            }
            Ok(_) => {}
        }
    }
}

impl Declaration {
    /// Returns the unknown value of the variable.
    fn unknown(&self) -> Value {
        Value::unknown(self.constraint.as_ref().map_or(Type::Dynamic, |constraint| constraint.ty.clone()))
    }
}

/// A line of a `variables` block.
fn declaration_by_default(attribute: &ContentAttribute) -> Declaration {
    Declaration {
        name: attribute.name().to_owned(),
        place: Place { source: attribute.source().clone(), span: attribute.name_span() },
        constraint: Some(TypeConstraint::default()),
        default: Some(attribute.expression()),
        is_sensitive: false,
        is_nullable: true,
        validations: Vec::new(),
    }
}
