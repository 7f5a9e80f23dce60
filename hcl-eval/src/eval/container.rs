//! Tuple and object constructors.

use hcl_syntax::ast::{Expression, ExpressionList, ObjectItem, ObjectItems, ObjectRules};

use super::error;
use super::evaluator::{Evaluator, Place};
use super::flow::Flow;
use super::locals::Locals;
use super::observe::Observer;
use crate::Str;
use crate::convert::convert;
use crate::program::{Layout, Note};
use crate::types::Type;
use crate::value::{Marks, Repr, Value};

/// A key that has been evaluated.
enum Key {
    Known(Str),
    /// Unknown, or reported.
    Missing,
}

impl<'a, O: Observer> Evaluator<'a, O> {
    /// The value of `[a, b]`.
    #[inline(never)]
    pub(super) fn tuple<'e>(
        &mut self,
        expression: Expression<'e>,
        elements: ExpressionList<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        if let Err(limit) = self.meter.elements(elements.len()) {
            self.note_stop(expression, limit);
            return Flow::dynamic();
        }
        let mut values = Vec::with_capacity(elements.len());
        for element in elements.iter() {
            values.push(self.eval(element, locals).into_owned());
            if self.stopped() {
                return Flow::dynamic();
            }
        }
        Value::tuple(values).into()
    }

    /// The value of `{k = v}`.
    #[inline(never)]
    pub(super) fn object<'e>(
        &mut self,
        expression: Expression<'e>,
        items: ObjectItems<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        if let Err(limit) = self.meter.elements(items.len()) {
            self.note_stop(expression, limit);
            return Flow::dynamic();
        }
        if items.rules() == ObjectRules::Json {
            return self.json_object(items, locals);
        }
        if let (Some(notes), Note::Layout(index)) = (self.given.notes, self.note(expression)) {
            return self.object_of_layout(&notes.layouts[*index as usize], items, locals);
        }
        let mut entries = Vec::with_capacity(items.len());
        let mut marks = Marks::EMPTY;
        let mut known = true;
        for item in items.iter() {
            if let Some(name) = item.key_name() {
                let value = self.eval(item.value, locals).into_owned();
                entries.push((Str::new(name), value));
            } else {
                let (key, value) = self.item(item, &mut marks, locals);
                match key {
                    Key::Known(key) => entries.push((key, value.into_owned())),
                    Key::Missing => known = false,
                }
            }
            if self.stopped() {
                return Flow::dynamic();
            }
        }
        let value = if known { Value::object(entries) } else { Value::dynamic() };
        Flow::Owned(value.with_marks(&marks))
    }

    fn object_of_layout<'e>(
        &mut self,
        layout: &Layout,
        items: ObjectItems<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        let mut values = vec![Value::FALSE; layout.shape.len()];
        for (item, &position) in items.iter().zip(&layout.positions) {
            values[position as usize] = self.eval(item.value, locals).into_owned();
            if self.stopped() {
                return Flow::dynamic();
            }
        }
        Value::object_with_shape(layout.shape.clone(), values).into()
    }

    /// The key and the value of an item whose key is an expression.
    fn item<'e>(&mut self, item: ObjectItem<'e>, marks: &mut Marks, locals: Locals<'e>) -> (Key, Flow<'e>)
    where
        'a: 'e,
    {
        let before = self.diagnostics.len();
        if item.key.as_static_traversal().is_some() {
            let problem = error::ambiguous_key(item.key.source_text());
            self.report(problem, Place::at(item.key.span()), item.key, locals);
            return (Key::Missing, self.eval(item.value, locals));
        }
        let key = self.eval(item.key, locals);
        let key_failed = self.diagnostics.len() > before;
        let value = self.eval(item.value, locals);
        if key_failed {
            return (Key::Missing, value);
        }
        if let Repr::String(key) = &key.0 {
            return (Key::Known(key.clone()), value);
        }
        if key.is_null() {
            self.report(error::null_key(), Place::at(item.value.span()), item.key, locals);
            return (Key::Missing, value);
        }
        marks.extend(key.marks());
        let key = match convert(key.unmarked(), &Type::String) {
            Ok(key) => key.as_text().cloned().map_or(Key::Missing, Key::Known),
            Err(error) => {
                let place = Place::at(item.key.span());
                self.report(error::key_type(&error.detail()), place, item.key, locals);
                Key::Missing
            }
        };
        (key, value)
    }
}
