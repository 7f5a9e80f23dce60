//! How often a module is called: `count`, `for_each`, `enabled`.
//!
//! Instances of a module are one flat list, in which those of one instance of the caller stand together. A node of
//! the module has a value for each position of the list. Only the console makes the instances that the module asks
//! for; the other walks look at one instance of unknown key.

use std::ops::Range;

use hcl_eval::convert::convert;
use hcl_eval::types::Type;
use hcl_eval::value::Kind;
use hcl_eval::{Str, Value};
use hcl_syntax::config::{Bounds, push_within};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};

use super::{Engine, Outcome, State, Walk};
use crate::declare::block::Repetition;
use crate::engine::expression::Place as At;
use crate::place::Place;
use crate::reference::Target;
use crate::release::Release;
use crate::tree::NodeId;

/// The most instances that a module may have, whatever the limits are.
pub(super) const MOST_INSTANCES: usize = 100_000;

/// How much work it is to make an instance, and to release it.
const PARTS_OF_INSTANCE: usize = 8;

/// The values of `count` and `each` in an instance.
#[derive(Clone, Debug)]
pub(crate) enum Each {
    /// `count.index`
    Count(Value),
    /// `each.key` and `each.value`
    Key(Value, Value),
}

impl Each {
    /// The value of `count.index`, `each.key` or `each.value`, if the instance has it.
    pub(crate) fn value(&self, target: Target) -> Option<Value> {
        match (self, target) {
            (Self::Count(index), Target::CountIndex) => Some(index.clone()),
            (Self::Key(key, _), Target::EachKey) => Some(key.clone()),
            (Self::Key(_, value), Target::EachValue) => Some(value.clone()),
            _ => None,
        }
    }

    /// The key; empty for an instance that `count` makes.
    pub(super) fn name(&self) -> Str {
        match self {
            Self::Key(key, _) => key.as_text().cloned().unwrap_or_default(),
            Self::Count(_) => Str::default(),
        }
    }
}

/// An instance of a module.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The instance of the module that calls it.
    pub(crate) parent: usize,
    /// The key that it is made by, if the call is repeated.
    pub(crate) each: Option<Each>,
}

/// The form of the value of a module call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// One object.
    Single,
    /// Not enabled.
    Off,
    /// A tuple of objects, by `count`; a list if every output has a type.
    Counted,
    /// An object of objects, by `for_each`; a map if every output has a type.
    Keyed,
    /// Nobody knows how many.
    Unknown,
}

/// The instances of a module, those of one caller's instance together.
#[derive(Clone, Debug)]
pub(crate) struct Instances {
    all: Vec<Instance>,
    /// For every instance of the caller its own, and what their value looks like.
    of_parent: Vec<(Range<usize>, Shape)>,
}

impl Instances {
    /// No instances for any caller.
    pub(crate) const fn none() -> Self {
        Self { all: Vec::new(), of_parent: Vec::new() }
    }

    /// The one instance of the root.
    pub(crate) fn root() -> Self {
        Self { all: vec![Instance { parent: 0, each: None }], of_parent: vec![(0..1, Shape::Single)] }
    }

    /// How many there are, for all instances of the caller.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// All of them, in the order of their positions.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Instance> {
        self.all.iter()
    }

    /// The positions of those of one instance of the caller, and the form of their value.
    pub(crate) fn of_parent(&self, parent: usize) -> (Range<usize>, Shape) {
        self.of_parent.get(parent).cloned().unwrap_or((0..0, Shape::Unknown))
    }

    /// Returns whether it is known how many there are.
    pub(crate) fn are_known(&self) -> bool {
        self.of_parent.iter().all(|(_, shape)| *shape != Shape::Unknown)
    }

    /// The key of an instance that has one.
    pub(crate) fn key(&self, at: usize) -> Str {
        self.all.get(at).and_then(|instance| instance.each.as_ref()).map(Each::name).unwrap_or_default()
    }

    /// Adds those of the next instance of the caller, as far as the bounds allow.
    fn add(&mut self, parent: usize, shape: Shape, each: Vec<Option<Each>>, bounds: &mut dyn Bounds) {
        let start = self.all.len();
        for each in each {
            if !bounds.goes_on(PARTS_OF_INSTANCE)
                || !push_within(&mut self.all, Instance { parent, each }, bounds)
            {
                break;
            }
        }
        push_within(&mut self.of_parent, (start..self.all.len(), shape), bounds);
    }
}

/// The instances that one value makes.
pub(super) type Made = Result<(Shape, Vec<Option<Each>>), Diagnostic>;

