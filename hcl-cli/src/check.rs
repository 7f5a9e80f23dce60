//! `hcl check`: parse files of either syntax and report every problem.
//!
//! Files that belong together are checked together: modules of Terraform and OpenTofu and templates of Packer by
//! folder, jobs of Nomad each by itself, with all that is checked without values from outside. Other files are only
//! parsed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::slice;

use hcl_eval::Value;
use hcl_eval::eval::EvalOptions;
use hcl_eval::host::{FileKind, Host, HostError, SystemHost, Timestamp};
use hcl_module::packer;
use hcl_module::{LoadOptions, Module, Release};
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics};
use hcl_syntax::json::parse_json;
use hcl_syntax::parser::{ParseLimits, parse_file};

use crate::args::{CheckArguments, DiagnosticForm, Dialect, Product};
use crate::configuration::Syntax;
use crate::disk::{DiskFiles, folder_name, path_shown_as};
use crate::folders::{FoundFiles, Weigh, in_parallel, is_of_language};
use crate::names::{is_of_module, loaded};
use crate::output::{Failure, Outcome, Reporter, read_input};
use crate::scope::{json_source, source};
use crate::watch::watch;
use crate::{batch, job, notes, templates};

/// Runs the verb.
///
/// # Errors
/// Nothing can be written.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    if arguments.jsonl {
        return batch::run(batch::check::answer);
    }
    if arguments.watch {
        let watched: Vec<PathBuf> = inputs(arguments).into_iter().chain(arguments.modules.clone()).collect();
        return watch(&watched, is_of_language, || {
            if check(arguments)? == Outcome::Success
                && arguments.reporting.diagnostics == DiagnosticForm::Text
            {
                writeln!(io::stderr(), "hcl: no errors were found")?;
            }
            Ok(())
        });
    }
    check(arguments)
}

/// Checks everything once.
fn check(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    let (mut files, mut failures) = (Vec::new(), Vec::new());
    let (mut in_folders, mut notes) = (Vec::new(), Vec::new());
    let n_threads = arguments.jobs.n_threads();
    for path in &inputs(arguments) {
        let is_folder = path.is_dir();
        let found = FoundFiles::of(slice::from_ref(path), &is_of_language, n_threads);
        if is_folder && found.files.is_empty() && found.failures.is_empty() {
            notes.push(notes::on_empty("that can be checked", path));
        }
        failures.extend(found.failures);
        if is_folder { &mut in_folders } else { &mut files }.extend(found.files);
    }
    let mut reporter = Reporter::new(&arguments.reporting);
    failures.into_iter().try_for_each(|failure| reporter.add_failure(failure))?;
    let mut others = check_modules(in_folders, arguments, &mut reporter)?;
    if arguments.dialect.is_none_or(|dialect| dialect.product() == Product::Packer) {
        let is_of_template = |path: &PathBuf| packer::is_template(&path.to_string_lossy());
        let (found, left) = others.into_iter().partition::<Vec<_>, _>(is_of_template);
        let is_there = |path: &PathBuf| is_of_template(path) && path.exists();
        let (named, left_files) = files.into_iter().partition::<Vec<_>, _>(is_there);
        reporter.add(check_templates(&found, &named, arguments.dialect))?;
        (files, others) = (left_files, left);
    }
    // Of the folder at hand, as modules name theirs.
    files.extend(others.iter().map(|path| path.strip_prefix(".").unwrap_or(path).to_owned()));
    let is_job = |path: &Path| match arguments.dialect {
        Some(dialect) if dialect.product() == Product::Nomad => {
            is_job_by_name(path) || arguments.files.iter().any(|named| named == path)
        }
        None => is_job_by_name(path),
        Some(_) => false,
    };
    // Nomad's paths begin in the working directory, whatever folder the job is in.
    let host = InFolder::new(Path::new("."));
    let host = host.as_ref().map(|host| host as &(dyn Host + Sync));
    let look = |path: &PathBuf| match host {
        Some(host) if is_job(path) => job::problems(path, arguments.dialect, host),
        _ => problems(path),
    };
    in_parallel(&files, arguments.jobs.n_threads(), look, |_, result| match result {
        Ok(diagnostics) => reporter.add(diagnostics),
        Err(failure) => reporter.add_failure(failure),
    })?;
    reporter.add(named_module(arguments, &mut notes)?)?;
    let outcome = reporter.finish()?;
    notes::tell(&notes, &arguments.reporting)?;
    Ok(outcome)
}

