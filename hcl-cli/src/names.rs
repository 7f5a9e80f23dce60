//! The meaning of names: those of `--var` and `--var-file` alone, or those of a module.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hcl_eval::eval::{EvalOptions, Scope, evaluate};
use hcl_eval::host::Host;
use hcl_module::packer::{FolderHost, Template};
use hcl_module::{Files, Given, LoadOptions, Module, Release, ResourceValue};
use hcl_syntax::config::ConfigExpression;
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::parser::{ParsedExpression, parse_expression};

use crate::args::{GivenArgument, LimitArguments, ScopeArguments};
use crate::disk::{DiskFiles, entry_shown_as, folder_name};
use crate::output::{Failure, NOT_THERE};
use crate::scope;

/// The names that expressions may use.
#[derive(Debug)]
pub enum Names {
    /// Those of a scope.
    Plain(Arc<Scope>),
    /// Those of a module.
    Module(Box<ModuleNames>),
    /// Those of a template of Packer.
    Template(Box<Template>),
}

/// A module, and how it is asked.
#[derive(Debug)]
pub struct ModuleNames {
    /// The module.
    pub module: Module,
    /// The functions of the console.
    functions: Arc<Scope>,
}

impl Names {
    /// The scope for an expression; none if it refers to what is not there. What the module is in error about is told
    /// too, as far as the expression needs it.
    pub fn scope_for(
        &self,
        expression: &ParsedExpression,
        options: &EvalOptions<'_>,
    ) -> (Option<Arc<Scope>>, Diagnostics) {
        match self {
            Self::Plain(scope) => (Some(Arc::clone(scope)), Diagnostics::new()),
            Self::Template(template) => (Some(Arc::clone(template.scope())), Diagnostics::new()),
            Self::Module(names) => {
                let expression =
                    ConfigExpression::native(expression.tree().clone(), expression.expression().id());
                names.module.scope_of(&[expression], Some(&names.functions), options)
            }
        }
    }

    /// A scope for expressions that nobody has seen yet.
    pub fn scope(&self, options: &EvalOptions<'_>) -> (Arc<Scope>, Diagnostics) {
        match self {
            Self::Plain(scope) => (Arc::clone(scope), Diagnostics::new()),
            Self::Template(template) => (Arc::clone(template.scope()), Diagnostics::new()),
            Self::Module(names) => {
                let (scope, diagnostics) = names.module.scope_of_everything(Some(&names.functions), options);
                (scope.unwrap_or_else(|| Arc::clone(&names.functions)), diagnostics)
            }
        }
    }

    /// The functions that there are.
    pub fn functions(&self) -> &Arc<Scope> {
        match self {
            Self::Plain(scope) => scope,
            Self::Template(template) => template.scope(),
            Self::Module(names) => &names.functions,
        }
    }

    /// Reports everything that is wrong with the module, as its console does before it answers.
    pub fn problems(&self, options: &EvalOptions<'_>) -> Diagnostics {
        match self {
            // Errors of a template are told when it is read.
            Self::Plain(_) | Self::Template(_) => Diagnostics::new(),
            Self::Module(names) => names.module.check(options),
        }
    }

    /// True if expressions can be answered.
    pub fn can_answer(&self) -> bool {
        match self {
            Self::Plain(_) | Self::Template(_) => true,
            Self::Module(names) => names.module.can_be_evaluated(),
        }
    }

    /// The host of expressions, if it is another than that of the command: one that begins in a template's folder.
    pub fn host<'h>(&'h self, host: &'h dyn Host) -> Option<FolderHost<'h>> {
        match self {
            Self::Plain(_) | Self::Module(_) => None,
            Self::Template(template) => Some(template.host(host)),
        }
    }

    /// A result as it may be shown.
    pub fn shown(&self, text: String) -> String {
        match self {
            Self::Plain(_) | Self::Module(_) => text,
            Self::Template(template) => template.secrets().blot(&text).into_owned(),
        }
    }

    /// Complaints as they may be shown.
    pub fn shown_problems(&self, problems: Diagnostics) -> Diagnostics {
        match self {
            Self::Plain(_) | Self::Module(_) => problems,
            Self::Template(template) => {
                problems.into_iter().map(|problem| template.secrets().blot_diagnostic(problem)).collect()
            }
        }
    }

    /// How expressions are called in messages.
    pub fn name_of_input(&self) -> &'static str {
        match self {
            Self::Plain(_) | Self::Template(_) => "expression",
            Self::Module(_) => hcl_module::EXPRESSION,
        }
    }
}

/// Loads the module that the arguments name.
///
/// # Errors
/// There is no such folder or file.
pub fn load_module(
    arguments: &ScopeArguments,
    release: Release,
    limits: &LimitArguments,
    host: &dyn Host,
    functions: Arc<Scope>,
) -> Result<(Names, Diagnostics), Failure> {
    let root = Root::new(&arguments.modules)?;
    let (resource_values, mut problems) = resource_values(arguments, limits, host, &functions)?;
    let options = LoadOptions {
        release,
        folder: root.folder,
        only: root.only,
        given: arguments.given.0.iter().map(given).collect(),
        host: Some(host),
        parse_limits: scope::parse_limits(limits),
        limits: scope::evaluation_options(limits, host).limits,
        planned: arguments.planned,
        resource_values,
        ..LoadOptions::default()
    };
    let (module, diagnostics) = Module::load(&DiskFiles, &options);
    problems.extend(diagnostics);
    Ok((Names::Module(Box::new(ModuleNames { module, functions })), problems))
}

