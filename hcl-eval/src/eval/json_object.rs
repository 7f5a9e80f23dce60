//! Objects of JSON syntax: their keys are templates, and no two may be the same.

use hcl_syntax::hash::{HashMap, Seeded};
use hcl_syntax::source::Span;

use super::error;
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::report::Place;
use crate::Str;
use crate::convert::convert_within;
use crate::program::{List, OpId};
use crate::types::Type;
use crate::value::string::go_on_with_name;
use crate::value::{Marks, Value};

impl Evaluator<'_> {
    /// The value of `{"k": v}`.
    pub(super) fn json_object<'e>(&mut self, at: OpId, items: List, env: Env<'e>) -> Flow<'e> {
        let items = env.code().list(items);
        let n_items = items.len() / 2;
        let bytes = size_of::<(Str, Value)>() + size_of::<(Str, Span)>();
        let room = self.meter.elements(n_items).and_then(|()| self.meter.hold_parts(n_items, bytes));
        if room.is_err() {
            return self.stop_at(at, env);
        }
        let mut entries = Vec::with_capacity(n_items);
        let mut places: HashMap<Str, Span> = HashMap::with_capacity_and_hasher(n_items, Seeded);
        let mut marks = Marks::EMPTY;
        let mut known = true;
        for &[key_at, value_at] in items.as_chunks().0 {
            let key = self.eval_seldom(key_at, env).into_owned();
            let value = self.eval_seldom(value_at, env).into_owned();
            if self.stopped() {
                return Flow::dynamic();
            }
            let Some(key) = self.json_key(&key, key_at, &mut marks, env) else { continue };
            let Some(key) = key.as_text() else {
                known = false;
                continue;
            };
            if go_on_with_name(key, &mut Some(self.meter)).is_err() {
                return self.stop_at(key_at, env);
            }
            let written = env.written(key_at);
            let place = written.span();
            if let Some(&first) = places.get(key) {
                if self.meter.find_lines(env.run.tree.source()).is_err() {
                    return self.stop_at(key_at, env);
                }
                let first = env.run.tree.source().range(first);
                let problem = error::duplicate_attribute(key, &first);
                self.report(problem, Place::at(place), written, env);
                continue;
            }
            places.insert(key.clone(), place);
            entries.push((key.clone(), value));
        }
        if !known {
            return Flow::Owned(Value::dynamic().with_marks(&marks));
        }
        match Value::object_on(entries, &mut Some(self.meter)) {
            Ok(value) => Flow::Owned(value.with_marks(&marks)),
            Err(_) => self.stop_at(at, env),
        }
    }

    /// A key as a string, known or not; nothing if it can't be one.
    fn json_key(&mut self, key: &Value, at: OpId, marks: &mut Marks, env: Env<'_>) -> Option<Value> {
        marks.extend(key.marks());
        let problem = match convert_within(key.unmarked(), &Type::String, self.meter) {
            Ok(key) if key.is_null() => error::null_json_key(),
            Ok(key) => return Some(key),
            Err(error) => error::json_key_type(&error.detail()),
        };
        let written = env.written(at);
        self.report(problem, Place::at(written.span()), written, env);
        None
    }
}
