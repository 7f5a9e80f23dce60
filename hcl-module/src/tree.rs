//! The tree of modules: the root, and for every call the module that it calls; and the nodes of its graph.
//!
//! A node is something that gets a value once: how often a module is called, a variable, a validated variable, a local,
//! an output; or the end of a module. All instances of a module share the nodes, so that the graph is as large as the
//! text is.

use std::collections::BTreeMap;
use std::sync::Arc;

use hcl_eval::function::FunctionTable;
use hcl_syntax::diagnostic::Diagnostic;

use crate::config::Config;
use crate::release::Release;

/// A module at its place in the tree.
#[derive(Debug)]
pub(crate) struct TreeModule {
    /// How many calls lead to it.
    pub(crate) depth: usize,
    /// The module that calls it, and the position of the call.
    pub(crate) parent: Option<(usize, usize)>,
    /// The value of `path.module`.
    pub(crate) folder: String,
    /// The declarations, shared by all calls of one folder.
    pub(crate) config: Arc<Config>,
    /// The module of every call; `None` where nobody knows it.
    pub(crate) children: Vec<Option<usize>>,
    /// The warnings about modules that are not here, by the position of the call.
    pub(crate) missing: BTreeMap<usize, Diagnostic>,
    /// The first of its nodes. Those of a module are numbered without gaps, in the order of [`NodeKind`].
    first: u32,
}

/// A node of the graph.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// The position in a list with one entry for each node.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    #[cfg(test)]
    pub(crate) fn at(index: usize) -> Self {
        Self(u32::try_from(index).expect("few nodes"))
    }
}

/// The kind of a node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum NodeKind {
    /// The instances of the module.
    Instances,
    /// The value of a variable.
    Variable(usize),
    /// A variable whose validations have been looked at.
    Validation(usize),
    Local(usize),
    Output(usize),
    /// A resource, which has a value only as far as it is declared.
    Resource(usize),
    /// The module with all that is in it, which comes before uses of the module as a whole. It has no value of its own.
    Close,
}

/// All modules.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) release: Release,
    /// The functions of the product.
    pub(crate) functions: Arc<FunctionTable>,
    pub(crate) modules: Vec<TreeModule>,
    /// True if some resources have values, so that their expressions are evaluated.
    pub(crate) plans: bool,
    /// The number of nodes of all modules.
    n_nodes: u32,
}

impl Tree {
    pub(crate) fn new(release: Release) -> Self {
        Self { release, functions: release.functions(), modules: Vec::new(), plans: false, n_nodes: 0 }
    }

    /// Adds a module behind all others, with its nodes, and enters it at the call. Gives its position. A caller must
    /// be added before the modules that it calls.
    pub(crate) fn add(
        &mut self,
        parent: Option<(usize, usize)>,
        folder: String,
        config: Arc<Config>,
    ) -> usize {
        let at = self.modules.len();
        let first = self.n_nodes;
        self.n_nodes = self.n_nodes.saturating_add(u32::try_from(config.n_nodes()).unwrap_or(u32::MAX));
        let children = vec![None; config.calls.len()];
        let missing = BTreeMap::new();
        let depth = parent.map_or(0, |(caller, _)| self.modules[caller].depth + 1);
        self.modules.push(TreeModule { depth, parent, folder, config, children, missing, first });
        if let Some((caller, call)) = parent {
            self.modules[caller].children[call] = Some(at);
        }
        at
    }

    /// The names of the calls that lead to a module, from the root on.
    pub(crate) fn path(&self, module: usize) -> Vec<&str> {
        let mut names = Vec::with_capacity(self.modules[module].depth);
        let mut at = module;
        while let Some((caller, call)) = self.modules[at].parent {
            names.push(self.modules[caller].config.calls.get_index(call).map_or("", |(name, _)| name));
            at = caller;
        }
        names.reverse();
        names
    }

    /// The warnings about modules that are not here.
    pub(crate) fn missing_modules(&self) -> impl Iterator<Item = &Diagnostic> {
        self.modules.iter().flat_map(|module| module.missing.values())
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.n_nodes as usize
    }

