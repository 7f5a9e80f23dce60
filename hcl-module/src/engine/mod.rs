//! Evaluation of the graph: on demand, each node once, without recursion.
//!
//! [`Memo`] keeps what nodes came to; it is shared by threads, and what one of them stores first counts. An
//! [`Engine`] is one piece of work on it, with limits of its own. [`Engine::demand`] walks from a node to what
//! it needs with a stack of its own; a node whose needs failed is passed over in silence, as in the products.

mod attributes;
mod expansion;
mod expression;
mod local;
mod memo;
mod output;
mod plan;
mod prepare;
mod resource;
mod validation;
mod variable;

use std::cell::Cell;
use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};

use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::function::FunctionTable;
use hcl_eval::host::Host;
use hcl_eval::limits::{LimitReached, PARTS_OF_DIAGNOSTIC};
use hcl_eval::{Str, Value};
use hcl_syntax::config::Bounds;
use hcl_syntax::diagnostic::{self, Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::{HashMap, HashSet, Seeded};

use attributes::Attributes;
pub(crate) use attributes::taken_by;
pub(crate) use expansion::Instances;
pub(crate) use expression::Place as ExpressionPlace;
pub(crate) use memo::{MOST_NODES, Memo};
pub(crate) use prepare::{
    Looks, PARTS_OF_REFERENCE, Part, Prepared, Repeated, missing_modules, needs_of, part,
};

use crate::inputs::Inputs;
use crate::resource_values::GivenValues;
use crate::tree::{NodeId, NodeKind, Tree};

/// So many members of a ring are named.
const MOST_NAMED: usize = 32;

/// The modules to evaluate, with the values of the root's variables.
#[derive(Debug)]
pub(crate) struct Configuration {
    pub(crate) tree: Tree,
    /// The values that are given to the root's variables.
    pub(crate) inputs: Inputs,
    /// The functions of the module's files.
    pub(crate) functions: Arc<Scope>,
    /// Functions under the names that modules give to their providers.
    pub(crate) aliases: Option<Arc<FunctionTable>>,
    /// The value of `path.root`.
    pub(crate) root_folder: String,
    /// The value of `terraform.workspace`.
    pub(crate) workspace: String,
    /// True if resources have the values that a plan gives them.
    pub(crate) is_planned: bool,
    /// Values that the host gives to resources.
    pub(crate) resource_values: GivenValues,
    /// The attributes of resources, once they are asked for.
    attributes: OnceLock<Attributes>,
}

impl Configuration {
    pub(crate) fn new(
        tree: Tree,
        inputs: Inputs,
        functions: Arc<Scope>,
        root_folder: String,
        workspace: String,
    ) -> Self {
        Self {
            tree,
            inputs,
            functions,
            aliases: None,
            root_folder,
            workspace,
            is_planned: false,
            resource_values: GivenValues::default(),
            attributes: OnceLock::new(),
        }
    }

    /// The attributes that resources have, as far as the modules tell; `None` if `bounds` end the work that finds them.
    pub(crate) fn attributes(&self, bounds: &mut dyn Bounds) -> Option<&Attributes> {
        if let Some(known) = self.attributes.get() {
            return Some(known);
        }
        let found = Attributes::of(&self.tree, bounds)?;
        Some(self.attributes.get_or_init(|| found))
    }
}

/// How far evaluation goes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Walk {
    /// As the console does: modules are called as often as they say, with the values that are given.
    Console,
    /// Every block once, for every value that it may be given: variables of the root, `each` and `count` are unknown.
    Validate,
    /// Before the tree is whole, with the variables that can be used then.
    Static,
}

/// True if a node has what others need.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum State {
    Good,
    /// It is in error; what it has may be looked at, and nothing is made of it.
    Failed,
    /// Something that it needs is in error.
    #[default]
    Skipped,
}

/// The outcome of a node.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) state: State,
    /// A value for every instance of the module.
    pub(crate) values: Vec<Value>,
    /// Of the node of instances, these.
    pub(crate) instances: Option<Instances>,
    pub(crate) diagnostics: Diagnostics,
    /// True if there are no diagnostics of all that it needs either.
    pub(crate) is_quiet: bool,
}

impl Outcome {
    /// The value in an instance; nothing if the node has none, as after an error.
    pub(crate) fn value(&self, instance: usize) -> Option<&Value> {
        self.values.get(instance)
    }
}

/// Why a demand can't be met.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Nodes need each other in a ring.
    Cycle(Box<Diagnostic>),
    /// A limit was reached; nothing of what was under way is kept.
    Limit(Diagnostics),
}

impl Stop {
    pub(crate) fn into_diagnostics(self) -> Diagnostics {
        match self {
            Self::Cycle(diagnostic) => vec![*diagnostic],
            Self::Limit(diagnostics) => diagnostics,
        }
    }
}

