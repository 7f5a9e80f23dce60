//! `hcl get`, `hcl set` and `hcl rm`: attributes and blocks of a file, by address.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use hcl_eval::eval::evaluate;
use hcl_syntax::diagnostic::{Diagnostic, Error, has_errors};
use hcl_syntax::edit::{Address, Document, Found, Reach};
use hcl_syntax::escape::write_quoted;

use crate::args::{ChangeArguments, GetArguments, ReportingArguments, RmArguments, SetArguments};
use crate::configuration::Syntax;
use crate::eval::{Printed, in_form};
use crate::fmt::diff;
use crate::output::{Failure, Outcome, print_exactly, read_input, report};
use crate::replace::{check_replaceable, hold_back_signals, replace};
use crate::{host, scope};

/// `hcl get`
///
/// # Errors
/// A file can't be read, an argument makes no sense, or nothing can be written.
pub fn get(arguments: &GetArguments) -> Result<Outcome, Failure> {
    let (document, _) = match document(&arguments.file)? {
        Ok(document) => document,
        Err(diagnostics) => return refused(&diagnostics, &arguments.reporting),
    };
    let found = parsed(&arguments.address).and_then(|address| Ok((document.find_some(&address)?, address)));
    let (found, address) = match found {
        Ok(found) => found,
        Err(diagnostics) => return refused(&diagnostics, &arguments.reporting),
    };
    let form = &arguments.form;
    if form.json || form.raw || form.type_only {
        return evaluated(&found, &address, arguments);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    for found in found {
        out.write_all(&document.source_of(found))?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(Outcome::Success)
}

/// Prints the values of what was found.
fn evaluated(found: &[Found<'_>], address: &Address, arguments: &GetArguments) -> Result<Outcome, Failure> {
    let host = host::allowing(&arguments.scope.allow)?;
    let (scope, mut diagnostics) = scope::build(&arguments.scope, &arguments.limits, &host)?;
    let options = scope::evaluation_options(&arguments.limits, &host);
    let max_bytes = scope::output_limit(&arguments.limits);
    for found in found {
        let Some(expression) = found.value() else {
            let detail = format!(
                "{address} is a block, which has no value of its own. Name an attribute in it, or use hcl json."
            );
            diagnostics.push(Diagnostic::error("edit.no_value", "Not an attribute", detail));
            break;
        };
        let (value, more) = evaluate(expression, Some(&scope), &options);
        let failed = has_errors(&more);
        diagnostics.extend(more);
        if failed {
            continue;
        }
        match in_form(&value, &arguments.form, max_bytes, expression) {
            // Several values are printed, so that each needs a line of its own.
            Ok(Printed::Exactly(text)) => Printed::Line(text).print()?,
            Ok(printed) => printed.print()?,
            Err(more) => diagnostics.extend(more),
        }
    }
    report(&diagnostics, &arguments.reporting)?;
    Ok(Outcome::of(&diagnostics))
}

/// `hcl set`
///
/// # Errors
/// A file can't be read or written, or nothing can be written to standard output or standard error.
pub fn set(arguments: &SetArguments) -> Result<Outcome, Failure> {
    let mut value = String::new();
    match arguments.string {
        true => write_quoted(&arguments.value, &mut value),
        false => value.push_str(&arguments.value),
    }
    let change = &arguments.change;
    edit(&arguments.file, &arguments.address, change, &arguments.reporting, |document, address, reach| {
        match arguments.create {
            true => document.set_creating(address, &value, reach),
            false => document.set(address, &value, reach),
        }
    })
}

/// `hcl rm`
///
/// # Errors
/// A file can't be read or written, or nothing can be written to standard output or standard error.
pub fn rm(arguments: &RmArguments) -> Result<Outcome, Failure> {
    let change = &arguments.change;
    edit(&arguments.file, &arguments.address, change, &arguments.reporting, |document, address, reach| {
        document.remove(address, reach).map(|_| ())
    })
}

/// Changes a file as asked. Signals are held back while it is replaced, so that it is never half written.
fn edit(
    path: &Path,
    address: &str,
    change: &ChangeArguments,
    reporting: &ReportingArguments,
    work: impl FnOnce(&mut Document, &Address, Reach) -> Result<(), Error>,
) -> Result<Outcome, Failure> {
    if !change.check && !change.diff && path != Path::new("-") {
        check_replaceable(path)?;
    }
    let (mut document, name) = match document(path)? {
        Ok(document) => document,
        Err(diagnostics) => return refused(&diagnostics, reporting),
    };
    let before = document.bytes().to_vec();
    let reach = if change.all { Reach::All } else { Reach::One };
    if let Err(diagnostics) = parsed(address).and_then(|address| work(&mut document, &address, reach)) {
        return refused(&diagnostics, reporting);
    }
    let changed = document.bytes() != before;
    if change.diff {
        print_exactly(&diff(&name, &before, document.bytes()))?;
    } else if !change.check && path == Path::new("-") {
        let mut out = io::stdout().lock();
        out.write_all(document.bytes())?;
        out.flush()?;
    } else if !change.check && changed {
        let _held_back = hold_back_signals();
        replace(path, document.bytes())?;
    }
    Ok(if change.check && changed { Outcome::Rejected } else { Outcome::Success })
}

/// A file of native syntax, with its name in messages. The inner error is about its text, the outer about reading it.
pub(crate) fn document(path: &Path) -> Result<Result<(Document, String), Error>, Failure> {
    let (name, bytes) = read_input(path)?;
    if Syntax::of_input(&name, &bytes) == Syntax::Json {
        return Err(Failure::Usage(format!("{name}: only files of native syntax can be edited")));
    }
    Ok(Document::parse(&name, bytes).map(|document| (document, name)))
}

/// An address of the command line.
fn parsed(address: &str) -> Result<Address, Error> {
    address.parse()
}

/// Reports an error of editing.
fn refused(error: &Error, reporting: &ReportingArguments) -> Result<Outcome, Failure> {
    report(error.diagnostics(), reporting)?;
    Ok(Outcome::of(error.diagnostics()))
}
