//! Values that are needed while the tree of modules is built: sources and versions of calls, arguments for variables
//! that are declared constant.
//!
//! They are evaluated on the part of the tree that is there. What they may refer to differs by product:
//! Terraform wants variables that are declared constant, OpenTofu looks whether a value is the same in every
//! run, and says at each step on the way why it is not.

use std::sync::Arc;

use hcl_eval::Value;
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::HashSet;

use super::{Loader, Open};
use crate::engine::{Engine, ExpressionPlace, Looks, Part, Repeated, Walk, needs_of, part};
use crate::place::Place;
use crate::reference::Target;
use crate::tree::NodeKind;

/// The purpose that a value is needed for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Of {
    Source,
    Version,
}

impl Of {
    fn word(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Version => "version",
        }
    }
}

impl Loader<'_> {
    /// The value of an expression that is needed now; complains if it has none.
    ///
    /// There are two rules. Terraform from 1.15 on lets the expression refer to
    /// variables and locals; variables that are not declared constant are unknown in this phase. OpenTofu follows
    /// every name to its origin and complains of the first that is not static, then of everything that needs it.
    pub(super) fn known_early(&mut self, open: Open, expression: &ConfigExpression, of: Of) -> Option<Value> {
        let release = self.options.release;
        let looks = Looks::new(Some(&self.evaluation));
        let part = part(&self.configuration.tree, open.module, expression, Repeated::default(), &looks);
        if let Some(stopped) = looks.stopped() {
            self.evaluation.end(stopped);
            return None;
        }
        let problems = match release.is_tofu() {
            true => self.not_static(open.module, &part, expression),
            false => self.not_early(&part, of),
        };
        if has_errors(&problems) {
            self.diagnostics.extend(problems);
            return None;
        }
        let value = self.early_value(open.module, &part)?;
        self.check_early(&value, expression, of)
    }

    /// Evaluates an expression on the part of the tree that is there; nothing if it has no value, which has been told
    /// then.
    fn early_value(&mut self, module: usize, part: &Part) -> Option<Value> {
        let options = self.options.evaluation();
        let mut engine = Engine::new(&self.configuration, &self.memo, Walk::Static, &options);
        engine.evaluation.exchange_usage(&mut self.evaluation);
        let (value, problems) = early_value(&mut engine, module, part);
        engine.evaluation.exchange_usage(&mut self.evaluation);
        let failed = has_errors(&problems);
        self.diagnostics.extend(problems);
        value.filter(|_| !failed)
    }

    /// Checks that a value can be used now: all of it is known, and nothing of it hidden. Gives it without marks.
    fn check_early(&mut self, value: &Value, expression: &ConfigExpression, of: Of) -> Option<Value> {
        let place = Place::of(expression);
        let marks = value.marks_deep();
        if self.options.release.is_tofu() {
            for (kind, title) in
                [("sensitive", "Sensitive value not allowed"), ("ephemeral", "Ephemeral value not allowed")]
            {
                if marks.contains_name(kind) {
                    let detail = format!(
                        "The {} of a module is seen by everybody, and this value is {kind}.",
                        of.word()
                    );
                    self.diagnostics.push(place.error("module.source", title, detail));
                    return None;
                }
            }
        }
        let is_hidden = marks.contains_name("sensitive") || marks.contains_name("ephemeral");
        if !value.is_wholly_known() || is_hidden {
            let detail = format!(
                "The {} of a module is needed before anything is evaluated. Use constants, variables that are declared \
                 with const = true, and locals made of these.",
                of.word()
            );
            let title = format!("Unknown module {}", of.word());
            self.diagnostics.push(place.error("module.source", title, detail));
            return None;
        }
        Some(value.unmark_deep().0)
    }

    /// Reports references that Terraform never allows in a source or version. Errors of the references themselves come
    /// first; those about `count` and `each` get the title of the argument.
    fn not_early(&self, part: &Part, of: Of) -> Diagnostics {
        if has_errors(&part.problems) {
            let is_repetition = |problem: &Diagnostic| {
                problem.code.starts_with("module.reference.count")
                    || problem.code.starts_with("module.reference.each")
            };
            let mut problems = part.problems.clone();
            for problem in problems.iter_mut().filter(|problem| is_repetition(problem)) {
                problem.summary = format!("Invalid module {}", of.word()).into();
            }
            return problems;
        }
        let is_refused = |target: &Target| match target {
            Target::Module(_)
            | Target::Output(..)
            | Target::NoOutput(_)
            | Target::Workspace
            | Target::Applying => true,
            Target::Path(_) => of == Of::Version,
            _ => false,
        };
        if !part.targets.iter().any(is_refused) {
            return Diagnostics::new();
        }
        let detail = format!(
            "The {} of a module can refer to variables and locals{}.",
            of.word(),
            if of == Of::Source { ", and to path" } else { "" }
        );
        let place = Place::of(&part.expression);
        vec![place.error("module.source", format!("Invalid module {}", of.word()), detail)]
    }

    /// Checks the arguments for variables that are declared constant, which must be constant as well. In Terraform an
    /// argument that is in error is left to the evaluation proper.
    pub(super) fn check_constant_arguments(&mut self, open: Open, child: usize) {
        let config = Arc::clone(&self.configuration.tree.modules[child].config);
        let caller = Arc::clone(&self.configuration.tree.modules[open.module].config);
        let Some((_, call)) = caller.calls.get_index(open.call) else { return };
        let repeated = Repeated::by(&call.repetition);
        for (at, (name, variable)) in config.variables.iter().enumerate() {
            if !self.evaluation.bounds().goes_on(1) {
                return;
            }
            if variable.constant != Some(true) {
                continue;
            }
            let Some(argument) = call.arguments.get(name) else { continue };
            if self.options.release.is_tofu() {
                let looks = Looks::new(Some(&self.evaluation));
                let part =
                    part(&self.configuration.tree, open.module, &argument.expression, repeated, &looks);
                if let Some(stopped) = looks.stopped() {
                    self.evaluation.end(stopped);
                    return;
                }
                let problems = self.not_static(open.module, &part, &argument.expression);
                if has_errors(&problems) {
                    self.diagnostics.extend(problems);
                    self.diagnostics.push(unable(&call.place));
                }
                continue;
            }
            let options = self.options.evaluation();
            let mut engine = Engine::new(&self.configuration, &self.memo, Walk::Static, &options);
            let node = engine.tree().node(child, NodeKind::Variable(at));
            engine.evaluation.exchange_usage(&mut self.evaluation);
            let found = engine.demand(node);
            engine.evaluation.exchange_usage(&mut self.evaluation);
            let is_known = match found {
                Ok(outcome) => outcome.values.iter().all(Value::is_wholly_known),
                Err(stop) if self.evaluation.stopped() => {
                    return self.diagnostics.extend(stop.into_diagnostics());
                }
                Err(_) => true,
            };
            if !is_known {
                let detail = format!(
                    "The variable \"{name}\" is needed while modules are loaded, and the value of this argument is not \
                     known by then."
                );
                let place = Place::of(&argument.expression);
                self.diagnostics.push(place.error("module.const", "Const variables must be known", detail));
            }
        }
    }

    /// Why a value is not the same in every run, as OpenTofu says it: what is not, then everything that needs it.
    /// Names are followed through locals and arguments of calls, with a list of steps in place of recursion.
    fn not_static(&self, module: usize, part: &Part, expression: &ConfigExpression) -> Diagnostics {
        let (seen, done) = (HashSet::default(), HashSet::default());
        let mut search = Search { loader: self, seen, done, problems: Diagnostics::new() };
        let mut steps =
            vec![Step { of: None, module, part: part.clone(), place: Place::of(expression), next: 0 }];
        while let Some(step) = steps.last_mut() {
            let is_first = step.next == 0;
            if is_first && !step.part.problems.is_empty() {
                let own: Diagnostics = step.part.problems.iter().map(as_static).collect();
                search.problems.extend(own);
                return search.closed(steps);
            }
            let Some(&target) = step.part.targets.get(step.next) else {
                search.done.extend(step.of);
                steps.pop();
                continue;
            };
            step.next += 1;
            let (at, place) = (step.module, step.place.clone());
            if let Some(problem) = search.refused(target, at, &place) {
                if problem.code == "module.variable.no_value" {
                    search.problems.push(problem);
                    search.problems.push(unable(&place));
                } else {
                    search.problems.push(problem);
                }
                return search.closed(steps);
            }
            if let Some(step) = search.further(target, at) {
                if step.of.is_some_and(|name| !search.seen.insert(name)) {
                    let detail = "The value is made of itself.".to_owned();
                    search.problems.push(step.place.error("module.static", "Circular reference", detail));
                    return search.closed(steps);
                }
                steps.push(step);
            }
        }
        Diagnostics::new()
    }
}