impl Engine<'_> {
    /// The instances of a module, which are those of all instances of its caller. A wrong `count` in one of these
    /// leaves the others as they are.
    pub(super) fn expand(&mut self, module: usize, node: NodeId) -> Outcome {
        let tree = self.tree();
        let Some((parent, call)) = tree.modules[module].parent else {
            return done(Instances::root(), Diagnostics::new());
        };
        let Some((_, call)) = tree.modules[parent].config.calls.get_index(call) else {
            return done(Instances::none(), Diagnostics::new());
        };
        let prepared = self.prepared(node);
        let (mut instances, mut diagnostics) = (Instances::none(), Diagnostics::new());
        // OpenTofu shows a call that is repeated by something wrong as one that is repeated never.
        let shape_of_failed = match &call.repetition {
            Repetition { count: Some(_), .. } if tree.release.is_tofu() => Shape::Counted,
            Repetition { for_each: Some(_), .. } if tree.release.is_tofu() => Shape::Keyed,
            _ => Shape::Unknown,
        };
        for at in 0..self.instances(parent).len() {
            if !self.may_go_on(&mut diagnostics) {
                break;
            }
            let made = match prepared.parts.first() {
                None => Ok((Shape::Single, vec![None])),
                Some(part) => {
                    let (value, problems) = self.value(part, At::plain(parent, at));
                    let failed = hcl_syntax::diagnostic::has_errors(&problems);
                    diagnostics.extend(problems);
                    if failed {
                        instances.add(at, shape_of_failed, Vec::new(), self.evaluation.bounds());
                        continue;
                    }
                    let place = Place::of(&part.expression);
                    if call.repetition.count.is_some() {
                        self.counted(&value, &place)
                    } else if call.repetition.for_each.is_some() {
                        self.keyed(&value, &place)
                    } else {
                        switched(&value, &place)
                    }
                }
            };
            let made = made.and_then(|(shape, each)| {
                let is_few = instances.len() + each.len() <= self.max_instances;
                if is_few { Ok((shape, each)) } else { Err(self.too_many(&call.place)) }
            });
            let (shape, each) = made.unwrap_or_else(|problem| {
                diagnostics.push(problem);
                (shape_of_failed, Vec::new())
            });
            instances.add(at, shape, each, self.evaluation.bounds());
        }
        done(instances, diagnostics)
    }

    /// The complaint about more instances than the limit allows.
    pub(super) fn too_many(&self, place: &Place) -> Diagnostic {
        let detail =
            format!("There would be more instances than the limit of {} allows.", self.max_instances);
        place.error("limit.instances", "Too many instances", detail)
    }

    /// The instances that a `count` makes.
    pub(super) fn counted(&mut self, value: &Value, place: &Place) -> Made {
        let n = count(value, self.tree().release, self.walk, place)?;
        let Some(n) = n else {
            let index = Value::unknown_not_null(Type::Number);
            return Ok((Shape::Unknown, vec![Some(Each::Count(index))]));
        };
        if n > self.max_instances as u64 {
            return Err(self.too_many(place));
        }
        if self.walk != Walk::Console {
            let index = Value::unknown_not_null(Type::Number);
            return Ok((Shape::Unknown, vec![Some(Each::Count(index))]));
        }
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        if !self.has_room_for_instances(n) {
            return Ok((Shape::Unknown, Vec::new()));
        }
        Ok((Shape::Counted, (0..n).map(|index| Some(Each::Count(Value::count(index)))).collect()))
    }

    /// The instances that a `for_each` makes, in the order of the keys' bytes.
    pub(super) fn keyed(&mut self, value: &Value, place: &Place) -> Made {
        let is_known = for_each(value, self.walk, self.tree().release.is_tofu(), place)?;
        if !is_known || self.walk != Walk::Console {
            let key = Value::unknown_not_null(Type::String);
            return Ok((Shape::Unknown, vec![Some(Each::Key(key, Value::dynamic()))]));
        }
        if !self.has_room_for_instances(value.len().unwrap_or_default()) {
            return Ok((Shape::Unknown, Vec::new()));
        }
        let each = match value.entries() {
            Some(entries) => {
                let key = |name: &Str| Value::string_nfc(name.clone());
                entries.map(|(name, value)| Some(Each::Key(key(name), value.clone()))).collect()
            }
            None => {
                let elements = value.elements().unwrap_or_default();
                elements.iter().map(|one| Some(Each::Key(one.clone(), one.clone()))).collect()
            }
        };
        Ok((Shape::Keyed, each))
    }

    /// Asks for the time and the memory of so many instances; without them the evaluation has ended.
    fn has_room_for_instances(&mut self, n: usize) -> bool {
        // They are listed twice: those of one value, and those of the module, a list that grows beside the one before.
        let n_bytes = size_of::<Option<Each>>() + 3 * size_of::<Instance>();
        let bounds = self.evaluation.bounds();
        bounds.goes_on(n.saturating_mul(PARTS_OF_INSTANCE)) && bounds.has_room(n.saturating_mul(n_bytes))
    }
}

/// The outcome of the node of instances.
fn done(instances: Instances, diagnostics: Diagnostics) -> Outcome {
    let state = if hcl_syntax::diagnostic::has_errors(&diagnostics) { State::Failed } else { State::Good };
    Outcome { state, instances: Some(instances), diagnostics, ..Outcome::default() }
}

