//! The values of variables: defaults, the environment, files, arguments; later ones win.
//!
//! Every value that is given has to fit its variable, even one that another overrules.

use std::collections::HashMap;

use hcl_eval::eval::Evaluation;
use hcl_eval::types::Type;
use hcl_eval::value::Value;
use hcl_syntax::config::{ConfigExpression, ContentAttribute};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::parser::{ParseLimits, parse_expression};
use hcl_syntax::schema::BodySchema;
use hcl_syntax::source::Source;

use super::Inputs;
use super::declare::{Declared, Variable};
use super::error::{self, Giver, Place};

/// What begins the names of environment variables that give values.
const PREFIX: &str = "NOMAD_VAR_";

/// The value of a variable, and where it is from. One that can't be had is unknown.
pub(super) struct Winner {
    pub(super) value: Value,
    pub(super) giver: Giver,
    /// Where the value is written; a text that is taken as it is has no place.
    pub(super) place: Option<Place>,
}

/// The values of all variables, in the order of their declarations.
pub(super) struct Gathered {
    pub(super) winners: Vec<Winner>,
    pub(super) diagnostics: Diagnostics,
}

/// Finds the value of each variable.
pub(super) fn gather(
    variables: &[Variable],
    inputs: &Inputs,
    parse_limits: &ParseLimits,
    evaluation: &mut Evaluation<'_>,
) -> Gathered {
    let positions = variables.iter().enumerate().map(|(at, variable)| (variable.name.as_str(), at)).collect();
    let given = std::iter::repeat_with(|| None).take(variables.len()).collect();
    let mut gatherer = Gatherer {
        variables,
        positions,
        parse_limits,
        evaluation,
        is_strict: !inputs.is_lax,
        given,
        diagnostics: Diagnostics::new(),
    };
    gatherer.environment(&inputs.environment);
    for (name, bytes) in &inputs.files {
        gatherer.file(name, bytes);
    }
    gatherer.arguments(&inputs.arguments);
    gatherer.finish()
}

struct Gatherer<'a, 'e> {
    variables: &'a [Variable],
    positions: HashMap<&'a str, usize>,
    parse_limits: &'a ParseLimits,
    evaluation: &'a mut Evaluation<'e>,
    is_strict: bool,
    /// What has been given to each variable so far.
    given: Vec<Option<Winner>>,
    diagnostics: Diagnostics,
}

impl Gatherer<'_, '_> {
    /// Names of variables that are not declared may be there for other jobs.
    fn environment(&mut self, environment: &[(String, String)]) {
        let texts: HashMap<&str, &str> = environment
            .iter()
            .filter_map(|(name, text)| Some((name.strip_prefix(PREFIX)?, text.as_str())))
            .collect();
        for (at, variable) in self.variables.iter().enumerate() {
            if let Some(text) = texts.get(variable.name.as_str()) {
                self.text(at, text, Giver::Environment);
            }
        }
    }

    fn file(&mut self, name: &str, bytes: &[u8]) {
        let Ok((body, problems)) = super::parse(name, bytes.to_vec(), self.parse_limits) else { return };
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if failed {
            return;
        }
        let declarations = BodySchema::default().block("variable", &["name"]);
        let (content, rest, _) = body.partial_content(&declarations);
        // In JSON syntax it would be the value of a variable of that name.
        if !super::is_json(bytes) && !content.blocks.is_empty() {
            self.diagnostics.extend(content.blocks.iter().map(|block| {
                let place = Place { source: block.source().clone(), span: block.definition_span() };
                error::declaration_in_file(block.label(0).map_or("NAME", |label| label.text), &place)
            }));
            return;
        }
        let body = if super::is_json(bytes) { body } else { rest };
        let (attributes, problems) = body.just_attributes();
        self.diagnostics.extend(problems);
        for attribute in attributes {
            self.line(&attribute);
        }
    }

    /// A line of a file of values.
    fn line(&mut self, attribute: &ContentAttribute) {
        let name = attribute.name();
        let Some(&at) = self.positions.get(name) else {
            let place = Place { source: attribute.source().clone(), span: attribute.name_span() };
            self.diagnostics.push(error::undeclared_in_file(name, self.is_strict, &place));
            return;
        };
        self.expression(at, &attribute.expression(), Giver::File);
    }

    /// Of several texts for one name the last counts.
    fn arguments(&mut self, arguments: &[String]) {
        let mut last: HashMap<&str, usize> = HashMap::new();
        let pairs: Vec<(&str, &str)> = arguments.iter().filter_map(|word| word.split_once('=')).collect();
        for (position, (name, _)) in pairs.iter().enumerate() {
            last.insert(name, position);
        }
        for (position, (name, text)) in pairs.iter().enumerate() {
            if last.get(name) != Some(&position) {
                continue;
            }
            match self.positions.get(name) {
                Some(&at) => self.text(at, text, Giver::Argument),
                None => self.diagnostics.push(error::undeclared_argument(name, self.is_strict)),
            }
        }
    }

    /// A text from outside of files. It is what it says where a text or a number is wanted, and where nothing is
    /// known of the type; else an expression without names and functions.
    fn text(&mut self, at: usize, text: &str, giver: Giver) {
        let variable = &self.variables[at];
        if matches!(variable.ty, Declared::Nothing | Declared::Type(Type::String | Type::Number)) {
            return self.give(at, Value::string(text), giver, None);
        }
        let from = if giver == Giver::Argument { "arguments" } else { "environment" };
        let name = format!("<value for var.{} from {from}>", variable.name);
        let Ok(source) = Source::new(&name, text.as_bytes().to_vec()) else { return };
        let (parsed, problems) = parse_expression(source, self.parse_limits);
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if !failed {
            let expression = ConfigExpression::native(parsed.tree().clone(), parsed.expression().id());
            self.expression(at, &expression, giver);
        }
    }

    /// A value that is written as an expression.
    fn expression(&mut self, at: usize, expression: &ConfigExpression, giver: Giver) {
        let (value, problems) = self.evaluation.evaluate(expression, None);
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if failed {
            self.given[at] = Some(Winner { value: Value::dynamic(), giver, place: None });
        } else {
            self.give(at, value, giver, Some(Place::of(expression)));
        }
    }

    fn give(&mut self, at: usize, value: Value, giver: Giver, place: Option<Place>) {
        let variable = &self.variables[at];
        let value = variable.ty.fit(value).unwrap_or_else(|problem| {
            let problem = error::value_does_not_fit(&variable.name, &problem, giver, place.as_ref());
            self.diagnostics.push(problem);
            Value::dynamic()
        });
        self.given[at] = Some(Winner { value, giver, place });
    }

    fn finish(mut self) -> Gathered {
        let mut winners = Vec::with_capacity(self.variables.len());
        for (variable, given) in self.variables.iter().zip(std::mem::take(&mut self.given)) {
            let default = || {
                let (value, place) = variable.default.clone()?;
                Some(Winner { value, giver: Giver::Default, place: Some(place) })
            };
            winners.push(given.or_else(default).unwrap_or_else(|| {
                if !matches!(variable.ty, Declared::Broken) {
                    self.diagnostics.push(error::unset(&variable.name, &variable.place));
                }
                Winner { value: Value::dynamic(), giver: Giver::Default, place: None }
            }));
        }
        Gathered { winners, diagnostics: self.diagnostics }
    }
}