/// The value of an expression, if all that it needs has one, with what is wrong in its module.
fn early_value(engine: &mut Engine<'_>, module: usize, part: &Part) -> (Option<Value>, Diagnostics) {
    let mut needs = Vec::new();
    for &target in &part.targets {
        // The modules that are called are not there yet.
        if !matches!(target, Target::Module(_) | Target::Output(..) | Target::NoOutput(_)) {
            needs_of(engine.tree(), module, target, &mut needs);
        }
    }
    for need in needs {
        if let Err(stop) = engine.demand(need) {
            return (None, stop.into_diagnostics());
        }
    }
    let outcomes = engine.tree().nodes_of(module).filter_map(|node| engine.memo.get(node));
    let mut problems: Diagnostics =
        outcomes.flat_map(|outcome| outcome.diagnostics.iter().cloned()).collect();
    let (value, more) = engine.value(part, ExpressionPlace::plain(module, 0));
    problems.extend(more);
    (Some(value), problems)
}

/// The code of errors of static evaluation.
const UNABLE: &str = "module.static";

/// The complaint of something that needs what is not static.
fn unable(place: &Place) -> Diagnostic {
    let detail = "The value is needed before anything is evaluated, and something that it is made of is not known by then.";
    place.error(UNABLE, "Unable to compute static value", detail.to_owned())
}

