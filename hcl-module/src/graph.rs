//! The graph of references: the declarations of a module and of all modules that it calls.
//!
//! References are those that stand in the files, whatever their values: an expression refers to all that it mentions,
//! also in parts that are never evaluated, and to what `depends_on` names. A variable of a child module refers to what its
//! argument mentions, a call to what repeats it and to the outputs of the module, of which its value is made.

use hcl_syntax::config::{ConfigExpression, Unbounded};
use hcl_syntax::hash::HashSet;
use hcl_syntax::source::Range;

use crate::config::Config;
use crate::declare::block::Repetition;
use crate::declare::{Call, Mode, Rule};
use crate::engine::{Looks, Repeated, part};
use crate::module::{DeclaredKind, Module};
use crate::place::Place;
use crate::reference::Target;
use crate::tree::Tree;

/// A declaration, and what it refers to.
///
/// ```
/// use hcl_module::{DeclaredKind, LoadOptions, Module, TextFiles};
///
/// let files = TextFiles::from_iter([("main.tf", "variable \"a\" {}\noutput \"b\" {\n  value = var.a\n}\n")]);
/// let graph = Module::load(&files, &LoadOptions::default()).0.graph();
/// let output = graph.iter().find(|node| node.kind == DeclaredKind::Output).unwrap();
/// assert_eq!(graph[output.references[0]].address, "var.a");
/// ```
#[derive(Clone, Debug)]
pub struct GraphNode {
    /// The kind.
    pub kind: DeclaredKind,
    /// Its name in the whole tree: `local.x`, `module.a.output.x`.
    pub address: String,
    /// The names of the calls that lead to the module that declares it.
    pub module: Vec<String>,
    /// Where it is declared.
    pub range: Range,
    /// The positions of the declarations that it refers to, each once.
    pub references: Vec<usize>,
}

impl Module {
    /// The declarations of the module and of those that it calls, each with what it refers to: module by module, of each
    /// its variables, locals, outputs, calls and resources. References that mean nothing are left out; loading and
    /// [`Module::check`] tell of them.
    ///
    /// ```
    /// use hcl_module::{LoadOptions, Module, TextFiles};
    ///
    /// let files = TextFiles::from_iter([("main.tf", "locals {\n  a = [local.b, local.b]\n  b = 1\n}\n")]);
    /// let (module, _) = Module::load(&files, &LoadOptions::default());
    /// let graph = module.graph();
    /// assert_eq!(graph[0].address, "local.a");
    /// assert_eq!(graph[graph[0].references[0]].address, "local.b");
    /// ```
    pub fn graph(&self) -> Vec<GraphNode> {
        let tree = self.tree();
        let positions = Positions::of(tree);
        let mut nodes = Vec::with_capacity(positions.n_nodes);
        for module in 0..tree.modules.len() {
            let reader = Reader { tree, positions: &positions, module };
            reader.declarations(&mut nodes);
        }
        nodes
    }
}

/// Where the declarations of every module begin in the graph.
struct Positions {
    /// The first position of each module.
    firsts: Vec<usize>,
    n_nodes: usize,
}

impl Positions {
    /// Counts the declarations that have a node in the graph: those of `check` blocks, for one, have none.
    fn of(tree: &Tree) -> Self {
        let mut n_nodes = 0;
        let mut firsts = Vec::with_capacity(tree.modules.len());
        for module in &tree.modules {
            firsts.push(n_nodes);
            let Config { variables, locals, outputs, calls, resources, .. } = &*module.config;
            n_nodes += variables.len() + locals.len() + outputs.len() + calls.len() + resources.len();
        }
        Self { firsts, n_nodes }
    }
}

fn rules(rules: &[Rule]) -> impl Iterator<Item = &ConfigExpression> {
    rules.iter().flat_map(|rule| [&rule.condition, &rule.message])
}

/// The declarations of one module.
struct Reader<'t> {
    tree: &'t Tree,
    positions: &'t Positions,
    module: usize,
}

