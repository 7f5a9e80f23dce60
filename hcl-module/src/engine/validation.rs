//! Conditions: `validation` blocks of variables, and what preconditions have in common with them.

use hcl_eval::convert::convert;
use hcl_eval::types::Type;
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
    /// It does not, and this is the message if there is one to show.
    Fails(Option<String>),
    /// It can't be said, because the condition is in error.
    Error,
    /// It does not hold, and the message can't be made.
    NoMessage,
}

/// What a condition is about: the products say different things of what is wrong.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum About {
    Variable,
    /// An output or a resource.
    Result,
}

impl Engine<'_> {
    /// Looks at a condition, and if it does not hold at the message. What is wrong with either is told.
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
        if failed {
            return Verdict::Error;
        }
        let title = match about {
            About::Variable => "Invalid variable validation result",
            About::Result => "Invalid condition result",
        };
        let refused = |detail: &str| {
            let detail = format!("A condition is true or false: {detail}.");
            Place::of(&condition.expression).error("module.condition.result", title, detail)
        };
        let (plain, _) = value.unmark_deep();
        let verdict = match convert(&plain, &Type::Bool) {
            Ok(value) if value.is_null() => Err(refused("it is null")),
            Ok(value) => Ok(value.as_bool()),
            Err(error) => Err(refused(&error.detail())),
        };
        match verdict {
            Err(problem) => {
                diagnostics.push(problem);
                Verdict::Error
            }
            Ok(Some(false)) => self.message(message, at, about, diagnostics),
            Ok(_) if self.walk == Walk::Validate => {
                let (_, problems) = self.value(message, at);
                diagnostics.extend(problems);
                Verdict::Holds
            }
            Ok(_) => Verdict::Holds,
        }
    }

    /// The text to show when a condition does not hold.
    fn message(
        &mut self,
        message: &Part,
        at: At<'_>,
        about: About,
        diagnostics: &mut Diagnostics,
    ) -> Verdict {
        let place = Place::of(&message.expression);
        let (value, problems) = self.value(message, at);
        let failed = has_errors(&problems);
        diagnostics.extend(problems);
        let is_tofu = self.tree().release.is_tofu();
        let no_message = |detail: String, diagnostics: &mut Diagnostics| {
            if !is_tofu {
                diagnostics.push(place.error("module.message", "Invalid error message", detail));
            }
            Verdict::NoMessage
        };
        if failed && about == About::Result {
            return Verdict::NoMessage;
        }
        if failed {
            return no_message(
                "The message can't be made, because its expression is in error.".to_owned(),
                diagnostics,
            );
        }
        let (plain, marks) = value.unmark_deep();
        if !plain.is_wholly_known() && about == About::Variable && !is_tofu {
            return no_message("The message is made of something that is not known.".to_owned(), diagnostics);
        }
        for kind in ["sensitive", "ephemeral"] {
            if marks.contains_name(kind) {
                let title = format!("Error message refers to {kind} values");
                let detail = format!("The message would show something that is {kind}, so it is not shown.");
                diagnostics.push(match about {
                    About::Variable => place.error("module.message", title, detail),
                    About::Result => place.warning("module.message", title, detail),
                });
                return Verdict::Fails(None);
            }
        }
        match convert(&plain, &Type::String) {
            Ok(value) if value.is_null() && about == About::Result => {
                no_message("The message is null. It is a text.".to_owned(), diagnostics)
            }
            Ok(value) => Verdict::Fails(value.as_str().map(|text| text.trim().to_owned())),
            Err(error) => {
                let refused = no_message(format!("The message is no text: {}.", error.detail()), diagnostics);
                if about == About::Variable { Verdict::Fails(None) } else { refused }
            }
        }
    }

    /// Holds a variable against its module's conditions.
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
            let place = At { condition_of: Some(at), ..At::plain(module, instance) };
            for pair in prepared.parts.chunks_exact(2) {
                let [condition, message] = pair else { continue };
                let verdict = self.verdict(condition, message, place, About::Variable, &mut diagnostics);
                let failure = match verdict {
                    Verdict::Fails(text) => text,
                    Verdict::NoMessage if tree.release.is_tofu() => None,
                    Verdict::Error if tree.release.is_tofu() => break,
                    _ => continue,
                };
                let shown = value_place.as_ref().unwrap_or(&declared.place);
                diagnostics.push(invalid(declared, failure, shown));
                if tree.release.is_tofu() {
                    break;
                }
            }
        }
        done(diagnostics)
    }

    /// Where the value of a variable is written, if it is in a file.
    fn place_of_value(&self, module: usize, at: usize) -> Option<Place> {
        let tree = self.tree();
        if tree.release.is_tofu() {
            return None;
        }
        match tree.modules[module].parent {
            None => self.world.inputs.value(at).and_then(|(_, place)| place.cloned()),
            Some((parent, call)) => {
                let (name, _) = tree.modules[module].config.variables.get_index(at)?;
                let (_, call) = tree.modules[parent].config.calls.get_index(call)?;
                call.arguments.get(name).map(|argument| argument.place.clone())
            }
        }
    }
}

fn done(diagnostics: Diagnostics) -> Outcome {
    let state = if has_errors(&diagnostics) { State::Failed } else { State::Good };
    Outcome { state, diagnostics, ..Outcome::default() }
}

/// The detail is what the module itself says.
fn invalid(declared: &Variable, text: Option<String>, place: &Place) -> Diagnostic {
    let detail = text
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| format!("A condition of the module on var.{} does not hold.", declared.name));
    place.error("module.variable.validation", "Invalid value for variable", detail)
}
