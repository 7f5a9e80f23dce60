//! Resources as a plan has them: an object by the attributes of the block, a tuple by `count`, an object by
//! `for_each`; and the values that a host gives in their place.
//!
//! The two are independent. In a plan, a given value is laid over the attributes that the block sets. Without one, it
//! stands alone, and nothing of the block is evaluated but what repeats it.

use std::cell::Cell;

use hcl_eval::types::Type;
use hcl_eval::value::{Kind, Mark};
use hcl_eval::{Str, Value};
use hcl_syntax::config::{Bounds, has_room_for_table, push_within};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::{HashMap, HashSet, Seeded};

use super::expansion::{Each, Shape, count, for_each};
use super::expression::Place as At;
use super::validation::{About, Verdict};
use super::{Engine, Looks, Outcome, Prepared, State, Walk, limit_beside};
use crate::declare::{Mode, Resource};
use crate::place::Place;
use crate::reference::known_attributes;
use crate::resource_values::{GivenValue, Key};
use crate::tree::NodeId;

impl Engine<'_> {
    /// The values of a resource, one for every instance of its module; none if it is not known before it is made.
    pub(super) fn plan(&mut self, module: usize, at: usize, node: NodeId) -> Outcome {
        let configuration = self.configuration;
        let mut diagnostics = Diagnostics::new();
        let mut values = Vec::new();
        // A value for an instance that there is not is an error of the host; the other values stay usable.
        let mut nowhere = Diagnostics::new();
        let given = configuration.resource_values.of(module, at);
        if let Some((_, resource)) = self.tree().modules[module].config.resources.get_index(at)
            && (configuration.is_planned || !given.is_empty())
        {
            let all: Vec<Expected<'_>> = given.iter().map(Expected::new).collect();
            for instance in 0..self.instances(module).len() {
                let keys = if given.is_empty() { Vec::new() } else { self.keys_to(module, instance) };
                let given: Vec<&Expected<'_>> = all.iter().filter(|one| one.given.is_in(&keys)).collect();
                given.iter().for_each(|one| one.has_module.set(true));
                let place = At::plain(module, instance);
                let value = self.planned_block(resource, node, place, &given, &mut diagnostics);
                let value = value.unwrap_or_else(Value::dynamic);
                if !push_within(&mut values, value, self.evaluation.bounds())
                    || !self.may_go_on(&mut diagnostics)
                {
                    break;
                }
            }
            for one in &all {
                if !self.may_go_on(&mut nowhere) {
                    break;
                }
                nowhere.extend(one.without_instance(resource));
            }
        }
        let state = if has_errors(&diagnostics) { State::Failed } else { State::Good };
        diagnostics.extend(nowhere);
        Outcome { state, values, diagnostics, ..Outcome::default() }
    }

    /// The keys of the instances of modules that lead to one, from the root on; `None` for a module that is not
    /// repeated.
    fn keys_to(&self, module: usize, instance: usize) -> Vec<Option<Key>> {
        let (mut module, mut instance) = (module, instance);
        let mut keys = Vec::new();
        while let Some((parent, _)) = self.tree().modules[module].parent {
            let Some(one) = self.instances(module).iter().nth(instance) else { break };
            keys.push(one.each.as_ref().and_then(key_of));
            (module, instance) = (parent, one.parent);
        }
        keys.reverse();
        keys
    }

    /// The value of a block in one instance of its module; none if it is in error.
    ///
    /// A value for a repeated block as a whole takes the place of everything, and the block is not looked at. Without
    /// a plan this holds for any block. Otherwise the instances are made one by one, each with the value that is
    /// given for its key.
    fn planned_block(
        &mut self,
        resource: &Resource,
        node: NodeId,
        place: At<'_>,
        expected: &[&Expected<'_>],
        diagnostics: &mut Diagnostics,
    ) -> Option<Value> {
        let marked = |value: Value| match resource.mode {
            Mode::Ephemeral => value.mark(Mark::ephemeral()),
            Mode::Managed | Mode::Data => value,
        };
        // Of several values for one address the last that was given counts.
        let whole = expected.iter().rev().find(|one| one.given.key.is_none());
        if let Some(whole) = whole
            .map(|one| &one.given.value)
            .filter(|_| resource.is_repeated() || !self.configuration.is_planned)
        {
            // A value for the whole hides those for single instances, which nothing is said about then.
            expected.iter().for_each(|one| one.is_used.set(true));
            return Some(marked(whole.clone()));
        }
        let repeated = self.repeated(resource, node, place, diagnostics);
        let Some((shape, instances)) = repeated.filter(|(shape, _)| *shape != Shape::Unknown) else {
            // No key is wrong as long as the instances are not known.
            expected.iter().for_each(|one| one.is_used.set(true));
            return (!has_errors(diagnostics)).then(|| marked(Value::dynamic()));
        };
        if !self.evaluation.bounds().has_room(instances.len().saturating_mul(2 * size_of::<(Str, Value)>())) {
            return None;
        }
        let by_key = by_key(expected, self.evaluation.bounds())?;
        let mut values = Vec::with_capacity(instances.len());
        let mut is_good = true;
        for each in &instances {
            if !self.may_go_on(diagnostics) {
                return None;
            }
            let own = match each.as_ref().and_then(key_of) {
                Some(key) => by_key.get(&key.to_text()).map(|&at| &expected[at]),
                None => whole,
            };
            own.iter().for_each(|one| one.is_used.set(true));
            let own = own.map(|one| &one.given.value);
            let place = At { each: each.as_ref(), ..place };
            let value = match own {
                Some(own) if !self.configuration.is_planned => Some(own.clone()),
                None if !self.configuration.is_planned => Some(Value::dynamic()),
                own => self.planned_instance(resource, node, place, own, diagnostics),
            };
            is_good &= value.is_some();
            let name = each.as_ref().map(Each::name).unwrap_or_default();
            values.push((name, marked(value.unwrap_or_else(Value::dynamic))));
        }
        let value = match shape {
            Shape::Counted => Value::tuple(values.into_iter().map(|(_, value)| value).collect()),
            Shape::Keyed => self.evaluation.object_of_known(values)?,
            Shape::Off => Value::null(Type::Dynamic),
            Shape::Single | Shape::Unknown => {
                values.into_iter().next().map_or_else(Value::dynamic, |(_, value)| value)
            }
        };
        is_good.then_some(value)
    }

    /// The instances of a block; none if what repeats it is in error. The expression that repeats it is the first
    /// part of the node.
    fn repeated(
        &mut self,
        resource: &Resource,
        node: NodeId,
        place: At<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Shape, Vec<Option<Each>>)> {
        let repetition = &resource.repetition;
        let is_repeated = resource.is_repeated() || repetition.enabled.is_some();
        let prepared: &Prepared = self.prepared(node);
        let Some(part) = prepared.parts.first().filter(|_| is_repeated) else {
            return Some((Shape::Single, vec![None]));
        };
        let (value, problems) = self.value(part, place);
        let failed = has_errors(&problems);
        diagnostics.extend(problems);
        if failed {
            return None;
        }
        let at = Place::of(&part.expression);
        // An unknown value is no error: nothing is known of the block then.
        let is_unknown = match (&repetition.count, &repetition.for_each) {
            (Some(_), _) => count(&value, self.tree().release, Walk::Validate, &at).map(|n| n.is_none()),
            (_, Some(_)) => {
                let is_tofu = self.tree().release.is_tofu();
                for_each(&value, Walk::Validate, is_tofu, &at).map(|is_known| !is_known)
            }
            _ => Ok(!value.is_known()),
        };
        let made = is_unknown.and_then(|is_unknown| match is_unknown {
            true => Ok((Shape::Unknown, Vec::new())),
            false if repetition.count.is_some() => self.counted(&value, &at),
            false if repetition.for_each.is_some() => self.keyed(&value, &at),
            false => super::expansion::switched(&value, &at),
        });
        match made {
            Ok((_, each)) if each.len() > self.max_instances => {
                diagnostics.push(self.too_many(&at));
                None
            }
            Ok(made) => Some(made),
            Err(problem) => {
                diagnostics.push(problem);
                None
            }
        }
    }

    /// One instance: the attributes that the block sets, over them those that are given, and the others unknown. It
    /// is none if anything in it is in error.
    ///
    /// The parts of the node are, in this order, what repeats the block, its arguments, and a condition and a message
    /// for each rule. Preconditions hold before any argument is evaluated; postconditions see
    /// the instance as `self`.
    fn planned_instance(
        &mut self,
        resource: &Resource,
        node: NodeId,
        place: At<'_>,
        given: Option<&Value>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Value> {
        let n_before = diagnostics.len();
        let prepared: &Prepared = self.prepared(node);
        let repetition = usize::from(resource.is_repeated() || resource.repetition.enabled.is_some());
        let arguments = resource.arguments(self.evaluation.bounds());
        if self.evaluation.stopped() {
            diagnostics.extend(limit_beside(&mut self.evaluation, None));
            return None;
        }
        let (of_arguments, of_rules) = prepared.parts[repetition..].split_at(arguments.len());
        let rules = resource.rules.iter().zip(of_rules.chunks_exact(2));
        for (_, pair) in rules.clone().filter(|(rule, _)| !rule.is_postcondition) {
            if self.evaluation.stopped() {
                return None;
            }
            self.hold("Resource precondition failed", pair, place, diagnostics);
        }
        if has_errors(&diagnostics[n_before..]) {
            return None;
        }
        if let Err(limit) = self.evaluation.hold_parts(arguments.len(), size_of::<(Str, Value)>()) {
            diagnostics.extend(limit);
            return None;
        }
        let mut entries: Vec<(Str, Value)> = Vec::with_capacity(arguments.len() + 1);
        for (attribute, part) in arguments.iter().zip(of_arguments) {
            let (value, problems) = self.value(part, place);
            diagnostics.extend(problems);
            if self.evaluation.stopped() {
                return None;
            }
            entries.push((attribute.name().into(), value));
        }
        if has_errors(&diagnostics[n_before..]) {
            return None;
        }
        let value = match self.completed(resource, entries, given) {
            Ok(value) => value,
            Err(limit) => {
                diagnostics.extend(limit);
                return None;
            }
        };
        for (_, pair) in rules.filter(|(rule, _)| rule.is_postcondition) {
            if self.evaluation.stopped() {
                return None;
            }
            let place = At { own: Some(&value), ..place };
            self.hold("Resource postcondition failed", pair, place, diagnostics);
        }
        (!has_errors(&diagnostics[n_before..])).then_some(value)
    }

    /// The object of an instance: what the block sets, over it what is given, and the other attributes unknown.
    /// Attributes of a known type that a plan leaves unset are null. Of other types those attributes exist that
    /// expressions of the module take. A given value that is no object takes the place of all.
    ///
    /// # Errors
    /// A limit has been reached: every resource of a type has the attributes of all of them.
    fn completed(
        &mut self,
        resource: &Resource,
        mut entries: Vec<(Str, Value)>,
        given: Option<&Value>,
    ) -> Result<Value, Diagnostics> {
        if let Some(given) = given {
            let (plain, marks) = given.unmark();
            if plain.kind() != Kind::Object && plain.kind() != Kind::Map {
                return Ok(given.clone());
            }
            let n = entries.len() + plain.len().unwrap_or_default();
            self.evaluation.hold_parts(n, 4 * size_of::<(Str, Value)>())?;
            entries.retain(|(name, _)| plain.get_attribute(name).is_none());
            entries.reserve_exact(plain.len().unwrap_or_default());
            for (name, value) in plain.entries().into_iter().flatten() {
                if !self.evaluation.bounds().next_item() {
                    return Err(limit_beside(&mut self.evaluation, None));
                }
                entries.push((name.clone(), value.clone().with_marks(&marks)));
            }
        }
        let n_entries = entries.len();
        let known = known_attributes(resource.mode, &resource.resource_type);
        let configuration = self.configuration;
        let Some(attributes) = configuration.attributes(self.evaluation.bounds()) else {
            return Err(limit_beside(&mut self.evaluation, None));
        };
        let mut more = Vec::new();
        let n = attributes.names(resource).len() + n_entries;
        self.evaluation.hold_parts(n, 4 * size_of::<(Str, Value)>())?;
        let mut names: HashSet<Str> = HashSet::with_capacity_and_hasher(n_entries, Seeded);
        for (name, _) in entries.iter().take_while(|_| self.evaluation.bounds().next_item()) {
            names.insert(name.clone());
        }
        let input = entries.iter().find(|(name, _)| &**name == "input").map(|(_, value)| value);
        for name in attributes.names(resource) {
            if !self.evaluation.bounds().next_item() {
                return Err(limit_beside(&mut self.evaluation, None));
            }
            if names.contains(name) {
                continue;
            }
            let value = match (known, &**name) {
                (_, "id") => Value::unknown_not_null(Type::String),
                (None, _) | (_, "outputs") => Value::dynamic(),
                // Of the type that comes with the products, the output is what the input was.
                (_, "output") => match input.map(Value::unmarked).filter(|input| !input.is_null()) {
                    Some(input) => Value::unknown(input.ty()),
                    None => Value::null(Type::Dynamic),
                },
                (Some(_), _) => Value::null(Type::Dynamic),
            };
            more.push((name.clone(), value));
        }
        entries.extend(more);
        self.evaluation.object(entries)
    }

    /// Holds an instance against a condition.
    fn hold(
        &mut self,
        title: &'static str,
        pair: &[super::Part],
        place: At<'_>,
        diagnostics: &mut Diagnostics,
    ) {
        let [condition, message] = pair else { return };
        if let Verdict::Fails(text) = self.verdict(condition, message, place, About::Result, diagnostics) {
            diagnostics.push(self.broken(condition, text, place, "module.resource.condition", title));
        }
    }
}

/// A value that was given, and whether there is something that it is for.
struct Expected<'g> {
    /// The value and its address.
    given: &'g GivenValue,
    /// True if the module has an instance that the address names.
    has_module: Cell<bool>,
    /// True if the resource has one too.
    is_used: Cell<bool>,
}

