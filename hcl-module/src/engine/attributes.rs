//! Which attributes resources have, as far as the modules tell.
//!
//! Providers are not asked, so a type has the attributes that some block of the type sets and those that some
//! expression takes of a resource of the type. A local that holds a resource as a whole stands for it.

use hcl_eval::Str;
use hcl_syntax::ast::{ExpressionKind, ForExpression, StepKind, Steps, Visit, Walk as Visits};
use hcl_syntax::config::{Bounds, ConfigExpression, has_room_for_table, push_within};
use hcl_syntax::hash::{HashMap, HashSet, IndexMap, IndexSet};

use crate::config::Config;
use crate::declare::{Mode, Resource};
use crate::reference::known_attributes;
use crate::tree::Tree;

/// The type of resources.
type TypeKey = (Mode, String);

/// The attributes of the types that the modules of a tree use.
#[derive(Debug, Default)]
pub(crate) struct Attributes(HashMap<TypeKey, IndexSet<Str>>);

/// The attributes that an expression takes of resources.
#[derive(Default)]
struct Taken {
    /// Attributes that follow a reference.
    direct: Vec<(TypeKey, Str)>,
    /// The types of resources that are used as a whole.
    whole: IndexSet<TypeKey>,
    /// The locals that are used, by position.
    locals: IndexSet<usize>,
    /// Names that are taken of something else, which may be such a resource.
    loose: IndexSet<Str>,
}

impl Attributes {
    /// Gathers the attributes from all expressions of a tree; `None` if `bounds` end it.
    pub(crate) fn of(tree: &Tree, bounds: &mut dyn Bounds) -> Option<Self> {
        let mut all = Self::default();
        let mut done: HashSet<*const Config> = HashSet::default();
        for module in &tree.modules {
            if done.insert(std::sync::Arc::as_ptr(&module.config)) {
                all.gather(&module.config, bounds)?;
            }
        }
        Some(all)
    }

    /// Gathers from one module. A type that comes with the products has the attributes of its schema and gets no
    /// others.
    fn gather(&mut self, config: &Config, bounds: &mut dyn Bounds) -> Option<()> {
        for resource in config.resources.values() {
            bounds.next_item().then_some(())?;
            let n = self.0.len();
            if n == self.0.capacity() {
                has_room_for_table::<(TypeKey, IndexSet<Str>)>(2 * n, bounds).then_some(())?;
            }
            let names = self.0.entry(key(resource)).or_default();
            if let Some(known) = known_attributes(resource.mode, &resource.resource_type) {
                names.extend(known.iter().map(|name| Str::from(*name)));
                continue;
            }
            names.insert("id".into());
            for body in resource.bodies.iter().rev() {
                let content = body.everything_within(bounds);
                for attribute in content.attributes.iter() {
                    bounds.next_item().then_some(())?;
                    names.insert(attribute.name().into());
                }
                for block in &content.blocks {
                    bounds.next_item().then_some(())?;
                    let label = block.label(0).filter(|_| block.block_type() == "dynamic");
                    names.insert(label.map_or(block.block_type(), |label| label.text).into());
                }
            }
        }
        let mut locals = Vec::new();
        for local in config.locals.values() {
            let taken = taken(&local.attribute.expression(), config, bounds);
            (bounds.next_item() && push_within(&mut locals, taken, bounds)).then_some(())?;
        }
        let held = held_by(&locals, bounds)?;
        for one in &locals {
            self.add(one, &held, bounds)?;
        }
        for expression in expressions(config) {
            self.add(&taken(&expression, config, bounds), &held, bounds)?;
        }
        let mut added = Some(());
        for resource in config.resources.values() {
            resource.each_expression(bounds, &mut |expression, bounds| {
                added = added.and_then(|()| self.add(&taken(&expression, config, bounds), &held, bounds));
            });
            added?;
        }
        bounds.next_item().then_some(())
    }

    /// Adds what one expression takes. A name that is taken of something unclear goes to every type that the
    /// expression, or a local in it, has as a whole: rather too many attributes than an error for one that exists.
    fn add(&mut self, taken: &Taken, held: &[IndexSet<TypeKey>], bounds: &mut dyn Bounds) -> Option<()> {
        for (key, name) in &taken.direct {
            bounds.next_item().then_some(())?;
            self.insert(key, name);
        }
        let held = taken.locals.iter().flat_map(|&local| &held[local]);
        for key in taken.whole.iter().chain(held) {
            for name in &taken.loose {
                bounds.next_item().then_some(())?;
                self.insert(key, name);
            }
        }
        bounds.next_item().then_some(())
    }

