//! Loading: files to declarations, calls to folders, until the tree of modules is whole.
//!
//! Modules are loaded from a list of calls to be looked at, not by recursion. A folder is read once, however
//! many calls lead to it. Sources of calls may depend on variables and locals; they are evaluated as the tree
//! grows, each by the part of the tree that is there.

mod call;
mod folder;
mod statically;

use std::collections::VecDeque;
use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Evaluation, Scope};
use hcl_eval::function::FunctionTable;
use hcl_eval::host::Host;
use hcl_eval::limits::Limits;
use hcl_syntax::config::Bounds;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::{HashMap, HashSet};
use hcl_syntax::parser::ParseLimits;

use crate::config::Config;
use crate::engine::{Configuration, Memo};
use crate::files::{Files, clean};
use crate::inputs::{Given, Sources, gather};
use crate::names;
use crate::release::Release;
use crate::resource_values::{GivenValues, ResourceValue};
use crate::tree::Tree;

/// The deepest nesting of modules.
const MOST_LEVELS: usize = 1000;
/// The most modules in a tree.
const MOST_MODULES: usize = 10_000;

/// How much work it is to look at a call.
const PARTS_OF_CALL: usize = 64;

/// The options of loading a module.
///
/// ```
/// use hcl_eval::eval::EvalOptions;
/// use hcl_module::{LoadOptions, Module, Release, TextFiles};
///
/// let files = TextFiles::from_iter([("net/main.tf", "output \"where\" {\n  value = path.module\n}\n")]);
/// let options = LoadOptions {
///     release: Release::by_name("terraform-1.11").unwrap(),
///     folder: "net".to_owned(),
///     ..LoadOptions::default()
/// };
/// let (module, _) = Module::load(&files, &options);
/// let (value, _) = module.evaluate_address("output.where", &EvalOptions::default());
/// assert_eq!(value.unwrap().as_str(), Some("net"));
/// ```
#[derive(Clone, Debug)]
pub struct LoadOptions<'a> {
    /// Whose rules hold.
    pub release: Release,
    /// The folder, as `path.module` says it.
    pub folder: String,
    /// The names of the files that make the module, if it is not all that belong by their names.
    pub only: Option<Vec<String>>,
    /// Values of the root's variables, the weakest first.
    pub given: Vec<Given>,
    /// True if the files of values that need not be named are read.
    pub reads_value_files: bool,
    /// The host that knows the environment, in which values of variables and the workspace may be. A variable that it
    /// refuses is not there.
    pub host: Option<&'a dyn Host>,
    /// The workspace, unless the environment or the folder says it.
    pub workspace: Option<String>,
    /// Bounds of parsing.
    pub parse_limits: ParseLimits,
    /// Bounds of what is evaluated while the module is loaded: constants, and what sources of modules need.
    pub limits: Limits,
    /// Functions of the host beside the product's.
    pub functions: Option<Arc<FunctionTable>>,
    /// True if resources, data sources and ephemeral resources have the values that a plan gives them, as far as their
    /// blocks tell: an object with the attributes of the block, a tuple of such objects by `count`, an object of them by
    /// `for_each`. Conditions of the blocks are held against them. Otherwise they are unknown, as in the product's
    /// console.
    pub planned: bool,
    /// Values of resources, data sources and ephemeral resources. In a plan the attributes of an object count more than
    /// those of the block; of several values for one instance the last counts.
    pub resource_values: Vec<ResourceValue>,
}

impl Default for LoadOptions<'_> {
    fn default() -> Self {
        Self {
            release: Release::default(),
            folder: ".".to_owned(),
            only: None,
            given: Vec::new(),
            reads_value_files: true,
            host: None,
            workspace: None,
            parse_limits: ParseLimits::default(),
            limits: Limits::default(),
            functions: None,
            planned: false,
            resource_values: Vec::new(),
        }
    }
}

impl<'a> LoadOptions<'a> {
    /// How to evaluate while the module is loaded.
    fn evaluation(&self) -> EvalOptions<'a> {
        EvalOptions { limits: self.limits.clone(), host: self.host, ..EvalOptions::default() }
    }
}

/// The result of loading.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The modules, ready to be evaluated. It is there whatever is wrong, as far as files could be read.
    pub(crate) configuration: Configuration,
    pub(crate) diagnostics: Diagnostics,
}

/// A call that is to be looked at.
#[derive(Copy, Clone)]
struct Open {
    /// The module that calls, by position in the tree.
    module: usize,
    /// The call, by position in the module.
    call: usize,
}

/// A tree of modules that is being built.
struct Loader<'l> {
    files: &'l dyn Files,
    options: &'l LoadOptions<'l>,
    /// The modules that have been read, by folder.
    folders: HashMap<String, Arc<Config>>,
    configuration: Configuration,
    /// The outcomes so far. They are dropped at the end: evaluation proper sees more.
    memo: Memo,
    /// The calls that are left.
    open: VecDeque<Open>,
    /// The budget that constants are charged to.
    evaluation: Evaluation<'l>,
    diagnostics: Diagnostics,
    /// Diagnostics that are reported only if everything else can be loaded.
    late: Diagnostics,
    /// Folders by the calls that lead to them, as the product notes them when it fetches modules.
    installed: HashMap<String, String>,
    /// True if a limit of the tree has been reached.
    is_full: bool,
}