/// A piece of work on the graph.
pub(crate) struct Engine<'e> {
    pub(crate) configuration: &'e Configuration,
    /// The outcomes, of this work and of others.
    pub(crate) memo: &'e Memo,
    /// How far it goes. A memo is for one walk.
    pub(crate) walk: Walk,
    /// The evaluation that all expressions are part of, with its limits.
    pub(crate) evaluation: Evaluation<'e>,
    /// The host that knows the working directory.
    pub(crate) host: Option<&'e dyn Host>,
    /// The most instances of one module or resource: [`expansion::MOST_INSTANCES`], or fewer if fewer elements are
    /// allowed.
    pub(crate) max_instances: usize,
    /// The limit that has ended looking references up, or making a scope of them, if one has.
    pub(crate) ended: Cell<Option<LimitReached>>,
    /// Attributes that the expression which is asked for takes of the root's resources, by position.
    pub(crate) asked: HashMap<usize, Vec<Str>>,
}

impl<'e> Engine<'e> {
    pub(crate) fn new(
        configuration: &'e Configuration,
        memo: &'e Memo,
        walk: Walk,
        options: &EvalOptions<'e>,
    ) -> Self {
        let most = usize::try_from(options.limits.max_elements).unwrap_or(usize::MAX);
        Self {
            configuration,
            memo,
            walk,
            evaluation: Evaluation::new(options),
            host: options.host,
            max_instances: most.min(expansion::MOST_INSTANCES),
            ended: Cell::new(None),
            asked: HashMap::default(),
        }
    }

    pub(crate) fn tree(&self) -> &'e Tree {
        &self.configuration.tree
    }

    /// Evaluates a node and all that it needs.
    ///
    /// # Errors
    /// Nodes need each other in a ring, or a limit was reached.
    pub(crate) fn demand(&mut self, node: NodeId) -> Result<&'e Outcome, Stop> {
        // Each with the position of the need that comes next.
        let mut path: Vec<(NodeId, usize)> = vec![(node, 0)];
        let mut open: HashSet<NodeId> = HashSet::from_iter([node]);
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            // Outcomes stay, and work on small nodes looks seldom.
            let bounds = self.evaluation.bounds();
            if !bounds.next_item() || !bounds.has_room(0) {
                return Err(Stop::Limit(limit_beside(&mut self.evaluation, None)));
            }
            let needs = &self.prepared(at).needs;
            if self.memo.get(at).is_none()
                && let Some(&needed) = needs.get(*next)
            {
                *next += 1;
                if self.memo.get(needed).is_none() {
                    if !open.insert(needed) {
                        return Err(Stop::Cycle(Box::new(self.cycle(&path, needed))));
                    }
                    path.push((needed, 0));
                }
                continue;
            }
            if self.memo.get(at).is_none() {
                if self.memo.prepared(at).is_none() {
                    return Err(Stop::Limit(limit_beside(&mut self.evaluation, self.ended.get())));
                }
                let mut outcome = self.compute(at);
                // An outcome that a limit cut short is not stored: the next work on the node starts anew.
                let may_be_more = self.max_instances < expansion::MOST_INSTANCES;
                let is_cut = |one: &Diagnostic| one.code == "limit.instances";
                if self.evaluation.stopped() || may_be_more && outcome.diagnostics.iter().any(is_cut) {
                    if self.evaluation.stopped() {
                        outcome.diagnostics.truncate(self.evaluation.limits().max_diagnostics as usize);
                        self.evaluation.tell_limit(None, &mut outcome.diagnostics);
                    }
                    return Err(Stop::Limit(outcome.diagnostics));
                }
                self.memo.set(at, outcome);
            }
            open.remove(&at);
            path.pop();
        }
        Ok(self.outcome(node))
    }

    /// Returns the outcome of a node that has been demanded.
    pub(crate) fn outcome(&self, node: NodeId) -> &'e Outcome {
        static NOTHING: Outcome = Outcome {
            state: State::Skipped,
            values: Vec::new(),
            instances: None,
            diagnostics: Vec::new(),
            is_quiet: true,
        };
        self.memo.get(node).unwrap_or(&NOTHING)
    }

    /// The expressions of a node and what they need; nothing if a limit ends looking them up. Of a node that has been demanded
    /// they are there.
    pub(crate) fn prepared(&self, node: NodeId) -> &'e Prepared {
        static NOTHING: Prepared =
            Prepared { parts: Vec::new(), needs: Vec::new(), problems: Diagnostics::new() };
        if let Some(prepared) = self.memo.prepared(node) {
            return prepared;
        }
        let looks = self.looks();
        let prepared = prepare::prepare(self.tree(), node, self.walk, &looks);
        match looks.stopped() {
            None => self.memo.prepare(node, prepared),
            stopped => {
                self.ended.set(stopped);
                &NOTHING
            }
        }
    }

    /// The limits of looking references up.
    pub(crate) fn looks(&self) -> Looks<'_> {
        Looks::new(Some(&self.evaluation))
    }

    /// The instances of a module that has been demanded.
    pub(crate) fn instances(&self, module: usize) -> &'e Instances {
        static NONE: Instances = Instances::none();
        let node = self.tree().node(module, NodeKind::Instances);
        self.outcome(node).instances.as_ref().unwrap_or(&NONE)
    }

    /// Returns false if work on one more instance is not to begin: a limit has been reached, perhaps that of diagnostics, for
    /// which complaints that instances share count once.
    fn may_go_on(&mut self, diagnostics: &mut Diagnostics) -> bool {
        let most = self.evaluation.limits().max_diagnostics as usize;
        if diagnostics.len() < most.saturating_mul(2) {
            return !self.evaluation.stopped();
        }
        once(diagnostics, &mut self.evaluation);
        self.evaluation.may_report(diagnostics)
    }

    /// Computes a node whose needs have outcomes. If one of these is not in order, the node is passed over without a
    /// word: the error has been told where it arose.
    fn compute(&mut self, node: NodeId) -> Outcome {
        let needs = || self.prepared(node).needs.iter().map(|&needed| self.outcome(needed));
        if needs().any(|needed| needed.state != State::Good) {
            return Outcome::default();
        }
        let is_quiet = needs().all(|needed| needed.is_quiet);
        let (module, kind) = self.tree().at(node);
        let mut outcome = match kind {
            NodeKind::Instances => self.expand(module, node),
            NodeKind::Variable(at) => self.variable(module, at, node),
            NodeKind::Validation(at) => self.validation(module, at, node),
            NodeKind::Local(_) => self.local(module, node),
            NodeKind::Output(at) => self.output(module, at, node),
            NodeKind::Resource(at) => self.resource(module, at, node),
            NodeKind::Close => Outcome { state: State::Good, ..Outcome::default() },
        };
        outcome.diagnostics.extend(self.prepared(node).problems.iter().cloned());
        if has_errors(&outcome.diagnostics) {
            outcome.state = State::Failed;
        }
        once(&mut outcome.diagnostics, &mut self.evaluation);
        outcome.is_quiet = is_quiet && outcome.diagnostics.is_empty();
        outcome
    }

    /// The complaint about a ring that was closed by the need of the last node of a path. Of a long one the beginning is named.
    fn cycle(&self, path: &[(NodeId, usize)], needed: NodeId) -> Diagnostic {
        let start = path.iter().position(|(node, _)| *node == needed).unwrap_or(0);
        let ring = &path[start..];
        let mut members: Vec<String> =
            ring.iter().take(MOST_NAMED).map(|(node, _)| self.tree().member(*node)).collect();
        if ring.len() > MOST_NAMED {
            members.push(format!("and {} more", ring.len() - MOST_NAMED));
        }
        let detail = "Each of these needs the next one, and the last needs the first. Give one of them a value that needs \
                      none of the others.";
        Diagnostic::error(
            "module.cycle",
            diagnostic::detail(format_args!("Cycle: {}", members.join(", "))),
            detail,
        )
    }
}

