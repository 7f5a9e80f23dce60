//! Nodes made ready: the expression of a node with its references looked up, and the nodes it needs.

use std::cell::Cell;

use hcl_eval::eval::Evaluation;
use hcl_eval::limits::LimitReached;
use hcl_syntax::config::{Bounds, ConfigExpression, has_room_for_table, push_within};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::hash::{HashSet, Seeded};

use super::Walk;
use crate::config::Config;
use crate::declare::Rule;
use crate::declare::block::Repetition;
use crate::reference::{References, Surroundings, Target};
use crate::tree::{NodeId, NodeKind, Tree};

/// Looks at the limits of an evaluation, if there is one, while expressions are looked through, one in so many parts.
pub(crate) struct Looks<'l> {
    evaluation: Option<&'l Evaluation<'l>>,
    n_left: Cell<usize>,
    /// The limit that a look has seen. It stays, though a switch may be taken back before the next look.
    stopped: Cell<Option<LimitReached>>,
}

const PARTS_PER_LOOK: usize = 4096;

/// From so many bytes on memory is asked for before it is taken.
const MANY_BYTES: usize = 1 << 16;

/// How much work it is to look up a reference.
pub(crate) const PARTS_OF_REFERENCE: usize = 64;

impl<'l> Looks<'l> {
    pub(crate) fn new(evaluation: Option<&'l Evaluation<'l>>) -> Self {
        let stopped = evaluation.and_then(Evaluation::limit);
        Self { evaluation, n_left: Cell::new(PARTS_PER_LOOK), stopped: Cell::new(stopped) }
    }

    /// Returns false once the work is to end before so many more parts.
    pub(crate) fn go_on(&self, n_parts: usize) -> bool {
        match self.n_left.get().checked_sub(n_parts) {
            Some(n_left) => self.n_left.set(n_left),
            None => {
                self.n_left.set(PARTS_PER_LOOK);
                self.look(0);
            }
        }
        self.stopped.get().is_none()
    }

    /// Sees whether a limit has been reached, or would be with so many more bytes of memory.
    fn look(&self, n_bytes: usize) {
        self.stopped.set(self.stopped.get().or_else(|| self.evaluation?.limit_with(n_bytes)));
    }

    /// The limits as bounds of a reading.
    pub(crate) fn bounds(&self) -> impl Bounds {
        self
    }

    /// The limit that has ended the work, if one has.
    pub(crate) fn stopped(&self) -> Option<LimitReached> {
        self.stopped.get()
    }
}

