//! The head of a job file: what `variable`, `variables` and `locals` blocks declare.
//!
//! Types are exact: without `any` and `optional`. A variable without a type has that of its default, so that a
//! default which is a tuple of one element takes no list of two.

use hcl_eval::convert::convert;
use hcl_eval::eval::{Evaluation, TypeConstraint};
use hcl_eval::types::Type;
use hcl_eval::types::type_expr::{TypeMode, parse_type_within};
use hcl_eval::value::{Value, ValueError};
use hcl_syntax::ast::Literal;
use hcl_syntax::config::{ConfigBody, ConfigExpression, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::HashMap;
use hcl_syntax::lexer::is_identifier_within;
use hcl_syntax::parser::parse_expression;
use hcl_syntax::schema::BodySchema;
use hcl_syntax::source::{Range, Source};

use super::error;
use crate::place::Place;

/// The declarations of the file.
pub(super) struct Head {
    /// The variables; of several of one name the first.
    pub(super) variables: Vec<Variable>,
    /// In the order of the text; of several of one name the last counts.
    pub(super) locals: Vec<ContentAttribute>,
    /// The `job` blocks, of which there should be one.
    pub(super) jobs: Vec<ContentBlock>,
    /// The file without its declarations.
    pub(super) rest: ConfigBody,
}

/// A declared variable.
pub(super) struct Variable {
    /// The name behind `var`.
    pub(super) name: String,
    /// The header of its block, or its name in a `variables` block.
    pub(super) place: Place,
    /// The type that values are converted to: as declared, or that of the default.
    pub(super) ty: Declared,
    /// The value of the default, brought to the type.
    pub(super) default: Option<(Value, Place)>,
    /// Its `validation` blocks, which are read when the value is known.
    pub(super) validations: Vec<ContentBlock>,
}

/// The known part of a variable's type.
#[derive(Clone, Debug)]
pub(super) enum Declared {
    /// The type.
    Type(Type),
    /// There is neither a type nor a default: any value will do.
    Nothing,
    /// The type or the default is in error, so nothing is said of values.
    Broken,
}

/// The value in a type, within the limits of the load.
pub(super) fn fit(
    value: &Value,
    ty: &Type,
    place: Option<&Place>,
    evaluation: &mut Evaluation<'_>,
) -> Result<Result<Value, ValueError>, Diagnostics> {
    let constraint = TypeConstraint { ty: ty.clone(), defaults: None };
    evaluation.fit(value, &constraint, place.map(Place::in_source))
}

impl Head {
    /// Reads the declarations of a file, with what is wrong. Constants are charged to the evaluation, which should
    /// know no host.
    pub(super) fn read(body: &ConfigBody, evaluation: &mut Evaluation<'_>) -> (Self, Diagnostics) {
        let declarations =
            BodySchema::default().block("variable", &["name"]).block("variables", &[]).block("locals", &[]);
        let job = BodySchema::default().block("job", &["name"]);
        let (_, mut diagnostics) = evaluation.content(body, &declarations.clone().block("job", &["name"]));
        let (content, rest, _) = body.partial_content_within(&declarations, evaluation.bounds());
        let (jobs, _, _) = rest.partial_content_within(&job, evaluation.bounds());
        evaluation.tell_limit(body.missing_item(), &mut diagnostics);
        let mut reader =
            Reader { evaluation, diagnostics, variables: Vec::new(), places: HashMap::default() };
        let mut locals = Vec::new();
        for block in &content.blocks {
            if !reader.evaluation.may_report(&reader.diagnostics) {
                break;
            }
            match block.block_type() {
                "variable" => reader.variable(block),
                "variables" => reader.variables(block),
                _ => {
                    let (attributes, problems) = reader.evaluation.just_attributes(&block.body());
                    reader.diagnostics.extend(problems);
                    locals.extend(attributes);
                }
            }
        }
        (Self { variables: reader.variables, locals, jobs: jobs.blocks, rest }, reader.diagnostics)
    }
}

/// Reads declarations one after the other.
struct Reader<'a, 'e> {
    /// The evaluation of constants.
    evaluation: &'a mut Evaluation<'e>,
    diagnostics: Diagnostics,
    variables: Vec<Variable>,
    /// Where names are declared for the first time.
    places: HashMap<String, Range>,
}

impl Reader<'_, '_> {
    /// Adds a variable unless one of that name is there.
    fn declare(&mut self, variable: Variable) {
        if let Some(first) = self.places.get(&variable.name) {
            self.diagnostics.push(error::declared_twice(&variable.name, first, &variable.place));
            return;
        }
        self.places.insert(variable.name.clone(), variable.place.range());
        self.variables.push(variable);
    }

    /// The lines of a `variables` block: names with their defaults.
    fn variables(&mut self, block: &ContentBlock) {
        let (attributes, problems) = self.evaluation.just_attributes(&block.body());
        self.diagnostics.extend(problems);
        for attribute in attributes {
            if !self.evaluation.may_report(&self.diagnostics) {
                break;
            }
            let place = Place::of_name(&attribute);
            let default = self.constant(&attribute.expression());
            let (ty, default) = match default {
                Some((value, place)) => (Declared::Type(value.ty()), Some((value, place))),
                None => (Declared::Broken, None),
            };
            let name = attribute.name().to_owned();
            self.declare(Variable { name, place, ty, default, validations: Vec::new() });
        }
    }

    /// A `variable` block. A type or default in error leaves the variable declared, and takes any value, so that its
    /// uses are not told as errors too.
    fn variable(&mut self, block: &ContentBlock) {
        let schema = ["description", "type", "default"]
            .iter()
            .fold(BodySchema::default(), |schema, name| schema.attribute(*name))
            .block("validation", &[]);
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        let Some(label) = block.label(0) else { return };
        if !is_identifier_within(label.text, self.evaluation.bounds()) {
            let place = Place::of_label(block, label);
            self.diagnostics.push(error::name_is_no_identifier(label.text, &place));
        }
        if let Some(description) = content.expression("description") {
            self.description(&description);
        }
        let declared = content.expression("type").map(|expression| self.exact_type(&expression));
        let written = content.expression("default");
        let default = written.as_ref().map(|expression| self.constant(expression));
        let (ty, default) = match (declared, default) {
            (None, None) => (Declared::Nothing, None),
            (Some(None), _) | (_, Some(None)) => (Declared::Broken, None),
            (Some(Some(ty)), None) => (Declared::Type(ty), None),
            (None, Some(Some((value, place)))) => (Declared::Type(value.ty()), Some((value, place))),
            (Some(Some(ty)), Some(Some((value, place)))) => {
                match fit(&value, &ty, Some(&place), self.evaluation) {
                    Ok(Ok(value)) => (Declared::Type(ty), Some((value, place))),
                    Err(limit) => {
                        self.diagnostics.extend(limit);
                        (Declared::Broken, None)
                    }
                    Ok(Err(problem)) => {
                        let problem = error::default_does_not_fit(label.text, &problem.reason(), &place);
                        self.diagnostics.push(problem);
                        (Declared::Broken, None)
                    }
                }
            }
        };
        self.declare(Variable {
            name: label.text.to_owned(),
            place: Place::of_block(block),
            ty,
            default,
            validations: content.blocks,
        });
    }

    /// Checks a description, which is a constant that converts to a text.
    fn description(&mut self, expression: &ConfigExpression) {
        let Some((value, place)) = self.constant(expression) else { return };
        if let Err(problem) = convert(&value, &Type::String) {
            self.diagnostics.push(error::description_is_no_text(&problem.reason(), &place));
        }
    }

    /// The value of an expression without names and functions, unless it is in error.
    fn constant(&mut self, expression: &ConfigExpression) -> Option<(Value, Place)> {
        let (value, problems) = self.evaluation.evaluate(expression, None);
        let failed = has_errors(&problems) || self.evaluation.stopped();
        self.diagnostics.extend(problems);
        (!failed).then(|| (value, Place::of(expression)))
    }

    /// A type without `any` and optional attributes. In JSON syntax it is in quotes.
    fn exact_type(&mut self, expression: &ConfigExpression) -> Option<Type> {
        let syntax = expression.syntax();
        let text = match syntax.expression().literal() {
            Some(Literal::Text(text)) if expression.is_json() => Some(text),
            _ => None,
        };
        let (ty, problems) = match text {
            None => {
                let (ty, _, problems) =
                    parse_type_within(syntax.expression(), TypeMode::Exact, self.evaluation);
                (ty, problems)
            }
            Some(text) => {
                let (ty, problems) = type_in(text, self.evaluation);
                let at = |problem: Diagnostic| {
                    Diagnostic { context: None, ..problem }.at(expression.source(), expression.span())
                };
                (ty, problems.into_iter().map(at).collect())
            }
        };
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        (!failed).then_some(ty)
    }
}

/// The type that a text says.
fn type_in(text: &str, evaluation: &mut Evaluation<'_>) -> (Type, Diagnostics) {
    let Ok(source) = Source::new("type", text) else { return (Type::Dynamic, Diagnostics::new()) };
    let (parsed, problems) = parse_expression(source, &evaluation.limits().of_reading());
    if has_errors(&problems) {
        return (Type::Dynamic, problems);
    }
    let (ty, _, problems) = parse_type_within(parsed.expression(), TypeMode::Exact, evaluation);
    (ty, problems)
}
