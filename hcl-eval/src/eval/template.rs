//! Templates: parts joined to one text.

use std::mem;

use hcl_syntax::ast::Literal;

use super::error;
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::report::Place;
use crate::Str;
use crate::convert::convert_within;
use crate::limits::LimitReached;
use crate::program::{List, Node, OpId};
use crate::text::ShortStr;
use crate::types::Type;
use crate::value::string::{STRETCH, normalize_within, normalized_elsewhere};
use crate::value::{Marks, Refinement, Repr, Value};

/// A known prefix of an unknown text is no longer than this.
const MAX_PREFIX: usize = 128;

/// From so many bytes on, with texts that wait for it, it is seen before each part whether a text may be as long.
const LONG: usize = 1 << 16;

/// A text that is being put together in the room for it, after others that wait for this one.
struct Text {
    start: usize,
    /// Nothing unknown has been met.
    known: bool,
    marks: Marks,
    /// How many diagnostics there were before.
    before: usize,
}

impl Evaluator<'_> {
    /// The text of a template of several parts.
    pub(super) fn template<'e>(&mut self, at: OpId, parts: List, env: Env<'e>) -> Flow<'e> {
        let start = self.meter.text.len();
        let mut text = Text { start, known: true, marks: Marks::EMPTY, before: self.diagnostics.len() };
        if !self.join(&mut text, at, parts, env) {
            self.meter.text.truncate(start);
            return Flow::dynamic();
        }
        let written = &self.meter.text[start..];
        if text.known
            && text.marks.is_empty()
            && let Some(short) = ShortStr::of_ascii(written)
        {
            self.meter.text.truncate(start);
            return Flow::Owned(Value(Repr::String(short.into())));
        }
        let value = self.finish(&text);
        self.meter.text.truncate(start);
        value.into()
    }

    /// Adds the parts to a text; whether nothing stopped that.
    fn join(&mut self, text: &mut Text, at: OpId, parts: List, env: Env<'_>) -> bool {
        let leaves_text = env.leaves_text();
        for &part in env.code().list(parts) {
            if self.append_literal(text, part, at, env) {
                continue;
            }
            if leaves_text && let Some(written) = self.left_as_text(env.written(part), env) {
                self.append_written(text, &written, at, env);
                continue;
            }
            let value = self.eval_seldom(part, env);
            if self.stopped() {
                return false;
            }
            self.append(text, &value, part, at, env);
        }
        let is_bounded = self.meter.bytes(self.meter.text.len() - text.start).is_ok();
        if !is_bounded {
            self.stopped_at(at, env);
        }
        is_bounded
    }

    /// Adds a part that is a literal, which takes no step; whether it is one.
    fn append_literal(&mut self, text: &Text, part: OpId, whole: OpId, env: Env<'_>) -> bool {
        if let Some(constant) = part.as_constant() {
            let constant = env.code().values.get(constant as usize).and_then(Value::as_str);
            self.append_written(text, constant.unwrap_or_default(), whole, env);
            return true;
        }
        let op = env.op(part);
        if op.cost > 0 || op.node != Node::Literal {
            return false;
        }
        let Some(Literal::Text(written)) = env.source(part).literal() else { return false };
        // As long as a constant, whose text is normalised, so that both cost the same.
        match written.is_ascii() {
            true => self.append_written(text, written, whole, env),
            false => {
                let written = self.normal_text(written).unwrap_or_default();
                self.append_written(text, &written, whole, env);
            }
        }
        true
    }

    /// Returns whether text that is appended will be seen.
    fn is_good(&self, text: &Text) -> bool {
        text.known && self.diagnostics.len() == text.before
    }

    fn append_written(&mut self, text: &Text, written: &str, whole: OpId, env: Env<'_>) {
        if self.is_good(text) {
            self.add_known(text, written, whole, env);
        }
    }

    fn add_known(&mut self, text: &Text, part: &str, whole: OpId, env: Env<'_>) {
        let end = self.meter.text.len() + part.len();
        match end < LONG && end <= self.meter.text.capacity() {
            true => self.meter.text.push_str(part),
            false => self.add_long(text, part, whole, env),
        }
    }

    /// Adds a part to a text.
    fn append(&mut self, text: &mut Text, value: &Value, part: OpId, whole: OpId, env: Env<'_>) {
        if self.is_good(text) {
            match &value.0 {
                Repr::String(part) => return self.add_known(text, part, whole, env),
                Repr::Number(number) if !number.is_long() => return number.write_text(&mut self.meter.text),
                Repr::Bool(value) => {
                    return self.meter.text.push_str(if *value { "true" } else { "false" });
                }
                _ => {}
            }
        }
        self.append_general(text, value, part, whole, env);
    }

    /// Adds a part with which the text is so long, or for which there is no room. A long text has to stay within the limit, which
    /// is charged for the whole in the end.
    #[cold] // Without it `directives_10` takes 1 % more instructions.
    fn add_long(&mut self, text: &Text, part: &str, whole: OpId, env: Env<'_>) {
        let max = self.meter.limits().max_output_bytes;
        let end = self.meter.text.len() + part.len();
        // The room that is left depends on earlier evaluations, and so must not decide.
        if self.meter.hold_text(part.len()).is_ok() && end >= LONG && (end - text.start) as u64 > max {
            self.meter.stop(LimitReached::OutputBytes(max));
        }
        self.push_text(part, whole, env);
    }

    fn append_general(&mut self, text: &mut Text, value: &Value, part: OpId, whole: OpId, env: Env<'_>) {
        let part = env.written(part);
        let place = Place::within(part.span(), env.source(whole).span());
        if value.is_null() {
            return self.report(error::template_null(), place, part, env);
        }
        text.marks.extend(value.marks());
        if !value.is_known() {
            text.known = false;
            return;
        }
        match convert_within(value.unmarked(), &Type::String, self.meter) {
            Ok(value) => {
                self.append_written(text, value.as_str().unwrap_or_default(), whole, env);
            }
            Err(_) if self.meter.stopped().is_some() => self.stopped_at(whole, env),
            Err(error) => self.report(error::template_type(&error.detail()), place, part, env),
        }
    }

    /// The text that was written from `start` on, as a value. If a limit is reached meanwhile, the meter knows.
    fn written(&mut self, start: usize) -> Value {
        let written = &self.meter.text[start..];
        if written.len() <= STRETCH {
            return Value::string_nfc(normalized_elsewhere(written));
        }
        let text = mem::take(&mut self.meter.text);
        let normal = normalize_within(&text[start..], &mut Some(&mut *self.meter));
        self.meter.text = text;
        normal.map_or_else(|_| Value::dynamic(), Value::string_nfc)
    }

    /// A written text as a value's. It is none if a limit is reached meanwhile, which the meter knows.
    pub(super) fn normal_text(&mut self, written: &str) -> Option<Str> {
        normalize_within(written, &mut Some(&mut *self.meter)).ok()
    }

    fn finish(&mut self, text: &Text) -> Value {
        if text.known && text.marks.is_empty() {
            return self.written(text.start);
        }
        let value = if text.known {
            self.written(text.start)
        } else {
            let written = &self.meter.text[text.start..];
            let mut refinement = Refinement::new().not_null();
            if self.diagnostics.len() == text.before && !written.is_empty() {
                refinement = refinement.prefix_of_first(written, MAX_PREFIX);
            }
            Value::unknown_refined(Type::String, refinement)
        };
        value.with_marks(&text.marks)
    }

    /// The joined results of a `for` directive.
    pub(super) fn template_for<'e>(&mut self, at: OpId, inner: OpId, env: Env<'e>) -> Flow<'e> {
        let Node::For(parts) = env.op(inner).node else { return Flow::dynamic() };
        let start = self.meter.text.len();
        let results = self.for_expression(inner, Some(at), parts, env);
        let flow = match (&results.unmarked().0, results.elements()) {
            (Repr::String(_), _) => self.join_results(start, &[], results.marks(), at, env),
            (_, Some(elements)) => self.join_results(start, elements, results.marks(), at, env),
            _ => Flow::unknown(Type::String).with_marks(results.marks()),
        };
        self.meter.text.truncate(start);
        flow
    }

    /// Appends a text; whether nothing stopped that.
    pub(super) fn push_text(&mut self, text: &str, at: OpId, env: Env<'_>) -> bool {
        let goes_on = self.meter.push_text(text).is_ok();
        if !goes_on {
            self.stopped_at(at, env);
        }
        goes_on
    }

    fn join_results<'e>(
        &mut self,
        start: usize,
        elements: &[Value],
        marks: &Marks,
        at: OpId,
        env: Env<'e>,
    ) -> Flow<'e> {
        let expression = env.source(at);
        let mut marks = marks.clone();
        for value in elements {
            if let Repr::String(part) = &value.0 {
                if !self.push_text(part, at, env) {
                    return Flow::dynamic();
                }
                continue;
            }
            if value.is_null() {
                self.report(error::template_null(), Place::at(expression.span()), expression, env);
                continue;
            }
            if value.is_dynamic_unknown() {
                return self.unknown_join(elements, &marks, at, env);
            }
            match convert_within(value, &Type::String, self.meter) {
                Err(_) if self.meter.stopped().is_some() => {
                    self.stopped_at(at, env);
                    return Flow::dynamic();
                }
                Err(error) => {
                    let problem = error::template_type(&error.detail());
                    self.report(problem, Place::at(expression.span()), expression, env);
                }
                Ok(part) if !part.is_known() => return self.unknown_join(elements, &marks, at, env),
                Ok(part) => {
                    marks.extend(part.marks());
                    if !self.push_text(part.as_str().unwrap_or_default(), at, env) {
                        return Flow::dynamic();
                    }
                }
            }
        }
        if self.meter.bytes(self.meter.text.len() - start).is_err() {
            self.stopped_at(at, env);
            return Flow::dynamic();
        }
        Flow::Owned(self.written(start).with_marks(&marks))
    }

    /// An unknown text made of these parts, some of which are unknown.
    fn unknown_join<'e>(&mut self, parts: &[Value], marks: &Marks, at: OpId, env: Env<'e>) -> Flow<'e> {
        let mut marks = marks.clone();
        for part in parts {
            if self.meter.go_on(1).is_err() {
                self.stopped_at(at, env);
                return Flow::dynamic();
            }
            marks.extend(part.marks());
        }
        Flow::unknown(Type::String).with_marks(&marks)
    }
}