impl Bounds for &Looks<'_> {
    fn goes_on(&mut self, n_parts: usize) -> bool {
        self.go_on(n_parts)
    }

    fn has_room(&mut self, n_bytes: usize) -> bool {
        if n_bytes >= MANY_BYTES {
            self.look(n_bytes);
        }
        self.stopped.get().is_none()
    }

    fn max_diagnostics(&self) -> usize {
        self.evaluation.map_or(usize::MAX, |evaluation| evaluation.limits().max_diagnostics as usize)
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
    let prepared = Prepared::default();
    let mut preparation = Preparation { tree, walk, looks, module, prepared };
    match kind {
        NodeKind::Instances => preparation.instances(),
        NodeKind::Variable(at) => preparation.variable(at),
        NodeKind::Validation(at) => preparation.validation(at),
        NodeKind::Local(at) => preparation.local(at),
        NodeKind::Output(at) => preparation.output(at),
        NodeKind::Resource(at) => preparation.resource(at),
        NodeKind::Close => preparation.close(),
    }
    let Prepared { parts, mut needs, problems } = preparation.prepared;
    if needs.len() > 1 && has_room_for_table::<NodeId>(needs.len(), &mut looks.bounds()) {
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

/// The nodes that come before what has a reference. A module as a whole comes behind all that is in it.
fn comes_first(tree: &Tree, module: usize, target: Target, needs: &mut Vec<NodeId>) {
    let call = match target {
        Target::Module(call) => call,
        Target::NoOutput(call) if !tree.release.is_tofu() => call,
        _ => return needs_of(tree, module, target, needs),
    };
    let child = tree.modules[module].children.get(call).copied().flatten();
    needs.extend(child.map(|child| tree.node(child, NodeKind::Close)));
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
    /// The module of the node.
    module: usize,
    /// The work so far. Some nodes are needed several times.
    prepared: Prepared,
}

impl<'t> Preparation<'t> {
    fn config(&self) -> &'t Config {
        &self.tree.modules[self.module].config
    }

    /// Looks an expression's references up and notes the nodes that they need.
    fn look_up(&mut self, module: usize, expression: &ConfigExpression, repeated: Repeated) -> Part {
        let part = part(self.tree, module, expression, repeated, self.looks);
        for &target in &part.targets {
            comes_first(self.tree, module, target, &mut self.prepared.needs);
        }
        self.prepared.problems.extend(missing_modules(self.tree, module, &part).cloned());
        part
    }

    /// Adds an expression to the work, with what it needs. Nothing is added once the work is to end.
    fn part(&mut self, module: usize, expression: &ConfigExpression, repeated: Repeated) {
        if self.looks.go_on(1) {
            let part = self.look_up(module, expression, repeated);
            push_within(&mut self.prepared.parts, part, &mut self.looks.bounds());
        }
    }

    /// Adds conditions with their messages.
    fn rules(&mut self, rules: &[Rule], repeated: impl Fn(&Rule) -> Repeated) {
        for rule in rules {
            self.part(self.module, &rule.condition, repeated(rule));
            self.part(self.module, &rule.message, repeated(rule));
        }
    }

    /// All that is in the module, and the modules that it calls.
    fn close(&mut self) {
        let own = self.tree.nodes_of(self.module);
        let close = self.tree.node(self.module, NodeKind::Close);
        self.prepared.needs.extend(own.filter(|&node| node != close));
        let called = self.tree.modules[self.module].children.iter().flatten();
        self.prepared.needs.extend(called.map(|&child| self.tree.node(child, NodeKind::Close)));
    }

    /// Notes that the instances of a module come first.
    fn needs_instances_of(&mut self, module: usize) {
        self.prepared.needs.push(self.tree.node(module, NodeKind::Instances));
    }

    /// The expression that repeats a module. It is one of the caller, whose instances come first.
    fn instances(&mut self) {
        let Some((parent, call)) = self.tree.modules[self.module].parent else { return };
        self.needs_instances_of(parent);
        let Some((_, call)) = self.tree.modules[parent].config.calls.get_index(call) else { return };
        let depends_on = call.depends_on.as_ref().map(|argument| &argument.list);
        self.order(parent, depends_on, false);
        if let Some(expression) = call.repetition.expression() {
            self.part(parent, expression, Repeated::default());
        }
    }

    /// Adds the nodes of a `depends_on` list, which come first though nothing of them is used. `is_told`: problems
    /// with the list are reported in a console too.
    fn order(&mut self, module: usize, list: Option<&ConfigExpression>, is_told: bool) {
        let Some(list) = list.filter(|_| self.walk != Walk::Static) else { return };
        let found = with_surroundings(self.tree, module, Repeated::default(), self.looks, |surroundings| {
            surroundings.order(list)
        });
        let Prepared { needs, problems, .. } = &mut self.prepared;
        for target in found.targets {
            comes_first(self.tree, module, target, needs);
        }
        let (of_form, undeclared): (Vec<_>, Vec<_>) =
            found.problems.into_iter().partition(|one| one.code == "module.depends_on");
        if self.walk == Walk::Validate {
            problems.extend(of_form);
            // The products look no further in the list.
            problems.extend(undeclared.into_iter().take(1));
        } else if is_told {
            problems.extend(of_form);
            // For a console, resources need not be declared to come first.
            let is_resource = |one: &Diagnostic| one.code == "module.reference.resource";
            problems.extend(undeclared.into_iter().filter(|one| !is_resource(one)));
        }
    }

    /// The argument for a variable of a called module. Variables of the root need nothing.
    fn variable(&mut self, variable: usize) {
        let Some((parent, call)) = self.tree.modules[self.module].parent else { return };
        self.needs_instances_of(self.module);
        let argument = self.config().variables.get_index(variable).and_then(|(name, _)| {
            let (_, call) = self.tree.modules[parent].config.calls.get_index(call)?;
            Some((call.arguments.get(name)?, call))
        });
        let Some((argument, call)) = argument else { return };
        let repeated = match self.walk {
            Walk::Console => Repeated::by(&call.repetition),
            Walk::Validate | Walk::Static => {
                Repeated { has_count: true, has_each: true, ..Repeated::default() }
            }
        };
        self.part(parent, &argument.expression, repeated);
    }

    /// The conditions of a variable and their messages. The variable itself comes first.
    fn validation(&mut self, variable: usize) {
        self.needs_instances_of(self.module);
        self.prepared.needs.push(self.tree.node(self.module, NodeKind::Variable(variable)));
        if let Some((_, declared)) = self.config().variables.get_index(variable) {
            self.rules(&declared.rules, |_| Repeated::default());
        }
    }

    fn local(&mut self, local: usize) {
        self.needs_instances_of(self.module);
        let Some((_, declared)) = self.config().locals.get_index(local) else { return };
        let repeated = Repeated { local: Some(local), ..Repeated::default() };
        self.part(self.module, &declared.attribute.expression(), repeated);
    }

    /// The value of an output, its conditions and their messages.
    fn output(&mut self, output: usize) {
        self.needs_instances_of(self.module);
        let Some((_, declared)) = self.config().outputs.get_index(output) else { return };
        let depends_on = declared.depends_on.as_ref().map(|argument| &argument.list);
        self.order(self.module, depends_on, true);
        if let Some(value) = &declared.value {
            self.part(self.module, value, Repeated::default());
        }
        if self.walk != Walk::Static {
            self.rules(&declared.rules, |_| Repeated::default());
        }
    }

    /// A resource needs what its expressions need, whether they are evaluated or not, so that a ring through a
    /// resource is found. They are evaluated only in a plan: what repeats the block, its arguments, then conditions
    /// and messages in turn.
    fn resource(&mut self, resource: usize) {
        self.needs_instances_of(self.module);
        let Some((_, declared)) = self.config().resources.get_index(resource) else { return };
        let depends_on = declared.depends_on.as_ref().map(|argument| &argument.list);
        self.order(self.module, depends_on, false);
        let repeated = Repeated { has_count: true, has_each: true, has_self: true, local: None };
        declared.each_expression(&mut self.looks.bounds(), &mut |expression, _| {
            self.look_up(self.module, &expression, repeated);
        });
        if self.walk != Walk::Console || !self.tree.plans {
            return;
        }
        if let Some(expression) = declared.repetition.expression() {
            self.part(self.module, expression, Repeated::default());
        }
        let repeated = Repeated::by(&declared.repetition);
        for argument in declared.arguments(&mut self.looks.bounds()) {
            self.part(self.module, &argument.expression(), repeated);
        }
        self.rules(&declared.rules, |rule| Repeated { has_self: rule.is_postcondition, ..repeated });
    }
}
