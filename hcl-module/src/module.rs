//! A folder as an object: what it declares, what it lacks, what its expressions are.

use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::types::Type;
use hcl_eval::{Str, Value};
use hcl_syntax::ast::{ExpressionKind, Step, StepKind};
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::{HashMap, HashSet};
use hcl_syntax::parser::ParsedExpression;
use hcl_syntax::source::{Range, Source};

use crate::engine::{
    Configuration, Engine, ExpressionPlace, Looks, Memo, Part, Repeated, Stop, Walk, limit_beside,
    missing_modules, needs_of, part, taken_by,
};
use crate::files::Files;
use crate::load::{LoadOptions, Loaded, load};
use crate::names::PathName;
use crate::reference::Target;
use crate::release::Release;
use crate::tree::{NodeId, NodeKind, Tree};

/// A module with the modules that it calls.
///
/// It may be used by several threads at once. Values of variables, locals and outputs are found out when they
/// are first needed, and kept.
///
/// ```
/// use hcl_eval::eval::EvalOptions;
/// use hcl_module::{Given, LoadOptions, Module, TextFiles};
///
/// let files = TextFiles::from_iter([
///     ("main.tf", "module \"net\" {\n  source = \"./net\"\n  zone = var.zone\n}\nvariable \"zone\" {}\n"),
///     ("net/main.tf", "variable \"zone\" {}\noutput \"name\" {\n  value = upper(var.zone)\n}\n"),
/// ]);
/// let given = vec![Given::Assignment("zone=b".to_owned())];
/// let (module, problems) = Module::load(&files, &LoadOptions { given, ..LoadOptions::default() });
/// assert!(problems.is_empty());
/// let (value, problems) = module.evaluate("\"${module.net.name}!\"", &EvalOptions::default());
/// assert!(problems.is_empty());
/// assert_eq!(value.as_ref().and_then(|value| value.as_str()), Some("B!"));
/// ```
#[derive(Debug)]
pub struct Module {
    configuration: Configuration,
    memo: Memo,
    can_be_evaluated: bool,
}

/// The kind of a declaration.
///
/// ```
/// use hcl_module::{DeclaredKind, LoadOptions, Module, TextFiles};
///
/// let files = TextFiles::from_iter([("main.tf", "locals {\n  a = 1\n}\noutput \"b\" {\n  value = local.a\n}\n")]);
/// let (module, _) = Module::load(&files, &LoadOptions::default());
/// let kinds: Vec<_> = module.declared().into_iter().map(|declared| declared.kind).collect();
/// assert_eq!(kinds, [DeclaredKind::Local, DeclaredKind::Output]);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum DeclaredKind {
    /// `var.NAME`
    Variable,
    /// `local.NAME`
    Local,
    /// `output.NAME`
    Output,
    /// `module.NAME`
    Module,
    /// `TYPE.NAME`
    Resource,
    /// `data.TYPE.NAME`
    Data,
    /// `ephemeral.TYPE.NAME`
    Ephemeral,
}

/// A declaration of a module.
///
/// ```
/// use hcl_module::{LoadOptions, Module, TextFiles};
///
/// let text = "variable \"port\" {\n  type      = number\n  sensitive = true\n}\n";
/// let (module, _) = Module::load(&TextFiles::from_iter([("main.tf", text)]), &LoadOptions::default());
/// let port = &module.declared()[0];
/// assert_eq!((port.address.as_str(), port.sensitive), ("var.port", true));
/// assert_eq!(port.range.start.line, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Declared {
    /// The kind.
    pub kind: DeclaredKind,
    /// How expressions refer to it, or [`Module::evaluate_address`].
    pub address: String,
    /// Where it is declared.
    pub range: Range,
    /// Of a variable its type.
    pub ty: Option<Type>,
    /// True if it is declared sensitive.
    pub sensitive: bool,
}

/// The name of expressions in messages.
pub const EXPRESSION: &str = "<console-input>";