    /// Adds an attribute to a type of the module, unless its schema is known.
    fn insert(&mut self, key: &TypeKey, name: &Str) {
        if known_attributes(key.0, &key.1).is_none()
            && let Some(names) = self.0.get_mut(key)
        {
            names.insert(name.clone());
        }
    }

    /// The attributes of a resource.
    pub(crate) fn names(&self, resource: &Resource) -> impl ExactSizeIterator<Item = &Str> {
        self.0.get(&key(resource)).map(IndexSet::iter).unwrap_or_default()
    }
}

/// The attributes that an expression takes of the resources of a module, by position of the resource. Fewer once `bounds` end
/// the work.
pub(crate) fn taken_by(
    expression: &ConfigExpression,
    config: &Config,
    bounds: &mut dyn Bounds,
) -> IndexMap<usize, Vec<Str>> {
    let taken = taken(expression, config, bounds);
    let mut direct = Attributes::default();
    for (key, name) in taken.direct {
        direct.0.entry(key).or_default().insert(name);
    }
    let mut found: IndexMap<usize, Vec<Str>> = IndexMap::default();
    for (at, resource) in config.resources.values().enumerate() {
        if !bounds.next_item() {
            break;
        }
        if known_attributes(resource.mode, &resource.resource_type).is_some() {
            continue;
        }
        let key = key(resource);
        let mut names: Vec<Str> = direct.names(resource).cloned().collect();
        let is_whole = taken.whole.contains(&key);
        if !bounds.goes_on(names.len() + if is_whole { taken.loose.len() } else { 0 }) {
            break;
        }
        if is_whole {
            names.extend(taken.loose.iter().cloned());
        }
        if !names.is_empty() {
            names.sort_unstable();
            names.dedup();
            found.insert(at, names);
        }
    }
    found
}

/// The type of a resource.
fn key(resource: &Resource) -> TypeKey {
    (resource.mode, resource.resource_type.clone())
}

/// All expressions of a module but its locals and those of resources.
fn expressions(config: &Config) -> impl Iterator<Item = ConfigExpression> {
    let rules = config.variables.values().flat_map(|one| &one.rules);
    let rules = rules.chain(config.outputs.values().flat_map(|one| &one.rules));
    let rules = rules.chain(config.checks.values().flat_map(|one| &one.rules));
    let rules = rules.flat_map(|rule| [rule.condition.clone(), rule.message.clone()]);
    let outputs = config.outputs.values().filter_map(|one| one.value.clone());
    let calls = config.calls.values().flat_map(|call| {
        let repetition = &call.repetition;
        let repetition = repetition.count.iter().chain(&repetition.for_each).chain(&repetition.enabled);
        repetition.chain(call.arguments.values().map(|one| &one.expression)).cloned().collect::<Vec<_>>()
    });
    rules.chain(outputs).chain(calls)
}

/// For every local the types of the resources that it may hold; `None` if `bounds` end the work.
fn held_by(locals: &[Taken], bounds: &mut dyn Bounds) -> Option<Vec<IndexSet<TypeKey>>> {
    // Locals may hold other locals, also in a ring, so what one holds is handed on to its users until nothing
    // changes.
    let n_bytes = locals.len().saturating_mul(size_of::<Vec<usize>>() + size_of::<IndexSet<TypeKey>>());
    bounds.has_room(n_bytes).then_some(())?;
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); locals.len()];
    for (user, one) in locals.iter().enumerate() {
        one.locals.iter().for_each(|&used| users[used].push(user));
    }
    let mut held: Vec<IndexSet<TypeKey>> = locals.iter().map(|one| one.whole.clone()).collect();
    let mut open: Vec<usize> = (0..locals.len()).filter(|&at| !held[at].is_empty()).collect();
    while let Some(at) = open.pop() {
        for &user in &users[at] {
            (bounds.next_item() && bounds.goes_on(PARTS_OF_TYPE.saturating_mul(held[at].len())))
                .then_some(())?;
            let more: Vec<TypeKey> = held[at].difference(&held[user]).cloned().collect();
            if !more.is_empty() {
                held[user].extend(more);
                open.push(user);
            }
        }
    }
    Some(held)
}

