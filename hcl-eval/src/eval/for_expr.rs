//! `for`: going through a collection, to a tuple, an object, or an object of groups.

use hcl_syntax::ast::{ExpressionKind, ForExpression};

use super::condition::Test;
use super::error::{self, ForConditionNull, Problem};
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::locals::{Local, Nesting, part_of};
use super::report::Place;
use super::results::{Results, look_for_key};
use crate::Str;
use crate::convert::convert_within;
use crate::program::{ForParts, Op, OpId};
use crate::types::Type;
use crate::value::scattered::{self, Scattering};
use crate::value::{Kind, Marks, Repr, Value};

/// The results that are collected on the way.
struct Progress {
    marks: Marks,
    /// Every condition and key so far was known and good. Of the bad ones only the first is reported.
    known: bool,
}

/// A `for` under way.
struct Loop<'e> {
    at: OpId,
    /// The operation that joins the results to a text, if one does.
    joined_by: Option<OpId>,
    parts: ForParts,
    /// The condition, if it may be answered before it is evaluated: to see that here takes an element ten instructions less.
    test: Option<Test<'e>>,
    value: &'e Op,
    names: ForExpression<'e>,
    /// Where its names are bound.
    nesting: &'e Nesting<'e>,
    env: Env<'e>,
}

impl Evaluator<'_> {
    /// The value of a `for` expression, or what is left of it when plain texts have been put into the room for text: an empty
    /// text if that is nothing.
    pub(super) fn for_expression<'e>(
        &mut self,
        at: OpId,
        joined_by: Option<OpId>,
        parts: u32,
        env: Env<'e>,
    ) -> Flow<'e> {
        let ExpressionKind::For(names) = env.source(at).kind() else { return Flow::dynamic() };
        let Some(parts) = env.code().for_parts(parts) else { return Flow::dynamic() };
        let nesting = Nesting::inside(env.locals, Some(names));
        let test = parts.condition.filter(|_| self.observer.is_none()).and_then(|at| Test::of(env.op(at)));
        let value = env.op(parts.value);
        let whole = &Loop { at, joined_by, parts, test, value, names, nesting: &nesting, env };
        let collection = self.eval_seldom(parts.collection, env);
        if self.stopped() || !self.is_iterable(&collection, whole) {
            return Flow::dynamic().with_marks(collection.marks());
        }
        let depth = whole.nesting.depth();
        self.deep_names.enter(names, depth);
        let result = self.results(&collection, whole);
        self.deep_names.leave(names, depth);
        Flow::Owned(result)
    }

    /// The results for the elements of something iterable.
    fn results(&mut self, collection: &Value, whole: &Loop<'_>) -> Value {
        let mut progress = Progress { marks: collection.marks().clone(), known: true };
        if let Some(condition) = whole.parts.condition
            && !self.try_condition(condition, &mut progress, whole)
        {
            return Value::dynamic();
        }
        if !collection.is_known() {
            return Value::dynamic().with_marks(&progress.marks);
        }
        progress.marks = collection.marks().clone();
        // There is a result for each element, or nearly.
        let parts = collection.parts().unwrap_or_default();
        if self.meter.room(parts.len()).is_err() {
            self.stopped_at(whole.at, whole.env);
            return Value::dynamic().with_marks(&progress.marks);
        }
        let mut results = match whole.joined_by {
            Some(_) => Results::Texts(Vec::new()),
            None => Results::new(whole.names, parts.len()),
        };
        if parts.len() < scattered::MANY {
            self.go_through(collection, whole, &mut progress, &mut results);
        } else {
            self.go_through_many(collection, whole, &mut progress, &mut results);
        }
        if !progress.known || self.stopped() {
            results.release();
            return Value::dynamic().with_marks(&progress.marks);
        }
        // They are copied to where they stay.
        if self.meter.hold_parts(results.len(), 2 * size_of::<Value>()).is_err() {
            results.release();
            self.stopped_at(whole.at, whole.env);
            return Value::dynamic();
        }
        match results.finish(self.meter) {
            Ok(value) => value.with_marks(&progress.marks),
            Err(_) => {
                self.stopped_at(whole.at, whole.env);
                Value::dynamic()
            }
        }
    }

    /// Returns whether there is something to go through, perhaps unknown. Otherwise the reason has been reported.
    fn is_iterable(&mut self, collection: &Value, whole: &Loop<'_>) -> bool {
        let problem = match collection.type_kind() {
            _ if collection.is_null() => error::iteration_over_null(),
            Some(Kind::List | Kind::Set | Kind::Map | Kind::Tuple | Kind::Object) => return true,
            _ if collection.is_dynamic_unknown() => return false,
            _ => error::not_iterable(&collection.type_name()),
        };
        let written = whole.env.written(whole.parts.collection);
        self.report(problem, whole.place_of(whole.parts.collection), written, whole.env);
        false
    }

    /// Evaluates the condition once with unknown elements, so that a wrong one is reported once and also
    /// when there are no elements. Whether it may do.
    fn try_condition(&mut self, condition: OpId, progress: &mut Progress, whole: &Loop<'_>) -> bool {
        let before = self.diagnostics.len();
        let any = Value::dynamic();
        let local = Local::new(whole.nesting, &any, &any);
        let env = whole.env.with(Some(&local));
        self.hide();
        let value = self.eval_seldom(condition, env);
        self.show();
        progress.marks.extend(value.marks());
        let problem = if value.is_null() {
            error::for_condition_null(ForConditionNull::BeforeIteration)
        } else if matches!(value.0, Repr::Bool(_)) || value.is_dynamic_unknown() {
            return self.diagnostics.len() == before;
        } else {
            match convert_within(&value, &Type::Bool, self.meter) {
                Ok(_) => return self.diagnostics.len() == before,
                Err(error) => error::for_condition_type(&error.detail()),
            }
        };
        let n_before = self.diagnostics.len();
        self.report(problem, whole.place_of(condition), env.written(condition), env);
        // What the elements are is not known before there are any.
        for problem in self.diagnostics.iter_mut().skip(n_before) {
            problem.values.retain(|value| {
                let root = value.expression.split(['.', '[']).next().unwrap_or_default();
                part_of(whole.names, root).is_none()
            });
        }
        false
    }

    /// [`Self::go_through`] of many parts, which the results may share.
    fn go_through_many(
        &mut self,
        collection: &Value,
        whole: &Loop<'_>,
        progress: &mut Progress,
        results: &mut Results,
    ) {
        let parts = collection.parts().unwrap_or_default();
        let _values = Scattering::of_shared(parts, Value::address);
        let _keys = whole.parts.key.map(|_| Scattering::of_shared(parts, Value::address));
        self.go_through(collection, whole, progress, results);
    }

    fn go_through(
        &mut self,
        collection: &Value,
        whole: &Loop<'_>,
        progress: &mut Progress,
        results: &mut Results,
    ) {
        let Some(values) = collection.parts() else { return };
        let wants_key = whole.names.key_name().is_some();
        let marks = collection.marks();
        let mut key = Value::dynamic();
        for (position, value) in values.iter().enumerate() {
            if wants_key {
                key = key_at(collection, position, value);
            }
            let local = Local::new(whole.nesting, &key, value);
            let before = self.diagnostics.len();
            let depth = self.open_element(wants_key.then_some(&key), value, marks);
            self.visit(whole, progress, results, whole.env.with(Some(&local)));
            let is_good = self.diagnostics.len() == before;
            if !is_good {
                // The elements do not carry the marks of the collection.
                self.redact_since(before, marks);
            }
            self.close_element(depth, is_good);
            if self.meter.step().is_err() {
                return self.stopped_at(whole.at, whole.env);
            }
        }
    }

    /// Deals with the element that is bound.
    fn visit(&mut self, whole: &Loop<'_>, progress: &mut Progress, results: &mut Results, env: Env<'_>) {
        if let Some(condition) = whole.parts.condition
            && !self.is_taken(condition, whole, progress, env)
        {
            return;
        }
        let value = whole.parts.value;
        let Some(key) = whole.parts.key else {
            return match results {
                Results::Tuple(values) => values.push(self.eval_owned(value, whole.value, env)),
                Results::Texts(rest) => self.add_text(rest, whole, env),
                Results::Object(_) | Results::Groups(_) => {}
            };
        };
        let key_value = self.eval(key, env);
        let converted;
        let text = match &key_value.0 {
            // To ask here, where texts are told from other values, costs short keys nothing.
            Repr::String(text) if text.is_in_place() => text,
            Repr::String(text) => {
                look_for_key(text, self.meter);
                text
            }
            _ => match self.key_of_element(&key_value, key, whole, progress, env) {
                Some(text) => {
                    converted = text;
                    &converted
                }
                None => return,
            },
        };
        let value = self.eval_owned(value, whole.value, env);
        match results {
            Results::Groups(groups) => groups.add_to_group(text, value, self.meter),
            Results::Object(attributes) => {
                if !attributes.add(text, value, self.meter) {
                    let problem = error::duplicate_key((!key_value.is_marked()).then_some(text));
                    self.report(problem, whole.place_of(key), env.written(key), env);
                }
            }
            Results::Tuple(_) | Results::Texts(_) => {}
        }
    }

    /// Adds a result that is a text to the room for it.
    fn add_text(&mut self, rest: &mut Vec<Value>, whole: &Loop<'_>, env: Env<'_>) {
        let goes_on = rest.is_empty();
        if goes_on && self.observer.is_none() && env.view().append_direct_text(whole.value, self.meter) {
            return;
        }
        let value = self.eval_seldom(whole.parts.value, env);
        match &value.0 {
            Repr::String(text) if goes_on => {
                self.push_text(text, whole.joined_by.unwrap_or(whole.at), env);
            }
            _ => rest.push(value.into_owned()),
        }
    }

    /// True if the condition takes the element.
    fn is_taken(&mut self, condition: OpId, whole: &Loop<'_>, progress: &mut Progress, env: Env<'_>) -> bool {
        if let Some(test) = whole.test
            && let Some(answer) = env.view().direct_test(test, self.meter)
        {
            return answer;
        }
        let value = self.eval_seldom(condition, env);
        match value.0 {
            Repr::Bool(answer) => answer,
            _ => self.takes_generally(&value, condition, whole, progress, env),
        }
    }

    /// True if a condition that is no plain bool takes the element.
    fn takes_generally(
        &mut self,
        value: &Value,
        condition: OpId,
        whole: &Loop<'_>,
        progress: &mut Progress,
        env: Env<'_>,
    ) -> bool {
        if value.is_null() {
            let problem = error::for_condition_null(ForConditionNull::OfElement);
            self.report_first(problem, condition, whole, progress, env);
            return false;
        }
        progress.marks.extend(value.marks());
        // The tuple form does not ask an unknown condition for its type, as in the reference implementation.
        if !value.is_known() && whole.parts.key.is_none() {
            progress.known = false;
            return false;
        }
        match convert_within(value.unmarked(), &Type::Bool, self.meter) {
            Err(error) => {
                let problem = error::for_condition_type(&error.detail());
                self.report_first(problem, condition, whole, progress, env);
                false
            }
            Ok(value) => match value.as_bool() {
                Some(true) => true,
                Some(false) => false,
                None => {
                    progress.known = false;
                    false
                }
            },
        }
    }

    /// The text of a key that is no plain text; `None` if there is none, which has been reported.
    fn key_of_element(
        &mut self,
        value: &Value,
        key: OpId,
        whole: &Loop<'_>,
        progress: &mut Progress,
        env: Env<'_>,
    ) -> Option<Str> {
        if value.is_null() {
            self.report_first(error::for_key_null(), key, whole, progress, env);
            return None;
        }
        progress.marks.extend(value.marks());
        if !value.is_known() {
            progress.known = false;
            return None;
        }
        match convert_within(value.unmarked(), &Type::String, self.meter) {
            Ok(text) => text.as_text().cloned(),
            Err(error) => {
                self.report_first(error::for_key_type(&error.detail()), key, whole, progress, env);
                None
            }
        }
    }

    /// Reports a problem with an operand unless one like it has been met before.
    fn report_first(
        &mut self,
        problem: Problem,
        at: OpId,
        whole: &Loop<'_>,
        progress: &mut Progress,
        env: Env<'_>,
    ) {
        if progress.known {
            self.report(problem, whole.place_of(at), env.written(at), env);
        }
        progress.known = false;
    }
}

impl Loop<'_> {
    /// Where a problem with an operand is.
    fn place_of(&self, at: OpId) -> Place {
        Place::within(self.env.written(at).span(), self.env.source(self.at).span())
    }
}

/// The key of an element. It is no part of the loop over them, which mostly wants none.
#[inline(never)] // Not measured alone: without this and others `for_filter_1000` takes 5 % more instructions.
fn key_at(collection: &Value, position: usize, element: &Value) -> Value {
    match collection.shape() {
        Some(shape) => Value::string_nfc(shape.names()[position].clone()),
        None if collection.kind() == Kind::Set => element.clone(),
        None => Value::count(position),
    }
}
