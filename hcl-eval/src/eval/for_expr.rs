//! `for`: going through a collection, to a tuple, an object, or an object of groups.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use hcl_syntax::ast::{Expression, ForExpression};

use super::error::{self, ForConditionNull, Problem};
use super::evaluator::{Evaluator, Place};
use super::flow::Flow;
use super::locals::{Binding, Local, Locals, Nesting, part_of};
use crate::Str;
use crate::convert::convert;
use crate::types::Type;
use crate::value::shape::Shape;
use crate::value::{Kind, Marks, Repr, Value};

/// What is collected on the way.
struct Progress<'e> {
    whole: Expression<'e>,
    marks: Marks,
    /// Every condition and key so far was known and good. Of the bad ones only the first is reported.
    known: bool,
}

/// What to do with an element.
enum Verdict {
    Take,
    Skip,
}

/// What is evaluated for each element.
#[derive(Copy, Clone)]
struct Parts<'e> {
    condition: Option<Expression<'e>>,
    key: Option<Expression<'e>>,
    value: Expression<'e>,
}

/// Where results go.
enum Results {
    Tuple(Vec<Value>),
    Object(BTreeMap<Str, Value>),
    Groups(BTreeMap<Str, Vec<Value>>),
}

/// Rooms made beforehand for the results of a `for` that may skip elements.
const EXPECTED: usize = 64;

