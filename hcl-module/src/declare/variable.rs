//! `variable` blocks.

use hcl_eval::Value;
use hcl_eval::eval::Evaluation;
use hcl_eval::types::{Type, TypeConstraint};
use hcl_eval::value::ValueError;
use hcl_syntax::ast::ExpressionKind;
use hcl_syntax::config::{ConfigExpression, Content, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::json::Strings;
use hcl_syntax::lexer::is_identifier_within;
use hcl_syntax::schema::BodySchema;

use super::{Reader, Rule, RuleOf, ignored_attributes, no_identifier};
use crate::place::Place;

/// How a text from a command line or the environment becomes a value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    /// It is the value, a string.
    Literal,
    /// It is an expression.
    Expression,
}

/// The declaration of a variable. What its block does not say is `None`.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// The header of its block.
    pub(crate) place: Place,
    /// The type of its values; none stands for any.
    pub(crate) constraint: Option<TypeConstraint>,
    /// True if the type is in error, so that nothing is known of the value.
    pub(crate) is_type_wrong: bool,
    /// The way in which texts become values of it.
    pub(crate) reading: Reading,
    /// The default, brought to the type.
    pub(crate) default: Option<Value>,
    /// True if values get the mark of secrets.
    pub(crate) sensitive: Option<bool>,
    /// True if values get the mark of what is not kept.
    pub(crate) ephemeral: Option<bool>,
    /// False if null stands for the default, or is an error without one.
    pub(crate) nullable: Option<bool>,
    /// `const`: true if it is needed while modules are loaded, false if it must not be.
    pub(crate) constant: Option<bool>,
    /// The warning for callers that give a value, and where that stands.
    pub(crate) deprecated: Option<(String, Place)>,
    /// Its validations.
    pub(crate) rules: Vec<Rule>,
}

impl Variable {
    /// True if null is a value like others, which it is unless the block says no.
    pub(crate) fn is_nullable(&self) -> bool {
        self.nullable.unwrap_or(true)
    }

    pub(crate) fn is_sensitive(&self) -> bool {
        self.sensitive == Some(true)
    }

    pub(crate) fn is_ephemeral(&self) -> bool {
        self.ephemeral == Some(true)
    }

    /// The type of its values.
    pub(crate) fn ty(&self) -> Type {
        self.constraint.as_ref().map_or(Type::Dynamic, |constraint| constraint.ty.without_optional())
    }

    /// Returns the unknown value of the variable.
    pub(crate) fn unknown(&self) -> Value {
        let ty = self.ty();
        match self.is_nullable() || ty.is_dynamic() {
            true => Value::unknown(ty),
            false => Value::unknown_not_null(ty),
        }
    }
}

impl Reader<'_, '_> {
    /// The arguments and blocks of the release.
    fn variable_schema(&self) -> BodySchema {
        let mut names = vec!["description", "type", "default", "sensitive", "nullable"];
        if self.release.has_ephemeral() {
            names.push("ephemeral");
        }
        if self.release.has_deprecated() {
            names.push("deprecated");
        }
        if self.release.has_const() {
            names.push("const");
        }
        names
            .into_iter()
            .fold(BodySchema::default(), |schema, name| schema.attribute(name))
            .block("validation", &[])
    }

    /// Reads a variable. Without a type any value is taken, and texts stay texts.
    pub(super) fn variable(&mut self, block: &ContentBlock) -> Variable {
        let (content, problems) = self.evaluation.content(&block.body(), &self.variable_schema());
        self.diagnostics.extend(problems);
        let name = self.variable_name(block);
        let (constraint, reading) = match content.expression("type") {
            Some(expression) => self.variable_type(&expression),
            None => (Ok(None), Reading::Literal),
        };
        let is_type_wrong = constraint.is_err();
        self.text(&content, "description");
        let place = Place::of_block(block);
        let rules =
            content.blocks.iter().filter_map(|inner| self.rule(inner, RuleOf::Variable(&name))).collect();
        let mut variable = Variable {
            constraint: constraint.unwrap_or_default(),
            is_type_wrong,
            reading,
            default: None,
            sensitive: self.flag(&content, "sensitive"),
            ephemeral: self.flag(&content, "ephemeral"),
            nullable: self.flag(&content, "nullable"),
            constant: self.flag(&content, "const"),
            deprecated: self.deprecated(&content, &place, "Invalid `deprecated` value"),
            rules,
            name,
            place,
        };
        self.check_constant(&variable);
        self.default(&content, &mut variable);
        variable
    }