/// The files and folders that are named; the folder at hand where nothing is.
fn inputs(arguments: &CheckArguments) -> Vec<PathBuf> {
    match arguments.files.is_empty() && arguments.modules.is_empty() {
        true => vec![PathBuf::from(".")],
        false => arguments.files.clone(),
    }
}

/// The problems of the module of `--module`.
fn named_module(arguments: &CheckArguments, notes: &mut Vec<String>) -> Result<Diagnostics, Failure> {
    let Some(first) = arguments.modules.first() else { return Ok(Diagnostics::new()) };
    let folder = if first.is_dir() { first.as_path() } else { first.parent().unwrap_or(first) };
    let release = release_of(folder, &arguments.modules, arguments.dialect);
    let (module, mut diagnostics) = loaded(&arguments.modules, release)?;
    notes.extend(notes::on_empty_module(&arguments.modules, release));
    diagnostics.extend(validated(&module, folder));
    Ok(diagnostics)
}

/// The problems of a module that do not depend on its values.
fn validated(module: &Module, folder: &Path) -> Diagnostics {
    let host = InFolder::new(folder);
    let options = EvalOptions { host: host.as_ref().map(|host| host as &dyn Host), ..EvalOptions::default() };
    module.validate(&options)
}

/// Checks the modules among files as wholes, and gives the files that are left. A module that another one calls is
/// checked with that one only, with the arguments of the call.
fn check_modules(
    files: Vec<PathBuf>,
    arguments: &CheckArguments,
    reporter: &mut Reporter<'_>,
) -> Result<Vec<PathBuf>, Failure> {
    let folders: BTreeSet<PathBuf> = files
        .iter()
        .filter(|path| is_of_module(path))
        .filter_map(|path| path.parent())
        .map(Path::to_owned)
        .collect();
    let n_threads = arguments.jobs.n_threads();
    let load = |folder: &&PathBuf| {
        let options = LoadOptions {
            release: release_of(folder, &files, arguments.dialect),
            folder: folder_name(folder),
            reads_value_files: false,
            ..LoadOptions::default()
        };
        Module::load(&DiskFiles, &options)
    };
    let mut loaded: Vec<(Module, Diagnostics)> = Vec::with_capacity(folders.len());
    in_parallel(&folders.iter().collect::<Vec<_>>(), n_threads, load, |_, one| {
        loaded.push(one);
        Ok::<(), Failure>(())
    })?;
    // Modules that another one calls are checked with it.
    let called: BTreeSet<&str> = loaded
        .iter()
        .flat_map(|(module, _)| module.folders().into_iter().filter(|folder| *folder != module.folder()))
        .collect();
    let roots: Vec<_> = loaded.iter().filter(|(module, _)| !called.contains(module.folder())).collect();
    let check = |(module, problems): &&(Module, Diagnostics)| {
        let own = validated(module, &path_shown_as(module.folder()));
        problems.iter().cloned().chain(own).collect::<Diagnostics>()
    };
    in_parallel(&roots, n_threads, check, |_, problems| reporter.add(problems))?;
    let is_left = |path: &PathBuf| {
        let is_in_module = path.parent().is_some_and(|folder| folders.contains(folder));
        // Files of values belong to a run of a module, and not to the module.
        !(is_of_module(path) || is_in_module && is_of_values(path))
    };
    Ok(files.into_iter().filter(is_left).collect())
}

impl Weigh for Module {
    /// Nothing, as all are kept until it is known which ones others call.
    fn weight(&self) -> usize {
        0
    }
}

/// Checks templates of Packer: those in folders as wholes. Of a file that is named the template in its folder is looked at,
/// and what is wrong in that file is told; with the dialect given it is a template by itself, as for Packer.
fn check_templates(found: &[PathBuf], named: &[PathBuf], dialect: Option<Dialect>) -> Diagnostics {
    let folder_of = |path: &PathBuf| path.parent().map(folder_name);
    let whole: BTreeSet<String> = found.iter().filter_map(folder_of).collect();
    let mut diagnostics = Diagnostics::new();
    for folder in &whole {
        diagnostics.extend(check_template(folder, folder, dialect));
    }
    let mut by_folder: BTreeMap<String, Vec<&PathBuf>> = BTreeMap::new();
    for path in named {
        let folder = folder_of(path).unwrap_or_default();
        if dialect.is_some() {
            diagnostics.extend(check_template(&path.to_string_lossy(), &folder, dialect));
        } else if !whole.contains(&folder) {
            by_folder.entry(folder).or_default().push(path);
        }
    }
    for (folder, paths) in by_folder {
        let is_meant = |problem: &Diagnostic| {
            let file = problem.subject.as_ref().map(|subject| shown_name(Path::new(&*subject.filename)));
            file.is_none_or(|file| paths.iter().any(|path| shown_name(path) == file))
        };
        diagnostics.extend(check_template(&folder, &folder, dialect).into_iter().filter(is_meant));
    }
    diagnostics
}

