//! Validation of variables: rules that may mention the variable itself and nothing else.
//!
//! The references of a rule and the form of its message are looked at when the block is read; an error there ends the
//! first phase, before any value is looked at. Conditions are evaluated in the second phase, for the value that won.

use std::sync::Arc;

use hcl_eval::convert::convert;
use hcl_eval::dynamic::{Attribute, Block};
use hcl_eval::eval::Scope;
use hcl_eval::{Type, Value};
use hcl_syntax::ast::{StepKind, Traversal, variables};
use hcl_syntax::schema::BodySchema;

use super::error;
use super::session::Session;
use super::variable::Variable;
use crate::place::Place;

/// A `validation` block.
#[derive(Debug)]
pub(super) struct Rule {
    /// The header of the block.
    place: Place,
    condition: Attribute,
    /// The message, a constant.
    message: String,
}

/// Reads a `validation` block of a variable. What can be said of it without values is said.
pub(super) fn rule(block: &Block, name: &str, session: &mut Session<'_>) -> Option<Rule> {
    let schema = BodySchema::default().required_attribute("condition").required_attribute("error_message");
    let (content, problems) = block.body().content(&schema, &mut session.evaluation);
    session.diagnostics.extend(problems);
    let condition = content.attributes.get("condition").cloned();
    if let Some(condition) = &condition {
        check_references(condition, name, session);
    }
    let message = session.text(&content, "error_message", None).ok().flatten();
    if let (Some(message), Some(attribute)) = (&message, content.attributes.get("error_message"))
        && let Err(problem) = check_sentence(message.trim())
    {
        session.diagnostics.push(error::no_sentence(problem, &Place::of(&attribute.expression())));
    }
    let place = Place::new(block.source(), block.definition_span());
    Some(Rule { place, condition: condition?, message: message? })
}

/// Checks that every reference is to the variable, and that there is one. The whole of `var`, and `var["x"]`, are
/// other references, as in Packer.
fn check_references(condition: &Attribute, name: &str, session: &mut Session<'_>) {
    let expression = condition.expression();
    let syntax = expression.syntax();
    let mut refers = false;
    for reference in variables(syntax.expression()) {
        if is_of(reference, name) {
            refers = true;
            continue;
        }
        let end = reference.steps().iter().last().map_or(reference.root_span(), |step| step.span);
        let span = reference.root_span().to(end);
        let source = syntax.tree().source();
        let problem = error::foreign_reference(source.slice(span), name, &Place::new(source, span));
        session.diagnostics.push(problem);
    }
    if !refers {
        session.diagnostics.push(error::condition_of_something_else(name, &Place::of(&expression)));
    }
}

/// True if a reference is to the variable of a name.
fn is_of(reference: Traversal<'_>, name: &str) -> bool {
    let first = reference.steps().iter().next().map(|step| step.kind);
    reference.root() == "var" && matches!(first, Some(StepKind::Attribute(own)) if own == name)
}

/// Checks that a text, without blanks around it, begins and ends as a sentence does. The error is a part of a
/// sentence. Letters without case are no capitals, as in Packer.
fn check_sentence(text: &str) -> Result<(), &'static str> {
    let Some(first) = text.chars().next() else { return Err("it is empty") };
    if first.is_alphabetic() && !first.is_uppercase() {
        return Err("it begins with a letter that is no capital");
    }
    if !text.ends_with(['.', '?', '!']) {
        return Err("it does not end as a sentence does");
    }
    Ok(())
}

/// Holds the value of a variable against its rules. Functions of files begin in the working directory.
pub(super) fn check(variable: &Variable, functions: &Arc<Scope>, session: &mut Session<'_>) {
    let Some(assignment) = &variable.assignment else { return };
    if variable.rules.is_empty() {
        return;
    }
    let own = Value::object(vec![(variable.name.as_str().into(), assignment.value.clone())]);
    let scope = Scope::builder().parent(Arc::clone(functions)).variable("var", own).build();
    for rule in &variable.rules {
        let Ok(verdict) = session.attribute(&rule.condition, Some(&scope)) else { continue };
        let place = || Place::of(&rule.condition.expression());
        match convert(&verdict, &Type::Bool) {
            Err(problem) => {
                session.diagnostics.push(error::condition_is_no_bool(&problem.reason(), &place()));
            }
            Ok(verdict) if verdict.is_null() => {
                session.diagnostics.push(error::condition_is_no_bool("it is null", &place()));
            }
            Ok(verdict) if verdict.as_bool() == Some(false) => {
                let origin = assignment.origin.as_str();
                let rule_at = rule.place.range();
                let problem =
                    error::condition_fails(origin, rule.message.trim(), &rule_at, assignment.place.as_ref());
                session.diagnostics.push(problem);
            }
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_sentences() {
        for good in ["Fine.", "1 is fine!", "\"Quoted\" start?", "…so."] {
            assert_eq!(check_sentence(good), Ok(()), "{good}");
        }
        for bad in ["", "small.", "é lower.", "日本.", "No end", "Fine…"] {
            assert!(check_sentence(bad).is_err(), "{bad}");
        }
    }
}
