//! The values of variables: what is given or the default, brought to the type, marked.

use hcl_eval::Value;
use hcl_eval::types::TypeConstraint;
use hcl_eval::value::Mark;
use hcl_syntax::config::push_within;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};

use super::expression::Place as At;
use super::{Engine, Outcome, State, Walk};
use crate::declare::{Variable, ignored_attributes};
use crate::place::Place;
use crate::tree::NodeId;

/// A value on its way to a variable, and where it is written, if that is a place to complain at.
struct Given<'g> {
    /// The value before conversion.
    value: Value,
    /// The argument of a call, or the line of a file of variables.
    place: Option<&'g Place>,
}

impl Engine<'_> {
    /// The value of a variable in every instance. In an instance whose argument is in error it is unknown; the other
    /// instances are evaluated all the same.
    pub(super) fn variable(&mut self, module: usize, at: usize, node: NodeId) -> Outcome {
        let tree = self.tree();
        let Some((name, declared)) = tree.modules[module].config.variables.get_index(at) else {
            return outcome(Vec::new(), Diagnostics::new());
        };
        let mut diagnostics = Diagnostics::new();
        let Some((parent, call)) = tree.modules[module].parent else {
            let value = self.root_variable(at, declared, &mut diagnostics);
            return outcome(vec![value], diagnostics);
        };
        let argument =
            tree.modules[parent].config.calls.get_index(call).and_then(|(_, call)| call.arguments.get(name));
        let prepared = self.prepared(node);
        if let Some(part) = prepared.parts.first()
            && self.walk != Walk::Static
            && tree.release.tells_ignored_attributes()
        {
            let written = part.expression.syntax();
            diagnostics.extend(ignored_attributes(written.expression(), declared));
        }
        let mut values = Vec::new();
        for instance in self.instances(module).iter() {
            let value = match (prepared.parts.first(), argument) {
                (Some(part), Some(argument)) => {
                    let place = At { each: instance.each.as_ref(), ..At::plain(parent, instance.parent) };
                    let (value, problems) = self.value(part, place);
                    let failed = has_errors(&problems);
                    diagnostics.extend(problems);
                    if failed {
                        declared.unknown()
                    } else {
                        diagnostics.extend(self.deprecated_argument(declared, &value, &argument.place));
                        let given = Given { value, place: Some(&argument.place) };
                        self.fitted(declared, Some(given), &mut diagnostics)
                    }
                }
                _ => self.fitted(declared, None, &mut diagnostics),
            };
            if !push_within(&mut values, value, self.evaluation.bounds()) || !self.may_go_on(&mut diagnostics)
            {
                break;
            }
        }
        outcome(values, diagnostics)
    }

    /// The value of a variable of the root. Which walk sees it differs: to validate, none; before the tree is whole,
    /// those that are constant, or all in OpenTofu.
    fn root_variable(&mut self, at: usize, declared: &Variable, diagnostics: &mut Diagnostics) -> Value {
        let is_seen = match self.walk {
            Walk::Console => true,
            Walk::Validate => false,
            Walk::Static => self.tree().release.is_tofu() || declared.constant == Some(true),
        };
        if !is_seen {
            if self.walk == Walk::Validate
                && let Err(problem) = self.default_of(declared)
            {
                diagnostics.extend(problem);
            }
            return marked(declared.unknown(), declared);
        }
        let given = self.configuration.inputs.value(at);
        if self.walk == Walk::Console
            && !self.tree().release.is_tofu()
            && let (Some((text, place)), Some((value, _))) = (&declared.deprecated, &given)
            && !value.is_null()
        {
            diagnostics.push(deprecated(declared, text, place));
        }
        let given = given.map(|(value, place)| Given { value: value.clone(), place });
        self.fitted(declared, given, diagnostics)
    }

    /// The warning about an argument for a variable that is not to be used any more.
    fn deprecated_argument(&self, declared: &Variable, value: &Value, place: &Place) -> Option<Diagnostic> {
        let (text, _) = declared.deprecated.as_ref().filter(|_| !value.is_null())?;
        Some(match self.tree().release.is_tofu() {
            true => place.warning(
                "module.deprecated",
                "Variable marked as deprecated by the module author",
                format!("The variable \"{}\" is not to be used any more: {text}", declared.name),
            ),
            false => deprecated(declared, text, place),
        })
    }

    /// The value that is given, or the default, brought to the type and marked. Null means the default if the variable
    /// is declared with `nullable = false`.
    fn fitted(
        &mut self,
        declared: &Variable,
        given: Option<Given<'_>>,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let default = match self.default_of(declared) {
            Ok(default) => default,
            Err(problem) => {
                diagnostics.extend(problem);
                return marked(declared.unknown(), declared);
            }
        };
        let given = match given {
            Some(given) if given.value.is_null() && !declared.is_nullable() => match &default {
                Some(_) => None,
                None => {
                    let place = given.place.unwrap_or(&declared.place);
                    diagnostics.push(null_not_allowed(declared, place));
                    return marked(declared.unknown(), declared);
                }
            },
            given => given,
        };
        let default = default.map(|value| Given { value, place: None });
        let Some(given) = given.or(default) else { return marked(declared.unknown(), declared) };
        // The line of a sensitive value would show it. OpenTofu complains at the declaration, wherever the value is from.
        let is_shown = !declared.is_sensitive() && !self.tree().release.is_tofu();
        let shown = given.place.filter(|_| is_shown);
        let at = Some(given.place.unwrap_or(&declared.place).in_source());
        let value = match &declared.constraint {
            None => given.value,
            Some(constraint) => match self.evaluation.fit(&given.value, constraint, at) {
                Err(limit) => {
                    diagnostics.extend(limit);
                    declared.unknown()
                }
                Ok(Ok(value)) => value,
                Ok(Err(problem)) => {
                    let path =
                        if declared.is_sensitive() { String::new() } else { problem.path.to_short_text() };
                    diagnostics.push(unsuitable(declared, &path, &problem.reason(), shown));
                    declared.unknown()
                }
            },
        };
        if value.marks_deep().contains_name("ephemeral") && !declared.is_ephemeral() {
            let place = given.place.unwrap_or(&declared.place);
            diagnostics.push(self.ephemeral_not_allowed(declared, place));
        }
        marked(value, declared)
    }

    /// The default in the type. Where that has `any` in it, parts of the default may have become of different types there.
    fn default_of(&mut self, declared: &Variable) -> Result<Option<Value>, Diagnostics> {
        let (Some(value), Some(constraint)) = (&declared.default, &declared.constraint) else {
            return Ok(declared.default.clone());
        };
        if !constraint.ty.has_dynamic() {
            return Ok(Some(value.clone()));
        }
        let ty = TypeConstraint { ty: constraint.ty.clone(), defaults: None };
        match self.evaluation.fit(value, &ty, Some(declared.place.in_source()))? {
            Ok(value) => Ok(Some(value)),
            Err(problem) => Err(vec![mixed_default(declared, &problem.reason())]),
        }
    }

    /// The complaint about an ephemeral value of a variable that is not declared so.
    fn ephemeral_not_allowed(&self, declared: &Variable, place: &Place) -> Diagnostic {
        let title = match self.tree().release.is_tofu() {
            true => "Variable does not allow ephemeral value",
            false => "Ephemeral value not allowed",
        };
        let detail = format!(
            "The value is ephemeral, and var.{name} is not. Declare the variable with ephemeral = true, or give another \
             value.",
            name = declared.name
        );
        place.error("module.variable.ephemeral", title.to_owned(), detail)
    }
}

