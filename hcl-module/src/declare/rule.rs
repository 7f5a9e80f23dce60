//! Rules that a module sets up: validations, preconditions, postconditions, assertions.

use hcl_syntax::ast::variables;
use hcl_syntax::config::{ConfigExpression, ContentBlock};
use hcl_syntax::diagnostic::Diagnostic;
use hcl_syntax::schema::BodySchema;

use super::{Reader, Role};
use crate::place::Place;

/// A condition with the message that is told when it does not hold.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) condition: ConfigExpression,
    /// The message, an expression like any other.
    pub(crate) message: ConfigExpression,
    /// True if it is about the result of a resource, and not about what is there before.
    pub(crate) is_postcondition: bool,
}

/// The construct that a rule belongs to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum RuleOf<'n> {
    /// The variable of this name.
    Variable(&'n str),
    /// An output or a resource, before it has a value.
    Precondition,
    /// A resource, after it has one.
    Postcondition,
    /// A `check` block.
    Assertion,
}

impl Reader<'_, '_> {
    /// The rule in a block, if it is whole.
    pub(super) fn rule(&mut self, block: &ContentBlock, of: RuleOf<'_>) -> Option<Rule> {
        if self.role == Role::Override {
            let title = format!("Can't override {} blocks", block.block_type());
            self.diagnostics.push(not_overriding(title, &Place::of_block(block)));
            return None;
        }
        let schema =
            BodySchema::default().required_attribute("condition").required_attribute("error_message");
        let (content, problems) = self.evaluation.content(&block.body(), &schema);
        self.diagnostics.extend(problems);
        let condition = content.expression("condition")?;
        self.check_condition(&condition, of);
        let message = content.expression("error_message")?;
        Some(Rule { condition, message, is_postcondition: matches!(of, RuleOf::Postcondition) })
    }

    /// Checks that a condition speaks of something, and that of a validation of its variable. Only what is written
    /// counts, not what it comes to.
    fn check_condition(&mut self, condition: &ConfigExpression, of: RuleOf<'_>) {
        let place = Place::of(condition);
        let syntax = condition.syntax();
        let used = variables(syntax.expression());
        let title = match of {
            RuleOf::Variable(name) => {
                let mentions = used.iter().any(|found| {
                    found.root() == "var" && crate::reference::first_attribute(*found) == Some(name)
                });
                if mentions {
                    return;
                }
                self.diagnostics.push(place.error(
                    "module.condition",
                    "Invalid variable validation condition",
                    says_nothing_of(name),
                ));
                "Invalid validation expression"
            }
            RuleOf::Precondition => "Invalid precondition expression",
            RuleOf::Postcondition => "Invalid postcondition expression",
            RuleOf::Assertion => "Invalid assert expression",
        };
        if used.is_empty() {
            let detail = "The condition refers to nothing, so it is always true or always false.".to_owned();
            self.diagnostics.push(place.error("module.condition", title, detail));
        }
    }
}

/// The complaint about a block that has no place in an override file.
pub(crate) fn not_overriding(title: String, place: &Place) -> Diagnostic {
    let detail = "Blocks of this kind have no place in override files. Move it to another file.".to_owned();
    place.error("module.override", title, detail)
}

/// The detail about a condition that does not mention the variable that it is of.
pub(crate) fn says_nothing_of(name: &str) -> String {
    format!(
        "The condition says nothing of var.{name}, so it can't tell whether a value of the variable is good. Refer to \
         it as var.{name}."
    )
}
