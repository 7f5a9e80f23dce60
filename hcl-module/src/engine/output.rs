//! Outputs: preconditions, the value, its type, and what must not leave the module unseen.
//!
//! Preconditions come first; an output with one that fails is not evaluated. The value is then brought to the type,
//! if one is declared (Terraform from 1.15 on), checked for marks that the output does not declare, and marked as
//! declared.

use hcl_eval::Value;
use hcl_eval::value::Mark;
use hcl_syntax::config::push_within;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};

use super::expression::Place as At;
use super::validation::{About, Verdict};
use super::{Engine, Outcome, State, Walk};
use crate::declare::Output;
use crate::place::Place;
use crate::tree::NodeId;

impl Engine<'_> {
    /// The value of an output in every instance.
    pub(super) fn output(&mut self, module: usize, at: usize, node: NodeId) -> Outcome {
        let tree = self.tree();
        let mut diagnostics = Diagnostics::new();
        let mut values = Vec::new();
        let is_root = tree.modules[module].parent.is_none();
        if let Some((_, declared)) = tree.modules[module].config.outputs.get_index(at) {
            if is_root {
                self.check_root_output(declared, &mut diagnostics);
            }
            for instance in 0..self.instances(module).len() {
                let place = At::plain(module, instance);
                let value = self.output_of_instance(declared, node, place, &mut diagnostics);
                if !push_within(&mut values, value, self.evaluation.bounds())
                    || !self.may_go_on(&mut diagnostics)
                {
                    break;
                }
            }
        }
        let state = if has_errors(&diagnostics) { State::Failed } else { State::Good };
        // An output in error has no value in any instance.
        let values = if state == State::Good { values } else { Vec::new() };
        Outcome { state, values, diagnostics, ..Outcome::default() }
    }

    /// Reports values that an output of the root can't have.
    fn check_root_output(&self, declared: &Output, diagnostics: &mut Diagnostics) {
        let is_tofu = self.tree().release.is_tofu();
        if declared.is_ephemeral() {
            let title = if is_tofu { "Invalid output configuration" } else { "Ephemeral output not allowed" };
            let detail = "The outputs of the root are kept, so none of them can be ephemeral.".to_owned();
            diagnostics.push(declared.place.error("module.output.root", title.to_owned(), detail));
        }
        if let (Some((_, place)), false) = (&declared.deprecated, is_tofu) {
            let detail = "Nobody calls the root, so there is nobody to tell that an output is not to be used any more.";
            diagnostics.push(place.error(
                "module.output.root",
                "Root module output deprecated",
                detail.to_owned(),
            ));
        }
    }

    /// The value in one instance. It is dynamic if there is none; the diagnostics then say why.
    fn output_of_instance(
        &mut self,
        declared: &Output,
        node: NodeId,
        place: At<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let prepared = self.prepared(node);
        let (value_parts, rules) = prepared.parts.split_at(usize::from(declared.value.is_some()));
        let mut holds = true;
        for pair in rules.chunks_exact(2) {
            let [condition, message] = pair else { continue };
            if self.evaluation.stopped() {
                break;
            }
            let verdict = self.verdict(condition, message, place, About::Result, diagnostics);
            holds &= matches!(verdict, Verdict::Holds);
            if let Verdict::Fails(text) = verdict {
                let (code, title) = ("module.output.precondition", "Module output value precondition failed");
                diagnostics.push(self.broken(condition, text, place, code, title));
            }
        }
        let Some(part) = value_parts.first().filter(|_| holds) else { return Value::dynamic() };
        let (value, problems) = self.value(part, place);
        let failed = has_errors(&problems);
        diagnostics.extend(problems);
        if failed {
            return Value::dynamic();
        }
        let value = self.typed(declared, value, diagnostics);
        self.check_marks(declared, &value, place.module, diagnostics);
        let value = match declared.is_sensitive() && self.tree().release.marks_sensitive_outputs() {
            true => value.mark(Mark::sensitive()),
            false => value,
        };
        if declared.is_ephemeral() { value.mark(Mark::ephemeral()) } else { value }
    }

    /// Reports marks that the output does not declare. Sensitive values are refused by the root alone: further in,
    /// the mark stays with the value, and nothing else is told of the root's. Ephemeral values are refused by every module.
    fn check_marks(&self, declared: &Output, value: &Value, module: usize, diagnostics: &mut Diagnostics) {
        if self.walk == Walk::Static {
            return;
        }
        let release = self.tree().release;
        let is_root = self.tree().modules[module].parent.is_none();
        let marks = value.marks_deep();
        let at_value = declared.value.as_ref().map_or_else(|| declared.place.clone(), Place::of);
        if is_root && marks.contains_name("sensitive") && !declared.is_sensitive() {
            let detail = format!(
                "The value of the output \"{}\" is sensitive or made of something that is. Say so with sensitive = true.",
                declared.name
            );
            let title = "Output refers to sensitive values";
            return diagnostics.push(declared.place.error("module.output.marks", title, detail));
        }
        if marks.contains_name("ephemeral") && !declared.is_ephemeral() {
            let title = match release.is_tofu() {
                true => "Output does not allow ephemeral value",
                false => "Ephemeral value not allowed",
            };
            let detail = "The value is ephemeral. Say so with ephemeral = true.".to_owned();
            diagnostics.push(at_value.error("module.output.marks", title.to_owned(), detail));
        }
        let is_ephemeral = value.marks().contains_name("ephemeral");
        if declared.is_ephemeral() && !is_ephemeral && release.wants_ephemeral_outputs() {
            let title = "Value not allowed in ephemeral output";
            let detail = "An output that is declared ephemeral takes ephemeral values only.".to_owned();
            diagnostics.push(at_value.error("module.output.marks", title, detail));
        }
    }

    /// The value brought to the type of the output.
    fn typed(&mut self, declared: &Output, value: Value, diagnostics: &mut Diagnostics) -> Value {
        let Some(constraint) = &declared.constraint else { return value };
        let place = declared.value.as_ref().map_or_else(|| declared.place.clone(), Place::of);
        match self.evaluation.fit(&value, constraint, Some(place.in_source())) {
            Ok(Ok(value)) => return value,
            Err(limit) => diagnostics.extend(limit),
            Ok(Err(problem)) => {
                let detail = format!(
                    "The value of the output \"{}{}\" does not fit the type: {}.",
                    declared.name,
                    problem.path.to_short_text(),
                    problem.reason()
                );
                diagnostics.push(place.error("module.output.unsuitable", "Invalid output value", detail));
            }
        }
        Value::unknown(constraint.ty.without_optional())
    }
}
