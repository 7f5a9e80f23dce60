//! The value of an expression at its place in the tree: the scope with what it refers to, and nothing else.

use std::sync::Arc;

use hcl_eval::eval::{Evaluation, Scope, ScopeBuilder};
use hcl_eval::host::{Host, HostError};
use hcl_eval::types::Type;
use hcl_eval::value::Mark;
use hcl_eval::{Str, Value};
use hcl_syntax::config::Bounds;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, NamedValue};
use hcl_syntax::hash::IndexMap;

use super::attributes::names_taken;
use super::expansion::{Each, Shape};
use super::plan::{PARTS_OF_ATTRIBUTE, with_attributes};
use super::variable::marked;
use super::{Engine, Looks, PARTS_OF_REFERENCE, Part, State, Walk, limit_beside};
use crate::declare::Mode;
use crate::names::{PathName, applying, run_roots};
use crate::place::Place as Written;
use crate::reference::{Target, known_attributes};
use crate::tree::NodeKind;

/// Where an expression stands.
#[derive(Copy, Clone)]
pub(crate) struct Place<'p> {
    /// The module, by position in the tree.
    pub(crate) module: usize,
    /// The instance of the module, by position in its list.
    pub(crate) instance: usize,
    /// The meaning of `count` and `each`.
    pub(crate) each: Option<&'p Each>,
    /// The variable whose conditions it belongs to.
    pub(crate) condition_of: Option<usize>,
    /// The meaning of `self`.
    pub(crate) own: Option<&'p Value>,
}

impl Place<'_> {
    /// A place in a module where nothing is repeated.
    pub(crate) fn plain(module: usize, instance: usize) -> Self {
        Self { module, instance, each: None, condition_of: None, own: None }
    }
}

