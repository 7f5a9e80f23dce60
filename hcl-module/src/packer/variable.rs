//! Variables: what their blocks declare.
//!
//! A variable without a type, or of type `any`, has the exact type of its default: one whose default is a tuple of
//! two texts takes no tuple of three. Null, and in `variable` blocks an empty container, tell no type.

use std::sync::Arc;

use hcl_eval::dynamic::{Attribute, Body};
use hcl_eval::eval::Scope;
use hcl_eval::types::TypeConstraint;
use hcl_eval::value::Kind;
use hcl_eval::{Type, Value};
use hcl_syntax::ast::ExpressionKind;
use hcl_syntax::config::{ConfigExpression, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, has_errors};
use hcl_syntax::lexer::is_identifier_within;
use hcl_syntax::schema::BodySchema;

use super::error;
use super::session::{Session, Unsuitable};
use super::validation::{self, Rule};
use crate::place::Place;

/// Where a value comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The declaration.
    Default,
    /// `PKR_VAR_NAME`
    Environment,
    File,
    /// The command line, or the caller of the library.
    CommandLine,
}

impl Origin {
    /// How the title of a failed validation names it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Environment => "env",
            Self::File => "varfile",
            Self::CommandLine => "cmd",
        }
    }
}

/// A value that a variable is given.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) origin: Origin,
    /// The value in the type of the variable.
    pub(super) value: Value,
    /// Where it is written, unless it is a text that was taken literally.
    pub(super) place: Option<Place>,
}

/// How a text from the command line or the environment becomes a value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// It is the value, a string.
    Literal,
    /// It is an expression.
    Expression,
}

/// The declaration of a variable, and the value that it has so far.
#[derive(Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// The header of its block, or its line in a `variables` block.
    pub(super) place: Place,
    /// The type that values are converted to. The default of a variable without a type gives it its own type.
    pub(super) constraint: TypeConstraint,
    /// True if texts in its value are not to be shown.
    pub(super) is_sensitive: bool,
    /// Its validations.
    pub(super) rules: Vec<Rule>,
    /// The strongest value so far.
    pub(super) assignment: Option<Assignment>,
}

impl Variable {
    /// A variable of any type without a value.
    fn new(name: &str, place: Place) -> Self {
        Self {
            name: name.to_owned(),
            place,
            constraint: TypeConstraint::default(),
            is_sensitive: false,
            rules: Vec::new(),
            assignment: None,
        }
    }

    /// How its texts are read. Literal texts are also those of variables whose type nothing tells.
    pub(super) fn reading(&self) -> Reading {
        match self.constraint.ty {
            Type::String | Type::Number | Type::Dynamic => Reading::Literal,
            _ => Reading::Expression,
        }
    }

    /// The value, unknown if there is none.
    pub(super) fn value(&self) -> Value {
        match &self.assignment {
            Some(assignment) => assignment.value.clone(),
            None => Value::unknown(self.constraint.ty.without_optional()),
        }
    }

    /// Keeps out of sight what a sensitive variable was given, in what is told since there were `before` problems.
    pub(super) fn withhold(&self, before: usize, session: &mut Session<'_>) {
        if self.is_sensitive {
            session.diagnostics[before..].iter_mut().for_each(|problem| error::withhold(&self.name, problem));
        }
    }

    /// Takes a default, already evaluated. `empties` says whether an empty container tells a type, too.
    fn take_default(&mut self, value: &Value, empties: Empties, place: Place, session: &mut Session<'_>) {
        if self.constraint.ty.is_dynamic() && tells_type(value, empties) {
            self.constraint = TypeConstraint { ty: value.ty(), defaults: None };
        }
        match session.evaluation.fit(value, &self.constraint, Some(place.in_source())) {
            Err(limit) => session.diagnostics.extend(limit),
            Ok(Ok(value)) => {
                self.assignment = Some(Assignment { origin: Origin::Default, value, place: Some(place) });
            }
            Ok(Err(problem)) => session.diagnostics.push(error::unfit_default(&self.name, &problem, &place)),
        }
    }
}

/// The meaning of the defaults `{}` and `[]` for a type.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Empties {
    /// Nothing, as in `variable` blocks.
    Open,
    /// That there is never anything in it, as in `variables` blocks.
    Closed,
}