/// Checks one template, whose functions see the files of `folder`.
fn check_template(path: &str, folder: &str, dialect: Option<Dialect>) -> Diagnostics {
    let Some(host) = InFolder::new(&path_shown_as(folder)) else { return Diagnostics::new() };
    templates::problems(path, dialect, &host)
}

/// The outside world as far as a module brings it: the files in its folder. Everything else is not known yet, and nothing
/// is said about what is made of it.
struct InFolder(SystemHost);

impl InFolder {
    /// The files of a folder; nothing if it can't be opened.
    fn new(folder: &Path) -> Option<Self> {
        SystemHost::new().and_then(|host| host.allow_files_in(folder)).ok().map(Self)
    }
}

/// Takes what is not allowed for something that is not known yet: a check is no run, and must not fail over what a
/// run may be given.
fn or_not_known<T>(result: Result<T, HostError>) -> Result<T, HostError> {
    result.map_err(|error| match error {
        HostError::NotAllowed(_) | HostError::Outside => HostError::NotKnownYet,
        other => other,
    })
}

impl Host for InFolder {
    fn read_file(&self, path: &str, most: u64) -> Result<Vec<u8>, HostError> {
        or_not_known(self.0.read_file(path, most))
    }

    fn file_kind(&self, path: &str) -> Result<FileKind, HostError> {
        or_not_known(self.0.file_kind(path))
    }

    fn list_directory(&self, path: &str, most: usize) -> Result<Vec<(String, FileKind)>, HostError> {
        or_not_known(self.0.list_directory(path, most))
    }

    fn working_directory(&self) -> Result<String, HostError> {
        or_not_known(self.0.working_directory())
    }

    fn home_directory(&self) -> Result<String, HostError> {
        or_not_known(self.0.home_directory())
    }

    fn environment_variable(&self, name: &str) -> Result<String, HostError> {
        or_not_known(self.0.environment_variable(name))
    }

    fn now(&self) -> Result<Timestamp, HostError> {
        or_not_known(self.0.now())
    }

    fn random_bytes(&self, buffer: &mut [u8]) -> Result<(), HostError> {
        or_not_known(self.0.random_bytes(buffer))
    }

    fn call(&self, function: &str, arguments: &[Value]) -> Result<Value, HostError> {
        or_not_known(self.0.call(function, arguments))
    }
}

/// The release whose rules hold for a folder: that of the dialect, else OpenTofu if a file is of its own kind.
fn release_of(folder: &Path, files: &[PathBuf], dialect: Option<Dialect>) -> Release {
    if let Some(release) = dialect.and_then(|dialect| Release::by_name(dialect.name())) {
        return release;
    }
    let is_tofu = |path: &&PathBuf| {
        let name = shown_name(path);
        path.parent() == Some(folder) && (name.ends_with(".tofu") || name.ends_with(".tofu.json"))
    };
    if files.iter().any(|path| is_tofu(&path)) { Release::OPENTOFU } else { Release::TERRAFORM }
}

/// True if a file is a job of Nomad, by its name.
fn is_job_by_name(path: &Path) -> bool {
    let name = shown_name(path);
    [".nomad", ".nomad.hcl", ".nomad.json"].iter().any(|ending| name.ends_with(ending))
}

/// True if a file has values for variables, by its name.
fn is_of_values(path: &Path) -> bool {
    let name = shown_name(path);
    name.ends_with(".tfvars") || name.ends_with(".tfvars.json")
}

/// The name of a file as messages have it.
fn shown_name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// The syntax errors of a file.
fn problems(path: &Path) -> Result<Diagnostics, Failure> {
    let (name, bytes) = read_input(path)?;
    let limits = ParseLimits::default();
    Ok(if Syntax::of_input(&name, &bytes) == Syntax::Json {
        parse_json(json_source(&name, bytes)?, &limits).1
    } else {
        parse_file(source(&name, bytes)?, &limits).1
    })
}