/// An undeclared name, in the words of static evaluation.
fn as_static(problem: &Diagnostic) -> Diagnostic {
    let summary = match &*problem.code {
        "module.reference.variable" => "Undefined variable",
        "module.reference.local" => "Undefined local",
        "module.local.self" => "Circular reference",
        code if code.starts_with("module.reference.count")
            || code.starts_with("module.reference.each")
            || code == "module.reference.resource" =>
        {
            "Dynamic value in static context"
        }
        _ => return problem.clone(),
    };
    Diagnostic { summary: summary.into(), ..problem.clone() }
}

/// An expression on the way from the value that is needed to what is not static.
struct Step {
    /// The name that the expression is behind, with its module; nothing for the value that is needed.
    of: Option<(usize, Target)>,
    /// The module that it stands in.
    module: usize,
    part: Part,
    /// The place to complain at.
    place: Place,
    /// The position of the reference that is looked at next.
    next: usize,
}

/// A search for what is not static.
struct Search<'s, 'l> {
    loader: &'s Loader<'l>,
    /// The names that have been followed, with their modules.
    seen: HashSet<(usize, Target)>,
    /// Those of them behind which everything is static.
    done: HashSet<(usize, Target)>,
    /// The complaints, the innermost first.
    problems: Diagnostics,
}

impl Search<'_, '_> {
    /// Ends the search with the problem that was found, followed by a complaint of everything that needs what is in
    /// error, but for what is itself in error.
    fn closed(mut self, mut steps: Vec<Step>) -> Diagnostics {
        steps.pop();
        while let Some(step) = steps.pop() {
            self.problems.push(unable(&step.place));
        }
        self.problems
    }

    /// The complaint about a name that a static value can't use. A variable of the root needs a value or a default;
    /// variables of other modules get their argument looked at instead.
    fn refused(&self, target: Target, module: usize, place: &Place) -> Option<Diagnostic> {
        let refused =
            |title: &'static str, detail: &str| Some(place.error("module.static", title, detail.to_owned()));
        match target {
            Target::Resource(_) | Target::CountIndex | Target::EachKey | Target::EachValue => refused(
                "Dynamic value in static context",
                "A value that is needed while modules are loaded can't be made of resources, count or each.",
            ),
            Target::Module(_) | Target::Output(..) | Target::NoOutput(_) => refused(
                "Module output not supported in static context",
                "A value that is needed while modules are loaded can't be made of outputs of modules.",
            ),
            Target::Variable(at) => {
                let module = &self.loader.configuration.tree.modules[module];
                let (name, variable) = module.config.variables.get_index(at)?;
                if variable.constant == Some(false) {
                    return refused(
                        "Unable to use variable in static context",
                        "The variable is declared with const = false, so it can't be used while modules are loaded.",
                    );
                }
                let is_missing = module.parent.is_none()
                    && variable.default.is_none()
                    && self.loader.configuration.inputs.value(at).is_none();
                is_missing.then(|| self.loader.without_value(name, &variable.place))
            }
            _ => None,
        }
    }

    /// The expression behind a name; none if there is none to follow, or if it was followed before. A local that is not done
    /// yet is given again, so that a ring shows.
    fn further(&self, target: Target, module: usize) -> Option<Step> {
        let name = (module, target);
        if self.done.contains(&name) || self.seen.contains(&name) && !matches!(target, Target::Local(_)) {
            return None;
        }
        let tree = &self.loader.configuration.tree;
        let (at, expression, repeated) = match target {
            Target::Local(local) => {
                let (_, declared) = tree.modules[module].config.locals.get_index(local)?;
                (
                    module,
                    declared.attribute.expression(),
                    Repeated { local: Some(local), ..Repeated::default() },
                )
            }
            Target::Variable(variable) => {
                let (parent, call) = tree.modules[module].parent?;
                let (name, _) = tree.modules[module].config.variables.get_index(variable)?;
                let (_, call) = tree.modules[parent].config.calls.get_index(call)?;
                let argument = call.arguments.get(name)?;
                let repeated = Repeated::by(&call.repetition);
                (parent, argument.expression.clone(), repeated)
            }
            _ => return None,
        };
        let place = Place::of(&expression);
        let looks = Looks::new(Some(&self.loader.evaluation));
        let part = part(tree, at, &expression, repeated, &looks);
        Some(Step { of: Some(name), module: at, part, place, next: 0 })
    }
}
