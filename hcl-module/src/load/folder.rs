//! A folder's files as the declarations of a module.

use std::sync::Arc;

use hcl_eval::Value;
use hcl_eval::eval::Evaluation;
use hcl_syntax::diagnostic::{Diagnostic, Diagnostics, has_errors};
use hcl_syntax::hash::HashMap;
use hcl_syntax::memory::{self, Turns};

use super::LoadOptions;
use crate::config::Config;
use crate::declare::{Declarations, Reader, Role};
use crate::files::{Chosen, FileError, Files, choose, is_json, join, read_body, too_large};

/// Reads the root, of which the options may say what belongs to it.
///
/// # Errors
/// The folder can't be read.
pub(super) fn read_root(
    files: &dyn Files,
    folder: &str,
    options: &LoadOptions<'_>,
    evaluation: &mut Evaluation<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Arc<Config>, Diagnostic> {
    match &options.only {
        None => read(files, folder, options, evaluation, diagnostics),
        Some(names) => {
            let chosen = Chosen { primary: names.clone(), overrides: Vec::new() };
            Ok(chosen_files(files, folder, &chosen, options, evaluation, diagnostics))
        }
    }
}

/// Reads the module in a folder. What is wrong in its files goes to the diagnostics.
///
/// # Errors
/// The folder can't be read.
pub(super) fn read(
    files: &dyn Files,
    folder: &str,
    options: &LoadOptions<'_>,
    evaluation: &mut Evaluation<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Arc<Config>, Diagnostic> {
    let names = files.names_in(folder).map_err(|error| unreadable(folder, &error))?;
    Ok(chosen_files(files, folder, &choose(names, options.release), options, evaluation, diagnostics))
}

/// How many parts of work a file is, whatever is in it: a look stands before each.
const PARTS_OF_FILE: usize = 1 << 13;

/// Reads files and puts their declarations together, those of override files over the others.
fn chosen_files(
    files: &dyn Files,
    folder: &str,
    chosen: &Chosen,
    options: &LoadOptions<'_>,
    evaluation: &mut Evaluation<'_>,
    diagnostics: &mut Diagnostics,
) -> Arc<Config> {
    let mut is_over = false;
    let mut read = |names: &[String], role: Role| {
        let mut read = Vec::new();
        for name in names {
            // A limit that has ended the reading of a file is told by that.
            let is_told = diagnostics.last().is_some_and(|problem| problem.code.starts_with("limit."));
            is_over = is_told && evaluation.limit_with(0).is_some();
            if is_over || !evaluation.bounds().goes_on(PARTS_OF_FILE) {
                break;
            }
            read.push(declarations(files, &join(folder, name), role, options, evaluation, diagnostics));
        }
        read
    };
    let mut primary = read(&chosen.primary, Role::Primary);
    let mut overrides = read(&chosen.overrides, Role::Override);
    if is_over || evaluation.stopped() {
        let mut turns = Turns::begin();
        // Nothing more is done with what has been read.
        for read in primary.drain(..).chain(overrides.drain(..)) {
            read.release(&mut turns);
        }
        primary.push(Declarations { is_partial: true, ..Declarations::default() });
    }
    let (config, problems) = Config::new(primary, overrides, options.release, evaluation);
    diagnostics.extend(problems);
    Arc::new(config)
}

/// The memory that a byte of a file of nothing but short declarations takes while they are read and linked.
const BYTES_FOR_BYTE: usize = 64;

/// The declarations of one file. What can't be read is told, and makes them partial.
fn declarations(
    files: &dyn Files,
    path: &str,
    role: Role,
    options: &LoadOptions<'_>,
    evaluation: &mut Evaluation<'_>,
    diagnostics: &mut Diagnostics,
) -> Declarations {
    let parsed = files.read(path).map_err(|error| unreadable_file(path, &error)).and_then(|bytes| {
        if options.parse_limits.asks_for_memory {
            // Of a refusal the reader knows.
            memory::is_to_be_had(bytes.len().saturating_mul(BYTES_FOR_BYTE));
        }
        let body = read_body(path, bytes, is_json(path), &options.parse_limits);
        body.map_err(|error| too_large(path, &error))
    });
    match parsed {
        Err(problem) => {
            diagnostics.push(problem);
            Declarations { is_partial: true, ..Declarations::default() }
        }
        // The part of a file with errors that could be read is looked at, too.
        Ok((body, problems)) => {
            let is_partial = has_errors(&problems);
            diagnostics.extend(problems);
            let mut reader =
                Reader { release: options.release, role, required: Vec::new(), evaluation, diagnostics };
            Declarations { is_partial, ..reader.file(&body) }
        }
    }
}

/// The complaint about a folder, whose place the caller adds.
fn unreadable(folder: &str, error: &FileError) -> Diagnostic {
    let detail = format!("The folder {folder} can't be read as a module: {error}.");
    Diagnostic::error("module.folder", "Unreadable module directory", detail)
}

/// The complaint about a file that belongs to the module.
fn unreadable_file(path: &str, error: &FileError) -> Diagnostic {
    let detail = format!("The file {path} can't be read: {error}.");
    Diagnostic::error("module.folder", "Failed to read file", detail)
}

/// The folders of modules that the product has fetched, by the names of the calls that lead to them, with dots
/// between. A list that is missing or no JSON is an empty one.
pub(super) fn installed(
    files: &dyn Files,
    folder: &str,
    evaluation: &mut Evaluation<'_>,
) -> HashMap<String, String> {
    let read = files.read(&join(folder, ".terraform/modules/modules.json")).ok();
    let value = read.and_then(|bytes| evaluation.json(std::str::from_utf8(&bytes).ok()?));
    let Some(list) = value.as_ref().and_then(|value| value.get_attribute("Modules")) else {
        return HashMap::default();
    };
    let text = |entry: &Value, name: &str| Some(entry.get_attribute(name)?.as_str()?.to_owned());
    let entries = list.elements().unwrap_or_default().iter();
    let entries = entries.take_while(|_| evaluation.bounds().next_item());
    entries.filter_map(|entry| Some((text(entry, "Key")?, join(folder, &text(entry, "Dir")?)))).collect()
}
