//! Conditions: `validation` blocks of variables, and what preconditions have in common with them.

use hcl_eval::convert::convert;
use hcl_eval::types::Type;
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};

use super::expression::Place as At;
use super::{Engine, Outcome, Part, State, Walk};
use crate::declare::Variable;
use crate::place::Place;
use crate::tree::NodeId;

/// The verdict of a condition.
pub(super) enum Verdict {
    /// It holds, or nobody knows yet.
    Holds,
    /// It does not, and this is the message, which is empty if there is none to show.
    Fails(String),
    /// It can't be said, because the condition is in error.
    Error,
    /// It does not hold, and the message can't be made.
    NoMessage,
}

/// The construct that a condition belongs to: the products word its problems differently.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum About {
    /// A `validation` block of a variable.
    Variable,
    /// An output or a resource.
    Result,
}

/// The message of a condition, or why there is none.
enum Message {
    /// The message, without blanks around it.
    Text(String),
    /// It is null.
    Null,
    /// It is of another type; the text says why it can't be a text.
    NoText(String),
    /// It is made of something unknown.
    NotKnown,
    /// It would show something that has a mark of this name.
    Hidden(&'static str),
    /// Its expression is in error, which has been told.
    Failed,
}

impl Engine<'_> {
    /// Looks at a condition and its message. What is wrong with either is told. Terraform makes the message whether
    /// it is needed or not, OpenTofu only for a condition that does not hold, and when it validates. An unknown
    /// condition counts as one that holds: the products look again when the value is there.
    pub(super) fn verdict(
        &mut self,
        condition: &Part,
        message: &Part,
        at: At<'_>,
        about: About,
        diagnostics: &mut Diagnostics,
    ) -> Verdict {
        let (value, problems) = self.value(condition, at);
        let failed = has_errors(&problems);
        diagnostics.extend(problems);
        let is_tofu = self.tree().release.is_tofu();
        let made = (!is_tofu || self.walk == Walk::Validate && !failed)
            .then(|| self.message(message, at, diagnostics));
        if about == About::Result
            && let Some(made) = made.as_ref().filter(|_| !is_tofu)
            && self.spoils(made, message, diagnostics)
        {
            return Verdict::NoMessage;
        }
        if failed {
            return Verdict::Error;
        }
        let (plain, _) = value.unmark_deep();
        if !plain.is_known() {
            return Verdict::Holds;
        }
        let title = match about {
            About::Variable => "Invalid variable validation result",
            About::Result => "Invalid condition result",
        };
        let refused = |detail: &str| {
            let detail = format!("A condition is true or false: {detail}.");
            Place::of(&condition.expression).error("module.condition.result", title, detail)
        };
        let verdict = match convert(&plain, &Type::Bool) {
            Ok(value) if value.is_null() => Err(refused("it is null")),
            Ok(value) => Ok(value.as_bool()),
            Err(error) => Err(refused(&error.reason())),
        };
        match verdict {
            Err(problem) => {
                diagnostics.push(problem);
                Verdict::Error
            }
            Ok(Some(false)) => {
                let made = made.unwrap_or_else(|| self.message(message, at, diagnostics));
                self.failure(made, message, about, diagnostics)
            }
            Ok(_) => Verdict::Holds,
        }
    }

    /// Makes the text to show when a condition does not hold. A message that is both unknown and marked counts as
    /// unknown.
    fn message(&mut self, message: &Part, at: At<'_>, diagnostics: &mut Diagnostics) -> Message {
        let (value, problems) = self.value(message, at);
        let failed = has_errors(&problems);
        diagnostics.extend(problems);
        let (plain, marks) = value.unmark_deep();
        let hidden = ["sensitive", "ephemeral"].into_iter().find(|kind| marks.contains_name(kind));
        match (failed, plain.is_wholly_known(), hidden) {
            (true, ..) => return Message::Failed,
            (_, false, _) => return Message::NotKnown,
            (.., Some(kind)) => return Message::Hidden(kind),
            _ => {}
        }
        match convert(&plain, &Type::String) {
            Ok(text) => text.as_str().map_or(Message::Null, |text| Message::Text(text.trim().to_owned())),
            Err(error) => Message::NoText(error.reason()),
        }
    }

    /// True if a message is such that Terraform does not look at the condition of an output or a resource.
    fn spoils(&self, made: &Message, message: &Part, diagnostics: &mut Diagnostics) -> bool {
        match made {
            Message::Failed => true,
            Message::Null | Message::NoText(_) => {
                diagnostics.push(no_message(made, message));
                true
            }
            Message::Hidden(kind) => {
                if self.walk == Walk::Console {
                    diagnostics.push(hidden_message(kind, message, About::Result));
                }
                false
            }
            Message::Text(_) | Message::NotKnown => false,
        }
    }

