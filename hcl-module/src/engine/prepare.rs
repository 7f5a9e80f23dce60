//! Nodes made ready: the expression of a node with its references looked up, and the nodes it needs.

use std::cell::Cell;

use hcl_eval::limits::{Limits, Stopped};
use hcl_syntax::config::{Bounds, ConfigExpression};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::hash::{HashSet, Seeded};

use super::Walk;
use crate::declare::block::Repetition;
use crate::reference::{References, Surroundings, Target};
use crate::tree::{NodeId, NodeKind, Tree};

/// Looks at the limits, if there are any, while expressions are looked through, one in so many parts.
pub(crate) struct Looks<'l> {
    limits: Option<&'l Limits>,
    n_left: Cell<usize>,
    /// The reason that a look has seen. It stays, though a switch may be taken back before the next look.
    stopped: Cell<Option<Stopped>>,
}

const PARTS_PER_LOOK: usize = 4096;

/// How much work it is to look up a reference.
pub(crate) const PARTS_OF_REFERENCE: usize = 64;

impl<'l> Looks<'l> {
    pub(crate) fn new(limits: Option<&'l Limits>) -> Self {
        Self { limits, n_left: Cell::new(PARTS_PER_LOOK), stopped: Cell::new(None) }
    }

    /// Returns false once the work is to end before so many more parts.
    pub(crate) fn go_on(&self, n_parts: usize) -> bool {
        match self.n_left.get().checked_sub(n_parts) {
            Some(n_left) => self.n_left.set(n_left),
            None => {
                self.n_left.set(PARTS_PER_LOOK);
                self.stopped.set(self.stopped.get().or_else(|| self.limits?.stopped()));
            }
        }
        self.stopped.get().is_none()
    }

    /// The limits as bounds of a reading.
    pub(crate) fn bounds(&self) -> impl Bounds {
        self
    }

    /// The limit that has ended the work, if one has.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        self.stopped.get()
    }
}

/// A reading of references keeps no count of its memory, and complains of nothing by itself.
impl Bounds for &Looks<'_> {
    fn goes_on(&mut self, n_parts: usize) -> bool {
        self.go_on(n_parts)
    }

    fn has_room(&mut self, _n_bytes: usize) -> bool {
        true
    }

    fn max_diagnostics(&self) -> usize {
        usize::MAX
    }
}

/// An expression with what its references mean.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) expression: ConfigExpression,
    /// The things it refers to.
    pub(crate) targets: Vec<Target>,
    pub(crate) problems: Diagnostics,
}

/// The work at a node.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    /// The node's expressions: of a variable its argument, of a local its value; of a validation conditions and
    /// messages in turn; of an output its value, then conditions and messages; of instances what repeats them; of a
    /// resource in a plan what repeats it, its arguments, then conditions and messages.
    pub(crate) parts: Vec<Part>,
    /// The nodes whose values are needed, each once.
    pub(crate) needs: Vec<NodeId>,
    /// Problems with the references that only decide what comes first.
    pub(crate) problems: Diagnostics,
}

/// Looks up the references of a node. Nothing is evaluated, so that the order of evaluation is settled by the text
/// alone.
pub(super) fn prepare(tree: &Tree, node: NodeId, walk: Walk, looks: &Looks<'_>) -> Prepared {
    let (module, kind) = tree.at(node);
    let mut preparation = Preparation { tree, walk, looks, needs: Vec::new(), problems: Diagnostics::new() };
    let parts = match kind {
        NodeKind::Instances => preparation.instances(module),
        NodeKind::Variable(at) => preparation.variable(module, at),
        NodeKind::Validation(at) => preparation.validation(module, at),
        NodeKind::Local(at) => preparation.local(module, at),
        NodeKind::Output(at) => preparation.output(module, at),
        NodeKind::Resource(at) => preparation.resource(module, at),
    };
    let problems = std::mem::take(&mut preparation.problems);
    let mut needs = preparation.needs;
    if needs.len() > 1 {
        let mut seen = HashSet::with_capacity_and_hasher(needs.len(), Seeded);
        needs.retain(|&need| seen.insert(need));
    }
    // The conditions of a variable mention it, and uses of such a variable mean this node.
    needs.retain(|&need| need != node);
    Prepared { parts, needs, problems }
}