impl<'a> Evaluator<'a> {
    /// The value of a `for` expression.
    #[inline(never)]
    pub(super) fn for_expression<'e>(
        &mut self,
        whole: Expression<'e>,
        names: ForExpression<'e>,
        locals: Locals<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        let collection = self.eval(names.collection(), locals);
        if self.stopped() || !self.is_iterable(&collection, whole, names, locals) {
            return Flow::dynamic().with_marks(collection.marks());
        }
        let at = Nesting::inside(locals);
        self.deep_names.enter(names, at.depth());
        let result = self.results(&collection, whole, names, at);
        self.deep_names.leave(names, at.depth());
        result
    }

    /// The results for the elements of something iterable.
    fn results<'e>(
        &mut self,
        collection: &Value,
        whole: Expression<'e>,
        names: ForExpression<'e>,
        at: Nesting<'e>,
    ) -> Flow<'e>
    where
        'a: 'e,
    {
        let mut progress = Progress { whole, marks: collection.marks().clone(), known: true };
        if let Some(condition) = names.condition()
            && !self.try_condition(condition, &mut progress, names, at)
        {
            return Flow::dynamic();
        }
        if !collection.is_known() {
            return Flow::dynamic().with_marks(&progress.marks);
        }
        progress.marks = collection.marks().clone();
        let mut results = Results::new(names, collection.len().unwrap_or_default());
        self.go_through(collection, names, &mut progress, &mut results, at);
        if !progress.known || self.stopped() {
            return Flow::dynamic().with_marks(&progress.marks);
        }
        Flow::Owned(results.finish().with_marks(&progress.marks))
    }

    /// Whether there is something to go through, perhaps unknown; else why not has been reported.
    fn is_iterable<'e>(
        &mut self,
        collection: &Value,
        whole: Expression<'e>,
        names: ForExpression<'e>,
        locals: Locals<'e>,
    ) -> bool
    where
        'a: 'e,
    {
        let problem = match collection.kind() {
            Kind::List | Kind::Set | Kind::Map | Kind::Tuple | Kind::Object => return true,
            Kind::Unknown if collection.is_dynamic_unknown() => return false,
            Kind::Null => error::iteration_over_null(),
            _ => {
                let ty = collection.ty();
                if ty.is_collection() || ty.is_structural() {
                    return true;
                }
                error::not_iterable(&ty.friendly_name())
            }
        };
        let place = Place::within(names.collection().span(), whole.span());
        self.report(problem, place, names.collection(), locals);
        false
    }

    /// Evaluates the condition once with unknown elements, so that a wrong one is reported once and also
    /// when there are no elements. Whether it may do.
    fn try_condition<'e>(
        &mut self,
        condition: Expression<'e>,
        progress: &mut Progress<'e>,
        names: ForExpression<'e>,
        at: Nesting<'e>,
    ) -> bool
    where
        'a: 'e,
    {
        let before = self.diagnostics.len();
        let any = Value::dynamic();
        let local = Local::new(at, Binding::For { names, key: &any, value: &any });
        self.hide();
        let value = self.eval(condition, Some(&local));
        self.show();
        progress.marks.extend(value.marks());
        let problem = if value.is_null() {
            error::for_condition_null(ForConditionNull::BeforeIteration)
        } else if matches!(value.0, Repr::Bool(_)) || value.is_dynamic_unknown() {
            return self.diagnostics.len() == before;
        } else {
            match convert(&value, &Type::Bool) {
                Ok(_) => return self.diagnostics.len() == before,
                Err(error) => error::for_condition_type(&error.detail()),
            }
        };
        let place = Place::within(condition.span(), progress.whole.span());
        let n_before = self.diagnostics.len();
        self.report(problem, place, condition, Some(&local));
        // What the elements are is not known before there are any.
        for problem in self.diagnostics.iter_mut().skip(n_before) {
            problem.values.retain(|value| {
                let root = value.expression.split(['.', '[']).next().unwrap_or_default();
                part_of(names, root).is_none()
            });
        }
        false
    }

    fn go_through<'e>(
        &mut self,
        collection: &Value,
        names: ForExpression<'e>,
        progress: &mut Progress<'e>,
        results: &mut Results,
        at: Nesting<'e>,
    ) where
        'a: 'e,
    {
        let Some(values) = collection.parts() else { return };
        if self.meter.room(values.len()).is_err() {
            return self.stopped_at(progress.whole);
        }
        let parts = Parts { condition: names.condition(), key: names.key(), value: names.value() };
        let keys = collection.shape().map(|shape| shape.names());
        let is_set = collection.kind() == Kind::Set;
        let wants_key = names.key_name().is_some();
        let none = Value::dynamic();
        for (position, value) in values.iter().enumerate() {
            let made;
            let key = match keys {
                _ if !wants_key => &none,
                None if is_set => value,
                None => {
                    made = Value::count(position);
                    &made
                }
                Some(keys) => {
                    made = Value::string_nfc(keys[position].clone());
                    &made
                }
            };
            let local = Local::new(at, Binding::For { names, key, value });
            let before = self.diagnostics.len();
            let depth = self.open_element(wants_key.then_some(key), value, collection.marks());
            self.visit(parts, progress, results, &local);
            let is_good = self.diagnostics.len() == before;
            if !is_good {
                // The elements do not carry the marks of the collection.
                self.redact_since(before, collection.marks());
            }
            self.close_element(depth, is_good);
            if self.meter.step().is_err() {
                return self.stopped_at(progress.whole);
            }
        }
    }

    /// Deals with the element that `local` binds.
    #[inline]
    fn visit<'l>(
        &mut self,
        parts: Parts<'l>,
        progress: &mut Progress<'_>,
        results: &mut Results,
        local: &'l Local<'l>,
    ) where
        'a: 'l,
    {
        if let Some(condition) = parts.condition {
            let value = self.eval(condition, Some(local));
            let verdict = match value.0 {
                Repr::Bool(true) => Verdict::Take,
                Repr::Bool(false) => Verdict::Skip,
                _ => self.condition_of_element(&value, condition, parts, progress, local),
            };
            if matches!(verdict, Verdict::Skip) {
                return;
            }
        }
        let Some(key) = parts.key else {
            let value = self.eval(parts.value, Some(local)).into_owned();
            return results.push(value);
        };
        let mut room = Value::FALSE;
        let key_value = self.look_at(key, Some(local), &mut room);
        let text = match &key_value.0 {
            Repr::String(text) => text.clone(),
            _ => match self.key_of_element(key_value, key, progress, local) {
                Some(text) => text,
                None => return,
            },
        };
        let value = self.eval(parts.value, Some(local)).into_owned();
        if let Some(duplicate) = results.insert(text, value) {
            let problem = error::duplicate_key((!key_value.is_marked()).then_some(&duplicate));
            self.report(problem, Place::within(key.span(), progress.whole.span()), key, Some(local));
        }
    }

    /// What a condition that is no plain bool means for an element.
    fn condition_of_element<'l>(
        &mut self,
        value: &Value,
        condition: Expression<'l>,
        parts: Parts<'l>,
        progress: &mut Progress<'_>,
        local: &'l Local<'l>,
    ) -> Verdict
    where
        'a: 'l,
    {
        let place = Place::within(condition.span(), progress.whole.span());
        if value.is_null() {
            let problem = error::for_condition_null(ForConditionNull::OfElement);
            self.report_first(problem, place, condition, progress, local);
            return Verdict::Skip;
        }
        progress.marks.extend(value.marks());
        // The tuple form does not ask an unknown condition for its type, as in the reference implementation.
        if !value.is_known() && parts.key.is_none() {
            progress.known = false;
            return Verdict::Skip;
        }
        match convert(value.unmarked(), &Type::Bool) {
            Err(error) => {
                let problem = error::for_condition_type(&error.detail());
                self.report_first(problem, place, condition, progress, local);
                Verdict::Skip
            }
            Ok(value) => match value.as_bool() {
                Some(true) => Verdict::Take,
                Some(false) => Verdict::Skip,
                None => {
                    progress.known = false;
                    Verdict::Skip
                }
            },
        }
    }

    /// The text of a key that is no plain text; `None` if there is none, which has been reported.
    fn key_of_element<'l>(
        &mut self,
        value: &Value,
        key: Expression<'l>,
        progress: &mut Progress<'_>,
        local: &'l Local<'l>,
    ) -> Option<Str>
    where
        'a: 'l,
    {
        let place = Place::within(key.span(), progress.whole.span());
        if value.is_null() {
            self.report_first(error::for_key_null(), place, key, progress, local);
            return None;
        }
        progress.marks.extend(value.marks());
        if !value.is_known() {
            progress.known = false;
            return None;
        }
        match convert(value.unmarked(), &Type::String) {
            Ok(text) => text.as_text().cloned(),
            Err(error) => {
                self.report_first(error::for_key_type(&error.detail()), place, key, progress, local);
                None
            }
        }
    }

    /// Reports a problem unless one like it has been met before.
    fn report_first<'l>(
        &mut self,
        problem: Problem,
        place: Place,
        about: Expression<'l>,
        progress: &mut Progress<'_>,
        local: &'l Local<'l>,
    ) where
        'a: 'l,
    {
        if progress.known {
            self.report(problem, place, about, Some(local));
        }
        progress.known = false;
    }
}