impl Module {
    /// Loads the module in a folder, and those that it calls. What is wrong is in the diagnostics; a module with errors
    /// can be looked at, but not evaluated.
    pub fn load(files: &dyn Files, options: &LoadOptions<'_>) -> (Self, Diagnostics) {
        let Loaded { configuration, diagnostics } = load(files, options);
        let can_be_evaluated = !has_errors(&diagnostics);
        (Self { configuration, memo: Memo::default(), can_be_evaluated }, diagnostics)
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.configuration.tree
    }

    /// The folder, as `path.module` says it.
    pub fn folder(&self) -> &str {
        &self.configuration.root_folder
    }

    /// The folders of the module and of those that it calls, each once.
    pub fn folders(&self) -> Vec<&str> {
        let mut folders: Vec<&str> =
            self.configuration.tree.modules.iter().map(|module| module.folder.as_str()).collect();
        folders.sort_unstable();
        folders.dedup();
        folders
    }

    /// Whose rules hold.
    pub fn release(&self) -> Release {
        self.configuration.tree.release
    }

    /// True if there were no errors when the module was loaded.
    pub fn can_be_evaluated(&self) -> bool {
        self.can_be_evaluated
    }

    /// The scope of the module's functions, without any names.
    pub fn functions(&self) -> &Arc<Scope> {
        &self.configuration.functions
    }

    /// The declarations of the module itself, kind by kind, in the order of its files.
    pub fn declared(&self) -> Vec<Declared> {
        let config = &self.configuration.tree.modules[0].config;
        let plain =
            |kind, address: String, range| Declared { kind, address, range, ty: None, sensitive: false };
        let variables = config.variables.values().map(|one| Declared {
            ty: Some(one.ty()),
            sensitive: one.is_sensitive(),
            ..plain(DeclaredKind::Variable, format!("var.{}", one.name), one.place.range())
        });
        let locals = config
            .locals
            .iter()
            .map(|(name, one)| plain(DeclaredKind::Local, format!("local.{name}"), one.place.range()));
        let outputs = config.outputs.values().map(|one| Declared {
            sensitive: one.is_sensitive(),
            ..plain(DeclaredKind::Output, format!("output.{}", one.name), one.place.range())
        });
        let calls = config
            .calls
            .values()
            .map(|one| plain(DeclaredKind::Module, format!("module.{}", one.name), one.place.range()));
        let resources = config.resources.values().map(|one| {
            let kind = match one.mode {
                crate::declare::Mode::Managed => DeclaredKind::Resource,
                crate::declare::Mode::Data => DeclaredKind::Data,
                crate::declare::Mode::Ephemeral => DeclaredKind::Ephemeral,
            };
            plain(kind, one.address(), one.place.range())
        });
        variables.chain(locals).chain(outputs).chain(calls).chain(resources).collect()
    }

    /// How many there are of [`Module::declared`].
    ///
    /// ```
    /// use hcl_module::{LoadOptions, Module, TextFiles};
    ///
    /// let files = TextFiles::default().with("main.tf", "locals {\n  a = 1\n  b = 2\n}\n");
    /// let (module, _) = Module::load(&files, &LoadOptions { folder: ".".to_owned(), ..LoadOptions::default() });
    /// assert_eq!((module.n_declared(), module.declared().len()), (2, 2));
    /// ```
    pub fn n_declared(&self) -> usize {
        let config = &self.configuration.tree.modules[0].config;
        let n_named = config.variables.len() + config.locals.len() + config.outputs.len();
        n_named + config.calls.len() + config.resources.len()
    }

    /// The variables that have neither a value nor a default.
    pub fn missing_variables(&self) -> Vec<&str> {
        let variables = self.configuration.tree.modules[0].config.variables.iter().enumerate();
        let is_missing = |(at, (_, one)): &(usize, (&String, &crate::declare::Variable))| {
            one.default.is_none() && self.configuration.inputs.value(*at).is_none()
        };
        variables.filter(is_missing).map(|(_, (name, _))| name.as_str()).collect()
    }

