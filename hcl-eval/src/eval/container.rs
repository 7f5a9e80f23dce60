//! Tuple and object constructors.

use hcl_syntax::ast::{ExpressionKind, Literal};

use super::condition::View;
use super::error;
use super::evaluator::{Env, Evaluator};
use super::flow::Flow;
use super::literal::literal_value;
use super::report::Place;
use crate::Str;
use crate::convert::convert_within;
use crate::limits::{ELEMENT_BYTES, Meter, Usage};
use crate::program::{List, Node, Op, OpId};
use crate::stack::SHALLOW;
use crate::types::Type;
use crate::value::assembly::Start;
use crate::value::node::{ObjectHeader, Summary, Unfinished, put, put_copy};
use crate::value::string::STRETCH;
use crate::value::{Marks, Repr, Value};

/// From so many keys and values on an object takes memory that is asked for beforehand: its attributes are sorted beside what
/// has been evaluated.
const MANY: usize = 1 << 12;

/// A key that has been evaluated.
enum Key {
    Known(Str),
    /// Known and long: names like it are compared with looks at the limits.
    Long(Str),
    /// Unknown, or reported.
    Missing,
}

impl Key {
    fn known(text: &Str) -> Self {
        if text.is_long() { Self::Long(text.clone()) } else { Self::Known(text.clone()) }
    }
}

/// The kinds of keys among those of an object, by what its making has to do for them.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Keys {
    Plain,
    /// Some are long.
    Long,
    /// Some are missing.
    Missing,
}

impl View<'_> {
    /// The object of few items that lead straight to values, were found ahead of time, or are texts of such, if there is as much
    /// left as it takes. That is added up and charged in one go: 430 instructions less for eight items than the general way.
    pub(crate) fn record(self, op: &Op, meter: &mut Meter) -> Option<Value> {
        let Node::Record { direct: true, layout, values } = op.node else { return None };
        let code = self.readable.code;
        let (layout, items) = (&code.layouts[layout as usize], code.list(values));
        let n_items = items.len() as u64;
        let steps = u64::from(op.cost - op.path_cost) + n_items;
        let mut used =
            Usage { steps, elements: n_items, memory: n_items * ELEMENT_BYTES, ..Usage::default() };
        let mut object = Unfinished::new(ObjectHeader { shape: layout.shape.clone() }, layout.shape.len());
        let places = object.places();
        for (&item, at) in items.iter().zip(&layout.places) {
            let (op, place) = (code.op(item), &mut places[at.position as usize]);
            used.steps += u64::from(op.cost) + u64::from(at.is_literal);
            match op.node {
                Node::Template { direct, parts } => {
                    let (text, n_bytes) = self.text(parts, meter)?;
                    let n_parts = Summary::text(n_bytes).weight - 1;
                    used.steps += u64::from(direct) + u64::from(n_parts);
                    used.output_bytes += n_bytes as u64;
                    used.memory += n_bytes as u64;
                    used.depth = used.depth.max(1);
                    used.parts = used.parts.max(n_parts);
                    if meter.is_too_much(used.memory) {
                        return None;
                    }
                    put(place, Value::string_nfc(text));
                }
                Node::Folded { value, usage } => {
                    let steps = used.steps;
                    used = Usage { steps, ..used.and(code.usages[usage as usize]) };
                    put(place, code.values[value as usize].clone());
                }
                ref node => put_copy(place, self.direct(node)?),
            }
        }
        let object = object.finish();
        let Summary { weight, depth, .. } = object.summary();
        used.depth += 1;
        used.parts = used.parts.max(weight - 1);
        let is_there = depth <= SHALLOW && !meter.is_too_much(used.memory);
        meter.use_all();
        (is_there && meter.afford_again(used.steps, &used)).then_some(Value(Repr::Object(object)))
    }
}

