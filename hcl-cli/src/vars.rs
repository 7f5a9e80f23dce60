//! `hcl vars`: the variables and functions that files or an expression need.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use hcl_module::{Module, Release};
use hcl_syntax::diagnostic::{Diagnostics, has_errors};
use hcl_syntax::hash::IndexSet;
use hcl_syntax::json::parse_json;
use hcl_syntax::json::reading::Reader;
use hcl_syntax::parser::{ParseLimits, parse_expression, parse_file};
use serde::{Serialize, Serializer};

use crate::answer::to_json;
use crate::args::VarsArguments;
use crate::configuration::Syntax;
use crate::folders::{FoundFiles, Weigh, in_parallel, is_of_language};
use crate::names::{files_of, loaded};
use crate::output::{Failure, Outcome, Reporter, print, read_input};
use crate::scope::{json_source, source};
use crate::used_names::UsedNames;
use crate::{batch, notes};

/// Names, each once, in the order of first use.
#[derive(Serialize, Default, Debug)]
pub struct Listing {
    /// Variables with their steps, as they are written.
    #[serde(serialize_with = "in_order")]
    variables: IndexSet<String>,
    #[serde(serialize_with = "in_order")]
    functions: IndexSet<String>,
    /// The variables of a module that have neither a value nor a default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
}

impl Weigh for Listing {
    fn weight(&self) -> usize {
        let names = self.variables.iter().chain(&self.functions);
        names.map(|name| size_of::<String>() + name.len()).sum()
    }
}

/// Serializes names as an array in their order.
fn in_order<S: Serializer>(names: &IndexSet<String>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(names)
}

/// The module that the arguments name, and its files.
fn module(
    arguments: &VarsArguments,
    diagnostics: &mut Diagnostics,
) -> Result<Option<(Module, Vec<PathBuf>)>, Failure> {
    if arguments.modules.is_empty() {
        return Ok(None);
    }
    let name = arguments.dialect.name();
    let Some(release) = Release::by_name(name) else {
        let message = format!("--module: {name} has no modules here; terraform and opentofu have");
        return Err(Failure::Usage(message));
    };
    let (module, problems) = loaded(&arguments.modules, release)?;
    diagnostics.extend(problems);
    Ok(Some((module, files_of(&arguments.modules, release))))
}

/// Runs the verb.
///
/// # Errors
/// A file can't be read, or nothing can be written.
pub fn run(arguments: &VarsArguments) -> Result<Outcome, Failure> {
    if arguments.jsonl {
        return batch::run(batch::vars::answer);
    }
    let mut reporter = Reporter::new(&arguments.reporting);
    let mut notes = Vec::new();
    let listing = listing_with(arguments, &mut reporter, &mut notes)?;
    let outcome = reporter.finish()?;
    notes::tell(&notes, &arguments.reporting)?;
    let text = if arguments.json { to_json(&listing) } else { listing.text() };
    if !text.is_empty() {
        print(&text)?;
    }
    Ok(outcome)
}

/// The names that the inputs need; what is wrong with them, and inputs that can't be read, are reported.
///
/// # Errors
/// The module can't be read, or nothing can be reported.
pub fn listing(arguments: &VarsArguments, reporter: &mut Reporter<'_>) -> Result<Listing, Failure> {
    listing_with(arguments, reporter, &mut Vec::new())
}

/// As [`listing`], with notes about what is reported.
fn listing_with(
    arguments: &VarsArguments,
    reporter: &mut Reporter<'_>,
    notes: &mut Vec<String>,
) -> Result<Listing, Failure> {
    let mut listing = Listing::default();
    let mut problems = Diagnostics::new();
    let module = module(arguments, &mut problems)?;
    reporter.add(problems)?;
    let reader = arguments.dialect.product().reader();
    let inputs = inputs(arguments, reporter)?;
    // Names are many, and mostly the same ones: each thread sorts out its own.
    let work = |input: &Input| {
        let found = match input {
            Input::File(path) => names_in_file(path, reader),
            Input::Expression(text) => names_in_expression(text),
        };
        found.map(|(names, problems)| {
            let mut listing = Listing::default();
            listing.add(names);
            (listing, problems)
        })
    };
    in_parallel(&inputs, arguments.jobs.n_threads(), work, |input, result| {
        let (names, mut problems) = match result {
            Ok(found) => found,
            Err(failure) => return reporter.add_failure(failure),
        };
        listing.variables.extend(names.variables);
        listing.functions.extend(names.functions);
        let is_read = !has_errors(&problems);
        if let (Some((module, _)), Input::Expression(text), true) = (&module, input, is_read) {
            let missing = module.check_address(text);
            if has_errors(&missing) {
                notes.extend(note_on(module, text));
            }
            problems.extend(missing);
        }
        reporter.add(problems)
    })?;
    if let Some((module, files)) = &module {
        if arguments.inputs.is_empty() {
            for path in files {
                // The module has been loaded, and its problems are told.
                listing.add(names_in_file(path, reader)?.0);
            }
        } else {
            listing.add_needs_of(module);
        }
        let missing: HashSet<&str> = module.missing_variables().into_iter().collect();
        listing.missing =
            listing.variables_of_module().filter(|name| missing.contains(name)).map(str::to_owned).collect();
    }
    Ok(listing)
}

/// A thing that needs names.
enum Input {
    /// A file of the language, or one that is named as such.
    File(PathBuf),
    /// An expression, or an address in a module.
    Expression(String),
}