impl Results {
    fn new(names: ForExpression<'_>, len: usize) -> Self {
        if names.key().is_none() {
            let expected = if names.condition().is_some() { len.min(EXPECTED) } else { len };
            Self::Tuple(Vec::with_capacity(expected))
        } else if names.is_grouping() {
            Self::Groups(BTreeMap::new())
        } else {
            Self::Object(BTreeMap::new())
        }
    }

    fn push(&mut self, value: Value) {
        if let Self::Tuple(values) = self {
            values.push(value);
        }
    }

    /// Adds a result under a key; gives the key back if it is taken.
    fn insert(&mut self, name: Str, value: Value) -> Option<Str> {
        match self {
            Self::Tuple(values) => values.push(value),
            Self::Groups(groups) => groups.entry(name).or_default().push(value),
            Self::Object(attributes) => match attributes.entry(name) {
                Entry::Occupied(taken) => return Some(taken.key().clone()),
                Entry::Vacant(free) => {
                    free.insert(value);
                }
            },
        }
        None
    }

    fn finish(self) -> Value {
        match self {
            Self::Tuple(values) => Value::tuple(values),
            Self::Object(attributes) => object(attributes.into_iter()),
            Self::Groups(groups) => {
                object(groups.into_iter().map(|(name, values)| (name, Value::tuple(values))))
            }
        }
    }
}

/// An object of entries in the order of their keys.
fn object(entries: impl Iterator<Item = (Str, Value)>) -> Value {
    let (names, values): (Vec<_>, Vec<_>) = entries.unzip();
    Value::object_with_shape(Shape::from_sorted(names), values)
}
