//! Objects of JSON syntax: their keys are templates, and no two may be the same.

use std::collections::HashMap;

use hcl_syntax::ast::{Expression, ObjectItems};
use hcl_syntax::source::Span;

use super::error;
use super::evaluator::{Evaluator, Place};
use super::flow::Flow;
use super::locals::Locals;
use crate::Str;
use crate::convert::convert;
use crate::types::Type;
use crate::value::{Marks, Value};

impl<'a> Evaluator<'a> {
    /// The value of `{"k": v}`.
    #[inline(never)]
    pub(super) fn json_object<'e>(&mut self, items: ObjectItems<'e>, locals: Locals<'e>) -> Flow<'e>
    where
        'a: 'e,
    {
        let mut entries = Vec::with_capacity(items.len());
        let mut places: HashMap<Str, Span> = HashMap::with_capacity(items.len());
        let mut marks = Marks::EMPTY;
        let mut known = true;
        for item in items.iter() {
            let key = self.eval(item.key, locals).into_owned();
            let value = self.eval(item.value, locals).into_owned();
            if self.stopped() {
                return Flow::dynamic();
            }
            let Some(key) = self.json_key(&key, item.key, &mut marks, locals) else { continue };
            let Some(key) = key.as_text() else {
                known = false;
                continue;
            };
            let place = item.key.span();
            if let Some(&first) = places.get(key) {
                let first = item.key.tree().source().range(first);
                let problem = error::duplicate_attribute(key, &first);
                self.report(problem, Place::at(place), item.key, locals);
                continue;
            }
            places.insert(key.clone(), place);
            entries.push((key.clone(), value));
        }
        let value = if known { Value::object(entries) } else { Value::dynamic() };
        Flow::Owned(value.with_marks(&marks))
    }

    /// A key as a string, known or not; nothing if it can't be one.
    fn json_key<'e>(
        &mut self,
        key: &Value,
        about: Expression<'e>,
        marks: &mut Marks,
        locals: Locals<'e>,
    ) -> Option<Value>
    where
        'a: 'e,
    {
        marks.extend(key.marks());
        let problem = match convert(key.unmarked(), &Type::String) {
            Ok(key) if key.is_null() => error::null_json_key(),
            Ok(key) => return Some(key),
            Err(error) => error::json_key_type(&error.detail()),
        };
        self.report(problem, Place::at(about.span()), about, locals);
        None
    }
}