/// How much work it is to find a type in a set.
const PARTS_OF_TYPE: usize = 16;

/// The attributes that an expression takes. Names behind a `for` variable are loose: the variable may be a resource. Fewer once
/// `bounds` end the work.
fn taken(expression: &ConfigExpression, config: &Config, bounds: &mut dyn Bounds) -> Taken {
    let mut taken = Taken::default();
    let syntax = expression.syntax();
    let mut bound: Vec<ForExpression<'_>> = Vec::new();
    for visit in Visits::new(syntax.expression()) {
        // A name is looked for among those of all `for` expressions around it.
        if !bounds.next_item() || !bounds.goes_on(bound.len()) {
            break;
        }
        match visit {
            Visit::EnterFor(scope) => bound.push(scope),
            Visit::LeaveFor => {
                bound.pop();
            }
            Visit::EnterSplat | Visit::LeaveSplat => {}
            Visit::Expression(expression) => match expression.kind() {
                ExpressionKind::RelativeTraversal { steps, .. } => taken.loose.extend(names_in(steps, 0)),
                ExpressionKind::Traversal(traversal) => {
                    let root = traversal.root();
                    let is_bound = |scope: &ForExpression<'_>| {
                        scope.value_name() == root || scope.key_name() == Some(root)
                    };
                    if bound.iter().any(is_bound) {
                        taken.loose.extend(names_in(traversal.steps(), 0));
                    } else {
                        taken.refer(root, traversal.steps(), config);
                    }
                }
                _ => {}
            },
        }
    }
    taken
}

impl Taken {
    /// Takes up a reference, which is one to a resource only if the module declares it.
    fn refer(&mut self, root: &str, steps: Steps<'_>, config: &Config) {
        let name_at = |at: usize| match steps.iter().nth(at)?.kind {
            StepKind::Attribute(name) => Some(name),
            _ => None,
        };
        if root == "local" {
            let local = name_at(0).and_then(|name| config.locals.get_index_of(name));
            self.locals.extend(local);
            self.loose.extend(names_in(steps, 1));
            return;
        }
        let (mode, first) = match root {
            "data" => (Mode::Data, 0),
            "ephemeral" => (Mode::Ephemeral, 0),
            "resource" => (Mode::Managed, 0),
            _ => (Mode::Managed, usize::MAX),
        };
        let (resource_type, behind) = match first {
            // The root itself is the type.
            usize::MAX => (Some(root), 0),
            at => (name_at(at), at + 1),
        };
        let Some((resource_type, name)) = resource_type.zip(name_at(behind)) else { return };
        if config.resource(mode, resource_type, name).is_none() {
            return;
        }
        let key = (mode, resource_type.to_owned());
        match names_in(steps, behind + 1).next() {
            Some(name) => self.direct.push((key, name)),
            None => {
                self.whole.insert(key);
            }
        }
    }
}

/// The names that an expression takes of what it can't tell the attributes of: behind an index, a splat or a call, of what
/// a `for` binds, and literal keys.
pub(crate) fn names_taken(expression: &ConfigExpression) -> HashSet<Str> {
    let syntax = expression.syntax();
    let mut names = HashSet::default();
    for visit in Visits::new(syntax.expression()) {
        let Visit::Expression(expression) = visit else { continue };
        let steps = match expression.kind() {
            ExpressionKind::RelativeTraversal { steps, .. } => steps,
            ExpressionKind::Traversal(traversal) => traversal.steps(),
            _ => continue,
        };
        names.extend(names_in(steps, 0));
        names.extend(steps.iter().filter_map(|step| match step.kind {
            StepKind::Index(key) => match key.kind() {
                ExpressionKind::Text(text) => Some(Str::from(text)),
                _ => None,
            },
            _ => None,
        }));
    }
    names
}

/// The names among steps, from a position on.
fn names_in(steps: Steps<'_>, from: usize) -> impl Iterator<Item = Str> {
    steps.after(from).iter().filter_map(|step| match step.kind {
        StepKind::Attribute(name) => Some(Str::from(name)),
        _ => None,
    })
}