impl<'g> Expected<'g> {
    /// A value for which nothing has been found.
    fn new(given: &'g GivenValue) -> Self {
        Self { given, has_module: Cell::new(false), is_used: Cell::new(false) }
    }

    /// The complaint if a key in its address is that of no instance. Nothing is said of a resource in a module without
    /// instances.
    fn without_instance(&self, resource: &Resource) -> Option<Diagnostic> {
        let detail = match (self.has_module.get(), &self.given.key) {
            (false, _) if self.given.names_module_instance() => {
                "no instance of the module has this key.".to_owned()
            }
            (true, Some(_)) if !self.is_used.get() => {
                format!("{} has no instance with this key.", resource.address())
            }
            _ => return None,
        };
        let detail = format!("A value is given for {:?}: {detail}", self.given.address);
        Some(resource.place.error("module.value.resource", "Nonexistent resource instance", detail))
    }
}

/// A resource with attributes that an expression takes and nothing else of the module names. They are unknown. An
/// object by `for_each` gets them in each of its instances; none of these has more once `looks` end the work.
pub(super) fn with_attributes(value: &Value, names: &[Str], is_repeated: bool, looks: &Looks<'_>) -> Value {
    let (plain, marks) = value.unmark();
    let value = match (plain.kind(), is_repeated) {
        (Kind::Object, false) => {
            let n = plain.len().unwrap_or_default() + names.len();
            if !looks.go_on(PARTS_OF_ATTRIBUTE.saturating_mul(n))
                || !looks.bounds().has_room(n.saturating_mul(2 * size_of::<(Str, Value)>()))
            {
                return value.clone();
            }
            let known = plain.entries().into_iter().flatten();
            let mut entries: Vec<(Str, Value)> =
                known.map(|(name, value)| (name.clone(), value.clone())).collect();
            let more = names.iter().filter(|name| plain.get_attribute(name).is_none());
            entries.extend(more.map(|name| (name.clone(), Value::dynamic())));
            Value::object(entries)
        }
        (Kind::Object, true) => {
            let entries = plain.entries().into_iter().flatten();
            Value::object(
                entries
                    .map(|(name, value)| (name.clone(), with_attributes(value, names, false, looks)))
                    .collect(),
            )
        }
        (Kind::Tuple, true) => {
            let elements = plain.elements().unwrap_or_default();
            Value::tuple(elements.iter().map(|value| with_attributes(value, names, false, looks)).collect())
        }
        _ => plain,
    };
    value.with_marks(&marks)
}

/// How much work an attribute of an object is.
pub(super) const PARTS_OF_ATTRIBUTE: usize = 16;

/// The position of the last value for each key, by the text of the key: the keys of a block are all of one kind. `None` if the
/// work is to end.
fn by_key(expected: &[&Expected<'_>], bounds: &mut dyn Bounds) -> Option<HashMap<String, usize>> {
    if !has_room_for_table::<(String, usize)>(expected.len(), bounds) {
        return None;
    }
    let mut by_key = HashMap::with_capacity_and_hasher(expected.len(), Default::default());
    for (at, one) in expected.iter().enumerate() {
        if !bounds.next_item() {
            return None;
        }
        if let Some(key) = &one.given.key {
            by_key.insert(key.to_text(), at);
        }
    }
    Some(by_key)
}

/// The key of an instance, as an address writes it.
fn key_of(each: &Each) -> Option<Key> {
    match each {
        Each::Count(index) => index.as_number()?.to_u64().map(Key::Position),
        Each::Key(key, _) => key.as_str().map(|key| Key::Name(key.to_owned())),
    }
}