impl Evaluator<'_> {
    /// The value of `[a, b]`.
    pub(super) fn tuple<'e>(&mut self, at: OpId, elements: List, env: Env<'e>) -> Flow<'e> {
        let elements = env.code().list(elements);
        if self.meter.elements(elements.len()).is_err() {
            return self.stop_at(at, env);
        }
        let start = self.meter.assembly().start(elements.len());
        for &element in elements {
            self.push_part(element, env);
            if self.stopped() {
                return self.give_up(start);
            }
        }
        self.meter.assembly().tuple(start).into()
    }

    /// The value of `{k = v}`.
    pub(super) fn object<'e>(&mut self, at: OpId, items: List, env: Env<'e>) -> Flow<'e> {
        let items = env.code().list(items);
        if self.meter.elements(items.len() / 2).is_err() {
            return self.stop_at(at, env);
        }
        let start = self.meter.assembly().start(items.len() / 2);
        let mut marks = Marks::EMPTY;
        let mut keys = Keys::Plain;
        for item in items.as_chunks().0 {
            keys = keys.max(self.push_item(*item, &mut marks, env));
            if self.stopped() {
                return self.give_up(start);
            }
        }
        if keys == Keys::Missing {
            self.meter.assembly().give_up(start);
            return Flow::Owned(Value::dynamic().with_marks(&marks));
        }
        if items.len() >= MANY
            && self.meter.hold_parts(items.len() / 2, size_of::<(usize, Str, Value)>()).is_err()
        {
            self.stopped_at(at, env);
            return self.give_up(start);
        }
        if keys == Keys::Long {
            return self.object_of_long_keys(at, start, env).with_marks(&marks);
        }
        Flow::Owned(self.meter.assembly().object(start)).with_marks(&marks)
    }

    /// The object of attributes of which some have long names.
    fn object_of_long_keys<'e>(&mut self, at: OpId, start: Start, env: Env<'e>) -> Flow<'e> {
        let entries = self.meter.assembly().take(start);
        match Value::object_of_normal(entries, &mut Some(self.meter)) {
            Ok(object) => Flow::Owned(object),
            Err(_) => self.stop_at(at, env),
        }
    }

    /// Leaves a container unmade because a limit was reached.
    fn give_up<'e>(&mut self, start: Start) -> Flow<'e> {
        self.meter.assembly().give_up(start);
        Flow::dynamic()
    }

    /// The value of an object whose keys are all known.
    pub(super) fn record<'e>(&mut self, at: OpId, layout: u32, values: List, env: Env<'e>) -> Flow<'e> {
        let code = env.code();
        let (layout, items) = (&code.layouts[layout as usize], code.list(values));
        if self.meter.elements(items.len()).is_err() {
            return self.stop_at(at, env);
        }
        let shape = layout.shape.clone();
        let mut object = Unfinished::new(ObjectHeader { shape }, layout.shape.len());
        let values = object.places();
        for (index, (&item, place)) in items.iter().zip(&layout.places).enumerate() {
            if place.is_literal && self.meter.step().is_err() {
                return self.stop_at_key(at, index, env);
            }
            put(&mut values[place.position as usize], self.eval_owned(item, env.op(item), env));
            if self.stopped() {
                return Flow::dynamic();
            }
        }
        Value(Repr::Object(object.finish())).into()
    }

    /// Gives up at the key of an item.
    fn stop_at_key<'e>(&mut self, at: OpId, index: usize, env: Env<'e>) -> Flow<'e> {
        if let ExpressionKind::Object(items) = env.source(at).kind()
            && let Some(item) = items.iter().nth(index)
        {
            self.stopped_by(item.key);
        }
        Flow::dynamic()
    }

    /// The value of such an object, if its items lead straight to values, were found ahead of time, or are texts of such.
    pub(super) fn record_at_once(&mut self, op: &Op, env: Env<'_>) -> Option<Value> {
        // Ahead of time, what parts used has been counted.
        if self.observer.is_some() || env.run.is_ahead { None } else { env.view().record(op, self.meter) }
    }

    /// Evaluates an item to the next attribute of the object that is being made; gives the kind of its key.
    fn push_item(&mut self, [key, value]: [OpId; 2], marks: &mut Marks, env: Env<'_>) -> Keys {
        if let Some(name) = self.literal_name(key, env) {
            let mut keys = Keys::Plain;
            if name.len() <= STRETCH {
                self.meter.assembly().push_name(name);
            } else {
                let name = self.normal_text(name).unwrap_or_default();
                self.meter.assembly().push_normal_name(name);
                keys = Keys::Long;
            }
            self.push_part(value, env);
            return keys;
        }
        let (key, value) = self.evaluated_item([key, value], marks, env);
        let value = value.into_owned();
        let container = self.meter.assembly();
        container.push(value);
        match key {
            Key::Known(name) => container.push_normal_name(name),
            Key::Long(name) => {
                container.push_normal_name(name);
                return Keys::Long;
            }
            Key::Missing => return Keys::Missing,
        }
        Keys::Plain
    }

    /// The name that a key is written as, if its steps are there.
    fn literal_name<'e>(&mut self, key: OpId, env: Env<'e>) -> Option<&'e str> {
        let Some(literal) = key.literal() else {
            let is_name = matches!(env.op(key).node, Node::KeyName);
            return is_name.then(|| env.source(key).source_text());
        };
        let literal = env.run.tree.expression(literal);
        match literal.literal() {
            // A plain name takes no step.
            None => Some(literal.source_text()),
            Some(Literal::Text(text)) if self.meter.afford(1) => Some(text),
            Some(_) => None,
        }
    }

    /// Evaluates an operand to the next part of the container that is being made. A literal is made where it will be.
    fn push_part(&mut self, at: OpId, env: Env<'_>) {
        if let Some(literal) = at.literal()
            && let Some(literal) = env.run.tree.expression(literal).literal()
            && self.meter.afford(1)
        {
            return self.meter.assembly().push_literal(literal);
        }
        let value = self.part_of_container(at, env).into_owned();
        self.meter.assembly().push(value);
    }

    /// The value of an operand of a container.
    fn part_of_container<'e>(&mut self, at: OpId, env: Env<'e>) -> Flow<'e> {
        let Some(literal) = at.literal() else { return self.eval_seldom(at, env) };
        let literal = env.run.tree.expression(literal);
        if self.meter.step().is_err() {
            self.stopped_by(literal);
            return Flow::dynamic();
        }
        literal_value(literal).map_or_else(Flow::dynamic, Flow::Owned)
    }

    /// The key and the value of an item whose key is an expression.
    fn evaluated_item<'e>(
        &mut self,
        [key_at, value_at]: [OpId; 2],
        marks: &mut Marks,
        env: Env<'e>,
    ) -> (Key, Flow<'e>) {
        let before = self.diagnostics.len();
        let written = env.operand(key_at);
        if key_at.literal().is_none() && matches!(env.op(key_at).node, Node::AmbiguousKey) {
            let problem = error::ambiguous_key(written.source_text());
            self.report(problem, Place::at(written.span()), written, env);
            return (Key::Missing, self.part_of_container(value_at, env));
        }
        let key = self.part_of_container(key_at, env);
        let key_failed = self.diagnostics.len() > before;
        let value = self.part_of_container(value_at, env);
        if key_failed {
            return (Key::Missing, value);
        }
        if let Repr::String(key) = &key.0 {
            return (Key::known(key), value);
        }
        if key.is_null() {
            self.report(error::null_key(), Place::at(env.operand(value_at).span()), written, env);
            return (Key::Missing, value);
        }
        marks.extend(key.marks());
        let key = match convert_within(key.unmarked(), &Type::String, self.meter) {
            Ok(key) => key.as_text().map_or(Key::Missing, Key::known),
            Err(error) => {
                let place = Place::at(written.span());
                self.report(error::key_type(&error.detail()), place, written, env);
                Key::Missing
            }
        };
        (key, value)
    }
}
