//! Origins of unknown values: the declarations that have no value yet, and make unknown what is computed from them.
//!
//! The search follows references from an expression through locals, outputs and arguments whose values are not known. It
//! evaluates nothing: it reads what an evaluation has left behind.

use std::collections::BTreeSet;

use hcl_eval::Value;
use hcl_eval::eval::EvalOptions;
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::hash::HashSet;

use crate::declare::Mode;
use crate::engine::{Engine, Looks, Repeated, needs_of, part};
use crate::module::{Address, DeclaredKind, Module, address_in};
use crate::reference::Target;
use crate::tree::{NodeId, NodeKind, Tree};

/// A declaration whose value is not known.
///
/// ```
/// use hcl_eval::eval::EvalOptions;
/// use hcl_module::{DeclaredKind, LoadOptions, Module, TextFiles};
///
/// let text = "variable \"zone\" {}\nlocals {\n  name = \"web-${var.zone}\"\n}\n";
/// let (module, _) = Module::load(&TextFiles::from_iter([("main.tf", text)]), &LoadOptions::default());
/// let (value, _) = module.evaluate("local.name", &EvalOptions::default());
/// assert!(value.is_some_and(|value| !value.is_known()));
/// let origins = module.unknown_origins("local.name");
/// assert_eq!((origins[0].kind, origins[0].address.as_str()), (DeclaredKind::Variable, "var.zone"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownOrigin {
    /// The kind: a variable of the root without a value, a resource, a data source or an ephemeral resource, or a call of a
    /// module whose files are not here.
    pub kind: DeclaredKind,
    /// Its name in the whole tree: `var.x`, `module.a.aws_instance.web`.
    pub address: String,
}

impl Module {
    /// The origins of what is unknown in the value of an expression, or of an address as [`Module::evaluate_address`] reads it,
    /// that has been evaluated. None if it is unknown for another reason, such as a function whose result only a run of
    /// the product tells.
    pub fn unknown_origins(&self, address: &str) -> Vec<UnknownOrigin> {
        let options = EvalOptions::default();
        let Ok(Address { parsed, output, .. }) = address_in(address, &options) else { return Vec::new() };
        let mut search = Search {
            tree: self.tree(),
            engine: self.console(&options),
            open: Vec::new(),
            seen: HashSet::default(),
            found: BTreeSet::new(),
            missing: BTreeSet::new(),
            resources: BTreeSet::new(),
        };
        if let Some(name) = &output {
            let at = self.tree().modules[0].config.outputs.get_index_of(name);
            search.open.extend(at.map(|at| self.tree().node(0, NodeKind::Output(at))));
        } else {
            let expression = ConfigExpression::native(parsed.tree().clone(), parsed.expression().id());
            let looks = Looks::new(None);
            search.add(0, &part(self.tree(), 0, &expression, Repeated::default(), &looks).targets);
        }
        search.run()
    }
}

/// A walk from references to the declarations whose values a run of the product gives.
struct Search<'m> {
    tree: &'m Tree,
    engine: Engine<'m>,
    open: Vec<NodeId>,
    seen: HashSet<NodeId>,
    found: BTreeSet<NodeId>,
    /// Calls of modules that are not here: the module that calls, and the position of the call.
    missing: BTreeSet<(usize, usize)>,
    /// All resources on the way. Of a planned one the value is known, and an attribute that its block does not set is not.
    resources: BTreeSet<NodeId>,
}

impl Search<'_> {
    /// Adds what references of a module mean.
    fn add(&mut self, module: usize, targets: &[Target]) {
        for &target in targets {
            if let Target::Module(call) | Target::Output(call, _) | Target::NoOutput(call) = target
                && self.tree.modules[module].children.get(call).copied().flatten().is_none()
            {
                self.missing.insert((module, call));
            }
            needs_of(self.tree, module, target, &mut self.open);
        }
    }

    /// Visits everything that the references need, each node once, however long the way is. A plan knows its
    /// resources, so that these are named only if nothing else explains why a value is not known.
    fn run(mut self) -> Vec<UnknownOrigin> {
        while let Some(node) = self.open.pop() {
            if self.seen.insert(node) {
                self.visit(node);
            }
        }
        if self.found.is_empty() && self.missing.is_empty() {
            self.found = std::mem::take(&mut self.resources);
        }
        let declared = self.found.iter().map(|&node| self.origin(node));
        declared.chain(self.missing.iter().map(|&call| self.missing_module(call))).collect()
    }

    /// Notes a node that is an origin, and goes on to what it is made of. Nodes that are known end the way: what they
    /// need explains nothing. References of arguments of a call are those of the module that calls.
    fn visit(&mut self, node: NodeId) {
        let (module, kind) = self.tree.at(node);
        let outcome = self.engine.outcome(node);
        let parent = self.tree.modules[module].parent;
        let is_nowhere = parent.is_some() && self.engine.instances(module).len() == 0;
        let is_known = match &outcome.instances {
            Some(instances) => instances.are_known(),
            None if is_nowhere => true,
            None => !outcome.values.is_empty() && outcome.values.iter().all(Value::is_wholly_known),
        };
        match kind {
            // References in conditions make no value.
            NodeKind::Validation(at) => {
                return self.open.push(self.tree.node(module, NodeKind::Variable(at)));
            }
            NodeKind::Resource(_) => {
                self.resources.insert(node);
            }
            _ => {}
        }
        if is_known {
            return;
        }
        let is_origin = match kind {
            NodeKind::Resource(_) => true,
            NodeKind::Variable(_) => parent.is_none(),
            _ => false,
        };
        if is_origin {
            self.found.insert(node);
        }
        let parts = &self.engine.prepared(node).parts;
        let (written_in, n_parts) = match (kind, parent) {
            (NodeKind::Instances | NodeKind::Variable(_), Some((caller, _))) => (caller, parts.len()),
            // The first is the value, the others are conditions and messages.
            (NodeKind::Output(_), _) => (module, 1),
            _ => (module, parts.len()),
        };
        for part in parts.iter().take(n_parts) {
            self.add(written_in, &part.targets);
        }
    }

    fn origin(&self, node: NodeId) -> UnknownOrigin {
        let (module, kind) = self.tree.at(node);
        let kind = match kind {
            NodeKind::Resource(at) => match self.tree.modules[module].config.resources.get_index(at) {
                Some((_, resource)) if resource.mode == Mode::Data => DeclaredKind::Data,
                Some((_, resource)) if resource.mode == Mode::Ephemeral => DeclaredKind::Ephemeral,
                _ => DeclaredKind::Resource,
            },
            _ => DeclaredKind::Variable,
        };
        UnknownOrigin { kind, address: self.tree.address(node) }
    }

    fn missing_module(&self, (module, call): (usize, usize)) -> UnknownOrigin {
        let prefix = self.tree.path(module).into_iter().flat_map(|name| ["module.", name, "."]);
        let name = self.tree.modules[module].config.calls.get_index(call).map_or("", |(name, _)| name);
        UnknownOrigin { kind: DeclaredKind::Module, address: prefix.chain(["module.", name]).collect() }
    }
}