    /// The verdict of a condition that does not hold. Of a variable Terraform tells that the message is in error in
    /// place of the failure; otherwise the failure is told without a message.
    fn failure(&self, made: Message, message: &Part, about: About, diagnostics: &mut Diagnostics) -> Verdict {
        let is_tofu = self.tree().release.is_tofu();
        let is_terraforms = about == About::Variable && !is_tofu;
        match made {
            Message::Text(text) => return Verdict::Fails(text),
            Message::Failed | Message::NotKnown if is_terraforms => {
                if self.walk == Walk::Console {
                    diagnostics.push(no_message(&made, message));
                }
                return Verdict::NoMessage;
            }
            Message::Failed => return Verdict::NoMessage,
            Message::NoText(_) if is_terraforms => diagnostics.push(no_message(&made, message)),
            Message::Hidden(kind) if about == About::Variable || is_tofu => {
                diagnostics.push(hidden_message(kind, message, about));
            }
            _ => {}
        }
        Verdict::Fails(String::new())
    }

    /// The complaint about a condition of an output or a resource that does not hold. The detail is what the module itself says.
    pub(super) fn broken(
        &mut self,
        condition: &Part,
        text: String,
        at: At<'_>,
        code: &'static str,
        title: &'static str,
    ) -> Diagnostic {
        let detail = if text.is_empty() { "The condition does not hold.".to_owned() } else { text };
        let mut problem = Place::of(&condition.expression).error(code, title, detail);
        problem.values = self.values_in(condition, at);
        problem
    }

    /// Holds a variable against its module's conditions. Terraform tells of all that fail, OpenTofu of the first in
    /// an instance.
    pub(super) fn validation(&mut self, module: usize, at: usize, node: NodeId) -> Outcome {
        let tree = self.tree();
        let mut diagnostics = Diagnostics::new();
        let variables = &tree.modules[module].config.variables;
        let Some((_, declared)) = variables.get_index(at).filter(|_| self.walk != Walk::Static) else {
            return done(diagnostics);
        };
        let prepared = self.prepared(node);
        let value_place = self.place_of_value(module, at);
        for instance in 0..self.instances(module).len() {
            if !self.may_go_on(&mut diagnostics) {
                break;
            }
            let place = At { condition_of: Some(at), ..At::plain(module, instance) };
            for pair in prepared.parts.chunks_exact(2) {
                let [condition, message] = pair else { continue };
                if self.evaluation.stopped() {
                    return done(diagnostics);
                }
                let verdict = self.verdict(condition, message, place, About::Variable, &mut diagnostics);
                let failure = match verdict {
                    Verdict::Fails(text) => text,
                    Verdict::NoMessage if tree.release.is_tofu() => String::new(),
                    Verdict::Error if tree.release.is_tofu() => break,
                    _ => continue,
                };
                let shown = value_place.as_ref().unwrap_or(&declared.place);
                let mut problem = invalid(declared, &failure, &condition.expression, shown);
                // Releases that show a condition the bare value would show it to the reader, too.
                if !declared.is_sensitive() || tree.release.validates_with_marks() {
                    problem.values = self.values_in(condition, place);
                }
                diagnostics.push(problem);
                if tree.release.is_tofu() {
                    break;
                }
            }
        }
        done(diagnostics)
    }

    /// The place where the value of a variable is written: in a file of values, or as the argument of a call. There
    /// is none for OpenTofu, which complains at the declaration.
    fn place_of_value(&self, module: usize, at: usize) -> Option<Place> {
        let tree = self.tree();
        if tree.release.is_tofu() {
            return None;
        }
        match tree.modules[module].parent {
            None => self.configuration.inputs.value(at).and_then(|(_, place)| place.cloned()),
            Some((parent, call)) => {
                let (name, _) = tree.modules[module].config.variables.get_index(at)?;
                let (_, call) = tree.modules[parent].config.calls.get_index(call)?;
                call.arguments.get(name).map(|argument| argument.place.clone())
            }
        }
    }
}

/// The outcome of a node of conditions, which has no values.
fn done(diagnostics: Diagnostics) -> Outcome {
    let state = if has_errors(&diagnostics) { State::Failed } else { State::Good };
    Outcome { state, diagnostics, ..Outcome::default() }
}

/// The complaint about a condition that does not hold. The detail begins with what the module itself says.
fn invalid(declared: &Variable, text: &str, condition: &ConfigExpression, place: &Place) -> Diagnostic {
    let at = Place::of(condition).range();
    let end = if text.is_empty() { "" } else { "\n" };
    let detail = format!("{text}{end}The condition of var.{} at {at} does not hold.", declared.name);
    place.error("module.variable.validation", "Invalid value for variable", detail)
}

/// The complaint about a message that can't be made.
fn no_message(made: &Message, message: &Part) -> Diagnostic {
    let detail = match made {
        Message::NotKnown => "The message is made of something that is not known.".to_owned(),
        Message::Null => "The message is null. It is a text.".to_owned(),
        Message::NoText(why) => format!("The message is no text: {why}."),
        _ => "The message can't be made, because its expression is in error.".to_owned(),
    };
    Place::of(&message.expression).error("module.message", "Invalid error message", detail)
}

/// The complaint about a message that would show a mark; for an output or a resource only a warning.
fn hidden_message(kind: &str, message: &Part, about: About) -> Diagnostic {
    let title = format!("Error message refers to {kind} values");
    let detail = format!("The message would show something that is {kind}, so it is not shown.");
    let place = Place::of(&message.expression);
    match about {
        About::Variable => place.error("module.message", title, detail),
        About::Result => place.warning("module.message", title, detail),
    }
}