impl Engine<'_> {
    /// The value of an expression whose needs have been demanded. What its references are in error about is told
    /// instead of evaluating it.
    pub(crate) fn value(&mut self, part: &Part, place: Place<'_>) -> (Value, Diagnostics) {
        if !part.problems.is_empty() {
            return (Value::dynamic(), part.problems.clone());
        }
        let configuration = self.configuration;
        let scope = self.scope(&part.targets, place, &configuration.functions);
        if let Some(limit) = self.ended.get() {
            return (Value::dynamic(), limit_beside(&mut self.evaluation, Some(limit)));
        }
        match scope {
            Ok(scope) => {
                let (value, mut problems) = self.evaluation.evaluate(&part.expression, Some(&scope));
                problems.extend(self.deprecated_outputs(part, place.module));
                (value, problems)
            }
            Err(problem) => {
                let span = part.expression.span();
                (Value::dynamic(), vec![problem.at(part.expression.source(), span)])
            }
        }
    }

    /// The values of the variables of an expression whose needs have been demanded, for a diagnostic about it.
    pub(crate) fn values_in(&mut self, part: &Part, place: Place<'_>) -> Vec<NamedValue> {
        let configuration = self.configuration;
        match self.scope(&part.targets, place, &configuration.functions) {
            Ok(scope) if self.ended.get().is_none() => {
                self.evaluation.values_in(&part.expression, Some(&scope))
            }
            _ => Vec::new(),
        }
    }

    /// The warnings about outputs that are not to be used any more, unless a call on the way says not to tell.
    pub(crate) fn deprecated_outputs(&self, part: &Part, module: usize) -> Diagnostics {
        let tree = self.tree();
        if tree.is_silent(module) {
            return Diagnostics::new();
        }
        let mut named = Vec::new();
        let mut taken = None;
        for &target in &part.targets {
            match target {
                Target::Output(call, output) => {
                    let output =
                        tree.called(module, call).and_then(|called| called.outputs.get_index(output));
                    named.extend(output.and_then(|(_, output)| output.deprecated.as_ref()));
                }
                // Which outputs of the whole are used is told by the names that the expression takes.
                Target::Module(call) => {
                    let outputs =
                        tree.called(module, call).into_iter().flat_map(|called| called.outputs.values());
                    for output in outputs.filter(|output| output.deprecated.is_some()) {
                        let taken = taken.get_or_insert_with(|| names_taken(&part.expression));
                        if taken.contains(output.name.as_str()) {
                            named.extend(output.deprecated.as_ref());
                        }
                    }
                }
                _ => {}
            }
        }
        let warning = |(text, _): &(String, Written)| {
            let title = match tree.release.is_tofu() {
                true => "Value derived from a deprecated source",
                false => "Deprecated value used",
            };
            let detail = format!("An output that is used here is not to be used any more: {text}");
            Written::of(&part.expression).warning("module.deprecated", title, detail)
        };
        named.into_iter().map(warning).collect()
    }

    /// A scope with what is referred to; of some of it, if a limit ends that, which [`Engine::ended`] tells.
    ///
    /// # Errors
    /// The host does not tell the working directory.
    pub(crate) fn scope(
        &mut self,
        targets: &[Target],
        place: Place<'_>,
        functions: &Arc<Scope>,
    ) -> Result<Arc<Scope>, Diagnostic> {
        let mut names = Names::default();
        // An expression may name several outputs of a call, and the call as a whole; its value is made once.
        let mut modules: IndexMap<usize, Vec<Option<usize>>> = IndexMap::default();
        let looks = self.looks();
        // Each name has an entry in a list, and one in the object that is made of it.
        if targets.len() > MANY_TARGETS {
            looks.bounds().has_room(targets.len().saturating_mul(2 * size_of::<(Str, Value)>()));
        }
        for &target in targets {
            if !looks.go_on(PARTS_OF_REFERENCE) {
                break;
            }
            match target {
                Target::Variable(at) => {
                    let (name, value) = self.variable_value(at, place);
                    names.add("var", name, value);
                }
                Target::Local(at) => {
                    let node = self.tree().node(place.module, NodeKind::Local(at));
                    let (name, _) = self.tree().modules[place.module].config.locals.get_index(at).unzip();
                    let value = self.outcome(node).value(place.instance).cloned();
                    names.add("local", name.map_or("", String::as_str), value.unwrap_or_else(Value::dynamic));
                }
                Target::Path(name) => names.add("path", name.as_str(), self.path(name, place.module)?),
                Target::Workspace => names.add_run("workspace", Value::string(&self.configuration.workspace)),
                Target::Applying => names.add_run("applying", applying()),
                Target::CountIndex | Target::EachKey | Target::EachValue => {
                    let value = place
                        .each
                        .and_then(|each| each.value(target))
                        .unwrap_or_else(|| nobody_knows(target));
                    let (root, name) = match target {
                        Target::CountIndex => ("count", "index"),
                        Target::EachKey => ("each", "key"),
                        _ => ("each", "value"),
                    };
                    names.add(root, name, value);
                }
                Target::Module(call) | Target::NoOutput(call) => modules.entry(call).or_default().push(None),
                Target::Output(call, output) => modules.entry(call).or_default().push(Some(output)),
                Target::Resource(at) => self.add_resource(at, place, &looks, &mut names),
                Target::Own => names.own = Some(place.own.cloned().unwrap_or_else(Value::dynamic)),
            }
        }
        for (call, outputs) in modules {
            let (name, _) = self.tree().modules[place.module].config.calls.get_index(call).unzip();
            let value = self.module_value(place, call, &outputs, &looks);
            names.add("module", name.map_or("", String::as_str), value);
        }
        self.ended.set(looks.stopped());
        let tofu = self.tree().release.is_tofu();
        let builder = Scope::builder().parent(Arc::clone(functions));
        let builder = match &self.configuration.aliases {
            Some(aliases) => builder.functions(Arc::clone(aliases)),
            None => builder,
        };
        Ok(names.build(builder, tofu, &mut self.evaluation))
    }

    /// The name of a variable and its value for an expression at a place.
    fn variable_value(&self, at: usize, place: Place<'_>) -> (&str, Value) {
        let config = &self.tree().modules[place.module].config;
        let Some((name, declared)) = config.variables.get_index(at) else { return ("", Value::dynamic()) };
        let node = self.tree().node(place.module, NodeKind::Variable(at));
        // A module is valid or not whatever its variables are: only its conditions on a value see it.
        let is_hidden = self.walk == Walk::Validate && place.condition_of != Some(at);
        let value = self.outcome(node).value(place.instance).filter(|_| !is_hidden).cloned();
        let value = value.unwrap_or_else(|| marked(declared.unknown(), declared));
        // Older releases showed a variable's own validations its value without the mark.
        let is_bare = place.condition_of == Some(at) && !self.tree().release.validates_with_marks();
        let value = match is_bare && declared.is_sensitive() {
            true => value.unmarked().clone().with_marks(&value.marks().without(&Mark::sensitive())),
            false => value,
        };
        (name, value)
    }

    /// The value of `path.module`, `path.root` or `path.cwd`.
    fn path(&self, name: PathName, module: usize) -> Result<Value, Diagnostic> {
        let told = match name {
            PathName::Module => return Ok(Value::string(&self.tree().modules[module].folder)),
            PathName::Root => return Ok(Value::string(&self.configuration.root_folder)),
            PathName::Cwd => self.host.map(Host::working_directory),
        };
        match told {
            Some(Ok(folder)) => Ok(Value::string(folder)),
            Some(Err(HostError::NotKnownYet)) => Ok(Value::unknown_not_null(Type::String)),
            _ => {
                let detail = "The name of the working directory is not told here. A host that allows files tells it, and \
                              so does the command with --allow fs.";
                Err(Diagnostic::error("module.path.cwd", "Working directory not allowed", detail))
            }
        }
    }

    /// Adds the value of a resource. Without a plan it is unknown, but for the attributes of a single one of a known
    /// type in newer releases.
    fn add_resource(&self, at: usize, place: Place<'_>, looks: &Looks<'_>, names: &mut Names) {
        let module = place.module;
        let Some((_, resource)) = self.tree().modules[module].config.resources.get_index(at) else { return };
        if self.tree().plans
            && let Some(value) =
                self.outcome(self.tree().node(module, NodeKind::Resource(at))).value(place.instance)
        {
            let value = match self.asked.get(&at).filter(|_| module == 0) {
                Some(asked) => with_attributes(value, asked, resource.is_repeated(), looks),
                None => value.clone(),
            };
            names.add_resource(resource.mode, &resource.resource_type, &resource.name, value);
            return;
        }
        let known = known_attributes(resource.mode, &resource.resource_type);
        let is_single = !resource.is_repeated() && self.tree().release.knows_resource_types();
        let value = match known.filter(|_| is_single) {
            Some(known) if resource.resource_type == "terraform_data" => {
                // The identifier is a text; the types of the other attributes depend on what is given.
                let attribute = |name: &&str| {
                    let ty = if *name == "id" { Type::String } else { Type::Dynamic };
                    (Str::from(*name), Value::unknown(ty))
                };
                Value::object(known.iter().map(attribute).collect())
            }
            _ => Value::dynamic(),
        };
        let value = if resource.mode == Mode::Ephemeral { value.mark(Mark::ephemeral()) } else { value };
        names.add_resource(resource.mode, &resource.resource_type, &resource.name, value);
    }

    /// The value of a module call: its outputs, as far as they are asked for; `None` asks for all. Fewer instances are in it
    /// once `looks` end the work.
    fn module_value(
        &self,
        place: Place<'_>,
        call: usize,
        asked: &[Option<usize>],
        looks: &Looks<'_>,
    ) -> Value {
        let Some(child) = self.tree().modules[place.module].children.get(call).copied().flatten() else {
            return Value::dynamic();
        };
        if self.walk != Walk::Console {
            return self.unknown_module(place.module, call, child);
        }
        let instances = self.instances(child);
        let (range, shape) = instances.of_parent(place.instance);
        // A reader of certain outputs sees nothing of the object that holds them.
        let is_whole = asked.contains(&None);
        let ty = if is_whole { self.type_of_outputs(child) } else { None };
        let n_outputs = self.tree().modules[child].config.outputs.len();
        let asked: Vec<usize> =
            if is_whole { (0..n_outputs).collect() } else { asked.iter().copied().flatten().collect() };
        // Beside each object there is a place in the list of them, which is copied to where it stays.
        let n_bytes = asked.len().saturating_mul(size_of::<(Str, Value)>()) + 4 * size_of::<(Str, Value)>();
        looks.bounds().has_room(range.len().saturating_mul(n_bytes));
        let n_parts = PARTS_OF_ATTRIBUTE.saturating_mul(asked.len() + 1);
        let range = range.take_while(|_| looks.go_on(n_parts));
        let object = |instance: usize| self.outputs(child, instance, &asked);
        match shape {
            Shape::Single => range.map(object).next().unwrap_or_else(Value::dynamic),
            // OpenTofu gives null for a module that `enabled` switches off.
            Shape::Off => Value::null(Type::Dynamic),
            Shape::Unknown => Value::dynamic(),
            Shape::Counted => {
                let values: Vec<Value> = range.map(object).collect();
                match ty {
                    Some(ty) => Value::list(ty, values),
                    None => Value::tuple(values),
                }
            }
            Shape::Keyed => {
                let entries = range.map(|at| (instances.key(at), object(at))).collect();
                match ty {
                    Some(ty) => Value::map(ty, entries),
                    None => Value::object(entries),
                }
            }
        }
    }

    /// Returns the value of a module whose outputs have no values yet: its instances and the names of its outputs are
    /// known.
    fn unknown_module(&self, caller: usize, call: usize, child: usize) -> Value {
        let outputs = &self.tree().modules[child].config.outputs;
        let attributes =
            outputs.keys().map(|name| hcl_eval::ObjectAttribute::new(name.as_str(), Type::Dynamic));
        let one = Type::object(attributes.collect());
        let repetition =
            self.tree().modules[caller].config.calls.get_index(call).map(|(_, call)| &call.repetition);
        Value::unknown(match repetition {
            Some(repetition) if repetition.count.is_some() => Type::list(one),
            Some(repetition) if repetition.for_each.is_some() => Type::map(one),
            _ => one,
        })
    }

    /// The type of a module's outputs, if every one has a type that leaves nothing open. From Terraform 1.15 on a
    /// repeated module then is a list or a map, also without instances; otherwise it is a tuple or an object.
    fn type_of_outputs(&self, child: usize) -> Option<Type> {
        if !self.tree().release.has_typed_outputs() {
            return None;
        }
        let outputs = &self.tree().modules[child].config.outputs;
        let attributes = outputs.values().map(|output| {
            let ty = output.constraint.as_ref()?.ty.without_optional();
            (!ty.has_dynamic()).then(|| hcl_eval::ObjectAttribute::new(output.name.as_str(), ty))
        });
        Some(Type::object(attributes.collect::<Option<_>>()?))
    }

    /// The outputs of an instance as an object. One that failed is unknown for Terraform and not there for OpenTofu.
    fn outputs(&self, child: usize, instance: usize, asked: &[usize]) -> Value {
        let is_tofu = self.tree().release.is_tofu();
        let config = &self.tree().modules[child].config;
        let mut entries = Vec::with_capacity(asked.len());
        for &at in asked {
            let Some((name, declared)) = config.outputs.get_index(at) else { continue };
            let outcome = self.outcome(self.tree().node(child, NodeKind::Output(at)));
            if is_tofu && outcome.state == State::Failed {
                continue;
            }
            let unknown = || {
                let constraint = declared.constraint.as_ref();
                Value::unknown(
                    constraint.map_or(Type::Dynamic, |constraint| constraint.ty.without_optional()),
                )
            };
            entries
                .push((Str::from(name.as_str()), outcome.value(instance).cloned().unwrap_or_else(unknown)));
        }
        Value::object(entries)
    }

    /// The word for a name that got no value, for the complaint about a reference to something uninitialized; none if
    /// the value can be used. A local has none if something that it needs failed; OpenTofu does not tell of locals.
    pub(crate) fn uninitialized(&self, target: Target, module: usize) -> Option<&'static str> {
        match target {
            Target::Variable(at) => {
                let value = self.tree().node(module, NodeKind::Variable(at));
                let failed = self.outcome(value).state != State::Good;
                failed.then_some("variable")
            }
            Target::Local(at) => {
                let node = self.tree().node(module, NodeKind::Local(at));
                let skipped = self.outcome(node).state == State::Skipped && !self.tree().release.is_tofu();
                skipped.then_some("local value")
            }
            _ => None,
        }
    }
}

