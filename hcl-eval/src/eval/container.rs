//! Tuple and object constructors.

use hcl_syntax::ast::{Expression, ExpressionList, Literal, ObjectItem, ObjectItems, ObjectRules};

use super::error;
use super::evaluator::{Evaluator, Place};
use super::flow::Flow;
use super::locals::Locals;
use crate::Str;
use crate::convert::convert;
use crate::program::{Layout, Note};
use crate::types::Type;
use crate::value::assembly::Start;
use crate::value::{Marks, Repr, Value};

/// A key that has been evaluated.
enum Key {
    Known(Str),
    /// Unknown, or reported.
    Missing,
}

impl<'a> Evaluator<'a> {
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
        let start = self.meter.assembly().start(elements.len());
        for element in elements.iter() {
            self.push_part(element, locals);
            if self.stopped() {
                return self.give_up(start);
            }
        }
        self.meter.assembly().tuple(start).into()
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
        if let (Some(notes), Note::Layout(index)) = (self.given.notes, self.note(expression))
            && let Some(layout) = notes.layout(*index)
        {
            return self.object_of_layout(layout, items, locals);
        }
        let start = self.meter.assembly().start(items.len());
        let mut marks = Marks::EMPTY;
        let mut known = true;
        for item in items.iter() {
            known &= self.push_item(item, &mut marks, locals);
            if self.stopped() {
                return self.give_up(start);
            }
        }
        if !known {
            self.meter.assembly().give_up(start);
            return Flow::Owned(Value::dynamic().with_marks(&marks));
        }
        Flow::Owned(self.meter.assembly().object(start)).with_marks(&marks)
    }

    /// Leaves a container unmade because a limit was reached.
    #[cold]
    fn give_up<'e>(&mut self, start: Start) -> Flow<'e> {
        self.meter.assembly().give_up(start);
        Flow::dynamic()
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

    /// Evaluates an item to the next attribute of the object that is being made; whether its name is known.
    #[inline]
    fn push_item<'e>(&mut self, item: ObjectItem<'e>, marks: &mut Marks, locals: Locals<'e>) -> bool
    where
        'a: 'e,
    {
        if let Some(name) = item.key_name() {
            self.meter.assembly().push_name(name);
            self.push_part(item.value, locals);
            return true;
        }
        if self.given.notes.is_none()
            && self.observer.is_none()
            && let Some(Literal::Text(text)) = item.key.literal()
            && self.meter.step().is_ok()
        {
            self.meter.assembly().push_name(text);
            self.push_part(item.value, locals);
            return true;
        }
        let (key, value) = self.evaluated_item(item, marks, locals);
        let value = value.into_owned();
        let container = self.meter.assembly();
        container.push(value);
        match key {
            Key::Known(name) => container.push_normal_name(name),
            Key::Missing => return false,
        }
        true
    }

    /// Evaluates an expression to the next part of the container that is being made. A literal that is neither noted nor
    /// watched, as data are, is made where it will be.
    #[inline]
    fn push_part<'e>(&mut self, expression: Expression<'e>, locals: Locals<'e>)
    where
        'a: 'e,
    {
        if matches!(self.note(expression), Note::Plain)
            && self.observer.is_none()
            && let Some(literal) = expression.literal()
            && self.meter.step().is_ok()
        {
            return self.meter.assembly().push_literal(literal);
        }
        let value = self.eval(expression, locals).into_owned();
        self.meter.assembly().push(value);
    }

    /// The key and the value of an item whose key is an expression.
    #[inline(never)]
    fn evaluated_item<'e>(
        &mut self,
        item: ObjectItem<'e>,
        marks: &mut Marks,
        locals: Locals<'e>,
    ) -> (Key, Flow<'e>)
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