/// True if the type of a default is that of the variable.
fn tells_type(value: &Value, empties: Empties) -> bool {
    let is_empty = matches!(value.kind(), Kind::Tuple | Kind::Object) && value.len() == Some(0);
    !(value.is_null() || is_empty && empties == Empties::Open)
}

/// The variable that a line of a `variables` block declares.
pub(super) fn of_attribute(
    attribute: &Attribute,
    defaults: &Arc<Scope>,
    session: &mut Session<'_>,
) -> Variable {
    let written = attribute.written();
    let mut variable = Variable::new(written.name(), Place::of_attribute(written));
    if let Ok(value) = session.attribute(attribute, Some(defaults)) {
        variable.take_default(&value, Empties::Closed, Place::of(&attribute.expression()), session);
    }
    variable
}

/// The variable that a block declares; `None` if it is not declared because nothing is known of its type or name.
pub(super) fn of_block(
    block: &ContentBlock,
    defaults: &Arc<Scope>,
    session: &mut Session<'_>,
) -> Option<Variable> {
    let schema = ["type", "default", "description", "sensitive"]
        .into_iter()
        .fold(BodySchema::default(), |schema, name| schema.attribute(name))
        .block("validation", &[]);
    let (content, problems) = Body::from(block.body()).content(&schema, &mut session.evaluation);
    session.diagnostics.extend(problems);
    let label = block.label(0)?;
    let is_named = is_identifier_within(label.text, session.evaluation.bounds());
    if !is_named {
        let place = Place::of_label(block, label);
        let title = "Invalid variable name";
        session.diagnostics.push(error::no_identifier(title, label.text, &place));
    }
    let mut variable = Variable::new(label.text, Place::of_block(block));
    // Complaints about these are made; nothing depends on what they say.
    let _ = session.text(&content, "description", None);
    variable.is_sensitive = session.flag(&content, "sensitive", None) == Ok(Some(true));
    if let Some(attribute) = content.attributes.get("type") {
        variable.constraint = constraint(&attribute.expression(), session).ok()?;
    }
    if let Some(attribute) = content.attributes.get("default") {
        let before = session.diagnostics.len();
        if let Ok(value) = session.attribute(attribute, Some(defaults)) {
            variable.take_default(&value, Empties::Open, Place::of(&attribute.expression()), session);
        }
        variable.withhold(before, session);
    }
    variable.rules =
        content.blocks.iter().filter_map(|inner| validation::rule(inner, label.text, session)).collect();
    is_named.then_some(variable)
}

/// A type. In JSON syntax types are in quotes, elsewhere they must not be; a template in such a string is no type.
fn constraint(
    expression: &ConfigExpression,
    session: &mut Session<'_>,
) -> Result<TypeConstraint, Unsuitable> {
    let syntax = expression.syntax();
    let (constraint, problems) = match syntax.expression().kind() {
        ExpressionKind::Text(text) if expression.is_json() => {
            match TypeConstraint::from_text_within(text, &mut session.evaluation) {
                Ok(constraint) => (constraint, Vec::new()),
                // Their places are in the text alone, and what is no type is no type whatever its syntax.
                Err(problems) => {
                    let title = |problem: &Diagnostic| match problem.code.starts_with("type.") {
                        true => problem.summary.clone(),
                        false => "Invalid type specification".into(),
                    };
                    let at = |problem: Diagnostic| {
                        let place = Place::of(expression);
                        place.error("type.invalid_specification", title(&problem), problem.detail)
                    };
                    (TypeConstraint::default(), problems.into_iter().map(at).collect())
                }
            }
        }
        _ => TypeConstraint::parse_within(syntax.expression(), &mut session.evaluation),
    };
    let failed = has_errors(&problems);
    session.diagnostics.extend(problems);
    if failed {
        return Err(Unsuitable);
    }
    if constraint.ty != constraint.ty.without_optional() && !session.release.has_optional_attributes() {
        let title = "Invalid type specification";
        let place = Place::of(expression);
        session.diagnostics.push(error::later(title, "optional attributes", "1.16", session.release, &place));
        return Err(Unsuitable);
    }
    Ok(constraint)
}