/// The diagnostic of the limit that has ended work beside an evaluation. It has no place: the work is about much of the module.
/// `stopped` is the limit, unless the evaluation has seen it itself.
pub(crate) fn limit_beside(evaluation: &mut Evaluation<'_>, stopped: Option<LimitReached>) -> Diagnostics {
    if let Some(stopped) = stopped {
        evaluation.end(stopped);
    }
    let mut diagnostics = Diagnostics::new();
    evaluation.tell_limit(None, &mut diagnostics);
    diagnostics
}

/// Takes out complaints that several instances share, as far as the limits allow. Complaints without a place are about different
/// things.
pub(crate) fn once(diagnostics: &mut Diagnostics, evaluation: &mut Evaluation<'_>) {
    if diagnostics.len() < 2 {
        return;
    }
    // The texts of many complaints take as much room as these: each is made again when another has its hash.
    let mut seen: HashMap<u64, usize> = HashMap::default();
    let mut n_kept = 0;
    for at in 0..diagnostics.len() {
        let one = &diagnostics[at];
        if one.subject.is_some() && evaluation.bounds().goes_on(PARTS_OF_DIAGNOSTIC) {
            let text = one.to_string();
            let first = *seen.entry(Seeded.hash_one((&text, &one.code))).or_insert(n_kept);
            if first < n_kept && diagnostics[first].code == one.code && diagnostics[first].to_string() == text
            {
                continue;
            }
        }
        diagnostics.swap(n_kept, at);
        n_kept += 1;
    }
    diagnostics.truncate(n_kept);
}

/// Ends work with its complaints, each once, and that of the limit which has ended it, if one has.
pub(crate) fn finish(diagnostics: &mut Diagnostics, evaluation: &mut Evaluation<'_>) {
    once(diagnostics, evaluation);
    evaluation.tell_limit(None, diagnostics);
}