    /// The complaints about variables that have no value, for a host that wants every one to have one.
    pub fn demand_variables(&self) -> Diagnostics {
        let config = &self.configuration.tree.modules[0].config;
        let missing = self.missing_variables().into_iter().filter_map(|name| config.variables.get(name));
        let complaint = |one: &crate::declare::Variable| {
            let detail = format!("The variable \"{}\" has no default, so it needs a value.", one.name);
            one.place.error("module.variable.no_value", "No value for required variable", detail)
        };
        missing.map(complaint).collect()
    }

    /// The value of an expression in the module, evaluating only what it needs; none if it has none. The diagnostics are
    /// those of the expression and of what it needs.
    pub fn evaluate(&self, text: &str, options: &EvalOptions<'_>) -> (Option<Value>, Diagnostics) {
        let (parsed, mut diagnostics) = match Evaluation::new(options).parse(EXPRESSION, text) {
            Ok(parsed) => parsed,
            Err(problems) => return (None, problems),
        };
        if has_errors(&diagnostics) {
            return (None, diagnostics);
        }
        let (value, more) = self.evaluate_parsed(&parsed, None, options);
        diagnostics.extend(more);
        (value, diagnostics)
    }

    /// Evaluates an expression that has been parsed. `functions` are there instead of those of the module's files: a
    /// console has more.
    pub fn evaluate_parsed(
        &self,
        parsed: &ParsedExpression,
        functions: Option<&Arc<Scope>>,
        options: &EvalOptions<'_>,
    ) -> (Option<Value>, Diagnostics) {
        let expression = ConfigExpression::native(parsed.tree().clone(), parsed.expression().id());
        let (scope, mut diagnostics) = self.scope_of(&[expression], functions, options);
        let Some(scope) = scope else { return (None, diagnostics) };
        let (value, more) = hcl_eval::eval::evaluate(parsed.expression(), Some(&scope), options);
        let value = (!has_errors(&more)).then_some(value);
        diagnostics.extend(more);
        (value, diagnostics)
    }

    /// A scope with what expressions of the module refer to; none if they refer to what is not there, or has no value.
    /// The diagnostics are those of the references and of what they need.
    pub fn scope_of(
        &self,
        expressions: &[ConfigExpression],
        functions: Option<&Arc<Scope>>,
        options: &EvalOptions<'_>,
    ) -> (Option<Arc<Scope>>, Diagnostics) {
        let sources = expressions.iter().map(ConfigExpression::source);
        let mut evaluation = Evaluation::new(options);
        if let Err(limit) = evaluation.find_lines(sources) {
            return (None, limit);
        }
        let mut targets = Vec::new();
        let mut diagnostics = Diagnostics::new();
        for expression in expressions {
            let looks = Looks::new(Some(&evaluation));
            let part = part(&self.configuration.tree, 0, expression, Repeated::default(), &looks);
            if let Some(stopped) = looks.stopped() {
                return (None, limit_beside(&mut evaluation, Some(stopped)));
            }
            diagnostics.extend(self.deprecated(&part));
            diagnostics.extend(missing_modules(&self.configuration.tree, 0, &part).cloned());
            diagnostics.extend(part.problems);
            targets.extend(part.targets.into_iter().map(|target| (target, Some(expression))));
        }
        if !self.can_be_evaluated || has_errors(&diagnostics) {
            return (None, diagnostics);
        }
        let mut asked: HashMap<usize, Vec<Str>> = HashMap::default();
        for expression in expressions.iter().filter(|_| self.configuration.is_planned) {
            let config = &self.configuration.tree.modules[0].config;
            for (at, names) in taken_by(expression, config, evaluation.bounds()) {
                asked.entry(at).or_default().extend(names);
            }
        }
        if evaluation.stopped() {
            return (None, limit_beside(&mut evaluation, None));
        }
        let (scope, more) = self.scope_with(&targets, functions, options, asked);
        diagnostics.extend(more);
        crate::engine::once(&mut diagnostics, &mut evaluation);
        (scope, diagnostics)
    }