/// Returns the node for uses of a variable: that of its validations, if it has any.
pub(crate) fn node_of_variable(tree: &Tree, module: usize, variable: usize) -> NodeId {
    let has_rules = tree.modules[module]
        .config
        .variables
        .get_index(variable)
        .is_some_and(|(_, one)| !one.rules.is_empty());
    tree.node(module, if has_rules { NodeKind::Validation(variable) } else { NodeKind::Variable(variable) })
}

/// The nodes that a reference needs.
pub(crate) fn needs_of(tree: &Tree, module: usize, target: Target, needs: &mut Vec<NodeId>) {
    let child_of = |call: usize| tree.modules[module].children.get(call).copied().flatten();
    match target {
        Target::Variable(at) => needs.push(node_of_variable(tree, module, at)),
        Target::Local(at) => needs.push(tree.node(module, NodeKind::Local(at))),
        Target::Output(call, output) => {
            let Some(child) = child_of(call) else { return };
            needs.push(tree.node(child, NodeKind::Instances));
            needs.push(tree.node(child, NodeKind::Output(output)));
        }
        // The products look at the others first, or do not.
        Target::NoOutput(call) if tree.release.is_tofu() => {
            needs.extend(child_of(call).map(|child| tree.node(child, NodeKind::Instances)));
        }
        Target::Module(call) | Target::NoOutput(call) => {
            let Some(child) = child_of(call) else { return };
            needs.push(tree.node(child, NodeKind::Instances));
            let outputs = 0..tree.modules[child].config.outputs.len();
            needs.extend(outputs.map(|at| tree.node(child, NodeKind::Output(at))));
        }
        Target::Path(_)
        | Target::Workspace
        | Target::Applying
        | Target::CountIndex
        | Target::EachKey
        | Target::EachValue
        | Target::Own => {}
        Target::Resource(at) => needs.push(tree.node(module, NodeKind::Resource(at))),
    }
}

/// The warnings about modules that an expression refers to and that are not here.
pub(crate) fn missing_modules<'t>(
    tree: &'t Tree,
    module: usize,
    part: &Part,
) -> impl Iterator<Item = &'t Diagnostic> {
    part.targets.iter().filter_map(move |&target| match target {
        Target::Module(call) | Target::Output(call, _) | Target::NoOutput(call) => {
            tree.modules[module].missing.get(&call)
        }
        _ => None,
    })
}

/// Where an expression stands, for its references.
#[derive(Copy, Clone, Default)]
pub(crate) struct Repeated {
    /// True if `count.index` means something there.
    pub(crate) has_count: bool,
    /// True if `each.key` and `each.value` do.
    pub(crate) has_each: bool,
    /// True if `self` does.
    pub(crate) has_self: bool,
    /// The local that it is the value of, which it must not refer to.
    pub(crate) local: Option<usize>,
}

impl Repeated {
    /// Inside a block: `count` means something if the block has the argument `count`, and `each` if it has
    /// `for_each`.
    pub(crate) fn by(repetition: &Repetition) -> Self {
        Self {
            has_count: repetition.count.is_some(),
            has_each: repetition.for_each.is_some(),
            ..Self::default()
        }
    }
}