/// From so many names on a scope is large.
const MANY_TARGETS: usize = 1 << 10;

/// The names of a scope as they are gathered: each root word is one object of all that is referred to below it.
#[derive(Default)]
struct Names {
    /// The names below `var`, `local`, `path`, `module`, `count` and `each`.
    roots: IndexMap<&'static str, Vec<(Str, Value)>>,
    /// Resources by kind, type and name.
    resources: IndexMap<Mode, IndexMap<Str, Vec<(Str, Value)>>>,
    /// The names below `terraform`, which OpenTofu also calls `tofu`.
    run: Vec<(Str, Value)>,
    /// The meaning of `self`.
    own: Option<Value>,
}

/// Returns the values of `count` and `each` where nothing says how often something is repeated.
fn nobody_knows(target: Target) -> Value {
    match target {
        Target::CountIndex => Value::unknown_not_null(Type::Number),
        Target::EachKey => Value::unknown_not_null(Type::String),
        _ => Value::dynamic(),
    }
}

impl Names {
    fn add(&mut self, root: &'static str, name: &str, value: Value) {
        self.roots.entry(root).or_default().push((name.into(), value));
    }

    /// Adds a name of the run.
    fn add_run(&mut self, name: &'static str, value: Value) {
        self.run.push((name.into(), value));
    }