    /// The warnings about an expression of the root that uses what is not to be used any more.
    fn deprecated(&self, part: &Part) -> Diagnostics {
        Engine::new(&self.configuration, &self.memo, Walk::Console, &EvalOptions::default())
            .deprecated_outputs(part, 0)
    }

    /// A scope with all that the module declares, for expressions that nobody knows yet. Everything is evaluated.
    pub fn scope_of_everything(
        &self,
        functions: Option<&Arc<Scope>>,
        options: &EvalOptions<'_>,
    ) -> (Option<Arc<Scope>>, Diagnostics) {
        if !self.can_be_evaluated {
            return (None, Diagnostics::new());
        }
        let config = &self.configuration.tree.modules[0].config;
        let mut targets: Vec<Target> = (0..config.variables.len()).map(Target::Variable).collect();
        targets.extend((0..config.locals.len()).map(Target::Local));
        targets.extend((0..config.calls.len()).map(Target::Module));
        targets.extend((0..config.resources.len()).map(Target::Resource));
        targets.extend([Target::Path(PathName::Module), Target::Path(PathName::Root)]);
        targets.extend([Target::Workspace, Target::Applying]);
        if options.host.is_some_and(|host| host.working_directory().is_ok()) {
            targets.push(Target::Path(PathName::Cwd));
        }
        let nowhere = None;
        let (scope, more) = self.scope_with(
            &targets.into_iter().map(|target| (target, nowhere)).collect::<Vec<_>>(),
            functions,
            options,
            HashMap::default(),
        );
        let mut diagnostics: Diagnostics =
            self.configuration.tree.missing_modules().cloned().chain(more).collect();
        crate::engine::once(&mut diagnostics, &mut Evaluation::new(options));
        (scope, diagnostics)
    }

    /// Evaluates what targets need, and makes a scope of them; none if a limit was reached, a target has no value, or
    /// the scope can't be made. `asked` has the attributes of planned resources that the expressions take.
    fn scope_with(
        &self,
        targets: &[(Target, Option<&ConfigExpression>)],
        functions: Option<&Arc<Scope>>,
        options: &EvalOptions<'_>,
        asked: HashMap<usize, Vec<Str>>,
    ) -> (Option<Arc<Scope>>, Diagnostics) {
        let mut engine = Engine::new(&self.configuration, &self.memo, Walk::Console, options);
        let mut needs = Vec::new();
        targets.iter().for_each(|&(target, _)| needs_of(&self.configuration.tree, 0, target, &mut needs));
        for &need in &needs {
            if let Err(stop) = engine.demand(need) {
                return (None, stop.into_diagnostics());
            }
        }
        // Values that are kept do not depend on what is asked.
        engine.asked = asked;
        let mut diagnostics = self.problems_of(&mut engine, &needs);
        let uninitialized: Diagnostics = targets
            .iter()
            .filter_map(|&(target, at)| Some(self.uninitialized(engine.uninitialized(target, 0)?, at)))
            .collect();
        if has_errors(&uninitialized) {
            diagnostics.extend(uninitialized);
            return (None, diagnostics);
        }
        let targets: Vec<Target> = targets.iter().map(|&(target, _)| target).collect();
        let functions = functions.unwrap_or(&self.configuration.functions);
        let scope = engine.scope(&targets, ExpressionPlace::plain(0, 0), functions);
        if let Some(limit) = engine.ended.get() {
            diagnostics.extend(limit_beside(&mut engine.evaluation, Some(limit)));
            return (None, diagnostics);
        }
        match scope {
            Ok(scope) => (Some(scope), diagnostics),
            Err(problem) => {
                diagnostics.push(problem);
                (None, diagnostics)
            }
        }
    }