/// The surroundings of a module's expressions, for looking references up.
fn with_surroundings<T>(
    tree: &Tree,
    module: usize,
    repeated: Repeated,
    looks: &Looks<'_>,
    look: impl FnOnce(&Surroundings<'_>) -> T,
) -> T {
    let called = |call: usize| tree.called(module, call);
    look(&Surroundings {
        release: tree.release,
        config: &tree.modules[module].config,
        called: &called,
        functions: &tree.functions,
        has_count: repeated.has_count,
        has_each: repeated.has_each,
        has_self: repeated.has_self,
        local: repeated.local,
        looks,
    })
}

/// An expression of a module with its references looked up.
pub(crate) fn part(
    tree: &Tree,
    module: usize,
    expression: &ConfigExpression,
    repeated: Repeated,
    looks: &Looks<'_>,
) -> Part {
    let References { targets, problems } =
        with_surroundings(tree, module, repeated, looks, |surroundings| surroundings.references(expression));
    Part { expression: expression.clone(), targets, problems }
}

/// A node while its expressions are looked through.
struct Preparation<'t> {
    tree: &'t Tree,
    /// How far evaluation goes, which decides what is looked at.
    walk: Walk,
    looks: &'t Looks<'t>,
    /// The nodes that are needed, some of them several times.
    needs: Vec<NodeId>,
    problems: Diagnostics,
}