    /// The name of a variable, which must be free in blocks that call the module.
    fn variable_name(&mut self, block: &ContentBlock) -> String {
        let Some(label) = block.label(0) else { return String::new() };
        let place = Place::of_label(block, label);
        let detail = if !is_identifier_within(label.text, self.evaluation.bounds()) {
            no_identifier("variable", label.text)
        } else if self.release.reserved_variable_names().any(|reserved| reserved == label.text) {
            format!(
                "In a block that calls the module, \"{}\" has a meaning of its own, so no variable can be set by that \
                 name. Call it otherwise.",
                label.text
            )
        } else {
            return label.text.to_owned();
        };
        self.diagnostics.push(place.error("module.variable.name", "Invalid variable name", detail));
        label.text.to_owned()
    }

    /// The remark that something is not to be used any more, and its place. A blank one is an error of the block in
    /// OpenTofu, titled `blank`.
    pub(super) fn deprecated(
        &mut self,
        content: &Content,
        block: &Place,
        blank: &'static str,
    ) -> Option<(String, Place)> {
        let (text, place) = self.text(content, "deprecated")?;
        if self.release.is_tofu() && text.trim().is_empty() {
            let detail = "The remark is empty. Say what is to be used instead.".to_owned();
            self.diagnostics.push(block.error("module.deprecated", blank, detail));
            return None;
        }
        Some((text, place))
    }

    /// Terraform refuses constant variables whose values are not to be seen; OpenTofu allows them.
    fn check_constant(&mut self, variable: &Variable) {
        if self.release.is_tofu() || variable.constant != Some(true) {
            return;
        }
        let kinds = [(variable.is_sensitive(), "sensitive"), (variable.is_ephemeral(), "ephemeral")];
        for (_, kind) in kinds.into_iter().filter(|(is_so, _)| *is_so) {
            let title = format!("Const variable cannot be {kind}");
            let detail = format!(
                "The variable \"{}\" is needed while modules are loaded, so it can't be {kind}. Remove one of the two \
                 arguments.",
                variable.name
            );
            self.diagnostics.push(variable.place.error("module.const", title, detail));
        }
    }

    /// Reads the default, brought to the type. Override files are held against the type that results, later.
    fn default(&mut self, content: &Content, variable: &mut Variable) {
        let Some(expression) = content.expression("default") else { return };
        let (value, is_good) = self.constant(&expression);
        if !is_good {
            variable.is_type_wrong = true;
            return;
        }
        match fitted_default(variable, &value, &Place::of(&expression), self.evaluation) {
            Ok(value) => {
                variable.default = Some(value);
                if self.release.tells_ignored_attributes() {
                    let written = expression.syntax();
                    self.diagnostics.extend(ignored_attributes(written.expression(), variable));
                }
            }
            Err(problems) => {
                self.diagnostics.extend(problems);
                // It has a default nevertheless, which override files are held against.
                let is_null = value.is_null();
                variable.default = Some(if is_null { value } else { Value::dynamic() });
            }
        }
    }

    /// A type, `Err` if it is in error, and how texts become values of it: texts for the primitive types are taken as
    /// they are, texts for all others, also for `any`, are expressions. In JSON syntax types are in quotes.
    fn variable_type(
        &mut self,
        expression: &ConfigExpression,
    ) -> (Result<Option<TypeConstraint>, ()>, Reading) {
        let reading = match expression.keyword().as_deref() {
            Some("string" | "number" | "bool") => Reading::Literal,
            _ => Reading::Expression,
        };
        if let Some(ty) = expression.keyword().as_deref().and_then(of_anything) {
            return (Ok(Some(TypeConstraint { ty, defaults: None })), Reading::Expression);
        }
        if !expression.is_json()
            && let ExpressionKind::Text(text) = expression.syntax().expression().kind()
        {
            self.diagnostics.push(type_in_quotes(text, &Place::of(expression)));
            return (Err(()), reading);
        }
        (self.type_constraint(expression).map(Some), reading)
    }