    /// The problems of nodes and of all that they need.
    fn problems_of(&self, engine: &mut Engine<'_>, needs: &[NodeId]) -> Diagnostics {
        if needs.iter().all(|&need| engine.outcome(need).is_quiet) {
            return Diagnostics::new();
        }
        let mut seen: HashSet<NodeId> = HashSet::default();
        let mut open: Vec<NodeId> = needs.to_vec();
        while let Some(node) = open.pop() {
            if seen.insert(node) {
                let needs = &engine.prepared(node).needs;
                if !engine.evaluation.bounds().goes_on(needs.len()) {
                    break;
                }
                open.extend(needs);
            }
        }
        let mut nodes: Vec<NodeId> = seen.into_iter().collect();
        nodes.sort_unstable();
        let problems = nodes.into_iter().flat_map(|node| &engine.outcome(node).diagnostics);
        let most = engine.evaluation.limits().max_diagnostics as usize;
        let mut diagnostics: Diagnostics = problems.take(most).cloned().collect();
        crate::engine::finish(&mut diagnostics, &mut engine.evaluation);
        diagnostics
    }

    /// The complaint about a name that has no value because what it needs is in error.
    fn uninitialized(&self, what: &str, expression: Option<&ConfigExpression>) -> Diagnostic {
        let title = match self.release().is_tofu() {
            true => format!("Reference to unresolved input {what}"),
            false => format!("Reference to uninitialized {what}"),
        };
        let detail = format!(
            "The {what} has no value, because it needs something that is wrong; see the other error."
        );
        let problem = Diagnostic::error("module.uninitialized", title, detail);
        match expression {
            Some(expression) => problem.at(expression.source(), expression.span()),
            None => problem,
        }
    }

    /// The value at an address: `output.x`, `module.a.output.b`, or anything that an expression writes, such as `local.x`.
    /// Attributes and indexes may follow.
    pub fn evaluate_address(&self, address: &str, options: &EvalOptions<'_>) -> (Option<Value>, Diagnostics) {
        let address = match address_in(address, options) {
            Ok(address) => address,
            Err(problems) => return (None, problems),
        };
        let Some(name) = &address.output else {
            let (value, problems) = self.evaluate_parsed(&address.parsed, None, options);
            return (value, address.shown(problems));
        };
        let (value, mut problems) = self.output(name, options);
        let Some(value) = value else { return (None, problems) };
        let outputs = Value::object(vec![(Str::from(name.as_str()), value)]);
        let scope = Scope::builder().variable("output", outputs).build();
        let (value, more) = hcl_eval::eval::evaluate(address.parsed.expression(), Some(&scope), options);
        let value = (!has_errors(&more)).then_some(value);
        problems.extend(more);
        (value, problems)
    }

    /// Tells what is wrong with an address, whatever the values are: what it names is not declared.
    pub fn check_address(&self, address: &str) -> Diagnostics {
        let address = match address_in(address, &EvalOptions::default()) {
            Ok(address) => address,
            Err(problems) => return problems,
        };
        if let Some(name) = &address.output {
            let is_there = self.configuration.tree.modules[0].config.outputs.contains_key(name);
            return if is_there { Diagnostics::new() } else { vec![undeclared_own_output(name)] };
        }
        let expression =
            ConfigExpression::native(address.parsed.tree().clone(), address.parsed.expression().id());
        let Part { targets, mut problems, .. } =
            part(&self.configuration.tree, 0, &expression, Repeated::default(), &Looks::new(None));
        let calls = &self.configuration.tree.modules[0].config.calls;
        let called = targets.into_iter().filter_map(|target| match target {
            Target::NoOutput(call) => calls.get_index(call),
            _ => None,
        });
        problems.extend(called.map(|(call, _)| {
            let detail = format!("The module \"{call}\" declares no output of the name that follows.");
            undeclared_output(detail).at(expression.source(), expression.span())
        }));
        address.shown(problems)
    }