/// Loads a module and the modules that it calls.
pub(crate) fn load(files: &dyn Files, options: &LoadOptions<'_>) -> Loaded {
    let folder = clean(&options.folder);
    let mut tree = Tree::new(options.release);
    let mut diagnostics = Diagnostics::new();
    let mut folders = HashMap::default();
    let mut evaluation = Evaluation::new(&options.evaluation());
    let root = folder::read_root(files, &folder, options, &mut evaluation, &mut diagnostics);
    // Of a folder that can't be read nobody knows the variables: what is given is not held against them.
    let given = if root.is_ok() { &options.given[..] } else { &[] };
    let config = root.unwrap_or_else(|problem| {
        diagnostics.push(problem);
        Arc::default()
    });
    folders.insert(folder.clone(), Arc::clone(&config));
    tree.add(None, folder.clone(), Arc::clone(&config));
    let sources = Sources {
        files,
        // Terraform reads the environment for modules without errors.
        host: options.host.filter(|_| !has_errors(&diagnostics)),
        folder: options.reads_value_files.then_some(folder.as_str()),
        given,
        limits: &options.parse_limits,
        release: options.release,
    };
    let (inputs, problems) = gather(&config, &sources, &mut evaluation);
    diagnostics.extend(problems);
    let workspace = names::workspace(options.workspace.as_deref(), &folder, files, options.host);
    let functions = functions(options, &tree);
    let configuration = Configuration::new(tree, inputs, functions, folder.clone(), workspace);
    let installed = folder::installed(files, &folder, &mut evaluation);
    let mut loader = Loader {
        files,
        options,
        folders,
        configuration,
        memo: Memo::default(),
        open: VecDeque::new(),
        evaluation,
        diagnostics,
        late: Diagnostics::new(),
        installed,
        is_full: false,
    };
    loader.check_constants();
    loader.open_calls(0);
    loader.call_all();
    let Loader { mut configuration, mut diagnostics, late, mut evaluation, .. } = loader;
    let (values, problems) = GivenValues::new(&options.resource_values, &configuration.tree, &mut evaluation);
    // Of files with errors nobody knows what they declare.
    if !has_errors(&diagnostics) {
        diagnostics.extend(problems);
    }
    configuration.is_planned = options.planned;
    configuration.tree.plans = options.planned || !values.is_empty();
    configuration.resource_values = values;
    configuration.aliases = aliases(&configuration.tree, evaluation.bounds());
    if options.release.checks_calls_early() || !has_errors(&diagnostics) {
        diagnostics.extend(late);
    }
    crate::engine::finish(&mut diagnostics, &mut evaluation);
    Loaded { configuration, diagnostics }
}

/// The functions of the module's files: the console's own is not among them.
fn functions(options: &LoadOptions<'_>, tree: &Tree) -> Arc<Scope> {
    let mut table = (*tree.functions).clone();
    table.remove("type");
    table.remove("core::type");
    let builder = Scope::builder().functions(Arc::new(table));
    match &options.functions {
        Some(more) => builder.functions(Arc::clone(more)).build(),
        None => builder.build(),
    }
}

/// The functions of the provider that comes with the products, under the names that modules give it.
fn aliases(tree: &Tree, bounds: &mut dyn Bounds) -> Option<Arc<FunctionTable>> {
    let mut table = FunctionTable::new();
    let mut seen = HashSet::from_iter(["terraform"]);
    for module in &tree.modules {
        let settings = &module.config.settings;
        if !bounds.goes_on(settings.providers.len().saturating_mul(PARTS_OF_PROVIDER)) {
            break;
        }
        for name in settings.builtin_providers().filter(|name| seen.insert(name)) {
            if !bounds.goes_on(PARTS_OF_ALIASES) {
                break;
            }
            for (known, function) in tree.functions.starting_with(BUILTIN) {
                let function_name = known.trim_start_matches(BUILTIN);
                table.insert_as(&format!("provider::{name}::{function_name}"), Arc::clone(function));
            }
        }
    }
    (!table.is_empty()).then(|| Arc::new(table))
}

/// How much work it is to see which provider a name stands for, and to give its functions another name.
const PARTS_OF_PROVIDER: usize = 16;
const PARTS_OF_ALIASES: usize = 512;

/// The beginning of the names of the functions that come with the products' own provider.
const BUILTIN: &str = "provider::terraform::";

impl Loader<'_> {
    /// Checks that variables of the root that are declared constant have values. They are needed to build the tree,
    /// so that it is an error in a console as well.
    fn check_constants(&mut self) {
        let config = Arc::clone(&self.configuration.tree.modules[0].config);
        for (at, (name, variable)) in config.variables.iter().enumerate() {
            let is_missing = variable.default.is_none() && self.configuration.inputs.value(at).is_none();
            if variable.constant == Some(true) && is_missing && !variable.is_type_wrong {
                self.diagnostics.push(self.without_value(name, &variable.place));
            }
        }
    }

    /// The complaint about a variable without a value. OpenTofu would ask for one.
    fn without_value(&self, name: &str, place: &crate::place::Place) -> Diagnostic {
        let title = match self.options.release.is_tofu() {
            true => format!("Failed to request input from user for variable var.{name}"),
            false => "No value for required variable".to_owned(),
        };
        let detail = format!(
            "The variable \"{name}\" is needed while modules are loaded, and has neither a value nor a default."
        );
        place.error("module.variable.no_value", title, detail)
    }

    /// Looks at the calls that are left, and at those of the modules that they add.
    fn call_all(&mut self) {
        while let Some(open) = self.open.pop_front() {
            if !self.evaluation.bounds().goes_on(PARTS_OF_CALL) {
                break;
            }
            self.call(open);
        }
    }

    /// Notes the calls of a module to be looked at.
    fn open_calls(&mut self, module: usize) {
        let n_calls = self.configuration.tree.modules[module].config.calls.len();
        self.open.extend((0..n_calls).map(|call| Open { module, call }));
    }
}