/// How many a `count` asks for; nothing if that is not known where it need not be.
///
/// # Errors
/// It is no number to count with.
pub(crate) fn count(
    value: &Value,
    release: Release,
    walk: Walk,
    place: &Place,
) -> Result<Option<u64>, Diagnostic> {
    let refused = |detail: &str| {
        place.error("module.count", "Invalid count argument", format!("The value of \"count\" {detail}."))
    };
    if release.refuses_ephemeral_count() && value.marks().contains_name("ephemeral") {
        return Err(refused("is ephemeral, and how often something is made has to be known afterwards"));
    }
    // A sensitive count is accepted and the mark dropped, as the products do.
    let plain = value.unmarked();
    if plain.is_null() {
        return Err(refused("is null. It is a whole number, zero for none"));
    }
    let number = convert(plain, &Type::Number).map_err(|error| {
        place.error(
            "module.count",
            "Incorrect value type",
            format!("The value of \"count\" is no number: {}.", error.reason()),
        )
    })?;
    if !number.is_known() {
        return if walk == Walk::Console {
            Err(refused("is not known, so nobody could say how many there are"))
        } else {
            Ok(None)
        };
    }
    let Some(number) = number.as_number() else { return Ok(None) };
    let text = || match number.text_len_bound() < 256 {
        true => number.to_text(),
        false => "a number of many digits".to_owned(),
    };
    match number.to_u64() {
        Some(n) => Ok(Some(n)),
        None if number.is_negative() => {
            Err(refused(&format!("is {}, and there is no less than none", text())))
        }
        None if number.is_integer() || number.is_infinite() => Ok(Some(u64::MAX)),
        None => Err(refused(&format!("is {}. It has to be a whole number", text()))),
    }
}

/// Returns whether it is known what a `for_each` repeats something by: a map, an object, or a set whose elements are their own
/// keys. It may be unknown where it need not be known.
///
/// # Errors
/// There is nothing that instances could be told apart by.
pub(crate) fn for_each(value: &Value, walk: Walk, is_tofu: bool, place: &Place) -> Result<bool, Diagnostic> {
    let refused = |detail: &str| {
        let detail = format!("The value of \"for_each\" {detail}.");
        place.error("module.for_each", "Invalid for_each argument", detail)
    };
    let of_set = |detail: &str| {
        let title = if is_tofu { "Invalid for_each argument" } else { "Invalid for_each set argument" };
        place.error("module.for_each", title.to_owned(), format!("The set for \"for_each\" {detail}."))
    };
    for kind in ["sensitive", "ephemeral"] {
        if value.marks().contains_name(kind) {
            return Err(refused(&format!("is {kind}, and its keys would be shown")));
        }
    }
    if value.is_null() {
        return Err(refused("is null. It is a map or a set of strings, an empty one for none"));
    }
    if !value.is_known() {
        let fits = matches!(value.type_kind(), Some(Kind::Map | Kind::Set | Kind::Object) | None);
        return match (walk, fits) {
            (_, false) => Err(refused("is neither a map nor a set of strings")),
            (Walk::Console, true) => Err(refused("is not known, so nobody could say how many there are")),
            (Walk::Validate | Walk::Static, true) => Ok(false),
        };
    }
    match value.kind() {
        Kind::Map | Kind::Object => Ok(true),
        Kind::Set => match are_keys(value) {
            Ok(()) => Ok(true),
            Err(WrongMember::NoKey(detail)) => Err(of_set(detail)),
            Err(WrongMember::Unknown) if walk == Walk::Console => {
                Err(refused("has elements that are not known"))
            }
            Err(WrongMember::Unknown) => Ok(false),
        },
        _ => Err(refused("is neither a map nor a set of strings. Make a set of a list with toset")),
    }
}

/// Why the elements of a set are no keys.
enum WrongMember {
    /// One of them can't be a key, and this says of the set what is wrong.
    NoKey(&'static str),
    /// One of them is not known.
    Unknown,
}

/// Checks that the elements of a set can be keys.
fn are_keys(value: &Value) -> Result<(), WrongMember> {
    if !matches!(value.element_type(), Some(Type::String | Type::Dynamic)) {
        let detail = "has elements that are no strings. Make it one of strings with toset and tostring";
        return Err(WrongMember::NoKey(detail));
    }
    let is_key = |element: &Value| match element.as_str() {
        Some(_) => Ok(()),
        None if element.is_null() => Err(WrongMember::NoKey("has an element that is null")),
        None => Err(WrongMember::Unknown),
    };
    value.elements().unwrap_or_default().iter().try_for_each(is_key)
}

/// The instance that `enabled` allows, or none.
pub(super) fn switched(value: &Value, place: &Place) -> Made {
    let refused = |detail: &str| {
        place.error(
            "module.enabled",
            "Invalid enabled argument",
            format!("The value of \"enabled\" {detail}."),
        )
    };
    for kind in ["sensitive", "ephemeral"] {
        if value.marks().contains_name(kind) {
            return Err(refused(&format!("is {kind}, and whether something is there can be seen")));
        }
    }
    match convert(value, &Type::Bool) {
        Ok(value) if value.is_null() => Err(refused("is null. It is true or false")),
        Ok(value) => match value.as_bool() {
            Some(true) => Ok((Shape::Single, vec![None])),
            Some(false) => Ok((Shape::Off, Vec::new())),
            None => Err(refused("is not known")),
        },
        Err(error) => Err(refused(&format!("is neither true nor false: {}", error.reason()))),
    }
}