impl Preparation<'_> {
    /// Looks an expression's references up and notes the nodes that they need.
    fn part(&mut self, module: usize, expression: &ConfigExpression, repeated: Repeated) -> Part {
        let part = part(self.tree, module, expression, repeated, self.looks);
        for &target in &part.targets {
            needs_of(self.tree, module, target, &mut self.needs);
        }
        self.problems.extend(missing_modules(self.tree, module, &part).cloned());
        part
    }

    /// Notes that the instances of a module come first.
    fn needs_instances_of(&mut self, module: usize) {
        self.needs.push(self.tree.node(module, NodeKind::Instances));
    }

    /// The expression that repeats a module. It is one of the caller, whose instances come first.
    fn instances(&mut self, module: usize) -> Vec<Part> {
        let Some((parent, call)) = self.tree.modules[module].parent else { return Vec::new() };
        self.needs_instances_of(parent);
        let Some((_, call)) = self.tree.modules[parent].config.calls.get_index(call) else {
            return Vec::new();
        };
        let repetition = &call.repetition;
        let depends_on = call.depends_on.as_ref().map(|(list, _)| list);
        self.order(parent, depends_on, false);
        let first = repetition.count.iter().chain(&repetition.for_each).chain(&repetition.enabled).next();
        first.map(|expression| self.part(parent, expression, Repeated::default())).into_iter().collect()
    }

    /// Adds the nodes of a `depends_on` list, which come first though nothing of them is used. `is_told`: problems
    /// with the list are reported in a console too.
    fn order(&mut self, module: usize, list: Option<&ConfigExpression>, is_told: bool) {
        let Some(list) = list.filter(|_| self.walk != Walk::Static) else { return };
        let found = with_surroundings(self.tree, module, Repeated::default(), self.looks, |surroundings| {
            surroundings.order(list)
        });
        for target in found.targets {
            needs_of(self.tree, module, target, &mut self.needs);
        }
        let (of_form, undeclared): (Vec<_>, Vec<_>) =
            found.problems.into_iter().partition(|one| one.code == "module.depends_on");
        if self.walk == Walk::Validate {
            self.problems.extend(of_form);
            // The products look no further in the list.
            self.problems.extend(undeclared.into_iter().take(1));
        } else if is_told {
            self.problems.extend(of_form);
            // For a console, resources need not be declared to come first.
            let is_resource = |one: &Diagnostic| one.code == "module.reference.resource";
            self.problems.extend(undeclared.into_iter().filter(|one| !is_resource(one)));
        }
    }

    /// The argument for a variable of a called module. Variables of the root need nothing.
    fn variable(&mut self, module: usize, variable: usize) -> Vec<Part> {
        let Some((parent, call)) = self.tree.modules[module].parent else { return Vec::new() };
        self.needs_instances_of(module);
        let config = &self.tree.modules[module].config;
        let argument = config.variables.get_index(variable).and_then(|(name, _)| {
            let (_, call) = self.tree.modules[parent].config.calls.get_index(call)?;
            Some((call.arguments.get(name)?, call))
        });
        let Some((argument, call)) = argument else { return Vec::new() };
        let repeated = match self.walk {
            Walk::Console => Repeated::by(&call.repetition),
            Walk::Validate | Walk::Static => {
                Repeated { has_count: true, has_each: true, ..Repeated::default() }
            }
        };
        vec![self.part(parent, &argument.expression, repeated)]
    }

    /// The conditions of a variable and their messages. The variable itself comes first.
    fn validation(&mut self, module: usize, variable: usize) -> Vec<Part> {
        self.needs_instances_of(module);
        self.needs.push(self.tree.node(module, NodeKind::Variable(variable)));
        let config = &self.tree.modules[module].config;
        let Some((_, declared)) = config.variables.get_index(variable) else { return Vec::new() };
        let both = declared.rules.iter().flat_map(|rule| [&rule.condition, &rule.message]);
        both.map(|expression| self.part(module, expression, Repeated::default())).collect()
    }

    fn local(&mut self, module: usize, local: usize) -> Vec<Part> {
        self.needs_instances_of(module);
        let config = &self.tree.modules[module].config;
        let Some((_, declared)) = config.locals.get_index(local) else { return Vec::new() };
        let repeated = Repeated { local: Some(local), ..Repeated::default() };
        vec![self.part(module, &declared.attribute.expression(), repeated)]
    }

    /// The value of an output, its conditions and their messages.
    fn output(&mut self, module: usize, output: usize) -> Vec<Part> {
        self.needs_instances_of(module);
        let config = &self.tree.modules[module].config;
        let Some((_, declared)) = config.outputs.get_index(output) else { return Vec::new() };
        let depends_on = declared.depends_on.as_ref().map(|(list, _)| list);
        self.order(module, depends_on, true);
        let rules = declared.rules.iter().flat_map(|rule| [&rule.condition, &rule.message]);
        let rules = rules.take(if self.walk == Walk::Static { 0 } else { usize::MAX });
        let all = declared.value.iter().chain(rules);
        all.map(|expression| self.part(module, expression, Repeated::default())).collect()
    }

    /// A resource needs what its expressions need, whether they are evaluated or not, so that a ring through a
    /// resource is found. They are evaluated only in a plan: what repeats the block, its arguments, then conditions
    /// and messages in turn.
    fn resource(&mut self, module: usize, resource: usize) -> Vec<Part> {
        self.needs_instances_of(module);
        let config = &self.tree.modules[module].config;
        let Some((_, declared)) = config.resources.get_index(resource) else { return Vec::new() };
        let depends_on = declared.depends_on.as_ref().map(|(list, _)| list);
        self.order(module, depends_on, false);
        let repeated = Repeated { has_count: true, has_each: true, has_self: true, local: None };
        for expression in declared.expressions(&mut self.looks.bounds()) {
            self.part(module, &expression, repeated);
        }
        if self.walk != Walk::Console || !self.tree.plans {
            return Vec::new();
        }
        let repetition = &declared.repetition;
        let first = repetition.count.iter().chain(&repetition.for_each).chain(&repetition.enabled).next();
        let mut parts: Vec<Part> =
            first.map(|expression| self.part(module, expression, Repeated::default())).into_iter().collect();
        let repeated = Repeated::by(repetition);
        let arguments = declared.arguments(&mut self.looks.bounds());
        parts.extend(arguments.iter().map(|one| self.part(module, &one.expression(), repeated)));
        for rule in &declared.rules {
            let repeated = Repeated { has_self: rule.is_postcondition, ..repeated };
            parts.extend([&rule.condition, &rule.message].map(|one| self.part(module, one, repeated)));
        }
        parts
    }
}