    /// The work on the graph as the console does it.
    pub(crate) fn console<'m>(&'m self, options: &EvalOptions<'m>) -> Engine<'m> {
        Engine::new(&self.configuration, &self.memo, Walk::Console, options)
    }

    /// The value of an output of the module itself.
    fn output(&self, name: &str, options: &EvalOptions<'_>) -> (Option<Value>, Diagnostics) {
        let config = &self.configuration.tree.modules[0].config;
        let Some(at) = config.outputs.get_index_of(name) else {
            return (None, vec![undeclared_own_output(name)]);
        };
        if !self.can_be_evaluated {
            return (None, Diagnostics::new());
        }
        let mut engine = Engine::new(&self.configuration, &self.memo, Walk::Console, options);
        let node = self.configuration.tree.node(0, NodeKind::Output(at));
        match engine.demand(node) {
            Ok(outcome) => (outcome.value(0).cloned(), self.problems_of(&mut engine, &[node])),
            Err(stop) => (None, stop.into_diagnostics()),
        }
    }

    /// Evaluates everything that the module and those that it calls declare, as a console does before it answers. Tells
    /// all problems.
    pub fn check(&self, options: &EvalOptions<'_>) -> Diagnostics {
        if !self.can_be_evaluated {
            return Diagnostics::new();
        }
        let mut engine = Engine::new(&self.configuration, &self.memo, Walk::Console, options);
        let mut diagnostics = self.everything(&mut engine).unwrap_or_else(Stop::into_diagnostics);
        crate::engine::finish(&mut diagnostics, &mut engine.evaluation);
        diagnostics
    }

    /// Tells what can be known of the module without values: every block is looked at once, with variables of the root,
    /// `each` and `count` unknown, resources and checks included.
    pub fn validate(&self, options: &EvalOptions<'_>) -> Diagnostics {
        if !self.can_be_evaluated {
            return Diagnostics::new();
        }
        let refused = self.demanded_releases();
        if !refused.is_empty() {
            return refused;
        }
        if let Some(problem) = self.missing_provider() {
            return vec![problem];
        }
        let memo = Memo::default();
        let mut engine = Engine::new(&self.configuration, &memo, Walk::Validate, options);
        let mut diagnostics = self.everything(&mut engine).unwrap_or_else(Stop::into_diagnostics);
        diagnostics.extend(engine.blocks_without_values());
        crate::engine::finish(&mut diagnostics, &mut engine.evaluation);
        diagnostics
    }

    /// The complaints about modules that are for other releases.
    fn demanded_releases(&self) -> Diagnostics {
        let release = self.release();
        let modules = self.configuration.tree.modules.iter();
        let required = modules.flat_map(|module| &module.config.settings.required);
        let refused = required.filter(|(constraints, _)| !constraints.allow(release.version()));
        let complaint = |place: &crate::place::Place| {
            let detail =
                format!("The module demands a release that {release} is not. Choose one that it allows.");
            place.error("module.settings", "Unsupported Terraform Core version", detail)
        };
        refused.map(|(_, place)| complaint(place)).collect()
    }

    /// The complaint about a provider that is handed to a module and is not there.
    fn missing_provider(&self) -> Option<Diagnostic> {
        let registry = match self.release().is_tofu() {
            true => "registry.opentofu.org",
            false => "registry.terraform.io",
        };
        let tree = &self.configuration.tree;
        tree.modules.iter().enumerate().find_map(|(at, module)| {
            let (name, alias) = module.config.missing_provider()?;
            let path: String = tree.path(at).into_iter().map(|name| format!("module.{name}.")).collect();
            let address = module.config.provider_address(name, registry);
            let detail = format!(
                "A module is handed the provider {name}.{alias}, which is not configured. Add a block: provider \
                 \"{name}\" {{ alias = \"{alias}\" }}"
            );
            let title = format!("missing provider {path}provider[\"{address}\"].{alias}");
            Some(Diagnostic::error("module.provider", title, detail))
        })
    }

