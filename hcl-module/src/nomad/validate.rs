//! Conditions on the values of variables.
//!
//! A condition may refer to its own variable and to nothing else, which is looked at in the text and not by
//! evaluating it. It is held against the value that won; what other sources gave is not looked at.

use std::sync::Arc;

use hcl_eval::convert::convert;
use hcl_eval::eval::{Evaluation, Scope};
use hcl_eval::types::Type;
use hcl_eval::value::Value;
use hcl_syntax::ast::{StepKind, variables};
use hcl_syntax::config::{ConfigExpression, ContentBlock};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::schema::BodySchema;

use super::declare::Variable;
use super::error;
use super::values::Winner;
use crate::place::Place;

/// Holds a variable's value against its conditions. Its default is not looked at if it is overruled.
pub(super) fn problems(
    variable: &Variable,
    winner: &Winner,
    functions: &Arc<Scope>,
    evaluation: &mut Evaluation<'_>,
) -> Diagnostics {
    let mut validator =
        Validator { variable, winner, functions, evaluation, diagnostics: Diagnostics::new() };
    for block in &variable.validations {
        if !validator.evaluation.may_report(&validator.diagnostics) {
            break;
        }
        validator.validation(block);
    }
    validator.diagnostics
}

/// One variable while its conditions are gone through.
struct Validator<'a, 'e> {
    variable: &'a Variable,
    winner: &'a Winner,
    /// The functions that conditions may call.
    functions: &'a Arc<Scope>,
    /// The evaluation, without a host.
    evaluation: &'a mut Evaluation<'e>,
    diagnostics: Diagnostics,
}

impl Validator<'_, '_> {
    /// Goes through one `validation` block.
    fn validation(&mut self, block: &ContentBlock) {
        let schema =
            BodySchema::default().required_attribute("condition").required_attribute("error_message");
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        let message = content.expression("error_message").and_then(|message| self.message(&message));
        let Some(condition) = content.expression("condition") else {
            let place = Place::of_block(block);
            self.diagnostics.push(error::no_condition(&place));
            return;
        };
        if self.refers_well(&condition) && !self.holds(&condition) {
            let message = message.unwrap_or_else(|| "The value is not a good one.".to_owned());
            let Winner { giver, place, .. } = self.winner;
            let (name, rule) = (&self.variable.name, condition.range());
            self.diagnostics.push(error::condition_fails(name, &message, *giver, place.as_ref(), &rule));
        }
    }

    /// The text of a message, which is constant.
    fn message(&mut self, expression: &ConfigExpression) -> Option<String> {
        let (value, problems) = self.evaluation.evaluate(expression, None);
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if failed {
            return None;
        }
        let problem = match convert(&value, &Type::String) {
            Err(problem) => problem.reason(),
            Ok(text) => match text.as_str() {
                Some("") => "it is empty".to_owned(),
                Some(text) => return Some(text.to_owned()),
                None => "it is null".to_owned(),
            },
        };
        self.diagnostics.push(error::message_is_no_text(&problem, &Place::of(expression)));
        None
    }

    /// True if a condition refers to its own variable and to nothing else.
    fn refers_well(&mut self, condition: &ConfigExpression) -> bool {
        let syntax = condition.syntax();
        let name = &self.variable.name;
        let (mut n_good, n_before) = (0, self.diagnostics.len());
        for reference in variables(syntax.expression()) {
            if !self.evaluation.bounds().next_item() {
                break;
            }
            let first = reference.steps().iter().next();
            let is_own = reference.root() == "var"
                && matches!(first.map(|step| step.kind), Some(StepKind::Attribute(own)) if own == name);
            if is_own {
                n_good += 1;
                continue;
            }
            let span = reference
                .steps()
                .iter()
                .last()
                .map_or(reference.root_span(), |last| reference.root_span().to(last.span));
            let place = Place::new(syntax.tree().source(), span);
            self.diagnostics.push(error::foreign_reference(&reference.to_text(), name, &place));
        }
        if n_good == 0 {
            self.diagnostics.push(error::condition_of_something_else(name, &Place::of(condition)));
        }
        self.diagnostics.len() == n_before
    }

    /// True if a condition holds; true also if that can't be said.
    fn holds(&mut self, condition: &ConfigExpression) -> bool {
        let value = Value::object(vec![(self.variable.name.as_str().into(), self.winner.value.clone())]);
        let scope = Scope::builder().parent(Arc::clone(self.functions)).variable("var", value).build();
        let (verdict, problems) = self.evaluation.evaluate(condition, Some(&scope));
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        if failed {
            return true;
        }
        let problem = match convert(&verdict, &Type::Bool) {
            // An unknown verdict is none against the value.
            Ok(verdict) if !verdict.is_null() => return verdict.as_bool() != Some(false),
            Ok(_) => "it is null".to_owned(),
            Err(problem) => problem.reason(),
        };
        self.diagnostics.push(error::condition_is_no_bool(&problem, &Place::of(condition)));
        true
    }
}