fn outcome(values: Vec<Value>, diagnostics: Diagnostics) -> Outcome {
    let state = if has_errors(&diagnostics) { State::Failed } else { State::Good };
    Outcome { state, values, diagnostics, ..Outcome::default() }
}

/// The value with the marks of the declaration.
pub(super) fn marked(value: Value, declared: &Variable) -> Value {
    let value = if declared.is_sensitive() { value.mark(Mark::sensitive()) } else { value };
    if declared.is_ephemeral() { value.mark(Mark::ephemeral()) } else { value }
}

/// Terraform's warning about a variable that is not to be used any more and got a value.
fn deprecated(declared: &Variable, text: &str, place: &Place) -> Diagnostic {
    let detail = format!("The variable \"{}\" is not to be used any more: {text}", declared.name);
    place.warning("module.deprecated", "Deprecated variable got a value", detail)
}

/// The complaint about null for a variable that takes none and has no default.
fn null_not_allowed(declared: &Variable, place: &Place) -> Diagnostic {
    let detail = format!(
        "The value of var.{} is null, but the variable is declared with nullable = false and has no default. Give it \
         another value.",
        declared.name
    );
    place.error("module.variable.required", "Required variable not set", detail)
}

/// The complaint about a default that fits the type, and whose result does not.
fn mixed_default(declared: &Variable, problem: &str) -> Diagnostic {
    let detail = format!(
        "Where the type of var.{} says any, parts of the default have different types: {problem}. Give them one type, or \
         write a type instead of any.",
        declared.name
    );
    declared.place.error("module.variable.mixed_default", "Invalid default value for module argument", detail)
}

/// The complaint about a value that does not fit the type, at the value if that is shown, else at the declaration. `path` leads
/// to the part of it that does not fit.
fn unsuitable(declared: &Variable, path: &str, problem: &str, shown: Option<&Place>) -> Diagnostic {
    let (value, place) = match shown {
        Some(place) => ("value of", place),
        None => ("value that was given for", &declared.place),
    };
    let detail = format!("The {value} var.{}{path} does not fit the type: {problem}.", declared.name);
    place.error("module.variable.unsuitable", "Invalid value for input variable", detail)
}
