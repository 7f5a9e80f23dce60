//! Templates: parts joined to one text.

use hcl_syntax::ast::{Expression, ExpressionKind, ExpressionList};

use super::error;
use super::evaluator::{Evaluator, Place};
use super::flow::Flow;
use super::locals::Locals;
use crate::convert::convert;
use crate::limits::LimitReached;
use crate::program::Note;
use crate::text::ShortStr;
use crate::types::Type;
use crate::value::{Marks, Refinement, Repr, Value};

/// A known prefix of an unknown text is no longer than this.
const MAX_PREFIX: usize = 128;

/// Before so many bytes are added it is seen whether they may be.
const WORTH_A_LOOK: usize = 1 << 16;

/// A text that is being put together in the room for it, after others that wait for this one.
struct Text {
    start: usize,
    /// Nothing unknown has been met.
    known: bool,
    marks: Marks,
    /// How many diagnostics there were before.
    before: usize,
}

impl<'a> Evaluator<'a> {
    /// The text of a template of several parts.
    #[inline(never)]
    pub(super) fn template<'e>(
        &mut self,
        expression: Expression<'e>,
        parts: ExpressionList<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        let start = self.meter.text.len();
        let mut text = Text { start, known: true, marks: Marks::EMPTY, before: self.diagnostics.len() };
        if !self.join(&mut text, expression, parts, locals) {
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
    fn join<'e>(
        &mut self,
        text: &mut Text,
        expression: Expression<'e>,
        parts: ExpressionList<'e>,
        locals: Locals<'e>,
    ) -> bool
    where
        'a: 'e,
    {
        let leaves_text = self.leaves_text();
        for part in parts.iter() {
            let note = self.note(part);
            let mut room = Value::FALSE;
            let value = if let (Some(notes), Note::Constant(index)) = (self.given.notes, note)
                && let Some(value) = notes.constant(*index)
            {
                value
            } else {
                if self.given.notes.is_none()
                    && let ExpressionKind::Text(literal) = part.kind()
                {
                    self.append_written(text, literal);
                    continue;
                }
                if leaves_text && let Some(written) = self.left_as_text(part, locals) {
                    self.append_written(text, &written);
                    continue;
                }
                let value = self.look_at(part, locals, &mut room);
                if self.stopped() {
                    return false;
                }
                value
            };
            self.append(text, value, part, expression, locals);
            room.discard();
        }
        if let Err(limit) = self.meter.bytes(self.meter.text.len() - text.start) {
            self.note_stop(expression, limit);
            return false;
        }
        true
    }

    /// Whether what is appended will be seen.
    #[inline]
    fn is_good(&self, text: &Text) -> bool {
        text.known && self.diagnostics.len() == text.before
    }

    fn append_written(&mut self, text: &Text, written: &str) {
        if self.is_good(text) {
            self.meter.text.push_str(written);
        }
    }

    /// Adds a part to a text.
    #[inline]
    fn append<'e>(
        &mut self,
        text: &mut Text,
        value: &Value,
        part: Expression<'e>,
        whole: Expression<'e>,
        locals: Locals<'e>,
    ) where
        'a: 'e,
    {
        if self.is_good(text) {
            match &value.0 {
                Repr::String(part) => {
                    if part.len() < WORTH_A_LOOK || self.has_room(text, part.len(), whole) {
                        self.meter.text.push_str(part);
                    }
                    return;
                }
                Repr::Number(number) if !number.is_long() => return number.write_text(&mut self.meter.text),
                Repr::Bool(value) => {
                    return self.meter.text.push_str(if *value { "true" } else { "false" });
                }
                _ => {}
            }
        }
        self.append_general(text, value, part, whole, locals);
    }

    /// Whether so many bytes more stay within the limit, which is charged for the whole text in the end.
    #[cold]
    fn has_room(&mut self, text: &Text, more: usize, whole: Expression<'_>) -> bool {
        let max = self.meter.limits().max_output_bytes;
        if (self.meter.text.len() - text.start + more) as u64 <= max {
            return true;
        }
        let limit = self.meter.stop(LimitReached::OutputBytes(max));
        self.note_stop(whole, limit);
        false
    }

    #[inline(never)]
    fn append_general<'e>(
        &mut self,
        text: &mut Text,
        value: &Value,
        part: Expression<'e>,
        whole: Expression<'e>,
        locals: Locals<'e>,
    ) where
        'a: 'e,
    {
        let place = Place::within(part.span(), whole.span());
        if value.is_null() {
            return self.report(error::template_null(), place, part, locals);
        }
        text.marks.extend(value.marks());
        if !value.is_known() {
            text.known = false;
            return;
        }
        match convert(value.unmarked(), &Type::String) {
            Ok(value) => {
                self.append_written(text, value.as_str().unwrap_or_default());
            }
            Err(error) => self.report(error::template_type(&error.detail()), place, part, locals),
        }
    }

    fn finish(&self, text: &Text) -> Value {
        let written = &self.meter.text[text.start..];
        if text.known && text.marks.is_empty() {
            return Value::string(written);
        }
        let value = if text.known {
            Value::string(written)
        } else {
            let mut refinement = Refinement::new().not_null();
            if self.diagnostics.len() == text.before && !written.is_empty() {
                refinement = refinement.prefix(cut(written, MAX_PREFIX));
            }
            Value::unknown_refined(Type::String, refinement)
        };
        value.with_marks(&text.marks)
    }

    /// The joined results of a `for` directive.
    #[inline(never)]
    pub(super) fn template_for<'e>(
        &mut self,
        expression: Expression<'e>,
        inner: Expression<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        let ExpressionKind::For(for_expression) = inner.kind() else { return Flow::dynamic() };
        let results = self.for_expression(inner, for_expression, locals);
        let Some(elements) = results.elements() else {
            return Flow::unknown(Type::String).with_marks(results.marks());
        };
        let start = self.meter.text.len();
        let flow = self.join_results(start, elements, results.marks(), expression, locals);
        self.meter.text.truncate(start);
        flow
    }

    fn join_results<'e>(
        &mut self,
        start: usize,
        elements: &[Value],
        marks: &Marks,
        expression: Expression<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        let mut marks = marks.clone();
        for value in elements {
            if let Repr::String(part) = &value.0 {
                self.meter.text.push_str(part);
                continue;
            }
            if value.is_null() {
                self.report(error::template_null(), Place::at(expression.span()), expression, locals);
                continue;
            }
            if value.is_dynamic_unknown() {
                return Self::unknown_join(elements, &marks);
            }
            match convert(value, &Type::String) {
                Err(error) => {
                    let problem = error::template_type(&error.detail());
                    self.report(problem, Place::at(expression.span()), expression, locals);
                }
                Ok(part) if !part.is_known() => return Self::unknown_join(elements, &marks),
                Ok(part) => {
                    marks.extend(part.marks());
                    self.meter.text.push_str(part.as_str().unwrap_or_default());
                }
            }
        }
        if let Err(limit) = self.meter.bytes(self.meter.text.len() - start) {
            self.note_stop(expression, limit);
        }
        Flow::Owned(Value::string(&self.meter.text[start..]).with_marks(&marks))
    }

    /// An unknown text made of these parts, some of which are unknown.
    fn unknown_join<'e>(parts: &[Value], marks: &Marks) -> Flow<'e> {
        let mut marks = marks.clone();
        for part in parts {
            marks.extend(part.marks());
        }
        Flow::unknown(Type::String).with_marks(&marks)
    }
}

/// The beginning of a text, at most `max` bytes.
fn cut(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}
