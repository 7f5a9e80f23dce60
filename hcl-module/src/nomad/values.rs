//! The values of variables: defaults, the environment, files, arguments; later ones win.
//!
//! Every value that is given has to fit its variable, even one that another overrules.

use hcl_eval::eval::Evaluation;
use hcl_eval::types::Type;
use hcl_eval::value::Value;
use hcl_syntax::config::{ConfigExpression, ContentAttribute, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::hash::{HashMap, IndexMap};
use hcl_syntax::parser::parse_expression;
use hcl_syntax::source::Source;

use super::declare::{Declared, Variable, fit};
use super::error::{self, Giver};
use super::{JobOptions, PREFIX};
use crate::files::{Files, too_large};
use crate::inputs::{Given, has_declarations};
use crate::place::Place;

/// The value of a variable, and where it is from. One that can't be had is unknown.
pub(super) struct Winner {
    /// The value in the type of the variable.
    pub(super) value: Value,
    /// The origin that won.
    pub(super) giver: Giver,
    /// Where the value is written; a text that is taken as it is has no place.
    pub(super) place: Option<Place>,
}

impl Winner {
    /// True if there is neither a value nor a default.
    pub(super) fn is_missing(&self) -> bool {
        self.giver == Giver::Default && self.place.is_none()
    }
}

/// The values of all variables, in the order of their declarations.
pub(super) struct Gathered {
    /// One for each variable.
    pub(super) winners: Vec<Winner>,
    /// The errors of all values that were given.
    pub(super) diagnostics: Diagnostics,
}

/// Finds the value of each variable.
pub(super) fn gather(
    variables: &[Variable],
    files: &dyn Files,
    options: &JobOptions<'_>,
    evaluation: &mut Evaluation<'_>,
) -> Gathered {
    let positions = variables.iter().enumerate().map(|(at, variable)| (variable.name.as_str(), at)).collect();
    let given = std::iter::repeat_with(|| None).take(variables.len()).collect();
    let diagnostics = Diagnostics::new();
    let mut gatherer = Gatherer { variables, positions, options, evaluation, given, diagnostics };
    gatherer.environment();
    for given in &options.given {
        if let Given::File(path) = given {
            match files.read(path) {
                Ok(bytes) => gatherer.file(path, bytes),
                Err(problem) => gatherer.diagnostics.push(error::unreadable(path, &problem)),
            }
        }
    }
    gatherer.arguments();
    gatherer.finish()
}

/// Goes through the sources of values, the weakest first.
struct Gatherer<'a, 'e> {
    variables: &'a [Variable],
    /// Their positions by name.
    positions: HashMap<&'a str, usize>,
    options: &'a JobOptions<'a>,
    /// The evaluation of constants.
    evaluation: &'a mut Evaluation<'e>,
    /// The values given to each variable so far.
    given: Vec<Option<Winner>>,
    diagnostics: Diagnostics,
}

impl Gatherer<'_, '_> {
    /// Asks the environment for each variable. Names of variables that are not declared may be there for other jobs,
    /// so nobody asks for them.
    fn environment(&mut self) {
        let Some(host) = self.options.environment else { return };
        for (at, variable) in self.variables.iter().enumerate() {
            if !self.evaluation.bounds().next_item() {
                return;
            }
            if let Ok(text) = host.environment_variable(&format!("{PREFIX}{}", variable.name)) {
                self.text(at, &text, Giver::Environment);
            }
        }
    }

    /// Takes the values of a file, which is of JSON syntax if its text looks so, whatever its name is.
    fn file(&mut self, name: &str, bytes: Vec<u8>) {
        let is_json = super::is_json(&bytes);
        let (body, problems) = match super::parse(name, bytes, &self.options.parse_limits) {
            Ok(parsed) => parsed,
            Err(problem) => return self.diagnostics.push(too_large(name, &problem)),
        };
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if failed {
            return;
        }
        // In JSON syntax it would be the value of a variable of that name.
        let complaint = |block: &ContentBlock| {
            let name = block.label(0).map_or("NAME", |label| label.text);
            error::declaration_in_file(name, &Place::of_block(block))
        };
        if !is_json && has_declarations(&body, self.evaluation, &mut self.diagnostics, complaint) {
            return;
        }
        let (attributes, problems) = self.evaluation.just_attributes(&body);
        self.diagnostics.extend(problems);
        for attribute in attributes {
            if !self.evaluation.may_report(&self.diagnostics) {
                break;
            }
            self.line(&attribute);
        }
    }

    /// Takes a line of a file of values.
    fn line(&mut self, attribute: &ContentAttribute) {
        let name = attribute.name();
        let Some(&at) = self.positions.get(name) else {
            let place = Place::of_name(attribute);
            self.diagnostics.push(error::undeclared_in_file(name, !self.options.is_lax, &place));
            return;
        };
        self.expression(at, &attribute.expression(), Giver::File);
    }

    /// Takes the values that are given beside files. Of several values for one name the last counts.
    fn arguments(&mut self) {
        let mut last: IndexMap<&str, &Given> = IndexMap::default();
        for given in &self.options.given {
            let name = match given {
                Given::Value { name, .. } | Given::Text { name, .. } => name,
                Given::Assignment(assignment) => match assignment.split_once('=') {
                    Some((name, _)) => name,
                    None => {
                        self.diagnostics.push(error::argument_without_value(assignment));
                        continue;
                    }
                },
                Given::File(_) => continue,
            };
            last.insert(name, given);
        }
        for (name, given) in last {
            if !self.evaluation.may_report(&self.diagnostics) {
                break;
            }
            let Some(&at) = self.positions.get(name) else {
                self.diagnostics.push(error::undeclared_argument(name, !self.options.is_lax));
                continue;
            };
            match given {
                Given::Value { value, .. } => self.give(at, value.clone(), Giver::Argument, None),
                Given::Text { text, .. } => self.literal(at, text, Giver::Argument),
                Given::Assignment(assignment) => {
                    let text = assignment.split_once('=').map_or("", |(_, text)| text);
                    self.text(at, text, Giver::Argument);
                }
                Given::File(_) => {}
            }
        }
    }

    /// Takes a text from outside of files. It is what it says where a text or a number is wanted, and where nothing
    /// is known of the type; else, also for a bool, it is an expression without names and functions.
    fn text(&mut self, at: usize, text: &str, giver: Giver) {
        let variable = &self.variables[at];
        if matches!(variable.ty, Declared::Nothing | Declared::Type(Type::String | Type::Number)) {
            return self.literal(at, text, giver);
        }
        let from = if giver == Giver::Argument { "arguments" } else { "environment" };
        let name = format!("<value for var.{} from {from}>", variable.name);
        let source = match Source::new(&name, text.as_bytes().to_vec()) {
            Ok(source) => source,
            Err(problem) => return self.diagnostics.push(too_large(&name, &problem)),
        };
        let (parsed, problems) = parse_expression(source, &self.options.parse_limits);
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if !failed {
            let expression = ConfigExpression::native(parsed.tree().clone(), parsed.expression().id());
            self.expression(at, &expression, giver);
        }
    }

    /// Takes a text as it is.
    fn literal(&mut self, at: usize, text: &str, giver: Giver) {
        match self.evaluation.text(text) {
            Ok(value) => self.give(at, value, giver, None),
            Err(limit) => self.diagnostics.extend(limit),
        }
    }

    /// Takes a value that is written as an expression. One in error counts as given, so that the variable is not told
    /// as unset.
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

    /// Keeps a value, brought to the type of its variable, in place of the one before it.
    fn give(&mut self, at: usize, value: Value, giver: Giver, place: Option<Place>) {
        let variable = &self.variables[at];
        let fitted = match &variable.ty {
            Declared::Type(ty) => fit(&value, ty, place.as_ref(), self.evaluation),
            Declared::Nothing | Declared::Broken => Ok(Ok(value)),
        };
        let value = fitted.map(|fitted| {
            fitted.map_err(|problem| {
                vec![error::value_does_not_fit(&variable.name, &problem.reason(), giver, place.as_ref())]
            })
        });
        let value = value.and_then(|value| value).unwrap_or_else(|problems| {
            self.diagnostics.extend(problems);
            Value::dynamic()
        });
        self.given[at] = Some(Winner { value, giver, place });
    }

    /// Puts defaults in where nothing was given, and reports variables that have none.
    fn finish(mut self) -> Gathered {
        let mut winners = Vec::with_capacity(self.variables.len());
        for (variable, given) in self.variables.iter().zip(std::mem::take(&mut self.given)) {
            // Each variable has a winner, whatever the limits are; after one that is reached nothing more is told.
            let goes_on = self.evaluation.may_report(&self.diagnostics);
            let default = || {
                let (value, place) = variable.default.clone()?;
                Some(Winner { value, giver: Giver::Default, place: Some(place) })
            };
            winners.push(given.or_else(default).unwrap_or_else(|| {
                if goes_on && !matches!(variable.ty, Declared::Broken) && !self.options.may_lack_values {
                    self.diagnostics.push(error::unset(&variable.name, &variable.place));
                }
                let value = match &variable.ty {
                    Declared::Type(ty) => Value::unknown(ty.clone()),
                    Declared::Nothing | Declared::Broken => Value::dynamic(),
                };
                Winner { value, giver: Giver::Default, place: None }
            }));
        }
        Gathered { winners, diagnostics: self.diagnostics }
    }
}