    fn everything(&self, engine: &mut Engine<'_>) -> Result<Diagnostics, Stop> {
        let tree = &self.configuration.tree;
        let mut diagnostics = tree.missing_modules().cloned().collect::<Diagnostics>();
        for module in 0..tree.modules.len() {
            for node in tree.nodes_of(module) {
                if !engine.evaluation.bounds().next_item() {
                    return Err(Stop::Limit(limit_beside(&mut engine.evaluation, None)));
                }
                diagnostics.extend(engine.demand(node)?.diagnostics.iter().cloned());
                // The caller tells that these are too many.
                if diagnostics.len() >= engine.evaluation.limits().max_diagnostics as usize {
                    return Ok(diagnostics);
                }
            }
        }
        Ok(diagnostics)
    }
}

/// An address that has been read.
pub(crate) struct Address {
    /// The expression that has its value; what is behind the name of an output follows it there too.
    pub(crate) parsed: ParsedExpression,
    /// The output of the module itself that it names.
    pub(crate) output: Option<String>,
    /// The text as it was given.
    source: Source,
}

impl Address {
    /// Complaints that show the address as it was given.
    fn shown(&self, problems: Diagnostics) -> Diagnostics {
        let read = self.parsed.tree().source();
        let shown = |problem: Diagnostic| match problem.source.as_ref() == Some(read) {
            true => Diagnostic { source: Some(self.source.clone()), ..problem },
            false => problem,
        };
        problems.into_iter().map(shown).collect()
    }
}

fn undeclared_own_output(name: &str) -> Diagnostic {
    undeclared_output(format!("The module declares no output \"{name}\"."))
}

fn undeclared_output(detail: String) -> Diagnostic {
    Diagnostic::error("module.reference.output", "Reference to undeclared output", detail)
}

/// Reads an address.
///
/// # Errors
/// The text is no expression, or a limit was reached.
pub(crate) fn address_in(text: &str, options: &EvalOptions<'_>) -> Result<Address, Diagnostics> {
    let mut evaluation = Evaluation::new(options);
    let (parsed, problems) = evaluation.parse(EXPRESSION, text)?;
    if has_errors(&problems) {
        return Err(problems);
    }
    let source = parsed.tree().source().clone();
    let ExpressionKind::Traversal(traversal) = parsed.expression().kind() else {
        return Ok(Address { parsed, output: None, source });
    };
    // The name of an output is in the first of them.
    let steps: Vec<Step<'_>> = traversal.steps().iter().take(4).collect();
    if traversal.root() == "output"
        && let Some(StepKind::Attribute(name)) = steps.first().map(|step| step.kind)
    {
        evaluation.hold_parts(name.len(), 1)?;
        let output = Some(name.to_owned());
        return Ok(Address { parsed, output, source });
    }
    // An expression names an output of a module without the word.
    let is_output = |step: &Step<'_>| matches!(step.kind, StepKind::Attribute("output"));
    let is_attribute = |step: &Step<'_>| matches!(step.kind, StepKind::Attribute(_));
    let word = (1..=2)
        .find(|&at| steps.get(at).is_some_and(is_output) && steps.get(at + 1).is_some_and(is_attribute));
    let Some(at) = word.filter(|_| traversal.root() == "module") else {
        return Ok(Address { parsed, output: None, source });
    };
    // Blanks in its place keep the columns.
    let span = steps[at].span;
    let word = span.start as usize..span.end as usize;
    evaluation.hold_parts(text.len(), 1)?;
    let mut expression = text.to_owned();
    expression.replace_range(word.clone(), &" ".repeat(word.len()));
    let (parsed, _) = Evaluation::new(options).parse(EXPRESSION, &expression)?;
    Ok(Address { parsed, output: None, source })
}