impl Reader<'_> {
    fn config(&self) -> &Config {
        &self.tree.modules[self.module].config
    }

    /// Adds the declarations in the order in which [`Reader::position`] counts them.
    fn declarations(&self, nodes: &mut Vec<GraphNode>) {
        let config = self.config();
        for (name, variable) in &config.variables {
            let mut references = self.argument(name);
            references.extend(self.references(&rules(&variable.rules).collect::<Vec<_>>()));
            // A condition mentions its own variable.
            let own = nodes.len();
            references.retain(|&reference| reference != own);
            nodes.push(self.node(
                DeclaredKind::Variable,
                &format!("var.{name}"),
                &variable.place,
                references,
            ));
        }
        for (name, local) in &config.locals {
            let references = self.references(&[&local.attribute.expression()]);
            nodes.push(self.node(DeclaredKind::Local, &format!("local.{name}"), &local.place, references));
        }
        for (name, output) in &config.outputs {
            let first = output.depends_on.iter().map(|argument| &argument.list);
            let expressions: Vec<_> = output.value.iter().chain(rules(&output.rules)).chain(first).collect();
            let references = self.references(&expressions);
            nodes.push(self.node(DeclaredKind::Output, &format!("output.{name}"), &output.place, references));
        }
        for (at, (name, call)) in config.calls.iter().enumerate() {
            let Repetition { count, for_each, enabled } = &call.repetition;
            let first = call.depends_on.iter().map(|argument| &argument.list);
            let expressions: Vec<_> = count.iter().chain(for_each).chain(enabled).chain(first).collect();
            let mut references = self.references(&expressions);
            references.extend(self.outputs_of(at));
            nodes.push(self.node(DeclaredKind::Module, &format!("module.{name}"), &call.place, references));
        }
        for resource in config.resources.values() {
            let kind = match resource.mode {
                Mode::Managed => DeclaredKind::Resource,
                Mode::Data => DeclaredKind::Data,
                Mode::Ephemeral => DeclaredKind::Ephemeral,
            };
            let mut references = Vec::new();
            resource.each_expression(&mut Unbounded, &mut |expression, _| {
                references.extend(self.references(&[&expression]));
            });
            let first: Vec<_> = resource.depends_on.iter().map(|argument| &argument.list).collect();
            references.extend(self.references(&first));
            nodes.push(self.node(kind, &resource.address(), &resource.place, references));
        }
    }

    /// A node with its address in the tree. Of repeated references the first stays.
    fn node(&self, kind: DeclaredKind, name: &str, place: &Place, mut references: Vec<usize>) -> GraphNode {
        let module: Vec<String> = self.tree.path(self.module).into_iter().map(str::to_owned).collect();
        let prefix = module.iter().flat_map(|name| ["module.", name, "."]);
        let address = prefix.chain([name]).collect();
        let mut seen = HashSet::default();
        references.retain(|&reference| seen.insert(reference));
        GraphNode { kind, address, module, range: place.range(), references }
    }

    /// The targets of references in expressions of the module.
    fn references(&self, expressions: &[&ConfigExpression]) -> Vec<usize> {
        // All of `each`, `count` and `self` are let through: they refer to no declaration, whatever they mean.
        let repeated = Repeated { has_count: true, has_each: true, has_self: true, local: None };
        let looks = Looks::new(None);
        let targets = expressions
            .iter()
            .flat_map(|expression| part(self.tree, self.module, expression, repeated, &looks).targets);
        targets.filter_map(|target| self.position(target)).collect()
    }

    /// The references of the argument of a variable, in the module that gives it. A variable of the root has none.
    fn argument(&self, variable: &str) -> Vec<usize> {
        let Some((caller, call)) = self.tree.modules[self.module].parent else { return Vec::new() };
        let calls = &self.tree.modules[caller].config.calls;
        let argument = calls.get_index(call).and_then(|(_, call): (_, &Call)| call.arguments.get(variable));
        let caller = Self { module: caller, ..*self };
        argument.map(|argument| caller.references(&[&argument.expression])).unwrap_or_default()
    }

    /// The positions of the outputs of a module that is called; none if the module is not here.
    fn outputs_of(&self, call: usize) -> std::ops::Range<usize> {
        let Some(child) = self.tree.modules[self.module].children.get(call).copied().flatten() else {
            return 0..0;
        };
        let config = &self.tree.modules[child].config;
        let first = self.positions.firsts[child] + config.variables.len() + config.locals.len();
        first..first + config.outputs.len()
    }

    /// The position in the graph of what a reference means; none if it is no declaration. An output of a module that
    /// is not here means the call.
    fn position(&self, target: Target) -> Option<usize> {
        let config = self.config();
        let first = self.positions.firsts[self.module];
        let locals = first + config.variables.len();
        let calls = locals + config.locals.len() + config.outputs.len();
        match target {
            Target::Variable(at) => Some(first + at),
            Target::Local(at) => Some(locals + at),
            Target::Output(call, output) => self.outputs_of(call).nth(output).or(Some(calls + call)),
            Target::Module(call) | Target::NoOutput(call) => Some(calls + call),
            Target::Resource(at) => Some(calls + config.calls.len() + at),
            _ => None,
        }
    }
}