    fn add_resource(&mut self, mode: Mode, resource_type: &str, name: &str, value: Value) {
        let types = self.resources.entry(mode).or_default();
        types.entry(resource_type.into()).or_default().push((name.into(), value));
    }

    /// Makes the scope. A managed resource is there under `resource` and under its type alone.
    fn build(self, builder: ScopeBuilder, is_tofu: bool, evaluation: &mut Evaluation<'_>) -> Arc<Scope> {
        let mut builder = builder.variables_allowed();
        for (root, entries) in self.roots {
            let names = match entries.len() {
                ..=MANY_TARGETS => Value::object(entries),
                _ => evaluation.object_of_known(entries).unwrap_or_default(),
            };
            builder = builder.variable(root, names);
        }
        if !self.run.is_empty() {
            let value = Value::object(self.run);
            builder = run_roots(is_tofu)
                .iter()
                .fold(builder, |builder, root| builder.variable(root, value.clone()));
        }
        if let Some(own) = self.own {
            builder = builder.variable("self", own);
        }
        for (mode, types) in self.resources {
            let types: Vec<(Str, Value)> =
                types.into_iter().map(|(name, entries)| (name, Value::object(entries))).collect();
            builder = match mode {
                Mode::Managed => {
                    let builder = builder.variable("resource", Value::object(types.clone()));
                    types.into_iter().fold(builder, |builder, (name, value)| builder.variable(&name, value))
                }
                Mode::Data => builder.variable("data", Value::object(types)),
                Mode::Ephemeral => builder.variable("ephemeral", Value::object(types)),
            };
        }
        builder.build()
    }
}