    /// A type expression.
    pub(super) fn type_constraint(&mut self, expression: &ConfigExpression) -> Result<TypeConstraint, ()> {
        // A type in a string of JSON syntax is an expression of its own, and no template that has one in it.
        let syntax = expression.syntax_with(Strings::Literal);
        let (constraint, problems) = match syntax.expression().kind() {
            ExpressionKind::Text(text) if expression.is_json() => {
                match TypeConstraint::from_text_within(text, self.evaluation) {
                    Ok(constraint) => (constraint, Diagnostics::new()),
                    Err(problems) => {
                        let problems = problems.into_iter().map(|problem| in_string(problem, expression));
                        (TypeConstraint::default(), problems.collect())
                    }
                }
            }
            _ => TypeConstraint::parse_within(syntax.expression(), self.evaluation),
        };
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if failed { Err(()) } else { Ok(constraint) }
    }
}

/// A problem of a type in a string of JSON syntax. Its place is in the text alone, which nobody has seen; the products tell
/// an error of syntax as one of types.
fn in_string(problem: Diagnostic, expression: &ConfigExpression) -> Diagnostic {
    let is_of_types = problem.code.starts_with("type.");
    let summary = if is_of_types { problem.summary } else { "Invalid type specification".into() };
    Diagnostic { summary, context: None, ..problem }.at(expression.source(), expression.span())
}

/// A default that fits the variable.
///
/// # Errors
/// It does not; the complaint is at `place`.
pub(crate) fn fitted_default(
    variable: &Variable,
    value: &Value,
    place: &Place,
    evaluation: &mut Evaluation<'_>,
) -> Result<Value, Diagnostics> {
    let refused = |detail: String| {
        vec![place.error("module.variable.default", "Invalid default value for variable", detail)]
    };
    if value.is_null() && !variable.is_nullable() {
        return Err(refused(format!(
            "The default of var.{} is null, but the variable is declared with nullable = false. Write another default, \
             or remove one of the two arguments.",
            variable.name
        )));
    }
    let Some(constraint) = &variable.constraint else { return Ok(value.clone()) };
    evaluation
        .fit(value, constraint, Some(place.in_source()))?
        .map_err(|problem| refused(unfit("default", &variable.name, &problem)))
}

/// Says which part of a value of a variable does not fit the type.
pub(crate) fn unfit(what: &str, name: &str, problem: &ValueError) -> String {
    let (path, reason) = (problem.path.to_short_text(), problem.reason());
    format!("The {what} of var.{name}{path} does not fit the type: {reason}.")
}

/// Returns the type that a bare `list` or `map` stands for. Other constructors without their argument are errors, as
/// in the products.
fn of_anything(name: &str) -> Option<Type> {
    match name {
        "list" => Some(Type::list(Type::Dynamic)),
        "map" => Some(Type::map(Type::Dynamic)),
        _ => None,
    }
}

/// `type = "string"`
fn type_in_quotes(ty: &str, at: &Place) -> Diagnostic {
    let (title, detail) = match ty {
        "string" => {
            ("Invalid quoted type constraints", "A type is written without quotes: type = string.".to_owned())
        }
        "list" | "map" => (
            "Invalid quoted type constraints",
            format!(
                "A type is written without quotes, and with the type of the elements: the \"{ty}\" of old was \
                 {ty}(string)."
            ),
        ),
        _ => (
            "Invalid legacy variable type hint",
            "A type is written without quotes, as in type = number or type = list(string).".to_owned(),
        ),
    };
    at.error("module.variable.quoted_type", title, detail)
}