/// Loads a module to look at it: without values from outside.
///
/// # Errors
/// There is no such folder or file.
pub fn loaded(paths: &[PathBuf], release: Release) -> Result<(Module, Diagnostics), Failure> {
    let root = Root::new(paths)?;
    let options = LoadOptions {
        release,
        folder: root.folder,
        only: root.only,
        reads_value_files: false,
        ..LoadOptions::default()
    };
    Ok(Module::load(&DiskFiles, &options))
}

/// The files that make a module: those that are named, or those of the folder in order.
pub fn files_of(paths: &[PathBuf], release: Release) -> Vec<PathBuf> {
    match paths {
        [folder] if folder.is_dir() => {
            let names = DiskFiles.names_in(&folder_name(folder)).unwrap_or_default();
            release.own_files(names).iter().map(|name| entry_shown_as(folder, name.as_ref())).collect()
        }
        _ => paths.to_vec(),
    }
}

/// The values of `--value`. Their expressions may call functions, but use no names.
///
/// # Errors
/// One is not `ADDRESS=EXPR`.
pub fn resource_values(
    arguments: &ScopeArguments,
    limits: &LimitArguments,
    host: &dyn Host,
    functions: &Arc<Scope>,
) -> Result<(Vec<ResourceValue>, Diagnostics), Failure> {
    let (mut values, mut diagnostics) = (Vec::new(), Diagnostics::new());
    for text in &arguments.values {
        let refused = || Failure::Usage(format!("--value {text:?}: expected ADDRESS=EXPR"));
        let (address, expression) = split_address(text).ok_or_else(refused)?;
        let source = scope::source(&format!("--value {address}"), expression.as_bytes().to_vec())?;
        let (parsed, problems) = parse_expression(source, &scope::parse_limits(limits));
        let failed = has_errors(&problems);
        diagnostics.extend(problems);
        if failed {
            continue;
        }
        let options = scope::evaluation_options(limits, host);
        let (value, problems) = evaluate(parsed.expression(), Some(functions), &options);
        diagnostics.extend(problems);
        values.push(ResourceValue { address: address.trim().to_owned(), value });
    }
    Ok((values, diagnostics))
}

/// An address and what follows the equals sign behind it; a key in the address may have one in it.
fn split_address(text: &str) -> Option<(&str, &str)> {
    let mut in_key = false;
    let mut is_escaped = false;
    let at = text.bytes().position(|byte| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match byte {
            b'\\' if in_key => is_escaped = !was_escaped,
            b'"' if !was_escaped => in_key = !in_key,
            _ => {}
        }
        byte == b'=' && !in_key
    })?;
    Some((&text[..at], &text[at + 1..]))
}

/// A value for a variable of a module.
pub fn given(argument: &GivenArgument) -> Given {
    match argument {
        GivenArgument::Variable(text) => Given::Assignment(text.clone()),
        GivenArgument::Text(text) => match text.split_once('=') {
            Some((name, text)) => Given::Text { name: name.to_owned(), text: text.to_owned() },
            None => Given::Assignment(text.clone()),
        },
        GivenArgument::File(path) => Given::File(path.display().to_string()),
    }
}

/// The folder of a module, and its files if they were named.
struct Root {
    /// The folder, as `path.module` says it.
    folder: String,
    /// The names of the files; without them all that belong to a module.
    only: Option<Vec<String>>,
}

impl Root {
    /// Finds the root; the error is about the arguments.
    fn new(paths: &[PathBuf]) -> Result<Self, Failure> {
        let missing = |path: &Path| Failure::Usage(format!("{}: {NOT_THERE}", path.display()));
        if let Some(path) = paths.iter().find(|path| !path.exists()) {
            return Err(missing(path));
        }
        if let [folder] = paths
            && folder.is_dir()
        {
            return Ok(Self { folder: folder_name(folder), only: None });
        }
        let folders: HashSet<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
        if folders.len() != 1 || paths.iter().any(|path| path.is_dir()) {
            let message = "--module names a folder, or files of one folder".to_owned();
            return Err(Failure::Usage(message));
        }
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = paths.first().and_then(|path| path.parent()).map_or_else(String::new, folder_name);
        Ok(Self { folder, only: Some(paths.iter().map(name).collect()) })
    }
}

/// True if a folder has files of a module of Terraform or `OpenTofu` in it.
pub fn has_module(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.map(|entry| entry.path()).any(|path| is_of_module(&path) && path.is_file())
}

/// True if a file belongs to a module of Terraform or `OpenTofu`, by its name.
pub fn is_of_module(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    [".tf", ".tf.json", ".tofu", ".tofu.json"].iter().any(|ending| name.ends_with(ending))
}