    /// The node of a module. The positions in kinds are those in the maps of its declarations.
    pub(crate) fn node(&self, module: usize, kind: NodeKind) -> NodeId {
        let module = &self.modules[module];
        let (n_variables, n_locals) = (module.config.variables.len(), module.config.locals.len());
        let within = match kind {
            NodeKind::Instances => 0,
            NodeKind::Variable(at) => 1 + at,
            NodeKind::Validation(at) => 1 + n_variables + at,
            NodeKind::Local(at) => 1 + 2 * n_variables + at,
            NodeKind::Output(at) => 1 + 2 * n_variables + n_locals + at,
            NodeKind::Resource(at) => 1 + 2 * n_variables + n_locals + module.config.outputs.len() + at,
            NodeKind::Close => {
                1 + 2 * n_variables + n_locals + module.config.outputs.len() + module.config.resources.len()
            }
        };
        NodeId(module.first.saturating_add(u32::try_from(within).unwrap_or(u32::MAX)))
    }

    /// The kind of a node, and its module: the inverse of [`Tree::node`].
    pub(crate) fn at(&self, node: NodeId) -> (usize, NodeKind) {
        let module = self.modules.partition_point(|module| module.first <= node.0).saturating_sub(1);
        let config = &self.modules[module].config;
        let (n_variables, n_locals) = (config.variables.len(), config.locals.len());
        let mut within = (node.0 - self.modules[module].first) as usize;
        if within == 0 {
            return (module, NodeKind::Instances);
        }
        within -= 1;
        for (n, kind) in [
            (n_variables, NodeKind::Variable as fn(usize) -> NodeKind),
            (n_variables, NodeKind::Validation),
            (n_locals, NodeKind::Local),
            (config.outputs.len(), NodeKind::Output),
            (config.resources.len(), NodeKind::Resource),
        ] {
            if within < n {
                return (module, kind(within));
            }
            within -= n;
        }
        (module, NodeKind::Close)
    }

    /// The nodes of a module in the order in which their problems are told.
    pub(crate) fn nodes_of(&self, module: usize) -> impl Iterator<Item = NodeId> {
        let first = self.modules[module].first;
        let end = self.modules.get(module + 1).map_or(self.n_nodes, |next| next.first);
        (first..end).map(NodeId)
    }

    /// The declarations of the module that a call calls; nothing if the module is not here.
    pub(crate) fn called(&self, module: usize, call: usize) -> Option<&Config> {
        let child = self.modules[module].children.get(call).copied().flatten()?;
        Some(&self.modules[child].config)
    }

    /// True if a call that leads to a module has `ignore_nested_deprecations`: uses of what is deprecated are not
    /// told then.
    pub(crate) fn is_silent(&self, module: usize) -> bool {
        let mut at = module;
        while let Some((parent, call)) = self.modules[at].parent {
            if self.modules[parent]
                .config
                .calls
                .get_index(call)
                .is_some_and(|(_, call)| call.ignores_deprecations)
            {
                return true;
            }
            at = parent;
        }
        false
    }

    /// A node as the product's message about a ring names it. Terraform calls most vertices of its graph `(expand)`,
    /// since they stand for all instances.
    pub(crate) fn member(&self, node: NodeId) -> String {
        let suffix = match self.at(node).1 {
            NodeKind::Validation(_) | NodeKind::Resource(_) | NodeKind::Close => "",
            _ => " (expand)",
        };
        format!("{}{suffix}", self.address(node))
    }

    /// A node as messages name it.
    pub(crate) fn address(&self, node: NodeId) -> String {
        let (module, kind) = self.at(node);
        let mut text: String =
            self.path(module).into_iter().flat_map(|name| ["module.", name, "."]).collect();
        let config = &self.modules[module].config;
        let (word, name) = match kind {
            NodeKind::Instances => {
                text.pop();
                return text;
            }
            NodeKind::Close => {
                text.pop();
                text.push_str(" (close)");
                return text;
            }
            NodeKind::Variable(at) | NodeKind::Validation(at) => {
                ("var", config.variables.get_index(at).map(|(name, _)| name))
            }
            NodeKind::Local(at) => ("local", config.locals.get_index(at).map(|(name, _)| name)),
            NodeKind::Output(at) => ("output", config.outputs.get_index(at).map(|(name, _)| name)),
            NodeKind::Resource(at) => {
                let address = config.resources.get_index(at).map(|(_, resource)| resource.address());
                text.push_str(&address.unwrap_or_default());
                return text;
            }
        };
        text.push_str(word);
        text.push('.');
        text.push_str(name.map_or("", String::as_str));
        if let NodeKind::Validation(_) = kind {
            text.push_str(" (validation)");
        }
        text
    }
}