/// The files, those in the folders, and the expressions that the arguments name.
fn inputs(arguments: &VarsArguments, reporter: &mut Reporter<'_>) -> Result<Vec<Input>, Failure> {
    let mut inputs = Vec::new();
    let n_threads = arguments.jobs.n_threads();
    for input in &arguments.inputs {
        let path = Path::new(input);
        if path.is_dir() {
            let found = FoundFiles::of(&[path.to_owned()], &is_of_language, n_threads);
            found.failures.into_iter().try_for_each(|failure| reporter.add_failure(failure))?;
            inputs.extend(found.files.into_iter().map(Input::File));
        } else {
            // An expression is a text, which the name of a file need not be.
            let expression = input.to_str().filter(|text| !names_file(text));
            inputs.push(match expression {
                Some(text) => Input::Expression(text.to_owned()),
                None => Input::File(path.to_owned()),
            });
        }
    }
    Ok(inputs)
}

/// Endings by which an input is taken for the name of a file of the language, even if there is no such file.
pub(crate) const FILE_ENDINGS: [&str; 5] = ["hcl", "tf", "tofu", "tfvars", "nomad"];

/// Returns true if an input names a file, and is no expression.
///
/// A path to what is not there is still one if an expression can't begin so, or if it leads into a folder that is there.
fn names_file(input: &str) -> bool {
    let path = Path::new(input);
    // A link that leads nowhere is there.
    let is_there = || path.symlink_metadata().is_ok();
    let begins_as_path = || ["/", "./", "../", "~/"].iter().any(|beginning| input.starts_with(beginning));
    let is_in_folder = || {
        let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        input.chars().all(is_of_path) && folder.is_some_and(Path::is_dir)
    };
    input == "-" || is_of_language(path) || is_there() || begins_as_path() || is_in_folder()
}

/// The note about an address that is not there.
fn note_on(module: &Module, address: &str) -> Option<String> {
    let source = source("expression", address.as_bytes().to_vec()).ok()?;
    let (parsed, _) = parse_expression(source, &ParseLimits::default());
    notes::on_private(module, parsed.expression())
}

/// The names in an expression of the command line.
fn names_in_expression(text: &str) -> Result<(UsedNames, Diagnostics), Failure> {
    let (parsed, diagnostics) =
        parse_expression(source("expression", text.as_bytes().to_vec())?, &ParseLimits::default());
    Ok((UsedNames::of_expression(parsed.expression()), diagnostics))
}

/// The names in a file's expressions.
fn names_in_file(path: &Path, reader: Reader) -> Result<(UsedNames, Diagnostics), Failure> {
    let (name, bytes) = read_input(path)?;
    let limits = ParseLimits::default();
    if Syntax::of_input(&name, &bytes) == Syntax::Json {
        let (file, diagnostics) = parse_json(json_source(&name, bytes)?, &limits);
        return Ok((UsedNames::of_json(&file), diagnostics));
    }
    let (file, diagnostics) = parse_file(source(&name, bytes)?, &limits);
    Ok((UsedNames::of_file(file.body(), reader), diagnostics))
}

impl Listing {
    /// Adds the declarations that the listed ones need, directly or by others, in the order of the graph.
    fn add_needs_of(&mut self, module: &Module) {
        let graph = module.graph();
        let positions: HashMap<&str, usize> =
            graph.iter().enumerate().map(|(at, node)| (node.address.as_str(), at)).collect();
        let mut seen: HashSet<usize> = HashSet::new();
        let named = self.variables.iter().filter_map(|name| positions.get(declaration(name, &positions)?));
        let mut open: VecDeque<usize> = named.copied().collect();
        while let Some(at) = open.pop_front() {
            if seen.insert(at) {
                open.extend(&graph[at].references);
            }
        }
        let known: HashSet<&str> =
            self.variables.iter().filter_map(|name| declaration(name, &positions)).collect();
        let found = graph.iter().enumerate().filter(|(at, _)| seen.contains(at));
        let found = found.map(|(_, node)| &node.address).filter(|address| !known.contains(address.as_str()));
        let found: Vec<String> = found.cloned().collect();
        self.variables.extend(found);
    }

    /// The variables of a module that are listed.
    fn variables_of_module(&self) -> impl Iterator<Item = &str> {
        let mut seen = HashSet::new();
        let names = self.variables.iter().filter_map(|name| name.strip_prefix("var."));
        let names = names.map(|name| name.split(['.', '[']).next().unwrap_or_default());
        names.filter(move |name| seen.insert(*name))
    }

    /// Adds names that are not listed yet.
    fn add(&mut self, names: UsedNames) {
        self.variables.extend(names.variables);
        self.functions.extend(names.functions);
    }

    /// Variables as they are written, functions with parentheses.
    fn text(&self) -> String {
        let functions = self.functions.iter().map(|name| format!("{name}()"));
        self.variables.iter().cloned().chain(functions).collect::<Vec<_>>().join("\n")
    }
}

/// The declaration in a module's graph that a name with steps behind it belongs to: the longest beginning that is one.
/// `module.a.x` is there as an output of the module.
fn declaration<'a>(name: &'a str, positions: &HashMap<&'a str, usize>) -> Option<&'a str> {
    let plain = name.strip_prefix("resource.").unwrap_or(name);
    let ends = plain.char_indices().filter(|(_, c)| matches!(c, '.' | '[')).map(|(at, _)| at);
    let mut ends: Vec<usize> = ends.chain([plain.len()]).collect();
    ends.reverse();
    let found = ends.into_iter().map(|end| &plain[..end]).find_map(|part| positions.get_key_value(part));
    found.map(|(known, _)| *known)
}
